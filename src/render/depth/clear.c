/* Clears of the depth buffer by 3DSTATE_WM, in the memory of the buffers themselves: there is no
 * other copy of depth that could differ (P3D-313), so that the resolves have nothing to do. */
#include "render/depth/depth.h"

#include "machine/bounds.h"

/* A row of four pixels of 32 bits, or eight of 16, is 16 bytes of memory. */
static bool
clear_row_part(const struct depth *d, int32_t x, int32_t y, uint32_t layer, const uint32_t fill[4])
{
   uint32_t address;
   if (!depth_address(d, &d->view, x, y, layer, 0, &address))
      return false;
   return address % 16 == 0 && mem_write(d->space, address, fill, 16);
}

static void
clear_depth(const struct depth *d, int32_t x0, int32_t y0, int32_t x1, int32_t y1, uint32_t layer,
            uint32_t value)
{
   unsigned size = depth_element_B(d);
   int32_t step = (int32_t)(16 / size);
   uint32_t word = size == 2 ? (value & 0xffff) * 0x10001u : value;
   const uint32_t fill[4] = {word, word, word, word};
   for (int32_t y = y0; y < y1; y++)
      for (int32_t x = x0; x < x1;) {
         bool part = d->view.samples == 1 && (x + d->offset_x) % step == 0 && x + step <= x1;
         if (part && clear_row_part(d, x, y, layer, fill)) {
            x += step;
            continue;
         }
         for (unsigned s = 0; s < d->view.samples; s++) {
            uint32_t address;
            if (depth_address(d, &d->view, x, y, layer, s, &address))
               mem_write(d->space, address, &word, size);
         }
         x++;
      }
}

static void
clear_stencil(const struct depth *d, int32_t x0, int32_t y0, int32_t x1, int32_t y1, uint32_t layer)
{
   const struct stencil_face *f = &d->face[0];
   for (int32_t y = y0; y < y1; y++)
      for (int32_t x = x0; x < x1; x++)
         for (unsigned s = 0; s < d->stencil_view.samples; s++) {
            uint32_t address;
            uint8_t v;
            if (!depth_address(d, &d->stencil_view, x, y, layer, s, &address) ||
                !mem_read(d->space, address, &v, 1))
               continue;
            uint8_t to = stencil_operate(f->pass, v, f->reference);
            v = (uint8_t)((v & ~f->write_mask) | (to & f->write_mask));
            mem_write(d->space, address, &v, 1);
         }
}

void
depth_clear(const struct depth *d, int32_t x0, int32_t y0, int32_t x1, int32_t y1, uint32_t layer,
            float z)
{
   const struct surface_view *v = d->present ? &d->view : &d->stencil_view;
   x0 = int_most(x0, -d->offset_x);
   y0 = int_most(y0, -d->offset_y);
   x1 = int_least(x1, (int32_t)v->width - d->offset_x);
   y1 = int_least(y1, (int32_t)v->height - d->offset_y);
   uint32_t value = d->clear_valid ? d->clear_value : depth_encode(d->format, z);
   if (d->format == DEPTH_D24_UNORM_X8)
      value &= 0xffffff;
   if (d->present && d->write)
      clear_depth(d, x0, y0, x1, y1, layer, value);
   if (d->stencil_write)
      clear_stencil(d, x0, y0, x1, y1, layer);
}
