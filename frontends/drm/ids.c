/* Handles: small integers to pointers, lowest free first as the kernel's idr gives them. */
#include "kernel.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int
id_take(struct id_table *t, void *p, uint32_t first, uint32_t *id)
{
   /* Below t->free every slot is taken, apart from those below the caller's first, which is the
    * same in all calls. */
   if (t->free < first)
      t->free = first;
   uint32_t i = t->free;
   while (i < t->room && t->slot[i])
      i++;
   if (i >= t->room) {
      uint32_t room = t->room ? t->room * 2 : 64;
      if (room > 1u << 24)
         return -ENOSPC;
      while (room <= i)
         room *= 2;
      void **bigger = realloc(t->slot, room * sizeof(*bigger));
      if (!bigger)
         return -ENOMEM;
      memset(bigger + t->room, 0, (room - t->room) * sizeof(*bigger));
      t->slot = bigger;
      t->room = room;
   }
   t->slot[i] = p;
   t->free = i + 1;
   *id = i;
   return 0;
}

void *
id_find(const struct id_table *t, uint32_t id)
{
   return id < t->room ? t->slot[id] : NULL;
}

void *
id_drop(struct id_table *t, uint32_t id)
{
   void *p = id_find(t, id);
   if (p) {
      t->slot[id] = NULL;
      if (id < t->free)
         t->free = id;
   }
   return p;
}
