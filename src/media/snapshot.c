/* The media pipeline saved and loaded: see machine/snapshot.h. State is unpacked again from the
 * commands as they were received. */
#include "media/snapshot.h"

#include "media/group.h"

#include <stdlib.h>
#include <string.h>

/* ---- the video front end ----------------------------------------------------------------------
 */

static void
vfe_snapshot(struct media *m, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct vfe, 408);
   struct vfe *v = &m->vfe;
   SNAP(s, v->programmed);
   SNAP_ARRAY(s, v->vfe_dw);
   SNAP_ARRAY(s, v->curbe_dw);
   SNAP_ARRAY(s, v->descriptors_dw);
   SNAP(s, v->has_curbe);
   SNAP(s, v->has_descriptors);
   SNAP(s, v->descriptors_loaded);
   SNAP_ARRAY(s, v->handle);
   for (unsigned i = 0; i < VFE_MAX_HANDLES; i++)
      SNAP(s, v->handle_busy[i]);
   SNAP_BELOW(s, v->handle_count, VFE_MAX_HANDLES + 1);
   SNAP_BELOW(s, v->handle_head, v->handle_count ? v->handle_count : 1);
   SNAP(s, v->entry_rows);
   SNAP_BELOW(s, v->max_threads, dispatch_hardware_threads(m->dev->dispatcher) + 1);
   SNAP(s, v->dispatch_key);
   SNAP(s, v->preemption_disabled);
   SNAP(s, v->primitive_since_flush);
   SNAP(s, v->state_flush_since_primitive);
   SNAP(s, v->media_since_flush);
   SNAP(s, v->gpgpu_since_flush);
   if (s->loading)
      vfe_unpack(m);
}

static void
kernel_state_snapshot(struct kernel_state *k, struct snapshot *s)
{
   SNAP_BELOW(s, k->index, VFE_DESCRIPTOR_ROWS);
   SNAP_ARRAY(s, k->dw);
   if (s->loading)
      kernel_state_unpack(k);
}

/* ---- GPGPU ------------------------------------------------------------------------------------
 */

static void
layout_snapshot(struct media *m, struct group_layout *l, const struct kernel_state *k,
                struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct group_layout, 28);
   unsigned half_slices = m->dev->sku.half_slices;
   SNAP_BETWEEN(s, l->threads, 1, GROUP_MAX_THREADS);
   SNAP_BELOW(s, l->first_half_slice, half_slices);
   SNAP_BETWEEN(s, l->half_slices, 1, half_slices - l->first_half_slice);
   SNAP_BETWEEN(s, l->slots, 1, DISPATCH_SLOTS);
   SNAP(s, l->barrier);
   SNAP_BELOW(s, l->barrier_count, 256);
   if (!s->loading || s->refused)
      return;
   l->slm_blocks = k->slm_size_B / SLM_BLOCK;
   unsigned most = (l->slots - 1) / l->half_slices + 1; /* groups in a half-slice */
   snapshot_check(s,
                  most <= BARRIERS_PER_HALF_SLICE && most * l->slm_blocks * SLM_BLOCK <= SLM_SIZE,
                  "groups have no room in their half-slice");
}

static void
job_snapshot(struct media *m, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct gpgpu_job, 632);
   struct gpgpu_job *j = &m->job;
   if (s->loading)
      memset(j, 0, sizeof(*j));
   SNAP_BELOW(s, j->phase, GPGPU_PREEMPTED + 1);
   if (j->phase == GPGPU_NONE)
      return;
   SNAP_ARRAY(s, j->dw);
   SNAP(s, j->address);
   eu_env_snapshot(&j->env, s);
   kernel_state_snapshot(&j->kernel, s);
   layout_snapshot(m, &j->layout, &j->kernel, s);
   SNAP_ARRAY(s, j->mask);
   SNAP_ARRAY(s, j->first);
   SNAP_ARRAY(s, j->dim);
   SNAP(s, j->may_preempt);
   SNAP(s, j->single);
   SNAP(s, j->payload.dispatch_key);
   SNAP(s, j->payload.first_thread);
   SNAP_BETWEEN(s, j->payload.slm_block, -1, (int)(SLM_SIZE / SLM_BLOCK - j->layout.slm_blocks));
   snapshot_check(s, j->single || (j->dim[0] && j->dim[1] && j->dim[2]), "a walk of no groups");
   snapshot_check(s, !j->single || j->layout.slots == 1, "a single group in several slots");
   if (!s->loading)
      return;
   j->env.spawner = ts_message;
   j->payload.env = &j->env;
   j->payload.kernel = &j->kernel;
   j->payload.layout = &j->layout;
   j->payload.mask = j->mask;
   j->payload.objects = j->single ? &m->objects : NULL;
   if (s->refused)
      j->phase = GPGPU_NONE;
}

static void
objects_snapshot(struct media *m, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct gpgpu_objects, 560);
   struct gpgpu_objects *o = &m->objects;
   size_t size = GROUP_MAX_THREADS * OBJECT_INDIRECT_ROWS * EU_REG_SIZE;
   bool indirect = o->indirect != NULL;
   SNAP_BELOW(s, o->count, GROUP_MAX_THREADS + 1);
   SNAP_ARRAY(s, o->id);
   SNAP_BELOW(s, o->descriptor, 256);
   SNAP_BELOW(s, o->half_slice, m->dev->sku.half_slices + 1u);
   SNAP_BETWEEN(s, o->slm_block, -1, (int)(SLM_SIZE / SLM_BLOCK) - 1);
   SNAP_ARRAY(s, o->mask);
   for (unsigned i = 0; i < GROUP_MAX_THREADS; i++)
      SNAP_BELOW(s, o->indirect_rows[i], OBJECT_INDIRECT_ROWS + 1);
   SNAP(s, o->groups);
   SNAP(s, indirect);
   if (!indirect) { /* nobody's rows are anywhere */
      if (s->loading)
         memset(o->indirect_rows, 0, sizeof(o->indirect_rows));
      return;
   }
   if (!o->indirect && !(o->indirect = calloc(1, size))) {
      snapshot_refuse(s, "out of memory");
      return;
   }
   snapshot_sparse(s, o->indirect, size);
}

/* Threads that have been made and not ended, each in memory of its own; what is left is room for
 * others. */
static void
group_threads(struct group_worker *w, struct snapshot *s)
{
   struct eu_group *g = &w->group;
   unsigned made = g->thread_count - g->unmade;
   if (s->loading)
      w->spares = w->ended = 0;
   for (unsigned i = 0; i < g->thread_count; i++) {
      bool ended = i < made && g->state[i] == GROUP_ENDED;
      struct eu_thread *t = s->loading ? &w->threads[i] : w->pointer[i];
      if (i < made && !ended)
         eu_thread_snapshot(t, s);
      if (!s->loading)
         continue;
      w->pointer[i] = t;
      w->ended += ended;
      if (i >= made || ended)
         w->spare[w->spares++] = t;
      t->env = w->payload->env;
      t->group = g;
      t->buffers = w->buffers;
      t->group_index = (uint8_t)i;
   }
}

void
group_worker_snapshot(void *data, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct group_worker, 10368);
   struct group_worker *w = data;
   if (!w->work.running)
      return;
   uint64_t ordinal = w->ordinal;
   SNAP_BELOW(s, ordinal, w->work.crew->walk.items);
   if (s->refused)
      return;
   if (s->loading)
      gpgpu_group_set_up(w, ordinal);
   eu_group_snapshot(&w->group, s);
   group_threads(w, s);
   SNAP_ARRAY(s, w->clocks.executed);
   SNAP_ARRAY(s, w->clocks.threads);
   snapshot_check(s, w->ended < w->group.thread_count, "a group that has ended");
}

/* ---- all of it --------------------------------------------------------------------------------
 */

void
media_snapshot(struct media *m, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct media, 3328);
   snapshot_room(s, "MEDI");
   if (s->loading)
      media_reset(m);
   vfe_snapshot(m, s);
   objects_snapshot(m, s);
   job_snapshot(m, s);
   for (unsigned i = 0; i < EU_HALF_SLICES; i++)
      snapshot_sparse(s, m->slm[i], SLM_SIZE);
   kernel_state_snapshot(&m->watermark, s);
   ts_snapshot(m, s);
   bool walking = m->job.phase != GPGPU_NONE;
   dispatch_crew_snapshot(&m->crew, walking, s);
   snapshot_check(s, !walking || m->crew.walk.slots == m->job.layout.slots, "slots of a walk");
   if (s->refused && s->loading)
      media_reset(m);
}
