/* Level of detail. Numbers with 8 fraction bits, as the state has them (SMP-029, SMP-037). */
#include "shared_functions/sampler/sampler.h"

#include <math.h>
#include <string.h>

/* 256 * log2(sqrt(x)), to the nearest: with whole numbers alone, so that it is the same on every
 * host. Squaring a number in [1, 2) doubles its logarithm: what it overflows by is the next bit. */
static int32_t
half_log2(float x)
{
   uint32_t bits = sampler_bits(x);
   int32_t exponent = (int32_t)(bits >> 23 & 0xff) - 127;
   if (!(x > 0) || exponent < -126)
      return -SAMPLER_LOD_FAR;
   if (exponent == 128)
      return SAMPLER_LOD_FAR;
   uint64_t m = (uint64_t)((bits & 0x7fffff) | 0x800000) << 7; /* 30 fraction bits */
   int32_t log = exponent;
   for (unsigned i = 0; i < 8; i++) {
      m = m * m >> 30;
      log = log * 2 + (m >= UINT64_C(2) << 30);
      if (m >= UINT64_C(2) << 30)
         m >>= 1;
   }
   return (log + 1) >> 1;
}

static int32_t
to_fixed(float f)
{
   if (!(fabsf(f) < 60.0f))
      return f > 0 ? SAMPLER_LOD_FAR : -SAMPLER_LOD_FAR;
   return (int32_t)floorf(f * 256.0f + 0.5f);
}

static int32_t
min_of(int32_t a, int32_t b)
{
   return a < b ? a : b;
}

static int32_t
max_of(int32_t a, int32_t b)
{
   return a > b ? a : b;
}

static float
square(const float v[3])
{
   return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

/* SMP-058, SMP-059: level of detail from the minor axis; samples one texel apart on the major one.
 * A ratio that does not reach 1 + 1/256 is no anisotropy. */
static int32_t
anisotropic(const struct sampler_state *st, const struct sampler_gradients *g,
            struct sampler_levels *l)
{
   float xx = square(g->x), yy = square(g->y);
   const float *axis = xx >= yy ? g->x : g->y;
   float major = sqrtf(xx >= yy ? xx : yy), minor = sqrtf(xx >= yy ? yy : xx);
   if (!(major > 0) || !(major < 1e18f))
      return major > 0 ? SAMPLER_LOD_FAR : -SAMPLER_LOD_FAR;
   float ratio = minor * (float)st->max_ratio > major ? major / minor : (float)st->max_ratio;
   float narrow = major / ratio;
   if (ratio >= 1.00390625f) {
      l->ratio = ratio;
      l->ways = (uint8_t)(2 * (int)ceilf(ratio * 0.5f));
      l->step[0] = axis[0] / major;
      l->step[1] = axis[1] / major;
   }
   return half_log2(narrow * narrow);
}

int32_t
sampler_gradients_lod(const struct texture *x, const struct sampler_gradients *g,
                      struct sampler_levels *l)
{
   const struct sampler_state *st = &x->state;
   bool stretched =
       (st->min == GEN7_MAP_FILTER_ANISOTROPIC || st->mag == GEN7_MAP_FILTER_ANISOTROPIC) &&
       x->axes < 3;
   float xx = square(g->x), yy = square(g->y);
   return stretched ? anisotropic(st, g, l) : half_log2(xx > yy ? xx : yy);
}

/* SMP-029, SMP-039: before the bias of the state. */
static int32_t
raw_lod(const struct sampler_message *s, unsigned pixel, struct sampler_levels *l)
{
   struct sampler_gradients g;
   if (!(s->kind->flags & (SAMPLER_GRADIENTS | SAMPLER_EXPLICIT)))
      return to_fixed(sampler_input(s->p[P_LOD][pixel]));
   sampler_gradients(s, pixel, &g);
   return sampler_gradients_lod(s->x, &g, l) + to_fixed(sampler_input(s->p[P_BIAS][pixel]));
}

/* SMP-378: a level that contributes little is left out. */
static int32_t
round_beta(unsigned quality, int32_t beta)
{
   int32_t least = quality == 2 ? 64 : quality == 3 ? 96 : 0;
   return beta < least ? 0 : 256 - beta < least ? 256 : beta;
}

static int32_t
resource_lod(const struct texture *x)
{
   return (int32_t)x->s.resource_min_lod - (x->s.min_lod << 8);
}

/* SMP-038, SMP-047: limits that depend on state alone. */
void
sampler_prepare_levels(struct texture *x)
{
   const struct sampler_state *st = &x->state;
   int32_t count = (x->s.levels - 1) << 8;
   struct surface_extent e = surface_level_size(&x->s, x->s.min_lod);
   x->adjusted_max = min_of(st->max_lod, count);
   x->adjusted_min = max_of(min_of(st->min_lod, count), resource_lod(x));
   int32_t only = min_of(0, (x->adjusted_max + 255) & ~255); /* SMP-041 */
   x->level_none = min_of(max_of(only, x->adjusted_min & ~255) >> 8, x->s.levels - 1);
   x->base_width = (float)e.width;
   x->base_height = (float)e.height;
   x->needs_lod = (st->mip != GEN7_SAMPLER_STATE_MIP_MODE_FILTER_NONE && x->s.levels > 1) ||
                  st->min != st->mag || st->min == GEN7_MAP_FILTER_ANISOTROPIC ||
                  memcmp(st->round[0], st->round[1], sizeof(st->round[0])) != 0;
}

void
sampler_choose_levels(const struct sampler_message *s, unsigned pixel, struct sampler_levels *l)
{
   const struct texture *x = s->x;
   const struct sampler_state *st = &x->state;
   l->ways = 1;
   l->beta = 0;
   l->outside = resource_lod(x) > (x->s.levels - 1) << 8;
   int32_t lod = raw_lod(s, pixel, l) + st->bias; /* SMP-030, SMP-039 */
   l->unclamped = lod;
   if (st->preclamp) /* SMP-040 */
      lod = max_of(min_of(lod, st->max_lod), st->min_lod);
   l->minified = lod - st->base > 0; /* SMP-036 */
   l->filter = l->minified ? st->min : st->mag;
   if (!l->minified || st->mip == GEN7_SAMPLER_STATE_MIP_MODE_FILTER_NONE) {
      lod = l->lod = x->level_none << 8;
   } else {
      lod = l->lod = max_of(min_of(lod, x->adjusted_max), x->adjusted_min);
      if (st->mip == GEN7_SAMPLER_STATE_MIP_MODE_FILTER_LINEAR) /* SMP-043 */
         l->beta = round_beta(st->quality, lod & 255);
      else
         lod += 128; /* SMP-042 */
   }
   if (l->outside) /* SMP-045 */
      lod = 0;
   int32_t last = x->s.levels - 1, level = lod >> 8; /* SMP-053 */
   l->level[0] = (uint8_t)min_of(level, last);
   l->level[1] = (uint8_t)min_of(level + 1, last);
   if (l->filter != GEN7_MAP_FILTER_ANISOTROPIC)
      l->ways = 1;
   if (l->beta == 256) {
      l->level[0] = l->level[1];
      l->beta = 0;
   }
}

/* SMP-278, SMP-280: the clamped level of detail, with Surface Min LOD (SMP-044), and the other. */
void
sampler_lod(struct sampler_message *s)
{
   EACH_PIXEL(s, i)
   {
      struct sampler_levels l;
      sampler_choose_levels(s, i, &l);
      s->result[0][i] = sampler_bits((float)(l.lod + (s->x->s.min_lod << 8)) / 256.0f);
      s->result[1][i] = sampler_bits((float)l.unclamped / 256.0f);
      s->result[2][i] = s->result[3][i] = 0;
   }
}
