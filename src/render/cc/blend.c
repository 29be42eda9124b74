/* Blending of one pixel, and alpha: the general code, which fast paths are held against. */
#include "render/cc/cc.h"

#include "machine/float_bits.h"
#include "render/compare.h"

/* What a factor is made of. */
struct inputs {
   const float *source0, *source1, *destination, *constant;
};

/* P3D-336: of channel i. ZERO and ONE are no factors: see term(). */
static float
factor(unsigned code, const struct inputs *in, unsigned i)
{
   const float *s = in->source0, *s1 = in->source1, *d = in->destination, *c = in->constant;
   float rest;
   switch (code) {
   case GEN7_BLEND_FACTOR_SRC_COLOR:
      return s[i];
   case GEN7_BLEND_FACTOR_SRC_ALPHA:
      return s[CC_ALPHA];
   case GEN7_BLEND_FACTOR_DST_ALPHA:
      return d[CC_ALPHA];
   case GEN7_BLEND_FACTOR_DST_COLOR:
      return d[i];
   case GEN7_BLEND_FACTOR_SRC_ALPHA_SATURATE:
      rest = 1.0f - d[CC_ALPHA];
      return i == CC_ALPHA ? 1.0f : s[CC_ALPHA] < rest ? s[CC_ALPHA] : rest;
   case GEN7_BLEND_FACTOR_CONST_COLOR:
      return c[i];
   case GEN7_BLEND_FACTOR_CONST_ALPHA:
      return c[CC_ALPHA];
   case GEN7_BLEND_FACTOR_SRC1_COLOR:
      return s1[i];
   case GEN7_BLEND_FACTOR_SRC1_ALPHA:
      return s1[CC_ALPHA];
   case GEN7_BLEND_FACTOR_INV_SRC_COLOR:
   case GEN7_BLEND_FACTOR_INV_SRC_ALPHA:
   case GEN7_BLEND_FACTOR_INV_DST_ALPHA:
   case GEN7_BLEND_FACTOR_INV_DST_COLOR:
   case GEN7_BLEND_FACTOR_INV_CONST_COLOR:
   case GEN7_BLEND_FACTOR_INV_CONST_ALPHA:
   case GEN7_BLEND_FACTOR_INV_SRC1_COLOR:
   case GEN7_BLEND_FACTOR_INV_SRC1_ALPHA:
      return 1.0f - factor(code - 16, in, i);
   default:
      return 1.0f;
   }
}

/* A factor of 0 makes 0 of anything, also of what is no number: a target that has never been
 * written does not show. */
static float
term(float value, unsigned code, const struct inputs *in, unsigned i)
{
   if (code == GEN7_BLEND_FACTOR_ZERO)
      return 0.0f;
   return code == GEN7_BLEND_FACTOR_ONE ? value : value * factor(code, in, i);
}

/* P3D-337 */
static float
combine(unsigned function, float s, float d)
{
   switch (function) {
   case GEN7_BLEND_FUNCTION_SUBTRACT:
      return s - d;
   case GEN7_BLEND_FUNCTION_REVERSE_SUBTRACT:
      return d - s;
   case GEN7_BLEND_FUNCTION_MIN:
      return s < d ? s : d;
   case GEN7_BLEND_FUNCTION_MAX:
      return s > d ? s : d;
   default:
      return s + d;
   }
}

void
cc_blend(const struct cc_target *t, const float source0[4], const float source1[4],
         const float destination[4], float out[4])
{
   const struct inputs in = {source0, source1, destination, t->constant};
   for (unsigned i = 0; i < 4; i++) {
      const struct cc_equation *e = i == CC_ALPHA ? &t->alpha : &t->color;
      float f = combine(e->function, term(source0[i], e->source, &in, i),
                        term(destination[i], e->destination, &in, i));
      out[i] = f == f ? f : bits_float(CC_NAN);
   }
}

bool
cc_alpha_test(const struct cc_alpha *a, float alpha)
{
   if (a->unorm8)
      return compare_uint(a->function, format_float_to_unorm(alpha, 8), a->reference & 0xff);
   return compare_float(a->function, alpha, bits_float(a->reference));
}

/* The lowest samples first; NaN covers none. */
uint32_t
cc_alpha_coverage(float alpha, unsigned samples)
{
   if (!(alpha > 0.0f))
      return 0;
   unsigned n = alpha >= 1.0f ? samples : (unsigned)(alpha * (float)samples + 0.5f);
   return (1u << n) - 1;
}
