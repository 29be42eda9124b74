/* Files that tell the kernel's state, and files that do something when they are written. */
#include "interpose.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEBUGFS "/sys/kernel/debug/dri/"

/* i915_gem_drop_caches */
#define DROP_ACTIVE 0x8u
#define DROP_IDLE 0x40u
#define DROP_RESET_ACTIVE 0x80u
#define IDLE_LIMIT_NS 200000000ll /* what is still busy then is cancelled */

static void
reset(struct kernel *k, uint64_t mask)
{
   for (int i = 0; i < ENGINES; i++)
      if (mask >> i & 1 && k->engine[i].inflight)
         engine_hang(k, &k->engine[i], "reset through debugfs");
}

static int
drop_caches(struct kernel *k, uint64_t what)
{
   int64_t deadline = monotonic_ns() + IDLE_LIMIT_NS;
   if (what & DROP_RESET_ACTIVE) {
      while (requests_outstanding(k) && !kernel_wait(k, deadline))
         ;
      requests_cancel(k);
   }
   if (what & (DROP_ACTIVE | DROP_IDLE))
      while (requests_outstanding(k) && !k->wedged)
         kernel_wait(k, -1);
   return 0;
}

static int
control(struct kernel *k, const char *name, uint64_t value)
{
   if (!strcmp(name, "i915_gem_drop_caches"))
      return drop_caches(k, value);
   if (!strcmp(name, "i915_wedged"))
      reset(k, value);
   return 0;
}

static int
parse(const char *data, size_t size, uint64_t *value)
{
   char text[64];
   if (size >= sizeof(text))
      return -EINVAL;
   memcpy(text, data, size);
   text[size] = 0;
   char *end;
   errno = 0;
   *value = strtoull(text, &end, 0);
   if (end == text || errno)
      return -EINVAL;
   while (*end == '\n' || *end == ' ')
      end++;
   return *end ? -EINVAL : 0;
}

ssize_t
preload_write(const char *path, const void *data, size_t size)
{
   struct node n;
   if (!node_lookup(path, true, &n) || n.kind != NODE_FILE || !n.writable)
      return -EBADF;
   if (strncmp(path, DEBUGFS, strlen(DEBUGFS)))
      return (ssize_t)size; /* taken and without effect */
   struct kernel *k = preload_kernel_get();
   uint64_t value = 0;
   int ret = k ? parse(data, size, &value) : -ENODEV;
   if (ret)
      return ret;
   pthread_mutex_lock(&k->lock);
   kernel_inside = true;
   kernel_revive(k);
   kernel_inside = false;
   ret = control(k, strrchr(path, '/') + 1, value);
   pthread_mutex_unlock(&k->lock);
   return ret ? ret : (ssize_t)size;
}

static size_t
count_objects(struct kernel *k, char *data, size_t size)
{
   unsigned n = 0;
   uint64_t bytes = 0;
   for (struct gem_object *o = k->all; o; o = o->next) {
      n++;
      bytes += o->size;
   }
   return (size_t)snprintf(data, size, "%u shrinkable [0 free] objects, %llu bytes\n", n,
                           (unsigned long long)bytes);
}

size_t
preload_state(const char *path, char *data, size_t size)
{
   struct kernel *k = preload_kernel();
   if (!k || strncmp(path, DEBUGFS, strlen(DEBUGFS)))
      return 0;
   size_t n = 0;
   pthread_mutex_lock(&k->lock);
   if (!strcmp(strrchr(path, '/') + 1, "i915_gem_objects"))
      n = count_objects(k, data, size);
   pthread_mutex_unlock(&k->lock);
   return n;
}
