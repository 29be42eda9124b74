/* Geometry shader threads: one or two objects, or instances of one, each with an entry of the URB
 * that its vertices go to. */
#include "render/draw.h"

#include "shared_functions/urb.h"

#define GS_COST 24u
#define GS_RUN 16u /* threads that a host thread runs in a row */

#define SINGLE GEN7_3DSTATE_GS_DISPATCH_MODE_SINGLE
#define DUAL_OBJECT GEN7_3DSTATE_GS_DISPATCH_MODE_DUAL_OBJECT

struct gs_worker {
   struct stage_worker w;
   unsigned number; /* of the thread, in the walk */
};

static struct render *
render_of(const struct stage_worker *w)
{
   return w->crew->data;
}

/* ---- what a thread has ------------------------------------------------------------------------
 */

const struct object *
gs_slot_object(const struct render *r, unsigned thread, unsigned slot, unsigned *instance)
{
   const struct gs *g = &r->gs;
   unsigned object;
   if (r->state.gs.dispatch_mode == DUAL_OBJECT) { /* P3D-136 */
      object = 2 * thread + slot;
      *instance = 0;
   } else {
      unsigned threads = (g->instances + g->per_thread - 1) / g->per_thread;
      object = thread / threads;
      *instance = thread % threads * g->per_thread + slot; /* P3D-135 */
      if (*instance >= g->instances)
         return NULL;
   }
   return object < g->in->count ? &g->in->object[object] : NULL;
}

/* P3D-144, P3D-142: vertices as a thread has them. */
static unsigned
input_vertices(const struct hw_3dstate_gs *s, const struct object *o)
{
   static const uint8_t inner[] = {[OBJECT_POINT] = 1, [OBJECT_LINE] = 2, [OBJECT_TRIANGLE] = 3};
   return s->discard_adjacency && o->kind <= OBJECT_TRIANGLE ? inner[o->kind] : o->vertices;
}

static const struct vertex *
input_vertex(const struct hw_3dstate_gs *s, const struct object *o, unsigned i)
{
   /* Odd triangles of strips: the leading vertex stays the first, or the trailing one the last. */
   static const uint8_t leading[3] = {0, 2, 1}, trailing[3] = {1, 0, 2};
   bool odd = o->odd && o->kind == OBJECT_TRIANGLE;
   if (o->vertices == 6 && !s->discard_adjacency)
      return o->v[odd && s->reorder_mode ? (i + 4) % 6 : i]; /* P3D-143 */
   if (o->kind == OBJECT_PATCH || !(s->discard_adjacency || odd))
      return o->v[i];
   return o->v[o->inner[!odd ? i : s->reorder_mode ? trailing[i] : leading[i]]];
}

static void
load_element(uint32_t *to, const struct vertex *v, unsigned slot)
{
   if (slot < v->vue_slots)
      memcpy(to, v->vue + 4 * slot, 16);
   else
      memset(to, 0, 16);
}

/* P3D-134, P3D-136: two elements of a vertex a register, or one of both objects. */
static void
load_vertices(struct eu_thread *t, const struct render *r, const struct object *const o[2],
              unsigned reg)
{
   const struct hw_3dstate_gs *s = &r->state.gs;
   unsigned length = 2 * s->vertex_urb_entry_read_length,
            first = 2 * s->vertex_urb_entry_read_offset, count = input_vertices(s, o[0]);
   bool interleaved = s->dispatch_mode == DUAL_OBJECT;
   for (unsigned i = 0; i < count; i++) {
      const struct vertex *a = input_vertex(s, o[0], i), *b = input_vertex(s, o[1], i);
      for (unsigned e = 0; e < length; e += interleaved ? 1 : 2, reg++) {
         if (reg >= EU_GRF_COUNT)
            return; /* reported by gs_begin() */
         load_element(eu_grf(t, reg), a, first + e);
         load_element(eu_grf(t, reg) + 4, interleaved ? b : a, first + e + !interleaved);
      }
   }
   eu_thread_mark(t, r->gs.first_vertex, reg - r->gs.first_vertex);
}

/* P3D-140: behind R1, eight a register, those of slot 0 first. */
static void
load_handles(struct eu_thread *t, const struct render *r, const struct object *const o[2],
             unsigned reg)
{
   const struct hw_3dstate_gs *s = &r->state.gs;
   unsigned count = input_vertices(s, o[0]), slots = s->dispatch_mode == DUAL_OBJECT ? 2 : 1;
   for (unsigned k = 0, n = 0; k < slots; k++)
      for (unsigned i = 0; i < count && reg + n / 8 < EU_GRF_COUNT; i++, n++)
         eu_grf(t, reg + n / 8)[n % 8] = input_vertex(s, o[k], i)->handle;
   eu_thread_mark(t, reg, (slots * count + 7) / 8);
}

/* ---- the stage --------------------------------------------------------------------------------
 */

static void
prepare(struct stage_worker *w)
{
   struct render *r = render_of(w);
   const struct hw_3dstate_gs *s = &r->state.gs;
   w->env = r->env;
   struct eu_thread *t = stage_fresh(w, 0, GEN7_FIXED_FUNCTION_ID_GEOMETRY_SHADER,
                                     s->kernel_start_pointer, r->gs.per_thread == 2 ? 0xff : 0x0f);
   t->cr0[1] = eu_exceptions(s->illegal_opcode_exception_enable, s->mask_stack_exception_enable,
                             s->software_exception_enable);
   t->alt_mode = s->floating_point_mode != 0;
   t->single_program_flow = s->single_program_flow;
   t->binding_table = r->state.table_gs.pointer_to_binding_table;
   t->sampler_states = r->state.samplers_gs.pointer_to_sampler_state;
   t->sampler_count = s->sampler_count;
   unsigned first = s->dispatch_grf_start_register_for_urb_data;
   eu_thread_mark(t, 0, 1);
   eu_thread_mark(t, first, r->gs.constants);
   w->common[0] = (struct stage_common){
       .first = first, .count = r->gs.constants, .row = (const uint32_t(*)[8])r->gs.row};
}

static inline bool
next(struct stage_worker *w)
{
   struct gs_worker *g = (struct gs_worker *)w;
   if (w->work.next >= w->work.end)
      return false;
   g->number = (unsigned)w->work.next++;
   w->kernel = 0;
   return true;
}

static inline void
fill(struct stage_worker *w)
{
   struct render *r = render_of(w);
   struct gs *g = &r->gs;
   const struct hw_3dstate_gs *s = &r->state.gs;
   unsigned number = ((struct gs_worker *)w)->number, instance[2] = {0, 0};
   const struct object *o[2];
   for (unsigned k = 0; k < 2; k++)
      o[k] = k < g->per_thread ? gs_slot_object(r, g->first + number, k, &instance[k]) : NULL;
   if (!o[1]) {
      o[1] = o[0];
      instance[1] = instance[0];
      if (g->per_thread == 2)
         stage_channels(w->t, 0x0f);
   }
   bool both = w->t->dispatch_mask == 0xff;
   uint32_t *r0 = eu_grf(w->t, 0);
   unsigned entry = number * g->per_thread;
   w->t->id = g->first + number;
   w->t->urb_end = 0;
   /* P3D-138 */
   r0[0] = hw_put(instance[0], GEN7_R0_GS__INSTANCE_ID_0) | entry_handle(&g->entries, entry);
   r0[1] = hw_put(instance[1], GEN7_R0_GS__INSTANCE_ID_1) | entry_handle(&g->entries, entry + both);
   r0[2] = hw_put(s->hint, GEN7_R0_GS__HINT) |
           hw_put(o[0]->topology, GEN7_R0_GS__TOPOLOGY); /* P3D-141 */
   r0[3] = r->state.samplers_gs.pointer_to_sampler_state | s->per_thread_scratch_space;
   r0[4] = r->state.table_gs.pointer_to_binding_table;
   r0[5] =
       (s->scratch_space_base_pointer + w->place.fftid * (1024u << s->per_thread_scratch_space)) |
       w->place.fftid;
   r0[6] = (g->first + number) & GEN7_R0_GS__THREAD_ID;
   r0[7] = 0;
   if (s->include_primitive_id) { /* P3D-139 */
      for (unsigned i = 0; i < 8; i++)
         eu_grf(w->t, 1)[i] = o[i / 4]->id;
      eu_thread_mark(w->t, 1, 1);
   }
   if (s->include_vertex_handles)
      load_handles(w->t, r, o, 1 + s->include_primitive_id);
   load_vertices(w->t, r, o, g->first_vertex);
   if (s->control_data_header_size)
      for (unsigned k = 0; k <= both; k++)
         memset(g->entries.data + (size_t)(entry + k) * g->entries.stride_B, 0,
                g->entries.stride_B < s->control_data_header_size * 32u
                    ? g->entries.stride_B
                    : s->control_data_header_size * 32u);
}

/* P3D-146 */
static inline void
ended(struct stage_worker *w, enum eu_stop stop)
{
   struct gs *g = &render_of(w)->gs;
   uint32_t counts = w->t->dispatch_mask == 0xff ? w->t->urb_end : w->t->urb_end & 0xffff;
   g->ended[((struct gs_worker *)w)->number] = stop == EU_STOP_EOT ? counts : 0;
}

static STAGE_VECTORS void
series(struct stage_worker *w, const struct eu_series *s, int64_t *budget)
{
   stage_series(w, s, budget, next, fill, ended, GS_COST);
}

static void
snapshot(struct stage_worker *w, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct gs_worker, 1568);
   struct gs_worker *g = (struct gs_worker *)w;
   if (w->thread != STAGE_NONE)
      SNAP_BELOW(s, g->number, w->work.crew->walk.items);
}

const struct stage gs_stage = {.engine = "GS",
                               .maker = "geometry shader",
                               .stuck_rule = "P3D-090",
                               .worker_size = sizeof(struct gs_worker),
                               .cost = GS_COST,
                               .prepare = prepare,
                               .next = next,
                               .fill = fill,
                               .ended = ended,
                               .series = series,
                               .snapshot = snapshot};

/* ---- walks ------------------------------------------------------------------------------------
 */

void
gs_begin_list(struct render *r, const struct object_list *in)
{
   struct gs *g = &r->gs;
   unsigned each = (g->instances + g->per_thread - 1) / g->per_thread;
   g->in = in;
   g->first = 0;
   g->all = r->state.gs.dispatch_mode == DUAL_OBJECT ? (in->count + 1) / 2 : in->count * each;
}

static void
count_list(struct render *r, const struct object_list *in)
{
   if (r->state.gs.statistics_enable) /* P3D-153 */
      render_count(r, REG_GS_INVOCATION_COUNT,
                   (uint64_t)in->count * (r->state.gs.gs_invocations_increment_value + 1));
}

unsigned
gs_walk_threads(const struct gs *g)
{
   unsigned room = g->entries.count / g->per_thread, left = g->all - g->first;
   return left < room ? left : room;
}

static void
begin_walk(struct render *r)
{
   struct gs *g = &r->gs;
   g->threads = gs_walk_threads(g);
   stage_begin(&g->crew, g->threads, r->state.gs.maximum_number_of_threads + 1, GS_RUN);
   g->walking = true;
}

static enum cs_result
run(struct render *r, struct pipe_stage *self, const struct object_list *in, uint64_t *budget)
{
   struct gs *g = &r->gs;
   enum cs_result result;
   if (!self->at) {
      gs_begin_list(r, in);
      count_list(r, in);
      self->at = 1;
   }
   while (g->first < g->all) {
      if (!g->emitting) {
         if (!g->walking)
            begin_walk(r);
         if ((result = render_dispatch(&g->crew.crew, budget)) != CS_DONE)
            return result;
         g->walking = false;
         g->emitting = true;
         gs_emit_begin(r);
      }
      if ((result = gs_emit(r, budget)) != CS_DONE)
         return result;
      g->emitting = false;
      g->first += g->threads;
   }
   self->at = 0;
   return CS_DONE;
}

static void
read_constants(struct render *r)
{
   unsigned first = r->state.gs.dispatch_grf_start_register_for_urb_data;
   r->gs.first_vertex = STATE_CONSTANTS(r, &r->state.constant_gs, first, r->gs.row);
   r->gs.constants = r->gs.first_vertex - first;
}

bool
gs_begin(struct render *r)
{
   struct gs *g = &r->gs;
   const struct hw_3dstate_gs *s = &r->state.gs;
   const struct hw_3dstate_urb_gs *u = &r->state.urb_gs;
   g->instances = s->instance_control + 1;
   g->per_thread = s->dispatch_mode == SINGLE ? 1 : 2;
   if (s->dispatch_mode == DUAL_OBJECT && s->instance_control) { /* P3D-137 */
      render_report(r, PERGOLA_ERROR, "P3D-137",
                    "DUAL_OBJECT with %u instances of an object; one of each is made",
                    g->instances);
      g->instances = 1;
   }
   if (!topology_known(s->output_topology) || s->output_topology >= PATCHLIST_1) {
      render_report(r, PERGOLA_ERROR, "P3D-152",
                    "Output Topology %u is none of a geometry shader; nothing is drawn",
                    s->output_topology);
      return false;
   }
   entries_find(r, &g->entries, URB_GS, u->urb_starting_address, u->urb_entry_allocation_size,
                u->number_of_urb_entries);
   if (g->entries.count > GS_SLOTS)
      g->entries.count = GS_SLOTS;
   if (g->entries.count < g->per_thread) {
      render_report(r, PERGOLA_ERROR, "P3D-074",
                    "3DSTATE_URB_GS has too few entries for a thread (%u); nothing is drawn",
                    g->entries.count);
      return false;
   }
   read_constants(r);
   dispatch_state_changed(&g->crew.crew);
   g->stage = (struct pipe_stage){.name = "GS", .run = run, .out = &g->out};
   return true;
}

void
gs_reset(struct render *r)
{
   struct gs *g = &r->gs;
   stage_drop(&g->crew);
   g->walking = g->emitting = false;
   g->out.count = 0;
}
