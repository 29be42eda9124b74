/* Pieces of work that a snapshot may be taken in the middle of. */
#ifndef PERGOLA_TEST_MEDIA_SNAPSHOT_WORKS_H
#define PERGOLA_TEST_MEDIA_SNAPSHOT_WORKS_H

#include "stage.h"

#define CONTEXT_A 0x300000u
#define CONTEXT_B 0x340000u
#define SET_CONTEXT(a, flags) 0x0c000000, (a) | 1u << 8 | (flags), 0

struct work {
   const char *name;
   void (*put)(struct stage *s);
   uint64_t turn;                  /* units in each */
   void (*check)(struct stage *s); /* at the end; or NULL */
   bool preempts;                  /* the host asks for it on the way */
   unsigned least;                 /* turns; 0: a few */
};
#define WORKS 10u
extern const struct work works[WORKS];

#endif
