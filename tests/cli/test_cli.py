"""The small subcommands: regs, devices, rules, and the completion script."""
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

from proves import main, proves

PERGOLA = os.environ["PERGOLA"]

# The manual's flags of MFD_ERROR_STATUS, from bit 15 or the highest that has a name down to bit 0.
BOUNDS = ["Temporal Direct Motion Vector Out of Bound", "Final Motion Vector Out of Bound",
          "Motion Vector Delta Out of Bound", "Reference Index Out of Bound"]
LOWEST = ["Chroma Intra Prediction Mode", "Luma Intra Prediction Mode", "Macroblock Concealed"]
BITSTREAM_ERRORS = {
    "MFD_ERRORS_AVC_CAVLC": [
        "Total Zero Out of Bound", "Coefficient Level Out of Bound", "RunBefore Out of Bound",
        "Total Coefficient Out of Bound", *BOUNDS, "RunBefore or TotalZero", "Exponential Golomb",
        "Total Coefficient", "Coded Block Pattern", "Macroblock Type", *LOWEST],
    "MFD_ERRORS_AVC_CABAC": [
        "Coefficient Level Out of Bound", "reserved", "reserved", *BOUNDS, "Macroblock QP Delta",
        "Motion Vector Delta", "Reference Index", "Residual", "Slice End", *LOWEST],
    "MFD_ERRORS_VC1": [
        "Sync Marker", "Macroblock Mode", "Transform Type", "Coefficient", "Motion Vector",
        "Coded Block Pattern", "MQUANT", "Macroblock Concealed"],
    "MFD_ERRORS_MPEG2": [
        "Missing End of Block", "Overlapping Macroblocks", "Slice Out of Bound",
        "Premature Frame End", "Missing Macroblocks", "Macroblock Concealed"],
    "MFD_ERRORS_JPEG": [
        "Inconsistent Symbol", "Extra Block", "Missing Block", "Extra Coded Segment",
        "Missing Coded Segment"],
}
ROOT = os.environ["PERGOLA_SOURCE"]


def run(*args):
    return subprocess.run([PERGOLA, *args], capture_output=True, text=True, timeout=60)


class Regs(unittest.TestCase):
    def test_by_name_with_value(self):
        r = run("regs", "RCS_RING_BUFFER_CTL", "0x1f001")
        self.assertEqual(r.returncode, 0)
        self.assertIn("0x00203c", r.stdout)
        self.assertRegex(r.stdout, r"Buffer Length +31 pages - 1")
        self.assertRegex(r.stdout, r"Ring Buffer Enable +true")

    def test_by_offset_and_half(self):
        self.assertIn("RCS_TIMESTAMP", run("regs", "0x2358").stdout)
        self.assertIn("RCS_TIMESTAMP", run("regs", "0x235c").stdout)

    def test_reserved_bits_of_a_value_are_shown(self):
        self.assertIn("must be zero", run("regs", "RCS_RING_BUFFER_TAIL", "0x80000000").stdout)

    def test_part_of_a_name_lists(self):
        out = run("regs", "predicate").stdout
        self.assertIn("MI_PREDICATE_SRC0", out)
        self.assertNotIn("RING", out)

    def test_list_has_every_engine(self):
        out = run("regs").stdout
        for name in ("RCS_RING_BUFFER_TAIL", "VCS_MFX_MODE", "BCS_SWCTRL", "FENCE_31"):
            self.assertIn(name, out)

    def test_parts_differ(self):
        self.assertIn("FORCEWAKE_ACK", run("regs", "0x130090").stdout)
        self.assertIn("GTLC_WAKE_CTRL", run("regs", "--device=vlv", "0x130090").stdout)

    def test_ice_lake(self):
        self.assertIn("RCS0_RING_TIMESTAMP", run("regs", "--device=icl", "0x235c").stdout)
        self.assertIn("VECS0 reset", run("regs", "--device=icl", "VECS0_RING_CTL").stdout)

    def bitstream_errors(self, *value):
        """Of each standard, the names of the flags that are shown."""
        parts = run("regs", "MFD_ERROR_STATUS", *value).stdout.split("\nBitstream Error Flags as ")
        names = {}
        for part in parts[1:]:
            head, *lines = part.splitlines()
            names[head.split(",")[0]] = [re.sub(r"^ +\[ *[\d:]+\]  (.*?)(  .*)?$", r"\1", line)
                                         for line in lines if line]
        return names

    def test_flags_of_each_standard(self):
        proves("VCS-331", "VCS-332")
        for bit in range(16):
            shown = self.bitstream_errors(f"{0x70000 | 1 << bit:#x}")
            for standard, flags in BITSTREAM_ERRORS.items():
                name = flags[-1 - bit] if bit < len(flags) else "reserved"
                self.assertEqual(shown[standard], [name], f"{standard} bit {bit}")
        self.assertEqual(list(self.bitstream_errors()), list(BITSTREAM_ERRORS))
        self.assertEqual(set(map(tuple, self.bitstream_errors("0x70000").values())), {()})

    def test_errors_say_what_to_do(self):
        for args, code in ((("regs", "nonsense"), 1), (("regs", "0x2034", "x"), 2),
                           (("regs", "--device=tnt2"), 2),
                           (("regs", "a", "b", "c"), 2), (("regs", "0x2034", "0x1ffffffff"), 2)):
            r = run(*args)
            self.assertEqual(r.returncode, code, args)
            self.assertTrue("lists them" in r.stderr or "says more" in r.stderr
                            or "give a number" in r.stderr, r.stderr)


@unittest.skipUnless(shutil.which("lspci"), "no lspci (pciutils)")
class Pci(unittest.TestCase):
    """lspci, which nobody here wrote, reads the dump of every part and complains about nothing."""

    def lspci(self, part):
        with tempfile.NamedTemporaryFile("w") as f:
            f.write(run("pci", "--device", part, "--dump").stdout)
            f.flush()
            r = subprocess.run(["lspci", "-F", f.name, "-vvv", "-n"], capture_output=True,
                               text=True, timeout=60)
        # this machine has no kernel modules
        said = [x for x in r.stderr.splitlines() if "libkmod" not in x]
        self.assertEqual((r.returncode, said), (0, []))
        for word in ("!", "unknown", "broken", "chain looping", "ignored"):
            self.assertNotIn(word, r.stdout.lower())
        return r.stdout

    def test_ice_lake(self):
        proves("SYS-100", "SYS-109", "SYS-110", "SYS-114", "SYS-123", "SYS-130", "SYS-133",
               "SYS-137", "SYS-140", "SYS-161")
        text = self.lspci("icl")
        for line in ("00:02.0 0380: 8086:8a52 (rev 07)", "Interrupt: pin A",
                     "Capabilities: [40] Vendor Specific Information: Len=0c",
                     "Capabilities: [70] Express (v2) Root Complex Integrated Endpoint, MSI 00",
                     "RBE+ FLReset+",
                     "Capabilities: [ac] MSI: Enable- Count=1/1 Maskable+ 64bit-",
                     "Capabilities: [d0] Power Management version 2",
                     "Flags: PMEClk- DSI+ D1- D2-",
                     "Capabilities: [100 v1] Process Address Space ID (PASID)",
                     "PASIDCap: Exec- Priv-, Max PASID Width: 14",
                     "Capabilities: [200 v1] Address Translation Service (ATS)",
                     "Capabilities: [300 v1] Page Request Interface (PRI)",
                     "PRISta: RF- UPRGI- Stopped+"):
            self.assertIn(line, text)
        self.assertNotIn("SR-IOV", text)

    def test_gen7_parts(self):
        proves("SYS-424", "SYS-431")
        self.assertIn("PCI Advanced Features", self.lspci("ivb-gt2"))
        text = self.lspci("vlv")
        order = [text.index(c)
                 for c in ("[d0] Power Management", "[90] MSI", "[b0] Vendor Specific")]
        self.assertEqual(order, sorted(order))

    def test_decoded(self):
        lines = run("pci", "--device", "icl").stdout.splitlines()
        row = next(x for x in lines if " MSI_CAPID " in x).split()
        self.assertEqual(row, ["0ac", "MSI_CAPID", "d005", "0000", "SYS-113"])
        offsets = [int(x.split()[0], 16) for x in lines[1:]]
        self.assertEqual(offsets, sorted(offsets))
        self.assertEqual(run("pci", "--device", "tnt2").returncode, 2)
        self.assertEqual(run("pci", "what").returncode, 2)


class ExecScript(unittest.TestCase):
    def play(self, text, *args):
        with tempfile.NamedTemporaryFile("w", suffix=".pex") as f:
            f.write(text)
            f.flush()
            return run("exec", "--script", *args, f.name)

    def test_errors_name_the_word(self):
        for text, word in (("wrte 0 1", "wrte"), ("write 0 MI_NOTHING", "MI_NOTHING"),
                           ("write 3 1", "3"), ("write 0x10000000 1", "0x10000000"),
                           ("ring gpu 0", "gpu"), ("image 0 /nowhere", "/nowhere"),
                           ("reg NOTHING 1", "NOTHING"), ("show NOTHING", "NOTHING"),
                           ("run never", "never"), ("object 0 none", "none"),
                           ("object 0", "object")):
            r = self.play("# comment\n" + text + "\n")
            self.assertEqual(r.returncode, 1, text)
            self.assertRegex(r.stderr, rf":2: '{word}' (is|has) ")

    def test_objects(self):
        """A batch that writes to what it was not given; the same without the sanitizer, and without
        objects."""
        proves("SAN-014")
        batch = ("write 0x100000 0x10400002 0 {0:#x} 1 MI_BATCH_BUFFER_END\nbatch rcs "
                 "0x100000\nrun\nexpect {0:#x} 1\n")
        objects = "object 0x100000 0x1000\nobject 0x300000 0x100\n"
        good, bad = batch.format(0x300000), batch.format(0x302000)
        for text, options, found in ((good, ["--sanitize=memory"], 0),
                                     (bad, ["--sanitize=memory"], 1), (bad, [], 0),
                                     (bad, ["--sanitize=race"], 0)):
            r = self.play(objects + text, *options)
            self.assertEqual((r.stderr.count("SAN-014"), r.returncode), (found, 0), r.stderr)
        self.assertIn("7936 bytes behind object 2, of 256 bytes at 0x00300000",
                      self.play(objects + bad, "--sanitize=memory").stderr)
        self.assertNotIn("SAN-014", self.play(bad, "--sanitize=memory").stderr)
        store = "0x10400002 0 {:#x} 1 "
        # told once a page, by its address
        words = "".join(store.format(a) for a in (0x302010, 0x302020, 0x303010))
        r = self.play(objects
                      + f"write 0x100000 {words} MI_BATCH_BUFFER_END\nbatch rcs 0x100000\nrun\n",
                      "--sanitize=memory")
        found = [line.split(" in no object")[0]
                 for line in r.stderr.splitlines() if "SAN-014" in line]
        self.assertEqual(found,
                         [f"error: RCS at {page}: GGTT, write: write at {at}," for page, at in
                          (("0x00302000", "0x00302010"), ("0x00303000", "0x00303010"))])


class Bus(unittest.TestCase):
    def play(self, text, *args):
        return subprocess.run([PERGOLA, "bus", *args, "-"], input=text, capture_output=True,
                              text=True, timeout=60)

    def test_example_session(self):
        r = run("bus", "--trace=mmio,cs,irq", os.path.join(ROOT, "examples/bus/hello.bus"))
        self.assertEqual(r.returncode, 0, r.stderr)
        self.assertIn("MI_STORE_DATA_IMM", r.stdout)
        self.assertIn("RCS_RING_BUFFER_TAIL", r.stdout)
        self.assertIn("run: idle", r.stdout)
        self.assertIn("0x102000: 0x0000002a", r.stdout)

    def test_diagnostics_name_the_line(self):
        proves("RCS-173")
        r = self.play("read 0x2030\n\nwrite 0x2030 0x80000000\n")
        self.assertIn("line 3: warning", r.stdout)
        self.assertIn("[RCS-173]", r.stdout)

    def test_stop_level_fails(self):
        self.assertEqual(self.play("write 0x121a8 1 1\n", "--check=stop").returncode, 1)
        self.assertEqual(self.play("write 0x121a8 1 1\n", "--check=off").returncode, 0)

    def test_errors_name_the_line(self):
        for text in ("frob 1\n", "read\n", "read x\n", "store 0 1\n", "memory 0 100\n",
                     "load 0 99999999999\n",
                     "memory 0 0x40000000\n", "pte 0x80000 0\n", "store 0" + " 1" * 100 + "\n"):
            r = self.play("# comment\n" + text)
            self.assertEqual(r.returncode, 1, text)
            self.assertIn("line 2:", r.stderr)
        self.assertEqual(self.play("", "--trace=nonsense").returncode, 2)
        self.assertEqual(self.play("", "--device=tnt2").returncode, 2)

    def test_any_bytes(self):
        self.assertIn(self.play("\x01\x02 \x7f\n\n read 0x2030 # ok").returncode, (0, 1))


class Others(unittest.TestCase):
    @staticmethod
    def commands():
        return [line.split()[0]
                for line in run("--help").stdout.split("\n") if line.startswith("  ")]

    def test_help_everywhere(self):
        names = self.commands()
        self.assertEqual(names[0], "run")
        self.assertIn("regs", names)
        for name in names:
            r = run(name, "--help")
            self.assertEqual(r.returncode, 0, name)
            self.assertIn("usage: pergola", r.stdout)
            self.assertEqual(run("help", name).stdout, r.stdout, name)
        self.assertEqual(run("help", "no-such-command").returncode, 2)

    def test_the_manual_page_has_every_option(self):
        """And no other: of each command under a heading of its own."""
        with open(os.path.join(ROOT, "docs/pergola.1"), encoding="utf-8") as f:
            page = re.sub(r"\\f[BIR]", "", f.read()).replace("\\-", "-")
        sections = dict(re.findall(r"^\.SH OPTIONS OF ([a-z ]+)\n(.*?)(?=^\.SH )", page,
                                   re.M | re.S))
        # options of others in a sentence
        elsewhere = {"oa": {"--oa"}, "replay": {"--aub"}, "devices": {"--device"}}
        names = sorted({*self.commands(), "eu run", "eu native"} - {"eu"})
        for name in names:
            option = r"(?<![\w-])--[a-z][a-z0-9-]*"
            said = set(re.findall(option,
                                  run(*name.split(),
                                      "--help").stdout)) - elsewhere.get(name, set()) - {"--help"}
            heads = "\n".join(re.findall(r"^\.TP\n(.*)", sections.get(name, ""), re.M))
            self.assertEqual(set(re.findall(option, heads)), said, name)
        self.assertLessEqual(set(sections), set(names))

    def test_devices(self):
        out = run("devices").stdout
        for part in ("ivb-gt1", "ivb-gt2", "vlv"):
            self.assertIn(part, out)

    def test_rules(self):
        self.assertIn("RCS-117", run("rules").stdout)
        self.assertIn("Store Data Index", run("rules", "RCS-117").stdout)
        self.assertEqual(run("rules", "rCs-117").stdout, run("rules", "RCS-117").stdout)
        self.assertIn("MEM-020", run("rules", "MEM").stdout)
        self.assertEqual(run("rules", "RCS-X99").returncode, 1)

    FILES = {"bus": [], "decode": [], "exec": [], "asm": ["-o", "/dev/null"], "disasm": [],
             "replay": []}

    def test_exit_codes(self):
        """0 done, 1 failed, 2 the command line is wrong, for every command that reads a file."""
        for name, more in self.FILES.items():
            self.assertEqual(run(name, "--help").returncode, 0, name)
            self.assertEqual(run(name, "/no/such/file", *more).returncode, 1, name)
            self.assertEqual(run(name, "--no-such-option").returncode, 2, name)
            self.assertEqual(run(name).returncode, 2, name)

    def test_wrong_words_are_named(self):
        """In the words of the command line, not of the library."""
        example = os.path.join(ROOT, "examples/eu/01-add.asm")
        for name in ("exec", "eu run", "eu native", "bus", "pci", "device", "vme", "replay",
                     "decode"):
            r = run(*name.split(), "--device", "voodoo2",
                    *([] if name in ("pci", "device") else [example] * (1 + (name == "vme"))))
            self.assertIn("'voodoo2'", r.stderr, name)
            self.assertIn("pergola devices", r.stderr, name)
            self.assertNotEqual(r.returncode, 0, name)
        for name in (*self.commands(), "eu run", "eu debug", "eu native"):
            if name in ("eu", "vm"):  # has only commands of its own; Python's
                continue
            words = re.escape(name.replace("debug", "run"))
            self.assertRegex(run(*name.split(), "--no-such-option").stderr,
                             rf"^pergola: {words} has no option '--no-such-option'[^\n]*\n$")
        script = os.path.join(ROOT, "examples/exec/three-engines.pex")
        self.assertIn("a script is run with --script", run("exec", script).stderr)

    VALUES = {  # of each command, options and what their values are to be
        "decode": {"engine": "rcs, vcs, bcs or vecs",
                   "base": "an address below 4 GiB that is a multiple of 4"},
        "asm": {"format": "raw, hex or c"}, "disasm": {"format": "raw or hex"},
        "bus": {"check": "off, report or stop", "trace": "a list of"},
        "replay": {"fill": "a dword such as 0", "budget": "a number above 0"},
        "tess": {"topology": "points, lines, cw or ccw",
                 "size": "a number of pixels from 64 to 8192"},
        "exec": {"engine": "rcs, vcs or bcs", "check": "off, report or stop",
                 "sanitize": "a list of", "budget": "a number above 0", "fail-on": "a list of"},
        "device": {"check": "off, report or stop", "trace": "a list of",
                   "slow": "a number from 1 to"},
        "eu run": {"threads": "a number from 1 to 64", "mask": "a mask of 32 bits",
                   "check": "off, report or stop", "show": "a place such as"},
        "eu native": {"check": "off, report or stop"},
        "walker": {"resolution": "X,Y, each from 0 to 511", "block": "X,Y, each from 0 to 511",
                   "global-inner": "X,Y, each from -512 to 511",
                   "middle": "X,Y, each from -2 to 1", "extra-steps": "a number from 0 to 31",
                   "local-count": "a number from 0 to 1023",
                   "colors": "a number from 1 to 16", "scale": "a number from 1 to 8"},
        "vme": {"frame": "a number of frames", "distance": "a number from 1 to 1000",
                "window": "WxH, each a multiple of 4 from 20 to 64",
                "path": "full or small", "precision": "whole, half or quarter",
                "shapes": "a list of 16x16", "lambda": "a number from 0 to 15",
                "scale": "a number from 1 to 8", "explain": "X,Y", "size": "WxH"},
    }

    def test_wrong_values_are_named(self):
        """With the option and what is allowed, in one line: a screen of help would hide it."""
        for name, options in self.VALUES.items():
            for option, wants in options.items():
                r = run(*name.split(), f"--{option}", "zz/zz", "file")
                self.assertEqual(r.returncode, 2, (name, option))
                self.assertRegex(r.stderr,
                                 rf"^pergola {name}: --{option} is {re.escape(wants)}[^\n]*, not "
                                 rf"'zz/zz'\n$")
        self.assertIn("'zz' is not a pattern; they are raster, column,", run("walker", "zz").stderr)
        batch = os.path.join(ROOT, "examples/eu/01-add.asm")
        for words in (["exec", "--dump", "0:x", batch], ["exec", "--reg", "nothing", batch],
                      ["vme", "--set", "MaxNumMVs=x", "a", "b"],
                      ["vme", "--set", "MaxNumMVs=9999", "a", "b"],
                      ["vme", "--set", "nothing=1", "a", "b"], ["device", "--socket", ""]):
            r = run(*words)
            self.assertEqual((r.returncode, r.stdout), (2, ""), words)
            self.assertRegex(r.stderr,
                             rf"^pergola {words[0]}: {words[1]} is [^\n]+, not '{words[2]}'\n$")
        self.assertIn("--ignore: '' is not a rule", run("run", "--ignore", "", "--", "true").stderr)
        for option, wants in (("device", "a part that"), ("check", "off, report or stop"),
                              ("smp", "a number of"), ("memory", "a size such as"),
                              ("timeout", "a number of seconds")):
            r = run("vm", f"--{option}", "zz/zz", "--", "true")
            self.assertEqual(r.returncode, 2)
            self.assertRegex(r.stderr, rf"\npergola vm: error: --{option} is {wants}[^\n]*, "
                                       r"not 'zz/zz'\n$")
        for option in ("--aub", "--oa", "--error-state", "--baseline", "--write-baseline"):
            self.assertIn(f"{option} wants a file, not '-'",
                          run("run", option, "-", "--", "true").stderr)

    def test_surplus_words_are_named(self):
        for name in ("decode", "asm", "disasm", "bus", "eu run", "eu native", "oa", "replay",
                     "exec", "rules"):
            r = run(*name.split(), "one", "two")
            self.assertEqual((r.returncode, r.stdout), (2, ""), name)
            self.assertRegex(r.stderr, rf"^pergola:? {name}[: ][^\n]*'two'[^\n]*\n$")
        for words in (["pci", "two"], ["devices", "two"], ["regs", "a", "1", "two"],
                      ["device", "--socket", "s", "two"], ["vme", "a", "b", "two"]):
            r = run(*words)
            self.assertEqual(r.returncode, 2, words)
            self.assertRegex(r.stderr,
                             rf"^pergola {words[0]}: 'two' is one word too many; 'pergola "
                             rf"{words[0]} --help' says more\n$")

    def test_files_are_tried_before_the_run(self):
        kernel = os.path.join(ROOT, "examples/eu/01-add.asm")
        for words in (["eu", "run", kernel, "--svg", "/no/such/f"],
                      ["eu", "run", kernel, "--buffer", "1=zero:64", "--dump", "1=/no/such/f"],
                      ["exec", kernel, "--save", "/no/such/f"],
                      ["exec", kernel, "--error-state", "/no/such/f"],
                      ["exec", kernel, "--trace", "/no/such/f"],
                      ["exec", kernel, "--perfetto", "/no/such/f"],
                      ["exec", kernel, "--report", "/no/such/f"],
                      ["eu", "run", kernel, "--report", "/no/such/f"],
                      ["walker", "26", "--png", "/no/such/f"],
                      ["walker", "26", "--apng", "/no/such/f"],
                      ["tess", "quad", "odd", "3", "--png", "/no/such/f"],
                      ["replay", kernel, "--to-aub", "/no/such/f"],
                      ["vme", "a", "b", "--json", "/no/such/f"],
                      ["vme", "a", "b", "--predicted", "/no/such/f"]):
            r = run(*words)
            self.assertEqual((r.returncode, r.stdout), (2, ""), words)
            self.assertRegex(r.stderr,
                             r"^pergola: --[a-z-]+ '/no/such/f': No such file or directory\n$")
        self.assertIn("the N of a --buffer", run("eu", "run", kernel, "--dump", "1=/tmp/f").stderr)
        self.assertIn("No such file", run("asm", kernel, "-o", "/no/such/f").stderr)

    def test_what_is_no_plain_file(self):
        with tempfile.TemporaryDirectory() as d:
            os.mkfifo(f"{d}/fifo")
            open(f"{d}/empty", "wb").close()
            for name, more in self.FILES.items():
                if name == "replay":  # has a reader of its own, for compressed files
                    continue
                for path, words in ((f"{d}/empty", "the file is empty"), (d, "it is a directory")):
                    if (name, path) == ("exec", d):  # a dump
                        words = "no batch of 'pergola run --dump'"
                    r = run(name, path, *more)
                    self.assertEqual(r.returncode, 1, (name, path))
                    self.assertIn(words, r.stderr, (name, path))
            for name in ("decode", "replay", "vme"):
                r = run(name, f"{d}/fifo")
                self.assertEqual(r.returncode, 1)
                self.assertIn("it is a FIFO, and nobody writes to it", r.stderr)
            for path, words in ((d, "it is a directory"), (f"{d}/empty", "the file is empty"),
                                (f"{d}/fifo", "it is a FIFO")):
                self.assertIn(words, run("vme", path, path).stderr)
            self.assertIn("it is no plain file", run("exec", "--load", f"{d}/fifo").stderr)
            self.assertIn("it is a FIFO, and a file is wanted",
                          run("run", "--baseline", f"{d}/fifo", "--", "true").stderr)
        r = subprocess.run(["bash", "-c", f"{PERGOLA} decode <(printf '\\0\\0\\0\\5')"],
                           capture_output=True, text=True, timeout=60)
        self.assertIn("MI_BATCH_BUFFER_END", r.stdout, r.stderr)  # a FIFO that somebody writes to

    def test_what_makes_a_batch_fail(self):
        """A broken rule does not, unless --fail-on names its kind; so for a batch with nothing
        wrong."""
        with tempfile.NamedTemporaryFile() as wrong, tempfile.NamedTemporaryFile() as right:
            # a stall by itself: RCS-128
            wrong.write(struct.pack("<6I", 0x7a000003, 1 << 20, 0, 0, 0, 0x05000000))
            right.write(struct.pack("<2I", 0, 0x05000000))
            wrong.flush()
            right.flush()
            for kinds, code in ((None, 0), ("warning,sanitizer", 0), ("error", 3), ("all", 3)):
                option = [f"--fail-on={kinds}"] if kinds else []
                r = run("exec", *option, wrong.name)
                self.assertEqual(r.returncode, code, r.stderr)
                self.assertEqual("exit code 3 by --fail-on=error" in r.stderr, code == 3)
                self.assertEqual(run("exec", *option, right.name).returncode, 0)

    def test_a_batch_past_its_end(self):
        with tempfile.TemporaryDirectory() as d:
            with open(f"{d}/b", "wb") as f:
                # the last page of memory, all MI_NOOP
                f.write(struct.pack("<3I", 0x18800000, 0x0ffff000, 0))
            r = run("exec", "--report", f"{d}/r.sarif", f"{d}/b")
            self.assertEqual(r.returncode, 1)
            self.assertIn("the batch at 0x0ffff000 has run past its end, for 0x1000 bytes with no "
                          "MI_BATCH_BUFFER_END", r.stderr)
            # zeros behind the commands, then what is somebody else's
            with open(f"{d}/into", "wb") as f:
                f.write(struct.pack("<10I", *[0] * 9, 0xe1234567))
            self.assertRegex(run("exec", f"{d}/into").stderr,
                             r"9 zeros are before it: the batch at 0x[0-9a-f]{8} has probably run "
                             r"past its end, "
                             "for 0x24 bytes with no MI_BATCH_BUFFER_END")
            with open(f"{d}/alone", "wb") as f:
                f.write(struct.pack("<3I", 0x02000000, 0, 0xe1234567))
            r2 = run("exec", f"{d}/alone").stderr
            self.assertIn("0xe1234567", r2)
            self.assertNotIn("past its end", r2)
            with open(f"{d}/r.sarif", encoding="utf-8") as f:
                rules = json.load(f)["runs"][0]["tool"]["driver"]["rules"]
            self.assertTrue(rules)
            for rule in rules:
                manual = re.match(r"IVB vol (\d) part (\d), p. (\d+)", rule["properties"]["manual"])
                file = ("IVB/IHD_OS_Vol{}_Part{}.pdf#page={}".format(*manual.groups()) if manual
                        else r"[A-Z]{3}/")
                self.assertRegex(rule["helpUri"], rf"^https://www\.x\.org/docs/intel/{file}$", rule)

    def test_a_page_fault_names_its_command(self):
        with tempfile.TemporaryDirectory() as d:
            with open(f"{d}/b", "wb") as f:
                f.write(struct.pack("<5I", 0x10000002, 0, 0x70000000, 0x1234, 0x05000000))
            where = "MI_STORE_DATA_IMM at ring + 0x0, batch 0x00100000 + 0x0"
            self.assertIn(f"page fault on a write of 0x70000000: the page table entry is not valid "
                          f"({where}) [RCS-054]",
                          run("exec", f"{d}/b").stderr)
            for ending in ("txt", "json", "sarif"):
                run("exec", "--report", f"{d}/r.{ending}", f"{d}/b")
            with open(f"{d}/r.json", encoding="utf-8") as f:
                self.assertEqual([(json.loads(x)["rule"], json.loads(x)["where"]) for x in f],
                                 [("RCS-054", where)])
            with open(f"{d}/r.sarif", encoding="utf-8") as f:
                self.assertEqual(json.load(f)["runs"][0]["results"][0]["properties"]["where"],
                                 where)
            with open(f"{d}/r.txt", encoding="utf-8") as f:
                self.assertIn(where, f.read())

    def test_brief_decoding(self):
        with tempfile.TemporaryDirectory() as d:
            with open(f"{d}/b", "wb") as f:
                f.write(struct.pack("<7I", 0x7a000003, 1 << 20 | 1 << 12, 0, 0, 0, 0x05000000, 0))
            whole, brief = (run("decode", *options, f"{d}/b").stdout
                            for options in ([], ["--brief"]))
            self.assertIn("Depth Cache Flush Enable: false", whole)
            self.assertNotIn(": false", brief)
            self.assertIn("Command Streamer Stall Enable: true", brief)
            self.assertIn("MI_BATCH_BUFFER_END", brief)
            self.assertLess(len(brief.splitlines()), len(whole.splitlines()) / 2)

    def test_one_is_no_plural(self):
        with tempfile.TemporaryDirectory() as d:
            with open(f"{d}/five", "wb") as f:
                f.write(b"\0\0\0\5!")
            with open(f"{d}/one", "wb") as f:
                f.write(b"!")
            self.assertIn("1 byte after the last whole dword is left out",
                          run("decode", f"{d}/five").stderr)
            self.assertIn("holds 1 byte; ", run("decode", f"{d}/one").stderr)
            self.assertIn("1 byte is no whole dwords", run("exec", f"{d}/one").stderr)
            with open(f"{d}/unknown", "wb") as f:  # MI opcode 0x0d, one dword long
                f.write(struct.pack("<2I", 0x06800000, 0x05000000))
            self.assertIn("1 dword is skipped",
                          run("exec", "--engine", "bcs", f"{d}/unknown").stderr)
        self.assertEqual(run("walker", "26", "--resolution", "1,1").stdout.splitlines()[-1],
                         "1 step")

    def test_output_that_cannot_be_written(self):
        batch = os.path.join(ROOT, "examples/eu/01-add.asm")
        for words in (["--help"], ["--version"], ["rules"], ["devices"], ["regs"],
                      ["run", "--help"], ["decode", batch],
                      ["ecode", "7:0:0x85fdfffd"], ["tess", "quad", "odd", "3.5", "5", "7", "2"],
                      ["asm", batch], ["walker", "26"]):
            with open("/dev/full", "w", encoding="utf-8") as full:
                r = subprocess.run([PERGOLA, *words], stdout=full, stderr=subprocess.PIPE,
                                   text=True, timeout=60, check=False)
            self.assertEqual(r.returncode, 1, words)
            self.assertIn("cannot be written", r.stderr, words)

    def test_unknown_command(self):
        r = run("frobnicate")
        self.assertEqual(r.returncode, 2)
        self.assertIn("--help", r.stderr)

    def complete(self, *words):
        script = os.path.join(ROOT, "frontends/cli/completion/pergola.bash")
        quoted = " ".join(f"'{w}'" for w in words)
        code = (f"source {script}; PATH={os.path.dirname(PERGOLA)}:$PATH; COMP_WORDS=({quoted}); "
                f"COMP_CWORD={len(words) - 1}; _pergola; printf '%s\\n' \"${{COMPREPLY[@]}}\"")
        return subprocess.run(["bash", "-c",
                               code], capture_output=True, text=True, timeout=60).stdout.split()

    def test_completion(self):
        self.assertIn("regs", self.complete("pergola", "re"))
        self.assertIn("RCS_RING_BUFFER_TAIL", self.complete("pergola", "regs", "rcs_ring"))
        self.assertIn("vlv", self.complete("pergola", "regs", "--device="))
        self.assertIn("RCS-117", self.complete("pergola", "rules", "RCS-11"))


def dispatch(kernel, threads, expected):
    """A batch file: one group of a kernel; the barrier expects so many threads (0: there is
    none)."""
    base, descriptor, code = 0x100000, 0x800, 0x1000
    words = [0x69040002, 0x61010008, 1, 1, base | 1, 1, base + code | 1, 1, 1, 1, 1,
             0x70000006, 0, 127 << 16 | 2 << 8 | 1 << 6 | 1 << 2, 0, 2 << 16, 0, 0, 0,
             0x70020002, 0, 32, descriptor,
             0x71050009, 0, threads - 1, 0, 1, 0, 1, 0, 1, 0xffffffff, 0xffffffff, 0x70040000, 0,
             0x0a << 23]
    state = [0, 0, 0, 0, 0, (1 << 21 | expected) if expected else 0, 0, 0]
    with tempfile.NamedTemporaryFile("w", suffix=".asm") as text:
        text.write(kernel)
        text.flush()
        made = subprocess.run([PERGOLA, "asm", text.name], capture_output=True, timeout=60)
    if made.returncode:
        raise AssertionError(made.stderr)
    data = struct.pack(f"<{len(words)}I", *words).ljust(descriptor,
                                                        b"\0") + struct.pack("<8I", *state)
    return data.ljust(code, b"\0") + made.stdout.ljust(256, b"\0")


class ExecThatHangs(unittest.TestCase):
    def exec(self, *dispatched, budget="2000000"):
        with tempfile.NamedTemporaryFile(suffix=".bin") as batch:
            batch.write(dispatch(*dispatched))
            batch.flush()
            return run("exec", "--budget", budget, batch.name)

    def test_a_loop_is_told(self):
        r = self.exec("again:\nadd(8) g10<1>D g10<8,8,1>D 1D { align1 WE_all 1Q };\nwhile(8) JIP: "
                      "again { align1 WE_all 1Q };\n", 1, 0)
        self.assertEqual(r.returncode, 1, r.stderr)
        self.assertIn("RCS: out of budget", r.stdout)
        self.assertIn("RCS: GPGPU thread 0 (0 of 1 in group 0, 0, 0) on half-slice 0, EU 0, slot "
                      "0: kernel 0x00101000, at 0x001010", r.stdout)
        self.assertRegex(r.stdout,
                         r"runs; its last \d+ instructions lie between 0x00101000 and 0x00101010 "
                         r"and send no message\n")

    def test_a_missed_barrier_is_told(self):
        r = self.exec("mov(8) g10<1>UD 0UD { align1 WE_all 1Q };\n"
                      "and(1) g10.2<1>UD g0.2<0,1,0>UD 0x0f000000UD { align1 WE_all 1N };\n"
                      "send(8) null<1>UW g10<8,8,1>UD 0x02000004 gateway MsgDesc: mlen 1 rlen 0 { "
                      "align1 WE_all 1Q };\n"
                      "wait(1) n0<1>UD { align1 WE_all 1N };\n", 2, 3)
        self.assertEqual(r.returncode, 1, r.stderr)
        self.assertIn("RCS: stopped", r.stdout)
        self.assertEqual(r.stdout.count("'wait(1) n0"), 2, r.stdout)
        self.assertIn("waits for barrier 0: 2 of 3 messages have come\n", r.stdout)


class SavedMachines(unittest.TestCase):
    """exec --save in the middle of a batch; another process goes on with --load."""
    STORES = 12

    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.batch, self.saved = (os.path.join(self.place.name, n) for n in ("batch", "saved"))
        words = [w for i in range(self.STORES)
                 for w in (0x10000002, 0, 0x800000 + 4 * i, 0xA0 + i)] + [0x0a << 23]
        with open(self.batch, "wb") as f:
            f.write(struct.pack(f"<{len(words)}I", *words))

    @staticmethod
    def shown(ran):
        return ran.stdout.partition("\n")[2]  # the memory; the first line is the engine's

    def test_another_process_goes_on(self):
        dump = ("--dump", "0x800000:64")
        whole = run("exec", *dump, self.batch)
        self.assertEqual(whole.returncode, 0, whole.stderr)
        picture = self.shown(whole)
        self.assertIn(f" {0xA0 + self.STORES - 1:08x}\n", picture)
        unfinished = 0
        for budget in range(1, self.STORES + 2):
            first = run("exec", "--budget", str(budget), "--save", self.saved, *dump, self.batch)
            self.assertEqual(first.returncode, 0, first.stderr)
            unfinished += picture != self.shown(first)
            second = run("exec", "--load", self.saved, *dump)
            self.assertEqual(second.returncode, 0, second.stderr)
            self.assertEqual(self.shown(second), picture, budget)
        self.assertGreater(unfinished, self.STORES // 2)

    def test_what_is_no_saved_machine(self):
        self.assertEqual(run("exec", "--budget", "3", "--save", self.saved, self.batch).returncode,
                         0)
        with open(self.saved, "rb") as f:
            good = f.read()
        for bad in (b"", good[:7], good[:len(good) // 2], b"x" + good[1:], good + b"more"):
            with open(self.saved, "wb") as f:
                f.write(bad)
            r = run("exec", "--load", self.saved)
            self.assertEqual(r.returncode, 1, len(bad))
            self.assertIn("saved", r.stderr)
        self.assertEqual(run("exec", "--load", os.path.join(self.place.name, "none")).returncode, 1)
        self.assertEqual(run("exec", "--save", "/dev/full", self.batch).returncode, 1)


if __name__ == "__main__":
    main()
