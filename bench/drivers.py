"""What the benchmarks of drivers share: a program's figures, and where a peer's driver is."""
import glob
import os
import subprocess

# in turn: what else the machine does, and a core that is shared with somebody, hits all drivers
ROUNDS = 3


def figures(command, env=None):
    """{name: number} of the lines that are these two."""
    out = subprocess.run(command, env=dict(os.environ, **(env or {})), stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, text=True, check=True).stdout
    return {w[0]: float(w[1]) for w in (line.split() for line in out.split("\n")) if len(w) == 2}


def best(rounds, which):
    return {name: which(r[name] for r in rounds) for name in rounds[0]}


def first(pattern):
    found = glob.glob(pattern)
    return found[0] if found else None


def lavapipe():
    """The environment that chooses it, or None."""
    icd = first("/usr/share/vulkan/icd.d/lvp_icd*.json")
    return {"VK_ICD_FILENAMES": icd, "VK_DRIVER_FILES": icd} if icd else None
