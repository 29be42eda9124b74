"""What the test programs claimed, and whether it counts.

A case prints "# proves ROW at FILE:LINE" before its own TAP line (tests/proves.h, tests/proves.py).
The claim counts when that line is a plain "ok", the program ran to its end with success, the
results are newer than what was tested, and no other stage (the sanitizers') saw the case fail.
Sources are not searched for claims.
"""
import collections
import json
import os
import re
import subprocess

CLAIM = re.compile(r"\s*# proves (\S+)(?: at (.*):(\d+))?\s*$")
CASE = re.compile(r"\s*(not )?ok\b\s*\d*(?: - |\s*)([^#]*?)\s*(?:#\s*(\w+).*)?$")
STAGES = ("", "-asan", "-tsan")

# why: None when it counts, else what is wrong
Claim = collections.namedtuple("Claim", "row test case place why")
Case = collections.namedtuple("Case", "name why rows")


def cases_of(stdout):
    """[Case] of a program's output; claims with no result behind them are a case without name."""
    found, rows = [], []
    for line in stdout.split("\n"):
        claim = CLAIM.match(line)
        if claim:
            rows.append((claim.group(1), claim.group(2), claim.group(3)))
            continue
        case = CASE.match(line)
        if case:
            broken, name, directive = case.groups()
            word = (directive or "").upper()
            why = word.lower() if word in ("SKIP", "TODO") else "failed" if broken else None
            found.append(Case(name, why, rows))
            rows = []
    return found + ([Case("", "no result", rows)] if rows else [])


class Freshness:
    """Whether a result was got from the programs and scripts as they are now."""

    def __init__(self, build):
        self.build = build
        self.known = {}
        try:
            with open(os.path.join(build, "meson-info", "intro-targets.json"),
                      encoding="utf-8") as f:
                outputs = {t["id"]: t["filename"] for t in json.load(f)}
            with open(os.path.join(build, "meson-info", "intro-tests.json"), encoding="utf-8") as f:
                self.tests = {t["name"]: self.files(t, outputs) for t in json.load(f)}
        except (OSError, ValueError, KeyError):
            self.tests = {}
        self.clean = self.up_to_date([])

    def files(self, test, outputs):
        """What a test runs: (built files, files of the source tree)."""
        built = [f for d in test.get("depends", []) for f in outputs.get(d, [])]
        scripts = [a for a in test["cmd"] if os.path.isfile(a) and a not in built]
        for folder in filter(None, test.get("env", {}).get("PYTHONPATH", "").split(":")):
            scripts += [os.path.join(folder, f)
                        for f in sorted(os.listdir(folder)) if f.endswith(".py")]
        return built, scripts

    def up_to_date(self, files):
        """Ninja's word on what would be built now."""
        names = [os.path.relpath(f, os.path.realpath(self.build)) for f in files]
        try:
            r = subprocess.run(["ninja", "-C", self.build, "-n", *names], capture_output=True,
                               text=True)
        except OSError:
            return False
        return r.returncode == 0 and "no work to do" in r.stdout

    def stale(self, test, start):
        """Why a result that began at `start` says nothing of the present sources, or None."""
        if test not in self.tests:
            return "no such test now"
        built, scripts = self.tests[test]
        if not self.clean and built:
            if test not in self.known:
                self.known[test] = self.up_to_date(built)
            if not self.known[test]:
                return "older than the sources"
        newer = [f for f in built + scripts if not os.path.exists(f) or os.path.getmtime(f) > start]
        return f"older than {os.path.basename(newer[0])}" if newer else None


def read_log(build):
    path = os.path.join(build, "meson-logs", "testlog.json")
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as f:
        return [json.loads(line) for line in f]


def place_of(root, file, line):
    if not file:
        return ""
    short = os.path.relpath(file, root) if os.path.isabs(file) else file
    return f"{re.sub(r'^(../)+', '', short)}:{line}"


def claims_of(root, build):
    """[Claim] of one build directory's last run, and the set of (test, case) that failed; None if
    nothing ran."""
    log = read_log(build)
    if log is None:
        return None
    fresh, claims, failed = Freshness(build), [], set()
    for t in log:
        test = t["name"].split(" / ")[-1]
        stale = fresh.stale(test, t.get("starttime") or 0)
        whole = None if t["result"] == "OK" else f"program: {t['result']}"
        for case in cases_of(t.get("stdout") or ""):
            if not stale and (case.why == "failed" or whole):
                failed.add((test, case.name))
            why = whole or case.why or stale
            claims += [Claim(row, test, case.name, place_of(root, file, line), why)
                       for row, file, line in case.rows]
    return claims, failed


def claims(root, build):
    """Row to [Claim], over the stages that ran; None if none did."""
    ran = [r for r in (claims_of(root, build.rstrip("/") + s) for s in STAGES) if r is not None]
    if not ran:
        return None
    failed = set().union(*(f for _, f in ran))
    merged = {}
    for c in (c for found, _ in ran for c in found):
        if not c.why and (c.test, c.case) in failed:
            c = c._replace(why="failed in another stage")
        key = (c.row, c.test, c.case, c.place)
        if key not in merged or merged[key].why and not c.why:
            merged[key] = c
    by_row = {}
    for c in merged.values():
        by_row.setdefault(c.row, []).append(c)
    return by_row
