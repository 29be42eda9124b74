/* A thread at dispatch: what is its own. Both dispatchers have this in their innermost loop. */
#ifndef PERGOLA_MEDIA_START_H
#define PERGOLA_MEDIA_START_H

#include "media/media_internal.h"

#include <string.h>

/* MEDIA-290: linear, not powers of two as in the 3D pipeline. */
static inline uint32_t
scratch_size_B(const struct media *m)
{
   return (m->vfe.state.per_thread_scratch_space + 1) * 1024;
}

/* MEDIA-209: Scratch Space Pointer = base + FFTID * per-thread size. */
static inline uint32_t
scratch_pointer(const struct media *m, unsigned fftid)
{
   return (m->vfe.state.scratch_space_base_pointer + fftid * scratch_size_B(m)) & ~1023u;
}

/* Both: everything but the payload registers. */
static inline void
thread_start(struct media *m, struct eu_thread *t, uint32_t mask, const struct thread_place *p)
{
   thread_identity(t, mask, p);
   thread_arrive(t, place_n0(m->dev->dispatcher, p), place_port(m->dev->dispatcher, p));
}

#endif
