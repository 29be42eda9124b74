/* Filters inside a level and between levels. docs/sampler.md says how results are rounded. */
#include "shared_functions/sampler/address.h"
#include "shared_functions/sampler/sampler.h"

#include <math.h>
#include <string.h>

/* Positions on the axes, 8 fraction bits. */
static void
positions(const struct sampler_message *s, const struct sampler_point *p,
          const struct surface_view *v, bool minified, const float extra[2], bool rounds,
          int32_t at[3])
{
   const struct texture *x = s->x;
   uint32_t size[3] = {v->width, v->height, v->depth};
   for (unsigned k = 0; k < 3; k++) {
      float offset = (float)p->offset[k] + (k < 2 ? extra[k] : 0.0f);
      at[k] = k < x->axes
                  ? address_position(p->at[k], !x->state.unnormalized, size[k], x->state.mode[k],
                                     rounds && x->state.round[minified][k], offset)
                  : 0;
   }
}

/* SMP-055 */
static void
nearest(struct sampler_message *s, unsigned pixel, const struct sampler_point *p, unsigned level,
        const int32_t at[3], format_texel out)
{
   int32_t i[3] = {at[0] >> 8, at[1] >> 8, at[2] >> 8};
   sampler_texel(s, pixel, p, level, i, out);
}

/* Codes of 8 bits: the weighted sum is exact, and divided once. */
static float
sum_codes(const format_texel *t, const uint32_t *w, unsigned count, unsigned c)
{
   uint64_t sum = 0;
   for (unsigned i = 0; i < count; i++)
      sum += (uint64_t)w[i] * (uint32_t)(bits_float(t[i][c]) * 255.0f + 0.5f);
   if (count <= 4)
      return (float)(uint32_t)sum / 16711680.0f; /* 255 * 2^16 */
   return (float)((double)sum / 4278190080.0);   /* 255 * 2^24 */
}

/* Floats: in pairs along U, then V, then R. A texel without weight does not count, whatever it is:
 * an infinite one would make a NaN. */
static float
sum_floats(const format_texel *t, const uint32_t *w, unsigned count, unsigned c)
{
   float sum[8], scale = count <= 2 ? 1.0f / 256 : count == 4 ? 1.0f / 65536 : 1.0f / 16777216;
   for (unsigned i = 0; i < count; i++)
      sum[i] = w[i] ? bits_float(t[i][c]) * ((float)w[i] * scale) : 0.0f;
   for (; count > 1; count /= 2)
      for (unsigned i = 0; i < count / 2; i++)
         sum[i] = sum[2 * i] + sum[2 * i + 1];
   return sum[0];
}

/* Is one of two texels on an axis, if it has weight, of the border? */
static bool
has_border(unsigned mode, uint32_t size, int32_t first, int32_t fraction)
{
   int32_t second = first + (fraction > 0);
   return address_texel(mode, (int32_t)size, &first) != ADDRESS_INSIDE ||
          address_texel(mode, (int32_t)size, &second) != ADDRESS_INSIDE;
}

/* SMP-056: 2, 4 or 8 texels. */
static void
linear(struct sampler_message *s, unsigned pixel, const struct sampler_point *p, unsigned level,
       const int32_t at[3], format_texel out)
{
   unsigned axes = s->x->axes, count = 1u << axes;
   format_texel t[8];
   uint32_t w[8];
   int32_t first[3], fraction[3];
   for (unsigned k = 0; k < 3; k++) {
      int32_t low = k < axes ? at[k] - 128 : 0;
      first[k] = low >> 8;
      fraction[k] = low & 255;
   }
   for (unsigned n = 0; n < count; n++) {
      int32_t i[3];
      w[n] = 1;
      for (unsigned k = 0; k < 3; k++) {
         unsigned up = n >> k & 1;
         i[k] = first[k] + (int32_t)up;
         if (k < axes)
            w[n] *= (uint32_t)(up ? fraction[k] : 256 - fraction[k]);
      }
      if (w[n])
         sampler_texel(s, pixel, p, level, i, t[n]);
      else
         memset(t[n], 0, sizeof(format_texel));
   }
   /* Codes come from memory alone: borders, comparisons and means of texels are any numbers. */
   bool codes = s->x->codes && !(s->kind->flags & SAMPLER_COMPARES) &&
                s->x->s.type != SURFTYPE_CUBE && axes > 1;
   const struct surface_view *v = texture_level(s->x, level);
   uint32_t size[3] = {v->width, v->height, v->depth};
   for (unsigned k = 0; k < axes && codes; k++)
      codes = !has_border(s->x->state.mode[k], size[k], first[k], fraction[k]);
   for (unsigned c = 0; c < 4; c++)
      out[c] = float_bits(codes ? sum_codes(t, w, count, c) : sum_floats(t, w, count, c));
}

/* SMP-060, SMP-061, SMP-062: the share of ones under a window of Nu by Nv texels. */
static void
mono(struct sampler_message *s, unsigned pixel, const struct sampler_point *p, unsigned level,
     const int32_t at[3], format_texel out)
{
   const struct sampler_tables *tables = &s->t->env->dev->surfaces->sampler;
   struct surface_view *v = texture_level(s->x, level);
   int32_t nu = tables->mono_width, nv = tables->mono_height, sum = 0;
   int32_t left = at[0] - nu * 128, top = at[1] - nv * 128;
   int32_t x0 = left >> 8, y0 = top >> 8, bu = left & 255, bv = top & 255;
   (void)pixel;
   for (int32_t j = 0; j <= nv; j++)
      for (int32_t i = 0; i <= nu; i++) {
         format_texel t;
         int32_t x = x0 + i, y = y0 + j;
         int32_t wu = (i < nu ? 256 - bu : 0) + (i ? bu : 0),
                 wv = (j < nv ? 256 - bv : 0) + (j ? bv : 0);
         if (x < 0 || y < 0 || x >= (int32_t)v->width || y >= (int32_t)v->height)
            continue; /* the border is 0 */
         sampler_fetch(s, v, (uint32_t)x, (uint32_t)y, p->slice, 0, t);
         sum += bits_float(t[0]) > 0 ? wu * wv : 0;
      }
   float f = nu && nv ? (float)((double)sum / (65536.0 * nu * nv)) : 0;
   for (unsigned c = 0; c < 4; c++)
      out[c] = float_bits(f);
}

/* SMP-058 */
static void
anisotropic(struct sampler_message *s, unsigned pixel, const struct sampler_point *p,
            const struct sampler_levels *l, unsigned level, format_texel out)
{
   struct surface_view *v = texture_level(s->x, level);
   float sum[4] = {0}, end = (l->ratio - (float)(l->ways - 2)) * 0.5f;
   for (unsigned n = 0; n < l->ways; n++) {
      float along = (float)n - (float)(l->ways - 1) * 0.5f;
      float extra[2] = {l->step[0] * along, l->step[1] * along};
      float w = n == 0 || n == l->ways - 1u ? end : 1.0f;
      int32_t at[3];
      format_texel t;
      positions(s, p, v, l->minified, extra, true, at);
      linear(s, pixel, p, level, at, t);
      for (unsigned c = 0; c < 4; c++)
         sum[c] += bits_float(t[c]) * w;
   }
   for (unsigned c = 0; c < 4; c++)
      out[c] = float_bits(sum[c] / l->ratio);
}

static void
one_level(struct sampler_message *s, unsigned pixel, const struct sampler_point *p,
          const struct sampler_levels *l, unsigned level, format_texel out)
{
   static const float none[2] = {0, 0};
   int32_t at[3];
   if (l->filter == GEN7_MAP_FILTER_ANISOTROPIC && l->ways > 1 && !s->x->integer) {
      anisotropic(s, pixel, p, l, level, out);
      return;
   }
   positions(s, p, texture_level(s->x, level), l->minified, none, true, at);
   if (l->filter == GEN7_MAP_FILTER_MONO)
      mono(s, pixel, p, level, at, out);
   else if (l->filter == GEN7_MAP_FILTER_NEAREST || s->x->integer)
      nearest(s, pixel, p, level, at, out);
   else
      linear(s, pixel, p, level, at, out);
}

/* SMP-098 */
void
sampler_sample(struct sampler_message *s)
{
   EACH_PIXEL(s, i)
   {
      struct sampler_point p;
      struct sampler_levels l;
      format_texel t[2];
      s->pixel = (uint8_t)i;
      sampler_locate(s, i, &p);
      sampler_choose_levels(s, i, &l);
      if (l.outside)
         sampler_outside(&s->x->s, false, t[0]);
      else
         one_level(s, i, &p, &l, l.level[0], t[0]);
      if (l.beta && !l.outside && !s->x->integer) { /* SMP-051 */
         float beta = (float)l.beta * (1.0f / 256), rest = 1.0f - beta;
         one_level(s, i, &p, &l, l.level[1], t[1]);
         for (unsigned c = 0; c < 4; c++)
            t[0][c] = float_bits(bits_float(t[0][c]) * rest + bits_float(t[1][c]) * beta);
      }
      for (unsigned c = 0; c < 4; c++)
         s->result[c][i] = t[0][c];
   }
}

/* SMP-286, SMP-288: the channel that is asked for; green of two channels of 32 bits comes with
 * blue's number. */
static uint32_t
gathered(const struct sampler_message *s, const format_texel t)
{
   unsigned c = s->gather_channel, format = s->x->s.format;
   if (c == 2 && (format == GEN7_SURFACE_FORMAT_R32G32_FLOAT_LD ||
                  format == GEN7_SURFACE_FORMAT_R32G32_FLOAT))
      c = 1;
   return t[c];
}

/* SMP-281, SMP-290: four texels, unfiltered. SMP-021: never rounded. */
void
sampler_gather(struct sampler_message *s)
{
   static const uint8_t place[4] = {3, 2, 0, 1}; /* upper left, upper right, lower left, right */
   static const float none[2] = {0, 0};
   EACH_PIXEL(s, i)
   {
      struct sampler_point p;
      struct sampler_levels l;
      int32_t at[3];
      s->pixel = (uint8_t)i;
      sampler_locate(s, i, &p);
      sampler_choose_levels(s, i, &l);
      unsigned level = s->x->s.type == SURFTYPE_2D ? 0 : l.level[0];
      positions(s, &p, texture_level(s->x, level), l.minified, none, false, at);
      for (unsigned n = 0; n < 4; n++) {
         int32_t texel[3] = {((at[0] - 128) >> 8) + (int32_t)(n & 1),
                             ((at[1] - 128) >> 8) + (int32_t)(n >> 1), 0};
         format_texel t;
         if (l.outside)
            sampler_outside(&s->x->s, false, t);
         else
            sampler_texel(s, i, &p, level, texel, t);
         s->result[place[n]][i] = gathered(s, t);
      }
   }
}
