#version 450
/* By tiles of 16 x 16 in shared memory. */
layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) readonly buffer A { uint a[]; };
layout(binding = 1) writeonly buffer B { uint b[]; };
layout(push_constant) uniform P { uint n; };
shared uint s[16][17];
void main()
{
   uvec2 l = gl_LocalInvocationID.xy, g = gl_WorkGroupID.xy * 16u;
   s[l.y][l.x] = a[(g.y + l.y) * n + g.x + l.x];
   barrier();
   b[(g.x + l.y) * n + g.y + l.x] = s[l.x][l.y];
}
