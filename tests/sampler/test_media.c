/* SIMD32/64 messages: sample_unorm and sample_8x8. */
#include "rig.h"

enum { UNORM = 0, UNORM_KILL = 2, PS_8X8 = 3, MEDIA_8X8_TYPE = 11, FLUSH = 31 };
#define TABLES 0x1000u /* SAMPLER_8x8_STATE, from the dynamic state base */
#define W 40
#define H 24

static void
send(struct fx *f, unsigned type, unsigned sampler, unsigned mlen, unsigned rlen)
{
   struct sf_message m = {.sfid = SFID_SAMPLER,
                          .header = true,
                          .mlen = (uint8_t)mlen,
                          .rlen = (uint8_t)rlen,
                          .exec_size = 16,
                          .exec_mask = 0, /* SMP-207: ignored */
                          .payload = f->t.grf + FX_PAYLOAD * EU_REG_SIZE,
                          .response = f->t.grf + FX_RESPONSE * EU_REG_SIZE};
   m.desc = 1 | sampler << 8 | type << 12 | 3u << 17 | 1u << 19 | rlen << 20 | mlen << 25;
   m.ip = f->t.ip += 16;
   eu_thread_paid(&f->t);
   assert_int_equal(sf_sampler(&f->t, &m), SF_OK);
   /* 64 pixels of 4 or of 64 taps are no single instruction; a flush has nothing to do. */
   bool samples = type == UNORM || type == UNORM_KILL || type == PS_8X8 || type == MEDIA_8X8_TYPE;
   if (samples && mlen == 2 && rlen)
      assert_in_range(eu_thread_paid(&f->t), 64, EU_OWED_MOST);
   else if (type == FLUSH)
      assert_int_equal(eu_thread_paid(&f->t), 0);
}

static uint16_t
word(struct fx *f, unsigned reg, unsigned n)
{
   return (uint16_t)(fx_out(f, reg)[n / 2] >> 16 * (n % 2));
}

/* A picture of one byte a pixel, linear. */
static uint8_t *
picture(struct fx *f, unsigned format)
{
   uint32_t dw[8] = {FX_DATA, (H - 1) << 18 | (W - 1) << 4, format << 28 | (64 - 1) << 3};
   uint32_t seed = 3;
   fx_surface_dw(f, 1, dw);
   for (unsigned i = 0; i < 64 * H; i++) {
      seed = seed * 1664525 + 1013904223;
      *fx_at(f, FX_DATA + i) = (uint8_t)(seed >> 24);
   }
   return fx_at(f, FX_DATA);
}

static int8_t coefficients[17][2][2][8]; /* phase, table, direction, tap */

/* Tables of small numbers that add up to 64; phase 0 passes a sample on. */
static void
tables(struct fx *f, unsigned sharpness, bool bypass, bool ief)
{
   uint32_t dw[138] = {0}, state[4] = {(uint32_t)!ief << 29, TABLES, 0x0d090801, 0x721a03c6};
   for (int n = 0; n < 17; n++)
      for (int table = 0; table < 2; table++)
         for (int d = 0; d < 2; d++) {
            int8_t *k = coefficients[n][table][d];
            memset(k, 0, 8);
            int a = n / 4, b = n / (2 + d);
            k[2] = (int8_t)-a;
            k[5] = (int8_t)(-a / 2);
            k[4] = (int8_t)(2 * n + b);
            if (!table) {
               k[1] = (int8_t)(a / 2);
               k[6] = (int8_t)(n / 8);
               k[0] = (int8_t)(n / 16);
            }
            int rest = 64;
            for (int i = 0; i < 8; i++)
               rest -= i == 3 ? 0 : k[i];
            k[3] = (int8_t)rest;
            for (int tap = 0; tap < 8; tap++)
               if (!table || (tap >= 2 && tap <= 5))
                  dw[8 * n + 4 * table + 2 * d + tap / 4] |= (uint32_t)(uint8_t)k[tap]
                                                             << 8 * (tap % 4);
         }
   dw[136] = sharpness << 24 | 20 << 16 | 40 << 8 | 5 << 4 | 4;
   dw[137] = bypass ? 3u << 21 : 0;
   memcpy(fx_at(f, RIG_SAMPLERS + TABLES), dw, sizeof(dw));
   memcpy(fx_at(f, RIG_SAMPLERS + 16 * 4), state, sizeof(state));
   surface_cache_invalidate(f->dev->surfaces);
}

static int
pixel(const uint8_t *p, int x, int y)
{
   x = x < 0 ? 0 : x >= W ? W - 1 : x;
   y = y < 0 ? 0 : y >= H ? H - 1 : y;
   return p[64 * y + x];
}

/* SMP-521, SMP-522 in doubles. sharp: 0 … 255. */
static double
scaled(const uint8_t *p, unsigned table, double u, double v, double sharp)
{
   u = floor(u * 256 + 0.5) / 256;
   v = floor(v * 256 + 0.5) / 256;
   int x = (int)floor(u), y = (int)floor(v);
   int pu = (int)floor((u - x) * 32), pv = (int)floor((v - y) * 32);
   double rows[8], column = 0;
   for (int j = 0; j < 8; j++) {
      double s = 0,
             l = pixel(p, x, y + j - 3) * (32 - pu) / 32.0 + pixel(p, x + 1, y + j - 3) * pu / 32.0;
      for (int i = 0; i < 8; i++)
         s += pixel(p, x + i - 3, y + j - 3) *
              (pu <= 16 ? coefficients[pu][table][0][i] : coefficients[32 - pu][table][0][7 - i]) /
              64.0;
      rows[j] = l + (s - l) * sharp / 255;
   }
   double smooth = rows[3] * (32 - pv) / 32.0 + rows[4] * pv / 32.0;
   for (int j = 0; j < 8; j++)
      column +=
          rows[j] *
          (pv <= 16 ? coefficients[pv][table][1][j] : coefficients[32 - pv][table][1][7 - j]) /
          64.0;
   return fmin(fmax(smooth + (column - smooth) * sharp / 255, 0), 255);
}

static void
payload(struct fx *f, bool media, float u, float v, float du, float dv, float second,
        uint32_t block)
{
   float ps[8] = {du, second, u, 0, 0, dv, v, 0}, other[8] = {0, 0, u, v, du, dv, second, 0};
   memcpy(fx_in(f, 1), media ? other : ps, 32);
   if (media)
      fx_in(f, 1)[1] = block;
}

/* Y comes back in green, alone; U and V planes in red. */
static void
scaler(void **state)
{
   proves("SMP-011", "SMP-176", "SMP-207", "SMP-234", "SMP-382", "SMP-483", "SMP-485", "SMP-486",
          "SMP-490", "SMP-521");
   struct fx *f = *state;
   for (unsigned kind = 0; kind < 2; kind++) {
      const uint8_t *p = picture(f, kind ? GEN7_MEDIA_SURFACE_FORMAT_R8_UNORM
                                         : GEN7_MEDIA_SURFACE_FORMAT_Y8_UNORM);
      for (unsigned round = 0; round < 12; round++) {
         bool media = round & 1;
         unsigned sharp = round % 3 == 0 ? 255 : round % 3 == 1 ? 0 : 96;
         float u = (float)(round * 3) / W, v = (float)round / H,
               du = (float)(0.4 + 0.3 * round) / W, dv = (float)(0.25 * (round + 1)) / H;
         float second = round & 4 ? 0.01f / W : 0;
         unsigned block = media ? round % 3 : 0;
         if (round == 0) {
            du = 1.0f / W;
            dv = 1.0f / H;
         }
         tables(f, sharp, true, false);
         fx_clear_payload(f);
         fx_in(f, 0)[2] = kind ? 0xe000 : 0xd000; /* red alone, or green alone */
         payload(f, media, u, v, du, dv, second, block);
         send(f, media ? MEDIA_8X8_TYPE : PS_8X8, 4, 2, 4);
         for (unsigned y = 0; y < 4; y++)
            for (unsigned x = 0; x < 16; x++) {
               float fu = u + du * (float)x + second * (float)(x * (x - 1) / 2),
                     fv = v + dv * (float)(y + 4 * block);
               double at_u = fu * W, at_v = fv * H;
               if ((fabs(at_u * 256 - floor(at_u * 256) - 0.5) < 1e-2 ||
                    fabs(at_v * 256 - floor(at_v * 256) - 0.5) < 1e-2) &&
                   round)
                  continue; /* hangs on the last bit */
               if (!round) {
                  at_u = x;
                  at_v = y;
               }
               double want = scaled(p, kind, at_u, at_v, sharp), got = word(f, y, x) / 256.0;
               if (fabs(got - want) > (sharp == 96 ? 0.6 : 0.05))
                  fail_msg("kind %u round %u pixel %u, %u: %g for %g", kind, round, x, y, got,
                           want);
               if (!round) /* whole steps pass samples on */
                  assert_int_equal(word(f, y, x), pixel(p, (int)x, (int)y) << 8);
            }
      }
   }
   assert_silent(f);
}

/* SMP-523: steep edges turn smooth, flat parts and fine texture stay sharp. */
static void
adaptive(void **state)
{
   proves("SMP-523");
   struct fx *f = *state;
   uint8_t *p = picture(f, GEN7_MEDIA_SURFACE_FORMAT_Y8_UNORM);
   for (unsigned y = 0; y < H; y++)
      for (unsigned x = 0; x < W; x++)
         p[64 * y + x] = x < 20 ? 100 : 240; /* one edge of 140: far over Max Derivative 8 */
   tables(f, 0, false, false);
   for (unsigned round = 0; round < 2; round++) {
      /* At the edge: D4 is 0 there, for the step lies on one pair; far from it all is flat. */
      float u = (round ? 15.6f : 18.6f) / W;
      fx_clear_payload(f);
      fx_in(f, 0)[2] = 0xd000;
      payload(f, true, u, 8.0f / H, 0.1f / W, 0, 0, 0);
      send(f, MEDIA_8X8_TYPE, 4, 2, 4);
      for (unsigned x = 0; x < 8; x++) {
         double at = u * W + 0.1 * x;
         /* The pair in the middle is the edge for 19 <= at < 20. */
         if (at > 19.05 && at < 19.95) {
            int d34 = 140, d4 = d34; /* |d23 - d34| and |d45 - d34| are both 140 */
            int alpha = (d4 - 20) << 3;
            alpha = alpha > 255 ? 255 : alpha;
            double want = scaled(p, 0, at, 8, alpha);
            if (fabs(word(f, 0, x) / 256.0 - want) > 0.6)
               fail_msg("at %g: %g for %g", at, word(f, 0, x) / 256.0, want);
         } else if (at > 17.05 && at < 17.95) { /* the edge is in the eight, not in the four */
            double want = scaled(p, 0, at, 8, 0);
            if (fabs(word(f, 0, x) / 256.0 - want) > 0.6)
               fail_msg("at %g: %g for %g", at, word(f, 0, x) / 256.0, want);
         }
      }
   }
   assert_silent(f);
}

/* SMP-524, SMP-526: the 5x5 detail filter behind the scaler, for luma, unless it is bypassed. */
static void
detail(void **state)
{
   proves("SMP-524", "SMP-526");
   struct fx *f = *state;
   uint8_t *p = picture(f, GEN7_MEDIA_SURFACE_FORMAT_Y8_UNORM);
   unsigned changed = 0;
   for (unsigned i = 0; i < 64 * H; i++) /* little contrast, which the filter is for */
      p[i] = (uint8_t)(100 + p[i] % 12);
   tables(f, 0, true, true); /* whole steps: the scaler passes samples on */
   *fx_dw(f, RIG_SAMPLERS + 16 * 4 + 12) = 0x753a03c6; /* weights 7, 5 and 3 */
   surface_cache_invalidate(f->dev->surfaces);
   fx_clear_payload(f);
   fx_in(f, 0)[2] = 0xd000;
   payload(f, true, 4.0f / W, 4.0f / H, 1.0f / W, 1.0f / H, 0, 0);
   send(f, MEDIA_8X8_TYPE, 4, 2, 4);
   for (int y = 0; y < 4; y++)
      for (int x = 0; x < 16; x++) {
         int cx = 4 + x, cy = 4 + y, low = 255, high = 0, sum = 0;
         int c = pixel(p, cx, cy);
#define AT(i, j) pixel(p, cx + (i), cy + (j))
         for (int j = -1; j <= 1; j++)
            for (int i = -1; i <= 1; i++) {
               low = AT(i, j) < low ? AT(i, j) : low;
               high = AT(i, j) > high ? AT(i, j) : high;
            }
         for (int j = -2; j <= 2; j += 2)
            for (int i = -2; i <= 2; i += 2)
               sum += i || j ? AT(i, j) : 0;
         int eh = AT(1, -1) + 2 * AT(1, 0) + AT(1, 1) - AT(-1, -1) - 2 * AT(-1, 0) - AT(-1, 1);
         int ev = AT(-1, 1) + 2 * AT(0, 1) + AT(1, 1) - AT(-1, -1) - 2 * AT(0, -1) - AT(1, -1);
         int edge = (abs(eh) + abs(ev) + 4) / 8;
         edge = edge > 15 ? 15 : edge;
         int weight = edge > 8 ? 7 : edge > 1 ? 5 : 3;
         int sigma = 8 * c - sum;
         sigma = sigma < -32 ? -32 : sigma > 31 ? 31 : sigma;
         int span = 8 + high - low > 255 ? 255 : 8 + high - low;
         int want = c + (sigma * 40 * weight + 64) / (128 * span);
         want = want < 0 ? 0 : want > 255 ? 255 : want;
         assert_int_equal(word(f, (unsigned)y, (unsigned)x), want << 8);
         changed += want != c;
      }
   assert_true(changed > 10);
   assert_silent(f);
}

/* Chroma pairs: the first byte in red, the second in blue; masked channels leave no register. */
static void
chroma_pairs(void **state)
{
   proves("SMP-172", "SMP-483", "SMP-487", "SMP-490");
   struct fx *f = *state;
   const uint8_t *p = picture(f, GEN7_MEDIA_SURFACE_FORMAT_Y8_UNORM);
   uint32_t dw[8] = {FX_DATA, (H - 1) << 18 | (32 - 1) << 4,
                     GEN7_MEDIA_SURFACE_FORMAT_R8B8_UNORM << 28 | (64 - 1) << 3};
   fx_surface_dw(f, 1, dw);
   tables(f, 0, true, false);
   fx_clear_payload(f);
   fx_in(f, 0)[2] = 0xa000;
   payload(f, true, 0, 0, 1.0f / 32, 1.0f / H, 0, 1);
   send(f, MEDIA_8X8_TYPE, 4, 2, 8);
   assert_silent(f);
   for (unsigned y = 0; y < 4; y++)
      for (unsigned x = 0; x < 16; x++) {
         assert_int_equal(word(f, y, x), p[64 * (y + 4) + 2 * x] << 8);
         assert_int_equal(word(f, 4 + y, x), p[64 * (y + 4) + 2 * x + 1] << 8);
      }
   send(f, MEDIA_8X8_TYPE, 4, 2, 4);
   assert_rule(f, "SMP-487");
   fx_in(f, 0)[2] = 0x5000; /* green and alpha, which are not there: 0 and 1 */
   send(f, MEDIA_8X8_TYPE, 4, 2, 8);
   for (unsigned y = 0; y < 4; y++)
      for (unsigned x = 0; x < 16; x++) {
         assert_int_equal(word(f, y, x), 0);
         assert_int_equal(word(f, 4 + y, x), 0xff00);
      }
   assert_silent(f);
}

static void
rules(void **state)
{
   proves("SMP-211", "SMP-212", "SMP-213", "SMP-297", "SMP-484");
   struct fx *f = *state;
   picture(f, GEN7_MEDIA_SURFACE_FORMAT_Y8_UNORM);
   tables(f, 0, true, false);
   fx_clear_payload(f);
   fx_in(f, 0)[2] = 0xd000;
   payload(f, true, 0, 0, 1.0f / W, 1.0f / H, 0, 0);
   send(f, MEDIA_8X8_TYPE, 4, 2, 4);
   assert_silent(f);
   for (unsigned index = 5; index < 8; index++) {
      send(f, MEDIA_8X8_TYPE, index, 2, 4);
      assert_rule(f, "SMP-211");
   }
   send(f, MEDIA_8X8_TYPE, 8, 2, 4);
   assert_false(fx_said(f, "SMP-211"));
   f->rule_count = 0;
   send(f, MEDIA_8X8_TYPE, 4, 2, 0);
   assert_rule(f, "SMP-213");
   payload(f, true, 0, 0, 16.0f / W, 1.0f / H, 0, 0);
   send(f, MEDIA_8X8_TYPE, 4, 2, 4);
   assert_rule(f, "SMP-484");
   send(f, 1, 0, 2, 4); /* sample_unorm_RG of older parts */
   assert_rule(f, "SMP-231");
   send(f, FLUSH, 0, 2, 0);
   assert_silent(f);
}

/* Coefficients have a range by their tap; all states share one table until an invalidation. */
static void
table_rules(void **state)
{
   proves("SMP-383", "SMP-384");
   struct fx *f = *state;
   static const struct {
      unsigned table, tap;
      int good, bad;
   } list[] = {{0, 0, 15, 16},   {0, 0, -16, -17}, {0, 7, -16, 16},  {0, 1, 31, 32},
               {0, 6, -32, -33}, {0, 2, 63, 64},   {0, 5, -64, -65}, {1, 2, -64, 64},
               {1, 5, 63, -65},  {1, 3, 127, -1},  {1, 4, 0, -128}};
   picture(f, GEN7_MEDIA_SURFACE_FORMAT_Y8_UNORM);
   for (unsigned i = 0; i < sizeof(list) / sizeof(list[0]); i++)
      for (unsigned bad = 0; bad < 2; bad++) {
         unsigned n = (7 * i + 3) % 17, direction = i & 1;
         tables(f, 0, true, false);
         fx_clear_payload(f);
         fx_in(f, 0)[2] = 0xd000;
         payload(f, true, 0, 0, 1.0f / W, 1.0f / H, 0, 0);
         *fx_at(f, RIG_SAMPLERS + TABLES +
                       4 * (8 * n + 4 * list[i].table + 2 * direction + list[i].tap / 4) +
                       list[i].tap % 4) = (uint8_t)(bad ? list[i].bad : list[i].good);
         send(f, MEDIA_8X8_TYPE, 4, 2, 4);
         if (bad)
            assert_rule(f, "SMP-383");
         assert_silent(f);
      }
   /* Dword 4: bit 15 is for any surface, bit 14, RGB Adaptive, for RGB alone. */
   tables(f, 0, true, false);
   *fx_dw(f, RIG_SAMPLERS + TABLES + 16) |= 1u << 15;
   send(f, MEDIA_8X8_TYPE, 4, 2, 4);
   assert_silent(f);
   *fx_dw(f, RIG_SAMPLERS + TABLES + 16) |= 1u << 14;
   send(f, MEDIA_8X8_TYPE, 4, 2, 4);
   assert_rule(f, "SMP-383");
   uint32_t dw[8] = {FX_DATA, (H - 1) << 18 | (16 - 1) << 4,
                     GEN7_MEDIA_SURFACE_FORMAT_R8G8B8A8_UNORM << 28 | (64 - 1) << 3};
   fx_surface_dw(f, 1, dw);
   send(f, MEDIA_8X8_TYPE, 4, 2, 4);
   assert_rule(f, "SMP-383"); /* taps 0 and 1 are not 0 */
   for (unsigned n = 0; n < 17; n++)
      *fx_dw(f, RIG_SAMPLERS + TABLES + 32 * n) &= 0xffff0000;
   send(f, MEDIA_8X8_TYPE, 4, 2, 4);
   assert_silent(f);
   /* Another table. */
   memcpy(fx_at(f, RIG_SAMPLERS + 2 * TABLES), fx_at(f, RIG_SAMPLERS + TABLES), 138 * 4);
   *fx_dw(f, RIG_SAMPLERS + 16 * 4 + 4) = 2 * TABLES;
   send(f, MEDIA_8X8_TYPE, 4, 2, 4);
   assert_rule(f, "SMP-384");
   send(f, MEDIA_8X8_TYPE, 4, 2, 4);
   assert_silent(f);
   *fx_dw(f, RIG_SAMPLERS + 16 * 4 + 4) = TABLES;
   surface_cache_invalidate(f->dev->surfaces);
   send(f, MEDIA_8X8_TYPE, 4, 2, 4);
   assert_silent(f);
}

/* SMP-382: whether an edge of red alone turns the filter smooth, which green does not see. */
static void
rgb_adaptive(void **state)
{
   proves("SMP-382", "SMP-523");
   struct fx *f = *state;
   uint8_t red[64 * H];
   uint32_t dw[8] = {FX_DATA, (H - 1) << 18 | (16 - 1) << 4,
                     GEN7_MEDIA_SURFACE_FORMAT_R8G8B8A8_UNORM << 28 | (64 - 1) << 3};
   fx_surface_dw(f, 1, dw);
   for (unsigned y = 0; y < H; y++)
      for (unsigned x = 0; x < 64; x++) {
         red[64 * y + x] = x < 8 ? 240 : 0;
         if (x < 16)
            *fx_dw(f, FX_DATA + 64 * y + 4 * x) = 0x80400000u | 0x5000 | red[64 * y + x];
      }
   for (unsigned all = 0; all < 2; all++) {
      tables(f, 0, false, false);
      for (unsigned n = 0; n < 17; n++)
         *fx_dw(f, RIG_SAMPLERS + TABLES + 32 * n) &= 0xffff0000;
      *fx_dw(f, RIG_SAMPLERS + TABLES + 16) |= 1u << 15 | all << 14;
      fx_clear_payload(f);
      fx_in(f, 0)[2] = 0xe000; /* red alone */
      payload(f, true, 6.2f / 16, 8.0f / H, 0.1f / 16, 0, 0, 0);
      send(f, MEDIA_8X8_TYPE, 4, 2, 4);
      for (unsigned x = 0; x < 7; x++) {
         double at = 6.2 + 0.1 * x, want = scaled(red, 1, at, 8, all ? 0 : 255);
         if (fabs(word(f, 0, x) / 256.0 - want) > 0.6)
            fail_msg("at %g: %g for %g", at, word(f, 0, x) / 256.0, want);
      }
      assert_int_equal(word(f, 0, 3) >> 8 > 241, !all); /* sharp overshoots */
   }
   assert_silent(f);
}

/* What matches the chroma key is black before it is filtered, and no pixel is killed. */
static void
keyed(void **state)
{
   proves("SMP-080", "SMP-085", "SMP-384");
   struct fx *f = *state;
   tables(f, 0, true, false);
   *fx_dw(f, RIG_SAMPLERS + 16 * 4) |= 1u << 18 | 2u << 16;
   f->dev->surfaces->sampler.chroma_key[2].low = 0x00201000;
   f->dev->surfaces->sampler.chroma_key[2].high = 0xff40ffff;
   uint32_t dw[8] = {FX_DATA, (H - 1) << 18 | (16 - 1) << 4,
                     GEN7_MEDIA_SURFACE_FORMAT_R8G8B8A8_UNORM << 28 | (64 - 1) << 3};
   picture(f, GEN7_MEDIA_SURFACE_FORMAT_Y8_UNORM);
   fx_surface_dw(f, 1, dw);
   for (unsigned n = 0; n < 17; n++)
      *fx_dw(f, RIG_SAMPLERS + TABLES + 32 * n) &= 0xffff0000;
   for (unsigned i = 0; i < 16 * H; i++) /* red around the key's range, green sometimes below it */
      *fx_dw(f, FX_DATA + 4 * i) = 0x80c00000u | (i % 7 + 13) << 8 | (0x1e + i % 5 * 9);
   surface_cache_invalidate(f->dev->surfaces);
   fx_clear_payload(f);
   payload(f, true, 0, 0, 1.0f / 16, 1.0f / H, 0, 1);
   send(f, MEDIA_8X8_TYPE, 4, 2, 16);
   unsigned black = 0;
   for (unsigned y = 0; y < 4; y++)
      for (unsigned x = 0; x < 16; x++) {
         uint32_t v = *fx_dw(f, FX_DATA + 64 * (y + 4) + 4 * x), red = v & 255,
                  green = v >> 8 & 255;
         bool match = red >= 0x20 && red <= 0x40 && green >= 0x10;
         black += match;
         for (unsigned c = 0; c < 4; c++)
            assert_int_equal(word(f, 4 * c + y, x), match ? 0 : (v >> 8 * c & 255) << 8);
      }
   assert_true(black > 5 && black < 60);
   /* Packed YUV: black is 16 of luma and 128 of chroma. */
   uint32_t yuv[8] = {FX_DATA, (H - 1) << 18 | (16 - 1) << 4,
                      GEN7_MEDIA_SURFACE_FORMAT_YCRCB_NORMAL << 28 | (64 - 1) << 3};
   fx_surface_dw(f, 1, yuv);
   for (unsigned i = 0; i < 16 * H; i++) /* Y0 Cb Y1 Cr, from the lowest byte on */
      *fx_dw(f, FX_DATA + 4 * i) = 0x30u << 24 | (i % 3 ? 0x90u : 0x08u) << 16 | 0x55u << 8 | 0x20;
   send(f, MEDIA_8X8_TYPE, 4, 2, 16);
   for (unsigned y = 0; y < 4; y++)
      for (unsigned x = 0; x < 16; x++) {
         uint32_t v = *fx_dw(f, FX_DATA + 64 * (y + 4) + 4 * (x / 2));
         uint32_t luma = x & 1 ? v >> 16 & 255 : v & 255;
         assert_int_equal(word(f, 4 + y, x), (luma >= 0x10 ? 0x10 : luma) << 8);
      }
   assert_silent(f);
}

/* ---- sample_unorm ---------------------------------------------------------------------------- */

/* The order of words and of kill bits, as the rows list them. */
static const uint8_t word_pixels[16] = {0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 6, 7, 12, 13, 14, 15};
static const uint8_t kill_bits[4][8] = {{0, 1, 4, 5, 16, 17, 20, 21},
                                        {2, 3, 6, 7, 18, 19, 22, 23},
                                        {8, 9, 12, 13, 24, 25, 28, 29},
                                        {10, 11, 14, 15, 26, 27, 30, 31}};

static void
unorm(void **state)
{
   proves("SMP-292", "SMP-293", "SMP-294", "SMP-295", "SMP-296", "SMP-488", "SMP-489");
   struct fx *f = *state;
   struct hw_render_surface_state s = rig_2d(GEN7_SURFACE_FORMAT_B8G8R8A8_UNORM, 16, 8, 64);
   struct hw_sampler_state st = {.chromakey_enable = true,
                                 .tcx_address_control_mode = GEN7_TEXTURE_COORDINATE_MODE_CLAMP,
                                 .tcy_address_control_mode = GEN7_TEXTURE_COORDINATE_MODE_CLAMP,
                                 .tcz_address_control_mode = GEN7_TEXTURE_COORDINATE_MODE_CLAMP};
   for (unsigned y = 0; y < 8; y++)
      for (unsigned x = 0; x < 16; x++)
         *fx_dw(f, FX_DATA + 64 * y + 4 * x) = 0xff000000 | x << 16 | y << 8 | (16 * y + x);
   f->dev->surfaces->sampler.chroma_key[0].low = 0x00030000; /* red 3 to 5, any other */
   f->dev->surfaces->sampler.chroma_key[0].high = 0xff05ffff;
   fx_surface(f, 1, &s);
   rig_sampler(f, 0, &st);
   fx_clear_payload(f);
   payload(f, false, 2.5f / 16, 1.5f / 8, 1.0f / 16, 1.0f / 8, 0, 0);
   send(f, UNORM_KILL, 0, 2, 9);
   assert_silent(f);
   uint32_t alive = 0xffffffff;
   for (unsigned y = 0; y < 4; y++)
      for (unsigned x = 3; x <= 5; x++)
         alive &= ~(1u << kill_bits[y][x - 2]);
   assert_int_equal(fx_out(f, 8)[0], alive);
   for (unsigned half = 0; half < 2; half++)
      for (unsigned n = 0; n < 16; n++) {
         unsigned p = 16 * half + word_pixels[n], x = 2 + p % 8, y = 1 + p / 8;
         assert_int_equal(word(f, half, n), x << 8);
         assert_int_equal(word(f, 2 + half, n), y << 8);
         assert_int_equal(word(f, 4 + half, n), (16 * y + x) << 8);
         assert_int_equal(word(f, 6 + half, n), 0xff00);
      }
   payload(f, false, 0, 0, 4.0f / 16, 0, 0, 0);
   send(f, UNORM, 0, 2, 8);
   assert_rule(f, "SMP-295");
   payload(f, false, 0, 0, 0, 0, 0, 0);
   st.mip_mode_filter = 1;
   rig_sampler(f, 0, &st);
   send(f, UNORM, 0, 2, 8);
   assert_rule(f, "SMP-294");
   st.mip_mode_filter = 0;
   rig_sampler(f, 0, &st);
   s.surface_format = GEN7_SURFACE_FORMAT_R16_UNORM;
   fx_surface(f, 1, &s);
   send(f, UNORM, 0, 2, 8);
   assert_rule(f, "SMP-293");
}

int
main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, rig_setup, fx_teardown)
   const struct CMUnitTest tests[] = {CASE(scaler),       CASE(adaptive),     CASE(detail),
                                      CASE(chroma_pairs), CASE(rules),        CASE(table_rules),
                                      CASE(keyed),        CASE(rgb_adaptive), CASE(unorm)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
