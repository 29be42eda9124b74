#include "hang/replay_memory.h"

#include "hw/gtt.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PHYSICAL (1u << 20)   /* pages: what entries with 32 bits of address reach */
#define MARGIN 64u            /* pages for translation tables and fillers, and: */
#define SPACE_ROOM (1u << 10) /* grows by so many */

uint8_t *
replay_memory_bytes(const struct replay_memory *m, uint32_t place)
{
   return m->host + (size_t)(place - 1) * REPLAY_PAGE;
}

static uint32_t
take_page(struct replay_memory *m)
{
   if (m->given_count) {
      uint32_t place = m->given[--m->given_count];
      memset(replay_memory_bytes(m, place), 0, REPLAY_PAGE);
      return place;
   }
   if (m->used + REPLAY_PAGE > m->size)
      return 0;
   m->used += REPLAY_PAGE;
   return (uint32_t)(m->used / REPLAY_PAGE); /* 1 + its number */
}

/* Without memory for the list it is only lost. */
static void
give_page(struct replay_memory *m, uint32_t place)
{
   if (m->given_count == m->given_room) {
      size_t room = m->given_room ? 2 * m->given_room : SPACE_ROOM;
      uint32_t *more = realloc(m->given, room * sizeof(*more));
      if (!more)
         return;
      m->given = more;
      m->given_room = room;
   }
   m->given[m->given_count++] = place;
}

uint32_t
replay_memory_find(const struct replay_space *s, uint64_t page)
{
   const struct replay_table *table = page < REPLAY_PAGES ? s->table[page / REPLAY_TABLE] : NULL;
   return table ? table->place[page % REPLAY_TABLE] : 0;
}

static uint32_t
entry(const struct replay_memory *m, uint32_t place)
{
   place = place ? place : m->filler;
   return place ? hw_gtt_entry((place - 1) * REPLAY_PAGE) | HW_GTT_CACHED : 0;
}

static bool
in_directory(const struct replay_memory *m, uint32_t page)
{
   return m->directory && page >= m->directory && page - m->directory < REPLAY_TABLES;
}

/* ---- what the GPU reads --------------------------------------------------------------------- */

static void
write_ggtt(struct replay_memory *m, uint32_t page, uint32_t place)
{
   if (!m->dev || in_directory(m, page))
      return;
   pergola_mmio_write(m->dev, HW_GTT_WINDOW + 4 * page, 4, entry(m, place));
   m->changed = true;
}

static void
write_directory(struct replay_memory *m, unsigned table, uint32_t place)
{
   place = place ? place : m->filler_table;
   m->changed = true;
   pergola_mmio_write(m->dev, HW_GTT_WINDOW + 4 * (m->directory + table), 4,
                      place ? hw_gtt_entry((place - 1) * REPLAY_PAGE) : 0);
}

static void
fill_table(const struct replay_memory *m, uint32_t place, const struct replay_table *from)
{
   uint32_t *out = (uint32_t *)(void *)replay_memory_bytes(m, place);
   for (uint32_t i = 0; i < REPLAY_TABLE; i++)
      out[i] = entry(m, from ? from->place[i] : 0);
}

static uint32_t
gpu_table(const struct replay_space *s, unsigned table)
{
   return s && s->table[table] ? s->table[table]->gpu : 0;
}

/* The table of the GPU follows the one that is kept here. */
static bool
write_table(struct replay_memory *m, struct replay_space *s, unsigned table)
{
   struct replay_table *t = s->table[table];
   if (!t->gpu) {
      t->gpu = take_page(m);
      if (!t->gpu)
         return false;
      fill_table(m, t->gpu, t);
      if (s == m->space)
         write_directory(m, table, t->gpu);
   }
   return true;
}

static bool
write_entry(struct replay_memory *m, struct replay_space *s, uint32_t page)
{
   uint32_t place = replay_memory_find(s, page);
   if (!m->dev)
      return true;
   if (s == &m->ggtt) {
      write_ggtt(m, page, place);
      return true;
   }
   if (!write_table(m, s, page / REPLAY_TABLE))
      return false;
   uint8_t *table = replay_memory_bytes(m, gpu_table(s, page / REPLAY_TABLE));
   uint32_t value = entry(m, place);
   memcpy(table + 4 * (page % REPLAY_TABLE), &value, 4);
   if (s == m->shown && !replay_memory_find(&m->ggtt, page))
      write_ggtt(m, page, place);
   return true;
}

/* ---- pages ---------------------------------------------------------------------------------- */

static bool
set_page(struct replay_memory *m, struct replay_space *s, uint32_t page, uint32_t place)
{
   struct replay_table **table = &s->table[page / REPLAY_TABLE];
   if (!place || (!*table && !(*table = calloc(1, sizeof(**table)))))
      return false;
   bool more = !(*table)->place[page % REPLAY_TABLE];
   (*table)->pages += more;
   s->pages += more;
   (*table)->place[page % REPLAY_TABLE] = place;
   return write_entry(m, s, page);
}

/* Takes it out of the space, and tells where it lies; 0: it was not there. */
static uint32_t
remove_page(struct replay_memory *m, struct replay_space *s, uint32_t page)
{
   uint32_t place = replay_memory_find(s, page);
   struct replay_table **table = &s->table[page / REPLAY_TABLE];
   if (!place)
      return 0;
   (*table)->place[page % REPLAY_TABLE] = 0;
   write_entry(m, s, page);
   s->pages--;
   if (--(*table)->pages)
      return place;
   if ((*table)->gpu)
      give_page(m, (*table)->gpu);
   if (m->dev && s == m->space)
      write_directory(m, page / REPLAY_TABLE, 0);
   free(*table);
   *table = NULL;
   return place;
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
is_memory(const struct capture_block *b)
{
   return b->kind != CAPTURE_REMARK && b->kind != CAPTURE_REGISTER;
}

bool
replay_memory_write(struct replay_memory *m, const struct capture_block *b)
{
   struct replay_space *s = in_ppgtt(m, b) ? m->space : &m->ggtt;
   for (size_t done = 0; is_memory(b) && done < b->size;) {
      uint64_t address = b->address + done, page = address / REPLAY_PAGE;
      size_t offset = address % REPLAY_PAGE, n = REPLAY_PAGE - offset;
      n = n < b->size - done ? n : b->size - done;
      if (page >= REPLAY_PAGES)
         return true; /* beyond what a Gen7 GPU can address: left out */
      uint32_t place = replay_memory_find(s, page);
      if (!place) {
         place = take_page(m);
         if (!place || !set_page(m, s, (uint32_t)page, place))
            return false;
      }
      if (b->kind == CAPTURE_WORKAROUND && m->ppgtt && !replay_memory_find(m->space, page) &&
          !set_page(m, m->space, (uint32_t)page, place)) /* the kernel's own, in every space */
         return false;
      memcpy(replay_memory_bytes(m, place) + offset, b->bytes + done, n);
      done += n;
   }
   return true;
}

void
replay_memory_drop(struct replay_memory *m, uint64_t address, uint64_t size)
{
   uint64_t page = address / REPLAY_PAGE, end = (address + size + REPLAY_PAGE - 1) / REPLAY_PAGE;
   end = end < REPLAY_PAGES ? end : REPLAY_PAGES;
   while (page < end) {
      uint32_t place = remove_page(m, m->space, (uint32_t)page);
      if (place)
         give_page(m, place);
      if (m->space->table[page / REPLAY_TABLE])
         page++;
      else
         page = (page / REPLAY_TABLE + 1) * REPLAY_TABLE;
   }
}

/* ---- address spaces ------------------------------------------------------------------------- */

static void
free_space(struct replay_space *s)
{
   for (unsigned i = 0; i < REPLAY_TABLES; i++)
      free(s->table[i]);
}

/* One that has nothing any more goes, as an address space does with its last object. */
static void
leave_space(struct replay_memory *m, unsigned i)
{
   struct replay_space *s = m->all[i];
   if (s->pages || s == m->space)
      return;
   for (unsigned t = 0; t < REPLAY_TABLES; t++)
      if (gpu_table(s, t))
         give_page(m, gpu_table(s, t));
   m->shown = m->shown == s ? NULL : m->shown;
   m->all[i] = m->all[--m->spaces];
   free_space(s);
   free(s);
}

static struct replay_space *
find_space(struct replay_memory *m, uint64_t number)
{
   for (unsigned i = 0; i < m->spaces; i++)
      if (m->all[i]->number == number)
         return m->all[i];
   if (m->spaces % SPACE_ROOM == 0) {
      void *more = realloc(m->all, (m->spaces + SPACE_ROOM) * sizeof(struct replay_space *));
      if (!more)
         return NULL;
      m->all = more;
   }
   struct replay_space *s = calloc(1, sizeof(*s));
   if (!s)
      return NULL;
   s->number = number;
   return m->all[m->spaces++] = s;
}

bool
replay_memory_use(struct replay_memory *m, uint64_t number)
{
   const struct replay_space *old = m->space;
   struct replay_space *s = find_space(m, number);
   if (!s || s == old)
      return s != NULL;
   m->space = s;
   for (unsigned t = 0; m->dev && t < REPLAY_TABLES; t++)
      if (gpu_table(old, t) != gpu_table(s, t))
         write_directory(m, t, gpu_table(s, t));
   for (unsigned i = m->spaces; i-- > 0;)
      if (m->all[i] == old)
         leave_space(m, i);
   return true;
}

/* Every page of a space, in the GGTT or there no more. */
static void
show_pages(struct replay_memory *m, const struct replay_space *s, bool show)
{
   for (uint32_t page = 0; page < REPLAY_PAGES; page++) {
      if (page % REPLAY_TABLE == 0 && !s->table[page / REPLAY_TABLE])
         page += REPLAY_TABLE - 1;
      else if (replay_memory_find(s, page) && !replay_memory_find(&m->ggtt, page))
         write_ggtt(m, page, show ? replay_memory_find(s, page) : 0);
   }
}

void
replay_memory_show(struct replay_memory *m)
{
   if (m->shown == m->space)
      return;
   if (m->shown)
      show_pages(m, m->shown, false);
   m->shown = m->space;
   show_pages(m, m->shown, true);
}

void
replay_memory_settle(struct replay_memory *m)
{
   if (m->changed)
      pergola_mmio_write(m->dev, REG_GFX_FLSH_CNTL, 4, 1);
   m->changed = false;
}

/* ---- setting up ----------------------------------------------------------------------------- */

/* Which pages of any address space the capture has. */
static void
mark_used(const struct capture *c, uint8_t used[REPLAY_PAGES])
{
   for (unsigned i = 0; i < c->blocks; i++) {
      const struct capture_block *b = &c->block[i];
      uint64_t page = b->address / REPLAY_PAGE;
      uint64_t end = b->size ? (b->address + b->size - 1) / REPLAY_PAGE + 1 : 0;
      for (; is_memory(b) && page < end && page < REPLAY_PAGES; page++)
         used[page] = 1;
   }
}

/* The page directory takes entries of the GGTT's table. It is best where it was: the request may
 * load it again. */
static void
place_directory(struct replay_memory *m, uint32_t wish)
{
   uint32_t i = 0;
   while (wish && wish <= REPLAY_PAGES - REPLAY_TABLES && i < REPLAY_TABLES &&
          !replay_memory_find(&m->ggtt, wish + i))
      i++;
   m->directory = i == REPLAY_TABLES ? wish : 0;
}

/* An aliasing PPGTT shows the same objects: what only one of them has, the other shows too. */
static bool
alias(struct replay_memory *m)
{
   for (uint32_t page = 0; page < REPLAY_PAGES; page++) {
      uint32_t place = replay_memory_find(m->space, page);
      if (place && !replay_memory_find(&m->ggtt, page) && !in_directory(m, page) &&
          !set_page(m, &m->ggtt, page, place))
         return false;
   }
   return true;
}

/* The fault says in which space the page was looked for; the other may have it still. */
static void
lose_page(struct replay_memory *m, uint32_t fault)
{
   if (fault / REPLAY_PAGE < REPLAY_PAGES)
      remove_page(m, fault & REG_GFX_ENG_FR__ADDRESS_SPACE ? &m->ggtt : m->space,
                  fault / REPLAY_PAGE);
}

/* So many pages of the GGTT that nobody has, aligned to 16; 0: there are none. */
static uint32_t
find_free(const struct replay_memory *m, const uint8_t *used, uint32_t count)
{
   for (uint32_t first = REPLAY_PAGES - 16; first >= count; first -= 16) {
      uint32_t i = 0;
      while (i < count && !used[first - count + i] && !in_directory(m, first - count + i))
         i++;
      if (i == count && !((first - count) % 16))
         return first - count;
   }
   return 0;
}

static bool
place_own(struct replay_memory *m, const struct capture *c, unsigned own_pages)
{
   uint8_t *used = calloc(REPLAY_PAGES, 1);
   if (!used || own_pages > REPLAY_OWN) {
      free(used);
      return false;
   }
   mark_used(c, used);
   uint32_t own = find_free(m, used, REPLAY_OWN + REPLAY_TABLES); /* ours, then the directory */
   free(used);
   for (unsigned i = 0; own && i < own_pages; i++)
      if (!set_page(m, &m->ggtt, own + i, take_page(m)))
         return false;
   m->own = own * REPLAY_PAGE;
   m->directory = m->directory ? m->directory : own + REPLAY_OWN;
   return own != 0;
}

/* As much as all blocks may need, with a page table for each of their pages at worst; it takes none
 * of the host's until it is written. */
static bool
reserve(struct replay_memory *m, const struct capture *c, const struct replay_layout *l)
{
   uint64_t pages = l->own_pages + MARGIN + 2 * REPLAY_TABLES;
   for (unsigned i = 0; i < c->blocks; i++)
      pages += is_memory(&c->block[i]) ? 2 * (c->block[i].size / REPLAY_PAGE + 2) : 1;
   m->size = (pages < PHYSICAL ? pages : PHYSICAL) * REPLAY_PAGE;
   m->host = mmap(NULL, m->size, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
   return m->host != MAP_FAILED;
}

bool
replay_memory_create(struct replay_memory *m, const struct capture *c,
                     const struct replay_layout *l)
{
   *m = (struct replay_memory){.ppgtt = l->ppgtt, .secure_batch = l->secure_batch};
   if (!reserve(m, c, l) || !replay_memory_use(m, 0))
      return false;
   for (unsigned i = 0; !l->in_order && i < c->blocks; i++)
      if (!replay_memory_write(m, &c->block[i]))
         return false;
   if (m->ppgtt)
      place_directory(m, l->directory);
   if (!alias(m))
      return false;
   if (l->has_fault)
      lose_page(m, l->fault);
   return place_own(m, c, l->own_pages);
}

void
replay_memory_destroy(struct replay_memory *m)
{
   if (m->host && m->host != MAP_FAILED)
      munmap(m->host, m->size);
   for (unsigned i = 0; i < m->spaces; i++) {
      free_space(m->all[i]);
      free(m->all[i]);
   }
   free_space(&m->ggtt);
   free(m->all);
   free(m->given);
}

uint8_t *
replay_memory_own(struct replay_memory *m, unsigned page)
{
   return replay_memory_bytes(m, replay_memory_find(&m->ggtt, m->own / REPLAY_PAGE + page));
}

static bool
make_filler(struct replay_memory *m, uint32_t value)
{
   m->filler = take_page(m);
   m->filler_table = take_page(m);
   if (!m->filler || !m->filler_table)
      return false;
   for (unsigned i = 0; i < REPLAY_PAGE / 4; i++)
      memcpy(replay_memory_bytes(m, m->filler) + 4 * i, &value, 4);
   fill_table(m, m->filler_table, NULL);
   return true;
}

bool
replay_memory_bind(struct replay_memory *m, struct pergola_device *dev,
                   const struct replay_options *o)
{
   if ((o->fill && !make_filler(m, o->fill_value)) ||
       pergola_memory_add(dev, 0, m->host, m->size, 0))
      return false;
   m->dev = dev;
   for (uint32_t i = 0; i < REPLAY_PAGES; i++)
      if (replay_memory_find(&m->ggtt, i) || m->filler)
         write_ggtt(m, i, replay_memory_find(&m->ggtt, i));
   for (unsigned t = 0; m->ppgtt && t < REPLAY_TABLES; t++) {
      if (m->space->table[t] && !write_table(m, m->space, t))
         return false;
      if (!m->space->table[t])
         write_directory(m, t, 0);
   }
   return true;
}
