/* Logical contexts: the image, save and restore, MI_SET_CONTEXT. */
#include "rig.h"

#include "cs/context.h"
#include "media/media_internal.h"

#include <stdlib.h>
#include <string.h>
#include "tests/proves.h"

#define SET_CONTEXT GEN7_MI_SET_CONTEXT_HEADER
enum { INHIBIT = 1, FORCE = 2, EXT_RESTORE = 4, EXT_SAVE = 8, MUST = 0x100 };
#define CONTEXT_A (RIG_CONTEXT)
#define CONTEXT_B (RIG_CONTEXT + 0x4000)

static void
switch_to(struct rig *r, uint32_t address, uint32_t flags)
{
   SUBMIT(r, RCS, GEN7_MI_ARB_ON_OFF_HEADER, NOOP, SET_CONTEXT, address | MUST | flags, NOOP,
          GEN7_MI_ARB_ON_OFF_HEADER | 1);
}

static void
check_layout(const struct hw_context_item *items, size_t count, uint32_t want_dw, uint32_t header,
             uint32_t length)
{
   uint32_t at = 0;
   for (size_t i = 0; i < count; i++) {
      if (at == want_dw) {
         if (header >> 16) {
            assert_in_range(items[i].kind, HW_CONTEXT_COMMAND, HW_CONTEXT_MEDIA);
            assert_int_equal(items[i].opcode, header >> 16);
         }
         if (length)
            assert_int_equal(context_item_dwords(&items[i]), length);
         return;
      }
      at += context_item_dwords(&items[i]);
   }
   print_error("nothing starts at 0x%x\n", want_dw);
   fail();
}

/* RCS-137, RCS-138, RCS-140, RCS-141, RCS-142, RCS-143, RCS-144, RCS-145, RCS-146, RCS-147,
 * RCS-148, RCS-149, RCS-150, RCS-151, RCS-152, RCS-153, RCS-154: positions and sizes of the
 * manual's table. */
static void
layout_of_the_image(void **state)
{
   proves("RCS-137", "RCS-141", "RCS-145", "RCS-146", "RCS-148", "RCS-149", "RCS-150", "RCS-151",
          "RCS-152", "RCS-154");
   static const struct {
      uint16_t dw;
      uint16_t opcode;
      uint16_t length;
   } places[] = {
       {0x000, 0, 1},          {0x001, 0, 1 + 2 * 42}, {0x072, 0, 1},
       {0x073, 0, 1 + 2 * 47}, {0x0d2, 0x0680, 1},     {0x0d3, 0x0c80, 2},
       {0x0d5, 0x6904, 1},     {0x0d6, 0x6101, 10},    {0x0e0, 0x7912, 2},
       {0x0e8, 0x7916, 2},     {0x0ea, 0, 5},          {0x0ef, 0, 1},
       {0x0f0, 0, 1 + 2 * 13}, {0x10b, 0, 64},         {0x14b, 0x7810, 6},
       {0x15e, 0x781b, 7},     {0x172, 0x781c, 4},     {0x176, 0x781d, 6},
       {0x189, 0x7811, 7},     {0x19d, 0x781e, 3},     {0x1a0, 0x7812, 4},
       {0x1a4, 0x7821, 2},     {0x1a6, 0x7813, 7},     {0x1ad, 0x780f, 2},
       {0x1af, 0x790d, 4},     {0x1b3, 0x7900, 4},     {0x1b7, 0x6103, 2},
       {0x1b9, 0, 2},          {0x1bb, 0x7814, 3},     {0x1c6, 0x781f, 14},
       {0x1d4, 0x7817, 7},     {0x1db, 0x7820, 8},     {0x1e9, 0, 1 + 2 * 4},
       {0x1f2, 0x6102, 2},     {0x1f4, 0x7805, 7},     {0x1fb, 0x7806, 3},
       {0x1fe, 0x7807, 3},     {0x201, 0x7804, 3},     {0x204, 0, 3},
       {0x208, 0, 1 + 2 * 7},  {0x217, 0, 12},         {0x224, 0, 1 + 2 * 1},
       {0x227, 0x7907, 33},    {0x248, 0x790a, 3},     {0x24b, 0x7906, 2},
       {0x24d, 0x7908, 3},     {0x25d, 0x7911, 2},     {0x25f, 0x7904, 16},
       {0x26f, 0, 6},          {0x275, 0x7000, 8},     {0x27d, 0x7001, 4},
       {0x281, 0x7002, 4},     {0x285, 0x7105, 16},    {0x295, 0x7004, 8},
       {0x29d, 0x7902, 257},   {0x39e, 0x790c, 257},   {0x49f, 0, 14},
       {0x4ad, 0, 1},          {0x4ae, 0, 1 + 2 * 20}, {0x4d7, 0x7918, 16},
       {0x4ea, 0x7917, 259},   {0x5ed, 0x780a, 3},     {0x5f0, 0x7808, 133},
       {0x675, 0x7809, 69},    {0x6ba, 0x680b, 1},     {0x6bb, 0, 2},
   };
   for (unsigned i = 0; i < COUNT(places); i++)
      check_layout(gen7_render_context_image.items, gen7_render_context_image.count, places[i].dw,
                   (uint32_t)places[i].opcode << 16, places[i].length);
   uint32_t total = 0, power = 0, main_part = 0;
   for (size_t i = 0; i < gen7_render_context_image.count; i++) {
      uint32_t n = context_item_dwords(&gen7_render_context_image.items[i]);
      total += n;
      power += gen7_render_context_image.items[i].part == HW_PART_POWER ? n : 0;
      main_part += gen7_render_context_image.items[i].part == HW_PART_MAIN ? n : 0;
   }
   assert_int_equal(total, 1725);
   assert_int_equal(power, 0x72);
   assert_int_equal(power + main_part, 0x29d);
}

/* RCS-143, RCS-146, RCS-147: every command of the three lists, one behind the other. */
static void
commands_of_the_image(void **state)
{
   proves("RCS-143", "RCS-146", "RCS-147");
   static const struct {
      uint16_t first;
      struct {
         uint16_t opcode, length;
      } item[24];
   } lists[] = {
       {0x0d2,
        {{0x0680, 1},
         {0x0c80, 2},
         {0x6904, 1},
         {0x6101, 10},
         {0x7912, 2},
         {0x7913, 2},
         {0x7914, 2},
         {0x7915, 2},
         {0x7916, 2}}},
       {0x14b,
        {{0x7810, 6},
         {0x7826, 2},
         {0x782b, 2},
         {0x7815, 7},
         {0x7830, 2},
         {0x781b, 7},
         {0x7827, 2},
         {0x782c, 2},
         {0x7819, 7},
         {0x7831, 2},
         {0x781c, 4},
         {0x781d, 6},
         {0x7828, 2},
         {0x782d, 2},
         {0x781a, 7},
         {0x7832, 2}}},
       {0x189,
        {{0x7811, 7},
         {0x7829, 2},
         {0x782e, 2},
         {0x7816, 7},
         {0x7833, 2},
         {0x781e, 3},
         {0x7812, 4},
         {0x7821, 2},
         {0x7813, 7},
         {0x780f, 2},
         {0x790d, 4},
         {0x7900, 4},
         {0x6103, 2}}},
       {0x1bb,
        {{0x7814, 3},
         {0x7823, 2},
         {0x780e, 2},
         {0x7825, 2},
         {0x7818, 2},
         {0x781f, 14},
         {0x7817, 7},
         {0x7820, 8},
         {0x782a, 2},
         {0x782f, 2},
         {0x7824, 2}}},
       {0x1f2, {{0x6102, 2}, {0x7805, 7}, {0x7806, 3}, {0x7807, 3}, {0x7804, 3}}},
   };
   for (unsigned i = 0; i < COUNT(lists); i++)
      for (uint32_t k = 0, at = lists[i].first; k < 24 && lists[i].item[k].length; k++) {
         check_layout(gen7_render_context_image.items, gen7_render_context_image.count, at,
                      (uint32_t)lists[i].item[k].opcode << 16, lists[i].item[k].length);
         at += lists[i].item[k].length;
      }
}

/* RCS-140, RCS-142, RCS-144, RCS-147, RCS-148, RCS-149, RCS-153: the registers of each list, in
 * their order. */
static void
registers_of_the_image(void **state)
{
   proves("RCS-140", "RCS-142", "RCS-144", "RCS-147", "RCS-148", "RCS-149", "RCS-153");
   struct rig *r = *state;
   uint32_t image[CONTEXT_TOTAL_DW] = {0};
   static const struct {
      uint16_t header, count;
      uint16_t reg[47];
   } lists[] = {
       {0x001, 42, {0x2038, 0x203c, 0x2040, 0x2044, 0x2050, 0x2054, 0x2058, 0x2094, 0x2098,
                    0x20a0, 0x20a8, 0x20b0, 0x20b4, 0x20c4, 0x212c, 0x2134, 0x2148, 0x214c,
                    0x21a8, 0x21ac, 0x21b0, 0x2214, 0x229c, 0x222c, 0x2250, 0x2254, 0x2258,
                    0x225c, 0x2260, 0x2264, 0x2268, 0x226c, 0x2270, 0x2274, 0x2278, 0x227c,
                    0x2280, 0x2284, 0x2288, 0x228c, 0x22d0, 0x22d4}},
       {0x073, 47, {0x2028, 0x209c, 0x20c0, 0x2178, 0x217c, 0x2310, 0x2314, 0x2318, 0x231c, 0x2320,
                    0x2324, 0x2300, 0x2304, 0x2308, 0x230c, 0x2328, 0x232c, 0x2330, 0x2334, 0x2338,
                    0x233c, 0x2340, 0x2344, 0x2348, 0x234c, 0x2350, 0x2354, 0x2470, 0x2358, 0x2500,
                    0x2504, 0x2508, 0x2400, 0x2404, 0x2408, 0x240c, 0x2410, 0x2414, 0x2418, 0x2420,
                    0x2430, 0x2434, 0x2438, 0x243c, 0x2440, 0x2290, 0x2294}},
       {0x0f0,
        13,
        {0xb004, 0xb008, 0xb00c, 0xb010, 0xb014, 0xb018, 0xb01c, 0xb020, 0xb024, 0xb028, 0xb02c,
         0xb034, 0xb038}},
       {0x1e9, 4, {0x7000, 0x7004, 0x7008, 0x7020}},
       {0x208, 7, {0xe404, 0xe408, 0xe40c, 0xe410, 0xe428, 0xe4b0, 0xe4b4}},
       {0x224, 1, {0x5520}},
       {0x4ae, 20, {0x5200, 0x5204, 0x5208, 0x520c, 0x5210, 0x5214, 0x5218,
                    0x521c, 0x5240, 0x5244, 0x5248, 0x524c, 0x5250, 0x5254,
                    0x5258, 0x525c, 0x5280, 0x5284, 0x5288, 0x528c}},
   };
   context_save(r->dev->cs[RCS], image, true);
   for (unsigned i = 0; i < COUNT(lists); i++)
      for (unsigned k = 0; k < lists[i].count; k++)
         assert_int_equal(image[lists[i].header + 1 + 2 * k] & 0x7ffffc, lists[i].reg[k]);
}

/* RCS-139, RCS-155, RCS-145, RCS-156: register lists with bit 12 and their true length; masked
 * registers with their mask; the low half of the time stamp has its slot. */
static void
register_lists(void **state)
{
   proves("RCS-139", "RCS-155", "RCS-145", "RCS-156");
   struct rig *r = *state;
   uint32_t image[CONTEXT_TOTAL_DW] = {0};
   reg_set(r->dev, 0x2310, 0xabcd);
   reg_set(r->dev, 0x2314, 0x1);
   rig_set(r, 0x7004, 0x00400040);
   rig_set(r, 0xb020, 0x00080042);
   clock_advance(r->dev, 800000);
   context_save(r->dev->cs[RCS], image, true);
   assert_int_equal(image[0x001], 0x11001000 | (2 * 42 - 1));
   assert_int_equal(image[0x073], 0x11001000 | (2 * 47 - 1));
   assert_int_equal(image[0x0f0], 0x11001000 | (2 * 13 - 1));
   assert_int_equal(image[0x4ae], 0x11001027); /* as printed */
   assert_int_equal(image[0x074], 0x2028);     /* EXCC */
   assert_int_equal(image[0x07e], 0x2310);
   assert_int_equal(image[0x07f], 0xabcd);
   assert_int_equal(image[0x080], 0x2314);
   assert_int_equal(image[0x081], 1);
   assert_int_equal(image[0x0f3], 0xb008);
   assert_int_equal(image[0x0f5], 0xb00c);
   assert_int_equal(image[0x1ec], 0x7004);
   assert_int_equal(image[0x1ed] >> 16, 0xffff);
   assert_true(image[0x1ed] & 0x40);
   assert_int_equal(image[0x0ac], 0x2358);
   assert_int_equal(image[0x0ad], 10000);
   /* the time is not restored */
   image[0x0ad] = 5;
   context_restore(r->dev->cs[RCS], image, true);
   assert_int_equal(rig_reg(r, 0x2358), 10000);
}

/* Saved state that a test can compare: registers of the table and all kept commands. */
struct remembered {
   uint32_t registers[256];
   unsigned register_count;
   uint32_t dw[GEN7_COMMAND_COUNT][300], count[GEN7_COMMAND_COUNT];
   struct state_bases bases;
   enum pipeline pipeline;
   uint8_t media[256];
};

static void
take(struct rig *r, struct remembered *s)
{
   memset(s, 0, sizeof(*s));
   for (size_t i = 0; i < gen7_render_context_image.count; i++) {
      const struct hw_context_item *item = &gen7_render_context_image.items[i];
      if (item->kind != HW_CONTEXT_REGISTER || item->part == HW_PART_POWER)
         continue;
      for (unsigned k = 0; k < item->size; k++)
         if (item->registers[k] != 0x2358)
            s->registers[s->register_count++] = reg_get(r->dev, item->registers[k]);
   }
   for (unsigned id = 0; id < GEN7_COMMAND_COUNT; id++) {
      const uint32_t *dw = cs_state_command(r->dev, id, &s->count[id]);
      if (dw)
         memcpy(s->dw[id], dw, s->count[id] * 4);
   }
   s->bases = *cs_state_bases(r->dev);
   s->pipeline = cs_pipeline(r->dev);
   media_context_save(r->dev->media, s->media);
   memset(s->media + 160, 0, 16); /* the gateway's relative time runs on */
}

static uint32_t seed;

static uint32_t
rnd(void)
{
   seed = seed * 1664525 + 1013904223;
   return seed >> 8 ^ seed << 13;
}

/* A state command with random contents, legal or not: the parser keeps it either way. */
static void
random_command(struct rig *r, const struct hw_command *c)
{
   uint32_t dw[300], n = c->layout.length_dw;
   if (c->layout.variable)
      n = c->header >> 16 == 0x7808 ? 1 + 4 * (1 + rnd() % 8) : n + 1 + rnd() % 60;
   for (uint32_t i = 0; i < n; i++)
      dw[i] = rnd();
   if (c->header >> 16 == 0x7808) /* 33 buffers exist */
      for (uint32_t i = 1; i < n; i += 4)
         dw[i] = (dw[i] & 0x03ffffff) | (rnd() % 33) << 26;
   if (c->id == GEN7_PIPELINE_SELECT_ID)
      dw[0] = rnd() % 3;
   dw[0] = (dw[0] & ~c->header_mask & ~(((1u << c->length_bits) - 1) << c->length_lo)) | c->header;
   if (c->length_bits)
      dw[0] |= (n - c->bias) << c->length_lo;
   rig_submit(r, RCS, dw, n);
}

static void
randomise(struct rig *r)
{
   for (size_t i = 0; i < hw_command_count; i++) {
      const struct hw_command *c = &hw_commands[i];
      uint32_t op = c->header >> 16;
      bool state = op == 0x0680 || op == 0x0c80 ||
                   (c->client == HW_CLIENT_GFX && op != 0x6003 && op != 0x7a00 && op != 0x7b00 &&
                    (op >> 11 & 3) != 2);
      if (!(c->engines & HW_RCS) || !(c->devices & HW_IVB) || !state || rnd() % 4 == 0)
         continue;
      random_command(r, c);
   }
   for (size_t i = 0; i < gen7_render_context_image.count; i++) {
      const struct hw_context_item *item = &gen7_render_context_image.items[i];
      if (item->kind != HW_CONTEXT_REGISTER || item->part == HW_PART_POWER)
         continue;
      for (unsigned k = 0; k < item->size; k++) {
         const struct hw_register *row = hw_register_at(item->registers[k], HW_IVB);
         uint32_t keep_out = item->registers[k] == 0x209c   ? 0x100
                             : item->registers[k] == 0x20c0 ? 0x20f
                                                            : 0;
         if (row && row->offset != 0x2358)
            reg_set(r->dev, row->offset,
                    (rnd() & row->rw_mask & ~keep_out) |
                        (reg_get(r->dev, row->offset) & ~row->rw_mask));
      }
   }
}

/* RCS-011, RCS-071, RCS-133, RCS-139, RCS-166: save and restore of any state is the identity. */
static void
save_and_restore_is_the_identity(void **state)
{
   proves("RCS-011", "RCS-071", "RCS-133", "RCS-139", "RCS-166", "RCS-156");
   struct remembered *before = malloc(sizeof(*before)), *other = malloc(sizeof(*other)),
                     *after = malloc(sizeof(*after));
   for (unsigned round = 0; round < 12; round++) {
      struct rig *r = rig_create("ivb-gt2", PERGOLA_CHECK_OFF);
      seed = 0x1234 + round * 77;
      switch_to(r, CONTEXT_A, INHIBIT | EXT_SAVE | EXT_RESTORE);
      randomise(r);
      take(r, before);
      switch_to(r, CONTEXT_B, INHIBIT | EXT_SAVE | EXT_RESTORE); /* saves A */
      randomise(r);
      take(r, other);
      assert_memory_not_equal(before, other, sizeof(*before));
      switch_to(r, CONTEXT_A, EXT_SAVE | EXT_RESTORE); /* saves B, restores A */
      take(r, after);
      if (memcmp(before, after, sizeof(*before)))
         print_error("round %u\n", round);
      assert_memory_equal(before->registers, after->registers, sizeof(before->registers));
      for (unsigned id = 0; id < GEN7_COMMAND_COUNT; id++) {
         if (before->count[id] != after->count[id])
            print_error("%s\n", hw_command_by_id(id)->layout.name);
         assert_int_equal(before->count[id], after->count[id]);
         assert_memory_equal(before->dw[id], after->dw[id], sizeof(before->dw[id]));
      }
      assert_memory_equal(before, after, sizeof(*before));
      switch_to(r, CONTEXT_B, EXT_SAVE | EXT_RESTORE);
      take(r, after);
      assert_memory_equal(other, after, sizeof(*other));
      rig_destroy(r);
   }
   free(before);
   free(other);
   free(after);
}

/* RCS-166, RCS-059, RCS-167: when it saves, when it loads, what CCID holds. */
static void
set_context_operation(void **state)
{
   proves("RCS-166", "RCS-059", "RCS-167");
   struct rig *r = *state;
   rig_set(r, 0x2418, 0);
   switch_to(r, CONTEXT_A, INHIBIT | EXT_SAVE);
   assert_int_equal(rig_reg(r, 0x2180), CONTEXT_A | MUST | EXT_SAVE | 1);
   SUBMIT(r, RCS, LRI(1), 0x2400, 0xa);
   /* the same address: nothing */
   switch_to(r, CONTEXT_A, 0);
   assert_int_equal(rig_reg(r, 0x2400), 0xa);
   assert_int_equal(*rig_ggtt(r, CONTEXT_A + 4 * 0x73), 0); /* not saved */
   /* another one, inhibited: A is saved, the registers stay */
   switch_to(r, CONTEXT_A, EXT_SAVE | INHIBIT);
   switch_to(r, CONTEXT_B, INHIBIT);
   assert_int_equal(rig_reg(r, 0x2400), 0xa);
   assert_int_equal(*rig_ggtt(r, CONTEXT_A + 4 * 0x73), 0x11001000 | 93);
   assert_int_equal(rig_reg(r, 0x2180), CONTEXT_B | MUST | 1);
   SUBMIT(r, RCS, LRI(1), 0x2400, 0xb);
   switch_to(r, CONTEXT_A, 0);
   assert_int_equal(rig_reg(r, 0x2400), 0xa);
   switch_to(r, CONTEXT_B, 0);
   assert_int_equal(rig_reg(r, 0x2400), 0xb);
   /* force restore of the one that is loaded */
   SUBMIT(r, RCS, LRI(1), 0x2400, 0xc);
   switch_to(r, CONTEXT_B, FORCE);
   assert_int_equal(rig_reg(r, 0x2400), 0xb);
   rig_clean(r);
}

/* RCS-166: without a valid CCID nothing is saved. */
static void
no_save_without_ccid(void **state)
{
   proves("RCS-166");
   struct rig *r = *state;
   rig_set(r, 0x2180, CONTEXT_A); /* not valid */
   switch_to(r, CONTEXT_B, INHIBIT);
   assert_int_equal(*rig_ggtt(r, CONTEXT_A + 4 * 0x73), 0);
}

/* RCS-059, RCS-166: ring only, bit 8, no force with inhibit, followed by a no-op. */
static void
set_context_rules(void **state)
{
   proves("RCS-059", "RCS-166");
   struct rig *r = *state;
   SUBMIT(r, RCS, GEN7_MI_ARB_ON_OFF_HEADER, NOOP, SET_CONTEXT, CONTEXT_A | MUST | INHIBIT, NOOP,
          GEN7_MI_ARB_ON_OFF_HEADER | 1);
   assert_null(rig_find(r, "RCS-166"));
   SUBMIT(r, RCS, SET_CONTEXT, CONTEXT_A | MUST | INHIBIT, NOOP); /* arbitration is on: a note */
   assert_non_null(rig_find(r, "RCS-166"));
   rig_forget(r);
   SUBMIT(r, RCS, SET_CONTEXT, CONTEXT_A | MUST | INHIBIT | FORCE, NOOP);
   rig_expect(r, "RCS-059");
   SUBMIT(r, RCS, SET_CONTEXT, CONTEXT_A | INHIBIT, NOOP);
   rig_expect(r, "RCS-059");
   SUBMIT(r, RCS, GEN7_MI_ARB_ON_OFF_HEADER, NOOP);
   rig_forget(r);
   SUBMIT(r, RCS, SET_CONTEXT, CONTEXT_A | MUST | INHIBIT, SDI, 0, RIG_DATA, 0);
   rig_expect(r, "RCS-166");
   SUBMIT(r, RCS, GEN7_MI_ARB_ON_OFF_HEADER | 1, NOOP);
   uint32_t ccid = rig_reg(r, 0x2180);
   BATCH(r, RCS, false, SET_CONTEXT, CONTEXT_B | MUST | INHIBIT, NOOP);
   assert_int_equal(rig_reg(r, 0x2180), ccid);
   rig_expect(r, "RCS-059");
}

/* RCS-134, RCS-135: 4 KB aligned; lower bits are reserved, named and not taken. */
static void
context_alignment(void **state)
{
   proves("RCS-134", "RCS-135", "RCS-059");
   struct rig *r = *state;
   switch_to(r, CONTEXT_A, INHIBIT);
   rig_clean(r);
   SUBMIT(r, RCS, SET_CONTEXT, (CONTEXT_B + 0x800) | MUST | INHIBIT, NOOP);
   assert_int_equal(rig_reg(r, 0x2180) & 0xfffff000, CONTEXT_B);
   rig_expect(r, "RCS-059");
   SUBMIT(r, RCS, SET_CONTEXT, (CONTEXT_B + 0x200) | MUST | INHIBIT, NOOP);
   rig_expect(r, "RCS-059");
}

/* RCS-136: software does not touch the image. */
static void
image_is_opaque(void **state)
{
   proves("RCS-136");
   struct rig *r = *state;
   switch_to(r, CONTEXT_A, INHIBIT);
   switch_to(r, CONTEXT_B, INHIBIT);
   switch_to(r, CONTEXT_A, 0);
   rig_clean(r);
   *rig_ggtt(r, CONTEXT_B + 4 * 0x100) ^= 1;
   switch_to(r, CONTEXT_B, 0);
   rig_expect(r, "RCS-136");
}

/* CS-016: an image that was never saved gives the defaults; the power context is not restored. */
static void
unsaved_image(void **state)
{
   proves("CS-016");
   struct rig *r = *state;
   SUBMIT(r, RCS, LRI(1), 0x2400, 5, GEN7_STATE_SIP_HEADER, 0x100);
   switch_to(r, CONTEXT_A, 0);
   assert_int_equal(rig_reg(r, 0x2400), 0);
   assert_null(cs_state_command(r->dev, GEN7_STATE_SIP_ID, NULL));
   assert_int_equal(rig_reg(r, 0x2038), RIG_RING(RCS)); /* the ring runs on */
   rig_expect(r, "CS-016");
   /* random bytes */
   seed = 99;
   for (unsigned i = 0; i < 2048; i++)
      rig_ggtt(r, CONTEXT_B)[i] = rnd();
   switch_to(r, CONTEXT_B, EXT_RESTORE);
   rig_expect(r, "CS-016");
   /* random bytes that claim to be an image: nothing but the table's registers is touched */
   for (unsigned i = 0; i < 2048; i++)
      rig_ggtt(r, CONTEXT_A)[i] = rnd();
   rig_ggtt(r, CONTEXT_A)[CONTEXT_TAIL_DW + TAIL_MAGIC] = CONTEXT_MAGIC;
   switch_to(r, CONTEXT_A, EXT_RESTORE);
   assert_int_equal(rig_reg(r, 0x2038), RIG_RING(RCS));
   assert_int_equal(SUBMIT(r, RCS, SDI, 0, RIG_DATA, 0x42), PERGOLA_RUN_IDLE);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 0x42);
}

/* RCS-138, RCS-166: the extended part is saved with CCID[3] and loaded with the restore bit. */
static void
extended_state(void **state)
{
   proves("RCS-138", "RCS-166");
   struct rig *r = *state;
   uint32_t index_buffer = GEN7_3DSTATE_INDEX_BUFFER_HEADER | 1;
   switch_to(r, CONTEXT_A, INHIBIT | EXT_SAVE);
   SUBMIT(r, RCS, index_buffer, 0x1000, 0x2000);
   switch_to(r, CONTEXT_B, INHIBIT); /* saves A with its extended part; B has none */
   assert_int_equal(*rig_ggtt(r, CONTEXT_A + 4 * 0x5ed), index_buffer);
   SUBMIT(r, RCS, index_buffer, 0x3000, 0x4000);
   switch_to(r, CONTEXT_A, EXT_SAVE); /* no extended restore: the index buffer stays */
   assert_int_equal(cs_state_command(r->dev, GEN7_3DSTATE_INDEX_BUFFER_ID, NULL)[1], 0x3000);
   assert_int_equal(*rig_ggtt(r, CONTEXT_B + 4 * 0x5ed), 0); /* B saved without */
   SUBMIT(r, RCS, index_buffer, 0x5000, 0x6000);
   switch_to(r, CONTEXT_B, INHIBIT);
   switch_to(r, CONTEXT_A, EXT_RESTORE);
   assert_int_equal(cs_state_command(r->dev, GEN7_3DSTATE_INDEX_BUFFER_ID, NULL)[1], 0x5000);
}

/* RCS-096, RCS-101 [16] and [9]: constants and media state can be left out of a save. */
static void
state_left_out(void **state)
{
   proves("RCS-096", "RCS-101");
   struct rig *r = *state;
   uint32_t constant[] = {GEN7_3DSTATE_CONSTANT_PS_HEADER | 5, 1, 0, 0x40, 0, 0, 0};
   switch_to(r, CONTEXT_A, INHIBIT);
   rig_submit(r, RCS, constant, 7);
   switch_to(r, CONTEXT_B, INHIBIT);
   assert_int_equal(*rig_ggtt(r, CONTEXT_A + 4 * 0x1d4), constant[0]);
   switch_to(r, CONTEXT_A, 0);
   SUBMIT(r, RCS, PC, 1u << 9 | 1u << 20 | 1u << 1, 0, 0, 0);
   switch_to(r, CONTEXT_B, INHIBIT);
   assert_int_equal(*rig_ggtt(r, CONTEXT_A + 4 * 0x1d4), 0);
   SUBMIT(r, RCS, GEN7_PIPELINE_SELECT_HEADER | 1);
   uint32_t vfe[8] = {
       GEN7_MEDIA_VFE_STATE_HEADER | 6, 0, 0x10100 | 1u << 2, 0, 0x00020020, 0, 0, 0};
   rig_submit(r, RCS, vfe, 8);
   switch_to(r, CONTEXT_A, INHIBIT);
   assert_int_equal(*rig_ggtt(r, CONTEXT_B + 4 * 0x275), vfe[0]);
   rig_submit(r, RCS, vfe, 8);
   SUBMIT(r, RCS, PC, 1u << 16 | 1u << 20 | 1u << 1, 0, 0, 0);
   switch_to(r, CONTEXT_B, INHIBIT);
   assert_int_equal(*rig_ggtt(r, CONTEXT_A + 4 * 0x275), 0);
}

/* RCS-096: of all kept state it is the five constant packets, and nothing else, that stay out. */
static void
constants_left_out(void **state)
{
   proves("RCS-096");
   struct rig *r = *state;
   static const struct {
      uint32_t header, at;
      bool constant;
   } packets[] = {{0x78150005, 0x155, true},  {0x78190005, 0x169, true}, {0x781a0005, 0x180, true},
                  {0x78160005, 0x194, true},  {0x78170005, 0x1d4, true}, {0x78260000, 0x151, false},
                  {0x782b0000, 0x153, false}, {0x61020000, 0x1f2, false}};
   switch_to(r, CONTEXT_A, INHIBIT);
   for (unsigned dropped = 0; dropped < 2; dropped++) {
      for (unsigned i = 0; i < COUNT(packets); i++) {
         uint32_t dw[7] = {packets[i].header, 0x40};
         rig_submit(r, RCS, dw, packets[i].constant ? 7 : 2);
      }
      if (dropped)
         SUBMIT(r, RCS, PC, 1u << 9 | 1u << 20 | 1u << 1, 0, 0, 0);
      switch_to(r, CONTEXT_B, INHIBIT);
      for (unsigned i = 0; i < COUNT(packets); i++)
         assert_int_equal(*rig_ggtt(r, CONTEXT_A + 4 * packets[i].at),
                          dropped && packets[i].constant ? 0 : packets[i].header);
      switch_to(r, CONTEXT_A, 0);
   }
}

/* CS-016: registers of the power context are in the image and not taken from it. RCS-139: a slot of
 * the image that names another register is not taken either. */
static void
what_a_restore_leaves_alone(void **state)
{
   proves("CS-016", "RCS-139");
   struct rig *r = *state;
   uint32_t image[CONTEXT_TOTAL_DW] = {0};
   reg_set(r->dev, 0x2094, 0x111); /* NOPID: power context */
   reg_set(r->dev, 0x2400, 0x222); /* main context */
   reg_set(r->dev, 0x2404, 0x333);
   context_save(r->dev->cs[RCS], image, true);
   for (unsigned i = 0; i < 0x72; i++)
      if (image[i] == 0x2094)
         assert_int_equal(image[i + 1], 0x111);
   reg_set(r->dev, 0x2094, 0x444);
   reg_set(r->dev, 0x2400, 0);
   reg_set(r->dev, 0x2404, 0x555);
   for (unsigned i = 0x74; i < 0xd2; i += 2)
      if (image[i] == 0x2404)
         image[i] = 0x2408;
   context_restore(r->dev->cs[RCS], image, true);
   assert_int_equal(rig_reg(r, 0x2094), 0x444);
   assert_int_equal(rig_reg(r, 0x2400), 0x222);
   assert_int_equal(rig_reg(r, 0x2404), 0x555);
}

/* SF-055: the relative time of the gateway goes with the context and stands still while it is away.
 */
static void
relative_time_goes_with_the_context(void **state)
{
   proves("SF-055");
   struct rig *r = *state;
   switch_to(r, CONTEXT_A, INHIBIT);
   clock_advance(r->dev, 1000000);
   r->dev->gateway->timer_start_ns = r->dev->time_ns - 8000;
   uint32_t image[CONTEXT_TOTAL_DW] = {0};
   context_save(r->dev->cs[RCS], image, true);
   clock_advance(r->dev, 5000000);
   r->dev->gateway->timer_start_ns = 0;
   context_restore(r->dev->cs[RCS], image, true);
   assert_int_equal(r->dev->time_ns - r->dev->gateway->timer_start_ns, 8000);
}

int
main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, rig_setup, rig_teardown)
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(layout_of_the_image),
       cmocka_unit_test(commands_of_the_image),
       T(registers_of_the_image),
       T(register_lists),
       cmocka_unit_test(save_and_restore_is_the_identity),
       T(set_context_operation),
       T(no_save_without_ccid),
       T(set_context_rules),
       T(context_alignment),
       T(image_is_opaque),
       T(unsaved_image),
       T(extended_state),
       T(state_left_out),
       T(constants_left_out),
       T(what_a_restore_leaves_alone),
       T(relative_time_goes_with_the_context),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
