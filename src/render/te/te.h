/* The tessellation engine: factors in, points and a list of indices out. It knows nothing of
 * patches, URB or threads and can be used alone. All coordinates are 16.16 fixed point, and points
 * and triangles come in the order of the public reference (spec/facts/3d-pipeline.md, 7.4.1). */
#ifndef PERGOLA_RENDER_TE_H
#define PERGOLA_RENDER_TE_H

#include "gen7_hw.h"

#include <stdbool.h>
#include <stdint.h>

enum te_domain {
   TE_QUAD = GEN7_3DSTATE_TE_TE_DOMAIN_QUAD,
   TE_TRI = GEN7_3DSTATE_TE_TE_DOMAIN_TRI,
   TE_ISOLINE = GEN7_3DSTATE_TE_TE_DOMAIN_ISOLINE,
};
enum te_partitioning {
   TE_INTEGER = GEN7_3DSTATE_TE_PARTITIONING_INTEGER,
   TE_ODD = GEN7_3DSTATE_TE_PARTITIONING_ODD_FRACTIONAL,
   TE_EVEN = GEN7_3DSTATE_TE_PARTITIONING_EVEN_FRACTIONAL,
};
enum te_topology {
   TE_POINTS = GEN7_3DSTATE_TE_OUTPUT_TOPOLOGY_POINT,
   TE_LINES = GEN7_3DSTATE_TE_OUTPUT_TOPOLOGY_LINE,
   TE_TRI_CW = GEN7_3DSTATE_TE_OUTPUT_TOPOLOGY_TRI_CW,
   TE_TRI_CCW = GEN7_3DSTATE_TE_OUTPUT_TOPOLOGY_TRI_CCW,
};

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
