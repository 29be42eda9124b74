#version 450
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer A { uint a[]; };
layout(binding = 1) buffer B { uint bins[256]; };
shared uint s[256];
void main()
{
   uint t = gl_LocalInvocationID.x, base = gl_WorkGroupID.x * 4096u;
   s[t] = 0u;
   barrier();
   for (uint k = 0u; k < 16u; k++)
      atomicAdd(s[a[base + k * 256u + t] & 255u], 1u);
   barrier();
   atomicAdd(bins[t], s[t]);
}
