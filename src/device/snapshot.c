/* The whole device saved and restored: see machine/snapshot.h.
 *
 * A snapshot is a header and the rooms in a fixed order. It belongs to the library that made it:
 * the order of what is visited is the format, and VERSION counts its changes. Memory is the host's,
 * and not in it. */
#include "blitter/blitter.h"
#include "cs/cs.h"
#include "device/assembly.h"
#include "dispatch/dispatch.h"
#include "gen11/gen11.h"
#include "machine/snapshot.h"
#include "media/media.h"
#include "render/render.h"
#include "shared_functions/gateway.h"
#include "shared_functions/urb.h"
#include "surface/cache.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define VERSION 2u

static const char magic[8] = "PERGOLA";

struct header {
   char magic[8];
   uint32_t version;
   uint32_t layout; /* of the tables that the rooms follow */
   uint64_t size;   /* of what follows */
   uint64_t sum;    /* of its bytes */
   char part[32];
};

/* Not a matter of trust: a file that was damaged is to be told from one that is ours. */
static uint64_t
sum_of(const uint8_t *data, size_t size)
{
   uint64_t sum = UINT64_C(0xcbf29ce484222325);
   for (; size >= 8; data += 8, size -= 8) {
      uint64_t word;
      memcpy(&word, data, sizeof(word));
      sum = (sum ^ word) * UINT64_C(0x100000001b3);
      sum ^= sum >> 29;
   }
   for (; size; data++, size--)
      sum = (sum ^ *data) * UINT64_C(0x100000001b3);
   return sum;
}

static struct header
header_of(const struct pergola_device *dev, const uint8_t *data, size_t size)
{
   struct header h = {.version = VERSION,
                      .layout = (uint32_t)(hw_register_count << 12 ^ GEN7_COMMAND_COUNT),
                      .size = size,
                      .sum = sum_of(data, size)};
   memcpy(h.magic, magic, sizeof(h.magic));
   strncpy(h.part, dev->sku.name, sizeof(h.part) - 1);
   return h;
}

void
device_snapshot_seal(const struct pergola_device *dev, void *snapshot, size_t size)
{
   uint8_t *data = snapshot;
   if (size < sizeof(struct header))
      return;
   struct header h = header_of(dev, data + sizeof(h), size - sizeof(h));
   memcpy(data, &h, sizeof(h));
}

static void
sampler_snapshot(struct sampler_tables *t, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct sampler_tables, 2084);
   snapshot_room(s, "SAMP");
   snapshot_bytes(s, t->chroma_key, sizeof(t->chroma_key));
   snapshot_bytes(s, t->palette, sizeof(t->palette));
   SNAP_BELOW(s, t->mono_width, 8);
   SNAP_BELOW(s, t->mono_height, 8);
}

static void
gen11_rooms(struct pergola_device *dev, struct snapshot *s)
{
   gen11_snapshot(dev->gen11, s);
   pci_snapshot(dev->pci, s);
   rules_snapshot(dev->rules, s);
   snapshot_room(s, "END ");
   snapshot_check(s, s->at == s->size, "something lies behind its end");
}

/* Lower rooms first, but those that the making of others changes come behind them. */
static void
rooms(struct pergola_device *dev, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct pergola_device, 2920);
   if (dev->gen11) {
      gen11_rooms(dev, s);
      return;
   }
   size_t machine = s->at;
   machine_snapshot(dev, s);
   for (unsigned e = 0; e < ENGINE_COUNT; e++)
      cs_snapshot(dev->cs[e], s);
   media_snapshot(dev->media, s);
   blitter_snapshot(dev->blitter, s);
   render_snapshot(dev->render, s);
   sampler_snapshot(&dev->surfaces->sampler, s);
   urb_snapshot(dev->urb, s);
   gateway_snapshot(dev->gateway, s);
   dispatcher_snapshot(dev->dispatcher, s);
   pci_snapshot(dev->pci, s);
   rules_snapshot(dev->rules, s);
   snapshot_room(s, "END ");
   if (!s->loading || s->refused)
      return;
   snapshot_check(s, s->at == s->size, "something lies behind its end");
   s->at = machine; /* commands that were begun again may have faulted, and counted */
   machine_snapshot(dev, s);
}

int64_t
pergola_device_save(struct pergola_device *dev, void *buffer, size_t size)
{
   struct snapshot s = {.dev = dev};
   if (!dev->gen11)
      cs_oa_settle(dev->cs[RCS]);
   rooms(dev, &s);
   struct header h = header_of(dev, s.data, s.size);
   int64_t need = (int64_t)(sizeof(h) + s.size);
   if (!s.refused && size >= sizeof(h) + s.size) {
      memcpy(buffer, &h, sizeof(h));
      memcpy((uint8_t *)buffer + sizeof(h), s.data, s.size);
   }
   free(s.data);
   return s.refused ? -ENOMEM : need;
}

static const char *
header_problem(const struct pergola_device *dev, const uint8_t *data, size_t size)
{
   struct header h;
   if (size < sizeof(h))
      return "it is cut off";
   memcpy(&h, data, sizeof(h));
   struct header want = header_of(dev, data + sizeof(h), size - sizeof(h));
   if (memcmp(h.magic, want.magic, sizeof(h.magic)))
      return "it is no snapshot of a device";
   if (h.version != want.version || h.layout != want.layout)
      return "it was made by another version";
   if (memcmp(h.part, want.part, sizeof(h.part)))
      return "it is of another part";
   if (h.size != want.size)
      return h.size > want.size ? "it is cut off" : "something lies behind its end";
   return h.sum != want.sum ? "it is damaged" : NULL;
}

static void
tell_interrupt(struct pergola_device *dev)
{
   if (!dev->gen11)
      interrupt_update(dev);
   if (dev->interrupt_fn)
      dev->interrupt_fn(dev->interrupt_data, dev->interrupt_line);
}

int
pergola_device_restore(struct pergola_device *dev, const void *buffer, size_t size,
                       const char **error)
{
   const char *problem = header_problem(dev, buffer, size);
   if (!problem) {
      struct snapshot s = {.dev = dev,
                           .loading = true,
                           .data = (uint8_t *)(uintptr_t)buffer,
                           .size = size,
                           .at = sizeof(struct header)};
      device_forget_memory(dev);
      rules_mute(dev, true);
      rooms(dev, &s);
      rules_mute(dev, false);
      device_forget_memory(dev);
      problem = s.refused;
      if (!dev->gen11)
         cs_oa_resume(dev->cs[RCS]);
      if (problem)
         device_function_reset(dev);
      else
         tell_interrupt(dev);
   }
   if (problem && error)
      *error = problem;
   return problem ? -EINVAL : 0;
}
