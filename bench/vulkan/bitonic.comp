#version 450
/* Sorts 256 words in shared memory. */
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer A { uint a[]; };
layout(binding = 1) writeonly buffer B { uint b[]; };
shared uint s[256];
void main()
{
   uint i = gl_LocalInvocationID.x, at = gl_GlobalInvocationID.x;
   s[i] = a[at];
   barrier();
   for (uint size = 2u; size <= 256u; size *= 2u)
      for (uint step = size / 2u; step > 0u; step /= 2u) {
         uint k = i ^ step, x = s[i], y = s[k];
         bool up = (i & size) == 0u;
         barrier();
         s[i] = (i < k) == up ? min(x, y) : max(x, y);
         barrier();
      }
   b[at] = s[i];
}
