/* Sync files: a fence as a descriptor. An eventfd becomes readable when the fence signals, so that
 * poll() works by itself. */
#include "kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sync_file.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static void
look(struct sync_file *s)
{
   uint64_t one = 1;
   if (s->raised || !fence_done(s->fence))
      return;
   /* Closed behind our back: nobody is left to tell. */
   s->raised = s->fd < 0 || syscall(SYS_write, s->fd, &one, sizeof(one)) >= 0 || errno != EINTR;
}

struct sync_file *
sync_file_create(struct kernel *k, struct fence *f, int *out)
{
   struct sync_file *s = calloc(1, sizeof(*s));
   if (!s)
      return NULL;
   s->refs = 1;
   s->fence = fence_ref(f);
   s->fd = (int)syscall(SYS_eventfd2, 0, O_CLOEXEC);
   snprintf(s->name, sizeof(s->name), "i915");
   s->next = k->sync_files;
   k->sync_files = s;
   if (s->fd < 0) {
      sync_file_unref(k, s);
      return NULL;
   }
   int fd = s->fd;
   look(s);
   if (fd_install(k, fd, FD_SYNC_FILE, s)) {
      sys_close(fd);
      return NULL;
   }
   *out = fd;
   return s;
}

void
sync_file_unref(struct kernel *k, struct sync_file *s)
{
   if (--s->refs)
      return;
   for (struct sync_file **p = &k->sync_files; *p; p = &(*p)->next)
      if (*p == s) {
         *p = s->next;
         break;
      }
   fence_unref(s->fence);
   free(s);
}

void
sync_files_poll(struct kernel *k)
{
   for (struct sync_file *s = k->sync_files; s; s = s->next)
      look(s);
}

static int
merge(struct kernel *k, struct sync_file *s, void *arg)
{
   struct sync_merge_data d;
   if (copy_in(&d, (uintptr_t)arg, sizeof(d)))
      return -EFAULT;
   if (d.flags || d.pad)
      return -EINVAL;
   struct fd_entry other = fd_find(k, d.fd2);
   if (other.kind != FD_SYNC_FILE)
      return -ENOENT;
   struct fence *both = fence_merge(s->fence, ((struct sync_file *)other.what)->fence);
   if (!both)
      return -ENOMEM;
   int fd;
   struct sync_file *merged = sync_file_create(k, both, &fd);
   fence_unref(both);
   if (!merged)
      return -EMFILE;
   d.name[sizeof(d.name) - 1] = 0;
   memcpy(merged->name, d.name, sizeof(merged->name));
   d.fence = fd;
   if (copy_out((uintptr_t)arg, &d, sizeof(d))) {
      fd_forget(k, fd);
      sys_close(fd);
      return -EFAULT;
   }
   return 0;
}

static int
status(struct fence *f)
{
   return !fence_done(f) ? 0 : fence_error(f) ? fence_error(f) : 1;
}

static int
info(struct sync_file *s, void *arg)
{
   struct sync_file_info d;
   if (copy_in(&d, (uintptr_t)arg, sizeof(d)))
      return -EFAULT;
   if (d.flags || d.pad)
      return -EINVAL;
   unsigned n = s->fence->parts ? s->fence->parts : 1;
   if (d.num_fences && d.num_fences < n)
      return -EINVAL;
   for (unsigned i = 0; d.num_fences && i < n; i++) {
      struct fence *f = s->fence->parts ? s->fence->part[i] : s->fence;
      struct sync_fence_info one = {.status = status(f), .timestamp_ns = f->timestamp_ns};
      /* Work is named after who submitted it, not after the engine. */
      if (f->engine < 0)
         snprintf(one.obj_name, sizeof(one.obj_name), "sw_sync");
      else
         snprintf(one.obj_name, sizeof(one.obj_name), "%.16s[%d]", program_invocation_short_name,
                  (int)getpid());
      snprintf(one.driver_name, sizeof(one.driver_name), f->engine < 0 ? "sw_sync" : "i915");
      if (copy_out(d.sync_fence_info + i * sizeof(one), &one, sizeof(one)))
         return -EFAULT;
   }
   memcpy(d.name, s->name, sizeof(d.name));
   d.status = status(s->fence);
   d.num_fences = n;
   return copy_out((uintptr_t)arg, &d, sizeof(d));
}

int
sync_file_ioctl(struct kernel *k, struct sync_file *s, unsigned long request, void *arg)
{
   int ret = -ENOTTY;
   if (request == SYNC_IOC_MERGE)
      ret = merge(k, s, arg);
   else if (request == SYNC_IOC_FILE_INFO)
      ret = info(s, arg);
   return ret;
}
