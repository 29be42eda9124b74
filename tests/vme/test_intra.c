/* Intra prediction estimation against a plain evaluation: pixels by an accessor, formulas as the
 * rows print them, all modes of all blocks. */
#include "tests/proves.h"
#include "tests/vme/stand.h"

#include <stdlib.h>

#define W 96
#define H 80

static uint8_t px[W * H];
static const struct vme_picture picture = {W, H, px};

struct oracle {
   int16_t p[1 + 16][1 + 24]; /* [y + 1][x + 1]; -1: not there */
   bool left, above, right, corner;
   uint32_t around; /* M4.4 */
   uint32_t mask4, mask8, mask16;
   bool haar;
   int nonpred, penalty[3];
};

static int
haar_cell(const int d[16])
{
   /* By the matrices: rows, then columns of what is left, twice. */
   int m[4][4], n[4][4], sum = 0;
   for (int y = 0; y < 4; y++)
      for (int x = 0; x < 2; x++) {
         m[y][x] = d[4 * y + 2 * x] + d[4 * y + 2 * x + 1];
         sum += abs(d[4 * y + 2 * x] - d[4 * y + 2 * x + 1]);
      }
   for (int y = 0; y < 2; y++)
      for (int x = 0; x < 2; x++) {
         n[y][x] = m[2 * y][x] + m[2 * y + 1][x];
         sum += abs(m[2 * y][x] - m[2 * y + 1][x]);
      }
   sum += abs(n[0][0] - n[0][1]) + abs(n[1][0] - n[1][1]);
   int a = n[0][0] + n[0][1], b = n[1][0] + n[1][1];
   return sum + abs(a + b) + abs(a - b);
}

/* Distortion of size by size pixels at (x, y) of the macroblock. */
static int
measure(const struct oracle *o, int x, int y, int size, int (*pred)[16])
{
   int sum = 0;
   for (int cy = 0; cy < size; cy += 4)
      for (int cx = 0; cx < size; cx += 4) {
         int d[16], sad = 0;
         for (int i = 0; i < 16; i++) {
            d[i] = pred[cy + i / 4][cx + i % 4] - o->p[1 + y + cy + i / 4][1 + x + cx + i % 4];
            sad += abs(d[i]);
         }
         sum += (o->haar ? haar_cell(d) : sad) / 2;
      }
   return sum;
}

/* ---- 4x4 and 8x8 ---- */

struct block {
   int q[3 * 8 + 1]; /* p[-1, size-1] … p[-1, 0], corner, p[0, -1] … p[2 size - 1, -1] */
   int size;
   bool left, above, corner;
};

static int
L(const struct block *b, int y) /* p[-1, y] */
{
   return b->q[b->size - 1 - y];
}
static int
T(const struct block *b, int x) /* p[x, -1] */
{
   return b->q[b->size + 1 + x];
}

/* Is the pixel (x, y) there for a block that begins at (bx, by)? */
static bool
there(const struct oracle *o, int x, int y, int bx, int by, int size)
{
   if (y < 0)
      return x < 0 ? o->corner : x < 16 ? o->above : o->right;
   if (x < 0)
      return o->left;
   if (x >= 16)
      return false;
   /* Coded before: by the number of its block. */
   static const int number[4][4] = {{0, 1, 4, 5}, {2, 3, 6, 7}, {8, 9, 12, 13}, {10, 11, 14, 15}};
   int mine = number[by / 4][bx / 4], its = number[y / 4][x / 4];
   return size == 8 ? its / 4 < mine / 4 : its < mine;
}

static void
gather(const struct oracle *o, int bx, int by, int size, struct block *b)
{
   *b = (struct block){.size = size};
   b->left = there(o, bx - 1, by, bx, by, size);
   b->above = there(o, bx, by - 1, bx, by, size);
   b->corner = there(o, bx - 1, by - 1, bx, by, size);
   for (int i = 0; i < size; i++)
      b->q[size - 1 - i] = o->p[1 + by + i][bx];
   b->q[size] = o->p[by][bx];
   bool right = there(o, bx + size, by - 1, bx, by, size);
   for (int i = 0; i < 2 * size; i++)
      b->q[size + 1 + i] = o->p[by][1 + bx + (i < size || right ? i : size - 1)];
   if (size == 4)
      return;
   struct block f = *b; /* VME-397 */
   for (int x = 0; x < 16; x++) {
      int before = x ? T(&f, x - 1) : f.q[8];
      if (x == 0 && !f.corner)
         b->q[9] = (3 * T(&f, 0) + T(&f, 1) + 2) >> 2;
      else if (x == 15)
         b->q[9 + 15] = (T(&f, 14) + 3 * T(&f, 15) + 2) >> 2;
      else
         b->q[9 + x] = (before + 2 * T(&f, x) + T(&f, x + 1) + 2) >> 2;
   }
   for (int y = 0; y < 8; y++) {
      int before = y ? L(&f, y - 1) : f.q[8];
      if (y == 0 && !f.corner)
         b->q[7] = (3 * L(&f, 0) + L(&f, 1) + 2) >> 2;
      else if (y == 7)
         b->q[0] = (L(&f, 6) + 3 * L(&f, 7) + 2) >> 2;
      else
         b->q[7 - y] = (before + 2 * L(&f, y) + L(&f, y + 1) + 2) >> 2;
   }
   if (f.above && f.left)
      b->q[8] = (T(&f, 0) + 2 * f.q[8] + L(&f, 0) + 2) >> 2;
   else if (f.above)
      b->q[8] = (3 * f.q[8] + T(&f, 0) + 2) >> 2;
   else if (f.left)
      b->q[8] = (3 * f.q[8] + L(&f, 0) + 2) >> 2;
}

static int
t(const struct block *b, int x) /* with the corner at -1 */
{
   return x < 0 ? b->q[b->size] : T(b, x);
}
static int
l(const struct block *b, int y)
{
   return y < 0 ? b->q[b->size] : L(b, y);
}

/* VME-396, VME-398 as printed. */
static int
formula(const struct block *b, unsigned mode, int x, int y)
{
   int n = b->size, z;
   switch (mode) {
   case 0:
      return T(b, x);
   case 1:
      return L(b, y);
   case 3:
      if (x == n - 1 && y == n - 1)
         return (T(b, 2 * n - 2) + 3 * T(b, 2 * n - 1) + 2) >> 2;
      return (T(b, x + y) + 2 * T(b, x + y + 1) + T(b, x + y + 2) + 2) >> 2;
   case 4:
      if (x > y)
         return (t(b, x - y - 2) + 2 * t(b, x - y - 1) + t(b, x - y) + 2) >> 2;
      if (x < y)
         return (l(b, y - x - 2) + 2 * l(b, y - x - 1) + l(b, y - x) + 2) >> 2;
      return (t(b, 0) + 2 * t(b, -1) + l(b, 0) + 2) >> 2;
   case 5:
      z = 2 * x - y;
      if (z >= 0 && z % 2 == 0)
         return (t(b, x - (y >> 1) - 1) + t(b, x - (y >> 1)) + 1) >> 1;
      if (z > 0)
         return (t(b, x - (y >> 1) - 2) + 2 * t(b, x - (y >> 1) - 1) + t(b, x - (y >> 1)) + 2) >> 2;
      if (z == -1)
         return (l(b, 0) + 2 * l(b, -1) + t(b, 0) + 2) >> 2;
      return (l(b, y - 2 * x - 1) + 2 * l(b, y - 2 * x - 2) + l(b, y - 2 * x - 3) + 2) >> 2;
   case 6:
      z = 2 * y - x;
      if (z >= 0 && z % 2 == 0)
         return (l(b, y - (x >> 1) - 1) + l(b, y - (x >> 1)) + 1) >> 1;
      if (z > 0)
         return (l(b, y - (x >> 1) - 2) + 2 * l(b, y - (x >> 1) - 1) + l(b, y - (x >> 1)) + 2) >> 2;
      if (z == -1)
         return (l(b, 0) + 2 * l(b, -1) + t(b, 0) + 2) >> 2;
      return (t(b, x - 2 * y - 1) + 2 * t(b, x - 2 * y - 2) + t(b, x - 2 * y - 3) + 2) >> 2;
   case 7:
      if (y % 2 == 0)
         return (T(b, x + (y >> 1)) + T(b, x + (y >> 1) + 1) + 1) >> 1;
      return (T(b, x + (y >> 1)) + 2 * T(b, x + (y >> 1) + 1) + T(b, x + (y >> 1) + 2) + 2) >> 2;
   default:
      z = x + 2 * y;
      if (z > 2 * n - 3)
         return L(b, n - 1);
      if (z == 2 * n - 3)
         return (L(b, n - 2) + 3 * L(b, n - 1) + 2) >> 2;
      if (z % 2 == 0)
         return (L(b, y + (x >> 1)) + L(b, y + (x >> 1) + 1) + 1) >> 1;
      return (L(b, y + (x >> 1)) + 2 * L(b, y + (x >> 1) + 1) + L(b, y + (x >> 1) + 2) + 2) >> 2;
   }
}

static int
dc_of(const struct block *b)
{
   int up = 0, side = 0, n = b->size, log = n == 4 ? 2 : 3;
   for (int i = 0; i < n; i++) {
      up += T(b, i);
      side += L(b, i);
   }
   if (b->left && b->above)
      return (up + side + n) >> (log + 1);
   return b->above ? (up + n / 2) >> log : b->left ? (side + n / 2) >> log : 128;
}

static bool
possible(const struct block *b, unsigned mode)
{
   static const char needs[9][4] = {"a", "l", "", "a", "alc", "alc", "alc", "a", "l"};
   for (const char *c = needs[mode]; *c; c++)
      if ((*c == 'a' && !b->above) || (*c == 'l' && !b->left) || (*c == 'c' && !b->corner))
         return false;
   return true;
}

static int
neighbour_mode(const struct oracle *o, const int mode[4][4], int x, int y, bool left)
{
   if (left && x == 0)
      return o->left ? (int)(o->around >> 4 * y & 15) : -1;
   if (!left && y == 0)
      return o->above ? (int)(o->around >> (16 + 4 * x) & 15) : -1;
   return left ? mode[y][x - 1] : mode[y - 1][x];
}

/* The cost of the type with blocks of a size, and its modes by place; -1: not to be had. */
static int
type_cost(const struct oracle *o, int size, uint32_t masked, int mode[4][4])
{
   int total = 0;
   for (int k = 0; k < 256 / (size * size); k++) {
      int first = size == 8 ? 4 * k : k;
      int x = (first & 1) | (first >> 1 & 2), y = (first >> 1 & 1) | (first >> 2 & 2);
      int a = neighbour_mode(o, (const int(*)[4])mode, x, y, true);
      int b = neighbour_mode(o, (const int(*)[4])mode, x, y, false);
      int predicted = a < 0 || b < 0 ? 2 : a < b ? a : b, best = -1, chosen = 0;
      struct block n;
      gather(o, 4 * x, 4 * y, size, &n);
      for (unsigned m = 0; m < 9; m++) {
         int pred[8][16];
         if (masked >> m & 1 || !possible(&n, m))
            continue;
         for (int i = 0; i < size * size; i++)
            pred[i / size][i % size] = m == 2 ? dc_of(&n) : formula(&n, m, i % size, i / size);
         int cost = measure(o, 4 * x, 4 * y, size, pred) + ((int)m == predicted ? 0 : o->nonpred);
         if (best < 0 || cost < best) {
            best = cost;
            chosen = (int)m;
         }
      }
      if (best < 0)
         return -1;
      total += best;
      for (int i = 0; i < size / 4; i++)
         for (int j = 0; j < size / 4; j++)
            mode[y + i][x + j] = chosen;
   }
   return total;
}

static int
whole_cost(const struct oracle *o, int *chosen)
{
   int best = -1;
   for (int m = 0; m < 4; m++) {
      int pred[16][16], h = 0, v = 0, up = 0, side = 0;
      if (o->mask16 >> m & 1 || (m == 0 && !o->above) || (m == 1 && !o->left) ||
          (m == 3 && !(o->above && o->left && o->corner)))
         continue;
      for (int i = 0; i < 16; i++) {
         up += o->p[0][1 + i];
         side += o->p[1 + i][0];
      }
      for (int i = 0; i < 8; i++) {
         h += (i + 1) * (o->p[0][1 + 8 + i] - o->p[0][1 + 6 - i]);
         v += (i + 1) * (o->p[1 + 8 + i][0] - o->p[1 + 6 - i][0]);
      }
      int b = (5 * h + 32) >> 6, c = (5 * v + 32) >> 6, a = 16 * (o->p[16][0] + o->p[0][16]);
      int dc = o->above && o->left ? (up + side + 16) >> 5
               : o->above          ? (up + 8) >> 4
               : o->left           ? (side + 8) >> 4
                                   : 128;
      for (int y = 0; y < 16; y++)
         for (int x = 0; x < 16; x++) {
            int plane = (a + b * (x - 7) + c * (y - 7) + 16) >> 5;
            plane = plane < 0 ? 0 : plane > 255 ? 255 : plane;
            pred[y][x] = m == 0 ? o->p[0][1 + x] : m == 1 ? o->p[1 + y][0] : m == 2 ? dc : plane;
         }
      int cost = measure(o, 0, 0, 16, pred);
      if (best < 0 || cost < best) {
         best = cost;
         *chosen = m;
      }
   }
   return best;
}

/* ---- the comparison ---- */

static uint32_t
next(uint32_t *seed)
{
   *seed = *seed * 1664525u + 1013904223u;
   return *seed >> 8;
}

/* A request with random neighbours, availability, masks and costs; the oracle's view of it. */
static void
make(uint32_t *seed, struct vme_request *q, struct oracle *o)
{
   struct request_fields f;
   unsigned x = next(seed) % (W - 16), y = next(seed) % (H - 16), types = next(seed) % 8;
   request_plain(q, &picture, &picture, x, y);
   request_get(q, &f);
   q->descriptor = VME_DESCRIPTOR(VME_TYPE_INTRA);
   bool swap = next(seed) & 1, natural = next(seed) & 1;
   unsigned has = next(seed) % 3 ? 15 : next(seed) & 15;
   memset(o, 0, sizeof(*o));
   o->left = has & 1;
   o->above = has >> 1 & 1;
   o->right = has >> 2 & 1;
   o->corner = has >> 3 & 1;
   for (int i = -1; i < 16; i++)
      for (int j = -1; j < 24; j++) {
         int sx = (int)x + j, sy = (int)y + i;
         bool in = sx >= 0 && sy >= 0 && sx < W && sy < H && natural;
         o->p[1 + i][1 + j] = (int16_t)(i >= 0 && j >= 0 ? (j < 16 ? px[sy * W + sx] : 0)
                                        : in             ? px[sy * W + sx]
                                                         : (int)(next(seed) & 255));
      }
   uint8_t *m3 = (uint8_t *)q->in[3], *m4 = (uint8_t *)q->in[4];
   for (int i = 0; i < 24; i++)
      m3[8 + i] = (uint8_t)o->p[0][1 + i];
   for (int i = 0; i < 15; i++)
      m4[i] = (uint8_t)o->p[1 + i][0];
   m3[7] = (uint8_t)(swap ? o->p[16][0] : o->p[0][0]);
   m4[15] = (uint8_t)(swap ? o->p[0][0] : o->p[16][0]);
   o->mask4 = next(seed) % 3 ? 0 : next(seed) & 0x1ff;
   o->mask8 = next(seed) % 3 ? 0 : next(seed) & 0x1ff;
   o->mask16 = next(seed) % 3 ? 0 : next(seed) & 15;
   q->in[3][0] = o->mask4 | o->mask8 << 16;
   q->in[3][1] |= o->mask16;
   for (unsigned i = 0; i < 8; i++)
      o->around |= next(seed) % 9 << 4 * i;
   q->in[4][4] = o->around;
   o->haar = next(seed) & 1;
   f.m0.intrasad = o->haar ? 2 : 0;
   f.m1.intracornerswap = swap;
   f.m1.intrapartmask = types == 7 ? 0 : types;
   f.m1.mbintrastruct =
       (o->left ? 0x60u : 0) | (o->above ? 0x10u : 0) | (o->right ? 8u : 0) | (o->corner ? 4u : 0);
   q->state[64] = (uint8_t)(next(seed) % 3 ? next(seed) & 15 : 0);
   o->nonpred = q->state[64] & 15;
   for (unsigned i = 0; i < 3; i++) {
      q->state[65 + i] = (uint8_t)(next(seed) & 0x2f);
      o->penalty[i] = (q->state[65 + i] & 15) << (q->state[65 + i] >> 4);
   }
   request_put(q, &f);
}

static void
compare(struct vme_stand *s, const struct vme_request *q, const struct oracle *o)
{
   uint32_t out[10][8];
   struct request_fields f;
   struct hw_vme_w0 w0;
   request_get(q, &f);
   vme_model_run(s, q, out);
   gen7_vme_w0_unpack(&w0, out[0]);
   int modes[3][4][4] = {{{0}}}, chosen = 0, cost[3];
   cost[0] = whole_cost(o, &chosen);
   for (int i = 0; i < 16; i++)
      modes[0][i / 4][i % 4] = chosen;
   cost[1] = type_cost(o, 8, o->mask8, modes[1]);
   cost[2] = type_cost(o, 4, o->mask4, modes[2]);
   int best = -1;
   for (int i = 0; i < 3; i++) {
      if (f.m1.intrapartmask >> i & 1 || cost[i] < 0)
         continue;
      cost[i] += o->penalty[i];
      if (best < 0 || cost[i] < cost[best])
         best = i;
   }
   if (best < 0) {
      assert_int_equal(w0.bestintradistortion, 0x3fff);
      assert_int_equal(out[0][4] | out[0][5], 0);
      return;
   }
   assert_int_equal(w0.bestintradistortion, cost[best] < 0x3fff ? cost[best] : 0x3fff);
   assert_int_equal(w0.minimal_distortion, w0.bestintradistortion);
   assert_int_equal(w0.intrambmode, best);
   assert_int_equal(w0.mbtype, best ? 0 : 0x15 + chosen);
   assert_int_equal(w0.transform8x8flag, best == 1);
   static const uint8_t number[4][4] = {
       {0, 1, 4, 5}, {2, 3, 6, 7}, {8, 9, 12, 13}, {10, 11, 14, 15}};
   for (unsigned i = 0; i < 16; i++) {
      unsigned n = number[i / 4][i % 4];
      assert_int_equal(out[0][4 + n / 8] >> 4 * (n % 8) & 15, modes[best][i / 4][i % 4]);
   }
}

/* What a request is made simpler by. */
enum { ANY, WITHOUT_COSTS, WITHOUT_MASKS };

static void
simplify(struct vme_request *q, struct oracle *o, unsigned how)
{
   if (how == WITHOUT_COSTS) {
      memset(q->state + 64, 0, 4);
      memset(o->penalty, 0, sizeof(o->penalty));
      o->nonpred = 0;
   }
   if (how == WITHOUT_MASKS) {
      q->in[3][0] = 0;
      q->in[3][1] &= ~15u;
      o->mask4 = o->mask8 = o->mask16 = 0;
   }
}

static void
compare_random(struct vme_stand *s, uint32_t seed, unsigned how)
{
   for (unsigned i = 0; i < 400; i++) {
      struct vme_request q;
      struct oracle o;
      if (i % 66 == 0) {
         if (i / 66 % 3 == 0)
            picture_random(px, W, H, i + 1);
         else
            picture_natural(px, W, H, 0, 0, i + 1);
         for (unsigned k = 0; i / 66 == 5 && k < sizeof(px); k++)
            px[k] = px[k] & 1 ? 255 : 0;
         stand_forget(s);
      }
      make(&seed, &q, &o);
      simplify(&q, &o, how);
      compare(s, &q, &o);
   }
}

/* The message, the masks and what is chosen. */
static void
test_choice(void **state)
{
   proves("VME-105", "VME-107", "VME-212", "VME-261", "VME-309", "VME-312", "VME-313", "VME-335");
   compare_random(*state, 2024, ANY);
}

/* Neighbours, and what is predicted from them: distortion alone decides. */
static void
test_neighbours(void **state)
{
   proves("VME-108", "VME-255", "VME-258", "VME-308", "VME-310", "VME-311", "VME-314", "VME-319",
          "VME-397", "VME-401");
   compare_random(*state, 2025, WITHOUT_COSTS);
}

/* Modes of the neighbours, and costs of others. */
static void
test_costs_of_modes(void **state)
{
   proves("VME-153", "VME-154", "VME-316", "VME-317");
   compare_random(*state, 2026, WITHOUT_MASKS);
}

/* Every mode is chosen somewhere: a block that is its own prediction. */
static void
test_every_mode_wins(void **state)
{
   proves("VME-313", "VME-185");
   struct vme_stand *s = *state;
   unsigned seen[3] = {0};
   uint32_t seed = 5;
   picture_natural(px, W, H, 0, 0, 12);
   stand_forget(s);
   for (unsigned i = 0; i < 400; i++) {
      struct vme_request q;
      struct oracle o;
      struct request_fields f;
      uint32_t out[10][8];
      struct hw_vme_w0 w0;
      make(&seed, &q, &o);
      request_get(&q, &f);
      f.m1.intrapartmask = 7u & ~(1u << i % 3);
      request_put(&q, &f);
      compare(s, &q, &o);
      vme_model_run(s, &q, out);
      gen7_vme_w0_unpack(&w0, out[0]);
      for (unsigned k = 0; w0.bestintradistortion < 0x3fff && k < 16; k++)
         seen[w0.intrambmode] |= 1u << (out[0][4 + k / 8] >> 4 * (k % 8) & 15);
   }
   assert_int_equal(seen[0], 15);
   assert_int_equal(seen[1], 0x1ff);
   assert_int_equal(seen[2], 0x1ff);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       STAND_TEST(test_choice),
       STAND_TEST(test_neighbours),
       STAND_TEST(test_costs_of_modes),
       STAND_TEST(test_every_mode_wins),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
