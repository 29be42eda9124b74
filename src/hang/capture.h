/* What somebody kept of a GPU that hung: registers and memory, whatever file they came from (an
 * i915 error state of Linux 3.x to 6.x, an AUB file, a hang dump). Everything in such a file is
 * hostile: sizes are bounded, and what a file does not hold is unknown, never zero. */
#ifndef PERGOLA_HANG_CAPTURE_H
#define PERGOLA_HANG_CAPTURE_H

#include "hw/hw.h"

#define CAPTURE_ENGINES 3u    /* render, video, blitter */
#define CAPTURE_REGISTERS 96u /* of an engine, or global */
#define CAPTURE_FENCES 32u
#define CAPTURE_BYTES (UINT64_C(1) << 30) /* of memory that a file has in packed form */
#define CAPTURE_BLOCKS (1u << 20)

struct capture_register {
   char name[28]; /* as the file has it: "ACTHD", "SAMPLER_INSTDONE[0][0]" */
   uint64_t value;
};

struct capture_registers {
   unsigned count;
   struct capture_register reg[CAPTURE_REGISTERS];
};

enum capture_kind {
   CAPTURE_BATCH,
   CAPTURE_RING,
   CAPTURE_STATUS_PAGE,
   CAPTURE_CONTEXT,
   CAPTURE_USER,       /* an object that the program asked to have captured */
   CAPTURE_WORKAROUND, /* batches that the kernel puts in front */
   CAPTURE_SEMAPHORES,
   CAPTURE_MEMORY,   /* an AUB file's or a hang dump's: it does not say what it is */
   CAPTURE_REMARK,   /* a text that a writer of AUB files has put between packets */
   CAPTURE_REGISTER, /* an AUB file's write of the register at this address */
   CAPTURE_KIND_COUNT,
};
extern const char *const capture_kind_names[CAPTURE_KIND_COUNT];

/* Memory at a graphics address. */
struct capture_block {
   enum capture_kind kind;
   int engine; /* index, or -1: of none */
   uint64_t address;
   uint8_t *bytes;
   size_t size;
   bool in_file; /* `bytes` are the file's own */
   bool cut;     /* the file ends, or does not unpack, before the block's end */
};

/* An object that was bound and not captured: its place is known, its bytes are not. */
struct capture_object {
   uint64_t address, size;
};

struct capture_engine {
   bool present, hung;
   struct capture_registers registers;
   char process[64];
};

struct capture {
   char format[32];    /* "i915 error state", "AUB", "hang dump" */
   char headline[256]; /* the line with the code, or "" */
   char kernel[96];
   uint32_t pci_id; /* 0: unknown */
   bool has_ecode;
   uint32_t ecode;
   unsigned generation; /* 0: unknown */
   uint64_t exec;       /* where a hang dump's batch begins */
   bool has_exec;
   unsigned fences;
   uint64_t fence[CAPTURE_FENCES];
   struct capture_registers registers; /* of no engine */
   struct capture_engine engine[CAPTURE_ENGINES];
   struct capture_block *block;
   unsigned blocks;
   uint64_t bytes; /* of all blocks */
   struct capture_object *object;
   unsigned objects;
   unsigned ignored; /* lines or packets that nobody here understands */
   uint8_t *file;    /* of capture_read(): its bytes */
   bool cut;         /* an AUB file ends inside a packet: what came before is here */
};

extern const char *const capture_engine_names[CAPTURE_ENGINES]; /* "render", "video", "blitter" */

/* Reads a file, also one packed by gzip; NULL and a sentence in error on failure. */
struct capture *capture_read(const char *path, char error[160]);
/* Do these look like the first bytes of such a file? */
bool capture_known(const uint8_t *bytes, size_t size);
/* The same from memory, which must stay as long as the capture does. */
struct capture *capture_parse(const uint8_t *bytes, size_t size, char error[160]);
void capture_free(struct capture *c);

/* A register by name; false: the file does not have it. */
bool capture_register(const struct capture_registers *r, const char *name, uint64_t *value);
/* The block of a kind and engine (-1: any); NULL: there is none. */
const struct capture_block *capture_find(const struct capture *c, enum capture_kind kind,
                                         int engine);
/* The engine that hung first, as far as the file tells: its index, or 0. */
unsigned capture_hung_engine(const struct capture *c);

#endif
