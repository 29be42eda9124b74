#!/usr/bin/env python3
"""Pictures that a client program draws on the model (a stock driver) and on a software driver: the
same within the limits that the program gives for each. Prints TAP.

usage: pictures.py --peer lavapipe|llvmpipe --least N [--keep DIR] [--rules LIST.tsv] [--groups
       LIST.tsv] PERGOLA PROGRAM [ARGUMENT...]

A picture is a file NAME.rgba of eight bits a channel; the program prints "# picture NAME unit U
edge E": a channel may differ by U, and E pixels by more, those whose sample point lies on an edge
as near as two grids of vertices can tell, or that show the end of an iteration.
"""
import argparse
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from compare import peer_environment, read, reported, rule_checks, run
from proves import proves


def difference(a, b, unit):
    """Pixels that differ by more than so many units of a channel."""
    if a is None or b is None or len(a) != len(b):
        return None
    if a == b:
        return 0
    return len({i // 4 for i in range(len(a)) if abs(a[i] - b[i]) > unit})


def group_checks(path, program, checks):
    """Rows that no single picture proves: program, row, the pictures that are all needed for it."""
    good = {name for name, ok, _ in checks if ok}
    with open(path, encoding="utf-8") as f:
        lines = [line.rstrip("\n").split("\t") for line in f if not line.startswith("#")]
    return [(f"all_of_{row}", row, sorted(set(names.split()) - good)) for name, row, names in lines
            if name == os.path.basename(program[0])]


def main():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--peer", required=True, choices=("lavapipe", "llvmpipe"))
    p.add_argument("--least", type=int, required=True, help="fewer pictures than this is a failure")
    p.add_argument("--keep", help="leave the pictures here")
    p.add_argument("--rules", help="rules that may be reported, reviewed")
    p.add_argument("--groups", help="pictures that prove a row together")
    p.add_argument("pergola")
    p.add_argument("program", nargs=argparse.REMAINDER)
    a = p.parse_args()
    checks = []
    with tempfile.TemporaryDirectory() as scratch:
        top = a.keep or scratch
        model, peer, report = (os.path.join(top, n) for n in ("model", "peer", "rules.json"))
        os.makedirs(model, exist_ok=True)
        os.makedirs(peer, exist_ok=True)
        status, out = run([a.pergola, "run", "--report", report, "--"] + a.program, {}, model)
        peer_status, peer_out = run(a.program, peer_environment(a.peer), peer)
        device = re.search(r"# device: (.*)", out)
        limits = re.findall(r"# picture (\S+) unit (\d+) edge (\d+) ?(.*)", peer_out)
        rows = {name: row.split() for name, _, _, row in limits}
        for name, unit, edge, _ in limits:
            n = difference(read(os.path.join(model, name + ".rgba")),
                           read(os.path.join(peer, name + ".rgba")), int(unit))
            checks.append((name, n is not None and n <= int(edge), n))
        checks += [("device_is_the_modelled_one", bool(device) and "IVB" in device.group(1), None),
                   ("exit_status", status == 0, status),
                   (f"{a.peer}_draws_them", peer_status == 0, peer_status),
                   ("enough_pictures", len(limits) >= a.least, len(limits))]
        if a.groups:
            for name, row, missing in group_checks(a.groups, a.program, checks):
                rows[name] = [row]
                checks.append((name, not missing, " ".join(missing)))
        if a.rules:
            rows["only_reviewed_rules_are_reported"] = ["P3D-389"]
            checks += [(name, ok, None)
                       for name, ok in rule_checks(a.rules, a.program, reported(report))]
    for n, (name, ok, what) in enumerate(checks, 1):
        if rows.get(name):
            proves(*rows[name])
        print(f"{'' if ok else 'not '}ok {n} - {name}")
        if not ok:
            print(f"# {what} pixels differ" if what is not None else "# no picture")
    print(f"1..{len(checks)}")
    return 0 if all(ok for _, ok, _ in checks) else 1


if __name__ == "__main__":
    sys.exit(main())
