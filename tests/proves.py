"""A case says in its body which rows of the ledger it proves: proves("RCS-117", "RCS-118").

The rows are printed with the results (TAP), before the line of the case that made the call, and
tools/ledger.py reads nothing else: they count when that case and its whole program passed. main()
runs the module's unittest cases in that form; a script that prints TAP itself calls proves() before
it prints a case's line.
"""
import sys
import unittest


def proves(*rows):
    caller = sys._getframe(1)
    for row in rows:
        print(f"# proves {row} at {caller.f_code.co_filename}:{caller.f_lineno}", flush=True)


class TapResult(unittest.TestResult):
    """One line a case; a case with a failing subtest fails."""

    def startTestRun(self):
        self.number = 0
        self.broken = set()
        self.subtests = set()

    def stopTest(self, test):
        if test.id() in self.subtests:
            self.line(False, test)

    def line(self, ok, test, directive=""):
        self.number += 1
        name = test.id().split(".", 1)[-1]
        print(f"{'ok' if ok else 'not ok'} {self.number} - {name}{directive}", flush=True)

    def diagnose(self, text):
        print("".join(f"# {line}\n" for line in text.rstrip().split("\n")), end="", flush=True)

    def addSubTest(self, test, subtest, err):
        if err is not None:
            self.subtests.add(test.id())
            self.broken.add(test.id())
            self.diagnose(f"{subtest}\n{self._exc_info_to_string(err, test)}")

    def addSuccess(self, test):
        self.line(True, test)

    def addFailure(self, test, err):
        self.broken.add(test.id())
        self.line(False, test)
        self.diagnose(self._exc_info_to_string(err, test))

    addError = addFailure

    def addSkip(self, test, reason):
        self.line(True, test, f" # SKIP {reason}")

    def addExpectedFailure(self, test, err):
        self.line(False, test, " # TODO expected failure")

    def addUnexpectedSuccess(self, test):
        self.broken.add(test.id())
        self.line(False, test)

    def stopTestRun(self):
        print(f"1..{self.number}", flush=True)


def main():
    suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"])
    result = TapResult()
    result.startTestRun()
    suite.run(result)
    result.stopTestRun()
    sys.exit(1 if result.broken or not result.number else 0)
