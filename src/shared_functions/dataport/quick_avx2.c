/* Untyped reads and writes of raw buffers and of shared local memory, eight slots a vector. Compiled for AVX2.
 *
 * First what is most common: all slots on, dwords one after the other, in one page. Then any mask and any addresses.
 * Whatever would be named, or is not translated yet, is left to the long way before anything is touched. */
#include "shared_functions/dataport/dp_quick.h"

#include "media/media.h"
#include "shared_functions/dataport/vector.h"

#include <immintrin.h>
#include <string.h>

typedef __m256i v8;

/* What a message reaches: shared local memory, or a buffer. */
struct where {
   uint8_t *slm;
   const struct mem_space *space;
   struct sf_buffer b;
};

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

static ALWAYS_INLINE uint32_t
dword_at(const uint8_t *p, unsigned n)
{
   uint32_t v;
   memcpy(&v, p + 4 * n, 4);
   return v;
}

/* ---- addresses ------------------------------------------------------------------------------- */

static ALWAYS_INLINE bool
find(const struct eu_thread *t, const struct sf_quick *q, bool slm, struct where *w)
{
   if (slm) {
      const struct eu_group *g = t->group;
      if (!g || !g->slm)
         return false;
      w->slm = g->slm;
      w->b = (struct sf_buffer){.size = g->slm_size_B < 0x10000 ? g->slm_size_B : 0x10000}; /* DP-431 */
      return w->b.size != 0;
   }
   w->space = t->env->space;
   w->b = sf_buffer_of(t, q->bti);
   return w->b.size != 0;
}

/* Host address of bytes that lie inside, in one page; else NULL. */
static ALWAYS_INLINE uint8_t *
span(const struct where *w, bool slm, uint32_t offset, uint32_t size, enum mem_access access)
{
   if (offset & 3 || (uint64_t)offset + size > w->b.size)
      return NULL;
   if (slm)
      return w->slm + offset;
   uint32_t address = w->b.base + offset;
   return (address & 0xfff) + size > 4096 ? NULL : mem_known(w->space, address, access);
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

/* DP-221 is told by the long way. */
static ALWAYS_INLINE bool
aligned(const struct untyped *m, unsigned regs, uint32_t exec)
{
   v8 low = _mm256_and_si256(_mm256_and_si256(m->u[0], _mm256_set1_epi32(3)), lanes8(exec));
   if (regs == 2)
      low = _mm256_or_si256(low, _mm256_and_si256(_mm256_and_si256(m->u[1], _mm256_set1_epi32(3)), lanes8(exec >> 8)));
   return _mm256_testz_si256(low, low);
}

/* Slots of which `size` bytes lie inside, a bit each. */
static ALWAYS_INLINE uint32_t
inside(const struct untyped *m, unsigned regs, uint32_t size)
{
   if (m->w.b.size < size)
      return 0;
   v8 last = _mm256_set1_epi32((int)(m->w.b.size - size));
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
   return _mm256_cmpgt_epi32(_mm256_set1_epi32((int)size), _mm256_abs_epi32(_mm256_sub_epi32(a, b)));
}

/* DP-235: may two slots that are on lie closer than `size` bytes? Slots that are off stand far away. */
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

/* Host address of each slot that is on: `size` bytes, known to be inside. False: one is not translated, or lies
 * across two pages. */
static ALWAYS_INLINE bool
locate(const struct untyped *m, bool slm, unsigned size, enum mem_access access, uint8_t *at[16])
{
   for (uint32_t left = m->mask; left; left &= left - 1) {
      unsigned i = (unsigned)__builtin_ctz(left);
      uint32_t u = dword_at(m->payload, i), address = m->w.b.base + u;
      if (slm) {
         at[i] = m->w.slm + u;
         continue;
      }
      if (size > 4 && (address & 0xfff) + size > 4096)
         return false;
      at[i] = mem_known(m->w.space, address, access);
      if (!at[i])
         return false;
   }
   return true;
}

static ALWAYS_INLINE void
begin(struct untyped *m, const struct eu_thread *t, const struct sf_quick *q, unsigned regs, uint32_t mask)
{
   m->payload = t->grf + q->payload;
   m->u[0] = load8(m->payload);
   if (regs == 2)
      m->u[1] = load8(m->payload + 32);
   m->mask = mask & (regs == 2 ? 0xffffu : 0xffu);
}

static ALWAYS_INLINE void
spread_mask(struct untyped *m, unsigned regs)
{
   m->on[0] = lanes8(m->mask);
   if (regs == 2)
      m->on[1] = lanes8(m->mask >> 8);
}

/* ---- four channels --------------------------------------------------------------------------- */

static ALWAYS_INLINE void
transpose(v4 r[4])
{
   v4 a = __builtin_shufflevector(r[0], r[1], 0, 4, 1, 5), b = __builtin_shufflevector(r[2], r[3], 0, 4, 1, 5);
   v4 c = __builtin_shufflevector(r[0], r[1], 2, 6, 3, 7), d = __builtin_shufflevector(r[2], r[3], 2, 6, 3, 7);
   r[0] = __builtin_shufflevector(a, b, 0, 1, 4, 5);
   r[1] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
   r[2] = __builtin_shufflevector(c, d, 0, 1, 4, 5);
   r[3] = __builtin_shufflevector(c, d, 2, 3, 6, 7);
}

/* Slots of 16 bytes become four registers (each of `regs` parts), and back. */
static ALWAYS_INLINE void
slots_to_channels(const uint8_t *in, uint8_t *out, unsigned regs)
{
   for (unsigned k = 0; k < 2 * regs; k++) {
      v4 r[4] = {load4(in + 64 * k), load4(in + 64 * k + 16), load4(in + 64 * k + 32), load4(in + 64 * k + 48)};
      transpose(r);
      store4(out + 16 * k, r[0]);
      store4(out + 32 * regs + 16 * k, r[1]);
      store4(out + 64 * regs + 16 * k, r[2]);
      store4(out + 96 * regs + 16 * k, r[3]);
   }
}

static ALWAYS_INLINE void
channels_to_slots(const uint8_t *in, uint8_t *out, unsigned regs)
{
   for (unsigned k = 0; k < 2 * regs; k++) {
      v4 r[4] = {load4(in + 16 * k), load4(in + 32 * regs + 16 * k), load4(in + 64 * regs + 16 * k),
                 load4(in + 96 * regs + 16 * k)};
      transpose(r);
      store4(out + 64 * k, r[0]);
      store4(out + 64 * k + 16, r[1]);
      store4(out + 64 * k + 32, r[2]);
      store4(out + 64 * k + 48, r[3]);
   }
}

/* ---- reads ----------------------------------------------------------------------------------- */

/* Registers keep the lanes of slots that are off. */
static ALWAYS_INLINE void
put(uint8_t *reg, v8 v, v8 on)
{
   store8(reg, _mm256_blendv_epi8(load8(reg), v, on));
}

/* Every slot from the same place. */
static ALWAYS_INLINE void
read_same(const struct untyped *m, const uint8_t *host, uint8_t *out, unsigned regs, unsigned count)
{
   for (unsigned c = 0; c < count; c++) {
      v8 v = _mm256_set1_epi32((int)dword_at(host, c));
      for (unsigned r = 0; r < regs; r++)
         put(out + 32 * (c * regs + r), v, m->on[r]);
   }
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
   v8 v0 = _mm256_maskload_epi32(start, m->on[0]);
   v8 v1 = regs == 2 ? _mm256_maskload_epi32(start + 8, m->on[1]) : v0;
   put(out, v0, m->on[0]);
   if (regs == 2)
      put(out + 32, v1, m->on[1]);
   return true;
}

/* From anywhere. DP-230: outside of a buffer there are zeros. */
static ALWAYS_INLINE bool
read_scattered(struct untyped *m, bool slm, uint8_t *out, unsigned regs, unsigned count)
{
   uint8_t *at[16];
   _Alignas(32) uint32_t v[4][16];
   uint32_t asked = m->mask;
   m->mask &= inside(m, regs, 4 * count);
   if (m->mask != asked) {
      if (slm || count > 1)
         return false;
      store8(v[0], _mm256_setzero_si256());
      store8(v[0] + 8, _mm256_setzero_si256());
   }
   if (!locate(m, slm, 4 * count, MEM_READ, at))
      return false;
   for (uint32_t left = m->mask; left; left &= left - 1) {
      unsigned i = (unsigned)__builtin_ctz(left);
      for (unsigned c = 0; c < count; c++)
         v[c][i] = dword_at(at[i], c);
   }
   for (unsigned c = 0; c < count; c++)
      for (unsigned r = 0; r < regs; r++)
         put(out + 32 * (c * regs + r), load8(v[c] + 8 * r), m->on[r]);
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
read(struct eu_thread *t, const struct sf_quick *q, uint32_t exec, bool slm, unsigned regs, unsigned count)
{
   struct untyped m;
   if (sf_observed(t) || !find(t, q, slm, &m.w))
      return false;
   begin(&m, t, q, regs, exec);
   uint8_t *out = t->grf + q->response;
   const uint8_t *host = NULL;
   uint32_t first = dword_at(m.payload, 0);
   if (m.mask == (regs == 2 ? 0xffffu : 0xffu) && (count == 1 || count == 4) && runs(&m, regs, first, 4 * count))
      host = span(&m.w, slm, first, 32 * regs * count, MEM_READ);
   if (host && count == 4)
      slots_to_channels(host, out, regs);
   else if (host)
      copy_regs(out, host, regs);
   else if (!read_some(&m, slm, out, regs, count))
      return false;
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
   int *start = (int *)((uintptr_t)host - 4 * first);
   _mm256_maskstore_epi32(start, m->on[0], load8(data));
   if (regs == 2)
      _mm256_maskstore_epi32(start + 8, m->on[1], load8(data + 32));
   return true;
}

/* To anywhere, slot after slot. DP-231: nothing outside of a buffer. */
static ALWAYS_INLINE bool
write_scattered(struct untyped *m, bool slm, const uint8_t *data, unsigned regs, unsigned count)
{
   uint8_t *at[16];
   uint32_t asked = m->mask;
   m->mask &= inside(m, regs, 4 * count);
   if (m->mask != asked && (slm || count > 1))
      return false;
   if (!locate(m, slm, 4 * count, MEM_WRITE, at))
      return false;
   for (unsigned c = 0; c < count; c++)
      for (uint32_t left = m->mask; left; left &= left - 1) {
         unsigned i = (unsigned)__builtin_ctz(left);
         memcpy(at[i] + 4 * c, data + 32 * regs * c + 4 * i, 4);
      }
   return true;
}

static ALWAYS_INLINE bool
write_some(struct untyped *m, const struct sf_quick *q, uint32_t exec, bool slm, const uint8_t *data, unsigned regs,
           unsigned count)
{
   if (!aligned(m, regs, exec))
      return false;
   if (!m->mask)
      return true;
   spread_mask(m, regs);
   if (count == 1 && write_row(m, slm, data, regs))
      return true;
   return !(q->rules && meet(m, regs, 4 * count)) && write_scattered(m, slm, data, regs, count);
}

static ALWAYS_INLINE bool
write(struct eu_thread *t, const struct sf_quick *q, uint32_t exec, bool slm, unsigned regs, unsigned count)
{
   struct untyped m;
   if (sf_observed(t) || !find(t, q, slm, &m.w))
      return false;
   begin(&m, t, q, regs, exec);
   if (q->header) /* DP-226 */
      m.mask &= dword_at(m.payload - EU_REG_SIZE, 7);
   const uint8_t *data = m.payload + 32 * regs;
   uint8_t *host = NULL;
   uint32_t first = dword_at(m.payload, 0);
   if (m.mask == (regs == 2 ? 0xffffu : 0xffu) && (count == 1 || count == 4) && runs(&m, regs, first, 4 * count))
      host = span(&m.w, slm, first, 32 * regs * count, MEM_WRITE);
   if (host && count == 4)
      channels_to_slots(data, host, regs);
   else if (host)
      copy_regs(host, data, regs);
   else
      return write_some(&m, q, exec, slm, data, regs, count);
   return true;
}

/* ---- a function each ------------------------------------------------------------------------- */

#define FUNCTION(kind, slm, regs, count)                                                                     \
   static bool kind##_##slm##_##regs##_##count(struct eu_thread *t, const struct sf_quick *q, uint32_t exec) \
   {                                                                                                         \
      return kind(t, q, exec, slm, regs, count);                                                             \
   }
#define FUNCTIONS(kind, slm, regs)                                                                           \
   FUNCTION(kind, slm, regs, 1) FUNCTION(kind, slm, regs, 2) FUNCTION(kind, slm, regs, 3) FUNCTION(kind, slm, regs, 4)
#define ROW(kind, slm, regs)                                                                                 \
   {kind##_##slm##_##regs##_1, kind##_##slm##_##regs##_2, kind##_##slm##_##regs##_3, kind##_##slm##_##regs##_4}

enum { BUFFER = false, SLM = true };
FUNCTIONS(read, BUFFER, 1)
FUNCTIONS(read, BUFFER, 2)
FUNCTIONS(read, SLM, 1)
FUNCTIONS(read, SLM, 2)
FUNCTIONS(write, BUFFER, 1)
FUNCTIONS(write, BUFFER, 2)
FUNCTIONS(write, SLM, 1)
FUNCTIONS(write, SLM, 2)

const struct dp_quick_functions dp_quick_avx2 = {
   .read = {ROW(read, BUFFER, 1), ROW(read, BUFFER, 2)},
   .slm_read = {ROW(read, SLM, 1), ROW(read, SLM, 2)},
   .write = {ROW(write, BUFFER, 1), ROW(write, BUFFER, 2)},
   .slm_write = {ROW(write, SLM, 1), ROW(write, SLM, 2)},
};
