"""`pergola decode` as a person meets it: exit codes, messages, JSON that parses."""
import json
import os
import pty
import random
import struct
import subprocess
import sys
import tempfile
import unittest

from proves import main

PERGOLA = os.environ["PERGOLA"]
END = 0x05000000


class Decode(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.TemporaryDirectory()
        self.addCleanup(self.dir.cleanup)

    def file(self, dwords=None, data=None):
        path = os.path.join(self.dir.name, "batch")
        with open(path, "wb") as f:
            f.write(struct.pack(f"<{len(dwords)}I", *dwords) if dwords is not None else data)
        return path

    def run_it(self, *args, **kwargs):
        return subprocess.run([PERGOLA, "decode", *args], capture_output=True, timeout=60, **kwargs)

    def test_plain(self):
        r = self.run_it(self.file([0x79110000, 9, 0x79060000, 0]))
        self.assertEqual(r.returncode, 0, r.stderr)
        self.assertIn(b"3DSTATE_MONOFILTER_SIZE", r.stdout)
        self.assertNotIn(b"\033", r.stdout)

    def test_standard_input(self):
        r = self.run_it("-", input=struct.pack("<2I", 0x79110000, 9))
        self.assertEqual(r.returncode, 0, r.stderr)
        self.assertIn(b"Monochrome Filter Width: 1", r.stdout)

    def test_json(self):
        r = self.run_it("--json", "--base", "0x4000", self.file([0x79110000, 9]))
        item = json.loads(r.stdout)[0]
        self.assertEqual((item["name"], item["address"], item["dwords"]),
                         ("3DSTATE_MONOFILTER_SIZE", 0x4000, [0x79110000, 9]))
        widths = [f for f in item["fields"] if f["name"] == "Monochrome Filter Width"]
        self.assertEqual((widths[0]["dw"], widths[0]["hi"], widths[0]["lo"], widths[0]["raw"]),
                         (1, 5, 3, 1))

    def test_engine(self):
        r = self.run_it("--engine", "vcs", self.file([0x7B000005] + [4] * 6))
        self.assertEqual(r.returncode, 1)
        self.assertIn(b"--engine rcs has it: 3DPRIMITIVE", r.stdout)

    def test_families(self):
        """A family that no part belongs to can still be decoded."""
        math = self.file([0x0D000000, 0x08008001])
        r = self.run_it("--device", "hsw", math)
        self.assertEqual(r.returncode, 0, r.stderr)
        self.assertIn(b"MI_MATH", r.stdout)
        for device in ("ivb", "ivb-gt1", "vlv"):
            r = self.run_it("--device", device, math)
            self.assertEqual(r.returncode, 1)
            self.assertIn(b"Haswell has it: MI_MATH", r.stdout)

    def test_ice_lake(self):
        """Addresses of 48 bits, ALU instructions by name, an engine of its own; a batch is followed
        where it lies."""
        batch = [0x18800101, 0x0, 0x1, 0x0D000000, 0x08008001, 0x0E41C002, 4, 0x2600, 0, 0x1EC00000,
                 0, 0x05000000]
        r = self.run_it("--device", "icl", "--engine", "vecs", "--all", self.file(batch))
        self.assertEqual(r.returncode, 1, r.stderr)  # one is unknown
        for text in (b"MI_BATCH_BUFFER_START", b"Batch Buffer Start Address: 0x100000000",
                     b"the batch at 0x100000000 lies outside",
                     b"ALU Opcode: 128 (LOAD)", b"Operand 1: 32 (SRCA)", b"Operand 2: 1 (R1)",
                     b"Register Poll Mode: true",
                     b"Compare Operation: 4 (Equal)", b"MI opcode 0x3d", b"MI_BATCH_BUFFER_END"):
            self.assertIn(text, r.stdout)
        r = self.run_it("--device", "icl", "--engine", "vecs", self.file([0x14000002, 0, 0, 0]))
        self.assertIn(b"--engine rcs has it: MI_REPORT_PERF_COUNT", r.stdout)
        r = self.run_it("--device", "icl",
                        self.file([0x18C00101, 0x10, 0, 0x05000000, 0x02000000 >> 1, 0x05000000]))
        self.assertIn(b"enters the batch at 0x00000010", r.stdout)
        self.assertIn(b"back in the caller", r.stdout)

    def test_usage(self):
        path = self.file([0])
        for args, text in ((("--engine", "gpu", path), b"rcs, vcs, bcs or vecs"),
                           (("--device", "skl", path), b"pergola devices"),
                           (("--base", "3", path), b"multiple of 4"), (("--wat", path), b"--help"),
                           (("--engine",), b"needs a value"),
                           ((path, path), b"one file"), ((), b"usage")):
            r = self.run_it(*args)
            self.assertEqual(r.returncode, 2, args)
            self.assertIn(text, r.stderr)

    def test_help(self):
        r = self.run_it("--help")
        self.assertEqual(r.returncode, 0)
        self.assertIn(b"--json", r.stdout)

    def test_bad_files(self):
        r = self.run_it(os.path.join(self.dir.name, "nobody"))
        self.assertEqual(r.returncode, 1)
        self.assertIn(b"No such file", r.stderr)
        r = self.run_it(self.file(data=b""))
        self.assertEqual(r.returncode, 1)
        self.assertIn(b"the file is empty", r.stderr)
        r = self.run_it(self.file(data=struct.pack("<2I", 0x79110000, 9) + b"\1\2"))
        self.assertEqual(r.returncode, 0)
        self.assertIn(b"2 bytes after the last whole dword", r.stderr)
        r = self.run_it(self.dir.name)
        self.assertEqual(r.returncode, 1)

    def on_a_terminal(self, *args):
        """What a person sees, with a pager that marks what goes through it."""
        env = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
        env["PAGER"] = "sed s/^/PAGED:/"
        master, slave = pty.openpty()
        p = subprocess.Popen([PERGOLA, "decode", *args], stdout=slave, env=env)
        os.close(slave)
        out = b""
        while True:
            try:
                data = os.read(master, 65536)
            except OSError:
                break
            if not data:
                break
            out += data
        os.close(master)
        return p.wait(timeout=30), out

    def test_terminal(self):
        path = self.file([0x79110000, 9])
        code, out = self.on_a_terminal(path)
        self.assertEqual(code, 0)
        self.assertIn(b"PAGED:", out)
        self.assertIn(b"\033[", out)
        code, out = self.on_a_terminal("--no-color", "--no-pager", path)
        self.assertEqual(code, 0)
        self.assertNotIn(b"PAGED:", out)
        self.assertNotIn(b"\033[", out)
        self.assertIn(b"3DSTATE_MONOFILTER_SIZE", out)

    def test_random_files(self):
        seed = 20260101
        print("seed", seed, file=sys.stderr)
        rng = random.Random(seed)
        for _ in range(10):
            path = self.file(data=rng.randbytes(rng.randrange(4, 40000)))
            r = self.run_it("--all", path)
            self.assertIn(r.returncode, (0, 1))
            r = self.run_it("--all", "--json", path)
            self.assertIn(r.returncode, (0, 1))
            json.loads(r.stdout)


if __name__ == "__main__":
    main()
