"""A zoo of hangs with known causes: the story of the run is the story of the replay."""
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
            re.findall(r"^(?:note|warning|error|fatal): (\w+).*?: (.*) \[([A-Z0-9]+-\d+)\]$", text, re.M)}


def told_by_replay(text):
    return {(rule, engine, message.split(": ")[-1]) for rule, engine, message in
            re.findall(r"^  ([A-Z0-9]+-\d+) (\w+).*?: (.*)$", text, re.M)}


def threads(text, prefix):
    """Who has not ended: maker, kernel, and what each waits for. Where a loop stands is chance."""
    found = re.findall(rf"^{prefix}: (.*) thread \d+ .*kernel (0x[0-9a-f]+).*\n{prefix}:    (.*)$", text, re.M)
    return {(maker, kernel, what if what.startswith("waits") else "runs") for maker, kernel, what in found}


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
        self.assertIn({"rcs": "render", "vcs": "video", "bcs": "blitter"}[h.engine] + " engine", replay.stdout)
        self.assertEqual(told_by_run(run.stderr), told_by_replay(replay.stdout))
        self.assertEqual(threads(run.stdout, "RCS"), threads(replay.stdout, "  thread"))
        if h.command:
            self.assertIn(f"captured: {h.command} at", replay.stdout)
            self.assertIn(h.command, decode.stdout)
        # Both stand with the same units busy.
        self.assertRegex(replay.stdout, r"\nINSTDONE +([0-9a-f]{8}) \1\n")


def add(h):
    name = "test_" + re.sub(r"\W+", "_", h.name)
    assert not hasattr(Zoo, name), name
    setattr(Zoo, name, lambda self: self.hang(h))


for animal in zoo.walls():
    add(animal)


if __name__ == "__main__":
    main()
