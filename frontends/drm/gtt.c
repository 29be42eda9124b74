/* Graphics translation: the GGTT, written through the GTT window of BAR0, and one PPGTT per context
 * whose directory sits in GGTT slots and whose tables are pages of memory. */
#include "kernel.h"

#include "hw/gtt.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static uint32_t
encode_pte(const struct kernel *k, uint64_t physical, bool cached)
{
   uint32_t pte = hw_gtt_entry(physical);
   if (!k->sku->has_llc)
      return pte | GEN7_VLV_GTT_ENTRY__WRITEABLE | (cached ? GEN7_VLV_GTT_ENTRY__SNOOP : 0);
   return pte | hw_put(cached ? GEN7_GTT_CACHEABILITY_LLC : GEN7_GTT_CACHEABILITY_UNCACHED,
                       GEN7_GTT_ENTRY__CACHEABILITY);
}

static void
gsm_write(struct kernel *k, uint64_t index, uint32_t entry)
{
   k->gsm[index] = entry;
   bus_write(k, HW_GTT_WINDOW + (uint32_t)index * 4, entry);
}

static void
drop_directory(struct vm *vm)
{
   struct kernel *k = vm->k;
   if (!vm->directory)
      return;
   for (unsigned i = 0; i < VM_DIRECTORY_ENTRIES; i++)
      if (k->gsm[vm->directory / PAGE + i])
         gsm_write(k, vm->directory / PAGE + i, 0);
   for (int i = 0; i < ENGINES; i++)
      if (k->engine[i].vm == vm)
         k->engine[i].vm = NULL;
   range_give(&k->ggtt, vm->directory);
   vm->directory = 0;
}

/* Makes room in the GGTT: one that no request needs. */
static bool
drop_idle_directory(struct kernel *k)
{
   for (struct vm *vm = k->vms; vm; vm = vm->next)
      if (vm->directory && !vm->requests) {
         drop_directory(vm);
         return true;
      }
   return false;
}

int
ggtt_bind(struct kernel *k, uint64_t physical, uint64_t size, uint64_t *address)
{
   int ret;
   do
      ret = range_take(&k->ggtt, size, PAGE, address);
   while (ret == -ENOSPC && drop_idle_directory(k));
   if (ret)
      return ret;
   for (uint64_t at = 0; at < size; at += PAGE)
      gsm_write(k, (*address + at) / PAGE, encode_pte(k, physical + at, true));
   bus_write(k, REG_GFX_FLSH_CNTL, 1);
   return 0;
}

void
ggtt_unbind(struct kernel *k, uint64_t address, uint64_t size)
{
   for (uint64_t at = 0; at < size; at += PAGE)
      gsm_write(k, (address + at) / PAGE, 0);
   bus_write(k, REG_GFX_FLSH_CNTL, 1);
   range_give(&k->ggtt, address);
}

void
ggtt_restore(struct kernel *k)
{
   for (uint64_t i = 0; i < VM_SIZE / PAGE; i++)
      if (k->gsm[i])
         bus_write(k, HW_GTT_WINDOW + (uint32_t)i * 4, k->gsm[i]);
   bus_write(k, REG_GFX_FLSH_CNTL, 1);
}

struct vm *
vm_create(struct kernel *k)
{
   struct vm *vm = calloc(1, sizeof(*vm));
   if (!vm)
      return NULL;
   vm->refs = 1;
   vm->number = ++k->vm_numbers;
   vm->k = k;
   vm->next = k->vms;
   vm->link = &k->vms;
   if (vm->next)
      vm->next->link = &vm->next;
   k->vms = vm;
   /* i915 keeps the first page free: a null address in a batch is a mistake. */
   range_init(&vm->space, 0, VM_SIZE);
   vm->space.hint = PAGE;
   return vm;
}

struct vm *
vm_ref(struct vm *vm)
{
   vm->refs++;
   return vm;
}

static void
write_directory(struct vm *vm, unsigned i)
{
   if (vm->directory)
      gsm_write(vm->k, vm->directory / PAGE + i,
                vm->table[i].host ? hw_gtt_entry(vm->table[i].physical) : 0);
}

int
vm_pin(struct vm *vm)
{
   /* The directory takes 512 slots of the GGTT, 2 MiB of its addresses, from a 64-byte line on. */
   while (!vm->directory) {
      uint64_t at;
      int ret = range_take(&vm->k->ggtt, VM_DIRECTORY_ENTRIES * PAGE, 16 * PAGE, &at);
      if (ret == -ENOSPC && drop_idle_directory(vm->k))
         continue;
      if (ret)
         return ret;
      vm->directory = at;
      for (unsigned i = 0; i < VM_DIRECTORY_ENTRIES; i++)
         if (vm->table[i].host)
            write_directory(vm, i);
      bus_write(vm->k, REG_GFX_FLSH_CNTL, 1);
   }
   vm->requests++;
   return 0;
}

void
vm_unpin(struct vm *vm)
{
   vm->requests--;
}

static void
drop_table(struct vm *vm, unsigned i)
{
   if (!vm->table[i].host)
      return;
   arena_give(&vm->k->memory, vm->table[i].physical, PAGE);
   memset(&vm->table[i], 0, sizeof(vm->table[i]));
}

void
vm_unref(struct vm *vm)
{
   if (!vm || --vm->refs)
      return;
   for (struct gem_object *o = vm->k->all; o; o = o->next) {
      struct vma *v = vm_find(vm, o);
      if (v)
         vm_unbind(v);
   }
   drop_directory(vm);
   for (unsigned i = 0; i < VM_DIRECTORY_ENTRIES; i++)
      drop_table(vm, i);
   *vm->link = vm->next;
   if (vm->next)
      vm->next->link = vm->link;
   range_finish(&vm->space);
   free(vm);
}

uint32_t
vm_pp_dir_base(const struct vm *vm)
{
   /* Byte offset in the GTT in units of 64 bytes. */
   return hw_put((uint32_t)(vm->directory / PAGE * 4 / 64),
                 REG_RCS_PP_DIR_BASE__PAGE_DIRECTORY_BASE_OFFSET);
}

struct vma *
vm_find(struct vm *vm, const struct gem_object *o)
{
   for (struct vma *v = o->vmas; v; v = v->next)
      if (v->vm == vm)
         return v;
   return NULL;
}

static int
need_table(struct vm *vm, unsigned i)
{
   if (vm->table[i].host)
      return 0;
   void *host;
   int ret = arena_take(&vm->k->memory, PAGE, &vm->table[i].physical, &host);
   if (ret)
      return ret;
   vm->table[i].host = host;
   write_directory(vm, i);
   return 0;
}

static void
write_entries(struct vma *v, bool present)
{
   struct vm *vm = v->vm;
   uint64_t pages = v->object->size / PAGE;
   for (uint64_t i = 0; i < pages; i++) {
      uint64_t page = v->address / PAGE + i;
      uint32_t entry =
          present ? encode_pte(vm->k, v->object->physical + i * PAGE, v->object->caching != 0) : 0;
      uint32_t *table = vm->table[page / 1024].host;
      if (table)
         __atomic_store_n(&table[page % 1024], entry, __ATOMIC_RELAXED);
   }
}

void
vma_rewrite(struct vma *v)
{
   write_entries(v, v->object->arena || v->object->user_bound);
}

/* Pushes idle objects out of [from, to). (DRM-015) */
static bool
evict(struct vm *vm, uint64_t from, uint64_t to)
{
   bool any = false;
   for (struct gem_object *o = vm->k->all; o; o = o->next) {
      struct vma *v = vm_find(vm, o);
      if (!v || v->pins || v->address >= to || v->address + v->size <= from || gem_busy(o, false))
         continue;
      vm_unbind(v);
      any = true;
   }
   return any;
}

/* Would there be room after a wait? Not where something is that this very submission needs. */
static bool
wait_helps(struct vm *vm, uint64_t from, uint64_t to, bool fixed)
{
   bool busy = false;
   for (struct gem_object *o = vm->k->all; o; o = o->next) {
      struct vma *v = vm_find(vm, o);
      if (!v || v->address >= to || v->address + v->size <= from)
         continue;
      if (fixed && v->pins)
         return false;
      busy |= !v->pins && gem_busy(o, false);
   }
   return busy;
}

static int
place(struct vm *vm, uint64_t size, uint64_t align, bool fixed, uint64_t *address)
{
   for (int attempt = 0; attempt < 2; attempt++) {
      int ret = fixed ? range_take_at(&vm->space, *address, size)
                      : range_take(&vm->space, size, align, address);
      if (ret != -ENOSPC)
         return ret;
      uint64_t from = fixed ? *address : 0, to = fixed ? *address + size : VM_SIZE;
      if (attempt || !evict(vm, from, to))
         return wait_helps(vm, from, to, fixed) ? -EBUSY : -ENOSPC;
   }
   return -ENOSPC;
}

int
vm_bind(struct vm *vm, struct gem_object *o, uint64_t size, uint64_t align, bool fixed,
        uint64_t address, struct vma **out)
{
   if (size < o->size)
      size = o->size;
   if (size > VM_SIZE)
      return -ENOSPC;
   if (fixed && (address > VM_SIZE - size))
      return -EINVAL;
   struct vma *v = calloc(1, sizeof(*v));
   if (!v)
      return -ENOMEM;
   *v = (struct vma){.object = o, .vm = vm, .address = address, .size = size};
   int ret = place(vm, size, align < PAGE ? PAGE : align, fixed, &v->address);
   if (ret) {
      free(v);
      return ret;
   }
   for (uint64_t i = v->address >> 22; i <= (v->address + size - 1) >> 22; i++) {
      ret = need_table(vm, (unsigned)i);
      if (ret) {
         range_give(&vm->space, v->address);
         free(v);
         return ret;
      }
   }
   v->next = o->vmas;
   o->vmas = v;
   vma_rewrite(v);
   *out = v;
   return 0;
}

void
vm_unbind(struct vma *v)
{
   record_unbind(v);
   write_entries(v, false);
   range_give(&v->vm->space, v->address);
   for (struct vma **p = &v->object->vmas; *p; p = &(*p)->next)
      if (*p == v) {
         *p = v->next;
         break;
      }
   free(v);
}
