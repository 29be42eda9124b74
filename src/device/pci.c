/* PCI configuration space of function 0:2.0. */
#include "device/assembly.h"
#include "machine/snapshot.h"

#include <stdlib.h>
#include <string.h>

enum {
   CFG_COMMAND = 0x04,
   CFG_STATUS = 0x06,
   CFG_BAR0 = 0x10,
   CFG_BAR2 = 0x18,
   CFG_IOBAR = 0x20,
   CFG_SVID = 0x2c,
   CFG_GGC = 0x50,
   CFG_MSAC = 0x62,
   CFG_MSI = 0x90,
   CFG_AFCTL = 0xa8,
   CFG_PMCS = 0xd4,
   CFG_GSE = 0xe4,
   CFG_SIZE = 0x100,
};

struct pci_config {
   uint8_t value[CFG_SIZE];
   uint8_t writable[CFG_SIZE]; /* per bit */
   uint8_t reset[CFG_SIZE];    /* values after a function level reset */
   bool message_level;
};

static void
put(uint8_t *bytes, unsigned offset, unsigned size, uint32_t value)
{
   for (unsigned i = 0; i < size; i++)
      bytes[offset + i] = (uint8_t)(value >> 8 * i);
}

static uint32_t
get(const uint8_t *bytes, unsigned offset, unsigned size)
{
   uint32_t v = 0;
   for (unsigned i = 0; i < size && offset + i < CFG_SIZE; i++)
      v |= (uint32_t)bytes[offset + i] << 8 * i;
   return v;
}

struct field {
   uint16_t offset;
   uint8_t size;
   uint32_t value, writable;
};

/* SYS-424, SYS-425, SYS-430, SYS-432, SYS-434, SYS-438: what both parts have. */
static const struct field common[] = {
    {0x00, 2, 0x8086, 0},        {CFG_COMMAND, 2, 0, 0x0407},
    {0x09, 3, 0x038000, 0}, /* GGC.IVD is set: a display controller without VGA */
    {CFG_SVID, 2, 0, 0xffff},    {CFG_SVID + 2, 2, 0, 0xffff},
    {0x3c, 1, 0, 0xff},          {0x3d, 1, 1, 0},
    {CFG_MSI + 2, 2, 0, 0x0071}, {CFG_MSI + 4, 4, 0, 0xfffffffc},
    {CFG_MSI + 8, 2, 0, 0xffff}, {0xd2, 2, 0x0022, 0},
    {CFG_PMCS, 2, 0, 0x0003},    {0xe0, 2, 0, 0xffff},
    {CFG_GSE, 4, 0, 0xffffffff}, {0xfc, 4, 0, 0xffffffff},
};

/* SYS-426, SYS-428, SYS-429, SYS-431, SYS-435, SYS-436. */
static const struct field ivb[] = {
    {CFG_STATUS, 2, 0x0090, 0},
    {CFG_BAR0, 4, 0x00000004, 0xffc00000},
    {CFG_BAR0 + 4, 4, 0, 0xffffffff},
    {CFG_BAR2, 4, 0x0000000c, 0xe0000000},
    {CFG_BAR2 + 4, 4, 0, 0xffffffff},
    {CFG_IOBAR, 4, 0x00000001, 0x0000ffc0},
    {0x34, 1, 0x90, 0},
    {0x40, 4, 0x010c0009, 0},
    {CFG_GGC, 2, 0x0213, 0},
    {0x54, 4, 0x00000010, 0},
    {0x60, 2, 0, 0xffff},
    {CFG_MSAC, 1, 0x02, 0xf6},
    {CFG_MSI, 2, 0xd005, 0},
    {0xa4, 2, 0x0013, 0},
    {0xa6, 2, 0x0306, 0},
    {CFG_AFCTL, 1, 0, 0x01},
    {0xd0, 2, 0xa401, 0},
    {0xe8, 2, 0, 0x8001},
};

/* SYS-437: and the Valleyview forms of the rows above. */
static const struct field vlv[] = {
    {CFG_STATUS, 2, 0x0010, 0},
    {CFG_BAR0, 4, 0, 0xffc00000},
    {CFG_BAR2, 4, 0x00000008, 0xe0000000},
    {CFG_IOBAR, 4, 0x00000001, 0x0000fff8},
    {0x34, 1, 0xd0, 0},
    {CFG_GGC, 2, 0x0213, 0},
    {0x5c, 4, 0, 0xfff00001},
    {CFG_MSAC, 1, 0x02, 0x06},
    {0x70, 4, 0, 0xfff00001},
    {CFG_MSI, 2, 0xb005, 0},
    {0xb0, 4, 0x01070009, 0},
    {0xc4, 4, 0, 0x00000001},
    {0xd0, 2, 0x9001, 0},
};

static void
fill(struct pci_config *p, const struct field *f, size_t count)
{
   for (size_t i = 0; i < count; i++) {
      put(p->value, f[i].offset, f[i].size, f[i].value);
      put(p->writable, f[i].offset, f[i].size, f[i].writable);
   }
}

/* SYS-428: the size field decides which base bits of the aperture can be written. */
static void
apply_aperture_size(struct pci_config *p)
{
   static const uint32_t base[4] = {0xf8000000, 0xf0000000, 0xf0000000, 0xe0000000};
   uint32_t mask = base[p->value[CFG_MSAC] >> 1 & 3];
   put(p->writable, CFG_BAR2, 4, mask);
   uint32_t bar = get(p->value, CFG_BAR2, 4);
   put(p->value, CFG_BAR2, 4, (bar & mask) | (bar & 0xf));
}

struct pci_config *
pci_create(const struct pergola_device *dev)
{
   struct pci_config *p = calloc(1, sizeof(*p));
   if (!p)
      return NULL;
   fill(p, common, sizeof(common) / sizeof(common[0]));
   if (dev->hw_device == HW_VLV)
      fill(p, vlv, sizeof(vlv) / sizeof(vlv[0]));
   else
      fill(p, ivb, sizeof(ivb) / sizeof(ivb[0]));
   put(p->value, 0x02, 2, dev->sku.pci_device_id);
   put(p->value, 0x08, 1, dev->sku.pci_revision);
   apply_aperture_size(p);
   memcpy(p->reset, p->value, CFG_SIZE);
   return p;
}

void
pci_destroy(struct pci_config *p)
{
   free(p);
}

/* Who it is does not change. */
void
pci_snapshot(struct pci_config *p, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct pci_config, 769);
   uint32_t id = get(p->value, 0, 4);
   snapshot_room(s, "PCI ");
   SNAP_ARRAY(s, p->value);
   SNAP(s, p->message_level);
   snapshot_check(s, get(p->value, 0, 4) == id, "it has another PCI device id");
   put(p->value, 0, 4, id);
}

uint64_t
pci_aperture_size(const struct pergola_device *dev)
{
   static const uint64_t mib[4] = {128, 256, 256, 512};
   return mib[dev->pci->value[CFG_MSAC] >> 1 & 3] << 20;
}

/* SYS-432, SYS-433, MEM-049: a message is one dword, written when the level rises with bus
 * mastering and messages on. An address that no segment holds is the host's own; nothing is written
 * there. */
static void
update_message(struct pergola_device *dev)
{
   struct pci_config *p = dev->pci;
   bool level =
       p->value[CFG_STATUS] >> 3 & 1 && p->value[CFG_COMMAND] >> 2 & 1 && p->value[CFG_MSI + 2] & 1;
   bool rises = level && !p->message_level;
   p->message_level = level;
   if (!rises)
      return;
   uint32_t address = get(p->value, CFG_MSI + 4, 4), data = get(p->value, CFG_MSI + 8, 2);
   bool writable;
   char *page = phys_page(dev->phys, address & ~(MEM_PAGE_SIZE - 1), &writable);
   if (page && writable)
      memcpy(page + (address & (MEM_PAGE_SIZE - 4)), &data, 4);
}

/* SYS-433: PCISTS[3] follows the level whatever the enables say. */
void
pci_interrupt_changed(struct pergola_device *dev, bool level)
{
   if (!dev->pci)
      return;
   uint8_t *status = &dev->pci->value[CFG_STATUS];
   *status = level ? *status | 8 : *status & ~8;
   update_message(dev);
}

static bool
valid(uint32_t offset, unsigned size)
{
   return (size == 1 || size == 2 || size == 4) && offset < CFG_SIZE && size <= CFG_SIZE - offset;
}

static void
bad_access(struct pergola_device *dev, uint32_t offset, unsigned size)
{
   struct rule_place place = {
       .engine = "bus", .subject = "PCI configuration", .address = offset, .has_address = true};
   rule_report(dev, PERGOLA_WARNING, "MEM-002", &place,
               "an access of %u bytes at 0x%x does not lie in configuration space", size, offset);
}

uint32_t
pergola_pci_read(struct pergola_device *dev, uint32_t offset, unsigned size)
{
   if (!valid(offset, size)) {
      bad_access(dev, offset, size);
      return 0;
   }
   return get(dev->pci->value, offset, size);
}

/* SYS-435: function level reset through the advanced features capability. */
void
pergola_function_reset(struct pergola_device *dev)
{
   struct pci_config *p = dev->pci;
   uint8_t subsystem[4];
   memcpy(subsystem, &p->value[CFG_SVID], 4); /* the host's own, not the function's */
   memcpy(p->value, p->reset, CFG_SIZE);
   memcpy(&p->value[CFG_SVID], subsystem, 4);
   apply_aperture_size(p);
   device_function_reset(dev);
}

/* SYS-428: one value of the size is illegal, and it may not change once the aperture is placed. */
static void
check_aperture_size(struct pergola_device *dev, uint8_t before)
{
   const struct pci_config *p = dev->pci;
   uint8_t after = p->value[CFG_MSAC] >> 1 & 3;
   struct rule_place place = {
       .engine = "bus", .subject = "MSAC", .address = CFG_MSAC, .has_address = true};
   if (after == 2)
      rule_report(dev, PERGOLA_ERROR, "SYS-428", &place,
                  "aperture size 2 is illegal; taken as 256 MB");
   if (after != (before >> 1 & 3) && get(p->value, CFG_BAR2, 4) & 0xf8000000)
      rule_report(dev, PERGOLA_ERROR, "SYS-428", &place,
                  "the size of the aperture is changed after it was placed");
}

static bool
touches(uint32_t offset, unsigned size, unsigned field, unsigned field_size)
{
   return offset < field + field_size && field < offset + size;
}

/* SYS-430: write once. */
static void
lock_subsystem(struct pci_config *p, uint32_t offset, unsigned size)
{
   for (unsigned i = 0; i < 2; i++)
      if (touches(offset, size, CFG_SVID + 2 * i, 2))
         put(p->writable, CFG_SVID + 2 * i, 2, 0);
}

void
pergola_pci_write(struct pergola_device *dev, uint32_t offset, unsigned size, uint32_t value)
{
   struct pci_config *p = dev->pci;
   if (!valid(offset, size)) {
      bad_access(dev, offset, size);
      return;
   }
   uint8_t power = p->value[CFG_PMCS], aperture = p->value[CFG_MSAC];
   for (unsigned i = 0; i < size; i++) {
      uint8_t mask = p->writable[offset + i], byte = (uint8_t)(value >> 8 * i);
      p->value[offset + i] = (p->value[offset + i] & ~mask) | (byte & mask);
   }
   lock_subsystem(p, offset, size);
   /* SYS-434: only D0 and D3 exist. */
   if ((p->value[CFG_PMCS] & 3) == 1 || (p->value[CFG_PMCS] & 3) == 2)
      p->value[CFG_PMCS] = power;
   if (touches(offset, size, CFG_MSAC, 1))
      check_aperture_size(dev, aperture);
   if (touches(offset, size, CFG_MSAC, 1) || touches(offset, size, CFG_BAR2, 4))
      apply_aperture_size(p);
   /* SYS-438: any write raises one event. */
   if (touches(offset, size, CFG_GSE, 4))
      interrupt_display(dev, dev->hw_device == HW_VLV ? REG_VLV_IIR__ASLE : REG_DEIIR__GSE);
   if (touches(offset, size, CFG_AFCTL, 1) && p->value[CFG_AFCTL] & 1 && dev->hw_device != HW_VLV)
      pergola_function_reset(dev);
   update_message(dev);
}

uint64_t
pergola_bar_size(const struct pergola_device *dev, unsigned bar)
{
   static const uint8_t place[] = {[0] = CFG_BAR0, [2] = CFG_BAR2, [4] = CFG_IOBAR};
   if (bar >= sizeof(place) || !place[bar])
      return 0;
   uint32_t base = get(dev->pci->writable, place[bar], 4); /* the lowest that can be written */
   return base & -base;
}
