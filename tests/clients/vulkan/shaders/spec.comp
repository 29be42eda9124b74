#version 450
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint factor = 3u;
layout(constant_id = 2) const bool twice = false;
layout(binding = 0) writeonly buffer C { uint c[]; };
void main()
{
   uint i = gl_GlobalInvocationID.x, v = i * factor + gl_WorkGroupSize.x;
   c[i] = twice ? v * 2u : v;
}
