/* Force wake: domains by range, registers that need none, media boxes. */
#include "gen11/gen11_internal.h"

/* SYS-421 */
enum wake_domain
gen11_wake_domain(uint32_t offset)
{
   if (offset == REG_ICL_GDRST) /* SYS-423: reset needs none */
      return WAKE_NONE;
   if (reg_in_icl_gt_domain(offset))
      return WAKE_GT;
   if (reg_in_icl_render_domain(offset))
      return WAKE_RENDER;
   if (reg_in_icl_vdbox_0_domain(offset))
      return WAKE_VDBOX0;
   if (reg_in_icl_vdbox_2_domain(offset))
      return WAKE_VDBOX0 + 2;
   return reg_in_icl_vebox_0_domain(offset) ? WAKE_VEBOX0 : WAKE_NONE;
}

bool
gen11_shadowed(uint32_t offset)
{
   return reg_in_icl_shadowed(offset);
}

/* SYS-198..205: whose place in a decoder; NULL: nobody's. */
static const char *
decode_client(uint32_t own)
{
   return reg_in_icl_vdbox_vcs(own)      ? "VCS"
          : reg_in_icl_vdbox_mfx(own)    ? "MFX"
          : reg_in_icl_vdbox_huc(own)    ? "HuC"
          : reg_in_icl_vdbox_hevc(own)   ? "HEVC"
          : reg_in_icl_vdbox_hevcfe(own) ? "HEVCFE"
          : reg_in_icl_vdbox_cpcfg(own)  ? "CPCFG"
                                         : NULL;
}

/* SYS-206..209 */
static const char *
enhance_client(uint32_t own)
{
   return reg_in_icl_vebox_vecs(own) ? "VECS" : reg_in_icl_vebox_vfw(own) ? "VFW" : NULL;
}

#define MEDIA_SLICE_SIZE (REG_BASE_VCS2 - REG_BASE_VCS0)
#define MEDIA_BOX_SIZE (MEDIA_SLICE_SIZE / 4)

/* SYS-185: in a slice two decoders, then an enhancer, then nothing. */
bool
gen11_media_client(uint32_t offset, struct media_client *c)
{
   uint32_t at = offset - RANGE_ICL_MEDIA_FIRST, own = at % MEDIA_BOX_SIZE;
   unsigned slice = at / MEDIA_SLICE_SIZE, box = at % MEDIA_SLICE_SIZE / MEDIA_BOX_SIZE;
   if (!reg_in_icl_media(offset) || box == 3)
      return false;
   bool enhances = box == 2;
   *c = (struct media_client){.box = enhances ? "VEBOX" : "VDBOX",
                              .client = enhances ? enhance_client(own) : decode_client(own),
                              .index = (uint8_t)(enhances ? slice : 2 * slice + box),
                              .slice = (uint8_t)slice,
                              .subslice = (uint8_t)(box == 1)};
   return true;
}
