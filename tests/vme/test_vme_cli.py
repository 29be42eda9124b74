"""pergola vme: a moved picture gives its vectors back, in tables and in pictures; every option is
understood."""
import csv
import json
import os
import struct
import subprocess
import tempfile
import unittest
import zlib

from proves import main, proves

PERGOLA = os.environ["PERGOLA"]
W, H = 96, 64


def texture(x, y):
    n = (x * 374761393 + y * 668265263) & 0xFFFFFFFF
    n = ((n ^ (n >> 13)) * 1274126177) & 0xFFFFFFFF
    return (n ^ (n >> 16)) & 0xFF


def picture(dx, dy):
    return [bytes(texture(x + dx, y + dy) for x in range(W)) for y in range(H)]


def write_png(path, rows):
    def chunk(kind, data):
        return struct.pack(">I",
                           len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    with open(path, "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR",
                                             struct.pack(">IIBBBBB", W, H, 8, 0, 0, 0, 0)) +
                chunk(b"IDAT",
                      zlib.compress(b"".join(b"\0" + r for r in rows))) + chunk(b"IEND", b""))


def png_size(path):
    with open(path, "rb") as f:
        head = f.read(24)
    assert head[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", head[16:24])


def vme(*args):
    return subprocess.run([PERGOLA, "vme", *args], capture_output=True, text=True)


class Vme(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.before, cls.after = os.path.join(cls.place.name,
                                             "a.png"), os.path.join(cls.place.name, "b.png")
        write_png(cls.before, picture(0, 0))
        write_png(cls.after, picture(5, -3))
        cls.video = os.path.join(cls.place.name, "v.y4m")
        with open(cls.video, "wb") as f:
            f.write(b"YUV4MPEG2 W%d H%d F25:1 Ip C420jpeg\n" % (W, H))
            for i in range(4):
                f.write(b"FRAME\n" + b"".join(picture(2 * i, i)) + bytes(W * H // 2))

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    def file(self, name):
        return os.path.join(self.place.name, name)

    def interior(self, macroblocks):
        return [m for m in macroblocks if 1 <= m["x"] <= 4 and 1 <= m["y"] <= 2]

    def test_vectors_of_a_shift(self):
        p = vme(self.before, self.after, "--json", "-", "--predicted", self.file("p.png"), "--png",
                self.file("o.png"), "--scale", "3")
        self.assertEqual(p.returncode, 0, p.stderr)
        self.assertEqual(p.stderr, "")
        data = json.loads(p.stdout)
        self.assertEqual((data["columns"], data["rows"]), (6, 4))
        self.assertEqual(len(data["macroblocks"]), 24)
        for m in self.interior(data["macroblocks"]):
            self.assertEqual(m["kind"], "inter")
            self.assertEqual([q["mv"][0] for q in m["parts"]], [[20, -12]])
        self.assertEqual(png_size(self.file("o.png")), (3 * W, 3 * H))
        self.assertEqual(png_size(self.file("p.png")), (W, H))

    def test_same_picture_is_predicted_exactly(self):
        p = vme(self.before, self.before)
        self.assertEqual(p.returncode, 0)
        self.assertIn("inf dB", p.stdout)

    def test_csv_and_video(self):
        p = vme(self.video, "--frame", "1", "--count", "0", "--csv", self.file("t.csv"))
        self.assertEqual(p.returncode, 0, p.stderr)
        with open(self.file("t.csv"), encoding="utf-8") as f:
            rows = list(csv.DictReader(f))
        self.assertEqual(len(rows), 3 * 24)
        self.assertEqual({r["frame"] for r in rows}, {"1", "2", "3"})
        middle = [r for r in rows if 1 <= int(r["x"]) <= 4 and 1 <= int(r["y"]) <= 2]
        self.assertTrue(all(r["parts"] == "0 0 16x16 forward 8 4 0 0" for r in middle))
        self.assertEqual(p.stdout.count("macroblocks:"), 3)

    def test_two_references_and_options(self):
        for extra in (["--both"], ["--path", "small"], ["--haar"], ["--intra", "--skip"],
                      ["--precision", "whole", "--shapes", "16x16,8x8"],
                      ["--lambda", "0", "--window", "32x32"],
                      ["--set", "MaxNumMVs=1", "--set", "RepartEn=1"],
                      ["--distance", "2", "--frame", "2"]):
            frame = [] if "--frame" in extra else ["--frame", "1"]
            p = vme(self.video, *frame, *extra)
            self.assertEqual(p.returncode, 0, (extra, p.stderr))
            self.assertEqual(p.stderr, "", extra)

    def test_explain(self):
        p = vme(self.before, self.after, "--explain", "2,1")
        self.assertEqual(p.returncode, 0)
        self.assertIn("request: inter and intra, source 16x16 at (32, 16)", p.stdout)
        self.assertEqual(p.stdout.count(" of path 0: searched"), 48)
        self.assertIn("partition: best: 16x16", p.stdout)
        self.assertIn("loses by", p.stdout)
        self.assertRegex(p.stdout,
                         r"forward \(20, -12\): distortion 0 \+ vector \d+ \+ direction 0")
        self.assertIn("result: inter type 01h", p.stdout)

    def test_windows(self):
        """Each unit of 4x4 places in the window is searched once, and the window keeps the
        rules."""
        proves("VME-204", "VME-205", "VME-242")
        for w, h in ((20, 20), (64, 20), (20, 64), (32, 36), (48, 40)):
            p = vme(self.before, self.after, "--window", f"{w}x{h}", "--explain", "2,1")
            self.assertEqual(p.stderr, "")
            self.assertEqual(p.stdout.count(" of path 0: searched"),
                             (w - 16) // 4 * ((h - 16) // 4))
            self.assertNotIn("searched before", p.stdout)

    def test_rules_are_named(self):
        p = vme(self.before, self.after, "--set", "BiWeight=5", "--set", "SearchCtrl=7")
        self.assertIn("VME-286", p.stderr)

    def test_sampler_beside_vme(self):
        proves("VME-141")
        with open(os.path.join(os.environ["PERGOLA_SOURCE"], "examples/vme/search.asm"),
                  encoding="utf-8") as f:
            text = f.read()
        head, tail = text.split("// The search:")
        # resinfo of surface 4: SIMD8, one parameter, four registers back
        extra = ("mov(8)          g60<1>UD        0UD                             { align1 WE_all "
                 "1Q };\n"
                 "send(8)         g61<1>UW        g60<8,8,1>UD    0x0242a004\n"
                 "                            sampler MsgDesc: mlen 1 rlen 4 { align1 WE_all 1Q "
                 "};\n")
        with open(self.file("mixed.asm"), "w", encoding="utf-8") as f:
            f.write(head + extra + "// The search:" + tail)
        p = vme(self.before, self.after, "--kernel", self.file("mixed.asm"))
        self.assertEqual(p.returncode, 0, p.stderr)
        self.assertIn("VME-141", p.stderr)
        self.assertNotIn("VME-141", vme(self.before, self.after).stderr)

    def test_mistakes(self):
        for args, code in (([], 2), (["nowhere.png", "nowhere.png"], 1),
                           ([self.before, self.after, "--window", "50x40"], 2),
                           ([self.before, self.after, "--set", "NoSuch=1"], 2),
                           ([self.before, self.after, "--set", "MaxNumMVs=64"], 2),
                           ([self.video, "--frame", "9"], 1), ([self.video, "--frame", "0"], 1),
                           ([self.before], 1),
                           ([self.before, self.after, "--shapes", "9x9"], 2),
                           ([self.before, self.after, "--kernel", self.video], 1)):
            p = vme(*args)
            self.assertEqual(p.returncode, code, (args, p.stdout, p.stderr))
            self.assertNotEqual(p.stderr, "")
        self.assertEqual(vme("--help").returncode, 0)
        fields = vme("--list").stdout
        for name in ("MaxNumMVs", "SearchCtrl", "BiWeight", "RefWidth"):
            self.assertIn(name, fields)


if __name__ == "__main__":
    main()
