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

#endif
