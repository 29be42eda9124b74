#!/usr/bin/env python3
"""The same kernels through hasvk on the model, through lavapipe and through PoCL, in one run; the best of three rounds.

usage: bench_vulkan.py PERGOLA VK_BENCH CL_BENCH KERNELS.cl
"""
import glob
import os
import subprocess
import sys


ROUNDS = 3


def times(command, env=None):
    out = subprocess.run(command, env=dict(os.environ, **(env or {})), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                         text=True, check=True).stdout
    return {w[0]: float(w[1]) for w in (line.split() for line in out.split("\n")) if len(w) == 2}


def icd(pattern):
    found = glob.glob(pattern)
    return found[0] if found else None


def best(rounds):
    return {name: min(r[name] for r in rounds) for name in rounds[0]}


def main(pergola, vk_bench, cl_bench, kernels):
    lvp = icd("/usr/share/vulkan/icd.d/lvp_icd*.json")
    vendor = icd("/etc/OpenCL/vendors/pocl*.icd")
    rounds = ([], [], [])
    # In turn, several times: what else the machine does, and a core that is shared with somebody, hits all of them.
    for _ in range(ROUNDS):
        rounds[0].append(times([pergola, "run", "--check=off", "--", vk_bench]))
        rounds[1].append(times([vk_bench], {"VK_ICD_FILENAMES": lvp, "VK_DRIVER_FILES": lvp}) if lvp else {})
        rounds[2].append(times([cl_bench, kernels], {"OCL_ICD_VENDORS": vendor}) if vendor else {})
    model, lavapipe, pocl = (best(r) for r in rounds)
    if not model or not lavapipe:
        print("bench_vulkan: a driver gave no result", file=sys.stderr)
        return 1
    print(f"{'kernel':12} {'pergola':>12} {'lavapipe':>12} {'ratio':>7} {'PoCL':>12} {'ratio':>7}   (ratio: peer's time / ours; above 1 we are faster)")
    for name, t in model.items():
        row = f"{name:12} {t * 1e3:9.3f} ms"
        for peer in (lavapipe, pocl):
            row += f" {peer[name] * 1e3:9.3f} ms {peer[name] / t:7.3f}" if name in peer else f" {'-':>12} {'-':>7}"
        print(row)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:5]))
