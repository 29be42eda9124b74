/* Where the client has mapped objects: the pages of a closed object stay until it unmaps them. */
#include "kernel.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static int
append(struct kernel *k, const struct client_map *m)
{
   if (k->maps == k->map_room) {
      size_t room = k->map_room ? k->map_room * 2 : 64;
      void *bigger = realloc(k->map, room * sizeof(k->map[0]));
      if (!bigger)
         return -ENOMEM;
      k->map = bigger;
      k->map_room = room;
   }
   k->map[k->maps] = *m;
   gem_ref(k->map[k->maps++].object);
   count_by(&k->tracked, 1);
   return 0;
}

int
maps_add(struct kernel *k, const struct client_map *m)
{
   maps_remove(k, m->start, m->end - m->start);
   return append(k, m);
}

int
maps_detile(struct gem_object *o)
{
   struct kernel *k = o->k;
   for (size_t i = 0; i < k->maps; i++) {
      struct client_map *m = &k->map[i];
      if (m->object != o || !m->aperture)
         continue;
      void *at = (void *)(uintptr_t)m->start;
      int ret = view_create(o, m->offset, m->end - m->start, PROT_READ | PROT_WRITE, true, &at);
      if (ret)
         return ret;
      m->aperture = false;
   }
   return 0;
}

bool
maps_overlap(const struct kernel *k, uint64_t start, uint64_t size)
{
   for (size_t i = 0; i < k->maps; i++)
      if (k->map[i].start < start + size && k->map[i].end > start)
         return true;
   return false;
}

/* A map past the end of its file is what the kernel's SIGBUS looks like. */
void
maps_break(struct gem_object *o)
{
   struct kernel *k = o->k;
   int empty = (int)syscall(SYS_memfd_create, "purged", 1u /* MFD_CLOEXEC */);
   if (empty < 0)
      return;
   for (size_t i = 0; i < k->maps; i++)
      if (k->map[i].object == o)
         sys_mmap((void *)(uintptr_t)k->map[i].start, k->map[i].end - k->map[i].start,
                  PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, empty, 0);
   sys_close(empty);
}

void
maps_remove(struct kernel *k, uint64_t start, uint64_t size)
{
   uint64_t end = start + size;
   for (size_t i = 0; i < k->maps;) {
      struct client_map *m = &k->map[i];
      if (m->start >= end || m->end <= start) {
         i++;
         continue;
      }
      struct client_map old = *m;
      *m = k->map[--k->maps];
      count_by(&k->tracked, -1);
      /* What is left of it on either side. Without memory the pages merely stay longer. */
      if (old.start < start) {
         struct client_map left = old;
         left.end = start;
         append(k, &left);
      }
      if (old.end > end) {
         struct client_map right = old;
         right.start = end;
         right.offset += end - old.start;
         append(k, &right);
      }
      gem_unref(old.object);
   }
}
