"""The tessellation engine once more, in integers: facts 3d-pipeline.md 7.1 to 7.4.1, and nothing
else.

Factors come as the bits of a float32 and are exact fractions from there on; no float is ever made.
"""
from fractions import Fraction

ONE = 1 << 16
RULER = [0, 32, 16, 8, 17, 4, 18, 9, 19, 2, 20, 10, 21, 5, 22, 11, 23,
         1, 24, 12, 25, 6, 26, 13, 27, 3, 28, 14, 29, 7, 30, 15, 31]
INTEGER, ODD, EVEN = range(3)
QUAD, TRI, ISOLINE = range(3)
POINT, LINE, CW, CCW = range(4)
HUGE = Fraction(1 << 200)


def number(bits):
    """The value of a float32; None for NaN."""
    exponent, mantissa = bits >> 23 & 255, bits & 0x7FFFFF
    if exponent == 255:
        value = None if mantissa else HUGE
    elif exponent:
        value = Fraction(mantissa | 1 << 23) * Fraction(2) ** (exponent - 150)
    else:
        value = Fraction(mantissa) * Fraction(2) ** -149
    return -value if bits >> 31 and value is not None else value


def ceil(fraction):
    return -(-fraction.numerator // fraction.denominator)


def ceil16(fixed):
    return fixed + ONE - 1 >> 16


def fixed(fraction):
    """To 16.16, halves to even: which is what round() does with a Fraction."""
    return round(fraction * ONE)


class Axis:
    """Points along one side, for a factor in 16.16."""

    def __init__(self, factor, odd, inside=False):
        h = (factor + 1) // 2
        self.odd = odd
        self.count = 2 * ceil16(h + ONE // 2) if odd else 2 * ceil16(h) + 1
        if inside:
            self.count = max(self.count, 4 if odd else 3)
        if odd or h == ONE // 2:
            h += ONE // 2
        low, self.half, self.part = h >> 16, ceil16(h), h & 0xFFFF
        if low == self.half:
            self.split = self.half + 1
        elif odd:
            self.split = 0 if low == 1 else 2 * self.without_top(low - 1) + 1
        else:
            self.split = 2 * self.without_top(low) + 1
        self.step_low, self.step_high = (self.reciprocal(2 * k - odd) for k in (low, self.half))

    @staticmethod
    def without_top(n):
        return n ^ 1 << n.bit_length() - 1 if n else 0

    @staticmethod
    def reciprocal(n):
        return (2 * ONE + n) // (2 * n)

    @property
    def stitch(self):
        return self.half - self.odd

    def place(self, p):
        far = p >= self.half
        if far:
            p = 2 * self.half - p - self.odd
        if p == self.half:
            return ONE // 2
        a = (p - 1 if p > self.split else p) * self.step_low
        b = p * self.step_high
        at = a * (ONE - self.part) + b * self.part + ONE // 2 >> 16
        return ONE - at if far else at


class Patch:
    def __init__(self):
        self.points, self.triangles = [], []

    def ring(self, sides):
        """sides: lists of points without their ends. Gives lists of numbers with them."""
        numbers = []
        for side in sides:
            numbers.append(list(range(len(self.points), len(self.points) + len(side))))
            self.points += side
        return [own + [numbers[(i + 1) % len(numbers)][0]] for i, own in enumerate(numbers)]

    def transition(self, inner, outer, axis_in, axis_out):
        i = o = 0
        out = self.triangles

        def outward():
            nonlocal o
            out.append((outer[o], outer[o + 1], inner[i]))
            o += 1

        def inward():
            nonlocal i
            out.append((inner[i], outer[o], inner[i + 1]))
            i += 1
        ih, oh = axis_in.stitch, axis_out.stitch
        if oh > 0:
            outward()
        for mark in RULER[1:]:
            if mark < ih:
                inward()
            if mark < oh:
                outward()
        if axis_in.odd and axis_out.odd:
            out.append((inner[i], outer[o], inner[i + 1]))
            out.append((inner[i + 1], outer[o], outer[o + 1]))
            i, o = i + 1, o + 1
        elif axis_out.odd:
            out.append((inner[i], outer[o], outer[o + 1]))
            o += 1
        elif axis_in.odd:
            inward()
        for mark in reversed(RULER[1:]):
            if mark < oh:
                outward()
            if mark < ih:
                inward()
        if oh > 0:
            outward()

    def between(self, inner, outer):
        n = len(inner)
        t = self.triangles
        t.append((outer[0], outer[1], inner[0]))
        for p in range(n // 2):
            if p + 1 < n:
                t.append((outer[p + 1], inner[p + 1], inner[p]))
                t.append((outer[p + 1], outer[p + 2], inner[p + 1]))
        for p in range(n // 2, n - 1):
            t.append((inner[p], outer[p + 1], outer[p + 2]))
            t.append((inner[p], outer[p + 2], inner[p + 1]))
        t.append((outer[n], outer[n + 1], inner[n - 1]))

    def stitch(self, rings, outside, along):
        """outside: axes of the outer edges; along: the inside axis that each edge follows."""
        for r, ring in enumerate(rings[1:], 1):
            for e, inner in enumerate(ring):
                if r == 1:
                    self.transition(inner, rings[0][e], along[e], outside[e])
                else:
                    self.between(inner, rings[r - 1][e])


def quad(edges, u, v):
    patch = Patch()
    runs = [[a.place(p) for p in range(a.count)] for a in edges]
    rings = [patch.ring([[(0, x) for x in runs[0][:0:-1]], [(x, 0) for x in runs[1][:-1]],
                         [(ONE, x) for x in runs[2][:-1]], [(x, ONE) for x in runs[3][:0:-1]]])]
    us, vs = ([a.place(p) for p in range(a.count)] for a in (u, v))
    nu, nv = u.count, v.count
    c = min(nu, nv) // 2
    for r in range(1, c):
        left, right, low, high = us[r], us[nu - 1 - r], vs[r], vs[nv - 1 - r]
        up, across = vs[r:nv - r], us[r:nu - r]
        rings.append(patch.ring([[(left, x) for x in up[:0:-1]], [(x, low) for x in across[:-1]],
                                 [(right, x) for x in up[:-1]],
                                 [(x, high) for x in across[:0:-1]]]))
    first = len(patch.points)
    if nu > nv and not v.odd:
        patch.points += [(us[p], ONE // 2) for p in range(c, nu - c)]
        row = list(range(first, len(patch.points)))
        rings.append([row[:1], row, row[-1:], row[::-1]])
    elif nv >= nu and not u.odd:
        patch.points += [(ONE // 2, vs[p]) for p in range(nv - 1 - c, c - 1, -1)]
        column = list(range(first, len(patch.points)))
        rings.append([column, column[-1:], column[::-1], column[:1]])
    patch.stitch(rings, edges, [v, u, v, u])
    if nu > nv and v.odd:
        middle(patch, rings[-1][3][::-1], rings[-1][1], False)
    elif nv >= nu and u.odd:
        middle(patch, rings[-1][2][::-1], rings[-1][0], v.odd)
    return patch


def middle(patch, inner, outer, mirrored):
    n = len(inner)
    for p in range(n - 1):
        i0, i1, o0, o1 = inner[p], inner[p + 1], outer[p], outer[p + 1]
        if not mirrored:
            patch.triangles += [(i0, o0, o1), (i0, o1, i1)]
        elif p == n // 2 - 1:
            patch.triangles += [(o0, i1, i0), (o0, o1, i1)]
        else:
            patch.triangles += [(o0, o1, i0), (i0, o1, i1)]
    return patch


def tri(edges, inside):
    patch = Patch()
    runs = [[a.place(p) for p in range(a.count)] for a in edges]
    rings = [patch.ring([[(0, x) for x in runs[0][:0:-1]], [(x, 0) for x in runs[1][:-1]],
                         [(x, ONE - x) for x in runs[2][:0:-1]]])]
    n = inside.count
    for r in range(1, n // 2):
        q = inside.place(r) * 0xAAAA + 0x8000 >> 16
        run = [inside.place(p) - (q + 1) // 2 for p in range(r, n - r)]
        rings.append(patch.ring([[(q, x) for x in run[:0:-1]], [(x, q) for x in run[:-1]],
                                 [(x, ONE - x - q) for x in run[:0:-1]]]))
    if not inside.odd:
        centre = len(patch.points)
        patch.points.append((0x5555, 0x5555))
        rings.append([[centre]] * 3)
    patch.stitch(rings, edges, [inside] * 3)
    if inside.odd:
        patch.triangles.append(tuple(side[0] for side in rings[-1]))
    return patch


def isolines(detail, density):
    patch, lines = Patch(), []
    for line in range(density.count - 1):
        v = density.place(line)
        first = len(patch.points)
        patch.points += [(detail.place(p), v) for p in range(detail.count)]
        lines += [(first + p - 1, first + p) for p in range(1, detail.count)]
    patch.triangles = lines
    return patch


def minimum(domain):
    patch = Patch()
    if domain == QUAD:
        patch.points = [(0, 0), (ONE, 0), (ONE, ONE), (0, ONE)]
        patch.triangles = [(0, 1, 3), (1, 2, 3)]
    else:
        patch.points = [(0, ONE), (0, 0), (ONE, 0)]
        patch.triangles = [(0, 1, 2)]
    return patch


def within(value, low, high):
    return low if value is None else min(max(value, low), high)


def edge_axis(factor, mode):
    whole = fixed(factor)
    return Axis(whole, mode == ODD or (mode == INTEGER and whole >> 16 & 1 == 1))


def inside_axis(factor, mode):
    whole = fixed(factor)
    odd = mode == ODD or (mode == INTEGER and whole >> 16 & 1 == 1 and whole != ONE)
    if mode == ODD and whole == ONE:
        odd = False
    return Axis(whole, odd, True)


def tessellate(domain, mode, topology, bits, most_odd=63, most_even=64):
    """bits: of DW7 down to DW2 of the patch header. None: culled; else points and indices."""
    values = [number(b) for b in bits]
    outer = values[:{QUAD: 4, TRI: 3, ISOLINE: 2}[domain]]
    if any(f is None or f <= 0 for f in outer):
        return None
    low = 2 if mode == EVEN else 1
    high = most_odd if mode == ODD else most_even

    def bound(f, lowest=low):
        f = within(f, Fraction(lowest), Fraction(high))
        return Fraction(ceil(f)) if mode == INTEGER else f
    if domain == ISOLINE:
        lines = Fraction(ceil(within(values[1], Fraction(1), Fraction(64))))
        patch = isolines(edge_axis(bound(values[0]), mode), edge_axis(lines, INTEGER))
    else:
        outer = [bound(f) for f in outer]
        inner = values[4:6] if domain == QUAD else values[3:4]
        lowest = low
        if mode == ODD:
            watched = outer + ([within(f, Fraction(1), Fraction(high)) for f in inner]
                               if domain == QUAD else [])
            if any(f > 1 + Fraction(1, 1 << 17) for f in watched):
                lowest = 1 + Fraction(1, 1 << 16)
        inner = [bound(f, lowest) for f in inner]
        if mode != EVEN and all(fixed(f) == ONE for f in outer + inner):
            patch = minimum(domain)
        elif domain == QUAD:
            patch = quad([edge_axis(f, mode) for f in outer],
                         *(inside_axis(f, mode) for f in inner))
        else:
            patch = tri([edge_axis(f, mode) for f in outer], inside_axis(inner[0], mode))
    return patch.points, indices(domain, topology, patch)


def indices(domain, topology, patch):
    every = list(range(len(patch.points)))
    if topology == POINT or (topology == LINE and domain != ISOLINE):
        return every
    if domain == ISOLINE:
        return [i for line in patch.triangles for i in line]
    if topology == CCW:
        return [i for a, b, c in patch.triangles for i in (a, c, b)]
    return [i for t in patch.triangles for i in t]
