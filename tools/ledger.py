#!/usr/bin/env python3
"""The conformance ledger: what is cited, what is proven, what is missing.

usage: ledger.py [--build DIR] [--missing PREFIX] [ROW]

cited    the id stands in src/ or frontends/
proven   a test case that passed in the last run claims it (a call of proves() in its body)
na       the status column says "n/a" and the decision column says why
missing  the rest (rows that are neither proven nor not applicable)
"""
import argparse
import os
import signal
import sys

from proof import results, rows as ledger


def show(r, cited, claims):
    print(f"{r['id']}  {r['title']}  ({r['unit']}, {r['kind']}; {r['file']})\n\n{r['requirement']}\n\nmanual: {r['source']}")
    print(f"status: {r['status'] or '-'}\ndecision: {r['decision'] or '-'}")
    print("\ncited:" + "".join(f"\n  {f}:{n}: {line[:110]}" for f, n, line in cited) if cited else "\ncited:\n  nowhere")
    print("\ntests:" + "".join(f"\n  {c.why or 'pass'}  {c.place}: {c.test}: {c.case}" for c in claims) if claims else "\ntests:\n  none")


def counts(rows, cited, claims, missing):
    groups = {}
    for i, r in rows.items():
        na = ledger.not_applicable(r)
        if r["status"].lower().startswith("n/a") and not na:
            print(f"ledger: {i} is n/a without a reason", file=sys.stderr)
        proven = not na and any(not c.why for c in claims.get(i, []))
        state = (1, int(i in cited), int(proven), int(na), int(not proven and not na))
        key = i.split("-")[0]
        groups[key] = tuple(x + y for x, y in zip(groups.get(key, (0,) * 5), state))
        if missing and state[4] and missing in ("all", key):
            print(f"{i}\t{r['kind']}\t{r['title']}")
    return groups


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--root", default=ledger.ROOT, help=argparse.SUPPRESS)
    p.add_argument("--build", help="the build directory whose last run counts, with those of its sanitizers")
    p.add_argument("--missing", metavar="PREFIX", help="list the missing rows of one prefix (or all)")
    p.add_argument("row", nargs="?", metavar="ROW")
    a = p.parse_args()
    rows, cited = ledger.load(a.root), ledger.citations(a.root)
    claims = results.claims(a.root, a.build or os.path.join(a.root, "build"))
    if claims is None:
        print("ledger: no test has run in this build yet ('make test'); proven is 0 until then", file=sys.stderr)
        claims = {}
    if a.row:
        if a.row not in rows:
            print(f"ledger: no row {a.row}", file=sys.stderr)
            return 1
        show(rows[a.row], cited.get(a.row), claims.get(a.row))
        return 0
    groups = counts(rows, cited, claims, a.missing)
    if a.missing:
        return 0
    for key in sorted(groups):
        print("%s rows=%d cited=%d proven=%d na=%d missing=%d" % ((key,) + groups[key]))
    print("TOTAL rows=%d cited=%d proven=%d na=%d missing=%d" % tuple(sum(g[k] for g in groups.values()) for k in range(5)))
    stale = sorted({c.test for found in claims.values() for c in found if c.why and c.why.startswith("older")})
    if stale:
        print(f"ledger: results older than the sources do not count: {', '.join(stale)}", file=sys.stderr)
    for c in sorted(c for i, found in claims.items() if i not in rows for c in found):
        print(f"ledger: {c.place} claims {c.row}, which no ledger has", file=sys.stderr)
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # a reader may stop early: ledger.py … | head
    sys.exit(main())
