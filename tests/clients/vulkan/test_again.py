#!/usr/bin/env python3
"""Every batch of Vulkan's compute cases, dumped and run again by `pergola exec`, ends with the same
memory. Prints TAP.

usage: test_again.py PERGOLA VK_COMPUTE [CASE...]"""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import check, end

PERGOLA, *VK_COMPUTE = sys.argv[1:]
LEAST = 400 if len(VK_COMPUTE) == 1 else 1


def pergola(*args):
    return subprocess.run([PERGOLA, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, timeout=220)


with tempfile.TemporaryDirectory() as d:
    p = pergola("run", "--dump", d, "--", *VK_COMPUTE)
    ran = re.search(r"in (\d+) batch(?:es)?", p.stderr)
    check(p.returncode == 0 and ran and int(ran[1]) >= LEAST, "they run",
          p.stdout[-500:] + p.stderr[-500:])
    p = pergola("exec", d)
    wrong = "\n".join(x
                      for x in p.stdout.splitlines()
                      if re.search(r"are not as before|is not as before|hung", x))
    check(p.returncode == 0 and ran
          and f"{ran[1]} of {ran[1]} batches ran to the same memory" in p.stdout,
          "all run again to the same memory", wrong + p.stderr[-500:])
end()
