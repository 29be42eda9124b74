"""Hangs with a known cause, as scripts for pergola exec. Each says which engine hangs, at which
command, and words of the story that name the cause."""
import os
import subprocess

PERGOLA = os.environ["PERGOLA"]
BATCH, KERNEL, STATE, LOST = 0x100000, 0x200000, 0x300000, 0x20000000
BBS, BBE, SEMAPHORE = 0x18800000, 0x05000000, 0x0b160001
BASE = {"rcs": 0x2000, "vcs": 0x12000, "bcs": 0x22000}


class Hang:
    def __init__(self, name, engine, command, words, script, budget=200000):
        self.name, self.engine, self.command, self.words = name, engine, command, words
        self.script, self.budget = script + f"run {budget}\n", budget


def hexes(dwords):
    return " ".join(f"0x{v:08x}" for v in dwords)


def batch(engine, *dwords, at=BATCH, more=""):
    return f"{more}write 0x{at:x} {hexes(dwords)}\nbatch {engine} 0x{at:x}\n"


def assemble(text, at):
    out = subprocess.run([PERGOLA, "asm", "-", "--format", "c"], input=text, capture_output=True,
                         text=True, check=True)
    words = [w.strip(" ,") for w in out.stdout.replace("\n", " ").split() if w.startswith("0x")]
    return f"write 0x{at:x} {' '.join(w.strip(',') for w in words)}\n"


END = "mov(8) g127<1>UD g0<8,8,1>UD { align1 WE_all 1Q };\n" \
      "send(8) null<1>UW g127<8,8,1>UD 0x82000010 thread_spawner MsgDesc: mlen 1 rlen 0 " \
      "{ align1 WE_all 1Q EOT };\n"
LOOP = ("again:\nadd(8) g10<1>D g10<8,8,1>D 1D { align1 WE_all 1Q };\nwhile(8) JIP: again { align1 "
        "WE_all 1Q };\n")
BARRIER = "mov(8) g10<1>UD 0UD { align1 WE_all 1Q };\n" \
          "and(1) g10.2<1>UD g0.2<0,1,0>UD 0x0f000000UD { align1 WE_all 1N };\n" \
          "send(8) null<1>UW g10<8,8,1>UD 0x02000004 gateway MsgDesc: mlen 1 rlen 0 " \
          "{ align1 WE_all 1Q };\n"
WAIT = "wait(1) n0<1>UD { align1 WE_all 1N };\n"


def compute(kernel, threads=1, groups=1, barrier=0, after=(), media=False, command=None, entries=4,
            scoreboard=(0, 0, 0), at=KERNEL):
    """State for the media pipe (bases, VFE, one descriptor), a walk, and a flush behind it."""
    vfe = [0x70000006, 0, 63 << 16 | entries << 8 | (0 if media else 4), 0, 8 << 16 | 8,
           *scoreboard]
    words = [0x69040001 if media else 0x69040002,
             0x61010008, 1, STATE | 1, STATE | 1, 1, at & ~0xfff | 1, 1, 0xfffff001, 1, 1,
             *vfe, 0x70020002, 0, 32, 0x1000]
    walker = command or [0x71050009, 0, threads - 1, 0, groups, 0, 1, 0, 1, 0xff, 0xffffffff]
    words += [*walker, 0x70040000, 0, *after, 0x7a000003, 1 << 20 | 2, 0, 0, 0, BBE]
    descriptor = [at & 0xfc0, 0, 0, 0, 0, (1 << 21 | barrier) if barrier else 0, 0, 0]
    more = (assemble(kernel, at) if kernel
            else "") + f"write 0x{STATE + 0x1000:x} {hexes(descriptor)}\n"
    return batch("rcs", *words, more=more)


def objects(count=1, flags=0, scoreboard=False):
    """MEDIA_OBJECTs side by side, with a dword of data each."""
    return sum(([0x71000005, 0, flags | (1 << 21 if scoreboard else 0), 0, i, 1 if scoreboard
                 else 0, i]
                for i in range(count)), [])


def walls():
    zoo = []
    for engine in ("rcs", "vcs", "bcs"):
        up = engine.upper()
        zoo += [
            Hang(f"{engine}: semaphore without signal", engine, "MI_SEMAPHORE_MBOX", ["waits for"],
                 batch(engine, 0, SEMAPHORE, 5, 0, BBE)),
            Hang(f"{engine}: batch that starts itself", engine, "MI_BATCH_BUFFER_START", [],
                 batch(engine, BBS, BATCH)),
            Hang(f"{engine}: batch that is not there", engine, "MI_BATCH_BUFFER_START",
                 ["page fault"], f"ring {engine} 0x{BBS:x} 0x{LOST:x}\n"),
            Hang(f"{engine}: batch without end", engine, "MI_NOOP", ["page fault"],
                 batch(engine, 0, at=0x0ffff000)),
            Hang(f"{engine}: garbage in the ring", engine, None, ["is not one of this engine"],
                 f"ring {engine} 0x30deadbe 0xdeadbeef\n"),
            Hang(f"{engine}: garbage in the batch", engine, None, ["is not one of this engine"],
                 batch(engine, 0, 0, 0xdeadbeef, BBE)),
        ]
    zoo += [
        Hang("rcs: event that cannot come", "rcs", "MI_WAIT_FOR_EVENT", ["waits"],
             "reg 0x2028 0x00010001\n" + batch("rcs", 0x01800000 | 1 << 16, BBE)),
        Hang("rcs: loop over two batches", "rcs", "MI_BATCH_BUFFER_START", [],
             batch("rcs", BBS, BATCH + 0x1000,
                   more=f"write 0x{BATCH + 0x1000:x} 0 {hexes([BBS, BATCH])}\n")),
        Hang("rcs: address space that is gone", "rcs", None, ["page"],
             "reg RCS_GFX_MODE 0x02000200\nreg 0x2220 0xffffffff\nreg 0x2224 0xffffffff\n"
             f"reg 0x2228 0x10000000\nring rcs 0x{BBS | 1 << 8:x} 0x{BATCH:x}\n"),
        Hang("rcs: barrier that never fills", "rcs", None, ["barrier 0: 3 of 4 messages have come"],
             compute(BARRIER + WAIT + END, threads=3, barrier=4)),
        Hang("rcs: thread that waits for nobody", "rcs", None,
             ["a notification that nobody has sent"], compute(WAIT + END)),
        Hang("rcs: endless loop of a kernel", "rcs", None, ["GPGPU thread 0"], compute(LOOP + END),
             budget=300000),
        Hang("rcs: endless loop of many threads", "rcs", None, ["GPGPU thread"],
             compute(LOOP + END, threads=8, groups=4), budget=300000),
        Hang("rcs: kernel without end", "rcs", None, ["GPGPU thread 0"],
             compute("jmpi(1) -2D { align1 WE_all 1N };\n"), budget=300000),
        Hang("rcs: kernel that is not there", "rcs", None,
             ["waits for its next instruction", "is not mapped"],
             compute(None, threads=2, groups=2, at=LOST)),
        Hang("rcs: media kernel that is not there", "rcs", None,
             ["waits for its next instruction", "media root"],
             compute(None, media=True, command=objects(), at=LOST)),
        Hang("rcs: kernel that runs out of memory", "rcs", None,
             ["waits for its next instruction", "no instruction can be fetched"],
             compute("mov(8) g10<1>UD 0UD { align1 WE_all 1Q };\n" * 4, at=0x10000000 - 64)),
        Hang("rcs: context that is gone", "rcs", "MI_SET_CONTEXT",
             ["the context at 0x20000000 cannot be fetched"],
             f"ring rcs 0x04000000 0x0c000000 0x{LOST | 0x10c:x} 0\n"),
        Hang("rcs: media thread that waits", "rcs", None, ["media root"],
             compute(WAIT + END, media=True, command=objects())),
        Hang("rcs: media thread that loops", "rcs", None, ["media root"],
             compute(LOOP + END, media=True, command=objects()), budget=300000),
        Hang("rcs: root without an entry of the URB", "rcs", None, ["media root"],
             compute(LOOP + END, media=True, entries=1, command=objects(3, flags=1 << 31)),
             budget=300000),
        Hang("rcs: root that waits for another by the scoreboard", "rcs", None, ["media root"],
             compute(WAIT + END, media=True, command=objects(2, scoreboard=True),
                     scoreboard=(1 << 31 | 1, 0xf, 0))),
        Hang("rcs: flush behind an endless thread", "rcs", None, ["media root"],
             compute(LOOP + END, media=True, command=objects(3)), budget=300000),
    ]
    return zoo
