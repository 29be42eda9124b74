#include "tests/vme/generator.h"

#include <string.h>

static uint32_t
draw(struct generator *g)
{
   uint64_t z = g->state += 0x9e3779b97f4a7c15u;
   z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
   z = (z ^ z >> 27) * 0x94d049bb133111ebu;
   return (uint32_t)((z ^ z >> 31) >> 16);
}

/* 0 to n - 1 */
static int
below(struct generator *g, int n)
{
   return (int)(draw(g) % (uint32_t)n);
}

static int
between(struct generator *g, int low, int high)
{
   return low + below(g, high - low + 1);
}

static bool
chance(struct generator *g, int percent)
{
   return below(g, 100) < percent;
}

void
generate_begin(struct generator *g, uint64_t seed)
{
   memset(g, 0, sizeof(*g));
   g->state = seed;
}

/* Waves and a few edges; the same place always has the same brightness. */
static int
scene(uint32_t salt, int x, int y)
{
   int v = 128;
   for (int i = 0; i < 3; i++) {
      int period = 9 + (int)(salt >> (5 * i) & 31), slope = (int)(salt >> (3 * i + 9) & 7) - 3;
      int phase = (x + slope * y / 2 + 4096) % period;
      v += (phase * 2 < period ? phase : period - phase) * (40 - 10 * i) / period;
   }
   if (((x >> 4) * 7 + (y >> 4) * 13 + (int)(salt & 15)) % 5 == 0)
      v -= 60;
   return v;
}

static int
opposite(uint32_t salt, uint32_t x, uint32_t y)
{
   if (((x >> 3) * 5 + (y >> 3) * 3 + (salt & 7)) % 4 == 0)
      return 0;
   return (int)((x * 7 + y * 13 + (x * y + salt) % 11) % 23);
}

static uint8_t
byte(int v)
{
   return (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
}

static void
paint(struct generator *g, int p, int kind, uint32_t salt)
{
   int dx = p ? between(g, -9, 9) : 0, dy = p ? between(g, -7, 7) : 0, noise = below(g, 5);
   bool between_pixels = p && chance(g, 50);
   for (uint32_t y = 0; y < g->height[p]; y++)
      for (uint32_t x = 0; x < g->width[p]; x++) {
         int sx = (int)x + dx, sy = (int)y + dy, v;
         switch (kind) {
         case 0: /* noise of all values */
            v = below(g, 256);
            break;
         case 1: /* natural: a moved scene, half-way between pixels at times */
            v = scene(salt, sx, sy);
            if (between_pixels)
               v = (v + scene(salt, sx + 1, sy) + 1) / 2;
            v += noise ? below(g, 2 * noise + 1) - noise : 0;
            break;
         case 2: /* the two extremes */
            v = below(g, 2) * 255;
            break;
         case 3: /* almost flat: many equal costs */
            v = 100 + (below(g, 12) == 0);
            break;
         case 4: /* opposite extremes: the largest distortions */
            v = p ? 255 : 0;
            break;
         case 5: /* stripes */
            v = (sx >> 2 & 1) * 200 + (sy >> 3 & 1) * 55;
            break;
         case 6: /* a bright square on black */
            v = sx > 40 && sx < 62 && sy > 30 && sy < 50 ? 235 : 16;
            break;
         default: /* the references err in opposite directions, here and there only: both of them
                     together are the best prediction */
            v = scene(salt, (int)x, (int)y) + opposite(salt, x, y) * (p == 0 ? 0 : 2 * p - 3);
            break;
         }
         g->pixels[p][y * g->width[p] + x] = byte(v);
      }
}

void
generate_content(struct generator *g)
{
   static const int kinds[12] = {0, 1, 1, 1, 2, 3, 4, 5, 6, 7, 7, 7};
   int kind = kinds[below(g, 12)];
   uint32_t salt = draw(g);
   for (int p = 0; p < 3; p++) {
      g->width[p] = 64 + 4 * (uint32_t)below(g, 33);
      g->height[p] = 64 + 2 * (uint32_t)below(g, 49);
      paint(g, p, chance(g, 5) ? 1 : kind, salt);
   }
}

/* A cost or threshold byte: base and shift. */
static uint32_t
u4u4(struct generator *g, int highest_shift)
{
   return (uint32_t)(below(g, 16) | between(g, 0, highest_shift) << 4);
}

/* Small ones too, that a distortion may be equal to. */
static uint32_t
threshold(struct generator *g)
{
   return chance(g, 35) ? (uint32_t)below(g, chance(g, 50) ? 3 : 16) : u4u4(g, 10);
}

static uint32_t
pair(int x, int y)
{
   return ((uint32_t)x & 0xffff) | (uint32_t)y << 16;
}

static void
fill_costs(struct generator *g, uint8_t state[128])
{
   int most = chance(g, 30) ? -1 : between(g, 1, 6); /* -1: no costs */
   for (int set = 0; set < 4; set++) {
      uint8_t *high = state + 56 + 2 * set, *low = state + 64 + 16 * set;
      if (most < 0)
         continue;
      high[0] = (uint8_t)u4u4(g, most + 2);
      high[1] = (uint8_t)(u4u4(g, most) | (chance(g, 50) ? 0x80 : 0));
      for (int i = 0; i < 8; i++)
         low[i] = (uint8_t)u4u4(g, i >= 1 && i <= 4 ? most + 2 : most);
      int wide = chance(g, 20) ? 6 : between(g, 0, 3);
      for (int i = 0; i < 8; i++)
         low[8 + i] = (uint8_t)u4u4(g, wide);
   }
}

struct layout {
   int w, h; /* source */
   int win_w, win_h;
   unsigned ctrl;
   bool field;
};

/* VME-165: ends with (0,0); with two paths in one array both end. */
static void
fill_path(struct generator *g, const struct layout *l, uint8_t state[128])
{
   int count = chance(g, 30) ? between(g, 40, 54) : between(g, 1, 20);
   int columns = (l->win_w - l->w + 3) / 4, at = 0;
   bool serpentine = chance(g, 40);
   for (int i = count + 2; i < 56; i++) /* not looked at */
      state[i] = (uint8_t)below(g, 256);
   for (int i = 0; i < count; i++) {
      int dx = between(g, -2, 2), dy = between(g, -2, 2);
      if (serpentine) {
         bool turn = ++at % columns == 0;
         dx = turn ? 0 : at / columns % 2 ? -1 : 1;
         dy = turn ? 1 : 0;
      } else if (chance(g, 10)) {
         dx = between(g, -8, 7);
         dy = between(g, -8, 7);
      }
      if (!dx && !dy)
         dx = 1;
      state[i] = (uint8_t)((dx & 15) | (dy & 15) << 4);
   }
}

static void
fill_m0(struct generator *g, unsigned features, struct layout *l, uint32_t m[8],
        const struct vme_request *q)
{
   static const unsigned ctrls[6] = {0, 0, 1, 3, 7, 7};
   static const unsigned sub_pel[4] = {0, 1, 3, 3};
   unsigned size = features & (GENERATE_INTRA | GENERATE_SKIP) ? 0 : (unsigned)below(g, 5);
   size = size == 3 ? 1 : size == 4 ? 3 : 0;
   l->w = size == 3 ? 8 : 16;
   l->h = size ? 8 : 16;
   l->ctrl = features & GENERATE_BIDIRECTIONAL && chance(g, 80) ? 7 : ctrls[below(g, 6)];
   l->field = chance(g, 25);
   /* Where all pictures have something, so that a window near it is not wholly outside (VME-206).
    */
   int columns = (int)q->source.width, lines = (int)q->source.height;
   for (int r = 0; r < 2; r++) {
      columns = (int)q->reference[r].width < columns ? (int)q->reference[r].width : columns;
      lines = (int)q->reference[r].height < lines ? (int)q->reference[r].height : lines;
   }
   lines /= l->field ? 2 : 1;
   int x = below(g, columns - l->w + 1), y = below(g, lines - l->h + 1);
   do {
      l->win_w = 4 * between(g, 5, 16);
      l->win_h = 4 * between(g, 5, 16);
   } while (l->win_w * l->win_h * (l->ctrl == 7 ? 2 : 1) > 2048);
   for (int r = 0; r < 2; r++) {
      int rx, ry, px, py;
      do {
         rx = between(g, -(l->win_w - l->w) - 4, 4);
         ry = between(g, -(l->win_h - l->h) - 4, 4);
         if (chance(g, 8)) {
            rx = between(g, -70, 70);
            ry = between(g, -60, 60);
         }
         ry += (y + ry) & 1; /* VME-242 */
         px = x + rx;
         py = y + ry;
      } while (px >= (int)q->reference[r].width || px + l->win_w <= 0 || py + l->win_h <= 0 ||
               py >= (int)q->reference[r].height / (l->field ? 2 : 1));
      m[r] = pair(rx, ry);
   }
   if (l->ctrl == 3)
      m[1] = m[0];
   m[2] = pair(x, y);
   m[3] = size | (uint32_t)below(g, 3) << 4 | (l->field ? 3u << 6 : 0) | l->ctrl << 8;
   m[3] |= chance(g, 50) ? 1u << 11 : 0;
   m[3] |= features & GENERATE_FRACTIONAL ? sub_pel[below(g, 4)] << 12 : 0;
   m[3] |= !size && chance(g, 60) ? 1u << 14 : 0; /* VME-222 */
   m[3] |= (uint32_t)below(g, 8) << 15;           /* fetch and cache hints: no effect */
   m[3] |= chance(g, 30) ? 1u << 19 : 0;
   m[3] |= chance(g, 30) ? 2u << 20 : 0;
   m[3] |= chance(g, 30) ? 2u << 22 : 0;
   uint32_t mask = chance(g, 30) ? 0 : (uint32_t)below(g, 128);
   if (size == 1 && (mask & 0x7a) == 0x7a)
      mask &= ~2u;
   if (size == 3 && (mask & 0x78) == 0x78)
      mask &= ~8u;
   if (mask == 0x7f && !(features & GENERATE_SKIP))
      mask = 0x7e;
   m[3] |= mask << 24;
   m[5] = (uint32_t)below(g, 256) | (uint32_t)l->win_w << 16 | (uint32_t)l->win_h << 24;
}

/* VME-285: what SubMbPartMask disables has no bidirectional form either. */
static uint32_t
no_both_directions(uint32_t mask)
{
   return (mask & 1) | ((mask & 6) == 6 ? 2u : 0) | (mask & 8 ? 4u : 0) |
          ((mask & 0x70) == 0x70 ? 8u : 0);
}

static void
fill_m1(struct generator *g, unsigned features, const struct layout *l, struct vme_request *q)
{
   static const unsigned weights[5] = {16, 21, 32, 43, 48};
   static const int limits[8] = {32, 32, 16, 8, 4, 2, 1, 3};
   uint32_t *m = q->in[1];
   bool skip = features & GENERATE_SKIP && chance(g, 85);
   bool exits = features & GENERATE_EXITS;
   bool bi = features & GENERATE_BIDIRECTIONAL;
   bool four = q->in[0][3] >> 14 & 1;
   bool adaptive = chance(g, 50);
   m[0] = (skip ? 1u : 0) | (adaptive ? 2u : 0) | (bi && chance(g, 25) ? 4u : 0);
   m[0] |= l->w == 16 && l->h == 16 && chance(g, 50) ? 8u : 0;
   m[0] |= exits ? (uint32_t)below(g, 8) << 4 : 0;
   m[0] |= chance(g, 40) ? 1u << 7 : 0;
   m[0] |= threshold(g) << 8 | threshold(g) << 16 | threshold(g) << 24;

   unsigned centers = (unsigned)below(g, 256);
   int count = 0;
   for (int k = 0; k < 4; k++) {
      if (!(centers >> (2 * k) & 3))
         centers |= 1u << (2 * k);
      if (k == 0 || four)
         count += (int)(centers >> (2 * k) & 1) + (int)(centers >> (2 * k + 1) & 1);
   }
   int limit = chance(g, 60) ? limits[below(g, 8)] : between(g, 1, 20);
   if (skip && limit < count)
      limit = chance(g, 10) ? 0 : chance(g, 40) ? count : between(g, count, 32);
   m[1] = (uint32_t)limit | weights[below(g, 5)] << 16;
   m[1] |= (bi ? (chance(g, 60) ? 0u : (uint32_t)below(g, 16)) : 15u) << 24;
   m[1] |= no_both_directions(q->in[0][3] >> 24 & 127) << 24;
   if ((m[0] >> 4 & 3) == 3)
      q->in[0][3] &= ~(1u << 24); /* VME-290: EarlyImeStop looks at 16x16 */
   if (l->ctrl == 7) {
      m[1] |= chance(g, 20) ? 1u << 28 : 0;
      m[1] |= (bi || features & GENERATE_FRACTIONAL) && chance(g, 30) ? 1u << 30 : 0;
   }
   m[1] |= chance(g, 40) ? 1u << 29 : 0;
   m[1] |= features & GENERATE_FRACTIONAL && chance(g, 40) ? 1u << 31 : 0;

   int len = between(g, adaptive ? 2 : 1, chance(g, 50) ? 63 : 8);
   int max = chance(g, 50) ? between(g, len, 63) : between(g, 1, 63);
   m[2] = (uint32_t)len | (uint32_t)max << 8;
   for (int r = 0; r < 2; r++) {
      uint32_t sx = (uint32_t)below(g, (l->win_w - l->w + 3) / 4);
      uint32_t sy = (uint32_t)below(g, (l->win_h - l->h + 3) / 4);
      m[2] |= sx << (16 + 8 * r) | sy << (20 + 8 * r);
      int cx = (int16_t)q->in[0][r] * 4, cy = (int16_t)(q->in[0][r] >> 16) * 4;
      m[4 + r] = chance(g, 20) ? pair(between(g, -900, 900), between(g, -900, 900))
                               : pair(cx + between(g, -30, 190), cy + between(g, -30, 190));
   }
   m[3] =
       u4u4(g, 7) | u4u4(g, chance(g, 50) ? 10 : 5) << 8 | threshold(g) << 16 | threshold(g) << 24;
   m[7] = (uint32_t)below(g, 8); /* IntraPartMask */
   if ((m[7] & 7) == 7)
      m[7] = 0;
   m[7] |= (uint32_t)below(g, 8) << 5;
   m[7] |= ((uint32_t)below(g, 8) << 2 | (chance(g, 70) ? 0x60u : 0)) << 8;
   m[7] |= (uint32_t)below(g, 64) << 16 | centers << 24;
}

static void
fill_skip(struct generator *g, uint32_t m[8])
{
   for (int i = 0; i < 8; i++)
      m[i] = chance(g, 25)   ? 0
             : chance(g, 10) ? pair(between(g, -2000, 2000), between(g, -2000, 2000))
             : chance(g, 30) ? pair(4 * between(g, -10, 10), 4 * between(g, -10, 10))
                             : pair(between(g, -50, 50), between(g, -50, 50));
}

/* Neighbours as the picture has them, or noise. */
static void
fill_intra(struct generator *g, struct vme_request *q)
{
   uint8_t above[24], left[16], corner = (uint8_t)below(g, 256);
   int x0 = (int)(q->in[0][2] & 0xffff), y0 = (int)(q->in[0][2] >> 16);
   bool noise = chance(g, 30);
   for (int i = 0; i < 24; i++)
      above[i] = (uint8_t)below(g, 256);
   for (int i = 0; i < 16; i++)
      left[i] = (uint8_t)below(g, 256);
   if (!noise && x0 > 0 && y0 > 0) {
      const struct vme_picture *p = &q->source;
      for (int i = 0; i < 24 && x0 + i < (int)p->width; i++)
         above[i] = p->pixels[(size_t)(y0 - 1) * p->width + (size_t)(x0 + i)];
      for (int i = 0; i < 16; i++)
         left[i] = p->pixels[(size_t)(y0 + i) * p->width + (size_t)(x0 - 1)];
      corner = p->pixels[(size_t)(y0 - 1) * p->width + (size_t)(x0 - 1)];
   }
   uint32_t *m = q->in[3];
   bool swap = q->in[1][7] >> 7 & 1;
   if (chance(g, 40)) {
      m[0] = (uint32_t)below(g, 512) | (uint32_t)below(g, 512) << 16;
      m[1] = (uint32_t)below(g, 16);
   }
   m[1] |= (uint32_t)(swap ? left[15] : corner) << 24;
   memcpy(&m[2], above, 24);
   m = q->in[4];
   memcpy(m, left, 16);
   m[3] = (m[3] & 0xffffff) | (uint32_t)(swap ? corner : left[15]) << 24;
   for (int i = 0; i < 8; i++)
      m[4] |= (uint32_t)below(g, 9) << (4 * i);
}

static void
fill_streams(struct generator *g, struct vme_request *q)
{
   int highest = chance(g, 30) ? 0x3fff : chance(g, 50) ? 3000 : 300;
   for (int p = 0; p < 4; p += 2) {
      for (int i = 0; i < 4; i++)
         q->in[5 + p][i] = (uint32_t)below(g, highest + 1) | (uint32_t)below(g, highest + 1) << 16;
      q->in[5 + p][4] = (uint32_t)below(g, highest + 1);
      q->in[5 + p][5] = pair(between(g, -300, 300), between(g, -300, 300));
      for (int i = 0; i < 8; i++)
         q->in[6 + p][i] = pair(between(g, -300, 300), between(g, -300, 300));
      if (chance(g, 15))
         memset(q->in[5 + p], 0xff, 16);
      for (int i = 0; i < 4 && chance(g, 60); i++) /* VME-375: above the values, ignored */
         q->in[5 + p][i] |= i < 2 ? 0x80008000u : 0xc000c000u;
   }
}

/* Reserved codes and values out of range, each with an outcome that was decided. */
static void
fill_illegal(struct generator *g, struct vme_request *q)
{
   uint32_t *m0 = q->in[0], *m1 = q->in[1];
   switch (below(g, 12)) {
   case 0:
      m0[3] = (m0[3] & ~0x700u) | (uint32_t)below(g, 8) << 8;
      break;
   case 1:
      m0[3] = (m0[3] & ~0x3000u) | 2u << 12;
      break;
   case 2:
      m0[3] |= 3u << 4;
      break;
   case 3:
      m0[3] |= 5u << 20;
      break;
   case 4:
      m0[5] = (m0[5] & 0xffff) | (uint32_t)below(g, 0x10000) << 16;
      break;
   case 5:
      m1[2] &= chance(g, 50) ? 0xffffff00u : 0xffff00ffu;
      break;
   case 6:
      m1[1] = (m1[1] & ~63u) | (uint32_t)below(g, 64);
      break;
   case 7:
      m1[1] = (m1[1] & ~(63u << 16)) | (uint32_t)below(g, 64) << 16;
      break;
   case 8:
      m1[2] = (m1[2] & 0xffff) | (uint32_t)below(g, 0x10000) << 16;
      break;
   case 9:
      for (int i = 56; i < 128; i++)
         q->state[i] = (uint8_t)below(g, 256);
      break;
   case 10:
      for (int i = 0; i < 56; i++)
         q->state[i] = (uint8_t)between(g, 1, 255);
      break;
   default:
      m1[7] = (m1[7] & 0xffffff) | (uint32_t)below(g, 256) << 24;
      q->in[4][4] = draw(g);
      break;
   }
}

void
generate_request(struct generator *g, unsigned features, struct vme_request *q)
{
   struct layout l;
   memset(q, 0, sizeof(*q));
   struct vme_picture *pictures[3] = {&q->source, &q->reference[0], &q->reference[1]};
   for (int p = 0; p < 3; p++)
      *pictures[p] = (struct vme_picture){g->width[p], g->height[p], g->pixels[p]};
   unsigned type = features & GENERATE_INTRA_ONLY               ? VME_TYPE_INTRA
                   : features & GENERATE_INTRA && chance(g, 80) ? VME_TYPE_BOTH
                                                                : VME_TYPE_INTER;
   /* Skip and intra need 16x16 sources: leave them out now and then when all is allowed. */
   if ((features & GENERATE_ALL) == GENERATE_ALL && chance(g, 25)) {
      features &= ~(GENERATE_SKIP | GENERATE_INTRA);
      type = VME_TYPE_INTER;
   }
   q->descriptor = VME_DESCRIPTOR(type) | (uint32_t)below(g, 4) << 11;
   fill_m0(g, features, &l, q->in[0], q);
   fill_m1(g, features, &l, q);
   fill_skip(g, q->in[2]);
   fill_intra(g, q);
   fill_path(g, &l, q->state);
   fill_costs(g, q->state);
   if (features & GENERATE_STREAMS && type != VME_TYPE_INTRA) {
      q->descriptor |= chance(g, 80) ? VME_STREAM_OUT : 0;
      q->descriptor |= chance(g, 60) ? VME_STREAM_IN : 0;
      fill_streams(g, q);
   }
   if (features & GENERATE_ILLEGAL)
      fill_illegal(g, q);
}
