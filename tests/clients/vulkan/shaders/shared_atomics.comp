#version 450
layout(local_size_x = 128) in;
layout(binding = 0) readonly buffer A { uint a[]; };
layout(binding = 1) writeonly buffer C { uint c[]; };
shared uint s[8];
shared int smin, smax;
shared uint turn[128];
void main()
{
   uint t = gl_LocalInvocationIndex, v = a[gl_GlobalInvocationID.x];
   if (t == 0u) {
      s[0] = 0u; s[1] = ~0u; s[2] = 0u; s[3] = ~0u; s[4] = 0u; s[5] = 0u; s[6] = 0u; s[7] = 0u;
      smin = 0x7fffffff; smax = -0x7fffffff - 1;
   }
   turn[t] = v;
   barrier();
   atomicAdd(s[0], v);
   atomicMin(s[1], v);
   atomicMax(s[2], v);
   atomicAnd(s[3], v | 0x0ff00ff0u);
   atomicOr(s[4], v & 0x01111111u);
   atomicXor(s[5], v);
   atomicMin(smin, int(v));
   atomicMax(smax, int(v));
   uint seen = s[6], expect;
   do {
      expect = seen;
      seen = atomicCompSwap(s[6], expect, expect + (v & 7u));
   } while (seen != expect);
   uint mine = atomicExchange(turn[(t + 1u) % 128u], v * 3u);
   uint ticket = atomicAdd(s[7], 1u);
   barrier();
   uint o = gl_WorkGroupID.x * 400u;
   if (t < 8u)
      c[o + t] = s[t];
   else if (t == 8u)
      c[o + 8u] = uint(smin);
   else if (t == 9u)
      c[o + 9u] = uint(smax);
   c[o + 16u + t] = turn[t];
   c[o + 16u + 128u + t] = mine;
   c[o + 16u + 256u + ticket] = 1u;
}
