#version 450
layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) readonly buffer A { float a[]; };
layout(binding = 1) readonly buffer B { float b[]; };
layout(binding = 2) writeonly buffer C { float c[]; };
layout(push_constant) uniform P { uint n; };
shared float sa[16][16], sb[16][16];
void main()
{
   uvec2 t = gl_LocalInvocationID.xy, g = gl_GlobalInvocationID.xy;
   float sum = 0.0;
   for (uint k = 0u; k < n; k += 16u) {
      sa[t.y][t.x] = a[g.y * n + k + t.x];
      sb[t.y][t.x] = b[(k + t.y) * n + g.x];
      barrier();
      for (uint j = 0u; j < 16u; j++)
         sum += sa[t.y][j] * sb[j][t.x];
      barrier();
   }
   c[g.y * n + g.x] = sum;
}
