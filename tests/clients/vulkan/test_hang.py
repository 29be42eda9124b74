#!/usr/bin/env python3
"""Shaders that never end: what the driver makes of it, and what the diagnosis says (DRM-115,
DRM-116). Prints TAP.

usage: test_hang.py PERGOLA VK_HANG"""
import os
import re
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import check, end

PERGOLA, VK_HANG = sys.argv[1:3]


def threads(text, prefix):
    """Who has not ended, and what each waits for, or between which addresses it loops. How many
    times is chance."""
    found = re.findall(rf"^{prefix}: (.*?)(?:, at 0x\w+ .*)\n{prefix}:    (.*)$", text, re.M)
    return [(who, re.sub(r"last \d+ instructions|send \d+ messages", "", what))
            for who, what in found]


def same_story(how, run, replay):
    """Hang, file, replay: the same command, rules and threads."""
    ran, again = threads(run, "pergola"), threads(replay, "  thread")
    check(ran and ran == again, f"{how}: the replay tells the same of the threads", (ran, again))
    rules = [set(re.findall(rf"^{start}([A-Z0-9]+-\d+) TS .*: (group .*? stops)", text, re.M))
             for start, text in
             (("pergola: error: ", run), ("  ", replay))]
    check(rules[0] == rules[1], f"{how}: and of the rules", rules)
    place = re.search(r"ACTHD 0x(\w+), IPEHR 0x(\w+)", run)
    for name, value in zip(("ACTHD", "IPEHR"), place.groups() if place else ()):
        check(re.search(rf"^{name} +{value} {value}$", replay, re.M), f"{how}: and of {name}",
              replay)
    check("verdict: reproduced" in replay, f"{how}: it is the same hang", replay)


def hang(how):
    """Runs the client, takes over its results, and returns the diagnosis."""
    with tempfile.TemporaryDirectory() as d:
        p = subprocess.run([PERGOLA, "run", "--hang-budget=20000000", "--error-state", f"{d}/state",
                            "--", VK_HANG, how],
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=110)
        again = subprocess.run([PERGOLA, "replay", "--budget=20000000", f"{d}/state"],
                               capture_output=True, text=True, timeout=110)
    same_story(how, p.stderr, again.stdout)
    for ok, what in re.findall(r"^(not )?ok \d+ - (.*)$", p.stdout, re.M):
        check(not ok, f"{how}: {what}")
    check(p.returncode == 0 and "1..5" in p.stdout, f"{how}: the client has come to its end",
          p.stdout)
    check("1 hang in " in p.stderr.splitlines()[-1], f"{how}: one hang", p.stderr)
    return p.stderr


PLACE = (r"on half-slice \d+, EU \d+, slot \d+: kernel 0x[0-9a-f]{8}, at 0x[0-9a-f]{8} "
         r"\(\+0x[0-9a-f]+\) ")
text = hang("endless")
check("GPU hang on the render ring, batch 3, in GPGPU_WALKER: the batch did not end" in text,
      "endless: the command is named", text)
found = re.search(r"GPGPU thread 0 \(0 of 1 in group 0, 0, 0\) " + PLACE
                  + r"'[a-z(].*;', (\d+) instructions so far\n"
                  r"pergola:    runs; its last (\d+) instructions lie between (0x[0-9a-f]+) and "
                  r"(0x[0-9a-f]+) and send (\d+) messages to data\n",
                  text)
check(found is not None, "endless: the thread is named, and what it does", text)
if found:
    total, watched, first, last, messages = (int(n, 0) for n in found.groups())
    check(total > watched > 100000 and first < last < first + 0x200 and messages > 1000,
          "endless: the loop is a small one", found.groups())

text = hang("barrier")
check("in GPGPU_WALKER: the engine stopped on an error" in text
      or "in PIPE_CONTROL: the engine stopped on an error" in text,
      "barrier: the engine stops, as the chip's would", text)
found = re.search(r"GPGPU thread 0 \(0 of (\d+) in group 0, 0, 0\) " + PLACE
                  + r"'wait\(1\) n0.*;', \d+ instructions so far\n"
                  r"pergola:    waits for barrier \d+: (\d+) of (\d+) messages have come, none "
                  r"from thread (\d+) \(ended\)", text)
check(found is not None, "barrier: the waiting thread is named, and who did not come", text)
if found:
    threads, come, of, missing = (int(n) for n in found.groups())
    check(threads == of and come == of // 2 and missing == of // 2, "barrier: the count is right",
          found.groups())
check("error: MEDIA-058" in text, "barrier: the rule is reported", text)
# Before it counts as hung: a line after a while, and the threads when the user interrupts it.
q = subprocess.Popen([PERGOLA, "run", "--patience=1", "--", VK_HANG, "endless"],
                     stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                     text=True, start_new_session=True)
early = next((x for x in q.stderr if "has been busy for" in x), "")
check(re.search(r"busy for \d+ s: 1 thread has not ended, \d+ instructions so far; the busiest is "
                r"between 0x[0-9a-f]+ and 0x[0-9a-f]+, at '[a-z(]",
                early) is not None, "endless: a line tells where it stands", early)
os.killpg(q.pid, signal.SIGINT)
text = q.stderr.read()
check("interrupted; what the GPU was doing:" in text
      and re.search(r"GPGPU thread 0 \(0 of 1 in group 0, 0, 0\) " + PLACE, text) is not None,
      "endless: an interrupt tells of its threads", text)
check(q.wait(60) == 130, "endless: and ends the program", q.returncode)
end()
