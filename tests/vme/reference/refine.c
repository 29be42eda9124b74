/* Fractional and bidirectional refinement, pruning. */
#include "tests/vme/reference/reference.h"

#include <stdlib.h>
#include <string.h>

static bool
used_by_candidate(const struct ref_call *c, int block)
{
   for (int k = 0; k < 2; k++)
      for (int i = 0; c->candidate[k].present && i < c->candidate[k].units; i++)
         for (int j = 0; j < c->candidate[k].u[i].count; j++)
            if (c->candidate[k].u[i].block[j] == block)
               return true;
   return false;
}

/* VME-269, VME-270 */
void
ref_prune(struct ref_call *c)
{
   if (!c->f.prune_en || !c->f.two_references)
      return;
   for (int i = 0; i < REF_BLOCKS; i++) {
      int fwd = c->record[0].e[i].cost, bwd = c->record[1].e[i].cost;
      if (!used_by_candidate(c, i) || fwd >= REF_NONE || bwd >= REF_NONE)
         continue;
      struct ref_block b = ref_block(i);
      int shift = 0;
      while (1 << shift < b.w * b.h / 16)
         shift++;
      if (abs(fwd - bwd) >> shift <= c->f.prune_threshold)
         continue;
      c->pruned[i] = true;
      c->loses[fwd > bwd ? 0 : 1][i] = true;
   }
}

static bool
in_loaded_window(const struct ref_call *c, int record, struct ref_block b, struct ref_vector v)
{
   int lx = v.x - 4 * c->f.ref[record].x, ly = v.y - 4 * c->f.ref[record].y;
   return lx >= 0 && ly >= 0 && lx + 4 * (b.x + b.w) <= 4 * c->f.win_w &&
          ly + 4 * (b.y + b.h) <= 4 * c->f.win_h;
}

/* VME-077, VME-078: the eight positions around. */
static void
refine(const struct ref_call *c, int record, int block, int step, struct ref_entry *e)
{
   struct ref_vector center = e->v;
   for (int y = -step; y <= step; y += step)
      for (int x = -step; x <= step; x += step) {
         struct ref_vector v = {center.x + x, center.y + y};
         if ((!x && !y) || !in_loaded_window(c, record, ref_block(block), v))
            continue;
         int value = ref_value(c, record, block, v, e->center);
         if (value < e->cost) {
            e->cost = value;
            e->v = v;
         }
      }
}

static bool
inside(int small, int large)
{
   struct ref_block s = ref_block(small), l = ref_block(large);
   return s.x >= l.x && s.y >= l.y && s.x + s.w <= l.x + l.w && s.y + s.h <= l.y + l.h;
}

/* VME-079, VME-080: one step for all blocks of the candidates. */
static void
refine_record(struct ref_call *c, int record, int step)
{
   struct ref_record found = c->record[record];
   bool did[REF_BLOCKS] = {false};
   for (int i = 0; i < REF_BLOCKS; i++) {
      if (!used_by_candidate(c, i) || c->loses[record][i] || found.e[i].cost >= REF_NONE)
         continue;
      did[i] = true;
      refine(c, record, i, step, &found.e[i]);
   }
   c->record[record] = found;
   if (!c->f.repart)
      return;
   for (int i = 0; i < REF_BLOCKS; i++)
      for (int j = 0; did[i] && j < REF_BLOCKS; j++) {
         if (!inside(j, i))
            continue;
         int value = ref_value(c, record, j, found.e[i].v, found.e[i].center);
         struct ref_entry *e = &c->record[record].e[j];
         if (value < e->cost)
            *e = (struct ref_entry){.cost = value, .v = found.e[i].v, .center = found.e[i].center};
      }
}

void
ref_fractional(struct ref_call *c)
{
   if (c->f.sub_pel != 1 && c->f.sub_pel != 3)
      return;
   int before = ref_total(&c->candidate[0]);
   for (int step = 2; step >= (c->f.sub_pel == 3 ? 1 : 2); step--)
      for (int r = 0; r < ref_directions(&c->f); r++)
         refine_record(c, r, step);
   for (int k = 0; k < 2; k++)
      if (c->candidate[k].present) {
         c->fme_done[k] = true;
         ref_evaluate(c, &c->candidate[k]);
      }
   c->fme_improved = ref_total(&c->candidate[0]) < before;
}

/* VME-084: without the shape's penalty. */
static int
both_value(const struct ref_call *c, int block)
{
   uint8_t pred[2][16][16], mixed[16][16];
   struct ref_block b = ref_block(block);
   int value = 0;
   memset(pred, 0, sizeof(pred));
   for (int r = 0; r < 2; r++) {
      const struct ref_entry *e = &c->record[r].e[block];
      ref_predict_window(c, r, b, e->v, pred[r]);
      value += ref_vector_cost(&c->f, e->v, e->center);
   }
   ref_weigh(pred[0], pred[1], c->f.weight, mixed);
   return value + ref_distortion(c->source, mixed, b, c->f.inter_haar);
}

/* VME-012, VME-013, VME-173, VME-269 and the masks of small limits (VME-024, VME-025) */
static bool
may_be_both(const struct ref_call *c, const struct ref_candidate *k, const struct ref_unit *u)
{
   bool whole = c->f.src_w == 16 && c->f.src_h == 16;
   int bit = k->major == 0 ? 0 : k->major < 3 ? 1 : u->shape == 0 ? 2 : 3;
   if (c->f.bi_mask >> bit & 1)
      return false;
   if (whole && (c->f.limit < 2 || (c->f.limit < 4 && k->major != 0)))
      return false;
   for (int j = 0; j < u->count; j++) {
      int b = u->block[j];
      if (c->pruned[b])
         return false;
      for (int r = 0; r < 2; r++)
         if (c->record[r].e[b].streamed || c->record[r].e[b].cost >= REF_NONE)
            return false;
   }
   return true;
}

static void
make_both(const struct ref_call *c, struct ref_unit *u)
{
   u->dir = 2;
   for (int j = 0; j < u->count; j++) {
      u->value[j] = both_value(c, u->block[j]);
      for (int r = 0; r < 2; r++)
         u->v[r][j] = c->record[r].e[u->block[j]].v;
   }
}

/* VME-300, VME-301: all or none. */
static bool
all_or_none(struct ref_call *c, int which, int limit)
{
   struct ref_candidate *k = &c->candidate[which], all = *k;
   for (int i = 0; i < k->units; i++) {
      if (!may_be_both(c, k, &k->u[i]))
         return false;
      make_both(c, &all.u[i]);
   }
   if (ref_vectors(&all) > limit)
      return false;
   c->bme_done[which] = true;
   if (ref_total(&all) >= ref_total(k))
      return false;
   *k = all;
   return true;
}

/* VME-009, VME-041, VME-042 */
static bool
one_by_one(struct ref_call *c, int which, int limit)
{
   struct ref_candidate *k = &c->candidate[which];
   bool changed = false;
   for (int i = 0; i < k->units; i++) {
      struct ref_candidate with = *k;
      if (!may_be_both(c, k, &k->u[i]) || ref_vectors(k) + k->u[i].count > limit)
         continue;
      c->bme_done[which] = true;
      make_both(c, &with.u[i]);
      if (ref_total(&with) < ref_total(k)) {
         *k = with;
         changed = true;
      }
   }
   return changed;
}

void
ref_bidirectional(struct ref_call *c)
{
   bool whole = c->f.src_w == 16 && c->f.src_h == 16;
   int limit = whole ? c->f.limit : 32;
   if (!c->f.two_references)
      return;
   for (int k = 0; k < 2; k++) {
      if (!c->candidate[k].present)
         continue;
      bool changed = c->f.bi_mix_dis ? all_or_none(c, k, limit) : one_by_one(c, k, limit);
      if (k == 0)
         c->bme_improved = changed;
   }
}
