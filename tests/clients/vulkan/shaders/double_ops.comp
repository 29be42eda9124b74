#version 450
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer A { double a[]; };
layout(binding = 1) readonly buffer B { double b[]; };
layout(binding = 2) writeonly buffer C { double c[]; };
void main()
{
   uint i = gl_GlobalInvocationID.x;
   double x = a[i], y = b[i];
   uint o = i * 6u;
   c[o + 0u] = x + y;
   c[o + 1u] = x - y;
   c[o + 2u] = x * y;
   c[o + 3u] = min(x, y);
   c[o + 4u] = double(int(y)) + double(float(x));
   c[o + 5u] = x < y ? x : y * 2.0;
}
