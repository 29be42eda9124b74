/* Threads of a group in native code, with as little as possible done for each of them. Those that
 * do not wait for each other run one after the other in one place, each from its beginning to its
 * end: this loop runs once per thread of most walks. Those that do have a place each, and go on
 * round by round (group_run). */
#include "eu/series.h"
#include "media/group.h"

#ifdef __x86_64__
#define VECTORS __attribute__((target("avx2"))) /* which native code needs anyway */
#else
#define VECTORS
#endif

/* A register, or a part of a thread's start. Moved as a whole: it is read as a whole soon after,
 * and a load that needs two stores has to wait for both. */
typedef uint32_t row __attribute__((vector_size(EU_REG_SIZE), may_alias));
typedef uint32_t unaligned_row __attribute__((vector_size(EU_REG_SIZE), aligned(4), may_alias));

/* Drivers give every thread all constants; most kernels read a few rows of them. */
static void
find_needs(struct group_worker *w, const struct eu_series *s)
{
   unsigned count = 0;
   w->needs = 0;
   w->need_channels = s->channels;
   for (unsigned r = 0; r < w->rows; r++) {
      unsigned reg = r + 1;
      if (!(s->needs[reg / 64] >> reg % 64 & 1))
         continue;
      if (count == sizeof(w->need)) {
         w->need_channels = UINT32_MAX; /* as no thread of a series has them */
         return;
      }
      w->need[count++] = (uint8_t)r;
   }
   w->needs = count;
}

VECTORS static void
start(struct group_worker *w, struct eu_thread *t, unsigned index, uint32_t handle)
{
   const struct group_start *s = &w->start[index];
   row *to = (row *)(void *)((uint8_t *)t + EU_START_OFFSET);
   const row *from = (const row *)(const void *)s->state;
   for (unsigned i = 0; i < EU_START_SIZE / sizeof(row); i++)
      to[i] = from[i];
   t->id = w->first_id + index;
   row own = {handle, 0, group_key(w, index), 0, 0, s->r0_5, 0, 0};
   row *grf = (row *)(void *)t->grf;
   grf[0] = *(const row *)(const void *)w->r0 | own;
   unsigned length = w->payload->kernel->d.constant_urb_entry_read_length;
   const unaligned_row *constants =
       (const unaligned_row *)(const void *)(w->constants + index * length * URB_ROW_SIZE);
   if (w->payload->mask[index] == w->need_channels)
      for (unsigned i = 0; i < w->needs; i++)
         grf[1 + w->need[i]] = constants[w->need[i]];
   else
      for (unsigned i = 0; i < w->rows; i++)
         grf[1 + i] = constants[i];
}

static bool
has_series(const struct group_worker *w)
{
   return w->m->run == eu_run_inside && w->constants && !w->payload->objects && !w->wide;
}

bool
group_rounds_begin(struct group_worker *w, struct eu_rounds *r)
{
   if (!w->group.barrier_enabled || !has_series(w) ||
       !eu_rounds_begin(r, w->fresh, w->group.barrier_id))
      return false;
   find_needs(w, &r->series);
   return true;
}

VECTORS void
group_make_in_rounds(struct group_worker *w)
{
   unsigned index = w->group.thread_count - w->group.unmade--;
   struct eu_thread *t = w->pointer[index] = w->spare[--w->spares];
   uint64_t room = UINT64_C(1) << (t - w->threads);
   if (!(w->rooms & room))
      eu_thread_copy(t, w->fresh);
   w->rooms |= room;
   start(w, t, index, group_handle(w, index));
   thread_arrive(t, w->start[index].n0, w->start[index].port);
}

/* A thread that turns out not to be one for the loop has been run in vain. Where that is more than
 * one in so many, the rest of the walk is not tried. */
#define MISS_THREADS 4

/* The next threads as iterations of a loop, as many as are sure to end within the budget; how many
 * have. */
VECTORS static unsigned
iterate(struct group_worker *w, const struct eu_series *s, struct eu_thread *t, int64_t *budget)
{
   struct eu_group *g = &w->group;
   unsigned index = g->thread_count - g->unmade, count = w->alike - index;
   int64_t cost = s->instructions;
   unsigned length = w->payload->kernel->d.constant_urb_entry_read_length;
   if (index >= w->alike || w->payload->mask[0] != s->full_channels || cost > *budget ||
       cost > GROUP_SLICE)
      return 0;
   if (count * cost > *budget)
      count = (unsigned)(*budget / cost);
   *(row *)(void *)t->grf = *(const row *)(const void *)w->r0;
   unsigned done = eu_series_iterate(s, t, w->constants + index * length * URB_ROW_SIZE,
                                     length * URB_ROW_SIZE, count);
   w->trust += (int)done - (done < count ? MISS_THREADS : 0);
   w->trust = w->trust < GROUP_TRUST ? w->trust : GROUP_TRUST;
   *budget -= done * cost;
   g->unmade -= done;
   w->ended += done;
   w->iterations += done;
   memset(g->state + index, GROUP_ENDED, done);
   for (unsigned i = index; i < index + done; i++)
      w->pointer[i] = t;
   if (done)
      g->released |= (UINT64_MAX >> (64 - done)) << index;
   return done;
}

static bool
begin_series(struct group_worker *w, struct eu_series *s)
{
   if (!has_series(w))
      return false;
   if (w->in_series && eu_series_holds(s, w->fresh))
      return true;
   w->in_series = eu_series_begin(s, w->fresh);
   if (w->in_series)
      find_needs(w, s);
   return w->in_series;
}

VECTORS void
group_run_series(struct group_worker *w, int64_t *budget)
{
   struct eu_group *g = &w->group;
   struct eu_series *s = &w->series;
   if (!begin_series(w, s))
      return;
   struct eu_thread *t = w->spare[--w->spares];
   if (t != w->again)
      eu_thread_copy(t, w->fresh);
   w->again = NULL;
   w->rooms = 0;
   const bool *stopped = rules_stop_flag(w->m->dev);
   const struct vfe *vfe = &w->m->vfe;
   /* Of the first thread; a division for each of them would take longer than its start. */
   unsigned handle = w->first_handle;
   while (g->unmade && *budget > 0 && !__atomic_load_n(stopped, __ATOMIC_RELAXED)) {
      if (s->iterate && w->trust > 0) {
         handle += iterate(w, s, t, budget);
         while (handle >= vfe->handle_count && vfe->handle_count)
            handle -= vfe->handle_count;
         if (!g->unmade || *budget <= 0)
            break;
      }
      unsigned index = g->thread_count - g->unmade--;
      w->pointer[index] = t;
      start(w, t, index, vfe->handle_count ? vfe->handle[handle] : 0);
      if (++handle >= vfe->handle_count)
         handle = 0;
      if (!s->quiet) /* else nobody sees either */
         thread_arrive(t, w->start[index].n0, w->start[index].port);
      enum eu_stop stop =
          eu_series_run(s, t, *budget < (int64_t)GROUP_SLICE ? (uint64_t)*budget : GROUP_SLICE);
      *budget -= (int64_t)t->instructions + eu_thread_paid(t);
      if (stop != EU_STOP_EOT && stop != EU_STOP_FAULT) {
         g->state[index] = stop == EU_STOP_WAIT ? GROUP_WAITING : GROUP_READY;
         if (s->quiet)
            thread_arrive(t, w->start[index].n0, w->start[index].port);
         return;
      }
      if (stop == EU_STOP_EOT && s->ends)
         g->released |= UINT64_C(1) << index;
      else if (stop == EU_STOP_EOT)
         group_check_release(w, index);
      g->state[index] = GROUP_ENDED;
      w->ended++;
      if (!s->quiet)
         thread_keep_notifications(w->start[index].n0, t);
      if (stop == EU_STOP_FAULT)
         eu_thread_copy(t, w->fresh);
   }
   w->spare[w->spares++] = w->again = t;
}
