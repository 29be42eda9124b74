"""Error states as six kernels write them, from one description of a hung engine."""
import struct
import zlib

KERNELS = ("3.8", "3.19", "4.4", "4.14", "5.4", "6.1")
OLD_NAMES = {"rcs0": "render", "vcs0": "bsd", "bcs0": "blt"}
MASKS = {"rcs0": 1, "vcs0": 2, "bcs0": 4}


class Hang:
    """registers: name to value; memory: (kind, address, dwords, bytes); kind: batch, ring,
    status."""

    def __init__(self, engine, registers, memory, pci_id=0x0166):
        self.engine, self.registers, self.memory, self.pci_id = engine, registers, memory, pci_id

    @property
    def ecode(self):
        return self.registers["IPEHR"] ^ self.registers["INSTDONE"]


def ascii85(data):
    data += b"\0" * (-len(data) % 4)
    out = []
    for (v,) in struct.iter_unpack("<I", data):
        if not v:
            out.append("z")
            continue
        digits = []
        for _ in range(5):
            v, digit = divmod(v, 85)
            digits.append(chr(33 + digit))
        out.append("".join(reversed(digits)))
    return "".join(out)


def contents(dwords, size):
    data = struct.pack(f"<{len(dwords)}I", *dwords)
    return data + b"\0" * (size - len(data))


def hex_lines(data, kind):
    words = [v for (v,) in struct.iter_unpack("<I", data)]
    if kind == "status":
        return "".join("[%04x] %08x %08x %08x %08x\n" % (4 * i, *words[i:i + 4])
                       for i in range(0, len(words), 4))
    return "".join("%08x :  %08x\n" % (4 * i, w) for i, w in enumerate(words))


def headline(h, kernel):
    if kernel == "3.8":
        return ""
    if kernel in ("3.19", "4.4", "4.14"):
        ring = {"rcs0": 0, "vcs0": 1, "bcs0": 2}[h.engine]
        return (f"GPU HANG: ecode 7:{ring}:0x{h.ecode:08x}, in test [12], reason: Ring hung, "
                f"action: reset\n")
    if kernel == "5.4":
        return (f"GPU HANG: ecode 7:{MASKS[h.engine]}:0x{h.ecode:08x}, in test [12], hang on "
                f"{h.engine}\n")
    return f"GPU HANG: ecode 7:{MASKS[h.engine]:x}:{h.ecode:08x}, in test [12]\n"


def register_line(name, value, kernel, registers):
    wide = name in ("ACTHD", "BBADDR", "FADDR")
    if wide and kernel in ("3.19", "4.4"):
        return f"  {name}: 0x{value >> 32:08x} {value & 0xffffffff:08x}\n"
    if wide and kernel not in ("3.8",):
        return f"  {name}: 0x{value >> 32:08x}_{value & 0xffffffff:08x}\n"
    new = kernel in ("4.14", "5.4", "6.1")
    if name == "HEAD" and new:
        return f"  HEAD:  0x{value:08x} [0x{registers.get('request', 0):08x}]\n"
    if name == "TAIL" and new:
        return f"  TAIL:  0x{value:08x} [0x{value:08x}, 0x{value:08x}]\n"
    if name.startswith("SYNC_") and kernel in ("3.8", "3.19", "4.4"):
        return f"  {name}: 0x{value:08x} [last synced 0x00000000]\n"
    return f"  {name}: 0x{value:08x}\n"


def block(h, kernel, kind, address, dwords, size):
    data = contents(dwords, size)
    old = kernel in ("3.8", "3.19", "4.4")
    name = OLD_NAMES[h.engine] + " ring" if old else h.engine
    if kernel in ("4.4", "4.14") and kind == "batch":
        name += " (submitted by test [12])"
    word = {"batch": "batch" if kernel in ("5.4", "6.1") else "gtt_offset",
            "ring": "ring" if kernel == "6.1" else "ringbuffer",
            "status": "HW Status", "user": "user"}[kind]
    place = (f"0x{address:08x}" if kernel in ("3.8", "3.19")
             else f"0x{address >> 32:08x} {address & 0xffffffff:08x}")
    text = f"{name} --- {word} = {place}\n"
    if old:
        return text + hex_lines(data, kind)
    if kernel == "6.1":
        text += "gtt_page_sizes = 0x00001000\n"
    return text + ":" + ascii85(zlib.compress(data)) + "\n"


def write(h, kernel):
    old = kernel in ("3.8", "3.19", "4.4")
    out = [headline(h, kernel)]
    if old:
        out.append(f"Time: 1400000000 s 123456 us\nKernel: {kernel}.0\n")
    else:
        out.append(f"Kernel: {kernel}.0 x86_64\nTime: 1400000000 s 123456 us\nBoottime: 5 s 1 us\n")
    name = OLD_NAMES[h.engine] if old else h.engine
    out.append(f"Active process (on ring {name}): test [12]\n")
    out.append(f"PCI ID: 0x{h.pci_id:04x}\nEIR: 0x00000000\n")
    out += [f"  fence[{i}] = 00000000\n" for i in range(32)]
    out.append(f"{name} command stream:\n")
    out += [register_line(n, v, kernel, h.registers)
            for n, v in h.registers.items() if n != "request"]
    if kernel == "6.1":
        out.append("  hung: 1\n")
    out += [block(h, kernel, *m) for m in h.memory]
    return "".join(out)
