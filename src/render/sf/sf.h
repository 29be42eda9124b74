/* Private to src/render/sf: vertices on the screen. */
#ifndef PERGOLA_RENDER_SF_H
#define PERGOLA_RENDER_SF_H

#include "render/draw.h"

#define SF_GRID 256 /* of vertices, in a pixel */

/* P3D-211, P3D-212 */
int32_t sf_quantise(const struct render *r, double at);
/* P3D-212: told, if the grid does not have it. */
void sf_check_extent(struct render *r, double x, double y);
/* P3D-205, P3D-206. False: it is not a number. */
bool sf_transform(struct render *r, const struct vertex *v, unsigned viewport,
                  struct sf_vertex *out);
unsigned sf_viewport(const struct render *r, const struct object *o);
/* Clip space of an inner vertex, with w. */
void sf_clip_space(const struct render *r, const struct vertex *v, double out[4]);
/* … and to the screen. */
void sf_screen(const struct render *r, unsigned viewport, const double clip[4], double out[4]);

/* An object in the bin: viewport, layer, facing. */
struct setup *sf_begin(struct render *r, const struct object *o, bool back);
/* Pixels whose sample points lie between these places of the grid, both included, and inside
 * drawing rectangle and scissor. False: there are none. */
bool sf_bounds(const struct render *r, struct setup *s, int32_t x0, int32_t y0, int32_t x1,
               int32_t y1);
/* The same as a shape: where samples have points of their own it has edges. */
bool sf_box(const struct render *r, struct setup *s, int32_t x0, int32_t y0, int32_t x1,
            int32_t y1);
/* The edge from a to b of a convex shape, which lies to its right on the screen. */
void sf_edge(const struct render *r, struct edge *e, int32_t ax, int32_t ay, int32_t bx,
             int32_t by);
/* The same where the rule of polygons does not say whether the edge itself is inside. */
void sf_border(const struct render *r, struct edge *e, int32_t ax, int32_t ay, int32_t bx,
               int32_t by, bool inside);
/* P3D-268: from 1/w and the linear planes. */
void sf_planes(struct setup *s, const double rhw[3], const double z[3]);

enum {
   CULL_BOTH = GEN7_3DSTATE_SF_CULL_MODE_BOTH,
   CULL_NONE = GEN7_3DSTATE_SF_CULL_MODE_NONE,
   CULL_FRONT = GEN7_3DSTATE_SF_CULL_MODE_FRONT,
   CULL_BACK = GEN7_3DSTATE_SF_CULL_MODE_BACK,
};

/* Twice the area of a triangle on the grid: above 0 if it is clockwise on the screen. */
static inline int64_t
sf_area(int32_t ax, int32_t ay, int32_t bx, int32_t by, int32_t cx, int32_t cy)
{
   return ((int64_t)bx - ax) * ((int64_t)cy - ay) - ((int64_t)cx - ax) * ((int64_t)by - ay);
}

/* P3D-214: by the sign of the area. */
static inline bool
sf_faces_back(const struct render *r, bool odd, int64_t sign)
{
   bool clockwise = (sign > 0) != odd;
   return sign == 0 || clockwise == (bool)r->state.sf.front_winding;
}

static inline bool
sf_culled(const struct render *r, bool back) /* P3D-215 */
{
   uint32_t mode = r->state.sf.cull_mode;
   return mode == CULL_BOTH || mode == (back ? CULL_BACK : CULL_FRONT);
}

#endif
