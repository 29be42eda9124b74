/* What the driver has given the batch that runs, by the embedder's word: for the sanitizer. */
#ifndef PERGOLA_MEMORY_OBJECTS_H
#define PERGOLA_MEMORY_OBJECTS_H

#include "memory/memory.h"
#include "pergola/pergola_trace.h"

struct mem_objects {
   struct pergola_object *list; /* by address */
   size_t count;
   size_t latest; /* that was found */
   bool known, global;
};

/* Does an object have a byte of this page? True too when nothing is known of objects. */
bool mem_object_page(const struct mem_space *s, uint32_t address);
/* Do they hold all the bytes? Else *below is the last object that begins below them; size 0: none.
 */
bool mem_object_holds(const struct mem_space *s, uint32_t address, unsigned size,
                      struct pergola_object *below);
/* The object that holds the byte: its first byte and the one behind it, or all addresses when
 * nothing is known of objects. False: none holds it. */
bool mem_object_around(const struct mem_space *s, uint32_t address, uint64_t *first, uint64_t *end);
/* "64 bytes behind object 3, of 4096 bytes at 0x00010000" */
#define MEM_OBJECT_TEXT 120
void mem_object_text(const struct pergola_object *below, uint32_t address,
                     char text[MEM_OBJECT_TEXT]);
/* It has been told of: the page is translated like any other from now on, until there are new
 * objects. */
void mem_object_told(struct mem_space *s, uint32_t address);

struct mem_objects *phys_objects(struct phys_memory *p);

/* Pages of each engine's own address space that it has written, a bit each; NULL: nobody asks. */
uint64_t **phys_written(struct phys_memory *p);
/* An engine may write the page from here on. */
void mem_note_write(const struct mem_space *s, uint32_t page);
/* Must the next write of the page be asked for, so that it is noted? */
bool mem_write_unnoted(const struct mem_space *s, uint32_t page);

#endif
