#version 450
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer A { uint a[]; };
layout(binding = 1) buffer C { uint bins[256]; uint mn; uint mx; uint an; uint orr; uint xr; uint cas; int smin; int smax; };
layout(binding = 2) writeonly buffer D { uint ticket[]; };
shared uint local_bins[16];
void main()
{
   uint i = gl_GlobalInvocationID.x, v = a[i];
   if (gl_LocalInvocationID.x < 16u)
      local_bins[gl_LocalInvocationID.x] = 0u;
   barrier();
   atomicAdd(bins[v & 255u], 1u);
   atomicMin(mn, v);
   atomicMax(mx, v);
   atomicAnd(an, v | 0xff00ff00u);
   atomicOr(orr, v & 0x0f0f0f0fu);
   atomicXor(xr, v);
   atomicMin(smin, int(v));
   atomicMax(smax, int(v));
   atomicAdd(local_bins[v >> 28], 1u);
   uint seen = cas, expect;
   do {
      expect = seen;
      seen = atomicCompSwap(cas, expect, expect + (v & 3u));
   } while (seen != expect);
   barrier();
   ticket[i] = local_bins[gl_LocalInvocationID.x & 15u];
}
