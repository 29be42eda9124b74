#!/usr/bin/env python3
"""The clients suite once more, every program that it runs recorded as AUB files, and each of these replayed: hours. Prints TAP, a case
per test of the suite; what a test itself gives is not judged here.

usage: lists.py [--every N] PERGOLA BUILD [NAME...]
  --every N  only every N-th program of a test
"""
import argparse
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
VERDICT = re.compile(r"^verdict: (?:ring (\d+) does not end|(\d+) rings ran to their end(?:, (\d+) hang as recorded)?; memory "
                     r"(?:differs|is as recorded, (\d+) times))", re.M)


def tests(build):
    """Name, command, environment of every test of the suite, but the one that records by itself, and the one in which the model is
    refused memory by its host, which no file tells."""
    out = subprocess.run(["meson", "introspect", "--tests", build], stdout=subprocess.PIPE, text=True, check=True).stdout
    for t in json.loads(out):
        if "pergola:clients" in t["suite"] and t["name"] not in ("aub_clients", "smoke_want"):
            yield t["name"], t["cmd"], t["env"]


def replay(pergola, path, budget):
    """(None or what is wrong, rings, of these hung)"""
    p = subprocess.run([pergola, "replay", "--deterministic", *budget, path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                       text=True, errors="replace", check=False)
    found = VERDICT.search(p.stdout)
    if "neither a ring nor a batch" in p.stdout:
        return None, 0, 0  # a process that has not submitted anything
    if not found:
        return p.stdout.strip().rsplit("\n", maxsplit=1)[-1][-160:] or f"exit status {p.returncode}", 0, 0
    rings, hung = int(found[2] or 0), int(found[3] or 0)
    # Who is killed may have left the commands of his last batch, and not what came of it.
    return (None if found[4] and rings - int(found[4]) in (0, 1) else found[0]), rings + hung, hung


def judge(pergola, place):
    """(None or what is wrong, rings, of these hung) of one recording, whose files go."""
    with open(os.path.join(place, "about"), encoding="utf-8") as f:
        about = json.load(f)
    done = {}
    if os.path.exists(os.path.join(place, "done")):
        with open(os.path.join(place, "done"), encoding="utf-8") as f:
            done = json.load(f)
    budget = re.findall(r"--hang-budget[= ](\d+)", " ".join(about["options"]))
    budget = ["--budget", budget[-1]] if budget else []
    wrong, rings, hung = [], 0, 0
    for path in sorted(glob.glob(os.path.join(place, "a*.aub"))):
        why, here, of_these = replay(pergola, path, budget)
        wrong += [why] if why else []
        rings, hung = rings + here, hung + of_these
    # Who is killed has not recorded his last batch.
    if not wrong and done.get("batches") is not None and done["code"] == 0 and done["batches"] != rings:
        wrong.append(f"{done['batches']} batches were run, {rings} recorded")
    shutil.rmtree(place, ignore_errors=True)
    return f"{'; '.join(wrong)}: {' '.join(about['program'])}" if wrong else None, rings, hung


class Replays:
    """Replays recordings as they come, so that they do not fill the disk."""

    def __init__(self, pergola, place):
        self.pergola, self.place = pergola, place
        self.over, self.lock = threading.Event(), threading.Lock()
        self.taken, self.wrong, self.good, self.rings, self.hung = set(), [], 0, 0, 0
        self.threads = [threading.Thread(target=self.work) for _ in range(2)]
        for t in self.threads:
            t.start()

    def next(self):
        name = "about" if self.over.is_set() else "done"  # when all is over, also of those that were killed
        with self.lock:
            for path in map(os.path.dirname, sorted(glob.glob(f"{self.place}/*/{name}"))):
                if path not in self.taken:
                    self.taken.add(path)
                    return path
        return None

    def work(self):
        while True:
            last = self.over.is_set()
            place = self.next()
            if not place and last:
                return
            if not place:
                time.sleep(0.2)
                continue
            wrong, rings, hung = judge(self.pergola, place)
            with self.lock:
                self.wrong += [wrong] if wrong else []
                self.good += not wrong and rings > 0
                self.rings += rings
                self.hung += hung

    def finish(self):
        self.over.set()
        for t in self.threads:
            t.join()


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--every", default="1")
    a.add_argument("pergola", type=os.path.abspath)
    a.add_argument("build", type=os.path.abspath)
    a.add_argument("name", nargs="*")
    a = a.parse_args()
    pergola, build = a.pergola, a.build
    failures = number = 0
    for name, command, env in tests(build):
        if a.name and name not in a.name:
            continue
        number += 1
        record = os.path.join(HERE, "record.py")
        command = [record if os.path.realpath(os.path.join(build, c)) == pergola else c for c in command]
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
            replays = Replays(pergola, place)
            subprocess.run(command, cwd=build, env=dict(os.environ, **env, REAL_PERGOLA=pergola, RECORDED=place, RECORD_EVERY=a.every),
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
            replays.finish()
        if not replays.good and not replays.wrong:
            print(f"ok {number} - {name} # SKIP nothing of it is installed, or none of its programs gives the GPU anything to do", flush=True)
            continue
        failures += bool(replays.wrong)
        print(f"{'not ' if replays.wrong else ''}ok {number} - {name}: {replays.good} programs run to the same memory, {replays.rings} "
              f"batches, {replays.hung} of which hang in both; {len(replays.wrong)} do not", flush=True)
        for line in replays.wrong:
            print("# " + line[:300], flush=True)
    print(f"1..{number}")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
