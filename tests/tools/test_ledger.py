"""What counts as proven, on a small project of its own: its programs really run, under meson and
cmocka. Every way in which a claim once counted without proof is here, and must not count again."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

from proof import results
from proves import main

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
COLUMNS = "id kind unit title requirement source status decision".split()

PROJECT = """
project('fixture', 'c')
cmocka = dependency('cmocka')
tap = environment({'CMOCKA_MESSAGE_OUTPUT': 'TAP'})
python = find_program('python3')
foreach name : ['counts', 'many', 'fails', 'hangs', 'crashes', 'twin_a', 'twin_b', 'stages', 'skips']
  exe = executable(name, name + '.c', dependencies: cmocka, include_directories: '.')
  test(name, exe, env: tap, protocol: 'tap', timeout: 1)
endforeach
test('expected', python, args: files('expected.py'), protocol: 'tap', should_fail: true)
test('script', python, args: files('script.py'), env: environment({'PYTHONPATH': meson.current_source_dir()}), protocol: 'tap')
test('todo', python, args: files('todo.py'), protocol: 'tap')
"""

HEAD = """
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>
#include "proves.h"
#define RUN(...) int main(void) { const struct CMUnitTest t[] = {__VA_ARGS__}; return cmocka_run_group_tests(t, NULL, NULL); }
#define T(name) cmocka_unit_test(name)
"""

FILES = {
    "counts.c": HEAD + """
static void good(void **s) { (void)s; proves("FIX-001", "FIX-101"); assert_true(1); }
/* FIX-002: named in a comment above a case that passes. */
static void commented(void **s) { (void)s; /* FIX-002 proves("FIX-002") */ assert_true(1); }
static void never(void **s) { (void)s; if (0) proves("FIX-003"); }
#if 0
static void twin(void **s) { (void)s; proves("FIX-004"); }
#else
static void twin(void **s) { (void)s; }
#endif
static void last(void **s) { (void)s; proves("FIX-099"); }
RUN(T(good), T(commented), T(never), T(twin), T(last))
""",
    "many.c": HEAD + """
static void one(void **s) { (void)s; proves("FIX-201", "FIX-202", "FIX-203", "FIX-204", "FIX-205", "FIX-206"); }
static void other(void **s) { proves("FIX-206", "FIX-207", "FIX-208", "FIX-209", "FIX-210", "FIX-211"); one(s); }
RUN(T(one), T(other))
""",
    "skips.c": HEAD + """
static void skipped(void **s) { (void)s; proves("FIX-005"); skip(); }
RUN(T(skipped))
""",
    "fails.c": HEAD + """
static void passes(void **s) { (void)s; proves("FIX-006"); }
static void fails(void **s) { (void)s; proves("FIX-007"); assert_true(0); }
RUN(T(passes), T(fails))
""",
    "hangs.c": HEAD + """
static void before(void **s) { (void)s; proves("FIX-008"); }
static void hangs(void **s) { (void)s; for (;;) pause(); }
RUN(T(before), T(hangs))
""",
    "crashes.c": HEAD + """
static void before(void **s) { (void)s; proves("FIX-009"); }
int main(void) { const struct CMUnitTest t[] = {T(before)}; cmocka_run_group_tests(t, NULL, NULL); fflush(stdout); abort(); }
""",
    "twin_a.c": HEAD + """
static void shared(void **s) { (void)s; proves("FIX-011"); assert_true(0); }
RUN(T(shared))
""",
    "twin_b.c": HEAD + """
static void shared(void **s) { (void)s; }
RUN(T(shared))
""",
    "stages.c": HEAD + """
static void one(void **s) { (void)s; proves("FIX-017");
#ifdef SANITIZED
   assert_true(0);
#endif
}
RUN(T(one))
""",
    "script.py": """
import unittest
from proves import main, proves

class A(unittest.TestCase):
    @unittest.skip("not here")
    def test_skipped(self):
        # FIX-013
        proves("FIX-013")

    def test_skips_itself(self):
        proves("FIX-014")
        self.skipTest("not here")

    def test_passes(self):
        proves("FIX-015")

    @unittest.expectedFailure
    def test_expected(self):
        proves("FIX-016")
        self.fail()

main()
""",
    "broken.py": """
import unittest
from proves import main, proves

class A(unittest.TestCase):
    def test_subtest_fails(self):
        for i in range(2):
            with self.subTest(i=i):
                self.assertEqual(i, 0)

    def test_passes(self):
        pass

main()
""",
    "expected.py": """
print("# proves FIX-012 at expected.py:1")
print("ok 1 - passes")
print("not ok 2 - fails")
print("1..2")
""",
    "todo.py": """
print("1..3")
print("# proves FIX-010 at todo.py:3")
print("not ok 1 - later # TODO not yet")
print("# proves FIX-010 at todo.py:5")
print("ok 2 - never # SKIP not here")
print("ok 3 - good")
print("# proves FIX-010 at todo.py:8")
""",
}
RECORD = """# FIX: head
rows\tfile\tcode\tmutant\tordinal\tresult\tby
FIX-001\tsrc/core.c\tx = 1;\tx = 2;\t1\tnaming\tcounts: good
FIX-015\tsrc/core.c\ty = 1;\ty = 2;\t1\tsurvived\t
FIX-015\tsrc/core.c\ty = 1;\ty = 3;\t1\tothers\tx: y
FIX-099\tsrc/core.c\tz = 1;\tz = 3;\t1\tequivalent\tnobody reads z
"""
IDS = [f"FIX-{n:03}" for n in range(1, 20)] + ["FIX-099"]


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, **options)


class Ledger(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.top = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.top)
        for folder in ("spec/ledger", "spec/mutation", "src"):
            os.makedirs(os.path.join(cls.top, folder))
        for f in ("proves.h", "proves.py"):
            shutil.copy(os.path.join(ROOT, "tests", f), cls.top)
        for name, text in {"meson.build": PROJECT, **FILES}.items():
            cls.write(name, text)
        cls.write("spec/ledger/fix.tsv",
                  "\n".join(["\t".join(COLUMNS)]
                            + [f"{i}\t{'restriction' if i in ('FIX-001', 'FIX-099') else 'rule'}"
                               "\tfix\ttitle\ttext\tp. 1\t\t" for i in IDS]
                            + ["FIX-018\trule\tfix\tt\tt\tp\tn/a\t",
                               "FIX-019\trule\tfix\tt\tt\tp\tn/a\treason"]))
        cls.write("spec/mutation/fix.tsv", RECORD)
        cls.write("src/core.c", "x = 1; /* FIX-001: <once> */\n")
        cls.write("spec/layout.xml", '<field ledger="FIX-002"/>\n')
        cls.build = os.path.join(cls.top, "build")
        for suffix, flags in (("", []), ("-asan", ["-Dc_args=-DSANITIZED"])):
            made = run("meson", "setup", cls.build + suffix, cls.top, *flags)
            assert made.returncode == 0, made.stdout + made.stderr
            built = run("ninja", "-C", cls.build + suffix)
            assert built.returncode == 0, built.stdout
        time.sleep(0.02)
        cls.run_tests()

    @classmethod
    def write(cls, name, text):
        with open(os.path.join(cls.top, name), "w", encoding="utf-8") as f:
            f.write(text)

    @classmethod
    def run_tests(cls, *names, suffix=""):
        run("meson", "test", "-C", cls.build + suffix, "--no-rebuild", *names)

    def ledger(self, *args):
        r = run(sys.executable, os.path.join(ROOT, "tools", "ledger.py"), "--root", self.top,
                "--build", self.build, *args)
        self.assertEqual(r.returncode, 0, r.stderr)
        return r.stdout, r.stderr

    def state(self, row):
        """(counts as proven, what is said of its claims)"""
        said = self.ledger(row)[0].split("\ntests:\n")[1]
        return bool(re.search(r"^  pass ", said, re.M)), said

    def refused(self, row, why):
        proven, said = self.state(row)
        self.assertFalse(proven, said)
        self.assertIn(why, said)

    def test_a_claim_of_a_passing_case_counts(self):
        self.assertTrue(self.state("FIX-001")[0])
        self.assertIn("counts.c", self.state("FIX-001")[1])
        self.assertTrue(self.state("FIX-099")[0]) # and of every case
        self.assertTrue(self.state("FIX-015")[0])  # and in Python

    def test_totals(self):
        out, err = self.ledger()
        self.assertIn("FIX rows=20 cited=2 proven=4 na=1 missing=15 weak=1 tried=3 killed=33.3%",
                      out)
        self.assertIn("FIX-018 is n/a without a reason", err)
        self.assertIn("restrictions that no line of the product cites, nor a decision settles: "
                      "FIX-099\n", err)
        self.assertIn("lines that changed since their mutants were judged ('make mutate STALE=1'): "
                      "FIX 3\n", err)
        self.assertIn("counts.c:13 claims FIX-101, which no ledger has", err)
        self.assertIn("ledger: many: other claims 11 rows, more than 10\n", err)
        self.assertNotIn("many: one claims", err)

    def test_rows_whose_mutants_no_claiming_case_killed(self):
        self.assertEqual(self.ledger("--weak", "FIX")[0], "FIX-015\trule\ttitle\n")
        self.assertIn("survived  src/core.c: y = 2;", self.ledger("FIX-015")[0])

    def test_page(self):
        path = os.path.join(self.top, "page.html")
        self.ledger("--html", path)
        with open(path, encoding="utf-8") as f:
            text = f.read()
        for want in ('<details id="FIX-001">',
                     '<span class="proven">proven</span> · 1/1 mutants killed',
                     "src/core.c:1: x = 1; /* FIX-001: &lt;once&gt; */",
                     "naming (counts: good): src/core.c: x = 1; → x = 2;",
                     '<span class="weak">proven</span> · 0/2 mutants killed',
                     "<td>33.3%</td>", "p. 1", "pass: counts.c:13 counts: good"):
            self.assertIn(want, text)

    def test_comment(self):
        self.refused("FIX-002", "none")

    def test_call_that_never_runs(self):
        self.refused("FIX-003", "none")

    def test_twin_left_out_by_the_preprocessor(self):
        self.refused("FIX-004", "none")

    def test_skipped_case(self):
        self.refused("FIX-005", "program: ")

    def test_program_with_a_failing_case(self):
        self.refused("FIX-006", "program: ")
        self.refused("FIX-007", "program: ")

    def test_program_that_timed_out_after_ok(self):
        self.refused("FIX-008", "program: TIMEOUT")

    def test_program_that_crashed_after_ok(self):
        self.refused("FIX-009", "program: ERROR")

    def test_todo_line(self):
        self.refused("FIX-010", "todo  todo.py:3: todo: later")
        self.refused("FIX-010", "skip  todo.py:5: todo: never")
        self.refused("FIX-010", "no result  todo.py:8")
        self.assertEqual(results.cases_of("# proves FIX-010\nok 1 - later # TODO x\n")[0].why,
                         "todo")
        self.assertEqual(results.cases_of("# proves FIX-010\nnot ok 1 - later\n")[0].why,
                         "failed")

    def test_name_shared_by_two_files(self):
        self.refused("FIX-011", "program: ")

    def test_expected_failure(self):
        self.refused("FIX-012", "program: EXPECTEDFAIL")
        self.refused("FIX-016", "todo")

    def test_skipped_methods(self):
        self.refused("FIX-013", "none")
        self.refused("FIX-014", "skip")

    def test_stage_that_fails_takes_the_claim_away(self):
        self.assertTrue(self.state("FIX-017")[0])
        self.addCleanup(os.remove, os.path.join(self.build + "-asan", "meson-logs", "testlog.json"))
        self.run_tests("stages", suffix="-asan")
        self.refused("FIX-017", "failed in another stage")

    def test_stage_alone_counts(self):
        kept = os.path.join(self.top, "kept")
        logs = os.path.join(self.build, "meson-logs")
        os.rename(logs, kept)
        self.addCleanup(os.rename, kept, logs)
        self.assertFalse(self.state("FIX-001")[0])
        self.addCleanup(os.remove, os.path.join(self.build + "-asan", "meson-logs", "testlog.json"))
        self.run_tests("counts", suffix="-asan")
        self.assertTrue(self.state("FIX-001")[0])

    def test_broken_subtest_breaks_its_case_only(self):
        r = run(sys.executable, os.path.join(self.top, "broken.py"))
        self.assertEqual(r.returncode, 1)
        self.assertRegex(r.stdout, r"(?m)^ok 1 - A.test_passes$")
        self.assertRegex(r.stdout, r"(?m)^not ok 2 - A.test_subtest_fails$")
        self.assertIn("\n1..2\n", r.stdout)


class Stale(Ledger):
    """Results and sources of different age. (A copy of the project of its own: the cases above go
    on counting.)"""

    def changed(self, name):
        now = time.time()
        os.utime(os.path.join(self.top, name), (now, now))

    def test_source_changed_since(self):
        self.changed("counts.c")
        self.refused("FIX-001", "older than the sources")
        self.assertTrue(self.state("FIX-015")[0])  # of another program
        self.assertIn("results older than the sources do not count: counts", self.ledger()[1])
        run("ninja", "-C", self.build)
        self.refused("FIX-001", "older than counts")  # built, not run
        self.run_tests()
        self.assertTrue(self.state("FIX-001")[0])

    def test_header_changed_and_an_old_program_run_again(self):
        self.changed("proves.h")
        self.run_tests()
        self.refused("FIX-001", "older than the sources")
        run("ninja", "-C", self.build)
        self.run_tests()
        self.assertTrue(self.state("FIX-001")[0])

    def test_script_changed_since(self):
        self.changed("proves.py")
        self.refused("FIX-015", "older than proves.py")
        self.run_tests()
        self.assertTrue(self.state("FIX-015")[0])


for inherited in [n for n in dir(Ledger) if n.startswith("test_")]:
    setattr(Stale, inherited, None)

if __name__ == "__main__":
    main()
