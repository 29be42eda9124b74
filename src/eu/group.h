/* One thread group: what its threads share. Runs on one host thread at a time. */
#ifndef PERGOLA_EU_GROUP_H
#define PERGOLA_EU_GROUP_H

#include "eu/eu.h"

#define GROUP_MAX_THREADS 64

enum group_thread_state { GROUP_READY, GROUP_WAITING, GROUP_ENDED };

/* Entries of the URB that threads of a group read, and give back (P3D-104). */
struct urb_inputs {
   uint32_t released; /* a bit each */
   uint8_t count;
   uint16_t handle[32];
};

struct eu_group {
   uint8_t *slm; /* NULL: none allocated */
   uint32_t slm_size_B;
   uint8_t barrier_id;
   bool barrier_enabled;
   unsigned thread_count, barrier_arrived;
   struct eu_thread *const *threads; /* thread_count */
   unsigned
       unmade; /* of these the last ones do not exist yet: they are made when their turn comes */
   void (*make_all)(struct eu_group *g); /* for those who must see every one of them */
   unsigned barrier_count;               /* messages that complete the barrier */
   unsigned barrier_message_count;       /* that the round under way is compared with */
   uint64_t barrier_waiting;             /* bit i: thread i has sent its BarrierMsg */
   uint64_t released;                    /* bit i: thread i has told the spawner that it ends */
   uint32_t id[3];                       /* thread group id x, y, z */
   uint32_t serial;                      /* another one for every group that has this room */
   struct urb_inputs *inputs;            /* of a patch's threads; others have none */
   uint8_t state[GROUP_MAX_THREADS];     /* enum group_thread_state */
};

#endif
