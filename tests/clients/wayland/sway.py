#!/usr/bin/env python3
"""sway, a compositor on wlroots, without a screen and with OpenGL ES on the model: what a client
draws to shared memory comes out as wlroots' software renderer shows it, within two units. Prints
TAP.

usage: sway.py PERGOLA
"""
import os
import shutil
import subprocess
import sys
import tempfile

from compositor import HEIGHT, PATIENCE, WIDTH, picture, same, tell, write_png

# sway does not run as root: without rights, and with nobody's name, root may start it.
PREFIX = ["unshare", "--user"] if os.geteuid() == 0 else []


def screenshot(top, env):
    """The path of one, or None."""
    displays = [n for n in os.listdir(top) if n.startswith("wayland-") and not n.endswith(".lock")]
    path = os.path.join(top, "screen.png")
    if not displays:
        return None
    p = subprocess.run(["grim", path], env=dict(env, WAYLAND_DISPLAY=displays[0]),
                       stderr=subprocess.DEVNULL, timeout=PATIENCE, check=False)
    return path if p.returncode == 0 else None


def show(prefix, renderer, more):
    """The picture of a desktop, and what sway said."""
    with tempfile.TemporaryDirectory() as top:
        image, config, log = (os.path.join(top, n) for n in ("image.png", "config", "log"))
        env = dict(os.environ, XDG_RUNTIME_DIR=top, HOME=top, WLR_BACKENDS="headless",
                   WLR_LIBINPUT_NO_DEVICES="1", WLR_RENDERER=renderer)
        os.chmod(top, 0o700)
        write_png(image)
        with open(config, "w", encoding="ascii") as f:
            f.write(f"output HEADLESS-1 resolution {WIDTH}x{HEIGHT} {more} background {image} "
                    f"tile\n")
        with open(log, "wb") as f:
            sway = subprocess.Popen(prefix + PREFIX + ["sway", "-d", "-c", config], env=env,
                                    stdin=subprocess.DEVNULL, stdout=f, stderr=f)
        rows = picture(sway, lambda: screenshot(top, env))
        with open(log, encoding="utf-8", errors="replace") as f:
            return rows, f.read()


def main():
    missing = [n for n in ("sway", "swaybg", "grim") if not shutil.which(n)]
    if missing:
        print(f"1..0 # SKIP {' and '.join(missing)} not installed (packages sway, swaybg, grim)")
        return 0
    if PREFIX and subprocess.run(PREFIX + ["true"], check=False,
                                 stderr=subprocess.DEVNULL).returncode:
        print("1..0 # SKIP sway does not run as root, and root may not make user namespaces here")
        return 0
    results = []
    for name, more in (("desktop", ""), ("turned", "transform 90"), ("twice_as_large", "scale 2")):
        software, _ = show([], "pixman", more)
        model, log = show([sys.argv[1], "run", "--"], "gles2", more)
        results += [(name, same(name, software, model)),
                    (name + "_by_the_modelled_gpu", "HD Graphics 4000" in log)]
    return tell(results)


if __name__ == "__main__":
    sys.exit(main())
