#version 450
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer A0 { uint a0[]; };
layout(binding = 1) readonly buffer A1 { uint a1[]; };
layout(binding = 2) readonly buffer A2 { uint a2[]; };
layout(binding = 3) readonly buffer A3 { uint a3[]; };
layout(binding = 4) readonly buffer A4 { uint a4[]; };
layout(binding = 5) readonly buffer A5 { uint a5[]; };
layout(binding = 6) readonly buffer A6 { uint a6[]; };
layout(binding = 7) readonly buffer A7 { uint a7[]; };
layout(binding = 8) readonly buffer A8 { uint a8[]; };
layout(binding = 9) readonly buffer A9 { uint a9[]; };
layout(binding = 10) readonly buffer A10 { uint a10[]; };
layout(binding = 11) writeonly buffer C { uint c[]; };
void main()
{
   uint i = gl_GlobalInvocationID.x;
   c[i] = a0[i] + a1[i] * 2u + a2[i] * 3u + a3[i] * 4u + a4[i] * 5u + a5[i] * 6u + a6[i] * 7u + a7[i] * 8u + a8[i] * 9u + a9[i] * 10u + a10[i] * 11u;
}
