/* Depth and stencil of a group of pixels, sample by sample: the general code. */
#include "render/depth/depth.h"

#include "machine/host.h"
#include "render/pixel.h"

bool
depth_address(const struct depth *d, const struct surface_view *v, int32_t x, int32_t y,
              uint32_t layer, unsigned sample, uint32_t *address)
{
   uint32_t slice = surface_view_layer(v, layer);
   x += d->offset_x;
   y += d->offset_y;
   if (x < 0 || y < 0 || !surface_view_contains(v, (uint32_t)x, (uint32_t)y, slice))
      return false;
   return surface_view_address(v, (uint32_t)x, (uint32_t)y, slice, sample, address);
}

/* Reads what the tests need of a sample, tests, and writes. */
static bool
test_sample(const struct depth *d, const struct pixel_group *g, unsigned pixel, unsigned sample,
            float z, bool commit, uint32_t *stencil_failed)
{
   int32_t x = g->x[pixel / 4] + (pixel & 1), y = g->y[pixel / 4] + (pixel >> 1 & 1);
   uint32_t depth_at = 0, stencil_at = 0, stored = 0;
   uint8_t stencil = 0;
   unsigned size = depth_element_B(d);
   bool uses_depth = d->test || d->write;
   if (uses_depth && !depth_address(d, &d->view, x, y, g->layer, sample, &depth_at))
      return false; /* P3D-295: outside of the level there is nothing to draw on */
   if (d->stencil && !depth_address(d, &d->stencil_view, x, y, g->layer, sample, &stencil_at))
      return false;
   if (d->test)
      mem_read(d->space, depth_at, &stored, size);
   if (d->stencil)
      mem_read(d->space, stencil_at, &stencil, 1);
   z = depth_clamp(z, d->clamp[g->viewport & (DEPTH_VIEWPORTS - 1)]);
   struct depth_outcome out = depth_sample(d, g->back_facing, z, stored, stencil);
   if (commit && out.write_depth)
      mem_write(d->space, depth_at, &out.depth, size);
   if (commit && out.write_stencil)
      mem_write(d->space, stencil_at, &out.stencil, 1);
   if (!out.stencil_passed)
      *stencil_failed |= 1u << pixel;
   return out.pass;
}

void
depth_group_why(const struct depth *d, const struct pixel_group *g, const float (*z)[32],
                uint32_t *lit, bool commit, uint32_t *stencil_failed)
{
   if (!d->test && !d->write && !d->stencil)
      return;
   if (d->fast && d->fast->group(d, g, z[0], lit, commit))
      return;
   for (unsigned s = 0; s < g->samples; s++)
      for (uint32_t left = lit[s]; left; left &= left - 1) {
         unsigned pixel = (unsigned)__builtin_ctz(left);
         if (!test_sample(d, g, pixel, s, z[s][pixel], commit, stencil_failed))
            lit[s] &= ~(1u << pixel);
      }
}

void
depth_group(const struct depth *d, const struct pixel_group *g, const float (*z)[32], uint32_t *lit,
            bool commit)
{
   uint32_t stencil_failed = 0;
   depth_group_why(d, g, z, lit, commit, &stencil_failed);
}
