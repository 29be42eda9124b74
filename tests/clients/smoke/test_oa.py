#!/usr/bin/env python3
"""`pergola run --oa` and `pergola oa`: the same counts however a program is run, and those of
--stats. Prints TAP.

usage: test_oa.py PERGOLA PROGRAM [ARGUMENTS]"""
import csv
import io
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import check, end

PERGOLA, PROGRAM = os.path.abspath(sys.argv[1]), [os.path.abspath(sys.argv[2]), *sys.argv[3:]]
for name in [n for n in os.environ if n.startswith("PERGOLA_")]:
    del os.environ[name]


def run(*args):
    return subprocess.run([PERGOLA, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, timeout=200, cwd=place)


directory = tempfile.TemporaryDirectory()
place = directory.name
reference = None
for options in (["--threads=1", "--native=off"], ["--threads=3", "--native=off"],
                ["--threads=1", "--native=always"], ["--threads=3"], ["--threads=2", "--stats"]):
    p = run("run", "--oa", "counts", *options, "--", *PROGRAM)
    told = p.stderr
    check(p.returncode == 0, f"{' '.join(options)}: runs", told)
    p = run("oa", "--json", "counts")
    counts = json.loads(p.stdout) if p.returncode == 0 else {}
    if reference is None:
        reference = counts
        everything = counts["all"]
        check(len(counts["dispatches"]) > 0
              and everything["gpgpu_threads"] + everything["ps_threads"] > 0 and
              everything["eu_active"] > 0, "something is counted", counts)
        if everything["ps_threads"]:
            check(everything["rasterized_2x2"] > everything["written_2x2"] > 0
                  and everything["early_failed_2x2"] > 0 and
                  everything["rasterized_2x2"] <= everything["early_failed_2x2"]
                  + everything["written_2x2"], "blocks are drawn, or hidden", everything)
    check(counts == reference, f"{' '.join(options)}: the same counts", counts)
everything = reference["all"]
line = [text for text in told.splitlines() if re.search(r"pergola: all \d+ batch", text)][-1]
stats = {what: int(n) for n, what in re.findall(r"(\d+) (threads|EU instructions|messages)", line)}
threads = sum(everything[f"{stage}_threads"] for stage in ("vs", "hs", "ds", "gpgpu", "gs", "ps"))
check(threads == stats["threads"], "as many threads as --stats has", (threads, line))
check(everything["eu_active"] == stats["EU instructions"],
      "as many clocks as --stats has instructions", (everything, line))
check(everything["sends"] == stats["messages"], "as many sends as --stats has messages",
      (everything, line))
for name, value in everything.items():
    if sum(d[name] for d in reference["dispatches"]) != value:
        check(False, f"{name}: all is the sum of its parts", value)
rows = list(csv.DictReader(io.StringIO(run("oa", "--csv", "counts").stdout)))
check(len(rows) == len(reference["dispatches"]) + 1 and rows[-1]["dispatch"] == "all" and
      all(int(rows[-1][name]) == value for name, value in everything.items()),
      "--csv says the same", rows[-1:])
text = run("oa", "counts").stdout.splitlines()
check(len(text) == len(rows) + 1 and str(everything["eu_active"]) in text[-1].split(),
      "the table says the same", text[-1:])
check(len(run("oa", "--total", "counts").stdout.splitlines()) == 2, "--total is one line")

with open(os.path.join(place, "counts"), "rb") as f:
    good = f.read()
for what, data in (("nothing", b""), ("a text", b"hello\n" * 100),
                   ("half of it", good[:len(good) - 100]),
                   ("a name with no end", good[:112 + 320] + b"x" * 32 + good[112 + 352:])):
    with open(os.path.join(place, "bad"), "wb") as f:
        f.write(data)
    p = run("oa", "bad")
    check(p.returncode == 1 and p.stderr.startswith("pergola: bad: ") and not p.stdout,
          f"{what} is refused", (p.returncode, p.stderr))
check(run("oa").returncode == 2 and run("oa", "--colour", "counts").returncode == 2, "usage errors")
check(run("oa", "absent").returncode == 1, "a file that is not there")
check(run("run", "--oa", "/no/such/place/f", "--", *PROGRAM).returncode == 2,
      "a place that is not there")
end()
