#!/usr/bin/env python3
"""How long the replay of an AUB file takes beside the run that it records: processor time, best of
three.

usage: replay.py PERGOLA PROGRAM [ARGUMENT...]"""
import os
import resource
import subprocess
import sys
import tempfile


def seconds(command, place):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=place, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    pergola, program = os.path.abspath(sys.argv[1]), sys.argv[2:]
    os.environ["MESA_SHADER_CACHE_DISABLE"] = "1"
    with tempfile.TemporaryDirectory() as d:
        plain = min(seconds([pergola, "run", "--deterministic", "--", *program], d)
                    for _ in range(3))
        run = min(seconds([pergola, "run", "--deterministic", "--aub", "a.aub", "--", *program], d)
                  for _ in range(3))
        replay = min(seconds([pergola, "replay", "--deterministic", "a.aub"], d) for _ in range(3))
        size = os.path.getsize(os.path.join(d, "a.aub"))
    print(f"{os.path.basename(program[0])}: run {plain:.2f} s, recorded {run:.2f} s "
          f"({size / 1e6:.0f} MB), replayed {replay:.2f} s: "
          f"{replay / plain:.2f} of the run")


if __name__ == "__main__":
    main()
