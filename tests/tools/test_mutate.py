"""The mutants and their judges, on a small project of its own."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import mutate
from proof import mutants, places, record, trial, workshop
from proves import main

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))


def lines(text):
    return {(m.code, m.mutant) for m in mutants.of_file("a.c", text)}


class Places(unittest.TestCase):
    def cited(self, text):
        return sorted(places.in_c(text))

    def test_line_with_a_trailing_comment(self):
        self.assertEqual(self.cited("   a = 1;\n   b = 2; /* FIX-001 */\n   c = 3;\n"), [1])

    def test_statement_over_lines(self):
        self.assertEqual(self.cited("   a = 1;\n   b = f(1,\n         2); /* FIX-001 */\n   c = "
                                    "3;\n"), [1, 2])

    def test_report_with_its_condition(self):
        self.assertEqual(self.cited('   x = 1;\n   if (a > 3) {\n      report("FIX-001");\n   }\n'),
                         [1, 2])
        self.assertEqual(self.cited('   x = 1;\n   if (a > 3)\n      report("FIX-001");\n'), [1, 2])

    def test_comment_above_lines_of_a_body(self):
        self.assertEqual(self.cited("   /* FIX-001: why,\n    * at length. */\n   a = 1;\n   b = "
                                    "2;\n\n   c = 3;\n"), [2, 3])

    def test_comment_above_a_function(self):
        self.assertEqual(self.cited("/* FIX-001 */\nstatic int\nf(void)\n{\n   return 1;\n}\n\nint "
                                    "g;\n"), [1, 2, 3, 4, 5])

    def test_entry_of_a_table(self):
        self.assertEqual(self.cited('static const struct rule t[] = {\n    {A, 0, "FIX-001"},\n    '
                                    '{B,\n     "FIX-002"},\n    {C, 1, NULL},\n};\n'),
                         [1, 2, 3])

    def test_entry_of_a_table_by_a_macro(self):
        self.assertEqual(self.cited("static const struct unit t[] = {\n    UNIT(A, 1),\n    "
                                    "UNIT(B, 2), /* FIX-001 */\n    UNIT(C, 3),\n};\n"), [2])

    def test_asking_for_a_report_is_no_citation(self):
        self.assertEqual(self.cited('   seen |= !strcmp(d->rule, "FIX-001");\n'), [])

    def test_lines_without_a_row(self):
        self.assertEqual(self.cited("   a = 1;\n/* nothing */\n   b = 2;\n"), [])


class Mutants(unittest.TestCase):
    def test_kinds(self):
        found = lines("   if (a < 10 && b == 0x30) { /* FIX-001 */\n")
        head = "if (a < 10 && b == 0x30) { /* FIX-001 */"
        for old, new in (("10", "11"), ("10", "9"), ("<", "<="), ("&&", "||"), ("==", "!="),
                         ("0x30", "0x20"), ("0x30", "0x10")):
            self.assertIn((head, head.replace(old, new)), found)

    def test_columns_of_a_table_are_no_part_of_the_name(self):
        self.assertIn(("a[5], b; /* FIX-001 */", "a[6], b; /* FIX-001 */"),
                      lines("   a[5],   b; /* FIX-001 */\n"))

    def test_statement_removed_field_swapped_condition_negated(self):
        self.assertIn(("s->width = 3; /* FIX-001 */", ";"),
                      lines("   s->width = 3; /* FIX-001 */\n"))
        self.assertIn(("s->width = 3; /* FIX-001 */", "s->height = 3; /* FIX-001 */"),
                      lines("   s->width = 3; /* FIX-001 */\n"))
        self.assertIn(("if (ready) /* FIX-001 */", "if (!(ready)) /* FIX-001 */"),
                      lines("   if (ready) /* FIX-001 */\n      go();\n"))
        self.assertIn(('report(d, "FIX-001", "x");', ";"),
                      lines('   report(d,\n          "FIX-001", "x");\n'
                             .replace("\n          ", " ")))

    def test_statement_over_lines_removed_whole(self):
        self.assertIn(('report(d, "FIX-001");', ";"),
                      lines('   report(d,\n          "FIX-001");\n'))

    def test_comments_strings_and_asserts_are_left_alone(self):
        self.assertEqual({m for _, m in lines('   f("a < 3"); /* FIX-001 x > 4 */\n')}, {";"})
        self.assertEqual(lines("   static_assert(sizeof(int) == 4); /* FIX-001 */\n"), set())

    def test_texts_of_reports_and_hints_are_left_alone(self):
        self.assertEqual({m for _, m in lines('   cs_report(cs, "FIX-001", "%u", count - 3);\n')},
                         {";"})
        self.assertEqual(lines('   cs_report(cs,\n      "FIX-001", "%u", count - 3);\n'),
                         {('cs_report(cs, "FIX-001", "%u", count - 3);', ";")})
        self.assertEqual({m
                          for c, m in lines('   if (a)\n      note(s, b == 2 ? "FIX-001" : '
                                            '"FIX-002",\n         count - 3);\n') if "if" not in c},
                         set())
        found = {m for _, m in lines("   if (__builtin_expect(a == 0, 0)) /* FIX-001 */\n")}
        self.assertEqual(found,
                         {"if (__builtin_expect(a != 0, 0)) /* FIX-001 */",
                          "if (__builtin_expect(a == 1, 0)) /* FIX-001 */",
                          "if (!(__builtin_expect(a == 0, 0))) /* FIX-001 */"})

    def test_signs_and_masks(self):
        found = {m for _, m in lines("   return -x + (y & ~0xf0); /* FIX-001 */\n")}
        for want in ("return x + (y & ~0xf0);", "return -x - (y & ~0xf0);",
                     "return -x + (y | ~0xf0);", "return -x + (y & 0xf0);",
                     "return -x + (y & ~0xe0);", "return -x + (y & ~0x70);"):
            self.assertIn(want + " /* FIX-001 */", found)

    def test_layouts_stay_whole(self):
        text = ('<s>\n<field name="A" dw="1" bits="7:4" ledger="FIX-001"/>\n<field name="B" dw="1" '
                'bits="3:0" max="11"/>\n</s>\n')
        changed = [mutants.apply(text, m) for m in mutants.of_file("a.xml", text)]
        self.assertTrue(any('bits="7:5"' in t and 'bits="4:0"' in t for t in changed))
        self.assertTrue(any('bits="7:3"' in t and 'bits="2:0"' in t for t in changed))
        self.assertTrue(any('name="A" dw="1" bits="3:0"' in t and 'name="B" dw="1" bits="7:4"' in t
                            for t in changed))
        self.assertEqual(len(changed), 3)  # B cites nothing
        self.assertIn('max="12"',
                      mutants.apply('<f max="11" ledger="FIX-001"/>',
                                    mutants.of_file("a.xml", '<f max="11" ledger="FIX-001"/>')[0]))

    def test_equal_lines_are_told_apart(self):
        found = mutants.of_file("a.c",
                                "   a = 5; /* FIX-001 */\n   b();\n   a = 5; /* FIX-001 */\n")
        self.assertEqual(len({mutants.key(m) for m in found}), len(found))

    def test_sample_gives_each_row_its_share(self):
        found = mutants.of_file("a.c",
                                "".join(f"   a[{n}] = {n}; /* FIX-{n:03} */\n"
                                        for n in range(2, 9)))
        taken = mutants.sample(found, 2)
        for n in range(2, 9):
            self.assertEqual(sum(f"FIX-{n:03}" in m.rows for m in taken), 2)
        self.assertEqual(taken, mutants.sample(found[::-1], 2))
        self.assertEqual(len(mutants.sample(found, 0)), len(found))

    def test_sample_begins_with_the_record_and_passes_over_what_is_idle(self):
        found = mutants.of_file("a.c", "   a = 5; /* FIX-001 */\n")
        first, second, third = sorted(map(mutants.key, found), key=lambda k: k[2])
        self.assertEqual([mutants.key(m) for m in mutants.sample(found, 1, {second})], [second])
        for idle in (first, second, third):
            self.assertNotIn(idle, [mutants.key(m) for m in mutants.sample(found, 2, (), {idle})])
        # of the record, and equivalent
        taken = [mutants.key(m) for m in mutants.sample(found, 1, {first}, {first})]
        self.assertEqual((taken[0], len(taken)), (first, 2))


PROJECT = """
project('fixture', 'c')
cmocka = dependency('cmocka')
gen = custom_target('gen', output: ['gen7_hw.h', 'gen7_hw.c'], command: [find_program('python3'),
  files('tools/gen/genhw.py'), meson.current_source_dir() / 'spec', '@OUTPUT0@', '@OUTPUT1@', 'x.d'],
  depend_files: files('spec/a.xml'))
core = static_library('core', 'src/core.c', gen)
foreach name : ['naming', 'other', 'slow', 'dies', 'leans']
  exe = executable(name, 'tests/' + name + '.c', gen[0], link_whole: core, dependencies: cmocka)
  test(name, exe, env: environment({'CMOCKA_MESSAGE_OUTPUT': 'TAP'}), protocol: 'tap')
endforeach
"""
GENHW = """
import re, sys
n = re.search('max="(.*?)"', open(sys.argv[1] + "/a.xml").read()).group(1)
open(sys.argv[2], "w").write(f"#define GEN7_MOST {n}\\nint gen7_most(void);\\n")
open(sys.argv[3], "w").write(f'#include "gen7_hw.h"\\nint gen7_most(void) {{ return GEN7_MOST; }}\\n')
"""
CORE = """#include "core.h"
int
three(void)
{
   return 3; /* FIX-001 */
}
int
four(void)
{
   return 4; /* FIX-002 */
}
int
five(void)
{
   return 5; /* FIX-003 */
}
int
same(int x)
{
   return x < 0 && x > 5; /* FIX-004 */
}
int
nine(void)
{
   return 9; /* FIX-009 */
}
int
ten(void)
{
   return 10; /* FIX-010 */
}
int
six(int x)
{
   while (x > 6) /* FIX-005 */
      x--;
   return x;
}
"""
TEST = """
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <unistd.h>
#include "gen7_hw.h"
#include "../src/core.h"
#include "proves.h"
"""
FILES = {
    "meson.build": PROJECT,
    "tools/gen/genhw.py": GENHW,
    "spec/a.xml": '<field max="7" ledger="FIX-006"/>\n',
    "src/core.h": "int three(void), four(void), five(void), same(int), six(int), nine(void);\n"
                  "int ten(void);\n"
                  "static inline int\nseven(void)\n{\n   return 7; /* FIX-007 */\n}\n",
    "src/core.c": CORE,
    "tests/naming.c": TEST + """
static void one(void **s) { proves("FIX-001", "FIX-005"); assert_int_equal(three(), 3); assert_int_equal(six(9), 6); }
static void two(void **s) { proves("FIX-002"); assert_true(four() > 0); }
static void three_to_seven(void **s) { proves("FIX-003", "FIX-006"); assert_true(five()); assert_int_equal(gen7_most(), 7); }
static void header(void **s) { proves("FIX-007"); assert_int_equal(seven(), 7); }
int main(void) { const struct CMUnitTest t[] = {cmocka_unit_test(one), cmocka_unit_test(two), cmocka_unit_test(three_to_seven),
   cmocka_unit_test(header)}; return cmocka_run_group_tests(t, NULL, NULL); }
""",
    "tests/other.c": TEST + """
static void all(void **s) { proves("FIX-001"); assert_int_equal(four(), 4); }
int main(void) { const struct CMUnitTest t[] = {cmocka_unit_test(all)}; return cmocka_run_group_tests(t, NULL, NULL); }
""",
    "tests/dies.c": TEST + """
#include <stdlib.h>
static void first(void **s) { if (nine() != 9) abort(); }
static void second(void **s) { proves("FIX-009"); assert_int_equal(nine(), 9); }
int main(void) { const struct CMUnitTest t[] = {cmocka_unit_test(first), cmocka_unit_test(second)};
   return cmocka_run_group_tests(t, NULL, NULL); }
""",
    "tests/leans.c": TEST + """
static int left;
static void first(void **s) { left = 1; assert_int_equal(ten(), 10); }
static void second(void **s) { proves("FIX-010"); assert_int_equal(left, 1); assert_true(ten() > 0); }
int main(void) { const struct CMUnitTest t[] = {cmocka_unit_test(first), cmocka_unit_test(second)};
   return cmocka_run_group_tests(t, NULL, NULL); }
""",
    "tests/slow.c": TEST + """
static void idle(void **s) { sleep(20); }
static void late(void **s) { proves("FIX-008"); }
int main(void) { const struct CMUnitTest t[] = {cmocka_unit_test(idle), cmocka_unit_test(late)};
   return cmocka_run_group_tests(t, NULL, NULL); }
""",
}


class Shop:
    """Compiles nothing: an object differs if its name says so."""
    compilers = {"same.o", "other.o", "rest.o", "tests/fuzz/x.o"}

    def __init__(self):
        self.compiled = []

    def pulled(self, program):
        return {"other.o", "crt1.o"} if program == "small" else None

    def compile(self, output, files, directory):
        self.compiled.append(output)
        return directory + output

    def same_as_original(self, output, made, directory):
        return output == "same.o"


class Changed(unittest.TestCase):
    def test_only_what_a_program_takes_is_compiled(self):
        shop = Shop()
        outputs = ["same.o", "other.o", "rest.o", "tests/fuzz/x.o"]
        changed = workshop.Changed(shop, {}, outputs, "d/")
        self.assertEqual(changed.wanted("small"), ["other.o"])
        changed.compile(changed.wanted("small"))
        self.assertEqual(shop.compiled, ["other.o"])
        self.assertEqual(changed.wanted("small"), [])
        self.assertEqual(changed.wanted("whole.so"), ["same.o", "rest.o"])
        changed.compile(changed.wanted("whole.so"))
        self.assertEqual(changed.made, {"other.o": "d/other.o", "rest.o": "d/rest.o"})

    def test_looks_until_an_object_differs(self):
        shop = Shop()
        self.assertTrue(workshop.Changed(shop, {}, ["same.o", "other.o", "rest.o"], "d/").any())
        self.assertEqual(shop.compiled, ["same.o", "other.o"])
        self.assertFalse(workshop.Changed(shop, {}, ["same.o"], "d/").any())


class Tool(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.top = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.top)
        for name, text in FILES.items():
            os.makedirs(os.path.join(cls.top, os.path.dirname(name)), exist_ok=True)
            with open(os.path.join(cls.top, name), "w", encoding="utf-8") as f:
                f.write(text)
        shutil.copy(os.path.join(ROOT, "tests", "proves.h"), os.path.join(cls.top, "tests"))
        os.makedirs(os.path.join(cls.top, "spec", "ledger"))
        with open(os.path.join(cls.top, "spec", "ledger", "fix.tsv"), "w", encoding="utf-8") as f:
            f.write("\t".join("id kind unit title requirement source status decision".split())
                    + "\n")
            f.writelines(f"FIX-{n:03}\trule\tfix\tt\tt\tp\t\t\n" for n in range(1, 11))
        cls.full = cls.mutate("--unit", "fix")

    @classmethod
    def mutate(cls, *args):
        r = subprocess.run([sys.executable, os.path.join(ROOT, "tools", "mutate.py"), "--root",
                            cls.top, *args], capture_output=True, text=True)
        assert r.returncode == 0, r.stdout + r.stderr
        return r.stdout

    def found(self, row):
        """{mutant: (result, by)} of a row in the record"""
        return {e.mutant: (e.result, e.by)
                for e in record.read(self.top, "FIX")[1].values() if row in e.rows.split()}

    def test_killed_by_the_case_that_claims_the_row(self):
        self.assertEqual(set(self.found("FIX-001").values()), {("naming", "naming: one")})
        self.assertEqual(len(self.found("FIX-001")), 2)

    def test_program_that_dies_before_the_case(self):
        self.assertEqual(set(self.found("FIX-009").values()), {("naming", "dies: second")})

    def test_case_that_does_not_pass_alone_names_nothing(self):
        self.assertEqual(set(self.found("FIX-010").values()), {("others", "leans: first")})

    def test_killed_by_another_case_only(self):
        self.assertEqual(set(self.found("FIX-002").values()), {("others", "other: all")})

    def test_survivor_is_told_with_its_place(self):
        self.assertEqual(set(self.found("FIX-003").values()), {("survived", "")})
        self.assertIn("survived: src/core.c:15 (FIX-003)\n   - return 5; /* FIX-003 */\n   + "
                      "return 6; /* FIX-003 */", self.full)

    def test_what_the_compiler_finds_equal_is_no_mutant(self):
        self.assertEqual(set(self.found("FIX-004")), {"return x < 0 || x > 5; /* FIX-004 */"})

    def test_a_mutant_that_never_ends_is_killed(self):
        self.assertEqual(self.found("FIX-005")["while (x >= 6) /* FIX-005 */"],
                         ("naming", "naming: one"))
        self.assertEqual(self.found("FIX-005")[";"], ("naming", "naming: one"))  # while (…) ;

    def test_header(self):
        self.assertEqual(set(self.found("FIX-007").values()), {("naming", "naming: header")})

    def test_layout(self):
        self.assertIn("1 judged, 1 killed by a naming case", self.mutate("--row", "FIX-006"))
        self.mutate("--unit", "fix", "--layouts")
        self.assertEqual(self.found("FIX-006"),
                         {'<field max="8" ledger="FIX-006"/>': ("naming",
                                                                "naming: three_to_seven")})
        self.assertTrue(self.found("FIX-001"))  # what the other run recorded stays

    def test_head_of_the_record(self):
        head = record.read(self.top, "FIX")[0][0]
        n, tried, share = record.figures(record.read(self.top, "FIX")[1].values())
        self.assertIn(f"{tried} mutants judged", head)
        self.assertIn(f"{n['naming']} killed by a case that claims the row ({share:.1f} %), "
                      f"{n['others']} by others, {n['survived']} survived", head)

    def test_head_counts_layouts_beside_the_rest(self):
        self.mutate("--unit", "fix", "--layouts")
        head, entries = record.read(self.top, "FIX")
        tried = record.figures(entries.values())[1]
        self.assertIn(f"# FIX: {tried} mutants judged of", head[0])
        self.assertTrue(head[0].endswith("; 1 of the judged and 1 of the possible are of layouts"),
                        head[0])
        possible = int(head[0].split(" that can be made")[0].rsplit(" ", 1)[1])
        self.mutate("--unit", "fix", "--again")  # of C alone: those of layouts still count
        self.assertEqual(record.read(self.top, "FIX")[0], head)
        self.assertGreater(possible, tried)

    def test_goes_on_where_it_stopped_and_keeps_reasons(self):
        path = record.path_of(self.top, "FIX")
        with open(path, encoding="utf-8") as f:
            text = f.read()
        with open(path, "w", encoding="utf-8") as f:
            f.write(text.replace("return 6; /* FIX-003 */\t1\tsurvived\t",
                                 "return 6; /* FIX-003 */\t1\tequivalent\tnobody reads it"))
        done = os.path.join(self.top, "build-mutate", "mutants.jsonl")
        with open(done, encoding="utf-8") as f:
            before = f.read()
        self.mutate("--unit", "fix")
        with open(done, encoding="utf-8") as f:
            self.assertEqual(f.read(), before)  # nothing was judged again
        self.assertEqual(self.found("FIX-003")["return 6; /* FIX-003 */"],
                         ("equivalent", "nobody reads it"))
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        self.assertIn("survived: src/core.c:15", self.mutate("--unit", "fix", "--again"))

    def test_no_time_left_changes_nothing(self):
        path = record.path_of(self.top, "FIX")
        with open(path, encoding="utf-8") as f:
            before = f.read()
        self.assertIn("survived", before)
        self.mutate("--unit", "fix", "--again", "--minutes", "0.00001")
        with open(path, encoding="utf-8") as f:
            self.assertEqual(f.read(), before)

    def test_time_limit_keeps_what_another_machine_judged(self):
        path, done = record.path_of(self.top,
                                    "FIX"), os.path.join(self.top, "build-mutate", "mutants.jsonl")
        with open(path, encoding="utf-8") as f:
            before = f.read()
        os.rename(done, done + ".away")
        self.mutate("--unit", "fix", "--again", "--count", "1", "--minutes", "0.00001")
        os.rename(done + ".away", done)
        with open(path, encoding="utf-8") as f:
            self.assertEqual(f.read(), before)

    def test_row_whose_mutant_is_none_gets_another(self):
        os.remove(record.path_of(self.top, "FIX"))
        self.mutate("--unit", "fix", "--count", "1")
        found = self.found("FIX-004")
        self.mutate("--unit", "fix")
        # the others have the same object code
        self.assertEqual(set(found), {"return x < 0 || x > 5; /* FIX-004 */"})

    def test_stale_lines_and_rows_without_a_mutant(self):
        self.assertEqual(self.mutate("--stale"),
                         "FIX: 0 lines changed, 0 cited rows without a mutant\n")
        path = os.path.join(self.top, "src", "core.c")
        with open(path, "w", encoding="utf-8") as f:
            f.write(CORE.replace("return 3; /* FIX-001 */", "return 1 + 2; /* FIX-001 */"))
        text = self.mutate("--stale", "--unit", "fix")
        entries = record.read(self.top, "FIX")[1].values()
        self.assertEqual({e.code for e in record.stale(self.top, entries)},
                         {"return 3; /* FIX-001 */"})
        with open(path, "w", encoding="utf-8") as f:
            f.write(CORE)
        self.assertIn("FIX: 2 lines changed, 1 cited rows without a mutant\n  changed  FIX-001  "
                      "src/core.c: return 3; /* FIX-001 */", text)
        self.assertTrue(text.endswith("  no mutant  FIX-001\n"))

    def test_one_case_of_a_program(self):
        shop = os.path.join(self.top, "build-mutate")
        subprocess.run(["ninja", "-C", shop, "slow"], check=True, capture_output=True)
        r = subprocess.run([os.path.join(shop, "slow")], capture_output=True, text=True, timeout=10,
                           env={**os.environ, "CMOCKA_MESSAGE_OUTPUT": "TAP",
                                "PROVES_CASE": "late"})
        self.assertIn("ok 1 - late", r.stdout)
        self.assertNotIn("idle", r.stdout)

    def test_sources_that_change_meanwhile(self):
        shop = workshop.Workshop(self.top, os.path.join(self.top, "build-mutate"))
        judges = trial.Judges(shop)
        judges.hear(["naming"])
        self.assertTrue(judges.unchanged())
        path = os.path.join(self.top, "src", "core.h")
        with open(path, "a", encoding="utf-8") as f:
            f.write("/* later */\n")
        self.assertFalse(judges.unchanged())

    def test_what_is_only_long_judges_nothing_and_the_oracle_does(self):
        self.assertTrue(mutate.judges_nothing({"suite": ["p:long"]}))
        self.assertTrue(mutate.judges_nothing({"suite": ["p:eu", "p:snapshot"]}))
        self.assertFalse(mutate.judges_nothing({"suite": ["p:eu", "p:long"]}))

    def test_no_such_unit(self):
        r = subprocess.run([sys.executable, os.path.join(ROOT, "tools", "mutate.py"), "--root",
                            self.top, "--unit", "no"], capture_output=True, text=True)
        self.assertEqual(r.returncode, 2)
        self.assertIn("there are FIX", r.stderr)


if __name__ == "__main__":
    main()
