/* Order of the media pipeline's root threads: one that depends on others begins when they have
 * ended (MEDIA-311). What a thread that sends messages to another one orders is not followed. */
#include "sanitize/sanitize_internal.h"

#include <stdlib.h>

#define LOOKED_AT 4096u /* threads on the way back; beyond it everything counts as ordered */

static bool
valid(const struct sanitizer *s, uint32_t number, uint32_t place)
{
   return number && number <= s->thread_count && s->thread[number].place == place;
}

void
sanitize_scoreboard(struct sanitizer *s, struct eu_thread *t, uint32_t place, const uint32_t *after,
                    unsigned count)
{
   struct san_clock *c;
   uint32_t number = san_thread(s, t, &c);
   if (!s->scoreboard)
      s->scoreboard = calloc(SANITIZE_PLACES, sizeof(uint32_t));
   if (!number || !s->scoreboard)
      return;
   struct san_thread *to = &s->thread[number];
   for (unsigned i = 0; i < count && i < SANITIZE_MAX_AFTER; i++) {
      uint32_t other = s->scoreboard[after[i] % SANITIZE_PLACES];
      if (valid(s, other, after[i] % SANITIZE_PLACES) && other != number)
         to->after[to->after_count++] = other;
   }
   to->place = place % SANITIZE_PLACES;
   s->scoreboard[to->place] = number;
}

void
sanitize_talks(struct sanitizer *s, struct eu_thread *t)
{
   struct san_clock *c;
   uint32_t number = san_thread(s, t, &c);
   if (number)
      s->thread[number].talks = true;
}

/* Back over the dependencies. They began earlier and have lower numbers; each is looked at once. */
bool
scoreboard_after(struct sanitizer *s, uint32_t thread, uint32_t other)
{
   uint32_t stack[LOOKED_AT];
   unsigned depth = 0;
   if (!s->thread[thread].after_count)
      return false;
   s->search++;
   stack[depth++] = thread;
   while (depth) {
      const struct san_thread *t = &s->thread[stack[--depth]];
      for (unsigned i = 0; i < t->after_count; i++) {
         uint32_t number = t->after[i];
         if (number == other || depth == LOOKED_AT)
            return true;
         if (number < other || s->thread[number].search == s->search)
            continue;
         s->thread[number].search = s->search;
         stack[depth++] = number;
      }
   }
   return false;
}
