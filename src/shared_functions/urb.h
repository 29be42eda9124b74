/* The Unified Return Buffer: rows of 256 bits in L3, shared by fixed functions and threads.
 *
 * It is stateless as a function (SF-092): who owns which rows is the business of the fixed
 * functions that hand out handles. A handle counts 512-bit units (SF-093). */
#ifndef PERGOLA_URB_H
#define PERGOLA_URB_H

#include "machine/device.h"

#define URB_ROW_SIZE 32u
#define URB_HANDLE_UNIT 64u

/* Entries of one size, side by side; in units of a handle. */
struct urb_area {
   uint32_t first, units, stride;
   uint64_t inverse; /* of stride: 2^32 / stride, rounded up */
};

enum urb_stage { URB_VS, URB_HS, URB_DS, URB_GS, URB_STAGES };

struct urb {
   struct pergola_device *dev;
   uint8_t *data;
   uint32_t size_B;       /* of the storage: the largest region that L3 can give */
   uint32_t default_ways; /* of L3, after a reset */
   /* SF-086: who hands out the entries of media threads says where that of a handle ends, in bytes
    * from the start; 0: it is none. NULL: nobody does. */
   uint64_t (*entry_end)(void *data, uint16_t handle);
   void *data_of_entries;
   /* P3D-072: those of the 3D pipeline's stages, while it draws. */
   bool has_areas;
   struct urb_area area[URB_STAGES];
};

struct urb *urb_create(struct pergola_device *dev);
void urb_destroy(struct urb *urb);
struct snapshot;
void urb_snapshot(struct urb *urb, struct snapshot *s);
/* Rows of the region that L3 gives to the URB now. */
uint32_t urb_rows(const struct urb *urb);

/* SF-094: threads of these fixed functions end by a URB message. */
static inline bool
urb_ends(unsigned ffid)
{
#define MADE_BY(name) (ffid == GEN7_FIXED_FUNCTION_ID_##name)
   return MADE_BY(VERTEX_SHADER) || MADE_BY(HULL_SHADER) || MADE_BY(DOMAIN_SHADER) ||
          MADE_BY(GEOMETRY_SHADER);
#undef MADE_BY
}

/* P3D-076: where the entry of a handle ends, in bytes; 0: no stage has it. Areas lie inside the
 * region, and handles have 16 bits, so that the product is exact. */
static inline uint64_t
urb_entry_end(const struct urb *urb, uint32_t handle)
{
   for (unsigned i = 0; i < URB_STAGES; i++) {
      const struct urb_area *a = &urb->area[i];
      uint32_t at = handle - a->first;
      if (at < a->units)
         return (uint64_t)(a->first + (uint32_t)((at * a->inverse >> 32) + 1) * a->stride) *
                URB_HANDLE_UNIT;
   }
   return 0;
}

/* Byte addresses from the start of the region. What lies outside reads as zeros and is not written
 * (SF-096); false if any part did. */
bool urb_read(const struct urb *urb, uint64_t address_B, void *data, size_t size_B);
bool urb_write(struct urb *urb, uint64_t address_B, const void *data, size_t size_B);
/* Whole rows in place, or NULL if they are not all inside. */
uint8_t *urb_row(struct urb *urb, uint32_t row, uint32_t count);

#endif
