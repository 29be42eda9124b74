#!/usr/bin/env python3
"""OpenCL images by PyOpenCL and Beignet on the model: read_imagef of random places, against numpy.
Nearest is exact; linear weights have 8 bits.

usage: images.py PERGOLA
"""
import glob
import itertools
import os
import subprocess
import sys

PYTHON = "/usr/bin/python3"  # the one that the packages are for
WIDTH, HEIGHT, PLACES = 37, 21, 4096
KERNEL = """__kernel void f(__read_only image2d_t image, sampler_t s, __global const float2 *at, __global float4 *out)
{ int i = get_global_id(0); out[i] = read_imagef(image, s, at[i]); }"""
TYPES = ("uint8", "uint16", "float32")
WAYS = [(True, m)
        for m in ("CLAMP_TO_EDGE", "REPEAT", "MIRRORED_REPEAT")] + [(False, "CLAMP_TO_EDGE")]
CASES = list(itertools.product(TYPES, WAYS, ("NEAREST", "LINEAR")))


def expected(np, texels, at, mode, linear):
    """Values, and which of the places do not lie on the border of two texels."""
    def index(i, n):
        if mode == "REPEAT":
            return i % n
        i = np.where(i % (2 * n) < n, i % (2 * n),
                     2 * n - 1 - i % (2 * n)) if mode == "MIRRORED_REPEAT" else i
        return np.clip(i, 0, n - 1)

    if not linear:
        i = np.floor(at).astype(int)
        return texels[index(i[:, 1], HEIGHT),
                      index(i[:, 0], WIDTH)], np.abs(at - np.round(at)).min(axis=1) > 1e-3
    i = np.floor(at - 0.5).astype(int)
    f = at - 0.5 - i
    total = 0
    for dy, dx in itertools.product((0, 1), repeat=2):
        weight = np.where(dx, f[:, 0], 1 - f[:, 0]) * np.where(dy, f[:, 1], 1 - f[:, 1])
        total = total + weight[:, None] * texels[index(i[:, 1] + dy, HEIGHT),
                                                 index(i[:, 0] + dx, WIDTH)]
    return total, np.full(len(at), True)


def child():
    import numpy as np
    import pyopencl as cl
    context = cl.Context([cl.get_platforms()[0].get_devices()[0]])
    queue = cl.CommandQueue(context)
    program = cl.Program(context, KERNEL).build()
    random = np.random.default_rng(2)
    for kind, (normalised, mode), how in CASES:
        whole = kind != "float32"
        most = np.iinfo(kind).max if whole else 1
        image = (random.random((HEIGHT, WIDTH, 4)) * most).astype(kind)
        at = (random.random((PLACES,
                             2)) * 3
              - 1).astype("float32") * (1 if normalised else np.array([WIDTH, HEIGHT], "float32"))
        out = np.empty((PLACES, 4), "float32")
        places = cl.Buffer(context, cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR, hostbuf=at)
        result = cl.Buffer(context, cl.mem_flags.WRITE_ONLY, out.nbytes)
        sampler = cl.Sampler(context, normalised, getattr(cl.addressing_mode, mode),
                             getattr(cl.filter_mode, how))
        program.f(queue, (PLACES,), None, cl.image_from_array(context, image, 4, norm_int=whole),
                  sampler, places, result)
        cl.enqueue_copy(queue, out, result)
        want, sure = expected(np, image / most,
                              at.astype(float) * ([WIDTH, HEIGHT] if normalised else 1), mode,
                              how == "LINEAR")
        print(f"{np.abs(out - want)[sure].max():.9f}", flush=True)


def main(pergola):
    icd = glob.glob("/etc/OpenCL/vendors/intel-beignet*.icd")
    if not icd or subprocess.run([PYTHON, "-c",
                                  "import numpy, pyopencl"], capture_output=True,
                                 check=False).returncode:
        print("1..0 # SKIP Beignet or PyOpenCL is not installed")
        return 0
    p = subprocess.run([pergola, "run", "--quiet", "--", PYTHON, os.path.abspath(__file__)],
                       capture_output=True, text=True, check=False,
                       env=dict(os.environ, OCL_ICD_VENDORS=icd[0], PYOPENCL_NO_CACHE="1"))
    errors = [float(line) for line in p.stdout.split() if line.replace(".", "").isdigit()]
    errors += [1.0] * (len(CASES) - len(errors))
    print(f"1..{len(CASES)}")
    good = p.returncode == 0
    for n, (error, (kind, (normalised, mode), how)) in enumerate(zip(errors, CASES), 1):
        ok = error <= (1 / 256 if how == "LINEAR" else 1e-6)
        good &= ok
        print(f"{'ok' if ok else 'not ok'} {n} - {kind} {mode} "
              f"{how}{'' if normalised else ' unnormalised'} # {error:.6f}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]) if len(sys.argv) > 1 else child())
