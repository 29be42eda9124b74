/* A machine as a file: its device's snapshot and the pages of its memory that are not zero. */
#include "memory/memory.h"
#include "pergola/pergola_machine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define VERSION 1u
#define MOST_FILE (UINT64_C(1) << 34)

static const char magic[8] = "PERGMACH";

struct header {
   char magic[8];
   uint32_t version, reserved;
   uint64_t memory, device, pages; /* bytes, bytes, pages that follow */
};

struct page {
   uint64_t number;
   uint8_t data[MEM_PAGE_SIZE];
};

static int
fail(const char **error, int number, const char *text)
{
   if (error)
      *error = text;
   return number;
}

/* ---- saving -----------------------------------------------------------------------------------
 */

static bool
is_zero(const uint8_t *page)
{
   static const uint8_t zeros[MEM_PAGE_SIZE];
   return !memcmp(page, zeros, MEM_PAGE_SIZE);
}

static bool
write_pages(FILE *f, const struct pergola_machine *m, uint64_t *count)
{
   struct page p;
   for (uint64_t i = 0; i < m->size / MEM_PAGE_SIZE; i++) {
      const uint8_t *from = m->memory + i * MEM_PAGE_SIZE;
      if (is_zero(from))
         continue;
      p.number = i;
      memcpy(p.data, from, sizeof(p.data));
      ++*count;
      if (!fwrite(&p, sizeof(p), 1, f))
         return false;
   }
   return true;
}

static bool
write_all(FILE *f, const struct pergola_machine *m, const void *device, size_t size)
{
   struct header h = {.version = VERSION, .memory = m->size, .device = size};
   memcpy(h.magic, magic, sizeof(h.magic));
   return fwrite(&h, sizeof(h), 1, f) && fwrite(device, size, 1, f) &&
          write_pages(f, m, &h.pages) && !fseek(f, 0, SEEK_SET) && fwrite(&h, sizeof(h), 1, f);
}

int
pergola_machine_save(struct pergola_machine *m, const char *path, const char **error)
{
   int64_t size = pergola_device_save(m->dev, NULL, 0);
   void *device = size > 0 ? malloc((size_t)size) : NULL;
   if (!device || pergola_device_save(m->dev, device, (size_t)size) != size) {
      free(device);
      return fail(error, -ENOMEM, "out of memory");
   }
   FILE *f = fopen(path, "wb");
   bool ok = f && write_all(f, m, device, (size_t)size);
   if (f)
      ok &= !fclose(f);
   free(device);
   return ok ? 0 : fail(error, -EIO, "the file cannot be written");
}

/* ---- loading ----------------------------------------------------------------------------------
 */

/* The whole file; NULL: it cannot be read, or is larger than any. */
static uint8_t *
read_file(const char *path, size_t *size)
{
   FILE *f = fopen(path, "rb");
   uint8_t *data = NULL;
   long length = f && !fseek(f, 0, SEEK_END) ? ftell(f) : -1;
   if (length >= 0 && (uint64_t)length < MOST_FILE && !fseek(f, 0, SEEK_SET))
      data = malloc((size_t)length + 1);
   if (data && fread(data, 1, (size_t)length, f) != (size_t)length) {
      free(data);
      data = NULL;
   }
   if (f)
      fclose(f);
   *size = data ? (size_t)length : 0;
   return data;
}

/* Every size adds up, and every page lies in the memory, one behind the other. */
static const char *
problem_of(const struct pergola_machine *m, const uint8_t *data, size_t size)
{
   struct header h;
   if (size < sizeof(h))
      return "it is cut off";
   memcpy(&h, data, sizeof(h));
   size -= sizeof(h);
   if (memcmp(h.magic, magic, sizeof(h.magic)))
      return "it is no saved machine";
   if (h.version != VERSION || h.reserved)
      return "it was made by another version";
   if (h.memory != m->size)
      return "its memory has another size";
   if (h.device > size || h.pages != (size - h.device) / sizeof(struct page) ||
       (size - h.device) % sizeof(struct page))
      return "it is cut off";
   const uint8_t *at = data + sizeof(h) + h.device;
   for (uint64_t i = 0, next = 0, number; i < h.pages; i++, at += sizeof(struct page)) {
      memcpy(&number, at, sizeof(number));
      if (number < next || number >= m->size / MEM_PAGE_SIZE)
         return "a page lies outside the memory";
      next = number + 1;
   }
   return NULL;
}

static void
load_memory(struct pergola_machine *m, const uint8_t *data)
{
   struct header h;
   memcpy(&h, data, sizeof(h));
   const uint8_t *at = data + sizeof(h) + h.device;
   madvise(m->memory, m->size, MADV_DONTNEED); /* it is private and of no file: zeros */
   for (uint64_t i = 0, number; i < h.pages; i++, at += sizeof(struct page)) {
      memcpy(&number, at, sizeof(number));
      memcpy(m->memory + number * MEM_PAGE_SIZE, at + sizeof(number), MEM_PAGE_SIZE);
   }
}

int
pergola_machine_load(struct pergola_machine *m, const char *path, const char **error)
{
   size_t size;
   uint8_t *data = read_file(path, &size);
   if (!data)
      return fail(error, -EIO, "the file cannot be read");
   const char *problem = problem_of(m, data, size);
   if (!problem) {
      struct header h;
      memcpy(&h, data, sizeof(h));
      load_memory(m, data);
      pergola_device_restore(m->dev, data + sizeof(h), h.device, &problem);
   }
   free(data);
   return problem ? fail(error, -EINVAL, problem) : 0;
}
