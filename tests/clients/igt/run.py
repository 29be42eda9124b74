#!/usr/bin/env python3
"""Runs IGT's test programs (stock Debian package, unpacked by scripts/install-igt) on the model.

usage: run.py [--jobs N] [--timeout S] [--only REGEX] [--write FILE] PERGOLA ROOT LIST.tsv

LIST.tsv has a line per case: program, subtest (a shell pattern; the first line that fits counts),
expectation, reason. A program without subtests has the case "-". Expectations:
  pass      must pass
  skip      IGT itself must find that it does not apply here
  fail      known not to pass; the reason says why. Passing is an error too: the list must stay true
  later     needs a unit that is not modelled yet (the reason names it): not run
  host      needs of the host what a test machine may not give: not run
  long      takes longer than it is worth in every run: not run
A program of the reviewed families or a subtest that the list does not have is an error, and so is a
line that fits nothing: unless the package is of another version than the list, for then some of its
cases are others. Such a version may also see things differently: a result that is not the expected
one is shown as skipped, with what it was.
Prints TAP; what is not run is shown as skipped, a line each. Some cases measure time, which a busy
machine bends: one that does not give what is expected of it is run once more, alone, and its line
says so.
"""
import argparse
import concurrent.futures
import fnmatch
import glob
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

RUN = ("pass", "skip", "fail")
LEAST = 600 # cases that have to pass, whatever the version
FAMILIES = ("core_*", "gem_*", "gen7_*", "i915_*", "prime_*", "syncobj_*", "sw_sync", "dmabuf*",
            "dumb_buffer", "drm_read", "api_intel_*", "perf*", "sysfs_*")
RESULT = re.compile(r"(?:Subtest ([\w-]+): |^)(SUCCESS|SKIP|FAIL|CRASH|TIMEOUT)\b.*?\(([\d.]+)s\)",
                    re.M)
# Tools of the package, what they are asked and what their answer has in it.
TOOLS = (("lsgpu", [], r"card0 +Intel Ivybridge \(Gen7\)"),
         ("intel_error_decode", ["/sys/class/drm/card0/error"], r"^No error state collected"))
# Where a hang is what is tested, a batch that spins for ever is one after a second or so; elsewhere
# spinning has time.
# preservation-reset ends its spinning batches itself; on a busy machine that takes longer than a
# second.
HANGS = re.compile(r"hang|capture|(?<!preservation-)reset|error|eio|detector")
BUDGET = {True: "10000000", False: "1000000000"}


class Programs:
    def __init__(self, pergola, root):
        self.pergola, self.root = pergola, root
        self.home = f"{root}/usr/libexec/igt-gpu-tools"

    def command(self, name, *arguments, home=None):
        hangs = bool(HANGS.search(name + " ".join(arguments)))
        return [self.pergola, "run", "--hang-budget", BUDGET[hangs], "--",
                f"{self.root}/usr/lib64/ld-linux-x86-64.so.2",
                "--library-path", f"{self.root}/usr/lib/x86_64-linux-gnu",
                f"{home or self.home}/{name}", *arguments]

    def names(self):
        found = sorted(os.path.basename(p)
                       for p in glob.glob(f"{self.home}/*") if os.access(p, os.X_OK) and
                       not os.path.isdir(p))
        return [n for n in found if any(fnmatch.fnmatch(n, f) for f in FAMILIES)]

    def subtests(self, name):
        out = execute(self.command(name, "--list-subtests"), 20)[1]
        return [x for x in out.split("\n") if re.fullmatch(r"[\w-]+", x)] or ["-"]


def end_session(leader):
    """A test may leave helpers in process groups of their own; they are all of one session."""
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(path, encoding="utf-8", errors="replace") as f:
                fields = f.read().rpartition(")")[2].split()
            if int(fields[3]) == leader:
                os.kill(int(path.split("/")[2]), signal.SIGKILL)
        except (OSError, ValueError, IndexError):
            pass


def execute(command, timeout):
    """Exit status (None: out of time) and output."""
    with tempfile.TemporaryDirectory() as place, tempfile.TemporaryFile() as out:
        p = subprocess.Popen(command, cwd=place, stdin=subprocess.DEVNULL, stdout=out,
                             stderr=subprocess.STDOUT, start_new_session=True)
        try:
            code = p.wait(timeout)
        except subprocess.TimeoutExpired:
            code = None
        end_session(p.pid)
        p.wait()
        out.seek(0)
        return code, out.read().decode(errors="replace")


def run(programs, name, subtests, timeout):
    """{subtest: (result, seconds, why)} of one process."""
    which = [] if subtests == ["-"] else ["--run-subtest", ",".join(subtests)]
    began = time.monotonic()
    code, out = execute(programs.command(name, *which), timeout)
    seen = {}
    for m in RESULT.finditer(out):
        seen[m.group(1) or "-"] = (m.group(2), float(m.group(3)))
    why = re.findall(r"Failed assertion: (.*)|Test requirement: (.*)", out)
    why = next((a or b for a, b in reversed(why)), "")
    results = {}
    for s in subtests:
        result, seconds = seen.get(s, (None, time.monotonic() - began))
        if result is None:
            result = "no result"
            why = f"no end in {timeout} s" if code is None else f"exit status {code}"
        results[s] = ({"SUCCESS": "pass", "SKIP": "skip"}.get(result, "fail"), seconds, why)
    return results


def read_list(path):
    rows, version = [], ""
    with open(path, encoding="utf-8") as f:
        for line in f:
            if line.startswith("# version "):
                version = line.split()[2]
            if line.strip() and not line.startswith("#"):
                rows.append((line.rstrip("\n").split("\t") + ["", ""])[:4])
    return rows, version


def expectation(rows, name, subtest, used):
    for i, (program, pattern, expect, reason) in enumerate(rows):
        if program == name and fnmatch.fnmatchcase(subtest, pattern):
            used.add(i)
            return expect, reason
    return None, "not in the list"


class Tap:
    def __init__(self):
        self.number = self.failed = 0
        self.count = {}

    def line(self, name, ok, note=""):
        self.number += 1
        self.failed += not ok
        print(f"{'' if ok else 'not '}ok {self.number} - igt_{name}{' # ' if note else ''}{note}",
              flush=True)

    def result(self, name, expect, got, same, first=None):
        self.count[got[0]] = self.count.get(got[0], 0) + 1
        if expect == got[0]:
            self.line(name, True, f"at the second attempt; the first: {first}" if first else "")
        elif not same:
            self.line(name, True,
                      f"SKIP another version of IGT: expected {expect or 'nothing'}, got {got[0]} "
                      f"({got[2]})")
        else:
            self.line(name, False,
                      f"expected {expect or 'nothing: not in the list'}, got {got[0]} ({got[2]})")


def plan(programs, rows, only, jobs):
    """Per program: its subtests with what is expected of them. Which lines fitted anything."""
    names = [n for n in programs.names() if not only or re.search(only, n)]
    used = set()
    run_any = {r[0] for r in rows if r[2] in RUN}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        ask = [n for n in names if n in run_any or not any(r[0] == n for r in rows)]
        listed = dict(zip(ask, pool.map(programs.subtests, ask)))
    cases = []
    for n in names:
        for s in listed.get(n, []):
            cases.append((n, s, *expectation(rows, n, s, used)))
        for i, r in enumerate(rows):
            if r[0] == n and n not in listed: # nothing of it is run: its lines say why
                used.add(i)
                cases.append(tuple(r))
    return cases, used


def batches(cases):
    """What passes shares a process with its program's other cases; what fails has one of its
    own."""
    together = {}
    for name, subtest, expect, _ in cases:
        if expect in ("pass", "skip"):
            together.setdefault(f"{name} {bool(HANGS.search(subtest))}", []).append(subtest)
        elif expect == "fail":
            together[f"{name} {subtest}"] = [subtest]
    return [(k.split()[0], v) for k, v in together.items()]


def run_again(programs, cases, results, timeout):
    """Updates the results that were not expected; {case: what the first attempt gave}."""
    first = {}
    for name, subtest, expect, _ in cases:
        got = results.get((name, subtest))
        if got and expect in RUN and got[0] != expect and len(first) < 20:
            first[name, subtest] = f"{got[0]} ({got[2]})"
            results[name, subtest] = run(programs, name, [subtest], timeout)[subtest]
    return first


def main():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--jobs", type=int, default=os.cpu_count())
    p.add_argument("--timeout", type=int, default=60, help="of one process")
    p.add_argument("--only", help="a regular expression on programs")
    p.add_argument("--each", action="store_true",
                   help="a process per subtest, the unlisted ones too")
    p.add_argument("--write", metavar="FILE",
                   help="write what was seen, for the review of the list")
    p.add_argument("pergola")
    p.add_argument("root")
    p.add_argument("list")
    a = p.parse_args()
    programs = Programs(os.path.abspath(a.pergola), os.path.abspath(a.root))
    if not os.path.exists(f"{a.root}/version"):
        print("1..0 # SKIP the package could not be had (scripts/install-igt)")
        return 0
    with open(f"{a.root}/version", encoding="utf-8") as f:
        version = f.read().strip()
    rows, reviewed = read_list(a.list)
    cases, used = plan(programs, rows, a.only, a.jobs)
    todo = [(c[0], [c[1]]) for c in cases if c[2] in RUN
            or c[2] is None] if a.each else batches(cases)
    results = {}
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        for (name, _), seen in zip(todo,
                                   pool.map(lambda t: run(programs, t[0], t[1], a.timeout), todo)):
            results.update({(name, s): got for s, got in seen.items()})
    same = version == reviewed
    again = run_again(programs, cases, results, a.timeout) if same else {}
    tap = Tap()
    for name, subtest, expect, reason in cases:
        case = name if subtest == "-" else f"{name}_{subtest}"
        if (name, subtest) in results:
            tap.result(case, expect, results[name, subtest], same, again.get((name, subtest)))
        elif expect is None and same:
            tap.line(case, False, "is not in the list")
        else:
            tap.line(case, True, f"SKIP {expect or 'unknown version'}: {reason}")
    for i, (name, pattern, _, _) in enumerate(rows):
        if i not in used and not a.only and same:
            tap.line(f"{name}_{pattern}", False, "in the list, but there is no such case")
    for name, arguments, answer in TOOLS:
        if not a.only or re.search(a.only, name):
            code, out = execute(programs.command(name, *arguments, home=f"{programs.root}/usr/bin"),
                                20)
            good = code == 0 and re.search(answer, out, re.M)
            tap.line(f"tool_{name}", bool(good), "" if good
                     else f"exit status {code}: {out[:80]!r}")
    print(f"1..{tap.number}")
    print(f"# IGT {version}, list for {reviewed}: "
          + ", ".join(f"{n} {k}" for k, n in sorted(tap.count.items())))
    for (name, subtest), why in again.items():
        print(f"# second attempt: {name} {subtest}, first {why}")
    if a.write:
        with open(a.write, "w", encoding="utf-8") as f:
            for (name, subtest), (got, seconds, why) in results.items():
                f.write(f"{name}\t{subtest}\t{got}\t{seconds:.1f}\t{why}\n")
    return 1 if tap.failed or tap.count.get("pass", 0) < (1 if a.only else LEAST) else 0


if __name__ == "__main__":
    sys.exit(main())
