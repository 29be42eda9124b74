/* What geometry shader threads have written becomes objects (P3D-145 to P3D-152). */
#include "render/draw.h"

#define VERTEX_COST 4u /* of the budget, as much as so many instructions */

#define SID GEN7_3DSTATE_GS_CONTROL_DATA_FORMAT_GSCTL_SID

static const uint8_t *
entry_of(const struct gs *g, unsigned slot)
{
   return g->entries.data + (size_t)slot * g->entries.stride_B;
}

/* P3D-145: vertices that the entry has room for. */
static unsigned
room_of(const struct render *r)
{
   const struct hw_3dstate_gs *s = &r->state.gs;
   uint32_t header = s->control_data_header_size * 32u, size = r->gs.entries.stride_B;
   return header < size ? (size - header) / ((s->output_vertex_size + 1) * 16u) : 0;
}

/* P3D-148, P3D-149: the bits of a vertex; the header may pass a small entry's end. */
static unsigned
control(const struct render *r, unsigned slot, unsigned vertex, unsigned bits)
{
   uint32_t at = vertex * bits, size = r->state.gs.control_data_header_size * 32u;
   if (at / 8 >= size || at / 8 >= r->gs.entries.stride_B)
      return 0;
   return entry_of(&r->gs, slot)[at / 8] >> at % 8 & ((1u << bits) - 1);
}

/* A vertex of so many slots, at a byte of the entries. */
struct vertex
gs_vertex(const struct gs *g, uint32_t at, unsigned slots)
{
   return (struct vertex){.vue = (uint32_t *)(void *)(g->entries.data + at),
                          .handle = entry_handle(&g->entries, at / g->entries.stride_B),
                          .vue_slots = (uint16_t)slots,
                          .edge_flag = true};
}

static void
lay_out_vertices(struct render *r)
{
   struct gs *g = &r->gs;
   const struct hw_3dstate_gs *s = &r->state.gs;
   unsigned slots = s->output_vertex_size + 1;
   uint32_t at = g->slot * g->entries.stride_B + s->control_data_header_size * 32u;
   for (unsigned i = 0; i < g->slot_count; i++)
      g->vertex[g->slot_first + i] = gs_vertex(g, at + 16 * slots * i, slots);
}

/* A slot's vertices: how many there are, and where. False: the list has to go on first. */
static bool
begin_slot(struct render *r)
{
   struct gs *g = &r->gs;
   unsigned room = room_of(r),
            count = g->ended[g->slot / g->per_thread] >> 16 * (g->slot % g->per_thread) & 0xffff;
   if (count > room) { /* P3D-147 */
      render_report(r, PERGOLA_ERROR, "P3D-147",
                    "the vertices of a geometry shader thread are %u; its entry has room for %u",
                    count, room);
      count = room;
   }
   if (count > GS_VERTICES - g->vertices)
      return false;
   g->slot_first = g->vertices;
   g->slot_count = count;
   g->vertices += count;
   unsigned instance;
   const struct object *o =
       gs_slot_object(r, g->first + g->slot / g->per_thread, g->slot % g->per_thread, &instance);
   g->assembly.id = o ? o->id : 0; /* what comes of an object has its PrimitiveID */
   lay_out_vertices(r);
   return true;
}

static void
add_vertex(struct render *r)
{
   struct gs *g = &r->gs;
   const struct hw_3dstate_gs *s = &r->state.gs;
   unsigned v = g->vertex_at++;
   bool cut = false;
   if (s->control_data_header_size && s->control_data_format == SID)
      g->assembly.stream = (uint8_t)control(r, g->slot, v, 2);
   else if (s->control_data_header_size)
      cut = control(r, g->slot, v, 1);
   assembly_vertex(&g->assembly, g->slot_first + v);
   if (cut || g->vertex_at == g->slot_count)
      assembly_cut(&g->assembly);
}

void
gs_emit_begin(struct render *r)
{
   struct gs *g = &r->gs;
   g->slot = g->vertex_at = g->slot_count = g->vertices = 0;
   g->assembly = (struct assembly){.vertex = g->vertex,
                                   .list = &g->out,
                                   .sf = &r->state.sf,
                                   .topology = (uint8_t)r->state.gs.output_topology,
                                   .stream = (uint8_t)r->state.gs.default_streamid};
}

/* P3D-154 */
static enum cs_result
pass(struct render *r, uint64_t *budget)
{
   struct gs *g = &r->gs;
   if (r->state.gs.statistics_enable)
      render_count(r, REG_GS_PRIMITIVES_COUNT, g->assembly.seen);
   g->assembly.seen = 0;
   return pipe_pass(r, &g->stage, &g->out, budget);
}

enum cs_result
gs_emit(struct render *r, uint64_t *budget)
{
   struct gs *g = &r->gs;
   unsigned slots = g->threads * g->per_thread;
   while (g->slot < slots || g->out.count) {
      bool full = g->out.count + ASSEMBLY_ROOM > OBJECTS || g->slot == slots;
      if (g->stage.passing || full) {
         enum cs_result result = pass(r, budget);
         if (result != CS_DONE)
            return result;
         continue;
      }
      if (!*budget)
         return CS_AGAIN;
      *budget -= *budget < VERTEX_COST ? *budget : VERTEX_COST;
      if (!g->vertex_at && !begin_slot(r)) {
         enum cs_result result = pass(r, budget);
         if (result != CS_DONE)
            return result;
         g->vertices = 0;
         continue;
      }
      if (g->vertex_at < g->slot_count)
         add_vertex(r);
      if (g->vertex_at == g->slot_count) {
         g->vertex_at = 0;
         g->slot++;
      }
   }
   return CS_DONE;
}
