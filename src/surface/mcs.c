#include "surface/mcs.h"

#include "surface/format.h"

void
mcs_surface(const struct surface *s, struct surface *out)
{
   *out = *s;
   out->base = s->mcs_base;
   out->pitch_B = s->mcs_pitch_tiles * 128;
   out->tiling = MEM_TILE_Y;
   out->format = s->samples == 8 ? GEN7_SURFACE_FORMAT_R32_UINT : GEN7_SURFACE_FORMAT_R8_UINT;
   out->info = format_get(out->format);
   out->samples = 1;
   out->interleaved = 0;
   out->rules = 0;
}
