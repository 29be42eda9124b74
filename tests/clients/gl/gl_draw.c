/* Draws one picture per feature and writes them to files; tests/clients/pictures.py compares them
 * with another driver's.
 *
 * usage: gl_draw --dump DIR [NAME...] (those whose names begin so) */
#include "gl_draw.h"

#include "../options.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
fail(const char *what)
{
   fprintf(stderr, "gl_draw: %s\n", what);
   exit(1);
}

static void
open_context(void)
{
   const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                4,
                                EGL_CONTEXT_MINOR_VERSION,
                                2,
                                EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                EGL_CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT,
                                EGL_NONE};
   EGLDisplay d = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
   if (d == EGL_NO_DISPLAY || !eglInitialize(d, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API))
      fail("no EGL");
   EGLContext c = eglCreateContext(d, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
   if (c == EGL_NO_CONTEXT || !eglMakeCurrent(d, EGL_NO_SURFACE, EGL_NO_SURFACE, c))
      fail("no OpenGL 4.2 context");
}

static GLuint
compile(GLenum kind, const char *body)
{
   const char *source[] = {"#version 420 compatibility\n", body};
   GLuint s = glCreateShader(kind);
   GLint ok = 0;
   glShaderSource(s, 2, source, NULL);
   glCompileShader(s);
   glGetShaderiv(s, GL_COMPILE_STATUS, &ok);
   if (!ok) {
      char log[1024] = "";
      glGetShaderInfoLog(s, sizeof(log), NULL, log);
      fail(log);
   }
   return s;
}

GLuint
use_stages(const struct stages *s)
{
   const struct {
      GLenum kind;
      const char *body;
   } stage[] = {{GL_VERTEX_SHADER, s->vs},
                {GL_TESS_CONTROL_SHADER, s->tcs},
                {GL_TESS_EVALUATION_SHADER, s->tes},
                {GL_GEOMETRY_SHADER, s->gs},
                {GL_FRAGMENT_SHADER, s->fs}};
   GLuint p = glCreateProgram();
   GLint ok = 0;
   GLsizei outputs = 0;
   for (unsigned i = 0; i < sizeof(stage) / sizeof(stage[0]); i++)
      if (stage[i].body)
         glAttachShader(p, compile(stage[i].kind, stage[i].body));
   while (s->feedback[outputs])
      outputs++;
   if (outputs)
      glTransformFeedbackVaryings(p, outputs, s->feedback,
                                  s->feedback_mode ? s->feedback_mode : GL_INTERLEAVED_ATTRIBS);
   glLinkProgram(p);
   glGetProgramiv(p, GL_LINK_STATUS, &ok);
   if (!ok) {
      char log[1024] = "";
      glGetProgramInfoLog(p, sizeof(log), NULL, log);
      fprintf(stderr, "%s", log);
      fail("a program does not link");
   }
   glUseProgram(p);
   return p;
}

GLuint
use_program(const char *vs, const char *fs)
{
   return use_stages(&(struct stages){.vs = vs, .fs = fs});
}

void
color(unsigned i)
{
   static const float c[6][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {0, 1, 1}, {1, 0, 1}};
   glColor3fv(c[i % 6]);
}

void
ring(unsigned n, float radius)
{
   for (unsigned i = 0; i < n; i++) {
      float a = 6.2831853f * (float)i / (float)n + 0.3f;
      color(i);
      glVertex2f(radius * cosf(a), radius * sinf(a));
   }
}

void
perspective(float near, float far)
{
   glMatrixMode(GL_PROJECTION);
   glLoadIdentity();
   glFrustum(-0.7 * (double)near, 0.7 * (double)near, -0.7 * (double)near, 0.7 * (double)near,
             (double)near, (double)far);
   glMatrixMode(GL_MODELVIEW);
   glLoadIdentity();
}

void
full_quad(float z)
{
   glBegin(GL_TRIANGLE_STRIP);
   for (unsigned i = 0; i < 4; i++) {
      float x = i & 1 ? 1 : -1, y = i & 2 ? 1 : -1;
      glTexCoord2f(i & 1, i >> 1 & 1);
      glVertex3f(x, y, z);
   }
   glEnd();
}

GLuint
buffer(GLenum target, const void *data, size_t size)
{
   GLuint b;
   glGenBuffers(1, &b);
   glBindBuffer(target, b);
   glBufferData(target, (GLsizeiptr)size, data, GL_STATIC_DRAW);
   return b;
}

/* What no case may inherit from another: all state, by a context of its own. */
static void
draw_picture(const struct picture *p, const char *directory)
{
   static uint8_t pixel[SIZE * SIZE * 4];
   GLuint color_buffer, depth_buffer, frame, array;
   char path[512];
   open_context();
   glGenRenderbuffers(1, &color_buffer);
   glBindRenderbuffer(GL_RENDERBUFFER, color_buffer);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, SIZE, SIZE);
   glGenRenderbuffers(1, &depth_buffer);
   glBindRenderbuffer(GL_RENDERBUFFER, depth_buffer);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH24_STENCIL8, SIZE, SIZE);
   glGenFramebuffers(1, &frame);
   glBindFramebuffer(GL_FRAMEBUFFER, frame);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color_buffer);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER,
                             depth_buffer);
   if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
      fail("the frame buffer is not complete");
   glGenVertexArrays(1, &array);
   glViewport(0, 0, SIZE, SIZE);
   glClearColor(0.2f, 0.2f, 0.4f, 1);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
   p->draw();
   glBindFramebuffer(GL_FRAMEBUFFER, frame);
   glReadBuffer(GL_COLOR_ATTACHMENT0);
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
   if (glGetError())
      fail(p->name);
   snprintf(path, sizeof(path), "%s/%s.rgba", directory, p->name);
   FILE *f = fopen(path, "wb");
   if (!f || fwrite(pixel, 1, sizeof(pixel), f) != sizeof(pixel) || fclose(f))
      fail(path);
   printf("# picture %s unit %u edge %u %s\n", p->name, p->unit, p->edge, p->rows ? p->rows : "");
   EGLDisplay d = eglGetCurrentDisplay();
   EGLContext c = eglGetCurrentContext();
   eglMakeCurrent(d, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   eglDestroyContext(d, c);
}

int
main(int argc, char **argv)
{
   const struct picture *const lists[] = {
       primitive_pictures,    vertex_pictures, raster_pictures,   pixel_pictures,
       sample_pictures,       line_pictures,   geometry_pictures, feedback_pictures,
       tessellation_pictures, read_pictures};
   struct options o = options_read(argc, argv);
   if (!o.dump)
      fail("usage: gl_draw --dump DIR [NAME...]");
   open_context();
   printf("# device: %s\n", (const char *)glGetString(GL_RENDERER));
   for (unsigned l = 0; l < sizeof(lists) / sizeof(lists[0]); l++)
      for (const struct picture *p = lists[l]; p->name; p++)
         if (options_want(&o, p->name))
            draw_picture(p, o.dump);
   return 0;
}
