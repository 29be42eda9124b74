/* Pictures of tessellation: domains, spacings, orders, points and lines, patch data, barriers. */
#include "gl_draw.h"

#include <stdio.h>

static const char pass_vs[] = "out vec4 tint;\n"
                              "void main() { gl_Position = gl_Vertex; tint = gl_Color; }\n";
static const char pass_fs[] = "in vec4 shade;\n"
                              "void main() { gl_FragColor = shade; }\n";

/* Factors that `outer` and `inner` say; control points and colours go through. */
static void
control(char *body, size_t size, unsigned vertices, const char *outer, const char *inner)
{
   snprintf(body, size,
            "layout(vertices = %u) out;\n"
            "in vec4 tint[];\nout vec4 own[];\n"
            "void main() {\n"
            "   gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;\n"
            "   own[gl_InvocationID] = tint[gl_InvocationID];\n"
            "   float o[4] = float[](%s), i[2] = float[](%s);\n"
            "   for (int k = 0; k < 4; k++) gl_TessLevelOuter[k] = o[k];\n"
            "   for (int k = 0; k < 2; k++) gl_TessLevelInner[k] = i[k];\n"
            "}\n",
            vertices, outer, inner);
}

/* Every point has a colour of its own, so that each triangle shows. */
static const char quad_tes[] =
    "in vec4 own[];\nout vec4 shade;\n"
    "void main() {\n"
    "   vec2 t = gl_TessCoord.xy;\n"
    "   vec4 a = mix(gl_in[0].gl_Position, gl_in[1].gl_Position, t.x);\n"
    "   vec4 b = mix(gl_in[3].gl_Position, gl_in[2].gl_Position, t.x);\n"
    "   gl_Position = mix(a, b, t.y);\n"
    "   gl_PointSize = 3.0;\n"
    "   shade = mix(mix(own[0], own[1], t.x), mix(own[3], own[2], t.x), t.y) * 0.5 +\n"
    "           0.5 * fract(vec4(t.x * 7.0, t.y * 5.0, t.x * 3.0 + t.y * 11.0, 1.0));\n"
    "   shade.a = 1.0;\n"
    "}\n";
static const char tri_tes[] =
    "in vec4 own[];\nout vec4 shade;\n"
    "void main() {\n"
    "   vec3 t = gl_TessCoord;\n"
    "   gl_Position = t.x * gl_in[0].gl_Position + t.y * gl_in[1].gl_Position + t.z * "
    "gl_in[2].gl_Position;\n"
    "   gl_PointSize = 3.0;\n"
    "   shade = t.x * own[0] + t.y * own[1] + t.z * own[2];\n"
    "   shade.rgb = shade.rgb * 0.5 + 0.5 * fract(t * vec3(7.0, 5.0, 11.0));\n"
    "   shade.a = 1.0;\n"
    "}\n";

static void
tessellated(const char *layout, bool quad, unsigned vertices, const char *outer, const char *inner)
{
   char tcs[1024], tes[1600];
   control(tcs, sizeof(tcs), vertices, outer, inner);
   snprintf(tes, sizeof(tes), "layout(%s) in;\n%s", layout, quad ? quad_tes : tri_tes);
   use_stages(&(struct stages){.vs = pass_vs, .tcs = tcs, .tes = tes, .fs = pass_fs});
   glPatchParameteri(GL_PATCH_VERTICES, (GLint)vertices);
   glEnable(GL_PROGRAM_POINT_SIZE);
   glBegin(GL_PATCHES);
   ring(vertices, 0.9f);
   glEnd();
}

#define QUAD(name, spacing, outer, inner)                                                          \
   static void name(void)                                                                          \
   {                                                                                               \
      tessellated("quads, " spacing, true, 4, outer, inner);                                       \
   }
#define TRI(name, spacing, outer, inner)                                                           \
   static void name(void)                                                                          \
   {                                                                                               \
      tessellated("triangles, " spacing, false, 3, outer, inner);                                  \
   }
QUAD(quad_integer, "equal_spacing", "3,4,5,6", "4,5")
QUAD(quad_odd, "fractional_odd_spacing", "3.5,4.2,5.9,1.3", "4.4,5.3")
QUAD(quad_even, "fractional_even_spacing", "3.5,4.2,5.9,1.3", "4.4,7.3")
QUAD(quad_least, "equal_spacing", "1,1,1,1", "1,1")
QUAD(quad_most, "equal_spacing", "64,64,64,64", "64,64")
QUAD(quad_beyond, "fractional_odd_spacing", "99,2,1e9,5", "70,0.1")
QUAD(quad_culled, "equal_spacing", "3,0,3,3", "4,4")
QUAD(quad_points, "equal_spacing, point_mode", "3,4,5,6", "4,5")
TRI(tri_integer, "equal_spacing", "3,4,5,1", "6,1")
TRI(tri_odd, "fractional_odd_spacing", "3.5,4.2,1,1", "5.5,1")
TRI(tri_even, "fractional_even_spacing", "3.5,4.2,8.1,1", "5.5,1")
TRI(tri_clockwise, "equal_spacing, cw", "2,3,4,1", "3,1")
TRI(tri_most, "fractional_even_spacing", "64,63.5,64,1", "63.1,1")

static void
tri_culled_faces(void)
{
   glEnable(GL_CULL_FACE);
   tri_integer();
   glFrontFace(GL_CW);
   glScalef(1, 1, 1);
   tri_clockwise();
}

static void
isolines(void)
{
   tessellated("isolines, equal_spacing", true, 4, "7,9,1,1", "1,1");
}

static void
isolines_fractional(void)
{
   tessellated("isolines, fractional_odd_spacing", true, 4, "3.2,6.6,1,1", "1,1");
}

/* Many patches whose factors differ: pieces and batches. */
static void
many_patches(void)
{
   char tes[1600];
   snprintf(tes, sizeof(tes), "layout(triangles, fractional_odd_spacing) in;\n%s", tri_tes);
   use_stages(&(struct stages){
       .vs = pass_vs,
       .tcs = "layout(vertices = 3) out;\n"
              "in vec4 tint[];\nout vec4 own[];\n"
              "void main() {\n"
              "   gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;\n"
              "   own[gl_InvocationID] = tint[gl_InvocationID];\n"
              "   for (int k = 0; k < 3; k++)\n"
              "      gl_TessLevelOuter[k] = 1.0 + float((gl_PrimitiveID * 7 + k * 5) % 23) * 0.7;\n"
              "   gl_TessLevelInner[0] = float(gl_PrimitiveID % 11);\n"
              "}\n",
       .tes = tes,
       .fs = pass_fs});
   glPatchParameteri(GL_PATCH_VERTICES, 3);
   glBegin(GL_PATCHES);
   for (unsigned i = 0; i < 150; i++) {
      float x = -0.95f + 0.19f * (float)(i % 10), y = -0.95f + 0.12f * (float)(i / 10);
      for (unsigned k = 0; k < 3; k++) {
         color(i + k);
         glVertex2f(x + (k == 1 ? 0.17f : 0), y + (k == 2 ? 0.11f : 0));
      }
   }
   glEnd();
}

/* 32 control points, of which each reads its neighbours' behind the barrier. */
static void
barrier_most(void)
{
   use_stages(&(struct stages){
       .vs = pass_vs,
       .tcs = "layout(vertices = 32) out;\n"
              "in vec4 tint[];\nout vec4 own[];\nout vec4 mixed[];\npatch out vec4 sum;\n"
              "void main() {\n"
              "   gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;\n"
              "   own[gl_InvocationID] = tint[gl_InvocationID] * (0.5 + gl_InvocationID / 64.0);\n"
              "   barrier();\n"
              "   mixed[gl_InvocationID] = (own[(gl_InvocationID + 1) % 32] + own[(gl_InvocationID "
              "+ 29) % 32]) / 2.0;\n"
              "   barrier();\n"
              "   if (gl_InvocationID == 5) {\n"
              "      sum = vec4(0);\n"
              "      for (int k = 0; k < 32; k++) sum += mixed[k] / 32.0;\n"
              "   }\n"
              "   for (int k = 0; k < 4; k++) gl_TessLevelOuter[k] = 8.0;\n"
              "   gl_TessLevelInner[0] = gl_TessLevelInner[1] = 8.0;\n"
              "}\n",
       .tes = "layout(quads, equal_spacing) in;\n"
              "in vec4 mixed[];\npatch in vec4 sum;\nout vec4 shade;\n"
              "void main() {\n"
              "   int k = int(gl_TessCoord.x * 31.0);\n"
              "   gl_Position = vec4(gl_TessCoord.xy * 1.8 - 0.9, 0, 1) + gl_in[k].gl_Position * "
              "0.05;\n"
              "   gl_Position.w = 1.0;\n"
              "   shade = mixed[k] * 0.7 + sum * 0.3;\n"
              "}\n",
       .fs = pass_fs});
   glPatchParameteri(GL_PATCH_VERTICES, 32);
   glBegin(GL_PATCHES);
   ring(32, 0.8f);
   glEnd();
}

/* Without a control shader: factors are the context's. */
static void
no_control(void)
{
   static const float outer[4] = {3, 5, 4, 2}, inner[2] = {4, 3};
   use_stages(&(struct stages){
       .vs = pass_vs,
       .tes = "layout(quads, equal_spacing) in;\n"
              "in vec4 tint[];\nout vec4 shade;\n"
              "void main() {\n"
              "   vec2 t = gl_TessCoord.xy;\n"
              "   gl_Position = mix(mix(gl_in[0].gl_Position, gl_in[1].gl_Position, t.x),\n"
              "                     mix(gl_in[3].gl_Position, gl_in[2].gl_Position, t.x), t.y);\n"
              "   shade = vec4(fract(t * 4.0), tint[2].r, 1);\n"
              "}\n",
       .fs = pass_fs});
   glPatchParameteri(GL_PATCH_VERTICES, 4);
   glPatchParameterfv(GL_PATCH_DEFAULT_OUTER_LEVEL, outer);
   glPatchParameterfv(GL_PATCH_DEFAULT_INNER_LEVEL, inner);
   glBegin(GL_PATCHES);
   ring(8, 0.9f);
   glEnd();
}

/* More or fewer control points than come in. */
static void
other_count(void)
{
   use_stages(&(struct stages){
       .vs = pass_vs,
       .tcs =
           "layout(vertices = 5) out;\n"
           "in vec4 tint[];\nout vec4 own[];\n"
           "void main() {\n"
           "   int k = gl_InvocationID % gl_PatchVerticesIn;\n"
           "   gl_out[gl_InvocationID].gl_Position = gl_in[k].gl_Position * (gl_InvocationID > 2 ? "
           "0.5 : 1.0);\n"
           "   gl_out[gl_InvocationID].gl_Position.w = 1.0;\n"
           "   own[gl_InvocationID] = tint[k];\n"
           "   gl_TessLevelOuter[0] = 4.0; gl_TessLevelOuter[1] = 3.0; gl_TessLevelOuter[2] = "
           "2.0;\n"
           "   gl_TessLevelInner[0] = 3.0;\n"
           "}\n",
       .tes = "layout(triangles, equal_spacing) in;\n"
              "in vec4 own[];\nout vec4 shade;\n"
              "void main() {\n"
              "   vec3 t = gl_TessCoord;\n"
              "   gl_Position = t.x * gl_in[1].gl_Position + t.y * gl_in[4].gl_Position + t.z * "
              "gl_in[2].gl_Position;\n"
              "   shade = t.x * own[1] + t.y * own[4] + t.z * own[0];\n"
              "}\n",
       .fs = pass_fs});
   glPatchParameteri(GL_PATCH_VERTICES, 3);
   glBegin(GL_PATCHES);
   ring(9, 0.9f);
   glEnd();
}

/* All stages at once. */
static void
with_geometry(void)
{
   char tcs[1024], tes[1600];
   control(tcs, sizeof(tcs), 4, "3,4,5,6", "4,5");
   snprintf(tes, sizeof(tes), "layout(quads, equal_spacing) in;\n%s", quad_tes);
   use_stages(&(struct stages){
       .vs = pass_vs,
       .tcs = tcs,
       .tes = tes,
       .gs = "layout(triangles) in;\nlayout(triangle_strip, max_vertices = 3) out;\n"
             "in vec4 shade[];\nout vec4 last;\n"
             "void main() {\n"
             "   vec4 c = (gl_in[0].gl_Position + gl_in[1].gl_Position + gl_in[2].gl_Position) / "
             "3.0;\n"
             "   for (int i = 0; i < 3; i++) {\n"
             "      gl_Position = mix(gl_in[i].gl_Position, c, 0.2);\n"
             "      last = shade[i];\n"
             "      EmitVertex();\n"
             "   }\n"
             "}\n",
       .fs = "in vec4 last;\nvoid main() { gl_FragColor = last; }\n"});
   glPatchParameteri(GL_PATCH_VERTICES, 4);
   glBegin(GL_PATCHES);
   ring(8, 0.9f);
   glEnd();
}

const struct picture tessellation_pictures[] = {
    {"tess_quad_integer", quad_integer, 1, 12, "P3D-101 P3D-109 P3D-127"},
    {"tess_quad_odd", quad_odd, 1, 12},
    {"tess_quad_even", quad_even, 1, 12},
    {"tess_quad_least", quad_least, 1, 8},
    {"tess_quad_most", quad_most, 4, 60},
    {"tess_quad_beyond", quad_beyond, 4, 60},
    {"tess_quad_culled", quad_culled, 1, 8, "P3D-110"},
    {"tess_quad_points", quad_points, 1, 12, "P3D-124"},
    {"tess_tri_integer", tri_integer, 1, 12},
    {"tess_tri_odd", tri_odd, 1, 12},
    {"tess_tri_even", tri_even, 1, 12},
    {"tess_tri_clockwise", tri_clockwise, 1, 12},
    {"tess_tri_most", tri_most, 4, 60},
    {"tess_tri_culled_faces", tri_culled_faces, 1, 12},
    {"tess_isolines", isolines, 2, 12},
    {"tess_isolines_fractional", isolines_fractional, 2, 12},
    {"tess_many_patches", many_patches, 2, 60, "P3D-105 P3D-132"},
    {"tess_barrier_most", barrier_most, 2, 20, "P3D-100 P3D-102 P3D-103"},
    {"tess_no_control", no_control, 1, 12},
    {"tess_other_count", other_count, 1, 12},
    {"tess_with_geometry", with_geometry, 1, 20, "P3D-378"},
    {0},
};
