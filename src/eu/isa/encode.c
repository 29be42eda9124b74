/* struct eu_inst to the full form. Fields that text does not show get the state that the reference
 * assembler gives them, so that equal text means equal bytes. */
#include "eu/isa/isa.h"
#include "eu/isa/isa_tables.h"

#include <string.h>

static unsigned
log2_of(unsigned v)
{
   unsigned n = 0;
   while (v >>= 1)
      n++;
   return n;
}

/* 0, 1, 2, 4, 8 … are coded 0, 1, 2, 3, 4 … */
static unsigned
stride_code(unsigned elements)
{
   return elements ? log2_of(elements) + 1 : 0;
}

static void
encode_controls(const struct eu_inst *i, uint32_t dw[4])
{
   eu_field_set(dw, EU_FIELD_OPCODE, i->opcode);
   eu_field_set(dw, EU_FIELD_ACCESS_MODE, i->align16);
   eu_field_set(dw, EU_FIELD_MASK_CONTROL, i->no_mask);
   eu_field_set(dw, EU_FIELD_NO_DD_CLEAR, i->no_dd_clear);
   eu_field_set(dw, EU_FIELD_NO_DD_CHECK, i->no_dd_check);
   eu_field_set(dw, EU_FIELD_QUARTER, i->quarter);
   eu_field_set(dw, EU_FIELD_THREAD_CONTROL, i->thread_control);
   eu_field_set(dw, EU_FIELD_PREDICATE, i->predicate);
   eu_field_set(dw, EU_FIELD_PREDICATE_INVERSE, i->predicate_inverse);
   eu_field_set(dw, EU_FIELD_EXEC_SIZE, log2_of(i->exec_size));
   eu_field_set(dw, EU_FIELD_ACC_WRITE, i->acc_write);
   eu_field_set(dw, EU_FIELD_DEBUG, i->debug);
   eu_field_set(dw, EU_FIELD_SATURATE, i->saturate);
}

static void
encode_dst(const struct eu_inst *i, const struct eu_operand *o, uint32_t dw[4])
{
   eu_field_set(dw, EU_FIELD_DST_FILE, o->file);
   eu_field_set(dw, EU_FIELD_DST_TYPE, o->type);
   eu_field_set(dw, EU_FIELD_DST_ADDR_MODE, o->indirect);
   eu_field_set(dw, EU_FIELD_DST_HSTRIDE, i->align16 ? 1 : stride_code(o->hstride));
   if (o->indirect) {
      eu_field_set(dw, EU_FIELD_DST_ADDR_SUBNR, o->addr_subnr);
      eu_field_set(dw, EU_FIELD_DST_ADDR_IMM, (uint16_t)o->addr_imm);
   } else {
      eu_field_set(dw, EU_FIELD_DST_NR, o->nr);
      eu_field_set(dw, EU_FIELD_DST_SUBNR, o->subnr);
   }
   if (i->align16)
      eu_field_set(dw, EU_FIELD_DST_WRITEMASK, o->writemask);
}

static void
encode_source(const struct eu_inst *i, unsigned n, const struct eu_operand *o, uint32_t dw[4])
{
   const struct eu_source_fields *f = &eu_source_fields[n];
   eu_field_set(dw, f->file, o->file);
   eu_field_set(dw, f->type, o->type & 7);
   if (o->file == EU_FILE_IMM) {
      uint32_t imm = (uint32_t)o->imm;
      /* A 16-bit immediate is stored twice. */
      if (o->type == EU_TYPE_UW || o->type == EU_TYPE_W)
         imm = (imm & 0xFFFF) * 0x10001u;
      eu_field_set(dw, EU_FIELD_IMM32, imm);
      return;
   }
   eu_field_set(dw, f->abs, o->abs);
   eu_field_set(dw, f->negate, o->negate);
   eu_field_set(dw, f->addr_mode, o->indirect);
   eu_field_set(dw, f->vstride,
                o->vstride == EU_VSTRIDE_VXH ? EU_VSTRIDE_VXH : stride_code(o->vstride));
   if (o->indirect) {
      eu_field_set(dw, f->addr_subnr, o->addr_subnr);
      eu_field_set(dw, f->addr_imm, (uint16_t)o->addr_imm);
   } else {
      eu_field_set(dw, f->nr, o->nr);
      eu_field_set(dw, f->subnr, o->subnr);
   }
   if (i->align16) {
      eu_field_set(dw, f->swizzle_xy, o->swizzle & 0xF);
      eu_field_set(dw, f->swizzle_zw, o->swizzle >> 4);
   } else {
      eu_field_set(dw, f->width, log2_of(o->width));
      eu_field_set(dw, f->hstride, stride_code(o->hstride));
   }
}

static void
encode_flag(const struct eu_inst *i, uint32_t dw[4])
{
   eu_field_set(dw, EU_FIELD_FLAG_NR, i->flag_nr);
   eu_field_set(dw, EU_FIELD_FLAG_SUBNR, i->flag_subnr);
   eu_field_set(dw, EU_FIELD_NIBBLE, i->nibble);
}

static void
encode_basic(const struct eu_inst *i, unsigned sources, uint32_t dw[4])
{
   encode_dst(i, &i->dst, dw);
   encode_source(i, 0, &i->src[0], dw);
   encode_flag(i, dw);
   if (sources == 2)
      encode_source(i, 1, &i->src[1], dw);
   else if (i->src[0].file == EU_FILE_IMM)
      eu_field_set(dw, EU_FIELD_SRC1_TYPE, i->src[0].type & 7);
}

static unsigned
three_type(unsigned type)
{
   switch (type) {
   case EU_TYPE_D:
      return 1;
   case EU_TYPE_UD:
      return 2;
   case EU_TYPE_DF:
      return 3;
   default:
      return 0;
   }
}

static void
encode_three(const struct eu_inst *i, uint32_t dw[4])
{
   eu_field_set(dw, EU_FIELD_THREE_NIBBLE, i->nibble);
   eu_field_set(dw, EU_FIELD_THREE_FLAG_NR, i->flag_nr);
   eu_field_set(dw, EU_FIELD_THREE_FLAG_SUBNR, i->flag_subnr);
   eu_field_set(dw, EU_FIELD_THREE_SRC_TYPE, three_type(i->src[0].type));
   eu_field_set(dw, EU_FIELD_THREE_DST_TYPE, three_type(i->dst.type));
   eu_field_set(dw, EU_FIELD_THREE_DST_WRITEMASK, i->dst.writemask);
   eu_field_set(dw, EU_FIELD_THREE_DST_SUBNR, i->dst.subnr / 4);
   eu_field_set(dw, EU_FIELD_THREE_DST_NR, i->dst.nr);
   for (unsigned n = 0; n < 3; n++) {
      const struct eu_operand *o = &i->src[n];
      const struct eu_three_source_fields *f = &eu_three_source_fields[n];
      eu_field_set(dw, f->abs, o->abs);
      eu_field_set(dw, f->negate, o->negate);
      eu_field_set(dw, f->rep, o->rep_ctrl);
      eu_field_set(dw, f->swizzle, o->rep_ctrl ? 0 : o->swizzle);
      eu_field_set(dw, f->subnr, o->subnr / 4);
      eu_field_set(dw, f->nr, o->nr);
   }
}

/* The operands that a branch shows to nobody. */
static void
encode_branch(const struct eu_inst *i, unsigned device, uint32_t dw[4])
{
   struct eu_operand dst = {.type = EU_TYPE_D, .hstride = 1, .writemask = 0xF};
   struct eu_operand src = {
       .type = EU_TYPE_D, .vstride = 8, .width = 8, .hstride = 1, .swizzle = 0xE4};
   unsigned imm_type = EU_TYPE_D;
   switch (i->opcode) {
   case EU_OP_IF:
      src.vstride = 0, src.width = 1, src.hstride = 0;
      imm_type = EU_TYPE_W;
      break;
   case EU_OP_ELSE:
   case EU_OP_ENDIF:
   case EU_OP_WHILE:
      imm_type = EU_TYPE_W;
      break;
   case EU_OP_CONT:
      dst.nr = src.nr = EU_ARF_IP;
      dst.type = src.type = EU_TYPE_UD;
      src.vstride = 4, src.width = 1, src.hstride = 0;
      break;
   case EU_OP_CALL:
   case EU_OP_CALLA:
      dst = i->dst;
      imm_type = device & HW_HSW ? EU_TYPE_D : EU_TYPE_W;
      break;
   default:
      break;
   }
   if (i->align16 && src.vstride == 8)
      src.vstride = 4;
   encode_dst(i, &dst, dw);
   encode_source(i, 0, &src, dw);
   encode_flag(i, dw);
   eu_field_set(dw, EU_FIELD_SRC1_FILE, EU_FILE_IMM);
   eu_field_set(dw, EU_FIELD_SRC1_TYPE, imm_type);
   if ((i->opcode == EU_OP_CALL || i->opcode == EU_OP_CALLA) && (device & HW_HSW)) {
      eu_field_set(dw, EU_FIELD_JIP32, (uint32_t)i->jip);
      return;
   }
   eu_field_set(dw, EU_FIELD_JIP, (uint16_t)i->jip);
   eu_field_set(dw, EU_FIELD_UIP, (uint16_t)i->uip);
}

static void
encode_jmpi(const struct eu_inst *i, uint32_t dw[4])
{
   struct eu_operand ip = {.nr = EU_ARF_IP, .type = EU_TYPE_UD, .hstride = 1, .writemask = 0xF};
   encode_dst(i, &ip, dw);
   ip = (struct eu_operand){
       .nr = EU_ARF_IP, .type = EU_TYPE_UD, .vstride = 4, .width = 1, .swizzle = 0xE4};
   encode_source(i, 0, &ip, dw);
   encode_source(i, 1, &i->src[0], dw);
   encode_flag(i, dw);
}

static void
encode_send(const struct eu_inst *i, uint32_t dw[4])
{
   encode_dst(i, &i->dst, dw);
   encode_source(i, 0, &i->src[0], dw);
   encode_flag(i, dw);
   if (i->desc_is_reg) {
      encode_source(i, 1, &i->src[1], dw);
   } else {
      eu_field_set(dw, EU_FIELD_SRC1_FILE, EU_FILE_IMM);
      eu_field_set(dw, EU_FIELD_SRC1_TYPE, EU_TYPE_UD);
      eu_field_set(dw, EU_FIELD_IMM32, i->desc);
   }
   eu_field_set(dw, EU_FIELD_EOT, i->eot);
}

/* wait's one operand is destination and source. */
static void
encode_wait(const struct eu_inst *i, uint32_t dw[4])
{
   struct eu_operand src = i->dst;
   struct eu_operand null = {
       .type = EU_TYPE_F, .vstride = i->align16 ? 4 : 8, .width = 8, .hstride = 1, .swizzle = 0xE4};
   unsigned last = 0;
   while (last < 3 && !(i->dst.writemask >> last & 1))
      last++;
   src.vstride = 0, src.width = 1, src.hstride = 0, src.swizzle = 0;
   for (unsigned n = 0; n < 4; n++) {
      if (i->dst.writemask >> n & 1)
         last = n;
      src.swizzle |= (uint8_t)(last << n * 2);
   }
   encode_dst(i, &i->dst, dw);
   encode_source(i, 0, &src, dw);
   encode_source(i, 1, &null, dw);
   encode_flag(i, dw);
}

static void
encode_dim(const struct eu_inst *i, uint32_t dw[4])
{
   encode_dst(i, &i->dst, dw);
   eu_field_set(dw, EU_FIELD_NIBBLE, i->nibble);
   eu_field_set(dw, EU_FIELD_SRC0_FILE, EU_FILE_IMM);
   eu_field_set(dw, EU_FIELD_SRC0_TYPE, EU_TYPE_F);
   eu_field_set(dw, EU_FIELD_SRC1_TYPE, EU_TYPE_F);
   eu_field_set(dw, EU_FIELD_IMM64, i->src[0].imm);
}

void
eu_inst_encode(const struct eu_inst *i, unsigned device, uint32_t dw[4])
{
   const struct eu_opcode_info *info = &eu_opcodes[i->opcode & 127];
   memset(dw, 0, EU_INST_SIZE);
   if (info->format == EU_FORMAT_NOP) {
      eu_field_set(dw, EU_FIELD_OPCODE, i->opcode);
      eu_field_set(dw, EU_FIELD_DEBUG, i->debug);
      return;
   }
   encode_controls(i, dw);
   eu_field_set(dw, EU_FIELD_COND_MODIFIER, i->cond_modifier);
   switch (info->format) {
   case EU_FORMAT_ILLEGAL:
      break;
   case EU_FORMAT_THREE:
      encode_three(i, dw);
      break;
   case EU_FORMAT_BRANCH:
   case EU_FORMAT_CALL:
      encode_branch(i, device, dw);
      break;
   case EU_FORMAT_JMPI:
      encode_jmpi(i, dw);
      break;
   case EU_FORMAT_SEND:
      eu_field_set(dw, EU_FIELD_COND_MODIFIER, i->sfid);
      encode_send(i, dw);
      break;
   case EU_FORMAT_WAIT:
      encode_wait(i, dw);
      break;
   case EU_FORMAT_DIM:
      encode_dim(i, dw);
      break;
   case EU_FORMAT_MATH:
      eu_field_set(dw, EU_FIELD_COND_MODIFIER, i->math_function);
      encode_basic(i, 2, dw);
      break;
   default:
      encode_basic(i, info->sources, dw);
   }
}
