#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer C { uint c[]; };
layout(push_constant) uniform P { uint factor; uint term; };
void main()
{
   uint i = gl_GlobalInvocationID.x;
   c[i] = c[i] * factor + term + i;
}
