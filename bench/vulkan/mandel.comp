#version 450
layout(local_size_x = 16, local_size_y = 8) in;
layout(binding = 0) writeonly buffer C { uint c[]; };
layout(push_constant) uniform P { uint width, height, limit; };
void main()
{
   uvec2 p = gl_GlobalInvocationID.xy;
   vec2 k = vec2(p) / vec2(width, height) * vec2(3.0, 2.0) - vec2(2.1, 1.0), z = k;
   uint n = 0u;
   while (n < limit && dot(z, z) < 4.0) {
      z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + k;
      n++;
   }
   c[p.y * width + p.x] = n;
}
