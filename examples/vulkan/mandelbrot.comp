#version 450
layout(local_size_x = 16, local_size_y = 8) in;
layout(binding = 0) writeonly buffer Pixels { uint rgba[]; };
layout(push_constant) uniform View { vec2 centre; float scale; uint width, height, first_row, limit; };

uint colour(uint n, float r2)
{
   if (n == limit)
      return 0xff000000u;
   float t = sqrt((float(n) + 1.0 - log2(log2(r2) * 0.5)) / float(limit));
   vec3 c = 0.5 + 0.5 * cos(6.2831853 * (vec3(0.55, 0.65, 0.8) + t * vec3(1.6, 1.9, 2.3)));
   uvec3 b = uvec3(c * 255.0 + 0.5);
   return 0xff000000u | b.z << 16 | b.y << 8 | b.x;
}

void main()
{
   uvec2 p = gl_GlobalInvocationID.xy;
   p.y += first_row;
   if (p.x >= width || p.y >= height)
      return;
   vec2 c = centre + scale * (vec2(p) * 2.0 - vec2(width, height)) / float(height), z = c;
   uint n = 0u;
   while (n < limit && dot(z, z) < 64.0) {
      z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
      n++;
   }
   rgba[p.y * width + p.x] = colour(n, dot(z, z));
}
