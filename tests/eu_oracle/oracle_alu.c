/* Ordinary instructions, one channel after the other. */
#include "oracle.h"

#include <string.h>

#define ONE_NAN 0x7FC00000u
#define ONE_NAN_D UINT64_C(0x7FF8000000000000)

static unsigned
leading_zeros(uint32_t v)
{
   unsigned n = 0;
   while (n < 32 && !(v >> (31 - n) & 1))
      n++;
   return n;
}

static unsigned
trailing_zeros(uint32_t v)
{
   unsigned n = 0;
   while (n < 32 && !(v >> n & 1))
      n++;
   return n;
}

static int64_t
bit_field_extract(uint32_t width, uint32_t offset, uint32_t v, bool is_signed)
{
   unsigned w = width & 31, o = offset & 31;
   uint32_t field = 0;
   if (!w)
      return 0;
   if (w + o >= 32)
      return is_signed ? (int32_t)v >> o : (int64_t)(v >> o);
   for (unsigned n = 0; n < w; n++)
      field |= (v >> (o + n) & 1) << n;
   if (is_signed && (field >> (w - 1) & 1))
      return (int64_t)field - (INT64_C(1) << w);
   return field;
}

static int64_t
find_high(int64_t v, bool is_signed)
{
   uint32_t u = (uint32_t)v;
   if (is_signed && (int32_t)u < 0)
      u = ~u;
   return u ? leading_zeros(u) : 0xFFFFFFFF;
}

static int64_t
count_bits(uint32_t v)
{
   int64_t n = 0;
   for (; v; v >>= 1)
      n += v & 1;
   return n;
}

static int64_t
reverse_bits(uint32_t v)
{
   uint32_t r = 0;
   for (unsigned n = 0; n < 32; n++)
      r |= (v >> n & 1) << (31 - n);
   return r;
}

static int64_t
multiply(const struct eu_inst *i, int64_t a, int64_t b, enum exec_type e)
{
   bool dword0 = i->src[0].type == EU_TYPE_D || i->src[0].type == EU_TYPE_UD;
   bool dword1 = i->src[1].type == EU_TYPE_D || i->src[1].type == EU_TYPE_UD;
   if (e == EXEC_D && dword0 && dword1) /* EU-146 */
      return a * (b & 0xFFFF);
   return a * b;
}

static bool
is_signed_type(unsigned type)
{
   return type == EU_TYPE_D || type == EU_TYPE_W || type == EU_TYPE_B || type == EU_TYPE_V;
}

/* Logic makes a bit pattern: as a number it is what the destination's type makes of it. */
static int64_t
pattern(const struct eu_inst *i, int64_t v)
{
   unsigned bits = eu_type_size(i->dst.type) * 8;
   uint64_t low = (uint64_t)v << (64 - bits);
   return is_signed_type(i->dst.type) ? (int64_t)low >> (64 - bits) : (int64_t)(low >> (64 - bits));
}

static int64_t
int_op(const struct eu_inst *i, const struct value s[3], int64_t acc, enum exec_type e)
{
   int64_t a = s[0].i, b = s[1].i, c = s[2].i;
   uint64_t width = e == EXEC_D ? UINT64_C(0xFFFFFFFF) : UINT64_C(0xFFFF);
   uint32_t zeros;
   switch (i->opcode) {
   case EU_OP_NOT:
      return pattern(i, ~a);
   case EU_OP_AND:
      return pattern(i, a & b);
   case EU_OP_OR:
      return pattern(i, a | b);
   case EU_OP_XOR:
      return pattern(i, a ^ b);
   case EU_OP_SHR:
      return (int64_t)(((uint64_t)a & width) >> (b & 31));
   case EU_OP_SHL:
      return (int64_t)((uint64_t)a << (b & 31));
   case EU_OP_ASR:
      return a >> (b & 31);
   case EU_OP_BFREV:
      return reverse_bits((uint32_t)a);
   case EU_OP_BFE:
      return bit_field_extract((uint32_t)a, (uint32_t)b, (uint32_t)c,
                               is_signed_type(i->src[0].type));
   case EU_OP_BFI1:
      return (int64_t)(uint32_t)(((UINT64_C(1) << (a & 31)) - 1) << (b & 31));
   case EU_OP_BFI2:
      zeros = trailing_zeros((uint32_t)a);
      if (zeros == 32)
         return (uint32_t)c;
      return (((uint32_t)b << zeros) & (uint32_t)a) | ((uint32_t)c & ~(uint32_t)a);
   case EU_OP_CBIT:
      return count_bits((uint32_t)a);
   case EU_OP_FBH:
      return find_high(a, i->src[0].type == EU_TYPE_D);
   case EU_OP_FBL:
      return (uint32_t)a ? trailing_zeros((uint32_t)a) : 0xFFFFFFFF;
   case EU_OP_LZD:
      return leading_zeros((uint32_t)a);
   case EU_OP_ADD:
      return a + b;
   case EU_OP_MUL:
      return multiply(i, a, b, e);
   case EU_OP_AVG:
      return (a + b + 1) >> 1;
   case EU_OP_MAC:
      return a * b + acc;
   case EU_OP_MACH: {
      int64_t high = is_signed_type(i->src[1].type) ? (int64_t)(int16_t)(b >> 16)
                                                    : (int64_t)(uint16_t)(b >> 16);
      return (int64_t)((uint64_t)acc + ((uint64_t)(a * high) << 16));
   }
   case EU_OP_ADDC:
      return (int64_t)(uint32_t)(a + b);
   case EU_OP_SUBB:
      return (int64_t)(uint32_t)(a - b);
   default:
      return a;
   }
}

static struct result
float_op(const struct eu_inst *i, const struct value s[3], uint32_t acc, struct fp_mode m)
{
   switch (i->opcode) {
   case EU_OP_ADD:
      return ref_f_add(s[0].f, s[1].f, m);
   case EU_OP_MUL:
      return ref_f_mul(s[0].f, s[1].f, m);
   case EU_OP_MAC:
      return ref_f_mad(s[0].f, s[1].f, acc, m);
   case EU_OP_MAD: /* src0 is the addend */
      return ref_f_mad(s[1].f, s[2].f, s[0].f, m);
   case EU_OP_LRP:
      return ref_f_lrp(s[0].f, s[1].f, s[2].f, m);
   case EU_OP_FRC:
      return ref_f_frc(s[0].f, m);
   case EU_OP_RNDU:
      return ref_f_round_integral(s[0].f, 1, m);
   case EU_OP_RNDD:
      return ref_f_round_integral(s[0].f, 2, m);
   case EU_OP_RNDE:
      return ref_f_round_integral(s[0].f, 0, m);
   case EU_OP_RNDZ:
      return ref_f_round_integral(s[0].f, 3, m);
   default: { /* a mov that is not raw */
      struct result r = {.v.f = ref_f_in(s[0].f, m)};
      if (ref_f_is_nan(r.v.f))
         r.v.f |= 0x00400000u;
      return r;
   }
   }
}

struct order {
   bool less, equal, nan0, nan1;
};

static struct order
compare(struct value a, struct value b, enum exec_type e, struct fp_mode m)
{
   struct order o = {0};
   if (e == EXEC_F) {
      uint32_t x = ref_f_in(a.f, m), y = ref_f_in(b.f, m);
      o.nan0 = ref_f_is_nan(x), o.nan1 = ref_f_is_nan(y);
      o.less = ref_f_value(x) < ref_f_value(y), o.equal = ref_f_value(x) == ref_f_value(y);
   } else if (e == EXEC_DF) {
      uint64_t x = ref_d_in(a.d, m), y = ref_d_in(b.d, m);
      double u, v;
      memcpy(&u, &x, 8);
      memcpy(&v, &y, 8);
      o.nan0 = ref_d_is_nan(x), o.nan1 = ref_d_is_nan(y);
      o.less = u < v, o.equal = u == v;
   } else {
      o.less = a.i < b.i, o.equal = a.i == b.i;
   }
   return o;
}

/* EU-117 */
static bool
condition(unsigned code, bool s, bool z, bool n, bool overflow)
{
   switch (code) {
   case EU_COND_Z:
      return z && !n;
   case EU_COND_NZ:
      return !(z && !n);
   case EU_COND_G:
      return !s && !z && !n;
   case EU_COND_GE:
      return (!s || z) && !n;
   case EU_COND_L:
      return s && !z && !n;
   case EU_COND_LE:
      return (s || z) && !n;
   case EU_COND_O:
      return overflow;
   case EU_COND_U:
      return n;
   default:
      return false;
   }
}

/* EU-121, EU-122, EU-124 */
static bool
compare_holds(const struct eu_inst *i, struct order o, bool cmpn)
{
   unsigned c = i->cond_modifier;
   if (!cmpn || (!o.nan0 && !o.nan1))
      return condition(c, o.less, o.equal, o.nan0 || o.nan1, false);
   return o.nan1 ? c != EU_COND_NZ : c == EU_COND_NZ;
}

static struct result
select_op(const struct eu_inst *i, const struct value s[3], bool predicate, enum exec_type e,
          struct fp_mode m)
{
   struct result r = {.raw = true};
   if (!i->cond_modifier) {
      r.v = predicate ? s[0] : s[1];
      return r;
   }
   struct order o = compare(s[0], s[1], e, m);
   bool first;
   if (i->cond_modifier == EU_COND_L || i->cond_modifier == EU_COND_GE)
      first = compare_holds(i, o, true) && !(o.nan0 && o.nan1);
   else
      first = !o.nan0 && !o.nan1 && compare_holds(i, o, false);
   r.v = first ? s[0] : s[1];
   r.v.f = ref_f_in(r.v.f, m);
   r.v.d = ref_d_in(r.v.d, m);
   if (e == EXEC_F && ref_f_is_nan(r.v.f))
      r.v.f = ONE_NAN;
   if (e == EXEC_DF && ref_d_is_nan(r.v.d))
      r.v.d = ONE_NAN_D;
   return r;
}

/* Dot products, line and pln look beyond their channel. */
static struct result
group_op(const struct oracle *o, const struct eu_inst *i, unsigned ch, unsigned half,
         struct fp_mode m)
{
   uint32_t a[4], b[4];
   if (i->opcode == EU_OP_LINE || i->opcode == EU_OP_PLN) {
      uint32_t at = i->src[0].nr * 32u + i->src[0].subnr, row = at & ~15u;
      uint32_t p = oracle_source(o, i, 0, ch, half, EXEC_F).f;
      if (i->opcode == EU_OP_LINE)
         return ref_f_mad(p, oracle_source(o, i, 1, ch, half, EXEC_F).f,
                          oracle_read_dword(o, row + 12), m);
      uint32_t u = oracle_read_dword(o, (i->src[1].nr + ch / 8 * 2) * 32u + ch % 8 * 4);
      uint32_t v = oracle_read_dword(o, (i->src[1].nr + ch / 8 * 2 + 1) * 32u + ch % 8 * 4);
      uint32_t q = oracle_read_dword(o, row + 4), last = oracle_read_dword(o, row + 12);
      uint32_t in[5] = {p, u, q, v, last};
      for (unsigned k = 0; k < 5; k++)
         in[k] = ref_f_in(in[k], m);
      /* Between the two steps nothing is clamped, ALT mode or not. */
      struct fp_mode between = m;
      between.alt = false;
      struct result first = ref_f_mad(in[0], in[1], in[4], between);
      struct result r = ref_f_mad(in[2], in[3], first.v.f, between);
      if (m.alt)
         r.v.f = ref_f_in(r.v.f, m);
      return r;
   }
   for (unsigned k = 0; k < 4; k++) {
      a[k] = oracle_source(o, i, 0, (ch & ~3u) + k, half, EXEC_F).f;
      b[k] = oracle_source(o, i, 1, (ch & ~3u) + k, half, EXEC_F).f;
   }
   return ref_f_dot(a, b, i->opcode, m);
}

static int64_t
absolute(int64_t v)
{
   return v < 0 ? -v : v;
}

static struct result
sad_op(const struct oracle *o, const struct eu_inst *i, unsigned ch, unsigned half,
       int64_t acc_even)
{
   unsigned n = ch & ~1u;
   int64_t sum = 0;
   for (unsigned k = n; k < n + 2; k++)
      sum += absolute(oracle_source(o, i, 0, k, half, EXEC_W).i -
                      oracle_source(o, i, 1, k, half, EXEC_W).i);
   return (struct result){.v.i = sum + (i->opcode == EU_OP_SADA2 ? acc_even : 0)};
}

/* EU-044 */
static bool
is_raw_move(const struct eu_inst *i)
{
   const struct eu_operand *s = &i->src[0];
   return i->opcode == EU_OP_MOV && i->dst.type == s->type && !s->negate && !s->abs && !i->saturate;
}

struct channel {
   bool write; /* destination, flag, accumulator */
   bool flag;  /* value of the flag bit */
   uint64_t bits, acc;
   int64_t full;
   uint32_t second; /* math: the remainder beside the quotient */
};

static bool
f_negative(uint32_t f)
{
   return f >> 31;
}

static uint32_t
f_saturate(uint32_t f)
{
   if (ref_f_is_nan(f) || f_negative(f))
      return 0;
   return f > 0x3F800000 ? 0x3F800000 : f;
}

static uint64_t
d_saturate(uint64_t d)
{
   if (ref_d_is_nan(d) || d >> 63)
      return 0;
   return d > UINT64_C(0x3FF0000000000000) ? UINT64_C(0x3FF0000000000000) : d;
}

static void
finish_int(const struct eu_inst *i, struct result r, enum exec_type e, struct fp_mode m,
           struct channel *c)
{
   int64_t low, high, v = r.v.i;
   c->acc = (uint64_t)v;
   if (!ref_type_is_int(i->dst.type)) {
      if (i->dst.type == EU_TYPE_DF) {
         double x = (double)v;
         memcpy(&c->bits, &x, 8);
         if (i->saturate)
            c->bits = d_saturate(c->bits);
         return;
      }
      uint32_t f = ref_int_to_f(v, m);
      c->bits = i->saturate ? f_saturate(f) : f;
      v = i->saturate ? (v < 0 ? 0 : v) : v;
      c->flag = condition(i->cond_modifier, v < 0, v == 0, false, false);
      return;
   }
   ref_type_range(i->dst.type, &low, &high);
   bool overflow = v < low || v > high;
   if (i->saturate)
      v = v < low ? low : v > high ? high : v;
   c->bits = (uint64_t)v;
   c->full = v;
   c->flag = condition(i->cond_modifier, v < 0, v == 0, false, overflow);
   (void)e;
}

static void
finish_float(const struct eu_inst *i, struct result r, struct fp_mode m, struct channel *c)
{
   uint32_t f = r.v.f;
   int64_t low, high;
   bool nan = ref_f_is_nan(f);
   c->acc = f;
   if (i->saturate && !ref_type_is_int(i->dst.type))
      f = f_saturate(f);
   if (ref_type_is_int(i->dst.type)) {
      ref_type_range(i->dst.type, &low, &high);
      c->bits = (uint64_t)ref_f_to_int(ref_f_value(ref_f_in(f, m)), nan, low, high);
      return;
   }
   c->bits = i->dst.type == EU_TYPE_DF ? ref_f_to_d(f) : f;
   uint32_t seen = ref_f_in(f, m);
   c->flag = condition(i->cond_modifier, f_negative(seen), !(seen & 0x7FFFFFFF), nan, r.overflow);
}

static void
finish_double(const struct eu_inst *i, struct result r, struct fp_mode m, struct channel *c)
{
   uint64_t d = r.v.d;
   int64_t low, high;
   double x;
   bool nan = ref_d_is_nan(d);
   c->acc = d;
   if (i->saturate && !ref_type_is_int(i->dst.type))
      d = d_saturate(d);
   memcpy(&x, &d, 8);
   if (ref_type_is_int(i->dst.type)) {
      ref_type_range(i->dst.type, &low, &high);
      c->bits = (uint64_t)ref_f_to_int(x, nan, low, high);
      return;
   }
   c->bits = i->dst.type == EU_TYPE_F ? ref_d_to_f(d, m) : d;
   uint64_t seen = ref_d_in(d, m);
   c->flag = condition(i->cond_modifier, seen >> 63, !(seen << 1), nan, r.overflow);
}

static void
finish_compare(const struct eu_inst *i, const struct value s[3], enum exec_type e, struct fp_mode m,
               struct channel *c)
{
   c->flag = compare_holds(i, compare(s[0], s[1], e, m), i->opcode == EU_OP_CMPN);
   c->bits = c->flag ? UINT64_MAX : 0;
   c->full = c->flag ? -1 : 0;
}

static void
compute(const struct oracle *o, const struct eu_inst *i, unsigned ch, unsigned half, bool predicate,
        struct channel *c)
{
   enum exec_type e = oracle_exec_type(i);
   struct fp_mode m = oracle_fp_mode(o);
   unsigned halves = oracle_halves(o, i), sources = eu_opcodes[i->opcode].sources;
   struct value s[3] = {{0}};
   struct result r = {0};
   bool group = (i->opcode >= EU_OP_DP4 && i->opcode <= EU_OP_DP2) || i->opcode == EU_OP_LINE ||
                i->opcode == EU_OP_PLN;
   uint64_t acc = o->acc[oracle_acc_lane(i, ch, half, halves, e)];
   int64_t acc_int = e == EXEC_W ? (int64_t)(acc << 31) >> 31 : (int64_t)acc;
   if (!group)
      for (unsigned n = 0; n < sources; n++)
         s[n] = oracle_source(o, i, n, ch, half, e);
   if (i->opcode == EU_OP_CMP || i->opcode == EU_OP_CMPN) {
      finish_compare(i, s, e, m, c);
      return;
   }
   if (i->opcode == EU_OP_MATH) {
      r = oracle_math_channel(i, s[0], s[1], m, &c->second);
   } else if (i->opcode == EU_OP_SEL) {
      r = select_op(i, s, predicate, e, m);
   } else if (is_raw_move(i)) {
      r.v = s[0];
   } else if (i->opcode == EU_OP_F32TO16) {
      c->bits = ref_f_to_half(s[0].f, m);
      return;
   } else if (i->opcode == EU_OP_F16TO32) {
      r.v.f = ref_half_to_f((uint16_t)s[0].i);
      e = EXEC_F;
   } else if (group) {
      r = group_op(o, i, ch, half, m);
   } else if (i->opcode == EU_OP_SAD2 || i->opcode == EU_OP_SADA2) {
      uint64_t even = o->acc[oracle_acc_lane(i, ch & ~1u, half, halves, EXEC_W)];
      r = sad_op(o, i, ch, half, (int64_t)(even << 31) >> 31);
   } else if (e == EXEC_F) {
      /* F to DF keeps denormals (EU-048). */
      if (i->opcode == EU_OP_MOV && i->dst.type == EU_TYPE_DF)
         r.v.f = s[0].f;
      else
         r = float_op(i, s, (uint32_t)acc, m);
   } else if (e == EXEC_DF) {
      if (i->opcode == EU_OP_MOV) {
         r.v.d = ref_d_in(s[0].d, m);
         if (ref_d_is_nan(r.v.d))
            r.v.d |= UINT64_C(0x8000000000000);
      } else {
         r = ref_d_op(i->opcode, s[0].d, s[1].d, i->opcode == EU_OP_MAC ? acc : s[2].d, m);
      }
   } else {
      r.v.i = int_op(i, s, acc_int, e);
   }
   if (e == EXEC_F)
      finish_float(i, r, m, c);
   else if (e == EXEC_DF)
      finish_double(i, r, m, c);
   else
      finish_int(i, r, e, m, c);
   if (i->opcode == EU_OP_MACH) {
      c->acc = (uint64_t)r.v.i;
      c->bits = (uint64_t)r.v.i >> 32;
      c->flag = condition(i->cond_modifier, (int32_t)c->bits < 0, !(uint32_t)c->bits, false, false);
   }
   if (i->opcode == EU_OP_ADDC)
      c->acc = s[0].i + s[1].i > UINT32_MAX;
   if (i->opcode == EU_OP_SUBB)
      c->acc = s[0].i < s[1].i;
   if (is_raw_move(i)) {
      c->bits = e == EXEC_DF ? s[0].d : e == EXEC_F ? s[0].f : (uint64_t)s[0].i;
   }
}

/* EU-058: a double takes two channels of registers, but double n has the enable, the predicate and
 * the flag of channel n. */
static bool
has_doubles(const struct eu_inst *i)
{
   return oracle_exec_type(i) == EXEC_DF || i->dst.type == EU_TYPE_DF;
}

static unsigned
mask_channel(const struct eu_inst *i, unsigned ch)
{
   return has_doubles(i) ? ch / 2 : ch;
}

static void
write_back(struct oracle *o, const struct eu_inst *i, unsigned ch, unsigned half, unsigned halves,
           const struct channel *c)
{
   enum exec_type e = oracle_exec_type(i);
   bool acc_write = i->acc_write && !(o->cr0 & 2);
   unsigned lane = oracle_acc_lane(i, ch, half, halves, e);
   uint64_t acc = e == EXEC_W ? (uint64_t)((int64_t)(c->acc << 31) >> 31) : c->acc;
   if (acc_write && (c->write || i->opcode == EU_OP_MACH))
      o->acc[lane] = acc;
   if (!c->write)
      return;
   oracle_store(o, i, ch, half, c->bits, c->full);
   if (i->opcode == EU_OP_MATH && i->math_function == EU_MATH_INTDIVMOD) {
      struct eu_inst next = *i;
      next.dst.nr++;
      oracle_store(o, &next, ch, half, c->second, 0);
   }
   if (i->cond_modifier && i->opcode != EU_OP_SEL) {
      unsigned bit = oracle_flag_bit(i, mask_channel(i, ch));
      uint32_t *flag = &o->flag[i->flag_nr];
      *flag = (*flag & ~(1u << bit)) | (uint32_t)c->flag << bit;
   }
}

/* EU-130: a shuffle of one register by the bytes that a0 gives. */
static void
move_indexed(struct oracle *o, const struct eu_inst *i)
{
   const struct eu_operand *s = &i->src[0];
   unsigned size = eu_type_size(s->type);
   uint8_t row[32];
   unsigned nr = ((o->a0[0] >> 5 & 127) + (unsigned)(s->addr_imm >> 5)) & 127;
   memcpy(row, o->grf + nr * 32, 32);
   for (unsigned ch = 0; ch < i->exec_size; ch++) {
      unsigned position = i->dst.subnr / size + ch;
      unsigned at = ((o->a0[position & 7] & 31) + ((unsigned)s->addr_imm & 31)) & 31 & ~(size - 1);
      uint64_t bits = 0;
      memcpy(&bits, row + at, size);
      if (oracle_enabled(o, i, ch) && oracle_predicate(o, i, ch))
         oracle_store(o, i, ch, 0, bits, 0);
   }
}

/* EU-077: words in one register that feed dwords in two are read once, before anything is written.
 */
static bool
read_at_once(const struct oracle *o, const struct eu_inst *i, unsigned n)
{
   const struct eu_operand *s = &i->src[n];
   return s->file == EU_FILE_GRF && !s->indirect && !i->align16 && eu_type_size(s->type) == 2 &&
          i->exec_size == 16 && (s->vstride || s->width > 1) &&
          oracle_source_address(o, i, n, 0, 0) / 32 == oracle_source_address(o, i, n, 15, 1) / 32;
}

/* What the second half sees: the registers as they are, but for those that were read at once. */
static void
second_view(const struct oracle *o, const struct eu_inst *i, const struct oracle *before,
            struct oracle *view)
{
   *view = *o;
   for (unsigned n = 0; n < eu_opcodes[i->opcode].sources; n++)
      if (read_at_once(o, i, n)) {
         uint32_t at = oracle_source_address(o, i, n, 0, 0) & ~31u;
         memcpy(view->grf + at, before->grf + at, 32);
      }
}

void
oracle_alu(struct oracle *o, const struct eu_inst *i)
{
   struct channel c[ORACLE_CHANNELS];
   struct oracle before, view;
   bool once = false;
   if (i->opcode == EU_OP_MOVI) {
      move_indexed(o, i);
      return;
   }
   unsigned halves = oracle_halves(o, i), size = i->exec_size / halves;
   unsigned step = has_doubles(i) ? 2 : 1;
   for (unsigned n = 0; halves == 2 && n < eu_opcodes[i->opcode].sources; n++)
      once |= read_at_once(o, i, n);
   if (once)
      before = *o;
   for (unsigned half = 0; half < halves; half++) {
      const struct oracle *seen = o;
      if (once && half) {
         second_view(o, i, &before, &view);
         seen = &view;
      }
      memset(c, 0, sizeof(c));
      for (unsigned ch = half * size; ch < (half + 1) * size; ch += step) {
         unsigned n = mask_channel(i, ch);
         bool predicate = oracle_predicate(o, i, n);
         /* Four doubles have an enable each; .xy and .zw choose among dwords. */
         bool by_dword = step == 1 || i->dst.writemask == 3 || i->dst.writemask == 12;
         bool component = !i->align16 || i->dst.writemask >> (by_dword ? ch : ch / 2) % 4 & 1;
         bool disables = i->opcode != EU_OP_SEL || i->cond_modifier;
         c[ch].write = oracle_enabled(o, i, n) && (predicate || !disables) && component;
         compute(seen, i, ch, half, predicate, &c[ch]);
      }
      for (unsigned ch = half * size; ch < (half + 1) * size; ch += step)
         write_back(o, i, ch, half, halves, &c[ch]);
   }
}
