#!/usr/bin/env python3
"""The whole lists of the clients suite once more, every program recorded as an AUB file and replayed: hours. Prints TAP, a case per
list; what a list's own cases give is not judged here.

usage: lists.py PERGOLA BUILD [NAME...]
"""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
CLIENTS = os.path.dirname(HERE)
# Recordings that may end otherwise, by a word of their command, with the reason.
KNOWN = {
    "discarded": "a time stamp behind a draw may be 80 ns off: the draw is cut into turns elsewhere",
    "vk_compute": "threads of one case change memory while a batch of another is recorded",
    "denoise_vaapi": "its first batch leaves other memory; why is not known yet",
    "smoke_storm": "more objects than a file may have blocks",
    "smoke_hostile": "it ends while the file is being written",
}


def lists(build, record, place):
    b = f"{build}/tests/clients"
    python = [sys.executable]
    yield "beignet", python + [f"{CLIENTS}/beignet/run.py", "--jobs", "2", "--timeout", "900", record, f"{CLIENTS}/beignet/cases.tsv"]
    yield "clblast", python + [f"{CLIENTS}/clblast/run.py", "--all", "--jobs", "2", "--timeout", "3600", record]
    yield "pyopencl", python + [f"{CLIENTS}/pyopencl/run.py", "--all", "--timeout", "3600", record]
    yield "vaapi", python + [f"{CLIENTS}/vaapi/test_vaapi.py", record]
    yield "ffmpeg", python + [f"{CLIENTS}/ffmpeg/test_ffmpeg.py", record]
    yield "piglit", python + [f"{CLIENTS}/piglit/run.py", record, f"{build}/piglit", f"{CLIENTS}/piglit/cases.tsv"]
    yield "vk_compute", [record, "run", "--", f"{b}/vulkan/vk_compute"]
    for kind, program in (("gl", "gl_draw"), ("vulkan_draw", "vk_draw")):
        yield program, [record, "run", "--", f"{b}/{kind}/{program}", "--dump", place]
    yield "vk_texture", [record, "run", "--", f"{b}/texture/vk_texture", "--dump", f"{place}/textures"]
    for t in ("exec", "hostile", "many", "native", "process", "reloc", "signals", "storm", "vanishing"):
        yield f"smoke_{t}", [record, "run", "--hang-budget=20000000", "--", f"{b}/smoke/smoke_{t}"]


def judge(path):
    """Numbers of recordings, and lines of those that are neither the same nor known."""
    count, wrong = {"same": 0, "hangs": 0, "known": 0}, []
    with open(path, encoding="utf-8") as f:
        for line in f:
            verdict = line.split("\t")[0]
            known = next((why for word, why in KNOWN.items() if word in line), None)
            key = verdict if verdict in count else "known" if known else None
            if key:
                count[key] += 1
            else:
                wrong.append(line.strip())
    return count, wrong


def main():
    pergola, build = (os.path.abspath(a) for a in sys.argv[1:3])
    record = os.path.join(HERE, "record.py")
    failures = number = 0
    for name, command in lists(build, record, tempfile.mkdtemp()):
        if sys.argv[3:] and name not in sys.argv[3:]:
            continue
        number += 1
        with tempfile.NamedTemporaryFile() as recorded:
            env = dict(os.environ, REAL_PERGOLA=pergola, RECORDED=recorded.name, PYTHONPATH=os.path.dirname(CLIENTS),
                       MESA_SHADER_CACHE_DISABLE="1")
            subprocess.run(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
            count, wrong = judge(recorded.name)
        if not sum(count.values()) and not wrong:
            print(f"ok {number} - {name} # SKIP nothing of it is installed", flush=True)
            continue
        failures += bool(wrong)
        print(f"{'not ' if wrong else ''}ok {number} - {name}: {count['same']} recordings run to the same memory, {count['hangs']} hang, "
              f"{count['known']} are known to differ, {len(wrong)} do not", flush=True)
        for line in wrong:
            print("# " + line[:300], flush=True)
    print(f"1..{number}")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
