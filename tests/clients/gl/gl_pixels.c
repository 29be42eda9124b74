/* Pictures of pixel shaders, depth, stencil and colour. */
#include "gl_draw.h"

#include <math.h>
#include <stdlib.h>

static void
cross(float z0, float z1, unsigned c)
{
   glBegin(GL_TRIANGLES);
   for (unsigned i = 0; i < 3; i++) {
      color(c + i);
      glVertex3f(i == 0 ? -0.9f : i == 1 ? 0.9f : 0, i == 2 ? 0.9f : -0.8f, i == 1 ? z1 : z0);
   }
   glEnd();
}
static void
depth_functions(void)
{
   static const GLenum f[8] = {GL_NEVER,   GL_LESS,     GL_EQUAL,  GL_LEQUAL,
                               GL_GREATER, GL_NOTEQUAL, GL_GEQUAL, GL_ALWAYS};
   glEnable(GL_DEPTH_TEST);
   cross(-0.5f, 0.5f, 0);
   glEnable(GL_SCISSOR_TEST);
   for (unsigned i = 0; i < 8; i++) {
      glScissor(0, (GLint)(16 * i), 128, 15);
      glDepthFunc(f[i]);
      cross(0.4f, -0.4f, 3);
   }
}
static void
depth_read_only(void)
{
   glEnable(GL_DEPTH_TEST);
   cross(-0.5f, 0.5f, 0);
   glDepthMask(GL_FALSE);
   cross(0.3f, -0.6f, 2);
   glDepthMask(GL_TRUE);
   cross(0.1f, 0.1f, 4);
}
static void
depth_written(void)
{
   glEnable(GL_DEPTH_TEST);
   use_program(
       "void main() { gl_Position = gl_Vertex; gl_FrontColor = gl_Color; }",
       "void main() { gl_FragColor = gl_Color; gl_FragDepth = fract(gl_FragCoord.x / 40.0); }");
   cross(0, 0, 0);
   glUseProgram(0);
   cross(0.0f, 0.1f, 2);
}
static void
stencil_masks(void)
{
   glEnable(GL_STENCIL_TEST);
   glStencilFunc(GL_ALWAYS, 5, 0xff);
   glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
   cross(0, 0, 0);
   glStencilFunc(GL_EQUAL, 5, 0x7);
   glStencilOp(GL_INCR, GL_DECR, GL_INVERT);
   glRotatef(180, 0, 0, 1);
   cross(0, 0, 2);
   glStencilFunc(GL_NOTEQUAL, 5, 0xff);
   glRotatef(90, 0, 0, 1);
   cross(0, 0, 4);
}
static void
blend(GLenum source, GLenum destination)
{
   cross(0, 0, 0);
   glEnable(GL_BLEND);
   glBlendFunc(source, destination);
   glRotatef(180, 0, 0, 1);
   glBegin(GL_TRIANGLES);
   for (unsigned i = 0; i < 3; i++) {
      glColor4f(i == 0, i == 1, 0.7f, 0.25f + 0.3f * (float)i);
      glVertex2f(i == 0 ? -0.9f : i == 1 ? 0.9f : 0, i == 2 ? 0.9f : -0.8f);
   }
   glEnd();
}
static void
blend_alpha(void)
{
   blend(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
}
static void
blend_add(void)
{
   blend(GL_ONE, GL_ONE);
}
static void
blend_product(void)
{
   blend(GL_DST_COLOR, GL_ZERO);
}
static void
blend_max(void)
{
   glBlendEquation(GL_MAX);
   blend(GL_ONE, GL_ONE);
}
static void
blend_constant(void)
{
   glBlendColor(0.3f, 0.6f, 0.9f, 0.5f);
   blend(GL_CONSTANT_COLOR, GL_ONE_MINUS_CONSTANT_ALPHA);
}
static void
logic_op(void)
{
   cross(0, 0, 0);
   glEnable(GL_COLOR_LOGIC_OP);
   glLogicOp(GL_XOR);
   glRotatef(180, 0, 0, 1);
   glColor3f(0.6f, 0.3f, 0.8f);
   glRectf(-0.6f, -0.5f, 0.7f, 0.8f);
}
static void
color_mask(void)
{
   cross(0, 0, 0);
   glColorMask(GL_TRUE, GL_FALSE, GL_TRUE, GL_FALSE);
   glColor3f(1, 1, 1);
   glRectf(-0.6f, -0.5f, 0.7f, 0.8f);
}
static void
alpha_test(void)
{
   glEnable(GL_ALPHA_TEST);
   glAlphaFunc(GL_GREATER, 0.5f);
   glBegin(GL_TRIANGLES);
   for (unsigned i = 0; i < 3; i++) {
      glColor4f(1, (float)i / 2, 0, (float)i / 2);
      glVertex2f(i == 0 ? -0.9f : i == 1 ? 0.9f : 0, i == 2 ? 0.9f : -0.8f);
   }
   glEnd();
}
static void
discard_pixels(void)
{
   use_program("void main() { gl_Position = gl_Vertex; gl_FrontColor = gl_Color; }",
               "void main() { if (mod(floor(gl_FragCoord.x / 5.0) + floor(gl_FragCoord.y / 3.0), "
               "2.0) == 0.0) discard; gl_FragColor = gl_Color; }");
   cross(0, 0, 0);
}
static void
derivatives(void)
{
   use_program("out vec2 p; void main() { gl_Position = gl_Vertex; p = gl_Vertex.xy * 40.0; }",
               "in vec2 p; void main() { gl_FragColor = vec4(dFdx(p.x) * 0.8, dFdy(p.x + p.y) * "
               "1.2, fwidth(p.x - p.y) * 0.6, 1); }");
   cross(0, 0, 0);
}
static void
fragment_position(void)
{
   use_program("void main() { gl_Position = gl_ModelViewProjectionMatrix * gl_Vertex; }",
               "void main() { gl_FragColor = vec4(gl_FragCoord.xy / 128.0, 1.0 / gl_FragCoord.w / "
               "10.0, 1); }");
   perspective(0.5f, 100);
   glBegin(GL_TRIANGLES);
   glVertex3f(-3, -1, -2);
   glVertex3f(5, -1, -3);
   glVertex3f(0, 4, -9);
   glEnd();
}
static void
primitive_id(void)
{
   use_program("void main() { gl_Position = gl_Vertex; }",
               "void main() { gl_FragColor = vec4(float(gl_PrimitiveID) / 9.0, "
               "float(gl_PrimitiveID & 1), 0.5, 1); }");
   glBegin(GL_TRIANGLE_FAN);
   ring(11, 0.9f);
   glEnd();
}
static void
heavy_shader(void)
{
   use_program(
       "void main() { gl_Position = gl_Vertex; }",
       "void main() { vec2 c = gl_FragCoord.xy / 48.0 - vec2(1.9, 1.3), z = c; int i = 0;"
       " for (; i < 40 && dot(z, z) < 4.0; i++) z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + "
       "c;"
       " gl_FragColor = vec4(float(i) / 40.0, float(i & 7) / 7.0, float(i & 3) / 3.0, 1); }");
   full_quad(0);
}
static void
textured(void)
{
   uint8_t texel[16 * 16 * 4];
   GLuint name;
   for (unsigned i = 0; i < sizeof(texel); i++)
      texel[i] = (uint8_t)(i * 197 ^ i >> 3);
   glGenTextures(1, &name);
   glBindTexture(GL_TEXTURE_2D, name);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 16, 16, 0, GL_RGBA, GL_UNSIGNED_BYTE, texel);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   use_program("out vec2 t; void main() { gl_Position = gl_Vertex; t = gl_MultiTexCoord0.xy; }",
               "uniform sampler2D s; in vec2 t; void main() { gl_FragColor = vec4(texelFetch(s, "
               "ivec2(t * 16.0), 0).rgb, 1); }");
   full_quad(0);
}
static void
several_targets(void)
{
   GLuint texture[3], frame, from;
   static const GLenum to[3] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1, GL_COLOR_ATTACHMENT2};
   glGetIntegerv(GL_FRAMEBUFFER_BINDING, (GLint *)&from);
   glGenTextures(3, texture);
   glGenFramebuffers(1, &frame);
   glBindFramebuffer(GL_FRAMEBUFFER, frame);
   for (unsigned i = 0; i < 3; i++) {
      glBindTexture(GL_TEXTURE_2D, texture[i]);
      glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, SIZE, SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
      glFramebufferTexture2D(GL_FRAMEBUFFER, to[i], GL_TEXTURE_2D, texture[i], 0);
   }
   glDrawBuffers(3, to);
   glClear(GL_COLOR_BUFFER_BIT);
   use_program("void main() { gl_Position = gl_Vertex; gl_FrontColor = gl_Color; }",
               "void main() { gl_FragData[0] = gl_Color; gl_FragData[1] = gl_Color.gbra; "
               "gl_FragData[2] = vec4(1) - gl_Color; }");
   cross(0, 0, 0);
   glBindFramebuffer(GL_READ_FRAMEBUFFER, frame);
   glBindFramebuffer(GL_DRAW_FRAMEBUFFER, from);
   for (unsigned i = 0; i < 3; i++) {
      glReadBuffer(to[i]);
      glBlitFramebuffer(0, (GLint)(40 * i), 128, (GLint)(40 * i + 40), 0, (GLint)(40 * i), 128,
                        (GLint)(40 * i + 40), GL_COLOR_BUFFER_BIT, GL_NEAREST);
   }
}
static void
occlusion(void)
{
   GLuint q, passed = 0;
   glGenQueries(1, &q);
   glEnable(GL_DEPTH_TEST);
   cross(0, 0, 0);
   glBeginQuery(GL_SAMPLES_PASSED, q);
   cross(0.5f, -0.5f, 3);
   glEndQuery(GL_SAMPLES_PASSED);
   glGetQueryObjectuiv(q, GL_QUERY_RESULT, &passed);
   glDisable(GL_DEPTH_TEST);
   glBegin(GL_POINTS); /* the count, a pixel for each bit */
   for (unsigned i = 0; i < 16; i++) {
      glColor3f(passed >> i & 1, 1, 1);
      glVertex2f(-0.9921875f + 0.015625f * (float)i, 0.9921875f);
   }
   glEnd();
}
static void
statistics(void)
{
   static const GLenum kind[2] = {GL_PRIMITIVES_GENERATED, GL_SAMPLES_PASSED};
   GLuint q[2], count[2] = {0, 0};
   glGenQueries(2, q);
   for (unsigned i = 0; i < 2; i++)
      glBeginQuery(kind[i], q[i]);
   glBegin(GL_TRIANGLE_STRIP);
   ring(40, 0.5f);
   glEnd();
   for (unsigned i = 0; i < 2; i++) {
      glEndQuery(kind[i]);
      glGetQueryObjectuiv(q[i], GL_QUERY_RESULT, &count[i]);
   }
   glClear(GL_COLOR_BUFFER_BIT);
   glBegin(GL_POINTS);
   for (unsigned i = 0; i < 8; i++) {
      glColor3f(count[0] >> i & 1, count[1] > 0, 1);
      glVertex2f(-0.9921875f + 0.015625f * (float)i, 0.9921875f);
   }
   glEnd();
}
static void
lit_cube(void)
{
   static const float n[6][3] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                 {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
   static const float light[4] = {0.5f, 0.8f, 1, 0};
   perspective(1, 20);
   glEnable(GL_DEPTH_TEST);
   glEnable(GL_LIGHTING);
   glEnable(GL_LIGHT0);
   glEnable(GL_COLOR_MATERIAL);
   glLightfv(GL_LIGHT0, GL_POSITION, light);
   glTranslatef(0, 0, -4);
   glRotatef(35, 1, 0.6f, 0.2f);
   glBegin(GL_QUADS);
   for (unsigned f = 0; f < 6; f++) {
      unsigned a = f / 2;
      color(f);
      glNormal3fv(n[f]);
      for (unsigned i = 0; i < 4; i++) {
         float p[3], u = i == 1 || i == 2 ? 1 : -1, v = i >= 2 ? 1 : -1;
         p[a] = f & 1 ? -1 : 1;
         p[(a + 1) % 3] = f & 1 ? v : u;
         p[(a + 2) % 3] = f & 1 ? u : v;
         glVertex3fv(p);
      }
   }
   glEnd();
}

const struct picture pixel_pictures[] = {
    {"depth_functions", depth_functions, 1, 4},
    {"depth_read_only", depth_read_only, 1, 4},
    {"depth_written", depth_written, 1, 2},
    {"stencil_masks", stencil_masks, 1, 2},
    {"blend_alpha", blend_alpha, 2, 2},
    {"blend_add", blend_add, 2, 2},
    {"blend_product", blend_product, 2, 2},
    {"blend_max", blend_max, 1, 2},
    {"blend_constant", blend_constant, 2, 2},
    {"logic_op", logic_op, 1, 40},
    {"color_mask", color_mask, 1, 2},
    {"alpha_test", alpha_test, 1, 70}, /* alpha is the reference along a line */
    {"discard_pixels", discard_pixels, 1, 2, "P3D-323"},
    {"derivatives", derivatives, 1, 2, "P3D-324"},
    {"fragment_position", fragment_position, 1, 2},
    {"primitive_id", primitive_id, 1, 2},
    {"heavy_shader", heavy_shader, 1, 150},
    {"textured", textured, 1, 0},
    {"several_targets", several_targets, 1, 2},
    {"occlusion", occlusion, 1, 12, "P3D-292 P3D-008"},
    {"statistics", statistics, 1, 0, "P3D-202"},
    {"lit_cube", lit_cube, 2, 4},
    {0},
};
