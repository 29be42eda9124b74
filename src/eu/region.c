/* Regions: where the elements of an operand are, and moving them in and out. */
#include "eu/arf.h"
#include "eu/convert.h"
#include "eu/step.h"

/* EU-079: register and byte parts of an indirect operand are added apart, no carry between. */
static uint32_t
origin(struct eu_step *s, const struct op_operand *o, unsigned sub)
{
   uint32_t a = s->t->a0[sub & 7];
   uint32_t byte = (a + (uint32_t)o->addr_imm) & 31;
   uint32_t reg = (a >> 5 & 0x7f) + (uint32_t)(o->addr_imm >> 5);
   if (reg >= EU_GRF_COUNT) {
      eu_report(s->t, s->d, s->t->ip, PERGOLA_ERROR, "EU-002",
                "the indirect operand g[a0.%u %d] is outside the register file (a0.%u = 0x%x)",
                sub & 7, o->addr_imm, sub & 7, a);
      return OFFSET_NONE;
   }
   return reg * EU_REG_SIZE + byte;
}

static uint32_t
bounded(uint32_t start, uint32_t offset, unsigned size)
{
   if (start == OFFSET_NONE || start + offset + size > EU_GRF_COUNT * EU_REG_SIZE)
      return OFFSET_NONE;
   return start + offset;
}

static void
indirect_addresses(struct eu_step *s, const struct op_operand *o, uint32_t address[32])
{
   unsigned channels = s->d->paired ? s->count * 2 : s->count;
   unsigned size = o->step;
   if (o->vstride == 0xff) { /* EU-080: one address per row, or per element */
      unsigned row_of = 32;
      uint32_t start = 0;
      for (unsigned k = 0; k < channels; k++) {
         unsigned ch = s->first + k, row = ch / o->width;
         if (row != row_of) {
            row_of = row;
            start = origin(s, o, o->addr_sub + row);
         }
         address[k] = bounded(start, ch % o->width * o->hstride * size, size);
      }
      return;
   }
   /* EU-078: the second half uses the next address sub-register and restarts the region. */
   unsigned sub = o->addr_sub + (o->scalar ? 0 : s->half);
   uint32_t start = origin(s, o, sub);
   for (unsigned k = 0; k < channels; k++)
      address[k] = bounded(start, o->offset[k], size);
}

void
eu_addresses(struct eu_step *s, const struct op_operand *o, uint32_t address[32])
{
   unsigned channels = s->d->paired ? s->count * 2 : s->count;
   if (o->kind == OPERAND_INDIRECT) {
      indirect_addresses(s, o, address);
      return;
   }
   for (unsigned k = 0; k < channels; k++)
      address[k] = o->offset[s->first + k];
}

static uint64_t
load(const uint8_t *p, unsigned size)
{
   uint64_t v = 0;
   switch (size) {
   case 1:
      return *p;
   case 2:
      memcpy(&v, p, 2);
      return v;
   case 4:
      memcpy(&v, p, 4);
      return v;
   default:
      memcpy(&v, p, 8);
      return v;
   }
}

/* EU-008: a lane is as wide as the widest of its uses. Explicit accumulator source: lane from the
 * region, in elements. */
static void
acc_bits(struct eu_step *s, const struct op_operand *o, uint64_t bits[32])
{
   unsigned stride = s->d->paired ? 2 : 1;
   unsigned size = o->type == T_DF ? 8 : type_size[o->type];
   for (unsigned k = 0; k < s->count; k++) {
      unsigned lane = o->reg * 8u + o->offset[s->first + k * stride] / size;
      bits[k] = lane < 16 ? s->t->acc[lane] : 0;
   }
}

void
eu_fetch_bits(struct eu_step *s, unsigned n, uint64_t bits[32])
{
   const struct op_operand *o = &s->d->src[n];
   unsigned size = type_size[o->type], stride = s->d->paired ? 2 : 1;
   uint8_t image[ARF_IMAGE_SIZE];
   const uint8_t *base = s->t->grf;
   uint32_t limit = EU_GRF_COUNT * EU_REG_SIZE;
   uint32_t address[32];
   if (o->kind == OPERAND_GRF)
      limit = sizeof(s->t->grf); /* offsets of direct operands were checked when decoded; early ones
                                    are spare */

   switch (o->kind) {
   case OPERAND_NULL: /* EU-005 */
      memset(bits, 0, s->count * sizeof(*bits));
      return;
   case OPERAND_ACC:
      acc_bits(s, o, bits);
      return;
   case OPERAND_ARF:
      eu_arf_read(s->t, s->d, o->reg, image);
      base = image;
      limit = ARF_IMAGE_SIZE;
      break;
   case OPERAND_IMM:
      base = (const uint8_t *)o->imm;
      limit = sizeof(o->imm);
      break;
   }
   eu_addresses(s, o, address);
   for (unsigned k = 0; k < s->count; k++) {
      uint32_t a = address[k * stride];
      if (o->type == T_DF) { /* EU-058: two dwords, each where its own channel points */
         uint32_t b = address[k * 2 + 1];
         bits[k] = (a + 4 <= limit ? load(base + a, 4) : 0) |
                   (b + 4 <= limit ? load(base + b, 4) : 0) << 32;
      } else {
         bits[k] = a + size <= limit ? load(base + a, size) : 0;
      }
   }
}

static int64_t
int_value(uint64_t bits, unsigned type)
{
   switch (type) {
   case T_UD:
      return (uint32_t)bits;
   case T_D:
      return (int32_t)bits;
   case T_UW:
      return (uint16_t)bits;
   case T_W:
      return (int16_t)bits;
   case T_UB:
      return (uint8_t)bits;
   case T_B:
      return (int8_t)bits;
   default:
      return 0;
   }
}

/* EU-014: what an integer instruction sees of an accumulator lane: saturating and flag-producing
 * ones all of it, others the low bits. */
static int64_t
acc_value(const struct eu_detail *d, uint64_t lane, unsigned type)
{
   if (!d->saturate && !d->condition)
      return int_value(lane, type);
   if (type_size[type] == 4)
      return (int64_t)lane;
   return (int64_t)(lane << 31) >> 31; /* EU-009: 33 bits */
}

void
eu_fetch_int(struct eu_step *s, unsigned n)
{
   const struct op_operand *o = &s->d->src[n];
   uint64_t bits[32];
   eu_fetch_bits(s, n, bits);
   for (unsigned k = 0; k < s->count; k++) {
      int64_t v;
      if (o->type == T_F)
         v = f_to_int((uint32_t)bits[k], T_D); /* illegal mixture, reported when decoded */
      else if (o->kind == OPERAND_ACC)
         v = acc_value(s->d, bits[k], o->type);
      else
         v = int_value(bits[k], o->type);
      /* EU-125: abs, then negate, at full precision. */
      if (o->abs && v < 0)
         v = (int64_t)(0 - (uint64_t)v);
      if (o->negate)
         v = (int64_t)(0 - (uint64_t)v);
      s->src[n].i[k] = v;
   }
}

/* EU-056: infinities become the largest number, NaN zero; the host flushes denormals. */
static uint32_t
alt_input(uint32_t u)
{
   if (bits_nan(u))
      return 0;
   return (u & 0x7fffffff) == 0x7f800000 ? u - 1 : u;
}

void
eu_fetch_float(struct eu_step *s, unsigned n)
{
   const struct op_operand *o = &s->d->src[n];
   bool alt = s->t->cr0[0] & CR0_ALT;
   uint64_t bits[32];
   eu_fetch_bits(s, n, bits);
   for (unsigned k = 0; k < s->count; k++) {
      uint32_t u;
      if (o->type == T_F)
         u = (uint32_t)bits[k];
      else if (o->type == T_DF)
         u = df_to_f(bits[k]);
      else
         u = float_bits((float)int_value(bits[k], o->type));
      if (o->abs)
         u &= 0x7fffffff;
      if (o->negate)
         u ^= 0x80000000;
      s->src[n].u[k] = alt ? alt_input(u) : u;
   }
}

void
eu_fetch_double(struct eu_step *s, unsigned n)
{
   const struct op_operand *o = &s->d->src[n];
   uint64_t bits[32];
   eu_fetch_bits(s, n, bits);
   for (unsigned k = 0; k < s->count && k < 16; k++) {
      uint64_t u;
      if (o->type == T_DF)
         u = bits[k];
      else if (o->type == T_F)
         u = f_to_df((uint32_t)bits[k]);
      else
         u = double_bits((double)int_value(bits[k], o->type));
      if (o->abs)
         u &= INT64_MAX;
      if (o->negate)
         u ^= (uint64_t)1 << 63;
      s->src[n].b[k] = u;
   }
}

unsigned
eu_acc_lane(const struct eu_step *s, unsigned k)
{
   const struct eu_detail *d = s->d;
   unsigned unit = d->dst.step * (d->dst.hstride ? d->dst.hstride : 1u);
   /* EU-013: a destination inside a register moves the lanes along. */
   unsigned base = d->align16 ? 0 : d->dst.subreg / unit;
   switch (d->exec_class) {
   case CLASS_FLOAT: { /* EU-012: channels 8-15 of a SIMD16, or the second and fourth quarter: acc1
                        */
      unsigned upper = d->exec_size >= 16 ? s->first / 8 & 1 : d->group / 8 & 1;
      return base + k + 8 * upper;
   }
   case CLASS_INT:
      return base + k + (d->exec_width == 16 ? s->first : 0);
   default:
      return base + k;
   }
}

static void
store_acc(struct eu_step *s)
{
   const struct op_operand *o = &s->d->dst;
   unsigned stride = s->d->paired ? 2 : 1;
   unsigned unit = o->type == T_DF ? 8 : type_size[o->type];
   for (unsigned k = 0; k < s->count; k++) {
      unsigned lane = o->reg * 8u + o->offset[s->first + k * stride] / unit;
      if (lane < 16 && s->mask >> (k * stride) & 1)
         s->t->acc[lane] = s->r.b[k];
   }
}

/* Elements of paired instructions: a double goes out as two dwords, each where and if its own
 * channel says; something smaller goes to the even channel, and the odd one is undefined: zero. */
static void
store_paired(struct eu_step *s, uint8_t *base, uint32_t limit, const uint32_t address[32],
             uint32_t *written)
{
   unsigned size = s->d->dst.type == T_DF ? 4 : type_size[s->d->dst.type];
   for (unsigned ch = 0; ch < s->count * 2; ch++) {
      uint64_t v = s->r.b[ch / 2];
      if (!(s->mask >> ch & 1) || address[ch] + size > limit)
         continue;
      if (ch & 1)
         v = s->d->dst.type == T_DF ? v >> 32 : 0;
      memcpy(base + address[ch], &v, size);
      if (written)
         *written |= ((1u << size) - 1) << (address[ch] & 31);
   }
}

static void
store_plain(struct eu_step *s, uint8_t *base, uint32_t limit, const uint32_t address[32],
            uint32_t *written)
{
   unsigned size = type_size[s->d->dst.type];
   for (unsigned k = 0; k < s->count; k++) {
      if (!(s->mask >> k & 1) || address[k] + size > limit)
         continue;
      memcpy(base + address[k], &s->r.b[k], size);
      if (written)
         *written |= ((1u << size) - 1) << (address[k] & 31);
   }
}

void
eu_store(struct eu_step *s)
{
   const struct op_operand *o = &s->d->dst;
   uint32_t address[32];
   if (o->kind == OPERAND_NULL)
      return;
   if (o->kind == OPERAND_ACC) {
      store_acc(s);
      return;
   }
   eu_addresses(s, o, address);
   if (o->kind == OPERAND_ARF) {
      uint8_t image[ARF_IMAGE_SIZE];
      uint32_t written = 0;
      eu_arf_read(s->t, s->d, o->reg, image);
      (s->d->paired ? store_paired : store_plain)(s, image, ARF_IMAGE_SIZE, address, &written);
      eu_arf_write(s->t, o->reg, image, written);
      return;
   }
   (s->d->paired ? store_paired : store_plain)(s, s->t->grf, EU_GRF_COUNT * EU_REG_SIZE, address,
                                               NULL);
}
