/* A batch that `pergola run --dump` has left: its directory read, run again (dump.c) and described
 * (dump_view.c). The files need not be trusted. */
#ifndef PERGOLA_CLI_DUMP_H
#define PERGOLA_CLI_DUMP_H

#include "machine/device.h"

#define DUMP_NAME 64
#define DUMP_BLOCKS 4096

struct dump_block {
   uint64_t physical, size, graphics;
   bool mapped; /* graphics: where the batch sees it */
   char kind[16];
   char before[DUMP_NAME], after[DUMP_NAME]; /* files in ../memory */
   uint8_t *host;
};

struct dump {
   const char *directory;
   char part[32];
   enum engine_id engine;
   bool deterministic, hung, described;
   uint64_t threads, start, tail_register, tail;
   bool start_global;
   unsigned blocks;
   struct dump_block *block;
   struct pergola_device *dev;
};

/* False, and a message: there is no such thing, or it cannot be used. */
bool dump_read(struct dump *d, const char *directory);
/* The device as it was, with its memory. `config`: what the dump does not say. */
bool dump_load(struct dump *d, const struct pergola_config *config);
void dump_free(struct dump *d);
/* Tells the engine of its work and runs it. */
enum pergola_run_result dump_run(struct dump *d, uint64_t budget);
/* How many blocks are as they were after the batch, of how many; those that are not are named. */
unsigned dump_compare(const struct dump *d, unsigned *of);

/* Every batch below a dump's directory, in order; or the directory of one. `play` is called with
 * its path. The number of batches; 0, and a message: there is none. */
unsigned dump_each(const char *directory, bool (*play)(void *data, const char *path), void *data);

/* All batches of a directory are run again and described; a batch that is described already is
 * left alone. False, and a message: something could not be written. */
bool dump_describe(const char *directory);

#endif
