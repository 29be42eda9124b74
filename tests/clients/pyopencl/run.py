#!/usr/bin/env python3
"""Runs the tests of PyOpenCL (stock Debian packages python3-pyopencl, python-pyopencl-doc,
python3-pytest) by Beignet on the model.
They compare arrays, reductions, copies, maps and mathematical functions with numpy. (Those of its
scans and sorts, test_algorithm.py, take too long, and half of them meet doubles.)

usage: run.py [--timeout S] [--all] PERGOLA

Prints TAP, a case per test. Without --all those that take long are shown as skipped.
"""
import argparse
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = "/usr/share/doc/python-pyopencl-doc/examples"
PYTHON = "/usr/bin/python3"  # the one that the packages are for
DOUBLES = "Beignet ends the program when it meets a double, which it does not offer on this chip"
UNORDERED = "its result depends on how Beignet's own threads take turns"
LONG = "takes long (--all)"
OTHER = {  # file: {function: why it is not run}
    "test_array.py": {
        **dict.fromkeys(("test_event_management", "test_dtype_conversions",
                         "test_arithmetic_with_device_scalars",
                         "test_if_positive_with_scalars", "test_reduction_nan_handling",
                         "test_empty_reductions_vs_numpy",
                         "test_maximum_minimum_with_scalars", "test_branch_operations_on_nans"),
                        DOUBLES),
        **dict.fromkeys(("test_div_type_matches_numpy", "test_divide_scalar", "test_divide_array",
                         "test_divide_inplace_scalar", "test_divide_inplace_array"),
                        "expects doubles of the device"),
        "test_arrays_with_svm_allocators": "an assertion of Beignet fails",
        "test_zeros_large_array": LONG,
        "test_stride_preservation": LONG, "test_fancy_indexing": LONG,
        **dict.fromkeys(("test_outoforderqueue_get", "test_outoforderqueue_copy",
                         "test_outoforderqueue_indexing",
                         "test_outoforderqueue_reductions"), UNORDERED),
    },
    "test_arrays_in_structs.py": {},
    "test_clmath.py": {
        **dict.fromkeys(("test_atan2", "test_atan2pi", "test_fmod", "test_modf", "test_frexp"),
                        DOUBLES),
        "test_outoforderqueue_clmath": UNORDERED,
        "test_complex_muladd": "Beignet does not compile PyOpenCL's complex numbers",
    },
    "test_enqueue_copy.py": {},
    "test_wrapper.py": {
        "test_copy_buffer_rect": "Beignet crashes",
        "test_enqueue_copy_array_2": "Beignet has no such copy",
    },
}


def run(pergola, name, left_out, timeout, place):
    """[(test, state, why)], and what was wrong with the program as a whole."""
    icd = glob.glob("/etc/OpenCL/vendors/intel-beignet*.icd")
    report = os.path.join(place, name + ".xml")
    env = dict(os.environ, OCL_ICD_VENDORS=icd[0] if icd else "", PYTHONPATH=HERE,
               PYTHONDONTWRITEBYTECODE="1", XDG_CACHE_HOME=place, PYOPENCL_NO_CACHE="1")
    command = [pergola, "run", "--quiet", "--", PYTHON, "-m", "pytest", "-q", "-p",
               "no:cacheprovider", "-p", "seeded",
               "--rootdir", place, "--tb=short", "--junitxml", report, name]
    for function in left_out:
        command += ["--deselect", f"{name}::{function}"]
    try:
        p = subprocess.run(command, env=env, cwd=place, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, text=True, errors="replace", timeout=timeout)
    except subprocess.TimeoutExpired:
        return [], f"no result in {timeout} s"
    if not os.path.exists(report):
        return [], f"exit status {p.returncode}, {p.stdout[-300:].splitlines()[-1:]}"
    results = []
    for case in xml.etree.ElementTree.parse(report).iter("testcase"):
        test = re.sub(r"<context factory.*?'>>-?", "", case.get("name")).replace("[]", "")
        states = [child for child in case if child.tag in ("failure", "error", "skipped")]
        state = states[0].tag if states else "passed"
        results.append((test, state, " ".join(states[0].get("message", "").split())[:200] if states
                        else ""))
    return results, "" if p.returncode == 0 or any(s in ("failure", "error")
                                                   for _, s, _ in results) else \
        f"exit status {p.returncode}"


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--timeout", type=int, default=600)
    a.add_argument("--all", action="store_true")
    a.add_argument("pergola")
    a = a.parse_args()
    wanted = "import numpy, pyopencl, pytest"
    if not os.path.isdir(TESTS) or subprocess.run([PYTHON, "-c",
                                                   wanted], stderr=subprocess.DEVNULL).returncode:
        print("1..0 # SKIP the packages python3-pyopencl, python-pyopencl-doc and python3-pytest "
              "could not be had")
        return 0
    number = failed = passed = 0

    def line(ok, text):
        nonlocal number, failed
        number += 1
        failed += not ok
        print(f"{'' if ok else 'not '}ok {number} - {text}", flush=True)

    with tempfile.TemporaryDirectory() as place:
        for needed in [*OTHER, "empty-header.h"]:
            shutil.copy(os.path.join(TESTS, needed), place)
        for name, other in OTHER.items():
            left_out = {f: why for f, why in other.items() if not (a.all and why == LONG)}
            results, wrong = run(os.path.realpath(a.pergola), name, left_out, a.timeout, place)
            for test, state, why in results:
                passed += state == "passed"
                if state == "skipped":
                    line(True, f"{name} {test} # SKIP {why}")
                else:
                    line(state == "passed", f"{name} {test}{': ' if why else ''}{why}")
            if wrong or not results:
                line(False, f"{name}: {wrong or 'nothing was tested'}")
            for function, why in left_out.items():
                line(True, f"{name} {function} # SKIP {why}")
    line(passed >= 100, f"{passed} tests passed in all")
    print(f"1..{number}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
