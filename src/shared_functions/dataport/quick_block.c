/* OWord blocks: all of the block inside a buffer or the stateless range, in one page, with every
 * channel on. Everything else takes the slow path, which also finds out what is wrong. */
#include "shared_functions/dataport/dp_quick.h"

#include "shared_functions/dataport/dataport.h"
#include "shared_functions/dataport/vector.h"

/* By Block Size (DP-075): bytes, registers, first byte of them, channels that make it whole
 * (DP-068). */
static const struct block {
   uint16_t size;
   uint8_t regs, start;
   uint32_t mask;
} blocks[8] = {
    {16, 1, 0, 0x000f}, {16, 1, 16, 0x00f0}, {32, 1, 0, 0x00ff},
    {64, 2, 0, 0xffff}, {128, 4, 0, 0xffff},
};

static ALWAYS_INLINE void
copy_block(uint8_t *to, const uint8_t *from, unsigned size)
{
   if (size == 16)
      store4(to, load4(from));
   else
      copy_regs(to, from, size / EU_REG_SIZE);
}

/* As dp_open_range does it. */
static ALWAYS_INLINE struct dp_range
find_range(const struct eu_thread *t, const struct sf_quick *q, const uint8_t *header)
{
   if (q->bti == DP_BTI_STATELESS)
      return dp_stateless_range(t->env, (const uint32_t *)(const void *)header);
   struct surface_view other;
   const struct surface_view *v = sf_view_of(t, q->bti, &other);
   return (struct dp_range){.base = v->base, .size = v->block_B};
}

/* Host address of the block, or NULL. */
static ALWAYS_INLINE uint8_t *
find_block(const struct eu_thread *t, const struct sf_quick *q, unsigned size,
           enum mem_access access)
{
   const uint8_t *header = t->grf + q->payload - EU_REG_SIZE;
   struct dp_range r = find_range(t, q, header);
   uint32_t global_offset;
   memcpy(&global_offset, header + 4 * GEN7_DP_HEADER__GLOBAL_OFFSET_DW, 4);
   uint64_t offset = (uint64_t)global_offset * 16; /* DP-055 */
   if (offset + size > r.size)
      return NULL;
   uint32_t address = r.base + (uint32_t)offset;
   return (address & 0xfff) + size > 4096 ? NULL : mem_known(t->env->space, address, access);
}

static ALWAYS_INLINE bool
block(struct eu_thread *t, const struct sf_quick *q, uint32_t exec, unsigned which, bool write)
{
   const struct block *b = &blocks[which];
   uint8_t *host;
   if ((exec & b->mask) != b->mask || sf_observed(t) ||
       !(host = find_block(t, q, b->size, write ? MEM_WRITE : MEM_READ)))
      return false;
   if (write)
      copy_block(host, t->grf + q->payload + b->start, b->size);
   else
      copy_block(t->grf + q->response + b->start, host, b->size);
   sf_quick_mark(t, q);
   return true;
}

/* The size is settled beforehand. */
#define BLOCK(which)                                                                               \
   static bool read_##which(struct eu_thread *t, const struct sf_quick *q, uint32_t exec)          \
   {                                                                                               \
      return block(t, q, exec, which, false);                                                      \
   }                                                                                               \
   static bool write_##which(struct eu_thread *t, const struct sf_quick *q, uint32_t exec)         \
   {                                                                                               \
      return block(t, q, exec, which, true);                                                       \
   }
BLOCK(0)
BLOCK(1)
BLOCK(2)
BLOCK(3)
BLOCK(4)

sf_quick_fn
dp_quick_block(const struct sf_quick *q, uint32_t desc, bool write, bool data_cache)
{
   static const sf_quick_fn reads[5] = {read_0, read_1, read_2, read_3, read_4};
   static const sf_quick_fn writes[5] = {write_0, write_1, write_2, write_3, write_4};
   unsigned mlen = hw_message_length(desc), rlen = hw_response_length(desc);
   struct hw_dp_oword_block_descriptor d;
   gen7_dp_oword_block_descriptor_unpack(&d, &desc);
   bool stateless = q->bti == DP_BTI_STATELESS && data_cache;
   if (d.block_size > GEN7_DP_OWORD_BLOCK_DESCRIPTOR_BLOCK_SIZE_8_OWORDS ||
       d.invalidate_after_read_enable || !q->header || (q->bti >= DP_BTI_SLM && !stateless))
      return NULL;
   unsigned regs = blocks[d.block_size].regs;
   if (write)
      return mlen == 1 + regs && !rlen ? writes[d.block_size] : NULL;
   return mlen == 1 && rlen == regs ? reads[d.block_size] : NULL;
}
