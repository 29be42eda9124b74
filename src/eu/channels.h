/* Private to src/eu: which channels have their PcIP at an address. */
#ifndef PERGOLA_EU_CHANNELS_H
#define PERGOLA_EU_CHANNELS_H

#include "eu/eu.h"

#ifdef __SSE2__
#include <emmintrin.h>

/* Sixteen channels, from c on. */
static inline uint32_t
channels_at_half(const struct eu_thread *t, __m128i ip, unsigned c)
{
   const __m128i *pip = (const __m128i *)(const void *)(t->pip + c);
   __m128i low = _mm_packs_epi32(_mm_cmpeq_epi32(_mm_loadu_si128(pip), ip),
                                 _mm_cmpeq_epi32(_mm_loadu_si128(pip + 1), ip));
   __m128i high = _mm_packs_epi32(_mm_cmpeq_epi32(_mm_loadu_si128(pip + 2), ip),
                                  _mm_cmpeq_epi32(_mm_loadu_si128(pip + 3), ip));
   return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(low, high));
}

static inline uint32_t
eu_channels_at(const struct eu_thread *t, uint32_t ip)
{
   __m128i all = _mm_set1_epi32((int)ip);
   return channels_at_half(t, all, 0) | channels_at_half(t, all, 16) << 16;
}
#else
static inline uint32_t
eu_channels_at(const struct eu_thread *t, uint32_t ip)
{
   uint32_t here = 0;
   for (unsigned c = 0; c < 32; c++)
      here |= (uint32_t)(t->pip[c] == ip) << c;
   return here;
}
#endif

#endif
