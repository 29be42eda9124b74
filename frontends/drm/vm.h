/* Memory of the device (arena.c) and the address spaces over it (gtt.c). */
#ifndef PERGOLA_DRM_VM_H
#define PERGOLA_DRM_VM_H

#include "names.h"
#include "range.h"

struct arena {
   uint64_t physical, size;
   char *host;
   int fd; /* memfd, or -1: private memory */
   struct range_alloc space;
   struct arena *older; /* after a fork: the parent's, and the parent's parent's */
};

int arena_create(struct arena *a, uint64_t physical, uint64_t size, bool shared);
void arena_destroy(struct arena *a);
/* Zeroed pages. */
int arena_take(struct arena *a, uint64_t size, uint64_t *physical, void **host);
void arena_give(struct arena *a, uint64_t physical, uint64_t size);

struct vma {
   struct gem_object *object;
   struct vm *vm;
   uint64_t address, size; /* size: with padding */
   unsigned pins;          /* being submitted: stays where it is */
   struct vma *next;       /* of the object */
};

#define VM_SIZE 0x80000000ull
#define VM_DIRECTORY_ENTRIES 512u
struct vm {
   unsigned refs;
   uint64_t number; /* no other has had it */
   struct kernel *k;
   struct range_alloc space;
   uint64_t directory;      /* GGTT address of the slots that hold the directory; 0: none now */
   unsigned requests;       /* that need the directory */
   const void *owner;       /* the file that it was made for; only ever compared */
   struct vm *next, **link; /* all of them */
   struct {
      uint64_t physical;
      uint32_t *host;
      unsigned used;
   } table[VM_DIRECTORY_ENTRIES];
};

struct vm *vm_create(struct kernel *k);
struct vm *vm_ref(struct vm *vm);
void vm_unref(struct vm *vm);
/* The directory is in the GGTT until vm_unpin: -ENOSPC, -ENOMEM. */
int vm_pin(struct vm *vm);
void vm_unpin(struct vm *vm);
uint32_t vm_pp_dir_base(const struct vm *vm);
struct vma *vm_find(struct vm *vm, const struct gem_object *o);
/* Binds; `fixed`: at *address. -EBUSY: there may be room when work has completed; -ENOSPC, -EINVAL,
 * -ENOMEM. */
int vm_bind(struct vm *vm, struct gem_object *o, uint64_t size, uint64_t align, bool fixed,
            uint64_t address, struct vma **out);
void vm_unbind(struct vma *vma);
/* Rewrites the entries of a bound object whose pages have moved (userptr). */
void vma_rewrite(struct vma *vma);

int ggtt_bind(struct kernel *k, uint64_t physical, uint64_t size, uint64_t *address);
void ggtt_unbind(struct kernel *k, uint64_t address, uint64_t size);
void ggtt_restore(struct kernel *k); /* all entries again, into a new device */

#endif
