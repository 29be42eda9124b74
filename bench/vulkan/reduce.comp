#version 450
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer A { float a[]; };
layout(binding = 1) writeonly buffer B { float b[]; };
shared float s[256];
void main()
{
   uint i = gl_LocalInvocationID.x, at = gl_WorkGroupID.x * 1024u + i;
   s[i] = a[at] + a[at + 256u] + a[at + 512u] + a[at + 768u];
   barrier();
   for (uint n = 128u; n > 0u; n /= 2u) {
      if (i < n)
         s[i] += s[i + n];
      barrier();
   }
   if (i == 0u)
      b[gl_WorkGroupID.x] = s[0];
}
