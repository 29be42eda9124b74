/* SIMD32 and SIMD64 messages: which one it is, its payload, and sample_unorm. */
#include "shared_functions/sampler/media.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of the budget, as much as so many instructions. */
#define AVS_COST 1024u
#define UNORM_COST 256u
#define DEINTERLACE_COST 2048u

void
sampler_media_report(const struct media_message_in *in, enum pergola_severity severity,
                     const char *rule, const char *format, ...)
{
   char text[256];
   va_list ap;
   va_start(ap, format);
   vsnprintf(text, sizeof(text), format, ap);
   va_end(ap);
   sf_report(in->t, in->m, severity, rule, in->name, "%s", text);
}

/* SMP-231: types of SIMD mode 3. */
static const struct {
   const char *name;
   uint8_t what;
} kinds[32] = {
    [GEN7_SAMPLER_WIDE_MESSAGE_SAMPLE_UNORM] = {"sample_unorm", MEDIA_UNORM},
    [GEN7_SAMPLER_WIDE_MESSAGE_SAMPLE_UNORM_KILLPIX] = {"sample_unorm+killpix", MEDIA_UNORM_KILL},
    [GEN7_SAMPLER_WIDE_MESSAGE_SAMPLE_8X8] = {"sample_8x8", MEDIA_8X8},
    [GEN7_SAMPLER_WIDE_MESSAGE_DEINTERLACE] = {"deinterlace", MEDIA_DI},
    [GEN7_SAMPLER_WIDE_MESSAGE_SAMPLE_UNORM_KILLPIX_MEDIA] = {"sample_unorm+killpix",
                                                              MEDIA_UNORM_KILL},
    [GEN7_SAMPLER_WIDE_MESSAGE_SAMPLE_8X8_MEDIA] = {"sample_8x8", MEDIA_8X8},
    [GEN7_SAMPLER_WIDE_MESSAGE_SAMPLE_UNORM_MEDIA] = {"sample_unorm", MEDIA_UNORM},
    [GEN7_SAMPLER_WIDE_MESSAGE_CACHE_FLUSH] = {"cache_flush", MEDIA_FLUSH},
};

static bool
has_media_layout(unsigned type)
{
   return type == GEN7_SAMPLER_WIDE_MESSAGE_SAMPLE_UNORM_KILLPIX_MEDIA ||
          type == GEN7_SAMPLER_WIDE_MESSAGE_SAMPLE_8X8_MEDIA ||
          type == GEN7_SAMPLER_WIDE_MESSAGE_SAMPLE_UNORM_MEDIA;
}

static void
read_payload(struct media_message_in *in, const uint32_t *dw)
{
   struct hw_sampler_wide_payload p;
   gen7_sampler_wide_payload_unpack(&p, dw);
   in->du = sampler_input(p.delta_u);
   in->second_u = sampler_input(p.u_2nd_derivative);
   in->u = sampler_input(p.pixel_0_u);
   in->dv = sampler_input(p.delta_v);
   in->v = sampler_input(p.pixel_0_v);
}

static void
read_media_payload(struct media_message_in *in, const uint32_t *dw)
{
   struct hw_sampler_wide_media_payload p;
   gen7_sampler_wide_media_payload_unpack(&p, dw);
   in->du = sampler_input(p.delta_u);
   in->second_u = sampler_input(p.u_2nd_derivative);
   in->u = sampler_input(p.pixel_0_u);
   in->dv = sampler_input(p.delta_v);
   in->v = sampler_input(p.pixel_0_v);
   in->block = p.vertical_block_number;
}

/* ---- sample_unorm ---------------------------------------------------------------------------- */

/* SMP-293, SMP-294, SMP-295 */
static void
check_unorm(const struct media_message_in *in, const struct texture *x)
{
   const struct surface *f = &x->s;
   const struct sampler_state *st = &x->state;
   bool narrow = f->info->layout == FORMAT_PLAIN;
   for (unsigned i = 0; i < 4 && narrow; i++)
      narrow = f->info->channel[i].type == CHANNEL_NONE ||
               (f->info->channel[i].type == CHANNEL_UNORM && f->info->channel[i].bits <= 8);
   if (f->type != SURFTYPE_2D || !narrow || f->levels > 1 || f->depth > 1 || f->min_lod ||
       f->resource_min_lod || f->min_array_element || f->samples > 1)
      sampler_media_report(in, PERGOLA_ERROR, "SMP-293",
                           "the surface is no plain 2D one of UNORM channels of at most 8 bits");
   bool modes = true;
   for (unsigned i = 0; i < 2; i++)
      modes &= st->mode[i] == GEN7_TEXTURE_COORDINATE_MODE_CLAMP;
   if (st->mag > GEN7_MAP_FILTER_LINEAR || st->min > GEN7_MAP_FILTER_LINEAR || st->mip || !modes)
      sampler_media_report(in, PERGOLA_ERROR, "SMP-294",
                           "filters must be nearest or linear, without a mip filter, modes CLAMP");
   if (in->du * (float)f->width > 3.0f || in->dv * (float)f->height > 3.0f)
      sampler_media_report(in, PERGOLA_ERROR, "SMP-295", "the deltas are over three texels");
}

static uint16_t
to_word(uint32_t bits)
{
   float f = bits_float(bits);
   f = f > 0 ? (f < 1 ? f : 1) : 0;
   return (uint16_t)(f * (float)MEDIA_ONE + 0.5f);
}

/* SMP-489: the bit of a pixel of the 8 by 4 block. */
static unsigned
kill_bit(unsigned pixel)
{
   unsigned x = pixel % 8, y = pixel / 8;
   return (x & 1) | (y & 1) << 1 | (x >> 1 & 1) << 2 | (y >> 1 & 1) << 3 | (x >> 2 & 1) << 4;
}

/* SMP-488: words of a register pair: pixels 0-3, 8-11, 4-7, 12-15 of each half. */
static unsigned
word_of(unsigned pixel)
{
   unsigned in = pixel % 16;
   return pixel / 16 * 16 + ((in & 3) | (in >> 3 & 1) << 2 | (in >> 2 & 1) << 3);
}

/* SMP-292 */
static void
media_sample_unorm(const struct media_message_in *in)
{
   struct sampler_message s = {.t = in->t,
                               .m = in->m,
                               .kind = &sampler_kinds[SAMPLER_SAMPLE_L],
                               .name = in->name,
                               .type = SAMPLER_SAMPLE_L,
                               .pixels = 16,
                               .valid = 0xffff,
                               .masked = in->masked};
   struct texture other;
   uint16_t words[4][32] = {{0}};
   uint32_t killed = 0;
   s.x = sampler_bind(&s, sampler_index(in->m), &other);
   if (!s.x)
      return;
   if (rules_on(in->t->env->dev))
      check_unorm(in, s.x);
   for (unsigned half = 0; half < 2; half++) {
      for (unsigned i = 0; i < 16; i++) {
         unsigned pixel = 16 * half + i;
         s.p[P_U][i] = float_bits(in->u + in->du * (float)(pixel % 8));
         s.p[P_V][i] = float_bits(in->v + in->dv * (float)(pixel / 8));
      }
      s.killed = 0;
      if (s.x->s.type == SURFTYPE_2D && s.x->s.samples == 1 && !s.x->state.disable)
         sampler_sample(&s);
      for (unsigned i = 0; i < 16; i++) {
         for (unsigned c = 0; c < 4; c++)
            words[c][word_of(16 * half + i)] = to_word(s.result[c][i]);
         killed |= (s.killed >> i & 1) << kill_bit(16 * half + i);
      }
   }
   unsigned reg = 0;
   for (unsigned c = 0; c < 4; c++)
      if (!(in->masked >> c & 1)) {
         if (reg + 2 <= in->m->rlen)
            memcpy(in->m->response + reg * EU_REG_SIZE, words[c], sizeof(words[c]));
         reg += 2;
      }
   killed = ~killed;
   if (in->what == MEDIA_UNORM_KILL && reg < in->m->rlen)
      memcpy(in->m->response + reg * EU_REG_SIZE, &killed, 4);
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* SMP-487 */
static void
check_lengths(const struct media_message_in *in)
{
   unsigned channels = 4 - (unsigned)__builtin_popcount(in->masked);
   unsigned want = in->what == MEDIA_8X8          ? 4 * channels
                   : in->what == MEDIA_UNORM_KILL ? 2 * channels + 1
                                                  : 2 * channels;
   if (in->what == MEDIA_8X8 && !in->m->rlen)
      sampler_media_report(
          in, PERGOLA_ERROR, "SMP-213",
          "a write straight to memory is not defined by any manual; nothing is written");
   else if (in->m->rlen != want)
      sampler_media_report(in, PERGOLA_ERROR, "SMP-487",
                           "response length is %u where the form has %u", in->m->rlen, want);
   if (in->what == MEDIA_8X8 && sampler_index(in->m) % 4) /* SMP-211 */
      sampler_media_report(in, PERGOLA_ERROR, "SMP-211",
                           "the sampler index is no multiple of four");
}

enum sf_status
sampler_media(struct eu_thread *t, const struct sf_message *m)
{
   unsigned type = hw_get(m->desc, GEN7_SAMPLER_DESCRIPTOR__MESSAGE_TYPE);
   struct media_message_in in = {
       .t = t, .m = m, .name = kinds[type].name, .what = kinds[type].what};
   struct hw_sampler_header header;
   if (in.what == MEDIA_FLUSH) /* the cache has no state to lose: SMP-077, SMP-210 */
      return SF_OK;
   if (m->response) /* SMP-207: all of it is written */
      memset(m->response, 0, (size_t)m->rlen * EU_REG_SIZE);
   if (!in.name) {
      sf_report(t, m, PERGOLA_ERROR, "SMP-231", "sampler message",
                "message type %u of SIMD32/64 is reserved; the response is zero", type);
      return SF_OK;
   }
   if (m->mlen != m->header + 1u) {
      sampler_media_report(&in, PERGOLA_ERROR, "SMP-485",
                           "message length is %u; it has one register", m->mlen);
      if (m->mlen < m->header + 1u)
         return SF_OK;
   }
   const uint32_t *payload = (const uint32_t *)(const void *)(m->payload + m->header * EU_REG_SIZE);
   if (in.what == MEDIA_DI) {
      if (m->response)
         media_deinterlace(&in, payload);
      eu_thread_owes(t, DEINTERLACE_COST);
      return SF_OK;
   }
   sampler_read_header(m, &header);
   in.masked = sampler_masked(&header);
   (has_media_layout(type) ? read_media_payload : read_payload)(&in, payload);
   if (rules_on(t->env->dev))
      check_lengths(&in);
   if (!m->response)
      return SF_OK;
   if (in.what == MEDIA_8X8)
      media_sample_8x8(&in);
   else
      media_sample_unorm(&in);
   eu_thread_owes(t, in.what == MEDIA_8X8 ? AVS_COST : UNORM_COST);
   return SF_OK;
}
