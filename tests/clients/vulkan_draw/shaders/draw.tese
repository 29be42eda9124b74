#version 450
// The tessellation evaluation shaders of the scenes, one by each name that is defined.
#if defined(TRI) || defined(TRI_ODD) || defined(TRI_EVEN) || defined(TRI_CW)
layout(triangles) in;
#define THREE
#elif defined(LINES)
layout(isolines) in;
#else
layout(quads) in;
#endif
#if defined(QUAD_ODD) || defined(TRI_ODD)
layout(fractional_odd_spacing) in;
#elif defined(QUAD_EVEN) || defined(TRI_EVEN)
layout(fractional_even_spacing) in;
#else
layout(equal_spacing) in;
#endif
#ifdef TRI_CW
layout(cw) in;
#else
layout(ccw) in;
#endif
#ifdef DOTS
layout(point_mode) in;
#endif
layout(location = 0) in vec4 b[];
layout(location = 1) patch in vec4 whole;
layout(location = 0) out vec4 c;

void main()
{
   vec3 t = gl_TessCoord;
#ifdef THREE
   gl_Position = t.x * gl_in[0].gl_Position + t.y * gl_in[1].gl_Position + t.z * gl_in[2].gl_Position;
   c = t.x * b[0] + t.y * b[1] + t.z * b[2];
#elif defined(MANY)
   int k = int(t.x * 31.0);
   gl_Position = vec4(t.xy * 1.8 - 0.9, 0, 1);
   c = b[k];
#else
   gl_Position = mix(mix(gl_in[0].gl_Position, gl_in[1].gl_Position, t.x),
                     mix(gl_in[3].gl_Position, gl_in[2].gl_Position, t.x), t.y);
   c = mix(mix(b[0], b[1], t.x), mix(b[3], b[2], t.x), t.y);
#endif
   gl_PointSize = 3.0;
   c = 0.5 * c + 0.4 * vec4(fract(t.xy * 5.0), fract(t.x * 3.0 + t.y * 7.0), 1) + whole;
   c.a = 1.0;
}
