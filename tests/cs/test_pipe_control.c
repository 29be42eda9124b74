/* PIPE_CONTROL: every flag, the table of effects, the restrictions. */
#include "rig.h"

#include "eu/op.h"
#include "shared_functions/sf.h"
#include "surface/cache.h"
#include "surface/hazard.h"

#include <string.h>
#include "tests/proves.h"

enum {
   DEPTH_FLUSH = 1u << 0,
   SCOREBOARD = 1u << 1,
   STATE = 1u << 2,
   CONSTANT = 1u << 3,
   VF = 1u << 4,
   DC = 1u << 5,
   FLUSH_ENABLE = 1u << 7,
   NOTIFY = 1u << 8,
   INDIRECT = 1u << 9,
   TEXTURE = 1u << 10,
   INSTRUCTION = 1u << 11,
   RENDER = 1u << 12,
   DEPTH_STALL = 1u << 13,
   MEDIA_CLEAR = 1u << 16,
   GFDT = 1u << 17,
   TLB = 1u << 18,
   COUNT_RESET = 1u << 19,
   STALL = 1u << 20,
   STORE_INDEX = 1u << 21,
   LRI_POST = 1u << 23,
   GGTT = 1u << 24,
};
#define POST(n) ((uint32_t)(n) << 14)

/* RCS-085, RCS-101, RCS-112, CS-005: immediate data, PS_DEPTH_COUNT and TIMESTAMP; a write is
 * optional. */
static void
post_sync_writes(void **state)
{
   proves("RCS-085", "RCS-101", "RCS-112", "CS-005");
   struct rig *r = *state;
   uint32_t *d = rig_ggtt(r, RIG_DATA);
   memset(d, 0xee, 64);
   SUBMIT(r, RCS, PC, RENDER | STALL | GGTT, RIG_DATA, 1, 2);
   assert_int_equal(d[0], 0xeeeeeeee);
   SUBMIT(r, RCS, PC, POST(1) | GGTT, RIG_DATA, 3, 4);
   assert_int_equal(d[0], 3);
   assert_int_equal(d[1], 4);
   SUBMIT(r, RCS, PC - 1, POST(1) | GGTT, RIG_DATA + 8, 5);
   assert_int_equal(d[2], 5);
   assert_int_equal(d[3], 0xeeeeeeee);
   reg_set(r->dev, 0x2350, 0x1111);
   reg_set(r->dev, 0x2354, 0x2222);
   SUBMIT(r, RCS, PC, POST(2) | DEPTH_STALL | GGTT, RIG_DATA + 16, 0, 0);
   assert_int_equal(d[4], 0x1111);
   assert_int_equal(d[5], 0x2222);
   clock_advance(r->dev, 80 * 500);
   uint64_t now = clock_timestamp(r->dev);
   SUBMIT(r, RCS, PC, POST(3) | GGTT, RIG_DATA + 24, 0, 0);
   assert_in_range(d[6], now, now + 4);
   assert_int_equal(d[7], 0);
   rig_clean(r);
}

/* RCS-226: the space of the write; status page with Store Data Index; never the global one from a
 * non-secure batch. RCS-117: the index needs an operation. */
static void
post_sync_address_space(void **state)
{
   proves("RCS-226", "RCS-117");
   struct rig *r = *state;
   rig_ppgtt(r);
   SUBMIT(r, RCS, PC, POST(1), RIG_DATA, 1, 0);
   assert_int_equal(*rig_pp(r, RIG_DATA), 1);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 0);
   SUBMIT(r, RCS, PC, POST(1) | GGTT, RIG_DATA, 2, 0);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 2);
   SUBMIT(r, RCS, PC, POST(1) | GGTT | STORE_INDEX, 0x200, 3, 0);
   assert_int_equal(*rig_ggtt(r, RIG_STATUS(RCS) + 0x200), 3);
   rig_clean(r);
   BATCH(r, RCS, true, PC, POST(1) | GGTT, RIG_DATA, 4, 0);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 2);
   assert_int_equal(*rig_pp(r, RIG_DATA), 4);
   rig_expect(r, "RCS-226");
   SUBMIT(r, RCS, PC, POST(1) | STORE_INDEX, 0x200, 3, 0);
   rig_expect(r, "RCS-226"); /* type must be GGTT */
}

/* RCS-101 [23], RCS-113, RCS-120: the immediate data goes to a register; not with a post-sync
 * operation. */
static void
register_write(void **state)
{
   proves("RCS-101", "RCS-113", "RCS-120", "RCS-224");
   struct rig *r = *state;
   SUBMIT(r, RCS, PC, LRI_POST, 0x2400, 0x99, 0);
   assert_int_equal(rig_reg(r, 0x2400), 0x99);
   rig_clean(r);
   uint32_t *memory = rig_ggtt(r, RIG_DATA);
   *memory = 0x77;
   SUBMIT(r, RCS, PC, LRI_POST | POST(1) | GGTT, RIG_DATA, 0x99, 0);
   assert_int_equal(*memory, 0x77);
   assert_int_equal(rig_count(r, "RCS-113"), 1);
   assert_int_equal(rig_count(r, "RCS-120"), 1);
   rig_forget(r);
   SUBMIT(r, RCS, PC, POST(1) | GGTT, RIG_DATA, 0x99, 0);
   rig_clean(r);
   rig_ppgtt(r);
   BATCH(r, RCS, true, PC, LRI_POST, 0x2400, 0x11, 0);
   assert_int_equal(rig_reg(r, 0x2400), 0x99);
   rig_expect(r, "RCS-224");
}

/* RCS-087, RCS-101 [19], RCS-114: statistics are reset, PS_DEPTH_COUNT and the time go on; it needs
 * the stall. */
static void
snapshot_count_reset(void **state)
{
   proves("RCS-087", "RCS-101", "RCS-114");
   struct rig *r = *state;
   for (uint32_t o = 0x2300; o <= 0x2354; o += 4)
      reg_set(r->dev, o, 7);
   uint64_t before = clock_timestamp(r->dev);
   SUBMIT(r, RCS, PC, COUNT_RESET | STALL | SCOREBOARD | DEPTH_FLUSH, 0, 0, 0);
   for (uint32_t o = 0x2300; o < 0x2350; o += 4)
      assert_int_equal(rig_reg(r, o), 0);
   assert_int_equal(rig_reg(r, 0x2350), 7);
   assert_int_equal(rig_reg(r, 0x2354), 7);
   assert_true(clock_timestamp(r->dev) >= before);
   rig_clean(r);
   SUBMIT(r, RCS, PC, COUNT_RESET | SCOREBOARD, 0, 0, 0);
   rig_expect(r, "RCS-114");
}

static uint32_t seen_at_interrupt, *watched;

static void
at_interrupt(void *data, bool asserted)
{
   if (asserted)
      seen_at_interrupt = *watched;
}

/* RCS-081, RCS-082, RCS-090, RCS-121, RCS-227: notify is interrupt bit 4, after the store. */
static void
notify(void **state)
{
   proves("RCS-081", "RCS-082", "RCS-090", "RCS-121", "RCS-227");
   struct rig *r = *state;
   watched = rig_ggtt(r, RIG_DATA);
   *watched = seen_at_interrupt = 0;
   pergola_set_interrupt_handler(r->dev, at_interrupt, NULL);
   SUBMIT(r, RCS, PC, POST(1) | GGTT | NOTIFY | RENDER | DC | STALL, RIG_DATA, 0x321, 0);
   assert_int_equal(rig_reg(r, 0x44018), 1u << 4);
   assert_int_equal(seen_at_interrupt, 0x321);
   /* alone it has no restriction */
   SUBMIT(r, RCS, PC, NOTIFY, 0, 0, 0);
   rig_clean(r);
   /* masked in the engine: nothing arrives */
   rig_set(r, 0x44018, 0xffffffff);
   rig_set(r, 0x44018, 0xffffffff);
   rig_set(r, 0x20a8, 1u << 4);
   SUBMIT(r, RCS, PC, NOTIFY, 0, 0, 0);
   assert_int_equal(rig_reg(r, 0x44018), 0);
}

/* Reads a line through a cache after another wrote it, as threads would. */
static bool
stale(struct rig *r, unsigned reader, unsigned writer, uint32_t flags, uint32_t more)
{
   struct eu_env env = {.dev = r->dev, .engine = "EU"};
   struct eu_thread t = {.env = &env};
   static uint32_t ip;
   struct sf_message m = {.ip = ip += 16};
   sf_hazard(&t, &m, writer, RIG_DATA, 64, true);
   SUBMIT(r, RCS, PC, flags, 0, 0, 0);
   if (more)
      SUBMIT(r, RCS, PC, more, 0, 0, 0);
   rig_forget(r);
   sf_hazard(&t, &m, reader, RIG_DATA, 64, false);
   bool said = rig_count(r, "DP-310");
   rig_forget(r);
   return said;
}

/* RCS-098, RCS-131: which flush and which invalidation make a write visible to another cache; with
 * Depth Stall the render cache is not flushed. RCS-073: an invalidation acts at once, so one
 * command cannot do both. */
static void
flush_makes_visible(void **state)
{
   proves("RCS-098", "RCS-131", "RCS-073");
   struct rig *r = *state;
   enum { S = HAZARD_SAMPLER, C = HAZARD_CONSTANT, D = HAZARD_DATA, R = HAZARD_RENDER };
   assert_int_equal(hazard_enable(r->dev->surfaces, true), 0);
   assert_true(stale(r, S, R, STALL | RENDER, 0));
   assert_false(stale(r, S, R, STALL | RENDER, TEXTURE));
   assert_true(stale(r, S, R, STALL | RENDER | TEXTURE, 0));
   assert_true(stale(r, S, R, STALL | RENDER, CONSTANT));
   assert_true(stale(r, S, R, STALL | DC, TEXTURE));
   assert_true(stale(r, S, R, DEPTH_STALL | RENDER, TEXTURE));
   assert_false(stale(r, C, D, STALL | DC, CONSTANT));
   assert_true(stale(r, C, D, STALL | RENDER, CONSTANT));
   assert_false(stale(r, D, R, STALL | RENDER, STALL | DC));
}

/* RCS-102 to RCS-109, the table as the streamer acts on it, for one choice of its four inputs (bit
 * 3 the write flush, 2 the notification, 1 non-VF caches, 0 the VF cache): a pulse makes the
 * sampler forget and drops state and kernels; completion flushes, stores and notifies. */
static void
row_of_the_table(struct rig *r, unsigned inputs, uint32_t write_flush, const char *rule)
{
   bool flush = inputs & 8, told = inputs & 4, pulse = inputs & 2;
   uint32_t flags = (flush ? write_flush : 0) | (told ? NOTIFY | POST(1) | GGTT : 0) |
                    (pulse ? TEXTURE | STATE | INSTRUCTION : 0) | (inputs & 1 ? VF : 0);
   unsigned writer = write_flush == DC ? HAZARD_DATA : HAZARD_RENDER;
   assert_int_equal(stale(r, HAZARD_SAMPLER, HAZARD_RENDER, STALL | RENDER, flags | SCOREBOARD),
                    !pulse);
   assert_int_equal(stale(r, HAZARD_SAMPLER, writer, flags | SCOREBOARD, TEXTURE), !flush);
   rig_set(r, 0x44018, 0xffffffff);
   rig_set(r, 0x44018, 0xffffffff);
   uint32_t *stored = rig_ggtt(r, RIG_DATA), states = r->dev->surfaces->generation,
            kernels = r->dev->eu->generation;
   *stored = 0x77;
   SUBMIT(r, RCS, PC, flags, RIG_DATA, 0x88, 0);
   assert_int_equal(*stored, told ? 0x88 : 0x77);
   assert_int_equal(rig_reg(r, 0x44018), told ? 1u << 4 : 0);
   assert_int_equal(r->dev->surfaces->generation != states, pulse);
   assert_int_equal(r->dev->eu->generation != kernels, pulse);
   if (rule) /* RCS-102 is a command without argument, which RCS-111 names */
      rig_expect(r, rule);
   else
      rig_clean(r);
}

static void
caches_alone(void **state)
{
   rig_looks_at_caches(*state);
   proves("RCS-111");
   proves("RCS-102", "RCS-103", "RCS-104", "RCS-105");
   struct rig *r = *state;
   assert_int_equal(hazard_enable(r->dev->surfaces, true), 0);
   for (unsigned inputs = 0; inputs < 4; inputs++)
      row_of_the_table(r, inputs, RENDER, inputs ? NULL : "RCS-111");
}

/* RCS-072: both ends of the pipe in one command. */
static void
completion(void **state)
{
   rig_looks_at_caches(*state);
   proves("RCS-072", "RCS-106", "RCS-107", "RCS-108", "RCS-109");
   struct rig *r = *state;
   assert_int_equal(hazard_enable(r->dev->surfaces, true), 0);
   for (unsigned inputs = 4; inputs < 16; inputs++) {
      row_of_the_table(r, inputs, RENDER, NULL);
      row_of_the_table(r, inputs, DC, NULL);
   }
}

struct pair {
   const char *rule;
   uint32_t good, bad;
};

/* Each with a command that keeps it and one that breaks it. RCS-131: what is illegal is executed
 * and named, no error reaches software. */
static void
keep_and_break(struct rig *r, const struct pair *pairs, size_t count)
{
   for (size_t i = 0; i < count; i++) {
      uint32_t address = pairs[i].good & STORE_INDEX ? 0x100 : RIG_DATA;
      SUBMIT(r, RCS, PC, pairs[i].good, address, 0, 0);
      rig_clean(r);
      assert_int_equal(SUBMIT(r, RCS, PC, pairs[i].bad, address, 0, 0), PERGOLA_RUN_IDLE);
      rig_expect(r, pairs[i].rule);
      assert_int_equal(rig_reg(r, 0x20b8), 0);
   }
}

static void
restrictions_of_post_sync_operations(void **state)
{
   proves("RCS-088", "RCS-114", "RCS-115", "RCS-116", "RCS-117", "RCS-119", "RCS-131");
   static const struct pair pairs[] = {
       {"RCS-088", POST(2) | DEPTH_STALL | GGTT, POST(2) | GGTT},
       {"RCS-114", COUNT_RESET | STALL | SCOREBOARD, COUNT_RESET},
       {"RCS-115", MEDIA_CLEAR | STALL | SCOREBOARD | DEPTH_FLUSH, MEDIA_CLEAR},
       {"RCS-116", INDIRECT | STALL | SCOREBOARD | DEPTH_FLUSH, INDIRECT},
       {"RCS-117", STORE_INDEX | POST(1) | GGTT | DEPTH_FLUSH, STORE_INDEX | GGTT},
       {"RCS-119", TLB | POST(1) | GGTT | STALL | DEPTH_FLUSH, TLB | POST(1) | GGTT},
       {"RCS-119", TLB | POST(3) | GGTT | STALL, TLB | STALL | SCOREBOARD},
   };
   keep_and_break(*state, pairs, COUNT(pairs));
}

static void
restrictions_of_flush_types(void **state)
{
   proves("RCS-098", "RCS-099", "RCS-101", "RCS-111", "RCS-123", "RCS-124", "RCS-125", "RCS-131");
   static const struct pair pairs[] = {
       {"RCS-123", DEPTH_STALL, DEPTH_STALL | RENDER}, /* RCS-098: the flush would not take place */
       {"RCS-123", DEPTH_STALL, DEPTH_STALL | DEPTH_FLUSH},
       {"RCS-124", RENDER, RENDER | DEPTH_STALL},
       {"RCS-125", DEPTH_FLUSH, DEPTH_FLUSH | DEPTH_STALL},
       {"RCS-099", DEPTH_STALL | STATE | INSTRUCTION, DEPTH_STALL | TEXTURE},
       {"RCS-099", DEPTH_STALL, DEPTH_STALL | CONSTANT},
       {"RCS-099", DEPTH_STALL, DEPTH_STALL | VF},
       {"RCS-111", VF, 0},
       {"RCS-111", GGTT, 0},
       {"RCS-101", VF, VF | 1u << 6},
       {"RCS-101", VF, VF | 1u << 31},
   };
   keep_and_break(*state, pairs, COUNT(pairs));
}

/* Every flag the manual's list has satisfies the stall bit, every other does not. RCS-129: the
 * field of the operation is 15:14, not 13. */
static void
restriction_of_the_stall(void **state)
{
   proves("RCS-110", "RCS-128", "RCS-129", "RCS-131");
   static const struct pair pairs[] = {
       {"RCS-128", STALL | RENDER, STALL},
       {"RCS-128", STALL | DEPTH_FLUSH, STALL | TEXTURE},
       {"RCS-128", STALL | SCOREBOARD, STALL | VF},
       {"RCS-128", STALL | DEPTH_STALL, STALL | INSTRUCTION},
       {"RCS-128", STALL | POST(1) | GGTT, STALL | STATE},
       {"RCS-128", STALL | NOTIFY, STALL | CONSTANT},
       {"RCS-128", STALL | DC, STALL | FLUSH_ENABLE},
   };
   keep_and_break(*state, pairs, COUNT(pairs));
}

/* RCS-129: [13] alone beside the stall is the depth stall, which satisfies the stall bit; a
 * post-sync operation does so as well. */
static void
post_sync_satisfies_the_stall(void **state)
{
   proves("RCS-129", "RCS-128");
   struct rig *r = *state;
   for (unsigned op = 1; op < 4; op++) {
      SUBMIT(r, RCS, PC, STALL | POST(op) | GGTT | (op == 2 ? DEPTH_STALL : 0), RIG_DATA, 0, 0);
      rig_clean(r);
   }
   SUBMIT(r, RCS, PC, STALL, 0, 0, 0);
   assert_int_equal(rig_find(r, "RCS-128")->severity, PERGOLA_ERROR);
   rig_expect(r, "RCS-128");
   /* what needs the stall for itself is not in its table: a warning */
   SUBMIT(r, RCS, PC, STALL | INDIRECT, 0, 0, 0);
   assert_int_equal(rig_find(r, "RCS-128")->severity, PERGOLA_WARNING);
   rig_expect(r, "RCS-128");
}

/* RCS-118, RCS-130: Sync GFDT needs an operation or GFX_MODE 0x229C[13]; 0x2520 is not there. */
static void
sync_gfdt(void **state)
{
   proves("RCS-118", "RCS-130");
   struct rig *r = *state;
   rig_set(r, 0x229c, 0x20000000);
   SUBMIT(r, RCS, PC, GFDT | POST(1) | GGTT, RIG_DATA, 0, 0);
   rig_clean(r);
   SUBMIT(r, RCS, PC, GFDT, 0, 0, 0);
   rig_expect(r, "RCS-118");
   rig_set(r, 0x229c, 0x20002000);
   SUBMIT(r, RCS, PC, GFDT, 0, 0, 0);
   rig_clean(r);
   assert_null(hw_register_at(0x2520, HW_IVB));
}

/* RCS-121, RCS-122, RCS-126, RCS-132: these have no restriction, alone or with a post-sync
 * operation and stall. */
static void
unrestricted_flags(void **state)
{
   proves("RCS-121", "RCS-122", "RCS-126", "RCS-132", "RCS-128");
   struct rig *r = *state;
   static const uint32_t flags[] = {NOTIFY,   SCOREBOARD, INSTRUCTION, TEXTURE,     VF,
                                    CONSTANT, STATE,      DC,          FLUSH_ENABLE};
   for (unsigned i = 0; i < COUNT(flags); i++) {
      SUBMIT(r, RCS, PC, flags[i], 0, 0, 0);
      SUBMIT(r, RCS, PC, flags[i] | POST(1) | GGTT, RIG_DATA, 0, 0);
      SUBMIT(r, RCS, PC, flags[i] | POST(1) | GGTT | STALL, RIG_DATA, 0, 0);
      rig_clean(r);
   }
   SUBMIT(r, RCS, PC, STALL, 0, 0, 0); /* RCS-122's other side: the stall bit depends on the rest */
   rig_expect(r, "RCS-128");
}

/* RCS-066, RCS-083, RCS-084, RCS-132: what a PIPE_CONTROL wrote is seen by loads and work behind
 * it. */
static void
written_data_is_visible(void **state)
{
   proves("RCS-066", "RCS-083", "RCS-084", "RCS-132");
   struct rig *r = *state;
   SUBMIT(r, RCS, PC, POST(1) | GGTT | FLUSH_ENABLE, RIG_DATA, 0x51, 0, LRM, 0x2400, RIG_DATA,
          NOOP);
   assert_int_equal(rig_reg(r, 0x2400), 0x51);
   /* option 1: stall, flush, write, eight stores to scratch */
   SUBMIT(r, RCS, PC, STALL | RENDER | DC | POST(1) | GGTT, RIG_DATA, 0x52, 0, SDI, 0,
          RIG_DATA + 64, 0, SDI, 0, RIG_DATA + 64, 0, SDI, 0, RIG_DATA + 64, 0, SDI, 0,
          RIG_DATA + 64, 0, SDI, 0, RIG_DATA + 64, 0, SDI, 0, RIG_DATA + 64, 0, SDI, 0,
          RIG_DATA + 64, 0, SDI, 0, RIG_DATA + 64, 0, LRM, 0x2400, RIG_DATA, NOOP);
   assert_int_equal(rig_reg(r, 0x2400), 0x52);
   /* option 2: with TLB invalidate */
   SUBMIT(r, RCS, PC, TLB | STALL | RENDER | POST(1) | GGTT, RIG_DATA, 0x53, 0, LRM, 0x2400,
          RIG_DATA, NOOP);
   assert_int_equal(rig_reg(r, 0x2400), 0x53);
   rig_clean(r);
}

/* RCS-092, RCS-093, RCS-095: many in a row are all executed, in order. */
static void
many_in_a_row(void **state)
{
   proves("RCS-092", "RCS-093", "RCS-095");
   struct rig *r = *state;
   uint32_t dw[5 * 20 + 20 * 4], n = 0;
   for (uint32_t i = 0; i < 20; i++) {
      uint32_t one[] = {
          PC,   POST(1) | GGTT, RIG_DATA + 8 * (i & 1), i, 0, SDI, 0, RIG_DATA + 0x100 + 4 * i,
          i + 1};
      memcpy(dw + n, one, sizeof(one));
      n += COUNT(one);
   }
   rig_submit(r, RCS, dw, n);
   assert_int_equal(rig_ggtt(r, RIG_DATA)[0], 18);
   assert_int_equal(rig_ggtt(r, RIG_DATA)[2], 19);
   for (uint32_t i = 0; i < 20; i++)
      assert_int_equal(*rig_ggtt(r, RIG_DATA + 0x100 + 4 * i), i + 1);
   rig_clean(r);
}

/* RCS-005, RCS-101 [18]: translations are dropped by TLB Invalidate; with GFX_MODE[13] clear by
 * every one. */
static void
tlb_invalidate(void **state)
{
   rig_looks_at_caches(*state);
   proves("RCS-005", "RCS-101");
   struct rig *r = *state;
   rig_ppgtt(r);
   uint32_t *pte = (uint32_t *)(r->ram + 0x800000 + 4 * (RIG_DATA >> 12));
   uint32_t *there = rig_pp(r, RIG_DATA), *elsewhere = (uint32_t *)(r->ram + 0xa00000);
   uint32_t here = *pte, moved = (RIG_PHYS + 0xa00000) | 7;
   static const struct {
      uint32_t flags;
      bool batch_mode, forgets;
   } cases[] = {{TLB | STALL | POST(1) | GGTT, true, true},
                {STALL | POST(1) | GGTT, true, false},
                {STALL | POST(1) | GGTT, false, true}};
   for (unsigned i = 0; i < COUNT(cases); i++) {
      rig_set(r, 0x229c, cases[i].batch_mode ? 0x20002000 : 0x20000000);
      *pte = here;
      *there = *elsewhere = 0;
      SUBMIT(r, RCS, PC, TLB | STALL | POST(1) | GGTT, RIG_DATA, 0, 0, SDI & ~GLOBAL, 0, RIG_DATA,
             1);
      assert_int_equal(*there, 1);
      *pte = moved;
      SUBMIT(r, RCS, PC, cases[i].flags, RIG_DATA, 0, 0, SDI & ~GLOBAL, 0, RIG_DATA, 2);
      assert_int_equal(*elsewhere, cases[i].forgets ? 2 : 0);
   }
   /* and at the start of a batch buffer */
   rig_set(r, 0x229c, 0x20002000);
   *pte = here;
   *there = 0;
   SUBMIT(r, RCS, PC, TLB | STALL | POST(1) | GGTT, RIG_DATA, 0, 0, SDI & ~GLOBAL, 0, RIG_DATA, 1);
   *pte = moved;
   BATCH(r, RCS, false, SDI & ~GLOBAL, 0, RIG_DATA, 3);
   assert_int_equal(*elsewhere, 3);
   assert_int_equal(*there, 1);
}

/* RCS-101: lengths and alignment. */
static void
short_commands(void **state)
{
   proves("RCS-101", "CS-005");
   struct rig *r = *state;
   SUBMIT(r, RCS, PC - 3, VF); /* two dwords: flags alone */
   rig_clean(r);
   SUBMIT(r, RCS, PC - 3, POST(1));
   rig_expect(r, "RCS-101");
   SUBMIT(r, RCS, PC, POST(1) | GGTT, RIG_DATA + 4, 1, 2);
   rig_expect(r, "RCS-101");
   /* CS-005: four dwords name a QWord too, and fill its lower half. */
   uint32_t *d = rig_ggtt(r, RIG_DATA);
   d[0] = d[1] = 0;
   SUBMIT(r, RCS, PC - 1, POST(1) | GGTT, RIG_DATA + 4, 5);
   rig_expect(r, "RCS-101");
   assert_int_equal(d[0], 5);
   assert_int_equal(d[1], 0);
}

int
main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, rig_setup, rig_teardown)
   const struct CMUnitTest tests[] = {
       T(caches_alone),
       T(completion),
       T(flush_makes_visible),
       T(post_sync_writes),
       T(post_sync_address_space),
       T(register_write),
       T(snapshot_count_reset),
       T(notify),
       T(restrictions_of_post_sync_operations),
       T(restrictions_of_flush_types),
       T(restriction_of_the_stall),
       T(post_sync_satisfies_the_stall),
       T(sync_gfdt),
       T(unrestricted_flags),
       T(written_data_is_visible),
       T(many_in_a_row),
       T(tlb_invalidate),
       T(short_commands),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
