#!/usr/bin/env python3
"""weston without a screen, with its OpenGL renderer on the model: the desktop, which a client draws
to shared memory, comes out as weston's software renderer shows it, within two units. Prints TAP.

usage: weston.py PERGOLA
"""
import os
import shutil
import subprocess
import sys
import tempfile

from compositor import HEIGHT, PATIENCE, WIDTH, picture, same, tell, write_png

CONFIG = """[shell]
panel-position=none
background-color=0xff336699
background-image={image}
background-type=tile
locking=false
animation=none
startup-animation=none
"""


def screenshot(top, env):
    """The path of one, or None."""
    for old in (n for n in os.listdir(top) if n.startswith("wayland-screenshot")):
        os.remove(os.path.join(top, old))
    if not os.path.exists(os.path.join(top, "wayland-test")):
        return None
    subprocess.run(["weston-screenshooter"], cwd=top, env=env, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, timeout=PATIENCE, check=False)
    found = [n for n in os.listdir(top) if n.startswith("wayland-screenshot")]
    return os.path.join(top, found[0]) if found else None


def show(prefix, options):
    """The picture of a desktop, and what weston said."""
    with tempfile.TemporaryDirectory() as top:
        env = dict(os.environ, XDG_RUNTIME_DIR=top, HOME=top, WAYLAND_DISPLAY="wayland-test")
        os.chmod(top, 0o700)
        write_png(os.path.join(top, "image.png"))
        with open(os.path.join(top, "weston.ini"), "w", encoding="ascii") as f:
            f.write(CONFIG.format(image=os.path.join(top, "image.png")))
        log = os.path.join(top, "log")
        command = prefix + ["weston", "--backend=headless-backend.so", f"--width={WIDTH}",
                            f"--height={HEIGHT}", "--debug", "--idle-time=0",
                            "-c", os.path.join(top, "weston.ini"), "-S", "wayland-test",
                            f"--log={log}"] + options
        weston = subprocess.Popen(command, env=dict(env, WAYLAND_DISPLAY=""),
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        rows = picture(weston, lambda: screenshot(top, env))
        with open(log, encoding="utf-8", errors="replace") as f:
            return rows, f.read()


def main():
    pergola = sys.argv[1]
    if not shutil.which("weston"):
        print("1..0 # SKIP weston is not installed (package weston)")
        return 0
    results = []
    for name, more in (("desktop", []), ("turned", ["--transform=rotate-90"]),
                       ("twice_as_large", ["--scale=2"])):
        software, _ = show([], ["--use-pixman"] + more)
        model, log = show([pergola, "run", "--"], ["--use-gl"] + more)
        results += [(name, same(name, software, model)),
                    (name + "_by_the_modelled_gpu", "HD Graphics 4000" in log)]
    return tell(results)


if __name__ == "__main__":
    sys.exit(main())
