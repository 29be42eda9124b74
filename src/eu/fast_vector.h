/* Private to src/eu: sources, masks and destinations of the fast paths, eight channels in a vector.
 */
#ifndef PERGOLA_EU_FAST_VECTOR_H
#define PERGOLA_EU_FAST_VECTOR_H

#include "eu/fast.h"
#include "machine/vector.h"

#define INLINE static inline __attribute__((always_inline))

/* Every way to reach a source is known when the function is made, or (FAST_ANY) looked up. */
#define FAST_ANY 0xff

/* Offsets of operands are from the GRF's start; flags and accumulators lie behind it. */
INLINE uint8_t *
place(const struct eu_thread *t, unsigned offset)
{
   return (uint8_t *)(uintptr_t)t + offsetof(struct eu_thread, grf) + offset;
}

/* ---- sources -------------------------------------------------------------------------------- */

/* Any alignment: an operand may start at any byte. */
INLINE int32_t
load32(const uint8_t *p)
{
   int32_t v;
   __builtin_memcpy(&v, p, 4);
   return v;
}

INLINE uint16_t
load16(const uint8_t *p)
{
   uint16_t v;
   __builtin_memcpy(&v, p, 2);
   return v;
}

/* The low part of dwords, signed or not. */
INLINE v8i
low_part(v8i v, int bits, bool is_signed)
{
   v = v8i_shl_by(v, 32 - bits);
   return is_signed ? v8i_asr_by(v, 32 - bits) : v8i_shr_by(v, 32 - bits);
}

static inline v8i
load_any(const struct eu_thread *t, const struct eu_op *op, unsigned n, unsigned half)
{
   const uint8_t *p = place(t, op->src[n][half]);
   v8i index = v8i_load(op->vec[n]);
   switch (op->kind[n]) {
   case FAST_VECTOR:
      return v8i_load(p);
   case FAST_SCALAR:
      return v8i_all(load32(p));
   case FAST_CONST:
      return index;
   case FAST_PERMUTE:
      return v8i_permute(p, index);
   case FAST_PERMUTE2:
      return v8i_choose_by_sign(index, v8i_permute(p + 32, index), v8i_permute(p, index));
   case FAST_WORDS:
      return v8i_load_words(p);
   case FAST_UWORDS:
      return v8i_load_uwords(p);
   case FAST_BYTES:
      return v8i_load_bytes(p);
   case FAST_UBYTES:
      return v8i_load_ubytes(p);
   case FAST_WORD1:
      return v8i_all((int16_t)load16(p));
   case FAST_UWORD1:
      return v8i_all(load16(p));
   case FAST_BYTE1:
      return v8i_all(*(const int8_t *)p);
   case FAST_UBYTE1:
      return v8i_all(*p);
   case FAST_LOW_W:
      return low_part(v8i_load(p), 16, true);
   case FAST_LOW_UW:
      return low_part(v8i_load(p), 16, false);
   case FAST_LOW_B:
      return low_part(v8i_load(p), 8, true);
   case FAST_LOW_UB:
      return low_part(v8i_load(p), 8, false);
   case FAST_NEAR_U:
      return v8i_near(p, index);
   case FAST_NEAR_W:
      return v8i_asr_by(v8i_near(p, index), 16);
   case FAST_NEAR_B:
      return v8i_asr_by(v8i_near(p, index), 24);
   case FAST_ACC:
      return v8l_dwords(v8l_load(p), false);
   }
   v8i v = v8i_gather(p, index);
   switch (op->kind[n]) {
   case FAST_GATHER_W:
      return low_part(v, 16, true);
   case FAST_GATHER_UW:
      return low_part(v, 16, false);
   case FAST_GATHER_B:
      return low_part(v, 8, true);
   case FAST_GATHER_UB:
      return low_part(v, 8, false);
   default:
      return v;
   }
}

INLINE v8i
load(const struct eu_thread *t, const struct eu_op *op, unsigned n, unsigned half, unsigned kind)
{
   const uint8_t *p = place(t, op->src[n][half]);
   switch (kind) {
   case FAST_VECTOR:
      return v8i_load(p);
   case FAST_SCALAR:
      return v8i_all(load32(p));
   case FAST_CONST:
      return v8i_load(op->vec[n]);
   default:
      return load_any(t, op, n, half);
   }
}

INLINE v8f
load_float(const struct eu_thread *t, const struct eu_op *op, unsigned n, unsigned half,
           unsigned kind)
{
   v8i v = load(t, op, n, half, kind);
   if (kind == FAST_ANY) {
      if (op->modifier[n] & FAST_ABS)
         v = v8i_and(v, v8i_all(INT32_MAX));
      if (op->modifier[n] & FAST_NEGATE)
         v = v8i_xor(v, v8i_all(INT32_MIN));
   }
   return v8_as_float(v);
}

INLINE v8i
load_int(const struct eu_thread *t, const struct eu_op *op, unsigned n, unsigned half,
         unsigned kind)
{
   v8i v = load(t, op, n, half, kind);
   if (kind == FAST_ANY) {
      if (op->modifier[n] & FAST_ABS)
         v = v8i_abs(v);
      if (op->modifier[n] & FAST_NEGATE)
         v = v8i_sub(v8i_all(0), v);
   }
   return v;
}

/* ---- masks ---------------------------------------------------------------------------------- */

INLINE uint32_t
predicate_bits(const struct eu_thread *t, const struct eu_op *op)
{
   if (op->predicate == 1) {
      uint32_t f = t->flag[op->flag_reg] >> op->flag_shift;
      return op->d->predicate_inverse ? ~f : f;
   }
   return eu_predicate(t, op->d);
}

INLINE uint32_t
enabled(const struct eu_thread *t, const struct eu_op *op)
{
   return (t->active >> op->group | op->no_mask) & op->channels;
}

INLINE uint32_t
write_mask(const struct eu_thread *t, const struct eu_op *op)
{
   uint32_t m = enabled(t, op);
   if (op->predicate)
      m &= predicate_bits(t, op);
   return m;
}

/* ---- destinations --------------------------------------------------------------------------- */

static inline void
store_words(uint8_t *p, v8i v, uint32_t m)
{
   if ((m & 0xff) == 0xff) {
      v8i_store_words(p, v);
      return;
   }
   uint16_t out[8];
   v8i_store_words(out, v);
   for (; m; m &= m - 1) {
      unsigned c = (unsigned)__builtin_ctz(m);
      __builtin_memcpy(p + c * 2, &out[c], 2);
   }
}

static inline void
store_low_words(uint8_t *p, v8i v, uint32_t m)
{
   v8i low = v8i_shr_by(v8i_whole_mask(m), 16), old = v8i_load(p);
   v8i_store(p, v8i_or(v8i_and(v, low), v8i_and(old, v8i_not(low))));
}

static inline void
store_strided(struct eu_thread *t, const struct eu_op *op, unsigned half, v8i v, uint32_t m)
{
   const uint16_t *at = op->d->dst.offset + half * 8;
   unsigned size = op->dst_kind == FAST_TO_STRIDED_D   ? 4
                   : op->dst_kind == FAST_TO_STRIDED_W ? 2
                                                       : 1;
   uint32_t out[8];
   v8i_store(out, v);
   for (; m; m &= m - 1) {
      unsigned c = (unsigned)__builtin_ctz(m);
      if (size == 4)
         __builtin_memcpy(t->grf + at[c], &out[c], 4);
      else if (size == 2)
         __builtin_memcpy(t->grf + at[c], &out[c], 2);
      else
         t->grf[at[c]] = (uint8_t)out[c];
   }
}

/* `plain`: struct eu_op.plain, if that is known. */
INLINE void
store(struct eu_thread *t, const struct eu_op *op, unsigned half, v8i v, uint32_t m, bool plain)
{
   uint8_t *p = place(t, op->dst[half]);
   if (plain || __builtin_expect(op->dst_kind == FAST_TO_DWORDS, 1)) {
      if (__builtin_expect((m & 0xff) == 0xff, 1))
         v8i_store(p, v);
      else
         v8i_store_masked(p, m, v);
      return;
   }
   if (op->dst_kind == FAST_TO_NULL)
      return;
   if (op->dst_kind == FAST_TO_WORDS)
      store_words(p, v, m & 0xff);
   else if (op->dst_kind == FAST_TO_LOW_W)
      store_low_words(p, v, m);
   else
      store_strided(t, op, half, v, m & 0xff);
}

INLINE void
store_flags(struct eu_thread *t, const struct eu_op *op, unsigned half, uint32_t truth, uint32_t m)
{
   unsigned shift = op->flag_shift + half * 8;
   uint32_t bits = (m & 0xff) << shift;
   uint32_t *f = &t->flag[op->flag_reg];
   *f = (*f & ~bits) | (truth << shift & bits);
}

/* ---- what has no fast path --------------------------------------------------------------------
 */

static inline void
hand_over(struct eu_thread *t, const struct eu_op *op, unsigned half, uint32_t m,
          uint32_t predicate)
{
   t->ip = op->ip;
   /* m and predicate are this half's; the general path wants the whole instruction's. */
   unsigned first = half * 8;
   eu_alu_half(t, op->d, op->d->halves == 2 ? half : 0, m << first, predicate << first);
}

/* EU-055: one NaN for all. */
INLINE v8f
settled(v8f v)
{
   return v8f_choose(v8f_nan(v), v8_as_float(v8i_all(0x7fc00000)), v);
}

/* The thread rounds to nearest. */
INLINE bool
rounds_to_nearest(const struct eu_thread *t)
{
   return !eu_rounding(t);
}

#endif
