#version 450
/* One block of SHA-256 a lane, from its own 16 words. */
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer A { uint a[]; };
layout(binding = 1) writeonly buffer B { uint b[]; };
const uint k[64] = uint[64](
   0x428a2f98u, 0x71374491u, 0xb5c0fbcfu, 0xe9b5dba5u, 0x3956c25bu, 0x59f111f1u, 0x923f82a4u, 0xab1c5ed5u,
   0xd807aa98u, 0x12835b01u, 0x243185beu, 0x550c7dc3u, 0x72be5d74u, 0x80deb1feu, 0x9bdc06a7u, 0xc19bf174u,
   0xe49b69c1u, 0xefbe4786u, 0x0fc19dc6u, 0x240ca1ccu, 0x2de92c6fu, 0x4a7484aau, 0x5cb0a9dcu, 0x76f988dau,
   0x983e5152u, 0xa831c66du, 0xb00327c8u, 0xbf597fc7u, 0xc6e00bf3u, 0xd5a79147u, 0x06ca6351u, 0x14292967u,
   0x27b70a85u, 0x2e1b2138u, 0x4d2c6dfcu, 0x53380d13u, 0x650a7354u, 0x766a0abbu, 0x81c2c92eu, 0x92722c85u,
   0xa2bfe8a1u, 0xa81a664bu, 0xc24b8b70u, 0xc76c51a3u, 0xd192e819u, 0xd6990624u, 0xf40e3585u, 0x106aa070u,
   0x19a4c116u, 0x1e376c08u, 0x2748774cu, 0x34b0bcb5u, 0x391c0cb3u, 0x4ed8aa4au, 0x5b9cca4fu, 0x682e6ff3u,
   0x748f82eeu, 0x78a5636fu, 0x84c87814u, 0x8cc70208u, 0x90befffau, 0xa4506cebu, 0xbef9a3f7u, 0xc67178f2u);
uint turn(uint v, int n) { return v >> n | v << (32 - n); }
void main()
{
   uint i = gl_GlobalInvocationID.x, w[16];
   for (int n = 0; n < 16; n++)
      w[n] = a[i * 16u + uint(n)];
   uint h[8] = uint[8](0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au, 0x510e527fu, 0x9b05688cu, 0x1f83d9abu, 0x5be0cd19u);
   uint p = h[0], q = h[1], r = h[2], s = h[3], t = h[4], u = h[5], v = h[6], x = h[7];
   for (int n = 0; n < 64; n++) {
      if (n >= 16) {
         uint y = w[(n + 1) & 15], z = w[(n + 14) & 15];
         w[n & 15] += (turn(y, 7) ^ turn(y, 18) ^ y >> 3) + w[(n + 9) & 15] + (turn(z, 17) ^ turn(z, 19) ^ z >> 10);
      }
      uint first = x + (turn(t, 6) ^ turn(t, 11) ^ turn(t, 25)) + (t & u ^ ~t & v) + k[n] + w[n & 15];
      uint second = (turn(p, 2) ^ turn(p, 13) ^ turn(p, 22)) + (p & q ^ p & r ^ q & r);
      x = v; v = u; u = t; t = s + first; s = r; r = q; q = p; p = first + second;
   }
   b[i] = h[0] + p ^ h[1] + q ^ h[2] + r ^ h[3] + s ^ h[4] + t ^ h[5] + u ^ h[6] + v ^ h[7] + x;
}
