/* An object after setup: what the windower walks over, and what pixel shaders interpolate. */
#ifndef PERGOLA_RENDER_SETUP_H
#define PERGOLA_RENDER_SETUP_H

#include <stdbool.h>
#include <stdint.h>

#define ATTRIBUTES 32u
#define FAR_PIXEL 16384 /* no pixel is farther to the right, or down */
#define SETUP_EDGES 4u  /* of a wide line: the most */

/* c + a·x + b·y for pixel x, y; at least 0: its sample point is inside. Exact: coordinates are
 * integers on the grid of vertices, and the fill rule is in c (P3D-253, P3D-254). */
struct edge {
   int64_t c;
   int32_t a, b;
   uint8_t rest; /* of c, in 256ths: for points beside the pixel's */
};

/* A value that is linear on the screen: c + x·px + y·py at the sample point of pixel px, py. */
struct plane {
   double c, x, y;
};

/* What lines have of their own. */
struct line_style {
   /* P3D-236: the stipple's counter goes from pixel to pixel of the axis that the line is nearer
    * to.
    */
   bool y_major;
   int8_t step;    /* 1 or -1 */
   int32_t from;   /* the first pixel … */
   uint32_t count; /* … and the counter there */
   /* P3D-233: pixels to the side of the line, and along it from its start. */
   struct plane across, along;
   double half, length; /* half its width */
};

struct setup {
   int32_t x0, y0, x1, y1; /* pixels that may be inside, the last ones excluded */
   uint8_t edges;          /* 0: all of these are */
   uint8_t topology, viewport;
   bool back_facing;
   bool stippled;    /* by the polygon's pattern, or … */
   bool dashed;      /* … the line's */
   bool smooth;      /* an antialiased line */
   bool patterned;   /* P3D-262: edges are those of each sample, not of the pixel */
   bool perspective; /* 1/w differs between vertices */
   uint16_t layer;
   uint16_t attributes;
   uint32_t size_B; /* with its attributes */
   struct edge edge[SETUP_EDGES];
   /* P3D-268: n1 / d and n2 / d are b1 and b2, d is 1/w; l1 and l2 the linear ones. */
   struct plane n1, n2, d, l1, l2, z;
   struct line_style line; /* if dashed or smooth */
   /* P3D-247: two registers for each attribute, as threads have them: a1, a2, 0, a0 of x, of y; of
    * z, of w. */
   _Alignas(32) uint32_t attribute[][8];
};

static inline double
plane_at(const struct plane *p, double x, double y)
{
   return p->c + p->x * x + p->y * y;
}

#endif
