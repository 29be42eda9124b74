#version 450
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer A { uint a[]; };
layout(binding = 1) writeonly buffer C { uint c[]; };
shared uint s[2][256];
void main()
{
   uint t = gl_LocalInvocationID.x, from = 0u;
   s[0][t] = a[gl_GlobalInvocationID.x];
   barrier();
   for (uint d = 1u; d < 256u; d <<= 1) {
      uint v = s[from][t];
      if (t >= d)
         v += s[from][t - d];
      s[1u - from][t] = v;
      from = 1u - from;
      barrier();
   }
   c[gl_GlobalInvocationID.x] = s[from][t];
}
