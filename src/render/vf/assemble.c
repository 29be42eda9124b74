/* Topologies: vertices become objects (P3D-063). */
#include "render/draw.h"

enum {
   POINTLIST = 1,
   LINELIST,
   LINESTRIP,
   TRILIST,
   TRISTRIP,
   TRIFAN,
   QUADLIST,
   QUADSTRIP,
   LINELIST_ADJ,
   LINESTRIP_ADJ,
   TRILIST_ADJ,
   TRISTRIP_ADJ,
   TRISTRIP_REVERSE,
   POLYGON,
   RECTLIST,
   LINELOOP,
   POINTLIST_BF,
   LINESTRIP_CONT,
   LINESTRIP_BF,
   LINESTRIP_CONT_BF,
   TRIFAN_NOSTIPPLE = 0x16,
   PATCHLIST_1 = 0x20,
};

bool
vf_topology_known(unsigned topology) /* P3D-068 */
{
   return (topology >= POINTLIST && topology <= LINESTRIP_CONT_BF) ||
          topology == TRIFAN_NOSTIPPLE || topology >= PATCHLIST_1;
}

unsigned
vf_entries_needed(unsigned topology)
{
   unsigned patch = topology >= PATCHLIST_1 ? topology - PATCHLIST_1 + 1u : 0;
   return patch > 16 ? patch : 16;
}

/* P3D-061: the id that the vertex now coming has. */
uint32_t
vf_primitive_id(const struct vf *vf)
{
   static const uint8_t table[64][2] = {
       [POINTLIST] = {1, 0},        [POINTLIST_BF] = {1, 0},
       [LINELIST] = {1, 1},         [LINELIST_ADJ] = {1, 3},
       [LINESTRIP] = {2, 0},        [LINESTRIP_CONT] = {2, 0},
       [LINESTRIP_BF] = {2, 0},     [LINESTRIP_CONT_BF] = {2, 0},
       [LINESTRIP_ADJ] = {3, 0},    [LINELOOP] = {2, 0},
       [TRILIST] = {1, 2},          [RECTLIST] = {1, 2},
       [TRILIST_ADJ] = {1, 5},      [TRISTRIP] = {3, 0},
       [TRISTRIP_REVERSE] = {3, 0}, [TRISTRIP_ADJ] = {5, 1},
       [TRIFAN] = {3, 0},           [TRIFAN_NOSTIPPLE] = {3, 0},
       [POLYGON] = {3, 0},          [QUADLIST] = {1, 3},
       [QUADSTRIP] = {3, 1},
   };
   unsigned first = table[vf->topology][0] + table[vf->topology][1],
            step = table[vf->topology][1] + 1u;
   if (vf->topology >= PATCHLIST_1)
      first = step = vf->topology - PATCHLIST_1 + 1u;
   uint32_t v = vf->strip.count;
   return vf->strip.objects + (v < first ? 0 : 1 + (v - first) / step);
}

/* ---- objects ----------------------------------------------------------------------------------
 */

static struct object *
add(struct render *r, unsigned kind, unsigned vertices, const uint16_t *entry)
{
   struct vf *vf = &r->vf;
   struct object *o = &r->list.object[r->list.count++];
   memset(o, 0, offsetof(struct object, v));
   o->kind = (uint8_t)kind;
   o->topology = vf->topology;
   o->vertices = (uint8_t)vertices;
   o->inner[1] = 1;
   o->inner[2] = 2;
   o->first = vf->strip.made == 0;
   o->id = vf->strip.objects + vf->strip.made;
   for (unsigned i = 0; i < vertices; i++)
      o->v[i] = &vf->vertex[entry[i]];
   vf->strip.made++;
   vf->objects_seen++;
   return o;
}

static void
add_point(struct render *r, const uint16_t *e)
{
   struct object *o = add(r, OBJECT_POINT, 1, e);
   o->back = r->vf.topology == POINTLIST_BF;
}

static struct object *
add_line(struct render *r, unsigned vertices, const uint16_t *e)
{
   struct object *o = add(r, OBJECT_LINE, vertices, e);
   unsigned t = r->vf.topology;
   o->provoking = (uint8_t)(r->state.sf.line_strip_list_provoking_vertex_select != 0);
   o->back = t == LINESTRIP_BF || t == LINESTRIP_CONT_BF;
   o->last = t == LINELIST || t == LINELIST_ADJ;
   o->first |= o->last;
   if (vertices == 4) { /* P3D-063: the middle two */
      o->inner[0] = 1;
      o->inner[1] = 2;
   }
   return o;
}

/* edges: those of the polygon, before edge flags. */
static struct object *
add_triangle(struct render *r, unsigned vertices, const uint16_t *e, unsigned edges)
{
   struct object *o = add(r, OBJECT_TRIANGLE, vertices, e);
   uint32_t select = r->state.sf.triangle_strip_list_provoking_vertex_select;
   o->provoking = (uint8_t)(select < 2 ? select : 2);
   if (vertices == 6)
      for (unsigned i = 0; i < 3; i++)
         o->inner[i] = (uint8_t)(2 * i);
   for (unsigned i = 0; i < 3; i++) {
      bool flag = o->v[o->inner[i]]->edge_flag;
      o->edges |= (uint8_t)((edges >> i & flag) << i | flag << (3 + i));
   }
   return o;
}

/* P3D-221: triangles of a fan go by a select of their own, polygons have vertex 0. */
static void
add_fan(struct render *r, const uint16_t *e, unsigned edges)
{
   uint32_t select = r->state.sf.triangle_fan_provoking_vertex_select;
   struct object *o = add_triangle(r, 3, e, edges);
   o->provoking = (uint8_t)(r->vf.topology == POLYGON ? 0 : select < 2 ? select : 2);
}

/* P3D-065: a polygon of four is two triangles. The object is one, and so is its number. */
static void
add_quad(struct render *r, const uint16_t e[4])
{
   const uint16_t first[3] = {e[0], e[1], e[2]}, second[3] = {e[0], e[2], e[3]};
   struct object *o = add_triangle(r, 3, first, 3);
   struct object *p = add_triangle(r, 3, second, 6);
   o->provoking = p->provoking = 0;
   p->id = o->id;
   p->first = o->first;
   r->vf.strip.made--;
   r->vf.objects_seen--;
}

/* ---- vertices that a topology holds -----------------------------------------------------------
 */

static void
hold(struct vf *vf, unsigned entry)
{
   vf->strip.held[vf->strip.holds++] = (uint16_t)entry;
}

/* Forgets the oldest ones. */
static void
let_go(struct vf *vf, unsigned count)
{
   vf->strip.holds -= count;
   memmove(vf->strip.held, vf->strip.held + count, vf->strip.holds * sizeof(vf->strip.held[0]));
}

/* P3D-143: triangle k of a strip with adjacency, of the seven or more vertices from 2k - 2 on (of
 * the first from 0 on) that are held. */
static void
add_strip_adjacent(struct render *r, bool last)
{
   struct vf *vf = &r->vf;
   const uint16_t *h = vf->strip.held;
   uint32_t k = vf->strip.made;
   unsigned o = k ? 2 : 0; /* where vertex 2k is */
   uint16_t before = k ? h[o - 2] : h[1], behind = last ? h[o + 5] : h[o + 6];
   const uint16_t even[6] = {h[o], before, h[o + 2], behind, h[o + 4], h[o + 3]},
                  odd[6] = {h[o], h[o + 3], h[o + 4], behind, h[o + 2], before};
   /* The inner vertices in the order k, k+1, k+2 whatever the parity. */
   struct object *t = add_triangle(r, 6, k & 1 ? odd : even, 7);
   if (k & 1) {
      t->inner[1] = 4;
      t->inner[2] = 2;
      t->odd = true;
   }
   if (k)
      let_go(vf, 2);
}

static void
strip_adjacent(struct render *r, unsigned entry)
{
   struct vf *vf = &r->vf;
   hold(vf, entry);
   /* Triangle k is known not to be the last one when vertex 2k + 7 has come. */
   if (vf->strip.holds == (vf->strip.made ? 10u : 8u))
      add_strip_adjacent(r, false);
}

static void
list(struct render *r, unsigned entry, unsigned size)
{
   struct vf *vf = &r->vf;
   hold(vf, entry);
   if (vf->strip.holds < size)
      return;
   const uint16_t *h = vf->strip.held;
   struct object *o;
   switch (vf->topology) {
   case LINELIST:
   case LINELIST_ADJ:
      add_line(r, size, h);
      break;
   case TRILIST:
   case TRILIST_ADJ:
      add_triangle(r, size, h, 7);
      break;
   case QUADLIST:
      add_quad(r, h);
      break;
   case RECTLIST:
      add(r, OBJECT_RECTANGLE, 3, h);
      break;
   default:
      o = add(r, OBJECT_PATCH, size, h);
      o->first = false;
   }
   vf->strip.holds = 0;
}

static void
fan(struct render *r, unsigned entry)
{
   struct vf *vf = &r->vf;
   hold(vf, entry);
   if (vf->strip.holds < 3)
      return;
   /* The edges to the centre are the polygon's only at its two ends; a fan draws all of its own. */
   bool polygon = vf->topology == POLYGON;
   unsigned edges = !polygon ? 7 : vf->strip.made ? 2 : 3;
   add_fan(r, vf->strip.held, edges);
   vf->strip.held[1] = vf->strip.held[2];
   vf->strip.holds = 2;
}

static void
triangle_strip(struct render *r, unsigned entry)
{
   struct vf *vf = &r->vf;
   hold(vf, entry);
   if (vf->strip.holds < 3)
      return;
   bool reverse = vf->topology == TRISTRIP_REVERSE;
   bool odd = (vf->strip.made & 1) != reverse; /* P3D-214 */
   add_triangle(r, 3, vf->strip.held, 7)->odd = odd;
   let_go(vf, 1);
}

static void
line_strip(struct render *r, unsigned entry)
{
   struct vf *vf = &r->vf;
   bool loop = vf->topology == LINELOOP; /* which keeps its first vertex in place 0 */
   hold(vf, entry);
   if (vf->strip.holds < 2u + (loop && vf->strip.made))
      return;
   const uint16_t *h = vf->strip.held + vf->strip.holds - 2;
   struct object *o = add_line(r, 2, h);
   if (vf->topology == LINESTRIP_CONT || vf->topology == LINESTRIP_CONT_BF)
      o->first = false;
   if (!loop)
      let_go(vf, 1);
   else if (vf->strip.holds == 3) {
      vf->strip.held[1] = vf->strip.held[2];
      vf->strip.holds = 2;
   }
}

static void
line_strip_adjacent(struct render *r, unsigned entry)
{
   struct vf *vf = &r->vf;
   hold(vf, entry);
   if (vf->strip.holds < 4)
      return;
   add_line(r, 4, vf->strip.held);
   let_go(vf, 1);
}

static void
quad_strip(struct render *r, unsigned entry)
{
   struct vf *vf = &r->vf;
   hold(vf, entry);
   if (vf->strip.holds < 4)
      return;
   const uint16_t *h = vf->strip.held, quad[4] = {h[0], h[1], h[3], h[2]};
   add_quad(r, quad);
   let_go(vf, 2);
}

void
vf_vertex(struct render *r, unsigned entry)
{
   struct vf *vf = &r->vf;
   vf->strip.count++;
   switch (vf->topology) {
   case POINTLIST:
   case POINTLIST_BF:
      add_point(r, &(uint16_t){(uint16_t)entry});
      return;
   case LINELIST:
      list(r, entry, 2);
      return;
   case LINELIST_ADJ:
   case QUADLIST:
      list(r, entry, 4);
      return;
   case TRILIST:
   case RECTLIST:
      list(r, entry, 3);
      return;
   case TRILIST_ADJ:
      list(r, entry, 6);
      return;
   case LINESTRIP:
   case LINESTRIP_CONT:
   case LINESTRIP_BF:
   case LINESTRIP_CONT_BF:
   case LINELOOP:
      line_strip(r, entry);
      return;
   case LINESTRIP_ADJ:
      line_strip_adjacent(r, entry);
      return;
   case TRISTRIP:
   case TRISTRIP_REVERSE:
      triangle_strip(r, entry);
      return;
   case TRISTRIP_ADJ:
      strip_adjacent(r, entry);
      return;
   case TRIFAN:
   case TRIFAN_NOSTIPPLE:
   case POLYGON:
      fan(r, entry);
      return;
   case QUADSTRIP:
      quad_strip(r, entry);
      return;
   default:
      list(r, entry, vf->topology - PATCHLIST_1 + 1u);
   }
}

/* P3D-064: the segment that closes a loop is not counted as one of its objects. */
static void
close_loop(struct render *r)
{
   struct vf *vf = &r->vf;
   if (!vf->strip.made || vf->strip.holds < 2)
      return;
   const uint16_t closing[2] = {vf->strip.held[1], vf->strip.held[0]};
   add_line(r, 2, closing)->last = true;
   vf->objects_seen--;
}

/* The last object of the topology, which is still in the list: vf_run() passes none on before it
 * knows what follows. */
static void
end_strip(struct render *r)
{
   struct object *o = &r->list.object[r->list.count - 1];
   if (r->vf.topology == POLYGON) /* P3D-217: its last edge, back to the first vertex */
      o->edges |= o->edges >> 3 & 4;
   o->last = true; /* P3D-230 */
}

void
vf_cut(struct render *r)
{
   struct vf *vf = &r->vf;
   if (vf->topology == LINELOOP)
      close_loop(r);
   else if (vf->topology == TRISTRIP_ADJ && vf->strip.holds >= (vf->strip.made ? 8u : 6u))
      add_strip_adjacent(r, true);
   else if (vf->strip.made && r->list.count)
      end_strip(r);
   vf->strip.objects += vf->strip.made;
   vf->strip.made = 0;
   vf->strip.count = 0;
   vf->strip.holds = 0;
}
