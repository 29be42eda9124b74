/* One lane of the math box's functions, for the general path. */
#define BOX_LANES 2
#include "eu/box.h"

#include "eu/alu_ops.h"
#include "eu/op.h"

double
eu_box(unsigned function, double a, double b)
{
   box_v x = {a, a};
   switch (function) {
   case EU_MATH_LOG:
      return box_log2(x)[0];
   case EU_MATH_EXP:
      return box_exp2(x)[0];
   case EU_MATH_SIN:
      return box_sin(x, 0)[0];
   case EU_MATH_COS:
      return box_sin(x, 1)[0];
   default:
      return box_pow(x, (box_v){b, b})[0];
   }
}
