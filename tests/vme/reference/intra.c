/* Intra prediction estimation: every block, every mode. */
#include "tests/vme/reference/reference.h"

#include <string.h>

/* The macroblock with what lies around it: [1 + y][1 + x], -1 <= x <= 23, -1 <= y <= 15. */
struct around {
   int p[17][25];
   bool left, up, up_right, corner;
   unsigned mask[3]; /* modes forbidden: 16x16, 8x8, 4x4 */
   int mode_left[4], mode_up[4];
};

/* Neighbours of one block: p(-1..2n-1, -1) is up[1 + x], p(-1, y) is side[y]. */
struct edge {
   int up[33], side[16];
   bool has_left, has_up, has_corner;
};

static int
byte_of(const uint32_t *m, int i)
{
   return (int)(m[i / 4] >> (8 * (i % 4)) & 255);
}

/* VME-255 to VME-258, VME-308 to VME-319 */
static void
gather(const struct ref_call *c, struct around *a)
{
   const uint32_t *m3 = c->q->in[3], *m4 = c->q->in[4];
   memset(a, 0, sizeof(*a));
   for (int y = 0; y < 16; y++)
      for (int x = 0; x < 16; x++)
         a->p[1 + y][1 + x] = c->source[y][x];
   for (int x = 0; x < 24; x++)
      a->p[0][1 + x] = byte_of(m3 + 2, x);
   for (int y = 0; y < 15; y++)
      a->p[1 + y][0] = byte_of(m4, y);
   int first = (int)(m3[1] >> 24), second = (int)(m4[3] >> 24);
   a->p[0][0] = c->f.corner_swap ? second : first;
   a->p[16][0] = c->f.corner_swap ? first : second;
   a->left = c->f.intra_struct >> 5 & 1;
   a->up = c->f.intra_struct >> 4 & 1;
   a->up_right = c->f.intra_struct >> 3 & 1;
   a->corner = c->f.intra_struct >> 2 & 1;
   a->mask[0] = m3[1] & 15;
   a->mask[1] = m3[0] >> 16 & 0x1ff;
   a->mask[2] = m3[0] & 0x1ff;
   for (int i = 0; i < 4; i++) {
      a->mode_left[i] = (int)(m4[4] >> (4 * i) & 15);
      a->mode_up[i] = (int)(m4[4] >> (16 + 4 * i) & 15);
   }
}

/* Which pixels beyond the upper right corner exist (VME-108). */
static bool
upper_right(const struct around *a, int index, int size)
{
   if (size == 8)
      return index == 0 ? a->up : index == 1 ? a->up_right : index == 2;
   switch (index) {
   case 3:
   case 7:
   case 11:
   case 13:
   case 15:
      return false;
   case 5:
      return a->up_right;
   case 0:
   case 1:
   case 4:
      return a->up;
   }
   return true;
}

static void
edges(const struct around *a, int bx, int by, int size, bool right, struct edge *e)
{
   e->has_left = bx > 0 || a->left;
   e->has_up = by > 0 || a->up;
   e->has_corner = bx > 0 ? (by > 0 || a->up) : by > 0 ? a->left : a->corner;
   for (int x = -1; x < 2 * size; x++) {
      bool beyond = x >= size && !right;
      e->up[1 + x] = size == 16 && x >= 16 ? 0 : a->p[by][1 + bx + (beyond ? size - 1 : x)];
   }
   for (int y = 0; y < size; y++)
      e->side[y] = a->p[1 + by + y][bx];
}

/* VME-397 */
static void
smooth(struct edge *e)
{
   struct edge q = *e;
   const int *u = e->up + 1, *s = e->side;
   int corner = e->up[0];
   q.up[1] = e->has_corner ? (corner + 2 * u[0] + u[1] + 2) >> 2 : (3 * u[0] + u[1] + 2) >> 2;
   for (int x = 1; x < 15; x++)
      q.up[1 + x] = (u[x - 1] + 2 * u[x] + u[x + 1] + 2) >> 2;
   q.up[16] = (u[14] + 3 * u[15] + 2) >> 2;
   if (e->has_up && e->has_left)
      q.up[0] = (u[0] + 2 * corner + s[0] + 2) >> 2;
   else if (e->has_left)
      q.up[0] = (3 * corner + s[0] + 2) >> 2;
   else if (e->has_up)
      q.up[0] = (3 * corner + u[0] + 2) >> 2;
   q.side[0] = e->has_corner ? (corner + 2 * s[0] + s[1] + 2) >> 2 : (3 * s[0] + s[1] + 2) >> 2;
   for (int y = 1; y < 7; y++)
      q.side[y] = (s[y - 1] + 2 * s[y] + s[y + 1] + 2) >> 2;
   q.side[7] = (s[6] + 3 * s[7] + 2) >> 2;
   *e = q;
}

/* p[x,-1] and p[-1,y] with index -1 the corner. */
static int
above(const struct edge *e, int x)
{
   return e->up[1 + x];
}

static int
beside(const struct edge *e, int y)
{
   return y < 0 ? e->up[0] : e->side[y];
}

static int
dc(const struct edge *e, int n)
{
   int up = 0, left = 0;
   for (int i = 0; i < n; i++) {
      up += e->up[1 + i];
      left += e->side[i];
   }
   if (e->has_up && e->has_left)
      return (up + left + n) / (2 * n);
   if (e->has_up)
      return (up + n / 2) / n;
   if (e->has_left)
      return (left + n / 2) / n;
   return 128;
}

static int
three(int a, int b, int c)
{
   return (a + 2 * b + c + 2) >> 2;
}

/* VME-396, VME-398: n is 4 or 8. */
static int
directional(const struct edge *e, int mode, int n, int x, int y)
{
   int z;
   switch (mode) {
   case 3:
      if (x == n - 1 && y == n - 1)
         return (above(e, 2 * n - 2) + 3 * above(e, 2 * n - 1) + 2) >> 2;
      return three(above(e, x + y), above(e, x + y + 1), above(e, x + y + 2));
   case 4:
      if (x > y)
         return three(above(e, x - y - 2), above(e, x - y - 1), above(e, x - y));
      if (x < y)
         return three(beside(e, y - x - 2), beside(e, y - x - 1), beside(e, y - x));
      return three(above(e, 0), above(e, -1), beside(e, 0));
   case 5:
      z = 2 * x - y;
      if (z >= 0 && z % 2 == 0)
         return (above(e, x - (y >> 1) - 1) + above(e, x - (y >> 1)) + 1) >> 1;
      if (z > 0)
         return three(above(e, x - (y >> 1) - 2), above(e, x - (y >> 1) - 1),
                      above(e, x - (y >> 1)));
      if (z == -1)
         return three(beside(e, 0), above(e, -1), above(e, 0));
      return three(beside(e, y - 2 * x - 1), beside(e, y - 2 * x - 2), beside(e, y - 2 * x - 3));
   case 6:
      z = 2 * y - x;
      if (z >= 0 && z % 2 == 0)
         return (beside(e, y - (x >> 1) - 1) + beside(e, y - (x >> 1)) + 1) >> 1;
      if (z > 0)
         return three(beside(e, y - (x >> 1) - 2), beside(e, y - (x >> 1) - 1),
                      beside(e, y - (x >> 1)));
      if (z == -1)
         return three(beside(e, 0), above(e, -1), above(e, 0));
      return three(above(e, x - 2 * y - 1), above(e, x - 2 * y - 2), above(e, x - 2 * y - 3));
   case 7:
      if (y % 2 == 0)
         return (above(e, x + (y >> 1)) + above(e, x + (y >> 1) + 1) + 1) >> 1;
      return three(above(e, x + (y >> 1)), above(e, x + (y >> 1) + 1), above(e, x + (y >> 1) + 2));
   }
   z = x + 2 * y; /* mode 8 */
   if (z > 2 * n - 3)
      return beside(e, n - 1);
   if (z == 2 * n - 3)
      return (beside(e, n - 2) + 3 * beside(e, n - 1) + 2) >> 2;
   if (z % 2 == 0)
      return (beside(e, y + (x >> 1)) + beside(e, y + (x >> 1) + 1) + 1) >> 1;
   return three(beside(e, y + (x >> 1)), beside(e, y + (x >> 1) + 1), beside(e, y + (x >> 1) + 2));
}

/* VME-399 */
static int
plane(const struct edge *e, int x, int y)
{
   int h = 0, v = 0;
   for (int i = 0; i < 8; i++) {
      h += (i + 1) * (above(e, 8 + i) - above(e, 6 - i));
      v += (i + 1) * (beside(e, 8 + i) - beside(e, 6 - i));
   }
   int b = (5 * h + 32) >> 6, c = (5 * v + 32) >> 6;
   int a = 16 * (beside(e, 15) + above(e, 15));
   int value = (a + b * (x - 7) + c * (y - 7) + 16) >> 5;
   return value < 0 ? 0 : value > 255 ? 255 : value;
}

static bool
mode_exists(const struct edge *e, int mode, int size)
{
   bool all = e->has_left && e->has_up && e->has_corner;
   if (size == 16 && mode == 3)
      return all;
   switch (mode) {
   case 0:
   case 3:
   case 7:
      return e->has_up;
   case 1:
   case 8:
      return e->has_left;
   case 2:
      return true;
   }
   return all;
}

static int
predicted_pixel(const struct edge *e, int mode, int size, int x, int y)
{
   if (mode == 0)
      return above(e, x);
   if (mode == 1)
      return beside(e, y);
   if (mode == 2)
      return dc(e, size);
   return size == 16 ? plane(e, x, y) : directional(e, mode, size, x, y);
}

/* Best mode of one block; REF_NONE if there is none. */
static int
best_mode(const struct ref_call *c, const struct edge *e, struct ref_block b, unsigned mask,
          int expected, int *chosen)
{
   int best = REF_NONE;
   for (int mode = 0; mode < (b.w == 16 ? 4 : 9); mode++) {
      uint8_t pred[16][16];
      if ((mask >> mode & 1) || !mode_exists(e, mode, b.w))
         continue;
      for (int y = 0; y < b.h; y++)
         for (int x = 0; x < b.w; x++)
            pred[b.y + y][b.x + x] = (uint8_t)predicted_pixel(e, mode, b.w, x, y);
      int cost = ref_distortion(c->source, pred, b, c->f.intra_haar);
      if (b.w < 16 && mode != expected) /* VME-154, VME-317 */
         cost += c->f.lut_mode[0];
      if (cost < best) {
         best = cost;
         *chosen = mode;
      }
   }
   return best;
}

/* VME-318: size in 4x4 columns is 1 or 2; modes by 4x4 column and row. */
static int
expected_mode(const struct around *a, int modes[4][4], int col, int row, int span)
{
   /* A5, A13 and B10, B14 for 8x8: the first of the two in each. */
   if ((col == 0 && !a->left) || (row == 0 && !a->up))
      return 2;
   int left = col ? modes[row][col - span] : a->mode_left[row];
   int up = row ? modes[row - span][col] : a->mode_up[col];
   return left < up ? left : up;
}

static int
search_type(const struct ref_call *c, const struct around *a, int size, int modes[16])
{
   int sum = 0, grid[4][4], blocks = 256 / (size * size);
   memset(grid, 0, sizeof(grid));
   for (int i = 0; i < blocks; i++) {
      struct ref_block b = size == 16  ? ref_block(REF_16X16)
                           : size == 8 ? ref_block(REF_8X8 + i)
                                       : ref_block(REF_4X4 + i);
      struct edge e = {.has_up = false};
      int mode = 0;
      edges(a, b.x, b.y, size, size == 16 || upper_right(a, i, size), &e);
      if (size == 8)
         smooth(&e);
      int expected = size == 16 ? 0 : expected_mode(a, grid, b.x / 4, b.y / 4, size / 4);
      int cost = best_mode(c, &e, b, a->mask[size == 16 ? 0 : size == 8 ? 1 : 2], expected, &mode);
      if (cost >= REF_NONE)
         return REF_NONE;
      sum += cost;
      grid[b.y / 4][b.x / 4] = mode;
      for (int j = 0; j < 16 / blocks; j++)
         modes[i * (16 / blocks) + j] = mode;
   }
   return sum;
}

/* VME-104 to VME-109, VME-186 */
void
ref_intra_search(struct ref_call *c)
{
   struct around a;
   if (!c->f.intra || c->f.intra_part_mask == 7)
      return;
   c->intra.performed = true;
   gather(c, &a);
   for (int type = 0; type < 3; type++) {
      int modes[16] = {0};
      if (c->f.intra_part_mask >> type & 1)
         continue;
      int cost = search_type(c, &a, 16 >> type, modes);
      if (cost >= REF_NONE)
         continue;
      cost += c->f.lut_mode[1 + type];
      if (c->intra.available && cost >= c->intra.distortion)
         continue;
      c->intra.available = true;
      c->intra.mode = type;
      c->intra.distortion = cost;
      memcpy(c->intra.modes, modes, sizeof(modes));
   }
}
