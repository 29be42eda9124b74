#version 450
/* Sixteen reads from anywhere. */
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer A { uint a[]; };
layout(binding = 1) writeonly buffer B { uint b[]; };
layout(push_constant) uniform P { uint mask; };
void main()
{
   uint i = gl_GlobalInvocationID.x, at = i * 2654435761u, sum = 0u;
   for (int n = 0; n < 16; n++) {
      sum += a[at & mask];
      at = at * 1664525u + 1013904223u;
   }
   b[i] = sum;
}
