/* Fractional motion estimation: half, then quarter pixels around the best vectors of the blocks of
 * the candidates; pruning before it, the merge with carried records after it. */
#include "shared_functions/vme/trace.h"
#include "shared_functions/vme/vme.h"

/* Blocks of the candidates, a bit each. */
static uint64_t
candidate_blocks(const struct vme *v)
{
   uint64_t all = 0;
   uint8_t blocks[4];
   for (unsigned i = 0; i < 2; i++)
      for (unsigned u = 0; v->candidate[i].valid && u < vme_units(v, v->candidate[i].major); u++) {
         unsigned n = vme_unit_blocks(&v->candidate[i], u, blocks);
         for (unsigned b = 0; b < n; b++)
            all |= UINT64_C(1) << blocks[b];
      }
   return all;
}

/* VME-269: by the number of 4x4 blocks. */
static void
prune(struct vme *v, uint64_t blocks)
{
   if (!v->m1.fbprunen || !v->dual)
      return;
   for (; blocks; blocks &= blocks - 1) {
      unsigned b = (unsigned)__builtin_ctzll(blocks);
      int32_t forward = v->record[0].e[b].cost, backward = v->record[1].e[b].cost;
      if (forward >= VME_NONE || backward >= VME_NONE)
         continue;
      int32_t apart = forward < backward ? backward - forward : forward - backward;
      int32_t per_cell = apart / __builtin_popcount(vme_blocks[b].cells);
      if (per_cell > vme_u4u4(v->m1.fbprunthrhd)) /* VME-270 */
         v->pruned[forward < backward] |= UINT64_C(1) << b;
   }
}

/* What a block costs at a vector that one of its record has. */
static int32_t
cost_at(const struct vme *v, unsigned record, unsigned block, unsigned center, struct vme_mv mv)
{
   const struct vme_block *b = &vme_blocks[block];
   unsigned direction = vme_direction_of(v, record);
   uint8_t pred[16 * 16];
   vme_predict_window(v, direction, b, mv, pred);
   return vme_distortion(v, b->x, b->y, pred, b->w, b->h) + vme_mv_cost(v, center, mv) +
          v->costs.backward[direction];
}

/* Distortions at the eight places around a vector; a place outside the window has none. */
static void
around(const struct vme *v, unsigned record, unsigned block, struct vme_mv centre, int32_t step,
       uint32_t distortion[3][3], unsigned wanted[3])
{
   const struct vme_block *b = &vme_blocks[block];
   const struct vme_window *w = &v->window[vme_direction_of(v, record)];
   int32_t x = centre.x - 4 * w->x, y = centre.y - 4 * w->y;
   const int below[3] = {(y & 3) - step, y & 3, (y & 3) + step};
   for (int32_t i = 0; i < 3; i++) {
      int32_t at = x + (i - 1) * step;
      /* VME-072: unsigned vectors in the window; the far edge cannot be passed. */
      wanted[i] = at < 0 ? 0 : (i == 1 ? 5u : 7u) & (y < step ? 6u : 7u);
      if (wanted[i])
         v->dsp->column[v->haar](
             v->src + b->y * 16 + b->x,
             vme_window_at(w, (unsigned)(at >> 2) + b->x, (unsigned)(y >> 2) + b->y), VME_STRIDE,
             (unsigned)at & 3, below, wanted[i], v->m1.bilinearenable, b->w, b->h, distortion[i]);
   }
}

/* VME-077, VME-078: in raster order; the centre stays unless one is strictly lower. */
static struct vme_entry
refine(const struct vme *v, unsigned record, unsigned block, int32_t step)
{
   struct vme_entry best = v->record[record].e[block];
   struct vme_mv centre = best.mv;
   uint32_t distortion[3][3];
   unsigned wanted[3];
   around(v, record, block, centre, step, distortion, wanted);
   int32_t across[3], down[3], direction = v->costs.backward[vme_direction_of(v, record)];
   for (int32_t i = 0; i < 3; i++) {
      const struct vme_mv *from = &v->center[best.center];
      across[i] = vme_mv_cost_1d(&v->costs, centre.x + (i - 1) * step - from->x);
      down[i] = vme_mv_cost_1d(&v->costs, centre.y + (i - 1) * step - from->y);
   }
   for (int32_t j = 0; j < 3; j++)
      for (int32_t i = 0; i < 3; i++) {
         if (!(wanted[i] >> j & 1))
            continue;
         struct vme_mv mv = {centre.x + (i - 1) * step, centre.y + (j - 1) * step};
         int32_t cost = (int32_t)distortion[i][j] + across[i] + down[j] + direction;
         if (cost < best.cost) {
            best.cost = cost;
            best.mv = mv;
         }
      }
   return best;
}

/* VME-079: a refined vector is tried on all that lies inside its block. */
static void
hand_down(struct vme *v, unsigned record, unsigned block, const struct vme_entry *from)
{
   for (unsigned b = block + 1; b < VME_BLOCKS; b++) {
      struct vme_entry *e = &v->record[record].e[b];
      if (vme_blocks[b].cells & ~vme_blocks[block].cells)
         continue;
      int32_t cost = cost_at(v, record, b, from->center, from->mv);
      if (cost < e->cost) {
         e->cost = cost;
         e->mv = from->mv;
         e->center = from->center;
      }
   }
}

/* VME-080: all refinements of a step start from the same records; what they found is handed down
 * when all are done, from the larger blocks first. */
static void
refine_all(struct vme *v, uint64_t blocks, int32_t step)
{
   for (unsigned r = 0; r < vme_records(v); r++) {
      struct vme_entry refined[VME_BLOCKS];
      uint64_t mine = 0;
      for (uint64_t left = blocks & ~v->pruned[r]; left; left &= left - 1) {
         unsigned b = (unsigned)__builtin_ctzll(left);
         if (v->record[r].e[b].cost >= VME_NONE)
            continue;
         v->record[r].e[b] = refined[b] = refine(v, r, b, step);
         mine |= UINT64_C(1) << b;
      }
      for (; v->m1.reparten && mine; mine &= mine - 1) {
         unsigned b = (unsigned)__builtin_ctzll(mine);
         hand_down(v, r, b, &refined[b]);
      }
   }
}

/* VME-040: of two candidates the one that has fallen behind goes. */
static void
drop(struct vme *v)
{
   struct vme_candidate *a = &v->candidate[0], *b = &v->candidate[1];
   int32_t tolerance = vme_u4u4(v->m1.parttolerancethrhd);
   if (!b->valid)
      return;
   if (b->total > a->total + tolerance)
      b->valid = false;
   else if (a->total > b->total + tolerance) {
      a->valid = false;
      v->dropped = true;
   }
}

void
vme_fme(struct vme *v)
{
   uint64_t blocks = candidate_blocks(v);
   prune(v, blocks);
   if (!v->m0.subpelmode || !v->candidate[0].valid)
      return;
   int32_t before = v->candidate[0].total;
   v->w0.fme_primary_performed = v->candidate[0].valid;
   v->w0.fme_extra_performed = v->candidate[1].valid;
   refine_all(v, blocks, 2);
   if (v->m0.subpelmode == GEN7_VME_M0_SUBPELMODE_QUARTER) /* VME-223 */
      refine_all(v, blocks, 1);
   for (unsigned i = 0; i < 2; i++)
      if (v->candidate[i].valid)
         vme_evaluate(v, &v->candidate[i]);
   v->w0.fme_improved = v->candidate[0].total < before;
   if (v->tell)
      for (unsigned i = 0; i < 2; i++)
         if (v->candidate[i].valid)
            vme_tell_candidate(v, i ? "after FME, second candidate" : "after FME",
                               &v->candidate[i]);
   if (!v->m1.reparten && !v->stream_in)
      drop(v);
}
