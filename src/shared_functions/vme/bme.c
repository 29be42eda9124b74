/* Bidirectional motion estimation of the units of the candidates. */
#include "shared_functions/vme/partition.h"
#include "shared_functions/vme/trace.h"

/* VME-083, VME-084: a block predicted from both its vectors. */
int32_t
vme_bidirectional_cost(const struct vme *v, unsigned block)
{
   const struct vme_block *b = &vme_blocks[block];
   const struct vme_entry *e0 = &v->record[0].e[block], *e1 = &v->record[1].e[block];
   uint8_t pred[16 * 16], other[16 * 16];
   vme_predict_window(v, 0, b, e0->mv, pred);
   vme_predict_window(v, 1, b, e1->mv, other);
   vme_blend(pred, other, b->w, b->h, v->m1.biweight);
   return vme_distortion(v, b->x, b->y, pred, b->w, b->h) + vme_mv_cost(v, e0->center, e0->mv) +
          vme_mv_cost(v, e1->center, e1->mv);
}

/* VME-012, VME-013, VME-024, VME-025, VME-284 */
static bool
shape_allowed(const struct vme *v, const struct vme_candidate *c, unsigned unit)
{
   unsigned limit = vme_vector_limit(v);
   switch (c->major) {
   case VME_MAJOR_16X16:
      return !(v->m1.bisubmbpartmask & 1) && limit != 1;
   case VME_MAJOR_16X8:
   case VME_MAJOR_8X16:
      return !(v->m1.bisubmbpartmask & 2) && limit > 3;
   default:
      return !(v->m1.bisubmbpartmask & (c->shape[unit] ? 8 : 4));
   }
}

/* VME-173, VME-269: both vectors are there, found by this call, neither pruned. */
static bool
blocks_allowed(const struct vme *v, const uint8_t *blocks, unsigned n)
{
   for (unsigned i = 0; i < n; i++)
      for (unsigned r = 0; r < 2; r++) {
         const struct vme_entry *e = &v->record[r].e[blocks[i]];
         if (e->cost >= VME_NONE || e->streamed_in || v->pruned[r] >> blocks[i] & 1)
            return false;
      }
   return true;
}

/* The cost of a unit as a bidirectional one; VME_NONE: it may not be. */
static int32_t
unit_cost(const struct vme *v, const struct vme_candidate *c, unsigned unit)
{
   uint8_t blocks[4];
   unsigned n = vme_unit_blocks(c, unit, blocks);
   int32_t sum = 0;
   if (!shape_allowed(v, c, unit) || !blocks_allowed(v, blocks, n))
      return VME_NONE;
   for (unsigned i = 0; i < n; i++)
      sum += vme_bidirectional_cost(v, blocks[i]);
   return sum;
}

static void
turn(struct vme_candidate *c, unsigned unit, int32_t cost)
{
   c->total += cost - c->unit[unit];
   c->unit[unit] = cost;
   c->direction[unit] = VME_BIDIRECTIONAL;
}

/* VME-300, VME-301: all units or none. */
static bool
together(struct vme *v, struct vme_candidate *c)
{
   unsigned units = vme_units(v, c->major);
   int32_t cost[4], gain = 0;
   if (2 * vme_vectors(v, c) > vme_vector_limit(v))
      return false;
   for (unsigned u = 0; u < units; u++) {
      cost[u] = unit_cost(v, c, u);
      if (cost[u] >= VME_NONE)
         return false;
      gain += c->unit[u] - cost[u];
   }
   for (unsigned u = 0; gain > 0 && u < units; u++)
      turn(c, u, cost[u]);
   return true;
}

/* VME-009, VME-041, VME-042: unit by unit; true: some unit was tested. */
static bool
one_by_one(struct vme *v, struct vme_candidate *c)
{
   bool tested = false;
   uint8_t blocks[4];
   for (unsigned u = 0; u < vme_units(v, c->major); u++) {
      if (vme_vectors(v, c) + vme_unit_blocks(c, u, blocks) > vme_vector_limit(v))
         continue;
      int32_t cost = unit_cost(v, c, u);
      tested |= cost < VME_NONE;
      if (cost < c->unit[u])
         turn(c, u, cost);
   }
   return tested;
}

void
vme_bme(struct vme *v)
{
   bool tested[2] = {false, false};
   for (unsigned i = 0; i < 2; i++) {
      struct vme_candidate *c = &v->candidate[i];
      if (!c->valid || !v->dual)
         continue;
      int32_t before = c->total;
      tested[i] = v->m1.bimixdis ? together(v, c) : one_by_one(v, c);
      if (!i)
         v->w0.bme_improved = c->total < before;
      if (v->tell && tested[i])
         vme_tell_candidate(v, i ? "after BME, second candidate" : "after BME", c);
   }
   v->w0.bme_primary_performed = tested[0];
   v->w0.bme_extra_performed = tested[1];
}
