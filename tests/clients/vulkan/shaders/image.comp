#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, r32ui) uniform uimage2D img;
layout(binding = 1) writeonly buffer C { uint c[]; };
layout(push_constant) uniform P { uint phase; uint width; };
void main()
{
   ivec2 p = ivec2(gl_GlobalInvocationID.xy);
   if (phase == 0u)
      imageStore(img, p, uvec4(p.x * 1000 + p.y));
   else if (phase == 1u)
      imageAtomicAdd(img, ivec2(p.y, p.x), uint(p.x) << 16);
   else
      c[uint(p.y) * width + uint(p.x)] = imageLoad(img, p).x;
}
