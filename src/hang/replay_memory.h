/* Private to src/hang: the captured memory, bound where it was. */
#ifndef PERGOLA_HANG_REPLAY_MEMORY_H
#define PERGOLA_HANG_REPLAY_MEMORY_H

#include "hang/replay.h"

#define REPLAY_PAGE 4096u
#define REPLAY_PAGES (1u << 19) /* of an address space: 2 GiB */
#define REPLAY_TABLE 1024u      /* pages of a page table */
#define REPLAY_TABLES (REPLAY_PAGES / REPLAY_TABLE)

#define REPLAY_OWN 64u /* of the replay itself, at most; a multiple of 16 */

struct replay_table {
   uint32_t pages;               /* that are there; a table without any goes */
   uint32_t gpu;                 /* 1 + physical page of the table that the GPU reads; 0: none */
   uint32_t place[REPLAY_TABLE]; /* 1 + physical page; 0: not there */
   /* For who compares what pages hold: */
   uint64_t seen[REPLAY_TABLE / 64];  /* a bit each: it counts, */
   uint64_t stale[REPLAY_TABLE / 64]; /* and its hash is not what `hash` says, maybe */
   uint64_t hash[REPLAY_TABLE];
};

struct replay_space {
   uint64_t number;
   uint32_t pages; /* that are there */
   struct replay_table *table[REPLAY_TABLES];
};

/* Physical memory from 0 on, and the address spaces over it. */
struct replay_memory {
   uint8_t *host;
   size_t size, used;
   uint32_t *given; /* pages that were given back */
   size_t given_count, given_room;
   struct replay_space ggtt, *space; /* `space`: the PPGTT that the engines have */
   struct replay_space **all;        /* of these */
   unsigned spaces;
   const struct replay_space *shown; /* the GGTT shows its pages too */
   struct pergola_device *dev;       /* NULL: not bound yet */
   bool changed;                     /* the GGTT's table, since the device was last told */
   uint32_t filler, filler_table;    /* 1 + physical page; 0: what is absent, is */
   bool ppgtt;                       /* there is one */
   bool secure_batch;                /* the batch was read through the GGTT */
   uint32_t directory;               /* its place in the GGTT's table, in entries */
   uint32_t own;                     /* GGTT address of pages of the replay itself */
};

struct replay_layout {
   bool ppgtt, secure_batch;
   bool in_order; /* blocks take effect by replay_memory_write(); until then nothing is there */
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
/* A block of the capture's takes effect; false: there is no memory left for it. */
bool replay_memory_write(struct replay_memory *m, const struct capture_block *b);
/* The engines have the address space of that number from here on; false: no memory. */
bool replay_memory_use(struct replay_memory *m, uint64_t number);
/* These pages are there no more. */
void replay_memory_drop(struct replay_memory *m, uint64_t address, uint64_t size);
/* The GGTT shows what the address space in use has. */
void replay_memory_show(struct replay_memory *m);
/* The device forgets what it knows of entries that have changed. */
void replay_memory_settle(struct replay_memory *m);
/* 1 + where a page of that address space lies; 0: it is not there. */
uint32_t replay_memory_find(const struct replay_space *s, uint64_t page);
/* The bytes of such a place. */
uint8_t *replay_memory_bytes(const struct replay_memory *m, uint32_t place);
/* The bytes of our own page. */
uint8_t *replay_memory_own(struct replay_memory *m, unsigned page);

#endif
