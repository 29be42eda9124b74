/* The primary node's masters and magics, as the DRM core keeps them. */
#include "kernel.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include <drm.h>

bool
capable(void)
{
   return geteuid() == 0;
}

static struct master *
master_ref(struct master *m)
{
   m->refs++;
   return m;
}

static void
master_unref(struct master *m)
{
   if (!m || --m->refs)
      return;
   free(m->magics.slot);
   free(m);
}

bool
is_current_master(const struct drm_file *f)
{
   return f->is_master && f->master && f->master == f->k->master;
}

/* DRM-100 */
static int
become_new_master(struct drm_file *f)
{
   struct master *m = calloc(1, sizeof(*m));
   if (!m)
      return -ENOMEM;
   m->refs = 1;
   /* A magic was given by the master before and means nothing to this one. */
   if (f->master && f->magic)
      id_drop(&f->master->magics, f->magic);
   f->magic = 0;
   master_unref(f->master);
   f->master = m;
   f->k->master = master_ref(m);
   f->is_master = f->was_master = f->authenticated = true;
   return 0;
}

int
master_open(struct drm_file *f)
{
   f->opener = getpid();
   f->authenticated = capable();
   if (f->render_node)
      return 0;
   if (!f->k->master)
      return become_new_master(f);
   f->master = master_ref(f->k->master);
   return 0;
}

static void
drop(struct drm_file *f)
{
   master_unref(f->k->master);
   f->k->master = NULL;
}

void
master_release(struct drm_file *f)
{
   if (f->master && f->magic)
      id_drop(&f->master->magics, f->magic);
   if (is_current_master(f))
      drop(f);
   master_unref(f->master);
   f->master = NULL;
}

IOCTL_HANDLER(ioctl_get_magic)
{
   struct drm_auth *a = data;
   if (!f->magic) {
      int ret = id_take(&f->master->magics, f, 1, &f->magic);
      if (ret)
         return ret;
   }
   a->magic = f->magic;
   return 0;
}

/* A magic admits once; its number stays taken while the file is open. */
IOCTL_HANDLER(ioctl_auth_magic)
{
   struct drm_auth *a = data;
   struct drm_file *other = id_find(&f->master->magics, a->magic);
   if (!other || other == (void *)&f->master->magics)
      return -EINVAL;
   other->authenticated = true;
   f->master->magics.slot[a->magic] = &f->master->magics;
   return 0;
}

/* DRM-100 */
static int
may_change(const struct drm_file *f)
{
   if (f->was_master && f->opener == getpid())
      return 0;
   return capable() ? 0 : -EACCES;
}

IOCTL_HANDLER(ioctl_set_master)
{
   int ret = may_change(f);
   if (ret || is_current_master(f))
      return ret;
   if (f->k->master)
      return -EBUSY;
   if (!f->is_master)
      return become_new_master(f);
   f->k->master = master_ref(f->master);
   f->was_master = true;
   return 0;
}

IOCTL_HANDLER(ioctl_drop_master)
{
   int ret = may_change(f);
   if (ret)
      return ret;
   if (!is_current_master(f))
      return -EINVAL;
   drop(f);
   return 0;
}
