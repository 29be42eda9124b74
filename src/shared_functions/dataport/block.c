/* OWord block messages: aligned, unaligned, dual. */
#include "shared_functions/dataport/dataport.h"
#include "shared_functions/dataport/vector.h"

#define OWORD 16u

/* DP-075: OWords by Block Size; 0: reserved. */
static const uint8_t block_owords[8] = {1, 1, 2, 4, 8};

static unsigned
block_regs(unsigned owords)
{
   return owords < 2 ? 1 : owords / 2;
}

/* DP-068: the mask of a data register: low byte for the first and third, high byte for the others.
 */
static uint32_t
reg_mask(uint32_t exec_mask, unsigned reg)
{
   return reg & 1 ? exec_mask >> 8 & 0xff : exec_mask & 0xff;
}

/* DP-069: any bit of four returns the whole OWord. */
static bool
oword_enabled(uint32_t exec_mask, unsigned oword)
{
   return (reg_mask(exec_mask, oword / 2) >> 4 * (oword & 1) & 15) != 0;
}

/* DP-074: an OWord is inside or outside as a whole. */
static bool
oword_inside(const struct dp *d, uint64_t offset)
{
   return !d->r.null && offset + OWORD <= d->r.size;
}

/* Compilers read whole blocks for a few of their dwords: a block that begins inside is right. */
static void
watch_start(struct dp *d, uint64_t offset, enum sanitize_kind kind)
{
   if (d->sanitizer && !oword_inside(d, offset))
      dp_outside(d, 0, offset, OWORD, kind);
}

static bool
whole_block(const struct dp *d, uint64_t offset, unsigned owords)
{
   uint32_t need = owords > 2 ? 0xffff : 0xff;
   return !d->r.null && !d->r.slm && offset + owords * OWORD <= d->r.size &&
          (d->m->exec_mask & need) == need && d->m->rlen >= owords / 2;
}

/* Compilers keep registers in scratch space by whole blocks. */
static void
watch_spill(struct dp *d, uint64_t offset, unsigned owords, bool write)
{
   for (unsigned r = 0; d->sanitizer && d->scratch && r < owords / 2; r++)
      dp_watch_scratch(d, r, offset + r * EU_REG_SIZE, reg_mask(d->m->exec_mask, r), write);
}

enum sf_status
dp_oword_block_read(struct dp *d)
{
   unsigned code = hw_get(d->m->desc, GEN7_DP_OWORD_BLOCK_DESCRIPTOR__BLOCK_SIZE),
            owords = block_owords[code];
   if (!owords)
      return dp_reject(d, "DP-075", "block size %u is reserved", code); /* DP-077 */
   dp_expect(d, 0, block_regs(owords), "DP-061");
   if (!dp_open_range(d, OWORD, OWORD, 0, "DP-062"))
      return SF_OK;
   uint64_t offset = (uint64_t)dp_global_offset(d) * OWORD; /* DP-055 */
   watch_start(d, offset, SANITIZE_READ);
   watch_spill(d, offset, owords, false);
   if (owords > 1 && whole_block(d, offset, owords)) {
      uint32_t address = d->r.base + (uint32_t)offset;
      const void *host = dp_direct(d, address, owords * OWORD, MEM_READ);
      if (host)
         copy_regs(d->m->response, host, owords / 2);
      else
         dp_load_slow(d, address, d->m->response, owords * OWORD);
      return SF_OK;
   }
   for (unsigned i = 0; i < owords; i++) {
      unsigned place = owords == 1 ? code : i; /* DP-079: the high form fills the upper half */
      uint32_t v[4] = {0};
      if (!oword_enabled(d->m->exec_mask, place))
         continue;
      if (oword_inside(d, offset + i * OWORD))
         dp_range_load(d, offset + i * OWORD, v, OWORD);
      memcpy(dp_out(d, place / 2) + 4 * (place & 1), v, OWORD); /* DP-073 */
   }
   return SF_OK;
}

/* DP-070: each bit of the mask writes its own dword. */
static void
store_oword(struct dp *d, uint64_t offset, const uint32_t *v, uint32_t mask)
{
   if (!oword_inside(d, offset) || !mask)
      return;
   if (mask == 15) {
      dp_range_store(d, offset, v, OWORD);
      return;
   }
   for (unsigned i = 0; i < 4; i++)
      if (mask >> i & 1)
         dp_range_store(d, offset + 4 * i, &v[i], 4);
}

enum sf_status
dp_oword_block_write(struct dp *d)
{
   unsigned code = hw_get(d->m->desc, GEN7_DP_OWORD_BLOCK_DESCRIPTOR__BLOCK_SIZE),
            owords = block_owords[code];
   if (!owords)
      return dp_reject(d, "DP-075", "block size %u is reserved", code);
   /* DP-059, DP-060, SMP-328: a commit is a response of one register that holds nothing. */
   dp_expect(d, block_regs(owords), d->m->rlen == 1, "DP-078");
   if (!dp_open_range(d, OWORD, OWORD, 0, "DP-062"))
      return SF_OK;
   uint64_t offset = (uint64_t)dp_global_offset(d) * OWORD;
   watch_start(d, offset, SANITIZE_WRITE);
   watch_spill(d, offset, owords, true);
   uint32_t need = owords > 2 ? 0xffff : 0xff;
   if (owords > 1 && !d->r.null && offset + owords * OWORD <= d->r.size &&
       (d->m->exec_mask & need) == need && d->data_regs >= owords / 2) {
      uint32_t address = d->r.base + (uint32_t)offset;
      void *host = dp_direct(d, address, owords * OWORD, MEM_WRITE);
      if (host)
         copy_regs(host, d->data, owords / 2);
      else
         dp_store_slow(d, address, d->data, owords * OWORD);
      return SF_OK;
   }
   for (unsigned i = 0; i < owords; i++) {
      unsigned place = owords == 1 ? code : i;
      uint32_t mask = reg_mask(d->m->exec_mask, place / 2) >> 4 * (place & 1) & 15;
      store_oword(d, offset + i * OWORD, dp_in(d, place / 2) + 4 * (place & 1), mask);
   }
   return SF_OK;
}

enum sf_status
dp_unaligned_oword_block_read(struct dp *d)
{
   unsigned code = hw_get(d->m->desc, GEN7_DP_UNALIGNED_OWORD_BLOCK_DESCRIPTOR__BLOCK_SIZE),
            owords = block_owords[code];
   if (!owords)
      return dp_reject(d, "DP-085", "block size %u is reserved", code);
   dp_expect(d, 0, block_regs(owords), "DP-080");
   if (!dp_open_range(d, OWORD, OWORD, 0, "DP-081"))
      return SF_OK;
   uint32_t offset = dp_global_offset(d);
   if (offset & 3)
      dp_note(d, PERGOLA_ERROR, "DP-054", "Global Offset 0x%08x is not dword aligned", offset);
   offset &= ~3u;
   watch_start(d, offset, SANITIZE_READ);
   uint32_t v[32] = {0};
   if (!d->r.null && (uint64_t)offset + owords * OWORD <= d->r.size) {
      dp_range_load(d, offset, v, owords * OWORD);
   } else if (!d->r.null) {
      for (unsigned i = 0; i < owords * 4; i++) /* DP-084: dword by dword */
         if ((uint64_t)offset + 4 * i + 4 <= d->r.size)
            dp_range_load(d, (uint64_t)offset + 4 * i, &v[i], 4);
   }
   if (owords == 1) { /* DP-086: the other half stays */
      memcpy(dp_out(d, 0) + 4 * code, v, OWORD);
      return SF_OK;
   }
   for (unsigned r = 0; r < owords / 2; r++) /* DP-082: the execution mask is ignored */
      memcpy(dp_out(d, r), v + 8 * r, 32);
   return SF_OK;
}

/* DP-093: OWords of each block; 0: reserved. */
static const uint8_t dual_owords[4] = {1, 0, 4, 0};

static uint64_t
dual_offset(struct dp *d, unsigned block)
{
   return ((uint64_t)dp_global_offset(d) + dp_in(d, 0)[4 * block]) * OWORD; /* DP-094 */
}

enum sf_status
dp_oword_dual_block_read(struct dp *d)
{
   unsigned code = hw_get(d->m->desc, GEN7_DP_OWORD_DUAL_BLOCK_DESCRIPTOR__BLOCK_SIZE),
            owords = dual_owords[code];
   if (!owords)
      return dp_reject(d, "DP-093", "block size %u is reserved", code);
   dp_expect(d, 1, owords, "DP-094");
   if (!dp_open_range(d, OWORD, OWORD, 0, "DP-090"))
      return SF_OK;
   uint64_t offset[2] = {dual_offset(d, 0), dual_offset(d, 1)};
   for (unsigned b = 0; b < 2; b++) {
      if (!(d->m->exec_mask >> 4 * b & 15)) /* DP-091: bits 7:0 for every register */
         continue;
      watch_start(d, offset[b], SANITIZE_READ);
      for (unsigned k = 0; k < owords; k++) {
         uint32_t v[4] = {0};
         if (oword_inside(d, offset[b] + k * OWORD))
            dp_range_load(d, offset[b] + k * OWORD, v, OWORD);
         memcpy(dp_out(d, k) + 4 * b, v, OWORD); /* DP-096 */
      }
   }
   return SF_OK;
}

enum sf_status
dp_oword_dual_block_write(struct dp *d)
{
   unsigned code = hw_get(d->m->desc, GEN7_DP_OWORD_DUAL_BLOCK_DESCRIPTOR__BLOCK_SIZE),
            owords = dual_owords[code];
   if (!owords)
      return dp_reject(d, "DP-093", "block size %u is reserved", code);
   dp_expect(d, 1 + owords, d->m->rlen == 1, "DP-095");
   if (!dp_open_range(d, OWORD, OWORD, 0, "DP-090"))
      return SF_OK;
   uint64_t offset[2] = {dual_offset(d, 0), dual_offset(d, 1)};
   uint64_t apart = offset[0] > offset[1] ? offset[0] - offset[1] : offset[1] - offset[0];
   if (apart < owords * OWORD && d->m->exec_mask & 0x0f && d->m->exec_mask & 0xf0)
      dp_note(d, PERGOLA_WARNING, "DP-089", "the two blocks overlap: their order is undefined");
   for (unsigned b = 0; b < 2; b++)
      if (d->m->exec_mask >> 4 * b & 15)
         watch_start(d, offset[b], SANITIZE_WRITE);
   for (unsigned k = 0; k < owords; k++)
      for (unsigned b = 0; b < 2; b++)
         store_oword(d, offset[b] + k * OWORD, dp_in(d, 1 + k) + 4 * b,
                     d->m->exec_mask >> 4 * b & 15);
   return SF_OK;
}
