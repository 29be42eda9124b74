#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer C { uint c[]; };
// Only some of the group come to the barrier. With a 12345 in c[0] all of them do.
void main()
{
   c[8u + gl_LocalInvocationIndex] = 1u;
   if (gl_LocalInvocationIndex < 32u || c[0] == 12345u)
      barrier();
   c[1] = 77u;
}
