/* Order by atomic operations: what a thread has done and fenced before one, all those know of who
 * operate on the same dword later. */
#include "sanitize/sanitize_internal.h"

#include <stdlib.h>
#include <string.h>

#define SYNC_HASH 4096u
#define LOOKED_AT 20000u /* releases behind releases; beyond it likewise */

struct release {
   uint32_t group;
   unsigned threads, acquired_count;
   bool knows_all;
   struct acquired acquired[MAX_ACQUIRED];
   struct moments of[]; /* threads */
};

struct sync {
   struct sync *next;
   const uint8_t *host;
   struct release **release; /* in their order */
   uint32_t count, room;
   uint32_t last_thread, last_version; /* who has told it last, and how much */
};

static struct sync *
find(const struct sanitizer *s, const uint8_t *host)
{
   struct sync *y = s->sync ? s->sync[((uintptr_t)host >> 2) % SYNC_HASH] : NULL;
   while (y && y->host != host)
      y = y->next;
   return y;
}

static struct sync *
find_or_add(struct sanitizer *s, const uint8_t *host)
{
   struct sync *y = find(s, host);
   if (y)
      return y;
   if (!s->sync)
      s->sync = calloc(SYNC_HASH, sizeof(struct sync *));
   y = s->sync && s->sync_bytes < s->sync_limit ? calloc(1, sizeof(*y)) : NULL;
   if (!y)
      return NULL;
   s->sync_bytes += sizeof(*y);
   struct sync **chain = &s->sync[((uintptr_t)host >> 2) % SYNC_HASH];
   y->host = host;
   y->next = *chain;
   return *chain = y;
}

static struct acquired *
find_acquired(struct san_clock *c, const struct sync *y)
{
   for (unsigned i = 0; i < c->acquired_count; i++)
      if (c->acquired[i].sync == y)
         return &c->acquired[i];
   return NULL;
}

static void
acquire(struct san_clock *c, const struct sync *y, uint32_t count)
{
   struct acquired *a = find_acquired(c, y);
   if (a && a->count < count) {
      a->count = count;
      c->version++;
   }
   if (a)
      return;
   if (!count)
      return;
   c->version++;
   if (c->acquired_count == MAX_ACQUIRED)
      c->knows_all = true;
   else
      c->acquired[c->acquired_count++] = (struct acquired){.sync = y, .count = count};
}

void
san_acquire_from(struct san_clock *c, const struct san_clock *other)
{
   c->knows_all |= other->knows_all;
   for (unsigned i = 0; i < other->acquired_count; i++)
      acquire(c, other->acquired[i].sync, other->acquired[i].count);
}

static bool
append(struct sanitizer *s, struct sync *y, struct release *r)
{
   if (y->count == y->room) {
      uint32_t room = y->room ? 2 * y->room : 4;
      struct release **bigger = realloc(y->release, room * sizeof(struct release *));
      if (!bigger)
         return false;
      s->sync_bytes += (room - y->room) * sizeof(struct release *);
      y->release = bigger;
      y->room = room;
   }
   y->release[y->count++] = r;
   return true;
}

static void
release(struct sanitizer *s, struct sync *y, struct san_clock *c, uint32_t thread)
{
   const struct san_thread *t = &s->thread[thread];
   const struct san_group *g = &s->group[t->group];
   unsigned threads = g->real ? g->threads : 1;
   size_t size = sizeof(struct release) + threads * sizeof(struct moments);
   struct release *r = s->sync_bytes + size < s->sync_limit ? malloc(size) : NULL;
   if (!r) {
      s->sync_full = true;
      return;
   }
   *r = (struct release){.group = t->group,
                         .threads = threads,
                         .acquired_count = c->acquired_count,
                         .knows_all = c->knows_all};
   memcpy(r->acquired, c->acquired, sizeof(r->acquired));
   memcpy(r->of, c->of, threads * sizeof(struct moments));
   /* Only what was fenced is known to have come before, in shared local memory too: a barrier is
    * enough there, an atomic operation is not. */
   struct moments *own = &r->of[t->index];
   if (own->order < own->seen[SANITIZE_DATA_PORT])
      own->order = own->seen[SANITIZE_DATA_PORT];
   s->sync_bytes += size;
   if (!append(s, y, r)) {
      free(r);
      s->sync_full = true;
   }
}

/* What threads of the own group have released is known at once; what was acquired before has been
 * joined before. */
static void
join_own(const struct sync *y, struct san_clock *c, uint32_t group)
{
   const struct acquired *a = find_acquired(c, y);
   for (uint32_t i = a ? a->count : 0; i < y->count; i++) {
      const struct release *r = y->release[i];
      if (r->group != group)
         continue;
      for (unsigned k = 0; k < r->threads; k++) {
         struct moments *m = &c->of[k];
         const struct moments *n = &r->of[k];
         m->order = n->order > m->order ? n->order : m->order;
         for (unsigned p = 0; p < SANITIZE_PORTS; p++)
            m->seen[p] = n->seen[p] > m->seen[p] ? n->seen[p] : m->seen[p];
      }
   }
}

void
san_sync(struct sanitizer *s, struct san_clock *c, uint32_t thread, const uint8_t *host,
         bool releases)
{
   struct sync *y = releases ? find_or_add(s, host) : find(s, host);
   if (!y) {
      s->sync_full |= releases;
      return;
   }
   join_own(y, c, s->thread[thread].group);
   acquire(c, y, y->count);
   bool told = y->last_thread == thread && y->last_version == c->version;
   if (!releases || !c->version || told)
      return;
   release(s, y, c, thread);
   struct acquired *a = find_acquired(c, y);
   if (a) /* its own release tells a thread nothing new */
      a->count = y->count;
   y->last_thread = thread;
   y->last_version = c->version;
}

/* The search for a release that tells of an access. */
struct search {
   uint32_t group;
   unsigned index;
   touch t;
   bool write;
   unsigned left; /* releases to look at before it is given up */
};

static bool reaches(struct search *q, const struct acquired *a, unsigned count,
                    const struct sync *behind);

static bool
in_release(struct search *q, const struct release *r, const struct sync *y)
{
   if (r->knows_all)
      return true;
   if (r->group == q->group && q->index < r->threads) {
      const struct moments *m = &r->of[q->index];
      if ((q->write ? m->seen[touch_port(q->t)] : m->order) >= touch_clock(q->t))
         return true;
   }
   return reaches(q, r->acquired, r->acquired_count, y);
}

/* `behind`: the dword whose older releases are being looked at already. */
static bool
reaches(struct search *q, const struct acquired *a, unsigned count, const struct sync *behind)
{
   for (unsigned i = 0; i < count; i++)
      for (uint32_t k = a[i].sync != behind ? a[i].count : 0; k-- > 0;)
         if (!q->left || !--q->left || in_release(q, a[i].sync->release[k], a[i].sync))
            return true;
   return false;
}

bool
san_acquired(const struct san_clock *c, uint32_t group, unsigned index, touch t, bool write)
{
   struct search q = {.group = group, .index = index, .t = t, .write = write, .left = LOOKED_AT};
   return c->knows_all || reaches(&q, c->acquired, c->acquired_count, NULL);
}

void
san_sync_forget(struct sanitizer *s)
{
   for (unsigned i = 0; s->sync && i < SYNC_HASH; i++)
      while (s->sync[i]) {
         struct sync *y = s->sync[i];
         s->sync[i] = y->next;
         for (uint32_t k = 0; k < y->count; k++)
            free(y->release[k]);
         free(y->release);
         free(y);
      }
   free(s->sync);
   s->sync = NULL;
   s->sync_bytes = 0;
   s->sync_full = false;
}
