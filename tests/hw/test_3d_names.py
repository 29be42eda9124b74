"""The 3D layouts against the words of the ledger: the field at each place has the name that the row
gives it, and the values that the row lists. (test_3d_layouts.c has the places.)"""
import csv
import os
import re
import unittest
import xml.etree.ElementTree as ET

from proves import main

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
# The ledger is terse.
WORDS = {"en": "enable", "stats": "statistics", "mocs": "memory object control state",
         "ksp": "kernel start pointer",
         "sw": "software", "exc": "exception", "op": "opcode", "fp": "floating point",
         "bt": "binding table",
         "max": "maximum", "threads−1": "threads", "log2": "", "raster": "rasterization",
         "samples": "multisamples"}
TYPES = {"addr", "off", "s", "bf", "bfn", "cmp", "lop", "topo", "float", "bool", "fmt", "idx",
         "sop", "f32", "vfcomp", "as", "unorm8", "float32"}
# Rows that describe a pointer in a sentence of their own.
SENTENCES = {"G3D-%03d" % n: "pointer to" for n in (*range(3, 8), *range(35, 40))}


def words(text, ledger):
    out = []
    if ledger:
        text = re.sub(r"\(.*?\)", " ", text).replace("GRF Start KSP", "GRF Start")
        text = re.sub(r"^\.(\d)", r"0.\1", text)
    for w in re.sub(r"[/_\-]", " ", text.lower()).split():
        if not (ledger and (w in TYPES or re.match(r"[us]\d+\.\d+$", w))):
            out += WORDS.get(w, w).split()
    return out


def within(short, name):
    """Are the words of the ledger words of the name, in order? A word may be cut short."""
    rest = iter(words(name, False))
    return all(any(n.startswith(w.rstrip(".")) for n in rest) for w in words(short, True))


def layouts():
    found = {}
    for folder in ("commands", "structures"):
        for root, _, files in os.walk(os.path.join(ROOT, "spec", folder)):
            for f in files:
                if f.endswith(".xml"):
                    for e in ET.parse(os.path.join(root, f)).getroot():
                        found.setdefault(e.get("ledger"), []).append(e)
    return found


def fields_of_row(text):
    """(dword, hi, lo, name, values) of everything that a row lists."""
    for part in re.finditer(r"DW(\d+) (\[.*?)(?= ; DW|$)", text):
        for hi, lo, rest in re.findall(r"\[(\d+)(?::(\d+))?\] ([^;]*)", part.group(2)):
            rest = re.sub(r"\[[^\]]*\]", "", rest) # "[repeats …]", "Attribute[0]"
            name, values = re.match(r"([^{]*)(\{.*\})?", rest).groups()
            yield int(part.group(1)), int(hi), int(lo
                                                   or hi), name.strip(), re.findall(
                                                       r"(\d+)=(\S+?)(?=[ }])", values or "")


class Names(unittest.TestCase):
    def test_fields_have_the_names_of_the_ledger(self):
        known, checked, named = layouts(), 0, 0
        with open(os.path.join(ROOT, "spec/ledger/3d.tsv"), encoding="utf-8", newline="") as f:
            rows = list(csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE))
        for row in rows:
            if row["kind"] not in ("command", "structure"):
                continue  # how it behaves, not how it lies
            self.assertIn(row["id"], known)
            for dw, hi, lo, name, values in fields_of_row(row["requirement"]):
                bits = "%d:%d" % (hi, lo) if hi != lo else "%d" % hi
                here = [x for e in known[row["id"]] for x in e.iter("field")
                        if x.get("bits") in (bits, "%d:%d" % (hi, lo))
                        and int(x.get("dw", "0")) == dw]
                where = "%s DW%d[%s] %s" % (row["id"], dw, bits, name)
                # what repeats is a tail, what must be one is reserved
                if re.match(r"(Entry|mbo)", name):
                    continue
                self.assertTrue(here, where)
                checked += 1
                for x in here:
                    wanted = SENTENCES.get(row["id"]) or name
                    self.assertTrue(within(wanted, x.get("name")),
                                    "%s is %s" % (where, x.get("name")))
                have = {int(v.get("value"), 0): v.get("name") for x in here
                        for v in x.iter("value")}
                for number, value in values:
                    if not have:  # a value with a unit, such as 0KB: a plain number
                        self.assertEqual(number, "0", where)
                        continue
                    named += 1
                    self.assertTrue(within(value, have.get(int(number), "")),
                                    "%s: %s=%s, %s" % (where, number, value, have))
        self.assertGreater(checked, 450)
        self.assertGreater(named, 100)


if __name__ == "__main__":
    main()
