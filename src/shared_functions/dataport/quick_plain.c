/* Untyped reads and writes of raw buffers and of shared local memory, on a host without AVX2: what
 * quick_avx2.c does, with vectors of four, and slot by slot where slots lie anywhere. Whatever
 * would be named, or is not translated yet, is left to the slow path before anything is touched. */
#include "shared_functions/dataport/quick_untyped.h"

/* One message on its way. */
struct untyped {
   struct where w;
   const uint8_t *payload;
   uint32_t mask;   /* slots that take part */
   uint8_t *at[16]; /* where they point to; NULL: outside */
};

/* Are the offsets of all slots first, first + step, …? */
static ALWAYS_INLINE bool
runs_whole(const uint8_t *payload, unsigned regs, uint32_t first, uint32_t step)
{
   const v4 slot = {0, 1, 2, 3};
   v4 want = slot * step + first, other = {0};
   for (unsigned i = 0; i < 2 * regs; i++, want += 4 * step)
      other |= load4(payload + 16 * i) ^ want;
   return !(other[0] | other[1] | other[2] | other[3]);
}

/* Finds where slots point to. DP-230, DP-231: outside of a buffer there are zeros, and nothing is
 * written; of more than one dword the slow path says which of them. DP-221 is told there, too. */
static ALWAYS_INLINE bool
locate(struct untyped *m, bool slm, unsigned regs, unsigned count, enum mem_access access)
{
   EACH_SLOT(i, m->mask, 8 * regs)
   {
      uint32_t u = dword_at(m->payload, i);
      bool outside = (uint64_t)u + 4 * count > m->w.size;
      m->at[i] = outside ? NULL : span(&m->w, slm, u, 4 * count, access);
      if (!m->at[i] && (!outside || u & 3 || slm || count > 1))
         return false;
   }
   return true;
}

/* Four slots of four dwords become four channels, or back. */
static ALWAYS_INLINE void
transpose(v4 r[4])
{
   v4 a = __builtin_shufflevector(r[0], r[1], 0, 4, 1, 5);
   v4 b = __builtin_shufflevector(r[2], r[3], 0, 4, 1, 5);
   v4 c = __builtin_shufflevector(r[0], r[1], 2, 6, 3, 7);
   v4 d = __builtin_shufflevector(r[2], r[3], 2, 6, 3, 7);
   r[0] = __builtin_shufflevector(a, b, 0, 1, 4, 5);
   r[1] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
   r[2] = __builtin_shufflevector(c, d, 0, 1, 4, 5);
   r[3] = __builtin_shufflevector(c, d, 2, 3, 6, 7);
}

/* ---- reads ----------------------------------------------------------------------------------- */

static ALWAYS_INLINE bool
read_rest(struct eu_thread *t, const struct sf_quick *q, uint32_t exec, bool slm, unsigned regs,
          unsigned count)
{
   struct untyped m;
   if (sf_observed(t) || !find(t, q, slm, &m.w))
      return false;
   m.payload = t->grf + q->payload;
   m.mask = exec & (regs == 2 ? 0xffffu : 0xffu);
   if (!locate(&m, slm, regs, count, MEM_READ))
      return false;
   uint8_t *out = t->grf + q->response;
   EACH_SLOT(i, m.mask, 8 * regs)
   for (unsigned c = 0; c < count; c++) {
      uint32_t v = m.at[i] ? dword_at(m.at[i], c) : 0;
      memcpy(out + 32 * regs * c + 4 * i, &v, 4);
   }
   sf_quick_mark(t, q);
   return true;
}

static ALWAYS_INLINE void
read_run(const uint8_t *host, uint8_t *out, unsigned regs, unsigned count)
{
   if (count == 1) {
      copy_regs(out, host, regs);
      return;
   }
   for (unsigned i = 0; i < 2 * regs; i++, host += 64, out += 16) {
      v4 r[4] = {load4(host), load4(host + 16), load4(host + 32), load4(host + 48)};
      transpose(r);
      store4(out, r[0]);
      store4(out + 32 * regs, r[1]);
      store4(out + 64 * regs, r[2]);
      store4(out + 96 * regs, r[3]);
   }
}

/* Every slot from the same place. */
static ALWAYS_INLINE void
read_same(const uint8_t *host, uint8_t *out, unsigned regs, unsigned count)
{
   for (unsigned c = 0; c < count; c++) {
      v4 v = dword_at(host, c) - (v4){0};
      for (unsigned i = 0; i < 2 * regs; i++)
         store4(out + 32 * regs * c + 16 * i, v);
   }
}

/* All slots on, in a row or from one place. The payload may be where the response goes. */
static ALWAYS_INLINE bool
read(struct eu_thread *t, const struct sf_quick *q, uint32_t exec, bool slm, unsigned regs,
     unsigned count, sf_quick_fn rest)
{
   struct where w;
   if (!whole(exec, regs))
      return rest(t, q, exec);
   if (sf_observed(t) || !find(t, q, slm, &w))
      return false;
   const uint8_t *payload = t->grf + q->payload, *host;
   uint32_t first = dword_at(payload, 0);
   bool row = (count == 1 || count == 4) && runs_whole(payload, regs, first, 4 * count);
   if (!row && !runs_whole(payload, regs, first, 0))
      return rest(t, q, exec);
   if (!(host = span(&w, slm, first, row ? 32 * regs * count : 4 * count, MEM_READ)))
      return rest(t, q, exec);
   if (row)
      read_run(host, t->grf + q->response, regs, count);
   else
      read_same(host, t->grf + q->response, regs, count);
   sf_quick_mark(t, q);
   return true;
}

/* ---- writes ---------------------------------------------------------------------------------- */

/* DP-235: do two slots lie closer than `size` bytes? */
static ALWAYS_INLINE bool
meet(const struct untyped *m, unsigned regs, uint32_t size)
{
   EACH_SLOT(i, m->mask, 8 * regs)
   for (uint32_t k = i + 1; k < 8 * regs; k++) {
      uint32_t apart = dword_at(m->payload, k) - dword_at(m->payload, i) + size - 1;
      if (m->mask >> k & 1 && apart < 2 * size - 1)
         return true;
   }
   return false;
}

/* DP-221 is told by the slow path. */
static ALWAYS_INLINE bool
aligned(const struct untyped *m, unsigned regs, uint32_t exec)
{
   uint32_t low = 0;
   EACH_SLOT(i, exec & (regs == 2 ? 0xffffu : 0xffu), 8 * regs)
   low |= dword_at(m->payload, i) & 3;
   return !low;
}

static ALWAYS_INLINE bool
begin_write(struct untyped *m, const struct eu_thread *t, const struct sf_quick *q, bool slm,
            unsigned regs, uint32_t exec)
{
   if (sf_observed(t) || !find(t, q, slm, &m->w))
      return false;
   m->payload = t->grf + q->payload;
   m->mask = exec & (regs == 2 ? 0xffffu : 0xffu);
   if (q->header) /* DP-226 */
      m->mask &= dword_at(m->payload - EU_REG_SIZE, GEN7_DP_SURFACE_HEADER__PIXEL_SAMPLE_MASK_DW);
   return true;
}

static ALWAYS_INLINE bool
write_rest(struct eu_thread *t, const struct sf_quick *q, uint32_t exec, bool slm, unsigned regs,
           unsigned count)
{
   struct untyped m;
   if (!begin_write(&m, t, q, slm, regs, exec) || !aligned(&m, regs, exec))
      return false;
   if ((q->rules && meet(&m, regs, 4 * count)) || !locate(&m, slm, regs, count, MEM_WRITE))
      return false;
   for (unsigned c = 0; c < count; c++)
      EACH_SLOT(i, m.mask, 8 * regs)
   if (m.at[i])
      memcpy(m.at[i] + 4 * c, m.payload + 32 * regs * (c + 1) + 4 * i, 4);
   return true;
}

static ALWAYS_INLINE void
write_run(const uint8_t *data, uint8_t *host, unsigned regs, unsigned count)
{
   if (count == 1) {
      copy_regs(host, data, regs);
      return;
   }
   for (unsigned i = 0; i < 2 * regs; i++, host += 64, data += 16) {
      v4 r[4] = {load4(data), load4(data + 32 * regs), load4(data + 64 * regs),
                 load4(data + 96 * regs)};
      transpose(r);
      store4(host, r[0]);
      store4(host + 16, r[1]);
      store4(host + 32, r[2]);
      store4(host + 48, r[3]);
   }
}

/* All slots on, in a row. */
static ALWAYS_INLINE bool
write(struct eu_thread *t, const struct sf_quick *q, uint32_t exec, bool slm, unsigned regs,
      unsigned count, sf_quick_fn rest)
{
   struct untyped m;
   if (!whole(exec, regs))
      return rest(t, q, exec);
   if (!begin_write(&m, t, q, slm, regs, exec))
      return false;
   uint8_t *host = NULL;
   uint32_t first = dword_at(m.payload, 0);
   if ((count == 1 || count == 4) && whole(m.mask, regs) &&
       runs_whole(m.payload, regs, first, 4 * count))
      host = span(&m.w, slm, first, 32 * regs * count, MEM_WRITE);
   if (!host)
      return rest(t, q, exec);
   write_run(m.payload + 32 * regs, host, regs, count);
   return true;
}

DP_QUICK_TABLE(dp_quick_baseline);
