/* Writes an error state in the form of Linux 6.1 (spec/facts/hang-formats.md): what i915 would have
 * kept of the model if it had hung under it. */
#ifndef PERGOLA_HANG_ERROR_STATE_WRITE_H
#define PERGOLA_HANG_ERROR_STATE_WRITE_H

#include "pergola/pergola.h"

#include <stdio.h>

#define ERROR_STATE_ENGINES 3u /* render, video, blitter */

/* Memory at a graphics address. */
struct error_state_memory {
   unsigned engine;  /* whose */
   const char *name; /* "batch", "user", "ring", "HW Status", "HW context" */
   uint64_t address, size;
   const void *bytes;
};

struct error_state_engine {
   bool active; /* has a request; only such engines are told of */
   bool hung;
   uint32_t head, postfix, tail; /* ring offsets of the request */
};

struct error_state {
   uint32_t (*read)(void *data, uint32_t offset); /* a register of the device */
   void *data;
   const char *process; /* "": nobody */
   int pid;
   uint32_t resets;
   const struct pergola_sku *sku;
   struct error_state_engine engine[ERROR_STATE_ENGINES];
   const struct error_state_memory *memory;
   unsigned memories;
};

/* False: it could not be written, or there is no memory. */
bool error_state_write(FILE *f, const struct error_state *s);

#endif
