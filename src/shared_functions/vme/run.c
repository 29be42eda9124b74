/* The order of the stages, and the early decisions between them (VME-002, VME-003, VME-384). */
#include "shared_functions/vme/partition.h"
#include "shared_functions/vme/trace.h"

#include <string.h>

/* VME-093, VME-094, VME-123 */
static bool
skip_exit(struct vme *v)
{
   vme_skip_check(v);
   if (!v->skip.passed || !v->m1.earlysuccessen)
      return false;
   v->w0.earlyskipexit = true;
   return true;
}

/* VME-125, VME-126, VME-129, VME-264 … VME-267, VME-324: true ends the search at whole pixels. */
static bool
ime_exit(struct vme *v)
{
   const struct hw_vme_m1 *m1 = &v->m1;
   int32_t best = v->candidate[0].total;
   if (!v->candidate[0].valid)
      return false;
   if (m1->earlysuccessen && m1->earlyimesuccessen && best < vme_u4u4(m1->imetoogood)) {
      v->w0.imetoogood = true;
      return true;
   }
   if (!m1->quitinteren || best <= vme_u4u4(m1->imetoobad)) /* VME-296 */
      return false;
   v->w0.imetoobad = m1->earlysuccessen;
   return true;
}

/* VME-127, VME-292 */
static bool
fme_exit(struct vme *v)
{
   if (!v->m1.earlysuccessen || !v->candidate[0].valid ||
       v->candidate[0].total >= vme_u4u4(v->m1.earlyfmesuccess))
      return false;
   v->w0.earlyfmeexit = true;
   return true;
}

static void
empty_records(struct vme *v)
{
   for (unsigned r = 0; r < 2; r++)
      for (unsigned b = 0; b < VME_BLOCKS; b++)
         v->record[r].e[b] = (struct vme_entry){.cost = VME_NONE};
}

static void
inter_search(struct vme *v)
{
   vme_ime(v);
   vme_partition(v);
   bool whole = ime_exit(v);
   if (!whole)
      vme_fme(v);
   vme_stream_merge(v);                /* VME-168, VME-169 */
   if (v->m1.reparten || v->stream_in) /* VME-079, VME-170 */
      vme_partition(v);
   if (!whole && !fme_exit(v))
      vme_bme(v);
}

static void
inter(struct vme *v)
{
   /* VME-022, VME-023, VME-102: nothing to search for. */
   if (vme_vector_limit(v) && vme_any_shape(v))
      inter_search(v);
   else
      vme_stream_merge(v);
   vme_direct8x8(v);
   /* VME-133, VME-322 */
   v->w0.extra_candidate_better = v->dropped || (v->candidate[0].valid && v->candidate[1].valid &&
                                                 v->candidate[1].total < v->candidate[0].total);
}

void
vme_run(struct vme *v)
{
   bool skipped = false;
   empty_records(v);
   if (v->inter) {
      skipped = skip_exit(v);
      if (skipped)
         vme_stream_merge(v);
      else
         inter(v);
   }
   /* VME-291, VME-293 */
   if (v->intra && !skipped && !v->w0.earlyimestop && !v->w0.imetoogood)
      vme_ipe(v);
}
