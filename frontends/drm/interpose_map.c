/* mmap and what changes maps: objects are mapped, and client memory that the GPU uses goes away. */
#include "interpose.h"

#include <errno.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The GPU must be done with client memory before it changes. */
void
preload_memory_goes(void *address, size_t size, bool unmapped)
{
   struct kernel *k = preload_kernel();
   if (!k || kernel_inside || !size ||
       !(__atomic_load_n(&k->tracked, __ATOMIC_RELAXED) || registers_mapped()))
      return;
   uint64_t start = (uintptr_t)address & ~(PAGE - 1);
   uint64_t end = ((uintptr_t)address + size + PAGE - 1) & ~(PAGE - 1);
   if (end <= start)
      return;
   int saved = errno;
   INSIDE();
   kernel_lock(k);
   if (unmapped)
      registers_forget(start, end);
   userptr_invalidate(k, start, end - start);
   if (unmapped) {
      view_forget(k, start, end - start);
      maps_remove(k, start, end - start);
   }
   pthread_mutex_unlock(&k->lock);
   errno = saved;
}

static void *
map_object(struct kernel *k, const struct map_target *t, void *address, size_t size, int prot,
           int flags)
{
   void *p = address;
   int ret = 0;
   if (prot & PROT_WRITE)
      prot |= PROT_READ; /* a processor that may write may read */
   uint64_t at = t->offset - (t->object->physical - t->object->arena->physical);
   if (t->detiled) {
      kernel_lock(k);
      gem_settle(t->object, true);
      ret = view_create(t->object, at, size, prot, flags & MAP_FIXED, &p);
      pthread_mutex_unlock(&k->lock);
   } else {
      p = sys_mmap(address, size, prot, flags, t->fd, (off_t)t->offset);
      ret = p == MAP_FAILED ? -errno : 0;
   }
   kernel_lock(k);
   struct client_map m = {.start = (uintptr_t)p,
                          .end = (uintptr_t)p + ((size + PAGE - 1) & ~(PAGE - 1)),
                          .object = t->object,
                          .offset = at,
                          .aperture = t->aperture && !t->detiled};
   if (!ret)
      ret = maps_add(k, &m);
   if (!ret && t->purged)
      maps_break(t->object);
   gem_unref(t->object);
   pthread_mutex_unlock(&k->lock);
   if (!ret)
      return p;
   errno = -ret;
   return MAP_FAILED;
}

static bool
is_registers(int fd)
{
   char path[NODE_PATH_MAX];
   struct node n;
   return path_find(fd, path) && node_lookup(path, true, &n) && n.kind == NODE_REGISTERS;
}

static void *
map_registers(struct kernel *k, void *address, size_t size, int flags, off_t offset)
{
   void *p = MAP_FAILED;
   int ret = offset < 0 ? -EINVAL : registers_map(k, address, size, flags, (uint64_t)offset, &p);
   if (ret)
      errno = -ret;
   return p;
}

/* True: the descriptor is ours and *out is the answer. */
static bool
map_ours(void *address, size_t size, int prot, int flags, int fd, off_t offset, void **out)
{
   struct kernel *k = preload_kernel();
   if (!k || kernel_inside || fd < 0 || flags & MAP_ANONYMOUS)
      return false;
   INSIDE();
   if (is_registers(fd)) {
      *out = map_registers(k, address, size, flags, offset);
      return true;
   }
   kernel_lock(k);
   struct fd_entry e = fd_find(k, fd);
   struct map_target t = {0};
   int ret = 0;
   if (e.kind != FD_NONE)
      preload_revive(k);
   if (e.kind == FD_DRM)
      ((struct drm_file *)e.what)->refs++;
   if (e.kind == FD_PRIME) {
      struct gem_object *o = e.what;
      if (offset < 0 || (uint64_t)offset > o->size || size > o->size - (uint64_t)offset)
         ret = -EINVAL;
      else
         t = (struct map_target){.object = gem_ref(o),
                                 .fd = o->arena->fd,
                                 .offset = o->physical - o->arena->physical + (uint64_t)offset};
   }
   pthread_mutex_unlock(&k->lock);
   if (e.kind == FD_DRM) {
      ret = drm_file_map(e.what, (uint64_t)offset, size, &t);
      kernel_lock(k);
      drm_file_unref(e.what);
      pthread_mutex_unlock(&k->lock);
   } else if (e.kind != FD_PRIME) {
      return false;
   }
   if (ret) {
      errno = -ret;
      *out = MAP_FAILED;
      return true;
   }
   *out = map_object(k, &t, address, size, prot, flags);
   return true;
}

#define MMAP(name, offset_type)                                                                    \
   EXPORT void *name(void *address, size_t size, int prot, int flags, int fd, offset_type offset); \
   EXPORT void *name(void *address, size_t size, int prot, int flags, int fd, offset_type offset)  \
   {                                                                                               \
      void *p;                                                                                     \
      if (flags & MAP_FIXED && !CALLED_FROM_HERE())                                                \
         preload_memory_goes(address, size, true);                                                 \
      if (map_ours(address, size, prot, flags, fd, (off_t)offset, &p))                             \
         return p;                                                                                 \
      return sys_mmap(address, size, prot, flags, fd, (off_t)offset);                              \
   }
MMAP(mmap, off_t)
MMAP(mmap64, off64_t)

EXPORT int
munmap(void *address, size_t size)
{
   if (!CALLED_FROM_HERE())
      preload_memory_goes(address, size, true);
   return sys_munmap(address, size);
}

EXPORT void *
mremap(void *address, size_t old_size, size_t new_size, int flags, ...)
{
   va_list args;
   va_start(args, flags);
   void *to = va_arg(args, void *);
   va_end(args);
   if (old_size)
      preload_memory_goes(address, old_size, true);
   if (flags & MREMAP_FIXED)
      preload_memory_goes(to, new_size, true);
   return (void *)syscall(SYS_mremap, address, old_size, new_size, flags, to);
}

EXPORT int
mprotect(void *address, size_t size, int prot)
{
   if (!CALLED_FROM_HERE())
      preload_memory_goes(address, size, false);
   return (int)syscall(SYS_mprotect, address, size, prot);
}

/* The C library unmaps large blocks by itself when they are freed, and moves them when they grow.
 * Smaller ones stay mapped. */
#define LARGE (32u << 10)

static void (*real_free)(void *);
static void *(*real_realloc)(void *, size_t);
static size_t (*real_size)(void *);

/* The allocator's own functions. False while they are being found: dlsym() frees the text of an old
 * error. */
static bool
allocator(void)
{
   static _Thread_local bool finding;
   if (__atomic_load_n(&real_size, __ATOMIC_ACQUIRE))
      return true;
   if (finding)
      return false;
   finding = true;
   real_free = (void (*)(void *))dlsym(RTLD_NEXT, "free");
   real_realloc = (void *(*)(void *, size_t))dlsym(RTLD_NEXT, "realloc");
   size_t (*size)(void *) = (size_t(*)(void *))dlsym(RTLD_NEXT, "malloc_usable_size");
   __atomic_store_n(&real_size, size, __ATOMIC_RELEASE);
   finding = false;
   return true;
}

static void
block_goes(void *block)
{
   struct kernel *k = preload_kernel();
   if (!block || !k || !__atomic_load_n(&k->users, __ATOMIC_RELAXED))
      return;
   size_t size = real_size(block);
   if (size >= LARGE)
      preload_memory_goes(block, size, false);
}

EXPORT void
free(void *block)
{
   bool own = CALLED_FROM_HERE();
   if (!allocator())
      return;
   if (!own)
      block_goes(block);
   real_free(block);
}

EXPORT void *
realloc(void *block, size_t size)
{
   bool own = CALLED_FROM_HERE();
   if (!allocator())
      return NULL;
   if (!own)
      block_goes(block);
   return real_realloc(block, size);
}
