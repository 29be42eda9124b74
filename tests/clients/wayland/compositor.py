"""What the tests of compositors share: a picture for the desktop, how to wait for it, and the
comparison. Results as TAP."""
import os
import signal
import struct
import subprocess
import sys
import time
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from png import png_rows

WIDTH, HEIGHT, PATIENCE = 320, 240, 90
BACKGROUND = bytes((0x33, 0x66, 0x99))


def write_png(path):
    """Gradients and stripes, 96 by 64."""
    rows = b"".join(b"\0" + bytes(v for x in range(96)
                                  for v in (x * 2, y * 3, (x * 7 ^ y * 5) & 255))
                    for y in range(64))

    def chunk(kind, body):
        return struct.pack(">I",
                           len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    with open(path, "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR",
                                             struct.pack(">IIBBBBB", 96, 64, 8, 2, 0, 0, 0))
                + chunk(b"IDAT", zlib.compress(rows))
                + chunk(b"IEND", b""))


def is_there(rows):
    """The desktop has drawn its picture: every pixel of it, not its colour alone."""
    return rows and sum(pixel == BACKGROUND for row in rows
                        for pixel in row) < 100 and len({p for row in rows for p in row}) > 1000


def picture(compositor, screenshot):
    """The desktop of a running compositor, which is ended then; None: there was none in time.
    screenshot() gives a file's path, or None."""
    rows, end = None, time.monotonic() + PATIENCE
    while time.monotonic() < end and compositor.poll() is None and not is_there(rows):
        time.sleep(0.2)
        path = screenshot()
        rows = png_rows(path) if path else None
    compositor.send_signal(signal.SIGTERM)
    try:
        compositor.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        compositor.kill()
        compositor.wait()
    return rows if is_there(rows) else None


def same(name, software, model):
    """Within two units, pixel by pixel."""
    off = [max(abs(a - b) for a, b in zip(p, q)) for r, s in zip(software or [], model or [])
           for p, q in zip(r, s)]
    ok = bool(off) and len(software) == len(model) and max(off) <= 2
    if not ok:
        print(f"# {name}: " + (f"{sum(o > 2 for o in off)} of {len(off)} pixels differ" if off
                               else "no picture"))
    return ok


def tell(results):
    for n, (name, ok) in enumerate(results, 1):
        print(f"{'' if ok else 'not '}ok {n} - {name}")
    print(f"1..{len(results)}")
    return 0 if all(ok for _, ok in results) else 1
