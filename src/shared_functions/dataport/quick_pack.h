/* Private to the fast paths that write texels: channels of eight slots to elements, as format_pack
 * does it. Results do not depend on the host's floating-point modes: what is rounded says how, or
 * is rounded by integers. */
#ifndef PERGOLA_DP_QUICK_PACK_H
#define PERGOLA_DP_QUICK_PACK_H

#include "shared_functions/dataport/quick_slots.h"

#include "surface/format.h"

/* DP-218: NaN becomes 0; a minimum or maximum gives its second operand then. */
static ALWAYS_INLINE v8i
unorm8(v8i v, unsigned bits)
{
   v8f f = v8f_max(v8_as_float(v), v8f_all(0));
   return v8f_scaled(v8f_min(f, v8f_all(1.0f)), (1u << bits) - 1);
}

static ALWAYS_INLINE v8i
snorm8(v8i v, unsigned bits)
{
   v8f f = v8_as_float(v);
   f = v8f_and(f, v8i_not(v8f_nan(f)));
   f = v8f_min(v8f_max(f, v8f_all(-1.0f)), v8f_all(1.0f));
   return v8i_and(v8f_scaled(f, (1u << (bits - 1)) - 1), v8i_all((1u << bits) - 1));
}

/* v >> shift, to nearest even. */
static ALWAYS_INLINE v8i
round_shift8(v8i v, v8i shift)
{
   v8i odd = v8i_and(v8i_shr(v, shift), v8i_all(1));
   v8i half = v8i_shl(v8i_all(1), add8(shift, UINT32_MAX));
   return v8i_shr(v8i_add(v8i_add(v, odd), add8(half, UINT32_MAX)), shift);
}

/* Magnitudes to floats of 5 exponent bits, no sign; what is too large becomes `top`. */
static ALWAYS_INLINE v8i
small8(v8i magnitude, unsigned fraction_bits, uint32_t top)
{
   unsigned drop = 23 - fraction_bits;
   uint32_t infinity = 31u << fraction_bits;
   v8i fraction = v8i_and(magnitude, v8i_all(0x7fffff));
   v8i normal = round_shift8(add8(magnitude, 0u - (112u << 23)), v8i_all(drop));
   v8i shift = v8u_min(v8i_sub(v8i_all(drop + 113), v8i_shr_by(magnitude, 23)), v8i_all(31));
   v8i denormal = round_shift8(v8i_or(fraction, v8i_all(0x800000)), shift);
   v8i nan = v8i_or(v8i_shr_by(fraction, (int)drop), v8i_all(infinity | 1u << (fraction_bits - 1)));
   v8i v = v8i_choose(v8i_more(v8i_all(113u << 23), magnitude), denormal,
                      v8u_min(normal, v8i_all(top)));
   v = v8i_choose(v8i_equal(magnitude, v8i_all(0x7f800000)), v8i_all(infinity), v);
   return v8i_choose(v8i_more(magnitude, v8i_all(0x7f800000)), nan, v);
}

static ALWAYS_INLINE v8i
float8(v8i v, unsigned bits)
{
   v8i magnitude = v8i_and(v, v8i_all(0x7fffffff));
   if (bits == 32)
      return v;
   if (bits == 16)
      return v8i_or(small8(magnitude, 10, 31u << 10), v8i_and(v8i_shr_by(v, 16), v8i_all(0x8000)));
   /* No sign: what is negative, and no NaN, becomes 0; what is finite stays so. */
   unsigned fraction_bits = bits - 5;
   v8i negative = v8i_and_not(v8i_asr_by(v, 31), v8i_more(magnitude, v8i_all(0x7f800000)));
   return v8i_and_not(small8(magnitude, fraction_bits, (31u << fraction_bits) - 1), negative);
}

static ALWAYS_INLINE v8i
encode8(const struct format_channel *c, v8i v)
{
   unsigned bits = c->bits;
   uint32_t ones = bits == 32 ? UINT32_MAX : (1u << bits) - 1;
   switch (c->type) {
   case CHANNEL_UNORM:
      return unorm8(v, bits);
   case CHANNEL_SNORM:
      return snorm8(v, bits);
   case CHANNEL_UINT:
      return v8u_min(v, v8i_all(ones));
   case CHANNEL_SINT:
      v = v8i_min(v8i_max(v, v8i_all(~(ones >> 1))), v8i_all(ones >> 1));
      return v8i_and(v, v8i_all(ones));
   default:
      return float8(v, bits);
   }
}

/* Dwords of eight elements. */
static ALWAYS_INLINE void
pack8(const struct format_info *f, const v8i in[4], v8i out[4])
{
   for (unsigned k = 0; k < 4; k++)
      out[k] = v8i_all(0);
   for (unsigned i = 0; i < 4; i++) {
      const struct format_channel *c = &f->channel[i];
      if (c->type == CHANNEL_NONE)
         continue;
      v8i *dword = &out[c->start / 32];
      *dword = v8i_or(*dword, v8i_shl_by(encode8(c, in[i]), c->start % 32));
   }
}

#endif
