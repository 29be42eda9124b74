/* The batches of `pergola run --dump`, run again. */
#include "dump.h"

#include "cli.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define INDEX_MOST (1u << 20)
#define BLOCK_MOST (UINT64_C(1) << 34)

static bool
wrong(const struct dump *d, const char *what)
{
   fprintf(stderr, "pergola: %s: %s\n", d->directory, what);
   return false;
}

/* ---- the index --------------------------------------------------------------------------------
 */

/* A file of ../memory, and nothing else: the index may come from anywhere. */
static bool
take_name(char to[DUMP_NAME], const char *name)
{
   if (strlen(name) >= DUMP_NAME || strchr(name, '/') || name[0] == '.')
      return false;
   strcpy(to, name);
   return true;
}

static struct dump_block *
block_at(const struct dump *d, uint64_t physical)
{
   for (unsigned i = 0; i < d->blocks; i++)
      if (d->block[i].physical == physical)
         return &d->block[i];
   return NULL;
}

static bool
read_memory(struct dump *d, char **word, unsigned count)
{
   struct dump_block *b = &d->block[d->blocks];
   if (count != 6 || d->blocks == DUMP_BLOCKS || !cli_parse_u64(word[1], &b->physical) ||
       !cli_parse_u64(word[2], &b->size) || !b->size || b->size > BLOCK_MOST ||
       (b->size | b->physical) % 4096)
      return false;
   b->mapped = strcmp(word[3], "-");
   if (b->mapped && (!cli_parse_u64(word[3], &b->graphics) || b->graphics > UINT32_MAX))
      return false;
   if (strlen(word[4]) >= sizeof(b->kind) || !take_name(b->before, word[5]))
      return false;
   strcpy(b->kind, word[4]);
   strcpy(b->after, b->before);
   d->blocks++;
   return true;
}

static bool
read_after(struct dump *d, char **word, unsigned count)
{
   uint64_t physical;
   struct dump_block *b =
       count == 3 && cli_parse_u64(word[1], &physical) ? block_at(d, physical) : NULL;
   return b && take_name(b->after, word[2]);
}

static bool
read_engine(struct dump *d, const char *name)
{
   static const char *const rings[] = {"render", "bsd", "blt"};
   for (unsigned e = 0; e < ENGINE_COUNT; e++)
      if (!strcmp(name, rings[e])) {
         d->engine = e;
         return true;
      }
   return false;
}

static bool
read_line(struct dump *d, char **word, unsigned count)
{
   uint64_t n;
   if (!strcmp(word[0], "memory"))
      return read_memory(d, word, count);
   if (!strcmp(word[0], "after"))
      return read_after(d, word, count);
   if (!strcmp(word[0], "tail"))
      return count == 3 && cli_parse_u64(word[1], &d->tail_register) &&
             cli_parse_u64(word[2], &d->tail) && d->tail_register < PERGOLA_MMIO_SIZE;
   if (!strcmp(word[0], "start")) {
      d->start_global = count == 3 && !strcmp(word[2], "ggtt");
      return count == 3 && cli_parse_u64(word[1], &d->start) && d->start <= UINT32_MAX;
   }
   if (count < 2) {
      d->described |= !strcmp(word[0], "described");
      return d->described;
   }
   if (!strcmp(word[0], "part"))
      return snprintf(d->part, sizeof(d->part), "%s", word[1]) < (int)sizeof(d->part);
   if (!strcmp(word[0], "engine"))
      return read_engine(d, word[1]);
   if (!strcmp(word[0], "threads"))
      return cli_parse_u64(word[1], &d->threads) && d->threads <= UINT16_MAX;
   if (!strcmp(word[0], "deterministic")) {
      bool ok = cli_parse_u64(word[1], &n);
      d->deterministic = ok && n;
      return ok;
   }
   if (!strcmp(word[0], "end"))
      d->hung = !strcmp(word[1], "hung");
   return true; /* what describes it */
}

static bool
read_index(struct dump *d, char *text)
{
   char *save = NULL;
   bool first = true, ended = false;
   for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
      char copy[256], *word[8], *rest = NULL;
      unsigned count = 0;
      snprintf(copy, sizeof(copy), "%s", line);
      for (char *w = strtok_r(copy, " ", &rest); w && count < 8; w = strtok_r(NULL, " ", &rest))
         word[count++] = w;
      if (!count)
         continue;
      if (first && (count != 2 || strcmp(word[0], "pergola-dump")))
         return wrong(d, "its index is not one that 'pergola run --dump' has written");
      if (first && strcmp(word[1], "1"))
         return wrong(d, "its index was made by another version");
      if (!first && !read_line(d, word, count)) {
         fprintf(stderr, "pergola: %s/index: '%s' is wrong\n", d->directory, line);
         return false;
      }
      ended |= !strcmp(word[0], "end");
      first = false;
   }
   if (!ended)
      return wrong(d, "its index is cut off: the batch did not end before the program did");
   return !first && d->part[0] && d->tail_register ? true : wrong(d, "its index lacks a line");
}

static char *
path_of(const struct dump *d, const char *name)
{
   char *path;
   return asprintf(&path, "%s/%s", d->directory, name) < 0 ? NULL : path;
}

bool
dump_read(struct dump *d, const char *directory)
{
   *d = (struct dump){.directory = directory};
   size_t size;
   d->block = calloc(DUMP_BLOCKS + 1, sizeof(d->block[0]));
   char *path = path_of(d, "index");
   uint8_t *data = d->block && path ? cli_read_file(path, INDEX_MOST, &size) : NULL;
   char *text = data ? realloc(data, size + 1) : NULL;
   free(path);
   if (!text) {
      free(data);
      return false;
   }
   text[size] = 0;
   bool ok = read_index(d, text);
   free(text);
   return ok;
}

/* ---- memory and device ------------------------------------------------------------------------
 */

/* The file in ../memory, exactly as long as the block. Private: what is written stays here. */
static uint8_t *
map_content(const struct dump *d, const char *name, uint64_t bytes)
{
   char *path;
   if (asprintf(&path, "%s/../memory/%s", d->directory, name) < 0)
      return NULL;
   FILE *f = fopen(path, "rbe");
   off_t length = f && !fseeko(f, 0, SEEK_END) ? ftello(f) : -1;
   void *p = MAP_FAILED;
   if (length >= 0 && (uint64_t)length == bytes)
      p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, fileno(f), 0);
   if (p == MAP_FAILED)
      fprintf(stderr, "pergola: %s: %s\n", path,
              length < 0                  ? strerror(errno)
              : (uint64_t)length != bytes ? "it has not the size that the index gives"
                                          : strerror(errno));
   if (f)
      fclose(f);
   free(path);
   return p == MAP_FAILED ? NULL : p;
}

static bool
load_blocks(struct dump *d)
{
   for (unsigned i = 0; i < d->blocks; i++) {
      struct dump_block *b = &d->block[i];
      b->host = map_content(d, b->before, b->size);
      if (!b->host)
         return false;
      if (pergola_memory_add(d->dev, b->physical, b->host, b->size, 0))
         return wrong(d, "a line of its index gives memory that cannot be there");
   }
   return true;
}

static bool
restore_device(struct dump *d)
{
   const char *error = NULL;
   size_t size;
   char *path = path_of(d, "device.bin");
   uint8_t *data = path ? cli_read_file(path, 1u << 30, &size) : NULL;
   bool ok = data && !pergola_device_restore(d->dev, data, size, &error);
   if (data && !ok)
      fprintf(stderr, "pergola: %s: %s\n", path, error ? error : "it cannot be used");
   free(path);
   free(data);
   return ok;
}

bool
dump_load(struct dump *d, const struct pergola_config *config)
{
   struct pergola_config c = *config;
   const char *error = NULL;
   c.sku = d->part;
   c.deterministic = d->deterministic;
   c.host_threads = (unsigned)d->threads;
   c.deadlocks_hang = true;
   d->dev = pergola_device_create(&c, &error);
   return d->dev ? load_blocks(d) && restore_device(d) : wrong(d, error);
}

void
dump_free(struct dump *d)
{
   if (d->dev)
      pergola_device_destroy(d->dev);
   for (unsigned i = 0; i < d->blocks; i++)
      if (d->block[i].host)
         munmap(d->block[i].host, d->block[i].size);
   free(d->block);
}

enum pergola_run_result
dump_run(struct dump *d, uint64_t budget)
{
   pergola_mmio_write(d->dev, (uint32_t)d->tail_register, 4, d->tail);
   return pergola_run(d->dev, budget);
}

static void
name_difference(const struct dump *d, const struct dump_block *b, const uint8_t *want)
{
   uint64_t at = 0, bytes = 0;
   for (uint64_t i = b->size; i-- > 0;)
      if (b->host[i] != want[i]) {
         at = i;
         bytes++;
      }
   printf("%s: %s at physical 0x%010" PRIx64, d->directory, b->kind, b->physical);
   if (b->mapped)
      printf(", graphics 0x%08" PRIx64, b->graphics);
   printf(": %" PRIu64 " byte%s not as before, the first at + 0x%" PRIx64 "\n", bytes,
          bytes == 1 ? " is" : "s are", at);
}

unsigned
dump_compare(const struct dump *d, unsigned *of)
{
   unsigned same = 0;
   *of = d->blocks;
   for (unsigned i = 0; i < d->blocks; i++) {
      const struct dump_block *b = &d->block[i];
      uint8_t *want = map_content(d, b->after, b->size);
      if (!want)
         continue;
      if (!memcmp(want, b->host, b->size))
         same++;
      else
         name_difference(d, b, want);
      munmap(want, b->size);
   }
   return same;
}

/* ---- all batches ------------------------------------------------------------------------------
 */

static bool
has_index(const char *directory)
{
   char *path;
   if (asprintf(&path, "%s/index", directory) < 0)
      return false;
   FILE *f = fopen(path, "re");
   free(path);
   if (f)
      fclose(f);
   return f != NULL;
}

static int
is_batch(const struct dirent *e)
{
   return strstr(e->d_name, "batch-") && !strchr(e->d_name, '.');
}

unsigned
dump_each(const char *directory, bool (*play)(void *data, const char *path), void *data)
{
   if (has_index(directory)) {
      play(data, directory);
      return 1;
   }
   struct dirent **list;
   int found = scandir(directory, &list, is_batch, alphasort);
   unsigned count = 0;
   bool go_on = true;
   for (int i = 0; i < found; i++) {
      char *path;
      if (go_on && asprintf(&path, "%s/%s", directory, list[i]->d_name) >= 0) {
         if (has_index(path)) {
            count++;
            go_on = play(data, path);
         }
         free(path);
      }
      free(list[i]);
   }
   if (found >= 0)
      free(list);
   if (!count)
      fprintf(stderr, "pergola: %s: %s\n", directory,
              found < 0 ? strerror(errno)
                        : "no batch of 'pergola run --dump' is in this directory");
   return count;
}
