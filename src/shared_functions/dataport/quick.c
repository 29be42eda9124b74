/* The short ways of the data port: which message has one, and the buffers that it reaches. */
#include "shared_functions/dataport/dp_quick.h"

#include "shared_functions/dataport/atomic.h"
#include "shared_functions/dataport/dataport.h"

#include <string.h>

enum { BLOCK_READ = 0, READ = 5, ATOMIC = 6, FENCE = 7, BLOCK_WRITE = 8, WRITE = 13 }; /* message types */

static sf_quick_fn
untyped(struct sf_quick *q, uint32_t desc, unsigned regs, bool write)
{
   unsigned mlen = (desc >> 25 & 15) - q->header, rlen = desc >> 20 & 31;
   unsigned channels = ~desc >> 8 & 15, count = dp_count4(channels);
   bool slm = q->bti == DP_BTI_SLM;
   if (!channels || channels & (channels + 1) || mlen != regs + (write ? count * regs : 0) ||
       rlen != (write ? 0 : count * regs))
      return NULL;
   q->row = count == 1 && !slm && !q->header ? (uint8_t)regs : 0;
   q->writes = write;
   const struct dp_quick_functions *f = &dp_quick_avx2;
   return write ? (slm ? f->slm_write : f->write)[regs - 1][count - 1]
                : (slm ? f->slm_read : f->read)[regs - 1][count - 1];
}

static sf_quick_fn
atomic(struct sf_quick *q, uint32_t desc)
{
   unsigned mlen = (desc >> 25 & 15) - q->header, rlen = desc >> 20 & 31;
   unsigned regs = desc >> 12 & 1 ? 1 : 2, returns = desc >> 13 & 1; /* DP-249 */
   q->op = desc >> 8 & 15;
   q->sources = (uint8_t)dp_atomic_sources(q->op);
   q->returns = returns;
   if (!q->op || mlen != regs * (1u + q->sources) || rlen != returns * regs)
      return NULL;
   bool counts = q->bti == DP_BTI_SLM && !returns && !q->header && (q->op == OP_INC || q->op == OP_ADD);
   return counts ? dp_quick_count[q->op == OP_ADD][regs - 1]
                 : dp_quick_atomic[q->bti == DP_BTI_SLM][regs - 1];
}

sf_quick_fn
dp_quick_select(struct sf_quick *q, unsigned sfid, uint32_t desc, bool eot)
{
   unsigned type = desc >> 14 & 31, simd = desc >> 12 & 3; /* bit 18 with the type: a scratch block */
   if (eot)
      return NULL;
   if (type == FENCE && sfid != SFID_DP_CONSTANT)
      return dp_quick_fence(q, desc);
   if (sfid != SFID_DP_RENDER && (type == BLOCK_READ || type == BLOCK_WRITE))
      return dp_quick_block(q, sfid, desc);
   if (sfid != SFID_DP_DATA0 || !__builtin_cpu_supports("avx2") || q->bti > DP_BTI_SLM)
      return NULL;
   if (type == ATOMIC)
      return atomic(q, desc);
   if ((type == READ || type == WRITE) && (simd == 1 || simd == 2)) /* DP-244 */
      return untyped(q, desc, simd == 1 ? 2 : 1, type == WRITE);
   return NULL;
}

/* A surface that is known already; else the long way unpacks it, and names what is wrong. */
static bool
known_surface(const struct eu_thread *t, uint32_t bti, struct surface *s)
{
   const struct eu_env *env = t->env;
   uint32_t entry, at = env->surface_state_base + t->binding_table + 4 * bti;
   const void *host = mem_known(env->space, at, MEM_READ);
   if (!host)
      return false;
   memcpy(&entry, host, 4);
   if (entry & 31)
      return false;
   struct surface_cache *c = env->dev->surfaces;
   uint32_t state = env->surface_state_base + entry;
   uint32_t generation = __atomic_load_n(&c->generation, __ATOMIC_ACQUIRE);
   return surface_slot_read(surface_slot_of(c, env->space, state), env->space, state, generation,
                            SURFACE_BUFFER_WORDS, (uint64_t *)(void *)s);
}

static struct sf_buffer
resolve(const struct eu_thread *t, unsigned bti)
{
   struct surface s;
   if (!known_surface(t, bti, &s) || s.type != SURFTYPE_BUFFER || s.tiling != MEM_LINEAR)
      return (struct sf_buffer){0};
   bool raw = s.format == GEN7_SURFACE_FORMAT_RAW;
   struct dp_range r = dp_buffer_range(s.base, s.entries, raw ? 1 : 16);
   uint32_t size = r.size < INT32_MAX ? (uint32_t)r.size : 0;
   return (struct sf_buffer){.base = r.base, .size = raw && !s.rules && s.base % 4 == 0 ? size : 0,
                             .block_size = s.base % 16 == 0 ? size : 0};
}

struct sf_buffer
sf_buffer_find(const struct eu_thread *t, unsigned bti)
{
   const struct eu_env *env = t->env;
   struct sf_buffers *c = t->buffers;
   uint32_t generation = __atomic_load_n(&env->dev->surfaces->generation, __ATOMIC_ACQUIRE);
   uint32_t table = env->surface_state_base + t->binding_table;
   struct sf_buffer b = resolve(t, bti);
   if (!c || !(b.size | b.block_size))
      return b;
   if (c->generation != generation || c->table != table || c->space != env->space) {
      sf_windows_forget(c);
      memset(c->known, 0, sizeof(c->known));
      c->generation = generation;
      c->table = table;
      c->space = env->space;
   }
   c->known[bti / 64] |= UINT64_C(1) << bti % 64;
   memset(c->window[bti], 0, sizeof(c->window[bti]));
   c->buffer[bti] = b;
   return b;
}
