/* Diagnostics of a command streamer, its error registers, and what stops it. */
#include "cs/cs_internal.h"

#include <stdio.h>

static struct rule_place
place_of(const struct cs *cs, const char *field)
{
   return (struct rule_place){
       .engine = cs->name,
       .subject = cs->op && cs->op->desc ? cs->op->desc->layout.name : NULL,
       .field = field,
       .address = cs->at[cs->level].address,
       .has_address = true,
   };
}

/* In a batch the caller's address is behind the two dwords that started it. */
void
cs_where(const struct cs *cs, struct machine_where *w)
{
   *w = (struct machine_where){.levels = cs->level + 1};
   w->command = cs->op && cs->op->desc ? cs->op->desc->layout.name : NULL;
   for (unsigned i = 0; i <= cs->level; i++) {
      w->address[i] = cs->at[i].address - (i < cs->level ? 8 : 0);
      w->start[i] = i ? cs->at[i].start : cs->ring_start;
   }
}

void
cs_report(struct cs *cs, enum pergola_severity severity, const char *rule, const char *field,
          const char *format, ...)
{
   char text[384];
   va_list ap;
   va_start(ap, format);
   vsnprintf(text, sizeof(text), format, ap);
   va_end(ap);
   struct rule_place place = place_of(cs, field);
   rule_report(cs->dev, severity, rule, &place, "%s", text);
   cs->attention = true; /* the report may have asked for a stop */
}

/* VCS-127, VCS-132, VCS-135: ESR goes through EMR into EIR; any EIR bit is the master error. */
static void
latch(struct cs *cs)
{
   uint32_t eir = cs_reg(cs, R_EIR);
   uint32_t now = eir | (cs_reg(cs, R_ESR) & ~cs_reg(cs, R_EMR));
   cs_reg_set(cs, R_EIR, now);
   interrupt_gt_level(cs->dev, cs->id, cs->irq->error, now != 0); /* VCS-132 */
}

void
cs_error(struct cs *cs, uint32_t bits)
{
   cs_reg_set(cs, R_ESR, cs_reg(cs, R_ESR) | bits);
   cs_reg_set(cs, R_IPEIR, bits);
   latch(cs);
}

/* VCS-139: a one written to EIR clears the status too; unmasking latches what is still there.
 * RCS-191, VCS-133: the instruction error falls only at reset. */
void
cs_error_registers(struct cs *cs)
{
   latch(cs);
}

void
cs_stop(struct cs *cs)
{
   cs->stopped = true;
   cs->attention = true;
   cs->state = CS_STOPPED;
}

/* ---- fields ---- */

static void
broken_field(void *data, const struct hw_layout *layout, const struct hw_field *field, uint64_t raw,
             const char *why)
{
   struct cs *cs = data;
   const char *rule = cs->id == RCS && field->ledger[0] ? field->ledger : cs->op->rule;
   cs_report(cs, PERGOLA_ERROR, rule, field->name, "value 0x%llx: %s", (unsigned long long)raw,
             why);
}

void
cs_validate(struct cs *cs, const struct cs_op *op, const uint32_t *dw, uint32_t count)
{
   const struct hw_layout *l = &op->desc->layout;
   uint32_t n = count < l->length_dw ? count : l->length_dw, bad = 0;
   for (uint32_t i = 0; i < n; i++)
      bad |= (dw[i] & l->mbz[i]) | (~dw[i] & l->mbo[i]);
   if (__builtin_expect((dw[0] & op->narrow) != 0, 0))
      cs_report(cs, PERGOLA_ERROR, op->narrow_rule, NULL,
                "bits 0x%08x of 0x%08x are reserved on this engine", dw[0] & op->narrow, dw[0]);
   if (__builtin_expect((bad != 0 || l->ranged) && rules_on(cs->dev), 0))
      hw_validate(l, dw, n, broken_field, cs);
}
