/* Files that tell the kernel's state, and files that do something when they are written. */
#include "interpose.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEBUGFS "/sys/kernel/debug/dri/"

/* Settings that only are remembered: sysfs files that hold a number. */
struct setting {
   struct setting *next;
   char path[NODE_PATH_MAX], text[32];
};
static struct setting *settings; /* the process is what they belong to */
static pthread_mutex_t settings_lock = PTHREAD_MUTEX_INITIALIZER;

static int
remember(const char *path, uint64_t value)
{
   pthread_mutex_lock(&settings_lock);
   struct setting *s = settings;
   while (s && strcmp(s->path, path))
      s = s->next;
   if (!s && (s = calloc(1, sizeof(*s)))) {
      snprintf(s->path, sizeof(s->path), "%s", path);
      s->next = settings;
      settings = s;
   }
   if (s)
      snprintf(s->text, sizeof(s->text), "%llu\n", (unsigned long long)value);
   pthread_mutex_unlock(&settings_lock);
   return s ? 0 : -ENOMEM;
}

static char *
recall(const char *path)
{
   char *text = NULL;
   pthread_mutex_lock(&settings_lock);
   for (struct setting *s = settings; s && !text; s = s->next)
      if (!strcmp(s->path, path))
         text = strdup(s->text);
   pthread_mutex_unlock(&settings_lock);
   return text;
}

/* i915_gem_drop_caches */
#define DROP_ACTIVE 0x8u
#define DROP_IDLE 0x40u
#define DROP_RESET_ACTIVE 0x80u
#define IDLE_LIMIT_NS 200000000ll /* what is still busy then is cancelled */

static void
reset(struct kernel *k, uint64_t mask)
{
   for (int i = 0; i < ENGINES; i++)
      if (mask >> i & 1)
         engine_hang(k, &k->engine[i], "reset through debugfs", "");
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
   if (what & DROP_RESET_ACTIVE)
      k->stopped = false;
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
   if (!strcmp(name, "i915_wedged")) {
      char *allowed = recall("/sys/module/i915/parameters/reset");
      k->stopped = allowed && !atoi(allowed);
      free(allowed);
      if (k->stopped)
         requests_cancel(k);
      else
         reset(k, value);
   }
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

/* -EINVAL what the kernel would not take. */
static int
set(const char *path, uint64_t value)
{
   const char *name = strrchr(path, '/') + 1;
   if (!strcmp(name, "heartbeat_interval_ms") && value > INT64_MAX / 1000000)
      return -EINVAL;
   if (!strcmp(name, "max_busywait_duration_ns") && value > UINT32_MAX)
      return -EINVAL;
   if (!strcmp(name, "stop_timeout_ms") && value > UINT32_MAX)
      return -EINVAL;
   if (strstr(name, "_freq_mhz") && (value < 350 || value > 1150))
      return -EINVAL;
   return remember(path, value);
}

static void
clear_error(void)
{
   struct kernel *k = preload_kernel();
   if (!k)
      return;
   kernel_lock(k);
   error_state_clear(k);
   pthread_mutex_unlock(&k->lock);
}

ssize_t
preload_write(const char *path, const void *data, size_t size)
{
   INSIDE();
   struct node n;
   if (!node_lookup(path, true, &n) || n.kind != NODE_FILE || !n.writable)
      return -EBADF;
   uint64_t value = 0;
   int ret = parse(data, size, &value);
   if (strncmp(path, DEBUGFS, strlen(DEBUGFS))) {
      /* Texts (a parameter's Y or N) are taken and have no effect. */
      bool number = strstr(path, "/engine/") || strstr(path, "_mhz") ||
                    !strcmp(path, "/sys/module/i915/parameters/reset");
      ret = number && !ret ? set(path, value) : number ? ret : 0;
      if (!strcmp(strrchr(path, '/') + 1, "error"))
         clear_error();
      return ret ? ret : (ssize_t)size;
   }
   struct kernel *k = ret ? NULL : preload_kernel_get();
   if (!k)
      return ret ? ret : -ENODEV;
   kernel_lock(k);
   preload_revive(k);
   ret = control(k, strrchr(path, '/') + 1, value);
   pthread_mutex_unlock(&k->lock);
   return ret ? ret : (ssize_t)size;
}

static char *
count_objects(struct kernel *k)
{
   unsigned n = 0;
   uint64_t bytes = 0;
   for (struct gem_object *o = k->all; o; o = o->next) {
      n++;
      bytes += o->size;
   }
   char *text;
   return asprintf(&text, "%u shrinkable [0 free] objects, %llu bytes\n", n,
                   (unsigned long long)bytes) < 0
              ? NULL
              : text;
}

char *
preload_state(const char *path)
{
   struct kernel *k = preload_kernel();
   char *text = recall(path);
   if (text || !k)
      return text;
   const char *name = strrchr(path, '/') + 1;
   kernel_lock(k);
   if (!strcmp(name, "i915_gem_objects"))
      text = count_objects(k);
   else if (!strcmp(name, "error") && k->error_state)
      text = strdup(k->error_state);
   pthread_mutex_unlock(&k->lock);
   return text;
}
