/* What shaders read and write beside their inputs and outputs: textures in every stage, images, the
 * target itself; and what a program asks of draws afterwards. */
#include "gl_draw.h"

static GLuint
ramp(unsigned k)
{
   uint8_t texel[16 * 16 * 4];
   GLuint name;
   for (unsigned i = 0; i < sizeof(texel); i++)
      texel[i] = (uint8_t)(i * (151 + 22 * k) ^ i >> 4);
   glGenTextures(1, &name);
   glActiveTexture(GL_TEXTURE0 + k);
   glBindTexture(GL_TEXTURE_2D, name);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 16, 16, 0, GL_RGBA, GL_UNSIGNED_BYTE, texel);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   return name;
}

/* A target that is a texture, in unit 0; returns the frame buffer that was bound. */
static GLuint
draw_to_texture(GLuint *texture, GLuint *frame)
{
   GLuint from;
   glGetIntegerv(GL_FRAMEBUFFER_BINDING, (GLint *)&from);
   glGenTextures(1, texture);
   glActiveTexture(GL_TEXTURE0);
   glBindTexture(GL_TEXTURE_2D, *texture);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, SIZE, SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glGenFramebuffers(1, frame);
   glBindFramebuffer(GL_FRAMEBUFFER, *frame);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, *texture, 0);
   glClear(GL_COLOR_BUFFER_BIT);
   return from;
}

#define PASS_VS "void main() { gl_Position = gl_Vertex; gl_FrontColor = gl_Color; }"
#define FETCH_FS                                                                                   \
   "uniform sampler2D s; void main() { gl_FragColor = texelFetch(s, ivec2(gl_FragCoord.xy), 0); }"

static void
target_then_texture(void)
{
   GLuint texture, frame, from = draw_to_texture(&texture, &frame);
   for (unsigned i = 0; i < 4; i++) { /* there and back, in one batch */
      glBindFramebuffer(GL_FRAMEBUFFER, frame);
      glUseProgram(0);
      glBegin(GL_TRIANGLE_FAN);
      ring(5 + i, 0.9f - 0.2f * (float)i);
      glEnd();
      glBindFramebuffer(GL_FRAMEBUFFER, from);
      glEnable(GL_SCISSOR_TEST);
      glScissor((GLint)(32 * i), 0, 32, SIZE);
      use_program(PASS_VS, FETCH_FS);
      full_quad(0);
      glDisable(GL_SCISSOR_TEST);
   }
}

static void
reads_its_target(void)
{
   GLuint texture, frame, from = draw_to_texture(&texture, &frame);
   use_program(PASS_VS, "uniform sampler2D s; void main() { vec4 old = texelFetch(s, "
                        "ivec2(gl_FragCoord.xy), 0); gl_FragColor = vec4(old.gbr * 0.75 + "
                        "gl_Color.rgb * 0.25, 1); }");
   for (unsigned i = 0; i < 6; i++) {
      glTextureBarrierNV();
      glBegin(GL_TRIANGLE_FAN);
      ring(3 + i, 0.95f - 0.1f * (float)i);
      glEnd();
   }
   glBindFramebuffer(GL_FRAMEBUFFER, from);
   use_program(PASS_VS, FETCH_FS);
   full_quad(0);
}

/* Every stage looks up a texture of its own. */
static void
textures_of_all_stages(void)
{
   static const char *const name[5] = {"s0", "s1", "s2", "s3", "s4"};
   for (unsigned i = 0; i < 5; i++)
      ramp(i);
   GLuint p = use_stages(&(struct stages){
       .vs = "uniform sampler2D s0; out vec4 a; void main() { gl_Position = gl_Vertex; a = "
             "textureLod(s0, gl_Vertex.xy * 0.5 + 0.5, 0.0); }",
       .tcs =
           "layout(vertices = 3) out; uniform sampler2D s1; in vec4 a[]; out vec4 b[];\n"
           "#define I gl_InvocationID\n"
           "void main() { gl_out[I].gl_Position = gl_in[I].gl_Position; b[I] = a[I] * 0.5 + 0.5 * "
           "textureLod(s1, gl_in[I].gl_Position.xy, 0.0); gl_TessLevelOuter[0] = "
           "gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = 4.0; gl_TessLevelInner[0] = 4.0; }",
       .tes =
           "layout(triangles, equal_spacing, ccw) in; uniform sampler2D s2; in vec4 b[]; out vec4 "
           "c; void main() { vec3 t = gl_TessCoord; gl_Position = t.x * gl_in[0].gl_Position + "
           "t.y * gl_in[1].gl_Position + t.z * gl_in[2].gl_Position; c = 0.5 * textureLod(s2, "
           "t.xy * 0.9 + 0.03, 0.0) + 0.5 * (t.x * b[0] + t.y * b[1] + t.z * b[2]); }",
       .gs =
           "layout(triangles) in; layout(triangle_strip, max_vertices = 3) out; uniform sampler2D "
           "s3; in vec4 c[]; out vec4 d; void main() { vec4 v = textureLod(s3, "
           "vec2(0.47, 0.53), 0.0); for (int i = 0; i < 3; "
           "i++) { gl_Position = gl_in[i].gl_Position; d = 0.5 * v + 0.5 * c[i]; EmitVertex(); } }",
       .fs = "uniform sampler2D s4; in vec4 d; void main() { gl_FragColor = vec4(0.5 * d.rgb + "
             "0.5 * texture(s4, floor(gl_FragCoord.xy / 8.0) / 16.0 + 0.03).rgb, 1); }"});
   for (int i = 0; i < 5; i++)
      glUniform1i(glGetUniformLocation(p, name[i]), i);
   glPatchParameteri(GL_PATCH_VERTICES, 3);
   glBegin(GL_PATCHES);
   glVertex2f(-0.93f, -0.87f);
   glVertex2f(0.91f, -0.79f);
   glVertex2f(0.07f, 0.89f);
   glVertex2f(0.95f, 0.91f);
   glVertex2f(0.31f, 0.92f);
   glVertex2f(0.94f, -0.55f);
   glEnd();
}

/* Threads whose only output is an image: once for each pixel that is lit. */
static void
no_target(void)
{
   GLuint image, from, frame, color;
   uint32_t zero[32 * 32] = {0};
   glGetIntegerv(GL_FRAMEBUFFER_BINDING, (GLint *)&from);
   glGenTextures(1, &image);
   glBindTexture(GL_TEXTURE_2D, image);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_R32UI, 32, 32, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, zero);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   glBindImageTexture(0, image, 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32UI);
   glGenRenderbuffers(1, &color);
   glBindRenderbuffer(GL_RENDERBUFFER, color);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, SIZE, SIZE);
   glGenFramebuffers(1, &frame);
   glBindFramebuffer(GL_FRAMEBUFFER, frame);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color);
   glDrawBuffer(GL_NONE);
   use_program(PASS_VS, "layout(r32ui) uniform uimage2D u; void main() { imageAtomicAdd(u, "
                        "ivec2(gl_FragCoord.xy) / 4, 1u); }");
   glBegin(GL_TRIANGLE_FAN);
   ring(7, 0.9f);
   glEnd();
   glBegin(GL_TRIANGLES);
   ring(3, 0.7f);
   glEnd();
   glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
   glBindFramebuffer(GL_FRAMEBUFFER, from);
   use_program(PASS_VS, "uniform usampler2D s; void main() { uint n = texelFetch(s, "
                        "ivec2(gl_FragCoord.xy) / 4, 0).r; gl_FragColor = vec4(float(n) / 32.0, "
                        "float(n & 3u) / 3.0, n > 16u ? 1.0 : 0.0, 1); }");
   full_quad(0);
}

/* Depth again, by another program with other inputs: equal, bit for bit. */
static void
depth_again(void)
{
   glEnable(GL_DEPTH_TEST);
   glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
   for (unsigned pass = 0; pass < 2; pass++) {
      if (pass) {
         glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
         glDepthFunc(GL_EQUAL);
         use_program("invariant gl_Position; out vec4 a, b; void main() { gl_Position = "
                     "gl_ModelViewProjectionMatrix * gl_Vertex; a = gl_Color; b = gl_Vertex; }",
                     "in vec4 a, b; void main() { gl_FragColor = vec4(a.rgb * (0.6 + 0.1 * "
                     "sin(b.x)), 1); }");
      } else {
         use_program("invariant gl_Position; void main() { gl_Position = "
                     "gl_ModelViewProjectionMatrix * gl_Vertex; }",
                     "void main() { gl_FragColor = vec4(1); }");
      }
      perspective(0.5f, 50);
      glBegin(GL_TRIANGLES);
      for (unsigned i = 0; i < 36; i++) {
         color(i);
         glVertex3f((float)(i * 37 % 19) - 9, (float)(i * 53 % 17) - 8, -2 - (float)(i * 29 % 31));
      }
      glEnd();
   }
}

/* Numbers as bits of pixels in the corner. */
static void
show(uint32_t value, unsigned row)
{
   glUseProgram(0);
   glDisable(GL_DEPTH_TEST);
   glBegin(GL_POINTS);
   for (unsigned i = 0; i < 32; i++) {
      glColor3f(value >> i & 1, 1, 1);
      glVertex2f(-0.9921875f + 0.015625f * (float)i, 0.9921875f - 0.03125f * (float)row);
   }
   glEnd();
}

/* Draws that depend on what others have shown, and draws that nobody sees. */
static void
conditional_draws(void)
{
   GLuint query[2];
   glGenQueries(2, query);
   glEnable(GL_DEPTH_TEST);
   color(0);
   full_quad(0);
   for (unsigned i = 0; i < 2; i++) { /* behind it, and in front of it */
      glBeginQuery(i ? GL_ANY_SAMPLES_PASSED : GL_SAMPLES_PASSED, query[i]);
      glBegin(GL_TRIANGLES);
      for (unsigned k = 0; k < 3; k++) {
         color(3);
         glVertex3f(k == 1 ? 0.3f : -0.3f, k == 2 ? 0.3f : -0.3f, i ? -0.5f : 0.5f);
      }
      glEnd();
      glEndQuery(i ? GL_ANY_SAMPLES_PASSED : GL_SAMPLES_PASSED);
   }
   glDisable(GL_DEPTH_TEST);
   for (unsigned i = 0; i < 2; i++) {
      glBeginConditionalRender(query[i], GL_QUERY_WAIT);
      glBegin(GL_TRIANGLE_FAN);
      for (unsigned k = 0; k < 8; k++) {
         color(k + i);
         glVertex2f((i ? 0.5f : -0.5f) + 0.2f * (float)(k & 1), 0.1f * (float)k - 0.4f);
      }
      glEnd();
      glEndConditionalRender();
   }
}

static void
discarded_draws(void)
{
   static const GLenum kind[2] = {GL_PRIMITIVES_GENERATED, GL_SAMPLES_PASSED};
   GLuint query[3], count[2] = {0, 0}, passed = 0, time[2];
   glGenQueries(3, query);
   glGenQueries(2, time);
   glQueryCounter(time[0], GL_TIMESTAMP);
   glEnable(GL_RASTERIZER_DISCARD);
   for (unsigned i = 0; i < 2; i++)
      glBeginQuery(kind[i], query[i]);
   glBegin(GL_TRIANGLE_STRIP);
   ring(40, 0.9f);
   glEnd();
   for (unsigned i = 0; i < 2; i++) {
      glEndQuery(kind[i]);
      glGetQueryObjectuiv(query[i], GL_QUERY_RESULT, &count[i]);
   }
   glDisable(GL_RASTERIZER_DISCARD);
   glQueryCounter(time[1], GL_TIMESTAMP);
   GLuint64 t0 = 0, t1 = 0;
   glGetQueryObjectui64v(time[0], GL_QUERY_RESULT, &t0);
   glGetQueryObjectui64v(time[1], GL_QUERY_RESULT, &t1);
   /* Depth alone. */
   glEnable(GL_DEPTH_TEST);
   glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
   glBeginQuery(GL_SAMPLES_PASSED, query[2]);
   glBegin(GL_QUADS);
   glVertex3f(-0.5f, -0.5f, -0.5f);
   glVertex3f(0.5f, -0.5f, -0.5f);
   glVertex3f(0.5f, 0.5f, -0.5f);
   glVertex3f(-0.5f, 0.5f, -0.5f);
   glEnd();
   glEndQuery(GL_SAMPLES_PASSED);
   glGetQueryObjectuiv(query[2], GL_QUERY_RESULT, &passed);
   glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
   color(1);
   full_quad(0); /* around what was put there */
   show(count[0], 0);
   show(count[1], 1);
   show(passed, 2);
   show(t1 > t0, 3);
}

/* Depth from 0 to w, the origin above; and planes that drop objects as a whole. */
static void
clip_conventions(void)
{
   for (unsigned i = 0; i < 4; i++) {
      glClipControl(i & 1 ? GL_UPPER_LEFT : GL_LOWER_LEFT,
                    i & 2 ? GL_ZERO_TO_ONE : GL_NEGATIVE_ONE_TO_ONE);
      glViewport((GLint)(64 * (i & 1)), (GLint)(64 * (i >> 1)), 64, 64);
      glBegin(GL_TRIANGLES);
      color(i);
      glVertex3f(-0.9f, -0.8f, -1.5f);
      color(i + 1);
      glVertex3f(0.8f, -0.6f, 0.7f);
      color(i + 2);
      glVertex3f(0.1f, 0.9f, 1.4f);
      glEnd();
   }
   glViewport(0, 0, SIZE, SIZE);
}

static void
cull_distances(void)
{
   use_program("#extension GL_ARB_cull_distance : require\n"
               "out float gl_CullDistance[2]; void main() { gl_Position = gl_Vertex; gl_FrontColor "
               "= gl_Color; gl_CullDistance[0] = gl_Vertex.x + 0.2; gl_CullDistance[1] = 0.5 - "
               "gl_Vertex.y; }",
               "void main() { gl_FragColor = gl_Color; }");
   glBegin(GL_TRIANGLES);
   for (unsigned i = 0; i < 60; i++) {
      float x = (float)(i / 3 % 5) * 0.4f - 0.95f, y = (float)(i / 15) * 0.5f - 0.97f;
      color(i);
      glVertex2f(x + (i % 3 == 1 ? 0.35f : 0), y + (i % 3 == 2 ? 0.45f : 0));
   }
   glEnd();
}

/* gl_VertexID, gl_InstanceID, gl_BaseVertexARB, gl_DrawIDARB. */
static void
draw_numbers(void)
{
   static const float at[12][2] = {{-0.9f, -0.9f}, {-0.5f, -0.9f}, {-0.7f, -0.5f}, {-0.3f, -0.9f},
                                   {0.1f, -0.9f},  {-0.1f, -0.5f}, {0.3f, -0.9f},  {0.7f, -0.9f},
                                   {0.5f, -0.5f},  {-0.9f, 0.1f},  {-0.5f, 0.1f},  {-0.7f, 0.5f}};
   static const GLint first[4] = {0, 3, 6, 9};
   static const GLsizei count[4] = {3, 3, 3, 3};
   static const uint16_t index[3] = {0, 1, 2};
   use_program(
       "#extension GL_ARB_shader_draw_parameters : require\n"
       "out vec4 c; void main() { gl_Position = gl_Vertex + vec4(0.0, 0.45 * "
       "float(gl_InstanceID), 0.0, 0.0); c = vec4(float(gl_DrawIDARB) / 3.0, "
       "float(gl_VertexID) / 12.0, float(gl_BaseVertexARB + gl_BaseInstanceARB) / 9.0, 1); }",
       "in vec4 c; void main() { gl_FragColor = c; }");
   buffer(GL_ARRAY_BUFFER, at, sizeof(at));
   glEnableClientState(GL_VERTEX_ARRAY);
   glVertexPointer(2, GL_FLOAT, 0, NULL);
   glMultiDrawArrays(GL_TRIANGLES, first, count, 4);
   buffer(GL_ELEMENT_ARRAY_BUFFER, index, sizeof(index));
   glDrawElementsInstancedBaseVertexBaseInstance(GL_TRIANGLES, 3, GL_UNSIGNED_SHORT, NULL, 2, 6, 3);
}

/* Depth that was drawn, as a texture. */
static void
depth_texture(void)
{
   GLuint texture, frame, from;
   glGetIntegerv(GL_FRAMEBUFFER_BINDING, (GLint *)&from);
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, SIZE, SIZE, 0, GL_DEPTH_COMPONENT,
                GL_UNSIGNED_INT, NULL);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   glGenFramebuffers(1, &frame);
   glBindFramebuffer(GL_FRAMEBUFFER, frame);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, texture, 0);
   glDrawBuffer(GL_NONE);
   glReadBuffer(GL_NONE);
   glClear(GL_DEPTH_BUFFER_BIT);
   glEnable(GL_DEPTH_TEST);
   glBegin(GL_TRIANGLES);
   for (unsigned i = 0; i < 12; i++)
      glVertex3f((float)(i * 37 % 19) / 9 - 1, (float)(i * 53 % 17) / 8 - 1,
                 (float)(i * 29 % 31) / 15 - 1);
   glEnd();
   glDisable(GL_DEPTH_TEST);
   glBindFramebuffer(GL_FRAMEBUFFER, from);
   use_program(PASS_VS,
               "uniform sampler2D s; void main() { float z = texelFetch(s, "
               "ivec2(gl_FragCoord.xy), 0).r; gl_FragColor = vec4(z, 1.0 - z, z * z, 1); }");
   full_quad(0);
}

const struct picture read_pictures[] = {
    {"depth_texture", depth_texture, 1, 12, "P3D-316"},
    {"target_then_texture", target_then_texture, 1, 4, "P3D-359"},
    {"reads_its_target", reads_its_target, 2, 4, "P3D-326"},
    {"textures_of_all_stages", textures_of_all_stages, 2, 12, "P3D-328 P3D-098"},
    {"no_target", no_target, 1, 4, "P3D-287 P3D-327"},
    {"depth_again", depth_again, 1, 12, "P3D-271"},
    {"conditional_draws", conditional_draws, 1, 4},
    {"discarded_draws", discarded_draws, 1, 4, "P3D-388"},
    {"clip_conventions", clip_conventions, 1, 4},
    {"cull_distances", cull_distances, 1, 2},
    {"draw_numbers", draw_numbers, 1, 4},
    {NULL, NULL, 0, 0, NULL},
};
