/* usage: gl_backend [--dump DIR] [NAME...]
 *
 * Draws small pictures with blending, depth, stencil and all kinds of targets. Every picture is
 * written to a file: a line with its size and tolerance, then its values as floats. The same
 * program on another driver draws the same pictures. */
#include "gl_backend.h"

#include "../options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct gl gl;

static void
fail(const char *what)
{
   fprintf(stderr, "%s: EGL error 0x%x\n", what, (unsigned)eglGetError());
   exit(1);
}

static void
open_context(void)
{
   static const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION, 4, EGL_CONTEXT_MINOR_VERSION, 2,
                                       EGL_NONE};
   EGLDisplay display =
       eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
   if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL))
      fail("eglInitialize");
   eglBindAPI(EGL_OPENGL_API);
   EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
   if (context == EGL_NO_CONTEXT ||
       !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
      fail("eglCreateContext");
#define X(name)                                                                                    \
   gl.name = (__typeof__(gl.name))eglGetProcAddress("gl" #name);                                   \
   if (!gl.name)                                                                                   \
      fail("gl" #name);
   GL_FUNCTIONS(X)
#undef X
}

/* ---- shaders and shapes ------------------------------------------------------------------------
 */

static GLuint
compile(GLenum stage, const char *outputs, const char *body)
{
   const char *text[] = {"#version 420\n", outputs, body};
   GLuint s = gl.CreateShader(stage);
   GLint ok = 0;
   gl.ShaderSource(s, 3, text, NULL);
   gl.CompileShader(s);
   gl.GetShaderiv(s, GL_COMPILE_STATUS, &ok);
   if (!ok) {
      char log[2000] = "";
      gl.GetShaderInfoLog(s, sizeof(log), NULL, log);
      fprintf(stderr, "%s%s%s\n", outputs, body, log);
      exit(1);
   }
   return s;
}

void
use_shader(const char *outputs, const char *body)
{
   static GLuint last;
   char text[1500];
   GLint ok = 0;
   GLuint p = gl.CreateProgram();
   snprintf(text, sizeof(text), "in vec4 c;\nvoid main() { %s }\n", body);
   gl.AttachShader(p, compile(GL_VERTEX_SHADER, "",
                              "layout(location = 0) in vec4 p; layout(location = 1) in vec4 q;\n"
                              "out vec4 c; void main() { gl_Position = p; c = q; }\n"));
   gl.AttachShader(p, compile(GL_FRAGMENT_SHADER, outputs, text));
   gl.LinkProgram(p);
   gl.GetProgramiv(p, GL_LINK_STATUS, &ok);
   if (!ok)
      fail("glLinkProgram");
   gl.UseProgram(p);
   if (last)
      gl.DeleteProgram(last);
   last = p;
}

static void
draw_shape(const struct quad *q, bool back)
{
   static const unsigned order[2][6] = {{0, 1, 2, 2, 1, 3}, {0, 2, 1, 1, 2, 3}};
   float v[6][8];
   for (unsigned i = 0; i < 6; i++) {
      unsigned corner = order[back][i], right = corner & 1;
      v[i][0] = (right ? q->x1 : q->x0) / (SIDE / 2) - 1;
      v[i][1] = (corner & 2 ? q->y1 : q->y0) / (SIDE / 2) - 1;
      v[i][2] = q->z[right] * 2 - 1;
      v[i][3] = 1;
      memcpy(&v[i][4], q->color[right], 16);
   }
   gl.BufferData(GL_ARRAY_BUFFER, sizeof(v), v, GL_STREAM_DRAW);
   gl.DrawArrays(GL_TRIANGLES, 0, 6);
}

void
draw_quad(const struct quad *q)
{
   draw_shape(q, false);
}

void
draw_back_quad(const struct quad *q)
{
   draw_shape(q, true);
}

void
background(void)
{
   static const struct quad q = {
       0, 0, SIDE, SIDE, {0.5f, 0.5f}, {{0.1f, 0.8f, 0.3f, 0.2f}, {0.9f, 0.2f, 0.6f, 0.9f}}};
   draw_quad(&q);
}

void
foreground(void)
{
   static const struct quad q = {
       5, 9, 59, 50, {0.2f, 0.8f}, {{0.7f, 0.1f, 0.5f, 0.3f}, {0.2f, 0.9f, 0.4f, 0.8f}}};
   draw_quad(&q);
}

/* ---- pictures ----------------------------------------------------------------------------------
 */

static GLuint framebuffer;

GLuint
picture_framebuffer(void)
{
   return framebuffer;
}

static GLuint
texture(GLenum format)
{
   GLuint t;
   gl.GenTextures(1, &t);
   gl.BindTexture(GL_TEXTURE_2D, t);
   gl.TexStorage2D(GL_TEXTURE_2D, 1, format, SIDE, SIDE);
   return t;
}

static bool
has_stencil(GLenum format)
{
   return format == GL_DEPTH24_STENCIL8 || format == GL_DEPTH32F_STENCIL8;
}

static void
reset_state(void)
{
   static const GLenum off[] = {
       GL_BLEND,  GL_DEPTH_TEST,       GL_STENCIL_TEST, GL_COLOR_LOGIC_OP,     GL_SCISSOR_TEST,
       GL_DITHER, GL_FRAMEBUFFER_SRGB, GL_DEPTH_CLAMP,  GL_POLYGON_OFFSET_FILL};
   for (unsigned i = 0; i < sizeof(off) / sizeof(off[0]); i++)
      gl.Disable(off[i]);
   gl.ColorMask(1, 1, 1, 1);
   gl.DepthMask(1);
   gl.StencilMask(~0u);
   gl.DepthFunc(GL_LESS);
   gl.DepthRange(0, 1);
   gl.StencilFunc(GL_ALWAYS, 0, ~0u);
   gl.StencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
   gl.BlendFunc(GL_ONE, GL_ZERO);
   gl.BlendEquation(GL_FUNC_ADD);
   gl.BlendColor(0.25f, 0.5f, 0.75f, 0.4f);
   gl.Viewport(0, 0, SIDE, SIDE);
   use_shader("layout(location = 0) out vec4 o;", "o = c;");
}

static unsigned
read_picture(const struct picture *p, float *out)
{
   static union {
      float f[SIDE * SIDE * 8];
      int32_t i[SIDE * SIDE * 8];
      uint32_t u[SIDE * SIDE * 8];
      uint8_t b[SIDE * SIDE * 8];
   } raw;
   unsigned count = SIDE * SIDE * 4;
   gl.PixelStorei(GL_PACK_ALIGNMENT, 1);
   switch (p->reading) {
   case READ_RGBA8:
      gl.ReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, raw.b);
      break;
   case READ_FLOAT:
      gl.ReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_FLOAT, raw.f);
      break;
   case READ_INT:
      gl.ReadPixels(0, 0, SIDE, SIDE, GL_RGBA_INTEGER, GL_INT, raw.i);
      break;
   case READ_UINT:
      gl.ReadPixels(0, 0, SIDE, SIDE, GL_RGBA_INTEGER, GL_UNSIGNED_INT, raw.u);
      break;
   case READ_DEPTH:
      gl.ReadPixels(0, 0, SIDE, SIDE, GL_DEPTH_COMPONENT, GL_FLOAT, raw.f);
      count = SIDE * SIDE;
      break;
   case READ_STENCIL:
      gl.ReadPixels(0, 0, SIDE, SIDE, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, raw.b);
      count = SIDE * SIDE;
   }
   for (unsigned i = 0; i < count; i++)
      out[i] = p->reading == READ_RGBA8 || p->reading == READ_STENCIL ? (float)raw.b[i]
               : p->reading == READ_INT                               ? (float)raw.i[i]
               : p->reading == READ_UINT                              ? (float)raw.u[i]
                                                                      : raw.f[i];
   return count;
}

static bool
draw_picture(const struct picture *p, const char *directory)
{
   static float values[SIDE * SIDE * 4];
   unsigned targets = p->targets ? p->targets : 1;
   GLuint colors[8], depth = 0;
   GLenum buffers[8];
   gl.GenFramebuffers(1, &framebuffer);
   gl.BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   for (unsigned i = 0; i < targets; i++) {
      colors[i] = texture(p->format ? p->format : GL_RGBA8);
      buffers[i] = GL_COLOR_ATTACHMENT0 + i;
      gl.FramebufferTexture2D(GL_FRAMEBUFFER, buffers[i], GL_TEXTURE_2D, colors[i], 0);
   }
   if (p->depth) {
      depth = texture(p->depth);
      gl.FramebufferTexture2D(
          GL_FRAMEBUFFER, has_stencil(p->depth) ? GL_DEPTH_STENCIL_ATTACHMENT : GL_DEPTH_ATTACHMENT,
          GL_TEXTURE_2D, depth, 0);
   }
   gl.DrawBuffers((GLsizei)targets, buffers);
   bool good = gl.CheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
   reset_state();
   if (good) {
      gl.ClearColor(0, 0, 0, 0);
      gl.ClearDepth(1);
      gl.ClearStencil(3);
      bool integers = p->reading == READ_INT || p->reading == READ_UINT;
      gl.Clear((integers ? 0u : GL_COLOR_BUFFER_BIT) | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
      p->draw(p->data);
      unsigned count = read_picture(p, values);
      good = gl.GetError() == GL_NO_ERROR;
      char path[600];
      snprintf(path, sizeof(path), "%s/%s.bin", directory ? directory : ".", p->name);
      FILE *file = directory ? fopen(path, "wb") : NULL;
      if (file) {
         fprintf(file, "%u %.9g\n", count, (double)p->tolerance);
         fwrite(values, sizeof(float), count, file);
         fclose(file);
      }
   }
   gl.BindFramebuffer(GL_FRAMEBUFFER, 0);
   gl.DeleteFramebuffers(1, &framebuffer);
   gl.DeleteTextures((GLsizei)targets, colors);
   gl.DeleteTextures(1, &depth);
   return good;
}

int
main(int argc, char **argv)
{
   struct options o = options_read(argc, argv);
   static const struct {
      const struct picture *p;
      const unsigned *count;
   } lists[] = {{blend_pictures, &blend_picture_count},
                {depth_pictures, &depth_picture_count},
                {target_pictures, &target_picture_count}};
   open_context();
   GLuint array, buffer;
   gl.GenVertexArrays(1, &array);
   gl.BindVertexArray(array);
   gl.GenBuffers(1, &buffer);
   gl.BindBuffer(GL_ARRAY_BUFFER, buffer);
   for (unsigned i = 0; i < 2; i++) {
      gl.VertexAttribPointer(i, 4, GL_FLOAT, GL_FALSE, 32, (const void *)(uintptr_t)(16 * i));
      gl.EnableVertexAttribArray(i);
   }
   printf("# device: %s\n", (const char *)gl.GetString(GL_RENDERER));
   unsigned n = 0, bad = 0;
   for (unsigned l = 0; l < 3; l++)
      for (unsigned i = 0; i < *lists[l].count; i++) {
         if (!options_name(&o, lists[l].p[i].name))
            continue;
         bool good = draw_picture(&lists[l].p[i], o.dump);
         bad += !good;
         printf("%sok %u - %s\n", good ? "" : "not ", ++n, lists[l].p[i].name);
      }
   printf("1..%u\n", n);
   return bad || !n;
}
