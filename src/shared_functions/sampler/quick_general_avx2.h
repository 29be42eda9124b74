/* Private to the fast path of sample messages: textures that have no loops of their own. Any format
 * whose texels become floats, borders, volumes, cubes, arrays with an element for each pixel: bit
 * for bit what texel.c and filter.c do. */
#ifndef PERGOLA_SAMPLER_QUICK_GENERAL_AVX2_H
#define PERGOLA_SAMPLER_QUICK_GENERAL_AVX2_H

#include "shared_functions/sampler/quick_texel_avx2.h"

/* ---- texels ---------------------------------------------------------------------------------- */

/* As small_to_float of format.c. */
static ALWAYS_INLINE v8
wide8(v8 v, unsigned fraction_bits)
{
   uint32_t mask = (1u << fraction_bits) - 1;
   v8 fraction = and8(v, mask), exponent = and8(_mm256_srli_epi32(v, (int)fraction_bits), 31);
   v8 wide = _mm256_slli_epi32(v, (int)(23 - fraction_bits));
   v8 normal = add8(wide, 112u << 23), special = _mm256_or_si256(wide, all8(0x7f800000));
   f8 least = all_floats(1.0f / (float)(1u << (14 + fraction_bits)));
   v8 small = _mm256_castps_si256(_mm256_mul_ps(_mm256_cvtepi32_ps(fraction), least));
   v8 r = _mm256_blendv_epi8(normal, special, _mm256_cmpeq_epi32(exponent, all8(31)));
   return _mm256_blendv_epi8(r, small, _mm256_cmpeq_epi32(exponent, _mm256_setzero_si256()));
}

static ALWAYS_INLINE v8
bits_of(const struct format_channel *c, const v8 word[4])
{
   v8 v = _mm256_srl_epi32(word[c->start / 32], _mm_cvtsi32_si128(c->start % 32));
   return c->bits < 32 ? and8(v, (1u << c->bits) - 1) : v;
}

/* As format_snorm_to_float: no quotient of so few bits lies between two floats. */
static ALWAYS_INLINE f8
from_snorm8(const struct format_channel *c, v8 v)
{
   __m128i up = _mm_cvtsi32_si128(32 - c->bits);
   f8 f = _mm256_cvtepi32_ps(_mm256_sra_epi32(_mm256_sll_epi32(v, up), up));
   f = _mm256_div_ps(f, all_floats((float)((1u << (c->bits - 1)) - 1)));
   return _mm256_max_ps(f, all_floats(-1.0f));
}

static ALWAYS_INLINE f8
absent8(const struct texture *x, unsigned c)
{
   return all_floats(x->ones >> c & 1 || c == 3 ? 1.0f : 0.0f);
}

static ALWAYS_INLINE f8
general_channel(const struct texture *x, const struct surface_view *v, const v8 word[4], unsigned i)
{
   const struct format_channel *c = &v->format->channel[i];
   if (c->type == CHANNEL_NONE)
      return absent8(x, i);
   if (v->format->srgb && i < 3) /* SMP-099 */
      return _mm256_castsi256_ps(
          dwords8((const uint8_t *)x->srgb, _mm256_slli_epi32(bits_of(c, word), 2)));
   if (c->type == CHANNEL_SNORM)
      return from_snorm8(c, bits_of(c, word));
   if (c->type != CHANNEL_FLOAT || c->bits == 32)
      return _mm256_castsi256_ps(decode_channel(&v->channel[i], word));
   if (c->bits == 16) {
      v8 half = bits_of(c, word), sign = _mm256_slli_epi32(and8(half, 0x8000), 16);
      return _mm256_castsi256_ps(_mm256_or_si256(wide8(and8(half, 0x7fff), 10), sign));
   }
   return _mm256_castsi256_ps(wide8(bits_of(c, word), c->bits - 5u));
}

/* ---- axes ------------------------------------------------------------------------------------ */

struct general_axis {
   v8 i[2], w;
   v8 outside[2]; /* lanes whose texel is of the border, if it has weight */
};

static ALWAYS_INLINE unsigned
general_mode(const struct texture *x, unsigned axis)
{
   const unsigned cube = GEN7_TEXTURE_COORDINATE_MODE_CUBE,
                  clamp = GEN7_TEXTURE_COORDINATE_MODE_CLAMP;
   if (x->s.type == SURFTYPE_CUBE)
      return x->state.mode[0] == cube ? cube : clamp;
   return x->state.mode[axis] == cube ? clamp : x->state.mode[axis];
}

/* *wrong: lanes that need another face, or half of a border. */
static ALWAYS_INLINE struct general_axis
general_axis(v8 p, uint32_t size, unsigned mode, bool linear, v8 *wrong)
{
   struct general_axis a;
   v8 zero = _mm256_setzero_si256();
   a.w = a.outside[0] = a.outside[1] = zero;
   if (linear)
      p = _mm256_sub_epi32(p, all8(128));
   v8 first = _mm256_srai_epi32(p, 8), second = _mm256_add_epi32(first, all8(1));
   bool folds = mode == GEN7_TEXTURE_COORDINATE_MODE_CUBE;
   unsigned as = folds ? GEN7_TEXTURE_COORDINATE_MODE_CLAMP_BORDER : mode;
   a.i[0] = a.i[1] = texel8(as, size, first, &a.outside[0]);
   if (linear) {
      a.w = and8(p, 255);
      a.i[1] = texel8(as, size, second, &a.outside[1]);
      a.outside[1] = _mm256_andnot_si256(_mm256_cmpeq_epi32(a.w, zero), a.outside[1]);
   }
   if (folds || mode == GEN7_TEXTURE_COORDINATE_MODE_HALF_BORDER)
      *wrong = _mm256_or_si256(*wrong, _mm256_or_si256(a.outside[0], a.outside[1]));
   return a;
}

/* ---- sums ------------------------------------------------------------------------------------ */

/* The texels of eight pixels. */
struct taps8 {
   unsigned count;       /* 1, 4 or 8 */
   v8 at[8];             /* from the window's start */
   v8 weight[8];         /* that add up to 2^16 or 2^24 */
   v8 outside[8], edges; /* of the border; lanes that have such a texel */
};

static ALWAYS_INLINE void
general_words(const struct surface_view *v, const uint8_t *host, v8 at, v8 word[4])
{
   unsigned words = v->size_B > 4 ? v->size_B / 4u : 1;
   for (unsigned i = 0; i < 4; i++)
      word[i] = i < words ? gather8(v->size_log2 < 2 ? v->size_log2 : 2, host, add8(at, 4 * i))
                          : _mm256_setzero_si256();
}

/* A border has the 1.0 of channels that the format lacks, too. */
static ALWAYS_INLINE f8
with_border(const struct texture *x, unsigned c, f8 texel, v8 outside)
{
   f8 border = x->ones >> c & 1 ? all_floats(1.0f) : _mm256_castsi256_ps(all8(x->border[c]));
   return _mm256_blendv_ps(texel, border, _mm256_castsi256_ps(outside));
}

/* As sum_floats: in pairs; a texel of no weight does not count. */
static void
general_floats(const struct texture *x, const struct surface_view *v, const uint8_t *host,
               const struct taps8 *k, f8 out[4])
{
   f8 t[8][4];
   float scale = k->count == 4 ? 1.0f / 65536 : 1.0f / 16777216;
   for (unsigned n = 0; n < k->count; n++) {
      v8 word[4];
      general_words(v, host, k->at[n], word);
      f8 weight = _mm256_mul_ps(_mm256_cvtepi32_ps(k->weight[n]), all_floats(scale));
      f8 some = _mm256_castsi256_ps(_mm256_cmpgt_epi32(k->weight[n], _mm256_setzero_si256()));
      for (unsigned c = 0; c < 4; c++) {
         f8 texel = with_border(x, c, general_channel(x, v, word, c), k->outside[n]);
         t[n][c] = k->count == 1 ? texel : _mm256_and_ps(_mm256_mul_ps(texel, weight), some);
      }
   }
   for (unsigned left = k->count; left > 1; left /= 2)
      for (unsigned n = 0; n < left / 2; n++)
         for (unsigned c = 0; c < 4; c++)
            t[n][c] = _mm256_add_ps(t[2 * n][c], t[2 * n + 1][c]);
   for (unsigned c = 0; c < 4; c++)
      out[c] = t[0][c];
}

/* A sum of 32 bits over 255 * 2^24. */
static ALWAYS_INLINE f8
over_volume8(v8 sum)
{
   v8 low = _mm256_xor_si256(sum, all8(0x80000000));
   __m256d by = _mm256_set1_pd(4278190080.0), half = _mm256_set1_pd(2147483648.0);
   __m256d a = _mm256_add_pd(_mm256_cvtepi32_pd(_mm256_castsi256_si128(low)), half);
   __m256d b = _mm256_add_pd(_mm256_cvtepi32_pd(_mm256_extracti128_si256(low, 1)), half);
   return _mm256_set_m128(_mm256_cvtpd_ps(_mm256_div_pd(b, by)),
                          _mm256_cvtpd_ps(_mm256_div_pd(a, by)));
}

/* As sum_codes. */
static void
general_codes(const struct texture *x, const struct surface_view *v, const uint8_t *host,
              const struct taps8 *k, f8 out[4])
{
   v8 sum[4];
   for (unsigned c = 0; c < 4; c++)
      sum[c] = _mm256_setzero_si256();
   for (unsigned n = 0; n < k->count; n++) {
      v8 word[4];
      general_words(v, host, k->at[n], word);
      for (unsigned c = 0; c < 4; c++) {
         const struct format_channel *f = &v->format->channel[c];
         if (f->type != CHANNEL_NONE)
            sum[c] = _mm256_add_epi32(sum[c], _mm256_mullo_epi32(bits_of(f, word), k->weight[n]));
      }
   }
   for (unsigned c = 0; c < 4; c++)
      if (v->format->channel[c].type == CHANNEL_NONE)
         out[c] = absent8(x, c);
      else if (k->count == 8)
         out[c] = over_volume8(sum[c]);
      else
         out[c] = _mm256_div_ps(_mm256_cvtepi32_ps(sum[c]), all_floats(16711680.0f));
}

/* ---- one position in one level --------------------------------------------------------------- */

/* Places from the base: what slices lie side by side, and below each other. */
static ALWAYS_INLINE v8
general_place(const struct surface_view *v, v8 x, v8 y, v8 slice)
{
   v8 beside = and8(slice, (1u << v->slices_log2) - 1);
   v8 below = _mm256_srl_epi32(slice, _mm_cvtsi32_si128(v->slices_log2));
   v8 column = add8(_mm256_add_epi32(x, mul8(beside, v->slice_el)), v->x_el);
   v8 row = add8(_mm256_add_epi32(y, mul8(below, v->slice_rows)), v->row);
   return tile_offset8(v->tiling, _mm256_sll_epi32(column, _mm_cvtsi32_si128(v->size_log2)), row,
                       v->pitch_B);
}

static ALWAYS_INLINE void
general_taps(const struct texture *x, const struct surface_view *v, const struct general_axis a[3],
             v8 slices, bool linear, struct taps8 *k)
{
   k->count = linear ? 1u << x->axes : 1;
   k->edges = _mm256_setzero_si256();
   for (unsigned n = 0; n < k->count; n++) {
      v8 w = all8(1), outside = _mm256_setzero_si256();
      for (unsigned i = 0; i < x->axes; i++) {
         unsigned up = n >> i & 1;
         w = _mm256_mullo_epi32(w, up ? a[i].w : _mm256_sub_epi32(all8(256), a[i].w));
         outside = _mm256_or_si256(outside, a[i].outside[up]);
      }
      k->weight[n] = w;
      k->outside[n] = outside;
      k->edges = _mm256_or_si256(k->edges, outside);
      k->at[n] = general_place(v, a[0].i[n & 1], a[1].i[n >> 1 & 1],
                               x->axes == 3 ? a[2].i[n >> 2 & 1] : slices);
   }
}

/* Makes places distances from the window's start. False: they do not lie in one window. */
static ALWAYS_INLINE bool
general_reach(struct surface_view *v, struct mem_space *space, struct taps8 *k)
{
   struct view_window *w = &v->window[0];
   for (unsigned again = 0; again < 2; again++) {
      v8 start = all8(w->start), most = _mm256_setzero_si256();
      for (unsigned n = 0; n < k->count; n++)
         most = _mm256_max_epu32(most, _mm256_sub_epi32(k->at[n], start));
      if (in_window8(w, most)) {
         for (unsigned n = 0; n < k->count; n++)
            k->at[n] = _mm256_sub_epi32(k->at[n], start);
         return true;
      }
      uint32_t first = (uint32_t)_mm256_extract_epi32(k->at[0], 0);
      if (again || !surface_view_look(v, space, first, false))
         return false;
   }
   return false;
}

/* False: not for the fast path. */
static bool
general_once(struct texture *x, struct mem_space *space, unsigned level, bool minified,
             struct shape k, const struct where8 *p, f8 out[4])
{
   struct surface_view *v = &x->level[level];
   const uint32_t size[3] = {v->width, v->height, v->depth};
   const f8 at[3] = {p->u, p->v, p->r};
   v8 wrong = _mm256_setzero_si256(), far = wrong;
   struct general_axis a[3];
   struct taps8 taps;
   for (unsigned i = 0; i < x->axes; i++) {
      float rounding = x->state.round[minified][i] ? 0.5f : 0.0f,
            scale = x->state.unnormalized ? 256.0f : 256.0f * (float)size[i];
      bool stretched = k.stretched && i < 2;
      v8 pos =
          position8(at[i], &scale, &rounding, stretched ? p->extra[i] : at[i], stretched, &far);
      a[i] = general_axis(pos, size[i], general_mode(x, i), k.linear, &wrong);
   }
   wrong = _mm256_or_si256(wrong, _mm256_cmpgt_epi32(far, all8(FAR_BITS - 1)));
   if (!none8(wrong))
      return false;
   general_taps(x, v, a, p->slices, k.linear, &taps);
   if (!general_reach(v, space, &taps))
      return false;
   const uint8_t *host = v->window[0].host;
   bool codes = x->codes && k.linear && x->s.type != SURFTYPE_CUBE;
   if (!codes || !none8(taps.edges))
      general_floats(x, v, host, &taps, out);
   if (!codes)
      return true;
   f8 whole[4];
   general_codes(x, v, host, &taps, whole);
   for (unsigned c = 0; c < 4; c++) /* a pixel with a border is a sum of floats */
      out[c] = none8(taps.edges)
                   ? whole[c]
                   : _mm256_blendv_ps(whole[c], out[c], _mm256_castsi256_ps(taps.edges));
   return true;
}

/* As anisotropic of filter.c: where its samples are, and their weights. */
struct line8 {
   f8 ways, last, middle, end;
};

static ALWAYS_INLINE struct line8
line8(const struct stretch8 *s)
{
   struct line8 l;
   f8 half = all_floats(0.5f);
   l.ways = _mm256_cvtepi32_ps(s->ways);
   l.last = _mm256_sub_ps(l.ways, all_floats(1.0f));
   l.middle = _mm256_mul_ps(l.last, half);
   l.end = _mm256_mul_ps(_mm256_sub_ps(s->ratio, _mm256_sub_ps(l.ways, all_floats(2.0f))), half);
   return l;
}

static ALWAYS_INLINE void
step8(const struct line8 *l, const struct stretch8 *s, unsigned n, struct where8 *p)
{
   f8 number = all_floats((float)n), used = _mm256_cmp_ps(number, l->ways, _CMP_LT_OQ);
   f8 along = _mm256_and_ps(_mm256_sub_ps(number, l->middle), used);
   p->extra[0] = _mm256_mul_ps(s->step_x, along);
   p->extra[1] = _mm256_mul_ps(s->step_y, along);
}

static ALWAYS_INLINE void
weigh8(const struct line8 *l, unsigned n, const f8 t[4], f8 sum[4])
{
   f8 number = all_floats((float)n), one = all_floats(1.0f);
   f8 ends = _mm256_cmp_ps(number, l->last, _CMP_EQ_OQ);
   f8 w = n == 0 ? l->end : _mm256_blendv_ps(one, l->end, ends);
   w = _mm256_and_ps(w, _mm256_cmp_ps(number, l->ways, _CMP_LT_OQ));
   for (unsigned c = 0; c < 4; c++)
      sum[c] = _mm256_add_ps(sum[c], _mm256_mul_ps(t[c], w));
}

/* SMP-058: samples along the longer axis of the pixel. Everything is found before the first texel
 * is read: one after the other, each sample would wait for its address. */
static ALWAYS_INLINE bool
sample_stretched(struct texture *x, struct mem_space *space, unsigned level, bool minified,
                 struct shape k, const struct where8 *p, const struct stretch8 *s, f8 out[4])
{
   struct found8 found[SAMPLER_WAYS];
   struct line8 l = line8(s);
   struct where8 q = *p;
   f8 sum[4], t[4];
   bool alike = every8(_mm256_cmpeq_epi32(s->ways, all8(s->most)));
   for (unsigned c = 0; c < 4; c++)
      sum[c] = _mm256_setzero_ps();
   for (unsigned n = 0; n < s->most; n++) {
      step8(&l, s, n, &q);
      if (k.general ? !general_once(x, space, level, minified, k, &q, t)
                    : !find_texels(x, space, level, minified, k, &q, &found[n]))
         return false;
      if (k.general)
         weigh8(&l, n, t, sum);
   }
   for (unsigned n = 0; n < s->most && !k.general; n++) {
      settle(&found[n]);
      filter_texels(x, level, k, &found[n], t);
      if (!alike || n == 0 || n + 1 == s->most) {
         weigh8(&l, n, t, sum);
         continue;
      }
      for (unsigned c = 0; c < 4; c++) /* all weigh 1 */
         sum[c] = _mm256_add_ps(sum[c], t[c]);
   }
   for (unsigned c = 0; c < 4; c++)
      out[c] = _mm256_div_ps(sum[c], s->ratio);
   return true;
}

/* ---- cubes ----------------------------------------------------------------------------------- */

/* Which component is the largest: Z over Y over X (SMP-481). */
struct faces8 {
   v8 number;
   f8 by_z, by_y, negative;
};

static ALWAYS_INLINE f8
magnitude8(f8 f)
{
   return _mm256_and_ps(f, _mm256_castsi256_ps(all8(0x7fffffff)));
}

static ALWAYS_INLINE f8
major8(const struct faces8 *f, f8 x, f8 y, f8 z)
{
   return _mm256_blendv_ps(_mm256_blendv_ps(x, y, f->by_y), z, f->by_z);
}

static ALWAYS_INLINE struct faces8
choose_faces8(f8 x, f8 y, f8 z)
{
   struct faces8 f;
   f8 ax = magnitude8(x), ay = magnitude8(y), az = magnitude8(z);
   f.by_z = _mm256_and_ps(_mm256_cmp_ps(az, ax, _CMP_GE_OQ), _mm256_cmp_ps(az, ay, _CMP_GE_OQ));
   f.by_y = _mm256_andnot_ps(f.by_z, _mm256_cmp_ps(ay, ax, _CMP_GE_OQ));
   f8 major = major8(&f, x, y, z);
   f.negative = _mm256_cmp_ps(major, _mm256_setzero_ps(), _CMP_LT_OQ);
   v8 first = _mm256_or_si256(_mm256_and_si256(_mm256_castps_si256(f.by_z), all8(4)),
                              _mm256_and_si256(_mm256_castps_si256(f.by_y), all8(2)));
   f.number = _mm256_sub_epi32(first, _mm256_castps_si256(f.negative));
   return f;
}

/* SMP-020 */
static ALWAYS_INLINE void
on_faces8(const struct faces8 *f, f8 x, f8 y, f8 z, f8 *s, f8 *t)
{
   f8 sign = all_floats(-0.0f), flip = _mm256_and_ps(f->negative, sign);
   f8 by_x_s = _mm256_xor_ps(_mm256_xor_ps(z, sign), flip); /* -z, or z on the negative face */
   f8 by_z_s = _mm256_xor_ps(x, flip), by_y_t = _mm256_xor_ps(z, flip);
   *s = _mm256_blendv_ps(_mm256_blendv_ps(by_x_s, x, f->by_y), by_z_s, f->by_z);
   *t = _mm256_blendv_ps(_mm256_xor_ps(y, sign), by_y_t, f->by_y);
}

/* A neighbour on the plane of each pixel's face. */
static ALWAYS_INLINE void
on_planes8(const struct faces8 *f, f8 own, f8 x, f8 y, f8 z, f8 *s, f8 *t)
{
   f8 ratio = _mm256_div_ps(own, major8(f, x, y, z));
   f8 near = _mm256_and_ps(_mm256_cmp_ps(ratio, _mm256_setzero_ps(), _CMP_GT_OQ),
                           _mm256_cmp_ps(ratio, all_floats(SAMPLER_FACE_FAR), _CMP_LT_OQ));
   on_faces8(f, x, y, z, s, t);
   *s = _mm256_blendv_ps(*s, _mm256_mul_ps(*s, ratio), near);
   *t = _mm256_blendv_ps(*t, _mm256_mul_ps(*t, ratio), near);
}

/* As quad_differences: the quad on the plane of each pixel's face. */
static ALWAYS_INLINE struct gradients8
cube_differences8(f8 x, f8 y, f8 z)
{
   struct faces8 f = choose_faces8(x, y, z);
   f8 own = major8(&f, x, y, z), s[3], t[3];
   on_planes8(&f, own, _mm256_permute_ps(x, 0), _mm256_permute_ps(y, 0), _mm256_permute_ps(z, 0),
              &s[0], &t[0]);
   on_planes8(&f, own, _mm256_permute_ps(x, 0x55), _mm256_permute_ps(y, 0x55),
              _mm256_permute_ps(z, 0x55), &s[1], &t[1]);
   on_planes8(&f, own, _mm256_permute_ps(x, 0xaa), _mm256_permute_ps(y, 0xaa),
              _mm256_permute_ps(z, 0xaa), &s[2], &t[2]);
   return (struct gradients8){{_mm256_sub_ps(s[1], s[0]), _mm256_sub_ps(t[1], t[0])},
                              {_mm256_sub_ps(s[2], s[0]), _mm256_sub_ps(t[2], t[0])}};
}

static ALWAYS_INLINE v8
cube_lod8(const struct texture *x, f8 u, f8 v, f8 r, struct stretch8 *s)
{
   struct gradients8 g = cube_differences8(u, v, r);
   return gradients_lod(x, &g, s);
}

/* SMP-019, SMP-299: is there something to report? */
static ALWAYS_INLINE bool
cube_divided8(f8 x, f8 y, f8 z, v8 on)
{
   f8 most = _mm256_max_ps(_mm256_max_ps(magnitude8(x), magnitude8(y)), magnitude8(z));
   f8 off = magnitude8(_mm256_sub_ps(most, all_floats(1.0f)));
   f8 bad = _mm256_cmp_ps(off, all_floats(1.0f / 256), _CMP_GT_OQ);
   return _mm256_testz_si256(_mm256_castps_si256(bad), on);
}

/* ---- volumes --------------------------------------------------------------------------------- */

static ALWAYS_INLINE v8
volume_lod8(const struct texture *x, f8 u, f8 v, f8 r)
{
   const f8 at[3] = {u, v, r};
   const float size[3] = {x->base_width, x->base_height, x->base_depth};
   f8 xx = _mm256_setzero_ps(), yy = xx;
   for (unsigned i = 0; i < 3; i++) {
      f8 first = _mm256_permute_ps(at[i], 0), scale = all_floats(size[i]);
      f8 gx = _mm256_mul_ps(_mm256_sub_ps(_mm256_permute_ps(at[i], 0x55), first), scale);
      f8 gy = _mm256_mul_ps(_mm256_sub_ps(_mm256_permute_ps(at[i], 0xaa), first), scale);
      xx = i ? _mm256_add_ps(xx, _mm256_mul_ps(gx, gx)) : _mm256_mul_ps(gx, gx);
      yy = i ? _mm256_add_ps(yy, _mm256_mul_ps(gy, gy)) : _mm256_mul_ps(gy, gy);
   }
   return half_log2_8(_mm256_max_ps(xx, yy));
}

/* ---- arrays ---------------------------------------------------------------------------------- */

/* As sampler_element. */
static ALWAYS_INLINE v8
elements8(const void *parameter, uint32_t count)
{
   f8 f = _mm256_max_ps(input8(parameter), _mm256_setzero_ps());
   f = _mm256_min_ps(f, all_floats((float)(count ? count - 1 : 0)));
   return _mm256_cvtps_epi32(f); /* to the nearest, even one */
}

#endif
