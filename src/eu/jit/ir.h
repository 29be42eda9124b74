/* Private to src/eu/jit: the stretch of code between EU operations and host instructions.
 *
 * A *region* is a loop that is translated once more, on its own. It is a line of operations with
 * one way in, at its top, and ways out. Each names the *values* that it reads and writes: the bytes
 * of a register as a vector of eight lanes, or one dword for all lanes. A value has one home while
 * the region runs, a host register or a slot of the frame, from one iteration to the next.
 *
 *   find.c      which loops are regions, and what is in them
 *   values.c    their values: who uses them, and how
 *   flags.c     their flags
 *   allocate.c  which of them get host registers
 *   sides.c     where channels part and meet inside
 *   steady.c    with messages: what a round need not do again
 *   region.c    the code around their operations: in, out, channels that leave
 *   show.c      all of it as text
 */
#ifndef PERGOLA_EU_JIT_IR_H
#define PERGOLA_EU_JIT_IR_H

#include "eu/fast.h"
#include "hw/message.h"

enum version { MASKED, FULL };

enum ir_kind {
   IR_VECTOR, /* 32 bytes of the GRF */
   IR_SPREAD, /* a dword of it that the region never writes, in all lanes */
};

struct ir_value {
   enum ir_kind kind;
   uint16_t offset; /* in the GRF, bytes */
   uint16_t uses;
   uint8_t channel; /* of its first lane, or IR_SEVERAL */
   int8_t reg;      /* index among the kept registers; -1: it lives in memory */
   bool written;
   bool awaited; /* the next iteration waits for it */
   bool bits;    /* somebody looks at its bits, or makes it other than by float arithmetic */
   /* The same bytes are two values, of different channels: the other one was written last. It
    * changes as the code is emitted. */
   bool hidden;
};
#define IR_SEVERAL 0xffu

/* A `mov` of a constant to a dword that nobody else writes: once it is there, it need not be
 * written again. */
struct ir_constant {
   uint32_t op;
   uint16_t offset;
};

/* steady.c: one of two registers, always the same while the region runs. Operations by number from
 * the region's first. */
#define IR_CHOICES 32u
#define STEADY_OPS 256u
struct ir_choice {
   uint16_t op;
   uint8_t test;         /* which of the comparisons */
   uint8_t from[2];      /* its sources, if they are choices; else IR_CHOICES … */
   uint16_t distance[2]; /* … and so many bytes behind their start */
};
enum steady_role { STEADY_NO, STEADY_THERE, STEADY_CHOICE, STEADY_UNSEEN };
struct ir_steady {
   uint8_t role[STEADY_OPS];        /* what need not be done, and why */
   uint8_t alias[STEADY_OPS][3][2]; /* by source and half: the choice that it is */
   struct ir_choice choice[IR_CHOICES];
   uint16_t test[IR_CHOICES];
   unsigned choices, tests;
};

/* sides.c: a place where channels wait inside a region, and the first operation that lets them; or
 * where control goes when nobody is left of a side. */
struct ir_meet {
   uint32_t op, from;
};
#define IR_NOBODY UINT32_MAX

#define IR_VALUES 48u
#define IR_MEETS 12u
#define IR_CONSTANTS 16u
#define IR_REGIONS 64u

struct ir_region {
   uint32_t first, last; /* operations: the top, and the branch back to it */
   enum version version;
   uint32_t instructions;    /* of an iteration */
   bool nearest;             /* only for rounding to nearest */
   bool holds[2];            /* flag registers that are in host registers … */
   uint8_t halves[2];        /* … and the halves of them that are written, a bit each … */
   uint8_t used[2];          /* … or used at all */
   bool joins;               /* channels might wait inside */
   bool messages;            /* nothing stays in host registers */
   struct ir_steady *steady; /* of a region with messages, or NULL */
   struct ir_meet meet[IR_MEETS];
   unsigned meets;
   bool quits; /* channels leave a side before its end */
   struct ir_value value[IR_VALUES];
   unsigned count;
   struct ir_constant constant[IR_CONSTANTS];
   unsigned constants;
   uint32_t registers; /* kept registers that values have, a bit each */
   /* Of the code. */
   size_t from;  /* the jump at its top in the plain code … */
   size_t full;  /* … and in that of all channels, which has no region of its own; or 0 */
   size_t plain; /* behind that jump */
   size_t latch; /* where the next iteration starts */
};

/* May a NaN in it have any bits for now? Only floats are made of it (EU-055). */
static inline bool
ir_is_open(const struct ir_value *v)
{
   return v->kind == IR_VECTOR && v->written && !v->bits;
}

/* The value that was written last, or NULL. */
static inline const struct ir_value *
ir_find(const struct ir_region *r, enum ir_kind kind, unsigned offset)
{
   for (unsigned i = 0; i < r->count; i++)
      if (r->value[i].kind == kind && r->value[i].offset == offset && !r->value[i].hidden)
         return &r->value[i];
   return NULL;
}

static inline const struct ir_constant *
ir_find_constant(const struct ir_region *r, unsigned offset)
{
   for (unsigned i = 0; i < r->constants; i++)
      if (r->constant[i].offset == offset)
         return &r->constant[i];
   return NULL;
}

static inline bool
ir_is_constant(const struct ir_region *r, uint32_t op)
{
   for (unsigned i = 0; i < r->constants; i++)
      if (r->constant[i].op == op)
         return true;
   return false;
}

/* The sources that an operation has; the math box has a second one in its encoding, used or not. */
static inline unsigned
ir_sources(const struct eu_op *op)
{
   unsigned f = op->operation;
   bool one = f >= FAST_F_INV && f <= FAST_F_COS && f != FAST_F_FDIV;
   return one ? 1 : op->d->sources;
}

/* Bytes of the GRF. */
struct ir_message {
   unsigned payload, payload_B, response, response_B;
};
static inline struct ir_message
ir_message_of(const struct eu_op *op)
{
   struct ir_message m = {0};
   const struct eu_detail *d = op->d;
   if (d->opcode != EU_OP_SEND && d->opcode != EU_OP_SENDC)
      return m;
   m.payload = d->src[0].reg * EU_REG_SIZE;
   m.payload_B =
       (hw_message_length(d->inst.desc) ? hw_message_length(d->inst.desc) : 1) * EU_REG_SIZE;
   if (d->dst.kind == OPERAND_GRF) {
      m.response = d->dst.reg * EU_REG_SIZE;
      m.response_B = hw_response_length(d->inst.desc) * EU_REG_SIZE;
   }
   return m;
}

struct jit;
/* find.c: neither flow nor a message, of what a region may have. */
bool ir_is_alu(const struct eu_op *op);
void ir_find_regions(struct jit *j);
/* values.c; false: there are too many. */
bool ir_find_values(const struct jit *j, struct ir_region *r);
/* values.c: an operation is next: which values are hidden from it and from those behind it. */
void ir_turn_to(struct ir_region *r, const struct eu_op *op);
/* values.c: all of them that are, a bit each. */
uint64_t ir_hidden(const struct ir_region *r);
/* sides.c; false: channels wait in ways that a region does not know. */
bool ir_find_sides(const struct jit *j, struct ir_region *r);
/* sides.c: may channels of the region wait while an operation runs? To be asked of one after the
 * other, with `until` 0 before the first. */
bool ir_is_apart(const struct jit *j, uint32_t i, uint32_t *until);
/* flags.c */
void ir_find_flags(const struct jit *j, struct ir_region *r);
/* steady.c: to be freed; NULL: there is nothing to leave out, or no memory. */
struct ir_steady *ir_find_steady(const struct jit *j, const struct ir_region *r);
/* allocate.c */
void ir_allocate(const struct jit *j, struct ir_region *r);

#endif
