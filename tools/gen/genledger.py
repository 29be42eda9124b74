#!/usr/bin/env python3
"""Compiles the ledgers into a sorted C table: genledger.py OUT.c LEDGER.tsv..."""
import sys

COLUMNS = ("id", "unit", "kind", "title", "requirement", "source", "status", "decision")


def rows(path):
    with open(path, encoding="utf-8") as f:
        lines = f.read().split("\n")
    if tuple(lines[0].split("\t")) != COLUMNS:
        raise SystemExit(f"{path}: the first line must be {' '.join(COLUMNS)}")
    for n, line in enumerate(lines[1:], 2):
        if not line:
            continue
        cells = line.split("\t")
        if len(cells) != len(COLUMNS):
            raise SystemExit(f"{path}:{n}: {len(cells)} cells, not {len(COLUMNS)}")
        yield cells


def c_string(text):
    out = []
    for byte in text.encode("utf-8"):
        if byte in (0x22, 0x5C):
            out.append("\\" + chr(byte))
        elif 0x20 <= byte < 0x7F and byte != 0x3F:
            out.append(chr(byte))
        else:
            out.append(f"\\{byte:03o}")
    return '"' + "".join(out) + '"'


def main(argv):
    table = {}
    for path in argv[2:]:
        for cells in rows(path):
            if cells[0] in table:
                raise SystemExit(f"{path}: {cells[0]} stands twice")
            table[cells[0]] = cells
    with open(argv[1], "w", encoding="utf-8") as f:
        f.write('/* Generated from spec/ledger. */\n#include "rules/rules.h"\n')
        f.write("const struct ledger_row ledger_rows[] = {\n")
        for key in sorted(table):
            f.write("   {" + ", ".join(c_string(c) for c in table[key]) + "},\n")
        f.write(f"}};\nconst size_t ledger_row_count = {len(table)};\n")


if __name__ == "__main__":
    main(sys.argv)
