/* One triangle of three colours, drawn by whatever OpenGL driver EGL finds (no window) into an
 * image of 64x64 pixels, of which a few are printed: pergola run -- triangle.
 * docs/life-of-a-triangle.md follows it through the model. */
#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SIZE 64

static const char vertex_text[] = "#version 330\n"
                                  "layout(location = 0) in vec2 position;\n"
                                  "layout(location = 1) in vec3 colour;\n"
                                  "out vec3 c;\n"
                                  "void main() {\n"
                                  "   gl_Position = vec4(position, 0.0, 1.0);\n"
                                  "   c = colour;\n"
                                  "}\n";
static const char fragment_text[] = "#version 330\n"
                                    "in vec3 c;\n"
                                    "out vec4 pixel;\n"
                                    "void main() { pixel = vec4(c, 1.0); }\n";

static const float vertices[3][5] = {
    {-0.8f, -0.8f, 1, 0, 0}, {0.8f, -0.8f, 0, 1, 0}, {0, 0.8f, 0, 0, 1}};

static void
fail(const char *what)
{
   fprintf(stderr, "triangle: %s\n", what);
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
add_shader(GLuint program, GLenum kind, const char *text)
{
   GLuint s = glCreateShader(kind);
   glShaderSource(s, 1, &text, NULL);
   glCompileShader(s);
   glAttachShader(program, s);
}

static void
use_program(void)
{
   GLint ok;
   GLuint p = glCreateProgram();
   add_shader(p, GL_VERTEX_SHADER, vertex_text);
   add_shader(p, GL_FRAGMENT_SHADER, fragment_text);
   glLinkProgram(p);
   glGetProgramiv(p, GL_LINK_STATUS, &ok);
   if (!ok)
      fail("the program does not link");
   glUseProgram(p);
}

static void
make_objects(void)
{
   GLuint buffer, array, image, frame;
   glGenVertexArrays(1, &array);
   glBindVertexArray(array);
   glGenBuffers(1, &buffer);
   glBindBuffer(GL_ARRAY_BUFFER, buffer);
   glBufferData(GL_ARRAY_BUFFER, sizeof(vertices), vertices, GL_STATIC_DRAW);
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 20, NULL);
   glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, 20, (const void *)8);
   glEnableVertexAttribArray(0);
   glEnableVertexAttribArray(1);
   glGenRenderbuffers(1, &image);
   glBindRenderbuffer(GL_RENDERBUFFER, image);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, SIZE, SIZE);
   glGenFramebuffers(1, &frame);
   glBindFramebuffer(GL_FRAMEBUFFER, frame);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, image);
   glViewport(0, 0, SIZE, SIZE);
}

int
main(void)
{
   uint8_t pixel[SIZE][SIZE][4];
   open_context();
   use_program();
   make_objects();
   glClear(GL_COLOR_BUFFER_BIT);
   glDrawArrays(GL_TRIANGLES, 0, 3);
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
   for (int y = SIZE - 8; y >= 0; y -= 8)
      for (int x = 4; x < SIZE; x += 8)
         printf("%02x%02x%02x%c", pixel[y][x][0], pixel[y][x][1], pixel[y][x][2],
                x + 8 < SIZE ? ' ' : '\n');
   return glGetError() ? 1 : 0;
}
