/* Entries of translation tables: what all of them have at the same place. */
#ifndef PERGOLA_HW_GTT_H
#define PERGOLA_HW_GTT_H

#include "gen7_hw.h"

#define HW_GTT_WINDOW 0x200000u /* where BAR 0 shows the GGTT */
/* In LLC and L3. On Valleyview the same bits say writeable and snooped: good on every part. */
#define HW_GTT_CACHED GEN7_GTT_ENTRY__CACHEABILITY
_Static_assert(HW_GTT_CACHED == (GEN7_VLV_GTT_ENTRY__WRITEABLE | GEN7_VLV_GTT_ENTRY__SNOOP),
               "the same bits");

static inline uint32_t
hw_gtt_entry(uint64_t physical)
{
   return ((uint32_t)physical & GEN7_GTT_ENTRY__ADDRESS) |
          hw_put((uint32_t)(physical >> 32), GEN7_GTT_ENTRY__ADDRESS_HIGH) | GEN7_GTT_ENTRY__VALID;
}

/* MEM-004 */
static inline uint64_t
hw_gtt_address(uint32_t entry)
{
   return (uint64_t)hw_get(entry, GEN7_GTT_ENTRY__ADDRESS_HIGH) << 32 |
          (entry & GEN7_GTT_ENTRY__ADDRESS);
}

#endif
