/* The sampler: descriptor, header, parameters, write-back. The messages that fetch without
 * filtering (ld, resinfo, sampleinfo) are executed; the others are named as not modelled and return
 * zeros. */
#include "shared_functions/sampler/sampler.h"

#include <stdio.h>
#include <string.h>

struct kind {
   const char *name;
   void (*fn)(const struct sampler_message *s, unsigned pixel, sampler_texel out);
};

/* SMP-231, SMP-266, SMP-276 */
static const struct kind kinds[32] = {
    [0] = {"sample", NULL},
    [1] = {"sample_b", NULL},
    [2] = {"sample_l", NULL},
    [3] = {"sample_c", NULL},
    [4] = {"sample_d", NULL},
    [5] = {"sample_b_c", NULL},
    [6] = {"sample_l_c", NULL},
    [7] = {"ld", sampler_ld},
    [8] = {"gather4", NULL},
    [9] = {"LOD", NULL},
    [10] = {"resinfo", sampler_resinfo},
    [11] = {"sampleinfo", sampler_sampleinfo},
    [12] = {"sample+killpix", NULL},
    [16] = {"gather4_c", NULL},
    [17] = {"gather4_po", NULL},
    [18] = {"gather4_po_c", NULL},
    [29] = {"ld_mcs", NULL},
    [30] = {"ld2dms", NULL},
    [31] = {"ld2dss", NULL},
};

void
sampler_report(const struct sampler_message *s, enum pergola_severity severity, const char *rule,
               const char *format, ...)
{
   char text[256];
   va_list ap;
   va_start(ap, format);
   vsnprintf(text, sizeof(text), format, ap);
   va_end(ap);
   sf_report(s->t, s->m, severity, rule, s->name, "%s", text);
}

static enum sf_status
give_zeros(const struct sf_message *m)
{
   if (m->response)
      memset(m->response, 0, (size_t)m->rlen * EU_REG_SIZE);
   return SF_OK;
}

static int8_t
signed_nibble(uint32_t v)
{
   return (int8_t)((int8_t)(v << 4) >> 4);
}

/* SMP-209, SMP-214, SMP-225: an absent header is one whose fields are all 0. */
static void
read_header(struct sampler_message *s)
{
   uint32_t dw2 = 0;
   if (s->m->header)
      memcpy(&dw2, s->m->payload + 8, 4);
   s->masked = dw2 >> 12 & 0xf;
   s->offset[0] = signed_nibble(dw2 >> 8 & 0xf);
   s->offset[1] = signed_nibble(dw2 >> 4 & 0xf);
   s->offset[2] = signed_nibble(dw2 & 0xf);
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

/* SMP-226: a register (pair) a parameter; SIMD4x2 has four parameters of both samples in a
 * register. */
static void
read_parameters(struct sampler_message *s)
{
   const uint8_t *data = s->m->payload + (s->m->header ? EU_REG_SIZE : 0);
   unsigned regs = s->m->mlen - (s->m->header ? 1 : 0);
   if (s->simd == SAMPLER_SIMD4X2) {
      s->parameters = regs * 4 < SAMPLER_MAX_PARAMETERS ? regs * 4 : SAMPLER_MAX_PARAMETERS;
      for (unsigned p = 0; p < s->parameters; p++)
         for (unsigned i = 0; i < 2; i++)
            memcpy(&s->parameter[p][i], data + (p / 4) * EU_REG_SIZE + i * 16 + (p % 4) * 4, 4);
      return;
   }
   unsigned per = s->pixels / 8;
   s->parameters = regs / per < SAMPLER_MAX_PARAMETERS ? regs / per : SAMPLER_MAX_PARAMETERS;
   for (unsigned p = 0; p < s->parameters; p++)
      memcpy(s->parameter[p], data + (size_t)p * per * EU_REG_SIZE, (size_t)per * EU_REG_SIZE);
}

/* SMP-307, SMP-308, SMP-311, SMP-314, SMP-315 */
static void
write_back(const struct sampler_message *s, const sampler_texel *texels)
{
   uint32_t *out = (uint32_t *)(void *)s->m->response;
   unsigned room = s->m->rlen * (EU_REG_SIZE / 4), slot = 0;
   if (s->simd == SAMPLER_SIMD4X2) {
      for (unsigned i = 0; i < 2; i++)
         for (unsigned c = 0; c < 4; c++)
            if (s->valid >> i & 1 && !(s->masked >> c & 1) && i * 4 + c < room)
               out[i * 4 + c] = texels[i][c];
      return;
   }
   for (unsigned c = 0; c < 4; c++) {
      bool masked = s->masked >> c & 1;
      for (unsigned i = 0; i < s->pixels && !masked; i++)
         if (s->valid >> i & 1 && slot * s->pixels + i < room)
            out[slot * s->pixels + i] = texels[i][c];
      slot += s->simd == SAMPLER_SIMD8 || !masked; /* SIMD16 closes up */
   }
}

/* SMP-227 */
static void
check_response(const struct sampler_message *s)
{
   unsigned masked = (unsigned)__builtin_popcount(s->masked);
   unsigned want = s->simd == SAMPLER_SIMD4X2 ? 1 : s->simd == SAMPLER_SIMD8 ? 4 : 8 - 2 * masked;
   if (s->m->rlen > want || (s->simd == SAMPLER_SIMD16 && s->m->rlen != want))
      sampler_report(s, PERGOLA_ERROR, "SMP-227",
                     "response length is %u where the message returns %u registers", s->m->rlen,
                     want);
}

static bool
bind(struct sampler_message *s)
{
   const struct eu_env *env = s->t->env;
   uint32_t entry, bti = s->m->desc & 0xff;
   uint32_t at = env->surface_state_base + s->t->binding_table + 4 * bti;
   if (!mem_read(env->space, at, &entry, 4)) {
      sampler_report(s, PERGOLA_ERROR, "SMP-001", "binding table entry %u at 0x%08x is not mapped",
                     bti, at);
      return false;
   }
   uint32_t state = env->surface_state_base + (entry & ~31u);
   if (surface_get(env->dev->surfaces, env->space, state, false, &s->s))
      return true;
   sampler_report(s, PERGOLA_ERROR, "SMP-001",
                  "surface state of binding table entry %u at 0x%08x is not mapped", bti, state);
   return false;
}

enum sf_status
sf_sampler(struct eu_thread *t, const struct sf_message *m)
{
   struct sampler_message s;
   const struct kind *kind = &kinds[m->desc >> 12 & 0x1f]; /* SMP-208 */
   s.t = t;
   s.m = m;
   s.simd = m->desc >> 17 & 3;
   s.name = kind->name ? kind->name : "sampler message";
   if (s.simd == SAMPLER_SIMD32 || !kind->fn) {
      bool reserved = s.simd != SAMPLER_SIMD32 && !kind->name;
      sampler_report(&s, reserved ? PERGOLA_ERROR : PERGOLA_WARNING, "SMP-231",
                     reserved ? "message type %u is reserved; the response is zero"
                              : "message type %u is not modelled yet; the response is zero",
                     m->desc >> 12 & 0x1f);
      return give_zeros(m);
   }
   if (m->mlen <= (m->header ? 1u : 0u) && kind->fn != sampler_sampleinfo) {
      sampler_report(&s, PERGOLA_ERROR, "SMP-226", "no parameter is sent");
      return give_zeros(m);
   }
   read_header(&s);
   read_mask(&s);
   read_parameters(&s);
   check_response(&s);
   if (!bind(&s) || !m->response)
      return give_zeros(m);
   sampler_texel texels[16];
   for (unsigned i = 0; i < s.pixels; i++)
      if (s.valid >> i & 1)
         kind->fn(&s, i, texels[i]);
   write_back(&s, texels);
   return SF_OK;
}
