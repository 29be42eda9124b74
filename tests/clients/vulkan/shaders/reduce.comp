#version 450
layout(local_size_x = 128) in;
layout(binding = 0) readonly buffer A { uint a[]; };
layout(binding = 1) writeonly buffer C { uint c[]; };
shared uint s[128];
void main()
{
   uint t = gl_LocalInvocationID.x;
   s[t] = a[gl_GlobalInvocationID.x];
   barrier();
   for (uint k = 64u; k > 0u; k >>= 1) {
      if (t < k)
         s[t] += s[t + k] ^ k;
      barrier();
   }
   if (t == 0u)
      c[gl_WorkGroupID.x] = s[0];
}
