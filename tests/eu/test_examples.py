#!/usr/bin/env python3
"""Runs every command of docs/eu-kernels.md and docs/lessons.md and compares what it prints. TAP on
standard output."""
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

pergola, root = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
blocks = []
for page in ("docs/eu-kernels.md", "docs/lessons.md"):
    text = (root / page).read_text()
    found = re.findall(r"```console( fails)?\n\$ (pergola [^\n]*)\n(.*?)```", text, re.S)
    assert len(found) > 5, page
    blocks += found
examples = {p.name for p in (root / "examples/eu").glob("*.asm")}
used = {name for _, command, _ in blocks for name in re.findall(r"examples/eu/(\S+)", command)}

print(f"1..{len(blocks) + 1}")
with tempfile.TemporaryDirectory() as place:
    (pathlib.Path(place) / "examples").symlink_to(root / "examples")
    for n, (fails, command, expected) in enumerate(blocks, 1):
        run = subprocess.run([pergola] + shlex.split(command)[1:], cwd=place, capture_output=True,
                             text=True, timeout=60)
        # One that is to fail says why on standard error, which stands behind the rest.
        ok = (run.returncode == bool(fails) and run.stdout + run.stderr == expected
              and bool(run.stderr) == bool(fails))
        print(f"{'ok' if ok else 'not ok'} {n} - {command}")
        if not ok:
            print("# expected:", *expected.splitlines(), "# printed:", *run.stdout.splitlines(),
                  *run.stderr.splitlines(), sep="\n#   ")
complete = len(used) >= 10 and used == examples
print(f"{'ok' if complete else 'not ok'} {len(blocks) + 1} - every example is on a page")
sys.exit(0)
