#!/usr/bin/env python3
"""Breaks the product at the lines that cite rows of the ledger, and asks whether the cases that
claim the rows notice.

usage: mutate.py [--unit DP] [--row DP-317] [--count N] [--minutes M] [--jobs J] [--again]
       [--layouts] [--stale]

Each mutant is one small wrong change (a constant off by one, a mask, a comparison, a sign, a
statement left out, fields swapped, a layout). It is compiled in a build directory of its own and
shown to the programs whose cases claim the row:
  naming    killed by a case that claims a row cited at the line
  others    killed by another case only
  survived  killed by none: a test is missing, or the mutant is equivalent; then edit its line in
            the record, spec/mutation/<unit>.tsv: the result becomes "equivalent", and "by" holds
            the reason
What is done is kept in the build directory: the next run goes on from there. --count goes on with a
row until so many of its mutants are judged, those of the record first. --again takes the record's
word for what was killed or is equivalent and tries the rest, only with programs that name the row.
--stale lists what a record lacks: lines that changed, rows never tried.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import shutil
import sys
import threading
import time

from proof import mutants, record, rows as ledger, trial, workshop

CODE = (".c", ".h", ".xml")
# suites that take too long, or run the cases of another test once more
NO_JUDGES = {"clients", "slow", "snapshot"}


def judges_nothing(test):
    """A long test of a unit can be made short (trial.ORACLE); one that is nothing but long
    cannot."""
    suites = {s.split(":")[-1] for s in test["suite"]}
    return bool(suites & NO_JUDGES) or suites == {"long"}


def digest(text):
    return hashlib.sha1(text.encode()).hexdigest()[:16]


CHECK = 90  # seconds between two looks at the sources


class State:
    """What was found, by mutant and by the text of its file; appended as it comes, once it is known
    that the sources stood still meanwhile."""

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
            print("mutate: the sources changed meanwhile; what was done is kept up to the last "
                  "look. Run it again", flush=True)
            os._exit(3)
        with open(self.path, "a", encoding="utf-8") as f:
            f.writelines(json.dumps(entry) + "\n" for entry in self.fresh)
        self.fresh, self.looked = [], time.monotonic()


def gather(root, wanted, layouts, parsed={}):
    """([Mutant], {file: text}) at lines that cite a wanted row. What a file gives is kept for the
    next unit."""
    found, texts = [], {}
    if root not in parsed:
        parsed[root] = ledger.load(root), {}
    known, files = parsed[root]
    for path in ledger.source_files(root, "src", "frontends", *(["spec"] if layouts else [])):
        if not path.endswith(CODE):
            continue
        name = os.path.relpath(path, root)
        if name not in files:
            with open(path, encoding="utf-8") as f:
                text = f.read()
            files[name] = text, [m._replace(rows=tuple(r for r in m.rows if r in known))
                                 for m in mutants.of_file(name, text)]
        mine = [m for m in files[name][1] if any(wanted(r) for r in m.rows)]
        found += mine
        if mine:
            texts[name] = files[name][0]
    return found, texts


def may_claim(shop, rows):
    """Tests whose sources name one of the rows; what they claim is known when they have run."""
    found, text_of = [], {}
    for test, t in shop.tests.items():
        if judges_nothing(t):
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
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--root", default=ledger.ROOT, help=argparse.SUPPRESS)
    p.add_argument("--build", help="private build directory (build-mutate)")
    p.add_argument("--unit", help="the rows of these prefixes: DP,RCS")
    p.add_argument("--row")
    p.add_argument("--count", type=int, default=0, help="mutants for each row, at most (all)")
    p.add_argument("--minutes", type=float, default=0, help="stop after so many minutes (never)")
    p.add_argument("--jobs", type=int, default=os.cpu_count())
    p.add_argument("--again", action="store_true",
                   help="judge only what the record does not call killed or equivalent")
    p.add_argument("--layouts", action="store_true", help="mutants of spec/*.xml instead of C")
    p.add_argument("--stale", action="store_true",
                   help="list what the records lack, and judge nothing")
    return p.parse_args()


def of_unit(unit):
    return lambda row: row.startswith(unit + "-")


def list_stale(root, units):
    """Lines of a record that the product does not have so any more, and rows cited in C of which no
    mutant was judged."""
    for unit in units:
        found, _ = gather(root, of_unit(unit), True)
        alive, old = {mutants.key(m): " ".join(m.rows) for m in found}, record.read(root, unit)[1]
        gone = [e for k, e in old.items() if alive.get(k) != e.rows]
        judged = {r for k, e in old.items() if e not in gone for r in e.rows.split()}
        fresh = {r for m in found if not m.file.endswith(".xml")
                 for r in m.rows if of_unit(unit)(r)} - judged
        print(f"{unit}: {len(gone)} lines changed, {len(fresh)} cited rows without a mutant")
        for e in gone:
            print(f"  changed  {e.rows}  {e.file}: {e.code}")
        for r in sorted(fresh):
            print(f"  no mutant  {r}")
    return 0


def main():
    a = arguments()
    end = time.monotonic() + a.minutes * 60 if a.minutes else None
    known = sorted({r.split("-")[0] for r in ledger.load(a.root)})
    units = (a.unit or (a.row or "").split("-")[0]).upper().split(",")
    if any(u and u not in known for u in units):
        print(f"mutate: no unit {','.join(units)}; there are {', '.join(known)}", file=sys.stderr)
        return 2
    if a.stale:
        return list_stale(a.root, units if units[0] else known)
    shop = workshop.Workshop(a.root, a.build or os.path.join(a.root, "build-mutate"))
    # what a run that was ended left behind
    shutil.rmtree(os.path.join(shop.build, "mutants"), ignore_errors=True)
    state = State(os.path.join(shop.build, "mutants.jsonl"))
    judges = trial.Judges(shop, a.jobs)
    status = 0
    for prefix in units if units[0] else known:
        status |= Unit(a, shop, state, judges, prefix, end).run()
    return status


class Unit:
    """The mutants of one unit, or of one row."""

    def __init__(self, a, shop, state, judges, unit, end):
        self.a, self.shop, self.state, self.judges, self.unit, self.end = (a, shop, state, judges,
                                                                           unit, end)
        found, self.texts = gather(a.root, (lambda r: r == a.row) if a.row else of_unit(unit), True)
        self.possible = len(found), len(record.of_layouts(found))
        self.found = [m for m in found if m.file.endswith(".xml") == a.layouts or a.row]
        self.rows_of_file, self.stamps, self.verdicts = {}, {}, {}
        for m in self.found:
            self.rows_of_file.setdefault(m.file, set()).update(m.rows)
            self.stamps[mutants.key(m)] = digest(self.texts[m.file] + " ".join(m.rows))
        alive = {mutants.key(m): " ".join(m.rows) for m in self.found}
        self.before = {k: e
                       for k, e in record.read(a.root, unit)[1].items() if alive.get(k) == e.rows}

    def late(self):
        return self.end and time.monotonic() > self.end

    def remembered(self, key):
        """The verdict of an earlier run that still holds."""
        entry = self.before.get(key)
        if self.a.again and entry and entry.result in ("naming", "equivalent"):
            return trial.Verdict(entry.result, entry.by)
        return self.state.get(key, self.stamps[key], self.a.again)

    def idle(self):
        """Keys of what is judged and says nothing of a row: such a row gets another mutant."""
        equivalent = {k for k, e in self.before.items() if e.result == "equivalent"}
        return equivalent | {k for k, v in self.verdicts.items() if v.result in ("same", "refused")}

    def run(self):
        if not self.found:
            print(f"{self.unit}: no line to change", flush=True)
            return 0
        while True:
            todo = mutants.sample(self.found, self.a.count, self.before, self.idle())
            keys = [mutants.key(m) for m in todo]
            self.verdicts.update({k: v for k in keys if k not in self.verdicts
                                  and (v := self.remembered(k))})
            left = [m for m, k in zip(todo, keys) if k not in self.verdicts]
            if not left or self.late():
                break
            self.try_all(left)
        for m in left:  # what time did not allow to try again stays as it was
            entry = self.before.get(mutants.key(m))
            stored = self.state.get(mutants.key(m), self.stamps[mutants.key(m)], False)
            if stored or entry:
                self.verdicts[mutants.key(m)] = stored or trial.Verdict(entry.result, entry.by)
        return report(self.a, self.unit, self.found, self.verdicts, self.possible, len(todo))

    def try_all(self, left):
        asked = {r for m in left for r in (m.rows if self.a.again else self.rows_of_file[m.file])}
        self.judges.hear(may_claim(self.shop, asked))
        others = {f: list(self.judges.naming(rows)) for f, rows in self.rows_of_file.items()}
        with concurrent.futures.ThreadPoolExecutor(self.a.jobs) as pool:
            list(pool.map(lambda numbered: self.try_one(*numbered, others), enumerate(left)))
        self.state.keep(self.judges.unchanged)

    def try_one(self, number, m, others):
        if self.late():
            return
        directory = os.path.join(self.shop.build, "mutants", f"{self.unit}-{number}")
        verdict = trial.judge(self.judges, m, self.texts[m.file], directory, others[m.file])
        self.state.put(mutants.key(m), self.stamps[mutants.key(m)], verdict, self.judges.unchanged)
        self.verdicts[mutants.key(m)] = verdict
        if verdict.result in ("survived", "others") or self.a.row:
            print(f"{verdict.result}: {m.file}:{m.line + 1} ({', '.join(m.rows)})\n   - {m.code}\n "
                  f"  + {m.mutant}"
                  + (f"\n   by {verdict.by}" if verdict.by else ""), flush=True)


def report(a, unit, found, verdicts, possible, wanted):
    """Writes what is known of the unit into the record (a row alone only prints), and says the
    figures."""
    _, old = record.read(a.root, unit)
    entries, alive = [], {mutants.key(m) for m in found}
    for m in found:
        verdict, before = verdicts.get(mutants.key(m)), old.get(mutants.key(m))
        if before and before.result == "equivalent" and (not verdict
                                                         or verdict.result in ("survived", "same")):
            verdict = trial.Verdict(before.result, before.by)
        if (a.again and before and before.result == "others" and verdict
                and verdict.result == "survived"):
            verdict = trial.Verdict(before.result, before.by)  # the others were not heard again
        if verdict:
            entries.append(record.Entry(" ".join(m.rows), m.file, m.code, m.mutant, m.ordinal,
                                        *verdict))
    entries += [e for k, e in old.items() if k not in alive and e.file.endswith(".xml") != a.layouts
                and not a.row]
    if a.row:
        n, tried, share = record.figures(entries)
    else:
        n, tried, share = record.write(a.root, unit, entries, *possible)
    print(f"{unit}{' layouts' if a.layouts else ''}: {len(verdicts)} of {wanted} mutants tried; "
          f"{tried} judged, {n['naming']} killed by a naming case "
          f"({share:.1f} %), {n['others']} by others, {n['survived']} survived, {n['equivalent']} "
          f"equivalent", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
