/* The prediction modes of AVC (VME-396 … VME-399). */
#include "shared_functions/vme/intra.h"

#include <string.h>

/* Neighbours of one block of size 4 or 8 as one line from the lowest left pixel by the corner to
 * the last upper right one: p[-1, y] is at[-1 - y - 1], the corner at[-1], p[x, -1] at[x]. */
struct edge {
   uint8_t line[8 + 1 + 16];
   bool left, above, corner;
};
#define CORNER 8

static int
top(const struct edge *e, int x) /* -1: the corner */
{
   return e->line[CORNER + 1 + x];
}

static int
side(const struct edge *e, int y) /* -1: the corner */
{
   return e->line[CORNER - 1 - y];
}

/* Pixel of the source or around it. */
static uint8_t
pixel(const struct vme *v, const struct vme_around *n, int x, int y)
{
   if (y < 0)
      return n->above[x + 1];
   return x < 0 ? n->left[y] : v->src[y * 16 + x];
}

/* VME-108: size 4 or 8, at (x, y) of the macroblock. */
static void
gather(const struct vme *v, const struct vme_around *n, unsigned block, int size, int x, int y,
       struct edge *e)
{
   static const uint16_t no_right_4x4 = 1 << 3 | 1 << 7 | 1 << 11 | 1 << 13 | 1 << 15;
   bool right = size == 4 ? !(no_right_4x4 >> block & 1) : block != 3;
   if (right && y == 0 && x + size == 16)
      right = n->has_right;
   e->left = x || n->has_left;
   e->above = y || n->has_above;
   e->corner = x && y ? true : x ? n->has_above : y ? n->has_left : n->has_corner;
   for (int i = 0; i < size; i++)
      e->line[CORNER - 1 - i] = pixel(v, n, x - 1, y + i);
   e->line[CORNER] = pixel(v, n, x - 1, y - 1);
   for (int i = 0; i < 2 * size; i++) {
      int at = i < size || right ? i : size - 1;
      e->line[CORNER + 1 + i] = pixel(v, n, x + at, y - 1);
   }
}

/* VME-397 */
static void
smooth(struct edge *e)
{
   struct edge p = *e;
   uint8_t *q = e->line;
   const uint8_t *l = p.line;
   const int first = 0, last = CORNER + 16;
   for (int i = 1; i < last; i++)
      q[i] = (uint8_t)((l[i - 1] + 2 * l[i] + l[i + 1] + 2) >> 2);
   q[first] = (uint8_t)((l[1] + 3 * l[0] + 2) >> 2);
   q[last] = (uint8_t)((l[last - 1] + 3 * l[last] + 2) >> 2);
   if (!p.corner) {
      q[CORNER + 1] = (uint8_t)((3 * l[CORNER + 1] + l[CORNER + 2] + 2) >> 2);
      q[CORNER - 1] = (uint8_t)((3 * l[CORNER - 1] + l[CORNER - 2] + 2) >> 2);
   }
   if (!p.above && !p.left)
      q[CORNER] = l[CORNER];
   else if (!p.above)
      q[CORNER] = (uint8_t)((3 * l[CORNER] + l[CORNER - 1] + 2) >> 2);
   else if (!p.left)
      q[CORNER] = (uint8_t)((3 * l[CORNER] + l[CORNER + 1] + 2) >> 2);
}

static uint8_t
mean2(int a, int b)
{
   return (uint8_t)((a + b + 1) >> 1);
}

static uint8_t
mean3(int a, int b, int c)
{
   return (uint8_t)((a + 2 * b + c + 2) >> 2);
}

static uint8_t
average(const struct edge *e, int size)
{
   int sum = 0, sides = e->left + e->above;
   for (int i = 0; i < size; i++)
      sum += (e->above ? top(e, i) : 0) + (e->left ? side(e, i) : 0);
   return sides ? (uint8_t)((sum + size * sides / 2) / (size * sides)) : 128;
}

static uint8_t
down_left(const struct edge *e, int size, int x, int y)
{
   if (x == size - 1 && y == size - 1)
      return mean3(top(e, 2 * size - 2), top(e, 2 * size - 1), top(e, 2 * size - 1));
   return mean3(top(e, x + y), top(e, x + y + 1), top(e, x + y + 2));
}

/* Along the line of neighbours: i counts from the corner, to the right positive. */
static int
along(const struct edge *e, int i)
{
   return e->line[CORNER + i];
}

static uint8_t
down_right(const struct edge *e, int x, int y)
{
   return mean3(along(e, x - y - 1), along(e, x - y), along(e, x - y + 1));
}

/* z = 2x - y: two taps, three taps, the corner, then down the left side. */
static uint8_t
vertical_right(const struct edge *e, int x, int y)
{
   int z = 2 * x - y, at = x - (y >> 1);
   if (z >= 0 && z % 2 == 0)
      return mean2(top(e, at - 1), top(e, at));
   if (z >= 0)
      return mean3(top(e, at - 2), top(e, at - 1), top(e, at));
   if (z == -1)
      return mean3(side(e, 0), side(e, -1), top(e, 0));
   return mean3(side(e, y - 2 * x - 1), side(e, y - 2 * x - 2), side(e, y - 2 * x - 3));
}

static uint8_t
horizontal_down(const struct edge *e, int x, int y)
{
   int z = 2 * y - x, at = y - (x >> 1);
   if (z >= 0 && z % 2 == 0)
      return mean2(side(e, at - 1), side(e, at));
   if (z >= 0)
      return mean3(side(e, at - 2), side(e, at - 1), side(e, at));
   if (z == -1)
      return mean3(side(e, 0), side(e, -1), top(e, 0));
   return mean3(top(e, x - 2 * y - 1), top(e, x - 2 * y - 2), top(e, x - 2 * y - 3));
}

static uint8_t
vertical_left(const struct edge *e, int x, int y)
{
   int at = x + (y >> 1);
   return y % 2 ? mean3(top(e, at), top(e, at + 1), top(e, at + 2))
                : mean2(top(e, at), top(e, at + 1));
}

static uint8_t
horizontal_up(const struct edge *e, int size, int x, int y)
{
   int z = x + 2 * y, at = y + (x >> 1), last = side(e, size - 1);
   if (z > 2 * size - 3)
      return (uint8_t)last;
   if (z == 2 * size - 3)
      return mean3(side(e, size - 2), last, last);
   return z % 2 ? mean3(side(e, at), side(e, at + 1), side(e, at + 2))
                : mean2(side(e, at), side(e, at + 1));
}

static bool
possible(const struct edge *e, unsigned mode)
{
   switch (mode) {
   case 0:
   case 3:
   case 7:
      return e->above;
   case 1:
   case 8:
      return e->left;
   case 2:
      return true;
   default:
      return e->left && e->above && e->corner;
   }
}

static bool
predict(const struct edge *e, int size, unsigned mode, uint8_t *out)
{
   if (!possible(e, mode))
      return false;
   uint8_t dc = mode == 2 ? average(e, size) : 0;
   for (int y = 0; y < size; y++)
      for (int x = 0; x < size; x++) {
         uint8_t *p = &out[y * 16 + x];
         switch (mode) {
         case 0:
            *p = (uint8_t)top(e, x);
            break;
         case 1:
            *p = (uint8_t)side(e, y);
            break;
         case 2:
            *p = dc;
            break;
         case 3:
            *p = down_left(e, size, x, y);
            break;
         case 4:
            *p = down_right(e, x, y);
            break;
         case 5:
            *p = vertical_right(e, x, y);
            break;
         case 6:
            *p = horizontal_down(e, x, y);
            break;
         case 7:
            *p = vertical_left(e, x, y);
            break;
         default:
            *p = horizontal_up(e, size, x, y);
         }
      }
   return true;
}

bool
vme_intra_4x4(const struct vme *v, const struct vme_around *n, unsigned block, unsigned mode,
              uint8_t *out)
{
   struct edge e;
   gather(v, n, block, 4, 4 * (int)vme_cell_x(block), 4 * (int)vme_cell_y(block), &e);
   return predict(&e, 4, mode, out);
}

bool
vme_intra_8x8(const struct vme *v, const struct vme_around *n, unsigned block, unsigned mode,
              uint8_t *out)
{
   struct edge e;
   gather(v, n, block, 8, (int)block % 2 * 8, (int)block / 2 * 8, &e);
   smooth(&e); /* VME-401 */
   return predict(&e, 8, mode, out);
}

static void
plane(const struct vme_around *n, uint8_t *out)
{
   const uint8_t *t = n->above + 1; /* t[-1]: the corner */
   int h = 0, d = 0;
   for (int i = 0; i < 8; i++) {
      int opposite = 6 - i < 0 ? n->above[0] : n->left[6 - i];
      h += (i + 1) * (t[8 + i] - t[6 - i]);
      d += (i + 1) * (n->left[8 + i] - opposite);
   }
   int b = (5 * h + 32) >> 6, c = (5 * d + 32) >> 6, a = 16 * (n->left[15] + t[15]);
   for (int y = 0; y < 16; y++)
      for (int x = 0; x < 16; x++) {
         int value = (a + b * (x - 7) + c * (y - 7) + 16) >> 5;
         out[y * 16 + x] = (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
      }
}

bool
vme_intra_16x16(const struct vme *v, const struct vme_around *n, unsigned block, unsigned mode,
                uint8_t *out)
{
   int sum = 0, sides = n->has_left + n->has_above;
   if ((mode == 0 && !n->has_above) || (mode == 1 && !n->has_left) ||
       (mode == 3 && (sides < 2 || !n->has_corner)))
      return false;
   if (mode == 3) {
      plane(n, out);
      return true;
   }
   for (unsigned i = 0; i < 16; i++)
      sum += (n->has_above ? n->above[1 + i] : 0) + (n->has_left ? n->left[i] : 0);
   uint8_t dc = sides ? (uint8_t)((sum + 8 * sides) / (16 * sides)) : 128;
   for (unsigned y = 0; y < 16; y++)
      if (mode == 0)
         memcpy(out + y * 16, n->above + 1, 16);
      else
         memset(out + y * 16, mode == 1 ? n->left[y] : dc, 16);
   return true;
}
