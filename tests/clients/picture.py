#!/usr/bin/env python3
"""The demo's pictures: Vulkan's is the same on the model and on lavapipe, but for the rounding of
sines and of chaos, and OpenGL's the same as llvmpipe's within a few units. Prints TAP.

usage: picture.py PERGOLA MANDELBROT SCENE"""
import glob
import os
import struct
import subprocess
import sys
import tempfile
import zlib

WIDTH, HEIGHT = 240, 150


def pixels(path):
    """Rows of bytes, and bytes per pixel, of a PNG with eight bits a channel and no interlacing."""
    with open(path, "rb") as f:
        data = f.read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", path
    at, packed, head = 8, b"", None
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            head = struct.unpack(">IIBBBBB", body)
        elif kind == b"IDAT":
            packed += body
        at += 12 + size
    width, height, depth, colour = head[:4]
    assert depth == 8
    step = {2: 3, 6: 4}[colour]
    raw, rows, last = zlib.decompress(packed), [], bytes(width * step)
    for y in range(height):
        kind, line = (raw[y * (width * step + 1)],
                      bytearray(raw[y * (width * step + 1) + 1:(y + 1) * (width * step + 1)]))
        for i in range(len(line)):
            a, b, c = line[i
                           - step] if i >= step else 0, last[i], last[i - step] if i >= step else 0
            p = a + b - c
            paeth = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            line[i] = (line[i] + (0, a, b, (a + b) // 2, paeth)[kind]) & 255
        rows.append(bytes(line))
        last = rows[-1]
    return rows, step


def scene_checks(pergola, program):
    with tempfile.TemporaryDirectory() as d:
        model = subprocess.run([pergola, "run", "--", program, f"{d}/model.png"],
                               stdout=subprocess.PIPE, text=True, timeout=200)
        peer = subprocess.run([program, f"{d}/peer.png"], stdout=subprocess.PIPE, text=True,
                              timeout=200, env=dict(os.environ, LIBGL_ALWAYS_SOFTWARE="1"))
        (a, _), (b, _) = pixels(f"{d}/model.png"), pixels(f"{d}/peer.png")
    away = sum(abs(x - y) > 3 for p, q in zip(a, b) for x, y in zip(p, q))
    colours = len({p[x:x + 3] for p in a for x in range(0, len(p), 4)})
    return [("the scene is drawn by both", model.returncode == 0 and peer.returncode == 0),
            ("the scene's devices are the two", "HD Graphics 4000" in model.stdout
             and "llvmpipe" in peer.stdout),
            (f"there is a scene to see ({colours} colours)", colours > 2000),
            (f"it is llvmpipe's scene ({away} values are more than 3 units away)", away <= 64)]


def main():
    pergola, program, scene = (os.path.abspath(a) for a in sys.argv[1:4])
    icd = glob.glob("/usr/share/vulkan/icd.d/lvp_icd*.json")[0]
    with tempfile.TemporaryDirectory() as d:
        size = ["-s", f"{WIDTH}x{HEIGHT}"]
        model = subprocess.run([pergola, "run", "--", program, *size, f"{d}/model.png"],
                               stdout=subprocess.PIPE, text=True, timeout=200)
        peer = subprocess.run([program, *size, f"{d}/peer.png"], stdout=subprocess.PIPE, text=True,
                              timeout=200,
                              env=dict(os.environ, VK_ICD_FILENAMES=icd, VK_DRIVER_FILES=icd))
        (a, step), (b, _) = pixels(f"{d}/model.png"), pixels(f"{d}/peer.png")
    near = black = colours = 0
    seen = set()
    for p, q in zip(a, b):
        for x in range(0, len(p), step):
            near += max(abs(p[x + i] - q[x + i]) for i in range(3)) <= 4
            black += p[x:x + 3] == b"\0\0\0"
            seen.add(p[x:x + 3])
    colours = len(seen)
    total = WIDTH * HEIGHT
    checks = [("both programs succeed", model.returncode == 0 and peer.returncode == 0),
              ("the device is named", "device: Intel(R) HD Graphics 4000" in model.stdout),
              ("the picture is named", "picture: " in model.stdout and "model.png" in model.stdout),
              (f"there is something to see ({black} black pixels, {colours} colours)",
               total * 0.02 < black < total * 0.7 and colours > 500),
              (f"it is lavapipe's picture ({near} of {total} pixels)", near > total * 0.95)]
    checks += scene_checks(pergola, scene)
    for n, (what, ok) in enumerate(checks, 1):
        print(f"{'' if ok else 'not '}ok {n} - {what}")
    print(f"1..{len(checks)}")
    return 0 if all(ok for _, ok in checks) else 1


if __name__ == "__main__":
    sys.exit(main())
