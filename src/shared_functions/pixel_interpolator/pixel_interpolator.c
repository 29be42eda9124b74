/* The pixel interpolator: weights of an object's vertices at other places of its pixels than those
 * that the payload has. Only the windower knows places and object; it answers through the seam of
 * pixel_backend.h. */
#include "gen7_hw.h"
#include "rules/plural.h"
#include "shared_functions/pixel_backend.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define SUBJECT "pixel interpolator"

struct message {
   struct eu_thread *t;
   const struct sf_message *m;
   const struct pixel_backend *pixel;
   struct hw_pixel_interpolator_descriptor desc;
   struct pi_request request;
};

__attribute__((format(printf, 4, 5))) static void
note(const struct message *s, enum pergola_severity severity, const char *rule, const char *format,
     ...)
{
   char text[160];
   va_list args;
   va_start(args, format);
   vsnprintf(text, sizeof(text), format, args);
   va_end(args);
   sf_report(s->t, s->m, severity, rule, SUBJECT, "%s", text);
}

/* ---- the request ----------------------------------------------------------------------------- */

/* SF-157, SFV-016: one for all slots. */
static void
shared_offset(struct message *s)
{
   struct hw_pixel_interpolator_offset o;
   gen7_pixel_interpolator_offset_unpack(&o, &s->desc.message_specific_control);
   for (unsigned i = 0; i < PI_SLOTS; i++) {
      s->request.offset[i][0] = (int8_t)o.x_pixel_offset;
      s->request.offset[i][1] = (int8_t)o.y_pixel_offset;
   }
}

/* SF-161, SF-162, SFV-020, SFV-021: X of all slots, then Y. What is not sent is 0. */
static void
slot_offsets(struct message *s)
{
   unsigned rows = s->request.slots / 8;
   for (unsigned i = 0; i < s->request.slots; i++)
      for (unsigned k = 0; k < 2; k++) {
         unsigned reg = k * rows + i / 8;
         uint32_t value = 0;
         if (reg < s->m->mlen)
            memcpy(&value, s->m->payload + reg * EU_REG_SIZE + 4 * (i % 8), 4);
         struct hw_pixel_interpolator_offset o; /* each has the place of X */
         gen7_pixel_interpolator_offset_unpack(&o, &value);
         s->request.offset[i][k] = (int8_t)o.x_pixel_offset;
      }
}

static uint32_t
sample_index(const struct message *s)
{
   return hw_get(s->desc.message_specific_control, GEN7_PIXEL_INTERPOLATOR_SAMPLE__SAMPLE_INDEX);
}

static void
read_request(struct message *s)
{
   struct pi_request *q = &s->request;
   q->type = (uint8_t)s->desc.message_type;
   q->linear = s->desc.interpolation_mode;
   q->slots = s->desc.simd_mode ? 16 : 8;
   /* SF-166: three bits count */
   q->sample = sample_index(s) & 7;
   if (s->desc.slot_group_select && s->pixel->dispatch_width == 32 && q->slots == 16)
      q->first_slot = 16; /* SF-155, SFV-013 */
   if (q->type == GEN7_PIXEL_INTERPOLATOR_MESSAGE_PER_MESSAGE_OFFSET)
      shared_offset(s);
   else if (q->type == GEN7_PIXEL_INTERPOLATOR_MESSAGE_PER_SLOT_OFFSET)
      slot_offsets(s);
}

/* ---- rules ----------------------------------------------------------------------------------- */

/* SF-147, SFV-003, SFV-004: early steppings might hang; this one does not. */
static void
check_mixture(const struct message *s)
{
   const struct pixel_backend *p = s->pixel;
   if (s->desc.interpolation_mode && (p->barycentric_modes & 7 || p->source_w))
      note(s, PERGOLA_NOTE, "SFV-003",
           "a linear message beside perspective barycentrics or source W: early steppings hang");
   if (!s->desc.interpolation_mode && p->barycentric_modes >> 3)
      note(s, PERGOLA_NOTE, "SFV-004",
           "a perspective message beside linear barycentrics: early steppings hang");
}

static void
check(const struct message *s)
{
   unsigned rows = s->request.slots / 8;
   bool per_slot = s->request.type == GEN7_PIXEL_INTERPOLATOR_MESSAGE_PER_SLOT_OFFSET,
        sample = s->request.type == GEN7_PIXEL_INTERPOLATOR_MESSAGE_SAMPLE_POSITION_OFFSET;
   unsigned mlen = per_slot ? 2 * rows : 1;
   if (s->m->header)
      note(s, PERGOLA_ERROR, "SFV-007", "the message has no header");
   if (s->desc.interpolation_mode && !s->pixel->linear_enable)
      note(s, PERGOLA_ERROR, "SFV-008",
           "a linear message without Non-Perspective Barycentric Enable");
   if (s->desc.slot_group_select && !s->request.first_slot)
      note(s, PERGOLA_ERROR, "SFV-014",
           "SLOTGRP_HI is for messages of 16 slots of a dispatch of 32");
   uint32_t index = sample_index(s);
   if (sample && index > 7)
      note(s, PERGOLA_ERROR, "SFV-017", "sample %u; there are at most 8", index);
   if (s->m->mlen != mlen)
      note(s, PERGOLA_ERROR, per_slot ? rows == 2 ? "SFV-021" : "SFV-020" : "SFV-019",
           "%u register%s %s sent where the message has %u", s->m->mlen, plural(s->m->mlen),
           are(s->m->mlen), mlen);
   if (s->m->rlen != 2 * rows)
      note(s, PERGOLA_ERROR, rows == 2 ? "SFV-023" : "SFV-022",
           "%u register%s %s asked for where the response has %u", s->m->rlen, plural(s->m->rlen),
           are(s->m->rlen), 2 * rows);
   check_mixture(s);
}

/* ---- the response ---------------------------------------------------------------------------- */

/* SF-163, SF-164, SFV-022, SFV-023: b1, b2 of eight slots, then of the next eight; only slots that
 * are enabled (SF-148, SFV-005). */
static void
respond(const struct message *s, const float b[2][PI_SLOTS])
{
   for (unsigned i = 0; i < s->request.slots; i++)
      for (unsigned k = 0; k < 2; k++) {
         unsigned reg = 2 * (i / 8) + k;
         if (reg < s->m->rlen && s->m->response && s->m->exec_mask >> i & 1)
            memcpy(s->m->response + reg * EU_REG_SIZE + 4 * (i % 8), &b[k][i], 4);
      }
}

enum sf_status
sf_pixel_interpolator(struct eu_thread *t, const struct sf_message *m)
{
   struct message s = {.t = t, .m = m, .pixel = t->env->pixel};
   float b[2][PI_SLOTS] = {{0}};
   gen7_pixel_interpolator_descriptor_unpack(&s.desc, &m->desc);
   if (!s.pixel || !s.pixel->interpolate) { /* SF-146, SFV-002, P3D-333 */
      note(&s, PERGOLA_ERROR, "SFV-002", "only pixel shaders have pixels; the response is zero");
      s.request.slots = s.desc.simd_mode ? 16 : 8;
      respond(&s, (const float(*)[PI_SLOTS])b);
      return SF_OK;
   }
   read_request(&s);
   if (rules_on(t->env->dev))
      check(&s);
   s.pixel->interpolate(s.pixel->data, t, &s.request, b);
   respond(&s, (const float(*)[PI_SLOTS])b);
   return SF_OK;
}
