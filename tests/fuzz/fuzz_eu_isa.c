/* Any bytes as an EU program: decoded, printed, assembled again to the same bytes. */
#include "eu/isa/asm.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   if (size < 1 || size > 4096)
      return 0;
   unsigned device = data[0] & 1 ? HW_HSW : HW_IVB;
   char *text = NULL;
   size_t length = 0;
   FILE *f = open_memstream(&text, &length);
   struct eu_program p;
   struct eu_asm_error e;
   data++, size--;
   eu_disasm_program(f, data, size, device);
   fclose(f);
   if (!eu_asm_text(text, length, device, &p, &e))
      abort();
   if (p.size != size - size % 8 || memcmp(p.bytes, data, p.size))
      abort();
   eu_program_free(&p);
   free(text);
   return 0;
}
