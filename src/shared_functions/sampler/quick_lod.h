/* Private to the fast path of sample messages: level of detail, eight pixels at a time, with the
 * bits of lod.c. */
#ifndef PERGOLA_SAMPLER_QUICK_LOD_H
#define PERGOLA_SAMPLER_QUICK_LOD_H

#include "shared_functions/sampler/sampler.h"
#include "shared_functions/view_vector.h"

static ALWAYS_INLINE v8i
min8(v8i a, int32_t b)
{
   return v8i_min(a, v8i_all((uint32_t)b));
}

static ALWAYS_INLINE v8i
max8(v8i a, int32_t b)
{
   return v8i_max(a, v8i_all((uint32_t)b));
}

/* As sampler_input: no NaN, no denormals. */
static ALWAYS_INLINE v8f
input8(const void *p)
{
   v8i bits = v8i_load(p), magnitude = v8i_and(bits, v8i_all(0x7fffffff));
   v8i good = v8i_and_not(v8i_more(magnitude, v8i_all(0x7fffff)),
                          v8i_more(magnitude, v8i_all(0x7f800000)));
   return v8_as_float(v8i_and(bits, good));
}

/* ---- levels ---------------------------------------------------------------------------------- */

struct levels8 {
   v8i level;    /* the first one */
   v8i minified; /* all ones */
   v8i beta;     /* weight of the next one, 8 fraction bits */
};

/* As sampler_levels_of. */
static ALWAYS_INLINE struct levels8
levels8(const struct texture *x, v8i raw)
{
   const struct sampler_state *st = &x->state;
   struct levels8 l;
   v8i zero = v8i_all(0), lod = v8i_add(raw, v8i_all((uint32_t)st->bias));
   if (st->preclamp)
      lod = max8(min8(lod, st->max_lod), st->min_lod);
   l.minified = v8i_more(lod, v8i_all((uint32_t)st->base));
   v8i only = v8i_all((uint32_t)x->level_none);
   if (st->mip == GEN7_SAMPLER_STATE_MIP_MODE_FILTER_NONE || x->s.levels == 1) {
      l.level = only;
      l.beta = zero;
      return l;
   }
   lod = max8(min8(lod, x->adjusted_max), x->adjusted_min);
   if (st->mip == GEN7_SAMPLER_STATE_MIP_MODE_FILTER_LINEAR) {
      v8i beta = and8(lod, 255);
      if (st->quality >= 2) { /* SMP-378 */
         v8i least = v8i_all(st->quality == 2 ? 64 : 96), rest = v8i_sub(v8i_all(256), beta);
         beta = v8i_and_not(beta, v8i_more(least, beta));
         v8i full = v8i_and_not(v8i_more(least, rest), v8i_equal(beta, zero));
         beta = v8i_choose(full, v8i_all(256), beta);
      }
      l.level = v8i_asr_by(lod, 8);
      v8i next = v8i_equal(beta, v8i_all(256));
      l.level = v8i_sub(l.level, next);
      l.beta = v8i_and_not(beta, next);
   } else {
      l.level = v8i_asr_by(v8i_add(lod, v8i_all(128)), 8);
      l.beta = zero;
   }
   l.level = v8i_choose(l.minified, l.level, only);
   l.level = min8(l.level, x->s.levels - 1);
   l.beta = v8i_and(l.beta, l.minified);
   return l;
}

/* Samples along the longer axis of the pixel, by lane. */
struct stretch8 {
   v8i ways; /* 1: none */
   v8f ratio, step_x, step_y;
   unsigned most; /* ways of any lane */
};

/* ---- level of detail ------------------------------------------------------------------------- */

/* As to_fixed of lod.c. */
static ALWAYS_INLINE v8i
fixed8(v8f f)
{
   v8f far = v8f_all(60.0f), magnitude = v8f_and(f, v8i_all(0x7fffffff));
   v8i near = v8f_less(magnitude, far);
   v8i v = v8f_floor(v8f_add(v8f_times(v8f_and(f, near), v8f_all(256.0f)), v8f_all(0.5f)));
   v8i limit = v8i_choose(v8f_more(f, v8f_all(0)), v8i_all(SAMPLER_LOD_FAR),
                          v8i_all((uint32_t)-SAMPLER_LOD_FAR));
   return v8i_choose(near, v, limit);
}

/* As half_log2 of lod.c. */
static ALWAYS_INLINE v8i
half_log2_8(v8f x)
{
   v8i bits = v8_as_int(x);
   v8i exponent = v8i_sub(and8(v8i_shr_by(bits, 23), 0xff), v8i_all(127));
   v8i entry =
       v8i_gather((const uint8_t *)sampler_log2, v8i_shl_by(and8(v8i_shr_by(bits, 15), 0xff), 2));
   v8i below = v8i_more(and8(entry, 0xffff), and8(bits, 0x7fff));
   v8i log = v8i_add(v8i_shl_by(exponent, 7), v8i_shr_by(entry, 16));
   log = v8i_add(v8i_add(log, v8i_all(1)), below);
   v8i none = v8i_or(v8i_not(v8f_more(x, v8f_all(0))), v8i_more(v8i_all((uint32_t)-126), exponent));
   log = v8i_choose(v8i_equal(exponent, v8i_all(128)), v8i_all(SAMPLER_LOD_FAR), log);
   return v8i_choose(none, v8i_all((uint32_t)-SAMPLER_LOD_FAR), log);
}

/* Texels of the base level per pixel. */
struct gradients8 {
   v8f x[2], y[2];
};

/* As anisotropic of lod.c. */
static ALWAYS_INLINE v8i
stretched_lod(const struct texture *x, const struct gradients8 *g, v8f xx, v8f yy,
              struct stretch8 *k)
{
   v8f zero = v8f_all(0), one = v8f_all(1.0f);
   v8i by_x = v8f_at_least(xx, yy);
   v8f major = v8f_sqrt(v8f_choose(by_x, xx, yy));
   v8f minor = v8f_sqrt(v8f_choose(by_x, yy, xx));
   v8f most = v8f_all((float)x->state.max_ratio);
   v8i fits = v8f_more(v8f_times(minor, most), major);
   v8f ratio = v8f_choose(fits, v8f_over(major, minor), most);
   v8f narrow = v8f_over(major, ratio);
   v8i some = v8f_more(major, zero), good = v8i_and(some, v8f_less(major, v8f_all(1e18f)));
   v8i stretched = v8i_and(good, v8f_at_least(ratio, v8f_all(1.00390625f)));
   v8i ways = v8f_truncate(v8f_integral(v8f_times(ratio, v8f_all(0.5f)), 1));
   k->ways = v8i_choose(stretched, v8i_shl_by(ways, 1), v8i_all(1));
   k->ratio = v8f_choose(stretched, ratio, one);
   k->step_x = v8f_over(v8f_choose(by_x, g->x[0], g->y[0]), major);
   k->step_y = v8f_over(v8f_choose(by_x, g->x[1], g->y[1]), major);
   k->step_x = v8f_and(k->step_x, stretched);
   k->step_y = v8f_and(k->step_y, stretched);
   uint32_t all[8];
   v8i_store(all, k->ways);
   for (unsigned i = 0; i < 8; i++)
      k->most = all[i] > k->most ? all[i] : k->most;
   v8i far = v8i_choose(some, v8i_all(SAMPLER_LOD_FAR), v8i_all((uint32_t)-SAMPLER_LOD_FAR));
   return v8i_choose(good, half_log2_8(v8f_times(narrow, narrow)), far);
}

/* As sampler_gradients_lod. */
static ALWAYS_INLINE v8i
gradients_lod(const struct texture *x, struct gradients8 *g, struct stretch8 *k)
{
   v8f width = v8f_all(x->base_width), height = v8f_all(x->base_height);
   g->x[0] = v8f_times(g->x[0], width);
   g->y[0] = v8f_times(g->y[0], width);
   g->x[1] = v8f_times(g->x[1], height);
   g->y[1] = v8f_times(g->y[1], height);
   v8f xx = v8f_add(v8f_times(g->x[0], g->x[0]), v8f_times(g->x[1], g->x[1]));
   v8f yy = v8f_add(v8f_times(g->y[0], g->y[0]), v8f_times(g->y[1], g->y[1]));
   if (x->state.min == GEN7_MAP_FILTER_ANISOTROPIC || x->state.mag == GEN7_MAP_FILTER_ANISOTROPIC)
      return stretched_lod(x, g, xx, yy, k);
   return half_log2_8(v8f_max(xx, yy));
}

/* Quads are the halves of a vector: upper left, upper right, lower left, lower right. */
static ALWAYS_INLINE v8i
quads_lod(const struct texture *x, v8f u, v8f v, struct stretch8 *k)
{
   v8f u0 = v8f_of_each(u, 0), v0 = v8f_of_each(v, 0);
   struct gradients8 g = {{v8f_sub(v8f_of_each(u, 1), u0), v8f_sub(v8f_of_each(v, 1), v0)},
                          {v8f_sub(v8f_of_each(u, 2), u0), v8f_sub(v8f_of_each(v, 2), v0)}};
   return gradients_lod(x, &g, k);
}

#endif
