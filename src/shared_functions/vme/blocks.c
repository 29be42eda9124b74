/* The 41 blocks of a record, and the blocks of a partition's units. */
#include "shared_functions/vme/vme.h"

/* VME-004, VME-064, VME-385 */
const struct vme_block vme_blocks[VME_BLOCKS] = {
    {VME_16X16, 0, 0, 16, 16, 0xffff},
    {VME_16X8, 0, 0, 16, 8, 0x00ff},
    {VME_16X8, 0, 8, 16, 8, 0xff00},
    {VME_8X16, 0, 0, 8, 16, 0x0f0f},
    {VME_8X16, 8, 0, 8, 16, 0xf0f0},
#define QUARTERS(row) row(0, 0, 0), row(1, 8, 0), row(2, 0, 8), row(3, 8, 8)
#define WHOLE(k, X, Y)                                                                             \
   {                                                                                               \
      VME_8X8, X, Y, 8, 8, 0xf << 4 * k                                                            \
   }
#define FLAT(k, X, Y)                                                                              \
   {VME_8X4, X, Y, 8, 4, 0x3 << 4 * k},                                                            \
   {                                                                                               \
      VME_8X4, X, Y + 4, 8, 4, 0xc << 4 * k                                                        \
   }
#define TALL(k, X, Y)                                                                              \
   {VME_4X8, X, Y, 4, 8, 0x5 << 4 * k},                                                            \
   {                                                                                               \
      VME_4X8, X + 4, Y, 4, 8, 0xa << 4 * k                                                        \
   }
#define SMALL(k, X, Y)                                                                             \
   {VME_4X4, X, Y, 4, 4, 1 << 4 * k}, {VME_4X4, X + 4, Y, 4, 4, 2 << 4 * k},                       \
       {VME_4X4, X, Y + 4, 4, 4, 4 << 4 * k},                                                      \
   {                                                                                               \
      VME_4X4, X + 4, Y + 4, 4, 4, 8 << 4 * k                                                      \
   }
    QUARTERS(WHOLE),
    QUARTERS(FLAT),
    QUARTERS(TALL),
    QUARTERS(SMALL),
};

unsigned
vme_units(const struct vme *v, unsigned major)
{
   switch (major) {
   case VME_MAJOR_16X16:
      return 1;
   case VME_MAJOR_16X8:
   case VME_MAJOR_8X16:
      return v->src_h == 16 ? 2 : 1;
   default:
      return v->src_w * v->src_h / 64;
   }
}

unsigned
vme_unit_blocks(const struct vme_candidate *c, unsigned unit, uint8_t blocks[4])
{
   static const uint8_t major_first[] = {VME_AT_16X16, VME_AT_16X8, VME_AT_8X16};
   static const uint8_t minor_first[] = {VME_AT_8X8, VME_AT_8X4, VME_AT_4X8, VME_AT_4X4};
   static const uint8_t minor_count[] = {1, 2, 2, 4};
   if (c->major != VME_MAJOR_8X8) {
      blocks[0] = (uint8_t)(major_first[c->major] + unit);
      return 1;
   }
   unsigned shape = c->shape[unit], n = minor_count[shape];
   for (unsigned i = 0; i < n; i++)
      blocks[i] = (uint8_t)(minor_first[shape] + unit * n + i);
   return n;
}

/* VME-149, VME-155: the penalty of a macroblock is that of its first unit. */
int32_t
vme_unit_penalty(const struct vme *v, const struct vme_candidate *c, unsigned unit)
{
   static const uint8_t minor[] = {VME_MODE_INTER_8X8Q, VME_MODE_INTER_8X4Q, VME_MODE_INTER_8X4Q,
                                   VME_MODE_INTER_4X4Q};
   if (c->major == VME_MAJOR_8X8)
      return v->costs.mode[minor[c->shape[unit]]];
   if (unit)
      return 0;
   return v->costs.mode[c->major == VME_MAJOR_16X16 ? VME_MODE_INTER_16X16 : VME_MODE_INTER_16X8];
}

/* VME-350, with direct units counted as what they are. */
unsigned
vme_vectors(const struct vme *v, const struct vme_candidate *c)
{
   unsigned count = 0;
   uint8_t blocks[4];
   for (unsigned u = 0; u < vme_units(v, c->major); u++)
      count += vme_unit_blocks(c, u, blocks) * (c->direction[u] == VME_BIDIRECTIONAL ? 2 : 1);
   return count;
}
