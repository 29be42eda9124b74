/* Tessellation, geometry shaders, transform feedback and several samples a pixel. */
#include <stdlib.h>

#include "gl_bench.h"

#define PATCHES 24 /* of the terrain, both ways */
#define LEVEL 16
#define PARTICLES 65536

static void
terrain(void)
{
   glDrawArraysInstanced(GL_PATCHES, 0, 4, PATCHES * PATCHES);
}

/* A field of patches that the domain shader lifts to hills. */
static void
measure_terrain(void)
{
   GLuint p = glCreateProgram();
   add_shader(p, GL_VERTEX_SHADER,
              "void main() { vec2 p = vec2(gl_VertexID & 1, gl_VertexID >> 1)"
              " + vec2(gl_InstanceID % 24, gl_InstanceID / 24);"
              " gl_Position = vec4(p / 12.0 - 1.0, 0, 1); }");
   add_shader(
       p, GL_TESS_CONTROL_SHADER,
       "layout(vertices = 4) out; void main() {"
       " gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;"
       " if (gl_InvocationID == 0) { for (int i = 0; i < 4; i++) gl_TessLevelOuter[i] = 16.0;"
       " gl_TessLevelInner[0] = gl_TessLevelInner[1] = 16.0; } }");
   add_shader(p, GL_TESS_EVALUATION_SHADER,
              "layout(quads) in; out float h; void main() {"
              " vec4 a = mix(gl_in[0].gl_Position, gl_in[1].gl_Position, gl_TessCoord.x);"
              " vec4 b = mix(gl_in[2].gl_Position, gl_in[3].gl_Position, gl_TessCoord.x);"
              " vec4 q = mix(a, b, gl_TessCoord.y); h = sin(q.x * 9.0) * cos(q.y * 7.0);"
              " gl_Position = vec4(q.x, q.y + 0.1 * h, 0, 1); }");
   add_shader(p, GL_FRAGMENT_SHADER,
              "in float h; out vec4 o; void main() { o = vec4(h, 0.5, 0.2, 1); }");
   link_program(p);
   glUseProgram(p);
   glPatchParameteri(GL_PATCH_VERTICES, 4);
   measure("terrain_mtriangles", terrain, 2.0 * LEVEL * LEVEL * PATCHES * PATCHES);
}

static void
particles(void)
{
   glDrawArrays(GL_POINTS, 0, PARTICLES);
}

/* Points that a geometry shader makes squares of. */
static void
measure_particles(void)
{
   GLuint p = glCreateProgram();
   add_shader(p, GL_VERTEX_SHADER,
              "out vec3 c; void main() { uint n = uint(gl_VertexID) * 2654435761u;"
              " vec2 p = vec2(n & 65535u, n >> 16) / 32768.0 - 1.0; c = vec3(p, 0.5);"
              " gl_Position = vec4(p, 0, 1); }");
   add_shader(p, GL_GEOMETRY_SHADER,
              "layout(points) in; layout(triangle_strip, max_vertices = 4) out;"
              " in vec3 c[]; out vec3 d; void main() { for (int i = 0; i < 4; i++) { d = c[0];"
              " gl_Position = gl_in[0].gl_Position + vec4(i & 1, i >> 1, 0, 0) * 0.004;"
              " EmitVertex(); } }");
   add_shader(p, GL_FRAGMENT_SHADER, "in vec3 d; out vec4 o; void main() { o = vec4(d, 1); }");
   link_program(p);
   glUseProgram(p);
   measure("particles_mpoints", particles, PARTICLES);
}

static GLuint places[2];

/* One step of a simulation: the places of one buffer moved on into the other. */
static void
step(void)
{
   static unsigned from;
   glBindBuffer(GL_ARRAY_BUFFER, places[from]);
   glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 16, NULL);
   glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, places[!from]);
   glBeginTransformFeedback(GL_POINTS);
   glDrawArrays(GL_POINTS, 0, PARTICLES);
   glEndTransformFeedback();
   from = !from;
}

static void
measure_feedback(void)
{
   static const char *const out[] = {"q"};
   float *start = malloc(sizeof(float) * 4 * PARTICLES);
   GLuint p = glCreateProgram();
   if (!start)
      fail("no memory");
   for (unsigned i = 0; i < 4 * PARTICLES; i++)
      start[i] = (float)(i * 2654435761u >> 16) / 32768.0f - 1.0f;
   glGenBuffers(2, places);
   for (unsigned i = 0; i < 2; i++) {
      glBindBuffer(GL_ARRAY_BUFFER, places[i]);
      glBufferData(GL_ARRAY_BUFFER, sizeof(float) * 4 * PARTICLES, start, GL_DYNAMIC_COPY);
   }
   free(start);
   add_shader(p, GL_VERTEX_SHADER,
              "layout(location = 0) in vec4 p; out vec4 q; void main() { vec2 v = p.zw"
              " - p.xy * 0.01; q = vec4(p.xy + v * 0.01, v); gl_Position = vec4(p.xy, 0, 1); }");
   glTransformFeedbackVaryings(p, 1, out, GL_INTERLEAVED_ATTRIBS);
   link_program(p);
   glUseProgram(p);
   glEnableVertexAttribArray(0);
   glEnable(GL_RASTERIZER_DISCARD);
   measure("feedback_mvertices", step, PARTICLES);
   glDisable(GL_RASTERIZER_DISCARD);
   glDisableVertexAttribArray(0);
}

void
measure_stages(void)
{
   glDisableVertexAttribArray(0);
   measure_terrain();
   measure_particles();
   measure_feedback();
}

static void
measure_fill_of(GLsizei samples, const char *name)
{
   GLuint color, frame;
   GLint before, most;
   glGetIntegerv(GL_MAX_SAMPLES, &most);
   if (samples > most)
      return;
   glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &before);
   glGenRenderbuffers(1, &color);
   glBindRenderbuffer(GL_RENDERBUFFER, color);
   glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_RGBA8, SIZE, SIZE);
   glGenFramebuffers(1, &frame);
   glBindFramebuffer(GL_FRAMEBUFFER, frame);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color);
   measure(name, fill, (double)SIZE * SIZE);
   glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)before);
   glDeleteFramebuffers(1, &frame);
   glDeleteRenderbuffers(1, &color);
}

/* llvmpipe has 4 samples at most: of 8 it prints nothing. */
void
measure_samples(void)
{
   glUseProgram(
       program(quad_vs, "in vec2 t; out vec4 o; void main() { o = vec4(t, t.x * t.y, 1); }"));
   measure_fill_of(4, "samples4_mpixels");
   measure_fill_of(8, "samples8_mpixels");
}
