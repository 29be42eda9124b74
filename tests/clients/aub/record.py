#!/usr/bin/env python3
"""Takes the place of `pergola` for a test's runner: what it runs is recorded as an AUB file, and replayed to the same memory.

usage: record.py run [OPTIONS] -- PROGRAM...
REAL_PERGOLA names the program that does it, RECORDED a file that gets a line per recording: how it ended, its batches, the program.
"""
import fcntl
import glob
import os
import re
import subprocess
import sys
import tempfile

REAL, RECORDED = os.environ["REAL_PERGOLA"], os.environ["RECORDED"]
VERDICT = re.compile(r"^verdict: (?:ring (\d+) does not end|(\d+) rings ran to their end; memory (differs|is as recorded))", re.M)


def replay(path, budget):
    """(what became of it, batches)"""
    p = subprocess.run([REAL, "replay", "--deterministic", *budget, path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                       errors="replace", check=False)
    found = VERDICT.search(p.stdout)
    if "neither a ring nor a batch" in p.stdout:
        return "same", 0  # a process that has not submitted anything
    if not found:
        return p.stdout.strip().rsplit("\n", maxsplit=1)[-1][:120] or f"exit status {p.returncode}", 0
    if found[1]:
        return "hangs", int(found[1])
    return "differs" if found[3] == "differs" else "same", int(found[2])


def main():
    arguments = sys.argv[1:]
    if not arguments or arguments[0] != "run" or "--" not in arguments:
        os.execv(REAL, [REAL] + arguments)
    at = arguments.index("--")
    budget = [a.replace("--hang-budget", "--budget") for a in arguments[:at] if a.startswith("--hang-budget=")]
    with tempfile.TemporaryDirectory() as place:
        aub = os.path.join(place, "a.aub")
        code = subprocess.run([REAL, "run", "--deterministic", "--aub", aub] + arguments[1:], check=False).returncode
        lines = ["\t".join((*map(str, replay(path, budget)), *arguments[at + 1:])) for path in sorted(glob.glob(os.path.join(place, "a*")))]
    with open(RECORDED, "a", encoding="utf-8") as f:
        fcntl.flock(f, fcntl.LOCK_EX)
        f.writelines(line + "\n" for line in lines)
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main())
