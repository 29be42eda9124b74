/* What the random programs have really executed: a test that never met a thing has not tested it.
 */
#ifndef COVERAGE_H
#define COVERAGE_H

#include "oracle.h"

struct coverage {
   unsigned long opcode[128], size[6], predicate1[16], predicate16[16], condition[16], rounding[4],
       dst_type[16], src_type[16];
   unsigned long alt, vector_mask, align16, indirect_src, indirect_dst, per_row, per_element,
       compressed, saturate, acc_write, acc_source, acc_dst, no_mask, immediate, abs, negate,
       acc_disabled, compact;
};

void coverage_note(struct coverage *c, const struct oracle *o, const struct eu_inst *i);
/* NULL, or the name of something that was not met in the programs of words, dwords and floats. */
const char *coverage_gap(const struct coverage *c, char text[80]);

#endif
