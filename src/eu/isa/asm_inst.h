/* One statement of assembly text. */
#ifndef PERGOLA_EU_ASM_INST_H
#define PERGOLA_EU_ASM_INST_H

#include "eu/isa/asm_parse.h"

/* A label that a branch names; length 0: a number stands in its place. */
struct asm_target {
   const char *name;
   size_t length;
   unsigned line, column;
};

struct asm_statement {
   struct eu_inst inst;
   uint32_t offset;
   unsigned size;
   unsigned line, column;
   struct asm_target jip, uip;
   bool raw;           /* .dword: the bytes are xor_dw */
   uint32_t xor_dw[4]; /* dwN^value: bits that text has no other way to show */
};

/* Reads one instruction (or .dword) with its semicolon; fills all but offset, line and column. */
bool asm_statement(struct asm_cursor *c, struct asm_statement *s);

#endif
