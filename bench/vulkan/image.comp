// A blur by the weights 1 2 1, across and down.
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, r32ui) readonly uniform uimage2D from;
layout(binding = 1, r32ui) writeonly uniform uimage2D to;
void main()
{
   ivec2 p = ivec2(gl_GlobalInvocationID.xy);
   uint sum = 0u;
   for (int y = -1; y <= 1; y++)
      for (int x = -1; x <= 1; x++)
         sum += imageLoad(from, p + ivec2(x, y)).x << (2 - abs(x) - abs(y));
   imageStore(to, p, uvec4(sum >> 4));
}
