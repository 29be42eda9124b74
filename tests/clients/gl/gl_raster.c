/* Pictures of clipping, setup and the windower. */
#include "gl_draw.h"

#include <math.h>
#include <string.h>

static const char colored_fs[] = "in vec4 c; void main() { gl_FragColor = c; }";

/* A floor that goes through the eye and behind it. */
static void
floor_triangles(void)
{
   glBegin(GL_TRIANGLES);
   for (unsigned i = 0; i < 6; i++) {
      static const float p[6][3] = {{-9, -1, 3},   {9, -1, 3}, {2, -1, -20},
                                    {-3, 1.5f, 2}, {5, 1, 4},  {-1, 0.7f, -15}};
      color(i);
      glVertex3fv(p[i]);
   }
   glEnd();
}

static void
clip_near(void)
{
   perspective(0.5f, 100);
   floor_triangles();
}
static void
clip_far(void)
{
   perspective(0.5f, 8);
   floor_triangles();
}
static void
depth_clamp(void)
{
   glEnable(GL_DEPTH_CLAMP);
   perspective(0.5f, 8);
   floor_triangles();
}
static void
clip_lines(void)
{
   perspective(0.5f, 100);
   glBegin(GL_LINES);
   for (unsigned i = 0; i < 24; i++) {
      color(i / 2);
      glVertex3f(-4 + 0.35f * (float)i, i & 2 ? -1 : 1, i & 1 ? 3.0f : -12.0f);
   }
   glEnd();
}
static void
clip_giant(void) /* far beyond the guardband */
{
   glBegin(GL_TRIANGLES);
   color(0);
   glVertex2f(-5000, -4000);
   color(1);
   glVertex2f(6000, -3000);
   color(2);
   glVertex2f(100, 7000);
   glEnd();
}
static void
clip_points(void)
{
   glPointSize(20);
   glBegin(GL_POINTS);
   for (unsigned i = 0; i < 12; i++) {
      color(i);
      glVertex2f(-0.99f + 0.17f * (float)i,
                 -0.97f + 0.17f * (float)i); /* all inside, squares not */
   }
   glEnd();
}
static void
clip_distance(void)
{
   use_program(
       "out vec4 c; out float gl_ClipDistance[2]; void main() { float a = float(gl_VertexID) * 2.1;"
       " gl_Position = vec4(0.9 * cos(a), 0.9 * sin(a), 0, 1); c = vec4(cos(a) * 0.5 + 0.5, 0.5, "
       "sin(a) * 0.5 + 0.5, 1);"
       " gl_ClipDistance[0] = gl_Position.x + 0.3; gl_ClipDistance[1] = 0.4 - gl_Position.y; }",
       colored_fs);
   glEnable(GL_CLIP_DISTANCE0);
   glEnable(GL_CLIP_DISTANCE1);
   glDrawArrays(GL_TRIANGLES, 0, 3);
}
/* Triangles whose vertices are each outside of something, or behind the eye. llvmpipe loses some of
 * them: it draws them whole, and discards the pixels with the same distances. */
#define FOUR_DISTANCES                                                                             \
   "out float d[4]; void main() { vec4 v = gl_Position = gl_Vertex; d[0] = v.x + 0.7 * v.w;"       \
   " d[1] = 0.8 * v.w - v.y * 0.9 + 0.1 * v.x; d[2] = v.w * 0.9 - v.x * 0.3 - v.y;"                \
   " d[3] = v.z + v.w * 0.6; FAR }"
static void
clip_four_distances(void)
{
   bool discards = strstr((const char *)glGetString(GL_RENDERER), "llvmpipe") != NULL;
   uint32_t seed = 77;
   GLuint p =
       use_program(discards ? "\n#define FAR\n" FOUR_DISTANCES
                            : "out float gl_ClipDistance[4];\n#define FAR for (int i = 0; i < "
                              "4; i++) gl_ClipDistance[i] = d[i];\n" FOUR_DISTANCES,
                   "in float d[4]; uniform bool discards; void main() {"
                   " for (int i = 0; i < 4; i++) if (discards && d[i] < 0) discard;"
                   " gl_FragColor = vec4(d[0], d[1] * 0.3, d[2] * 0.3, 1); }");
   glUniform1i(glGetUniformLocation(p, "discards"), discards);
   for (GLenum i = 0; i < 4 && !discards; i++)
      glEnable(GL_CLIP_DISTANCE0 + i);
   for (unsigned n = 0; n < 48; n++) {
      glViewport((GLint)(n / 3 % 4 * 32), (GLint)(n / 12 * 32), 32, 32);
      glBegin(GL_TRIANGLES);
      for (unsigned i = 0; i < 3; i++) {
         float v[4];
         for (unsigned k = 0; k < 4; k++) {
            seed = seed * 1103515245 + 12345;
            v[k] = ((float)(seed >> 16 & 255) - 128) / 80;
         }
         float w = n >= 36 && i == 1 ? -0.4f : 1.36f + 0.6f * v[3], scale = w > 0 ? w : 1;
         glVertex4f(v[0] * scale, v[1] * scale, v[2] * scale, w);
      }
      glEnd();
   }
}
static void
clip_planes(void)
{
   static const double plane[4] = {1, 2, 0, 0.2};
   glClipPlane(GL_CLIP_PLANE2, plane);
   glEnable(GL_CLIP_PLANE2);
   glBegin(GL_TRIANGLE_FAN);
   ring(9, 0.9f);
   glEnd();
}
static void
not_a_number(void)
{
   use_program("out vec4 c; uniform float zero; void main() { float a = float(gl_VertexID) * 2.1;"
               " gl_Position = vec4(0.9 * cos(a), 0.9 * sin(a), 0, 1); c = vec4(1, 0.5, 0, 1);"
               " if (gl_VertexID == 4) gl_Position.x = zero / zero; if (gl_VertexID >= 6) "
               "gl_Position.xy *= 0.3; }",
               colored_fs);
   glDrawArrays(GL_TRIANGLES, 3, 6);
}

/* ---- setup -------------------------------------------------------------------------------------
 */

/* Two triangles, one of each winding. */
static void
both_windings(void)
{
   glBegin(GL_TRIANGLES);
   for (unsigned i = 0; i < 6; i++) {
      static const float p[6][2] = {{-0.9f, -0.7f}, {0, -0.8f},   {-0.4f, 0.8f},
                                    {0.1f, -0.6f},  {0.5f, 0.8f}, {0.9f, -0.7f}};
      color(i);
      glVertex2fv(p[i]);
   }
   glEnd();
}
static void
cull_back(void)
{
   glEnable(GL_CULL_FACE);
   both_windings();
}
static void
cull_front(void)
{
   glEnable(GL_CULL_FACE);
   glCullFace(GL_FRONT);
   both_windings();
}
static void
front_clockwise(void)
{
   glEnable(GL_CULL_FACE);
   glFrontFace(GL_CW);
   both_windings();
}
static void
cull_strip(void)
{
   glEnable(GL_CULL_FACE);
   glBegin(GL_TRIANGLE_STRIP);
   for (unsigned i = 0; i < 12; i++) {
      color(i);
      glVertex2f(-0.9f + 0.16f * (float)i, i & 1 ? -0.6f : 0.5f);
   }
   glEnd();
}
static void
front_facing(void)
{
   use_program(
       "void main() { gl_Position = gl_Vertex; }",
       "void main() { gl_FragColor = gl_FrontFacing ? vec4(0, 1, 0, 1) : vec4(1, 0, 0, 1); }");
   both_windings();
}
static void
two_sides(void)
{
   use_program("void main() { gl_Position = gl_Vertex; gl_FrontColor = vec4(0, 0.8, 0.2, 1); "
               "gl_BackColor = vec4(0.9, 0.1, 0.3, 1); }",
               "void main() { gl_FragColor = gl_Color; }");
   glEnable(GL_VERTEX_PROGRAM_TWO_SIDE);
   both_windings();
}
static void
flat_last(void)
{
   glShadeModel(GL_FLAT);
   glBegin(GL_TRIANGLE_FAN);
   ring(11, 0.9f);
   glEnd();
}
static void
flat_first(void)
{
   glShadeModel(GL_FLAT);
   glProvokingVertex(GL_FIRST_VERTEX_CONVENTION);
   glBegin(GL_TRIANGLE_STRIP);
   for (unsigned i = 0; i < 12; i++) {
      color(i);
      glVertex2f(-0.9f + 0.16f * (float)i, i & 1 ? 0.6f : -0.5f);
   }
   glEnd();
}
static void
flat_lines(void)
{
   glShadeModel(GL_FLAT);
   glLineWidth(5);
   glBegin(GL_LINE_STRIP);
   ring(9, 0.8f);
   glEnd();
}
static void
flat_integers(void)
{
   use_program("flat out ivec2 k; void main() { gl_Position = gl_Vertex; k = ivec2(gl_VertexID * "
               "1000003, -gl_VertexID); }",
               "flat in ivec2 k; void main() { gl_FragColor = vec4(float(k.x & 255), float(k.y & "
               "255), float(k.x >> 8 & 255), 255) / 255.0; }");
   both_windings();
}
static void
no_perspective(void)
{
   use_program("noperspective out vec4 c; out vec4 d; void main() { gl_Position = "
               "gl_ModelViewProjectionMatrix * gl_Vertex; c = d = gl_Color; }",
               "noperspective in vec4 c; in vec4 d; void main() { gl_FragColor = gl_FragCoord.x < "
               "64.0 ? c : d; }");
   perspective(0.5f, 100);
   glBegin(GL_TRIANGLES);
   for (unsigned i = 0; i < 3; i++) {
      color(i);
      glVertex3f(i == 0   ? -0.6f
                 : i == 1 ? 2
                          : 3,
                 i == 0   ? -0.6f
                 : i == 1 ? -1.9f
                          : 9,
                 i == 0   ? -1
                 : i == 1 ? -3
                          : -14);
   }
   glEnd();
}
static void
lines_of_polygons(void)
{
   glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
   glBegin(GL_QUADS);
   ring(8, 0.85f);
   glEnd();
}
static void
points_of_polygons(void)
{
   glPolygonMode(GL_FRONT_AND_BACK, GL_POINT);
   glPointSize(7);
   glBegin(GL_TRIANGLES);
   ring(9, 0.8f);
   glEnd();
}
static void
edge_flags(void)
{
   glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
   glBegin(GL_TRIANGLES);
   for (unsigned i = 0; i < 9; i++) {
      float a = 0.6981317f * (float)i + 0.3f;
      color(i);
      glEdgeFlag(i % 2 == 0);
      glVertex2f(0.85f * cosf(a), 0.85f * sinf(a));
   }
   glEnd();
}
static void
polygon_offset(void)
{
   glEnable(GL_DEPTH_TEST);
   glBegin(GL_TRIANGLES);
   for (unsigned i = 0; i < 3; i++) {
      glColor3f(1, 0, 0);
      glVertex3f(i == 1 ? 0.9f : -0.9f, i == 2 ? 0.9f : -0.9f, 0.2f + 0.2f * (float)i);
   }
   glEnd();
   glEnable(GL_POLYGON_OFFSET_FILL);
   for (unsigned k = 0; k < 4; k++) {
      glPolygonOffset(k & 1 ? 1 : -1, k & 2 ? 4 : -4);
      glScissor(0, (GLint)(k * 30), 128, 25);
      glEnable(GL_SCISSOR_TEST);
      glBegin(GL_TRIANGLES);
      for (unsigned i = 0; i < 3; i++) {
         glColor3f(0, 1, (float)k / 4);
         glVertex3f(i == 1 ? 0.9f : -0.9f, i == 2 ? 0.9f : -0.9f, 0.2f + 0.2f * (float)i);
      }
      glEnd();
   }
}
static void
scissor(void)
{
   glEnable(GL_SCISSOR_TEST);
   for (unsigned i = 0; i < 4; i++) {
      glScissor((GLint)(5 + 29 * i), (GLint)(7 + 20 * i), 27, 41);
      glBegin(GL_TRIANGLE_FAN);
      ring(5 + i, 0.95f);
      glEnd();
   }
}
static void
viewport(void)
{
   glViewport(-20, 30, 150, 60);
   glBegin(GL_TRIANGLE_FAN);
   ring(7, 1.2f);
   glEnd();
   glViewportIndexedf(0, 70.25f, 3.5f, 40.75f, 33.25f);
   glBegin(GL_TRIANGLE_FAN);
   ring(5, 0.9f);
   glEnd();
}
static void
depth_range(void)
{
   glEnable(GL_DEPTH_TEST);
   glDepthRange(0.7, 0.2);
   glBegin(GL_TRIANGLE_FAN);
   ring(7, 0.8f);
   glEnd();
   use_program("void main() { gl_Position = gl_Vertex; }",
               "void main() { gl_FragColor = vec4(gl_FragCoord.z, gl_FragCoord.xy / 128.0, 1); }");
   glDepthRange(0.1, 0.9);
   glBegin(GL_TRIANGLES);
   glVertex3f(-1, -1, -0.9f);
   glVertex3f(1, -1, 0.1f);
   glVertex3f(0, 1, 0.95f);
   glEnd();
}
static void
point_sizes(void)
{
   use_program("void main() { gl_Position = gl_Vertex; gl_PointSize = 1.0 + 1.7 * "
               "float(gl_VertexID); gl_FrontColor = gl_Color; }",
               "void main() { gl_FragColor = gl_Color; }");
   glEnable(GL_VERTEX_PROGRAM_POINT_SIZE);
   glBegin(GL_POINTS);
   ring(11, 0.8f);
   glEnd();
}
static void
point_sprites(void)
{
   use_program("void main() { gl_Position = gl_Vertex; }",
               "void main() { gl_FragColor = vec4(gl_PointCoord, 0.5, 1); }");
   glEnable(GL_POINT_SPRITE);
   glPointSize(23); /* which rule has pixels on the border is the driver's: none is there */
   glBegin(GL_POINTS);
   ring(7, 0.7f);
   glEnd();
   glPointParameteri(GL_POINT_SPRITE_COORD_ORIGIN, GL_LOWER_LEFT);
   glBegin(GL_POINTS);
   glVertex2f(0.003f, 0.003f);
   glEnd();
}
static void
wide_lines(void)
{
   glLineWidth(6);
   glBegin(GL_LINES);
   ring(14, 0.85f);
   glEnd();
}
static void
stipple(void)
{
   static GLubyte pattern[128];
   for (unsigned i = 0; i < 128; i++)
      pattern[i] = (GLubyte)(i * 37 ^ i >> 2);
   glPolygonStipple(pattern);
   glEnable(GL_POLYGON_STIPPLE);
   glBegin(GL_TRIANGLE_FAN);
   ring(9, 0.95f);
   glEnd();
}
static void
slivers(void)
{
   glBegin(GL_TRIANGLES);
   for (unsigned i = 0; i < 150; i++) {
      float y = -0.97f + 0.013f * (float)i;
      color(i);
      glVertex2f(-0.95f, y);
      glVertex2f(0.95f, y + 0.2f);
      glVertex2f(0.9f, y + 0.2f + 0.006f * (float)(i % 7));
   }
   glEnd();
}
static void
mesh_once(void) /* each pixel of the mesh is lit once */
{
   glEnable(GL_BLEND);
   glBlendFunc(GL_ONE, GL_ONE);
   glColor4f(0.25f, 0.25f, 0.25f, 0);
   for (unsigned y = 0; y < 12; y++) {
      glBegin(GL_TRIANGLE_STRIP);
      for (unsigned x = 0; x <= 12; x++)
         for (unsigned k = 0; k < 2; k++) {
            unsigned i = x * 31 + (y + k) * 57;
            glVertex2f(-0.93f + 0.155f * (float)x + 0.04f * sinf((float)i),
                       -0.93f + 0.155f * (float)(y + k) + 0.04f * cosf((float)(i * 3)));
         }
      glEnd();
   }
}

const struct picture raster_pictures[] = {
    {"clip_near", clip_near, 1, 3},
    {"clip_far", clip_far, 1, 3},
    {"depth_clamp", depth_clamp, 1, 3, "P3D-195"},
    {"clip_lines", clip_lines, 1, 24},
    {"clip_giant", clip_giant, 1, 0},
    {"clip_points", clip_points, 1, 0, "P3D-187"},
    {"clip_distance", clip_distance, 1, 3, "P3D-194"},
    {"clip_four_distances", clip_four_distances, 3, 16, "P3D-194"},
    {"clip_planes", clip_planes, 1, 3},
    {"not_a_number", not_a_number, 1, 3},
    {"cull_back", cull_back, 1, 2, "P3D-215"},
    {"cull_front", cull_front, 1, 2},
    {"front_clockwise", front_clockwise, 1, 2},
    {"cull_strip", cull_strip, 1, 2, "P3D-214"},
    {"front_facing", front_facing, 1, 2, "P3D-319"},
    {"two_sides", two_sides, 1, 2, "P3D-245"},
    {"flat_last", flat_last, 1, 2},
    {"flat_first", flat_first, 1, 2},
    {"flat_lines", flat_lines, 1, 40},
    {"flat_integers", flat_integers, 0, 2, "P3D-246"},
    {"no_perspective", no_perspective, 1, 3},
    {"lines_of_polygons", lines_of_polygons, 3, 12, "P3D-217"},
    {"points_of_polygons", points_of_polygons, 1, 0, "P3D-218"},
    {"edge_flags", edge_flags, 12, 12, "P3D-059"},
    {"polygon_offset", polygon_offset, 1, 2, "P3D-222"},
    {"scissor", scissor, 1, 2, "P3D-239"},
    {"viewport", viewport, 1, 2, "P3D-206"},
    {"depth_range", depth_range, 1, 2},
    {"point_sizes", point_sizes, 1, 40},
    {"point_sprites", point_sprites, 1, 0, "P3D-249"},
    {"wide_lines", wide_lines, 20, 24},
    {"stipple", stipple, 1, 2, "P3D-267"},
    {"slivers", slivers, 1, 30},
    {"mesh_once", mesh_once, 1, 8, "P3D-325"},
    {0},
};
