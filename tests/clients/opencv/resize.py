#!/usr/bin/env python3
"""OpenCV's resize by Beignet on the model, against the same function on the processor. Every case
must have run threads: OpenCV goes on with the processor where OpenCL does not do. Linear filters
read through the sampler, whose weights have 8 bits, rounded down on each axis: two of them are off
by less than 2 / 256 of the range. With threads counted, messages take the general path; a second
run, by fast paths, must give the same bits.

usage: resize.py PERGOLA
"""
import glob
import itertools
import os
import re
import subprocess
import sys
import zlib

PYTHON = "/usr/bin/python3"  # the one that the package is for
TYPES = {"uint8": 255, "uint16": 65535, "float32": 1}
SHAPES = [(123, 87, 1), (123, 87, 4), (64, 64, 4)]
SIZES = [(61, 200), (174, 246), (29, 41)]
BOUNDS = {"NEAREST": 0, "LINEAR": 2 / 256, "AREA": 1 / 255}  # of the range
CASES = [c for c in itertools.product(TYPES, SHAPES, SIZES, BOUNDS) if c[3] != "AREA"
         or c[2] == (29, 41)]


def sure(np, source, target, how):
    """Places along an axis whose nearest texel does not hang on how the ratio is rounded: OpenCV
    has a double on the processor and a float in its kernel, which differ where a place lies between
    two texels."""
    places, ratio = np.arange(target), source / target
    between = (places * source % target == 0) & (places > 0) & (np.float32(ratio) != ratio)
    return ~between if how == "NEAREST" else places >= 0


def child():
    import cv2
    import numpy as np
    cv2.ocl.setUseOpenCL(True)
    print("device", cv2.ocl.Device_getDefault().name(), flush=True)
    random = np.random.default_rng(14)
    for kind, shape, size, how in CASES:
        image = (random.random(shape) * TYPES[kind]).astype(kind)
        way = getattr(cv2, "INTER_" + how)
        want = cv2.resize(image, size, interpolation=way)
        print("begins", flush=True)
        got = cv2.resize(cv2.UMat(image), size, interpolation=way).get()
        assert got.shape == want.shape and got.dtype == want.dtype
        keep = np.ix_(sure(np, shape[0], size[1], how), sure(np, shape[1], size[0], how))
        print(f"result {np.abs(got.astype(float) - want)[keep].max() / TYPES[kind]:.9f} "
              f"{zlib.crc32(got.tobytes())}", flush=True)


def read(output):
    """(worst difference, threads, checksum) of each case. Batches tell of themselves in between."""
    results, threads = [], 0
    for line in output.split("\n"):
        words = line.split()
        batch = re.match(r"pergola: batch .*, (\d+) threads?\b", line)
        threads += int(batch.group(1)) if batch else 0
        if words[:1] == ["begins"]:
            threads = 0
        if words[:1] == ["result"]:
            results.append((float(words[1]), threads, words[2]))
    return results


def main(pergola):
    icd = glob.glob("/etc/OpenCL/vendors/intel-beignet*.icd")
    if not icd or subprocess.run([PYTHON, "-c",
                                  "import cv2, numpy"], capture_output=True,
                                 check=False).returncode:
        print("1..0 # SKIP Beignet or OpenCV for Python is not installed")
        return 0
    good, runs = True, []
    for options in ["--stats"], []:
        p = subprocess.run([pergola, "run", "--quiet"] + options
                           + ["--", PYTHON, os.path.abspath(__file__)], check=False, text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                           env=dict(os.environ, OCL_ICD_VENDORS=icd[0],
                                    OPENCV_OPENCL_CACHE_ENABLE="0"))
        results = read(p.stdout)
        runs.append(results + [(1.0, 0, options)] * (len(CASES) - len(results)))
        if p.returncode:
            good = False
            print(p.stdout, file=sys.stderr)
    print(f"1..{len(CASES)}")
    for n, ((error, threads, bits), fast,
            (kind, shape, size, how)) in enumerate(zip(*runs, CASES), 1):
        ok = error <= BOUNDS[how] and threads > 0 and fast[2] == bits
        good &= ok
        picture = f"{kind} {shape[1]}x{shape[0]}x{shape[2]} to {size[0]}x{size[1]}"
        print(f"{'ok' if ok else 'not ok'} {n} - {picture} {how} # {error:.6f} of the range, "
              f"{threads} threads")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]) if len(sys.argv) > 1 else child())
