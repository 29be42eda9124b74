"""A case has one subject: at most ten rows."""
import ast
import os
import re
import unittest

from proves import main

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
MOST = 10
ROW = re.compile(r'"([A-Z0-9]+-\d+)"')
CASE = re.compile(r"^(\w+)\(void \*\*(?:state|s)\)\n\{\n(.*?)^\}", re.S | re.M)
CLAIM = re.compile(r"\bproves\((.*?)\);", re.S)


def rows_in_c(text):
    for m in CASE.finditer(text):
        yield m.group(1), {row for claim in CLAIM.findall(m.group(2)) for row in ROW.findall(claim)}


def rows_in_python(text):
    for f in ast.walk(ast.parse(text)):
        if isinstance(f, ast.FunctionDef):
            calls = [c for c in ast.walk(f) if isinstance(c, ast.Call)
                     and getattr(c.func, "id", "") == "proves"]
            yield f.name, {a.value for c in calls for a in c.args if isinstance(a, ast.Constant)}


def many(root):
    """Cases with more rows than they should have, by file."""
    out = {}
    for folder, _, names in os.walk(os.path.join(root, "tests")):
        for name in names:
            path = os.path.join(folder, name)
            reader = {".c": rows_in_c, ".py": rows_in_python}.get(os.path.splitext(name)[1])
            if not reader:
                continue
            with open(path, encoding="utf-8") as f:
                found = {case for case, rows in reader(f.read()) if len(rows) > MOST}
            if found:
                out[os.path.relpath(path, os.path.join(root, "tests"))] = found
    return out


class Claims(unittest.TestCase):
    def test_cases_are_seen(self):
        rows = ", ".join(f'"RCS-{n:03}"' for n in range(1, 12))
        c = (f"static void\nmuch(void **state)\n{{\n   proves({rows});\n}}\n\nstatic "
             f"void\nfew(void **state)\n{{\n   proves(\"RCS-001\");\n}}\n")
        self.assertEqual({name: len(found) for name, found in rows_in_c(c)}, {"much": 11, "few": 1})
        self.assertEqual([len(found)
                          for _, found in rows_in_python(f"def test(self):\n    proves({rows})\n")],
                         [11])

    def test_no_case_claims_more_than_ten_rows(self):
        found = many(ROOT)
        self.assertEqual(found, {},
                         "these claim more than ten rows: split them, or leave out what they do "
                         "not test")


if __name__ == "__main__":
    main()
