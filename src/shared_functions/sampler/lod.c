/* Level of detail. Numbers with 8 fraction bits, as the state has them (SMP-029, SMP-037). */
#include "shared_functions/sampler/sampler.h"

#include "machine/bounds.h"

#include <math.h>
#include <string.h>

/* 128 * log2(1 + i / 256), to the nearest, and above which of the 15 bits that follow it is one
 * more.
 */
const uint32_t sampler_log2[256] = {
    0x0058d8, 0x018000, 0x010b41, 0x023ea2, 0x0372fc, 0x048000, 0x042851, 0x055ea2, 0x068000,
    0x0615f0, 0x074e3d, 0x088000, 0x08078b, 0x0941da, 0x0a7d2b, 0x0b8000, 0x0b3982, 0x0c76de,
    0x0d8000, 0x0d3541, 0x0e74ad, 0x0f8000, 0x0f3523, 0x1076a5, 0x118000, 0x113933, 0x127cd0,
    0x138000, 0x13417d, 0x148000, 0x14073b, 0x154e0d, 0x168000, 0x1615f2, 0x175eee, 0x188000,
    0x182900, 0x19742c, 0x1a8000, 0x1a4072, 0x1b8000, 0x1b0dd4, 0x1c5c54, 0x1d8000, 0x1d2bf2,
    0x1e7cb1, 0x1f8000, 0x1f4e93, 0x208000, 0x202198, 0x2175c2, 0x228000, 0x224b14, 0x238000,
    0x23218e, 0x247932, 0x258000, 0x255201, 0x268000, 0x262bfe, 0x278000, 0x27072b, 0x286387,
    0x298000, 0x294117, 0x2a8000, 0x2a1fda, 0x2b7fd2, 0x2c8000, 0x2c6103, 0x2d8000, 0x2d436c,
    0x2e8000, 0x2e2710, 0x2f8000, 0x2f0bf0, 0x30720e, 0x318000, 0x31596d, 0x328000, 0x32420c,
    0x338000, 0x332bf0, 0x348000, 0x341718, 0x358000, 0x350387, 0x36713f, 0x378000, 0x376042,
    0x388000, 0x385090, 0x398000, 0x39422d, 0x3a8000, 0x3a351a, 0x3b8000, 0x3b2958, 0x3c8000,
    0x3c1ee9, 0x3d8000, 0x3d15d0, 0x3e8000, 0x3e0e0f, 0x3f8000, 0x3f07a6, 0x408000, 0x400298,
    0x417ee7, 0x428000, 0x427c95, 0x438000, 0x437ba4, 0x448000, 0x447c15, 0x458000, 0x457dea,
    0x468000, 0x468000, 0x460126, 0x478000, 0x4705ca, 0x488000, 0x480bd9, 0x498000, 0x491354,
    0x4a8000, 0x4a1c3d, 0x4b8000, 0x4b2696, 0x4c8000, 0x4c3261, 0x4d8000, 0x4d3fa1, 0x4e8000,
    0x4e4e57, 0x4f8000, 0x4f5e86, 0x508000, 0x50702e, 0x518000, 0x518000, 0x510353, 0x528000,
    0x5217f7, 0x538000, 0x532e1b, 0x548000, 0x5445c2, 0x558000, 0x555eed, 0x568000, 0x5679a0,
    0x578000, 0x578000, 0x5715db, 0x588000, 0x5833a1, 0x598000, 0x5952f5, 0x5a8000, 0x5a73d8,
    0x5b8000, 0x5b8000, 0x5b164d, 0x5c8000, 0x5c3a55, 0x5d8000, 0x5d5ff3, 0x5e8000, 0x5e8000,
    0x5e072a, 0x5f8000, 0x5f2ffa, 0x608000, 0x605a68, 0x618000, 0x618000, 0x610674, 0x628000,
    0x623421, 0x638000, 0x636372, 0x648000, 0x648000, 0x641468, 0x658000, 0x654706, 0x668000,
    0x667b4f, 0x678000, 0x678000, 0x673144, 0x688000, 0x6868e7, 0x698000, 0x698000, 0x69223c,
    0x6a8000, 0x6a5d45, 0x6b8000, 0x6b8000, 0x6b1a03, 0x6c8000, 0x6c587a, 0x6d8000, 0x6d8000,
    0x6d18ab, 0x6e8000, 0x6e5a9a, 0x6f8000, 0x6f8000, 0x6f1e48, 0x708000, 0x7063b8, 0x718000,
    0x718000, 0x712aec, 0x728000, 0x7273e7, 0x738000, 0x738000, 0x733eac, 0x748000, 0x748000,
    0x740b3c, 0x758000, 0x75599a, 0x768000, 0x768000, 0x7629ca, 0x778000, 0x777bcc, 0x788000,
    0x788000, 0x784fa5, 0x798000, 0x798000, 0x792556, 0x7a8000, 0x7a7ce1, 0x7b8000, 0x7b8000,
    0x7b564b, 0x7c8000, 0x7c8000, 0x7c3194, 0x7d8000, 0x7d8000, 0x7d0ec1, 0x7e8000, 0x7e6dd2,
    0x7f8000, 0x7f8000, 0x7f4ecc, 0x808000};

/* 256 * log2(sqrt(x)), to the nearest: with whole numbers alone, so that it is the same on every
 * host. */
static int32_t
half_log2(float x)
{
   uint32_t bits = float_bits(x), entry = sampler_log2[bits >> 15 & 0xff];
   int32_t exponent = (int32_t)(bits >> 23 & 0xff) - 127;
   if (!(x > 0) || exponent < -126)
      return -SAMPLER_LOD_FAR;
   if (exponent == 128)
      return SAMPLER_LOD_FAR;
   return 128 * exponent + (int32_t)(entry >> 16) + ((bits & 0x7fff) >= (entry & 0xffff));
}

static int32_t
to_fixed(float f)
{
   if (!(fabsf(f) < 60.0f))
      return f > 0 ? SAMPLER_LOD_FAR : -SAMPLER_LOD_FAR;
   return (int32_t)floorf(f * 256.0f + 0.5f);
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

/* SMP-029: from gradients, before any bias; sets the anisotropic members if there is any. */
static int32_t
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
   x->adjusted_max = int_least(st->max_lod, count);
   x->adjusted_min = int_most(int_least(st->min_lod, count), resource_lod(x));
   int32_t only = int_least(0, (x->adjusted_max + 255) & ~255); /* SMP-041 */
   x->level_none = int_least(int_most(only, x->adjusted_min & ~255) >> 8, x->s.levels - 1);
   float scale = x->s.type == SURFTYPE_CUBE ? 0.5f : 1.0f;
   x->base_width = st->unnormalized ? 1.0f : (float)e.width * scale;
   x->base_height = st->unnormalized ? 1.0f : (float)e.height * scale;
   x->base_depth = st->unnormalized ? 1.0f : (float)e.depth;
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
      lod = int_most(int_least(lod, st->max_lod), st->min_lod);
   l->minified = lod - st->base > 0; /* SMP-036 */
   l->filter = l->minified ? st->min : st->mag;
   if (!l->minified || st->mip == GEN7_SAMPLER_STATE_MIP_MODE_FILTER_NONE) {
      lod = l->lod = x->level_none << 8;
   } else {
      lod = l->lod = int_most(int_least(lod, x->adjusted_max), x->adjusted_min);
      if (st->mip == GEN7_SAMPLER_STATE_MIP_MODE_FILTER_LINEAR) /* SMP-043 */
         l->beta = round_beta(st->quality, lod & 255);
      else
         lod += 128; /* SMP-042 */
   }
   if (l->outside) /* SMP-045 */
      lod = 0;
   int32_t last = x->s.levels - 1, level = lod >> 8; /* SMP-053 */
   l->level[0] = (uint8_t)int_least(level, last);
   l->level[1] = (uint8_t)int_least(level + 1, last);
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
      s->result[0][i] = float_bits((float)(l.lod + (s->x->s.min_lod << 8)) / 256.0f);
      s->result[1][i] = float_bits((float)l.unclamped / 256.0f);
      s->result[2][i] = s->result[3][i] = 0;
   }
}
