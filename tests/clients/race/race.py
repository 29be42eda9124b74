#!/usr/bin/env python3
"""Stock drivers on a preload library that was built for a race detector. Prints TAP.

usage: race.py PRELOAD; PERGOLA_CLIENTS is a build directory with the clients, which are not built
       for it.

The library's objects call the detector's run time, which the compiler links into programs only;
here the shared one of GCC is loaded into a client before the library. Races of the clients' own
kernels are theirs: they are in the memory of objects. Native code is seen by what it calls.
"""
import os
import re
import subprocess
import sys
import tempfile

LIMIT_S = 240
CASES = {
    "smoke_many": ["tests/clients/smoke/smoke_many"],
    "smoke_many, interpreted": ["--native", "off", "tests/clients/smoke/smoke_many"],
    "smoke_many, all native": ["--native", "always", "tests/clients/smoke/smoke_many"],
    "vulkan": ["tests/clients/vulkan/vk_compute"],
    "opengl": ["tests/clients/gl/gl_compute"],
}
# No handlers of the detector's own: it would put them in place before it is ready, through the
# library's sigaction(), whose code calls the detector.
HANDLERS = "".join(f":handle_{s}=0" for s in ("segv", "sigbus", "sigill", "sigfpe"))
OPTIONS = "exitcode=0:report_signal_unsafe=0:report_thread_leaks=0" + HANDLERS


def skip(why):
    print(f"1..0 # SKIP {why}")
    sys.exit(0)


def run_time():
    """The detector's shared library, and what has to stand before a command for it to work on this
    host."""
    try:
        path = subprocess.run(["gcc",
                               "-print-file-name=libtsan.so"], stdout=subprocess.PIPE, text=True,
                              check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        skip("no gcc")
    if not os.path.isabs(path):
        skip("no libtsan.so (package gcc)")
    # A host may put memory at places that the detector does not know, at random: best it is asked
    # not to; else many attempts have to show that it does not.
    for before, attempts in ((["setarch", "-R"], 1), ([], 50)):
        try:
            command = before + ["env", f"LD_PRELOAD={path}", "true"]
            if not any(subprocess.run(command, stderr=subprocess.DEVNULL).returncode
                       for _ in range(attempts)):
                return os.path.realpath(path), before
        except OSError:
            pass
    skip("the race detector does not run on this host")


def ours(report):
    """Both sides are told first, then what they have in common."""
    sides = re.split(r"\n  (?:Location|Thread T|Mutex|As if)", report)[0]
    return "libpergola_drm.so" in sides and "memfd:pergola objects" not in report


def run(build, preload, detector, before, arguments):
    """What is wrong: lines."""
    *options, program = arguments
    with tempfile.TemporaryDirectory() as directory:
        command = [f"{build}/pergola", "run", "--threads", "4", "--report",
                   f"{directory}/rules.json", *options, "--", *before,
                   "env", f"LD_PRELOAD={detector}:{preload}",
                   f"TSAN_OPTIONS={OPTIONS}:log_path={directory}/race", f"{build}/{program}"]
        try:
            p = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               timeout=LIMIT_S,
                               env=dict(os.environ, MESA_SHADER_CACHE_DISABLE="1"),
                               errors="replace")
        except subprocess.TimeoutExpired:
            return [f"not done after {LIMIT_S} seconds"]
        logs = [os.path.join(directory, f)
                for f in sorted(os.listdir(directory)) if f.startswith("race")]
        text = "".join(open(f, encoding="utf-8", errors="replace").read() for f in logs)
    reports = [r for r in text.split("==================\n") if "WARNING: ThreadSanitizer" in r
               and ours(r)]
    wrong = [line for line in p.stdout.splitlines() if line.startswith("not ok")]
    passed = sum(line.startswith("ok ") and "# SKIP" not in line for line in p.stdout.splitlines())
    if p.returncode or not passed or wrong:
        wrong = (wrong
                 or [f"exit code {p.returncode}, {passed} cases passed"]
                 + p.stdout.splitlines()[-20:] + text.splitlines()[-20:])
    return wrong + [line for r in reports[:3] for line in r.splitlines()]


def main():
    build, preload = os.environ.get("PERGOLA_CLIENTS", ""), os.path.abspath(sys.argv[1])
    missing = [c[-1] for c in CASES.values() if not os.path.exists(f"{build}/{c[-1]}")]
    if not build or missing:
        skip("PERGOLA_CLIENTS names no build directory with " + (missing or ["clients"])[0])
    detector, before = run_time()
    failed = 0
    print(f"1..{len(CASES)}")
    for number, (name, arguments) in enumerate(CASES.items(), 1):
        wrong = run(build, preload, detector, before, arguments)
        failed += bool(wrong)
        print(f"{'not ' if wrong else ''}ok {number} - {name}: no races", flush=True)
        for line in wrong:
            print(f"# {line}", flush=True)
    sys.exit(failed != 0)


main()
