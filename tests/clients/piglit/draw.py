#!/usr/bin/env python3
"""Runs piglit's profiles quick_gl and quick_shader (stock Debian package, unpacked by
scripts/install-piglit) on the model by crocus.

usage: draw.py [--every N] [--files] [--jobs N] [--timeout S] [--only REGEX] [--record FILE]
       [--peer] PERGOLA ROOT LIST.tsv

LIST.tsv has what is not to pass: a shell pattern of the case's name, an expectation and the reason;
the first line that fits counts.
Expectations: fail (passing is an error too) and later (not run). What does not pass and is not in
the list is run on llvmpipe: where that does not pass it either, there is nothing to compare with,
and the case is shown as skipped. --every N takes one case in N, always the same ones; --files
prints what these need, for unpacking. --record FILE keeps each result as it comes (result and name,
a line each): cases that are in it already are not run again, so that a run of hours can be stopped
and resumed. The order is that of a hash of the names: what a stopped run has reached is a sample of
all. --peer runs the list on llvmpipe alone, for its totals. Prints TAP.
"""
import argparse
import ast
import collections
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
VERSION = re.compile(r"^(?:GL|GLSL)(?: ES| COMPAT)? *>=.*", re.M)
NO_CONTEXT = "Failed to create any GL context"


class Runner:
    def __init__(self, pergola, root, timeout, peer):
        self.pergola, self.root, self.timeout, self.peer = (os.path.abspath(pergola),
                                                            os.path.abspath(root), timeout, peer)

    def execute(self, command, peer):
        """What it printed; without a result if it did not end well."""
        env = dict(os.environ, LD_LIBRARY_PATH=f"{self.root}/lib", PIGLIT_SOURCE_DIR=self.root,
                   PIGLIT_PLATFORM="surfaceless_egl", MESA_SHADER_CACHE_DISABLE="1")
        if peer:
            env.update(LIBGL_ALWAYS_SOFTWARE="1", LP_NUM_THREADS="0")
        if not os.path.exists(f"{self.root}/bin/{command[0]}"):
            return 'PIGLIT: {"result": "skip" }'
        before = [] if peer else [self.pergola, "run", "--quiet", "--threads", "1", "--"]
        options = [o for o in ("-auto", "-fbo") if o not in command]
        try:
            p = subprocess.run([*before, f"{self.root}/bin/{command[0]}", *command[1:], *options],
                               cwd=self.root, env=env,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               errors="replace", timeout=self.timeout)
        except subprocess.TimeoutExpired:
            return f"no result in {self.timeout} s"
        return p.stdout

    def one(self, command, peer=False):
        """The result: of all, and of the parts that it tells."""
        out = self.execute(command, peer)
        found = RESULT.findall(out)
        return found[-1] if found else "crash", dict(SUBTEST.findall(out))

    def judge(self, command):
        """pass, skip, none (llvmpipe does not pass it either), or what it was instead."""
        got, parts = self.one(command, self.peer)
        if got in ("pass", "skip") or self.peer:
            return got
        peer, peer_parts = self.one(command, peer=True)
        lost = [k for k, v in peer_parts.items() if v == "pass"
                and parts.get(k) not in ("pass", "skip")]
        return "none" if peer != "pass" and not lost else got

    def together(self, commands):
        """Shaders of one version by their names, many in one process: only those that do not pass
        have a line each. What fails runs again alone, and a process that does not reach its end is
        halved until the culprit is alone."""
        if len(commands) == 1:
            return {n: self.judge(c) for n, c in commands.items()}
        base = {n: os.path.basename(c[1])[:-len(".shader_test")] for n, c in commands.items()}
        out = self.execute([c[0] for c in commands.values()][:1]
                           + [c[1] for c in commands.values()], self.peer)
        begun, others = set(BEGUN.findall(out)), dict(SUBTEST.findall(out))
        if NO_CONTEXT in out and not begun:
            return dict.fromkeys(commands, "skip")
        # a process whose last shader is skipped has no result of its own
        last = list(base.values())[-1]
        if begun != set(base.values()) or not (RESULT.search(out) or last in others):
            names = list(commands)
            halves = names[:len(names) // 2], names[len(names) // 2:]
            return {n: r for half in halves
                    for n, r in self.together({n: commands[n] for n in half}).items()}
        alike = collections.Counter(base.values())
        got = {n: others.get(base[n], "pass") for n in commands}
        return {n: r if r in ("pass", "skip") and alike[base[n]] == 1 else self.judge(commands[n])
                for n, r in got.items()}


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
                if not outside and place(name) % every == 0 and re.search(only, name):
                    found[name] = command
    return found


class Record:
    """Results so far, in a file if one is given."""

    def __init__(self, path):
        self.known, self.file = {}, None
        if path:
            self.file = open(path, "a+", encoding="utf-8", buffering=1)
            self.file.seek(0)
            self.known = {name: result
                          for result, _, name in (line.rstrip("\n").partition("\t")
                                                  for line in self.file)}

    def add(self, results):
        self.known.update(results)
        if self.file:
            self.file.writelines(f"{result}\t{name}\n" for name, result in results.items())


def place(name):
    return zlib.crc32(name.encode())


def parts(root, wanted, alone):
    """Cases by their names, in lists that one process can run, in the order of their hashes. A
    shader among others does not tell of a warning."""
    lists = collections.defaultdict(list)
    for name in sorted(wanted, key=place):
        command = wanted[name]
        key = name
        if command[0].startswith("shader_runner") and len(command) == 2 and name not in alone:
            with open(f"{root}/{command[1]}", encoding="utf-8", errors="replace") as f:
                key = command[0], *VERSION.findall(f.read())
        lists[key].append(name)
    found = [names[i:i + TOGETHER] for names in lists.values()
             for i in range(0, len(names), TOGETHER)]
    return sorted(found, key=lambda names: place(names[0]))


def run_all(runner, chosen, jobs, record, alone):
    wanted = {n: c for n, c in chosen.items() if n not in record.known}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        running = [pool.submit(runner.together, {n: chosen[n] for n in names})
                   for names in parts(runner.root, wanted, alone)]
        for part in concurrent.futures.as_completed(running):
            record.add(part.result())
            if sys.stderr.isatty():
                print(f"\r{sum(n in record.known for n in chosen)} of {len(chosen)}", end="",
                      file=sys.stderr)
    return record.known


def main():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--every", type=int, default=1)
    p.add_argument("--files", action="store_true")
    p.add_argument("--jobs", type=int, default=os.cpu_count())
    p.add_argument("--timeout", type=int, default=600)
    p.add_argument("--only", default="")
    p.add_argument("--record")
    p.add_argument("--peer", action="store_true")
    p.add_argument("pergola")
    p.add_argument("root")
    p.add_argument("list")
    a = p.parse_args()
    if not os.path.exists(f"{a.root}/tests/quick_gl.xml.gz"):
        print("1..0 # SKIP the package could not be had (scripts/install-piglit)")
        return 0
    found = cases(a.root, a.every, a.only)
    if a.files:
        print("\n".join(sorted({f for c in found.values()
                                for f in [f"bin/{c[0]}"] + [x for x in c[1:] if "/" in x]})))
        return 0
    rows, used = read_list(a.list), set()
    expect = {n: expectation(rows, n, used) for n in found}
    results = run_all(Runner(a.pergola, a.root, a.timeout, a.peer),
                      {n: c for n, c in found.items() if expect[n][0] != "later"}, a.jobs,
                      Record(a.record), {n for n in found if expect[n][0] == "fail"})
    totals = collections.Counter(results.get(n, "later") for n in found)
    print("# " + ", ".join(f"{n} {result}" for result, n in totals.most_common()))
    if a.peer:
        return 0
    passed = listed = failed = 0
    for number, name in enumerate(found, 1):
        want, reason = expect[name]
        got = results.get(name, "later")
        passed += got == "pass"
        listed += want == "fail"
        if want == "later" or got in ("skip", "none"):
            why = {"later": f"later: {reason}", "skip": "does not apply here",
                   "none": "llvmpipe does not pass it either"}[got]
            print(f"ok {number} - {name} # SKIP {why}")
            continue
        good = got == "pass" if want == "pass" else got != "pass"
        failed += not good
        note = ("" if want == "pass" and good else f" # SKIP fail: {reason}" if good
                else f": {got}, expected {want}")
        print(f"{'' if good else 'not '}ok {number} - {name}{note}")
    enough = passed >= 0.98 * (passed + listed + failed)
    print(f"{'' if enough else 'not '}ok {len(found) + 1} - {passed} of {passed + listed + failed} "
          f"pass, 98 % must")
    print(f"1..{len(found) + 1}")
    return 1 if failed or not enough or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
