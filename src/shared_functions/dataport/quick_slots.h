/* Private to the fast paths of messages: slots as vectors of eight. */
#ifndef PERGOLA_DP_QUICK_SLOTS_H
#define PERGOLA_DP_QUICK_SLOTS_H

#include "machine/vector_lanes.h"
#include "shared_functions/dataport/quick_untyped.h"

/* One message on its way; regs and count are constants of each function. */
struct untyped {
   struct where w;
   const uint8_t *payload;
   v8i u[2];      /* byte offsets */
   v8i on[2];     /* all ones: the slot takes part */
   uint32_t mask; /* the same, a bit each */
};

/* Registers keep the lanes of slots that are off. */
static ALWAYS_INLINE void
put(uint8_t *reg, v8i v, v8i on)
{
   v8i_store(reg, v8i_choose(on, v, v8i_load(reg)));
}

static ALWAYS_INLINE v8i
iota(unsigned step)
{
   int s = (int)step;
   return v8i_of(0, s, 2 * s, 3 * s, 4 * s, 5 * s, 6 * s, 7 * s);
}

static ALWAYS_INLINE v8i
add8(v8i v, uint32_t n)
{
   return v8i_add(v, v8i_all(n));
}

/* Bits to lanes. */
static ALWAYS_INLINE v8i
lanes8(uint32_t bits)
{
   v8i bit = v8i_of(1, 2, 4, 8, 16, 32, 64, 128);
   return v8i_equal(v8i_and(v8i_all(bits), bit), bit);
}

/* Four rows of four dwords, twice: each half becomes its columns. */
static ALWAYS_INLINE void
transpose(v8i r[4])
{
   v8i a = v8i_low_pairs(r[0], r[1]), b = v8i_low_pairs(r[2], r[3]);
   v8i c = v8i_high_pairs(r[0], r[1]), d = v8i_high_pairs(r[2], r[3]);
   r[0] = v8i_low_halves(a, b);
   r[1] = v8i_high_halves(a, b);
   r[2] = v8i_low_halves(c, d);
   r[3] = v8i_high_halves(c, d);
}

/* ---- addresses ------------------------------------------------------------------------------- */

static ALWAYS_INLINE v8i
mul8(v8i v, uint32_t n)
{
   return v8i_mul(v, v8i_all(n));
}

static ALWAYS_INLINE v8i
and8(v8i v, uint32_t n)
{
   return v8i_and(v, v8i_all(n));
}

/* All ones where an unsigned lane is not above `last`. */
static ALWAYS_INLINE v8i
up_to8(v8i v, uint32_t last)
{
   return v8u_at_most(v, v8i_all(last));
}

/* As mem_tile_offset; the pitch is one of whole tiles. */
static ALWAYS_INLINE v8i
tile_offset8(enum mem_tiling tiling, v8i x_B, v8i row, uint32_t pitch_B)
{
   v8i inside, tile;
   switch (tiling) {
   case MEM_TILE_X: /* MEM-020 */
      inside = v8i_or(v8i_shl_by(and8(row, 7), 9), and8(x_B, 511));
      tile = v8i_shl_by(and8(x_B, ~511u), 3);
      return v8i_add(v8i_add(mul8(and8(row, ~7u), pitch_B), tile), inside);
   case MEM_TILE_Y: /* MEM-021 */
      inside = v8i_or(v8i_shl_by(and8(row, 31), 4), and8(x_B, 15));
      tile = v8i_shl_by(and8(x_B, ~15u), 5); /* columns are 512 bytes, tiles eight columns */
      return v8i_add(v8i_add(mul8(and8(row, ~31u), pitch_B), tile), inside);
   default:
      return v8i_add(mul8(row, pitch_B), x_B);
   }
}

/* Are the offsets of the slots that are on first, first + step, …? */
static ALWAYS_INLINE bool
runs(const struct untyped *m, unsigned regs, uint32_t first, unsigned step)
{
   v8i want = add8(iota(step), first);
   uint32_t same = v8i_signs(v8i_equal(m->u[0], want));
   if (regs == 2)
      same |= v8i_signs(v8i_equal(m->u[1], add8(want, 8 * step))) << 8;
   return (m->mask & ~same) == 0;
}

/* The same with all slots on. */
static ALWAYS_INLINE bool
runs_whole(const struct untyped *m, unsigned regs, uint32_t first, unsigned step)
{
   v8i want = add8(iota(step), first), other = v8i_xor(m->u[0], want);
   if (!whole(m->mask, regs))
      return false;
   if (regs == 2)
      other = v8i_or(other, v8i_xor(m->u[1], add8(want, 8 * step)));
   return v8i_none(other);
}

/* DP-221 is told by the slow path. */
static ALWAYS_INLINE bool
aligned(const struct untyped *m, unsigned regs, uint32_t exec)
{
   v8i low = v8i_and(v8i_and(m->u[0], v8i_all(3)), lanes8(exec));
   if (regs == 2)
      low = v8i_or(low, v8i_and(v8i_and(m->u[1], v8i_all(3)), lanes8(exec >> 8)));
   return v8i_none(low);
}

/* Slots of which `size` bytes lie inside, a bit each. */
static ALWAYS_INLINE uint32_t
inside(const struct untyped *m, unsigned regs, uint32_t size)
{
   if (m->w.size < size)
      return 0;
   v8i last = v8i_all((m->w.size - size));
   uint32_t in = v8i_signs(v8u_at_most(m->u[0], last));
   if (regs == 2)
      in |= v8i_signs(v8u_at_most(m->u[1], last)) << 8;
   return in;
}

static ALWAYS_INLINE v8i
nearer(v8i a, v8i b, unsigned size)
{
   return v8i_more(v8i_all(size), v8i_abs(v8i_sub(a, b)));
}

/* DP-235: may two slots that are on lie closer than `size` bytes? Slots that are off stand far
 * away. */
static ALWAYS_INLINE bool
meet(const struct untyped *m, unsigned regs, unsigned size)
{
   v8i far = add8(iota(256), 0x80000000u), bad = v8i_all(0);
   v8i a = v8i_choose(m->on[0], m->u[0], far), b = a;
   if (regs == 2)
      b = v8i_choose(m->on[1], m->u[1], add8(far, 8 * 256));
   for (unsigned n = 1; n <= 4; n++) {
      bad = v8i_or(bad, nearer(a, v8i_turned(a, n), size));
      if (regs == 2)
         bad = v8i_or(bad, nearer(b, v8i_turned(b, n), size));
   }
   for (unsigned n = 0; n < 8 && regs == 2; n++)
      bad = v8i_or(bad, nearer(a, v8i_turned(b, n), size));
   return !v8i_none(bad);
}

/* Host addresses of eight slots that are on, 0 for the others. False: one is not translated. */
static ALWAYS_INLINE bool
known8(const struct mem_space *space, v8i address, v8i on, enum mem_access access, v8l *out)
{
#ifdef __AVX2__
   v8l slots = v8i_widen(on), rest = v8u_widen(v8i_and(address, v8i_all(0xfff)));
   const v8_wide_i allowed = (int64_t)access + (v8_wide_i){0};
   v8_wide_i good = ~(v8_wide_i){0};
   for (unsigned h = 0; h < 2; h++) {
      __m128i page = (__m128i)(h ? __builtin_shufflevector(address.p[0], address.p[0], 4, 5, 6, 7)
                                 : __builtin_shufflevector(address.p[0], address.p[0], 0, 1, 2, 3));
      v8_wide_i e = (v8_wide_i)_mm256_mask_i32gather_epi64(
          _mm256_setzero_si256(), (const long long *)(const void *)space->table,
          _mm_srli_epi32(page, 12), (__m256i)slots.p[h], 8);
      good &= ((e & allowed) == allowed) | ~slots.p[h];
      out->p[h] = (e & ~(int64_t)MEM_ENTRY_FLAGS) + (rest.p[h] & slots.p[h]);
   }
   return _mm256_movemask_epi8((__m256i)good) == -1;
#else
   uint32_t slot[8], left = v8i_signs(on);
   uintptr_t host[8] = {0};
   v8i_store(slot, address);
   for (; left; left &= left - 1) {
      unsigned i = (unsigned)__builtin_ctz(left);
      host[i] = (uintptr_t)mem_known(space, slot[i], access);
      if (!host[i])
         return false;
   }
   *out = v8l_load(host);
   return true;
#endif
}

/* Host addresses of the slots that are on, 0 for the others: `size` bytes each, known to be inside.
 * False: one is not translated, or lies across two pages. */
struct places {
   v8l at[2];
};

/* Distances from a host address, of the slots that are on. */
static ALWAYS_INLINE v8l
from_host(const uint8_t *host, v8i distance, v8i on)
{
   v8l at = v8u_widen(distance), slots = v8i_widen(on);
   return V8_EACH(v8l, (at.p[k] + (int64_t)(uintptr_t)host) & slots.p[k]);
}

static ALWAYS_INLINE bool
locate(const struct untyped *m, bool slm, unsigned regs, unsigned size, enum mem_access access,
       struct places *p)
{
   v8i past = v8i_all(0);
   for (unsigned r = 0; r < regs; r++) {
      v8i address = add8(m->u[r], m->w.base);
      if (slm) {
         p->at[r] = from_host(m->w.slm, m->u[r], m->on[r]);
         continue;
      }
      if (size > 4)
         past = v8i_or(past, v8i_more(v8i_and(address, v8i_all(0xfff)), v8i_all((4096 - size))));
      past = v8i_and(v8i_or(past, v8i_asr_by(address, 31)), m->on[r]); /* MEM_SPACE_PAGES */
      if (!v8i_none(past) || !known8(m->w.space, address, m->on[r], access, &p->at[r]))
         return false;
   }
   return true;
}

static ALWAYS_INLINE void
begin(struct untyped *m, const struct eu_thread *t, const struct sf_quick *q, unsigned regs,
      uint32_t mask)
{
   m->payload = t->grf + q->payload;
   m->u[0] = v8i_load(m->payload);
   if (regs == 2)
      m->u[1] = v8i_load(m->payload + 32);
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
