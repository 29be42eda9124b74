#!/usr/bin/env python3
"""The same kernels through hasvk on the model, through lavapipe and through PoCL, in one run; the
best of three rounds, first with one host thread each, then with two.

usage: bench_vulkan.py PERGOLA VK_BENCH CL_BENCH KERNELS.cl
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import drivers


def measure(threads, pergola, vk_bench, cl_bench, kernels):
    """Of ours, lavapipe and PoCL: {kernel: seconds}, empty where there is no driver."""
    n = str(threads)
    lvp = drivers.lavapipe()
    vendor = drivers.first("/etc/OpenCL/vendors/pocl*.icd")
    rounds = ([], [], [])
    for _ in range(drivers.ROUNDS):
        rounds[0].append(drivers.figures(
            [pergola, "run", "--check=off", "--threads", n, "--", vk_bench]))
        rounds[1].append(drivers.figures([vk_bench], dict(lvp, LP_NUM_THREADS=n)) if lvp else {})
        rounds[2].append(drivers.figures(
            [cl_bench, kernels], {"OCL_ICD_VENDORS": vendor, "POCL_MAX_PTHREAD_COUNT": n})
            if vendor else {})
    return [drivers.best(r, min) for r in rounds]


def show(threads, model, lavapipe, pocl, one):
    print(f"{threads} host thread{'s' * (threads > 1)} each   "
          "(ratio: peer's time / ours; above 1 we are faster)")
    print(f"{'kernel':12} {'pergola':>12} {'lavapipe':>12} {'ratio':>7} {'PoCL':>12} {'ratio':>7}"
          + f" {'of one':>7}" * bool(one))
    for name, t in model.items():
        row = f"{name:12} {t * 1e3:9.3f} ms"
        for peer in (lavapipe, pocl):
            row += (f" {peer[name] * 1e3:9.3f} ms {peer[name] / t:7.3f}" if name in peer
                    else f" {'-':>12} {'-':>7}")
        print(row + (f" {one[name] / t:7.2f}" if one else ""))


def main(*programs):
    one = None
    for threads in (1, 2):
        model, lavapipe, pocl = measure(threads, *programs)
        if not model or not lavapipe:
            print("bench_vulkan: a driver gave no result", file=sys.stderr)
            return 1
        show(threads, model, lavapipe, pocl, one)
        one = model
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:5]))
