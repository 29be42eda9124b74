"""Mutants: small wrong changes at the lines that implement a row."""
import collections
import hashlib
import re

from proof import places

# file, line index, rows cited there, the line and its mutant; edits: {line index: new line} (XML
# moves two fields)
Mutant = collections.namedtuple("Mutant", "file line rows code mutant ordinal edits")

NUMBER = re.compile(r"(?<![\w.])(0[xX][0-9a-fA-F]+|\d+)([uUlL]*)(?![\w.])")
TOKENS = {
    "<=": "<", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&", "<<": ">>", ">>": "<<",
    "+=": "-=", "-=": "+=", "|=": "&=", "&=": "|=",
}
SPACED = {"<": "<=", ">": ">=", "+": "-", "-": "+", "*": "+", "/": "*", "%": "/", "&": "|",
          "|": "&", "^": "|"}
WORDS = [
    ("x", "y"), ("width", "height"), ("red", "green"), ("green", "blue"), ("src", "dst"),
    ("min", "max"), ("read", "write"),
    ("first", "last"), ("head", "tail"), ("start", "end"), ("lower", "upper"), ("low", "high"),
    ("true", "false"), ("row", "column"),
]
DECLARATION = re.compile(r"\s*(static |const |struct |enum |union |unsigned |signed |bool |char "
                         r"|int |float |double |void |size_t |u?int\d+_t )")
SIMPLE = (
    re.compile(
        r"(\s*)(?!return\b[^;]|case\b|default\b|else\b|if\b|for\b|while\b|do\b|switch\b|goto\b)"
        r"[\w*(][^;{}]*;\s*$"))


def numbers(code):
    for m in NUMBER.finditer(code):
        text, suffix = m.groups()
        value = int(text, 0) if not re.fullmatch(r"0\d+", text) else int(text, 8)
        if value > 9 and text[:2] in ("0x", "0X"):
            low, high = value & -value, 1 << (value.bit_length() - 1)
            others = [hex(value ^ b) for b in dict.fromkeys((low, high))]
        else:
            others = [str(v) for v in ((value + 1, value - 1) if value > 1 else (1 - value,))]
        for other in others:
            yield m.start(), m.end(), other + suffix


def operators(code):
    for m in re.finditer(r"<=|>=|==|!=|&&|\|\||(?<!<)<<(?![<=])|(?<!>)>>(?![>=])|[+\-|&]=(?!=)",
                         code):
        yield m.start(), m.end(), TOKENS[m.group(0)]
    for m in re.finditer(r"(?<=[\w)\]] )[-+*/%&|^<>](?= )", code):
        yield m.start(), m.end(), SPACED[m.group(0)]
    for m in re.finditer(r"(?<![\w)\]])!(?!=)|~|(?<=[(,=] )-(?=\w)|(?<=return )-(?=\w)", code):
        yield m.start(), m.end(), ""


def words(code):
    for pair in WORDS:
        for old, new in (pair, pair[::-1]):
            for m in re.finditer(rf"(?<![A-Za-z0-9]){old}(?![A-Za-z0-9])", code):
                if old in ("true", "false") or m.start() and code[m.start() - 1] in "._>":
                    yield m.start(), m.end(), new


def conditions(code):
    """A condition without an operator of its own is negated."""
    for m in re.finditer(r"\b(?:if|while) \((?!!)([\w.\->\[\]]+|[\w.\->]+\([^()]*\))\)", code):
        yield m.start(1), m.end(1), "!(@)"


# What a report says, and how bad it finds it, is the model's own; that it comes is the requirement.
REPORT = re.compile(r"\s*(return )?\w*(report|note|broken|complain|reject)\w*\(")


def c_line(raw, code, report=False):
    """The mutants of one line of C, as new lines."""
    if re.match(r"\s*(#|static_assert|_Static_assert|assert\(|extern |typedef )", code):
        return
    code = re.sub(r"(__builtin_expect\(.*), ([01])\)", r"\1,  )", code)  # a hint
    if report:
        if SIMPLE.match(code) and code.count("(") == code.count(")"):
            yield SIMPLE.match(code).group(1) + ";"
        return
    declared = re.match(r"\s*[\w* ]+\[[^\]]*\]\s*;", code)
    for source in (numbers, operators, words, conditions):
        if declared and source is numbers:
            continue
        for first, last, new in source(code):
            yield raw[:first] + new.replace("@", raw[first:last]) + raw[last:]
    if SIMPLE.match(code) and not DECLARATION.match(code) and code.count("(") == code.count(")"):
        yield SIMPLE.match(code).group(1) + ";"


def removed(raw, code, lines):
    """Statements over several lines go as a whole: {first line: edits}."""
    for n in sorted(lines):
        first, last = places.statement(code, n)
        text = " ".join(c.strip() for c in code[first : last + 1])
        if n == first and last > first and re.match(r"\w+\(",
                                                    text) and text.endswith(
                                                        ");") and not DECLARATION.match(text):
            indent = re.match(r"\s*", code[first]).group(0)
            yield n, {first: indent + ";", **{k: "" for k in range(first + 1, last + 1)}}


def in_c(path, text):
    raw, code = text.split("\n"), places.code_of(text).split("\n")
    cited = places.in_c(text)
    for n, rows in sorted(cited.items()):
        # or behind its condition
        report = any(REPORT.match(line) for line in code[places.statement(code, n)[0] : n + 1])
        for new in c_line(raw[n], code[n], report):
            yield n, rows, {n: new}
    for n, edits in removed(raw, code, cited):
        yield n, cited[n], edits


FIELD = re.compile(r'bits="(\d+)(?::(\d+))?"')
ATTRIBUTE = (
    re.compile(r'\b(max|min|opcode|length|value|default|offset|bias)="(0x[0-9a-fA-F]+|\d+)"'))


def bits_of(line):
    m = FIELD.search(line)
    dw = re.search(r'\bdw="(\d+)"', line)
    return m and (dw.group(1) if dw else "", int(m.group(1)), int(m.group(2) or m.group(1)))


def with_bits(line, high, low):
    return FIELD.sub(f'bits="{high}:{low}"' if high != low else f'bits="{high}"', line, count=1)


def in_xml(path, text):
    raw = text.split("\n")
    for n, rows in sorted(places.in_xml(text).items()):
        line = raw[n]
        for m in ATTRIBUTE.finditer(line):
            value = int(m.group(2), 0) + 1
            yield n, rows, {n: line[: m.start(2)] + (hex(value) if "x" in m.group(2)
                                                     else str(value)) + line[m.end(2) :]}
        if 'closed="true"' in line:
            yield n, rows, {n: line.replace(' closed="true"', "")}
        here = bits_of(line)
        for k in range(max(0, n - 8), min(len(raw), n + 9)):
            there = bits_of(raw[k]) if k != n else None
            if not here or not there or there[0] != here[0] or there[1] + 1 != here[2]:
                continue  # not the field right below
            if here[1] > here[2]:
                yield n, rows, {n: with_bits(line, here[1], here[2] + 1),
                                k: with_bits(raw[k], there[1] + 1, there[2])}
            if there[1] > there[2]:
                yield n, rows, {n: with_bits(line, here[1], here[2] - 1),
                                k: with_bits(raw[k], there[1] - 1, there[2])}
            if here[1] - here[2] == there[1] - there[2]:
                yield n, rows, {n: with_bits(line, there[1], there[2]),
                                k: with_bits(raw[k], here[1], here[2])}


def of_file(path, text):
    """[Mutant] of a file. Lines are named by their text, which outlives insertions above them."""
    raw, seen, found = text.split("\n"), collections.Counter(), []
    for n, rows, edits in (in_xml if path.endswith(".xml") else in_c)(path, text):
        edits = {k: new for k, new in edits.items() if new != raw[k]}
        if not edits:
            continue
        code = " ".join(" ".join(raw[k].split()) for k in sorted(edits))  # as the record has it
        mutant = " ".join(" ".join(edits[k].split()) for k in sorted(edits)).strip() or ";"
        seen[code, mutant] += 1
        found.append(Mutant(path, n, tuple(sorted(rows)), code, mutant, seen[code, mutant], edits))
    return found


def key(m):
    return (m.file, m.code, m.mutant, m.ordinal)


def order(m):
    """A fixed shuffle: what time does not allow is left out at random, and the same again."""
    return hashlib.sha1(repr(key(m)).encode()).digest()


def apply(text, m):
    lines = text.split("\n")
    for n, new in m.edits.items():
        lines[n] = new
    return "\n".join(lines)


def sample(found, count, kept=(), idle=()):
    """Mutants until each row has `count` (all of them when it is 0): those of the keys `kept`, then
    others in the fixed order. The keys `idle` (equivalent, or no mutants at all) give a row
    nothing."""
    taken, of_row = [], collections.Counter()
    for m in sorted(found, key=lambda m: (key(m) not in kept, order(m))):
        wanted = not count or any(of_row[r] < count for r in m.rows)
        if key(m) in kept or wanted and key(m) not in idle:
            taken.append(m)
            if key(m) not in idle:
                of_row.update(m.rows)
    return taken
