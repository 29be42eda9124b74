#!/usr/bin/env python3
"""A manual page of a public header: its comments become prose, its declarations stay as they are.

usage: header2man.py HEADER OUT"""
import os
import re
import sys

SKIP = re.compile(r"^#(ifndef|define|endif|ifdef|if|else|include)|^extern \"C\" {$|^}$")
SECTION = re.compile(r"^-{3,} *(.*?) *-*$", re.S)


def escape(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.M)


def blocks(text):
    """("prose" | "code", text) in the order of the header. A comment that stands alone before a
    line is prose; one behind or inside a declaration is part of the code."""
    code, comment, depth = [], None, 0
    for line in text.replace("\\\n", "").splitlines():  # a macro is one line
        if comment is not None:
            comment.append(line.strip().removesuffix("*/").removeprefix("*").strip())
            if "*/" in line:
                yield "prose", "\n".join(comment).strip()
                comment = None
            continue
        if depth == 0 and line.startswith("/*"):
            if code:
                yield "code", "\n".join(code)
                code = []
            first = line[2:].strip()
            if "*/" in first:
                yield "prose", first.removesuffix("*/").strip()
            else:
                comment = [first]
            continue
        if depth == 0 and (SKIP.match(line) or not line.strip()):
            if code and not line.strip():
                yield "code", "\n".join(code)
                code = []
            continue
        depth += line.count("{") - line.count("}") + line.count("(") - line.count(")")
        code.append(line.replace("PERGOLA_API ", ""))
    if code:
        yield "code", "\n".join(code)


def page(name, text):
    out = [f'.TH {name} 3 "" "Pergola 0" "Pergola"', ".SH NAME"]
    parts = list(blocks(text))
    kind, first = parts[0]
    assert kind == "prose", "a header begins with a comment"
    sentence, _, rest = first.partition("\n\n")
    title = re.split(r"[.:] ?(?:Public interface.*)?$",
                     " ".join(sentence.split()))[0].removesuffix(".")
    title = re.sub(r"\. Public interface.*", "", title).removeprefix("Pergola: ")
    out += [f"{name} \\- {escape(title)}", ".SH SYNOPSIS", f".B #include <pergola/{name}>",
            ".SH DESCRIPTION"]
    parts[0] = (kind, rest)
    for kind, body in parts:
        section = SECTION.match(body.strip()) if kind == "prose" else None
        if section:
            out.append(f'.SH "{section.group(1).upper()}"')
        elif kind == "prose":
            for paragraph in re.split(r"\n\s*\n", body):
                for i, item in enumerate(re.split(r"^\s*- ", paragraph, flags=re.M)):
                    if item.strip():
                        out += [".IP \\(bu 2" if i else ".PP", escape(" ".join(item.split()))]
        else:
            out += [".PP", ".nf", ".RS", escape(body), ".RE", ".fi"]
    others = ["pergola.h", "pergola_eu.h", "pergola_machine.h", "pergola_runner.h",
              "pergola_trace.h"]
    out += [".SH SEE ALSO",
            ",\n".join([".BR pergola (1)"] + [f".BR {x} (3)" for x in others if x != name])
            .replace(",\n", " ,\n")]
    return "\n".join(out) + "\n"


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        text = f.read()
    with open(sys.argv[2], "w", encoding="utf-8") as f:
        f.write(page(os.path.basename(sys.argv[1]), text))


if __name__ == "__main__":
    main()
