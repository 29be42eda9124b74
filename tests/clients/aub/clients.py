#!/usr/bin/env python3
"""Programs of the suite recorded as AUB files, each replayed to the same memory, batch by batch:
one or a few of every kind of client. Prints TAP.

usage: clients.py PERGOLA BUILD

The whole suite: ../lists/lists.py.
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

BEIGNET = "/usr/lib/x86_64-linux-gnu/beignet"
I965 = "/usr/lib/x86_64-linux-gnu/dri/i965_drv_video.so"
OPENCL = next(iter(glob.glob("/etc/OpenCL/vendors/intel-beignet*.icd")), "")
UTEST = {"OCL_ICD_VENDORS": OPENCL, "OCL_KERNEL_PATH": "/usr/share/beignet/test_kernels",
         "LD_LIBRARY_PATH": BEIGNET}
VAAPI = {"LIBVA_DRIVER_NAME": "i965", "LIBVA_MESSAGING_LEVEL": "0"}
MESA = {"MESA_SHADER_CACHE_DISABLE": "1", "MESA_GLES_VERSION_OVERRIDE": "3.1"}
FFMPEG = ["ffmpeg", "-y", "-nostdin", "-v", "error"]
VIDEO = ["-f", "lavfi", "-i", "testsrc2=size=96x80:rate=5:duration=0.6"]
# Not those with threads of their own: another thread may change memory while a batch is recorded.
COMPUTE = ("vadd float_exact int_ops double_ops convert push_constants indirect big_grid "
           "control_flow shared_reduce shared_scan atomics "
           "scratch matmul image_rgba8 image_cube image_tilings texel_buffers subgroups_of_16 "
           "big_group secondary_command_buffers "
           "copy_images_3d clear_image_rg32").split()
TO_VAAPI = ["-init_hw_device", "vaapi=va:/dev/dri/renderD128"] + VIDEO


def clients(build):
    """Name, environment, command; a program that is not there is shown as skipped."""
    b = f"{build}/tests/clients"
    yield from ((f"smoke_{t}", {}, [f"{b}/smoke/smoke_{t}"]) for t in ("exec", "native", "reloc"))
    yield "smoke_vanishing, which takes memory away", {}, [f"{b}/smoke/smoke_vanishing"]
    yield "vk_compute", MESA, [f"{b}/vulkan/vk_compute", *COMPUTE]
    yield "vk_hang, which loops for ever", {"PERGOLA_HANG_BUDGET": "20000000"}, [
        f"{b}/vulkan/vk_hang", "loop"]
    yield from ((f"vk_draw {t}", MESA, [f"{b}/vulkan_draw/vk_draw", "--dump", ".", t])
                for t in ("blend", "tess", "tex_cube", "sample"))
    yield "gl_compute", MESA, [f"{b}/gl/gl_compute"]
    yield "gl_compute --es", MESA, [f"{b}/gl/gl_compute", "--es"]
    yield "gl_backend", MESA, [f"{b}/gl/gl_backend"]
    yield from ((f"gl_draw {t}", MESA, [f"{b}/gl/gl_draw", "--dump", ".", t])
                for t in ("blend", "gs_t", "tess_tri", "lit_cube", "feedback"))
    # Each has contexts of its own, and counters in them.
    yield "gl_draw, one after the other", MESA, [
        f"{b}/gl/gl_draw", "--dump", ".", *"points lines statistics occlusion star_4x".split(),
        *"discarded_draws conditional_draws feedback_modes gs_lines scissor outline".split()]
    yield "interop", MESA, [f"{b}/interop/interop"]
    yield "triangle", MESA, [f"{build}/examples/gl/triangle"]
    yield from ((f"Beignet {t}", UTEST, [f"{BEIGNET}/utest_run", "-c", t]) for t in
                ("compiler_array", "compiler_workgroup_barrier", "compiler_copy_image",
                 "builtin_pow"))
    yield "VA-API frames up and down", VAAPI, [*FFMPEG, *TO_VAAPI, "-vf",
                                               "format=nv12,hwupload,hwdownload,format=nv12", "-f",
                                               "null", "-"]
    yield "VA-API scaler", VAAPI, [
        *FFMPEG, *TO_VAAPI, "-vf",
        "format=nv12,hwupload,scale_vaapi=w=48:h=40,hwdownload,format=nv12", "-f", "null", "-"]
    # Its threads race for the bytes that they write: only turns that end at the same places give
    # the same.
    yield "VA-API denoising", VAAPI, [
        *FFMPEG, *TO_VAAPI, "-vf",
        "format=nv12,hwupload,denoise_vaapi=denoise=32,hwdownload,format=nv12", "-f", "null", "-"]
    yield "VA-API motion search", VAAPI, [*FFMPEG, *TO_VAAPI, "-vf", "format=nv12,hwupload", "-c:v",
                                          "h264_vaapi", "-bf", "0", "-f", "null", "-"]
    yield "ffmpeg's OpenCL", {"OCL_ICD_VENDORS": OPENCL}, [
        *FFMPEG, "-init_hw_device", "opencl=ocl:0.0", *VIDEO, "-vf",
        "format=rgba,hwupload,transpose_opencl=dir=clock,hwdownload,format=rgba", "-f", "null", "-"]


def absent(command, env):
    if not shutil.which(command[0]):
        return f"{os.path.basename(command[0])} is not there"
    if "LIBVA_DRIVER_NAME" in env and not os.path.exists(I965):
        return "the VA-API driver is not installed"
    if env.get("OCL_ICD_VENDORS") == "":
        return "Beignet is not installed"
    return None


def replay(place, command, env, hangs):
    """(rings that ran to the memory that was recorded, what is wrong or None)"""
    rings = 0
    for path in sorted(glob.glob(f"{place}/a*")):  # a file for each process
        again = subprocess.run([*command, "replay", "--deterministic", path],
                               env=dict(os.environ, **env), capture_output=True, text=True,
                               errors="replace", timeout=600, check=False)
        same = re.search(r"^verdict: (\d+) rings? ran to \w+ end(?:, (\d+) hangs? as recorded)?; "
                         r"memory is as recorded, \1 times? of \1$",
                         again.stdout, re.M)
        if "neither a ring nor a batch" in again.stderr:
            continue  # a process that has not submitted anything
        if again.returncode or not same or (same[2] is not None) != hangs:
            return rings, (again.stdout + again.stderr)[-600:]
        rings += int(same[1]) + int(same[2] or 0)
    return rings, None


def check(pergola, command, env, options=(), replays=None):
    """What is wrong; None: the memory is the same after every batch. replays: (name, command,
    environment) of those that replay, when it is not the one that has recorded."""
    with tempfile.TemporaryDirectory() as d:
        run = subprocess.run([pergola, "run", "--deterministic", *options, "--aub", f"{d}/a.aub",
                              "--", *command], cwd=d,
                             env=dict(os.environ, **env), capture_output=True, text=True,
                             errors="replace", timeout=600, check=False)
        batches = re.search(r"in (\d+) batch", run.stderr.splitlines()[-1] if run.stderr else "")
        hangs = "hang" in os.path.basename(command[0])
        if (run.returncode and not hangs) or batches is None or int(batches[1]) == 0:
            return run.stderr[-600:] or f"exit status {run.returncode}"
        for name, again, how in replays or [("replayed", [pergola], {})]:
            rings, wrong = replay(d, again, how, hangs)
            # Who is killed has not recorded his last batch.
            if wrong is None and rings != int(batches[1]) and "vanishing" not in os.path.basename(
                command[0]):
                wrong = f"{batches[1]} batches were run, {rings} recorded"
            if wrong is not None:
                return f"{name}: {wrong}"
    return None


def main():
    pergola, build = (os.path.abspath(a) for a in sys.argv[1:3])
    table = list(clients(build))
    failures = 0
    print(f"1..{len(table)}")
    for n, (name, env, command) in enumerate(table, 1):
        why = absent(command, env)
        if why:
            print(f"ok {n} - {name} # SKIP {why}", flush=True)
            continue
        wrong = check(pergola, command, env)
        # Its threads write pages that a batch is writing: on a busy machine such a page may be
        # recorded between the two.
        for _ in range(2 if "vanishing" in os.path.basename(command[0]) else 0):
            if wrong:
                print("# once more, for its threads race with its batches; it was:",
                      *wrong.splitlines()[-1:], flush=True)
                wrong = check(pergola, command, env)
        failures += wrong is not None
        print(f"{'ok' if wrong is None else 'not ok'} {n} - {name}: its batches run to the same "
              f"memory", flush=True)
        if wrong:
            print("#", *wrong.splitlines(), sep="\n# ")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
