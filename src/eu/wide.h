/* Vertex shaders side by side: a kernel of two vertices a thread (SIMD4x2) without branches, run
 * for sixteen vertices at once. For the dispatcher of vertex shader threads.
 *
 * Its registers lie in a frame, turned: where a thread has dwords x y z w of its two vertices in a
 * row, the frame has the x of eight vertices in a vector, then their y, z and w. */
#ifndef PERGOLA_EU_WIDE_H
#define PERGOLA_EU_WIDE_H

#include "eu/eu.h"

#define WIDE_GROUPS 2u                  /* of eight vertices: one waits, the other computes */
#define WIDE_THREADS (4u * WIDE_GROUPS) /* that run at once */
#define WIDE_FRAME 16384u               /* dwords: registers, and room for what is between them */

struct eu_wide {
   void (*enter)(uint32_t *frame);
   unsigned instructions; /* of a thread */
   uint64_t needs[2];     /* registers that are read before they are written, a bit each */
   uint64_t writes[2];    /* that are written */
   /* It ends with one URB write, interleaved, which the caller does: from the register behind the
    * header, so many, to an offset in rows of 32 bytes. */
   uint8_t header, rows;
   uint16_t urb_offset;
};

/* False: its threads have to be run one by one. fresh: as for eu_series_begin, which has said yes;
 * all of its registers that are marked will be there. */
bool eu_wide_begin(struct eu_wide *w, const struct eu_thread *fresh);

/* Component 0 … 3 of eight vertices. Lane 2k is the first of thread k, dwords 0 … 3 of its
 * registers; 2k + 1 the second, dwords 4 … 7. */
static inline uint32_t *
eu_wide_at(uint32_t *frame, unsigned group, unsigned reg, unsigned component)
{
   return frame + ((reg * 4 + component) * WIDE_GROUPS + group) * 8;
}

#endif
