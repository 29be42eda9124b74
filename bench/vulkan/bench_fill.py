#!/usr/bin/env python3
"""Drawing through hasvk on the model and through lavapipe, in one run on one host thread each; the
best of three rounds. Figures are millions per second of processor time.

usage: bench_fill.py PERGOLA VK_FILL [ROUNDS]
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import drivers

GOALS = {"small": 0.4, "discarded": 0.3}  # of lavapipe's; the others 0.5


def main(pergola, vk_fill, rounds=drivers.ROUNDS):
    lvp, ours, peer = drivers.lavapipe(), [], []
    if not lvp:
        print("bench_fill: no lavapipe", file=sys.stderr)
        return 1
    for _ in range(int(rounds)):
        ours.append(drivers.figures([pergola, "run", "--threads", "1", "--", vk_fill]))
        peer.append(drivers.figures([vk_fill], dict(lvp, LP_NUM_THREADS="0")))
    model, lavapipe = drivers.best(ours, max), drivers.best(peer, max)
    print(f"{'drawing':22} {'pergola':>10} {'lavapipe':>10} {'ratio':>7}   (M/s; goal)")
    for name, rate in model.items():
        print(f"{name:22} {rate:10.2f} {lavapipe[name]:10.2f} {rate / lavapipe[name]:7.3f}   "
              f"{GOALS.get(name.split('_')[0], 0.5)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:4]))
