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
   const uint8_t *data = l->a->data;
   return data && !memcmp(data + byte, l->a->host + byte, size);
}

static void
check_write(struct look *l, const struct cell *cell, unsigned byte, unsigned size)
{
   bool atomic = l->a->kind == SANITIZE_ATOMIC;
   if (!ordered(l, cell->write, true) && !same_value(l, byte, size))
      complain(l, cell->write, true, byte);
   /* The reader of what others operate on atomically may well be an atomic load, which is a plain
    * message on this machine. */
   if (atomic)
      return;
   if (!ordered(l, cell->atomic, true))
      complain(l, cell->atomic, true, byte);
   for (unsigned i = 0; i < 2; i++)
      if (!ordered(l, cell->read[i], false))
         complain(l, cell->read[i], false, byte);
}

static void
check_read(struct look *l, const struct cell *cell, unsigned byte)
{
   if (!ordered(l, cell->write, true))
      complain(l, cell->write, true, byte);
}

/* One that comes before the new one says nothing that the new one does not. */
static void
add_read(struct look *l, struct cell *cell, touch now)
{
   for (unsigned i = 0; i < 2; i++)
      if (!cell->read[i] || touch_thread(cell->read[i]) == l->thread ||
          ordered(l, cell->read[i], false)) {
         cell->read[i] = now;
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
      if (a->kind == SANITIZE_READ) {
         check_read(&l, cell, byte);
         add_read(&l, cell, now);
         continue;
      }
      check_write(&l, cell, byte, step);
      if (a->kind == SANITIZE_ATOMIC)
         cell->atomic = now;
      else
         *cell = (struct cell){.write = now};
   }
}
