/* Writes AUB files as libdrm, IGT and Mesa do for Gen7: one flat address space, memory as it
 * changes, and rings whose commands start the batches (spec/facts/hang-formats.md). Remarks of
 * Pergola's own are comments, which others pass over; they tell address spaces apart, and each
 * batch finds its own memory in the flat one as well. */
#ifndef PERGOLA_HANG_AUB_WRITE_H
#define PERGOLA_HANG_AUB_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct aub_writer;

/* NULL: it cannot be written, errno says why. */
struct aub_writer *aub_open(const char *path, uint32_t pci_id);
/* False: something was not written since it was opened. */
bool aub_close(struct aub_writer *w);

/* A register is written by the host. */
void aub_register(struct aub_writer *w, uint32_t offset, uint32_t value);
/* Memory becomes these bytes; a multiple of 4. */
void aub_memory(struct aub_writer *w, uint32_t address, const void *bytes, size_t size);
/* What follows is about that address space; no number comes twice, and 0 is the one of a file that
 * does not tell. */
void aub_space(struct aub_writer *w, uint64_t number);
/* That address space has these pages no more. */
void aub_unbound(struct aub_writer *w, uint64_t number, uint32_t address, size_t size);
/* Pages of memory, of which only those are written that are not in the file as they are. */
void aub_pages(struct aub_writer *w, uint32_t address, const void *bytes, size_t size);
/* What has been written is in the file from here on, however the program ends. */
void aub_flush(struct aub_writer *w);
/* An engine (0 render, 1 video, 2 blitter) executes these. */
void aub_commands(struct aub_writer *w, unsigned engine, const uint32_t *dw, unsigned count);
/* The render engine's commands from here on are of that context. */
void aub_context(struct aub_writer *w, uint64_t number);
/* The model's time, in nanoseconds, when the commands that come next begin. */
void aub_time(struct aub_writer *w, uint64_t ns);
/* The engines have ended, and pages have become these: whoever runs the file can compare. First all
 * pages that may have changed, then the remark. */
void aub_result(struct aub_writer *w, uint32_t address, const void *bytes, size_t size);
void aub_compare(struct aub_writer *w);
/* Nobody can say what the engines have left in these pages. First the pages, then the remark: they
 * are lost, or the engine did not end and was reset. */
void aub_forget(struct aub_writer *w, uint32_t address, size_t size);
void aub_lost(struct aub_writer *w);
void aub_hung(struct aub_writer *w);

#endif
