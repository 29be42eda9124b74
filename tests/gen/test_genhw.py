"""The generator refuses what is not well defined, and what it makes packs and unpacks."""
import glob
import os
import re
import subprocess
import tempfile
import unittest
import unittest.mock

from proves import main

import genhw
import genledger
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
        self.refuses(STRUCT.format('<field name="A" dw="0" bits="31:0"/><field name="B" dw="0" '
                                   'bits="3:3"/>'), "B overlaps A at dword 0 bit 3")

    def test_gap(self):
        self.refuses(STRUCT.format('<field name="A" dw="0" bits="30:0"/>'),
                     "undeclared gap at dword 0 bit 31")

    def test_past_the_end(self):
        self.refuses(STRUCT.format('<field name="A" dw="0" bits="63:0"/>'), "past the length")

    def test_duplicate_opcode(self):
        c = ('<command name="{}" client="mi" opcode="0x5" length="1"><reserved dw="0" '
             'bits="22:0"/></command>')
        self.refuses('<hw unit="t">' + c.format("A") + c.format("B") + "</hw>",
                     "opcode 0x5 is taken by A")

    def test_duplicate_field(self):
        self.refuses(STRUCT.format('<field name="A" dw="0" bits="31:1"/><field name="A" dw="0" '
                                   'bits="0"/>'), "two fields named A")

    def test_register_place(self):
        r = '<register name="{}" offset="0x2030"><field name="F" bits="31:0"/></register>'
        self.refuses('<hw unit="t">' + r.format("A") + r.format("B") + "</hw>",
                     "offset 0x2030 is taken by A")

    def test_unknown_type(self):
        self.refuses(STRUCT.format('<field name="A" dw="0" bits="31:0" type="colour"/>'),
                     "unknown type colour")

    def test_unknown_structure(self):
        self.refuses(STRUCT.format('<field name="A" dw="0" bits="31:0" struct="NOBODY"/>'),
                     "there is no structure NOBODY")
        self.refuses(STRUCT.format('<field name="A" dw="0" bits="31:0"/><tail name="T" '
                                   'struct="NOBODY"/>'), "there is no structure NOBODY")


class WhatIsMadeAnew(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name
        for name in ("structures", "ledger", "mutation"):
            os.makedirs(self.at("spec", name))
        self.describe("A")

    def at(self, *names):
        return os.path.join(self.root, *names)

    def describe(self, field):
        with open(self.at("spec/structures/s.xml"), "w") as f:
            f.write(STRUCT.format(f'<field name="{field}" dw="0" bits="31:0"/>'))

    def generate(self):
        made = [self.at(name) for name in ("hw.h", "hw.c")]
        self.assertEqual(genhw.main(["genhw.py", self.at("spec"), *made, self.at("hw.d")]), 0)
        for path in made:
            if os.stat(path).st_mtime > 1:
                os.utime(path, (1, 1))
                yield os.path.basename(path)

    def test_depends_on_descriptions_alone(self):
        list(self.generate())
        with open(self.at("hw.d")) as f:
            needs = f.read().split(":")[1].split()
        self.assertEqual(sorted(needs),
                         [self.at("spec"), self.at("spec/structures"),
                          self.at("spec/structures/s.xml")])

    def test_a_file_that_says_the_same_keeps_its_time(self):
        self.assertEqual(list(self.generate()), ["hw.h", "hw.c"])
        self.assertEqual(list(self.generate()), [])
        self.describe("B")
        self.assertEqual(list(self.generate()), ["hw.h", "hw.c"])


def compiles_and_runs(program, header, source):
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    with tempfile.TemporaryDirectory() as d:
        for name, content in (("gen7_hw.h", header), ("gen7_hw.c", source), ("main.c", program)):
            with open(os.path.join(d, name), "w") as f:
                f.write(content)
        exe = os.path.join(d, "t")
        subprocess.run(["cc", "-Wall", "-Wextra", "-Werror", "-I" + d,
                        "-I" + os.path.join(root, "src"), "-o", exe,
                        os.path.join(d, "main.c"), os.path.join(d, "gen7_hw.c")], check=True)
        return subprocess.run([exe]).returncode


class RoundTrip(unittest.TestCase):
    def test_pack_unpack(self):
        s = spec('<hw unit="t"><struct name="S" length="3">'
                 '<field name="Low" dw="0" bits="3:0"/><field name="Sig" dw="0" bits="9:4" '
                 'type="int"/><reserved dw="0" bits="31:10"/>'
                 '<field name="Base" dw="1" bits="31:6" type="address"/><field name="On" dw="1" '
                 'bits="0"/><reserved dw="1" bits="5:1" type="mbo"/>'
                 '<field name="Scale" dw="2" bits="31:0" type="float"/></struct></hw>')
        program = ('#include "gen7_hw.h"\nint main(void) {\n'
                   'struct hw_s a = {.low = 9, .sig = -5, .base = 0xabcdefc0, .on = true, .scale = '
                   '1.5f}, b;\n'
                   'uint32_t dw[3];\ngen7_s_pack(dw, &a);\ngen7_s_unpack(&b, dw);\n'
                   'if (dw[0] != (9u | 59u << 4) || dw[1] != (0xabcdefc0u | 0x3f) || dw[2] != '
                   '0x3fc00000u) return 1;\n'
                   'return !(b.low == 9 && b.sig == -5 && b.base == 0xabcdefc0 && b.on && b.scale '
                   '== 1.5f); }\n')
        self.assertEqual(compiles_and_runs(program, *genhw.generate(s)), 0)


    def test_names_of_reserved_bits_and_of_the_length(self):
        s = spec('<hw unit="t"><struct name="S" length="2"><reserved dw="0" bits="31:28"/><field '
                 'name="A" dw="0" bits="27:4"/>'
                 '<reserved dw="0" bits="3:2" type="ignored"/><reserved dw="0" bits="1"/><reserved '
                 'dw="0" bits="0" type="mbo"/>'
                 '<field name="B" dw="1" bits="31:0"/></struct>'
                 '<command name="C" client="mi" opcode="0x20" length="2" '
                 'length-bits="7:0"><reserved dw="0" bits="22:8"/>'
                 '<field name="D" dw="1" bits="31:0"/></command></hw>')
        header, _ = genhw.generate(s)
        self.assertIn("#define GEN7_S__MBZ_0 0xf0000002u\n", header)
        self.assertNotIn("GEN7_S__MBZ_1", header)
        self.assertIn("#define GEN7_C__DWORD_LENGTH 0xffu\n", header)


class Generations(unittest.TestCase):
    """One struct per name; an unpack and a pack for every generation that a part executes."""

    LAYOUTS = ('<hw unit="t"><struct name="S" length="1" devices="ivb vlv"><field name="Low" '
               'dw="0" bits="7:0"/>'
               '<field name="Old" dw="0" bits="8"/><reserved dw="0" bits="31:9"/></struct>'
               '<struct name="S" length="2" devices="hsw"><field name="Low" dw="0" '
               'bits="15:0"/><reserved dw="0" bits="31:16"/>'
               '<field name="New" dw="1" bits="31:0"/></struct></hw>')

    def test_two_generations_share_a_struct(self):
        program = ('#include "gen7_hw.h"\nint main(void) {\n'
                   'struct hw_s v = {.low = 0x1ff, .old = 1, .new = 9};\nuint32_t a[1], b[2];\n'
                   'gen7_s_pack(a, &v);\ngen75_s_pack(b, &v);\n'
                   'if (a[0] != 0x1ff || b[0] != 0x1ff || b[1] != 9) return 1;\n'
                   'gen7_s_unpack(&v, a);\nif (v.low != 0xff || !v.old || v.new) return 2;\n'
                   'gen75_s_unpack(&v, b);\nif (v.low != 0x1ff || v.old || v.new != 9) return 3;\n'
                   'return GEN7_S_LENGTH != 1 || GEN75_S_LENGTH != 2; }\n')
        with unittest.mock.patch.dict(hwxml.GENERATIONS, {"gen75": hwxml.DEVICES["hsw"]}):
            self.assertEqual(compiles_and_runs(program, *genhw.generate(spec(self.LAYOUTS))), 0)

    def test_what_no_part_executes_is_in_the_tables_only(self):
        header, source = genhw.generate(spec(self.LAYOUTS))
        self.assertNotIn("gen75", header.lower())
        self.assertNotIn(" new;", header)
        self.assertEqual(source.count('{"S", "t", '), 2)

    def test_one_layout_per_generation(self):
        s = '<struct name="S" length="1" devices="{}"><field name="A" dw="0" bits="31:0"/></struct>'
        with self.assertRaisesRegex(hwxml.SpecError, "two layouts of this name in gen7"):
            spec('<hw unit="t">' + s.format("ivb") + s.format("vlv") + "</hw>")

    def test_members_that_do_not_agree(self):
        s = ('<struct name="S" length="1" devices="{}"><field name="A" dw="0" bits="31:0" '
             'type="{}"/></struct>')
        with unittest.mock.patch.dict(hwxml.GENERATIONS, {"gen75": hwxml.DEVICES["hsw"]}):
            with self.assertRaisesRegex(hwxml.SpecError,
                                        "A is uint32_t in one generation and float in another"):
                genhw.generate(spec('<hw unit="t">' + s.format("ivb vlv", "uint")
                                    + s.format("hsw", "float") + "</hw>"))


class Ranges(unittest.TestCase):
    RANGES = ('<hw unit="t"><range name="Of Two" first="0x10" last="0x1f"/><range name="Of Two" '
              'first="{}" last="0x2f"/><range name="Low" first="0" last="7"/></hw>')

    def test_offsets_at_the_edges(self):
        header, source = genhw.generate(spec(self.RANGES.format("0x2c")))
        inside = [o for o in range(0x40) if 0x10 <= o <= 0x1f or 0x2c <= o <= 0x2f]
        text = "".join(f"reg_in_of_two({o}) == {int(o in inside)} && reg_in_low({o}) == "
                       f"{int(o < 8)} &&\n" for o in range(0x40))
        self.assertEqual(compiles_and_runs(f'#include "gen7_hw.h"\nint main(void) {{ return '
                                           f'!({text} 1); }}\n', header, source), 0)

    def test_stretches_that_overlap(self):
        with self.assertRaisesRegex(hwxml.SpecError, "Of Two: two stretches overlap at 0x1f"):
            spec(self.RANGES.format("0x1f"))

    def test_bad_range(self):
        with self.assertRaisesRegex(hwxml.SpecError, "Of Two: bad range 0x30 to 0x2f"):
            spec(self.RANGES.format("0x30"))


class Names(unittest.TestCase):
    def test_a_struct_has_one_name(self):
        header, _ = genhw.generate(spec(STRUCT.format('<field name="A" dw="0" bits="31:0"/>')))
        self.assertNotRegex(header, r"#define gen7_\w+ hw_")

    def test_command_fields_and_engine_registers(self):
        header, _ = genhw.generate(spec(
            '<hw unit="t"><command name="C" client="mi" opcode="0x21" length="2"><field '
            'name="Global" dw="0" bits="22"/>'
            '<reserved dw="0" bits="21:6"/><field name="Mode" dw="1" bits="15:14"/><reserved '
            'dw="1" bits="31:16"/><reserved dw="1" bits="13:0"/>'
            '</command><register name="TAIL" offset="0x30" engines="rcs bcs"><field name="A" '
            'bits="31:0"/></register></hw>'))
        for line in ("GEN7_C__GLOBAL 0x400000u", "GEN7_C__GLOBAL_DW 0", "GEN7_C__MODE 0xc000u",
                     "GEN7_C__MODE_DW 1",
                     "ENGINE_TAIL 0x30u", "REG_BASE_BCS 0x22000u", "REG_BCS_TAIL 0x22030u"):
            self.assertIn(f"#define {line}\n", header)

    def test_engines_agree_on_a_place(self):
        r = ('<register name="TAIL" offset="{}" engines="{}"><field name="A" '
             'bits="31:0"/></register>')
        with self.assertRaisesRegex(hwxml.SpecError, "different places"):
            genhw.generate(spec('<hw unit="t">' + r.format("0x30", "rcs") + r.format("0x34", "bcs")
                                + "</hw>"))


class Context(unittest.TestCase):
    """A context image is a list of what spec/ knows by name."""

    PARTS = ('<hw unit="t"><register name="R" offset="0x100" width="64"><field name="A" '
             'bits="63:0"/></register>'
             '<register name="S" offset="0x108"><field name="A" bits="31:0"/></register>'
             '<command name="C" client="gfx" opcode="0x7900" length="2"><reserved dw="0" '
             'bits="15:8"/><field name="F" dw="1" bits="31:0"/>'
             "</command>{}</hw>")

    def test_items(self):
        header, source = genhw.generate(spec(self.PARTS.format(
            '<context name="I"><noops part="power" count="3"/><registers part="main">S R '
            'R.1</registers>'
            '<command part="main" name="C"/><command part="extended" name="C" length="9"/><media '
            'part="main" name="C" length="4"/></context>')))
        self.assertIn("context_0_1[] = {0x108, 0x100, 0x104, 0x104};", source)
        for row in ("{HW_CONTEXT_NOOP, HW_PART_POWER, false, 3, 0x0, NULL}",
                    "{HW_CONTEXT_REGISTER, HW_PART_MAIN, false, 4, 0x0, context_0_1}",
                    "{HW_CONTEXT_COMMAND, HW_PART_MAIN, false, 2, 0x7900, NULL}",
                    "{HW_CONTEXT_COMMAND, HW_PART_EXTENDED, false, 9, 0x7900, NULL}",
                    "{HW_CONTEXT_MEDIA, HW_PART_MAIN, false, 4, 0x7900, NULL}"):
            self.assertIn(row, source)
        for line in ("GEN7_I__C_DW 0x17u", "GEN7_I_MEDIA_LENGTH 4"):
            self.assertIn(f"#define {line}\n", header)
        self.assertIn("const struct hw_context gen7_i = {context_items_0, 5};", source)

    ENGINES = ('<hw unit="t"><register name="R" offset="0x270" width="64" engines="rcs0 bcs0" '
               'devices="icl"><field name="A" bits="63:0"/></register>'
               '<register name="G" offset="0xe458" devices="icl"><field name="A" '
               'bits="31:0"/></register>'
               '<register name="FAR" offset="0x10000" devices="icl"><field name="A" '
               'bits="31:0"/></register>'
               '<context name="I" devices="icl"><registers part="ring" dw="0x3" '
               'relative="true">R.1 R.0</registers>{}</context></hw>')

    def test_places(self):
        """What an engine has is relative to its block; no-ops come before a place; the value lies
        behind its offset."""
        header, source = genhw.generate(spec(self.ENGINES.format('<registers part="main" '
                                                                 'dw="9">G</registers>')))
        self.assertIn("context_0_1[] = {0x274, 0x270};", source)
        rows = ("{HW_CONTEXT_NOOP, HW_PART_RING, false, 3, 0x0, NULL}",
                "{HW_CONTEXT_REGISTER, HW_PART_RING, true, 2, 0x0, context_0_1}",
                "{HW_CONTEXT_NOOP, HW_PART_MAIN, false, 1, 0x0, NULL}",
                "{HW_CONTEXT_REGISTER, HW_PART_MAIN, false, 1, 0x0, context_0_3}")
        self.assertEqual([source.index(r) for r in rows], sorted(source.index(r) for r in rows))
        for name, dw in (("R_1", 5), ("R_0", 7), ("G", 11)):
            self.assertIn(f"#define GEN11_I__{name}_DW {dw:#x}u", header)

    def test_places_that_cannot_be(self):
        for item, why in (('<registers part="main" dw="0x7">G</registers>', "dword 0x7 is taken"),
                          ('<registers part="main">FAR</registers>', "FAR does not fit 16 bits"),
                          ('<registers part="main" relative="true">G</registers>', "no register G"),
                          ('</context><context name="I" devices="icl">',
                           "a second context image of this name")):
            with self.assertRaisesRegex(hwxml.SpecError, why):
                spec(self.ENGINES.format(item))

    def test_names_of_structures_and_values(self):
        header, _ = genhw.generate(spec(
            '<hw unit="gen11"><struct name="S" length="3" devices="icl"><field name="A" dw="0" '
            'bits="63:1"/><field name="V" dw="0" bits="0"/>'
            '<field name="B" dw="2" bits="31:4"/><reserved dw="2" bits="3:0"/></struct><register '
            'name="R" offset="0x100" devices="icl">'
            '<field name="F" bits="31:2"/><field name="M" bits="1:0"><value name="On Top" '
            'value="2"/></field></register></hw>'))
        for line in ("GEN11_S__A_DW 0", "GEN11_S__V 0x1u", "GEN11_S__B 0xfffffff0u",
                     "GEN11_S__B_DW 2", "REG_R__M_ON_TOP 0x2u"):
            self.assertIn(f"#define {line}\n", header)
        self.assertNotIn("#define GEN11_S__A ", header)

    def test_unknown_names(self):
        for item, why in (('<registers part="main">T</registers>', "no register T"),
                          ('<command part="main" name="D"/>', "no command D"),
                          ('<noops part="side" count="1"/>', "no part side"),
                          ('<things part="main"/>', "unknown element")):
            with self.assertRaisesRegex(hwxml.SpecError, why):
                spec(self.PARTS.format(f'<context name="I">{item}</context>'))


class Registers(unittest.TestCase):
    """Rows of the register table: masks by access kind, engines, arrays, parts."""

    def rows(self, text):
        _, source = genhw.generate(spec('<hw unit="t">' + text + "</hw>"))
        table = source[source.index("hw_registers[] = {"):]
        cells = [line.strip(" {},").split(", ")
                 for line in table.split("\n") if line.startswith("   {0x")]
        return [dict(offset=int(c[0].rstrip("u"), 16), rw=int(c[1].rstrip("u"), 16),
                     w1c=int(c[2].rstrip("u"), 16),
                     default=int(c[3].rstrip("u"), 16), dword=int(c[5]), access=c[6], reset=c[7],
                     devices=int(c[9]), context=c[10], hooked=c[11]) for c in cells]

    def test_masks_by_access(self):
        body = '<field name="A" bits="15:4"/><reserved bits="31:16"/><reserved bits="3:0"/>'
        for access, rw, w1c in (("rw", 0xFFF0, 0), ("ro", 0, 0), ("w1c", 0, 0xFFF0),
                                ("masked", 0xFFF0, 0), ("rc", 0, 0)):
            r = (
                self.rows(f'<register name="R" offset="0x100" access="{access}">{body}</register>')[
                    0])
            self.assertEqual((r["rw"], r["w1c"]), (rw, w1c), access)

    def test_field_access_overrides(self):
        r = self.rows('<register name="R" offset="0x100"><field name="A" bits="0" access="ro"/>'
                      '<field name="B" bits="1" access="w1c"/><field name="C" '
                      'bits="31:2"/></register>')[0]
        self.assertEqual((r["rw"], r["w1c"]), (0xFFFFFFFC, 2))

    def test_engines_place_and_reset(self):
        rows = self.rows('<register name="R" offset="0x30" engines="rcs vcs bcs"><field name="A" '
                         'bits="31:0"/></register>')
        self.assertEqual([(r["offset"], r["reset"]) for r in rows],
                         [(0x2030, "HW_RESET_RCS"), (0x12030, "HW_RESET_VCS"),
                          (0x22030, "HW_RESET_BCS")])

    def test_arrays_and_wide_registers(self):
        rows = self.rows('<register name="F" offset="0x100" width="64" count="2" stride="8" '
                         'default="0x500000001" context="true" '
                         'hook="x"><field name="A" bits="63:0"/></register>')
        self.assertEqual([(r["offset"], r["dword"], r["default"]) for r in rows],
                         [(0x100, 0, 1), (0x104, 1, 5), (0x108, 0, 1), (0x10C, 1, 5)])
        self.assertTrue(all(r["context"] == "true" and r["hooked"] == "true" for r in rows))

    def test_parts_may_share_a_place(self):
        body = '<field name="A" bits="31:0"/></register>'
        rows = self.rows('<register name="A" offset="0x100" devices="ivb hsw">' + body
                         + '<register name="B" offset="0x100" devices="vlv">' + body)
        self.assertEqual(sorted(r["devices"] for r in rows), [2, 5])

    def test_unknown_access_is_refused(self):
        with self.assertRaisesRegex(hwxml.SpecError, "unknown access"):
            spec('<hw unit="t"><register name="R" offset="0" access="sometimes"><field name="A" '
                 'bits="31:0"/></register></hw>')

    def test_every_ledger_id_of_the_spec_exists(self):
        """A layout or field that cites a row which no ledger has would name an unknown rule."""
        root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
        ids = set()
        for path in glob.glob(os.path.join(root, "spec/ledger/*.tsv")):
            with open(path, encoding="utf-8") as f:
                ids |= {line.split("\t")[0] for line in f}
        s = hwxml.Spec(hwxml.find_xml(os.path.join(root, "spec")))
        for x in s.structs + s.commands + s.registers:
            for i in [x.ledger] + [f.ledger for f in x.fields]:
                self.assertTrue(not i or i in ids, f"{x.name} cites {i}")

    def test_headers_are_what_the_reader_takes_opcodes_for(self):
        root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
        s = hwxml.Spec(hwxml.find_xml(os.path.join(root, "spec")))
        for client, (_, _, lowest, length_bits) in hwxml.CLIENT.items():
            fields = next(x for x in s.structs if x.id == f"{client}_header").named()
            length = next(f for f in fields if f.id == "dword_length")
            self.assertEqual((length.hi, length.lo), length_bits, client)
            fields.remove(length)
            self.assertEqual((min(f.start for f in fields), max(f.end for f in fields)),
                             (lowest, 31), client)


class Sources(unittest.TestCase):
    """References to the manuals as people read them."""
    ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")

    def setUp(self):
        self.manuals = genledger.Manuals(os.path.join(self.ROOT, "spec/manuals.tsv"))

    def test_volume_part_and_page(self):
        for source, text in (("ivb-vol2_part2 p.57", "IVB vol 2 part 2, p. 57"),
                             ("IVB v4p3 p.100-102", "IVB vol 4 part 3, p. 100-102"),
                             ("vlv-vol02d p.29", "VLV vol 2d, p. 29"),
                             ("Linux uAPI i915_drm.h", "Linux uAPI i915_drm.h")):
            self.assertEqual(self.manuals.readable(source), text)
        self.assertRegex(self.manuals.readable("000:202-206"), r"^IVB vol 2 part 2, p\. \d+$")
        self.assertRegex(self.manuals.readable("002:5283-5284"), r"^VLV vol 7, near p\. \d+$")

    def test_pages_agree_with_those_that_were_looked_up(self):
        """Many rows name lines of the text and, found apart from that, pages of the manual."""
        volumes = {"000": "ivb-vol2_part2", "003": "ivb-vol1_part5", "004": "ivb-vol4_part2"}
        near = far = 0
        for path in glob.glob(os.path.join(self.ROOT, "spec/ledger/*.tsv")):
            for row in genledger.rows(path):
                for number, volume in volumes.items():
                    lines = re.search(rf"\b{number}:(\d+)-(\d+)", row[5])
                    said = re.search(rf"{volume} p\.([-\d, p.]+)", row[5])
                    if lines and said:
                        first, last = (self.manuals.page(number, int(n)) for n in lines.groups())
                        pages = [int(n) for n in re.findall(r"\d+", said[1])]
                        ok = min(pages) - 1 <= last and first <= max(pages) + 1
                        near, far = near + ok, far + (not ok)
        self.assertGreater(near, 250)
        self.assertLess(far, near / 20, "rows that name another page besides")


if __name__ == "__main__":
    main()
