/* Pictures of vertex formats, ids and shaders of vertices. */
#include "gl_draw.h"

#include <math.h>
#include <string.h>

static const char colored_fs[] = "in vec4 c; void main() { gl_FragColor = c; }";

/* Eight corners of an octagon by gl_VertexID, the attribute as their colour. */
#define OCTAGON_VS                                                                                 \
   " float a = float(gl_VertexID) * 0.7854 + 0.2;"                                                 \
   " gl_Position = vec4(0.9 * cos(a), 0.9 * sin(a), 0, 1);"

static void
attribute(const char *type, GLint size, GLenum kind, bool normal, bool integer, const void *data,
          size_t bytes, const char *expression)
{
   char vs[1024] = "layout(location = 0) in ";
   strcat(vs, type);
   strcat(vs, " v; out vec4 c; void main() {" OCTAGON_VS " c = ");
   strcat(vs, expression);
   strcat(vs, "; }");
   use_program(vs, colored_fs);
   buffer(GL_ARRAY_BUFFER, data, bytes);
   if (kind == GL_DOUBLE && !normal)
      glVertexAttribPointer(0, size, kind, GL_FALSE, 0, NULL);
   else if (integer)
      glVertexAttribIPointer(0, size, kind, 0, NULL);
   else
      glVertexAttribPointer(0, size, kind, normal, 0, NULL);
   glEnableVertexAttribArray(0);
   glDrawArrays(GL_TRIANGLE_FAN, 0, 8);
}

static const uint8_t bytes[32] = {255, 0,   0,   255, 0,   255, 0,   255, 0,   0,  255,
                                  255, 99,  20,  7,   255, 200, 150, 100, 255, 33, 66,
                                  128, 255, 127, 129, 1,   255, 254, 253, 2,   255};
static const int16_t shorts[16] = {32767, -32768, 0, 1000,  -1000,  30000, 12345, -12345,
                                   1,     -1,     5, 20000, -20000, 300,   -300,  7777};

static void
ubyte_normal(void)
{
   attribute("vec4", 4, GL_UNSIGNED_BYTE, true, false, bytes, 32, "v");
}
static void
ubyte_three(void)
{
   attribute("vec3", 3, GL_UNSIGNED_BYTE, true, false, bytes, 32, "vec4(v, 1)");
}
static void
ubyte_scaled(void)
{
   attribute("vec4", 4, GL_UNSIGNED_BYTE, false, false, bytes, 32, "v / 256.0");
}
static void
byte_normal(void)
{
   attribute("vec4", 4, GL_BYTE, true, false, bytes, 32, "v * 0.5 + 0.5");
}
static void
ubyte_integer(void)
{
   attribute("uvec4", 4, GL_UNSIGNED_BYTE, false, true, bytes, 32, "vec4(v) / 255.0");
}
static void
byte_integer(void)
{
   attribute("ivec4", 4, GL_BYTE, false, true, bytes, 32, "vec4(v + 128) / 255.0");
}
static void
short_normal(void)
{
   attribute("vec2", 2, GL_SHORT, true, false, shorts, 32, "vec4(v * 0.5 + 0.5, 0.3, 1)");
}
static void
short_scaled(void)
{
   attribute("vec2", 2, GL_SHORT, false, false, shorts, 32, "vec4(v / 65536.0 + 0.5, 0.3, 1)");
}
static void
ushort_integer(void)
{
   attribute("uvec2", 2, GL_UNSIGNED_SHORT, false, true, shorts, 32,
             "vec4(vec2(v) / 65535.0, 0, 1)");
}
static void
half_float(void)
{
   static const uint16_t half[16] = {0x3c00, 0x0000, 0x3800, 0x3400, 0x2e66, 0x3666,
                                     0x3b33, 0x0001, 0x8000, 0x3c00, 0x3555, 0x3955,
                                     0x3a00, 0x2c00, 0x3000, 0x3900};
   attribute("vec2", 2, GL_HALF_FLOAT, false, false, half, 32, "vec4(v, 0.5, 1)");
}
static void
double_float(void)
{
   static const double d[16] = {1, 0, 0.5, 0.25, 0.1, 0.9, 0.3, 0.7,
                                1, 1, 0,   0,    0.6, 0.2, 0.8, 0.4};
   attribute("vec2", 2, GL_DOUBLE, false, false, d, sizeof(d), "vec4(v, 0.5, 1)");
}
static void
fixed_point(void)
{
   static const int32_t f[16] = {65536, 0,     32768, 16384, 6553,  58982, 19660, 45875,
                                 65536, 65536, 0,     0,     39321, 13107, 52428, 26214};
   attribute("vec2", 2, GL_FIXED, false, false, f, sizeof(f), "vec4(v, 0.5, 1)");
}
static void
packed_unorm(void)
{
   static const uint32_t p[8] = {0xffffffff, 0xc00003ff, 0xc00ffc00, 0xfff00000,
                                 0xdeadbeef, 0xc1234567, 0xcabcdef0, 0xc0f0f0f0};
   attribute("vec4", 4, GL_UNSIGNED_INT_2_10_10_10_REV, true, false, p, 32, "vec4(v.rgb, 1)");
}
static void
packed_snorm(void)
{
   static const uint32_t p[8] = {0xffffffff, 0xc00003ff, 0xc00ffc00, 0xfff00000,
                                 0xdeadbeef, 0xc1234567, 0xcabcdef0, 0xc0f0f0f0};
   attribute("vec4", 4, GL_INT_2_10_10_10_REV, true, false, p, 32, "vec4(v.rgb * 0.5 + 0.5, 1)");
}
static void
bgra(void)
{
   attribute("vec4", GL_BGRA, GL_UNSIGNED_BYTE, true, false, bytes, 32, "v");
}
static void
int_scaled(void)
{
   static const int32_t v[16] = {1000000, -5, 2000000000, -2000000000, 7, 123456789, -99,        50,
                                 1,       2,  3,          4,           5, 1 << 30,   -(1 << 30), 0};
   attribute("vec2", 2, GL_INT, false, false, v, sizeof(v), "vec4(v / 4.3e9 + 0.5, 0, 1)");
}

static void
missing_array(void) /* a constant attribute, and one that the format lacks parts of */
{
   static const float x[8] = {0, 0.2f, 0.4f, 0.6f, 0.8f, 1, 0.5f, 0.3f};
   use_program("layout(location = 0) in vec4 v; layout(location = 3) in vec4 k; out vec4 c;"
               "void main() {" OCTAGON_VS " c = vec4(v.x, v.y + k.y, k.z, v.w); }",
               colored_fs);
   buffer(GL_ARRAY_BUFFER, x, sizeof(x));
   glVertexAttribPointer(0, 1, GL_FLOAT, GL_FALSE, 0, NULL);
   glEnableVertexAttribArray(0);
   glVertexAttrib4f(3, 0.1f, 0.6f, 0.9f, 1);
   glDrawArrays(GL_TRIANGLE_FAN, 0, 8);
}

static void
many_attributes(void)
{
   static float v[8][64];
   char vs[2048] = "out vec4 c;";
   for (unsigned i = 0; i < 8 * 64; i++)
      v[i / 64][i % 64] = (float)(i * 37 % 101) / 101;
   strcat(vs, "layout(location = 0) in vec4 v[16]; void main() {" OCTAGON_VS
              " c = vec4(0); for (int i = 0; i < 16; i++) c += v[i] / 16.0; c.a = 1; }");
   use_program(vs, colored_fs);
   buffer(GL_ARRAY_BUFFER, v, sizeof(v));
   for (GLuint i = 0; i < 16; i++) {
      glVertexAttribPointer(i, 4, GL_FLOAT, GL_FALSE, 256, (void *)(uintptr_t)(16 * i));
      glEnableVertexAttribArray(i);
   }
   glDrawArrays(GL_TRIANGLE_FAN, 0, 8);
}

static void
many_varyings(void)
{
   use_program(
       "out vec4 v[15]; void main() {" OCTAGON_VS
       " for (int i = 0; i < 15; i++) v[i] = sin(a * float(i + 1) + vec4(0, 1, 2, 3)); }",
       "in vec4 v[15]; void main() { vec4 s = vec4(0); for (int i = 0; i < 15; i++) s += v[i];"
       " gl_FragColor = vec4(s.rgb / 15.0 + 0.5, 1); }");
   glDrawArrays(GL_TRIANGLE_FAN, 0, 8);
}

static void
uniforms(void)
{
   GLuint p = use_program("uniform mat4 m; uniform vec4 k[20]; out vec4 c; void main() {" OCTAGON_VS
                          " gl_Position = m * gl_Position; c = k[gl_VertexID * 2 + 3]; }",
                          "in vec4 c; uniform vec4 t; void main() { gl_FragColor = c * t; }");
   static const float m[16] = {0.5f, 0.3f, 0, 0, -0.2f, 0.8f, 0, 0, 0, 0, 1, 0, 0.1f, -0.1f, 0, 1};
   float k[80];
   for (unsigned i = 0; i < 80; i++)
      k[i] = (float)(i * 29 % 83) / 83;
   glUniformMatrix4fv(glGetUniformLocation(p, "m"), 1, GL_FALSE, m);
   glUniform4fv(glGetUniformLocation(p, "k"), 20, k);
   glUniform4f(glGetUniformLocation(p, "t"), 1, 0.8f, 0.9f, 1);
   glDrawArrays(GL_TRIANGLE_FAN, 0, 8);
}

static void
uniform_block(void)
{
   float k[32];
   GLuint p =
       use_program("layout(std140) uniform B { vec4 k[8]; }; out vec4 c; void main() {" OCTAGON_VS
                   " c = k[gl_VertexID]; }",
                   colored_fs);
   for (unsigned i = 0; i < 32; i++)
      k[i] = (float)(i * 31 % 83) / 83;
   glBindBufferBase(GL_UNIFORM_BUFFER, 2, buffer(GL_UNIFORM_BUFFER, k, sizeof(k)));
   glUniformBlockBinding(p, glGetUniformBlockIndex(p, "B"), 2);
   glDrawArrays(GL_TRIANGLE_FAN, 0, 8);
}

static void
vertex_texture(void)
{
   static const float t[32] = {1, 0, 0, 1, 0, 1, 0, 1, 0,    0,    1,    1, 1,    1,    0,    1,
                               0, 1, 1, 1, 1, 0, 1, 1, 0.5f, 0.5f, 0.5f, 1, 0.2f, 0.7f, 0.1f, 1};
   GLuint name;
   glGenTextures(1, &name);
   glBindTexture(GL_TEXTURE_1D, name);
   glTexImage1D(GL_TEXTURE_1D, 0, GL_RGBA32F, 8, 0, GL_RGBA, GL_FLOAT, t);
   glTexParameteri(GL_TEXTURE_1D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   use_program("uniform sampler1D s; out vec4 c; void main() {" OCTAGON_VS
               " c = texelFetch(s, gl_VertexID, 0); }",
               colored_fs);
   glDrawArrays(GL_TRIANGLE_FAN, 0, 8);
}

static void
branches(void) /* vertices of a pair go different ways */
{
   use_program("out vec4 c; void main() {" OCTAGON_VS
               " c = vec4(1); if ((gl_VertexID & 1) == 0) c.r = 0.2; else for (int i = 0; i < "
               "gl_VertexID; i++)"
               " c.gb *= vec2(0.8, 0.9); }",
               colored_fs);
   glDrawArrays(GL_TRIANGLE_FAN, 0, 8);
}

const struct picture vertex_pictures[] = {
    {"ubyte_normal", ubyte_normal, 1, 2},
    {"ubyte_three", ubyte_three, 1, 2},
    {"ubyte_scaled", ubyte_scaled, 1, 2},
    {"byte_normal", byte_normal, 1, 2},
    {"ubyte_integer", ubyte_integer, 1, 2},
    {"byte_integer", byte_integer, 1, 2},
    {"short_normal", short_normal, 1, 2},
    {"short_scaled", short_scaled, 1, 2},
    {"ushort_integer", ushort_integer, 1, 2},
    {"half_float", half_float, 1, 2},
    {"double_float", double_float, 1, 2},
    {"fixed_point", fixed_point, 1, 2},
    {"packed_unorm", packed_unorm, 1, 2},
    {"packed_snorm", packed_snorm, 1, 2},
    {"bgra", bgra, 1, 2},
    {"int_scaled", int_scaled, 1, 2},
    {"missing_array", missing_array, 1, 2},
    {"many_attributes", many_attributes, 1, 2},
    {"many_varyings", many_varyings, 1, 2},
    {"uniforms", uniforms, 1, 2, "P3D-080 P3D-081"},
    {"uniform_block", uniform_block, 1, 2},
    {"vertex_texture", vertex_texture, 1, 2, "P3D-098"},
    {"branches", branches, 1, 2},
    {0},
};
