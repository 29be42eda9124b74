/* The restrictions on a request, each with its row. The behaviour after a broken rule is the
 * stages' own. */
#include "shared_functions/vme/partition.h"

#include "rules/plural.h"

#include <stdio.h>
#include <string.h>

void
vme_report(const struct vme *v, enum pergola_severity severity, const char *rule, const char *field,
           const char *format, ...)
{
   char text[224];
   va_list args;
   va_start(args, format);
   vsnprintf(text, sizeof(text), format, args);
   va_end(args);
   sf_report(v->t, v->m, severity, rule, "vme", "%s: %s", field, text);
}

#define BROKEN(rule, field, ...) vme_report(v, PERGOLA_ERROR, rule, field, __VA_ARGS__)

static void
violation(void *data, const struct hw_layout *layout, const struct hw_field *field, uint64_t raw,
          const char *why)
{
   const struct vme *v = data;
   /* VME-309: an intra search ignores the fields of inter. */
   bool mine =
       v->inter || field->type == HW_MBZ || !strcmp(field->name, "IntraSAD") || !v->d.message_type;
   if (mine)
      sf_report(v->t, v->m, PERGOLA_ERROR, field->ledger[0] ? field->ledger : layout->ledger,
                layout->name, "%s: value %#llx: %s", field->name, (unsigned long long)raw, why);
}

static void
check_layout(struct vme *v, const char *name, const uint32_t *dw, unsigned count)
{
   hw_validate(hw_struct_by_name(name), dw, count, violation, v);
}

/* VME-194, VME-195, VME-196, VME-201, VME-202 */
static void
check_lengths(struct vme *v)
{
   unsigned stream = v->dual ? 4 : 2;
   unsigned in = 5 + (v->inter && v->d.stream_in_enable ? stream : 0);
   unsigned out = v->inter ? 6 + (v->d.stream_out_enable ? stream : 0) : 1;
   if (v->m->mlen != in)
      BROKEN("VME-201", "Message Length", "is %u where the message has %u registers", v->m->mlen,
             in);
   if (v->m->rlen != out && !v->m->eot)
      BROKEN("VME-201", "Response Length", "is %u where the answer has %u register%s", v->m->rlen,
             out, plural(out));
   if (!v->inter && (v->d.stream_in_enable || v->d.stream_out_enable))
      BROKEN("VME-201", "Stream Enable", "is set for an intra search, which carries no records");
}

/* VME-141: the state of VME lies where samplers have theirs. By the kernel as it is decoded: a
 * branch that is not taken counts too, so this is a warning. */
static void
check_kernel(struct vme *v)
{
   if (eu_kernel_sends_to(v->t->kernel, SFID_SAMPLER))
      vme_report(v, PERGOLA_WARNING, "VME-141", "Sampler State Pointer",
                 "the kernel has sampler messages beside those to VME");
}

void
vme_check_message(struct vme *v)
{
   check_kernel(v);
   uint32_t control = v->m->desc;
   if (!v->m->header)
      BROKEN("VME-194", "Header Present", "must be 1");
   if (v->m->eot)
      BROKEN("VME-188", "End of Thread", "must not be set; nothing is done");
   check_layout(v, "VME Message Descriptor", &control, 1);
   check_lengths(v);
   check_layout(v, "VME M0", v->in[0], 8);
   check_layout(v, "VME M1", v->in[1], 8);
   if (v->intra)
      check_layout(v, "VME M4", v->in[4], 8);
   for (unsigned i = 0; v->stream_in && i < (v->dual ? 4u : 2u); i += 2)
      check_layout(v, "VME Stream Distortions", v->in[5 + i], 8);
}

/* ---- the source and the windows -------------------------------------------------------------- */

static void
check_window_size(struct vme *v)
{
   unsigned w = v->m0.refwidth, h = v->m0.refheight;
   if (w < 20 || w > 64 || w % 4)
      BROKEN("VME-205", "RefWidth", "%u is no multiple of 4 from 20 to 64", w);
   if (h < 20 || h > 64 || h % 4)
      BROKEN("VME-204", "RefHeight", "%u is no multiple of 4 from 20 to 64", h);
   if (v->ref_w * v->ref_h * (v->dual ? 2 : 1) > 2048)
      BROKEN("VME-045", "RefWidth", "%u by %u pixels%s do not fit in 2048 bytes", v->ref_w,
             v->ref_h, v->dual ? ", twice," : "");
}

static void
check_window(struct vme *v, unsigned r, int32_t x, int32_t y)
{
   const struct vme_plane *p = &v->plane[1 + r];
   int64_t left = (int64_t)v->m0.srcx + x, above = (int64_t)v->m0.srcy + y;
   const char *field = r ? "Ref1" : "Ref0";
   if (x < -2048 || x > 2047 || y < -2048 || y > 2047)
      BROKEN("VME-178", field, "(%d, %d) is outside -2048 to 2047", x, y);
   if (p->ok && (left >= p->plane.width || above >= p->height || left + v->ref_w <= 0 ||
                 above + v->ref_h <= 0))
      BROKEN("VME-206", field, "the window lies outside the picture");
   if (above & 1)
      BROKEN("VME-242", field, "the window begins at the odd line %lld", (long long)above);
}

static void
check_source(struct vme *v)
{
   const struct vme_plane *p = &v->plane[0];
   unsigned w = v->intra ? 16 : v->src_w, h = v->intra ? 16 : v->src_h;
   if (p->ok && (v->m0.srcx + w > p->plane.width || v->m0.srcy + h > p->height))
      BROKEN("VME-243", "SrcX", "the block at (%u, %u) is not inside the picture of %u by %u",
             v->m0.srcx, v->m0.srcy, p->plane.width, p->height);
   if (v->inter && v->m0.srcaccess != v->m0.refaccess)
      vme_report(v, PERGOLA_WARNING, "VME-234", "RefAccess", "should equal SrcAccess");
   if (v->intra && v->src_h != 16)
      BROKEN("VME-240", "SrcSize", "an intra search has 16x16 blocks");
   if (v->m0.srcsize == 2)
      BROKEN("VME-049", "SrcSize", "8x16 is not supported on this part; 16x16 is searched");
}

static void
check_windows(struct vme *v)
{
   check_window_size(v);
   check_window(v, 0, v->m0.ref0x, v->m0.ref0y);
   if (v->dual)
      check_window(v, 1, v->m0.ref1x, v->m0.ref1y);
   if (v->m0.searchctrl == VME_TWO_RECORDS && v->in[0][0] != v->in[0][1])
      BROKEN("VME-245", "Ref1", "must equal Ref0 for two records on one reference");
}

/* ---- state ----------------------------------------------------------------------------------- */

/* VME-146 */
static void
check_costs(struct vme *v, const uint32_t dw[32])
{
   const uint8_t *bytes = (const uint8_t *)dw;
   const uint8_t *set = bytes + 64 + 16 * v->d.lut_subindex;
   static const uint8_t mode_bits[8] = {10, 12, 12, 12, 12, 10, 10, 10};
   for (unsigned i = 0; i < 8; i++) {
      if (vme_u4u4(set[i]) >> mode_bits[i])
         BROKEN("VME-146", "LUT_MbMode", "%u is %d, which has more than %u bits", i,
                vme_u4u4(set[i]), mode_bits[i]);
      if (vme_u4u4(set[8 + i]) >> 10)
         BROKEN("VME-146", "LUT_MV", "%u is %d, which has more than 10 bits", i,
                vme_u4u4(set[8 + i]));
   }
   uint8_t whole = bytes[56 + 2 * v->d.lut_subindex];
   if (vme_u4u4(whole) >> 12)
      BROKEN("VME-146", "LUT_MbMode", "8 is %d, which has more than 12 bits", vme_u4u4(whole));
}

/* VME-165 */
static void
check_path(struct vme *v)
{
   for (unsigned i = 0; i < VME_PATH_LOCATIONS; i++)
      if (!v->path[i])
         return;
   BROKEN("VME-165", "Search Path", "has no (0,0) at its end");
}

/* ---- controls -------------------------------------------------------------------------------- */

static void
check_search(struct vme *v)
{
   const struct hw_vme_m1 *m1 = &v->m1;
   if (!m1->lensp || m1->lensp > 63)
      BROKEN("VME-274", "LenSP", "%u is not 1 to 63", m1->lensp);
   if (!m1->maxnumsu || m1->maxnumsu > 63)
      BROKEN("VME-273", "MaxNumSU", "%u is not 1 to 63", m1->maxnumsu);
   /* VME-226, VME-276, VME-302 */
   if (m1->adaptiveen && v->m0.searchctrl == VME_ONE_START && m1->lensp < 2)
      BROKEN("VME-302", "AdaptiveEn", "needs two search steps or two starts before it");
   for (unsigned p = 0; p < (v->m0.searchctrl != VME_ONE_START ? 2u : 1u); p++) {
      unsigned x = 4 * (p ? m1->start1x : m1->start0x), y = 4 * (p ? m1->start1y : m1->start0y);
      if (x + v->src_w > v->ref_w || y + v->src_h > v->ref_h)
         BROKEN(p ? "VME-271" : "VME-272", p ? "Start1" : "Start0",
                "the block at (%u, %u) is not inside the window", x, y);
   }
   if (m1->earlysuccessen && m1->earlyimesuccessen && m1->earlyimestop && v->src_h == 16 &&
       v->m0.submbpartmask & 1)
      vme_report(v, PERGOLA_WARNING, "VME-290", "EarlyImeStop", "looks at the 16x16, which is off");
}

static void
check_directions(struct vme *v)
{
   const struct hw_vme_m1 *m1 = &v->m1;
   if (m1->fbprunen && !v->dual)
      BROKEN("VME-278", "FBPrunEn", "needs two references");
   if (m1->unimixdisable && !v->dual)
      BROKEN("VME-283", "UniMixDisable", "needs two references");
   if (!v->dual)
      return;
   if (m1->biweight != 16 && m1->biweight != 21 && m1->biweight != 32 && m1->biweight != 43 &&
       m1->biweight != 48)
      BROKEN("VME-286", "BiWeight", "%u is not 16, 21, 32, 43 or 48", m1->biweight);
   /* VME-285: by SubMbPartMask all shapes of the group are off. */
   static const uint8_t group[4] = {0x01, 0x06, 0x08, 0x70};
   for (unsigned i = 0; i < 4; i++)
      if (!(m1->bisubmbpartmask >> i & 1) && (v->m0.submbpartmask & group[i]) == group[i])
         BROKEN("VME-285", "BiSubMbPartMask", "bit %u allows a shape that SubMbPartMask disables",
                i);
}

static bool
center_outside(uint32_t dw)
{
   int16_t y = (int16_t)(dw >> 16), x = (int16_t)dw;
   return x < -8192 || x > 8191 || y < -2048 || y > 2047;
}

/* VME-262, VME-263 */
static void
check_centers(struct vme *v)
{
   for (unsigned i = 0; i < (v->m0.searchctrl >= VME_TWO_RECORDS ? 2u : 1u); i++)
      if (center_outside(v->in[1][4 + i]))
         BROKEN(i ? "VME-262" : "VME-263", i ? "CostCenter1" : "CostCenter0",
                "(%d, %d) quarter pixels are outside the range", v->center[i].x, v->center[i].y);
}

static void
check_skip(struct vme *v)
{
   const struct hw_vme_m1 *m1 = &v->m1;
   unsigned pairs = v->m0.skiptype ? 4 : 1, vectors = 0;
   if (v->m0.skiptype && v->m0.srcsize)
      BROKEN("VME-222", "SkipType", "should be SKIP_1MVP for a source below 16x16");
   if (!m1->skipmodeen)
      return;
   if (v->m0.srcsize || !v->inter) {
      BROKEN("VME-304", "SkipModeEn", "must be 0 for %s", v->inter ? "small sources" : "intra");
      return;
   }
   for (unsigned k = 0; k < pairs; k++) {
      unsigned mask = m1->skipcentermask >> 2 * k & 3;
      vectors += (unsigned)__builtin_popcount(mask);
      if (!mask)
         BROKEN("VME-249", "SkipCenterMask", "pair %u has no center", k);
      for (unsigned r = 0; r < 2; r++) /* VME-180 */
         if (mask >> r & 1 && center_outside(v->in[2][2 * k + r]))
            BROKEN("VME-180", "SkipCenter", "%u of reference %u is outside the range", k, r);
   }
   if (m1->maxnummvs && vectors > m1->maxnummvs) /* VME-289 */
      BROKEN("VME-289", "MaxNumMVs", "%u is less than the %u skip vectors", m1->maxnummvs, vectors);
}

void
vme_check_request(struct vme *v, const uint32_t state[32])
{
   check_source(v);
   check_skip(v);
   check_costs(v, state);
   struct hw_vme_mbintrastruct there;
   gen7_vme_mbintrastruct_unpack(&there, &v->m1.mbintrastruct);
   if (v->intra && there.left_top_half != there.left)
      BROKEN("VME-257", "MbIntraStruct", "bits 6 and 5 must be equal");
   if (v->intra && v->m1.mbintrastruct & GEN7_VME_MBINTRASTRUCT__MBZ_0)
      BROKEN("VME-255", "MbIntraStruct", "bits 7, 1 and 0 must be 0");
   if (!v->inter)
      return;
   check_windows(v);
   check_path(v);
   check_search(v);
   check_directions(v);
   check_centers(v);
   if (v->m1.partcandidateen && v->src_h != 16)
      BROKEN("VME-010", "PartCandidateEn", "is for 16x16 sources");
}
