#version 450
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer A { float a[]; };
layout(binding = 1) readonly buffer B { float b[]; };
layout(binding = 2) writeonly buffer C { float c[]; };
void main()
{
   uint i = gl_GlobalInvocationID.x;
   float x = a[i], y = b[i];
   uint o = i * 12u;
   c[o + 0u] = x + y;
   c[o + 1u] = x - y;
   c[o + 2u] = x * y;
   c[o + 3u] = min(x, y);
   c[o + 4u] = max(x, y);
   c[o + 5u] = floor(x);
   c[o + 6u] = ceil(y);
   c[o + 7u] = trunc(x);
   c[o + 8u] = abs(x);
   c[o + 9u] = -y;
   c[o + 10u] = clamp(x, 0.0, 1.0);
   c[o + 11u] = x < y ? x : (x == y ? 1.0 : y);
}
