/* --aub: every batch with the memory that it sees, for 'pergola replay' and for whoever reads AUB
 * files. Batches go one at a time, as for --dump. */
#include "kernel.h"

#include "gen7_hw.h"
#include "hang/aub_write.h"

#include <errno.h>
#include <stdlib.h>

static bool
readable(const struct gem_object *o)
{
   return o->host && (o->arena || o->user_bound);
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
   aub_register(k->aub, REG_ARB_MODE,
                swizzling << 16 | swizzling); /* what tiled surfaces depend on */
   return 0;
}

bool
record_close(struct kernel *k)
{
   bool ok = !k->aub || aub_close(k->aub);
   k->aub = NULL;
   return ok;
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

void
record_before(struct kernel *k, const struct request *r)
{
   const struct vma *batch = r->objects ? vm_find(r->vm, r->object[r->batch]) : NULL;
   if (!k->aub || r->zombie || !batch)
      return;
   for (unsigned i = 0; i < r->objects; i++) {
      const struct vma *v = vm_find(r->vm, r->object[i]);
      if (v && readable(r->object[i]))
         aub_pages(k->aub, (uint32_t)v->address, r->object[i]->host, r->object[i]->size);
   }
   if (r->engine == KERNEL_RCS)
      aub_context(k->aub, r->ctx->timeline + 1);
   record_commands(k, r, (uint32_t)batch->address + r->batch_offset);
}

void
record_after(struct kernel *k, const struct request *r, bool hung)
{
   if (!k->aub || r->zombie || hung || !r->objects)
      return;
   for (unsigned i = 0; i < r->objects; i++) {
      const struct vma *v = vm_find(r->vm, r->object[i]);
      if (v && readable(r->object[i]))
         aub_result(k->aub, (uint32_t)v->address, r->object[i]->host, r->object[i]->size);
   }
   aub_compare(k->aub);
}
