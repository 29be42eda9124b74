/* Transform feedback: what was written is shown, word by word. */
#include "gl_draw.h"

#include <string.h>

#define WORDS (SIZE * SIZE)

static const char feed_vs[] = "out vec4 a;\nout vec3 b;\nout float c;\nflat out ivec2 d;\n"
                              "void main() {\n"
                              "   gl_Position = gl_Vertex;\n"
                              "   gl_PointSize = float(gl_VertexID) + 1.0;\n"
                              "   a = gl_Color; b = gl_Vertex.xyz * 4.0; c = float(gl_VertexID); d "
                              "= ivec2(gl_VertexID, -3);\n"
                              "}\n";
static const char show_fs[] = "void main() { gl_FragColor = vec4(1, 0.5, 0.25, 1); }\n";

/* The words of a buffer as pixels, from a row of the picture on. */
static void
show(GLuint b, unsigned row, unsigned words)
{
   static uint32_t data[WORDS];
   memset(data, 0x55, sizeof(data));
   glBindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, b);
   glGetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, words * 4, data);
   glUseProgram(0);
   glDisable(GL_RASTERIZER_DISCARD);
   glWindowPos2i(0, (GLint)row);
   glDrawPixels(SIZE, (GLsizei)((words + SIZE - 1) / SIZE), GL_RGBA, GL_UNSIGNED_BYTE, data);
}

static GLuint
target(unsigned index, unsigned words)
{
   static uint32_t fill[WORDS];
   GLuint b;
   memset(fill, 0xaa, sizeof(fill));
   glGenBuffers(1, &b);
   glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, index, b);
   glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, words * 4, fill, GL_STATIC_DRAW);
   return b;
}

/* Vertices by an array, so that the mode may be any. */
static void
vertices(GLenum mode, unsigned n)
{
   float v[64][2], c[64][4];
   for (unsigned i = 0; i < n; i++) {
      v[i][0] = -0.9f + 0.125f * (float)(i % 14);
      v[i][1] = i & 1 ? 0.47f : -0.47f;
      for (unsigned k = 0; k < 4; k++)
         c[i][k] = (float)((i * 4 + k) % 16) / 16.0f;
   }
   glEnableClientState(GL_VERTEX_ARRAY);
   glEnableClientState(GL_COLOR_ARRAY);
   glVertexPointer(2, GL_FLOAT, 0, v);
   glColorPointer(4, GL_FLOAT, 0, c);
   glDrawArrays(mode, 0, (GLsizei)n);
}

static void
capture(GLenum feedback, GLenum mode, unsigned n)
{
   glBeginTransformFeedback(feedback);
   vertices(mode, n);
   glEndTransformFeedback();
}

static void
interleaved(void)
{
   use_stages(&(struct stages){.vs = feed_vs, .fs = show_fs, .feedback = {"a", "b", "c", "d"}});
   GLuint b = target(0, 1024);
   capture(GL_POINTS, GL_POINTS, 13);
   show(b, 0, 1024);
}

static void
separate(void)
{
   use_stages(&(struct stages){.vs = feed_vs,
                               .fs = show_fs,
                               .feedback = {"a", "b", "c", "d"},
                               .feedback_mode = GL_SEPARATE_ATTRIBS});
   GLuint b[4];
   for (unsigned i = 0; i < 4; i++)
      b[i] = target(i, 256);
   capture(GL_TRIANGLES, GL_TRIANGLES, 12);
   for (unsigned i = 0; i < 4; i++)
      show(b[i], 8 * i, 256);
}

static void
holes(void)
{
   use_stages(&(struct stages){.vs = feed_vs,
                               .fs = show_fs,
                               .feedback = {"gl_SkipComponents1", "c", "gl_SkipComponents3", "b",
                                            "gl_NextBuffer", "gl_SkipComponents2", "gl_Position"}});
   GLuint b = target(0, 512), other = target(1, 512);
   capture(GL_POINTS, GL_POINTS, 9);
   show(b, 0, 512);
   show(other, 16, 512);
}

static void
builtins(void)
{
   use_stages(&(struct stages){
       .vs = feed_vs, .fs = show_fs, .feedback = {"gl_PointSize", "gl_Position", "c"}});
   glEnable(GL_PROGRAM_POINT_SIZE);
   GLuint b = target(0, 512);
   capture(GL_POINTS, GL_POINTS, 9);
   show(b, 0, 512);
}

/* Every mode that strips and fans are taken apart of. */
static void
modes(void)
{
   static const struct {
      GLenum feedback, mode;
      unsigned n;
   } m[] = {{GL_LINES, GL_LINES, 7},
            {GL_LINES, GL_LINE_STRIP, 6},
            {GL_LINES, GL_LINE_LOOP, 5},
            {GL_TRIANGLES, GL_TRIANGLES, 8},
            {GL_TRIANGLES, GL_TRIANGLE_STRIP, 8},
            {GL_TRIANGLES, GL_TRIANGLE_FAN, 7}};
   glEnable(GL_RASTERIZER_DISCARD);
   for (unsigned i = 0; i < sizeof(m) / sizeof(m[0]); i++) {
      use_stages(&(struct stages){.vs = feed_vs, .fs = show_fs, .feedback = {"c"}});
      GLuint b = target(0, 128);
      glEnable(GL_RASTERIZER_DISCARD);
      capture(m[i].feedback, m[i].mode, m[i].n);
      show(b, 2 * i, 128);
   }
}

/* A buffer that is full in the middle of an object; and what the queries say. */
static void
overflow(void)
{
   use_stages(&(struct stages){.vs = feed_vs, .fs = show_fs, .feedback = {"c", "a"}});
   glEnable(GL_RASTERIZER_DISCARD);
   for (unsigned i = 0; i < 8; i++) {
      GLuint b = target(0, 128), query[2], result[2];
      glBindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, b, 0, 160 + 20 * (GLsizeiptr)i);
      glGenQueries(2, query);
      glBeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, query[0]);
      glBeginQuery(GL_PRIMITIVES_GENERATED, query[1]);
      glUseProgram(0);
      use_stages(&(struct stages){.vs = feed_vs, .fs = show_fs, .feedback = {"c", "a"}});
      glEnable(GL_RASTERIZER_DISCARD);
      capture(GL_TRIANGLES, GL_TRIANGLES, 18);
      glEndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
      glEndQuery(GL_PRIMITIVES_GENERATED);
      for (unsigned k = 0; k < 2; k++)
         glGetQueryObjectuiv(query[k], GL_QUERY_RESULT, &result[k]);
      glBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 126 * 4, 8, result);
      show(b, 2 * i, 128);
   }
}

static void
pause_and_resume(void)
{
   use_stages(&(struct stages){.vs = feed_vs, .fs = show_fs, .feedback = {"c", "b"}});
   GLuint b = target(0, 512);
   glBeginTransformFeedback(GL_POINTS);
   vertices(GL_POINTS, 5);
   glPauseTransformFeedback();
   vertices(GL_POINTS, 7);
   glResumeTransformFeedback();
   vertices(GL_POINTS, 3);
   glEndTransformFeedback();
   show(b, 0, 512);
}

static void
draw_from_feedback(void)
{
   GLuint object;
   use_stages(&(struct stages){.vs = feed_vs, .fs = show_fs, .feedback = {"gl_Position"}});
   glGenTransformFeedbacks(1, &object);
   glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, object);
   GLuint b = target(0, 1024);
   glEnable(GL_RASTERIZER_DISCARD);
   capture(GL_TRIANGLES, GL_TRIANGLE_STRIP, 13);
   glDisable(GL_RASTERIZER_DISCARD);
   use_program("void main() { gl_Position = gl_Vertex; }\n", show_fs);
   glDisableClientState(GL_COLOR_ARRAY);
   glBindBuffer(GL_ARRAY_BUFFER, b);
   glEnableClientState(GL_VERTEX_ARRAY);
   glVertexPointer(4, GL_FLOAT, 0, NULL);
   glFinish(); /* Mesa 22.3's crocus reads the count on its second thread without waiting for it */
   glDrawTransformFeedback(GL_TRIANGLES, object);
}

/* What a geometry shader sends to four streams. */
static void
streams(void)
{
   use_stages(&(struct stages){
       .vs = feed_vs,
       .gs = "layout(points) in;\nlayout(points, max_vertices = 10) out;\n"
             "in float c[];\n"
             "layout(stream = 0) out vec2 s0;\nlayout(stream = 1) out vec3 s1;\n"
             "layout(stream = 2) out float s2;\nlayout(stream = 3) out vec4 s3;\n"
             "void main() {\n"
             "   for (int i = 0; i < 3; i++) {\n"
             "      gl_Position = gl_in[0].gl_Position; s0 = vec2(c[0], i); EmitStreamVertex(0);\n"
             "      s1 = vec3(c[0], i, 7); EmitStreamVertex(1);\n"
             "      if (i < 2) { s2 = c[0] * 8.0 + i; EmitStreamVertex(2); }\n"
             "   }\n"
             "   s3 = vec4(c[0], 1, 2, 3); EmitStreamVertex(3);\n"
             "}\n",
       .fs = show_fs,
       .feedback = {"s0", "gl_NextBuffer", "s1", "gl_NextBuffer", "s2", "gl_NextBuffer", "s3"}});
   GLuint b[4];
   for (unsigned i = 0; i < 4; i++)
      b[i] = target(i, 256);
   capture(GL_POINTS, GL_POINTS, 11);
   for (unsigned i = 0; i < 4; i++)
      show(b[i], 8 + 8 * i, 256);
}

static void
geometry_strips(void)
{
   use_stages(
       &(struct stages){.vs = feed_vs,
                        .gs = "layout(points) in;\nlayout(triangle_strip, max_vertices = 9) out;\n"
                              "in float c[];\nout vec2 number;\n"
                              "void main() {\n"
                              "   for (int i = 0; i < 9; i++) {\n"
                              "      gl_Position = vec4(0); number = vec2(c[0], i); EmitVertex();\n"
                              "      if (i == 4) EndPrimitive();\n"
                              "   }\n"
                              "}\n",
                        .fs = show_fs,
                        .feedback = {"number"}});
   glEnable(GL_RASTERIZER_DISCARD);
   GLuint b = target(0, 1024);
   capture(GL_TRIANGLES, GL_POINTS, 9);
   show(b, 0, 1024);
}

static void
tessellated(void)
{
   use_stages(&(struct stages){
       .vs = feed_vs,
       .tes =
           "layout(triangles, equal_spacing, point_mode) in;\nout vec3 at;\n"
           "void main() { gl_Position = vec4(0, 0, 0, 1); at = floor(gl_TessCoord * 256.0 + 0.5); "
           "}\n",
       .fs = show_fs,
       .feedback = {"at"}});
   static const float level[4] = {4, 4, 4, 4};
   glPatchParameteri(GL_PATCH_VERTICES, 3);
   glPatchParameterfv(GL_PATCH_DEFAULT_OUTER_LEVEL, level);
   glPatchParameterfv(GL_PATCH_DEFAULT_INNER_LEVEL, level);
   glEnable(GL_RASTERIZER_DISCARD);
   GLuint b = target(0, 512), query, result;
   glGenQueries(1, &query);
   glBeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, query);
   capture(GL_POINTS, GL_PATCHES, 3);
   glEndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
   glGetQueryObjectuiv(query, GL_QUERY_RESULT, &result);
   /* The order of points is the implementation's: how many there are, and their sum. */
   float sum[4] = {(float)result, 0, 0, 0}, p[3];
   for (unsigned i = 0; i < result && i < 100; i++) {
      glGetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, (GLintptr)(12 * i), 12, p);
      for (unsigned k = 0; k < 3; k++)
         sum[1 + k] += p[k];
   }
   glBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 16, sum);
   show(b, 0, 4);
}

const struct picture feedback_pictures[] = {
    {"feedback_interleaved", interleaved, 0, 4, "P3D-161 P3D-165"},
    {"feedback_separate", separate, 0, 4, "P3D-163"},
    {"feedback_holes", holes, 0, 4},
    {"feedback_builtins", builtins, 0, 4, "P3D-162"},
    {"feedback_modes", modes, 0, 4, "P3D-157 P3D-158 P3D-159"},
    {"feedback_overflow", overflow, 0, 4, "P3D-166 P3D-170"},
    {"feedback_pause", pause_and_resume, 0, 4},
    {"feedback_draw", draw_from_feedback, 1, 4, "P3D-380"},
    {"feedback_streams", streams, 0, 4, "P3D-149 P3D-171"},
    {"feedback_geometry_strips", geometry_strips, 0, 4},
    {"feedback_tessellated", tessellated, 0, 4},
    {0},
};
