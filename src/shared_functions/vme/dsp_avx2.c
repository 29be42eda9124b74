/* The table for AVX2: sixteen places of a tile are the sixteen words of a register. Compiled with
 * flags of its own; chosen by vme_dsp_select. */
#include "shared_functions/vme/vme.h"

#include <immintrin.h>
#include <string.h>

static inline __m128i
load_row(const uint8_t *p, unsigned w)
{
   if (w == 16)
      return _mm_loadu_si128((const __m128i *)p);
   if (w == 8)
      return _mm_loadl_epi64((const __m128i *)p);
   int32_t v;
   memcpy(&v, p, 4);
   return _mm_cvtsi32_si128(v);
}

/* Halved by 4x4 block. */
static uint32_t
sad(const uint8_t *src, const uint8_t *ref, unsigned stride, unsigned w, unsigned h)
{
   const __m128i ones8 = _mm_set1_epi8(1), ones16 = _mm_set1_epi16(1);
   __m128i sum = _mm_setzero_si128();
   for (unsigned y = 0; y < h; y += 4) {
      __m128i four = _mm_setzero_si128();
      for (unsigned i = 0; i < 4; i++) {
         __m128i a = load_row(src + (y + i) * 16, w), b = load_row(ref + (y + i) * stride, w);
         __m128i d = _mm_or_si128(_mm_subs_epu8(a, b), _mm_subs_epu8(b, a));
         four = _mm_add_epi16(four, _mm_maddubs_epi16(d, ones8));
      }
      sum = _mm_add_epi32(sum, _mm_srli_epi32(_mm_madd_epi16(four, ones16), 1));
   }
   sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0x4e));
   sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0xb1));
   return (uint32_t)_mm_cvtsi128_si32(sum);
}

/* One 4-row sum at one dy of the cells 0 and 2 (even) or 1 and 3 (odd) of a row of cells, eight
 * places each. */
#define ROWS(control)                                                                              \
   do {                                                                                            \
      acc = _mm256_setzero_si256();                                                                \
      for (unsigned r = 0; r < 4; r++) {                                                           \
         const uint8_t *row = ref + (4 * cy + dy + r) * stride;                                    \
         __m256i a = _mm256_inserti128_si256(                                                      \
             _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)row)),                        \
             _mm_loadu_si128((const __m128i *)(row + 8)), 1);                                      \
         __m256i s = _mm256_broadcastsi128_si256(                                                  \
             _mm_loadu_si128((const __m128i *)(src + (4 * cy + r) * 16)));                         \
         acc = _mm256_add_epi16(acc, _mm256_mpsadbw_epu8(a, s, control));                          \
      }                                                                                            \
      acc = _mm256_srli_epi16(acc, 1);                                                             \
   } while (0)

/* Four rows of places of two cells: each gets its tile on the left and on the right. */
static inline void
spread(const __m256i v[4], unsigned left_cell, unsigned right_cell, vme_tile out[2])
{
   __m256i l0 = _mm256_unpacklo_epi64(v[0], v[1]), l1 = _mm256_unpacklo_epi64(v[2], v[3]);
   __m256i r0 = _mm256_unpackhi_epi64(v[0], v[1]), r1 = _mm256_unpackhi_epi64(v[2], v[3]);
   _mm256_storeu_si256((__m256i *)out[0][left_cell], _mm256_permute2x128_si256(l0, l1, 0x20));
   _mm256_storeu_si256((__m256i *)out[0][right_cell], _mm256_permute2x128_si256(l0, l1, 0x31));
   _mm256_storeu_si256((__m256i *)out[1][left_cell], _mm256_permute2x128_si256(r0, r1, 0x20));
   _mm256_storeu_si256((__m256i *)out[1][right_cell], _mm256_permute2x128_si256(r0, r1, 0x31));
}

/* The low half holds the columns from 0, the high half those from 8: a control takes its block of
 * the source and its place in the reference for each half. */
static void
sad_tiles(const uint8_t *src, const uint8_t *ref, unsigned stride, unsigned cells, vme_tile out[2])
{
   static const uint8_t at[4][4] = {{0, 1, 4, 5}, {2, 3, 6, 7}, {8, 9, 12, 13}, {10, 11, 14, 15}};
   for (unsigned cy = 0; cy < (cells == 16 ? 4 : 2); cy++) {
      __m256i even[4], odd[4], acc;
      for (unsigned dy = 0; dy < 4; dy++) {
         ROWS(0 | 2 << 3);
         even[dy] = acc;
         ROWS(1 | 1 << 2 | (3 | 1 << 2) << 3);
         odd[dy] = acc;
      }
      spread(even, at[cy][0], at[cy][2], out);
      spread(odd, at[cy][1], at[cy][3], out);
   }
}

/* ---- Haar: the sixteen places of a tile at once ---- */

static inline __m256i
pixel_at_places(const uint8_t *ref, unsigned stride)
{
   int32_t row[4];
   for (unsigned i = 0; i < 4; i++)
      memcpy(&row[i], ref + i * stride, 4);
   return _mm256_cvtepu8_epi16(_mm_setr_epi32(row[0], row[1], row[2], row[3]));
}

/* The sum of the absolute values of 16 differences after the transform, halved. Every partial sum
 * is at most 7650. */
static inline __m256i
haar_places(const uint8_t *src, const uint8_t *ref, unsigned stride)
{
   __m256i t[8], s[4], sum = _mm256_setzero_si256();
   for (unsigned i = 0; i < 8; i++) {
      unsigned y = i / 2, x = i % 2 * 2;
      const uint8_t *p = ref + y * stride + x;
      __m256i a = _mm256_sub_epi16(pixel_at_places(p, stride), _mm256_set1_epi16(src[y * 16 + x]));
      __m256i b =
          _mm256_sub_epi16(pixel_at_places(p + 1, stride), _mm256_set1_epi16(src[y * 16 + x + 1]));
      sum = _mm256_add_epi16(sum, _mm256_abs_epi16(_mm256_sub_epi16(a, b)));
      t[i] = _mm256_add_epi16(a, b);
   }
   for (unsigned i = 0; i < 4; i++) {
      __m256i a = t[i / 2 * 4 + i % 2], b = t[i / 2 * 4 + i % 2 + 2];
      sum = _mm256_add_epi16(sum, _mm256_abs_epi16(_mm256_sub_epi16(a, b)));
      s[i] = _mm256_add_epi16(a, b);
   }
   __m256i upper = _mm256_add_epi16(s[0], s[1]), lower = _mm256_add_epi16(s[2], s[3]);
   sum = _mm256_add_epi16(sum, _mm256_abs_epi16(_mm256_sub_epi16(s[0], s[1])));
   sum = _mm256_add_epi16(sum, _mm256_abs_epi16(_mm256_sub_epi16(s[2], s[3])));
   sum = _mm256_add_epi16(sum, _mm256_abs_epi16(_mm256_add_epi16(upper, lower)));
   sum = _mm256_add_epi16(sum, _mm256_abs_epi16(_mm256_sub_epi16(upper, lower)));
   return _mm256_srli_epi16(sum, 1);
}

static void
haar_tiles(const uint8_t *src, const uint8_t *ref, unsigned stride, unsigned cells, vme_tile out[2])
{
   for (unsigned c = 0; c < cells; c++) {
      unsigned x = 4 * vme_cell_x(c), y = 4 * vme_cell_y(c);
      for (unsigned side = 0; side < 2; side++)
         _mm256_storeu_si256(
             (__m256i *)out[side][c],
             haar_places(src + y * 16 + x, ref + y * stride + x + 4 * side, stride));
   }
}

/* ---- records ---- */

static inline void
keep(struct vme_lanes *l, unsigned block, __m256i cost, __m256i extra, __m256i order)
{
   __m256i *best = (__m256i *)l->cost[block], *when = (__m256i *)l->order[block];
   __m256i old = _mm256_load_si256(best);
   __m256i low = _mm256_min_epu16(_mm256_adds_epu16(cost, extra), old);
   __m256i same = _mm256_cmpeq_epi16(low, old);
   _mm256_store_si256(best, low);
   _mm256_store_si256(when, _mm256_blendv_epi8(order, _mm256_load_si256(when), same));
}

/* Columns in turn, a row four times. */
static inline __m256i
vector_costs(const uint16_t across[4], const uint16_t down[4])
{
   const __m256i spread_rows = _mm256_setr_epi8(0, 1, 0, 1, 0, 1, 0, 1, 2, 3, 2, 3, 2, 3, 2, 3, 4,
                                                5, 4, 5, 4, 5, 4, 5, 6, 7, 6, 7, 6, 7, 6, 7);
   int64_t x, y;
   memcpy(&x, across, 8);
   memcpy(&y, down, 8);
   return _mm256_add_epi16(_mm256_set1_epi64x(x),
                           _mm256_shuffle_epi8(_mm256_set1_epi64x(y), spread_rows));
}

static void
update(struct vme_lanes *l, const vme_tile tile, unsigned cells, bool minors,
       const uint16_t across[4], const uint16_t down[4], unsigned order)
{
   __m256i e = vector_costs(across, down), o = _mm256_set1_epi16((short)order);
   __m256i q[4];
   for (unsigned k = 0; k < cells / 4; k++) {
      __m256i c[4];
      for (unsigned i = 0; i < 4; i++)
         c[i] = _mm256_loadu_si256((const __m256i *)tile[4 * k + i]);
      __m256i top = _mm256_add_epi16(c[0], c[1]), bottom = _mm256_add_epi16(c[2], c[3]);
      if (minors) {
         for (unsigned i = 0; i < 4; i++)
            keep(l, VME_AT_4X4 + 4 * k + i, c[i], e, o);
         keep(l, VME_AT_8X4 + 2 * k, top, e, o);
         keep(l, VME_AT_8X4 + 2 * k + 1, bottom, e, o);
         keep(l, VME_AT_4X8 + 2 * k, _mm256_add_epi16(c[0], c[2]), e, o);
         keep(l, VME_AT_4X8 + 2 * k + 1, _mm256_add_epi16(c[1], c[3]), e, o);
      }
      q[k] = _mm256_add_epi16(top, bottom);
      keep(l, VME_AT_8X8 + k, q[k], e, o);
   }
   if (cells < 8)
      return;
   __m256i upper = _mm256_add_epi16(q[0], q[1]);
   keep(l, VME_AT_16X8, upper, e, o);
   if (cells < 16)
      return;
   __m256i lower = _mm256_add_epi16(q[2], q[3]);
   keep(l, VME_AT_16X8 + 1, lower, e, o);
   keep(l, VME_AT_8X16, _mm256_add_epi16(q[0], q[2]), e, o);
   keep(l, VME_AT_8X16 + 1, _mm256_add_epi16(q[1], q[3]), e, o);
   keep(l, VME_AT_16X16, _mm256_add_epi16(upper, lower), e, o);
}

static uint16_t
lowest(const uint16_t cost[16], unsigned *lanes)
{
   __m128i a = _mm_load_si128((const __m128i *)cost), b = _mm_load_si128((const __m128i *)cost + 1);
   int best = _mm_cvtsi128_si32(_mm_minpos_epu16(_mm_min_epu16(a, b))) & 0xffff;
   __m128i want = _mm_set1_epi16((short)best);
   *lanes = (unsigned)_mm_movemask_epi8(
       _mm_packs_epi16(_mm_cmpeq_epi16(a, want), _mm_cmpeq_epi16(b, want)));
   return (uint16_t)best;
}

/* ---- interpolation ---- */

struct filter {
   __m256i first, second, round;
   __m128i shift;
};

static inline struct filter
filter_of(const struct vme_taps *t)
{
   struct filter f;
   f.first = _mm256_set1_epi16((short)((uint8_t)t->tap[0] | (uint8_t)t->tap[1] << 8));
   f.second = _mm256_set1_epi16((short)((uint8_t)t->tap[2] | (uint8_t)t->tap[3] << 8));
   f.round = _mm256_set1_epi16((short)(1 << t->shift >> 1));
   f.shift = _mm_cvtsi32_si128(t->shift);
   return f;
}

static inline __m128i
apply(const struct filter *f, __m128i a, __m128i b, __m128i c, __m128i d)
{
   __m256i ab = _mm256_set_m128i(_mm_unpackhi_epi8(a, b), _mm_unpacklo_epi8(a, b));
   __m256i cd = _mm256_set_m128i(_mm_unpackhi_epi8(c, d), _mm_unpacklo_epi8(c, d));
   __m256i sum =
       _mm256_add_epi16(_mm256_maddubs_epi16(ab, f->first), _mm256_maddubs_epi16(cd, f->second));
   sum = _mm256_sra_epi16(_mm256_add_epi16(sum, f->round), f->shift);
   return _mm_packus_epi16(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
}

static inline void
store_row(uint8_t *out, unsigned w, __m128i v)
{
   if (w == 16) {
      _mm_storeu_si128((__m128i *)out, v);
   } else if (w == 8) {
      _mm_storel_epi64((__m128i *)out, v);
   } else {
      int32_t four = _mm_cvtsi128_si32(v);
      memcpy(out, &four, 4);
   }
}

static inline __m128i
load16(const uint8_t *p)
{
   return _mm_loadu_si128((const __m128i *)p);
}

static void
predict(const uint8_t *px, unsigned stride, unsigned fx, unsigned fy, bool bilinear, unsigned w,
        unsigned h, uint8_t *out)
{
   struct filter across = filter_of(&vme_taps[bilinear][fx]),
                 down = filter_of(&vme_taps[bilinear][fy]);
   __m128i rows[19];
   unsigned first = fy ? 0 : 1, end = fy ? h + 3 : h + 1;
   for (unsigned i = first; i < end; i++) {
      const uint8_t *p = px + ((int)i - 1) * (int)stride;
      rows[i] =
          fx ? apply(&across, load16(p - 1), load16(p), load16(p + 1), load16(p + 2)) : load16(p);
   }
   for (unsigned i = 0; i < h; i++)
      store_row(out + i * 16, w,
                fy ? apply(&down, rows[i], rows[i + 1], rows[i + 2], rows[i + 3]) : rows[i + 1]);
}

/* ---- three places below each other, in words ---- */

struct wide_filter {
   __m256i first, second, outer, round;
   __m128i shift;
};

/* The outer taps are alike: -1, or 0. */
static inline struct wide_filter
wide_filter_of(const struct vme_taps *t)
{
   return (struct wide_filter){_mm256_set1_epi16(t->tap[1]), _mm256_set1_epi16(t->tap[2]),
                               _mm256_set1_epi16(t->tap[0] ? -1 : 0),
                               _mm256_set1_epi16((short)(1 << t->shift >> 1)),
                               _mm_cvtsi32_si128(t->shift)};
}

static inline __m256i
apply_wide(const struct wide_filter *f, __m256i a, __m256i b, __m256i c, __m256i d)
{
   __m256i outer = _mm256_and_si256(_mm256_add_epi16(a, d), f->outer);
   __m256i inner =
       _mm256_add_epi16(_mm256_mullo_epi16(b, f->first), _mm256_mullo_epi16(c, f->second));
   __m256i sum = _mm256_add_epi16(_mm256_sub_epi16(inner, outer), f->round);
   sum = _mm256_sra_epi16(sum, f->shift);
   return _mm256_min_epi16(_mm256_max_epi16(sum, _mm256_setzero_si256()), _mm256_set1_epi16(255));
}

/* The 16 pixels of a row; or, for blocks of at most eight columns, eight of the row and eight of
 * the one `apart` bytes below it. */
static inline __m256i
load_wide(const uint8_t *p, unsigned apart)
{
   if (!apart)
      return _mm256_cvtepu8_epi16(load16(p));
   return _mm256_cvtepu8_epi16(_mm_unpacklo_epi64(_mm_loadl_epi64((const __m128i *)p),
                                                  _mm_loadl_epi64((const __m128i *)(p + apart))));
}

/* Sums of four words, halved, all together: a 4x4 each. */
static inline __m256i
halve_cells(__m256i four)
{
   __m256i pairs = _mm256_madd_epi16(four, _mm256_set1_epi16(1));
   __m256i cells = _mm256_add_epi32(pairs, _mm256_srli_epi64(pairs, 32));
   return _mm256_and_si256(_mm256_srli_epi32(cells, 1), _mm256_set1_epi64x(0xffffffff));
}

/* rows: from the one before the block on. */
static inline uint32_t
sad_of_rows(const __m256i *src, const __m256i *rows, const struct wide_filter *f, __m256i columns,
            unsigned h)
{
   __m256i sum = _mm256_setzero_si256();
   for (unsigned y = 0; y < h; y += 4) {
      __m256i four = _mm256_setzero_si256();
      for (unsigned i = y; i < y + 4; i++) {
         __m256i p =
             f ? apply_wide(f, rows[i], rows[i + 1], rows[i + 2], rows[i + 3]) : rows[i + 1];
         four = _mm256_add_epi16(four, _mm256_abs_epi16(_mm256_sub_epi16(p, src[i])));
      }
      sum = _mm256_add_epi64(sum, halve_cells(_mm256_and_si256(four, columns)));
   }
   __m128i two = _mm_add_epi64(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
   return (uint32_t)(_mm_cvtsi128_si64(two) + _mm_extract_epi64(two, 1));
}

/* A block of eight rows and at most eight columns is done as its upper and its lower half, beside
 * each other. */
static void
sad_column(const uint8_t *src, const uint8_t *px, unsigned stride, unsigned fx, const int y[3],
           unsigned wanted, bool bilinear, unsigned w, unsigned h, uint32_t out[3])
{
   static const uint16_t masks[2][32] = {{[0 ... 15] = 0xffff}, {[0 ... 7] = 0xffff}};
   bool halves = w <= 8 && h >= 8;
   unsigned most = halves ? 8 : 16, rest = halves ? h / 2 : h;
   struct wide_filter across = wide_filter_of(&vme_taps[bilinear][fx]);
   __m256i rows[24], wide[16], columns;
   columns = _mm256_loadu_si256((const __m256i *)(masks[halves] + most - w)); /* the first w */
   if (halves)
      columns = _mm256_permute2x128_si256(columns, columns, 0);
   int low = 8, high = -8;
   for (unsigned i = 0; i < 3; i++)
      if (wanted >> i & 1) {
         low = y[i] >> 2 < low ? y[i] >> 2 : low;
         high = y[i] >> 2 > high ? y[i] >> 2 : high;
      }
   unsigned apart = halves ? rest * stride : 0;
   for (int i = 0; i < high - low + (int)rest + 3; i++) {
      const uint8_t *p = px + (low - 1 + i) * (int)stride;
      rows[i] = fx ? apply_wide(&across, load_wide(p - 1, apart), load_wide(p, apart),
                                load_wide(p + 1, apart), load_wide(p + 2, apart))
                   : load_wide(p, apart);
   }
   for (unsigned i = 0; i < rest; i++)
      wide[i] = load_wide(src + i * 16, halves ? rest * 16 : 0);
   for (unsigned i = 0; i < 3; i++) {
      struct wide_filter down = wide_filter_of(&vme_taps[bilinear][y[i] & 3]);
      if (wanted >> i & 1)
         out[i] =
             sad_of_rows(wide, rows + ((y[i] >> 2) - low), y[i] & 3 ? &down : NULL, columns, rest);
   }
}

static void
haar_column(const uint8_t *src, const uint8_t *px, unsigned stride, unsigned fx, const int y[3],
            unsigned wanted, bool bilinear, unsigned w, unsigned h, uint32_t out[3])
{
   for (unsigned i = 0; i < 3; i++) {
      uint8_t pred[16 * 16];
      if (!(wanted >> i & 1))
         continue;
      predict(px + (y[i] >> 2) * (int)stride, stride, fx, (unsigned)y[i] & 3, bilinear, w, h, pred);
      out[i] = vme_dsp_c.distortion[1](src, pred, 16, w, h);
   }
}

static uint32_t
haar(const uint8_t *src, const uint8_t *ref, unsigned stride, unsigned w, unsigned h)
{
   return vme_dsp_c.distortion[1](src, ref, stride, w, h);
}

const struct vme_dsp vme_dsp_avx2 = {
    .name = "AVX2",
    .distortion = {sad, haar},
    .tiles = {sad_tiles, haar_tiles},
    .update = update,
    .lowest = lowest,
    .predict = predict,
    .column = {sad_column, haar_column},
};
