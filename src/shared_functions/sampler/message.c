/* Sampler messages: descriptor, header, parameters, write-back. */
#include "shared_functions/sampler/sampler.h"

#include <stdio.h>
#include <string.h>

enum {
   PLAIN = SAMPLER_USES_STATE | SAMPLER_GRADIENTS | SAMPLER_NO_4X2,
   COMPARES = PLAIN | SAMPLER_COMPARES,
   GATHERS = SAMPLER_USES_STATE | SAMPLER_GATHERS,
   EXPLICIT = SAMPLER_USES_STATE | SAMPLER_EXPLICIT,
};

#define UVRA P_U, P_V, P_R, P_AI
#define GRADIENTS P_U, P_DUDX, P_DUDY, P_V, P_DVDX, P_DVDY, P_R, P_DRDX, P_DRDY, P_AI
#define GRADIENTS2 UVRA, P_DUDX, P_DUDY, P_DVDX, P_DVDY, P_DRDX, P_DRDY

/* SMP-231, SMP-232 */
const struct sampler_kind sampler_kinds[32] = {
    [SAMPLER_SAMPLE] = {"sample", sampler_sample, PLAIN, {UVRA}, {UVRA}, "SMP-236"},
    [SAMPLER_SAMPLE_B] =
        {"sample_b", sampler_sample, PLAIN, {P_BIAS, UVRA}, {UVRA, P_BIAS}, "SMP-240"},
    [SAMPLER_SAMPLE_L] =
        {"sample_l", sampler_sample, SAMPLER_USES_STATE, {P_LOD, UVRA}, {UVRA, P_LOD}, "SMP-242"},
    [SAMPLER_SAMPLE_C] =
        {"sample_c", sampler_sample, COMPARES, {P_REF, UVRA}, {UVRA, P_REF}, "SMP-245"},
    [SAMPLER_SAMPLE_D] =
        {"sample_d", sampler_sample, EXPLICIT, {GRADIENTS}, {GRADIENTS2}, "SMP-254"},
    [SAMPLER_SAMPLE_B_C] = {"sample_b_c",
                            sampler_sample,
                            COMPARES,
                            {P_REF, P_BIAS, UVRA},
                            {UVRA, P_REF, P_BIAS},
                            "SMP-251"},
    [SAMPLER_SAMPLE_L_C] = {"sample_l_c",
                            sampler_sample,
                            SAMPLER_USES_STATE | SAMPLER_COMPARES,
                            {P_REF, P_LOD, UVRA},
                            {UVRA, P_REF, P_LOD},
                            "SMP-252"},
    [SAMPLER_LD] = {"ld",
                    sampler_ld,
                    SAMPLER_LOADS,
                    {P_U, P_LOD, P_V, P_R},
                    {P_U, P_V, P_R, P_LOD},
                    "SMP-273"},
    [SAMPLER_GATHER4] = {"gather4", sampler_gather, GATHERS, {UVRA}, {UVRA}, "SMP-284"},
    [SAMPLER_LOD] = {"LOD", sampler_lod, PLAIN, {UVRA}, {UVRA}, "SMP-279"},
    [SAMPLER_RESINFO] = {"resinfo", sampler_resinfo, 0, {P_LOD}, {P_LOD}, NULL},
    [SAMPLER_SAMPLEINFO] = {"sampleinfo", sampler_sampleinfo, SAMPLER_EMPTY, {0}, {0}, "SMP-277"},
    [SAMPLER_KILLPIX] = {"sample+killpix", sampler_sample, PLAIN, {UVRA}, {UVRA}, "SMP-238"},
    [SAMPLER_GATHER4_C] = {"gather4_c",
                           sampler_gather,
                           GATHERS | SAMPLER_COMPARES,
                           {P_REF, UVRA},
                           {UVRA, P_REF},
                           "SMP-291"},
    [SAMPLER_GATHER4_PO] = {"gather4_po",
                            sampler_gather,
                            GATHERS | SAMPLER_OFFSETS,
                            {P_U, P_V, P_OFFU, P_OFFV, P_R},
                            {P_U, P_V, P_R, P_NONE, P_OFFU, P_OFFV},
                            "SMP-284"},
    [SAMPLER_GATHER4_PO_C] = {"gather4_po_c",
                              sampler_gather,
                              GATHERS | SAMPLER_OFFSETS | SAMPLER_COMPARES,
                              {P_REF, P_U, P_V, P_OFFU, P_OFFV, P_R},
                              {P_U, P_V, P_R, P_REF, P_OFFU, P_OFFV},
                              "SMP-291"},
    [SAMPLER_SAMPLE_D_C] = {"sample_d_c",
                            sampler_sample,
                            EXPLICIT | SAMPLER_COMPARES,
                            {P_REF, GRADIENTS},
                            {GRADIENTS2, P_REF},
                            "SMP-256"},
    [SAMPLER_LD_MCS] =
        {"ld_mcs", sampler_ld_mcs, SAMPLER_LOADS, {P_U, P_V, P_R}, {P_U, P_V, P_R}, "SMP-273"},
    [SAMPLER_LD2DMS] = {"ld2dms",
                        sampler_ld2d,
                        SAMPLER_LOADS,
                        {P_SI, P_MCS, P_U, P_V, P_R},
                        {P_U, P_V, P_R, P_LOD, P_SI, P_MCS},
                        "SMP-273"},
    [SAMPLER_LD2DSS] = {"ld2dss",
                        sampler_ld2d,
                        SAMPLER_LOADS,
                        {P_SI, P_U, P_V, P_R},
                        {P_U, P_V, P_R, P_LOD, P_SI},
                        "SMP-273"},
};

void
sampler_report(struct sampler_message *s, enum pergola_severity severity, const char *rule,
               const char *format, ...)
{
   char text[256];
   va_list ap;
   va_start(ap, format);
   vsnprintf(text, sizeof(text), format, ap);
   va_end(ap);
   /* A warning of state that drivers set all the same, SMP-376, is named once for a binding: it
    * does not take the fast path away. */
   s->reports += severity == PERGOLA_ERROR;
   sf_report(s->t, s->m, severity, rule, s->name, "%s", text);
}

static enum sf_status
give_zeros(const struct sf_message *m)
{
   if (m->response)
      memset(m->response, 0, (size_t)m->rlen * EU_REG_SIZE);
   return SF_OK;
}

void
sampler_read_header(const struct sf_message *m, struct hw_sampler_header *h)
{
   uint32_t dw[GEN7_SAMPLER_HEADER_LENGTH] = {0};
   if (m->header)
      memcpy(dw, m->payload, sizeof(dw));
   gen7_sampler_header_unpack(h, dw);
}

/* SMP-214, SMP-225 */
static void
read_header(struct sampler_message *s)
{
   struct hw_sampler_header h;
   sampler_read_header(s->m, &h);
   s->masked = sampler_masked(&h);
   s->gather_channel = (uint8_t)h.gather4_source_channel;
   s->offset[0] = (int8_t)h.u_offset;
   s->offset[1] = (int8_t)h.v_offset;
   s->offset[2] = (int8_t)h.r_offset;
}

/* SMP-203, SMP-205, SMP-206 */
static void
read_mask(struct sampler_message *s)
{
   uint32_t mask = s->m->exec_mask;
   if (s->simd == SAMPLER_SIMD4X2) {
      s->pixels = 2;
      s->valid = (mask & 0xf ? 1u : 0u) | (mask & 0xf0 ? 2u : 0u);
      return;
   }
   s->pixels = s->simd == SAMPLER_SIMD8 ? 8 : 16;
   s->valid = mask & ((1u << s->pixels) - 1);
}

/* SMP-226, SMP-233: a register (pair) a parameter; SIMD4x2 has four parameters of both samples in a
 * register. SMP-224: what is not sent is 0. */
static void
read_parameters(struct sampler_message *s)
{
   const uint8_t *data = s->m->payload + (s->m->header ? EU_REG_SIZE : 0);
   unsigned header = s->m->header ? 1 : 0, per = s->pixels / 8,
            regs = s->m->mlen > header ? s->m->mlen - header : 0;
   bool pairs = s->simd == SAMPLER_SIMD4X2;
   const uint8_t *order = pairs ? s->kind->order2 : s->kind->order;
   unsigned most = pairs ? sizeof(s->kind->order2) : sizeof(s->kind->order);
   unsigned count = pairs ? regs * 4 : regs / per;
   memset(s->p, 0, sizeof(s->p));
   s->sent = 0;
   for (unsigned n = 0; n < count && n < most; n++) {
      unsigned p = order[n];
      s->sent |= 1u << p;
      for (unsigned i = 0; i < 2 && pairs; i++)
         memcpy(&s->p[p][i], data + (n / 4) * EU_REG_SIZE + i * 16 + (n % 4) * 4, 4);
      if (!pairs)
         memcpy(s->p[p], data + (size_t)n * per * EU_REG_SIZE, (size_t)per * EU_REG_SIZE);
   }
}

/* SMP-312: after the channels; the upper half is always ones. */
static void
write_kill_mask(const struct sampler_message *s)
{
   uint32_t *out = (uint32_t *)(void *)s->m->response;
   if (s->m->rlen > 4)
      out[4 * 8] = ~(s->killed & 0xff);
}

/* SMP-307, SMP-308, SMP-311, SMP-314, SMP-315 */
static void
write_back(const struct sampler_message *s)
{
   uint32_t *out = (uint32_t *)(void *)s->m->response;
   unsigned room = s->m->rlen * (EU_REG_SIZE / 4), slot = 0;
   if (s->simd == SAMPLER_SIMD4X2) {
      for (unsigned i = 0; i < 2; i++)
         for (unsigned c = 0; c < 4; c++)
            if (s->valid >> i & 1 && !(s->masked >> c & 1) && i * 4 + c < room)
               out[i * 4 + c] = s->result[c][i];
      return;
   }
   for (unsigned c = 0; c < 4; c++) {
      bool masked = s->masked >> c & 1;
      for (unsigned i = 0; i < s->pixels && !masked; i++)
         if (s->valid >> i & 1 && slot * s->pixels + i < room)
            out[slot * s->pixels + i] = s->result[c][i];
      slot += s->simd == SAMPLER_SIMD8 || !masked; /* SIMD16 closes up */
   }
   if (s->type == SAMPLER_KILLPIX)
      write_kill_mask(s);
}

static bool
begin(struct sampler_message *s, struct eu_thread *t, const struct sf_message *m)
{
   unsigned type = hw_get(m->desc, GEN7_SAMPLER_DESCRIPTOR__MESSAGE_TYPE); /* SMP-208 */
   s->t = t;
   s->m = m;
   s->type = (uint8_t)type;
   s->kind = &sampler_kinds[type];
   s->name = s->kind->name ? s->kind->name : "sampler message";
   s->simd = (uint8_t)hw_get(m->desc, GEN7_SAMPLER_DESCRIPTOR__SIMD_MODE);
   s->killed = 0;
   s->reports = 0;
   for (unsigned i = 0; i < 4; i++)
      s->block[i].view = NULL;
   if (!s->kind->fn) {
      sampler_report(s, PERGOLA_ERROR, "SMP-231",
                     "message type %u is reserved; the response is zero", type);
      return false;
   }
   if (m->mlen <= (m->header ? 1u : 0u) && !(s->kind->flags & SAMPLER_EMPTY)) {
      sampler_report(s, PERGOLA_ERROR, "SMP-226", "no parameter is sent");
      return false;
   }
   return true;
}

enum sf_status
sf_sampler(struct eu_thread *t, const struct sf_message *m)
{
   struct sampler_message s;
   struct texture other;
   if (hw_get(m->desc, GEN7_SAMPLER_DESCRIPTOR__SIMD_MODE) == SAMPLER_SIMD32)
      return sampler_media(t, m);
   if (!begin(&s, t, m))
      return give_zeros(m);
   read_header(&s);
   read_mask(&s);
   read_parameters(&s);
   unsigned sampler = s.kind->flags & SAMPLER_USES_STATE ? sampler_index(m) : TEXTURE_NONE;
   s.watched = false;
   s.x = sampler_bind(&s, sampler, &other); /* SMP-001, SMP-210 */
   if (!s.x)
      return give_zeros(m);
   bool good = sampler_check(&s);
   if (!s.reports && rules_on(t->env->dev))
      s.x->clean |= 1u << s.type;
   if (!m->response)
      return SF_OK;
   /* SMP-177, SMP-353 */
   if (good && !s.x->state.disable && s.x->s.type != SURFTYPE_NULL)
      s.kind->fn(&s);
   else if (s.kind->fn == sampler_sampleinfo && good)
      sampler_sampleinfo(&s);
   else
      memset(s.result, 0, sizeof(s.result));
   write_back(&s);
   return SF_OK;
}
