#!/usr/bin/env python3
"""ffmpeg's OpenCL filters by Beignet and its Vulkan filters by hasvk, on the model: images are read
through the sampler. A transposed picture is the CPU filter's. Others are what their kernels say,
computed here: ffmpeg's CPU filters of the same names round and treat edges otherwise. libplacebo's
shaders draw and compute with lookup tables of one axis; its pictures are those that lavapipe makes.

usage: test_ffmpeg.py PERGOLA
"""
import glob
import math
import os
import shutil
import subprocess
import sys
import tempfile

from proves import proves

WIDTH, HEIGHT = 64, 48
SOURCE = ["-f", "lavfi", "-i", f"testsrc2=size={WIDTH}x{HEIGHT}:rate=5:duration=0.2"]
BEIGNET = glob.glob("/etc/OpenCL/vendors/intel-beignet*.icd")
LAVAPIPE = glob.glob("/usr/share/vulkan/icd.d/lvp_icd.*.json")
DEVICES = {"opencl": "opencl=ocl:0.0", "vulkan": "vulkan=vk:0"}


def picture(prefix, device, chain):
    """One frame of RGBA. With no prefix a device is the software driver's."""
    use = ["-init_hw_device", DEVICES[device]] if device else []
    env = None
    if device == "opencl":
        env = dict(os.environ, OCL_ICD_VENDORS=BEIGNET[0])
    elif device and not prefix:
        env = dict(os.environ, VK_ICD_FILENAMES=LAVAPIPE[0])
    command = prefix + ["ffmpeg", "-y", "-nostdin", "-v", "error"] + use + SOURCE
    with tempfile.NamedTemporaryFile() as file:
        p = subprocess.run(command + ["-vf", chain, "-f", "rawvideo", file.name], env=env,
                           stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
        data = file.read()
    if p.returncode:
        print("# " + p.stderr.decode(errors="replace").strip().rsplit("\n", maxsplit=1)[-1])
    return data


def on_model(model, device, filters):
    return picture(model, device, f"format=rgba,hwupload,{filters},hwdownload,format=rgba")


def largest(a, b):
    return max(abs(x - y) for x, y in zip(a, b)) if len(a) == len(b) == 4 * WIDTH * HEIGHT else 255


def channels(data):
    """[channel][y][x]"""
    return [[data[4 * y * WIDTH + c:4 * (y + 1) * WIDTH:4] for y in range(HEIGHT)]
            for c in range(4)]


def woven(planes):
    return bytes(round(planes[c][y][x]) for y in range(HEIGHT) for x in range(WIDTH)
                 for c in range(4))


def transposed(model):
    proves("SMP-015", "SMP-055")
    return (on_model(model, "opencl", "transpose_opencl=dir=clock")
            == picture([], None, "format=rgba,transpose=clock,format=rgba"))


def blurred(model):
    """The mean of the pixels that lie inside, three to each side: rows, rounded, then columns."""
    proves("SMP-015", "SMP-055")

    def means(line):
        return [int(sum(part) / len(part) + 0.5)
                for part in (line[max(0, i - 3):i + 4] for i in range(len(line)))]

    got = on_model(model, "opencl", "avgblur_opencl=sizeX=3")
    planes = [[means(row) for row in plane] for plane in channels(picture([], None, "format=rgba"))]
    planes = [list(zip(*[means(column) for column in zip(*plane)])) for plane in planes]
    return largest(got, woven(planes)) <= 1


def flipped(model):
    """The shader samples at (width - x, y), the corner of four texels, with a linear filter."""
    proves("SMP-015", "SMP-056")

    def corner(plane, x, y):
        rows, columns = (max(y - 1, 0), y), (max(x - 1, 0), min(x, WIDTH - 1))
        return sum(plane[r][c] for r in rows for c in columns) / 4

    got = on_model(model, "vulkan", "hflip_vulkan")
    planes = [[[corner(plane, WIDTH - x, y) for x in range(WIDTH)] for y in range(HEIGHT)]
              for plane in channels(picture([], None, "format=rgba"))]
    return largest(got, woven(planes)) <= 1


def gaussian(count):
    """Weights of a bell of width 1 at 0, 1, …: its integral around each, by Simpson's rule; both
    sides add up to 1."""
    bell = [math.exp(-x * x / 8) for x in range(-1, 2 * count)]
    weights = [(bell[2 * i] + 4 * bell[2 * i + 1] + bell[2 * i + 2]) / 6 for i in range(count)]
    whole = 2 * sum(weights) - weights[0]
    return [w / whole for w in weights]


def smoothed(model):
    """Rows, rounded, then columns. The shaders sample at whole coordinates, corners of four texels,
    with a linear filter."""
    proves("SMP-015", "SMP-056")
    weights = gaussian(4)

    def corner(plane, x, y):
        rows = [min(max(r, 0), HEIGHT - 1) for r in (y - 1, y)]
        columns = [min(max(c, 0), WIDTH - 1) for c in (x - 1, x)]
        return sum(plane[r][c] for r in rows for c in columns) / 4

    def along(plane, dx, dy):
        return [[round(sum(weights[abs(i)] * corner(plane, x + i * dx, y + i * dy)
                           for i in range(-3, 4)))
                 for x in range(WIDTH)] for y in range(HEIGHT)]

    got = on_model(model, "vulkan", "gblur_vulkan=sigma=1:size=7")
    planes = [along(along(plane, 1, 0), 0, 1)
              for plane in channels(picture([], None, "format=rgba"))]
    return largest(got, woven(planes)) <= 1


def placed(options):
    """A frame through libplacebo, by the model and by lavapipe."""
    def case(model):
        got, want = (on_model(prefix, "vulkan", f"libplacebo={options}") for prefix in (model, []))
        off = max((abs(x - y) for x, y in zip(got, want)), default=255)
        return len(got) == len(want) > 0 and off <= 1 and len(set(got)) > 16
    return case


def main(pergola):
    if not shutil.which("ffmpeg"):
        print("1..0 # SKIP ffmpeg is not installed")
        return 0
    model = [pergola, "run", "--quiet", "--"]
    beignet = "" if BEIGNET else "Beignet is not installed"
    cases = [("transpose_opencl", transposed, beignet), ("avgblur_opencl", blurred, beignet),
             ("hflip_vulkan", flipped, ""), ("gblur_vulkan", smoothed, "")]
    lavapipe = "" if LAVAPIPE else "lavapipe is not installed"
    cases += [(f"libplacebo {options}", placed(options), lavapipe)
              for options in ("w=100:h=90", "w=160:h=120:upscaler=ewa_lanczos",
                              "w=40:h=30:downscaler=mitchell", "deband=true",
                              "colorspace=bt2020nc:color_primaries=bt2020:color_trc=smpte2084")]
    print(f"1..{len(cases)}")
    good = True
    for n, (name, case, missing) in enumerate(cases, 1):
        if missing:
            print(f"ok {n} - {name} # SKIP {missing}")
            continue
        ok = case(model)
        good &= ok
        print(f"{'ok' if ok else 'not ok'} {n} - {name}", flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
