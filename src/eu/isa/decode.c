/* Bytes to struct eu_inst. */
#include "eu/isa/isa.h"
#include "eu/isa/isa_tables.h"

#include <string.h>

/* State of one decoding: the first complaint wins. */
struct decoder {
   const uint32_t *dw;
   struct eu_inst *out;
   unsigned device;
   const char *why;
};

static unsigned
get(const struct decoder *d, enum eu_field f)
{
   return (unsigned)eu_field_get(d->dw, f);
}

static void
complain(struct decoder *d, const char *why)
{
   if (!d->why)
      d->why = why;
}

static void
must_be_zero(struct decoder *d, enum eu_field f, const char *why)
{
   if (get(d, f))
      complain(d, why);
}

static unsigned
hstride_elements(unsigned code)
{
   return code ? 1u << (code - 1) : 0;
}

static unsigned
vstride_elements(struct decoder *d, unsigned code)
{
   if (code == EU_VSTRIDE_VXH)
      return code;
   if (code > 6) {
      complain(d, "reserved vertical stride");
      return 0;
   }
   return hstride_elements(code);
}

static unsigned
width_elements(struct decoder *d, unsigned code)
{
   if (code > 4)
      complain(d, "reserved width");
   return 1u << (code & 7);
}

static int
sign_extend(unsigned value, unsigned bits)
{
   unsigned sign = 1u << (bits - 1);
   return (int)((value ^ sign) - sign);
}

static void
decode_controls(struct decoder *d)
{
   struct eu_inst *i = d->out;
   i->align16 = get(d, EU_FIELD_ACCESS_MODE);
   i->no_mask = get(d, EU_FIELD_MASK_CONTROL);
   i->no_dd_clear = get(d, EU_FIELD_NO_DD_CLEAR);
   i->no_dd_check = get(d, EU_FIELD_NO_DD_CHECK);
   i->quarter = (uint8_t)get(d, EU_FIELD_QUARTER);
   i->thread_control = (uint8_t)get(d, EU_FIELD_THREAD_CONTROL);
   i->predicate = (uint8_t)get(d, EU_FIELD_PREDICATE);
   i->predicate_inverse = get(d, EU_FIELD_PREDICATE_INVERSE);
   i->exec_size = (uint8_t)(1u << get(d, EU_FIELD_EXEC_SIZE));
   i->acc_write = get(d, EU_FIELD_ACC_WRITE);
   i->debug = get(d, EU_FIELD_DEBUG);
   i->saturate = get(d, EU_FIELD_SATURATE);
   if (get(d, EU_FIELD_EXEC_SIZE) > 5) {
      complain(d, "reserved execution size");
      i->exec_size = 1;
   }
   if (i->thread_control == 3)
      complain(d, "reserved thread control");
   if (!eu_name_of(i->align16 ? eu_pred16_names : eu_pred1_names, i->predicate, d->device))
      complain(d, "reserved predicate control");
}

/* Bits 27:24 have three meanings. */
static void
decode_condition(struct decoder *d, const struct eu_opcode_info *info)
{
   unsigned code = get(d, EU_FIELD_COND_MODIFIER);
   switch (info->format) {
   case EU_FORMAT_MATH:
      d->out->math_function = (uint8_t)code;
      if (!eu_name_of(eu_math_names, (int)code, d->device))
         complain(d, "reserved math function");
      break;
   case EU_FORMAT_SEND:
      d->out->sfid = (uint8_t)code;
      if (!eu_name_of(eu_sfid_names, (int)code, d->device))
         complain(d, "reserved shared function");
      break;
   default:
      d->out->cond_modifier = (uint8_t)code;
      if (!eu_name_of(eu_cond_names, (int)code, d->device))
         complain(d, "reserved conditional modifier");
   }
}

static void
decode_dst(struct decoder *d)
{
   struct eu_operand *o = &d->out->dst;
   bool align16 = d->out->align16;
   o->file = (uint8_t)get(d, EU_FIELD_DST_FILE);
   o->type = (uint8_t)get(d, EU_FIELD_DST_TYPE);
   o->indirect = get(d, EU_FIELD_DST_ADDR_MODE);
   o->hstride = (uint8_t)hstride_elements(get(d, EU_FIELD_DST_HSTRIDE));
   o->writemask = align16 ? (uint8_t)get(d, EU_FIELD_DST_WRITEMASK) : 0xF;
   if (o->file == EU_FILE_MRF || o->file == EU_FILE_IMM)
      complain(d, "the destination's register file is reserved");
   if (o->indirect) {
      o->addr_subnr = (uint8_t)get(d, EU_FIELD_DST_ADDR_SUBNR);
      unsigned imm = get(d, EU_FIELD_DST_ADDR_IMM);
      o->addr_imm = (int16_t)sign_extend(align16 ? imm & ~0xFu : imm, 10);
   } else {
      o->nr = (uint8_t)get(d, EU_FIELD_DST_NR);
      o->subnr =
          (uint8_t)(align16 ? get(d, EU_FIELD_DST_SUBNR_HIGH) * 16 : get(d, EU_FIELD_DST_SUBNR));
   }
}

static void
decode_immediate(struct decoder *d, struct eu_operand *o, unsigned code)
{
   /* UV, VF and V take the codes of UB, B and DF. */
   o->type = (uint8_t)(code >= EU_TYPE_UB && code <= EU_TYPE_DF ? code | 8 : code);
   o->imm = get(d, EU_FIELD_IMM32);
   if (o->type == EU_TYPE_UW || o->type == EU_TYPE_W)
      o->imm &= 0xFFFF;
   o->vstride = 0, o->width = 1, o->hstride = 0;
}

static void
decode_source_register(struct decoder *d, struct eu_operand *o, const struct eu_source_fields *f)
{
   bool align16 = d->out->align16;
   o->abs = get(d, f->abs);
   o->negate = get(d, f->negate);
   o->indirect = get(d, f->addr_mode);
   o->vstride = (uint8_t)vstride_elements(d, get(d, f->vstride));
   if (align16) {
      o->width = 4;
      o->hstride = 1;
      o->swizzle = (uint8_t)(get(d, f->swizzle_xy) | get(d, f->swizzle_zw) << 4);
      must_be_zero(d, f->align16_mbz, "a reserved bit of an Align16 source is set");
      if (o->vstride == EU_VSTRIDE_VXH)
         complain(d, "an Align16 source has no address per row");
   } else {
      o->width = (uint8_t)width_elements(d, get(d, f->width));
      o->hstride = (uint8_t)hstride_elements(get(d, f->hstride));
      if (o->vstride == EU_VSTRIDE_VXH && !o->indirect)
         complain(d, "an address per row needs indirect addressing");
   }
   if (o->indirect) {
      o->addr_subnr = (uint8_t)get(d, f->addr_subnr);
      unsigned imm = get(d, f->addr_imm);
      o->addr_imm = (int16_t)sign_extend(align16 ? imm & ~0xFu : imm, 10);
   } else {
      o->nr = (uint8_t)get(d, f->nr);
      o->subnr = (uint8_t)(align16 ? get(d, f->subnr_high) * 16 : get(d, f->subnr));
   }
}

static void
decode_source(struct decoder *d, unsigned n, bool last)
{
   const struct eu_source_fields *f = &eu_source_fields[n];
   struct eu_operand *o = &d->out->src[n];
   o->file = (uint8_t)get(d, f->file);
   o->type = (uint8_t)get(d, f->type);
   if (o->file == EU_FILE_MRF)
      complain(d, "a source's register file is reserved");
   if (o->file == EU_FILE_IMM) {
      if (!last)
         complain(d, "only the last source can be an immediate");
      decode_immediate(d, o, o->type);
      return;
   }
   decode_source_register(d, o, f);
   if (n == 1)
      must_be_zero(d, EU_FIELD_RESERVED_127_121, "bits 127:121 are reserved");
}

static void
decode_flag(struct decoder *d)
{
   d->out->flag_subnr = (uint8_t)get(d, EU_FIELD_FLAG_SUBNR);
   d->out->flag_nr = (uint8_t)get(d, EU_FIELD_FLAG_NR);
   must_be_zero(d, EU_FIELD_RESERVED_95_91, "bits 95:91 are reserved");
}

static void
decode_basic(struct decoder *d, const struct eu_opcode_info *info)
{
   d->out->nibble = (uint8_t)get(d, EU_FIELD_NIBBLE);
   decode_dst(d);
   decode_source(d, 0, info->sources == 1);
   decode_flag(d);
   if (info->sources == 2)
      decode_source(d, 1, true);
}

static const uint8_t three_types[4] = {EU_TYPE_F, EU_TYPE_D, EU_TYPE_UD, EU_TYPE_DF};

static void
decode_three_source(struct decoder *d, unsigned n)
{
   const struct eu_three_source_fields *f = &eu_three_source_fields[n];
   struct eu_operand *o = &d->out->src[n];
   o->file = EU_FILE_GRF;
   o->type = three_types[get(d, EU_FIELD_THREE_SRC_TYPE)];
   o->abs = get(d, f->abs);
   o->negate = get(d, f->negate);
   o->rep_ctrl = get(d, f->rep);
   o->swizzle = (uint8_t)get(d, f->swizzle);
   o->subnr = (uint8_t)(get(d, f->subnr) * 4);
   o->nr = (uint8_t)get(d, f->nr);
   o->vstride = o->rep_ctrl ? 0 : 4;
   o->width = o->rep_ctrl ? 1 : 4;
   o->hstride = o->rep_ctrl ? 0 : 1;
}

static void
decode_three(struct decoder *d)
{
   static const enum eu_field reserved[] = {
       EU_FIELD_THREE_RESERVED_32,      EU_FIELD_THREE_RESERVED_35, EU_FIELD_THREE_RESERVED_46,
       EU_FIELD_THREE_RESERVED_48,      EU_FIELD_THREE_RESERVED_84, EU_FIELD_THREE_RESERVED_105,
       EU_FIELD_THREE_RESERVED_127_126,
   };
   struct eu_operand *o = &d->out->dst;
   d->out->nibble = (uint8_t)get(d, EU_FIELD_THREE_NIBBLE);
   d->out->flag_nr = (uint8_t)get(d, EU_FIELD_THREE_FLAG_NR);
   d->out->flag_subnr = (uint8_t)get(d, EU_FIELD_THREE_FLAG_SUBNR);
   o->file = EU_FILE_GRF;
   o->type = three_types[get(d, EU_FIELD_THREE_DST_TYPE)];
   o->writemask = (uint8_t)get(d, EU_FIELD_THREE_DST_WRITEMASK);
   o->subnr = (uint8_t)(get(d, EU_FIELD_THREE_DST_SUBNR) * 4);
   o->nr = (uint8_t)get(d, EU_FIELD_THREE_DST_NR);
   o->hstride = 1;
   for (unsigned n = 0; n < 3; n++)
      decode_three_source(d, n);
   if (!d->out->align16)
      complain(d, "a three-source instruction must be Align16");
   for (unsigned n = 0; n < sizeof(reserved) / sizeof(reserved[0]); n++)
      must_be_zero(d, reserved[n], "a reserved bit of a three-source instruction is set");
}

static void
decode_branch(struct decoder *d, const struct eu_opcode_info *info)
{
   d->out->nibble = (uint8_t)get(d, EU_FIELD_NIBBLE);
   decode_flag(d);
   d->out->jip = (int16_t)get(d, EU_FIELD_JIP);
   if (info->attrs & EU_OP_UIP)
      d->out->uip = (int16_t)get(d, EU_FIELD_UIP);
   decode_dst(d);
   decode_source(d, 0, false);
   d->out->src[1].file = (uint8_t)get(d, EU_FIELD_SRC1_FILE);
   d->out->src[1].type = (uint8_t)get(d, EU_FIELD_SRC1_TYPE);
   if (info->format == EU_FORMAT_CALL && (d->device & HW_HSW))
      d->out->jip = (int32_t)get(d, EU_FIELD_JIP32);
}

/* jmpi's operand is source 1 in the encoding and the only one in meaning. */
static void
decode_jmpi(struct decoder *d)
{
   d->out->nibble = (uint8_t)get(d, EU_FIELD_NIBBLE);
   decode_flag(d);
   decode_dst(d);
   decode_source(d, 0, false);
   decode_source(d, 1, true);
   d->out->src[0] = d->out->src[1];
   memset(&d->out->src[1], 0, sizeof(d->out->src[1]));
}

static void
decode_send(struct decoder *d)
{
   struct eu_inst *i = d->out;
   i->nibble = (uint8_t)get(d, EU_FIELD_NIBBLE);
   decode_flag(d);
   decode_dst(d);
   decode_source(d, 0, false);
   i->eot = get(d, EU_FIELD_EOT);
   i->src[1].file = (uint8_t)get(d, EU_FIELD_SRC1_FILE);
   i->src[1].type = (uint8_t)get(d, EU_FIELD_SRC1_TYPE);
   i->desc_is_reg = i->src[1].file != EU_FILE_IMM;
   if (!i->desc_is_reg) {
      i->desc = get(d, EU_FIELD_SEND_DESC);
      i->src[1].imm = get(d, EU_FIELD_IMM32);
      must_be_zero(d, EU_FIELD_SEND_RESERVED,
                   "bits 126:125 of an immediate descriptor are reserved");
      return;
   }
   decode_source_register(d, &i->src[1], &eu_source_fields[1]);
   if (i->src[1].file != EU_FILE_ARF || i->src[1].nr != EU_ARF_A || i->src[1].subnr ||
       i->src[1].indirect)
      complain(d, "a register descriptor must be a0.0");
}

static void
decode_dim(struct decoder *d)
{
   d->out->nibble = (uint8_t)get(d, EU_FIELD_NIBBLE);
   decode_dst(d);
   d->out->src[0].file = (uint8_t)get(d, EU_FIELD_SRC0_FILE);
   d->out->src[0].type = EU_TYPE_DF;
   d->out->src[0].imm = eu_field_get(d->dw, EU_FIELD_IMM64);
   d->out->src[0].width = 1;
   if (d->out->src[0].file != EU_FILE_IMM)
      complain(d, "dim takes an immediate");
}

static void
decode_operands(struct decoder *d, const struct eu_opcode_info *info)
{
   switch (info->format) {
   case EU_FORMAT_THREE:
      decode_three(d);
      break;
   case EU_FORMAT_BRANCH:
   case EU_FORMAT_CALL:
      decode_branch(d, info);
      break;
   case EU_FORMAT_JMPI:
      decode_jmpi(d);
      break;
   case EU_FORMAT_SEND:
      decode_send(d);
      break;
   case EU_FORMAT_DIM:
      decode_dim(d);
      break;
   case EU_FORMAT_NOP:
   case EU_FORMAT_ILLEGAL:
      break;
   default:
      decode_basic(d, info);
   }
}

bool
eu_inst_decode(const uint8_t *bytes, size_t avail, unsigned device, struct eu_inst *out,
               const char **why)
{
   struct decoder d = {.dw = out->dw, .out = out, .device = device};
   memset(out, 0, sizeof(*out));
   out->size = EU_INST_SIZE;
   out->exec_size = 1;
   if (avail < EU_COMPACT_SIZE) {
      *why = "the instruction is cut short";
      return false;
   }
   memcpy(out->dw, bytes, EU_COMPACT_SIZE);
   out->compact = eu_field_get(out->dw, EU_FIELD_COMPACT);
   if (out->compact) {
      uint64_t c = out->dw[0] | (uint64_t)out->dw[1] << 32;
      out->size = EU_COMPACT_SIZE;
      must_be_zero(&d, EU_FIELD_C_RESERVED, "bit 28 of a compact instruction is reserved");
      eu_inst_expand(c, out->dw);
   } else if (avail < EU_INST_SIZE) {
      out->opcode = (uint8_t)eu_field_get(out->dw, EU_FIELD_OPCODE);
      *why = "the instruction is cut short";
      return false;
   } else {
      memcpy(out->dw, bytes, EU_INST_SIZE);
   }
   out->opcode = (uint8_t)get(&d, EU_FIELD_OPCODE);
   const struct eu_opcode_info *info = eu_opcode_info(out->opcode, device);
   decode_controls(&d);
   if (get(&d, EU_FIELD_OPCODE_HIGH) || !info) {
      *why = "unknown opcode";
      return false;
   }
   if (out->compact && info->format == EU_FORMAT_THREE)
      complain(&d, "a three-source instruction has no compact form");
   decode_condition(&d, info);
   decode_operands(&d, info);
   *why = d.why;
   return !d.why;
}
