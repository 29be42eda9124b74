#version 450
// The geometry shaders of the scenes, one by each name that is defined.
layout(push_constant) uniform Pushed { vec4 scale, bias; };
#if defined(QUADS) || defined(FAN)
layout(points) in;
#elif defined(BAND)
layout(lines) in;
#elif defined(LINES_NEAR)
layout(lines_adjacency) in;
#elif defined(TRIANGLES_NEAR)
layout(triangles_adjacency) in;
#else
layout(triangles) in;
#endif
#if defined(FAN)
layout(invocations = 7) in;
#elif defined(VIEWPORTS)
layout(invocations = 4) in;
#endif
#if defined(OUTLINE)
layout(line_strip, max_vertices = 8) out;
#elif defined(DOTS)
layout(points, max_vertices = 6) out;
#else
layout(triangle_strip, max_vertices = 32) out;
#endif
layout(location = 0) in vec4 a[];
layout(location = 0) out vec4 c;

void vertex(vec4 p, vec4 color)
{
   gl_Position = p;
   gl_PointSize = 1.0;
   c = color;
#ifdef VIEWPORTS
   gl_ViewportIndex = gl_InvocationID;
#endif
#ifdef DOTS
   gl_PointSize = 5.0;
#endif
   EmitVertex();
}

void main()
{
#if defined(QUADS)
   for (int i = 0; i < 4; i++)
      vertex(gl_in[0].gl_Position + vec4(i & 1, i >> 1, 0, 0) * 0.2, a[0] * (1.0 - 0.2 * i));
#elif defined(FAN)
   float at = 0.9 * gl_InvocationID;
   for (int i = 0; i < 3; i++)
      vertex(gl_in[0].gl_Position + vec4(cos(at + 0.2 * i), sin(at + 0.2 * i), 0, 0) * (i == 1 ? 0.3 : 0.1),
             a[0] * (0.4 + 0.1 * gl_InvocationID));
#elif defined(BAND)
   vec2 d = normalize(gl_in[1].gl_Position.xy - gl_in[0].gl_Position.xy).yx * vec2(-0.06, 0.06);
   for (int i = 0; i < 4; i++)
      vertex(gl_in[i >> 1].gl_Position + vec4((i & 1) == 0 ? d : -d, 0, 0), a[i >> 1]);
#elif defined(LINES_NEAR)
   for (int i = 0; i < 4; i++)
      vertex(gl_in[i ^ (i >> 1)].gl_Position, a[i]);
#elif defined(TRIANGLES_NEAR)
   for (int e = 0; e < 3; e++) {
      for (int i = 0; i < 3; i++)
         vertex(gl_in[(2 * e + i) % 6].gl_Position * vec4(vec2(0.9), 1, 1), a[(2 * e + i) % 6]);
      EndPrimitive();
   }
#elif defined(OUTLINE)
   for (int i = 0; i < 4; i++)
      vertex(gl_in[i % 3].gl_Position, a[i % 3]);
   EndPrimitive();
   for (int i = 0; i < 4; i++)
      vertex(gl_in[i % 3].gl_Position * vec4(vec2(0.5), 1, 1), a[(i + 1) % 3]);
#elif defined(DOTS)
   for (int i = 0; i < 6; i++)
      vertex(mix(gl_in[i % 3].gl_Position, gl_in[(i + 1) % 3].gl_Position, i < 3 ? 0.1 : 0.6), a[i % 3]);
#elif defined(NUMBERS)
   for (int i = 0; i < 3; i++)
      vertex(gl_in[i].gl_Position, vec4(gl_PrimitiveIDIn & 1, gl_PrimitiveIDIn >> 1 & 1, gl_PrimitiveIDIn >> 2, 1));
#elif defined(PUSHED)
   for (int i = 0; i < 3; i++)
      vertex(gl_in[i].gl_Position * scale, a[i] * 0.5 + bias);
#elif defined(SHRINK)
   vec4 m = (gl_in[0].gl_Position + gl_in[1].gl_Position + gl_in[2].gl_Position) / 3.0;
   for (int i = 0; i < 3; i++)
      vertex(mix(gl_in[i].gl_Position, m, 0.25), a[i]);
#else
   for (int i = 0; i < 3; i++)
      vertex(gl_in[i].gl_Position, a[i]);
#endif
}
