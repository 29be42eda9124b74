/* Private to src/hang: the captured memory, bound where it was. */
#ifndef PERGOLA_HANG_REPLAY_MEMORY_H
#define PERGOLA_HANG_REPLAY_MEMORY_H

#include "hang/replay.h"

#define REPLAY_PAGE 4096u
#define REPLAY_PAGES (1u << 19) /* of an address space: 2 GiB */

#define REPLAY_OWN 64u /* of the replay itself, at most; a multiple of 16 */

enum replay_space { REPLAY_GGTT, REPLAY_PPGTT, REPLAY_SPACES };

/* Physical memory from 0 on, and for every page of both address spaces where it lies in it. */
struct replay_memory {
   uint8_t *host;
   size_t size, used;
   uint32_t *page[REPLAY_SPACES]; /* 1 + physical page; 0: not captured */
   bool ppgtt;                    /* there is one */
   bool secure_batch;             /* the batch was read through the GGTT */
   uint32_t directory;            /* its place in the GGTT's table, in entries */
   uint32_t own;                  /* GGTT address of pages of the replay itself */
};

struct replay_layout {
   bool ppgtt, secure_batch;
   uint32_t directory; /* where it was, in entries of the GGTT's table; 0: unknown */
   bool has_fault;
   uint32_t fault; /* FAULT_REG: a page that was not there, whatever was captured */
   unsigned own_pages;
};

/* Places every block; false: no memory, or no room for our own pages. */
bool replay_memory_create(struct replay_memory *m, const struct capture *c,
                          const struct replay_layout *l);
void replay_memory_destroy(struct replay_memory *m);
/* Gives the device the memory and writes its translation tables. */
bool replay_memory_bind(struct replay_memory *m, struct pergola_device *dev,
                        const struct replay_options *o);
/* All pages are zero. */
void replay_memory_clear(struct replay_memory *m);
/* A block of the capture's takes effect. */
void replay_memory_write(struct replay_memory *m, const struct capture_block *b);
/* A page that some block has. */
const uint8_t *replay_memory_page(const struct replay_memory *m, enum replay_space space,
                                  uint32_t page);
/* The bytes of our own page. */
uint8_t *replay_memory_own(struct replay_memory *m, unsigned page);

#endif
