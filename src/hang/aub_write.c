#include "hang/aub_write.h"

#include "hang/aub.h"
#include "hang/page_hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BLOCK 32768u        /* bytes of a data write, at most */
#define GTT_ENTRIES 65536u  /* 256 MiB */
#define GTT_FIRST 0x200003u /* as all writers have it: valid, and where memory begins */
#define PAGES (1u << 20)    /* of 4 GiB */
#define TABLE 1024u         /* pages of a table of hashes */
#define TABLES (PAGES / TABLE)
#define RING_ADDRESS 0xfff00000u /* apart from all memory: what a Gen7 GPU cannot address */

/* Hashes of pages as they are for whoever runs the file; 0: not in it yet. */
struct space {
   uint64_t number;
   uint32_t pages; /* that are in it */
   uint64_t *hash[TABLES];
   struct space *next;
};

struct aub_writer {
   FILE *f;
   bool failed;
   struct space flat;           /* for who does not tell address spaces apart */
   struct space *spaces, *here; /* `here`: what the file is about */
   uint64_t sum;                /* of all hashes but flat's */
   uint64_t context;
   FILE *objects; /* the text of a remark: pages of the batch, where each range begins and ends */
   char *text;
   size_t text_size;
   uint64_t first, end; /* the last range */
};

static void
put(struct aub_writer *w, const void *bytes, size_t size)
{
   w->failed |= fwrite(bytes, 1, size, w->f) != size;
}

static void
put_block(struct aub_writer *w, uint32_t what, uint32_t address, const void *bytes, size_t size)
{
   static const uint8_t zeros[4];
   const uint32_t head[] = {AUB_BLOCK | (5 - 2), what, 0, address, (uint32_t)size};
   put(w, head, sizeof(head));
   put(w, bytes, size);
   put(w, zeros, -size & 3);
}

static void
put_header(struct aub_writer *w, uint32_t pci_id)
{
   char name[32] = "Pergola", comment[16] = "";
   snprintf(comment, sizeof(comment), "PCI-ID=0x%x", pci_id);
   const uint32_t head[2] = {AUB_HEADER | (13 + sizeof(comment) / 4 - 2), 4u << 24};
   const uint32_t tail[3] = {(uint32_t)time(NULL), 0, sizeof(comment)};
   put(w, head, sizeof(head));
   put(w, name, sizeof(name));
   put(w, tail, sizeof(tail));
   put(w, comment, sizeof(comment));
}

static void
put_gtt(struct aub_writer *w)
{
   uint32_t entries[BLOCK / 4];
   for (uint32_t first = 0; first < GTT_ENTRIES; first += BLOCK / 4) {
      for (uint32_t i = 0; i < BLOCK / 4; i++)
         entries[i] = GTT_FIRST + 0x1000 * (first + i);
      put_block(w, AUB_OP_DATA | AUB_SPACE_GTT_ENTRY << 16, 4 * first, entries, sizeof(entries));
   }
}

/* ---- address spaces ------------------------------------------------------------------------- */

/* The hash of a page; NULL: no memory for it, or none was ever there and `make` is false. */
static uint64_t *
hash_at(struct space *s, uint32_t address, bool make)
{
   uint32_t page = address / HASH_PAGE;
   uint64_t **table = &s->hash[page / TABLE];
   if (!*table && make)
      *table = calloc(TABLE, sizeof(**table));
   return *table ? &(*table)[page % TABLE] : NULL;
}

static struct space *
find_space(struct aub_writer *w, uint64_t number)
{
   struct space *s = w->spaces;
   while (s && s->number != number)
      s = s->next;
   return s;
}

static struct space *
make_space(struct aub_writer *w, uint64_t number)
{
   struct space *s = find_space(w, number);
   if (!s && (s = calloc(1, sizeof(*s)))) {
      s->number = number;
      s->next = w->spaces;
      w->spaces = s;
   }
   return s;
}

static void
free_tables(struct space *s)
{
   for (unsigned i = 0; i < TABLES; i++)
      free(s->hash[i]);
}

/* One that has nothing goes. */
static void
leave_space(struct aub_writer *w, struct space *s)
{
   struct space **p = &w->spaces;
   if (!s || s->pages || s == w->here)
      return;
   while (*p != s)
      p = &(*p)->next;
   *p = s->next;
   free_tables(s);
   free(s);
}

struct aub_writer *
aub_open(const char *path, uint32_t pci_id)
{
   struct aub_writer *w = calloc(1, sizeof(*w));
   if (w) {
      w->here = make_space(w, 0);
      w->f = w->here ? fopen(path, "we") : NULL;
   }
   if (!w || !w->f) {
      free(w ? w->here : NULL);
      free(w);
      return NULL;
   }
   put_header(w, pci_id);
   put_gtt(w);
   aub_flush(w);
   return w;
}

bool
aub_close(struct aub_writer *w)
{
   bool ok = fclose(w->f) == 0 && !w->failed;
   if (w->objects)
      fclose(w->objects);
   free(w->text);
   for (struct space *s = w->spaces, *next; s; s = next) {
      next = s->next;
      free_tables(s);
      free(s);
   }
   free_tables(&w->flat);
   free(w);
   return ok;
}

void
aub_register(struct aub_writer *w, uint32_t offset, uint32_t value)
{
   put_block(w, AUB_OP_MMIO, offset, &value, sizeof(value));
}

void
aub_memory(struct aub_writer *w, uint32_t address, const void *bytes, size_t size)
{
   for (size_t at = 0; at < size; at += BLOCK)
      put_block(w, AUB_OP_DATA | AUB_TYPE_GENERAL << 8, address + (uint32_t)at,
                (const uint8_t *)bytes + at, size - at < BLOCK ? size - at : BLOCK);
}

/* True: it is another than it was, here or for who does not tell address spaces apart. */
static bool
note_page(struct aub_writer *w, uint32_t address, const void *bytes)
{
   uint64_t *known = hash_at(w->here, address, true), *flat = hash_at(&w->flat, address, true);
   uint64_t now = page_hash(address, bytes);
   if (!known || !flat) {
      w->failed = true;
      return false;
   }
   if (*known == now && *flat == now)
      return false;
   w->here->pages += !*known;
   w->sum += now - *known;
   *known = *flat = now;
   return true;
}

static void
forget_page(struct aub_writer *w, uint32_t address)
{
   uint64_t *known = hash_at(w->here, address, false), *flat = hash_at(&w->flat, address, false);
   if (flat)
      *flat = 0;
   if (!known || !*known)
      return;
   w->here->pages--;
   w->sum -= *known;
   *known = 0;
}

void
aub_pages(struct aub_writer *w, uint32_t address, const void *bytes, size_t size)
{
   const uint8_t *from = bytes;
   for (size_t at = 0, n; at < size; at += n) {
      for (n = 0; at + n < size && note_page(w, address + (uint32_t)(at + n), from + at + n);)
         n += HASH_PAGE;
      aub_memory(w, address + (uint32_t)at, from + at, n);
      n += at + n < size ? HASH_PAGE : 0; /* the one that has not changed */
   }
}

void
aub_flush(struct aub_writer *w)
{
   w->failed |= fflush(w->f) != 0;
}

void
aub_commands(struct aub_writer *w, unsigned engine, const uint32_t *dw, unsigned count)
{
   put_block(w, AUB_OP_COMMAND | (AUB_TYPE_RING + engine) << 8, RING_ADDRESS, dw,
             (size_t)count * 4);
   aub_flush(w); /* a child of a fork must not have bytes to write */
}

static void
put_comment(struct aub_writer *w, const char *word, uint64_t value)
{
   char text[48] = "";
   snprintf(text, sizeof(text), "%s 0x%016llx", word, (unsigned long long)value);
   put_block(w, AUB_OP_COMMENT, 0, text, sizeof(text));
}

void
aub_context(struct aub_writer *w, uint64_t number)
{
   if (number != w->context)
      put_comment(w, AUB_WORD_CONTEXT, number);
   w->context = number;
}

void
aub_space(struct aub_writer *w, uint64_t number)
{
   struct space *old = w->here, *s = make_space(w, number);
   if (!s) {
      w->failed = true;
      return;
   }
   if (s == old)
      return;
   w->here = s;
   leave_space(w, old);
   put_comment(w, AUB_WORD_SPACE, number);
}

void
aub_unbound(struct aub_writer *w, uint64_t number, uint32_t address, size_t size)
{
   char text[64] = "";
   struct space *s = find_space(w, number);
   if (!s)
      return; /* the file has nothing of it */
   aub_space(w, number);
   for (size_t at = 0; at < size; at += HASH_PAGE)
      forget_page(w, address + (uint32_t)at);
   snprintf(text, sizeof(text), AUB_WORD_UNBOUND " 0x%x 0x%zx", address, size);
   put_block(w, AUB_OP_COMMENT, 0, text, sizeof(text));
}

void
aub_time(struct aub_writer *w, uint64_t ns)
{
   put_comment(w, AUB_WORD_TIME, ns);
}

static void
put_range(struct aub_writer *w)
{
   if (w->end > w->first)
      w->failed |= fprintf(w->objects, " 0x%llx 0x%llx", (unsigned long long)w->first,
                           (unsigned long long)(w->end - w->first)) < 0;
   w->first = w->end = 0;
}

static void
add_object(struct aub_writer *w, uint32_t address, size_t size)
{
   if (!w->objects) {
      w->objects = open_memstream(&w->text, &w->text_size);
      if (!w->objects) {
         w->failed = true;
         return;
      }
      fputs(AUB_WORD_OBJECTS, w->objects);
   }
   if (w->end != address)
      put_range(w);
   w->first = w->end ? w->first : address;
   w->end = (uint64_t)address + size;
}

/* Whoever compares looks at these pages alone. */
void
aub_result(struct aub_writer *w, uint32_t address, const void *bytes, size_t size)
{
   for (size_t at = 0; at < size; at += HASH_PAGE)
      note_page(w, address + (uint32_t)at, (const uint8_t *)bytes + at);
   add_object(w, address, size);
}

void
aub_forget(struct aub_writer *w, uint32_t address, size_t size)
{
   for (size_t at = 0; at < size; at += HASH_PAGE)
      forget_page(w, address + (uint32_t)at);
   add_object(w, address, size);
}

static void
put_objects(struct aub_writer *w)
{
   if (!w->objects)
      return;
   put_range(w);
   w->failed |= fclose(w->objects) != 0;
   if (w->text)
      put_block(w, AUB_OP_COMMENT, 0, w->text, w->text_size + 1);
   free(w->text);
   w->objects = NULL;
   w->text = NULL;
}

void
aub_compare(struct aub_writer *w)
{
   if (!w->objects)
      add_object(w, 0, 0); /* nothing has changed */
   put_objects(w);
   put_comment(w, AUB_WORD_MEMORY, w->sum);
   aub_flush(w); /* the program may end in ways that nobody hears of */
}

void
aub_lost(struct aub_writer *w)
{
   if (!w->objects)
      return;
   put_objects(w);
   put_comment(w, AUB_WORD_LOST, 0);
}

void
aub_hung(struct aub_writer *w)
{
   put_objects(w);
   put_comment(w, AUB_WORD_HUNG, 0);
   aub_flush(w);
}
