/* Channel and element conversion. */
#include "surface/format.h"
#include "gen7_hw.h"

#include "machine/float_bits.h"

#include <math.h>
#include <string.h>

/* A float of `exp_bits` exponent bits with bias 15 and no more than 10 fraction bits, no sign. */
static float
small_to_float(uint32_t v, unsigned fraction_bits)
{
   uint32_t fraction = v & ((1u << fraction_bits) - 1), exponent = v >> fraction_bits & 31;
   if (exponent == 31) /* SMP-401, SMP-402 */
      return bits_float(0x7f800000u | fraction << (23 - fraction_bits));
   if (exponent == 0)
      return ldexpf((float)fraction, -14 - (int)fraction_bits);
   return bits_float((exponent + 112) << 23 | fraction << (23 - fraction_bits));
}

/* Round to nearest even, denormals kept; what overflows becomes infinity (DP-218). NaN stays NaN.
 */
static uint32_t
float_to_small(uint32_t magnitude, unsigned fraction_bits)
{
   uint32_t infinity = 31u << fraction_bits;
   if (magnitude >= 0x7f800000u)
      return magnitude == 0x7f800000u ? infinity
                                      : infinity | 1u << (fraction_bits - 1) |
                                            (magnitude & 0x7fffffu) >> (23 - fraction_bits);
   int exponent = (int)(magnitude >> 23) - 112;
   uint64_t fraction = (magnitude & 0x7fffffu) | (magnitude >> 23 ? 0x800000u : 0);
   unsigned shift = 23 - fraction_bits;
   if (exponent <= 0) {
      unsigned extra = (unsigned)(1 - exponent);
      if (extra > 25)
         return 0;
      shift += extra;
      exponent = 0;
   } else {
      fraction &= 0x7fffffu;
   }
   uint64_t kept = fraction >> shift, rest = fraction & ((UINT64_C(1) << shift) - 1);
   uint64_t half = UINT64_C(1) << (shift - 1);
   if (rest > half || (rest == half && (kept & 1)))
      kept++;
   uint64_t v = ((uint64_t)exponent << fraction_bits) + kept; /* a carry enters the exponent */
   return v > infinity ? infinity : (uint32_t)v;
}

float
format_half_to_float(uint16_t h)
{
   float f = small_to_float(h & 0x7fffu, 10);
   return bits_float(float_bits(f) | (uint32_t)(h & 0x8000u) << 16);
}

uint16_t
format_float_to_half(float f)
{
   uint32_t u = float_bits(f);
   return (uint16_t)(float_to_small(u & 0x7fffffffu, 10) | (u >> 16 & 0x8000u));
}

float
format_float11_to_float(uint32_t v)
{
   return small_to_float(v, 6);
}

float
format_float10_to_float(uint32_t v)
{
   return small_to_float(v, 5);
}

/* DP-218: no sign, so that what is negative becomes 0. A finite value above the largest is that
 * one. */
static uint32_t
float_to_unsigned_small(float f, unsigned fraction_bits)
{
   uint32_t u = float_bits(f);
   bool nan = (u & 0x7fffffffu) > 0x7f800000u;
   if (u >> 31 && !nan)
      return 0;
   uint32_t v = float_to_small(u & 0x7fffffffu, fraction_bits), infinity = 31u << fraction_bits;
   if (v == infinity && u != 0x7f800000u)
      return infinity - 1;
   return v;
}

uint32_t
format_float_to_float11(float f)
{
   return float_to_unsigned_small(f, 6);
}

uint32_t
format_float_to_float10(float f)
{
   return float_to_unsigned_small(f, 5);
}

static uint64_t
ones(unsigned bits)
{
   return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static int64_t
sign_extend(uint64_t v, unsigned bits)
{
   unsigned shift = 64 - bits;
   return (int64_t)(v << shift) >> shift;
}

float
format_unorm_to_float(uint32_t v, unsigned bits)
{
   return (float)((double)v / (double)ones(bits)); /* SMP-398 */
}

static float
format_snorm_to_float(uint32_t v, unsigned bits)
{
   double d = (double)sign_extend(v, bits) / (double)ones(bits - 1); /* SMP-399 */
   return d < -1.0 ? -1.0f : (float)d;
}

/* DP-218: clamp, scale, round to nearest even; NaN becomes 0. */
uint32_t
format_float_to_unorm(float f, unsigned bits)
{
   if (!(f > 0.0f))
      return 0;
   return f >= 1.0f ? (uint32_t)ones(bits) : (uint32_t)rint((double)f * (double)ones(bits));
}

uint32_t
format_float_to_snorm(float f, unsigned bits)
{
   if (f != f)
      return 0;
   double d = f < -1.0f ? -1.0 : f > 1.0f ? 1.0 : f;
   return (uint32_t)((uint64_t)(int64_t)rint(d * (double)ones(bits - 1)) & ones(bits));
}

float
format_srgb_to_linear(float f) /* SMP-100 */
{
   return f <= 0.04045f ? (float)(f / 12.92) : (float)pow((f + 0.055) / 1.055, 2.4);
}

float
format_linear_to_srgb(float f)
{
   if (!(f > 0.0f))
      return 0.0f;
   if (f >= 1.0f)
      return 1.0f;
   return f <= 0.0031308f ? (float)(12.92 * f) : (float)(1.055 * pow(f, 1.0 / 2.4) - 0.055);
}

static uint64_t
extract(const void *element, unsigned start, unsigned bits)
{
   const uint8_t *b = (const uint8_t *)element + start / 8;
   unsigned shift = start % 8, bytes = (shift + bits + 7) / 8;
   uint64_t v = 0;
   memcpy(&v, b, bytes > 8 ? 8 : bytes);
   return v >> shift & ones(bits);
}

static void
insert(void *element, unsigned start, unsigned bits, uint64_t v)
{
   uint8_t *b = (uint8_t *)element + start / 8;
   unsigned shift = start % 8, bytes = (shift + bits + 7) / 8;
   uint64_t word = 0;
   memcpy(&word, b, bytes > 8 ? 8 : bytes);
   word = (word & ~(ones(bits) << shift)) | (v & ones(bits)) << shift;
   memcpy(b, &word, bytes > 8 ? 8 : bytes);
}

static float
decode_float(uint64_t v, unsigned bits)
{
   double d;
   switch (bits) {
   case 10:
      return format_float10_to_float((uint32_t)v);
   case 11:
      return format_float11_to_float((uint32_t)v);
   case 16:
      return format_half_to_float((uint16_t)v);
   case 64:
      memcpy(&d, &v, 8);
      return (float)d;
   default:
      return bits_float((uint32_t)v);
   }
}

static uint32_t
decode_channel(const struct format_channel *c, const void *element)
{
   uint64_t v = extract(element, c->start, c->bits);
   switch (c->type) {
   case CHANNEL_UNORM:
      return float_bits(format_unorm_to_float((uint32_t)v, c->bits));
   case CHANNEL_SNORM:
      return float_bits(format_snorm_to_float((uint32_t)v, c->bits));
   case CHANNEL_UINT:
      return (uint32_t)v;
   case CHANNEL_SINT:
      return (uint32_t)sign_extend(v, c->bits);
   case CHANNEL_USCALED:
      return float_bits((float)v); /* SMP-400 */
   case CHANNEL_SSCALED:
      return float_bits((float)sign_extend(v, c->bits));
   case CHANNEL_FIXED:
      return float_bits((float)((double)sign_extend(v, 32) / 65536.0));
   default:
      return c->bits == 32 ? (uint32_t)v : float_bits(decode_float(v, c->bits));
   }
}

static void
unpack_sharedexp(const void *element, format_texel out)
{
   uint32_t v;
   memcpy(&v, element, 4);
   int exponent = (int)(v >> 27) - 24; /* SMP-403 */
   for (unsigned i = 0; i < 3; i++)
      out[i] = float_bits(ldexpf((float)(v >> 9 * i & 0x1ffu), exponent));
   out[3] = float_bits(1.0f);
}

void
format_unpack(const struct format_info *f, const void *element, format_texel out)
{
   if (f->layout == FORMAT_SHAREDEXP) {
      unpack_sharedexp(element, out);
      return;
   }
   uint32_t one = f->channel_class == FORMAT_CLASS_FLOAT ? float_bits(1.0f) : 1u; /* SMP-118 */
   for (unsigned i = 0; i < 4; i++) {
      const struct format_channel *c = &f->channel[i];
      if (c->type == CHANNEL_NONE) {
         out[i] = i == 3 ? one : 0;
         continue;
      }
      out[i] = decode_channel(c, element);
      if (f->srgb && i < 3) /* SMP-099: alpha is linear */
         out[i] = float_bits(format_srgb_to_linear(bits_float(out[i])));
   }
}

static uint64_t
encode_channel(const struct format_channel *c, uint32_t v)
{
   int64_t top;
   switch (c->type) {
   case CHANNEL_UNORM:
      return format_float_to_unorm(bits_float(v), c->bits);
   case CHANNEL_SNORM:
      return format_float_to_snorm(bits_float(v), c->bits);
   case CHANNEL_UINT:
      return v > ones(c->bits) ? ones(c->bits) : v;
   case CHANNEL_SINT:
      top = (int64_t)ones(c->bits - 1);
      if ((int32_t)v > top)
         return (uint64_t)top;
      return (uint64_t)((int32_t)v < -top - 1 ? -top - 1 : (int32_t)v) & ones(c->bits);
   case CHANNEL_FLOAT:
      return c->bits == 10   ? format_float_to_float10(bits_float(v))
             : c->bits == 11 ? format_float_to_float11(bits_float(v))
             : c->bits == 16 ? format_float_to_half(bits_float(v))
                             : v;
   default:
      return 0;
   }
}

void
format_pack(const struct format_info *f, const format_texel in, void *element)
{
   memset(element, 0, f->bits / 8); /* DP-218: X bits are written as 0 */
   for (unsigned i = 0; i < 4; i++) {
      const struct format_channel *c = &f->channel[i];
      uint32_t v = in[i];
      if (c->type == CHANNEL_NONE)
         continue;
      if (f->srgb && i < 3)
         v = float_bits(format_linear_to_srgb(bits_float(v)));
      insert(element, c->start, c->bits, encode_channel(c, v));
   }
}

const struct format_yuv422_order *
format_yuv422_order(unsigned code)
{
   static const struct format_yuv422_order normal = {0, 2, 1, 3}, swapuv = {0, 2, 3, 1},
                                           swapy = {1, 3, 0, 2}, swapuvy = {1, 3, 2, 0};
   switch (code) {
   case GEN7_SURFACE_FORMAT_YCRCB_NORMAL:
      return &normal;
   case GEN7_SURFACE_FORMAT_YCRCB_SWAPUV:
      return &swapuv;
   case GEN7_SURFACE_FORMAT_YCRCB_SWAPY:
      return &swapy;
   default:
      return &swapuvy;
   }
}

void
format_unpack_yuv422(const struct format_info *f, const void *element, format_texel out[2])
{
   const struct format_yuv422_order *o = format_yuv422_order(f->code);
   const uint8_t *b = element;
   for (unsigned i = 0; i < 2; i++) {
      out[i][0] = float_bits(format_unorm_to_float(b[o->v], 8)); /* SMP-158: Cr */
      out[i][1] = float_bits(format_unorm_to_float(b[i ? o->y1 : o->y0], 8));
      out[i][2] = float_bits(format_unorm_to_float(b[o->u], 8));
      out[i][3] = float_bits(1.0f);
   }
}

struct format_palette_index
format_unpack_palette(const struct format_info *f, const void *element, unsigned texel)
{
   const uint8_t *b = element;
   struct format_palette_index r = {0};
   size_t n = strlen(f->name);
   r.palette = f->name[n - 1] == '1';
   r.has_alpha = true;
   if (!strncmp(f->name, "A8P8", 4)) { /* SMP-147 */
      r.alpha = b[0], r.index = b[1];
   } else if (!strncmp(f->name, "P8A8", 4)) {
      r.index = b[0], r.alpha = b[1];
   } else if (!strncmp(f->name, "P4A4", 4)) { /* SMP-155 */
      r.index = b[0] & 15, r.alpha = (uint8_t)((b[0] >> 4) * 17);
   } else if (!strncmp(f->name, "A4P4", 4)) {
      r.alpha = (uint8_t)((b[0] & 15) * 17), r.index = b[0] >> 4;
   } else { /* SMP-406: alpha comes from the entry */
      r.has_alpha = false;
      r.index = f->name[1] == '2' ? b[0] >> 2 * (texel & 3) & 3 : b[0];
   }
   return r;
}
