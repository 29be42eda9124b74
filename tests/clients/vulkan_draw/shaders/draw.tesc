#version 450
// The tessellation control shaders of the scenes, one by each name that is defined.
layout(push_constant) uniform Pushed { vec4 scale, bias; }; // factors: outer, inner
#if defined(TRI)
layout(vertices = 3) out;
#elif defined(MANY)
layout(vertices = 32) out;
#else
layout(vertices = 4) out;
#endif
layout(location = 0) in vec4 a[];
layout(location = 0) out vec4 b[];
layout(location = 1) patch out vec4 whole;

void main()
{
   gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
   b[gl_InvocationID] = a[gl_InvocationID];
#ifdef MANY
   barrier();
   vec4 sum = vec4(0);
   for (int i = 0; i < 32; i++)
      sum += b[(i * 5 + gl_InvocationID) % 32] * (i == 0 ? 0.5 : 0.015625);
   barrier();
   b[gl_InvocationID] = sum;
#endif
   if (gl_InvocationID == 0) {
      whole = vec4(0.1, 0.2, 0.3, 0);
      for (int i = 0; i < 4; i++)
         gl_TessLevelOuter[i] = scale[i] + float(gl_PrimitiveID);
      for (int i = 0; i < 2; i++)
         gl_TessLevelInner[i] = bias[i];
   }
}
