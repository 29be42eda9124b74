/* The least and the most of whole numbers, and what lies between bounds. */
#ifndef PERGOLA_BOUNDS_H
#define PERGOLA_BOUNDS_H

#include <stdint.h>

static inline int32_t
int_least(int32_t a, int32_t b)
{
   return a < b ? a : b;
}

static inline int32_t
int_most(int32_t a, int32_t b)
{
   return a > b ? a : b;
}

static inline uint32_t
uint_least(uint32_t a, uint32_t b)
{
   return a < b ? a : b;
}

static inline int32_t
int_between(int32_t low, int32_t v, int32_t high)
{
   return v < low ? low : v > high ? high : v;
}

static inline int64_t
long_between(int64_t low, int64_t v, int64_t high)
{
   return v < low ? low : v > high ? high : v;
}

#endif
