/* The fenced view of a tiled object: on the chip a fence register detiles what goes through the
 * aperture. Here the client gets plain memory that is filled from the object at the points where the
 * API says that the client may look, and written back, only where the client changed it, where the
 * API says that the GPU may. */
#include "kernel.h"

#include "memory/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct view {
   struct view *next;
   uint64_t offset, size; /* in the object, linear */
   uint8_t *client, *last; /* what the client sees; what it saw when last in step */
};

static uint64_t
tiled_offset(const struct gem_object *o, uint64_t linear)
{
   enum mem_tiling t = o->tiling == TILING_X ? MEM_TILE_X : MEM_TILE_Y;
   return mem_tile_offset(t, (uint32_t)(linear % o->stride), (uint32_t)(linear / o->stride),
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
   memcpy(v->client, v->last, v->size);
}

static void
store_one(struct gem_object *o, struct view *v)
{
   for (uint64_t at = 0; at < v->size; at += CHUNK) {
      if (!memcmp(v->client + at, v->last + at, CHUNK))
         continue;
      uint64_t to = o->tiling ? tiled_offset(o, v->offset + at) : v->offset + at;
      if (to + CHUNK > o->size)
         continue;
      for (unsigned i = 0; i < CHUNK; i++)
         if (v->client[at + i] != v->last[at + i])
            o->host[to + i] = (char)v->client[at + i];
      memcpy(v->last + at, v->client + at, CHUNK);
   }
}

int
view_create(struct gem_object *o, uint64_t offset, uint64_t size, void **address)
{
   struct view *v = calloc(1, sizeof(*v));
   if (!v)
      return -ENOMEM;
   size = (size + PAGE - 1) & ~(PAGE - 1);
   v->offset = offset;
   v->size = size;
   v->client = sys_mmap(*address, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | (*address ? MAP_FIXED : 0), -1, 0);
   v->last = malloc(size);
   if (v->client == MAP_FAILED || !v->last) {
      if (v->client != MAP_FAILED)
         sys_munmap(v->client, size);
      free(v->last);
      free(v);
      return -ENOMEM;
   }
   v->next = o->views;
   o->views = v;
   load_one(o, v);
   *address = v->client;
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

void
view_forget(struct kernel *k, uint64_t start, uint64_t size)
{
   for (struct gem_object *o = k->all; o; o = o->next)
      for (struct view **p = &o->views; *p;) {
         struct view *v = *p;
         uint64_t at = (uintptr_t)v->client;
         if (at >= start + size || at + v->size <= start) {
            p = &v->next;
            continue;
         }
         store_one(o, v);
         *p = v->next;
         free(v->last);
         free(v);
      }
}

void
view_destroy_all(struct gem_object *o)
{
   while (o->views) {
      struct view *v = o->views;
      o->views = v->next;
      free(v->last);
      free(v);
   }
}
