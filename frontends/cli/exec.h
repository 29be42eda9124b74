/* pergola exec: a device with memory, rings and what a script asks of it. */
#ifndef PERGOLA_CLI_EXEC_H
#define PERGOLA_CLI_EXEC_H

#include "gen7_hw.h"
#include "fail.h"
#include "hw/hw.h"
#include "pergola/pergola_machine.h"
#include "pergola/pergola_trace.h"

#define EXEC_MEMORY_SIZE 0x10000000u /* 256 MiB of zeros, GGTT address = offset */
#define EXEC_RING(e) (0x10000u + 0x10000u * (e))
#define EXEC_STATUS(e) (0x40000u + 0x1000u * (e))
#define EXEC_RING_SIZE 0x10000u
#define EXEC_RING_ON /* in RING_BUFFER_CTL */                                                      \
   ((EXEC_RING_SIZE - 4096) | REG_RCS_RING_BUFFER_CTL__RING_BUFFER_ENABLE)
#define EXEC_BATCH 0x100000u
#define EXEC_OBJECTS 1024u

struct exec {
   struct pergola_machine machine;
   struct pergola_device *dev; /* the machine's, and its memory */
   uint8_t *memory;
   uint32_t tail[PERGOLA_ENGINES];
   uint32_t begin[PERGOLA_ENGINES]; /* ring offset of the first words that came to an idle engine */
   uint32_t batch[PERGOLA_ENGINES]; /* that was started last */
   uint8_t given[EXEC_MEMORY_SIZE / 4096 /
                 8]; /* pages that the user has put something in, a bit each */
   struct pergola_object object[EXEC_OBJECTS]; /* that a script has named */
   unsigned objects;
   uint64_t budget;
   unsigned failures; /* expectations that did not hold */
};

extern const char *const exec_engine_names[PERGOLA_ENGINES];
extern const uint32_t exec_engine_base[PERGOLA_ENGINES];
struct exec *exec_create(const char *sku, enum pergola_check check, unsigned sanitize);
void exec_destroy(struct exec *x);
/* How far an engine has come in its ring. */
uint32_t exec_head(struct exec *x, enum pergola_engine e);
/* Appends dwords to the ring of an engine and moves its tail; false: they do not fit. */
bool exec_ring(struct exec *x, enum pergola_engine e, const uint32_t *dw, unsigned count);
/* Bytes into memory; they fit. */
void exec_write(struct exec *x, uint32_t address, const void *bytes, size_t size);
/* Of what the batches may use, for the sanitizer; false: there are too many. */
bool exec_object(struct exec *x, uint32_t address, uint64_t size);
enum pergola_run_result exec_run(struct exec *x, uint64_t budget);
const char *exec_result_name(enum pergola_run_result r);
void exec_dump(const struct exec *x, uint32_t address, uint32_t size);
bool exec_show(struct exec *x, const char *name);
bool exec_engine(const char *text, enum pergola_engine *e);
bool exec_register(const struct exec *x, const char *text, uint32_t *offset);
/* What applies to a dump too. */
struct exec_options {
   const char *device, *trace, *perfetto, *report, *save, *load, *error_state;
   enum pergola_check check;
   enum pergola_engine engine;
   unsigned sanitize;
   unsigned fail;            /* bits of --fail-on */
   struct run_summary *seen; /* what they are asked of */
   uint64_t budget;
   bool script;
   const char *dumps[16], *registers[16];
   unsigned dump_count, register_count;
};
struct exec_outputs {
   struct pergola_trace *text, *perfetto;
};
/* The files that were asked for; false: one cannot be opened, or could not be written, and has been
 * named. */
bool exec_open_outputs(struct pergola_device *dev, const struct exec_options *o,
                       struct exec_outputs *out);
bool exec_close_outputs(struct pergola_device *dev, const struct exec_options *o,
                        struct exec_outputs *out);
/* The batches in a directory of `pergola run --dump`; the exit code. */
int exec_dump_directory(const struct exec_options *o, const char *directory);
/* A sink of diagnostics: a line each on standard error. */
void exec_print_diagnostic(void *data, const struct pergola_diagnostic *d);

/* What is left of engines that have not ended, as an error state; false: it could not be written.
 */
bool exec_error_state(struct exec *x, const char *path);
/* A script; false: a line is wrong, which has been said. */
bool exec_script(struct exec *x, char *text, const char *path);

#endif
