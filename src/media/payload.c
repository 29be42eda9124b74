/* A thread at dispatch: architecture state, identity, scratch. */
#include "media/media_internal.h"

#include <string.h>

/* MEDIA-290: linear, not powers of two as in the 3D pipeline. */
static uint32_t
scratch_size_B(const struct media *m)
{
   return (m->vfe.state.per_thread_scratch_space + 1) * 1024;
}

/* MEDIA-209: Scratch Space Pointer = base + FFTID * per-thread size. */
uint32_t
scratch_pointer(const struct media *m, unsigned fftid)
{
   return (m->vfe.state.scratch_space_base_pointer + fftid * scratch_size_B(m)) & ~1023u;
}

void
thread_prepare(struct media *m, struct eu_thread *t, const struct eu_env *env,
               const struct kernel_state *k)
{
   eu_thread_init(t, env, k->d.kernel_start_pointer, 0);
   t->ffid = FFID_THREAD_SPAWNER;
   t->cr0[0] = k->cr0[0];
   t->cr0[1] = k->cr0[1];
   t->single_program_flow = k->d.single_program_flow;
   t->alt_mode = k->d.floating_point_mode != 0;
   /* SF-168: the fixed function that made it; its priority. */
   t->sr0[0] = FFID_THREAD_SPAWNER << 24 | (uint32_t)k->d.thread_priority << 23;
   t->binding_table = k->d.binding_table_pointer;
   t->sampler_states = k->d.sampler_state_pointer;
   t->sampler_count = k->d.sampler_count;
   t->scratch_base = m->vfe.state.scratch_space_base_pointer;
   t->scratch_size_B = scratch_size_B(m);
}

void
thread_start(struct media *m, struct eu_thread *t, uint32_t mask, const struct thread_place *p)
{
   eu_thread_channels(t, mask);
   t->half_slice = (uint8_t)p->half_slice;
   t->eu = (uint8_t)p->eu;
   t->slot = (uint8_t)p->slot;
   t->fftid = (uint16_t)p->fftid;
   t->sr0[0] |= p->half_slice << 12 | p->eu << 8 | p->slot; /* SF-168: where the thread sits */
   t->sr0[1] = p->fftid << 24;
   t->sr0[2] = mask;
   t->sr0[3] = t->vector_mask;
   memcpy(t->n0, m->n0[p->half_slice][p->eu][p->slot], 3 * sizeof(uint32_t));
   /* The ports of other host threads lie in the same cache lines: what is closed already is not written. */
   struct gateway_port *port = &m->gateway.port[p->half_slice][p->eu][p->slot];
   if (port->open)
      port->open = false;
}

/* SF-169: the notification counts of the hardware thread outlive the software thread. */
void
thread_keep_notifications(struct media *m, const struct eu_thread *t)
{
   uint32_t *kept = m->n0[t->half_slice][t->eu][t->slot];
   if (memcmp(kept, t->n0, 3 * sizeof(uint32_t)))
      memcpy(kept, t->n0, 3 * sizeof(uint32_t));
}
