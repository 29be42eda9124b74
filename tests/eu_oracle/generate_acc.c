/* Accumulators, doubles, architecture registers. */
#include "generate_parts.h"

#include <string.h>

#define PICK(g, list) ((list)[gen_pick(g, sizeof(list) / sizeof((list)[0]))])

static void
acc_source(struct eu_inst *i, unsigned type)
{
   unsigned row = 32 / eu_type_size(type), w = i->exec_size < row ? i->exec_size : row;
   i->src[0] = (struct eu_operand){
       .file = EU_FILE_ARF, .nr = EU_ARF_ACC, .type = (uint8_t)type, .width = (uint8_t)w};
   i->src[0].vstride = w > 1 ? (uint8_t)w : 0;
   i->src[0].hstride = w > 1;
}

static void
packed(struct generator *g, struct eu_inst *i, struct eu_operand *s, unsigned type)
{
   unsigned row = 32 / eu_type_size(type), w = i->exec_size < row ? i->exec_size : row;
   *s = (struct eu_operand){.file = EU_FILE_GRF,
                            .type = (uint8_t)type,
                            .nr = (uint8_t)gen_pick(g, 126),
                            .width = (uint8_t)w};
   s->vstride = w > 1 ? (uint8_t)w : 0;
   s->hstride = w > 1;
}

static void
packed_dst(struct generator *g, struct eu_inst *i, unsigned type)
{
   i->dst = (struct eu_operand){.file = EU_FILE_GRF,
                                .type = (uint8_t)type,
                                .nr = (uint8_t)gen_pick(g, 126),
                                .hstride = 1,
                                .writemask = 0xF};
}

static void
acc_dst(struct eu_inst *i, unsigned type)
{
   i->dst = (struct eu_operand){.file = EU_FILE_ARF,
                                .type = (uint8_t)type,
                                .nr = EU_ARF_ACC,
                                .hstride = 1,
                                .writemask = 0xF};
}

/* mov, add and mul to it; mov and add from it; mac; the 64-bit product by mul and mach. */
void
gen_accumulator(struct generator *g, const struct oracle *o, struct eu_inst *i)
{
   unsigned type = g->acc == ACC_F   ? EU_TYPE_F
                   : g->acc == ACC_D ? (gen_chance(g, 50) ? EU_TYPE_D : EU_TYPE_UD)
                                     : (gen_chance(g, 50) ? EU_TYPE_W : EU_TYPE_UW);
   (void)o;
   i->nibble = 0;
   i->quarter = 0;
   if (g->acc == ACC_W)
      i->exec_size = gen_chance(g, 60) ? 16 : 8;
   else if (g->acc == ACC_D)
      i->exec_size = gen_chance(g, 80) ? 8 : 4;
   else
      i->exec_size = gen_chance(g, 60) ? 8 : 16;
   gen_predicate(g, i);
   if (i->predicate > 3)
      i->predicate = 1;
   packed(g, i, &i->src[0], type);
   packed(g, i, &i->src[1], type);
   packed_dst(g, i, type);
   switch (gen_pick(g, 8)) {
   case 0:
      i->opcode = EU_OP_MOV;
      acc_dst(i, type);
      return;
   case 1:
      i->opcode = EU_OP_ADD;
      acc_dst(i, type);
      i->src[0].negate = gen_chance(g, 30);
      return;
   case 2:
      i->opcode = EU_OP_MUL;
      acc_dst(i, type);
      if (g->acc == ACC_D && gen_chance(g, 40)) { /* the low or the high words of dwords */
         i->src[1].type = EU_TYPE_UW;
         i->src[1].vstride = (uint8_t)(i->exec_size * 2);
         i->src[1].width = i->exec_size;
         i->src[1].hstride = 2;
         i->src[1].subnr = gen_chance(g, 50) ? 2 : 0;
      }
      return;
   case 3:
      i->opcode = EU_OP_MOV;
      acc_source(i, type);
      i->saturate = gen_chance(g, 20);
      return;
   case 4:
      i->opcode = EU_OP_ADD;
      acc_source(i, type);
      i->src[0].negate = gen_chance(g, 30);
      i->saturate = gen_chance(g, 20);
      return;
   case 5:
      if (g->acc == ACC_D) {
         i->opcode = EU_OP_MACH;
         i->exec_size = 8;
         packed(g, i, &i->src[0], type);
         packed(g, i, &i->src[1], type);
         i->acc_write = true;
         return;
      }
      i->opcode = EU_OP_MAC;
      i->saturate = gen_chance(g, 20);
      i->acc_write = gen_chance(g, 40);
      return;
   case 6:
      if (g->acc == ACC_D) {
         i->opcode = gen_chance(g, 50) ? EU_OP_ADDC : EU_OP_SUBB;
         i->src[0].type = i->src[1].type = i->dst.type = EU_TYPE_UD;
         i->acc_write = true;
         return;
      }
      i->opcode = EU_OP_MAC;
      i->acc_write = true;
      gen_condition(g, i, 20, 6);
      return;
   default:
      i->opcode = EU_OP_ADD;
      i->acc_write = true;
      i->saturate = gen_chance(g, 20);
      if (g->acc == ACC_F && i->exec_size == 8)
         i->quarter = (uint8_t)gen_pick(g, 4);
   }
}

/* Ivy Bridge: sizes and strides count dwords. */
static void
double_source(struct generator *g, struct eu_inst *i, unsigned n, unsigned type)
{
   struct eu_operand *s = &i->src[n];
   *s = (struct eu_operand){
       .file = EU_FILE_GRF, .type = (uint8_t)type, .nr = (uint8_t)gen_pick(g, 126)};
   s->negate = gen_chance(g, 20);
   s->abs = gen_chance(g, 12);
   if (gen_chance(g, 30)) {
      s->vstride = 0, s->width = 2, s->hstride = 1;
      s->subnr = (uint8_t)(gen_pick(g, 4) * 8);
      if (i->exec_size == 2)
         s->vstride = 2;
   } else {
      s->vstride = s->width = i->exec_size, s->hstride = 1;
   }
}

void
gen_double(struct generator *g, const struct oracle *o, struct eu_inst *i)
{
   static const uint8_t ops[] = {EU_OP_MOV, EU_OP_ADD,  EU_OP_ADD, EU_OP_MUL, EU_OP_MUL,
                                 EU_OP_CMP, EU_OP_CMPN, EU_OP_SEL, EU_OP_MAD};
   static const uint8_t sizes[] = {8, 8, 4, 2};
   (void)o;
   i->opcode = PICK(g, ops);
   i->exec_size = PICK(g, sizes);
   i->nibble = gen_chance(g, 30);
   i->dst = (struct eu_operand){.file = EU_FILE_GRF,
                                .type = EU_TYPE_DF,
                                .nr = (uint8_t)gen_pick(g, 126),
                                .hstride = 1,
                                .writemask = 0xF};
   if (i->exec_size < 8)
      i->dst.subnr =
          i->exec_size == 2 ? (uint8_t)(gen_pick(g, 4) * 8) : (uint8_t)(gen_pick(g, 2) * 16);
   for (unsigned n = 0; n < 2; n++)
      double_source(g, i, n, EU_TYPE_DF);
   if (gen_chance(g, 25))
      i->predicate = 1, i->predicate_inverse = gen_chance(g, 50);
   switch (i->opcode) { /* masks: one channel per double */
   case EU_OP_MAD:
      i->align16 = true;
      i->exec_size = gen_chance(g, 50) ? 8 : 4;
      i->dst.subnr = 0;
      for (unsigned n = 0; n < 3; n++) {
         i->src[n] = (struct eu_operand){.file = EU_FILE_GRF,
                                         .type = EU_TYPE_DF,
                                         .nr = (uint8_t)gen_pick(g, 126),
                                         .vstride = 4,
                                         .width = 4,
                                         .hstride = 1,
                                         .swizzle = gen_chance(g, 60)   ? 0xE4
                                                    : gen_chance(g, 50) ? 0x44
                                                                        : 0xEE};
         i->src[n].negate = gen_chance(g, 20);
      }
      i->dst.writemask = (uint8_t[]){0xF, 0xF, 3, 12}[gen_pick(g, 4)];
      break;
   case EU_OP_CMP:
   case EU_OP_CMPN:
      gen_condition(g, i, 100, 6);
      break;
   case EU_OP_SEL:
      i->predicate = 0, i->predicate_inverse = false;
      if (gen_chance(g, 50))
         gen_condition(g, i, 100, 6);
      else
         i->predicate = 1;
      break;
   case EU_OP_MOV:
      if (gen_chance(g, 40)) {
         static const uint8_t types[] = {EU_TYPE_F, EU_TYPE_D, EU_TYPE_UD};
         double_source(g, i, 0, PICK(g, types));
      }
      i->saturate = gen_chance(g, 20);
      break;
   default:
      i->saturate = gen_chance(g, 15);
      gen_condition(g, i, 15, 6);
   }
}

static void
scalar(struct eu_operand *s, unsigned file, unsigned nr, unsigned subnr, unsigned type)
{
   *s = (struct eu_operand){.file = (uint8_t)file,
                            .nr = (uint8_t)nr,
                            .subnr = (uint8_t)subnr,
                            .type = (uint8_t)type,
                            .width = 1};
}

static void
set_address(struct generator *g, struct eu_inst *i)
{
   unsigned s = gen_pick(g, 8);
   scalar(&i->dst, EU_FILE_ARF, EU_ARF_A, s * 2, EU_TYPE_UW);
   i->dst.hstride = 1;
   if (gen_chance(g, 70)) {
      i->opcode = EU_OP_MOV;
      gen_immediate(g, i, 0, EU_TYPE_UW);
      i->src[0].imm = gen_pick(g, 127) * 32;
      i->src[0].imm += gen_chance(g, 60) ? 0 : gen_pick(g, 8) * 4;
      i->src[0].imm += gen_chance(g, 10) ? 0xF000 : 0;
   } else {
      i->opcode = EU_OP_ADD;
      scalar(&i->src[0], EU_FILE_ARF, EU_ARF_A, s * 2, EU_TYPE_UW);
      gen_immediate(g, i, 1, EU_TYPE_UW);
      i->src[1].imm = gen_pick(g, 32) * 32;
   }
}

static void
change_control(struct generator *g, struct eu_inst *i)
{
   static const uint32_t bits[] = {0x10, 0x20, 0x30, 0x01, 0x02, 0x40};
   bool set = gen_chance(g, 50);
   uint32_t v = PICK(g, bits);
   i->opcode = set ? EU_OP_OR : EU_OP_AND;
   scalar(&i->dst, EU_FILE_ARF, EU_ARF_CR, 0, EU_TYPE_UD);
   i->dst.hstride = 1;
   scalar(&i->src[0], EU_FILE_ARF, EU_ARF_CR, 0, EU_TYPE_UD);
   gen_immediate(g, i, 1, EU_TYPE_UD);
   i->src[1].imm = set ? v : (uint32_t)~v;
   i->thread_control = 2;
}

static void
read_register(struct generator *g, struct eu_inst *i)
{
   static const uint8_t regs[] = {EU_ARF_FLAG, EU_ARF_FLAG + 1, EU_ARF_A,  EU_ARF_SR,
                                  EU_ARF_CE,   EU_ARF_CR,       EU_ARF_IP, EU_ARF_NULL};
   unsigned nr = PICK(g, regs);
   i->opcode = EU_OP_MOV;
   gen_dst(g, i, EU_TYPE_UD);
   scalar(&i->src[0], EU_FILE_ARF, nr, nr == EU_ARF_SR ? 8 + gen_pick(g, 2) * 4 : 0, EU_TYPE_UD);
   if (nr == EU_ARF_A || nr == EU_ARF_FLAG) {
      i->src[0].type = EU_TYPE_UW;
      i->src[0].subnr = (uint8_t)(gen_pick(g, nr == EU_ARF_A ? 8 : 2) * 2);
   }
}

void
gen_architecture(struct generator *g, const struct oracle *o, struct eu_inst *i)
{
   (void)o;
   i->exec_size = 1;
   i->quarter = i->nibble = 0;
   i->no_mask = true;
   switch (gen_pick(g, 10)) {
   case 0:
   case 1:
   case 2:
   case 3:
      set_address(g, i);
      return;
   case 4:
      change_control(g, i);
      return;
   case 5:
   case 6:
      read_register(g, i);
      i->no_mask = gen_chance(g, 60);
      return;
   case 7: /* a flag from a register or a number */
      i->opcode = EU_OP_MOV;
      scalar(&i->dst, EU_FILE_ARF, EU_ARF_FLAG + gen_pick(g, 2), 0, EU_TYPE_UW);
      i->dst.subnr = (uint8_t)(gen_pick(g, 2) * 2);
      i->dst.hstride = 1;
      gen_immediate(g, i, 0, EU_TYPE_UW);
      i->src[0].imm = gen_random(g) & 0xFFFF;
      return;
   case 8:
      i->opcode = EU_OP_MOVI;
      i->exec_size = gen_chance(g, 60) ? 8 : 4;
      {
         static const uint8_t types[] = {EU_TYPE_UB, EU_TYPE_W,  EU_TYPE_UD, EU_TYPE_F,
                                         EU_TYPE_D,  EU_TYPE_UW, EU_TYPE_B};
         unsigned type = PICK(g, types);
         gen_dst(g, i, type);
         i->dst.indirect = false;
         i->dst.nr = (uint8_t)gen_pick(g, 127);
         i->dst.hstride = 1;
         i->dst.subnr =
             i->exec_size == 4 && eu_type_size(type) == 4 ? (uint8_t)(gen_pick(g, 2) * 16) : 0;
         i->src[0] = (struct eu_operand){.file = EU_FILE_GRF,
                                         .type = (uint8_t)type,
                                         .indirect = true,
                                         .width = 1,
                                         .addr_imm = (int16_t)((int)gen_pick(g, 32) * 32 - 512)};
         unsigned w = i->exec_size;
         i->src[0].vstride = (uint8_t)w, i->src[0].width = (uint8_t)w, i->src[0].hstride = 1;
      }
      return;
   default:
      i->opcode = gen_chance(g, 50) ? EU_OP_NOP : EU_OP_JMPI;
      if (i->opcode == EU_OP_JMPI) {
         gen_immediate(g, i, 0, EU_TYPE_D);
         i->src[0].imm = 0;
         i->predicate = (uint8_t)gen_pick(g, 2);
      }
   }
}
