/* Which pixels of a block are inside an object: edge functions, exact in integers (P3D-253). */
#include "render/draw.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

/* What is left of an edge in a block that it crosses: its functions there are small. */
struct crossing {
   int32_t at, a, b;
};

/* False: the block is outside. count: edges that cross it; of the others it is inside. dx, dy: from
 * the pixels' sample point to the one that is asked for, on the grid of vertices. */
static inline __attribute__((always_inline)) bool
find_crossings(const struct setup *s, int32_t x, int32_t y, int32_t dx, int32_t dy,
               struct crossing *c, unsigned *count)
{
   *count = 0;
   for (unsigned i = 0; i < s->edges; i++) {
      const struct edge *e = &s->edge[i];
      int64_t at = e->c + (int64_t)e->a * x + (int64_t)e->b * y, a = 7 * (int64_t)e->a,
              b = 7 * (int64_t)e->b;
      if (dx | dy)
         at += (e->rest + (int64_t)e->a * dx + (int64_t)e->b * dy) >> 8;
      if (at + (a > 0 ? a : 0) + (b > 0 ? b : 0) < 0)
         return false;
      if (at + (a < 0 ? a : 0) + (b < 0 ? b : 0) < 0)
         c[(*count)++] = (struct crossing){(int32_t)at, e->a, e->b};
   }
   return true;
}

/* Pixel p of subspan q: 16 bits for each two rows, four for each subspan. */
static unsigned
bit_of(unsigned x, unsigned y)
{
   return 16 * (y / 2) + 4 * (x / 2) + 2 * (y & 1) + (x & 1);
}

/* Pixels from x0 to x1 - 1 and y0 to y1 - 1, of a block. */
static uint64_t
box_mask(int32_t x0, int32_t y0, int32_t x1, int32_t y1)
{
   static const uint64_t column = 0x0005000500050005; /* of two rows and two columns: the left */
   uint64_t columns = 0, rows = 0;
   x0 = x0 < 0 ? 0 : x0;
   y0 = y0 < 0 ? 0 : y0;
   x1 = x1 > 8 ? 8 : x1;
   y1 = y1 > 8 ? 8 : y1;
   for (int32_t x = x0; x < x1; x++)
      columns |= column << (4 * (x / 2) + (x & 1));
   for (int32_t y = y0; y < y1; y++)
      rows |= UINT64_C(0x3333) << (16 * (y / 2) + 2 * (y & 1));
   return columns & rows;
}

static uint64_t
box_of(const struct setup *s, int32_t x, int32_t y)
{
   if (x >= s->x0 && y >= s->y0 && x + 8 <= s->x1 && y + 8 <= s->y1)
      return UINT64_MAX;
   return box_mask(s->x0 - x, s->y0 - y, s->x1 - x, s->y1 - y);
}

uint64_t
wm_coverage_plain(const struct setup *s, int32_t x, int32_t y, int32_t dx, int32_t dy)
{
   struct crossing c[SETUP_EDGES];
   unsigned count;
   uint64_t mask = 0;
   if (!find_crossings(s, x, y, dx, dy, c, &count))
      return 0;
   for (int32_t j = 0; j < 8; j++)
      for (int32_t i = 0; i < 8; i++) {
         bool inside = true;
         for (unsigned k = 0; k < count; k++)
            inside &= c[k].at + c[k].a * i + c[k].b * j >= 0;
         mask |= (uint64_t)inside << bit_of((unsigned)i, (unsigned)j);
      }
   return mask & box_of(s, x, y);
}

#ifdef __x86_64__
/* Eight slots are two subspans; the other two of a row are four pixels to the right. */
__attribute__((target("avx2"))) static uint64_t
cross_avx2(const struct crossing *c, unsigned count)
{
   const __m256i ix = _mm256_setr_epi32(0, 1, 0, 1, 2, 3, 2, 3),
                 iy = _mm256_setr_epi32(0, 0, 1, 1, 0, 0, 1, 1);
   __m256i at[SETUP_EDGES], right[SETUP_EDGES], down[SETUP_EDGES];
   uint64_t out = 0;
   for (unsigned k = 0; k < count; k++) {
      __m256i a = _mm256_set1_epi32(c[k].a), b = _mm256_set1_epi32(c[k].b);
      at[k] =
          _mm256_add_epi32(_mm256_set1_epi32(c[k].at),
                           _mm256_add_epi32(_mm256_mullo_epi32(a, ix), _mm256_mullo_epi32(b, iy)));
      right[k] = _mm256_slli_epi32(a, 2);
      down[k] = _mm256_slli_epi32(b, 1);
   }
   for (unsigned row = 0; row < 4; row++) {
      __m256i left_out = _mm256_setzero_si256(), right_out = left_out;
      for (unsigned k = 0; k < count; k++) { /* below 0 of any edge: the sign of them all */
         left_out = _mm256_or_si256(left_out, at[k]);
         right_out = _mm256_or_si256(right_out, _mm256_add_epi32(at[k], right[k]));
         at[k] = _mm256_add_epi32(at[k], down[k]);
      }
      uint64_t low = (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(left_out)),
               high = (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(right_out));
      out |= (low | high << 8) << 16 * row;
   }
   return ~out;
}
#endif

static inline __attribute__((always_inline)) uint64_t
coverage(const struct setup *s, int32_t x, int32_t y, int32_t dx, int32_t dy)
{
#ifdef __x86_64__
   struct crossing c[SETUP_EDGES];
   unsigned count;
   if (!__builtin_cpu_supports("avx2"))
      return wm_coverage_plain(s, x, y, dx, dy);
   if (!find_crossings(s, x, y, dx, dy, c, &count))
      return 0;
   uint64_t box = box_of(s, x, y);
   return count && box ? box & cross_avx2(c, count) : box;
#else
   return wm_coverage_plain(s, x, y, dx, dy);
#endif
}

uint64_t
wm_coverage(const struct setup *s, int32_t x, int32_t y)
{
   return coverage(s, x, y, 0, 0);
}

uint64_t
wm_coverage_at(const struct setup *s, int32_t x, int32_t y, int32_t dx, int32_t dy)
{
   return coverage(s, x, y, dx, dy);
}
