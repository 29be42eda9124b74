/* What drawing costs: pixels, triangles or vertices per second of processor time, a line each.
 *
 * usage: gl_bench [NAME] */
#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gl_bench.h"

#define GRID 448 /* squares of the mesh, both ways */

void
fail(const char *what)
{
   fprintf(stderr, "gl_bench: %s\n", what);
   exit(1);
}

static void
open_context(void)
{
   const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION, 4, EGL_CONTEXT_MINOR_VERSION, 0,
                                EGL_NONE};
   EGLDisplay d = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
   if (d == EGL_NO_DISPLAY || !eglInitialize(d, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API))
      fail("no EGL");
   EGLContext c = eglCreateContext(d, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
   if (c == EGL_NO_CONTEXT || !eglMakeCurrent(d, EGL_NO_SURFACE, EGL_NO_SURFACE, c))
      fail("no OpenGL 4.0 context");
}

void
add_shader(GLuint p, GLenum stage, const char *body)
{
   const char *source[] = {"#version 400\n", body};
   GLuint s = glCreateShader(stage);
   glShaderSource(s, 2, source, NULL);
   glCompileShader(s);
   glAttachShader(p, s);
}

void
link_program(GLuint p)
{
   GLint ok = 0;
   glLinkProgram(p);
   glGetProgramiv(p, GL_LINK_STATUS, &ok);
   if (!ok)
      fail("a program does not link");
}

GLuint
program(const char *vs, const char *fs)
{
   GLuint p = glCreateProgram();
   add_shader(p, GL_VERTEX_SHADER, vs);
   add_shader(p, GL_FRAGMENT_SHADER, fs);
   link_program(p);
   return p;
}

static void
make_target(void)
{
   GLuint color, depth, frame;
   glGenRenderbuffers(1, &color);
   glBindRenderbuffer(GL_RENDERBUFFER, color);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, SIZE, SIZE);
   glGenRenderbuffers(1, &depth);
   glBindRenderbuffer(GL_RENDERBUFFER, depth);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH24_STENCIL8, SIZE, SIZE);
   glGenFramebuffers(1, &frame);
   glBindFramebuffer(GL_FRAMEBUFFER, frame);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER, depth);
   glViewport(0, 0, SIZE, SIZE);
}

static double
processor_time(void)
{
   struct timespec t;
   clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
   return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const char *only; /* the measurement that is wanted, or NULL */

void
measure(const char *name, void (*draw)(void), double work)
{
   unsigned times = 0;
   if (only && strcmp(only, name))
      return;
   draw();
   glFinish();
   double start = processor_time(), used;
   do {
      for (unsigned i = 0; i < 4; i++, times++)
         draw();
      glFinish();
      used = processor_time() - start;
   } while (used < 0.7);
   printf("%s %.3f\n", name, work * times / used * 1e-6);
   fflush(stdout);
}

void
fill(void)
{
   glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

static void
clear(void)
{
   static unsigned n;
   glClearColor(0.1f + 0.01f * (float)(n++ & 63), 0.4f, 0.6f,
                1); /* nothing that is there already */
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}

static void
mesh(void)
{
   glDrawElements(GL_TRIANGLES, GRID * GRID * 6, GL_UNSIGNED_INT, NULL);
}

const char quad_vs[] =
    "out vec2 t; void main() { vec2 p = vec2(gl_VertexID & 1, gl_VertexID >> 1); t = p * 4.0;"
    " gl_Position = vec4(p * 2.0 - 1.0, 0, 1); }";

static void
measure_fills(void)
{
   const double pixels = (double)SIZE * SIZE;
   glUseProgram(program(quad_vs, "out vec4 o; void main() { o = vec4(0.2, 0.4, 0.6, 1); }"));
   measure("flat_mpixels", fill, pixels);
   glUseProgram(
       program(quad_vs, "in vec2 t; out vec4 o; void main() { o = vec4(t, t.x * t.y, 1); }"));
   measure("varying_mpixels", fill, pixels);
   glEnable(GL_DEPTH_TEST);
   glDepthFunc(GL_LEQUAL);
   measure("depth_mpixels", fill, pixels);
   glDisable(GL_DEPTH_TEST);
   glUseProgram(program(quad_vs, "in vec2 t; out vec4 o; void main() { o = vec4(t, 0.5, 0.3); }"));
   glEnable(GL_BLEND);
   glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
   measure("blended_mpixels", fill, pixels);
   glDisable(GL_BLEND);
   glUseProgram(program(
       quad_vs, "uniform sampler2D s; in vec2 t; out vec4 o; void main() { o = texture(s, t); }"));
   measure("textured_mpixels", fill, pixels);
   glUseProgram(program(
       quad_vs,
       "in vec2 t; out vec4 o; void main() { vec2 z = t; for (int i = 0; i < 64; i++)"
       " z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) * 0.5 + t * 0.1; o = vec4(z, 0, 1); }"));
   measure("heavy_mpixels", fill, pixels);
   measure("clear_mpixels", clear, pixels);
}

static void
make_texture(void)
{
   static unsigned char texel[256 * 256 * 4];
   GLuint name;
   for (unsigned i = 0; i < sizeof(texel); i++)
      texel[i] = (unsigned char)(i * 197 ^ i >> 7);
   glGenTextures(1, &name);
   glBindTexture(GL_TEXTURE_2D, name);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 256, 256, 0, GL_RGBA, GL_UNSIGNED_BYTE, texel);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
}

static void
make_mesh(void)
{
   float *v = malloc(sizeof(float) * 2 * (GRID + 1) * (GRID + 1));
   unsigned *index = malloc(sizeof(unsigned) * 6 * GRID * GRID), n = 0;
   GLuint b[2];
   if (!v || !index)
      fail("no memory");
   for (unsigned i = 0; i < (GRID + 1) * (GRID + 1); i++) {
      v[2 * i] = (float)(i % (GRID + 1)) / GRID * 2 - 1;
      v[2 * i + 1] = (float)(i / (GRID + 1)) / GRID * 2 - 1;
   }
   for (unsigned y = 0; y < GRID; y++)
      for (unsigned x = 0; x < GRID; x++) {
         unsigned a = y * (GRID + 1) + x;
         const unsigned two[6] = {a, a + 1, a + GRID + 1, a + GRID + 1, a + 1, a + GRID + 2};
         memcpy(index + n, two, sizeof(two));
         n += 6;
      }
   glGenBuffers(2, b);
   glBindBuffer(GL_ARRAY_BUFFER, b[0]);
   glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(sizeof(float) * 2 * (GRID + 1) * (GRID + 1)), v,
                GL_STATIC_DRAW);
   glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, b[1]);
   glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)(sizeof(unsigned) * n), index, GL_STATIC_DRAW);
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 8, NULL);
   glEnableVertexAttribArray(0);
   free(v);
   free(index);
}

static void
measure_triangles(void)
{
   static const char
       vs[] = "layout(location = 0) in vec2 p; out vec3 c; void main() { c = vec3(p, 0.5);"
              " gl_Position = vec4(p, 0, 1); }",
       heavy[] = "layout(location = 0) in vec2 p; out vec3 c; void main() { vec3 q = vec3(p, 0.3);"
                 " for (int i = 0; i < 24; i++) q = normalize(q * 1.1 + vec3(0.1, 0.2, 0.05) * "
                 "dot(q, p.xyx));"
                 " c = q; gl_Position = vec4(p, 0, 1); }",
       fs[] = "in vec3 c; out vec4 o; void main() { o = vec4(c, 1); }";
   const double triangles = 2.0 * GRID * GRID;
   make_mesh();
   glUseProgram(program(vs, fs));
   measure("small_mtriangles", mesh, triangles);
   glEnable(GL_CULL_FACE);
   glCullFace(GL_FRONT_AND_BACK);
   measure("discarded_mtriangles", mesh, triangles);
   glUseProgram(program(heavy, fs));
   measure("mesh_mtriangles", mesh, triangles);
   glDisable(GL_CULL_FACE);
}

int
main(int argc, char **argv)
{
   GLuint array;
   only = argc > 1 ? argv[1] : NULL;
   open_context();
   fprintf(stderr, "%s\n", (const char *)glGetString(GL_RENDERER));
   glGenVertexArrays(1, &array);
   glBindVertexArray(array);
   make_target();
   make_texture();
   measure_fills();
   measure_triangles();
   measure_stages();
   measure_samples();
   return glGetError() != 0;
}
