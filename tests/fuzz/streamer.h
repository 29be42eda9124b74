/* Any bytes as the ring or the batch of one engine. After each input the engine is reset and has to
 * run a good batch. */
#ifndef FUZZ_STREAMER_H
#define FUZZ_STREAMER_H

#include "machine/device.h"
#include "stand.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FUZZ_RAM 0x200000u
#define FUZZ_RING 0x10000u
#define FUZZ_BATCH 0x20000u
#define FUZZ_DATA 0x180000u
#define FUZZ_TABLE 0x1f0000u
#define FUZZ_DIRECTORY 0x40000u

struct fuzz_streamer {
   struct pergola_device *dev;
   uint8_t *ram;
};

static struct fuzz_streamer *
fuzz_streamer_stand(void)
{
   static struct fuzz_streamer s;
   if (s.dev)
      return &s;
   struct pergola_config config = {.check = PERGOLA_CHECK_REPORT, .host_threads = 1};
   s.dev = fuzz_stand(&config, 0, FUZZ_RAM, FUZZ_NO_HOLE, &s.ram);
   return &s;
}

static void
fuzz_write(struct fuzz_streamer *s, uint32_t offset, uint32_t value)
{
   pergola_mmio_write(s->dev, offset, 4, value);
}

/* Memory, translation and the engine as new. */
static void
fuzz_fresh(struct fuzz_streamer *s, enum engine_id e, bool ppgtt)
{
   uint32_t base = engine_base[e];
   static const uint32_t status[ENGINE_COUNT] = {REG_RCS_HWS_PGA, REG_VCS_HWS_PGA, REG_BCS_HWS_PGA};
   memset(s->ram, 0, FUZZ_RAM);
   fuzz_write(s, REG_GDRST, 1);
   fuzz_map(s->dev, 0, FUZZ_RAM, FUZZ_NO_HOLE);
   for (uint32_t at = 0; at < FUZZ_RAM; at += 4096)
      memcpy(s->ram + FUZZ_TABLE + at / 1024, &(uint32_t){(FUZZ_PHYSICAL + at) | 7}, 4);
   fuzz_write(s, PERGOLA_MMIO_SIZE / 2 + 4 * FUZZ_DIRECTORY, (FUZZ_PHYSICAL + FUZZ_TABLE) | 1);
   fuzz_write(s, base + ENGINE_PP_DCLV, 0xffffffff);
   fuzz_write(s, base + ENGINE_PP_DIR_BASE, (FUZZ_DIRECTORY * 4 / 64) << 16);
   fuzz_write(s, base + ENGINE_GFX_MODE, ppgtt ? 0x02000200 : 0x02000000);
   fuzz_write(s, status[e], 0x8000);
   fuzz_write(s, base + ENGINE_RING_BUFFER_CTL, 0);
   fuzz_write(s, base + ENGINE_RING_BUFFER_HEAD, 0);
   fuzz_write(s, base + ENGINE_RING_BUFFER_TAIL, 0);
   fuzz_write(s, base + ENGINE_RING_BUFFER_START, FUZZ_RING);
}

static void
fuzz_good_batch(struct fuzz_streamer *s, enum engine_id e)
{
   static const uint32_t batch[] = {0x10400002, 0, FUZZ_DATA, 0x600d, 0x05000000, 0};
   static const uint32_t ring[] = {0x18800000, FUZZ_BATCH};
   fuzz_fresh(s, e, false);
   memcpy(s->ram + FUZZ_BATCH, batch, sizeof(batch));
   memcpy(s->ram + FUZZ_RING, ring, sizeof(ring));
   fuzz_write(s, engine_base[e] + ENGINE_RING_BUFFER_CTL, 1);
   fuzz_write(s, engine_base[e] + ENGINE_RING_BUFFER_TAIL, 8);
   uint32_t stored;
   enum pergola_run_result r = pergola_run(s->dev, 1000);
   memcpy(&stored, s->ram + FUZZ_DATA, 4);
   if (r != PERGOLA_RUN_IDLE || stored != 0x600d)
      abort();
}

/* Byte 0: bit 0 ring or batch, bit 1 non-secure, bit 2 per-process GTT, 4:3 pages of the ring - 1;
 * bytes 1 and 2: the tail, when it is a ring; when and how far from its start a batch that is left
 * comes again; the rest are commands. */
static inline int
fuzz_streamer(enum engine_id e, const uint8_t *data, size_t size)
{
   struct fuzz_streamer *s = fuzz_streamer_stand();
   if (size < 4)
      return 0;
   uint32_t base = engine_base[e];
   bool in_ring = data[0] & 1;
   uint32_t pages = (data[0] >> 3 & 3) + 1, tail = 8;
   size_t n = size - 3;
   fuzz_fresh(s, e, data[0] & 4);
   if (in_ring) {
      memcpy(s->ram + FUZZ_RING, data + 3, n < pages * 4096 ? n : pages * 4096);
      tail = (uint32_t)data[1] << 8 | data[2];
      if (!(data[0] & 0x20))
         tail = (uint32_t)(n + 7) & ~7u;
   } else {
      uint32_t start[2] = {0x18800000 | (data[0] & 2 ? 0x100u : 0), FUZZ_BATCH};
      memcpy(s->ram + FUZZ_RING, start, 8);
      memcpy(s->ram + FUZZ_BATCH, data + 3, n < 0x40000 ? n : 0x40000);
   }
   uint32_t control = (pages - 1) << 12 | (data[0] >> 6) << 1 | 1;
   fuzz_write(s, base + ENGINE_RING_BUFFER_CTL, control);
   fuzz_write(s, base + ENGINE_RING_BUFFER_TAIL, tail);
   if (!in_ring && data[1]) { /* the ring is switched off in the middle */
      pergola_run(s->dev, data[1]);
      fuzz_write(s, base + ENGINE_RING_BUFFER_CTL, 0);
      fuzz_write(s, base + ENGINE_RING_BUFFER_HEAD, 0);
      memcpy(s->ram + FUZZ_RING + 4, &(uint32_t){FUZZ_BATCH + 4u * data[2]}, 4);
      fuzz_write(s, base + ENGINE_RING_BUFFER_CTL, control);
   }
   pergola_run(s->dev, 5000);
   fuzz_write(s, base + REG_RBSYNC - REG_BASE_RCS, 0xffffffff); /* wake what waits */
   pergola_run(s->dev, 1000);
   fuzz_good_batch(s, e);
   return 0;
}

#endif
