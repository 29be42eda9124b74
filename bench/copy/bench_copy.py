#!/usr/bin/env python3
"""Vulkan's transfers through hasvk on the model, with its rules and without, and through lavapipe,
in one run; the best of three rounds.

usage: bench_copy.py PERGOLA COPY_BENCH
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import drivers


def main(pergola, copy_bench):
    lvp = drivers.lavapipe()
    if not lvp:
        print("bench_copy: lavapipe is not installed", file=sys.stderr)
        return 1
    rounds = ([], [], [])
    for _ in range(drivers.ROUNDS):
        rounds[0].append(drivers.figures([pergola, "run", "--", copy_bench]))
        rounds[1].append(drivers.figures([pergola, "run", "--check=off", "--", copy_bench]))
        rounds[2].append(drivers.figures([copy_bench], lvp))
    checked, unchecked, lavapipe = (drivers.best(r, max) for r in rounds)
    if not checked or checked.keys() != lavapipe.keys():
        print("bench_copy: a driver gave no result", file=sys.stderr)
        return 1
    print(f"{'transfer':16} {'pergola':>12} {'ratio':>7} {'--check=off':>12} {'ratio':>7} "
          f"{'lavapipe':>12}   (MB/s; ratio: ours / lavapipe's)")
    for name, peer in lavapipe.items():
        row = f"{name:16}"
        for ours in (checked, unchecked):
            row += f" {ours[name]:12.0f} {ours[name] / peer:7.3f}"
        print(f"{row} {peer:12.0f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
