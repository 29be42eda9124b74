/* Private to src/eu: the transcendental functions of the math box, BOX_LANES at a time.
 *
 * Written once, in double, of additions, products and quotients alone, so that every compiler and
 * every host gives the same bits, whatever the width of its vectors (no contraction to fused
 * operations: see meson.build). Errors are below 2^-40, far under half a unit of the singles that
 * they are rounded to. The host rounds to nearest. */
#ifndef PERGOLA_EU_BOX_H
#define PERGOLA_EU_BOX_H

#include <math.h>
#include <stdint.h>

typedef double box_v __attribute__((vector_size(8 * BOX_LANES)));
typedef int64_t box_i __attribute__((vector_size(8 * BOX_LANES)));

#define BOX static inline __attribute__((always_inline))

BOX box_v
box_choose(box_i mask, box_v yes, box_v no)
{
   return (box_v)(((box_i)yes & mask) | ((box_i)no & ~mask));
}

BOX box_v
box_all(double v)
{
   return v + (box_v){0};
}

/* To the next integer: adding it leaves no room for a fraction, and the low bits are the integer.
 */
#define BOX_INTEGER 0x1.8p52

BOX box_v
box_polynomial(box_v x, const double *c, unsigned n)
{
   box_v r = box_all(c[n - 1]);
   for (unsigned i = n - 1; i-- > 0;)
      r = r * x + c[i];
   return r;
}

/* EU-164. What is beyond a single's range stays there. */
BOX box_v
box_exp2(box_v x)
{
   /* ln(2)^k / k! */
   static const double c[] = {1.0,
                              0x1.62e42fefa39efp-1,
                              0x1.ebfbdff82c58fp-3,
                              0x1.c6b08d704a0cp-5,
                              0x1.3b2ab6fba4e77p-7,
                              0x1.5d87fe78a6731p-10,
                              0x1.430912f86c787p-13,
                              0x1.ffcbfc588b0c7p-17,
                              0x1.62c0223a5c824p-20,
                              0x1.b5253d395e7c4p-24,
                              0x1.e4cf5158b8ecap-28,
                              0x1.e8cac7351bb25p-32};
   box_i not_a_number = x != x;
   box_v y = box_choose(x > 400, box_all(400), x);
   y = box_choose(x < -400, box_all(-400), y);
   y = box_choose(not_a_number, box_all(0), y);
   box_v shifted = y + BOX_INTEGER, whole = shifted - BOX_INTEGER;
   box_v r = box_polynomial(y - whole, c, 12);
   r = (box_v)((box_i)r + ((box_i)shifted << 52));
   return box_choose(not_a_number, x, r);
}

/* EU-163 */
BOX box_v
box_log2(box_v x)
{
   /* 2 / ln(2) / (2k + 1) */
   static const double c[] = {0x1.71547652b82fep+1, 0x1.ec709dc3a03fdp-1, 0x1.2776c50ef9bfep-1,
                              0x1.a61762a7aded9p-2, 0x1.484b13d7c02a9p-2, 0x1.0c9a84994022dp-2,
                              0x1.c68f568d3176p-3,  0x1.89f3b1694cffep-3, 0x1.5b9ac9b743f0dp-3};
   const box_i mantissa = (box_i){0} + 0xfffffffffffff;
   box_i bits = (box_i)x;
   box_i exponent = (bits >> 52) - 1023;
   box_v m = (box_v)((bits & mantissa) | ((box_i){0} + 0x3ff0000000000000));
   box_i large = m > 0x1.6a09e667f3bcdp+0;
   m = box_choose(large, m * 0.5, m);
   exponent -= large; /* all ones: 1 more */
   box_v s = (m - 1) / (m + 1);
   /* Exact: the exponent as a number. */
   box_v e = (box_v)((exponent + 1024) | ((box_i){0} + 0x4330000000000000)) - (0x1p52 + 1024);
   box_v r = e + s * box_polynomial(s * s, c, 9);
   r = box_choose(x == 0, box_all(-INFINITY), r);
   r = box_choose(x == INFINITY, x, r);
   return box_choose(~(x >= 0), box_all(NAN), r);
}

/* EU-169: the forms that IEEE calls 1 but the manual not a number come out as zero times
 * infinity. */
BOX box_v
box_pow(box_v a, box_v b)
{
   box_v magnitude = (box_v)((box_i)a & INT64_MAX);
   return box_exp2(b * box_log2(magnitude));
}

/* The sine of r, of at most an eighth of a turn, plus quarter turns. */
BOX box_v
box_near(box_v r, box_i quadrant)
{
   static const double s[] = {1.0,
                              -0x1.5555555555555p-3,
                              0x1.1111111111111p-7,
                              -0x1.a01a01a01a01ap-13,
                              0x1.71de3a556c734p-19,
                              -0x1.ae64567f544e4p-26,
                              0x1.6124613a86d09p-33,
                              -0x1.ae7f3e733b81fp-41};
   static const double c[] = {1.0,
                              -0x1p-1,
                              0x1.5555555555555p-5,
                              -0x1.6c16c16c16c17p-10,
                              0x1.a01a01a01a01ap-16,
                              -0x1.27e4fb7789f5cp-22,
                              0x1.1eed8eff8d898p-29,
                              -0x1.93974a8c07c9dp-37,
                              0x1.ae7f3e733b81fp-45};
   box_v z = r * r;
   box_v v = box_choose((quadrant & 1) == 1, box_polynomial(z, c, 9), r * box_polynomial(z, s, 8));
   return (box_v)((box_i)v ^ (quadrant >> 1 << 63));
}

/* Far from the origin: x is an integer of 24 bits, m, times 2^e. Of 2/pi those bits count that give
 * less than four quarter turns with 2^e; of them 128 are enough. */
static inline double
box_far(double x, int64_t *quadrant)
{
   static const uint64_t two_over_pi[] = {0, /* before the point */
                                          0xa2f9836e4e441529, 0xfc2757d1f534ddc0,
                                          0xdb6295993c439041, 0xfe5163abdebbc561};
   union {
      double d;
      uint64_t u;
   } bits = {.d = x};
   unsigned first = (unsigned)(bits.u >> 52 & 0x7ff) - (1023 + 23) - 2 + 64, word = first / 64,
            shift = first % 64;
   uint64_t m = (bits.u & 0xfffffffffffff) >> 29 | 0x800000, part[2];
   if (!(fabs(x) < 0x1p128)) { /* no number, or no single */
      *quadrant = 0;
      return NAN;
   }
   for (unsigned i = 0; i < 2; i++)
      part[i] = two_over_pi[word + i] << shift | two_over_pi[word + i + 1] >> 1 >> (63 - shift);
   unsigned __int128 turns =
       ((unsigned __int128)part[0] << 64 | part[1]) * m; /* 2^126: a quarter */
   uint64_t whole = (uint64_t)((turns + ((unsigned __int128)1 << 125)) >> 126);
   turns -= (unsigned __int128)whole << 126;
   double rest = (double)(int64_t)(turns >> 64) * 0x1p-62 + (double)(uint64_t)turns * 0x1p-126;
   *quadrant = x < 0 ? -(int64_t)whole : (int64_t)whole;
   return (x < 0 ? -rest : rest) * 0x1.921fb54442d18p+0;
}

/* EU-166, EU-167: sin of x + quarter turns. */
BOX box_v
box_sin(box_v x, int64_t quarters)
{
   box_v shifted = x * 0x1.45f306dc9c883p-1 + BOX_INTEGER, turns = shifted - BOX_INTEGER;
   /* pi/2 in three parts, of which products with the turns are exact but for the last */
   box_v r = x - turns * 0x1.921fb544p+0;
   r = r - turns * 0x1.0b4611a6p-34;
   r = r - turns * 0x1.3198a2e037073p-69;
   box_i quadrant = (box_i)shifted;
   for (unsigned i = 0; i < BOX_LANES; i++)
      if (__builtin_expect(!(fabs(x[i]) < 0x1p20), 0)) {
         int64_t q;
         r[i] = box_far(x[i], &q);
         quadrant[i] = q;
      }
   return box_near(r, quadrant + quarters);
}

#endif
