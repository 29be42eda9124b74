#version 450
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer A { float a[]; };
layout(binding = 1) readonly buffer B { float b[]; };
layout(binding = 2) writeonly buffer C { float c[]; };
void main()
{
   uint i = gl_GlobalInvocationID.x;
   float x = a[i], y = b[i];
   uint o = i * 8u;
   c[o + 0u] = x / y;
   c[o + 1u] = sqrt(abs(x));
   c[o + 2u] = inversesqrt(abs(x));
   c[o + 3u] = exp2(y * 0.25);
   c[o + 4u] = log2(abs(x));
   c[o + 5u] = sin(y);
   c[o + 6u] = cos(y);
   c[o + 7u] = pow(abs(x), y * 0.1);
}
