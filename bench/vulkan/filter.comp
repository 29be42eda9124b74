#version 450
/* 3 x 3 of a picture of floats in a buffer. */
layout(local_size_x = 16, local_size_y = 8) in;
layout(binding = 0) readonly buffer A { float a[]; };
layout(binding = 1) writeonly buffer B { float b[]; };
layout(push_constant) uniform P { uint width, height; };
void main()
{
   ivec2 p = ivec2(gl_GlobalInvocationID.xy), last = ivec2(width, height) - 1;
   const float weight[3] = float[3](0.25, 0.5, 0.25);
   float sum = 0.0;
   for (int y = -1; y <= 1; y++)
      for (int x = -1; x <= 1; x++) {
         ivec2 q = clamp(p + ivec2(x, y), ivec2(0), last);
         sum += weight[x + 1] * weight[y + 1] * a[q.y * int(width) + q.x];
      }
   b[p.y * int(width) + p.x] = sum;
}
