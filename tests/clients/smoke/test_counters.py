#!/usr/bin/env python3
"""Debian's tools that reach the registers past the kernel, under `pergola run`: intel_perf_counters
beside a known dispatch in its own process, intel_reg. Prints TAP.

usage: test_counters.py PERGOLA MODULE"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from proves import proves
from tap import check, end

PERGOLA, MODULE = map(os.path.abspath, sys.argv[1:3])
TOOL = "intel_perf_counters"
THREADS, INSTRUCTIONS = 64, 11  # of the kernel in kernel.h, which has no branches
if not shutil.which(TOOL) or not shutil.which("intel_reg"):
    print("1..0 # SKIP Debian's intel-gpu-tools are not there")
    sys.exit(0)


def until(condition):
    limit = time.monotonic() + 150
    while not condition() and time.monotonic() < limit:
        time.sleep(0.05)


def counted():
    """Sums of what the tool has printed: it prints what has come since the last time."""
    with tempfile.TemporaryDirectory() as d:
        go, done, out = (os.path.join(d, name) for name in ("go", "done", "out"))
        env = dict(os.environ, COUNTED_GO=go, COUNTED_DONE=done, COUNTED_TOOL=TOOL)
        with open(out, "w") as f, open(os.path.join(d, "err"), "w+") as errors:
            p = subprocess.Popen([PERGOLA, "run", "--", "sh", "-c",
                                  f"LD_PRELOAD=$LD_PRELOAD:{MODULE} exec stdbuf -o0 {TOOL}"],
                                 stdout=f, stderr=errors, env=env)

            def text():
                with open(out) as g:
                    return re.sub(r"\x1b\[[HJ]", "", g.read())

            def prints():
                return len(re.findall(r"^Render Engine Busy: \d+$", text(), re.M))
            until(lambda: prints() >= 2)
            open(go, "w").close()
            until(lambda: os.path.exists(done) and os.path.getsize(done))
            before = prints()
            until(lambda: prints() >= before + 2)
            p.terminate()
            p.wait(timeout=60)
            errors.seek(0)
            told = errors.read()
        result = {}
        for name, value in re.findall(r"^([^:\n]+): (\d+)$", text(), re.M):
            result[name] = result.get(name, 0) + int(value)
        with open(done) as f:
            return f.read().strip(), result, told


stored, counts, told = counted()
check(stored == "stored", "the dispatch stores what it should", (stored, told))
proves("SYS-468", "SYS-471", "SYS-472")
check(counts.get("# CS threads loaded") == THREADS, f"{TOOL} sees its threads", counts)
proves("SYS-471")
check(counts.get("Compute Shader Active Time") == counts.get("Aggregated Core Array Active")
      == THREADS * INSTRUCTIONS, "and a clock for each instruction", counts)
check(counts.get("Render Engine Busy", 0) > 0 and counts.get("# PS threads loaded") == 0,
      "the engine was busy, without pixels", counts)
p = subprocess.run([PERGOLA, "run", "--", "sh", "-c",
                    "intel_reg write 0x238c 0x1234abcd && intel_reg read 0x2358 0x12358"],
                   capture_output=True, text=True, timeout=120)
check(p.returncode == 0 and len(re.findall(r"\(0x000[01]2358\): 0x[0-9a-f]{8}", p.stdout)) == 2,
      "intel_reg reads and writes", (p.stdout, p.stderr))
end()
