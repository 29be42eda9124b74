#version 450
/* 64 samples an invocation, about one texel apart in both directions; the level is pushed. */
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) writeonly buffer Out { vec4 r[]; };
layout(binding = 1) uniform sampler2D tex;
layout(push_constant) uniform Push { float lod; float step; float stretch; };

void main()
{
   vec2 p = (vec2(gl_GlobalInvocationID.xy) + 0.37) / 1024.0;
   vec4 sum = vec4(0);
   for (int i = 0; i < 64; i++) {
#ifdef GRADIENTS
      sum += textureGrad(tex, p, vec2(stretch, 0.0), vec2(0.0, step));
#elif defined(GATHER)
      sum += textureGather(tex, p);
#else
      sum += textureLod(tex, p, lod);
#endif
      p += vec2(step, step * 0.5);
   }
   r[gl_GlobalInvocationID.y * gl_NumWorkGroups.x * 8 + gl_GlobalInvocationID.x] = sum;
}
