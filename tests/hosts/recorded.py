#!/usr/bin/env python3
"""Programs with stock drivers run here, their kernels as native code, and are recorded as AUB
files, which are replayed as other hosts run them: the memory after every batch has to be the same.
Prints TAP.

usage: recorded.py BUILD [REPLAY...]

BUILD    a build for this host, which has the programs and the pergola command that records ($NAME:
as the environment says) REPLAY   the command that replays, with its emulator; else this host's,
with AVX2 and without
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "clients", "aub"))
import clients

COMPUTE = ("vadd float_exact int_ops double_ops convert push_constants control_flow shared_reduce "
           "shared_scan atomics matmul image_rgba8 "
           "image_cube texel_buffers subgroups_of_16 clear_image_rg32").split()
PROGRAMS = [("vk_compute", ["vulkan/vk_compute", *COMPUTE]), ("gl_compute", ["gl/gl_compute"])]
PROGRAMS += [(f"vk_draw {t}", ["vulkan_draw/vk_draw", "--dump", ".", t])
             for t in ("blend", "tess", "tex_cube", "sample")]
PROGRAMS += [(f"gl_draw {t}", ["gl/gl_draw", "--dump", ".", t]) for t in ("lit_cube", "feedback")]


def main():
    build, command = os.path.abspath(os.path.expandvars(sys.argv[1])), sys.argv[2:]
    pergola = f"{build}/pergola"
    command = command[:-1] + [os.path.abspath(c) for c in command[-1:]]
    replays = [("replayed", command,
                {})] if command else [("here", [pergola], {}),
                                      ("without AVX2", [pergola], {"PERGOLA_HOST": "baseline"})]
    failures = 0
    print(f"1..{len(PROGRAMS)}")
    for n, (name, program) in enumerate(PROGRAMS, 1):
        path = f"{build}/tests/clients/{program[0]}"
        if not os.path.exists(path) or not os.path.exists(pergola):
            print(f"ok {n} - {name} # SKIP no build for this host has it", flush=True)
            continue
        wrong = clients.check(pergola, [path, *program[1:]], clients.MESA, ["--native", "always"],
                              replays)
        failures += wrong is not None
        print(f"{'ok' if wrong is None else 'not ok'} {n} - {name}: the same memory after every "
              f"batch", flush=True)
        if wrong:
            print("#", *wrong.splitlines(), sep="\n# ")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
