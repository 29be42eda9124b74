/* Private to the fast path of sample messages: textures of four bytes that wrap, of which offsets
 * are bits of x beside bits of y (struct texture_bits). One level serves all pixels of the message,
 * with one filter. Nothing is asked here that does not change from message to message. */
#ifndef PERGOLA_SAMPLER_QUICK_BITS_AVX2_H
#define PERGOLA_SAMPLER_QUICK_BITS_AVX2_H

#include "shared_functions/sampler/quick_general_avx2.h"

/* Where lanes that do not matter are, too. */
static ALWAYS_INLINE f8
only8(f8 u, v8 on, unsigned first)
{
   f8 one = _mm256_permutevar8x32_ps(u, all8(first));
   return _mm256_blendv_ps(one, u, _mm256_castsi256_ps(on));
}

/* Sixteen pixels at most: offsets of their texels, and weights. */
struct bits_found {
   uint32_t at[4][16] __attribute__((aligned(32)));
   v8 wx[2], wy[2];
};

/* Coordinates of a message, in units of the texture's scale: slots that are off are where the first
 * one is that is on. *far: sums of their squares, NaN if one is. */
static ALWAYS_INLINE void
scaled8(const struct texture_plain *p, const uint8_t *payload, unsigned r, uint32_t mask,
        bool partial, f8 *x, f8 *y, f8 *far)
{
   f8 u = _mm256_castsi256_ps(load8(payload + p->u_B + r * EU_REG_SIZE));
   f8 v = _mm256_castsi256_ps(load8(payload + p->v_B + r * EU_REG_SIZE));
   uint32_t exec = mask >> 8 * r & 0xff;
   if (partial) {
      u = only8(u, lanes8(exec), (unsigned)__builtin_ctz(exec));
      v = only8(v, lanes8(exec), (unsigned)__builtin_ctz(exec));
   }
   *x = _mm256_mul_ps(u, broadcast(&p->scale[0]));
   *y = _mm256_mul_ps(v, broadcast(&p->scale[1]));
   *far = _mm256_fmadd_ps(*x, *x, *far);
   *far = _mm256_fmadd_ps(*y, *y, *far);
}

/* Whether all of them are nearer than ADDRESS_FAR, of which this is the square. */
static ALWAYS_INLINE bool
near8(f8 far, float square)
{
   f8 bad = _mm256_cmp_ps(far, all_floats(square), _CMP_NLT_UQ);
   return _mm256_testz_ps(bad, bad);
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
   v8 at[2];
   f8 fx, fy, far = _mm256_setzero_ps();
   for (unsigned r = 0; r < regs; r++) {
      if (partial && !(mask >> 8 * r & 0xff))
         continue;
      scaled8(p, t->grf + q->payload, r, mask, partial, &fx, &fy, &far);
      v8 px = _mm256_cvttps_epi32(_mm256_floor_ps(fx));
      v8 py = _mm256_cvttps_epi32(_mm256_floor_ps(fy));
      v8 pair = _mm256_blend_epi16(px, _mm256_slli_epi32(py, 16), 0xaa);
      at[r] = bits_offset8(&p->bits, pair);
   }
   if (__builtin_expect(!near8(far, ADDRESS_FAR * ADDRESS_FAR), 0))
      return false;
   for (unsigned r = 0; r < regs; r++) {
      uint8_t *to = t->grf + q->response + r * EU_REG_SIZE;
      if (partial && !(mask >> 8 * r & 0xff))
         continue;
      v8 texel = dwords8(p->bits.host, at[r]);
      for (unsigned c = 0; c < 4; c++, to += regs * EU_REG_SIZE) {
         f8 f = code8(texel, load_all8(&p->thrice[c]), broadcast(&p->unit[c]));
         if (c == 3)
            f = _mm256_add_ps(f, broadcast(&p->alpha));
         if (partial)
            put(to, _mm256_castps_si256(f), lanes8(mask >> 8 * r & 0xff));
         else
            store8(to, _mm256_castps_si256(f));
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
              bool partial, f8 byte[4])
{
   if (x->opaque)
      byte[3] = all_floats(1.0f);
   for (unsigned i = 0; i < 4; i++) {
      uint8_t *to = c->to[i] + r * EU_REG_SIZE;
      if (partial)
         put(to, _mm256_castps_si256(byte[i]), lanes8(mask >> 8 * r & 0xff));
      else
         store8(to, _mm256_castps_si256(byte[i]));
   }
}

/* The four texels around the position, in 1/256 of a texel. */
static ALWAYS_INLINE bool
bits_linear(struct eu_thread *t, const struct sf_quick *q, struct texture *x, uint32_t mask,
            unsigned regs, bool partial)
{
   const struct texture_plain *p = &x->plain;
   struct bits_found f;
   f8 fx, fy, far = _mm256_setzero_ps();
   for (unsigned r = 0; r < regs; r++) {
      if (partial && !(mask >> 8 * r & 0xff))
         continue;
      scaled8(p, t->grf + q->payload, r, mask, partial, &fx, &fy, &far);
      fx = _mm256_floor_ps(_mm256_add_ps(fx, broadcast(&p->rounding[0])));
      fy = _mm256_floor_ps(_mm256_add_ps(fy, broadcast(&p->rounding[1])));
      v8 px = add8(_mm256_cvttps_epi32(fx), -128u), py = add8(_mm256_cvttps_epi32(fy), -128u);
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
      v8 texel[4];
      f8 byte[4];
      if (partial && !(mask >> 8 * r & 0xff))
         continue;
      for (unsigned i = 0; i < 4; i++)
         texel[i] = dwords_at8(p->bits.host, &f.at[i][8 * r]);
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
               const struct where8 *p, const struct stretch8 *s, f8 out[4])
{
   const struct texture_bits *b = &x->bits[level];
   const float *scale = x->scale[level], *rounding = x->rounding[minified];
   const uint8_t *host = level_host(x, space, level);
   struct line8 l = line8(s);
   f8 fx = _mm256_mul_ps(p->u, broadcast(&scale[0])),
      fy = _mm256_mul_ps(p->v, broadcast(&scale[1]));
   f8 step_x = _mm256_mul_ps(s->step_x, all_floats(256.0f));
   f8 step_y = _mm256_mul_ps(s->step_y, all_floats(256.0f));
   v8 far = _mm256_max_epi32(and8(_mm256_castps_si256(fx), 0x7fffffff),
                             and8(_mm256_castps_si256(fy), 0x7fffffff));
   if (!host || !none8(_mm256_cmpgt_epi32(far, all8(FAR_BITS - 1))))
      return false;
   bool alike = every8(_mm256_cmpeq_epi32(s->ways, all8(s->most)));
   struct {
      uint32_t at[4][8];
      v8 wx, wy;
   } found[SAMPLER_WAYS];
   for (unsigned n = 0; n < s->most; n++) {
      f8 number = all_floats((float)n), along = _mm256_sub_ps(number, l.middle);
      if (!alike)
         along = _mm256_and_ps(along, _mm256_cmp_ps(number, l.ways, _CMP_LT_OQ));
      f8 at_x = _mm256_add_ps(fx, _mm256_mul_ps(step_x, along));
      f8 at_y = _mm256_add_ps(fy, _mm256_mul_ps(step_y, along));
      at_x = _mm256_floor_ps(_mm256_add_ps(at_x, broadcast(&rounding[0])));
      at_y = _mm256_floor_ps(_mm256_add_ps(at_y, broadcast(&rounding[1])));
      v8 px = add8(_mm256_cvttps_epi32(at_x), -128u), py = add8(_mm256_cvttps_epi32(at_y), -128u);
      found[n].wx = and8(px, 255);
      found[n].wy = and8(py, 255);
      bits_around8(b, bits_pair8(px, py),
                   (uint32_t *[]){found[n].at[0], found[n].at[1], found[n].at[2], found[n].at[3]});
   }
   __asm__ volatile("" : "+m"(found));
   f8 sum[4];
   for (unsigned c = 0; c < 4; c++)
      sum[c] = _mm256_setzero_ps();
   for (unsigned n = 0; n < s->most; n++) {
      v8 texel[4];
      f8 byte[4];
      for (unsigned i = 0; i < 4; i++)
         texel[i] = dwords_at8(host, found[n].at[i]);
      bilinear8(texel, found[n].wx, found[n].wy, byte);
      if (x->opaque)
         byte[3] = all_floats(1.0f);
      if (!alike || n == 0 || n + 1 == s->most) {
         weigh8(&l, n, byte, sum);
         continue;
      }
      for (unsigned c = 0; c < 4; c++) /* all weigh 1 */
         sum[c] = _mm256_add_ps(sum[c], byte[c]);
   }
   for (unsigned c = 0; c < 4; c++)
      out[x->swapped && c != 1 && c != 3 ? 2 - c : c] = _mm256_div_ps(sum[c], s->ratio);
   return true;
}

#endif
