/* What a word that nobody knows may have been meant to be. */
#include "eu/isa/asm_parse.h"

#include "rules/words.h"

#include <string.h>

void
asm_near_look(struct asm_near *n, const char *word, size_t length, const char *candidate)
{
   unsigned d = word_distance(word, length, candidate);
   /* Two letters may be wrong, but not all of them. */
   if (d > 2 || d >= length || (n->word && d >= n->distance))
      return;
   n->word = candidate;
   n->distance = d;
}

bool
asm_unknown(struct asm_cursor *c, const char *kind, const char *word, size_t length,
            const struct asm_near *near)
{
   bool known = near->word != NULL;
   c->at = word;
   if (!length)
      return asm_fail(c, "expected %s %s", strchr("aeiou", *kind) ? "an" : "a", kind);
   return asm_fail(c, "'%.*s' is no %s%s%s%s", (int)length, word, kind,
                   known ? "; did you mean '" : "", known ? near->word : "", known ? "'?" : "");
}
