#!/usr/bin/env python3
"""Counts the cases of test logs (meson's testlog.json form), and tells again what failed, with what
it said, where a reader looks first: at the end. Fails when one failed, when there was none, or when
a log is missing."""
import json
import re
import sys


TOLD = 8  # lines around a failed case, and at the end of a test that failed as a whole


def around(text, at):
    """The lines of a test's output that lead up to the one that begins at `at`."""
    return (text[:at].split("\n")[-TOLD:] + [text[at:].split("\n", 1)[0]])[-TOLD:]


def complaint(err):
    """What a test said of its own end: a sanitizer's finding with the calls that led to it, or the
    last lines."""
    lines = [line for line in err.split("\n") if line.strip()]
    at = next((i
               for i, line in enumerate(lines) if re.search(r"Sanitizer: |runtime error: ", line)),
              None)
    return lines[-TOLD:] if at is None else lines[at : at + 2 * TOLD]


def told(log, test):
    """What a failed test has to say, as lines."""
    out = test.get("stdout") or ""
    err = complaint(test.get("stderr") or "")
    lines = [f"FAILED {test['name']}: {test['result']}, return code {test.get('returncode')}, in "
             f"{log}"]
    broken = list(re.finditer(r"^not ok \d+.*$", out, re.M))
    for case in broken[:TOLD]:
        lines += around(out, case.start())
    if len(broken) > TOLD:
        lines.append(f"and {len(broken) - TOLD} cases more")
    return lines + ([] if broken else out.split("\n")[-TOLD:]) + err


def count(path, say):
    passed = failed = skipped = 0
    with open(path, encoding="utf-8") as f:
        for line in f:
            t = json.loads(line)
            cases = re.findall(r"^(not )?ok \d+(.*)$", t.get("stdout") or "", re.M)
            bad = t["result"] not in ("OK", "EXPECTEDFAIL", "SKIP")
            if bad:
                say += told(path, t)
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
    say = []
    for path in paths:
        try:
            found = count(path, say)
        except OSError as err:
            print(f"testsummary: {err}", file=sys.stderr)
            found = (0, 1, 0)
        if not found[0] + found[1]:
            print(f"testsummary: {path}: no case ran", file=sys.stderr)
            found = (0, 1, found[2])
        total = [a + b for a, b in zip(total, found)]
    print("\n".join(line[:300] for line in say if line.strip()), end="\n" if say else "")
    print(f"{total[0]} passed, {total[1]} failed" + (f", {total[2]} skipped" if total[2] else ""))
    return 1 if total[1] or not total[0] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
