/* Random commands, descriptors and messages: nothing crashes, nothing runs without end, and afterwards a decent
 * walk still runs. */
#include "stage.h"

#include <stdlib.h>

static uint64_t seed;

static uint32_t
next(void)
{
   seed = seed * 6364136223846793005u + 1442695040888963407u;
   return (uint32_t)(seed >> 32);
}

/* Mostly small numbers, sometimes anything. */
static uint32_t
value(void)
{
   switch (next() % 6) {
   case 0:
      return next();
   case 1:
      return 0;
   case 2:
      return ~0u;
   case 3:
      return 1u << next() % 32;
   default:
      return next() % 70;
   }
}

static enum eu_stop
says_anything(struct stage *s, struct eu_thread *t, unsigned step)
{
   static uint8_t response[16 * 32];
   uint32_t payload[4][8];
   for (unsigned i = 0; i < 32; i++)
      payload[i / 8][i % 8] = next() % 3 ? eu_grf(t, 0)[i % 8] : value();
   struct sf_message m = {.mlen = (uint8_t)(1 + next() % 4),
                          .rlen = (uint8_t)(next() % 3),
                          .exec_size = 8,
                          .desc = value() | (next() & 0x800ff),
                          .exec_mask = next(),
                          .payload = (uint8_t *)payload,
                          .response = response,
                          .ip = next() % 4096 * 16};
   m.header = m.desc >> 19 & 1;
   if (!m.rlen)
      m.response = NULL;
   enum sf_status r = SF_OK;
   switch (next() % 3) {
   case 0:
      r = sf_gateway(t, &m);
      break;
   case 1:
      r = sf_urb(t, &m);
      break;
   default:
      m.desc &= 0x1f;
      r = sf_thread_spawner(t, &m);
   }
   if (r != SF_OK)
      return EU_STOP_FAULT;
   switch (next() % 8) {
   case 0:
      return EU_STOP_WAIT;
   case 1:
   case 2:
      return EU_STOP_BUDGET;
   case 3:
      return EU_STOP_FAULT;
   case 4:
      return EU_STOP_EOT;
   default:
      return stage_end(t);
   }
}

static void
random_descriptors(struct stage *s)
{
   for (unsigned i = 0; i < 32 * 8; i++)
      stage_memory(s, STAGE_DYNAMIC)[i] = value();
   for (unsigned i = 0; i < 32; i++)
      if (next() % 4)
         stage_memory(s, STAGE_DYNAMIC + 32 * i)[0] = next() % 16 * 64;
}

static void
random_command(struct stage *s)
{
   static const struct {
      uint32_t header;
      unsigned count;
   } c[] = {{0x70000006, 8}, {0x70010002, 4},  {0x70020002, 4},  {0x70040000, 2}, {0x71000004, 6},
            {0x7102000e, 16}, {0x7103000f, 17}, {0x71040006, 8}, {0x71050009, 11}};
   uint32_t dw[80];
   unsigned k = next() % 9, count = c[k].count;
   for (unsigned i = 0; i < 80; i++)
      dw[i] = value();
   if (k == 4 || k == 6)
      count += next() % 40;
   if (next() % 20 == 0)
      count = 1 + next() % count;
   dw[0] = c[k].header;
   if (k == 0 && next() % 4) {
      struct gen7_media_vfe_state v = stage_vfe();
      gen7_media_vfe_state_pack(dw, &v);
      dw[5] = next();
      dw[6] = next();
   }
   if (k == 1 || k == 2)
      dw[3] = next() % 4 ? 0 : value();
   if (k == 6 && next() % 2)
      for (unsigned i = 7; i < 17; i++)
         dw[i] = (next() % 6) << 16 | next() % 6;
   for (unsigned tries = 0; tries < 4; tries++)
      if (stage_direct(s, dw, count, 400) != CS_AGAIN)
         break;
}

#define IMAGES 4

/* Contexts come and go in the middle of anything. Their images lie in memory that a guest may have written to. */
static void
random_context(struct stage *s, uint32_t image[IMAGES][256])
{
   uint32_t *i = image[next() % IMAGES];
   switch (next() % 8) {
   case 0:
      media_reset(s->media);
      break;
   case 1:
      media_context_drop(s->media);
      break;
   case 2:
      i[next() % 64] = value();
      break;
   case 3:
   case 4:
      media_context_save(s->media, i);
      break;
   default:
      media_context_restore(s->media, i);
   }
   s->again = false; /* another command comes next */
}

static void
storm(const char *sku, unsigned number)
{
   struct stage *s = stage_create(sku);
   uint32_t image[IMAGES][256] = {0};
   s->dev->config.host_threads = 1; /* the order of the threads decides what they say */
   seed = number * UINT64_C(0x9e3779b97f4a7c15);
   for (unsigned i = 0; i < STAGE_ACTORS; i++)
      s->actor[i] = says_anything;
   stage_standard(s, number & 1);
   for (unsigned i = 0; i < 300; i++) {
      s->count = 0;
      if (next() % 16 == 0)
         random_descriptors(s);
      if (next() % 64 == 0)
         reg_set(s->dev, 0x2134, next() & 1);
      if (next() % 32 == 0) {
         uint64_t budget = 500;
         media_drain(s->media, &budget);
         media_flushed(s->media);
      }
      if (next() % 8 == 0)
         random_context(s, image);
      random_command(s);
   }
   reg_set(s->dev, 0x2134, 0);
   media_reset(s->media);
   for (unsigned i = 0; i < STAGE_ACTORS; i++)
      s->actor[i] = actor_ends;
   stage_standard(s, true);
   s->count = 0;
   struct gen7_gpgpu_walker w = stage_walk(0, 16, 4, 5, 1, 1);
   stage_walker(s, &w);
   if (s->count != 20)
      fail_msg("seed %u: %u threads", number, s->count);
   stage_destroy(s);
}

static void
random_commands_and_messages(void **state)
{
   (void)state;
   static const char *const sku[] = {"ivb-gt2", "ivb-gt1", "vlv"};
   const char *given = getenv("PERGOLA_SEED");
   unsigned first = given ? (unsigned)strtoul(given, NULL, 0) : 1;
   print_message("# seed %u (PERGOLA_SEED is another one)\n", first);
   for (unsigned i = first; i < first + 24; i++)
      storm(sku[i % 3], i);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(random_commands_and_messages)};
   return cmocka_run_group_tests_name("media_hostile", tests, NULL, NULL);
}
