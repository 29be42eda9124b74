/* The common untyped messages, done at once, seen by nobody: a raw buffer with all slots on and dwords one after the
 * other, inside, in one page; or one dword a slot from anywhere in a raw buffer or in shared local memory. Everything
 * else takes the long way, which also finds out what is wrong. */
#include "shared_functions/dataport/dp_hot.h"
#include "shared_functions/dataport/vector.h"

#include "media/media.h"
#include "surface/hazard.h"

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

/* Host address of the bytes, or NULL. u: byte offsets of the slots. */
static ALWAYS_INLINE uint8_t *
straight(const struct eu_thread *t, const struct hot_surface *s, const uint8_t *u, unsigned regs,
         unsigned step, enum mem_access access)
{
   unsigned size = step * 8 * regs;
   uint32_t first;
   memcpy(&first, u, 4);
   v4 want = (v4){0, step, 2 * step, 3 * step} + first, bad = load4(u) ^ want;
   bad |= load4(u + 16) ^ (want + 4 * step);
   if (regs == 2)
      bad |= (load4(u + 32) ^ (want + 8 * step)) | (load4(u + 48) ^ (want + 12 * step));
   uint64_t q[2];
   memcpy(q, &bad, sizeof(q));
   uint32_t address = s->base + first;
   if (q[0] | q[1] || first & 3 || (uint64_t)first + size > s->entries || (address & 0xfff) + size > 4096 ||
       address < first)
      return NULL;
   return known(t->env->space, address, access);
}

/* Is it of the length that its kind has, with no end of thread, and all slots on? *data: behind the header. */
static ALWAYS_INLINE bool
whole(const struct sf_message *m, unsigned regs, unsigned in, unsigned out, const uint8_t **data)
{
   uint32_t all = regs == 2 ? 0xffff : 0xff, mask = m->exec_mask, is;
   const uint8_t *payload = m->payload;
   memcpy(&is, &m->eot, sizeof(is));
   if (is != shape(false, in, out)) {
      uint32_t sent;
      if (is != shape(true, in + 1, out))
         return false;
      memcpy(&sent, payload + 28, 4);
      mask &= sent;
      payload += EU_REG_SIZE;
   }
   *data = payload;
   return (mask & all) == all;
}

/* A constant kind each, so that all that depends on it is settled before. */
static ALWAYS_INLINE bool
hot_copy(const struct eu_thread *t, const struct sf_message *m, unsigned regs, bool four, bool write)
{
   struct hot_surface s;
   const uint8_t *data;
   unsigned values = four ? 4 * regs : regs;
   if (!whole(m, regs, regs + (write ? values : 0), write ? 0 : values, &data) ||
       !find_surface(t, m->desc & 0xff, &s) || s.type != SURFTYPE_BUFFER || s.tiling != MEM_LINEAR ||
       s.format != 0x1ff || s.rules)
      return false;
   uint8_t *host = straight(t, &s, data, regs, four ? 16 : 4, write ? MEM_WRITE : MEM_READ);
   if (!host)
      return false;
   if (write && four)
      channels_to_slots(data + 32 * regs, host, regs);
   else if (write)
      copy_regs(host, data + 32 * regs, regs);
   else if (four)
      slots_to_channels(host, m->response, regs);
   else
      copy_regs(m->response, host, regs);
   return true;
}

/* One dword a slot, no header. Copies the addresses, since the response may lie over them. */
static ALWAYS_INLINE bool
addresses(const struct sf_message *m, unsigned regs, bool write, uint32_t u[16], uint32_t *mask)
{
   uint32_t is, low = 0;
   memcpy(&is, &m->eot, sizeof(is));
   if (is != shape(false, write ? 2 * regs : regs, write ? 0 : regs))
      return false;
   memcpy(u, m->payload, 32 * regs);
   *mask = m->exec_mask & (regs == 2 ? 0xffffu : 0xffu);
   for (unsigned i = 0; i < 8 * regs; i++)
      low |= u[i];
   return !(low & 3); /* DP-221 is told by the long way */
}

static ALWAYS_INLINE bool
hot_slm(const struct eu_thread *t, const struct sf_message *m, unsigned regs, bool write)
{
   const struct eu_group *g = t->group;
   uint32_t u[16], mask, size;
   if (!g || !g->slm || !addresses(m, regs, write, u, &mask))
      return false;
   if (write && rules_on(t->env->dev))
      return false; /* DP-235: slots that meet are told by the long way */
   size = g->slm_size_B < 0x10000 ? g->slm_size_B : 0x10000;
   for (unsigned i = 0; i < 8 * regs; i++)
      if (mask >> i & 1 && (u[i] >= size || size - u[i] < 4))
         return false;
   const uint8_t *data = m->payload + 32 * regs;
   for (unsigned i = 0; i < 8 * regs; i++) {
      if (!(mask >> i & 1))
         continue;
      if (write)
         memcpy(g->slm + u[i], data + 4 * i, 4);
      else
         memcpy(m->response + 4 * i, g->slm + u[i], 4);
   }
   return true;
}

static ALWAYS_INLINE bool
hot_gather(const struct eu_thread *t, const struct sf_message *m, unsigned regs)
{
   struct hot_surface s;
   uint32_t u[16], mask;
   const void *at[16];
   if (!addresses(m, regs, false, u, &mask) || !find_surface(t, m->desc & 0xff, &s) ||
       s.type != SURFTYPE_BUFFER || s.tiling != MEM_LINEAR || s.format != 0x1ff || s.rules || s.base & 3)
      return false;
   for (unsigned i = 0; i < 8 * regs; i++) {
      if (!(mask >> i & 1))
         continue;
      if ((uint64_t)u[i] + 4 > s.entries || s.base + u[i] < u[i])
         return false;
      at[i] = known(t->env->space, s.base + u[i], MEM_READ);
      if (!at[i])
         return false;
   }
   for (unsigned i = 0; i < 8 * regs; i++)
      if (mask >> i & 1)
         memcpy(m->response + 4 * i, at[i], 4);
   return true;
}

/* Descriptor bits 18:8: message type, SIMD mode, channels left out. */
#define KIND(type, simd, without) ((type) << 6 | (simd) << 4 | (without))
enum { READ = 5, WRITE = 13, SIMD16 = 1, SIMD8 = 2, RED = 14, ALL = 0 };

/* True: the message has been done. */
static ALWAYS_INLINE bool
hot_untyped(struct eu_thread *t, const struct sf_message *m)
{
   unsigned kind = m->desc >> 8 & 0x7ff, bti = m->desc & 0xff;
   if (bti == DP_BTI_SLM) {
      switch (kind) {
      case KIND(READ, SIMD8, RED): return hot_slm(t, m, 1, false);
      case KIND(READ, SIMD16, RED): return hot_slm(t, m, 2, false);
      case KIND(WRITE, SIMD8, RED): return hot_slm(t, m, 1, true);
      case KIND(WRITE, SIMD16, RED): return hot_slm(t, m, 2, true);
      default: return false;
      }
   }
   if (bti > DP_BTI_SLM)
      return false;
   switch (kind) {
   case KIND(READ, SIMD8, RED): return hot_copy(t, m, 1, false, false) || hot_gather(t, m, 1);
   case KIND(READ, SIMD8, ALL): return hot_copy(t, m, 1, true, false);
   case KIND(READ, SIMD16, RED): return hot_copy(t, m, 2, false, false) || hot_gather(t, m, 2);
   case KIND(READ, SIMD16, ALL): return hot_copy(t, m, 2, true, false);
   case KIND(WRITE, SIMD8, RED): return hot_copy(t, m, 1, false, true);
   case KIND(WRITE, SIMD8, ALL): return hot_copy(t, m, 1, true, true);
   case KIND(WRITE, SIMD16, RED): return hot_copy(t, m, 2, false, true);
   case KIND(WRITE, SIMD16, ALL): return hot_copy(t, m, 2, true, true);
   default: return false;
   }
}

enum sf_status
sf_dataport(struct eu_thread *t, const struct sf_message *m)
{
   const struct pergola_device *dev = t->env->dev;
   bool observed = trace_wants(&dev->trace, PERGOLA_EVENT_MEMORY) || hazard_on(dev->surfaces);
   if (m->sfid == SFID_DP_DATA0 && !observed && hot_untyped(t, m))
      return SF_OK;
   if (!observed && dp_hot_block(t, m))
      return SF_OK;
   return dp_message(t, m, observed);
}
