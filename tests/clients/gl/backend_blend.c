/* Blending, logic operations, masks. */
#include "gl_backend.h"

struct blend {
   GLenum source, destination, equation;
};

static void
blend(const void *data)
{
   const struct blend *b = data;
   background();
   gl.Enable(GL_BLEND);
   gl.BlendFunc(b->source, b->destination);
   gl.BlendEquation(b->equation ? b->equation : GL_FUNC_ADD);
   foreground();
}

static void
blend_separate(const void *data)
{
   (void)data;
   background();
   gl.Enable(GL_BLEND);
   gl.BlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_DST_ALPHA);
   gl.BlendEquationSeparate(GL_FUNC_ADD, GL_FUNC_REVERSE_SUBTRACT);
   foreground();
}

static void
dual_source(const void *data)
{
   const struct blend *b = data;
   background();
   use_shader(
       "layout(location = 0, index = 0) out vec4 o; layout(location = 0, index = 1) out vec4 e;",
       "o = c; e = c.wzyx;");
   gl.Enable(GL_BLEND);
   gl.BlendFunc(b->source, b->destination);
   foreground();
}

/* Codes of eight bits, so that there is nothing to round. */
static void
draw_code(float x, uint32_t code)
{
   struct quad q = {x, 4, x + 40, 60, {0.5f, 0.5f}, {{0}}};
   for (unsigned i = 0; i < 8; i++)
      q.color[i / 4][i % 4] = (float)(code >> 8 * (i % 4) & 255) / 255.0f;
   draw_quad(&q);
}

static void
logic(const void *data)
{
   draw_code(2, 0x5a0ff033);
   gl.Enable(GL_COLOR_LOGIC_OP);
   gl.LogicOp(*(const GLenum *)data);
   draw_code(20, 0xc3a5995a);
}

static void
mask(const void *data)
{
   unsigned m = *(const GLenum *)data;
   background();
   gl.ColorMask(m & 1, m >> 1 & 1, m >> 2 & 1, m >> 3 & 1);
   foreground();
   gl.ClearColor(1, 1, 1, 1);
   gl.Enable(GL_SCISSOR_TEST);
   gl.Scissor(3, 3, 20, 20);
   gl.Clear(GL_COLOR_BUFFER_BIT);
}

/* What is there is a unit off before it is blended, too: two units in all. */
#define FACTOR(name, code)                                                                         \
   {"blend_source_" name, blend, &(const struct blend){code, GL_ONE_MINUS_SRC_ALPHA, 0},           \
    .tolerance = 2},                                                                               \
   {                                                                                               \
      "blend_destination_" name, blend, &(const struct blend){GL_SRC_ALPHA, code, 0},              \
          .tolerance = 2                                                                           \
   }
#define FUNCTION(name, code, tol)                                                                  \
   {                                                                                               \
      "blend_" name, blend, &(const struct blend){GL_ONE, GL_ONE, code}, .tolerance = tol          \
   }
#define DUAL(name, code)                                                                           \
   {                                                                                               \
      "dual_" name, dual_source, &(const struct blend){code, GL_ONE_MINUS_SRC_ALPHA, 0},           \
          .tolerance = 1                                                                           \
   }
#define LOGIC(name, code)                                                                          \
   {                                                                                               \
      "logic_" name, logic, &(const GLenum)                                                        \
      {                                                                                            \
         code                                                                                      \
      }                                                                                            \
   }
#define ON(name, from, fmt, read, tol)                                                             \
   {                                                                                               \
      "blend_on_" name, blend, &(const struct blend){GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, 0},     \
          .format = fmt, .reading = read, .tolerance = tol                                         \
   }

const struct picture blend_pictures[] = {
    FACTOR("zero", GL_ZERO),
    FACTOR("one", GL_ONE),
    FACTOR("src_color", GL_SRC_COLOR),
    FACTOR("inv_src_color", GL_ONE_MINUS_SRC_COLOR),
    FACTOR("dst_color", GL_DST_COLOR),
    FACTOR("inv_dst_color", GL_ONE_MINUS_DST_COLOR),
    FACTOR("src_alpha", GL_SRC_ALPHA),
    FACTOR("inv_src_alpha", GL_ONE_MINUS_SRC_ALPHA),
    FACTOR("dst_alpha", GL_DST_ALPHA),
    FACTOR("inv_dst_alpha", GL_ONE_MINUS_DST_ALPHA),
    FACTOR("constant", GL_CONSTANT_COLOR),
    FACTOR("inv_constant", GL_ONE_MINUS_CONSTANT_COLOR),
    FACTOR("constant_alpha", GL_CONSTANT_ALPHA),
    FACTOR("inv_constant_alpha", GL_ONE_MINUS_CONSTANT_ALPHA),
    FACTOR("saturate", GL_SRC_ALPHA_SATURATE),
    FUNCTION("subtract", GL_FUNC_SUBTRACT, 1),
    FUNCTION("reverse_subtract", GL_FUNC_REVERSE_SUBTRACT, 1),
    FUNCTION("min", GL_MIN, 1),
    FUNCTION("max", GL_MAX, 1),
    {"blend_separate", blend_separate, 0, .tolerance = 1},
    DUAL("src1_color", GL_SRC1_COLOR),
    DUAL("inv_src1_color", GL_ONE_MINUS_SRC1_COLOR),
    DUAL("src1_alpha", GL_SRC1_ALPHA),
    DUAL("inv_src1_alpha", GL_ONE_MINUS_SRC1_ALPHA),
    ON("srgb_off", 0, GL_SRGB8_ALPHA8, READ_RGBA8, 1),
    ON("rgb10_a2", 0, GL_RGB10_A2, READ_FLOAT, 1.01f / 255),
    ON("rgba16", 0, GL_RGBA16, READ_FLOAT, 2.0f / 65535),
    ON("rgba16f", 0, GL_RGBA16F, READ_FLOAT, 1.0f / 1024),
    ON("rgba32f", 0, GL_RGBA32F, READ_FLOAT, 1e-5f),
    ON("r11g11b10", 0, GL_R11F_G11F_B10F, READ_FLOAT, 1.01f / 32),
    ON("rgb565", 0, GL_RGB565, READ_RGBA8, 9),
    ON("rgba4", 0, GL_RGBA4, READ_RGBA8, 17),
    ON("rgb5_a1", 0, GL_RGB5_A1, READ_RGBA8, 9),
    ON("r8", 0, GL_R8, READ_RGBA8, 1),
    ON("rg8", 0, GL_RG8, READ_RGBA8, 1),
    ON("rgba8_snorm", 0, GL_RGBA8_SNORM, READ_FLOAT, 1.01f / 127),
    ON("r16f", 0, GL_R16F, READ_FLOAT, 1.0f / 1024),
    LOGIC("clear", GL_CLEAR),
    LOGIC("and", GL_AND),
    LOGIC("and_reverse", GL_AND_REVERSE),
    LOGIC("copy", GL_COPY),
    LOGIC("and_inverted", GL_AND_INVERTED),
    LOGIC("noop", GL_NOOP),
    LOGIC("xor", GL_XOR),
    LOGIC("or", GL_OR),
    LOGIC("nor", GL_NOR),
    LOGIC("equiv", GL_EQUIV),
    LOGIC("invert", GL_INVERT),
    LOGIC("or_reverse", GL_OR_REVERSE),
    LOGIC("copy_inverted", GL_COPY_INVERTED),
    LOGIC("or_inverted", GL_OR_INVERTED),
    LOGIC("nand", GL_NAND),
    LOGIC("set", GL_SET),
    {"mask_red", mask, &(const GLenum){1}, .tolerance = 1},
    {"mask_green_alpha", mask, &(const GLenum){10}, .tolerance = 1},
    {"mask_none", mask, &(const GLenum){0}, .tolerance = 1},
    {"mask_565", mask, &(const GLenum){5}, .format = GL_RGB565, .tolerance = 9},
    {"mask_rgba16f", mask, &(const GLenum){6}, .format = GL_RGBA16F, .reading = READ_FLOAT,
     .tolerance = 1.0f / 1024},
};
const unsigned blend_picture_count = sizeof(blend_pictures) / sizeof(blend_pictures[0]);
