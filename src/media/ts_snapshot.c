/* The thread spawner saved and loaded: see machine/snapshot.h. Sums are made again from what they
 * count. */
#include "media/snapshot.h"

#include <string.h>

static void
request(struct media *m, struct ts_request *r, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct ts_request, 72);
   SNAP_BELOW(s, r->kind, TS_CHILD + 1);
   SNAP_BELOW(s, r->descriptor, 256);
   SNAP(s, r->children);
   SNAP(s, r->synchronized);
   SNAP(s, r->use_scoreboard);
   SNAP(s, r->restart);
   SNAP(s, r->fence);
   SNAP(s, r->fence_at_entry);
   SNAP_BELOW(s, r->x, 512);
   SNAP_BELOW(s, r->y, 512);
   SNAP_BELOW(s, r->color, 16);
   SNAP_BELOW(s, r->mask, 256);
   SNAP_BELOW(s, r->half_slice, m->dev->sku.half_slices + 1u);
   SNAP_BETWEEN(s, r->handle_index, -1, (int)m->vfe.handle_count - 1);
   SNAP(s, r->handle);
   SNAP(s, r->command);
   SNAP(s, r->spawned);
   SNAP(s, r->spawn_handle);
   SNAP_BELOW(s, r->spawn_offset, 65536);
   SNAP_BELOW(s, r->spawn_length, 65536);
   SNAP(s, r->parent);
   SNAP(s, r->tree);
   SNAP_BELOW(s, r->payload_rows, TS_PAYLOAD_ROWS + 1);
}

static void
payload(struct ts_payload *p, const struct ts_request *r, struct snapshot *s)
{
   snapshot_bytes(s, p->data, (size_t)r->payload_rows * EU_REG_SIZE);
}

static void
message(struct ts_message *q, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct ts_message, 44);
   SNAP_BELOW(s, q->kind, TS_TERMINATE + 1);
   SNAP_BELOW(s, q->sender, TS_MAX_THREADS);
   SNAP(s, q->accepted);
   SNAP(s, q->root);
   SNAP(s, q->dereference);
   SNAP_BELOW(s, q->fftid, 256);
   SNAP(s, q->handle);
   SNAP_BELOW(s, q->offset, 65536);
   SNAP_BELOW(s, q->length, 65536);
   SNAP_BELOW(s, q->descriptor, 256);
   SNAP_BELOW(s, q->color, 16);
   SNAP(s, q->sender_id);
   SNAP(s, q->tree);
}

static void
thread(struct media *m, unsigned slot, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct ts_thread, 112);
   struct ts *ts = m->ts;
   struct ts_thread *th = &ts->thread[slot];
   SNAP_BELOW(s, th->state, TS_ENDING + 1);
   if (th->state == TS_FREE)
      return;
   request(m, &th->request, s);
   SNAP_BELOW(s, th->place.fftid, 256);
   SNAP(s, th->has_fftid);
   SNAP(s, th->holds_handle);
   SNAP(s, th->marks);
   SNAP(s, th->released);
   eu_thread_snapshot(&ts->storage[slot], s);
   snapshot_check(s, !th->holds_handle || th->request.handle_index >= 0, "a handle that is none");
   if (!s->loading)
      return;
   snapshot_check(s, ts_place_of(m, slot, &th->place), "a thread in no slot of the part");
   th->t = &ts->storage[slot];
   th->t->env = &ts->env;
   th->t->ts = th;
   ts->resident++;
   if (!th->has_fftid)
      return;
   uint64_t *used = &ts->fftid_used[th->place.fftid / 64], bit = UINT64_C(1)
                                                                 << th->place.fftid % 64;
   snapshot_check(s, !(*used & bit), "an FFTID that two threads have");
   *used |= bit;
   ts->roots++;
}

static void
queues(struct media *m, struct snapshot *s)
{
   struct ts *ts = m->ts;
   SNAP_BELOW(s, ts->root_head, TS_ROOT_QUEUE);
   SNAP_BELOW(s, ts->root_count, TS_ROOT_QUEUE + 1);
   for (unsigned i = 0; i < ts->root_count; i++) {
      unsigned n = (ts->root_head + i) % TS_ROOT_QUEUE;
      request(m, &ts->root[n], s);
      payload(&ts->root_payload[n], &ts->root[n], s);
   }
   SNAP_BELOW(s, ts->message_head, TS_MESSAGES);
   SNAP_BELOW(s, ts->message_count, TS_MESSAGES + 1);
   for (unsigned i = 0; i < ts->message_count; i++)
      message(&ts->message[(ts->message_head + i) % TS_MESSAGES], s);
}

/* Threads and the messages that hold them are of one mind. */
static void
count_messages(struct ts *ts, struct snapshot *s)
{
   for (unsigned i = 0; i < ts->message_count; i++) {
      const struct ts_message *q = &ts->message[(ts->message_head + i) % TS_MESSAGES];
      if (q->accepted)
         continue;
      ts->thread[q->sender].unsent++;
      snapshot_check(s, ts->thread[q->sender].state != TS_FREE, "a message of no thread");
   }
   for (unsigned i = 0; i < TS_MAX_THREADS; i++)
      snapshot_check(s, ts->thread[i].state != TS_ENDING || ts->thread[i].unsent,
                     "a thread that has ended");
}

static void
vector(struct walk_vector *v, struct snapshot *s)
{
   SNAP_BETWEEN(s, v->x, -WALK_FAR, WALK_FAR);
   SNAP_BETWEEN(s, v->y, -WALK_FAR, WALK_FAR);
}

static void
walk_parameters(struct walk_parameters *p, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct walk_parameters, 92);
   SNAP(s, p->dual);
   SNAP(s, p->repel);
   SNAP_BETWEEN(s, p->colors, 1, 16);
   SNAP_BELOW(s, p->middle_extra_steps, 32);
   vector(&p->middle, s);
   SNAP_BELOW(s, p->global_count, 1024);
   SNAP_BELOW(s, p->local_count, 1024);
   struct walk_vector *const all[] = {&p->block,        &p->local_start, &p->local_outer,
                                      &p->local_inner,  &p->resolution,  &p->global_start,
                                      &p->global_outer, &p->global_inner};
   for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++)
      vector(all[i], s);
}

static void
walker(struct walk *w, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct walk, 168);
   walk_parameters(&w->p, s);
   SNAP_BELOW(s, w->level, WALK_LEVELS);
   SNAP_BELOW(s, w->global_iteration, 1025 + 1);
   SNAP_BELOW(s, w->local_iteration, 1025 + 1);
   SNAP_BELOW(s, w->middle_step, 33 + 1);
   struct walk_vector *const all[] = {&w->global_outer, &w->global_inner, &w->origin,
                                      &w->size,         &w->local,        &w->start};
   for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++)
      vector(all[i], s);
   SNAP_BELOW(s, w->count, WALK_FAR);
   SNAP_BELOW(s, w->index, w->count + 1);
   SNAP_BELOW(s, w->color, w->p.colors);
}

/* Where the last primitive stood, for diagnostics. */
static void
origin(struct media *m, struct snapshot *s)
{
   struct cs_command *c = &m->ts->from;
   uint32_t row = c->desc ? 1 + (uint32_t)(c->desc - hw_commands) : 0;
   SNAP_BELOW(s, row, hw_command_count + 1);
   SNAP(s, c->address);
   if (s->loading)
      *c = (struct cs_command){.cs = m->dev->cs[RCS],
                               .dev = m->dev,
                               .desc = row ? &hw_commands[row - 1] : NULL,
                               .address = c->address};
   snapshot_space(s, &c->space);
}

void
ts_snapshot(struct media *m, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct ts, 130744);
   struct ts *ts = m->ts;
   snapshot_room(s, "TS  ");
   if (s->loading)
      ts_reset(m);
   eu_env_snapshot(&ts->env, s);
   ts->env.spawner = ts_message;
   origin(m, s);
   for (unsigned i = 0; i < TS_MAX_THREADS; i++)
      thread(m, i, s);
   queues(m, s);
   if (s->loading)
      count_messages(ts, s);
   SNAP(s, ts->fence);
   SNAP(s, ts->fence_at_entry);
   SNAP(s, ts->next_id);
   SNAP_BELOW(s, ts->turn, TS_MAX_THREADS);
   SNAP_BELOW(s, ts->debt, UINT64_C(1) << 40);
   SNAP(s, ts->walking);
   if (ts->walking) {
      walker(&ts->walk, s);
      request(m, &ts->model, s);
      payload(&ts->model_payload, &ts->model, s);
   }
   SNAP(s, ts->prt_seen);
   SNAP_ARRAY(s, ts->prt_dw);
   SNAP(s, ts->dispatched);
   SNAP_BELOW(s, ts->peak, TS_MAX_THREADS + 1);
}
