/* Reads a batch of dwords command by command, for people and for tools. Nothing in the dwords is
 * trusted: every length is clipped to what there is, and a jump is followed once. */
#ifndef PERGOLA_HW_DECODE_H
#define PERGOLA_HW_DECODE_H

#include "hw/hw.h"

#include <stdio.h>

struct hw_decode_request {
   const uint32_t *dw;
   size_t count_dw;
   uint32_t base;       /* graphics address of dw[0] */
   unsigned engine_bit; /* enum hw_engine_bit */
   unsigned device_bit; /* enum hw_device_bit */
   bool ring;           /* the dwords are a ring: a batch that it starts comes back */
   bool all;            /* goes on after the end of the batch, to the end of the dwords */
};

struct hw_decode_command {
   const struct hw_command *desc; /* NULL: unknown */
   const uint32_t *dw;
   uint32_t count_dw;  /* there are so many */
   uint32_t length_dw; /* the header asks for so many; more than count_dw: cut off */
   uint32_t address;
   unsigned level; /* 0, or 1 and 2 inside batches that were called */
};

struct hw_decode_sink {
   void *data;
   void (*command)(void *data, const struct hw_decode_command *c);
   /* What is worth saying beside the commands: where a jump leads, what was left out. */
   void (*note)(void *data, unsigned level, uint32_t address, const char *text);
};

struct hw_decode_result {
   uint64_t commands, unknown, cut_off;
   bool ended; /* by MI_BATCH_BUFFER_END */
};
/* False: out of memory. */
bool hw_decode(const struct hw_decode_request *r, const struct hw_decode_sink *sink,
               struct hw_decode_result *result);

/* "MI opcode 0x3f", with the engine or part that does have the command. */
void hw_decode_unknown(uint32_t header, unsigned engine_bit, unsigned device_bit, char *buf,
                       size_t size);

/* One field of a command or of a structure inside it, ready to print. */
struct hw_decode_field {
   const struct hw_field *field;
   uint64_t raw;
   const char *problem; /* or NULL */
   const char *group;   /* structure or element it is part of, or "" */
   unsigned group_index;
   bool nested; /* part of the field before it */
   unsigned dw; /* counted from the header */
   unsigned hi, lo;
};
typedef void (*hw_decode_field_fn)(void *data, const struct hw_decode_field *f);
/* Every named field, and reserved bits that are not as they must be; the repeated structures of a
 * variable command too. `past`: called for dwords that belong to no field. */
void hw_decode_fields(const struct hw_decode_command *c, hw_decode_field_fn fn,
                      void (*past)(void *data, unsigned dw, uint32_t value), void *data);

/* Sinks that write. */
struct hw_decode_writer {
   FILE *out;
   bool color;
   bool brief; /* text: only fields that are not zero, and what is wrong */
   unsigned engine_bit, device_bit;
   uint64_t written; /* commands, for the commas of JSON */
};
void hw_decode_text(struct hw_decode_writer *w, struct hw_decode_sink *sink);
void hw_decode_json(struct hw_decode_writer *w, struct hw_decode_sink *sink);
void hw_decode_json_begin(struct hw_decode_writer *w);
void hw_decode_json_end(struct hw_decode_writer *w);

#endif
