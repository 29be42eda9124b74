"""pergola asm and pergola disasm as commands: forms of output, exit codes, the way back."""
import os
import subprocess
import tempfile
import unittest

from proves import main

PERGOLA = os.environ["PERGOLA"]
TEXT = b"""(+f0.0) if(8) JIP: out UIP: out { align1 1Q };
add(16) g20<1>F g8<8,8,1>F -g10<8,8,1>F { align1 1H compacted };
out: endif(8) JIP: next { align1 1Q };
next: nop;
"""
HEX = ["22 00 61 00 84 3c 00 20 00 00 00 00 03 00 03 00", "40 56 02 20 f7 14 08 0a",
       "25 00 60 00 84 3c 00 20 00 00 8d 00 02 00 00 00",
       "7e 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"]


def run(*args, stdin=b""):
    return subprocess.run([PERGOLA, *args], input=stdin, capture_output=True, timeout=60)


class Asm(unittest.TestCase):
    def test_hex_has_one_instruction_per_line(self):
        r = run("asm", "-", "--format", "hex", stdin=TEXT)
        self.assertEqual(r.returncode, 0)
        self.assertEqual(r.stdout.decode().splitlines(), HEX)

    def test_raw_to_a_file(self):
        with tempfile.TemporaryDirectory() as d:
            path = os.path.join(d, "out.bin")
            self.assertEqual(run("asm", "-", "-o", path, stdin=TEXT).returncode, 0)
            with open(path, "rb") as f:
                self.assertEqual(f.read(), bytes.fromhex("".join(HEX)))

    def test_c_is_dwords(self):
        r = run("asm", "-", "--format", "c", stdin=TEXT)
        self.assertEqual(r.stdout.decode().splitlines()[1], "0x20025640, 0x0a0814f7,")

    def test_device(self):
        dim = b"dim(1) g4<1>DF 0x4018000000000000F { align1 WE_all 1N };"
        self.assertEqual(run("asm", "-", stdin=dim).returncode, 1)
        self.assertEqual(run("asm", "-", "--device", "hsw", stdin=dim).returncode, 0)

    def test_mistake_names_its_place(self):
        r = run("asm", "-", stdin=b"nop;\n  mov(8) g1<1>F g2<8,8,1>Q;\n")
        self.assertEqual(r.returncode, 1)
        self.assertIn(b"-:2:26: error: expected a type", r.stderr)
        self.assertEqual(r.stdout, b"")

    def test_usage(self):
        self.assertEqual(run("asm").returncode, 2)
        self.assertEqual(run("asm", "-", "--format", "elf").returncode, 2)
        self.assertEqual(run("asm", "/nonexistent/file").returncode, 1)


class Disasm(unittest.TestCase):
    def test_way_back(self):
        text = run("disasm", "-", "--format", "hex", stdin="\n".join(HEX).encode())
        self.assertEqual(text.returncode, 0)
        self.assertIn(b"JIP: LABEL0", text.stdout)
        self.assertEqual(run("asm", "-", "--format", "hex",
                             stdin=text.stdout).stdout.decode().splitlines(), HEX)

    def test_noise_is_shown_and_comes_back(self):
        noise = bytes((n * 37 + n * n * 11 + 5) & 255 for n in range(4096))
        text = run("disasm", "-", stdin=noise)
        self.assertEqual(text.returncode, 0)
        self.assertIn(b"illegal:", text.stdout)
        self.assertEqual(run("asm", "-", stdin=text.stdout).stdout, noise)

    def test_bad_hex(self):
        r = run("disasm", "-", "--format", "hex", stdin=b"01 0g")
        self.assertEqual(r.returncode, 1)
        self.assertIn(b"hex", r.stderr)


if __name__ == "__main__":
    main()
