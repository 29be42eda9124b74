/* Surfaces as the fast paths see them, and windows of their pages. */
#include "shared_functions/quick.h"
#include "surface/mcs.h"

#include <string.h>

/* ---- windows -----------------------------------------------------------------------------------
 */

static void
forget_target(struct sf_target *m)
{
   surface_view_forget(&m->view);
   if (!m->known || m->samples == 1)
      return;
   for (unsigned s = 0; s < m->samples; s++)
      surface_view_forget(&m->sample[s]);
   surface_view_forget(&m->control);
}

void
sf_windows_forget(struct sf_buffers *b)
{
   for (unsigned w = 0; w < 4; w++)
      for (uint64_t left = b->known[w]; left; left &= left - 1)
         surface_view_forget(&b->view[64 * w + (unsigned)__builtin_ctzll(left)]);
   for (unsigned i = 0; i < SF_TARGETS; i++)
      forget_target(&b->target[i]);
   for (unsigned i = 0; i < SF_TEXTURES; i++)
      texture_forget_windows(&b->texture[i]);
}

#define ROW_PAGES 32u
/* Who reads from anywhere wants all of the buffer; the time for it is bounded. */
#define WIDE_PAGES (1u << 14)
#define WIDE_LOOKS 4u

static uint32_t
limit(uint32_t size, uint32_t row)
{
   return size < row ? 0 : size - row + 1;
}

/* The end of the pages behind `end` that go on where the byte before it lies; `host` stands for
 * `first`. */
static uint64_t
side_by_side(const struct mem_space *space, uint32_t first, const uint8_t *host, uint64_t end,
             uint64_t behind, enum mem_access access)
{
   for (; end < behind; end += MEM_PAGE_SIZE)
      if (mem_known(space, (uint32_t)end, access) != host + (end - first))
         break;
   return end;
}

static void
look(struct sf_buffers *b, unsigned bti, uint32_t offset, enum mem_access access, unsigned before,
     unsigned pages)
{
   struct surface_view *buffer = &b->view[bti];
   if (offset >= buffer->raw_B)
      return;
   uint32_t page = (buffer->base + offset) & ~(MEM_PAGE_SIZE - 1);
   uint32_t first = page > buffer->base ? page : buffer->base;
   uint8_t *host = mem_known(b->space, first, access);
   if (!host)
      return;
   uint64_t behind = (uint64_t)buffer->base + buffer->raw_B,
            enough = (uint64_t)page + (uint64_t)pages * MEM_PAGE_SIZE;
   uint64_t end = side_by_side(b->space, first, host, (uint64_t)page + MEM_PAGE_SIZE,
                               behind < enough ? behind : enough, access);
   for (; before && first > buffer->base; before--) {
      uint32_t page_before = (first - 1) & ~(MEM_PAGE_SIZE - 1);
      uint32_t next = page_before > buffer->base ? page_before : buffer->base;
      if (mem_known(b->space, next, access) != host - (first - next))
         break;
      host -= first - next;
      first = next;
   }
   uint32_t size = (uint32_t)((end < behind ? end : behind) - first), start = first - buffer->base;
   buffer->window[access == MEM_WRITE] = (struct view_window){
       .start = start,
       .limit = {limit(size, 32), limit(size, 64), 0, start & 3 ? 0 : limit(size, 4)},
       .host = host};
}

void
sf_window_row(struct sf_buffers *b, unsigned bti, uint32_t offset, enum mem_access access)
{
   look(b, bti, offset, access, 0, ROW_PAGES);
}

void
sf_window_wide(struct sf_buffers *b, unsigned bti, uint32_t offset, enum mem_access access)
{
   if (b->view[bti].looks == WIDE_LOOKS)
      return;
   b->view[bti].looks++;
   look(b, bti, offset, access, WIDE_PAGES, WIDE_PAGES);
}

/* ---- surfaces ----------------------------------------------------------------------------------
 */

/* A surface that has been unpacked before; else the slow path does it, and names what is wrong. */
static bool
sf_surface_read(const struct eu_thread *t, unsigned bti, struct surface *s)
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
                            SURFACE_WORDS, (uint64_t *)(void *)s);
}

void
sf_buffers_turn(struct sf_buffers *b, const struct eu_thread *t)
{
   if (sf_buffers_good(b, t))
      return;
   sf_windows_forget(b);
   memset(b->known, 0, sizeof(b->known));
   for (unsigned i = 0; i < SF_TARGETS; i++)
      b->target[i].known = false;
   for (unsigned i = 0; i < SF_TEXTURES; i++)
      texture_forget(&b->texture[i]);
   b->generation = __atomic_load_n(&t->env->dev->surfaces->generation, __ATOMIC_ACQUIRE);
   b->table = t->env->surface_state_base + t->binding_table;
   b->space = t->env->space;
}

struct surface_view *
sf_view_find(const struct eu_thread *t, unsigned bti, struct surface_view *other)
{
   struct sf_buffers *b = t->buffers;
   struct surface s;
   if (b)
      sf_buffers_turn(b, t);
   struct surface_view *v = b ? &b->view[bti] : other;
   if (!sf_surface_read(t, bti, &s)) {
      *other = (struct surface_view){0};
      return other;
   }
   surface_view_make(v, &s, s.min_lod);
   if (b && (v->raw_B | v->block_B | v->users))
      b->known[bti / 64] |= UINT64_C(1) << bti % 64;
   return v;
}

/* Samples that lie in slices, and the surface that says in which. */
static void
find_samples(struct sf_target *m, const struct surface *s)
{
   struct surface control;
   m->controlled = mcs_present(s);
   for (unsigned i = 0; i < s->samples; i++)
      surface_view_make_sample(&m->sample[i], s, s->rt_lod, i);
   m->view = m->sample[0];
   if (!m->controlled)
      return;
   mcs_surface(s, &control);
   surface_view_make(&m->control, &control, 0);
   if (!m->control.users)
      m->view.users = 0;
}

struct sf_target *
sf_target_find(const struct eu_thread *t, unsigned bti)
{
   struct sf_buffers *b = t->buffers;
   struct surface s;
   if (!b)
      return NULL;
   struct sf_target *m = &b->target[bti % SF_TARGETS];
   sf_buffers_turn(b, t);
   m->known = false;
   if (!sf_surface_read(t, bti, &s))
      return NULL;
   m->known = true;
   m->bti = (uint8_t)bti;
   m->samples = s.samples;
   if (s.samples > 1 && s.samples <= SF_SAMPLES && !s.interleaved && s.type == SURFTYPE_2D)
      find_samples(m, &s);
   else
      surface_view_make(&m->view, &s, s.rt_lod);
   return m->view.users & VIEW_TARGET ? m : NULL;
}
