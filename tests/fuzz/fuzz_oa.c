/* A recording of performance counters (`pergola oa`) from anywhere: read and printed in all forms.
 */
#include "oa/oa_file.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   struct oa_file f;
   uint64_t *copy = malloc(size + 8);
   if (!copy)
      return 0;
   memcpy(copy, data, size);
   if (!oa_file_read(&f, copy, size))
      for (unsigned form = 0; form < 3; form++) {
         char *text = NULL;
         size_t length = 0;
         FILE *out = open_memstream(&text, &length);
         if (!out)
            break;
         oa_file_print(&f, out, (enum oa_file_form)form, false);
         fclose(out);
         free(text);
      }
   free(copy);
   return 0;
}
