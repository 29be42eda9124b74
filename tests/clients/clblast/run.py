#!/usr/bin/env python3
"""Runs the tests of CLBlast, a tuned BLAS in OpenCL (stock Debian package clblast-tests), by
Beignet on the model. Each compares what its kernels compute with a BLAS on the CPU.

usage: run.py [--jobs N] [--timeout S] [--all] PERGOLA

A case is a routine in one precision; some of its tests end as skipped, since the BLAS on the CPU
does not say what is wrong with bad arguments. Prints TAP. Without --all the programs that take long
are shown as skipped.
"""
import argparse
import concurrent.futures
import glob
import os
import re
import subprocess
import sys

LONG = ("xcol2im", "xconvgemm", "xgbmv", "xgemmbatched", "xgemmstridedbatched", "xhbmv", "xher2k",
        "xim2col", "xsymm", "xsyr2k", "xsyrk", "xtbmv", "xtpmv", "xtrmm", "xtrmv", "xtrsm", "xtrsv")
ROUTINE = re.compile(r"Starting tests for the '(\w+)' routine")
COUNT = re.compile(r"(\d+) test\(s\) (passed|skipped|failed)")


def run(pergola, program, timeout):
    """[(routine, passed, failed or why)], and what the program ended with."""
    icd = glob.glob("/etc/OpenCL/vendors/intel-beignet*.icd")
    env = dict(os.environ, OCL_ICD_VENDORS=icd[0] if icd else "")
    try:
        p = subprocess.run([pergola, "run", "--quiet", "--", program, "-platform", "0", "-device",
                            "0"], env=env,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                           errors="replace", timeout=timeout)
    except subprocess.TimeoutExpired:
        return [], f"no result in {timeout} s"
    parts = ROUTINE.split(re.sub(r"\x1b\[[0-9;]*m", "", p.stdout))
    results = []
    for name, text in zip(parts[1::2], parts[2::2]):
        if "All tests skipped: Unsupported precision" in text:
            results.append((name, None, "the driver does not offer its precision"))
            continue
        count = {"passed": 0, "skipped": 0, "failed": 0}
        for n, what in COUNT.findall(text):
            count[what] += int(n)
        results.append((name, count["passed"], f"{count['failed']} failed" if count["failed"]
                        else ""))
    return results, f"exit status {p.returncode}" if p.returncode else ""


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--jobs", type=int, default=os.cpu_count())
    a.add_argument("--timeout", type=int, default=300)
    a.add_argument("--all", action="store_true")
    a.add_argument("pergola")
    a = a.parse_args()
    programs = {os.path.basename(p)[len("clblast_test_"):]: p
                for p in sorted(glob.glob("/usr/bin/clblast_test_x*"))}
    if not programs:
        print("1..0 # SKIP the package clblast-tests could not be had")
        return 0
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        running = {n: pool.submit(run, a.pergola, p, a.timeout)
                   for n, p in programs.items() if a.all or n not in LONG}
    number = failed = total = 0

    def line(ok, text):
        nonlocal number, failed
        number += 1
        failed += not ok
        print(f"{'' if ok else 'not '}ok {number} - {text}")

    for name in programs:
        if name not in running:
            line(True, f"{name} # SKIP takes long (--all)")
            continue
        results, end = running[name].result()
        if end or not results:
            line(False, f"{name}: {end or 'nothing was tested'}")
        for routine, passed, why in results:
            if passed is None:
                line(True, f"{routine} # SKIP {why}")
            else:
                total += passed
                line(passed > 0 and not why,
                     f"{routine}: {passed} passed{', ' if why else ''}{why}")
    line(total > 1000, f"{total} tests passed in all")
    print(f"1..{number}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
