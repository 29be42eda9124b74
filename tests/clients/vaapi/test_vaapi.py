#!/usr/bin/env python3
"""The stock VA-API driver (i965) on the model, driven by ffmpeg: frames that go up and come down again are the same (a download
is a pass of its scaler's kernel), and what is scaled is near to what swscale makes of it.

usage: test_vaapi.py PERGOLA
"""
import os
import re
import shutil
import subprocess
import sys

from proves import proves

DRIVER = "/usr/lib/x86_64-linux-gnu/dri/i965_drv_video.so"
DEVICE = ["-init_hw_device", "vaapi=va:/dev/dri/renderD128"]
SIZES = ((64, 48), (178, 146), (177, 145))


def ffmpeg(prefix, arguments):
    env = dict(os.environ, LIBVA_DRIVER_NAME="i965", LIBVA_MESSAGING_LEVEL="0")
    p = subprocess.run(prefix + ["ffmpeg", "-nostdin", "-v", "info"] + (DEVICE if prefix else []) + arguments, env=env,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return p.returncode, p.stdout.decode(errors="replace"), p.stderr.decode(errors="replace")


def source(width, height):
    return ["-f", "lavfi", "-i", f"testsrc2=size={width}x{height}:rate=5:duration=0.6"]


def frames(prefix, width, height, chain):
    code, out, err = ffmpeg(prefix, source(width, height) + ["-vf", chain, "-f", "framemd5", "-"])
    if code:
        print("# " + err.strip().rsplit("\n", maxsplit=1)[-1])
    return [line.split(",")[-1].strip() for line in out.split("\n") if line and not line.startswith("#")]


def round_trip(model, fmt, width, height):
    proves("SMP-011", "SMP-176", "SMP-231", "SMP-486", "SMP-490", "SMP-521")
    got = frames(model, width, height, f"format={fmt},hwupload,hwdownload,format={fmt}")
    want = frames([], width, height, f"format={fmt}")
    return len(want) == 3 and got == want


def scaled(model, width, height):
    """A soft picture, where filters of any kind agree."""
    proves("SMP-521", "SMP-522")
    graph = (f"[0:v]gblur=sigma=6,format=nv12,split[a][b];[a]hwupload,scale_vaapi=w={width}:h={height},hwdownload,format=nv12[c];"
             f"[b]scale={width}:{height}:flags=bilinear[d];[c][d]psnr")
    _, _, err = ffmpeg(model, source(320, 240) + ["-lavfi", graph, "-f", "null", "-"])
    found = re.search(r"PSNR.*average:([0-9.]+|inf)", err)
    print(f"# 320x240 to {width}x{height}: {found.group(1) if found else 'no result'} dB")
    return bool(found) and float(found.group(1)) >= 40


def main(pergola):
    if not os.path.exists(DRIVER) or not shutil.which("ffmpeg"):
        print("1..0 # SKIP ffmpeg or i965-va-driver is not installed")
        return 0
    model = [pergola, "run", "--"]
    cases = [(f"{fmt} {w}x{h} goes up and comes down", round_trip, (fmt, w, h)) for fmt in ("nv12", "yuv420p") for w, h in SIZES]
    cases += [(f"320x240 scaled to {w}x{h}", scaled, (w, h)) for w, h in ((480, 360), (160, 120))]
    print(f"1..{len(cases)}")
    good = True
    for n, (name, case, arguments) in enumerate(cases, 1):
        ok = case(model, *arguments)
        good &= ok
        print(f"{'ok' if ok else 'not ok'} {n} - {name}", flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
