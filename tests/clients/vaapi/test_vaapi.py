#!/usr/bin/env python3
"""The stock VA-API driver (i965) on the model, driven by ffmpeg: frames that go up and come down
again are the same (a download is a pass of its scaler's kernel), what is scaled is near to what
swscale makes of it, what is deinterlaced is near to the frames that were woven together, and what
is denoised is what the filter's definition gives.

usage: test_vaapi.py PERGOLA
"""
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile

from proves import proves

DRIVER = "/usr/lib/x86_64-linux-gnu/dri/i965_drv_video.so"
DEVICE = ["-init_hw_device", "vaapi=va:/dev/dri/renderD128"]
MODES = ("motion_adaptive", "motion_compensated")
SIZES = ((64, 48), (178, 146), (177, 145))


def ffmpeg(prefix, arguments):
    env = dict(os.environ, LIBVA_DRIVER_NAME="i965", LIBVA_MESSAGING_LEVEL="0")
    p = subprocess.run(prefix + ["ffmpeg", "-nostdin", "-v",
                                 "info"] + (DEVICE if prefix else []) + arguments, env=env,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return p.returncode, p.stdout.decode(errors="replace"), p.stderr.decode(errors="replace")


def source(width, height):
    return ["-f", "lavfi", "-i", f"testsrc2=size={width}x{height}:rate=5:duration=0.6"]


def frames(prefix, width, height, chain):
    code, out, err = ffmpeg(prefix, source(width, height) + ["-vf", chain, "-f", "framemd5", "-"])
    if code:
        print("# " + err.strip().rsplit("\n", maxsplit=1)[-1])
    return [line.split(",")[-1].strip() for line in out.split("\n") if line
            and not line.startswith("#")]


def round_trip(model, fmt, width, height):
    proves("SMP-011", "SMP-176", "SMP-231", "SMP-486", "SMP-490", "SMP-521")
    got = frames(model, width, height, f"format={fmt},hwupload,hwdownload,format={fmt}")
    want = frames([], width, height, f"format={fmt}")
    return len(want) == 3 and got == want


def scaled(model, width, height):
    """A soft picture, where filters of any kind agree."""
    proves("SMP-521", "SMP-522")
    graph = (
        f"[0:v]gblur=sigma=6,format=nv12,split[a][b];[a]hwupload,scale_vaapi=w={width}:h={height},"
             f"hwdownload,format=nv12[c];"
             f"[b]scale={width}:{height}:flags=bilinear[d];[c][d]psnr")
    _, _, err = ffmpeg(model, source(320, 240) + ["-lavfi", graph, "-f", "null", "-"])
    found = re.search(r"PSNR.*average:([0-9.]+|inf)", err)
    print(f"# 320x240 to {width}x{height}: {found.group(1) if found else 'no result'} dB")
    return bool(found) and float(found.group(1)) >= 40


def lanczos(x, reach):
    if x == 0:
        return 1.0
    return (math.sin(x * math.pi) * math.sin(x / reach * math.pi) * reach / (x * math.pi) ** 2
            if abs(x) < reach else 0.0)


def taps(count, phase, ratio):
    """Coefficients of 1/64 that the driver's high quality mode asks for: phase/32 behind the tap
    before the middle."""
    middle, reach = count // 2 - 1, 3 if count > 4 else 2
    k = [lanczos((i - (middle + phase / 32)) * min(ratio, 1.0), reach) for i in range(count)]
    k = [round(v / sum(k) * 64) for v in k]
    rest, at = 64 - sum(k), count // 2 - (k[count // 2 - 1] > k[count // 2])
    beside = int(rest / 4) if k[at + 1] else 0
    k[at] += rest - 2 * beside
    k[at - 1] += beside
    k[at + 1] += beside
    return k


def weights(size, count, n):
    """For each sample that comes out: places and weights of those that go in. The first ones lie on
    each other."""
    out = []
    for i in range(count):
        fixed = math.floor(i * size / count * 256 + 0.5) >> 3  # 1/32
        at, phase = fixed >> 5, fixed & 31
        if not n:
            k, n_taps = [64 - 2 * phase, 2 * phase], 2
        else:
            k, n_taps = taps(n, phase,
                             count / size) if phase <= 16 else taps(n, 32 - phase,
                                                                    count / size)[::-1], n
        out.append([(min(max(at + j - (n_taps // 2 - 1), 0), size - 1), w)
                    for j, w in enumerate(k) if w])
    return out


def scaled_plane(plane, size, to, n):
    across, down = weights(size[0], to[0], n), weights(size[1], to[1], n)
    rows = [[sum(plane[y * size[0] + a] * k for a, k in x) for x in across] for y in range(size[1])]
    return bytes(min(255, max(0, (sum(rows[a][x] * k for a, k in y) + 2048) >> 12)) for y in down
                 for x in range(to[0]))


def scaled_exactly(model, mode, width, height):
    """A sharp picture: the filter that the driver asks for, by its definition. It is not swscale's,
    which has other taps and centres its samples."""
    proves("SMP-521", "SMP-522")
    n, size, half, to = (8,
                         4) if mode == "hq" else (0, 0), (160,
                                                          120), (80, 60), (width // 2, height // 2)
    picture = ["-f", "lavfi", "-i", "testsrc2=size=160x120:rate=5:duration=0.2"]
    got = raw(model, picture,
              f"format=nv12,hwupload,scale_vaapi=w={width}:h={height}:mode={mode},"
              f"hwdownload,format=nv12", width, height)
    came = raw([], picture, "format=nv12", *size)[0]
    chroma = came[size[0] * size[1]:]
    want = scaled_plane(came, size, (width, height), n[0])
    u, v = (scaled_plane(chroma[i::2], half, to, n[1]) for i in (0, 1))
    want += bytes(b for pair in zip(u, v) for b in pair)
    print(f"# {mode} 160x120 to {width}x{height}: {psnr(got[0], want) if got else 0:.1f} dB")
    return len(got) == 1 and psnr(got[0], want) >= 60


def raw(prefix, arguments, chain, width, height):
    """Frames of NV12."""
    with tempfile.NamedTemporaryFile() as file:
        ffmpeg(prefix, ["-y"] + arguments + ["-vf", chain, "-f", "rawvideo", file.name])
        data = file.read()
    size = width * height * 3 // 2
    return [data[i:i + size] for i in range(0, len(data), size)]


def psnr(a, b):
    error = sum((x - y) ** 2 for x, y in zip(a, b)) / len(a)
    return math.inf if error == 0 else 10 * math.log10(255 ** 2 / error)


def still(model, mode):
    """What was stored of motion wears off: the third frame is made of its neighbours alone."""
    proves("SMP-492", "SMP-507", "SMP-512")
    width, height = 176, 144
    same = ["-f", "lavfi", "-i",
            f"testsrc2=size={width}x{height}:rate=10:duration=0.1,loop=loop=6:size=1"]
    got = raw(model, same,
              f"format=nv12,setfield=tff,hwupload,deinterlace_vaapi=mode={mode},"
              f"hwdownload,format=nv12", width, height)
    want = raw([], same, "format=nv12", width, height)
    return len(got) >= 5 and all(frame == want[0] for frame in got[2:])


def moving(model, mode):
    """Frames whose lines come from two moments; the driver gives back one field of each as a
    frame."""
    proves("SMP-492", "SMP-498", "SMP-510", "SMP-512")
    width, height = 176, 144
    soft = ["-f", "lavfi", "-i",
            f"testsrc2=size={width}x{height}:rate=20:duration=0.6,gblur=sigma=4"]
    moments = raw([], soft, "format=nv12", width, height)
    with tempfile.NamedTemporaryFile() as file:
        for n in range(0, len(moments), 2):
            for y in range(height * 3 // 2):  # chroma has as many lines of each field
                file.write(moments[n + y % 2][y * width:(y + 1) * width])
        file.flush()
        woven = ["-f", "rawvideo", "-pix_fmt", "nv12", "-s", f"{width}x{height}", "-r", "10", "-i",
                 file.name]
        got = raw(model, woven,
                  f"setfield=tff,hwupload,deinterlace_vaapi=mode={mode},hwdownload,format=nv12",
                  width, height)
    best = [max(psnr(frame, moment) for moment in moments) for frame in got]
    print("# dB: " + " ".join(f"{b:.1f}" for b in best))
    return len(got) >= 5 and min(best) >= 40


def denoised_luma(luma, width, height, near):
    """SMP-503 over a frame: the mean of those neighbours that differ by less than `near`."""
    reciprocal = (2048, 1024, 682, 512, 409, 341, 292, 256, 227)
    out = bytearray()
    for y in range(height):
        rows = [luma[width * r:width * (r + 1)]
                for r in (y - 1 if y else 1, y, y + 1 if y + 1 < height else height - 2)]
        for x in range(width):
            centre = rows[1][x]
            good = [row[c] for row in rows
                    for c in (max(x - 1, 0), x, min(x + 1, width - 1))
                    if abs(row[c] - centre) < near]
            out.append(min(255, (sum(good) + len(good) // 2) * reciprocal[len(good) - 1] >> 11))
    return bytes(out)


def denoised(model):
    """The driver asks for a first frame each time: the spatial filter, with neighbours nearer than
    4; chroma is copied."""
    proves("SMP-494", "SMP-503", "SMP-520")
    width, height = 176, 144
    noisy = ["-f", "lavfi", "-i",
             f"testsrc2=size={width}x{height}:rate=10:duration=0.2,noise=alls=6:all_seed=1"]
    got = raw(model, noisy, "format=nv12,hwupload,denoise_vaapi=denoise=32,hwdownload,format=nv12",
              width, height)
    came = raw([], noisy, "format=nv12", width, height)
    pixels = width * height
    return len(got) == 2 and all(g[:pixels] == denoised_luma(c, width, height, 4)
                                 and g[pixels:] == c[pixels:] and g != c
                                 for g, c in zip(got, came))


def main(pergola):
    if not os.path.exists(DRIVER) or not shutil.which("ffmpeg"):
        print("1..0 # SKIP ffmpeg or i965-va-driver is not installed")
        return 0
    model = [pergola, "run", "--"]
    cases = [(f"{fmt} {w}x{h} goes up and comes down", round_trip, (fmt, w, h))
             for fmt in ("nv12", "yuv420p") for w, h in SIZES]
    cases += [(f"320x240 scaled to {w}x{h}", scaled, (w, h)) for w, h in ((480, 360), (160, 120))]
    cases += [(f"testsrc2 scaled to {w}x{h}, {mode}", scaled_exactly, (mode, w, h))
              for mode in ("fast", "hq") for w, h in ((240, 180), (80, 60), (176, 144))]
    cases += [(f"a still picture deinterlaced, {mode}", still, (mode,)) for mode in MODES]
    cases += [(f"a moving picture deinterlaced, {mode}", moving, (mode,)) for mode in MODES]
    cases += [("a noisy picture denoised", denoised, ())]
    print(f"1..{len(cases)}")
    good = True
    for n, (name, case, arguments) in enumerate(cases, 1):
        ok = case(model, *arguments)
        good &= ok
        print(f"{'ok' if ok else 'not ok'} {n} - {name}", flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
