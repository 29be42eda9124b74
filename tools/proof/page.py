"""The ledger as one page: unit by unit, row by row."""
import html

STYLE = """body{font:15px/1.45 system-ui,sans-serif;margin:2em auto;max-width:70em;padding:0 1em;color:#222;background:#fff}
table{border-collapse:collapse}td,th{padding:.15em .7em;text-align:right;border-bottom:1px solid #ddd}td:first-child,th:first-child{text-align:left}
details{border-top:1px solid #ddd;padding:.3em 0}summary{cursor:pointer}code{font-size:13px}
.proven{color:#176f2c}.missing{color:#b3261e}.na{color:#666}.weak{color:#9a5b00}dl{margin:.4em 0 .8em 1.5em}dt{font-weight:600}dd{margin:0 0 .4em 1em}
@media(prefers-color-scheme:dark){body{background:#16181b;color:#ddd}td,th,details{border-color:#3a3d42}.proven{color:#6fce85}.missing{color:#ff8a80}.weak{color:#ffb95c}}
"""


def text(s):
    return html.escape(str(s))


def listing(title, items):
    if not items:
        return f"<dt>{title}</dt><dd>none</dd>"
    return f"<dt>{title}</dt>" + "".join(f"<dd><code>{text(i)}</code></dd>" for i in items)


def row_html(r, state, cited, claims, mutants):
    killed = [e for e in mutants if e.result == "naming"]
    judged = [e for e in mutants if e.result in ("naming", "others", "survived")]
    figure = f" · {len(killed)}/{len(judged)} mutants killed" if judged else ""
    weak = state == "proven" and judged and not killed
    parts = [
        f'<details id="{text(r["id"])}"><summary><b>{text(r["id"])}</b> {text(r["title"])} <span '
        f'class="{"weak" if weak else state}">{state}</span>'
        f"{figure}</summary><dl><dt>Requirement</dt><dd>{text(r['requirement'])}</dd>",
        f"<dt>Manual</dt><dd>{text(r['source'])}</dd>",
        f"<dt>Decision</dt><dd>{text(r['decision'])}</dd>" if r["decision"].strip() else "",
        listing("Code", [f"{f}:{n}: {line}" for f, n, line in cited]),
        listing("Tests", [f"{c.why or 'pass'}: {c.place} {c.test}: {c.case}" for c in claims]),
        listing("Mutants",
                [f"{e.result}{' (' + e.by + ')' if e.by else ''}: {e.file}: {e.code} → {e.mutant}"
                 for e in mutants]),
        "</dl></details>\n",
    ]
    return "".join(parts)


def write(path, units, figures, row_parts):
    """units: {prefix: [row]}; figures: {prefix: (heads, numbers)}; row_parts(row): what row_html
    takes."""
    with open(path, "w", encoding="utf-8") as f:
        f.write(f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Conformance '
                f'ledger</title><style>{STYLE}</style>')
        f.write("<h1>Conformance ledger</h1><table><tr><th>unit</th>")
        heads = next(iter(figures.values()))[0]
        f.write("".join(f"<th>{text(h)}</th>" for h in heads) + "</tr>")
        for prefix, (_, numbers) in figures.items():
            f.write(f'<tr><td><a href="#{prefix}">{prefix}</a></td>'
                    + "".join(f"<td>{text(n)}</td>" for n in numbers) + "</tr>")
        f.write("</table>")
        for prefix, rows in units.items():
            f.write(f'<h2 id="{prefix}">{prefix}</h2>\n')
            for r in rows:
                f.write(row_html(r, *row_parts(r)))
        f.write("</html>\n")
