#version 450
/* Eight chains that know nothing of each other. */
layout(local_size_x = 64) in;
layout(binding = 0) buffer A { float a[]; };
layout(push_constant) uniform P { float m; };
void main()
{
   uint i = gl_GlobalInvocationID.x;
   float x = a[i], y = x + 1.0, z = x + 2.0, w = x + 3.0, p = x + 4.0, q = x + 5.0, r = x + 6.0, s = x + 7.0;
   for (int n = 0; n < 256; n++) {
      x = fma(x, m, 0.5);
      y = fma(y, m, 0.25);
      z = fma(z, m, 0.125);
      w = fma(w, m, 0.75);
      p = fma(p, m, 1.5);
      q = fma(q, m, 1.25);
      r = fma(r, m, 1.125);
      s = fma(s, m, 1.75);
   }
   a[i] = x + y + z + w + p + q + r + s;
}
