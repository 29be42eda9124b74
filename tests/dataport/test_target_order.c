/* Rules over all render target writes of one pixel shader thread. */
#include "render_target.h"
#include "tests/proves.h"

/* A windower with one thread. */
struct one {
   struct rt_record record;
   bool kept;
   unsigned calls;
};

static struct rt_record *
record(void *data, const struct eu_thread *t)
{
   struct one *o = data;
   (void)t;
   return o->kept ? &o->record : NULL;
}

static void
swallow(void *data, struct eu_thread *t, struct rt_write *w)
{
   struct one *o = data;
   (void)t;
   (void)w;
   o->calls++;
}

#define HIGH (1u << 11) /* SLOTGRP_HI */

static void
send(struct fx *f, unsigned type, uint32_t control, unsigned rt, bool eot)
{
   static const uint8_t regs[] = {8, 1, 8, 8, 4};
   header(f, 0, 0xffff);
   fx_in(f, 0)[2] = rt;
   fx_in(f, 1)[7] = 0xa5a50000u >> (control & HIGH ? 0 : 1) | 0xffff; /* as dispatched, see start */
   assert_int_equal(fx_send_full(f, SFID_DP_RENDER, RT(type) | control | (eot ? LAST : 0), true,
                                 2 + regs[type], 0, eot),
                    SF_OK);
}

static void
start(struct fx *f, struct one *o, struct pixel_backend *backend, unsigned width)
{
   *o = (struct one){.kept = true, .record = {.dispatched = 0xa5a5u << 16 | 0xa5a5u >> 1}};
   *backend = (struct pixel_backend){.data = o,
                                     .pixels_data = o,
                                     .record = record,
                                     .pixels = swallow,
                                     .dispatch_width = (uint8_t)width};
   f->env.pixel = backend;
   f->rule_count = 0;
}

/* A thread, as types of messages: L and H dual source low and high, S SIMD16, 8 SIMD8, all to
 * render target 0 unless a digit changes that; ^ turns to slots 31:16, _ back; the last one ends
 * the thread. */
static void
thread(struct fx *f, unsigned width, const char *messages)
{
   struct one o;
   struct pixel_backend backend;
   unsigned rt = 0, sent = 0;
   uint32_t group = 0;
   start(f, &o, &backend, width);
   backend.dual_source_blend = true;
   for (const char *m = messages; *m; m++) {
      if (*m == '^')
         group = HIGH;
      else if (*m == '_')
         group = 0;
      else if (*m >= '0' && *m <= '7')
         rt = (unsigned)(*m - '0');
      else
         send(f,
              *m == 'L'   ? DUAL_LO
              : *m == 'H' ? DUAL_HI
              : *m == 'S' ? SIMD16
              : *m == 'R' ? REPDATA
                          : SIMD8,
              group, rt, !m[1]),
             sent++;
   }
   assert_int_equal(o.calls, sent); /* a broken order is named, the pixels go on */
   f->env.pixel = NULL;
}

/* DP-369: every slot of a thread of 16 or 32 pixels has a message, for each target that has one. */
static void
all_slots(void **state)
{
   proves("DP-369");
   struct fx *f = *state;
   static const struct {
      unsigned width;
      const char *messages;
      bool whole;
   } threads[] = {{8, "8", true},      {16, "S", true},        {16, "LH", true},
                  {16, "8H", true},    {16, "R", true},        {16, "8", false},
                  {16, "L", false},    {16, "H", false},       {16, "S1S", true},
                  {16, "S18", false},  {16, "81S", false},     {32, "S^S", true},
                  {32, "S", false},    {32, "LH^LH", true},    {32, "LH^L", false},
                  {32, "L^LH", false}, {32, "S^S2_S^S", true}, {32, "S^S2_S", false}};
   target(f, RGBA_FLOAT, 1);
   for (unsigned i = 0; i < sizeof(threads) / sizeof(threads[0]); i++) {
      thread(f, threads[i].width, threads[i].messages);
      assert_int_equal(fx_said(f, "DP-369"), !threads[i].whole);
      assert_int_equal(f->rule_count, !threads[i].whole);
   }
}

/* DP-370 DP-458: lower slots first, the low dual source form before the high one of its group; each
 * target and group for itself. */
static void
increasing_slots(void **state)
{
   proves("DP-370", "DP-458");
   struct fx *f = *state;
   static const struct {
      unsigned width;
      const char *messages;
      bool slots, dual; /* broken */
   } threads[] = {
       {16, "LH", false, false},    {16, "HL", true, true},          {16, "H8", true, false},
       {16, "LH1LH", false, false}, {16, "L1LH", false, false},      {32, "S^S", false, false},
       {32, "^S_S", true, false},   {32, "LH^LH", false, false},     {32, "LH^HL", true, true},
       {32, "^LH_LH", true, false}, {32, "^S1_S^S0_S", true, false}, {16, "SS", false, false}};
   target(f, RGBA_FLOAT, 1);
   for (unsigned i = 0; i < sizeof(threads) / sizeof(threads[0]); i++) {
      thread(f, threads[i].width, threads[i].messages);
      assert_int_equal(fx_said(f, "DP-370"), threads[i].slots);
      assert_int_equal(fx_said(f, "DP-458"), threads[i].dual);
   }
}

/* DP-458: the last message has the dispatch mask of the thread in its header, that of its slot
 * group. */
static void
dispatch_mask(void **state)
{
   proves("DP-458");
   struct fx *f = *state;
   struct one o;
   struct pixel_backend backend;
   target(f, RGBA_FLOAT, 1);
   start(f, &o, &backend, 32);
   send(f, SIMD16, LAST, 0, false);
   send(f, SIMD16, HIGH, 0, true);
   assert_silent(f);
   for (unsigned high = 0; high < 2; high++) {
      start(f, &o, &backend, 32);
      o.record.dispatched ^= 0x10001; /* one slot of each group that the headers know nothing of */
      send(f, SIMD16, high ? HIGH : 0, 0,
           false); /* not the last of its pixels: nothing is cleared */
      assert_silent(f);
      send(f, SIMD16, LAST | (high ? HIGH : 0), 0, false);
      assert_rule(f, "DP-458");
   }
}

/* A windower may keep no record. */
static void
no_record(void **state)
{
   struct fx *f = *state;
   struct one o;
   struct pixel_backend backend;
   target(f, RGBA_FLOAT, 1);
   start(f, &o, &backend, 16);
   o.kept = false;
   send(f, SIMD8, 0, 0, true);
   backend.record = NULL;
   send(f, SIMD8, 0, 0, true);
   assert_silent(f);
   assert_int_equal(o.calls, 2);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {FX_TEST(all_slots), FX_TEST(increasing_slots),
                                      FX_TEST(dispatch_mask), FX_TEST(no_record)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
