#!/usr/bin/env python3
"""Programs that others wrote, under the sanitizer: they say nothing, or what clients.tsv explains.
Prints TAP.

usage: test_clients.py PERGOLA"""
import glob
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
from tap import check, end

PERGOLA = os.path.abspath(sys.argv[1])
BEIGNET = "/usr/lib/x86_64-linux-gnu/beignet"
ICD = glob.glob("/etc/OpenCL/vendors/intel-beignet*.icd")


def command(client, case):
    """The program, and what its output has when it has passed."""
    if client == "beignet":
        return [f"{BEIGNET}/utest_run", "-c", case], r"^\s*pass:\s*1\b"
    return [f"/usr/bin/clblast_test_{case}", "-platform", "0", "-device",
            "0"], r"[1-9]\d* test\(s\) passed"


def run(words, place):
    env = dict(os.environ, OCL_ICD_VENDORS=ICD[0] if ICD else "",
               OCL_KERNEL_PATH="/usr/share/beignet/test_kernels")
    if words[0].startswith(BEIGNET):
        env["LD_LIBRARY_PATH"] = BEIGNET
    return subprocess.run([PERGOLA, "run", "--sanitize=all", "--report", f"{place}/r.json", "--",
                           *words], env=env, cwd=place,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", timeout=280)


with open(os.path.join(HERE, "clients.tsv"), encoding="utf-8") as f:
    rows = [x.rstrip("\n").split("\t") for x in f if not x.startswith("#")]
for client, case, expected, *reason in rows:
    words, passed = command(client, case)
    if not ICD or not os.path.exists(words[0]):
        check(True, f"{client} {case} # SKIP it is not installed")
        continue
    with tempfile.TemporaryDirectory() as place:
        p = run(words, place)
        with open(f"{place}/r.json", encoding="utf-8") as f:
            found = set(re.findall(r'"rule": ?"(SAN-\d+)"', f.read()))
    ok = re.search(passed, p.stdout, re.M) and p.returncode == 0
    check(ok and found == set(expected.split()) - {"nothing"}, f"{client} {case}: {expected}",
          f"{sorted(found)} {p.stdout[-600:]}")
check(len(rows) >= 12, "there are clients of each kind")
end()
