/* Rules on instructions: what an opcode allows. */
#include "eu/arf.h"
#include "eu/check.h"

static const struct eu_opcode_info *
info(const struct eu_detail *d)
{
   return &eu_opcodes[d->opcode & 0x7f];
}

static bool
acc_source(const struct eu_detail *d)
{
   for (unsigned n = 0; n < d->sources; n++)
      if (d->src[n].kind == OPERAND_ACC)
         return true;
   return false;
}

static bool
acc_dst(const struct eu_detail *d)
{
   return d->dst.kind == OPERAND_ACC;
}

static bool
acc_simd16(const struct eu_detail *d)
{
   bool dword = d->dst.type == T_D || d->dst.type == T_UD;
   return d->exec_size == 16 && dword && d->exec_width == 32 && d->exec_class == CLASS_INT &&
          (acc_source(d) || acc_dst(d));
}

static bool
acc_none(const struct eu_detail *d)
{
   return info(d)->acc == EU_ACC_NONE && (acc_source(d) || acc_dst(d) || d->acc_write);
}

static bool
acc_no_source(const struct eu_detail *d)
{
   return info(d)->acc == EU_ACC_NOSRC && acc_source(d);
}

static bool
acc_no_dst(const struct eu_detail *d)
{
   return info(d)->acc == EU_ACC_NODST && (acc_dst(d) || d->acc_write);
}

static bool
acc_both(const struct eu_detail *d)
{
   return info(d)->acc == EU_ACC_ONE && acc_source(d) && acc_dst(d);
}

static bool
acc_modified(const struct eu_detail *d)
{
   if (info(d)->acc != EU_ACC_NOMOD)
      return false;
   for (unsigned n = 0; n < d->sources; n++)
      if (d->src[n].kind == OPERAND_ACC && (d->src[n].abs || d->src[n].negate))
         return true;
   return false;
}

static bool
acc_explicit(const struct eu_detail *d)
{
   bool implicit = info(d)->acc == EU_ACC_IMPLICIT || d->opcode == EU_OP_MACH;
   return implicit && acc_source(d);
}

static bool
acc_write_missing(const struct eu_detail *d)
{
   return info(d)->acc == EU_ACC_WRITE && !d->acc_write;
}

static bool
simd32(const struct eu_detail *d)
{
   return d->alu && d->exec_size == 32 && (d->condition || d->opcode == EU_OP_SEL);
}

static bool
compare_operands(const struct eu_detail *d)
{
   bool compares = d->opcode == EU_OP_CMP || d->opcode == EU_OP_CMPN;
   bool dst =
       d->dst.kind == OPERAND_GRF || d->dst.kind == OPERAND_NULL || d->dst.kind == OPERAND_INDIRECT;
   return compares && (!dst || !d->condition);
}

static bool
mov_condition(const struct eu_detail *d)
{
   return d->opcode == EU_OP_MOV && d->condition && d->src[0].type != d->dst.type;
}

static bool
mul_dword(const struct eu_detail *d)
{
   if (d->opcode != EU_OP_MUL || d->exec_class != CLASS_INT || d->exec_width != 32)
      return false;
   bool word_first = type_size[d->src[0].type] < 4 && type_size[d->src[1].type] == 4;
   return d->saturate || d->condition || d->dst.type == T_F || word_first;
}

static bool
planes_and_dots(const struct eu_detail *d)
{
   switch (d->opcode) {
   case EU_OP_LINE:
   case EU_OP_PLN:
      return (d->exec_size != 8 && d->exec_size != 16) || !d->src[0].scalar ||
             d->src[0].subreg % 16;
   case EU_OP_DP2:
   case EU_OP_DP3:
   case EU_OP_DP4:
   case EU_OP_DPH:
      return d->exec_size < 4 || (!d->align16 && d->dst.hstride != 1);
   default:
      return false;
   }
}

static bool
math_operands(const struct eu_detail *d)
{
   if (d->opcode != EU_OP_MATH)
      return false;
   unsigned f = d->inst.math_function;
   bool divides = f >= EU_MATH_INTDIVMOD && f <= EU_MATH_INTMOD;
   bool two = divides || f == EU_MATH_FDIV || f == EU_MATH_POW;
   bool plain = d->dst.kind == OPERAND_GRF && d->src[0].kind == OPERAND_GRF &&
                (!two || d->src[1].kind == OPERAND_GRF);
   return !plain || (divides && (d->exec_size == 16 || d->src[0].type != d->src[1].type));
}

static bool
is_send(const struct eu_detail *d)
{
   return d->opcode == EU_OP_SEND || d->opcode == EU_OP_SENDC;
}

static bool
send_controls(const struct eu_detail *d)
{
   return is_send(d) && (d->acc_write || d->saturate || d->inst.thread_control);
}

static bool
eot_payload(const struct eu_detail *d)
{
   return is_send(d) && d->inst.eot && d->src[0].kind == OPERAND_GRF && d->src[0].reg < 112;
}

static bool
eot_dst(const struct eu_detail *d)
{
   return is_send(d) && d->inst.eot && d->dst.kind != OPERAND_NULL;
}

static bool
predicate_not_allowed(const struct eu_detail *d)
{
   bool select = d->opcode == EU_OP_SEL && d->condition;
   return d->predicate && (select || !(info(d)->attrs & EU_OP_PREDICATE));
}

static bool
condition_not_allowed(const struct eu_detail *d)
{
   return d->condition && !(info(d)->attrs & EU_OP_COND);
}

static bool
modifier_not_allowed(const struct eu_detail *d)
{
   if (!d->alu || info(d)->attrs & EU_OP_SRC_MOD || d->opcode == EU_OP_PLN)
      return false;
   for (unsigned n = 0; n < d->sources; n++)
      if (d->src[n].kind != OPERAND_IMM && (d->src[n].abs || d->src[n].negate))
         return true;
   return false;
}

static bool
saturate_not_allowed(const struct eu_detail *d)
{
   return d->saturate && !is_send(d) && !(info(d)->attrs & EU_OP_SATURATE);
}

static bool
wait_operand(const struct eu_detail *d)
{
   return d->opcode == EU_OP_WAIT && (d->exec_size != 1 || d->predicate);
}

/* A type that the opcode's description does not list. */
static bool
types_not_listed(const struct eu_detail *d)
{
   if (!d->alu || !info(d)->types[0].dst)
      return false;
   for (unsigned g = 0; g < EU_OPCODE_TYPE_GROUPS && info(d)->types[g].dst; g++) {
      bool fits = info(d)->types[g].dst >> d->dst.type & 1;
      for (unsigned n = 0; n < d->sources; n++)
         fits = fits &&
                (d->src[n].kind == OPERAND_NULL || info(d)->types[g].src >> d->src[n].type & 1);
      if (fits)
         return false;
   }
   return true;
}

const struct eu_check eu_instruction_checks[] = {
    {"EU-015", PERGOLA_ERROR, acc_simd16, "SIMD16 with dwords cannot name the accumulator"},
    {"EU-016", PERGOLA_ERROR, acc_none, "this instruction has nothing to do with the accumulator"},
    {"EU-017", PERGOLA_ERROR, acc_no_source,
     "the accumulator cannot be a source of this instruction"},
    {"EU-018", PERGOLA_ERROR, acc_no_dst,
     "the accumulator cannot be a destination of this instruction"},
    {"EU-019", PERGOLA_ERROR, acc_both,
     "mov takes the accumulator as source or destination, not both"},
    {"EU-020", PERGOLA_ERROR, acc_modified,
     "an accumulator source of a logic operation takes no modifier"},
    {"EU-021", PERGOLA_ERROR, acc_explicit,
     "the accumulator is an implicit source and cannot be named as one"},
    {"EU-022", PERGOLA_ERROR, acc_write_missing, "this instruction needs AccWrEn"},
    {"EU-101", PERGOLA_ERROR, simd32, "SIMD32 has no conditional modifier and no sel"},
    {"EU-102", PERGOLA_ERROR, compare_operands,
     "cmp needs a condition, and a general or null destination"},
    {"EU-103", PERGOLA_WARNING, mov_condition, "a converting mov has no conditional modifier"},
    {"EU-104", PERGOLA_ERROR, mul_dword,
     "mul with a dword: no saturate, no condition, no float destination, the word in source 1"},
    {"EU-105", PERGOLA_ERROR, planes_and_dots,
     "line and pln need SIMD8 or SIMD16 and a scalar at .0 or .4; dot products SIMD4 or more and "
     "stride 1"},
    {"EU-106", PERGOLA_ERROR, math_operands,
     "math takes direct general registers; integer division is not SIMD16 and not of mixed signs"},
    {"EU-107", PERGOLA_ERROR, send_controls,
     "send has no saturate, accumulator write or thread control"},
    {"EU-115", PERGOLA_ERROR, predicate_not_allowed, "this instruction takes no predicate"},
    {"EU-120", PERGOLA_ERROR, condition_not_allowed,
     "this instruction takes no conditional modifier"},
    {"EU-126", PERGOLA_ERROR, modifier_not_allowed, "this instruction takes no source modifier"},
    {"EU-127", PERGOLA_ERROR, saturate_not_allowed, "this instruction does not saturate"},
    {"EU-194", PERGOLA_ERROR, eot_dst, "the destination of an end of thread must be null"},
    {"EU-195", PERGOLA_WARNING, eot_payload,
     "the payload of an end of thread should lie in g112 to g127"},
    {"EU-201", PERGOLA_ERROR, wait_operand, "wait has an execution size of 1 and no predicate"},
    {"EU-215", PERGOLA_WARNING, types_not_listed,
     "the types are not among those that this instruction lists"},
    {0},
};
