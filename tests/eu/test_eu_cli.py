#!/usr/bin/env python3
"""pergola eu run: options, JSON, trace, breakpoints, the prompt, exit codes. TAP on standard output."""
import json
import pathlib
import struct
import subprocess
import sys
import tempfile

pergola, root = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2])
examples = root / "examples/eu"
END = """mov(8) g127<1>UD g0<8,8,1>UD { align1 WE_all 1Q };
send(8) null<1>UW g127<8,8,1>UD 0x82000010 thread_spawner { align1 WE_all 1Q EOT };
"""
cases = []


def case(fn):
    cases.append(fn)
    return fn


def run(*args, stdin="", code=0):
    r = subprocess.run([pergola, "eu", "run", *map(str, args)], input=stdin, capture_output=True,
                       text=True, timeout=60)
    assert r.returncode == code, (r.returncode, r.stdout, r.stderr)
    return r


def kernel(text, name="k.asm"):
    path = pathlib.Path(tmp) / name
    path.write_text(text)
    return path


@case
def json_result_is_json():
    r = run(examples / "01-add.asm", "--set", "g2:f=1,2,3,4,5,6,7,8", "--set", "g3:f=1,1,1,1,1,1,1,1", "--json")
    v = json.loads(r.stdout)
    assert v["state"] == "ended" and v["diagnostics"] == 0
    g4 = [x for x in v["threads"][0]["registers"] if x["register"] == "g4"][0]
    assert g4 == {"register": "g4", "changed": True, "type": "f", "values": [2, 3, 4, 5, 6, 7, 8, 9]}


@case
def every_type_is_printed():
    k = kernel(END)
    for kind, text, shown in [("f", "1.5,-2", "1.5 -2"), ("d", "-7", "-7"), ("ud", "255", "0x000000ff"),
                              ("w", "-3,4", "-3 4"), ("uw", "65535", "65535"), ("b", "-1", "-1"),
                              ("ub", "200", "200"), ("hf", "0.5,-1.5", "0.5 -1.5"), ("df", "0.1", "0.1")]:
        r = run(k, "--set", f"g5:{kind}={text}", "--show", f"g5:{kind}")
        assert shown in r.stdout.splitlines()[0], (kind, r.stdout)


@case
def buffers_from_files_and_back():
    src, dst = pathlib.Path(tmp) / "in.bin", pathlib.Path(tmp) / "out.bin"
    src.write_bytes(struct.pack("<8f", *range(8)))
    run(examples / "02-scale-buffer.asm", "--buffer", f"0={src}", "--buffer", "1=zero:32", "--dump", f"1={dst}")
    assert struct.unpack("<8f", dst.read_bytes()) == tuple(2.0 * i for i in range(8))


@case
def a_read_past_the_end_of_a_buffer_gives_zero():
    r = run(examples / "02-scale-buffer.asm", "--buffer", "0=f:1,2", "--buffer", "1=zero:32", "--show", "b1:f:8")
    assert "2 4 0 0 0 0 0 0" in r.stdout


@case
def binary_kernels_run():
    out = pathlib.Path(tmp) / "k.bin"
    subprocess.run([pergola, "asm", str(examples / "01-add.asm"), "-o", str(out), "--format", "raw"], check=True)
    assert "after 3 instructions" in run(out, "--check", "off").stdout


@case
def trace_shows_masks_and_values():
    r = run(examples / "03-branch.asm", "--set", "g2:d=0,1,2,3,4,5,6,7", "--trace")
    assert "[00000007] mul(8)" in r.stdout and "[000000f8] mov(8)" in r.stdout
    assert "*g4   d  0 10 20 0 0 0 0 0" in r.stdout


@case
def a_breakpoint_by_label_stops_at_the_prompt():
    r = run(examples / "03-branch.asm", "--set", "g2:d=0,1,2,3,4,5,6,7", "--break", "otherwise", "--mask", "0xff",
            stdin="bt\nregs g4:d\ncontinue\nquit\n")
    assert "000000f8 at 0x00040 line 7 (active)" in r.stdout, r.stdout
    assert "at 0x00050 line 9" in r.stdout
    assert "thread 0 has ended" in r.stdout


@case
def a_breakpoint_by_line():
    r = run(examples / "04-collatz.asm", "--set", "g2:d=6,1,1,1,1,1,1,1", "--break", "10",
            stdin="regs g3:d\ncontinue\nregs g3:d\nquit\n", code=1)
    assert "*g3" not in r.stdout.split("(eu)")[1] and "*g3   d  1" in r.stdout


@case
def stepping():
    r = run(examples / "01-add.asm", "--set", "g2:f=1", "--set", "g3:f=2", "--step",
            stdin="step\nregs g4:f\nnext\nmem b9\nbreak nowhere\nhelp\nstep 5\nquit\n")
    assert "line 3 0x00010" in r.stdout and "*g4   f  3 0" in r.stdout
    assert "'nowhere' is no label" in r.stdout and "thread 0 has ended" in r.stdout


@case
def memory_at_the_prompt():
    r = run(examples / "02-scale-buffer.asm", "--buffer", "0=f:1,2,3", "--buffer", "1=zero:32", "--step",
            stdin="mem b0:f:3\ncontinue\nmem b1:f:3\nquit\n")
    assert "b0[0] f 1 2 3" in r.stdout and "b1[0] f 2 4 6" in r.stdout


@case
def an_endless_kernel_is_stopped():
    k = kernel("L:\njmpi(1) JIP: L { align1 WE_all 1N };\n")
    assert "out of budget" in run(k, "--max-instructions", "1000", code=1).stdout


@case
def a_fault_is_named_with_its_line():
    k = kernel("nop;\nmov(1) ip<1>UD 0x7f000000UD { align1 WE_all 1N };\n")
    r = run(k, code=1)
    assert "EU-187" in r.stderr and "faulted" in r.stdout


@case
def a_broken_rule_is_named_with_line_and_text():
    r = run(kernel("mov(8) g3<1>W g0<8,8,1>D { align1 1Q };\n" + END))
    assert r.stderr.startswith("line 1: error: EU-084") and "mov(8)" in r.stderr
    assert not run(kernel("mov(8) g3<1>W g0<8,8,1>D { align1 1Q };\n" + END), "--check", "off").stderr
    r = run(kernel("mov(8) g3<1>W g0<8,8,1>D { align1 1Q };\n" + END), "--check", "stop", code=1)
    assert "EU-084" in r.stderr and "after 0 instructions" in r.stdout


@case
def mistakes_of_the_text_have_line_and_column():
    r = run(kernel("nop;\nfrobnicate(8) g2;\n"), code=1)
    assert ":2:1:" in r.stderr


@case
def bad_command_lines_are_refused():
    k = kernel(END)
    for args in [("--set", "g200:f=1"), ("--set", "g2:f=x"), ("--threads", "0"), ("--threads", "65"),
                 ("--show", "q3"), ("--buffer", "0"), ("--buffer", "999=zero:4"), ("--buffer", "0=zero:0"),
                 ("--mask", "bad"), ("--check", "maybe"), ("--break", "nowhere"), ("--device", "tnt2"),
                 ("--thread-id", "x"), ("--frob",)]:
        run(k, *args, code=2)
    run(code=2)
    run(pathlib.Path(tmp) / "missing.asm", code=1)


@case
def a_group_shares_memory_and_a_barrier():
    r = run(examples / "10-barrier.asm", "--threads", "4", "--thread-id", "g2.0", "--mask", "1", "--json",
            "--show", "g14:d")
    v = json.loads(r.stdout)
    assert [t["registers"][0]["values"][0] for t in v["threads"]] == [9, 4, 1, 0]


@case
def a_barrier_that_nobody_else_reaches_waits():
    k = kernel("wait(1) n0<1>UD { align1 WE_all 1N };\n" + END)
    assert "waiting" in run(k, code=1).stdout


with tempfile.TemporaryDirectory() as tmp:
    print(f"1..{len(cases)}")
    for n, fn in enumerate(cases, 1):
        try:
            fn()
            print(f"ok {n} - {fn.__name__}")
        except Exception as e:  # a failed case is a line, not the end
            print(f"not ok {n} - {fn.__name__}")
            print("# " + repr(e).replace("\n", "\n# "))
