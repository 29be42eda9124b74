#version 450
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer P { vec4 p[]; };
layout(binding = 1) writeonly buffer F { vec4 f[]; };
layout(push_constant) uniform C { uint n; };
void main()
{
   uint i = gl_GlobalInvocationID.x;
   vec3 me = p[i].xyz, sum = vec3(0.0);
   for (uint j = 0u; j < n; j++) {
      vec4 q = p[j];
      vec3 d = q.xyz - me;
      float r = inversesqrt(dot(d, d) + 0.01);
      sum += d * (q.w * r * r * r);
   }
   f[i] = vec4(sum, 0.0);
}
