#!/usr/bin/env python3
"""Runs vk_compute on the model (stock hasvk) and on lavapipe; both must equal the CPU, and each other.

usage: compare.py PERGOLA VK_COMPUTE
"""
import glob
import os
import re
import subprocess
import sys
import tempfile


def run(command, env, dump):
    p = subprocess.run(command + ["--dump", dump], env=dict(os.environ, **env), stdout=subprocess.PIPE, text=True)
    return p.returncode, p.stdout


def read(path):
    with open(path, "rb") as f:
        return f.read()


def main(pergola, program):
    lavapipe = next(iter(glob.glob("/usr/share/vulkan/icd.d/lvp_icd*.json")), None)
    if not lavapipe:
        print("Bail out! lavapipe is not installed (package mesa-vulkan-drivers)")
        return 1
    number = failed = 0
    with tempfile.TemporaryDirectory() as model, tempfile.TemporaryDirectory() as peer:
        status, out = run([pergola, "run", "--", program], {}, model)
        peer_status, peer_out = run([program], {"VK_ICD_FILENAMES": lavapipe, "VK_DRIVER_FILES": lavapipe}, peer)
        device = re.search(r"# device: (.*)", out)
        checks = [(f"hasvk_device ({device.group(1) if device else 'none'})", bool(device) and "IVB" in device.group(1)),
                  ("lavapipe_agrees_with_the_cpu", peer_status == 0)]
        checks += [(name, not bad) for bad, name in re.findall(r"^(not )?ok \d+ - (\S+)", out, re.M)]
        checks.append(("hasvk_exit_status", status == 0))
        dumps = sorted(os.listdir(peer))
        checks += [(f"same_on_lavapipe_{d[:-4]}", os.path.exists(os.path.join(model, d)) and
                    read(os.path.join(model, d)) == read(os.path.join(peer, d))) for d in dumps]
        checks.append(("lavapipe_dumps_exist", len(dumps) >= 12))
    for name, ok in checks:
        number += 1
        failed += not ok
        print(f"{'' if ok else 'not '}ok {number} - {name}")
    print(f"1..{number}")
    for line in out.split("\n"):
        if line.startswith("not ok"):
            print("#", line)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
