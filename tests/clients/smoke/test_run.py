#!/usr/bin/env python3
"""`pergola run` itself: exit codes, options, files, the closing line. Prints TAP.

usage: test_run.py PERGOLA SMOKE_EXEC"""
import glob
import json
import os
import subprocess
import sys
import tempfile

PERGOLA, SMOKE = sys.argv[1], sys.argv[2]
count = failures = 0


def check(ok, what, detail=""):
    global count, failures
    count += 1
    failures += not ok
    print(f"{'' if ok else 'not '}ok {count} - {what}" + ("" if ok else f" # {detail!r}"))


def run(*args, env=None):
    return subprocess.run([PERGOLA, "run", *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=120, env=env)


p = run("--", "sh", "-c", "exit 7")
check(p.returncode == 7, "the exit code is the program's", p.returncode)
check("did not open the GPU; 0 rules broken" in p.stderr.splitlines()[-1], "a program without the GPU", p.stderr)
p = run("--", "sh", "-c", "kill -9 $$")
check(p.returncode == 137, "a signal is 128 and its number", p.returncode)
check(run("--", "/no/such/program").returncode == 127, "an absent program is 127")
for bad in (["--device", "voodoo2"], ["--check=maybe"], ["--trace=nonsense"], ["--threads", "x"], ["--native=maybe"], ["--colour"], [], ["--"],
            ["--stats=1", "--", "true"], ["--report"], ["--dump", "/no/such/place", "--", "true"]):
    p = run(*bad)
    check(p.returncode == 2 and p.stderr.startswith(("pergola:", "usage:")), f"usage error: {' '.join(bad) or 'nothing'}", p.stderr)
p = run("--help")
check(p.returncode == 0 and "--hang-budget" in p.stdout, "help")

p = run("--", SMOKE)
check(p.returncode == 0 and "not ok" not in p.stdout, "a program with the GPU", p.stdout)
check(p.stderr.splitlines()[-1] == "pergola: 0 rules broken, 0 warnings, 0 hangs in 304 batches", "the closing line", p.stderr)
p = run("--quiet", "--", SMOKE)
check(p.stderr == "", "quiet", p.stderr)

with tempfile.TemporaryDirectory() as d:
    p = run("--report", f"{d}/r.sarif", "--trace=cs", "--trace-file", f"{d}/t.txt", "--perfetto", f"{d}/p.json", "--stats",
            "--dump", f"{d}/new", "--deterministic", "--threads=1", "--", SMOKE)
    check(p.returncode == 0, "all options together", p.stderr)
    check(p.stderr.count("pergola: batch ") == 304 and "all 304 batches" in p.stderr, "a statistics line per batch")
    sarif = json.load(open(f"{d}/r.sarif", encoding="utf-8"))
    check(sarif["version"] == "2.1.0", "the report is SARIF")
    check(sum("MI_STORE_DATA_IMM" in x for x in open(f"{d}/t.txt", encoding="utf-8")) >= 300, "the trace has the commands")
    json.load(open(f"{d}/p.json", encoding="utf-8"))
    check(True, "the Perfetto trace is JSON")
    dumps = sorted(glob.glob(f"{d}/new/batch-*.bin"))
    check(len(dumps) == 304 and {x.rsplit("-", 1)[1] for x in dumps} == {"render.bin", "bsd.bin", "blt.bin"}, "every batch is dumped", len(dumps))
    q = subprocess.run([PERGOLA, "decode", dumps[0]], stdout=subprocess.PIPE, text=True, timeout=60)
    check(q.returncode == 0 and "MI_STORE_DATA_IMM" in q.stdout, "and decodes")
    p = run("--report", f"{d}/two.json", "--", "sh", "-c", f"{SMOKE} >/dev/null; {SMOKE} >/dev/null")
    check(os.path.exists(f"{d}/two.json") and os.path.exists(f"{d}/two-2.json"), "two processes, two reports", os.listdir(d)[-5:])
    check("in 608 batches" in p.stderr.splitlines()[-1], "and one closing line", p.stderr)

for name, path in (("--report", "r.json"), ("--perfetto", "p.json"), ("--trace-file", "t.txt")):
    p = run("--trace=cs", name, f"/no/such/place/{path}", "--", SMOKE)
    check(p.returncode != 0 and f"pergola: /no/such/place/{path}: No such file" in p.stderr, f"a file that cannot be written: {name}", p.stderr[-300:])

env = dict(os.environ, EGL_PLATFORM="x11", VK_ICD_FILENAMES="mine")
p = run("--", "sh", "-c", "echo $EGL_PLATFORM $VK_ICD_FILENAMES $MESA_LOADER_DRIVER_OVERRIDE", env=env)
check(p.stdout.split() == ["x11", "mine", "crocus"], "what the user has set stays", p.stdout)
p = run("--device=ivb-gt1", "--", "sh", "-c", "cat /sys/class/drm/card0/device/device")
check(p.stdout.strip() == "0x0156" or p.stdout.startswith("0x015"), "another part has another id", p.stdout)
print(f"1..{count}")
sys.exit(1 if failures else 0)
