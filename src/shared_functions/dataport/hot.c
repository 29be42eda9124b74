/* The common untyped message, done at once: a raw buffer, all slots on, dwords one after the other, inside, in one page,
 * seen by nobody. Everything else takes the long way, which also finds out what is wrong. */
#include "shared_functions/dataport/dataport.h"

#include "surface/cache.h"
#include "surface/hazard.h"

typedef uint32_t v4 __attribute__((vector_size(16)));

static inline v4
load4(const void *p)
{
   v4 v;
   memcpy(&v, p, sizeof(v));
   return v;
}

static inline void
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
static inline void
slots_to_channels(const uint8_t *in, uint8_t *out, unsigned regs)
{
   for (unsigned k = 0; k < 2 * regs; k++) {
      v4 r[4] = {load4(in + 64 * k), load4(in + 64 * k + 16), load4(in + 64 * k + 32), load4(in + 64 * k + 48)};
      transpose(r);
      for (unsigned c = 0; c < 4; c++)
         memcpy(out + 32 * regs * c + 16 * k, &r[c], 16);
   }
}

static inline void
channels_to_slots(const uint8_t *in, uint8_t *out, unsigned regs)
{
   for (unsigned k = 0; k < 2 * regs; k++) {
      v4 r[4];
      for (unsigned c = 0; c < 4; c++)
         r[c] = load4(in + 32 * regs * c + 16 * k);
      transpose(r);
      for (unsigned i = 0; i < 4; i++)
         memcpy(out + 64 * k + 16 * i, &r[i], 16);
   }
}

/* base and pitch, entries and rules, kind: the first words of struct surface. */
struct hot_surface {
   uint32_t base, pitch_B, entries, rules;
   uint8_t type, tiling;
   uint16_t format;
   uint32_t spare;
};
_Static_assert(offsetof(struct surface, entries) == offsetof(struct hot_surface, entries) &&
                  offsetof(struct surface, rules) == offsetof(struct hot_surface, rules) &&
                  offsetof(struct surface, type) == offsetof(struct hot_surface, type) &&
                  offsetof(struct surface, tiling) == offsetof(struct hot_surface, tiling) &&
                  offsetof(struct surface, format) == offsetof(struct hot_surface, format),
               "the same members in the same places");

static inline bool
find_surface(const struct eu_thread *t, uint32_t bti, struct hot_surface *s)
{
   const struct eu_env *env = t->env;
   uint32_t entry, at = env->surface_state_base + t->binding_table + 4 * bti;
   const void *host = mem_translate(env->space, at, MEM_READ);
   if (!host)
      return false;
   memcpy(&entry, host, 4);
   if (entry & 31)
      return false;
   struct surface_cache *c = env->dev->surfaces;
   uint32_t state = env->surface_state_base + entry;
   uint32_t generation = __atomic_load_n(&c->generation, __ATOMIC_ACQUIRE);
   return surface_slot_read(surface_slot_of(c, env->space, state), env->space, state, generation,
                            sizeof(*s) / 8, (uint64_t *)(void *)s);
}

/* Host address of the bytes, or NULL. u: byte offsets of the slots. */
static inline uint8_t *
straight(const struct eu_thread *t, const struct hot_surface *s, const uint8_t *u, unsigned regs,
         unsigned step, enum mem_access access)
{
   unsigned size = step * 8 * regs;
   uint32_t first;
   memcpy(&first, u, 4);
   v4 ramp = {0, step, 2 * step, 3 * step}, bad = {0};
   for (unsigned k = 0; k < 2 * regs; k++)
      bad |= load4(u + 16 * k) ^ (ramp + (first + 4 * k * step));
   uint64_t q[2];
   memcpy(q, &bad, sizeof(q));
   uint32_t address = s->base + first;
   if (q[0] | q[1] || first & 3 || (uint64_t)first + size > s->entries || (address & 0xfff) + size > 4096 ||
       address < first)
      return NULL;
   return mem_translate(t->env->space, address, access);
}

static inline bool
hot_copy(const struct eu_thread *t, const struct sf_message *m, const uint8_t *data, unsigned regs, bool four,
         bool write)
{
   struct hot_surface s;
   if (!find_surface(t, m->desc & 0xff, &s) || s.type != SURFTYPE_BUFFER || s.tiling != MEM_LINEAR ||
       s.format != 0x1ff || s.rules)
      return false;
   uint8_t *host = straight(t, &s, data, regs, four ? 16 : 4, write ? MEM_WRITE : MEM_READ);
   if (!host)
      return false;
   if (write && four)
      channels_to_slots(data + 32 * regs, host, regs);
   else if (write)
      memcpy(host, data + 32 * regs, 32 * regs);
   else if (four)
      slots_to_channels(host, m->response, regs);
   else
      memcpy(m->response, host, 32 * regs);
   return true;
}

/* True: the message has been done. */
bool
dp_hot_untyped(struct eu_thread *t, const struct sf_message *m)
{
   uint32_t desc = m->desc;
   unsigned type = desc >> 14 & 31, channels = ~desc >> 8 & 15, simd = desc >> 12 & 3;
   bool write = type == 13, four = channels == 15;
   if ((type != 5 && !write) || (channels != 1 && !four) || (simd != 1 && simd != 2) || m->eot ||
       (desc & 0xff) >= DP_BTI_SLM)
      return false;
   unsigned regs = simd == 1 ? 2 : 1, values = four ? 4 * regs : regs;
   uint32_t all = regs == 2 ? 0xffff : 0xff;
   const uint8_t *data = m->payload + (m->header ? EU_REG_SIZE : 0);
   if ((m->exec_mask & all) != all || m->mlen != m->header + regs + (write ? values : 0) ||
       m->rlen != (write ? 0 : values))
      return false;
   if (m->header) {
      uint32_t mask;
      memcpy(&mask, m->payload + 28, 4);
      if ((mask & all) != all)
         return false;
   }
   if (regs == 1)
      return four ? (write ? hot_copy(t, m, data, 1, true, true) : hot_copy(t, m, data, 1, true, false))
                  : (write ? hot_copy(t, m, data, 1, false, true) : hot_copy(t, m, data, 1, false, false));
   return four ? (write ? hot_copy(t, m, data, 2, true, true) : hot_copy(t, m, data, 2, true, false))
               : (write ? hot_copy(t, m, data, 2, false, true) : hot_copy(t, m, data, 2, false, false));
}
