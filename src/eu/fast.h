/* Private to src/eu: how the fast paths reach operands. Filled by fast_select.c, read by
 * fast_vector.c. */
#ifndef PERGOLA_EU_FAST_H
#define PERGOLA_EU_FAST_H

#include "eu/op.h"
#include "machine/host.h"

/* struct eu_op.kind: eight 32-bit values from … */
enum fast_source {
   FAST_VECTOR,   /* eight dwords in a row */
   FAST_SCALAR,   /* one dword */
   FAST_CONST,    /* vec[n] */
   FAST_PERMUTE,  /* dwords inside 32 bytes, indices in vec[n] */
   FAST_PERMUTE2, /* the same inside 64 bytes; bit 31 of an index: the upper 32 */
   FAST_WORDS,
   FAST_UWORDS,
   FAST_BYTES,
   FAST_UBYTES, /* in a row */
   FAST_WORD1,
   FAST_UWORD1,
   FAST_BYTE1,
   FAST_UBYTE1, /* one */
   FAST_LOW_W,
   FAST_LOW_UW,
   FAST_LOW_B,
   FAST_LOW_UB, /* the low part of eight dwords in a row */
   FAST_ACC,    /* the low dwords of eight accumulator lanes in a row */
   FAST_NEAR_U,
   FAST_NEAR_W,
   FAST_NEAR_B, /* words or bytes inside 16 bytes, places in vec[n]; signed ones in the upper part
                 */
   FAST_GATHER_D,
   FAST_GATHER_W,
   FAST_GATHER_UW,
   FAST_GATHER_B,
   FAST_GATHER_UB, /* offsets in vec[n] */
};

/* struct eu_op.modifier */
enum { FAST_ABS = 1, FAST_NEGATE = 2 };

/* struct eu_op.dst_kind */
enum fast_dst {
   FAST_TO_NULL,
   FAST_TO_DWORDS, /* in a row */
   FAST_TO_WORDS,  /* in a row */
   FAST_TO_LOW_W,  /* the low words of dwords in a row, the rest kept */
   FAST_TO_STRIDED_D,
   FAST_TO_STRIDED_W,
   FAST_TO_STRIDED_B, /* by the detail's offsets */
};

/* One function per operation; which of its source kinds are resolved beforehand. */
enum fast_operation {
   FAST_F_ADD,
   FAST_F_MUL,
   FAST_F_MAD,
   FAST_F_MOV,
   FAST_F_SEL,
   FAST_F_SELL,
   FAST_F_SELGE,
   FAST_F_CMP_Z,
   FAST_F_CMP_NZ,
   FAST_F_CMP_G,
   FAST_F_CMP_GE,
   FAST_F_CMP_L,
   FAST_F_CMP_LE,
   FAST_F_RNDU,
   FAST_F_RNDD,
   FAST_F_RNDE,
   FAST_F_RNDZ,
   FAST_F_FRC,
   FAST_F_LRP,
   FAST_F_DP2,
   FAST_F_DP3,
   FAST_F_DP4,
   FAST_F_DPH,
   FAST_F_PLN, /* u in a register, v in the next one */
   FAST_F_TO_D,
   FAST_F_TO_UD,
   FAST_F_INV,
   FAST_F_SQRT,
   FAST_F_RSQ,
   FAST_F_FDIV,
   FAST_F_LOG,
   FAST_F_EXP,
   FAST_F_SIN,
   FAST_F_COS,
   FAST_F_POW,
   FAST_I_MOV,
   FAST_I_TO_F,
   FAST_U_TO_F,
   FAST_I_ADD,
   FAST_I_MUL,
   FAST_I_AND,
   FAST_I_OR,
   FAST_I_XOR,
   FAST_I_NOT,
   FAST_I_SHL,
   FAST_I_SHR,
   FAST_I_ASR,
   FAST_I_SEL,
   FAST_I_MIN,
   FAST_I_MAX,
   FAST_U_MIN,
   FAST_U_MAX,
   FAST_MUL_ACC,
   FAST_MACH,
   FAST_ADDC,
   FAST_SUBB, /* of eight dwords */
   FAST_I_CMP_Z,
   FAST_I_CMP_NZ,
   FAST_I_CMP_G,
   FAST_I_CMP_GE,
   FAST_I_CMP_L,
   FAST_I_CMP_LE,
   FAST_U_CMP_G,
   FAST_U_CMP_GE,
   FAST_U_CMP_L,
   FAST_U_CMP_LE,
   FAST_OPERATIONS,
};

/* The functions of the fast paths, compiled for one kind of processor. */
struct eu_fast_functions {
   /* For an operation on given source kinds; saturate: float results only. */
   eu_op_fn (*function)(enum fast_operation operation, const struct eu_op *op, bool saturate);
   /* The same for those that write the accumulator. */
   eu_op_fn (*accumulator)(enum fast_operation operation, bool is_signed);
   /* What the math box computes of eight channels, a function of two vectors: for generated code,
    * else NULL. */
   const void *(*eight)(enum fast_operation operation);
};
/* What every host of its kind has, and AVX2 with FMA. */
extern const struct eu_fast_functions eu_fast_baseline, eu_fast_avx2;
/* Those that fit this host. */
const struct eu_fast_functions *eu_fast_choose(void);

/* Parts of one set, which is compiled several times. */
#ifdef HOST_SUFFIX
eu_op_fn HOST_NAME(eu_fast_math)(enum fast_operation operation);
eu_op_fn HOST_NAME(eu_fast_accumulator)(enum fast_operation operation, bool is_signed);
const void *HOST_NAME(eu_fast_eight)(enum fast_operation operation);
#endif

#endif
