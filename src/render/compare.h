/* The eight compare functions of depth, stencil and alpha tests. */
#ifndef PERGOLA_RENDER_COMPARE_H
#define PERGOLA_RENDER_COMPARE_H

#include "gen7_hw.h"

#include <stdbool.h>
#include <stdint.h>

enum compare {
   COMPARE_ALWAYS = GEN7_COMPARE_FUNCTION_ALWAYS,
   COMPARE_NEVER = GEN7_COMPARE_FUNCTION_NEVER,
   COMPARE_LESS = GEN7_COMPARE_FUNCTION_LESS,
   COMPARE_EQUAL = GEN7_COMPARE_FUNCTION_EQUAL,
   COMPARE_LEQUAL = GEN7_COMPARE_FUNCTION_LEQUAL,
   COMPARE_GREATER = GEN7_COMPARE_FUNCTION_GREATER,
   COMPARE_NOTEQUAL = GEN7_COMPARE_FUNCTION_NOTEQUAL,
   COMPARE_GEQUAL = GEN7_COMPARE_FUNCTION_GEQUAL,
};

/* What each function accepts: less, equal, greater, unordered (a NaN on either side). */
enum compare_outcome { OUTCOME_LESS = 1, OUTCOME_EQUAL = 2, OUTCOME_GREATER = 4, OUTCOME_NAN = 8 };

static inline bool
compare_accepts(unsigned function, unsigned outcome)
{
   static const uint8_t accepted[8] = {
       [COMPARE_ALWAYS] = OUTCOME_LESS | OUTCOME_EQUAL | OUTCOME_GREATER | OUTCOME_NAN,
       [COMPARE_NEVER] = 0,
       [COMPARE_LESS] = OUTCOME_LESS,
       [COMPARE_EQUAL] = OUTCOME_EQUAL,
       [COMPARE_LEQUAL] = OUTCOME_LESS | OUTCOME_EQUAL,
       [COMPARE_GREATER] = OUTCOME_GREATER,
       [COMPARE_NOTEQUAL] = OUTCOME_LESS | OUTCOME_GREATER | OUTCOME_NAN,
       [COMPARE_GEQUAL] = OUTCOME_GREATER | OUTCOME_EQUAL,
   };
   return (accepted[function & 7] & outcome) != 0;
}

static inline bool
compare_uint(unsigned function, uint32_t a, uint32_t b)
{
   return compare_accepts(function, a < b    ? OUTCOME_LESS
                                    : a == b ? OUTCOME_EQUAL
                                             : OUTCOME_GREATER);
}

static inline bool
compare_float(unsigned function, float a, float b)
{
   return compare_accepts(function, a < b    ? OUTCOME_LESS
                                    : a == b ? OUTCOME_EQUAL
                                    : a > b  ? OUTCOME_GREATER
                                             : OUTCOME_NAN);
}

#endif
