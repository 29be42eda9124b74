/* Which shapes: the minor decision as printed, the major decision, the second candidate. */
#include "tests/vme/reference/reference.h"

#include <string.h>

#define NO_LIMIT 32

int
ref_directions(const struct ref_fields *f)
{
   return f->two_references ? 2 : 1;
}

int
ref_total(const struct ref_candidate *k)
{
   int sum = k->penalty;
   for (int i = 0; i < k->units; i++) {
      sum += k->u[i].penalty;
      for (int j = 0; j < k->u[i].count; j++)
         sum += k->u[i].value[j];
   }
   return sum;
}

int
ref_vectors(const struct ref_candidate *k)
{
   int n = 0;
   for (int i = 0; i < k->units; i++)
      n += k->u[i].count * (k->u[i].dir == 2 ? 2 : 1);
   return n;
}

static void
set_direction(const struct ref_call *c, struct ref_unit *u, int dir)
{
   u->dir = dir;
   memset(u->v, 0, sizeof(u->v));
   for (int j = 0; j < u->count; j++) {
      u->value[j] = c->record[dir].e[u->block[j]].cost;
      u->v[dir][j] = c->record[dir].e[u->block[j]].v;
   }
}

static int
unit_sum(const struct ref_call *c, const struct ref_unit *u, int dir)
{
   int sum = 0;
   for (int j = 0; j < u->count; j++)
      sum += c->record[dir].e[u->block[j]].cost;
   return sum;
}

/* VME-282, VME-301, VME-232 */
void
ref_evaluate(const struct ref_call *c, struct ref_candidate *k)
{
   int n = ref_directions(&c->f), all[2] = {0, 0};
   for (int d = 0; d < n; d++)
      for (int i = 0; i < k->units; i++)
         all[d] += unit_sum(c, &k->u[i], d);
   for (int i = 0; i < k->units; i++) {
      bool back =
          n == 2 && (c->f.uni_mix_dis ? all[1] < all[0]
                                      : unit_sum(c, &k->u[i], 1) < unit_sum(c, &k->u[i], 0));
      set_direction(c, &k->u[i], back ? 1 : 0);
   }
}

static struct ref_unit
minor_unit(const struct ref_fields *f, int k, int shape)
{
   static const int count[4] = {1, 2, 2, 4}, first[4] = {REF_8X8, REF_8X4, REF_4X8, REF_4X4};
   static const int mode[4] = {5, 6, 6, 7}; /* VME-149 */
   struct ref_unit u = {.shape = shape, .count = count[shape], .penalty = f->lut_mode[mode[shape]]};
   for (int j = 0; j < u.count; j++)
      u.block[j] = first[shape] + u.count * k + j;
   return u;
}

static int
blocks_8x8(const struct ref_fields *f)
{
   return (f->src_w / 8) * (f->src_h / 8);
}

static struct ref_candidate
make_major(const struct ref_call *c, int major)
{
   const struct ref_fields *f = &c->f;
   struct ref_candidate k = {.present = true, .major = major};
   k.units = major == 0 ? 1 : f->src_h == 16 ? 2 : 1;
   k.penalty = f->lut_mode[major == 0 ? 8 : 4];
   for (int i = 0; i < k.units; i++) {
      k.u[i].count = 1;
      k.u[i].block[0] = (major == 0 ? REF_16X16 : major == 1 ? REF_16X8 : REF_8X16) + i;
   }
   ref_evaluate(c, &k);
   return k;
}

static struct ref_candidate
make_8x8(const struct ref_call *c, const int shape[4])
{
   struct ref_candidate k = {.present = true, .major = 3, .units = blocks_8x8(&c->f)};
   for (int i = 0; i < k.units; i++)
      k.u[i] = minor_unit(&c->f, i, shape[i]);
   ref_evaluate(c, &k);
   return k;
}

/* VME-018: one direction (-1: the better) and one shape. */
static int
dist_a(const struct ref_call *c, int k, int shape, int dir)
{
   static const unsigned bit[4] = {8, 16, 32, 64};
   if (c->f.part_mask & bit[shape])
      return REF_NONE;
   struct ref_unit u = minor_unit(&c->f, k, shape);
   int best = unit_sum(c, &u, dir < 0 ? 0 : dir);
   if (dir < 0 && ref_directions(&c->f) == 2 && unit_sum(c, &u, 1) < best)
      best = unit_sum(c, &u, 1);
   return best < REF_NONE ? best + u.penalty : REF_NONE;
}

/* VME-020 */
static void
free_minors(int n, int a[4][4], int shape[4])
{
   for (int k = 0; k < n; k++) {
      shape[k] = 0;
      for (int s = 1; s < 4; s++)
         if (a[k][s] < a[k][shape[k]])
            shape[k] = s;
   }
}

struct group {
   int d[9];        /* by number of vectors, 2 to 8 */
   int shape[9][2]; /* of the low and of the high block */
};

/* VME-027 to VME-029 */
static void
merge_group(const int x[4], const int y[4], struct group *g)
{
   int s2x = x[2] < x[1] ? 2 : 1, s2y = y[2] < y[1] ? 2 : 1;
   const int shapes[9][2][2] = {
       /* of two ways: taken if strictly lower, else */
       [2] = {{0, 0}, {0, 0}}, [3] = {{s2x, 0}, {0, s2y}}, [4] = {{s2x, s2y}, {s2x, s2y}},
       [5] = {{0, 3}, {3, 0}}, [6] = {{s2x, 3}, {3, s2y}}, [8] = {{3, 3}, {3, 3}},
   };
   for (int n = 2; n <= 8; n++) {
      if (n == 7) {
         g->d[7] = g->d[6];
         continue;
      }
      int first = x[shapes[n][0][0]] + y[shapes[n][0][1]];
      int other = x[shapes[n][1][0]] + y[shapes[n][1][1]];
      bool take = first < other;
      g->d[n] = take ? first : other;
      memcpy(g->shape[n], shapes[n][take ? 0 : 1], sizeof(g->shape[n]));
      if (n > 2 && g->d[n - 1] < g->d[n])
         g->d[n] = g->d[n - 1];
   }
}

/* VME-030, VME-033, VME-034: blocks 0 with 2, 1 with 3. */
static void
limited_minors(int limit, int a[4][4], int shape[4])
{
   struct group g[2];
   int best = 8 * REF_NONE, n[2] = {2, 2};
   memset(g, 0, sizeof(g));
   merge_group(a[0], a[2], &g[0]);
   merge_group(a[1], a[3], &g[1]);
   for (int k = 2; k <= 8; k++) {
      int rest = limit - k;
      if (rest < 2 || rest > 8 || g[1].d[k] + g[0].d[rest] >= best)
         continue;
      best = g[1].d[k] + g[0].d[rest];
      n[0] = rest;
      n[1] = k;
   }
   for (int i = 0; i < 2; i++) {
      while (n[i] > 2 && g[i].d[n[i]] == g[i].d[n[i] - 1])
         n[i]--;
      shape[i] = g[i].shape[n[i]][0];
      shape[i + 2] = g[i].shape[n[i]][1];
   }
}

static int
combine_minors(const struct ref_call *c, int limit, int dir, struct ref_candidate *out)
{
   int n = blocks_8x8(&c->f), a[4][4], shape[4] = {0}, total = 0;
   for (int k = 0; k < n; k++)
      for (int s = 0; s < 4; s++)
         a[k][s] = dist_a(c, k, s, dir);
   if (limit >= 16)
      free_minors(n, a, shape);
   else
      limited_minors(limit, a, shape);
   for (int k = 0; k < n; k++)
      total += a[k][shape[k]];
   *out = make_8x8(c, shape);
   if (dir >= 0)
      for (int k = 0; k < n; k++)
         set_direction(c, &out->u[k], dir);
   return total;
}

/* The combined 8x8. */
static struct ref_candidate
best_minors(const struct ref_call *c, int limit)
{
   struct ref_candidate k, back;
   int total;
   if (c->f.uni_mix_dis && ref_directions(&c->f) == 2) {
      total = combine_minors(c, limit, 0, &k);
      int other = combine_minors(c, limit, 1, &back);
      if (other < total) {
         total = other;
         k = back;
      }
   } else {
      total = combine_minors(c, limit, -1, &k);
   }
   k.present = total < REF_NONE;
   return k;
}

static bool
plain_8x8(const struct ref_candidate *k)
{
   if (k->major != 3)
      return false;
   for (int i = 0; i < k->units; i++)
      if (k->u[i].shape)
         return false;
   return true;
}

/* VME-035, VME-037, VME-024, VME-025, VME-240 */
static struct ref_candidate
best_major(const struct ref_call *c, int limit)
{
   const struct ref_fields *f = &c->f;
   struct ref_candidate best = {0};
   for (int m = 0; m < 4; m++) {
      if (m < 3 && (f->part_mask >> m & 1))
         continue;
      if ((m == 0 || m == 2) && f->src_h < 16)
         continue;
      if (m == 1 && f->src_w < 16)
         continue;
      if (((m == 1 || m == 2) && limit < 2) || (m == 3 && limit < 4))
         continue;
      struct ref_candidate k = m < 3 ? make_major(c, m) : best_minors(c, limit);
      if (!k.present || ref_total(&k) >= REF_NONE)
         continue;
      if (!best.present || ref_total(&k) < ref_total(&best))
         best = k;
   }
   return best;
}

/* VME-014, VME-015, VME-039 */
static struct ref_candidate
second(const struct ref_call *c, const struct ref_candidate *primary, int limit)
{
   const struct ref_fields *f = &c->f;
   static const int plain[4] = {0};
   struct ref_candidate one = {0}, four = {0};
   if (!f->second_en || f->src_w < 16 || f->src_h < 16 || !primary->present)
      return one;
   if (primary->major != 0 && !(f->part_mask & 1))
      one = make_major(c, 0);
   if (!plain_8x8(primary) && !(f->part_mask & 8) && limit >= 4)
      four = make_8x8(c, plain);
   if (four.present && (!one.present || ref_total(&four) < ref_total(&one)))
      one = four;
   if (one.present && ref_total(&one) > ref_total(primary) + f->tolerance)
      one.present = false;
   return one;
}

/* VME-134, VME-322 */
static bool
limit_mattered(const struct ref_call *c, const struct ref_candidate *within)
{
   if (c->f.src_w < 16 || c->f.src_h < 16)
      return false;
   struct ref_candidate k = best_major(c, NO_LIMIT);
   if (!k.present || ref_vectors(&k) <= c->f.limit)
      return false;
   return !within->present || ref_total(&k) < ref_total(within);
}

void
ref_partition(struct ref_call *c)
{
   bool whole = c->f.src_w == 16 && c->f.src_h == 16;
   int limit = whole ? c->f.limit : NO_LIMIT;
   c->candidate[0] = best_major(c, limit);
   c->candidate[1] = second(c, &c->candidate[0], limit);
   c->limited = limit_mattered(c, &c->candidate[0]);
}
