#!/usr/bin/env python3
"""apitrace's traces of our own OpenGL programs, replayed on the model by `eglretrace --headless`:
at every glReadPixels the picture is the one that the first run read. Prints TAP.

usage: replay.py PERGOLA PROGRAM PICTURES...

PICTURES are names of the program's pictures, or how they begin.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from png import png_rows

SIZE = 128


def raw_rows(path):
    """What glReadPixels gave, from the bottom up."""
    with open(path, "rb") as f:
        data = f.read()
    lines = [data[y * SIZE * 4:(y + 1) * SIZE * 4] for y in range(SIZE)]
    return [[line[x * 4:x * 4 + 3] for x in range(SIZE)] for line in reversed(lines)]


def run(command, **env):
    return subprocess.run(command, env=dict(os.environ, **env), stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)


def replay(pergola, program, name, top):
    """Names of the pictures, and which of them came out otherwise."""
    first, again, trace = (os.path.join(top, n) for n in ("first", "again", "trace"))
    os.mkdir(first)
    os.mkdir(again)
    made = run([pergola, "run", "--", "apitrace", "trace", "--api", "egl", "-o", trace, program,
                "--dump", first, name])
    drawn = re.findall(r"^# picture (\S+)", made.stdout, re.M)
    calls = re.findall(r"^(\d+) glReadPixels",
                       run(["apitrace", "dump", "--color=never", trace]).stdout, re.M)
    told = run([pergola, "run", "--", "eglretrace", "--headless", f"--snapshot={','.join(calls)}",
                f"--snapshot-prefix={again}/", trace],
               WAFFLE_PLATFORM="surfaceless_egl")
    shots = sorted(os.listdir(again))
    if made.returncode or told.returncode or not drawn or len(shots) != len(drawn):
        print(f"# {name}: {len(drawn)} pictures, {len(calls)} calls, {len(shots)} replayed")
        print("# " + "\n# ".join(told.stdout.strip().split("\n")[-3:]))
        return drawn, drawn or [name]
    return drawn, [p for p, s in zip(drawn, shots)
                   if raw_rows(os.path.join(first,
                                            p + ".rgba")) != png_rows(os.path.join(again, s))]


def main():
    pergola, program, names = sys.argv[1], sys.argv[2], sys.argv[3:]
    if not shutil.which("apitrace") or not shutil.which("eglretrace"):
        print("1..0 # SKIP apitrace is not installed (package apitrace)")
        return 0
    results = []
    for name in names:
        with tempfile.TemporaryDirectory() as top:
            drawn, wrong = replay(pergola, program, name, top)
        results += [(p, p not in wrong) for p in drawn] or [(name, False)]
    for n, (name, ok) in enumerate(results, 1):
        print(f"{'' if ok else 'not '}ok {n} - {name}")
    print(f"1..{len(results)}")
    return 0 if all(ok for _, ok in results) else 1


if __name__ == "__main__":
    sys.exit(main())
