#!/usr/bin/env python3
"""`pergola run` itself: exit codes, options, files, the closing line. Prints TAP.

usage: test_run.py PERGOLA SMOKE_EXEC SMOKE_ENDS SMOKE_STATIC"""
import glob
import json
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import check, end

PERGOLA, SMOKE, ENDS, STATIC = sys.argv[1:5]
for name in [n for n in os.environ if n.startswith("PERGOLA_")]:
    # every option is the default's unless it is set here, and nothing is to be said of others
    del os.environ[name]


def run(*args, env=None):
    return subprocess.run([PERGOLA, "run", *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, timeout=120, env=env)


p = run("--", "sh", "-c", "exit 7")
check(p.returncode == 7, "the exit code is the program's", p.returncode)
check("did not open the GPU; 0 rules broken" in p.stderr.splitlines()[-1],
      "a program without the GPU", p.stderr)
p = run("--", "sh", "-c", "kill -9 $$")
check(p.returncode == 137, "a signal is 128 and its number", p.returncode)
check(run("--", "/no/such/program").returncode == 127, "an absent program is 127")
for bad in (["--device", "voodoo2"], ["--check=maybe"], ["--trace=nonsense"], ["--threads", "x"],
            ["--native=maybe"], ["--colour"], [], ["--"],
            ["--stats=1", "--", "true"], ["--report"], ["--dump", "/no/such/place", "--", "true"],
            ["--threads=4294967297", "--", "true"], ["--hang-budget=0", "--", "true"],
            ["--report=/no/such/place/r.json", "--", "true"], ["--report=/", "--", "true"],
            ["--report=", "--", "true"],
            ["--trace=cs", "--trace-file=/no/such/place/t", "--", "true"],
            ["--perfetto=/no/such/place/p", "--", "true"], ["--dump=/etc/passwd", "--", "true"]):
    p = run(*bad)
    check(p.returncode == 2 and p.stderr.startswith(("pergola:", "usage:")),
          f"usage error: {' '.join(bad) or 'nothing'}", p.stderr)
p = run("--trace=cs,zz,eu", "--", "true")
check("'zz'" in p.stderr and "interrupt" in p.stderr,
      "a wrong kind of event is named, and the right ones", p.stderr)
check("did not open" not in run("--", "/no/such/program").stderr,
      "of a program that is not there nothing else is said")
check("signal 11" in run("--", "sh", "-c", "kill -SEGV $$").stderr, "a deadly signal is named")
p = run("--", STATIC, "exit")
check("did not open the GPU: it is statically linked" in p.stderr,
      "a static program is named as one", p.stderr)
p = run("--", os.path.basename(STATIC),
        env=dict(os.environ, PATH=os.path.dirname(os.path.abspath(STATIC))))
check("it is statically linked" in p.stderr, "also when the path is searched for it", p.stderr)
q = subprocess.Popen([PERGOLA, "run", "--", "sh", "-c",
                      "trap 'exit 9' TERM; echo ready; while :; do sleep 0.05; done"],
                     stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
q.stdout.readline()
q.send_signal(signal.SIGTERM)
check(q.wait(30) == 9, "SIGTERM reaches the program", q.returncode)
q = subprocess.Popen([PERGOLA, "run", "--", "sh", "-c", "echo ready; read line"],
                     stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
q.stdout.readline()
q.kill()
q.wait(30)
# its end of the pipe is closed with it; it would read for ever
ended, _, _ = select.select([q.stdout], [], [], 30)
check(ended and not q.stdout.read(), "the program does not outlive a killed pergola")

# The environment: a value that means nothing is named, and so is a name that nearly is one.
for name, value in (("CHECK", "maybe"), ("NATIVE", "fast"), ("THREADS", "-1"),
                    ("HANG_BUDGET", "10k"), ("TRACE", "cs,zz"), ("STATS", "yes")):
    p = run("--", ENDS, "exit", env=dict(os.environ, **{f"PERGOLA_{name}": value}))
    check(p.returncode == 3 and p.stderr.count(f"PERGOLA_{name} is ") == 1
          and f"'{value}'" in p.stderr and "1 rule broken" in p.stderr,
          f"PERGOLA_{name}={value} is named once, and the default taken", p.stderr)
p = run("--", ENDS, "exit",
        env=dict(os.environ, PERGOLA_NATVE="off", PERGOLA_SOMETHING="1", PERGOLA_STATS="0"))
check("PERGOLA_NATVE has no effect; PERGOLA_NATIVE has" in p.stderr and "SOMETHING" not in p.stderr
      and "commands" not in p.stderr, "a slip of the pen is named", p.stderr)
p = run("--help")
check(p.returncode == 0 and "--hang-budget" in p.stdout, "help")

p = run("--", SMOKE)
check(p.returncode == 0 and "not ok" not in p.stdout, "a program with the GPU", p.stdout)
check(p.stderr.splitlines()[-1] == "pergola: 0 rules broken, 0 warnings, 0 hangs in 304 batches",
      "the closing line", p.stderr)
p = run("--quiet", "--", SMOKE)
check(p.stderr == "", "quiet", p.stderr)

with tempfile.TemporaryDirectory() as d:
    p = run("--report", f"{d}/r.sarif", "--trace=cs", "--trace-file", f"{d}/t.txt", "--perfetto",
            f"{d}/p.json", "--stats",
            "--dump", f"{d}/new", "--deterministic", "--threads=1", "--", SMOKE)
    check(p.returncode == 0, "all options together", p.stderr)
    check(p.stderr.count("pergola: batch ") == 304 and "all 304 batches" in p.stderr,
          "a statistics line per batch")
    sarif = json.load(open(f"{d}/r.sarif", encoding="utf-8"))
    check(sarif["version"] == "2.1.0", "the report is SARIF")
    check(sum("MI_STORE_DATA_IMM" in x for x in open(f"{d}/t.txt", encoding="utf-8")) >= 300,
          "the trace has the commands")
    json.load(open(f"{d}/p.json", encoding="utf-8"))
    check(True, "the Perfetto trace is JSON")
    dumps = sorted(glob.glob(f"{d}/new/batch-*.bin"))
    check(len(dumps) == 304
          and {x.rsplit("-", 1)[1] for x in dumps} == {"render.bin", "bsd.bin", "blt.bin"},
          "every batch is dumped", len(dumps))
    q = subprocess.run([PERGOLA, "decode", dumps[0]], stdout=subprocess.PIPE, text=True, timeout=60)
    check(q.returncode == 0 and "MI_STORE_DATA_IMM" in q.stdout, "and decodes")
    p = run("--dump", f"{d}/dumps", "--", "sh", "-c", f"{ENDS} exit; {ENDS} exit")
    check(len(glob.glob(f"{d}/dumps/batch-*.bin")) == 5
          and len(glob.glob(f"{d}/dumps/process-2-batch-*.bin")) == 5,
          "two processes, two sets of dumps", os.listdir(d))
    p = run("--report", f"{d}/two.json", "--", "sh", "-c",
            f"{SMOKE} >/dev/null; {SMOKE} >/dev/null")
    check(os.path.exists(f"{d}/two.json") and os.path.exists(f"{d}/two-2.json"),
          "two processes, two reports", os.listdir(d)[-5:])
    check("in 608 batches" in p.stderr.splitlines()[-1], "and one closing line", p.stderr)

for name, path in (("REPORT", "r.json"), ("PERFETTO", "p.json"), ("TRACE_FILE", "t.txt")):
    p = run("--trace=cs", "--", SMOKE,
            env=dict(os.environ, **{f"PERGOLA_{name}": f"/no/such/place/{path}"}))
    check(p.returncode != 0 and f"pergola: /no/such/place/{path}: No such file" in p.stderr,
          f"a file that cannot be written: {name}", p.stderr[-300:])

# What is not modelled is counted, and can decide.
for options, code in (([], 0), (["--fail-on=unmodelled"], 3), (["--fail-on=hang"], 0),
                      (["--fail-on=warning"], 3),
                      (["--fail-on=unmodelled", "--ignore=VCS-325"], 0)):
    p = run(*options, "--", ENDS, "decode")
    told = "1 feature not modelled: results are wrong" in p.stderr
    check(p.returncode == code and told == ("--ignore=VCS-325" not in options),
          f"a codec command with {options}", p.stderr)
with tempfile.TemporaryDirectory() as d:
    os.mkfifo(f"{d}/fifo")
    p = run("--report", f"{d}/fifo", "--", "true")
    check(p.returncode == 2 and "it is a FIFO, and nobody reads it" in p.stderr,
          "a FIFO that nobody reads is named", p.stderr)
    open(f"{d}/plain", "w", encoding="utf-8").close()
    check(run("--", f"{d}/plain").returncode == 126, "a program that cannot be executed is 126")
no_proc = ["unshare", "-m", "sh", "-c", 'mount -t tmpfs none /proc && exec "$0" "$@"']
if subprocess.run([*no_proc, "true"], stderr=subprocess.DEVNULL).returncode == 0:
    q = subprocess.run([*no_proc, os.path.abspath(PERGOLA), "run", "--fail-on=error", "--", ENDS,
                        "exit"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       text=True, timeout=120)
    check(q.returncode == 3 and "in 5 batches" in q.stderr,
          "without /proc it still starts, and counts", q.stderr)
else:
    check(True, "without /proc # SKIP there can be no namespace of mounts here")

# What decides about success: --fail-on, rules to ignore, a baseline, files that cannot be written.
BROKEN = ["--", "sh", "-c", f"{ENDS} exit; exit 0"]  # RCS-128, and exit code 0
for options, code in ((["--fail-on=error"], 3), (["--fail-on=all"], 3),
                      (["--fail-on=hang,sanitizer"], 0), ([], 0),
                      (["--fail-on=error", "--ignore=rcs-128"], 0),
                      (["--fail-on=error", "--ignore=RCS-117"], 3)):
    p = run(*options, *BROKEN)
    check(p.returncode == code and ("by --fail-on=error" in p.stderr) == (code == 3),
          f"exit code with {options}", p.stderr)
p = run("--fail-on=hang", "--hang-budget=1000000", "--ignore=RCS-128", "--", "sh", "-c",
        f"{ENDS} hang; exit 0")
check(p.returncode == 3 and "by --fail-on=hang" in p.stderr, "a hang decides when it is named",
      p.stderr)
check("0 rules broken" in run("--ignore", "RCS-117,RCS-128", *BROKEN).stderr,
      "an ignored rule is not counted")
check(run("--fail-on=error", "--", "sh", "-c", "exit 7").returncode == 7,
      "a program that fails keeps its code")
for options, code in ((["--fail-on=unused"], 3), (["--fail-on=all"], 3),
                      (["--fail-on=error,hang"], 0)):
    p = run(*options, "--", "true")
    check(p.returncode == code and ("by --fail-on=unused" in p.stderr) == (code == 3),
          f"a program without the GPU with {options}", p.stderr)
check(run("--fail-on=unused", *BROKEN).returncode == 0, "who opened it has used it")
with tempfile.TemporaryDirectory() as d:
    for name in ("r.sarif", "r.json", "r.txt"):
        with open(f"{d}/{name}", "w", encoding="utf-8") as f:
            f.write("of an earlier run")
        run("--report", f"{d}/{name}", "--", "true")
        text = open(f"{d}/{name}", encoding="utf-8").read()
        check(json.loads(text)["runs"][0]["results"] == [] if name == "r.sarif" else text == "",
              f"{name} of a program without the GPU says that there was nothing", text)
check(run("--report=/dev/full", "--", "true").returncode == 0, "nothing fits anywhere")
for bad in ("--fail-on=everything", "--ignore=RCS-99999", "--host=z80", "--patience=-1",
            "--baseline=/no/such/file", "--sanitize=x",
            "--device=voodoo2", "--trace=zz", "--check=maybe", "--native=maybe", "--threads=x",
            "--hang-budget=0", "--stats=xml",
            "--report=/no/such/file", "--dump=/no/such/place", "--perfetto=/", "--oa=/", "--aub=/",
            "--error-state=/"):
    p = run(bad, "--", "true")
    option, value = bad.split("=")
    check(p.returncode == 2 and option in p.stderr and value in p.stderr,
          f"{bad} is refused by name and value", p.stderr)
with tempfile.TemporaryDirectory() as d:
    p = run("--write-baseline", f"{d}/b", *BROKEN)
    lines = open(f"{d}/b", encoding="utf-8").read().splitlines()
    check(len(lines) == 1 and lines[0].startswith("RCS-128\tRCS\tPIPE_CONTROL"),
          "a baseline has a line a rule and place", lines)
    p = run("--baseline", f"{d}/b", "--fail-on=error", *BROKEN)
    check(p.returncode == 0 and "0 rules broken" in p.stderr,
          "what is in the baseline does not count", p.stderr)
    p = run("--quiet", "--", ENDS, "exit",
            env=dict(os.environ, PERGOLA_BASELINE=f"{d}/b",
                     PERGOLA_WRITE_BASELINE="/no/such/place/b"))
    check("pergola: /no/such/place/b: No such file" in p.stderr,
          "of two baselines the one that cannot be written is named", p.stderr)
    p = run("--baseline", f"{d}/b", "--write-baseline=/dev/full", "--ignore=RCS-117", "--", ENDS,
            "decode")
    check(p.returncode == 1 and "/dev/full cannot be written" in p.stderr, "also when it is full",
          p.stderr)
    p = run("--write-baseline", f"{d}/b", "--baseline", f"{d}/b", *BROKEN)
    check(p.returncode == 2 and "reads the same file" in p.stderr and os.path.getsize(f"{d}/b"),
          "a baseline is not read and written", p.stderr)
    open(f"{d}/b", "w", encoding="utf-8").close()
    check(run("--baseline", f"{d}/b", "--fail-on=error", *BROKEN).returncode == 3,
          "what is not in it does")
    p = run("--hang-budget=1000000", "--error-state", f"{d}/e", "--", ENDS, "hang")
    check(os.path.getsize(f"{d}/e") > 1000 and f"the error state is in {d}/e" in p.stderr,
          "the error state is kept", p.stderr)
    # While the program is still there, others read it: replay, and the distribution's own decoder.
    q = subprocess.Popen([PERGOLA, "run", "--hang-budget=1000000", "--error-state", f"{d}/f", "--",
                          ENDS, "hang and stay"],
                         stderr=subprocess.DEVNULL, start_new_session=True)
    for _ in range(600):
        if os.path.exists(f"{d}/f"):
            break
        time.sleep(0.1)
    replay = subprocess.run([PERGOLA, "replay", "--budget=100000", f"{d}/f"], capture_output=True,
                            text=True, timeout=60)
    check(q.poll() is None and "verdict: reproduced" in replay.stdout,
          "it is read while the program hangs", replay.stdout + replay.stderr)
    if shutil.which("intel_error_decode"):
        decoder = subprocess.run(["intel_error_decode",
                                  f"{d}/f"], capture_output=True, text=True, timeout=60).stdout
        check("Detected GEN7 chipset" in decoder
              and re.search(r"^batch \(rcs0\) at 0x00000000_\w+\n0x\w+: +0x18800100: "
                            r"MI_BATCH_BUFFER_START", decoder, re.M)
              and "    len=65536, enabled" in decoder, "intel_error_decode reads it",
              decoder[-2000:])
    else:
        check(True, "intel_error_decode reads it # SKIP intel-gpu-tools is not installed")
    os.killpg(q.pid, signal.SIGKILL)
    q.wait()
# By a link of our own, since a file that cannot be written must not be removed, or replaced,
# whatever it is.
with tempfile.TemporaryDirectory() as d:
    os.symlink("/dev/full", f"{d}/full")
    for option in ("--report", "--perfetto", "--trace-file", "--oa", "--aub", "--error-state"):
        trace, how = (["--trace=cs"] if option == "--trace-file"
                      else []), ("hang" if option == "--error-state" else "exit")
        p = run(f"{option}={d}/full", *trace, "--hang-budget=1000000", "--", "sh", "-c",
                f"{ENDS} {how}; exit 0")
        check(p.returncode == 1
              and re.search(f"{d}/full(: No space left| cannot be written)", p.stderr)
              and os.path.islink(f"{d}/full"), f"{option} to a full device is an error", p.stderr)
p = run("--host=baseline", "--", SMOKE)
check(p.returncode == 0 and "not ok" not in p.stdout, "a host without AVX2", p.stdout)

# However a program ends, its files are complete.
for how, code in (("exit", 3), ("_exit", 3), ("abort", 134), ("exec", 3), ("fork", 3)):
    with tempfile.TemporaryDirectory() as d:
        for ending in ("txt", "json", "sarif"):
            p = run("--report", f"{d}/r.{ending}", "--perfetto", f"{d}/p.json", "--", ENDS, how)
            text = open(f"{d}/r.{ending}", encoding="utf-8").read()
            trace = json.load(open(f"{d}/p.json", encoding="utf-8"))["traceEvents"]
            results = (len(json.loads(text)["runs"][0]["results"]) if ending == "sarif" else
                       len([json.loads(line) for line in text.splitlines()]) if ending == "json"
                       else text.count("[RCS-128]"))
            check(p.returncode == code and results == 1
                  and sum(e["name"] == "MI_STORE_DATA_IMM" for e in trace) == 4,
                  f"after {how} the {ending} report and the Perfetto trace are complete",
                  (p.returncode, text, p.stderr))

with tempfile.TemporaryDirectory() as d:
    p = run("--report", f"{d}/r.json", "--", ENDS, "generations")
    check(sorted(os.listdir(d)) == ["r-2.json", "r-3.json", "r.json"],
          "every generation has a report", os.listdir(d))
if shutil.which("unshare") and subprocess.run(["unshare", "-U",
                                               "true"], check=False,
                                              stderr=subprocess.DEVNULL).returncode == 0:
    p = run("--fail-on=error", "--", "unshare", "-U", ENDS, "leave")
    check(p.returncode == 3 and "1 rule broken, 0 warnings, 0 hangs in 401 batches" in p.stderr,
          "under another name, too", p.stderr)
else:
    print("# user namespaces are not allowed here: programs under another name are not tried")
p = run("--", ENDS, "leave")
check(p.returncode == 3 and "1 rule broken, 0 warnings, 0 hangs in 401 batches" in p.stderr,
      "what is in flight at the exit is done", p.stderr)
p = run("--hang-budget=1000000", "--", ENDS, "hang and leave")
check(p.returncode == 3 and p.stderr.endswith("1 hang in 6 batches\n"),
      "what hangs at the exit is told", p.stderr)
p = run("--", ENDS, "hang and leave")
check(p.returncode == 3 and "a batch that is still running is given up" in p.stderr
      and "0 hangs in 6 batches, 1 of which did not end" in p.stderr,
      "what does not end is given up, and that is told", p.stderr)
p = run("--hang-budget=1000000", "--stats", "--", ENDS, "hang")
check(p.returncode == 3
      and ("GPU hang on the render ring, batch 6, in MI_BATCH_BUFFER_START: the batch did not end"
           in p.stderr) and
      "batch 6 (render), hung: " in p.stderr and "1 hang in 6 batches" in p.stderr,
      "a hang is named, with its command", p.stderr)

# Statistics: each batch has its own, whenever its end is noticed, and the last line is their sum.
figures = re.compile(r"pergola: (batch|all) (\d+).*: (\d+) commands?, (\d+) threads?, (\d+) EU.*, "
                     r"(\d+) messages?, (\d+) bytes? read, (\d+) written")
p = run("--stats", "--", ENDS, "exit")
lines = [m.groups() for m in figures.finditer(p.stderr)]
batches = [[int(x) for x in m[2:]] for m in lines if m[0] == "batch"]
check(len(batches) == 5 and all(b[0] >= 8 for b in batches), "every batch has commands", lines)
check(lines[-1][0] == "all" and [int(x) for x in lines[-1][2:]] == [sum(c) for c in zip(*batches)],
      "the last line is the sum", lines)
p = run("--stats", "--", ENDS, "fork")
check(re.findall(r"all (\d+) batch", p.stderr) == ["4", "5"], "a child counts its own", p.stderr)

with tempfile.TemporaryDirectory() as d:
    with open(f"{d}/log", "w", encoding="utf-8") as log:
        log.write("before\n")
        log.flush()
        subprocess.run([PERGOLA, "run", "--trace=cs", "--", ENDS, "exit"], stderr=log,
                       stdout=subprocess.DEVNULL, timeout=60)
    text = open(f"{d}/log", encoding="utf-8").read()
    check(text.startswith("before\n") and text.count("MI_STORE_DATA_IMM") == 4
          and text.endswith("in 5 batches\n"),
          "a trace on standard error leaves what is there", text[:200])
    shutil.copytree(os.path.dirname(os.path.realpath(PERGOLA)) + "/frontends/drm",
                    f"{d}/a b:c/frontends/drm",
                    ignore=lambda _, names: [n for n in names if not n.endswith(".so")])
    shutil.copy(PERGOLA, f"{d}/a b:c/pergola")
    p = subprocess.run([f"{d}/a b:c/pergola", "run", "--", ENDS, "exit"], stderr=subprocess.PIPE,
                       text=True, timeout=60)
    check(p.returncode == 3 and "in 5 batches" in p.stderr, "a path with a space and a colon",
          p.stderr)

env = dict(os.environ, EGL_PLATFORM="x11", VK_ICD_FILENAMES="mine")
p = run("--", "sh", "-c", "echo $EGL_PLATFORM $VK_ICD_FILENAMES $MESA_LOADER_DRIVER_OVERRIDE",
        env=env)
check(p.stdout.split() == ["x11", "mine", "crocus"], "what the user has set stays", p.stdout)
p = run("--device=ivb-gt1", "--", "sh", "-c", "cat /sys/class/drm/card0/device/device")
check(p.stdout.strip() == "0x0156" or p.stdout.startswith("0x015"), "another part has another id",
      p.stdout)
end()
