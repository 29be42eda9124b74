#version 450
layout(local_size_x = 1) in;
layout(binding = 0) readonly buffer A { uint n[3]; };
layout(binding = 1) writeonly buffer C { uint args[]; };
void main()
{
   for (uint i = 0u; i < 3u; i++) {
      args[4u + i] = n[i] + 1u; // an offset of 16 bytes
      args[8u + i] = i == 1u ? 0u : n[i]; // no work at all
   }
}
