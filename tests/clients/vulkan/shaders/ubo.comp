#version 450
layout(local_size_x = 64) in;
layout(binding = 0) uniform U { uvec4 table[64]; } u;
layout(binding = 1) readonly buffer A { uint a[]; };
layout(binding = 2) writeonly buffer C { uint c[]; };
void main()
{
   uint i = gl_GlobalInvocationID.x;
   uvec4 v = u.table[a[i] & 63u];
   c[i] = v[a[i] >> 6 & 3u] + u.table[5].y;
}
