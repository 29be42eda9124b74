/* The kernel's life: creation, files, fork. */
#include "kernel.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The machine's 40-bit physical space. */
#define KERNEL_MEMORY 0x10000000ull
#define KERNEL_MEMORY_SIZE 0x40000000ull
#define OBJECT_MEMORY 0x100000000ull
#define OBJECT_MEMORY_SIZE 0x400000000ull
#define CHILD_MEMORY 0x1000000000ull /* a fork's own objects */
#define USER_MEMORY 0x4000000000ull
#define USER_MEMORY_END 0x10000000000ull

#define MAP_OFFSETS 0x100000000ull
#define MAP_OFFSETS_END 0x100000000000ull

static void
init_locks(struct kernel *k)
{
   pthread_mutex_init(&k->lock, NULL);
   k->waiters = 0;
}

static int
create_device(struct kernel *k, const char **error)
{
   struct pergola_config c = {.sku = k->options.device[0] ? k->options.device : NULL,
                              .check = k->options.check,
                              .host_threads = k->options.threads,
                              .deterministic = k->options.deterministic,
                              .native = k->options.native,
                              .deadlocks_hang = true,
                              .sanitize = k->options.sanitize};
   *error = "PERGOLA_DEVICE names no part; 'pergola devices' lists them";
   if (c.sku && !pergola_sku_find(c.sku))
      return -ENODEV;
   *error = "PERGOLA_DEVICE names a part for virtual machines: 'pergola vm --device icl'";
   if (c.sku && pergola_sku_find(c.sku)->generation != 70)
      return -ENODEV;
   *error = "no memory for the modelled device";
   k->dev = pergola_device_create(&c, error);
   if (!k->dev)
      return -ENODEV;
   if (k->options.hazards && pergola_check_hazards(k->dev, true))
      return -ENOMEM;
   k->sku = pergola_sku_find(pergola_device_sku(k->dev)->name); /* outlives the device */
   return device_attach(k);
}

static int
add_segment(struct kernel *k, const struct arena *a)
{
   return bus_add_memory(k, a->physical, a->host, a->size);
}

static int
bring_up(struct kernel *k, const char **error)
{
   int ret = create_device(k, error);
   if (ret)
      return ret;
   *error = "no memory for the modelled machine";
   k->gsm = calloc(VM_SIZE / PAGE, sizeof(k->gsm[0]));
   if (!k->gsm)
      return -ENOMEM;
   ret = arena_create(&k->memory, KERNEL_MEMORY, KERNEL_MEMORY_SIZE, false);
   if (!ret)
      ret = arena_create(&k->objects, OBJECT_MEMORY, OBJECT_MEMORY_SIZE, true);
   if (!ret)
      ret = add_segment(k, &k->memory);
   if (!ret)
      ret = add_segment(k, &k->objects);
   if (ret)
      return ret;
   range_init(&k->user_physical, USER_MEMORY, USER_MEMORY_END);
   range_init(&k->map_offsets, MAP_OFFSETS, MAP_OFFSETS_END);
   range_init(&k->ggtt, 16 * PAGE, VM_SIZE);
   void *host;
   ret = arena_take(&k->memory, PAGE, &k->scratch_physical, &host);
   if (!ret)
      ret = ggtt_bind(k, k->scratch_physical, PAGE, &k->scratch_ggtt);
   k->kernel_vm = vm_create(k);
   if (!ret)
      ret = k->kernel_vm ? vm_pin(k->kernel_vm) : -ENOMEM; /* the engines begin with it */
   if (ret)
      return ret;
   ret = engines_create(k);
   k->kernel_context = context_create(k, k->kernel_vm);
   if (ret || !k->kernel_context)
      return ret ? ret : -ENOMEM;
   ret = engines_record_defaults(k);
   if (ret)
      return ret;
   ret = kreport_open(k);
   if (ret != -ENOMEM)
      *error = "the GPU is refused, since a file that was asked for cannot be written";
   if (ret)
      return ret;
   *error = "no thread for the device";
   return device_start(k);
}

struct kernel *
kernel_create(const struct kernel_options *o, const char **error)
{
   struct kernel *k = calloc(1, sizeof(*k));
   *error = "no memory";
   if (!k)
      return NULL;
   k->options = *o;
   k->memory.fd = k->objects.fd = -1;
   init_locks(k);
   if (bring_up(k, error)) {
      kernel_destroy(k);
      return NULL;
   }
   return k;
}

static void
drop_requests(struct request *r)
{
   while (r) {
      struct request *next = r->next;
      request_free(r);
      r = next;
   }
}

void
kernel_destroy(struct kernel *k)
{
   if (k->runner)
      pergola_runner_stop(k->runner);
   kreport_close(k);
   for (int fd = 0; fd < k->fd_room; fd++)
      fd_forget(k, fd);
   for (int i = 0; i < ENGINES; i++) {
      struct engine *e = &k->engine[i];
      e->current = NULL;
      struct request *queue = e->queue, *inflight = e->inflight;
      e->queue = e->inflight = NULL;
      drop_requests(inflight);
      drop_requests(queue);
   }
   shadow_drop_spare(k);
   while (k->maps)
      gem_unref(k->map[--k->maps].object);
   context_unref(k->kernel_context);
   k->kernel_context = NULL;
   vm_unref(k->kernel_vm);
   device_end(k);
   pergola_runner_destroy(k->runner);
   arena_destroy(&k->objects);
   while (k->old_objects) {
      struct arena *a = k->old_objects;
      k->old_objects = a->older;
      arena_destroy(a);
      free(a);
   }
   arena_destroy(&k->memory);
   range_finish(&k->user_physical);
   range_finish(&k->map_offsets);
   range_finish(&k->ggtt);
   free(k->names.slot);
   free(k->map);
   free(k->fd);
   free(k->gsm);
   free(k->default_image);
   error_state_clear(k);
   pthread_mutex_destroy(&k->lock);
   free(k);
}

struct drm_file *
drm_file_open(struct kernel *k, bool render_node)
{
   struct drm_file *f = calloc(1, sizeof(*f));
   if (!f)
      return NULL;
   f->refs = 1;
   f->k = k;
   f->render_node = render_node;
   struct context *c = context_create(k, NULL);
   uint32_t id;
   if (!c || id_take(&f->contexts, c, 0, &id) || master_open(f)) {
      context_unref(c);
      free(f->contexts.slot);
      free(f);
      return NULL;
   }
   c->used = true;
   c->vm->owner = f;
   c->file = f;
   return f;
}

void
drm_file_unref(struct drm_file *f)
{
   if (--f->refs)
      return;
   master_release(f);
   for (uint32_t i = 0; i < f->objects.room; i++)
      gem_close_handle(f, i);
   for (uint32_t i = 0; i < f->contexts.room; i++)
      context_close(id_drop(&f->contexts, i));
   for (uint32_t i = 0; i < f->syncobjs.room; i++)
      syncobj_unref(id_drop(&f->syncobjs, i));
   for (uint32_t i = 0; i < f->vms.room; i++)
      vm_unref(id_drop(&f->vms, i));
   free(f->objects.slot);
   free(f->contexts.slot);
   free(f->syncobjs.slot);
   free(f->vms.slot);
   free(f);
}

/* What is still running then is the parent's affair: the child sees it as done. */
#define FORK_LIMIT_NS 100000000ll

static bool
anything_left(struct kernel *k)
{
   for (int i = 0; i < ENGINES; i++)
      if (k->engine[i].inflight)
         return true;
   return false;
}

#define EXIT_LIMIT_NS 5000000000ll

/* The client exits. What it has given to the engines is done first, as a chip would: nothing that
 * it asked for is lost, and counts and traces are the same in every run. Its other threads may
 * give them more meanwhile. */
void
kernel_finish_requests(struct kernel *k)
{
   int64_t now = monotonic_ns();
   while (!k->wedged && anything_left(k) && requests_older(k, NULL, now))
      if (kernel_wait(k, now + EXIT_LIMIT_NS)) {
         fprintf(stderr, "pergola: the program ends; a batch that is still running is given up\n");
         return;
      }
}

/* The child must find the kernel at rest: its copy of the device has no threads. */
void
kernel_before_fork(struct kernel *k)
{
   kernel_lock(k);
   int64_t deadline = monotonic_ns() + FORK_LIMIT_NS;
   while (anything_left(k) && !kernel_wait(k, deadline))
      ;
   if (k->runner)
      pergola_runner_before_fork(k->runner);
}

void
kernel_after_fork_parent(struct kernel *k)
{
   if (k->runner)
      pergola_runner_after_fork(k->runner);
   pthread_mutex_unlock(&k->lock);
}

/* Most children only go on to another program: the device is made when one is used. */
void
kernel_after_fork_child(struct kernel *k)
{
   init_locks(k);
   k->device_waits = false;
   k->dev = NULL;
   k->runner = NULL;
   kreport_after_fork(k);
   /* What the parent has running is its own: it will raise the descriptors of both. */
   for (struct sync_file *s = k->sync_files; s; s = s->next)
      s->raised |= fence_of_engine(s->fence);
   for (struct gem_object *o = k->all; o; o = o->next) {
      for (struct vma *v = o->vmas; v; v = v->next)
         v->pins = 0; /* of threads that are not here */
      /* Now, before anything else is mapped where they were (MADV_DONTFORK). */
      o->user_lost |= !o->arena && o->user && !user_mapped(o->user, o->size);
   }
   k->forked = true;
}

/* The parent's objects stay shared with it, as they would be on the chip; new ones come from a
 * stretch of the child's own. */
static int
split_objects(struct kernel *k)
{
   struct arena *parent = malloc(sizeof(*parent));
   if (!parent)
      return -ENOMEM;
   *parent = k->objects;
   uint64_t place = k->old_objects ? k->objects.physical + k->objects.size : CHILD_MEMORY;
   int ret = arena_create(&k->objects, place, OBJECT_MEMORY_SIZE, true);
   if (ret) {
      k->objects = *parent;
      free(parent);
      return ret;
   }
   for (struct gem_object *o = k->all; o; o = o->next)
      if (o->arena == &k->objects)
         o->arena = parent;
   parent->older = k->old_objects;
   k->old_objects = parent;
   return 0;
}

/* As after a suspend: a new device, and all that the kernel knows is written into it again. */
static int
resume(struct kernel *k)
{
   const char *error;
   int ret = split_objects(k);
   k->forked = false; /* from here on what is freed is the child's own */
   requests_forget(k);
   shadow_drop_spare(k); /* the parent's */
   if (!ret)
      ret = create_device(k, &error);
   if (!ret)
      ret = add_segment(k, &k->memory);
   for (struct arena *a = k->old_objects; a && !ret; a = a->older)
      ret = add_segment(k, a);
   if (!ret)
      ret = add_segment(k, &k->objects);
   for (struct gem_object *o = k->all; o && !ret; o = o->next)
      if (!o->arena && o->user_bound && !o->user_lost)
         ret = bus_add_memory(k, o->physical, o->host, o->size);
   if (ret)
      return ret;
   ggtt_restore(k);
   engines_restart(k);
   ret = kreport_open(k);
   return ret ? ret : device_start(k);
}

void
kernel_revive(struct kernel *k)
{
   if (!k->forked)
      return;
   if (resume(k))
      k->wedged = true; /* refused from now on with EIO */
}
