/* Surface and sampler state, bound. */
#include "shared_functions/sampler/sampler.h"

#include <string.h>

/* ---- SAMPLER_STATE --------------------------------------------------------------------------- */

/* SMP-175 */
static void
unpack_state(struct sampler_state *st, const uint32_t dw[4])
{
   struct hw_sampler_state g;
   gen7_sampler_state_unpack(&g, dw);
   *st = (struct sampler_state){
       .disable = g.sampler_disable,
       .dx9 = g.texture_border_color_mode == GEN7_SAMPLER_STATE_TEXTURE_BORDER_COLOR_MODE_DX9,
       .preclamp = g.lod_preclamp_enable,
       .unnormalized = g.non_normalized_coordinate_enable,
       .chroma_key = g.chromakey_enable,
       .replace_black = g.chromakey_mode != 0,
       .cube_override = g.cube_surface_control_mode != 0,
       .mip = (uint8_t)g.mip_mode_filter,
       .mag = (uint8_t)g.mag_mode_filter,
       .min = (uint8_t)g.min_mode_filter,
       .shadow = (uint8_t)g.shadow_function,
       .quality = (uint8_t)g.trilinear_filter_quality,
       .key_index = (uint8_t)g.chromakey_index,
       .max_ratio = (uint8_t)(2 * (g.maximum_anisotropy + 1)),
       .mode = {(uint8_t)g.tcx_address_control_mode, (uint8_t)g.tcy_address_control_mode,
                (uint8_t)g.tcz_address_control_mode},
       .round = {{g.u_address_mag_filter_rounding_enable, g.v_address_mag_filter_rounding_enable,
                  g.r_address_mag_filter_rounding_enable},
                 {g.u_address_min_filter_rounding_enable, g.v_address_min_filter_rounding_enable,
                  g.r_address_min_filter_rounding_enable}},
       .bias = g.texture_lod_bias,
       .min_lod = (int32_t)g.min_lod,
       .max_lod = (int32_t)g.max_lod,
       .base = (int32_t)g.base_mip_level << 7, /* SMP-037: U4.1 */
       .border_pointer = g.border_color_pointer,
   };
}

/* SMP-186, SMP-188: a dword of UNORM8 in DX9 mode, else four floats. */
static bool
read_border(const struct eu_env *env, struct sampler_state *st)
{
   uint32_t dw[4] = {0};
   bool mapped = mem_read(env->space, env->dynamic_state_base + st->border_pointer, dw,
                          st->dx9 ? 4 : sizeof(dw));
   struct hw_sampler_border_color_state_dx9 c;
   gen7_sampler_border_color_state_dx9_unpack(&c, dw);
   const uint32_t code[4] = {c.red, c.green, c.blue, c.alpha};
   for (unsigned i = 0; i < 4; i++)
      st->border[i] = st->dx9 ? format_unorm_to_float(code[i], 8) : bits_float(dw[i]);
   return mapped;
}

static bool
borders(const struct texture *x)
{
   const struct sampler_state *st = &x->state;
   if (x->s.type == SURFTYPE_CUBE)
      return x->s.cube_faces != 0x3f; /* SMP-249, SMP-381 */
   for (unsigned i = 0; i < 3; i++)
      if (st->mode[i] == GEN7_TEXTURE_COORDINATE_MODE_CLAMP_BORDER ||
          st->mode[i] == GEN7_TEXTURE_COORDINATE_MODE_HALF_BORDER)
         return true;
   return false;
}

/* ---- what the format makes of a border ------------------------------------------------------- */

static float
clamp_border(const struct format_channel *c, float f)
{
   if (c->type == CHANNEL_UNORM)
      return f > 0 ? (f < 1 ? f : 1) : 0; /* NaN, too */
   if (c->type == CHANNEL_SNORM)
      return f > -1 ? (f < 1 ? f : 1) : -1;
   return f;
}

/* What channel i of the format is, for the border; compressed blocks have no channels in the table.
 */
static struct format_channel
border_channel(const struct format_info *f, unsigned i)
{
   struct format_channel c = {CHANNEL_UNORM, (uint8_t)(8 * i), 8}, none = {CHANNEL_NONE, 0, 0};
   switch (f->layout) {
   case FORMAT_PLAIN:
   case FORMAT_SHAREDEXP:
      return f->channel[i];
   case FORMAT_BLOCK:
      break;
   case FORMAT_PALETTE:
      return c;
   default:
      return i == 3 ? none : c;
   }
   switch (f->codec) {
   case CODEC_BC4U:
   case CODEC_EAC_R:
      return i ? none : c;
   case CODEC_BC5U:
   case CODEC_EAC_RG:
      return i > 1 ? none : c;
   case CODEC_BC4S:
   case CODEC_EAC_RS:
      c.type = CHANNEL_SNORM;
      return i ? none : c;
   case CODEC_BC5S:
   case CODEC_EAC_RGS:
      c.type = CHANNEL_SNORM;
      return i > 1 ? none : c;
   case CODEC_BC6U:
   case CODEC_BC6S:
      c.type = CHANNEL_FLOAT;
      return i == 3 ? none : c;
   case CODEC_BC1_RGB:
   case CODEC_ETC1:
   case CODEC_ETC2:
      return i == 3 ? none : c;
   default:
      return c;
   }
}

/* SMP-189. Luminance and intensity channels lie where red does and take its border. */
static void
make_border(struct texture *x)
{
   const struct format_info *f = x->s.info;
   struct format_channel first = border_channel(f, 0);
   for (unsigned i = 0; i < 4; i++) {
      struct format_channel c = border_channel(f, i);
      bool absent = c.type == CHANNEL_NONE;
      bool red = !absent && first.type != CHANNEL_NONE && c.start == first.start;
      float v = clamp_border(&c, x->state.border[red ? 0 : i]);
      if (absent && !x->state.dx9)
         v = i == 3;
      x->border[i] = float_bits(v);
   }
}

/* SMP-122, SMP-131, SMP-134, SMP-145, SMP-146: DX9 mode has 1.0 in green and blue that are not
 * there; but SMP-127 and others, where red is not either. */
static uint8_t
dx9_ones(const struct texture *x)
{
   const struct format_channel *c = x->s.info->channel;
   if (!x->state.dx9 || x->s.info->layout != FORMAT_PLAIN || c[0].type == CHANNEL_NONE)
      return 0;
   return (uint8_t)((c[1].type == CHANNEL_NONE) << 1 | (c[2].type == CHANNEL_NONE) << 2);
}

/* Channels of 8 bits that filter as whole numbers. */
static bool
has_codes(const struct format_info *f)
{
   if (f->layout != FORMAT_PLAIN || f->srgb)
      return false;
   for (unsigned i = 0; i < 4; i++)
      if (f->channel[i].type != CHANNEL_NONE &&
          (f->channel[i].type != CHANNEL_UNORM || f->channel[i].bits != 8))
         return false;
   return true;
}

/* ---- binding --------------------------------------------------------------------------------- */

static bool
is_power(uint32_t n)
{
   return n && !(n & (n - 1));
}

/* Inside a tile, 2^n elements from a start that follow each other without a carry out of it. */
static bool
fits(uint32_t start, uint32_t count, unsigned n)
{
   return n >= 31 || (start & ((1u << n) - 1)) + (count >> n ? 1u << n : count) <= 1u << n;
}

/* MEM-020, MEM-021: elements of 4 bytes. */
static void
make_bits(struct texture_bits *b, const struct surface_view *v)
{
   static const struct {
      uint8_t across, down;     /* bits of x and y inside a tile */
      uint8_t x_shift, y_shift; /* what its columns' numbers are shifted by, and its rows */
   } tiles[] = {
       [MEM_LINEAR] = {31, 0, 0, 0}, [MEM_TILE_X] = {7, 3, 5, 9}, [MEM_TILE_Y] = {2, 5, 7, 4}};
   *b = (struct texture_bits){0};
   /* Pairs are multiplied as signed numbers of 16 bits. */
   if (!(v->users & VIEW_TEXELS) || v->size_log2 != 2 || v->tiling > MEM_TILE_Y ||
       !is_power(v->width) || !is_power(v->height) || !is_power(v->pitch_B) ||
       v->pitch_B > 1u << 14 || !fits(v->x_el, v->width, tiles[v->tiling].across) ||
       !fits(v->row, v->height, tiles[v->tiling].down))
      return;
   uint32_t across = (1u << tiles[v->tiling].across) - 1, down = (1u << tiles[v->tiling].down) - 1;
   unsigned columns = tiles[v->tiling].x_shift, rows = tiles[v->tiling].y_shift;
   uint32_t x = v->width - 1, y = v->height - 1;
   b->in_tile = (x & across) | (y & down) << 16;
   b->of_tile = (x & ~across) | (y & ~down) << 16;
   b->in_tile_B = 4 | 1u << (16 + rows);
   b->of_tile_B = 1u << columns | v->pitch_B << 16;
   b->x_bits = (x & across) << 2 | (x & ~across) << columns;
   b->y_bits = (y & down) << rows | (y & ~down) * v->pitch_B;
   b->y_step = down ? 1u << rows : v->pitch_B;
   b->last = b->x_bits | b->y_bits;
   b->first = ((v->x_el & across) << 2) + ((v->x_el & ~across) << columns) +
              ((v->row & down) << rows) + (v->row & ~down) * v->pitch_B;
   b->good = !(b->x_bits & b->y_bits);
}

struct surface_view *
texture_make_level(struct texture *x, unsigned level)
{
   surface_view_make(&x->level[level], &x->s, x->s.min_lod + level); /* SMP-046 */
   make_bits(&x->bits[level], &x->level[level]);
   bool texels = x->state.unnormalized;
   x->scale[level][0] = texels ? 256.0f : 256.0f * (float)x->level[level].width;
   x->scale[level][1] = texels ? 256.0f : 256.0f * (float)x->level[level].height;
   x->made |= (uint16_t)(1u << level);
   return &x->level[level];
}

static bool
bind_surface(struct sampler_message *s, unsigned bti, struct texture *x)
{
   const struct eu_env *env = s->t->env;
   uint32_t entry, at = env->surface_state_base + s->t->binding_table + 4 * bti; /* SMP-111 */
   if (!mem_read(env->space, at, &entry, 4)) {
      sampler_report(s, PERGOLA_ERROR, "SMP-001", "binding table entry %u at 0x%08x is not mapped",
                     bti, at);
      return false;
   }
   if (entry & GEN7_BINDING_TABLE_STATE__MBZ_0)
      sampler_report(s, PERGOLA_ERROR, "SMP-111",
                     "binding table entry %u is 0x%08x: bits 4:0 must be 0", bti, entry);
   uint32_t state =
       env->surface_state_base + (entry & GEN7_BINDING_TABLE_STATE__SURFACE_STATE_POINTER);
   if (surface_get(env->dev->surfaces, env->space, state, false, &x->s))
      return true;
   sampler_report(s, PERGOLA_ERROR, "SMP-001",
                  "surface state of binding table entry %u at 0x%08x is not mapped", bti, state);
   return false;
}

static bool
bind_state(struct sampler_message *s, unsigned sampler, struct texture *x)
{
   const struct eu_env *env = s->t->env;
   uint32_t dw[GEN7_SAMPLER_STATE_LENGTH], at = sampler_state_address(s->t, sampler);
   memset(&x->state, 0, sizeof(x->state));
   if (sampler == TEXTURE_NONE)
      return true;
   if (!mem_read(env->space, at, dw, sizeof(dw))) {
      sampler_report(s, PERGOLA_ERROR, "SMP-175", "sampler state %u at 0x%08x is not mapped",
                     sampler, at);
      return false;
   }
   unpack_state(&x->state, dw);
   if (x->state.cube_override && x->s.type == SURFTYPE_CUBE) /* which drivers set all the same */
      memset(x->state.mode, GEN7_TEXTURE_COORDINATE_MODE_CUBE, sizeof(x->state.mode));
   if (borders(x) && !read_border(env, &x->state))
      sampler_report(s, PERGOLA_ERROR, "SMP-186", "the border colour at 0x%08x is not mapped",
                     env->dynamic_state_base + x->state.border_pointer);
   return true;
}

/* SMP-023: the field has room for one level more than there are. */
static void
limit_levels(struct sampler_message *s, struct texture *x)
{
   if (x->s.levels <= TEXTURE_LEVELS)
      return;
   sampler_report(s, PERGOLA_ERROR, "SMP-023", "MIP Count makes %u levels; there can be %u",
                  x->s.levels, TEXTURE_LEVELS);
   x->s.levels = TEXTURE_LEVELS;
}

static unsigned
axes_of(const struct surface *s)
{
   return s->type == SURFTYPE_1D ? 1 : s->type == SURFTYPE_3D ? 3 : 2;
}

/* Four bytes: red, green, blue, alpha, if there is any; or red and blue exchanged. */
static bool
has_bytes(const struct texture *x)
{
   const struct format_channel *c = x->s.info->channel;
   bool swapped = c[0].start == 16;
   return x->codes && x->s.info->bits == 32 && !x->ones && c[0].type != CHANNEL_NONE &&
          c[1].type != CHANNEL_NONE && c[2].type != CHANNEL_NONE &&
          c[0].start == (swapped ? 16 : 0) && c[1].start == 8 && c[2].start == (swapped ? 0 : 16) &&
          (c[3].type == CHANNEL_NONE || c[3].start == 24);
}

/* What has functions of its own in quick_sample.c. */
static uint8_t
common_kind(const struct texture *x)
{
   const uint8_t *mode = x->state.mode;
   uint32_t w = x->s.width, h = x->s.height;
   if (!has_bytes(x) || mode[0] != mode[1] || x->general)
      return TEXTURE_UNCOMMON;
   if (mode[0] == GEN7_TEXTURE_COORDINATE_MODE_CLAMP)
      return 1;
   bool wraps = mode[0] == GEN7_TEXTURE_COORDINATE_MODE_WRAP;
   return wraps && is_power(w) && is_power(h) ? 0 : TEXTURE_UNCOMMON;
}

/* Channels that quick_sample.c makes floats of. */
static bool
has_floats(struct texture *x)
{
   return !x->integer && !x->s.info->srgb && texture_level(x, 0)->users & VIEW_FETCH;
}

/* Channels that quick_general.h makes floats of. */
static bool
becomes_floats(struct texture *x)
{
   const struct format_info *f = x->s.info;
   if (x->blocks)
      return !x->integer;
   for (unsigned i = 0; i < 4; i++) {
      const struct format_channel *c = &f->channel[i];
      bool norm = (c->type == CHANNEL_UNORM && c->bits <= 24) ||
                  (c->type == CHANNEL_SNORM && c->bits <= 16);
      bool number = c->type == CHANNEL_FLOAT &&
                    (c->bits == 32 || c->bits == 16 || c->bits == 11 || c->bits == 10);
      if (f->srgb && i < 3 && c->type != CHANNEL_NONE)
         norm = c->type == CHANNEL_UNORM && c->bits == 8;
      if (c->type != CHANNEL_NONE && ((!norm && !number) || c->start % 32 + c->bits > 32))
         return false;
   }
   return f->layout == FORMAT_PLAIN && !x->integer;
}

/* What quick_sample.c knows. */
static bool
is_quick(struct texture *x)
{
   const struct sampler_state *st = &x->state;
   bool faces = x->s.type == SURFTYPE_CUBE && x->s.cube_faces == 0x3f;
   bool type = x->s.type <= SURFTYPE_3D || faces;
   x->blocks =
       x->s.info->layout == FORMAT_BLOCK && x->s.info->block_w == 4 && x->s.info->block_h == 4;
   x->general = x->blocks || x->s.type != SURFTYPE_2D || !(x->codes || has_floats(x));
   x->borders = borders(x);
   return x->sampler != TEXTURE_NONE && type && becomes_floats(x) &&
          texture_level(x, 0)->users & VIEW_TEXELS && !st->disable && !st->chroma_key &&
          st->mag <= GEN7_MAP_FILTER_ANISOTROPIC && st->min <= GEN7_MAP_FILTER_ANISOTROPIC &&
          st->mip != 2 && (int32_t)x->s.resource_min_lod <= (x->s.min_lod + x->s.levels - 1) << 8;
}

struct texture *
sampler_bind(struct sampler_message *s, unsigned sampler, struct texture *other)
{
   struct sf_buffers *b = s->t->buffers;
   unsigned bti = hw_binding_table_index(s->m->desc);
   struct texture *x = other;
   if (b) {
      uint32_t samplers = s->t->env->dynamic_state_base + s->t->sampler_states;
      sf_buffers_turn(b, s->t);
      for (unsigned i = 0; i < SF_TEXTURES && b->samplers != samplers; i++)
         texture_forget(&b->texture[i]);
      b->samplers = samplers;
      x = &b->texture[sf_texture_slot(bti, sampler)];
      if (x->known && x->bti == bti && x->sampler == sampler)
         return x;
   }
   texture_forget(x);
   x->made = 0;
   if (!bind_surface(s, bti, x) || !bind_state(s, sampler, x))
      return NULL;
   limit_levels(s, x);
   x->bti = (uint8_t)bti;
   x->sampler = (uint8_t)sampler;
   x->axes = (uint8_t)axes_of(&x->s);
   x->integer = x->s.info->channel_class != FORMAT_CLASS_FLOAT;
   x->codes = has_codes(x->s.info);
   x->ones = dx9_ones(x);
   make_border(x);
   sampler_prepare_levels(x);
   x->clean = 0;
   x->quick = is_quick(x);
   x->common = common_kind(x);
   x->swapped = x->s.info->channel[0].start == 16;
   x->opaque = x->s.info->channel[3].type == CHANNEL_NONE;
   for (unsigned i = 0; i < 4; i++)
      x->rounding[i / 2][i % 2] = x->state.round[i / 2][i % 2] ? 0.5f : 0.0f;
   x->stretches = x->axes < 3 && (x->state.mag == GEN7_MAP_FILTER_ANISOTROPIC ||
                                  x->state.min == GEN7_MAP_FILTER_ANISOTROPIC);
   x->srgb = s->t->env->dev->surfaces->srgb;
   x->known = !s->reports; /* what is named is named for every message */
   return x;
}
