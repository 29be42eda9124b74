#!/usr/bin/env python3
"""IGT's test programs on the real i915, in a virtual machine: what the model's kernel interface (frontends/drm) says of a
case, which tests/clients/igt/cases.tsv records and the clients suite holds it to, beside what the kernel itself says.

usage: igt.py [--only REGEX] [--timeout S] [--slow N] [--keep DIR] ROOT   judges, by a machine that it starts
       igt.py --guest FILE [--only REGEX] [--timeout S] ROOT   in the guest: runs the programs, writes what was seen

igt.tsv beside this file has the differences: program, subtest (a shell pattern; the first line that fits counts), what the
kernel gives, reason. A difference that it does not have is an error, and so is a line of it that is none any more. Such a
line may also say `not run`. Prints TAP, a line for each case with both results.
"""
import argparse
import fnmatch
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
IGT = os.path.join(HERE, "..", "clients", "igt")
sys.path.insert(0, IGT)
import run as igt  # noqa: E402

LIST, DIFFERENCES = os.path.join(IGT, "cases.tsv"), os.path.join(HERE, "igt.tsv")
CLOCK = "/sys/devices/system/clocksource/clocksource0/current_clocksource"


class Plain(igt.Programs):
    """As they are, on the driver of the kernel."""
    def command(self, name, *arguments, home=None):
        return super().command(name, *arguments, home=home)[5:]


def differences():
    rows = igt.read_list(DIFFERENCES)[0]
    bad = [r for r in rows if r[2] not in ("pass", "skip", "fail", "not run") or not r[3]]
    if bad:
        sys.exit(f"{DIFFERENCES}: no result or no reason: {bad[0]}")
    return rows


def fitting(rows, name, subtest):
    return next((i for i, r in enumerate(rows) if r[0] == name and fnmatch.fnmatchcase(subtest, r[1])), None)


def cases_of(programs, only):
    """{program: [(subtest, what the model gives)]}, without what is not run."""
    rows, _ = igt.read_list(LIST)
    known = differences()
    out = {}
    for name, subtest, expect, _ in igt.plan(programs, rows, only, 1)[0]:
        at = fitting(known, name, subtest)
        if expect in igt.RUN and (at is None or known[at][2] != "not run"):
            out.setdefault(name, []).append((subtest, expect))
    return out


def guest(programs, only, timeout, path):
    with open(CLOCK, "w", encoding="utf-8") as f:
        f.write("acpi_pm")  # i915 has started: from here on at the host's pace
    with open(path, "w", encoding="utf-8") as f:
        for name, cases in cases_of(programs, only).items():
            subtests = [s for s, _ in cases]
            seen = igt.run(programs, name, subtests, timeout)
            for s in subtests:
                if len(subtests) > 1 and re.match("no end|exit status", seen[s][2]):  # what an earlier one took with it
                    seen.update(igt.run(programs, name, [s], timeout))
                result, seconds, why = seen[s]
                f.write(f"{name}\t{s}\t{result}\t{seconds:.1f}\t{why}\n")
                f.flush()


def boot(a, root, out, slow):
    command = [os.environ["PERGOLA"], "vm", "--out", out, "--timeout", "14000", "--memory", "4G", "--slow", f"guest={slow}", "--", "python3",
               "-B", os.path.abspath(__file__), "--guest", "/vm/igt.tsv", "--timeout", str(a.timeout), root]
    command += ["--only", a.only] if a.only else []
    return subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)


def start(a, root, out):
    """How the guest ended, and {(program, subtest): (result, seconds, why)}."""
    path = os.path.join(out, "igt.tsv")
    for slow in [a.slow] if a.slow else ["1", "16"]:  # the host may be too busy for i915's first requests
        run = boot(a, root, out, slow)
        if os.path.exists(path):
            break
    results = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as f:
            for line in f:
                name, subtest, result, seconds, why = line.rstrip("\n").split("\t")
                results[name, subtest] = (result, float(seconds), why)
    return run, results


def judge(tap, cases, results):
    known, used = differences(), set()
    for name, listed in cases.items():
        for subtest, ours in listed:
            case = name if subtest == "-" else f"{name}_{subtest}"
            at = fitting(known, name, subtest)
            theirs, _, why = results.get((name, subtest), ("no result", 0, "the guest did not come to it"))
            expected = ours if at is None else known[at][2]
            used.add(at)
            note = f"model {ours}, i915 {theirs}" + (f": {known[at][3]}" if at is not None else f" ({why})" if why else "")
            tap.line(case, theirs == expected, note)
    for i, r in enumerate(known):
        if i not in used and r[0] in cases and r[2] != "not run":
            tap.line(f"{r[0]}_{r[1]}", False, "a difference is listed, but there is no such case")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--guest", metavar="FILE")
    p.add_argument("--only", help="a regular expression on programs")
    p.add_argument("--timeout", type=int, default=900, help="of one process")
    p.add_argument("--slow", metavar="N", help="the guest's clock goes N times slower (1, and 16 if that was too quick)")
    p.add_argument("--keep", metavar="DIR", help="where the guest's files stay")
    p.add_argument("root", help="what scripts/install-igt made")
    a = p.parse_args()
    root = os.path.abspath(a.root)
    if a.guest:
        with open("/sys/kernel/debug/dri/0/i915_wedged", encoding="utf-8") as f:
            if f.read().strip() != "0":
                sys.exit("i915 is wedged: the host was too busy for its first requests")
        guest(Plain("", root), a.only, a.timeout, a.guest)
        return 0
    if not os.path.exists(f"{root}/version") or not os.path.exists(os.path.join(os.environ.get("PERGOLA_QEMU", "-"), "version")):
        print("1..0 # SKIP no QEMU or no IGT (scripts/install-qemu, scripts/install-igt)")
        return 0
    with open(f"{root}/version", encoding="utf-8") as f:
        if f.read().strip() != igt.read_list(LIST)[1]:
            print("1..0 # SKIP another version of IGT than the list's")
            return 0
    with tempfile.TemporaryDirectory() as place:
        run, results = start(a, root, a.keep or place)
    tap = igt.Tap()
    judge(tap, cases_of(igt.Programs(os.environ["PERGOLA"], root), a.only), results)
    tap.line("guest", run.returncode == 0, "" if run.returncode == 0 else (run.stdout + run.stderr)[-300:].replace("\n", " "))
    print(f"1..{tap.number}")
    return 1 if tap.failed else 0


if __name__ == "__main__":
    sys.exit(main())
