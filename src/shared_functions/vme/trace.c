/* A decision explains itself, line by line. */
#include "shared_functions/vme/trace.h"

#include <stdio.h>

static const char *const majors[] = {"16x16", "16x8", "8x16", "8x8"};
static const char *const minors[] = {"8x8", "8x4", "4x8", "4x4"};
static const char *const directions[] = {"forward", "backward", "bidirectional"};
static const char *const shapes[] = {"16x16", "16x8", "8x16", "8x8", "8x4", "4x8", "4x4"};

void
vme_say(const struct vme *v, const char *format, ...)
{
   char text[512];
   va_list args;
   va_start(args, format);
   vsnprintf(text, sizeof(text), format, args);
   va_end(args);
   v->tell->line(v->tell->data, text);
}

void
vme_tell_request(const struct vme *v)
{
   static const char *const types[] = {"nothing", "inter", "intra", "inter and intra"};
   static const char *const precision[] = {"whole", "half", "whole", "quarter"};
   const struct hw_vme_m0 *m0 = &v->m0;
   const struct hw_vme_m1 *m1 = &v->m1;
   vme_say(v, "request: %s, source %ux%u at (%u, %u)%s, %s, dsp %s", types[v->d.message_type & 3],
           v->src_w, v->src_h, m0->srcx, m0->srcy, m0->srcaccess ? ", field" : "",
           v->haar ? "Haar" : "SAD", v->dsp->name);
   if (!v->inter)
      return;
   vme_say(v,
           "request: window %ux%u at (%d, %d)%s, SearchCtrl %u, LenSP %u, MaxNumSU %u, %s pixels, "
           "SubMbPartMask %02xh, BiSubMbPartMask %xh, MaxNumMVs %u%s%s%s%s",
           v->ref_w, v->ref_h, m0->ref0x, m0->ref0y, v->dual ? " and a second" : "", m0->searchctrl,
           m1->lensp, m1->maxnumsu, precision[m0->subpelmode & 3], m0->submbpartmask,
           m1->bisubmbpartmask, m1->maxnummvs, m1->adaptiveen ? ", adaptive" : "",
           m1->skipmodeen ? ", skip" : "", m1->reparten ? ", repartition" : "",
           v->stream_in ? ", stream-in" : "");
   vme_say(v,
           "request: cost centers (%d, %d) (%d, %d) quarter pixels, scale %u; thresholds: skip %d, "
           "EIS %d, ITG %d, ITB %d, EFS %d",
           v->center[0].x, v->center[0].y, v->center[1].x, v->center[1].y, v->costs.scale,
           vme_u4u4(m1->skipsuccess), vme_u4u4(m1->earlyimestop), vme_u4u4(m1->imetoogood),
           vme_u4u4(m1->imetoobad), vme_u4u4(m1->earlyfmesuccess));
}

void
vme_tell_unit(const struct vme *v, unsigned path, unsigned unit, bool inside, bool searched,
              const struct vme_entry *best)
{
   const char *what = searched ? "searched" : inside ? "was searched before" : "outside the window";
   if (best->cost >= VME_NONE)
      vme_say(v, "unit %u of path %u: %s; nothing found yet", unit, path, what);
   else
      vme_say(v, "unit %u of path %u: %s; best %ux%u so far %d at (%d, %d)", unit, path, what,
              v->src_w, v->src_h, best->cost, best->mv.x, best->mv.y);
}

/* One block: what its cost is made of. */
static void
tell_block(const struct vme *v, unsigned block, unsigned direction)
{
   const struct vme_block *b = &vme_blocks[block];
   if (direction == VME_BIDIRECTIONAL) {
      const struct vme_entry *e0 = &v->record[0].e[block], *e1 = &v->record[1].e[block];
      int32_t cost = vme_bidirectional_cost(v, block);
      int32_t vectors = vme_mv_cost(v, e0->center, e0->mv) + vme_mv_cost(v, e1->center, e1->mv);
      vme_say(v, "   %s at (%u, %u): bidirectional (%d, %d) (%d, %d): distortion %d + vectors %d",
              shapes[b->shape], b->x, b->y, e0->mv.x, e0->mv.y, e1->mv.x, e1->mv.y, cost - vectors,
              vectors);
      return;
   }
   const struct vme_entry *e = &v->record[direction].e[block];
   if (e->streamed_in) {
      vme_say(v, "   %s at (%u, %u): %s (%d, %d): %d, streamed in", shapes[b->shape], b->x, b->y,
              directions[direction], e->mv.x, e->mv.y, e->cost);
      return;
   }
   int32_t vector = vme_mv_cost(v, e->center, e->mv), bias = v->costs.backward[direction];
   vme_say(v, "   %s at (%u, %u): %s (%d, %d): distortion %d + vector %d + direction %d",
           shapes[b->shape], b->x, b->y, directions[direction], e->mv.x, e->mv.y,
           e->cost - vector - bias, vector, bias);
}

void
vme_tell_candidate(const struct vme *v, const char *name, const struct vme_candidate *c)
{
   int32_t penalty = 0;
   for (unsigned u = 0; u < vme_units(v, c->major); u++)
      penalty += vme_unit_penalty(v, c, u);
   vme_say(v, "%s: %s: %d, of which shape %d", name, majors[c->major], c->total, penalty);
   for (unsigned u = 0; u < vme_units(v, c->major); u++) {
      uint8_t blocks[4];
      unsigned n = vme_unit_blocks(c, u, blocks);
      for (unsigned i = 0; i < n; i++)
         tell_block(v, blocks[i], c->direction[u]);
   }
}

void
vme_tell_partition(const struct vme *v, const struct vme_candidate major[4],
                   const struct vme_candidate *best)
{
   for (unsigned k = 0; k < 4; k++) {
      char name[64];
      if (!major[k].valid)
         continue;
      int32_t lost = major[k].total - best->total;
      if (&major[k] == best)
         snprintf(name, sizeof(name), "partition: best");
      else
         snprintf(name, sizeof(name), "partition: loses by %d", lost);
      vme_tell_candidate(v, name, &major[k]);
   }
   if (!best)
      vme_say(v, "partition: none");
}

/* Why it ended where it did. */
static const char *
exit_of(const struct hw_vme_w0 *w0)
{
   return w0->earlyskipexit  ? "early skip exit"
          : w0->imetoogood   ? "IME too good"
          : w0->imetoobad    ? "IME too bad"
          : w0->earlyfmeexit ? "early FME exit"
          : w0->earlyimestop ? "early IME stop"
                             : "all stages done";
}

void
vme_tell_result(const struct vme *v)
{
   const struct hw_vme_w0 *w0 = &v->w0;
   char shape[48] = "";
   if (w0->intermbmode == GEN7_VME_W0_INTERMBMODE_INTER8X8)
      snprintf(shape, sizeof(shape), " (%s %s %s %s)", minors[w0->submbshape & 3],
               minors[w0->submbshape >> 2 & 3], minors[w0->submbshape >> 4 & 3],
               minors[w0->submbshape >> 6 & 3]);
   vme_say(v,
           "result: %s type %02xh, cost %u (inter %u, intra %u, skip %u%s), inter shape %s%s, %u "
           "vectors, "
           "%u units; %s",
           w0->intrambflag  ? "intra"
           : w0->mbskipflag ? "skip"
                            : "inter",
           w0->mbtype, w0->minimal_distortion, w0->interdistortion, w0->bestintradistortion,
           w0->skiprawdistortion, w0->skiprawdistortioninvalid ? ", not checked" : "",
           majors[w0->intermbmode], shape, w0->mvquantity, w0->search_path_length, exit_of(w0));
}
