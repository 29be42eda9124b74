/* Which instructions the fast paths can take, and how their operands are reached.
 *
 * All results must be those of the general path, bit for bit; what a fast path cannot see through
 * (another rounding mode in the math box) it hands over to the general one while running. */
#include "eu/fast.h"
#include "machine/host.h"

#include <string.h>

#define NONE FAST_OPERATIONS

static bool
is_dword(unsigned type)
{
   return type == T_D || type == T_UD;
}
static bool
is_int(unsigned type)
{
   return type < T_DF;
}
static bool
is_signed(unsigned type)
{
   return type == T_D || type == T_W || type == T_B;
}

/* ---- operation ------------------------------------------------------------------------------ */

static enum fast_operation
math_operation(const struct eu_detail *d)
{
   if (d->saturate || d->condition)
      return NONE;
   switch (d->inst.math_function) {
   case EU_MATH_INV:
      return FAST_F_INV;
   case EU_MATH_SQRT:
      return FAST_F_SQRT;
   case EU_MATH_RSQ:
      return FAST_F_RSQ;
   case EU_MATH_FDIV:
      return FAST_F_FDIV;
   case EU_MATH_LOG:
      return FAST_F_LOG;
   case EU_MATH_EXP:
      return FAST_F_EXP;
   case EU_MATH_SIN:
      return FAST_F_SIN;
   case EU_MATH_COS:
      return FAST_F_COS;
   case EU_MATH_POW:
      return FAST_F_POW;
   default:
      return NONE;
   }
}

static enum fast_operation
dot_operation(unsigned opcode)
{
   switch (opcode) {
   case EU_OP_DP2:
      return FAST_F_DP2;
   case EU_OP_DP3:
      return FAST_F_DP3;
   case EU_OP_DP4:
      return FAST_F_DP4;
   case EU_OP_DPH:
      return FAST_F_DPH;
   default:
      return NONE;
   }
}

/* Those that compare: not those of an overflow or of no number. */
#define CONDITIONS (EU_COND_LE + 1)

static enum fast_operation
float_operation(const struct eu_detail *d)
{
   static const uint8_t compare[CONDITIONS] = {
       [EU_COND_NONE] = NONE,       [EU_COND_Z] = FAST_F_CMP_Z,   [EU_COND_NZ] = FAST_F_CMP_NZ,
       [EU_COND_G] = FAST_F_CMP_G,  [EU_COND_GE] = FAST_F_CMP_GE, [EU_COND_L] = FAST_F_CMP_L,
       [EU_COND_LE] = FAST_F_CMP_LE};
   if (d->opcode == EU_OP_CMP) /* EU-127: it does not saturate, whatever its bit says */
      return d->condition < CONDITIONS && !d->saturate ? compare[d->condition] : NONE;
   if (d->opcode == EU_OP_SEL && d->dst.type == T_F && !d->saturate)
      return d->condition == EU_COND_NONE ? FAST_F_SEL
             : d->condition == EU_COND_L  ? FAST_F_SELL
             : d->condition == EU_COND_GE ? FAST_F_SELGE
                                          : NONE;
   /* Of a saturated number the condition knows whether it was one. */
   if (d->condition >= CONDITIONS || (d->condition && (d->saturate || d->dst.type != T_F)))
      return NONE;
   if (d->opcode == EU_OP_MOV && !d->saturate && d->dst.type == T_D)
      return FAST_F_TO_D;
   if (d->opcode == EU_OP_MOV && !d->saturate && d->dst.type == T_UD)
      return FAST_F_TO_UD;
   if (d->dst.type != T_F)
      return NONE;
   switch (d->opcode) {
   case EU_OP_MOV:
      if (d->raw)
         return FAST_I_MOV;
      /* EU-055: the one that keeps the bits of a NaN. */
      return d->src[0].type == T_F && !d->saturate ? NONE : FAST_F_MOV;
   case EU_OP_ADD:
      return FAST_F_ADD;
   case EU_OP_MUL:
      return FAST_F_MUL;
   case EU_OP_MAD:
      return FAST_F_MAD;
   case EU_OP_MATH:
      return math_operation(d);
   case EU_OP_RNDU:
      return FAST_F_RNDU;
   case EU_OP_RNDD:
      return FAST_F_RNDD;
   case EU_OP_RNDE:
      return FAST_F_RNDE;
   case EU_OP_RNDZ:
      return FAST_F_RNDZ;
   case EU_OP_FRC:
      return FAST_F_FRC;
   case EU_OP_LRP:
      return FAST_F_LRP;
   default:
      return d->exec_size >= 4 ? dot_operation(d->opcode) : NONE;
   }
}

/* Both sources fit a signed, or both an unsigned, 32-bit number. */
static enum { UNCOMPARABLE, SIGNED, UNSIGNED } comparable(const struct eu_detail *d)
{
   const struct op_operand *a = &d->src[0], *b = &d->src[1];
   if (a->negate || a->abs || b->negate || b->abs)
      return UNCOMPARABLE;
   if (a->type != T_UD && b->type != T_UD)
      return SIGNED;
   if (!is_signed(a->type) && !is_signed(b->type))
      return UNSIGNED;
   if (b->kind == OPERAND_IMM && b->type == T_D && a->type == T_UD && !(b->imm[0] >> 31))
      return UNSIGNED;
   return UNCOMPARABLE;
}

static enum fast_operation
int_compare(const struct eu_detail *d)
{
   static const uint8_t s[CONDITIONS] = {
       [EU_COND_NONE] = NONE,       [EU_COND_Z] = FAST_I_CMP_Z,   [EU_COND_NZ] = FAST_I_CMP_NZ,
       [EU_COND_G] = FAST_I_CMP_G,  [EU_COND_GE] = FAST_I_CMP_GE, [EU_COND_L] = FAST_I_CMP_L,
       [EU_COND_LE] = FAST_I_CMP_LE};
   static const uint8_t u[CONDITIONS] = {
       [EU_COND_NONE] = NONE,       [EU_COND_Z] = FAST_I_CMP_Z,   [EU_COND_NZ] = FAST_I_CMP_NZ,
       [EU_COND_G] = FAST_U_CMP_G,  [EU_COND_GE] = FAST_U_CMP_GE, [EU_COND_L] = FAST_U_CMP_L,
       [EU_COND_LE] = FAST_U_CMP_LE};
   if (d->condition >= CONDITIONS)
      return NONE;
   switch (comparable(d)) {
   case SIGNED:
      return s[d->condition];
   case UNSIGNED:
      return u[d->condition];
   default:
      return NONE;
   }
}

static enum fast_operation
int_select(const struct eu_detail *d)
{
   if (!d->condition)
      return FAST_I_SEL;
   bool less = d->condition == EU_COND_L;
   if (!less && d->condition != EU_COND_GE)
      return NONE;
   switch (comparable(d)) {
   case SIGNED:
      return less ? FAST_I_MIN : FAST_I_MAX;
   case UNSIGNED:
      return less ? FAST_U_MIN : FAST_U_MAX;
   default:
      return NONE;
   }
}

static bool
has_modifier(const struct op_operand *o)
{
   return o->abs || o->negate;
}

static enum fast_operation
int_operation(const struct eu_detail *d)
{
   const struct op_operand *a = &d->src[0], *b = &d->src[1];
   bool narrow_modified = has_modifier(a) || (d->sources > 1 && has_modifier(b));
   if (d->saturate || !is_int(a->type))
      return NONE;
   bool signed_negated = a->negate && !a->abs && a->type != T_UD;
   if (d->opcode == EU_OP_MOV && d->dst.type == T_F && !d->condition &&
       (!narrow_modified || signed_negated))
      return a->type == T_UD ? FAST_U_TO_F : FAST_I_TO_F;
   if (d->opcode == EU_OP_CMP && (type_size[d->dst.type] == 4 || d->dst.kind == OPERAND_NULL))
      return int_compare(d);
   if (!is_int(d->dst.type))
      return NONE;
   if (d->opcode == EU_OP_SEL)
      return narrow_modified ? NONE : int_select(d);
   bool flags = d->condition != 0;
   bool simple = d->condition == EU_COND_Z || d->condition == EU_COND_NZ;
   /* abs of the most negative number needs more than 32 bits only in what follows it. */
   switch (d->opcode) {
   case EU_OP_AND:
      return (flags && !(simple && type_size[d->dst.type] == 4)) ? NONE : FAST_I_AND;
   case EU_OP_OR:
      return (flags && !(simple && type_size[d->dst.type] == 4)) ? NONE : FAST_I_OR;
   case EU_OP_XOR:
      return (flags && !(simple && type_size[d->dst.type] == 4)) ? NONE : FAST_I_XOR;
   case EU_OP_NOT:
      return (flags && !(simple && type_size[d->dst.type] == 4)) ? NONE : FAST_I_NOT;
   }
   if (d->opcode == EU_OP_MOV) {
      /* The condition sees all bits of the number: the sign only where 32 bits have it. */
      bool sign_seen = a->type != T_UD && !narrow_modified && d->condition <= 6;
      return !flags || simple || sign_seen ? FAST_I_MOV : NONE;
   }
   if (flags)
      return NONE;
   switch (d->opcode) {
   case EU_OP_ADD:
      return FAST_I_ADD;
   case EU_OP_MUL:
      return FAST_I_MUL;
   case EU_OP_SHL:
      return FAST_I_SHL;
   case EU_OP_SHR: {
      bool pattern = d->exec_width == 32 ? true : !is_signed(a->type);
      return pattern && !has_modifier(a) ? FAST_I_SHR : NONE;
   }
   case EU_OP_ASR:
      if (has_modifier(a))
         return NONE;
      return a->type == T_UD ? FAST_I_SHR : FAST_I_ASR;
   default:
      return NONE;
   }
}

/* ---- operands ------------------------------------------------------------------------------- */

/* Offset of each of the eight channels of half h from the first; false if one is outside. */
static bool
shape(const struct op_operand *o, unsigned h, unsigned n, int32_t relative[8])
{
   for (unsigned c = 0; c < 8; c++) {
      uint16_t at = o->offset[h * 8 + (c < n ? c : 0)];
      if (at == OFFSET_NONE)
         return false;
      relative[c] = (int32_t)at - o->offset[h * 8];
   }
   return true;
}

static bool
in_a_row(const int32_t relative[8], unsigned n, int32_t size)
{
   for (unsigned c = 0; c < n; c++)
      if (relative[c] != (int32_t)c * size)
         return false;
   return true;
}

static bool
all_zero(const int32_t relative[8])
{
   for (unsigned c = 0; c < 8; c++)
      if (relative[c])
         return false;
   return true;
}

static const uint8_t row_kind[8] = {FAST_VECTOR, FAST_VECTOR, FAST_UWORDS, FAST_WORDS,
                                    FAST_UBYTES, FAST_BYTES,  0,           FAST_VECTOR};
static const uint8_t one_kind[8] = {FAST_SCALAR, FAST_SCALAR, FAST_UWORD1, FAST_WORD1,
                                    FAST_UBYTE1, FAST_BYTE1,  0,           FAST_SCALAR};
static const uint8_t low_kind[8] = {FAST_VECTOR, FAST_VECTOR, FAST_LOW_UW, FAST_LOW_W,
                                    FAST_LOW_UB, FAST_LOW_B,  0,           FAST_VECTOR};
static const uint8_t gather_kind[8] = {
    FAST_GATHER_D, FAST_GATHER_D, FAST_GATHER_UW, FAST_GATHER_W, FAST_GATHER_UB, FAST_GATHER_B, 0,
    FAST_GATHER_D};

/* Dwords that do not lie in a row: a permutation if they are close. */
static unsigned
permutation(const int32_t relative[8], uint32_t vec[8], int32_t *lowest)
{
   int32_t low = 0, high = 0;
   for (unsigned c = 0; c < 8; c++) {
      low = relative[c] < low ? relative[c] : low;
      high = relative[c] > high ? relative[c] : high;
   }
   *lowest = low;
   if (high - low > 60)
      return FAST_GATHER_D;
   for (unsigned c = 0; c < 8; c++) {
      uint32_t index = (uint32_t)(relative[c] - low) / 4;
      if ((relative[c] - low) % 4)
         return FAST_GATHER_D;
      vec[c] = (index & 7) | (index > 7 ? 1u << 31 : 0);
   }
   return high - low > 28 ? FAST_PERMUTE2 : FAST_PERMUTE;
}

/* Words or bytes that do not lie in a row: picked from 16 bytes if they are close. Signed ones come
 * to the upper end of a dword, from where they are shifted down. */
static unsigned
near(unsigned type, const int32_t relative[8], uint32_t vec[8], int32_t *lowest)
{
   int32_t low = 0, high = 0, size = type_size[type];
   unsigned first = is_signed(type) ? 4 - (unsigned)size : 0;
   for (unsigned c = 0; c < 8; c++) {
      low = relative[c] < low ? relative[c] : low;
      high = relative[c] > high ? relative[c] : high;
   }
   if (high + size - low > 16)
      return gather_kind[type];
   *lowest = low;
   for (unsigned c = 0; c < 8; c++) {
      uint8_t places[4] = {0x80, 0x80, 0x80, 0x80}; /* a byte of zeros */
      for (int32_t b = 0; b < size; b++)
         places[first + (unsigned)b] = (uint8_t)(relative[c] - low + b);
      memcpy(&vec[c], places, 4);
   }
   return !is_signed(type) ? FAST_NEAR_U : size == 2 ? FAST_NEAR_W : FAST_NEAR_B;
}

static bool
select_immediate(const struct op_operand *o, struct eu_op *op, unsigned n)
{
   for (unsigned c = 0; c < 8; c++) {
      uint32_t v = 0;
      memcpy(&v, (const uint8_t *)o->imm + o->offset[c], type_size[o->type]);
      if (o->type == T_W)
         v = (uint32_t)(int16_t)v;
      op->vec[n][c] = v;
   }
   op->kind[n] = FAST_CONST;
   return true;
}

/* From the start of the GRF, as all offsets of a struct eu_op. */
#define BEHIND_GRF(member)                                                                         \
   ((unsigned)(offsetof(struct eu_thread, member) - offsetof(struct eu_thread, grf)))

/* EU-014: the low bits of accumulator lanes in a row; saturation and conditions see more of them.
 */
static bool
select_lanes(const struct eu_detail *d, struct eu_op *op, unsigned n, const int32_t relative[8])
{
   const struct op_operand *o = &d->src[n];
   unsigned first = o->reg * 8u + o->offset[0] / 4;
   if (!is_dword(o->type) || d->saturate || d->condition || o->offset[0] % 4 ||
       first + 8 * op->count > 16 || !in_a_row(relative, d->exec_size < 8 ? d->exec_size : 8, 4))
      return false;
   for (unsigned h = 0; h < op->count; h++)
      op->src[n][h] = (uint16_t)(BEHIND_GRF(acc) + (first + h * 8) * sizeof(uint64_t));
   op->kind[n] = FAST_ACC;
   return true;
}

/* Where one element of a flag register is, or OFFSET_NONE. */
static unsigned
flag_place(const struct eu_detail *d, const struct op_operand *o)
{
   bool flag = o->kind == OPERAND_ARF && (o->reg & 0xf0) == EU_ARF_FLAG;
   if (!flag || d->exec_size != 1 || d->condition || !is_int(o->type) ||
       o->offset[0] + type_size[o->type] > 4)
      return OFFSET_NONE;
   return BEHIND_GRF(flag) + (o->reg & 1) * 4u + o->offset[0];
}

static bool
select_source(const struct eu_detail *d, struct eu_op *op, unsigned n)
{
   const struct op_operand *o = &d->src[n];
   int32_t relative[8], second[8], lowest = 0;
   unsigned channels = d->exec_size < 8 ? d->exec_size : 8;
   bool abs = o->abs && (is_signed(o->type) || o->type == T_F);
   op->modifier[n] = (uint8_t)((abs ? FAST_ABS : 0) | (o->negate ? FAST_NEGATE : 0));
   if (o->type == T_DF)
      return false;
   if (o->kind == OPERAND_IMM)
      return select_immediate(o, op, n);
   if (flag_place(d, o) != OFFSET_NONE) {
      op->src[n][0] = op->src[n][1] = (uint16_t)flag_place(d, o);
      op->kind[n] = one_kind[o->type];
      return true;
   }
   if ((o->kind != OPERAND_GRF && o->kind != OPERAND_ACC) || !shape(o, 0, channels, relative))
      return false;
   if (op->count == 2 && (!shape(o, 1, 8, second) || memcmp(relative, second, sizeof(second))))
      return false;
   if (o->kind == OPERAND_ACC)
      return select_lanes(d, op, n, relative);
   op->src[n][0] = o->offset[0];
   op->src[n][1] = o->offset[op->count == 2 ? 8 : 0];
   if (all_zero(relative)) {
      op->kind[n] = one_kind[o->type];
      return true;
   }
   if (in_a_row(relative, channels, type_size[o->type])) {
      op->kind[n] = row_kind[o->type];
      return true;
   }
   if (in_a_row(relative, channels, 4)) {
      op->kind[n] = low_kind[o->type];
      return true;
   }
   op->kind[n] = (uint8_t)(type_size[o->type] == 4 ? permutation(relative, op->vec[n], &lowest)
                                                   : near(o->type, relative, op->vec[n], &lowest));
   if (op->kind[n] >= FAST_GATHER_D)
      memcpy(op->vec[n], relative, sizeof(relative));
   else
      for (unsigned h = 0; h < 2; h++)
         op->src[n][h] = (uint16_t)(op->src[n][h] + lowest);
   return true;
}

static bool
select_dst(const struct eu_detail *d, struct eu_op *op)
{
   const struct op_operand *o = &d->dst;
   unsigned size = type_size[o->type];
   op->dst_kind = FAST_TO_NULL;
   if (o->kind == OPERAND_NULL)
      return true;
   if (flag_place(d, o) != OFFSET_NONE && size > 1) {
      op->dst[0] = op->dst[1] = (uint16_t)flag_place(d, o);
      op->dst_kind = size == 4 ? FAST_TO_DWORDS : FAST_TO_WORDS;
      return true;
   }
   if (o->kind != OPERAND_GRF || o->type == T_DF)
      return false;
   for (unsigned c = 0; c < d->exec_size; c++)
      if (o->offset[c] == OFFSET_NONE)
         return false;
   op->dst[0] = o->offset[0];
   op->dst[1] = o->offset[op->count == 2 ? 8 : 0];
   bool row = o->hstride == 1 || d->exec_size == 1;
   op->dst_kind = size == 4   ? (row ? FAST_TO_DWORDS : FAST_TO_STRIDED_D)
                  : size == 2 ? (row               ? FAST_TO_WORDS
                                 : o->hstride == 2 ? FAST_TO_LOW_W
                                                   : FAST_TO_STRIDED_W)
                              : FAST_TO_STRIDED_B;
   return true;
}

/* One step done as two: what the first eight write, the second eight must not read. */
static bool
independent(const struct eu_detail *d)
{
   const struct op_operand *r = &d->dst;
   if (d->halves == 2 || d->exec_size <= 8 || r->kind != OPERAND_GRF)
      return true;
   for (unsigned n = 0; n < d->sources; n++) {
      const struct op_operand *o = &d->src[n];
      for (unsigned w = 0; o->kind == OPERAND_GRF && w < 8; w++)
         for (unsigned c = 8; c < 16; c++)
            if (o->offset[c] < r->offset[w] + type_size[r->type] &&
                r->offset[w] < o->offset[c] + type_size[o->type])
               return false;
   }
   return true;
}

static void
settle_mask(const struct eu_detail *d, struct eu_op *op)
{
   op->count = d->exec_size == 16 ? 2 : 1;
   op->no_mask = d->no_mask ? UINT32_MAX : 0;
   op->channels = d->channels & d->chan_en;
   op->predicate = d->predicate;
   op->flag_reg = d->flag_reg;
   op->flag_shift = d->flag_shift;
}

/* sel chooses by a predicate or by a condition; by a condition the predicate disables. */
static bool
is_plain(const struct eu_detail *d, const struct eu_op *op)
{
   bool asks =
       d->opcode == EU_OP_SEL ? op->predicate && d->condition : op->predicate || d->condition;
   return op->dst_kind == FAST_TO_DWORDS && !asks;
}

/* What compilers make long numbers and divisions by constants of: mul to acc0, then mach; addc and
 * subb. */
static bool
select_accumulator(const struct eu_fast_functions *fast, const struct eu_detail *d,
                   struct eu_op *op)
{
   const struct op_operand *r = &d->dst;
   bool mul = d->opcode == EU_OP_MUL && r->kind == OPERAND_ACC && r->reg == 0 && r->hstride == 1;
   bool writes_too =
       (d->opcode == EU_OP_MACH || d->opcode == EU_OP_ADDC || d->opcode == EU_OP_SUBB) &&
       d->acc_write && (r->kind == OPERAND_GRF || r->kind == OPERAND_NULL);
   unsigned type = d->src[0].type;
   bool types = is_dword(type) && (d->src[1].type == type || d->src[1].type == T_UW);
   if (!(mul || writes_too) || d->exec_size != 8 || d->halves != 1 || d->early || d->paired ||
       d->align16 || d->saturate || d->condition || r->subreg || !is_dword(r->type) || !types ||
       has_modifier(&d->src[0]) || has_modifier(&d->src[1]) || d->flag_shift + 8 > 32)
      return false;
   settle_mask(d, op);
   if (!select_source(d, op, 0) || !select_source(d, op, 1) || (writes_too && !select_dst(d, op)))
      return false;
   op->operation = mul                       ? FAST_MUL_ACC
                   : d->opcode == EU_OP_MACH ? FAST_MACH
                   : d->opcode == EU_OP_ADDC ? FAST_ADDC
                                             : FAST_SUBB;
   op->fast = true;
   op->fn = fast->accumulator(op->operation, type == T_D);
   return true;
}

/* The multiplier takes the low word of a dword in source 1. */
static bool
take_low_words(const struct eu_detail *d, struct eu_op *op)
{
   if (has_modifier(&d->src[1]))
      return false;
   switch (op->kind[1]) {
   case FAST_CONST:
      for (unsigned c = 0; c < 8; c++)
         op->vec[1][c] &= 0xffff;
      return true;
   case FAST_VECTOR:
      op->kind[1] = FAST_LOW_UW;
      return true;
   case FAST_SCALAR:
      op->kind[1] = FAST_UWORD1;
      return true;
   default:
      return false;
   }
}

/* Would half 1 read what half 0 has written? */
static bool
halves_meet(const struct eu_detail *d, unsigned offset, unsigned size)
{
   unsigned at = d->dst.offset[0], written = d->exec_size * 4;
   return d->exec_size == 16 && d->dst.kind == OPERAND_GRF && at < offset + size &&
          offset < at + written;
}

/* What pixel shaders interpolate with. */
static bool
select_plane(const struct eu_fast_functions *fast, const struct eu_detail *d, struct eu_op *op)
{
   const struct op_operand *p = &d->src[0], *u = &d->src[1];
   unsigned rows = d->exec_size == 16 ? 4 : 2;
   if (d->opcode != EU_OP_PLN || (d->exec_size != 8 && d->exec_size != 16) || d->early ||
       d->acc_write || d->align16 || d->condition >= CONDITIONS || (d->condition && d->saturate) ||
       d->halves != d->exec_size / 8 || p->kind != OPERAND_GRF || u->kind != OPERAND_GRF ||
       p->type != T_F || u->type != T_F || d->dst.type != T_F || !p->scalar || has_modifier(p) ||
       has_modifier(u) || p->offset[0] == OFFSET_NONE || u->offset[0] == OFFSET_NONE ||
       u->offset[0] + rows * EU_REG_SIZE > EU_GRF_COUNT * EU_REG_SIZE ||
       halves_meet(d, p->offset[0] & ~15u, 16) || halves_meet(d, u->offset[0], rows * EU_REG_SIZE))
      return false;
   settle_mask(d, op);
   if (d->flag_shift + d->exec_size > 32 || !select_dst(d, op))
      return false;
   op->kind[0] = FAST_SCALAR;
   op->kind[1] = FAST_VECTOR;
   op->modifier[0] = op->modifier[1] = 0;
   for (unsigned h = 0; h < 2; h++) {
      op->src[0][h] = p->offset[0];
      op->src[1][h] = (uint16_t)(u->offset[0] + 2 * EU_REG_SIZE * h);
   }
   op->plain = is_plain(d, op);
   op->operation = FAST_F_PLN;
   op->fast = true;
   op->fn = fast->function(FAST_F_PLN, op, d->saturate);
   return true;
}

const struct eu_fast_functions *
eu_fast_choose(void)
{
   return HOST_CHOOSE(eu_fast);
}

void
eu_fast_select(const struct eu_fast_functions *fast, struct eu_detail *d, struct eu_op *op)
{
   if (select_accumulator(fast, d, op) || select_plane(fast, d, op))
      return;
   bool sizes = d->exec_size <= 8 || d->exec_size == 16;
   if (!d->alu || !sizes || d->early || d->paired || d->acc_write || d->exec_class == CLASS_DOUBLE)
      return;
   if (d->halves == 2 && d->exec_size < 16)
      return; /* small halves see each other's results */
   if (d->halves == 1 && d->exec_size == 16 && d->exec_class == CLASS_FLOAT)
      return; /* handing over goes by halves */
   enum fast_operation f = d->exec_class == CLASS_FLOAT ? float_operation(d) : int_operation(d);
   if (f == NONE)
      return;
   unsigned sources =
       d->opcode == EU_OP_MATH && f != FAST_F_FDIV && f != FAST_F_POW ? 1 : d->sources;
   settle_mask(d, op);
   if (d->flag_shift + d->exec_size > 32)
      return;
   for (unsigned n = 0; n < sources; n++) {
      bool f_source = d->src[n].type == T_F;
      if (f_source != (d->exec_class == CLASS_FLOAT) || !select_source(d, op, n))
         return;
   }
   if (f == FAST_I_MUL && is_dword(d->src[1].type) && !take_low_words(d, op))
      return;
   if (!select_dst(d, op) || !independent(d))
      return;
   op->plain = is_plain(d, op);
   op->operation = (uint8_t)f;
   op->fast = true;
   op->fn = fast->function(f, op, d->saturate);
}
