/* The fenced view of a tiled object: on the chip a fence register detiles what goes through the
 * aperture. Here the client gets plain memory that is filled from the object at the points where
 * the API says that the client may look, and written back, only where the client changed it, where
 * the API says that the GPU may. */
#include "kernel.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

struct view {
   struct view *next;
   uint64_t offset, size; /* in the object, linear */
   uint64_t address;      /* of the client's map */
   /* What the client sees, mapped a second time: it may protect its own map as it likes. What it
    * saw when last in step. */
   uint8_t *pages, *last;
};

static uint64_t
tiled_offset(const struct gem_object *o, uint64_t linear)
{
   enum pergola_tiling t = o->tiling == TILING_X ? PERGOLA_TILING_X : PERGOLA_TILING_Y;
   return pergola_tile_offset(t, (uint32_t)(linear % o->stride), (uint32_t)(linear / o->stride),
                              o->stride);
}

/* 16 bytes are together in either tiling. */
#define CHUNK 16u

static void
load_one(struct gem_object *o, struct view *v)
{
   for (uint64_t at = 0; at < v->size; at += CHUNK) {
      uint64_t from = o->tiling ? tiled_offset(o, v->offset + at) : v->offset + at;
      if (from + CHUNK <= o->size)
         memcpy(v->last + at, o->host + from, CHUNK);
   }
   memcpy(v->pages, v->last, v->size);
}

static void
store_one(struct gem_object *o, struct view *v)
{
   for (uint64_t at = 0; at < v->size; at += CHUNK) {
      if (!memcmp(v->pages + at, v->last + at, CHUNK))
         continue;
      uint64_t to = o->tiling ? tiled_offset(o, v->offset + at) : v->offset + at;
      if (to + CHUNK > o->size)
         continue;
      for (unsigned i = 0; i < CHUNK; i++)
         if (v->pages[at + i] != v->last[at + i])
            o->host[to + i] = (char)v->pages[at + i];
      memcpy(v->last + at, v->pages + at, CHUNK);
   }
}

static void
free_view(struct kernel *k, struct view *v)
{
   if (v->pages)
      sys_munmap(v->pages, v->size);
   free(v->last);
   free(v);
   k->views--;
}

static bool
map_twice(struct view *v, void **address, int prot, bool fixed)
{
   int fd = (int)syscall(SYS_memfd_create, "view", 1u /* MFD_CLOEXEC */);
   if (fd < 0)
      return false;
   void *mine = MAP_FAILED, *client = MAP_FAILED;
   if (!syscall(SYS_ftruncate, fd, v->size))
      mine = sys_mmap(NULL, v->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
   if (mine != MAP_FAILED) {
      v->pages = mine;
      client = sys_mmap(*address, v->size, prot, MAP_SHARED | (fixed ? MAP_FIXED : 0), fd, 0);
   }
   sys_close(fd);
   if (client == MAP_FAILED)
      return false;
   v->address = (uintptr_t)client;
   *address = client;
   return true;
}

int
view_create(struct gem_object *o, uint64_t offset, uint64_t size, int prot, bool fixed,
            void **address)
{
   struct view *v = calloc(1, sizeof(*v));
   if (!v)
      return -ENOMEM;
   o->k->views++;
   v->offset = offset;
   v->size = (size + PAGE - 1) & ~(PAGE - 1);
   v->last = malloc(v->size);
   if (!v->last || !map_twice(v, address, prot, fixed)) {
      free_view(o->k, v);
      return -ENOMEM;
   }
   v->next = o->views;
   o->views = v;
   load_one(o, v);
   return 0;
}

void
view_load(struct gem_object *o)
{
   for (struct view *v = o->views; v; v = v->next)
      load_one(o, v);
}

void
view_store(struct gem_object *o)
{
   for (struct view *v = o->views; v; v = v->next)
      store_one(o, v);
}

/* The part [from, to) of a view goes on as one of its own. Without memory it is a mere map from now
 * on. */
static void
keep_part(struct gem_object *o, const struct view *v, uint64_t from, uint64_t to)
{
   struct view *part = from < to ? malloc(sizeof(*part)) : NULL;
   if (from >= to)
      return;
   if (part) {
      *part = (struct view){.next = o->views,
                            .offset = v->offset + from,
                            .size = to - from,
                            .address = v->address + from,
                            .pages = v->pages + from,
                            .last = malloc(to - from)};
      if (part->last) {
         memcpy(part->last, v->last + from, to - from);
         o->views = part;
         o->k->views++;
         return;
      }
      free(part);
   }
   sys_munmap(v->pages + from, to - from);
}

static void
forget_range(struct gem_object *o, struct view *v, uint64_t start, uint64_t end)
{
   uint64_t from = start > v->address ? start - v->address : 0;
   uint64_t to = end < v->address + v->size ? end - v->address : v->size;
   store_one(o, v);
   keep_part(o, v, 0, from);
   keep_part(o, v, to, v->size);
   sys_munmap(v->pages + from, to - from);
   v->pages = NULL; /* its parts have it */
   free_view(o->k, v);
}

void
view_forget(struct kernel *k, uint64_t start, uint64_t size)
{
   uint64_t end = start + size;
   for (struct gem_object *o = k->views ? k->all : NULL; o; o = o->next)
      for (struct view **p = &o->views; *p;) {
         struct view *v = *p;
         if (v->address >= end || v->address + v->size <= start) {
            p = &v->next;
            continue;
         }
         *p = v->next;
         forget_range(o, v, start, end);
         p = &o->views; /* the parts have come to its beginning, and are outside of the range */
      }
}

void
view_destroy_all(struct gem_object *o)
{
   while (o->views) {
      struct view *v = o->views;
      o->views = v->next;
      free_view(o->k, v);
   }
}
