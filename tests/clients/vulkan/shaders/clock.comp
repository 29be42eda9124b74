#version 450
#extension GL_ARB_shader_clock : require
layout(local_size_x = 32) in;
layout(binding = 0) buffer C { uint c[]; };
void main()
{
   uint i = gl_GlobalInvocationID.x, x = i;
   uvec2 t0 = clock2x32ARB();
   for (uint k = 0u; k < 10u; k++)
      x = x * 1664525u + c[x & 1023u] + 1013904223u;
   uvec2 t1 = clock2x32ARB();
   for (uint k = 0u; k < 200u; k++)
      x = x * 1664525u + c[x & 1023u] + 1013904223u;
   uvec2 t2 = clock2x32ARB();
   c[1024u + i * 4u] = t1.x - t0.x;
   c[1025u + i * 4u] = t2.x - t1.x;
   c[1026u + i * 4u] = x;
   c[1027u + i * 4u] = t2.y;
}
