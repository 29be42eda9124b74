/* Which bytes of a thread's registers hold what somebody wrote, for the sanitizer (init). A value
 * that is made from unwritten bytes counts as unwritten; it is named where it is used: in a branch
 * here, as an address or as data that is stored by the data port. Unlike the rule of the manual
 * (EU-206), which knows whole registers, this knows channels and predicates. */
#ifndef PERGOLA_EU_SHADOW_H
#define PERGOLA_EU_SHADOW_H

#include "eu/eu.h"

#define EU_SHADOW_CLEAN 512u /* a hash by the instruction's place */

struct eu_shadow {
   const struct eu_thread *t;
   struct eu_shadow *next;
   uint64_t begun; /* threads at its place in memory, up to this one */
   uint64_t unwritten[EU_GRF_COUNT * EU_REG_SIZE / 64]; /* a bit a byte */
   uint32_t flag[2];                                    /* f0, f1: a bit each */
   bool accumulators, addresses;                        /* nobody has written to any of them */
   /* Instructions that have found all of their operands and flags written. That holds until a bit
    * above is set again, which is rare. */
   uint64_t version;
   struct {
      const void *op;
      uint64_t version;
   } clean[EU_SHADOW_CLEAN];
};

/* Does the kernel ask for the number of the slot that its thread has? */
bool eu_kernel_asks_slot(const struct eu_kernel *k);
/* NULL: the sanitizer does not look for such things, or there is no memory. */
struct eu_shadow *eu_shadow_of(const struct eu_thread *t);
/* Bytes of the register file. */
bool eu_shadow_unwritten(const struct eu_shadow *s, unsigned offset, unsigned size);
void eu_shadow_set(struct eu_shadow *s, unsigned offset, unsigned size, bool unwritten);

#endif
