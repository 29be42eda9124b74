#version 450
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer A { float a[]; };
layout(binding = 1) readonly buffer B { int b[]; };
layout(binding = 2) writeonly buffer C { uint c[]; };
void main()
{
   uint i = gl_GlobalInvocationID.x;
   float x = a[i];
   int n = b[i];
   uint o = i * 8u;
   c[o + 0u] = uint(int(x));
   c[o + 1u] = floatBitsToUint(float(n));
   c[o + 2u] = floatBitsToUint(float(uint(n)));
   c[o + 3u] = packHalf2x16(vec2(x, x * 0.5));
   c[o + 4u] = floatBitsToUint(unpackHalf2x16(uint(n) & 0x7bff7bffu).x);
   c[o + 5u] = floatBitsToUint(unpackHalf2x16(uint(n) & 0x7bff7bffu).y);
   c[o + 6u] = uint(n << 16 >> 16) + (uint(n) >> 24);
   c[o + 7u] = uint(x < 0.0) | uint(n > 0) << 1;
}
