#version 450
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer A { int a[]; };
layout(binding = 1) readonly buffer B { int b[]; };
layout(binding = 2) writeonly buffer C { int c[]; };
void main()
{
   uint i = gl_GlobalInvocationID.x;
   int x = a[i], y = b[i];
   uint ux = uint(x), uy = uint(y);
   uint o = i * 24u;
   int sh = y & 31;
   uint hi, lo; umulExtended(ux, uy, hi, lo);
   int shi, slo; imulExtended(x, y, shi, slo);
   uint carry, borrow;
   c[o + 0u] = x + y;
   c[o + 1u] = x - y;
   c[o + 2u] = x * y;
   c[o + 3u] = x / (y | 1);
   c[o + 4u] = int(ux / (uy | 1u));
   c[o + 5u] = int(ux % (uy | 1u));
   c[o + 6u] = x << sh;
   c[o + 7u] = x >> sh;
   c[o + 8u] = int(ux >> sh);
   c[o + 9u] = int(hi);
   c[o + 10u] = shi;
   c[o + 11u] = x & y;
   c[o + 12u] = x | ~y;
   c[o + 13u] = x ^ y;
   c[o + 14u] = bitCount(x);
   c[o + 15u] = findMSB(x);
   c[o + 16u] = findLSB(y);
   c[o + 17u] = bitfieldReverse(x);
   c[o + 18u] = bitfieldExtract(x, 5, 9);
   c[o + 19u] = bitfieldInsert(x, y, 7, 11);
   c[o + 20u] = int(uaddCarry(ux, uy, carry)) + int(carry) * 3;
   c[o + 21u] = int(usubBorrow(ux, uy, borrow)) + int(borrow) * 3;
   c[o + 22u] = min(x, y) ^ max(x, y) ^ int(min(ux, uy));
   c[o + 23u] = abs(x) + sign(y);
}
