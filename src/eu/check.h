/* Private to src/eu: the rules of the instruction set, checked once, when a kernel is decoded, and
 * only when rules are on. The hardware detects none of them. */
#ifndef PERGOLA_EU_CHECK_H
#define PERGOLA_EU_CHECK_H

#include "eu/op.h"

struct eu_check {
   const char *rule;
   enum pergola_severity severity;
   bool (*broken)(const struct eu_detail *d);
   const char *sentence;
};
/* Ends with a NULL rule. */
extern const struct eu_check eu_operand_checks[], eu_instruction_checks[];

/* All of them on one instruction. */
void eu_check_instruction(struct eu_thread *t, const struct eu_detail *d, uint32_t ip);
/* A branch and where it goes: NULL when that is outside of what was decoded. */
void eu_check_neighbours(struct eu_thread *t, const struct eu_detail *d, uint32_t ip,
                         unsigned before);
void eu_check_target(struct eu_thread *t, const struct eu_op *op, const struct eu_op *target,
                     const char *which);
/* Registers read and written directly, for the uninitialised-register rule. */
void eu_check_registers(struct eu_detail *d);
const struct eu_op *eu_exec_checked(struct eu_thread *t, const struct eu_op *op);
const struct eu_op *eu_exec_checked_slow(struct eu_thread *t, const struct eu_op *op);

#endif
