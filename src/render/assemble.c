/* Topologies: vertices become objects (P3D-063). */
#include "render/draw.h"

bool
topology_known(unsigned topology) /* P3D-068 */
{
   return (topology >= POINTLIST && topology <= LINESTRIP_CONT_BF) ||
          topology == TRIFAN_NOSTIPPLE || topology >= PATCHLIST_1;
}

unsigned
topology_needs(unsigned topology)
{
   unsigned patch = topology >= PATCHLIST_1 ? topology - PATCHLIST_1 + 1u : 0;
   return patch > 16 ? patch : 16;
}

/* P3D-061: the id that the vertex now coming has. */
uint32_t
assembly_id(const struct assembly *a)
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
   unsigned first = table[a->topology][0] + table[a->topology][1],
            step = table[a->topology][1] + 1u;
   if (a->topology >= PATCHLIST_1)
      first = step = a->topology - PATCHLIST_1 + 1u;
   uint32_t v = a->count;
   return a->objects + (v < first ? 0 : 1 + (v - first) / step);
}

/* ---- objects ----------------------------------------------------------------------------------
 */

static struct object *
add(struct assembly *a, unsigned kind, unsigned vertices, const uint16_t *entry)
{
   struct object *o = &a->list->object[a->list->count++];
   memset(o, 0, offsetof(struct object, v));
   o->kind = (uint8_t)kind;
   o->topology = a->topology;
   o->vertices = (uint8_t)vertices;
   o->inner[1] = 1;
   o->inner[2] = 2;
   o->first = a->made == 0;
   o->stream = a->stream;
   o->id = a->numbers ? a->objects + a->made : a->id;
   for (unsigned i = 0; i < vertices; i++)
      o->v[i] = &a->vertex[entry[i]];
   a->made++;
   a->seen++;
   return o;
}

static void
add_point(struct assembly *a, const uint16_t *e)
{
   struct object *o = add(a, OBJECT_POINT, 1, e);
   o->back = a->topology == POINTLIST_BF;
}

static struct object *
add_line(struct assembly *a, unsigned vertices, const uint16_t *e)
{
   struct object *o = add(a, OBJECT_LINE, vertices, e);
   unsigned t = a->topology;
   o->provoking = (uint8_t)(a->sf->line_strip_list_provoking_vertex_select != 0);
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
add_triangle(struct assembly *a, unsigned vertices, const uint16_t *e, unsigned edges)
{
   struct object *o = add(a, OBJECT_TRIANGLE, vertices, e);
   uint32_t select = a->sf->triangle_strip_list_provoking_vertex_select;
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
add_fan(struct assembly *a, const uint16_t *e, unsigned edges)
{
   uint32_t select = a->sf->triangle_fan_provoking_vertex_select;
   struct object *o = add_triangle(a, 3, e, edges);
   o->provoking = (uint8_t)(a->topology == POLYGON ? 0 : select < 2 ? select : 2);
}

/* P3D-065: a polygon of four is two triangles, and begins with the quad's last vertex, which
 * provokes. The object is one, and so is its number. */
static void
add_quad(struct assembly *a, const uint16_t e[4])
{
   const uint16_t first[3] = {e[3], e[0], e[1]}, second[3] = {e[3], e[1], e[2]};
   struct object *o = add_triangle(a, 3, first, 3);
   struct object *p = add_triangle(a, 3, second, 6);
   o->provoking = p->provoking = 0;
   p->id = o->id;
   p->first = o->first;
   a->made--;
   a->seen--;
}

/* ---- vertices that a topology holds -----------------------------------------------------------
 */

static void
hold(struct assembly *a, unsigned entry)
{
   a->held[a->holds++] = (uint16_t)entry;
}

/* Forgets the oldest ones. */
static void
let_go(struct assembly *a, unsigned count)
{
   a->holds -= count;
   memmove(a->held, a->held + count, a->holds * sizeof(a->held[0]));
}

/* P3D-143: triangle k of a strip with adjacency, of the seven or more vertices from 2k - 2 on (of
 * the first from 0 on) that are held. */
static void
add_strip_adjacent(struct assembly *a, bool last)
{
   const uint16_t *h = a->held;
   uint32_t k = a->made;
   unsigned o = k ? 2 : 0; /* where vertex 2k is */
   uint16_t before = k ? h[o - 2] : h[1], behind = last ? h[o + 5] : h[o + 6];
   const uint16_t even[6] = {h[o], before, h[o + 2], behind, h[o + 4], h[o + 3]},
                  odd[6] = {h[o], h[o + 3], h[o + 4], behind, h[o + 2], before};
   /* The inner vertices in the order k, k+1, k+2 whatever the parity. */
   struct object *t = add_triangle(a, 6, k & 1 ? odd : even, 7);
   if (k & 1) {
      t->inner[1] = 4;
      t->inner[2] = 2;
      t->odd = true;
   }
   if (k)
      let_go(a, 2);
}

static void
strip_adjacent(struct assembly *a, unsigned entry)
{
   hold(a, entry);
   /* Triangle k is known not to be the last one when vertex 2k + 7 has come. */
   if (a->holds == (a->made ? 10u : 8u))
      add_strip_adjacent(a, false);
}

static void
list(struct assembly *a, unsigned entry, unsigned size)
{
   hold(a, entry);
   if (a->holds < size)
      return;
   const uint16_t *h = a->held;
   struct object *o;
   switch (a->topology) {
   case LINELIST:
   case LINELIST_ADJ:
      add_line(a, size, h);
      break;
   case TRILIST:
   case TRILIST_ADJ:
      add_triangle(a, size, h, 7);
      break;
   case QUADLIST:
      add_quad(a, h);
      break;
   case RECTLIST:
      add(a, OBJECT_RECTANGLE, 3, h);
      break;
   default:
      o = add(a, OBJECT_PATCH, size, h);
      o->first = false;
   }
   a->holds = 0;
}

static void
fan(struct assembly *a, unsigned entry)
{
   hold(a, entry);
   if (a->holds < 3)
      return;
   /* The edges to the centre are the polygon's only at its two ends; a fan draws all of its own. */
   bool polygon = a->topology == POLYGON;
   unsigned edges = !polygon ? 7 : a->made ? 2 : 3;
   add_fan(a, a->held, edges);
   a->held[1] = a->held[2];
   a->holds = 2;
}

static void
triangle_strip(struct assembly *a, unsigned entry)
{
   hold(a, entry);
   if (a->holds < 3)
      return;
   bool reverse = a->topology == TRISTRIP_REVERSE;
   bool odd = (a->made & 1) != reverse; /* P3D-214 */
   add_triangle(a, 3, a->held, 7)->odd = odd;
   let_go(a, 1);
}

static void
line_strip(struct assembly *a, unsigned entry)
{
   bool loop = a->topology == LINELOOP; /* which keeps its first vertex in place 0 */
   hold(a, entry);
   if (a->holds < 2u + (loop && a->made))
      return;
   const uint16_t *h = a->held + a->holds - 2;
   struct object *o = add_line(a, 2, h);
   if (a->topology == LINESTRIP_CONT || a->topology == LINESTRIP_CONT_BF)
      o->first = false;
   if (!loop)
      let_go(a, 1);
   else if (a->holds == 3) {
      a->held[1] = a->held[2];
      a->holds = 2;
   }
}

static void
line_strip_adjacent(struct assembly *a, unsigned entry)
{
   hold(a, entry);
   if (a->holds < 4)
      return;
   add_line(a, 4, a->held);
   let_go(a, 1);
}

static void
quad_strip(struct assembly *a, unsigned entry)
{
   hold(a, entry);
   if (a->holds < 4)
      return;
   const uint16_t *h = a->held, quad[4] = {h[2], h[0], h[1], h[3]};
   add_quad(a, quad);
   let_go(a, 2);
}

unsigned
assembly_most_held(const struct assembly *a)
{
   static const uint8_t most[PATCHLIST_1] = {
       [LINELIST] = 1,         [LINESTRIP] = 1,         [LINESTRIP_CONT] = 1, [LINESTRIP_BF] = 1,
       [LINELOOP] = 2,         [LINESTRIP_CONT_BF] = 1, [TRILIST] = 2,        [TRISTRIP] = 2,
       [TRIFAN] = 2,           [TRIFAN_NOSTIPPLE] = 2,  [POLYGON] = 2,        [RECTLIST] = 2,
       [QUADLIST] = 3,         [QUADSTRIP] = 3,         [LINELIST_ADJ] = 3,   [LINESTRIP_ADJ] = 3,
       [TRISTRIP_REVERSE] = 2, [TRILIST_ADJ] = 5};
   if (a->topology >= PATCHLIST_1)
      return a->topology - PATCHLIST_1;
   return a->topology == TRISTRIP_ADJ ? a->made ? 9 : 7 : most[a->topology];
}

void
assembly_vertex(struct assembly *a, unsigned entry)
{
   if (a->waiting && a->waiting->count) /* they come first */
      assembly_objects(a);
   a->count++;
   switch (a->topology) {
   case POINTLIST:
   case POINTLIST_BF:
      add_point(a, &(uint16_t){(uint16_t)entry});
      return;
   case LINELIST:
      list(a, entry, 2);
      return;
   case LINELIST_ADJ:
   case QUADLIST:
      list(a, entry, 4);
      return;
   case TRILIST:
   case RECTLIST:
      list(a, entry, 3);
      return;
   case TRILIST_ADJ:
      list(a, entry, 6);
      return;
   case LINESTRIP:
   case LINESTRIP_CONT:
   case LINESTRIP_BF:
   case LINESTRIP_CONT_BF:
   case LINELOOP:
      line_strip(a, entry);
      return;
   case LINESTRIP_ADJ:
      line_strip_adjacent(a, entry);
      return;
   case TRISTRIP:
   case TRISTRIP_REVERSE:
      triangle_strip(a, entry);
      return;
   case TRISTRIP_ADJ:
      strip_adjacent(a, entry);
      return;
   case TRIFAN:
   case TRIFAN_NOSTIPPLE:
   case POLYGON:
      fan(a, entry);
      return;
   case QUADSTRIP:
      quad_strip(a, entry);
      return;
   default:
      list(a, entry, a->topology - PATCHLIST_1 + 1u);
   }
}

void
assembly_objects(struct assembly *a)
{
   uint32_t select = a->sf->triangle_strip_list_provoking_vertex_select;
   const struct object head = {.kind = OBJECT_TRIANGLE,
                               .topology = a->topology,
                               .vertices = 3,
                               .inner = {0, 1, 2},
                               .provoking = (uint8_t)(select < 2 ? select : 2)};
   for (unsigned i = 0; i < a->waiting->count; i++) {
      const struct triangle *t = &a->waiting->triangle[i];
      struct object *o = &a->list->object[a->list->count++];
      memcpy(o, &head, offsetof(struct object, v));
      o->first = t->first;
      o->last = t->last;
      o->id = t->id;
      for (unsigned k = 0; k < 3; k++) {
         const struct vertex *v = &a->vertex[t->v[k]];
         o->v[k] = v;
         o->edges |= (uint8_t)(v->edge_flag * (9u << k));
      }
   }
   a->waiting->count = 0;
}

/* P3D-064: the segment that closes a loop is not counted as one of its objects. */
static void
close_loop(struct assembly *a)
{
   if (!a->made || a->holds < 2)
      return;
   const uint16_t closing[2] = {a->held[1], a->held[0]};
   add_line(a, 2, closing)->last = true;
   a->seen--;
}

/* The last object of the topology, which is still in the list: nobody passes it on before it
 * is known what follows. */
static void
end_strip(struct assembly *a)
{
   struct object *o = &a->list->object[a->list->count - 1];
   if (a->topology == POLYGON) /* P3D-217: its last edge, back to the first vertex */
      o->edges |= o->edges >> 3 & 4;
   o->last = true; /* P3D-230 */
}

void
assembly_cut(struct assembly *a)
{
   if (a->topology == LINELOOP)
      close_loop(a);
   else if (a->topology == TRISTRIP_ADJ && a->holds >= (a->made ? 8u : 6u))
      add_strip_adjacent(a, true);
   else if (a->waiting && a->waiting->count)
      a->waiting->triangle[a->waiting->count - 1].last = true;
   else if (a->made && a->list->count)
      end_strip(a);
   a->objects += a->made;
   a->made = 0;
   a->count = 0;
   a->holds = 0;
}
