/* Memory for generated code, and the way into it. */
#include "eu/jit/translate.h"

#include <stdlib.h>
#include <sys/mman.h>

#define PAGE 4096u
#define BYTES_PER_OP                                                                               \
   2400u /* generous: both versions and their detours, and the table of entries                    \
          */

static size_t
whole_pages(size_t size)
{
   return (size + PAGE - 1) & ~(size_t)(PAGE - 1);
}

struct jit_code *
jit_translate(const struct eu_kernel *k, enum jit_kind kind)
{
   size_t room = whole_pages(PAGE + (size_t)k->op_count * BYTES_PER_OP);
   struct jit_code *c = malloc(sizeof(*c));
   if (!c)
      return NULL;
   c->code = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   if (c->code == MAP_FAILED) {
      free(c);
      return NULL;
   }
   c->size = room;
   size_t size = jit_emit(k, kind, c, room, NULL);
   /* Never writable and executable at once. */
   if (!size || mprotect(c->code, room, PROT_READ | PROT_EXEC)) {
      jit_free(c);
      return NULL;
   }
   size_t used = whole_pages(size);
   if (used < room)
      munmap(c->code + used, room - used);
   c->size = used;
   return c;
}

void
jit_free(struct jit_code *c)
{
   if (!c)
      return;
   munmap(c->code, c->size);
   free(c);
}
