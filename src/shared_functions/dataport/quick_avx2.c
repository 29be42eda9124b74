/* Untyped reads and writes of raw buffers and of shared local memory, eight slots a vector.
 * Compiled for AVX2.
 *
 * First what is most common: all slots on, dwords one after the other, in one page. Then any mask
 * and any addresses. Whatever would be named, or is not translated yet, is left to the slow path
 * before anything is touched. */
#include "shared_functions/dataport/quick_slots.h"

/* ---- runs ------------------------------------------------------------------------------------ */

/* Registers are written whole: the instruction that reads one next finds it as it was written. */
static ALWAYS_INLINE void
copy8(uint8_t *to, const uint8_t *from, unsigned regs)
{
   v8i low = v8i_load(from), high = regs == 2 ? v8i_load(from + 32) : low;
   v8i_store(to, low);
   if (regs == 2)
      v8i_store(to + 32, high);
}

/* Slots of 16 bytes become four registers (each of `regs` parts), and back. */
static ALWAYS_INLINE void
slots_to_channels(const uint8_t *in, uint8_t *out, unsigned regs)
{
   for (unsigned k = 0; k < regs; k++, in += 128) {
      v8i r[4] = {v8i_load_halves(in, in + 64), v8i_load_halves(in + 16, in + 80),
                  v8i_load_halves(in + 32, in + 96), v8i_load_halves(in + 48, in + 112)};
      transpose(r);
      for (unsigned c = 0; c < 4; c++)
         v8i_store(out + 32 * (c * regs + k), r[c]);
   }
}

static ALWAYS_INLINE void
channels_to_slots(const uint8_t *in, uint8_t *out, unsigned regs)
{
   for (unsigned k = 0; k < regs; k++, out += 128) {
      v8i r[4];
      for (unsigned c = 0; c < 4; c++)
         r[c] = v8i_load(in + 32 * (c * regs + k));
      transpose(r);
      for (unsigned i = 0; i < 4; i++)
         v8i_store_halves(out + 16 * i, out + 64 + 16 * i, r[i]);
   }
}

/* ---- reads ----------------------------------------------------------------------------------- */

/* Every slot from the same place. */
static ALWAYS_INLINE void
read_same(const struct untyped *m, const uint8_t *host, uint8_t *out, unsigned regs, unsigned count)
{
   for (unsigned c = 0; c < count; c++) {
      v8i v = v8i_all((int)dword_at(host, c));
      for (unsigned r = 0; r < regs; r++)
         put(out + 32 * (c * regs + r), v, m->on[r]);
   }
}

/* Lanes that are off are not touched. */
static ALWAYS_INLINE v8i
load_some(const int *p, v8i on)
{
   return (v8i){{(v8_part_i)_mm256_maskload_epi32(p, (__m256i)on.p[0])}};
}

static ALWAYS_INLINE void
store_some(int *p, v8i on, v8i v)
{
   _mm256_maskstore_epi32(p, (__m256i)on.p[0], (__m256i)v.p[0]);
}

/* One dword a slot, in a row, some slots off: these are not touched. */
static ALWAYS_INLINE bool
read_row(const struct untyped *m, bool slm, uint8_t *out, unsigned regs)
{
   unsigned first = (unsigned)__builtin_ctz(m->mask), last = 31 - (unsigned)__builtin_clz(m->mask);
   uint32_t from = dword_at(m->payload, first);
   if (!runs(m, regs, from - 4 * first, 4))
      return false;
   const uint8_t *host = span(&m->w, slm, from, 4 * (last - first + 1), MEM_READ);
   if (!host)
      return false;
   const int *start = (const int *)((uintptr_t)host - 4 * first);
   v8i v0 = load_some(start, m->on[0]);
   v8i v1 = regs == 2 ? load_some(start + 8, m->on[1]) : v0;
   put(out, v0, m->on[0]);
   if (regs == 2)
      put(out + 32, v1, m->on[1]);
   return true;
}

/* Four channels of each slot, from where it points to. */
static ALWAYS_INLINE void
pointers_to_channels(const struct untyped *m, const struct places *p, uint8_t *out, unsigned regs)
{
   static const uint32_t zeros[4];
   uint64_t at[16];
   for (unsigned r = 0; r < regs; r++) {
      v8l all = p->at[r];
      v8l_store(at + 8 * r, V8_EACH(v8l, all.p[k] | ((all.p[k] == 0) & (int64_t)(uintptr_t)zeros)));
   }
   for (unsigned r = 0; r < regs; r++) {
      v8i row[4];
      for (unsigned i = 0; i < 4; i++)
         row[i] = v8i_load_halves((const void *)at[8 * r + i], (const void *)at[8 * r + 4 + i]);
      transpose(row);
      for (unsigned c = 0; c < 4; c++)
         put(out + 32 * (c * regs + r), row[c], m->on[r]);
   }
}

/* Channel c of eight slots; zeros where a slot is off. Shared local memory needs no places. */
static ALWAYS_INLINE v8i
gather(const struct untyped *m, bool slm, const struct places *p, unsigned r, unsigned c)
{
   return slm ? v8i_gather_some(m->w.slm + 4 * c, m->u[r], m->on[r])
              : v8i_gather_wide(4 * c, p->at[r], m->on[r]);
}

/* From anywhere. DP-230: outside of a buffer there are zeros. */
static ALWAYS_INLINE bool
read_scattered(struct untyped *m, bool slm, uint8_t *out, unsigned regs, unsigned count)
{
   struct places p;
   v8i answered[2] = {m->on[0], m->on[1]};
   uint32_t asked = m->mask;
   m->mask &= inside(m, regs, 4 * count);
   if (m->mask != asked) {
      if (slm || count > 1)
         return false;
      spread_mask(m, regs);
   }
   if (!(slm && count < 4) && !locate(m, slm, regs, 4 * count, MEM_READ, &p))
      return false;
   if (count == 4) {
      pointers_to_channels(m, &p, out, regs);
      return true;
   }
   for (unsigned c = 0; c < count; c++)
      for (unsigned r = 0; r < regs; r++)
         put(out + 32 * (c * regs + r), gather(m, slm, &p, r, c), answered[r]);
   return true;
}

static ALWAYS_INLINE bool
read_some(struct untyped *m, bool slm, uint8_t *out, unsigned regs, unsigned count)
{
   if (!aligned(m, regs, m->mask))
      return false;
   if (!m->mask)
      return true;
   spread_mask(m, regs);
   uint32_t u = dword_at(m->payload, (unsigned)__builtin_ctz(m->mask));
   if (runs(m, regs, u, 0)) {
      const uint8_t *host = span(&m->w, slm, u, 4 * count, MEM_READ);
      if (host) {
         read_same(m, host, out, regs, count);
         return true;
      }
   }
   return (count == 1 && read_row(m, slm, out, regs)) || read_scattered(m, slm, out, regs, count);
}

static ALWAYS_INLINE bool
read_rest(struct eu_thread *t, const struct sf_quick *q, uint32_t exec, bool slm, unsigned regs,
          unsigned count)
{
   struct untyped m;
   if (sf_observed(t) || !find(t, q, slm, &m.w))
      return false;
   begin(&m, t, q, regs, exec);
   if (!read_some(&m, slm, t->grf + q->response, regs, count))
      return false;
   sf_quick_mark(t, q);
   return true;
}

/* All slots on, in a row or from one place. */
static ALWAYS_INLINE bool
read(struct eu_thread *t, const struct sf_quick *q, uint32_t exec, bool slm, unsigned regs,
     unsigned count, sf_quick_fn rest)
{
   struct untyped m;
   if (!whole(exec, regs))
      return rest(t, q, exec);
   if (sf_observed(t) || !find(t, q, slm, &m.w))
      return false;
   begin(&m, t, q, regs, exec);
   uint8_t *out = t->grf + q->response;
   const uint8_t *host;
   uint32_t first = dword_at(m.payload, 0);
   if ((count == 1 || count == 4) && runs_whole(&m, regs, first, 4 * count)) {
      if (!(host = span(&m.w, slm, first, 32 * regs * count, MEM_READ)))
         return rest(t, q, exec);
      if (count == 4)
         slots_to_channels(host, out, regs);
      else
         copy8(out, host, regs);
   } else {
      if (!runs_whole(&m, regs, first, 0) || !(host = span(&m.w, slm, first, 4 * count, MEM_READ)))
         return rest(t, q, exec);
      m.on[0] = m.on[1] = v8i_all(-1);
      read_same(&m, host, out, regs, count);
   }
   sf_quick_mark(t, q);
   return true;
}

/* ---- writes ---------------------------------------------------------------------------------- */

static ALWAYS_INLINE bool
write_row(const struct untyped *m, bool slm, const uint8_t *data, unsigned regs)
{
   unsigned first = (unsigned)__builtin_ctz(m->mask), last = 31 - (unsigned)__builtin_clz(m->mask);
   uint32_t from = dword_at(m->payload, first);
   if (!runs(m, regs, from - 4 * first, 4))
      return false;
   uint8_t *host = span(&m->w, slm, from, 4 * (last - first + 1), MEM_WRITE);
   if (!host)
      return false;
   if (slm && from >= 4 * first &&
       from - 4 * first + 32 * regs <= m->w.size) { /* nobody writes beside it */
      put(host - 4 * first, v8i_load(data), m->on[0]);
      if (regs == 2)
         put(host - 4 * first + 32, v8i_load(data + 32), m->on[1]);
      return true;
   }
   int *start = (int *)((uintptr_t)host - 4 * first);
   store_some(start, m->on[0], v8i_load(data));
   if (regs == 2)
      store_some(start + 8, m->on[1], v8i_load(data + 32));
   return true;
}

/* To anywhere, slot after slot. DP-231: nothing outside of a buffer. */
static ALWAYS_INLINE bool
write_scattered(struct untyped *m, bool slm, const uint8_t *data, unsigned regs, unsigned count)
{
   struct places p;
   uint32_t asked = m->mask;
   m->mask &= inside(m, regs, 4 * count);
   if (m->mask != asked) {
      if (slm || count > 1)
         return false;
      spread_mask(m, regs);
   }
   if (!locate(m, slm, regs, 4 * count, MEM_WRITE, &p))
      return false;
   const uint64_t *at = (const uint64_t *)(const void *)p.at;
   for (unsigned c = 0; c < count; c++)
      EACH_SLOT(i, m->mask, 8 * regs)
   memcpy((uint8_t *)at[i] + 4 * c, data + 32 * regs * c + 4 * i, 4);
   return true;
}

static ALWAYS_INLINE bool
write_some(struct untyped *m, const struct sf_quick *q, bool slm, const uint8_t *data,
           unsigned regs, unsigned count)
{
   if (!m->mask)
      return true;
   spread_mask(m, regs);
   if (count == 1 && write_row(m, slm, data, regs))
      return true;
   return !(q->rules && meet(m, regs, 4 * count)) && write_scattered(m, slm, data, regs, count);
}

static ALWAYS_INLINE bool
begin_write(struct untyped *m, const struct eu_thread *t, const struct sf_quick *q, bool slm,
            unsigned regs, uint32_t exec)
{
   if (sf_observed(t) || !find(t, q, slm, &m->w))
      return false;
   begin(m, t, q, regs, exec);
   if (q->header) /* DP-226 */
      m->mask &= dword_at(m->payload - EU_REG_SIZE, GEN7_DP_SURFACE_HEADER__PIXEL_SAMPLE_MASK_DW);
   return true;
}

static ALWAYS_INLINE bool
write_rest(struct eu_thread *t, const struct sf_quick *q, uint32_t exec, bool slm, unsigned regs,
           unsigned count)
{
   struct untyped m;
   return begin_write(&m, t, q, slm, regs, exec) && aligned(&m, regs, exec) &&
          write_some(&m, q, slm, m.payload + 32 * regs, regs, count);
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
   if ((count == 1 || count == 4) && runs_whole(&m, regs, first, 4 * count))
      host = span(&m.w, slm, first, 32 * regs * count, MEM_WRITE);
   if (!host)
      return rest(t, q, exec);
   if (count == 4)
      channels_to_slots(m.payload + 32 * regs, host, regs);
   else
      copy8(host, m.payload + 32 * regs, regs);
   return true;
}

DP_QUICK_TABLE(dp_quick_avx2);
