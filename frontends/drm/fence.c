/* Fences: one per request, and arrays of them for merged sync files. Under the kernel's lock. */
#include "kernel.h"

#include <stdlib.h>

struct fence *
fence_create(int engine)
{
   struct fence *f = calloc(1, sizeof(*f));
   if (f) {
      f->refs = 1;
      f->engine = engine;
   }
   return f;
}

struct fence *
fence_ref(struct fence *f)
{
   if (f)
      f->refs++;
   return f;
}

void
fence_unref(struct fence *f)
{
   if (!f || --f->refs)
      return;
   for (unsigned i = 0; i < f->parts; i++)
      fence_unref(f->part[i]);
   free(f->part);
   free(f);
}

void
fence_signal(struct fence *f, int error)
{
   if (f->signaled)
      return;
   f->signaled = true;
   f->error = error;
   f->timestamp_ns = (uint64_t)monotonic_ns();
}

bool
fence_done(struct fence *f)
{
   if (f->signaled || !f->parts)
      return f->signaled;
   int error = 0;
   for (unsigned i = 0; i < f->parts; i++) {
      if (!fence_done(f->part[i]))
         return false;
      if (f->part[i]->error)
         error = f->part[i]->error;
   }
   fence_signal(f, error);
   return true;
}

bool
fence_of_engine(const struct fence *f)
{
   bool any = f->engine >= 0 && !f->signaled;
   for (unsigned i = 0; i < f->parts; i++)
      any |= fence_of_engine(f->part[i]);
   return any;
}

int
fence_error(const struct fence *f)
{
   return f->error;
}

/* The parts are never arrays themselves, so that no chain of merges can become deep. */
static void
add_part(struct fence *array, struct fence *f)
{
   for (unsigned i = 0; i < array->parts && f->timeline; i++) {
      if (array->part[i]->timeline != f->timeline)
         continue;
      if (array->part[i]->seqno < f->seqno) {
         fence_unref(array->part[i]);
         array->part[i] = fence_ref(f);
      }
      return;
   }
   array->part[array->parts++] = fence_ref(f);
}

static void
add_parts(struct fence *array, struct fence *f)
{
   unsigned n = f->parts ? f->parts : 1;
   for (unsigned i = 0; i < n; i++) {
      struct fence *part = f->parts ? f->part[i] : f;
      if (!part->signaled || part->error)
         add_part(array, part);
   }
}

struct fence *
fence_merge(struct fence *a, struct fence *b)
{
   size_t room = (size_t)(a->parts ? a->parts : 1) + (b->parts ? b->parts : 1);
   struct fence *f = room <= 4096 ? fence_create(-1) : NULL;
   struct fence **part = f ? calloc(room, sizeof(*part)) : NULL;
   if (!part) {
      fence_unref(f);
      return NULL;
   }
   f->part = part;
   add_parts(f, a);
   add_parts(f, b);
   if (f->parts)
      fence_done(f);
   else
      fence_signal(f, 0);
   return f;
}
