/* Private to src/eu: one step of the general path, that is, the channels that read their sources
 * before any of them writes. A compressed instruction takes two. */
#ifndef PERGOLA_EU_STEP_H
#define PERGOLA_EU_STEP_H

#include "machine/float_bits.h"
#include "eu/op.h"

#include <string.h>

union eu_values {
   int64_t i[32];
   float f[32];
   uint32_t u[32]; /* the bits of f */
   double df[16];
   uint64_t b[32]; /* the bits of df, or of any element when stored */
};

struct eu_step {
   struct eu_thread *t;
   const struct eu_detail *d;
   unsigned half;  /* 0 or 1 */
   unsigned first; /* channel of the instruction */
   unsigned count; /* elements; half of the channels when they are paired */
   uint32_t mask;  /* channels that write, bit 0 = first */
   uint32_t predicate;
   union eu_values src[3];
   union eu_values r;
   uint32_t nan, over; /* by element: result is not a number; overflowed */
   uint32_t truth;     /* by element: cmp and cmpn */
   bool truth_valid;   /* the operation gives truth, not a value */
};

/* region.c. The values of a source as the execution class wants them, modifiers applied. */
void eu_fetch_int(struct eu_step *s, unsigned n);
void eu_fetch_float(struct eu_step *s, unsigned n);
void eu_fetch_double(struct eu_step *s, unsigned n);
/* The bits, no conversion, no modifier. */
void eu_fetch_bits(struct eu_step *s, unsigned n, uint64_t bits[32]);
/* Byte addresses of the elements, OFFSET_NONE where there is none. GRF operands only. */
void eu_addresses(struct eu_step *s, const struct op_operand *o, uint32_t address[32]);
/* s->r.b, by element, to the destination. */
void eu_store(struct eu_step *s);
/* The accumulator lane of an element that an instruction reads or writes implicitly. */
unsigned eu_acc_lane(const struct eu_step *s, unsigned k);

/* alu.c */
void eu_finish_int(struct eu_step *s);
void eu_finish_float(struct eu_step *s);
void eu_finish_double(struct eu_step *s);
void eu_finish_truth(struct eu_step *s);

static inline bool
bits_nan(uint32_t u)
{
   return (u & 0x7fffffff) > 0x7f800000;
}
static inline bool
bits_nan64(uint64_t u)
{
   return (u & INT64_MAX) > 0x7ff0000000000000;
}
/* A denormal becomes the zero of its sign. */
static inline uint32_t
bits_flush(uint32_t u)
{
   return u & 0x7f800000 ? u : u & 0x80000000;
}

#endif
