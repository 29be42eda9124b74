/* sample_8x8: the adaptive video scaler, and the detail filter behind it. Whole numbers throughout:
 * samples of 8 bits (10 are rounded to 8.2), coefficients of 6 fraction bits, results of 8.8. */
#include "shared_functions/sampler/avs.h"

#include "machine/bounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_W 16
#define BLOCK_H 4

/* ---- samples --------------------------------------------------------------------------------- */

/* SMP-158, SMP-172: Cr, Y, Cb in red, green and blue. R8B8: red in the first byte, as the drivers
 * have it for chroma planes. */
static struct avs_source
source_of(const struct media_surface *s, unsigned channel)
{
   struct avs_source c = {.bits = 8, .bytes = 1};
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

/* SMP-483: clamped to the plane; the code as it is stored. */
static uint32_t
code_at(const struct media_message_in *in, const struct avs_source *c, int32_t x, int32_t y)
{
   const struct media_plane *p = &c->plane;
   uint32_t address, element = 0;
   int32_t w = (int32_t)p->width, h = (int32_t)p->height;
   x = x < 0 ? 0 : x >= w ? w - 1 : x;
   y = y < 0 ? 0 : y >= h ? h - 1 : y;
   if (!media_plane_address(p, (uint32_t)x, (uint32_t)y, &address) ||
       !mem_read(in->t->env->space, address, &element, c->bytes))
      return 0;
   return element >> c->shift & ((1u << c->bits) - 1);
}

/* As 8.8. */
static int32_t
sample_of(const struct avs_source *c, uint32_t code)
{
   uint32_t one = (1u << c->bits) - 1;
   return c->bits == 8 ? (int32_t)code << 8 : (int32_t)((code * MEDIA_ONE + one / 2) / one);
}

/* What the sampler reads of a map: its channels, and the key that they are compared with. */
struct map {
   const struct media_message_in *in;
   struct media_surface s;
   struct avs_source source[4];
   const struct avs_state *a;
};

/* SMP-085: eight bits of a channel at a pixel of the map; chroma between two samples is their mean.
 */
static uint32_t
key_code(const struct map *m, unsigned channel, int32_t x, int32_t y)
{
   const struct avs_source *c = &m->source[channel];
   if (!c->there)
      return channel == 3 ? 255 : 0;
   int32_t w = m->s.width, h = m->s.height, pw = (int32_t)c->plane.width;
   int32_t px = x * pw / w, py = y * (int32_t)c->plane.height / h;
   uint32_t code = code_at(m->in, c, px, py);
   if (px * w != x * pw)
      code = (code + code_at(m->in, c, px + 1, py)) / 2;
   return c->bits == 10 ? code >> 2 : c->bits == 2 ? code * 0x55 : code;
}

/* SMP-080: (x, y) is of the channel's own plane. */
static bool
key_matches(const struct map *m, const struct avs_source *c, int32_t x, int32_t y)
{
   int32_t fx = x * (int32_t)m->s.width / (int32_t)c->plane.width,
           fy = y * (int32_t)m->s.height / (int32_t)c->plane.height;
   for (unsigned i = 0; i < 4; i++) {
      unsigned shift = i == 3 ? 24 : 16 - 8 * i;
      uint32_t code = key_code(m, i, fx, fy);
      if (code < (m->a->key_low >> shift & 255) || code > (m->a->key_high >> shift & 255))
         return false;
   }
   return true;
}

/* SMP-384: what matches the key is black, before it is filtered. */
static int32_t
sample_at(const struct map *m, unsigned channel, int32_t x, int32_t y)
{
   const struct avs_source *c = &m->source[channel];
   if (m->a->key && key_matches(m, c, x, y)) {
      static const uint8_t yuv_black[4] = {0x80, 0x10, 0x80, 0};
      return m->s.format <= GEN7_MEDIA_SURFACE_FORMAT_PLANAR_422_8 ? yuv_black[channel] << 8 : 0;
   }
   return sample_of(c, code_at(m->in, c, x, y));
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
load_footprint(const struct map *m, unsigned channel, float u, float v, struct footprint *f)
{
   const struct media_plane *p = &m->source[channel].plane;
   f->x = position(u, p->width, &f->phase[0]);
   f->y = position(v, p->height, &f->phase[1]);
   for (int32_t j = 0; j < 8; j++)
      for (int32_t i = 0; i < 8; i++)
         f->t[j][i] = sample_at(m, channel, f->x + i - 3, f->y + j - 3);
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
   int32_t alpha4 = int_between(0, (d4 - a->max4) * (1 << (8 - a->transition4)), 255);
   int32_t alpha8 = 255 - int_between(0, (max8 - a->max8) * (1 << (8 - a->transition8)), 255);
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

/* SMP-382: what RGB Adaptive takes for luma: (R + 2G + B) / 4. */
static void
mix_colours(struct footprint *luma, const struct footprint *red, const struct footprint *blue)
{
   for (unsigned j = 0; j < 8; j++)
      for (unsigned i = 0; i < 8; i++)
         luma->t[j][i] = (red->t[j][i] + 2 * luma->t[j][i] + blue->t[j][i]) >> 2;
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
   return int_between(0, along(a, table, 1, f->phase[1], rows, alpha[1]), (int32_t)MEDIA_ONE);
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
   int32_t edge = int_between(0, (abs(h) + abs(v) + 4) >> 3, 15);
   int32_t weight = a->weight[edge > a->strong ? 2 : edge > a->weak ? 1 : 0];
   int32_t sigma = 8 * n[2][2] -
                   (n[0][0] + n[0][2] + n[0][4] + n[2][0] + n[2][4] + n[4][0] + n[4][2] + n[4][4]);
   sigma = int_between(-32, sigma, 31);
   int32_t delta = (sigma * a->gain * weight + 64) / (128 * int_between(0, 8 + high - low, 255));
   return int_between(0, out + delta * 256, (int32_t)MEDIA_ONE);
}

/* ---- the message ----------------------------------------------------------------------------- */

static bool
bind_surface(const struct media_message_in *in, struct media_surface *s)
{
   const struct eu_env *env = in->t->env;
   uint32_t entry, bti = hw_binding_table_index(in->m->desc);
   uint32_t at = env->surface_state_base + in->t->binding_table + 4 * bti;
   if (mem_read(env->space, at, &entry, 4) &&
       media_surface_get(
           env->dev->surfaces, env->space,
           env->surface_state_base + (entry & GEN7_BINDING_TABLE_STATE__SURFACE_STATE_POINTER), s))
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
   struct map m = {.in = in, .a = &a};
   uint16_t words[4][BLOCK_H][BLOCK_W] = {{{0}}};
   if (!bind_surface(in, &m.s) || !avs_read_state(in, &m.s, &a))
      return;
   if (rules_on(in->t->env->dev))
      check(in, &m.s);
   for (unsigned c = 0; c < 4; c++)
      m.source[c] = source_of(&m.s, c);
   for (unsigned y = 0; y < BLOCK_H; y++)
      for (unsigned x = 0; x < BLOCK_W; x++) {
         float u = in->u + in->du * (float)x + in->second_u * (float)(x * (x - 1) / 2);
         float v = in->v + in->dv * (float)(y + 4 * in->block);
         struct footprint luma, f;
         int32_t alpha[2] = {a.sharpness, a.sharpness};
         if (m.source[1].there) {
            load_footprint(&m, 1, u, v, &luma);
            struct footprint mixed = luma, other;
            if (a.rgb_adaptive && m.source[0].there && m.source[2].there) {
               load_footprint(&m, 0, u, v, &f);
               load_footprint(&m, 2, u, v, &other);
               mix_colours(&mixed, &f, &other);
            }
            alphas(&a, &mixed, alpha);
         }
         for (unsigned c = 0; c < 4; c++) {
            int32_t plain[2] = {a.sharpness, a.sharpness}; /* adaptive for luma alone */
            if (!m.source[c].there || in->masked >> c & 1) {
               words[c][y][x] = c == 3 ? MEDIA_ONE : 0;
               continue;
            }
            if (c != 1)
               load_footprint(&m, c, u, v, &f);
            int32_t out =
                scale(&a, c != 1, c == 1 ? &luma : &f, c == 1 || a.all_channels ? alpha : plain);
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
