/* PCI configuration space of function 0:2.0: one engine, a table per family of parts. */
#include "device/assembly.h"
#include "device/pci_table.h"
#include "gen11/gen11.h"
#include "machine/snapshot.h"
#include "rules/plural.h"

#include <stdlib.h>
#include <string.h>

enum {
   CFG_COMMAND = 0x04,
   CFG_STATUS = 0x06,
   CFG_BAR0 = 0x10,
   CFG_BAR2 = 0x18,
   CFG_IOBAR = 0x20,
   CFG_SVID = 0x2c,
   CFG_PMCS = 0xd4,
   CFG_GSE = 0xe4,
};

enum { COMMAND_IO = 1, COMMAND_MEMORY = 2, COMMAND_BUS_MASTER = 4 };

struct pci_config {
   const struct pci_family *family;
   uint8_t value[PCI_SIZE_MOST];
   uint8_t writable[PCI_SIZE_MOST]; /* per bit */
   uint8_t reset[PCI_SIZE_MOST];    /* values after a function level reset */
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
   for (unsigned i = 0; i < size && offset + i < PCI_SIZE_MOST; i++)
      v |= (uint32_t)bytes[offset + i] << 8 * i;
   return v;
}

static void
fill(struct pci_config *p, const struct pci_register *r, size_t count)
{
   for (size_t i = 0; i < count; i++) {
      put(p->value, r[i].offset, r[i].size, r[i].value);
      put(p->writable, r[i].offset, r[i].size, r[i].writable);
   }
}

/* ---- the aperture -----------------------------------------------------------------------------
 */

/* SYS-107: codes are a row of ones; another one acts as the next larger. SYS-428: two bits. */
static uint64_t
aperture_size(const struct pci_config *p)
{
   uint8_t code = p->value[p->family->aperture];
   if (p->family->size == PCI_SIZE_MOST) {
      uint64_t size = UINT64_C(128) << 20;
      for (code &= 0x1f; code; code >>= 1)
         size *= 2;
      return size;
   }
   static const uint64_t mib[4] = {128, 256, 256, 512};
   return mib[code >> 1 & 3] << 20;
}

/* SYS-090, SYS-428: the size field decides which base bits of the aperture can be written. */
static void
apply_aperture_size(struct pci_config *p)
{
   uint32_t mask = (uint32_t) ~(aperture_size(p) - 1);
   put(p->writable, CFG_BAR2, 4, mask);
   uint32_t bar = get(p->value, CFG_BAR2, 4);
   put(p->value, CFG_BAR2, 4, (bar & mask) | (bar & 0xf));
}

uint64_t
pci_aperture_size(const struct pergola_device *dev)
{
   return aperture_size(dev->pci);
}

/* SYS-428: one value of the size is illegal, and it may not change once the aperture is placed. */
static void
check_aperture_size(struct pergola_device *dev, uint8_t before)
{
   const struct pci_config *p = dev->pci;
   uint16_t at = p->family->aperture;
   if (p->family->size == PCI_SIZE_MOST)
      return;
   uint8_t after = p->value[at] >> 1 & 3;
   struct rule_place place = {
       .engine = "bus", .subject = "MSAC", .address = at, .has_address = true};
   if (after == 2)
      rule_report(dev, PERGOLA_ERROR, "SYS-428", &place,
                  "aperture size 2 is illegal; taken as 256 MB");
   if (after != (before >> 1 & 3) && get(p->value, CFG_BAR2, 4) & 0xf8000000)
      rule_report(dev, PERGOLA_ERROR, "SYS-428", &place,
                  "the size of the aperture is changed after it was placed");
}

/* ---- life -------------------------------------------------------------------------------------
 */

struct pci_config *
pci_create(const struct pergola_device *dev)
{
   struct pci_config *p = calloc(1, sizeof(*p));
   if (!p)
      return NULL;
   p->family = pci_family_of(dev);
   for (unsigned i = 0; i < 2; i++)
      fill(p, p->family->table[i], p->family->count[i]);
   put(p->value, 0x02, 2, dev->sku.pci_device_id);
   put(p->value, 0x08, 1, dev->sku.pci_revision);
   apply_aperture_size(p);
   memcpy(p->reset, p->value, sizeof(p->reset));
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
   SNAPSHOT_LOOKED_AT(struct pci_config, 12304);
   uint32_t id = get(p->value, 0, 4);
   snapshot_room(s, "PCI ");
   snapshot_bytes(s, p->value, p->family->size);
   SNAP(s, p->message_level);
   snapshot_check(s, get(p->value, 0, 4) == id, "it has another PCI device id");
   put(p->value, 0, 4, id);
}

/* ---- interrupts -------------------------------------------------------------------------------
 */

/* SYS-432, MEM-049: a message is one dword. An address that no segment holds is the host's own;
 * nothing is written there. */
static void
send_message(struct pergola_device *dev)
{
   const struct pci_config *p = dev->pci;
   uint16_t msi = p->family->msi;
   uint32_t address = get(p->value, msi + 4, 4), data = get(p->value, msi + 8, 2);
   bool writable;
   char *page = phys_page(dev->phys, address & ~(MEM_PAGE_SIZE - 1), &writable);
   if (page && writable)
      memcpy(page + (address & (MEM_PAGE_SIZE - 4)), &data, 4);
}

/* SYS-035, SYS-433: sent when the level rises with bus mastering and messages on. SYS-117, SYS-118:
 * masked, it waits in the pending bit. */
static void
update_message(struct pergola_device *dev)
{
   struct pci_config *p = dev->pci;
   uint16_t msi = p->family->msi;
   bool on = p->value[CFG_COMMAND] & COMMAND_BUS_MASTER && p->value[msi + 2] & 1;
   bool level = p->value[CFG_STATUS] >> 3 & 1 && on;
   bool send = level && !p->message_level;
   p->message_level = level;
   if (p->family->msi_masks) {
      uint8_t *pending = &p->value[msi + 0x10];
      bool masked = p->value[msi + 0x0c] & 1;
      if (send && masked)
         *pending |= 1;
      send = (send || (*pending & 1 && on)) && !masked;
      if (send)
         *pending &= ~1;
   }
   if (send)
      send_message(dev);
}

/* SYS-084, SYS-433: PCISTS[3] follows the level whatever the enables say. */
void
pci_interrupt_changed(struct pergola_device *dev, bool level)
{
   if (!dev->pci)
      return;
   uint8_t *status = &dev->pci->value[CFG_STATUS];
   *status = level ? *status | 8 : *status & ~8;
   update_message(dev);
}

/* ---- access -----------------------------------------------------------------------------------
 */

uint32_t
pergola_pci_size(const struct pergola_device *dev)
{
   return dev->pci->family->size;
}

/* SYS-425, SYS-434: as the command says, in D0. */
static bool
decodes(const struct pci_config *p, uint8_t command)
{
   return p->value[CFG_COMMAND] & command && !(p->value[CFG_PMCS] & 3);
}

bool
pci_decodes_memory(const struct pergola_device *dev)
{
   return decodes(dev->pci, COMMAND_MEMORY);
}

static bool
valid(const struct pergola_device *dev, uint32_t offset, unsigned size)
{
   uint32_t end = dev->pci->family->size;
   return (size == 1 || size == 2 || size == 4) && offset < end && size <= end - offset;
}

static void
bad_access(struct pergola_device *dev, uint32_t offset, unsigned size)
{
   struct rule_place place = {
       .engine = "bus", .subject = "PCI configuration", .address = offset, .has_address = true};
   rule_report(dev, PERGOLA_WARNING, "MEM-002", &place,
               "an access of %u byte%s at 0x%x does not lie in configuration space", size,
               plural(size), offset);
}

/* SYS-091, SYS-106: IOBAR reads 0 while it is hidden. */
static bool
hidden(const struct pci_config *p, uint32_t offset)
{
   return p->family->hide_io && p->value[p->family->hide_io] & 1 && offset >= CFG_IOBAR &&
          offset < CFG_IOBAR + 4;
}

bool
pci_decodes_io(const struct pergola_device *dev)
{
   return decodes(dev->pci, COMMAND_IO) && !hidden(dev->pci, CFG_IOBAR);
}

uint32_t
pergola_pci_read(struct pergola_device *dev, uint32_t offset, unsigned size)
{
   if (!valid(dev, offset, size)) {
      bad_access(dev, offset, size);
      return 0;
   }
   uint32_t value = get(dev->pci->value, offset, size);
   for (unsigned i = 0; i < size; i++)
      if (hidden(dev->pci, offset + i))
         value &= ~(0xffu << 8 * i);
   return value;
}

/* SYS-111, SYS-435: memory and what the host's own firmware has set stay. */
void
pergola_function_reset(struct pergola_device *dev)
{
   struct pci_config *p = dev->pci;
   uint8_t subsystem[4];
   memcpy(subsystem, &p->value[CFG_SVID], 4); /* the host's own, not the function's */
   memcpy(p->value, p->reset, sizeof(p->value));
   memcpy(&p->value[CFG_SVID], subsystem, 4);
   apply_aperture_size(p);
   device_function_reset(dev);
}

static bool
touches(uint32_t offset, unsigned size, unsigned field, unsigned field_size)
{
   return offset < field + field_size && field < offset + size;
}

/* SYS-092, SYS-093, SYS-430: write once. */
static void
lock_written(struct pci_config *p, uint32_t offset, unsigned size)
{
   for (unsigned t = 0; t < 2; t++)
      for (unsigned i = 0; i < p->family->count[t]; i++) {
         const struct pci_register *r = &p->family->table[t][i];
         if (r->attribute == PCI_ONCE && touches(offset, size, r->offset, r->size))
            put(p->writable, r->offset, r->size, 0);
      }
   if (p->family->sci && touches(offset, size, p->family->sci + 1u, 1))
      p->writable[p->family->sci + 1] &= 0x7f; /* SYS-127: the select bit */
}

/* SYS-126, SYS-438: any write raises one event. */
static void
system_event(struct pergola_device *dev)
{
   if (dev->gen11)
      gen11_system_event(dev->gen11);
   else
      interrupt_display(dev, dev->hw_device == HW_VLV ? REG_VLV_IIR__ASLE : REG_DEIIR__GSE);
}

void
pergola_pci_write(struct pergola_device *dev, uint32_t offset, unsigned size, uint32_t value)
{
   struct pci_config *p = dev->pci;
   const struct pci_family *f = p->family;
   if (!valid(dev, offset, size)) {
      bad_access(dev, offset, size);
      return;
   }
   uint8_t power = p->value[CFG_PMCS], aperture = p->value[f->aperture];
   for (unsigned i = 0; i < size; i++) {
      uint8_t mask = hidden(p, offset + i) ? 0 : p->writable[offset + i];
      uint8_t byte = (uint8_t)(value >> 8 * i);
      p->value[offset + i] = (p->value[offset + i] & ~mask) | (byte & mask);
   }
   lock_written(p, offset, size);
   /* SYS-124, SYS-434: only D0 and D3 exist. */
   if ((p->value[CFG_PMCS] & 3) == 1 || (p->value[CFG_PMCS] & 3) == 2)
      p->value[CFG_PMCS] = power;
   if (touches(offset, size, f->aperture, 1))
      check_aperture_size(dev, aperture);
   if (touches(offset, size, f->aperture, 1) || touches(offset, size, CFG_BAR2, 4))
      apply_aperture_size(p);
   if (touches(offset, size, CFG_GSE, 4))
      system_event(dev);
   if (f->reset && get(p->value, f->reset, 2) & f->reset_bit)
      pergola_function_reset(dev);
   update_message(dev);
}

uint64_t
pergola_bar_size(const struct pergola_device *dev, unsigned bar)
{
   static const uint8_t place[] = {[0] = CFG_BAR0, [2] = CFG_BAR2, [4] = CFG_IOBAR};
   if (bar >= sizeof(place) || !place[bar])
      return 0;
   if (bar == 2)
      return aperture_size(dev->pci);
   uint32_t base = get(dev->pci->writable, place[bar], 4); /* the lowest that can be written */
   return base & -base;
}

/* ---- for people -------------------------------------------------------------------------------
 */

bool
pergola_pci_register_at(const struct pergola_device *dev, size_t index,
                        struct pergola_pci_register *r)
{
   const struct pci_family *f = dev->pci->family;
   const struct pci_register *row = index < f->count[0] ? &f->table[0][index] : NULL;
   if (!row && index - f->count[0] < f->count[1])
      row = &f->table[1][index - f->count[0]];
   if (!row)
      return false;
   *r = (struct pergola_pci_register){.name = row->name,
                                      .rule = row->ledger,
                                      .offset = row->offset,
                                      .size = row->size,
                                      .writable = get(dev->pci->writable, row->offset, row->size)};
   return true;
}
