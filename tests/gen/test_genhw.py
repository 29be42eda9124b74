"""The generator refuses what is not well defined, and what it makes packs and unpacks."""
import os
import subprocess
import tempfile
import unittest

import genhw
import hwxml

STRUCT = '<hw unit="t"><struct name="S" length="1">{}</struct></hw>'


def spec(text):
    with tempfile.TemporaryDirectory() as d:
        path = os.path.join(d, "t.xml")
        with open(path, "w") as f:
            f.write(text)
        return hwxml.Spec([path])


class Refusals(unittest.TestCase):
    def refuses(self, text, pattern):
        with self.assertRaisesRegex(hwxml.SpecError, pattern):
            spec(text)

    def test_overlap(self):
        self.refuses(STRUCT.format('<field name="A" dw="0" bits="31:0"/><field name="B" dw="0" bits="3:3"/>'), "B overlaps A at dword 0 bit 3")

    def test_gap(self):
        self.refuses(STRUCT.format('<field name="A" dw="0" bits="30:0"/>'), "undeclared gap at dword 0 bit 31")

    def test_past_the_end(self):
        self.refuses(STRUCT.format('<field name="A" dw="0" bits="63:0"/>'), "past the length")

    def test_duplicate_opcode(self):
        c = '<command name="{}" client="mi" opcode="0x5" length="1"><reserved dw="0" bits="22:0"/></command>'
        self.refuses('<hw unit="t">' + c.format("A") + c.format("B") + "</hw>", "opcode 0x5 is taken by A")

    def test_duplicate_field(self):
        self.refuses(STRUCT.format('<field name="A" dw="0" bits="31:1"/><field name="A" dw="0" bits="0"/>'), "two fields named A")

    def test_register_place(self):
        r = '<register name="{}" offset="0x2030"><field name="F" bits="31:0"/></register>'
        self.refuses('<hw unit="t">' + r.format("A") + r.format("B") + "</hw>", "offset 0x2030 is taken by A")

    def test_unknown_type(self):
        self.refuses(STRUCT.format('<field name="A" dw="0" bits="31:0" type="colour"/>'), "unknown type colour")

    def test_unknown_structure(self):
        self.refuses(STRUCT.format('<field name="A" dw="0" bits="31:0" struct="NOBODY"/>'), "there is no structure NOBODY")
        self.refuses(STRUCT.format('<field name="A" dw="0" bits="31:0"/><tail name="T" struct="NOBODY"/>'), "there is no structure NOBODY")


class RoundTrip(unittest.TestCase):
    def test_pack_unpack(self):
        s = spec('<hw unit="t"><struct name="S" length="3">'
                 '<field name="Low" dw="0" bits="3:0"/><field name="Sig" dw="0" bits="9:4" type="int"/><reserved dw="0" bits="31:10"/>'
                 '<field name="Base" dw="1" bits="31:6" type="address"/><field name="On" dw="1" bits="0"/><reserved dw="1" bits="5:1" type="mbo"/>'
                 '<field name="Scale" dw="2" bits="31:0" type="float"/></struct></hw>')
        header, source = genhw.generate(s)
        root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
        program = ('#include "gen7_hw.h"\nint main(void) {\n'
                   'struct gen7_s a = {.low = 9, .sig = -5, .base = 0xabcdefc0, .on = true, .scale = 1.5f}, b;\n'
                   'uint32_t dw[3];\ngen7_s_pack(dw, &a);\ngen7_s_unpack(&b, dw);\n'
                   'if (dw[0] != (9u | 59u << 4) || dw[1] != (0xabcdefc0u | 0x3f) || dw[2] != 0x3fc00000u) return 1;\n'
                   'return !(b.low == 9 && b.sig == -5 && b.base == 0xabcdefc0 && b.on && b.scale == 1.5f); }\n')
        with tempfile.TemporaryDirectory() as d:
            for name, text in (("gen7_hw.h", header), ("gen7_hw.c", source), ("main.c", program)):
                with open(os.path.join(d, name), "w") as f:
                    f.write(text)
            exe = os.path.join(d, "t")
            subprocess.run(["cc", "-Wall", "-Wextra", "-Werror", "-I" + d, "-I" + os.path.join(root, "src"), "-o", exe,
                            os.path.join(d, "main.c"), os.path.join(d, "gen7_hw.c")], check=True)
            self.assertEqual(subprocess.run([exe]).returncode, 0)


if __name__ == "__main__":
    unittest.main()
