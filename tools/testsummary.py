#!/usr/bin/env python3
"""Counts the cases of the last test run; fails when one failed or when there was none."""
import json
import os
import re
import sys


def main(build):
    passed = failed = skipped = 0
    with open(os.path.join(build, "meson-logs", "testlog.json"), encoding="utf-8") as f:
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
            failed += broken or bad
            passed += len(cases) - skips - broken
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
