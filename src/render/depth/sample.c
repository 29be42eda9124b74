/* The depth and stencil tests of one sample. */
#include "render/depth/depth.h"

#include "machine/float_bits.h"
#include "render/compare.h"

#include <math.h>

/* A number whose order is that of floats, both zeros alike: pixel shader threads have the host
 * flush denormals, which depth keeps. */
static int64_t
order(uint32_t bits)
{
   return bits >> 31 ? -(int64_t)(bits & 0x7fffffff) : (int64_t)bits;
}

static bool
is_nan(uint32_t bits)
{
   return (bits & 0x7fffffff) > 0x7f800000;
}

float
depth_clamp(float z, const float range[2])
{
   int64_t at = order(float_bits(z));
   if (is_nan(float_bits(z)) || is_nan(float_bits(range[0])) || is_nan(float_bits(range[1])))
      return z;
   return at < order(float_bits(range[0]))   ? range[0]
          : at > order(float_bits(range[1])) ? range[1]
                                             : z;
}

static unsigned
unorm_bits(unsigned format)
{
   return format == DEPTH_D16_UNORM ? 16 : 24;
}

/* Exact: the product of two numbers of 24 bits, and its sum with a half, fit into a double. */
uint32_t
depth_encode(unsigned format, float z)
{
   if (format == DEPTH_D32_FLOAT)
      return float_bits(z);
   uint32_t ones = (1u << unorm_bits(format)) - 1;
   if (!(z > 0.0f)) /* P3D-303: NaN too */
      return 0;
   return z >= 1.0f ? ones : (uint32_t)floor((double)z * ones + 0.5);
}

bool
depth_compare(unsigned format, unsigned function, float z, uint32_t stored)
{
   bool floats = format == DEPTH_D32_FLOAT;
   if (is_nan(float_bits(z)) || (floats && is_nan(stored))) /* P3D-303 */
      return compare_accepts(function, OUTCOME_NAN);
   if (floats) {
      int64_t a = order(float_bits(z)), b = order(stored);
      return compare_accepts(function, a < b    ? OUTCOME_LESS
                                       : a == b ? OUTCOME_EQUAL
                                                : OUTCOME_GREATER);
   }
   uint32_t mask = (1u << unorm_bits(format)) - 1;
   return compare_uint(function, depth_encode(format, z), stored & mask);
}

uint8_t
stencil_operate(unsigned operation, uint8_t stored, uint8_t reference)
{
   switch (operation) {
   case GEN7_STENCIL_OPERATION_ZERO:
      return 0;
   case GEN7_STENCIL_OPERATION_REPLACE:
      return reference;
   case GEN7_STENCIL_OPERATION_INCRSAT:
      return stored < 255 ? (uint8_t)(stored + 1) : 255;
   case GEN7_STENCIL_OPERATION_DECRSAT:
      return stored > 0 ? (uint8_t)(stored - 1) : 0;
   case GEN7_STENCIL_OPERATION_INCR:
      return (uint8_t)(stored + 1);
   case GEN7_STENCIL_OPERATION_DECR:
      return (uint8_t)(stored - 1);
   case GEN7_STENCIL_OPERATION_INVERT:
      return (uint8_t)~stored;
   default:
      return stored;
   }
}

struct depth_outcome
depth_sample(const struct depth *d, bool back_facing, float z, uint32_t stored_depth,
             uint8_t stored_stencil)
{
   const struct stencil_face *f = &d->face[back_facing];
   struct depth_outcome out = {0};
   bool stencil = !d->stencil || compare_uint(f->function, f->reference & f->test_mask,
                                              stored_stencil & f->test_mask); /* P3D-305 */
   bool depth = !d->test || depth_compare(d->format, d->function, z, stored_depth);
   out.pass = stencil && depth;
   out.stencil_passed = stencil;
   out.write_depth = out.pass && d->write; /* P3D-304 */
   if (out.write_depth)
      out.depth = depth_encode(d->format, z);
   if (d->stencil && d->stencil_write) { /* P3D-307 */
      unsigned op = !stencil ? f->fail : !depth ? f->depth_fail : f->pass;
      uint8_t v = stencil_operate(op, stored_stencil, f->reference);
      out.stencil = (uint8_t)((stored_stencil & ~f->write_mask) | (v & f->write_mask));
      out.write_stencil = out.stencil != stored_stencil;
   }
   return out;
}
