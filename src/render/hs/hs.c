/* Hull shader threads: the instances of a patch, which may wait for each other. A patch is an item
 * of the walk; one host thread runs all of its threads in turn. */
#include "render/draw.h"

#include "eu/group.h"
#include "eu/snapshot.h"
#include "rules/plural.h"
#include "shared_functions/quick.h"
#include "shared_functions/urb.h"

#include <stdlib.h>

#define HS_COST 32u    /* of the budget, to make a thread */
#define HS_SLICE 4096u /* instructions of a thread at once, while others may wait for it */

struct hs_worker {
   struct dispatch_worker work;
   struct render *r;
   struct eu_thread *fresh; /* as they are dispatched; behind it, the threads */
   struct sf_buffers *buffers;
   struct eu_env env;
   struct eu_group group;
   struct eu_thread *thread[HS_INSTANCES];
   struct thread_place place[HS_INSTANCES];
   unsigned ended, patch;
   bool spoilt; /* P3D-091: a thread of it has failed */
   struct urb_inputs inputs;
};

/* ---- workers ----------------------------------------------------------------------------------
 */

static void
destroy(void *data)
{
   struct hs_worker *w = data;
   free(w->fresh);
   free(w->buffers);
   free(w);
}

static void *
create(void *data)
{
   size_t size = (1 + HS_INSTANCES) * sizeof(struct eu_thread);
   struct hs_worker *w = calloc(1, sizeof(*w));
   if (!w)
      return NULL;
   w->r = data;
   w->fresh = aligned_alloc(64, size);
   w->buffers = calloc(1, sizeof(*w->buffers));
   if (!w->fresh || !w->buffers) {
      destroy(w);
      return NULL;
   }
   memset(w->fresh, 0, size);
   for (unsigned i = 0; i < HS_INSTANCES; i++)
      w->thread[i] = w->fresh + 1 + i;
   return w;
}

static void
prepare(void *data)
{
   struct hs_worker *w = data;
   struct render *r = w->r;
   const struct hw_3dstate_hs *s = &r->state.hs;
   struct eu_thread *t = w->fresh;
   w->env = r->env;
   sf_buffers_walk(w->buffers, w->work.crew->state);
   eu_thread_init(t, &w->env, s->kernel_start_pointer, 0xff);
   t->ffid = GEN7_FIXED_FUNCTION_ID_HULL_SHADER;
   t->active = 0xff;
   t->sr0[0] = hw_put(GEN7_FIXED_FUNCTION_ID_HULL_SHADER, GEN7_STATE_REGISTER__FFID);
   t->sr0[2] = 0xff;
   t->sr0[3] = t->vector_mask;
   t->buffers = w->buffers;
   t->group = &w->group;
   t->cr0[1] =
       eu_exceptions(s->illegal_opcode_exception_enable, false, s->software_exception_enable);
   t->alt_mode = s->floating_point_mode != 0;
   t->single_program_flow = s->single_program_flow;
   t->binding_table = r->state.table_hs.pointer_to_binding_table;
   t->sampler_states = r->state.samplers_hs.pointer_to_sampler_state;
   t->sampler_count = s->sampler_count;
   unsigned first = s->dispatch_grf_start_register_for_urb_data;
   eu_thread_mark(t, 0, 1);
   if (s->include_vertex_handles)
      eu_thread_mark(t, 1, 4);
   eu_thread_mark(t, first, r->hs.constants);
   w->work.running = false;
}

static void
enter(void *data)
{
   struct hs_worker *w = data;
   sf_windows_forget(w->buffers);
}

/* ---- threads of a patch -----------------------------------------------------------------------
 */

/* P3D-107: behind the constants, two elements a register. */
static void
load_vertices(struct eu_thread *t, const struct render *r, const struct object *o)
{
   const struct hw_3dstate_hs *s = &r->state.hs;
   unsigned reg = s->dispatch_grf_start_register_for_urb_data + r->hs.constants, first = reg;
   for (unsigned i = 0; i < o->vertices; i++)
      for (unsigned e = 0; e < s->vertex_urb_entry_read_length && reg < EU_GRF_COUNT; e++, reg++) {
         unsigned slot = 2 * (s->vertex_urb_entry_read_offset + e);
         memset(eu_grf(t, reg), 0, 32);
         if (slot + 2 <= o->v[i]->vue_slots)
            memcpy(eu_grf(t, reg), o->v[i]->vue + 4 * slot, 32);
      }
   eu_thread_mark(t, first, reg - first);
}

static void
make_thread(struct hs_worker *w, unsigned i, const struct object *o)
{
   struct render *r = w->r;
   const struct hw_3dstate_hs *s = &r->state.hs;
   struct dispatcher *d = w->work.crew->d;
   struct eu_thread *t = w->thread[i];
   eu_thread_copy(t, w->fresh);
   thread_sit(t, &w->place[i]);
   t->group_index = (uint8_t)i;
   t->id = w->patch * w->group.thread_count + i;
   uint32_t *r0 = eu_grf(t, 0);
   /* P3D-100, P3D-101, P3D-102 */
   r0[0] = entry_handle(&r->hs.entries, w->patch);
   r0[1] = o->id;
   r0[2] =
       hw_put(i, GEN7_R0_HS__INSTANCE_NUMBER) | hw_put(w->group.barrier_id, GEN7_R0_HS__BARRIERID);
   r0[3] = r->state.samplers_hs.pointer_to_sampler_state | s->per_thread_scratch_space;
   r0[4] = r->state.table_hs.pointer_to_binding_table;
   r0[5] = (s->scratch_space_base_pointer +
            w->place[i].fftid * (1024u << s->per_thread_scratch_space)) |
           w->place[i].fftid;
   r0[6] = t->id & GEN7_R0_HS__THREAD_ID;
   r0[7] = 0;
   if (s->include_vertex_handles)
      for (unsigned k = 0; k < 32; k++)
         eu_grf(t, 1 + k / 8)[k % 8] = k < o->vertices ? o->v[k]->handle : 0;
   unsigned first = s->dispatch_grf_start_register_for_urb_data;
   if (r->hs.constants)
      memcpy(eu_grf(t, first), r->hs.row[first], r->hs.constants * (size_t)EU_REG_SIZE);
   if (s->vertex_urb_entry_read_length)
      load_vertices(t, r, o);
   thread_arrive(t, place_n0(d, &w->place[i]), place_port(d, &w->place[i]));
}

/* A patch takes its place; its threads are not made yet. */
static void
set_up_patch(struct hs_worker *w, unsigned patch)
{
   struct dispatcher *d = w->work.crew->d;
   unsigned instances = w->r->state.hs.instance_count + 1, most = dispatch_hardware_threads(d);
   w->patch = patch;
   w->ended = 0;
   w->group = (struct eu_group){.barrier_id = (uint8_t)(w->work.slot % 16),
                                .barrier_enabled = true,
                                .thread_count = instances,
                                .threads = w->thread,
                                .barrier_count = instances,
                                .inputs = &w->inputs};
   for (unsigned i = 0; i < instances; i++)
      w->place[i] = dispatch_place(d, (w->work.slot * instances + i) % most);
   const struct object *o = &w->r->hs.in->object[w->r->hs.first + w->patch];
   w->spoilt = false;
   w->inputs = (struct urb_inputs){.count = o->vertices};
   for (unsigned i = 0; i < o->vertices; i++)
      w->inputs.handle[i] = o->v[i]->handle;
}

static void
begin_patch(struct hs_worker *w, int64_t *budget)
{
   const struct hs *h = &w->r->hs;
   set_up_patch(w, (unsigned)w->work.next++);
   for (unsigned i = 0; i < w->group.thread_count; i++)
      make_thread(w, i, &h->in->object[h->first + w->patch]);
   *budget -= (int64_t)(HS_COST * w->group.thread_count);
   w->work.running = true;
}

static void
end_thread(struct hs_worker *w, unsigned i)
{
   w->group.state[i] = GROUP_ENDED;
   w->ended++;
   w->fresh->kernel = w->thread[i]->kernel;
   w->fresh->kernel_generation = w->thread[i]->kernel_generation;
   thread_keep_notifications(place_n0(w->work.crew->d, &w->place[i]), w->thread[i]);
}

/* One turn of a thread; true: it did something. */
static bool
step(struct hs_worker *w, unsigned i, int64_t *budget)
{
   struct eu_thread *t = w->thread[i];
   bool waited = w->group.state[i] == GROUP_WAITING;
   if (waited && !t->n0[0] && !t->n0[1] && !t->n0[2])
      return false;
   uint64_t before = t->instructions;
   uint32_t ip = t->ip;
   enum eu_stop stop = eu_run_inside(t, *budget < (int64_t)HS_SLICE ? (uint64_t)*budget : HS_SLICE);
   uint64_t used = t->instructions - before;
   *budget -= (int64_t)(used ? used : 1) + eu_thread_paid(t);
   w->group.state[i] = stop == EU_STOP_WAIT ? GROUP_WAITING : GROUP_READY;
   w->spoilt |= stop == EU_STOP_FAULT;
   if (stop == EU_STOP_EOT || stop == EU_STOP_FAULT)
      end_thread(w, i);
   return stop != EU_STOP_WAIT || !waited || used > 1 || t->ip != ip;
}

/* P3D-102: those who are left wait for each other, or for one that has ended. */
static void
give_up(struct hs_worker *w)
{
   struct dispatcher *d = w->work.crew->d;
   struct rule_place place = {.engine = "HS",
                              .subject = "hull shader",
                              .has_address = true,
                              .address =
                                  w->env.instruction_base + w->r->state.hs.kernel_start_pointer};
   bool stays = dispatch_stay_stuck(d);
   rule_report(d->dev, PERGOLA_ERROR, "P3D-102", &place,
               "the barrier of a patch expects %u message%s, %u %s come, and %u of %u threads %s "
               "ended; %s",
               w->group.barrier_message_count, plural(w->group.barrier_message_count),
               w->group.barrier_arrived, have(w->group.barrier_arrived), w->ended,
               w->group.thread_count, have(w->ended),
               stays ? "the engine stops" : "its threads are ended");
   w->spoilt = true;
   for (unsigned i = 0; !stays && i < w->group.thread_count; i++)
      if (w->group.state[i] != GROUP_ENDED)
         end_thread(w, i);
}

static void
run(void *data, int64_t *budget)
{
   struct hs_worker *w = data;
   struct dispatcher *d = w->work.crew->d;
   if (!w->work.running)
      begin_patch(w, budget);
   while (w->ended < w->group.thread_count) {
      bool progress = false;
      for (unsigned i = 0; i < w->group.thread_count; i++) {
         if (w->group.state[i] == GROUP_ENDED)
            continue;
         if (*budget <= 0 || rules_stopped(d->dev))
            return;
         progress |= step(w, i, budget);
      }
      if (progress || w->ended == w->group.thread_count)
         continue;
      give_up(w);
      if (dispatch_stuck(d))
         return;
   }
   if (w->spoilt) /* factors of 0: the patch is culled */
      memset(w->r->hs.entries.data + (size_t)w->patch * w->r->hs.entries.stride_B, 0, 32);
   w->work.running = false;
}

static void
snapshot(void *data, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct hs_worker, 792);
   struct hs_worker *w = data;
   unsigned patch = w->patch;
   if (!w->work.running)
      return;
   SNAP_BELOW(s, patch, w->work.crew->walk.items);
   snapshot_check(s, patch < w->r->hs.patches, "a patch that is not there");
   if (s->refused)
      return;
   if (s->loading)
      set_up_patch(w, patch);
   SNAP(s, w->spoilt);
   SNAP(s, w->inputs.released);
   eu_group_snapshot(&w->group, s);
   snapshot_check(s, !w->group.unmade, "a thread of a patch that is not made");
   for (unsigned i = 0; i < w->group.thread_count; i++) {
      bool ended = w->group.state[i] == GROUP_ENDED;
      if (s->loading)
         w->ended += ended;
      if (ended)
         continue;
      eu_thread_snapshot(w->thread[i], s);
      w->thread[i]->env = &w->env;
      w->thread[i]->group = &w->group;
      w->thread[i]->buffers = w->buffers;
      w->thread[i]->group_index = (uint8_t)i;
   }
   snapshot_check(s, w->ended < w->group.thread_count, "a patch that has ended");
}

static const struct dispatch_unit unit = {.create = create,
                                          .destroy = destroy,
                                          .prepare = prepare,
                                          .enter = enter,
                                          .run = run,
                                          .snapshot = snapshot};

/* ---- the unit ---------------------------------------------------------------------------------
 */

bool
hs_create(struct render *r)
{
   return dispatch_crew_init(&r->hs.crew, r->dev->dispatcher, &unit, r);
}

unsigned
hs_threads(struct render *r, pergola_thread_fn fn, void *data)
{
   unsigned count = 0;
   for (unsigned k = 0; k < r->hs.crew.workers; k++) {
      const struct hs_worker *w = (const struct hs_worker *)(const void *)r->hs.crew.worker[k];
      for (unsigned i = 0; w->work.running && i < w->group.thread_count; i++) {
         if (w->group.state[i] == GROUP_ENDED)
            continue;
         struct pergola_thread info = {
             .maker = "hull shader",
             .waits_for = w->group.state[i] == GROUP_WAITING ? "the barrier of its patch" : NULL};
         eu_thread_tell(w->thread[i], &info, fn, data);
         count++;
      }
   }
   return count;
}

bool
hs_begin(struct render *r)
{
   const struct hw_3dstate_hs *s = &r->state.hs;
   const struct hw_3dstate_urb_hs *u = &r->state.urb_hs;
   unsigned first = s->dispatch_grf_start_register_for_urb_data;
   entries_find(r, &r->hs.entries, URB_HS, u->urb_starting_address, u->urb_entry_allocation_size,
                u->number_of_urb_entries);
   if (!r->hs.entries.count) {
      render_report(r, PERGOLA_ERROR, "P3D-074",
                    "3DSTATE_URB_HS has no entry for a patch; nothing is drawn");
      return false;
   }
   r->hs.constants = STATE_CONSTANTS(r, &r->state.constant_hs, first, r->hs.row) - first;
   dispatch_state_changed(&r->hs.crew);
   return true;
}

/* Patches of the list from `first` on, as many as there are entries for. */
void
hs_walk(struct render *r, const struct object_list *in, unsigned first)
{
   struct hs *h = &r->hs;
   struct dispatch_walk *k = &h->crew.walk;
   unsigned left = in->count - first, instances = r->state.hs.instance_count + 1;
   h->in = in;
   h->first = first;
   h->patches = left < h->entries.count ? left : h->entries.count;
   k->items = h->patches;
   dispatch_set_threads(&h->crew, r->state.hs.maximum_number_of_threads + 1);
   k->slots = k->threads / instances < DISPATCH_SLOTS ? k->threads / instances : DISPATCH_SLOTS;
   if (k->slots > 16)
      k->slots = 16; /* as there are barriers */
   if (!k->slots)
      k->slots = 1;
   k->run = 1;
   k->whole = true;
   k->alone = r->dev->trace.wanted != 0;
   dispatch_begin(&h->crew);
   if (r->state.hs.statistics_enable) /* P3D-106 */
      render_count(r, REG_HS_INVOCATION_COUNT, h->patches);
}
