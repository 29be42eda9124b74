"""pergola ecode: a log line, a file, standard input."""
import os
import subprocess
import tempfile
import unittest

from proves import main

PERGOLA = os.environ["PERGOLA"]


def ecode(*args, text=None):
    return subprocess.run([PERGOLA, "ecode", *args], input=text, capture_output=True, text=True,
                          timeout=60)


class Ecode(unittest.TestCase):
    def test_code_alone(self):
        r = ecode("7:0:0x85fdfffd")
        self.assertEqual(r.returncode, 0)
        self.assertIn("PIPE_CONTROL waits; busy: thread spawner: EU threads have not ended\n",
                      r.stdout)
        self.assertIn("IPEHR 0x7a000003, INSTDONE 0xfffdfffe (TSG)", r.stdout)

    def test_lines_of_a_log(self):
        log = ("[1.0] nothing here\n"
               "[2.0] [drm] GPU HANG: ecode 7:0:0x85fffffa, in X [1], reason: Ring hung\n"
               "[3.0] i915 0000:00:02.0: GPU HANG: ecode 7:4:ab3ffffa, in ddx [2]\n")
        for r in (ecode("-", text=log), ecode(text=log)):
            self.assertEqual(r.returncode, 0)
            self.assertEqual(r.stdout.count("ecode 0x"), 2)
            self.assertIn("render engine", r.stdout)
            self.assertIn("XY_SRC_COPY_BLT waits; busy: blitter: a blit has not ended", r.stdout)
        with tempfile.NamedTemporaryFile("w") as f:
            f.write(log + "\0\0binary\n")
            f.flush()
            self.assertEqual(ecode(f.name).stdout.count("ecode 0x"), 2)

    def test_units_of_one_meaning_are_told_once(self):
        r = ecode("0x85fdfffd")
        self.assertIn("(VCR, VPR)", r.stdout)
        self.assertNotIn("a unit of the codec; a unit of the codec", r.stdout)

    def test_no_file(self):
        r = ecode("/no/such/file")
        self.assertEqual(r.returncode, 1)
        self.assertIn("'/no/such/file' is no file that can be read, and has no code", r.stderr)

    def test_foreign_memory(self):
        r = ecode("7:0:0x0a0b0c0d")
        self.assertEqual(r.returncode, 1)
        self.assertIn("no command fits: the streamer read foreign memory", r.stdout)

    def test_other_generations_are_told(self):
        self.assertIn("not a Gen7 GPU", ecode("6:0:0x85fdfffd").stdout)
        # its units have other bits: nothing is said of foreign memory
        r = ecode("[drm] GPU HANG: ecode 9:0:0x85dffffb, in X [1]")
        self.assertEqual(r.returncode, 1)
        self.assertIn("no command of Gen7 fits", r.stdout)
        self.assertNotIn("foreign", r.stdout)

    def test_errors(self):
        r = ecode("no such thing")
        self.assertEqual(r.returncode, 1)
        self.assertIn("has no code", r.stderr)
        self.assertEqual(ecode("a", "b").returncode, 2)
        self.assertEqual(ecode("--nonsense").returncode, 2)
        self.assertIn("usage: pergola ecode", ecode("--help").stdout)


if __name__ == "__main__":
    main()
