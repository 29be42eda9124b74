#version 450
/* A 64-bit multiplicative hash (FNV-1a) in pairs of words. */
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer A { uint a[]; };
layout(binding = 1) writeonly buffer B { uint b[]; };
void main()
{
   uint i = gl_GlobalInvocationID.x, low = 0x84222325u, high = 0xcbf29ce4u;
   for (uint n = 0u; n < 64u; n++) {
      low ^= a[(i + n * 64u) & 0xfffffu] & 255u;
      uint carry, product;
      umulExtended(low, 0x1b3u, carry, product);
      high = carry + high * 0x1b3u + (low << 8);
      low = product;
   }
   b[i] = low ^ high;
}
