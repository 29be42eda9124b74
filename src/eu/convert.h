/* Private to src/eu: conversions between the number types, on bits. None depends on the host's
 * modes unless it says so. */
#ifndef PERGOLA_EU_CONVERT_H
#define PERGOLA_EU_CONVERT_H

#include "eu/step.h"

/* Range of an integer type. */
static inline int64_t
type_min(unsigned type)
{
   switch (type) {
   case T_D:
      return INT32_MIN;
   case T_W:
      return INT16_MIN;
   case T_B:
      return INT8_MIN;
   default:
      return 0;
   }
}
static inline int64_t
type_max(unsigned type)
{
   switch (type) {
   case T_UD:
      return UINT32_MAX;
   case T_D:
      return INT32_MAX;
   case T_UW:
      return UINT16_MAX;
   case T_W:
      return INT16_MAX;
   case T_UB:
      return UINT8_MAX;
   default:
      return INT8_MAX;
   }
}

/* EU-045: toward zero; out of range clamps; NaN and denormals give 0. */
int64_t f_to_int(uint32_t bits, unsigned type);
int64_t df_to_int(uint64_t bits, unsigned type);
/* EU-048: exact: single denormals become normal doubles. */
uint64_t f_to_df(uint32_t bits);
/* EU-049: toward zero; may give a denormal; double denormals give zero. */
uint32_t df_to_f(uint64_t bits);
/* EU-050, EU-051. rounding: as cr0.0[5:4]. A denormal single gives zero; half denormals may come
 * out. */
uint16_t f_to_half(uint32_t bits, unsigned rounding);
uint32_t half_to_f(uint16_t half);
/* EU-155: to an integral value, rounding as cr0.0[5:4]; the sign of a zero is kept. */
uint32_t f_round(uint32_t bits, unsigned rounding);

#endif
