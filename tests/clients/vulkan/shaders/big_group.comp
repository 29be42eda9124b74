#version 450
layout(local_size_x = 32, local_size_y = 8, local_size_z = 4) in;
layout(constant_id = 0) const uint WORDS = 8192u;
layout(binding = 0) readonly buffer A { uint a[]; };
layout(binding = 1) writeonly buffer C { uint c[]; };
shared uint s[WORDS];
// Words go round through the whole of the shared memory; everybody reads what others have written.
void main()
{
   uint t = gl_LocalInvocationIndex, base = gl_WorkGroupID.x * 1024u;
   for (uint k = t; k < WORDS; k += 1024u)
      s[k] = a[base + t] ^ k;
   barrier();
   uint sum = 0u;
   for (uint round = 0u; round < 4u; round++) {
      uint at = (t * 37u + round * 911u) % WORDS, v = s[at];
      sum = sum * 31u + v;
      barrier();
      if (at / 1024u % 2u == 0u)
         atomicAdd(s[(at + 1u) % WORDS], v);
      atomicXor(s[WORDS - 1u - t], round);
      barrier();
   }
   c[base + t] = sum ^ s[t] ^ s[WORDS - 1u - t];
}
