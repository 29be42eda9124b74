#!/usr/bin/env python3
"""Versions and limits that stock crocus offers on the model are those of the chip.

usage: test_gl_limits.py PERGOLA GL_LIMITS
"""
import subprocess
import sys
import unittest

from proves import main, proves

PERGOLA, GL_LIMITS = sys.argv[1:3]
OFFERED = {"es": 30, "compatibility": 42, "core": 42, "viewports": 16, "draw_buffers": 8,
           "samples": 8, "vertex_streams": 4}


class Limits(unittest.TestCase):
    def test_those_of_the_chip(self):
        proves("P3D-376")
        p = subprocess.run([PERGOLA, "run", "--quiet", "--device=ivb-gt2", "--", GL_LIMITS],
                           stdout=subprocess.PIPE, text=True, timeout=120)
        self.assertEqual(p.returncode, 0)
        self.assertEqual({k: int(v) for k, v in (line.split() for line in p.stdout.splitlines())},
                         OFFERED)


if __name__ == "__main__":
    del sys.argv[1:3]
    main()
