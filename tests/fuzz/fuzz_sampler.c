/* Any surface state, sampler state and border colour, and any messages to the sampler, on a device
 * with a little memory. Payload and response are of exactly the registers that the message says.
 * What the fast path does must be what the slow path does.
 *
 * Input: 4 bytes of choices, SURFACES states of 32 bytes, 64 bytes of sampler states and border
 * colour, then messages: 16 bytes of choices each, and a payload. */
#include "stand.h"

#include "eu/fpmode.h"
#include "shared_functions/quick.h"
#include "shared_functions/sf.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define RAM 0x40000u
#define BASE 0x00400000u
#define HOLE 0x20000u
#define STATES 0x1000u   /* from the surface state base, which is BASE */
#define SAMPLERS 0x2000u /* from the dynamic state base, which is BASE too */
#define SURFACES 2u
#define MESSAGES 8u
#define PAYLOAD 128u

struct choices {
   uint8_t type, lengths, flags, sampler;
   uint32_t exec_mask, header, step;
};
_Static_assert(sizeof(struct choices) == 16, "as in the input");

struct target {
   struct pergola_device *dev;
   uint8_t *ram;
};

static void
make(struct target *t, enum pergola_check check)
{
   struct pergola_config config = {.sku = "ivb-gt2", .check = check, .host_threads = 1};
   t->dev = fuzz_stand(&config, BASE, RAM, HOLE, &t->ram);
}

/* Choice bits 0, 1: that surface lies in memory; 2, 3: it is small; 4, 5: it is a plain texture. */
static void
put_states(struct target *t, const uint8_t *data, uint8_t choice)
{
   for (unsigned i = 0; i < SURFACES; i++) {
      uint32_t dw[8];
      memcpy(dw, data + 32 * i, 32);
      if (choice >> i & 1)
         dw[1] = BASE + 0x8000 + (dw[1] & 0x17000);
      if (choice >> (2 + i) & 1) {
         dw[2] &= 0x003f003f;
         dw[3] &= 0x00e001ff;
      }
      if (choice >> (4 + i) & 1) {
         dw[0] = (dw[0] & ~0xfffc0000u) | 1u << 29 | 0xc7u << 18;
         dw[4] = 0;
      }
      memcpy(t->ram + STATES + 32 * i, dw, 32);
      uint32_t entry = STATES + 32 * i;
      memcpy(t->ram + 4 * i, &entry, 4);
   }
   memcpy(t->ram + SAMPLERS, data + 32 * SURFACES, 64);
   surface_cache_invalidate(t->dev->surfaces);
}

static void
compare_paths(struct eu_thread *t, const struct sf_message *m)
{
   enum { FROM = 10, TO = 60 };
   struct sf_quick q;
   uint8_t slow[16 * EU_REG_SIZE];
   if (m->mlen > 15 || m->rlen > 16 ||
       !sf_quick_select(&q, t->env->dev, SFID_SAMPLER, m->desc, false, FROM, TO))
      return;
   memcpy(slow, m->response, m->rlen * EU_REG_SIZE);
   memcpy(t->grf + FROM * EU_REG_SIZE, m->payload, m->mlen * EU_REG_SIZE);
   memset(t->grf + TO * EU_REG_SIZE, 0x3c, m->rlen * EU_REG_SIZE);
   uint32_t modes = fpmode_get();
   fpmode_set(fpmode_thread(t)); /* denormals are flushed */
   bool done = q.fn(t, &q, m->exec_mask);
   fpmode_set(modes);
   if (done && memcmp(slow, t->grf + TO * EU_REG_SIZE, m->rlen * EU_REG_SIZE))
      abort();
}

static void
send_message(struct eu_thread *t, const struct choices *c, const uint8_t *data, size_t given)
{
   unsigned mlen = 1 + (c->lengths & 15) % 11, rlen = c->flags & 8 ? c->lengths >> 4 : 0;
   unsigned simd = c->type >> 5 & 3;
   if (!rlen)
      rlen = simd == 1 ? 4 : simd == 2 ? 8 : simd == 3 ? 16 : 1;
   uint8_t *payload = malloc(mlen * EU_REG_SIZE), *response = malloc(rlen * EU_REG_SIZE);
   if (!payload || !response)
      abort();
   for (unsigned i = 0; i < mlen * EU_REG_SIZE; i++)
      payload[i] = given ? (uint8_t)(data[i % given] + (i / given) * c->step) : 0;
   if (c->flags & 1 && mlen > 0)
      memcpy(payload + 8, &c->header, 4);
   memset(response, 0x3c, rlen * EU_REG_SIZE);
   struct sf_message m = {.sfid = SFID_SAMPLER,
                          .header = c->flags & 1,
                          .mlen = (uint8_t)mlen,
                          .rlen = (uint8_t)rlen,
                          .exec_size = simd == 2 ? 16 : 8,
                          .exec_mask = c->exec_mask & (simd == 2 ? 0xffff : 0xff),
                          .payload = payload,
                          .response = response};
   m.desc = (c->flags >> 1 & 1) | (c->sampler & 3u) << 8 | (c->type & 31u) << 12 | simd << 17 |
            (uint32_t)m.header << 19 | rlen << 20 | mlen << 25;
   m.ip = t->ip += 16;
   if (sf_sampler(t, &m) != SF_OK)
      abort();
   compare_paths(t, &m);
   free(payload);
   free(response);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   static struct target targets[2];
   static struct eu_thread t;
   static struct sf_buffers buffers;
   if (!targets[0].dev) {
      make(&targets[0], PERGOLA_CHECK_REPORT);
      make(&targets[1], PERGOLA_CHECK_OFF);
   }
   size_t at = 4 + 32 * SURFACES + 64;
   if (size < at + sizeof(struct choices))
      return 0;
   struct target *target = &targets[data[0] & 1];
   struct eu_env env = {.dev = target->dev,
                        .space = &target->dev->ggtt,
                        .surface_state_base = BASE,
                        .dynamic_state_base = BASE,
                        .engine = "EU",
                        .media_pipeline = true};
   for (uint32_t i = 0; i < RAM; i++)
      target->ram[i] = (uint8_t)(i * 0x9e3779b1u >> 24);
   put_states(target, data + 4, data[1]);
   memset(&target->dev->surfaces->sampler, data[2], sizeof(target->dev->surfaces->sampler));
   memset(&t, 0, sizeof(t));
   t.env = &env;
   t.sampler_states = SAMPLERS;
   t.buffers = data[3] & 1 ? NULL : &buffers;
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
