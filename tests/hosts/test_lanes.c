/* What machine/vector_lanes.h does, lane by lane beside plain code: compiled for what every host of
 * its kind has, and for AVX2. */
#include "machine/fpmode.h"
#include "machine/vector_lanes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define ROUNDS 2000u

struct eight {
   int32_t i[8];
};

static uint32_t
draw(void)
{
   static uint64_t seed = 20261118;
   seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
   return (uint32_t)(seed >> 32);
}

static struct eight
of(v8i v)
{
   struct eight e;
   v8i_store(e.i, v);
   return e;
}

static struct eight
some(void)
{
   struct eight e;
   for (unsigned c = 0; c < 8; c++)
      e.i[c] = (int32_t)(draw() & 3 ? draw() : draw() & 1 ? 0 : UINT32_MAX);
   return e;
}

static void
lanes_are(v8i got, const struct eight *want)
{
   struct eight e = of(got);
   assert_memory_equal(&e, want, sizeof(e));
}

/* ---- lanes that change places ---------------------------------------------------------------- */

/* Lane n of a, or lane n - 8 of b. */
static void
placed(v8i got, const struct eight *a, const struct eight *b, const uint8_t from[8])
{
   struct eight want;
   for (unsigned c = 0; c < 8; c++)
      want.i[c] = from[c] < 8 ? a->i[from[c]] : b->i[from[c] - 8];
   lanes_are(got, &want);
}

#define PLACED(got, ...) placed(got, &a, &b, (const uint8_t[8]){__VA_ARGS__})

static void
places(void **state)
{
   (void)state;
   for (unsigned round = 0; round < ROUNDS; round++) {
      struct eight a = some(), b = some(), c;
      v8i x = v8i_load(a.i), y = v8i_load(b.i);
      PLACED(v8i_low_pairs(x, y), 0, 8, 1, 9, 4, 12, 5, 13);
      PLACED(v8i_high_pairs(x, y), 2, 10, 3, 11, 6, 14, 7, 15);
      PLACED(v8i_low_halves(x, y), 0, 1, 8, 9, 4, 5, 12, 13);
      PLACED(v8i_high_halves(x, y), 2, 3, 10, 11, 6, 7, 14, 15);
      PLACED(v8i_near_evens(x, y), 0, 2, 8, 10, 4, 6, 12, 14);
      PLACED(v8i_near_odds(x, y), 1, 3, 9, 11, 5, 7, 13, 15);
      PLACED(v8i_lower(x, y), 0, 1, 2, 3, 8, 9, 10, 11);
      PLACED(v8i_upper(x, y), 4, 5, 6, 7, 12, 13, 14, 15);
      PLACED(v8i_crossed(x), 0, 1, 4, 5, 2, 3, 6, 7);
      PLACED(v8i_evens(x, y), 0, 2, 4, 6, 8, 10, 12, 14);
      PLACED(v8i_odds(x, y), 1, 3, 5, 7, 9, 11, 13, 15);
      PLACED(v8i_load_halves(a.i, b.i + 4), 0, 1, 2, 3, 12, 13, 14, 15);
      PLACED(v8i_load_twice(a.i), 0, 1, 2, 3, 0, 1, 2, 3);
      PLACED(v8i_load_quarters(a.i, b.i, a.i + 2, b.i + 6), 0, 1, 8, 9, 2, 3, 14, 15);
      PLACED(v8i_of_each(x, 0), 0, 0, 0, 0, 4, 4, 4, 4);
      PLACED(v8i_of_each(x, 1), 1, 1, 1, 1, 5, 5, 5, 5);
      PLACED(v8i_of_each(x, 2), 2, 2, 2, 2, 6, 6, 6, 6);
      for (uint8_t n = 0; n < 8; n++) {
         PLACED(v8i_spread(x, n), n, n, n, n, n, n, n, n);
         PLACED(v8i_turned(x, n), n, (n + 1) & 7, (n + 2) & 7, (n + 3) & 7, (n + 4) & 7,
                (n + 5) & 7, (n + 6) & 7, (n + 7) & 7);
         assert_int_equal(v8i_lane(x, n), a.i[n]);
      }
      v8i_store_halves(c.i + 4, c.i, x);
      PLACED(v8i_load(c.i), 4, 5, 6, 7, 0, 1, 2, 3);
   }
}

/* ---- tests, and loads from anywhere ---------------------------------------------------------- */

static void
questions(void **state)
{
   (void)state;
   for (unsigned round = 0; round < ROUNDS; round++) {
      struct eight a = some(), b = some();
      bool none = true, every = true, apart = true;
      for (unsigned c = 0; c < 8; c++) {
         if (round & 1)
            a.i[c] &= (int32_t)(1u << (draw() & 31)), b.i[c] &= (int32_t)(1u << (draw() & 31));
         if (round % 5 == 0)
            a.i[c] = c == round % 8 ? a.i[c] : round & 2 ? 0 : -1;
         none &= a.i[c] == 0;
         apart &= (a.i[c] & b.i[c]) == 0;
      }
      v8i x = v8i_load(a.i), y = v8i_load(b.i);
      assert_int_equal(v8i_none(x), none);
      assert_int_equal(v8i_apart(x, y), apart);
      uint32_t signs = 0;
      struct eight most, least;
      for (unsigned c = 0; c < 8; c++) {
         signs |= (uint32_t)(a.i[c] < 0) << c;
         most.i[c] = (uint32_t)a.i[c] <= (uint32_t)b.i[c] ? -1 : 0;
         least.i[c] = a.i[c] & ~b.i[c];
         every &= most.i[c] != 0;
      }
      assert_int_equal(v8i_signs(x), signs);
      lanes_are(v8u_at_most(x, y), &most);
      lanes_are(v8i_and_not(x, y), &least);
      assert_int_equal(v8i_every(v8u_at_most(x, y)), every);
   }
}

static void
loads(void **state)
{
   (void)state;
   uint8_t memory[256];
   for (unsigned i = 0; i < sizeof(memory); i++)
      memory[i] = (uint8_t)draw();
   for (unsigned round = 0; round < ROUNDS; round++) {
      struct eight at, on, want, some_of;
      uint64_t host[8];
      for (unsigned c = 0; c < 8; c++) {
         at.i[c] = (int32_t)(draw() % (sizeof(memory) - 8));
         on.i[c] = draw() & 1 ? -1 : 0;
         host[c] = on.i[c] ? (uintptr_t)memory + (unsigned)at.i[c] - 3 : 0;
         memcpy(&want.i[c], memory + at.i[c], 4);
         some_of.i[c] = on.i[c] & want.i[c];
      }
      v8i place = v8i_load(at.i);
      lanes_are(v8i_fetch(memory, place), &want);
      lanes_are(v8i_fetch_by(memory, (const uint32_t *)at.i), &want);
      lanes_are(v8i_gather_some(memory, place, v8i_load(on.i)), &some_of);
      lanes_are(v8i_gather_wide(3, v8l_load(host), v8i_load(on.i)), &some_of);
   }
}

/* ---- words ----------------------------------------------------------------------------------- */

static int16_t
word(const struct eight *e, unsigned n)
{
   return (int16_t)((uint32_t)e->i[n / 2] >> 16 * (n & 1));
}

static void
words(void **state)
{
   (void)state;
   for (unsigned round = 0; round < ROUNDS; round++) {
      struct eight a = some(), b = some(), bytes = some(), sum = {{0}}, difference = {{0}},
                   product = {{0}}, shifted = {{0}}, mixed, dot, by_bytes = {{0}};
      for (unsigned n = 0; n < 16; n++) {
         unsigned c = n / 2, at = 16 * (n & 1);
         uint16_t x = (uint16_t)word(&a, n), y = (uint16_t)word(&b, n);
         sum.i[c] |= (int32_t)((uint32_t)(uint16_t)(x + y) << at);
         difference.i[c] |= (int32_t)((uint32_t)(uint16_t)(x - y) << at);
         product.i[c] |= (int32_t)((uint32_t)(uint16_t)((uint32_t)x * y) << at);
         shifted.i[c] |= (int32_t)((uint32_t)(x >> 8) << at);
      }
      for (unsigned c = 0; c < 8; c++) {
         bytes.i[c] &= 0x3f3f3f3f; /* sums of two products are words */
         mixed.i[c] = (int32_t)(((uint32_t)a.i[c] & 0xffff) | ((uint32_t)b.i[c] & 0xffff0000));
         dot.i[c] = (int32_t)((uint32_t)(word(&a, 2 * c) * word(&b, 2 * c)) +
                              (uint32_t)(word(&a, 2 * c + 1) * word(&b, 2 * c + 1)));
         for (unsigned k = 0; k < 4; k += 2) {
            uint32_t low = ((uint32_t)a.i[c] >> 8 * k & 0xff) * (bytes.i[c] >> 8 * k & 0xff),
                     high = ((uint32_t)a.i[c] >> (8 * k + 8) & 0xff) *
                            (bytes.i[c] >> (8 * k + 8) & 0xff);
            by_bytes.i[c] |= (int32_t)((low + high) << 8 * k);
         }
      }
      v8i x = v8i_load(a.i), y = v8i_load(b.i);
      lanes_are(v8w_add(x, y), &sum);
      lanes_are(v8w_sub(x, y), &difference);
      lanes_are(v8w_mul(x, y), &product);
      lanes_are(v8w_shr_by(x, 8), &shifted);
      lanes_are(v8w_mixed(x, y), &mixed);
      lanes_are(v8w_dot(x, y), &dot);
      lanes_are(v8w_dot_bytes(x, v8i_load(bytes.i)), &by_bytes);
   }
}

/* ---- floats ---------------------------------------------------------------------------------- */

/* SMP-398: every code of up to 16 bits. */
static void
codes(void **state)
{
   (void)state;
   for (unsigned bits = 1; bits <= 16; bits++) {
      float most = (float)((1u << bits) - 1);
      for (uint32_t code = 0; code < 1u << bits; code += 8) {
         struct eight in, want;
         for (unsigned c = 0; c < 8; c++) {
            in.i[c] = (int32_t)((code + c) & ((1u << bits) - 1));
            volatile float quotient = (float)in.i[c] / most;
            memcpy(&want.i[c], (const void *)&quotient, 4);
         }
         v8f f = v8f_of_code(v8i_load(in.i), most, 1.0f / most);
         lanes_are(v8_as_int(f), &want);
         v8i back = v8i_and(v8f_code(f, most), v8i_all(0x7fffff));
         lanes_are(back, &in);
      }
   }
}

/* Numbers from 0 to 1, also those just beside the half of a code. */
static float
part(uint32_t most)
{
   float f = ((float)(draw() % most) + (draw() & 1 ? 0.5f : 0.0f)) / (float)most;
   uint32_t bits;
   memcpy(&bits, &f, 4);
   bits += (draw() % 5) - 2;
   memcpy(&f, &bits, 4);
   return f >= 0 && f <= 1 ? f : 0.25f;
}

/* Doubles hold the products: rint() rounds them once, to nearest. */
static void
packing(void **state)
{
   (void)state;
   static const uint32_t most[6] = {1, 31, 255, 1023, 65535, 16777215};
   for (unsigned round = 0; round < 20 * ROUNDS; round++) {
      struct eight in, code, scaled, wide;
      uint32_t by = most[round % 6];
      for (unsigned c = 0; c < 8; c++) {
         float f = part(by);
         memcpy(&in.i[c], &f, 4);
         code.i[c] = (int32_t)rint((double)f * by);
         f = draw() & 1 ? -f : f;
         memcpy(&wide.i[c], &f, 4);
         scaled.i[c] = (int32_t)rint((double)f * by);
      }
      v8f f = v8_as_float(v8i_load(in.i));
      if (by <= 65535)
         lanes_are(v8i_and(v8f_code(f, (float)by), v8i_all(0x7fffff)), &code);
      for (unsigned mode = 0; mode < 4; mode++) {
         uint32_t modes = fpmode_get();
         fpmode_set(FPMODE_HOST | FPMODE_ROUNDING(mode));
         struct eight got = of(v8f_scaled(v8_as_float(v8i_load(wide.i)), by));
         fpmode_set(modes);
         assert_memory_equal(&got, &scaled, sizeof(got));
      }
   }
}

static void
numbers(void **state)
{
   (void)state;
   for (unsigned round = 0; round < 20 * ROUNDS; round++) {
      struct eight whole, quotient, in, down, toward, root;
      double wide[8];
      for (unsigned c = 0; c < 8; c++) {
         whole.i[c] = (int32_t)(draw() % (255u << 16 | 1));
         volatile float q = (float)whole.i[c] / 16711680.0f;
         memcpy(&quotient.i[c], (const void *)&q, 4);
         float f = (float)(int32_t)draw() / (float)(1u << draw() % 31);
         memcpy(&in.i[c], &f, 4);
         down.i[c] = (int32_t)floorf(f);
         wide[c] = (double)(int32_t)draw() / (double)(1u << draw() % 31);
         toward.i[c] = (int32_t)wide[c];
         float positive = fabsf(f);
         volatile float r = sqrtf(positive);
         memcpy(&root.i[c], (const void *)&r, 4);
      }
      v8f f = v8_as_float(v8i_load(in.i));
      lanes_are(v8_as_int(v8f_part_of(v8i_load(whole.i), 16711680.0f)), &quotient);
      lanes_are(v8f_floor(f), &down);
      lanes_are(v8_as_int(v8f_sqrt(v8f_and(f, v8i_all(INT32_MAX)))), &root);
      v8d d;
      memcpy(&d, wide, sizeof(d));
      lanes_are(v8d_truncate(d), &toward);
      v8d exact = v8i_to_double(v8i_load(toward.i));
      lanes_are(v8d_truncate(exact), &toward);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(places), cmocka_unit_test(questions),
                                      cmocka_unit_test(loads),  cmocka_unit_test(words),
                                      cmocka_unit_test(codes),  cmocka_unit_test(packing),
                                      cmocka_unit_test(numbers)};
#ifdef __AVX2__
   if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
      printf("1..0 # SKIP this host has no AVX2\n");
      return 0;
   }
#endif
   return cmocka_run_group_tests(tests, NULL, NULL);
}
