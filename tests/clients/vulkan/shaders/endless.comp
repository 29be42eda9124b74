#version 450
layout(local_size_x = 8) in;
layout(binding = 0) buffer C { uint c[]; };
// Until somebody says stop.
void main()
{
   while (atomicAdd(c[0], 0u) != 12345u)
      c[8u + gl_LocalInvocationIndex]++;
   c[1] = 77u;
}
