/* Any surface states and any messages to the data ports (shared functions 4, 5, 9, 10), on a device
 * with a little memory. Payload and response are of exactly the registers that the message says, so
 * that a register too many is seen; memory, and shared local memory, end where they end.
 *
 * Input: 4 bytes of choices, SURFACES states of 32 bytes, then messages: 16 bytes of choices each,
 * and a payload. */
#include "stand.h"

#include "eu/group.h"
#include "shared_functions/quick.h"
#include "shared_functions/sf.h"
#include "surface/hazard.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define RAM 0x40000u
#define BASE 0x00400000u
#define HOLE 0x20000u  /* a page in the middle that is not mapped */
#define STATES 0x1000u /* from the surface state base, which is BASE */
#define SURFACES 4u
#define MESSAGES 16u
#define PAYLOAD 64u /* bytes of a payload that the input gives; the rest follows from them */

struct target {
   struct pergola_device *dev;
   uint8_t *ram, *slm;
   uint32_t slm_size_B;
};

struct choices {
   uint8_t sfid, lengths, flags, bti;
   uint32_t control, exec_mask, step;
};
_Static_assert(sizeof(struct choices) == 16, "as in the input");

static void
make(struct target *t, const char *sku, bool hazards)
{
   struct pergola_config config = {.sku = sku, .check = PERGOLA_CHECK_REPORT, .host_threads = 1};
   t->dev = fuzz_stand(&config, BASE, RAM, HOLE, &t->ram);
   t->slm_size_B = hazards ? 0x10000 : 0x1000;
   t->slm = calloc(1, t->slm_size_B);
   if (!t->slm)
      abort();
   if (hazards && hazard_enable(t->dev->surfaces, true))
      abort();
}

/* Choices, by bit: 0 to 3, the base of that surface is put into memory; 4 to 7, its height and
 * depth are made small. */
static void
put_surfaces(struct target *t, const uint8_t *data, uint8_t choice)
{
   for (uint32_t i = 0; i < SURFACES; i++) {
      uint32_t dw[8], entry = STATES + 32 * i;
      memcpy(dw, data + 32 * i, 32);
      if (choice >> i & 1)
         dw[1] = BASE + dw[1] % RAM;
      if (choice >> (4 + i) & 1) {
         dw[2] &= 0x003f007f;
         dw[3] &= 0x007fffff;
      }
      memcpy(t->ram + entry, dw, 32);
      memcpy(t->ram + 4 * i, &entry, 4);
   }
   uint32_t odd[2] = {STATES + 4, 0x7fffffe0}; /* misaligned; points nowhere */
   memcpy(t->ram + 4 * SURFACES, odd, sizeof(odd));
   surface_cache_invalidate(t->dev->surfaces);
}

/* The first registers are the input's. After them slots lie `step` bytes apart, so that some are
 * near each other. */
static void
fill(uint8_t *payload, size_t size, const uint8_t *data, size_t given, uint32_t step)
{
   size_t have = given < size ? given : size;
   uint32_t v = 0;
   memcpy(payload, data, have);
   for (size_t at = (have + 3) & ~(size_t)3; at + 4 <= size; at += 4, v += step)
      memcpy(payload + at, &v, 4);
}

/* The same message between registers, the fast path if it has one. */
static bool
send_quick(struct eu_thread *t, const struct sf_message *m)
{
   struct sf_quick q;
   unsigned to = m->response == m->payload ? 10 : 60;
   if (!sf_quick_select(&q, t->env->dev, m->sfid, m->desc, m->eot, 10, m->rlen ? to : EU_GRF_COUNT))
      return false;
   memcpy(t->grf + 10 * EU_REG_SIZE, m->payload, m->mlen * EU_REG_SIZE);
   return q.fn(t, &q, m->exec_mask);
}

static void
send_message(struct eu_thread *t, const struct choices *c, const uint8_t *data, size_t given)
{
   static const uint8_t sfids[4] = {SFID_DP_SAMPLER, SFID_DP_RENDER, SFID_DP_CONSTANT,
                                    SFID_DP_DATA0};
   unsigned mlen = c->lengths & 15, rlen = c->lengths >> 4 | (c->flags >> 1 & 1) << 4;
   uint32_t bti = c->bti & 0x80 ? c->bti : c->bti % (SURFACES + 3);
   size_t in = mlen * EU_REG_SIZE, out = rlen * EU_REG_SIZE;
   bool same = c->flags & 8; /* the response overlaps the payload */
   uint8_t *payload =
       aligned_alloc(32, (same && out > in ? out : in) + 32 * (!in && !(same && out)));
   uint8_t *response = same || !out ? payload : aligned_alloc(32, out);
   if (!payload || !response)
      abort();
   if (!same && out)
      memset(response, 0xa5, out);
   fill(payload, in, data, given, c->step);
   struct sf_message m = {.sfid = sfids[c->sfid & 3],
                          .header = c->flags & 1,
                          .eot = (c->flags & 0xf0) == 0xf0,
                          .mlen = (uint8_t)mlen,
                          .rlen = (uint8_t)rlen,
                          .exec_size = c->flags & 4 ? 16 : 8,
                          .exec_mask = c->exec_mask & (c->flags & 4 ? 0xffff : 0xff),
                          .payload = payload,
                          .response = rlen ? response : NULL};
   m.desc = (c->control & 0x7ff00) | bti | (uint32_t)m.header << 19 | rlen << 20 | mlen << 25;
   bool done = c->sfid & 4 && send_quick(t, &m);
   if (!done && sf_dataport(t, &m) != SF_OK &&
       !pergola_diagnostic_count(t->env->dev, PERGOLA_ERROR))
      abort(); /* a fault that nobody named */
   if (response != payload)
      free(response);
   free(payload);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   static struct target targets[3];
   static struct eu_thread t;
   static struct sf_buffers buffers;
   if (!targets[0].dev) {
      make(&targets[0], "ivb-gt2", false);
      make(&targets[1], "vlv", false);
      make(&targets[2], "ivb-gt2", true);
   }
   if (size < 4 + 32 * SURFACES + sizeof(struct choices))
      return 0;
   struct target *target = &targets[data[0] % 3];
   struct eu_env env = {.dev = target->dev,
                        .space = &target->dev->ggtt,
                        .surface_state_base = BASE,
                        .general_state_base = BASE + 0x10000,
                        .general_state_end = data[2] & 1 ? BASE + RAM : 0,
                        .engine = "EU",
                        .media_pipeline = data[2] & 2};
   struct eu_group group = {.slm = target->slm, .slm_size_B = target->slm_size_B};
   memset(target->ram, 0x5a, RAM);
   put_surfaces(target, data + 4, data[1]);
   memset(&t, 0, sizeof(t));
   t.env = &env;
   t.group = data[2] & 4 ? NULL : &group;
   t.buffers = &buffers;
   t.scratch_size_B = data[2] & 8 ? 0 : 1024u << (data[3] % 12);
   t.scratch_base = data[3] >> 4 << 10;
   size_t at = 4 + 32 * SURFACES;
   for (unsigned i = 0; i < MESSAGES && size - at >= sizeof(struct choices); i++) {
      struct choices c;
      memcpy(&c, data + at, sizeof(c));
      at += sizeof(c);
      size_t given = size - at < PAYLOAD ? size - at : PAYLOAD;
      send_message(&t, &c, data + at, given);
      at += given;
   }
   rules_clear_stop(target->dev);
   return 0;
}
