#!/usr/bin/env python3
"""Makes format_table.c from spec/formats.csv.

usage: genformats.py FORMATS_CSV OUT_SOURCE

A channel is TYPE BITS @ START, with the start counted from the least significant bit of the
element; an empty cell is a channel that the format lacks.
"""
import csv
import re
import sys

import output

TYPES = {"unorm", "snorm", "uint", "sint", "float", "uscaled", "sscaled", "fixed"}
LAYOUTS = {"plain", "sharedexp", "yuv422", "palette", "bit", "block", "planar", "raw"}
CODECS = {"": "NONE", "bc1": "BC1", "bc1rgb": "BC1_RGB", "bc2": "BC2", "bc3": "BC3", "bc4u": "BC4U",
          "bc4s": "BC4S",
          "bc5u": "BC5U", "bc5s": "BC5S", "bc6u": "BC6U", "bc6s": "BC6S", "bc7": "BC7",
          "fxt1": "FXT1", "etc1": "ETC1",
          "etc2": "ETC2", "etc2pta": "ETC2_PTA", "etc2eac": "ETC2_EAC", "eacr": "EAC_R",
          "eacrs": "EAC_RS", "eacrg": "EAC_RG", "eacrgs": "EAC_RGS"}
CAPABILITIES = {"sampler", "filter", "shadow", "chroma_key", "render", "blend", "vertex",
                "stream_out", "color_processing", "typed_read", "typed_write", "typed_atomic"}


def channel(text, bits, where):
    if not text:
        return None
    m = re.fullmatch(r"([a-z]+)(\d+)@(\d+)", text)
    if not m or m.group(1) not in TYPES or int(m.group(2)) + int(m.group(3)) > bits:
        raise SystemExit(f"{where}: bad channel {text}")
    return m.group(1), int(m.group(3)), int(m.group(2))


def row(r):
    where = f"{r['code']} {r['name']}"
    bits = int(r["bits"])
    if r["layout"] not in LAYOUTS or r["codec"] not in CODECS or (r["layout"]
                                                                  == "block") != bool(r["codec"]):
        raise SystemExit(f"{where}: bad layout or codec")
    channels = [channel(r[c], bits, where) for c in ("red", "green", "blue", "alpha")]
    if (r["layout"] in ("plain", "sharedexp")) != any(channels):
        raise SystemExit(f"{where}: channels and layout disagree")
    caps = r["capabilities"].split()
    if not set(caps) <= CAPABILITIES:
        raise SystemExit(f"{where}: bad capability")
    kinds = {c[0] for c in channels if c}
    klass = "UINT" if kinds == {"uint"} else "SINT" if kinds == {"sint"} else "FLOAT"
    cells = ", ".join(f"{{CHANNEL_{c[0].upper()}, {c[1]}, {c[2]}}}" if c else "{0}"
                      for c in channels)
    return (f'   [{r["code"]}] = {{"{r["name"]}", {r["code"]}, {bits}, {r["block_w"]}, '
            f'{r["block_h"]}, '
            f'FORMAT_{r["layout"].upper()}, CODEC_{CODECS[r["codec"]]}, FORMAT_CLASS_{klass}, '
            f'{"true" if r["curve"] == "srgb" else "false"}, '
            f'{" | ".join("FORMAT_" + c.upper() for c in caps) or "0"}, {{{cells}}}}},')


def main():
    with open(sys.argv[1], encoding="utf-8", newline="") as f:
        rows = [row(r) for r in csv.DictReader(f)]
    blank = ('{"", 0, 8, 1, 1, FORMAT_NONE, CODEC_NONE, FORMAT_CLASS_FLOAT, false, 0, {{0}, {0}, '
             '{0}, {0}}}')
    known = {int(re.search(r"\[(\w+)\]", r).group(1), 16) for r in rows}
    rows += [f"   [{n:#05x}] = {blank}," for n in range(512) if n not in known]
    output.write(sys.argv[2], "/* Generated from spec/formats.csv by tools/gen/genformats.py. */\n"
                 "#include \"surface/format.h\"\n\n"
                 "const struct format_info format_table[FORMAT_COUNT] = {\n" + "\n".join(rows)
                 + "\n};\n")


main()
