#version 450
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer A { float a[]; };
layout(binding = 1) readonly buffer B { float b[]; };
layout(binding = 2) writeonly buffer C { uint c[]; };
// Small whole numbers: every sum is exact in any order.
void main()
{
   uint i = gl_GlobalInvocationID.x, o = i * 16u;
   mat3 m = mat3(a[i], b[i], 1.0, 2.0, a[(i + 1u) & 1023u], b[(i + 1u) & 1023u], 3.0, -1.0, a[(i + 2u) & 1023u]);
   vec3 v = m * vec3(b[i], a[i], 2.0);
   mat3 q = transpose(m) * m;
   bvec3 less = lessThan(m[0], m[1]);
   c[o] = floatBitsToUint(v.x);
   c[o + 1u] = floatBitsToUint(v.y);
   c[o + 2u] = floatBitsToUint(v.z);
   c[o + 3u] = floatBitsToUint(determinant(mat2(m)));
   c[o + 4u] = floatBitsToUint(q[0][1] + q[2][2]);
   c[o + 5u] = floatBitsToUint(dot(m[0], m[2]));
   c[o + 6u] = floatBitsToUint(cross(m[0], m[1]).y);
   c[o + 7u] = uint(less.x) | uint(any(less)) << 1 | uint(all(less)) << 2;
   c[o + 8u] = floatBitsToUint(distance(vec2(a[i], 0.0), vec2(a[i], 0.0)) + dot(vec4(m[0], 2.0), vec4(b[i])));
   c[o + 9u] = floatBitsToUint(roundEven(a[i] * 0.5)) ^ floatBitsToUint(sign(b[i]));
   c[o + 10u] = floatBitsToUint(fract(b[i] * 0.25) + step(a[i], b[i]));
   int e;
   float f = frexp(a[i] + 0.5, e);
   c[o + 11u] = floatBitsToUint(f);
   c[o + 12u] = uint(e);
   c[o + 13u] = floatBitsToUint(ldexp(b[i], int(i % 20u) - 10));
   c[o + 14u] = packUnorm4x8(vec4(a[i], b[i], 0.0, 1.0) / 255.0 * vec4(greaterThan(vec4(a[i], b[i], 1.0, 1.0), vec4(0.0))));
   c[o + 15u] = floatBitsToUint(mix(a[i], b[i], a[i] < b[i]) + clamp(a[i], -3.0, 5.0));
}
