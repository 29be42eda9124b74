#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, rgba8) uniform image2D img;
layout(binding = 1) writeonly buffer C { uint c[]; };
layout(push_constant) uniform P { uint phase; uint width; };
void main()
{
   ivec2 p = ivec2(gl_GlobalInvocationID.xy);
   if (phase == 0u)
      imageStore(img, p, vec4(p.x, p.y, p.x ^ p.y, 255 - p.x) / 255.0);
   else
      c[uint(p.y) * width + uint(p.x)] = uint(dot(imageLoad(img, p) * 255.0 + 0.25, vec4(1.0, 0.0, 0.0, 0.0))) |
         uint(imageLoad(img, p).y * 255.0 + 0.5) << 8 | uint(imageLoad(img, p).z * 255.0 + 0.5) << 16 |
         uint(imageLoad(img, p).w * 255.0 + 0.5) << 24;
}
