"""The tessellation engine against a model written apart from it: equal points and equal indices."""
import os
import random
import struct
import subprocess
import unittest

import te_model
from proves import main, proves

PATCHES = 10000
SPECIAL = [0x00000000, 0x80000000, 0x7FC00000, 0xFFC00000, 0x7F800000, 0xFF800000, 0x00000001,
           0x3F800000,
           0x3F800040, 0x3F800041, 0x3F800080, 0x3F7FFFFF, 0x40000000, 0x427C0000, 0x42800000,
           0x42800001, 0x7F7FFFFF, 0xBF800000]


def factor(rng):
    """Bits: mostly of small factors, whole ones and their neighbours; at times anything."""
    kind = rng.random()
    if kind < 0.04:
        return rng.choice(SPECIAL)
    if kind < 0.06:
        return rng.getrandbits(32)
    top = rng.choice((1.5, 4, 9, 20, 66))
    value = rng.uniform(0.2, top)
    if kind < 0.4:
        value = max(1, round(value))
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    return bits + rng.randint(-2, 2) if 0.4 < kind < 0.5 else bits


def patches(count, seed):
    rng = random.Random(seed)
    for i in range(count):
        domain, mode, topology = i % 3, i // 3 % 3, rng.choice((0, 1, 2, 2, 2, 3))
        bits = [factor(rng) for _ in range(6)]
        if rng.random() < 0.15:
            bits = [bits[0]] * 6
        yield domain, mode, topology, bits


def text(result):
    if result is None:
        return "culled"
    points, indices = result
    return " ".join(f"{u:x},{v:x}" for u, v in points) + " | " + " ".join(map(str, indices))


class Model(unittest.TestCase):
    def test_random_patches(self):
        proves("P3D-112", "P3D-113", "P3D-114", "P3D-115", "P3D-116", "P3D-117", "P3D-118")
        self.compare(range(0, 4000), 1)

    def test_more_random_patches(self):
        proves("P3D-109", "P3D-110", "P3D-111", "P3D-119", "P3D-120", "P3D-121", "P3D-122",
               "P3D-123", "P3D-124")
        self.compare(range(0, PATCHES - 4000), 2)

    def compare(self, count, seed):
        work = list(patches(len(count), seed))
        lines = "".join(f"{d} {m} {t} " + " ".join(f"{b:x}" for b in bits) + "\n"
                        for d, m, t, bits in work)
        run = subprocess.run([os.environ["TESSELLATOR"], "batch"], input=lines, capture_output=True,
                             text=True, timeout=120, check=True)
        got = run.stdout.splitlines()
        self.assertEqual(len(got), len(work))
        culled = 0
        for patch, line in zip(work, got):
            expected = text(te_model.tessellate(*patch))
            culled += expected == "culled"
            if line != expected:
                self.fail(f"patch {patch}\nexpected {expected[:3000]}\ngot      {line[:3000]}")
        self.assertLess(culled, len(work) // 4)


if __name__ == "__main__":
    main()
