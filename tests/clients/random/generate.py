"""Random compute shaders whose every result bit is defined by the API.

Each shader reads IN (words), UBO and its own invocation's number, does integer arithmetic, exact
float arithmetic, control flow, local and shared arrays, barriers, atomics and image accesses, and
writes OUT, COUNTERS and an image. No race decides a value: an invocation writes its own slots only,
shared memory is read behind a barrier, and what several invocations change by atomics is read by
none of them meanwhile.

Floats are exact by construction: an expression carries a bound of its magnitude and the number of
its fraction bits, and no operation is made that would need more than 24 bits. So rounding,
contraction and denormals play no part."""
import random

IN_WORDS, UBO_WORDS, OUT_WORDS, COUNTERS, SIDE = 1024, 64, 4, 16, 64
SIZES = [(8, 1, 1), (16, 1, 1), (32, 1, 1), (64, 1, 1), (128, 1, 1), (256, 1, 1), (8, 8, 1),
         (4, 4, 4), (5, 3, 2), (17, 1, 1), (119, 1, 1), (1, 1, 1), (3, 7, 3), (1, 33, 1)]
INVOCATIONS = 1024
EXACT_BITS = 24


class Float:
    """A float expression, exact: |value| <= bound, a multiple of 2**-fraction."""

    def __init__(self, text, bound, fraction):
        self.text, self.bound, self.fraction = text, bound, fraction

    def fits(self):
        return int(self.bound * 2 ** self.fraction).bit_length() <= EXACT_BITS


class Shader:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.size = self.r.choice(SIZES)
        self.local = self.size[0] * self.size[1] * self.size[2]
        self.groups = max(1, INVOCATIONS // self.local)
        self.lines, self.depth, self.names = [], 1, 0
        self.ints, self.uints, self.vectors, self.constant = [], [], [], []
        self.locals, self.functions = [], []
        self.loops = 0
        # Mesa 22.3's lavapipe loses channels in loops of the form do … while, reads the upper of
        # two halves as zero and has no shuffles: shaders with these are not for it.
        self.peer = self.r.random() < 0.7

    # ---- text
    def put(self, line):
        self.lines.append("   " * self.depth + line)

    def fresh(self, stem):
        self.names += 1
        return f"{stem}{self.names}"

    def pick(self, *choices):
        return self.r.choice(choices)

    # ---- expressions
    def literal(self):
        return self.r.choice([0, 1, 2, 3, 5, 7, 31, 32, 127, 255, 256, 0xffff, 0x7fffffff,
                              0x80000000, 0xffffffff, 0xaaaaaaaa,
                              self.r.getrandbits(32), self.r.getrandbits(16),
                              self.r.getrandbits(8)])

    def uint(self, deep=3):
        r = self.r
        if deep <= 0 or r.random() < 0.15:
            k = r.randrange(6)
            if k == 0:
                return f"{self.literal()}u"
            if k == 1:
                return f"IN[{self.index(IN_WORDS)}]"
            if k == 2:
                return f"u.v[{self.index(UBO_WORDS // 4)}].{self.pick('x', 'y', 'z', 'w')}"
            if k == 3 and self.vectors:
                return f"{r.choice(self.vectors)}.{self.pick('x', 'y', 'z')}"
            if k == 4 and self.locals:
                name, size = r.choice(self.locals)
                return f"{name}[{self.index(size)}]"
            return r.choice(self.uints + self.constant)
        a, b = self.uint(deep - 1), self.uint(deep - 1)
        k = r.randrange(30)
        if k < 9:
            return f"({a} {self.pick('+', '-', '*', '&', '|', '^')} {b})"
        if k < 11:
            return f"({a} {self.pick('<<', '>>')} ({b} & 31u))"
        if k == 11:
            return f"({a} / ({b} | 1u))"
        if k == 12:
            return f"({a} % ({b} | {r.randrange(1, 9)}u))"
        if k == 13:
            return f"{self.pick('min', 'max')}({a}, {b})"
        if k == 14:
            return f"clamp({a}, {r.randrange(100)}u, {r.randrange(100, 2 ** 32)}u)"
        if k == 15:
            return f"uint({self.pick('bitCount', 'findLSB', 'findMSB')}({a}))"
        if k == 16:
            return f"bitfieldReverse({a})"
        if k == 17:
            at = r.randrange(32)
            return self.pick(f"bitfieldExtract({a}, {at}, {r.randrange(0, 33 - at)})",
                             f"bitfieldExtract({a}, int({b} & 15u), int({self.uint(0)} & 15u))",
                             f"bitfieldInsert({a}, {b}, int({self.uint(0)} & 15u), "
                             f"int({self.uint(0)} % 17u))")
        if k == 18:
            at = r.randrange(32)
            return f"bitfieldInsert({a}, {b}, {at}, {r.randrange(0, 33 - at)})"
        if k == 19:
            return f"high({a}, {b})"
        if k == 20:
            return f"{self.pick('carry', 'borrow')}({a}, {b})"
        if k < 24:
            return f"({self.condition(deep - 1)} ? {a} : {b})"
        if k == 24:
            return f"~{a}"
        if k == 25:
            return f"floatBitsToUint({self.float(deep - 1).text})"
        if k == 26:
            half = self.pick(f"halves({a})",
                             f"packHalf2x16(vec2({a} & 2047u, -float({b} & 1023u) - 1.0))")
            return (half if not self.peer and r.random() < 0.6
                    else f"floatBitsToUint({self.one_rounding(deep - 1)})")
        if k == 27 and self.functions:
            return f"{r.choice(self.functions)}({a}, {b})"
        if k == 28:
            return f"dot3({self.vector(deep - 1)}, {self.vector(deep - 1)})"
        return f"uint({self.int(deep - 1)})"

    def int(self, deep=3):
        r = self.r
        if deep <= 0 or r.random() < 0.15:
            return self.pick(f"int({self.literal()}u)", r.choice(self.ints), f"int({self.uint(0)})")
        a, b = self.int(deep - 1), self.int(deep - 1)
        k = r.randrange(14)
        if k < 5:
            return f"({a} {self.pick('+', '-', '*', '&', '|', '^')} {b})"
        if k < 7:
            return f"({a} {self.pick('<<', '>>')} ({b} & 31))"
        if k == 7:
            return f"(({a} & 0x7fffffff) {self.pick('/', '%')} (({b} & 0xffff) | 1))"
        if k == 8:
            return f"{self.pick('min', 'max')}({a}, {b})"
        if k == 9:
            at = r.randrange(32)
            return f"bitfieldExtract({a}, {at}, {r.randrange(0, 33 - at)})"
        if k == 10:
            return f"{self.pick('sign', 'abs', '-', '~')}({a})"
        if k == 11:
            return f"int({self.float(deep - 1).text})"
        if k == 12:
            return f"({self.condition(deep - 1)} ? {a} : {b})"
        return f"ihigh({a}, {b})"

    def float(self, deep=3):
        r = self.r
        if deep <= 0 or r.random() < 0.2:
            bits = r.randrange(1, 9)
            if r.random() < 0.5:
                return Float(f"float({self.uint(min(deep, 1))} & {2 ** bits - 1}u)", 2 ** bits - 1,
                             0)
            return Float(f"(float({self.int(min(deep, 1))} % {2 ** bits} & {2 ** bits - 1}) * 0.5)",
                         2 ** bits, 1)
        a = self.float(deep - 1)
        for _ in range(4):
            b = self.float(deep - 1)
            k, fraction = r.randrange(13), max(a.fraction, b.fraction)
            if k < 3:
                out = Float(f"({a.text} {self.pick('+', '-')} {b.text})", a.bound + b.bound,
                            fraction)
            elif k < 5:
                out = Float(f"({a.text} * {b.text})", a.bound * b.bound, a.fraction + b.fraction)
            elif k == 5:
                out = Float(f"{self.pick('min', 'max')}({a.text}, {b.text})", max(a.bound, b.bound),
                            fraction)
            elif k == 6:
                out = Float(f"{self.pick('floor', 'ceil', 'trunc')}({a.text})", a.bound + 1, 0)
            elif k == 7:
                out = Float(f"fract({a.text})", 1, a.fraction)
            elif k == 8:
                out = Float(f"{self.pick('abs', '-')}({a.text})", a.bound, a.fraction)
            elif k == 9:
                out = Float(f"sign({a.text})", 1, 0)
            elif k == 10:
                out = Float(f"({self.condition(deep - 1)} ? {a.text} : {b.text})",
                            max(a.bound, b.bound), fraction)
            elif k == 11:
                out = Float(f"fma({a.text}, {b.text}, {a.text})", a.bound * (b.bound + 1),
                            a.fraction + b.fraction)
            else:
                out = Float(f"clamp({a.text}, -{b.bound}.0, {b.bound}.0)", a.bound + b.bound,
                            a.fraction)
            if out.fits():
                return Float(f"zero({out.text})", out.bound, out.fraction)
        return a

    def one_rounding(self, deep):
        """One rounding to the nearest, of operands far from denormals and NaN."""
        a, b = (f"normal({self.uint(deep)}, {self.uint(0)})",
                f"normal({self.uint(deep)}, {self.uint(0)})")
        return self.pick(f"zero({a} + {b})", f"({a} * {b})", f"zero({a} - {b})", f"floor({a})",
                         f"trunc({a})", f"max({a}, {b})",
                         f"float({self.uint(deep)})", f"float({self.int(deep)})", f"roundEven({a})",
                         f"ceil(abs({a}))")

    def vector(self, deep):
        r = self.r
        if deep <= 0 or r.random() < 0.3:
            if self.vectors and r.random() < 0.6:
                name = r.choice(self.vectors)
                return name + self.pick("", ".zyx", ".xxz", ".yzx", ".zzz")
            return f"uvec3({self.uint(0)}, {self.uint(0)}, {self.uint(0)})"
        a, b = self.vector(deep - 1), self.vector(deep - 1)
        return self.pick(f"({a} {self.pick('+', '-', '*', '^', '&', '|')} {b})",
                         f"{self.pick('min', 'max')}({a}, {b})",
                         f"mix({a}, {b}, lessThan({b}, {a}))", f"({a} >> ({b} & 31u))",
                         f"({a} * {self.uint(0)})")

    def condition(self, deep):
        r = self.r
        k = r.randrange(7)
        compare = self.pick("<", "<=", ">", ">=", "==", "!=")
        if k < 2 or deep <= 0:
            return f"({self.uint(deep - 1)} {compare} {self.uint(deep - 1)})"
        if k == 2:
            return f"({self.int(deep - 1)} {compare} {self.int(deep - 1)})"
        if k == 3:
            return f"({self.float(deep - 1).text} {compare} {self.float(deep - 1).text})"
        if k == 4:
            return f"({self.uint(deep - 1)} & {1 << r.randrange(5)}u) != 0u"
        if k == 5:
            return (f"({self.condition(deep - 1)} {self.pick('&&', '||', '^^')} "
                    f"{self.condition(deep - 1)})")
        return f"!({self.condition(deep - 1)})"

    def index(self, size):
        return (f"{self.r.choice(self.uints + self.constant)} % {size}u" if self.r.random() < 0.7
                else f"{self.r.randrange(size)}")

    # ---- statements
    def assign(self):
        r = self.r
        k = r.randrange(10)
        if k < 5:
            self.put(f"{r.choice(self.uints)} {self.pick('=', '+=', '^=', '-=', '*=')} "
                     f"{self.uint()};")
        elif k < 7:
            self.put(f"{r.choice(self.ints)} {self.pick('=', '+=', '^=')} {self.int()};")
        elif k == 7 and self.locals:
            name, size = r.choice(self.locals)
            self.put(f"{name}[{self.index(size)}] {self.pick('=', '+=')} {self.uint()};")
        else:
            v = r.choice(self.vectors)
            self.put(self.pick(f"{v} = {self.vector(2)};",
                               f"{v}.{self.pick('x', 'y', 'z')} = {self.uint(2)};"))

    def block(self, deep, leave):
        self.depth += 1
        for _ in range(self.r.randrange(1, 4)):
            self.statement(deep, leave)
        self.depth -= 1

    def loop(self, deep):
        i, n = self.fresh("i"), self.r.randrange(1, 6)
        end = f"({self.uint(1)} % {n + 1}u)" if self.r.random() < 0.6 else f"{n}u"
        k = self.r.randrange(2 if self.peer else 3)
        self.loops += 1
        if k == 0:
            self.put(f"for (uint {i} = 0u; {i} < {end}; {i}++) {{")
        elif k == 1:
            self.put(f"uint {i} = 0u;")
            self.put(f"while ({i}++ < {end}) {{")
        else:
            self.put(f"uint {i} = 0u;")
            self.put("do {")
        self.constant.append(i)
        self.block(deep - 1, True)
        self.constant.remove(i)
        self.put("}" if k < 2 else f"}} while (++{i} < {end});")
        self.loops -= 1

    def choose(self, deep, leave):
        self.put(f"switch ({self.uint(2)} % {self.r.randrange(2, 6)}u) {{")
        for case in range(self.r.randrange(1, 5)):
            self.put(f"case {case}u:")
            self.block(deep - 1, False)
            if self.r.random() < 0.7:
                self.put("   break;")
        if self.r.random() < 0.6:
            self.put("default:")
            self.block(deep - 1, False)
        self.put("}")

    def statement(self, deep, leave):
        r = self.r
        k = r.randrange(20)
        if deep <= 0 or k < 9 or self.loops > 2:
            self.assign()
        elif k < 13:
            self.put(f"if ({self.condition(2)}) {{")
            self.block(deep - 1, leave)
            if r.random() < 0.5:
                self.put("} else {")
                self.block(deep - 1, leave)
            self.put("}")
        elif k < 16:
            self.loop(deep)
        elif k == 16:
            self.choose(deep, leave)
        elif k == 17 and leave:
            self.put(f"if ({self.condition(1)})")
            self.put(f"   {self.pick('break', 'continue')};")
        elif k == 18:
            c = r.randrange(COUNTERS)
            op = ["Add", "Xor", "Or", "And", "Min", "Max"][c % 6]
            self.put(f"atomic{op}(COUNT[{c}], {self.uint(2)});")
        else:
            x = r.choice(self.uints)
            op = self.pick("Add", "Xor", "Or", "And", "Min", "Max", "Exchange")
            self.put(self.pick(f"{x} += atomic{op}(OWN[idx], {self.uint(2)});",
                               f"{x} ^= imageAtomic{op}(image, place, {self.uint(2)});",
                               f"{x} += atomicCompSwap(OWN[idx], {self.uint(1)}, {self.uint(1)});",
                               f"imageStore(image, place, uvec4({self.uint(2)}));",
                               f"{x} -= imageLoad(image, place).x;"))

    def shuffle(self):
        """Values of other channels, of the same eight: any width gives the same. In uniform control
        flow, so that all are on."""
        x, lane = self.r.choice(self.uints), "gl_SubgroupInvocationID"
        self.put(f"{x} += " + self.pick(
            f"subgroupShuffleXor({self.uint(2)}, {self.r.randrange(8)}u);",
            f"subgroupShuffle({self.uint(2)}, ({lane} & ~7u) | ({self.uint(1)} & 7u));",
            f"subgroupQuadBroadcast({self.uint(2)}, {self.r.randrange(4)}u);",
            f"subgroupQuadSwap{self.pick('Horizontal', 'Vertical', 'Diagonal')}({self.uint(2)});",
            f"bitfieldExtract(subgroupBallot({self.condition(1)}).x, int({lane} & ~7u), 8);"))

    def exchange(self):
        """Shared memory between barriers: own slots are written, others' are read."""
        x, n = self.r.choice(self.uints), self.local
        self.put(f"shared_words[lid] = {self.uint(2)};")
        self.put("barrier();")
        self.put(f"{x} += shared_words[({self.uint(1)}) % {n}u] ^ shared_words[(lid + "
                 f"{self.r.randrange(n)}u) % {n}u];")
        if self.r.random() < 0.5:
            op = self.pick("Add", "Xor", "Max", "Min", "Or")
            self.put(f"atomic{op}(shared_count[{self.index(4)}], {self.uint(2)});")
            self.put("barrier();")
            self.put(f"{x} ^= shared_count[{self.index(4)}];")
            # Another operation follows only when all have read.
        self.put("barrier();")

    def function(self):
        name = self.fresh("f")
        outer = (self.lines, self.depth, self.ints, self.uints, self.vectors, self.constant,
                 self.locals)
        self.lines, self.depth = [], 1
        self.uints, self.ints, self.vectors, self.constant, self.locals = (["a", "b"], ["c"], ["d"],
                                                                           [], [])
        self.put("int c = int(a);")
        self.put("uvec3 d = uvec3(b, a, b);")
        for _ in range(self.r.randrange(1, 4)):
            self.assign() if self.r.random() < 0.6 else self.put(f"if ({self.condition(2)}) return "
                                                                 f"{self.uint(2)};")
        self.put(f"for (uint k = 0u; k < {self.r.randrange(1, 4)}u; k++) {{")
        self.put(f"   if ({self.condition(1)}) return {self.uint(1)} + k;")
        self.put(f"   a += {self.uint(1)};")
        self.put("}")
        self.put(f"return {self.uint(2)} ^ uint(c) ^ d.x;")
        text = f"uint {name}(uint a, uint b) {{\n" + "\n".join(self.lines) + "\n}\n"
        self.lines, self.depth, self.ints, self.uints, self.vectors, self.constant, self.locals = (
            outer)
        self.functions.append(name)
        return text

    def glsl(self):
        functions = "".join(self.function() for _ in range(self.r.randrange(3)))
        self.constant = ["idx", "lid"]
        for n in range(4):
            self.put(f"uint x{n} = IN[(idx * 4u + {n}u) % {IN_WORDS}u];")
            self.put(f"int y{n} = int(IN[(idx * 7u + {n}u) % {IN_WORDS}u]);")
            self.uints.append(f"x{n}")
            self.ints.append(f"y{n}")
        for n in range(2):
            self.put(f"uvec3 z{n} = uvec3(x{n}, uint(y{n}), x{n + 1});")
            self.vectors.append(f"z{n}")
        if self.r.random() < 0.6:
            size = self.r.choice([3, 4, 8, 16, 40])
            self.put(f"uint many[{size}];")
            self.put(f"for (uint i = 0u; i < {size}u; i++) many[i] = x0 * i + x1;")
            self.locals.append(("many", size))
        self.put(f"for (uint i = lid; i < 4u; i += {self.local}u) shared_count[i] = i;")
        self.put("barrier();")
        for _ in range(self.r.randrange(4, 12)):
            if self.r.random() < 0.2:
                (self.shuffle() if not self.peer and self.local % 16 == 0
                 and self.r.random() < 0.7 else self.exchange())
            else:
                self.statement(3, False)
        self.put(f"OUT[idx * {OUT_WORDS}u] = x0 ^ uint(y0);")
        self.put(f"OUT[idx * {OUT_WORDS}u + 1u] = x1 + uint(y1) + z0.x * 3u + z0.y * 5u + z0.z * "
                 f"7u;")
        self.put(f"OUT[idx * {OUT_WORDS}u + 2u] = x2 ^ x3 ^ uint(y2) ^ uint(y3);")
        self.put(f"OUT[idx * {OUT_WORDS}u + 3u] = z1.x ^ (z1.y * 3u) ^ (z1.z * 9u);")
        for name, size in self.locals:
            self.put(f"for (uint i = 0u; i < {size}u; i++) OUT[idx * {OUT_WORDS}u] = OUT[idx * "
                     f"{OUT_WORDS}u] * 31u + {name}[i];")
        x, y, z = self.size
        subgroups = "".join(f"#extension GL_KHR_shader_subgroup_{name} : require\n"
                            for name in ("basic", "ballot", "shuffle", "quad"))
        return f"""#version 450
{"" if self.peer else subgroups}layout(local_size_x = {x}, local_size_y = {y}, local_size_z = {z}) in;
layout(std430, binding = 0) readonly buffer Input {{ uint IN[]; }};
layout(std430, binding = 1) buffer Output {{ uint OUT[]; }};
layout(std430, binding = 2) buffer Counters {{ uint COUNT[]; }};
layout(std430, binding = 3) buffer Own {{ uint OWN[]; }};
layout(std140, binding = 4) uniform Uniforms {{ uvec4 v[{UBO_WORDS // 4}]; }} u;
layout(binding = 5, r32ui) uniform uimage2D image;
shared uint shared_words[{self.local}];
shared uint shared_count[4];
uint high(uint a, uint b) {{ uint h, l; umulExtended(a, b, h, l); return h ^ l; }}
int ihigh(int a, int b) {{ int h, l; imulExtended(a, b, h, l); return h + l; }}
uint carry(uint a, uint b) {{ uint c; uint s = uaddCarry(a, b, c); return s ^ (c << 7); }}
uint borrow(uint a, uint b) {{ uint c; uint s = usubBorrow(a, b, c); return s + c; }}
uint dot3(uvec3 a, uvec3 b) {{ uvec3 c = a * b; return c.x + c.y + c.z; }}
uint halves(uint a) {{ uvec2 f = floatBitsToUint(unpackHalf2x16((a & 0x83ff83ffu) | 0x3c003c00u)); return f.x ^ (f.y >> 1); }}
float zero(float a) {{ return a == 0.0 ? 0.0 : a; }}
float normal(uint a, uint b) {{ return uintBitsToFloat((a & 0x807fffffu) | ((80u + (b & 63u)) << 23)); }}
{functions}void main()
{{
   uint lid = gl_LocalInvocationIndex;
   uint idx = gl_WorkGroupID.x * {self.local}u + lid;
   ivec2 place = ivec2(idx % {SIDE}u, idx / {SIDE}u);
""" + "\n".join(self.lines) + "\n}\n"
