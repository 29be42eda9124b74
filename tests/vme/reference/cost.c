/* Costs of vectors and directions, and the value that a record keeps. */
#include "tests/vme/reference/reference.h"

#include <stdlib.h>

struct ref_block
ref_block(int i)
{
   if (i >= REF_4X4) {
      int k = (i - REF_4X4) / 4, j = (i - REF_4X4) % 4;
      return (struct ref_block){8 * (k % 2) + 4 * (j % 2), 8 * (k / 2) + 4 * (j / 2), 4, 4};
   }
   if (i >= REF_4X8) {
      int k = (i - REF_4X8) / 2, j = (i - REF_4X8) % 2;
      return (struct ref_block){8 * (k % 2) + 4 * j, 8 * (k / 2), 4, 8};
   }
   if (i >= REF_8X4) {
      int k = (i - REF_8X4) / 2, j = (i - REF_8X4) % 2;
      return (struct ref_block){8 * (k % 2), 8 * (k / 2) + 4 * j, 8, 4};
   }
   if (i >= REF_8X8) {
      int k = i - REF_8X8;
      return (struct ref_block){8 * (k % 2), 8 * (k / 2), 8, 8};
   }
   if (i >= REF_8X16)
      return (struct ref_block){8 * (i - REF_8X16), 0, 8, 16};
   if (i >= REF_16X8)
      return (struct ref_block){0, 8 * (i - REF_16X8), 16, 8};
   return (struct ref_block){0, 0, 16, 16};
}

bool
ref_fits(const struct ref_fields *f, int block)
{
   struct ref_block b = ref_block(block);
   return b.x + b.w <= f->src_w && b.y + b.h <= f->src_h;
}

/* VME-156 to VME-163 */
static int
component_cost(const struct ref_fields *f, int distance)
{
   int dx = abs(distance) >> f->cost_scale;
   if (dx > 64) {
      int cost = f->lut_mv[7] + dx - 64;
      return cost < 0x3ff ? cost : 0x3ff;
   }
   if (dx == 0)
      return f->lut_mv[0];
   int p = 0;
   while (2 << p <= dx)
      p++;
   int k = dx - (1 << p);
   if (k == 0)
      return f->lut_mv[p + 1];
   return f->lut_mv[p + 1] + (((f->lut_mv[p + 2] - f->lut_mv[p + 1]) * k) >> p);
}

int
ref_vector_cost(const struct ref_fields *f, struct ref_vector v, int center)
{
   return component_cost(f, v.x - f->center[center].x) +
          component_cost(f, v.y - f->center[center].y);
}

/* VME-148, VME-150 */
int
ref_direction_penalty(const struct ref_fields *f, int dir)
{
   bool forward = dir == 0;
   return forward == f->bwd_penalty_forward ? f->bwd_penalty : 0;
}

/* VME-067 */
int
ref_value(const struct ref_call *c, int record, int block, struct ref_vector v, int center)
{
   uint8_t pred[16][16];
   struct ref_block b = ref_block(block);
   ref_predict_window(c, record, b, v, pred);
   return ref_distortion(c->source, pred, b, c->f.inter_haar) + ref_vector_cost(&c->f, v, center) +
          ref_direction_penalty(&c->f, record);
}
