#version 450
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer A { uint a[]; };
layout(binding = 1) writeonly buffer C { uint c[]; };
void main()
{
   uint i = gl_GlobalInvocationID.x, n = a[i] % 1000u + 1u, steps = 0u, mix_ = 0u;
   while (n != 1u && steps < 200u) {
      if ((n & 1u) == 0u) {
         n >>= 1;
      } else {
         n = 3u * n + 1u;
         if (n % 7u == 0u)
            continue;
      }
      steps++;
      switch (n & 3u) {
      case 0u: mix_ += 1u; break;
      case 1u: mix_ ^= n; break;
      case 2u: mix_ += n * 3u; /* falls through */
      default: mix_ = mix_ << 1 | mix_ >> 31;
      }
      for (uint k = 0u; k < 4u; k++) {
         if (k == (n & 7u))
            break;
         mix_ += k;
      }
   }
   c[i] = steps ^ mix_ << 8;
}
