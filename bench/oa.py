"""What counting costs: a compute kernel and a drawing without and with `pergola run --oa`, by
processor time, so that other work of the machine does not count. usage: oa.py PERGOLA MANDELBROT
SCENE"""
import os
import resource
import subprocess
import sys
import tempfile

PERGOLA, MANDELBROT, SCENE = map(os.path.abspath, sys.argv[1:4])
ROUNDS = 5


def seconds(place, *command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([PERGOLA, "run", *command], cwd=place, check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


with tempfile.TemporaryDirectory() as place:
    for name, program in (("mandelbrot", [MANDELBROT, "-s", "1024x768", "-i", "400", "a.png"]),
                          ("scene", [SCENE, "a.png"])):
        off = min(seconds(place, "--", *program) for _ in range(ROUNDS))
        on = min(seconds(place, "--oa", "counts", "--", *program) for _ in range(ROUNDS))
        print(f"{name:12} off {off:6.2f} s   on {on:6.2f} s   ratio {on / off:5.2f}  (target <= "
              f"1.5: "
              f"{'met' if on <= 1.5 * off else 'missed'})")
