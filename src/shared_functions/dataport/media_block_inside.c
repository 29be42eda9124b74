/* Media blocks that lie inside their surface, row under row, in sight of nobody: what is one behind
 * the other in memory is found once and copied at once. */
#include "shared_functions/dataport/media_block.h"
#include "shared_functions/dataport/vector.h"

/* How rows follow each other at some place of a surface. */
struct run {
   unsigned size_B; /* of a row, side by side in memory */
   unsigned rows;   /* as far as `step_B` holds */
   uint32_t step_B;
};

static struct run
run_at(const struct surface *s, uint32_t x_B, uint32_t y, unsigned size_B, unsigned rows)
{
   struct run r = {size_B, rows, s->pitch_B};
   if (s->tiling == MEM_LINEAR)
      return r;
   bool x_major = s->tiling == MEM_TILE_X;
   unsigned column_B = x_major ? 512 : 16, tile_rows = x_major ? 8 : 32;
   unsigned width = column_B - x_B % column_B, height = tile_rows - y % tile_rows;
   r.size_B = size_B < width ? size_B : width;
   r.rows = rows < height ? rows : height;
   r.step_B = column_B;
   return r;
}

static ALWAYS_INLINE void
copy_rows(uint8_t *to, size_t to_step, const uint8_t *from, size_t from_step, unsigned size,
          unsigned rows)
{
   for (; rows; rows--, to += to_step, from += from_step) {
      if (size == 16)
         store4(to, load4(from));
      else if (size == 32)
         copy_reg(to, from);
      else
         memcpy(to, from, size);
   }
}

/* Copies the first rows of a run; returns how many. A row that is not known to lie in one page goes
 * the slow path. */
static unsigned
copy_run(struct dp *d, uint32_t x_B, uint32_t y, struct run r, uint8_t *out, const uint8_t *in,
         unsigned reg_pitch_B)
{
   uint32_t address;
   if (!surface_byte_address(&d->s, x_B, y, &address)) {
      if (out)
         memset(out, 0, r.size_B);
      return 1;
   }
   unsigned room = 4096 - address % 4096;
   uint8_t *host =
       r.size_B <= room ? mem_known(d->space, address, out ? MEM_READ : MEM_WRITE) : NULL;
   if (!host) {
      if (out)
         dp_load(d, address, out, r.size_B);
      else
         dp_store(d, address, in, r.size_B);
      return 1;
   }
   unsigned fit = 1 + (room - r.size_B) / r.step_B, rows = r.rows < fit ? r.rows : fit;
   if (out)
      copy_rows(out, reg_pitch_B, host, r.step_B, r.size_B, rows);
   else
      copy_rows(host, r.step_B, in, reg_pitch_B, r.size_B, rows);
   return rows;
}

bool
media_block_inside(struct dp *d, const struct media_block *b, uint8_t *out, const uint8_t *in,
                   unsigned room_B)
{
   int64_t x0 = b->h.x_offset, y0 = b->h.y_offset;
   if (d->observed || b->vls || b->pixel_mask != ~0u || x0 < 0 || x0 + b->width_B > b->row_B ||
       y0 < 0 || y0 + b->rows > b->height || (b->rows - 1) * b->reg_pitch_B + b->width_B > room_B)
      return false;
   uint32_t x = (uint32_t)x0 + d->s.x_offset * 4u, y = (uint32_t)y0 + d->s.y_offset; /* DP-419 */
   for (unsigned c = 0, size; c < b->width_B; c += size) {
      size = run_at(&d->s, x + c, y, b->width_B - c, b->rows).size_B;
      for (unsigned i = 0; i < b->rows;) {
         struct run r = run_at(&d->s, x + c, y + i, b->width_B - c, b->rows - i);
         unsigned at = i * b->reg_pitch_B + c;
         i += copy_run(d, x + c, y + i, r, out ? out + at : NULL, in ? in + at : NULL,
                       b->reg_pitch_B);
      }
   }
   return true;
}
