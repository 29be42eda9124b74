/* Random commands, descriptors and messages, given directly and through the ring, with resets,
 * restored contexts, moved rings and changed registers at any moment between: nothing crashes,
 * nothing runs without end, and afterwards a decent walk still runs. */
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

/* Registers that end, move or change what is under way: resets, the ring, flushes, preemption, L3,
 * where threads go. */
static uint32_t
moving_register(void)
{
   static const uint32_t r[] = {0x941c, 0x941c, 0x2030, 0x2034, 0x2038, 0x203c,  0x209c,
                                0x20a0, 0x20c0, 0x2134, 0x2180, 0x222c, 0x2228,  0x229c,
                                0x2418, 0x2500, 0xb020, 0xb020, 0x8100, 0x101008};
   return r[next() % COUNT(r)];
}

static uint32_t
moving_value(uint32_t offset)
{
   uint32_t v = value();
   return offset == 0x20c0 || offset == 0x209c || offset == 0x229c || offset == 0x20a0 ? v | v << 16
                                                                                       : v;
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
      if (next() % 8 == 0) { /* heard if MEDIA_VFE_STATE allows it */
         m.desc = 6;
         payload[0][2] = moving_register();
         payload[0][0] = moving_value(payload[0][2]);
         payload[0][3] = 1;
      }
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

/* Something that makes threads, for once. */
static unsigned
make_decent_command(uint32_t dw[80])
{
   unsigned descriptor = next() % 16, threads = 1 + next() % 8, x = 1 + next() % 6;
   if (next() % 2) {
      struct hw_gpgpu_walker w =
          stage_walk(descriptor, 8u << next() % 3, threads, x, 1 + next() % 3, 1);
      gen7_gpgpu_walker_pack(dw, &w);
      return GEN7_GPGPU_WALKER_LENGTH;
   }
   gen7_media_object_pack(dw, &(struct hw_media_object){.interface_descriptor_offset = descriptor,
                                                        .children_present = threads & 1});
   for (unsigned i = 0; i < x; i++)
      dw[GEN7_MEDIA_OBJECT_LENGTH + i] = next();
   return GEN7_MEDIA_OBJECT_LENGTH + x;
}

/* Returns how many dwords it has. */
static unsigned
make_command(uint32_t dw[80])
{
   if (next() % 4 == 0)
      return make_decent_command(dw);
   static const struct {
      uint32_t header;
      unsigned count;
   } c[] = {{0x70000006, 8},  {0x70010002, 4},  {0x70020002, 4}, {0x70040000, 2}, {0x71000004, 6},
            {0x7102000e, 16}, {0x7103000f, 17}, {0x71040006, 8}, {0x71050009, 11}};
   unsigned k = next() % 9, count = c[k].count;
   for (unsigned i = 0; i < 80; i++)
      dw[i] = value();
   if (k == 4 || k == 6)
      count += next() % 40;
   if (next() % 20 == 0)
      count = 2 + next() % (count - 1);
   dw[0] = c[k].header;
   if (k == 0 && next() % 4) {
      struct hw_media_vfe_state v = stage_vfe();
      v.gateway_mmio_access_control = next() % 4 ? 0 : 2;
      gen7_media_vfe_state_pack(dw, &v);
      dw[5] = next();
      dw[6] = next();
   }
   if (k == 1 || k == 2)
      dw[3] = next() % 4 ? 0 : value();
   if (k == 6 && next() % 2)
      for (unsigned i = 7; i < 17; i++)
         dw[i] = (next() % 6) << 16 | next() % 6;
   return count;
}

/* Is left when it takes too long. */
static void
random_command(struct stage *s)
{
   uint32_t dw[80];
   unsigned count = make_command(dw);
   uint64_t budget = next() % 4 ? 400 : next() % 4;
   for (unsigned tries = 0; tries < 4; tries++)
      if (stage_direct(s, dw, count, budget) != CS_AGAIN)
         break;
}

#define IMAGES 4

/* Contexts come and go in the middle of anything. Their images lie in memory that a guest may have
 * written to. */
static void
random_context(struct stage *s, uint32_t image[IMAGES][256])
{
   uint32_t *i = image[next() % IMAGES];
   switch (next() % 8) {
   case 0:
      media_reset(s->media);
      break;
   case 1:
      media_drop_work(s->media);
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
   s->hand = CS_FRESH; /* another command comes next */
}

/* Registers, from the host and from threads, and the other pipeline. */
static void
random_event(struct stage *s)
{
   uint32_t offset = moving_register();
   switch (next() % 4) {
   case 0:
      rig_set(s->rig, offset, moving_value(offset));
      break;
   case 1:
      regs_take_posted(s->dev);
      break;
   case 2:
      media_pipeline_selected(s->media);
      break;
   default:
      rig_set(s->rig, 0x941c, 2);
      rig_start(s->rig, RCS, 16, 0);
      stage_standard(s, next() & 1);
   }
}

static struct stage *
storm_begins(const char *sku, unsigned number)
{
   struct stage *s = stage_create(sku);
   s->dev->config.host_threads = 1; /* the order of the threads decides what they say */
   seed = number * UINT64_C(0x9e3779b97f4a7c15);
   for (unsigned i = 0; i < STAGE_ACTORS; i++)
      s->actor[i] = says_anything;
   stage_standard(s, number & 1);
   return s;
}

static void
storm_ends(struct stage *s, unsigned number)
{
   rig_set(s->rig, 0x941c, 1);
   rig_start(s->rig, RCS, 16, 0);
   for (unsigned i = 0; i < STAGE_ACTORS; i++)
      s->actor[i] = actor_ends;
   stage_standard(s, true);
   s->count = 0;
   struct hw_gpgpu_walker w = stage_walk(0, 16, 4, 5, 1, 1);
   stage_walker(s, &w);
   if (s->count != 20)
      fail_msg("seed %u: %u threads", number, s->count);
   stage_destroy(s);
}

static void
direct_storm(const char *sku, unsigned number)
{
   struct stage *s = storm_begins(sku, number);
   uint32_t image[IMAGES][256] = {0};
   for (unsigned i = 0; i < 300; i++) {
      s->count = 0;
      if (next() % 16 == 0)
         random_descriptors(s);
      if (next() % 64 == 0)
         reg_set(s->dev, 0x2134, next() & 1);
      if (next() % 32 == 0) {
         uint64_t budget = next() % 2 ? 500 : next() % 8;
         media_drain(s->media, &budget);
         media_flushed(s->media);
      }
      if (next() % 8 == 0)
         random_context(s, image);
      if (next() % 16 == 0)
         random_event(s);
      random_command(s);
   }
   storm_ends(s, number);
}

/* ---- through the ring
 * -------------------------------------------------------------------------------- */

/* Media commands, and what else a stream may have between them. */
static void
ring_command(struct stage *s)
{
   uint32_t dw[80], offset = moving_register(), image = RIG_CONTEXT + next() % IMAGES * 0x10000;
   unsigned count;
   switch (next() % 16) {
   case 0:
      dw[0] = 0x69040000 | next() % 3;
      rig_ring(s->rig, RCS, dw, 1);
      break;
   case 1:
      dw[1] = next() & 0x00ffffbf;
      rig_ring(s->rig, RCS, IDS(PC, dw[1], STAGE_OUT, 7, 0), 5);
      break;
   case 2:
      dw[1] = image | 1u << 8 | next() % 16;
      rig_ring(s->rig, RCS, IDS(0x0c000000 /* MI_SET_CONTEXT */, dw[1], 0, 0), 4);
      break;
   case 3:
      dw[2] = moving_value(offset);
      rig_ring(s->rig, RCS, IDS(LRI(1), offset, dw[2]), 3);
      break;
   case 4:
      dw[1] = 0x04000000 | next() % 2;
      rig_ring(s->rig, RCS, IDS(0x02800000 /* MI_ARB_CHECK */, dw[1]), 2);
      break;
   case 5:
      rig_ring(s->rig, RCS, IDS(SEMA | 1u << 20 | 1u << 18, 0, 0, 0), 4);
      break;
   default:
      count = make_command(dw);
      dw[0] = (dw[0] & ~0xffffu) | (count - 2);
      if (next() % 2) {
         rig_ring(s->rig, RCS, dw, count);
         break;
      }
      memcpy(stage_memory(s, RIG_BATCH), dw, count * 4);
      memcpy(stage_memory(s, RIG_BATCH) + count, IDS(0x70040000, 0, 0x02800000, BBE), 16);
      rig_ring(s->rig, RCS, IDS(BBS, RIG_BATCH), 2);
   }
}

static void
reset(struct stage *s, uint32_t domains)
{
   rig_set(s->rig, 0x941c, domains | 2);
   rig_start(s->rig, RCS, 16, 0);
   if (next() % 4)
      stage_standard(s, next() & 1);
}

/* Not for long does an engine stand still because something has been switched off. */
static void
revive(struct stage *s)
{
   bool off = !(rig_reg(s->rig, 0x203c) & 1) || rig_reg(s->rig, 0x209c) & 1u << 8 ||
              rig_reg(s->rig, 0x20c0) & 1u << 3 || !s->media->vfe.programmed;
   if (!off || next() % 3)
      return;
   if (next() % 2) {
      reset(s, 0);
      return;
   }
   rig_set(s->rig, 0x209c, 1u << 24);
   rig_set(s->rig, 0x20c0, 0xffff0000);
   rig_start(s->rig, RCS, 16, 0);
}

/* What a host may do while the engine is anywhere. */
static void
ring_event(struct stage *s)
{
   uint32_t offset = moving_register(), page = STAGE_INSTRUCTION / 4096 + next() % 32;
   switch (next() % 8) {
   case 0:
      reset(s, next() % 16);
      break;
   case 1:
      rig_start(s->rig, RCS, 16, 0);
      break;
   case 2:
      rig_set(s->rig, 0x2034, next() % 0x400 & ~7u);
      break;
   case 3:
      rig_set(s->rig, 0x2134, (next() % 0x400 & ~7u) | 1);
      break;
   case 4:
      rig_set(s->rig, offset, moving_value(offset));
      break;
   case 5: /* a page goes, and comes back later */
      rig_set(s->rig, 0x200000 + 4 * page, next() % 2 ? 0 : (RIG_PHYS + page * 4096) | 7);
      break;
   case 6: /* all memory goes, and comes back as it was */
      assert_int_equal(pergola_memory_remove(s->dev, RIG_PHYS), 0);
      pergola_run(s->dev, next() % 64 + 1);
      assert_int_equal(pergola_memory_add(s->dev, RIG_PHYS, s->rig->ram, RIG_RAM, 0), 0);
      break;
   default: /* images of contexts */
      stage_memory(s, RIG_CONTEXT)[next() % (IMAGES * 0x4000)] = value();
   }
}

static void
ring_storm(const char *sku, unsigned number)
{
   struct stage *s = storm_begins(sku, number);
   for (unsigned i = 0; i < 150; i++) {
      s->count = 0;
      if (next() % 16 == 0)
         random_descriptors(s);
      revive(s);
      ring_command(s);
      if (pergola_run(s->dev, next() % 3 ? 400 : 1 + next() % 16) == PERGOLA_RUN_STOPPED)
         reset(s, 0);
      if (next() % 4 == 0)
         ring_event(s);
   }
   for (uint32_t page = 0; page < RIG_GGTT_SIZE / 4096; page++)
      rig_set(s->rig, 0x200000 + 4 * page, (RIG_PHYS + page * 4096) | 7);
   storm_ends(s, number);
}

static void
storms(void (*storm)(const char *sku, unsigned number))
{
   static const char *const sku[] = {"ivb-gt2", "ivb-gt1", "vlv"};
   const char *given = getenv("PERGOLA_SEED");
   unsigned first = given ? (unsigned)strtoul(given, NULL, 0) : 1;
   print_message("# seed %u (PERGOLA_SEED is another one)\n", first);
   for (unsigned i = first; i < first + 24; i++)
      storm(sku[i % 3], i);
}

static void
random_commands_and_messages(void **state)
{
   (void)state;
   storms(direct_storm);
}

static void
random_commands_in_a_ring(void **state)
{
   (void)state;
   storms(ring_storm);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(random_commands_and_messages),
                                      cmocka_unit_test(random_commands_in_a_ring)};
   return cmocka_run_group_tests_name("media_hostile", tests, NULL, NULL);
}
