/* A textured, lit cube and a torus with depth, drawn by whatever OpenGL driver EGL finds (no
 * window) into a PNG file: pergola run -- scene picture.png */
#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>

#define WIDTH 640
#define HEIGHT 480
#define RINGS 48
#define SIDES 24

static const char vertex_text[] = "#version 330\n"
                                  "layout(location = 0) in vec3 position;\n"
                                  "layout(location = 1) in vec3 normal;\n"
                                  "layout(location = 2) in vec2 texture;\n"
                                  "uniform mat4 model, view;\n"
                                  "out vec3 n;\n"
                                  "out vec2 t;\n"
                                  "void main() {\n"
                                  "   n = mat3(model) * normal;\n"
                                  "   t = texture;\n"
                                  "   gl_Position = view * model * vec4(position, 1.0);\n"
                                  "}\n";
static const char fragment_text[] =
    "#version 330\n"
    "in vec3 n;\n"
    "in vec2 t;\n"
    "uniform sampler2D checker;\n"
    "uniform vec3 tint;\n"
    "out vec4 colour;\n"
    "void main() {\n"
    "   vec3 normal = normalize(n), light = normalize(vec3(0.5, 0.8, 0.6));\n"
    "   float shine = pow(max(reflect(-light, normal).z, 0.0), 24.0);\n"
    "   float diffuse = max(dot(normal, light), 0.0);\n"
    "   colour = vec4(texture(checker, t).rgb * tint * (0.25 + 0.75 * diffuse) + 0.5 * shine, "
    "1.0);\n"
    "}\n";

struct vertex {
   float position[3], normal[3], texture[2];
};

static void
fail(const char *what)
{
   fprintf(stderr, "scene: %s\n", what);
   exit(1);
}

static void
open_context(void)
{
   EGLDisplay d = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
   static const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                       3,
                                       EGL_CONTEXT_MINOR_VERSION,
                                       3,
                                       EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                       EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                       EGL_NONE};
   if (!d || !eglInitialize(d, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API))
      fail("no OpenGL by EGL");
   EGLContext c = eglCreateContext(d, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
   if (!c || !eglMakeCurrent(d, EGL_NO_SURFACE, EGL_NO_SURFACE, c))
      fail("no context of OpenGL 3.3");
}

static GLuint
compile(GLenum kind, const char *text)
{
   GLint ok;
   GLuint s = glCreateShader(kind);
   glShaderSource(s, 1, &text, NULL);
   glCompileShader(s);
   glGetShaderiv(s, GL_COMPILE_STATUS, &ok);
   if (!ok)
      fail("a shader does not compile");
   return s;
}

static GLuint
link_program(void)
{
   GLint ok;
   GLuint p = glCreateProgram();
   glAttachShader(p, compile(GL_VERTEX_SHADER, vertex_text));
   glAttachShader(p, compile(GL_FRAGMENT_SHADER, fragment_text));
   glLinkProgram(p);
   glGetProgramiv(p, GL_LINK_STATUS, &ok);
   if (!ok)
      fail("the program does not link");
   glUseProgram(p);
   return p;
}

static void
make_target(void)
{
   GLuint f, c, z;
   glGenFramebuffers(1, &f);
   glBindFramebuffer(GL_FRAMEBUFFER, f);
   glGenRenderbuffers(1, &c);
   glBindRenderbuffer(GL_RENDERBUFFER, c);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, WIDTH, HEIGHT);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, c);
   glGenRenderbuffers(1, &z);
   glBindRenderbuffer(GL_RENDERBUFFER, z);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT24, WIDTH, HEIGHT);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, z);
   if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
      fail("the framebuffer is not complete");
}

static void
make_texture(void)
{
   static uint8_t pixel[64][64][4];
   GLuint t;
   for (unsigned y = 0; y < 64; y++)
      for (unsigned x = 0; x < 64; x++)
         for (unsigned c = 0; c < 4; c++)
            pixel[y][x][c] = (x / 8 + y / 8) & 1 ? 255 : 90;
   glGenTextures(1, &t);
   glBindTexture(GL_TEXTURE_2D, t);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 64, 64, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
   glGenerateMipmap(GL_TEXTURE_2D);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
}

/* Column-major: turned about y, then x, then moved. */
static void
set_model(GLuint program, float about_y, float about_x, float x, float y)
{
   float cy = cosf(about_y), sy = sinf(about_y), cx = cosf(about_x), sx = sinf(about_x);
   const float m[16] = {cy, sx * sy,  -cx * sy, 0, 0, cx, sx, 0,
                        sy, -sx * cy, cx * cy,  0, x, y,  -6, 1};
   glUniformMatrix4fv(glGetUniformLocation(program, "model"), 1, GL_FALSE, m);
}

static void
set_view(GLuint program)
{
   float f = 1.8f, near = 1, far = 20;
   const float m[16] = {f * HEIGHT / WIDTH,
                        0,
                        0,
                        0,
                        0,
                        f,
                        0,
                        0,
                        0,
                        0,
                        (far + near) / (near - far),
                        -1,
                        0,
                        0,
                        2 * far * near / (near - far),
                        0};
   glUniformMatrix4fv(glGetUniformLocation(program, "view"), 1, GL_FALSE, m);
}

static void
upload(const struct vertex *v, unsigned vertices, const uint16_t *index, unsigned indices)
{
   GLuint array, buffer[2];
   glGenVertexArrays(1, &array);
   glBindVertexArray(array);
   glGenBuffers(2, buffer);
   glBindBuffer(GL_ARRAY_BUFFER, buffer[0]);
   glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(vertices * sizeof(*v)), v, GL_STATIC_DRAW);
   glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer[1]);
   glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)(indices * sizeof(*index)), index,
                GL_STATIC_DRAW);
   static const GLint size[3] = {3, 3, 2};
   static const size_t offset[3] = {offsetof(struct vertex, position),
                                    offsetof(struct vertex, normal),
                                    offsetof(struct vertex, texture)};
   for (GLuint i = 0; i < 3; i++) {
      glEnableVertexAttribArray(i);
      glVertexAttribPointer(i, size[i], GL_FLOAT, GL_FALSE, sizeof(*v), (const void *)offset[i]);
   }
}

static void
draw_cube(void)
{
   static struct vertex v[24];
   static uint16_t index[36];
   for (unsigned face = 0; face < 6; face++)
      for (unsigned k = 0; k < 4; k++) {
         unsigned axis = face / 2, u = (axis + 1) % 3, w = (axis + 2) % 3;
         float side = face & 1 ? 1 : -1;
         struct vertex *p = &v[4 * face + k];
         p->position[axis] = p->normal[axis] = side;
         p->position[u] = k & 1 ? side : -side;
         p->position[w] = k & 2 ? 1 : -1;
         p->texture[0] = k & 1 ? 1 : 0;
         p->texture[1] = k & 2 ? 1 : 0;
      }
   static const uint8_t corners[6] = {0, 1, 2, 2, 1, 3};
   for (unsigned i = 0; i < 36; i++)
      index[i] = (uint16_t)(4 * (i / 6) + corners[i % 6]);
   upload(v, 24, index, 36);
   glDrawElements(GL_TRIANGLES, 36, GL_UNSIGNED_SHORT, NULL);
}

static void
draw_torus(void)
{
   static struct vertex v[(RINGS + 1) * (SIDES + 1)];
   static uint16_t index[6 * RINGS * SIDES];
   unsigned n = 0;
   for (unsigned i = 0; i <= RINGS; i++)
      for (unsigned k = 0; k <= SIDES; k++) {
         float a = 6.2831853f * (float)i / RINGS, b = 6.2831853f * (float)k / SIDES;
         float r = 1.1f + 0.45f * cosf(b);
         v[i * (SIDES + 1) + k] =
             (struct vertex){{r * cosf(a), r * sinf(a), 0.45f * sinf(b)},
                             {cosf(b) * cosf(a), cosf(b) * sinf(a), sinf(b)},
                             {8.0f * (float)i / RINGS, 2.0f * (float)k / SIDES}};
      }
   for (unsigned i = 0; i < RINGS; i++)
      for (unsigned k = 0; k < SIDES; k++) {
         uint16_t at = (uint16_t)(i * (SIDES + 1) + k), next = (uint16_t)(at + SIDES + 1);
         const uint16_t quad[6] = {
             at, next, (uint16_t)(at + 1), (uint16_t)(at + 1), next, (uint16_t)(next + 1)};
         for (unsigned c = 0; c < 6; c++)
            index[n++] = quad[c];
      }
   upload(v, (RINGS + 1) * (SIDES + 1), index, n);
   glDrawElements(GL_TRIANGLES, (GLsizei)n, GL_UNSIGNED_SHORT, NULL);
}

static void
save(const char *path)
{
   static uint8_t pixel[HEIGHT][WIDTH][4];
   glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
   if (glGetError())
      fail("OpenGL reports an error");
   png_image image = {
       .version = PNG_IMAGE_VERSION, .width = WIDTH, .height = HEIGHT, .format = PNG_FORMAT_RGBA};
   if (!png_image_write_to_file(&image, path, 0, pixel, -WIDTH * 4, NULL))
      fail(image.message);
}

int
main(int argc, char **argv)
{
   if (argc != 2) {
      fprintf(stderr, "usage: scene PICTURE.png\n");
      return 2;
   }
   open_context();
   GLuint program = link_program();
   make_target();
   make_texture();
   glViewport(0, 0, WIDTH, HEIGHT);
   glClearColor(0.08f, 0.09f, 0.13f, 1);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   glEnable(GL_DEPTH_TEST);
   glEnable(GL_CULL_FACE);
   set_view(program);
   GLint tint = glGetUniformLocation(program, "tint");
   glUniform3f(tint, 0.95f, 0.75f, 0.4f);
   set_model(program, 0.7f, 0.5f, -1.3f, -0.2f);
   draw_cube();
   glUniform3f(tint, 0.45f, 0.7f, 1.0f);
   set_model(program, 0.5f, -0.6f, 1.1f, 0.3f);
   draw_torus();
   save(argv[1]);
   printf("%s: %s\n", argv[1], glGetString(GL_RENDERER));
   return 0;
}
