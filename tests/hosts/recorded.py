#!/usr/bin/env python3
"""Programs with stock drivers run here, their kernels as native code, and are recorded as AUB files, which are replayed as other hosts
run them: the memory after every batch has to be the same. Prints TAP.

usage: recorded.py BUILD [REPLAY...]

BUILD    a build for this host, which has the programs and the pergola command that records ($NAME: as the environment says)
REPLAY   the command that replays, with its emulator; else this host's, with AVX2 and without
"""
import os
import re
import subprocess
import sys
import tempfile

COMPUTE = ("vadd float_exact int_ops double_ops convert push_constants control_flow shared_reduce shared_scan atomics matmul image_rgba8 "
           "image_cube texel_buffers subgroups_of_16 clear_image_rg32").split()
PROGRAMS = [("vk_compute", ["vulkan/vk_compute", *COMPUTE]), ("gl_compute", ["gl/gl_compute"])]
PROGRAMS += [(f"vk_draw {t}", ["vulkan_draw/vk_draw", "--dump", ".", t]) for t in ("blend", "tess", "tex_cube", "sample")]
PROGRAMS += [(f"gl_draw {t}", ["gl/gl_draw", "--dump", ".", t]) for t in ("lit_cube", "feedback")]
MESA = {"MESA_SHADER_CACHE_DISABLE": "1", "MESA_GLES_VERSION_OVERRIDE": "3.1"}
VERDICT = re.compile(r"^verdict: (\d+) rings ran to their end; memory is as recorded, \1 times of \1$", re.M)


def run(command, place, env):
    return subprocess.run(command, cwd=place, env=dict(os.environ, **env), capture_output=True, text=True, errors="replace", timeout=600,
                          check=False)


def check(pergola, program, replays):
    """What is wrong, or None."""
    with tempfile.TemporaryDirectory() as place:
        made = run([pergola, "run", "--deterministic", "--native", "always", "--aub", "a.aub", "--", *program], place, MESA)
        batches = re.search(r"in (\d+) batch", made.stderr.splitlines()[-1] if made.stderr else "")
        if made.returncode or not batches or int(batches[1]) == 0:
            return made.stderr[-600:] or f"exit status {made.returncode}"
        for name, command, env in replays:
            again = run([*command, "replay", "--deterministic", "a.aub"], place, env)
            verdict = VERDICT.search(again.stdout)
            if again.returncode or not verdict or verdict[1] != batches[1]:
                return f"{name}: " + (again.stdout + again.stderr)[-600:]
    return None


def main():
    build, command = os.path.abspath(os.path.expandvars(sys.argv[1])), sys.argv[2:]
    pergola = f"{build}/pergola"
    command = command[:-1] + [os.path.abspath(c) for c in command[-1:]]
    replays = [("replayed", command, {})] if command else [("here", [pergola], {}), ("without AVX2", [pergola], {"PERGOLA_HOST": "baseline"})]
    failures = 0
    print(f"1..{len(PROGRAMS)}")
    for n, (name, program) in enumerate(PROGRAMS, 1):
        path = f"{build}/tests/clients/{program[0]}"
        if not os.path.exists(path) or not os.path.exists(pergola):
            print(f"ok {n} - {name} # SKIP no build for this host has it", flush=True)
            continue
        wrong = check(pergola, [path, *program[1:]], replays)
        failures += wrong is not None
        print(f"{'ok' if wrong is None else 'not ok'} {n} - {name}: the same memory after every batch", flush=True)
        if wrong:
            print("#", *wrong.splitlines(), sep="\n# ")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
