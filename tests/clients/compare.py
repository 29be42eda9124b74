#!/usr/bin/env python3
"""Runs a client program on the model (a stock driver) and on a software driver of the same API.

usage: compare.py --peer lavapipe|llvmpipe --device PATTERN [--part NAME] [--least N] [--rules
       LIST.tsv] PERGOLA PROGRAM [ARGUMENT...]

The program prints TAP, compares each case with a computation on the CPU, and with --dump DIR writes
the results for which the API defines every bit: these must be equal on both drivers. The rules that
the model reports meanwhile must be those of the list: program with its arguments, rule, reason.
With --pictures the results are pictures: a line with the count of values and how far each may be
off, then the values as floats.
"""
import argparse
import array
import glob
import json
import os
import re
import subprocess
import sys
import tempfile


def peer_environment(name):
    if name == "llvmpipe":
        return {"LIBGL_ALWAYS_SOFTWARE": "1", "EGL_PLATFORM": "surfaceless"}
    icd = next(iter(glob.glob("/usr/share/vulkan/icd.d/lvp_icd*.json")), None)
    if not icd:
        raise SystemExit("Bail out! lavapipe is not installed (package mesa-vulkan-drivers)")
    return {"VK_ICD_FILENAMES": icd, "VK_DRIVER_FILES": icd}


def run(command, env, dump):
    p = subprocess.run(command + ["--dump", dump], env=dict(os.environ, **env),
                       stdout=subprocess.PIPE, text=True)
    return p.returncode, p.stdout


def read(path):
    if not os.path.exists(path):
        return None
    with open(path, "rb") as f:
        return f.read()


def picture(data):
    head, _, rest = data.partition(b"\n")
    values = array.array("f")
    values.frombytes(rest)
    count, tolerance = head.split()
    return (values, float(tolerance)) if len(values) == int(count) else None


def same_picture(name, model, peer):
    a, b = (picture(d) if d else None for d in (model, peer))
    if not a or not b or len(a[0]) != len(b[0]) or not a[0]:
        return False
    off = [i for i, (x, y) in enumerate(zip(a[0], b[0])) if not abs(x - y) <= b[1] * (1 + 1e-6)]
    if off:
        i = off[0]
        print(f"# {name}: {len(off)} of {len(a[0])} values differ, the first is {i}: "
              f"{a[0][i]:.9g}, not {b[0][i]:.9g}")
    return not off


def reported(path):
    """Rules in a report that are more than notes, each with an example."""
    found = {}
    with open(path, encoding="utf-8") as f:
        for line in f:
            d = json.loads(line)
            if d["severity"] != "note":
                found.setdefault(d["rule"], f"{d['subject']}: {d['message']}")
    return found


def rule_checks(path, program, found):
    with open(path, encoding="utf-8") as f:
        rows = [line.rstrip("\n").split("\t") for line in f if not line.startswith("#")]
    known = {rule
             for name, rule, _ in rows
             if name == " ".join([os.path.basename(program[0])] + program[1:])}
    for rule in sorted(found.keys() - known):
        print(f"# {rule} is not in the list: {found[rule]}")
    for rule in sorted(known - found.keys()):
        print(f"# {rule} is in the list, and was not reported")
    return [("only_reviewed_rules_are_reported", found.keys() <= known),
            ("every_reviewed_rule_is_reported", known <= found.keys())]


def main():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--peer", required=True, choices=("lavapipe", "llvmpipe"))
    p.add_argument("--device", required=True,
                   help="what the name of the modelled device must contain")
    p.add_argument("--part", default="ivb-gt2", help="which part is modelled")
    p.add_argument("--least", type=int, default=1,
                   help="fewer results to compare than this is a failure")
    p.add_argument("--rules", help="rules that may be reported, reviewed")
    p.add_argument("--pictures", action="store_true", help="results are pictures with a tolerance")
    p.add_argument("pergola")
    p.add_argument("program", nargs=argparse.REMAINDER)
    a = p.parse_args()
    with tempfile.TemporaryDirectory() as model, tempfile.TemporaryDirectory() as peer:
        report = os.path.join(model, "rules.json")
        status, out = run([a.pergola, "run", "--device", a.part, "--report", report,
                           "--"] + a.program, {}, model)
        peer_status, _ = run(a.program, peer_environment(a.peer), peer)
        device = re.search(r"# device: (.*)", out)
        checks = [(name, not bad)
                  for bad, name in re.findall(r"^(not )?ok \d+ - (\S+)(?!.*# SKIP)", out, re.M)]
        skips = re.findall(r"^ok \d+ - (\S+ # SKIP .*)", out, re.M)
        checks += [("device_is_the_modelled_one", bool(device) and a.device in device.group(1)),
                   ("exit_status", status == 0),
                   (f"{a.peer}_agrees_with_the_cpu", peer_status == 0)]
        dumps = sorted(os.listdir(peer))
        def same(d):
            pair = [read(os.path.join(where, d)) for where in (model, peer)]
            return same_picture(d, *pair) if a.pictures else pair[0] == pair[1]
        checks += [(f"same_as_{a.peer}_{d[:-4]}", same(d))
                   for d in dumps if not any(f"_{d[:-4]} " in k for k in skips)]
        checks.append(("enough_results", len(dumps) >= a.least))
        if a.rules:
            checks += rule_checks(a.rules, a.program, reported(report))
    for n, (name, ok) in enumerate(checks, 1):
        print(f"{'' if ok else 'not '}ok {n} - {name}")
    for n, name in enumerate(skips, len(checks) + 1):
        print(f"ok {n} - {name}")
    print(f"1..{len(checks) + len(skips)}")
    print("# device:", device.group(1) if device else "none")
    for line in out.split("\n"):
        if line.startswith(("not ok", "# ")):
            print("#", line)
    return 0 if all(ok for _, ok in checks) else 1


if __name__ == "__main__":
    sys.exit(main())
