"""pergola device, message by message, with no virtual machine: the peer is ours, and often
hostile."""
import errno
import os
import random
import re
import signal
import socket
import struct
import subprocess
import tempfile
import time
import unittest

import client as vu
from client import Client, Closed, Event, Memory, Refused
from proves import main

PERGOLA = os.environ["PERGOLA"]
GUEST = 0x100000  # where the guest's memory lies, also in the GGTT
SIZE = 0x100000
RING, BATCH, CELL = 0x1000, 0x4000, 0x8000
NEVER = 60  # seconds: a thing that should come has not


class Server(unittest.TestCase):
    part = "ivb-gt2"

    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        cls.path = os.path.join(cls.directory.name, "socket")
        cls.log = open(os.path.join(cls.directory.name, "log"), "w+")
        cls.process = subprocess.Popen([PERGOLA, "device", "--socket", cls.path, "--device",
                                        cls.part, "--stats"],
                                       stderr=cls.log)
        deadline = time.monotonic() + NEVER
        while not os.path.exists(cls.path):
            assert cls.process.poll() is None and time.monotonic() < deadline
            time.sleep(0.01)

    @classmethod
    def tearDownClass(cls):
        cls.process.send_signal(signal.SIGTERM)
        status = cls.process.wait(timeout=NEVER)
        cls.log.seek(0)
        log = cls.log.read()
        cls.log.close()
        assert status == 0, (status, log)
        cls.directory.cleanup()

    def setUp(self):
        self.client = Client(self.path)
        self.memory = Memory(SIZE)

    def tearDown(self):
        self.client.close()
        self.memory.close()
        self.assertIsNone(self.process.poll(), "the server has ended")

    def reconnect(self, **arguments):
        self.client.close()
        self.client = Client(self.path, **arguments)
        return self.client

    # A guest whose memory lies at the same place in the GGTT, with a ring that runs.
    def boot(self):
        c = self.client
        c.dma_map(GUEST, SIZE, self.memory.fd)
        c.write_multi([(vu.BAR0, 0x200000 + 4 * ((GUEST + at) >> 12),
                        struct.pack("<I", GUEST + at | 1))
                       for at in range(0, SIZE, 4096)])
        c.set_reg(0x2038, GUEST + RING)
        c.set_reg(0x203c, 1)

    def submit(self, words):
        self.memory.dwords(RING, words + [0] * (len(words) & 1))
        self.client.set_reg(0x2030, 4 * (len(words) + (len(words) & 1)))

    def wait_for(self, value):
        deadline = time.monotonic() + NEVER
        while self.memory.dword(CELL) != value:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.001)

    def enable_interrupts(self):
        c = self.client
        c.set_reg(0x20a8, ~1 & 0xffffffff)
        c.set_reg(0x44014, ~1 & 0xffffffff)
        c.set_reg(0x4401c, 1)
        c.set_reg(0x4400c, 1 << 31)


class Messages(Server):
    def test_version(self):
        self.assertEqual(self.client.version, (0, 0))
        self.assertTrue(self.client.capabilities["write_multiple"])
        self.assertNotIn("write_multiple", self.reconnect(capabilities={}).capabilities)
        with self.assertRaises(Refused) as e:
            self.client.write_multi([(vu.BAR0, 0, b"1234")], posted=False)
        self.assertEqual(e.exception.errno, errno.ENOTSUP)
        with self.assertRaises(Refused):
            self.reconnect(version=False).call(vu.VERSION, struct.pack("<HH", 1, 0))
        with self.assertRaises(Refused):
            self.reconnect(version=False).call(vu.VERSION, struct.pack("<HH", 0, 0) + b"{no end")

    def test_nothing_before_the_version(self):
        c = self.reconnect(version=False)
        c.send(vu.GET_INFO, bytes(16))
        with self.assertRaises(Closed):
            c.receive()

    def test_device_and_regions(self):
        c = self.client
        self.assertEqual(c.info(), (16, 3, 9, 5))
        self.assertEqual(c.region_info(vu.BAR0), (3, 0x400000))
        self.assertEqual(c.region_info(vu.BAR2), (3, 0x10000000))
        self.assertEqual(c.region_info(vu.BAR4), (3, 0x40))
        self.assertEqual(c.region_info(vu.CONFIG), (3, 0x100))
        for absent in (1, 3, 5, 6, 8):
            self.assertEqual(c.region_info(absent), (0, 0))
        self.assertEqual(c.irq_info(vu.INTX), (7, 1))
        self.assertEqual(c.irq_info(vu.MSI), (9, 1))
        self.assertEqual(c.irq_info(2), (0, 0))
        for command, bad in ((vu.GET_REGION_INFO, struct.pack("<IIIIQQ", 32, 0, 9, 0, 0, 0)),
                             (vu.GET_REGION_INFO, b""), (vu.GET_INFO, b"123"),
                             (vu.GET_IRQ_INFO, struct.pack("<IIII", 16, 0, 5, 0)), (99, b""),
                             (6, bytes(16))):
            with self.assertRaises(Refused):
                c.call(command, bad)

    def test_configuration_space(self):
        c = self.client
        config = c.read(vu.CONFIG, 0, 256)
        self.assertEqual(struct.unpack_from("<HH", config), (0x8086, 0x0166))
        for offset in range(0, 256, 4):
            self.assertEqual(c.read(vu.CONFIG, offset, 4), config[offset:offset + 4])
        c.write(vu.CONFIG, 0x3c, b"\x0b")
        self.assertEqual(c.read(vu.CONFIG, 0x3c, 1), b"\x0b")
        c.write(vu.CONFIG, 0x10, b"\xff" * 8)
        self.assertEqual(c.read(vu.CONFIG, 0x10, 8), b"\x04\0\xc0\xff\xff\xff\xff\xff")

    def test_configuration_space_as_the_command_shows_it(self):
        text = subprocess.run([PERGOLA, "pci", "--device", self.part,
                               "--dump"], capture_output=True, text=True, check=True).stdout
        shown = b"".join(bytes.fromhex(line.split(": ")[1])
                         for line in text.splitlines() if re.match(r"[0-9a-f]+0: ", line))
        self.client.reset()
        self.assertEqual(self.client.read(vu.CONFIG, 0, len(shown)), shown)

    def test_accesses_of_every_size(self):
        c = self.client
        entry = 0x200000 + 4 * 1000
        c.write(vu.BAR0, entry, bytes(range(16)))
        for size in (4, 8, 16):
            self.assertEqual(c.read(vu.BAR0, entry, size), bytes(range(size)))
        c.write_multi([(vu.BAR0, entry + 4 * i, struct.pack("<I", i)) for i in range(4)],
                      posted=False)
        self.assertEqual(struct.unpack("<4I", c.read(vu.BAR0, entry, 16)), (0, 1, 2, 3))
        c.write(vu.BAR4, 0, struct.pack("<I", entry))
        c.write(vu.CONFIG, 4, b"\x07")
        self.assertEqual(c.read(vu.BAR4, 4, 4), struct.pack("<I", 0))
        c.write(vu.BAR4, 0, struct.pack("<I", entry + 8))
        self.assertEqual(c.read(vu.BAR4, 4, 4), struct.pack("<I", 2))

    def test_accesses_outside(self):
        c = self.client
        for region, offset, count in ((0, 0x400000, 4), (0, 0x3ffffe, 4), (2, 0x10000000, 1),
                                      (7, 0xfd, 4),
                                      (9, 0, 4), (1, 0, 4), (0, 2 ** 64 - 4, 8), (0, 0, 0x100001),
                                      (2, 0xffffff0, 0x20), (0xffffffff, 0, 4)):
            with self.assertRaises(Refused):
                c.call(vu.REGION_READ, struct.pack("<QII", offset, region, count))
            with self.assertRaises(Refused):
                c.call(vu.REGION_WRITE,
                       struct.pack("<QII", offset, region, min(count, 64)) + bytes(min(count, 64))
                       if count <= 64 else struct.pack("<QII", offset, region, count) + bytes(64))
        with self.assertRaises(Refused):  # more than the message holds
            c.call(vu.REGION_WRITE, struct.pack("<QII", 0, 0, 64) + bytes(8))
        with self.assertRaises(Refused):
            c.call(vu.WRITE_MULTI, struct.pack("<Q", 2 ** 60))
        self.assertEqual(c.read(vu.CONFIG, 0, 2), b"\x86\x80")

    def test_reset(self):
        c = self.client
        c.write(vu.CONFIG, 4, b"\x06\0")
        c.set_reg(0x2038, GUEST)
        c.set_reg(0x200000 + 4 * 77, 0x77001)
        self.assertEqual(c.reg(0x2038), GUEST)
        c.reset()
        self.assertEqual(c.reg(0x2038), 0)
        self.assertEqual(c.read(vu.CONFIG, 4, 2), b"\0\0")
        self.assertEqual(c.reg(0x200000 + 4 * 77), 0x77001)


class Work(Server):
    def test_a_ring_writes_the_guests_memory(self):
        self.boot()
        self.submit([0x10400002, 0, GUEST + CELL, 0x1234])
        self.wait_for(0x1234)
        self.assertEqual(self.client.read(vu.BAR2, GUEST + CELL, 4), struct.pack("<I", 0x1234))
        self.client.write(vu.BAR2, GUEST + CELL, b"\1\2\3\4\5\6")
        self.assertEqual(self.memory.map[CELL:CELL + 6], b"\1\2\3\4\5\6")

    def test_message_interrupts(self):
        self.boot()
        self.enable_interrupts()
        event = Event()
        self.client.set_irq(vu.MSI, vu.DATA_EVENTFD | vu.TRIGGER, fds=[event.fd])
        for _ in range(3):
            self.client.set_reg(0x2030, 0)
            self.client.set_reg(0x2034, 0)
            self.submit([0x01000000, 0])
            self.assertEqual(event.count(NEVER), 1)
            self.client.set_reg(0x44018, 1)
            self.assertEqual(self.client.reg(0x44018), 0)
        self.client.set_irq(vu.MSI, vu.DATA_NONE | vu.TRIGGER, count=0)
        self.submit([0x01000000, 0])
        self.assertEqual(event.count(0.1), 0)
        event.close()

    def test_line_interrupts_mask_themselves(self):
        self.boot()
        self.enable_interrupts()
        event = Event()
        self.client.set_irq(vu.INTX, vu.DATA_EVENTFD | vu.TRIGGER, fds=[event.fd])
        self.submit([0x01000000, 0])
        self.assertEqual(event.count(NEVER), 1)
        self.assertEqual(event.count(0.1), 0)  # masked, though the line is high
        self.client.set_irq(vu.INTX, vu.DATA_NONE | vu.UNMASK)
        self.assertEqual(event.count(NEVER), 1)  # still high: raised again
        self.client.set_reg(0x44018, 1)
        self.assertEqual(self.client.reg(0x44018), 0)
        time.sleep(0.05)
        self.client.set_irq(vu.INTX, vu.DATA_BOOL | vu.UNMASK, data=b"\1")
        self.assertEqual(event.count(0.1), 0)
        event.close()

    def test_no_line_interrupt_is_lost(self):
        """A guest's handler: QEMU unmasks the line at its first access, while it is high still, or
        the line rises again before it is unmasked. Each request stores its number and interrupts:
        as long as it is not there one must come."""
        self.boot()
        self.enable_interrupts()
        c, event = self.client, Event()
        c.set_irq(vu.INTX, vu.DATA_EVENTFD | vu.TRIGGER, fds=[event.fd])

        def request(i):
            at = 32 * i % 4096
            self.memory.dwords(RING + at, [0x10400002, 0, GUEST + CELL, i + 1, 0x01000000, 0, 0, 0])
            c.set_reg(0x2030, (at + 32) % 4096)

        request(0)
        for i in range(300):
            done = False
            while not done:
                self.assertEqual(event.count(NEVER), 1, i)  # masked until it is served
                if i % 3 == 0:
                    c.set_irq(vu.INTX, vu.DATA_NONE | vu.UNMASK)
                c.set_reg(0x44018, c.reg(0x44018))
                done = self.memory.dword(CELL) == i + 1
                if done:
                    request(i + 1)
                deadline = time.monotonic() + NEVER
                while done and i % 3 == 2 and not c.reg(0x44018):
                    self.assertLess(time.monotonic(), deadline)
                if i % 3:
                    c.set_irq(vu.INTX, vu.DATA_NONE | vu.UNMASK)
        event.close()

    def test_a_line_that_is_switched_off_is_silent(self):
        self.boot()
        self.enable_interrupts()
        event = Event()
        command = struct.unpack("<H", self.client.read(vu.CONFIG, 4, 2))[0]
        self.client.write(vu.CONFIG, 4, struct.pack("<H", command | 0x400))
        self.client.set_irq(vu.INTX, vu.DATA_EVENTFD | vu.TRIGGER, fds=[event.fd])
        self.submit([0x01000000, 0])
        while not self.client.reg(0x44018):
            time.sleep(0.01)
        self.client.set_irq(vu.INTX, vu.DATA_NONE | vu.UNMASK)  # not raised by this either
        self.assertEqual(event.count(0.1), 0)
        self.client.write(vu.CONFIG, 4, struct.pack("<H", command))
        self.assertEqual(event.count(NEVER), 1)  # what is still high
        event.close()

    def test_wrong_interrupt_messages(self):
        c = self.client
        event = Event()
        for index, flags, count, start, fds in ((9, 0x24, 1, 0, 1), (0, 0x24, 2, 0, 1),
                                                (0, 0x24, 1, 1, 1),
                                                (0, 0x27, 1, 0, 0), (0, 0x38, 1, 0, 0),
                                                (1, 0x0c, 1, 0, 0),
                                                (0, 0x24, 1, 0, 3), (0, 0x22, 1, 0, 0),
                                                (2, 0x24, 1, 0, 1),
                                                (0, 0, 1, 0, 0), (0, 0xffffffff, 0xffffffff, 0, 0)):
            with self.assertRaises(Refused):
                c.set_irq(index, flags, count, start, [event.fd] * fds)
        event.close()

    def test_the_next_client_is_not_told_of_the_last_one_s_line(self):
        """The runner's thread tells of a change later; a device that stands still tells nothing
        until it runs on."""
        for index in (vu.INTX, vu.MSI) * 10:
            self.boot()
            self.enable_interrupts()
            self.submit([0x01000000, 0])
            deadline = time.monotonic() + NEVER
            while not self.client.reg(0x44018):
                self.assertLess(time.monotonic(), deadline)
            self.client.set_state(vu.STOP)
            event = Event()
            self.reconnect().set_irq(index, vu.DATA_EVENTFD | vu.TRIGGER, fds=[event.fd])
            self.assertEqual(event.count(0.02), 0)
            event.close()

    def test_a_read_never_waits_for_a_batch(self):
        self.boot()
        self.memory.dwords(BATCH, [0x18800000, GUEST + BATCH])
        self.submit([0x18800000, GUEST + BATCH])
        first = self.client.reg(0x2358)
        for _ in range(20):
            self.assertEqual(self.client.reg(0x2030), 8)
        deadline = time.monotonic() + NEVER
        while self.client.reg(0x2358) == first:  # a turn may not have begun yet
            self.assertLess(time.monotonic(), deadline)
        self.assertEqual(self.client.reg(0x2030), 8)  # and the batch has no end

    def test_time_goes_on_while_it_is_idle(self):
        first = self.client.reg(0x2358)
        deadline = time.monotonic() + NEVER
        while (self.client.reg(0x2358) - first) * 80 < 20000000:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.005)


class GuestMemory(Server):
    def refused(self, error, *arguments, **named):
        with self.assertRaises(Refused) as e:
            self.client.dma_map(*arguments, **named)
        self.assertEqual(e.exception.errno, error)

    def test_wrong_maps(self):
        fd = self.memory.fd
        self.client.dma_map(GUEST, SIZE, fd)
        self.refused(errno.EEXIST, GUEST, SIZE, fd)
        self.refused(errno.EEXIST, GUEST + SIZE - 4096, 8192, fd)
        self.refused(errno.EINVAL, 1, 4096, fd)
        self.refused(errno.EINVAL, 0, 1, fd)
        self.refused(errno.EINVAL, 0, 0, fd)
        self.refused(errno.EINVAL, 1 << 32, SIZE + 4096, fd)  # past the end of the file
        self.refused(errno.EINVAL, 0, 4096, fd, offset=SIZE)
        self.refused(errno.EINVAL, 0, 4096, fd, offset=100)
        self.refused(errno.EINVAL, 0, 4096, fd, offset=2 ** 64 - 4096)
        self.refused(errno.EINVAL, 2 ** 64 - 4096, 8192, fd)
        self.refused(errno.EINVAL, 1 << 40, 4096, fd)  # 40 bits of address
        self.refused(errno.EINVAL, 0, 4096, fd, flags=0x10)
        reader, writer = os.pipe()
        self.refused(errno.EINVAL, 0, 4096, reader)
        os.close(reader)
        os.close(writer)
        for address, size in ((GUEST, 4096), (GUEST + 4096, SIZE), (0, 4096)):
            with self.assertRaises(Refused) as e:
                self.client.dma_unmap(address, size)
            self.assertEqual(e.exception.errno, errno.ENOENT)
        self.client.dma_unmap(GUEST, SIZE)
        self.client.dma_map(GUEST, SIZE, fd)

    def test_memory_that_may_only_be_read(self):
        self.client.dma_map(GUEST, SIZE, self.memory.fd, flags=1)
        self.memory.dwords(0, [0x55])
        self.client.set_reg(0x200000, GUEST | 1)
        self.assertEqual(self.client.read(vu.BAR2, 0, 4), b"\x55\0\0\0")
        self.client.write(vu.BAR2, 0, b"\xaa\0\0\0")
        self.assertEqual(self.memory.dword(0), 0x55)

    def test_many_maps(self):
        for i in range(256):
            self.client.dma_map(i << 12, 4096, self.memory.fd)
        self.refused(errno.ENOSPC, 256 << 12, 4096, self.memory.fd)
        for i in range(256):
            self.client.dma_unmap(i << 12, 4096)

    def test_all_maps_go_at_once(self):
        c = self.client
        c.dma_map(0, 4096)
        c.dma_map(GUEST, SIZE, self.memory.fd)
        for flags, address, size, error in ((2, GUEST, SIZE, errno.EINVAL),
                                            (2, 0, 4096, errno.EINVAL),
                                            (1, GUEST, SIZE, errno.ENOTSUP),
                                            (3, 0, 0, errno.ENOTSUP),
                                            (4, GUEST, SIZE, errno.ENOTSUP)):
            with self.assertRaises(Refused) as e:
                c.dma_unmap(address, size, flags)
            self.assertEqual(e.exception.errno, error)
        self.refused(errno.EEXIST, GUEST, SIZE, self.memory.fd)  # both are still there
        self.refused(errno.EEXIST, 0, 4096, self.memory.fd)
        c.dma_unmap(0, 0, 2)
        c.dma_map(0, GUEST + SIZE)
        c.dma_unmap(0, 0, 2)
        c.dma_unmap(0, 0, 2)  # of none

    def test_a_file_that_becomes_shorter(self):
        self.boot()
        os.ftruncate(self.memory.fd, 0)
        self.assertEqual(self.client.read(vu.BAR2, GUEST + CELL, 4), bytes(4))
        self.client.write(vu.BAR2, GUEST + CELL, b"1234")
        self.client.set_reg(0x2030, 64)
        self.assertEqual(self.client.reg(0x2030) & 0x1ff, 64)
        os.ftruncate(self.memory.fd, SIZE)
        self.reconnect()  # what was wrong with its predecessor has been said when it is answered
        with open(self.log.name) as f:
            self.assertRegex(f.read(),
                             r"a file of the client's memory became shorter while it was mapped; "
                             r"pages taken as empty: \d")

    def test_a_long_file_that_becomes_shorter(self):
        """A process's memory may have some 65,000 pieces (vm.max_map_count); every other page would
        be two of them."""
        pages, first = 40000, 1 << 28
        memory = Memory(2 * pages << 12)
        self.client.dma_map(first, memory.size, memory.fd)
        for at in range(0, pages, 1000):
            self.client.write_multi([(vu.BAR0, 0x200000 + 4 * i,
                                      struct.pack("<I", first + (2 * i << 12) | 1))
                                     for i in range(at, at + 1000)])
        os.ftruncate(memory.fd, 0)
        # from its end, so that none is lost with the one before
        for at in range(pages - 1000, -1, -1000):
            self.client.write_multi([(vu.BAR2, i << 12, struct.pack("<I", i))
                                     for i in range(at + 999, at - 1, -1)])
        for i in (0, 1, 20000, pages - 1):
            self.assertEqual(self.client.read(vu.BAR2, i << 12, 8), struct.pack("<II", i, 0))
        memory.close()

    def test_a_file_of_huge_pages(self):
        size = 2 << 20
        try:
            memory = Memory(size, os.MFD_HUGETLB | os.MFD_HUGE_2MB)
        except OSError:
            self.skipTest("no huge pages (vm.nr_hugepages)")
        c = self.client
        self.refused(errno.EINVAL, GUEST, 4096, memory.fd)  # they come and go whole
        self.refused(errno.EINVAL, GUEST, size, memory.fd, offset=4096)
        for _ in range(3):  # each is given back
            c.dma_map(GUEST, size, memory.fd)
            c.dma_unmap(GUEST, size)
        c.dma_map(GUEST, size, memory.fd)
        memory.dwords(CELL, [0x1234])
        c.set_reg(0x200000 + 4 * ((GUEST + CELL) >> 12), GUEST + CELL | 1)
        self.assertEqual(c.read(vu.BAR2, GUEST + CELL, 4), struct.pack("<I", 0x1234))
        os.ftruncate(memory.fd, 0)
        c.write(vu.BAR2, GUEST + CELL, b"1234")
        self.assertEqual(c.read(vu.BAR2, GUEST + CELL, 8), b"1234\0\0\0\0")
        c.dma_unmap(GUEST, size)
        memory.close()

    def test_memory_that_goes_while_a_batch_runs(self):
        self.boot()
        self.memory.dwords(BATCH, [0x10400002, 0, GUEST + CELL, 7, 0x18800000, GUEST + BATCH])
        self.submit([0x18800000, GUEST + BATCH])
        self.wait_for(7)
        self.client.dma_unmap(GUEST, SIZE)
        self.memory.dwords(CELL, [1])
        time.sleep(0.05)
        self.assertEqual(self.memory.dword(CELL), 1)


class Unreachable(Server):
    def said(self):
        with open(self.log.name) as f:
            return f.read()

    # There would be messages for it, which are not sent; QEMU maps its ROMs so, and never leads the
    # device there.
    def test_memory_without_a_file_cannot_be_reached(self):
        c = self.client
        c.dma_map(0xc0000, 0x20000)
        for address, size in ((0xc0000, 0x20000), (0xdf000, 4096)):
            with self.assertRaises(Refused) as e:
                c.dma_map(address, size, self.memory.fd)
            self.assertEqual(e.exception.errno, errno.EEXIST)
        for page, address in enumerate((0xdf000, 0xc0000, 0xe0000)):
            c.set_reg(0x200000 + 4 * page, address | 1)
        self.assertEqual(c.read(vu.BAR2, 0, 4), bytes(4))
        c.write(vu.BAR2, 0x1000, b"lost")
        self.assertEqual(c.read(vu.BAR2, 0x1000, 4), bytes(4))
        self.assertEqual(c.read(vu.BAR2, 0x2000, 4), bytes(4))
        for access, why in (("read of 0x00000000", "to memory that the host does not share"),
                            ("write of 0x00001000", "to memory that the host does not share"),
                            ("read of 0x00002000", "outside physical memory")):
            self.assertIn(f"page fault on a {access}: the page table entry points {why}\n",
                          self.said())
        c.dma_unmap(0xc0000, 0x20000)
        c.dma_map(0xc0000, 0x20000, self.memory.fd)  # and now with one
        self.memory.dwords(0x1f000, [0x55])
        self.assertEqual(c.read(vu.BAR2, 0, 4), b"\x55\0\0\0")

    def test_memory_without_a_file_that_has_no_address_here(self):
        for address in (1 << 40, (1 << 40) - 4096, 1 << 63):
            self.client.dma_map(address, 8192)
            self.client.dma_unmap(address, 8192)


class Hostile(Server):
    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def gone(self, data, fds=()):
        """What is no message ends the connection."""
        self.client.send_raw(data, fds)
        with self.assertRaises(Closed):
            while True:
                self.client.receive()
        self.reconnect()

    def test_what_is_no_message(self):
        self.gone(struct.pack("<HHIII", 1, vu.GET_INFO, 15, 0, 0))
        self.gone(struct.pack("<HHIII", 1, vu.GET_INFO, 0, 0, 0))
        self.gone(struct.pack("<HHIII", 1, vu.GET_INFO, 0xffffffff, 0, 0))
        self.gone(struct.pack("<HHIII", 1, vu.GET_INFO, 16, vu.REPLY, 0))

    def test_a_peer_that_dies(self):
        for cut in (1, 8, 15, 16, 20, 40):
            self.client.send_raw(struct.pack("<HHIII", 1, vu.DMA_MAP, 48, 0, 0)[:cut]
                                 + bytes(max(0, cut - 16)))
            self.reconnect()
        self.boot()
        self.memory.dwords(BATCH, [0x18800000, GUEST + BATCH])
        self.submit([0x18800000, GUEST + BATCH])
        self.reconnect()
        self.assertEqual(self.client.reg(0x2030), 0)  # the next one finds it at rest

    def test_descriptors_do_not_pile_up(self):
        before = self.descriptors()
        event = Event()
        for _ in range(50):
            # that nobody asked for
            self.client.call(vu.GET_INFO, struct.pack("<IIII", 16, 0, 0, 0), [event.fd] * 4)
            self.client.set_irq(vu.MSI, vu.DATA_EVENTFD | vu.TRIGGER, fds=[event.fd])
            with self.assertRaises(Refused):
                self.client.call(vu.DMA_MAP, b"", [event.fd] * 8)
        self.assertLessEqual(self.descriptors(), before + 1)
        self.reconnect()
        self.assertLessEqual(self.descriptors(), before)
        event.close()

    def test_many_messages_in_one_piece(self):
        block = b"".join(struct.pack("<HHIIIQII", i, vu.REGION_READ, 32, 0, 0, 0, vu.CONFIG, 4)
                         for i in range(2000))
        self.client.send_raw(block)
        for i in range(2000):
            number, _, data = self.client.receive()
            self.assertEqual((number, data[16:20]), (i, b"\x86\x80\x66\x01"))

    def test_a_refusal_is_the_only_answer(self):
        """Also where the answers before it have just been sent."""
        good = struct.pack("<QII", 0, vu.CONFIG, 64)
        block = b"".join(struct.pack("<HHIII", i, vu.REGION_READ, 32, 0, 0) + good
                         for i in range(2000))
        bad = struct.pack("<HHIIIQII", 2000, vu.REGION_READ, 32, 0, 0, 0x400000, vu.BAR0, 4)
        for count in range(676, 690):  # 64 KiB of answers, of 96 bytes each, are sent together
            self.client.send_raw(block[:32 * count] + bad + block[:32])
            for i in range(count):
                self.assertEqual(self.client.receive()[0], i)
            with self.assertRaises(Refused):
                self.client.receive()
            self.assertEqual(self.client.receive()[0], 0)

    def test_a_peer_that_stops_reading(self):
        block = b"".join(struct.pack("<HHIIIQII", i, vu.REGION_READ, 32, 0, 0, 0, vu.CONFIG, 256)
                         for i in range(200))
        self.client.socket.settimeout(2)
        with self.assertRaises(TimeoutError):  # the server waits for room, and takes no more
            while True:
                self.client.socket.sendall(block)
        self.reconnect()
        self.assertEqual(self.client.read(vu.CONFIG, 0, 2), b"\x86\x80")

    def test_random_messages(self):
        seed = int(os.environ.get("PERGOLA_SEED", "1"))
        print("# seed", seed)
        r = random.Random(seed)
        event = Event()
        for _ in range(600):
            command = r.choice([0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 15, 16, 17, 18,
                                r.randrange(65536)])
            words = [r.choice([0, 1, 2, 4, 7, 8, 16, 20, 24, 32, 4096, 0x100000, 0xffffffff,
                               r.getrandbits(32)])
                     for _ in range(r.randrange(12))]
            data = struct.pack(f"<{len(words)}I", *words)
            fds = [r.choice([event.fd, self.memory.fd])] * r.choice([0, 0, 0, 1, 2])
            try:
                self.client.call(command, data, fds)
            except Refused:
                pass
            except (Closed, BrokenPipeError):
                self.reconnect()
        event.close()
        self.reconnect()
        self.assertEqual(self.client.read(vu.CONFIG, 0, 2), b"\x86\x80")


class Ending(Server):
    def test_a_client_does_not_hold_a_server_that_is_asked_to_end(self):
        """Silent, or with answers that it does not read; the descriptor is shut, so no moment is a
        wrong one."""
        block = b"".join(struct.pack("<HHIIIQII", i, vu.REGION_READ, 32, 0, 0, 0, vu.CONFIG, 256)
                         for i in range(200))
        for full in (False, True):
            with tempfile.TemporaryDirectory() as d:
                path = os.path.join(d, "socket")
                with subprocess.Popen([PERGOLA, "device", "--socket", path],
                                      stderr=subprocess.DEVNULL) as server:
                    with Client(path) as c:
                        c.socket.settimeout(1)
                        with self.assertRaises(TimeoutError):
                            while True:
                                c.socket.sendall(block) if full else c.receive()
                        server.send_signal(signal.SIGTERM)
                        self.assertEqual(server.wait(NEVER), 0)


class Options(unittest.TestCase):
    def run_device(self, *options):
        return subprocess.run([PERGOLA, "device", *options], capture_output=True, text=True,
                              check=False, timeout=NEVER)

    def test_help(self):
        r = self.run_device("--help")
        self.assertEqual((r.returncode, r.stderr), (0, ""))
        for option in ("--socket", "--device", "--check", "--report", "--trace", "--power-gating",
                       "--slow", "--stats", "--once"):
            self.assertIn(f"\n  {option} ", r.stdout)

    def test_what_is_wrong_is_said(self):
        with tempfile.TemporaryDirectory() as d:
            path = os.path.join(d, "socket")
            for options, says in ((["--check", "maybe"],
                                   "--check is off, report or stop, not 'maybe'"),
                                  (["--trace", "nonsense"], "not 'nonsense'"),
                                  (["--slow", "0"], "not '0'"),
                                  (["--device", "voodoo2"], "voodoo2"),
                                  (["more"], "'more' is one word too many")):
                r = self.run_device("--socket", path, *options)
                self.assertEqual(r.returncode, 2, options)
                self.assertIn(says, r.stderr)
            self.assertEqual(self.run_device().returncode, 2)  # no socket
            with open(path, "w") as f:
                f.write("a file, and no socket")
            r = self.run_device("--socket", path)
            self.assertEqual(r.returncode, 1)
            self.assertIn("Address already in use", r.stderr)
            with open(path) as f:
                self.assertEqual(f.read(), "a file, and no socket")
            self.assertEqual(self.run_device("--socket", os.path.join(d, "x" * 200)).returncode, 1)

    def test_a_socket_that_was_left_behind_is_replaced_and_one_in_use_is_not(self):
        with tempfile.TemporaryDirectory() as d:
            path = os.path.join(d, "socket")
            with socket.socket(socket.AF_UNIX) as left:
                left.bind(path)
            with subprocess.Popen([PERGOLA, "device", "--socket", path],
                                  stderr=subprocess.DEVNULL) as server:
                with Client(path) as c:
                    self.assertEqual(self.run_device("--socket", path).returncode, 1)
                    self.assertEqual(c.read(vu.CONFIG, 0, 2), b"\x86\x80")
                server.send_signal(signal.SIGTERM)
                self.assertEqual(server.wait(NEVER), 0)

    def test_one_client_traced_and_counted(self):
        with tempfile.TemporaryDirectory() as d:
            path = os.path.join(d, "socket")
            command = [PERGOLA, "device", "--socket", path, "--once", "--stats", "--trace", "mmio",
                       "--check", "off"]
            with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
                with Client(path) as c:
                    c.set_reg(0x2038, GUEST)
                    self.assertEqual(c.reg(0x2038), GUEST)
                said = server.communicate(timeout=NEVER)[1]
                self.assertEqual(server.returncode, 0)
            self.assertIn("RCS_RING_BUFFER_START", said)
            self.assertIn("pergola: clients 1, messages 3 (refused 0), reads 1, writes 1, through "
                          "the aperture 0 and 0", said)
            self.assertFalse(os.path.exists(path))


class Migration(Server):
    def refused(self, what, *arguments):
        with self.assertRaises(Refused) as e:
            what(*arguments)
        return e.exception.errno

    def test_features(self):
        c = self.client
        self.assertEqual(c.feature(vu.GET | vu.MIGRATION), struct.pack("<Q", 1))  # STOP_COPY
        for probe in (vu.MIGRATION, vu.DEVICE_STATE, vu.GET | vu.MIGRATION,
                      vu.SET | vu.DEVICE_STATE):
            self.assertEqual(c.feature(vu.PROBE | probe), b"")
        self.assertEqual(c.feature(vu.PROBE | vu.GET | vu.SET | vu.DEVICE_STATE), b"")
        self.assertEqual(c.state(), vu.RUNNING)
        self.assertEqual(self.refused(c.feature, vu.GET | 3), errno.ENOTTY)
        for flags in (vu.SET | vu.MIGRATION, vu.PROBE | vu.SET | vu.MIGRATION,
                      vu.GET | vu.SET | vu.DEVICE_STATE,
                      vu.DEVICE_STATE, vu.GET | vu.DEVICE_STATE | 1 << 19):
            self.assertEqual(self.refused(c.feature, flags, bytes(8)), errno.EINVAL)
        self.assertEqual(self.refused(c.feature, vu.GET | vu.MIGRATION, b"", 15), errno.EINVAL)
        self.assertEqual(self.refused(c.feature, vu.SET | vu.DEVICE_STATE, bytes(4), 16),
                         errno.EINVAL)
        for state in (vu.STATE_ERROR, vu.RUNNING_P2P, 6, 0xffffffff):
            self.assertEqual(self.refused(c.set_state, state), errno.EINVAL)
        self.assertEqual(c.state(), vu.RUNNING)

    def test_data_in_its_state_only(self):
        c = self.client
        for state in (vu.RUNNING, vu.STOP, vu.RESUMING):
            c.set_state(state)
            self.assertEqual(self.refused(c.read_state), errno.EINVAL)
        c.reset()  # nothing has been written, and that is no state
        for state in (vu.STOP_COPY, vu.STOP, vu.RUNNING):
            c.set_state(state)
            self.assertEqual(self.refused(c.write_state, b"x"), errno.EINVAL)
        c.set_state(vu.STOP_COPY)
        for argsz, size in ((7, 0), (8, 1), (0xffffffff, 0x100001), (16, 0xffffffff)):
            self.assertEqual(self.refused(c.call, vu.MIG_DATA_READ,
                                          struct.pack("<II", argsz, size)), errno.EINVAL)

    # A batch waits for a word in memory. Its device is saved and forgotten; another goes on with
    # it.
    def test_a_wait_goes_on_elsewhere(self):
        self.boot()
        go = CELL + 64
        self.submit([0x0b500001, 8, GUEST + go, 0x10400002, 0, GUEST + CELL + 4, 0x600d, 0x10400002,
                     0, GUEST + CELL, 1])
        c = self.client
        c.set_state(vu.STOP_COPY)
        tail, head = c.reg(0x2030), c.reg(0x2034)
        data = c.read_state(5000)
        self.assertEqual(c.read_state(), b"")
        c = self.reconnect()
        self.assertEqual(c.reg(0x2030), 0)  # at rest
        c.dma_map(GUEST, SIZE, self.memory.fd)
        c.set_state(vu.RESUMING)
        c.write_state(data, 70001)
        c.set_state(vu.STOP)
        self.assertEqual((c.reg(0x2030), c.reg(0x2034)), (tail, head))
        self.memory.dwords(go, [9])
        time.sleep(0.05)
        self.assertEqual(self.memory.dword(CELL), 0)  # it stands still
        c.set_state(vu.RUNNING)
        self.wait_for(1)
        self.assertEqual(self.memory.dword(CELL + 4), 0x600d)

    def test_an_interrupt_that_waits_goes_along(self):
        self.boot()
        self.enable_interrupts()
        self.submit([0x01000000, 0])
        c = self.client
        deadline = time.monotonic() + NEVER
        while not c.reg(0x44018):
            self.assertLess(time.monotonic(), deadline)
        c.set_state(vu.STOP_COPY)
        data = c.read_state()
        for index in (vu.INTX, vu.MSI):
            c = self.reconnect()
            event = Event()
            c.set_irq(index, vu.DATA_EVENTFD | vu.TRIGGER, fds=[event.fd])
            self.assertEqual(event.count(0.1), 0)  # at rest
            c.set_state(vu.RESUMING)
            c.write_state(data)
            c.set_state(vu.RUNNING)
            self.assertEqual(c.reg(0x44018), 1)
            self.assertEqual(event.count(NEVER), 1, index)
            event.close()

    def test_what_is_no_state(self):
        c = self.client
        c.set_state(vu.STOP_COPY)
        good = c.read_state()
        for bad in (b"", b"nonsense", good[:-1], good + b"x",
                    good[:100] + bytes([good[100] ^ 1]) + good[101:]):
            c.reset()
            c.set_state(vu.RESUMING)
            c.write_state(bad)
            self.assertEqual(self.refused(c.set_state, vu.RUNNING), errno.EINVAL)
            self.assertEqual(c.state(), vu.STATE_ERROR)
            self.assertEqual(self.refused(c.set_state, vu.STOP), errno.EINVAL)
        c.reset()
        self.assertEqual(c.state(), vu.RUNNING)
        c.set_state(vu.RESUMING)
        for _ in range(64):
            c.write_state(bytes(1 << 20), 1 << 20)
        self.assertEqual(self.refused(c.write_state, b"x"), errno.EFBIG)
        self.assertEqual(self.reconnect().state(), vu.RUNNING)


class Valleyview(Server):
    part = "vlv"

    def test_its_configuration(self):
        self.assertEqual(self.client.region_info(vu.BAR0), (3, 0x400000))
        self.assertEqual(self.client.region_info(vu.BAR4), (3, 8))
        self.assertEqual(self.client.read(vu.CONFIG, 2, 2), b"\x31\x0f")
        self.client.set_reg(0x2038, GUEST)
        self.client.reset()
        self.assertEqual(self.client.reg(0x2038), 0)


if __name__ == "__main__":
    main()
