/* The answer: W0 to W5 and the stream-out phases. */
#include "tests/vme/reference/reference.h"

#include <string.h>

/* The inter result as it is reported. */
struct inter {
   bool present, skip;
   int distortion;
   struct ref_candidate k;
};

static uint32_t
at_most(int v, int limit)
{
   return (uint32_t)(v < limit ? v : limit);
}

/* VME-390: the skip centers as a candidate. */
static struct inter
skip_result(const struct ref_call *c)
{
   const struct ref_skip *s = &c->skip;
   struct inter r = {.present = true, .skip = true, .distortion = s->distortion};
   r.k.major = c->f.skip_4mvp ? 3 : 0;
   r.k.units = c->f.skip_4mvp ? 4 : 1;
   for (int k = 0; k < r.k.units; k++) {
      struct ref_unit *u = &r.k.u[k];
      unsigned enabled = c->f.skip_mask >> (2 * k) & 3;
      u->count = 1;
      u->direct = true;
      u->dir = (int)enabled - 1; /* forward, backward, both */
      u->value[0] = r.k.units == 1 ? s->raw : s->raw8[k];
      if (!s->passed)
         u->value[0] += s->zero8[k];
      for (int d = 0; d < 2; d++)
         if (enabled >> d & 1)
            u->v[d][0] = c->f.skip[k][d];
   }
   return r;
}

/* VME-095, VME-096, VME-133 */
static struct inter
best_inter(const struct ref_call *c)
{
   struct inter best = {0};
   if (c->skip.performed)
      best = skip_result(c);
   for (int i = 0; i < 2; i++) {
      const struct ref_candidate *k = &c->candidate[i];
      if (k->present && (!best.present || ref_total(k) < best.distortion))
         best = (struct inter){.present = true, .distortion = ref_total(k), .k = *k};
   }
   return best;
}

/* VME-386 */
static unsigned
inter_type(const struct ref_candidate *k)
{
   static const unsigned pairs[3][3] = {{0x4, 0x8, 0xc}, {0xa, 0x6, 0xe}, {0x10, 0x12, 0x14}};
   if (k->major == 0)
      return 1 + (unsigned)k->u[0].dir;
   if (k->major == 3)
      return 0x16;
   int second = k->units == 2 ? k->u[1].dir : k->u[0].dir;
   return pairs[k->u[0].dir][second] + (k->major == 2 ? 1 : 0);
}

/* VME-236 to VME-238 */
static unsigned
remapped(unsigned type, unsigned remap)
{
   if ((remap != 1 && remap != 2) || type > 0x15)
      return type;
   if (type < 4)
      return remap;
   return (remap == 1 ? 4u : 6u) + (type & 1);
}

static bool
has_minor(const struct ref_candidate *k)
{
   for (int i = 0; i < k->units; i++)
      if (k->u[i].shape)
         return true;
   return false;
}

static unsigned
coded_vectors(const struct ref_candidate *k)
{
   unsigned n = 0;
   for (int i = 0; i < k->units; i++)
      if (!k->u[i].direct)
         n += (unsigned)k->u[i].count * (k->u[i].dir == 2 ? 2 : 1);
   return n;
}

/* VME-347 */
static unsigned
border(const struct ref_call *c, const struct inter *r, int reference)
{
   const struct ref_fields *f = &c->f;
   unsigned reached = 0;
   for (int i = 0; i < r->k.units; i++)
      for (int j = 0; j < r->k.u[i].count; j++) {
         const struct ref_unit *u = &r->k.u[i];
         if (u->dir != 2 && u->dir != reference)
            continue;
         int x = (u->v[reference][j].x - 4 * f->ref[reference].x) >> 2;
         int y = (u->v[reference][j].y - 4 * f->ref[reference].y) >> 2;
         reached |= x <= 0 ? 1 : 0;
         reached |= x >= f->win_w - f->src_w - 1 ? 2 : 0;
         reached |= y <= 0 ? 4 : 0;
         reached |= y >= f->win_h - f->src_h - 1 ? 8 : 0;
      }
   return reached;
}

static uint32_t
packed(struct ref_vector v)
{
   return ((uint32_t)v.x & 0xffff) | (uint32_t)v.y << 16;
}

/* The block of unit and position that covers 4x4 block j of 8x8 block k; false: outside. */
static bool
covering(const struct ref_call *c, const struct ref_candidate *m, int k, int j, int *unit, int *at)
{
   if (8 * (k % 2) >= c->f.src_w || 8 * (k / 2) >= c->f.src_h)
      return false;
   *at = 0;
   switch (m->major) {
   case 0:
      *unit = 0;
      return true;
   case 1:
      *unit = k / 2;
      return true;
   case 2:
      *unit = k % 2;
      return true;
   }
   *unit = k;
   static const int sub[4][4] = {{0, 0, 0, 0}, {0, 0, 1, 1}, {0, 1, 0, 1}, {0, 1, 2, 3}};
   *at = sub[m->u[k].shape][j];
   return true;
}

/* VME-366 to VME-368, VME-391, VME-392 */
static void
write_vectors(const struct ref_call *c, const struct ref_candidate *m, uint32_t out[10][8])
{
   bool minors = has_minor(m);
   for (int slot = 0; slot < 16; slot++) {
      int unit, at, k = slot / 4, j = slot % 4;
      if (!minors && slot < 4) {
         k = slot;
         j = 0;
      }
      if (!covering(c, m, k, j, &unit, &at))
         continue;
      for (int d = 0; d < 2; d++)
         out[1 + slot / 4][2 * (slot % 4) + d] = packed(m->u[unit].v[d][at]);
   }
}

/* VME-369, VME-370 */
static void
write_distortions(const struct ref_candidate *m, uint32_t out[10][8])
{
   static const int sub[4][4] = {{0}, {0, 2}, {0, 1}, {0, 1, 2, 3}};
   bool minors = has_minor(m);
   for (int i = 0; i < m->units; i++)
      for (int j = 0; j < m->u[i].count; j++) {
         int slot = m->major == 1 ? 2 * i : i;
         if (minors)
            slot = 4 * i + sub[m->u[i].shape][j];
         out[5][slot / 2] |= at_most(m->u[i].value[j], 0x3fff) << (slot % 2 ? 16 : 0);
      }
}

static void
write_inter(const struct ref_call *c, const struct inter *r, bool intra_wins, uint32_t out[10][8])
{
   const struct ref_candidate *m = &r->k;
   uint32_t *w = out[0];
   w[0] |= (uint32_t)m->major;
   w[0] |= r->skip && c->skip.passed ? 1u << 2 : 0;
   w[1] |= border(c, r, 0);
   w[1] |= c->f.two_references ? border(c, r, 1) << 4 : 0;
   w[2] |= at_most(r->distortion, 0x3fff);
   for (int i = 0; i < m->units; i++) {
      w[7] |= (uint32_t)m->u[i].dir << (8 + 2 * i);
      w[7] |= (uint32_t)m->u[i].shape << (2 * i);
      if (m->major == 3 && m->u[i].direct)
         w[3] |= 1u << (28 + i);
   }
   if (r->skip)
      w[3] |= 0xfu << 28;
   write_vectors(c, m, out);
   write_distortions(m, out);
   if (intra_wins)
      return;
   bool whole = c->f.src_w == 16 && c->f.src_h == 16;
   w[0] |= (coded_vectors(m) & 31) << 24;
   w[0] |= (has_minor(m) ? 6u : 4u) << 20;
   w[0] |= c->f.t8x8 && whole && !has_minor(m) ? 1u << 15 : 0;
   w[0] |= remapped(inter_type(m), c->f.remap) << 8;
   w[1] |= at_most(r->distortion, 0x3fff) << 16;
}

static void
write_intra(const struct ref_call *c, bool wins, uint32_t w[8])
{
   const struct ref_intra *n = &c->intra;
   if (n->available) {
      w[0] |= (uint32_t)n->mode << 4;
      w[3] |= at_most(n->distortion, 0x3fff);
      for (int i = 0; i < 16; i++)
         w[4 + i / 8] |= (uint32_t)n->modes[i] << (4 * (i % 8));
   } else {
      w[3] |= 0x3fff;
   }
   if (!wins)
      return;
   w[0] |= 1u << 13;
   w[0] |= n->available && n->mode == 1 ? 1u << 15 : 0;
   if (!n->available || n->mode == 0) /* VME-128, VME-389 */
      w[0] |= (0x15u + (uint32_t)(n->available ? n->modes[0] : 0)) << 8;
   w[1] |= at_most(n->available ? n->distortion : 0x3fff, 0x3fff) << 16;
}

/* VME-322 to VME-326 */
static uint32_t
decisions(const struct ref_call *c)
{
   const struct ref_candidate *k = c->candidate;
   uint32_t w = 0;
   w |= c->skip.performed ? 1u << 16 : 0;
   w |= c->ime ? 1u << 17 : 0;
   w |= c->fme_done[0] ? 1u << 18 : 0;
   w |= c->fme_done[1] ? 1u << 19 : 0;
   w |= c->bme_done[0] ? 1u << 20 : 0;
   w |= c->bme_done[1] ? 1u << 21 : 0;
   w |= c->intra.performed ? 1u << 22 : 0;
   if (c->f.early) {
      w |= c->skip.exit ? 1u << 23 : 0;
      w |= c->ime_stopped ? 1u << 24 : 0;
      w |= c->too_good ? 1u << 25 : 0;
      w |= c->too_bad ? 1u << 26 : 0;
      w |= c->fme_exit ? 1u << 27 : 0;
   }
   w |= c->fme_improved ? 1u << 28 : 0;
   w |= c->bme_improved ? 1u << 29 : 0;
   bool other = k[1].present && (c->primary_dropped || ref_total(&k[1]) < ref_total(&k[0]));
   w |= other ? 1u << 30 : 0;
   w |= c->limited ? 1u << 31 : 0;
   return w;
}

/* VME-172 */
static void
write_record(const struct ref_record *r, uint32_t out[2][8])
{
   static const int place[9] = {8, 0, 1, 2, 3, 4, 5, 6, 7};
   for (int i = 0; i < REF_8X4; i++) {
      int worst = i >= REF_16X8 && i < REF_8X8 ? 0x7fff : 0x3fff;
      const struct ref_entry *e = &r->e[i];
      struct ref_vector none = {0, 0};
      uint32_t v = packed(e->cost < REF_NONE ? e->v : none);
      out[0][place[i] / 2] |= at_most(e->cost, worst) << (place[i] % 2 ? 16 : 0);
      if (i == REF_16X16)
         out[0][5] = v;
      else
         out[1][i - 1] = v;
   }
}

unsigned
ref_result(struct ref_call *c, uint32_t out[10][8])
{
   uint32_t *w = out[0];
   memset(out, 0, sizeof(uint32_t) * 80);
   struct inter r = best_inter(c);
   bool intra_wins =
       !r.present || (c->intra.available && c->intra.distortion < r.distortion); /* VME-344 */
   int searched = c->searched[0] + c->searched[1];
   w[0] |= 1u << 31 | 7u << 17; /* VME-349, VME-354 */
   w[0] |= c->f.src_field ? 1u << 14 : 0;
   w[0] |= c->f.src_field && c->f.src_polarity ? 1u << 7 : 0;
   w[1] |= (uint32_t)searched << 8;
   if (!r.present)
      w[2] |= 0x3fff;
   w[2] |= c->skip.performed ? at_most(c->skip.compared, 0x3fff) << 16 : 0x7fffu << 16;
   w[6] |= c->f.intra_struct | at_most(searched, 255) << 8;
   w[6] |= (uint32_t)c->searched[1] << 26;
   w[7] |= decisions(c);
   write_intra(c, intra_wins, w);
   if (r.present)
      write_inter(c, &r, intra_wins, out);
   if (!c->f.inter)
      return 1;
   if (!c->f.stream_out)
      return 6;
   write_record(&c->record[0], &out[6]);
   if (!c->f.two_references)
      return 8;
   write_record(&c->record[1], &out[8]);
   return 10;
}
