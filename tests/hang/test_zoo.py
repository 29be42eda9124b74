"""A zoo of hangs with known causes: the story of the run is the story of the replay."""
import hashlib
import os
import re
import subprocess
import tempfile
import unittest

import zoo
from proves import main

PERGOLA = os.environ["PERGOLA"]


def pergola(*args):
    return subprocess.run([PERGOLA, *args], capture_output=True, text=True, timeout=300)


def told_by_run(text):
    """Rule, engine and message of each diagnostic."""
    return {(rule, engine, message.split(": ")[-1]) for engine, message, rule in
            re.findall(r"^(?:note|warning|error|fatal): (\w+).*?: (.*) \[([A-Z0-9]+-\d+)\]$", text,
                       re.M)}


def told_by_replay(text):
    return {(rule, engine, message.split(": ")[-1]) for rule, engine, message in
            re.findall(r"^  ([A-Z0-9]+-\d+) (\w+).*?: (.*)$", text, re.M)}


def threads(text, prefix):
    """Who has not ended: maker, kernel, and what each waits for. Where a loop stands is chance."""
    found = re.findall(rf"^{prefix}: (.*) thread \d+ .*kernel (0x[0-9a-f]+).*\n{prefix}:    (.*)$",
                       text, re.M)
    return {(maker, kernel, what if what.startswith("waits") else "runs")
            for maker, kernel, what in found}


# Where the engine stood, in the words of a replay.
PLACES = {"batch that starts itself": "in the batch at 0x00100000, 0x[0-9a-f]+ bytes from its "
                                      "start",
          "batch without end": r"behind the end of the batch \(0x0ffff000 to 0x10000000\): it has "
                               r"run past it",
          "batch that is not there": "in no memory that was captured",
          "garbage in the ring": "in the ring, in no batch"}


class Zoo(unittest.TestCase):
    def hang(self, h):
        with tempfile.TemporaryDirectory() as d:
            script, state = os.path.join(d, "script.pex"), os.path.join(d, "state.txt")
            with open(script, "w") as f:
                f.write(h.script)
            run = pergola("exec", "--script", "--error-state", state, script)
            replay = pergola("replay", "--budget", str(h.budget), state)
            decode = pergola("ecode", state)
        story = run.stdout + run.stderr
        self.assertNotIn("run: idle", run.stdout, story)
        for word in h.words:
            self.assertIn(word, story)
        self.assertEqual(replay.returncode, 0, replay.stdout + replay.stderr)
        self.assertIn("verdict: reproduced", replay.stdout)
        self.assertIn({"rcs": "render", "vcs": "video", "bcs": "blitter"}[h.engine] + " engine",
                      replay.stdout)
        self.assertEqual(told_by_run(run.stderr), told_by_replay(replay.stdout))
        self.assertEqual(threads(run.stdout, "RCS"), threads(replay.stdout, "  thread"))
        if h.command:
            self.assertIn(f"captured: {h.command} at", replay.stdout)
            self.assertIn(h.command, decode.stdout)
        for name, place in PLACES.items():
            if h.name.endswith(name):
                self.assertRegex(replay.stdout, "captured: .*\\n  " + place)
        # Both stand with the same units busy.
        self.assertRegex(replay.stdout, r"\nINSTDONE +([0-9a-f]{8}) \1\n")


# The lines that Linux 6.1.0-54 of Debian writes for this part, up to the memory, by their first
# words.
LINES = ("GPU Kernel Driver Time Boottime Uptime Capture Active Reset Suspend Platform Subplatform "
         "PCI PCI PCI IOMMU RPM PM IER "
         "DERRMR GT CS EIR PGTBL_ER GTIER " + "fence " * 32
         + "FORCEWAKE ERROR DONE_REG ERR_INT rcs0 CCID START HEAD TAIL CTL MODE HWS "
         "ACTHD IPEIR IPEHR ESR INSTDONE SC_INSTDONE batch BBADDR BB_STATE INSTPS INSTPM FADDR RC "
         "FAULT_REG GFX_MODE PP_DIR_BASE hung "
         "engine Active").split()


# What it writes behind the memory, 115 lines of which none depends on the hang, by their sum
# (SHA-256).
TAILS = {"ivb-gt2": "142ab5be08958fafaa47d00c0d4b744a",
         "ivb-gt1": "02b14ba5dfa28c01cb274e75d7c34b16", "vlv": "a798874d41ac4825153c45bf98724743"}


class Form(unittest.TestCase):
    def state(self, part="ivb-gt2"):
        with tempfile.TemporaryDirectory() as d:
            script, state = os.path.join(d, "script.pex"), os.path.join(d, "state.txt")
            with open(script, "w") as f:
                f.write(next(h
                             for h in zoo.walls()
                             if h.name == "rcs: batch that starts itself").script)
            pergola("exec", "--device", part, "--script", "--error-state", state, script)
            with open(state) as f:
                return f.read()

    def test_the_end_is_that_of_the_kernel(self):
        for part, expected in TAILS.items():
            text = self.state(part)
            tail = text[text.index("available engines:"):]
            self.assertEqual(tail.count("\n"), 115)
            self.assertEqual(hashlib.sha256(tail.encode()).hexdigest()[:32], expected, part)

    def test_lines_are_those_of_the_kernel(self):
        head, *memory = self.state().split("available engines:")[0].split("\nrcs0 --- ")
        self.assertEqual([re.match(r" *(\w+)", line)[1] for line in head.splitlines()], LINES)
        self.assertEqual([m.split(" = ")[0] for m in memory], ["HW Status", "batch", "ring"])
        self.assertTrue(all(re.fullmatch(r"[\w ]+ = 0x00000000 [0-9a-f]{8}\n:[!-uz]+\n?", m)
                            for m in memory), memory)


def add(h):
    name = "test_" + re.sub(r"\W+", "_", h.name)
    assert not hasattr(Zoo, name), name
    setattr(Zoo, name, lambda self: self.hang(h))


for animal in zoo.walls():
    add(animal)


if __name__ == "__main__":
    main()
