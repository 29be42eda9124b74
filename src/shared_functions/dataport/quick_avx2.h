/* Private to the fast paths of untyped messages: slots as vectors of eight. */
#ifndef PERGOLA_DP_QUICK_AVX2_H
#define PERGOLA_DP_QUICK_AVX2_H

#include "shared_functions/dataport/quick_untyped.h"

#include <immintrin.h>

typedef __m256i v8;

/* One message on its way; regs and count are constants of each function. */
struct untyped {
   struct where w;
   const uint8_t *payload;
   v8 u[2];       /* byte offsets */
   v8 on[2];      /* all ones: the slot takes part */
   uint32_t mask; /* the same, a bit each */
};

static ALWAYS_INLINE v8
load8(const void *p)
{
   return _mm256_loadu_si256(p);
}

static ALWAYS_INLINE void
store8(void *p, v8 v)
{
   _mm256_storeu_si256(p, v);
}

/* Twice 16 bytes. */
static ALWAYS_INLINE v8
slots8(const void *low, const void *high)
{
   return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(low)),
                                  _mm_loadu_si128(high), 1);
}

/* Registers keep the lanes of slots that are off. */
static ALWAYS_INLINE void
put(uint8_t *reg, v8 v, v8 on)
{
   store8(reg, _mm256_blendv_epi8(load8(reg), v, on));
}

static ALWAYS_INLINE v8
iota(unsigned step)
{
   int s = (int)step;
   return _mm256_setr_epi32(0, s, 2 * s, 3 * s, 4 * s, 5 * s, 6 * s, 7 * s);
}

static ALWAYS_INLINE v8
add8(v8 v, uint32_t n)
{
   return _mm256_add_epi32(v, _mm256_set1_epi32((int)n));
}

static ALWAYS_INLINE uint32_t
bits8(v8 v)
{
   return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(v));
}

/* Bits to lanes. */
static ALWAYS_INLINE v8
lanes8(uint32_t bits)
{
   v8 bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
   return _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)bits), bit), bit);
}

/* Four rows of four dwords, twice: each half becomes its columns. */
static ALWAYS_INLINE void
transpose(v8 r[4])
{
   v8 a = _mm256_unpacklo_epi32(r[0], r[1]), b = _mm256_unpacklo_epi32(r[2], r[3]);
   v8 c = _mm256_unpackhi_epi32(r[0], r[1]), d = _mm256_unpackhi_epi32(r[2], r[3]);
   r[0] = _mm256_unpacklo_epi64(a, b);
   r[1] = _mm256_unpackhi_epi64(a, b);
   r[2] = _mm256_unpacklo_epi64(c, d);
   r[3] = _mm256_unpackhi_epi64(c, d);
}

/* ---- addresses ------------------------------------------------------------------------------- */

static ALWAYS_INLINE v8
mul8(v8 v, uint32_t n)
{
   return _mm256_mullo_epi32(v, _mm256_set1_epi32((int)n));
}

static ALWAYS_INLINE v8
and8(v8 v, uint32_t n)
{
   return _mm256_and_si256(v, _mm256_set1_epi32((int)n));
}

/* All ones where an unsigned lane is not above `last`. */
static ALWAYS_INLINE v8
up_to8(v8 v, uint32_t last)
{
   return _mm256_cmpeq_epi32(_mm256_min_epu32(v, _mm256_set1_epi32((int)last)), v);
}

/* As mem_tile_offset; the pitch is one of whole tiles. */
static ALWAYS_INLINE v8
tile_offset8(enum mem_tiling tiling, v8 x_B, v8 row, uint32_t pitch_B)
{
   v8 inside, tile;
   switch (tiling) {
   case MEM_TILE_X: /* MEM-020 */
      inside = _mm256_or_si256(_mm256_slli_epi32(and8(row, 7), 9), and8(x_B, 511));
      tile = _mm256_slli_epi32(and8(x_B, ~511u), 3);
      return _mm256_add_epi32(_mm256_add_epi32(mul8(and8(row, ~7u), pitch_B), tile), inside);
   case MEM_TILE_Y: /* MEM-021 */
      inside = _mm256_or_si256(_mm256_slli_epi32(and8(row, 31), 4), and8(x_B, 15));
      tile = _mm256_slli_epi32(and8(x_B, ~15u), 5); /* columns are 512 bytes, tiles eight columns */
      return _mm256_add_epi32(_mm256_add_epi32(mul8(and8(row, ~31u), pitch_B), tile), inside);
   default:
      return _mm256_add_epi32(mul8(row, pitch_B), x_B);
   }
}

/* Are the offsets of the slots that are on first, first + step, …? */
static ALWAYS_INLINE bool
runs(const struct untyped *m, unsigned regs, uint32_t first, unsigned step)
{
   v8 want = add8(iota(step), first);
   uint32_t same = bits8(_mm256_cmpeq_epi32(m->u[0], want));
   if (regs == 2)
      same |= bits8(_mm256_cmpeq_epi32(m->u[1], add8(want, 8 * step))) << 8;
   return (m->mask & ~same) == 0;
}

/* The same with all slots on. */
static ALWAYS_INLINE bool
runs_whole(const struct untyped *m, unsigned regs, uint32_t first, unsigned step)
{
   v8 want = add8(iota(step), first), other = _mm256_xor_si256(m->u[0], want);
   if (!whole(m->mask, regs))
      return false;
   if (regs == 2)
      other = _mm256_or_si256(other, _mm256_xor_si256(m->u[1], add8(want, 8 * step)));
   return _mm256_testz_si256(other, other);
}

/* DP-221 is told by the slow path. */
static ALWAYS_INLINE bool
aligned(const struct untyped *m, unsigned regs, uint32_t exec)
{
   v8 low = _mm256_and_si256(_mm256_and_si256(m->u[0], _mm256_set1_epi32(3)), lanes8(exec));
   if (regs == 2)
      low = _mm256_or_si256(low, _mm256_and_si256(_mm256_and_si256(m->u[1], _mm256_set1_epi32(3)),
                                                  lanes8(exec >> 8)));
   return _mm256_testz_si256(low, low);
}

/* Slots of which `size` bytes lie inside, a bit each. */
static ALWAYS_INLINE uint32_t
inside(const struct untyped *m, unsigned regs, uint32_t size)
{
   if (m->w.size < size)
      return 0;
   v8 last = _mm256_set1_epi32((int)(m->w.size - size));
   uint32_t in = bits8(_mm256_cmpeq_epi32(_mm256_min_epu32(m->u[0], last), m->u[0]));
   if (regs == 2)
      in |= bits8(_mm256_cmpeq_epi32(_mm256_min_epu32(m->u[1], last), m->u[1])) << 8;
   return in;
}

static ALWAYS_INLINE v8
turn(v8 v, int n)
{
   return _mm256_permutevar8x32_epi32(v, add8(iota(1), (uint32_t)n));
}

static ALWAYS_INLINE v8
nearer(v8 a, v8 b, unsigned size)
{
   return _mm256_cmpgt_epi32(_mm256_set1_epi32((int)size),
                             _mm256_abs_epi32(_mm256_sub_epi32(a, b)));
}

/* DP-235: may two slots that are on lie closer than `size` bytes? Slots that are off stand far
 * away. */
static ALWAYS_INLINE bool
meet(const struct untyped *m, unsigned regs, unsigned size)
{
   v8 far = add8(iota(256), 0x80000000u), bad = _mm256_setzero_si256();
   v8 a = _mm256_blendv_epi8(far, m->u[0], m->on[0]), b = a;
   if (regs == 2)
      b = _mm256_blendv_epi8(add8(far, 8 * 256), m->u[1], m->on[1]);
   for (int n = 1; n <= 4; n++) {
      bad = _mm256_or_si256(bad, nearer(a, turn(a, n), size));
      if (regs == 2)
         bad = _mm256_or_si256(bad, nearer(b, turn(b, n), size));
   }
   for (int n = 0; n < 8 && regs == 2; n++)
      bad = _mm256_or_si256(bad, nearer(a, turn(b, n), size));
   return !_mm256_testz_si256(bad, bad);
}

static ALWAYS_INLINE __m128i
half8(v8 v, unsigned half)
{
   return half ? _mm256_extracti128_si256(v, 1) : _mm256_castsi256_si128(v);
}

/* Four translations that are known already, of the slots that are on. *good: cleared when one is
 * not. */
static ALWAYS_INLINE v8
known4(const struct mem_space *space, __m128i address, v8 on, enum mem_access access, v8 *good)
{
   v8 allowed = _mm256_set1_epi64x((long long)access);
   v8 e = _mm256_mask_i32gather_epi64(_mm256_setzero_si256(),
                                      (const long long *)(const void *)space->table,
                                      _mm_srli_epi32(address, 12), on, 8);
   *good = _mm256_and_si256(
       *good, _mm256_or_si256(_mm256_cmpeq_epi64(_mm256_and_si256(e, allowed), allowed),
                              _mm256_xor_si256(on, _mm256_set1_epi64x(-1))));
   v8 page = _mm256_andnot_si256(_mm256_set1_epi64x(MEM_ENTRY_FLAGS), e);
   v8 rest = _mm256_cvtepu32_epi64(_mm_and_si128(address, _mm_set1_epi32(0xfff)));
   return _mm256_add_epi64(page, _mm256_and_si256(rest, on));
}

/* Host addresses of the slots that are on, 0 for the others: `size` bytes each, known to be inside.
 * False: one is not translated, or lies across two pages. */
struct places {
   v8 at[4];
};

static ALWAYS_INLINE bool
locate(const struct untyped *m, bool slm, unsigned regs, unsigned size, enum mem_access access,
       struct places *p)
{
   v8 good = _mm256_set1_epi64x(-1), past = _mm256_setzero_si256();
   for (unsigned r = 0; r < regs; r++) {
      v8 address = add8(m->u[r], m->w.base);
      if (!slm && size > 4) {
         v8 rest = _mm256_and_si256(address, _mm256_set1_epi32(0xfff));
         past =
             _mm256_or_si256(past, _mm256_cmpgt_epi32(rest, _mm256_set1_epi32((int)(4096 - size))));
      }
      if (!slm) /* MEM_SPACE_PAGES */
         past = _mm256_and_si256(_mm256_or_si256(past, _mm256_srai_epi32(address, 31)), m->on[r]);
      if (!_mm256_testz_si256(past, past))
         return false;
      for (unsigned h = 0; h < 2; h++) {
         v8 on = _mm256_cvtepi32_epi64(half8(m->on[r], h));
         v8 flat = _mm256_add_epi64(_mm256_cvtepu32_epi64(half8(m->u[r], h)),
                                    _mm256_set1_epi64x((long long)m->w.slm));
         p->at[2 * r + h] = slm ? _mm256_and_si256(flat, on)
                                : known4(m->w.space, half8(address, h), on, access, &good);
      }
   }
   return (uint32_t)_mm256_movemask_epi8(good) == UINT32_MAX;
}

static ALWAYS_INLINE void
begin(struct untyped *m, const struct eu_thread *t, const struct sf_quick *q, unsigned regs,
      uint32_t mask)
{
   m->payload = t->grf + q->payload;
   m->u[0] = load8(m->payload);
   if (regs == 2)
      m->u[1] = load8(m->payload + 32);
   m->mask = mask & (regs == 2 ? 0xffffu : 0xffu);
}

/* Also after the mask has changed. */
static ALWAYS_INLINE void
spread_mask(struct untyped *m, unsigned regs)
{
   m->on[0] = lanes8(m->mask);
   m->on[1] = regs == 2 ? lanes8(m->mask >> 8) : m->on[0];
}

#endif
