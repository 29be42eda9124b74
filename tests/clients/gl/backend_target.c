/* Targets: formats, several at once, levels and layers, the sRGB curve. */
#include "gl_backend.h"

static void
plain(const void *data)
{
   (void)data;
   background();
   foreground();
}

static void
srgb(const void *data)
{
   gl.Enable(GL_FRAMEBUFFER_SRGB);
   background();
   if (data) {
      gl.Enable(GL_BLEND);
      gl.BlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
   }
   foreground();
}

static void
integers(const void *data)
{
   static const GLint minus[4] = {-7, 5, 100, 3};
   static const GLuint some[4] = {7, 5, 100, 3};
   if (data)
      gl.ClearBufferuiv(GL_COLOR, 0, some);
   else
      gl.ClearBufferiv(GL_COLOR, 0, minus);
   use_shader(data ? "layout(location = 0) out uvec4 o;" : "layout(location = 0) out ivec4 o;",
              data ? "o = uvec4(gl_FragCoord.xyxy) * uvec4(3, 5, 11, 70000);"
                   : "o = (ivec4(gl_FragCoord.xyxy) - 20) * ivec4(3, 5, 11, 70000);");
   gl.ColorMask(1, 1, 0, 1);
   foreground();
}

/* Each target another colour and other blending; the picture is that of one of them. */
static void
several(const void *data)
{
   unsigned which = *(const unsigned *)data;
   use_shader("layout(location = 0) out vec4 o[4];",
              "o[0] = c; o[1] = c.wzyx; o[2] = vec4(c.xy, 0, 1); o[3] = 1.0 - c;");
   background();
   for (unsigned i = 0; i < 3; i++)
      gl.Enablei(GL_BLEND, i);
   gl.BlendFunci(0, GL_ONE, GL_ONE);
   gl.BlendFunci(1, GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
   gl.BlendFunci(2, GL_DST_COLOR, GL_ZERO);
   gl.ColorMaski(3, 1, 0, 1, 0);
   foreground();
   gl.ReadBuffer(GL_COLOR_ATTACHMENT0 + which);
}

static void
attach(GLenum framebuffer, GLenum target, GLuint t, GLint level, GLint layer)
{
   if (target == GL_TEXTURE_CUBE_MAP)
      target = GL_TEXTURE_CUBE_MAP_POSITIVE_X + (GLenum)layer;
   if (target == GL_TEXTURE_3D || target == GL_TEXTURE_2D_ARRAY)
      gl.FramebufferTextureLayer(framebuffer, GL_COLOR_ATTACHMENT0, t, level, layer);
   else
      gl.FramebufferTexture2D(framebuffer, GL_COLOR_ATTACHMENT0, target, t, level);
}

/* What is in a level or layer, over the picture. */
static void
copy_out(GLenum target, GLuint t, GLint level, GLint layer, GLsizei size)
{
   GLuint f;
   gl.GenFramebuffers(1, &f);
   gl.BindFramebuffer(GL_READ_FRAMEBUFFER, f);
   attach(GL_READ_FRAMEBUFFER, target, t, level, layer);
   gl.BlitFramebuffer(0, 0, size, size, 0, 0, size, size, GL_COLOR_BUFFER_BIT, GL_NEAREST);
   gl.DeleteFramebuffers(1, &f);
}

struct place {
   GLenum target;
   GLint level, layer;
};

static void
level_or_layer(const void *data)
{
   const struct place *p = data;
   GLuint t, f;
   GLsizei size = SIDE >> p->level;
   gl.GenTextures(1, &t);
   gl.BindTexture(p->target, t);
   if (p->target == GL_TEXTURE_2D)
      gl.TexStorage2D(p->target, 4, GL_RGBA8, SIDE, SIDE);
   else if (p->target == GL_TEXTURE_CUBE_MAP)
      gl.TexStorage2D(p->target, 4, GL_RGBA8, SIDE, SIDE);
   else
      gl.TexStorage3D(p->target, 4, GL_RGBA8, SIDE, SIDE, 8);
   GLuint own = picture_framebuffer();
   gl.GenFramebuffers(1, &f);
   gl.BindFramebuffer(GL_FRAMEBUFFER, f);
   attach(GL_FRAMEBUFFER, p->target, t, p->level, p->layer);
   gl.Viewport(0, 0, size, size);
   background();
   foreground();
   gl.BindFramebuffer(GL_DRAW_FRAMEBUFFER, own);
   copy_out(p->target, t, p->level, p->layer, size);
   gl.BindFramebuffer(GL_FRAMEBUFFER, own);
   gl.DeleteFramebuffers(1, &f);
   gl.DeleteTextures(1, &t);
}

#define FORMAT(name, fmt, read, tol)                                                               \
   {                                                                                               \
      "target_" name, plain, 0, .format = fmt, .reading = read, .tolerance = tol                   \
   }
#define INTEGER(name, fmt)                                                                         \
   {                                                                                               \
      "target_" name, integers, 0, .format = fmt, .reading = READ_INT                              \
   }
#define UNSIGNED(name, fmt)                                                                        \
   {                                                                                               \
      "target_" name, integers, "", .format = fmt, .reading = READ_UINT                            \
   }
#define SEVERAL(n)                                                                                 \
   {                                                                                               \
      "several_" #n, several, &(const unsigned){n}, .targets = 4, .tolerance = 1                   \
   }
#define PLACE(name, ...)                                                                           \
   {                                                                                               \
      "target_" name, level_or_layer, &(const struct place){__VA_ARGS__}, .tolerance = 1           \
   }

const struct picture target_pictures[] = {
    FORMAT("rgba8", GL_RGBA8, READ_RGBA8, 1),
    FORMAT("rgb10_a2", GL_RGB10_A2, READ_FLOAT, 1.01f / 1023),
    FORMAT("rgba16", GL_RGBA16, READ_FLOAT, 2.0f / 65535),
    FORMAT("rg16", GL_RG16, READ_FLOAT, 2.0f / 65535),
    FORMAT("r16", GL_R16, READ_FLOAT, 2.0f / 65535),
    FORMAT("rgba8_snorm", GL_RGBA8_SNORM, READ_FLOAT, 1.01f / 127),
    FORMAT("rgba16_snorm", GL_RGBA16_SNORM, READ_FLOAT, 2.0f / 32767),
    FORMAT("rgba16f", GL_RGBA16F, READ_FLOAT, 1.0f / 1024),
    FORMAT("rg16f", GL_RG16F, READ_FLOAT, 1.0f / 1024),
    FORMAT("rgba32f", GL_RGBA32F, READ_FLOAT, 1e-6f),
    FORMAT("rg32f", GL_RG32F, READ_FLOAT, 1e-6f),
    FORMAT("r32f", GL_R32F, READ_FLOAT, 1e-6f),
    FORMAT("r11g11b10", GL_R11F_G11F_B10F, READ_FLOAT, 1.01f / 32),
    FORMAT("rgb565", GL_RGB565, READ_RGBA8, 9),
    FORMAT("rgba4", GL_RGBA4, READ_RGBA8, 17),
    FORMAT("r8", GL_R8, READ_RGBA8, 1),
    FORMAT("rg8", GL_RG8, READ_RGBA8, 1),
    {"target_srgb", srgb, 0, .format = GL_SRGB8_ALPHA8, .tolerance = 1},
    {"target_srgb_blend", srgb, "", .format = GL_SRGB8_ALPHA8, .tolerance = 2},
    INTEGER("rgba32i", GL_RGBA32I),
    INTEGER("rgba16i", GL_RGBA16I),
    INTEGER("rgba8i", GL_RGBA8I),
    INTEGER("r32i", GL_R32I),
    UNSIGNED("rgba32ui", GL_RGBA32UI),
    UNSIGNED("rgba16ui", GL_RGBA16UI),
    UNSIGNED("rgba8ui", GL_RGBA8UI),
    UNSIGNED("rg8ui", GL_RG8UI),
    UNSIGNED("rgb10_a2ui", GL_RGB10_A2UI),
    SEVERAL(0),
    SEVERAL(1),
    SEVERAL(2),
    SEVERAL(3),
    PLACE("level_2", GL_TEXTURE_2D, 2, 0),
    PLACE("layer_5", GL_TEXTURE_2D_ARRAY, 0, 5),
    PLACE("layer_3_level_1", GL_TEXTURE_2D_ARRAY, 1, 3),
    PLACE("slice_6", GL_TEXTURE_3D, 0, 6),
    PLACE("slice_1_level_2", GL_TEXTURE_3D, 2, 1),
    PLACE("face_4", GL_TEXTURE_CUBE_MAP, 0, 4),
};
const unsigned target_picture_count = sizeof(target_pictures) / sizeof(target_pictures[0]);
