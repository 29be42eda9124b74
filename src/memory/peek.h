/* Graphics memory for those who look at a device from outside: nothing changes, no fault is raised.
 */
#ifndef PERGOLA_MEMORY_PEEK_H
#define PERGOLA_MEMORY_PEEK_H

#include "memory/memory.h"

/* Copies as many bytes as are there, up to the first page that is not; returns how many. */
size_t mem_peek(struct mem_space *space, uint32_t address, uint8_t *to, size_t most);

#endif
