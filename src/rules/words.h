/* Words that people write: lists of them, and which one of them a slip of the pen is near to. */
#ifndef PERGOLA_RULES_WORDS_H
#define PERGOLA_RULES_WORDS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct word_bits {
   const char *word;
   unsigned bits;
};

/* What the words of a list stand for together; 0: one of them is unknown. */
static inline unsigned
words_bits(const char *list, const struct word_bits *words, size_t count)
{
   unsigned bits = 0;
   for (;;) {
      size_t length = strcspn(list, ","), i = 0;
      while (i < count && (strlen(words[i].word) != length || strncmp(words[i].word, list, length)))
         i++;
      if (i == count)
         return 0;
      bits |= words[i].bits;
      if (!list[length])
         return bits;
      list += length + 1;
   }
}

#define WORD_LONGEST 31

/* How many letters to put in, take out or change; UINT32_MAX: a word is too long. */
static inline unsigned
word_distance(const char *a, size_t a_length, const char *b)
{
   unsigned row[WORD_LONGEST + 1];
   size_t b_length = strlen(b);
   if (a_length > WORD_LONGEST || b_length > WORD_LONGEST)
      return UINT32_MAX;
   for (unsigned j = 0; j <= b_length; j++)
      row[j] = j;
   for (unsigned i = 1; i <= a_length; i++) {
      unsigned corner = row[0];
      row[0] = i;
      for (unsigned j = 1; j <= b_length; j++) {
         unsigned same = corner + (a[i - 1] != b[j - 1]);
         corner = row[j];
         unsigned other = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
         row[j] = same < other ? same : other;
      }
   }
   return row[b_length];
}

#endif
