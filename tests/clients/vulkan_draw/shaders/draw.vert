#version 450
#extension GL_ARB_shader_draw_parameters : enable
#extension GL_ARB_shader_viewport_layer_array : enable
#extension GL_EXT_multiview : enable
// The vertex shaders of the scenes, one by each name that is defined.
#if defined(UINTS)
layout(location = 0) in uvec4 a;
#elif defined(INTS)
layout(location = 0) in ivec4 a;
#elif defined(FLOATS)
layout(location = 0) in vec4 a;
#else
layout(location = 0) in vec4 p;
layout(location = 1) in vec4 a;
#endif
#ifdef INSTANCES
layout(location = 2) in vec4 place;
#endif
#ifdef FEEDBACK
layout(xfb_buffer = 0, xfb_stride = 32) out;
layout(location = 0, xfb_offset = 16) out vec4 c;
out gl_PerVertex {
   layout(xfb_offset = 0) vec4 gl_Position;
   float gl_PointSize;
};
#else
layout(location = 0) out vec4 c;
#endif
layout(push_constant) uniform Pushed { vec4 scale, bias; };
#ifdef UNIFORM
layout(set = 0, binding = 2) uniform Block { mat4 matrix; vec4 tint[4]; };
#endif
#ifdef CLIP
out float gl_ClipDistance[2];
#endif
#ifdef CULL
out float gl_CullDistance[2];
#endif

void main()
{
   gl_PointSize = 1;
#if defined(UINTS) || defined(INTS) || defined(FLOATS)
   float at = 2.0 * 3.14159265 / 7.0 * float(gl_VertexIndex) + 0.2;
   gl_Position = vec4(0.9 * cos(at), 0.9 * sin(at), 0.5, 1);
   c = vec4(a) * scale + bias;
#else
   gl_Position = p;
   c = a;
#endif
#ifdef POINTS
   gl_PointSize = scale.x * (1.0 + a.w);
#endif
#ifdef INSTANCES
   gl_Position.xy = p.xy * 0.3 + place.xy;
   c = vec4(place.z, float(gl_InstanceIndex) * 0.2, a.z, 1);
#endif
#ifdef PARAMETERS
   gl_Position.xy = p.xy * 0.25 + vec2(float(gl_DrawIDARB) * 0.5 - 0.6, float(gl_BaseInstanceARB) * 0.3 - 0.5);
   c = vec4(float(gl_BaseVertexARB) * 0.1, float(gl_VertexIndex) * 0.05, float(gl_InstanceIndex) * 0.2, 1);
#endif
#ifdef PUSHED
   gl_Position.xy = p.xy * scale.xy + bias.xy;
   c = vec4(bias.zw, scale.z, 1);
#endif
#ifdef UNIFORM
   gl_Position = matrix * p;
   c = a * tint[gl_VertexIndex & 3];
#endif
#ifdef VIEWPORT
   gl_ViewportIndex = gl_VertexIndex / 3;
#endif
#ifdef LAYER
   gl_Layer = gl_InstanceIndex;
   gl_Position.xy = p.xy * (1.0 - 0.2 * float(gl_InstanceIndex));
#endif
#ifdef VIEW
   gl_Position.xy = p.xy * (1.0 - 0.3 * float(gl_ViewIndex));
   c = a * vec4(1, 1, float(gl_ViewIndex), 1);
#endif
#ifdef CLIP
   gl_ClipDistance[0] = p.x + 0.3;
   gl_ClipDistance[1] = 0.4 - p.y * 0.7;
#endif
#ifdef CULL
   gl_CullDistance[0] = p.x + 0.1;
   gl_CullDistance[1] = 0.2 - p.y;
#endif
}
