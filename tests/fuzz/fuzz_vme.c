/* Any VME message with any state on pictures of any surface state. Payload and response are of
 * exactly the registers that the message says; memory has a hole.
 *
 * Input: 8 bytes of choices, three surface states of 32 bytes, a VME state of 128 bytes, then the
 * payload. */
#include "stand.h"

#include "shared_functions/vme/vme.h"
#include "surface/surface.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define RAM 0x40000u
#define BASE 0x00400000u
#define HOLE 0x20000u
#define STATES 0x1000u
#define VME_STATE 0x2000u
#define HEAD (8u + 96u + 128u)

static struct pergola_device *dev;
static uint8_t *ram;

static void
make(void)
{
   struct pergola_config config = {.check = PERGOLA_CHECK_REPORT, .host_threads = 1};
   dev = fuzz_stand(&config, BASE, RAM, HOLE, &ram);
}

/* Choice bits 0 to 2: the base of that surface is put into memory; 3 to 5: its size is made small.
 */
static void
put_surfaces(const uint8_t *data, uint8_t choice)
{
   for (uint32_t i = 0; i < 3; i++) {
      uint32_t dw[8], entry = STATES + 32 * i;
      memcpy(dw, data + 32 * i, 32);
      if (choice >> i & 1)
         dw[0] = BASE + 0x8000 + dw[0] % (RAM - 0x8000);
      if (choice >> (3 + i) & 1)
         dw[1] &= 0x01fc07ff;
      memcpy(ram + entry, dw, 32);
      memcpy(ram + 4 * i, &entry, 4);
   }
   surface_cache_invalidate(dev->surfaces);
}

static void
send(struct eu_thread *t, const uint8_t *data, size_t size, const uint8_t *choice, uint8_t *answer)
{
   unsigned mlen = choice[1] & 15, rlen = choice[2] & 31;
   size_t in = mlen * EU_REG_SIZE, out = rlen * EU_REG_SIZE;
   uint8_t *payload = aligned_alloc(32, in + 32 * !in),
           *response = aligned_alloc(32, out + 32 * !out);
   if (!payload || !response)
      abort();
   memset(payload, 0, in);
   memcpy(payload, data, size < in ? size : in);
   struct sf_message m = {.sfid = SFID_VME,
                          .header = !(choice[3] & 1),
                          .eot = (choice[3] & 0xf0) == 0xf0,
                          .mlen = (uint8_t)mlen,
                          .rlen = (uint8_t)rlen,
                          .exec_size = 8,
                          .exec_mask = 0xff,
                          .payload = payload,
                          .response = rlen ? response : NULL};
   uint32_t control;
   memcpy(&control, choice + 4, 4);
   m.desc = (control & 0x7ff00) | (control & 0xff) % 5 | (uint32_t)m.header << 19 | rlen << 20 |
            mlen << 25;
   if (sf_send(t, &m) != SF_OK)
      abort();
   memset(answer, 0, 32 * EU_REG_SIZE);
   memcpy(answer, response, out);
   free(payload);
   free(response);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   static struct eu_thread t;
   uint8_t answer[32 * EU_REG_SIZE];
   if (!dev)
      make();
   if (size < HEAD)
      return 0;
   struct eu_env env = {.dev = dev,
                        .space = &dev->ggtt,
                        .surface_state_base = BASE,
                        .dynamic_state_base = BASE,
                        .engine = "EU",
                        .media_pipeline = true};
   for (uint32_t i = 0; i < RAM; i++) /* pictures with something in them */
      ram[i] = (uint8_t)(i * 31 ^ i >> 7 ^ data[i % size]);
   put_surfaces(data + 8, data[0]);
   memcpy(ram + VME_STATE, data + 8 + 96, 128);
   memset(&t, 0, sizeof(t));
   t.env = &env;
   t.sampler_states = data[3] & 2 ? 0x7ffffff0 : VME_STATE;
   send(&t, data + HEAD, size - HEAD, data, answer);
   rules_clear_stop(dev);
   return 0;
}
