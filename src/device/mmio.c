/* BAR0: registers, then the GTT window. Accesses of 1, 2, 4 and 8 bytes become dword accesses. */
#include "device/assembly.h"
#include "gen11/gen11.h"
#include "rules/plural.h"

static uint32_t
bar_size(const struct pergola_device *dev)
{
   return dev->gen11 ? GEN11_BAR0_SIZE : PERGOLA_MMIO_SIZE;
}

static uint32_t
window_base(const struct pergola_device *dev)
{
   return dev->gen11 ? GEN11_GTT_WINDOW : GTT_WINDOW_BASE;
}

static void
bad_access(struct pergola_device *dev, uint32_t offset, unsigned size)
{
   struct rule_place place = {.engine = "bus", .address = offset, .has_address = true};
   rule_report(dev, PERGOLA_WARNING, "MEM-001", &place,
               "an access of %u byte%s at 0x%x does not lie in the %u MiB of BAR0", size,
               plural(size), offset, bar_size(dev) >> 20);
}

static bool
valid(const struct pergola_device *dev, uint32_t offset, unsigned size)
{
   return (size == 1 || size == 2 || size == 4 || size == 8) && offset < bar_size(dev) &&
          size <= bar_size(dev) - offset;
}

/* SYS-426: the window takes aligned dwords. */
static void
check_window(struct pergola_device *dev, uint32_t offset, unsigned size)
{
   if (offset < window_base(dev) || (size >= 4 && !(offset & 3)))
      return;
   struct rule_place place = {
       .engine = "bus", .subject = "GTT window", .address = offset, .has_address = true};
   rule_report(dev, PERGOLA_WARNING, "SYS-426", &place,
               "an access of %u byte%s at 0x%x: the window takes aligned dwords", size,
               plural(size), offset);
}

static uint32_t
read_dword(struct pergola_device *dev, uint32_t offset)
{
   if (__builtin_expect(dev->gen11 != NULL, 0))
      return gen11_bus_read(dev->gen11, offset);
   if (offset >= GTT_WINDOW_BASE)
      return dev->gsm[(offset - GTT_WINDOW_BASE) / 4];
   return regs_read(dev, offset, "bus");
}

static void
write_dword(struct pergola_device *dev, uint32_t offset, uint32_t value, uint32_t byte_mask)
{
   if (__builtin_expect(dev->gen11 != NULL, 0)) {
      gen11_bus_write(dev->gen11, offset, value, byte_mask);
      return;
   }
   if (offset < GTT_WINDOW_BASE) {
      regs_write(dev, offset, value, byte_mask, "bus");
      return;
   }
   uint32_t *entry = &dev->gsm[(offset - GTT_WINDOW_BASE) / 4];
   *entry = (*entry & ~byte_mask) | (value & byte_mask);
   device_gtt_written(dev, (offset - GTT_WINDOW_BASE) / 4);
}

static bool
aligned_dword(const struct pergola_device *dev, uint32_t offset, unsigned size)
{
   return __builtin_expect(size == 4 && !(offset & 3) && offset < bar_size(dev), 1);
}

/* SYS-079: nobody decodes the access, or the unit does not take one of its size. */
static bool
refused(struct pergola_device *dev, uint32_t offset, unsigned size, bool write, uint64_t *value)
{
   *value = pci_decodes_memory(dev) ? 0 : size < 8 ? (UINT64_C(1) << 8 * size) - 1 : ~UINT64_C(0);
   return *value || !gen11_takes(dev->gen11, offset, size, write);
}

uint64_t
pergola_mmio_read(struct pergola_device *dev, uint32_t offset, unsigned size)
{
   uint64_t instead;
   if (__builtin_expect(!dev->gen11, 1) && aligned_dword(dev, offset, size))
      return read_dword(dev, offset);
   if (!valid(dev, offset, size)) {
      bad_access(dev, offset, size);
      return 0;
   }
   if (dev->gen11 && refused(dev, offset, size, false, &instead))
      return instead;
   if (aligned_dword(dev, offset, size))
      return read_dword(dev, offset);
   check_window(dev, offset, size);
   /* Up to three dwords hold an unaligned access. */
   uint32_t first = offset & ~3u, last = (offset + size - 1) & ~3u;
   unsigned __int128 value = 0;
   for (uint32_t o = first; o <= last; o += 4)
      value |= (unsigned __int128)read_dword(dev, o) << 8 * (o - first);
   uint64_t mask = size == 8 ? ~UINT64_C(0) : (UINT64_C(1) << 8 * size) - 1;
   return (uint64_t)(value >> 8 * (offset & 3)) & mask;
}

void
pergola_mmio_write(struct pergola_device *dev, uint32_t offset, unsigned size, uint64_t value)
{
   uint64_t instead;
   if (__builtin_expect(!dev->gen11, 1) && aligned_dword(dev, offset, size)) {
      write_dword(dev, offset, (uint32_t)value, 0xffffffff);
      return;
   }
   if (!valid(dev, offset, size)) {
      bad_access(dev, offset, size);
      return;
   }
   if (dev->gen11 && refused(dev, offset, size, true, &instead))
      return;
   check_window(dev, offset, size);
   uint64_t mask = size == 8 ? ~UINT64_C(0) : (UINT64_C(1) << 8 * size) - 1;
   unsigned __int128 v = (unsigned __int128)(value & mask) << 8 * (offset & 3);
   unsigned __int128 m = (unsigned __int128)mask << 8 * (offset & 3);
   for (uint32_t o = offset & ~3u; m; o += 4, v >>= 32, m >>= 32)
      write_dword(dev, o, (uint32_t)v, (uint32_t)m);
}
