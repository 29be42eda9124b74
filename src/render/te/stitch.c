/* Triangles between two rings of points. */
#include "render/te/te_internal.h"

void
te_triangle(struct te_output *out, unsigned a, unsigned b, unsigned c)
{
   if (out->indices + 3 > TE_MAX_INDICES)
      return;
   uint16_t *i = &out->index[out->indices];
   i[0] = (uint16_t)a;
   i[1] = (uint16_t)b;
   i[2] = (uint16_t)c;
   out->indices += 3;
}

/* In which order points appear on half an edge when a factor grows. */
static const uint8_t ruler[33] = {0, 32, 16, 8,  17, 4,  18, 9,  19, 2,  20, 10, 21, 5,  22, 11, 23,
                                  1, 24, 12, 25, 6,  26, 13, 27, 3,  28, 14, 29, 7,  30, 15, 31};

/* How far both sides have come. */
struct walk {
   struct te_output *out;
   const uint16_t *inside, *outside;
};

static void
advance_inside(struct walk *w)
{
   te_triangle(w->out, w->inside[0], w->outside[0], w->inside[1]);
   w->inside++;
}

static void
advance_outside(struct walk *w)
{
   te_triangle(w->out, w->outside[0], w->outside[1], w->inside[0]);
   w->outside++;
}

static void
middle(struct walk *w, bool inside_odd, bool outside_odd)
{
   if (inside_odd && outside_odd) {
      te_triangle(w->out, w->inside[0], w->outside[0], w->inside[1]);
      te_triangle(w->out, w->inside[1], w->outside[0], w->outside[1]);
      w->inside++;
      w->outside++;
   } else if (outside_odd) {
      te_triangle(w->out, w->inside[0], w->outside[0], w->outside[1]);
      w->outside++;
   } else if (inside_odd) {
      advance_inside(w);
   }
}

/* P3D-120 */
void
te_stitch_transition(struct te_output *out, const uint16_t *inside, const uint16_t *outside,
                     const struct te_transition *t)
{
   struct walk w = {out, inside, outside};
   uint32_t ih = t->inside_half - t->inside_odd, oh = t->outside_half - t->outside_odd;
   if (oh > 0)
      advance_outside(&w);
   for (unsigned k = 1; k <= 32; k++) {
      if (ruler[k] < ih)
         advance_inside(&w);
      if (ruler[k] < oh)
         advance_outside(&w);
   }
   middle(&w, t->inside_odd, t->outside_odd);
   for (unsigned k = 32; k >= 1; k--) {
      if (ruler[k] < oh)
         advance_outside(&w);
      if (ruler[k] < ih)
         advance_inside(&w);
   }
   if (oh > 0)
      advance_outside(&w);
}

/* P3D-121: `outside` has two points more than `inside`. */
void
te_stitch_ring(struct te_output *out, const uint16_t *inside, unsigned length,
               const uint16_t *outside)
{
   const uint16_t *I = inside, *O = outside;
   unsigned p = 0;
   te_triangle(out, O[0], O[1], I[0]);
   for (; p < length / 2; p++) { /* the diagonals are mirrored in the middle */
      te_triangle(out, O[p + 1], I[p + 1], I[p]);
      te_triangle(out, O[p + 1], O[p + 2], I[p + 1]);
   }
   for (; p + 1 < length; p++) {
      te_triangle(out, I[p], O[p + 1], O[p + 2]);
      te_triangle(out, I[p], O[p + 2], I[p + 1]);
   }
   te_triangle(out, O[length], O[length + 1], I[length - 1]);
}
