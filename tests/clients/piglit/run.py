#!/usr/bin/env python3
"""Runs piglit's tests of compute (stock Debian package, unpacked by scripts/install-piglit) on the
model: compute shaders by crocus, OpenCL programs by Beignet.

usage: run.py [--jobs N] [--timeout S] [--only REGEX] PERGOLA ROOT LIST.tsv

LIST.tsv has what is not to pass: a shell pattern of the case's name, an expectation and the reason;
the first line that fits counts. Expectations:
  skip      piglit itself must find that it does not apply here
  fail      known not to pass; the reason says why. Passing is an error too: the list must stay true
  later     needs a unit that is not modelled yet (the reason names it): not run
A line that fits nothing is an error. Prints TAP; what is not run is shown as skipped, a line each.

The driver offers OpenGL 4.2 with compute shaders as an extension. Most of piglit's were written for
OpenGL 4.3, so Mesa is told to offer more than that: what they need beside the version is there.
"""
import argparse
import concurrent.futures
import fnmatch
import glob
import os
import re
import subprocess
import sys

LEAST = 2100  # cases that have to pass
TOGETHER = 250  # shaders that one process runs
GL = {"PIGLIT_PLATFORM": "surfaceless_egl", "MESA_GL_VERSION_OVERRIDE": "4.5",
      "MESA_GLSL_VERSION_OVERRIDE": "450", "MESA_SHADER_CACHE_DISABLE": "1"}
GLES = {"PIGLIT_PLATFORM": "surfaceless_egl", "MESA_GLES_VERSION_OVERRIDE": "3.1",
        "MESA_SHADER_CACHE_DISABLE": "1"}
RESULT = re.compile(r'^PIGLIT: \{"result": "(\w+)"', re.M)
SUBTEST = re.compile(r'^PIGLIT: \{"subtest": \{"([^"]+)" : "(\w+)"\}\}', re.M)
BEGUN = re.compile(r"^PIGLIT TEST: \d+ - (\S+)", re.M)


class Runner:
    def __init__(self, pergola, root, timeout):
        self.pergola, self.root, self.timeout = (os.path.abspath(pergola), os.path.abspath(root),
                                                 timeout)

    def execute(self, program, arguments, extra):
        """What it printed; with a last line that is no result if it did not end well."""
        env = dict(os.environ, LD_LIBRARY_PATH=f"{self.root}/lib", **extra)
        try:
            p = subprocess.run([self.pergola, "run", "--quiet", "--", f"{self.root}/bin/{program}",
                                *arguments], cwd=self.root,
                               env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               errors="replace", timeout=self.timeout)
        except subprocess.TimeoutExpired:
            return f"no result in {self.timeout} s"
        return p.stdout if p.returncode in (0, 1) else f"{p.stdout}\nexit status {p.returncode}"

    def one(self, program, arguments, extra):
        """(result, the end of what was printed)"""
        out = self.execute(program, arguments, extra)
        found = RESULT.findall(out)
        lines = [x for x in out.split("\n") if x.strip()
                 and not x.startswith(("PIGLIT", "pergola: warning"))]
        return (found[-1] if found else "crash", " / ".join(lines[-2:])[:200])

    def shader(self, path):
        es = path.startswith("tests/spec/glsl-es-")
        return self.one("shader_runner_gles3" if es else "shader_runner", [path, "-auto", "-fbo"],
                        GLES if es else GL)

    def program(self, name):
        return self.one(name, ["-auto", "-fbo"], GL)

    def kernel(self, path):
        icd = glob.glob("/etc/OpenCL/vendors/intel-beignet*.icd")
        return self.one("cl-program-tester", [path, "-auto"],
                        {"OCL_ICD_VENDORS": icd[0] if icd else ""})

    def shaders(self, paths):
        """Many in one process: only those that do not pass have a line each. Those that a crash
        leaves out run alone."""
        out = self.execute("shader_runner", [*paths, "-auto", "-fbo"], GL)
        begun, others, ended = (set(BEGUN.findall(out)), dict(SUBTEST.findall(out)),
                                bool(RESULT.search(out)))
        results = {}
        for path in paths:
            name = os.path.basename(path)[:-len(".shader_test")]
            if ended and name in begun:
                results[path] = (others.get(name, "pass"), "")
            else:
                results[path] = self.shader(path)
        return results


def cases(root):
    """Name of a case to how it is run."""
    def below(pattern):
        return sorted(os.path.relpath(p, root)
                      for p in glob.glob(f"{root}/{pattern}", recursive=True))

    def is_compute(path):
        with open(f"{root}/{path}", encoding="utf-8", errors="replace") as f:
            return re.search(r"^\[compute shader\]", f.read(), re.M)

    shaders = [p
               for p in below("tests/spec/**/*.shader_test")
               + below("generated_tests/spec/**/*.shader_test") if is_compute(p)]
    together = [p for p in shaders if p.startswith("generated_tests/spec/glsl-4.30/")]
    found = {p: ("shaders", p) for p in together}
    found.update({p: ("shader", p) for p in shaders if p not in found})
    found.update({p: ("program", os.path.basename(p)) for p in below("bin/arb_compute_*")})
    found.update({p: ("kernel", p) for d in ("tests", "generated_tests")
                  for e in ("cl", "program_test")
                  for p in below(f"{d}/cl/**/*.{e}")})
    return found


def read_list(path):
    with open(path, encoding="utf-8") as f:
        rows = [line.rstrip("\n").split("\t") for line in f if line.strip()
                and not line.startswith("#")]
    bad = [r for r in rows if len(r) != 3 or r[1] not in ("skip", "fail", "later") or not r[2]]
    if bad:
        sys.exit(f"{path}: {bad[0]}: a pattern, skip, fail or later, and a reason")
    return rows


def expectation(rows, name, used):
    for i, (pattern, expect, reason) in enumerate(rows):
        if fnmatch.fnmatch(name, pattern):
            used.add(i)
            return expect, reason
    return "pass", ""


def run_all(runner, chosen, jobs):
    """Results by name."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        many = [n for n, (kind, _) in chosen.items() if kind == "shaders"]
        parts = [pool.submit(runner.shaders, many[i:i + TOGETHER])
                 for i in range(0, len(many), TOGETHER)]
        alone = {n: pool.submit(getattr(runner, kind), what)
                 for n, (kind, what) in chosen.items() if kind != "shaders"}
        results = {n: future.result() for n, future in alone.items()}
        for part in parts:
            results.update(part.result())
    return results


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--jobs", type=int, default=os.cpu_count())
    a.add_argument("--timeout", type=int, default=120)
    a.add_argument("--only", default="")
    a.add_argument("pergola")
    a.add_argument("root")
    a.add_argument("list")
    a = a.parse_args()
    if not os.path.exists(f"{a.root}/version"):
        print("1..0 # SKIP the package could not be had (scripts/install-piglit)")
        return 0
    rows, used = read_list(a.list), set()
    found = {n: how for n, how in cases(a.root).items() if re.search(a.only, n)}
    expect = {n: expectation(rows, n, used) for n in found}
    results = run_all(Runner(a.pergola, a.root, a.timeout),
                      {n: found[n] for n in found if expect[n][0] != "later"}, a.jobs)
    number = failed = passed = 0
    for name in found:
        number += 1
        want, reason = expect[name]
        if want == "later":
            print(f"ok {number} - {name} # SKIP later: {reason}")
            continue
        got, last = results[name]
        same = got == want or (want == "fail" and got not in ("pass", "skip"))
        passed += got == "pass" and same
        failed += not same
        note = ("" if same and want == "pass" else f" # SKIP {want}: {reason}" if same
                else f": {got}, expected {want}: {last}")
        print(f"{'' if same else 'not '}ok {number} - {name}{note}")
    unused = [] if a.only else [r for i, r in enumerate(rows) if i not in used]
    for r in unused:
        number += 1
        failed += 1
        print(f"not ok {number} - the list's {r[0]} fits no case")
    if not a.only:
        number += 1
        failed += passed < LEAST
        print(f"{'ok' if passed >= LEAST else 'not ok'} {number} - {passed} cases pass, at least "
              f"{LEAST} must")
    print(f"1..{number}")
    return 1 if failed or not found else 0


if __name__ == "__main__":
    sys.exit(main())
