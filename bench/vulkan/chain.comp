#version 450
/* A chain of products and sums, each of the one before. */
layout(local_size_x = 64) in;
layout(binding = 0) buffer A { float a[]; };
layout(push_constant) uniform P { float m; };
void main()
{
   uint i = gl_GlobalInvocationID.x;
   float x = a[i];
   for (int n = 0; n < 1024; n++)
      x = fma(x, m, 0.5);
   a[i] = x;
}
