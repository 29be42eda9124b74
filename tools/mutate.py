#!/usr/bin/env python3
"""Breaks the product at the lines that cite rows of the ledger, and asks whether the cases that claim the rows notice.

usage: mutate.py [--unit DP] [--row DP-317] [--count N] [--minutes M] [--jobs J] [--again] [--layouts]

Each mutant is one small wrong change (a constant off by one, a mask, a comparison, a sign, a statement left out, fields
swapped, a layout). It is compiled in a build directory of its own and shown to the programs whose cases claim the row:
  naming    killed by a case that claims a row cited at the line
  others    killed by another case only
  survived  killed by none: a test is missing, or the mutant is equivalent; then edit its line in the record,
            spec/mutation/<unit>.tsv: the result becomes "equivalent", and "by" holds the reason
What is done is kept in the build directory: the next run goes on from there. --again tries only what the record does not
call killed or equivalent, and only with programs that name the row.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import sys
import threading
import time

from proof import mutants, record, rows as ledger, trial, workshop

CODE = (".c", ".h", ".xml")


def digest(text):
    return hashlib.sha1(text.encode()).hexdigest()[:16]


CHECK = 20  # seconds between two looks at the sources


class State:
    """What was found, by mutant and by the text of its file; appended as it comes, once it is known that the sources
    stood still meanwhile."""

    def __init__(self, path):
        self.path, self.found, self.lock = path, {}, threading.Lock()
        self.fresh, self.looked = [], time.monotonic()
        if os.path.exists(path):
            with open(path, encoding="utf-8") as f:
                for line in f:
                    key, stamp, result, by = json.loads(line)
                    self.found[tuple(key)] = (stamp, result, by)

    def get(self, key, stamp, again):
        stored = self.found.get(key)
        if not stored or stored[0] != stamp or again and stored[1] in ("survived", "others"):
            return None
        return trial.Verdict(*stored[1:])

    def put(self, key, stamp, verdict, unchanged):
        with self.lock:
            self.found[key] = (stamp, *verdict)
            self.fresh.append([key, stamp, *verdict])
            if time.monotonic() - self.looked > CHECK:
                self.keep(unchanged)

    def keep(self, unchanged):
        if self.fresh and not unchanged():
            print("mutate: the sources changed meanwhile; what was done is kept up to the last look. Run it again", flush=True)
            os._exit(3)
        with open(self.path, "a", encoding="utf-8") as f:
            f.writelines(json.dumps(entry) + "\n" for entry in self.fresh)
        self.fresh, self.looked = [], time.monotonic()


def gather(root, wanted, layouts):
    """([Mutant], {file: text}) at lines that cite a wanted row."""
    found, texts = [], {}
    known = ledger.load(root)
    for path in ledger.source_files(root, "src", "frontends", *(["spec"] if layouts else [])):
        if not path.endswith(CODE):
            continue
        with open(path, encoding="utf-8") as f:
            text = f.read()
        if not any(wanted(r) for r in ledger.ID.findall(text)):
            continue
        name = os.path.relpath(path, root)
        for m in mutants.of_file(name, text):
            m = m._replace(rows=tuple(r for r in m.rows if r in known))
            if any(wanted(r) for r in m.rows):
                found.append(m)
                texts[name] = text
    return found, texts


def may_claim(shop, rows):
    """Tests whose sources name one of the rows; what they claim is known when they have run."""
    found, text_of = [], {}
    for test, t in shop.tests.items():
        if any(s.endswith((":clients", ":slow")) for s in t["suite"]):
            continue
        words = set()
        for path in shop.sources_of_test(test):
            if path not in text_of:
                with open(path, encoding="utf-8", errors="replace") as f:
                    text_of[path] = set(ledger.ID.findall(f.read()))
            words |= text_of[path]
        if words & rows:
            found.append(test)
    return found


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--root", default=ledger.ROOT, help=argparse.SUPPRESS)
    p.add_argument("--build", help="private build directory (build-mutate)")
    p.add_argument("--unit", help="the rows of these prefixes: DP,RCS")
    p.add_argument("--row")
    p.add_argument("--count", type=int, default=0, help="mutants for each row, at most (all)")
    p.add_argument("--minutes", type=float, default=0, help="stop after so many minutes (never)")
    p.add_argument("--jobs", type=int, default=os.cpu_count())
    p.add_argument("--again", action="store_true", help="judge only what the record does not call killed or equivalent")
    p.add_argument("--layouts", action="store_true", help="mutants of spec/*.xml instead of C")
    return p.parse_args()


def main():
    a = arguments()
    end = time.monotonic() + a.minutes * 60 if a.minutes else None
    known = sorted({r.split("-")[0] for r in ledger.load(a.root)})
    units = (a.unit or (a.row or "").split("-")[0]).upper().split(",")
    if any(u and u not in known for u in units):
        print(f"mutate: no unit {','.join(units)}; there are {', '.join(known)}", file=sys.stderr)
        return 2
    shop = workshop.Workshop(a.root, a.build or os.path.join(a.root, "build-mutate"))
    state = State(os.path.join(shop.build, "mutants.jsonl"))
    judges = trial.Judges(shop)
    status = 0
    for prefix in units if units[0] else known:
        status |= try_unit(a, shop, state, judges, prefix, end)
    return status


def try_unit(a, shop, state, judges, unit, end):
    found, texts = gather(a.root, (lambda r: r == a.row) if a.row else (lambda r: r.startswith(unit + "-")), True)
    possible = len(found)
    found = [m for m in found if m.file.endswith(".xml") == a.layouts or a.row]
    todo = mutants.sample(found, a.count)
    if not todo:
        print(f"{unit}: no line to change", flush=True)
        return 0
    rows_of_file = {}
    for m in found:
        rows_of_file.setdefault(m.file, set()).update(m.rows)
    stamps = {mutants.key(m): digest(texts[m.file] + " ".join(m.rows)) for m in found}
    verdicts, before = {}, record.read(a.root, unit)[1] if a.again else {}
    for m in todo:
        entry = before.get(mutants.key(m))
        if entry and entry.rows == " ".join(m.rows) and entry.result in ("naming", "equivalent"):
            verdicts[mutants.key(m)] = trial.Verdict(entry.result, entry.by)
            continue
        stored = state.get(mutants.key(m), stamps[mutants.key(m)], a.again)
        if stored:
            verdicts[mutants.key(m)] = stored
    left = [m for m in todo if mutants.key(m) not in verdicts]
    late = end and time.monotonic() > end  # only the record is written
    if left and not late:
        judges.hear(may_claim(shop, {r for m in left for r in (m.rows if a.again else rows_of_file[m.file])}))
    others = {f: list(judges.naming(rows)) for f, rows in rows_of_file.items()} if left and not late else {}

    def one(numbered):
        number, m = numbered
        if end and time.monotonic() > end:
            return
        verdict = trial.judge(judges, m, texts[m.file], os.path.join(shop.build, "mutants", f"{unit}-{number}"), others[m.file])
        state.put(mutants.key(m), stamps[mutants.key(m)], verdict, judges.unchanged)
        verdicts[mutants.key(m)] = verdict
        if verdict.result in ("survived", "others") or a.row:
            print(f"{verdict.result}: {m.file}:{m.line + 1} ({', '.join(m.rows)})\n   - {m.code}\n   + {m.mutant}"
                  + (f"\n   by {verdict.by}" if verdict.by else ""), flush=True)

    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        list(pool.map(one, enumerate(left)))
    state.keep(judges.unchanged)
    for m in left:  # what time did not allow to try again stays as it was
        stored = state.get(mutants.key(m), stamps[mutants.key(m)], False)
        if stored and mutants.key(m) not in verdicts:
            verdicts[mutants.key(m)] = stored
    return report(a, unit, found, verdicts, possible, len(todo))


def report(a, unit, found, verdicts, possible, wanted):
    """Writes what is known of the unit into the record (a row alone only prints), and says the figures."""
    _, old = record.read(a.root, unit)
    entries, alive = [], {mutants.key(m) for m in found}
    for m in found:
        verdict, before = verdicts.get(mutants.key(m)), old.get(mutants.key(m))
        if before and before.result == "equivalent" and (not verdict or verdict.result in ("survived", "same")):
            verdict = trial.Verdict(before.result, before.by)
        if a.again and before and before.result == "others" and verdict and verdict.result == "survived":
            verdict = trial.Verdict(before.result, before.by)  # the others were not heard again
        if verdict:
            entries.append(record.Entry(" ".join(m.rows), m.file, m.code, m.mutant, m.ordinal, *verdict))
    entries += [e for k, e in old.items() if k not in alive and e.file.endswith(".xml") != a.layouts and not a.row]
    if a.row:
        n, tried, share = record.figures(entries)
    else:
        n, tried, share = record.write(a.root, unit, entries, possible)
    print(f"{unit}{' layouts' if a.layouts else ''}: {len(verdicts)} of {wanted} mutants tried; {tried} judged, {n['naming']} killed by a naming case "
          f"({share:.1f} %), {n['others']} by others, {n['survived']} survived, {n['equivalent']} equivalent", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
