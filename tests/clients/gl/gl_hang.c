/* A triangle whose vertex, geometry or fragment shader never ends: gl_hang vertex|geometry|fragment
 */
#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE 64
/* No compiler knows that it is endless. */
#define ENDLESS                                                                                    \
   "uniform int least;\n"                                                                          \
   "float endless() { int n = 0; while (n >= least) n = (n + 1) & 1023; return float(n); }\n"
#define QUICK "float endless() { return 0.0; }\n"

static void
fail(const char *what)
{
   fprintf(stderr, "gl_hang: %s\n", what);
   exit(1);
}

static void
open_context(void)
{
   static const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                       3,
                                       EGL_CONTEXT_MINOR_VERSION,
                                       3,
                                       EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                       EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                       EGL_NONE};
   EGLDisplay d = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
   if (!d || !eglInitialize(d, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API))
      fail("no OpenGL by EGL");
   EGLContext c = eglCreateContext(d, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
   if (!c || !eglMakeCurrent(d, EGL_NO_SURFACE, EGL_NO_SURFACE, c))
      fail("no context of OpenGL 3.3");
}

static void
add_shader(GLuint program, GLenum kind, int endless, const char *text)
{
   const char *parts[] = {"#version 330\n", endless ? ENDLESS : QUICK, text};
   GLuint s = glCreateShader(kind);
   glShaderSource(s, 3, parts, NULL);
   glCompileShader(s);
   glAttachShader(program, s);
}

static void
use_program(const char *stage)
{
   GLint ok;
   GLuint p = glCreateProgram();
   add_shader(p, GL_VERTEX_SHADER, !strcmp(stage, "vertex"),
              "void main() {\n"
              "   gl_Position = vec4(gl_VertexID & 1, gl_VertexID >> 1, endless(), 1.0);\n"
              "}\n");
   if (!strcmp(stage, "geometry"))
      add_shader(p, GL_GEOMETRY_SHADER, 1,
                 "layout(triangles) in;\n"
                 "layout(triangle_strip, max_vertices = 3) out;\n"
                 "void main() {\n"
                 "   for (int i = 0; i < 3; i++) {\n"
                 "      gl_Position = gl_in[i].gl_Position + vec4(endless());\n"
                 "      EmitVertex();\n"
                 "   }\n"
                 "}\n");
   add_shader(p, GL_FRAGMENT_SHADER, !strcmp(stage, "fragment"),
              "out vec4 pixel;\n"
              "void main() { pixel = vec4(endless()); }\n");
   glLinkProgram(p);
   glGetProgramiv(p, GL_LINK_STATUS, &ok);
   if (!ok)
      fail("the program does not link");
   glUseProgram(p);
}

int
main(int argc, char **argv)
{
   GLuint array, image, frame;
   if (argc != 2)
      fail("which stage?");
   open_context();
   use_program(argv[1]);
   glGenVertexArrays(1, &array);
   glBindVertexArray(array);
   glGenTextures(1, &image);
   glBindTexture(GL_TEXTURE_2D, image);
   glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, SIZE, SIZE);
   glGenFramebuffers(1, &frame);
   glBindFramebuffer(GL_FRAMEBUFFER, frame);
   glFramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, image, 0);
   glViewport(0, 0, SIZE, SIZE);
   glDrawArrays(GL_TRIANGLES, 0, 3);
   glFinish();
   puts("the end");
   return 0;
}
