/* The four data ports: which message is it, and is it well formed? */
#include "shared_functions/dataport/dataport.h"

#include "surface/hazard.h"
#include "rules/plural.h"

#include <stdio.h>

enum {
   HEADER = 1, /* mandatory */
   EOT_OK = 2,
};

struct kind {
   dp_handler fn;
   const char *name;
   unsigned flags;
   const char *header_rule;
};

/* DP-008: the type means something only together with the port. SMP-320: the sampler cache is read
 * alone. */
static const struct kind sampler_kinds[16] = {
    /* DP-038, DP-039 */
    [GEN7_DP_SAMPLER_MESSAGE_UNALIGNED_OWORD_BLOCK_READ] = {dp_unaligned_oword_block_read,
                                                            "Unaligned OWord Block Read", HEADER,
                                                            "DP-039"},
    [GEN7_DP_SAMPLER_MESSAGE_MEDIA_BLOCK_READ] = {dp_media_block_read, "Media Block Read", HEADER,
                                                  "DP-039"},
};
static const struct kind render_kinds[16] = {
    /* DP-040, DP-041 */
    [GEN7_DP_RENDER_MESSAGE_MEDIA_BLOCK_READ] = {dp_media_block_read, "Media Block Read", HEADER,
                                                 "DP-031"},
    [GEN7_DP_RENDER_MESSAGE_TYPED_SURFACE_READ] = {dp_typed_read, "Typed Surface Read", HEADER,
                                                   "DP-041"},
    [GEN7_DP_RENDER_MESSAGE_TYPED_ATOMIC_OPERATION] = {dp_typed_atomic, "Typed Atomic Operation",
                                                       HEADER, "DP-041"},
    [GEN7_DP_RENDER_MESSAGE_MEMORY_FENCE] = {dp_memory_fence, "Memory Fence", HEADER, "DP-041"},
    [GEN7_DP_RENDER_MESSAGE_MEDIA_BLOCK_WRITE] = {dp_media_block_write, "Media Block Write",
                                                  HEADER | EOT_OK, "DP-032"},
    [GEN7_DP_RENDER_MESSAGE_RENDER_TARGET_WRITE] = {dp_render_target_write, "Render Target Write",
                                                    EOT_OK, "DP-033"},
    [GEN7_DP_RENDER_MESSAGE_TYPED_SURFACE_WRITE] = {dp_typed_write, "Typed Surface Write", HEADER,
                                                    "DP-041"},
};
static const struct kind constant_kinds[16] = {
    /* DP-042, DP-043 */
    [GEN7_DP_CONSTANT_MESSAGE_OWORD_BLOCK_READ] = {dp_oword_block_read, "OWord Block Read", HEADER,
                                                   "DP-043"},
    [GEN7_DP_CONSTANT_MESSAGE_UNALIGNED_OWORD_BLOCK_READ] = {dp_unaligned_oword_block_read,
                                                             "Unaligned OWord Block Read", HEADER,
                                                             "DP-043"},
    [GEN7_DP_CONSTANT_MESSAGE_OWORD_DUAL_BLOCK_READ] = {dp_oword_dual_block_read,
                                                        "OWord Dual Block Read", 0, "DP-050"},
    [GEN7_DP_CONSTANT_MESSAGE_DWORD_SCATTERED_READ] = {dp_dword_scattered_read,
                                                       "DWord Scattered Read", 0, "DP-050"},
};
static const struct kind data_kinds[16] = {
    /* DP-044, DP-046 */
    [GEN7_DP_DATA_MESSAGE_OWORD_BLOCK_READ] = {dp_oword_block_read, "OWord Block Read", HEADER,
                                               "DP-046"},
    [GEN7_DP_DATA_MESSAGE_UNALIGNED_OWORD_BLOCK_READ] = {dp_unaligned_oword_block_read,
                                                         "Unaligned OWord Block Read", HEADER,
                                                         "DP-046"},
    [GEN7_DP_DATA_MESSAGE_OWORD_DUAL_BLOCK_READ] = {dp_oword_dual_block_read,
                                                    "OWord Dual Block Read", 0, "DP-088"},
    [GEN7_DP_DATA_MESSAGE_DWORD_SCATTERED_READ] = {dp_dword_scattered_read, "DWord Scattered Read",
                                                   0, "DP-158"},
    [GEN7_DP_DATA_MESSAGE_BYTE_SCATTERED_READ] = {dp_byte_scattered_read, "Byte Scattered Read", 0,
                                                  "DP-022"},
    [GEN7_DP_DATA_MESSAGE_UNTYPED_SURFACE_READ] = {dp_untyped_read, "Untyped Surface Read", 0,
                                                   "DP-024"},
    [GEN7_DP_DATA_MESSAGE_UNTYPED_ATOMIC_OPERATION] = {dp_untyped_atomic,
                                                       "Untyped Atomic Operation", 0, "DP-026"},
    [GEN7_DP_DATA_MESSAGE_MEMORY_FENCE] = {dp_memory_fence, "Memory Fence", HEADER, "DP-046"},
    [GEN7_DP_DATA_MESSAGE_OWORD_BLOCK_WRITE] = {dp_oword_block_write, "OWord Block Write", HEADER,
                                                "DP-046"},
    [GEN7_DP_DATA_MESSAGE_OWORD_DUAL_BLOCK_WRITE] = {dp_oword_dual_block_write,
                                                     "OWord Dual Block Write", 0, "DP-088"},
    [GEN7_DP_DATA_MESSAGE_DWORD_SCATTERED_WRITE] = {dp_dword_scattered_write,
                                                    "DWord Scattered Write", 0, "DP-158"},
    [GEN7_DP_DATA_MESSAGE_BYTE_SCATTERED_WRITE] = {dp_byte_scattered_write, "Byte Scattered Write",
                                                   0, "DP-023"},
    [GEN7_DP_DATA_MESSAGE_UNTYPED_SURFACE_WRITE] = {dp_untyped_write, "Untyped Surface Write", 0,
                                                    "DP-025"},
};
static const struct kind scratch_kind = {dp_scratch, "Scratch Block Read/Write", HEADER, "DP-046"};
static const struct kind unknown_kind = {0};

static const char *
port_name(unsigned sfid)
{
   switch (sfid) {
   case SFID_DP_SAMPLER:
      return "sampler cache data port";
   case SFID_DP_RENDER:
      return "render cache data port";
   case SFID_DP_CONSTANT:
      return "constant cache data port";
   case SFID_DP_DATA0:
      return "data cache data port";
   default:
      return "data cache data port 1";
   }
}

static const struct kind *
find_kind(const struct sf_message *m, struct dp *d)
{
   unsigned type = hw_data_port_type(m->desc);
   switch (m->sfid) { /* DP-009, SMP-317 */
   case SFID_DP_SAMPLER:
      d->cache = HAZARD_SAMPLER;
      return &sampler_kinds[type];
   case SFID_DP_RENDER:
      d->cache = HAZARD_RENDER;
      return &render_kinds[type];
   case SFID_DP_CONSTANT:
      d->cache = HAZARD_CONSTANT;
      return &constant_kinds[type];
   case SFID_DP_DATA0:
      d->cache = HAZARD_DATA;
      return m->desc & GEN7_DP_DATA_DESCRIPTOR__CATEGORY ? &scratch_kind : &data_kinds[type];
   default:
      return &unknown_kind;
   }
}

static void
give_zeros(const struct sf_message *m)
{
   if (m->response)
      memset(m->response, 0, (size_t)m->rlen * EU_REG_SIZE);
}

void
dp_note(struct dp *d, enum pergola_severity severity, const char *rule, const char *format, ...)
{
   char text[256];
   va_list ap;
   va_start(ap, format);
   vsnprintf(text, sizeof(text), format, ap);
   va_end(ap);
   sf_report(d->t, d->m, severity, rule, d->name, "%s", text);
}

enum sf_status
dp_reject(struct dp *d, const char *rule, const char *format, ...)
{
   char text[256];
   va_list ap;
   va_start(ap, format);
   vsnprintf(text, sizeof(text), format, ap);
   va_end(ap);
   sf_report(d->t, d->m, PERGOLA_ERROR, rule, d->name, "%s", text);
   give_zeros(d->m);
   return SF_OK;
}

void
dp_expect(struct dp *d, unsigned data_regs, unsigned response_regs, const char *rule)
{
   if (__builtin_expect(d->data_regs < data_regs, 0))
      dp_note(d, PERGOLA_ERROR, rule, "%u data register%s %s sent where the message has %u",
              d->data_regs, plural(d->data_regs), are(d->data_regs), data_regs);
   if (__builtin_expect(d->m->rlen != response_regs, 0))
      dp_note(d, PERGOLA_ERROR, "DP-427",
              "response length is %u where the message returns %u register%s", d->m->rlen,
              response_regs, plural(response_regs));
}

/* DP-010 and the rows after it. */
static void
check_eot(struct dp *d, const struct kind *k)
{
   if (!(k->flags & EOT_OK))
      dp_note(d, PERGOLA_ERROR, "DP-010", "a %s must not end the thread", k->name);
   else if (k->fn == dp_media_block_write)
      dp_note(d, PERGOLA_ERROR, "DP-013",
              "no thread of this device may end with a Media Block Write");
   if (d->m->rlen)
      dp_note(d, PERGOLA_ERROR, "DP-428", "a message that ends the thread has a response");
}

/* The slow path. observed: someone wants to see each memory access. */
static enum sf_status
dp_message(struct eu_thread *t, const struct sf_message *m, bool observed)
{
   struct dp d;
   d.observed = observed;
   d.sanitizer = t->env->dev->sanitizer;
   d.channel = 0;
   d.scratch = false;
   d.exchanges = false;
   d.unset = 0;
   d.texel = NULL;
   d.t = t;
   d.m = m;
   d.space = t->env->space;
   d.name = "data port message";
   d.bti = hw_binding_table_index(m->desc);
   const struct kind *k = find_kind(m, &d);
   d.header = m->header ? (const uint32_t *)(const void *)m->payload : NULL;
   d.data = m->payload + (m->header ? EU_REG_SIZE : 0);
   d.data_regs = m->mlen - (m->header && m->mlen);
   if (__builtin_expect(!k->fn, 0)) {
      if (m->sfid == SFID_DP_DATA1)
         return dp_reject(&d, "DP-255", "shared function 12 is reserved on this device");
      return dp_reject(&d, "DP-051", "message type %u of the %s is reserved",
                       hw_data_port_type(m->desc), port_name(m->sfid));
   }
   d.name = k->name;
   if (__builtin_expect(!m->mlen, 0))
      return dp_reject(&d, "DP-426", "message length is 0");
   if (__builtin_expect(m->eot, 0))
      check_eot(&d, k);
   if (__builtin_expect((k->flags & HEADER) && !d.header, 0))
      return dp_reject(&d, k->header_rule, "the message has no header");
   return k->fn(&d);
}

enum sf_status
sf_dataport(struct eu_thread *t, const struct sf_message *m)
{
   const struct pergola_device *dev = t->env->dev;
   bool observed = trace_wants(&dev->trace, PERGOLA_EVENT_MEMORY) ||
                   hazard_on(dev->surfaces) || /* DP-310 */
                   dev->sanitizer;
   /* SMP-332: it is done before the thread goes on. SMP-318: in memory that all threads see. */
   return dp_message(t, m, observed);
}
