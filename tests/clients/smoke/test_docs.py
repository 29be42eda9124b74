#!/usr/bin/env python3
"""Runs the `build/pergola` commands that README.md and docs/drivers.md show, in an empty directory. Prints TAP.

usage: test_docs.py PERGOLA SOURCE_ROOT BUILD_ROOT

`./app` stands for a program of the reader's. Commands whose program is not installed here are skipped."""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

pergola, root, build = (str(pathlib.Path(a).resolve()) for a in sys.argv[1:4])
app = f"{build}/tests/clients/vulkan/vk_compute vadd"
commands = []
for page in ("README.md", "docs/drivers.md"):
    for block in re.findall(r"```sh\n(.*?)```", (pathlib.Path(root) / page).read_text(encoding="utf-8"), re.S):
        for line in block.replace("\\\n", " ").splitlines():
            if line.startswith("build/pergola "):
                commands.append((page, line.split(" #")[0].strip()))


def absent(words):
    """Why a command cannot be run here, or None."""
    program = words[words.index("--") + 1] if "--" in words else words[0]
    if not shutil.which(program):
        return f"{os.path.basename(program)} is not installed"
    return None


print(f"1..{len(commands) + 1}")
failed = len(commands) < 10
print(f"{'not ok' if failed else 'ok'} 1 - the pages show commands")
with tempfile.TemporaryDirectory() as place:
    for n, (page, command) in enumerate(commands, 2):
        text = re.sub(r"\bbuild/(?!pergola)", f"{build}/", command).replace("./app", app)
        text = re.sub(r"\bexamples/(?=(eu|exec|bus)/)", f"{root}/examples/", text)
        words = [pergola] + shlex.split(text)[1:]
        why = absent(words)
        if why:
            print(f"ok {n} - {page}: {command} # SKIP {why}")
            continue
        before = set(os.listdir(place))
        p = subprocess.run(words, cwd=place, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace",
                           timeout=120)
        ok = p.returncode == 0 and (p.stdout or set(os.listdir(place)) - before)  # it shows or leaves something
        failed |= not ok
        print(f"{'ok' if ok else 'not ok'} {n} - {page}: {command}")
        if not ok:
            print("#", p.returncode, *(p.stdout + p.stderr).splitlines()[-6:], sep="\n#   ")
sys.exit(1 if failed else 0)
