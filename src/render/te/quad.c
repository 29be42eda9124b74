/* P3D-117: a quad, ring by ring. */
#include "render/te/te_internal.h"

struct inside {
   struct te_axis u, v;
   uint32_t nu, nv; /* points: at least 3, or 4 for an odd axis */
};

static uint32_t
at_least(const struct te_axis *a)
{
   uint32_t least = a->odd ? 4 : 3;
   return a->count > least ? a->count : least;
}

static void
outer_ring(const struct te_axis edge[4], struct te_ring *ring, struct te_output *out)
{
   ring->edges = 4;
   for (unsigned e = 0; e < 4; e++) {
      bool falling = e == 0 || e == 3;
      ring->length[e] = 0;
      for (uint32_t k = 0; k + 1 < edge[e].count; k++) {
         uint32_t x = te_place(&edge[e], falling ? edge[e].count - 1 - k : k);
         uint32_t fixed = e >= 2 ? TE_ONE : 0;
         ring->list[e][ring->length[e]++] = te_add_point(out, e & 1 ? x : fixed, e & 1 ? fixed : x);
      }
   }
   te_close_ring(ring);
}

static void
inner_ring(const struct inside *n, uint32_t r, struct te_ring *ring, struct te_output *out)
{
   ring->edges = 4;
   for (unsigned e = 0; e < 4; e++) {
      const struct te_axis *along = e & 1 ? &n->u : &n->v, *across = e & 1 ? &n->v : &n->u;
      uint32_t points = e & 1 ? n->nu : n->nv, others = e & 1 ? n->nv : n->nu;
      uint32_t fixed = te_place(across, e >= 2 ? others - 1 - r : r);
      bool falling = e == 0 || e == 3;
      ring->length[e] = 0;
      for (uint32_t k = r; k + 1 < points - r; k++) {
         uint32_t x = te_place(along, falling ? points - 1 - k : k);
         ring->list[e][ring->length[e]++] = te_add_point(out, e & 1 ? x : fixed, e & 1 ? fixed : x);
      }
   }
   te_close_ring(ring);
}

/* The middle row or column as a ring without width: its line there and back, its ends as edges of
 * one point. */
static void
middle_ring(const struct inside *n, uint32_t r, bool row, struct te_ring *ring,
            struct te_output *out)
{
   uint32_t points = row ? n->nu : n->nv, length = points - 2 * r;
   unsigned there = row ? 1 : 0, back = there + 2, end = there + 1, begin = row ? 0 : 3;
   *ring = (struct te_ring){.edges = 4};
   for (uint32_t k = 0; k < length; k++) {
      uint32_t u = row ? te_place(&n->u, r + k) : TE_ONE / 2;
      uint32_t v = row ? TE_ONE / 2 : te_place(&n->v, points - 1 - r - k);
      uint16_t point = te_add_point(out, u, v);
      ring->list[there][k] = ring->list[back][length - 1 - k] = point;
   }
   ring->length[there] = ring->length[back] = length;
   ring->length[begin] = ring->length[end] = 1;
   ring->list[begin][0] = ring->list[there][0];
   ring->list[end][0] = ring->list[back][0];
}

/* P3D-122: the strip between the two long sides of the last ring of an odd patch. */
static void
middle_strip(const struct inside *n, const struct te_ring *last, struct te_output *out)
{
   bool along_u = n->nu > n->nv;
   unsigned o = along_u ? 1 : 0, i = along_u ? 3 : 2, length = last->length[o];
   const uint16_t *O = last->list[o], *back = last->list[i];
   bool square = !along_u && n->v.odd;
   for (unsigned p = 0; p + 1 < length; p++) {
      uint16_t near = back[length - 1 - p], far = back[length - 2 - p];
      if (!square) {
         te_triangle(out, near, O[p], O[p + 1]);
         te_triangle(out, near, O[p + 1], far);
      } else if (p + 1 == length / 2) {
         te_triangle(out, O[p], far, near);
         te_triangle(out, O[p], O[p + 1], far);
      } else {
         te_triangle(out, O[p], O[p + 1], near);
         te_triangle(out, near, O[p + 1], far);
      }
   }
}

void
te_quad(const struct te_factors *f, struct te_output *out)
{
   struct inside n = {.u = te_axis(f->inside[0], f->inside_odd[0]),
                      .v = te_axis(f->inside[1], f->inside_odd[1])};
   n.nu = at_least(&n.u);
   n.nv = at_least(&n.v);
   const struct te_axis *const along[4] = {&n.v, &n.u, &n.v, &n.u};
   struct te_axis edge[4];
   struct te_ring ring[2];
   for (unsigned e = 0; e < 4; e++)
      edge[e] = te_axis(f->edge[e], f->edge_odd[e]);
   outer_ring(edge, &ring[0], out);
   bool along_u = n.nu > n.nv, has_middle = along_u ? !n.v.odd : !n.u.odd;
   uint32_t rings = (along_u ? n.nv : n.nu) / 2, last = has_middle ? rings : rings - 1;
   for (uint32_t r = 1; r <= last; r++) {
      struct te_ring *inner = &ring[r & 1];
      const struct te_ring *outer = &ring[(r - 1) & 1];
      if (r == rings)
         middle_ring(&n, r, along_u, inner, out);
      else
         inner_ring(&n, r, inner, out);
      if (r == 1)
         te_stitch_outer(out, inner, outer, along, edge);
      for (unsigned e = 0; r > 1 && e < 4; e++)
         te_stitch_ring(out, inner->list[e], inner->length[e], outer->list[e]);
   }
   if (!has_middle)
      middle_strip(&n, &ring[last & 1], out);
}
