/* Reads and writes of any size and alignment, page by page. */
#include "machine/device.h"

#include <string.h>

static size_t
in_page(uint32_t address, size_t size)
{
   size_t left = MEM_PAGE_SIZE - (address & (MEM_PAGE_SIZE - 1));
   return size < left ? size : left;
}

static void
announce(const struct mem_space *s, uint32_t address, size_t size, bool write)
{
   if (!trace_wants(&s->dev->trace, PERGOLA_EVENT_MEMORY))
      return;
   struct pergola_event e = {
       .kind = PERGOLA_EVENT_MEMORY,
       .engine = s->engine < ENGINE_COUNT ? engine_names[s->engine] : "bus",
       .time_ns = s->dev->time_ns,
       .a = address,
       .b = size,
       .flags = write,
   };
   trace_emit(&s->dev->trace, &e);
}

/* An address that wraps past 4 GiB goes on at 0 and faults there or not, as any other. */
bool
mem_read(struct mem_space *s, uint32_t address, void *data, size_t size)
{
   bool ok = true;
   announce(s, address, size, false);
   for (char *out = data; size;) {
      size_t n = in_page(address, size);
      const void *host = mem_translate(s, address, MEM_READ);
      if (host)
         memcpy(out, host, n);
      else
         memset(out, 0, n);
      ok &= host != NULL;
      out += n;
      address += (uint32_t)n;
      size -= n;
   }
   return ok;
}

bool
mem_write(struct mem_space *s, uint32_t address, const void *data, size_t size)
{
   bool ok = true;
   announce(s, address, size, true);
   for (const char *in = data; size;) {
      size_t n = in_page(address, size);
      void *host = mem_translate(s, address, MEM_WRITE);
      if (host)
         memcpy(host, in, n);
      ok &= host != NULL;
      in += n;
      address += (uint32_t)n;
      size -= n;
   }
   return ok;
}

uint32_t
mem_read32(struct mem_space *s, uint32_t address)
{
   uint32_t v = 0;
   mem_read(s, address, &v, sizeof(v));
   return v;
}

void
mem_write32(struct mem_space *s, uint32_t address, uint32_t value)
{
   mem_write(s, address, &value, sizeof(value));
}

uint64_t
mem_read64(struct mem_space *s, uint32_t address)
{
   uint64_t v = 0;
   mem_read(s, address, &v, sizeof(v));
   return v;
}

void
mem_write64(struct mem_space *s, uint32_t address, uint64_t value)
{
   mem_write(s, address, &value, sizeof(value));
}
