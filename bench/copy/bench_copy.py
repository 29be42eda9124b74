#!/usr/bin/env python3
"""Vulkan's transfers through hasvk on the model, with its rules and without, and through lavapipe, in one run; the best of
three rounds.

usage: bench_copy.py PERGOLA COPY_BENCH
"""
import glob
import os
import subprocess
import sys


ROUNDS = 3


def speeds(command, env=None):
    out = subprocess.run(command, env=dict(os.environ, **(env or {})), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                         text=True, check=True).stdout
    return {w[0]: float(w[1]) for w in (line.split() for line in out.split("\n")) if len(w) == 2}


def best(rounds):
    return {name: max(r[name] for r in rounds) for name in rounds[0]}


def main(pergola, copy_bench):
    found = glob.glob("/usr/share/vulkan/icd.d/lvp_icd*.json")
    if not found:
        print("bench_copy: lavapipe is not installed", file=sys.stderr)
        return 1
    lvp = {"VK_ICD_FILENAMES": found[0], "VK_DRIVER_FILES": found[0]}
    rounds = ([], [], [])
    for _ in range(ROUNDS):  # in turn: what else the machine does hits all of them
        rounds[0].append(speeds([pergola, "run", "--", copy_bench]))
        rounds[1].append(speeds([pergola, "run", "--check=off", "--", copy_bench]))
        rounds[2].append(speeds([copy_bench], lvp))
    checked, unchecked, lavapipe = (best(r) for r in rounds)
    if not checked or checked.keys() != lavapipe.keys():
        print("bench_copy: a driver gave no result", file=sys.stderr)
        return 1
    print(f"{'transfer':16} {'pergola':>12} {'ratio':>7} {'--check=off':>12} {'ratio':>7} {'lavapipe':>12}   (MB/s; ratio: ours / lavapipe's)")
    for name, peer in lavapipe.items():
        row = f"{name:16}"
        for ours in (checked, unchecked):
            row += f" {ours[name]:12.0f} {ours[name] / peer:7.3f}"
        print(f"{row} {peer:12.0f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
