/* Threads, their groups, and what comes before what. */
#include "sanitize/sanitize_internal.h"

#include "eu/shadow.h"
#include "memory/objects.h"
#include "rules/plural.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sanitizer *
sanitizer_create(struct pergola_device *dev, unsigned kinds)
{
   struct sanitizer *s = calloc(1, sizeof(*s));
   if (!s)
      return NULL;
   s->dev = dev;
   s->kinds = kinds;
   s->epoch = 1;
   s->shadow.limit = SHADOW_LIMIT;
   s->sync_limit = SYNC_LIMIT;
   return s;
}

void
sanitizer_destroy(struct sanitizer *s)
{
   if (!s)
      return;
   shadow_finish(&s->shadow);
   san_sync_forget(s);
   free(s->scoreboard);
   free(s->thread);
   free(s->group);
   free(s);
}

/* SAN-030: nobody shall take silence for a clean program. */
static void
tell_limits(struct sanitizer *s)
{
   struct rule_place place = {.engine = "EU", .subject = "sanitizer"};
   if (s->shadow.full) {
      place.field = "memory";
      rule_finding(s->dev, PERGOLA_WARNING, "SAN-030", &place,
                   "no room for notes about more memory: accesses to further pages are not "
                   "looked at");
   }
   if (s->sync_full) {
      place.field = "atomic operations";
      rule_finding(s->dev, PERGOLA_WARNING, "SAN-030", &place,
                   "no room for more notes: from here to the end of the dispatch threads count as "
                   "ordered, and races are not named");
   }
   s->shadow.full = false;
}

/* a new epoch */
static void
san_forget(struct sanitizer *s)
{
   tell_limits(s);
   s->epoch++;
   s->thread_count = s->group_count = 0;
   s->alone_number = 0;
   san_sync_forget(s);
}

void
sanitize_drained(struct sanitizer *s)
{
   if (s->thread_count)
      san_forget(s);
}

/* ---- groups -----------------------------------------------------------------------------------
 */

static bool
room_for(void **array, uint32_t *room, uint32_t count, size_t size)
{
   if (count < *room)
      return true;
   uint32_t bigger = *room ? 2 * *room : 256;
   void *p = realloc(*array, bigger * size);
   if (!p)
      return false;
   *array = p;
   *room = bigger;
   return true;
}

static bool
add_group(struct sanitizer *s, const struct eu_group *g, uint32_t *number)
{
   if (!room_for((void **)&s->group, &s->group_room, s->group_count, sizeof(*s->group)))
      return false;
   struct san_group *to = &s->group[s->group_count];
   *to = (struct san_group){.real = g != NULL};
   if (g) {
      memcpy(to->id, g->id, sizeof(to->id));
      to->threads = g->thread_count < GROUP_MAX_THREADS ? g->thread_count : GROUP_MAX_THREADS;
   }
   *number = s->group_count++;
   return true;
}

/* What another group has left there is of no meaning to this one. */
static void
new_slm(struct sanitizer *s, const struct eu_group *g)
{
   for (uint32_t at = 0; g->slm && at < g->slm_size_B;) {
      const uint8_t *host = g->slm + at;
      unsigned first = (uintptr_t)host & 0xfff, left = g->slm_size_B - at;
      unsigned count = 4096 - first < left ? 4096 - first : left;
      struct shadow_page *p = shadow_find(&s->shadow, host, s->epoch);
      at += count;
      if (!p)
         continue;
      if (p->unset_epoch != s->epoch)
         memset(p->unset, 0, sizeof(p->unset));
      p->unset_epoch = s->epoch;
      for (unsigned i = first; i < first + count; i++)
         p->unset[i / 64] |= UINT64_C(1) << i % 64;
      if (p->cell && p->bytes)
         memset(p->cell + first, 0, count * sizeof(struct cell));
      else if (p->cell)
         memset(p->cell + first / 4, 0, (count + 3) / 4 * sizeof(struct cell));
   }
}

static bool
enter_group(struct sanitizer *s, const struct eu_group *g)
{
   struct san_live *l = &s->live;
   if (l->g == g && l->serial == g->serial && l->epoch == s->epoch)
      return true;
   if (!add_group(s, g, &l->number))
      return false;
   if (l->g != g || l->serial != g->serial)
      new_slm(s, g);
   l->g = g;
   l->serial = g->serial;
   l->epoch = s->epoch;
   memset(l->clock, 0, sizeof(l->clock));
   for (unsigned i = 0; i < GROUP_MAX_THREADS; i++)
      l->clock[i].own = 1;
   return true;
}

/* ---- threads ----------------------------------------------------------------------------------
 */

/* A slot is given again when its thread has ended (MEDIA-165), and memory may be divided by slots:
 * who has it comes after who had it. Of a kernel that does not know its slot this would only hide
 * what another order of dispatch shows. */
static uint16_t
slot_of(const struct eu_thread *t)
{
   return eu_kernel_asks_slot(t->kernel) ? (uint16_t)((t->ffid & 15) << 9 | t->fftid) + 1 : 0;
}

static uint32_t
add_thread(struct sanitizer *s, struct eu_thread *t)
{
   uint32_t group;
   if (s->thread_count + 2 >= TOUCH_THREADS)
      san_forget(s);
   if (!room_for((void **)&s->thread, &s->thread_room, s->thread_count + 1, sizeof(*s->thread)))
      return 0;
   if (t->group ? !enter_group(s, t->group) : !add_group(s, NULL, &group))
      return 0;
   if (t->group)
      group = s->live.number;
   uint32_t number = ++s->thread_count;
   s->thread[number] =
       (struct san_thread){.group = group,
                           .id = t->id,
                           .slot = slot_of(t),
                           .kernel = t->env->instruction_base + t->kernel_start,
                           .index = t->group ? t->group_index % GROUP_MAX_THREADS : 0};
   t->sanitize = (uint64_t)s->epoch << 32 | number;
   return number;
}

uint32_t
san_thread(struct sanitizer *s, struct eu_thread *t, struct san_clock **clock)
{
   uint32_t number = t->sanitize >> 32 == s->epoch ? (uint32_t)t->sanitize : 0;
   if (!number)
      number = add_thread(s, t);
   if (!number)
      return 0;
   if (t->group) {
      if (!enter_group(s, t->group))
         return 0;
      *clock = &s->live.clock[t->group_index % GROUP_MAX_THREADS];
   } else {
      if (s->alone_number != number) {
         /* One that comes back is taken as if nobody had told it anything: it knows all. */
         memset(&s->alone, 0, sizeof(s->alone));
         s->alone.own = 1;
         s->alone.knows_all = number < s->alone_number;
         s->alone_number = number;
      }
      *clock = &s->alone;
   }
   if ((*clock)->own < TOUCH_CLOCKS - 1)
      return number;
   san_forget(s); /* the clock has run out: from here on anew */
   return san_thread(s, t, clock);
}

/* ---- order ------------------------------------------------------------------------------------
 */

bool
san_before(struct sanitizer *s, const struct san_clock *c, uint32_t thread, touch a, bool write,
           bool slm)
{
   uint32_t other = touch_thread(a);
   if (!a || other == thread || s->sync_full)
      return true;
   const struct san_thread *t = &s->thread[other];
   bool fenced = write && !slm && !touch_atomic(a);
   if (t->group == s->thread[thread].group) {
      const struct moments *m = &c->of[t->index];
      if ((fenced ? m->seen[touch_port(a)] : m->order) >= touch_clock(a))
         return true;
      return c->knows_all;
   }
   if (t->slot && t->slot == s->thread[thread].slot)
      return true;
   return t->talks || s->thread[thread].talks || scoreboard_after(s, thread, other) ||
          san_acquired(c, t->group, t->index, a, fenced);
}

void
sanitize_barrier(struct sanitizer *s, struct eu_thread *t, uint32_t ip)
{
   struct san_clock *c;
   if (!san_thread(s, t, &c))
      return;
   if (s->kinds & PERGOLA_SANITIZE_RACE && t->waiting & t->dispatch_mask)
      finding_divergent(s, t, ip);
   c->of[t->group_index % GROUP_MAX_THREADS].order = c->own++;
   c->dirty = false;
   c->version++;
}

static void
join(struct san_clock *to, const struct san_clock *from, unsigned threads)
{
   for (unsigned i = 0; i < threads; i++) {
      struct moments *m = &to->of[i];
      const struct moments *n = &from->of[i];
      m->order = n->order > m->order ? n->order : m->order;
      for (unsigned p = 0; p < SANITIZE_PORTS; p++)
         m->seen[p] = n->seen[p] > m->seen[p] ? n->seen[p] : m->seen[p];
   }
   san_acquire_from(to, from);
}

void
sanitize_release(struct sanitizer *s, const struct eu_group *g, uint64_t waiting)
{
   if (!enter_group(s, g))
      return;
   const unsigned threads = s->group[s->live.number].threads;
   struct san_clock all = {0};
   for (uint64_t w = waiting; w; w &= w - 1)
      join(&all, &s->live.clock[__builtin_ctzll(w)], threads);
   for (uint64_t w = waiting; w; w &= w - 1) {
      join(&s->live.clock[__builtin_ctzll(w)], &all, threads);
      s->live.clock[__builtin_ctzll(w)].version++;
   }
}

/* DP-309 */
void
sanitize_fence(struct sanitizer *s, struct eu_thread *t, enum sanitize_port port)
{
   struct san_clock *c;
   if (!san_thread(s, t, &c))
      return;
   if (c->dirty)
      c->own++;
   c->dirty = false;
   c->of[t->group ? t->group_index % GROUP_MAX_THREADS : 0].seen[port] = c->own - 1;
   c->version++;
}

/* ---- accesses ---------------------------------------------------------------------------------
 */

static void
mark_written(struct sanitizer *s, const struct sanitize_access *a)
{
   struct shadow_page *p = shadow_find(&s->shadow, a->host, s->epoch);
   unsigned first = (uintptr_t)a->host & 0xfff;
   if (!p)
      return;
   p->mixed = true;
   for (unsigned i = first; p->unset_epoch == s->epoch && i < first + a->size; i++)
      p->unset[i / 64] &= ~(UINT64_C(1) << i % 64);
}

static void
check_init(struct sanitizer *s, const struct sanitize_access *a)
{
   const uint64_t *unset = shadow_unset(&s->shadow, a->host, s->epoch);
   unsigned first = (uintptr_t)a->host & 0xfff;
   for (unsigned i = first; unset && i < first + a->size; i++)
      if (unset[i / 64] >> i % 64 & 1) {
         if (a->unset)
            *a->unset |= 1u << (a->channel & 31);
         else
            finding_here(s, a, a->bti == SANITIZE_BTI_SLM ? "SAN-020" : "SAN-023",
                         "reads what nobody has written");
         return;
      }
}

/* SAN-011, SAN-014 */
static void
check_object(struct sanitizer *s, const struct sanitize_access *a)
{
   struct mem_space *space = a->t->env->space;
   struct pergola_object below;
   char where[MEM_OBJECT_TEXT], text[MEM_OBJECT_TEXT + 80];
   if (mem_object_holds(space, a->address, a->size, &below))
      return;
   mem_object_text(&below, a->address, where);
   snprintf(text, sizeof(text), "is in no object that the batch names: 0x%08x, %s", a->address,
            where);
   finding_here(s, a, a->bti == SANITIZE_BTI_STATELESS ? "SAN-011" : "SAN-014", text);
   mem_object_told(space, a->address);
}

void
sanitize_access(struct sanitizer *s, const struct sanitize_access *a)
{
   struct san_clock *c;
   if (!a->host || !san_thread(s, a->t, &c))
      return;
   if (s->kinds & PERGOLA_SANITIZE_MEMORY && a->bti != SANITIZE_BTI_SLM)
      check_object(s, a);
   if (s->kinds & PERGOLA_SANITIZE_RACE && !a->scratch)
      race_check(s, a);
   if (s->kinds & PERGOLA_SANITIZE_INIT && a->kind != SANITIZE_WRITE && !a->scratch)
      check_init(s, a);
   if (a->kind != SANITIZE_READ && !a->scratch)
      mark_written(s, a);
}

void
sanitize_memory(struct sanitizer *s, const struct sanitize_access *whole, uint32_t address,
                unsigned size)
{
   const uint8_t *data = whole->data;
   enum mem_access access = whole->kind == SANITIZE_READ ? MEM_READ : MEM_WRITE;
   for (unsigned done = 0; done < size;) {
      struct sanitize_access a = *whole;
      a.address = address + done;
      unsigned room = 4096 - (a.address & 0xfff);
      a.size = room < size - done ? room : size - done;
      a.offset = whole->offset + done;
      a.data = data ? data + done : NULL;
      /* A page fault is named when it is done. */
      a.host = mem_known(whole->t->env->space, a.address, access);
      if (!a.host)
         a.host = mem_look_up(whole->t->env->space, a.address, access);
      sanitize_access(s, &a);
      done += a.size;
   }
}

void
sanitize_outside(struct sanitizer *s, const struct sanitize_access *a, uint64_t limit,
                 const char *why)
{
   struct san_clock *c;
   if (!(s->kinds & PERGOLA_SANITIZE_MEMORY) || !san_thread(s, a->t, &c))
      return;
   char text[160];
   const char *rule = a->scratch                         ? "SAN-013"
                      : a->bti == SANITIZE_BTI_SLM       ? "SAN-012"
                      : a->bti == SANITIZE_BTI_STATELESS ? "SAN-011"
                                                         : "SAN-010";
   if (why || a->texel)
      snprintf(text, sizeof(text), "is dropped: %s", why ? why : "there is no such texel");
   else
      snprintf(text, sizeof(text), "is outside: %llu byte%s %s there", (unsigned long long)limit,
               plural(limit), are(limit));
   finding_here(s, a, rule, text);
}

void
sanitize_unwritten(struct sanitizer *s, const struct sanitize_access *a, const char *what)
{
   struct san_clock *c;
   char text[96];
   if (!san_thread(s, a->t, &c))
      return;
   snprintf(text, sizeof(text), "has %s in a register that nobody wrote", what);
   finding_here(s, a, "SAN-022", text);
}

/* A thread finds nothing of what others have left in its scratch space. Where other messages write
 * too, it is not known whose bytes are whose: there they count as written. */
static void
own_scratch(struct shadow_page *p, unsigned first, const struct eu_shadow *r)
{
   const unsigned part = first * SCRATCH_OWNERS / 4096, words = 64 / SCRATCH_OWNERS;
   if (p->mixed || (p->owner[part].place == r && p->owner[part].begun == r->begun))
      return;
   p->owner[part].place = r;
   p->owner[part].begun = r->begun;
   memset(p->unset + part * words, 0xff, words * sizeof(uint64_t));
}

void
sanitize_scratch(struct sanitizer *s, struct eu_thread *t, const uint8_t *host, unsigned size,
                 unsigned reg_offset, bool write)
{
   struct eu_shadow *r = eu_shadow_of(t);
   struct shadow_page *p = r ? shadow_find(&s->shadow, host, s->epoch) : NULL;
   unsigned first = (uintptr_t)host & 0xfff;
   if (!p)
      return;
   if (p->unset_epoch != s->epoch)
      memset(p->unset, 0, sizeof(p->unset));
   p->unset_epoch = s->epoch;
   own_scratch(p, first, r);
   for (unsigned i = 0; i < size; i++) {
      uint64_t bit = UINT64_C(1) << (first + i) % 64, *word = &p->unset[(first + i) / 64];
      if (!write)
         eu_shadow_set(r, reg_offset + i, 1, *word & bit);
      else if (eu_shadow_unwritten(r, reg_offset + i, 1))
         *word |= bit;
      else
         *word &= ~bit;
   }
}

void
sanitize_channels(struct sanitizer *s, const struct sanitize_access *a, unsigned other)
{
   struct san_clock *c;
   char text[160];
   if (!(s->kinds & PERGOLA_SANITIZE_RACE) || !san_thread(s, a->t, &c))
      return;
   snprintf(text, sizeof(text),
            "and channel %u of the same message writes another value there: which one stays is "
            "undefined",
            other);
   finding_here(s, a, "SAN-003", text);
}

/* ---- words ------------------------------------------------------------------------------------
 */

static uint32_t
word_kinds(const char *word, size_t length)
{
   static const struct {
      const char *word;
      unsigned kinds;
   } words[] = {
       {"memory", PERGOLA_SANITIZE_MEMORY},
       {"race", PERGOLA_SANITIZE_RACE},
       {"init", PERGOLA_SANITIZE_INIT},
       {"all", PERGOLA_SANITIZE_MEMORY | PERGOLA_SANITIZE_RACE | PERGOLA_SANITIZE_INIT},
   };
   for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++)
      if (strlen(words[i].word) == length && !strncmp(words[i].word, word, length))
         return words[i].kinds;
   return 0;
}

unsigned
pergola_sanitize_kinds(const char *list, const char **bad)
{
   return trace_words(list, word_kinds, bad);
}
