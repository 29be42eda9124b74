/* Private to the fast path of sample messages: addresses and texels of eight pixels in one level.
 * Every lane has a position: those that do not matter are at 0, 0. */
#ifndef PERGOLA_SAMPLER_QUICK_TEXEL_AVX2_H
#define PERGOLA_SAMPLER_QUICK_TEXEL_AVX2_H

#include "shared_functions/sampler/address.h"
#include "shared_functions/sampler/quick_lod_avx2.h"

/* What a function is made for: constants of most of them. */
struct shape {
   uint8_t tiling, size_log2, mode[2];
   bool linear;
   bool bytes; /* 32 bits, channels in the order of bytes, or red and blue exchanged */
   bool stretched;
   bool mips;    /* the level of detail matters */
   bool floats;  /* texels become floats before they are filtered */
   bool general; /* quick_general_avx2.h does it */
};

/* Modes of ours. Wrapping by a power of two; the same where offsets are bits of x and y. */
#define WRAP_BITS 8u
#define BITS_APART 9u

static ALWAYS_INLINE f8
broadcast(const float *f)
{
   return _mm256_broadcast_ss(f);
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

/* As address_position: 8 fraction bits. A size times 256 scales as the size does, exactly. *far:
 * magnitudes of floats so far, which compare as integers; a NaN is above all of them. */
static ALWAYS_INLINE v8
position8(f8 u, const float *scale, const float *rounding, f8 extra, bool stretched, v8 *far)
{
   f8 x = _mm256_mul_ps(u, broadcast(scale));
   *far = _mm256_max_epi32(*far, and8(_mm256_castps_si256(x), 0x7fffffff));
   if (stretched)
      x = _mm256_add_ps(x, _mm256_mul_ps(extra, all_floats(256.0f)));
   return _mm256_cvttps_epi32(_mm256_floor_ps(_mm256_add_ps(x, broadcast(rounding))));
}

#define FAR_BITS 0x4e800000u /* 256 * ADDRESS_FAR */

struct axis8 {
   v8 i[2];
   v8 w;
};

static ALWAYS_INLINE struct axis8
axis8(v8 p, uint32_t size, unsigned mode, bool linear, v8 *wrong)
{
   struct axis8 a;
   if (!linear) {
      a.w = _mm256_setzero_si256();
      a.i[0] = a.i[1] = texel8(mode, size, _mm256_srai_epi32(p, 8), wrong);
      return a;
   }
   p = _mm256_sub_epi32(p, all8(128));
   a.w = and8(p, 255);
   v8 first = _mm256_srai_epi32(p, 8), border = _mm256_setzero_si256();
   a.i[0] = texel8(mode, size, first, wrong);
   a.i[1] = texel8(mode, size, _mm256_add_epi32(first, all8(1)), &border);
   if (mode != WRAP_BITS) /* a border that has no weight does not count */
      *wrong = _mm256_or_si256(
          *wrong, _mm256_andnot_si256(_mm256_cmpeq_epi32(a.w, _mm256_setzero_si256()), border));
   return a;
}

static ALWAYS_INLINE v8
x_part8(unsigned tiling, unsigned size_log2, uint32_t x_el, v8 x)
{
   v8 x_B = _mm256_sll_epi32(add8(x, x_el), _mm_cvtsi32_si128((int)size_log2));
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
y_part8(unsigned tiling, uint32_t pitch_B, uint32_t row0, v8 y)
{
   v8 row = add8(y, row0);
   switch (tiling) {
   case MEM_TILE_X:
      return _mm256_add_epi32(_mm256_slli_epi32(and8(row, 7), 9), mul8(and8(row, ~7u), pitch_B));
   case MEM_TILE_Y:
      return _mm256_add_epi32(_mm256_slli_epi32(and8(row, 31), 4), mul8(and8(row, ~31u), pitch_B));
   default:
      return mul8(row, pitch_B);
   }
}

/* ---- texels ---------------------------------------------------------------------------------- */

static ALWAYS_INLINE int
dword_from(const uint8_t *p)
{
   int v;
   memcpy(&v, p, 4);
   return v;
}

/* Dwords at four distances: single loads, since many hosts do them sooner than a gather. */
static ALWAYS_INLINE __m128i
gather4(const uint8_t *host, uint64_t low, uint64_t high)
{
   __m128i v = _mm_cvtsi32_si128(dword_from(host + (uint32_t)low));
   v = _mm_insert_epi32(v, dword_from(host + (low >> 32)), 1);
   v = _mm_insert_epi32(v, dword_from(host + (uint32_t)high), 2);
   return _mm_insert_epi32(v, dword_from(host + (high >> 32)), 3);
}

static ALWAYS_INLINE v8
dwords8(const uint8_t *host, v8 at)
{
   uint64_t a = (uint64_t)_mm256_extract_epi64(at, 0), b = (uint64_t)_mm256_extract_epi64(at, 1);
   uint64_t c = (uint64_t)_mm256_extract_epi64(at, 2), d = (uint64_t)_mm256_extract_epi64(at, 3);
   return _mm256_set_m128i(gather4(host, c, d), gather4(host, a, b));
}

/* The same for distances that lie in memory: a load each, where they would be taken out of the
 * vector. */
static ALWAYS_INLINE __m128i
dwords_at4(const uint8_t *host, const uint32_t *at)
{
   __m128i v = _mm_cvtsi32_si128(dword_from(host + at[0]));
   v = _mm_insert_epi32(v, dword_from(host + at[1]), 1);
   v = _mm_insert_epi32(v, dword_from(host + at[2]), 2);
   return _mm_insert_epi32(v, dword_from(host + at[3]), 3);
}

static ALWAYS_INLINE v8
dwords_at8(const uint8_t *host, const uint32_t at[8])
{
   return _mm256_set_m128i(dwords_at4(host, at + 4), dwords_at4(host, at));
}

/* Elements of 1, 2 or 4 bytes at distances from the window's start, as dwords. */
static ALWAYS_INLINE v8
gather8(unsigned size_log2, const uint8_t *host, v8 at)
{
   if (size_log2 == 2)
      return dwords8(host, at);
   v8 dwords = dwords8(host, and8(at, ~3u)), shift = _mm256_slli_epi32(and8(at, 3), 3);
   return and8(_mm256_srlv_epi32(dwords, shift), size_log2 == 0 ? 0xff : 0xffff);
}

/* A whole number over another one, rounded once: the reciprocal in two floats. What is left out is
 * of 2^-48, and no quotient by 255 of numbers of 24 bits comes so near to the middle between two
 * floats. */
static ALWAYS_INLINE f8
over8(v8 sum, double by)
{
   const float high = (float)(1.0 / by), low = (float)(1.0 / by - (double)(float)(1.0 / by));
   f8 f = _mm256_cvtepi32_ps(sum);
   return _mm256_fmadd_ps(f, all_floats(high), _mm256_mul_ps(f, all_floats(low)));
}

/* Bytes of the elements to the channels of the format. */
static ALWAYS_INLINE void
arrange(const struct texture *x, const struct surface_view *v, bool bytes, const f8 byte[4],
        f8 out[4])
{
   if (bytes) {
      out[0] = x->swapped ? byte[2] : byte[0];
      out[1] = byte[1];
      out[2] = x->swapped ? byte[0] : byte[2];
      out[3] = x->opaque ? all_floats(1.0f) : byte[3];
      return;
   }
   for (unsigned c = 0; c < 4; c++)
      if (v->channel[c].kind != VIEW_CHANNEL_ABSENT)
         out[c] = byte[v->channel[c].shift / 8 & 3];
      else
         out[c] = all_floats(x->ones >> c & 1 || c == 3 ? 1.0f : 0.0f);
}

/* Sums of four codes by weights that add up to 2^16 are whole numbers up to 255 * 2^16. Rows first:
 * bytes 0 and 2, then 1 and 3, as words; the columns as signed ones. */
static ALWAYS_INLINE void
bilinear8(const v8 t[4], v8 wx, v8 wy, f8 byte[4])
{
   v8 right = _mm256_or_si256(wx, _mm256_slli_epi32(wx, 16)), mask = all8(0x00ff00ff);
   v8 left = _mm256_sub_epi16(all8(0x01000100), right), h[2][2];
   for (unsigned row = 0; row < 2; row++) {
      v8 l = t[2 * row], r = t[2 * row + 1];
      h[row][0] = _mm256_add_epi16(_mm256_mullo_epi16(_mm256_and_si256(l, mask), left),
                                   _mm256_mullo_epi16(_mm256_and_si256(r, mask), right));
      h[row][1] = _mm256_add_epi16(_mm256_mullo_epi16(_mm256_srli_epi16(l, 8), left),
                                   _mm256_mullo_epi16(_mm256_srli_epi16(r, 8), right));
      for (unsigned i = 0; i < 2; i++)
         h[row][i] = _mm256_xor_si256(h[row][i], all8(0x80008000));
   }
   v8 columns = _mm256_add_epi32(_mm256_sub_epi32(_mm256_slli_epi32(wy, 16), wy), all8(256));
   for (unsigned i = 0; i < 2; i++) {
      v8 low = _mm256_blend_epi16(h[0][i], _mm256_slli_epi32(h[1][i], 16), 0xaa);
      v8 high = _mm256_blend_epi16(_mm256_srli_epi32(h[0][i], 16), h[1][i], 0xaa);
      byte[i] = over8(add8(_mm256_madd_epi16(low, columns), 1u << 23), 16711680.0);
      byte[i + 2] = over8(add8(_mm256_madd_epi16(high, columns), 1u << 23), 16711680.0);
   }
}

/* What is to be multiplied with three times a byte of a dword, as the dword then holds it. */
static ALWAYS_INLINE float
code_unit(unsigned byte)
{
   return byte < 2 ? 1.0f / 765 : 1.0f / 765 / 65536;
}

/* A byte over 255, rounded once: for each of the 256 three times the byte, times the float that is
 * next to 1/765, rounds to it, which once the byte, times 1/255, does not. thrice: a 3 in its
 * place.
 */
static ALWAYS_INLINE f8
code8(v8 t, v8 thrice, f8 unit)
{
   return _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_maddubs_epi16(t, thrice)), unit);
}

static ALWAYS_INLINE void
nearest8(v8 t, f8 byte[4])
{
   for (unsigned i = 0; i < 4; i++)
      byte[i] = code8(t, all8(3u << 8 * i), all_floats(code_unit(i)));
}

/* ---- other formats: texels become floats ----------------------------------------------------- */

/* As sum_floats: products are added in pairs; a texel of no weight does not count. */
static ALWAYS_INLINE void
float_texels(const struct texture *x, const struct surface_view *v, const uint8_t *host,
             const v8 at[4], unsigned taps, v8 wx, v8 wy, f8 out[4])
{
   f8 t[4][4];
   unsigned words = v->size_B > 4 ? v->size_B / 4u : 1, size_log2 = v->size_log2;
   v8 rx = _mm256_sub_epi32(all8(256), wx), ry = _mm256_sub_epi32(all8(256), wy);
   for (unsigned n = 0; n < taps; n++) {
      v8 word[4], w = _mm256_mullo_epi32(n & 1 ? wx : rx, n & 2 ? wy : ry);
      for (unsigned i = 0; i < 4; i++)
         word[i] = i < words ? gather8(size_log2 < 2 ? size_log2 : 2, host, add8(at[n], 4 * i))
                             : _mm256_setzero_si256();
      f8 weight = _mm256_mul_ps(_mm256_cvtepi32_ps(w), all_floats(1.0f / 65536));
      f8 some = _mm256_castsi256_ps(_mm256_cmpgt_epi32(w, _mm256_setzero_si256()));
      for (unsigned c = 0; c < 4; c++) {
         f8 texel = _mm256_castsi256_ps(decode_elements(v, word, c));
         if (v->channel[c].kind == VIEW_CHANNEL_ABSENT)
            texel = all_floats(x->ones >> c & 1 || c == 3 ? 1.0f : 0.0f);
         t[n][c] = taps == 1 ? texel : _mm256_and_ps(_mm256_mul_ps(texel, weight), some);
      }
   }
   for (unsigned c = 0; c < 4; c++)
      out[c] = taps == 1 ? t[0][c]
                         : _mm256_add_ps(_mm256_add_ps(t[0][c], t[1][c]),
                                         _mm256_add_ps(t[2][c], t[3][c]));
}

/* ---- one position in one level --------------------------------------------------------------- */

struct where8 {
   f8 u, v;
   f8 extra[2]; /* texels, if stretched */
   uint32_t slice;
   /* For quick_general_avx2.h alone. */
   bool many; /* slices, not one */
   f8 r;
   v8 slices;
};

static ALWAYS_INLINE bool
in_window8(const struct view_window *w, v8 at)
{
   return w->limit[2] != 0 && every8(below8(at, w->limit[2]));
}

/* The texels of eight pixels: where they lie in the host, and their weights. */
struct found8 {
   const uint8_t *host;
   v8 wx, wy;
   uint32_t at[4][8]; /* from `host` */
};

/* Where the level lies, if its pages lie side by side; else NULL, and it is not asked again. */
static __attribute__((noinline, unused)) const uint8_t *
find_level(struct texture *x, struct mem_space *space, unsigned level)
{
   struct surface_view *v = &x->level[level];
   struct texture_bits *b = &x->bits[level];
   const struct view_window *w = &v->window[0];
   if (surface_view_look(v, space, b->first, false)) {
      uint32_t first = b->first - w->start, limit = w->limit[2];
      if (first < limit && b->last < limit - first)
         return b->host = w->host + first;
   }
   b->good = false;
   x->plain.key = 0;
   return NULL;
}

static ALWAYS_INLINE const uint8_t *
level_host(struct texture *x, struct mem_space *space, unsigned level)
{
   const uint8_t *host = x->bits[level].host;
   return __builtin_expect(host != NULL, 1) ? host : find_level(x, space, level);
}

static ALWAYS_INLINE v8
load_all8(const uint32_t *v)
{
   return _mm256_castps_si256(_mm256_broadcast_ss((const float *)(const void *)v));
}

/* Offsets of texels. pair: x in the low halves, y in the high ones, any bits above theirs. */
static ALWAYS_INLINE v8
bits_offset8(const struct texture_bits *b, v8 pair)
{
   v8 in_tile = _mm256_and_si256(pair, load_all8(&b->in_tile));
   v8 of_tile = _mm256_and_si256(pair, load_all8(&b->of_tile));
   return _mm256_add_epi32(_mm256_madd_epi16(in_tile, load_all8(&b->in_tile_B)),
                           _mm256_madd_epi16(of_tile, load_all8(&b->of_tile_B)));
}

/* The same for the four texels around: a carry runs over the bits that are not the coordinate's. */
static ALWAYS_INLINE void
bits_around8(const struct texture_bits *b, v8 pair, uint32_t *at[4])
{
   v8 first = bits_offset8(b, pair), x = load_all8(&b->x_bits), y = load_all8(&b->y_bits);
   v8 ones = all8(UINT32_MAX), x0 = _mm256_and_si256(first, x), y0 = _mm256_and_si256(first, y);
   v8 x1 = _mm256_or_si256(first, _mm256_xor_si256(x, ones));
   v8 y1 = _mm256_or_si256(first, _mm256_xor_si256(y, ones));
   x1 = _mm256_and_si256(add8(x1, 4), x);
   y1 = _mm256_and_si256(_mm256_add_epi32(y1, load_all8(&b->y_step)), y);
   store8(at[0], first);
   store8(at[1], _mm256_or_si256(x1, y0));
   store8(at[2], _mm256_or_si256(x0, y1));
   store8(at[3], _mm256_or_si256(x1, y1));
}

/* From positions in 1/256 of a texel. */
static ALWAYS_INLINE v8
bits_pair8(v8 px, v8 py)
{
   return _mm256_blend_epi16(_mm256_srli_epi32(px, 8), _mm256_slli_epi32(py, 8), 0xaa);
}

static ALWAYS_INLINE bool
find_bits(struct texture *x, struct mem_space *space, unsigned level, struct shape k, v8 px, v8 py,
          v8 far, struct found8 *f)
{
   const struct texture_bits *b = &x->bits[level];
   f->host = level_host(x, space, level);
   if (__builtin_expect(!f->host || !none8(_mm256_cmpgt_epi32(far, all8(FAR_BITS - 1))), 0))
      return false;
   if (!k.linear) {
      store8(f->at[0], bits_offset8(b, bits_pair8(px, py)));
      return true;
   }
   px = _mm256_sub_epi32(px, all8(128));
   py = _mm256_sub_epi32(py, all8(128));
   f->wx = and8(px, 255);
   f->wy = and8(py, 255);
   bits_around8(b, bits_pair8(px, py), (uint32_t *[]){f->at[0], f->at[1], f->at[2], f->at[3]});
   return true;
}

/* False: not for the fast path. */
static ALWAYS_INLINE bool
find_texels(struct texture *x, struct mem_space *space, unsigned level, bool minified,
            struct shape k, const struct where8 *p, struct found8 *f)
{
   struct surface_view *v = &x->level[level];
   v8 wrong = _mm256_setzero_si256(), far = wrong, at[4];
   const float *scale = x->scale[level], *rounding = x->rounding[minified];
   v8 px = position8(p->u, &scale[0], &rounding[0], p->extra[0], k.stretched, &far);
   v8 py = position8(p->v, &scale[1], &rounding[1], p->extra[1], k.stretched, &far);
   if (k.mode[0] == BITS_APART)
      return find_bits(x, space, level, k, px, py, far, f);
   struct axis8 a = axis8(px, v->width, k.mode[0], k.linear, &wrong);
   struct axis8 b = axis8(py, v->height, k.mode[1], k.linear, &wrong);
   wrong = _mm256_or_si256(wrong, _mm256_cmpgt_epi32(far, all8(FAR_BITS - 1)));
   if (__builtin_expect(!none8(wrong), 0))
      return false;
   struct slice s = slice_of(v, p->slice);
   struct view_window *w = &v->window[0];
   v8 x0 = x_part8(k.tiling, k.size_log2, s.x_el, a.i[0]),
      y0 = y_part8(k.tiling, v->pitch_B, s.row, b.i[0]), x1 = x0, y1 = y0;
   if (k.linear) {
      x1 = x_part8(k.tiling, k.size_log2, s.x_el, a.i[1]);
      y1 = y_part8(k.tiling, v->pitch_B, s.row, b.i[1]);
   }
   for (unsigned again = 0;; again++) {
      v8 start = all8(w->start), row0 = _mm256_sub_epi32(y0, start), most;
      at[0] = most = _mm256_add_epi32(x0, row0);
      if (k.linear) {
         v8 row1 = _mm256_sub_epi32(y1, start);
         at[1] = _mm256_add_epi32(x1, row0);
         at[2] = _mm256_add_epi32(x0, row1);
         at[3] = _mm256_add_epi32(x1, row1);
         most = _mm256_max_epu32(_mm256_max_epu32(at[0], at[1]), _mm256_max_epu32(at[2], at[3]));
      }
      if (__builtin_expect(in_window8(w, most), 1))
         break;
      uint32_t first = (uint32_t)_mm256_extract_epi32(_mm256_add_epi32(x0, y0), 0);
      if (again || !surface_view_look(v, space, first, false))
         return false;
   }
   for (unsigned i = 0; i < (k.linear ? 4 : 1); i++)
      store8(f->at[i], at[i]);
   f->host = w->host;
   f->wx = a.w;
   f->wy = b.w;
   return true;
}

/* What has been found is in memory, and is loaded from there. */
static ALWAYS_INLINE void
settle(struct found8 *f)
{
   __asm__ volatile("" : "+m"(*f));
}

static ALWAYS_INLINE void
filter_texels(const struct texture *x, unsigned level, struct shape k, const struct found8 *f,
              f8 out[4])
{
   const struct surface_view *v = &x->level[level];
   unsigned taps = k.linear ? 4 : 1;
   f8 byte[4];
   v8 t[4];
   if (k.floats) {
      for (unsigned i = 0; i < taps; i++)
         t[i] = load8(f->at[i]);
      float_texels(x, v, f->host, t, taps, f->wx, f->wy, out);
      return;
   }
   for (unsigned i = 0; i < taps; i++)
      t[i] = k.size_log2 == 2 ? dwords_at8(f->host, f->at[i])
                              : gather8(k.size_log2, f->host, load8(f->at[i]));
   if (k.linear)
      bilinear8(t, f->wx, f->wy, byte);
   else
      nearest8(t[0], byte);
   arrange(x, v, k.bytes, byte, out);
}

/* False: not for the fast path. */
static ALWAYS_INLINE bool
sample_once(struct texture *x, struct mem_space *space, unsigned level, bool minified,
            struct shape k, const struct where8 *p, f8 out[4])
{
   struct found8 f;
   if (!find_texels(x, space, level, minified, k, p, &f))
      return false;
   settle(&f);
   filter_texels(x, level, k, &f, out);
   return true;
}

#endif
