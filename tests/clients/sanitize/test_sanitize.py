#!/usr/bin/env python3
"""The sanitizer over a corpus of small kernels, right ones and wrong ones: every fault is named,
and nothing else is.

usage: test_sanitize.py eu|vulkan|opencl PERGOLA [VK_KERNEL GLSLANG]

Prints TAP, a case per kernel.
"""
import collections
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

from proves import proves

HERE = os.path.dirname(os.path.abspath(__file__))
LEAST = {"eu": 67, "vulkan": 41, "opencl": 22}
MESSAGES = {  # word: (descriptor, has a response, function and text)
    "@slm_write_byte": ("0x040300fe", False, "data MsgDesc: (byte scattered write) mlen 2 rlen 0"),
    "@slm_write": ("0x04036efe", False, "data MsgDesc: (untyped surface write) mlen 2 rlen 0"),
    "@slm_read": ("0x02116efe", True, "data MsgDesc: (untyped surface read) mlen 1 rlen 1"),
    "@slm_inc": ("0x020195fe", False, "data MsgDesc: (untyped atomic) mlen 1 rlen 0"),
    "@slm_exchange": ("0x0411b4fe", True, "data MsgDesc: (untyped atomic) mlen 2 rlen 1"),
    "@write": ("0x04036e00", False, "data MsgDesc: (untyped surface write) mlen 2 rlen 0"),
    "@read": ("0x02116e00", True, "data MsgDesc: (untyped surface read) mlen 1 rlen 1"),
    "@inc": ("0x02019500", False, "data MsgDesc: (untyped atomic) mlen 1 rlen 0"),
    "@stateless_write": ("0x060ac2ff", False,
                         "data MsgDesc: (dword scattered write) mlen 3 rlen 0"),
    "@fence": ("0x0209c000", False, "data MsgDesc: (memory fence) mlen 1 rlen 0"),
}
BARRIER = """and(1) g12.2<1>UD g0.2<0,1,0>UD 0x0f000000UD { align1 WE_all 1N };
send(8) null<1>UW g12<8,8,1>UD 0x02000004
   gateway MsgDesc: (barrier) mlen 1 rlen 0 { align1 WE_all 1Q };
wait(1) n0<1>UD { align1 WE_all 1N };
"""
END = """mov(8) g127<1>UD g0<8,8,1>UD { align1 WE_all 1Q };
send(8) null<1>UW g127<8,8,1>UD 0x82000010
   thread_spawner MsgDesc: mlen 1 rlen 0 { align1 WE_all 1Q EOT };
"""
PRELUDE = """#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer A { uint a[]; };
layout(binding = 1) buffer B { uint b[]; };
layout(binding = 2) buffer C { uint c[]; };
layout(binding = 3) uniform usamplerBuffer texels_a;
layout(binding = 5) uniform usamplerBuffer texels_c;
layout(binding = 6, r32ui) uniform uimageBuffer image_a;
layout(binding = 7, r32ui) uniform uimageBuffer image_b;
"""


def cases(path):
    """(name, findings, options, text) of every case. Findings: rule to how often, or to None."""
    with open(path, encoding="utf-8") as f:
        parts = re.split(r"^== (\w+): ([^:]*):(.*)\n", f.read(), flags=re.M)
    for i in range(1, len(parts), 4):
        name, expected, options, text = parts[i:i + 4]
        rules = (word.split("*") for word in expected.split() if word != "nothing")
        yield (name, {rule: int(n[0]) if n else None for rule, *n in rules}, options.split(), text)


def message(line):
    """A line that begins with @ as assembly."""
    word, *registers = line.split()
    if word == "@barrier":
        return BARRIER
    if word == "@end":
        return END
    if word == "@scratch_write":
        return (f"send(8) null<1>UW {registers[0]}<8,8,1>UD "
                f"{0x040e0000 | int(registers[1]):#010x}\n"
                "   data MsgDesc: (scratch write) mlen 2 rlen 0 { align1 WE_all 1Q };\n")
    if word == "@scratch_read":
        return (f"send(8) {registers[0]}<1>UW {registers[1]}<8,8,1>UD "
                f"{0x021c0000 | int(registers[2]):#010x}\n"
                "   data MsgDesc: (scratch read) mlen 1 rlen 1 { align1 WE_all 1Q };\n")
    descriptor, answers, text = MESSAGES[word]
    to = registers.pop(0) if answers else "null"
    mask = "WE_all 1Q" if word == "@fence" else "1Q"
    return (f"send(8) {to}<1>UW {registers[0]}<8,8,1>UD {descriptor}\n   {text} {{ align1 {mask} "
            f"}};\n")


def assembly(text):
    return "".join(message(x) if x.startswith("@") else x + "\n" for x in text.splitlines())


def command(kind, pergola, others, options, text, place):
    path = os.path.join(place, "kernel")
    if kind == "eu":
        with open(path + ".asm", "w", encoding="utf-8") as f:
            f.write(assembly(text))
        return [pergola, "eu", "run", path + ".asm", "--thread-id", "g2.0",
                "--sanitize=all"] + options
    source = path + (".comp" if kind == "vulkan" else ".cl")
    with open(source, "w", encoding="utf-8") as f:
        f.write((PRELUDE if kind == "vulkan" else "") + text)
    start = [pergola, "run", "--sanitize=all", "--"]
    if kind == "opencl":
        return start + ["/usr/bin/python3", os.path.join(HERE, "cl_kernel.py"), source] + options
    vk_kernel, glslang = others
    subprocess.run([glslang, "-V", "--quiet", "--target-env", "vulkan1.1", source, "-o",
                    path + ".spv"], check=True)
    return start + [vk_kernel, path + ".spv"] + options


def reports(pergola, others, env):
    """A race in a SARIF file and in JSON lines: one result for a pair of instructions, with its
    count."""
    text = next(t
                for n, _, _, t in cases(os.path.join(HERE, "vulkan.txt"))
                if n == "shared_reverse_race")
    with tempfile.TemporaryDirectory() as place:
        line = command("vulkan", pergola, others, ["--groups", "2"], text, place)
        results = {}
        for ending in ("sarif", "json"):
            path = os.path.join(place, "r." + ending)
            subprocess.run(line[:2] + ["--sanitize=race", "--check=off", "--report",
                                       path] + line[3:], env=env,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True,
                           timeout=120)
            with open(path, encoding="utf-8") as f:
                results[ending] = json.load(f) if ending == "sarif" else [json.loads(x) for x in f]
    run = results["sarif"]["runs"][0]
    races = [r for r in run["results"] if r["ruleId"] == "SAN-001"]
    places = [r[k][0]["physicalLocation"]["address"]["absoluteAddress"] for r in races
              for k in ("locations", "relatedLocations")]
    # the finding, and at the end how often it came
    found = [x for x in results["json"] if x["rule"] == "SAN-001"]
    lines = [(int(x["address"], 0), int(x["other_address"], 0)) for x in found]
    return (len(run["results"]) == len(races) == 1 and len(set(places)) == 2
            and lines == [tuple(places)] * 2
            and found[1]["count"] == races[0]["occurrenceCount"] > 10
            and "by thread" in races[0]["message"]["text"])


def counts(path):
    """Rule to how often it was broken, of a report in JSON lines: a line for each finding, and one
    more at the end for those that came again."""
    of_place = {}
    with open(path, encoding="utf-8") as f:
        for d in map(json.loads, f):
            if "rule" in d:
                of_place[d["rule"], d.get("address"), d.get("field")] = d.get("count", 1)
    total = collections.Counter()
    for (rule, *_), n in of_place.items():
        total[rule] += n
    return total


def decides(pergola, others, env):
    """The exit code of --fail-on=sanitizer: 3 by a race that --sanitize looks for, 0 when it is not
    looked for or there is none."""
    codes = []
    for name, kinds in (("shared_reverse_race", "race"), ("shared_reverse_race", "memory"),
                        ("shared_reverse", "race")):
        text = next(t for n, _, _, t in cases(os.path.join(HERE, "vulkan.txt")) if n == name)
        with tempfile.TemporaryDirectory() as place:
            line = command("vulkan", pergola, others, ["--groups", "2"], text, place)
            codes.append(subprocess.run(line[:2] + ["--fail-on=sanitizer", f"--sanitize={kinds}"]
                                        + line[3:], env=env, timeout=120,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        check=False).returncode)
    return codes == [3, 0, 0]


def main():
    kind, pergola, *others = sys.argv[1:]
    icd = glob.glob("/etc/OpenCL/vendors/intel-beignet*.icd")
    if kind == "opencl" and (not icd
                             or subprocess.run(["/usr/bin/python3", "-c", "import pyopencl"],
                                               check=False, stderr=subprocess.DEVNULL).returncode):
        print("1..0 # SKIP no Beignet or no PyOpenCL")
        return 0
    env = dict(os.environ, OCL_ICD_VENDORS=icd[0] if icd else "", MESA_SHADER_CACHE_DISABLE="1",
               PYOPENCL_NO_CACHE="1")
    count = failures = 0
    for name, expected, options, text in cases(os.path.join(HERE, kind + ".txt")):
        with tempfile.TemporaryDirectory() as place:
            line, report = command(kind, pergola, others, options, text, place), None
            if any(expected.values()):
                report = os.path.join(place, "report.json")
                line += ["--report", report]
            p = subprocess.run(line, env=env,
                               stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, errors="replace", timeout=120)
            often = counts(report) if report else {}
        found = set(re.findall(r"SAN-\d+", p.stderr))
        ran = (p.returncode == bool(expected) if kind == "eu" else p.returncode == 0
               and "done" in p.stdout)
        count += 1
        ok = (ran and found == set(expected)
              and all(often[rule] == n for rule, n in expected.items() if n))
        failures += not ok
        if expected and ok:
            proves(*sorted(expected))
        print(f"{'' if ok else 'not '}ok {count} - {name}", flush=True)
        if not ok:
            print(f"# expected {expected}, found {sorted(found)} {dict(often)}, "
                  f"exit {p.returncode}")
            print("".join(f"# {x[:400]}\n" for x in (p.stdout + p.stderr).splitlines()[-12:]),
                  end="")
    if kind == "vulkan":
        for look, words in ((reports, "both instructions and the count are in the reports"),
                            (decides, "--fail-on=sanitizer decides")):
            count += 1
            ok = look(pergola, others, env)
            failures += not ok
            print(f"{'' if ok else 'not '}ok {count} - {words}")
    print(f"1..{count}")
    return failures != 0 or count < LEAST[kind]


sys.exit(main())
