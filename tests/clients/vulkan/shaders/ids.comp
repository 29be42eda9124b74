#version 450
layout(local_size_x = 4, local_size_y = 3, local_size_z = 2) in;
layout(binding = 0) writeonly buffer C { uint c[]; };
void main()
{
   uvec3 g = gl_GlobalInvocationID, n = gl_NumWorkGroups * gl_WorkGroupSize;
   uint i = (g.z * n.y + g.y) * n.x + g.x;
   uvec3 w = gl_WorkGroupID;
   c[i] = gl_LocalInvocationIndex | w.x << 8 | w.y << 16 | w.z << 24;
}
