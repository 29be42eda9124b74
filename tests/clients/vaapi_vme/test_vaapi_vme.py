#!/usr/bin/env python3
"""The search kernels of the stock VA-API encoder (i965) on the model, driven by ffmpeg: what VME
answers them is, to the bit, what the independent reference answers to the same messages, and
pictures that move by a known shift give its vectors.

The codec engine is not modelled, so the stream is worthless and nobody looks at it. The engine
would also write the reconstructed pictures; RECONSTRUCT (reconstruct.c) puts the sources there
instead.

usage: test_vaapi_vme.py PERGOLA REPLAY RECONSTRUCT
"""
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

DRIVER = "/usr/lib/x86_64-linux-gnu/dri/i965_drv_video.so"
WIDTH, HEIGHT, FRAMES = 96, 80, 4
SHIFT = (2, 1)  # pixels a frame; three frames are inside the smallest window, ±8
WORDS = re.compile(r"^ *\d+ EU +vme +thread \d+ block \((\d+), (\d+)\) "
                   r"(descriptor|state|[MW]\d)((?: [0-9a-f]{8})+)$")
PAK = re.compile(r"^ *\d+ VCS +command +\w+ MFC_AVC_PAK_OBJECT((?: [0-9a-f]{8}){8})", re.M)
INTER, INTRA, BOTH = 1, 2, 3
BLOCKS = (WIDTH // 16) * (HEIGHT // 16)
HALF_PEL, QUARTER_PEL = 1, 3

# What the model reports: what the driver's kernels and commands do that the manual forbids, and
# what is not modelled.
RULES = {
    "EU-015": "the end of thread names acc0 as its destination",
    "EU-016": "the same",
    "EU-089": "scalars are read by the region <1,1,0>",
    "EU-194": "the end of thread has a destination",
    "EU-195": "the end of thread is sent from g64",
    "EU-206": "headers of messages are sent and parts of registers copied as they are",
    "VCS-325": "the codec engine is not modelled",
}
RULES_MPEG2 = {
    "RCS-159": "nor is the MPEG-2 part of it known by name",
    "VME-146": "the cost of INTRA_NONPRED has more than ten bits",
}

# Coded order: frame, reference 0, reference 1 of each picture that VME is asked about.
I_P = [(0, None, None), (1, 0, None), (2, 1, None), (3, 2, None)]
I_P_B = [(0, None, None), (3, 0, None), (1, 0, 3), (2, 0, 3)]
# the faster level asks no backward vectors of B
I_P_B_FORWARD = [(0, None, None), (3, 0, None), (1, 0, None), (2, 0, None)]
# MPEG-2: VME has no part in I, and of B it is asked the forward vectors
P_B_FORWARD = [(3, 0, None), (1, 0, None), (2, 0, None)]
CASES = [
    ("H.264 I and P", "h264_vaapi", ["-bf", "0"], I_P, QUARTER_PEL, RULES),
    ("H.264 I, P and B", "h264_vaapi", ["-bf", "2"], I_P_B, QUARTER_PEL, RULES),
    ("H.264 I and P, the faster quality level", "h264_vaapi",
     ["-bf", "0", "-compression_level", "2"], I_P, HALF_PEL, RULES),
    ("H.264 I, P and B, the faster quality level", "h264_vaapi",
     ["-bf", "2", "-compression_level", "2"], I_P_B_FORWARD, HALF_PEL, RULES),
    ("MPEG-2 P and B", "mpeg2_vaapi", ["-bf", "2"], P_B_FORWARD, HALF_PEL,
     {**RULES, **RULES_MPEG2}),
]


def make_frames(directory):
    """Noise that moves; the luma of each frame in a file of its own, all of them as NV12 in one."""
    chance = random.Random(16)
    margin = 16
    field = [bytes(chance.randrange(256) for _ in range(WIDTH + margin))
             for _ in range(HEIGHT + margin)]
    with open(f"{directory}/frames.nv12", "wb") as all_frames:
        for n in range(FRAMES):
            x, y = margin - n * SHIFT[0], margin - n * SHIFT[1]
            luma = b"".join(row[x:x + WIDTH] for row in field[y:y + HEIGHT])
            with open(f"{directory}/{n}.luma", "wb") as f:
                f.write(luma)
            all_frames.write(luma + bytes([128]) * (len(luma) // 2))


def encode(pergola, reconstruct, directory, codec, options):
    """True if the encoder ran; leaves trace and report in the directory."""
    env = dict(os.environ, LIBVA_DRIVER_NAME="i965", LIBVA_MESSAGING_LEVEL="0",
               LD_PRELOAD=reconstruct)
    command = [pergola, "run", "--threads", "1", "--trace", "vme,command", "--trace-file",
               f"{directory}/trace", "--report",
               f"{directory}/report", "--", "ffmpeg", "-nostdin", "-v", "error", "-init_hw_device",
               "vaapi=va:/dev/dri/renderD128", "-f", "rawvideo", "-pix_fmt",
               "nv12", "-s", f"{WIDTH}x{HEIGHT}", "-i", f"{directory}/frames.nv12", "-vf",
               "hwupload", "-c:v", codec] + options
    p = subprocess.run(command + ["-f", "null", "-"], env=env, stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT, check=False)
    text = p.stdout.decode(errors="replace")
    if p.returncode or "reconstruct:" in text:
        print("# " + text.strip().replace("\n", "\n# "))
        return False
    return True


def requests_of(trace):
    """Each request as a dict: words by name, and the place of its block."""
    found = []
    with open(trace, encoding="utf-8") as f:
        for line in f:
            m = WORDS.match(line)
            if not m:
                continue
            if m[3] == "descriptor":
                found.append({"at": (int(m[1]), int(m[2]))})
            found[-1][m[3]] = [int(word, 16) for word in m[4].split()]
    return found


def pictures_of(requests):
    """A picture ends when a macroblock comes again. MPEG-2 asks about some of them twice: the
    second time inter only."""
    pictures, seen = [], None
    for r in requests:
        if kind(r) != INTER:
            if seen is None or r["at"] in seen:
                pictures.append([])
                seen = set()
            seen.add(r["at"])
        pictures[-1].append(r)
    return pictures


def kind(r):
    return r["descriptor"][0] >> 13 & 3


def replay(program, directory, requests, frames):
    """The reference's opinion: a line that says how many words differ, and whether none does."""
    text = ""
    for r in requests:
        text += "".join(f"{name} {' '.join(f'{w:08x}' for w in words)}\n"
                        for name, words in r.items() if name != "at") + "end\n"
    pictures = [f"{directory}/{n}.luma" for n in frames if n is not None]
    p = subprocess.run([program, str(WIDTH), str(HEIGHT)] + pictures, input=text.encode(),
                       stdout=subprocess.PIPE, check=False)
    return p.returncode == 0, p.stdout.decode().strip()


def vector(word):
    return tuple((half ^ 0x8000) - 0x8000 for half in (word & 0xffff, word >> 16))


def interior(at):
    return 16 <= at[0] < WIDTH - 16 and 16 <= at[1] < HEIGHT - 16


def known_vector(r, frames):
    """The one vector of 16x16, or both, are the shift between the frames; in quarter pixels."""
    mode = r["W0"][0] >> 8 & 31  # MbType: 1 forward, 2 backward, 3 both
    if r["W0"][0] >> 13 & 1 or mode not in (1, 2, 3):
        return False
    for reference in (0, 1):
        if mode >> reference & 1:
            away = frames[1 + reference] - frames[0]
            if vector(r["W1"][reference]) != (4 * SHIFT[0] * away, 4 * SHIFT[1] * away):
                return False
    return True


def picture(program, directory, requests, frames, precision, twice):
    """Everything about the requests of one picture; a text for each thing that is wrong."""
    inter = frames[1] is not None
    first = [r for r in requests if kind(r) != INTER]
    if sorted(r["at"] for r in first) != [(x, y) for x in range(0, WIDTH, 16)
                                          for y in range(0, HEIGHT, 16)]:
        yield "not every macroblock once"
    if not twice and len(first) != len(requests):
        yield "a macroblock twice"
    if {kind(r) for r in first} != {BOTH if inter else INTRA}:
        yield "another message type"
    if inter and {r["M0"][3] >> 12 & 3 for r in requests} != {precision}:
        yield "another SubPelMode"
    if inter and {r["M0"][3] >> 8 & 7 for r in requests} != {7 if frames[2] is not None else 0}:
        yield "another SearchCtrl"
    same, text = replay(program, directory, requests, frames)
    lines = text.split("\n")
    print("\n".join(lines[:-1][:8]
                    + [f"# frame {frames[0]}, references {frames[1:]}: {lines[-1]}"]))
    if not same or not lines[-1].startswith(f"{len(requests)} requests, "
                                            f"{len(requests) * (48 if inter else 8)} words"):
        yield "not what the reference says"
    for r in first:
        if inter and interior(r["at"]) and not known_vector(r, frames):
            yield (f"block {r['at']}: not the shift: W0.0 {r['W0'][0]:08x} "
                   f"W1 {vector(r['W1'][0])} {vector(r['W1'][1])}")


def records(trace, pictures):
    """The kernels write records, from which the driver makes a command for each macroblock: type
    and modes or shapes are those of the answers. The vectors it leaves where they are."""
    with open(trace, encoding="utf-8") as f:
        commands = [[int(word, 16) for word in words.split()] for words in PAK.findall(f.read())]
    if len(commands) != BLOCKS * len(pictures):
        yield f"{len(commands)} macroblocks for the codec engine"
    for n, requests in enumerate(pictures):
        answers = {r["at"]: r["W0"] for r in requests}
        for c in commands[n * BLOCKS:(n + 1) * BLOCKS]:
            w0 = answers.pop(((c[4] & 0xff) * 16, (c[4] >> 8 & 0xff) * 16), None)
            if w0 is None:
                yield f"picture {n}: a macroblock twice or outside"
            elif (c[3] ^ w0[0]) & 0xffff or c[7] != w0[4 if w0[0] >> 13 & 1 else 7]:
                yield f"picture {n}: the driver read {c[3]:08x} {c[7]:08x}, VME answered {w0}"


def case(programs, directory, codec, options, order, precision, rules):
    pergola, program, reconstruct = programs
    if not encode(pergola, reconstruct, directory, codec, options):
        return False
    pictures = pictures_of(requests_of(f"{directory}/trace"))
    wrong = [] if len(pictures) == len(order) else [f"{len(pictures)} pictures, not {len(order)}"]
    for requests, frames in zip(pictures, order):
        wrong += picture(program, directory, requests, frames, precision, codec == "mpeg2_vaapi")
    if codec == "h264_vaapi":
        wrong += records(f"{directory}/trace", pictures)
    with open(f"{directory}/report", encoding="utf-8") as f:
        broken = set(re.findall(r"\[([A-Z]+-\d+)\]$", f.read(), re.M))
    wrong += [f"{rule} is broken" for rule in sorted(broken - set(rules))]
    for text in wrong:
        print(f"# {text}")
    return not wrong


def main(*programs):
    missing = ("ffmpeg or i965-va-driver" if not os.path.exists(DRIVER)
               or not shutil.which("ffmpeg") else "")
    print(f"1..{len(CASES)}" if not missing else f"1..0 # SKIP {missing} is not installed")
    if missing:
        return 0
    good = True
    with tempfile.TemporaryDirectory() as directory:
        make_frames(directory)
        for n, (name, *arguments) in enumerate(CASES, 1):
            ok = case(programs, directory, *arguments)
            good &= ok
            print(f"{'ok' if ok else 'not ok'} {n} - {name}", flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
