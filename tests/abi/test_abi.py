"""The binary interface: exported names, and layouts of public structs, as tests/abi/abi.txt has
them.

A change that breaks programs shows here. When it is meant, the new state is written by: test_abi.py
--write
"""
import os
import subprocess
import sys
import unittest

from proves import main

HERE = os.path.dirname(os.path.abspath(__file__))
LIST = os.path.join(HERE, "abi.txt")
LIBRARY, PRELOAD, LAYOUT = (os.environ[f"PERGOLA_ABI_{x}"]
                            for x in ("LIBRARY", "PRELOAD", "LAYOUT"))


def exported(path):
    out = subprocess.run(["nm", "-D", "--defined-only",
                          path], capture_output=True, text=True, check=True).stdout
    return sorted(line.split()[-1].split("@")[0] for line in out.splitlines())


def state():
    layout = subprocess.run([LAYOUT], capture_output=True, text=True,
                            check=True).stdout.splitlines()
    return [f"symbol {x}" for x in exported(LIBRARY)] + [f"layout {x}" for x in layout]


class Abi(unittest.TestCase):
    maxDiff = None

    def test_as_the_list_says(self):
        with open(LIST, encoding="utf-8") as f:
            self.assertEqual(f.read().splitlines(), state())

    def test_every_name_has_the_prefix(self):
        names = exported(LIBRARY)
        self.assertGreater(len(names), 50)
        self.assertEqual([n for n in names if not n.startswith("pergola_")], [])

    def test_the_preload_library_exports_no_public_name(self):
        names = exported(PRELOAD)
        self.assertIn("ioctl", names)
        self.assertEqual([n for n in names if "pergola" in n], [])

    def test_headers_declare_what_is_exported(self):
        """And nothing is declared that is not there."""
        import re
        declared = set()
        root = os.path.join(HERE, "..", "..", "include", "pergola")
        for name in sorted(os.listdir(root)):
            with open(os.path.join(root, name), encoding="utf-8") as f:
                for text in re.findall(r"^PERGOLA_API([^;{]*)", f.read(), re.M):
                    declared.add(re.search(r"(pergola_\w+)\s*\(", text)[1])
        self.assertEqual(sorted(declared), exported(LIBRARY))


if "--write" in sys.argv:
    with open(LIST, "w", encoding="utf-8") as f:
        f.write("".join(line + "\n" for line in state()))
elif __name__ == "__main__":
    main()
