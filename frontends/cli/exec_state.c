/* pergola exec --error-state: what a kernel would have kept of the engines that have not ended. */
#include "exec.h"

#include "cli.h"
#include "hang/error_state_write.h"

#include <stdlib.h>
#include <string.h>

#define PAGE 4096u
#define PAGES (EXEC_MEMORY_SIZE / PAGE)

struct blocks {
   struct error_state_memory *list;
   unsigned count, room;
   bool failed;
};

static void
add(struct blocks *b, const struct exec *x, unsigned engine, const char *name, uint32_t address,
    uint32_t size)
{
   if (b->count == b->room) {
      unsigned room = b->room ? 2 * b->room : 64;
      void *more = realloc(b->list, room * sizeof(*b->list));
      b->failed |= !more;
      if (!more)
         return;
      b->list = more;
      b->room = room;
   }
   b->list[b->count++] = (struct error_state_memory){.engine = engine,
                                                     .name = name,
                                                     .address = address,
                                                     .size = size,
                                                     .bytes = x->memory + address};
}

static uint32_t
get(void *data, uint32_t offset)
{
   struct exec *x = data;
   return (uint32_t)pergola_mmio_read(x->dev, offset, 4);
}

/* Somebody has put something there, were it zeros. */
static bool
in_use(const struct exec *x, uint32_t page)
{
   static const uint8_t zeros[PAGE];
   return x->given[page / 8] >> page % 8 & 1 ||
          memcmp(x->memory + (size_t)page * PAGE, zeros, PAGE) != 0;
}

/* Rings and status pages are told of by name. */
static bool
is_own(uint32_t page)
{
   return page >= EXEC_RING(0) / PAGE && page < EXEC_STATUS(PERGOLA_ENGINES) / PAGE;
}

/* Pages in use, from `first` on; up to the batch's first page, if that comes. */
static uint32_t
used_pages(const struct exec *x, uint32_t first, uint32_t batch)
{
   uint32_t n = 0;
   while (first + n < PAGES && in_use(x, first + n) && !is_own(first + n) &&
          (!n || first + n != batch))
      n++;
   return n;
}

/* The batch where the engine is, and everything else that is there. */
static void
add_memory(struct blocks *b, struct exec *x, unsigned engine)
{
   uint32_t address = get(x, exec_engine_base[engine] + ENGINE_BB_ADDR);
   uint32_t batch = address & 1 ? x->batch[engine] / PAGE : PAGES;
   add(b, x, engine, "HW Status", EXEC_STATUS(engine), PAGE);
   for (uint32_t page = 0; page < PAGES; page++) {
      uint32_t n = used_pages(x, page, batch);
      if (n || page == batch)
         add(b, x, engine, page == batch ? "batch" : "user", page * PAGE, (n ? n : 1) * PAGE);
      page += n ? n - 1 : 0;
   }
   add(b, x, engine, "ring", EXEC_RING(engine), EXEC_RING_SIZE);
}

static bool
unfinished(struct exec *x, unsigned engine)
{
   return exec_head(x, engine) != x->tail[engine] ||
          get(x, exec_engine_base[engine] + ENGINE_BB_ADDR) & 1;
}

bool
exec_error_state(struct exec *x, const char *path)
{
   struct blocks b = {0};
   struct error_state s = {
       .read = get, .data = x, .process = "exec", .pid = 1, .sku = pergola_device_sku(x->dev)};
   for (unsigned e = 0; e < PERGOLA_ENGINES; e++) {
      if (!unfinished(x, e))
         continue;
      s.engine[e] = (struct error_state_engine){
          .active = true, .hung = true, .head = x->begin[e], .tail = x->tail[e]};
      add_memory(&b, x, e);
   }
   s.memory = b.list;
   s.memories = b.count;
   FILE *f = b.failed ? NULL : fopen(path, "we");
   bool ok = f && error_state_write(f, &s);
   if (f)
      ok &= fclose(f) == 0;
   free(b.list);
   if (!ok)
      fprintf(stderr, "pergola exec: %s cannot be written\n", path);
   return ok;
}
