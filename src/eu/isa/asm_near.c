/* What a word that nobody knows may have been meant to be. */
#include "eu/isa/asm_parse.h"

#include <string.h>

#define LONGEST 31

static unsigned
least(unsigned a, unsigned b)
{
   return a < b ? a : b;
}

unsigned
asm_distance(const char *a, size_t a_length, const char *b)
{
   unsigned row[LONGEST + 1];
   size_t b_length = strlen(b);
   if (a_length > LONGEST || b_length > LONGEST)
      return UINT32_MAX;
   for (unsigned j = 0; j <= b_length; j++)
      row[j] = j;
   for (unsigned i = 1; i <= a_length; i++) {
      unsigned corner = row[0];
      row[0] = i;
      for (unsigned j = 1; j <= b_length; j++) {
         unsigned same = corner + (a[i - 1] != b[j - 1]);
         corner = row[j];
         row[j] = least(same, least(row[j], row[j - 1]) + 1);
      }
   }
   return row[b_length];
}

void
asm_near_look(struct asm_near *n, const char *word, size_t length, const char *candidate)
{
   unsigned d = asm_distance(word, length, candidate);
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
