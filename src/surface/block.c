/* Compressed elements to texels. */
#include "surface/codec.h"
#include "surface/format.h"

static uint32_t
float_bits(float f)
{
   uint32_t u;
   memcpy(&u, &f, 4);
   return u;
}

static void
give_rgba8(const struct format_info *f, codec_rgba *in, format_texel *out, unsigned count)
{
   for (unsigned i = 0; i < count; i++)
      for (unsigned c = 0; c < 4; c++) {
         float v = format_unorm_to_float(in[i][c], 8);
         out[i][c] = float_bits(f->srgb && c < 3 ? format_srgb_to_linear(v) : v); /* SMP-099 */
      }
}

/* One or two channels of codes, the rest 0 and 1. */
static void
give_codes(const int16_t *red, const int16_t *green, double scale, format_texel *out)
{
   for (unsigned i = 0; i < 16; i++) {
      out[i][0] = float_bits((float)(red[i] / scale));
      out[i][1] = green ? float_bits((float)(green[i] / scale)) : 0;
      out[i][2] = 0;
      out[i][3] = float_bits(1.0f);
   }
}

static void
give_halves(uint16_t in[16][3], format_texel *out)
{
   for (unsigned i = 0; i < 16; i++) {
      for (unsigned c = 0; c < 3; c++)
         out[i][c] = float_bits(format_half_to_float(in[i][c]));
      out[i][3] = float_bits(1.0f);
   }
}

static void
decode_codes(const struct format_info *f, const uint8_t *block, format_texel *out)
{
   int16_t red[16], green[16];
   bool eac = f->codec >= CODEC_EAC_R;
   bool is_signed = f->codec == CODEC_BC4S || f->codec == CODEC_BC5S || f->codec == CODEC_EAC_RS ||
                    f->codec == CODEC_EAC_RGS;
   bool two = f->bits == 128; /* SMP-419, SMP-462: red in the low half, green in the high one */
   for (unsigned k = 0; k < (two ? 2u : 1u); k++) {
      int16_t *o = k ? green : red;
      if (eac)
         codec_eac11(block + 8 * k, is_signed, o);
      else
         codec_bc4(block + 8 * k, is_signed, o);
   }
   double scale = eac ? (is_signed ? 1023 : 2047) : (is_signed ? 127 : 255);
   give_codes(red, two ? green : NULL, scale, out);
}

void
format_decode_block(const struct format_info *f, const void *block, format_texel *out)
{
   const uint8_t *b = block;
   codec_rgba rgba[32];
   uint16_t half[16][3];
   uint8_t alpha[16];
   unsigned count = f->block_w * f->block_h;
   switch (f->codec) {
   case CODEC_BC1:
      codec_bc1(b, false, rgba);
      break;
   case CODEC_BC1_RGB:
      codec_bc1(b, true, rgba);
      break; /* SMP-415 */
   case CODEC_BC2:
      codec_bc2(b, rgba);
      break;
   case CODEC_BC3:
      codec_bc3(b, rgba);
      break;
   case CODEC_BC7:
      codec_bc7(b, rgba);
      break;
   case CODEC_FXT1:
      codec_fxt1(b, rgba);
      break;
   case CODEC_ETC1:
      codec_etc(b, CODEC_ETC_1, rgba);
      break;
   case CODEC_ETC2:
      codec_etc(b, CODEC_ETC_2, rgba);
      break;
   case CODEC_ETC2_PTA:
      codec_etc(b, CODEC_ETC_2_PUNCH, rgba);
      break;
   case CODEC_ETC2_EAC:
      codec_etc(b + 8, CODEC_ETC_2, rgba);
      codec_eac8(b, alpha);
      for (unsigned i = 0; i < 16; i++)
         rgba[i][3] = alpha[i];
      break;
   case CODEC_BC6U:
   case CODEC_BC6S:
      codec_bc6h(b, f->codec == CODEC_BC6S, half);
      give_halves(half, out);
      return;
   default:
      decode_codes(f, b, out);
      return;
   }
   give_rgba8(f, rgba, out, count);
}
