/* Vertex fetch: which vertices of a command are fetched, in which order, and which entries of the
 * URB they have. */
#include "render/draw.h"

#include "shared_functions/urb.h"

#include <stdlib.h>

#define SPARE_ENTRIES 64u
#define SPARE_SLOTS 64u
#define SPARE_B (VF_ENTRIES * 8u * 16u) /* of vertices with eight slots there is room for all */
#define VERTEX_COST 8u                  /* of the budget, as much as so many instructions */
#define OBJECT_NEEDS 3u /* entries that are there before an object of a list is begun */

/* ---- the command ------------------------------------------------------------------------------
 */

/* P3D-009: of an indirect draw they are registers. */
static void
read_parameters(struct render *r)
{
   struct hw_3dprimitive *p = &r->primitive;
   if (!p->indirect_parameter_enable)
      return;
   p->vertex_count_per_instance = reg_get(r->dev, REG_3DPRIM_VERTEX_COUNT);
   p->start_vertex_location = reg_get(r->dev, REG_3DPRIM_START_VERTEX);
   p->instance_count = reg_get(r->dev, REG_3DPRIM_INSTANCE_COUNT);
   p->start_instance_location = reg_get(r->dev, REG_3DPRIM_START_INSTANCE);
   p->base_vertex_location = (int32_t)reg_get(r->dev, REG_3DPRIM_BASE_VERTEX);
}

/* P3D-071: vertices up to an offset in the first buffer. */
static void
read_end_offset(struct render *r)
{
   const struct hw_vertex_buffer_state *b = &r->state.buffer[0];
   uint32_t end = reg_get(r->dev, REG_3DPRIM_END_OFFSET);
   if (r->primitive.end_offset_enable)
      r->primitive.vertex_count_per_instance =
          r->state.has_buffer & 1 && b->buffer_pitch ? end / b->buffer_pitch : 0;
}

/* P3D-033: what the manual has no word for is cut as others are. */
static void
check_cut(struct render *r)
{
#define CUTS(name) UINT64_C(1) << name
   static const uint64_t known =
       CUTS(POINTLIST) | CUTS(LINELIST) | CUTS(LINESTRIP) | CUTS(TRILIST) | CUTS(TRISTRIP) |
       CUTS(LINELIST_ADJ) | CUTS(LINESTRIP_ADJ) | CUTS(TRILIST_ADJ) | CUTS(TRISTRIP_ADJ) |
       CUTS(TRISTRIP_REVERSE) | CUTS(LINESTRIP_CONT) | CUTS(LINESTRIP_BF) | CUTS(LINESTRIP_CONT_BF);
#undef CUTS
   if (r->vf.cut_enable && !(known >> r->vf.topology & 1))
      render_report(r, PERGOLA_WARNING, "P3D-033",
                    "the cut index is not defined for topology %u; it is applied", r->vf.topology);
}

/* ---- entries ----------------------------------------------------------------------------------
 */

/* May shaded vertices be kept beside the URB? If only clip and setup look at them. More of them are
 * found again there: a mesh comes back to a row when two have been shaded. */
static bool
may_store(const struct render *r)
{
   const struct vf *vf = &r->vf;
   return r->state.vs.enable && vf->reuse && !tess_needed(r) && !r->state.gs.enable &&
          !sol_needed(r) && vf->stride_B * VF_ENTRIES <= SPARE_B;
}

/* P3D-072, P3D-073: where vertices lie. False: there is no room for any. */
static bool
find_entries(struct render *r)
{
   struct vf *vf = &r->vf;
   const struct hw_3dstate_urb_vs *u = &r->state.urb_vs;
   struct entries e;
   entries_find(r, &e, URB_VS, u->urb_starting_address, u->urb_entry_allocation_size,
                u->number_of_urb_entries);
   vf->stride_B = e.stride_B;
   vf->entries = e.count;
   vf->urb = e.data;
   vf->first_handle = e.first_handle;
   vf->stored = false;
   if (vf->entries > VF_ENTRIES)
      vf->entries = VF_ENTRIES;
   vf->urb_entries = vf->entries;
   if (vf->entries >= topology_needs(vf->topology)) {
      if (may_store(r))
         vf->entries = VF_ENTRIES;
      vf->stored = vf->entries > vf->urb_entries;
      return true;
   }
   if (r->state.vs.enable) {
      render_report(r, PERGOLA_ERROR, "P3D-074",
                    "3DSTATE_URB_VS has too few entries for a draw (%u); nothing is drawn",
                    u->number_of_urb_entries);
      return false;
   }
   /* Without threads nobody can tell where vertices lie (P3D-093). */
   vf->urb = vf->spare;
   vf->stride_B = SPARE_SLOTS * 16;
   vf->entries = vf->urb_entries = SPARE_ENTRIES;
   vf->first_handle = 0;
   return true;
}

static void
lay_out_entries(struct vf *vf)
{
   uint8_t *first = vf->stored ? vf->spare : vf->urb;
   for (unsigned i = 0, k = 0; i < vf->entries; i++, k = k + 1 < vf->urb_entries ? k + 1 : 0)
      vf->vertex[i] = (struct vertex){
          .vue = (uint32_t *)(void *)(first + (size_t)i * vf->stride_B),
          .handle = (uint16_t)(vf->first_handle + k * (vf->stride_B / URB_HANDLE_UNIT)),
          .vue_slots = (uint16_t)(vf->stride_B / 16)};
}

/* What was fetched before is not used again. */
static void
forget_tags(struct vf *vf)
{
   if (++vf->epoch)
      return;
   memset(vf->tag, 0, sizeof(vf->tag)); /* all numbers have been used: begin again */
   vf->epoch = 1;
}

/* Those that are shaded at once have entries of the URB of their own. */
static void
find_limit(struct vf *vf)
{
   unsigned left = vf->entries - vf->used;
   vf->limit = vf->used + (left < vf->urb_entries ? left : vf->urb_entries);
}

bool
vf_begin(struct render *r)
{
   struct vf *vf = &r->vf;
   struct hw_3dprimitive *p = &r->primitive;
   read_parameters(r);
   read_end_offset(r);
   vf->topology = (uint8_t)p->primitive_topology_type;
   vf->indexed = p->vertex_access_type;
   vf->vertices = p->vertex_count_per_instance;
   vf->start = p->start_vertex_location;
   vf->instances = p->instance_count;
   vf->start_instance = p->start_instance_location;
   vf->base = vf->indexed ? (uint32_t)p->base_vertex_location : 0; /* P3D-026 */
   vf->cut_enable = vf->indexed && r->state.index.cut_index_enable;
   /* P3D-069, P3D-070 */
   vf->reuse = vf->indexed && !vf->stores_primitive_id && !r->state.vs.vertex_cache_disable;
   vf->instance = vf->v = 0;
   vf->over = !vf->vertices || !vf->instances; /* P3D-010 */
   vf->used = vf->shaded = vf->known = 0;
   forget_tags(vf);
   vf->index_count = 0;
   vf->strip = (struct assembly){.vertex = vf->vertex,
                                 .list = &r->list,
                                 .waiting = &r->waiting,
                                 .sf = &r->state.sf,
                                 .topology = vf->topology,
                                 .numbers = true};
   if (vf->over)
      return false;
   if (!topology_known(vf->topology)) {
      render_report(r, PERGOLA_ERROR, "P3D-068", "topology %u is reserved; nothing is drawn",
                    vf->topology);
      return false;
   }
   if (!vf->spare && !(vf->spare = aligned_alloc(64, SPARE_B)))
      return false;
   check_cut(r);
   if (!find_entries(r))
      return false;
   if (vf->slots * 16u > vf->stride_B)
      render_report(r, PERGOLA_ERROR, "P3D-079",
                    "%u vertex elements do not fit an entry of %u bytes; the rest is dropped",
                    vf->slots, vf->stride_B);
   lay_out_entries(vf);
   find_limit(vf);
   return true;
}

/* An entry's place among those that are held, of which there are `count`. */
static unsigned
rank_of(const uint16_t *sorted, unsigned count, uint16_t entry)
{
   unsigned k = 0;
   while (k < count && sorted[k] < entry)
      k++;
   return k;
}

/* Room for an object without moving any. Where all are in use, the next round begins: vertices of
 * this one stay known until their entries are needed, the oldest first. */
static bool
has_room(struct vf *vf)
{
   if (vf->used + OBJECT_NEEDS > vf->entries && vf->reuse && !vf->strip.holds)
      vf->used = vf->shaded = 0;
   find_limit(vf);
   for (unsigned i = 0; i < vf->strip.holds; i++)
      if (vf->strip.held[i] >= vf->used && vf->strip.held[i] < vf->limit)
         vf->limit = vf->strip.held[i];
   return vf->used + OBJECT_NEEDS <= vf->limit;
}

void
vf_recycle(struct render *r)
{
   struct vf *vf = &r->vf;
   r->list.count = 0;
   if (has_room(vf))
      return;
   /* Those that the topology holds move to the front, in their order: none is overwritten before
    * it has moved. One vertex may be held twice. */
   uint16_t sorted[OBJECT_VERTICES];
   unsigned count = 0;
   for (unsigned i = 0; i < vf->strip.holds; i++) {
      uint16_t entry = vf->strip.held[i];
      unsigned k = rank_of(sorted, count, entry);
      if (k < count && sorted[k] == entry)
         continue;
      memmove(sorted + k + 1, sorted + k, (count++ - k) * sizeof(sorted[0]));
      sorted[k] = entry;
   }
   for (unsigned k = 0; k < count; k++) {
      const struct vertex *from = &vf->vertex[sorted[k]];
      struct vertex *to = &vf->vertex[k];
      if (to != from)
         memcpy(to->vue, from->vue, vf->stride_B);
      to->edge_flag = from->edge_flag;
      render_forget(r, to);
   }
   for (unsigned i = 0; i < vf->strip.holds; i++)
      vf->strip.held[i] = (uint16_t)rank_of(sorted, count, vf->strip.held[i]);
   vf->used = vf->shaded = vf->known = count;
   find_limit(vf);
   forget_tags(vf);
}

/* ---- indices ----------------------------------------------------------------------------------
 */

/* Of its bytes; the reserved format has those of DWORD. */
static unsigned
index_log2(const struct hw_3dstate_index_buffer *b)
{
   return b->index_format < GEN7_3DSTATE_INDEX_BUFFER_INDEX_FORMAT_DWORD
              ? b->index_format
              : GEN7_3DSTATE_INDEX_BUFFER_INDEX_FORMAT_DWORD;
}

/* P3D-028, P3D-029: what lies behind the buffer is 0. */
static void
read_indices(struct render *r, uint32_t first)
{
   struct vf *vf = &r->vf;
   const struct hw_3dstate_index_buffer *b = &r->state.index;
   unsigned log2 = index_log2(b);
   uint64_t at = (uint64_t)b->buffer_starting_address + ((uint64_t)(vf->start + first) << log2),
            end = (uint64_t)b->buffer_ending_address + 1;
   uint32_t left = vf->vertices - first, count = left < VF_INDICES ? left : VF_INDICES;
   uint64_t inside = at < end ? (end - at) >> log2 : 0;
   uint32_t known = inside < count ? (uint32_t)inside : count;
   uint8_t small[VF_INDICES * 2], *data = log2 < 2 ? small : (uint8_t *)vf->index;
   if (known)
      mem_read(r->env.space, (uint32_t)at, data, (size_t)known << log2);
   for (uint32_t i = 0; i < known && log2 == 0; i++)
      vf->index[i] = data[i];
   for (uint32_t i = 0; i < known && log2 == 1; i++)
      vf->index[i] = data[2 * i] | (uint32_t)data[2 * i + 1] << 8;
   memset(vf->index + known, 0, (count - known) * sizeof(vf->index[0]));
   vf->index_first = first;
   vf->index_count = count;
}

static uint32_t
index_of(struct render *r, uint32_t v)
{
   struct vf *vf = &r->vf;
   if (!vf->indexed)
      return v;
   if (v - vf->index_first >= vf->index_count)
      read_indices(r, v);
   return vf->index[v - vf->index_first];
}

/* P3D-030: all ones of the format; or what no index is. */
static uint64_t
cut_index(const struct render *r)
{
   return r->vf.cut_enable ? UINT32_MAX >> (32 - (8 << index_log2(&r->state.index))) : UINT64_MAX;
}

/* ---- vertices ---------------------------------------------------------------------------------
 */

/* P3D-069: the entry of a vertex that has been fetched before; or a new one, `used`, which is to be
 * fetched. */
static inline unsigned
entry_of(struct vf *vf, uint32_t index)
{
   unsigned tag = (index ^ index >> 11) % VF_TAGS, entry = vf->tag[tag].entry;
   /* One whose entry is needed for the other vertices of its object is fetched anew. */
   if (vf->tag[tag].index == index && vf->tag[tag].epoch == vf->epoch && vf->reuse &&
       entry - vf->used >= OBJECT_NEEDS) {
      if (entry >= vf->used && entry < vf->limit)
         vf->limit = entry;
      return entry;
   }
   entry = vf->used++;
   if (entry < vf->known) { /* what was there is no more */
      unsigned old = vf->tag_of[entry];
      if (vf->tag[old].entry == entry)
         vf->tag[old].epoch = (uint16_t)(vf->epoch - 1);
   } else {
      vf->known = vf->used;
   }
   vf->tag_of[entry] = (uint16_t)tag;
   vf->tag[tag].index = index;
   vf->tag[tag].epoch = vf->epoch;
   vf->tag[tag].entry = (uint16_t)entry;
   return entry;
}

/* The vertices of new entries. */
static void
fetch(struct render *r, const uint32_t *id, unsigned first, unsigned count)
{
   struct vf *vf = &r->vf;
   uint32_t from = (vf->indexed ? 0 : vf->start) + vf->base,
            primitive = vf->stores_primitive_id ? assembly_id(&vf->strip) : 0;
   vf_fetch(r, from, id, primitive, &vf->vertex[first], count);
}

/* P3D-035: strips end with an instance, ids of objects begin again, nothing is used again. */
static void
end_instance(struct render *r)
{
   struct vf *vf = &r->vf;
   assembly_cut(&vf->strip);
   vf->strip.objects = 0;
   forget_tags(vf);
   vf->v = 0;
   vf->over = ++vf->instance >= vf->instances;
}

static void
count(struct render *r)
{
   struct vf *vf = &r->vf;
   if (r->state.vf_statistics.statistics_enable) { /* G3D-101 */
      render_count(r, REG_IA_VERTICES_COUNT, vf->vertices_seen);
      render_count(r, REG_IA_PRIMITIVES_COUNT, vf->strip.seen);
   }
   vf->vertices_seen = vf->strip.seen = 0;
}

/* The indices of the triangle that comes next. */
static inline const uint32_t *
three_indices(struct render *r, uint32_t copy[3])
{
   const struct vf *vf = &r->vf;
   uint32_t at = vf->v - vf->index_first;
   if (vf->indexed && at < vf->index_count && vf->index_count - at >= 3)
      return vf->index + at;
   for (unsigned k = 0; k < 3; k++)
      copy[k] = index_of(r, vf->v + k);
   return copy;
}

/* Whole triangles of a list, as far as nothing unusual comes. */
static void
run_triangles(struct render *r, uint64_t *budget)
{
   struct vf *vf = &r->vf;
   const uint64_t cost = 3 * VERTEX_COST, cut = cut_index(r);
   uint32_t id[3 * OBJECTS];
   unsigned first = vf->used, count = 0, all = assembly_all(&vf->strip),
            most = all + ASSEMBLY_ROOM <= OBJECTS ? OBJECTS - ASSEMBLY_ROOM + 1 - all : 0;
   if (vf->topology != TRILIST || vf->strip.holds || vf->stores_primitive_id)
      return;
   for (; count < most && vf->vertices - vf->v >= 3 && vf->used + OBJECT_NEEDS <= vf->limit &&
          *budget >= cost;
        count++) {
      uint32_t copy[3];
      const uint32_t *index = three_indices(r, copy);
      if (index[0] == cut || index[1] == cut || index[2] == cut)
         break;
      struct triangle *t = assembly_triangle(&vf->strip);
      for (unsigned k = 0; k < 3; k++) {
         id[vf->used - first] = index[k]; /* of the next new one, which this may be */
         t->v[k] = (uint16_t)entry_of(vf, index[k]);
      }
      vf->v += 3;
      *budget -= cost;
   }
   fetch(r, id, first, vf->used - first);
   vf->vertices_seen += 3 * count;
}

void
vf_turn(struct render *r)
{
   memset(r->vf.window, 0, sizeof(r->vf.window));
   r->vf.index_count = 0;
}

/* P3D-011: whatever the counts are, a turn does no more than its budget. */
bool
vf_run(struct render *r, uint64_t *budget)
{
   struct vf *vf = &r->vf;
   bool full = false;
   while (!vf->over && *budget) {
      run_triangles(r, budget);
      if (vf->v == vf->vertices) {
         end_instance(r);
         continue;
      }
      uint32_t index = index_of(r, vf->v);
      bool cut = index == cut_index(r);
      /* The end of a topology is told to its last object before that is passed on. */
      full = !cut && (assembly_all(&vf->strip) + ASSEMBLY_ROOM > OBJECTS || vf->used >= vf->limit ||
                      (!vf->strip.holds && vf->used + OBJECT_NEEDS > vf->limit));
      if (full)
         break;
      *budget -= *budget < VERTEX_COST ? *budget : VERTEX_COST;
      vf->v++;
      if (cut) {
         assembly_cut(&vf->strip);
      } else {
         unsigned first = vf->used, entry = entry_of(vf, index);
         fetch(r, &index, first, vf->used - first);
         vf->vertices_seen++;
         assembly_vertex(&vf->strip, entry);
      }
      if (vf->v == vf->vertices)
         end_instance(r);
   }
   count(r);
   return vf->over || full;
}
