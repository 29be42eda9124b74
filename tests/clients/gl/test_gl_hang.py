#!/usr/bin/env python3
"""Shaders of the 3D pipeline that never end, through stock crocus: the stage that hangs is seen in
INSTDONE, and the replay of the error state tells what the run told. Prints TAP.

usage: test_gl_hang.py PERGOLA GL_HANG"""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import check, end

PERGOLA, GL_HANG = sys.argv[1:3]


def threads(text, prefix):
    """Who has not ended, in which kernel. Where loops stand is chance."""
    return set(re.findall(rf"^{prefix}: (\w+ shader) thread .*: kernel (0x\w+)", text, re.M))


# The stage, and the register with the bits that are its alone.
for stage, register, busy in (("vertex", "INSTDONE", 1 << 2), ("geometry", "INSTDONE", 1 << 6),
                              ("fragment", "SC_INSTDONE", 6)):
    with tempfile.TemporaryDirectory() as d:
        run = subprocess.run([PERGOLA, "run", "--hang-budget=3000000", "--error-state",
                              f"{d}/state", "--", GL_HANG, stage],
                             capture_output=True, text=True, timeout=110)
        replay = subprocess.run([PERGOLA, "replay", "--budget=3000000", f"{d}/state"],
                                capture_output=True, text=True, timeout=110)
    maker = {"fragment": "pixel"}.get(stage, stage) + " shader"
    check("GPU hang on the render ring" in run.stderr
          and "in 3DPRIMITIVE: the batch did not end" in run.stderr,
          f"{stage}: the draw hangs", run.stderr)
    ran, again = threads(run.stderr, "pergola"), threads(replay.stdout, "  thread")
    check({name for name, _ in ran} == {maker} and ran == again, f"{stage}: the same threads",
          (ran, again, replay.stdout[-1500:]))
    check("verdict: reproduced" in replay.stdout, f"{stage}: the same hang", replay.stdout[-1500:])
    for name in ("ACTHD", "IPEHR"):
        check(re.search(rf"^{name} +(\w+) \1$", replay.stdout, re.M), f"{stage}: the same {name}",
              replay.stdout[-1500:])
    value = re.search(rf"^{register} +(\w+) (\w+)", replay.stdout, re.M)
    check(value and not int(value[1], 16) & busy and not int(value[2], 16) & busy,
          f"{stage}: {register} shows it busy", value and value[0])
end()
