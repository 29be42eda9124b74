"""The record of the mutants, spec/mutation/<unit>.tsv: a line each, named by the text of the line
that it changes."""
import collections
import csv
import os

COLUMNS = ["rows", "file", "code", "mutant", "ordinal", "result", "by"]
Entry = collections.namedtuple("Entry", COLUMNS)


def path_of(root, unit):
    return os.path.join(root, "spec", "mutation", unit.lower() + ".tsv")


def key(e):
    return (e.file, e.code, e.mutant, int(e.ordinal))


def read(root, unit):
    """(lines of the head, {key: Entry})"""
    try:
        with open(path_of(root, unit), encoding="utf-8", newline="") as f:
            lines = f.read().split("\n")
    except OSError:
        return [], {}
    head = [line for line in lines if line.startswith("#")]
    body = csv.DictReader([line for line in lines if line and not line.startswith("#")],
                          delimiter="\t", quoting=csv.QUOTE_NONE)
    return head, {key(e): e for e in (Entry(*(r[c] for c in COLUMNS)) for r in body)}


def clean(text):
    return " ".join(text.split())


def figures(entries):
    n = collections.Counter(e.result for e in entries)
    tried = n["naming"] + n["others"] + n["survived"]
    share = 100.0 * n["naming"] / tried if tried else 0.0
    return n, tried, share


def stale(root, entries):
    """Those whose line the product does not have any more."""
    texts = {}
    for e in entries:
        if e.file not in texts:
            try:
                with open(os.path.join(root, e.file), encoding="utf-8") as f:
                    texts[e.file] = clean(f.read())
            except OSError:
                texts[e.file] = ""
    return [e for e in entries if e.code not in texts[e.file]]


def of_layouts(entries):
    return [e for e in entries if e.file.endswith(".xml")]


def write(root, unit, entries, possible, possible_layouts):
    """Mutants that were refused or change no object code are not listed, only counted by the
    caller. possible: of C and of layouts together."""
    kept = sorted((e
                   for e in entries if e.result in ("naming", "others", "survived", "equivalent")),
                  key=lambda e: (e.file, e.code, e.mutant, int(e.ordinal)))
    n, tried, share = figures(kept)
    os.makedirs(os.path.dirname(path_of(root, unit)), exist_ok=True)
    with open(path_of(root, unit), "w", encoding="utf-8", newline="") as f:
        f.write(f"# {unit}: {tried} mutants judged of {possible} that can be made: {n['naming']} "
                f"killed by a case that claims the row "
                f"({share:.1f} %), {n['others']} by others, {n['survived']} survived, "
                f"{n['equivalent']} equivalent")
        if possible_layouts:
            f.write(f"; {figures(of_layouts(kept))[1]} of the judged and {possible_layouts} of the "
                    "possible are of layouts")
        f.write("\n")
        f.write("\t".join(COLUMNS) + "\n")
        for e in kept:
            f.write("\t".join(clean(str(v)) for v in e) + "\n")
    return n, tried, share
