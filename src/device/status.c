/* What a front end asks of an engine beyond its registers. */
#include "cs/cs.h"
#include "gen11/gen11.h"
#include "machine/device.h"

void
pergola_engine_status(const struct pergola_device *dev, enum pergola_engine engine,
                      struct pergola_engine_status *status)
{
   static const enum pergola_engine_state states[] = {
       [CS_IDLE] = PERGOLA_ENGINE_IDLE,
       [CS_RUNNING] = PERGOLA_ENGINE_RUNNING,
       [CS_WAITING] = PERGOLA_ENGINE_WAITING,
       [CS_STOPPED] = PERGOLA_ENGINE_STOPPED,
   };
   *status = (struct pergola_engine_status){.rule_stopped = rules_stopped(dev)};
   if ((unsigned)engine >= ENGINE_COUNT)
      return;
   if (dev->gen11) {
      static const enum gen11_engine engines[ENGINE_COUNT] = {GEN11_RCS0, GEN11_VCS0, GEN11_BCS0};
      gen11_engine_status(dev->gen11, engines[engine], status);
      return;
   }
   status->state = states[cs_state(dev->cs[engine])];
   status->faulted = __atomic_load_n(&dev->fault_fatal, __ATOMIC_RELAXED) >> engine & 1;
}

const char *
pergola_command_name(const struct pergola_device *dev, enum pergola_engine engine, uint32_t header)
{
   if ((unsigned)engine >= ENGINE_COUNT)
      return NULL;
   const struct hw_command *c = hw_command_find(header, 1u << engine, dev->hw_device);
   return c ? c->layout.name : NULL;
}

uint64_t
pergola_tile_offset(enum pergola_tiling tiling, uint32_t x, uint32_t y, uint32_t pitch)
{
   return mem_tile_offset(tiling == PERGOLA_TILING_X ? MEM_TILE_X : MEM_TILE_Y, x, y, pitch);
}
