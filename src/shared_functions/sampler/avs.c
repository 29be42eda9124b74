/* sample_8x8: the adaptive video scaler, and the detail filter behind it. Whole numbers throughout:
 * samples of 8 bits (10 are rounded to 8.2), coefficients of 6 fraction bits, results of 8.8. */
#include "shared_functions/sampler/media.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_W 16
#define BLOCK_H 4

/* SMP-382: by table (0: Y and G, 1: the others), direction (X, Y), phase, tap. */
struct avs_state {
   int8_t k[2][2][17][8];
   uint8_t sharpness, max4, max8, transition4, transition8;
   bool bypass[2]; /* X, Y: Default Sharpness Level */
   bool all_channels;
   bool disabled;   /* the 8x8 filter: smooth only */
   bool ief_bypass; /* the detail filter is off */
   uint8_t strong, weak, weight[3], gain;
};

static void
unpack_coefficients(struct avs_state *a, const uint32_t *dw)
{
   for (unsigned n = 0; n < 17; n++)
      for (unsigned direction = 0; direction < 2; direction++)
         for (unsigned tap = 0; tap < 8; tap++) {
            uint32_t first = dw[8 * n + 2 * direction + tap / 4];
            uint32_t second = dw[8 * n + 4 + 2 * direction + tap / 4];
            a->k[0][direction][n][tap] = (int8_t)(first >> 8 * (tap % 4));
            a->k[1][direction][n][tap] =
                tap >= 2 && tap <= 5 ? (int8_t)(second >> 8 * (tap % 4)) : 0;
         }
}

/* SMP-176, SMP-382 */
static bool
read_state(const struct media_message_in *in, struct avs_state *a)
{
   const struct eu_env *env = in->t->env;
   uint32_t dw[138], table[4];
   uint32_t at = env->dynamic_state_base + in->t->sampler_states + 16 * (in->m->desc >> 8 & 15);
   struct gen7_sampler_state_8x8_message st;
   if (!mem_read(env->space, at, table, sizeof(table))) {
      sampler_media_report(in, PERGOLA_ERROR, "SMP-176",
                           "the sampler state at 0x%08x is not mapped", at);
      return false;
   }
   gen7_sampler_state_8x8_message_unpack(&st, table);
   at = env->dynamic_state_base + st.sampler_8x8_state_pointer;
   if (!mem_read(env->space, at, dw, sizeof(dw))) {
      sampler_media_report(in, PERGOLA_ERROR, "SMP-382",
                           "SAMPLER_8x8_STATE at 0x%08x is not mapped", at);
      return false;
   }
   if (at & 63)
      sampler_media_report(in, PERGOLA_ERROR, "SMP-382",
                           "SAMPLER_8x8_STATE at 0x%08x is not aligned to 64 bytes", at);
   unpack_coefficients(a, dw);
   a->all_channels = dw[4] >> 15 & 1;
   a->sharpness = (uint8_t)(dw[136] >> 24);
   a->max4 = (uint8_t)(dw[136] >> 16);
   a->max8 = (uint8_t)(dw[136] >> 8);
   a->transition4 = dw[136] >> 4 & 7;
   a->transition8 = dw[136] & 7;
   a->bypass[0] = dw[137] >> 22 & 1;
   a->bypass[1] = dw[137] >> 21 & 1;
   a->disabled = st._8x8_filter_disable;
   a->ief_bypass = st.ief_bypass;
   a->strong = (uint8_t)st.strong_edge_threshold;
   a->weak = (uint8_t)st.weak_edge_threshold;
   a->weight[0] = (uint8_t)st.non_edge_weight;
   a->weight[1] = (uint8_t)st.regular_weight;
   a->weight[2] = (uint8_t)st.strong_edge_weight;
   a->gain = (uint8_t)st.gain_factor;
   return true;
}

/* ---- samples --------------------------------------------------------------------------------- */

/* Where a channel comes from: a plane, and a byte or field of its elements. */
struct source {
   bool there;
   struct media_plane plane;
   uint8_t shift, bits; /* in the element, little endian */
   uint8_t bytes;       /* of the element to read */
};

/* SMP-158, SMP-172: Cr, Y, Cb in red, green and blue. R8B8: red in the first byte, as the drivers
 * have it for chroma planes. */
static struct source
source_of(const struct media_surface *s, unsigned channel)
{
   struct source c = {.bits = 8, .bytes = 1};
   static const uint8_t plane[3] = {MEDIA_PLANE_V, MEDIA_PLANE_Y, MEDIA_PLANE_U};
   unsigned format = s->format;
   if (format <= GEN7_MEDIA_SURFACE_FORMAT_PLANAR_422_8) {
      c.there = channel < 3 && media_surface_plane(s, plane[channel % 3], &c.plane);
      return c;
   }
   if (!media_surface_plane(s, MEDIA_PLANE_Y, &c.plane))
      return c;
   switch (format) {
   case GEN7_MEDIA_SURFACE_FORMAT_Y8_UNORM:
      c.there = channel == 1;
      break;
   case GEN7_MEDIA_SURFACE_FORMAT_R8_UNORM:
      c.there = channel == 0;
      break;
   case GEN7_MEDIA_SURFACE_FORMAT_R8B8_UNORM:
      c.there = channel == 0 || channel == 2;
      c.shift = channel == 2 ? 8 : 0;
      c.bytes = 2;
      break;
   case GEN7_MEDIA_SURFACE_FORMAT_R8G8B8A8_UNORM:
      c.there = true;
      c.shift = (uint8_t)(8 * channel);
      c.bytes = 4;
      break;
   case GEN7_MEDIA_SURFACE_FORMAT_R10G10B10A2_UNORM:
      c.there = true;
      c.shift = (uint8_t)(10 * channel);
      c.bits = channel == 3 ? 2 : 10;
      c.bytes = 4;
      break;
   default:
      break;
   }
   return c;
}

/* A sample as 8.8, SMP-483: clamped to the plane. */
static int32_t
sample_at(const struct media_message_in *in, const struct source *c, int32_t x, int32_t y)
{
   const struct media_plane *p = &c->plane;
   uint32_t address, element = 0;
   int32_t w = (int32_t)p->width, h = (int32_t)p->height;
   x = x < 0 ? 0 : x >= w ? w - 1 : x;
   y = y < 0 ? 0 : y >= h ? h - 1 : y;
   if (!media_plane_address(p, (uint32_t)x, (uint32_t)y, &address) ||
       !mem_read(in->t->env->space, address, &element, c->bytes))
      return 0;
   element = element >> c->shift & ((1u << c->bits) - 1);
   uint32_t one = (1u << c->bits) - 1;
   return c->bits == 8 ? (int32_t)element << 8 : (int32_t)((element * MEDIA_ONE + one / 2) / one);
}

/* ---- the scaler ------------------------------------------------------------------------------ */

/* Of one pixel and channel: the 8 by 8 samples around it. */
struct footprint {
   int32_t t[8][8]; /* 8.8 */
   int32_t phase[2];
   int32_t x, y; /* of t[3][3] */
};

/* SMP-521: the fraction has five bits. Coordinates are first taken to the nearest 1/256 of a texel
 * (SMP-021): a sum of steps in floats that falls short of a whole texel by its last bit is one. */
static int32_t
position(float u, uint32_t size, int32_t *phase)
{
   float x = u * (float)size;
   x = x > -65536.0f ? (x < 65536.0f ? x : 65536.0f) : -65536.0f;
   int32_t fixed = (int32_t)floorf(x * 256.0f + 0.5f) >> 3;
   *phase = fixed & 31;
   return fixed >> 5;
}

static void
load_footprint(const struct media_message_in *in, const struct source *c, float u, float v,
               struct footprint *f)
{
   f->x = position(u, c->plane.width, &f->phase[0]);
   f->y = position(v, c->plane.height, &f->phase[1]);
   for (int32_t j = 0; j < 8; j++)
      for (int32_t i = 0; i < 8; i++)
         f->t[j][i] = sample_at(in, c, f->x + i - 3, f->y + j - 3);
}

static int32_t
clamp(int32_t v, int32_t low, int32_t high)
{
   return v < low ? low : v > high ? high : v;
}

/* SMP-521: phases past the half are the mirrored ones. */
static int32_t
coefficient(const struct avs_state *a, unsigned table, unsigned direction, int32_t phase,
            unsigned tap)
{
   return phase <= 16 ? a->k[table][direction][phase][tap]
                      : a->k[table][direction][32 - phase][7 - tap];
}

/* SMP-523: 255: sharp, 0: smooth. w: eight samples of luma, 8 bits. */
static int32_t
adapt(const struct avs_state *a, const int32_t w[8])
{
   int32_t d[7], max8 = 0;
   for (unsigned i = 0; i < 7; i++) {
      d[i] = w[i + 1] - w[i];
      max8 = abs(d[i]) > max8 ? abs(d[i]) : max8;
   }
   int32_t left = abs(d[3]) > abs(d[2]) ? abs(d[3]) : abs(d[2]);
   int32_t right = abs(d[3]) > abs(d[4]) ? abs(d[3]) : abs(d[4]);
   int32_t max4 = left < right ? left : right;
   int32_t d4 = (abs(d[2] - d[3]) + abs(d[4] - d[3])) / 2;
   d4 = d4 < max4 ? d4 : max4;
   int32_t alpha4 = clamp((d4 - a->max4) * (1 << (8 - a->transition4)), 0, 255);
   int32_t alpha8 = 255 - clamp((max8 - a->max8) * (1 << (8 - a->transition8)), 0, 255);
   return alpha4 > alpha8 ? alpha4 : alpha8;
}

static int32_t
blend(int32_t sharp, int32_t smooth, int32_t alpha)
{
   /* Coefficients of any size: the product may need more than 32 bits. */
   return alpha == 255 ? sharp
                       : smooth + (int32_t)((128 + (int64_t)(sharp - smooth) * alpha) / 256);
}

/* Eight numbers of 8.8 along one direction, sharp and smooth (SMP-522). */
static int32_t
along(const struct avs_state *a, unsigned table, unsigned direction, int32_t phase,
      const int32_t t[8], int32_t alpha)
{
   int32_t sharp = 0, smooth = (t[3] * (32 - phase) + t[4] * phase + 16) >> 5;
   if (a->disabled)
      return smooth;
   for (unsigned i = 0; i < 8; i++)
      sharp += t[i] * coefficient(a, table, direction, phase, i);
   return blend((sharp + 32) >> 6, smooth, alpha);
}

/* The alphas of a pixel, from its luma: of the row and of the column through the middle. */
static void
alphas(const struct avs_state *a, const struct footprint *luma, int32_t alpha[2])
{
   int32_t row[8], column[8];
   for (unsigned i = 0; i < 8; i++) {
      row[i] = luma->t[3][i] >> 8;
      column[i] = luma->t[i][3] >> 8;
   }
   alpha[0] = a->bypass[0] ? a->sharpness : adapt(a, row);
   alpha[1] = a->bypass[1] ? a->sharpness : adapt(a, column);
}

static int32_t
scale(const struct avs_state *a, unsigned table, const struct footprint *f, const int32_t alpha[2])
{
   int32_t rows[8];
   for (unsigned j = 0; j < 8; j++)
      rows[j] = along(a, table, 0, f->phase[0], f->t[j], alpha[0]);
   return clamp(along(a, table, 1, f->phase[1], rows, alpha[1]), 0, (int32_t)MEDIA_ONE);
}

/* SMP-524, SMP-526: the 5x5 detail filter, on luma around its nearest sample. */
static int32_t
enhance(const struct avs_state *a, const struct footprint *f, int32_t out)
{
   int32_t n[5][5], low = 255, high = 0;
   for (unsigned j = 0; j < 5; j++)
      for (unsigned i = 0; i < 5; i++)
         n[j][i] = f->t[j + 1][i + 1] >> 8;
   for (unsigned j = 1; j < 4; j++)
      for (unsigned i = 1; i < 4; i++) {
         low = n[j][i] < low ? n[j][i] : low;
         high = n[j][i] > high ? n[j][i] : high;
      }
   int32_t h = n[1][3] + 2 * n[2][3] + n[3][3] - n[1][1] - 2 * n[2][1] - n[3][1];
   int32_t v = n[3][1] + 2 * n[3][2] + n[3][3] - n[1][1] - 2 * n[1][2] - n[1][3];
   int32_t edge = clamp((abs(h) + abs(v) + 4) >> 3, 0, 15);
   int32_t weight = a->weight[edge > a->strong ? 2 : edge > a->weak ? 1 : 0];
   int32_t sigma = 8 * n[2][2] -
                   (n[0][0] + n[0][2] + n[0][4] + n[2][0] + n[2][4] + n[4][0] + n[4][2] + n[4][4]);
   sigma = clamp(sigma, -32, 31);
   int32_t delta = (sigma * a->gain * weight + 64) / (128 * clamp(8 + high - low, 0, 255));
   return clamp(out + delta * 256, 0, (int32_t)MEDIA_ONE);
}

/* ---- the message ----------------------------------------------------------------------------- */

static bool
bind_surface(const struct media_message_in *in, struct media_surface *s)
{
   const struct eu_env *env = in->t->env;
   uint32_t entry, bti = in->m->desc & 0xff;
   uint32_t at = env->surface_state_base + in->t->binding_table + 4 * bti;
   if (mem_read(env->space, at, &entry, 4) &&
       media_surface_get(env->dev->surfaces, env->space, env->surface_state_base + (entry & ~31u),
                         s))
      return true;
   sampler_media_report(in, PERGOLA_ERROR, "SMP-001", "surface %u is not mapped", bti);
   return false;
}

/* SMP-484 */
static void
check(const struct media_message_in *in, const struct media_surface *s)
{
   float w = (float)s->width, h = (float)s->height, step = in->du * w;
   media_surface_report(s, MEDIA_SAMPLE_8X8, in->t, in->m);
   if (s->width < 4 || in->dv * h >= 16.0f || step < 0 || step >= 16.0f ||
       in->second_u * w >= (64.0f - 2.0f * step) / 35.0f)
      sampler_media_report(in, PERGOLA_ERROR, "SMP-484",
                           "the map is narrower than four pixels, or a step is 16 of them or more");
}

/* SMP-483, SMP-490 */
void
media_sample_8x8(const struct media_message_in *in)
{
   struct avs_state a;
   struct media_surface s;
   struct source source[4];
   uint16_t words[4][BLOCK_H][BLOCK_W] = {{{0}}};
   if (!bind_surface(in, &s) || !read_state(in, &a))
      return;
   if (rules_on(in->t->env->dev))
      check(in, &s);
   for (unsigned c = 0; c < 4; c++)
      source[c] = source_of(&s, c);
   for (unsigned y = 0; y < BLOCK_H; y++)
      for (unsigned x = 0; x < BLOCK_W; x++) {
         float u = in->u + in->du * (float)x + in->second_u * (float)(x * (x - 1) / 2);
         float v = in->v + in->dv * (float)(y + 4 * in->block);
         struct footprint luma;
         int32_t alpha[2] = {a.sharpness, a.sharpness};
         if (source[1].there) {
            load_footprint(in, &source[1], u, v, &luma);
            alphas(&a, &luma, alpha);
         }
         for (unsigned c = 0; c < 4; c++) {
            struct footprint f;
            int32_t other[2] = {a.sharpness, a.sharpness}; /* adaptive for luma alone */
            if (!source[c].there || in->masked >> c & 1) {
               words[c][y][x] = c == 3 ? MEDIA_ONE : 0;
               continue;
            }
            if (c != 1)
               load_footprint(in, &source[c], u, v, &f);
            int32_t out =
                scale(&a, c != 1, c == 1 ? &luma : &f, c == 1 || a.all_channels ? alpha : other);
            if (c == 1 && !a.ief_bypass)
               out = enhance(&a, &luma, out);
            words[c][y][x] = (uint16_t)out;
         }
      }
   unsigned reg = 0;
   for (unsigned c = 0; c < 4; c++)
      for (unsigned y = 0; y < BLOCK_H && !(in->masked >> c & 1); y++, reg++)
         if (reg < in->m->rlen)
            memcpy(in->m->response + reg * EU_REG_SIZE, words[c][y], EU_REG_SIZE);
}
