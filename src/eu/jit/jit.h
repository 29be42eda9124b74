/* Native code for hot kernels.
 *
 * A kernel is translated as a whole, twice. The *masked* code goes by the thread's channel masks, as the
 * interpreter does. The *full* code knows that all channels of the kernel are active and none waits: it has
 * no masks and no joins. Control goes from full to masked where channels part, and back where all of them have
 * met again. What has no native form calls the interpreter's function for that operation, so that every
 * instruction has one meaning; values that a fast path cannot see through (NaN, …) go the same way.
 *
 * Registers are written through to the thread; a few results stay in vector registers for what reads them next.
 */
#ifndef PERGOLA_EU_JIT_H
#define PERGOLA_EU_JIT_H

#include "eu/op.h"

struct jit_code {
   uint8_t *code; /* executable; the entry sequence comes first */
   size_t size;   /* of the mapping */
};

/* Can this machine run what we generate? */
bool jit_supported(void);
/* Translates, filling ops[].native; NULL: the kernel stays with the interpreter. */
struct jit_code *jit_translate(struct eu_kernel *k);
void jit_free(struct jit_code *c);

/* Runs from an operation that has native code until the code has to be left: NULL as from an eu_op_fn, or the
 * operation to interpret next. */
const struct eu_op *jit_run(const struct jit_code *c, struct eu_thread *t, const struct eu_op *op,
                            uint64_t *left);
#endif
