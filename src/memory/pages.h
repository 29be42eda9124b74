/* Pages that lie side by side in the host. */
#ifndef PERGOLA_MEMORY_PAGES_H
#define PERGOLA_MEMORY_PAGES_H

#include "memory/memory.h"

/* How many there are from the one on that lies at `host`, to higher (step 1) or lower (-1)
 * addresses; at most `most`. Those that are not known are looked up. */
uint32_t mem_pages_beside(struct mem_space *space, uint32_t page, const void *host, int step,
                          uint32_t most, enum mem_access access);

#endif
