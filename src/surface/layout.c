/* Where a texel lies: levels, slices, samples, tiles. */
#include "surface/format.h"
#include "surface/surface.h"
#include "surface/view.h"

static uint32_t
align_up(uint32_t v, uint32_t a)
{
   return (v + a - 1) / a * a;
}

static uint32_t
minify(uint32_t v, unsigned lod)
{
   v = lod < 32 ? v >> lod : 0;
   return v ? v : 1;
}

static bool
is_interleaved(const struct surface *s)
{
   return s->samples > 1 && s->interleaved;
}

/* SMP-468: the size that memory sees; a pixel of an interleaved surface is 2×2 or 4×2 of them. */
static uint32_t
physical_width(const struct surface *s)
{
   return is_interleaved(s) ? align_up(s->width, 2) / 2 * (s->samples == 8 ? 8u : 4u) : s->width;
}

static uint32_t
physical_height(const struct surface *s)
{
   if (s->type == SURFTYPE_1D)
      return 1;
   return is_interleaved(s) ? align_up(s->height, 2) * 2 : s->height;
}

static uint32_t
padded_width(const struct surface *s, unsigned lod)
{
   return align_up(minify(physical_width(s), lod), s->halign);
}

static uint32_t
padded_height(const struct surface *s, unsigned lod)
{
   return align_up(minify(physical_height(s), lod), s->valign);
}

struct surface_extent
surface_level_size(const struct surface *s, unsigned lod)
{
   struct surface_extent e = {minify(s->width, lod), 1, s->array ? s->depth : 1};
   if (s->type != SURFTYPE_1D)
      e.height = minify(s->height, lod);
   if (s->type == SURFTYPE_3D)
      e.depth = minify(s->depth, lod);
   if (s->type == SURFTYPE_CUBE)
      e.depth = 6 * (s->array ? s->depth : 1u);
   return e;
}

/* SMP-474 */
static void
position_3d(const struct surface *s, unsigned lod, uint32_t q, uint32_t *x, uint64_t *y)
{
   uint64_t row = 0;
   for (unsigned k = 0; k < lod; k++)
      row += (uint64_t)((minify(s->depth, k) + (1u << k) - 1) >> k) * padded_height(s, k);
   *x = (q & ((1u << lod) - 1)) * padded_width(s, lod);
   *y = row + (uint64_t)(q >> lod) * padded_height(s, lod);
}

/* SMP-470: the second level below the first, all others to the right of the second. */
static void
position_2d(const struct surface *s, unsigned lod, uint32_t *x, uint64_t *y)
{
   *x = lod >= 2 ? padded_width(s, 1) : 0;
   *y = lod >= 1 ? padded_height(s, 0) : 0;
   for (unsigned k = 2; k < lod; k++)
      *y += padded_height(s, k);
}

void
surface_level_position(const struct surface *s, unsigned lod, uint32_t slice, uint32_t *x_el,
                       uint64_t *y_el)
{
   if (lod > 15)
      lod = 15;
   if (s->type == SURFTYPE_3D) {
      position_3d(s, lod, slice, x_el, y_el);
   } else {
      position_2d(s, lod, x_el, y_el);
   }
   *x_el /= s->info->block_w;
   *y_el /= s->info->block_h;
   if (s->type != SURFTYPE_3D)
      *y_el += (uint64_t)slice * s->qpitch; /* SMP-472 */
}

bool
surface_contains(const struct surface *s, const struct surface_texel *at)
{
   if (s->type >= SURFTYPE_BUFFER)
      return s->type <= SURFTYPE_STRBUF && at->x < s->entries;
   if (at->lod >= s->min_lod + s->levels || at->sample >= s->samples)
      return false;
   struct surface_extent e = surface_level_size(s, at->lod);
   return at->x < e.width && at->y < e.height && at->slice < e.depth;
}

bool
surface_byte_address(const struct surface *s, uint32_t x_B, uint64_t row, uint32_t *address)
{
   if (row >> 32)
      return false;
   uint64_t a = s->base + mem_tile_offset(s->tiling, x_B, (uint32_t)row, s->pitch_B);
   *address = (uint32_t)a;
   return a >> 32 == 0;
}

bool
surface_address(const struct surface *s, const struct surface_texel *at, uint32_t *address)
{
   struct surface_view v;
   surface_view_make(&v, s, at->lod);
   return surface_view_address(&v, at->x, at->y, at->slice, at->sample, address);
}
