/* Vertex shader threads: pairs of vertices, SIMD4x2, each with its entry of the URB. */
#include "render/vs/vs.h"

#include "shared_functions/urb.h"

#define VS_RUN 32u /* pairs that a host thread shades in a row */

static struct render *
render_of(const struct stage_worker *w)
{
   return w->crew->data;
}

static void
prepare(struct stage_worker *w)
{
   struct render *r = render_of(w);
   const struct hw_3dstate_vs *s = &r->state.vs;
   w->env = r->env;
   struct eu_thread *t =
       stage_fresh(w, 0, GEN7_FIXED_FUNCTION_ID_VERTEX_SHADER, s->kernel_start_pointer, 0xff);
   /* P3D-087 */
   t->cr0[1] =
       eu_exceptions(s->illegal_opcode_exception_enable, false, s->software_exception_enable);
   t->alt_mode = s->floating_point_mode != 0;
   t->binding_table = r->state.table_vs.pointer_to_binding_table;
   t->sampler_states = r->state.samplers_vs.pointer_to_sampler_state;
   t->sampler_count = s->sampler_count;
   unsigned first = s->dispatch_grf_start_register_for_urb_data, count = r->vs.constants;
   eu_thread_mark(t, 0, 1);
   eu_thread_mark(t, first, count + r->vs.read);
   w->common[0] = (struct stage_common){
       .first = first, .count = count, .row = (const uint32_t(*)[8])r->vs.row, .lasts = first > 0};
}

static inline bool
next(struct stage_worker *w)
{
   struct vs_worker *v = (struct vs_worker *)w;
   if (w->work.next >= w->work.end)
      return false;
   v->pair = (unsigned)w->work.next++;
   w->kernel = 0;
   return true;
}

bool
vs_next(struct stage_worker *w)
{
   return next(w);
}

/* P3D-094: GRF j behind the constants has slot j of both vertices. */
static inline void
load_vertices(struct eu_thread *t, const struct render *r, const struct vertex *a,
              const struct vertex *b)
{
   const struct hw_3dstate_vs *s = &r->state.vs;
   unsigned reg = s->dispatch_grf_start_register_for_urb_data + r->vs.constants,
            slot = 2 * s->vertex_urb_entry_read_offset;
   for (unsigned j = 0; j < r->vs.read; j++, slot++) {
      uint32_t *to = eu_grf(t, reg + j);
      if (slot < a->vue_slots) {
         memcpy(to, a->vue + 4 * slot, 16);
         memcpy(to + 4, b->vue + 4 * slot, 16);
      } else {
         memset(to, 0, 32);
      }
   }
}

/* The entry of the URB of a vertex that is kept elsewhere. */
static inline uint8_t *
entry_of(const struct render *r, const struct vertex *v)
{
   return r->vf.urb + (size_t)(v->handle - r->vf.first_handle) * URB_HANDLE_UNIT;
}

static inline void
fill(struct stage_worker *w)
{
   struct vs_worker *v = (struct vs_worker *)w;
   const struct render *r = render_of(w);
   const struct hw_3dstate_vs *s = &r->state.vs;
   unsigned per = s->single_vertex_dispatch ? 1 : 2, entry = r->vs.first + per * v->pair;
   bool both = per == 2 && entry + 1 < r->vf.used; /* P3D-095 */
   const struct vertex *a = &r->vf.vertex[entry], *b = &r->vf.vertex[entry + both];
   uint32_t *r0 = eu_grf(w->t, 0);
   w->t->id = v->pair;
   if (!both)
      stage_channels(w->t, 0x0f);
   /* P3D-086 */
   r0[0] = a->handle;
   r0[1] = b->handle;
   r0[2] = 0;
   r0[3] = r->state.samplers_vs.pointer_to_sampler_state | s->per_thread_scratch_space;
   r0[4] = r->state.table_vs.pointer_to_binding_table;
   r0[5] =
       (s->scratch_space_base_pointer + w->place.fftid * (1024u << s->per_thread_scratch_space)) |
       w->place.fftid;
   r0[6] = v->pair & GEN7_R0_VERTICES__THREAD_ID;
   r0[7] = 0;
   load_vertices(w->t, r, a, b);
   for (const struct vertex *k = a; r->vf.stored && k <= b; k++)
      memcpy(entry_of(r, k), k->vue, r->vf.stride_B);
   v->invocations += 1 + both;
}

static inline void
ended(struct stage_worker *w, enum eu_stop stop)
{
   const struct vs_worker *v = (const struct vs_worker *)w;
   const struct render *r = render_of(w);
   bool good = stop == EU_STOP_EOT;
   if (__builtin_expect(good && !r->vf.stored, 1))
      return;
   unsigned per = r->state.vs.single_vertex_dispatch ? 1 : 2;
   for (unsigned i = r->vs.first + per * v->pair, k = 0; k < per && i < r->vf.used; i++, k++) {
      const struct vertex *at = &r->vf.vertex[i];
      if (good)
         memcpy(at->vue, entry_of(r, at), r->vf.stride_B);
      else
         vertex_spoil(at->vue);
   }
}

static STAGE_VECTORS void
series(struct stage_worker *w, const struct eu_series *s, int64_t *budget)
{
   if (vs_wide((struct vs_worker *)w, budget))
      return;
   stage_series(w, s, budget, next, fill, ended, VS_COST);
}

static void
snapshot(struct stage_worker *w, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct vs_worker, 67104);
   struct vs_worker *v = (struct vs_worker *)w;
   if (w->thread != STAGE_NONE)
      SNAP_BELOW(s, v->pair, w->work.crew->walk.items);
}

static void
leave(struct stage_worker *w)
{
   struct vs_worker *v = (struct vs_worker *)w;
   struct render *r = render_of(w);
   if (r->state.vs.statistics_enable) /* P3D-097 */
      render_count(r, REG_VS_INVOCATION_COUNT, v->invocations);
   v->invocations = 0;
}

const struct stage vs_stage = {.engine = "VS",
                               .maker = "vertex shader",
                               .stuck_rule = "P3D-090",
                               .worker_size = sizeof(struct vs_worker),
                               .cost = VS_COST,
                               .prepare = prepare,
                               .next = next,
                               .fill = fill,
                               .ended = ended,
                               .series = series,
                               .leave = leave,
                               .snapshot = snapshot};

void
vs_begin(struct render *r)
{
   const struct hw_3dstate_vs *s = &r->state.vs;
   unsigned first = s->dispatch_grf_start_register_for_urb_data;
   r->vs.constants = STATE_CONSTANTS(r, &r->state.constant_vs, first, r->vs.row) - first;
   unsigned room = EU_GRF_COUNT - first - r->vs.constants,
            read = 2 * s->vertex_urb_entry_read_length;
   r->vs.read = read < room ? read : room; /* P3D-322 */
   r->vs.walking = false;
   dispatch_state_changed(&r->vs_crew.crew);
}

enum cs_result
vs_run(struct render *r, uint64_t *budget)
{
   struct vf *vf = &r->vf;
   const struct hw_3dstate_vs *s = &r->state.vs;
   if (!r->vs.walking) {
      if (!s->enable || vf->shaded == vf->used) { /* P3D-093 */
         vf->shaded = vf->used;
         return CS_DONE;
      }
      unsigned count = vf->used - vf->shaded;
      r->vs.first = vf->shaded;
      stage_begin(&r->vs_crew, s->single_vertex_dispatch ? count : (count + 1) / 2,
                  s->maximum_number_of_threads + 1, VS_RUN);
      r->vs.walking = true;
   }
   enum cs_result result = render_dispatch(&r->vs_crew.crew, budget);
   if (result != CS_DONE)
      return result;
   r->vs.walking = false;
   vf->shaded = vf->used;
   return CS_DONE;
}
