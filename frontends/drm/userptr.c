/* userptr objects: the client's own pages are a segment of the device. They are looked at anew for
 * every batch that uses them, and leave the device when the client unmaps them. */
#include "kernel.h"

#include <errno.h>

/* DRM-031, DRM-112 */
bool
userptr_possible(struct kernel *k, uint64_t address, uint64_t size)
{
   /* Maps of objects are no memory of the client's own. */
   return user_mapped(address, size) && !maps_overlap(k, address, size);
}

/* DRM-031 */
int
userptr_bind(struct gem_object *o)
{
   struct kernel *k = o->k;
   guard_check();
   if (o->user_bound && guard_repaired(o->user, o->size)) {
      gem_settle(o, false);
      userptr_unbind(o); /* what is missing is missing again */
   }
   if (o->user_lost || !userptr_possible(k, o->user, o->size))
      return -EFAULT;
   if (o->user_bound)
      return 0;
   if (!user_writable(o->user, o->size))
      return -EFAULT;
   int ret = range_take(&k->user_physical, o->size, PAGE, &o->physical);
   if (ret)
      return -ENOMEM;
   o->host = (char *)(uintptr_t)o->user;
   ret = bus_add_memory(k, o->physical, o->host, o->size);
   if (ret) {
      range_give(&k->user_physical, o->physical);
      return ret;
   }
   o->user_bound = true;
   count_by(&k->users, 1);
   o->guard = guard_add(o->user, o->size);
   for (struct vma *v = o->vmas; v; v = v->next)
      vma_rewrite(v);
   return 0;
}

void
userptr_unbind(struct gem_object *o)
{
   if (!o->user_bound)
      return;
   o->user_bound = false;
   count_by(&o->k->users, -1);
   for (struct vma *v = o->vmas; v; v = v->next)
      vma_rewrite(v);
   bus_remove_memory(o->k, o->physical);
   range_give(&o->k->user_physical, o->physical);
   guard_remove(o->guard, o->user, o->size);
   o->host = NULL;
}

static struct gem_object *
find_bound(struct kernel *k, uint64_t address, uint64_t size)
{
   for (struct gem_object *o = k->all; o; o = o->next)
      if (!o->arena && o->user_bound && o->user < address + size && o->user + o->size > address)
         return o;
   return NULL;
}

void
userptr_invalidate(struct kernel *k, uint64_t address, uint64_t size)
{
   struct gem_object *o;
   /* Like the kernel's notifier: the unmap waits for the work that uses the pages. The list may
    * have changed while the lock was dropped, so each search begins anew. */
   while (k->users && (o = find_bound(k, address, size))) {
      gem_ref(o);
      gem_settle(o, false);
      userptr_unbind(o);
      gem_unref(o);
   }
}
