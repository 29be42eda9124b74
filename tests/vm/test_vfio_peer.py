"""pergola device and what a peer may get wrong: sizes, flags, descriptors, order, and when it
goes."""
import errno
import os
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
from test_vfio_user import BATCH, CELL, GUEST, NEVER, PERGOLA, RING, SIZE, Server

# Each message that is right, with the least data that it may have: command, data.
RIGHT = [(vu.DMA_MAP, struct.pack("<IIQQQ", 32, 3, 0, 0, 4096)),
         (vu.DMA_UNMAP, struct.pack("<IIQQ", 24, 0, 0, 4096)),
         (vu.GET_INFO, struct.pack("<IIII", 16, 0, 0, 0)),
         (vu.GET_REGION_INFO, struct.pack("<IIIIQQ", 32, 0, 0, 0, 0, 0)),
         (vu.GET_IRQ_INFO, struct.pack("<IIII", 16, 0, 0, 0)),
         (vu.SET_IRQS, struct.pack("<IIIII", 20, 33, 0, 0, 0)),
         (vu.REGION_READ, struct.pack("<QII", 0, vu.CONFIG, 4)),
         (vu.REGION_WRITE, struct.pack("<QII", 0x3c, vu.CONFIG, 1) + b"\0"),
         (vu.WRITE_MULTI, struct.pack("<QQII8s", 1, 0x3c, vu.CONFIG, 1, b"")),
         (vu.FEATURE, struct.pack("<II", 16, vu.GET | vu.MIGRATION)),
         (vu.FEATURE, struct.pack("<IIIi", 16, vu.SET | vu.DEVICE_STATE, vu.STOP_COPY, -1)),
         (vu.MIG_DATA_READ, struct.pack("<II", 12, 4)), (vu.RESET, b""),
         (vu.FEATURE, struct.pack("<IIIi", 16, vu.SET | vu.DEVICE_STATE, vu.RESUMING, -1)),
         (vu.MIG_DATA_WRITE, struct.pack("<II", 9, 1) + b"x"), (vu.RESET, b"")]


class Peer(Server):
    def error(self, what, *arguments, **named):
        """0 where it is not refused."""
        try:
            what(*arguments, **named)
        except Refused as e:
            return e.errno
        return 0


class Sizes(Peer):
    def test_every_message_in_every_length(self):
        """What is too short for its message is refused, and changes nothing: the last length is
        right."""
        for command, data in RIGHT:
            for size in range(len(data)):
                self.assertEqual(self.error(self.client.call, command, data[:size]), errno.EINVAL,
                                 (command, size))
            self.client.call(command, data)
            self.assertEqual(self.error(self.client.call, command, data + bytes(1000))
                             if command in (vu.GET_INFO, vu.REGION_READ) else 0, 0)

    def test_no_answer_where_none_is_wanted(self):
        """Right or wrong, the version too; what must answer does nothing."""
        c = self.reconnect(version=False)
        c.send(vu.VERSION, struct.pack("<HH", 0, 0), flags=vu.NO_REPLY)
        for command, data in RIGHT + [(99, b""), (vu.VERSION, struct.pack("<HH", 0, 0))]:
            for part in (data[:-1], data):
                c.send(command, part, flags=vu.NO_REPLY)
        self.assertEqual(c.read(vu.CONFIG, 0, 2), b"\x86\x80")

    def test_room_for_the_answer(self):
        for command, data, least in ((vu.GET_INFO, bytes(12), 16),
                                     (vu.GET_REGION_INFO, bytes(28), 32),
                                     (vu.GET_IRQ_INFO, bytes(12), 16)):
            for room in (0, least - 1):
                self.assertEqual(self.error(self.client.call, command,
                                            struct.pack("<I", room) + data), errno.EINVAL)
            for room in (least, 0xffffffff):
                self.assertEqual(struct.unpack_from("<I",
                                                    self.client.call(command,
                                                                     struct.pack("<I", room)
                                                                     + data)), (least,))
        self.client.dma_map(0, 4096)
        self.assertEqual(self.error(self.client.call, vu.DMA_UNMAP,
                                    struct.pack("<IIQQ", 23, 0, 0, 4096)), errno.EINVAL)
        self.client.dma_unmap(0, 4096)  # still there

    def test_accesses_of_nothing_and_across_ends(self):
        c = self.client
        for region, size in ((vu.BAR0, 0x400000), (vu.BAR2, 0x10000000), (vu.BAR4, 0x40),
                             (vu.CONFIG, 0x100)):
            for offset in (0, 1, size - 1, size):
                self.assertEqual(c.read(region, offset, 0), b"")
                c.write(region, offset, b"")
                c.write_multi([(region, offset, b"")], posted=False)
            for offset, count in ((size, 1), (size + 1, 0), (size - 1, 2), (size - 3, 4),
                                  (size - 7, 8), (2 ** 64 - 1, 1), (2 ** 64 - 1, 0),
                                  (2 ** 32, 4), (0, 2 ** 32 - 1), (1, 2 ** 32 - 1)):
                self.assertEqual(self.error(c.call, vu.REGION_READ,
                                            struct.pack("<QII", offset, region, count)),
                                 errno.EINVAL)
                data = bytes(min(count, 8))
                self.assertEqual(self.error(c.call, vu.REGION_WRITE,
                                            struct.pack("<QII", offset, region, count) + data),
                                 errno.EINVAL)
                self.assertEqual(self.error(c.call, vu.WRITE_MULTI,
                                            struct.pack("<QQII8s", 1, offset, region, count, data)),
                                 errno.EINVAL)
        self.assertEqual(self.error(c.call, vu.WRITE_MULTI,
                                    struct.pack("<QQII8s", 1, 0, vu.CONFIG, 9, b"")), errno.EINVAL)

    def test_accesses_at_odd_places(self):
        """In parts of their natural size; every byte is its own."""
        c, entry = self.client, 0x200000 + 4 * 512
        c.write(vu.BAR0, entry, bytes(range(1, 33)))
        whole = c.read(vu.BAR0, entry, 32)
        config = c.read(vu.CONFIG, 0, 32)
        for offset in range(9):
            for count in (1, 2, 3, 5, 7, 8, 13, 23):
                self.assertEqual(c.read(vu.BAR0, entry + offset, count),
                                 whole[offset:offset + count])
                self.assertEqual(c.read(vu.CONFIG, offset, count), config[offset:offset + count])

    def test_a_list_of_writes_ends_at_the_first_wrong_one(self):
        c, entry = self.client, 0x200000 + 4 * 512
        c.write(vu.BAR0, entry, bytes(12))
        self.assertEqual(self.error(c.write_multi,
                                    [(vu.BAR0, entry, b"\1\0\0\0"),
                                     (vu.BAR0, 0x400000, b"\1\0\0\0"),
                                     (vu.BAR0, entry + 8, b"\1\0\0\0")], posted=False),
                         errno.EINVAL)
        self.assertEqual(c.read(vu.BAR0, entry, 12), b"\1" + bytes(11))
        for count, given in ((2, 1), (2 ** 64 - 1, 1), (2 ** 61 + 1, 1), (1, 0)):
            self.assertEqual(self.error(c.call, vu.WRITE_MULTI,
                                        struct.pack("<Q", count) + bytes(24 * given)), errno.EINVAL)


class Beginning(Peer):
    def version(self, text, size=None):
        data = struct.pack("<HH", 0, 0) + text
        return self.error(self.reconnect(version=False).call, vu.VERSION, data if size is None
                          else data[:size])

    def test_what_a_peer_says_of_itself(self):
        for text in (b"", b"\0", b" \0", b"{}\0", b"{ }\n\0", b'{"capabilities":{}}\0',
                     b'{"a":[],"b":[1,-2.5e+3,0.1,"\\u00e9\\n",null,[true]]}\0',
                     b'{"capabilities":{"write_multiple":false,"max_msg_fds":8,'
                     b'"migration":{"pgsize":4096}}}\0',
                     b'{"capabilities":' + b'{"a":' * 15 + b"1" + b"}" * 16 + b"\0"):
            self.assertEqual(self.version(text), 0, text)
            self.assertEqual(self.error(self.client.write_multi, [], posted=False), errno.ENOTSUP,
                             text)
        for text in (b'{"capabilities":{"write_multiple":true}}\0',
                     b' { "x" : {} ,\t"capabilities" : {"a":"\\"",'
                     b'"write_multiple" :\n true } } \0'):
            self.assertEqual(self.version(text), 0, text)
            self.client.write_multi([], posted=False)
        # The word alone, in a string, as another's, or twice: the last one counts.
        for text in (b'{"write_multiple":true}\0', b'{"x":"\\"write_multiple\\":true"}\0',
                     b'{"x":{"write_multiple":true}}\0',
                     b'{"capabilities":{"x":{"write_multiple":true}}}\0',
                     b'{"capabilities":{"write_multiple":true,"write_multiple":false}}\0'):
            self.assertEqual(self.version(text), 0, text)
            self.assertEqual(self.error(self.client.write_multi, [], posted=False), errno.ENOTSUP,
                             text)

    def test_what_is_no_such_text(self):
        for text in (b"nonsense\0", b"{\0", b"}\0", b"{]\0", b"[]\0", b"1\0", b'""\0', b"null\0",
                     b"{}{}\0", b"{},\0", b'{"a"}\0', b'{"a":}\0', b'{"a":1,}\0',
                     b'{,}\0', b'{a:1}\0', b'{"a":1 "b":2}\0', b'{"a":[1,]}\0', b'{"a":[1}\0',
                     b'{"a":tru}\0', b'{"a":truely}\0', b'{"a":nul}\0', b'{"a":-}\0',
                     b'{"a":1.}\0', b'{"a":.5}\0', b'{"a":1e}\0', b'{"a":0x1}\0', b'{"a":"\\x"}\0',
                     b'{"a":"\\u12g4"}\0', b'{"a":"\\\0', b'{"a":"\n"}\0', b'{"a":"\0',
                     b'{"capabilities":1}\0', b'{"capabilities":[]}\0',
                     b'{"capabilities":"write_multiple"}\0', b'{"capabilities":true}\0',
                     b'{"capabilities":{"write_multiple":"true"}}\0',
                     b'{"capabilities":{"write_multiple":1}}\0',
                     b'{"capabilities":{"write_multiple":{}}}\0',
                     b'{"capabilities":' + b'{"a":' * 16 + b"1" + b"}" * 17 + b"\0",
                     b'{"a":' + b"[" * 1000000 + b"\0", b"{}", b"{}\0\0", b"{}\0x\0"):
            self.assertEqual(self.version(text), errno.EINVAL, text[:80])
        for size in range(4):
            self.assertEqual(self.version(b"", size), errno.EINVAL)

    def test_once_and_first(self):
        self.assertEqual(self.error(self.client.call, vu.VERSION, struct.pack("<HH", 0, 0)),
                         errno.EINVAL)
        self.assertEqual(self.client.read(vu.CONFIG, 0, 2), b"\x86\x80")
        for command, data in RIGHT:
            c = self.reconnect(version=False)
            c.send(command, data, flags=vu.NO_REPLY)
            with self.assertRaises(Closed):
                c.receive()
        c = self.reconnect(version=False)
        # and once more, right
        self.assertEqual(self.error(c.call, vu.VERSION, b"{}"), errno.EINVAL)
        self.assertEqual(c.call(vu.VERSION, struct.pack("<HH", 0, 7))[:4], bytes(4))

    def test_answers_to_what_was_not_asked(self):
        """The server asks nothing, DMA_READ and DMA_WRITE least of all; and there is no third kind
        of message."""
        for command in (11, 12, vu.GET_INFO, 0xffff):
            for kind in range(1, 16):
                self.client.send(command, struct.pack("<QQ", 0, 4096) + bytes(4096),
                                 flags=kind | vu.ERROR * (kind & 1))
                with self.assertRaises(Closed):
                    self.client.receive()
                self.reconnect()
        for command in (0, 6, 11, 12, 14, 19, 0xffff):
            self.assertEqual(self.error(self.client.call, command,
                                        struct.pack("<QQ", 0, 4096) + bytes(4096)), errno.ENOTSUP)

    def test_a_second_peer_waits(self):
        with Client(self.path, version=False) as second:
            second.send(vu.VERSION, struct.pack("<HH", 0, 0))
            second.socket.settimeout(0.3)
            with self.assertRaises(TimeoutError):
                second.receive()
            self.client.set_reg(0x2038, GUEST)
            self.assertEqual(self.client.reg(0x2038), GUEST)
            self.client.close()
            second.socket.settimeout(NEVER)
            self.assertEqual(second.receive()[1], vu.VERSION)
            self.assertEqual(second.reg(0x2038), 0)  # it finds the device at rest
        self.reconnect()


class Descriptors(Peer):
    def setUp(self):
        super().setUp()
        self.opened = []
        self.made = tempfile.TemporaryDirectory()
        path = os.path.join(self.made.name, "file")
        with open(path, "wb") as f:
            f.write(b"x" * 8192)
        self.file = path
        self.other = {"directory": self.open(self.made.name, os.O_RDONLY),
                      "path alone": self.open(path, os.O_PATH),
                      "device": self.open("/dev/zero", os.O_RDWR),
                      "null": self.open("/dev/null", os.O_RDWR), "event": os.eventfd(0),
                      "unmapped": self.open("/proc/self/maps", os.O_RDONLY)}
        self.opened += [self.other["event"], *os.pipe(), *(s.detach() for s in socket.socketpair())]
        self.other["pipe"], self.other["its other end"], self.other["socket"] = self.opened[-4:-1]

    def tearDown(self):
        for fd in self.opened:
            os.close(fd)
        self.made.cleanup()
        super().tearDown()

    def open(self, path, flags):
        self.opened.append(os.open(path, flags))
        return self.opened[-1]

    def test_what_is_no_memory(self):
        for name, fd in self.other.items():
            for flags in (1, 3):
                error = self.error(self.client.dma_map, 0, 4096, fd, flags=flags)
                self.assertIn(error, (errno.EBADF,) if name == "path alone" else (errno.EINVAL,),
                              name)
        for flags in (0, 2, 4, 7, 0x80000001):
            self.assertEqual(self.error(self.client.dma_map, 0, 4096, self.memory.fd, flags=flags),
                             errno.EINVAL)
        data = struct.pack("<IIQQQ", 32, 3, 0, 0, 4096)
        self.assertEqual(self.error(self.client.call, vu.DMA_MAP, data, [self.memory.fd] * 2),
                         errno.EINVAL)
        self.client.dma_map(0, 4096, self.memory.fd)  # none of them is there

    def test_a_file_that_may_not_be_written(self):
        read, write = self.open(self.file, os.O_RDONLY), self.open(self.file, os.O_WRONLY)
        self.assertEqual(self.error(self.client.dma_map, GUEST, 8192, read), errno.EACCES)
        self.assertEqual(self.error(self.client.dma_map, GUEST, 8192, write, flags=1), errno.EACCES)
        self.client.dma_map(GUEST, 8192, read, flags=1)
        self.client.set_reg(0x200000, GUEST | 1)
        self.client.write(vu.BAR2, 0, b"lost")
        self.assertEqual(self.client.read(vu.BAR2, 0, 4), b"xxxx")

    def test_a_ring_in_memory_that_may_only_be_read(self):
        """It runs, and what it would write is lost."""
        self.client.dma_map(GUEST, SIZE, self.memory.fd, flags=1)
        self.client.write_multi([(vu.BAR0, 0x200000 + 4 * (GUEST + at >> 12),
                                  struct.pack("<I", GUEST + at | 1))
                                 for at in range(0, SIZE, 4096)])
        self.client.set_reg(0x2038, GUEST + RING)
        self.client.set_reg(0x203c, 1)
        self.submit([0x10400002, 0, GUEST + CELL, 7])
        deadline = time.monotonic() + NEVER
        while self.client.reg(0x2034) & 0x1ffffc != 16:
            self.assertLess(time.monotonic(), deadline)
        self.assertEqual(self.memory.dword(CELL), 0)

    def test_maps_that_lie_on_another(self):
        for fd in (None, self.memory.fd):
            self.client.dma_map(0x10000, 0x4000, fd)
            for address, size in ((0x10000, 0x4000), (0x10000, 0x1000), (0x11000, 0x1000),
                                  (0x13000, 0x1000), (0xf000, 0x2000),
                                  (0x13000, 0x2000), (0, 0x20000), (0xf000, 0x6000)):
                for other in (None, self.memory.fd):
                    self.assertEqual(self.error(self.client.dma_map, address, size, other),
                                     errno.EEXIST)
            for address, size in ((0xf000, 0x1000), (0x14000, 0x1000)):  # beside it
                self.client.dma_map(address, size, self.memory.fd)
                self.client.dma_unmap(address, size)
            for address, size in ((0x10000, 0x1000), (0x11000, 0x3000), (0x10000, 0x5000),
                                  (0xf000, 0x5000), (0x10000, 0), (0, 2 ** 64 - 1)):
                self.assertEqual(self.error(self.client.dma_unmap, address, size), errno.ENOENT)
            self.client.dma_unmap(0x10000, 0x4000)
            self.assertEqual(self.error(self.client.dma_unmap, 0x10000, 0x4000), errno.ENOENT)
        for address, size in ((2 ** 64 - 4096, 4096), (2 ** 63, 2 ** 63), (4096, 2 ** 64 - 4096),
                              (0, 2 ** 64 - 1)):
            # past the end of all addresses
            self.assertEqual(self.error(self.client.dma_map, address, size), errno.EINVAL)

    def test_what_is_no_event(self):
        """Written to, a pipe may wait and a socket may be the server's own: only a counter of
        events is taken."""
        for index in (vu.INTX, vu.MSI):
            event = Event()
            self.client.set_irq(index, vu.DATA_EVENTFD | vu.TRIGGER, fds=[event.fd])
            for name, fd in [*self.other.items(), ("file", self.memory.fd)]:
                if name != "event":
                    self.assertEqual(self.error(self.client.set_irq, index,
                                                vu.DATA_EVENTFD | vu.TRIGGER, fds=[fd]),
                                     errno.EINVAL, name)
            self.client.set_irq(index, vu.DATA_NONE | vu.TRIGGER)
            self.assertEqual(event.count(), 1)  # which it was before
            event.close()

    def test_an_event_that_is_full(self):
        """Nobody reads it, and a write to it would wait for ever."""
        full = os.eventfd(0)
        self.opened.append(full)
        os.eventfd_write(full, 2 ** 64 - 2)
        for index in (vu.INTX, vu.MSI):
            self.client.set_irq(index, vu.DATA_EVENTFD | vu.TRIGGER, fds=[full])
            self.client.set_irq(index, vu.DATA_NONE | vu.TRIGGER)
        self.boot()
        self.enable_interrupts()
        self.submit([0x01000000, 0, 0x10400002, 0, GUEST + CELL, 1])
        self.wait_for(1)
        self.assertEqual(os.eventfd_read(full), 2 ** 64 - 2)
        self.client.set_irq(vu.MSI, vu.DATA_NONE | vu.TRIGGER)
        self.assertEqual(os.eventfd_read(full), 1)

    def test_every_combination_of_interrupt_flags(self):
        event = Event()
        def expected(index, flags, count, start, fds, data):
            kind, action = flags & 7, flags & 0x38
            if index > 1:
                return 0 if index < 5 and not count else errno.EINVAL
            if start or count > 1 or flags > 63 or kind not in (1, 2,
                                                                4) or action not in (8, 16, 32):
                return errno.EINVAL
            if not count:
                return 0 if (kind, action) == (vu.DATA_NONE, vu.TRIGGER) else errno.EINVAL
            if kind == vu.DATA_BOOL and data in (b"", b"\0"):
                return 0 if data else errno.EINVAL
            if action != vu.TRIGGER and (kind == vu.DATA_EVENTFD or index == vu.MSI):
                return errno.ENOTSUP
            return errno.EINVAL if kind == vu.DATA_EVENTFD and fds > 1 else 0
        for flags in [*range(64), 64, 0x24 | 1 << 31]:
            for index, count, start in ((0, 0, 0), (0, 1, 0), (0, 1, 1), (0, 0, 1), (0, 2, 0),
                                        (1, 0, 0), (1, 1, 0), (1, 2 ** 32 - 1, 0),
                                        (1, 1, 2 ** 32 - 1), (2, 0, 0), (2, 1, 0), (4, 0, 0),
                                        (5, 0, 0), (2 ** 32 - 1, 0, 0)):
                for fds, data in ((0, b""), (1, b"\0"), (2, b"\1")):
                    case = index, flags, count, start, fds, data
                    self.assertEqual(self.error(self.client.set_irq, index, flags, count, start,
                                                [event.fd] * fds, data), expected(*case), case)
        event.close()

    def test_descriptors_that_belong_to_nothing(self):
        """More than a message may have, with the half of one, and with one that never ends: all are
        closed."""
        place = f"/proc/{self.process.pid}/fd"
        before = len(os.listdir(place))
        fds = [self.memory.fd] * 20
        self.client.call(vu.GET_INFO, struct.pack("<IIII", 16, 0, 0, 0), fds)
        message = struct.pack("<HHIIIIIQQQ", 9, vu.DMA_MAP, 48, 0, 0, 32, 3, 0, 0, 4096)
        self.client.send_raw(message[:20], fds[:1])
        self.client.send_raw(message[20:40])
        self.client.send_raw(message[40:])
        self.assertEqual(self.client.receive()[0], 9)
        self.client.send_raw(message[:20], fds[:1])
        self.client.send_raw(message[20:], fds[:1])  # that would be two
        self.assertEqual(self.error(self.client.receive), errno.EINVAL)
        self.client.send_raw(struct.pack("<HHIII", 1, vu.REGION_WRITE, 0x100000, 0, 0))
        for _ in range(40):
            self.client.send_raw(b"x", fds)
        deadline = time.monotonic() + NEVER
        self.assertLessEqual(len(os.listdir(place)), before + 8)
        self.client.close()
        while len(os.listdir(place)) >= before:  # the connection was one of them
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)
        self.reconnect()


class Long(Peer):
    def spin(self):
        """While a batch runs every read waits for a turn."""
        self.boot()
        self.memory.dwords(BATCH, [0x10400002, 0, GUEST + CELL, 1, 0x18800000, GUEST + BATCH])
        self.submit([0x18800000, GUEST + BATCH])
        self.wait_for(1)

    # Each is many thousand turns.
    def long(self):
        read = struct.pack("<QII", 0x200000, vu.BAR0, 0x100000)
        yield struct.pack("<HHIII", 1, vu.REGION_READ, 32, 0, 0) + read
        write = struct.pack("<QII8s", GUEST + BATCH + 64, vu.BAR2, 4, b"")
        yield struct.pack("<HHIIIQ", 1, vu.WRITE_MULTI, 24 + 40000 * len(write), vu.NO_REPLY, 0,
                          40000) + write * 40000
        yield b"".join(struct.pack("<HHIIIQII", 1, vu.REGION_READ, 32, vu.NO_REPLY, 0, 0x2030,
                                   vu.BAR0, 4) +
                       struct.pack("<HHIIIQII", 1, vu.REGION_READ, 32, 0, 0, 0x2030, vu.BAR0, 4)
                       for _ in range(20000))

    def test_what_takes_long_ends_with_its_peer(self):
        for message in self.long():
            self.spin()
            self.client.socket.settimeout(0.5)
            try:
                self.client.send_raw(message)
                self.client.receive()
            except TimeoutError:
                pass  # so it is long
            self.client.close()
            begun = time.monotonic()
            self.client = Client(self.path)
            self.assertLess(time.monotonic() - begun, NEVER)
            self.assertEqual(self.client.reg(0x2030), 0)
            self.memory.dwords(CELL, [0])

    def test_what_takes_long_does_not_hold_a_server_that_is_asked_to_end(self):
        with tempfile.TemporaryDirectory() as d:
            path = os.path.join(d, "socket")
            with subprocess.Popen([PERGOLA, "device", "--socket", path],
                                  stderr=subprocess.DEVNULL) as server:
                self.client.close()
                self.client = Client(path)
                self.spin()
                self.client.send_raw(next(self.long()))
                time.sleep(0.1)
                server.send_signal(signal.SIGTERM)
                self.assertEqual(server.wait(NEVER), 0)
        self.reconnect()


class Places(unittest.TestCase):
    """Where the socket may lie."""

    def start(self, path):
        return subprocess.run([PERGOLA, "device", "--socket", path], capture_output=True, text=True,
                              check=False, timeout=NEVER)

    def test_where_none_can_be(self):
        with tempfile.TemporaryDirectory() as d:
            os.symlink("nowhere", os.path.join(d, "link"))
            r = self.start("")
            self.assertEqual((r.returncode, r.stderr),
                             (2, "pergola device: --socket is the path of a socket, not ''\n"))
            for path, says in ((os.path.join(d, "no", "socket"), "No such file or directory"),
                               (d, "Address already in use"),
                               (os.path.join(d, "link"), "Address already in use"),
                               ("/dev/null", "Address already in use"), ("/proc/socket", ""),
                               ("/dev/null/socket", "Not a directory")):
                r = self.start(path)
                self.assertEqual((r.returncode, len(r.stderr.splitlines())), (1, 1), path)
                self.assertTrue(r.stderr.startswith(f"pergola device: {path}: "), r.stderr)
                self.assertIn(says, r.stderr)
            self.assertEqual(os.listdir(d), ["link"])

    def test_a_queue_that_is_full_is_not_waited_for(self):
        """A server that is in use, and whose next peers wait already: a third one would wait for it
        for ever."""
        with tempfile.TemporaryDirectory() as d, socket.socket(socket.AF_UNIX) as used:
            path = os.path.join(d, "socket")
            used.bind(path)
            used.listen(0)
            waiting = [socket.socket(socket.AF_UNIX) for _ in range(4)]
            for s in waiting:
                s.setblocking(False)
            with self.assertRaises(BlockingIOError):
                for s in waiting:
                    s.connect(path)
            r = self.start(path)
            self.assertEqual(r.returncode, 1)
            self.assertIn("Address already in use", r.stderr)
            self.assertTrue(os.path.exists(path))
            for s in waiting:
                s.close()

    def test_another_s_socket_stays(self):
        """A server removes what it made, and not what somebody has put there since."""
        with tempfile.TemporaryDirectory() as d:
            path = os.path.join(d, "socket")
            with subprocess.Popen([PERGOLA, "device", "--socket", path],
                                  stderr=subprocess.DEVNULL) as first:
                with Client(path):
                    os.rename(path, path + "2")
                    with subprocess.Popen([PERGOLA, "device", "--socket", path],
                                          stderr=subprocess.DEVNULL) as second:
                        with Client(path):
                            first.send_signal(signal.SIGTERM)
                            self.assertEqual(first.wait(NEVER), 0)
                            self.assertTrue(os.path.exists(path))
                        second.send_signal(signal.SIGTERM)
                        self.assertEqual(second.wait(NEVER), 0)
            self.assertEqual(os.listdir(d), ["socket2"])


if __name__ == "__main__":
    main()
