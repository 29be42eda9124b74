#include "hang/aub_write.h"

#include "hang/aub.h"
#include "hang/page_hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BLOCK 32768u             /* bytes of a data write, at most */
#define GTT_ENTRIES 65536u       /* 256 MiB */
#define GTT_FIRST 0x200003u      /* as all writers have it: valid, and where memory begins */
#define PAGES (1u << 20)         /* of 4 GiB */
#define RING_ADDRESS 0xfff00000u /* apart from all memory: what a Gen7 GPU cannot address */

struct aub_writer {
   FILE *f;
   bool failed;
   uint64_t *hash; /* of pages as they are for whoever runs the file; 0: not in it yet */
   uint64_t sum;   /* of these */
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

struct aub_writer *
aub_open(const char *path, uint32_t pci_id)
{
   struct aub_writer *w = calloc(1, sizeof(*w));
   if (w) {
      w->hash = calloc(PAGES, sizeof(*w->hash));
      w->f = w->hash ? fopen(path, "we") : NULL;
   }
   if (!w || !w->f) {
      free(w ? w->hash : NULL);
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
   free(w->hash);
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

/* True: it is another than it was. */
static bool
note_page(struct aub_writer *w, uint32_t address, const void *bytes)
{
   uint64_t *known = &w->hash[address / HASH_PAGE], now = page_hash(address, bytes);
   if (*known == now)
      return false;
   w->sum += now - *known;
   *known = now;
   return true;
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
   for (size_t at = 0; at < size; at += HASH_PAGE) {
      uint64_t *known = &w->hash[(address + (uint32_t)at) / HASH_PAGE];
      w->sum -= *known;
      *known = 0;
   }
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
