/* Translation: the global GTT, and tables of three or four levels with pages of 4 KiB, 64 KiB and
 * 2 MiB. Nothing is cached: an entry takes effect at once, as after an invalidation. */
#include "gen11/gen11_internal.h"

#include <string.h>

#define ENTRY_PRESENT 1u
#define ENTRY_WRITABLE 2u
#define ENTRY_LARGE 0x80u               /* of a directory: a page of 2 MiB */
#define DIRECTORY_64K 0x800u            /* of a directory: its table holds pages of 64 KiB */
#define ENTRY_ADDRESS 0x3ffffffff000ull /* bits 45:12 */
#define GTT_ENTRIES (1u << 20)

static bool
entry_at(const struct gen11 *g, uint64_t table, unsigned index, uint64_t *entry)
{
   bool writable;
   const char *page = phys_page(g->dev->phys, table & ENTRY_ADDRESS, &writable);
   if (!page)
      return false;
   memcpy(entry, page + 8 * index, sizeof(*entry));
   return *entry & ENTRY_PRESENT;
}

/* The page of an address and whether it may be written; false: there is none. */
static bool
walk(const struct engine *e, uint64_t address, uint64_t *physical, bool *writable)
{
   const struct gen11 *g = e->g;
   uint64_t descriptor = e->list[e->current], entry;
   bool four = (descriptor >> 3 & 3) == 3;
   if (address >> (four ? 48 : 32))
      return false;
   uint32_t pdp = ENGINE_PDP_0 + (four ? 0 : 8 * (uint32_t)(address >> 30 & 3));
   uint64_t table = engine_get(e, pdp) | (uint64_t)engine_get(e, pdp + 4) << 32;
   if (four && (!entry_at(g, table, address >> 39 & 0x1ff, &table) ||
                !entry_at(g, table, address >> 30 & 0x1ff, &table)))
      return false;
   if (!entry_at(g, table, address >> 21 & 0x1ff, &entry))
      return false;
   if (entry & ENTRY_LARGE) {
      *writable = entry & ENTRY_WRITABLE;
      *physical = (entry & ENTRY_ADDRESS & ~0x1fffffull) | (address & 0x1ff000);
      return true;
   }
   bool wide = entry & DIRECTORY_64K;
   unsigned index = address >> 12 & 0x1ff;
   if (!entry_at(g, entry, wide ? index & ~15u : index, &entry))
      return false;
   *writable = entry & ENTRY_WRITABLE;
   *physical =
       wide ? (entry & ENTRY_ADDRESS & ~0xffffull) | (address & 0xf000) : entry & ENTRY_ADDRESS;
   return true;
}

static char *
global_page(const struct gen11 *g, uint64_t address, bool write)
{
   if (address >> 12 >= GTT_ENTRIES)
      return NULL;
   uint64_t entry = g->gtt[address >> 12];
   bool writable;
   char *page =
       entry & ENTRY_PRESENT ? phys_page(g->dev->phys, entry & ENTRY_ADDRESS, &writable) : NULL;
   return page && (!write || writable) ? page : NULL;
}

void *
gen11_aperture_page(struct gen11 *g, uint64_t address, bool write)
{
   return global_page(g, address, write);
}

static char *
page_of(struct engine *e, bool ppgtt, uint64_t address, bool write)
{
   if (!ppgtt)
      return global_page(e->g, address, write);
   uint64_t physical;
   bool may_write, writable;
   if (!walk(e, address, &physical, &may_write) || (write && !may_write))
      return NULL;
   char *page = phys_page(e->g->dev->phys, physical, &writable);
   return page && (!write || writable) ? page : NULL;
}

/* The record: valid, kind, and whose. It stays until software clears it. */
static void
latch_fault(struct engine *e, bool ppgtt, uint64_t address, bool write)
{
   struct pergola_device *dev = e->g->dev;
   if (!(reg_get(dev, REG_ICL_RING_FAULT) & 1)) {
      reg_set(dev, REG_ICL_RING_FAULT,
              1u | (uint32_t)write << 1 | (uint32_t)!ppgtt << 11 | (uint32_t)e->id << 12);
      reg_set(dev, REG_ICL_FAULT_TLB_DATA_0, (uint32_t)(address >> 12));
      reg_set(dev, REG_ICL_FAULT_TLB_DATA_1, (uint32_t)(address >> 44) | (uint32_t)!ppgtt << 4);
   }
   struct rule_place place = {.engine = e->info->name,
                              .subject = ppgtt ? "PPGTT" : "global GTT",
                              .address = address & ~0xfffull,
                              .has_address = true};
   rule_report(dev, PERGOLA_ERROR, "GEN11-30", &place, "%s where no page is",
               write ? "write" : "read");
   gen11_engine_event(e, INTR_PAGE_FAULT); /* SYS-021 */
}

bool
gen11_mem_read(struct engine *e, bool ppgtt, uint64_t address, void *data, size_t size)
{
   bool ok = true;
   for (char *out = data; size;) {
      size_t n = MEM_PAGE_SIZE - (address & (MEM_PAGE_SIZE - 1));
      n = n < size ? n : size;
      const char *page = page_of(e, ppgtt, address, false);
      if (page) {
         memcpy(out, page + (address & (MEM_PAGE_SIZE - 1)), n);
      } else {
         memset(out, 0, n);
         latch_fault(e, ppgtt, address, false);
         ok = false;
      }
      out += n;
      address += n;
      size -= n;
   }
   return ok;
}

bool
gen11_mem_write(struct engine *e, bool ppgtt, uint64_t address, const void *data, size_t size)
{
   bool ok = true;
   for (const char *in = data; size;) {
      size_t n = MEM_PAGE_SIZE - (address & (MEM_PAGE_SIZE - 1));
      n = n < size ? n : size;
      char *page = page_of(e, ppgtt, address, true);
      if (page)
         memcpy(page + (address & (MEM_PAGE_SIZE - 1)), in, n);
      else
         latch_fault(e, ppgtt, address, true);
      ok &= page != NULL;
      in += n;
      address += n;
      size -= n;
   }
   return ok;
}
