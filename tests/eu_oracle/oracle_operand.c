/* Where operands lie, and what a channel reads and writes there. */
#include "oracle.h"

#include <string.h>

bool
ref_type_is_int(unsigned type)
{
   return type != EU_TYPE_F && type != EU_TYPE_DF && type != EU_TYPE_VF;
}

void
ref_type_range(unsigned type, int64_t *low, int64_t *high)
{
   unsigned bits = eu_type_size(type) * 8;
   bool is_signed = type == EU_TYPE_D || type == EU_TYPE_W || type == EU_TYPE_B;
   *low = is_signed ? -(INT64_C(1) << (bits - 1)) : 0;
   *high = is_signed ? (INT64_C(1) << (bits - 1)) - 1 : (INT64_C(1) << bits) - 1;
}

static enum exec_type
type_exec(unsigned type)
{
   switch (type) {
   case EU_TYPE_F:
   case EU_TYPE_VF:
      return EXEC_F;
   case EU_TYPE_DF:
      return EXEC_DF;
   case EU_TYPE_D:
   case EU_TYPE_UD:
      return EXEC_D;
   default:
      return EXEC_W;
   }
}

/* EU-042: the destination plays no part. */
enum exec_type
oracle_exec_type(const struct eu_inst *i)
{
   enum exec_type e = type_exec(i->src[0].type);
   unsigned sources = eu_opcodes[i->opcode].sources;
   if (sources > 1 && !(i->src[1].file == EU_FILE_ARF && i->src[1].nr == EU_ARF_NULL) &&
       type_exec(i->src[1].type) > e)
      e = type_exec(i->src[1].type);
   return e;
}

/* EU-079: register and byte parts are added apart. */
static uint32_t
indirect_origin(const struct oracle *o, unsigned word, int imm)
{
   uint16_t a = o->a0[word & 7];
   unsigned low = ((a & 31) + ((unsigned)imm & 31)) & 31;
   int high = (a >> 5 & 127) + (imm >> 5);
   return (uint32_t)(high * 32) + low; /* outside the GRF: no register */
}

/* Ivy Bridge describes a double as two 32-bit units (EU-058): channels come in pairs. */
static unsigned
unit_size(unsigned type)
{
   return type == EU_TYPE_DF ? 4 : eu_type_size(type);
}

static bool
is_scalar(const struct eu_operand *s)
{
   return !s->vstride && s->width == 1 && !s->hstride;
}

uint32_t
oracle_source_address(const struct oracle *o, const struct eu_inst *i, unsigned n, unsigned ch,
                      unsigned half)
{
   const struct eu_operand *s = &i->src[n];
   unsigned size = unit_size(s->type), word = s->addr_subnr;
   uint32_t origin = s->nr * 32u + s->subnr;
   bool three = eu_opcodes[i->opcode].format == EU_FORMAT_THREE;
   if (s->indirect) {
      /* EU-078: the second half starts again at the next address word. */
      if (half && !is_scalar(s) && s->vstride != EU_VSTRIDE_VXH) {
         word++;
         ch -= i->exec_size / 2u;
      }
      if (s->vstride == EU_VSTRIDE_VXH) /* EU-080 */
         return indirect_origin(o, word + ch / s->width, s->addr_imm) +
                ch % s->width * s->hstride * size;
      origin = indirect_origin(o, word, s->addr_imm);
   }
   if (three && s->rep_ctrl)
      return origin;
   if (i->align16) {
      unsigned select = s->swizzle >> ch % 4 * 2 & 3;
      return origin + ch / 4 * s->vstride * size + select * size;
   }
   return origin + (ch / s->width * s->vstride + ch % s->width * s->hstride) * size;
}

uint32_t
oracle_dst_address(const struct oracle *o, const struct eu_inst *i, unsigned ch, unsigned half)
{
   const struct eu_operand *d = &i->dst;
   unsigned size = unit_size(d->type), stride = d->hstride ? d->hstride : 1;
   uint32_t origin = d->nr * 32u + d->subnr;
   if (d->indirect) {
      if (half)
         ch -= i->exec_size / 2u;
      origin = indirect_origin(o, d->addr_subnr + half, d->addr_imm);
   }
   return origin + ch * (i->align16 ? 1 : stride) * size;
}

unsigned
oracle_halves(const struct oracle *o, const struct eu_inst *i)
{
   const struct eu_operand *d = &i->dst;
   unsigned stride = i->align16 || !d->hstride ? 1 : d->hstride;
   unsigned size = unit_size(d->type);
   /* An address is not known when the instruction is split: it must not cross a register. */
   uint32_t start = d->indirect ? 0 : d->subnr;
   (void)o;
   if (i->exec_size == 1)
      return 1;
   return (start & 31) + (i->exec_size - 1u) * stride * size + size > 32 ? 2 : 1;
}

uint32_t
oracle_read_dword(const struct oracle *o, uint32_t address)
{
   uint32_t v = 0;
   if (address <= sizeof(o->grf) - 4)
      memcpy(&v, o->grf + address, 4);
   return v;
}

/* The architecture registers a program reads, as bytes. */
static void
arf_image(const struct oracle *o, const struct eu_inst *i, unsigned nr, uint8_t image[32])
{
   uint32_t v = 0;
   memset(image, 0, 32);
   switch (nr & 0xF0) {
   case EU_ARF_A:
      memcpy(image, o->a0, 16);
      break;
   case EU_ARF_FLAG:
      memcpy(image, &o->flag[nr & 1], 4);
      break;
   case EU_ARF_CE:
      for (unsigned n = 0; n < 32; n++)
         if (i->no_mask || !(oracle_mask(o) >> n & 1) || o->pcip[n] == o->ip) /* EU-026 */
            v |= 1u << n;
      memcpy(image, &v, 4);
      break;
   case EU_ARF_SR:
      memcpy(image, o->sr0, 16);
      break;
   case EU_ARF_CR:
      memcpy(image, &o->cr0, 4);
      break;
   case EU_ARF_IP:
      memcpy(image, &o->ip, 4);
      break;
   default:
      break;
   }
}

static uint64_t
read_bits(const struct oracle *o, const struct eu_inst *i, const struct eu_operand *s,
          uint32_t address, unsigned size)
{
   uint64_t v = 0;
   uint8_t image[32];
   if (s->file == EU_FILE_GRF) {
      if (address <= sizeof(o->grf) - size)
         memcpy(&v, o->grf + address, size);
      return v;
   }
   arf_image(o, i, s->nr, image);
   address -= s->nr * 32u;
   if (address <= 32 - size)
      memcpy(&v, image + address, size);
   return v;
}

static int64_t
extend(uint64_t bits, unsigned type)
{
   switch (type) {
   case EU_TYPE_UB:
      return (uint8_t)bits;
   case EU_TYPE_B:
      return (int8_t)bits;
   case EU_TYPE_UW:
   case EU_TYPE_UV:
      return (uint16_t)bits;
   case EU_TYPE_W:
   case EU_TYPE_V:
      return (int16_t)bits;
   case EU_TYPE_D:
      return (int32_t)bits;
   default:
      return (uint32_t)bits;
   }
}

/* EU-040, EU-041 */
static uint64_t
immediate_bits(const struct eu_operand *s, unsigned ch)
{
   switch (s->type) {
   case EU_TYPE_UV:
      return s->imm >> ch % 8 * 4 & 15;
   case EU_TYPE_V:
      return (uint64_t)(((int64_t)(s->imm >> ch % 8 * 4 & 15) ^ 8) - 8);
   case EU_TYPE_VF: {
      unsigned b = s->imm >> ch % 4 * 8 & 255;
      if (!(b & 0x7F))
         return (uint64_t)b << 24;
      return (uint64_t)(b >> 7) << 31 | (uint64_t)((b >> 4 & 7) + 124) << 23 |
             (uint64_t)(b & 15) << 19;
   }
   default:
      return s->imm;
   }
}

/* EU-009: words keep 33 bits. */
static int64_t
wrap33(uint64_t v)
{
   return (int64_t)(v << 31) >> 31;
}

unsigned
oracle_acc_lane(const struct eu_inst *i, unsigned ch, unsigned half, unsigned halves,
                enum exec_type e)
{
   unsigned in_half = halves == 2 ? ch - half * (i->exec_size / 2u) : ch;
   /* EU-013: lanes begin where the destination does; its stride plays no part. */
   unsigned size = eu_type_size(i->dst.type), step = e == EXEC_W ? 2 : e == EXEC_DF ? 8 : 4;
   unsigned start = i->dst.file == EU_FILE_GRF && !i->dst.indirect
                        ? i->dst.subnr / (size > step ? size : step)
                        : 0;
   in_half += start;
   ch += start;
   switch (e) {
   case EXEC_F: /* EU-012 */
      if (i->exec_size == 16)
         return ch;
      return in_half + (i->exec_size == 8 && (i->quarter & 1) ? 8 : 0);
   case EXEC_W:
      return ch & 15;
   default:
      return in_half & 7;
   }
}

static struct value
acc_source(const struct oracle *o, const struct eu_inst *i, const struct eu_operand *s, unsigned ch,
           unsigned half)
{
   struct value v = {0};
   enum exec_type e = type_exec(s->type);
   unsigned lane = (s->nr & 1) * 8 + oracle_acc_lane(i, ch, half, oracle_halves(o, i), e);
   uint64_t raw = o->acc[lane & 15];
   bool whole = i->saturate || (i->cond_modifier && i->opcode != EU_OP_SEL); /* EU-014 */
   v.f = (uint32_t)raw;
   v.d = raw;
   v.i = e == EXEC_W ? wrap33(raw) : (int64_t)raw;
   if (!whole && ref_type_is_int(s->type))
      v.i = extend(raw, s->type);
   return v;
}

static struct value
modify(struct value v, const struct eu_operand *s)
{
   if (s->abs) {
      v.i = v.i < 0 ? -v.i : v.i;
      v.f &= 0x7FFFFFFF;
      v.d &= UINT64_C(0x7FFFFFFFFFFFFFFF);
   }
   if (s->negate) {
      v.i = -v.i;
      v.f ^= 0x80000000;
      v.d ^= UINT64_C(0x8000000000000000);
   }
   return v;
}

struct value
oracle_source(const struct oracle *o, const struct eu_inst *i, unsigned n, unsigned ch,
              unsigned half, enum exec_type e)
{
   const struct eu_operand *s = &i->src[n];
   struct value v = {0};
   uint64_t bits;
   if (s->file == EU_FILE_ARF && (s->nr & 0xF0) == EU_ARF_ACC)
      return modify(acc_source(o, i, s, ch, half), s);
   if (s->file == EU_FILE_IMM)
      bits = immediate_bits(s, ch);
   else if (s->type == EU_TYPE_DF && i->align16) /* two 32-bit selectors build a double */
      bits = read_bits(o, i, s, oracle_source_address(o, i, n, ch, half), 4) |
             read_bits(o, i, s, oracle_source_address(o, i, n, ch + 1, half), 4) << 32;
   else
      bits = read_bits(o, i, s, oracle_source_address(o, i, n, ch, half), eu_type_size(s->type));
   if (ref_type_is_int(s->type))
      v.i = extend(bits, s->type);
   v.f = (uint32_t)bits;
   v.d = bits;
   (void)e;
   return modify(v, s);
}

static void
store_arf(struct oracle *o, const struct eu_inst *i, uint32_t at, uint64_t bits, unsigned size)
{
   uint8_t image[32];
   arf_image(o, i, i->dst.nr, image);
   if (at > 32 - size)
      return;
   memcpy(image + at, &bits, size);
   switch (i->dst.nr & 0xF0) {
   case EU_ARF_A:
      memcpy(o->a0, image, 16);
      for (unsigned n = 2; n < 8; n++) /* EU-023 */
         o->a0[n] &= 0xFFF;
      break;
   case EU_ARF_FLAG:
      memcpy(&o->flag[i->dst.nr & 1], image, 4);
      break;
   case EU_ARF_CR:
      memcpy(&o->cr0, image, 4);
      break;
   default: /* EU-005, EU-007: dropped */
      break;
   }
}

void
oracle_store(struct oracle *o, const struct eu_inst *i, unsigned ch, unsigned half, uint64_t bits,
             int64_t full)
{
   unsigned size = eu_type_size(i->dst.type);
   uint32_t at = oracle_dst_address(o, i, ch, half);
   if (i->dst.file == EU_FILE_GRF) {
      if (at <= sizeof(o->grf) - size)
         memcpy(o->grf + at, &bits, size);
      return;
   }
   if ((i->dst.nr & 0xF0) == EU_ARF_ACC) {
      enum exec_type e = type_exec(i->dst.type);
      unsigned lane = (i->dst.nr & 1) * 8 + oracle_acc_lane(i, ch, half, oracle_halves(o, i), e);
      o->acc[lane & 15] = ref_type_is_int(i->dst.type)
                              ? (uint64_t)(e == EXEC_W ? wrap33((uint64_t)full) : full)
                              : bits;
      return;
   }
   store_arf(o, i, at - i->dst.nr * 32u, bits, size);
}
