/* Native code for hot kernels.
 *
 * A kernel is translated as a whole, twice. The *masked* code goes by the thread's channel masks,
 * as the interpreter does. The *full* code knows that all channels of the kernel are active and
 * none waits: it has no masks and no joins. Control goes from full to masked where channels part,
 * and back where all of them have met again. What has no native form calls the interpreter's
 * function for that operation, so that every instruction has one meaning; values that a fast path
 * cannot see through (NaN, …) go the same way.
 *
 * Registers are written through to the thread; a few results stay in vector registers for what
 * reads them next.
 */
#ifndef PERGOLA_EU_JIT_H
#define PERGOLA_EU_JIT_H

#include "eu/op.h"
#include "eu/series.h"

/* For whom: any thread, from any operation; or those of a series (eu.h), from their start. The
 * latter know that what the host thread has learnt of their buffers is good, that nobody observes
 * them, and that their registers end with them. */
enum jit_kind { JIT_ANY, JIT_SERIES };

struct jit_code {
   uint8_t *code; /* executable; the entry sequence comes first */
   size_t size;   /* of the mapping */
   const uint64_t
       *entry;        /* by operation: where to jump to, 0: nothing starts there; behind the code */
   uint64_t full;     /* where a thread with all channels of the kernel starts, or 0 */
   uint32_t channels; /* these */
   bool waits;        /* threads may stop on the way, for a notification */
   /* iterate.c: where threads run as iterations of a loop (jit_iterate_fn), or 0; the instructions
    * of each, and the registers that come with it. */
   uint64_t iterate;
   uint32_t instructions;
   uint64_t payload[2];
};

/* NULL: the kernel stays with the interpreter. */
struct jit_code *jit_translate(const struct eu_kernel *k, enum jit_kind kind);
void jit_free(struct jit_code *c);
/* translate.c, under the lock: the rule names less of this operation's registers than before. */
void jit_ask_anew(const struct eu_kernel *k, const struct eu_op *op);
/* show.c: EU instructions, the IR and host code side by side, line by line; `all`: also what lies
 * aside. False: the kernel stays with the interpreter. */
bool jit_show(const struct eu_kernel *k, bool all, void (*line)(void *data, const char *text),
              void *data);

/* How code is entered, at one of its entries: it runs until it has to be left, and returns NULL as
 * an eu_op_fn does, or the operation to interpret next. buffers: for a series; those of the thread,
 * or jit_no_buffers. rounds: for a series that waits. */
static inline eu_enter_fn
jit_enter_of(const struct jit_code *c)
{
   eu_enter_fn enter;
   __builtin_memcpy(&enter, &c->code, sizeof(enter));
   return enter;
}

static inline bool
jit_has(const struct jit_code *c, const struct eu_op *op)
{
   return c->entry[op->number] != 0;
}

/* From an operation that has native code. */
static inline const struct eu_op *
jit_run(const struct jit_code *c, struct eu_thread *t, const struct eu_op *op, uint64_t *left)
{
   return jit_enter_of(c)(t, c->entry[op->number], left, t->kernel->ops, NULL, NULL);
}

/* wide.c: the code of eu/wide.h. */
struct jit_wide {
   uint8_t *code; /* executable */
   size_t size, memory;
   struct eu_op *constants; /* whose immediates it reads */
   unsigned instructions;
   uint64_t needs[2], writes[2];
   uint64_t asks[2]; /* EU-206: what the rule asks for has to be there too; atomic */
   uint8_t header, rows;
   uint16_t urb_offset;
};
/* NULL: it is no kernel of vertices, or cannot be turned. */
struct jit_wide *jit_translate_wide(const struct eu_kernel *k);
void jit_free_wide(struct jit_wide *w);
void jit_wide_ask_anew(struct jit_wide *w, const struct eu_kernel *k);

/* run.c: the rest of a run that native code has left: with this operation next, or NULL as an
 * eu_op_fn says. */
enum eu_stop eu_run_rest(struct eu_thread *t, const struct eu_op *op, uint64_t left);

extern const struct sf_buffers jit_no_buffers; /* none is known */
#endif
