/* Threads of full groups, one after the other in one place, each from its beginning to its end in
 * native code. */

#ifdef __x86_64__
#define PS_VECTORS __attribute__((target("avx2"))) /* which native code needs anyway */
#endif
#include "render/ps_start.h"

/* The registers of constants and attributes that the kernel reads before it writes them. */
static unsigned
find_needs(const struct ps_worker *w, const struct eu_series *s, uint8_t need[EU_GRF_COUNT])
{
   unsigned first = w->r->walk.common[w->kernel].first, count = 0;
   bool known = s->channels == w->fresh[w->kernel].dispatch_mask;
   for (unsigned reg = first; reg < first + w->r->walk.common[w->kernel].count; reg++)
      if (!known || s->needs[reg / 64] >> reg % 64 & 1)
         need[count++] = (uint8_t)reg;
   return count;
}

PS_VECTORS void
ps_run_series(struct ps_worker *w, int64_t *budget)
{
   struct render *r = w->r;
   struct eu_thread *t = w->t;
   struct eu_series s;
   uint8_t need[EU_GRF_COUNT];
   w->kernel = ps_kernel(&r->draw.ps, r->walk.width);
   const struct eu_thread *fresh = &w->fresh[w->kernel];
   if (!eu_series_begin(&s, fresh))
      return;
   unsigned needs = find_needs(w, &s, need);
   const ps_row *common = (const ps_row *)(const void *)r->walk.common[w->kernel].row;
   const ps_row *start = (const ps_row *)(const void *)((const uint8_t *)fresh + EU_START_OFFSET);
   ps_row *grf = (ps_row *)(void *)t->grf, *to = (ps_row *)(void *)((uint8_t *)t + EU_START_OFFSET);
   eu_thread_copy(t, fresh);
   /* The last group of the rectangle may be a part of one. */
   while (w->next < w->end && w->next + 1 < r->walk.groups && *budget > 0 &&
          !rules_stopped(r->dev)) {
      struct group g;
      if (!ps_take_whole(w, &g))
         wm_take_group(w, &g);
      for (unsigned i = 0; i < EU_START_SIZE / sizeof(ps_row); i++)
         to[i] = start[i];
      ps_start(w, &g);
      for (unsigned i = 0; i < needs; i++)
         grf[need[i]] = common[need[i]];
      *budget -= PS_DISPATCH_COST;
      w->running = *budget <= 0;
      if (w->running)
         return;
      enum eu_stop stop =
          eu_series_run(&s, t, *budget < (int64_t)PS_SLICE ? (uint64_t)*budget : PS_SLICE);
      *budget -= (int64_t)t->instructions;
      w->running = stop == EU_STOP_BUDGET || stop == EU_STOP_BREAK;
      if (w->running)
         return;
      if (__builtin_expect(stop != EU_STOP_EOT || ps_has_others(&w->record), 0))
         ps_ended(w, stop);
      if (w->stuck)
         return;
      if (stop != EU_STOP_EOT)
         eu_thread_copy(t, fresh);
   }
}
