/* Context images: the register state page of a logical context, loaded and saved. */
#include "gen11/gen11_internal.h"

/* What it takes to load an image, and to save one: longer than a report of counters is on its way.
 */
#define IMAGE_NS 200u

/* What the first dwords of both images have in common. */
#define CONTROL_DW GEN11_CONTEXT_IMAGE__CONTEXT_CONTROL_DW
#define TAIL_DW GEN11_CONTEXT_IMAGE__RING_TAIL_DW
_Static_assert(CONTROL_DW == GEN11_RENDER_CONTEXT_IMAGE__CONTEXT_CONTROL_DW &&
                   TAIL_DW == GEN11_RENDER_CONTEXT_IMAGE__RING_TAIL_DW,
               "they are looked for at one place");

static const struct hw_context *
image_of(const struct engine *e)
{
   return e->info->has_render_image ? &gen11_render_context_image : &gen11_context_image;
}

static uint32_t
item_dwords(const struct hw_context_item *i)
{
   return i->kind == HW_CONTEXT_REGISTER ? 1 + 2u * i->size : i->size;
}

/* Bits 31:16 enable the writing of bits 15:0. */
static bool
masked(const struct engine *e, uint32_t reg)
{
   uint16_t row = e->g->dev->reg_row[(e->info->base + reg) / 4];
   return row && hw_registers[row - 1].access == HW_MASKED;
}

/* The page behind the status page of the context. */
static uint64_t
image_address(uint64_t descriptor)
{
   return (descriptor & GEN11_CONTEXT_DESCRIPTOR__IMAGE_ADDRESS) + MEM_PAGE_SIZE;
}

static void
load_register(struct engine *e, uint32_t reg, uint32_t value)
{
   uint32_t mask = masked(e, reg) ? value >> 16 : ~0u;
   engine_set(e, reg, (engine_get(e, reg) & ~mask) | (value & mask));
}

/* A batch of either level: where it is. The fields of the second one's registers are those of the
 * first one's. */
static const struct batch_registers {
   uint16_t low, high, state;
} batch_registers[2] = {
    {ENGINE_BB_ADDR, ENGINE_BB_ADDR_UDW, ENGINE_BB_STATE},
    {ENGINE_SBB_ADDR, ENGINE_SBB_ADDR_UDW, ENGINE_SBB_STATE},
};

/* Where a batch goes on that was preempted. */
static void
resume(struct engine *e)
{
   e->level = 0;
   for (unsigned l = 1; l <= 2; l++) {
      const struct batch_registers *at = &batch_registers[l - 1];
      uint32_t low = engine_get(e, at->low);
      if (!(low & REG_RCS0_BB_ADDR__VALID))
         return;
      e->level = (uint8_t)l;
      e->batch[l] = (low & REG_RCS0_BB_ADDR__ADDRESS) |
                    (uint64_t)(engine_get(e, at->high) & REG_RCS0_BB_ADDR_UDW__ADDRESS) << 32;
      e->batch_ppgtt[l] = engine_get(e, at->state) & REG_RCS0_BB_STATE__ADDRESS_SPACE_INDICATOR;
   }
}

static void
describe_batches(struct engine *e)
{
   for (unsigned l = 1; l <= 2; l++) {
      const struct batch_registers *at = &batch_registers[l - 1];
      bool in = e->level >= l;
      engine_set(e, at->low, in ? (uint32_t)e->batch[l] | REG_RCS0_BB_ADDR__VALID : 0);
      engine_set(e, at->high, in ? (uint32_t)(e->batch[l] >> 32) : 0);
      engine_set(e, at->state,
                 in && e->batch_ppgtt[l] ? REG_RCS0_BB_STATE__ADDRESS_SPACE_INDICATOR : 0);
   }
}

static void
load_item(struct engine *e, const struct hw_context_item *item, uint64_t address)
{
   for (unsigned r = 0; r < item->size; r++) {
      uint32_t value;
      gen11_mem_read(e, false, address + 4ull * (2 + 2 * r), &value, 4);
      if (item->relative)
         load_register(e, item->registers[r], value);
      else /* SYS-419 */
         oa11_write(&e->g->oa, item->registers[r], value);
   }
}

void
gen11_context_load(struct engine *e, uint64_t descriptor)
{
   uint64_t image = image_address(descriptor);
   uint32_t control = 0, id = (uint32_t)(descriptor >> 32);
   const struct hw_context *c = image_of(e);
   clock_advance(e->g->dev, IMAGE_NS);
   if (e->id == GEN11_RCS0)
      gen11_oa_context_load(e, id);
   gen11_mem_read(e, false, image + 4 * CONTROL_DW, &control, 4);
   bool inhibited = control & control >> 16 & REG_RCS0_CONTEXT_CONTROL__RESTORE_INHIBIT;
   for (size_t i = 0; i < c->count; image += 4ull * item_dwords(&c->items[i++]))
      if (c->items[i].kind == HW_CONTEXT_REGISTER &&
          (!inhibited || c->items[i].part == HW_PART_RING))
         load_item(e, &c->items[i], image);
   e->arbitrates = true;
   e->waits = e->predicated = false;
   e->started_ns = e->g->dev->time_ns;
   engine_set(e, ENGINE_EXECLIST_STATUS + 4, id);
   e->level = 0;
   if (!inhibited)
      resume(e);
   e->loaded = true;
}

void
gen11_context_tail(struct engine *e, uint64_t descriptor)
{
   uint32_t tail = 0;
   if (gen11_mem_read(e, false, image_address(descriptor) + 4 * TAIL_DW, &tail, 4))
      engine_set(e, ENGINE_RING_TAIL, tail & REG_RCS0_RING_TAIL__TAIL_OFFSET);
}

static uint32_t
image_value(struct engine *e, const struct hw_context_item *item, uint32_t reg)
{
   if (!item->relative)
      return oa11_read(&e->g->oa, reg);
   return engine_get(e, reg) | (masked(e, reg) ? 0xffff0000u : 0);
}

static void
save_item(struct engine *e, const struct hw_context_item *item, uint64_t address)
{
   struct gen11_mi_load_register_imm load = {.add_cs_mmio_start_offset = item->relative};
   uint32_t dw[GEN11_MI_LOAD_REGISTER_IMM_LENGTH];
   gen11_mi_load_register_imm_pack(dw, &load);
   dw[0] += 2u * item->size + 1 - GEN11_MI_LOAD_REGISTER_IMM_LENGTH;
   gen11_mem_write(e, false, address, dw, 4);
   for (unsigned r = 0; r < item->size; r++) {
      uint32_t reg = item->registers[r], pair[2] = {reg, image_value(e, item, reg)};
      /* The tail is software's: it may have written a new one while the context ran. */
      bool tail = item->relative && reg == ENGINE_RING_TAIL;
      gen11_mem_write(e, false, address + 4ull * (1 + 2 * r), pair, tail ? 4 : 8);
   }
}

void
gen11_context_save(struct engine *e, uint64_t descriptor)
{
   uint64_t image = image_address(descriptor);
   const struct hw_context *c = image_of(e);
   clock_advance(e->g->dev, IMAGE_NS);
   if (e->id == GEN11_RCS0)
      gen11_oa_settle(e->g);
   uint64_t ran = e->g->dev->time_ns - e->started_ns;
   engine_set(e, ENGINE_CTX_TIMESTAMP,
              engine_get(e, ENGINE_CTX_TIMESTAMP) + (uint32_t)gen11_ticks(ran));
   describe_batches(e);
   /* What was inhibited on the way in is there from now on. */
   engine_set(e, ENGINE_CONTEXT_CONTROL,
              engine_get(e, ENGINE_CONTEXT_CONTROL) & ~REG_RCS0_CONTEXT_CONTROL__RESTORE_INHIBIT);
   for (size_t i = 0; i < c->count; image += 4ull * item_dwords(&c->items[i++]))
      if (c->items[i].kind == HW_CONTEXT_REGISTER)
         save_item(e, &c->items[i], image);
   e->loaded = false;
}
