/* The fast paths of messages, as the shared functions have them: what the execution units need is
 * in eu/quick.h. */
#ifndef PERGOLA_SF_QUICK_H
#define PERGOLA_SF_QUICK_H

#include "eu/quick.h"
#include "machine/host.h"
#include "surface/cache.h"
#include "surface/view.h"

/* response: first register; EU_GRF_COUNT: null. desc: as resolved. False: no fast path for such a
 * message. */
bool sf_quick_select(struct sf_quick *q, const struct pergola_device *dev, unsigned sfid,
                     uint32_t desc, bool eot, unsigned payload, unsigned response);

static inline unsigned
sf_texture_slot(unsigned bti, unsigned sampler)
{
   return (bti + 5 * sampler) % SF_TEXTURES;
}

/* A walk begins, or goes on: what another one has left is forgotten. */
static inline void
sf_buffers_walk(struct sf_buffers *b, uint32_t walk)
{
   if (b->walk == walk)
      return;
   b->walk = walk;
   b->space = NULL;
}
/* Translations may have changed. */
void sf_windows_forget(struct sf_buffers *b);
/* A message of rows by its fast path; where it went is remembered. */
bool sf_quick_row(struct eu_thread *t, const struct sf_quick *q, uint32_t exec_mask);
/* What can be reached around the first slot of a row without another question. The surface is
 * `known`. */
void sf_window_row(struct sf_buffers *b, unsigned bti, uint32_t offset, enum mem_access access);
/* The same for dwords anywhere: all that lies side by side around one of them. */
void sf_window_wide(struct sf_buffers *b, unsigned bti, uint32_t offset, enum mem_access access);

/* They are to be those of this thread: what another one has left is forgotten. */
void sf_buffers_turn(struct sf_buffers *b, const struct eu_thread *t);
/* The view of a surface, which is remembered when the thread has where to; else it is put into
 * *other. All zeros where the surface has not been unpacked before. */
struct surface_view *sf_view_find(const struct eu_thread *t, unsigned bti,
                                  struct surface_view *other);

static inline bool
sf_surface_known(const struct eu_thread *t, unsigned bti)
{
   const struct sf_buffers *b = t->buffers;
   return __builtin_expect(sf_buffers_good(b, t) && b->known[bti / 64] >> bti % 64 & 1, 1);
}

static inline struct surface_view *
sf_view_of(const struct eu_thread *t, unsigned bti, struct surface_view *other)
{
   return sf_surface_known(t, bti) ? &t->buffers->view[bti] : sf_view_find(t, bti, other);
}

/* What is written, or NULL: there is no fast path to it. */
struct sf_target *sf_target_find(const struct eu_thread *t, unsigned bti);

static inline struct sf_target *
sf_target_of(const struct eu_thread *t, unsigned bti)
{
   struct sf_buffers *b = t->buffers;
   struct sf_target *m = b ? &b->target[bti % SF_TARGETS] : NULL;
   if (__builtin_expect(sf_buffers_good(b, t) && m->known && m->bti == bti, 1))
      return m->view.users & VIEW_TARGET ? m : NULL;
   return sf_target_find(t, bti);
}

/* ---- for the functions themselves ---- */

/* The function for a message to this unit, or NULL. */
sf_quick_fn dp_quick_select(struct sf_quick *q, unsigned sfid, uint32_t desc, bool eot);
sf_quick_fn sampler_quick_select(struct sf_quick *q, uint32_t desc, bool eot);
sf_quick_fn urb_quick_select(struct sf_quick *q, uint32_t desc, bool eot);
sf_quick_fn gateway_quick_select(const struct sf_quick *q, uint32_t desc, bool eot);
sf_quick_fn spawner_quick_select(struct sf_quick *q, uint32_t desc, bool eot);

static inline void
sf_quick_mark(struct eu_thread *t, const struct sf_quick *q)
{
   t->initialised[0] |= q->marks[0];
   t->initialised[1] |= q->marks[1];
}

#endif
