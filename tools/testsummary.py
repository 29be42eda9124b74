#!/usr/bin/env python3
"""Counts the cases of test logs (meson's testlog.json form); fails when one failed, when there was
none, or when a log is missing."""
import json
import re
import sys


def count(path):
    passed = failed = skipped = 0
    with open(path, encoding="utf-8") as f:
        for line in f:
            t = json.loads(line)
            cases = re.findall(r"^(not )?ok \d+(.*)$", t.get("stdout") or "", re.M)
            bad = t["result"] not in ("OK", "EXPECTEDFAIL", "SKIP")
            if not cases:
                skipped += t["result"] == "SKIP"
                passed += not bad and t["result"] != "SKIP"
                failed += bad
                continue
            skips = sum("# SKIP" in rest.upper() for _, rest in cases)
            broken = sum(bool(n) for n, _ in cases)
            skipped += skips
            failed += broken or int(bad)
            passed += len(cases) - skips - broken
    return passed, failed, skipped


def main(paths):
    total = [0, 0, 0]
    for path in paths:
        try:
            found = count(path)
        except OSError as err:
            print(f"testsummary: {err}", file=sys.stderr)
            found = (0, 1, 0)
        if not found[0] + found[1]:
            print(f"testsummary: {path}: no case ran", file=sys.stderr)
            found = (0, 1, found[2])
        total = [a + b for a, b in zip(total, found)]
    print(f"{total[0]} passed, {total[1]} failed" + (f", {total[2]} skipped" if total[2] else ""))
    return 1 if total[1] or not total[0] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
