/* From a decoded instruction to an operation: offsets, execution class, functions. */
#include "eu/alu_ops.h"
#include "eu/arf.h"
#include "eu/convert.h"
#include "eu/step.h"

/* ---- operands ------------------------------------------------------------------------------- */

static uint32_t
expand_vf(uint8_t b)
{
   if (!(b & 0x7f))
      return (uint32_t)b << 24;
   return (uint32_t)(b & 0x80) << 24 | (uint32_t)((b >> 4 & 7) + 124) << 23 |
          (uint32_t)(b & 15) << 19;
}

/* EU-040, EU-041: vector immediates become elements that a region reads; others one element. */
static void
lower_immediate(struct op_operand *o, const struct eu_operand *in)
{
   uint32_t imm = (uint32_t)in->imm;
   uint16_t words[8];
   o->kind = OPERAND_IMM;
   o->width = 1;
   o->scalar = true;
   switch (in->type) {
   case EU_TYPE_V:
   case EU_TYPE_UV:
      for (unsigned i = 0; i < 8; i++) {
         uint16_t v = imm >> (4 * i) & 15;
         words[i] = in->type == EU_TYPE_V && v & 8 ? (uint16_t)(v | 0xfff0) : v;
      }
      memcpy(o->imm, words, sizeof(words));
      o->type = in->type == EU_TYPE_V ? T_W : T_UW;
      o->scalar = false;
      for (unsigned c = 0; c < 32; c++)
         o->offset[c] = (uint16_t)(c % 8 * 2);
      break;
   case EU_TYPE_VF:
      for (unsigned i = 0; i < 4; i++)
         o->imm[i] = expand_vf((uint8_t)(imm >> (8 * i)));
      o->type = T_F;
      o->scalar = false;
      for (unsigned c = 0; c < 32; c++)
         o->offset[c] = (uint16_t)(c % 4 * 4);
      break;
   case EU_TYPE_DF:
      o->imm[0] = imm;
      o->imm[1] = (uint32_t)(in->imm >> 32);
      for (unsigned c = 0; c < 32; c++)
         o->offset[c] = (uint16_t)(c % 2 * 4);
      break;
   default:
      o->imm[0] = imm;
      break;
   }
}

static uint16_t
in_file(const struct op_operand *o, uint32_t start, uint32_t offset)
{
   if (o->kind == OPERAND_INDIRECT || o->kind == OPERAND_ACC)
      return (uint16_t)offset;
   uint32_t limit = o->kind == OPERAND_GRF ? EU_GRF_COUNT * EU_REG_SIZE : ARF_IMAGE_SIZE;
   uint32_t at = start + offset;
   return at + o->step > limit ? OFFSET_NONE : (uint16_t)at;
}

static uint32_t
operand_start(const struct op_operand *o)
{
   switch (o->kind) {
   case OPERAND_GRF:
      return o->reg * (uint32_t)EU_REG_SIZE + o->subreg;
   case OPERAND_ARF:
      return o->subreg;
   default:
      return 0;
   }
}

/* EU-072, EU-074: offset of channel c of a source from the operand's start. */
static uint32_t
source_offset(const struct op_operand *o, bool align16, unsigned c)
{
   if (o->scalar)
      return 0;
   if (align16)
      return c / 4 * o->vstride * o->step + o->swizzle[c % 4] * o->step;
   unsigned vstride = o->vstride == 0xff ? 0 : o->vstride;
   return (c / o->width * vstride + c % o->width * o->hstride) * o->step;
}

static uint8_t
kind_of(uint8_t file, uint8_t nr, bool indirect)
{
   if (file == EU_FILE_IMM)
      return OPERAND_IMM;
   if (file != EU_FILE_ARF)
      return indirect ? OPERAND_INDIRECT : OPERAND_GRF;
   if (nr < 0x10)
      return OPERAND_NULL;
   return (nr & 0xf0) == EU_ARF_ACC ? OPERAND_ACC : OPERAND_ARF;
}

static void
lower_register(struct op_operand *o, const struct eu_operand *in)
{
   o->kind = kind_of(in->file, in->nr, in->indirect);
   o->type = in->type & 7;
   o->step = o->type == T_DF ? 4 : type_size[o->type];
   o->reg = o->kind == OPERAND_ACC ? in->nr & 1 : in->nr;
   o->subreg = in->subnr;
   o->abs = in->abs;
   o->negate = in->negate;
   o->hstride = in->hstride;
   o->addr_sub = in->addr_subnr;
   o->addr_imm = in->addr_imm;
}

static void
lower_source(struct eu_detail *d, unsigned n)
{
   const struct eu_operand *in = &d->inst.src[n];
   struct op_operand *o = &d->src[n];
   memset(o, 0, sizeof(*o));
   if (in->file == EU_FILE_IMM) {
      o->type = in->type & 7;
      lower_immediate(o, in);
      o->step = type_size[o->type]; /* of a packed vector: that of its elements */
      return;
   }
   lower_register(o, in);
   o->vstride = in->vstride == EU_VSTRIDE_VXH && !in->rep_ctrl ? 0xff : in->vstride;
   o->width = in->width ? in->width : 1;
   for (unsigned i = 0; i < 4; i++)
      o->swizzle[i] = in->swizzle >> (2 * i) & 3;
   o->scalar = in->rep_ctrl || (!d->align16 && in->vstride == 0 && in->hstride == 0);
   uint32_t start = operand_start(o);
   if (o->kind == OPERAND_ACC)
      start = 0;
   for (unsigned c = 0; c < 32; c++) {
      uint32_t extra = o->kind == OPERAND_ACC ? o->subreg : 0;
      o->offset[c] = in_file(o, start, extra + source_offset(o, d->align16, c));
   }
}

/* EU-073 */
static void
lower_dst(struct eu_detail *d)
{
   const struct eu_operand *in = &d->inst.dst;
   struct op_operand *o = &d->dst;
   memset(o, 0, sizeof(*o));
   lower_register(o, in);
   if (o->kind == OPERAND_IMM)
      o->kind = OPERAND_NULL;
   unsigned hstride = d->align16 || !o->hstride ? 1 : o->hstride;
   o->hstride = (uint8_t)hstride;
   o->chan_en = in->writemask;
   uint32_t start = operand_start(o), extra = o->kind == OPERAND_ACC ? o->subreg : 0;
   for (unsigned c = 0; c < 32; c++)
      o->offset[c] = in_file(o, start, extra + c * hstride * o->step);
}

/* ---- execution class ------------------------------------------------------------------------ */

/* EU-042 */
static void
execution_type(struct eu_detail *d)
{
   bool f = false, df = false, dword = false;
   for (unsigned n = 0; n < d->sources; n++) {
      const struct op_operand *o = &d->src[n];
      if (d->opcode == EU_OP_MATH && n == 1 && o->kind == OPERAND_NULL)
         continue;
      f = f || o->type == T_F;
      df = df || o->type == T_DF;
      dword = dword || o->type == T_UD || o->type == T_D;
   }
   d->exec_class = df ? CLASS_DOUBLE : f ? CLASS_FLOAT : CLASS_INT;
   d->exec_width = dword ? 32 : 16;
   if (d->opcode == EU_OP_F16TO32)
      d->exec_class = CLASS_FLOAT;
   d->paired = df || d->dst.type == T_DF;
}

/* Two halves: the destination lies evenly in two registers. A null one counts as if it were real.
 */
static unsigned
halves(const struct eu_detail *d)
{
   const struct op_operand *o = &d->dst;
   if (d->exec_size < 2)
      return 1;
   unsigned sub = d->align16 ? o->subreg & 16 : o->subreg;
   if (o->kind == OPERAND_INDIRECT)
      sub = 0;
   unsigned pitch = o->hstride * o->step, in_first = 0;
   for (unsigned c = 0; c < d->exec_size; c++)
      in_first += sub + c * pitch < EU_REG_SIZE;
   return in_first * 2 == d->exec_size ? 2 : 1;
}

static bool
in_one_register(const struct op_operand *o, unsigned channels)
{
   for (unsigned c = 0; c < channels; c++)
      if (o->offset[c] == OFFSET_NONE || o->offset[c] / EU_REG_SIZE != o->offset[0] / EU_REG_SIZE)
         return false;
   return true;
}

/* EU-077: packed words that feed two registers of dwords are one register, read once: what half 0
 * writes there half 1 does not see. */
static uint8_t
early_sources(const struct eu_detail *d)
{
   uint8_t early = 0;
   bool anywhere = d->dst.kind == OPERAND_INDIRECT;
   if (d->halves != 2 || d->exec_size != 16 || d->align16 ||
       (d->dst.kind != OPERAND_GRF && !anywhere))
      return 0;
   for (unsigned n = 0; n < d->sources; n++) {
      const struct op_operand *o = &d->src[n];
      bool words = o->kind == OPERAND_GRF && type_size[o->type] == 2 && !o->scalar;
      if (words && in_one_register(o, d->exec_size) &&
          (anywhere || o->offset[0] / EU_REG_SIZE == d->dst.offset[0] / EU_REG_SIZE))
         early |= (uint8_t)(1u << n);
   }
   return early;
}

static bool
is_raw_move(const struct eu_detail *d)
{
   const struct op_operand *a = &d->src[0], *r = &d->dst;
   if (d->opcode != EU_OP_MOV || d->saturate || a->abs || a->negate)
      return false;
   /* An accumulator holds floats exactly, integers with more bits than their type. */
   if (a->kind == OPERAND_ACC || r->kind == OPERAND_ACC)
      return a->type == r->type && a->type >= T_DF;
   if (a->type == r->type)
      return true;
   bool ints = a->type < T_DF && r->type < T_DF;
   return ints && type_size[a->type] == type_size[r->type];
}

static eu_alu_fn
select_by_class(unsigned c, eu_alu_fn i, eu_alu_fn f, eu_alu_fn df)
{
   return c == CLASS_INT ? i : c == CLASS_FLOAT ? f : df;
}

eu_alu_fn
eu_alu_select(const struct eu_detail *d)
{
   unsigned c = d->exec_class;
   switch (d->opcode) {
   case EU_OP_MOV:
      return d->raw ? alu_raw : select_by_class(c, alu_int_mov, alu_float_mov, alu_double_mov);
   case EU_OP_SEL:
      return select_by_class(c, alu_int_sel, alu_float_sel, alu_double_sel);
   case EU_OP_NOT:
      return alu_int_not;
   case EU_OP_AND:
      return alu_int_and;
   case EU_OP_OR:
      return alu_int_or;
   case EU_OP_XOR:
      return alu_int_xor;
   case EU_OP_SHR:
      return alu_int_shr;
   case EU_OP_SHL:
      return alu_int_shl;
   case EU_OP_ASR:
      return alu_int_asr;
   case EU_OP_DIM:
      return alu_double_mov;
   case EU_OP_CMP:
      return select_by_class(c, alu_int_cmp, alu_float_cmp, alu_double_cmp);
   case EU_OP_CMPN:
      return select_by_class(c, alu_int_cmp, alu_float_cmpn, alu_double_cmpn);
   case EU_OP_F32TO16:
      return alu_f32to16;
   case EU_OP_F16TO32:
      return alu_f16to32;
   case EU_OP_BFREV:
      return alu_bfrev;
   case EU_OP_BFE:
      return alu_bfe;
   case EU_OP_BFI1:
      return alu_bfi1;
   case EU_OP_BFI2:
      return alu_bfi2;
   case EU_OP_MATH:
      return alu_math;
   case EU_OP_ADD:
      return select_by_class(c, alu_int_add, alu_float_add, alu_double_add);
   case EU_OP_MUL:
      return select_by_class(c, alu_int_mul, alu_float_mul, alu_double_mul);
   case EU_OP_AVG:
      return alu_int_avg;
   case EU_OP_FRC:
      return alu_frc;
   case EU_OP_RNDU:
      return alu_rndu;
   case EU_OP_RNDD:
      return alu_rndd;
   case EU_OP_RNDE:
      return alu_rnde;
   case EU_OP_RNDZ:
      return alu_rndz;
   case EU_OP_MAC:
      return select_by_class(c, alu_int_mac, alu_float_mac, alu_double_mac);
   case EU_OP_MACH:
      return alu_mach;
   case EU_OP_LZD:
      return alu_lzd;
   case EU_OP_FBH:
      return alu_fbh;
   case EU_OP_FBL:
      return alu_fbl;
   case EU_OP_CBIT:
      return alu_cbit;
   case EU_OP_ADDC:
      return alu_addc;
   case EU_OP_SUBB:
      return alu_subb;
   case EU_OP_SAD2:
      return alu_sad2;
   case EU_OP_SADA2:
      return alu_sada2;
   case EU_OP_DP4:
      return alu_dp4;
   case EU_OP_DPH:
      return alu_dph;
   case EU_OP_DP3:
      return alu_dp3;
   case EU_OP_DP2:
      return alu_dp2;
   case EU_OP_LINE:
      return alu_line;
   case EU_OP_PLN:
      return alu_pln;
   case EU_OP_MAD:
      return select_by_class(c, alu_int_mac, alu_float_mad, alu_double_mad);
   case EU_OP_LRP:
      return alu_lrp;
   default:
      return NULL;
   }
}

/* ---- the whole instruction ------------------------------------------------------------------ */

/* EU-075: with NoMask too. EU-058: of doubles each enable is for one of the four, both its dwords;
 * but .xy and .zw are for dwords of 16 bytes. */
static uint32_t
spread_chan_en(const struct eu_detail *d)
{
   uint32_t enable = d->dst.chan_en & 15u;
   if (!d->align16)
      return UINT32_MAX;
   if (!d->paired || enable == 3 || enable == 12)
      return enable * 0x11111111u;
   uint32_t dwords = 0;
   for (unsigned n = 0; n < 4; n++)
      dwords |= (enable >> n & 1u) * 3u << (2 * n);
   return dwords * 0x01010101u;
}

/* EU-128: dependency and thread control are not looked at: instructions run in order. */
static void
lower_controls(struct eu_detail *d)
{
   const struct eu_inst *i = &d->inst;
   d->opcode = i->opcode;
   d->exec_size = i->exec_size;
   d->group = (uint8_t)eu_inst_group(i);
   d->channels = i->exec_size >= 32 ? UINT32_MAX : (1u << i->exec_size) - 1;
   d->align16 = i->align16;
   d->no_mask = i->no_mask;
   d->saturate = i->saturate;
   d->acc_write = i->acc_write;
   d->condition = i->cond_modifier;
   d->predicate = i->predicate;
   d->predicate_inverse = i->predicate && i->predicate_inverse;
   d->flag_reg = i->flag_nr & 1;
   d->flag_shift = (uint8_t)((i->flag_subnr & 1) * 16 | d->group);
   d->jip = i->jip * 8;
   d->uip = i->uip * 8;
}

/* A float-only operation given integers computes on the converted numbers. */
static void
fix_class(struct eu_detail *d)
{
   switch (d->opcode) {
   case EU_OP_FRC:
   case EU_OP_RNDU:
   case EU_OP_RNDD:
   case EU_OP_RNDE:
   case EU_OP_RNDZ:
   case EU_OP_DP4:
   case EU_OP_DPH:
   case EU_OP_DP3:
   case EU_OP_DP2:
   case EU_OP_LINE:
   case EU_OP_PLN:
   case EU_OP_LRP:
   case EU_OP_F32TO16:
      d->exec_class = CLASS_FLOAT;
      break;
   case EU_OP_MAD:
      if (d->exec_class == CLASS_INT)
         d->exec_class = CLASS_FLOAT;
      break;
   case EU_OP_NOT:
   case EU_OP_AND:
   case EU_OP_OR:
   case EU_OP_XOR:
   case EU_OP_SHR:
   case EU_OP_SHL:
   case EU_OP_ASR:
   case EU_OP_BFREV:
   case EU_OP_BFE:
   case EU_OP_BFI1:
   case EU_OP_BFI2:
   case EU_OP_AVG:
   case EU_OP_MACH:
   case EU_OP_LZD:
   case EU_OP_FBH:
   case EU_OP_FBL:
   case EU_OP_CBIT:
   case EU_OP_ADDC:
   case EU_OP_SUBB:
   case EU_OP_SAD2:
   case EU_OP_SADA2:
      d->exec_class = CLASS_INT;
      break;
   case EU_OP_MATH: {
      unsigned f = d->inst.math_function;
      d->exec_class = f >= EU_MATH_INTDIVMOD && f <= EU_MATH_INTMOD ? CLASS_INT : CLASS_FLOAT;
      break;
   }
   }
}

void
eu_lower(struct eu_detail *d, struct eu_op *op)
{
   const struct eu_opcode_info *info = &eu_opcodes[d->inst.opcode & 0x7f];
   lower_controls(d);
   d->sources = info->sources;
   for (unsigned n = 0; n < 3; n++)
      lower_source(d, n);
   lower_dst(d);
   d->raw = false;
   execution_type(d);
   d->chan_en = spread_chan_en(d);
   fix_class(d);
   d->raw = is_raw_move(d);
   d->halves = (uint8_t)halves(d);
   d->early = early_sources(d);
   op->d = d;
   op->group = d->group;
   op->mask = d->channels << d->group;
   eu_op_fn fn = eu_flow_select(d->opcode);
   if (!fn)
      switch (d->opcode) {
      case EU_OP_SEND:
      case EU_OP_SENDC:
         fn = eu_exec_send;
         break;
      case EU_OP_WAIT:
         fn = eu_exec_wait;
         break;
      case EU_OP_MOVI:
         fn = eu_exec_movi;
         break;
      default:
         d->alu = eu_alu_select(d);
         fn = d->alu ? eu_exec_alu : eu_exec_illegal;
      }
   op->fn = op->slow = d->real = fn;
}
