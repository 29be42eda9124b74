#!/usr/bin/env python3
"""Compiles the ledgers into a sorted C table: genledger.py OUT.c LEDGER.tsv..."""
import bisect
import os
import re
import sys

import output

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


class Manuals:
    """Sources as people read them: "000:202-206; ivb-vol2_part2 p.38" is "IVB vol 2 part 2, p. 9
    and p. 38"."""

    def __init__(self, path):
        self.title, self.starts, self.near = {}, {}, set()
        with open(path, encoding="utf-8") as f:
            for line in f.read().split("\n")[1:]:
                if line:
                    number, title, pages, starts = line.split("\t")
                    self.title[number] = title
                    self.starts[number] = [tuple(map(int, s.split(":"))) for s in starts.split()]
                    if pages == "near":
                        self.near.add(number)

    def page(self, number, line):
        """Of a text whose pages are known in places only, in between."""
        starts = self.starts[number]
        at = max(bisect.bisect_right(starts, (line, 1 << 30)) - 1, 0)
        first, page = starts[at]
        if number in self.near and at + 1 < len(starts):
            after, next_page = starts[at + 1]
            page += (line - first) * (next_page - page) // (after - first)
        return page

    def lines(self, match):
        number, first = match.group(1), int(match.group(2))
        last = int(match.group(3) or first)
        if number not in self.title:
            return match.group(0)
        if not self.starts[number]:
            return f"{self.title[number]}, line {first}"
        a, b = self.page(number, first), self.page(number, last)
        near = "near " if number in self.near else ""
        return f"{self.title[number]}, {near}p. {a}" + (f"-{b}" if b > a else "")

    def readable(self, source):
        text = re.sub(r"\b(\d{3}):(\d+)(?:-(\d+))?", self.lines, source)
        text = re.sub(r"\b(ivb|snb|vlv|hsw|bdw|icl)-vol0?(\d+)([a-d]?)(?:_part(\d+))?",
                      lambda m: f"{m[1].upper()} vol {m[2]}{m[3]}"
                      + (f" part {m[4]}" if m[4] else "") + ",", text)
        text = re.sub(r"\b(IVB|SNB|VLV|HSW) v(\d+)p(\d+)", r"\1 vol \2 part \3,", text)
        text = re.sub(r"\bp\.(?=\d)", "p. ", text)
        return "; ".join(dict.fromkeys(text.split("; ")))  # a page that was named twice stands once


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
    manuals = Manuals(os.path.join(os.path.dirname(argv[2]), "..", "manuals.tsv"))
    for path in argv[2:]:
        for cells in rows(path):
            if cells[0] in table:
                raise SystemExit(f"{path}: {cells[0]} stands twice")
            cells[5] = manuals.readable(cells[5])
            table[cells[0]] = cells
    table_rows = ["   {" + ", ".join(c_string(c) for c in table[key]) + "},"
                  for key in sorted(table)]
    output.write(argv[1], "\n".join(
        ['/* Generated from spec/ledger. */', '#include "rules/rules.h"',
         "const struct ledger_row ledger_rows[] = {", *table_rows, "};",
         f"const size_t ledger_row_count = {len(table)};", ""]))


if __name__ == "__main__":
    main(sys.argv)
