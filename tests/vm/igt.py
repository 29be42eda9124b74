#!/usr/bin/env python3
"""IGT's test programs on the real i915, in a virtual machine: what the model's kernel interface
(frontends/drm) says of a case, which tests/clients/igt/cases.tsv records and the clients suite
holds it to, beside what the kernel itself says.

usage: igt.py [--only REGEX] [--timeout S] [--slow N] [--jobs N] [--keep DIR] [--minutes N] ROOT
       judges, by machines that it starts igt.py --guest DIR [--timeout S] ROOT   in the guest: runs
                                                                                  the cases of
                                                                                  DIR/todo.tsv, adds
                                                                                  what it saw to
                                                                                  DIR/seen.tsv

igt.tsv beside this file has the differences: program, subtest (shell patterns; the first line that
fits counts), what the kernel gives, reason. A difference that it does not have is an error, and so
is a line of it that is none any more. Such a line may also say `not run`. Prints TAP, a line for
each case with both results.

With --keep an interrupted run goes on where it was, with the same DIR; what a run ended with is not
taken again. One case of every program comes first, then the others. A case that does not give what
is expected is run once more, in a machine that has just started and takes its time: its writes to
the device are not posted (pergola vm --ordered), and its clock goes CAREFUL times slower than the
host's, so that no watchdog of the kernel finds a hang in a host that is busy elsewhere; a run that
goes on begins with those. --minutes ends the run early: the cases that it did not come to are shown
as skipped, and the same DIR has what was seen.

--record FILE has the cases whose results were what is expected, from earlier runs: those are not
run again, and what this one finds is added. igt-seen.tsv beside this file is such a record; a run
without it takes everything anew.
"""
import argparse
import concurrent.futures
import fnmatch
import glob
import itertools
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
IGT = os.path.join(HERE, "..", "clients", "igt")
sys.path.insert(0, IGT)
import run as igt  # noqa: E402

LIST, DIFFERENCES = os.path.join(IGT, "cases.tsv"), os.path.join(HERE, "igt.tsv")
CLOCK = "/sys/devices/system/clocksource/clocksource0/current_clocksource"
WEDGED, DROP = "/sys/kernel/debug/dri/0/i915_wedged", "/sys/kernel/debug/dri/0/i915_gem_drop_caches"
RESET_ACTIVE, RETIRE = 0x80, 0x4  # of DROP: what does not end by itself is reset and given up
CAREFUL = 8


class Plain(igt.Programs):
    """As they are, on the driver of the kernel."""
    def command(self, name, *arguments, home=None):
        command = super().command(name, *arguments, home=home)
        return command[command.index("--") + 1:]


# In the guest.

def word(path):
    with open(path, encoding="utf-8") as f:
        return f.read().strip()


def run_watched(command, timeout):
    """Exit status (None: it said nothing for so long) and output."""
    with tempfile.TemporaryDirectory() as place, tempfile.TemporaryFile() as out:
        p = subprocess.Popen(command, cwd=place, stdin=subprocess.DEVNULL, stdout=out,
                             stderr=subprocess.STDOUT, start_new_session=True)
        size, since = 0, time.monotonic()
        while p.poll() is None and time.monotonic() - since < timeout:
            time.sleep(0.1)
            if os.fstat(out.fileno()).st_size != size:
                size, since = os.fstat(out.fileno()).st_size, time.monotonic()
        code = p.poll()
        igt.end_session(p.pid)
        try:
            p.wait(60)
        except subprocess.TimeoutExpired:
            sys.exit(f"{command[-1]} cannot be ended")
        out.seek(0)
        return code, out.read().decode(errors="replace")


def reason(text):
    why = re.findall(r"(?:Failed assertion|Test requirement): (.*)(?:\n.*(error: .*))?", text)
    return "; ".join(filter(None, why[-1])).strip() if why else ""


def run_some(programs, name, subtests, timeout):
    """{subtest: (result, seconds, why)} of one process, as far as it came."""
    which = [] if subtests == ["-"] else ["--run-subtest", ",".join(subtests)]
    code, out = run_watched(programs.command(name, *which), timeout)
    seen, at = {}, 0
    for m in igt.RESULT.finditer(out):
        if m.group(1) or subtests == ["-"]:
            result = {"SUCCESS": "pass", "SKIP": "skip"}.get(m.group(2), "fail")
            seen[m.group(1) or "-"] = (result, float(m.group(3)), reason(out[at:m.end()]))
            at = m.end()
    ended = f"nothing said for {timeout} s" if code is None else f"exit status {code}"
    left = [s for s in subtests if s not in seen]
    begun = [s for s in re.findall(r"^Starting subtest: (\S+)", out, re.M) if s in left]
    for s in begun[-1:] or ([] if seen else left[:1]):  # it ended in this one
        seen[s] = ("no end" if code is None else "fail", float(timeout if code is None else 0),
                   ended)
    if not begun and code == 77:  # all of the program does not apply
        seen.update({s: ("skip", 0.0, reason(out)) for s in left})
    return seen


def sweep():
    """Frees the engines of what a program left on them. What went wrong."""
    drop = subprocess.Popen(["sh", "-c", f"echo {RESET_ACTIVE | RETIRE:#x} >{DROP}"],
                            stderr=subprocess.PIPE, text=True)
    try:
        said = drop.communicate(timeout=120)[1]
    except subprocess.TimeoutExpired:
        return "its engines are not free after two minutes"
    return said if drop.returncode else "" if word(WEDGED) == "0" else "it is wedged"


def guest(programs, timeout, careful, hurry, place):
    if word(WEDGED) != "0":
        sys.exit("i915 is wedged: the host was too busy for its first requests")
    if careful:
        timeout //= 2  # of a clock that is slower
    elif hurry:
        with open(CLOCK, "w", encoding="utf-8") as f:
            f.write("acpi_pm")  # i915 has started: from here on at the host's pace
    todo = igt.read_list(os.path.join(place, "todo.tsv"))[0]
    with open(os.path.join(place, "seen.tsv"), "a", encoding="utf-8") as f:
        for name, group in itertools.groupby(todo, key=lambda r: r[0]):
            subtests = [r[1] for r in group]
            while subtests:
                taint = word("/proc/sys/kernel/tainted")
                f.write(f"# {name} begins\n")
                f.flush()
                seen = run_some(programs, name, subtests[:16], timeout)
                warned = "; the kernel warned" if word("/proc/sys/kernel/tainted") != taint else ""
                for s in [s for s in subtests if s in seen]:
                    result, seconds, why = seen[s]
                    f.write(f"{name}\t{s}\t{result}\t{seconds:.1f}\t{why}{warned}\n")
                f.flush()
                ended = "no end" in {result for result, *_ in seen.values()}
                if warned or word(WEDGED) != "0":
                    sys.exit(f"{name} left the device wedged or the kernel tainted")
                left = sweep() if ended else ""
                if left:
                    sys.exit(f"{name} was ended: {left}")
                subtests = [s for s in subtests if s not in seen]


# On the host.

def differences():
    rows = igt.read_list(DIFFERENCES)[0]
    bad = [r for r in rows if r[2] not in ("pass", "skip", "fail", "not run") or not r[3]]
    if bad:
        sys.exit(f"{DIFFERENCES}: no result or no reason: {bad[0]}")
    return rows


def fitting(rows, name, subtest):
    return next((i for i, r in enumerate(rows) if fnmatch.fnmatchcase(name, r[0])
                 and fnmatch.fnmatchcase(subtest, r[1])), None)


def cases_of(programs, only):
    """[(program, subtest, what the model gives, what the kernel gives, the line that says so)]"""
    rows, known, out = igt.read_list(LIST)[0], differences(), []
    for name, subtest, expect, _ in igt.plan(programs, rows, only, 1)[0]:
        if expect in igt.RUN:
            at = fitting(known, name, subtest)
            out.append((name, subtest, expect, expect if at is None else known[at][2], at))
    return out


def read_seen(path):
    """{(program, subtest): (result, seconds, why)}; a program that the guest did not come back from
    has failed."""
    results, begun = {}, None
    if os.path.exists(path):
        with open(path, encoding="utf-8") as f:
            for line in f:
                fields = line.rstrip("\n").split("\t")
                if len(fields) == 5:
                    results[fields[0], fields[1]] = (fields[2], float(fields[3]), fields[4])
                    begun = None
                elif line.startswith("# ") and line.endswith(" begins\n"):
                    begun = line.split()[1]
    return results, begun


def seen_in(place):
    """Of all machines."""
    results = {}
    for path in sorted(glob.glob(os.path.join(place, "[0-9]*", "seen.tsv"))):
        results.update(read_seen(path)[0])
    return results


def boot(a, root, place, slow, careful):
    """Until the guest ends. What it said. The kernel's own EU kernel, which clears registers at
    every change of context, is off: thousands of changes would be nothing but that. So is its limit
    of 20 s for a request, which an error capture, by messages, is often longer than, and its alarm
    at a processor that stands still: that is the host. The time stamp counter is read without a
    device, so it is the clock."""
    how = ["--ordered", "--slow", f"guest={CAREFUL}"] if careful else ["--slow", f"guest={slow}"]
    command = [os.environ["PERGOLA"], "vm", "--out", place, "--timeout", str(a.boot_timeout),
               "--memory", "4G", *how,
               "--append", "nowatchdog tsc=reliable", "--i915",
               "mitigations=off request_timeout_ms=0",
               "--console", os.path.join(place, ".console"), "--", "python3", "-B",
               os.path.abspath(__file__), "--guest", "/vm",
               *(["--careful"] if careful else ["--hurry"] if slow != "1" else []), "--timeout",
               str(a.timeout), root]
    with tempfile.TemporaryFile("w+", errors="replace") as said:
        p = subprocess.Popen(command, stdout=said, stderr=subprocess.STDOUT)
        told = time.monotonic()
        try:
            while p.poll() is None and not (a.end and time.monotonic() > a.end):
                time.sleep(1)
                if time.monotonic() - told > 60:
                    told = time.monotonic()
                    results, begun = read_seen(os.path.join(place, "seen.tsv"))
                    print(f"# {len(results)} cases seen, now {begun}", flush=True)
        finally:
            p.terminate()
            p.wait()
        said.seek(0)
        return p.returncode, said.read()


def hangs(case):
    return bool(igt.HANGS.search(" ".join(case[:2])))


def in_order(cases, results):
    """One case of every program, one that passes if there is; then programs with few cases, then
    what hangs: every hang is an error capture, which is messages. Last what has had to be ended
    before."""
    known, ended = {name
                    for name, _ in results}, {name
                                              for (name, _), (result, *_) in results.items()
                                              if result == "no end"}
    early, groups = {}, {}
    for c in sorted(cases, key=lambda c: (hangs(c), c[3] != "pass")):
        if c[0] not in known:
            early.setdefault(c[0], c)
    for c in cases:
        if c[:2] not in results:
            groups.setdefault((early.get(c[0]) != c, c[0] in ended, hangs(c), c[0]), []).append(c)
    return [c for key in sorted(groups, key=lambda k: (k[:3], len(groups[k]))) for c in groups[key]]


def run_all(a, root, place, cases, known, careful):
    """Boots guests until every case has a result; two that bring nothing are enough. How the last
    one ended."""
    os.makedirs(place, exist_ok=True)
    path, idle, slow = os.path.join(place,
                                    "seen.tsv"), 0, iter([a.slow] * 3 if a.slow
                                                         else ["1", "16", "100"])
    speed, ended = next(slow), (0, "")
    while True:
        results, _ = read_seen(path)
        todo = in_order(cases, {**known, **results})
        if not todo or idle == 2 or a.end and time.monotonic() > a.end:
            return ended if todo else (0, "")
        with open(os.path.join(place, "todo.tsv"), "w", encoding="utf-8") as f:
            f.writelines(f"{c[0]}\t{c[1]}\n" for c in todo)
        ended = boot(a, root, place, speed, careful)
        number = len(glob.glob(os.path.join(place, "dmesg.*")))
        if os.path.exists(os.path.join(place, ".dmesg")):
            shutil.copy(os.path.join(place, ".dmesg"), os.path.join(place, f"dmesg.{number}"))
        print("# a guest has ended: " + ended[1].strip()[-200:].replace("\n", " "), flush=True)
        after, begun = read_seen(path)
        if "the host was too busy" in ended[1]:
            speed = next(slow, speed)
        elif begun and not (a.end and time.monotonic() > a.end):  # it took the guest with it
            first = next((c for c in todo if c[0] == begun and c[:2] not in after), None)
            with open(path, "a", encoding="utf-8") as f:
                if first:
                    f.write(f"{first[0]}\t{first[1]}\tfail\t0.0\tthe guest ended\n")
        idle = idle + 1 if len(read_seen(path)[0]) == len(results) else 0


def shares(cases, count):
    """By program, so that machines side by side have about as much to do."""
    order = {}
    for c in sorted(cases, key=lambda c: c[0]):
        order.setdefault(c[0], len(order))
    return [[c for c in cases if order[c[0]] % count == i] for i in range(count)]


def run_machines(a, root, place, cases, careful=False):
    """Machines side by side, each with its share. How the last one ended that did not come to its
    end."""
    known = seen_in(place)
    todo = [c for c in cases if c[:2] not in known]
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        jobs = [pool.submit(run_all, a, root, os.path.join(place, str(i)), share, known, careful)
                for i, share in enumerate(shares(todo, a.jobs)) if share]
        ended = [j.result() for j in jobs]
    return max(ended, default=(0, ""))


def read_record(path):
    """{(program, subtest): result}"""
    return {(n, s): r
            for n, s, r, _ in igt.read_list(path)[0]} if path and os.path.exists(path) else {}


def write_record(path, record):
    with open(path, "w", encoding="utf-8") as f:
        f.write("# Written by igt.py --record: what the i915 of Linux 6.1 gave on ivb-gt2, where "
                "it is what is expected.\n")
        f.writelines(f"{n}\t{s}\t{r}\n" for (n, s), r in sorted(record.items()))


def run_again(a, root, place, cases):
    """What was not expected, once more. {case: what counts}, {case: what the first attempt gave}"""
    again = os.path.join(place, "again")
    os.makedirs(again, exist_ok=True)
    first = seen_in(place)
    if not a.once:
        run_machines(a, root, again,
                     [c for c in cases if c[:2] in first and first[c[:2]][0] != c[3]], careful=True)
    second = seen_in(again)
    return {**first, **second}, {k: v for k, v in first.items() if k in second}


def judge(tap, cases, results, first, early):
    known, count = differences(), {}
    for name, subtest, ours, expected, at in cases:
        case = name if subtest == "-" else f"{name}_{subtest}"
        why = "" if at is None else known[at][3]
        if expected == "not run":
            tap.line(case, True, f"SKIP model {ours}, i915 not run: {why}")
            theirs = "not run"
        elif early and (name, subtest) not in results:
            tap.line(case, True, "SKIP not reached in this time")
            theirs = "not reached"
        else:
            theirs, _, said = results.get((name, subtest),
                                          ("no result", 0, "the guest did not come to it"))
            attempt = (f"; the first attempt: {first[name, subtest][0]} ({first[name, subtest][2]})"
                       if (name, subtest) in first else "")
            tap.line(case, theirs == expected,
                     f"model {ours}, i915 {theirs}" + (f": {why}" if why else "")
                     + (f" ({said})" if said else "") + attempt)
        word_of = (theirs if theirs.startswith("not ") else "equal" if theirs == ours
                   else "different")
        count[word_of] = count.get(word_of, 0) + 1
    used, programs = {c[4] for c in cases}, {c[0] for c in cases}
    for i, r in enumerate(known):
        if i not in used and any(fnmatch.fnmatchcase(p, r[0]) for p in programs):
            tap.line(f"{r[0]}_{r[1]}", False, "a difference is listed, but there is no such case")
        same = [c for c in cases if c[4] == i]
        if same and all(c[2] == r[2] for c in same):
            tap.line(f"{r[0]}_{r[1]}", False, "a difference is listed, but it is none")
    print("# model and i915: " + ", ".join(f"{n} {k}" for k, n in sorted(count.items())))


def main():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--guest", metavar="DIR")
    p.add_argument("--careful", action="store_true",
                   help="with --guest: the clock stays as slow as it is")
    p.add_argument("--hurry", action="store_true",
                   help="with --guest: the clock was slow for i915's start, and is to be the "
                        "host's now")
    p.add_argument("--only", help="a regular expression on programs")
    p.add_argument("--timeout", type=int, default=300, help="of a program that says nothing")
    p.add_argument("--boot-timeout", type=int, default=14000, help="of one guest")
    p.add_argument("--minutes", type=float, help="of the whole run")
    p.add_argument("--jobs", type=int, default=1, help="machines side by side (1)")
    p.add_argument("--once", action="store_true", help="no second attempt")
    p.add_argument("--slow", metavar="N",
                   help="the guest's clock goes N times slower while it boots (1; 16, 100 if that "
                        "was too quick)")
    p.add_argument("--keep", metavar="DIR",
                   help="where the guest's files stay; a run that was interrupted goes on")
    p.add_argument("--record", metavar="FILE",
                   help="of earlier runs: what it has is not run, and it is added to")
    p.add_argument("root", help="what scripts/install-igt made")
    a = p.parse_args()
    root = os.path.abspath(a.root)
    a.end = time.monotonic() + 60 * a.minutes if a.minutes else None
    if not a.guest:  # asked to end: the time is over
        signal.signal(signal.SIGTERM, lambda *_: setattr(a, "end", time.monotonic()))
    if a.guest:
        guest(Plain("", root), a.timeout, a.careful, a.hurry, a.guest)
        return 0
    if not os.path.exists(f"{root}/version") or not os.path.exists(
        os.path.join(os.environ.get("PERGOLA_QEMU", "-"), "version")):
        print("1..0 # SKIP no QEMU or no IGT (scripts/install-qemu, scripts/install-igt)")
        return 0
    if word(f"{root}/version") != igt.read_list(LIST)[1]:
        print("1..0 # SKIP another version of IGT than the list's")
        return 0
    tap, cases = igt.Tap(), cases_of(Plain("", root), a.only)
    record = read_record(a.record)
    run = [c for c in cases if c[3] != "not run" and record.get(c[:2]) != c[3]]
    with tempfile.TemporaryDirectory() as scratch:
        place = a.keep or scratch
        os.makedirs(place, exist_ok=True)
        ended = os.path.join(place, "ended")
        if os.path.exists(ended):
            shutil.rmtree(place)
            os.makedirs(place)
        run_again(a, root, place, run)  # what an earlier run left
        status, said = run_machines(a, root, place, run)
        results, first = run_again(a, root, place, run)
        early = bool(a.end and time.monotonic() > a.end)
        if not early:
            with open(ended, "w", encoding="utf-8"):
                pass
    if a.record:
        fresh = {c[:2]: c[3] for c in run if c[:2] in results and results[c[:2]][0] == c[3]}
        stale = {c[:2] for c in run}
        write_record(a.record, {**{k: v for k, v in record.items() if k not in stale}, **fresh})
    for c in cases:
        if record.get(c[:2]) == c[3]:
            results.setdefault(c[:2], (c[3], 0, "recorded"))
    judge(tap, cases, results, first, early)
    tap.line("guest", early or status == 0, "" if early or status == 0
             else said[-300:].replace("\n", " "))
    print(f"1..{tap.number}")
    return 1 if tap.failed else 0


if __name__ == "__main__":
    sys.exit(main())
