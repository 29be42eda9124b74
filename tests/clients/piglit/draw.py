#!/usr/bin/env python3
"""Runs piglit's profiles quick_gl and quick_shader (stock Debian package, unpacked by scripts/install-piglit) on the model by crocus.

usage: draw.py [--every N] [--files] [--jobs N] [--timeout S] [--only REGEX] [--record FILE] PERGOLA ROOT LIST.tsv

LIST.tsv has what is not to pass: a shell pattern of the case's name, an expectation and the reason; the first line that fits counts.
Expectations: fail (passing is an error too) and later (not run). What does not pass and is not in the list is run on llvmpipe: where
that does not pass it either, there is nothing to compare with, and the case is shown as skipped. --every N takes one case in N, always
the same ones; --files prints what these need, for unpacking. --record FILE keeps each result as it comes (result and name, a line
each): cases that are in it already are not run again, so that a run of hours can be stopped and resumed. Prints TAP.
"""
import argparse
import ast
import concurrent.futures
import gzip
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
import zlib

from run import BEGUN, RESULT, SUBTEST, expectation, read_list

TOGETHER = 50  # shaders that one process runs
# Other window systems have no surface here, compute shaders have a list of their own (run.py).
OUTSIDE = re.compile(r"^glx|@egl|compute|[-_]cs[-_]", re.I)


class Runner:
    def __init__(self, pergola, root, timeout):
        self.pergola, self.root, self.timeout = os.path.abspath(pergola), os.path.abspath(root), timeout

    def execute(self, command, peer):
        """What it printed; without a result if it did not end well."""
        env = dict(os.environ, LD_LIBRARY_PATH=f"{self.root}/lib", PIGLIT_SOURCE_DIR=self.root, PIGLIT_PLATFORM="surfaceless_egl",
                   MESA_SHADER_CACHE_DISABLE="1")
        if peer:
            env.update(LIBGL_ALWAYS_SOFTWARE="1", LP_NUM_THREADS="0")
        before = [] if peer else [self.pergola, "run", "--quiet", "--threads", "1", "--"]
        options = [o for o in ("-auto", "-fbo") if o not in command]
        try:
            p = subprocess.run([*before, f"{self.root}/bin/{command[0]}", *command[1:], *options], cwd=self.root, env=env,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=self.timeout)
        except subprocess.TimeoutExpired:
            return f"no result in {self.timeout} s"
        except FileNotFoundError:
            return 'PIGLIT: {"result": "skip" }'
        return p.stdout

    def one(self, command, peer=False):
        """The result: of all, and of the parts that it tells."""
        out = self.execute(command, peer)
        found = RESULT.findall(out)
        return found[-1] if found else "crash", dict(SUBTEST.findall(out))

    def judge(self, command):
        """pass, skip, none (llvmpipe does not pass it either), or what it was instead."""
        got, parts = self.one(command)
        if got in ("pass", "skip"):
            return got
        peer, peer_parts = self.one(command, peer=True)
        lost = [k for k, v in peer_parts.items() if v == "pass" and parts.get(k) not in ("pass", "skip")]
        return "none" if peer != "pass" and not lost else got

    def together(self, commands):
        """Shaders by their names, many in one process: only those that do not pass have a line each, and run again alone."""
        files = {os.path.basename(c[1])[:-len(".shader_test")]: n for n, c in commands.items()}
        out = self.execute(["shader_runner"] + [c[1] for c in commands.values()], False)
        begun, others, ended = set(BEGUN.findall(out)), dict(SUBTEST.findall(out)), bool(RESULT.search(out))
        good = {n for base, n in files.items() if ended and base in begun and others.get(base, "pass") == "pass"}
        return {n: "pass" if n in good else self.judge(c) for n, c in commands.items()}


def cases(root, every, only):
    """Name of a case to its command."""
    found = {}
    for profile in ("quick_gl", "quick_shader"):
        with gzip.open(f"{root}/tests/{profile}.xml.gz") as f:
            for test in ET.parse(f).getroot().findall("Test"):
                name = test.get("name")
                options = {o.get("name"): o.get("value") for o in test.findall("option")}
                command = ast.literal_eval(options["command"])
                outside = OUTSIDE.search(" ".join([name] + command))
                if not outside and zlib.crc32(name.encode()) % every == 0 and re.search(only, name):
                    found[name] = command
    return found


class Record:
    """Results so far, in a file if one is given."""

    def __init__(self, path):
        self.known, self.file = {}, None
        if path:
            self.file = open(path, "a+", encoding="utf-8", buffering=1)
            self.file.seek(0)
            self.known = {name: result for result, _, name in (line.rstrip("\n").partition("\t") for line in self.file)}

    def add(self, results):
        self.known.update(results)
        if self.file:
            self.file.writelines(f"{result}\t{name}\n" for name, result in results.items())


def run_all(runner, chosen, jobs, record):
    wanted = {n: c for n, c in chosen.items() if n not in record.known}
    shaders = [n for n, c in wanted.items() if c[0] == "shader_runner" and len(c) == 2]
    alone = sorted(set(wanted) - set(shaders))
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        parts = [pool.submit(runner.together, {n: chosen[n] for n in shaders[i:i + TOGETHER]}) for i in range(0, len(shaders), TOGETHER)]
        parts += [pool.submit(lambda n: {n: runner.judge(chosen[n])}, n) for n in alone]
        for part in concurrent.futures.as_completed(parts):
            record.add(part.result())
            if sys.stderr.isatty():
                print(f"\r{sum(n in record.known for n in chosen)} of {len(chosen)}", end="", file=sys.stderr)
    return record.known


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--every", type=int, default=1)
    p.add_argument("--files", action="store_true")
    p.add_argument("--jobs", type=int, default=os.cpu_count())
    p.add_argument("--timeout", type=int, default=120)
    p.add_argument("--only", default="")
    p.add_argument("--record")
    p.add_argument("pergola")
    p.add_argument("root")
    p.add_argument("list")
    a = p.parse_args()
    if not os.path.exists(f"{a.root}/tests/quick_gl.xml.gz"):
        print("1..0 # SKIP the package could not be had (scripts/install-piglit)")
        return 0
    found = cases(a.root, a.every, a.only)
    if a.files:
        print("\n".join(sorted({f for c in found.values() for f in [f"bin/{c[0]}"] + [x for x in c[1:] if "/" in x]})))
        return 0
    rows, used = read_list(a.list), set()
    expect = {n: expectation(rows, n, used) for n in found}
    results = run_all(Runner(a.pergola, a.root, a.timeout), {n: c for n, c in found.items() if expect[n][0] != "later"}, a.jobs,
                      Record(a.record))
    passed = listed = failed = 0
    for number, name in enumerate(found, 1):
        want, reason = expect[name]
        got = results.get(name, "later")
        passed += got == "pass"
        listed += want == "fail"
        if want == "later" or got in ("skip", "none"):
            why = {"later": f"later: {reason}", "skip": "does not apply here", "none": "llvmpipe does not pass it either"}[got]
            print(f"ok {number} - {name} # SKIP {why}")
            continue
        good = got == "pass" if want == "pass" else got != "pass"
        failed += not good
        note = "" if want == "pass" and good else f" # SKIP fail: {reason}" if good else f": {got}, expected {want}"
        print(f"{'' if good else 'not '}ok {number} - {name}{note}")
    enough = passed >= 0.98 * (passed + listed + failed)
    print(f"{'' if enough else 'not '}ok {len(found) + 1} - {passed} of {passed + listed + failed} pass, 98 % must")
    print(f"1..{len(found) + 1}")
    return 1 if failed or not enough or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
