#version 450
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer A { uvec2 a[]; };
layout(binding = 1) readonly buffer B { uvec2 b[]; };
layout(binding = 2) writeonly buffer C { uvec2 c[]; };
void main()
{
   uint i = gl_GlobalInvocationID.x;
   uint64_t x = packUint2x32(a[i]), y = packUint2x32(b[i]);
   uint o = i * 6u;
   c[o + 0u] = unpackUint2x32(x + y);
   c[o + 1u] = unpackUint2x32(x - y);
   c[o + 2u] = unpackUint2x32(x * y);
   c[o + 3u] = unpackUint2x32(x << (uint(y) & 63u));
   c[o + 4u] = unpackUint2x32(x >> (uint(y) & 63u));
   c[o + 5u] = unpackUint2x32(x < y ? x ^ y : x & y);
}
