/* Random legal instructions, chosen while the oracle runs so that addresses are known. */
#ifndef GENERATE_H
#define GENERATE_H

#include "oracle.h"

enum acc_class { ACC_F, ACC_D, ACC_W, ACC_DF, ACC_CLASSES };

enum gen_family {
   GEN_LOGIC,
   GEN_SHIFT,
   GEN_INTEGER,
   GEN_MULTIPLY,
   GEN_BITS,
   GEN_FLOAT,
   GEN_ROUND,
   GEN_DOT, /* and line, pln */
   GEN_CONVERT,
   GEN_HALF,
   GEN_THREE, /* sources */
   GEN_SUM,   /* of differences */
   GEN_ARCHITECTURE,
   GEN_ACCUMULATOR,
   GEN_FAMILIES
};

struct generator {
   uint64_t random;
   enum acc_class acc; /* one kind of value per program: reading another kind is undefined */
   bool directed; /* rounding is not to nearest: whether a clamp counts as overflow is not said */
   bool alt;      /* math: ALT mode has no fdiv */
   bool doubles;  /* a program of doubles */
   uint32_t functions; /* of math, a bit each; 0: all */
   uint32_t families;  /* a bit each: three of four instructions are of these; 0: all alike */
};

uint64_t gen_random(struct generator *g);
unsigned gen_pick(struct generator *g, unsigned n);
bool gen_chance(struct generator *g, unsigned percent);

/* Fills registers with a mixture of kinds of numbers. */
void gen_registers(struct generator *g, uint8_t *bytes, size_t size);
/* One instruction that is legal in the oracle's present state. */
void gen_instruction(struct generator *g, const struct oracle *o, struct eu_inst *out);
/* Legal.c: the region rules. */
bool gen_legal(const struct oracle *o, const struct eu_inst *i);

/* The instruction whose results go to registers 64 + 2 * number and the next. */
void gen_math(struct generator *g, unsigned number, struct eu_inst *i);

/* Structured program of nested blocks and loops; returns the number of instructions. */
unsigned gen_flow_program(struct generator *g, uint32_t (*dw)[4], unsigned limit);
/* Branches to anywhere; single: for single program flow. */
unsigned gen_wild_program(struct generator *g, uint32_t (*dw)[4], bool single);

#endif
