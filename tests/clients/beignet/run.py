#!/usr/bin/env python3
"""Runs Beignet's compiled test program (stock Debian 11 packages) on the model, case by case.

usage: run.py [--jobs N] [--timeout S] [--write FILE] [--only REGEX] PERGOLA LIST.tsv

LIST.tsv has a line per case: name, expectation, reason. Expectations:
  pass      must pass
  fail      known not to pass; the reason says why. Passing is an error too: the list must stay true
  hollow    passes even when nothing is executed, so it proves nothing: not run
  later     needs a unit that is not modelled yet (the reason names it): not run
A case that the list does not have is an error. Prints TAP; skipped cases are shown as skipped.
"""
import argparse
import concurrent.futures
import glob
import os
import re
import subprocess
import sys
import tempfile

HOME = "/usr/lib/x86_64-linux-gnu/beignet"


def environment():
    icd = glob.glob("/etc/OpenCL/vendors/intel-beignet*.icd")
    return dict(os.environ, OCL_ICD_VENDORS=icd[0] if icd else "",
                OCL_KERNEL_PATH="/usr/share/beignet/test_kernels", LD_LIBRARY_PATH=HOME)


def cases(pergola):
    """Names, from the program itself."""
    out = subprocess.run([pergola, "run", "--", f"{HOME}/utest_run", "-l"], env=environment(),
                         stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, text=True, errors="replace", timeout=120).stdout
    return [m.group(1)
            for m in re.finditer(r"^\s*(?:\[?\s*\d+\]?[:.]?\s+)?([a-zA-Z_]\w+)(?:\(\))?\s*$", out,
                                 re.M)]


def run(pergola, name, timeout):
    """'pass', or why not. Some cases leave files where they run, so each has a place of its own."""
    try:
        with tempfile.TemporaryDirectory() as place:
            p = subprocess.run([pergola, "run", "--", f"{HOME}/utest_run", "-c", name],
                               env=environment(), cwd=place,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               errors="replace", timeout=timeout)
    except subprocess.TimeoutExpired:
        return f"no result in {timeout} s"
    if re.search(r"^\s*pass:\s*1\b", p.stdout, re.M) and p.returncode == 0:
        return "pass"
    if p.returncode:
        return f"exit status {p.returncode}"
    lines = [x.strip() for x in p.stdout.split("\n") if "rror" in x or "FAILED" in x or "fail" in x]
    return (lines[-1] if lines else "no pass line")[:160]


def read_list(path):
    table = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as f:
            for line in f:
                if line.strip() and not line.startswith("#"):
                    name, expect, reason = (line.rstrip("\n").split("\t") + ["", ""])[:3]
                    table[name] = (expect, reason)
    return table


def main():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--jobs", type=int, default=os.cpu_count())
    p.add_argument("--timeout", type=int, default=120)
    p.add_argument("--only", help="a regular expression on names")
    p.add_argument("--write", metavar="FILE",
                   help="write what was seen, for the review of the list")
    p.add_argument("pergola")
    p.add_argument("list")
    a = p.parse_args()
    if not os.path.exists(f"{HOME}/utest_run"):
        print("Bail out! Beignet is not installed (scripts/install-beignet)")
        return 1
    a.pergola = os.path.abspath(a.pergola)
    table = read_list(a.list)
    names = cases(a.pergola)
    if a.only:
        names = [n for n in names if re.search(a.only, n)]
    number = failed = passed = 0
    seen = {}
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        todo = [n for n in names if table.get(n, ("pass", ""))[0] in ("pass", "fail")]
        results = dict(zip(todo, pool.map(lambda n: run(a.pergola, n, a.timeout), todo)))
    for name in names:
        number += 1
        expect, reason = table.get(name, (None, ""))
        got = results.get(name)
        if got is None:
            print(f"ok {number} - beignet_{name} # SKIP {expect}: {reason}")
            continue
        seen[name] = got
        ok = (expect == "pass") == (got == "pass") and expect is not None
        passed += got == "pass"
        failed += not ok
        note = "" if ok else f" # expected {expect or 'nothing: not in the list'}, got {got}"
        print(f"{'' if ok else 'not '}ok {number} - beignet_{name}{note}", flush=True)
    for name in table:
        if name not in names and not a.only:
            number += 1
            failed += 1
            print(f"not ok {number} - beignet_{name} # in the list, but the program has no such "
                  f"case")
    print(f"1..{number}")
    print(f"# {passed} cases pass on the model")
    if a.write:
        with open(a.write, "w", encoding="utf-8") as f:
            for name, got in seen.items():
                f.write(f"{name}\t{'pass' if got == 'pass' else 'fail'}\t"
                        f"{'' if got == 'pass' else got}\n")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
