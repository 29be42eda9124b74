/* The walk: GGTT entries and PPGTT directories in the GSM, page tables in physical memory. */
#include "hw/gtt.h"
#include "machine/device.h"
#include "memory/objects.h"
#include "memory/pages.h"

#include <string.h>
#include <sys/mman.h>

#define PTE_VALID GEN7_GTT_ENTRY__VALID
#define PDE_32K_PAGES GEN7_PAGE_DIRECTORY_ENTRY__PAGES_OF_32_KB
#define TABLE_SIZE (MEM_SPACE_PAGES * sizeof(uintptr_t))

/* RCS-054 */
enum fault_type {
   FAULT_PAGE = REG_GFX_ENG_FR__FAULT_TYPE_PAGE_FAULT,
   FAULT_INVALID_PD = REG_GFX_ENG_FR__FAULT_TYPE_INVALID_PD,
   FAULT_UNLOADED_PD = REG_GFX_ENG_FR__FAULT_TYPE_UNLOADED_PD,
};

bool
mem_space_init(struct mem_space *s, struct pergola_device *dev, bool ppgtt, unsigned engine)
{
   s->dev = dev;
   s->ppgtt = ppgtt;
   s->engine = (uint8_t)engine;
   /* Mapped rather than allocated: 4 MiB of which a program touches a few pages. */
   void *table = mmap(NULL, TABLE_SIZE, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
   s->table = table != MAP_FAILED ? table : NULL;
   return s->table != NULL;
}

void
mem_space_finish(struct mem_space *s)
{
   if (s->table)
      munmap(s->table, TABLE_SIZE);
   s->table = NULL;
}

static uint32_t
gsm_entry(const struct pergola_device *dev, uint32_t index)
{
   if (index >= MEM_GSM_SIZE / 4)
      return 0;
   return __atomic_load_n(&dev->gsm[index], __ATOMIC_RELAXED);
}

/* Finds the entry that maps the page. On a fault *type is set and 0 returned; a valid entry has bit
 * 0. */
static uint32_t
ppgtt_entry(const struct mem_space *s, uint32_t page, enum fault_type *type)
{
   const struct pergola_device *dev = s->dev;
   uint32_t pde_index = page >> 10;
   *type = FAULT_UNLOADED_PD;
   if (!s->directory_loaded)
      return 0;
   /* RCS-194: each bit enables 16 directory entries. */
   if (!(s->pp_dclv_lo >> (pde_index / 16) & 1))
      return 0;
   *type = FAULT_INVALID_PD;
   /* MEM-006: the directory lies in the GSM; the base counts cache lines of 16 entries. */
   uint32_t pde =
       gsm_entry(dev, hw_get(s->pp_dir_base, REG_RCS_PP_DIR_BASE__PAGE_DIRECTORY_BASE_OFFSET) * 16 +
                          pde_index);
   if (!(pde & PTE_VALID))
      return 0;
   bool writable;
   const char *table = phys_page(dev->phys, hw_gtt_address(pde), &writable);
   if (!table)
      return 0;
   *type = FAULT_PAGE;
   /* MEM-009: with 32 KiB pages the first of the eight entries is the one that counts. */
   uint32_t index = page & 1023;
   if (pde & PDE_32K_PAGES)
      index &= ~7u;
   /* A line of entries is fetched for one of them; software may be writing another. */
   uint32_t pte = __atomic_load_n((const uint32_t *)(const void *)table + index, __ATOMIC_RELAXED);
   if (pte & PTE_VALID && pde & PDE_32K_PAGES)
      pte = (pte & ~0x7000u) | (page & 7) << 12;
   return pte & PTE_VALID ? pte : 0;
}

static uint32_t
space_entry(const struct mem_space *s, uint32_t page, enum fault_type *type)
{
   *type = FAULT_PAGE;
   if (page >= MEM_SPACE_PAGES)
      return 0;
   if (s->ppgtt)
      return ppgtt_entry(s, page, type);
   uint32_t pte = gsm_entry(s->dev, page);
   return pte & PTE_VALID ? pte : 0;
}

struct walk {
   char *host; /* NULL: nothing there */
   unsigned allowed;
   bool refused; /* by the entry's write permission */
   enum fault_type type;
   const char *why;
};

static struct walk
walk(const struct mem_space *s, uint32_t address, bool gpu)
{
   struct walk w = {0};
   const struct pergola_device *dev = s->dev;
   uint32_t pte = space_entry(s, address >> 12, &w.type);
   if (!pte) {
      static const char *const why[] = {"the page table entry is not valid",
                                        "the page directory entry is not valid",
                                        "the page directory is not loaded"};
      w.why = address >> 12 < MEM_SPACE_PAGES ? why[w.type] : "the address lies past 2 GiB";
      return w;
   }
   bool writable = false;
   w.host = phys_page(dev->phys, hw_gtt_address(pte), &writable);
   if (!w.host) {
      w.why = phys_absent(dev->phys, hw_gtt_address(pte))
                  ? "the page table entry points to memory that the host does not share"
                  : "the page table entry points outside physical memory";
      return w;
   }
   w.allowed = MEM_READ;
   /* MEM-005, VCS-301: on Valleyview bit 1 of the entry is what allows the GPU to write. */
   w.refused = gpu && dev->hw_device == HW_VLV && !(pte & GEN7_VLV_GTT_ENTRY__WRITEABLE);
   if (w.refused)
      writable = false;
   if (writable)
      w.allowed |= MEM_WRITE;
   w.why = "the page is read only";
   return w;
}

/* RCS-055, VCS-307: the arbiters collect the kinds of fault. */
static void
latch_kind(const struct mem_space *s, enum fault_type type)
{
   static const uint32_t bit[] = {
       [FAULT_PAGE] = REG_ERROR__TLB_PAGE_FAULT,
       [FAULT_INVALID_PD] = REG_ERROR__INVALID_PD_ENTRY,
       [FAULT_UNLOADED_PD] = REG_ERROR__UNLOADED_PD,
   };
   static const uint32_t media_bit[] = {
       [FAULT_PAGE] = REG_GAC_ERROR__TLB_PAGE_FAULT_ERROR,
       [FAULT_UNLOADED_PD] = REG_GAC_ERROR__UNLOADED_PD_ERROR,
   };
   struct pergola_device *dev = s->dev;
   if (s->engine == VCS)
      __atomic_fetch_or(&dev->mmio[REG_GAC_ERROR / 4], media_bit[type], __ATOMIC_RELAXED);
   else
      __atomic_fetch_or(&dev->mmio[REG_ERROR / 4], bit[type], __ATOMIC_RELAXED);
}

/* VCS-014, VCS-188: the streamer itself is the only unit of the video engine here: its reads are
 * source 0, its writes 8. The other engines' numbers are not published. */
static uint32_t
source_of(const struct mem_space *s, enum mem_access access)
{
   return s->engine == VCS && access & MEM_WRITE ? hw_put(8, REG_MEDIA_ENG_FR__SOURCE_ID) : 0;
}

/* RCS-054, VCS-306: the record of the first fault stays until software clears its valid bit. */
static void
latch(const struct mem_space *s, uint32_t address, enum fault_type type, enum mem_access access)
{
   struct pergola_device *dev = s->dev;
   if (s->engine >= ENGINE_COUNT)
      return;
   latch_kind(s, type);
   uint32_t *record = &dev->mmio[engine_fault[s->engine] / 4];
   uint32_t held = __atomic_load_n(record, __ATOMIC_RELAXED);
   uint32_t ours = (address & REG_GFX_ENG_FR__VIRTUAL_PAGE_ADDRESS) |
                   (s->ppgtt ? 0 : REG_GFX_ENG_FR__ADDRESS_SPACE) |
                   hw_put(type, REG_GFX_ENG_FR__FAULT_TYPE) | source_of(s, access) |
                   REG_GFX_ENG_FR__VALID;
   if (!(held & REG_GFX_ENG_FR__VALID))
      __atomic_compare_exchange_n(record, &held, ours, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
   __atomic_fetch_or(&dev->fault_event, 1u << s->engine, __ATOMIC_RELAXED);
   /* VCS-013, RCS-194: an access through a directory group that is not loaded is fatal. */
   if (type == FAULT_UNLOADED_PD)
      __atomic_fetch_or(&dev->fault_fatal, 1u << s->engine, __ATOMIC_RELAXED);
}

static const char *
fault_rule(const struct mem_space *s, enum fault_type type)
{
   if (type == FAULT_UNLOADED_PD)
      return s->engine == VCS ? "VCS-013" : "RCS-194";
   return s->engine == VCS ? "VCS-306" : "RCS-054";
}

static void
fault(const struct mem_space *s, uint32_t address, enum mem_access access, const struct walk *w)
{
   latch(s, address, w->type, access);
   if (w->refused) /* VCS-301 */
      __atomic_fetch_or(&s->dev->fault_event, FAULT_EVENT_WRITE_INVALID, __ATOMIC_RELAXED);
   struct rule_place place = {
       .engine = s->engine < ENGINE_COUNT ? engine_names[s->engine] : "bus",
       .subject = s->ppgtt ? "PPGTT" : "GGTT",
       .address = address & ~(MEM_PAGE_SIZE - 1),
       .has_address = true,
   };
   rule_report(s->dev, PERGOLA_ERROR, fault_rule(s, w->type), &place,
               "page fault on a %s of 0x%08x: %s", access & MEM_WRITE ? "write" : "read", address,
               w->why);
}

static void
remember(struct mem_space *s, uint32_t page, const struct walk *w)
{
   uint64_t *touched = &s->touched[page / MEM_CHUNK_PAGES / 64],
            chunk = UINT64_C(1) << page / MEM_CHUNK_PAGES % 64;
   unsigned allowed = mem_write_unnoted(s, page) ? w->allowed & ~(unsigned)MEM_WRITE : w->allowed;
   if (!(__atomic_load_n(touched, __ATOMIC_RELAXED) & chunk))
      __atomic_fetch_or(touched, chunk, __ATOMIC_RELAXED);
   __atomic_store_n(&s->table[page], (uintptr_t)w->host | allowed, __ATOMIC_RELAXED);
}

/* Page table entries are fetched by cache lines, of 16: the valid neighbours are known from now on
 * as well. */
static void
remember_line(struct mem_space *s, uint32_t page)
{
   for (uint32_t p = page & ~15u; p < (page | 15) + 1; p++) {
      if (__atomic_load_n(&s->table[p], __ATOMIC_RELAXED))
         continue;
      struct walk w = walk(s, p << 12, true);
      if (w.host && mem_object_page(s, p << 12))
         remember(s, p, &w);
   }
}

static void *
look_up(struct mem_space *s, uint32_t address, enum mem_access access, struct walk *w)
{
   *w = walk(s, address, true);
   if (!w->host || (w->allowed & access) != access)
      return NULL;
   if (access & MEM_WRITE)
      mem_note_write(s, address >> 12);
   if (mem_object_page(s, address)) { /* else every access asks, and is told of */
      remember(s, address >> 12, w);
      remember_line(s, address >> 12);
   }
   return w->host + (address & (MEM_PAGE_SIZE - 1));
}

void *
mem_look_up(struct mem_space *s, uint32_t address, enum mem_access access)
{
   struct walk w;
   return look_up(s, address, access, &w);
}

uint32_t
mem_pages_beside(struct mem_space *s, uint32_t page, const void *host, int step, uint32_t most,
                 enum mem_access access)
{
   uintptr_t at = (uintptr_t)host;
   uint32_t room = step > 0 ? MEM_SPACE_PAGES - page : page + 1, n = 1;
   for (most = most < room ? most : room; n < most; n++) {
      page += (uint32_t)step;
      at += (uintptr_t)((intptr_t)step * (intptr_t)MEM_PAGE_SIZE);
      uintptr_t e = __atomic_load_n(&s->table[page], __ATOMIC_RELAXED);
      if ((e & access) != access)
         e = (uintptr_t)mem_look_up(s, page << 12, access);
      if ((e & ~(uintptr_t)MEM_ENTRY_FLAGS) != at)
         break;
   }
   return n;
}

void
mem_object_told(struct mem_space *s, uint32_t address)
{
   struct walk w = walk(s, address, true);
   if (w.host)
      remember(s, address >> 12, &w);
}

/* SAN-014: by commands and fixed functions; what threads do by messages to the data port, the
 * sanitizer has told before. */
static void
tell_stranger(struct mem_space *s, uint32_t address, enum mem_access access)
{
   struct pergola_object below;
   char where[MEM_OBJECT_TEXT];
   struct rule_place place = {
       .engine = s->engine < ENGINE_COUNT ? engine_names[s->engine] : "bus",
       .subject = s->ppgtt ? "PPGTT" : "GGTT",
       .field = access & MEM_WRITE ? "write" : "read",
       .address = address & ~(MEM_PAGE_SIZE - 1),
       .has_address = true,
   };
   if (mem_object_holds(s, address, 1, &below) ||
       rule_repeated(s->dev, PERGOLA_ERROR, "SAN-014", &place))
      return;
   mem_object_text(&below, address, where);
   rule_finding(s->dev, PERGOLA_ERROR, "SAN-014", &place,
                "%s at 0x%08x, in no object that the batch names: %s",
                access & MEM_WRITE ? "write" : "read", address, where);
}

void *
mem_translate_slow(struct mem_space *s, uint32_t address, enum mem_access access)
{
   struct walk w;
   void *host = look_up(s, address, access, &w);
   if (!host)
      fault(s, address, access, &w);
   else if (!mem_object_page(s, address))
      tell_stranger(s, address, access);
   return host;
}

void *
mem_translate_host(struct mem_space *s, uint32_t address, enum mem_access access)
{
   struct walk w = walk(s, address, false);
   if (w.host && (w.allowed & access) == access)
      return w.host + (address & (MEM_PAGE_SIZE - 1));
   fault(s, address, access, &w);
   return NULL;
}

bool
mem_probe(struct mem_space *s, uint32_t address, size_t size, enum mem_access access)
{
   uint64_t end = (uint64_t)address + (size ? size : 1);
   if (end > (uint64_t)MEM_SPACE_PAGES * MEM_PAGE_SIZE)
      return false;
   for (uint64_t a = address & ~(MEM_PAGE_SIZE - 1); a < end; a += MEM_PAGE_SIZE) {
      uintptr_t e = __atomic_load_n(&s->table[a >> 12], __ATOMIC_RELAXED);
      if ((e & access) == access)
         continue;
      struct walk w = walk(s, (uint32_t)a, true);
      if (!w.host || (w.allowed & access) != access)
         return false;
   }
   return true;
}

void
mem_invalidate(struct mem_space *s)
{
   for (unsigned i = 0; i < sizeof(s->touched) / sizeof(s->touched[0]); i++) {
      for (uint64_t bits = s->touched[i]; bits; bits &= bits - 1) {
         uint32_t chunk = i * 64 + (uint32_t)__builtin_ctzll(bits);
         memset(&s->table[chunk * MEM_CHUNK_PAGES], 0, MEM_CHUNK_PAGES * sizeof(s->table[0]));
      }
      s->touched[i] = 0;
   }
}

void
mem_invalidate_all(struct pergola_device *dev)
{
   mem_invalidate(&dev->ggtt);
   for (unsigned e = 0; e < ENGINE_COUNT; e++)
      mem_invalidate(&dev->ppgtt[e]);
}

void
mem_load_directory(struct mem_space *s, uint32_t pp_dir_base, uint64_t pp_dclv)
{
   s->pp_dir_base = pp_dir_base;
   s->pp_dclv_lo = (uint32_t)pp_dclv;
   s->pp_dclv_hi = (uint32_t)(pp_dclv >> 32);
   s->directory_loaded = true;
   mem_invalidate(s);
}

void
mem_unload_directory(struct mem_space *s)
{
   s->directory_loaded = false;
   s->pp_dir_base = s->pp_dclv_lo = s->pp_dclv_hi = 0;
   mem_invalidate(s);
}
