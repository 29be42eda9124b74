#!/usr/bin/env python3
"""Runs the `pergola` commands that README.md and pages of docs/ show, in an empty directory; those
of the manual page that are about hung GPUs too. Prints TAP.

usage: test_docs.py PERGOLA SOURCE_ROOT BUILD_ROOT

`./app` stands for a program of the reader's, and so do the files `a.png`, `b.png` and `error.txt`.
Commands whose program is not installed here are skipped."""
import os
import pathlib
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

pergola, root, build = (str(pathlib.Path(a).resolve()) for a in sys.argv[1:4])
app = f"{build}/tests/clients/vulkan/vk_compute vadd"
commands = []
for page in ("README.md", "docs/drivers.md", "docs/life-of-a-triangle.md", "docs/my-gpu-hung.md",
             "docs/sanitizer.md"):
    for block in re.findall(r"```sh\n(.*?)```",
                            (pathlib.Path(root) / page).read_text(encoding="utf-8"), re.S):
        for line in block.replace("\\\n", " ").splitlines():
            if line.startswith(("build/pergola ", "pergola ")):
                commands.append((page, line.split(" #")[0].strip()))
manual = (
    (pathlib.Path(root) / "docs/pergola.1").read_text(encoding="utf-8").replace("\\-", "-").split(
        ".SH EXAMPLES")[1])
about_hangs = re.findall(r"^pergola (?:ecode|replay|decode error).*$", manual, re.M)
assert {line.split()[1] for line in about_hangs} == {"ecode", "replay", "decode"}
commands += [("docs/pergola.1", line) for line in about_hangs]


def write_png(path, shift):
    """A grey picture with something to follow, moved to the right by `shift` pixels."""
    def chunk(kind, body):
        return struct.pack(">I",
                           len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    rows = b"".join(b"\0" + bytes(((x - shift) * 7 ^ y * 13 ^ (x - shift) * y // 5) & 255
                                  for x in range(64))
                    for y in range(64))
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR",
                                                  struct.pack(">IIBBBBB", 64, 64, 8, 0, 0, 0, 0)) +
                     chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def write_error_state(path):
    """A batch that waits for a semaphore which nobody signals."""
    sys.path.insert(0, str(pathlib.Path(root) / "tests/hang"))
    import states
    registers = {"START": 0x10000, "HEAD": 8, "TAIL": 0x10, "CTL": 0x3001, "HWS": 0x20000,
                 "ACTHD": 0x30000, "IPEHR": 0x0b160001, "INSTDONE": 0xfffffffe}
    memory = [("batch", 0x30000, [0x0b160001, 5, 0, 0x05000000], 4096),
              ("ring", 0x10000, [0x18800000, 0x30000, 0, 0], 16384), ("status", 0x20000, [0], 4096)]
    path.write_text(states.write(states.Hang("rcs0", registers, memory), "6.1"))


def absent(words):
    """Why a command cannot be run here, or None."""
    if "--qemu" in words:
        return "QEMU is a matter of the suite vm"
    program = words[words.index("--") + 1] if "--" in words else words[0]
    if not shutil.which(program):
        return f"{os.path.basename(program)} is not installed"
    return None


print(f"1..{len(commands) + 1}")
failed = len(commands) < 10
print(f"{'not ok' if failed else 'ok'} 1 - the pages show commands")
with tempfile.TemporaryDirectory() as place:
    write_png(pathlib.Path(place) / "a.png", 0)
    write_png(pathlib.Path(place) / "b.png", 3)
    write_error_state(pathlib.Path(place) / "error.txt")
    for n, (page, command) in enumerate(commands, 2):
        text = re.sub(r"\bbuild/(?!pergola)", f"{build}/", command).replace("./app", app)
        text = re.sub(r"\bexamples/(?=(eu|exec|bus)/)", f"{root}/examples/", text)
        words = [pergola] + shlex.split(text)[1:]
        why = absent(words)
        if why:
            print(f"ok {n} - {page}: {command} # SKIP {why}")
            continue
        before = set(os.listdir(place))
        p = subprocess.run(words, cwd=place, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           text=True, errors="replace", timeout=120)
        # it shows or leaves something
        ok = p.returncode == 0 and (p.stdout or set(os.listdir(place)) - before)
        failed |= not ok
        print(f"{'ok' if ok else 'not ok'} {n} - {page}: {command}")
        if not ok:
            print("#", p.returncode, *(p.stdout + p.stderr).splitlines()[-6:], sep="\n#   ")
sys.exit(1 if failed else 0)
