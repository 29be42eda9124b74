"""Which lines of the product a citation speaks of."""
import re

from proof.rows import ID

NOISE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'', re.S)
AFTER_COMMENT = 6  # lines of code that a comment inside a function speaks of, at most
WHOLE = 60  # lines of a function or table that a comment above it speaks of, at most


def blank(m):
    """Comments and strings become spaces, so that columns and lines stay."""
    return re.sub(r"[^\n]", " ", m.group(0))


def code_of(text):
    return NOISE.sub(blank, text)


ENTRY = re.compile(r"\s*[A-Z][A-Z0-9_]*\([^()]*\),\s*$")  # of a table, by a macro


def ends_statement(code):
    """An entry of a table counts as a statement."""
    return code.rstrip().endswith((";", "{", "}", "},",
                                   ":")) or code.lstrip().startswith("#") or bool(ENTRY.match(code))


def statement(code, n):
    """First and last line of the statement that line n is part of."""
    first = last = n
    while first > 0 and code[first - 1].strip() and not ends_statement(code[first - 1]):
        first -= 1
    while last + 1 < len(code) and code[last].strip() and not ends_statement(code[last]):
        last += 1
    return first, last


def guarded(code, first):
    """The line where the condition of a one-statement body begins, or `first`."""
    head = first
    while head > 0 and not code[head].strip():
        head -= 1
    above = head - 1
    if above >= 0 and code[above].rstrip().endswith("{") and re.match(r"\s+(\} else "
                                                                      r")?(if|for|while)\b",
                                                                      code[statement(code, above)[
                                                                          0]]):
        return statement(code, above)[0]
    return first


def below_comment(code, n):
    """The lines after a comment that stands alone: a definition, or a few lines of a body."""
    while n < len(code) and not code[n].strip():
        n += 1
    if n >= len(code):
        return range(0)
    if not code[n].startswith((" ", "}", "#")):
        last = n
        while last + 1 < len(code) and last - n < WHOLE and not code[last].startswith("}"):
            last += 1
            if code[last - 1].rstrip().endswith(";") and not code[last - 1].startswith(" "):
                break
        return range(n, last + 1)
    last = n
    while last + 1 < len(code) and last - n < AFTER_COMMENT - 1 and code[last + 1].strip() not in (
        "", "}"):
        last += 1
    return range(n, last + 1)


def in_c(text):
    """{line index: rows} of a C file; lines without a row are not there."""
    raw, code = text.split("\n"), code_of(text).split("\n")
    places = {}
    for n, line in enumerate(raw):
        ids = ID.findall(line)
        if not ids or "strcmp(" in line:  # asks for a report of the row
            continue
        if code[n].strip() not in ("", ";"):
            first, last = statement(code, n)
            lines = range(guarded(code, first), last + 1)
        else:
            end = n
            while end + 1 < len(raw) and not code[end].strip() and "*/" not in raw[end]:
                end += 1
            lines = below_comment(code, end + 1)
        for k in lines:
            if code[k].strip() and not code[k].lstrip().startswith("#"):
                places.setdefault(k, set()).update(ids)
    return places


def in_xml(text):
    return {n: set(ID.findall(line)) for n, line in enumerate(text.split("\n")) if ID.search(line)}
