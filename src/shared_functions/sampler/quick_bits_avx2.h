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

/* Whole numbers of floats that have been rounded down; *far: bits of those that are not between
 * -2^n and 2^n. */
static ALWAYS_INLINE v8
whole8(f8 floor, unsigned n, v8 *far)
{
   v8 i = _mm256_cvttps_epi32(floor);
   *far = _mm256_or_si256(*far, add8(i, 1u << n));
   return i;
}

/* As find_bits, for nearest texels: in texels, since scaling by 256 rounds nothing. */
static ALWAYS_INLINE void
find_nearest(const struct texture_plain *p, const struct texture_bits *b, f8 u, f8 v, uint32_t *at,
             v8 *far)
{
   f8 fx = _mm256_mul_ps(u, broadcast(&p->scale[0])),
      fy = _mm256_mul_ps(v, broadcast(&p->scale[1]));
   fx = _mm256_floor_ps(_mm256_add_ps(fx, broadcast(&p->rounding[0])));
   fy = _mm256_floor_ps(_mm256_add_ps(fy, broadcast(&p->rounding[1])));
   v8 px = whole8(fx, 22, far), py = whole8(fy, 22, far);
   store8(at, bits_offset8(b, _mm256_blend_epi16(px, _mm256_slli_epi32(py, 16), 0xaa)));
}

static ALWAYS_INLINE void
find_linear(const struct texture_plain *p, const struct texture_bits *b, f8 u, f8 v,
            struct bits_found *f, unsigned r, v8 *far)
{
   f8 fx = _mm256_mul_ps(u, broadcast(&p->scale[0])),
      fy = _mm256_mul_ps(v, broadcast(&p->scale[1]));
   fx = _mm256_floor_ps(_mm256_add_ps(fx, broadcast(&p->rounding[0])));
   fy = _mm256_floor_ps(_mm256_add_ps(fy, broadcast(&p->rounding[1])));
   v8 px = add8(whole8(fx, 30, far), -128u), py = add8(whole8(fy, 30, far), -128u);
   f->wx[r] = and8(px, 255);
   f->wy[r] = and8(py, 255);
   bits_around8(
       b, bits_pair8(px, py),
       (uint32_t *[]){&f->at[0][8 * r], &f->at[1][8 * r], &f->at[2][8 * r], &f->at[3][8 * r]});
}

/* True: all offsets are found. exec: slots that are on; others are where the first of them is. */
static ALWAYS_INLINE bool
find_message(const struct texture *x, const struct texture_bits *b, const uint8_t *payload,
             uint32_t mask, unsigned regs, bool linear, bool partial, struct bits_found *f)
{
   const uint8_t *u = payload + x->plain.u_B, *v = payload + x->plain.v_B;
   v8 far = _mm256_setzero_si256();
   for (unsigned r = 0; r < regs; r++) {
      f8 fu = _mm256_castsi256_ps(load8(u + r * EU_REG_SIZE));
      f8 fv = _mm256_castsi256_ps(load8(v + r * EU_REG_SIZE));
      if (partial) {
         uint32_t exec = mask >> 8 * r & 0xff;
         if (!exec)
            continue;
         fu = only8(fu, lanes8(exec), (unsigned)__builtin_ctz(exec));
         fv = only8(fv, lanes8(exec), (unsigned)__builtin_ctz(exec));
      }
      if (linear)
         find_linear(&x->plain, b, fu, fv, f, r, &far);
      else
         find_nearest(&x->plain, b, fu, fv, &f->at[0][8 * r], &far);
   }
   return _mm256_testz_si256(far, all8(linear ? 1u << 31 : ~((1u << 23) - 1)));
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

static ALWAYS_INLINE bool
bits_message(struct eu_thread *t, const struct sf_quick *q, struct texture *x, uint32_t mask,
             unsigned regs, bool linear, bool partial)
{
   unsigned level = (unsigned)x->level_none;
   const uint8_t *host = level_host(x, t->env->space, level), *payload = t->grf + q->payload;
   const struct texture_bits *b = &x->bits[level];
   struct bits_found f;
   if (__builtin_expect(!host, 0) ||
       __builtin_expect(!find_message(x, b, payload, mask, regs, linear, partial, &f), 0))
      return false;
   __asm__ volatile(""
                    : "+m"(f)); /* loaded from memory, where they would be taken out of vectors */
   struct channels c = channels_of(t, q, x, regs);
   for (unsigned r = 0; r < regs; r++) {
      v8 texel[4];
      f8 byte[4];
      if (partial && !(mask >> 8 * r & 0xff))
         continue;
      for (unsigned i = 0; i < (linear ? 4 : 1); i++)
         texel[i] = dwords_at8(host, &f.at[i][8 * r]);
      if (linear)
         bilinear8(texel, f.wx[r], f.wy[r], byte);
      else
         nearest8(texel[0], byte);
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
