"""The habits of the tree: clang-format decides about C, prose and Python keep to 100 columns."""
import io
import os
import re
import shutil
import subprocess
import tokenize
import unittest

from proves import main

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
ROOMS = ("src", "frontends", "include", "tests", "bench", "examples")
COLUMNS = 100


def files(rooms, *endings):
    for room in rooms:
        for base, _, names in os.walk(os.path.join(ROOT, room)):
            yield from (os.path.join(base, n) for n in sorted(names) if n.endswith(endings))


def unformatted(paths):
    """Those of the paths that clang-format would change; it takes many at once."""
    bad = set()
    for i in range(0, len(paths), 40):
        run = subprocess.run(["clang-format", "--style=file", "--dry-run", "-Werror",
                              *paths[i:i + 40]],
                             capture_output=True, text=True)
        bad.update(os.path.relpath(m, ROOT)
                   for m in re.findall(r"^(.+?):\d+:\d+: error", run.stderr, re.M))
    return sorted(bad)


def prose(text):
    """(number, line) of what is neither a table nor code nor a heading."""
    fenced = False
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced and not line.lstrip().startswith(("|", "#", "![")) and line[:4] != "    ":
            yield number, line


def too_long(text):
    return [n for n, line in prose(text) if len(line) > COLUMNS and " " in line.strip()]


def long_code(text):
    """Numbers of lines of Python that are too long and do not lie in a text of several lines."""
    texts = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.STRING and token.end[0] > token.start[0]:
            texts.update(range(token.start[0], token.end[0] + 1))
    return [n for n, line in enumerate(text.split("\n"), 1)
            if len(line) > COLUMNS and n not in texts]


def links(text):
    """The files that a page links to."""
    return [x.split("#")[0] for x in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in x
            and not x.startswith("#")]


class Style(unittest.TestCase):
    @unittest.skipUnless(shutil.which("clang-format"), "clang-format is not installed")
    def test_clang_format(self):
        paths = list(files(ROOMS, ".c", ".h"))
        self.assertGreater(len(paths), 400)
        self.assertEqual(unformatted(paths), [], "'make format' puts it right")

    @unittest.skipUnless(shutil.which("clang-format"), "clang-format is not installed")
    def test_clang_format_is_noticed(self):
        path = os.path.join(ROOT, "src", "machine", "clock.c")
        with open(path, encoding="utf-8") as f:
            text = f.read().replace("{", "{  ", 1)
        run = subprocess.run(["clang-format", f"--assume-filename={path}"], input=text,
                             capture_output=True, text=True, check=True)
        self.assertNotEqual(run.stdout, text)

    def test_prose_columns(self):
        paths = [os.path.join(ROOT, n) for n in os.listdir(ROOT) if n.endswith(".md")]
        for path in paths + list(files(("docs", "spec"), ".md")):
            with open(path, encoding="utf-8") as f:
                self.assertEqual(too_long(f.read()), [], os.path.relpath(path, ROOT))

    def test_python_columns(self):
        paths = list(files(ROOMS + ("tools", "scripts"), ".py"))
        self.assertGreater(len(paths), 100)
        for path in paths:
            with open(path, encoding="utf-8") as f:
                self.assertEqual(long_code(f.read()), [], os.path.relpath(path, ROOT))

    def test_python_is_told_from_texts(self):
        long = "word " * 30
        self.assertEqual(long_code(f"a = 1\nb = '{long}'\n"), [2])
        self.assertEqual(long_code(f'a = """\n{long}\n"""\n'), [])

    def test_links_lead_somewhere(self):
        """What a page links to is there, and the first screen of the README leads every kind of
        user to a page."""
        seen = 0
        paths = [os.path.join(ROOT, n) for n in os.listdir(ROOT) if n.endswith(".md")]
        for path in paths + list(files(("docs",), ".md")):
            with open(path, encoding="utf-8") as f:
                for target in links(f.read()):
                    seen += 1
                    self.assertTrue(os.path.exists(os.path.join(os.path.dirname(path), target)),
                                    f"{os.path.relpath(path, ROOT)}: {target}")
        self.assertGreater(seen, 30)
        with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as f:
            first = set(links("".join(f.readlines()[:40])))
        users = ("drivers", "sanitizer", "ci", "my-gpu-hung", "eu-kernels", "embedding", "lessons")
        self.assertEqual({f"docs/{x}.md" for x in users} - first, set())

    def test_prose_is_told_from_tables(self):
        long = "word " * 30
        self.assertEqual(too_long(f"a\n{long}\n"), [2])
        self.assertEqual(too_long(f"| {long} |\n```\n{long}\n```\n# {long}\n"), [])


if __name__ == "__main__":
    main()
