#!/usr/bin/env python3
"""Runs every fuzzer of a build for a bounded time, as many at once as there are processors.

usage: fuzzrun.py --build DIR [--seconds N] [--seed N] [--explore] [NAME...]

A run takes the same inputs every time: the seed, the environment, addresses and the number of
inputs are given, and a slow machine only sees fewer of them. So a test of the project does not fail
by luck. --explore is for finding: another seed each time, as many inputs as there is time for.

Fuzzers are the executables tests/fuzz/fuzz_*; seeds come from tests/fuzz/corpus/NAME. A crash, a
hang
(25 s for one input) or a fuzzer that never ran fails. Writes DIR/fuzzlog.json in the form of
meson's test log.
"""
import argparse
import concurrent.futures
import glob
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")


# About what a small machine does in 45 seconds.
RUNS = {"bcs": 25000, "blitter": 20000, "dataport": 700000, "decode": 300000, "drm": 40000,
        "eu_asm": 1200000, "eu_isa": 250000,
        "eu_native": 18000, "eu_run": 7000, "mmio": 50000, "pagetable": 120000, "rcs": 3000,
        "vcs": 70000, "vme": 30000,
        "aub": 20000, "error_state": 8000, "hang_dump": 12000, "draw": 30000, "mcs": 42000,
        "snapshot": 2500, "stages": 48000}
FIXED_ADDRESSES = ["setarch", "-R"]


def run(exe, seconds, seed, explore):
    name = os.path.basename(exe)
    seeds = os.path.abspath(os.path.join(ROOT, "tests/fuzz/corpus", name))
    with tempfile.TemporaryDirectory() as work:
        # What is compared in the program guides the fuzzer, addresses too: paths and environment
        # must not move the stack.
        os.symlink(os.path.abspath(exe), os.path.join(work, "fuzz"))
        os.mkdir(os.path.join(work, "found"))
        command = ["./fuzz", f"-max_total_time={seconds}", f"-seed={seed}", "-timeout=25",
                   "-rss_limit_mb=4096", "-verbosity=1",
                   "-print_final_stats=1", "-reload=0", "-artifact_prefix=./"]
        if not explore:
            command = (FIXED_ADDRESSES + command
                       + [f"-runs={RUNS.get(name.removeprefix('fuzz_'), 50000)}"])
        command.append("found")
        if os.path.isdir(seeds):
            os.symlink(seeds, os.path.join(work, "seeds"))
            command.append("seeds")
        p = subprocess.run(command, cwd=work, env={"PATH": "/usr/bin:/bin"}, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, text=True, errors="replace")
        out = p.stdout
        units = 0
        for line in out.split("\n"):
            if line.startswith("stat::number_of_executed_units:"):
                units = int(line.split(":")[-1])
        found = [f
                 for f in os.listdir(work) if f.startswith(("crash-", "timeout-", "oom-", "leak-"))]
        for f in found:
            keep = os.path.join(tempfile.gettempdir(), f"{name}-{f}")
            os.replace(os.path.join(work, f), keep)
            out += f"\ninput kept as {keep}\n"
    ok = p.returncode == 0 and not found and units > 0
    return name, ok, units, out


def main():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", required=True)
    p.add_argument("--seconds", type=int, default=60)
    p.add_argument("--seed", type=int, default=1, help="0: another one each time (default: 1)")
    p.add_argument("--explore", action="store_true",
                   help="another seed each time, inputs bounded by time alone")
    p.add_argument("names", nargs="*")
    a = p.parse_args()
    if subprocess.run(FIXED_ADDRESSES + ["true"], stderr=subprocess.DEVNULL).returncode:
        FIXED_ADDRESSES.clear()  # not allowed here: the inputs are others each time
    if a.explore:
        a.seed = 0
    exes = sorted(e
                  for e in glob.glob(os.path.join(a.build, "tests/fuzz/fuzz_*"))
                  if os.path.isfile(e) and os.access(e, os.X_OK))
    if a.names:
        exes = [e for e in exes if os.path.basename(e) in a.names]
    bad = 0
    with open(os.path.join(a.build, "fuzzlog.json"),
              "w") as log, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, ok, units, out in pool.map(lambda e: run(e, a.seconds, a.seed, a.explore), exes):
            print(f"{'ok  ' if ok else 'FAIL'} {name}: {units} inputs in {a.seconds} s", flush=True)
            if not ok:
                print(out[-6000:])
                bad += 1
            log.write(json.dumps({"name": name, "result": "OK" if ok else "FAIL", "stdout": "" if ok
                                  else out[-2000:]}) + "\n")
    if not exes:
        print("fuzzrun: no fuzzer found", file=sys.stderr)
    return 1 if bad or not exes else 0


if __name__ == "__main__":
    sys.exit(main())
