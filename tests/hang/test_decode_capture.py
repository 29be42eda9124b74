"""pergola decode of what a hung GPU left behind: the state as a tree."""
import gzip
import os
import re
import struct
import subprocess
import tempfile
import unittest

import states
import zoo
from proves import main

PERGOLA = os.environ["PERGOLA"]


def pergola(*args):
    return subprocess.run([PERGOLA, *args], capture_output=True, text=True, timeout=120)


class Tree(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.state = os.path.join(self.place.name, "state.txt")

    def hang(self, name):
        h = next(h for h in zoo.walls() if h.name == name)
        script = os.path.join(self.place.name, "script.pex")
        with open(script, "w") as f:
            f.write(h.script)
        pergola("exec", "--script", "--error-state", self.state, script)

    def decode(self, path=None):
        r = pergola("decode", "--no-pager", path or self.state)
        self.assertEqual(r.returncode, 0, r.stderr)
        return r.stdout

    def test_tree_of_an_error_state(self):
        self.hang("rcs: barrier that never fills")
        tree = self.decode()
        for line in ("i915 error state, Linux 6.1.0-pergola x86_64, PCI id 0x0166\n",
                     "\nrender engine, hung, exec [1]\n",
                     "\n   IPEHR = 0x71050009: GPGPU_WALKER\n",
                     "\n   INSTDONE = 0xfffdfffe\n      busy: TSG\n      busy: Ring\n",
                     "\n      Ring Buffer Enable: true\n",
                     "\n   batch at 0x00100000, 4096 bytes:\n",
                     "\n====> ACTHD 0x0010005c: the engine stands here\n0x0010005c:  0x71050009  "
                     "GPGPU_WALKER (11 dwords)\n",
                     "\nkernel at 0x00200000, 96 bytes:\n",
                     "gateway MsgDesc: (barrier) mlen 1 rlen 0",
                     "\n   0x00200000      4096 user object of the render engine\n"):
            self.assertIn(line, tree)
        self.assertEqual(tree.count("the engine stands here"), 1)

    def test_place_in_the_ring(self):
        self.hang("vcs: garbage in the ring")
        tree = self.decode()
        self.assertIn("\nvideo engine, hung", tree)
        self.assertIn("\n====> ACTHD 0x00020000: the engine stands here\n", tree)
        # only who is busy would be listed
        self.assertRegex(tree, r"\n   DONE_REG = 0xffffffef\n   ERR_INT")
        self.assertIn("IPEHR = 0x30deadbe: no command of this engine", tree)

    def test_six_kernels(self):
        """The batch is shown alike, whichever kernel wrote the state."""
        registers = {"START": 0x10000, "HEAD": 8, "TAIL": 0x10, "CTL": 0x3001, "ACTHD": 0x1000004,
                     "IPEHR": 0x0b160001,
                     "INSTDONE": 0xfffffffe, "BBADDR": 0x1000005, "INSTPM": 0x200,
                     "FADDR": 0x1000040, "FAULT_REG": 0x12345803,
                     "SYNC_0": 7, "SYNC_1": 0xffffffff, "GFX_MODE": 0x2a00, "PP_DIR_BASE": 0x260000}
        memory = [("batch", 0x1000000, [0, 0x0b160001, 5, 0, 0x05000000], 4096),
                  ("ring", 0x10000, [0x18800100, 0x1000000], 16384),
                  ("status", 0x20000, [1, 2, 3], 4096)]
        shown = set()
        for kernel in states.KERNELS:
            with gzip.open(self.state, "wt") if kernel == "5.4" else open(self.state, "w") as f:
                f.write(states.write(states.Hang("rcs0", registers, memory), kernel))
            tree = self.decode()
            self.assertIn(f"Linux {kernel}.0", tree)
            for name, value in registers.items():  # read back as they were written
                self.assertRegex(tree, rf"\n   {name} = 0x{value:08x}(:.*)?\n")
            for word, (_, address, _, size) in zip(("batch", "ring", "status page"), memory):
                self.assertIn(f"\n   0x{address:08x} {size:9} {word} of the render engine\n", tree)
            begin = tree.index("   batch at 0x01000000")
            shown.add(tree[begin:tree.index("MI_BATCH_BUFFER_END", begin)])
        self.assertEqual(len(shown), 1)
        self.assertIn("ACTHD 0x01000004: the engine stands here\n0x01000004:  0x0b160001  "
                      "MI_SEMAPHORE_MBOX", shown.pop())

    def test_tree_of_an_aub_file(self):
        self.hang("rcs: barrier that never fills")
        aub = os.path.join(self.place.name, "file.aub")
        pergola("replay", "--to-aub", aub, self.state)
        tree = self.decode(aub)
        for line in ("AUB, PCI id 0x0166\n", "MI_BATCH_BUFFER_START", "\n   batch at 0x00100000:\n",
                     "GPGPU_WALKER (11 dwords)", "\nkernel at 0x00200000, 96 bytes:\n"):
            self.assertIn(line, tree)

    def hang_dump(self, version, blocks, calls):
        """As Mesa's tool writes it: a header, buffers, an object without its bytes, and where the
        batch begins."""
        properties = struct.pack("<6I", 1, 2, 3, 4, 5, 0) if version > 1 else b""
        out = struct.pack("<2IQ2I", 1, 0, 0x4245012345676463, version, 0)
        for address, data in blocks.items():
            out += struct.pack("<2I", 2,
                               0) + properties + struct.pack("<64s2Q", b"buffer", address,
                                                             len(data)) + data
        out += struct.pack("<2I", 3, 0) + properties + struct.pack("<64s2Q", b"map", 0x500000, 8192)
        out += struct.pack("<2IQ", 4, 0, calls)
        path = os.path.join(self.place.name, "dump")
        with open(path, "wb") as f:
            f.write(out)
        return path

    def test_tree_of_a_hang_dump(self):
        """A first batch that starts another one, in a buffer of its own, whose threads wait at a
        barrier."""
        h = next(h for h in zoo.walls() if h.name == "rcs: barrier that never fills")
        written = re.findall(r"^write 0x(\w+) (.*)$", h.script, re.M)
        blocks = {int(a, 16): states.contents([int(w, 0) for w in words.split()], 4096)
                  for a, words in written}
        first = zoo.BATCH - 0x10000
        blocks[first] = states.contents([0, zoo.BBS | 1 << 8, zoo.BATCH], 4096)
        for version in (1, 2):
            path = self.hang_dump(version, blocks, first)
            tree = self.decode(path)
            self.assertTrue(tree.startswith("hang dump\n"), tree[:200])
            for line in (f"\n   batch at 0x{first:08x}:\n0x{first:08x}:  0x00000000  MI_NOOP",
                         f"\n   batch at 0x{zoo.BATCH:08x}:\n0x{zoo.BATCH:08x}:  0x69040002  "
                         f"PIPELINE_SELECT",
                         "GPGPU_WALKER (11 dwords)", "\nkernel at 0x00200000, 96 bytes:\n",
                         "gateway MsgDesc: (barrier)",
                         f"\nmemory: {len(blocks)} blocks, {4096 * len(blocks)} bytes\n",
                         f"\n   0x{zoo.KERNEL:08x}      4096 memory\n",
                         "\n   0x00500000      8192 bound, not captured\n"):
                self.assertIn(line, tree)
            replay = pergola("replay", path)
            self.assertEqual(replay.returncode, 0, replay.stdout + replay.stderr)
            for word in ("barrier 0: 3 of 4 messages have come",
                         "verdict: reproduced: the model hangs; the file does not say where"):
                self.assertIn(word, replay.stdout)
        lost = self.decode(self.hang_dump(2, {first: blocks[first]}, first))
        self.assertIn(f"\n   batch at 0x{zoo.BATCH:08x}: not captured\n", lost)
        with open(path, "rb") as f:
            whole = f.read()
        with open(path, "wb") as f:
            f.write(whole[:-20])
        r = pergola("decode", path)
        self.assertEqual(r.returncode, 1)
        self.assertIn("the file ends inside the block", r.stderr)

    def test_place_in_a_batch_that_another_starts(self):
        """The engine stands in an object that is no batch of its own."""
        second = 0x1800000
        registers = {"START": 0x10000, "HEAD": 8, "TAIL": 0x10, "CTL": 0x3001, "ACTHD": second + 4,
                     "IPEHR": 0x0b160001,
                     "INSTDONE": 0xfffffffe, "BBADDR": second + 5, "GFX_MODE": 0x200}
        memory = [("batch", 0x1000000, [0, 0x18800100, second], 4096),
                  ("user", second, [0, 0x0b160001, 5, 0, zoo.BBE], 4096),
                  ("ring", 0x10000, [0x18800100, 0x1000000], 16384)]
        with open(self.state, "w") as f:
            f.write(states.write(states.Hang("rcs0", registers, memory), "6.1"))
        tree = self.decode()
        self.assertEqual(tree.count(f"====> ACTHD 0x{second + 4:08x}: the engine stands here\n"
                                    f"0x{second + 4:08x}:  0x0b160001  MI_SEMAPHORE_MBOX"), 1)
        self.assertEqual(tree.count("\n   batch at 0x"), 2)

    def test_a_surface_is_listed(self):
        """A kernel reads a buffer, and waits for ever."""
        # SURFTYPE_BUFFER, RAW
        surface = [4 << 29 | 0x1ff << 18, 0x400000, 0x3f0000 | 0x7f, 0, 0, 0, 0, 0]
        read = "mov(8) g10<1>UD 0UD { align1 WE_all 1Q };\n" \
               "send(8) g20<1>UW g10<8,8,1>UD 0x02116e00 data MsgDesc: mlen 1 rlen 1 " \
               "{ align1 WE_all 1Q };\n"
        script = zoo.compute(read + zoo.WAIT + zoo.END)
        script = (f"write 0x{zoo.STATE:x} 0x2000\nwrite 0x{zoo.STATE + 0x2000:x} "
                  f"{zoo.hexes(surface)}\nwrite 0x400000 1 2 3\n"
                  + script + "run 100000\n")
        path = os.path.join(self.place.name, "script.pex")
        with open(path, "w") as f:
            f.write(script)
        pergola("exec", "--script", "--error-state", self.state, path)
        self.assertIn("\nsurface, state at 0x00302000: buffer RAW at 0x00400000, ", self.decode())

    def test_bad_files(self):
        for text, word in (("no error state collected", "none was collected"),
                           ("PCI ID: 0x0166\n", "none was collected")):
            with open(self.state, "w") as f:
                f.write(text)
            r = pergola("decode", self.state)
            self.assertEqual(r.returncode, 1)
            self.assertIn(word, r.stderr)


if __name__ == "__main__":
    main()
