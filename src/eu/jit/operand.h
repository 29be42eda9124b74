/* Private to src/eu/jit: how arithmetic reaches its operands. half: 0 or 1, of a SIMD16
 * instruction. */
#ifndef PERGOLA_EU_JIT_OPERAND_H
#define PERGOLA_EU_JIT_OPERAND_H

#include "eu/jit/translate.h"

/* Source n into the register `to`. */
void jit_load_into(struct jit *j, const struct eu_op *op, unsigned n, unsigned half, unsigned to,
                   bool floats);
/* Source n in some register: where it is kept, or `scratch`. */
unsigned jit_source(struct jit *j, const struct eu_op *op, unsigned n, unsigned half,
                    unsigned scratch, bool floats);
/* The same for an operand that may be memory. */
struct x86_rm jit_source_rm(struct jit *j, const struct eu_op *op, unsigned n, unsigned half,
                            unsigned scratch, bool floats);
/* Without its modifiers: the operation itself sees to them. */
struct x86_rm jit_unmodified_rm(struct jit *j, const struct eu_op *op, unsigned n, unsigned half,
                                unsigned scratch);

/* 32 bytes of the GRF, where they are kept or in memory. */
struct x86_rm jit_place(const struct jit *j, unsigned offset);

/* alu.c: `to` = `from` with the one NaN of EU-055; `to` may be `from`. Uses SCRATCH. */
void jit_settle(struct jit *j, unsigned to, unsigned from);

/* alu.c: the truth of a comparison's half, in `r`; returns whether it is inverted. */
bool jit_compare(struct jit *j, const struct eu_op *op, unsigned half, unsigned r);

/* alu.c: to 0 … 1. */
void jit_saturate(struct jit *j, unsigned r);

/* math.c: a half of the math box, in a new register. */
unsigned jit_math(struct jit *j, const struct eu_op *op, unsigned half);

/* Does it go by the channels that are active? */
bool jit_by_mask(const struct jit *j, const struct eu_op *op);
/* The register with the lanes of the predicate by sign, inverted if so told: `scratch`, or one that
 * is kept. */
unsigned jit_predicate_lanes(struct jit *j, const struct eu_op *op, unsigned half, unsigned scratch,
                             bool *inverted);
/* The register with the lanes of a half that are active, by sign. */
unsigned jit_active_lanes(struct jit *j, const struct eu_op *op, unsigned half, unsigned scratch);
/* The same for those that write. Only where some may not. */
unsigned jit_write_lanes(struct jit *j, const struct eu_op *op, unsigned half, bool predicated,
                         unsigned scratch);

/* A register for the result of a half: that of its destination, if the region at hand has one for
 * it and all lanes are written; or a new one. Its sources may be in it. */
unsigned jit_result_register(struct jit *j, const struct eu_op *op, unsigned half);
/* Are the flags of a comparison written again before anybody asks? */
bool jit_flags_are_unasked(const struct jit *j, const struct eu_op *op);

/* Are there channels in the vector that the instruction never writes? */
bool jit_is_partial(const struct eu_op *op);
/* Channels in a half. */
unsigned jit_lanes_of(const struct eu_op *op);
/* Can the destination be written natively, whatever the operation? */
bool jit_storable(const struct jit *j, const struct eu_op *op, bool predicated);
/* Keeps the old value of a masked destination in its register, if it has one, during the
 * computation. */
void jit_pin_destination(struct jit *j, const struct eu_op *op, unsigned half);
/* The result of a half, in a new register, to its place. */
void jit_store(struct jit *j, const struct eu_op *op, unsigned half, unsigned r, bool predicated);
/* Flags from the signs of both halves' results, inverted if `invert`, for the channels that write.
 */
void jit_store_flags(struct jit *j, const struct eu_op *op, const unsigned r[2], bool invert);

/* accumulator.c: an operation that writes the accumulator. */
void jit_accumulator(struct jit *j, const struct eu_op *op);

#endif
