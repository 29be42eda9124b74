"""A client of the vfio-user protocol, for tests and benchmarks: every message, right or wrong."""
import array
import json
import mmap
import os
import select
import socket
import struct
import time

VERSION, DMA_MAP, DMA_UNMAP, GET_INFO, GET_REGION_INFO = 1, 2, 3, 4, 5
GET_IRQ_INFO, SET_IRQS, REGION_READ, REGION_WRITE, RESET, WRITE_MULTI = 7, 8, 9, 10, 13, 15
FEATURE, MIG_DATA_READ, MIG_DATA_WRITE = 16, 17, 18
GET, SET, PROBE = 1 << 16, 1 << 17, 1 << 18
MIGRATION, DEVICE_STATE = 1, 2
STATE_ERROR, STOP, RUNNING, STOP_COPY, RESUMING, RUNNING_P2P = range(6)
NO_REPLY, REPLY, ERROR = 0x10, 0x1, 0x20
BAR0, BAR2, BAR4, CONFIG = 0, 2, 4, 7
INTX, MSI = 0, 1
DATA_NONE, DATA_BOOL, DATA_EVENTFD = 1, 2, 4
MASK, UNMASK, TRIGGER = 8, 16, 32


class Refused(Exception):
    """The server answered with an error."""

    def __init__(self, error):
        super().__init__(os.strerror(error))
        self.errno = error


class Closed(Exception):
    """The server closed the connection."""


class Client:
    def __init__(self, path, capabilities=None, version=True):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(120)
        deadline = time.monotonic() + 60
        while self.socket.connect_ex(path):  # it is there a moment before anybody listens
            assert time.monotonic() < deadline, path
            time.sleep(0.01)
        self.id = 0
        if version:
            caps = {"max_msg_fds": 8,
                    "write_multiple": True} if capabilities is None else capabilities
            text = json.dumps({"capabilities": caps}).encode() + b"\0"
            answer = self.call(VERSION, struct.pack("<HH", 0, 0) + text)
            self.version = struct.unpack_from("<HH", answer)
            self.capabilities = json.loads(answer[4:].rstrip(b"\0"))["capabilities"]

    def close(self):
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # ---- messages

    def send_raw(self, data, fds=()):
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds))] if fds else []
        sent = self.socket.sendmsg([data], rights)
        if sent < len(data):
            self.socket.sendall(data[sent:])

    def send(self, command, data=b"", fds=(), flags=0):
        self.id = self.id + 1 & 0xffff
        self.send_raw(struct.pack("<HHIII", self.id, command, 16 + len(data), flags, 0) + data, fds)
        return self.id

    def receive_bytes(self, count):
        data = b""
        while len(data) < count:
            try:
                part = self.socket.recv(count - len(data))
            except ConnectionError as e:
                raise Closed from e
            if not part:
                raise Closed
            data += part
        return data

    def receive(self):
        number, command, size, flags, error = struct.unpack("<HHIII", self.receive_bytes(16))
        data = self.receive_bytes(size - 16)
        assert flags & 0xf == REPLY
        if flags & ERROR:
            assert not data
            raise Refused(error)
        return number, command, data

    def call(self, command, data=b"", fds=()):
        number = self.send(command, data, fds)
        got, answered, answer = self.receive()
        assert (got, answered) == (number, command)
        return answer

    # ---- what they say

    def info(self):
        return struct.unpack("<IIII", self.call(GET_INFO, struct.pack("<IIII", 16, 0, 0, 0)))

    def region_info(self, index):
        answer = self.call(GET_REGION_INFO, struct.pack("<IIIIQQ", 32, 0, index, 0, 0, 0))
        _, flags, _, _, size, _ = struct.unpack("<IIIIQQ", answer)
        return flags, size

    def irq_info(self, index):
        _, flags, _, count = struct.unpack("<IIII",
                                           self.call(GET_IRQ_INFO,
                                                     struct.pack("<IIII", 16, 0, index, 0)))
        return flags, count

    def read(self, region, offset, count):
        answer = self.call(REGION_READ, struct.pack("<QII", offset, region, count))
        assert struct.unpack_from("<QII", answer) == (offset, region, count)
        return answer[16:]

    def write(self, region, offset, data, posted=False):
        payload = struct.pack("<QII", offset, region, len(data)) + data
        if posted:
            self.send(REGION_WRITE, payload, flags=NO_REPLY)
        else:
            assert struct.unpack("<QII",
                                 self.call(REGION_WRITE, payload)) == (offset, region, len(data))

    def write_multi(self, writes, posted=True):
        payload = struct.pack("<Q", len(writes))
        for region, offset, data in writes:
            payload += struct.pack("<QII", offset, region, len(data)) + data.ljust(8, b"\0")
        if posted:
            self.send(WRITE_MULTI, payload, flags=NO_REPLY)
        else:
            assert struct.unpack("<Q", self.call(WRITE_MULTI, payload)) == (len(writes),)

    def reg(self, offset):
        return struct.unpack("<I", self.read(BAR0, offset, 4))[0]

    def set_reg(self, offset, value):
        self.write(BAR0, offset, struct.pack("<I", value), posted=True)

    def dma_map(self, address, size, fd=None, offset=0, flags=3):
        self.call(DMA_MAP, struct.pack("<IIQQQ", 32, flags, offset, address, size), [] if fd is None
                  else [fd])

    def dma_unmap(self, address, size, flags=0):
        self.call(DMA_UNMAP, struct.pack("<IIQQ", 24, flags, address, size))

    def set_irq(self, index, flags, count=1, start=0, fds=(), data=b""):
        self.call(SET_IRQS,
                  struct.pack("<IIIII", 20 + len(data), flags, index, start, count) + data, fds)

    def reset(self):
        self.call(RESET)

    # ---- migration

    def feature(self, flags, data=b"", argsz=None):
        argsz = 8 + max(8, len(data)) if argsz is None else argsz
        answer = self.call(FEATURE, struct.pack("<II", argsz, flags) + data)
        assert struct.unpack_from("<II", answer) == (len(answer), flags)
        return answer[8:]

    def state(self):
        return struct.unpack("<Ii", self.feature(GET | DEVICE_STATE))[0]

    def set_state(self, state):
        assert struct.unpack("<Ii", self.feature(SET | DEVICE_STATE,
                                                 struct.pack("<Ii", state, -1)))[0] == state

    def read_state(self, piece=0x10000):
        data = b""
        while True:
            answer = self.call(MIG_DATA_READ, struct.pack("<II", 8 + piece, piece))
            argsz, size = struct.unpack_from("<II", answer)
            assert argsz == len(answer) == 8 + size
            if not size:
                return data
            data += answer[8:]

    def write_state(self, data, piece=0x10000):
        for at in range(0, len(data), piece):
            part = data[at:at + piece]
            self.call(MIG_DATA_WRITE, struct.pack("<II", 8 + len(part), len(part)) + part)


class Memory:
    """Guest memory: a file that both sides map."""

    def __init__(self, size, flags=0):
        self.fd = os.memfd_create("guest", os.MFD_CLOEXEC | flags)
        self.size = size
        os.ftruncate(self.fd, size)
        self.map = mmap.mmap(self.fd, size)

    def dwords(self, offset, values):
        self.map[offset:offset + 4 * len(values)] = struct.pack(f"<{len(values)}I", *values)

    def dword(self, offset):
        return struct.unpack_from("<I", self.map, offset)[0]

    def close(self):
        self.map.close()
        os.close(self.fd)


class Event:
    """An event descriptor that the server raises."""

    def __init__(self):
        self.fd = os.eventfd(0, os.EFD_NONBLOCK)

    def count(self, seconds=0):
        if not select.select([self.fd], [], [], seconds)[0]:
            return 0
        return os.eventfd_read(self.fd)

    def close(self):
        os.close(self.fd)
