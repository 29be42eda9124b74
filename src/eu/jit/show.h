/* Private to src/eu/jit: which code belongs to what. */
#ifndef PERGOLA_EU_JIT_SHOW_H
#define PERGOLA_EU_JIT_SHOW_H

#include "eu/jit/translate.h"

enum mark_kind {
   MARK_FRAME,
   MARK_VERSION, /* op: which */
   MARK_BLOCK,   /* what a block starts with */
   MARK_OP,
   MARK_ENTER,  /* the way into a region … */
   MARK_SETTLE, /* … to its second form … */
   MARK_ROUND,  /* … and what an iteration starts with */
   MARK_DETOUR,
   MARK_ITERATE, /* the loop over threads */
   MARK_END,
};

/* From here on the code belongs to … */
struct jit_mark {
   size_t at;
   enum mark_kind kind;
   uint32_t op;
   int region;  /* or -1 */
   bool steady; /* its second form */
};

struct jit_listing {
   struct jit_mark *mark;
   size_t count, room;
   struct ir_region regions[IR_REGIONS]; /* with what is theirs */
};

#endif
