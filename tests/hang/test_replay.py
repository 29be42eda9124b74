"""pergola replay: hangs with a known cause, told from what a kernel would have kept of them."""
import gzip
import os
import subprocess
import tempfile
import unittest

import states
from proves import main

PERGOLA = os.environ["PERGOLA"]
RING, STATUS, BATCH = 0x10000, 0x20000, 0x01000000
MI_BATCH_END, MI_NOOP = 0x05000000, 0


def replay(text, *args, packed=False):
    data = text if isinstance(text, bytes) else text.encode()
    with tempfile.NamedTemporaryFile() as f:
        f.write(gzip.compress(data) if packed else data)
        f.flush()
        return subprocess.run([PERGOLA, "replay", *args, f.name], capture_output=True, text=True,
                              timeout=300)


def hang(batch, ipehr, acthd=BATCH, engine="rcs0", instdone=0xfffffffe, ring=None, memory=(),
         **more):
    start = 0x18800100  # MI_BATCH_BUFFER_START, PPGTT
    registers = {"START": RING, "HEAD": 8, "TAIL": 0x10, "CTL": 0x3001, "HWS": STATUS,
                 "ACTHD": acthd, "IPEHR": ipehr, "INSTDONE": instdone, "GFX_MODE": 0x200}
    registers.update(more)
    blocks = [("ring", RING, ring or [start, BATCH, 0, 0], 16384), ("status", STATUS, [0], 4096),
              *memory]
    if batch:
        blocks.insert(0, ("batch", BATCH, batch, 4096))
    return states.Hang(engine, registers, blocks)


# Compares RVSYNC with 5; no engine writes it any more.
SEMAPHORE = hang([MI_NOOP, 0x0b160001, 5, 0, MI_BATCH_END], 0x0b160001, BATCH + 4, SYNC_0=1,
                 SYNC_1=1)


class Replay(unittest.TestCase):
    def test_six_kernels_tell_the_same(self):
        """The text about the model is the same, whichever kernel wrote the state."""
        tails = set()
        for kernel in states.KERNELS:
            r = replay(states.write(SEMAPHORE, kernel), packed=kernel == "5.4")
            self.assertEqual(r.returncode, 0, r.stdout + r.stderr)
            self.assertIn(f"Linux {kernel}.0", r.stdout)
            self.assertIn("waits for RBSYNC", r.stdout)
            self.assertRegex(r.stdout, r"\nSYNC_1 +00000001 00000001\n")
            self.assertRegex(r.stdout, r"\nACTHD +01000004 01000004\n")
            self.assertIn("verdict: reproduced", r.stdout)
            tails.add(r.stdout[r.stdout.index("what the model says"):])
        self.assertEqual(len(tails), 1)

    def verdict(self, h, code, *words, args=()):
        r = replay(states.write(h, "6.1"), *args)
        self.assertEqual(r.returncode, code, r.stdout + r.stderr)
        for word in words:
            self.assertIn(word, r.stdout)
        return r.stdout

    def test_semaphore_that_is_signalled(self):
        h = hang([MI_NOOP, 0x0b160001, 5, 0, MI_BATCH_END], 0x0b160001, BATCH + 4, SYNC_0=9,
                 SYNC_1=9)
        self.verdict(h, 3, "not reproduced", "\nnext: look at timing")

    def test_call_that_was_taken_off_the_ring(self):
        """As Linux 6.1 does before it keeps the state: BBADDR says that the engine was in the
        batch."""
        batch = [MI_NOOP, 0x0b160001, 5, 0, MI_BATCH_END]
        more = {"BBADDR": BATCH + 5, "BB_STATE": 0x20}
        h = hang(batch, 0x0b160001, BATCH + 4, ring=[0, 0, 0, 0], **more)
        self.verdict(h, 0, "waits for RBSYNC", "reproduced")
        h = hang(batch, 0x0b160001, BATCH + 4, ring=[0, 0, 0, 0], **dict(more, BBADDR=BATCH))
        self.verdict(h, 3, "not reproduced")

    def test_endless_loop(self):
        self.verdict(hang([0x18800100, BATCH], 0x18800100), 0, "reproduced",
                     args=("--budget", "100000"))

    def test_batch_that_ends(self):
        self.verdict(hang([MI_NOOP, MI_BATCH_END], 0x7a000003), 3, "not reproduced")

    def test_lost_batch(self):
        h = hang(None, MI_NOOP, BATCH)
        h.registers["IPEHR"] = 0x7a000003
        self.verdict(h, 4, "undecidable", "0x01000000 (PPGTT)", "page fault",
                     "\nnext: give it a value by --fill")

    def test_batch_without_end_needs_what_follows(self):
        out = self.verdict(hang([MI_NOOP] * 1024, 0x7a000003, BATCH + 0x1000), 4,
                           "0x01001000 (PPGTT)")
        self.assertIn("memory that was wanted and not captured: 1 page", out)

    def test_writes_to_what_was_not_captured(self):
        """The model's fault is for want of the page: it is no difference."""
        batch = [0x10000002, 0, BATCH + 0x5000, 7, 0x0b160001, 5, 0, MI_BATCH_END]
        h = hang(batch, 0x0b160001, BATCH + 16, SYNC_0=1, SYNC_1=1, FAULT_REG=0)
        out = self.verdict(h, 0, "reproduced", "0x01005000 (PPGTT), written")
        self.assertRegex(out, "page fault on a write of 0x01005000.*; the page was not captured\n")
        self.assertRegex(out, r"\nFAULT_REG +00000000 0100500\w  for want of a captured page\n")
        # One that FAULT_REG names was not there on the GPU either.
        h = hang(batch, 0x0b160001, BATCH + 16, SYNC_0=1, SYNC_1=1, FAULT_REG=0x01005001)
        out = self.verdict(h, 0, "reproduced")
        self.assertNotIn("not captured", out)
        self.assertRegex(out, r"\nFAULT_REG +01005001 01005001\n")

    def test_nothing_is_said(self):
        self.verdict(hang([MI_NOOP, MI_BATCH_END], 0x7a000003), 3,
                     "what the model says:\n  no rule is broken\n")

    def test_fill(self):
        h = hang([MI_NOOP] * 1024, 0x7a000003, BATCH + 0x1000)
        self.verdict(h, 3, args=("--fill", "0x05000000"))

    def test_garbage_in_the_ring(self):
        h = hang([MI_NOOP], 0xdeadbeef, 0, ring=[0xdeadbeef, 0, 0, 0])
        out = self.verdict(h, 0, "reproduced")
        self.assertIn("captured: no command of this engine", out)

    def test_other_engines(self):
        semaphore = [MI_NOOP, 0x0b160001, 5, 0, MI_BATCH_END]
        for engine, name in (("vcs0", "video"), ("bcs0", "blitter")):
            h = hang(semaphore, 0x0b160001, BATCH + 4, engine=engine)
            self.verdict(h, 0, f"{name} engine", "reproduced")

    def test_other_gpus_are_told(self):
        text = states.write(SEMAPHORE, "6.1").replace("ecode 7:", "ecode 6:")
        self.assertIn("This is not a Gen7 GPU", replay(text).stdout)
        text = states.write(SEMAPHORE, "6.1").replace("PCI ID: 0x0166", "PCI ID: 0x0412")
        self.assertIn("No part with that PCI id is modelled", replay(text).stdout)
        self.assertNotIn("No part with that", replay(states.write(SEMAPHORE, "6.1")).stdout)

    def test_seqno(self):
        """New kernels keep it at 0x100 of the status page and do not print it; older ones print it,
        and keep it elsewhere."""
        for kernel, at, more in (("6.1", 0x40, {}), ("4.4", 0x30, {"seqno": 9}),
                                 ("3.8", 0x20, {"seqno": 9})):
            h = hang([MI_NOOP, 0x0b160001, 5, 0, MI_BATCH_END], 0x0b160001, BATCH + 4, **more)
            h.memory = [(k, a, [0] * at + [9], n) if k == "status" else (k, a, d, n)
                        for k, a, d, n in h.memory]
            r = replay(states.write(h, kernel))
            self.assertRegex(r.stdout, r"\nseqno +00000009 00000009\n")
        # A request that ends writes its own number.
        ring = [0x18800100, BATCH, 0x7a000003, 1 << 24 | 1 << 20 | 1 << 14, STATUS + 0x100 | 4, 10,
                0, 0]
        h = hang([MI_NOOP, MI_BATCH_END], 0x0b160001, ring=ring, TAIL=0x20)
        r = replay(states.write(h, "6.1"))
        self.assertRegex(r.stdout, r"\nseqno +00000000 0000000a  differs\n")

    def test_a_state_that_linux_wrote(self):
        """Linux 6.1 of Debian 12 in a guest, of tests/clients/vulkan/hang.c on this device; without
        the kernel's own batch."""
        path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "linux-6.1.txt")
        r = subprocess.run([PERGOLA, "replay", "--budget", "3000000", path], capture_output=True,
                           text=True, timeout=300)
        self.assertEqual(r.returncode, 0, r.stdout + r.stderr)
        for name, value in (("HEAD", "00000968"), ("ACTHD", "000a7130"), ("IPEHR", "71050009"),
                            ("INSTDONE", "fffdfffe"),
                            ("BBADDR", "000a7131"), ("seqno", "00000007")):
            self.assertRegex(r.stdout, rf"\n{name} +{value} {value}\n")
        self.assertRegex(r.stdout,
                         r"thread: GPGPU thread 0 \(0 of 1 in group 0, 0, 0\) .* kernel "
                         r"0x00025000, .*\n  thread:    runs; ")
        # the program's own buffer, which it did not ask to have captured
        self.assertIn("  0x00024000 (PPGTT), written\n", r.stdout)
        tree = subprocess.run([PERGOLA, "decode", "--no-pager",
                               path], capture_output=True, text=True, timeout=300).stdout
        self.assertIn("====> ACTHD 0x000a7130: the engine stands here\n0x000a7130:  0x71050009  "
                      "GPGPU_WALKER", tree)
        self.assertIn("\nkernel at 0x00025000, ", tree)

    def test_instructions_that_were_not_captured(self):
        """Threads wait for what is not there, at the captured command: that proves nothing, unless
        FAULT_REG names the page."""
        import zoo
        h = next(h for h in zoo.walls() if h.name == "rcs: kernel that is not there")
        with tempfile.TemporaryDirectory() as d:
            script, state = os.path.join(d, "script.pex"), os.path.join(d, "state.txt")
            with open(script, "w") as f:
                f.write(h.script)
            subprocess.run([PERGOLA, "exec", "--script", "--error-state", state, script],
                           capture_output=True, timeout=300)
            with open(state) as f:
                text = f.read()
        self.assertIn("\n  FAULT_REG: 0x20000801\n", text)
        self.assertEqual(replay(text).returncode, 0)
        r = replay(text.replace("FAULT_REG: 0x20000801", "FAULT_REG: 0x00000000"))
        self.assertEqual(r.returncode, 4, r.stdout)
        self.assertIn("  0x20000000 (GGTT)\n", r.stdout)

    def test_bad_files(self):
        for text, word in (("hello", "neither"), ("", "empty"),
                           ("no error state collected", "none was collected"),
                           ("rcs0 command stream:\n  HEAD: 0x0\n", "neither a ring nor a batch")):
            r = replay(text)
            self.assertEqual(r.returncode, 1)
            self.assertIn(word, r.stderr)
        self.assertEqual(subprocess.run([PERGOLA, "replay"], capture_output=True).returncode, 2)
        self.assertEqual(replay("x", "--fill", "lots").returncode, 2)
        self.assertEqual(replay("x", "--device", "tnt2").returncode, 2)

    def test_cut_off_anywhere(self):
        text = states.write(SEMAPHORE, "6.1").encode()
        for size in range(0, len(text), 97):
            r = replay(text[:size], "--budget", "10000")
            self.assertIn(r.returncode, (0, 1, 3, 4), size)


if __name__ == "__main__":
    main()
