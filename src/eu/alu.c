/* The general path of everything that computes. EU-043: fetch, convert, modify, operate, saturate,
 * convert, write. */
#include "eu/arf.h"
#include "eu/convert.h"
#include "eu/step.h"

#include <string.h>

/* EU-117: truth of a condition from the signals. */
static bool
condition(unsigned cond, bool sign, bool zero, bool nan, bool over)
{
   switch (cond) {
   case EU_COND_Z:
      return zero && !nan;
   case EU_COND_NZ:
      return !(zero && !nan);
   case EU_COND_G:
      return !sign && !zero && !nan;
   case EU_COND_GE:
      return (!sign || zero) && !nan;
   case EU_COND_L:
      return sign && !zero && !nan;
   case EU_COND_LE:
      return (sign || zero) && !nan;
   case EU_COND_O:
      return over;
   case EU_COND_U:
      return nan;
   default:
      return false;
   }
}

/* EU-058: the flag of a double is one bit, as its enable is. */
static void
write_flag(struct eu_step *s, unsigned k, bool value)
{
   const struct eu_detail *d = s->d;
   unsigned lane = d->paired ? 2 * k : k, channel = d->paired ? k : s->first + k;
   if (!(s->mask >> lane & 1)) /* EU-119 */
      return;
   /* EU-025 */
   uint32_t bit = 1u << ((d->flag_shift + channel) & 31);
   s->t->flag[d->flag_reg] = (s->t->flag[d->flag_reg] & ~bit) | (value ? bit : 0);
}

static bool
writes_condition(const struct eu_detail *d)
{
   return d->condition && d->opcode != EU_OP_SEL;
}

/* EU-010: the implicit accumulator write: before saturation and conversion. EU-011: cr0 can block
 * it. */
static void
write_acc(struct eu_step *s, bool single)
{
   const struct eu_detail *d = s->d;
   if (!d->acc_write || d->dst.kind == OPERAND_ACC || s->t->cr0[0] & CR0_ACC_DISABLE)
      return;
   if (d->opcode == EU_OP_MACH || d->opcode == EU_OP_ADDC || d->opcode == EU_OP_SUBB)
      return; /* they have written their own */
   unsigned stride = d->paired ? 2 : 1;
   for (unsigned k = 0; k < s->count; k++) {
      unsigned lane = eu_acc_lane(s, k);
      if (lane < 16 && s->mask >> (k * stride) & 1)
         s->t->acc[lane] = single ? s->r.u[k] : s->r.b[k];
   }
}

/* EU-052 */
static float
saturate_float(float f)
{
   if (!(f > 0.0f)) /* NaN too */
      return 0.0f;
   return f < 1.0f ? f : 1.0f;
}

/* A denormal on its way to a double is kept. */
static uint32_t
saturate_bits(uint32_t u)
{
   if (bits_nan(u) || u >> 31)
      return 0;
   return u > 0x3f800000 ? 0x3f800000 : u;
}

void
eu_finish_int(struct eu_step *s)
{
   const struct eu_detail *d = s->d;
   unsigned type = d->dst.type;
   bool flags = writes_condition(d);
   write_acc(s, false);
   for (unsigned k = 0; k < s->count; k++) {
      int64_t r = s->r.i[k];
      bool over = false;
      if (type == T_F || type == T_DF) {
         float f = (float)r; /* EU-047: the host rounds as cr0 says */
         double df = (double)r;
         if (d->saturate) {
            f = saturate_float(f);
            df = df > 0 ? df < 1 ? df : 1 : 0;
            r = r > 0;
         }
         s->r.b[k] = type == T_F ? float_bits(f) : double_bits(df);
      } else {
         /* EU-046: saturated, or the low bits. */
         int64_t min = type_min(type), max = type_max(type);
         over = r < min || r > max;
         if (d->saturate)
            r = r < min ? min : r > max ? max : r;
         s->r.i[k] = r;
      }
      if (flags)
         write_flag(s, k, condition(d->condition, r < 0, r == 0, false, over));
   }
   eu_store(s);
}

static uint32_t
alt_output(uint32_t u)
{
   if (bits_nan(u))
      return 0;
   return (u & 0x7fffffff) == 0x7f800000 ? u - 1 : bits_flush(u);
}

static bool
bits_inf(uint32_t u)
{
   return (u & 0x7fffffff) == 0x7f800000;
}

/* EU-118: finite operands gave infinity (or, in ALT mode, would have). */
static bool
float_overflowed(const struct eu_step *s, unsigned k, uint32_t u)
{
   if (!bits_inf(u))
      return false;
   for (unsigned n = 0; n < s->d->sources; n++)
      if (bits_inf(s->src[n].u[k]) || bits_nan(s->src[n].u[k]))
         return false;
   return true;
}

void
eu_finish_float(struct eu_step *s)
{
   const struct eu_detail *d = s->d;
   unsigned type = d->dst.type;
   bool flags = writes_condition(d), alt = s->t->cr0[0] & CR0_ALT;
   uint64_t bits[32];
   for (unsigned k = 0; alt && !d->raw && k < s->count; k++) {
      if (float_overflowed(s, k, s->r.u[k]))
         s->over |= 1u << k;
      s->r.u[k] = alt_output(s->r.u[k]);
   }
   write_acc(s, true);
   for (unsigned k = 0; k < s->count; k++) {
      uint32_t u = s->r.u[k];
      bool nan = bits_nan(u), over = s->over >> k & 1 || float_overflowed(s, k, u);
      if (d->saturate && (type == T_F || type == T_DF))
         u = saturate_bits(u);
      bool sign = u >> 31, zero = !(u & 0x7f800000);
      if (type == T_F) {
         bits[k] = u;
      } else if (type == T_DF) {
         bits[k] = f_to_df(u);
      } else {
         int64_t v = f_to_int(u, type);
         float f = bits_float(u);
         over = over || (!nan && ((double)f >= (double)type_max(type) + 1 ||
                                  (double)f <= (double)type_min(type) - 1));
         bits[k] = (uint64_t)v;
         sign = v < 0;
         zero = v == 0;
      }
      if (flags)
         write_flag(s, k, condition(d->condition, sign, zero, nan, over));
   }
   memcpy(s->r.b, bits, s->count * sizeof(bits[0]));
   eu_store(s);
}

void
eu_finish_double(struct eu_step *s)
{
   const struct eu_detail *d = s->d;
   unsigned type = d->dst.type;
   bool flags = writes_condition(d);
   write_acc(s, false);
   for (unsigned k = 0; k < s->count; k++) {
      uint64_t u = s->r.b[k];
      bool nan = bits_nan64(u), over = s->over >> k & 1;
      if (d->saturate && (type == T_F || type == T_DF)) {
         /* By the bits: the host would flush denormals that cr0 keeps. */
         const uint64_t one = 0x3ff0000000000000;
         u = nan || u >> 63 ? 0 : u > one ? one : u;
      }
      bool sign = u >> 63;
      bool denormal_zero = !(s->t->cr0[0] & CR0_DF_DENORMALS);
      bool zero = denormal_zero ? !(u & 0x7ff0000000000000) : !(u & INT64_MAX);
      if (type == T_F) {
         u = df_to_f(u);
      } else if (type != T_DF) {
         int64_t v = df_to_int(u, type);
         double f = bits_double(u);
         over =
             over || (!nan && (f >= (double)type_max(type) + 1 || f <= (double)type_min(type) - 1));
         u = (uint64_t)v;
         sign = v < 0;
         zero = v == 0;
      }
      s->r.b[k] = u;
      if (flags)
         write_flag(s, k, condition(d->condition, sign, zero, nan, over));
   }
   eu_store(s);
}

void
eu_finish_truth(struct eu_step *s)
{
   for (unsigned k = 0; k < s->count; k++) {
      bool truth = s->truth >> k & 1;
      s->r.b[k] = truth ? UINT64_MAX : 0;
      if (s->d->condition)
         write_flag(s, k, truth);
   }
   eu_store(s);
}

/* EU-058: double n of an instruction goes by channel n of its group, in both halves; the registers
 * are written by dwords, two to a double. */
static uint32_t
by_pairs(uint32_t channels)
{
   uint32_t lanes = 0;
   for (unsigned n = 0; n < 16; n++)
      lanes |= (channels >> n & 1u) * 3u << (2 * n);
   return lanes;
}

void
eu_alu_half(struct eu_thread *t, const struct eu_detail *d, unsigned half, uint32_t mask,
            uint32_t predicate)
{
   struct eu_step s;
   unsigned channels = d->exec_size / d->halves;
   s.t = t;
   s.d = d;
   s.half = half;
   s.first = half * channels;
   s.count = d->paired ? (channels + 1) / 2 : channels;
   uint32_t lanes = channels == 32 ? UINT32_MAX : (1u << channels) - 1;
   s.mask = (d->paired ? by_pairs(mask) : mask >> s.first) & d->chan_en >> s.first & lanes;
   s.predicate = d->paired ? by_pairs(predicate) : predicate >> s.first;
   s.nan = s.over = s.truth = 0;
   d->alu(&s);
}

/* Half 1 finds its early sources in the spare registers behind the GRF. */
static void
run_early(struct eu_thread *t, const struct eu_detail *d, uint32_t mask, uint32_t predicate)
{
   struct eu_detail second = *d;
   for (unsigned n = 0; n < d->sources && n < 2; n++) {
      if (!(d->early >> n & 1))
         continue;
      unsigned spare = (EU_GRF_COUNT + n) * EU_REG_SIZE,
               from = d->src[n].offset[0] & ~(EU_REG_SIZE - 1u);
      memcpy(t->grf + spare, t->grf + from, EU_REG_SIZE);
      for (unsigned c = 0; c < d->exec_size; c++)
         second.src[n].offset[c] = (uint16_t)(spare + (d->src[n].offset[c] - from));
   }
   eu_alu_half(t, d, 0, mask, predicate);
   eu_alu_half(t, &second, 1, mask, predicate);
}

static void
run_steps(struct eu_thread *t, const struct eu_detail *d)
{
   uint32_t predicate = eu_predicate(t, d);
   uint32_t mask = eu_write_mask(t, d);
   /* EU-123: the predicate of sel chooses; EU-114: of all others it disables. */
   bool chooses = d->opcode == EU_OP_SEL && !d->condition;
   if (!chooses)
      mask &= predicate;
   if (__builtin_expect(d->early, 0)) {
      run_early(t, d, mask, predicate);
      return;
   }
   for (unsigned half = 0; half < d->halves; half++) /* EU-077 */
      eu_alu_half(t, d, half, mask, predicate);
}

const struct eu_op *
eu_arf_written(struct eu_thread *t, const struct eu_op *op, const uint32_t old[2])
{
   if (t->ip != op->ip)
      return eu_reenter(t, t->ip);
   if ((op->d->dst.reg & 0xf0) == EU_ARF_CR)
      return eu_control_written(t, op, old);
   return op + 1;
}

const struct eu_op *
eu_exec_alu(struct eu_thread *t, const struct eu_op *op)
{
   const struct eu_detail *d = op->d;
   t->ip = op->ip;
   if (d->dst.kind != OPERAND_ARF) {
      run_steps(t, d);
      return op + 1;
   }
   uint32_t old[2] = {t->cr0[0], t->cr0[1]};
   run_steps(t, d);
   return eu_arf_written(t, op, old);
}
