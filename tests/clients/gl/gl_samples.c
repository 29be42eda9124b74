/* Pictures with several samples a pixel. A driver without so many samples draws one picture for
 * each, shifted by a part of a pixel, and adds them up: coverage must be the same. */
#include "gl_draw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sixteenths of a pixel, as the API's standard places are. */
static const uint8_t place4[4][2] = {{6, 2}, {14, 6}, {2, 10}, {10, 14}},
                     place8[8][2] = {{9, 5},  {7, 11}, {13, 9},  {5, 3},
                                     {3, 13}, {1, 7},  {11, 15}, {15, 1}};

static GLint frame_of_picture;

/* A frame with a colour and a depth-and-stencil buffer. */
static GLuint
new_frame(unsigned samples, GLenum format, int size)
{
   GLuint b[2], f;
   glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &frame_of_picture);
   glGenRenderbuffers(2, b);
   glGenFramebuffers(1, &f);
   glBindFramebuffer(GL_FRAMEBUFFER, f);
   glBindRenderbuffer(GL_RENDERBUFFER, b[0]);
   glRenderbufferStorageMultisample(GL_RENDERBUFFER, (GLsizei)samples, format, size, size);
   glBindRenderbuffer(GL_RENDERBUFFER, b[1]);
   glRenderbufferStorageMultisample(GL_RENDERBUFFER, (GLsizei)samples, GL_DEPTH24_STENCIL8, size,
                                    size);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, b[0]);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER, b[1]);
   return f;
}

static void
clear_all(void)
{
   glClearColor(0, 0, 0, 1);
   glClearStencil(0);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
}

/* To the picture's frame. */
static void
resolve(GLuint from, GLbitfield what)
{
   glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
   glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)frame_of_picture);
   glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, what, GL_NEAREST);
   glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)frame_of_picture);
}

static bool
has_samples(unsigned samples)
{
   GLint most = 0;
   glGetIntegerv(GL_MAX_SAMPLES, &most);
   return (unsigned)most >= samples;
}

/* One sample of all pixels at a time. */
static void
add_up(unsigned samples, void (*draw)(void))
{
   static uint8_t one[SIZE * SIZE * 4];
   static uint32_t sum[SIZE * SIZE * 4];
   const uint8_t(*place)[2] = samples == 8 ? place8 : place4;
   GLuint frame = new_frame(0, GL_RGBA8, SIZE);
   memset(sum, 0, sizeof(sum));
   for (unsigned s = 0; s < samples; s++) {
      glViewportIndexedf(0, (8 - (float)place[s][0]) / 16, (8 - (float)place[s][1]) / 16, SIZE,
                         SIZE);
      clear_all();
      draw();
      glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, one);
      for (unsigned i = 0; i < sizeof(one); i++)
         sum[i] += one[i];
   }
   for (unsigned i = 0; i < sizeof(one); i++)
      one[i] = (uint8_t)((sum[i] + samples / 2) / samples);
   (void)frame;
   glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)frame_of_picture);
   glUseProgram(0);
   glDisable(GL_DEPTH_TEST);
   glDisable(GL_STENCIL_TEST);
   glDisable(GL_BLEND);
   glMatrixMode(GL_PROJECTION);
   glLoadIdentity();
   glMatrixMode(GL_MODELVIEW);
   glLoadIdentity();
   glViewport(0, 0, SIZE, SIZE);
   glRasterPos2f(-1, -1);
   glDrawPixels(SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, one);
}

static void
multisampled(unsigned samples, void (*draw)(void))
{
   if (!has_samples(samples)) {
      add_up(samples, draw);
      return;
   }
   GLuint frame = new_frame(samples, GL_RGBA8, SIZE);
   clear_all();
   draw();
   resolve(frame, GL_COLOR_BUFFER_BIT);
}

static void
star(void)
{
   glBegin(GL_TRIANGLES);
   for (unsigned i = 0; i < 24; i++) {
      float a = 0.1f + 6.2831853f * (float)(i / 3) / 8, b = a + (i % 3 == 2 ? 0.3f : 0);
      color(i / 3);
      glVertex2f(i % 3 ? 0.93f * cosf(b) : 0.02f, i % 3 ? 0.93f * sinf(b) : 0.01f);
   }
   glEnd();
}

/* A draw with four and with eight samples. */
#define BOTH(name)                                                                                 \
   static void name##_4x(void)                                                                     \
   {                                                                                               \
      multisampled(4, name);                                                                       \
   }                                                                                               \
   static void name##_8x(void)                                                                     \
   {                                                                                               \
      multisampled(8, name);                                                                       \
   }
#define FOUR(name)                                                                                 \
   static void name##_4x(void)                                                                     \
   {                                                                                               \
      multisampled(4, name);                                                                       \
   }

/* Triangles that pass through each other. */
static void
depth(void)
{
   glEnable(GL_DEPTH_TEST);
   for (unsigned i = 0; i < 5; i++) {
      float a = 0.2f + 1.3f * (float)i;
      glBegin(GL_TRIANGLES);
      color(i);
      glVertex3f(0.9f * cosf(a), 0.9f * sinf(a), -0.8f);
      glVertex3f(0.9f * cosf(a + 2), 0.9f * sinf(a + 2), 0.8f);
      glVertex3f(0.9f * cosf(a + 4), 0.9f * sinf(a + 4), 0.1f * (float)i);
      glEnd();
   }
   glDisable(GL_DEPTH_TEST);
}
static void
stencil(void)
{
   glEnable(GL_STENCIL_TEST);
   glStencilFunc(GL_ALWAYS, 1, 0xff);
   glStencilOp(GL_KEEP, GL_KEEP, GL_INCR);
   glColorMask(0, 0, 0, 0);
   star();
   glColorMask(1, 1, 1, 1);
   glStencilFunc(GL_EQUAL, 1, 0xff);
   glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
   glRotatef(25, 0, 0, 1);
   star();
   glRotatef(-25, 0, 0, 1);
   glDisable(GL_STENCIL_TEST);
}
static void
blend(void)
{
   glEnable(GL_BLEND);
   glBlendFunc(GL_ONE, GL_ONE);
   for (unsigned i = 0; i < 6; i++) {
      glPushMatrix();
      glRotatef(17 * (float)i, 0, 0, 1);
      glColor3f(0.2f, (float)(10 * i) / 255, 0.4f);
      glBegin(GL_TRIANGLES);
      glVertex2f(-0.8f, -0.6f);
      glVertex2f(0.7f, -0.5f);
      glVertex2f(0.1f, 0.9f);
      glEnd();
      glPopMatrix();
   }
   glDisable(GL_BLEND);
}
static void
thin(void) /* much thinner than a pixel */
{
   glBegin(GL_TRIANGLES);
   for (unsigned i = 0; i < 40; i++) {
      float y = -0.95f + 0.047f * (float)i;
      color(i);
      glVertex2f(-0.95f, y);
      glVertex2f(0.95f, y + 0.011f * (float)i);
      glVertex2f(-0.95f, y + 0.006f);
   }
   glEnd();
}
static void
squares(void) /* points */
{
   glPointSize(7);
   glBegin(GL_POINTS);
   for (unsigned i = 0; i < 25; i++) {
      color(i);
      glVertex2f(-0.8f + 0.41f * (float)(i % 5), -0.8f + 0.39f * (float)(i / 5));
   }
   glEnd();
}
static void
clears(void) /* of parts, to colours that may be cleared fast and others */
{
   static const float c[6][4] = {{1, 0, 1, 1}, {0.2f, 0.4f, 0.6f, 1}, {0, 0, 0, 0},
                                 {1, 1, 1, 1}, {0, 1, 0, 1},          {0.9f, 0.1f, 0.3f, 0.5f}};
   glEnable(GL_SCISSOR_TEST);
   for (unsigned i = 0; i < 6; i++) {
      glScissor((GLint)(19 * i + 3), (GLint)(11 * i + 2), 40, 50);
      glClearColor(c[i][0], c[i][1], c[i][2], c[i][3]);
      glClear(GL_COLOR_BUFFER_BIT);
      if (i == 3) {
         glDisable(GL_SCISSOR_TEST); /* llvmpipe draws samples beyond it */
         star();
         glEnable(GL_SCISSOR_TEST);
      }
   }
   glDisable(GL_SCISSOR_TEST);
}
static void
clear_and_draw(void) /* clear, draw, clear again, draw */
{
   star();
   glClearColor(1, 1, 0, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   glRotatef(10, 0, 0, 1);
   star();
   glRotatef(-10, 0, 0, 1);
}
BOTH(star)
BOTH(depth)
BOTH(stencil)
BOTH(blend)
BOTH(thin)
BOTH(squares)
BOTH(clears)
BOTH(clear_and_draw)

/* ---- what only four samples are compared for: by sample ---------------------------------------
 */

static const char place_vs[] = "out vec4 c; noperspective out vec2 place; void main() { "
                               "gl_Position = gl_Vertex; c = gl_Color; "
                               "place = gl_Vertex.xy; }";

static void
sample_mask(void)
{
   glEnable(GL_SAMPLE_MASK);
   for (unsigned i = 0; i < 4; i++) {
      glSampleMaski(0, 1u << i | 1u << (i + 1) % 4);
      glPushMatrix();
      glRotatef(20 * (float)i, 0, 0, 1);
      star();
      glPopMatrix();
   }
   glDisable(GL_SAMPLE_MASK);
}
static void
sample_coverage(void)
{
   glEnable(GL_SAMPLE_COVERAGE);
   glSampleCoverage(0.5f, GL_FALSE);
   star();
   glSampleCoverage(0.5f, GL_TRUE);
   glRotatef(20, 0, 0, 1);
   star();
   glRotatef(-20, 0, 0, 1);
   glDisable(GL_SAMPLE_COVERAGE);
}
static void
omask(void)
{
   use_program(place_vs, "in vec4 c; void main() { gl_FragColor = c; gl_SampleMask[0] = "
                         "int(gl_FragCoord.x) & 15; }");
   star();
   glUseProgram(0);
}
static void
mask_in(void)
{
   use_program(place_vs,
               "void main() { int m = gl_SampleMaskIn[0]; gl_FragColor = vec4(float(m & 3) "
               "/ 3, float(m >> 2 & 3) / 3, 0.5, 1); }");
   star();
   glUseProgram(0);
}
static void
sample_id(void)
{
   use_program(place_vs,
               "in vec4 c; void main() { gl_FragColor = vec4(c.rg * float(gl_SampleID) / 3, "
               "gl_SamplePosition.x, 1); }");
   star();
   glUseProgram(0);
}
static void
sample_position(void)
{
   use_program(place_vs,
               "void main() { gl_FragColor = vec4(gl_SamplePosition, float(gl_SampleID == "
               "2), 1); }");
   star();
   glUseProgram(0);
}
static void
sample_shading(void) /* a pattern finer than pixels */
{
   use_program(place_vs, "noperspective in vec2 place; in vec4 c; void main() { gl_FragColor = "
                         "fract(place.x * 100) < 0.5 ? c : vec4(1) - c; }");
   glEnable(GL_SAMPLE_SHADING);
   glMinSampleShading(1);
   star();
   glDisable(GL_SAMPLE_SHADING);
   glUseProgram(0);
}
static void
sample_varying(void)
{
   use_program("sample out vec2 p; void main() { gl_Position = gl_Vertex; p = gl_Vertex.xy; }",
               "sample in vec2 p; void main() { gl_FragColor = vec4(fract(p * 60), 0, 1); }");
   star();
   glUseProgram(0);
}
static void
sample_discard(void)
{
   use_program(place_vs,
               "in vec4 c; void main() { if ((gl_SampleID + int(gl_FragCoord.y)) % 3 == 0) "
               "discard; gl_FragColor = c; }");
   glEnable(GL_DEPTH_TEST);
   star();
   glDisable(GL_DEPTH_TEST);
   glUseProgram(0);
}
static void
sample_depth(void) /* computed, by sample */
{
   use_program(place_vs, "in vec4 c; void main() { gl_FragColor = c; gl_FragDepth = 0.2 + 0.2 * "
                         "float(gl_SampleID); }");
   glEnable(GL_DEPTH_TEST);
   star();
   glUseProgram(0);
   glBegin(GL_TRIANGLES);
   glColor3f(1, 1, 1);
   glVertex3f(-1, -1, 0);
   glVertex3f(1, -1, 0);
   glVertex3f(0, 1, 0);
   glEnd();
   glDisable(GL_DEPTH_TEST);
}
static void
centroid(void)
{
   use_program("centroid out vec2 p; void main() { gl_Position = gl_Vertex; p = gl_Vertex.xy; }",
               "centroid in vec2 p; void main() { gl_FragColor = vec4(abs(p), 0.3, 1); }");
   thin();
   glUseProgram(0);
}
static void
to_coverage(void)
{
   glEnable(GL_SAMPLE_ALPHA_TO_COVERAGE);
   glBegin(GL_TRIANGLE_STRIP);
   for (unsigned i = 0; i < 4; i++) {
      float x = i & 1 ? 1 : -1, y = i & 2 ? 1 : -1;
      glColor4f(1, 0.8f, 0.2f, i & 1);
      glVertex2f(x, y);
   }
   glEnd();
   glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
}
static void
to_one(void)
{
   glEnable(GL_SAMPLE_ALPHA_TO_ONE);
   glEnable(GL_BLEND);
   glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
   glBegin(GL_TRIANGLES);
   for (unsigned i = 0; i < 3; i++) {
      glColor4f(i == 0, i == 1, i == 2, 0.2f);
      glVertex2f(0.9f * cosf(2.1f * (float)i), 0.9f * sinf(2.1f * (float)i));
   }
   glEnd();
   glDisable(GL_BLEND);
   glDisable(GL_SAMPLE_ALPHA_TO_ONE);
}
static void
not_multisampled(void)
{
   glDisable(GL_MULTISAMPLE);
   star();
   glEnable(GL_MULTISAMPLE);
   glRotatef(22, 0, 0, 1);
   thin();
   glRotatef(-22, 0, 0, 1);
}
static void
segments(void)
{
   for (unsigned i = 0; i < 24; i++) {
      float a = 0.07f + 0.2618f * (float)i;
      glLineWidth(1 + (float)(i % 4));
      glBegin(GL_LINES);
      color(i);
      glVertex2f(0.2f * cosf(a), 0.2f * sinf(a));
      glVertex2f(0.95f * cosf(a), 0.95f * sinf(a));
      glEnd();
   }
}
static void
at_offset(void)
{
   use_program(place_vs,
               "in vec4 c; noperspective in vec2 place; void main() { vec2 o = vec2(0.25, "
               "-0.375) * float(int(gl_FragCoord.x) & 1); gl_FragColor = "
               "vec4(fract(interpolateAtOffset(place, o) * 30), interpolateAtOffset(c, "
               "vec2(-0.5, 0.4375)).r, 1); }");
   star();
   glUseProgram(0);
}
static void
at_sample(void)
{
   use_program(place_vs, "in vec4 c; noperspective in vec2 place; void main() { gl_FragColor = "
                         "vec4(fract(interpolateAtSample(place, 2) * 30), interpolateAtSample(c, "
                         "int(gl_FragCoord.y) & 3).g, 1); }");
   star();
   glUseProgram(0);
}
static void
at_centroid(void)
{
   use_program(place_vs,
               "in vec4 c; noperspective in vec2 place; void main() { gl_FragColor = "
               "vec4(abs(interpolateAtCentroid(place)), interpolateAtCentroid(c).b, 1); }");
   thin();
   glUseProgram(0);
}
FOUR(sample_mask)
FOUR(sample_coverage)
FOUR(omask)
FOUR(mask_in)
FOUR(sample_id)
FOUR(sample_position)
FOUR(sample_shading)
FOUR(sample_varying)
FOUR(sample_discard)
FOUR(sample_depth)
FOUR(centroid)
FOUR(to_coverage)
FOUR(to_one)
FOUR(not_multisampled)
FOUR(segments)
FOUR(at_offset)
FOUR(at_sample)
FOUR(at_centroid)

/* ---- one sample: the interpolator -------------------------------------------------------------
 */

/* Where the ray through a place meets the triangle: white within 1/4096, else black. llvmpipe's own
 * is wrong where 1/w differs, so that it draws what the formula says. */
static void
at_offset_perspective(void)
{
   perspective(0.5f, 100);
   GLuint p = use_program(
       "out vec3 p; void main() { gl_Position = gl_ModelViewProjectionMatrix * "
       "gl_Vertex; p = gl_Vertex.xyz; }",
       "in vec3 p; uniform bool itself; vec3 at(vec2 o) { vec3 a = vec3(-3, -1, -1), b = vec3(3, "
       "-1, "
       "-2), c = vec3(0, 2, -9), n = cross(b - a, c - a); vec3 ray = vec3(((gl_FragCoord.xy + o) / "
       "64 "
       "- 1) * 0.7, -1); return ray * dot(n, a) / dot(n, ray); } void main() { float off = 0; for "
       "(int i = 0; i < 4; i++) { vec2 o = vec2(0.3125 * float(i & 1), -0.25 * float(i >> 1)); "
       "vec3 e "
       "= at(o); off = max(off, length((itself ? e : interpolateAtOffset(p, o)) - e) / length(e)); "
       "} "
       "gl_FragColor = vec4(vec3(off < 1.0 / 4096), 1); }");
   glUniform1i(glGetUniformLocation(p, "itself"),
               strstr((const char *)glGetString(GL_RENDERER), "llvmpipe") != NULL);
   glBegin(GL_TRIANGLES);
   glVertex3f(-3, -1, -1);
   glVertex3f(3, -1, -2);
   glVertex3f(0, 2, -9);
   glEnd();
}

/* ---- resolves, copies, reads by sample --------------------------------------------------------
 */

static void
resolve_depth(void)
{
   GLuint f = new_frame(4, GL_RGBA8, SIZE);
   clear_all();
   depth();
   resolve(f, GL_DEPTH_BUFFER_BIT);
   glEnable(GL_DEPTH_TEST);
   for (unsigned i = 0; i < 12; i++) {
      color(i);
      full_quad(0.95f - 0.15f * (float)i);
   }
}
static void
resolve_stencil(void)
{
   GLuint f = new_frame(4, GL_RGBA8, SIZE);
   clear_all();
   stencil();
   resolve(f, GL_STENCIL_BUFFER_BIT);
   glEnable(GL_STENCIL_TEST);
   glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
   for (unsigned i = 0; i < 6; i++) {
      glStencilFunc(GL_EQUAL, (GLint)i, 0xff);
      color(i);
      full_quad(0);
   }
}
static void
resolve_part(void)
{
   GLuint f = new_frame(4, GL_RGBA8, SIZE);
   clear_all();
   star();
   glBindFramebuffer(GL_READ_FRAMEBUFFER, f);
   glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)frame_of_picture);
   glBlitFramebuffer(13, 21, 91, 100, 13, 21, 91, 100, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}
static void
copy_samples(void) /* to another frame of as many samples, which is then resolved */
{
   GLuint a = new_frame(4, GL_RGBA8, SIZE), picture = (GLuint)frame_of_picture;
   clear_all();
   star();
   GLuint b = new_frame(4, GL_RGBA8, SIZE);
   clear_all();
   glBindFramebuffer(GL_READ_FRAMEBUFFER, a);
   glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, GL_COLOR_BUFFER_BIT, GL_NEAREST);
   glBindFramebuffer(GL_FRAMEBUFFER, b);
   glRotatef(45, 0, 0, 1);
   thin();
   frame_of_picture = (GLint)picture;
   resolve(b, GL_COLOR_BUFFER_BIT);
}
static void
resolve_float(void)
{
   GLuint f = new_frame(4, GL_RGBA16F, SIZE);
   clear_all();
   star();
   blend();
   resolve(f, GL_COLOR_BUFFER_BIT);
}

/* A texture of several samples that is drawn to, and then read by sample. */
static void
read_samples(GLenum target, GLenum format, unsigned layers, const char *type, const char *where,
             const char *how)
{
   char fs[512];
   GLint picture;
   GLuint texture, f;
   glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &picture);
   glGenTextures(1, &texture);
   glBindTexture(target, texture);
   if (target == GL_TEXTURE_2D_MULTISAMPLE_ARRAY)
      glTexImage3DMultisample(target, 4, format, SIZE, SIZE, (GLsizei)layers, GL_TRUE);
   else
      glTexImage2DMultisample(target, 4, format, SIZE, SIZE, GL_TRUE);
   glGenFramebuffers(1, &f);
   glBindFramebuffer(GL_FRAMEBUFFER, f);
   for (unsigned i = 0; i < layers; i++) {
      if (target == GL_TEXTURE_2D_MULTISAMPLE_ARRAY)
         glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0, (GLint)i);
      else
         glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, target, texture, 0);
      if (format == GL_RGBA8UI) {
         const GLuint c[4] = {40, 0, 200, 1};
         glClearBufferuiv(GL_COLOR, 0, c);
         use_program(place_vs, "in vec4 c; out uvec4 o; void main() { o = uvec4(c * 250); }");
      } else {
         clear_all();
      }
      glRotatef(20 * (float)i, 0, 0, 1);
      star();
      glUseProgram(0);
      glRotatef(-20 * (float)i, 0, 0, 1);
   }
   glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)picture);
   snprintf(fs, sizeof(fs),
            "uniform %s t; void main() { ivec2 at = ivec2(gl_FragCoord.xy); gl_FragColor = "
            "vec4(texelFetch(t, %s, (at.x >> 3) + (at.y >> 3) & 3))%s; }",
            type, where, how);
   use_program("void main() { gl_Position = gl_Vertex; }", fs);
   full_quad(0);
}
static void
fetch_samples(void)
{
   read_samples(GL_TEXTURE_2D_MULTISAMPLE, GL_RGBA8, 1, "sampler2DMS", "at", "");
}
static void
fetch_integers(void)
{
   read_samples(GL_TEXTURE_2D_MULTISAMPLE, GL_RGBA8UI, 1, "usampler2DMS", "at", " / 255");
}
static void
fetch_layers(void)
{
   read_samples(GL_TEXTURE_2D_MULTISAMPLE_ARRAY, GL_RGBA8, 3, "sampler2DMSArray",
                "ivec3(at, at.y * 3 / 128)", "");
}
static void
fetch_float(void)
{
   read_samples(GL_TEXTURE_2D_MULTISAMPLE, GL_RGBA32F, 1, "sampler2DMS", "at", "");
}
/* Samples as words of another format, for which the clear colour would be another one: the driver
 * writes it to the pixels that are nothing but cleared, by a shader that reads the control surface.
 */
static void
fetch_view(void)
{
   GLuint texture[2], frame;
   GLint picture;
   glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &picture);
   glGenTextures(2, texture);
   glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, texture[0]);
   glTexStorage2DMultisample(GL_TEXTURE_2D_MULTISAMPLE, 4, GL_RGBA8, SIZE, SIZE, GL_TRUE);
   glGenFramebuffers(1, &frame);
   glBindFramebuffer(GL_FRAMEBUFFER, frame);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D_MULTISAMPLE,
                          texture[0], 0);
   glClearColor(1, 0, 1, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   star();
   glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)picture);
   glTextureView(texture[1], GL_TEXTURE_2D_MULTISAMPLE, texture[0], GL_R32UI, 0, 1, 0, 1);
   glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, texture[1]);
   use_program("void main() { gl_Position = gl_Vertex; }",
               "uniform usampler2DMS t; void main() { ivec2 at = ivec2(gl_FragCoord.xy);"
               " uint v = texelFetch(t, at, (at.x >> 3) + (at.y >> 3) & 3).x;"
               " gl_FragColor = vec4(uvec4(v, v >> 8, v >> 16, v >> 24) & 255u) / 255.0; }");
   full_quad(0);
}
static void
two_targets(void)
{
   const GLenum both[2] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
   GLuint f = new_frame(4, GL_RGBA8, SIZE), second;
   glGenRenderbuffers(1, &second);
   glBindRenderbuffer(GL_RENDERBUFFER, second);
   glRenderbufferStorageMultisample(GL_RENDERBUFFER, 4, GL_RGBA8, SIZE, SIZE);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_RENDERBUFFER, second);
   glDrawBuffers(2, both);
   clear_all();
   use_program(place_vs,
               "in vec4 c; void main() { gl_FragData[0] = c; gl_FragData[1] = vec4(1) - c; "
               "gl_SampleMask[0] = 7; }");
   star();
   glUseProgram(0);
   glBindFramebuffer(GL_READ_FRAMEBUFFER, f);
   glReadBuffer(GL_COLOR_ATTACHMENT1);
   glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)frame_of_picture);
   glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}
static void
count_samples(void) /* that pass: shown as a colour */
{
   GLuint query, count = 0;
   GLuint f = new_frame(4, GL_RGBA8, SIZE);
   clear_all();
   glGenQueries(1, &query);
   glBeginQuery(GL_SAMPLES_PASSED, query);
   star();
   glEndQuery(GL_SAMPLES_PASSED);
   glGetQueryObjectuiv(query, GL_QUERY_RESULT, &count);
   (void)f;
   glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)frame_of_picture);
   glColor3f((float)(count & 255) / 255, (float)(count >> 8 & 255) / 255, 1);
   full_quad(0);
}

#define PICTURE(name, unit, edge, rows)                                                            \
   {                                                                                               \
#name, name, unit, edge, rows                                                                \
   }

/* One of four samples: how alpha becomes coverage is the implementation's. Pixels beyond the limit
 * have a sample on an edge, as near as sixteenths of what the vertices are rounded to. */
const struct picture sample_pictures[] = {
    PICTURE(star_4x, 1, 4, "P3D-372 P3D-360"),
    PICTURE(star_8x, 1, 4, "P3D-372 P3D-260"),
    PICTURE(depth_4x, 1, 4, NULL),
    PICTURE(depth_8x, 1, 4, NULL),
    PICTURE(stencil_4x, 1, 4, NULL),
    PICTURE(stencil_8x, 1, 4, NULL),
    PICTURE(blend_4x, 1, 4, "P3D-354"),
    PICTURE(blend_8x, 1, 4, "P3D-354"),
    PICTURE(thin_4x, 1, 4, NULL),
    PICTURE(thin_8x, 1, 4, NULL),
    PICTURE(squares_4x, 1, 4, NULL),
    PICTURE(squares_8x, 1, 4, NULL),
    PICTURE(clears_4x, 1, 4, "P3D-361 P3D-364"),
    PICTURE(clears_8x, 1, 4, "P3D-361 P3D-364"),
    PICTURE(clear_and_draw_4x, 1, 4, NULL),
    PICTURE(clear_and_draw_8x, 1, 4, NULL),
    PICTURE(sample_mask_4x, 1, 4, "P3D-266"),
    PICTURE(sample_coverage_4x, 1, 4, NULL),
    PICTURE(omask_4x, 1, 4, "P3D-355"),
    PICTURE(mask_in_4x, 1, 4, "P3D-279"),
    PICTURE(sample_id_4x, 1, 4, "P3D-280 P3D-371"),
    PICTURE(sample_position_4x, 1, 4, "P3D-278 P3D-371"),
    PICTURE(sample_shading_4x, 1, 4, "P3D-371"),
    PICTURE(sample_varying_4x, 1, 4, "P3D-275 P3D-371"),
    PICTURE(sample_discard_4x, 1, 4, NULL),
    PICTURE(sample_depth_4x, 1, 4, NULL),
    PICTURE(centroid_4x, 1, 4, "P3D-272"),
    PICTURE(to_coverage_4x, 64, 0, NULL),
    PICTURE(to_one_4x, 1, 4, "P3D-353"),
    PICTURE(not_multisampled_4x, 1, 12, "P3D-265"),
    PICTURE(segments_4x, 1, 24, "P3D-232 P3D-262"),
    PICTURE(at_offset_4x, 1, 4, "P3D-330"),
    PICTURE(at_sample_4x, 1, 4, "P3D-330"),
    PICTURE(at_centroid_4x, 1, 4, "P3D-330"),
    PICTURE(at_offset_perspective, 1, 4, "P3D-330 P3D-332"),
    PICTURE(resolve_depth, 1, 4, "P3D-369"),
    PICTURE(resolve_stencil, 1, 4, "P3D-369"),
    PICTURE(resolve_part, 1, 4, "P3D-369"),
    PICTURE(copy_samples, 1, 20, "P3D-362 P3D-280"),
    PICTURE(resolve_float, 1, 4, "P3D-369"),
    PICTURE(fetch_samples, 1, 4, "P3D-361"),
    PICTURE(fetch_integers, 1, 4, NULL),
    PICTURE(fetch_layers, 1, 4, "P3D-360"),
    PICTURE(fetch_float, 1, 4, NULL),
    PICTURE(fetch_view, 1, 4, "P3D-370"),
    PICTURE(two_targets, 1, 4, NULL),
    PICTURE(count_samples, 1, 4, "P3D-292"),
    {0},
};
