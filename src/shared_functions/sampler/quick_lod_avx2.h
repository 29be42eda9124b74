/* Private to the fast path of sample messages: level of detail, eight pixels at a time, with the
 * bits of lod.c. */
#ifndef PERGOLA_SAMPLER_QUICK_LOD_AVX2_H
#define PERGOLA_SAMPLER_QUICK_LOD_AVX2_H

#include "shared_functions/sampler/sampler.h"
#include "shared_functions/view_avx2.h"

typedef __m256 f8;

static ALWAYS_INLINE f8
all_floats(float f)
{
   return _mm256_set1_ps(f);
}

static ALWAYS_INLINE v8
min8(v8 a, int32_t b)
{
   return _mm256_min_epi32(a, all8((uint32_t)b));
}

static ALWAYS_INLINE v8
max8(v8 a, int32_t b)
{
   return _mm256_max_epi32(a, all8((uint32_t)b));
}

/* As sampler_input: no NaN, no denormals. */
static ALWAYS_INLINE f8
input8(const void *p)
{
   v8 bits = load8(p), magnitude = _mm256_and_si256(bits, all8(0x7fffffff));
   v8 good = _mm256_andnot_si256(_mm256_cmpgt_epi32(magnitude, all8(0x7f800000)),
                                 _mm256_cmpgt_epi32(magnitude, all8(0x7fffff)));
   return _mm256_castsi256_ps(_mm256_and_si256(bits, good));
}

/* ---- levels ---------------------------------------------------------------------------------- */

struct levels8 {
   v8 level;    /* the first one */
   v8 minified; /* all ones */
   v8 beta;     /* weight of the next one, 8 fraction bits */
};

/* As sampler_levels_of. */
static ALWAYS_INLINE struct levels8
levels8(const struct texture *x, v8 raw)
{
   const struct sampler_state *st = &x->state;
   struct levels8 l;
   v8 zero = _mm256_setzero_si256(), lod = _mm256_add_epi32(raw, all8((uint32_t)st->bias));
   if (st->preclamp)
      lod = max8(min8(lod, st->max_lod), st->min_lod);
   l.minified = _mm256_cmpgt_epi32(lod, all8((uint32_t)st->base));
   v8 only = all8((uint32_t)x->level_none);
   if (st->mip == GEN7_SAMPLER_STATE_MIP_MODE_FILTER_NONE || x->s.levels == 1) {
      l.level = only;
      l.beta = zero;
      return l;
   }
   lod = max8(min8(lod, x->adjusted_max), x->adjusted_min);
   if (st->mip == GEN7_SAMPLER_STATE_MIP_MODE_FILTER_LINEAR) {
      v8 beta = and8(lod, 255);
      if (st->quality >= 2) { /* SMP-378 */
         v8 least = all8(st->quality == 2 ? 64 : 96), rest = _mm256_sub_epi32(all8(256), beta);
         beta = _mm256_andnot_si256(_mm256_cmpgt_epi32(least, beta), beta);
         v8 full =
             _mm256_andnot_si256(_mm256_cmpeq_epi32(beta, zero), _mm256_cmpgt_epi32(least, rest));
         beta = _mm256_blendv_epi8(beta, all8(256), full);
      }
      l.level = _mm256_srai_epi32(lod, 8);
      v8 next = _mm256_cmpeq_epi32(beta, all8(256));
      l.level = _mm256_sub_epi32(l.level, next);
      l.beta = _mm256_andnot_si256(next, beta);
   } else {
      l.level = _mm256_srai_epi32(_mm256_add_epi32(lod, all8(128)), 8);
      l.beta = zero;
   }
   l.level = _mm256_blendv_epi8(only, l.level, l.minified);
   l.level = min8(l.level, x->s.levels - 1);
   l.beta = _mm256_and_si256(l.beta, l.minified);
   return l;
}

/* Samples along the longer axis of the pixel, by lane. */
struct stretch8 {
   v8 ways; /* 1: none */
   f8 ratio, step_x, step_y;
   unsigned most; /* ways of any lane */
};

/* ---- level of detail ------------------------------------------------------------------------- */

/* As to_fixed of lod.c. */
static ALWAYS_INLINE v8
fixed8(f8 f)
{
   f8 far = all_floats(60.0f), magnitude = _mm256_and_ps(f, _mm256_castsi256_ps(all8(0x7fffffff)));
   f8 near = _mm256_cmp_ps(magnitude, far, _CMP_LT_OQ);
   v8 v = _mm256_cvttps_epi32(_mm256_floor_ps(
       _mm256_add_ps(_mm256_mul_ps(_mm256_and_ps(f, near), all_floats(256.0f)), all_floats(0.5f))));
   v8 limit =
       _mm256_blendv_epi8(all8((uint32_t)-SAMPLER_LOD_FAR), all8(SAMPLER_LOD_FAR),
                          _mm256_castps_si256(_mm256_cmp_ps(f, _mm256_setzero_ps(), _CMP_GT_OQ)));
   return _mm256_blendv_epi8(limit, v, _mm256_castps_si256(near));
}

/* As half_log2 of lod.c. */
static ALWAYS_INLINE v8
half_log2_8(f8 x)
{
   v8 bits = _mm256_castps_si256(x);
   v8 exponent = _mm256_sub_epi32(and8(_mm256_srli_epi32(bits, 23), 0xff), all8(127));
   v8 entry = _mm256_i32gather_epi32((const int *)(const void *)sampler_log2,
                                     and8(_mm256_srli_epi32(bits, 15), 0xff), 4);
   v8 below = _mm256_cmpgt_epi32(and8(entry, 0xffff), and8(bits, 0x7fff));
   v8 log = _mm256_add_epi32(_mm256_slli_epi32(exponent, 7), _mm256_srli_epi32(entry, 16));
   log = _mm256_add_epi32(_mm256_add_epi32(log, all8(1)), below);
   v8 none =
       _mm256_or_si256(_mm256_castps_si256(_mm256_cmp_ps(x, _mm256_setzero_ps(), _CMP_NGT_UQ)),
                       _mm256_cmpgt_epi32(all8((uint32_t)-126), exponent));
   log = _mm256_blendv_epi8(log, all8(SAMPLER_LOD_FAR), _mm256_cmpeq_epi32(exponent, all8(128)));
   return _mm256_blendv_epi8(log, all8((uint32_t)-SAMPLER_LOD_FAR), none);
}

/* Texels of the base level per pixel. */
struct gradients8 {
   f8 x[2], y[2];
};

/* As anisotropic of lod.c. */
static ALWAYS_INLINE v8
stretched_lod(const struct texture *x, const struct gradients8 *g, f8 xx, f8 yy, struct stretch8 *k)
{
   f8 zero = _mm256_setzero_ps(), one = all_floats(1.0f), by_x = _mm256_cmp_ps(xx, yy, _CMP_GE_OQ);
   f8 major = _mm256_sqrt_ps(_mm256_blendv_ps(yy, xx, by_x));
   f8 minor = _mm256_sqrt_ps(_mm256_blendv_ps(xx, yy, by_x));
   f8 most = all_floats((float)x->state.max_ratio);
   f8 fits = _mm256_cmp_ps(_mm256_mul_ps(minor, most), major, _CMP_GT_OQ);
   f8 ratio = _mm256_blendv_ps(most, _mm256_div_ps(major, minor), fits);
   f8 narrow = _mm256_div_ps(major, ratio);
   f8 some = _mm256_cmp_ps(major, zero, _CMP_GT_OQ),
      good = _mm256_and_ps(some, _mm256_cmp_ps(major, all_floats(1e18f), _CMP_LT_OQ));
   f8 stretched = _mm256_and_ps(good, _mm256_cmp_ps(ratio, all_floats(1.00390625f), _CMP_GE_OQ));
   v8 ways = _mm256_cvttps_epi32(_mm256_ceil_ps(_mm256_mul_ps(ratio, all_floats(0.5f))));
   k->ways =
       _mm256_blendv_epi8(all8(1), _mm256_slli_epi32(ways, 1), _mm256_castps_si256(stretched));
   k->ratio = _mm256_blendv_ps(one, ratio, stretched);
   k->step_x = _mm256_div_ps(_mm256_blendv_ps(g->y[0], g->x[0], by_x), major);
   k->step_y = _mm256_div_ps(_mm256_blendv_ps(g->y[1], g->x[1], by_x), major);
   k->step_x = _mm256_and_ps(k->step_x, stretched);
   k->step_y = _mm256_and_ps(k->step_y, stretched);
   uint32_t all[8];
   store8(all, k->ways);
   for (unsigned i = 0; i < 8; i++)
      k->most = all[i] > k->most ? all[i] : k->most;
   v8 far = _mm256_blendv_epi8(all8((uint32_t)-SAMPLER_LOD_FAR), all8(SAMPLER_LOD_FAR),
                               _mm256_castps_si256(some));
   return _mm256_blendv_epi8(far, half_log2_8(_mm256_mul_ps(narrow, narrow)),
                             _mm256_castps_si256(good));
}

/* As sampler_gradients_lod. */
static ALWAYS_INLINE v8
gradients_lod(const struct texture *x, struct gradients8 *g, struct stretch8 *k)
{
   f8 width = all_floats(x->base_width), height = all_floats(x->base_height);
   g->x[0] = _mm256_mul_ps(g->x[0], width);
   g->y[0] = _mm256_mul_ps(g->y[0], width);
   g->x[1] = _mm256_mul_ps(g->x[1], height);
   g->y[1] = _mm256_mul_ps(g->y[1], height);
   f8 xx = _mm256_add_ps(_mm256_mul_ps(g->x[0], g->x[0]), _mm256_mul_ps(g->x[1], g->x[1]));
   f8 yy = _mm256_add_ps(_mm256_mul_ps(g->y[0], g->y[0]), _mm256_mul_ps(g->y[1], g->y[1]));
   if (x->state.min == GEN7_MAP_FILTER_ANISOTROPIC || x->state.mag == GEN7_MAP_FILTER_ANISOTROPIC)
      return stretched_lod(x, g, xx, yy, k);
   return half_log2_8(_mm256_max_ps(xx, yy));
}

/* Quads are the halves of a vector: upper left, upper right, lower left, lower right. */
static ALWAYS_INLINE v8
quads_lod(const struct texture *x, f8 u, f8 v, struct stretch8 *k)
{
   f8 u0 = _mm256_permute_ps(u, 0x00), v0 = _mm256_permute_ps(v, 0x00);
   struct gradients8 g = {{_mm256_sub_ps(_mm256_permute_ps(u, 0x55), u0),
                           _mm256_sub_ps(_mm256_permute_ps(v, 0x55), v0)},
                          {_mm256_sub_ps(_mm256_permute_ps(u, 0xaa), u0),
                           _mm256_sub_ps(_mm256_permute_ps(v, 0xaa), v0)}};
   return gradients_lod(x, &g, k);
}

#endif
