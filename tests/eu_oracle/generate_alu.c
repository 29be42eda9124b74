/* Families of instructions. */
#include "generate_parts.h"

#include <string.h>

#define PICK(g, list) ((list)[gen_pick(g, sizeof(list) / sizeof((list)[0]))])

static void
maybe_null(struct generator *g, struct eu_inst *i, unsigned percent)
{
   if (!gen_chance(g, percent))
      return;
   uint8_t type = i->dst.type, mask = i->dst.writemask;
   i->dst = (struct eu_operand){
       .file = EU_FILE_ARF, .nr = EU_ARF_NULL, .type = type, .hstride = 1, .writemask = mask};
}

/* Align16 works on dwords. */
static void
maybe_align16(struct generator *g, struct eu_inst *i)
{
   if (!gen_chance(g, 22))
      return;
   i->align16 = true;
   if (i->exec_size > 8 || i->exec_size < 4)
      i->exec_size = gen_chance(g, 50) ? 4 : 8;
   i->quarter = i->exec_size == 8 ? i->quarter : 0;
   i->nibble = 0;
}

static unsigned
int_type(struct generator *g, const struct eu_inst *i)
{
   return i->align16 ? (gen_chance(g, 50) ? EU_TYPE_D : EU_TYPE_UD) : gen_int_type(g);
}

static void
int_logic(struct generator *g, struct eu_inst *i)
{
   static const uint8_t ops[] = {EU_OP_AND, EU_OP_OR, EU_OP_XOR};
   i->opcode = PICK(g, ops);
   gen_dst(g, i, int_type(g, i));
   unsigned type = int_type(g, i);
   gen_register(g, i, 0, type, true);
   gen_last(g, i, 1, gen_chance(g, 70) ? type : int_type(g, i), true);
   gen_condition(g, i, 25, 2);
   if (i->cond_modifier)
      maybe_null(g, i, 20);
}

static void
int_shift(struct generator *g, struct eu_inst *i)
{
   static const uint8_t ops[] = {EU_OP_SHR, EU_OP_SHL, EU_OP_ASR};
   i->opcode = PICK(g, ops);
   gen_dst(g, i, int_type(g, i));
   unsigned type = int_type(g, i);
   gen_register(g, i, 0, type, false);
   gen_last(g, i, 1, gen_chance(g, 70) ? type : int_type(g, i), false);
   if (i->opcode != EU_OP_SHL) {
      gen_condition(g, i, 20, 6);
      i->saturate = gen_chance(g, 15);
   }
}

static void
int_arithmetic(struct generator *g, struct eu_inst *i)
{
   static const uint8_t ops[] = {EU_OP_ADD, EU_OP_ADD,  EU_OP_AVG, EU_OP_CMP,
                                 EU_OP_CMP, EU_OP_CMPN, EU_OP_SEL, EU_OP_SEL};
   i->opcode = PICK(g, ops);
   unsigned dst = int_type(g, i), type = int_type(g, i);
   if ((i->opcode == EU_OP_ADD || i->opcode == EU_OP_CMP) && gen_chance(g, 20))
      dst = EU_TYPE_F;
   if (i->opcode == EU_OP_SEL && gen_chance(g, 70))
      dst = type;
   gen_dst(g, i, dst);
   gen_register(g, i, 0, type, true);
   gen_last(g, i, 1, gen_chance(g, 70) || i->opcode == EU_OP_SEL ? type : int_type(g, i), true);
   switch (i->opcode) {
   case EU_OP_CMP:
   case EU_OP_CMPN:
      gen_condition(g, i, 100, 6);
      maybe_null(g, i, 40);
      break;
   case EU_OP_SEL:
      i->saturate = gen_chance(g, 15);
      gen_condition(g, i, 50, 6);
      break;
   default:
      i->saturate = gen_chance(g, 20);
      gen_condition(g, i, 25, dst == EU_TYPE_F ? 6 : 7);
      if (i->cond_modifier)
         maybe_null(g, i, 20);
   }
}

static void
int_multiply(struct generator *g, struct eu_inst *i)
{
   static const uint8_t small[] = {EU_TYPE_W, EU_TYPE_UW, EU_TYPE_B, EU_TYPE_UB};
   bool dword = i->align16 || gen_chance(g, 50);
   i->opcode = EU_OP_MUL;
   if (dword) {
      gen_dst(g, i, gen_chance(g, 50) ? EU_TYPE_D : EU_TYPE_UD);
      gen_register(g, i, 0, gen_chance(g, 50) ? EU_TYPE_D : EU_TYPE_UD, true);
      unsigned type = i->align16 || gen_chance(g, 50) ? (gen_chance(g, 50) ? EU_TYPE_D : EU_TYPE_UD)
                                                      : PICK(g, small);
      gen_last(g, i, 1, eu_type_size(type) == 1 ? EU_TYPE_W : type, eu_type_size(type) < 4);
      if (i->src[1].type & 8)
         i->src[1].type = EU_TYPE_W, i->src[1].imm &= 0xFFFF;
      return;
   }
   gen_dst(g, i, gen_int_type(g));
   gen_register(g, i, 0, PICK(g, small), true);
   gen_last(g, i, 1, PICK(g, small), true);
   i->saturate = gen_chance(g, 20);
   gen_condition(g, i, 20, 7);
}

static void
int_unary(struct generator *g, struct eu_inst *i)
{
   static const uint8_t ops[] = {EU_OP_NOT, EU_OP_BFREV, EU_OP_CBIT, EU_OP_FBH,
                                 EU_OP_FBL, EU_OP_LZD,   EU_OP_BFI1};
   i->opcode = PICK(g, ops);
   unsigned type = gen_chance(g, 50) ? EU_TYPE_D : EU_TYPE_UD;
   switch (i->opcode) {
   case EU_OP_NOT:
      gen_dst(g, i, int_type(g, i));
      gen_last(g, i, 0, int_type(g, i), true);
      gen_condition(g, i, 25, 2);
      return;
   case EU_OP_CBIT:
      gen_dst(g, i, EU_TYPE_UD);
      gen_register(g, i, 0,
                   i->align16 ? EU_TYPE_UD
                              : (uint8_t[]){EU_TYPE_UB, EU_TYPE_UW, EU_TYPE_UD}[gen_pick(g, 3)],
                   false);
      return;
   case EU_OP_FBH:
      gen_dst(g, i, EU_TYPE_UD);
      gen_register(g, i, 0, type, false);
      return;
   case EU_OP_LZD:
      gen_dst(g, i, EU_TYPE_UD);
      gen_register(g, i, 0, type, false);
      i->src[0].abs = type == EU_TYPE_D;
      gen_condition(g, i, 20, 6);
      i->saturate = gen_chance(g, 10);
      return;
   case EU_OP_BFI1:
      gen_dst(g, i, type);
      gen_register(g, i, 0, type, false);
      gen_last(g, i, 1, type, false);
      return;
   default:
      gen_dst(g, i, EU_TYPE_UD);
      gen_last(g, i, 0, EU_TYPE_UD, false);
   }
}

static void
float_binary(struct generator *g, struct eu_inst *i)
{
   static const uint8_t ops[] = {EU_OP_ADD, EU_OP_ADD,  EU_OP_MUL, EU_OP_MUL,
                                 EU_OP_CMP, EU_OP_CMPN, EU_OP_SEL, EU_OP_SEL};
   i->opcode = PICK(g, ops);
   unsigned dst = i->opcode == EU_OP_CMP && gen_chance(g, 40) ? int_type(g, i) : EU_TYPE_F;
   gen_dst(g, i, dst);
   gen_register(g, i, 0, EU_TYPE_F, true);
   gen_last(g, i, 1, EU_TYPE_F, true);
   switch (i->opcode) {
   case EU_OP_CMP:
   case EU_OP_CMPN:
      gen_condition(g, i, 100, 6);
      maybe_null(g, i, 40);
      break;
   case EU_OP_SEL:
      i->saturate = gen_chance(g, 15);
      gen_condition(g, i, 50, 6);
      break;
   default:
      i->saturate = gen_chance(g, 15);
      gen_condition(g, i, 20, 8);
      if (i->cond_modifier == EU_COND_O && g->directed)
         i->cond_modifier = EU_COND_NZ;
      if (i->cond_modifier)
         maybe_null(g, i, 20);
   }
}

static void
float_unary(struct generator *g, struct eu_inst *i)
{
   static const uint8_t ops[] = {EU_OP_FRC,  EU_OP_RNDU, EU_OP_RNDD, EU_OP_RNDE,
                                 EU_OP_RNDZ, EU_OP_MOV,  EU_OP_MOV};
   i->opcode = PICK(g, ops);
   gen_dst(g, i, EU_TYPE_F);
   gen_last(g, i, 0, EU_TYPE_F, true);
   if (i->src[0].file == EU_FILE_IMM && i->src[0].type == EU_TYPE_VF && i->opcode != EU_OP_MOV)
      i->src[0].type = EU_TYPE_F;
   i->saturate = i->opcode != EU_OP_FRC && gen_chance(g, 15);
   if (i->src[0].type == EU_TYPE_F)
      gen_condition(g, i, 20, 6);
}

static void
float_group(struct generator *g, struct eu_inst *i)
{
   static const uint8_t ops[] = {EU_OP_DP4, EU_OP_DPH, EU_OP_DP3, EU_OP_DP2, EU_OP_LINE, EU_OP_PLN};
   i->opcode = PICK(g, ops);
   bool line = i->opcode == EU_OP_LINE || i->opcode == EU_OP_PLN;
   if (line) {
      i->align16 = false;
      i->exec_size = gen_chance(g, 50) ? 8 : 16;
      i->quarter = i->exec_size == 16 ? 0 : i->quarter;
      i->nibble = 0;
   } else if (i->exec_size < 4) {
      i->exec_size = 4;
   }
   gen_dst(g, i, EU_TYPE_F);
   for (unsigned n = 0; n < 2; n++) {
      gen_register(g, i, n, EU_TYPE_F, !line);
      struct eu_operand *s = &i->src[n];
      s->indirect = false;
      if (!i->align16) {
         s->nr = (uint8_t)gen_pick(g, 124);
         s->subnr = i->exec_size == 4 ? (uint8_t)(gen_pick(g, 2) * 16) : 0;
         s->width = s->vstride = i->exec_size == 4 ? 4 : 8;
         s->hstride = 1;
      } else {
         s->nr = (uint8_t)gen_pick(g, 124);
      }
   }
   if (line) {
      i->src[0].vstride = 0, i->src[0].width = 1, i->src[0].hstride = 0;
      i->src[0].subnr = (uint8_t)(gen_pick(g, 2) * 16);
   }
   i->saturate = gen_chance(g, 15);
   gen_condition(g, i, 15, 6);
}

static void
conversion(struct generator *g, struct eu_inst *i)
{
   bool from_float = gen_chance(g, 40), to_float = gen_chance(g, 30);
   i->opcode = EU_OP_MOV;
   gen_dst(g, i, to_float ? EU_TYPE_F : int_type(g, i));
   gen_last(g, i, 0, from_float ? EU_TYPE_F : int_type(g, i), true);
   i->saturate = gen_chance(g, 25);
   if (i->dst.type == i->src[0].type)
      gen_condition(g, i, 20, 6);
   if (gen_chance(g, 4) && !from_float && !to_float && !i->align16) {
      i->exec_size = 32;
      i->quarter = 0;
      i->cond_modifier = 0;
   }
}

static void
half_float(struct generator *g, struct eu_inst *i)
{
   i->align16 = false;
   if (gen_chance(g, 50)) {
      i->opcode = EU_OP_F32TO16;
      gen_dst(g, i, EU_TYPE_W);
      i->dst.hstride = 2;
      i->dst.subnr &= ~3u;
      gen_register(g, i, 0, EU_TYPE_F, true);
   } else {
      i->opcode = EU_OP_F16TO32;
      gen_dst(g, i, EU_TYPE_F);
      gen_register(g, i, 0, EU_TYPE_W, false);
      i->saturate = gen_chance(g, 10);
   }
}

static void
three_source(struct generator *g, struct eu_inst *i)
{
   static const uint8_t ops[] = {EU_OP_MAD, EU_OP_MAD, EU_OP_MAD, EU_OP_LRP, EU_OP_BFE, EU_OP_BFI2};
   i->opcode = PICK(g, ops);
   bool is_float = i->opcode == EU_OP_MAD || i->opcode == EU_OP_LRP;
   unsigned type = is_float ? EU_TYPE_F : gen_chance(g, 50) ? EU_TYPE_D : EU_TYPE_UD;
   i->align16 = true;
   if (i->exec_size < 4)
      i->exec_size = 4;
   i->nibble = 0;
   gen_dst(g, i, type);
   if (i->dst.indirect) {
      i->dst.indirect = false;
      i->dst.nr = (uint8_t)gen_pick(g, 126);
   }
   for (unsigned n = 0; n < 3; n++) {
      struct eu_operand *s = &i->src[n];
      gen_register(g, i, n, type, is_float);
      s->indirect = false;
      s->nr = (uint8_t)gen_pick(g, 126);
      s->rep_ctrl = gen_chance(g, 30);
      s->vstride = 4;
      s->subnr = (uint8_t)(s->rep_ctrl         ? gen_pick(g, 8) * 4
                           : i->exec_size == 4 ? gen_pick(g, 2) * 16
                                               : 0);
      if (s->rep_ctrl)
         s->vstride = 0, s->width = 1, s->hstride = 0, s->swizzle = 0;
   }
   if (is_float) {
      i->saturate = i->opcode == EU_OP_MAD && gen_chance(g, 15);
      gen_condition(g, i, 15, 6);
   }
}

/* Bytes: ExecSize at least 2, words out. */
static void
sum_of_differences(struct generator *g, struct eu_inst *i)
{
   i->opcode = g->acc == ACC_W && gen_chance(g, 50) ? EU_OP_SADA2 : EU_OP_SAD2;
   i->align16 = false;
   if (i->exec_size < 4)
      i->exec_size = 8;
   if (i->exec_size == 4)
      i->nibble = 0;
   gen_dst(g, i, gen_chance(g, 50) ? EU_TYPE_W : EU_TYPE_UW);
   i->dst.hstride = 1;
   i->dst.subnr &= ~3u;
   gen_register(g, i, 0, gen_chance(g, 50) ? EU_TYPE_UB : EU_TYPE_B, true);
   gen_register(g, i, 1, gen_chance(g, 50) ? EU_TYPE_UB : EU_TYPE_B, true);
   i->saturate = gen_chance(g, 10);
   i->acc_write = g->acc == ACC_W && gen_chance(g, 50);
}

static void
finish_controls(struct generator *g, struct eu_inst *i)
{
   const struct eu_opcode_info *info = &eu_opcodes[i->opcode];
   bool sel = i->opcode == EU_OP_SEL;
   if (info->attrs & EU_OP_PREDICATE)
      gen_predicate(g, i);
   if (sel && i->cond_modifier)
      i->predicate = 0, i->predicate_inverse = false;
   if (sel && !i->cond_modifier && !i->predicate)
      i->predicate = 1;
   gen_keep_predicate_clear(i);
   enum exec_type e = oracle_exec_type(i);
   bool acc_ok = info->acc != EU_ACC_NONE && info->acc != EU_ACC_NODST && i->dst.type != EU_TYPE_DF;
   /* One kind of accumulator value in a program. */
   if (acc_ok && g->acc == ACC_F && e == EXEC_F && i->dst.type == EU_TYPE_F && gen_chance(g, 15))
      i->acc_write = true;
   if (acc_ok && g->acc == ACC_D && e == EXEC_D && eu_type_size(i->dst.type) == 4 &&
       i->exec_size <= 8 && gen_chance(g, 15))
      i->acc_write = true;
}

/* Of a hundred instructions. */
static const uint8_t shares[GEN_FAMILIES] = {8, 8, 14, 6, 6, 15, 6, 5, 6, 2, 7, 2, 5, 10};

static enum gen_family
any_family(struct generator *g)
{
   unsigned n = gen_pick(g, 100), family = 0;
   while (n >= shares[family])
      n -= shares[family++];
   return family;
}

static enum gen_family
pick_family(struct generator *g)
{
   enum gen_family family = any_family(g);
   if (g->families && gen_chance(g, 75))
      while (!(g->families >> family & 1))
         family = any_family(g);
   return family;
}

static void
draw(struct generator *g, const struct oracle *o, struct eu_inst *i)
{
   static void (*const make[GEN_ARCHITECTURE])(struct generator *, struct eu_inst *) = {
       int_logic,   int_shift,   int_arithmetic, int_multiply, int_unary,    float_binary,
       float_unary, float_group, conversion,     half_float,   three_source, sum_of_differences,
   };
   gen_controls(g, i);
   g->directed = o->cr0 >> 4 & 3;
   if (g->doubles) {
      gen_double(g, o, i);
      return;
   }
   enum gen_family family = pick_family(g);
   if (family == GEN_ACCUMULATOR) {
      gen_accumulator(g, o, i);
      return;
   }
   if (family == GEN_ARCHITECTURE) {
      gen_architecture(g, o, i);
      return;
   }
   if (family == GEN_HALF && o->cr0 & 1) /* ALT mode has none */
      family = GEN_THREE;
   if (family <= GEN_CONVERT)
      maybe_align16(g, i);
   make[family](g, i);
   finish_controls(g, i);
}

void
gen_instruction(struct generator *g, const struct oracle *o, struct eu_inst *out)
{
   for (unsigned tries = 0; tries < 1000; tries++) {
      draw(g, o, out);
      if (!out->predicate && !out->cond_modifier)
         out->flag_nr = out->flag_subnr = 0;
      /* Undefined: bit copies of infinities and NaN in ALT mode. */
      if ((o->cr0 & 1) && out->opcode == EU_OP_SEL && !out->cond_modifier &&
          out->dst.type == EU_TYPE_F)
         continue;
      if ((o->cr0 & 1) && out->dst.type == EU_TYPE_DF && out->src[0].type == EU_TYPE_F)
         continue;
      if (gen_legal(o, out))
         return;
   }
   memset(out, 0, sizeof(*out));
   out->opcode = EU_OP_NOP;
   out->exec_size = 1;
}
