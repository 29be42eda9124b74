/* The shape decision: minor shapes inside the 8x8 blocks, major shapes, the second candidate. */
#include "shared_functions/vme/partition.h"
#include "shared_functions/vme/trace.h"

#include <string.h>

/* VME-020, VME-021 */
static int32_t
select_free(const int32_t d[4][4], unsigned quarters, uint8_t shape[4])
{
   int32_t total = 0;
   for (unsigned k = 0; k < quarters; k++) {
      shape[k] = 0;
      for (uint8_t s = 1; s < 4; s++)
         if (d[k][s] < d[k][shape[k]])
            shape[k] = s;
      total += d[k][shape[k]];
   }
   return total;
}

/* Best of two 8x8 blocks with n vectors, n = 2 … 8 (VME-028, VME-029). */
struct pair {
   int32_t d[9];
   uint8_t shape[9][2];
};

static void
set_pair(struct pair *p, unsigned n, int32_t d, unsigned x, unsigned y)
{
   p->d[n] = d;
   p->shape[n][0] = (uint8_t)x;
   p->shape[n][1] = (uint8_t)y;
}

static void
merge_pair(struct pair *p, const int32_t x[4], const int32_t y[4])
{
   /* VME-027, VME-031: 4x8 only if it is better than 8x4. */
   unsigned x2 = (x[2] < x[1]) + 1, y2 = (y[2] < y[1]) + 1;
   set_pair(p, 8, x[3] + y[3], 3, 3);
   /* VME-028, VME-032: ties go to the second. */
   if (x[x2] + y[3] < y[y2] + x[3])
      set_pair(p, 6, x[x2] + y[3], x2, 3);
   else
      set_pair(p, 6, y[y2] + x[3], 3, y2);
   if (x[0] + y[3] < x[3] + y[0])
      set_pair(p, 5, x[0] + y[3], 0, 3);
   else
      set_pair(p, 5, x[3] + y[0], 3, 0);
   set_pair(p, 4, x[x2] + y[y2], x2, y2);
   if (x[x2] + y[0] < x[0] + y[y2])
      set_pair(p, 3, x[x2] + y[0], x2, 0);
   else
      set_pair(p, 3, x[0] + y[y2], 0, y2);
   set_pair(p, 2, x[0] + y[0], 0, 0);
   p->d[7] = VME_NONE * 2;
   for (unsigned n = 3; n <= 8; n++) /* VME-029: of seven vectors there are none but those of six */
      if (p->d[n - 1] < p->d[n])
         p->d[n] = p->d[n - 1];
}

/* VME-027 … VME-034: at most `limit` vectors, 4 to 15. */
int32_t
vme_select_limited(const int32_t d[4][4], unsigned limit, uint8_t shape[4])
{
   struct pair g[2];
   int32_t best = VME_NONE;
   unsigned n0 = 2, n1 = 2;
   merge_pair(&g[0], d[0], d[2]); /* VME-033 */
   merge_pair(&g[1], d[1], d[3]);
   for (unsigned k = 2; k <= 8; k++) { /* VME-030, VME-034 */
      if (limit < k + 2 || limit > k + 8)
         continue;
      if (g[1].d[k] + g[0].d[limit - k] < best) {
         best = g[1].d[k] + g[0].d[limit - k];
         n0 = limit - k;
         n1 = k;
      }
   }
   while (n0 > 2 && g[0].d[n0] == g[0].d[n0 - 1])
      n0--;
   while (n1 > 2 && g[1].d[n1] == g[1].d[n1 - 1])
      n1--;
   shape[0] = g[0].shape[n0][0];
   shape[2] = g[0].shape[n0][1];
   shape[1] = g[1].shape[n1][0];
   shape[3] = g[1].shape[n1][1];
   return best;
}

/* Sum of the blocks of a unit in one record. */
static int32_t
unit_sum(const struct vme *v, const struct vme_candidate *c, unsigned unit, unsigned record)
{
   uint8_t blocks[4];
   unsigned n = vme_unit_blocks(c, unit, blocks);
   int32_t sum = 0;
   for (unsigned i = 0; i < n; i++)
      sum += v->record[record].e[blocks[i]].cost;
   return sum;
}

/* VME-232, VME-282, VME-301 */
void
vme_evaluate(const struct vme *v, struct vme_candidate *c)
{
   unsigned units = vme_units(v, c->major);
   int32_t penalty = 0, sum[2] = {0, 0}, cost[4][2];
   for (unsigned u = 0; u < units; u++) {
      cost[u][0] = unit_sum(v, c, u, 0);
      cost[u][1] = v->dual ? unit_sum(v, c, u, 1) : VME_NONE;
      sum[0] += cost[u][0];
      sum[1] += cost[u][1];
      penalty += vme_unit_penalty(v, c, u);
   }
   c->total = penalty;
   for (unsigned u = 0; u < units; u++) {
      bool backward = v->m1.unimixdisable ? sum[1] < sum[0] : cost[u][1] < cost[u][0];
      c->direction[u] = backward ? VME_BACKWARD : VME_FORWARD;
      c->unit[u] = cost[u][backward];
      c->total += c->unit[u];
   }
   c->valid = c->total < VME_NONE;
}

/* VME-018: what an 8x8 with a sub-shape costs; directions: bit 0 forward, bit 1 backward. */
static void
fill_minors(const struct vme *v, const bool enabled[VME_SHAPES], unsigned directions,
            int32_t d[4][4])
{
   struct vme_candidate c = {.major = VME_MAJOR_8X8};
   for (unsigned k = 0; k < vme_units(v, VME_MAJOR_8X8); k++)
      for (unsigned s = 0; s < 4; s++) {
         c.shape[k] = (uint8_t)s;
         int32_t best = VME_NONE;
         for (unsigned r = 0; r < 2; r++) {
            int32_t sum = directions >> r & 1 ? unit_sum(v, &c, k, r) : VME_NONE;
            best = sum < best ? sum : best;
         }
         best += vme_unit_penalty(v, &c, k);
         d[k][s] = enabled[VME_8X8 + s] && best < VME_NONE ? best : VME_NONE;
      }
}

/* The best of the four 8x8 blocks within the limit. */
static void
combine_minors(const struct vme *v, const bool enabled[VME_SHAPES], unsigned limit,
               struct vme_candidate *c)
{
   int32_t d[4][4], best = VME_NONE;
   /* VME-301: without mixing each direction is decided by itself. */
   static const uint8_t mixed[2] = {3, 0}, apart[2] = {1, 2};
   const uint8_t *directions = v->m1.unimixdisable && v->dual ? apart : mixed;
   memset(c, 0, sizeof(*c));
   c->major = VME_MAJOR_8X8;
   for (unsigned i = 0; i < 2 && directions[i]; i++) {
      uint8_t shape[4] = {0};
      fill_minors(v, enabled, v->dual ? directions[i] : 1, d);
      int32_t total = limit >= 16 ? select_free(d, vme_units(v, VME_MAJOR_8X8), shape)
                                  : vme_select_limited(d, limit, shape);
      if (total < best) {
         best = total;
         memcpy(c->shape, shape, sizeof(shape));
      }
   }
   if (best < VME_NONE)
      vme_evaluate(v, c);
}

/* VME-005, VME-022 … VME-025, VME-210, VME-240 */
static void
enabled_shapes(const struct vme *v, unsigned limit, bool enabled[VME_SHAPES])
{
   for (unsigned s = 0; s < VME_SHAPES; s++)
      enabled[s] = !(v->m0.submbpartmask >> s & 1);
   if (v->src_h < 16 || limit < 1)
      enabled[VME_16X16] = enabled[VME_8X16] = false;
   if (v->src_w < 16 || limit < 2)
      enabled[VME_16X8] = enabled[VME_8X16] = false;
   for (unsigned s = VME_8X8; s < VME_SHAPES && limit < 4; s++)
      enabled[s] = false;
}

bool
vme_any_shape(const struct vme *v)
{
   bool enabled[VME_SHAPES], any = false;
   enabled_shapes(v, 32, enabled);
   for (unsigned s = 0; s < VME_SHAPES; s++)
      any |= enabled[s];
   return any;
}

/* VME-035, VME-037, VME-038: by major shape; a tie keeps the lower. */
static const struct vme_candidate *
decide(const struct vme *v, unsigned limit, struct vme_candidate major[4])
{
   bool enabled[VME_SHAPES];
   const struct vme_candidate *best = NULL;
   enabled_shapes(v, limit, enabled);
   for (unsigned k = 0; k < VME_MAJOR_8X8; k++) {
      major[k] = (struct vme_candidate){.major = (uint8_t)k};
      if (enabled[k])
         vme_evaluate(v, &major[k]);
   }
   if (limit >= 4)
      combine_minors(v, enabled, limit, &major[VME_MAJOR_8X8]);
   else
      major[VME_MAJOR_8X8] = (struct vme_candidate){.major = VME_MAJOR_8X8};
   for (unsigned k = 0; k < 4; k++)
      if (major[k].valid && (!best || major[k].total < best->total))
         best = &major[k];
   return best;
}

/* VME-014, VME-015, VME-039 */
static void
second_candidate(struct vme *v, unsigned limit, const struct vme_candidate *first,
                 const struct vme_candidate major[4])
{
   bool enabled[VME_SHAPES];
   struct vme_candidate plain = {.major = VME_MAJOR_8X8}, *second = &v->candidate[1];
   if (!v->m1.partcandidateen || v->src_h != 16) /* VME-010, VME-011 */
      return;
   enabled_shapes(v, limit, enabled);
   bool is_plain = first->major == VME_MAJOR_8X8 && !memcmp(first->shape, plain.shape, 4);
   if (enabled[VME_8X8] && !is_plain)
      vme_evaluate(v, &plain);
   if (first->major != VME_MAJOR_16X16 && major[VME_MAJOR_16X16].valid)
      *second = major[VME_MAJOR_16X16];
   if (plain.valid && (!second->valid || plain.total < second->total))
      *second = plain;
   if (second->valid && second->total > first->total + vme_u4u4(v->m1.parttolerancethrhd))
      second->valid = false;
}

unsigned
vme_vector_limit(const struct vme *v)
{
   return v->src_h == 16 ? v->m1.maxnummvs : 32; /* VME-289 */
}

void
vme_partition(struct vme *v)
{
   struct vme_candidate major[4], free_major[4];
   unsigned limit = vme_vector_limit(v);
   memset(v->candidate, 0, sizeof(v->candidate));
   v->dropped = false;
   const struct vme_candidate *best = decide(v, limit, major);
   const struct vme_candidate *unlimited = limit < 32 ? decide(v, 32, free_major) : best;
   /* VME-134, VME-322 */
   v->w0.maxmv_restricted =
       unlimited && vme_vectors(v, unlimited) > limit && (!best || unlimited->total < best->total);
   if (v->tell)
      vme_tell_partition(v, major, best);
   if (!best)
      return;
   v->candidate[0] = *best;
   second_candidate(v, limit, best, major);
}
