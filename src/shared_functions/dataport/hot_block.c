/* The common OWord block messages, done at once, seen by nobody: all of the block inside a buffer or the stateless
 * range, in one page, with every channel on. Everything else takes the long way, which also finds out what is wrong. */
#include "shared_functions/dataport/dp_hot.h"

/* By Block Size (DP-075): bytes, registers, first byte of them, channels that make it whole (DP-068). */
static const struct block {
   uint16_t size;
   uint8_t regs, start;
   uint32_t mask;
} blocks[8] = {
   {16, 1, 0, 0x000f}, {16, 1, 16, 0x00f0}, {32, 1, 0, 0x00ff}, {64, 2, 0, 0xffff}, {128, 4, 0, 0xffff},
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
static ALWAYS_INLINE bool
find_range(const struct eu_thread *t, const struct sf_message *m, struct dp_range *r)
{
   uint32_t bti = m->desc & 0xff;
   struct hot_surface s;
   if (bti >= DP_BTI_SLM) {
      if (bti != DP_BTI_STATELESS || m->sfid != SFID_DP_DATA0)
         return false;
      *r = dp_stateless_range(t->env, (const uint32_t *)(const void *)m->payload);
      return true;
   }
   if (!find_surface(t, bti, &s) || s.type != SURFTYPE_BUFFER || s.tiling != MEM_LINEAR || s.base % 16)
      return false;
   *r = dp_buffer_range(s.base, s.entries, s.format == GEN7_SURFACE_FORMAT_RAW ? 1 : 16);
   return true;
}

/* Host address of the block, or NULL. */
static ALWAYS_INLINE uint8_t *
find_block(const struct eu_thread *t, const struct sf_message *m, unsigned size, enum mem_access access)
{
   struct dp_range r;
   uint32_t global_offset;
   memcpy(&global_offset, m->payload + 8, 4);
   uint64_t offset = (uint64_t)global_offset * 16; /* DP-055 */
   if (!find_range(t, m, &r) || offset + size > r.size)
      return NULL;
   uint32_t address = r.base + (uint32_t)offset;
   return (address & 0xfff) + size > 4096 ? NULL : mem_known(t->env->space, address, access);
}

bool
dp_hot_block(const struct eu_thread *t, const struct sf_message *m)
{
   enum { READ = 0, WRITE = 8 };
   const struct block *b = &blocks[m->desc >> 8 & 7];
   unsigned type = m->desc >> 11 & 0xff; /* bits 18:11: those below the type are 0 */
   uint32_t is;
   uint8_t *host;
   memcpy(&is, &m->eot, sizeof(is));
   if ((m->exec_mask & b->mask) != b->mask || !b->size)
      return false;
   if (type == READ << 3 && (m->sfid == SFID_DP_DATA0 || m->sfid == SFID_DP_CONSTANT)) {
      if (is != shape(true, 1, b->regs) || !(host = find_block(t, m, b->size, MEM_READ)))
         return false;
      copy_block(m->response + b->start, host, b->size);
      return true;
   }
   if (type == WRITE << 3 && m->sfid == SFID_DP_DATA0) {
      if (is != shape(true, 1 + b->regs, 0) || !(host = find_block(t, m, b->size, MEM_WRITE)))
         return false;
      copy_block(host, m->payload + EU_REG_SIZE + b->start, b->size);
      return true;
   }
   return false;
}
