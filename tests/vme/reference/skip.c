/* Skip check and Direct 8x8. */
#include "tests/vme/reference/reference.h"

#include <string.h>

static int
centers(const struct ref_fields *f, int k)
{
   return (int)(f->skip_mask >> (2 * k) & 1) + (int)(f->skip_mask >> (2 * k + 1) & 1);
}

/* VME-182, VME-287, VME-307: each 8x8 by its pair. */
static void
predict(const struct ref_call *c, uint8_t out[16][16])
{
   uint8_t pred[2][16][16], mixed[16][16];
   int weight = c->f.two_references ? c->f.weight : 32;
   for (int k = 0; k < 4; k++) {
      int pair = c->f.skip_4mvp ? k : 0;
      struct ref_block b = ref_block(REF_8X8 + k);
      memset(pred, 0, sizeof(pred));
      for (int r = 0; r < 2; r++)
         ref_predict_surface(c, r, b, c->f.skip[pair][r], pred[r]);
      ref_weigh(pred[0], pred[1], weight, mixed);
      const uint8_t(*from)[16] = centers(&c->f, pair) == 2          ? mixed
                                 : c->f.skip_mask >> (2 * pair) & 1 ? pred[0]
                                                                    : pred[1];
      for (int y = b.y; y < b.y + 8; y++)
         memcpy(&out[y][b.x], &from[y][b.x], 8);
   }
}

/* VME-087, VME-249, VME-304 */
static bool
wanted(const struct ref_fields *f)
{
   int count = 0;
   if (!f->inter || !f->skip_en || f->src_w != 16 || f->src_h != 16)
      return false;
   for (int k = 0; k < (f->skip_4mvp ? 4 : 1); k++) {
      if (!centers(f, k))
         return false;
      count += centers(f, k);
   }
   return f->limit == 0 || count <= f->limit;
}

/* VME-216 */
static int
largest(const struct ref_call *c, const uint8_t pred[16][16])
{
   int size = c->f.t8x8 ? 8 : 4, best = 0;
   for (int y = 0; y < 16; y += size)
      for (int x = 0; x < 16; x += size) {
         struct ref_block b = {x, y, size, size};
         int d = ref_distortion(c->source, pred, b, c->f.inter_haar);
         if (d > best)
            best = d;
      }
   return best;
}

/* VME-088 to VME-096 */
void
ref_skip_check(struct ref_call *c)
{
   struct ref_skip *s = &c->skip;
   uint8_t pred[16][16];
   if (!wanted(&c->f))
      return;
   s->performed = true;
   predict(c, pred);
   for (int k = 0; k < 4; k++) {
      s->raw8[k] = ref_distortion(c->source, pred, ref_block(REF_8X8 + k), c->f.inter_haar);
      s->raw += s->raw8[k];
      if (c->f.non_skip_zero)
         s->zero8[k] = 2 * c->f.lut_mv[0] * centers(&c->f, k);
   }
   s->zero = s->zero8[0];
   for (int k = 1; c->f.skip_4mvp && k < 4; k++)
      s->zero += s->zero8[k];
   s->compared = c->f.block_skip ? largest(c, pred) : s->raw;
   s->passed = s->compared <= c->f.skip_success;
   s->exit = s->passed && c->f.early;
   s->distortion = s->raw;
   if (!s->passed)
      s->distortion += s->zero + (c->f.non_skip_mode ? c->f.lut_mode[8] : 0);
}

static int
unit_cost(const struct ref_unit *u)
{
   int sum = u->penalty;
   for (int j = 0; j < u->count; j++)
      sum += u->value[j];
   return sum;
}

/* VME-098 to VME-100 */
void
ref_direct(struct ref_call *c, struct ref_candidate *k)
{
   const struct ref_fields *f = &c->f;
   if (!c->skip.performed || !f->skip_4mvp || f->uni_mix_dis || f->bi_mix_dis)
      return;
   if (!k->present || k->major != 3)
      return;
   int whole = 0;
   for (int i = 0; i < 4; i++)
      whole += k->u[i].shape == 0;
   for (int i = 0; i < 4; i++) {
      struct ref_candidate with = *k;
      struct ref_unit *u = &with.u[i];
      int n = centers(f, i);
      *u = (struct ref_unit){.count = 1, .block = {REF_8X8 + i}, .direct = true};
      u->dir = n == 2 ? 2 : f->skip_mask >> (2 * i) & 1 ? 0 : 1;
      u->penalty = f->non_skip_mode ? f->lut_mode[5] : 0;
      u->value[0] = c->skip.raw8[i] + c->skip.zero8[i];
      for (int r = 0; r < 2; r++)
         if (u->dir == 2 || u->dir == r)
            u->v[r][0] = f->skip[i][r];
      bool grows = k->u[i].shape == 0 && k->u[i].dir != 2 && n == 2;
      if (unit_cost(u) > unit_cost(&k->u[i]))
         continue;
      if (ref_vectors(k) + whole > f->limit && grows)
         continue;
      if (ref_vectors(&with) > f->limit)
         continue;
      *k = with;
   }
}
