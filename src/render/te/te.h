/* The tessellation engine: factors in, points and a list of indices out. It knows nothing of
 * patches, URB or threads and can be used alone. All coordinates are 16.16 fixed point, and points
 * and triangles come in the order of the public reference (spec/facts/3d-pipeline.md, 7.4.1). */
#ifndef PERGOLA_RENDER_TE_H
#define PERGOLA_RENDER_TE_H

#include <stdbool.h>
#include <stdint.h>

enum te_domain { TE_QUAD, TE_TRI, TE_ISOLINE };
enum te_partitioning { TE_INTEGER, TE_ODD, TE_EVEN };
enum te_topology { TE_POINTS, TE_LINES, TE_TRI_CW, TE_TRI_CCW };

struct te_state {
   enum te_domain domain;
   enum te_partitioning partitioning;
   enum te_topology topology;
   float max_odd, max_not_odd; /* 3DSTATE_TE; the hardware's own bounds are 63 and 64 */
};

#define TE_ONE 0x10000u
#define TE_MAX_POINTS 4400u   /* 65 x 65 of a quad, and the outer ring's own */
#define TE_MAX_INDICES 26000u /* 64 x 64 x 2 triangles of a quad, and the transitions */

struct te_point {
   uint32_t u, v;
};

struct te_output {
   unsigned points, indices;
   struct te_point point[TE_MAX_POINTS];
   uint16_t index[TE_MAX_INDICES];
};

/* `header`: the patch header, eight dwords of the patch's URB entry (P3D-109). False: the patch is
 * culled, and there is no output. */
bool te_tessellate(const struct te_state *s, const uint32_t header[8], struct te_output *out);

#endif
