#!/usr/bin/env python3
"""Makes gen7_hw.h (structs, pack, unpack, ids, register offsets) and gen7_hw.c (tables) from spec/.

usage: genhw.py SPEC_DIR OUT_HEADER OUT_SOURCE [DEPFILE]
"""
import os
import sys

import hwxml
import output

C_TYPE = {"uint": "uint32_t", "int": "int32_t", "bool": "bool", "float": "float",
          "address": "uint32_t", "offset": "uint32_t"}
TABLE_TYPE = {"uint": "HW_UINT", "int": "HW_INT", "bool": "HW_BOOL", "float": "HW_FLOAT",
              "address": "HW_ADDRESS",
              "offset": "HW_OFFSET", "mbz": "HW_MBZ", "mbo": "HW_MBO", "ignored": "HW_IGNORED"}


def c_type(f):
    if f.width > 32:
        return "uint64_t"
    return C_TYPE[f.base]


def quote(s):
    return '"' + s.replace("\\", "\\\\").replace('"', '\\"') + '"'


def unpack_expr(f):
    if f.start // 32 != f.end // 32:
        low = f"(uint64_t)dw[{f.start // 32}] | (uint64_t)dw[{f.start // 32 + 1}] << 32"
        shift, width = f.start % 32, f.width
        mask = (1 << width) - 1
        e = f"(({low}) >> {shift}) & UINT64_C({mask:#x})"
        if f.base in ("address", "offset") and shift:
            e = f"(({low}) & UINT64_C({mask << shift:#x}))"
        return e if width > 32 else f"(uint32_t)({e})"
    word, lo = f"dw[{f.start // 32}]", f.start % 32
    mask = ((1 << f.width) - 1) & 0xFFFFFFFF
    if f.base == "float":
        return f"hw_float({word})"
    if f.base in ("address", "offset"):
        return f"{word} & {(mask << lo) & 0xFFFFFFFF:#x}u"
    if f.base == "bool":
        return (f"({word} >> {lo} & 1u) != 0" if f.width == 1
                else f"({word} >> {lo} & {mask:#x}u) != 0")
    if f.base == "int":
        return (f"(int32_t)({word} << {32 - lo - f.width}) >> {32 - f.width}" if f.width < 32
                else f"(int32_t){word}")
    return f"{word} >> {lo} & {mask:#x}u" if f.width < 32 else word


def pack_lines(f):
    v = f"v->{member(f)}"
    w0, lo = f.start // 32, f.start % 32
    if f.start // 32 != f.end // 32:
        mask = (1 << f.width) - 1
        e = f"((uint64_t){v} & UINT64_C({mask:#x})) << {lo}"
        if f.base in ("address", "offset") and lo:
            e = f"((uint64_t){v} & UINT64_C({mask << lo:#x}))"
        return [f"{{ uint64_t q = {e}; dw[{w0}] |= (uint32_t)q; dw[{w0 + 1}] |= (uint32_t)(q >> "
                f"32); }}"]
    mask = ((1 << f.width) - 1) & 0xFFFFFFFF
    if f.base == "float":
        return [f"dw[{w0}] |= hw_float_bits({v});"]
    if f.base in ("address", "offset"):
        return [f"dw[{w0}] |= {v} & {(mask << lo) & 0xFFFFFFFF:#x}u;"]
    return [f"dw[{w0}] |= ((uint32_t){v} & {mask:#x}u) << {lo};"]


KEYWORDS = {"default", "register", "int", "short", "long", "union", "struct", "enum", "static",
            "signed", "unsigned", "switch"}


def member(f):
    n = f.id
    if n in KEYWORDS:
        n += "_"
    return "_" + n if n[0].isdigit() else n


def by_name(layouts, generations=hwxml.GENERATIONS):
    """Layouts that some part executes: (name, [(generation, layout)]) in the order of the
    specification."""
    out = {}
    for x in layouts:
        for generation, mask in generations.items():
            if x.devices & mask:
                out.setdefault(x.id, []).append((generation, x))
    return list(out.items())


def members(versions):
    """The members of the one struct: those of every generation. A field that is wider somewhere is
    wide everywhere."""
    rank = ["bool", "uint32_t", "uint64_t"]
    out = {}
    for _, x in versions:
        for f in x.named():
            old, new = out.get(member(f)), c_type(f)
            if old and old != new:
                if old not in rank or new not in rank:
                    raise hwxml.SpecError(f"{x.where}: {f.name} is {old} in one generation and "
                                          f"{new} in another")
                new = rank[max(rank.index(old), rank.index(new))]
            out[member(f)] = new
    return out


def emit_struct(out, name, versions, prefix="hw"):
    """One struct per name, with an unpack and a pack per generation."""
    all_members = members(versions)
    out.append(f"struct {prefix}_{name} {{")
    out += [f"   {t} {m};" for m, t in all_members.items()] or ["   char empty;"]
    out.append("};")
    for generation, x in versions:
        emit_layout(out, generation, x, all_members, f"{prefix}_{name}")


def field_masks(generation, x):
    """GEN7_LAYOUT__FIELD is a field's bits in its dword, GEN7_LAYOUT__FIELD_DW the number of that
    dword.
    GEN7_LAYOUT__MBZ_3 are the bits of dword 3 that must be zero."""
    out = []
    layout = f"{generation}_{x.id}__".upper()
    for f in x.named():
        name = layout + f.id.upper()
        if f.start // 32 == f.end // 32:
            out.append(f"#define {name} {((1 << f.width) - 1) << f.start % 32:#x}u")
        out.append(f"#define {name}_DW {f.start // 32}")
    out += [f"#define {layout}MBZ_{dw} {m:#x}u" for dw, m in enumerate(masks(x, "mbz")) if m]
    if isinstance(x, hwxml.Command) and x.length_bits:
        high, low = x.length_bits
        out.append(f"#define {layout}DWORD_LENGTH {(1 << high - low + 1) - 1 << low:#x}u")
    return out


def emit_layout(out, generation, x, all_members, struct):
    n = f"{generation}_{x.id}"
    named = x.named()
    out.append(f"#define {n.upper()}_LENGTH {x.length}")
    out += field_masks(generation, x)
    for f in named:
        for name, value, _ in ([] if f.enum else f.values):
            out.append(f"#define {n.upper()}_{f.id.upper()}_{hwxml.identifier(name).upper()} "
                       f"{value}u")
    out.append(f"static inline void\n{n}_unpack(struct {struct} *v, const uint32_t *dw)\n{{")
    out.append("   (void)dw;")
    for f in named:
        out.append(f"   v->{member(f)} = {unpack_expr(f)};")
    absent = set(all_members) - {member(f) for f in named}
    out += [f"   v->{m} = 0;" for m in all_members if m in absent]
    if not all_members:
        out.append("   v->empty = 0;")
    out.append("}")
    out.append(f"static inline void\n{n}_pack(uint32_t *dw, const struct {struct} *v)\n{{")
    out.append("   (void)v;")
    header = [0] * x.length
    if isinstance(x, hwxml.Command):
        header[0] = x.header
        if x.length_bits:
            header[0] |= max(x.length - x.bias, 0) << x.length_bits[1]
    for f in x.fields:
        if f.type == "mbo":
            for b in range(f.start, f.end + 1):
                header[b // 32] |= 1 << b % 32
    for i, h in enumerate(header):
        out.append(f"   dw[{i}] = {h:#x}u;")
    for f in named:
        out += ["   " + line for line in pack_lines(f)]
    out.append("}\n")


def command_ids(out, generation, commands, comment):
    out.append(f"enum {generation}_command_id {{")
    out += [f"   {generation.upper()}_{name.upper()}_ID," for name, _ in commands]
    out.append(f"   {generation.upper()}_COMMAND_COUNT /* {comment} */\n}};\n")
    for name, versions in commands:
        for version, c in versions:
            out.append(f"#define {version.upper()}_{name.upper()}_HEADER {c.header:#x}u")


def command_id(c):
    """The id of a command's row."""
    if any(c.devices & m for m in hwxml.GENERATIONS.values()):
        return f"GEN7_{c.id.upper()}_ID"
    own = [g for g, m in hwxml.OWN_GENERATIONS.items() if c.devices & m]
    return f"{own[0].upper()}_{c.id.upper()}_ID" if own else "GEN7_COMMAND_COUNT"


def engine_offsets(spec):
    """ENGINE_NAME is the place of a register that every engine has, relative to
    REG_BASE_<engine>."""
    out = [f"#define REG_BASE_{n.upper()} {base:#x}u" for n, base in hwxml.ENGINE_BASE.items()]
    offsets = {}
    for r in spec.registers:
        if r.engine:
            offsets.setdefault(r.id.split("_", 1)[1],
                               set()).add(r.offset - hwxml.ENGINE_BASE[r.engine])
    for name, places in offsets.items():
        if len(places) != 1:
            raise hwxml.SpecError(f"{name}: at different places in the engines")
        out.append(f"#define ENGINE_{name.upper()} {places.pop():#x}u")
    return out


def emit_range(out, ranges):
    """reg_in_<name>(offset): a range of one name may have several stretches. One that has not has a
    first and a last offset."""
    for name in dict.fromkeys(r.id for r in ranges):
        stretches = [r for r in ranges if r.id == name]
        if len(stretches) == 1:
            out.append(f"#define RANGE_{name.upper()}_FIRST {stretches[0].first:#x}u")
            out.append(f"#define RANGE_{name.upper()}_LAST {stretches[0].last:#x}u")
        tests = " || ".join((f"(offset >= {r.first:#x}u && offset <= {r.last:#x}u)" if r.first
                             else f"offset <= {r.last:#x}u")
                            for r in stretches)
        out.append(f"static inline bool\nreg_in_{name}(uint32_t offset)\n{{\n   return "
                   f"{tests};\n}}")


def masks(x, kind):
    m = [0] * x.length
    for f in x.fields:
        if f.type == kind:
            for b in range(f.start, f.end + 1):
                m[b // 32] |= 1 << b % 32
    return m


def ledger_of(f, x):
    return f.ledger


class Tables:
    """Collects the C tables; equal value lists are written once."""

    def __init__(self):
        self.out, self.values = [], {}

    def value_list(self, values):
        if not values:
            return "NULL"
        key = tuple((n, v) for n, v, _ in values)
        if key not in self.values:
            name = f"values_{len(self.values)}"
            self.values[key] = name
            rows = ", ".join(f"{{{quote(n)}, {v}u}}" for n, v in key)
            self.out.append(f"static const struct hw_value {name}[] = {{{rows}}};")
        return self.values[key]

    def layout(self, x, tag):
        rows = []
        for f in sorted(x.fields, key=lambda f: f.start):
            vl = self.value_list(f.values)
            lo = f.min if f.min is not None else 0
            hi = f.max if f.max is not None else 0
            rows.append(f"   {{{quote(f.name)}, {quote(f.ledger)}, {quote(f.unit)}, {vl}, "
                        f"{len(f.values)}, {f.start}, {f.end}, "
                        f"{TABLE_TYPE[f.base]}, {f.fraction}, {str(f.closed).lower()}, "
                        f"{str(f.min is not None).lower()}, "
                        f"{str(f.max is not None).lower()}, {lo}, {hi}, {quote(f.struct)}}},")
        if rows:
            self.out.append(f"static const struct hw_field fields_{tag}[] = {{")
            self.out += rows
            self.out.append("};")
        for kind in ("mbz", "mbo"):
            m = masks(x, kind)
            self.out.append(f"static const uint32_t {kind}_{tag}[] = "
                            f"{{{', '.join(f'{v:#x}u' for v in m)}}};")
        ranged = any(f.closed or f.min is not None or f.max is not None for f in x.fields)
        fields = f"fields_{tag}" if rows else "NULL"
        tail = quote(x.tail) if x.tail else "NULL"
        return (f"{{{quote(x.name)}, {quote(x.unit)}, {quote(x.ledger)}, {fields}, "
                f"{len(x.fields)}, {x.length}, "
                f"{str(x.variable).lower()}, {str(ranged).lower()}, {tail}, mbz_{tag}, mbo_{tag}, "
                f"{quote(x.tail_struct) if x.tail_struct else 'NULL'}}}")


def register_rows(r, tag):
    access_mask = {"rw": 0xFFFFFFFF, "ro": 0, "wo": 0xFFFFFFFF, "w1c": 0, "masked": 0xFFFF, "rc": 0}
    for d in range(r.length):
        rw = access_mask[r.access]
        w1c = 0xFFFFFFFF if r.access == "w1c" else 0
        for f in r.fields:
            for b in range(f.start, f.end + 1):
                if b // 32 != d:
                    continue
                bit = 1 << b % 32
                if f.reserved:
                    rw &= ~bit
                    w1c &= ~bit
                elif f.access == "ro":
                    rw &= ~bit
                    w1c &= ~bit
                elif f.access == "w1c":
                    rw &= ~bit
                    w1c |= bit
                elif f.access == "rw":
                    rw |= bit
                    w1c &= ~bit
        if r.access == "masked":
            rw &= 0xFFFF
        default = r.default >> 32 * d & 0xFFFFFFFF
        wake = {"": "HW_WAKE_BY_RANGE", "render": "HW_WAKE_RENDER",
                "media": "HW_WAKE_MEDIA"}[r.wake]
        yield (f"   {{{r.offset + 4 * d:#x}u, {rw:#x}u, {w1c:#x}u, {default:#x}u, &layout_{tag}, "
               f"{d}, HW_{r.access.upper()}, "
               f"HW_RESET_{r.reset.upper()}, {wake}, {r.devices}, {str(r.context).lower()}, "
               f"{str(bool(r.hook)).lower()}, "
               f"{str(r.hook not in ('', 'rule')).lower()}}},")


def context_names(out, c):
    """GEN11_IMAGE__REGISTER_DW is where the value of a register lies in an image, or a command of
    the media part.
    The part itself has GEN7_IMAGE_MEDIA_LENGTH dwords."""
    out.append(f"extern const struct hw_context {c.generation}_{c.id};")
    image = f"{c.generation}_{c.id}".upper()
    media = [item for item in c.items if item.kind == "media"]
    for item in c.items:
        for i, name in enumerate(item.names):
            out.append(f"#define {image}__{name.upper()}_DW {item.dw + 2 + 2 * i:#x}u")
    for item in media:
        out.append(f"#define {image}__{item.command.id.upper()}_DW {item.dw:#x}u")
    if media:
        out.append(f"#define {image}_MEDIA_LENGTH {sum(item.size for item in media)}")


def context_rows(c, tag, out):
    """The items of a context image; their register lists go to `out`."""
    rows = []
    for i, item in enumerate(c.items):
        registers = "NULL"
        if item.registers:
            registers = f"{tag}_{i}"
            out.append(f"static const uint16_t {registers}[] = "
                       f"{{{', '.join(f'{o:#x}' for o in item.registers)}}};")
        opcode = item.command.header >> 16 if item.command else 0
        rows.append(f"{{HW_CONTEXT_{item.kind.upper()}, HW_PART_{item.part.upper()}, "
                    f"{str(item.relative).lower()}, {item.size}, {opcode:#x}, "
                    f"{registers}}}")
    return rows


def generate(spec):
    h = ["/* Generated from spec/ by tools/gen/genhw.py. */", "#ifndef GEN7_HW_H",
         "#define GEN7_HW_H",
         '#include "hw/hw.h"', "#include <string.h>", "",
         "static inline float\nhw_float(uint32_t u)\n{\n   float f;\n   memcpy(&f, &u, 4);\n   "
         "return f;\n}",
         "static inline uint32_t\nhw_float_bits(float f)\n{\n   uint32_t u;\n   memcpy(&u, &f, "
         "4);\n   return u;\n}", ""]
    for name, values in spec.enums.items():
        for n, v, _ in values:
            h.append(f"#define {spec.enum_generation[name].upper()}_"
                     f"{hwxml.identifier(name).upper()}_{hwxml.identifier(n).upper()} {v:#x}u")
    for name, versions in by_name(spec.structs) + by_name(spec.commands):
        emit_struct(h, name, versions)
    commands = by_name(spec.commands)
    command_ids(h, "gen7", commands, "also: of a command that no part executes")
    for generation, mask in hwxml.OWN_GENERATIONS.items():
        own = by_name(spec.commands, {generation: mask})
        for name, versions in by_name(spec.structs, {generation: mask}) + own:
            emit_struct(h, name, versions, generation)
        command_ids(h, generation, own, "none of them")
    seen = set()
    for r in spec.registers:
        if r.id.upper() not in seen:
            seen.add(r.id.upper())
            h.append(f"#define REG_{r.id.upper()} {r.offset:#x}u")
    h += engine_offsets(spec)
    seen = set()
    for r in spec.registers:
        for f in r.named():
            name = f"REG_{r.id.upper()}__{f.id.upper()}"
            if name in seen or f.width > 32:
                continue
            seen.add(name)
            mask = ((1 << f.width) - 1 << f.start % 32) & 0xFFFFFFFF
            h.append(f"#define {name} {mask:#x}u")
            h += [f"#define {name}_{hwxml.identifier(n).upper()} {v:#x}u"
                  for n, v, _ in ([] if f.enum else f.values)]
    emit_range(h, spec.ranges)
    for c in spec.contexts:
        context_names(h, c)
    h.append("#endif")

    t = Tables()
    structs = [t.layout(x, f"s{i}") for i, x in enumerate(spec.structs)]
    command_rows = []
    for i, c in enumerate(spec.commands):
        lo, bits = (c.length_bits[1],
                    c.length_bits[0] - c.length_bits[1] + 1) if c.length_bits else (0, 0)
        mask = 0xFFFFFFFF << c.opcode_lo & 0xFFFFFFFF
        command_rows.append(f"{{{t.layout(c, f'c{i}')}, {c.header:#x}u, {mask:#x}u, "
                            f"HW_CLIENT_{c.client.upper()}, {c.engines}, {c.devices}, "
                        f"{lo}, {bits}, {c.bias}, {command_id(c)}}}")
    rows = []
    for i, r in enumerate(spec.registers):
        t.out.append(f"static const struct hw_layout layout_r{i} = {t.layout(r, f'r{i}')};")
        rows += [(r.offset, line) for line in register_rows(r, f"r{i}")]
    rows = [line
            for _, line in sorted(rows, key=lambda x: int(x[1].split("{")[1].split("u")[0], 16))]
    s = ["/* Generated from spec/ by tools/gen/genhw.py. */", '#include "gen7_hw.h"', ""] + t.out

    def table(kind, name, items):
        s.append(f"{'static ' if name.startswith('context') else ''}const {kind} {name}[] = {{")
        s.extend(x if x.startswith("   ") else f"   {x}," for x in items)
        if not items:
            s.append("   {},")
        s.append("};")

    table("struct hw_layout", "hw_structs", structs)
    s.append(f"const size_t hw_struct_count = {len(structs)};")
    table("struct hw_command", "hw_commands", command_rows)
    s.append(f"const size_t hw_command_count = {len(command_rows)};")
    rows_by_id = ", ".join(str(spec.commands.index(versions[0][1]))
                           for _, versions in commands) or "0"
    s.append(f"const uint16_t hw_command_rows[] = {{{rows_by_id}}};")
    for i, c in enumerate(spec.contexts):
        items = context_rows(c, f"context_{i}", s)
        table("struct hw_context_item", f"context_items_{i}", items)
        s.append(f"const struct hw_context {c.generation}_{c.id} = {{context_items_{i}, "
                 f"{len(items)}}};")
    table("struct hw_register", "hw_registers", rows)
    s.append(f"const size_t hw_register_count = {len(rows)};")
    return "\n".join(h) + "\n", "\n".join(s) + "\n"


def main(argv):
    if len(argv) < 4:
        print(__doc__, file=sys.stderr)
        return 2
    paths = hwxml.find_xml(argv[1])
    try:
        header, source = generate(hwxml.Spec(paths))
    except hwxml.SpecError as err:
        print(f"genhw: {err}", file=sys.stderr)
        return 1
    output.write(argv[2], header)
    output.write(argv[3], source)
    if len(argv) > 4:
        with open(argv[4], "w") as f:
            # the directories with descriptions too: a file that is added must be noticed
            folders = sorted({argv[1]} | {os.path.dirname(p) for p in paths})
            f.write(f"{argv[2]} {argv[3]}: {' '.join(paths + folders)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
