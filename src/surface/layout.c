/* Where a texel lies: levels, slices, samples, tiles. */
#include "surface/format.h"
#include "surface/surface.h"

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

/* SMP-475 */
static void
interleave(const struct surface *s, unsigned sample, uint32_t *x, uint32_t *y)
{
   uint32_t px = *x, py = *y;
   if (s->samples == 8)
      *x = (px & ~1u) << 2 | (sample & 4) | (sample & 1) << 1 | (px & 1);
   else
      *x = (px & ~1u) << 1 | (sample & 1) << 1 | (px & 1);
   *y = (py & ~1u) << 1 | (sample & 2) | (py & 1);
}

static bool
byte_address(const struct surface *s, uint64_t x_B, uint64_t row, uint32_t *address)
{
   if (x_B >> 32 || row >> 32)
      return false;
   uint64_t a = s->base + mem_tile_offset(s->tiling, (uint32_t)x_B, (uint32_t)row, s->pitch_B);
   *address = (uint32_t)a;
   return a >> 32 == 0;
}

bool
surface_byte_address(const struct surface *s, uint32_t x_B, uint64_t row, uint32_t *address)
{
   return byte_address(s, x_B, row, address);
}

bool
surface_address(const struct surface *s, const struct surface_texel *at, uint32_t *address)
{
   const struct format_info *f = s->info;
   if (s->type == SURFTYPE_BUFFER || s->type == SURFTYPE_STRBUF) {
      uint64_t a =
          s->base + (uint64_t)at->x *
                        (f->layout == FORMAT_RAW && s->type == SURFTYPE_BUFFER ? 1 : s->pitch_B);
      *address = (uint32_t)a;
      return a >> 32 == 0;
   }
   /* The common image: one level in reach, no slices, no samples, texels that are elements. */
   if (__builtin_expect(!(at->lod | at->slice | s->array | s->vls | s->min_array_element) &&
                            s->samples == 1 && f->block_w == 1 && f->block_h == 1,
                        1))
      return byte_address(s, ((uint64_t)at->x + s->x_offset) * f->bits / 8,
                          (uint64_t)at->y + s->y_offset, address);
   uint32_t x = at->x, y = at->y, slice = at->slice;
   if (s->type != SURFTYPE_3D)
      slice += s->min_array_element; /* DP-421 */
   if (is_interleaved(s))
      interleave(s, at->sample, &x, &y);
   else if (s->samples > 1)
      slice = slice * s->samples + at->sample; /* SMP-476 */
   uint32_t x0;
   uint64_t y0;
   surface_level_position(s, at->lod, slice, &x0, &y0);
   uint64_t x_el = (uint64_t)x0 + (x + s->x_offset) / f->block_w;
   uint64_t row = y0 + (y + (uint64_t)s->y_offset) / f->block_h;
   /* DP-472: rows of a field are every second row of the frame. */
   if (s->vls && s->type == SURFTYPE_2D && !s->array)
      row = row * 2 + s->vlso;
   return byte_address(s, x_el * f->bits / 8, row, address);
}
