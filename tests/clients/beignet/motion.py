#!/usr/bin/env python3
"""Beignet's built-in kernel block_motion_estimate_intel (cl_intel_motion_estimation) with every
setting it has.

usage: motion.py PERGOLA

A child of this program, on the model, drives the stock driver through libOpenCL; the parent
evaluates the same searches by plain loops over all places of the window and by the printed filters,
and compares vectors and residuals. Prints TAP.
"""
import ctypes
import glob
import json
import os
import random
import subprocess
import sys

from proves import proves

W, H = 48, 32
RADII = {0: (2, 2), 1: (4, 4), 5: (16, 12)}
TAPS = {0: (0, 1, 0, 0, 0), 1: (-1, 13, 5, -1, 4), 2: (-1, 5, 5, -1, 3), 3: (-1, 5, 13, -1, 4)}


def pictures():
    r = random.Random(7)
    base = [[r.randrange(256) for _ in range(W + 16)] for _ in range(H + 16)]
    soft = [[(2 * base[y][x] + base[y][x + 1] + base[y + 1][x]) // 4 for x in range(W + 15)]
            for y in range(H + 15)]
    reference = [[soft[y + 6][x + 6] for x in range(W)] for y in range(H)]
    source = [[(soft[y + 5][x + 8] + soft[y + 5][x + 9] + r.randrange(4)) // 2 % 256
               for x in range(W)] for y in range(H)]
    return source, reference


# Block type (0: 16x16, 1: 8x8, 2: 4x4), precision (0, 1, 2), Haar, search path, predictors.
def configurations():
    for block in range(3):
        for precision in range(3):
            for haar in range(2):
                yield block, precision, haar, 1, False
    for path in RADII:
        for predictor in (False, True):
            yield 1, 2, 0, path, predictor


def predictors():
    return [(4 * (i % 3), -4 * (i % 2)) for i in range(W // 16 * (H // 16))]


# ---- the child: OpenCL by its C interface ----

def child():
    cl = ctypes.CDLL("libOpenCL.so.1")
    void, size, err = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int(0)
    for name in ("clCreateContext", "clCreateCommandQueue", "clCreateProgramWithBuiltInKernels",
                 "clCreateKernel", "clCreateImage",
                 "clCreateBuffer", "clGetExtensionFunctionAddressForPlatform"):
        getattr(cl, name).restype = void

    def ok(code):
        if code:
            raise SystemExit(f"OpenCL error {code}")

    platform, device = void(), void()
    ok(cl.clGetPlatformIDs(1, ctypes.byref(platform), None))
    ok(cl.clGetDeviceIDs(platform, ctypes.c_uint64(4), 1, ctypes.byref(device), None))
    context = void(cl.clCreateContext(None, 1, ctypes.byref(device), None, None, ctypes.byref(err)))
    queue = void(cl.clCreateCommandQueue(context, device, ctypes.c_uint64(0), ctypes.byref(err)))
    program = (void(cl.clCreateProgramWithBuiltInKernels(context, 1, ctypes.byref(device),
                                                         b"block_motion_estimate_intel",
                                                         ctypes.byref(err))))
    kernel = void(cl.clCreateKernel(program, b"block_motion_estimate_intel", ctypes.byref(err)))
    ok(err.value)
    create = ctypes.CFUNCTYPE(void, void, ctypes.c_uint, size, void, void)(
        cl.clGetExtensionFunctionAddressForPlatform(platform, b"clCreateAcceleratorINTEL"))

    def image(rows):
        # cl_image_format {CL_R, CL_UNORM_INT8}; cl_image_desc: type, width, height, then zeros
        fmt = (ctypes.c_uint * 2)(0x10B0, 0x10D2)
        desc = (ctypes.c_uint64 * 9)(0x10F1, W, H)
        data = (ctypes.c_uint8 * (W * H))(*[p for row in rows for p in row])
        m = void(cl.clCreateImage(context, ctypes.c_uint64(1 | 32), fmt, desc, data,
                                  ctypes.byref(err)))
        ok(err.value)
        return m

    def buffer(count, values=None):
        data = (ctypes.c_int16 * count)(*(values or [0] * count))
        m = void(cl.clCreateBuffer(context, ctypes.c_uint64(1 | 32), size(2 * count), data,
                                   ctypes.byref(err)))
        ok(err.value)
        return m, data

    source, reference = (image(p) for p in pictures())
    results = []
    for block, precision, haar, path, predicted in configurations():
        count = W // 16 * (H // 16) * (1, 4, 16)[block]
        desc = (ctypes.c_uint * 4)(block, precision, haar, path)
        accelerator = void(create(context, 0, 16, ctypes.cast(desc, void),
                                  ctypes.cast(ctypes.byref(err), void)))
        ok(err.value)
        vectors, out = buffer(2 * count)
        residuals, costs = buffer(count)
        guess = buffer(2 * len(predictors()), [v for p in predictors()
                                               for v in p])[0] if predicted else None
        for i, argument in enumerate((accelerator, source, reference, guess, vectors, residuals)):
            ok(cl.clSetKernelArg(kernel, i, size(8), ctypes.byref(argument) if argument else None))
        ok(cl.clEnqueueNDRangeKernel(queue, kernel, 2, None, (size * 2)(W, H), None, 0, None, None))
        ok(cl.clEnqueueReadBuffer(queue, vectors, 1, size(0), size(4 * count), out, 0, None, None))
        ok(cl.clEnqueueReadBuffer(queue, residuals, 1, size(0), size(2 * count), costs, 0, None,
                                  None))
        results.append([list(out), [c & 0xFFFF for c in costs]])
    print("RESULTS " + json.dumps(results))


# ---- the parent: plain evaluation ----

def clamp(v, top):
    return min(max(v, 0), top)


def cell(d, haar):
    """Distortion of 16 differences, halved."""
    if not haar:
        return sum(map(abs, d)) >> 1
    t = [d[2 * i] + d[2 * i + 1] for i in range(8)]
    total = sum(abs(d[2 * i] - d[2 * i + 1]) for i in range(8))
    s = [t[0] + t[2], t[1] + t[3], t[4] + t[6], t[5] + t[7]]
    total += abs(t[0] - t[2]) + abs(t[1] - t[3]) + abs(t[4] - t[6]) + abs(t[5] - t[7])
    up, low = s[0] + s[1], s[2] + s[3]
    return (total + abs(s[0] - s[1]) + abs(s[2] - s[3]) + abs(up + low) + abs(up - low)) >> 1


def tap(values, quarter):
    a, b, c, d, shift = TAPS[quarter]
    v = a * values[0] + b * values[1] + c * values[2] + d * values[3]
    return clamp((v + (1 << shift >> 1)) >> shift, 255)


class Search:
    def __init__(self, source, reference, mx, my, origin, radius, haar):
        self.source, self.haar, self.mx, self.my, self.origin = source, haar, mx, my, origin
        self.w, self.h = 16 + 2 * radius[0], 16 + 2 * radius[1]
        self.window = [[reference[clamp(16 * my + origin[1] + y,
                                        H - 1)][clamp(16 * mx + origin[0] + x, W - 1)]
                        for x in range(self.w)] for y in range(self.h)]

    def sample(self, x4, y4):
        """A place of the window in quarter pixels; taps repeat its edge."""
        x, y = x4 >> 2, y4 >> 2
        if not x4 & 3 and not y4 & 3:
            return self.window[y][x]
        rows = [y + r for r in (-1, 0, 1, 2)]
        column = [tap([self.window[clamp(r, self.h - 1)][clamp(x + c, self.w - 1)]
                       for c in (-1, 0, 1, 2)], x4 & 3) for r in rows]
        return tap(column, y4 & 3)

    def cost(self, bx, by, size, lx4, ly4):
        """Of the block at a place in the window; vectors cost nothing up to 16 pixels, one for each
        quarter beyond."""
        total = 0
        for cy in range(0, size, 4):
            for cx in range(0, size, 4):
                d = [self.sample(4 * (bx + cx + i % 4) + lx4, 4 * (by + cy + i // 4) + ly4) -
                     self.source[16 * self.my + by + cy + i // 4][16 * self.mx + bx + cx + i % 4]
                     for i in range(16)]
                total += cell(d, self.haar)
        return total + sum(max(0, abs(4 * o + p) - 64) for o, p in zip(self.origin, (lx4, ly4)))

    def best(self, bx, by, size, precision):
        columns, rows = (self.w - 16) // 4, (self.h - 16) // 4
        found = None
        for row in range(rows):
            for column in (range(columns) if row % 2 == 0 else reversed(range(columns))):
                for i in range(16):
                    x, y = 4 * (4 * column + i % 4), 4 * (4 * row + i // 4)
                    c = self.cost(bx, by, size, x, y)
                    if found is None or c < found[0]:
                        found = (c, x, y)
        for step in (2, 1)[:precision]:
            _, x0, y0 = found
            for dy in (-step, 0, step):
                for dx in (-step, 0, step):
                    if (dx or dy) and x0 + dx >= 0 and y0 + dy >= 0:
                        c = self.cost(bx, by, size, x0 + dx, y0 + dy)
                        if c < found[0]:
                            found = (c, x0 + dx, y0 + dy)
        c, x, y = found
        return c, 4 * self.origin[0] + x, 4 * self.origin[1] + y


def expected(block, precision, haar, path, predicted):
    """Vectors and residuals in the order in which the kernel stores them."""
    source, reference = pictures()
    size, across = (16, 8, 4)[block], (1, 2, 4)[block]
    vectors, residuals = {}, {}
    for mb in range(W // 16 * (H // 16)):
        mx, my = mb % (W // 16), mb // (W // 16)
        guess = predictors()[mb] if predicted else (0, 0)
        origin = (guess[0] // 4 - RADII[path][0], guess[1] // 4 - RADII[path][1])
        s = Search(source, reference, mx, my, origin, RADII[path], haar)
        for n in range(across * across):
            # The slots have the numbers of AVC; the kernel stores them as if these were in raster
            # order.
            bx = n % 2 * 8 if block == 1 else ((n & 1) | (n >> 1 & 2)) * 4 if block == 2 else 0
            by = n // 2 * 8 if block == 1 else ((n >> 1 & 1)
                                                | (n >> 2 & 2)) * 4 if block == 2 else 0
            c, x, y = s.best(bx, by, size, precision)
            at = (my * across + n // across) * (W // 16) * across + mx * across + n % across
            vectors[at], residuals[at] = [x, y], 2 * min(c, 0x3FFF) & 0xFFFF
    return [v for i in sorted(vectors)
            for v in vectors[i]], [residuals[i] for i in sorted(residuals)]


def run_child(pergola, icd, threads):
    """The results of all settings, or None (and why is printed)."""
    p = subprocess.run([os.path.abspath(pergola), "run", "--threads", str(threads), "--",
                        sys.executable, os.path.abspath(__file__), "--child"],
                       env=dict(os.environ, OCL_ICD_VENDORS=icd), stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, text=True, errors="replace", timeout=300)
    lines = [line for line in p.stdout.splitlines() if line.startswith("RESULTS ")]
    if not lines:
        print(f"Bail out! the program gave no results: {p.stdout[-300:]} {p.stderr[-600:]}")
        return None
    return json.loads(lines[0][8:])


def main(pergola):
    icd = glob.glob("/etc/OpenCL/vendors/intel-beignet*.icd")
    if not icd:
        print("Bail out! Beignet is not installed (scripts/install-beignet)")
        return 1
    answers = {threads: run_child(pergola, icd[0], threads) for threads in (1, 2, 4)}
    if not all(answers.values()):
        return 1
    failed = number = 0
    for setting, result in zip(configurations(), answers[1]):
        number += 1
        vectors, residuals = expected(*setting)
        good = [vectors, residuals] == result
        failed += not good
        proves("VME-077", "VME-078", "VME-072", "VME-118", "VME-162")
        name = ("block %s, precision %d, haar %d, path %d, predictors %d"
                % ((("16x16", "8x8", "4x4")[setting[0]],) + setting[1:]))
        print(f"{'' if good else 'not '}ok {number} - beignet_motion {name}", flush=True)
        if not good:
            print(f"# got {result[0][:12]} {result[1][:6]}\n# want {vectors[:12]} {residuals[:6]}")
    for threads in (2, 4):
        number += 1
        same = answers[threads] == answers[1]
        failed += not same
        print(f"{'' if same else 'not '}ok {number} - beignet_motion the same bits with {threads} "
              f"host threads as with one")
    print(f"1..{number}")
    return 1 if failed or not number else 0


if __name__ == "__main__":
    sys.exit(child() if sys.argv[1:] == ["--child"] else main(sys.argv[1]))
