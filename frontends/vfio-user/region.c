/* Regions: registers and GTT (BAR0), aperture (BAR2), I/O window (BAR4), configuration space. */
#include "server.h"

#include <errno.h>
#include <linux/vfio.h>
#include <string.h>

/* As firmware does it: all ones, look which bits stay, put back what was there. */
static uint64_t
bar_size(struct server *s, unsigned bar)
{
   uint32_t at = 0x10 + 4 * bar, old = pergola_runner_pci_read(s->runner, at, 4);
   pergola_runner_pci_write(s->runner, at, 4, ~0u);
   uint32_t mask = pergola_runner_pci_read(s->runner, at, 4);
   pergola_runner_pci_write(s->runner, at, 4, old);
   mask &= old & 1 ? 0xfffcu : ~0xfu;
   uint32_t size = ~mask + 1;
   return old & 1 ? size & 0xffff : size;
}

void
regions_measure(struct server *s)
{
   s->region_size[VFIO_PCI_BAR0_REGION_INDEX] = bar_size(s, 0);
   s->region_size[VFIO_PCI_BAR2_REGION_INDEX] = bar_size(s, 2);
   s->region_size[VFIO_PCI_BAR4_REGION_INDEX] = bar_size(s, 4);
   s->region_size[VFIO_PCI_CONFIG_REGION_INDEX] = pergola_pci_size(s->dev);
}

bool
region_holds(const struct server *s, uint32_t region, uint64_t offset, uint32_t count)
{
   if (region >= VFIO_PCI_NUM_REGIONS || count > VU_MAX_DATA)
      return false;
   uint64_t size = s->region_size[region];
   return offset <= size && count <= size - offset;
}

/* The largest access of natural size and place that fits. */
static unsigned
step(uint64_t offset, uint32_t left, unsigned most)
{
   unsigned n = most;
   while (n > left || offset % n)
      n /= 2;
   return n;
}

static uint64_t
read_one(struct server *s, uint32_t region, uint32_t offset, unsigned size)
{
   switch (region) {
   case VFIO_PCI_BAR0_REGION_INDEX:
      return pergola_runner_read(s->runner, offset, size);
   case VFIO_PCI_BAR4_REGION_INDEX:
      return offset < 8 ? pergola_runner_io_read(s->runner, offset, size) : ~0u;
   default:
      return pergola_runner_pci_read(s->runner, offset, size);
   }
}

static void
write_one(struct server *s, uint32_t region, uint32_t offset, unsigned size, uint64_t value)
{
   switch (region) {
   case VFIO_PCI_BAR0_REGION_INDEX:
      pergola_runner_write(s->runner, offset, size, value);
      break;
   case VFIO_PCI_BAR4_REGION_INDEX:
      if (offset < 8)
         pergola_runner_io_write(s->runner, offset, size, (uint32_t)value);
      break;
   default:
      pergola_runner_pci_write(s->runner, offset, size, (uint32_t)value);
      break;
   }
}

void
region_read(struct server *s, uint32_t region, uint64_t offset, uint8_t *data, uint32_t count)
{
   if (region == VFIO_PCI_BAR2_REGION_INDEX) {
      s->count.aperture_reads++;
      pergola_runner_aperture_read(s->runner, offset, data, count);
      return;
   }
   s->count.reads++;
   unsigned most = region == VFIO_PCI_BAR0_REGION_INDEX ? 8 : 4;
   for (uint32_t done = 0; done < count && !stream_gone(&s->stream);) {
      unsigned n = step(offset + done, count - done, most);
      uint64_t v = read_one(s, region, (uint32_t)offset + done, n);
      memcpy(data + done, &v, n);
      done += n;
   }
}

int
region_write(struct server *s, uint32_t region, uint64_t offset, const uint8_t *data,
             uint32_t count)
{
   if (!region_holds(s, region, offset, count))
      return EINVAL;
   if (region == VFIO_PCI_BAR2_REGION_INDEX) {
      s->count.aperture_writes++;
      pergola_runner_aperture_write(s->runner, offset, data, count);
      return 0;
   }
   s->count.writes++;
   unsigned most = region == VFIO_PCI_BAR0_REGION_INDEX ? 8 : 4;
   for (uint32_t done = 0; done < count && !stream_gone(&s->stream);) {
      unsigned n = step(offset + done, count - done, most);
      uint64_t v = 0;
      memcpy(&v, data + done, n);
      write_one(s, region, (uint32_t)offset + done, n, v);
      done += n;
   }
   if (region == VFIO_PCI_CONFIG_REGION_INDEX)
      irq_command_written(s);
   return 0;
}
