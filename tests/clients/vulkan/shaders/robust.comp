#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer A { uint a[]; };
layout(binding = 1) uniform U { uvec4 u[64]; };
layout(binding = 2) buffer N { uint n[]; };
layout(binding = 3) writeonly buffer C { uint c[]; };
layout(push_constant) uniform P { uint far; };
void main()
{
   uint i = gl_GlobalInvocationID.x, o = i * 6u;
   uint old = i < 32u ? 0u : atomicAdd(a[i + far], 1u);
   c[o] = a[i];
   c[o + 1u] = a[i + 16u];
   c[o + 2u] = a[i * 0x01000000u + 64u + far];
   c[o + 3u] = u[i & 63u].y;
   c[o + 4u] = a.length();
   c[o + 5u] = old + n[i]; // nothing is bound there
   n[i] = 7u;
   a[i + 40u] = 0xbad00000u + i;
   a[0x3fffff00u + i] = 0xdead0000u;
}
