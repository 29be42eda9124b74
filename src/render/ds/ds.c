/* Domain shader threads: two points of one patch, each with its entry of the URB. */
#include "render/draw.h"

#include "shared_functions/urb.h"

#define DS_COST 16u
#define DS_RUN 32u /* pairs that a host thread shades in a row */

struct ds_worker {
   struct stage_worker w;
   unsigned pair; /* of the walk */
   uint64_t invocations;
};

static struct render *
render_of(const struct stage_worker *w)
{
   return w->crew->data;
}

static void
prepare(struct stage_worker *w)
{
   struct render *r = render_of(w);
   const struct hw_3dstate_ds *s = &r->state.ds;
   w->env = r->env;
   struct eu_thread *t =
       stage_fresh(w, 0, GEN7_FIXED_FUNCTION_ID_DOMAIN_SHADER, s->kernel_start_pointer, 0xff);
   t->cr0[1] =
       eu_exceptions(s->illegal_opcode_exception_enable, false, s->software_exception_enable);
   t->alt_mode = s->floating_point_mode != 0;
   t->binding_table = r->state.table_ds.pointer_to_binding_table;
   t->sampler_states = r->state.samplers_ds.pointer_to_sampler_state;
   t->sampler_count = s->sampler_count;
   unsigned first = s->dispatch_grf_start_register_for_urb_data;
   eu_thread_mark(t, 0, 2);
   eu_thread_mark(t, first, r->ds.constants + r->ds.read);
   w->common[0] = (struct stage_common){
       .first = first, .count = r->ds.constants, .row = (const uint32_t(*)[8])r->ds.row};
}

static inline bool
next(struct stage_worker *w)
{
   struct ds_worker *d = (struct ds_worker *)w;
   if (w->work.next >= w->work.end)
      return false;
   d->pair = (unsigned)w->work.next++;
   w->kernel = 0;
   return true;
}

/* P3D-128 */
static inline void
load_point(float *to, const struct te_point *p, bool w)
{
   to[0] = (float)p->u / 65536;
   to[1] = (float)p->v / 65536;
   to[2] = w ? (float)(int32_t)(TE_ONE - p->u - p->v) / 65536 : 0;
}

/* P3D-127: not interleaved. */
static inline void
load_patch(struct eu_thread *t, const struct render *r, unsigned patch)
{
   const struct hw_3dstate_ds *s = &r->state.ds;
   const struct entries *e = &r->hs.entries;
   const uint8_t *from = e->data + (size_t)patch * e->stride_B;
   unsigned reg = s->dispatch_grf_start_register_for_urb_data + r->ds.constants;
   for (unsigned i = 0; i < r->ds.read; i++) {
      size_t at = (s->patch_urb_entry_read_offset + i) * (size_t)EU_REG_SIZE;
      if (at + EU_REG_SIZE <= e->stride_B)
         memcpy(eu_grf(t, reg + i), from + at, EU_REG_SIZE);
      else
         memset(eu_grf(t, reg + i), 0, EU_REG_SIZE);
   }
}

static inline void
fill(struct stage_worker *w)
{
   struct ds_worker *d = (struct ds_worker *)w;
   const struct render *r = render_of(w);
   const struct hw_3dstate_ds *s = &r->state.ds;
   const struct ds_pair *p = &r->ds.pair[r->ds.first_pair + d->pair];
   const struct te_point *a = &r->ds.point[p->first], *b = &r->ds.point[p->first + p->both];
   uint32_t *r0 = eu_grf(w->t, 0), *r1 = eu_grf(w->t, 1);
   float at[8] = {0};
   w->t->id = r->ds.first_pair + d->pair;
   if (!p->both) /* P3D-129 */
      stage_channels(w->t, 0x0f);
   r0[0] = entry_handle(&r->ds.entries, 2 * d->pair);
   r0[1] = entry_handle(&r->ds.entries, 2 * d->pair + p->both);
   r0[2] = 0;
   r0[3] = r->state.samplers_ds.pointer_to_sampler_state | s->per_thread_scratch_space;
   r0[4] = r->state.table_ds.pointer_to_binding_table;
   r0[5] =
       (s->scratch_space_base_pointer + w->place.fftid * (1024u << s->per_thread_scratch_space)) |
       w->place.fftid;
   r0[6] = w->t->id & GEN7_R0_VERTICES__THREAD_ID;
   r0[7] = 0;
   load_point(at, a, s->compute_w_coordinate_enable);
   load_point(at + 4, b, s->compute_w_coordinate_enable);
   memcpy(r1, at, sizeof(at));
   r1[3] = entry_handle(&r->hs.entries, p->patch);
   r1[7] = r->hs.in->object[r->hs.first + p->patch].id;
   load_patch(w->t, r, p->patch);
   d->invocations += 1u + p->both;
}

static inline void
ended(struct stage_worker *w, enum eu_stop stop)
{
   const struct ds_worker *d = (const struct ds_worker *)w;
   const struct render *r = render_of(w);
   const struct entries *e = &r->ds.entries;
   if (__builtin_expect(stop == EU_STOP_EOT, 1))
      return;
   for (unsigned i = 0; i < 2; i++) /* both entries are the thread's */
      vertex_spoil((uint32_t *)(void *)(e->data + (size_t)(2 * d->pair + i) * e->stride_B));
}

static STAGE_VECTORS void
series(struct stage_worker *w, const struct eu_series *s, int64_t *budget)
{
   stage_series(w, s, budget, next, fill, ended, DS_COST);
}

static void
snapshot(struct stage_worker *w, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct ds_worker, 1568);
   struct ds_worker *d = (struct ds_worker *)w;
   if (w->thread != STAGE_NONE)
      SNAP_BELOW(s, d->pair, w->work.crew->walk.items);
}

/* P3D-131 */
static void
leave(struct stage_worker *w)
{
   struct ds_worker *d = (struct ds_worker *)w;
   struct render *r = render_of(w);
   if (r->state.ds.statistics_enable)
      render_count(r, REG_DS_INVOCATION_COUNT, d->invocations);
   d->invocations = 0;
}

const struct stage ds_stage = {.engine = "DS",
                               .maker = "domain shader",
                               .stuck_rule = "P3D-090",
                               .worker_size = sizeof(struct ds_worker),
                               .cost = DS_COST,
                               .prepare = prepare,
                               .next = next,
                               .fill = fill,
                               .ended = ended,
                               .series = series,
                               .leave = leave,
                               .snapshot = snapshot};

bool
ds_begin(struct render *r)
{
   const struct hw_3dstate_ds *s = &r->state.ds;
   const struct hw_3dstate_urb_ds *u = &r->state.urb_ds;
   unsigned first = s->dispatch_grf_start_register_for_urb_data;
   entries_find(r, &r->ds.entries, URB_DS, u->urb_starting_address, u->urb_entry_allocation_size,
                u->number_of_urb_entries);
   if (r->ds.entries.count < 10) { /* P3D-074 */
      render_report(r, PERGOLA_ERROR, "P3D-074",
                    "3DSTATE_URB_DS has %u of the 10 entries that are needed; nothing is drawn",
                    r->ds.entries.count);
      return false;
   }
   r->ds.constants = STATE_CONSTANTS(r, &r->state.constant_ds, first, r->ds.row) - first;
   unsigned room = EU_GRF_COUNT - first - r->ds.constants;
   r->ds.read = s->patch_urb_entry_read_length < room ? s->patch_urb_entry_read_length : room;
   dispatch_state_changed(&r->ds.crew.crew);
   return true;
}

/* Where a pair's vertices are: those of a walk have the entries in turn. */
uint8_t *
ds_entry(const struct ds *d, unsigned pair, unsigned k)
{
   return d->entries.data + (2 * (pair % ds_room(d)) + k) * (size_t)d->entries.stride_B;
}

void
ds_lay_out(struct ds *d, unsigned pair)
{
   const struct ds_pair *p = &d->pair[pair];
   for (unsigned k = 0; k <= p->both; k++) {
      uint8_t *at = ds_stored(d) ? d->store + (p->first + k) * (size_t)d->store_stride_B
                                 : ds_entry(d, pair, k);
      d->vertex[p->first + k] =
          (struct vertex){.vue = (uint32_t *)(void *)at,
                          .handle = entry_handle(&d->entries, 2 * (pair % ds_room(d)) + k),
                          .vue_slots = (uint16_t)(d->store_stride_B / 16),
                          .edge_flag = true};
   }
}

unsigned
ds_walk_pairs(const struct ds *d)
{
   unsigned left = d->pairs - d->first_pair;
   return left < ds_room(d) ? left : ds_room(d);
}

/* Pairs from `first` on, as many as there are entries for. */
void
ds_walk(struct render *r, unsigned first)
{
   struct ds *d = &r->ds;
   d->first_pair = first;
   d->walked = ds_walk_pairs(d);
   stage_begin(&d->crew, d->walked, r->state.ds.maximum_number_of_threads + 1, DS_RUN);
}
