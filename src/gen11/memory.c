/* Translation: the global GTT, and tables of three or four levels with pages of 4 KiB, 64 KiB and
 * 2 MiB. Nothing is cached: an entry takes effect at once, as after an invalidation. */
#include "gen11/gen11_internal.h"

#include <string.h>

#define GTT_ENTRIES (1u << 20)
#define TABLE_ENTRIES 512u

typedef struct gen11_page_table_entry table_entry;
typedef struct gen11_page_directory_entry directory_entry;

static table_entry
unpack(uint64_t raw)
{
   table_entry entry;
   gen11_page_table_entry_unpack(&entry, (const uint32_t[]){(uint32_t)raw, (uint32_t)(raw >> 32)});
   return entry;
}

static directory_entry
unpack_directory(uint64_t raw)
{
   directory_entry d;
   gen11_page_directory_entry_unpack(&d, (const uint32_t[]){(uint32_t)raw, (uint32_t)(raw >> 32)});
   return d;
}

/* The entry of a table that covers an address; false: none is present. */
static bool
entry_at(const struct gen11 *g, uint64_t table, uint64_t address, unsigned shift, uint64_t *raw)
{
   bool writable;
   const char *page = phys_page(g->dev->phys, unpack(table).address, &writable);
   if (!page)
      return false;
   memcpy(raw, page + 8 * (address >> shift & (TABLE_ENTRIES - 1)), sizeof(*raw));
   return unpack(*raw).present;
}

#define PAGE_BITS 12u
#define PAGE_64K_BITS 16u
#define TABLE_BITS 21u     /* a table's, and a page of 2 MiB */
#define DIRECTORY_BITS 30u /* a directory's */
#define POINTERS_BITS 39u  /* a table's of pointers to directories */

/* The page of 4 KiB in a larger one of so many bits. */
static uint64_t
part_of(uint64_t page, uint64_t address, unsigned bits)
{
   uint64_t inside = (UINT64_C(1) << bits) - 1;
   return (page & ~inside) | (address & inside & ~(uint64_t)(MEM_PAGE_SIZE - 1));
}

/* The page of an address and whether it may be written; false: there is none. */
static bool
walk(const struct engine *e, uint64_t address, uint64_t *physical, bool *writable)
{
   const struct gen11 *g = e->g;
   uint32_t descriptor = (uint32_t)e->list[e->current];
   uint64_t raw;
   bool four = hw_get(descriptor, GEN11_CONTEXT_DESCRIPTOR__ADDRESSING_MODE) ==
               GEN11_CONTEXT_DESCRIPTOR_ADDRESSING_MODE_FOUR_LEVELS;
   if (address >> (four ? 48 : 32))
      return false;
   uint32_t pdp =
       four ? ENGINE_PDP_0
            : ENGINE_PDP_0 + (ENGINE_PDP_1 - ENGINE_PDP_0) * (uint32_t)(address >> DIRECTORY_BITS);
   uint64_t table = engine_get(e, pdp) | (uint64_t)engine_get(e, pdp + 4) << 32;
   if (four && (!entry_at(g, table, address, POINTERS_BITS, &table) ||
                !entry_at(g, table, address, DIRECTORY_BITS, &table)))
      return false;
   if (!entry_at(g, table, address, TABLE_BITS, &raw))
      return false;
   directory_entry d = unpack_directory(raw);
   if (d.page_of_2_mib) {
      *writable = d.writable;
      *physical = part_of(d.address, address, TABLE_BITS);
      return true;
   }
   /* A table of pages of 64 KiB: every sixteenth entry counts. */
   unsigned bits = d.pages_of_64_kib ? PAGE_64K_BITS : PAGE_BITS;
   if (!entry_at(g, raw, address & ~((UINT64_C(1) << bits) - 1), PAGE_BITS, &raw))
      return false;
   *writable = unpack(raw).writable;
   *physical = part_of(unpack(raw).address, address, bits);
   return true;
}

static bool
walk_global(const struct gen11 *g, uint64_t address, uint64_t *physical)
{
   if (address >> PAGE_BITS >= GTT_ENTRIES)
      return false;
   table_entry entry = unpack(g->gtt[address >> PAGE_BITS]);
   *physical = entry.address;
   return entry.present;
}

static char *
physical_page(const struct gen11 *g, uint64_t physical, bool write)
{
   bool writable;
   char *page = phys_page(g->dev->phys, physical, &writable);
   return page && (!write || writable) ? page : NULL;
}

void *
gen11_aperture_page(struct gen11 *g, uint64_t address, bool write)
{
   uint64_t physical;
   return walk_global(g, address, &physical) ? physical_page(g, physical, write) : NULL;
}

/* *why: what is there if it is no page. */
static char *
page_of(struct engine *e, bool ppgtt, uint64_t address, bool write, const char **why)
{
   uint64_t physical;
   bool may_write = true;
   *why = "where no page is";
   bool found =
       ppgtt ? walk(e, address, &physical, &may_write) : walk_global(e->g, address, &physical);
   if (!found || (write && !may_write))
      return NULL;
   char *page = physical_page(e->g, physical, write);
   if (!page && phys_absent(e->g->dev->phys, physical))
      *why = "of memory that the host does not share";
   return page;
}

/* The record: valid, kind, and whose. It stays until software clears it. */
static void
latch_fault(struct engine *e, bool ppgtt, uint64_t address, bool write, const char *why)
{
   struct pergola_device *dev = e->g->dev;
   if (!(reg_get(dev, REG_ICL_RING_FAULT) & REG_ICL_RING_FAULT__VALID)) {
      reg_set(dev, REG_ICL_RING_FAULT,
              REG_ICL_RING_FAULT__VALID | hw_put(write, REG_ICL_RING_FAULT__FAULT_TYPE) |
                  hw_put(!ppgtt, REG_ICL_RING_FAULT__GTT_SELECT) |
                  hw_put(e->id, REG_ICL_RING_FAULT__ENGINE));
      reg_set(dev, REG_ICL_FAULT_TLB_DATA_0, (uint32_t)(address >> PAGE_BITS));
      reg_set(dev, REG_ICL_FAULT_TLB_DATA_1,
              hw_put((uint32_t)(address >> 44), REG_ICL_FAULT_TLB_DATA_1__ADDRESS) |
                  hw_put(!ppgtt, REG_ICL_FAULT_TLB_DATA_1__GTT_SELECT));
   }
   struct rule_place place = {.engine = e->info->name,
                              .subject = ppgtt ? "PPGTT" : "global GTT",
                              .address = address & ~(uint64_t)(MEM_PAGE_SIZE - 1),
                              .has_address = true};
   rule_report(dev, PERGOLA_ERROR, "GEN11-30", &place, "%s %s", write ? "write" : "read", why);
   gen11_engine_event(e, STREAMER_EVENT(PAGE_FAULT)); /* SYS-021 */
}

bool
gen11_mem_read(struct engine *e, bool ppgtt, uint64_t address, void *data, size_t size)
{
   bool ok = true;
   for (char *out = data; size;) {
      size_t n = MEM_PAGE_SIZE - (address & (MEM_PAGE_SIZE - 1));
      n = n < size ? n : size;
      const char *why, *page = page_of(e, ppgtt, address, false, &why);
      if (page) {
         memcpy(out, page + (address & (MEM_PAGE_SIZE - 1)), n);
      } else {
         memset(out, 0, n);
         latch_fault(e, ppgtt, address, false, why);
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
      const char *why;
      char *page = page_of(e, ppgtt, address, true, &why);
      if (page)
         memcpy(page + (address & (MEM_PAGE_SIZE - 1)), in, n);
      else
         latch_fault(e, ppgtt, address, true, why);
      ok &= page != NULL;
      in += n;
      address += n;
      size -= n;
   }
   return ok;
}
