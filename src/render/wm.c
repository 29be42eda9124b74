/* The windower: pixels of a rectangle, subspan by subspan, become groups for pixel shader threads;
 * host threads take them. */
#include "render/draw.h"

#include "media/pool.h"
#include "shared_functions/quick.h"

/* Groups that a worker takes at once: many, so that rows of one tile, which share lines of the
 * host's cache, are seldom drawn by two; but there are shares for everybody. */
#define LEAST_SHARE 32u
#define MOST_SHARE 4096u
#define SHARES 64u
#define INLINE_FIRST 20000 /* of the budget, before other host threads are woken */

void
wm_begin(struct render *r)
{
   const struct draw *d = &r->draw;
   const struct rectangle *now = &d->now;
   struct walk *k = &r->walk;
   k->width = d->ps._16_pixel_dispatch_enable ? 16 : 8;
   k->left = now->x0 & ~1;
   k->top = now->y0 & ~1;
   k->columns = (uint32_t)(now->x1 - k->left + 1) / 2;
   k->subspans = (uint64_t)k->columns * ((uint32_t)(now->y1 - k->top + 1) / 2);
   k->groups = (k->subspans + k->width / 4 - 1) / (k->width / 4);
   k->share = k->groups / SHARES;
   k->share = k->share < LEAST_SHARE ? LEAST_SHARE : k->share > MOST_SHARE ? MOST_SHARE : k->share;
   k->first_thread = r->threads;
   k->next = 0;
   r->threads += (uint32_t)k->groups;
   ps_load_common(r, ps_kernel(&d->ps, k->width));
   if (d->ps._8_pixel_dispatch_enable)
      ps_load_common(r, ps_kernel(&d->ps, 8));
}

/* ---- groups --------------------------------------------------------------------------------- */

/* G3D-096: 2x2 pixels, the upper left one at even coordinates. */
static void
take_subspan(struct ps_worker *w, struct group *g)
{
   const struct walk *k = &w->r->walk;
   const struct rectangle *r = &w->r->draw.now;
   unsigned n = g->count++;
   g->r1[2 + n] = ((uint32_t)w->y & 0xffff) << 16 | ((uint32_t)w->x & 0xffff);
   uint32_t row = (uint32_t)(w->x >= r->x0) | (uint32_t)(w->x + 1 < r->x1) << 1;
   g->lit |= ((w->y >= r->y0 ? row : 0) | (w->y + 1 < r->y1 ? row << 2 : 0)) << 4 * n;
   w->x += 2;
   if (w->x >= r->x1) {
      w->x = k->left;
      w->y += 2;
   }
}

void
wm_take_group(struct ps_worker *w, struct group *g)
{
   const struct gen7_3dstate_ps *ps = &w->r->draw.ps;
   const struct rectangle *r = &w->r->draw.now;
   unsigned width = w->r->walk.width;
   *g = (struct group){.width = width};
   w->next++;
   while (g->count < width / 4 && w->y < r->y1)
      take_subspan(w, g);
   g->r1[7] = g->lit << 16 | g->lit;
   if (g->count <= 2 && ps->_8_pixel_dispatch_enable)
      g->width = 8;
}

/* The worker's place in the walk, before its next group. */
static void
seek(struct ps_worker *w)
{
   const struct walk *k = &w->r->walk;
   const struct gen7_3dstate_ps *ps = &w->r->draw.ps;
   uint64_t subspan = w->next * (k->width / 4);
   uint32_t slots = ps->maximum_number_of_threads + 1;
   w->x = k->left + 2 * (int32_t)(subspan % k->columns);
   w->y = k->top + 2 * (int32_t)(subspan / k->columns);
   w->number = k->first_thread + (uint32_t)w->next;
   w->slots = slots < 172 ? slots : 172;
   w->slot = w->number % w->slots;
   ps_load_header(w);
}

static bool
take_share(struct ps_worker *w)
{
   struct walk *k = &w->r->walk;
   w->next = __atomic_fetch_add(&k->next, k->share, __ATOMIC_RELAXED);
   w->end = w->next + k->share < k->groups ? w->next + k->share : k->groups;
   if (w->next >= w->end) {
      w->next = w->end = 0;
      return false;
   }
   seek(w);
   return true;
}

/* ---- host threads --------------------------------------------------------------------------- */

static bool
has_some(const struct ps_worker *w)
{
   return w->running || w->next < w->end;
}

/* Takes a share of the budget that all workers draw on. */
static int64_t
budget_take(struct walk *k, int64_t want)
{
   int64_t left = __atomic_fetch_sub(&k->budget, want, __ATOMIC_RELAXED);
   if (left >= want)
      return want;
   int64_t got = left > 0 ? left : 0;
   __atomic_fetch_add(&k->budget, want - got, __ATOMIC_RELAXED);
   return got;
}

static void
work(void *data, unsigned index)
{
   struct render *r = data;
   struct walk *k = &r->walk;
   int64_t share = 0;
   if (index >= r->workers)
      return;
   struct ps_worker *w = r->worker[index];
   uint32_t host_modes = eu_enter(r->dev->eu);
   if (w->primitive != r->primitives)
      ps_prepare(w);
   sf_windows_forget(w->buffers);
   while (!rules_stopped(r->dev) && !w->stuck && (has_some(w) || take_share(w))) {
      if (share <= 0)
         share += budget_take(k, 1 << 16);
      if (share <= 0)
         break;
      ps_run(w, &share);
   }
   eu_leave(r->dev->eu, host_modes);
   if (w->invocations) /* G3D-101 */
      render_count(r, REG_PS_INVOCATION_COUNT, w->invocations);
   w->invocations = 0;
   __atomic_fetch_add(&k->budget, share,
                      __ATOMIC_RELAXED); /* what is left, or has been overdrawn */
}

static bool
is_stuck(const struct render *r)
{
   bool stuck = false;
   for (unsigned i = 0; i < r->workers; i++)
      stuck |= r->worker[i]->stuck;
   return stuck;
}

static bool
is_over(const struct render *r)
{
   for (unsigned i = 0; i < r->workers; i++)
      if (has_some(r->worker[i]))
         return false;
   return r->walk.next >= r->walk.groups;
}

/* G3D-102: the scratch space goes by a thread's number, and the next thread that has it waits for
 * the last one's end. */
static bool
uses_scratch(const struct gen7_3dstate_ps *ps)
{
   return ps->scratch_space_base_pointer || ps->per_thread_scratch_space;
}

/* The host threads that are worth it now: observers see the threads in their order. NULL: the
 * calling one alone. */
static struct pool *
pool_of(struct render *r)
{
   if (r->walk.next >= r->walk.groups || r->dev->trace.wanted || uses_scratch(&r->draw.ps))
      return NULL;
   struct pool *pool = media_pool(r->dev);
   unsigned threads = pool ? pool_threads(pool) : 1;
   while (r->workers < threads && r->workers < PS_WORKERS &&
          (r->worker[r->workers] = ps_worker_create(r)))
      r->workers++;
   return pool;
}

static void
run_workers(struct render *r, struct pool *pool, int64_t *budget)
{
   r->walk.budget = *budget;
   if (pool)
      pool_run(pool, work, r);
   else
      work(r, 0);
   for (unsigned i = 1; i < r->workers; i++) /* groups of those who did not come */
      if (has_some(r->worker[i]))
         work(r, i);
   *budget = r->walk.budget;
}

enum cs_result
wm_rectangle(struct render *r, uint64_t *budget)
{
   int64_t given = *budget > INT64_MAX / 2 ? INT64_MAX / 2 : (int64_t)*budget,
           left = given - r->debt;
   if (left > INLINE_FIRST) { /* a small rectangle is done sooner than other threads wake up */
      int64_t later = left - INLINE_FIRST;
      left = INLINE_FIRST;
      run_workers(r, NULL, &left);
      left += later;
   }
   if (!is_over(r) && !is_stuck(r) && !rules_stopped(r->dev))
      run_workers(r, pool_of(r), &left);
   r->debt = left < 0 ? -left : 0; /* time goes by what has been done, however many have done it */
   *budget = left > 0 ? *budget - (uint64_t)(given - left) : 0;
   if (rules_stopped(r->dev) || is_stuck(r))
      return CS_ERROR;
   return is_over(r) ? CS_DONE : CS_AGAIN;
}
