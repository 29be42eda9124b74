/* The fast path of sample, sample_b, sample_l and sample_d: 2D surfaces of 8-bit UNORM channels,
 * nearest, linear and anisotropic filters, all mip filters, every address mode as long as no texel
 * is of the border. Bit for bit what filter.c does, eight pixels at a time; what is not for it is
 * left to the slow path before anything is written. */
#include "shared_functions/sampler/address.h"
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

/* ---- addresses ------------------------------------------------------------------------------- */

/* i modulo n, for |i| < 2^23. */
static ALWAYS_INLINE v8
modulo8(v8 i, uint32_t n)
{
   if (!(n & (n - 1)))
      return and8(i, n - 1);
   f8 q = _mm256_floor_ps(_mm256_mul_ps(_mm256_cvtepi32_ps(i), all_floats(1.0f / (float)n)));
   v8 size = all8(n), r = _mm256_sub_epi32(i, mul8(_mm256_cvttps_epi32(q), n));
   r = _mm256_add_epi32(r, _mm256_and_si256(size, _mm256_srai_epi32(r, 31)));
   return _mm256_sub_epi32(r, _mm256_andnot_si256(_mm256_cmpgt_epi32(size, r), size));
}

/* Wrapping by a power of two: a mode of ours. */
#define WRAP_BITS 8u

/* As address_texel; *outside: lanes whose texel is of a border. */
static ALWAYS_INLINE v8
texel8(unsigned mode, uint32_t size, v8 i, v8 *outside)
{
   v8 r;
   switch (mode) {
   case WRAP_BITS:
      return and8(i, size - 1);
   case GEN7_TEXTURE_COORDINATE_MODE_WRAP:
      return modulo8(i, size);
   case GEN7_TEXTURE_COORDINATE_MODE_MIRROR:
      r = modulo8(i, 2 * size);
      return _mm256_min_epi32(r, _mm256_sub_epi32(all8(2 * size - 1), r));
   case GEN7_TEXTURE_COORDINATE_MODE_MIRROR_ONCE:
      return min8(_mm256_xor_si256(i, _mm256_srai_epi32(i, 31)), (int32_t)size - 1);
   case GEN7_TEXTURE_COORDINATE_MODE_CLAMP_BORDER:
   case GEN7_TEXTURE_COORDINATE_MODE_HALF_BORDER:
      r = max8(min8(i, (int32_t)size - 1), 0);
      *outside =
          _mm256_or_si256(*outside, _mm256_xor_si256(_mm256_cmpeq_epi32(i, r), all8(UINT32_MAX)));
      return r;
   default:
      return max8(min8(i, (int32_t)size - 1), 0);
   }
}

struct axis8 {
   v8 i[2];
   v8 w;
};

static ALWAYS_INLINE struct axis8
axis8(f8 u, f8 extra, uint32_t size, unsigned mode, bool round, bool linear, v8 *wrong)
{
   struct axis8 a;
   f8 x = _mm256_mul_ps(u, all_floats((float)size));
   f8 magnitude = _mm256_and_ps(x, _mm256_castsi256_ps(all8(0x7fffffff)));
   *wrong = _mm256_or_si256(
       *wrong, _mm256_castps_si256(_mm256_cmp_ps(magnitude, all_floats(ADDRESS_FAR), _CMP_NLT_UQ)));
   x = _mm256_add_ps(x, extra);
   x = _mm256_floor_ps(
       _mm256_add_ps(_mm256_mul_ps(x, all_floats(256.0f)), all_floats(round ? 0.5f : 0.0f)));
   v8 p = _mm256_cvttps_epi32(x);
   if (linear)
      p = _mm256_sub_epi32(p, all8(128));
   a.w = and8(p, 255);
   v8 first = _mm256_srai_epi32(p, 8);
   a.i[0] = texel8(mode, size, first, wrong);
   /* A border that has no weight does not count. */
   v8 border = _mm256_setzero_si256();
   a.i[1] = linear ? texel8(mode, size, _mm256_add_epi32(first, all8(1)), &border) : a.i[0];
   *wrong = _mm256_or_si256(
       *wrong, _mm256_andnot_si256(_mm256_cmpeq_epi32(a.w, _mm256_setzero_si256()), border));
   return a;
}

static ALWAYS_INLINE v8
x_part8(const struct surface_view *v, unsigned tiling, uint32_t x_el, v8 x)
{
   v8 x_B = _mm256_sll_epi32(add8(x, x_el), _mm_cvtsi32_si128(v->size_log2));
   switch (tiling) {
   case MEM_TILE_X:
      return _mm256_add_epi32(and8(x_B, 511), _mm256_slli_epi32(and8(x_B, ~511u), 3));
   case MEM_TILE_Y:
      return _mm256_add_epi32(and8(x_B, 15), _mm256_slli_epi32(and8(x_B, ~15u), 5));
   default:
      return x_B;
   }
}

static ALWAYS_INLINE v8
y_part8(const struct surface_view *v, unsigned tiling, uint32_t row0, v8 y)
{
   v8 row = add8(y, row0);
   switch (tiling) {
   case MEM_TILE_X:
      return _mm256_add_epi32(_mm256_slli_epi32(and8(row, 7), 9), mul8(and8(row, ~7u), v->pitch_B));
   case MEM_TILE_Y:
      return _mm256_add_epi32(_mm256_slli_epi32(and8(row, 31), 4),
                              mul8(and8(row, ~31u), v->pitch_B));
   default:
      return mul8(row, v->pitch_B);
   }
}

/* ---- texels ---------------------------------------------------------------------------------- */

/* Elements of 1, 2 or 4 bytes at distances from the window's start, as dwords. */
static ALWAYS_INLINE v8
gather8(unsigned size_B, const uint8_t *host, v8 at)
{
   if (size_B == 4)
      return _mm256_i32gather_epi32((const int *)(const void *)host, at, 1);
   v8 dwords = _mm256_i32gather_epi32((const int *)(const void *)host, and8(at, ~3u), 1);
   v8 shift = _mm256_slli_epi32(and8(at, 3), 3);
   return and8(_mm256_srlv_epi32(dwords, shift), size_B == 1 ? 0xff : 0xffff);
}

/* Codes of a channel, 0 … 255 in each lane, from a dword that has them in bytes. */
static ALWAYS_INLINE v8
code8(const struct view_channel *c, v8 word)
{
   return and8(_mm256_srl_epi32(word, _mm_cvtsi32_si128(c->shift)), 255);
}

static ALWAYS_INLINE void
store_absent(const struct texture *x, const struct surface_view *v, f8 out[4])
{
   for (unsigned c = 0; c < 4; c++)
      if (v->channel[c].kind == VIEW_CHANNEL_ABSENT)
         out[c] = all_floats(x->ones >> c & 1 ? 1.0f : c == 3 ? 1.0f : 0.0f);
}

/* Sums of four codes by weights that add up to 2^16 are whole numbers up to 255 * 2^16: exact as
 * floats, and divided once. Rows first: bytes 0 and 2, then 1 and 3, as words. */
static ALWAYS_INLINE void
bilinear8(const struct texture *x, const struct surface_view *v, const v8 t[4], v8 wx, v8 wy,
          f8 out[4])
{
   v8 pair = _mm256_or_si256(wx, _mm256_slli_epi32(wx, 16));
   v8 rest = _mm256_sub_epi16(all8(0x01000100), pair), mask = all8(0x00ff00ff), h[2][2];
   f8 below = _mm256_cvtepi32_ps(wy), above = _mm256_sub_ps(all_floats(256.0f), below);
   for (unsigned row = 0; row < 2; row++) {
      v8 left = t[2 * row], right = t[2 * row + 1];
      h[row][0] = _mm256_add_epi16(_mm256_mullo_epi16(_mm256_and_si256(left, mask), rest),
                                   _mm256_mullo_epi16(_mm256_and_si256(right, mask), pair));
      h[row][1] = _mm256_add_epi16(
          _mm256_mullo_epi16(_mm256_and_si256(_mm256_srli_epi32(left, 8), mask), rest),
          _mm256_mullo_epi16(_mm256_and_si256(_mm256_srli_epi32(right, 8), mask), pair));
   }
   for (unsigned c = 0; c < 4; c++) {
      const struct view_channel *channel = &v->channel[c];
      if (channel->kind == VIEW_CHANNEL_ABSENT)
         continue;
      unsigned byte = channel->shift / 8;
      v8 top = byte & 2 ? _mm256_srli_epi32(h[0][byte & 1], 16) : and8(h[0][byte & 1], 0xffff);
      v8 bottom = byte & 2 ? _mm256_srli_epi32(h[1][byte & 1], 16) : and8(h[1][byte & 1], 0xffff);
      f8 sum = _mm256_add_ps(_mm256_mul_ps(_mm256_cvtepi32_ps(top), above),
                             _mm256_mul_ps(_mm256_cvtepi32_ps(bottom), below));
      out[c] = _mm256_div_ps(sum, all_floats(16711680.0f));
   }
   store_absent(x, v, out);
}

static ALWAYS_INLINE void
nearest8(const struct texture *x, const struct surface_view *v, v8 t, f8 out[4])
{
   for (unsigned c = 0; c < 4; c++)
      if (v->channel[c].kind != VIEW_CHANNEL_ABSENT)
         out[c] = _mm256_div_ps(_mm256_cvtepi32_ps(code8(&v->channel[c], t)), all_floats(255.0f));
   store_absent(x, v, out);
}

/* ---- one position in one level --------------------------------------------------------------- */

struct where8 {
   f8 u, v;
   v8 on; /* lanes that matter */
   uint32_t slice;
};

static ALWAYS_INLINE bool
inside8(const struct view_window *w, v8 at)
{
   return every8(below8(at, w->limit[2]));
}

/* What a function is made for; constants of those in the table below. */
struct shape {
   uint8_t tiling, size_B, mode[2];
   bool linear;
   bool whole; /* all lanes matter */
};

static ALWAYS_INLINE v8
only(v8 v, v8 on, bool whole)
{
   return whole ? v : _mm256_and_si256(v, on);
}

/* False: not for the fast path. Lanes that do not matter are at 0, 0. */
static ALWAYS_INLINE bool
sample_once(struct texture *x, struct mem_space *space, struct surface_view *v, bool minified,
            struct shape k, const struct where8 *p, f8 extra_x, f8 extra_y, f8 out[4])
{
   const struct sampler_state *st = &x->state;
   v8 wrong = _mm256_setzero_si256(), t[4], at[4];
   struct axis8 a =
       axis8(p->u, extra_x, v->width, k.mode[0], st->round[minified][0], k.linear, &wrong);
   struct axis8 b =
       axis8(p->v, extra_y, v->height, k.mode[1], st->round[minified][1], k.linear, &wrong);
   if (!_mm256_testz_si256(wrong, p->on))
      return false;
   struct slice s = slice_of(v, p->slice);
   struct view_window *w = &v->window[0];
   unsigned taps = k.linear ? 4 : 1;
   for (unsigned again = 0;; again++) {
      v8 x0 = x_part8(v, k.tiling, s.x_el, a.i[0]),
         y0 = add8(y_part8(v, k.tiling, s.row, b.i[0]), 0u - w->start), most;
      at[0] = most = only(_mm256_add_epi32(x0, y0), p->on, k.whole);
      if (k.linear) {
         v8 x1 = x_part8(v, k.tiling, s.x_el, a.i[1]),
            y1 = add8(y_part8(v, k.tiling, s.row, b.i[1]), 0u - w->start);
         at[1] = only(_mm256_add_epi32(x1, y0), p->on, k.whole);
         at[2] = only(_mm256_add_epi32(x0, y1), p->on, k.whole);
         at[3] = only(_mm256_add_epi32(x1, y1), p->on, k.whole);
         most = _mm256_max_epu32(_mm256_max_epu32(at[0], at[1]), _mm256_max_epu32(at[2], at[3]));
      }
      if (__builtin_expect(w->limit[2] != 0 && inside8(w, most), 1))
         break;
      uint32_t on = bits8(p->on), first[8];
      if (again || !on)
         return false;
      store8(first, _mm256_add_epi32(_mm256_add_epi32(x0, y0), all8(w->start)));
      if (!surface_view_look(v, space, first[__builtin_ctz(on)], false))
         return false;
   }
   for (unsigned i = 0; i < taps; i++)
      t[i] = gather8(k.size_B, w->host, at[i]);
   if (k.linear)
      bilinear8(x, v, t, a.w, b.w, out);
   else
      nearest8(x, v, t[0], out);
   return true;
}

/* ---- the most common ones -------------------------------------------------------------------- */

typedef bool (*common_fn)(struct texture *x, struct mem_space *space, struct surface_view *v,
                          bool minified, const struct where8 *p, f8 out[4]);

#define COMMON(name, tiles, mode_, filter)                                                         \
   static bool name(struct texture *x, struct mem_space *space, struct surface_view *v,            \
                    bool minified, const struct where8 *p, f8 out[4])                              \
   {                                                                                               \
      return sample_once(x, space, v, minified,                                                    \
                         (struct shape){.tiling = tiles,                                           \
                                        .size_B = 4,                                               \
                                        .mode = {mode_, mode_},                                    \
                                        .linear = filter,                                          \
                                        .whole = true},                                            \
                         p, _mm256_setzero_ps(), _mm256_setzero_ps(), out);                        \
   }
#define EDGE GEN7_TEXTURE_COORDINATE_MODE_CLAMP
COMMON(nearest_linear_wrap, MEM_LINEAR, WRAP_BITS, false)
COMMON(nearest_linear_edge, MEM_LINEAR, EDGE, false)
COMMON(nearest_x_wrap, MEM_TILE_X, WRAP_BITS, false)
COMMON(nearest_x_edge, MEM_TILE_X, EDGE, false)
COMMON(nearest_y_wrap, MEM_TILE_Y, WRAP_BITS, false)
COMMON(nearest_y_edge, MEM_TILE_Y, EDGE, false)
COMMON(bilinear_linear_wrap, MEM_LINEAR, WRAP_BITS, true)
COMMON(bilinear_linear_edge, MEM_LINEAR, EDGE, true)
COMMON(bilinear_x_wrap, MEM_TILE_X, WRAP_BITS, true)
COMMON(bilinear_x_edge, MEM_TILE_X, EDGE, true)
COMMON(bilinear_y_wrap, MEM_TILE_Y, WRAP_BITS, true)
COMMON(bilinear_y_edge, MEM_TILE_Y, EDGE, true)

/* [filter][tiling][edge] */
static const common_fn common[2][3][2] = {{{nearest_linear_wrap, nearest_linear_edge},
                                           {nearest_x_wrap, nearest_x_edge},
                                           {nearest_y_wrap, nearest_y_edge}},
                                          {{bilinear_linear_wrap, bilinear_linear_edge},
                                           {bilinear_x_wrap, bilinear_x_edge},
                                           {bilinear_y_wrap, bilinear_y_edge}}};

/* Chosen by what the texture was bound with; NULL: there is none for it. */
static ALWAYS_INLINE common_fn
common_of(const struct texture *x, const struct surface_view *v, unsigned filter)
{
   if (x->common == TEXTURE_UNCOMMON || filter > GEN7_MAP_FILTER_LINEAR ||
       !(v->users & VIEW_TEXELS))
      return NULL;
   return common[filter][v->tiling][x->common];
}

/* ---- one level ------------------------------------------------------------------------------- */

static ALWAYS_INLINE struct shape
any_shape(const struct texture *x, const struct surface_view *v, bool linear)
{
   return (struct shape){.tiling = v->tiling,
                         .size_B = v->size_B,
                         .mode = {x->state.mode[0], x->state.mode[1]},
                         .linear = linear};
}

/* Samples along the longer axis of the pixel, by lane. */
struct stretch8 {
   v8 ways; /* 1: none */
   f8 ratio, step_x, step_y;
   unsigned most; /* ways of any lane */
};

static ALWAYS_INLINE bool
sample_stretched(struct texture *x, struct mem_space *space, struct surface_view *v, bool minified,
                 const struct where8 *p, const struct stretch8 *k, f8 out[4])
{
   f8 sum[4], one = all_floats(1.0f), half = all_floats(0.5f), zero = _mm256_setzero_ps();
   f8 ways = _mm256_cvtepi32_ps(k->ways);
   f8 end = _mm256_mul_ps(_mm256_sub_ps(k->ratio, _mm256_sub_ps(ways, all_floats(2.0f))), half);
   f8 middle = _mm256_mul_ps(_mm256_sub_ps(ways, one), half);
   for (unsigned c = 0; c < 4; c++)
      sum[c] = zero;
   for (unsigned n = 0; n < k->most; n++) {
      f8 number = all_floats((float)n), along = _mm256_sub_ps(number, middle), t[4] = {{0}};
      f8 last = _mm256_cmp_ps(number, _mm256_sub_ps(ways, one), _CMP_EQ_OQ);
      f8 w = n == 0 ? end : _mm256_blendv_ps(one, end, last);
      f8 used = _mm256_cmp_ps(number, ways, _CMP_LT_OQ);
      struct where8 q = *p;
      q.on = _mm256_and_si256(p->on, _mm256_castps_si256(used));
      along = _mm256_and_ps(along, used);
      if (!sample_once(x, space, v, minified, any_shape(x, v, true), &q,
                       _mm256_mul_ps(k->step_x, along), _mm256_mul_ps(k->step_y, along), t))
         return false;
      for (unsigned c = 0; c < 4; c++)
         sum[c] = _mm256_add_ps(sum[c], _mm256_and_ps(_mm256_mul_ps(t[c], w), used));
   }
   for (unsigned c = 0; c < 4; c++)
      out[c] = _mm256_div_ps(sum[c], k->ratio);
   return true;
}

static ALWAYS_INLINE void
blend(f8 out[4], const f8 in[4], v8 on)
{
   for (unsigned c = 0; c < 4; c++)
      out[c] = _mm256_blendv_ps(out[c], in[c], _mm256_castsi256_ps(on));
}

/* Levels and filters may differ from lane to lane: alike ones together. */
static bool
sample_levels(struct texture *x, struct mem_space *space, v8 level, v8 minified,
              const struct where8 *p, const struct stretch8 *k, f8 out[4])
{
   uint32_t numbers[8], left = bits8(p->on), small = bits8(minified);
   uint32_t one = (uint32_t)_mm256_extract_epi32(level, 0);
   bool alone = left == 0xff && (small == 0xff || !small) && k->most == 1 &&
                every8(_mm256_cmpeq_epi32(level, all8(one)));
   if (__builtin_expect(alone, 1)) { /* one level, one filter, all lanes */
      struct surface_view *v = texture_level(x, one);
      unsigned filter = small ? x->state.min : x->state.mag;
      common_fn fn = common_of(x, v, filter == GEN7_MAP_FILTER_ANISOTROPIC ? 1 : filter);
      if (fn)
         return fn(x, space, v, small != 0, p, out);
   }
   store8(numbers, level);
   while (left) {
      unsigned first = (unsigned)__builtin_ctz(left);
      bool min = small >> first & 1;
      unsigned filter = min ? x->state.min : x->state.mag;
      v8 alike = _mm256_and_si256(_mm256_cmpeq_epi32(level, all8(numbers[first])), p->on);
      alike = _mm256_and_si256(alike, _mm256_cmpeq_epi32(minified, all8(min ? UINT32_MAX : 0)));
      struct surface_view *v = texture_level(x, numbers[first]);
      f8 t[4] = {{0}};
      struct where8 q = {.u = _mm256_and_ps(p->u, _mm256_castsi256_ps(alike)),
                         .v = _mm256_and_ps(p->v, _mm256_castsi256_ps(alike)),
                         .on = alike,
                         .slice = p->slice};
      if (!(v->users & VIEW_TEXELS))
         return false;
      bool stretched = filter == GEN7_MAP_FILTER_ANISOTROPIC && k->most > 1;
      if (stretched) { /* lanes that are not stretched are sampled by themselves */
         struct where8 r = q;
         v8 long_ones = _mm256_cmpgt_epi32(k->ways, all8(1));
         r.on = _mm256_and_si256(alike, long_ones);
         if (!none8(r.on)) {
            if (!sample_stretched(x, space, v, min, &r, k, t))
               return false;
            blend(out, t, r.on);
         }
         q.on = _mm256_andnot_si256(long_ones, alike);
      }
      if (!none8(q.on)) {
         if (!sample_once(x, space, v, min, any_shape(x, v, filter != GEN7_MAP_FILTER_NEAREST), &q,
                          _mm256_setzero_ps(), _mm256_setzero_ps(), t))
            return false;
         blend(out, t, q.on);
      }
      left &= ~bits8(alike);
   }
   return true;
}

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

/* As half_log2 of lod.c: squaring doubles the logarithm, what overflows is the next bit. */
static ALWAYS_INLINE v8
half_log2_8(f8 x)
{
   v8 bits = _mm256_castps_si256(x), one = all8(1);
   v8 exponent = _mm256_sub_epi32(and8(_mm256_srli_epi32(bits, 23), 0xff), all8(127));
   v8 m = _mm256_slli_epi32(_mm256_or_si256(and8(bits, 0x7fffff), all8(0x800000)), 7);
   v8 log = exponent;
   for (unsigned i = 0; i < 8; i++) {
      v8 odd = _mm256_srli_epi64(m, 32);
      v8 low = _mm256_srli_epi64(_mm256_mul_epu32(m, m), 30);
      v8 high = _mm256_slli_epi64(_mm256_srli_epi64(_mm256_mul_epu32(odd, odd), 30), 32);
      m = _mm256_blend_epi32(low, high, 0xaa);
      v8 over = _mm256_srli_epi32(m, 31);
      log = _mm256_add_epi32(_mm256_add_epi32(log, log), over);
      m = _mm256_srlv_epi32(m, over);
   }
   log = _mm256_srai_epi32(_mm256_add_epi32(log, one), 1);
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

/* ---- the message ----------------------------------------------------------------------------- */

static ALWAYS_INLINE struct texture *
known_texture(const struct eu_thread *t, const struct sf_quick *q)
{
   struct sf_buffers *b = t->buffers;
   unsigned sampler = q->slots;
   if (!sf_buffers_good(b, t) || b->samplers != t->env->dynamic_state_base + t->sampler_states)
      return NULL;
   struct texture *x = &b->texture[sf_texture_slot(q->bti, sampler)];
   bool good = x->known && x->bti == q->bti && x->sampler == sampler && x->quick &&
               (!q->rules || x->clean >> q->op & 1);
   return good ? x : NULL;
}

/* The parameters of eight pixels. */
static ALWAYS_INLINE bool
sample8(struct eu_thread *t, const struct sf_quick *q, struct texture *x, unsigned regs, unsigned r,
        v8 on, f8 out[4])
{
   const uint8_t *payload = t->grf + q->payload + r * EU_REG_SIZE;
   bool explicit = q->op == SAMPLER_SAMPLE_D;
   unsigned step = regs * EU_REG_SIZE;
   unsigned first = q->op == SAMPLER_SAMPLE_B || q->op == SAMPLER_SAMPLE_L;
   unsigned second = explicit ? 3 : first + 1, third = explicit ? 6 : first + 2;
   f8 u = input8(payload + first * step), v = input8(payload + second * step);
   struct where8 p;
   p.on = on;
   p.slice = 0;
   struct stretch8 k; /* a member each: a whole one is cleared slowly */
   k.most = 1;
   k.ways = all8(1);
   k.ratio = all_floats(1.0f);
   k.step_x = k.step_y = _mm256_setzero_ps();
   v8 raw = _mm256_setzero_si256();
   f8 zero = _mm256_setzero_ps();
   if (q->sources > third && x->s.array) { /* one element for all of them */
      v8 layer = load8(payload + third * step), one = _mm256_setzero_si256();
      uint32_t bits[8], exec = bits8(on);
      store8(bits, layer);
      if (!exec)
         return true;
      one = _mm256_xor_si256(layer, all8(bits[__builtin_ctz(exec)]));
      if (!_mm256_testz_si256(one, on))
         return false;
      p.slice = sampler_element(bits[__builtin_ctz(exec)], x->s.depth);
   }
   if (q->op == SAMPLER_SAMPLE_L) {
      if (x->needs_lod)
         raw = fixed8(input8(payload));
   } else if (explicit) {
      struct gradients8 g = {{input8(payload + step), input8(payload + 4 * step)},
                             {input8(payload + 2 * step), input8(payload + 5 * step)}};
      if (x->needs_lod)
         raw = gradients_lod(x, &g, &k);
   } else {
      if (x->needs_lod)
         raw = quads_lod(x, u, v, &k);
      if (q->op == SAMPLER_SAMPLE_B) {
         f8 bias = input8(payload);
         f8 bad = _mm256_or_ps(_mm256_cmp_ps(bias, all_floats(-16.0f), _CMP_LT_OQ),
                               _mm256_cmp_ps(bias, all_floats(16.0f), _CMP_GE_OQ));
         if (q->rules && !_mm256_testz_si256(_mm256_castps_si256(bad), on)) /* SMP-239 */
            return false;
         raw = _mm256_add_epi32(raw, fixed8(bias));
      }
   }
   struct levels8 l = levels8(x, raw);
   p.u = _mm256_and_ps(u, _mm256_castsi256_ps(on));
   p.v = _mm256_and_ps(v, _mm256_castsi256_ps(on));
   if (!sample_levels(x, t->env->space, l.level, l.minified, &p, &k, out))
      return false;
   v8 mixed = _mm256_andnot_si256(_mm256_cmpeq_epi32(l.beta, _mm256_setzero_si256()), on);
   if (none8(mixed))
      return true;
   f8 other[4] = {zero, zero, zero, zero},
      beta = _mm256_mul_ps(_mm256_cvtepi32_ps(l.beta), all_floats(1.0f / 256));
   f8 rest = _mm256_sub_ps(all_floats(1.0f), beta), both[4];
   p.on = mixed;
   v8 next = min8(_mm256_add_epi32(l.level, all8(1)), x->s.levels - 1);
   if (!sample_levels(x, t->env->space, next, l.minified, &p, &k, other))
      return false;
   for (unsigned c = 0; c < 4; c++)
      both[c] = _mm256_add_ps(_mm256_mul_ps(out[c], rest), _mm256_mul_ps(other[c], beta));
   blend(out, both, mixed);
   return true;
}

static ALWAYS_INLINE bool
sample(struct eu_thread *t, const struct sf_quick *q, uint32_t exec_mask, unsigned regs)
{
   f8 out[2][4], zero = _mm256_setzero_ps();
   struct texture *x;
   if (sf_observed(t) || !(x = known_texture(t, q)))
      return false;
   for (unsigned r = 0; r < regs; r++)
      for (unsigned c = 0; c < 4; c++)
         out[r][c] = zero;
   unsigned modes = 0x1f80;
   bool good = true;
   /* As for the slow path: to the nearest, no flushing. What is flushed could only matter to the
    * axes of anisotropic filters. */
   bool as_it_is = !x->stretches && !(t->cr0[0] >> 4 & 3);
   if (!as_it_is) {
      modes = _mm_getcsr();
      _mm_setcsr(0x1f80);
   }
   for (unsigned r = 0; r < regs && good; r++)
      good = sample8(t, q, x, regs, r, lanes8(exec_mask >> 8 * r), out[r]);
   if (!as_it_is)
      _mm_setcsr(modes);
   if (!good)
      return false;
   for (unsigned r = 0; r < regs; r++) {
      uint8_t *to = t->grf + q->response + r * EU_REG_SIZE;
      v8 on = lanes8(exec_mask >> 8 * r);
      for (unsigned c = 0; c < 4; c++, to += regs * EU_REG_SIZE)
         put(to, _mm256_castps_si256(out[r][c]), on);
   }
   sf_quick_mark(t, q);
   return true;
}

bool
sampler_quick_sample8(struct eu_thread *t, const struct sf_quick *q, uint32_t exec_mask)
{
   return sample(t, q, exec_mask, 1);
}

bool
sampler_quick_sample16(struct eu_thread *t, const struct sf_quick *q, uint32_t exec_mask)
{
   return sample(t, q, exec_mask, 2);
}
