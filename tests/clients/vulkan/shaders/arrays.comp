#version 450
layout(local_size_x = 32) in;
layout(binding = 0) buffer A { uint a[]; } bufs[24];
layout(binding = 1) uniform U { uvec4 u[4]; } tables[6];
layout(binding = 2, r32ui) uniform uimage2D images[5];
layout(binding = 3) writeonly buffer C { uint c[]; };
void main()
{
   uint i = gl_LocalInvocationID.x, g = gl_WorkGroupID.x;
   uint v = bufs[(g * 7u) % 24u].a[i] + tables[g % 6u].u[i & 3u].z;
   bufs[(g * 7u) % 24u].a[32u + i] = v;
   imageAtomicAdd(images[g % 5u], ivec2(i, 0), v);
   c[g * 32u + i] = v * 2u;
}
