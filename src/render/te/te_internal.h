/* Private to src/render/te. */
#ifndef PERGOLA_RENDER_TE_INTERNAL_H
#define PERGOLA_RENDER_TE_INTERNAL_H

#include "render/te/te.h"

/* Points along one edge or inside axis. */
struct te_axis {
   bool odd;
   uint32_t count; /* points */
   uint32_t half;  /* of them before the middle */
   uint32_t floor, ceil, fraction, split;
};

/* The factors after 7.2: fixed point, with the parity of each. */
struct te_factors {
   uint32_t edge[4], inside[2]; /* edges U=0, V=0, U=1 (tri: W=0), V=1; inside U, V */
   bool edge_odd[4], inside_odd[2];
   bool minimum; /* P3D-115: all are exactly one */
};

/* factors.c. False: culled. Isolines: edge[0] is the detail, edge[1] the density. */
bool te_factors(const struct te_state *s, const uint32_t header[8], struct te_factors *f);

/* axis.c */
struct te_axis te_axis(uint32_t factor, bool odd);
/* P3D-116: where point p lies, 0 to TE_ONE. */
uint32_t te_place(const struct te_axis *a, uint32_t p);

#define TE_EDGE_POINTS 68u

/* A ring of points as lists of point numbers, one for each edge; each list ends with the first
 * point of the next edge. */
struct te_ring {
   unsigned edges;
   unsigned length[4];
   uint16_t list[4][TE_EDGE_POINTS];
};

/* stitch.c: triangles between two rings. */
struct te_transition {
   uint32_t inside_half, outside_half; /* points before the middle */
   bool inside_odd, outside_odd;
};
void te_triangle(struct te_output *out, unsigned a, unsigned b, unsigned c);
void te_stitch_transition(struct te_output *out, const uint16_t *inside, const uint16_t *outside,
                          const struct te_transition *t);
void te_stitch_ring(struct te_output *out, const uint16_t *inside, unsigned length,
                    const uint16_t *outside);

/* points.c: what quads and triangles share. */
uint16_t te_add_point(struct te_output *out, uint32_t u, uint32_t v);
/* An edge's list has all of its own points; closes each with the first point of the next. */
void te_close_ring(struct te_ring *r);
/* All triangles between the outer ring and the first inner one. */
void te_stitch_outer(struct te_output *out, const struct te_ring *inner,
                     const struct te_ring *outer, const struct te_axis *const inside[4],
                     const struct te_axis *edge);

/* quad.c, tri.c */
void te_quad(const struct te_factors *f, struct te_output *out);
void te_tri(const struct te_factors *f, struct te_output *out);

#endif
