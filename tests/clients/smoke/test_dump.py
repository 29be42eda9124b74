#!/usr/bin/env python3
"""`pergola run --dump DIR` holds everything of a batch, and `pergola exec DIR` runs it again to the
same memory. Prints TAP.

usage: test_dump.py PERGOLA SMOKE_PROGRAM SCENE_PROGRAM"""
import glob
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

PERGOLA, SMOKE, SCENE = sys.argv[1:4]
count = failed = 0


def check(ok, text, more=""):
    global count, failed
    count += 1
    failed += not ok
    print(f"{'ok' if ok else 'not ok'} {count} - {text}")
    if not ok:
        print("# " + str(more)[-1500:].replace("\n", "\n# "))


def pergola(*args):
    return subprocess.run([PERGOLA, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, timeout=200)


def index_of(directory):
    with open(f"{directory}/index", encoding="utf-8") as f:
        return [line.split() for line in f]


def batches(directory):
    return sorted(os.path.dirname(x) for x in glob.glob(f"{directory}/*/index"))


def edited(directory, old, new):
    with open(f"{directory}/index", encoding="utf-8") as f:
        text = f.read()
    changed = re.sub(old, new, text, count=1, flags=re.M)
    with open(f"{directory}/index", "w", encoding="utf-8") as f:
        f.write(changed)
    return text != changed


with tempfile.TemporaryDirectory() as d:
    p = pergola("run", "--dump", f"{d}/smoke", "--", SMOKE)
    check(p.returncode == 0 and len(batches(f"{d}/smoke")) == 304, "every batch has a directory",
          p.stderr)
    check({index_of(b)[2][1] for b in batches(f"{d}/smoke")} == {"render", "bsd", "blt"},
          "of all engines")
    p = pergola("exec", f"{d}/smoke")
    check(p.returncode == 0 and "304 of 304 batches ran to the same memory" in p.stdout,
          "all run again to the same memory", p.stdout + p.stderr)
    written = [b
               for b in batches(f"{d}/smoke")
               if any(x[0] == "after" and int(x[1], 16) >= 1 << 32 for x in index_of(b))]
    check(len(written) >= 200, "most of them write to an object, which is seen", len(written))

    one = written[0]
    words = next(x for x in index_of(one) if x[0] == "after" and int(x[1], 16) >= 1 << 32)
    path = f"{d}/smoke/memory/{words[2]}"
    with open(path, "r+b") as f:
        first = f.read(1)
        f.seek(0)
        f.write(bytes([first[0] ^ 1]))
    p = pergola("exec", one)
    check(p.returncode == 1 and f"physical {words[1]}" in p.stdout
          and "1 byte is not as before, the first at + 0x0" in p.stdout,
          "a byte that differs is named, and fails", p.stdout + p.stderr)
    with open(path, "r+b") as f:
        f.write(first)
    check(pergola("exec", one).returncode == 0, "and with the byte as it was all is well")
    p = pergola("exec", "--trace", f"{d}/t.txt", "--perfetto", f"{d}/p.json", one)
    check(p.returncode == 0
          and "MI_BATCH_BUFFER_START" in open(f"{d}/t.txt", encoding="utf-8").read(),
          "a batch can be traced again", p.stderr)
    os.mkdir(f"{d}/two")
    os.symlink(f"{d}/smoke/memory", f"{d}/two/memory")
    for b in written[:2]:
        shutil.copytree(b, f"{d}/two/{os.path.basename(b)}")
    p = pergola("exec", "--trace", f"{d}/two.x/t", "--report", f"{d}/r.sarif", f"{d}/two")
    check(p.returncode == 2 and "two.x/t" in p.stderr,
          "a trace that cannot be written is named before", p.stderr)
    p = pergola("exec", "--trace", f"{d}/two.txt", "--report", f"{d}/r.sarif", "--perfetto",
                f"{d}/two", f"{d}/two")
    check(p.returncode == 2 and "directory" in p.stderr, "and so is a directory", p.stderr)
    p = pergola("exec", "--trace", f"{d}/two.txt", "--report", f"{d}/r.sarif", f"{d}/two")
    traced = [open(f"{d}/two{n}.txt", encoding="utf-8").read() for n in ("", "-2")]
    check(p.returncode == 0 and all("MI_BATCH_BUFFER_START" in t for t in traced)
          and os.path.exists(f"{d}/r-2.sarif")
          and not glob.glob(f"{d}/*-3.*"), "each of two batches has files of its own", p.stderr)
    for option in (["--save", f"{d}/s"], ["--dump", "0:16"], ["--device", "ivb-gt1"],
                   ["--error-state", f"{d}/s"]):
        p = pergola("exec", *option, one)
        check(p.returncode == 2 and option[0] in p.stderr, f"{option[0]} is not for a directory",
              p.stderr)

    # A dump need not be trusted.
    for old, new, says in ((r"^pergola-dump 1", "something else", "is not one that"),
                           (r"^pergola-dump 1", "pergola-dump 99", "another version"),
                           (r"^end .*\n", "", "cut off"),
                           (r"^part .*", "part voodoo2", "no such part|unknown|part"),
                           (r"^(memory \S+ \S+ \S+ \S+) .*", r"\1 ../device.bin", "is wrong"),
                           (r"^tail .*", "tail 0xffffffff 1", "is wrong"),
                           (r"^(memory \S+) \S+", r"\1 0xfffffffffffff000", "is wrong"),
                           (r"^(memory \S+) \S+", r"\1 0x1000000", "size"),
                           (r"^(memory) \S+", r"\1 0x123", "is wrong"),
                           (r"^after (\S+)", "after 0x1", "is wrong"),
                           (r"^(memory \S+ \S+ \S+ \S+) .*", r"\1 none.bin", "No such file")):
        bad = f"{d}/smoke/bad"
        shutil.copytree(one, bad)
        ok = edited(bad, old, new)
        p = pergola("exec", bad)
        check(ok and p.returncode == 1 and re.search(says, p.stderr),
              f"an index with '{new[:30]}' is refused: {says}", p.stderr + p.stdout)
        shutil.rmtree(bad)
    shutil.copytree(one, f"{d}/smoke/bad")
    with open(f"{d}/smoke/bad/device.bin", "r+b") as f:
        f.seek(100)
        f.write(b"\xff" * 64)
    p = pergola("exec", f"{d}/smoke/bad")
    check(p.returncode == 1 and "device.bin: it is damaged" in p.stderr,
          "a damaged device is refused", p.stderr)
    os.mkdir(f"{d}/empty")
    p = pergola("exec", f"{d}/empty")
    check(p.returncode == 1 and "no batch of 'pergola run --dump'" in p.stderr,
          "a directory with nothing in it is named", p.stderr)

    # What threads did: kernels, surfaces.
    p = pergola("run", "--dump", f"{d}/scene", "--", SCENE, f"{d}/scene.png")
    check(p.returncode == 0, "a scene is drawn", p.stderr)
    p = pergola("exec", f"{d}/scene")
    check(p.returncode == 0, "and drawn again to the same memory", p.stdout + p.stderr)
    lines = [(b, x) for b in batches(f"{d}/scene") for x in index_of(b)]
    kernels = [(b, x) for b, x in lines if x[0] == "kernel"]
    check(len(kernels) >= 4, "its kernels are in the index", kernels)
    same = 0
    for b, x in kernels:
        text, raw = f"{b}/{x[3]}", f"{b}/{x[3][:-4]}.bin"
        p = pergola("asm", text, "-o", f"{d}/k.bin")
        same += p.returncode == 0 and open(f"{d}/k.bin",
                                           "rb").read() == open(raw,
                                                                "rb").read() and os.path.getsize(
                                                                    raw) == int(x[2], 16)
    check(same == len(kernels), "the text of each assembles to its bytes",
          f"{same} of {len(kernels)} {p.stderr}")
    images = [(b, x) for b, x in lines if x[0] == "surface" and any(w.endswith(".png") for w in x)]
    target = [(b, x) for b, x in images if "640x480x1" in x]
    check(len(images) >= 2 and len(target) >= 1, "surfaces are in the index, the target among them",
          lines)
    b, x = target[-1]
    raw = open(f"{b}/{next(w for w in x if w.endswith('.bin'))}", "rb").read()
    png = open(f"{b}/{next(w for w in x if w.endswith('.png'))}", "rb").read()
    check(len(raw) == 640 * 480 * 4 and len({raw[i:i + 4] for i in range(0, len(raw), 4)}) > 1000,
          "the target's file has the picture, row by row", len(raw))
    check(png[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">II", png[16:24]) == (640, 480),
          "and its PNG has its size")
    state = open(f"{b}/{next(w for w in x if w.endswith('.txt'))}", encoding="utf-8").read()
    check("Surface Format" in state and "R8G8B8A8_UNORM" in state, "its state is decoded", state)
    texts = [open(f"{b}/{x[3][:-4]}.txt", encoding="utf-8").read()
             for b, x in lines if x[0] == "batch"]
    check(len(texts) >= 2 and any("3DPRIMITIVE" in t for t in texts),
          "batches of every level are decoded")
    check(any("RCS_RING_BUFFER_TAIL" in open(f"{b}/registers.txt", encoding="utf-8").read()
              for b in batches(f"{d}/scene")),
          "registers are there by name")
    # What threads cost: statistics for programs, the hottest kernels and instructions, and a trace
    # with a track for every slot.
    p = pergola("run", "--stats=json,hot", "--perfetto", f"{d}/p.json", "--", SCENE,
                f"{d}/scene.png")
    rows = [json.loads(line) for line in p.stderr.splitlines() if line.startswith("{")]
    check(p.returncode == 0 and len(rows) >= 2 and rows[-1]["batches"] == len(rows) - 1,
          "statistics are lines of JSON", p.stderr)
    whole = rows[-1]
    check(all(whole[k] == sum(r[k] for r in rows[:-1]) > 0
              for k in ("commands", "threads", "instructions", "model_ns", "host_ns")),
          "the last one is the sum; model time and host time are apart", rows)
    check(sum(k["instructions"] for k in whole["kernels"]) == whole["instructions"]
          and len(whole["kernels"]) == len(kernels), "every kernel has its share", whole)
    counts = [x["count"] for x in whole["hottest"]]
    check(len(counts) == 10 and counts == sorted(counts, reverse=True)
          and all("(" in x["text"] for x in whole["hottest"]),
          "the hottest instructions are told with their text", whole)
    for native in ("off", "always"):
        p = pergola("run", "--stats=json,hot", "--native", native, "--", SCENE, f"{d}/scene.png")
        last = [json.loads(line) for line in p.stderr.splitlines() if line.startswith("{")][-1]
        check(last["hottest"] == whole["hottest"], f"they are the same with --native={native}",
              p.stderr)
    events = json.load(open(f"{d}/p.json", encoding="utf-8"))["traceEvents"]
    draws = [x for x in events if x["ph"] == "X" and x["pid"] == 1 and "threads" in x["args"]]
    threads = [x for x in events if x["ph"] == "X" and x["pid"] == 2]
    check(len(threads) == whole["threads"] == sum(x["args"]["threads"] for x in draws),
          "every thread is a slice of a slot's track", len(threads))
    check(sum(x["args"]["instructions"] for x in threads) == whole["instructions"],
          "with all instructions")
    inside = [any(c["ts"] - 0.001 <= x["ts"] and x["ts"] + x["dur"] <= c["ts"] + c["dur"] + 0.001
                  for c in draws) for x in threads]
    check(all(inside), "within the time of its command", inside.count(False))
    tracks = {}
    for x in threads:
        tracks.setdefault(x["tid"], []).append((x["ts"], x["ts"] + x["dur"]))
    overlaps = sum(b[0] < a[1] - 0.0015 for t in tracks.values()
                   for a, b in zip(sorted(t), sorted(t)[1:]))
    check(len(tracks) > 1 and not overlaps, "no two at once in one slot", overlaps)
    arrows = [x for x in events if x["ph"] == "s"], [x for x in events if x["ph"] == "f"]
    check(arrows[0] and [x["id"] for x in arrows[0]] == [x["id"] for x in arrows[1]]
          and {x["pid"] for x in arrows[1]} == {2}, "arrows lead from commands to threads")
    p = pergola("run", "--stats", "--", SCENE, f"{d}/scene.png")
    check("hottest kernels:" in p.stderr and " ms of model time, " in p.stderr
          and " ms of host time\n" in p.stderr and "hottest instructions" not in p.stderr,
          "for people too", p.stderr)
    for bad in ("--stats=xml", "--stats=1", "--stats="):
        p = pergola("run", bad, "--", "true")
        check(p.returncode == 2 and "text, json, hot" in p.stderr, f"{bad} is refused", p.stderr)
    kernel = whole["kernels"][0]["address"]
    p = pergola("run", f"--trace=eu,kernel={kernel}", "--trace-file", f"{d}/t.txt", "--", SCENE,
                f"{d}/scene.png")
    lines = open(f"{d}/t.txt", encoding="utf-8").read().splitlines()
    check(len(lines) > 100 and all(f"kernel {kernel}" in x for x in lines if " dispatch " in x) and
          sum(" instruction " in x for x in lines) == whole["kernels"][0]["instructions"],
          "a trace of one kernel", lines[:3])
    check(re.search(r"instruction thread \d+ 0x[0-9a-f]+ mask 0x[0-9a-f]+ [a-z]+[.a-z0-9]*\(\d+\) "
                    r"g", "\n".join(lines)) is not None,
          "has the text of instructions", lines[:3])
print(f"1..{count}")
sys.exit(failed != 0)
