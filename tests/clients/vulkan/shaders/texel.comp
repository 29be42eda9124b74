// One source for every format and kind of image; the build gives IMAGE, FORMAT, VALUE, PLACE and SCALE, and makes
// two of it, STORE and LOAD: only an image that is not read is written in its own format by the device.
#version 450
layout(local_size_x = 8, local_size_y = 4) in;
#ifdef STORE
#define ACCESS writeonly
#else
#define ACCESS readonly
#endif
layout(binding = 0, FORMAT) ACCESS uniform IMAGE img;
layout(binding = 1) writeonly buffer C { ivec4 c[]; };
layout(push_constant) uniform P { uvec4 mask; ivec4 bias; uvec3 size; };
void main()
{
   uvec3 p = gl_GlobalInvocationID;
   if (any(greaterThanEqual(p, size)))
      return;
#ifdef STORE
   uint h = p.x * 7u + p.y * 131u + p.z * 1031u;
   imageStore(img, PLACE, VALUE(ivec4(uvec4(h, h * 3u + 1u, h * 5u + 2u, h * 7u + 3u) & mask) + bias) / VALUE(SCALE));
#else
   c[(p.z * size.y + p.y) * size.x + p.x] = ivec4(roundEven(vec4(imageLoad(img, PLACE)) * float(SCALE)));
#endif
}
