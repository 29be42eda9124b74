"""What `make install` puts where: the command, libraries, headers, a manual page for each,
documents, examples."""
import glob
import os
import shutil
import subprocess
import tempfile
import unittest

from proves import main

BUILD, SOURCE = os.environ["PERGOLA_BUILD"], os.environ["PERGOLA_SOURCE"]


def names(pattern):
    return {os.path.basename(path) for path in glob.glob(pattern, recursive=True)}


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.root = tempfile.mkdtemp()
        subprocess.run(["meson", "install", "-C", BUILD, "--no-rebuild", "--quiet", "--destdir",
                        cls.root], check=True,
                       stdout=subprocess.DEVNULL)
        prefixes = [os.path.dirname(os.path.dirname(p))
                    for p in glob.glob(f"{cls.root}/**/bin/pergola", recursive=True)]
        cls.prefix = prefixes[0]

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.root)

    def test_a_page_for_every_header(self):
        headers = names(f"{SOURCE}/include/pergola/*.h")
        self.assertEqual(names(f"{self.prefix}/include/pergola/*.h"), headers)
        self.assertEqual(names(f"{self.prefix}/share/man/man3/*.3"), {h + ".3" for h in headers})
        self.assertTrue(os.path.exists(f"{self.prefix}/share/man/man1/pergola.1"))

    def test_pages_have_every_function(self):
        for path in glob.glob(f"{SOURCE}/include/pergola/*.h"):
            with open(f"{self.prefix}/share/man/man3/{os.path.basename(path)}.3",
                      encoding="utf-8") as f:
                page = f.read()
            with open(path, encoding="utf-8") as f:
                calls = [w.split("(")[0].lstrip("*")
                         for w in f.read().replace("\n", " ").split() if "(" in w]
            wanted = {w for w in calls if w.startswith("pergola_")}
            self.assertTrue(wanted)
            for word in wanted:
                self.assertIn(word + "(", page, path)
            self.assertRegex(page, r"(?m)^pergola\S*\.h \\- \w")

    def test_pages_are_well_formed(self):
        if not shutil.which("groff"):
            self.skipTest("groff is not installed")
        for path in glob.glob(f"{self.prefix}/share/man/man?/*"):
            r = subprocess.run(["groff", "-man", "-Kutf8", "-Tutf8", "-wmac", "-wsyntax",
                                "-wmissing", path], stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True)
            self.assertEqual((r.returncode, r.stderr), (0, ""), path)

    def test_documents_and_examples(self):
        there = f"{self.prefix}/share/doc/pergola"
        self.assertLessEqual(names(f"{SOURCE}/docs/*.md") | {"README.md"}, names(f"{there}/*.md"))
        self.assertTrue(os.path.exists(f"{there}/examples/embed/embed.c"))
        self.assertTrue(glob.glob(f"{there}/examples/eu/*.asm"))

    def test_the_example_compiles_against_it(self):
        lib = os.path.dirname(glob.glob(f"{self.prefix}/lib*/**/libpergola.so", recursive=True)[0])
        exe = f"{self.root}/embed"
        subprocess.run(["cc", "-o", exe, f"{self.prefix}/share/doc/pergola/examples/embed/embed.c",
                        f"-I{self.prefix}/include", f"-L{lib}", "-lpergola"], check=True)
        r = subprocess.run([exe], env={**os.environ, "LD_LIBRARY_PATH": lib},
                           stdout=subprocess.PIPE, text=True, timeout=60)
        self.assertEqual(r.returncode, 0, r.stdout)

    def test_the_command_finds_its_library(self):
        r = subprocess.run([f"{self.prefix}/bin/pergola", "run", "--", "true"],
                           stderr=subprocess.PIPE, text=True, timeout=60)
        self.assertEqual(r.returncode, 0)
        self.assertIn("did not open the GPU", r.stderr)


if __name__ == "__main__":
    main()
