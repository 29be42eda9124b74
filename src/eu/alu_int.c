/* Integer operations on exact values; wrapping and saturation come afterwards. */
#include "eu/alu_ops.h"
#include "eu/convert.h"
#include "eu/step.h"

#define ALU_NUMBER int64_t
#include "eu/alu_compare.h"

#define A (s->src[0].i[k])
#define B (s->src[1].i[k])
#define C (s->src[2].i[k])

#define BINARY(name, expression)                                                                   \
   void name(struct eu_step *s)                                                                    \
   {                                                                                               \
      eu_fetch_int(s, 0);                                                                          \
      eu_fetch_int(s, 1);                                                                          \
      for (unsigned k = 0; k < s->count; k++)                                                      \
         s->r.i[k] = (expression);                                                                 \
      eu_finish_int(s);                                                                            \
   }
#define UNARY(name, expression)                                                                    \
   void name(struct eu_step *s)                                                                    \
   {                                                                                               \
      eu_fetch_int(s, 0);                                                                          \
      for (unsigned k = 0; k < s->count; k++)                                                      \
         s->r.i[k] = (expression);                                                                 \
      eu_finish_int(s);                                                                            \
   }
#define TERNARY(name, expression)                                                                  \
   void name(struct eu_step *s)                                                                    \
   {                                                                                               \
      eu_fetch_int(s, 0);                                                                          \
      eu_fetch_int(s, 1);                                                                          \
      eu_fetch_int(s, 2);                                                                          \
      for (unsigned k = 0; k < s->count; k++)                                                      \
         s->r.i[k] = (expression);                                                                 \
      eu_finish_int(s);                                                                            \
   }

/* A bit pattern as wide as the execution type. */
static int64_t
pattern(const struct eu_step *s, int64_t v)
{
   return s->d->exec_width == 16 ? (int64_t)(v & 0xffff) : (int64_t)(v & 0xffffffff);
}

/* Logic gives a bit pattern; its number is what the destination makes of it. */
static int64_t
logic(const struct eu_step *s, int64_t v)
{
   switch (s->d->dst.type) {
   case T_UD:
      return (uint32_t)v;
   case T_UW:
      return (uint16_t)v;
   case T_W:
      return (int16_t)v;
   case T_UB:
      return (uint8_t)v;
   case T_B:
      return (int8_t)v;
   default:
      return (int32_t)v;
   }
}

/* A whole accumulator lane may be one of them, so it wraps. */
static int64_t
sum(int64_t a, int64_t b)
{
   return (int64_t)((uint64_t)a + (uint64_t)b);
}

static int64_t
shift_left(int64_t a, int64_t b)
{
   return (int64_t)((uint64_t)a << (b & 31));
}

static int64_t
multiply(const struct eu_step *s, int64_t a, int64_t b)
{
   /* Of a dword in source 1 the multiplier takes the low word, unsigned. */
   if (s->d->src[1].type == T_D || s->d->src[1].type == T_UD)
      b &= 0xffff;
   return (int64_t)((uint64_t)a * (uint64_t)b);
}

static uint32_t
reverse(uint32_t v)
{
   v = (v >> 1 & 0x55555555) | (v & 0x55555555) << 1;
   v = (v >> 2 & 0x33333333) | (v & 0x33333333) << 2;
   v = (v >> 4 & 0x0f0f0f0f) | (v & 0x0f0f0f0f) << 4;
   return __builtin_bswap32(v);
}

static int64_t
extract(const struct eu_step *s, uint32_t width, uint32_t offset, uint32_t v)
{
   bool is_signed = s->d->src[2].type == T_D;
   width &= 31;
   offset &= 31;
   if (!width)
      return 0;
   if (width + offset < 32) {
      uint32_t up = v << (32 - width - offset);
      return is_signed ? (int32_t)up >> (32 - width) : (int64_t)(up >> (32 - width));
   }
   return is_signed ? (int32_t)v >> offset : (int64_t)(v >> offset);
}

static int64_t
first_bit_high(const struct eu_step *s, uint32_t v)
{
   if (s->d->src[0].type == T_D && (int32_t)v < 0)
      v = ~v;
   return v ? __builtin_clz(v) : (int64_t)UINT32_MAX;
}

static int64_t
bit_field_insert(uint32_t a, uint32_t b, uint32_t c)
{
   unsigned shift = a ? (unsigned)__builtin_ctz(a) : 0;
   return (int64_t)(((b << shift) & a) | (c & ~a));
}

/* EU-129, EU-131 */
UNARY(alu_int_mov, A)
UNARY(alu_int_not, logic(s, ~A))
/* EU-135, EU-139, EU-140, EU-141, EU-142 */
UNARY(alu_bfrev, reverse((uint32_t)A))
UNARY(alu_cbit, __builtin_popcountll((uint64_t)pattern(s, A)))
UNARY(alu_fbh, first_bit_high(s, (uint32_t)A))
UNARY(alu_fbl, (uint32_t)A ? __builtin_ctz((uint32_t)A) : (int64_t)UINT32_MAX)
UNARY(alu_lzd, (uint32_t)A ? __builtin_clz((uint32_t)A) : 32)
/* EU-145, EU-147, EU-146 */
BINARY(alu_int_add, sum(A, B))
BINARY(alu_int_avg, sum(sum(A, B), 1) >> 1)
BINARY(alu_int_mul, multiply(s, A, B))
BINARY(alu_int_and, logic(s, A &B))
BINARY(alu_int_or, logic(s, A | B))
BINARY(alu_int_xor, logic(s, A ^ B))
/* EU-132, EU-133, EU-134 */
BINARY(alu_int_shr, pattern(s, A) >> (B & 31))
BINARY(alu_int_shl, shift_left(A, B))
BINARY(alu_int_asr, A >> (B & 31))
/* EU-137, EU-136, EU-138 */
BINARY(alu_bfi1, (uint32_t)(((1u << (A & 31)) - 1) << (B & 31)))
TERNARY(alu_bfe, extract(s, (uint32_t)A, (uint32_t)B, (uint32_t)C))
TERNARY(alu_bfi2, bit_field_insert((uint32_t)A, (uint32_t)B, (uint32_t)C))

static uint64_t
acc_lane(const struct eu_step *s, unsigned k)
{
   unsigned lane = eu_acc_lane(s, k);
   return lane < 16 ? s->t->acc[lane] : 0;
}

static void
set_acc(struct eu_step *s, unsigned k, uint64_t value)
{
   unsigned lane = eu_acc_lane(s, k);
   if (lane < 16 && s->d->acc_write && !(s->t->cr0[0] & CR0_ACC_DISABLE))
      s->t->acc[lane] = value;
}

/* EU-148 */
void
alu_int_mac(struct eu_step *s)
{
   eu_fetch_int(s, 0);
   eu_fetch_int(s, 1);
   for (unsigned k = 0; k < s->count; k++) {
      uint64_t acc = acc_lane(s, k);
      if (s->d->exec_width == 16)
         acc = (uint64_t)((int64_t)(acc << 31) >> 31); /* 33 bits */
      s->r.i[k] = (int64_t)((uint64_t)multiply(s, A, B) + acc);
   }
   eu_finish_int(s);
}

/* EU-149: the accumulator takes the sum on every channel, the destination its upper half on enabled
 * ones. */
void
alu_mach(struct eu_step *s)
{
   eu_fetch_int(s, 0);
   eu_fetch_int(s, 1);
   for (unsigned k = 0; k < s->count; k++) {
      bool is_signed = s->d->src[1].type == T_D;
      int64_t high = is_signed ? (int32_t)B >> 16 : (int64_t)((uint32_t)B >> 16);
      uint64_t whole = acc_lane(s, k) + ((uint64_t)A * (uint64_t)high << 16);
      set_acc(s, k, whole);
      s->r.i[k] = s->d->dst.type == T_UD ? (int64_t)(whole >> 32) : (int64_t)whole >> 32;
   }
   eu_finish_int(s);
}

/* EU-150 */
void
alu_addc(struct eu_step *s)
{
   eu_fetch_int(s, 0);
   eu_fetch_int(s, 1);
   for (unsigned k = 0; k < s->count; k++) {
      uint64_t whole = (uint64_t)(uint32_t)A + (uint32_t)B;
      if (s->mask >> k & 1)
         set_acc(s, k, whole >> 32);
      s->r.i[k] = (int64_t)whole;
   }
   eu_finish_int(s);
}

/* EU-151 */
void
alu_subb(struct eu_step *s)
{
   eu_fetch_int(s, 0);
   eu_fetch_int(s, 1);
   for (unsigned k = 0; k < s->count; k++) {
      if (s->mask >> k & 1)
         set_acc(s, k, (uint32_t)A < (uint32_t)B);
      s->r.i[k] = (int64_t)(uint32_t)A - (int64_t)(uint32_t)B;
   }
   eu_finish_int(s);
}

static int64_t
difference(const struct eu_step *s, unsigned k)
{
   if (k >= s->count)
      return 0;
   int64_t a = s->src[0].i[k], b = s->src[1].i[k];
   return (int64_t)(a < b ? (uint64_t)b - (uint64_t)a : (uint64_t)a - (uint64_t)b);
}

/* EU-152, EU-153: sum of two absolute differences, in both channels of the pair. */
static void
sad(struct eu_step *s, bool accumulate)
{
   eu_fetch_int(s, 0);
   eu_fetch_int(s, 1);
   for (unsigned k = 0; k < s->count; k++) {
      unsigned even = k & ~1u;
      int64_t total = sum(difference(s, even), difference(s, even + 1));
      if (accumulate)
         total = sum(total, (int64_t)(acc_lane(s, even) << 31) >> 31);
      s->r.i[k] = total;
   }
   eu_finish_int(s);
}

void
alu_sad2(struct eu_step *s)
{
   sad(s, false);
}

void
alu_sada2(struct eu_step *s)
{
   sad(s, true);
}

void
alu_int_cmp(struct eu_step *s)
{
   eu_fetch_int(s, 0);
   eu_fetch_int(s, 1);
   for (unsigned k = 0; k < s->count; k++)
      s->truth |= (uint32_t)compare(s->d->condition, A, B) << k;
   eu_finish_truth(s);
}

void
alu_int_sel(struct eu_step *s)
{
   eu_fetch_int(s, 0);
   eu_fetch_int(s, 1);
   for (unsigned k = 0; k < s->count; k++) {
      bool first = s->d->condition ? compare(s->d->condition, A, B) : s->predicate >> k & 1;
      s->r.i[k] = first ? A : B;
   }
   eu_finish_int(s);
}

/* EU-144 */
void
alu_f16to32(struct eu_step *s)
{
   uint64_t bits[32];
   eu_fetch_bits(s, 0, bits);
   for (unsigned k = 0; k < s->count; k++) {
      uint32_t u = half_to_f((uint16_t)bits[k]);
      if (s->d->src[0].abs)
         u &= 0x7fffffff;
      if (s->d->src[0].negate)
         u ^= 0x80000000;
      s->r.u[k] = s->src[0].u[k] = u;
   }
   eu_finish_float(s);
}

/* EU-044: the same bits in and out. */
void
alu_raw(struct eu_step *s)
{
   eu_fetch_bits(s, 0, s->r.b);
   if (!s->d->condition && !s->d->acc_write) {
      eu_store(s);
      return;
   }
   uint64_t bits[32];
   memcpy(bits, s->r.b, sizeof(bits));
   switch (s->d->exec_class) {
   case CLASS_FLOAT:
      for (unsigned k = 0; k < s->count; k++)
         s->r.u[k] = s->src[0].u[k] = (uint32_t)bits[k];
      eu_finish_float(s);
      break;
   case CLASS_DOUBLE:
      eu_finish_double(s);
      break;
   default:
      alu_int_mov(s);
      break;
   }
}
