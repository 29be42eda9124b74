#version 450
/* One sample an invocation: coordinates and a level in `a`, gradients or a reference in `b`. */
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { vec4 v[]; };
layout(binding = 1) writeonly buffer Out { vec4 r[]; };
layout(binding = 2) uniform SAMPLER tex;

void main()
{
   uint i = gl_GlobalInvocationID.x;
   vec4 a = v[2 * i], b = v[2 * i + 1];
   r[i] = vec4(VALUE);
}
