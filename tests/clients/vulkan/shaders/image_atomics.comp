// A pixel per kind of operation and column; rows meet in them. The build gives IMAGE, FORMAT, INT and VEC.
#version 450
layout(local_size_x = 16, local_size_y = 4) in;
layout(binding = 0, FORMAT) uniform IMAGE img;
layout(binding = 1) buffer C { INT c[]; };
layout(binding = 2) readonly buffer A { INT a[]; };
layout(push_constant) uniform P { uint phase; };
void main()
{
   ivec2 p = ivec2(gl_GlobalInvocationID.xy);
   INT v = a[p.y * 16 + p.x];
   if (phase == 0u) {
      if (p.y < 8)
         imageStore(img, p, VEC(a[1024 + p.y * 16 + p.x]));
   } else if (phase == 1u) {
      imageAtomicAdd(img, ivec2(p.x, 0), v);
      imageAtomicMin(img, ivec2(p.x, 1), v);
      imageAtomicMax(img, ivec2(p.x, 2), v);
      imageAtomicAnd(img, ivec2(p.x, 3), v | INT(0x00ff00ff));
      imageAtomicOr(img, ivec2(p.x, 4), v & INT(0x0f0f0f0f));
      imageAtomicXor(img, ivec2(p.x, 5), v);
   } else if (phase == 2u) {
      if (p.y >= 8)
         return;
      // alone with its pixel: what comes back is known too
      int k = p.y * 16 + p.x;
      INT old;
      if (p.y == 0) old = imageAtomicAdd(img, p, v);
      else if (p.y == 1) old = imageAtomicMin(img, p, v);
      else if (p.y == 2) old = imageAtomicMax(img, p, v);
      else if (p.y == 3) old = imageAtomicAnd(img, p, v);
      else if (p.y == 4) old = imageAtomicOr(img, p, v);
      else if (p.y == 5) old = imageAtomicXor(img, p, v);
      else if (p.y == 6) old = imageAtomicExchange(img, p, v);
      else old = imageAtomicCompSwap(img, p, (p.x & 1) == 0 ? imageLoad(img, p).x : v, v * INT(3));
      c[k] = old;
   } else if (p.y < 8) {
      c[128 + p.y * 16 + p.x] = imageLoad(img, p).x;
   }
}
