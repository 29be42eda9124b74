/* Thread Spawner: queues, arbitration, retirement, and the loop that runs media threads in turn.
 * One order of execution for all of them: children, scoreboard and gateway make them depend on each
 * other. */
#include "media/start.h"
#include "eu/observe.h"
#include "media/ts.h"
#include "rules/plural.h"

#include <stdlib.h>
#include <string.h>

#define TS_SLICE 4096u

bool
ts_create(struct media *m)
{
   m->ts = calloc(1, sizeof(*m->ts));
   if (!m->ts)
      return false;
   m->ts->storage = aligned_alloc(64, TS_MAX_THREADS * sizeof(struct eu_thread));
   if (m->ts->storage)
      memset(m->ts->storage, 0, TS_MAX_THREADS * sizeof(struct eu_thread));
   return m->ts->storage != NULL;
}

void
ts_destroy(struct media *m)
{
   if (m->ts)
      free(m->ts->storage);
   free(m->ts);
   m->ts = NULL;
}

void
ts_reset(struct media *m)
{
   struct eu_thread *storage = m->ts->storage;
   memset(m->ts, 0, sizeof(*m->ts));
   m->ts->storage = storage;
}

bool
ts_idle(const struct media *m)
{
   const struct ts *ts = m->ts;
   return !ts->resident && !ts->root_count && !ts->message_count && !ts->walking;
}

bool
ts_dispatched_all(const struct media *m)
{
   return !m->ts->root_count && !m->ts->walking;
}

bool
ts_root_room(const struct media *m)
{
   return m->ts->root_count < TS_ROOT_QUEUE && !m->ts->walking;
}

/* MEDIA-384: a fence of type 1 lets no command into the pipe. */
bool
ts_entry_open(const struct media *m)
{
   return !(m->ts->fence && m->ts->fence_at_entry);
}

struct ts_request *
ts_enqueue(struct media *m, const struct ts_request *r, const struct ts_payload *payload)
{
   struct ts *ts = m->ts;
   unsigned i = (ts->root_head + ts->root_count++) % TS_ROOT_QUEUE;
   ts->root[i] = *r;
   memcpy(ts->root_payload[i].data, payload->data, (size_t)r->payload_rows * EU_REG_SIZE);
   return &ts->root[i];
}

struct eu_thread *
ts_gateway_thread(void *data, unsigned half_slice, unsigned eu, unsigned slot)
{
   const struct media *m = data;
   for (unsigned i = 0; i < TS_MAX_THREADS; i++) {
      const struct ts_thread *th = &m->ts->thread[i];
      if (th->state != TS_FREE && th->place.half_slice == half_slice && th->place.eu == eu &&
          th->place.slot == slot)
         return th->t;
   }
   return NULL;
}

bool
ts_send(struct media *m, struct eu_thread *t, const struct ts_message *message)
{
   struct ts *ts = m->ts;
   if (ts->message_count == TS_MESSAGES)
      return false;
   struct ts_message *q = &ts->message[(ts->message_head + ts->message_count++) % TS_MESSAGES];
   *q = *message;
   q->sender = (unsigned)(t->ts - ts->thread);
   q->sender_id = t->id;
   q->tree = t->ts->request.kind == TS_CHILD ? t->ts->request.tree : t->id;
   q->accepted = false;
   t->ts->unsent++;
   return true;
}

/* ---- retirement ------------------------------------------------------------------------------ */

/* MEDIA-312: the end of a thread is told to all that depend on it. */
static void
broadcast_end(struct ts *ts, unsigned fftid)
{
   for (unsigned i = 0; i < TS_MAX_THREADS; i++) {
      struct ts_thread *th = &ts->thread[i];
      if (th->state == TS_FREE)
         continue;
      for (unsigned n = 0; n < 8; n++)
         if (th->t->tdr[n] == (GEN7_THREAD_DEPENDENCY__VALID | fftid))
            th->t->tdr[n] = fftid;
   }
}

bool
ts_parents_run(const struct media *m)
{
   const struct ts *ts = m->ts;
   for (unsigned i = 0; i < TS_MAX_THREADS && ts->roots; i++) {
      const struct ts_thread *th = &ts->thread[i];
      if ((th->state == TS_RUNNING || th->state == TS_WAITING) && th->request.kind != TS_CHILD &&
          th->request.children)
         return true;
   }
   return false;
}

/* MEDIA-166, MEDIA-051: children that run or are still to start when their root ends. */
static void
check_children(struct media *m, const struct ts_thread *root)
{
   const struct ts *ts = m->ts;
   unsigned left = 0;
   for (unsigned i = 0; i < TS_MAX_THREADS; i++) {
      const struct ts_thread *th = &ts->thread[i];
      left += (th->state == TS_RUNNING || th->state == TS_WAITING) &&
              th->request.kind == TS_CHILD && th->request.tree == root->t->id;
   }
   for (unsigned i = 0; i < ts->message_count; i++) {
      const struct ts_message *q = &ts->message[(ts->message_head + i) % TS_MESSAGES];
      left += q->kind == TS_SPAWN_CHILD && q->tree == root->t->id;
   }
   struct rule_place place = {.engine = "TS",
                              .subject = "end of thread",
                              .has_address = true,
                              .address = ts->env.instruction_base + root->t->kernel_start};
   if (left)
      rule_report(m->dev, PERGOLA_WARNING, "MEDIA-166", &place,
                  "a root thread ends while %u of its children %s not", left, have(left));
}

static void
retire(struct media *m, struct ts_thread *th)
{
   struct ts *ts = m->ts;
   struct eu_thread *t = th->t;
   th->state = TS_FREE;
   ts->resident--;
   if (th->has_fftid) { /* MEDIA-165: thread slot, FFTID and with it the scratch space */
      ts->fftid_used[th->place.fftid / 64] &= ~(UINT64_C(1) << th->place.fftid % 64);
      ts->roots--;
      broadcast_end(ts, th->place.fftid);
   }
   thread_keep_notifications(place_n0(m->dev->dispatcher, &th->place), t);
   eu_announce_end(t, "TS");
}

/* A thread that did not end as it should: what it holds is taken back. */
static void
retire_by_force(struct media *m, struct ts_thread *th)
{
   if (th->holds_handle)
      vfe_handle_release(m, (unsigned)th->request.handle_index);
   retire(m, th);
}

/* It leaves its slot at once, or with the last of its messages that are on the way: they name the
 * slot. */
static void
leave_slot(struct media *m, struct ts_thread *th)
{
   if (th->unsent)
      th->state = TS_ENDING;
   else if (th->released)
      retire(m, th);
   else
      retire_by_force(m, th);
}

/* MEDIA-181 and MEDIA-187: what is among the first eight has been taken off the bus; a thread whose
 * end was taken has left its slot. */
static bool
accept_messages(struct media *m)
{
   struct ts *ts = m->ts;
   bool progress = false;
   for (unsigned i = 0; i < ts->message_count && i < TS_CHILD_QUEUE; i++) {
      struct ts_message *q = &ts->message[(ts->message_head + i) % TS_MESSAGES];
      if (q->accepted)
         continue;
      q->accepted = progress = true;
      struct ts_thread *th = &ts->thread[q->sender];
      th->unsent--;
      if (!th->unsent && th->state == TS_ENDING) {
         if (th->released && th->has_fftid)
            check_children(m, th);
         leave_slot(m, th);
      }
   }
   return progress;
}

/* ---- arbitration ----------------------------------------------------------------------------- */

static void
pop_message(struct ts *ts)
{
   ts->message_head = (ts->message_head + 1) % TS_MESSAGES;
   ts->message_count--;
}

static void
pop_root(struct ts *ts)
{
   ts->root_head = (ts->root_head + 1) % TS_ROOT_QUEUE;
   ts->root_count--;
}

/* MEDIA-265: while a persistent root is asked to leave no other root starts. */
static bool
leaving(const struct media *m)
{
   if (!gpgpu_preemption_asked(m))
      return false;
   for (unsigned i = 0; i < TS_MAX_THREADS; i++)
      if (m->ts->thread[i].state != TS_FREE && m->ts->thread[i].request.kind == TS_PERSISTENT)
         return true;
   return false;
}

/* The head of the root queue, if nothing but a spawn message could hold it. -1: held. */
static int
root_slot(const struct media *m)
{
   const struct ts *ts = m->ts;
   const struct ts_request *r = &ts->root[ts->root_head];
   /* MEDIA-180: as many roots as the state allows. */
   if (ts->fence || ts->roots >= m->vfe.max_threads || leaving(m) || scoreboard_holds(m, r))
      return -1;
   return ts_free_slot(m, r->half_slice);
}

static bool
serve_spawn_root(struct media *m, const struct ts_message *q)
{
   struct ts *ts = m->ts;
   if (ts->fence) { /* MEDIA-284: the first such message lifts the fence */
      ts->fence = ts->fence_at_entry = false;
      return true;
   }
   /* MEDIA-174: waits for a synchronized root at the head of the other queue. */
   if (!ts->root_count || !ts->root[ts->root_head].synchronized)
      return false;
   int slot = root_slot(m); /* MEDIA-176: the scoreboard has its say as well */
   if (slot < 0)
      return false;
   struct ts_request r = ts->root[ts->root_head];
   r.spawned = true;
   r.spawn_handle = q->handle;
   r.spawn_offset = q->offset;
   r.spawn_length = q->length;
   ts_dispatch(m, &r, &ts->root_payload[ts->root_head], slot);
   pop_root(ts);
   return true;
}

static bool
serve_spawn_child(struct media *m, const struct ts_message *q)
{
   static const struct ts_payload none;
   int slot = ts_free_slot(m, 0);
   if (slot < 0)
      return false;
   struct ts_request r = {.kind = TS_CHILD,
                          .descriptor = q->descriptor,
                          .color = q->color,
                          .handle_index = -1,
                          .spawned = true,
                          .spawn_handle = q->handle,
                          .spawn_offset = q->offset,
                          .spawn_length = q->length,
                          .parent = q->sender_id,
                          .tree = q->tree};
   ts_dispatch(m, &r, &none, slot);
   return true;
}

/* MEDIA-190: the child queue first; it waits for the root queue only with a spawn-root at its head.
 */
static bool
serve_queues(struct media *m)
{
   struct ts *ts = m->ts;
   bool progress = false;
   while (ts->message_count) {
      const struct ts_message q = ts->message[ts->message_head];
      bool served = q.kind == TS_TERMINATE     ? q.accepted
                    : q.kind == TS_SPAWN_CHILD ? q.accepted && serve_spawn_child(m, &q)
                                               : q.accepted && serve_spawn_root(m, &q);
      if (!served)
         break;
      pop_message(ts);
      accept_messages(m);
      progress = true;
   }
   for (;;) {
      if (ts->walking && ts->root_count < TS_ROOT_QUEUE)
         progress |= media_walk_feed(m);
      if (!ts->root_count || ts->root[ts->root_head].synchronized)
         break;
      int slot = root_slot(m);
      if (slot < 0)
         break;
      ts_dispatch(m, &ts->root[ts->root_head], &ts->root_payload[ts->root_head], slot);
      pop_root(ts);
      progress = true;
   }
   return progress;
}

/* ---- the loop -------------------------------------------------------------------------------- */

static void
ended(struct media *m, struct ts_thread *th)
{
   if (th->released) {
      leave_slot(m, th);
      return;
   }
   struct rule_place place = {.engine = "TS",
                              .subject = "end of thread",
                              .has_address = true,
                              .address = m->ts->env.instruction_base + th->t->kernel_start};
   if (th->request.kind == TS_CHILD) /* MEDIA-476 */
      rule_report(m->dev, PERGOLA_NOTE, "MEDIA-476", &place,
                  "a child thread ended with a message that did not go to the thread spawner");
   else
      rule_report(m->dev, PERGOLA_ERROR, "MEDIA-261", &place,
                  "a root thread ended without a dereference message to the thread spawner; its "
                  "resources are taken back all the same");
   leave_slot(m, th);
}

/* What messages of threads have cost, as far as this turn's budget goes. */
static void
pay(struct ts *ts, uint64_t *budget)
{
   uint64_t part = ts->debt < *budget ? ts->debt : *budget;
   ts->debt -= part;
   *budget -= part;
}

static bool
run_thread(struct media *m, struct ts_thread *th, uint64_t *budget)
{
   struct eu_thread *t = th->t;
   uint64_t before = t->instructions;
   uint32_t ip = t->ip;
   bool waited = th->state == TS_WAITING;
   enum eu_stop stop = m->run(t, *budget < TS_SLICE ? *budget : TS_SLICE);
   uint64_t used = t->instructions - before;
   m->ts->debt += eu_thread_paid(t);
   *budget -= used > *budget ? *budget : used ? used : 1;
   pay(m->ts, budget);
   switch (stop) {
   case EU_STOP_EOT:
      ended(m, th);
      return true;
   case EU_STOP_FAULT:
      leave_slot(m, th);
      return true;
   case EU_STOP_WAIT:
      th->state = TS_WAITING;
      return !waited || used > 1 || t->ip != ip;
   default:
      th->state = TS_RUNNING;
      return true;
   }
}

/* MEDIA-265: a persistent root hears of the switch when it is the last root in flight. */
static void
interrupt_persistent(struct media *m)
{
   if (!leaving(m) || m->ts->roots != 1)
      return;
   for (unsigned i = 0; i < TS_MAX_THREADS; i++) {
      struct ts_thread *th = &m->ts->thread[i];
      if (th->state != TS_FREE && th->request.kind == TS_PERSISTENT)
         th->t->cr0[1] |= GEN7_CONTROL_REGISTER__FORCED_EXCEPTION;
   }
}

static bool
run_threads(struct media *m, uint64_t *budget)
{
   struct ts *ts = m->ts;
   bool progress = false;
   for (unsigned n = 0; n < TS_MAX_THREADS && *budget; n++) {
      struct ts_thread *th = &ts->thread[ts->turn];
      ts->turn = (ts->turn + 1) % TS_MAX_THREADS;
      /* A thread whose message still waits on the bus cannot send another: it stands still. */
      if ((th->state == TS_RUNNING || th->state == TS_WAITING) && !th->unsent)
         progress |= run_thread(m, th, budget);
   }
   return progress;
}

static enum cs_result
run_until(struct media *m, uint64_t *budget, bool (*until)(const struct media *m))
{
   while (!until(m) && !ts_idle(m)) {
      if (rules_stopped(m->dev) || dispatch_stuck(m->dev->dispatcher))
         return CS_ERROR;
      if (!*budget)
         return CS_AGAIN;
      bool progress = accept_messages(m);
      progress |= serve_queues(m);
      if (until(m))
         break;
      interrupt_persistent(m);
      progress |= run_threads(m, budget);
      if (!progress && *budget)
         ts_deadlock(m);
   }
   return CS_DONE;
}

enum cs_result
ts_run(struct media *m, uint64_t *budget, bool (*until)(const struct media *m))
{
   uint32_t host_modes = eu_enter(m->dev->eu);
   pay(m->ts, budget);
   enum cs_result r = run_until(m, budget, until);
   eu_leave(m->dev->eu, host_modes);
   return r;
}

/* ---- deadlock -------------------------------------------------------------------------------- */

static const char *
queue_story(const struct media *m)
{
   const struct ts *ts = m->ts;
   if (ts->fence)
      return "a persistent root's fence was never lifted";
   if (ts->message_count >= TS_CHILD_QUEUE && ts->resident)
      return "the child queue is full and no thread can end";
   if (ts->message_count && ts->message[ts->message_head].kind == TS_SPAWN_ROOT)
      return "a spawn-root message waits for a synchronized root";
   if (ts->root_count && ts->root[ts->root_head].synchronized)
      return "a synchronized root waits for a spawn-root message";
   if (ts->root_count && scoreboard_holds(m, &ts->root[ts->root_head]))
      return "the scoreboard holds the next root";
   if (ts->walking && !ts->root_count)
      return "a walker waits for a URB handle";
   if (ts->root_count)
      return "a root waits for a thread slot";
   return "threads wait for notifications";
}

void
ts_deadlock(struct media *m)
{
   struct ts *ts = m->ts;
   unsigned waiting = 0, ending = 0, blocked = 0;
   uint32_t first = 0;
   for (unsigned i = 0; i < TS_MAX_THREADS; i++) {
      const struct ts_thread *th = &ts->thread[i];
      if (th->state == TS_WAITING && !waiting++)
         first = th->t->id;
      ending += th->state == TS_ENDING;
      blocked += th->state != TS_FREE && th->unsent != 0;
   }
   struct rule_place place = {.engine = "TS", .subject = "deadlock"};
   rule_report(
       m->dev, PERGOLA_ERROR, "MEDIA-268", &place,
       "nothing can go on: %s; %u thread%s in slots, of which %u wait for a notification "
       "(first: thread %u), %u cannot end and %u cannot send; %u root%s and %u message%s are "
       "queued; %s",
       queue_story(m), ts->resident, plural(ts->resident), waiting, first, ending, blocked,
       ts->root_count, plural(ts->root_count), ts->message_count, plural(ts->message_count),
       m->dev->config.deadlocks_hang ? "the engine stops" : "all are ended");
   if (dispatch_stay_stuck(m->dev->dispatcher))
      return;
   for (unsigned i = 0; i < TS_MAX_THREADS; i++)
      if (ts->thread[i].state != TS_FREE)
         retire_by_force(m, &ts->thread[i]);
   ts->message_count = ts->root_count = 0;
   ts->walking = ts->fence = ts->fence_at_entry = false;
   memset(m->vfe.handle_busy, 0, sizeof(m->vfe.handle_busy));
}

bool
ts_group_fits(const struct media *m, const struct kernel_state *k)
{
   const struct ts *ts = m->ts;
   unsigned per = m->dev->sku.eus_per_half_slice * m->dev->sku.threads_per_eu;
   unsigned need = k->d.number_of_threads_in_gpgpu_thread_group;
   for (unsigned h = 0; h < m->dev->sku.half_slices; h++) {
      unsigned free_slots = 0;
      for (unsigned i = h * per; i < (h + 1) * per && i < TS_MAX_THREADS; i++)
         free_slots += ts->thread[i].state == TS_FREE;
      if (free_slots >= need)
         return true;
   }
   return false;
}
