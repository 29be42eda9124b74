/* Pixels of the source and the references: luma, any place, linear and tiled, frame and field. */
#include "shared_functions/vme/vme.h"

#include "machine/bounds.h"

#include <string.h>

/* Bytes of a row that lie side by side in memory, in one page. */
static unsigned
contiguous(const struct media_plane *p, uint32_t x, uint32_t address)
{
   uint32_t x_B = p->x_B + x, page = 4096 - (address & 4095);
   uint32_t run = p->tiling == MEM_TILE_X   ? 512 - (x_B & 511)
                  : p->tiling == MEM_TILE_Y ? 16 - (x_B & 15)
                                            : page;
   return run < page ? run : page;
}

static void
observe(const struct vme *v, uint32_t address, unsigned bytes)
{
   struct pergola_device *dev = v->t->env->dev;
   if (!trace_wants(&dev->trace, PERGOLA_EVENT_MEMORY))
      return;
   struct pergola_event e = {.kind = PERGOLA_EVENT_MEMORY,
                             .engine = "EU",
                             .time_ns = dev->time_ns,
                             .a = address,
                             .b = bytes};
   trace_emit(&dev->trace, &e);
}

/* n pixels inside the row. A page that is not there has been reported as a fault: zeros. */
static void
fetch_inside(const struct vme *v, const struct media_plane *p, uint32_t x, uint32_t row, unsigned n,
             uint8_t *out)
{
   struct mem_space *space = v->t->env->space;
   while (n) {
      uint32_t address;
      bool exists = media_plane_address(p, x, row, &address);
      unsigned run = p->step_B != 1 ? 1 : exists ? contiguous(p, x, address) : 1;
      if (run > n)
         run = n;
      const uint8_t *host = exists ? mem_translate(space, address, MEM_READ) : NULL;
      if (host)
         memcpy(out, host, run);
      else
         memset(out, 0, run);
      if (exists)
         observe(v, address, run);
      out += run;
      x += run;
      n -= run;
   }
}

/* VME-192 */
static void
fetch_row(const struct vme *v, const struct media_plane *p, int32_t x, uint32_t row, unsigned w,
          uint8_t *out)
{
   int64_t last = (int64_t)p->width - 1;
   int32_t first = (int32_t)long_between(0, x, last),
           end = (int32_t)long_between(0, (int64_t)x + w - 1, last) + 1;
   unsigned left = first > x ? (unsigned)((int64_t)first - x) : 0;
   if (left >= w)
      left = w - 1; /* all of it lies left of the picture */
   unsigned inside = (unsigned)(end - first);
   if (inside > w - left)
      inside = w - left;
   fetch_inside(v, p, (uint32_t)first, row, inside, out + left);
   memset(out, out[left], left);
   memset(out + left + inside, out[left + inside - 1], w - left - inside);
}

/* Rows of a linear plane that lie inside the picture and in known pages, sixteen bytes at a time:
 * what is read beyond w goes to a margin. False: not so. */
static bool
fetch_linear(const struct vme *v, const struct vme_plane *s, int32_t x, int32_t y, unsigned w,
             unsigned h, uint8_t *out, unsigned stride)
{
   const struct media_plane *p = &s->plane;
   unsigned wide = (w + 15) & ~15u, skip = s->field ? 2 : 1;
   if (p->tiling != MEM_LINEAR || p->step_B != 1 || x < 0 || y < 0 || (uint32_t)x + w > p->width ||
       (uint32_t)y + h > s->height || wide > stride || !s->ok ||
       trace_wants(&v->t->env->dev->trace, PERGOLA_EVENT_MEMORY))
      return false;
   uint32_t row = (uint32_t)y * skip + (s->field ? s->polarity : 0);
   uint64_t address = p->base + (uint64_t)(p->y + row) * p->pitch_B + p->x_B + (uint32_t)x;
   if ((address + (uint64_t)h * skip * p->pitch_B) >> 32)
      return false;
   for (unsigned i = 0; i < h; i++, address += (uint64_t)skip * p->pitch_B, out += stride) {
      const uint8_t *host = mem_known(v->t->env->space, (uint32_t)address, MEM_READ);
      if (!host)
         return false;
      if ((address & 4095) + wide <= 4096)
         for (unsigned k = 0; k < wide; k += 16)
            memcpy(out + k, host + k, 16);
      else
         fetch_inside(v, p, (uint32_t)x, row + i * skip, w, out);
   }
   return true;
}

void
vme_fetch(const struct vme *v, unsigned plane, int32_t x, int32_t y, unsigned w, unsigned h,
          uint8_t *out, unsigned stride)
{
   const struct vme_plane *s = &v->plane[plane];
   uint32_t before = UINT32_MAX;
   if (fetch_linear(v, s, x, y, w, h, out, stride))
      return;
   for (unsigned i = 0; i < h; i++) {
      /* VME-193, VME-250 … VME-252: rows of a field, clamped in the field. */
      uint32_t row = (uint32_t)long_between(0, (int64_t)y + i, (int64_t)s->height - 1);
      if (s->field)
         row = (uint32_t)long_between(0, (int64_t)row * 2 + s->polarity,
                                      (int64_t)s->plane.height - 1);
      if (!s->ok)
         memset(out + i * stride, 0, w);
      else if (row == before)
         memcpy(out + i * stride, out + (i - 1) * stride, w);
      else
         fetch_row(v, &s->plane, x, row, w, out + i * stride);
      before = row;
   }
}
