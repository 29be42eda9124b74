/* Private to the fast paths of sampler messages: parameters of eight pixels, and their response. */
#ifndef PERGOLA_SAMPLER_QUICK_MESSAGE_H
#define PERGOLA_SAMPLER_QUICK_MESSAGE_H

#include "shared_functions/sampler/quick_general.h"

/* Parameters of a message by their numbers. */
struct numbers {
   unsigned u, v, element;
};

static ALWAYS_INLINE struct numbers
numbers_of(unsigned op)
{
   if (op == SAMPLER_SAMPLE_D)
      return (struct numbers){0, 3, 6};
   if (op == SAMPLER_GATHER4_PO)
      return (struct numbers){0, 1, 4};
   unsigned first = op == SAMPLER_SAMPLE_B || op == SAMPLER_SAMPLE_L;
   return (struct numbers){first, first + 1, first + 2};
}

static ALWAYS_INLINE void
respond(struct eu_thread *t, const struct sf_quick *q, uint32_t mask, unsigned regs, unsigned r,
        const v8f out[4])
{
   uint8_t *to = t->grf + q->response + r * EU_REG_SIZE;
   uint32_t exec = mask >> 8 * r & 0xff;
   if (exec == 0xff) {
      for (unsigned c = 0; c < 4; c++, to += regs * EU_REG_SIZE)
         v8i_store(to, v8_as_int(out[c]));
      return;
   }
   for (unsigned c = 0; c < 4; c++, to += regs * EU_REG_SIZE)
      put(to, v8_as_int(out[c]), lanes8(exec));
}

/* Is this the texture that the message names, may it be taken, and was there nothing to report? */
static ALWAYS_INLINE bool
quick_knows(const struct sf_quick *q, const struct texture *x)
{
   return x->known && x->bti == q->bti && x->sampler == q->slots && x->quick &&
          (!q->rules || x->clean >> q->op & 1);
}

/* SMP-214: what the header of a message says. False: not for the fast path. */
static ALWAYS_INLINE bool
read_header8(const struct sf_quick *q, const struct texture *x, const uint8_t *payload,
             unsigned step, struct where8 *p, unsigned *channel)
{
   *channel = 0;
   p->moved = false;
   if (!q->header)
      return true;
   struct hw_sampler_header h;
   uint32_t dw[GEN7_SAMPLER_HEADER_LENGTH];
   memcpy(dw, payload - (q->compares ? step : 0) - EU_REG_SIZE, sizeof(dw));
   gen7_sampler_header_unpack(&h, dw);
   const int offset[3] = {h.u_offset, h.v_offset, h.r_offset};
   for (unsigned i = 0; i < 3; i++) {
      p->offset[i] = v8f_all((float)offset[i]);
      p->moved |= offset[i] != 0;
   }
   *channel = h.gather4_source_channel;
   bool cube = x->s.type == SURFTYPE_CUBE;
   return !sampler_masked(&h) && !(p->moved && cube) && !(*channel && q->compares);
}

/* Level of detail, before the bias of the state. False: there is something to report. */
static ALWAYS_INLINE bool
raw_lod8(const struct sf_quick *q, const struct texture *x, const uint8_t *payload, unsigned step,
         v8f u, v8f v, v8f r, v8i on, struct stretch8 *s, v8i *raw)
{
   *raw = v8i_all(0);
   if (q->like == SAMPLER_SAMPLE_L) {
      if (x->needs_lod)
         *raw = fixed8(input8(payload));
      return true;
   }
   if (q->like == SAMPLER_SAMPLE_D) {
      v8f zero = v8f_all(0);
      bool line = x->axes == 1;
      struct gradients8 g = {
          {input8(payload + step), line ? zero : input8(payload + 4 * step)},
          {input8(payload + 2 * step), line ? zero : input8(payload + 5 * step)}};
      if (x->needs_lod)
         *raw = gradients_lod(x, &g, s);
      return true;
   }
   if (x->needs_lod)
      *raw = x->s.type == SURFTYPE_3D     ? volume_lod8(x, u, v, r)
             : x->s.type == SURFTYPE_CUBE ? cube_lod8(x, u, v, r, s)
                                          : quads_lod(x, u, v, s);
   if (q->like != SAMPLER_SAMPLE_B)
      return true;
   v8f bias = input8(payload);
   v8i bad = v8i_or(v8f_less(bias, v8f_all(-16.0f)), v8f_at_least(bias, v8f_all(16.0f)));
   if (q->rules && !v8i_apart(bad, on)) /* SMP-239 */
      return false;
   *raw = v8i_add(*raw, fixed8(bias));
   return true;
}

/* The element of an array, one for all pixels. */
static ALWAYS_INLINE bool
one_element(const struct texture *x, const void *parameter, v8i on, unsigned first, uint32_t *slice)
{
   v8i elements = v8i_load(parameter);
   v8i one = v8i_spread(elements, first);
   *slice = sampler_element((uint32_t)v8i_lane(one, 0), x->s.depth);
   return v8i_apart(v8i_xor(elements, one), on);
}

/* The coordinates and the elements of arrays. False: for the slow path. */
static ALWAYS_INLINE bool
locate8(const struct eu_thread *t, const struct sf_quick *q, const struct texture *x,
        const uint8_t *payload, unsigned step, v8i on, unsigned first, struct where8 *p)
{
   struct numbers n = numbers_of(q->like);
   unsigned next = x->axes == 1 ? n.v : n.element;
   bool cube = x->s.type == SURFTYPE_CUBE, d = q->like == SAMPLER_SAMPLE_D;
   p->u = input8(payload + n.u * step);
   p->v = x->axes > 1 && q->sources > n.v ? input8(payload + n.v * step) : v8f_all(0);
   p->many = false;
   p->slice = 0;
   p->slices = v8i_all(0);
   p->r = v8f_all(0);
   p->compares = q->compares;
   p->decoded = x->blocks ? &t->buffers->decoded : NULL;
   p->reference = q->compares ? v8_as_float(v8i_load(payload - step)) : v8f_all(0);
   if (d && q->sources < 3u * x->axes)
      return false;
   if (cube || x->s.type == SURFTYPE_3D) {
      if (d)
         return false;
      if (q->sources > next)
         p->r = input8(payload + next * step);
      next++;
   }
   if (x->s.array && x->s.type != SURFTYPE_3D && q->sources > next) {
      const uint8_t *elements = payload + next * step;
      if (cube || !one_element(x, elements, on, first, &p->slice)) {
         p->slices = elements8(elements, x->s.depth);
         p->many = true;
      } else {
         p->slices = v8i_all(p->slice);
      }
   }
   return !cube || !q->rules || cube_divided8(p->u, p->v, p->r, on);
}

/* From the vector to a place on a face. */
static ALWAYS_INLINE void
onto_faces8(struct where8 *p)
{
   struct faces8 f = choose_faces8(p->u, p->v, p->r);
   v8f s, t, one = v8f_all(1.0f), half = v8f_all(0.5f);
   on_faces8(&f, p->u, p->v, p->r, &s, &t);
   p->u = v8f_times(v8f_add(s, one), half);
   p->v = v8f_times(v8f_add(t, one), half);
   p->slices = v8i_add(mul8(p->slices, 6), f.number);
}

#endif
