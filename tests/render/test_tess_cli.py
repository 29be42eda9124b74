"""pergola tess: text, JSON, a picture; errors."""
import json
import os
import struct
import subprocess
import tempfile
import unittest

from proves import main

PERGOLA = os.environ["PERGOLA"]


def tess(*args):
    return subprocess.run([PERGOLA, "tess", *args], capture_output=True, text=True, timeout=60)


class Tess(unittest.TestCase):
    def test_text(self):
        out = tess("tri", "integer", "2").stdout
        self.assertTrue(out.startswith("7 points, 6 triangles\n"), out)
        self.assertIn("u 0.333328  v 0.333328", out)
        self.assertTrue(tess("tri", "integer", "1").stdout.startswith("3 points, 1 triangle\n"))

    def test_json(self):
        patch = json.loads(tess("quad", "integer", "1", "--json").stdout)
        self.assertEqual(patch["points"], [[0, 0], [65536, 0], [65536, 65536], [0, 65536]])
        self.assertEqual(patch["indices"], [0, 1, 3, 1, 2, 3])
        patch = json.loads(tess("isoline", "integer", "2", "1", "--json").stdout)
        self.assertEqual(patch["indices"], [0, 1, 1, 2])

    def test_picture(self):
        with tempfile.TemporaryDirectory() as d:
            path = os.path.join(d, "a.png")
            self.assertEqual(tess("quad", "odd", "3.5", "5", "--png", path, "--size",
                                  "200").returncode, 0)
            with open(path, "rb") as f:
                head = f.read(24)
            self.assertEqual(head[:8], b"\x89PNG\r\n\x1a\n")
            self.assertEqual(struct.unpack(">II", head[16:24]), (200, 200))

    def test_culled(self):
        r = tess("tri", "even", "--json", "--", "0", "-1")
        self.assertEqual(r.returncode, 0)
        self.assertIn("culled", r.stderr)
        self.assertEqual(json.loads(r.stdout), {"points": [], "indices": []})

    def test_errors(self):
        for args in (("quad",), ("cube", "odd", "1"), ("quad", "prime", "1"), ("tri", "odd", "x"),
                     ("tri", "odd", *"12345"), ("--size", "3", "tri", "odd", "1"), ("--nonsense",)):
            self.assertEqual(tess(*args).returncode, 2, args)
        self.assertEqual(tess("tri", "odd", "3", "--png", "/does/not/exist.png").returncode, 2)
        self.assertIn("usage: pergola tess", tess("--help").stdout)


if __name__ == "__main__":
    main()
