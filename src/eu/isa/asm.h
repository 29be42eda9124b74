/* Text to bytes and back. The text is the dialect of i965_asm. */
#ifndef PERGOLA_EU_ASM_H
#define PERGOLA_EU_ASM_H

#include "eu/isa/isa.h"

#include <stdio.h>

struct eu_asm_error {
   unsigned line, column; /* from 1 */
   char message[160];
};

struct eu_label {
   char *name;
   uint32_t offset;
};

/* An assembled program: its bytes, its labels, and the source line of each instruction. */
struct eu_program {
   uint8_t *bytes;
   size_t size;
   struct eu_label *labels;
   size_t label_count;
   struct eu_source_line {
      uint32_t offset;
      unsigned line;
   } * lines;
   size_t line_count;
};

/* On failure *out is empty and *error names the first mistake. Text need not end with a NUL. */
bool eu_asm_text(const char *text, size_t length, unsigned device, struct eu_program *out,
                 struct eu_asm_error *error);
void eu_program_free(struct eu_program *program);
/* The offset of a label; false when there is none. */
bool eu_program_label(const struct eu_program *program, const char *name, uint32_t *offset);

/* Enough for the text of any one instruction. */
#define EU_DISASM_MAX 512

/* The text of the instruction at `bytes`, without a closing newline; branch distances as numbers.
 * Any bytes give text: what is no instruction is shown as .dword with the reason. Returns how many
 * bytes it took (8 or 16, or what is left at the end). */
size_t eu_disasm(const uint8_t *bytes, size_t avail, unsigned device, char text[EU_DISASM_MAX]);
/* The same for an instruction already decoded (legal or not). */
void eu_disasm_inst(const struct eu_inst *inst, unsigned device, char text[EU_DISASM_MAX]);
/* What a message does, in the words of a disassembled line; NULL: its shared function has no words
 * for it. */
const char *eu_message_name(unsigned sfid, uint32_t desc);
/* Whether these are the words for another message of this shared function. */
bool eu_message_is_other(unsigned sfid, uint32_t desc, const char *words, size_t length);
/* A whole program, with labels, one instruction per line. */
void eu_disasm_program(FILE *out, const uint8_t *bytes, size_t size, unsigned device);

#endif
