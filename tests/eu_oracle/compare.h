/* Running a program in the interpreter and looking for differences. */
#ifndef COMPARE_H
#define COMPARE_H

#include "generate.h"

#include "../eu/machine.h"

#include <stdio.h>

#define FLOW_LIMIT 400

struct program {
   uint32_t dw[FLOW_LIMIT + 2]
              [4]; /* storage: instructions of 8 and 16 bytes, one after the other */
   unsigned size;  /* bytes */
   unsigned steps;
};

/* Seed and number of instructions, from the environment or by default; printed. */
void compare_setup(void);
uint64_t compare_seed(void);
unsigned long long compare_count(void);
unsigned compare_failures(void);

void compare_decode(const void *bytes, struct eu_inst *i);
/* native: as it suits native code. */
void compare_start_state(struct generator *g, struct oracle *o, bool native);
uint32_t compare_vector_mask(uint32_t mask);
void compare_to_thread(struct machine *m, const struct oracle *o);
void compare_load(struct machine *m, const struct program *p);
/* NULL when equal, else what differs. */
const char *compare_difference(const struct eu_thread *t, const struct oracle *o,
                               enum acc_class acc, char text[160]);

#endif
