/* BAR2: the aperture. Fences turn what the host sees as linear into tiles; then the GGTT. */
#include "device/assembly.h"
#include "gen11/gen11.h"
#include "rules/plural.h"

#include <string.h>

struct fence {
   uint64_t start, end; /* bytes, end exclusive */
   uint32_t pitch;
   enum mem_tiling tiling;
};

/* SYS-440, RCS-198: bounds are pages, the last one inclusive; the pitch counts 128 bytes less one.
 */
static bool
read_fence(const struct pergola_device *dev, unsigned index, struct fence *f)
{
   uint32_t lo = reg_get(dev, REG_FENCE_0 + 8 * index),
            hi = reg_get(dev, REG_FENCE_0 + 8 * index + 4);
   if (!(lo & REG_FENCE_0__VALID))
      return false;
   f->start = lo & REG_FENCE_0__LOWER_BOUND_PAGE;
   f->end = (uint64_t)(hi & REG_FENCE_0__UPPER_BOUND_PAGE) + MEM_PAGE_SIZE;
   f->pitch = (hw_get(hi, REG_FENCE_0__PITCH) + 1) * 128;
   f->tiling = lo & REG_FENCE_0__TILE_WALK ? MEM_TILE_Y : MEM_TILE_X;
   return true;
}

/* MEM-019: the lowest-numbered fence that holds the address. */
static bool
find_fence(const struct pergola_device *dev, uint64_t address, struct fence *f)
{
   unsigned count = dev->sku.fences;
   for (unsigned i = 0; i < count; i++)
      if (read_fence(dev, i, f) && address >= f->start && address < f->end)
         return true;
   return false;
}

/* Where the byte at `address` really is, and how many bytes from there stay together. */
static uint64_t
place(const struct pergola_device *dev, uint64_t address, size_t *together)
{
   struct fence f;
   *together = MEM_PAGE_SIZE - (address & (MEM_PAGE_SIZE - 1));
   if (!find_fence(dev, address, &f))
      return address;
   uint64_t offset = address - f.start;
   uint32_t y = (uint32_t)(offset / f.pitch), x = (uint32_t)(offset % f.pitch);
   uint32_t run = f.tiling == MEM_TILE_X ? 512 : 16;
   /* A pitch that is no multiple of the tile's width is rounded down by the tile function. */
   size_t in_row = f.pitch - x, in_run = run - x % run;
   size_t limit = in_row < in_run ? in_row : in_run;
   if (limit < *together)
      *together = limit;
   uint64_t at = f.start + mem_tile_offset(f.tiling, x, y, f.pitch);
   size_t in_page = MEM_PAGE_SIZE - (at & (MEM_PAGE_SIZE - 1));
   if (in_page < *together)
      *together = in_page;
   return at;
}

static bool
in_aperture(struct pergola_device *dev, uint64_t offset, size_t size)
{
   uint64_t aperture = pci_aperture_size(dev);
   if (offset < aperture && size <= aperture - offset)
      return true;
   struct rule_place where = {
       .engine = "bus", .subject = "aperture", .address = offset, .has_address = true};
   rule_report(dev, PERGOLA_WARNING, "MEM-015", &where,
               "an access of %zu byte%s passes the end of the aperture of %llu bytes", size,
               plural(size), (unsigned long long)aperture);
   return false;
}

/* Ice Lake's has no fences here: pages, one after the other. A missing one reads 0. */
static void
copy_gen11(struct gen11 *g, uint64_t offset, char *out, const char *in, size_t size)
{
   while (size) {
      size_t within = offset & (MEM_PAGE_SIZE - 1), n = MEM_PAGE_SIZE - within;
      n = n < size ? n : size;
      char *page = gen11_aperture_page(g, offset, in != NULL);
      if (in && page)
         memcpy(page + within, in, n);
      else if (out && page)
         memcpy(out, page + within, n);
      else if (out)
         memset(out, 0, n);
      out = out ? out + n : NULL;
      in = in ? in + n : NULL;
      offset += n;
      size -= n;
   }
}

void
pergola_aperture_read(struct pergola_device *dev, uint64_t offset, void *data, size_t size)
{
   if (!in_aperture(dev, offset, size)) {
      memset(data, 0, size);
      return;
   }
   if (dev->gen11) {
      copy_gen11(dev->gen11, offset, data, NULL, size);
      return;
   }
   for (char *out = data; size;) {
      size_t n;
      uint64_t at = place(dev, offset, &n);
      if (n > size)
         n = size;
      mem_read(&dev->ggtt, at > UINT32_MAX ? UINT32_MAX : (uint32_t)at, out, n);
      out += n;
      offset += n;
      size -= n;
   }
}

void
pergola_aperture_write(struct pergola_device *dev, uint64_t offset, const void *data, size_t size)
{
   if (!in_aperture(dev, offset, size))
      return;
   if (dev->gen11) {
      copy_gen11(dev->gen11, offset, NULL, data, size);
      return;
   }
   for (const char *in = data; size;) {
      size_t n;
      uint64_t at = place(dev, offset, &n);
      if (n > size)
         n = size;
      void *host =
          mem_translate_host(&dev->ggtt, at > UINT32_MAX ? UINT32_MAX : (uint32_t)at, MEM_WRITE);
      if (host)
         memcpy(host, in, n);
      in += n;
      offset += n;
      size -= n;
   }
}
