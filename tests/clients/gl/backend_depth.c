/* Depth, stencil, and what of the shader decides about them. */
#include "gl_backend.h"

static const struct quad slope = {8, 0, 56, 64, {0.0f, 1.0f}, {{1, 0, 0, 1}, {1, 0, 0, 1}}};
static const struct quad back_slope = {0, 8, 64, 56, {0.9f, 0.1f}, {{0, 1, 0, 1}, {0, 1, 0, 1}}};
static const struct quad middle = {16, 16, 48, 48, {0.5f, 0.5f}, {{0, 0, 1, 1}, {0, 0, 1, 1}}};

static void
function(const void *data)
{
   gl.Enable(GL_DEPTH_TEST);
   gl.DepthFunc(GL_ALWAYS);
   draw_quad(&slope);
   gl.DepthFunc(*(const GLenum *)data);
   draw_quad(&back_slope);
   draw_quad(&middle);
}

static void
no_write(const void *data)
{
   (void)data;
   gl.Enable(GL_DEPTH_TEST);
   draw_quad(&slope);
   gl.DepthMask(0);
   draw_quad(&middle);
   gl.DepthMask(1);
   draw_quad(&back_slope);
}

static void
range_and_clamp(const void *data)
{
   (void)data;
   struct quad beyond = slope;
   beyond.z[0] = -0.5f, beyond.z[1] = 1.5f;
   gl.Enable(GL_DEPTH_TEST);
   gl.Enable(GL_DEPTH_CLAMP);
   gl.DepthRange(0.25, 0.75);
   gl.DepthFunc(GL_LEQUAL);
   draw_quad(&beyond);
   gl.Disable(GL_DEPTH_CLAMP);
   draw_quad(&back_slope);
}

static void
discards(const void *data)
{
   (void)data;
   gl.Enable(GL_DEPTH_TEST);
   use_shader("layout(location = 0) out vec4 o;",
              "if ((int(gl_FragCoord.x) + int(gl_FragCoord.y)) % 3 == 0) discard; o = c;");
   draw_quad(&slope);
   use_shader("layout(location = 0) out vec4 o;", "o = c;");
   draw_quad(&back_slope);
   draw_quad(&middle);
}

static void
computed(const void *data)
{
   gl.Enable(GL_DEPTH_TEST);
   draw_quad(&slope);
   use_shader("layout(location = 0) out vec4 o;", data);
   draw_quad(&back_slope);
}

static void
early(const void *data)
{
   (void)data;
   gl.Enable(GL_DEPTH_TEST);
   use_shader("layout(early_fragment_tests) in; layout(location = 0) out vec4 o;",
              "if (int(gl_FragCoord.x) % 2 == 0) discard; o = c;");
   draw_quad(&slope);
   use_shader("layout(location = 0) out vec4 o;", "o = c;");
   draw_quad(&back_slope);
}

static void
depth_only(const void *data)
{
   (void)data;
   gl.Enable(GL_DEPTH_TEST);
   gl.ColorMask(0, 0, 0, 0);
   draw_quad(&slope);
   gl.ColorMask(1, 1, 1, 1);
   draw_quad(&back_slope);
}

static void
clears(const void *data)
{
   (void)data;
   gl.Enable(GL_DEPTH_TEST);
   gl.Enable(GL_SCISSOR_TEST);
   gl.Scissor(7, 5, 40, 30);
   gl.ClearDepth(0.3);
   gl.ClearStencil(0x35);
   gl.StencilMask(0x0f);
   gl.Clear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
   gl.Disable(GL_SCISSOR_TEST);
   draw_quad(&slope);
}

static void
offset(const void *data)
{
   (void)data;
   gl.Enable(GL_DEPTH_TEST);
   draw_quad(&slope);
   gl.DepthFunc(GL_LESS);
   gl.Enable(GL_POLYGON_OFFSET_FILL);
   gl.PolygonOffset(-1, -4);
   struct quad again = slope;
   again.color[0][1] = again.color[1][1] = 1;
   draw_quad(&again);
}

/* Stencil 3 everywhere; 5 in the middle. */
static void
stencil_mark(void)
{
   gl.Enable(GL_STENCIL_TEST);
   gl.StencilFunc(GL_ALWAYS, 5, ~0u);
   gl.StencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
   draw_quad(&middle);
   gl.StencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
}

static void
stencil_function(const void *data)
{
   stencil_mark();
   gl.StencilFunc(*(const GLenum *)data, 4, 0x0f);
   draw_quad(&slope);
}

static void
stencil_operation(const void *data)
{
   GLenum op = *(const GLenum *)data;
   stencil_mark();
   gl.Enable(GL_DEPTH_TEST);
   gl.StencilFunc(GL_LEQUAL, 4, ~0u); /* fails where there is 3 */
   gl.StencilMask(0xf7);
   gl.StencilOp(op, GL_INVERT, op);
   draw_quad(&slope);
   gl.StencilFunc(GL_ALWAYS, 0xff, ~0u);
   gl.StencilOp(GL_KEEP, op, GL_KEEP);
   draw_quad(&back_slope);
}

static void
two_sided(const void *data)
{
   (void)data;
   gl.Enable(GL_STENCIL_TEST);
   gl.StencilOpSeparate(GL_FRONT, GL_KEEP, GL_KEEP, GL_INCR_WRAP);
   gl.StencilOpSeparate(GL_BACK, GL_KEEP, GL_KEEP, GL_DECR_WRAP);
   gl.StencilFuncSeparate(GL_FRONT, GL_ALWAYS, 1, ~0u);
   gl.StencilFuncSeparate(GL_BACK, GL_NOTEQUAL, 2, 3);
   draw_quad(&slope);
   for (unsigned i = 0; i < 5; i++)
      draw_back_quad(&back_slope);
   draw_quad(&middle);
}

/* Samples that passed, as the colour of the picture. */
static void
counted(const void *data)
{
   GLuint query, count = 0;
   bool kill = data != NULL;
   gl.GenQueries(1, &query);
   gl.Enable(GL_DEPTH_TEST);
   draw_quad(&middle);
   if (kill)
      use_shader("layout(location = 0) out vec4 o;",
                 "if (int(gl_FragCoord.x) % 4 == 1) discard; o = c;");
   gl.BeginQuery(GL_SAMPLES_PASSED, query);
   draw_quad(&slope);
   draw_quad(&back_slope);
   gl.EndQuery(GL_SAMPLES_PASSED);
   gl.GetQueryObjectuiv(query, GL_QUERY_RESULT, &count);
   gl.DeleteQueries(1, &query);
   gl.ClearColor((float)(count & 255) / 255, (float)(count >> 8 & 255) / 255, 0, 1);
   gl.Clear(GL_COLOR_BUFFER_BIT);
}

#define FUNCTION(name, code, fmt)                                                                  \
   {                                                                                               \
      "depth_" name, function, &(const GLenum){code}, .depth = fmt                                 \
   }
#define STENCIL(name, code)                                                                        \
   {                                                                                               \
      "stencil_" name, stencil_function, &(const GLenum){code}, .depth = GL_DEPTH24_STENCIL8       \
   }
#define OPERATION(name, code)                                                                      \
   {                                                                                               \
      "stencil_op_" name, stencil_operation, &(const GLenum){code}, .depth = GL_DEPTH24_STENCIL8,  \
                                                                    .reading = READ_STENCIL        \
   }
#define UNIT24 (1.5f / 16777215)
#define UNIT16 (1.5f / 65535)

const struct picture depth_pictures[] = {
    FUNCTION("never", GL_NEVER, GL_DEPTH_COMPONENT24),
    FUNCTION("less", GL_LESS, GL_DEPTH_COMPONENT24),
    FUNCTION("equal", GL_EQUAL, GL_DEPTH_COMPONENT24),
    FUNCTION("lequal", GL_LEQUAL, GL_DEPTH_COMPONENT24),
    FUNCTION("greater", GL_GREATER, GL_DEPTH_COMPONENT24),
    FUNCTION("notequal", GL_NOTEQUAL, GL_DEPTH_COMPONENT24),
    FUNCTION("gequal", GL_GEQUAL, GL_DEPTH_COMPONENT24),
    FUNCTION("always", GL_ALWAYS, GL_DEPTH_COMPONENT24),
    FUNCTION("less_16", GL_LESS, GL_DEPTH_COMPONENT16),
    FUNCTION("less_32f", GL_LESS, GL_DEPTH_COMPONENT32F),
    FUNCTION("greater_32f_s8", GL_GREATER, GL_DEPTH32F_STENCIL8),
    {"depth_values_24", function, &(const GLenum){GL_LESS}, .depth = GL_DEPTH_COMPONENT24,
     .reading = READ_DEPTH, .tolerance = UNIT24},
    {"depth_values_16", function, &(const GLenum){GL_LESS}, .depth = GL_DEPTH_COMPONENT16,
     .reading = READ_DEPTH, .tolerance = UNIT16},
    {"depth_values_32f", function, &(const GLenum){GL_LESS}, .depth = GL_DEPTH_COMPONENT32F,
     .reading = READ_DEPTH, .tolerance = UNIT24},
    {"depth_values_24_s8", function, &(const GLenum){GL_GREATER}, .depth = GL_DEPTH24_STENCIL8,
     .reading = READ_DEPTH, .tolerance = UNIT24},
    {"depth_no_write", no_write, 0, .depth = GL_DEPTH_COMPONENT24},
    {"depth_range_and_clamp", range_and_clamp, 0, .depth = GL_DEPTH_COMPONENT24,
     .reading = READ_DEPTH, .tolerance = UNIT24},
    {"depth_discard", discards, 0, .depth = GL_DEPTH_COMPONENT24},
    {"depth_discard_values", discards, 0, .depth = GL_DEPTH_COMPONENT24, .reading = READ_DEPTH,
     .tolerance = UNIT24},
    {"depth_computed", computed, "o = c; gl_FragDepth = fract(gl_FragCoord.y / 17.0);",
     .depth = GL_DEPTH_COMPONENT24},
    {"depth_computed_values", computed, "o = c; gl_FragDepth = fract(gl_FragCoord.y / 17.0);",
     .depth = GL_DEPTH_COMPONENT32F, .reading = READ_DEPTH, .tolerance = 3 * UNIT24},
    {"depth_early", early, 0, .depth = GL_DEPTH_COMPONENT24},
    {"depth_early_values", early, 0, .depth = GL_DEPTH_COMPONENT24, .reading = READ_DEPTH,
     .tolerance = UNIT24},
    {"depth_only", depth_only, 0, .depth = GL_DEPTH_COMPONENT24},
    {"depth_clears", clears, 0, .depth = GL_DEPTH24_STENCIL8, .reading = READ_DEPTH,
     .tolerance = UNIT24},
    {"stencil_clears", clears, 0, .depth = GL_DEPTH24_STENCIL8, .reading = READ_STENCIL},
    {"depth_offset", offset, 0, .depth = GL_DEPTH_COMPONENT24},
    STENCIL("never", GL_NEVER),
    STENCIL("less", GL_LESS),
    STENCIL("equal", GL_EQUAL),
    STENCIL("lequal", GL_LEQUAL),
    STENCIL("greater", GL_GREATER),
    STENCIL("notequal", GL_NOTEQUAL),
    STENCIL("gequal", GL_GEQUAL),
    STENCIL("always", GL_ALWAYS),
    OPERATION("keep", GL_KEEP),
    OPERATION("zero", GL_ZERO),
    OPERATION("replace", GL_REPLACE),
    OPERATION("incr", GL_INCR),
    OPERATION("decr", GL_DECR),
    OPERATION("incr_wrap", GL_INCR_WRAP),
    OPERATION("decr_wrap", GL_DECR_WRAP),
    OPERATION("invert", GL_INVERT),
    {"stencil_two_sided", two_sided, 0, .depth = GL_DEPTH24_STENCIL8, .reading = READ_STENCIL},
    {"stencil_two_sided_32f", two_sided, 0, .depth = GL_DEPTH32F_STENCIL8},
    {"count", counted, 0, .depth = GL_DEPTH_COMPONENT24},
    {"count_discard", counted, "", .depth = GL_DEPTH_COMPONENT24},
};
const unsigned depth_picture_count = sizeof(depth_pictures) / sizeof(depth_pictures[0]);
