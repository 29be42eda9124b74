#include "memory/peek.h"

#include <string.h>

#define PAGE 4096u

size_t
mem_peek(struct mem_space *space, uint32_t address, uint8_t *to, size_t most)
{
   size_t done = 0;
   while (done < most) {
      uint32_t at = address + (uint32_t)done;
      size_t n = PAGE - at % PAGE;
      const void *host = mem_look_up(space, at, MEM_READ);
      if (!host)
         break;
      n = n < most - done ? n : most - done;
      memcpy(to + done, host, n);
      done += n;
   }
   return done;
}
