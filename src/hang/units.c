/* The units behind the bits of INSTDONE. The bits are the register's fields in spec/registers. */
#include "hang/units.h"

#include <string.h>

static const struct {
   const char *field, *meaning;
} meanings[] = {
    {"GAM Done", "memory arbiter: an access has not come back"},
    {"GAFM Done", "memory path of the media functions: an access has not come back"},
    {"TSG Done", "thread spawner: EU threads have not ended"},
    {"VFE Done", "media front end: its work is not dispatched yet"},
    {"GAFS Done", "memory path of the fixed functions: an access has not come back"},
    {"SVG Done", "state variables: indirect state is still being fetched"},
    {"URBM Done", "URB manager: no space in the URB, or handles that nobody gave back"},
    {"TDG Done", "thread dispatcher: threads wait for a free slot"},
    {"SF Done", "setup: objects wait for the windower"},
    {"CL Done", "clipper"},
    {"SOL Done", "stream output"},
    {"GS Done", "geometry shader: its threads have not ended"},
    {"DS Done", "domain shader: its threads have not ended"},
    {"TE Done", "tessellator"},
    {"HS Done", "hull shader: its threads have not ended"},
    {"VS Done", "vertex shader: its threads have not ended"},
    {"VF Done", "vertex fetch: vertices are still being read"},
    {"BCS Done", "blitter command streamer"},
    {"GAB Done", "memory path of the blitter: an access has not come back"},
    {"VCS Done", "video command streamer"},
    {"GAC Done", "memory path of the video engine: an access has not come back"},
    {"Blitter Done", "blitter: a blit has not ended"},
};

const struct hw_layout *
hang_instdone(unsigned engine, unsigned device_bit)
{
   const char *name = engine == HW_VCS   ? "VCS_INSTDONE"
                      : engine == HW_BCS ? "BCS_INSTDONE"
                                         : "RCS_INSTDONE";
   const struct hw_register *r = hw_register_by_name(name, device_bit);
   return r ? r->layout : NULL;
}

static bool
is_ring(const struct hw_field *f)
{
   return !strcmp(f->name, "Ring Done");
}

static bool
is_unit(const struct hw_field *f)
{
   return f->type < HW_MBZ && f->start == f->end;
}

uint32_t
hang_unit_bits(const struct hw_layout *instdone)
{
   uint32_t bits = 0;
   for (unsigned i = 0; instdone && i < instdone->field_count; i++)
      if (is_unit(&instdone->fields[i]))
         bits |= 1u << instdone->fields[i].start;
   return bits;
}

uint32_t
hang_ring_bit(const struct hw_layout *instdone)
{
   for (unsigned i = 0; instdone && i < instdone->field_count; i++)
      if (is_ring(&instdone->fields[i]))
         return 1u << instdone->fields[i].start;
   return 0;
}

/* What most of the video codec's units are for is not published. */
static void
tell_unit(const struct hw_field *f, hang_unit_fn fn, void *data)
{
   char unit[16] = "";
   const char *meaning = "a unit of the codec";
   memcpy(unit, f->name, strcspn(f->name, " ") % sizeof(unit));
   for (size_t k = 0; k < sizeof(meanings) / sizeof(meanings[0]); k++)
      if (!strcmp(meanings[k].field, f->name))
         meaning = meanings[k].meaning;
   fn(data, unit, meaning);
}

unsigned
hang_busy_units(uint32_t value, unsigned engine, unsigned device_bit, hang_unit_fn fn, void *data)
{
   const struct hw_layout *l = hang_instdone(engine, device_bit);
   unsigned busy = 0;
   for (unsigned i = 0; l && i < l->field_count; i++) {
      const struct hw_field *f = &l->fields[i];
      if (!is_unit(f) || is_ring(f) || value >> f->start & 1)
         continue;
      busy++;
      if (fn)
         tell_unit(f, fn, data);
   }
   return busy;
}
