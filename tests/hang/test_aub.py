"""AUB files that pergola writes: read by a parser that knows only the format, and run again."""
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
    return subprocess.run([PERGOLA, *args], capture_output=True, text=True, timeout=300)


def packets(data):
    """(header, words) of each packet, as readers of such files take them apart."""
    at = 0
    while at < len(data):
        head, = struct.unpack_from("<I", data, at)
        assert head >> 29 == 7, hex(head)
        words = (head & 0xffff) + 2
        if head >> 16 == 0xe0c1:  # what follows the header is counted by its size alone
            size, = struct.unpack_from("<I", data, at + 16)
            words += (size + 3) // 4
        yield head >> 16, struct.unpack_from(f"<{words}I", data, at)
        at += 4 * words
    assert at == len(data)


def block(what, address, data):
    return struct.pack("<5I", 0xe0c10003, what, 0, address,
                       len(data)) + data + bytes(-len(data) % 4)


def memory(address, *dwords):
    return block(0x0e01, address, struct.pack(f"<{len(dwords)}I", *dwords).ljust(4096, b"\0"))


def remark(text):
    return block(0, 0, f"Pergola: {text}".encode() + b"\0")


def page_hash(address, *dwords):
    """As src/hang/page_hash.h has it."""
    prime, mask = 0x9e3779b97f4a7c15, (1 << 64) - 1
    h = (address // 4096 + 1) * prime & mask
    for v, in struct.iter_unpack("<Q", struct.pack(f"<{len(dwords)}I", *dwords).ljust(4096, b"\0")):
        h = (h ^ v) * prime & mask
        h ^= h >> 32
    return h


PLACE = 0x300000
STORE = (0x10000002, 0, PLACE, 0x1234, zoo.BBE)
RING = block(0x202, 0xfff00000, struct.pack("<2I", 0x18800100, zoo.BATCH))


def left(*pages):
    return remark(f"memory 0x{sum(page_hash(*p) for p in pages) & (1 << 64) - 1:016x}")


class Aub(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.state, self.aub = (os.path.join(self.place.name, n) for n in ("state.txt", "file.aub"))

    def hang(self, name):
        h = next(h for h in zoo.walls() if h.name == name)
        script = os.path.join(self.place.name, "script.pex")
        with open(script, "w") as f:
            f.write(h.script)
        pergola("exec", "--script", "--error-state", self.state, script)
        return h

    def test_form(self):
        """Header with the PCI id, GTT entries, memory in blocks of at most 32 KiB, a ring that
        starts the batch."""
        self.hang("rcs: barrier that never fills")
        self.assertEqual(pergola("replay", "--to-aub", self.aub, self.state).returncode, 0)
        with open(self.aub, "rb") as f:
            all_packets = list(packets(f.read()))
        self.assertEqual(all_packets[0][0], 0xe085)
        self.assertEqual(all_packets[0][1][1], 4 << 24)
        comment = struct.pack(f"<{len(all_packets[0][1]) - 13}I", *all_packets[0][1][13:])
        self.assertTrue(comment.startswith(b"PCI-ID=0x166\0"), comment)
        blocks = [w for kind, w in all_packets[1:] if kind == 0xe0c1]
        self.assertEqual(len(blocks), len(all_packets) - 1)
        entries = [w for w in blocks if w[1] >> 16 == 4]
        self.assertEqual(entries[0][3:8], (0, 32768, 0x200003, 0x201003, 0x202003))
        memory = {w[3]: w[5:] for w in blocks if w[1] & 0xff == 1 and w[1] >> 16 == 0}
        self.assertTrue(all(len(w) <= 8192 for w in memory.values()))
        self.assertEqual(memory[zoo.BATCH][0], 0x69040002)  # PIPELINE_SELECT
        self.assertIn(zoo.KERNEL, memory)
        self.assertEqual([w[5:] for w in blocks if w[1] == 0x202], [(0x18800000, zoo.BATCH)])

    def test_hang_goes_through(self):
        """An error state, an AUB file of it, and the same threads at the same barrier."""
        for name in ("rcs: barrier that never fills", "rcs: media thread that waits",
                     "bcs: semaphore without signal"):
            h = self.hang(name)
            pergola("replay", "--to-aub", self.aub, self.state)
            first, again = pergola("replay", self.state), pergola("replay", self.aub)
            self.assertEqual(again.returncode, 3, again.stdout + again.stderr)
            self.assertIn("verdict: ring 1 does not end", again.stdout)
            # A ring that was captured begins elsewhere than that of a file.
            told = [set(re.findall(r"^  (?:thread: .*|[A-Z]+-\d+ .*)$",
                                   re.sub(r"ring \+ 0x\w+", "ring", r.stdout), re.M))
                    for r in (first, again)]
            self.assertEqual(told[0], told[1])
            for word in h.words:
                self.assertIn(word, again.stdout)

    def test_contexts_by_turns(self):
        """So many that the ring is filled several times, at any place of what a switch puts there:
        nothing of it is lost."""
        header = struct.pack("<13I", 0xe085000b, 4 << 24, *[0] * 11)
        data = header + memory(zoo.BATCH, 0, zoo.BBE)
        for n in range(400):
            ring = (0x18800100, zoo.BATCH, *[0] * (2 * (n * n % 7)))
            data += (remark(f"context 0x{1 + n % 3:016x}")
                     + block(0x202, 0xfff00000, struct.pack(f"<{len(ring)}I", *ring)))
        with open(self.aub, "wb") as f:
            f.write(data)
        r = pergola("replay", self.aub)
        self.assertEqual(r.returncode, 0, r.stdout + r.stderr)
        self.assertIn("what the model says:\n  no rule is broken\n\nverdict: 400 rings ran to "
                      "their end", r.stdout)

    def test_without_a_batch(self):
        h = states.Hang("rcs0", {"HEAD": 0, "TAIL": 8, "IPEHR": 0, "INSTDONE": 0xfffffffe},
                        [("ring", 0x10000, [0, 0], 4096)])
        with open(self.state, "w") as f:
            f.write(states.write(h, "6.1"))
        r = pergola("replay", "--to-aub", self.aub, self.state)
        self.assertEqual(r.returncode, 1)
        self.assertIn("no batch was captured", r.stderr)
        r = pergola("replay", "--to-aub", "/no/such/place", self.state)
        self.assertEqual(r.returncode, 2)
        self.assertIn("--to-aub '/no/such/place': No such file or directory", r.stderr)

    def test_goes_on_behind_a_recorded_hang(self):
        """A ring that is remarked as one that hung, then one that ends; and the same remark behind
        a ring that ends."""
        self.hang("rcs: barrier that never fills")
        pergola("replay", "--to-aub", self.aub, self.state)
        with open(self.aub, "rb") as f:
            data = f.read()
        text = b"Pergola: hung 0x0000000000000000\0\0\0\0"
        hung = struct.pack("<5I", 0xe0c10003, 0, 0, 0, len(text)) + text
        batch = struct.pack("<7I", 0xe0c10003, 0x0101, 0, zoo.BATCH, 8, 0, zoo.BBE)
        ring = struct.pack("<7I", 0xe0c10003, 0x202, 0, 0, 8, 0x18800000, zoo.BATCH)
        with open(self.aub, "wb") as f:
            f.write(data + hung + batch + ring)
        r = pergola("replay", self.aub)
        self.assertEqual(r.returncode, 0, r.stdout + r.stderr)
        self.assertIn("verdict: 1 ring ran to its end, 1 hangs as recorded; memory is as recorded, "
                      "0 times of 0", r.stdout)
        with open(self.aub, "wb") as f:
            f.write(data + hung + batch + ring + hung)
        r = pergola("replay", self.aub)
        self.assertEqual(r.returncode, 1, r.stdout + r.stderr)
        self.assertIn("after ring 2: a batch ends that hung when it was recorded", r.stderr)

    def test_what_the_host_writes_meanwhile(self):
        """A batch that starts itself until the host has put its end there; without remarks the
        memory is that of the next ring."""
        self.hang("rcs: batch that starts itself")
        pergola("replay", "--to-aub", self.aub, self.state)
        with open(self.aub, "rb") as f:
            data = f.read()
        batch = struct.pack("<7I", 0xe0c10003, 0x0e01, 0, zoo.BATCH, 8, 0, zoo.BBE)
        text = b"Pergola: objects\0\0\0\0"
        remark = struct.pack("<5I", 0xe0c10003, 0, 0, 0, len(text)) + text
        for more, verdict in ((remark, "verdict: 1 ring ran to its end"),
                              (b"", "verdict: ring 1 does not end")):
            with open(self.aub, "wb") as f:
                f.write(data + batch + more)
            self.assertIn(verdict, pergola("replay", "--budget", "20000000", self.aub).stdout)

    def test_cut_off(self):
        """What came before the end is replayed, and it is said; so are the packets of a file that
        ends at its header."""
        h = self.hang("rcs: barrier that never fills")
        pergola("replay", "--to-aub", self.aub, self.state)
        with open(self.aub, "rb") as f:
            data = f.read()
        with open(self.aub, "wb") as f:
            f.write(data + struct.pack("<5I", 0xe0c10003, 0x0101, 0, zoo.BATCH, 4096))
        for command, code in (("replay", 3), ("decode", 0)):
            r = pergola(command, self.aub)
            self.assertEqual(r.returncode, code, r.stderr)
            self.assertIn("The file is cut off; what came before is", r.stdout)
        for word in h.words:
            self.assertIn(word, pergola("replay", self.aub).stdout)
        with open(self.aub, "wb") as f:
            f.write(data[:60])
        r = pergola("replay", self.aub)
        self.assertEqual((r.returncode, r.stdout), (1, ""))
        self.assertIn("the file ends inside the packet at byte 0", r.stderr)

    def replay_file(self, *parts):
        """A file of these packets behind a header."""
        head = struct.pack("<2I32s3I16s", 0xe085000f, 4 << 24, b"test", 0, 0, 16, b"PCI-ID=0x166")
        with open(self.aub, "wb") as f:
            f.write(head + b"".join(parts))
        return pergola("replay", self.aub)

    def test_address_spaces(self):
        """A store where only another address space has a page; then the same batch in that one."""
        batch = (zoo.BATCH, *STORE)
        first = [remark("space 2"), memory(PLACE, 1), remark("space 1"), memory(*batch), RING,
                 remark("objects"), left((PLACE, 1), batch)]
        second = [remark("space 2"), memory(*batch), RING, remark(f"objects 0x{PLACE:x} 0x1000"),
                  left((PLACE, 0x1234), batch, batch)]
        r = self.replay_file(*first, *second)
        self.assertEqual(r.returncode, 0, r.stdout + r.stderr)
        self.assertIn("verdict: 2 rings ran to their end; memory is as recorded, 2 times of 2",
                      r.stdout)
        self.assertEqual(len(re.findall("RCS-054 .*0x00300000.*page fault on a write", r.stdout)),
                         1, r.stdout)
        # Without the spaces the first store finds the page.
        r = self.replay_file(*(p for p in first if b"space" not in p))
        self.assertIn("memory differs 1 of", r.stdout)

    def test_an_address_space_comes_back(self):
        """Two that have other memory at the same addresses, by turns."""
        batch = [(zoo.BATCH, 0x10000002, 0, PLACE, n, zoo.BBE) for n in (1, 2)]
        r = self.replay_file(remark("space 1"), memory(PLACE), memory(*batch[0]), RING,
                             remark(f"objects 0x{PLACE:x} 0x1000"), left((PLACE, 1), batch[0]),
                             remark("space 2"), memory(PLACE), memory(*batch[1]), RING,
                             remark(f"objects 0x{PLACE:x} 0x1000"),
                             left((PLACE, 1), batch[0], (PLACE, 2), batch[1]),
                             remark("space 1"), memory(PLACE, 1), memory(*batch[0]), RING,
                             remark(f"objects 0x{PLACE:x} 0x1000"),
                             left((PLACE, 1), batch[0], (PLACE, 2), batch[1]))
        self.assertIn("verdict: 3 rings ran to their end; memory is as recorded, 3 times of 3",
                      r.stdout)

    def test_memory_that_is_unbound(self):
        """A store where the program has taken the object away; and where it comes back, it is as
        the file says."""
        batch = (zoo.BATCH, *STORE)
        r = self.replay_file(remark("space 1"), memory(PLACE, 1), memory(*batch),
                             remark(f"unbound 0x{PLACE:x} 0x1000"), RING,
                             remark("objects"), left(batch), memory(PLACE + 4096, 7),
                             memory(PLACE, 5, 6), RING,
                             remark(f"objects 0x{PLACE:x} 0x1000"),
                             left(batch, (PLACE, 0x1234, 6), (PLACE + 4096, 7)))
        self.assertEqual(r.returncode, 0, r.stdout + r.stderr)
        self.assertIn("verdict: 2 rings ran to their end; memory is as recorded, 2 times of 2",
                      r.stdout)
        self.assertEqual(len(re.findall("RCS-054 .*page fault on a write", r.stdout)), 1, r.stdout)

    def test_kernels_that_are_gone_at_the_end(self):
        """A kernel is shown as it was when it was dispatched, though the file ends with nothing
        bound."""
        self.hang("rcs: barrier that never fills")
        pergola("replay", "--to-aub", self.aub, self.state)
        with open(self.aub, "rb") as f:
            data = f.read()
        with open(self.aub, "wb") as f:
            f.write(data + remark("hung 0") + remark(f"unbound 0x{zoo.KERNEL:x} 0x1000"))
        tree = pergola("decode", self.aub).stdout
        self.assertRegex(tree, rf"\nkernel at 0x{zoo.KERNEL:08x}, [1-9]\d* bytes:\n")
        self.assertIn("wait(1)", tree)

    def test_secure_batch_sees_its_address_space(self):
        """A batch that is started through the GGTT, in one address space and then in another."""
        secure = block(0x202, 0xfff00000, struct.pack("<2I", 0x18800000, zoo.BATCH))
        batch = [(zoo.BATCH, 0x10000002, 0, PLACE, n, zoo.BBE) for n in (1, 2)]
        r = self.replay_file(remark("space 1"), memory(PLACE), memory(*batch[0]), secure,
                             remark(f"objects 0x{PLACE:x} 0x1000"), left((PLACE, 1), batch[0]),
                             remark("space 2"), memory(PLACE), memory(*batch[1]), secure,
                             remark(f"objects 0x{PLACE:x} 0x1000"),
                             left((PLACE, 1), batch[0], (PLACE, 2), batch[1]))
        self.assertIn("verdict: 2 rings ran to their end; memory is as recorded, 2 times of 2",
                      r.stdout)

    def test_more_than_a_gigabyte(self):
        """Memory that is written again and again; only what is there at a time has to fit."""
        size, times = 32 << 20, 34
        head = struct.pack("<2I32s3I16s", 0xe085000f, 4 << 24, b"test", 0, 0, 16, b"PCI-ID=0x166")
        with open(self.aub, "wb") as f:
            f.write(head)
            for _ in range(times):
                f.write(struct.pack("<5I", 0xe0c10003, 0x0e01, 0, 0x1000000, size))
                f.seek(size, os.SEEK_CUR)  # a hole: zeros that take no room
            f.write(memory(PLACE, 1) + memory(zoo.BATCH, *STORE) + RING)
        r = pergola("replay", self.aub)
        self.assertEqual(r.returncode, 0, r.stdout[-500:] + r.stderr)
        self.assertIn("verdict: 1 ring ran to its end", r.stdout)

    def test_memory_that_differs_is_told(self):
        """A remark with another number, as if the recorded run had left other memory."""
        self.hang("rcs: batch that starts itself")
        pergola("replay", "--to-aub", self.aub, self.state)
        with open(self.aub, "rb") as f:
            data = f.read()
        batch = struct.pack("<7I", 0xe0c10003, 0x0101, 0, zoo.BATCH, 8, 0, zoo.BBE)  # it ends now
        ring = data.rindex(struct.pack("<2I", 0xe0c10003, 0x202))
        text = b"Pergola: memory 0x0123456789abcdef\0\0"
        remark = struct.pack("<5I", 0xe0c10003, 0, 0, 0, len(text)) + text
        with open(self.aub, "wb") as f:
            f.write(data[:ring] + batch + data[ring:] + remark)
        r = pergola("replay", self.aub)
        self.assertEqual(r.returncode, 3, r.stdout + r.stderr)
        self.assertIn("memory differs 1 of 1 times, first after ring 1", r.stdout)


if __name__ == "__main__":
    main()
