/* Private to src/eu/. Comparisons of the general path, of numbers of the type ALU_NUMBER; of
 * ALU_HAS_NAN, what a NaN decides too. */
#include "eu/isa/isa.h"

static bool
compare(unsigned cond, ALU_NUMBER a, ALU_NUMBER b)
{
   switch (cond) {
   case EU_COND_Z:
      return a == b;
   case EU_COND_NZ:
      return a != b;
   case EU_COND_G:
      return a > b;
   case EU_COND_GE:
      return a >= b;
   case EU_COND_L:
      return a < b;
   case EU_COND_LE:
      return a <= b;
   default:
      return false;
   }
}

#ifdef ALU_HAS_NAN
/* EU-122: a NaN in source 1 decides for source 0 (true, but .ne false), one in source 0 against. */
static bool
compare_nan(unsigned cond, ALU_NUMBER a, ALU_NUMBER b)
{
   if (b != b)
      return cond != EU_COND_NZ;
   return compare(cond, a, b);
}

/* EU-124: minimum and maximum: one NaN gives the other operand, two give source 1. */
static bool
select_first(unsigned cond, ALU_NUMBER a, ALU_NUMBER b)
{
   if (cond == EU_COND_GE || cond == EU_COND_L)
      return b != b ? a == a : compare(cond, a, b);
   return a == a && b == b && compare(cond, a, b);
}
#endif
