/* Private to the fast path of sample messages: textures of four bytes that wrap, of which offsets
 * are bits of x beside bits of y (struct texture_bits). One level serves all pixels of the message,
 * with one filter. Nothing is asked here that does not change from message to message. */
#ifndef PERGOLA_SAMPLER_QUICK_BITS_H
#define PERGOLA_SAMPLER_QUICK_BITS_H

#include "shared_functions/sampler/quick_general.h"

/* Sixteen pixels at most: offsets of their texels, and weights. */
struct bits_found {
   uint32_t at[4][16] __attribute__((aligned(32)));
   v8i wx[2], wy[2];
};

/* Coordinates of a message, in units of the texture's scale: slots that are off are where the first
 * one is that is on. *far: sums of their squares, NaN if one is. */
static ALWAYS_INLINE void
scaled8(const struct texture_plain *p, const uint8_t *payload, unsigned r, uint32_t mask,
        bool partial, v8f *x, v8f *y, v8f *far)
{
   v8f u = v8_as_float(v8i_load(payload + p->u_B + r * EU_REG_SIZE));
   v8f v = v8_as_float(v8i_load(payload + p->v_B + r * EU_REG_SIZE));
   uint32_t exec = mask >> 8 * r & 0xff;
   if (partial) {
      u = only8(u, lanes8(exec), (unsigned)__builtin_ctz(exec));
      v = only8(v, lanes8(exec), (unsigned)__builtin_ctz(exec));
   }
   *x = v8f_times(u, v8f_all(p->scale[0]));
   *y = v8f_times(v, v8f_all(p->scale[1]));
   *far = v8f_about(*x, *x, *far);
   *far = v8f_about(*y, *y, *far);
}

/* Whether all of them are nearer than ADDRESS_FAR, of which this is the square. */
static ALWAYS_INLINE bool
near8(v8f far, float square)
{
   return v8i_every(v8f_less(far, v8f_all(square)));
}

/* The fast path has not been here since translations may have changed. */
static __attribute__((noinline, unused)) bool
find_bits_host(struct texture *x, struct mem_space *space)
{
   x->plain.bits.host = level_host(x, space, (unsigned)x->level_none);
   return x->plain.bits.host != NULL;
}

/* The texel that holds the position, in texels. Offsets are taken out of the vectors: who waits for
 * so few texels waits longer for offsets to come back from memory. */
static ALWAYS_INLINE bool
bits_nearest(struct eu_thread *t, const struct sf_quick *q, struct texture *x, uint32_t mask,
             unsigned regs, bool partial)
{
   const struct texture_plain *p = &x->plain;
   v8i at[2];
   v8f fx, fy, far = v8f_all(0);
   for (unsigned r = 0; r < regs; r++) {
      if (partial && !(mask >> 8 * r & 0xff))
         continue;
      scaled8(p, t->grf + q->payload, r, mask, partial, &fx, &fy, &far);
      v8i px = v8f_floor(fx);
      v8i py = v8f_floor(fy);
      v8i pair = v8w_mixed(px, v8i_shl_by(py, 16));
      at[r] = bits_offset8(&p->bits, pair);
   }
   if (__builtin_expect(!near8(far, ADDRESS_FAR * ADDRESS_FAR), 0))
      return false;
   for (unsigned r = 0; r < regs; r++) {
      uint8_t *to = t->grf + q->response + r * EU_REG_SIZE;
      if (partial && !(mask >> 8 * r & 0xff))
         continue;
      v8i texel = v8i_fetch(p->bits.host, at[r]);
      for (unsigned c = 0; c < 4; c++, to += regs * EU_REG_SIZE) {
         v8f f = code8(texel, v8i_all(p->thrice[c]), v8f_all(p->unit[c]));
         if (c == 3)
            f = v8f_add(f, v8f_all(p->alpha));
         if (partial)
            put(to, v8_as_int(f), lanes8(mask >> 8 * r & 0xff));
         else
            v8i_store(to, v8_as_int(f));
      }
   }
   sf_quick_mark(t, q);
   return true;
}

/* Channels 0 to 3 of the response: red and blue are exchanged by where they go. */
struct channels {
   uint8_t *to[4];
};

static ALWAYS_INLINE struct channels
channels_of(struct eu_thread *t, const struct sf_quick *q, const struct texture *x, unsigned regs)
{
   uint8_t *to = t->grf + q->response;
   unsigned step = regs * EU_REG_SIZE;
   uint8_t *third = to + 2 * step;
   return (struct channels){
       {x->swapped ? third : to, to + step, x->swapped ? to : third, to + 3 * step}};
}

static ALWAYS_INLINE void
respond_bytes(const struct channels *c, const struct texture *x, unsigned r, uint32_t mask,
              bool partial, v8f byte[4])
{
   if (x->opaque)
      byte[3] = v8f_all(1.0f);
   for (unsigned i = 0; i < 4; i++) {
      uint8_t *to = c->to[i] + r * EU_REG_SIZE;
      if (partial)
         put(to, v8_as_int(byte[i]), lanes8(mask >> 8 * r & 0xff));
      else
         v8i_store(to, v8_as_int(byte[i]));
   }
}

/* The four texels around the position, in 1/256 of a texel. */
static ALWAYS_INLINE bool
bits_linear(struct eu_thread *t, const struct sf_quick *q, struct texture *x, uint32_t mask,
            unsigned regs, bool partial)
{
   const struct texture_plain *p = &x->plain;
   struct bits_found f;
   v8f fx, fy, far = v8f_all(0);
   for (unsigned r = 0; r < regs; r++) {
      if (partial && !(mask >> 8 * r & 0xff))
         continue;
      scaled8(p, t->grf + q->payload, r, mask, partial, &fx, &fy, &far);
      v8i px = v8f_floor(v8f_add(fx, v8f_all(p->rounding[0])));
      v8i py = v8f_floor(v8f_add(fy, v8f_all(p->rounding[1])));
      px = add8(px, -128u);
      py = add8(py, -128u);
      f.wx[r] = and8(px, 255);
      f.wy[r] = and8(py, 255);
      bits_around8(
          &p->bits, bits_pair8(px, py),
          (uint32_t *[]){&f.at[0][8 * r], &f.at[1][8 * r], &f.at[2][8 * r], &f.at[3][8 * r]});
   }
   if (__builtin_expect(!near8(far, 65536 * ADDRESS_FAR * ADDRESS_FAR), 0))
      return false;
   __asm__ volatile("" : "+m"(f));
   struct channels c = channels_of(t, q, x, regs);
   for (unsigned r = 0; r < regs; r++) {
      v8i texel[4];
      v8f byte[4];
      if (partial && !(mask >> 8 * r & 0xff))
         continue;
      for (unsigned i = 0; i < 4; i++)
         texel[i] = v8i_fetch_by(p->bits.host, &f.at[i][8 * r]);
      bilinear8(texel, f.wx[r], f.wy[r], byte);
      respond_bytes(&c, x, r, mask, partial, byte);
   }
   sf_quick_mark(t, q);
   return true;
}

/* ---- samples along a line -------------------------------------------------------------------- */

/* As sample_stretched: what all samples have in common is found once. */
static ALWAYS_INLINE bool
bits_stretched(struct texture *x, struct mem_space *space, unsigned level, bool minified,
               const struct where8 *p, const struct stretch8 *s, v8f out[4])
{
   const struct texture_bits *b = &x->bits[level];
   const float *scale = x->scale[level], *rounding = x->rounding[minified];
   const uint8_t *host = level_host(x, space, level);
   struct line8 l = line8(s);
   v8f fx = v8f_times(p->u, v8f_all(scale[0])), fy = v8f_times(p->v, v8f_all(scale[1]));
   v8f step_x = v8f_times(s->step_x, v8f_all(256.0f));
   v8f step_y = v8f_times(s->step_y, v8f_all(256.0f));
   v8i far = v8i_max(and8(v8_as_int(fx), 0x7fffffff), and8(v8_as_int(fy), 0x7fffffff));
   if (!host || !v8i_none(v8i_more(far, v8i_all(FAR_BITS - 1))))
      return false;
   bool alike = v8i_every(v8i_equal(s->ways, v8i_all(s->most)));
   struct {
      uint32_t at[4][8];
      v8i wx, wy;
   } found[SAMPLER_WAYS];
   for (unsigned n = 0; n < s->most; n++) {
      v8f number = v8f_all((float)n), along = v8f_sub(number, l.middle);
      if (!alike)
         along = v8f_and(along, v8f_less(number, l.ways));
      v8f at_x = v8f_add(fx, v8f_times(step_x, along));
      v8f at_y = v8f_add(fy, v8f_times(step_y, along));
      v8i px = v8f_floor(v8f_add(at_x, v8f_all(rounding[0])));
      v8i py = v8f_floor(v8f_add(at_y, v8f_all(rounding[1])));
      px = add8(px, -128u);
      py = add8(py, -128u);
      found[n].wx = and8(px, 255);
      found[n].wy = and8(py, 255);
      bits_around8(b, bits_pair8(px, py),
                   (uint32_t *[]){found[n].at[0], found[n].at[1], found[n].at[2], found[n].at[3]});
   }
   __asm__ volatile("" : "+m"(found));
   v8f sum[4];
   for (unsigned c = 0; c < 4; c++)
      sum[c] = v8f_all(0);
   for (unsigned n = 0; n < s->most; n++) {
      v8i texel[4];
      v8f byte[4];
      for (unsigned i = 0; i < 4; i++)
         texel[i] = v8i_fetch_by(host, found[n].at[i]);
      bilinear8(texel, found[n].wx, found[n].wy, byte);
      if (x->opaque)
         byte[3] = v8f_all(1.0f);
      if (!alike || n == 0 || n + 1 == s->most) {
         weigh8(&l, n, byte, sum);
         continue;
      }
      for (unsigned c = 0; c < 4; c++) /* all weigh 1 */
         sum[c] = v8f_add(sum[c], byte[c]);
   }
   for (unsigned c = 0; c < 4; c++)
      out[x->swapped && c != 1 && c != 3 ? 2 - c : c] = v8f_over(sum[c], s->ratio);
   return true;
}

#endif
