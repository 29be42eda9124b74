"""Reads the hardware description (spec/**/*.xml) and refuses what is not well defined.

The format, by example:

  <hw unit="media">
    <enum name="Surface Type"><value name="1D" value="0"/></enum>
    <struct name="INTERFACE_DESCRIPTOR_DATA" length="8" ledger="MEDIA-100">
      <field name="Kernel Start Pointer" dw="0" bits="31:6" type="offset" ledger="MEDIA-101"/>
      <reserved dw="0" bits="5:0"/>
    </struct>
    <command name="MEDIA_STATE_FLUSH" client="gfx" opcode="0x7004" length="2" engines="rcs"> ...
    </command>
    <message name="..." length="..">  (payload layouts and descriptors: as struct)
    <register name="TAIL" offset="0x30" engines="rcs vcs bcs" access="rw" default="0"> ...
    </register>
    <range name="Display" first="0x40000" last="0xbffff"/>  (offsets of registers; one name may have
                                                            several stretches)
    <context name="..."> <noops part="main" count="5"/> <registers part="main">NAME
    NAME.0</registers>
      <command part="main" name="..." length=".."/> <media part="main" name="..."/> </context>  (a
                                                                                                context image, in order;
      dw="0x21" says where an element begins, with no-ops before it; relative="true": offsets are
      from the engine's block)
  </hw>

A layout with variable="true" may end in <tail name="Vertex Buffer State"
struct="VERTEX_BUFFER_STATE"/>: what repeats after the fixed part (dwords when no structure is
named). A field with struct="SO_DECL" holds that structure; one with several names (by commas)
holds one of them, and something else says which.

Bit positions are the manual's: dword number and hi:lo inside it (hi up to 63 for a quadword).
Every bit must be declared once, as a field or as reserved; anything else is an error.
"""
import os
import re
import xml.etree.ElementTree as ET

# The second line is Ice Lake's.
ENGINE_BASE = {"rcs": 0x2000, "vcs": 0x12000, "bcs": 0x22000,
               "rcs0": 0x2000, "bcs0": 0x22000, "vcs0": 0x1C0000, "vcs2": 0x1D0000,
               "vecs0": 0x1C8000}
ENGINE_BIT = {"rcs": 1, "vcs": 2, "bcs": 4, "vecs": 8}
# client: header value above the opcode, opcode shift, lowest header bit owned by the opcode,
# default length bits
CLIENT = {
    "mi": (0x00000000, 23, 23, (5, 0)),
    "2d": (0x40000000, 22, 22, (7, 0)),
    "gfx": (0x00000000, 16, 16, (7, 0)),  # opcode is the whole upper half: 0x7a00 and the like
}
ACCESS = {"rw", "ro", "wo", "w1c", "masked", "rc"}
DEVICES = {"ivb": 1, "vlv": 2, "hsw": 4, "icl": 8}
# Generations that a part executes (src/device/part.c): they get C names. Haswell is described for
# the decoder only:
# its layouts are in the tables and nowhere else.
GENERATIONS = {"gen7": DEVICES["ivb"] | DEVICES["vlv"]}
# Generations with a room of their own: their structures are shared with nobody.
OWN_GENERATIONS = {"gen11": DEVICES["icl"]}
SIMPLE_TYPES = {"uint", "int", "bool", "float", "address", "offset"}


class SpecError(Exception):
    pass


def number(text):
    return int(text, 0)


def identifier(name):
    return re.sub(r"_+", "_", re.sub(r"[^A-Za-z0-9]", "_", name)).strip("_").lower()


def device_mask(element):
    names = element.get("devices", "ivb vlv hsw").split()
    return sum(DEVICES[n] for n in names)


class Field:
    """One field: dw/lo/hi are the manual's; start/end are absolute bits in the layout."""

    def __init__(self, element, where, enums):
        e = element
        self.reserved = e.tag == "reserved"
        self.name = e.get("name", "Reserved")
        self.id = identifier(self.name)
        self.dw = number(e.get("dw", "0"))
        if not e.get("bits"):
            raise SpecError(f"{where}: {self.name}: no bits")
        parts = e.get("bits").split(":")
        self.hi, self.lo = int(parts[0]), int(parts[-1])
        if not 0 <= self.lo <= self.hi <= 63 or self.hi - self.lo > 63:
            raise SpecError(f"{where}: {self.name}: bad bits {e.get('bits')}")
        self.type = "mbz" if self.reserved else e.get("type", "bool" if self.hi == self.lo
                                                      else "uint")
        # reserved kind: mbz (must be zero), mbo (must be one), ignored (any value is accepted)
        if self.reserved:
            self.type = e.get("type", "mbz")
            if self.type not in ("mbz", "mbo", "ignored"):
                raise SpecError(f"{where}: reserved of type {self.type}")
        self.ledger = e.get("ledger", "")
        self.unit = e.get("unit", "")
        self.access = e.get("access")
        self.struct = e.get("struct", "")  # structures of at most 32 bits that lie in this field
        self.min = number(e.get("min")) if e.get("min") else None
        self.max = number(e.get("max")) if e.get("max") else None
        self.values = [(v.get("name"), number(v.get("value")), v.get("ledger", ""))
                       for v in e.findall("value")]
        self.closed = e.get("closed", "false") == "true"  # a value that is not listed is illegal
        self.enum = None
        self.fraction = 0
        t = self.type
        fixed = re.fullmatch(r"([us])(\d+)\.(\d+)", t)
        if fixed:
            self.fraction = int(fixed.group(3))
            self.base = "int" if fixed.group(1) == "s" else "uint"
        elif t in SIMPLE_TYPES or self.reserved:
            self.base = t
        elif t in enums:
            self.enum, self.base = t, "uint"
            self.values = enums[t]
        else:
            raise SpecError(f"{where}: {self.name}: unknown type {t}")
        if self.base == "float" and self.width != 32:
            raise SpecError(f"{where}: {self.name}: a float has 32 bits")

    width = property(lambda s: s.hi - s.lo + 1)
    start = property(lambda s: s.dw * 32 + s.lo)
    end = property(lambda s: s.dw * 32 + s.hi)


class Layout:
    """A struct, command, message or register body."""

    def __init__(self, element, unit, enums):
        e = element
        self.kind, self.unit, self.name = e.tag, unit, e.get("name")
        self.id = identifier(self.name)
        self.ledger = e.get("ledger", "")
        self.devices = device_mask(e)
        self.variable = e.get("variable", "false") == "true"
        self.length = number(e.get("length", "1"))
        self.where = f"{unit}: {self.name}"
        self.fields = [Field(f, self.where, enums) for f in e if f.tag in ("field", "reserved")]
        # what follows the fixed part of a variable layout: its name, and the structure that repeats
        tail = e.find("tail")
        self.tail = tail.get("name") if tail is not None else None
        self.tail_struct = tail.get("struct") if tail is not None else None
        for f in e:
            if f.tag not in ("field", "reserved", "tail", "value"):
                raise SpecError(f"{self.where}: unknown element {f.tag}")

    def named(self):
        return [f for f in self.fields if not f.reserved]

    def check(self, extra=()):
        owner = {}
        for f in list(self.fields) + list(extra):
            for bit in range(f.start, f.end + 1):
                if bit in owner:
                    raise SpecError(f"{self.where}: {f.name} overlaps {owner[bit]} at dword "
                                    f"{bit // 32} bit {bit % 32}")
                owner[bit] = f.name
        total = self.length * 32
        beyond = [b for b in owner if b >= total]
        if beyond:
            raise SpecError(f"{self.where}: {owner[beyond[0]]} lies past the length of "
                            f"{self.length} dwords")
        gaps = [b for b in range(total) if b not in owner]
        if gaps:
            raise SpecError(f"{self.where}: undeclared gap at dword {gaps[0] // 32} bit "
                            f"{gaps[0] % 32}")
        seen = {}
        for f in self.named():
            if f.id in seen:
                raise SpecError(f"{self.where}: two fields named {f.name}")
            seen[f.id] = f


class Span:
    """A header range owned by the format itself."""

    def __init__(self, name, hi, lo):
        self.name, self.start, self.end = name, lo, hi


class Command(Layout):
    def __init__(self, element, unit, enums):
        super().__init__(element, unit, enums)
        e = element
        self.client = e.get("client", "gfx")
        if self.client not in CLIENT:
            raise SpecError(f"{self.where}: unknown client {self.client}")
        base, shift, self.opcode_lo, default_bits = CLIENT[self.client]
        self.opcode = number(e.get("opcode"))
        self.header = (base | self.opcode << shift) & 0xFFFFFFFF
        self.engines = sum(ENGINE_BIT[n] for n in e.get("engines", "rcs").split())
        self.bias = number(e.get("bias", "2"))
        bits = e.get("length-bits")
        if bits == "none" or (bits is None and self.length == 1 and not self.variable):
            self.length_bits = None
        else:
            hi, lo = (int(x) for x in bits.split(":")) if bits else default_bits
            self.length_bits = (hi, lo)

    def check(self):
        extra = [Span("opcode", 31, self.opcode_lo)]
        if self.length_bits:
            extra.append(Span("DWord Length", *self.length_bits))
        super().check(extra)


class Register(Layout):
    def __init__(self, element, unit, enums, engine=None, index=None):
        self.width64 = element.get("width") == "64"
        if "length" not in element.attrib:
            element.set("length", "2" if self.width64 else "1")
        super().__init__(element, unit, enums)
        e = element
        self.offset = number(e.get("offset")) + (ENGINE_BASE[engine] if engine else 0)
        name = self.name
        if engine:
            name = f"{engine.upper()}_{name}"
        if index is not None:
            name = f"{name}_{index}"
            self.offset += index * number(e.get("stride", "4"))
        self.name, self.id = name, identifier(name)
        self.engine = engine
        self.access = e.get("access", "rw")
        if self.access not in ACCESS:
            raise SpecError(f"{self.where}: unknown access {self.access}")
        self.default = number(e.get("default", "0"))
        self.reset = e.get("reset", engine or "full")  # full, rcs, vcs, bcs, none
        self.wake = e.get("wake", "")  # "", render, media; empty: by the address range
        self.context = e.get("context", "false") == "true"
        # side effect: names the unit that owns it; "rule": checked, nothing more
        self.hook = e.get("hook", "")


class Range:
    """A stretch of register offsets that something is true of."""

    def __init__(self, element, where):
        self.name = element.get("name")
        self.id = identifier(self.name)
        self.first, self.last = number(element.get("first")), number(element.get("last"))
        if not 0 <= self.first <= self.last <= 0xFFFFFFFF:
            raise SpecError(f"{where}: {self.name}: bad range {element.get('first')} to "
                            f"{element.get('last')}")

    def overlaps(self, other):
        return self.id == other.id and self.first <= other.last and other.first <= self.last


CONTEXT_PARTS = ("power", "main", "extended", "ring")


class ContextItem:
    """One stretch of a context image: kind (noop, register, command, media), part, size, and its
    registers or command."""

    def __init__(self, kind, part, size, dw):
        self.kind, self.part, self.size, self.dw = kind, part, size, dw
        self.registers, self.names, self.command, self.relative = [], [], None, False

    dwords = property(lambda s: 1 + 2 * s.size if s.kind == "register" else s.size)


class Context:
    """A context image: what lies in it, in order."""

    def __init__(self, element, spec, where):
        self.name, self.id = element.get("name"), identifier(element.get("name"))
        self.where = f"{where}: {self.name}"
        mask = device_mask(element)
        self.generation = next((g for g, m in (GENERATIONS | OWN_GENERATIONS).items() if m & mask),
                               None)
        if not self.generation:
            raise SpecError(f"{self.where}: no part has it")
        self.mask = (GENERATIONS | OWN_GENERATIONS)[self.generation]
        self.items, self.length = [], 0
        for e in element:
            self._place(e)
            self._add(self._item(e, spec))

    def _add(self, item):
        self.items.append(item)
        self.length += item.dwords

    def _place(self, e):
        if not e.get("dw"):
            return
        gap = number(e.get("dw")) - self.length
        if gap < 0:
            raise SpecError(f"{self.where}: dword {e.get('dw')} is taken")
        if gap:
            self._add(ContextItem("noop", e.get("part"), gap, self.length))

    def _item(self, e, spec):
        part = e.get("part")
        if part not in CONTEXT_PARTS:
            raise SpecError(f"{self.where}: no part {part}")
        if e.tag == "noops":
            return ContextItem("noop", part, number(e.get("count")), self.length)
        if e.tag == "registers":
            item = ContextItem("register", part, 0, self.length)
            item.relative = e.get("relative", "false") == "true"
            for name in e.text.split():
                self._registers(item, name, spec)
            item.size = len(item.registers)
            return item
        if e.tag not in ("command", "media"):
            raise SpecError(f"{self.where}: unknown element {e.tag}")
        found = [c for c in spec.commands if c.name == e.get("name") and c.devices & self.mask]
        if not found:
            raise SpecError(f"{self.where}: there is no command {e.get('name')}")
        item = ContextItem(e.tag, part, number(e.get("length", str(found[0].length))), self.length)
        item.command = found[0]
        return item

    def _registers(self, item, name, spec):
        whole, _, half = name.partition(".")
        for r in spec.registers:
            own = (r.name.partition("_")[2] if item.relative and r.engine
                   else r.name if not item.relative else "")
            if own != whole or not r.devices & self.mask:
                continue
            base = ENGINE_BASE[r.engine] if item.relative else 0
            for d in [int(half)] if half else range(r.length):
                item.registers.append(r.offset - base + 4 * d)
                item.names.append(identifier(name if r.length == 1 or half else f"{name}.{d}"))
            if item.registers[-1] > 0xFFFF:
                raise SpecError(f"{self.where}: {name} does not fit 16 bits")
            return
        raise SpecError(f"{self.where}: there is no register {whole}")


class Spec:
    def __init__(self, paths):
        self.structs, self.commands, self.registers, self.ranges, self.enums, self.contexts = (
            [], [], [], [], {}, [])
        self.enum_generation = {}
        roots = []
        for path in sorted(paths):
            try:
                root = ET.parse(path).getroot()
            except ET.ParseError as err:
                raise SpecError(f"{path}: {err}")
            roots.append((path, root))
            for e in root.findall("enum"):
                if e.get("name") in self.enums:
                    raise SpecError(f"{path}: two enums named {e.get('name')}")
                self.enum_generation[e.get("name")] = (root.get("unit")
                                                       if root.get("unit") in OWN_GENERATIONS
                                                       else "gen7")
                self.enums[e.get("name")] = [(v.get("name"), number(v.get("value")), "")
                                             for v in e.findall("value")]
        for path, root in roots:
            unit = root.get("unit") or os.path.basename(path)
            for e in root:
                if e.tag in ("struct", "message"):
                    self.structs.append(Layout(e, unit, self.enums))
                elif e.tag == "command":
                    self.commands.append(Command(e, unit, self.enums))
                elif e.tag == "register":
                    self.registers += self._registers(e, unit)
                elif e.tag == "range":
                    r = Range(e, path)
                    if any(r.overlaps(other) for other in self.ranges):
                        raise SpecError(f"{path}: {r.name}: two stretches overlap at {r.first:#x}")
                    self.ranges.append(r)
                elif e.tag not in ("enum", "context"):
                    raise SpecError(f"{path}: unknown element {e.tag}")
        self._check()
        for path, root in roots:
            for e in root.findall("context"):
                c = Context(e, self, path)
                if any((c.id, c.generation) == (x.id, x.generation) for x in self.contexts):
                    raise SpecError(f"{c.where}: a second context image of this name")
                self.contexts.append(c)

    def _registers(self, e, unit):
        engines = e.get("engines", "").split() or [None]
        count = number(e.get("count", "0"))
        indices = range(count) if count else [None]
        return [Register(e, unit, self.enums, g, i) for g in engines for i in indices]

    def _check(self):
        for group, what in ((self.structs, "structure"), (self.commands, "command"),
                            (self.registers, "register")):
            seen = {}
            for x in group:
                x.check()
                clash = seen.get(x.id)
                if clash and clash.devices & x.devices:
                    raise SpecError(f"{x.where}: two {what}s of this name")
                seen[x.id] = x
        for generation, mask in (GENERATIONS | OWN_GENERATIONS).items():
            for group in (self.structs, self.commands):
                seen = {}
                for x in group:
                    if x.devices & mask and seen.setdefault(x.id, x) is not x:
                        raise SpecError(f"{x.where}: two layouts of this name in {generation}")
        names = {x.name for x in self.structs}
        for x in self.structs + self.commands + self.registers:
            used = [n for f in x.fields for n in f.struct.split(", ") if n]
            used += [x.tail_struct] if x.tail_struct else []
            for name in used:
                if name not in names:
                    raise SpecError(f"{x.where}: there is no structure {name}")
        opcodes = {}
        for c in self.commands:
            for bit in ENGINE_BIT.values():
                for dev in DEVICES.values():
                    if not (c.engines & bit and c.devices & dev):
                        continue
                    key = (c.client, c.opcode, bit, dev)
                    if key in opcodes:
                        raise SpecError(f"{c.where}: opcode {c.opcode:#x} is taken by "
                                        f"{opcodes[key]}")
                    opcodes[key] = c.name
        places = {}
        for r in self.registers:
            for dev in DEVICES.values():
                if not r.devices & dev:
                    continue
                for dword in range(r.length):
                    key = (r.offset + 4 * dword, dev)
                    if key in places:
                        raise SpecError(f"{r.where}: offset {key[0]:#x} is taken by {places[key]}")
                    places[key] = r.name
        self.registers.sort(key=lambda r: (r.offset, r.devices))
        self.commands.sort(key=lambda c: (c.header, c.engines, c.devices))


def find_xml(root):
    out = []
    for d, _, files in os.walk(root):
        if os.path.basename(d) == "eu":
            continue  # the instruction set has a format and a reader of its own
        out += [os.path.join(d, f) for f in files if f.endswith(".xml")]
    return sorted(out)
