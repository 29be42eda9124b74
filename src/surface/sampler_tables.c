/* 3DSTATE_CHROMA_KEY, 3DSTATE_SAMPLER_PALETTE_LOAD0/1, 3DSTATE_MONOFILTER_SIZE. */
#include "surface/sampler_tables.h"

#include "gen7_hw.h"

#include <string.h>

/* SMP-200: entries from index 0 on; a short load leaves the rest. */
static void
load_palette(uint32_t palette[256], const uint32_t *dw, uint32_t count)
{
   uint32_t entries = count > 257 ? 256 : count - 1;
   memcpy(palette, dw + 1, entries * sizeof(uint32_t));
}

void
sampler_tables_command(struct sampler_tables *t, const uint32_t *dw, uint32_t count)
{
   if (count < 2)
      return;
   switch (dw[0] >> 16) {
   case GEN7_3DSTATE_CHROMA_KEY_HEADER >> 16: /* SMP-199 */
      if (count >= 4) {
         unsigned key = hw_get(dw[1], GEN7_3DSTATE_CHROMA_KEY__CHROMAKEY_TABLE_INDEX);
         t->chroma_key[key].low = dw[2];
         t->chroma_key[key].high = dw[3];
      }
      break;
   case GEN7_3DSTATE_SAMPLER_PALETTE_LOAD0_HEADER >> 16:
      load_palette(t->palette[0], dw, count);
      break;
   case GEN7_3DSTATE_SAMPLER_PALETTE_LOAD1_HEADER >> 16:
      load_palette(t->palette[1], dw, count);
      break;
   case GEN7_3DSTATE_MONOFILTER_SIZE_HEADER >> 16: /* SMP-201 */
      t->mono_width = (uint8_t)hw_get(dw[1], GEN7_3DSTATE_MONOFILTER_SIZE__MONOCHROME_FILTER_WIDTH);
      t->mono_height =
          (uint8_t)hw_get(dw[1], GEN7_3DSTATE_MONOFILTER_SIZE__MONOCHROME_FILTER_HEIGHT);
      break;
   }
}
