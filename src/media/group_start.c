/* Thread groups: shared local memory and barrier, and how their threads come to be. */
#include "media/group.h"
#include "eu/observe.h"

#include <limits.h>
#include <stddef.h>

static uint32_t
first_constant(const struct kernel_state *k)
{
   return VFE_DESCRIPTOR_ROWS + k->d.constant_urb_entry_read_offset;
}

void
group_prepare(struct group_worker *w, const struct gpgpu_payload *p)
{
   struct media *m = w->m;
   const struct kernel_state *k = p->kernel;
   w->payload = p;
   w->channels = w->alike = 0;
   w->wide = false;
   while (w->alike < p->layout->threads && p->mask[w->alike] == p->mask[0])
      w->alike++;
   for (unsigned i = 0; i < p->layout->threads; i++) {
      w->channels += (unsigned)__builtin_popcount(p->mask[i]);
      w->wide |= p->mask[i] > 0xffff;
   }
   w->rows = k->d.constant_urb_entry_read_length;
   if (w->rows > EU_GRF_COUNT - 1)
      w->rows = EU_GRF_COUNT - 1;
   w->constants = urb_row(m->dev->urb, first_constant(k),
                          k->d.constant_urb_entry_read_length * p->layout->threads);
   thread_prepare(m, w->fresh, p->env, k);
   w->fresh->group = &w->group;
   w->again = NULL;
   w->rooms = 0;
   w->trust = GROUP_TRUST;
   w->iterations = w->rings = 0;
   w->in_series = false;
   memset(&w->clocks, 0, sizeof(w->clocks));
   w->starts_slot = UINT_MAX;
   w->fresh->buffers = w->buffers;
   sf_buffers_walk(w->buffers, m->crew.state);
   eu_thread_mark(w->fresh, 0, 1 + w->rows);
   w->r0[3] = k->d.sampler_state_pointer | m->vfe.state.per_thread_scratch_space;
   w->r0[4] = k->d.binding_table_pointer;
}

static unsigned
half_slice_of(const struct group_layout *l, unsigned slot)
{
   return l->first_half_slice + slot % l->half_slices;
}

/* The starts of the threads of all groups in this place. */
static void
fill_starts(struct group_worker *w)
{
   struct media *m = w->m;
   const struct group_layout *l = w->payload->layout;
   unsigned eus = m->dev->sku.eus_per_half_slice, slots = m->dev->sku.threads_per_eu,
            number = w->work.slot / l->half_slices * l->threads;
   struct thread_place place = {.half_slice = half_slice_of(l, w->work.slot)};
   struct eu_thread *t = w->fresh;
   uint8_t fresh[EU_START_SIZE];
   memcpy(fresh, (uint8_t *)t + EU_START_OFFSET, EU_START_SIZE);
   for (unsigned i = 0; i < l->threads; i++) {
      struct group_start *s = &w->start[i];
      place.eu = (number + i) % eus;
      place.slot = (number + i) / eus % slots; /* more than the part has share (MEDIA-119) */
      place.fftid =
          (w->work.slot * l->threads + i) & 0xff; /* MEDIA-211: unique among threads in flight */
      thread_identity(t, w->payload->mask[i], &place);
      t->active = t->dispatch_mask;
      t->group_index = (uint8_t)i;
      memcpy(s->state, (uint8_t *)t + EU_START_OFFSET, EU_START_SIZE);
      memcpy((uint8_t *)t + EU_START_OFFSET, fresh, EU_START_SIZE);
      s->r0_5 = scratch_pointer(m, place.fftid) | place.fftid;
      s->n0 = place_n0(m->dev->dispatcher, &place);
      s->port = place_port(m->dev->dispatcher, &place);
      if (s->port->open) /* whatever was there before has ended */
         s->port->open = false;
   }
   w->starts_slot = w->work.slot;
}

#define R0(field) GEN7_R0_GPGPU__##field

/* What the group's threads have in common, and their part of R0 (MEDIA-248). */
static void
begin_threads(struct group_worker *w, uint64_t ordinal)
{
   const struct gpgpu_payload *p = w->payload;
   const struct group_layout *l = p->layout;
   const struct eu_group *g = &w->group;
   const struct vfe *vfe = &w->m->vfe;
   if (w->starts_slot != w->work.slot)
      fill_starts(w);
   w->first_id = (uint32_t)ordinal * l->threads;
   w->first_handle = vfe->handle_count ? (p->first_thread + w->first_id) % vfe->handle_count : 0;
   unsigned block =
       g->slm ? (unsigned)(g->slm - w->m->slm[half_slice_of(l, w->work.slot)]) / SLM_BLOCK : 0;
   w->r0[0] = hw_put(block, R0(SHARED_LOCAL_MEMORY_INDEX));
   w->r0[1] = g->id[0];
   /* MEDIA-253: the id lies where BarrierMsg expects it. */
   w->r0[2] = hw_put(g->barrier_enabled, R0(BARRIER_ENABLE)) |
              hw_put(g->slm != NULL, R0(SLM_ENABLE)) | hw_put(g->barrier_id, R0(BARRIERID)) |
              hw_put(p->kernel->index, R0(INTERFACE_DESCRIPTOR_OFFSET));
   w->r0[6] = g->id[1];
   w->r0[7] = g->id[2];
   for (unsigned i = 0; i < l->threads && w->spares != l->threads; i++)
      w->spare[i] = &w->threads[l->threads - 1 - i];
   w->spares = l->threads; /* as they are, if all have been given back */
}

void
group_set_up(struct group_worker *w, const uint32_t id[3], uint64_t ordinal)
{
   struct media *m = w->m;
   const struct gpgpu_payload *p = w->payload;
   const struct group_layout *l = p->layout;
   struct eu_group *g = &w->group;
   unsigned slot = w->work.slot, index = slot / l->half_slices;
   w->ended = 0;
   g->slm_size_B = l->slm_blocks * SLM_BLOCK;
   /* MEDIA-203: the lowest unused block; MEDIA-206: an unused barrier. Places are taken in turn. */
   unsigned block = p->slm_block >= 0 ? (unsigned)p->slm_block : index * l->slm_blocks;
   /* SMP-324: a half slice has one memory; its groups share it by blocks. */
   g->slm = l->slm_blocks ? m->slm[half_slice_of(l, slot)] + block * SLM_BLOCK : NULL;
   g->barrier_enabled = l->barrier;
   g->barrier_id = l->barrier ? (uint8_t)index : 0;
   g->barrier_count = l->barrier_count;
   g->barrier_arrived = 0;
   g->barrier_waiting = 0;
   g->released = 0;
   g->serial++;
   g->thread_count = g->unmade = l->threads;
   memcpy(g->id, id, sizeof(g->id));
   memset(g->state, GROUP_READY, l->threads);
   begin_threads(w, ordinal);
}

void
group_begin(struct group_worker *w, const uint32_t id[3], uint64_t ordinal)
{
   group_set_up(w, id, ordinal);
   w->dispatched +=
       w->channels; /* RCS-049: the channels that are active, of both halves at once. */
   if (trace_wants(&w->m->dev->trace, PERGOLA_EVENT_DISPATCH)) /* it is dispatched as a whole */
      group_make_all(&w->group);
}

/* MEDIA-082 */
static void
load_indirect(struct group_worker *w, struct eu_thread *t, const struct gpgpu_objects *o)
{
   unsigned rows = o->indirect_rows[t->group_index];
   if (rows > EU_GRF_COUNT - 1 - w->rows)
      rows = EU_GRF_COUNT - 1 - w->rows;
   if (!rows)
      return;
   memcpy(eu_grf(t, 1 + w->rows),
          o->indirect + (size_t)t->group_index * OBJECT_INDIRECT_ROWS * EU_REG_SIZE,
          (size_t)rows * EU_REG_SIZE);
   eu_thread_mark(t, 1 + w->rows, rows);
}

static void
load_payload(struct group_worker *w, struct eu_thread *t, unsigned index)
{
   const struct kernel_state *k = w->payload->kernel;
   uint32_t *r0 = eu_grf(t, 0);
   memcpy(r0, w->r0, sizeof(w->r0));
   r0[0] |= group_handle(w, index);
   r0[2] |= group_key(w, index);
   r0[5] = w->start[index].r0_5;
   /* MEDIA-110: dispatch n of a group reads section n. */
   unsigned row = index * k->d.constant_urb_entry_read_length;
   if (w->constants)
      memcpy(eu_grf(t, 1), w->constants + row * URB_ROW_SIZE, w->rows * EU_REG_SIZE);
   else if (w->rows)
      urb_read(w->m->dev->urb, (first_constant(k) + row) * (uint64_t)URB_ROW_SIZE, eu_grf(t, 1),
               w->rows * EU_REG_SIZE);
   if (w->payload->objects)
      load_indirect(w, t, w->payload->objects);
}

/* It takes the memory of the one that ended last, which is still in the host's cache. */
void
group_make_thread(struct group_worker *w)
{
   unsigned index = w->group.thread_count - w->group.unmade--;
   const struct group_start *s = &w->start[index];
   struct eu_thread *t = w->pointer[index] = w->spare[--w->spares];
   w->again = NULL;
   w->rooms &= ~(UINT64_C(1) << (t - w->threads));
   eu_thread_copy(t, w->fresh);
   memcpy((uint8_t *)t + EU_START_OFFSET, s->state, EU_START_SIZE);
   t->id = w->first_id + index;
   thread_arrive(t, s->n0, s->port);
   load_payload(w, t, index);
   eu_announce_begin(t, "TS");
}

void
group_make_all(struct eu_group *g)
{
   struct group_worker *w =
       (struct group_worker *)(void *)((uint8_t *)g - offsetof(struct group_worker, group));
   while (g->unmade)
      group_make_thread(w);
}
