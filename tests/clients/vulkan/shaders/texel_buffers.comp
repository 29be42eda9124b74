#version 450
layout(local_size_x = 64) in;
layout(binding = 0) uniform usamplerBuffer bytes;      // R8G8B8A8_UINT
layout(binding = 1) uniform samplerBuffer halves;      // R16G16_SFLOAT
layout(binding = 2, r32ui) uniform uimageBuffer words; // read, written, counted in
layout(binding = 3, rgba32f) uniform writeonly imageBuffer wide;
layout(binding = 4) writeonly buffer C { uint c[]; };
void main()
{
   int i = int(gl_GlobalInvocationID.x);
   uvec4 b = texelFetch(bytes, i);
   vec2 h = texelFetch(halves, textureSize(halves) - 1 - i).xy;
   uint w = imageLoad(words, i).x;
   imageAtomicAdd(words, imageSize(words) - 1 - (i & 7), b.x);
   imageStore(wide, i, vec4(b));
   c[i * 4] = b.x | b.y << 8 | b.z << 16 | b.w << 24;
   c[i * 4 + 1] = floatBitsToUint(h.x);
   c[i * 4 + 2] = floatBitsToUint(h.y);
   c[i * 4 + 3] = w + uint(texelFetch(bytes, i + 100000).x); // outside: 0
}
