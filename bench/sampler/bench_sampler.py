#!/usr/bin/env python3
"""Samples a second through hasvk on the model and through lavapipe, the same shaders and textures,
in one run; the best of three rounds, one host thread each.

usage: bench_sampler.py PERGOLA SAMPLER_BENCH
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import drivers

SAMPLES = 256 * 256 * 64
GOALS = {"trilinear": 0.7, "anisotropic_16": 0.7}


def main(pergola, program):
    lvp = drivers.lavapipe()
    if not lvp:
        print("bench_sampler: lavapipe is not installed", file=sys.stderr)
        return 1
    one = {"LP_NUM_THREADS": "0"}
    rounds = ([], [])
    for _ in range(drivers.ROUNDS):
        rounds[0].append(drivers.figures(["taskset", "-c", "0", pergola, "run", "--check=off", "--",
                                          program]))
        rounds[1].append(drivers.figures(["taskset", "-c", "0", program], {**lvp, **one}))
    model, peer = (drivers.best(r, min) for r in rounds)
    print(f"{'filter':24} {'pergola':>12} {'lavapipe':>12} {'ratio':>7} {'goal':>5}   (million "
          f"samples/s; above 1 we are faster)")
    for name, t in model.items():
        print(f"{name:24} {SAMPLES / t / 1e6:12.1f} {SAMPLES / peer[name] / 1e6:12.1f} "
              f"{peer[name] / t:7.3f} {GOALS.get(name, 1.0):5.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
