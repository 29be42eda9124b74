/* What INSTDONE, SC_INSTDONE and ROW_INSTDONE tell of a GPU that hangs: a bit for each unit, 0
 * while it has work (CS-025). Looked up when it is read: nothing is kept. */
#include "cs/cs.h"
#include "device/assembly.h"
#include "machine/busy.h"
#include "media/media.h"
#include "render/render.h"

#include <string.h>

static const struct {
   const char *maker;
   struct busy_units units;
} makers[] = {
    {"GPGPU", {.instdone = REG_RCS_INSTDONE__TSG_DONE}},
    {"media root", {.instdone = REG_RCS_INSTDONE__TSG_DONE}},
    {"media child", {.instdone = REG_RCS_INSTDONE__TSG_DONE}},
    {"persistent root", {.instdone = REG_RCS_INSTDONE__TSG_DONE}},
    {"vertex shader", {.instdone = REG_RCS_INSTDONE__VS_DONE}},
    {"hull shader", {.instdone = REG_RCS_INSTDONE__HS_DONE}},
    {"domain shader", {.instdone = REG_RCS_INSTDONE__DS_DONE}},
    {"geometry shader", {.instdone = REG_RCS_INSTDONE__GS_DONE}},
    {"pixel shader", {.sc = REG_SC_INSTDONE__WMBE_DONE, .row = REG_ROW_INSTDONE__PSD_DONE}},
};

/* Two rows of four; the same bits for both half-slices. */
static uint32_t
eu_bit(unsigned eu)
{
   return (eu & 4 ? REG_ROW_INSTDONE__EU10_DONE : REG_ROW_INSTDONE__EU00_DONE) << (eu & 3);
}

static void
add_thread(void *data, const struct pergola_thread *t)
{
   struct busy_units *b = data;
   b->row |= eu_bit(t->eu) | REG_ROW_INSTDONE__TDL_DONE;
   if (t->waits_for)
      b->row |= REG_ROW_INSTDONE__GW_DONE; /* barriers, notifications */
   for (size_t i = 0; i < sizeof(makers) / sizeof(makers[0]); i++)
      if (!strcmp(t->maker, makers[i].maker)) {
         b->instdone |= makers[i].units.instdone;
         b->sc |= makers[i].units.sc;
         b->row |= makers[i].units.row;
      }
}

static struct busy_units
render_engine(struct pergola_device *dev, bool fault)
{
   struct busy_units b = {0};
   struct cs_command c;
   uint16_t held = cs_command_held(dev->cs[RCS]);
   media_busy(dev->media, held == GEN7_MEDIA_OBJECT_ID, &b);
   if (cs_command_begun(dev->cs[RCS], &c) && c.desc->id == GEN7_3DPRIMITIVE_ID)
      render_busy(dev->render, &b);
   pergola_threads(dev, add_thread, &b);
   if (fault)
      b.instdone |= REG_RCS_INSTDONE__GAM_DONE |
                    (cs_pipeline(dev) == PIPELINE_3D ? REG_RCS_INSTDONE__GAFS_DONE
                                                     : REG_RCS_INSTDONE__GAFM_DONE);
   return b;
}

/* The streamer parses: it neither waits nor has given a command to a unit. */
static bool
parses(struct pergola_device *dev, enum engine_id engine)
{
   struct cs_command c;
   return cs_state(dev->cs[engine]) == CS_RUNNING && !cs_command_begun(dev->cs[engine], &c);
}

/* The units of its codec are not modelled: they never have work. */
static uint32_t
video_engine(struct pergola_device *dev, bool fault)
{
   return (parses(dev, VCS) ? REG_VCS_INSTDONE__VCS_DONE : 0) |
          (fault ? REG_VCS_INSTDONE__GAC_DONE : 0);
}

static uint32_t
blitter_engine(struct pergola_device *dev, bool fault)
{
   struct cs_command c;
   return (parses(dev, BCS) ? REG_BCS_INSTDONE__BCS_DONE : 0) |
          (cs_command_begun(dev->cs[BCS], &c) ? REG_BCS_INSTDONE__BLITTER_DONE : 0) |
          (fault ? REG_BCS_INSTDONE__GAB_DONE : 0);
}

/* An access that will not come back: the engine stands, and its fault is on record. */
static bool
faulted(struct pergola_device *dev, enum engine_id engine)
{
   bool fatal = __atomic_load_n(&dev->fault_fatal, __ATOMIC_RELAXED) >> engine & 1;
   bool recorded = reg_get(dev, engine_fault[engine]) & REG_GFX_ENG_FR__VALID;
   return fatal || (recorded && cs_state(dev->cs[engine]) == CS_STOPPED);
}

/* `stored`: the ring's bit, which the streamer keeps. */
uint32_t
device_instdone(struct pergola_device *dev, enum engine_id engine, uint32_t stored)
{
   bool fault = faulted(dev, engine);
   uint32_t busy = engine == RCS   ? render_engine(dev, fault).instdone
                   : engine == VCS ? video_engine(dev, fault)
                                   : blitter_engine(dev, fault);
   return stored & ~busy;
}

/* Messages to the sampler and to VME are done when their instruction is: between two turns none of
 * their units has work. */
uint32_t
device_units_done(struct pergola_device *dev, uint32_t offset)
{
   struct busy_units b = render_engine(dev, false);
   return offset == REG_SC_INSTDONE ? ~b.sc : offset == REG_ROW_INSTDONE ? ~b.row : ~0u;
}
