/* The colour calculator: the colours of a pixel and the element that is there become the element
 * that will be. No memory and no device: where the elements lie is the pixel back end's matter. */
#ifndef PERGOLA_RENDER_CC_H
#define PERGOLA_RENDER_CC_H

#include "gen7_hw.h"
#include "surface/format.h"

#define CC_TARGETS 8u
#define CC_ELEMENT_B 16u /* the largest element of a target */

/* What blending makes of what is no number: one of them, whichever operand it came from. */
#define CC_NAN 0x7fc00000u

enum cc_channel { CC_RED, CC_GREEN, CC_BLUE, CC_ALPHA };

/* What is wrong with an entry of BLEND_STATE on a target of some format. */
enum cc_rule {
   CC_LOGIC_FORMAT = 1 << 0, /* P3D-345: a logic operation on something else than UNORM */
   CC_LOGIC_BLEND = 1 << 1,  /* P3D-346 */
   CC_NO_BLEND = 1 << 2,     /* P3D-347: a format that cannot be blended */
   CC_CLAMP = 1 << 3,        /* P3D-342 */
   CC_FACTOR = 1 << 4,       /* a reserved factor or function; it counts as ZERO, or ADD */
};

/* How red, green and blue, or alpha, are blended. */
struct cc_equation {
   uint8_t function, source, destination; /* GEN7_BLEND_FUNCTION_…, GEN7_BLEND_FACTOR_… */
};

/* An entry of BLEND_STATE with what COLOR_CALC_STATE adds to it, as it acts on one format: chosen
 * once, when the two meet. */
struct cc_target {
   const struct format_info *format;
   uint8_t element_B;
   uint8_t write;     /* channels that are written, a bit each */
   bool blend;        /* P3D-336 … */
   bool reads;        /* the element that is there matters */
   bool dual_source;  /* a factor takes the second source */
   bool alpha_to_one; /* P3D-353 */
   bool dither;       /* P3D-349 */
   uint8_t dither_x, dither_y;
   uint8_t logic_op; /* P3D-345: its truth table; COPY: off */
   struct cc_equation color, alpha;
   float constant[4];          /* clamped */
   float pre[2], post[2];      /* P3D-341: least and greatest; infinite: no clamp */
   uint8_t keep[CC_ELEMENT_B]; /* P3D-348: bits of the element that stay as they are */
   uint8_t used[CC_ELEMENT_B]; /* bits of channels: the others are written 0 (P3D-340) */
   uint8_t rules;              /* enum cc_rule */
};

/* The first bytes of COLOR_CALC_STATE and of an entry: what a pixel's alpha decides. */
struct cc_alpha {
   bool test;
   bool to_coverage;
   uint8_t function; /* enum compare */
   bool unorm8;      /* P3D-350: compared as eight bits */
   uint32_t reference;
};

void cc_resolve(struct cc_target *t, const struct hw_blend_state_entry *e,
                const struct hw_color_calc_state *s, const struct format_info *f);
void cc_resolve_alpha(struct cc_alpha *a, const struct hw_blend_state_entry *e,
                      const struct hw_color_calc_state *s);

/* P3D-334: from the pre-blend clamp to the write disables. color: source 0 and 1, as rt_slot has
 * them; element: what is there, and then what will be. */
void cc_element(const struct cc_target *t, unsigned x, unsigned y, const uint32_t color[2][4],
                void *element);
/* The blend equation alone: clamped sources and destination, each four channels. */
void cc_blend(const struct cc_target *t, const float source0[4], const float source1[4],
              const float destination[4], float out[4]);

/* P3D-350 */
bool cc_alpha_test(const struct cc_alpha *a, float alpha);
/* P3D-352: the samples that an alpha covers. */
uint32_t cc_alpha_coverage(float alpha, unsigned samples);

/* Between these two; NaN becomes 0 unless there is no bound at all. */
static inline float
cc_clamp(float f, const float range[2])
{
   if (range[0] == -__builtin_inff() && range[1] == __builtin_inff())
      return f;
   if (f != f)
      return 0.0f;
   return f < range[0] ? range[0] : f > range[1] ? range[1] : f;
}

/* P3D-345: bit 2 * source + destination of the code is the result. */
static inline uint64_t
cc_logic(unsigned op, uint64_t s, uint64_t d)
{
   return (op & 1 ? ~s & ~d : 0) | (op & 2 ? ~s & d : 0) | (op & 4 ? s & ~d : 0) |
          (op & 8 ? s & d : 0);
}

#endif
