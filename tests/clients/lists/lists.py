#!/usr/bin/env python3
"""The clients suite once more, every program that it runs recorded as AUB files, and each of these
replayed: hours. Prints TAP, a case per test of the suite; what a test itself gives is not judged
here.

usage: lists.py [--sanitize] [--every N] [--record DIR] [--with WORDS] PERGOLA BUILD [NAME...]
  --sanitize     not recorded, but run under the sanitizer: what it finds is to be what
                 ../sanitize/explained.tsv has. Of programs of which some cases err on purpose each
                 case is run alone
  --every N      only every N-th program of a test
  --record DIR   keep what was found to be good, a file for each program: these are not run again
                 when the run is resumed
  --with WORDS   appended to the test's command: --with '--jobs 1 --timeout 3000'
"""
import argparse
import fnmatch
import glob
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ERRING = ("vk_compute", "gl_compute")
VERDICT = re.compile(r"^verdict: (?:ring (\d+) does not end|(\d+) rings? ran to \w+ end(?:, (\d+) "
                     r"hangs? as recorded)?; memory "
                     r"(?:differs|is as recorded, (\d+) times?))", re.M)


def tests(build):
    """Name, command, environment of every test of the suite, but those that record or look for
    faults by themselves, and the one in which the model is refused memory by its host, which no
    file tells."""
    out = subprocess.run(["meson", "introspect", "--tests",
                          build], stdout=subprocess.PIPE, text=True, check=True).stdout
    for t in json.loads(out):
        if "pergola:clients" in t["suite"] and not t["name"].startswith(("aub_", "sanitize_",
                                                                         "smoke_want")):
            yield t["name"], t["cmd"], t["env"]


def by_case(pergola, build, command, env):
    """The command, with the name of each case of a program that errs on purpose."""
    at = [i for i, word in enumerate(command) if os.path.basename(word) in ERRING]
    if not at:
        return [command]
    out = subprocess.run([pergola, "run", "--quiet", "--", *command[at[-1]:], "--list"], cwd=build,
                         env=env,
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                         check=False).stdout
    return [command + [name] for name in re.findall(r"^\w+$", out, re.M)]


def replay(pergola, path, budget):
    """(None or what is wrong, rings, of these hung)"""
    p = subprocess.run([pergola, "replay", "--deterministic", *budget, path],
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                       text=True, errors="replace", check=False)
    found = VERDICT.search(p.stdout)
    if "neither a ring nor a batch" in p.stdout:
        return None, 0, 0  # a process that has not submitted anything
    if not found:
        return p.stdout.strip().rsplit("\n",
                                       maxsplit=1)[-1][-160:] or f"exit status {p.returncode}", 0, 0
    rings, hung = int(found[2] or 0), int(found[3] or 0)
    # Who is killed may have left the commands of his last batch, and not what came of it.
    return (None if found[4] and rings - int(found[4]) in (0, 1) else found[0]), rings + hung, hung


def judge_recording(pergola, place, about, done):
    """([what is wrong], rings, of these hung)"""
    budget = re.findall(r"--hang-budget[= ](\d+)", " ".join(about["options"]))
    budget = ["--budget", budget[-1]] if budget else []
    wrong, rings, hung = [], 0, 0
    for path in sorted(glob.glob(os.path.join(place, "a*.aub"))):
        why, here, of_these = replay(pergola, path, budget)
        wrong += [why] if why else []
        rings, hung = rings + here, hung + of_these
    # Who is killed has not recorded his last batch.
    if not wrong and done.get("batches") is not None and done["code"] == 0 and done[
        "batches"] != rings:
        wrong.append(f"{done['batches']} batches were run, {rings} recorded")
    return wrong, rings, hung


def explained():
    """(pattern of a program and its words, findings)"""
    with open(os.path.join(HERE, "..", "sanitize", "explained.tsv"), encoding="utf-8") as f:
        rows = [x.rstrip("\n").split("\t") for x in f if not x.startswith("#")]
    return [(pattern, set(rules.split())) for pattern, rules, _ in rows]


def judge_findings(_, place, about, done):
    """([what is wrong], programs that the sanitizer has looked at, of these with findings)"""
    reports = glob.glob(os.path.join(place, "report*"))
    if not reports:
        return [], 0, 0  # it has not opened the GPU
    found = []
    for path in reports:  # of each of its processes
        with open(path, encoding="utf-8", errors="replace") as f:
            found += [json.loads(line) for line in f if '"SAN-' in line]
    name = " ".join(about["program"])
    allowed = set().union(*(rules
                            for pattern, rules in explained() if fnmatch.fnmatch(name, pattern)))
    wrong = [f"{x['rule']} {x.get('message', '')}"[:400] for x in found if x["rule"] not in allowed]
    if not ended(done) and "killed" not in allowed:
        wrong.append("it was killed before its end")
    return wrong[:3], 1, bool(found)


def ended(done):
    """By itself: `pergola run` gives 128 and the number of a deadly signal."""
    return bool(done) and 0 <= done["code"] < 128


def judge(how, pergola, place, record):
    """(None or what is wrong, and two counts) of one program, whose files go."""
    done = {}
    with open(os.path.join(place, "about"), encoding="utf-8") as f:
        about = json.load(f)
    if os.path.exists(os.path.join(place, "done")):
        with open(os.path.join(place, "done"), encoding="utf-8") as f:
            done = json.load(f)
    wrong, many, of_these = how(pergola, place, about, done)
    shutil.rmtree(place, ignore_errors=True)
    if record and ended(done) and not wrong:
        path = os.path.join(record, about["key"])
        with open(path + ".part", "w", encoding="utf-8") as f:
            json.dump(dict(done, program=about["program"], counts=[many, of_these]), f)
        os.rename(f.name, path)
    return f"{' '.join(about['program'])}: {'; '.join(wrong)}" if wrong else None, many, of_these


class Judge:
    """Judges programs as they end, so that recordings do not fill the disk."""

    def __init__(self, how, pergola, place, record):
        self.how, self.pergola, self.place, self.record = how, pergola, place, record
        self.over, self.lock = threading.Event(), threading.Lock()
        self.taken, self.wrong, self.good, self.many, self.of_these = set(), [], 0, 0, 0
        self.threads = [threading.Thread(target=self.work) for _ in range(2)]
        for t in self.threads:
            t.start()

    def next(self):
        # when all is over, also of those that were killed
        name = "about" if self.over.is_set() else "done"
        with self.lock:
            for path in map(os.path.dirname, sorted(glob.glob(f"{self.place}/*/{name}"))):
                if path not in self.taken:
                    self.taken.add(path)
                    return path
        return None

    def add(self, wrong, many, of_these):
        with self.lock:
            self.wrong += [wrong] if wrong else []
            self.good += not wrong and many > 0
            self.many += many
            self.of_these += of_these

    def work(self):
        while True:
            last = self.over.is_set()
            place = self.next()
            if not place and last:
                return
            if not place:
                time.sleep(1)
                continue
            self.add(*judge(self.how, self.pergola, place, self.record))

    def finish(self):
        self.over.set()
        for t in self.threads:
            t.join()
        if self.record and os.path.exists(os.path.join(self.place, "again")):
            with open(os.path.join(self.place, "again"), encoding="utf-8") as f:
                names = set(f.read().split())
            for name in names:  # judged by an earlier run
                with open(os.path.join(self.record, name), encoding="utf-8") as f:
                    self.add(None, *json.load(f)["counts"])


MODES = {
    "aub": (judge_recording, ["--deterministic", "--aub", "{place}/a.aub"],
            "{0.good} programs run to the same memory, {0.many} batches, {0.of_these} of which "
            "hang in both; {1} do not"),
    "sanitize": (judge_findings, ["--sanitize=all", "--report", "{place}/report.json"],
                 "{0.good} programs are silent or explained, {0.of_these} of them explained; {1} "
                 "are not"),
}


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--sanitize", dest="mode", action="store_const", const="sanitize", default="aub")
    a.add_argument("--every", default="1")
    a.add_argument("--record", type=os.path.abspath)
    a.add_argument("--with", dest="more", type=shlex.split, default=[])
    a.add_argument("pergola", type=os.path.abspath)
    a.add_argument("build", type=os.path.realpath)
    a.add_argument("name", nargs="*")
    a = a.parse_args()
    pergola, build, (how, options, words) = a.pergola, a.build, MODES[a.mode]
    if a.record:
        os.makedirs(a.record, exist_ok=True)
    failures = number = 0
    for name, command, env in tests(build):
        if a.name and name not in a.name:
            continue
        number += 1
        record = os.path.join(HERE, "record.py")
        command = [record
                   if os.path.realpath(os.path.join(build, c)) == os.path.join(build, "pergola")
                   else c for c in command] + a.more
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
            judges = Judge(how, pergola, place, a.record)
            env = dict(os.environ, **env, REAL_PERGOLA=pergola, RECORDED=place,
                       RECORD_EVERY=a.every,
                       RECORD_OPTIONS=json.dumps(options), RECORD_KNOWN=a.record or "")
            for each in by_case(pergola, build, command,
                                env) if a.mode == "sanitize" else [command]:
                subprocess.run(each, cwd=build, env=env, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, check=False)
            judges.finish()
        if not judges.good and not judges.wrong:
            print(f"ok {number} - {name} # SKIP nothing of it is installed, or none of its "
                  f"programs gives the GPU anything to do", flush=True)
            continue
        failures += bool(judges.wrong)
        print(f"{'not ' if judges.wrong else ''}ok {number} - {name}: "
              f"{words.format(judges, len(judges.wrong))}", flush=True)
        for line in judges.wrong:
            print("# " + line[:600], flush=True)
    print(f"1..{number}")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
