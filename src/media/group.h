/* Private to the files about thread groups: group.c, group_start.c, group_series.c. */
#ifndef PERGOLA_MEDIA_GROUP_H
#define PERGOLA_MEDIA_GROUP_H

#include "media/start.h"

#define GROUP_TRUST 128   /* in its threads as iterations of a loop: group_series.c */
#define GROUP_SLICE 4096u /* instructions of one thread before the next one has its turn */

/* The first of the group's threads that is not there yet. */
void group_make_thread(struct group_worker *w);
void group_make_all(struct eu_group *g);
void group_not_released(struct group_worker *w);
/* MEDIA-261: the thread spawner hears of an end only by a message of its own. */
static inline void
group_check_release(struct group_worker *w, unsigned index)
{
   if (__builtin_expect(!(w->group.released >> index & 1), 0))
      group_not_released(w);
}
/* Threads that do not wait for each other, each from its beginning to its end. Leaves the rest to
 * the turns. */
void group_run_series(struct group_worker *w, int64_t *budget);
/* Threads that wait for each other. False: they have to be run as any others. */
struct eu_rounds;
bool group_rounds_begin(struct group_worker *w, struct eu_rounds *r);
/* As group_make_thread, for a thread of rounds. */
void group_make_in_rounds(struct group_worker *w);

/* MEDIA-248: R0 of a thread, where all of a group have w->r0: its key, its handle if there are any.
 */
static inline uint32_t
group_key(const struct group_worker *w, unsigned index)
{
   /* MEDIA-255: 8 bits of key */
   return hw_put(w->payload->dispatch_key + w->first_id + index, GEN7_R0_GPGPU__DISPATCH_KEY);
}
static inline uint32_t
group_handle(const struct group_worker *w, unsigned index)
{
   const struct vfe *vfe = &w->m->vfe;
   /* MEDIA-294: without entries the handle is 0. */
   return vfe->handle_count ? vfe->handle[(w->first_handle + index) % vfe->handle_count] : 0;
}

#endif
