/* The fast path: the slots of one message at once. It says that all is well, or nothing: then the
 * slots are told one by one, and those who look at them find the words. */
#include "sanitize/sanitize_internal.h"

#include "memory/objects.h"

/* What holds for all slots of a message. */
struct many {
   struct sanitizer *s;
   const struct sanitize_access *a;
   struct san_clock *c;
   uint32_t thread;
   touch now; /* but for the channel */
   bool slm;
   bool alone; /* the thread knows nothing of other groups, so that none comes before it */
   bool race, init, memory;
   unsigned size;
};

/* The page of the slot before, which is nearly always that of the next one. */
struct at_page {
   uint32_t number; /* of the graphics address; UINT32_MAX: none yet */
   const uint8_t *host;
   struct shadow_page *shadow;
   uint64_t first, end; /* the object around it */
};

static inline bool
comes_before(const struct many *m, touch t, bool write)
{
   if (!t || touch_thread(t) == m->thread)
      return true;
   const struct san_thread *other = &m->s->thread[touch_thread(t)];
   if (m->alone && other->group != m->s->thread[m->thread].group)
      return other->talks;
   return san_before(m->s, m->c, m->thread, t, write, m->slm);
}

/* Of SANITIZE_READ and SANITIZE_ATOMIC; add_use() of race.c in a run. */
static inline bool
use_cell(const struct many *m, struct cell *cell, touch now, unsigned kind)
{
   const struct san_thread *t = m->s->thread;
   if (!comes_before(m, cell->write, true))
      return false;
   for (unsigned i = 0; m->slm && i < CELL_USES; i++)
      if (cell->use[i] && uses_clash(kind, cell->use[i], true) &&
          !comes_before(m, cell->use[i], false))
         return false;
   for (unsigned i = 0; i < CELL_USES - 1; i++) {
      bool atomic = kind == SANITIZE_ATOMIC;
      touch *to = &cell->use[atomic ? CELL_USES - 1 - i : i], u = *to;
      bool far = u && atomic && t[touch_thread(u)].group != t[m->thread].group;
      if (far || (u && (touch_atomic(u) != atomic || !comes_before(m, u, false))))
         continue;
      *to = now;
      break;
   }
   return true;
}

static inline bool
read_cell(const struct many *m, struct cell *cell, touch now)
{
   return use_cell(m, cell, now, SANITIZE_READ);
}

static inline bool
atomic_cell(const struct many *m, struct cell *cell, touch now)
{
   return use_cell(m, cell, now, SANITIZE_ATOMIC);
}

static inline bool
write_cell(const struct many *m, struct cell *cell, touch now)
{
   /* The same instruction in a loop, and nobody since. */
   if (cell->write == now && !(cell->use[0] | cell->use[1] | cell->use[2]))
      return true;
   if (!comes_before(m, cell->write, true))
      return false;
   for (unsigned i = 0; i < CELL_USES; i++)
      if (!comes_before(m, cell->use[i], false))
         return false;
   *cell = (struct cell){.write = now};
   return true;
}

/* The cells of `slots` slots from this byte of the page on. */
static inline bool
cells(const struct many *m, struct shadow_page *p, unsigned first, unsigned channel, unsigned slots,
      bool (*look)(const struct many *, struct cell *, touch))
{
   unsigned step = p->bytes ? 1 : 4, each = (m->size + step - 1) / step;
   struct cell *cell = &p->cell[first / step];
   for (unsigned i = channel; i < channel + slots; i++) {
      touch now = m->now | (uint64_t)i << TOUCH_CHANNEL_SHIFT;
      for (unsigned k = 0; k < each; k++)
         if (!look(m, cell++, now))
            return false;
   }
   return true;
}

static bool
race_free(const struct many *m, struct shadow_page *p, unsigned first, unsigned channel,
          unsigned slots)
{
   switch (m->a->kind) {
   case SANITIZE_READ:
      return cells(m, p, first, channel, slots, read_cell);
   case SANITIZE_WRITE:
      return cells(m, p, first, channel, slots, write_cell);
   default:
      return cells(m, p, first, channel, slots, atomic_cell);
   }
}

/* Who reads finds only what was written; what is written is marked. */
static bool
initialised(const struct many *m, struct shadow_page *p, unsigned first, unsigned bytes)
{
   p->mixed |= m->a->kind != SANITIZE_READ;
   if (p->unset_epoch != m->s->epoch)
      return true;
   for (unsigned i = first; i < first + bytes;) {
      unsigned room = 64 - i % 64, left = first + bytes - i, count = room < left ? room : left;
      uint64_t bits = UINT64_MAX >> (64 - count) << i % 64;
      if (m->a->kind != SANITIZE_WRITE && p->unset[i / 64] & bits)
         return false;
      if (m->a->kind != SANITIZE_READ)
         p->unset[i / 64] &= ~bits;
      i += count;
   }
   return true;
}

static bool
enter_page(const struct many *m, struct at_page *page, const uint8_t *host, uint32_t number)
{
   struct shadow *sh = &m->s->shadow;
   page->number = number;
   page->host = (const uint8_t *)((uintptr_t)host & ~(uintptr_t)0xfff);
   page->shadow = m->race   ? shadow_cells(sh, host, m->size, m->s->epoch)
                  : m->init ? shadow_find(sh, host, m->s->epoch)
                            : NULL;
   return page->shadow || !(m->race || m->init);
}

/* The host address of bytes in graphics memory, all in one page and in one object. */
static const uint8_t *
find_bytes(const struct many *m, struct at_page *page, uint32_t address, unsigned bytes)
{
   struct mem_space *space = m->a->t->env->space;
   uint32_t number = address >> 12;
   uint64_t end = (uint64_t)address + bytes;
   if ((address & 0xfff) + bytes > 4096)
      return NULL;
   if (number != page->number) {
      const uint8_t *host =
          mem_known(space, address, m->a->kind == SANITIZE_READ ? MEM_READ : MEM_WRITE);
      if (!host || !enter_page(m, page, host, number))
         return NULL;
   }
   if (m->memory && (address < page->first || end > page->end) &&
       (!mem_object_around(space, address, &page->first, &page->end) || end > page->end))
      return NULL;
   return page->host + (address & 0xfff);
}

static const uint8_t *
find_slm(const struct many *m, struct at_page *page, const uint8_t *host, unsigned bytes)
{
   if (((uintptr_t)host & 0xfff) + bytes > 4096)
      return NULL;
   if (page->host != (const uint8_t *)((uintptr_t)host & ~(uintptr_t)0xfff) &&
       !enter_page(m, page, host, 0))
      return NULL;
   return host;
}

static void
follow_order(const struct many *m, const uint8_t *host, unsigned bytes)
{
   bool atomic = m->a->kind == SANITIZE_ATOMIC;
   if (!atomic && (!m->s->sync || m->a->kind != SANITIZE_READ || m->size != 4))
      return;
   for (unsigned i = 0; i < bytes; i += 4)
      san_sync(m->s, m->c, m->thread, host + i, atomic);
}

static bool
all_well(const struct many *m, struct at_page *page, const uint8_t *host, unsigned channel,
         unsigned slots)
{
   unsigned first = (uintptr_t)host & 0xfff;
   if (m->race) {
      /* What is not aligned needs cells of bytes, in a page that was entered for dwords too. */
      if (first & 3 && !page->shadow->bytes)
         return false;
      follow_order(m, host, slots * m->size);
      if (!race_free(m, page->shadow, first, channel, slots))
         return false;
   }
   return !m->init || initialised(m, page->shadow, first, slots * m->size);
}

/* An atomic operation, a message, the scoreboard or its slot would have told of others. */
static bool
knows_no_group(const struct sanitizer *s, const struct san_clock *c, uint32_t thread)
{
   return !s->sync && !c->knows_all && !c->acquired_count && !s->thread[thread].talks &&
          !s->thread[thread].after_count && !s->thread[thread].slot;
}

/* How many slots from this one on lie one behind the other, in one page. */
static unsigned
run_of(const uint64_t *offset, unsigned i, unsigned slots, uint32_t mask, unsigned size,
       unsigned room)
{
   unsigned n = 1;
   while (i + n < slots && mask >> (i + n) & 1 && offset[i + n] == offset[i] + n * size &&
          (n + 1) * size <= room)
      n++;
   return n;
}

bool
sanitize_slots(struct sanitizer *s, const struct sanitize_access *a, const uint64_t *offset,
               unsigned slots, uint32_t mask)
{
   struct many m = {.s = s, .a = a, .slm = a->bti == SANITIZE_BTI_SLM, .size = a->size};
   struct at_page page = {.number = UINT32_MAX};
   m.thread = a->scratch ? 0 : san_thread(s, a->t, &m.c);
   if (!m.thread)
      return false;
   m.race = s->kinds & PERGOLA_SANITIZE_RACE;
   m.init = s->kinds & PERGOLA_SANITIZE_INIT;
   m.memory = s->kinds & PERGOLA_SANITIZE_MEMORY;
   m.now = touch_of(s, a, m.thread, m.c);
   m.alone = knows_no_group(s, m.c, m.thread);
   m.c->dirty |= m.race;
   for (unsigned i = 0, n; i < slots; i += n) {
      n = 1;
      if (!(mask >> i & 1))
         continue;
      uint64_t at = offset[i] + (m.slm ? (uintptr_t)a->host : a->address);
      n = run_of(offset, i, slots, mask, m.size, 4096 - (at & 0xfff));
      const uint8_t *host = m.slm ? find_slm(&m, &page, a->host + offset[i], n * m.size)
                                  : find_bytes(&m, &page, (uint32_t)at, n * m.size);
      if (!host || !all_well(&m, &page, host, i, n))
         return false;
   }
   return true;
}
