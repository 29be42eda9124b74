/* A slow scalar model of the execution unit, one channel at a time, written from the manual and the
 * ledger alone. It is what the interpreter is compared with, so it shares nothing with it but the
 * decoded instruction. Ivy Bridge only. */
#ifndef ORACLE_H
#define ORACLE_H

#include "eu/isa/isa.h"

#include <stdbool.h>
#include <stdint.h>

#define ORACLE_CHANNELS 32

struct oracle {
   uint8_t grf[4096];
   uint64_t acc[16]; /* lane: two's complement integer, float pattern in the low half, or double
                        pattern */
   uint16_t a0[8];
   uint32_t flag[2];
   uint32_t cr0, sr0[4];
   uint32_t ip;
   uint32_t pcip[ORACLE_CHANNELS];
   uint32_t dispatch_mask, vector_mask;
   uint32_t call_mask;
};

enum exec_type { EXEC_W, EXEC_D, EXEC_F, EXEC_DF };

/* One channel's operand or result; which member counts follows from the execution type. */
struct value {
   int64_t i;
   uint32_t f;
   uint64_t d;
};

struct fp_mode {
   unsigned rounding; /* cr0.0[5:4] */
   bool alt;
   bool keep_df_denormals;
};

struct result {
   struct value v;
   bool overflow; /* the O signal, as far as the operation itself knows */
   bool compare;  /* cmp: signals are given here */
   bool sign, zero, nan;
   bool raw; /* bits go to the destination as they are */
};

/* oracle_float.c */
struct fp_mode oracle_fp_mode(const struct oracle *o);
bool ref_f_is_nan(uint32_t f);
bool ref_d_is_nan(uint64_t d);
double ref_f_value(uint32_t f);
uint32_t ref_f_in(uint32_t f, struct fp_mode m);
uint64_t ref_d_in(uint64_t d, struct fp_mode m);
uint32_t ref_f_round(double exact_or_odd, struct fp_mode m, bool *overflow);
double ref_odd_sum(double a, double b, struct fp_mode m);
struct result ref_f_add(uint32_t a, uint32_t b, struct fp_mode m);
struct result ref_f_mul(uint32_t a, uint32_t b, struct fp_mode m);
/* a * b + c */
struct result ref_f_mad(uint32_t a, uint32_t b, uint32_t c, struct fp_mode m);
struct result ref_f_frc(uint32_t a, struct fp_mode m);
struct result ref_f_round_integral(uint32_t a, unsigned rounding, struct fp_mode m);
struct result ref_f_dot(const uint32_t *a, const uint32_t *b, unsigned op, struct fp_mode m);
struct result ref_f_lrp(uint32_t a, uint32_t b, uint32_t c, struct fp_mode m);
struct result ref_d_op(unsigned op, uint64_t a, uint64_t b, uint64_t c, struct fp_mode m);
uint16_t ref_f_to_half(uint32_t f, struct fp_mode m);
uint32_t ref_half_to_f(uint16_t h);
uint32_t ref_int_to_f(int64_t i, struct fp_mode m);
int64_t ref_f_to_int(double value, bool nan, int64_t low, int64_t high);
uint32_t ref_d_to_f(uint64_t d, struct fp_mode m);
uint64_t ref_f_to_d(uint32_t f);

/* oracle_operand.c */
enum exec_type oracle_exec_type(const struct eu_inst *i);
bool ref_type_is_int(unsigned type);
void ref_type_range(unsigned type, int64_t *low, int64_t *high);
struct value oracle_source(const struct oracle *o, const struct eu_inst *i, unsigned n, unsigned ch,
                           unsigned half, enum exec_type e);
uint32_t oracle_read_dword(const struct oracle *o, uint32_t address);
/* Byte address in the GRF of a channel's element. */
uint32_t oracle_source_address(const struct oracle *o, const struct eu_inst *i, unsigned n,
                               unsigned ch, unsigned half);
uint32_t oracle_dst_address(const struct oracle *o, const struct eu_inst *i, unsigned ch,
                            unsigned half);
void oracle_store(struct oracle *o, const struct eu_inst *i, unsigned ch, unsigned half,
                  uint64_t bits, int64_t full);
/* Steps that the instruction takes one after the other: 1, or 2 when its destination has two
 * registers. */
unsigned oracle_halves(const struct oracle *o, const struct eu_inst *i);
unsigned oracle_acc_lane(const struct eu_inst *i, unsigned ch, unsigned half, unsigned halves,
                         enum exec_type e);

/* oracle_mask.c */
bool oracle_enabled(const struct oracle *o, const struct eu_inst *i, unsigned ch);
bool oracle_predicate(const struct oracle *o, const struct eu_inst *i, unsigned ch);
unsigned oracle_flag_bit(const struct eu_inst *i, unsigned ch);
uint32_t oracle_mask(const struct oracle *o);

/* oracle_alu.c, oracle_math.c, oracle_flow.c */
void oracle_alu(struct oracle *o, const struct eu_inst *i);
struct result oracle_math_channel(const struct eu_inst *i, struct value a, struct value b,
                                  struct fp_mode m, uint32_t *second);
bool oracle_flow(struct oracle *o, const struct eu_inst *i);
/* Executes the instruction at ip and moves on. */
void oracle_step(struct oracle *o, const struct eu_inst *i);

#endif
