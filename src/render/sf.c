/* Strips and fans, and the setup backend: a rectangle on the grid of pixels, and its attributes. */
#include "render/draw.h"

#include "device/float_bits.h"

#include <math.h>
#include <string.h>

/* The first pixel whose centre is not before this coordinate, on a grid of 1/256 (or 1/16). */
static int32_t
first_pixel(const struct draw *d, float at)
{
   double grid = d->sf.vertex_sub_pixel_precision_select ? 16 : 256;
   double limited = at < -32768.0f ? -32768.0 : at > 32767.0f ? 32767.0 : (double)at;
   double quantized = rint(limited * grid) / grid;
   return (int32_t)ceil(quantized - 0.5);
}

static int32_t
larger(int32_t a, int32_t b)
{
   return a > b ? a : b;
}

static int32_t
smaller(int32_t a, int32_t b)
{
   return a < b ? a : b;
}

/* G3D-093: pixels whose centres lie inside, left and top edges included; the drawing rectangle
 * always clips. */
static void
bounds(const struct draw *d, struct rectangle *r)
{
   float low[2], high[2];
   for (unsigned k = 0; k < 2; k++) {
      low[k] = fminf(fminf(r->position[0][k], r->position[1][k]), r->position[2][k]);
      high[k] = fmaxf(fmaxf(r->position[0][k], r->position[1][k]), r->position[2][k]);
   }
   const struct gen7_3dstate_drawing_rectangle *a = &d->area;
   r->x0 = larger(first_pixel(d, low[0]), (int32_t)a->clipped_drawing_rectangle_x_min);
   r->y0 = larger(first_pixel(d, low[1]), (int32_t)a->clipped_drawing_rectangle_y_min);
   r->x1 = smaller(first_pixel(d, high[0]), (int32_t)a->clipped_drawing_rectangle_x_max + 1);
   r->y1 = smaller(first_pixel(d, high[1]), (int32_t)a->clipped_drawing_rectangle_y_max + 1);
}

/* G3D-094: from the value at the first vertex, and what it changes by towards the two others. */
static void
attributes(const struct draw *d, const struct vue v[3], struct rectangle *r)
{
   unsigned first = 2 * d->sbe.vertex_urb_entry_read_offset,
            last = first + 2 * d->sbe.vertex_urb_entry_read_length;
   for (unsigned n = 0; n < d->sbe.number_of_sf_output_attributes; n++) {
      unsigned slot = first + n;
      bool flat = d->sbe.constant_interpolation_enable >> n & 1;
      if (slot >= last || slot >= VUE_SLOTS)
         break; /* the rest stays 0 */
      for (unsigned k = 0; k < 4; k++) {
         float a0 = bits_float(v[0].slot[slot][k]);
         r->setup[n][0][k] = v[0].slot[slot][k]; /* an integer survives */
         r->setup[n][1][k] = flat ? 0 : float_bits(bits_float(v[1].slot[slot][k]) - a0);
         r->setup[n][2][k] = flat ? 0 : float_bits(bits_float(v[2].slot[slot][k]) - a0);
      }
   }
}

bool
sf_rectangle(const struct draw *d, const struct vue v[3], struct rectangle *out)
{
   memset(out, 0, sizeof(*out));
   for (unsigned i = 0; i < 3; i++)
      for (unsigned k = 0; k < 4; k++) {
         float f = bits_float(v[i].slot[1][k]);
         if (isnan(f))
            return false; /* G3D-093: such an object vanishes */
         f += k == 0   ? (float)d->area.drawing_rectangle_origin_x
              : k == 1 ? (float)d->area.drawing_rectangle_origin_y
                       : 0;
         out->position[i][k] = f;
      }
   bounds(d, out);
   attributes(d, v, out);
   out->layer = d->clip.force_zero_rta_index_enable ? 0 : v[0].slot[0][1];
   out->viewport = v[0].slot[0][2] > d->clip.maximum_vp_index ? 0 : v[0].slot[0][2];
   return !d->masked && out->x0 < out->x1 && out->y0 < out->y1;
}
