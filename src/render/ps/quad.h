/* Values over the four pixels of a subspan. */
#ifndef PERGOLA_RENDER_PS_QUAD_H
#define PERGOLA_RENDER_PS_QUAD_H

#include "dispatch/stage.h"
#include "render/setup.h"

#include <string.h>

/* Four pixels: a subspan. */
typedef double quad_d __attribute__((vector_size(32)));
typedef float quad_f __attribute__((vector_size(16)));

#define PS_INLINE STAGE_VECTORS static inline __attribute__((always_inline))

/* Values of a plane over a subspan. */
PS_INLINE quad_d
quad_of(const struct plane *p, double x, double y)
{
   double at = p->c + p->x * x + p->y * y;
   return (quad_d){at, at + p->x, at + p->y, at + p->x + p->y};
}

PS_INLINE void
store_quad(void *to, quad_d v)
{
   quad_f f = __builtin_convertvector(v, quad_f);
   memcpy(to, &f, sizeof(f));
}

/* ---- four subspans at once: the same operations in the same order -----------------------------
 */

struct quads {
   quad_d pixel[4]; /* upper left, upper right, lower left, lower right: of each subspan */
};

/* Coordinates of their upper left pixels. */
PS_INLINE quad_d
quads_at(const uint16_t at[4])
{
   typedef uint16_t words __attribute__((vector_size(8)));
   typedef int32_t dwords __attribute__((vector_size(16)));
   words w;
   memcpy(&w, at, sizeof(w));
   return __builtin_convertvector(__builtin_convertvector(w, dwords), quad_d);
}

PS_INLINE struct quads
quads_of(const struct plane *p, quad_d x, quad_d y)
{
   quad_d at = p->c + p->x * x + p->y * y, right = at + p->x;
   return (struct quads){{at, right, at + p->y, right + p->y}};
}

/* The first two subspans to one register, the others to another. */
PS_INLINE void
store_quads(void *low, void *high, const struct quads *q)
{
   quad_f a = __builtin_convertvector(q->pixel[0], quad_f),
          b = __builtin_convertvector(q->pixel[1], quad_f),
          c = __builtin_convertvector(q->pixel[2], quad_f),
          d = __builtin_convertvector(q->pixel[3], quad_f);
   quad_f ab = __builtin_shufflevector(a, b, 0, 4, 1, 5),
          cd = __builtin_shufflevector(c, d, 0, 4, 1, 5),
          ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7),
          cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
   typedef float eight __attribute__((vector_size(32)));
   quad_f s0 = __builtin_shufflevector(ab, cd, 0, 1, 4, 5),
          s1 = __builtin_shufflevector(ab, cd, 2, 3, 6, 7),
          s2 = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5),
          s3 = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
   eight first = __builtin_shufflevector(s0, s1, 0, 1, 2, 3, 4, 5, 6, 7),
         second = __builtin_shufflevector(s2, s3, 0, 1, 2, 3, 4, 5, 6, 7);
   memcpy(low, &first, sizeof(first));
   memcpy(high, &second, sizeof(second));
}

#endif
