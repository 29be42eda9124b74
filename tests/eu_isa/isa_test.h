/* What the instruction set's tests share. */
#ifndef ISA_TEST_H
#define ISA_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "eu/isa/asm.h"

#include <stdlib.h>
#include <string.h>

static inline size_t
from_hex(const char *text, uint8_t *bytes)
{
   size_t n = 0;
   for (char *end; *text; text = end) {
      bytes[n++] = (uint8_t)strtoul(text, &end, 16);
      while (*end == ' ')
         end++;
   }
   return n;
}

/* Assembles one program that must be right; the caller frees it. */
static inline struct eu_program
assemble(const char *text, unsigned device)
{
   struct eu_program p;
   struct eu_asm_error e;
   if (!eu_asm_text(text, strlen(text), device, &p, &e))
      fail_msg("%u:%u: %s in: %s", e.line, e.column, e.message, text);
   return p;
}

static inline struct eu_inst
assemble_one(const char *text, unsigned device)
{
   struct eu_program p = assemble(text, device);
   struct eu_inst i;
   const char *why = NULL;
   if (!eu_inst_decode(p.bytes, p.size, device, &i, &why))
      fail_msg("%s: %s", text, why);
   eu_program_free(&p);
   return i;
}

/* Xorshift: the same numbers for the same seed everywhere. */
static inline uint64_t
random64(uint64_t *state)
{
   *state ^= *state << 13;
   *state ^= *state >> 7;
   *state ^= *state << 17;
   return *state * UINT64_C(0x2545F4914F6CDD1D);
}

#endif
