/* Stream output: vertices of objects to memory, and which objects go on. */
#include "render/draw.h"

#include "rules/plural.h"

#define OBJECT_COST 8u /* of the budget, as much as so many instructions */
#define ZEROS UINT16_MAX

/* ---- the plan of a draw -----------------------------------------------------------------------
 */

#define DECLARED(n)                                                                                \
   {                                                                                               \
      GEN7_SO_DECL_ENTRY__STREAM_##n##_DECL_DW, GEN7_SO_DECL_ENTRY__STREAM_##n##_DECL              \
   }
static const struct {
   uint32_t dw, mask;
} declared[] = {DECLARED(0), DECLARED(1), DECLARED(2), DECLARED(3)};

/* Declaration n of a stream; each n has those of four streams. */
static struct hw_so_decl
declaration(const uint32_t *dw, uint32_t count, unsigned n, unsigned stream)
{
   struct hw_so_decl d = {0};
   uint32_t at =
       GEN7_3DSTATE_SO_DECL_LIST_LENGTH + GEN7_SO_DECL_ENTRY_LENGTH * n + declared[stream].dw;
   if (at < count) {
      uint32_t bits = hw_get(dw[at], declared[stream].mask);
      gen7_so_decl_unpack(&d, &bits);
   }
   return d;
}

/* P3D-161: one dword more to a buffer; those that follow each other are one copy. */
static void
add_dword(struct sol_stream *s, unsigned from, unsigned buffer, unsigned at)
{
   struct sol_copy *last = s->copies ? &s->copy[s->copies - 1] : NULL;
   if (last && last->buffer == buffer && last->at + last->count == at &&
       (from == ZEROS ? last->from == ZEROS
                      : last->from != ZEROS && last->from + last->count == (int)from)) {
      last->count++;
      return;
   }
   if (s->copies < SOL_COPIES)
      s->copy[s->copies++] = (struct sol_copy){
          .from = (uint16_t)from, .at = (uint16_t)at, .count = 1, .buffer = (uint8_t)buffer};
}

static void
add_declaration(struct render *r, unsigned stream, const struct hw_so_decl *d, unsigned at[4])
{
   struct sol_stream *s = &r->sol.stream[stream];
   unsigned b = d->output_buffer_slot;
   if (!(s->selected >> b & 1)) { /* P3D-163 */
      if (!d->hole_flag)
         render_report(r, PERGOLA_WARNING, "P3D-163",
                       "a declaration of stream %u is for buffer %u, which the stream has not "
                       "selected; nothing is written",
                       stream, b);
      return;
   }
   bool outside = d->register_index >= s->window;
   if (outside && !d->hole_flag && d->component_mask) /* P3D-160 */
      render_report(r, PERGOLA_WARNING, "P3D-160",
                    "register %u of stream %u lies behind the %u that %s read; zeros are written",
                    d->register_index, stream, s->window, are(s->window));
   for (unsigned i = 0; i < 4; i++) {
      if (!(d->component_mask >> i & 1))
         continue;
      if (!d->hole_flag && at[b] < SOL_VERTEX_DW)
         add_dword(s, outside ? ZEROS : 4 * (s->first + d->register_index) + i, b, at[b]);
      at[b]++;
   }
}

/* P3D-174 */
static void
check_buffer(struct render *r, unsigned b, unsigned dwords)
{
   const struct sol_buffer *o = &r->sol.buffer[b];
   if (o->on && 4 * dwords > o->pitch)
      render_report(r, PERGOLA_ERROR, "P3D-174",
                    "%u bytes of a vertex go to buffer %u, whose Surface Pitch is %u", 4 * dwords,
                    b, o->pitch);
   if (o->on && (o->pitch % 4 || o->pitch > 2048))
      render_report(r, PERGOLA_ERROR, "P3D-174",
                    "Surface Pitch %u of buffer %u is no multiple of 4 up to 2048", o->pitch, b);
}

static void
plan_stream(struct render *r, unsigned n, const uint32_t *dw, uint32_t count, unsigned entries)
{
   struct sol_stream *s = &r->sol.stream[n];
   unsigned at[4] = {0};
   s->copies = 0;
   if (entries > 128) { /* P3D-174 */
      render_report(r, PERGOLA_ERROR, "P3D-174",
                    "%u declarations of stream %u; the first 128 count", entries, n);
      entries = 128;
   }
   for (unsigned i = 0; i < entries; i++) {
      struct hw_so_decl d = declaration(dw, count, i, n);
      add_declaration(r, n, &d, at);
   }
   /* A buffer that is off gets nothing (P3D-164). */
   unsigned kept = 0;
   for (unsigned i = 0; i < s->copies; i++)
      if (r->sol.buffer[s->copy[i].buffer].on)
         s->copy[kept++] = s->copy[i];
   s->copies = kept;
   for (unsigned b = 0; b < 4; b++)
      if (s->selected >> b & 1)
         check_buffer(r, b, at[b]);
}

/* P3D-164, P3D-167, P3D-168 */
static void
read_buffers(struct render *r)
{
   const struct hw_3dstate_streamout *s = &r->state.streamout;
   const bool enabled[4] = {s->so_buffer_enable_0, s->so_buffer_enable_1, s->so_buffer_enable_2,
                            s->so_buffer_enable_3};
   uint32_t count = 0;
   const uint32_t *dw = cs_state_command(r->dev, GEN7_3DSTATE_SO_BUFFER_ID, &count);
   for (unsigned b = 0; b < 4; b++) {
      struct hw_3dstate_so_buffer o = {0};
      if (dw && 4 * b + 4 <= count)
         gen7_3dstate_so_buffer_unpack(&o, dw + 4 * b);
      uint32_t base = o.surface_base_address, end = o.surface_end_address;
      r->sol.buffer[b] = (struct sol_buffer){.on = enabled[b] && (base || end || o.surface_pitch),
                                             .base = base,
                                             .size = end > base ? end - base : 0,
                                             .pitch = o.surface_pitch};
   }
}

static void
plan(struct render *r)
{
   const struct hw_3dstate_streamout *s = &r->state.streamout;
   struct hw_3dstate_so_decl_list l = {0};
   uint32_t count = 0;
   const uint32_t *dw = cs_state_command(r->dev, GEN7_3DSTATE_SO_DECL_LIST_ID, &count);
   static const uint32_t none[3];
   if (!dw || count < 3) {
      dw = none;
      count = 0;
   }
   gen7_3dstate_so_decl_list_unpack(&l, dw);
   const uint32_t select[4] = {l.stream_to_buffer_selects_0, l.stream_to_buffer_selects_1,
                               l.stream_to_buffer_selects_2, l.stream_to_buffer_selects_3},
                  entries[4] = {l.num_entries_0, l.num_entries_1, l.num_entries_2, l.num_entries_3};
   const uint32_t first[4] = {s->stream_0_vertex_read_offset, s->stream_1_vertex_read_offset,
                              s->stream_2_vertex_read_offset, s->stream_3_vertex_read_offset},
                  length[4] = {s->stream_0_vertex_read_length, s->stream_1_vertex_read_length,
                               s->stream_2_vertex_read_length, s->stream_3_vertex_read_length};
   read_buffers(r);
   for (unsigned i = 0; i < 4; i++) {
      struct sol_stream *o = &r->sol.stream[i];
      o->selected = (uint8_t)select[i];
      o->first = 2 * first[i];
      o->window = 2 * (length[i] + 1);
      o->buffers = 0;
      for (unsigned b = 0; b < 4; b++)
         o->buffers |= (uint8_t)((o->selected >> b & 1 & r->sol.buffer[b].on) << b);
      plan_stream(r, i, dw, count, entries[i]);
   }
}

/* ---- objects ----------------------------------------------------------------------------------
 */

/* P3D-157, P3D-158: vertices of an object in the order in which they are written. */
static unsigned
written_vertices(const struct render *r, const struct object *o, const struct vertex *v[3])
{
   static const uint8_t count[] = {
       [OBJECT_POINT] = 1, [OBJECT_LINE] = 2, [OBJECT_TRIANGLE] = 3, [OBJECT_RECTANGLE] = 3};
   static const uint8_t leading[3] = {0, 2, 1}, trailing[3] = {1, 0, 2};
   if (o->kind > OBJECT_RECTANGLE)
      return 0;
   for (unsigned i = 0; i < count[o->kind]; i++) {
      bool odd = o->odd && o->kind == OBJECT_TRIANGLE;
      unsigned k = !odd ? i : r->state.streamout.reorder_mode ? trailing[i] : leading[i];
      v[i] = o->v[o->inner[k]];
   }
   return count[o->kind];
}

static uint32_t
offset_of(const struct render *r, unsigned b)
{
   return reg_get(r->dev, REG_SO_WRITE_OFFSET_0 + 4 * b) & ~3u;
}

/* P3D-166 */
static bool
fits(const struct render *r, const struct sol_stream *s, unsigned vertices)
{
   for (unsigned b = 0; b < 4; b++) {
      const struct sol_buffer *o = &r->sol.buffer[b];
      if (s->buffers >> b & 1 && offset_of(r, b) + (uint64_t)vertices * o->pitch > o->size)
         return false;
   }
   return true;
}

static void
write_vertex(struct render *r, const struct sol_stream *s, const struct vertex *v)
{
   static const uint32_t zeros[SOL_VERTEX_DW];
   for (unsigned i = 0; i < s->copies; i++) {
      const struct sol_copy *c = &s->copy[i];
      const struct sol_buffer *o = &r->sol.buffer[c->buffer];
      uint64_t at = offset_of(r, c->buffer) + 4ull * c->at;
      unsigned limit = 4u * v->vue_slots, count = c->count;
      if (at >= o->size)
         continue;
      if (4ull * count > o->size - at) /* beyond the pitch of the last vertex: reported */
         count = (unsigned)((o->size - at) / 4);
      unsigned there = c->from >= limit ? 0 : limit - c->from < count ? limit - c->from : count;
      if (there) /* P3D-175: what does not translate is a fault and is dropped */
         mem_write(r->env.space, o->base + (uint32_t)at, v->vue + c->from, 4ull * there);
      if (there < count)
         mem_write(r->env.space, o->base + (uint32_t)at + 4 * there, zeros, 4ull * (count - there));
   }
   for (unsigned b = 0; b < 4; b++) /* P3D-165 */
      if (s->buffers >> b & 1)
         reg_set(r->dev, REG_SO_WRITE_OFFSET_0 + 4 * b,
                 (offset_of(r, b) + r->sol.buffer[b].pitch) & ~3u);
}

static void
write_object(struct render *r, const struct object *o)
{
   const struct vertex *v[3];
   unsigned count = written_vertices(r, o, v), stream = o->stream & 3;
   const struct sol_stream *s = &r->sol.stream[stream];
   if (!count)
      return;
   r->sol.needed[stream]++;
   if (!fits(r, s, count))
      return;
   for (unsigned i = 0; i < count; i++)
      write_vertex(r, s, v[i]);
   r->sol.written[stream]++;
}

/* P3D-170 */
static void
count(struct render *r)
{
   for (unsigned i = 0; i < 4; i++) {
      if (r->state.streamout.so_statistics_enable) {
         render_count(r, REG_SO_NUM_PRIMS_WRITTEN_0 + 8 * i, r->sol.written[i]);
         render_count(r, REG_SO_PRIM_STORAGE_NEEDED_0 + 8 * i, r->sol.needed[i]);
      }
      r->sol.written[i] = r->sol.needed[i] = 0;
   }
}

/* ---- the stage --------------------------------------------------------------------------------
 */

/* P3D-171: those of the stream that is drawn go on. */
void
sol_choose(struct render *r, const struct object_list *in)
{
   unsigned stream = r->state.streamout.render_stream_select, same = 0;
   struct object_list *out = &r->sol.out;
   for (unsigned i = 0; i < in->count; i++)
      same += in->object[i].stream == stream;
   r->sol.passed = same == in->count ? in : out;
   out->count = 0;
   for (unsigned i = 0; i < in->count && same < in->count; i++)
      if (in->object[i].stream == stream)
         out->object[out->count++] = in->object[i];
}

static enum cs_result
run(struct render *r, struct pipe_stage *self, const struct object_list *in, uint64_t *budget)
{
   const struct hw_3dstate_streamout *s = &r->state.streamout;
   if (!self->passing) {
      for (; s->so_function_enable && self->at < in->count; self->at++) {
         if (!*budget)
            return CS_AGAIN;
         *budget -= *budget < OBJECT_COST ? *budget : OBJECT_COST;
         write_object(r, &in->object[self->at]);
      }
      count(r);
      self->at = 0;
      if (s->rendering_disable) /* P3D-172 */
         return CS_DONE;
      sol_choose(r, in);
   }
   self->passing = true;
   enum cs_result result = self->next->run(r, self->next, r->sol.passed, budget);
   if (result == CS_DONE)
      self->passing = false;
   return result;
}

/* P3D-156 */
bool
sol_needed(const struct render *r)
{
   const struct hw_3dstate_streamout *s = &r->state.streamout;
   bool streams =
       r->state.gs.enable &&
       (r->state.gs.default_streamid || r->state.gs.control_data_format || s->render_stream_select);
   return s->so_function_enable || s->rendering_disable || s->render_stream_select || streams;
}

void
sol_begin(struct render *r)
{
   if (r->state.streamout.so_function_enable)
      plan(r);
   r->sol.stage = (struct pipe_stage){.name = "SOL", .run = run};
}
