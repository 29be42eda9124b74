#version 450
layout(local_size_x = 4, local_size_y = 2) in;
layout(binding = 0) buffer C { uint c[]; };
void main()
{
   uvec3 g = gl_GlobalInvocationID;
   atomicAdd(c[(g.z * 32u + g.y) * 64u + g.x], 1u + gl_WorkGroupID.x + gl_WorkGroupID.y * 100u + gl_WorkGroupID.z * 10000u);
}
