#!/usr/bin/env python3
"""Makes the reference (HTML) of everything in spec/: gendocs.py ROOT OUT_DIR

One page each for commands, structures and messages, registers, and the ledger; an index. Links go
from a field's ledger id to its row.
"""
import csv
import glob
import html
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import hwxml  # noqa: E402

STYLE = """body{font:15px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem;color:#1d2733}
h1{font-size:1.6rem}h2{font-size:1.1rem;margin:2rem 0 .3rem;border-top:1px solid #d5dce4;padding-top:1rem}
table{border-collapse:collapse;width:100%;font-size:.9rem}td,th{border:1px solid #d5dce4;padding:.2rem .5rem;text-align:left;vertical-align:top}
th{background:#eef2f6}code{background:#eef2f6;padding:0 .2rem}nav a{margin-right:1rem}.r{color:#8593a3}a{color:#0b62a8;text-decoration:none}"""
NAV = [("index.html", "Pergola"), ("commands.html", "Commands"), ("structures.html", "Structures"),
       ("registers.html", "Registers"), ("ledger.html", "Ledger")]


def esc(s):
    return html.escape(str(s))


def page(out, name, title, body):
    nav = "".join(f'<a href="{f}">{t}</a>' for f, t in NAV)
    with open(os.path.join(out, name), "w", encoding="utf-8") as f:
        f.write(f'<!doctype html><html lang="en"><meta '
                f'charset="utf-8"><title>{esc(title)}</title><style>{STYLE}</style>'
                f"<nav>{nav}</nav><h1>{esc(title)}</h1>{body}</html>\n")


def row_link(ids):
    return ", ".join(f'<a href="ledger.html#{esc(i)}">{esc(i)}</a>'
                     for i in ids.replace(",", " ").split())


def parts(mask):
    return " ".join(n for n, b in hwxml.DEVICES.items() if mask & b)


def field_table(x, default=None):
    rows = []
    for f in sorted(x.fields, key=lambda f: (f.dw, -f.hi)):
        values = "<br>".join(f"{v} = {esc(n)}"
                             for n, v, _ in f.values[:24]) + ("<br>…" if len(f.values) > 24 else "")
        bits = f"{f.hi}:{f.lo}" if f.hi != f.lo else f.hi
        cls = ' class="r"' if f.reserved else ""
        rows.append(f"<tr{cls}><td>{f.dw}</td><td>{bits}</td><td>{esc(f.name)}</td>"
                    f"<td>{esc(f.type)}</td><td>{values}</td><td>{row_link(f.ledger)}</td></tr>")
    return ("<table><tr><th>dw</th><th>bits</th><th>field</th><th>type</th><th>values</th>"
            "<th>row</th></tr>" + "".join(rows) + "</table>")


def section(x, facts):
    line = " · ".join(f for f in facts if f)
    return (f'<h2 id="{esc(x.id)}">{esc(x.name)}</h2><p>{line} '
            f'{row_link(x.ledger)}</p>{field_table(x)}')


def main(root, out):
    os.makedirs(out, exist_ok=True)
    spec = hwxml.Spec(hwxml.find_xml(os.path.join(root, "spec")))
    engines = lambda m: " ".join(n.upper()
                                 for n, b in hwxml.ENGINE_BIT.items() if m & b)  # noqa: E731
    page(out, "commands.html", "Commands", "".join(
        section(c,
                [f"header <code>{c.header:#010x}</code>",
                 f"{c.length}{' or more' if c.variable else ''} dwords", engines(c.engines),
                 parts(c.devices), esc(c.unit)])
        for c in spec.commands))
    page(out, "structures.html", "Structures and messages", "".join(
        section(s, [f"{s.length} dwords", parts(s.devices), esc(s.unit)])
        for s in sorted(spec.structs, key=lambda s: s.name)))
    page(out, "registers.html", "Registers", "".join(
        section(r,
                [f"offset <code>{r.offset:#x}</code>", r.access.upper(),
                 f"default <code>{r.default:#x}</code>", f"reset {r.reset}",
                 "in the context image" if r.context else "", parts(r.devices)])
        for r in spec.registers))
    rows, counts = [], {}
    for path in sorted(glob.glob(os.path.join(root, "spec/ledger/*.tsv"))):
        with open(path, encoding="utf-8", newline="") as f:
            for r in csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE):
                counts[r["id"].split("-")[0]] = counts.get(r["id"].split("-")[0], 0) + 1
                note = (f"<br><b>{esc(r['status'])}</b> {esc(r['decision'])}" if r["decision"]
                        or r["status"] else "")
                rows.append(f'<tr id="{esc(r["id"])}"><td>{esc(r["id"])}</td>'
                            f'<td>{esc(r["unit"])}<br>{esc(r["kind"])}</td>'
                            f"<td><b>{esc(r['title'])}</b><br>{esc(r['requirement'])}{note}</td>"
                            f"<td>{esc(r['source'])}</td></tr>")
    page(out, "ledger.html", "The conformance ledger",
         "<table><tr><th>id</th><th>unit</th><th>requirement</th><th>manual</th></tr>"
         + "".join(rows) + "</table>")
    total = "".join(f"<tr><td>{esc(k)}</td><td>{n}</td></tr>" for k, n in sorted(counts.items()))
    page(out, "index.html", "Pergola: the hardware as data",
         f"<p>{len(spec.commands)} commands, {len(spec.structs)} structures and messages, "
         f"{len(spec.registers)} registers, "
         f"{sum(counts.values())} ledger rows, made from "
         f"<code>spec/</code>.</p><table><tr><th>ledger</th><th>rows</th></tr>{total}</table>")
    print(f"{out}/index.html")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
