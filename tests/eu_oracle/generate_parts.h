/* What the generator's files share. */
#ifndef GENERATE_PARTS_H
#define GENERATE_PARTS_H

#include "generate.h"

uint32_t gen_float(struct generator *g);
unsigned gen_int_type(struct generator *g);
void gen_controls(struct generator *g, struct eu_inst *i);
void gen_predicate(struct generator *g, struct eu_inst *i);
void gen_keep_predicate_clear(struct eu_inst *i);
/* kinds: 2 z, nz; 6 without o and u; 8 all. */
void gen_condition(struct generator *g, struct eu_inst *i, unsigned percent, unsigned kinds);
void gen_dst(struct generator *g, struct eu_inst *i, unsigned type);
void gen_register(struct generator *g, struct eu_inst *i, unsigned n, unsigned type,
                  bool modifiers);
void gen_immediate(struct generator *g, struct eu_inst *i, unsigned n, unsigned type);
void gen_last(struct generator *g, struct eu_inst *i, unsigned n, unsigned type, bool modifiers);

/* generate_acc.c: accumulators, doubles, architecture registers. */
void gen_accumulator(struct generator *g, const struct oracle *o, struct eu_inst *i);
void gen_double(struct generator *g, const struct oracle *o, struct eu_inst *i);
void gen_architecture(struct generator *g, const struct oracle *o, struct eu_inst *i);

#endif
