#version 450
/* Every lane goes its own way: steps to 1 of 3n + 1. */
layout(local_size_x = 64) in;
layout(binding = 0) writeonly buffer A { uint a[]; };
void main()
{
   uint i = gl_GlobalInvocationID.x, n = i + 1u, steps = 0u;
   while (n != 1u && steps < 500u) {
      if ((n & 1u) == 0u)
         n >>= 1;
      else
         n = 3u * n + 1u;
      steps++;
   }
   a[i] = steps;
}
