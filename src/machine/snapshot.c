/* The visitor that saves and loads, and what the machine itself has to remember. */
#include "machine/snapshot.h"

#include "machine/regs.h"

#include <stdlib.h>
#include <string.h>

void
snapshot_refuse(struct snapshot *s, const char *what)
{
   if (!s->refused)
      s->refused = what;
}

static void
append(struct snapshot *s, const void *data, size_t size)
{
   if (s->room - s->size < size) {
      size_t room = 2 * s->room + size + 65536;
      uint8_t *bigger = realloc(s->data, room);
      if (!bigger) {
         snapshot_refuse(s, "out of memory");
         return;
      }
      s->data = bigger;
      s->room = room;
   }
   memcpy(s->data + s->size, data, size);
   s->size += size;
}

void
snapshot_bytes(struct snapshot *s, void *data, size_t size)
{
   if (!s->loading) {
      append(s, data, size);
      return;
   }
   if (s->size - s->at < size)
      snapshot_refuse(s, "it is cut off");
   if (s->refused) {
      memset(data, 0, size);
      return;
   }
   memcpy(data, s->data + s->at, size);
   s->at += size;
}

void
snapshot_room(struct snapshot *s, const char name[4])
{
   char found[4];
   memcpy(found, name, sizeof(found));
   snapshot_bytes(s, found, sizeof(found));
   snapshot_check(s, !memcmp(found, name, sizeof(found)), "a room is not where it should be");
}

void
snap_bool(struct snapshot *s, bool *x)
{
   uint8_t v = *x;
   snap_u8(s, &v);
   snapshot_check(s, v < 2, "a truth value");
   *x = v & 1;
}

void
snapshot_space(struct snapshot *s, struct mem_space **space)
{
   struct pergola_device *dev = s->dev;
   uint8_t index = 0;
   for (unsigned e = 0; e < ENGINE_COUNT; e++)
      if (*space == &dev->ppgtt[e])
         index = (uint8_t)(1 + e);
   SNAP_BELOW(s, index, 1 + ENGINE_COUNT);
   if (s->loading)
      *space = index ? &dev->ppgtt[index - 1] : &dev->ggtt;
}

void
snapshot_sparse(struct snapshot *s, void *data, size_t size)
{
   static const uint8_t zeros[MEM_PAGE_SIZE];
   for (size_t at = 0; at < size; at += MEM_PAGE_SIZE) {
      size_t part = size - at < MEM_PAGE_SIZE ? size - at : MEM_PAGE_SIZE;
      uint8_t *page = (uint8_t *)data + at;
      bool any = !s->loading && memcmp(page, zeros, part);
      snap_bool(s, &any);
      if (any)
         snapshot_bytes(s, page, part);
      else if (s->loading)
         memset(page, 0, part);
   }
}

/* ---- the machine ------------------------------------------------------------------------------
 */

static void
directory(struct mem_space *space, struct snapshot *s)
{
   SNAP(s, space->directory_loaded);
   SNAP(s, space->pp_dir_base);
   SNAP(s, space->pp_dclv_lo);
   SNAP(s, space->pp_dclv_hi);
}

/* What has side effects waits there because it has some; anything else cannot. */
static void
posted_writes(struct pergola_device *dev, struct snapshot *s)
{
   SNAP_BELOW(s, dev->posted_count, MAX_POSTED_WRITES + 1);
   for (unsigned i = 0; i < dev->posted_count; i++) {
      SNAP_BELOW(s, dev->posted[i].offset, MMIO_REGISTERS_SIZE);
      snapshot_check(s, !(dev->posted[i].offset & 3), "the offset of a register");
      SNAP(s, dev->posted[i].value);
   }
}

void
machine_snapshot(struct pergola_device *dev, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct mem_space, 104);
   snapshot_room(s, "MACH");
   for (uint32_t i = 0; i < MMIO_REGISTERS_SIZE / 4; i++)
      if (dev->reg_row[i])
         SNAP(s, dev->mmio[i]);
   snapshot_sparse(s, dev->gsm, MEM_GSM_SIZE);
   for (unsigned e = 0; e < ENGINE_COUNT; e++)
      directory(&dev->ppgtt[e], s);
   SNAP(s, dev->time_ns);
   SNAP(s, dev->eu_clock);
   SNAP_ARRAY(s, dev->oa_a);
   SNAP_ARRAY(s, dev->oa_b);
   SNAP(s, dev->interrupt_line);
   SNAP_ARRAY(s, dev->second_event);
   SNAP(s, dev->fault_event);
   SNAP(s, dev->fault_fatal);
   SNAP_ARRAY(s, dev->punit);
   SNAP(s, dev->wells_asleep);
   SNAP(s, dev->io_index);
   posted_writes(dev, s);
}
