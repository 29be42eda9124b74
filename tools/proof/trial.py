"""A mutant before its judges: the cases that claim the rows which the changed line cites, then
others."""
import collections
import concurrent.futures
import json
import os
import resource
import shutil
import signal
import subprocess
import threading

from proof import mutants, results
from proof.workshop import Refused

LONG = 1.0  # seconds of the processor: of a longer program only the claiming cases run, one by one
ORACLE = "2000000"  # instructions against the EU's oracle: a fifth of what the tests do
LEAST = 2.0  # seconds of the processor that a mutant has at least
SLEEPS = 120  # seconds by the clock that a test may sleep, beside what it computes
OTHERS = 8.0  # seconds that programs which claim other rows of the same file may take

# naming, others, survived, same (object code), refused
Verdict = collections.namedtuple("Verdict", "result by")
Outcome = collections.namedtuple("Outcome", "cases ended seconds")


class Judges:
    """The test programs, what each of their cases claims, and how long they take unchanged."""

    def __init__(self, workshop, jobs=1):
        self.workshop, self.jobs = workshop, jobs
        self.baseline = {}  # test: Outcome of the unchanged program
        self.alone = {}  # (test, case): whether it passes without the cases before it
        self.heard = os.path.join(workshop.build, "judges.json")  # and of earlier runs

    def hear(self, tests):
        """Runs unchanged programs once. What does not pass as it stands can judge nothing."""
        wanted = [t for t in tests if t not in self.baseline]
        if not wanted:  # ninja would build everything
            return
        self.workshop.ninja(*sorted({p for t in wanted for p in self.workshop.programs(t)}))
        self.workshop.read_dependencies()
        heard, stamps = self.recall(), {t: self.workshop.stamp(t) for t in wanted}
        silent = [t for t in wanted if t not in heard or heard[t][0] != stamps[t]]
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            fresh = dict(zip(silent, pool.map(self.run_twice, silent)))
        for test in wanted:
            seen = (stamps[test], fresh[test]) if test in fresh else heard[test]
            self.baseline[test] = seen[1]
            if seen[1].ended:
                heard[test] = seen
            else:
                print(f"mutate: {test} does not pass unchanged; it judges nothing", flush=True)
        with open(self.heard, "w", encoding="utf-8") as f:
            json.dump({t: (stamp, list(o.cases.values()), o.ended, o.seconds)
                       for t, (stamp, o) in heard.items()}, f)

    def recall(self):
        """{test: (stamp, Outcome)} of programs that were heard before."""
        try:
            with open(self.heard, encoding="utf-8") as f:
                kept = json.load(f)
        except (OSError, ValueError):
            return {}
        return {t: (stamp,
                    Outcome(collections.OrderedDict((c[0], results.Case(*c)) for c in cases), ended,
                            seconds))
                for t, (stamp, cases, ended, seconds) in kept.items()}

    def run_twice(self, test):
        """A second time if need be: the machine may have been busy."""
        seen = self.run(test, {}, 60)
        return seen if seen.ended else self.run(test, {}, 60)

    def unchanged(self):
        """Whether the programs still stand for the sources."""
        return self.workshop.up_to_date(sorted({p for t in self.baseline
                                                for p in self.workshop.programs(t)}))

    def run(self, test, programs, limit, case=None):
        """A test with some of its programs replaced ({program: path})."""
        t, w = self.workshop.tests[test], self.workshop
        renamed = {}
        for old, new in programs.items():
            full = os.path.join(w.build, old)
            renamed.update({full: new, old: new, "./" + old: new})
        command = [renamed.get(a, a) for a in t["cmd"]]
        env = {**os.environ, **{k: renamed.get(v, v) for k, v in t["env"].items()}}
        if case:
            env["PROVES_CASE"] = case
        env["PERGOLA_ORACLE_COUNT"] = ORACLE

        def limits():
            resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 1, int(limit) + 2))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        p = subprocess.Popen(command, cwd=t["workdir"] or w.build, env=env, stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL,
                             text=True, errors="replace", start_new_session=True, preexec_fn=limits)
        # A busy machine is slow for all alike: the time of the processor counts. The clock only
        # ends what sleeps for ever.
        # its own group, made above
        timer = threading.Timer(limit * 6 + SLEEPS, os.killpg, (p.pid, signal.SIGKILL))
        timer.start()
        out = p.stdout.read()
        _, status, used = os.wait4(p.pid, 0)
        timer.cancel()
        p.returncode = os.waitstatus_to_exitcode(status)
        cases = collections.OrderedDict((c.name, c) for c in results.cases_of(out) if c.name)
        bad = any(c.why == "failed" for c in cases.values())
        return Outcome(cases, p.returncode == 0 and not bad and bool(cases),
                       used.ru_utime + used.ru_stime)

    def naming(self, rows):
        """{test: cases that claim one of the rows}"""
        found = {}
        for test, seen in self.baseline.items():
            names = [c.name for c in seen.cases.values() if not c.why
                     and any(r in rows for r, _, _ in c.rows)]
            if seen.ended and names:
                found[test] = names
        return found

    def stands_alone(self, test, case):
        """Some cases need what those before them left: by itself such a one would break for every
        mutant."""
        if (test, case) not in self.alone:
            seen = self.run(test, {}, 60, case)
            self.alone[test, case] = case in seen.cases and not seen.cases[case].why
        return self.alone[test, case]

    def broken(self, test, programs, case=None):
        """The cases that passed unchanged and do not pass now."""
        before = self.baseline[test]
        after = self.run(test, programs, max(LEAST, 4 * before.seconds), case)
        expected = [c for c in before.cases.values() if not c.why and case in (None, c.name)]
        lost = [c.name for c in expected if c.name not in after.cases or after.cases[c.name].why]
        if not lost and not after.ended:
            return ["(the end of the program)"]
        # A program that died said nothing of the cases behind the one in which it did.
        return lost[:1] if lost and lost[0] not in after.cases else [n for n in lost
                                                                     if n in after.cases]


def judge(judges, mutant, text, directory, others):
    """Verdict on one mutant. `others`: tests that claim other rows of the same file."""
    shop = judges.workshop
    os.makedirs(directory, exist_ok=True)
    try:
        changed = shop.prepare(mutant, mutants.apply(text, mutant), directory)
        if not changed.any():
            return Verdict("same", "")
        return hear_all(judges, mutant, changed, directory, others)
    except Refused:
        return Verdict("refused", "")
    finally:
        shutil.rmtree(directory)


def hear_all(judges, mutant, changed, directory, others):
    shop, linked, by_others = judges.workshop, {}, ""

    def programs(test):
        for p in shop.programs(test):
            if p not in linked:
                linked[p] = shop.link(p, changed, directory)
        return {p: linked[p] for p in shop.programs(test)}

    def cost(test):
        """Seconds that a test takes, about one for each object to be compiled before."""
        return judges.baseline[test].seconds + sum(len(changed.wanted(p))
                                                   for p in shop.programs(test))

    naming = judges.naming(mutant.rows)
    for test in sorted(naming, key=cost):
        script = shop.tests[test]["cmd"][0].endswith("python3")
        whole = judges.baseline[test].seconds < LONG or script
        alone = [c for c in naming[test] if not whole and judges.stands_alone(test, c)]
        for case in alone if len(alone) == len(naming[test]) else [None]:
            for lost in judges.broken(test, programs(test), case):
                if lost in naming[test]:
                    return Verdict("naming", f"{test}: {lost}")
                by_others = by_others or f"{test}: {lost}"
        # it may have died before the claiming case
        if whole and not script and by_others.startswith(test + ": "):
            for case in naming[test]:
                if (judges.stands_alone(test, case)
                        and case in judges.broken(test, programs(test), case)):
                    return Verdict("naming", f"{test}: {case}")
    spent = 0.0
    for test in sorted(set(others) - set(naming), key=cost):
        spent += cost(test)
        if by_others or spent > OTHERS:
            break
        if judges.baseline[test].ended:
            by_others = next((f"{test}: {lost}" for lost in judges.broken(test, programs(test))),
                             "")
    return Verdict("others", by_others) if by_others else Verdict("survived", "")
