/* A request in the middle of its way, made by hand: for tests of one stage. */
#ifndef PERGOLA_TEST_VME_INSIDE_H
#define PERGOLA_TEST_VME_INSIDE_H

#include "shared_functions/vme/partition.h"
#include "shared_functions/vme/vme.h"

#include <stdlib.h>
#include <string.h>

/* 16x16, SAD, no costs, no limit, flat pixels, windows of 32x32 at (-8, -8), two references; every
 * entry of the records is far from the best. */
static inline struct vme *
inside_create(void)
{
   struct vme *v = aligned_alloc(64, (sizeof(*v) + 63) & ~(size_t)63);
   memset(v, 0, sizeof(*v));
   v->inter = true;
   v->dual = true;
   v->m0.searchctrl = 7;
   v->src_w = v->src_h = 16;
   v->su_w = v->su_h = 4;
   v->ref_w = v->ref_h = 32;
   v->points_x = v->points_y = 16;
   v->m1.maxnummvs = 32;
   v->m1.biweight = 32;
   v->dsp = &vme_dsp_c;
   for (unsigned r = 0; r < 2; r++) {
      v->window[r].x = v->window[r].y = -8;
      for (unsigned b = 0; b < VME_BLOCKS; b++)
         v->record[r].e[b] = (struct vme_entry){.cost = 5000, .center = (uint8_t)r};
   }
   return v;
}

/* Costs of all blocks of a shape in one record. */
static inline void
inside_cost(struct vme *v, unsigned record, unsigned shape, int32_t cost)
{
   for (unsigned b = 0; b < VME_BLOCKS; b++)
      if (vme_blocks[b].shape == shape)
         v->record[record].e[b].cost = cost;
}

static inline void
inside_mv(struct vme *v, unsigned record, unsigned block, int32_t x, int32_t y)
{
   v->record[record].e[block].mv = (struct vme_mv){x, y};
}

#endif
