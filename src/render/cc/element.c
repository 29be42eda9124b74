/* One element of a target: clamp, blend, clamp, curve, dither, logic operation, write disables. */
#include "render/cc/cc.h"

#include "machine/float_bits.h"

#include <math.h>
#include <string.h>

/* P3D-349: sixteenths of the last bit that are added before the rest is cut off. */
static const uint8_t dither_matrix[4][4] = {
    {0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};

static void
blend_pixel(const struct cc_target *t, const uint32_t color[2][4], const void *element,
            float out[4])
{
   float source[2][4], destination[4] = {0};
   format_texel there = {0};
   for (unsigned k = 0; k < 2; k++)
      for (unsigned i = 0; i < 4; i++)
         source[k][i] = cc_clamp(bits_float(color[k][i]), t->pre);
   if (t->alpha_to_one)
      source[0][CC_ALPHA] = 1.0f;
   if (!t->blend) {
      memcpy(out, source[0], sizeof(source[0]));
      return;
   }
   if (t->reads)
      format_unpack(t->format, element, there); /* P3D-340, P3D-343: linear; no alpha is 1 */
   for (unsigned i = 0; i < 4; i++)
      destination[i] = cc_clamp(bits_float(there[i]), t->pre);
   cc_blend(t, source[0], source[1], destination, out);
}

/* Channels of fewer than eight bits; the others as format_pack has made them. */
static void
dither(const struct cc_target *t, unsigned x, unsigned y, const float color[4], uint8_t *element)
{
   unsigned add = dither_matrix[(y + t->dither_y) & 3][(x + t->dither_x) & 3];
   uint32_t word = 0;
   memcpy(&word, element, t->element_B < 4 ? t->element_B : 4);
   for (unsigned i = 0; i < 4; i++) {
      const struct format_channel *c = &t->format->channel[i];
      if (c->type != CHANNEL_UNORM || c->bits >= 8)
         continue;
      uint32_t ones = (1u << c->bits) - 1;
      float f = t->format->srgb && i < 3 ? format_linear_to_srgb(color[i]) : color[i];
      double v = f > 0.0f ? (f < 1.0f ? (double)f : 1.0) : 0.0;
      uint32_t code = (uint32_t)floor(v * ones + add / 16.0);
      word = (word & ~(ones << c->start)) | (code < ones ? code : ones) << c->start;
   }
   memcpy(element, &word, t->element_B < 4 ? t->element_B : 4);
}

/* P3D-345, P3D-348 */
static void
merge(const struct cc_target *t, const uint8_t *fresh, uint8_t *element)
{
   for (unsigned i = 0; i < t->element_B; i++) {
      uint8_t v = fresh[i];
      if (t->logic_op != GEN7_LOGIC_OPERATION_COPY)
         v = (uint8_t)(cc_logic(t->logic_op, v, element[i]) & t->used[i]);
      element[i] = (uint8_t)((element[i] & t->keep[i]) | (v & ~t->keep[i]));
   }
}

void
cc_element(const struct cc_target *t, unsigned x, unsigned y, const uint32_t color[2][4],
           void *element)
{
   uint8_t fresh[CC_ELEMENT_B];
   format_texel in;
   if (t->format->channel_class != FORMAT_CLASS_FLOAT) { /* P3D-341: integers saturate */
      format_pack(t->format, color[0], fresh);
      merge(t, fresh, element);
      return;
   }
   float out[4];
   blend_pixel(t, color, element, out);
   for (unsigned i = 0; i < 4; i++) {
      out[i] = cc_clamp(out[i], t->post);
      in[i] = float_bits(out[i]);
   }
   format_pack(t->format, in, fresh);
   if (t->dither)
      dither(t, x, y, out, fresh);
   merge(t, fresh, element);
}
