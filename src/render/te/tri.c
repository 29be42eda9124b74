/* P3D-118: a triangle, ring by ring. */
#include "render/te/te_internal.h"

/* Ring r of the inside axis, without the centre: three edges of points that lie `across` from the
 * outer edge they run along. */
static void
inner_ring(const struct te_axis *a, uint32_t points, uint32_t r, struct te_ring *ring,
           struct te_output *out)
{
   uint32_t across = (uint32_t)(((uint64_t)te_place(a, r) * 0xaaaa + 0x8000) >> 16);
   ring->edges = 3;
   for (unsigned e = 0; e < 3; e++) {
      ring->length[e] = 0;
      for (uint32_t k = r; k + 1 < points - r; k++) {
         uint32_t p = e == 1 ? k : points - 1 - k;
         uint32_t x = te_place(a, p) - (across + 1) / 2;
         uint32_t u = e == 0 ? across : x;
         uint32_t v = e == 0 ? x : e == 1 ? across : TE_ONE - x - across;
         ring->list[e][ring->length[e]++] = te_add_point(out, u, v);
      }
   }
   te_close_ring(ring);
}

static void
outer_ring(const struct te_axis edge[3], struct te_ring *ring, struct te_output *out)
{
   ring->edges = 3;
   for (unsigned e = 0; e < 3; e++) {
      ring->length[e] = 0;
      for (uint32_t k = 0; k + 1 < edge[e].count; k++) {
         uint32_t x = te_place(&edge[e], e == 1 ? k : edge[e].count - 1 - k);
         uint32_t u = e == 0 ? 0 : x, v = e == 0 ? x : e == 1 ? 0 : TE_ONE - x;
         ring->list[e][ring->length[e]++] = te_add_point(out, u, v);
      }
   }
   te_close_ring(ring);
}

static void
centre(struct te_ring *ring, struct te_output *out)
{
   uint16_t point = te_add_point(out, 0x5555, 0x5555);
   *ring = (struct te_ring){.edges = 3, .length = {1, 1, 1}};
   for (unsigned e = 0; e < 3; e++)
      ring->list[e][0] = point;
}

void
te_tri(const struct te_factors *f, struct te_output *out)
{
   struct te_axis edge[3], inside = te_axis(f->inside[0], f->inside_odd[0]);
   const struct te_axis *const along[4] = {&inside, &inside, &inside, &inside};
   uint32_t least = inside.odd ? 4 : 3, points = inside.count > least ? inside.count : least;
   struct te_ring ring[2];
   for (unsigned e = 0; e < 3; e++)
      edge[e] = te_axis(f->edge[e], f->edge_odd[e]);
   outer_ring(edge, &ring[0], out);
   /* All points come before the triangles in number, so rings can be stitched as they are made. */
   uint32_t rings = points / 2, last = inside.odd ? rings - 1 : rings;
   for (uint32_t r = 1; r <= last; r++) {
      struct te_ring *inner = &ring[r & 1];
      const struct te_ring *outer = &ring[(r - 1) & 1];
      if (r == rings)
         centre(inner, out);
      else
         inner_ring(&inside, points, r, inner, out);
      if (r == 1)
         te_stitch_outer(out, inner, outer, along, edge);
      for (unsigned e = 0; r > 1 && e < 3; e++)
         te_stitch_ring(out, inner->list[e], inner->length[e], outer->list[e]);
   }
   /* P3D-122 */
   const struct te_ring *end = &ring[last & 1];
   if (inside.odd)
      te_triangle(out, end->list[0][0], end->list[1][0], end->list[2][0]);
}
