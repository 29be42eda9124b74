#!/usr/bin/env python3
"""Runs every command of docs/eu-kernels.md and compares what it prints. TAP on standard output."""
import pathlib
import re
import shlex
import subprocess
import sys

pergola, root = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2])
page = (root / "docs/eu-kernels.md").read_text()
blocks = re.findall(r"```console\n\$ (pergola [^\n]*)\n(.*?)```", page, re.S)
examples = {p.name for p in (root / "examples/eu").glob("*.asm")}
used = {name for command, _ in blocks for name in re.findall(r"examples/eu/(\S+)", command)}

print(f"1..{len(blocks) + 1}")
for n, (command, expected) in enumerate(blocks, 1):
    run = subprocess.run([pergola] + shlex.split(command)[1:], cwd=root, capture_output=True,
                         text=True, timeout=60)
    ok = run.returncode == 0 and run.stdout == expected and not run.stderr
    print(f"{'ok' if ok else 'not ok'} {n} - {command}")
    if not ok:
        print("# expected:", *expected.splitlines(), "# printed:", *run.stdout.splitlines(),
              *run.stderr.splitlines(), sep="\n#   ")
complete = len(used) >= 10 and used == examples
print(f"{'ok' if complete else 'not ok'} {len(blocks) + 1} - every example is on the page")
sys.exit(0)
