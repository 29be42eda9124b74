"""What the socket of `pergola device` carries: GTT writes and register reads in a second, by
messages of each kind.

With PERGOLA_QEMU (scripts/install-qemu) also how long i915 takes to probe in a virtual machine.
"""
import os
import re
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0,
                os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tests", "vm"))
import client as vu  # noqa: E402

PERGOLA = os.environ.get("PERGOLA", "build/pergola")
ENTRIES = 524288


def rate(what, count, work):
    start = time.perf_counter()
    work()
    seconds = time.perf_counter() - start
    print(f"{what:<44} {count / seconds:12,.0f} /s")
    return count / seconds


def gtt_writes(c, multi):
    words = [struct.pack("<I", i << 12 & 0xfffff000 | 1) for i in range(ENTRIES)]
    step = 100 if multi else 1
    for first in range(0, ENTRIES if multi else ENTRIES // 16, step):
        if multi:
            c.write_multi([(vu.BAR0, 0x200000 + 4 * i, words[i])
                           for i in range(first, min(first + step, ENTRIES))])
        else:
            c.set_reg(0x200000 + 4 * first, first << 12 | 1)
    c.reg(0x2000 + 0x30)  # all of them are done


def probe():
    qemu = os.environ.get("PERGOLA_QEMU")
    if not qemu:
        print("i915's probe: not measured; PERGOLA_QEMU names no QEMU")
        return
    with tempfile.TemporaryDirectory() as out:
        if subprocess.run([PERGOLA, "vm", "--qemu", qemu, "--out", out, "--",
                           "true"], check=False).returncode:
            print("i915's probe: not measured; the guest did not come up")
            return
        with open(os.path.join(out, ".dmesg"), errors="replace") as f:
            text = f.read()
    begin = re.search(r"\[ *([0-9.]+)\].*drm_connector registered", text)
    end = re.search(r"\[ *([0-9.]+)\].*Initialized i915", text)
    print(f"{'i915 loaded to card0':<44} {float(end[1]) - float(begin[1]):12.1f} s")


def main():
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "socket")
        server = subprocess.Popen([PERGOLA, "device", "--socket", path, "--check", "off"])
        try:
            while not os.path.exists(path):
                time.sleep(0.01)
            with vu.Client(path) as c:
                one = rate("GTT entries, a message each", ENTRIES // 16,
                           lambda: gtt_writes(c, False))
                many = rate("GTT entries, a hundred in a message", ENTRIES,
                            lambda: gtt_writes(c, True))
                rate("register reads, one after the other", 20000,
                     lambda: [c.reg(0x2030) for _ in range(20000)])
                rate("aperture reads of 4 bytes", 5000,
                     lambda: [c.read(vu.BAR2, 0, 4) for _ in range(5000)])
                print(f"{'together against one by one':<44} {many / one:12.1f} x")
        finally:
            server.terminate()
            server.wait()
    probe()


if __name__ == "__main__":
    main()
