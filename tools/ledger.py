#!/usr/bin/env python3
"""The conformance ledger: what is cited, what is proven, what is missing.

usage: ledger.py [--build DIR] [--missing PREFIX] [ROW]

cited    the id stands in src/ or frontends/
proven   a test case that passed in the last run names it (in its body or in the comment above it)
na       the status column says "n/a" and the decision column says why
missing  the rest (rows that are neither proven nor not applicable)
"""
import argparse
import csv
import glob
import json
import os
import re
import signal
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
ID = re.compile(r"\b([A-Z][A-Z0-9]*-\d{3}[a-z]?)\b")
# "MEDIA-101..104" and "MEDIA-101, 102" name each row in full: no shorthand, so that a search finds it.
CASE = re.compile(r"((?:/\*(?:[^*]|\*(?!/))*\*/\s*|//[^\n]*\n\s*)*)(?:static\s+)?void\s+(\w+)\(void \*\*\w+\)\s*\{", re.S)
PYCASE = re.compile(r"^    def (test_\w+)\(", re.M)


def load():
    rows = {}
    for path in sorted(glob.glob(os.path.join(ROOT, "spec/ledger/*.tsv"))):
        with open(path, encoding="utf-8", newline="") as f:
            for r in csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE):
                r["file"] = os.path.relpath(path, ROOT)
                rows[r["id"]] = r
    return rows


def source_files(*dirs):
    for d in dirs:
        for base, _, files in os.walk(os.path.join(ROOT, d)):
            for f in sorted(files):
                if f.endswith((".c", ".h", ".py", ".sh", ".xml", ".comp", ".asm")):
                    yield os.path.join(base, f)


def citations():
    cited = {}
    for path in source_files("src", "frontends"):
        with open(path, encoding="utf-8", errors="replace") as f:
            for n, line in enumerate(f, 1):
                for i in ID.findall(line):
                    cited.setdefault(i, []).append(f"{os.path.relpath(path, ROOT)}:{n}: {line.strip()[:110]}")
    return cited


def body_end(text, start):
    """The end of a function: the first closing brace at the start of a line."""
    m = re.compile(r"^\}", re.M).search(text, start)
    return m.end() if m else len(text)


def test_cases():
    """(file, case name, ids, line) of every case; a file with no known case form counts as one case."""
    for path in source_files("tests"):
        with open(path, encoding="utf-8", errors="replace") as f:
            text = f.read()
        rel = os.path.relpath(path, ROOT)
        cases = list(CASE.finditer(text)) if path.endswith(".c") else []
        for m in cases:
            chunk = m.group(1) + text[m.start(2):body_end(text, m.end())]
            yield rel, m.group(2), set(ID.findall(chunk)), text.count("\n", 0, m.start(2)) + 1
        if path.endswith(".py"):
            spots = [(m.start(), m.group(1)) for m in PYCASE.finditer(text)]
            for k, (at, name) in enumerate(spots):
                end = spots[k + 1][0] if k + 1 < len(spots) else len(text)
                yield rel, name, set(ID.findall(text[at:end])), text.count("\n", 0, at) + 1


def sources_of_tests(build):
    """Test name to the source files of the program that it runs: cases of different programs may share a name."""
    info = os.path.join(build, "meson-info")
    try:
        with open(os.path.join(info, "intro-targets.json"), encoding="utf-8") as f:
            targets = {t["id"]: [s for part in t["target_sources"] for s in part.get("sources", [])] for t in json.load(f)}
        with open(os.path.join(info, "intro-tests.json"), encoding="utf-8") as f:
            tests = {t["name"]: [s for d in t.get("depends", []) for s in targets.get(d, [])] for t in json.load(f)}
    except (OSError, ValueError, KeyError):
        return {}
    root = os.path.realpath(ROOT)
    return {n: {os.path.relpath(os.path.realpath(s), root) for s in sources} for n, sources in tests.items()}


def passed_cases(build):
    """(source file, case) of what passed in the last run, per TAP line; whole tests by exit code."""
    path = os.path.join(build, "meson-logs", "testlog.json")
    names, tests, bad = set(), set(), set()
    sources = sources_of_tests(build)
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as f:
        for line in f:
            t = json.loads(line)
            test = t["name"].split(" / ")[-1]
            if t["result"] in ("OK", "EXPECTEDFAIL"):
                tests.add(test)
            for out in (t.get("stdout") or "").split("\n"):
                m = re.match(r"(not )?ok \d+ - (\S+)(.*)", out.strip())
                if m and "SKIP" not in m.group(3).upper():
                    (bad if m.group(1) else names).update((s, m.group(2)) for s in sources.get(test) or {None})
    return names - bad, tests


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", default=os.path.join(ROOT, "build"))
    p.add_argument("--missing", metavar="PREFIX", help="list the missing rows of one prefix (or all)")
    p.add_argument("row", nargs="?", metavar="ROW")
    a = p.parse_args()
    rows, cited = load(), citations()
    passed = passed_cases(a.build)
    if passed is None:
        print("ledger: no test has run in this build yet ('make test'); proven is 0 until then", file=sys.stderr)
        passed = (set(), set())
    tests, unknown = {}, set()
    for rel, name, ids, line in test_cases():
        ok = (rel, name) in passed[0] or (None, name) in passed[0] or (rel.endswith(".py") and os.path.splitext(os.path.basename(rel))[0] in passed[1])
        for i in ids:
            tests.setdefault(i, []).append((ok, f"{rel}:{line}: {name}"))
            if i not in rows and i.split("-")[0] in {r.split("-")[0] for r in rows}:
                unknown.add((i, rel))
    if a.row:
        r = rows.get(a.row)
        if not r:
            print(f"ledger: no row {a.row}", file=sys.stderr)
            return 1
        print(f"{r['id']}  {r['title']}  ({r['unit']}, {r['kind']}; {r['file']})\n\n{r['requirement']}\n\nmanual: {r['source']}")
        print(f"status: {r['status'] or '-'}\ndecision: {r['decision'] or '-'}")
        print("\ncited:" + "".join(f"\n  {c}" for c in cited.get(a.row, ["nowhere"])))
        print("\ntests:" + "".join(f"\n  {'pass' if ok else 'not passed'}  {t}" for ok, t in tests.get(a.row, [])) if a.row in tests else "\ntests:\n  none")
        return 0
    groups = {}
    for i, r in rows.items():
        na = r["status"].lower().startswith("n/a")
        if na and not r["decision"].strip():
            print(f"ledger: {i} is n/a without a reason", file=sys.stderr)
            na = False
        proven = not na and any(ok for ok, _ in tests.get(i, []))
        state = (1, int(i in cited), int(proven), int(na), int(not proven and not na))
        key = i.split("-")[0]
        groups[key] = tuple(x + y for x, y in zip(groups.get(key, (0,) * 5), state))
        if a.missing and state[4] and a.missing in ("all", key):
            print(f"{i}\t{r['kind']}\t{r['title']}")
    if a.missing:
        return 0
    for key in sorted(groups):
        print("%s rows=%d cited=%d proven=%d na=%d missing=%d" % ((key,) + groups[key]))
    print("TOTAL rows=%d cited=%d proven=%d na=%d missing=%d" % tuple(sum(g[k] for g in groups.values()) for k in range(5)))
    for i, rel in sorted(unknown):
        print(f"ledger: {rel} names {i}, which no ledger has", file=sys.stderr)
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # a reader may stop early: ledger.py … | head
    sys.exit(main())
