/* Races: two threads touch the same byte, one of them writes, and nothing orders them. */
#include "sanitize/sanitize_internal.h"

#include <string.h>

struct look {
   struct sanitizer *s;
   const struct sanitize_access *a;
   struct san_clock *c;
   uint32_t thread;
   bool slm;
   bool told; /* one finding an access is enough */
};

static void
complain(struct look *l, touch before, bool before_writes, unsigned byte)
{
   if (!l->told)
      finding_race(l->s, l->a, before, before_writes, byte);
   l->told = true;
}

static bool
ordered(const struct look *l, touch before, bool write)
{
   return san_before(l->s, l->c, l->thread, before, write, l->slm);
}

/* Bytes that are there already: with equal values no order can be seen (as DP-235 is named). */
static bool
same_value(const struct look *l, unsigned byte, unsigned size)
{
   const uint8_t *data = l->a->kind == SANITIZE_READ ? NULL : l->a->data;
   return data && !memcmp(data + byte, l->a->host + byte, size);
}

static void
check(struct look *l, const struct cell *cell, unsigned byte, unsigned size)
{
   if (!ordered(l, cell->write, true) && !same_value(l, byte, size))
      complain(l, cell->write, true, byte);
   for (unsigned i = 0; i < CELL_USES; i++)
      if (uses_clash(l->a->kind, cell->use[i], l->slm) && !ordered(l, cell->use[i], false))
         complain(l, cell->use[i], touch_atomic(cell->use[i]), byte);
}

/* One that comes before the new one, and is of its kind, says nothing that the new one does not.
 * Counters are operated on by all groups: those of others are not looked up, which takes long. */
static void
add_use(struct look *l, struct cell *cell, touch now)
{
   const struct san_thread *t = l->s->thread;
   for (unsigned i = 0; i < CELL_USES - 1; i++) {
      touch *u = &cell->use[touch_atomic(now) ? CELL_USES - 1 - i : i];
      bool far = *u && touch_atomic(now) && t[touch_thread(*u)].group != t[l->thread].group;
      if (far || (*u && (touch_atomic(*u) != touch_atomic(now) || !ordered(l, *u, false))))
         continue;
      *u = now;
      return;
   }
}

void
race_check(struct sanitizer *s, const struct sanitize_access *a)
{
   struct look l = {.s = s, .a = a, .slm = a->bti == SANITIZE_BTI_SLM};
   l.thread = san_thread(s, a->t, &l.c);
   struct shadow_page *p = l.thread ? shadow_cells(&s->shadow, a->host, a->size, s->epoch) : NULL;
   if (!p)
      return;
   if (a->kind == SANITIZE_READ && !((uintptr_t)a->host & 3) && a->size == 4)
      san_sync(s, l.c, l.thread, a->host, false);
   if (a->kind == SANITIZE_ATOMIC)
      san_sync(s, l.c, l.thread, a->host, true);
   touch now = touch_of(s, a, l.thread, l.c);
   unsigned first = (uintptr_t)a->host & 0xfff, step = p->bytes ? 1 : 4;
   l.c->dirty = true;
   for (unsigned byte = 0; byte < a->size; byte += step) {
      struct cell *cell = &p->cell[(first + byte) / step];
      check(&l, cell, byte, step);
      if (a->kind == SANITIZE_WRITE)
         *cell = (struct cell){.write = now};
      else
         add_use(&l, cell, now);
   }
}
