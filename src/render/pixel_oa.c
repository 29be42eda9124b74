/* What becomes of pixels, counted for the performance counters: of a group from its rasterisation
 * to the last message of its threads. SYS-356: Ice Lake's events are blocks of 2x2 pixels, each
 * once if any sample of it qualifies; Gen7's (SYS-471) are pixels. */
#include "render/pixel_private.h"

#include "eu/tally.h"

#include <string.h>

static unsigned
pixels_of(uint32_t mask)
{
   return (unsigned)__builtin_popcount(mask);
}

/* A subspan is four bits. */
static uint32_t
whole(uint32_t mask)
{
   mask |= mask >> 1;
   mask |= mask >> 2;
   return mask & 0x11111111;
}

static unsigned
blocks_of(uint32_t mask)
{
   return pixels_of(whole(mask));
}

/* SYS-348. SYS-351, SYS-352, SYS-353: nothing of the group before is left. */
void
pixel_oa_begin(struct pixel_worker *w)
{
   struct pixel_tally *o = &w->oa;
   o->lit = o->alive = o->shown = o->alpha = o->stencil = o->late = 0;
   memset(o->written, 0, sizeof(o->written));
   o->count[OA_RASTERIZED] += w->group.subspans;
}

/* SYS-350; SYS-349 stays 0: there is no hierarchical depth, all early tests are exact. */
void
pixel_oa_early(struct pixel_worker *w, const uint32_t *before)
{
   struct pixel_tally *o = &w->oa;
   uint32_t failed = 0;
   for (unsigned s = 0; s < w->p->samples; s++)
      failed |= before[s] & ~w->group.lit[s];
   uint32_t passed = any_sample(w->group.lit, w->p->samples);
   o->count[OA_SLOW_FAILED] += blocks_of(failed);
   o->count[OA_PIXELS_SLOW_PASSED] += pixels_of(passed);
   o->count[OA_PIXELS_SLOW_FAILED] += pixels_of(any_sample(before, w->p->samples) & ~passed);
}

/* SYS-353, SYS-354: what a message has left of its pixels, after all tests. */
void
pixel_oa_message(struct pixel_worker *w, uint32_t alive, uint32_t shown,
                 const struct cc_target *target)
{
   struct pixel_tally *o = &w->oa;
   o->alive |= alive;
   o->shown |= shown;
   if (!target || !target->write)
      return;
   uint32_t *written = &o->written[target - w->target], blocks = whole(shown) & ~*written;
   *written |= blocks;
   o->count[OA_WRITTEN] += pixels_of(blocks);
   if (target->blend)
      o->count[OA_BLENDED] += pixels_of(blocks);
}

/* SYS-351, SYS-352: when the group's last thread has ended, what none of its messages had. */
void
pixel_oa_end(struct pixel_worker *w)
{
   struct pixel_tally *o = &w->oa;
   uint32_t lit = o->lit, killed = lit & ~o->alive, failed = lit & o->alive & ~o->shown;
   o->count[OA_KILLED] += pixels_of(whole(lit) & ~whole(lit & o->alive));
   o->count[OA_LATE_FAILED] += pixels_of(whole(lit & o->alive) & ~whole(lit & o->shown));
   o->count[OA_PIXELS_KILLED] += pixels_of(killed);
   o->count[OA_PIXELS_ALPHA_FAILED] += pixels_of(failed & o->alpha);
   failed &= ~o->alpha;
   o->count[OA_PIXELS_STENCIL_FAILED] += pixels_of(failed & o->stencil);
   o->count[OA_PIXELS_DEPTH_FAILED] += pixels_of(failed & o->late & ~o->stencil);
   o->lit = 0;
}

void
pixel_oa_leave(struct pixel_worker *w)
{
   eu_tally_pixels(w->p->dev->eu, w->oa.count);
   memset(w->oa.count, 0, sizeof(w->oa.count));
}
