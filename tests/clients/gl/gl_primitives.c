/* Pictures of topologies, and of the ways to name their vertices. */
#include "gl_draw.h"

#include <math.h>

static void
topology(GLenum mode, unsigned n)
{
   glBegin(mode);
   ring(n, 0.85f);
   glEnd();
}

/* A zigzag that strips make a band of. */
static void
band(GLenum mode)
{
   glBegin(mode);
   for (unsigned i = 0; i < 12; i++) {
      color(i);
      glVertex2f(-0.9f + 0.16f * (float)i, i & 1 ? 0.6f : -0.5f - 0.02f * (float)i);
   }
   glEnd();
}

static void
points(void)
{
   glPointSize(5);
   topology(GL_POINTS, 13);
}
static void
lines(void)
{
   topology(GL_LINES, 14);
}
static void
line_strip(void)
{
   topology(GL_LINE_STRIP, 9);
}
static void
line_loop(void)
{
   topology(GL_LINE_LOOP, 7);
}
static void
triangles(void)
{
   topology(GL_TRIANGLES, 14); /* two are left over */
}
static void
triangle_strip(void)
{
   band(GL_TRIANGLE_STRIP);
}
static void
triangle_fan(void)
{
   topology(GL_TRIANGLE_FAN, 11);
}
static void
quads(
    void) /* flat: how a quad is cut in two is the driver's affair, which vertex provokes is not */
{
   glShadeModel(GL_FLAT);
   topology(GL_QUADS, 8);
}
static void
quad_strip(void)
{
   band(GL_QUAD_STRIP);
}
static void
polygon(void)
{
   topology(GL_POLYGON, 9);
}

static void
lines_adjacency(void)
{
   topology(GL_LINES_ADJACENCY, 12);
}
static void
triangles_adjacency(void)
{
   topology(GL_TRIANGLES_ADJACENCY, 12);
}
static void
triangle_strip_adjacency(void)
{
   band(GL_TRIANGLE_STRIP_ADJACENCY);
}

/* ---- arrays ------------------------------------------------------------------------------------
 */

#define GRID 9

struct point {
   float x, y;
   uint8_t c[4];
};

/* A grid of points that lean a little, with indices for all of its triangles. */
static void
load_grid(void)
{
   static struct point p[GRID * GRID];
   for (unsigned i = 0; i < GRID * GRID; i++) {
      unsigned x = i % GRID, y = i / GRID;
      p[i] = (struct point){-0.9f + 0.22f * (float)x + 0.03f * sinf((float)(i * 7)),
                            -0.9f + 0.22f * (float)y + 0.03f * cosf((float)(i * 5)),
                            {(uint8_t)(x * 31), (uint8_t)(y * 31), (uint8_t)((x ^ y) * 31), 255}};
   }
   buffer(GL_ARRAY_BUFFER, p, sizeof(p));
   glVertexPointer(2, GL_FLOAT, sizeof(p[0]), (void *)0);
   glColorPointer(4, GL_UNSIGNED_BYTE, sizeof(p[0]), (void *)8);
   glEnableClientState(GL_VERTEX_ARRAY);
   glEnableClientState(GL_COLOR_ARRAY);
}

static unsigned
grid_indices(uint32_t *out, unsigned base)
{
   unsigned n = 0;
   for (unsigned y = 0; y + 1 < GRID; y++)
      for (unsigned x = 0; x + 1 < GRID; x++) {
         uint32_t a = y * GRID + x - base;
         const uint32_t two[6] = {a, a + 1, a + GRID, a + GRID, a + 1, a + GRID + 1};
         for (unsigned k = 0; k < 6; k++)
            out[n++] = two[k];
      }
   return n;
}

static uint32_t index32[512];

static unsigned
load_indices(unsigned base, unsigned size)
{
   static uint8_t bytes[512];
   static uint16_t words[512];
   unsigned n = grid_indices(index32, base);
   for (unsigned i = 0; i < n; i++) {
      bytes[i] = (uint8_t)index32[i];
      words[i] = (uint16_t)index32[i];
   }
   buffer(GL_ELEMENT_ARRAY_BUFFER,
          size == 1   ? (void *)bytes
          : size == 2 ? (void *)words
                      : (void *)index32,
          (size_t)n * size);
   return n;
}

static void
indices_byte(void)
{
   load_grid();
   glDrawElements(GL_TRIANGLES, (GLsizei)load_indices(0, 1), GL_UNSIGNED_BYTE, NULL);
}
static void
indices_word(void)
{
   load_grid();
   glDrawElements(GL_TRIANGLES, (GLsizei)load_indices(0, 2), GL_UNSIGNED_SHORT, NULL);
}
static void
indices_dword(void)
{
   load_grid();
   glDrawElements(GL_TRIANGLES, (GLsizei)load_indices(0, 4), GL_UNSIGNED_INT, (void *)24);
}
static void
base_vertex(void)
{
   load_grid();
   unsigned n = load_indices(0, 2);
   glDrawElementsBaseVertex(GL_TRIANGLES, (GLsizei)n / 2, GL_UNSIGNED_SHORT, NULL, GRID * 3);
}
static void
draw_range(void)
{
   load_grid();
   glDrawArrays(GL_TRIANGLE_STRIP, 10, 40);
}
static void
multi_draw(void)
{
   static const GLint first[4] = {0, 20, 40, 60};
   static const GLsizei count[4] = {12, 9, 3, 15};
   load_grid();
   glMultiDrawArrays(GL_TRIANGLE_STRIP, first, count, 4);
}

static void
restart(void)
{
   static uint16_t strip[256];
   unsigned n = 0;
   load_grid();
   for (unsigned y = 0; y + 1 < GRID; y++) {
      for (unsigned x = 0; x < GRID - y % 2; x++) {
         strip[n++] = (uint16_t)(y * GRID + x);
         strip[n++] = (uint16_t)((y + 1) * GRID + x);
      }
      strip[n++] = 0xffff;
   }
   buffer(GL_ELEMENT_ARRAY_BUFFER, strip, sizeof(strip));
   glEnable(GL_PRIMITIVE_RESTART);
   glPrimitiveRestartIndex(0xffff);
   glDrawElements(GL_TRIANGLE_STRIP, (GLsizei)n, GL_UNSIGNED_SHORT, NULL);
}

static void
restart_fan(void)
{
   static const uint8_t fan[] = {0, 1, 2, 10, 9, 255, 30, 31, 40, 39, 255, 60, 61, 255, 70, 71, 80};
   load_grid();
   buffer(GL_ELEMENT_ARRAY_BUFFER, fan, sizeof(fan));
   glEnable(GL_PRIMITIVE_RESTART);
   glPrimitiveRestartIndex(255);
   glDrawElements(GL_TRIANGLE_FAN, sizeof(fan), GL_UNSIGNED_BYTE, NULL);
}

static const char colored_fs[] = "in vec4 c; void main() { gl_FragColor = c; }";

static void
instances(void)
{
   use_program("out vec4 c; void main() { float i = float(gl_InstanceID);"
               " vec2 p = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 0.3 - 0.9;"
               " gl_Position = vec4(p + 0.37 * vec2(mod(i, 5.0), floor(i / 5.0)), 0, 1);"
               " c = vec4(i / 25.0, 1.0 - i / 25.0, float(gl_VertexID) / 4.0, 1); }",
               colored_fs);
   glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, 25);
}

static void
instance_arrays(unsigned divisor, unsigned base)
{
   static const float quad[8] = {-0.1f, -0.1f, 0.1f, -0.1f, -0.1f, 0.1f, 0.1f, 0.1f};
   static float place[16][4];
   for (unsigned i = 0; i < 16; i++) {
      place[i][0] = -0.8f + 0.4f * (float)(i % 4);
      place[i][1] = -0.8f + 0.4f * (float)(i / 4);
      place[i][2] = (float)i / 15;
      place[i][3] = 1 - (float)i / 15;
   }
   use_program(
       "layout(location = 0) in vec2 p; layout(location = 1) in vec4 at; out vec4 c;"
       "void main() { gl_Position = vec4(p * (1.0 + float(gl_InstanceID) * 0.05) + at.xy, 0, 1);"
       " c = vec4(at.zw, 0.5, 1); }",
       colored_fs);
   buffer(GL_ARRAY_BUFFER, quad, sizeof(quad));
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 8, NULL);
   buffer(GL_ARRAY_BUFFER, place, sizeof(place));
   glVertexAttribPointer(1, 4, GL_FLOAT, GL_FALSE, 16, NULL);
   glVertexAttribDivisor(1, divisor);
   glEnableVertexAttribArray(0);
   glEnableVertexAttribArray(1);
   glDrawArraysInstancedBaseInstance(GL_TRIANGLE_STRIP, 0, 4, 12, base);
}
static void
divisor_one(void)
{
   instance_arrays(1, 0);
}
static void
divisor_three(void)
{
   instance_arrays(3, 0);
}
static void
base_instance(void)
{
   instance_arrays(1, 3);
}

static void
indirect(void)
{
   static const uint32_t draw[4] = {24, 1, 9, 0};
   load_grid();
   buffer(GL_DRAW_INDIRECT_BUFFER, draw, sizeof(draw));
   glDrawArraysIndirect(GL_TRIANGLE_STRIP, NULL);
}
static void
indirect_indexed(void)
{
   static const uint32_t draw[5] = {150, 1, 30, 9, 0};
   load_grid();
   load_indices(0, 4);
   buffer(GL_DRAW_INDIRECT_BUFFER, draw, sizeof(draw));
   glDrawElementsIndirect(GL_TRIANGLES, GL_UNSIGNED_INT, NULL);
}

static void
many_vertices(void) /* more than the URB has entries for, in one strip */
{
   glBegin(GL_TRIANGLE_STRIP);
   for (unsigned i = 0; i < 5000; i++) {
      float a = (float)i * 0.0125f, r = 0.95f - (float)i * 0.00018f + (i & 1 ? 0.04f : 0);
      glColor3f((float)(i % 100) / 99, (float)(i % 37) / 36, (float)i / 5000);
      glVertex2f(r * cosf(a), r * sinf(a));
   }
   glEnd();
}

const struct picture primitive_pictures[] = {
    {"points", points, 1, 0},
    {"lines", lines, 3, 8},
    {"line_strip", line_strip, 3, 8},
    {"line_loop", line_loop, 3, 8},
    {"triangles", triangles, 1, 2, "P3D-374"},
    {"triangle_strip", triangle_strip, 1, 2},
    {"triangle_fan", triangle_fan, 1, 2},
    {"quads", quads, 1, 2, "P3D-065"},
    {"quad_strip", quad_strip, 1, 2},
    {"polygon", polygon, 1, 2, "P3D-065"},
    {"lines_adjacency", lines_adjacency, 3, 8},
    {"triangles_adjacency", triangles_adjacency, 1, 2},
    {"triangle_strip_adjacency", triangle_strip_adjacency, 1, 2},
    {"indices_byte", indices_byte, 1, 4, "P3D-028"},
    {"indices_word", indices_word, 1, 4},
    {"indices_dword", indices_dword, 1, 4},
    {"base_vertex", base_vertex, 1, 4, "P3D-027"},
    {"draw_range", draw_range, 1, 4},
    {"multi_draw", multi_draw, 1, 4},
    {"restart", restart, 1, 4, "P3D-030"},
    {"restart_fan", restart_fan, 1, 4},
    {"instances", instances, 1, 4},
    {"divisor_one", divisor_one, 1, 4},
    {"divisor_three", divisor_three, 1, 4, "P3D-036"},
    {"base_instance", base_instance, 1, 4},
    {"indirect", indirect, 1, 4, "P3D-009"},
    {"indirect_indexed", indirect_indexed, 1, 4},
    {"many_vertices", many_vertices, 1, 60},
    {0},
};
