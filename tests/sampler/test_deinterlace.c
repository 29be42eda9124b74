/* The deinterlace message against a second reading of its rows: whole pictures, a function a
 * definition, no blocks. */
#include "rig.h"

#define W 64
#define H 32
#define PITCH 64
#define CURRENT FX_DATA
#define PREVIOUS (FX_DATA + 0x4000u)
#define STATISTICS (FX_DATA + 0x8000u)
#define INDEX 2 /* of the sampler state */

enum layout { NV12, PACKED, PLANES_411 };

struct ref {
   struct fx *f;
   struct hw_deinterlace_sampler_state st;
   enum layout layout;
   uint8_t y[2][H][W], c[2][2][H][W]; /* [frame][Cr, Cb]: of as many as the layout has */
   uint8_t motion[H][W / 2], history[H / 4][W / 4];
   int bx, by; /* block */
};

static int
rnd(uint32_t *seed, int n)
{
   *seed = *seed * 1664525 + 1013904223;
   return (int)((*seed >> 8) % (unsigned)n);
}

/* ---- pictures -------------------------------------------------------------------------------- */

static int
line(int y, int h)
{
   while (y < 0)
      y += 2;
   while (y >= h)
      y -= 2;
   return y;
}

static int
column(int x, int w)
{
   return x < 0 ? 0 : x >= w ? w - 1 : x;
}

static int
raw(const struct ref *r, int f, int x, int y)
{
   return r->y[f][line(y, H)][column(x, W)];
}

/* ---- denoise --------------------------------------------------------------------------------- */

static int
median(int n, int *v)
{
   for (int i = 0; i < n; i++)
      for (int k = i + 1; k < n; k++)
         if (v[k] < v[i]) {
            int t = v[i];
            v[i] = v[k];
            v[k] = t;
         }
   return v[n / 2];
}

struct block {
   int stad, tasd, shcm, svcm, count, motion, history;
};

static struct block
block_of(const struct ref *r, int x, int y)
{
   struct block b = {0};
   int x0 = x - ((x % 4) + 4) % 4, y0 = y - ((y % 4) + 4) % 4, sum = 0;
   for (int k = 0; k < 16; k++) {
      int i = x0 + k % 4, j = y0 + k / 4, d = raw(r, 0, i, j) - raw(r, 1, i, j);
      b.stad += d < 0 ? -d : d;
      sum += d;
      b.count += (d < 0 ? -d : d) >= (int)r->st.temporal_difference_threshold;
      if (k % 4 != 3)
         b.shcm += abs(raw(r, 0, i, j) - raw(r, 0, i + 1, j));
      if (k / 4 != 3)
         b.svcm += abs(raw(r, 0, i, j) - raw(r, 0, i, j + 1));
   }
   b.tasd = sum < 0 ? -sum : sum;
   int old = r->history[column(y0, H) / 4][column(x0, W) / 4];
   b.motion = b.stad >= (int)r->st.denoise_stad_threshold ||
              b.count > (int)r->st.denoise_moving_pixel_threshold;
   if (b.motion) {
      b.history = old >= 128 ? old / 2 : 0;
   } else {
      b.history = old < 128 ? 128
                  : old < (int)r->st.denoise_maximum_history
                      ? old + (int)r->st.denoise_history_delta
                      : old;
      if (b.tasd > (int)r->st.denoise_asd_threshold &&
          b.shcm + b.svcm < (int)r->st.denoise_threshold_for_sum_of_complexity_measure)
         b.history = 128;
   }
   return b;
}

static void
nine(const struct ref *r, int x, int y, int v[9])
{
   int s = r->st.progressive_dn ? 1 : 2, n = 0;
   for (int j = -s; j <= s; j += s)
      for (int i = -1; i <= 1; i++)
         v[n++] = raw(r, 0, x + i, y + j);
}

static int
denoised(const struct ref *r, int x, int y)
{
   static const int by[9] = {2048, 1024, 682, 512, 409, 341, 292, 256, 227};
   static const int q[16] = {1024, 512, 341, 256, 205, 171, 146, 128,
                             114,  102, 93,  85,  79,  73,  68,  64};
   int v[9], sum = 0, good = 0, centre = raw(r, 0, x, y), prev = raw(r, 1, x, y), low = 255,
             top = 0;
   nine(r, x, y, v);
   for (int i = 0; i < 9; i++) {
      if (i == 4 || abs(v[i] - centre) < (int)r->st.good_neighbor_threshold) {
         good++;
         sum += v[i];
      }
      low = v[i] < low ? v[i] : low;
      top = v[i] > top ? v[i] : top;
   }
   int space = (sum + good / 2) * by[good - 1] / 2048, diff = abs(centre - prev);
   space = space > 255 ? 255 : space;
   struct block b = block_of(r, x, y);
   int th = (int)r->st.temporal_difference_threshold,
       tl = (int)r->st.low_temporal_difference_threshold;
   if (r->st.dn_di_first_frame || b.motion || diff >= th)
      return space;
   int time = (b.history * prev + (256 - b.history) * centre + 128) / 256;
   if (time >= top)
      time = (time + top) / 2;
   if (time < low)
      time = (time + low) / 2;
   if (diff < tl)
      return time;
   int mixed = (space * (diff - tl) + time * (th - diff) + (th - tl) / 2) * q[th - tl - 1] / 1024;
   return mixed > 255 ? 255 : mixed;
}

/* What the deinterlacer sees. */
static int
pix(const struct ref *r, int f, int x, int y)
{
   int first = r->by + (r->st.dn_di_top_first ? -2 : -3), n = y - first;
   if (f == 0 && r->st.dn_enable && n >= 0 && n <= 8)
      return denoised(r, x, y);
   return raw(r, f, x, y);
}

static int
noise_of(const struct ref *r, int rows)
{
   int best = 255;
   for (int y = r->by; y < r->by + rows; y++)
      for (int x = r->bx; x < r->bx + 16; x++) {
         int v[9], s[9], noise = 0, least = 999, most = 0;
         nine(r, x, y, v);
         int h = abs(v[0] + v[1] * 2 + v[2] - (v[6] + v[7] * 2 + v[8]));
         int w = abs(v[0] + v[3] * 2 + v[6] - (v[2] + v[5] * 2 + v[8]));
         memcpy(s, v, sizeof(s));
         int m = median(9, s);
         for (int i = 0; i < 9; i++) {
            int a = abs(v[i] - m);
            noise += a;
            least = a < least ? a : least;
            most = a > most ? a : most;
         }
         if ((h + w) / 8 < (int)r->st.bne_edge_threshold &&
             most - least < (int)r->st.block_noise_estimate_noise_threshold)
            best = noise < best ? noise : best;
      }
   return best;
}

/* ---- deinterlace ----------------------------------------------------------------------------- */

static int
top_parity(const struct ref *r)
{
   return r->st.dn_di_top_first ? 0 : 1; /* of the first field */
}

/* The frame whose field lacks line y: the current one's first, or the previous one's second. */
static int
lacking(const struct ref *r, int y)
{
   return (y & 1) == top_parity(r); /* 0: current */
}

static int
scm_of(const struct ref *r, int f, int x, int y)
{
   int s = 0;
   for (int i = 0; i <= 1; i++)
      for (int j = 0; j <= 2; j++)
         s += abs(pix(r, f, x + i, y + j) - pix(r, f, x + i, y + j - 2));
   for (int i = -1; i <= 1; i++)
      for (int j = -1; j <= 1; j++)
         s += abs(pix(r, f, x + i, y + j) - pix(r, f, x + i + 1, y + j));
   return s;
}

static int
crossed(const struct ref *r, int f, int x, int y)
{
   return (pix(r, f, x, y) * 2 + pix(r, f, x - 1, y) + pix(r, f, x + 1, y) +
           pix(r, f, x, y - 2) * 2 + pix(r, f, x, y + 2) * 2) /
          8;
}

static int
stmm2(const struct ref *r, int x, int y)
{
   int f = lacking(r, y), vecm = 0, tdm = 0;
   if (r->st.dn_di_first_frame)
      return 255;
   for (int j = -2; j <= 2; j++) {
      vecm += abs(pix(r, f, x, y + j) - pix(r, f, x + 1, y + j));
      for (int i = -1; i <= 2; i++)
         tdm += abs(crossed(r, f, x + i, y + j) - crossed(r, !f, x + i, y + j));
   }
   vecm = vecm * (int)r->st.multiplier_for_vecm / 32;
   int scm = scm_of(r, f, x, y) - vecm;
   scm = scm < 0 ? 0 : scm;
   int stmm = tdm / (16 << r->st.stmm_shift_down) * (64 << r->st.stmm_shift_up) /
              (scm / 16 + (int)r->st.stmm_c2 + 1);
   stmm = stmm > 255 ? 255 : stmm;
   int limit = (int)(r->st.stmm_blending_constant_select ? r->st.maximum_stmm : r->st.minimum_stmm);
   int k = (int)(stmm > limit ? r->st.blending_constant_for_large_stmm
                              : r->st.blending_constant_for_small_stmm);
   return (k * r->motion[column(y, H)][column(x, W) / 2] + (256 - k) * stmm) / 256;
}

static int
stmm3(const struct ref *r, int x, int y)
{
   int best = stmm2(r, x, y), left = stmm2(r, x - 2, y), right = stmm2(r, x + 2, y);
   best = left > best ? left : best;
   return right > best ? right : best;
}

static int
mix(const struct ref *r, int m, int time, int space)
{
   int lo = (int)r->st.minimum_stmm, hi = (int)r->st.maximum_stmm;
   return m < lo ? time : m > hi ? space : ((m - lo) * space + (hi - m) * time) / (hi - lo);
}

static int
cost63(const struct ref *r, int f, int x, int y, int o)
{
   int s = 0;
   for (int i = -2; i <= 3; i++)
      for (int j = -2; j <= 2; j += 2)
         s += abs(pix(r, f, x + i + o, y + j + 1) - pix(r, f, x + i - o, y + j - 1));
   return s;
}

static int
cost21(const struct ref *r, int f, int x, int y, int o)
{
   return abs(pix(r, f, x + o, y + 1) - pix(r, f, x - o, y - 1)) +
          abs(pix(r, f, x + 1 + o, y + 1) - pix(r, f, x + 1 - o, y - 1));
}

static int
angle1(const struct ref *r, int f, int x, int y)
{
   int th = (int)r->st.sdi_threshold, dl = (int)r->st.sdi_delta, sign = 0, o = 1;
   int n = cost63(r, f, x, y, -1), p = cost63(r, f, x, y, 1), v = cost63(r, f, x, y, 0);
   if (n + th < p && n + th < v)
      sign = -1;
   else if (p + th < n && p + th < v)
      sign = 1;
   else
      return 0;
   if (cost63(r, f, x, y, 2 * sign) + dl < cost63(r, f, x, y, sign)) {
      o = 2;
      if (cost63(r, f, x, y, 3 * sign) + dl < cost63(r, f, x, y, 2 * sign)) {
         o = 3;
         if (cost63(r, f, x, y, 5 * sign) + dl < cost63(r, f, x, y, 3 * sign))
            o = 5;
      }
   }
   if (cost63(r, f, x, y, o * sign) >= th)
      return 0;
   int h1 = 0, h2 = 0;
   for (int j = -1; j <= 1; j += 2) {
      int most = 0;
      for (int s = -2; s <= 3; s++) {
         int c = pix(r, f, x + s, y + j);
         h1 += abs(c - pix(r, f, x + s + 1, y + j));
         int sum = abs(pix(r, f, x - 2, y + j) - c) + abs(c - pix(r, f, x + 4, y + j));
         most = sum > most ? sum : most;
      }
      h2 += most;
   }
   if (h1 > h2 + (int)r->st.sdi_fallback_mode_1_t1 && h1 >= (int)r->st.sdi_fallback_mode_1_t2)
      return 0;
   if (v + cost21(r, f, x, y, 0) * 8 <
       cost63(r, f, x, y, o * sign) +
           (cost21(r, f, x, y, o * sign) + (int)r->st.sdi_fallback_mode_2) * 8)
      return 0;
   return o * sign;
}

static int
angle_of(const struct ref *r, int f, int x, int y)
{
   int v[3] = {angle1(r, f, x - 2, y), angle1(r, f, x, y), angle1(r, f, x + 2, y)};
   return median(3, v);
}

/* Chroma as it lies in memory. */
static int
plane(const struct ref *r, int f, int which, int x, int y)
{
   int w = r->layout == PLANES_411 ? W / 4 : W / 2, h = r->layout == NV12 ? H / 2 : H;
   return r->c[f][which][line(y, h)][column(x, w)];
}

/* 4:2:2, of pixel pair x. */
static int
chroma(const struct ref *r, int f, int which, int x, int y, int m)
{
   int cx = (x < 0 ? 0 : x) / 2;
   if (r->layout == PLANES_411)
      return cx % 2 ? (plane(r, f, which, cx / 2, y) + plane(r, f, which, cx / 2 + 1, y)) / 2
                    : plane(r, f, which, cx / 2, y);
   if (r->layout == PACKED)
      return plane(r, f, which, cx, y);
   y = line(y, H);
   int group = y / 4, field = y % 2; /* four lines have two of chroma, one of each field */
   if (y % 4 < 2)
      return plane(r, f, which, cx, 2 * group + field);
   int space =
       (plane(r, f, which, cx, 2 * group + field) + plane(r, f, which, cx, 2 * group + field + 2)) /
       2;
   if (r->st.dn_di_first_frame)
      return space;
   int near = 2 * group + field + 1; /* of the other field */
   return mix(r, m, (plane(r, 0, which, cx, near) + plane(r, 1, which, cx, near)) / 2, space);
}

/* ---- motion compensation --------------------------------------------------------------------- */

static void
vector_of(const struct ref *r, int x, int y, int v[2], int *best)
{
   static const int xs[16] = {-1, 0, 1, -6, -5, -4, -3, -2, 2, 3, 4, 5, 6, -1, 0, 1};
   int f = lacking(r, y);
   *best = 1 << 30;
   for (int k = 0; k < 16; k++) {
      int my = k < 3 ? -2 : k > 12 ? 2 : 0, sad = 0;
      for (int j = y - 2; j <= y + 2; j++)
         for (int i = x - 2; i <= x + 3; i++)
            sad += abs(pix(r, !f, i + xs[k], j + my) - pix(r, f, i, j));
      if (sad <= *best) {
         *best = sad;
         v[0] = xs[k];
         v[1] = my;
      }
   }
}

static int
along(const struct ref *r, int f, int x, int y, int mx, int my)
{
   int cx = x + mx / 2, cy = y + my / 2, side = mx > 0 ? 1 : -1;
   bool odd = mx % 2 != 0;
   if (!my)
      return odd ? (pix(r, f, cx, cy) + pix(r, f, cx + side, cy)) / 2 : pix(r, f, cx, cy);
   if (!odd)
      return (pix(r, f, cx, cy - 1) + pix(r, f, cx, cy + 1)) / 2;
   return (pix(r, f, cx, cy - 1) + pix(r, f, cx + side, cy - 1) + pix(r, f, cx, cy + 1) +
           pix(r, f, cx + side, cy + 1)) /
          4;
}

static bool
smooth(const struct ref *r, int x, int y)
{
   int v[2], u[2], sad, th = (int)r->st.smooth_mv_threshold, row = y - r->by,
                        dir = row < 2 ? 1 : -1;
   vector_of(r, x, y, v, &sad);
   vector_of(r, x, y + dir, u, &sad);
   if (abs(v[0] + u[0]) > th || abs(v[1] + u[1]) > th)
      return false;
   vector_of(r, x, y + 2 * dir, u, &sad);
   if (abs(v[0] - u[0]) > th || abs(v[1] - u[1]) > th)
      return false;
   vector_of(r, x % 4 ? x - 2 : x + 2, y, u, &sad);
   return abs(v[0] - u[0]) <= th && abs(v[1] - u[1]) <= th;
}

static int
temporary(const struct ref *r, int px, int y, int sdi, int angle)
{
   const struct hw_deinterlace_sampler_state *st = &r->st;
   int f = lacking(r, y), x = px & ~1, v[2], sad;
   vector_of(r, x, y, v, &sad);
   int mc = along(r, !f, px, y, v[0], v[1]);
   int gap = abs(mc - along(r, f, px, y, -v[0], -v[1]));
   int edge = abs(pix(r, f, px - angle, y - 1) - pix(r, f, px + angle, y + 1));
   bool passed = edge > gap && gap < (int)st->mc_pixel_consistency_threshold && smooth(r, x, y);
   if (!passed)
      return sdi;
   if (sad <= (int)st->cat_threshold_1)
      return mc;
   int slope = (int)st->cat_slope + 1, scm = scm_of(r, f, x, y), th2 = scm / slope;
   if (scm < slope * (int)st->sad_threshold_a)
      th2 = (int)st->sad_threshold_a;
   else if (scm > slope * (int)st->sad_threshold_b)
      th2 = (int)st->sad_threshold_b;
   int up = pix(r, f, px, y - 1), down = pix(r, f, px, y + 1), m3[3] = {mc, up, down};
   int near = abs(mc - up) < abs(mc - down) ? abs(mc - up) : abs(mc - down);
   if (sad < th2 * 30 && angle == 0 &&
       sad + (int)st->sad_tight_threshold * 30 < 2 * cost63(r, f, x, y, angle) &&
       (median(3, m3) == mc || near < (int)st->neighbor_pixel_threshold))
      return mc;
   return sdi;
}

/* ---- pictures that come out ------------------------------------------------------------------ */

/* what: 0 Y, 1 Cr, 2 Cb. f: the frame whose field stays. */
static int
result(const struct ref *r, int f, int what, int px, int y)
{
   int kept = f ? !top_parity(r) : top_parity(r), x = px & ~1, m = stmm3(r, x, y);
   int cadence = r->st.dn_di_first_frame ? 0
                 : f                     ? (int)r->st.fmd_for_second_field_of_previous_frame
                                         : (int)r->st.fmd_for_first_field_of_current_frame;
   if ((y & 1) == kept)
      return what ? chroma(r, f, what - 1, x, y, m) : pix(r, f, px, y);
   if (cadence)
      return what ? chroma(r, cadence == 1, what - 1, x, y, m) : pix(r, cadence == 1, px, y);
   int o = angle_of(r, f, x, y), space, time;
   if (!what) {
      space = (pix(r, f, px + o, y + 1) + pix(r, f, px - o, y - 1)) / 2;
      time = (pix(r, 0, px, y) + pix(r, 1, px, y)) / 2;
      if (r->st.mcdi_enable && !r->st.dn_di_first_frame)
         space = temporary(r, px, y, space, o);
   } else {
      int side = o < 0 ? -2 : 2;
      int c90 = (chroma(r, f, what - 1, x, y + 1, m) + chroma(r, f, what - 1, x, y - 1, m)) / 2;
      int c27 = (chroma(r, f, what - 1, x + side, y + 1, m) +
                 chroma(r, f, what - 1, x - side, y - 1, m)) /
                2;
      int slanted = abs(o) > 1 ? c27 : o ? (c90 + c27) / 2 : c90;
      space = mix(r, m, c90, slanted);
      time = (chroma(r, 0, what - 1, x, y, m) + chroma(r, 1, what - 1, x, y, m)) / 2;
   }
   return r->st.dn_di_first_frame ? space : mix(r, m, time, space);
}

/* ---- the device ------------------------------------------------------------------------------ */

/* Kinds of pictures: noise, a ramp, stripes, a slanted edge that is soft, a texture that moves. */
#define KINDS 5

static int
drawn(int kind, int slope, int x, int y, int n)
{
   uint32_t hash;
   int at;
   switch (kind) {
   case 1:
      return 4 * x + 2 * y + 3 * n;
   case 2:
      return (x + 2 * y + 3 * n) / 6 % 2 ? 200 : 60;
   case 3:
      at = (5 + 3 * slope) * (x + (slope & 1 ? slope : 1 - slope) * (y - H / 2) - W / 2);
      return 120 + (at < -90 ? -90 : at > 90 ? 90 : at);
   case 4:
      at = x + (n ? slope : 0);
      hash = (uint32_t)(at / 3) * 2654435761u + (uint32_t)(y / 5) * 40503u;
      return 40 + (int)(hash >> 16 & 127);
   default:
      return 0;
   }
}

static void
place(struct ref *r, uint32_t *seed, int kind)
{
   struct fx *f = r->f;
   int slope = 1 + rnd(seed, 6), grain = 1 + rnd(seed, 3) * rnd(seed, 2);
   for (int n = 0; n < 2; n++) {
      uint32_t base = n ? PREVIOUS : CURRENT;
      for (int y = 0; y < H; y++)
         for (int x = 0; x < W; x++) {
            int v = drawn(kind, slope, x, y, n) + (kind ? rnd(seed, grain) : rnd(seed, 256));
            r->y[n][y][x] = (uint8_t)v;
            for (int c = 0; c < 2; c++)
               r->c[n][c][y][x] = (uint8_t)rnd(seed, 256);
         }
      for (int y = 0; y < H; y++)
         for (int x = 0; x < W; x++) {
            if (r->layout == PACKED) { /* Y U Y V */
               *fx_at(f, base + 2 * PITCH * (uint32_t)y + 2 * (uint32_t)x) = r->y[n][y][x];
               *fx_at(f, base + 2 * PITCH * (uint32_t)y + 2 * (uint32_t)x + 1) =
                   r->c[n][!(x & 1)][y][x / 2];
               continue;
            }
            *fx_at(f, base + PITCH * (uint32_t)y + (uint32_t)x) = r->y[n][y][x];
            if (r->layout == NV12 && y < H / 2)
               *fx_at(f, base + PITCH * (uint32_t)(H + y) + (uint32_t)x) =
                   r->c[n][!(x & 1)][y][x / 2];
            if (r->layout == PLANES_411 && x < W / 4)
               for (int c = 0; c < 2; c++)
                  *fx_at(f, base + PITCH * (uint32_t)(H * (c + 1) + y) + (uint32_t)x) =
                      r->c[n][!c][y][x];
         }
      uint32_t format = r->layout == NV12     ? GEN7_MEDIA_SURFACE_FORMAT_PLANAR_420_8
                        : r->layout == PACKED ? GEN7_MEDIA_SURFACE_FORMAT_YCRCB_NORMAL
                                              : GEN7_MEDIA_SURFACE_FORMAT_PLANAR_411_8;
      uint32_t pitch = r->layout == PACKED ? 2 * PITCH : PITCH;
      uint32_t dw[8] = {base, (H - 1) << 18 | (W - 1) << 4,
                        format << 28 | (uint32_t)(r->layout == NV12) << 27 | (pitch - 1) << 3,
                        r->layout == PACKED ? 0 : H, r->layout == PLANES_411 ? 2 * H : 0};
      fx_surface_dw(f, (unsigned)n + 3, dw);
   }
   struct hw_render_surface_state s = rig_2d(GEN7_SURFACE_FORMAT_R8_UNORM, W, H, PITCH);
   s.surface_base_address = STATISTICS;
   fx_surface(f, 5, &s);
   for (int y = 0; y < H; y++)
      for (int x = 0; x < W / 2; x++)
         *fx_at(f, STATISTICS + PITCH * (uint32_t)y + (uint32_t)x) = r->motion[y][x] =
             (uint8_t)rnd(seed, 256);
   for (int y = 0; y < H / 4; y++)
      for (int x = 0; x < W / 4; x++)
         *fx_at(f, STATISTICS + PITCH * (uint32_t)y + PITCH / 2 + (uint32_t)x) = r->history[y][x] =
             (uint8_t)rnd(seed, 256);
}

static struct hw_deinterlace_sampler_state
any_state(uint32_t *seed)
{
   unsigned shift = (unsigned)rnd(seed, 8), low = (unsigned)rnd(seed, 40);
   unsigned least = (unsigned)rnd(seed, 256 - (1 << shift));
   return (struct hw_deinterlace_sampler_state){
       .denoise_stad_threshold = (unsigned)rnd(seed, 256),
       .denoise_maximum_history = 128u + (unsigned)rnd(seed, 113),
       .denoise_history_delta = (unsigned)rnd(seed, 16),
       .denoise_asd_threshold = (unsigned)rnd(seed, 64),
       .temporal_difference_threshold = low + 1 + (unsigned)rnd(seed, 16),
       .low_temporal_difference_threshold = low,
       .stmm_c2 = (unsigned)rnd(seed, 8),
       .denoise_moving_pixel_threshold = (unsigned)rnd(seed, 17),
       .denoise_threshold_for_sum_of_complexity_measure = (unsigned)rnd(seed, 256),
       .good_neighbor_threshold = (unsigned)rnd(seed, 64),
       .cat_slope = (unsigned)rnd(seed, 16),
       .sad_tight_threshold = (unsigned)rnd(seed, 6),
       .smooth_mv_threshold = (unsigned)rnd(seed, 4),
       .bne_edge_threshold = (unsigned)rnd(seed, 16),
       .block_noise_estimate_noise_threshold = (unsigned)rnd(seed, 64),
       .stmm_blending_constant_select = (unsigned)rnd(seed, 2),
       .blending_constant_for_large_stmm = (unsigned)rnd(seed, 128),
       .blending_constant_for_small_stmm = (unsigned)rnd(seed, 256),
       .multiplier_for_vecm = (unsigned)rnd(seed, 64),
       .minimum_stmm = least,
       .maximum_stmm = least + (1u << shift),
       .stmm_output_shift = shift,
       .stmm_shift_down = (unsigned)rnd(seed, 3),
       .stmm_shift_up = (unsigned)rnd(seed, 3),
       .sdi_threshold = (unsigned)rnd(seed, 256) >> rnd(seed, 5),
       .sdi_delta = (unsigned)rnd(seed, 32),
       .sdi_fallback_mode_1_t1 = (unsigned)rnd(seed, 256) >> rnd(seed, 9),
       .sdi_fallback_mode_1_t2 = (unsigned)rnd(seed, 256),
       .sdi_fallback_mode_2 = (unsigned)rnd(seed, 64),
       .fmd_temporal_difference_threshold = (unsigned)rnd(seed, 256),
       .fmd_1_vertical_difference_threshold = (unsigned)rnd(seed, 256) >> rnd(seed, 4),
       .fmd_2_vertical_difference_threshold = (unsigned)rnd(seed, 256) >> rnd(seed, 4),
       .fmd_tear_threshold = (unsigned)rnd(seed, 64) >> rnd(seed, 6),
       .dn_di_stream_id = (unsigned)rnd(seed, 2),
       .cat_threshold_1 = (unsigned)rnd(seed, 4),
       .mcdi_enable = (unsigned)rnd(seed, 2),
       .progressive_dn = (unsigned)rnd(seed, 2),
       .dn_di_first_frame = !rnd(seed, 8),
       .dn_di_top_first = (unsigned)rnd(seed, 2),
       .neighbor_pixel_threshold = (unsigned)rnd(seed, 16),
       .mc_pixel_consistency_threshold = (unsigned)rnd(seed, 64),
       .sad_threshold_b = 8u + (unsigned)rnd(seed, 8),
       .sad_threshold_a = (unsigned)rnd(seed, 8),
   };
}

static void
send(struct ref *r, unsigned index, unsigned rlen)
{
   struct fx *f = r->f;
   uint32_t dw[8];
   gen7_deinterlace_sampler_state_pack(dw, &r->st);
   memcpy(fx_at(f, RIG_SAMPLERS + 16 * index), dw, sizeof(dw));
   surface_cache_invalidate(f->dev->surfaces);
   struct sf_message m = {.sfid = SFID_SAMPLER,
                          .header = true,
                          .mlen = 2,
                          .rlen = (uint8_t)rlen,
                          .exec_size = 16,
                          .payload = f->t.grf + FX_PAYLOAD * EU_REG_SIZE,
                          .response = f->t.grf + FX_RESPONSE * EU_REG_SIZE};
   m.desc = 3 | index << 8 | 8u << 12 | 3u << 17 | 1u << 19 | rlen << 20 | 2u << 25;
   m.ip = f->t.ip += 16;
   fx_clear_payload(f);
   fx_in(f, 1)[2] = 0xabcd0000u | (uint32_t)r->bx;
   fx_in(f, 1)[6] = 0x12340000u | (uint32_t)r->by;
   eu_thread_paid(&f->t);
   assert_int_equal(sf_sampler(&f->t, &m), SF_OK);
   assert_in_range(eu_thread_paid(&f->t), 64, EU_OWED_MOST); /* the work of many instructions */
}

static int
byte(struct ref *r, unsigned reg, unsigned n)
{
   return ((const uint8_t *)fx_out(r->f, reg))[n];
}

static void
check_luma(struct ref *r, unsigned reg, int f, int y)
{
   for (int i = 0; i < 32; i++)
      assert_int_equal(byte(r, reg, (unsigned)i), result(r, f, 0, r->bx + i % 16, y + i / 16));
}

static void
check_chroma(struct ref *r, unsigned reg, int f, int y)
{
   for (int i = 0; i < 32; i++)
      assert_int_equal(byte(r, reg, (unsigned)i),
                       result(r, f, 1 + i % 2, r->bx + (i % 16 & ~1), y + i / 16));
}

/* ---- cases ----------------------------------------------------------------------------------- */

static void
open_any(struct ref *r, struct fx *f, uint32_t *seed)
{
   r->f = f;
   r->layout = (enum layout)rnd(seed, 3);
   r->st = any_state(seed);
   r->bx = 16 * rnd(seed, W / 16);
   r->by = 4 * rnd(seed, H / 4);
   place(r, seed, rnd(seed, KINDS));
}

/* What the message returns, with denoise or without. */
static void
check_deinterlaced(struct ref *r)
{
   send(r, INDEX, !r->st.dn_enable ? 10 : r->layout == PACKED ? 12 : 11);
   for (int i = 0; i < 2; i++) {
      if (r->st.dn_di_first_frame)
         assert_int_equal(byte(r, (unsigned)i, 5), 0); /* there is no previous field */
      else {
         check_luma(r, (unsigned)i, 1, r->by + 2 * i);
         check_chroma(r, 2 + (unsigned)i, 1, r->by + 2 * i);
      }
      check_luma(r, 4 + (unsigned)i, 0, r->by + 2 * i);
      check_chroma(r, 6 + (unsigned)i, 0, r->by + 2 * i);
   }
   for (int i = 0; i < 32; i++)
      assert_int_equal(byte(r, 8, (unsigned)i), stmm2(r, r->bx + 2 * (i % 8), r->by + i / 8));
   for (int i = 0; i < 32 && r->st.dn_enable; i++) {
      int y = r->by + 2 * (i / 16) + !top_parity(r);
      assert_int_equal(byte(r, 10, (unsigned)i), denoised(r, r->bx + i % 16, y));
      if (r->layout == PACKED)
         assert_int_equal(byte(r, 11, (unsigned)i),
                          chroma(r, 0, i % 2, r->bx + (i % 16 & ~1), y, 0));
   }
   assert_silent(r->f);
}

/* Any state, that deinterlaces. */
static struct ref *
open_deinterlace(struct fx *f, uint32_t *seed, unsigned round)
{
   static struct ref r;
   open_any(&r, f, seed);
   r.st.di_enable = 1;
   r.st.progressive_dn = 0;
   r.st.dn_enable = !(round % 4);
   return &r;
}

static void
deinterlaced(void **state)
{
   proves("SMP-491", "SMP-492", "SMP-496", "SMP-497", "SMP-498", "SMP-010", "SMP-173", "SMP-178",
          "SMP-298", "SMP-520");
   uint32_t seed = 5;
   for (unsigned round = 0; round < 150; round++)
      check_deinterlaced(open_deinterlace(*state, &seed, round));
}

/* From the neighbours of both fields, without a search for motion. */
static void
interpolated(void **state)
{
   proves("SMP-506", "SMP-507", "SMP-508", "SMP-509", "SMP-510", "SMP-511", "SMP-512");
   uint32_t seed = 6;
   for (unsigned round = 0; round < 150; round++) {
      struct ref *r = open_deinterlace(*state, &seed, round);
      r->st.mcdi_enable = 0;
      r->st.fmd_for_second_field_of_previous_frame = 0;
      r->st.fmd_for_first_field_of_current_frame = 0;
      check_deinterlaced(r);
   }
}

static void
cadences(void **state)
{
   proves("SMP-513");
   uint32_t seed = 7;
   for (unsigned round = 0; round < 90; round++) {
      struct ref *r = open_deinterlace(*state, &seed, round);
      r->st.fmd_for_second_field_of_previous_frame = round % 3;
      r->st.fmd_for_first_field_of_current_frame = round / 3 % 3;
      check_deinterlaced(r);
   }
}

static void
motion_compensated(void **state)
{
   proves("SMP-514", "SMP-515", "SMP-516", "SMP-517");
   uint32_t seed = 8;
   for (unsigned round = 0; round < 150; round++) {
      struct ref *r = open_deinterlace(*state, &seed, round);
      r->st.mcdi_enable = 1;
      r->st.dn_di_first_frame = 0;
      check_deinterlaced(r);
   }
}

static int
saturated(long v, int most)
{
   return v > most ? most : (int)v;
}

static void
statistics(void **state)
{
   proves("SMP-387", "SMP-493", "SMP-499", "SMP-500", "SMP-505");
   static struct ref r;
   uint32_t seed = 77;
   for (unsigned round = 0; round < 60; round++) {
      open_any(&r, *state, &seed);
      r.st.di_enable = 1;
      r.st.dn_enable = round % 2;
      r.st.progressive_dn = 0;
      send(&r, INDEX, !r.st.dn_enable ? 10 : r.layout == PACKED ? 12 : 11);
      long d[5] = {0};
      int moving = 0;
      for (int y = r.by; y < r.by + 4; y += 2)
         for (int x = r.bx; x < r.bx + 16; x++) {
            int t = r.y[0][y][x], b = r.y[0][y + 1][x], pt = r.y[1][y][x], pb = r.y[1][y + 1][x];
            int v[5] = {t - pt, b - pb, t - b, t - pb, b - pt};
            for (int i = 0; i < 5; i++)
               d[i] += v[i] * v[i];
            moving += v[0] * v[0] + v[1] * v[1] > (int)r.st.fmd_temporal_difference_threshold;
         }
      for (int i = 0; i < 5 && r.st.dn_di_first_frame; i++)
         d[i] = i == 2 ? d[i] : 1L << 40;
      const uint32_t *w = fx_out(r.f, 9);
      assert_int_equal(w[7], (uint32_t)r.by << 16 | (uint32_t)r.bx);
      assert_int_equal(w[3] >> 16, saturated(d[0] / 16, 65535));
      assert_int_equal(w[3] & 0xffff, saturated(d[1] / 16, 65535));
      assert_int_equal(w[2] >> 16, saturated(d[2] / 16, 65535));
      assert_int_equal(w[2] & 0xffff, saturated(d[3] / 16, 65535));
      assert_int_equal(w[1] >> 16, saturated(d[4] / 16, 65535));
      if (!r.st.dn_di_first_frame)
         assert_int_equal(w[1] >> 8 & 0xff, moving);
      assert_int_equal(w[1] & 0xff, noise_of(&r, 4));
      for (int i = 0; i < 4; i++) {
         struct block b = block_of(&r, r.bx + 4 * i, r.by);
         bool dn = r.st.dn_enable, first = r.st.dn_di_first_frame;
         if (!first)
            assert_int_equal(w[6] >> (24 - 8 * i) & 255, dn ? saturated(b.stad, 255) : 0);
         assert_int_equal(w[5] >> (24 - 8 * i) & 255, dn ? saturated(b.shcm, 255) : 0);
         assert_int_equal(w[4] >> (24 - 8 * i) & 255, dn ? saturated(b.svcm, 255) : 0);
         assert_int_equal(w[0] >> 8 * i & 255, dn && !first ? b.history : 0);
      }
   }
}

/* ---- field motion ---------------------------------------------------------------------------- */

static long
apart(const struct ref *r, int f, int x, int y, int g, int u, int v)
{
   long d = raw(r, f, x, y) - raw(r, g, u, v);
   if (r->st.dn_di_first_frame && (f || g)) /* the previous frame is not read */
      return f == g ? 0 : 255 * 255;
   return d * d;
}

/* The current frame is 0, the previous one 1; y is even. */
static bool
moving_at(const struct ref *r, int x, int y)
{
   return apart(r, 0, x, y, 1, x, y) + apart(r, 0, x, y + 1, 1, x, y + 1) >
          (long)r->st.fmd_temporal_difference_threshold;
}

/* How much more way there is by the middle line than without it. */
static int
detour(const struct ref *r, int x, int y)
{
   int up = raw(r, 0, x, y - 2), mid = raw(r, 0, x, y), down = raw(r, 0, x, y + 2);
   return abs(mid - up) + abs(mid - down) - abs(up - down);
}

static bool
smooth_at(const struct ref *r, int x, int y)
{
   int most = (int)r->st.fmd_1_vertical_difference_threshold;
   return detour(r, x, y) < most && detour(r, x, y + 1) < most;
}

/* n: 0 within the current frame, 1 its top with the previous bottom, 2 its bottom with the previous
 * top. */
static bool
torn(const struct ref *r, int n, int x, int y)
{
   static const int lines[3][2][2] = {{{0, 0}, {0, 1}}, {{0, 0}, {1, 1}}, {{1, 0}, {0, 1}}};
   if (!moving_at(r, x, y) || !smooth_at(r, x, y))
      return false;
   int top = lines[n][0][0], bottom = lines[n][1][0];
   long same = apart(r, top, x, y, top, x, y + 2) + apart(r, bottom, x, y - 1, bottom, x, y + 1);
   long across = apart(r, top, x, y, bottom, x, y + 1);
   return across >= (long)r->st.fmd_2_vertical_difference_threshold && across > same;
}

static void
variances(const struct ref *r, long v[11])
{
   memset(v, 0, 11 * sizeof(v[0]));
   for (int y = r->by; y < r->by + 4; y += 2)
      for (int x = r->bx; x < r->bx + 16; x++) {
         v[0] += apart(r, 0, x, y, 1, x, y);
         v[1] += apart(r, 0, x, y + 1, 1, x, y + 1);
         v[2] += apart(r, 0, x, y, 0, x, y + 1);
         v[3] += apart(r, 0, x, y, 1, x, y + 1);
         v[4] += apart(r, 0, x, y + 1, 1, x, y);
         bool comb = apart(r, 0, x, y, 0, x, y + 1) >
                     apart(r, 0, x, y, 0, x, y + 2) + apart(r, 0, x, y - 1, 0, x, y + 1);
         v[5] += moving_at(r, x, y) && comb;
         v[6] += moving_at(r, x, y) && !comb;
         v[7] += moving_at(r, x, y) && smooth_at(r, x, y);
         for (int n = 0; n < 3; n++)
            v[8 + n] += torn(r, n, x, y) && (torn(r, n, x - 1, y) || torn(r, n, x + 1, y) ||
                                             torn(r, n, x, y - 2) || torn(r, n, x, y + 2));
      }
   for (int i = 0; i < 5; i++)
      v[i] /= 16;
   if (v[8] > v[9] && v[8] > v[10])
      v[7] = v[8] = v[9] = v[10] = 0;
   for (int i = 8; i < 11; i++)
      v[i] = v[i] < (long)r->st.fmd_tear_threshold ? 0 : v[i];
}

/* Registers of the stream: sums over blocks, cleared when they are read. */
static void
field_motion(void **state)
{
   proves("SMP-518", "SMP-519", "VCS-150");
   static struct ref r;
   struct fx *f = *state;
   uint32_t seed = 41;
   long sum[2][13] = {{0}}, met[11] = {0};
   for (unsigned round = 0; round < 400; round++) {
      open_any(&r, f, &seed);
      r.st.di_enable = round % 8 != 7;
      r.st.dn_enable = round % 2;
      r.st.progressive_dn = 0;
      if (!r.st.di_enable)
         r.by &= ~7;
      send(&r, INDEX, r.st.di_enable ? 10 : 5);
      f->rule_count = 0;
      long v[11], *s = sum[r.st.dn_di_stream_id];
      variances(&r, v);
      for (int i = 0; i < 11 && r.st.di_enable; i++) {
         s[i] += v[i];
         met[i] += v[i] > 0;
      }
      int noise = noise_of(&r, r.st.di_enable ? 4 : 8);
      s[11] += noise < 255 ? noise : 0;
      s[12] += noise < 255;
      if (round % 20 != 19)
         continue;
      for (uint32_t stream = 0; stream < 2; stream++)
         for (uint32_t i = 0; i < 13; i++) {
            uint32_t at = 0x5000 + 0x34 * stream + 4 * i;
            assert_int_equal((uint32_t)pergola_mmio_read(f->dev, at, 4), sum[stream][i]);
            assert_int_equal(pergola_mmio_read(f->dev, at, 4), 0);
            sum[stream][i] = 0;
         }
   }
   for (int i = 0; i < 11; i++)
      assert_true(met[i] > 3);
}

/* Between the thresholds: a mix of both filters. */
static bool
is_blended(const struct ref *r, int x, int y)
{
   int diff = abs(raw(r, 0, x, y) - raw(r, 1, x, y));
   return !r->st.dn_di_first_frame && !block_of(r, x, y).motion &&
          diff >= (int)r->st.low_temporal_difference_threshold &&
          diff < (int)r->st.temporal_difference_threshold;
}

static void
denoise_only(void **state)
{
   proves("SMP-487", "SMP-494", "SMP-501", "SMP-502", "SMP-503", "SMP-504");
   static struct ref r;
   uint32_t seed = 123;
   unsigned blended[16] = {0};
   for (unsigned round = 0; round < 400; round++) {
      open_any(&r, *state, &seed);
      r.by &= ~7;
      r.st.dn_enable = 1;
      if (round % 2) { /* still enough for the temporal filter */
         r.st.dn_di_first_frame = 0;
         r.st.denoise_stad_threshold = 255;
         r.st.denoise_moving_pixel_threshold = 16;
         r.st.low_temporal_difference_threshold = round / 32 % 2;
         r.st.temporal_difference_threshold = /* each divisor */
             r.st.low_temporal_difference_threshold + 1 + round / 2 % 16;
      }
      send(&r, INDEX, r.layout == PACKED ? 9 : 5);
      for (int i = 0; i < 128 && round % 2; i++)
         blended[round / 2 % 16] += is_blended(&r, r.bx + i % 16, r.by + i / 16);
      for (int i = 0; i < 128; i++)
         assert_int_equal(byte(&r, (unsigned)i / 32, (unsigned)i % 32),
                          denoised(&r, r.bx + i % 16, r.by + i / 16));
      for (int i = 0; i < 128 && r.layout == PACKED; i++)
         assert_int_equal(byte(&r, 5 + (unsigned)i / 32, (unsigned)i % 32),
                          chroma(&r, 0, i % 2, r.bx + (i % 16 & ~1), r.by + i / 16, 255));
      const uint32_t *w = fx_out(r.f, 4);
      assert_int_equal(w[7], (uint32_t)r.by << 16 | (uint32_t)r.bx);
      assert_int_equal(w[3], 0);
      assert_int_equal(w[2], noise_of(&r, 8));
      for (int i = 0; i < 4; i++) {
         struct block a = block_of(&r, r.bx + 4 * i, r.by),
                      b = block_of(&r, r.bx + 4 * i, r.by + 4);
         bool first = r.st.dn_di_first_frame;
         assert_int_equal(w[0] >> 8 * i & 255, first ? 0 : a.history);
         assert_int_equal(w[1] >> 8 * i & 255, first ? 0 : b.history);
         assert_int_equal(w[5] >> (24 - 8 * i) & 255, saturated(a.shcm + b.shcm, 255));
         assert_int_equal(w[4] >> (24 - 8 * i) & 255, saturated(a.svcm + b.svcm, 255));
      }
      assert_silent(r.f);
   }
   for (unsigned i = 0; i < 16; i++)
      assert_in_range(blended[i], 20, UINT32_MAX);
}

static void
rules(void **state)
{
   proves("SMP-211", "SMP-372", "SMP-385", "SMP-386", "SMP-487", "SMP-495", "SMP-512");
   static struct ref r;
   uint32_t seed = 9;
   open_any(&r, *state, &seed);
   r.layout = NV12;
   place(&r, &seed, 1);
   r.st.di_enable = 1;
   r.st.dn_di_first_frame = 0;
   r.st.progressive_dn = 0;
   send(&r, INDEX, 10);
   assert_silent(r.f);
   send(&r, INDEX + 1, 10);
   assert_rule(r.f, "SMP-211");
   send(&r, INDEX, 9);
   assert_rule(r.f, "SMP-487");
   r.st.di_partial = 1;
   send(&r, INDEX, 10);
   assert_rule(r.f, "SMP-495");
   check_luma(&r, 4, 0, r.by); /* as without it */
   r.st.di_partial = 0;
   r.st.stmm_shift_up = 3;
   send(&r, INDEX, 10);
   assert_rule(r.f, "SMP-385");
   r.st.stmm_shift_up = 0;
   r.st.stmm_shift_down = 3;
   send(&r, INDEX, 10);
   assert_rule(r.f, "SMP-385");
   r.st.stmm_shift_down = 0;
   r.st.vdi_walker_enable = 1;
   send(&r, INDEX, 10);
   assert_rule(r.f, "SMP-385");
   r.st.vdi_walker_enable = 0;
   r.st.stmm_output_shift ^= 1;
   send(&r, INDEX, 10);
   assert_rule(r.f, "SMP-512");
   r.st.stmm_output_shift ^= 1;
   r.st.dn_enable = 1;
   r.st.temporal_difference_threshold = r.st.low_temporal_difference_threshold + 17;
   send(&r, INDEX, 11);
   assert_rule(r.f, "SMP-386");
   r.st.temporal_difference_threshold = r.st.low_temporal_difference_threshold;
   send(&r, INDEX, 11);
   assert_rule(r.f, "SMP-386");
   r.st.temporal_difference_threshold++;
   r.st.progressive_dn = 1;
   send(&r, INDEX, 11);
   assert_rule(r.f, "SMP-386");
   r.st.di_enable = r.st.dn_enable = r.st.progressive_dn = 0;
   send(&r, INDEX, 5);
   assert_rule(r.f, "SMP-386");
   r.st.di_enable = 1;
   uint32_t dw[8] = {PREVIOUS, (H - 1) << 18 | (W - 16 - 1) << 4, 4u << 28 | 1u << 27 | 63 << 3, H};
   fx_surface_dw(r.f, 4, dw);
   send(&r, INDEX, 10);
   assert_rule(r.f, "SMP-372");
}

/* Any state, any surfaces, any place: a response, and no register behind it. */
static void
hostile(void **state)
{
   proves("SMP-298");
   static struct ref r;
   uint32_t seed = 31;
   open_any(&r, *state, &seed);
   for (unsigned round = 0; round < 400; round++) {
      uint32_t dw[8];
      for (unsigned bti = 3; bti < 6; bti++) {
         for (unsigned i = 0; i < 8; i++)
            dw[i] = (uint32_t)rnd(&seed, 1 << 23) << 9 ^ (uint32_t)rnd(&seed, 1 << 23);
         if (rnd(&seed, 2)) /* some of it is mapped */
            dw[bti == 5] = FX_DATA;
         fx_surface_dw(r.f, bti, dw);
      }
      for (unsigned i = 0; i < 8; i++)
         dw[i] = (uint32_t)rnd(&seed, 1 << 23) << 9 ^ (uint32_t)rnd(&seed, 1 << 23);
      gen7_deinterlace_sampler_state_unpack(&r.st, dw);
      r.bx = rnd(&seed, 1 << 12);
      r.by = rnd(&seed, 1 << 11);
      unsigned rlen = (unsigned)rnd(&seed, 13);
      memset(fx_out(r.f, 0), 0xa5, 14 * EU_REG_SIZE);
      send(&r, INDEX, rlen);
      for (unsigned n = 0; n < EU_REG_SIZE; n++)
         assert_int_equal(byte(&r, rlen, n), 0xa5);
   }
}

int
main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, rig_setup, fx_teardown)
   const struct CMUnitTest tests[] = {
       CASE(deinterlaced),       CASE(interpolated), CASE(cadences),
       CASE(motion_compensated), CASE(statistics),   CASE(field_motion),
       CASE(denoise_only),       CASE(rules),        CASE(hostile)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
