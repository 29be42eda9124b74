#!/usr/bin/env python3
"""pergola eu run: options, JSON, trace, breakpoints, the prompt, exit codes. TAP on standard
output."""
import json
import os
import pathlib
import pty
import re
import select
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
    assert code is None or r.returncode == code, (r.returncode, r.stdout, r.stderr)
    return r


def kernel(text, name="k.asm"):
    path = pathlib.Path(tmp) / name
    path.write_text(text)
    return path


@case
def json_result_is_json():
    r = run(examples / "01-add.asm", "--set", "g2:f=1,2,3,4,5,6,7,8", "--set",
            "g3:f=1,1,1,1,1,1,1,1", "--json")
    v = json.loads(r.stdout)
    assert v["state"] == "ended" and v["diagnostics"] == 0
    g4 = [x for x in v["threads"][0]["registers"] if x["register"] == "g4"][0]
    assert g4 == {"register": "g4", "changed": True, "type": "f",
                  "values": [2, 3, 4, 5, 6, 7, 8, 9]}


@case
def every_step_is_drawn():
    import xml.etree.ElementTree
    path = pathlib.Path(tmp) / "steps.svg"
    run(examples / "01-add.asm", "--set", "g2:f=1,2,3,4,5,6,7,8", "--set", "g3:f=1,1,1,1,1,1,1,1",
        "--svg", path)
    svg = xml.etree.ElementTree.parse(path).getroot()
    space = "{http://www.w3.org/2000/svg}"
    texts = [t.text for t in svg.iter(space + "text")]
    steps = [t for t in texts if t.startswith("t0 line ")]
    traced = [x
              for x in run(examples / "01-add.asm", "--trace").stdout.splitlines()
              if x.startswith("line ")]
    assert len(steps) == len(traced) >= 3 and any("add(8) g4<1>F" in t for t in steps), steps
    at = texts.index("g4:f")
    assert texts[at + 1:at + 9] == ["2", "3", "4", "5", "6", "7", "8", "9"], texts
    on = [r.get("class") for r in svg.iter(space + "rect")].count("on")
    assert on == sum(bin(int(x.split("[")[1][:8], 16)).count("1") for x in traced), on
    letters = max(len(t) for t in steps)
    assert letters > 100 and float(
        svg.get("width")) > 7.9 * letters, "the longest line is in the picture"
    loop = kernel("L:\njmpi(1) JIP: L { align1 WE_all 1N };\n", "loop.asm")
    run(loop, "--svg", path, "--max-instructions", 2500, code=1)
    assert "and 500 more steps" in path.read_text(), path.read_text()[-200:]
    run(examples / "01-add.asm", "--svg", "/no/such/place/x.svg", code=2)
    run(examples / "01-add.asm", "--svg", "/dev/full", code=1)


@case
def every_type_is_printed():
    k = kernel(END)
    for kind, text, shown in [("f", "1.5,-2", "1.5 -2"), ("d", "-7", "-7"),
                              ("ud", "255", "0x000000ff"),
                              ("w", "-3,4", "-3 4"), ("uw", "65535", "65535"), ("b", "-1", "-1"),
                              ("ub", "200", "200"), ("hf", "0.5,-1.5", "0.5 -1.5"),
                              ("df", "0.1", "0.1")]:
        r = run(k, "--set", f"g5:{kind}={text}", "--show", f"g5:{kind}")
        assert shown in r.stdout.splitlines()[0], (kind, r.stdout)


@case
def buffers_from_files_and_back():
    src, dst = pathlib.Path(tmp) / "in.bin", pathlib.Path(tmp) / "out.bin"
    src.write_bytes(struct.pack("<8f", *range(8)))
    run(examples / "02-scale-buffer.asm", "--buffer", f"0={src}", "--buffer", "1=zero:32", "--dump",
        f"1={dst}")
    assert struct.unpack("<8f", dst.read_bytes()) == tuple(2.0 * i for i in range(8))


@case
def a_read_past_the_end_of_a_buffer_gives_zero():
    r = run(examples / "02-scale-buffer.asm", "--buffer", "0=f:1,2", "--buffer", "1=zero:32",
            "--show", "b1:f:8")
    assert "2 4 0 0 0 0 0 0" in r.stdout


@case
def binary_kernels_run():
    out = pathlib.Path(tmp) / "k.bin"
    subprocess.run([pergola, "asm", str(examples / "01-add.asm"), "-o", str(out), "--format",
                    "raw"], check=True)
    assert "after 3 instructions" in run(out, "--check", "off").stdout


@case
def trace_shows_masks_and_values():
    r = run(examples / "03-branch.asm", "--set", "g2:d=0,1,2,3,4,5,6,7", "--trace")
    assert "[00000007] mul(8)" in r.stdout and "[000000f8] mov(8)" in r.stdout
    assert "*g4   d  0 10 20 0 0 0 0 0" in r.stdout


@case
def a_breakpoint_by_label_stops_at_the_prompt():
    r = run(examples / "03-branch.asm", "--set", "g2:d=0,1,2,3,4,5,6,7", "--break", "otherwise",
            "--mask", "0xff", stdin="bt\nregs g4:d\ncontinue\nquit\n")
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
def debug_is_run_with_a_prompt():
    r = subprocess.run([pergola, "eu", "debug", examples / "01-add.asm", "--set", "g2:f=1", "--set",
                        "g3:f=2"], input="s\np g4:f\nq\n",
                       capture_output=True, text=True, timeout=60)
    assert r.returncode == 0 and "*g4   f  3 0" in r.stdout, r.stdout + r.stderr


@case
def the_guide_has_every_command_of_the_prompt():
    listed = run(examples / "01-add.asm", "--set", "g2:f=1", "--set", "g3:f=2", "--step",
                 stdin="help\nquit\n").stdout
    names = re.findall(r"^(?:\(eu\) )?([a-z]+)\b.* {2,}\S", listed.partition("(eu) ")[2], re.M)
    guide = (examples / "../../docs/eu-kernels.md").read_text(encoding="utf-8")
    table = "\n".join(re.findall(r"^\| `.*", guide, re.M))
    assert len(names) >= 18, listed
    assert not [n for n in names if not re.search(rf"`{n}\b", table)], names


@case
def memory_at_the_prompt():
    r = run(examples / "02-scale-buffer.asm", "--buffer", "0=f:1,2,3", "--buffer", "1=zero:32",
            "--step", stdin="mem b0:f:3\ncontinue\nmem b1:f:3\nquit\n")
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
    r = run(kernel("mov(8) g3<1>W g0<8,8,1>D { align1 1Q };\n" + END), code=1)
    assert r.stderr.startswith("line 1: error: EU-084") and "mov(8)" in r.stderr
    assert not run(kernel("mov(8) g3<1>W g0<8,8,1>D { align1 1Q };\n" + END), "--check",
                   "off").stderr
    r = run(kernel("mov(8) g3<1>W g0<8,8,1>D { align1 1Q };\n" + END), "--check", "stop", code=1)
    assert "EU-084" in r.stderr and "after 0 instructions" in r.stdout


@case
def mistakes_of_the_text_have_line_and_column():
    r = run(kernel("nop;\nfrobnicate(8) g2;\n"), code=1)
    assert ":2:1:" in r.stderr


@case
def bad_command_lines_are_refused():
    k = kernel(END)
    for args in [("--set", "g200:f=1"), ("--set", "g2:f=x"), ("--set", "g2.8:f=1"),
                 ("--set", "g2.32:b=1"), ("--show", "g2.4:df"), ("--threads", "0"),
                 ("--threads", "65"),
                 ("--show", "q3"), ("--buffer", "0"), ("--buffer", "999=zero:4"),
                 ("--buffer", "0=zero:0"),
                 ("--mask", "bad"), ("--check", "maybe"), ("--break", "nowhere"),
                 ("--device", "tnt2"), ("--thread-id", "x"), ("--frob",)]:
        run(k, *args, code=2)
    run(code=2)
    run(pathlib.Path(tmp) / "missing.asm", code=1)


@case
def option_errors_name_option_value_and_what_is_allowed():
    k = kernel(END)
    for option, value, allowed in (("--threads", "65", "from 1 to 64"),
                                   ("--check", "maybe", "off, report or stop"),
                                   ("--mask", "bad", "32 bits"),
                                   ("--sanitize", "x", "memory, race, init, all"),
                                   ("--show", "q3", "such as g4"),
                                   ("--report", "/no/such/place/r", "No such file"),
                                   ("--buffer", "0=zero:0", "N=zero:SIZE")):
        r = run(k, option, value, code=2)
        assert option in r.stderr and f"'{value}'" in r.stderr and allowed in r.stderr, r.stderr


@case
def findings_are_reported_in_every_form():
    race = """mov(8) g10<1>UD 64UD { align1 WE_all 1Q };
mov(8) g11<1>UD g2<0,1,0>UD { align1 WE_all 1Q };
send(8) null<1>UW g10<8,8,1>UD 0x04036efe data MsgDesc: (untyped surface write) mlen 2 rlen 0 { align1 1Q };
"""
    for ending in ("txt", "json", "sarif"):
        path = pathlib.Path(tmp) / f"r.{ending}"
        r = run(kernel(race + END), "--threads", "2", "--thread-id", "g2.0", "--mask", "1",
                "--sanitize=race", "--report", path, code=1)
        text = path.read_text(encoding="utf-8")
        found = (json.loads(text)["runs"][0]["results"][0]["message"]["text"] if ending == "sarif"
                 else
                 json.loads(text.splitlines()[0])["message"] if ending == "json" else text)
        for said in ("race on byte 0x40: write by thread 0 of 2 in group (0, 0, 0), channel 0, at "
                     "0x00010020 'send(8)",
                     "then write by thread 1 of 2 in group (0, 0, 0), channel 0, at 0x00010020 "
                     "'send(8)"):
            assert said in found and said in r.stderr, (ending, text, r.stderr)
        assert "SAN-001" in text and "shared local memory" in text, text
    r = run(kernel(race + END), "--threads", "2", "--thread-id", "g2.0", "--sanitize=race",
            "--report", "/dev/full", code=1)
    assert "/dev/full cannot be written" in r.stderr, r.stderr


@case
def a_group_shares_memory_and_a_barrier():
    r = run(examples / "10-barrier.asm", "--threads", "4", "--thread-id", "g2.0", "--mask", "1",
            "--json", "--show", "g14:d")
    v = json.loads(r.stdout)
    assert [t["registers"][0]["values"][0] for t in v["threads"]] == [9, 4, 1, 0]


@case
def a_barrier_that_nobody_else_reaches_waits():
    k = kernel("wait(1) n0<1>UD { align1 WE_all 1N };\n" + END)
    assert "waiting" in run(k, code=1).stdout


@case
def a_deadlock_is_explained():
    barrier = """and(1) g12.2<1>UD g0.2<0,1,0>UD 0x0f000000UD { align1 WE_all 1N };
cmp.z.f0(1) null<1>D g2<0,1,0>D 0D { align1 WE_all 1N };
(+f0) jmpi(1) JIP: out { align1 WE_all 1N };
send(8) null<1>UW g12<8,8,1>UD 0x02000004 gateway MsgDesc: (barrier) mlen 1 rlen 0 { align1 WE_all 1Q };
wait(1) n0<1>UD { align1 WE_all 1N };
out:
"""
    r = run(kernel(barrier + END), "--threads", "3", "--thread-id", "g2.0", code=1)
    assert ("the barrier takes 3 messages, 2 have come" in r.stderr
            and "thread 0 ended" in r.stderr), r.stderr
    assert r.stderr.count(", line 5, for the barrier: wait(1)") == 2, r.stderr


@case
def values_that_do_not_fit_are_refused():
    k = kernel(END)
    for kind, good, bad in (("b", "-128,127,0xff", "128"), ("ub", "255", "256"), ("ub", "0", "-1"),
                            ("w", "-32768", "-32769"),
                            ("uw", "65535", "65536"), ("d", "-2147483648,0xffffffff", "2147483648"),
                            ("ud", "4294967295", "4294967296")):
        run(k, "--set", f"g5:{kind}={good}")
        for option in (["--set", f"g5:{kind}={bad}"], ["--buffer", f"0={kind}:{bad}"]):
            assert (run(k, *option, code=2).stderr
                    == f"pergola: {option[0]}: '{bad}' does not fit the type {kind}\n")
    for kind, good, bad in (("f", "3.4e38,inf,-inf,nan", "3.5e38"), ("hf", "65504,inf", "65536"),
                            ("df", "1e308,inf", "1e309")):
        run(k, "--set", f"g5:{kind}={good}")
        assert f"'{bad}' does not fit" in run(k, "--set", f"g5:{kind}={bad}", code=2).stderr
    for words, said in (("g5:f=1,,2", "'' is no number of the type f"),
                        ("g5:d=1.5", "'1.5' is no number of the type d"),
                        ("g127:d=1,2,3,4,5,6,7,8,9", "'9' and what follows are too many values"),
                        ("x5=1", "is not REGISTER:TYPE=VALUES")):
        r = run(k, "--set", words, code=2)
        assert said in r.stderr and r.stderr.count("\n") == 1, r.stderr


@case
def mistakes_are_shown_with_a_caret_and_what_is_close():
    r = run(kernel("nop;\n  movv(8) g2<1>F g3<8,8,1>F { align1 1Q };\n"), code=1)
    assert "'movv' is no instruction; did you mean 'mov'?" in r.stderr
    assert r.stderr.splitlines()[1:] == ["    2 |   movv(8) g2<1>F g3<8,8,1>F { align1 1Q };",
                                         "      |   ^"], r.stderr
    r = run(kernel("loop:\njmpi(1) JIP: lop { align1 WE_all 1N };\n"), code=1)
    assert "there is no label 'lop'; did you mean 'loop'?" in r.stderr
    r = run(kernel("loop:\njmpi(1) loop { align1 WE_all 1N };\n"), code=1)
    assert "expected a register, not 'loop'; a label is written 'JIP: loop'" in r.stderr
    r = run(kernel("mov(8) g2<1>F g3<8,8,1>F { align1 WE_al 1Q };\n"), code=1)
    assert "'WE_al' is no option; did you mean 'WE_all'?" in r.stderr
    for text, said in (("add.zat(8) g2<1>F g3<8,8,1>F g3<8,8,1>F { align1 1Q };",
                        "; did you mean 'sat'?"),
                       ("add.q(8) g2<1>F g3<8,8,1>F g3<8,8,1>F { align1 1Q };",
                        "'q' is no condition (z nz g ge l le o u) or sat"),
                       ("math sqr(8) g2<1>F g3<8,8,1>F null<8,8,1>F { align1 1Q };",
                        "'sqr' is no math function; did you mean 'sqrt'?"),
                       ("send(8) null<1>UW g2<8,8,1>UD 0x2000010 thread_spanner { align1 1Q };",
                        "; did you mean 'thread_spawner'?"),
                       ("mov(8) g2<1>F 1e39F { align1 1Q };",
                        "the immediate does not fit its type"),
                       ("mov(8) g2<1>F 0x100000000F { align1 1Q };",
                        "the immediate does not fit 32 bits"),
                       ("mov(8) g2<1>F 1.5D { align1 1Q };", "is of type F or DF")):
        assert said in run(kernel(text + "\n"), code=1).stderr, text
    assert run(kernel("mov(8) g2<1>F 1e3F { align1 1Q };\n" + END), "--show",
               "g2:f").stdout.startswith("*g2   f  1000 ")


@case
def bytes_have_no_lines():
    binary = pathlib.Path(tmp) / "k.bin"
    subprocess.run([pergola, "asm", kernel(END), "-o", binary], check=True)
    assert "line" not in run(binary, "--trace").stdout
    r = run(binary, "--step", stdin="break 0x10\ninfo\nlist\nbt\ncontinue\nstep\nstep\nbt\n")
    assert "line" not in r.stdout and "breakpoint 1 at 0x00010\n" in r.stdout, r.stdout
    assert r.stdout.count("dispatched") == 1 and r.stdout.count(
        "thread 0 has ended") >= 2, "a thread that has ended stands nowhere"


@case
def the_last_line_is_about_a_thread_that_stands_so():
    k = kernel("cmp.z.f0.0(1) null<1>D g2<0,1,0>D 0D { align1 WE_all 1N };\n"
               "(+f0.0) jmpi(1) JIP: done { align1 WE_all 1N };\nstay:\njmpi(1) JIP: stay { align1 "
               "WE_all 1N };\ndone:\n" + END)
    r = run(k, "--threads", "2", "--thread-id", "g2.0", "--max-instructions", "1000", code=1)
    assert "thread 0: ended" in r.stdout and "\nout of budget at 0x20 after" in r.stdout, r.stdout


@case
def a_descriptor_and_its_text_must_agree():
    for said, number in (("mlen 2", 1), ("rlen 3", 1), ("bti 7", 254)):
        word, value = said.split()
        text = {"mlen": "1", "rlen": "1", "bti": "254"} | {word: value}
        k = kernel("send(8) g14<1>UW g13<8,8,1>UD 0x02116efe\n   data MsgDesc: (untyped surface "
                   "read, "
                   f"bti {text['bti']}) mlen {text['mlen']} rlen {text['rlen']} {{ align1 1Q }};\n")
        r = run(k, code=1)
        assert (f"the text says {said}, the descriptor 0x02116efe says {number}"
                in r.stderr), r.stderr


@case
def a_descriptor_and_the_name_of_its_message_must_agree():
    for function, words, number, says in (("data", "untyped surface read", 0x04036efe,
                                           "untyped surface write"),
                                          ("data", "scratch block read", 0x02060000,
                                           "scratch block write"),
                                          ("gateway", "open", 0x02000004, "barrier")):
        text = ("send(8) null<1>UW g13<8,8,1>UD 0x%08x %s MsgDesc: (%s, x) mlen %u rlen 0 { align1 "
                "1Q };\n")
        r = run(kernel(text % (number, function, words, number >> 25)), code=1)
        assert (f"the text says '{words}', the descriptor 0x{number:08x} says '{says}'"
                in r.stderr), r.stderr
        for other in (says, "words of another assembler"):
            r = run(kernel(text % (number, function, other, number >> 25) + END), "--check", "off",
                    code=None)
            assert "ended" in r.stdout and "the text says" not in r.stderr, r


@case
def what_cannot_be_taken_is_named_and_changes_nothing():
    k = examples / "01-add.asm"
    assert "'x' is no number of the type f" in run(k, "--set", "g2:f=1,x", code=2).stderr
    assert "--device is a part that 'pergola devices' lists, not 'voodoo2'" in run(
        k, "--device", "voodoo2", code=2).stderr
    assert "--thread-id needs a value" in run(k, "--thread-id", code=2).stderr
    r = run(kernel("mov(8) g2<1>FF g3<8,8,1>F { align1 1Q };\n"), code=1)
    assert "1:13: error: expected a type" in r.stderr, r.stderr
    r = run(k, "--set", "g2:f=1", "--step",
            stdin="set g2:f=5,zz\np g2:f\nx/4zz g2\nmem b0\nt 5\nhelp xx\nq\n")
    parts = r.stdout.split("(eu) ")
    assert parts[1] == "set: 'zz' is no number of the type f\n" and parts[2].split()[:3] == [
        "g2", "f", "1"], parts[1:3]
    assert parts[3].startswith("x/COUNT FORMAT SIZE") and parts[4].startswith("there is no buffer "
                                                                              "b0"), parts[3:5]
    assert parts[5] == "there is no thread '5'; the last is 0\n" and parts[
        6] == "'xx' is no command; 'help' lists them\n", parts[5:]


@case
def breakpoints_have_numbers():
    r = run(examples / "04-collatz.asm", "--set", "g2:d=6,1,1,1,1,1,1,1", "--step",
            stdin="b 10\nb 6\ninfo\ndis 1\ninfo\nc\ndel 2\ninfo\nen 1\nc\nregs "
                  "g3:d\ndel\ninfo\ndel 9\nq\n")
    parts = r.stdout.split("(eu) ")
    assert "number 2" in parts[2] and "breakpoint 1 at" in parts[3] and "breakpoint 2 at" in parts[
        3]
    assert "disabled" in parts[5] and "line 6" in parts[6], parts
    assert "breakpoint 2" not in parts[8] and "breakpoint 1" in parts[8] and "line 10" in parts[
        10], parts
    assert parts[13] == "" and "there is no breakpoint '9'" in parts[14], parts


@case
def watches_stop_at_a_change():
    r = run(examples / "01-add.asm", "--set", "g2:f=1", "--set", "g3:f=2", "--step",
            stdin="s\nl\np g4:f\nwhat\nq\n")
    assert re.search(r"^(\(eu\) )?   line 2 0x00000 add\(8\).*\n=> line 3 0x00010 mov\(8\)",
                     r.stdout, re.M), r.stdout
    assert "'what' is no command; 'help' lists them" in r.stdout and "g4 f 3 0 0 0" in re.sub(
        " +", " ", r.stdout), r.stdout
    r = run(examples / "01-add.asm", "--set", "g2:f=1", "--set", "g3:f=2", "--step",
            stdin="watch g4:f\ncontinue\nregs g4:f\nq\n")
    assert ("watch 1, g4:f, has changed:\n*g4   f  3 0" in r.stdout
            and "line 3 0x00010" in r.stdout), r.stdout


@case
def places_can_be_set_and_shown_in_any_form():
    r = run(examples / "02-scale-buffer.asm", "--buffer", "0=f:1,2,3", "--buffer", "1=zero:32",
            "--step",
            stdin="set b0.1:f=10\nset g9:ud=258\nx/2xh g9\nx/1dw g9\nx/4xb b0.4\nslm 0x40\nuntil "
                  "5\nc\nmem b1:f:3\nset g9=\nhelp x\nq\n")
    parts = r.stdout.split("(eu) ")
    assert parts[3] == "0x00120: 0102 0000\n" and parts[4] == "0x00120: 258\n", parts[3:5]
    assert parts[5] == "0x00004: 00 00 20 41\n" and parts[6].startswith(
        "0x00040: 0x00000000"), parts[5:7]
    assert "line 5" in parts[7] and "b1[0] f 2 20 6" in parts[9] and parts[
        10] == "set: '' is no number of the type ud\n", parts
    assert parts[11].startswith("x /NFS PLACE") and "the size: b 1" in parts[11], parts[11]


def at_a_terminal(*args, keys):
    """What is shown at the end of a session in which each of these is typed at the prompt."""
    pid, fd = pty.fork()
    if pid == 0:
        os.environ["TERM"] = "xterm"
        os.execv(pergola, [pergola, "eu", "run", *map(str, args)])
    shown = b""

    def read(end):
        nonlocal shown
        while not shown.endswith(end) and select.select([fd], [], [], 30)[0]:
            try:
                shown += os.read(fd, 4096)
            except OSError:  # it has ended
                return

    for k in keys:
        read(b"(eu) ")
        shown += b"|"
        os.write(fd, k)
    read(b"nothing, but its end")
    os.close(fd)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0, shown
    return shown.decode().split("|")


@case
def lines_are_edited_and_remembered():
    if "libedit" not in sys.argv[3:]:
        return "SKIP there is no libedit"
    left, up, backspace = b"\x1b[D", b"\x1b[A", b"\x7f"
    parts = at_a_terminal(examples / "01-add.asm", "--step",
                          keys=[b"b 33" + backspace + b"\r", b"ifo" + left * 2 + b"n\r",
                                up + up + b"\r", b"info\r", b"q\r"])
    assert "breakpoint at 0x00010, number 1" in parts[
        1] and "breakpoint 1 at 0x00010, line 3" in parts[2], parts
    assert "number 2" in parts[3] and "breakpoint 2 at 0x00010, line 3" in parts[4], parts
    return None


@case
def without_a_trace_it_runs_at_full_speed():
    """As many instructions as an interpreter with a disassembler would need minutes for."""
    k = kernel("mov(1) g3<1>D 0D { align1 WE_all 1N };\nL:\nadd(1) g3<1>D g3<0,1,0>D 1D { align1 "
               "WE_all 1N };\n"
               "cmp.l.f0(1) null<1>D g3<0,1,0>D 20000000D { align1 WE_all 1N };\n(+f0) jmpi(1) "
               "JIP: L { align1 WE_all 1N };\n" + END)
    r = run(k, "--max-instructions", "100000000", "--mask", "1")
    assert "*g3   d  20000000" in r.stdout and "after 60000003 instructions" in r.stdout, r.stdout


def native(*args, code=0):
    r = subprocess.run([pergola, "eu", "native", *map(str, args)], capture_output=True, text=True,
                       timeout=60)
    assert r.returncode == code, (r.returncode, r.stdout, r.stderr)
    return r


@case
def native_code_is_shown():
    """Every instruction in both versions, the loop once more in each; its registers have homes, and
    host code uses them."""
    if "avx2" not in pathlib.Path("/proc/cpuinfo").read_text():
        return
    rows = native(examples / "04-collatz.asm", "--check", "off").stdout.splitlines()
    assert sum(" mul(8) g6<1>D" in x for x in rows) == 4, rows
    assert sum(x.startswith("-- region 0010 to 0090") for x in rows) == 2, rows
    counts = [x for x in rows if re.match(r"   g3 +vector +2 uses +ymm\d+ +written$", x)]
    assert len(counts) == 2, rows
    add = [x
           for x in rows
           if re.search(r"\| g3:y(\d+) = add g3:y\1, #1 +\| +[0-9a-f]+ +vpaddd ymm\1,ymm\1,\[#1\]$",
                        x)]
    assert len(add) == 2, rows
    assert not any(x.rstrip().endswith("?") for x in rows), "a host instruction has no text"
    more = native(examples / "04-collatz.asm", "--all").stdout.splitlines()
    assert "-- in and out" in more and any(x.startswith("(aside, of 0020)") for x in more), more


@case
def native_shows_threads_as_iterations():
    if "avx2" not in pathlib.Path("/proc/cpuinfo").read_text():
        return
    path = pathlib.Path(tmp) / "line.asm"
    path.write_text("""
mov(16) g4<1>UD 7UD { align1 1H };
add(16) g6<1>UD g2<8,8,1>UD g4<8,8,1>UD { align1 1H };
add(16) g8<1>UD g6<8,8,1>UD 1UD { align1 1H };
mov(16) g10<1>UD g8<8,8,1>UD { align1 1H };
send(16) null<1>UW g6<8,8,1>UD 0x08035e00 data MsgDesc: mlen 4 rlen 0 { align1 1H };
mov(8) g127<1>UD g0<8,8,1>UD { align1 WE_all 1Q };
send(8) null<1>UW g127<8,8,1>UD 0x02000010 thread_spawner MsgDesc: mlen 1 rlen 0 { align1 WE_all 1Q EOT };
""")
    rows = native(path, "--check", "off").stdout.splitlines()
    rows = rows[rows.index("-- threads as iterations"):]
    start = next(i for i, x in enumerate(rows) if x.startswith("(round)"))
    before, loop = "\n".join(rows[:start]), "\n".join(rows[start:])
    # the constant comes before the loop; the sum is not stored; what nobody reads is not there
    assert " mov(16) g4" in before and "add(16) g6" in loop and "mov(16) g4" not in loop, rows
    assert not re.search(r"vmovdqu \[g(6|7|8|9)\],", loop), rows
    assert "g10" not in loop and "g127" not in loop, rows


@case
def every_example_has_native_code_as_text():
    if "avx2" not in pathlib.Path("/proc/cpuinfo").read_text():
        return
    for path in sorted(examples.glob("*.asm")):
        rows = native(path, "--all").stdout.splitlines()
        assert len(rows) > 20 and not any(x.rstrip().endswith("?") for x in rows), path


@case
def native_wants_a_kernel():
    assert "usage: pergola eu native" in native("--help").stdout
    native(code=2)
    native("/nonexistent", code=1)
    native(kernel("nonsense"), code=1)
    native(examples / "01-add.asm", "--check", "maybe", code=2)


with tempfile.TemporaryDirectory() as tmp:
    print(f"1..{len(cases)}")
    for n, fn in enumerate(cases, 1):
        try:
            skipped = fn()
            print(f"ok {n} - {fn.__name__}{f' # {skipped}' if skipped else ''}")
        except Exception as e:  # a failed case is a line, not the end
            print(f"not ok {n} - {fn.__name__}")
            print("# " + repr(e).replace("\n", "\n# "))
