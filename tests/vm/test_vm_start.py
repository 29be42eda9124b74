"""pergola vm before there is a machine: what is missing or wrong is said in a line. QEMU is a
script here."""
import importlib.machinery
import importlib.util
import os
import signal
import subprocess
import tempfile
import time
import unittest

from proves import main

PERGOLA = os.environ["PERGOLA"]
SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../frontends/vm/pergola-vm")
NEVER = 60  # seconds
# Finds the directory that is the guest's /vm among its arguments.
GUEST = r"""#!/bin/sh
for a; do case $a in *,id=out,path=*) out=$(echo "${a##*path=}" | sed 's/,,/,/g') ;; esac; done
"""


@unittest.skipUnless(os.path.exists("/bin/busybox"), "no /bin/busybox (busybox-static)")
class Start(unittest.TestCase):
    def setUp(self):
        self.made = tempfile.TemporaryDirectory()
        self.place = self.made.name
        self.qemu = os.path.join(self.place, "qemu")
        os.makedirs(os.path.join(self.qemu, "kernel/boot"))
        os.makedirs(os.path.join(self.qemu, "kernel/lib/modules/1.2.3"))
        self.write("qemu/kernel/boot/vmlinuz-1.2.3")
        self.machine("echo done >$out/.stdout; echo 5 >$out/.status")

    def tearDown(self):
        self.made.cleanup()

    def write(self, name, text="", mode=0o644):
        path = os.path.join(self.place, name)
        with open(path, "w") as f:
            f.write(text)
        os.chmod(path, mode)
        return path

    def machine(self, script):
        self.write("qemu/qemu-system-x86_64", GUEST + script + "\n", 0o755)

    def run_vm(self, *options, qemu=None, command=("--", "true")):
        environment = {k: v for k, v in os.environ.items() if k != "PERGOLA_QEMU"}
        options = ["--qemu", qemu or self.qemu, *options] if qemu != "" else options
        return subprocess.run([PERGOLA, "vm", *options, *command], capture_output=True, text=True,
                              check=False, timeout=NEVER, env={**environment, "TMPDIR": self.place})

    def refused(self, status, says, *options, **named):
        """In one line, but for the usage of a wrong command."""
        r = self.run_vm(*options, **named)
        said = [line for line in r.stderr.splitlines() if not line.startswith("usage:")]
        self.assertEqual((r.returncode, r.stdout, len(said)), (status, "", 1), r.stderr)
        self.assertIn(says, said[0])
        self.assertEqual([n for n in os.listdir(self.place) if n.startswith("pergola-vm.")], [])

    def test_a_machine_that_runs(self):
        r = self.run_vm()
        self.assertEqual((r.returncode, r.stdout, r.stderr), (5, "done\n", ""))

    def test_no_qemu(self):
        self.refused(2, "no QEMU; scripts/install-qemu DIR unpacks one, --qemu DIR names it",
                     qemu="")
        self.refused(2, f"no qemu-system-x86_64 in {self.place}; scripts/install-qemu DIR",
                     qemu=self.place)
        self.refused(2, "no qemu-system-x86_64 in /nowhere;", qemu="/nowhere")
        os.chmod(os.path.join(self.qemu, "qemu-system-x86_64"), 0o644)
        self.refused(2, f"no qemu-system-x86_64 in {self.qemu};")
        self.write("qemu/qemu-system-x86_64", "#!/nowhere/interpreter\n", 0o755)
        self.refused(1, f"pergola vm: {self.qemu}/qemu-system-x86_64: No such file or directory")

    def test_no_kernel(self):
        self.refused(1, "pergola vm: no kernel /nowhere/vmlinuz-1", "--kernel",
                     "/nowhere/vmlinuz-1")
        self.refused(1, f"pergola vm: no kernel {self.place}", "--kernel", self.place)
        self.refused(1, "its name is not vmlinuz-VERSION", "--kernel", self.write("bzImage"))
        self.refused(1, "no modules of vmlinuz-9 in ", "--kernel", self.write("qemu/vmlinuz-9"))
        os.unlink(os.path.join(self.qemu, "kernel/boot/vmlinuz-1.2.3"))
        self.refused(1,
                     f"no kernel in {self.qemu}/kernel/boot; scripts/install-qemu DIR unpacks one, "
                     f"--kernel FILE names another")

    def test_what_the_device_will_not_do(self):
        """Its own words reach the user, though they go to a file."""
        self.refused(2, "--device is a part that 'pergola devices' lists, not 'voodoo2'",
                     "--device", "voodoo2")
        self.refused(2, "--check is off, report or stop, not 'maybe'", "--check", "maybe")
        self.refused(1, "--report '/nowhere/report': No such file or directory", "--report",
                     "/nowhere/report")

    def test_what_is_wrong_on_the_line(self):
        for options in ((), ("--shell", "--", "true")):
            self.refused(2, "give a command after --, or --shell", command=options)
        for bad in ("0", "x", "guest=", "host=2", "1000001"):
            self.refused(2, f"--slow: bad value '{bad}'; allowed:", "--slow", bad)
        self.refused(1, f"{self.qemu}/qemu-system-x86_64: File exists", "--out",
                     os.path.join(self.qemu, "qemu-system-x86_64"))

    def test_a_machine_that_fails(self):
        self.machine("echo 'qemu: no memory' >&2; exit 1")
        r = self.run_vm()
        self.assertEqual((r.returncode, r.stderr),
                         (125,
                          "qemu: no memory\npergola vm: the guest did not come to the end of the "
                          "command\n"))

    def test_places_with_signs_that_mean_something(self):
        out = os.path.join(self.place, 'a,b "c"\\d')
        self.machine('for a; do echo "$a"; done >$0.arguments; echo 0 >"$out/.status"')
        self.assertEqual(self.run_vm("--out", out, "--console", out + "/e,f", "--monitor",
                                     out + "/g,h").returncode, 0)
        with open(os.path.join(self.qemu, "qemu-system-x86_64.arguments")) as f:
            given = f.read()
        twice = out.replace(",", ",,")
        for word in (f"id=out,path={twice}\n", f"file:{twice}/e,,f\n",
                     f"unix:{twice}/g,,h,server=on"):
            self.assertIn(word, given)

    def test_it_can_be_interrupted(self):
        """Nothing stays: neither process, nor directory."""
        self.machine("echo $$ >$out/pid.new; mv $out/pid.new $out/pid; exec sleep 1000")
        for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            out = os.path.join(self.place, "out")
            with subprocess.Popen([PERGOLA, "vm", "--qemu", self.qemu, "--out", out, "--", "true"],
                                  stderr=subprocess.PIPE, text=True,
                                  env={**os.environ, "TMPDIR": self.place}) as p:
                deadline = time.monotonic() + NEVER
                while not os.path.exists(os.path.join(out, "pid")):
                    self.assertLess(time.monotonic(), deadline)
                    time.sleep(0.01)
                p.send_signal(number)
                self.assertEqual((p.communicate(timeout=NEVER)[1], p.returncode), ("", status))
            with open(os.path.join(out, "pid")) as f:
                self.assertFalse(os.path.exists("/proc/" + f.read().strip()))
            os.unlink(os.path.join(out, "pid"))
            self.assertEqual(sorted(os.listdir(self.place)), ["out", "qemu"])

    def test_busybox_must_need_no_library(self):
        spec = importlib.util.spec_from_loader("pergola_vm",
                                               importlib.machinery.SourceFileLoader(
                                                   "pergola_vm", SCRIPT))
        vm = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(vm)
        for path, says in ((os.path.join(self.place, "busybox"),
                            "the package busybox-static has it"),
                           (os.path.realpath("/bin/sh"), "needs libraries")):
            with self.assertRaises(SystemExit) as e:
                vm.static_program(path)
            self.assertIn(says, e.exception.code)
        with open("/bin/busybox", "rb") as f:
            self.assertEqual(vm.static_program("/bin/busybox"), f.read())


if __name__ == "__main__":
    main()
