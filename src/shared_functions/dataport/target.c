/* Binding tables, the stateless model, shared local memory, and the way to memory. */
#include "shared_functions/dataport/dataport.h"

#include "eu/group.h"
#include "surface/cache.h"
#include "surface/hazard.h"

#define SCRATCH_SPACES UINT64_C(256) /* as many as there are FFTIDs */
#define SLM_WRAP 0x10000u            /* DP-431 */

static void
dp_observe(struct dp *d, uint32_t address, unsigned size, enum sanitize_kind kind, const void *data)
{
   struct pergola_device *dev = d->t->env->dev;
   if (hazard_on(dev->surfaces))
      sf_hazard(d->t, d->m, d->cache, address, size, kind != SANITIZE_READ);
   if (d->sanitizer)
      dp_watch(d, address, size, kind, data);
}

void
dp_load_slow(struct dp *d, uint32_t address, void *data, unsigned size)
{
   if (d->observed)
      dp_observe(d, address, size, SANITIZE_READ, NULL);
   mem_read(d->space, address, data, size);
}

void
dp_store_slow(struct dp *d, uint32_t address, const void *data, unsigned size)
{
   if (d->observed)
      dp_observe(d, address, size, SANITIZE_WRITE, data);
   mem_write(d->space, address, data, size);
}

uint32_t *
dp_atomic_host(struct dp *d, uint64_t offset)
{
   if (d->r.slm) {
      if (d->sanitizer)
         dp_watch_slm(d, offset, 4, SANITIZE_ATOMIC, NULL);
      return (uint32_t *)(void *)(d->r.slm + offset);
   }
   uint32_t address = d->r.base + (uint32_t)offset;
   if (d->observed)
      dp_observe(d, address, 4, SANITIZE_ATOMIC, NULL);
   return mem_translate(d->space, address, MEM_READ | MEM_WRITE);
}

bool
dp_bind(struct dp *d, bool buffer_only)
{
   const struct eu_env *env = d->t->env;
   uint32_t entry_at = env->surface_state_base + d->t->binding_table + 4 * d->bti; /* DP-003 */
   const void *host = mem_translate(d->space, entry_at, MEM_READ);
   if (__builtin_expect(!host, 0)) {
      dp_reject(d, "DP-003", "binding table entry %u at 0x%08x is not mapped", d->bti, entry_at);
      return false;
   }
   uint32_t entry;
   memcpy(&entry, host, 4);
   if (__builtin_expect(entry & GEN7_BINDING_TABLE_STATE__MBZ_0, 0))
      dp_note(d, PERGOLA_ERROR, "DP-003", "binding table entry %u is 0x%08x: bits 4:0 must be 0",
              d->bti, entry);
   uint32_t state =
       env->surface_state_base + (entry & GEN7_BINDING_TABLE_STATE__SURFACE_STATE_POINTER);
   struct surface_cache *cache = env->dev->surfaces;
   bool known = buffer_only ? surface_get_buffer(cache, d->space, state, &d->s)
                            : surface_get(cache, d->space, state, false, &d->s);
   if (__builtin_expect(!known, 0)) {
      dp_reject(d, "DP-004", "surface state of binding table entry %u at 0x%08x is not mapped",
                d->bti, state);
      return false;
   }
   return true;
}

static bool
open_slm(struct dp *d, unsigned flags)
{
   if (!(flags & DP_ALLOW_SLM)) { /* SMP-326 */
      dp_reject(d, "DP-047", "a %s cannot reach shared local memory", d->name);
      return false;
   }
   const struct eu_group *g = d->t->group;
   if (!g || !g->slm) {
      dp_reject(d, "DP-047", "the thread has no shared local memory");
      return false;
   }
   uint32_t size = g->slm_size_B < SLM_WRAP ? g->slm_size_B : SLM_WRAP;
   d->r = (struct dp_range){.slm = g->slm, .size = size};
   return true;
}

static void
check_buffer(struct dp *d, unsigned base_align, const char *rule)
{
   if (d->s.type != SURFTYPE_BUFFER)
      dp_note(d, PERGOLA_ERROR, rule, "surface %u is no SURFTYPE_BUFFER", d->bti);
   if (!strcmp(rule, "DP-062"))
      rule = "DP-065"; /* OWord blocks have a row of their own for tiling and base */
   if (d->s.tiling != MEM_LINEAR)
      dp_note(d, PERGOLA_ERROR, rule, "surface %u is tiled", d->bti);
   if (d->s.base % base_align)
      dp_note(d, PERGOLA_ERROR, rule,
              "base address 0x%08x of surface %u is not aligned to %u bytes", d->s.base, d->bti,
              base_align);
}

/* Threads of the 3D pipeline use the stateless model for nothing else. */
static bool
in_scratch(const struct dp *d)
{
   const struct eu_thread *t = d->t;
   uint64_t first = (uint64_t)t->env->general_state_base + t->scratch_base;
   return !t->env->media_pipeline ||
          (d->r.base >= first && d->r.base - first < SCRATCH_SPACES * t->scratch_size_B);
}

bool
dp_open_range(struct dp *d, unsigned element_B, unsigned base_align, unsigned flags,
              const char *surface_rule)
{
   bool data_port = d->m->sfid == SFID_DP_DATA0;
   if (data_port && d->bti == DP_BTI_SLM)
      return open_slm(d, flags);
   if (d->bti == DP_BTI_STATELESS && (data_port || d->header)) {
      if (!d->header) {
         dp_reject(d, flags & DP_STATELESS_DOUBTFUL ? "DP-049" : "DP-088",
                   "the stateless model needs the header");
         return false;
      }
      if (!data_port)
         dp_note(d, PERGOLA_WARNING, "DP-050",
                 "the stateless model belongs to the data cache only");
      else if (flags & DP_STATELESS_DOUBTFUL)
         dp_note(d, PERGOLA_NOTE, "DP-049", "a stateless %s is not in the manual's list", d->name);
      d->r = dp_stateless_range(d->t->env, d->header);
      d->scratch = in_scratch(d);
      return true;
   }
   if (!dp_bind(d, true))
      return false;
   if (__builtin_expect(d->s.type == SURFTYPE_NULL, 0)) {
      d->r = (struct dp_range){.null = true}; /* DP-420 */
      return true;
   }
   if (__builtin_expect(
           d->s.type != SURFTYPE_BUFFER || d->s.tiling != MEM_LINEAR || d->s.base % base_align, 0))
      check_buffer(d, base_align, surface_rule);
   if (__builtin_expect(d->s.type != SURFTYPE_BUFFER, 0)) { /* SMP-333 */
      d->r = (struct dp_range){.null = true};
      return true;
   }
   /* DP-064, DP-171: entries of the message's own size, SMP-335: whatever the format; those of a
    * raw buffer are bytes (DP-417). */
   d->r = dp_buffer_range(d->s.base, d->s.entries, d->s.info->layout == FORMAT_RAW ? 1 : element_B);
   return true;
}
