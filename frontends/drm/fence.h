/* Fences (fence.c): the end of some work, to be waited for. */
#ifndef PERGOLA_DRM_FENCE_H
#define PERGOLA_DRM_FENCE_H

#include "names.h"

struct fence {
   unsigned refs;
   bool signaled;
   bool emitted; /* on its ring: what comes later on that ring runs after it */
   int engine;   /* -1: not work of an engine */
   int error;    /* negative errno once signaled */
   uint64_t timestamp_ns;
   uint64_t timeline, seqno; /* of two on one timeline the later one stands for both; 0: on none */
   struct fence **part;      /* an array fence: signaled when all parts are */
   unsigned parts;
};

struct fence *fence_create(int engine);
struct fence *fence_ref(struct fence *f);
void fence_unref(struct fence *f);
void fence_signal(struct fence *f, int error);
bool fence_done(struct fence *f); /* array fences are evaluated here */
int fence_error(const struct fence *f);
bool fence_of_engine(const struct fence *f); /* waits for work of an engine */
/* An array fence over both; NULL without memory. Takes no reference of the caller. */
struct fence *fence_merge(struct fence *a, struct fence *b);

#endif
