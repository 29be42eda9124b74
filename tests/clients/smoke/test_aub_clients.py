#!/usr/bin/env python3
"""Programs of the suite recorded as AUB files, each replayed to the same memory, batch by batch. Prints TAP.

usage: test_aub_clients.py PERGOLA PROGRAM..."""
import os
import re
import subprocess
import sys
import tempfile

PERGOLA, *PROGRAMS = (os.path.abspath(a) for a in sys.argv[1:])
failures = 0
print(f"1..{2 * len(PROGRAMS)}")
for n, program in enumerate(PROGRAMS):
    name = os.path.basename(program)
    with tempfile.TemporaryDirectory() as d:
        run = subprocess.run([PERGOLA, "run", "--deterministic", "--aub", f"{d}/a.aub", "--", program], cwd=d,
                             capture_output=True, text=True, errors="replace", timeout=300)
        batches = re.search(r"in (\d+) batch", run.stderr.splitlines()[-1] if run.stderr else "")
        ok = run.returncode == 0 and batches is not None and int(batches[1]) > 0
        print(f"{'ok' if ok else 'not ok'} {2 * n + 1} - {name} is recorded")
        again = subprocess.run([PERGOLA, "replay", "--deterministic", f"{d}/a.aub"], capture_output=True, text=True,
                               errors="replace", timeout=300)
        count = batches[1] if batches else "?"
        same = again.returncode == 0 and \
            f"verdict: {count} rings ran to their end; memory is as recorded, {count} times of {count}\n" in again.stdout
        print(f"{'ok' if same else 'not ok'} {2 * n + 2} - {name}: its batches run to the same memory")
        if not ok or not same:
            print("#", *(run.stderr + again.stdout + again.stderr).splitlines()[-8:], sep="\n# ")
    failures += (not ok) + (not same)
sys.exit(failures != 0)
