/* Coordinates: cube faces, array elements, gradients. */
#include "shared_functions/sampler/sampler.h"

#include <math.h>

/* SMP-020: which component is s, which t, and their signs, by face. */
static const struct {
   uint8_t s, t;
   float s_sign, t_sign;
} faces[6] = {{2, 1, -1, -1}, {2, 1, 1, -1}, {0, 2, 1, 1},
              {0, 2, 1, -1},  {0, 1, 1, -1}, {0, 1, -1, -1}};

/* SMP-018, SMP-481: the largest component; Z over Y over X. */
static unsigned
choose_face(const float v[3])
{
   float x = fabsf(v[0]), y = fabsf(v[1]), z = fabsf(v[2]);
   if (z >= x && z >= y)
      return v[2] < 0 ? 5 : 4;
   if (y >= x)
      return v[1] < 0 ? 3 : 2;
   return v[0] < 0 ? 1 : 0;
}

/* SMP-019: not divided here. */
static void
on_face(unsigned face, const float v[3], float *s, float *t)
{
   *s = faces[face].s_sign * v[faces[face].s];
   *t = faces[face].t_sign * v[faces[face].t];
}

/* SMP-302, SMP-362: to the nearest even element, inside the array. */
uint32_t
sampler_element(uint32_t bits, uint32_t count)
{
   float f = sampler_input(bits);
   if (!(f > 0) || !count)
      return 0;
   if (f >= (float)(count - 1))
      return count - 1;
   uint32_t whole = (uint32_t)f;
   float rest = f - (float)whole;
   return whole + (rest > 0.5f || (rest == 0.5f && whole & 1));
}

static void
vector_of(const struct sampler_message *s, unsigned pixel, float v[3])
{
   for (unsigned i = 0; i < 3; i++)
      v[i] = sampler_input(s->p[P_U + i][pixel]);
}

static void
locate_cube(const struct sampler_message *s, unsigned pixel, struct sampler_point *p)
{
   const struct surface *f = &s->x->s;
   float v[3], a, b;
   vector_of(s, pixel, v);
   if (s->kind->flags & SAMPLER_EXPLICIT) { /* SMP-253, SMP-255: on the face already */
      p->face = (uint8_t)sampler_element(s->p[P_R][pixel], 6);
      a = v[0];
      b = v[1];
   } else {
      p->face = (uint8_t)choose_face(v);
      on_face(p->face, v, &a, &b);
   }
   p->at[0] = (a + 1.0f) * 0.5f;
   p->at[1] = (b + 1.0f) * 0.5f;
   p->at[2] = 0;
   p->slice = f->array ? 6 * sampler_element(s->p[P_AI][pixel], f->depth) : 0;
}

/* SMP-301: what the coordinates mean. */
void
sampler_locate(const struct sampler_message *s, unsigned pixel, struct sampler_point *p)
{
   const struct surface *f = &s->x->s;
   p->face = 0;
   p->slice = 0;
   p->ref = bits_float(s->p[P_REF][pixel]);
   for (unsigned i = 0; i < 3; i++)
      p->offset[i] = s->offset[i];
   if (s->kind->flags & SAMPLER_OFFSETS) { /* SMP-282: six bits, signed */
      p->offset[0] = (int32_t)(s->p[P_OFFU][pixel] << 26) >> 26;
      p->offset[1] = (int32_t)(s->p[P_OFFV][pixel] << 26) >> 26;
   }
   if (f->type == SURFTYPE_CUBE) {
      locate_cube(s, pixel, p);
      p->offset[0] = p->offset[1] = p->offset[2] = 0; /* SMP-217 */
      return;
   }
   for (unsigned i = 0; i < 3; i++)
      p->at[i] = i < s->x->axes ? sampler_input(s->p[P_U + i][pixel]) : 0;
   if (f->array && f->type != SURFTYPE_3D)
      p->slice = sampler_element(s->p[P_U + s->x->axes][pixel], f->depth);
}

/* SMP-028, SMP-204: from the upper left pixel of the subspan to the upper right and the lower left
 * one. */
static void
quad_differences(const struct sampler_message *s, unsigned pixel, struct sampler_gradients *g)
{
   unsigned first = pixel & ~3u;
   if (s->x->s.type == SURFTYPE_CUBE) { /* on the plane of this pixel's face */
      float own[3], v[3], a[3], b[3];
      vector_of(s, pixel, own);
      unsigned face = choose_face(own);
      for (unsigned i = 0; i < 3; i++) {
         vector_of(s, first + i, v);
         float ratio = own[face / 2] / v[face / 2];
         on_face(face, v, &a[i], &b[i]);
         if (ratio > 0 && ratio < SAMPLER_FACE_FAR) {
            a[i] *= ratio;
            b[i] *= ratio;
         }
      }
      g->x[0] = a[1] - a[0];
      g->x[1] = b[1] - b[0];
      g->y[0] = a[2] - a[0];
      g->y[1] = b[2] - b[0];
      return;
   }
   for (unsigned i = 0; i < s->x->axes; i++) {
      float at = sampler_input(s->p[P_U + i][first]);
      g->x[i] = sampler_input(s->p[P_U + i][first + 1]) - at;
      g->y[i] = sampler_input(s->p[P_U + i][first + 2]) - at;
   }
}

void
sampler_gradients(const struct sampler_message *s, unsigned pixel, struct sampler_gradients *g)
{
   const struct texture *x = s->x;
   for (unsigned i = 0; i < 3; i++)
      g->x[i] = g->y[i] = 0;
   if (s->kind->flags & SAMPLER_EXPLICIT) {
      for (unsigned i = 0; i < x->axes; i++) {
         g->x[i] = sampler_input(s->p[P_DUDX + 2 * i][pixel]);
         g->y[i] = sampler_input(s->p[P_DUDY + 2 * i][pixel]);
      }
   } else {
      quad_differences(s, pixel, g);
   }
   struct surface_extent e = surface_level_size(&x->s, x->s.min_lod);
   float size[3] = {(float)e.width, (float)e.height, (float)e.depth};
   for (unsigned i = 0; i < x->axes && !x->state.unnormalized; i++) {
      float scale = x->s.type == SURFTYPE_CUBE ? size[i] * 0.5f : size[i];
      g->x[i] *= scale;
      g->y[i] *= scale;
   }
}
