/* One texel: memory, palette, border, chroma key, comparison. */
#include "sanitize/sanitize.h"
#include "shared_functions/sampler/address.h"
#include "shared_functions/sampler/sampler.h"
#include "surface/hazard.h"

#include <string.h>

/* ---- memory ---------------------------------------------------------------------------------- */

/* SMP-274: these return 0 in alpha outside the map although they have none. */
static bool
alpha_is_zero_outside(unsigned format)
{
   static const uint16_t list[] = {
       GEN7_SURFACE_FORMAT_R32G32B32X32_FLOAT,
       GEN7_SURFACE_FORMAT_X32_TYPELESS_G8X24_UINT,
       GEN7_SURFACE_FORMAT_R16G16B16X16_UNORM,
       GEN7_SURFACE_FORMAT_R16G16B16X16_FLOAT,
       GEN7_SURFACE_FORMAT_X24_TYPELESS_G8_UINT,
       GEN7_SURFACE_FORMAT_L24X8_UNORM,
       GEN7_SURFACE_FORMAT_L32_FLOAT,
       GEN7_SURFACE_FORMAT_B8G8R8X8_UNORM,
       GEN7_SURFACE_FORMAT_B8G8R8X8_UNORM_SRGB,
       GEN7_SURFACE_FORMAT_R8G8B8X8_UNORM,
       GEN7_SURFACE_FORMAT_R8G8B8X8_UNORM_SRGB,
       GEN7_SURFACE_FORMAT_B10G10R10X2_UNORM,
       GEN7_SURFACE_FORMAT_B5G6R5_UNORM,
       GEN7_SURFACE_FORMAT_B5G6R5_UNORM_SRGB,
       GEN7_SURFACE_FORMAT_L16_UNORM,
       GEN7_SURFACE_FORMAT_R5G5_SNORM_B6_UNORM,
       GEN7_SURFACE_FORMAT_L8_UNORM,
       GEN7_SURFACE_FORMAT_L8_UNORM_SRGB,
       GEN7_SURFACE_FORMAT_R1_UNORM,
       GEN7_SURFACE_FORMAT_BC4_UNORM,
   };
   for (unsigned i = 0; i < sizeof(list) / sizeof(list[0]); i++)
      if (list[i] == format)
         return true;
   return false;
}

static bool
has_alpha(const struct format_info *f)
{
   switch (f->layout) {
   case FORMAT_PALETTE:
      return true;
   case FORMAT_BLOCK:
      return f->codec == CODEC_BC1 || f->codec == CODEC_BC2 || f->codec == CODEC_BC3 ||
             f->codec == CODEC_BC7 || f->codec == CODEC_FXT1 || f->codec == CODEC_ETC2_PTA ||
             f->codec == CODEC_ETC2_EAC;
   default:
      return f->channel[3].type != CHANNEL_NONE;
   }
}

void
sampler_outside(const struct surface *s, bool ld, format_texel out)
{
   memset(out, 0, sizeof(format_texel));
   if (s->type == SURFTYPE_NULL || has_alpha(s->info) || s->info->layout == FORMAT_NONE ||
       (ld && alpha_is_zero_outside(s->format)))
      return;
   out[3] = s->info->channel_class == FORMAT_CLASS_FLOAT ? FLOAT_ONE : 1;
}

static void
watch(const struct sampler_message *s, const struct surface_view *v, uint32_t address,
      unsigned size)
{
   struct sanitize_access a = {.t = s->t,
                               .ip = s->m->ip,
                               .kind = SANITIZE_READ,
                               .port = SANITIZE_DATA_PORT,
                               .channel = s->pixel,
                               .bti = (uint8_t)s->m->desc,
                               .offset = address - v->base};
   sanitize_memory(s->t->env->dev->sanitizer, &a, address, size);
}

static bool
read_bytes(struct sampler_message *s, struct surface_view *v, uint32_t address, void *to,
           unsigned size)
{
   struct eu_thread *t = s->t;
   if (__builtin_expect(hazard_on(t->env->dev->surfaces), 0))
      sf_hazard(t, s->m, HAZARD_SAMPLER, address, size, false);
   if (__builtin_expect(t->env->dev->sanitizer != NULL, 0) && !s->watched)
      watch(s, v, address, size);
   const uint8_t *host = v->users & VIEW_TEXELS
                             ? surface_view_host(v, t->env->space, address - v->base, false)
                             : NULL;
   if (host) {
      memcpy(to, host, size);
      return true;
   }
   return mem_read(t->env->space, address, to, size);
}

static void
give_argb(uint32_t argb, format_texel out)
{
   struct hw_palette_entry e;
   gen7_palette_entry_unpack(&e, &argb);
   const uint32_t code[4] = {e.red, e.green, e.blue, e.alpha};
   for (unsigned i = 0; i < 4; i++)
      out[i] = float_bits(format_unorm_to_float(code[i], 8));
}

/* SMP-079, SMP-147, SMP-155 */
static void
look_up_palette(struct sampler_message *s, const struct format_info *f, const uint8_t *element,
                uint32_t x, format_texel out)
{
   const struct sampler_tables *tables = &s->t->env->dev->surfaces->sampler;
   struct format_palette_index p = format_unpack_palette(f, element, x % f->block_w);
   give_argb(tables->palette[p.palette & 1][p.index], out);
   if (p.has_alpha)
      out[3] = float_bits(format_unorm_to_float(p.alpha, 8));
}

/* SMP-157, SMP-405: red alone for R1; MONO8 is only seen by its own filter. */
static void
give_bit(uint8_t byte, uint32_t x, format_texel out)
{
   out[0] = float_bits((float)(byte >> (x & 7) & 1));
   out[1] = out[2] = 0;
   out[3] = float_bits(1.0f);
}

/* SMP-369: luma from the surface, Cb and Cr from the interleaved plane of half its size. */
static void
fetch_planar(struct sampler_message *s, struct surface_view *v, uint32_t x, uint32_t y,
             format_texel out)
{
   const struct surface *f = &s->x->s;
   uint8_t luma = 0, chroma[2] = {0};
   uint32_t at;
   if (surface_byte_address(f, x, y, &at))
      read_bytes(s, v, at, &luma, 1);
   if (surface_byte_address(f, f->uv_x + (x & ~1u), (uint64_t)f->uv_y + y / 2, &at))
      read_bytes(s, v, at, chroma, 2);
   out[0] = float_bits(format_unorm_to_float(chroma[1], 8));
   out[1] = float_bits(format_unorm_to_float(luma, 8));
   out[2] = float_bits(format_unorm_to_float(chroma[0], 8));
   out[3] = float_bits(1.0f);
}

static void
fetch_block(struct sampler_message *s, struct surface_view *v, uint32_t address, uint32_t x,
            uint32_t y, format_texel out)
{
   const struct format_info *f = v->format;
   struct sampler_block *b = &s->block[address / 8 % 4];
   if (b->view != v || b->address != address) {
      uint8_t element[16] = {0};
      read_bytes(s, v, address, element, v->size_B);
      format_decode_block(f, element, b->texels); /* SMP-078 */
      b->view = v;
      b->address = address;
   }
   memcpy(out, b->texels[(y % f->block_h) * f->block_w + x % f->block_w], sizeof(format_texel));
}

void
sampler_fetch(struct sampler_message *s, struct surface_view *v, uint32_t x, uint32_t y,
              uint32_t slice, unsigned sample, format_texel out)
{
   const struct format_info *f = v->format;
   uint8_t element[32] = {0};
   uint32_t address;
   memset(out, 0, sizeof(format_texel));
   if (f->layout == FORMAT_PLANAR) {
      fetch_planar(s, v, x, y, out);
      return;
   }
   if (f->layout == FORMAT_NONE || f->layout == FORMAT_RAW || v->size_B > 16 ||
       !surface_view_address(v, x, y, slice, sample, &address))
      return;
   if (f->layout == FORMAT_BLOCK) {
      fetch_block(s, v, address, x + v->x_px, y + v->y_px, out);
      return;
   }
   read_bytes(s, v, address, element, v->size_B ? v->size_B : 1);
   if (v->unpack)
      v->unpack(f, element, x, y, out);
   else if (f->layout == FORMAT_PALETTE)
      look_up_palette(s, f, element, x, out);
   else
      give_bit(element[0], x, out);
}

/* ---- chroma key ------------------------------------------------------------------------------ */

/* SMP-085: a channel as 8 bits. SNORM is compared as sign and magnitude: bit 7 last. */
static int32_t
key_code(const struct format_info *f, uint32_t bits)
{
   float v = bits_float(bits);
   bool is_signed = f->channel[0].type == CHANNEL_SNORM;
   v = v > -2.0f ? (v < 2.0f ? v : 2.0f) : -2.0f; /* floats may be anything: no key has these */
   if (is_signed)
      return (int32_t)(v * 127.0f + (v < 0 ? -0.5f : 0.5f));
   return (int32_t)(v * 255.0f + 0.5f);
}

static int32_t
key_value(const struct format_info *f, uint32_t byte)
{
   if (f->channel[0].type == CHANNEL_SNORM && byte & 0x80)
      return -(int32_t)(byte & 0x7f);
   return (int32_t)byte;
}

/* SMP-080 */
static bool
key_matches(const struct sampler_message *s, const format_texel texel)
{
   const struct format_info *f = s->x->s.info;
   const struct sampler_tables *tables = &s->t->env->dev->surfaces->sampler;
   uint32_t low = tables->chroma_key[s->x->state.key_index].low,
            high = tables->chroma_key[s->x->state.key_index].high;
   for (unsigned i = 0; i < 4; i++) {
      unsigned shift = i == 3 ? 24 : 16 - 8 * i;
      int32_t v = key_code(f, texel[i]);
      if (v < key_value(f, low >> shift & 0xff) || v > key_value(f, high >> shift & 0xff))
         return false;
   }
   return true;
}

/* SMP-082, SMP-083 */
static void
apply_key(struct sampler_message *s, unsigned pixel, format_texel texel)
{
   if (!key_matches(s, texel))
      return;
   if (!s->x->state.replace_black) {
      s->killed |= 1u << pixel;
      return;
   }
   bool yuv = s->x->s.info->layout == FORMAT_YUV422;
   texel[0] = texel[2] = yuv ? float_bits(format_unorm_to_float(0x80, 8)) : 0;
   texel[1] = yuv ? float_bits(format_unorm_to_float(0x10, 8)) : 0;
   texel[3] = 0;
}

/* ---- comparison ------------------------------------------------------------------------------ */

/* SMP-087 to SMP-094: what holds gives 0.0. SMP-097: NaN gives 0.0 where an order is asked for. */
static float
compare(unsigned function, float texel, float ref)
{
   bool nan = texel != texel || ref != ref;
   switch (function) {
   case GEN7_SAMPLER_STATE_SHADOW_FUNCTION_ALWAYS:
      return 0;
   case GEN7_SAMPLER_STATE_SHADOW_FUNCTION_NEVER:
      return 1;
   case GEN7_SAMPLER_STATE_SHADOW_FUNCTION_LESS:
      return !(texel < ref || nan);
   case GEN7_SAMPLER_STATE_SHADOW_FUNCTION_EQUAL:
      return !(texel == ref);
   case GEN7_SAMPLER_STATE_SHADOW_FUNCTION_LEQUAL:
      return !(texel <= ref || nan);
   case GEN7_SAMPLER_STATE_SHADOW_FUNCTION_GREATER:
      return !(texel > ref || nan);
   case GEN7_SAMPLER_STATE_SHADOW_FUNCTION_NOTEQUAL:
      return !(texel != ref);
   default:
      return !(texel >= ref || nan);
   }
}

/* SMP-086, SMP-097: in the channels that the format has. */
static void
apply_comparison(const struct sampler_message *s, float ref, format_texel texel)
{
   const struct format_channel *c = s->x->s.info->channel;
   unsigned from = c[0].type == CHANNEL_NONE ? 3 : 0;
   if (c[from].type == CHANNEL_UNORM)
      ref = ref > 0 ? (ref < 1 ? ref : 1) : ref != ref ? ref : 0;
   float result = compare(s->x->state.shadow, bits_float(texel[from]), ref);
   for (unsigned i = 0; i < 4; i++)
      if (c[i].type != CHANNEL_NONE)
         texel[i] = float_bits(result);
}

/* ---- cube edges ------------------------------------------------------------------------------ */

/* SMP-020: where s, t and the major component lie, and their signs. */
static const struct {
   int8_t axis[3], sign[3]; /* s, t, major */
} cube[6] = {{{2, 1, 0}, {-1, -1, 1}}, {{2, 1, 0}, {1, -1, -1}}, {{0, 2, 1}, {1, 1, 1}},
             {{0, 2, 1}, {1, -1, -1}}, {{0, 1, 2}, {1, -1, 1}},  {{0, 1, 2}, {-1, -1, -1}}};

/* SMP-069: a texel past an edge: counted in half texels from the middle of the face, it lies size +
 * n away; folded over the edge that becomes the major component, and the old one, size, comes down
 * by n. */
static void
fold(int32_t size, uint8_t *face, int32_t *x, int32_t *y)
{
   int32_t at[2] = {2 * *x + 1 - size, 2 * *y + 1 - size}, v[3];
   unsigned out = at[0] > size || at[0] < -size ? 0 : 1, from = *face;
   int32_t side = at[out] < 0 ? -1 : 1, down = side * at[out] - size;
   down = down < 2 * size ? down : 2 * size - 1; /* not past the next edge */
   v[cube[from].axis[!out]] = cube[from].sign[!out] * at[!out];
   v[cube[from].axis[out]] = cube[from].sign[out] * side * size;
   v[cube[from].axis[2]] = cube[from].sign[2] * (size - down);
   int axis = cube[from].axis[out];
   *face = (uint8_t)(2 * axis + (v[axis] < 0));
   *x = (cube[*face].sign[0] * v[cube[*face].axis[0]] + size - 1) / 2;
   *y = (cube[*face].sign[1] * v[cube[*face].axis[1]] + size - 1) / 2;
}

/* SMP-249: bit 5 -X, 4 +X, 3 -Y, 2 +Y, 1 -Z, 0 +Z. */
static bool
face_enabled(const struct surface *s, unsigned face)
{
   static const uint8_t bit[6] = {4, 5, 2, 3, 0, 1};
   return s->cube_faces >> bit[face] & 1;
}

static bool
past(int32_t i, uint32_t size)
{
   return i < 0 || i >= (int32_t)size;
}

static void
cube_texel(struct sampler_message *s, const struct sampler_point *p, struct surface_view *v,
           int32_t x, int32_t y, format_texel out)
{
   int32_t size = (int32_t)v->width;
   uint8_t face = p->face;
   if (s->x->state.mode[0] == GEN7_TEXTURE_COORDINATE_MODE_CUBE &&
       (past(x, v->width) || past(y, v->height)))
      fold(size, &face, &x, &y);
   x = x < 0 ? 0 : x >= size ? size - 1 : x; /* SMP-065 */
   y = y < 0 ? 0 : y >= (int32_t)v->height ? (int32_t)v->height - 1 : y;
   if (!face_enabled(&s->x->s, face))
      memcpy(out, s->x->border, sizeof(format_texel));
   else
      sampler_fetch(s, v, (uint32_t)x, (uint32_t)y, p->slice + face, 0, out);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void
plain_texel(struct sampler_message *s, const struct sampler_point *p, struct surface_view *v,
            const int32_t i[3], format_texel out)
{
   const struct texture *x = s->x;
   int32_t size[3] = {(int32_t)v->width, (int32_t)v->height, (int32_t)v->depth}, at[3] = {0};
   enum address_where worst = ADDRESS_INSIDE;
   for (unsigned k = 0; k < x->axes; k++) {
      at[k] = i[k];
      enum address_where w = address_texel(x->state.mode[k], size[k], &at[k]);
      worst = w > worst ? w : worst;
   }
   if (worst == ADDRESS_BORDER) {
      memcpy(out, x->border, sizeof(format_texel));
      return;
   }
   sampler_fetch(s, v, (uint32_t)at[0], (uint32_t)at[1], x->axes == 3 ? (uint32_t)at[2] : p->slice,
                 0, out);
   if (worst == ADDRESS_HALF)
      for (unsigned k = 0; k < 4; k++)
         out[k] = float_bits((bits_float(out[k]) + bits_float(x->border[k])) * 0.5f);
}

/* SMP-074: where three faces meet, the mean of the three texels that are there; each is compared
 * before. */
static void
corner_texel(struct sampler_message *s, unsigned pixel, const struct sampler_point *p,
             unsigned level, const int32_t i[3], format_texel out)
{
   const struct surface_view *v = texture_level(s->x, level);
   /* Inside by width and by height, which a guest may have made two: else there is no end. */
   int32_t x = i[0] < 0 ? 0 : (int32_t)v->width - 1, y = i[1] < 0 ? 0 : (int32_t)v->height - 1;
   int32_t at[3][3] = {{x, y, 0}, {i[0], y, 0}, {x, i[1], 0}};
   format_texel t[3];
   for (unsigned k = 0; k < 3; k++)
      sampler_texel(s, pixel, p, level, at[k], t[k]);
   for (unsigned c = 0; c < 4; c++)
      out[c] = float_bits((bits_float(t[0][c]) + bits_float(t[1][c]) + bits_float(t[2][c])) / 3.0f);
}

void
sampler_texel(struct sampler_message *s, unsigned pixel, const struct sampler_point *p,
              unsigned level, const int32_t i[3], format_texel out)
{
   struct surface_view *v = texture_level(s->x, level);
   bool cube = s->x->s.type == SURFTYPE_CUBE;
   if (cube && s->x->state.mode[0] == GEN7_TEXTURE_COORDINATE_MODE_CUBE && past(i[0], v->width) &&
       past(i[1], v->height) && !s->x->integer) {
      corner_texel(s, pixel, p, level, i, out);
      return;
   }
   if (cube)
      cube_texel(s, p, v, i[0], i[1], out);
   else
      plain_texel(s, p, v, i, out);
   for (unsigned k = 1; k < 3 && s->x->ones; k++)
      if (s->x->ones >> k & 1)
         out[k] = float_bits(1.0f);
   if (s->x->state.chroma_key)
      apply_key(s, pixel, out);
   if (s->kind->flags & SAMPLER_COMPARES)
      apply_comparison(s, p->ref, out);
}
