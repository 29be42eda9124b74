"""What spec/ knows is not said again in C: a constant of src/ or frontends/ that has the number and
the words of a generated name is defined by that name."""
import glob
import os
import re
import unittest

from proves import main

import genhw
import hwxml

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
SHORT = 5  # letters of a single word that may stand for something else
NUMBER = r"(?:0x[0-9a-fA-F]+|\d+)[uUlL]*"


def number(text):
    return int(text.strip().rstrip("uUlL"), 0)


def generated():
    """number -> words of the names of values that the generator gives it."""
    header, _ = genhw.generate(hwxml.Spec(hwxml.find_xml(os.path.join(ROOT, "spec"))))
    names = {}
    for name, value in re.findall(rf"#define GEN\d+_(\w+) ({NUMBER})\n", header):
        if "__" not in name and not name.endswith("_LENGTH"):
            names.setdefault(number(value), []).append(name.split("_"))
    return names


def says(words, name):
    """CULL_BOTH says what ..._SF_CULL_MODE_BOTH says: its words are among those, in order, the last
    one the same."""
    rest = iter(name)
    return words[-1] == name[-1] and all(w in rest
                                         for w in words) and (len(words) > 1
                                                              or len(words[0]) >= SHORT)


def constants(text):
    """Lists of (name, number): one of each plain #define, one of each enum."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    for name, value in re.findall(rf"#define ([A-Z][A-Z0-9_]+)[ \t]+({NUMBER})[ \t]*\n", text):
        yield [(name, number(value))]
    for body in re.findall(r"\benum\b[^{;()=]*\{([^}]*)\}", text):
        found, at = [], -1
        for part in body.split(","):
            m = re.fullmatch(r"\s*([A-Z][A-Z0-9_]*)\s*(?:=\s*(.+?))?\s*", part, re.S)
            if not m:
                continue
            if m[2]:
                at = number(m[2]) if re.fullmatch(NUMBER, m[2]) else None
            elif at is not None:
                at += 1
            found.append((m[1], at))
        yield found


def said_again(text, names):
    """Constants that the spec has. Of an enum by chance some may be: it counts when most of it is
    known."""
    for group in constants(text):
        known = [n
                 for n, value in group if any(says(n.split("_"), g) for g in names.get(value, []))]
        if 2 * len(known) > len(group):
            yield from known


class Names(unittest.TestCase):
    def test_what_the_spec_knows_is_not_said_again(self):
        names, bad = generated(), []
        self.assertGreater(len(names), 200)
        files = [f for room in ("src", "frontends")
                 for f in glob.glob(f"{ROOT}/{room}/**/*.[ch]", recursive=True)]
        self.assertGreater(len(files), 300)
        for path in sorted(files):
            with open(path, encoding="utf-8") as f:
                bad += [f"{os.path.relpath(path, ROOT)}: {n}" for n in said_again(f.read(), names)]
        self.assertEqual(bad, [])

    def test_repetitions_are_noticed(self):
        names = {0: [["A", "CULL", "MODE", "BOTH"]],
                 1: [["A", "CULL", "MODE", "NONE"], ["X", "TRILIST"]], 2: [["X", "OFF"]]}
        for text, want in (("enum { CULL_BOTH, CULL_NONE };\n", ["CULL_BOTH", "CULL_NONE"]),
                           ("#define CULL_NONE 0x1u /* both */\n", ["CULL_NONE"]),
                           ("enum mode { TRILIST = 1 };\n", ["TRILIST"]),
                           ("enum { CULL_BOTH = GEN7_A_CULL_MODE_BOTH, CULL_NONE = "
                            "GEN7_A_CULL_MODE_NONE };\n", []),
                           ("enum { CULL_NONE, CULL_BOTH };\n", []),
                           ("enum { CULL_BOTH, MINE, OTHER };\n", []),
                           ("#define OFF 2\n", [])):
            self.assertEqual(list(said_again(text, names)), want, text)


if __name__ == "__main__":
    main()
