#!/usr/bin/env python3
"""weston without a screen, with its OpenGL renderer on the model: the desktop, which a client draws to shared memory, comes out
as weston's software renderer shows it, within two units. Prints TAP.

usage: weston.py PERGOLA
"""
import os
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from png import png_rows

WIDTH, HEIGHT, PATIENCE = 320, 240, 90
BACKGROUND = bytes((0x33, 0x66, 0x99))
CONFIG = """[shell]
panel-position=none
background-color=0xff336699
background-image={image}
background-type=tile
locking=false
animation=none
startup-animation=none
"""


def write_png(path):
    """Gradients and stripes, 96 by 64."""
    rows = b"".join(b"\0" + bytes(v for x in range(96) for v in (x * 2, y * 3, (x * 7 ^ y * 5) & 255)) for y in range(64))

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    with open(path, "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 96, 64, 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(rows))
                + chunk(b"IEND", b""))


def screenshot(top, env):
    for old in (n for n in os.listdir(top) if n.startswith("wayland-screenshot")):
        os.remove(os.path.join(top, old))
    subprocess.run(["weston-screenshooter"], cwd=top, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=PATIENCE, check=False)
    found = [n for n in os.listdir(top) if n.startswith("wayland-screenshot")]
    return png_rows(os.path.join(top, found[0])) if found else None


def is_there(rows):
    """The desktop has drawn its picture: every pixel of it, not its colour alone."""
    return rows and sum(pixel == BACKGROUND for row in rows for pixel in row) < 100 and len({p for row in rows for p in row}) > 1000


def show(prefix, options):
    """The picture of a desktop, and what weston said."""
    with tempfile.TemporaryDirectory() as top:
        env = dict(os.environ, XDG_RUNTIME_DIR=top, HOME=top, WAYLAND_DISPLAY="wayland-test")
        os.chmod(top, 0o700)
        write_png(os.path.join(top, "image.png"))
        with open(os.path.join(top, "weston.ini"), "w", encoding="ascii") as f:
            f.write(CONFIG.format(image=os.path.join(top, "image.png")))
        log = os.path.join(top, "log")
        command = prefix + ["weston", "--backend=headless-backend.so", f"--width={WIDTH}", f"--height={HEIGHT}", "--debug", "--idle-time=0",
                            "-c", os.path.join(top, "weston.ini"), "-S", "wayland-test", f"--log={log}"] + options
        weston = subprocess.Popen(command, env=dict(env, WAYLAND_DISPLAY=""), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        rows, end = None, time.monotonic() + PATIENCE
        while time.monotonic() < end and weston.poll() is None and not is_there(rows):
            time.sleep(0.2)
            if os.path.exists(os.path.join(top, "wayland-test")):
                rows = screenshot(top, env)
        weston.send_signal(signal.SIGTERM)
        weston.wait()
        with open(log, encoding="utf-8", errors="replace") as f:
            return rows if is_there(rows) else None, f.read()


def main():
    pergola = sys.argv[1]
    if not shutil.which("weston"):
        print("1..0 # SKIP weston is not installed (package weston)")
        return 0
    results = []
    for name, more in (("desktop", []), ("turned", ["--transform=rotate-90"]), ("twice_as_large", ["--scale=2"])):
        software, _ = show([], ["--use-pixman"] + more)
        model, log = show([pergola, "run", "--"], ["--use-gl"] + more)
        off = [max(abs(a - b) for a, b in zip(p, q)) for r, s in zip(software or [], model or []) for p, q in zip(r, s)]
        same = bool(off) and len(software) == len(model) and max(off) <= 2
        if not same:
            print(f"# {name}: " + (f"{sum(o > 2 for o in off)} of {len(off)} pixels differ" if off else "no picture"))
        results += [(name, same), (name + "_by_the_modelled_gpu", "HD Graphics 4000" in log)]
    for n, (name, ok) in enumerate(results, 1):
        print(f"{'' if ok else 'not '}ok {n} - {name}")
    print(f"1..{len(results)}")
    return 0 if all(ok for _, ok in results) else 1


if __name__ == "__main__":
    sys.exit(main())
