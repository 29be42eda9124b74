#!/usr/bin/env python3
"""The conformance ledger: what is cited, what is proven, what is missing.

usage: ledger.py [--build DIR] [--missing PREFIX] [--weak PREFIX] [--html FILE] [ROW]

cited    the id stands in src/, frontends/ or a layout of spec/
proven   a test case that passed in the last run claims it (a call of proves() in its body)
na       the status column says "n/a" and the decision column says why
missing  the rest (rows that are neither proven nor not applicable)
weak     proven, but the record of mutants (spec/mutation) has no case that killed one of the row's
tried    rows of which the record has a mutant at all: on so many the last figure rests
killed   the share of the unit's mutants that a case which claims the row killed
"""
import argparse
import os
import signal
import sys

from proof import page, record, results, rows as ledger

HEADS = ("rows", "cited", "proven", "na", "missing", "weak", "tried")
MOST = 10  # rows of one case


class Ledger:
    """Rows with their citations, claims and mutants."""

    def __init__(self, root, build):
        self.root, self.rows = root, ledger.load(root)
        self.cited = ledger.citations(root)
        self.claims = results.claims(root, build)
        if self.claims is None:
            print("ledger: no test has run in this build yet ('make test'); proven is 0 until then",
                  file=sys.stderr)
            self.claims = {}
        self.units, self.mutants, self.entries = {}, {}, {}
        for i, r in self.rows.items():
            self.units.setdefault(i.split("-")[0], []).append(r)
        for unit in self.units:
            self.entries[unit] = list(record.read(root, unit)[1].values())
            for e in self.entries[unit]:
                for row in e.rows.split():
                    if row.split("-")[0] == unit:
                        self.mutants.setdefault(row, []).append(e)

    def state(self, r):
        if ledger.not_applicable(r):
            return "na"
        return "proven" if any(not c.why for c in self.claims.get(r["id"], [])) else "missing"

    def weak(self, r):
        """Mutants of the row were made, and no case that claims it noticed one."""
        judged = [e.result for e in self.mutants.get(r["id"], []) if e.result != "equivalent"]
        return self.state(r) == "proven" and bool(judged) and "naming" not in judged

    def loose(self, r):
        """A restriction is cited where it is enforced, or its decision says which row does it or
        why none can."""
        return (r["kind"] == "restriction" and r["id"] not in self.cited
                and not r["decision"].strip())

    def figures(self, unit):
        found = self.units[unit]
        states = [self.state(r) for r in found]
        return (len(found), sum(r["id"] in self.cited for r in found),
                *(states.count(s) for s in ("proven", "na", "missing")),
                sum(map(self.weak, found)), sum(r["id"] in self.mutants for r in found))

    def killed(self, unit):
        _, tried, share = record.figures(self.entries[unit])
        return f"{share:.1f}%" if tried else "-"

    def show(self, i):
        r, cited, claims, mutants = (self.rows[i], self.cited.get(i), self.claims.get(i),
                                     self.mutants.get(i))
        print(f"{r['id']}  {r['title']}  ({r['unit']}, {r['kind']}; "
              f"{r['file']})\n\n{r['requirement']}\n\nmanual: {r['source']}")
        print(f"status: {r['status'] or '-'}\ndecision: {r['decision'] or '-'}")
        print("\ncited:" + "".join(f"\n  {f}:{n}: {line[:110]}" for f, n, line in cited) if cited
              else "\ncited:\n  nowhere")
        print("\ntests:" + "".join(f"\n  {c.why or 'pass'}  {c.place}: {c.test}: {c.case}"
                                   for c in claims) if claims else "\ntests:\n  none")
        if mutants:
            print("\nmutants:"
                  + "".join(f"\n  {e.result}  {e.file}: {e.mutant}{'  by ' + e.by if e.by else ''}"
                            for e in mutants))

    def write_page(self, path):
        figures = {u: (HEADS + ("killed",), self.figures(u) + (self.killed(u),))
                   for u in sorted(self.units)}
        page.write(path, {u: self.units[u] for u in sorted(self.units)}, figures,
                   lambda r: (self.state(r),
                              *(part.get(r["id"], [])
                                for part in (self.cited, self.claims, self.mutants))))

    def totals(self):
        sums = [0] * len(HEADS)
        for unit in sorted(self.units):
            numbers = self.figures(unit)
            sums = [a + b for a, b in zip(sums, numbers)]
            print(unit, *(f"{h}={n}" for h, n in zip(HEADS, numbers)),
                  f"killed={self.killed(unit)}")
        print("TOTAL", *(f"{h}={n}" for h, n in zip(HEADS, sums)))

    def complaints(self):
        for i, r in self.rows.items():
            if r["status"].lower().startswith("n/a") and not ledger.not_applicable(r):
                yield f"{i} is n/a without a reason"
        loose = [r["id"] for r in self.rows.values() if self.state(r) == "proven" and self.loose(r)]
        if loose:
            yield ("restrictions that no line of the product cites, nor a decision settles: "
                   f"{', '.join(loose)}")
        stale = sorted({c.test for found in self.claims.values() for c in found if c.why
                        and c.why.startswith("older")})
        if stale:
            yield f"results older than the sources do not count: {', '.join(stale)}"
        of_case = {}
        for c in (c for found in self.claims.values() for c in found):
            of_case.setdefault((c.test, c.case), set()).add(c.row)
        for (test, case), claimed in sorted(of_case.items()):
            if len(claimed) > MOST:
                yield f"{test}: {case} claims {len(claimed)} rows, more than {MOST}"
        changed = {unit: len(record.stale(self.root, entries))
                   for unit, entries in sorted(self.entries.items())}
        if any(changed.values()):
            counts = ", ".join(f"{unit} {n}" for unit, n in changed.items() if n)
            yield ("lines that changed since their mutants were judged "
                   f"('make mutate STALE=1'): {counts}")
        for c in sorted(c for i, found in self.claims.items() if i not in self.rows for c in found):
            yield f"{c.place} claims {c.row}, which no ledger has"


def arguments():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--root", default=ledger.ROOT, help=argparse.SUPPRESS)
    p.add_argument("--build",
                   help="the build directory whose last run counts, with those of its sanitizers")
    p.add_argument("--missing", metavar="PREFIX",
                   help="list the missing rows of one prefix (or all)")
    p.add_argument("--weak", metavar="PREFIX", help="list the weak rows of one prefix (or all)")
    p.add_argument("--html", metavar="FILE", help="write all of it as a page")
    p.add_argument("row", nargs="?", metavar="ROW")
    return p.parse_args()


def main():
    a = arguments()
    book = Ledger(a.root, a.build or os.path.join(a.root, "build"))
    if a.row:
        if a.row not in book.rows:
            print(f"ledger: no row {a.row}", file=sys.stderr)
            return 1
        book.show(a.row)
        return 0
    if a.missing or a.weak:
        for i, r in book.rows.items():
            if i.split("-")[0] in (a.missing, a.weak) or "all" in (a.missing, a.weak):
                if book.state(r) == "missing" if a.missing else book.weak(r):
                    print(f"{i}\t{r['kind']}\t{r['title']}")
        return 0
    book.totals()
    for line in book.complaints():
        print(f"ledger: {line}", file=sys.stderr)
    if a.html:
        book.write_page(a.html)
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # a reader may stop early: ledger.py … | head
    sys.exit(main())
