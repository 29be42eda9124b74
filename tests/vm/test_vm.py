"""A stock kernel's i915 drives the model in a virtual machine. Skipped where no QEMU is unpacked
(scripts/install-qemu)."""
import glob
import hashlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import unittest

from proves import main, proves

PERGOLA = os.environ["PERGOLA"]
QEMU = os.environ.get("PERGOLA_QEMU", "")
CLIENTS = os.environ.get("PERGOLA_CLIENTS", "")
IGT = os.environ.get("PERGOLA_IGT", "")
HERE = os.path.dirname(os.path.abspath(__file__))
HASVK = "/usr/share/vulkan/icd.d/intel_hasvk_icd.x86_64.json"
# Nothing is asked of a GPU that the kernel has given up: 6.12 follows a wrong pointer when it tells
# of one.
GIVEN_UP = r"""
[ "$(cat /sys/kernel/debug/dri/0/i915_wedged)" = 0 ] || exit 99
"""
LOOK = r"""
echo "nodes $(ls /dev/dri | tr '\n' ' ')"
echo "engines $(ls /sys/class/drm/card0/engine | tr '\n' ' ')"
echo "wedged $(cat /sys/kernel/debug/dri/0/i915_wedged)"
echo "tainted $(cat /proc/sys/kernel/tainted)"
echo "bytewise $(grep -c -w -E 'erms|fsrm' /proc/cpuinfo)"
echo "interrupts $(sed -n 's/^ *[0-9]*: *\([0-9]*\) .*i915$/\1/p' /proc/interrupts)"
"""
# All that the kernel shows of the device: it looks at many more registers for that, and captures
# the state of its engines.
READ = r"""
for f in /sys/kernel/debug/dri/0/* /sys/kernel/debug/dri/0/gt0/* /sys/class/drm/card0/* /sys/class/drm/card0/gt/gt0/*; do
    [ -f $f ] && timeout 60 cat $f >/dev/null 2>&1 && files=$((files + 1))
done
echo "files $files"
"""
TOOLS = r"""
lspci -vvv -s 2.0 >/vm/lspci
for i in 1 2; do intel_reg read 0x2358; done >/vm/timestamps
intel_gpu_frequency -g >/vm/frequency
intel_gpu_top -l -s 200 >/vm/top & top=$!
n=0; while ! grep -q RCS /vm/top && [ $n -lt 600 ]; do sleep 0.1; n=$((n + 1)); done
kill $top; wait $top # while it lives the module is in use
"""
RELOAD = r"""
for i in 1 2; do
    /run/busybox rmmod i915 && /run/busybox insmod /run/modules/i915.ko && echo "reload$i done"
    n=0; while [ ! -e /dev/dri/renderD128 ] && [ $n -lt 600 ]; do sleep 0.1; n=$((n + 1)); done
done
"""
# The capture is by messages, and may take longer than the 20 s that i915 gives a request: then its
# watchdog would reset the engine meanwhile.
HANG = r"""
echo 0 >/sys/kernel/debug/dri/0/i915_params/request_timeout_ms && echo "timeout $(cat /sys/kernel/debug/dri/0/i915_params/request_timeout_ms)"
echo 400 >/sys/class/drm/card0/engine/rcs0/heartbeat_interval_ms
"$PROGRAM" >/vm/hang.tap; echo "status $?"
n=0; while grep -q "^No error" /sys/class/drm/card0/error && [ $n -lt 600 ]; do sleep 0.1; n=$((n + 1)); done
cat /sys/class/drm/card0/error >/vm/error
"""
# The root is shared by 9p over virtio, which does not come back from a suspend: what follows it
# lies in memory, and speaks on the serial line.
ASLEEP = r"""
cat >/run/sleep <<'END'
for a in cat ls sed tr sha256sum; do eval "$a() { /run/busybox $a \"\$@\"; }"; done
SCRIPT
LOOK
echo 1 >/proc/sys/kernel/sysrq; echo b >/proc/sysrq-trigger # at once: a shutdown would wait for 9p
END
exec /run/busybox sh /run/sleep >/dev/ttyS0 2>&1
""".replace("LOOK", LOOK)

# The kernel's own test of suspend: all devices go down and come back.
SLEEP_TEST = r"""
nop=/usr/libexec/igt-gpu-tools/benchmarks/gem_exec_nop
mkdir /run/nop; [ -x $nop ] && cp $nop $(ldd $nop | grep -o '/[^ ]*') /run/nop
""" + ASLEEP.replace("SCRIPT", r"""
echo platform >/sys/power/pm_test; echo 1 >/sys/module/suspend/parameters/pm_test_delay
for i in 1 2; do
    echo freeze >/sys/power/state; echo "freeze$i $?"
    [ -e /run/nop/gem_exec_nop ] && echo "render$i $(/run/nop/ld-linux-x86-64.so.2 --library-path /run/nop /run/nop/gem_exec_nop -e render)"
done""")

# A real sleep, until the power button is pressed. A Vulkan program runs before and after, from
# memory.
SLEEP = r"""
driver=$(sed -n 's/.*"library_path": *"\(.*\)".*/\1/p' $VK_ICD_FILENAMES)
cd /run; mkdir -p root/program root/dev root/proc root/sys root/tmp
for d in dev proc sys; do mount --bind /$d root/$d; done
cp $PROGRAM root/program/program
cp $driver root/program/driver.so
cp $(ldd $PROGRAM $driver | grep -o '/[^ ]*' | grep -v ':$' | sort -u) root/program/
sed 's|"library_path".*\.so"|"library_path": "/program/driver.so"|' $VK_ICD_FILENAMES >root/program/icd.json
""" + ASLEEP.replace("SCRIPT", r"""
export VK_ICD_FILENAMES=/program/icd.json HOME=/tmp
draw() {
    /run/busybox chroot root /program/ld-linux-x86-64.so.2 --library-path /program /program/program -s 96x64 -i 60 /tmp/picture.png; echo "status$1 $?"
    echo "picture$1 $(sha256sum <root/tmp/picture.png)"
}
draw 0
echo N >/sys/module/printk/parameters/console_suspend
echo 1 >/sys/power/pm_print_times; echo 1 >/sys/power/pm_debug_messages
for i in 1 2; do
    echo freeze >/sys/power/state
    echo "freeze$i $?"
    draw $i
done""")

# Stock intel_perf_counters prints sums twice a second; its last print before the end has
# everything.
COUNT = r"""
stdbuf -o0 intel_perf_counters >/vm/counters 2>/vm/complaints & tool=$!
prints() { grep -c "^Render Engine Busy" /vm/counters; }
wait_for() { n=0; while [ $(prints) -lt $1 ] && [ $n -lt 3000 ]; do sleep 0.1; n=$((n + 1)); done; }
wait_for 2
echo "before $(prints)"
"$PROGRAM" -s 96x64 -i 60 /vm/picture.png >/vm/program 2>&1; echo "status $?"
wait_for $(($(prints) + 3))
kill $tool
"""


def judged():
    """The rules that docs/vm.md says a stock kernel breaks on Gen7."""
    with open(os.path.join(HERE, "../../docs/vm.md")) as f:
        table = f.read().split("\n## Diagnostics\n")[1]
    return set(re.findall(r"^\| ([A-Z0-9]+-\d+) \|", table, re.M))


def igt_cases():
    """Subtests of IGT's perf and gem_exec_fence: program, subtest, expectation."""
    with open(os.path.join(HERE, "icl.tsv")) as f:
        return [line.rstrip("\n").split("\t")[:3] for line in f if line.strip()
                and not line.startswith("#")]


def press_button(directory, times, ended):
    """The power button, each time that the guest sleeps."""
    for n in range(1, times + 1):
        said = ""
        while said.count("PM: suspend-to-idle") < n:
            if ended.wait(0.5):
                return
            if os.path.exists(os.path.join(directory, ".console")):
                with open(os.path.join(directory, ".console"), errors="replace") as f:
                    said = f.read()
        with socket.socket(socket.AF_UNIX) as s:
            s.connect(os.path.join(directory, ".monitor"))
            with s.makefile("rw") as f:
                f.readline()  # it greets
                for command in ("qmp_capabilities", "system_powerdown"):
                    f.write(json.dumps({"execute": command}) + "\n")
                    f.flush()
                    f.readline()


class Boot:
    """What one run of the guest left."""
    def __init__(self, command, *options, wakes=0):
        self.files = {}
        with tempfile.TemporaryDirectory() as out:
            ended = threading.Event()
            button = threading.Thread(target=press_button, args=(out, wakes, ended))
            button.start()
            self.run = subprocess.run([PERGOLA, "vm", "--qemu", QEMU, "--out", out, "--timeout",
                                       "1500", "--console",
                                       os.path.join(out, ".console"), "--monitor",
                                       os.path.join(out, ".monitor"),
                                       "--report", os.path.join(out, ".report"), *options, "--",
                                       *command],
                                      capture_output=True, text=True, errors="replace", check=False)
            ended.set()
            button.join()
            if os.path.exists(os.path.join(out, ".monitor")):
                os.unlink(os.path.join(out, ".monitor"))
            for name in os.listdir(out):
                with open(os.path.join(out, name), errors="replace") as f:
                    self.files[name] = f.read()
        self.dmesg, self.device = self.files.get(".dmesg", ""), self.files.get(".device", "")
        self.report = self.files.get(".report", "")  # all of what .device has the first of
        self.seen = dict(line.split(" ", 1) for line in self.run.stdout.splitlines() if " " in line)


@unittest.skipUnless(QEMU and os.path.exists(os.path.join(QEMU, "version")),
                     "no QEMU; scripts/install-qemu DIR")
class Guest(unittest.TestCase):
    # i915 gives its first requests 200 ms of the guest's time, which goes on while the host is busy
    # elsewhere: a boot that fell behind so is made again with a slower clock. Nothing else is
    # forgiven.
    def boot(self, script, *options):
        for slow in ("1", "16", "100"):
            b = Boot(["sh", "-c", GIVEN_UP + script], "--slow", f"guest={slow}", *options)
            # 6.1 may panic after it: then there is no .dmesg
            if "intel_gt_init" not in b.files[".console"]:
                break
            print("# the host was too busy for i915's first requests; once more, with a slower "
                  "clock", flush=True)
        self.assertEqual(b.run.returncode, 0, b.run.stdout[-500:] + b.run.stderr[-500:])
        return b

    def look(self, b, of_programs=()):
        """of_programs: rules that those that ran there break, not the kernel."""
        self.assertEqual(b.seen["nodes"].split(), ["card0", "renderD128"])
        self.assertEqual(b.seen["engines"].split(), ["bcs0", "rcs0", "vcs0"])
        self.assertEqual(b.seen["wedged"], "0")
        self.assertEqual(b.seen["tainted"], "0")
        # the kernel moves the aperture by its widest accesses
        self.assertEqual(b.seen["bytewise"], "0")
        self.assertNotRegex(b.dmesg, r"(?i)i915.*(error|warn|\*ERROR\*)|Call Trace|WARNING: CPU")
        # all of its registers are there
        self.assertEqual(re.findall(r"bus (0x[0-9a-f]+): .*\[MEM-003\]", b.report), [])
        self.assertLessEqual(set(re.findall(r"\[([A-Z0-9]+-\d+)\]$", b.report, re.M))
                             - set(of_programs), judged())
        sent = re.search(r"line interrupts (\d+), message interrupts (\d+)", b.device)
        return int(b.seen["interrupts"]), int(sent[1]), int(sent[2])

    def test_i915_binds_and_messages_arrive(self):
        b = self.boot(READ + LOOK)
        counted, line, message = self.look(b)
        self.assertGreater(int(b.seen["files"]), 30)
        self.assertEqual(line, 0)
        self.assertGreater(counted, 0)
        self.assertGreaterEqual(message, counted)

    def test_line_interrupts(self):
        counted, line, message = self.look(self.boot(LOOK, "--append", "pci=nomsi"))
        self.assertEqual(message, 0)
        self.assertGreater(counted, 0)
        self.assertGreaterEqual(line, counted)

    def test_the_smaller_ivy_bridge(self):
        self.look(self.boot(READ + LOOK, "--device", "ivb-gt1"))

    def test_valleyview(self):
        b = self.boot(READ + LOOK, "--device", "vlv")
        self.look(b)
        self.assertNotIn("power well", b.dmesg)

    def later_kernel(self, device):
        """Linux of Debian 13: a client program gives what it gives without a guest."""
        kernel = sorted(glob.glob(os.path.join(QEMU, "kernel-trixie/boot/vmlinuz-*")))
        program = os.path.join(CLIENTS, "examples/vulkan/mandelbrot")
        if not kernel or not os.path.exists(program) or not os.path.exists(HASVK):
            self.skipTest("the kernel (scripts/install-qemu DIR trixie), the example or hasvk is "
                          "not there")
        b = self.boot(READ + LOOK
                      + f"echo kernel $(uname -r)\nVK_ICD_FILENAMES={HASVK} {program} -s 96x64 -i "
                        f"60 /vm/picture.png >/vm/said 2>&1; "
                      "echo status $?; echo picture $(sha256sum </vm/picture.png)", "--device",
                      device, "--kernel", kernel[-1])
        self.look(b, ["RCS-128"])
        self.assertRegex(b.seen["kernel"], r"^6\.12\.")
        self.assertEqual((b.seen["status"], b.seen["picture"].split()[0]), ("0", self.picture()),
                         b.files["said"])

    def picture(self):
        """The hash of what the program of SLEEP draws without a guest."""
        with tempfile.TemporaryDirectory() as d:
            path = os.path.join(d, "a.png")
            subprocess.run([PERGOLA, "run", "--",
                            os.path.join(CLIENTS, "examples/vulkan/mandelbrot"), "-s", "96x64",
                            "-i", "60", path],
                           capture_output=True, check=True)
            with open(path, "rb") as f:
                return hashlib.sha256(f.read()).hexdigest()

    def test_linux_6_12(self):
        self.later_kernel("ivb-gt2")

    def test_linux_6_12_on_valleyview(self):
        self.later_kernel("vlv")

    def test_valleyview_sleeps_and_wakes(self):
        program = os.path.join(CLIENTS, "examples/vulkan/mandelbrot")
        if not os.path.exists(program) or not os.path.exists(HASVK):
            self.skipTest("the example or hasvk is not there")
        for slow in ("1", "16", "100"):
            b = Boot(["sh", "-c", f"export VK_ICD_FILENAMES={HASVK} PROGRAM={program}\n" + SLEEP],
                     "--device", "vlv",
                     "--append", "loglevel=8", "--slow", f"guest={slow}", wakes=2)
            said = b.files[".console"]
            if "intel_gt_init" not in said:
                break
        seen = dict(re.findall(r"^(\w+) (.*?)\r?$", said, re.M))
        self.assertEqual((seen["freeze1"], seen["freeze2"]), ("0", "0"), said[-1500:])
        # it was asleep
        self.assertGreaterEqual(len(re.findall("PM: resume from suspend-to-idle", said)), 2)
        for call in ("pci_pm_suspend", "pci_pm_suspend_late", "pci_pm_resume_early",
                     "pci_pm_resume"):
            self.assertGreaterEqual(len(re.findall(rf"i915 0000:00:02.0: (?:PM: )?{call}\+.* "
                                                   rf"returned 0 ", said)), 2, call)
        self.assertEqual((seen["wedged"], seen["tainted"]), ("0", "0"))
        self.assertNotRegex(said, r"(?i)i915.*(\berror|warn|\*ERROR\*)|Call Trace|WARNING: CPU")
        self.assertEqual(re.findall(r"bus (0x[0-9a-f]+): .*\[MEM-003\]", b.report), [])
        picture = self.picture()
        for i in range(3):
            self.assertEqual((seen[f"status{i}"], seen[f"picture{i}"].split()[0]), ("0", picture))

    def test_ice_lake(self):
        proves("SYS-028", "SYS-034", "SYS-042", "SYS-056", "SYS-070", "SYS-164", "SYS-165",
               "SYS-166", "SYS-423", "SYS-421")
        tools = r"""
lspci -vvv -s 2.0 >/vm/lspci 2>/dev/null
for i in 1 2; do intel_reg read 0x2358; done >/vm/timestamps
nop=/usr/libexec/igt-gpu-tools/benchmarks/gem_exec_nop
for round in before after; do
    [ -x $nop ] && for e in render bsd blt vebox; do echo "$round$e $(timeout 120 $nop -e $e)"; done
    [ $round = before ] && echo 31 >/sys/kernel/debug/dri/0/i915_wedged # every engine is reset
done
echo "checks $(cat /sys/module/i915/parameters/mmio_debug)"
for at in 0x2358 0x2004; do echo "pergola: looking at $at" >/dev/kmsg; intel_reg read $at >/dev/null 2>&1; done
"""
        b = self.boot(tools + LOOK, "--device", "icl", "--i915", "mmio_debug=100")
        self.assertEqual(b.seen["nodes"].split(), ["card0", "renderD128"])
        self.assertEqual(b.seen["engines"].split(), ["bcs0", "rcs0", "vcs0", "vcs1", "vecs0"])
        self.assertEqual((b.seen["wedged"], b.seen["tainted"]), ("0", "0"))
        self.assertNotRegex(b.dmesg,
                            r"(?i)i915.*(error|warn|\*ERROR\*)|Call Trace|WARNING: CPU|not valid")
        self.assertNotRegex(b.device, r"(?i)error:|SYS-|GEN11-")
        self.assertGreater(int(b.seen["interrupts"]), 0)
        # microseconds a request
        if os.path.exists("/usr/libexec/igt-gpu-tools/benchmarks/gem_exec_nop"):
            for e in ("render", "bsd", "blt", "vebox"):
                self.assertGreater(float(b.seen["before" + e]), 0)
                self.assertGreater(float(b.seen["after" + e]), 0)
            self.assertGreater(int(b.seen["interrupts"]), 100)
        if "Region 0" in b.files.get("lspci", ""):
            for line in ("[size=16M]", "[size=256M]",
                         "Express (v2) Root Complex Integrated Endpoint", "Maskable+ 64bit-",
                         "Process Address Space ID", "Page Request Interface",
                         "Kernel driver in use: i915"):
                self.assertIn(line, b.files["lspci"])
            self.assertNotIn("!", b.files["lspci"])
        if shutil.which("intel_reg"):
            first, second = (int(v, 16)
                             for v in re.findall(r": (0x[0-9a-f]+)$", b.files["timestamps"], re.M))
            self.assertNotEqual(first, second)
            # i915 looks for unclaimed accesses around each of its own, one find less a find; and
            # after a user's.
            self.assertEqual(b.seen["checks"], "100")
            self.assertNotRegex(b.dmesg, "Unclaimed")
            good, bad = b.dmesg.split("pergola: looking at ")[1:]
            self.assertNotIn("Invalid mmio detected", good)
            self.assertIn("Invalid mmio detected during user access", bad)

    def test_ice_lake_loses_none_of_a_hundred_thousand_requests(self):
        proves("SYS-002", "SYS-052")
        script = os.path.join(CLIENTS, "tests/vm/requests") + " 100000" + LOOK
        # a wait that the host made long is short by a slower clock; a lost interrupt is not
        for slow in ("1", "16", "100"):
            b = self.boot(script, "--device", "icl", "--slow", f"guest={slow}")
            if b.seen["late"] == "0":
                break
        self.assertEqual((b.seen["lost"], b.seen["late"]), ("0", "0"))
        self.assertGreaterEqual(int(b.seen["requests"]), 100000)
        self.assertGreater(int(b.seen["interrupts"]), int(b.seen["bursts"]))
        self.assertEqual((b.seen["wedged"], b.seen["tainted"]), ("0", "0"))
        self.assertNotRegex(b.dmesg,
                            r"(?i)i915.*(error|warn|reset|hang|\*ERROR\*)|Call Trace|WARNING: "
                            r"CPU|not valid")
        self.assertNotRegex(b.device, r"(?i)error:|SYS-|GEN11-")

    def test_ice_lake_suspends_to_idle(self):
        for slow in ("1", "16", "100"):
            b = Boot(["sh", "-c", SLEEP_TEST], "--device", "icl", "--slow", f"guest={slow}")
            said = b.files[".console"]
            if "intel_gt_init" not in said:
                break
        seen = dict(re.findall(r"^(\w+) (.*?)\r?$", said, re.M))
        self.assertEqual((seen["freeze1"], seen["freeze2"]), ("0", "0"), said[-1500:])
        self.assertEqual(len(re.findall("PM: suspend exit", said)), 2)
        self.assertEqual((seen["wedged"], seen["tainted"]), ("0", "0"))
        self.assertNotRegex(said, r"(?i)i915.*(error|warn|\*ERROR\*)|Call Trace|WARNING: CPU")
        self.assertNotRegex(b.device, r"(?i)error:|SYS-|GEN11-")
        if os.path.exists("/usr/libexec/igt-gpu-tools/benchmarks/gem_exec_nop"):
            self.assertGreater(float(seen["render1"]), 0)
            self.assertGreater(float(seen["render2"]), 0)

    def test_ice_lake_by_igt(self):
        proves("SYS-238", "SYS-260", "SYS-297", "SYS-410", "SYS-411", "SYS-416")
        loader = os.path.join(IGT, "usr/lib64/ld-linux-x86-64.so.2")
        if not os.path.exists(loader):
            self.skipTest("IGT is not there; scripts/install-igt DIR")
        cases, script = igt_cases(), ""
        for program in sorted({c[0] for c in cases}):
            command = (f"{loader} --library-path {IGT}/usr/lib/x86_64-linux-gnu "
                       f"{IGT}/usr/libexec/igt-gpu-tools/{program}")
            listed = subprocess.run(command.split() + ["--list-subtests"], capture_output=True,
                                    text=True, check=True).stdout.split()
            mine = {c[1] for c in cases if c[0] == program}
            if program == "perf":  # every one of them is judged
                self.assertEqual(mine, set(listed))
            for name in [c[1] for c in cases if c[0] == program and c[2] in ("pass", "skip")]:
                script += f"timeout 600 {command} --run-subtest {name} >/vm/{program}.{name} 2>&1\n"
        b = self.boot(script + LOOK, "--device", "icl", "--smp", "2", "--slow", "model=20")
        self.assertEqual((b.seen["wedged"], b.seen["tainted"]), ("0", "0"))
        self.assertNotRegex(b.dmesg, r"Call Trace|WARNING: CPU|not valid")
        word = {"pass": "SUCCESS", "skip": "SKIP"}
        wrong = {}
        for program, name, expected in cases:
            text = b.files.get(f"{program}.{name}", "")
            got = re.findall(rf"^Subtest {name}: (\w+)", text, re.M)
            if expected in word and got[-1:] != [word[expected]]:
                wrong[name] = text[-600:]
        self.assertEqual(wrong, {})

    def test_counters_of_a_stock_tool(self):
        """Threads and clocks of a known dispatch, exactly as the model counts them without a
        guest."""
        proves("SYS-468", "SYS-471", "SYS-472")
        program = os.path.join(CLIENTS, "examples/vulkan/mandelbrot")
        if not os.path.exists(program) or not os.path.exists(HASVK) or not shutil.which(
            "intel_perf_counters"):
            self.skipTest("the example, hasvk or Debian's intel-gpu-tools is not there")
        with tempfile.TemporaryDirectory() as d:
            subprocess.run([PERGOLA, "run", "--oa", "counts", "--", program, "-s", "96x64", "-i",
                            "60", "a.png"], cwd=d,
                           capture_output=True, check=True)
            want = json.loads(subprocess.run([PERGOLA, "oa", "--json", "--total", "counts"], cwd=d,
                                             capture_output=True,
                                             text=True, check=True).stdout)["all"]
        # Without the kernel's own EU kernel, which clears registers between contexts, all threads
        # are the program's.
        b = self.boot(f"export VK_ICD_FILENAMES={HASVK} PROGRAM={program}" + COUNT, "--i915",
                      "mitigations=off", "--smp", "2")
        self.assertEqual(b.seen["status"], "0", b.files["program"])
        counted = {}
        text = re.sub(r"\x1b\[[HJ]", "", b.files["counters"])  # it clears the screen
        for name, value in re.findall(r"^([^:\n]+): (\d+)$", text, re.M):
            counted[name] = counted.get(name, 0) + int(value)
        self.assertEqual(counted["# CS threads loaded"], want["gpgpu_threads"])
        self.assertEqual(counted["Compute Shader Active Time"], want["eu_active"])
        self.assertEqual(counted["Aggregated Core Array Active"], want["eu_active"])
        self.assertGreaterEqual(counted["Render Engine Busy"], want["gpu_busy"])
        self.assertEqual(counted["# PS threads loaded"], 0)

    def test_stock_tools_and_reload(self):
        needed = ("lspci", "intel_reg", "intel_gpu_top", "intel_gpu_frequency")
        if not all(map(shutil.which, needed)):
            self.skipTest("lspci and Debian's intel-gpu-tools are not there")
        b = self.boot(TOOLS + RELOAD + LOOK, "--smp", "2")
        self.look(b)
        for line in ("Region 0: Memory at", "[size=4M]", "Region 2: Memory at", "[size=256M]",
                     "MSI: Enable+ Count=1/1", "Kernel driver in use: i915", "FLR+"):
            self.assertIn(line, b.files["lspci"])
        self.assertNotIn("!", b.files["lspci"])
        first, second = (int(v, 16)
                         for v in re.findall(r": (0x[0-9a-f]+)$", b.files["timestamps"], re.M))
        self.assertNotEqual(first, second)
        self.assertRegex(b.files["frequency"], r"min: \d+ MHz")
        self.assertRegex(b.files["top"], r"RCS/0 +BCS/0 +VCS/0")
        for what in ("reload1", "reload2"):
            self.assertEqual(b.seen.get(what), "done", b.dmesg[-1500:])

    def test_a_hang_is_found_and_its_state_read(self):
        program = os.path.join(CLIENTS, "tests/clients/vulkan/vk_hang")
        if not os.path.exists(program) or not os.path.exists(HASVK):
            self.skipTest("the Vulkan client program or hasvk is not there")
        b = self.boot(f"export VK_ICD_FILENAMES={HASVK} PROGRAM={program}" + HANG, "--smp", "2")
        self.assertEqual((b.seen["timeout"], b.seen["status"]), ("0", "0"), b.files["hang.tap"])
        self.assertNotIn("not ok", b.files["hang.tap"])
        self.assertRegex(b.dmesg, r"GPU HANG: ecode 7:1:[0-9a-f]{8}, in vk_hang")
        self.assertIn("GPU HANG: ecode 7:1:", b.files["error"])
        with tempfile.NamedTemporaryFile("w", suffix=".error") as f:
            f.write(b.files["error"])
            f.flush()
            replay = subprocess.run([PERGOLA, "replay", f.name], capture_output=True, text=True,
                                    check=False)
        self.assertIn("i915 error state, Linux 6.1", replay.stdout)
        self.assertIn("captured: GPGPU_WALKER", replay.stdout)
        # The kernel has taken the call of the batch off the ring; it is run all the same. All that
        # is wanted and was not kept is written only.
        self.assertRegex(replay.stdout,
                         r"thread: GPGPU thread 0 .*\n  thread:    runs; its last \d+ instructions "
                         r"lie between")
        self.assertNotRegex(replay.stdout, r"(?m)^  0x[0-9a-f]{8} \((GGTT|PPGTT)\)(?!, written)")
        self.assertIn("verdict: reproduced: the model stays at the same command", replay.stdout)

    def clients(self, program, least, other=(), **environment):
        """other: cases that may fail in a guest."""
        program = os.path.join(CLIENTS, program)
        if not os.path.exists(program):
            self.skipTest("the client program is not there")
        set_up = "".join(f"export {k}={v}\n" for k, v in environment.items())
        b = self.boot(set_up + f"{program} >/vm/tap 2>/vm/complaints; echo status $?", "--smp", "2")
        failed = set(re.findall(r"^not ok \d+ - (\S+)", b.files["tap"], re.M))
        self.assertLessEqual(failed, set(other),
                             b.files["tap"][-800:] + b.files["complaints"][-800:])
        self.assertEqual(b.seen["status"], "1" if failed else "0")
        self.assertGreaterEqual(len(re.findall("^ok ", b.files["tap"], re.M)), least)

    def test_vulkan_programs_of_the_clients_suite(self):
        if not os.path.exists(HASVK):
            self.skipTest("hasvk is not there")
        self.clients("tests/clients/vulkan/vk_compute", 64, VK_ICD_FILENAMES=HASVK)

    def test_opengl_programs_of_the_clients_suite(self):
        # gl_timestamps compares model times; here they go on with the host's clock while the guest
        # thinks.
        self.clients("tests/clients/gl/gl_compute", 31, other=["gl_timestamps"],
                     EGL_PLATFORM="surfaceless")

    def test_the_status_of_the_command_comes_out(self):
        with tempfile.TemporaryDirectory() as out:
            with open(os.path.join(out, ".stdout"), "w") as f:
                f.write("of an earlier run\n")
            run = subprocess.run([PERGOLA, "vm", "--qemu", QEMU, "--out", out, "--no-i915",
                                  "--timeout", "900", "--",
                                  "sh", "-c", "echo there; echo bad >&2; echo 7 >/vm/file; exit 3"],
                                 capture_output=True, text=True, check=False)
            self.assertEqual((run.returncode, run.stdout), (3, "there\n"))
            self.assertIn("bad\n", run.stderr)
            with open(os.path.join(out, "file")) as f:
                self.assertEqual(f.read(), "7\n")

    def test_the_device_in_a_guest_with_huge_pages(self):
        """A case of test_vfio_user that wants what few machines have set aside; a guest's may
        be."""
        run = subprocess.run([PERGOLA, "vm", "--qemu", QEMU, "--no-i915", "--timeout", "900", "--",
                              "sh", "-c",
                              f"echo 4 >/proc/sys/vm/nr_hugepages; cd {HERE}; PERGOLA={PERGOLA} "
                              f"PYTHONPATH={HERE}/.. exec {sys.executable} "
                              "-m unittest -v "
                              "test_vfio_user.GuestMemory.test_a_file_of_huge_pages"],
                             capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stderr[-1500:])
        self.assertRegex(run.stderr, r"huge_pages .* ok\n")  # and not skipped

    def test_the_host_s_tmp_is_seen_and_stays(self):
        with tempfile.TemporaryDirectory(dir="/tmp") as d:
            with open(os.path.join(d, "host"), "w") as f:
                f.write("of the host\n")
            run = subprocess.run([PERGOLA, "vm", "--qemu", QEMU, "--no-i915", "--timeout", "900",
                                  "--", "sh", "-c",
                                  f"cat {d}/host; echo more >>{d}/host; echo mine >{d}/guest; cat "
                                  f"{d}/host {d}/guest; stat -c %a /tmp; "
                                  "cd /tmp; exec setpriv --reuid 65534 --clear-groups sh -c "
                                  "'f=$(mktemp) && echo of nobody >$f && cat $f'"],
                                 capture_output=True, text=True, check=False)
            self.assertEqual((run.returncode, run.stdout),
                             (0, "of the host\nof the host\nmore\nmine\n1777\nof nobody\n"),
                             run.stderr)
            self.assertEqual(os.listdir(d), ["host"])
            with open(os.path.join(d, "host")) as f:
                self.assertEqual(f.read(), "of the host\n")

    def test_a_shell_on_the_terminal(self):
        command = [PERGOLA, "vm", "--qemu", QEMU, "--no-i915", "--timeout", "900", "--shell"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT) as p:
            said = b""
            while not said.endswith(b"# "):  # what is typed before the shell asks is lost
                byte = p.stdout.read(1)
                self.assertTrue(byte, said[-500:])
                said += byte
            self.assertNotIn(b"job control turned off", said)
            p.stdin.write(b"echo word$((6*7)) of $(id -u)\nexit\n")
            p.stdin.flush()
            said = p.stdout.read()
            self.assertEqual(p.wait(), 0, said[-500:])
        self.assertIn(b"word42 of 0", said)

    def test_a_kernel_that_gives_up_is_told_of(self):
        """What it says of a busy host, said by hand, and a panic, which may come of it."""
        command = ("echo 'CI tainted:0x9 by intel_gt_init+0xb3/0x2f0' >/dev/kmsg; echo 1 "
                   ">/proc/sys/kernel/sysrq; echo c >/proc/sysrq-trigger")
        run = subprocess.run([PERGOLA, "vm", "--qemu", QEMU, "--no-i915", "--timeout", "900", "--",
                              "sh", "-c", command],
                             capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 125)
        self.assertIn("the guest's kernel: Kernel panic - not syncing: sysrq triggered crash",
                      run.stderr)
        self.assertIn("--slow guest=16 gives them more time", run.stderr)
        self.assertIn("the guest did not come to the end of the command", run.stderr)

    def test_a_guest_that_does_not_end_has_no_status(self):
        with tempfile.TemporaryDirectory() as out:
            for name, text in ((".status", "0\n"), (".stdout", "of an earlier run\n")):
                with open(os.path.join(out, name), "w") as f:
                    f.write(text)
            run = subprocess.run([PERGOLA, "vm", "--qemu", QEMU, "--out", out, "--no-i915",
                                  "--timeout", "1", "--", "true"],
                                 capture_output=True, text=True, check=False)
            self.assertEqual((run.returncode, run.stdout), (125, ""))


if __name__ == "__main__":
    main()
