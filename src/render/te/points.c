/* What the domains share: points, rings and the way from the outer ring inwards. */
#include "render/te/te_internal.h"

uint16_t
te_add_point(struct te_output *out, uint32_t u, uint32_t v)
{
   if (out->points == TE_MAX_POINTS)
      return 0;
   out->point[out->points] = (struct te_point){u, v};
   return (uint16_t)out->points++;
}

void
te_close_ring(struct te_ring *r)
{
   for (unsigned e = 0; e < r->edges; e++)
      r->list[e][r->length[e]++] = r->list[(e + 1) % r->edges][0];
}

void
te_stitch_outer(struct te_output *out, const struct te_ring *inner, const struct te_ring *outer,
                const struct te_axis *const inside[4], const struct te_axis *edge)
{
   for (unsigned e = 0; e < outer->edges; e++) {
      const struct te_transition t = {inside[e]->half, edge[e].half, inside[e]->odd, edge[e].odd};
      te_stitch_transition(out, inner->list[e], outer->list[e], &t);
   }
}

static void
isolines(const struct te_factors *f, struct te_output *out)
{
   /* P3D-119 */
   struct te_axis along = te_axis(f->edge[0], f->edge_odd[0]);
   struct te_axis across = te_axis(f->edge[1], f->edge_odd[1]);
   for (uint32_t line = 0; line + 1 < across.count; line++)
      for (uint32_t p = 0; p < along.count; p++) {
         uint16_t point = te_add_point(out, te_place(&along, p), te_place(&across, line));
         if (!p || out->indices + 2 > TE_MAX_INDICES)
            continue;
         out->index[out->indices++] = (uint16_t)(point - 1);
         out->index[out->indices++] = point;
      }
}

/* P3D-115 */
static void
minimum(bool quad, struct te_output *out)
{
   static const struct te_point q[] = {{0, 0}, {TE_ONE, 0}, {TE_ONE, TE_ONE}, {0, TE_ONE}};
   static const struct te_point t[] = {{0, TE_ONE}, {0, 0}, {TE_ONE, 0}};
   for (unsigned i = 0; i < (quad ? 4u : 3u); i++)
      te_add_point(out, quad ? q[i].u : t[i].u, quad ? q[i].v : t[i].v);
   if (quad) {
      te_triangle(out, 0, 1, 3);
      te_triangle(out, 1, 2, 3);
   } else {
      te_triangle(out, 0, 1, 2);
   }
}

/* P3D-124 */
static void
apply_topology(const struct te_state *s, struct te_output *out)
{
   bool by_points =
       s->topology == TE_POINTS || (s->topology == TE_LINES && s->domain != TE_ISOLINE);
   if (by_points) {
      out->indices = out->points;
      for (unsigned i = 0; i < out->points; i++)
         out->index[i] = (uint16_t)i;
   } else if (s->topology == TE_TRI_CCW && s->domain != TE_ISOLINE) {
      for (unsigned i = 0; i + 2 < out->indices; i += 3) {
         uint16_t second = out->index[i + 1];
         out->index[i + 1] = out->index[i + 2];
         out->index[i + 2] = second;
      }
   }
}

bool
te_tessellate(const struct te_state *s, const uint32_t header[8], struct te_output *out)
{
   struct te_factors f;
   out->points = out->indices = 0;
   if (!te_factors(s, header, &f))
      return false;
   if (s->domain == TE_ISOLINE)
      isolines(&f, out);
   else if (f.minimum)
      minimum(s->domain == TE_QUAD, out);
   else if (s->domain == TE_QUAD)
      te_quad(&f, out);
   else
      te_tri(&f, out);
   apply_topology(s, out);
   return true;
}
