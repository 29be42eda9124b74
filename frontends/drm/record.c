/* --aub: every batch with the memory that it sees, for 'pergola replay' and for whoever reads AUB
 * files. Batches go one at a time, as for --dump. */
#include "kernel.h"

#include "dump.h"
#include "gen7_hw.h"
#include "hang/aub_write.h"
#include "pergola/pergola_trace.h"

#include <errno.h>
#include <stdlib.h>

#define COMMAND_NS 10u /* CS-022: of model time */

static bool
readable(const struct gem_object *o)
{
   return o->host && (o->arena || o->user_bound);
}

/* The command parser's copy lies in another address space: the batch itself takes its place, with
 * the privileges of the copy. One that was refused them begins with its end. */
static bool
privileged(const struct request *r)
{
   const uint32_t *copy = r->shadow ? (const uint32_t *)(const void *)r->shadow->host : NULL;
   const uint32_t *batch = (const uint32_t *)(const void *)r->object[r->batch]->host;
   return copy && (copy[0] != GEN7_MI_BATCH_BUFFER_END_HEADER ||
                   (batch && batch[r->batch_offset / 4] == GEN7_MI_BATCH_BUFFER_END_HEADER));
}

static void
record_commands(struct kernel *k, const struct request *r, uint32_t address)
{
   uint32_t dw[4 * GEN7_MI_LOAD_REGISTER_IMM_LENGTH + GEN7_MI_BATCH_BUFFER_START_LENGTH];
   unsigned n = 0;
   for (unsigned i = 0; r->sol_reset && i < 4; i++) {
      gen7_mi_load_register_imm_pack(dw + n, &(struct hw_mi_load_register_imm){
                                                 .register_offset = REG_SO_WRITE_OFFSET_0 + 4 * i});
      n += GEN7_MI_LOAD_REGISTER_IMM_LENGTH;
   }
   gen7_mi_batch_buffer_start_pack(
       dw + n, &(struct hw_mi_batch_buffer_start){.address_space_indicator = !privileged(r),
                                                  .buffer_start_address = address});
   aub_commands(k->aub, (unsigned)r->engine, dw, n + GEN7_MI_BATCH_BUFFER_START_LENGTH);
}

/* On the device's thread: the batch begins. */
static void
began(void *data, const struct pergola_event *e)
{
   struct kernel *k = data;
   if (e->flags & 1 && e->a == k->aub_start && !k->aub_began)
      __atomic_store_n(&k->aub_began, e->time_ns, __ATOMIC_RELAXED);
}

int
record_open(struct kernel *k, const char *path)
{
   const uint32_t swizzling = REG_ARB_MODE__ADDRESS_SWIZZLING_FOR_TILED_SURFACES;
   if (!path[0])
      return 0;
   k->aub = aub_open(path, k->sku->pci_device_id);
   if (!k->aub)
      return errno ? -errno : -ENOMEM;
   /* What tiled surfaces depend on. */
   aub_register(k->aub, REG_ARB_MODE, swizzling << 16 | swizzling);
   return pergola_add_observer(k->dev, 1u << PERGOLA_EVENT_BATCH, began, k) ? -ENOMEM : 0;
}

bool
record_close(struct kernel *k)
{
   bool ok = !k->aub || aub_close(k->aub);
   k->aub = NULL;
   return ok;
}

static const struct vma *
recorded_batch(const struct kernel *k, const struct request *r)
{
   return k->aub && !r->zombie && r->objects ? vm_find(r->vm, r->object[r->batch]) : NULL;
}

void
record_before(struct kernel *k, const struct request *r)
{
   const struct vma *batch = recorded_batch(k, r);
   if (!batch)
      return;
   aub_space(k->aub, r->vm->number);
   for (unsigned i = 0; i < r->objects; i++) {
      const struct vma *v = vm_find(r->vm, r->object[i]);
      if (v && readable(r->object[i]))
         aub_pages(k->aub, (uint32_t)v->address, r->object[i]->host, r->object[i]->size);
   }
   aub_flush(k->aub);
   if (pergola_watch_writes(k->dev))
      return; /* it is taken for one that writes nothing, which a replay will not confirm */
   k->aub_start = privileged(r) ? r->first : (uint32_t)batch->address + r->batch_offset;
   __atomic_store_n(&k->aub_began, 0, __ATOMIC_RELAXED);
}

void
record_unbind(const struct vma *v)
{
   struct kernel *k = v->vm->k;
   if (k->aub && dump_wanted(k))
      aub_unbound(k->aub, v->vm->number, (uint32_t)v->address, v->object->size);
}

/* The client has taken it away while the batch was using it. */
static bool
taken_away(const struct gem_object *o)
{
   return !readable(o) || (!o->arena && guard_repaired(o->user, o->size));
}

/* Its pages that the engine has written, or the others: what has changed there, the client has
 * written meanwhile. */
static void
record_object(struct kernel *k, const struct request *r, const struct gem_object *o, bool written,
              bool hung)
{
   const struct vma *v = vm_find(r->vm, o);
   if (!v || taken_away(o))
      return;
   for (uint64_t at = 0; at < o->size; at += PAGE) {
      uint32_t address = (uint32_t)(v->address + at);
      if (pergola_written(k->dev, (enum pergola_engine)r->engine, address) != written)
         continue;
      if (!written)
         aub_pages(k->aub, address, o->host + at, PAGE);
      else if (hung)
         aub_forget(k->aub, address, PAGE);
      else
         aub_result(k->aub, address, o->host + at, PAGE);
   }
}

/* What is run comes behind the run itself: when it began is known now. */
void
record_after(struct kernel *k, const struct request *r, bool hung)
{
   const struct vma *batch = recorded_batch(k, r);
   if (!batch)
      return;
   aub_space(k->aub, r->vm->number); /* others may have lost objects meanwhile */
   if (r->engine == KERNEL_RCS)
      aub_context(k->aub, r->ctx->timeline + 1);
   uint64_t began_ns = __atomic_load_n(&k->aub_began, __ATOMIC_RELAXED);
   aub_time(k->aub, began_ns - (r->sol_reset ? 5 : 1) * COMMAND_NS);
   record_commands(k, r, (uint32_t)batch->address + r->batch_offset);
   for (unsigned i = 0; i < r->objects; i++)
      record_object(k, r, r->object[i], false, hung);
   for (unsigned i = 0; i < r->objects; i++) {
      const struct vma *v = vm_find(r->vm, r->object[i]);
      if (v && taken_away(r->object[i]))
         aub_forget(k->aub, (uint32_t)v->address, r->object[i]->size);
   }
   aub_lost(k->aub);
   for (unsigned i = 0; i < r->objects; i++)
      record_object(k, r, r->object[i], true, hung);
   (hung ? aub_hung : aub_compare)(k->aub);
}
