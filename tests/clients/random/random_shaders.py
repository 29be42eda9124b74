#!/usr/bin/env python3
"""Random compute shaders on the model and on lavapipe: native code, the interpreter and two widths
must leave the same bits as the software driver, and break no rule. Prints TAP, a case for each
shader.

A difference between the ways is a fault of the model or of the driver. One from lavapipe alone is
looked at by hand: its compiler is at fault now and then. Shaders that it is known to get wrong are
compared with the interpreter.
The driver gives shaders that spill much too little scratch memory, which shows in the shaders after
them: what differs is tried again alone.

usage: random_shaders.py [--first SEED] [--count N] [--keep DIR] PERGOLA VK_RANDOM"""
import argparse
import glob
import os
import shutil
import subprocess
import sys
import tempfile

import generate

WAYS = {
    "native": (["--native", "always"], {}),
    "interpreter": (["--native", "off"], {}),
    "native, 8 wide": (["--native", "always"], {"SUBGROUP_SIZE": "8"}),
    "native, 16 wide": (["--native", "always"], {"SUBGROUP_SIZE": "16"}),
}


def build(directory, seed):
    """The SPIR-V file of a seed, with its number of groups, and whether lavapipe can be asked."""
    shader = generate.Shader(seed)
    source, binary = (os.path.join(directory, f"{seed}.{kind}") for kind in ("comp", "spv"))
    with open(source, "w", encoding="utf-8") as f:
        f.write(shader.glsl())
    p = subprocess.run(["glslangValidator", "-V", "--quiet", "--target-env", "vulkan1.1", source,
                        "-o", binary], stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT, text=True)
    if p.returncode:
        raise SystemExit(f"Bail out! seed {seed} is no shader: {p.stdout}")
    return f"{binary}:{shader.groups}", shader.peer


def run(command, env, out, files):
    os.makedirs(out)
    p = subprocess.run(command + [out] + files,
                       env=dict(os.environ, MESA_SHADER_CACHE_DISABLE="1", **env),
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return p.returncode, p.stdout + p.stderr


def on_model(a, way, out, files):
    options, env = WAYS[way]
    return run([a.pergola, "run", "--hang-budget", "500000000"] + options + ["--", a.program], env,
               out, files)


def read(path):
    if not os.path.exists(path):
        return None
    with open(path, "rb") as f:
        return f.read()


def difference(a, b):
    """Where two results part; None if they do not."""
    if a is None or b is None:
        return "no result"
    at = next((i for i in range(0, len(a), 4) if a[i:i + 4] != b[i:i + 4]), None)
    if at is None:
        return None
    return (f"word {at // 4} is 0x{int.from_bytes(a[at:at + 4], 'little'):08x}, not "
            f"0x{int.from_bytes(b[at:at + 4], 'little'):08x}")


def main():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--first", type=int, default=1, help="the first seed")
    p.add_argument("--count", type=int, default=16, help="how many shaders")
    p.add_argument("--keep", help="sources and results of what differs go to this directory")
    p.add_argument("pergola")
    p.add_argument("program")
    a = p.parse_args()
    icd = next(iter(glob.glob("/usr/share/vulkan/icd.d/lvp_icd*.json")), None)
    if not icd:
        print("1..0 # SKIP lavapipe is not installed (package mesa-vulkan-drivers)")
        return 0
    seeds = range(a.first, a.first + a.count)
    with tempfile.TemporaryDirectory() as top:
        built = {seed: build(top, seed) for seed in seeds}
        files = [name for name, _ in built.values()]
        peer = os.path.join(top, "lavapipe")
        ends = {"lavapipe": run([a.program], {"VK_ICD_FILENAMES": icd, "VK_DRIVER_FILES": icd},
                                peer, [name for name, asked in built.values() if asked])}
        for way in WAYS:
            ends[way] = on_model(a, way, os.path.join(top, way), files)
        bad = 0
        for number, seed in enumerate(seeds, 1):
            want = read(os.path.join(peer if built[seed][1] else os.path.join(top, "interpreter"),
                                     f"{seed}.spv.bin"))
            found = {way: difference(read(os.path.join(top, way, f"{seed}.spv.bin")), want)
                     for way in WAYS}
            for way in [way for way, text in found.items() if text]:
                on_model(a, way, os.path.join(top, f"{way} {seed}"), [built[seed][0]])
                found[way] = difference(read(os.path.join(top, f"{way} {seed}", f"{seed}.spv.bin")),
                                        want)
            why = "; ".join(f"{way}: {text}" for way, text in found.items() if text)
            bad += bool(why)
            print(f"{'not ' if why else ''}ok {number} - shader_{seed}"
                  + (f" # {why}" if why else ""))
            if why and a.keep:
                os.makedirs(a.keep, exist_ok=True)
                shutil.copy(os.path.join(top, f"{seed}.comp"), a.keep)
                for way in ["lavapipe"] + list(WAYS):
                    result = os.path.join(top, way, f"{seed}.spv.bin")
                    if os.path.exists(result):
                        shutil.copy(result, os.path.join(
                            a.keep, f"{seed}.{way.replace(', ', '-').replace(' ', '-')}.bin"))
        number = len(seeds)
        for way, (status, said) in ends.items():
            number += 1
            ok = status == 0 and ("llvmpipe" in said if way == "lavapipe" else "IVB" in said
                                  and "pergola: 0 rules broken" in said)
            bad += not ok
            print(f"{'' if ok else 'not '}ok {number} - "
                  f"{way.replace(', ', '_').replace(' ', '_')}_ran_to_its_end_and_broke_no_rule")
            if not ok:
                print("".join(f"# {line}\n" for line in said.splitlines()[-12:]), end="")
    print(f"1..{number}")
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
