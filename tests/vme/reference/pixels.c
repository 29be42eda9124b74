/* Pixels of surfaces and windows, interpolation, distortions. */
#include "tests/vme/reference/reference.h"

#include <stdlib.h>

static int
clamp(int v, int low, int high)
{
   return v < low ? low : v > high ? high : v;
}

/* VME-192, VME-193: the nearest pixel of the picture, or of the field. */
int
ref_surface_pixel(const struct vme_picture *p, bool field, int polarity, int x, int y)
{
   int height = field ? (int)p->height / 2 : (int)p->height;
   x = clamp(x, 0, (int)p->width - 1);
   y = clamp(y, 0, height - 1);
   int line = field ? 2 * y + polarity : y;
   return p->pixels[(size_t)line * p->width + (size_t)x];
}

/* Where taps may come from: a rectangle of the picture that other places are moved into. */
struct area {
   const struct vme_picture *p;
   bool field;
   int polarity;
   bool bounded;
   int x0, y0, x1, y1;
};

static int
area_pixel(const struct area *a, int x, int y)
{
   if (a->bounded) {
      x = clamp(x, a->x0, a->x1);
      y = clamp(y, a->y0, a->y1);
   }
   return ref_surface_pixel(a->p, a->field, a->polarity, x, y);
}

/* VME-068, VME-069, VME-074, VME-075: four pixels in line, a position between the middle two. */
static int
filter(const int p[4], int fraction, bool bilinear)
{
   if (bilinear) {
      switch (fraction) {
      case 1:
         return (3 * p[1] + p[2] + 2) >> 2;
      case 2:
         return (p[1] + p[2] + 1) >> 1;
      case 3:
         return (p[1] + 3 * p[2] + 2) >> 2;
      }
      return p[1];
   }
   switch (fraction) {
   case 1:
      return clamp((-p[0] + 13 * p[1] + 5 * p[2] - p[3] + 8) >> 4, 0, 255);
   case 2:
      return clamp((-p[0] + 5 * p[1] + 5 * p[2] - p[3] + 4) >> 3, 0, 255);
   case 3:
      return clamp((-p[0] + 5 * p[1] + 13 * p[2] - p[3] + 8) >> 4, 0, 255);
   }
   return p[1];
}

/* VME-071: rows first, the results as bytes, then the column. */
static int
interpolated(const struct area *a, int x4, int y4, bool bilinear)
{
   int x = x4 >> 2, y = y4 >> 2;
   int column[4];
   for (int i = 0; i < 4; i++) {
      int row[4];
      for (int j = 0; j < 4; j++)
         row[j] = area_pixel(a, x - 1 + j, y - 1 + i);
      column[i] = filter(row, x4 & 3, bilinear);
   }
   return filter(column, y4 & 3, bilinear);
}

static void
predict(const struct ref_call *c, const struct area *a, struct ref_block b, struct ref_vector v,
        uint8_t pred[16][16])
{
   bool whole = !(v.x & 3) && !(v.y & 3);
   for (int y = b.y; y < b.y + b.h; y++)
      for (int x = b.x; x < b.x + b.w; x++) {
         int x4 = 4 * (c->f.src_x + x) + v.x, y4 = 4 * (c->f.src_y + y) + v.y;
         pred[y][x] = (uint8_t)(whole ? area_pixel(a, x4 >> 2, y4 >> 2)
                                      : interpolated(a, x4, y4, c->f.bilinear));
      }
}

void
ref_predict_surface(const struct ref_call *c, int reference, struct ref_block b,
                    struct ref_vector v, uint8_t pred[16][16])
{
   struct area a = {.p = &c->q->reference[reference],
                    .field = c->f.ref_field,
                    .polarity = c->f.ref_polarity[reference]};
   predict(c, &a, b, v, pred);
}

/* VME-072: taps do not leave the window. */
void
ref_predict_window(const struct ref_call *c, int reference, struct ref_block b, struct ref_vector v,
                   uint8_t pred[16][16])
{
   int x0 = c->f.src_x + c->f.ref[reference].x, y0 = c->f.src_y + c->f.ref[reference].y;
   struct area a = {.p = &c->q->reference[reference],
                    .field = c->f.ref_field,
                    .polarity = c->f.ref_polarity[reference],
                    .bounded = true,
                    .x0 = x0,
                    .y0 = y0,
                    .x1 = x0 + c->f.win_w - 1,
                    .y1 = y0 + c->f.win_h - 1};
   predict(c, &a, b, v, pred);
}

/* VME-083 */
void
ref_weigh(const uint8_t a[16][16], const uint8_t b[16][16], int weight, uint8_t out[16][16])
{
   for (int y = 0; y < 16; y++)
      for (int x = 0; x < 16; x++)
         out[y][x] = (uint8_t)(((64 - weight) * a[y][x] + weight * b[y][x] + 32) >> 6);
}

/* VME-111 to VME-117 */
static int
haar(const int d[16])
{
   int sum = 0, t[8], u[4];
   for (int i = 0; i < 8; i++) {
      t[i] = d[2 * i] + d[2 * i + 1];
      sum += abs(d[2 * i] - d[2 * i + 1]);
   }
   for (int half = 0; half < 2; half++)
      for (int i = 0; i < 2; i++) {
         u[2 * half + i] = t[4 * half + i] + t[4 * half + i + 2];
         sum += abs(t[4 * half + i] - t[4 * half + i + 2]);
      }
   sum += abs(u[0] - u[1]) + abs(u[2] - u[3]);
   int top = u[0] + u[1], bottom = u[2] + u[3];
   return sum + abs(top + bottom) + abs(top - bottom);
}

/* VME-118: halved. */
int
ref_distortion_4x4(const uint8_t a[16][16], const uint8_t b[16][16], int x, int y, bool use_haar)
{
   int d[16], sum = 0;
   for (int i = 0; i < 16; i++) {
      d[i] = a[y + i / 4][x + i % 4] - b[y + i / 4][x + i % 4];
      sum += abs(d[i]);
   }
   return (use_haar ? haar(d) : sum) >> 1;
}

int
ref_distortion(const uint8_t a[16][16], const uint8_t b[16][16], struct ref_block block,
               bool use_haar)
{
   int sum = 0;
   for (int y = 0; y < block.h; y += 4)
      for (int x = 0; x < block.w; x += 4)
         sum += ref_distortion_4x4(a, b, block.x + x, block.y + y, use_haar);
   return sum;
}
