/* The order of the steps (VME-003, VME-383, VME-384). */
#include "tests/vme/reference/reference.h"

#include <string.h>

/* VME-102, VME-240 */
static bool
has_shape(const struct ref_fields *f)
{
   unsigned possible = f->src_h == 16 ? 0x7f : f->src_w == 16 ? 0x7a : 0x78;
   return ~f->part_mask & possible;
}

static void
load_source(struct ref_call *c)
{
   for (int y = 0; y < 16; y++)
      for (int x = 0; x < 16; x++)
         c->source[y][x] = (uint8_t)ref_surface_pixel(
             &c->q->source, c->f.src_field, c->f.src_polarity, c->f.src_x + x, c->f.src_y + y);
}

/* VME-040 */
static void
shape_update(struct ref_call *c)
{
   struct ref_candidate *k = c->candidate;
   if (!k[0].present || !k[1].present)
      return;
   int a = ref_total(&k[0]), b = ref_total(&k[1]);
   if (b - a > c->f.tolerance)
      k[1].present = false;
   else if (a - b > c->f.tolerance) {
      k[0].present = false;
      c->primary_dropped = true;
   }
}

static bool
early_after_search(struct ref_call *c)
{
   if (!c->candidate[0].present)
      return false;
   int d = ref_total(&c->candidate[0]);
   if (c->f.early && c->f.early_ime && d < c->f.too_good)
      return c->too_good = true;
   if (c->f.quit_inter && d > c->f.too_bad)
      return c->too_bad = true;
   return false;
}

static void
inter_search(struct ref_call *c)
{
   bool whole = c->f.src_w == 16 && c->f.src_h == 16;
   c->ime = c->f.inter && !c->skip.exit && has_shape(&c->f) && (!whole || c->f.limit > 0);
   if (!c->ime) {
      ref_stream_in(c);
      return;
   }
   ref_search(c);
   ref_partition(c);
   bool finished = early_after_search(c);
   if (!finished && c->candidate[0].present) {
      ref_prune(c);
      ref_fractional(c);
   }
   ref_stream_in(c);
   if (c->f.stream_in || (c->f.repart && c->fme_done[0]))
      ref_partition(c);
   else
      shape_update(c);
   if (finished)
      return;
   if (c->f.early && c->candidate[0].present && ref_total(&c->candidate[0]) < c->f.fme_success) {
      c->fme_exit = true;
      return;
   }
   ref_bidirectional(c);
}

unsigned
vme_reference_run(const struct vme_request *q, uint32_t out[10][8])
{
   struct ref_call c;
   memset(&c, 0, sizeof(c));
   c.q = q;
   ref_decode(q, &c.f);
   ref_empty(&c.record[0]);
   ref_empty(&c.record[1]);
   load_source(&c);
   if (c.f.inter) {
      ref_skip_check(&c);
      inter_search(&c);
      ref_direct(&c, &c.candidate[0]);
      ref_direct(&c, &c.candidate[1]);
   }
   if (!c.skip.exit && !c.ime_stopped && !c.too_good)
      ref_intra_search(&c);
   return ref_result(&c, out);
}
