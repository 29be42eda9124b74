/* Pictures of geometry shaders: every input and output, adjacency, instances, layers, viewports. */
#include "gl_draw.h"

#include <stdio.h>

static const char pass_vs[] = "out vec4 tint;\n"
                              "void main() { gl_Position = gl_Vertex; tint = gl_Color; }\n";
static const char pass_fs[] = "in vec4 shade;\n"
                              "void main() { gl_FragColor = shade; }\n";

/* A program with this geometry shader; `tint` comes in, `shade` goes out. */
static void
geometry(const char *body)
{
   use_stages(&(struct stages){.vs = pass_vs, .gs = body, .fs = pass_fs});
}

static void
draw(GLenum mode, unsigned n)
{
   glBegin(mode);
   ring(n, 0.8f);
   glEnd();
}

#define IO "in vec4 tint[];\nout vec4 shade;\n"

static void
pass_triangles(void)
{
   geometry("layout(triangles) in;\nlayout(triangle_strip, max_vertices = 3) out;\n" IO
            "void main() {\n"
            "   for (int i = 0; i < 3; i++) {\n"
            "      gl_Position = gl_in[i].gl_Position;\n"
            "      shade = tint[i];\n"
            "      EmitVertex();\n"
            "   }\n"
            "}\n");
   draw(GL_TRIANGLES, 15);
}

/* An odd number of objects, so that one of two is alone in its thread. */
static void
strip_input(void)
{
   geometry(
       "layout(triangles) in;\nlayout(triangle_strip, max_vertices = 3) out;\n" IO "void main() {\n"
       "   vec4 c = (gl_in[0].gl_Position + gl_in[1].gl_Position + gl_in[2].gl_Position) / 3;\n"
       "   for (int i = 0; i < 3; i++) {\n"
       "      gl_Position = mix(gl_in[i].gl_Position, c, 0.25);\n"
       "      shade = vec4(i == 0, i == 1, i == 2, 1) * 0.5 + tint[i] * 0.5;\n"
       "      EmitVertex();\n"
       "   }\n"
       "}\n");
   glEnable(GL_CULL_FACE);
   glFrontFace(GL_CW);
   glBegin(GL_TRIANGLE_STRIP);
   for (unsigned i = 0; i < 9; i++) {
      color(i);
      glVertex2f(-0.9f + 0.2f * (float)i, i & 1 ? 0.6f : -0.5f);
   }
   glEnd();
}

static void
fan_input(void)
{
   geometry("layout(triangles) in;\nlayout(line_strip, max_vertices = 4) out;\n" IO
            "void main() {\n"
            "   for (int i = 0; i < 4; i++) {\n"
            "      gl_Position = gl_in[i % 3].gl_Position * vec4(0.97, 0.97, 1, 1);\n"
            "      shade = tint[0];\n"
            "      EmitVertex();\n"
            "   }\n"
            "}\n");
   draw(GL_TRIANGLE_FAN, 8);
}

static void
points_to_quads(void)
{
   geometry("layout(points) in;\nlayout(triangle_strip, max_vertices = 4) out;\n" IO
            "void main() {\n"
            "   for (int i = 0; i < 4; i++) {\n"
            "      vec2 o = vec2(i & 1, i >> 1) * 0.25 - 0.11;\n"
            "      gl_Position = gl_in[0].gl_Position + vec4(o, 0, 0);\n"
            "      shade = tint[0] * (1 - 0.2 * i);\n"
            "      EmitVertex();\n"
            "   }\n"
            "}\n");
   draw(GL_POINTS, 17);
}

/* Strips that are ended by hand: cut bits, more than 32 of them. */
static void
cuts(void)
{
   geometry("layout(points) in;\nlayout(triangle_strip, max_vertices = 96) out;\n" IO
            "void main() {\n"
            "   for (int k = 0; k < 24; k++) {\n"
            "      float a = k * 0.2617994;\n"
            "      for (int i = 0; i < 3 + (k & 1); i++) {\n"
            "         float b = a + 0.1 * i, d = (i & 1) == 0 ? 0.08 : 0.17;\n"
            "         gl_Position = gl_in[0].gl_Position + vec4(d * cos(b), d * sin(b), 0, 0);\n"
            "         shade = mix(tint[0], vec4(1), i * 0.2);\n"
            "         EmitVertex();\n"
            "      }\n"
            "      EndPrimitive();\n"
            "   }\n"
            "}\n");
   draw(GL_POINTS, 11);
}

static void
lines_to_bands(void)
{
   geometry("layout(lines) in;\nlayout(triangle_strip, max_vertices = 4) out;\n" IO
            "void main() {\n"
            "   vec2 d = normalize(gl_in[1].gl_Position.xy - gl_in[0].gl_Position.xy);\n"
            "   for (int i = 0; i < 4; i++) {\n"
            "      gl_Position = gl_in[i >> 1].gl_Position;\n"
            "      gl_Position.xy += vec2(-d.y, d.x) * ((i & 1) == 0 ? 0.05 : -0.05);\n"
            "      shade = tint[i >> 1];\n"
            "      EmitVertex();\n"
            "   }\n"
            "}\n");
   draw(GL_LINE_LOOP, 7);
}

static void
to_points(void)
{
   geometry("layout(triangles) in;\nlayout(points, max_vertices = 7) out;\n" IO "void main() {\n"
            "   for (int i = 0; i < 7; i++) {\n"
            "      gl_Position = mix(gl_in[i % 3].gl_Position, gl_in[(i + 1) % 3].gl_Position, i / "
            "8.0);\n"
            "      gl_PointSize = 2.0 + i;\n"
            "      shade = tint[i % 3];\n"
            "      EmitVertex();\n"
            "   }\n"
            "}\n");
   glEnable(GL_PROGRAM_POINT_SIZE);
   draw(GL_TRIANGLES, 12);
}

static void
line_adjacency(void)
{
   geometry("layout(lines_adjacency) in;\nlayout(triangle_strip, max_vertices = 4) out;\n" IO
            "void main() {\n"
            "   for (int i = 0; i < 4; i++) {\n"
            "      gl_Position = gl_in[i ^ (i >> 1)].gl_Position;\n"
            "      shade = tint[i];\n"
            "      EmitVertex();\n"
            "   }\n"
            "}\n");
   draw(GL_LINES_ADJACENCY, 12);
}

static void
line_strip_adjacency(void)
{
   geometry(
       "layout(lines_adjacency) in;\nlayout(triangle_strip, max_vertices = 3) out;\n" IO
       "void main() {\n"
       "   for (int i = 0; i < 3; i++) {\n"
       "      gl_Position = gl_in[i == 2 ? 3 : i].gl_Position * vec4(vec2(0.4 + 0.3 * i), 1, 1);\n"
       "      shade = tint[i];\n"
       "      EmitVertex();\n"
       "   }\n"
       "}\n");
   draw(GL_LINE_STRIP_ADJACENCY, 9);
}

static const char adjacent_gs[] =
    "layout(triangles_adjacency) in;\nlayout(triangle_strip, max_vertices = 12) out;\n" IO
    "void main() {\n"
    "   for (int e = 0; e < 3; e++) {\n"
    "      int v[3] = int[](2 * e, 2 * e + 1, (2 * e + 2) % 6);\n"
    "      for (int i = 0; i < 3; i++) {\n"
    "         vec4 c = (gl_in[0].gl_Position + gl_in[2].gl_Position + gl_in[4].gl_Position) / 3;\n"
    "         gl_Position = mix(gl_in[v[i]].gl_Position, c, 0.4);\n"
    "         shade = tint[v[i]] * 0.5 + vec4(e == 0, e == 1, e == 2, 1) * 0.5;\n"
    "         EmitVertex();\n"
    "      }\n"
    "      EndPrimitive();\n"
    "   }\n"
    "}\n";

static void
triangle_adjacency(void)
{
   geometry(adjacent_gs);
   draw(GL_TRIANGLES_ADJACENCY, 18);
}

static void
strip_adjacency(unsigned n)
{
   geometry(adjacent_gs);
   glBegin(GL_TRIANGLE_STRIP_ADJACENCY);
   for (unsigned i = 0; i < n; i++) {
      color(i / 2 + (i & 1) * 3);
      float x = -0.9f + 0.14f * (float)(i & ~1u);
      glVertex2f(x + (i & 1 ? 0.1f : 0), (i & 2 ? 0.4f : -0.4f) * (i & 1 ? 2.2f : 1));
   }
   glEnd();
}
static void
strip_adjacency_one(void)
{
   strip_adjacency(6);
}
static void
strip_adjacency_two(void)
{
   strip_adjacency(8);
}
static void
strip_adjacency_many(void)
{
   strip_adjacency(14);
}

static void
invocations(unsigned n)
{
   char body[1024];
   snprintf(body, sizeof(body),
            "layout(points, invocations = %u) in;\n"
            "layout(triangle_strip, max_vertices = 3) out;\n" IO "void main() {\n"
            "   float a = gl_InvocationID * 6.2831853 / %u.0;\n"
            "   for (int i = 0; i < 3; i++) {\n"
            "      float b = a + i * 0.09, d = i == 1 ? 0.3 : 0.12;\n"
            "      gl_Position = gl_in[0].gl_Position + vec4(d * cos(b), d * sin(b), 0, 0);\n"
            "      shade = tint[0] * (0.3 + 0.7 * float(gl_InvocationID) / %u.0);\n"
            "      EmitVertex();\n"
            "   }\n"
            "}\n",
            n, n, n);
   geometry(body);
   draw(GL_POINTS, 9);
}
static void
invocations_odd(void)
{
   invocations(5);
}
static void
invocations_most(void)
{
   invocations(32);
}

static void
primitive_id(void)
{
   geometry("layout(triangles) in;\nlayout(triangle_strip, max_vertices = 3) out;\n" IO
            "void main() {\n"
            "   for (int i = 0; i < 3; i++) {\n"
            "      gl_Position = gl_in[i].gl_Position;\n"
            "      gl_PrimitiveID = gl_PrimitiveIDIn;\n"
            "      shade = vec4(gl_PrimitiveIDIn % 3, gl_PrimitiveIDIn / 3, 2, 2) / 2;\n"
            "      EmitVertex();\n"
            "   }\n"
            "}\n");
   draw(GL_TRIANGLE_FAN, 9);
}

/* 1024 components: entries of many rows. */
static void
many_components(void)
{
   use_stages(&(struct stages){
       .vs = pass_vs,
       .gs =
           "layout(triangles) in;\nlayout(triangle_strip, max_vertices = 15) out;\n"
           "in vec4 tint[];\nout vec4 wide[15];\n"
           "void main() {\n"
           "   for (int i = 0; i < 15; i++) {\n"
           "      gl_Position = gl_in[i % 3].gl_Position * vec4(vec2(1 - 0.06 * (i / 3)), 1, 1);\n"
           "      for (int k = 0; k < 15; k++)\n"
           "         wide[k] = tint[(i + k) % 3] * (k + 1) / 120;\n"
           "      EmitVertex();\n"
           "      if (i % 3 == 2)\n"
           "         EndPrimitive();\n"
           "   }\n"
           "}\n",
       .fs = "in vec4 wide[15];\n"
             "void main() { gl_FragColor = vec4(0); for (int k = 0; k < 15; k++) gl_FragColor += "
             "wide[k]; }\n"});
   draw(GL_TRIANGLES, 9);
}

static void
most_vertices(void)
{
   geometry(
       "layout(points) in;\nlayout(line_strip, max_vertices = 200) out;\n" IO "void main() {\n"
       "   for (int i = 0; i < 200; i++) {\n"
       "      float a = i * 0.2, d = 0.001 * i;\n"
       "      gl_Position = gl_in[0].gl_Position * 0.8 + vec4(d * cos(a), d * sin(a), 0, 0.2);\n"
       "      shade = mix(tint[0], vec4(1), i / 200.0);\n"
       "      EmitVertex();\n"
       "   }\n"
       "}\n");
   draw(GL_POINTS, 5);
}

static void
nothing_comes_out(void)
{
   geometry("layout(triangles) in;\nlayout(triangle_strip, max_vertices = 3) out;\n" IO
            "void main() {\n"
            "   int n = gl_PrimitiveIDIn % 3 == 1 ? 2 : gl_PrimitiveIDIn % 3 == 2 ? 3 : 0;\n"
            "   for (int i = 0; i < n; i++) {\n"
            "      gl_Position = gl_in[i].gl_Position;\n"
            "      shade = tint[i];\n"
            "      EmitVertex();\n"
            "   }\n"
            "}\n");
   draw(GL_TRIANGLES, 27);
}

static void
viewports(void)
{
   geometry("layout(triangles, invocations = 4) in;\n"
            "layout(triangle_strip, max_vertices = 3) out;\n" IO "void main() {\n"
            "   for (int i = 0; i < 3; i++) {\n"
            "      gl_Position = gl_in[i].gl_Position;\n"
            "      gl_ViewportIndex = gl_InvocationID;\n"
            "      shade = tint[(i + gl_InvocationID) % 3];\n"
            "      EmitVertex();\n"
            "   }\n"
            "}\n");
   for (unsigned i = 0; i < 4; i++)
      glViewportIndexedf(i, (float)(i & 1) * SIZE / 2, (float)(i >> 1) * SIZE / 2,
                         SIZE / 2 - 8.0f * (float)i, SIZE / 2);
   draw(GL_TRIANGLES, 6);
}

/* Six layers, then each read back into its part of the picture. */
static void
layers(void)
{
   GLint drawn;
   GLuint texture, frame;
   glGetIntegerv(GL_FRAMEBUFFER_BINDING, &drawn);
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D_ARRAY, texture);
   glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA8, 32, 32, 6, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
   glGenFramebuffers(1, &frame);
   glBindFramebuffer(GL_FRAMEBUFFER, frame);
   glFramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0);
   glViewport(0, 0, 32, 32);
   glClearColor(0, 0, 0, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   geometry("layout(triangles) in;\nlayout(triangle_strip, max_vertices = 18) out;\n" IO
            "void main() {\n"
            "   for (int l = 0; l < 6; l++) {\n"
            "      for (int i = 0; i < 3; i++) {\n"
            "         gl_Layer = l;\n"
            "         gl_Position = gl_in[i].gl_Position * vec4(vec2(1 - 0.15 * l), 1, 1);\n"
            "         shade = tint[(i + l) % 3];\n"
            "         EmitVertex();\n"
            "      }\n"
            "      EndPrimitive();\n"
            "   }\n"
            "}\n");
   draw(GL_TRIANGLES, 3);
   for (int i = 0; i < 6; i++) {
      glFramebufferTextureLayer(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0, i);
      glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)drawn);
      glBlitFramebuffer(0, 0, 32, 32, 40 * (i % 3), 40 * (i / 3), 40 * (i % 3) + 32,
                        40 * (i / 3) + 32, GL_COLOR_BUFFER_BIT, GL_NEAREST);
   }
}

static void
clip_distances(void)
{
   geometry("layout(triangles) in;\nlayout(triangle_strip, max_vertices = 3) out;\n" IO
            "out float gl_ClipDistance[2];\n"
            "void main() {\n"
            "   for (int i = 0; i < 3; i++) {\n"
            "      gl_Position = gl_in[i].gl_Position;\n"
            "      gl_ClipDistance[0] = gl_Position.x + 0.4;\n"
            "      gl_ClipDistance[1] = 0.5 - gl_Position.y;\n"
            "      shade = tint[i];\n"
            "      EmitVertex();\n"
            "   }\n"
            "}\n");
   glEnable(GL_CLIP_DISTANCE0);
   glEnable(GL_CLIP_DISTANCE1);
   draw(GL_TRIANGLES, 9);
}

/* Constants and a texture. */
static void
reads(void)
{
   uint8_t texel[16 * 16 * 4];
   for (unsigned i = 0; i < sizeof(texel); i++)
      texel[i] = (uint8_t)(i * 37);
   GLuint texture;
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 16, 16, 0, GL_RGBA, GL_UNSIGNED_BYTE, texel);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   GLuint p = use_stages(&(struct stages){
       .vs = pass_vs,
       .gs = "layout(points) in;\nlayout(triangle_strip, max_vertices = 4) out;\n" IO
             "uniform sampler2D map;\nuniform vec2 corner[4];\n"
             "void main() {\n"
             "   for (int i = 0; i < 4; i++) {\n"
             "      gl_Position = gl_in[0].gl_Position + vec4(corner[i], 0, 0);\n"
             "      shade = texelFetch(map, ivec2(i * 3 + gl_PrimitiveIDIn, i), 0);\n"
             "      EmitVertex();\n"
             "   }\n"
             "}\n",
       .fs = pass_fs});
   static const float corner[8] = {-0.1f, -0.1f, 0.12f, -0.1f, -0.1f, 0.1f, 0.1f, 0.15f};
   glUniform2fv(glGetUniformLocation(p, "corner"), 4, corner);
   draw(GL_POINTS, 9);
}

const struct picture geometry_pictures[] = {
    {"gs_triangles", pass_triangles, 1, 4, "P3D-136"},
    {"gs_strip_input", strip_input, 1, 8, "P3D-142"},
    {"gs_fan_input", fan_input, 3, 8},
    {"gs_points_to_quads", points_to_quads, 1, 8, "P3D-145"},
    {"gs_cuts", cuts, 2, 40, "P3D-148"},
    {"gs_lines_to_bands", lines_to_bands, 1, 8},
    {"gs_to_points", to_points, 1, 8},
    {"gs_line_adjacency", line_adjacency, 1, 8, "P3D-144"},
    {"gs_line_strip_adjacency", line_strip_adjacency, 1, 8},
    {"gs_triangle_adjacency", triangle_adjacency, 1, 12},
    {"gs_strip_adjacency_one", strip_adjacency_one, 1, 8},
    {"gs_strip_adjacency_two", strip_adjacency_two, 1, 8},
    {"gs_strip_adjacency_many", strip_adjacency_many, 1, 12, "P3D-143"},
    {"gs_invocations_odd", invocations_odd, 1, 20, "P3D-135"},
    {"gs_invocations_most", invocations_most, 1, 40, "P3D-138"},
    {"gs_primitive_id", primitive_id, 1, 8, "P3D-139"},
    {"gs_many_components", many_components, 1, 8},
    {"gs_most_vertices", most_vertices, 4, 20},
    {"gs_nothing", nothing_comes_out, 1, 8, "P3D-152"},
    {"gs_viewports", viewports, 1, 8, "P3D-155"},
    {"gs_layers", layers, 1, 8},
    {"gs_clip_distances", clip_distances, 1, 8},
    {"gs_reads", reads, 1, 8, "P3D-379"},
    {0},
};
