/* Intra prediction estimation: which types and modes, at what cost. The predictions themselves are
 * in intra_predict.c. */
#include "shared_functions/vme/intra.h"

#include "shared_functions/vme/trace.h"

#include <string.h>

/* VME-308, VME-310, VME-311, VME-314, VME-319 */
static void
read_neighbours(const struct vme *v, struct vme_around *n)
{
   const uint8_t *m3 = (const uint8_t *)v->in[3], *m4 = (const uint8_t *)v->in[4];
   uint8_t corner = m3[7], last = m4[15];
   if (v->m1.intracornerswap) { /* VME-258 */
      corner = m4[15];
      last = m3[7];
   }
   memcpy(n->above + 1, m3 + 8, 24);
   memcpy(n->left, m4, 15);
   n->above[0] = corner;
   n->left[15] = last;
   /* VME-255 … VME-257 */
   struct hw_vme_mbintrastruct there;
   gen7_vme_mbintrastruct_unpack(&there, &v->m1.mbintrastruct);
   n->has_left = there.left;
   n->has_above = there.upper;
   n->has_right = there.upper_right;
   n->has_corner = there.upper_left;
}

/* Modes of one kind of blocks: 16x16 has four. */
struct kind {
   unsigned size, modes;
   uint32_t masked;
   bool (*predict)(const struct vme *v, const struct vme_around *n, unsigned block, unsigned mode,
                   uint8_t *out);
};

/* VME-315, VME-318: neighbours of a block of size 4 or 8 in units of 4x4; 2 if one is missing. */
static unsigned
predicted_mode(const struct vme *v, const struct vme_around *n, const uint8_t mode[16],
               unsigned size, unsigned block)
{
   static const uint8_t at[4][4] = {{0, 1, 4, 5}, {2, 3, 6, 7}, {8, 9, 12, 13}, {10, 11, 14, 15}};
   unsigned first = size == 8 ? 4 * block : block;
   unsigned x = vme_cell_x(first), y = vme_cell_y(first);
   uint32_t around = v->in[4][4];
   if ((!x && !n->has_left) || (!y && !n->has_above))
      return 2;
   /* A5, A7, A13, A15 by row; B10, B11, B14, B15 by column. */
   unsigned left = x ? mode[at[y][x - 1]] : around >> 4 * y & 15;
   unsigned above = y ? mode[at[y - 1][x]] : around >> (16 + 4 * x) & 15;
   return left < above ? left : above;
}

/* The best mode of a block (VME-107, VME-317); VME_NONE: there is none. */
static int32_t
best_mode(const struct vme *v, const struct kind *k, const struct vme_around *n, unsigned block,
          unsigned predicted, uint8_t *mode)
{
   int32_t best = VME_NONE;
   unsigned x = 0, y = 0;
   if (k->size < 16) {
      unsigned first = k->size == 8 ? 4 * block : block;
      x = 4 * vme_cell_x(first);
      y = 4 * vme_cell_y(first);
   }
   unsigned haar = v->m0.intrasad == GEN7_VME_M0_INTRASAD_HAAR; /* VME-212, VME-213 */
   for (unsigned i = 0; i < k->modes; i++) {
      uint8_t pred[16 * 16];
      if (k->masked >> i & 1 || !k->predict(v, n, block, i, pred)) /* VME-312, VME-313 */
         continue;
      int32_t cost =
          (int32_t)v->dsp->distortion[haar](v->src + y * 16 + x, pred, 16, k->size, k->size);
      if (k->size < 16 && i != predicted) /* VME-153, VME-154 */
         cost += v->costs.mode[VME_MODE_INTRA_NONPRED];
      if (cost < best) {
         best = cost;
         *mode = (uint8_t)i;
      }
   }
   return best;
}

/* VME-109: a type of the macroblock; modes go to all 4x4 blocks they cover. */
static int32_t
measure(const struct vme *v, const struct vme_around *n, const struct kind *k, uint8_t mode[16])
{
   unsigned per = k->size * k->size / 16;
   int32_t sum = 0;
   for (unsigned b = 0; b < 16 / per; b++) {
      uint8_t m = 0;
      unsigned predicted = k->size < 16 ? predicted_mode(v, n, mode, k->size, b) : 0;
      int32_t cost = best_mode(v, k, n, b, predicted, &m);
      if (cost >= VME_NONE) /* VME-186 */
         return VME_NONE;
      sum += cost;
      memset(mode + b * per, m, per);
   }
   return sum;
}

void
vme_ipe(struct vme *v)
{
   static const uint8_t penalty[3] = {VME_MODE_INTRA_16X16, VME_MODE_INTRA_8X8, VME_MODE_INTRA_4X4};
   struct hw_vme_m3 m3;
   gen7_vme_m3_unpack(&m3, v->in[3]);
   const struct kind kinds[3] = {{16, 4, m3.intra16x16modemask, vme_intra_16x16},
                                 {8, 9, m3.intra8x8modemask, vme_intra_8x8},
                                 {4, 9, m3.intra4x4modemask, vme_intra_4x4}};
   struct vme_intra *ipe = &v->ipe;
   struct vme_around n;
   if ((v->m1.intrapartmask & 7) == 7) /* VME-261 */
      return;
   read_neighbours(v, &n);
   ipe->performed = v->w0.intra_performed = true;
   ipe->cost = VME_NONE;
   for (unsigned i = 0; i < 3; i++) {
      uint8_t mode[16] = {0};
      if (v->m1.intrapartmask >> i & 1)
         continue;
      int32_t cost = measure(v, &n, &kinds[i], mode);
      if (cost < VME_NONE)
         cost += v->costs.mode[penalty[i]];
      if (v->tell)
         vme_say(v, "intra %ux%u: %d%s", kinds[i].size, kinds[i].size, cost,
                 cost >= VME_NONE ? " (no mode is available)" : "");
      if (cost >= ipe->cost)
         continue;
      ipe->valid = true;
      ipe->cost = cost;
      ipe->type = (uint8_t)i;
      memcpy(ipe->mode, mode, sizeof(mode));
   }
}
