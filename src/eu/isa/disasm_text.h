/* The disassembler's line under construction. */
#ifndef PERGOLA_EU_DISASM_TEXT_H
#define PERGOLA_EU_DISASM_TEXT_H

#include "eu/isa/asm.h"
#include "eu/isa/isa_tables.h"

struct line {
   char text[EU_DISASM_MAX];
   size_t length;
   size_t start; /* where the current line of text begins */
};

__attribute__((format(printf, 2, 3))) void line_add(struct line *l, const char *format, ...);
/* What a message says: function, surface, lengths. */
void disasm_message(struct line *l, const struct eu_inst *i);

#endif
