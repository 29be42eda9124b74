/* The engines: their names and address spaces. */
#include "machine/device.h"

const char *const engine_names[ENGINE_COUNT] = {"RCS", "VCS", "BCS"};
const uint32_t engine_fault[ENGINE_COUNT] = {REG_GFX_ENG_FR, REG_MEDIA_ENG_FR, REG_BLT_ENG_FR};

/* RCS-005: GFX_MODE[9] chooses. */
struct mem_space *
device_data_space(struct pergola_device *dev, enum engine_id engine)
{
   uint32_t mode = reg_get(dev, engine_base[engine] + ENGINE_GFX_MODE);
   return mode & REG_RCS_GFX_MODE__PER_PROCESS_GTT_ENABLE ? &dev->ppgtt[engine] : &dev->ggtt;
}
