#version 450
#extension GL_EXT_shader_texture_lod : enable
// The fragment shaders of the scenes, one by each name that is defined.
layout(push_constant) uniform Pushed { vec4 scale, bias; };
#if defined(FLAT)
layout(location = 0) flat in vec4 c;
#elif defined(AFFINE)
layout(location = 0) noperspective in vec4 c;
#elif defined(CENTROID)
layout(location = 0) centroid in vec4 c;
#elif defined(SAMPLE_VARYING)
layout(location = 0) sample in vec4 c;
#else
layout(location = 0) in vec4 c;
#endif

#if defined(DUAL)
layout(location = 0, index = 0) out vec4 o;
layout(location = 0, index = 1) out vec4 o1;
#elif defined(OUT_UINT)
layout(location = 0) out uvec4 o;
#elif defined(OUT_INT)
layout(location = 0) out ivec4 o;
#elif defined(MANY)
layout(location = 0) out vec4 o[8];
#else
layout(location = 0) out vec4 o;
#endif

#ifdef EARLY
layout(early_fragment_tests) in;
#endif
#ifdef DEPTH_GREATER
layout(depth_greater) out float gl_FragDepth;
#endif
#ifdef DEPTH_LESS
layout(depth_less) out float gl_FragDepth;
#endif

#define T(type) layout(set = 0, binding = 0) uniform type t
#if defined(TEX_1D)
T(sampler1D);
#elif defined(TEX_ARRAY)
T(sampler2DArray);
#elif defined(TEX_3D)
T(sampler3D);
#elif defined(TEX_CUBE)
T(samplerCube);
#elif defined(TEX_CUBE_ARRAY)
T(samplerCubeArray);
#elif defined(TEX_SHADOW)
T(sampler2DShadow);
#elif defined(SHOW_UINT)
T(usampler2D);
#elif defined(TEX_SAMPLES)
T(sampler2DMS);
#elif defined(SHOW_INT)
T(isampler2D);
#else
T(sampler2D);
#endif
layout(set = 0, binding = 1) uniform sampler2D t2;
#ifdef INPUT
layout(input_attachment_index = 0, set = 0, binding = 3) uniform subpassInput attachment;
#endif
#ifdef STORE
layout(set = 0, binding = 4) buffer Counts { uint count[]; };
#endif
#ifdef TEX_BUFFER
layout(set = 0, binding = 5) uniform samplerBuffer texels;
#endif
layout(constant_id = 0) const int bands = 3;

void main()
{
#if defined(DUAL)
   o = vec4(c.rgb, 0.6);
   o1 = vec4(c.g, 0.3, c.b * 0.5, 0.25);
#elif defined(OUT_UINT)
   o = uvec4(c * scale + bias);
#elif defined(OUT_INT)
   o = ivec4(c * scale + bias);
#elif defined(MANY)
   for (int i = 0; i < 8; i++)
      o[i] = vec4(c.r, c.g * float(i) / 8.0, c.b * float(8 - i) / 8.0, 1);
#elif defined(TEX_1D)
   o = texture(t, c.x);
#elif defined(TEX_2D)
   o = texture(t, c.xy);
#elif defined(TEX_ARRAY) || defined(TEX_3D) || defined(TEX_CUBE)
   o = texture(t, c.xyz);
#elif defined(TEX_CUBE_ARRAY)
   o = texture(t, c);
#elif defined(TEX_SHADOW)
   o = vec4(texture(t, vec3(c.xy, 0.5)), c.x, c.y, 1);
#elif defined(TEX_LOD)
   o = textureLod(t, c.xy, c.x * 5.0);
#elif defined(TEX_BIAS)
   o = texture(t, c.xy, 1.5);
#elif defined(TEX_GRAD)
   o = textureGrad(t, c.xy, vec2(c.x, 0) * 0.1, vec2(0, c.y) * 0.1);
#elif defined(TEX_GATHER)
   o = vec4(textureGather(t, c.xy, 1).xyz, 1);
#elif defined(TEX_OFFSET)
   o = textureOffset(t, c.xy, ivec2(3, -2));
#elif defined(TEX_PROJ)
   o = textureProj(t, vec3(c.xy, 1.0 + c.x));
#elif defined(TEX_FETCH)
   o = texelFetch(t, ivec2(c.xy * 64.0) % 32, int(c.x * 3.0));
#elif defined(TEX_SIZE)
   o = vec4(vec2(textureSize(t, 0)) / 100.0, float(textureQueryLevels(t)) / 8.0, 1);
#elif defined(TEX_QUERY)
   o = vec4(textureQueryLod(t, c.xy) / 8.0, 0, 1);
#elif defined(TEX_BUFFER)
   o = texelFetch(texels, int(gl_FragCoord.x) & 31);
#elif defined(TEX_TWO)
   o = texture(t, c.xy) * 0.5 + texture(t2, c.yx) * 0.5;
#elif defined(DISCARD)
   if (fract(c.x * 7.0) < 0.4)
      discard;
   o = c;
#elif defined(DEPTH) || defined(DEPTH_GREATER) || defined(DEPTH_LESS)
   o = c;
   gl_FragDepth = c.w;
#elif defined(SAMPLE_ID)
   o = vec4(c.rg * float(gl_SampleID) / 3.0, gl_SamplePosition.x, 1);
#elif defined(SAMPLE_VARYING)
   o = vec4(fract(c.rgb * 40.0), 1);
#elif defined(OMASK)
   o = c;
   gl_SampleMask[0] = int(gl_FragCoord.x) & 15;
#elif defined(MASK_IN)
   o = vec4(float(gl_SampleMaskIn[0] & 3) / 3.0, float(gl_SampleMaskIn[0] >> 2 & 3) / 3.0, 0.5, 1);
#elif defined(AT_OFFSET)
   vec2 off = vec2(0.25, -0.375) * float(int(gl_FragCoord.x) & 1);
   o = vec4(fract(interpolateAtOffset(c, off).rg * 30.0), interpolateAtOffset(c, vec2(-0.5, 0.4375)).b, 1);
#elif defined(AT_SAMPLE)
   o = vec4(fract(interpolateAtSample(c, 2).rg * 30.0), interpolateAtSample(c, int(gl_FragCoord.y) & 3).b, 1);
#elif defined(AT_CENTROID)
   o = vec4(interpolateAtCentroid(c).rgb, 1);
#elif defined(TEX_SAMPLES)
   ivec2 at = ivec2(gl_FragCoord.xy);
   o = texelFetch(t, at, (at.x >> 3) + (at.y >> 3) & 3);
#elif defined(FRAGCOORD)
   o = vec4(gl_FragCoord.xy / 128.0, gl_FragCoord.z, gl_FragCoord.w);
#elif defined(FACING)
   o = gl_FrontFacing ? c : vec4(1) - c;
   o.w = 1;
#elif defined(POINTCOORD)
   o = vec4(gl_PointCoord, c.z, 1);
#elif defined(DERIVATIVE)
   o = vec4(abs(dFdx(c.x)) * 20.0, abs(dFdy(c.y)) * 20.0, fwidth(c.z) * 10.0, 1);
#elif defined(PRIMITIVE)
   o = vec4(float(gl_PrimitiveID & 3) / 3.0, float(gl_PrimitiveID >> 2) / 3.0, 0.5, 1);
#elif defined(INPUT)
   o = vec4(subpassLoad(attachment).grb * 0.5 + 0.25, 1);
#elif defined(STORE) || defined(EARLY)
#ifdef STORE
   atomicAdd(count[0], 1u);
#endif
   o = c;
#elif defined(BANDS)
   o = vec4(floor(c.rgb * float(bands)) / float(bands), 1);
#elif defined(LAYER)
   o = vec4(float(gl_Layer) / 4.0, c.g, c.b, 1);
#elif defined(PUSHED)
   o = c * scale + bias;
#elif defined(LOOP)
   vec2 z = vec2(0);
   int n = 0;
   for (; n < 20 && dot(z, z) < 4.0; n++)
      z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c.xy;
   o = vec4(float(n) / 20.0, float(n & 3) / 3.0, float(n & 1), 1);
#elif defined(SHOW) || defined(SHOW_UINT) || defined(SHOW_INT)
   o = vec4(texelFetch(t, ivec2(mod(gl_FragCoord.xy * bias.zw, 128.0)), 0)) * scale + bias.x;
   if (bias.y != 0.0)
      o.w = 1.0;
#else
   o = c;
#endif
}
