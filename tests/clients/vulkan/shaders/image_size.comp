#version 450
layout(local_size_x = 1) in;
layout(binding = 0, r32ui) uniform uimage2D a;
layout(binding = 1, r32ui) uniform uimage3D b;
layout(binding = 2, r32ui) uniform uimage2DArray d;
layout(binding = 3) buffer C { int c[]; };
void main()
{
   ivec2 sa = imageSize(a);
   ivec3 sb = imageSize(b), sd = imageSize(d);
   c[0] = sa.x; c[1] = sa.y;
   c[2] = sb.x; c[3] = sb.y; c[4] = sb.z;
   c[5] = sd.x; c[6] = sd.y; c[7] = sd.z;
   // outside: reads are 0, writes and atomics are lost
   imageStore(a, ivec2(0), uvec4(11u));
   imageStore(a, ivec2(sa.x, 0), uvec4(99u));
   imageStore(a, ivec2(0, sa.y), uvec4(99u));
   imageStore(a, ivec2(-1, 0), uvec4(99u));
   imageAtomicAdd(a, ivec2(0, -1), 99u);
   imageStore(b, ivec3(0, 0, sb.z), uvec4(99u));
   imageStore(d, ivec3(0, 0, sd.z), uvec4(99u));
   c[8] = int(imageLoad(a, ivec2(0)).x);
   c[9] = int(imageLoad(a, ivec2(sa.x, 0)).x);
   c[10] = int(imageLoad(a, ivec2(0, sa.y)).x);
   c[11] = int(imageLoad(a, ivec2(-1, 0)).x);
   c[12] = int(imageLoad(b, ivec3(0, 0, sb.z)).x);
   c[13] = int(imageLoad(d, ivec3(0, 0, sd.z)).x);
}
