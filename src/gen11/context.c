/* Context images: the register state page of a logical context, loaded and saved. */
#include "gen11/gen11_internal.h"

#define IMAGE_PAGE 0x1000u /* behind the per-process status page */

/* What it takes to load an image, and to save one: longer than a report of counters is on its way.
 */
#define IMAGE_NS 200u

/* Offsets are relative to the engine's block. */
#define LOAD                                                                                       \
   (GEN11_MI_LOAD_REGISTER_IMM_HEADER | GEN11_MI_LOAD_REGISTER_IMM__ADD_CS_MMIO_START_OFFSET)

/* The image is register loads with no-ops between: (dword of the header, registers). */
struct image_block {
   uint8_t at, count;
   bool ring; /* is loaded even when the image is not: CONTEXT_CONTROL[0] */
   const uint16_t *registers;
};

static const uint16_t ring_registers[] = {
    ENGINE_CONTEXT_CONTROL, ENGINE_RING_HEAD,
    ENGINE_RING_TAIL,       ENGINE_RING_START,
    ENGINE_RING_CTL,        ENGINE_BB_ADDR_UDW,
    ENGINE_BB_ADDR,         ENGINE_BB_STATE,
    ENGINE_SBB_ADDR_UDW,    ENGINE_SBB_ADDR,
    ENGINE_SBB_STATE,       ENGINE_BB_PER_CTX_PTR,
    ENGINE_INDIRECT_CTX,    ENGINE_INDIRECT_CTX_OFFSET,
    ENGINE_CURRENT_CONTEXT,
};
static const uint16_t page_registers[] = {
    ENGINE_CTX_TIMESTAMP, ENGINE_PDP_3 + 4, ENGINE_PDP_3,     ENGINE_PDP_2 + 4, ENGINE_PDP_2,
    ENGINE_PDP_1 + 4,     ENGINE_PDP_1,     ENGINE_PDP_0 + 4, ENGINE_PDP_0,
};
static const uint16_t render_1b0[] = {ENGINE_CONTEXT_1B0};
static const uint16_t render_power[] = {ENGINE_R_PWR_CLK_STATE};
static const uint16_t copy_control[] = {ENGINE_SWCTRL};
#define GPR(n) ENGINE_CS_GPR_##n, ENGINE_CS_GPR_##n + 4
static const uint16_t mode_registers[] = {ENGINE_EXCC, ENGINE_RING_MI_MODE, ENGINE_RING_INSTPM};
static const uint16_t general_registers[] = {
    ENGINE_PREDICATE_RESULT_1,
    GPR(0),
    GPR(1),
    GPR(2),
    GPR(3),
    GPR(4),
    GPR(5),
    GPR(6),
    GPR(7),
    GPR(8),
    GPR(9),
    GPR(10),
    GPR(11),
    GPR(12),
    GPR(13),
    GPR(14),
    GPR(15),
};
static const uint16_t predicate_registers[] = {
    ENGINE_PREDICATE_SRC0,     ENGINE_PREDICATE_SRC0 + 4, ENGINE_PREDICATE_SRC1,
    ENGINE_PREDICATE_SRC1 + 4, ENGINE_PREDICATE_RESULT,
};
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const struct image_block render_image[] = {
    {0x01, 15, true, ring_registers},
    {0x21, COUNT(page_registers), true, page_registers},
    {0x34, 1, false, render_1b0},
    {0x41, 1, false, render_power},
    {0x51, COUNT(mode_registers), false, mode_registers},
    {0x65, COUNT(general_registers), false, general_registers},
    {0xa9, COUNT(predicate_registers), false, predicate_registers},
};
static const struct image_block other_image[] = {
    {0x01, 14, true, ring_registers},
    {0x21, COUNT(page_registers), true, page_registers},
    {0x41, 1, false, copy_control},
    {0x51, COUNT(mode_registers), false, mode_registers},
    {0x65, COUNT(general_registers), false, general_registers},
    {0xa9, COUNT(predicate_registers), false, predicate_registers},
};

static const struct image_block *
image_of(const struct engine *e, size_t *count)
{
   *count = e->info->has_render_image ? COUNT(render_image) : COUNT(other_image);
   return e->info->has_render_image ? render_image : other_image;
}

static bool
masked(uint32_t reg)
{
   return reg == ENGINE_CONTEXT_CONTROL || reg == ENGINE_SWCTRL || reg == ENGINE_EXCC ||
          reg == ENGINE_RING_MI_MODE || reg == ENGINE_RING_INSTPM;
}

static uint64_t
image_address(uint64_t descriptor)
{
   return (descriptor & 0xfffff000) + IMAGE_PAGE;
}

static void
load_register(struct engine *e, uint32_t reg, uint32_t value)
{
   uint32_t old = engine_get(e, reg), mask = masked(reg) ? value >> 16 : ~0u;
   engine_set(e, reg, (old & ~mask) | (value & mask & (masked(reg) ? 0xffff : ~0u)));
}

/* Where a batch goes on that was preempted. */
static void
resume(struct engine *e)
{
   static const struct {
      uint16_t low, high, state;
   } at[3] = {{0, 0, 0},
              {ENGINE_BB_ADDR, ENGINE_BB_ADDR_UDW, ENGINE_BB_STATE},
              {ENGINE_SBB_ADDR, ENGINE_SBB_ADDR_UDW, ENGINE_SBB_STATE}};
   e->level = 0;
   for (unsigned l = 1; l <= 2; l++) {
      uint32_t low = engine_get(e, at[l].low);
      if (!(low & 1) || e->level != l - 1)
         return;
      e->level = (uint8_t)l;
      e->batch[l] = (low & ~3u) | (uint64_t)(engine_get(e, at[l].high) & 0xffff) << 32;
      e->batch_ppgtt[l] = engine_get(e, at[l].state) & 0x20;
   }
}

static void
describe_batches(struct engine *e)
{
   engine_set(e, ENGINE_BB_ADDR, e->level > 0 ? (uint32_t)e->batch[1] | 1 : 0);
   engine_set(e, ENGINE_BB_ADDR_UDW, e->level > 0 ? (uint32_t)(e->batch[1] >> 32) : 0);
   engine_set(e, ENGINE_BB_STATE, e->level > 0 && e->batch_ppgtt[1] ? 0x20 : 0);
   engine_set(e, ENGINE_SBB_ADDR, e->level > 1 ? (uint32_t)e->batch[2] | 1 : 0);
   engine_set(e, ENGINE_SBB_ADDR_UDW, e->level > 1 ? (uint32_t)(e->batch[2] >> 32) : 0);
   engine_set(e, ENGINE_SBB_STATE, e->level > 1 && e->batch_ppgtt[2] ? 0x20 : 0);
}

void
gen11_context_load(struct engine *e, uint64_t descriptor)
{
   uint64_t image = image_address(descriptor);
   uint32_t control = 0;
   size_t count;
   const struct image_block *b = image_of(e, &count);
   clock_advance(e->g->dev, IMAGE_NS);
   gen11_mem_read(e, false, image + 4 * 3, &control, 4);
   bool inhibited = control & control >> 16 & REG_RCS0_CONTEXT_CONTROL__RESTORE_INHIBIT;
   for (size_t i = 0; i < count; i++)
      for (unsigned r = 0; r < b[i].count; r++) {
         uint32_t pair[2];
         gen11_mem_read(e, false, image + 4ull * (b[i].at + 1u + 2 * r), pair, sizeof(pair));
         if (b[i].ring || !inhibited)
            load_register(e, b[i].registers[r], pair[1]);
      }
   if (e->id == GEN11_RCS0)
      gen11_oa_context_load(e, image, (uint32_t)(descriptor >> 32), inhibited);
   e->arbitrates = true;
   e->waits = e->predicated = false;
   e->started_ns = e->g->dev->time_ns;
   engine_set(e, ENGINE_EXECLIST_STATUS + 4, (uint32_t)(descriptor >> 32));
   e->level = 0;
   if (!inhibited)
      resume(e);
   e->loaded = true;
}

void
gen11_context_tail(struct engine *e, uint64_t descriptor)
{
   uint32_t tail = 0;
   if (gen11_mem_read(e, false, image_address(descriptor) + 4 * 7, &tail, 4))
      engine_set(e, ENGINE_RING_TAIL, tail & REG_RCS0_RING_TAIL__TAIL_OFFSET);
}

/* The tail is software's: it may have written a new one while the context ran. */
static void
save_register(struct engine *e, uint64_t address, uint32_t reg)
{
   uint32_t pair[2] = {reg, engine_get(e, reg) | (masked(reg) ? 0xffff0000u : 0)};
   gen11_mem_write(e, false, address, pair, reg == ENGINE_RING_TAIL ? 4 : 8);
}

void
gen11_context_save(struct engine *e, uint64_t descriptor)
{
   uint64_t image = image_address(descriptor);
   size_t count;
   const struct image_block *b = image_of(e, &count);
   clock_advance(e->g->dev, IMAGE_NS);
   uint64_t ran = e->g->dev->time_ns - e->started_ns;
   engine_set(e, ENGINE_CTX_TIMESTAMP,
              engine_get(e, ENGINE_CTX_TIMESTAMP) + (uint32_t)(ran * 12 / 1000));
   describe_batches(e);
   /* What was inhibited on the way in is there from now on. */
   engine_set(e, ENGINE_CONTEXT_CONTROL,
              engine_get(e, ENGINE_CONTEXT_CONTROL) & ~REG_RCS0_CONTEXT_CONTROL__RESTORE_INHIBIT);
   for (size_t i = 0; i < count; i++) {
      uint32_t header = LOAD | (2u * b[i].count - 1);
      gen11_mem_write(e, false, image + 4ull * b[i].at, &header, 4);
      for (unsigned r = 0; r < b[i].count; r++)
         save_register(e, image + 4ull * (b[i].at + 1u + 2 * r), b[i].registers[r]);
   }
   if (e->id == GEN11_RCS0)
      gen11_oa_context_save(e, image);
   e->loaded = false;
}
