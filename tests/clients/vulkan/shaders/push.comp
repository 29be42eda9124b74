#version 450
layout(local_size_x = 64) in;
layout(push_constant) uniform P { uint scale; int bias; uint table[8]; };
layout(binding = 0) writeonly buffer C { uint c[]; };
void main() { uint i = gl_GlobalInvocationID.x; c[i] = i * scale + uint(bias) + table[i & 7u]; }
