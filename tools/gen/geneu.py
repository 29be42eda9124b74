#!/usr/bin/env python3
"""Makes the instruction set tables (enums, field positions, opcodes, compaction) from
spec/eu/*.tsv.

usage: geneu.py SPEC_EU_DIR OUT_HEADER OUT_SOURCE
"""
import os
import sys

import output

DEVICES = {"all": "HW_IVB | HW_VLV | HW_HSW", "hsw": "HW_HSW"}
INT_TYPES = "B,UB,W,UW,D,UD"
ATTRS = {"D": "EU_OP_DST", "P": "EU_OP_PREDICATE", "C": "EU_OP_COND", "S": "EU_OP_SATURATE",
         "N": "EU_OP_SRC_MOD"}
JUMPS = {"J": "EU_OP_JIP", "U": "EU_OP_UIP"}
FORMATS = ["basic", "three", "branch", "jmpi", "call", "ret", "send", "wait", "math", "nop",
           "illegal", "dim"]
ACC = ["free", "none", "nosrc", "nodst", "one", "nomod", "implicit", "write", "three"]
MAX_GROUPS = 8


def rows(path):
    """The rows of a table as dictionaries; lines that start with # are comments."""
    with open(path, encoding="utf-8") as f:
        lines = [l.rstrip("\n") for l in f if l.strip() and not l.startswith("#")]
    head = lines[0].split("\t")
    for n, line in enumerate(lines[1:], 2):
        cells = line.split("\t")
        if len(cells) != len(head):
            raise SystemExit(f"{path}: row {n} has {len(cells)} cells, the head has {len(head)}")
        yield dict(zip(head, cells))


def check_fields(fields):
    for r in fields:
        hi, lo = int(r["high"]), int(r["low"])
        limit = 64 if r["format"] == "compact" else 128
        if not 0 <= lo <= hi < limit or lo // 64 != hi // 64:
            raise SystemExit(f"field {r['name']}: {hi}:{lo} is not inside one 64-bit half")


def type_mask(text):
    """The or of the types that a list such as "W,UW" or "int" names."""
    names = ",".join(INT_TYPES if t == "int" else t for t in text.split(",")).split(",")
    return " | ".join(f"1u << EU_TYPE_{n}" for n in names)


def enum_lines(enums):
    out = []
    for name in dict.fromkeys(r["enum"] for r in enums):
        out.append(f"enum eu_{name} {{")
        out += [f"   EU_{name.upper()}_{r['name'].upper()} = {r['code']},"
                for r in enums if r["enum"] == name]
        out.append("};")
    return out


def opcode_entry(r):
    groups = [] if r["types"] == "-" else [g.split("<") for g in r["types"].split(";")]
    if len(groups) > MAX_GROUPS:
        raise SystemExit(f"{r['name']}: too many type groups")
    attrs = [ATTRS[a] for a in r["attrs"] if a != "-"] + [JUMPS[a] for a in r["jump"] if a != "-"]
    cells = [f".name = \"{r['name']}\"", f".devices = {DEVICES[r['devices']]}",
             f".format = EU_FORMAT_{r['format'].upper()}",
             f".sources = {r['sources']}", f".attrs = {' | '.join(attrs) or '0'}",
             f".acc = EU_ACC_{r['acc'].upper()}"]
    if groups:
        cells.append(".types = {" + ", ".join(f"{{{type_mask(d)}, {type_mask(s)}}}"
                                              for d, s in groups) + "}")
    return f"   [{r['code']}] = {{{', '.join(cells)}}},"


def header(fields, opcodes, enums):
    out = ["/* Generated from spec/eu by geneu.py. */", "#ifndef PERGOLA_EU_ISA_GEN_H",
           "#define PERGOLA_EU_ISA_GEN_H", ""]
    out += enum_lines(enums)
    out.append("enum eu_opcode {")
    out += [f"   EU_OP_{r['name'].upper()} = {r['code']}," for r in opcodes]
    out += ["};", "enum eu_field {"]
    out += [f"   EU_FIELD_{r['name'].upper()}, /* {r['high']}:{r['low']} */" for r in fields]
    out += ["   EU_FIELD_COUNT,", "};"]
    out += ["enum eu_format {"] + [f"   EU_FORMAT_{f.upper()}," for f in FORMATS] + ["};"]
    out += ["enum eu_acc_rule {"] + [f"   EU_ACC_{a.upper()}," for a in ACC] + ["};"]
    out += [f"#define EU_OPCODE_TYPE_GROUPS {MAX_GROUPS}", "", "#endif", ""]
    return "\n".join(out)


def source(fields, opcodes, enums, compact):
    out = ["/* Generated from spec/eu by geneu.py. */", '#include "eu/isa/isa.h"',
           '#include "eu/isa/isa_tables.h"', ""]
    out.append("const struct eu_field_bits eu_fields[EU_FIELD_COUNT] = {")
    out += [f"   {{{r['low']}, {int(r['high']) - int(r['low']) + 1}}}," for r in fields]
    out += ["};", "", "const struct eu_opcode_info eu_opcodes[128] = {"]
    out += [opcode_entry(r) for r in opcodes]
    out += ["};", ""]
    for name in dict.fromkeys(r["enum"] for r in enums):
        out.append(f"const struct eu_name eu_{name}_names[] = {{")
        for r in enums:
            if r["enum"] == name:
                text = "" if r["text"] == "-" else r["text"]
                out.append(f"   {{{r['code']}, \"{text}\", {DEVICES[r['devices']]}}},")
        out += ["   {-1, NULL, 0},", "};"]
    for name in dict.fromkeys(r["table"] for r in compact):
        out.append(f"const uint32_t eu_compact_{name}[32] = {{")
        out += [f"   [{r['index']}] = {r['value']}," for r in compact if r["table"] == name]
        out.append("};")
    return "\n".join(out) + "\n"


def main():
    spec, out_h, out_c = sys.argv[1:4]
    load = lambda name: list(rows(os.path.join(spec, name)))
    fields, opcodes, enums, compact = (load("fields.tsv"), load("opcodes.tsv"), load("enums.tsv"),
                                       load("compact.tsv"))
    check_fields(fields)
    output.write(out_h, header(fields, opcodes, enums))
    output.write(out_c, source(fields, opcodes, enums, compact))


if __name__ == "__main__":
    main()
