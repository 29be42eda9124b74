"""pergola walker: patterns of the manual as text, a picture that is one."""
import os
import struct
import subprocess
import tempfile
import unittest
import zlib

from proves import main, proves

PERGOLA = os.environ["PERGOLA"]


def walker(*args):
    return subprocess.run([PERGOLA, "walker", *args], capture_output=True, text=True)


def grid(*args):
    """The numbers of the drawing, row by row, and the number of steps."""
    lines = walker(*args).stdout.splitlines()
    return [line.split() for line in lines[:-1]], int(lines[-1].split()[0])


class Walker(unittest.TestCase):
    def test_26_degrees(self):
        proves("MEDIA-138")
        rows, steps = grid("26", "--resolution", "4,3")
        self.assertEqual(rows, [["0", "1", "2", "4"], ["3", "5", "6", "8"], ["7", "9", "10", "11"]])
        self.assertEqual(steps, 12)

    def test_mbaff(self):
        proves("MEDIA-142")
        lines = walker("mbaff", "--list").stdout.splitlines()
        order = "".join(x + y + " " for _, x, y, _ in (line.split() for line in lines[:32]))
        self.assertEqual(order,
                         "00 01 10 11 20 02 21 03 30 12 31 13 40 22 04 41 23 05 50 32 14 51 33 15 "
                                "60 42 24 06 61 43 25 07 ")

    def test_blocks(self):
        proves("MEDIA-464")
        rows, steps = grid("26", "--resolution", "20,20", "--block", "8,8")
        self.assertEqual(steps, 400)
        self.assertEqual(rows[0][8], "64")
        self.assertEqual(rows[0][16], "128")
        self.assertEqual(rows[8][0], "160")
        self.assertEqual(sorted(int(n) for row in rows for n in row), list(range(400)))

    def test_checkerboard_leaves_holes(self):
        rows, steps = grid("checkerboard")
        self.assertEqual(steps, 32)
        self.assertEqual(rows[0][1], ".")

    def test_picture(self):
        with tempfile.TemporaryDirectory() as d:
            path = os.path.join(d, "walk.png")
            self.assertEqual(walker("45", "--resolution", "5,4", "--png", path).returncode, 0)
            data = open(path, "rb").read()
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(struct.unpack(">II", data[16:24]), (5 * 24, 4 * 24))
        at, pixels = 8, b""
        while at < len(data):
            size, kind = struct.unpack(">I4s", data[at:at + 8])
            if kind == b"IDAT":
                pixels += data[at + 8:at + 8 + size]
            at += 12 + size
        self.assertEqual(len(zlib.decompress(pixels)), 4 * 24 * (5 * 24 * 3 + 1))

    def test_moving_picture(self):
        """A frame for every step, each in the cell that the step visits; checksums are right."""
        with tempfile.TemporaryDirectory() as d:
            path = os.path.join(d, "walk.png")
            self.assertEqual(walker("26", "--resolution", "5,4", "--apng", path, "--scale",
                                    "2").returncode, 0)
            data = open(path, "rb").read()
        steps = [tuple(map(int, line.split()[1:3]))
                 for line in walker("26", "--resolution", "5,4", "--list").stdout.splitlines()[:20]]
        at, cells, sequence, colours = 8, [], [], set()
        while at < len(data):
            size, kind = struct.unpack(">I4s", data[at:at + 8])
            body = data[at + 8:at + 8 + size]
            self.assertEqual(struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0],
                             zlib.crc32(kind + body))
            if kind == b"acTL":
                self.assertEqual(struct.unpack(">II", body), (21, 0))
            elif kind == b"fcTL":
                number, width, height, x, y = struct.unpack(">5I", body[:20])
                sequence.append(number)
                cells.append((width, height, x, y))
            elif kind == b"IDAT":
                self.assertEqual(len(zlib.decompress(body)), 4 * 48 * (5 * 48 * 3 + 1))
            elif kind == b"fdAT":
                sequence.append(struct.unpack(">I", body[:4])[0])
                rows = zlib.decompress(body[4:])
                self.assertEqual(len(rows), 48 * (48 * 3 + 1))
                colours.add(rows[1:4])
                self.assertIn(b"\0\0\0", rows[20 * 145:28 * 145])  # the number
            at += 12 + size
        self.assertEqual(sequence, list(range(41)))
        self.assertEqual(cells, [(240, 192, 0, 0)] + [(48, 48, x * 48, y * 48) for x, y in steps])
        self.assertEqual(len(colours), 20)  # by time
        r = walker("raster", "--resolution", "100,100", "--apng", "/dev/null")
        self.assertEqual((r.returncode, "at most 4096" in r.stderr), (1, True))
        self.assertEqual(walker("--apng", "/nonexistent/x.png").returncode, 2)
        self.assertEqual(walker("--apng", "/dev/full").returncode, 1)
        self.assertEqual(walker("--scale", "9").returncode, 2)
        self.assertEqual(walker("--resolution", "511,511", "--scale", "8", "--png",
                                "/dev/null").returncode, 1)

    def test_bad_arguments(self):
        for args in (["--block", "9"], ["--resolution", "512,1"], ["spiral"], ["--colors", "0"],
                     ["--resolution", "0,0"], ["--png"]):
            self.assertEqual(walker(*args).returncode, 2, args)
        self.assertEqual(walker("--png", "/nonexistent/x.png").returncode, 2)
        # what cannot be written is not removed: it may be a device
        with tempfile.TemporaryDirectory() as d:
            os.symlink("/dev/full", f"{d}/full")
            r = walker("--png", f"{d}/full")
            self.assertEqual((r.returncode, os.path.islink(f"{d}/full")), (1, True), r.stderr)
        self.assertEqual(walker("--help").returncode, 0)


if __name__ == "__main__":
    main()
