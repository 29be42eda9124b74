#version 450
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer A { uint a[]; };
layout(binding = 1) writeonly buffer C { uint c[]; };
void main()
{
   uint i = gl_GlobalInvocationID.x;
   uint t[128];
   for (uint k = 0u; k < 128u; k++)
      t[k] = a[(i + k) & 1023u];
   uint at = i & 127u, sum = 0u;
   for (uint k = 0u; k < 256u; k++) {
      at = (at + t[at]) & 127u;
      t[at] = t[at] * 5u + k;
      sum ^= t[at];
   }
   c[i] = sum;
}
