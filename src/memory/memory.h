/* Physical memory, translation, tiling.
 *
 * A graphics address becomes a host pointer by one indexed load: every address space has a flat
 * table with one entry per 4 KiB page, filled on demand from the PTEs in model memory and dropped
 * on the invalidations that the manual names. */
#ifndef PERGOLA_MEMORY_H
#define PERGOLA_MEMORY_H

#include "pergola/pergola.h"

struct phys_memory;

#define MEM_PAGE_SIZE 4096u
#define MEM_SPACE_PAGES (1u << 19) /* 2 GiB */
#define MEM_CHUNK_PAGES 1024u      /* unit in which translations are forgotten: one PDE's worth */
#define MEM_GSM_SIZE 0x200000u     /* GGTT entries, 4 bytes each; PPGTT directories live here too */

enum mem_access { MEM_READ = 1, MEM_WRITE = 2 };

/* Entry: host page address, or-ed with what is allowed; 0: not translated yet. */
#define MEM_ENTRY_READ 1u
#define MEM_ENTRY_WRITE 2u
#define MEM_ENTRY_FLAGS 0xfffu

struct mem_space {
   struct pergola_device *dev;
   bool ppgtt;
   uint8_t engine;   /* whose PP_DIR_BASE, DCLV and fault register (enum engine_id) */
   uintptr_t *table; /* MEM_SPACE_PAGES entries; read with relaxed atomics */
   uint64_t touched[MEM_SPACE_PAGES / MEM_CHUNK_PAGES /
                    64];  /* chunks of the table that are not all zero */
   bool directory_loaded; /* PP_DIR_BASE has been written since reset */
   uint32_t pp_dir_base, pp_dclv_lo, pp_dclv_hi;
};

bool mem_space_init(struct mem_space *space, struct pergola_device *dev, bool ppgtt,
                    unsigned engine);
void mem_space_finish(struct mem_space *space);
/* PP_DIR_BASE was written: the directory at that place becomes the engine's; translations go. */
void mem_load_directory(struct mem_space *space, uint32_t pp_dir_base, uint64_t pp_dclv);
void mem_unload_directory(struct mem_space *space);

/* Walks and fills the table. NULL: there is no such access to this page; no fault is raised. */
void *mem_look_up(struct mem_space *space, uint32_t address, enum mem_access access);
/* The same, or reports the page fault. NULL on a fault. */
void *mem_translate_slow(struct mem_space *space, uint32_t address, enum mem_access access);

/* The same for a translation that is known already; NULL: mem_translate() has to ask, and names the
 * fault. */
static inline void *
mem_known(const struct mem_space *space, uint32_t address, enum mem_access access)
{
   uint32_t page = address >> 12;
   if (__builtin_expect(page >= MEM_SPACE_PAGES, 0))
      return NULL;
   uintptr_t e = __atomic_load_n(&space->table[page], __ATOMIC_RELAXED);
   if (__builtin_expect((e & access) != access, 0))
      return NULL;
   return (char *)(e & ~(uintptr_t)MEM_ENTRY_FLAGS) + (address & 0xfff);
}

/* Host address of one byte of graphics memory, good to the end of its 4 KiB page; NULL: fault,
 * which has been latched and diagnosed. */
static inline void *
mem_translate(struct mem_space *space, uint32_t address, enum mem_access access)
{
   void *host = mem_known(space, address, access);
   return __builtin_expect(host != NULL, 1) ? host : mem_translate_slow(space, address, access);
}

/* As the host sees it through the aperture: the entry's write permission is the GPU's alone. */
void *mem_translate_host(struct mem_space *space, uint32_t address, enum mem_access access);

/* Any size, any alignment, across pages. A faulting part reads as zeros or is not written; false if
 * any part faulted. */
bool mem_read(struct mem_space *space, uint32_t address, void *data, size_t size);
bool mem_write(struct mem_space *space, uint32_t address, const void *data, size_t size);
uint32_t mem_read32(struct mem_space *space, uint32_t address); /* dword aligned or not */
void mem_write32(struct mem_space *space, uint32_t address, uint32_t value);
uint64_t mem_read64(struct mem_space *space, uint32_t address);
void mem_write64(struct mem_space *space, uint32_t address, uint64_t value);
/* Would this range translate? No fault is raised. */
bool mem_probe(struct mem_space *space, uint32_t address, size_t size, enum mem_access access);

/* Forgets translations. */
void mem_invalidate(struct mem_space *space);
void mem_invalidate_all(struct pergola_device *dev);

/* Physical memory: segments over host memory. Changed only by the embedder, while nothing runs. */
struct phys_memory *phys_create(void);
void phys_destroy(struct phys_memory *p);
/* Host address of a page, or NULL; *writable says whether its segment may be written. */
void *phys_page(const struct phys_memory *p, uint64_t address, bool *writable);
/* It is there, but the embedder does not share it. */
bool phys_absent(const struct phys_memory *p, uint64_t address);

/* Tile address functions: byte offset of (x bytes, y rows) in a surface of the given pitch. */
enum mem_tiling { MEM_LINEAR, MEM_TILE_X, MEM_TILE_Y, MEM_TILE_W };
uint64_t mem_tile_offset(enum mem_tiling tiling, uint32_t x_B, uint32_t y, uint32_t pitch_B);

#endif
