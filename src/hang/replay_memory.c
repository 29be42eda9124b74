#include "hang/replay_memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define GTT_WINDOW 0x200000u
#define PTE 7u /* valid, writeable, cached: good on every part */
#define TABLE_PAGES 1024u
#define TABLES (REPLAY_PAGES / TABLE_PAGES)

static uint32_t
take_page(struct replay_memory *m)
{
   if (m->used + REPLAY_PAGE > m->size)
      return 0;
   m->used += REPLAY_PAGE;
   return (uint32_t)(m->used / REPLAY_PAGE); /* 1 + its number */
}

static uint8_t *
page_bytes(const struct replay_memory *m, uint32_t page)
{
   return m->host + (size_t)(page - 1) * REPLAY_PAGE;
}

/* Which address spaces a block was seen through: rings, status pages and contexts always lie in the
 * GGTT; what a program wrote lies in its PPGTT, where there is one. */
static bool
in_ppgtt(const struct replay_memory *m, const struct capture_block *b)
{
   if (b->kind == CAPTURE_BATCH && m->secure_batch)
      return false;
   return m->ppgtt &&
          (b->kind == CAPTURE_BATCH || b->kind == CAPTURE_USER || b->kind == CAPTURE_MEMORY);
}

static bool
place_block(struct replay_memory *m, const struct capture_block *b)
{
   if (b->kind == CAPTURE_REMARK || b->kind == CAPTURE_REGISTER)
      return true;
   uint32_t *table = m->page[in_ppgtt(m, b) ? REPLAY_PPGTT : REPLAY_GGTT];
   for (size_t done = 0; done < b->size;) {
      uint64_t address = b->address + done, page = address / REPLAY_PAGE;
      size_t offset = address % REPLAY_PAGE, n = REPLAY_PAGE - offset;
      n = n < b->size - done ? n : b->size - done;
      if (page >= REPLAY_PAGES)
         return true; /* beyond what a Gen7 GPU can address: left out */
      if (!table[page] && !(table[page] = take_page(m)))
         return false;
      if (b->kind == CAPTURE_WORKAROUND && m->ppgtt && !m->page[REPLAY_PPGTT][page])
         m->page[REPLAY_PPGTT][page] = table[page]; /* the kernel's own, in every address space */
      memcpy(page_bytes(m, table[page]) + offset, b->bytes + done, n);
      done += n;
   }
   return true;
}

static bool
in_directory(const struct replay_memory *m, uint32_t page)
{
   return m->directory && page >= m->directory && page - m->directory < TABLES;
}

/* An aliasing PPGTT shows the same objects: what only one of them has, the other shows too. */
static void
alias(struct replay_memory *m)
{
   for (uint32_t i = 0; m->ppgtt && i < REPLAY_PAGES; i++)
      if (!m->page[REPLAY_GGTT][i] && !in_directory(m, i))
         m->page[REPLAY_GGTT][i] = m->page[REPLAY_PPGTT][i];
}

/* The page directory takes entries of the GGTT's table. It is best where it was: the request may
 * load it again. */
static void
place_directory(struct replay_memory *m, uint32_t wish)
{
   uint32_t i = 0;
   while (wish && wish <= REPLAY_PAGES - TABLES && i < TABLES && !m->page[REPLAY_GGTT][wish + i])
      i++;
   m->directory = i == TABLES ? wish : 0;
}

/* Bit 11: the page was looked for in the GGTT. */
static void
lose_page(struct replay_memory *m, uint32_t fault)
{
   uint32_t page = fault / REPLAY_PAGE;
   if (page < REPLAY_PAGES)
      m->page[fault & 1u << 11 ? REPLAY_GGTT : REPLAY_PPGTT][page] = 0;
}

/* So many pages of the GGTT that nobody has, aligned to 16; 0: there are none. */
static uint32_t
find_free(const struct replay_memory *m, uint32_t count)
{
   for (uint32_t first = REPLAY_PAGES - 16; first >= count; first -= 16) {
      uint32_t i = 0;
      while (i < count && !m->page[REPLAY_GGTT][first - count + i] &&
             !in_directory(m, first - count + i))
         i++;
      if (i == count && !((first - count) % 16))
         return first - count;
   }
   return 0;
}

bool
replay_memory_create(struct replay_memory *m, const struct capture *c,
                     const struct replay_layout *l)
{
   *m = (struct replay_memory){.ppgtt = l->ppgtt, .secure_batch = l->secure_batch};
   unsigned own_pages = l->own_pages;
   uint64_t pages = own_pages + 2 + TABLES;
   for (unsigned i = 0; i < c->blocks; i++)
      pages += c->block[i].size / REPLAY_PAGE + 2;
   m->size = pages * REPLAY_PAGE;
   m->host = mmap(NULL, m->size, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
   for (unsigned s = 0; s < REPLAY_SPACES; s++)
      m->page[s] = calloc(REPLAY_PAGES, sizeof(uint32_t));
   if (m->host == MAP_FAILED || !m->page[0] || !m->page[1])
      return false;
   for (unsigned i = 0; i < c->blocks; i++)
      if (!place_block(m, &c->block[i]))
         return false;
   if (m->ppgtt)
      place_directory(m, l->directory);
   alias(m);
   if (l->has_fault)
      lose_page(m, l->fault);
   uint32_t own = find_free(m, REPLAY_OWN + TABLES); /* ours, then the directory */
   if (!own || own_pages > REPLAY_OWN)
      return false;
   for (unsigned i = 0; i < own_pages; i++)
      m->page[REPLAY_GGTT][own + i] = take_page(m);
   m->own = own * REPLAY_PAGE;
   m->directory = m->directory ? m->directory : own + REPLAY_OWN;
   return true;
}

void
replay_memory_destroy(struct replay_memory *m)
{
   if (m->host && m->host != MAP_FAILED)
      munmap(m->host, m->size);
   free(m->page[0]);
   free(m->page[1]);
}

void
replay_memory_clear(struct replay_memory *m)
{
   memset(m->host, 0, m->used);
}

void
replay_memory_write(struct replay_memory *m, const struct capture_block *b)
{
   place_block(m, b); /* its pages are there since it was counted */
}

const uint8_t *
replay_memory_page(const struct replay_memory *m, enum replay_space space, uint32_t page)
{
   return page_bytes(m, m->page[space][page]);
}

uint8_t *
replay_memory_own(struct replay_memory *m, unsigned page)
{
   return page_bytes(m, m->page[REPLAY_GGTT][m->own / REPLAY_PAGE + page]);
}

static uint32_t
entry(uint32_t page)
{
   return page ? (page - 1) * REPLAY_PAGE | PTE : 0;
}

/* Tables of 1024 entries; those without a page are left out, or share one that is all filler. */
static bool
write_ppgtt(struct replay_memory *m, struct pergola_device *dev, uint32_t filler)
{
   uint32_t all_filler = 0;
   for (uint32_t t = 0; t < TABLES; t++) {
      const uint32_t *page = &m->page[REPLAY_PPGTT][t * TABLE_PAGES];
      uint32_t any = 0, table = all_filler;
      for (uint32_t i = 0; i < TABLE_PAGES; i++)
         any |= page[i];
      if (!any && !filler)
         continue;
      if (any || !all_filler) {
         table = take_page(m);
         if (!table)
            return false;
         uint32_t *out = (uint32_t *)(void *)page_bytes(m, table);
         for (uint32_t i = 0; i < TABLE_PAGES; i++)
            out[i] = entry(page[i] ? page[i] : filler);
         all_filler = any ? all_filler : table;
      }
      pergola_mmio_write(dev, GTT_WINDOW + 4 * (m->directory + t), 4, entry(table) & ~6u);
   }
   return true;
}

bool
replay_memory_bind(struct replay_memory *m, struct pergola_device *dev,
                   const struct replay_options *o)
{
   uint32_t filler = o->fill ? take_page(m) : 0;
   if (o->fill && !filler)
      return false;
   for (unsigned i = 0; filler && i < REPLAY_PAGE / 4; i++)
      memcpy(page_bytes(m, filler) + 4 * i, &o->fill_value, 4);
   if (pergola_memory_add(dev, 0, m->host, m->size, 0))
      return false;
   for (uint32_t i = 0; i < REPLAY_PAGES; i++) {
      uint32_t page = m->page[REPLAY_GGTT][i];
      page = page ? page : filler;
      if (page && !in_directory(m, i))
         pergola_mmio_write(dev, GTT_WINDOW + 4 * i, 4, entry(page));
   }
   return !m->ppgtt || write_ppgtt(m, dev, filler);
}
