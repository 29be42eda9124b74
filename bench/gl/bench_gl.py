#!/usr/bin/env python3
"""OpenGL through crocus on the model, with its rules and without, and through llvmpipe, in one run
on one host thread each; the best of three rounds. Figures are millions per second of processor
time.

usage: bench_gl.py PERGOLA GL_BENCH [ROUNDS]
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import drivers

GOALS = {"small": 0.4, "discarded": 0.3, "mesh": 0.3}  # of llvmpipe's; the others 0.5


def main(pergola, gl_bench, rounds=drivers.ROUNDS):
    ours, quiet, peer = [], [], []
    for _ in range(int(rounds)):
        ours.append(drivers.figures([pergola, "run", "--threads", "1", "--", gl_bench]))
        quiet.append(drivers.figures([pergola, "run", "--threads", "1", "--check=off", "--",
                                      gl_bench]))
        peer.append(drivers.figures([gl_bench],
                                    {"LIBGL_ALWAYS_SOFTWARE": "1", "LP_NUM_THREADS": "0"}))
    checked, unchecked, llvmpipe = (drivers.best(r, max) for r in (ours, quiet, peer))
    if not checked or not checked.keys() >= llvmpipe.keys():
        print("bench_gl: a driver gave no result", file=sys.stderr)
        return 1
    print(f"{'drawing':22} {'pergola':>10} {'ratio':>7} {'--check=off':>12} {'ratio':>7} "
          f"{'llvmpipe':>10}   (M/s; goal)")
    for name in checked:
        goal, rate = GOALS.get(name.split("_")[0], 0.5), llvmpipe.get(name)
        if not rate:  # eight samples: llvmpipe has four at most
            print(f"{name:22} {checked[name]:10.2f} {'-':>7} {unchecked[name]:12.2f} {'-':>7} "
                  f"{'-':>10}   no peer")
            continue
        print(f"{name:22} {checked[name]:10.2f} {checked[name] / rate:7.3f} "
              f"{unchecked[name]:12.2f} {unchecked[name] / rate:7.3f} "
              f"{rate:10.2f}   {goal}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:4]))
