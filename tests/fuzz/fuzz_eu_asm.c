/* Any text as an EU program: a program or a mistake with a place; what assembles comes back. */
#include "eu/isa/asm.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   struct eu_program p, again;
   struct eu_asm_error e;
   if (size > 4096)
      return 0;
   if (!eu_asm_text((const char *)data, size, HW_HSW, &p, &e)) {
      if (!e.line || !e.column || !e.message[0])
         abort();
      return 0;
   }
   char *text = NULL;
   size_t length = 0;
   FILE *f = open_memstream(&text, &length);
   eu_disasm_program(f, p.bytes, p.size, HW_HSW);
   fclose(f);
   if (!eu_asm_text(text, length, HW_HSW, &again, &e) || again.size != p.size ||
       memcmp(again.bytes, p.bytes, p.size))
      abort();
   eu_program_free(&again);
   eu_program_free(&p);
   free(text);
   return 0;
}
