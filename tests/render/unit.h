/* Units of the 3D pipeline by themselves: a render unit whose state is set by hand, and objects
 * with vertices of its own. */
#ifndef PERGOLA_TEST_RENDER_UNIT_H
#define PERGOLA_TEST_RENDER_UNIT_H

#include "../cs/rig.h"

#include "machine/float_bits.h"
#include "render/draw.h"
#include "tests/proves.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct unit {
   struct rig *rig;
   struct render *r;
   uint32_t vue[OBJECT_VERTICES][16 * 4];
   struct vertex vertex[OBJECT_VERTICES];
   struct object o;
};

static inline int
unit_setup(void **state)
{
   struct unit *u = calloc(1, sizeof(*u));
   u->rig = rig_create("ivb-gt2", PERGOLA_CHECK_REPORT);
   struct render *r = u->r = u->rig->dev->render;
   r->wm.sx = r->wm.sy = 0.5;
   r->state.clip.perspective_divide_disable = true;
   r->state.sf.cull_mode = 1;
   r->state.area.clipped_drawing_rectangle_x_max = 0x7fff;
   r->state.area.clipped_drawing_rectangle_y_max = 0x7fff;
   for (unsigned i = 0; i < OBJECT_VERTICES; i++) {
      u->vertex[i] = (struct vertex){.vue = u->vue[i], .vue_slots = 16, .edge_flag = true};
      u->o.v[i] = &u->vertex[i];
   }
   u->o.kind = OBJECT_TRIANGLE;
   u->o.topology = 4;
   u->o.vertices = 3;
   u->o.inner[1] = 1;
   u->o.inner[2] = 2;
   u->o.edges = 63;
   *state = u;
   return 0;
}

static inline int
unit_teardown(void **state)
{
   struct unit *u = *state;
   rig_destroy(u->rig);
   free(u);
   return 0;
}

static inline void
place(struct unit *u, unsigned i, float x, float y, float z, float w)
{
   const uint32_t p[4] = {float_bits(x), float_bits(y), float_bits(z), float_bits(w)};
   memcpy(u->vue[i] + 4, p, sizeof(p));
}

static inline const struct setup *
setup_of(const struct unit *u, unsigned i)
{
   return (const struct setup *)(const void *)(u->r->bin.data + u->r->bin.at[i]);
}

static inline uint32_t
random32(uint64_t *seed)
{
   *seed = *seed * 6364136223846793005u + 1442695040888963407u;
   return (uint32_t)(*seed >> 32);
}

/* From low to high. */
static inline double
random_in(uint64_t *seed, double low, double high)
{
   return low + (high - low) * random32(seed) / 4294967296.0;
}

/* Is the pixel lit by an object of the bin? By the masks of its block. */
static inline bool
lit_by(const struct setup *s, int32_t x, int32_t y)
{
   uint64_t mask = wm_coverage(s, x & ~7, y & ~7);
   unsigned i = (unsigned)x & 7, j = (unsigned)y & 7;
   return mask >> (16 * (j / 2) + 4 * (i / 2) + 2 * (j & 1) + (i & 1)) & 1;
}

#define UNIT_CASE(name) cmocka_unit_test_setup_teardown(name, unit_setup, unit_teardown)

#endif
