"""The rows of the ledger and the lines of the product that cite them."""
import csv
import glob
import os
import re

# "MEDIA-101..104" and "MEDIA-101, 102" name no row: each stands in full, so that a search finds it.
ID = re.compile(r"\b([A-Z][A-Z0-9]*-\d{3}[a-z]?)\b")
ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))


def load(root=ROOT):
    rows = {}
    for path in sorted(glob.glob(os.path.join(root, "spec/ledger/*.tsv"))):
        with open(path, encoding="utf-8", newline="") as f:
            for r in csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE):
                r["file"] = os.path.relpath(path, root)
                rows[r["id"]] = r
    return rows


def not_applicable(row):
    """n/a counts only with its reason."""
    return row["status"].lower().startswith("n/a") and bool(row["decision"].strip())


def source_files(root, *dirs):
    for d in dirs:
        for base, _, files in sorted(os.walk(os.path.join(root, d))):
            for f in sorted(files):
                if f.endswith((".c", ".h", ".py", ".sh", ".xml", ".comp", ".asm")):
                    yield os.path.join(base, f)


def citations(root=ROOT):
    """Row to [(file, line number, the line)] in src/, frontends/ and the layouts of spec/."""
    cited = {}
    for path in source_files(root, "src", "frontends", "spec"):
        with open(path, encoding="utf-8", errors="replace") as f:
            for n, line in enumerate(f, 1):
                for i in ID.findall(line):
                    cited.setdefault(i, []).append((os.path.relpath(path, root), n, line.strip()))
    return cited
