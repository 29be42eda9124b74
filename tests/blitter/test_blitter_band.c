/* Copies of tiled surfaces, which go tile by tile where nobody can tell: beside the oracle, and
 * beside a second engine that is kept to scan lines by an observer. */
#include "blitter/blt.h"
#include "stand.h"
#include "tests/proves.h"

#define DST (STAND_BASE + 0x20000)
#define SRC (STAND_BASE + 0x100000)
#define PITCH_B 1024u /* two X tiles, eight Y tiles */
#define X_DST (1u << 11)
#define X_SRC (1u << 15)
#define PTE(address) (0x200000 + (address) / 4096 * 4)

enum layout { L, X, Y, LAYOUTS };

struct copy {
   enum layout from, to;
   unsigned depth;
   int x, y, width, height, src_x, src_y;
   uint32_t src, dst;
};

static unsigned
packet(const struct copy *c, uint32_t *dw)
{
   dw[0] = OP(0x53) | CHANNELS | (c->from == X ? X_SRC : 0) | (c->to == X ? X_DST : 0);
   dw[1] = DEPTH(c->depth) | ROP(0xcc) | PITCH(c->to == L ? PITCH_B : PITCH_B / 4);
   dw[2] = XY(c->x, c->y);
   dw[3] = XY(c->x + c->width, c->y + c->height);
   dw[4] = c->dst;
   dw[5] = XY(c->src_x, c->src_y);
   dw[6] = c->from == L ? PITCH_B : PITCH_B / 4;
   dw[7] = c->src;
   return 8;
}

static uint32_t
swctrl(const struct copy *c)
{
   return (c->from == Y ? 1u : 0) | (c->to == Y ? 2u : 0);
}

/* How many lines the engine would take at once of the blit that it drew last. */
static int32_t
band(struct stand *s, int32_t rows)
{
   struct blitter *b = s->dev->blitter;
   struct blt again = b->current;
   again.by_line = 0;
   return blt_copy_band(b, &again, again.rect.y1, rows);
}

static const struct {
   int x, y, width, height, src_x, src_y;
} places[] = {
    {0, 0, 256, 64, 0, 0},      /* whole tiles */
    {0, 32, 128, 64, 128, 64},  /* whole tiles elsewhere */
    {32, 8, 96, 40, 32, 8},     /* parts of tiles, alike on both sides */
    {3, 5, 200, 61, 3, 5},      /* edges inside columns */
    {3, 5, 200, 61, 6, 18},     /* edges that differ */
    {0, 0, 250, 70, 1, 31},     /* a source across rows of tiles */
    {255, 31, 1, 12, 7, 0},     /* narrow */
    {1, 1, 33, 3, 9, 2},        /* few lines */
    {17, 29, 100, 66, 130, 63}, /* nothing is even */
};

/* BLT-050, BLT-051, BLT-052, BLT-056: all pairs of layouts, at all depths. */
static void
every_pair_of_layouts(void **state)
{
   proves("BLT-050", "BLT-051", "BLT-052", "BLT-056");
   struct stand *s = *state;
   uint64_t seed = 0x51f3;
   for (unsigned i = 0; i < LAYOUTS * LAYOUTS * 3 * (sizeof(places) / sizeof(places[0])); i++) {
      unsigned k = i / (LAYOUTS * LAYOUTS * 3);
      struct copy c = {i % LAYOUTS, i / LAYOUTS % LAYOUTS, .src = SRC, .dst = DST};
      static const uint8_t depths[] = {0, 1, 3};
      c.depth = depths[i / (LAYOUTS * LAYOUTS) % 3];
      c.x = places[k].x, c.y = places[k].y, c.width = places[k].width;
      c.height = places[k].height, c.src_x = places[k].src_x, c.src_y = places[k].src_y;
      if (k == 4 && c.from == L)
         c.src += 0xe4c; /* pages end within lines */
      stand_random(s, &seed);
      stand_swctrl(s, swctrl(&c));
      uint32_t dw[8];
      char what[64];
      snprintf(what, sizeof(what), "layout %u to %u, depth %u, place %u", c.from, c.to, c.depth, k);
      stand_both(s, dw, packet(&c, dw), what);
      bool tiled = c.from != L || c.to != L;
      assert_int_equal(band(s, 3), 0);
      if (c.to == Y && c.y % 32 == 0 && c.height >= 32)
         assert_int_equal(band(s, c.height), 32);
      else if (c.to == X && c.y % 8 == 0 && c.height >= 8)
         assert_int_equal(band(s, c.height), 8);
      else if (!tiled)
         assert_int_equal(band(s, c.height), 0);
      assert_int_equal(stand_difference(s), 0); /* a band once more changes nothing */
   }
   stand_swctrl(s, 0);
}

struct log {
   unsigned count;
   uint64_t sum;
};

static void
note(void *data, const struct pergola_diagnostic *d)
{
   struct log *l = data;
   l->count++;
   for (const char *p = d->message; *p; p++)
      l->sum = (l->sum ^ (uint8_t)*p) * 0x100000001b3;
}

static void
look(void *data, const struct pergola_event *e)
{
   ++*(unsigned *)data;
   (void)e;
}

struct pair {
   struct stand *bands, *lines;
   struct log log[2];
   unsigned events;
};

static void
pair_start(struct pair *p)
{
   memset(p, 0, sizeof(*p));
   p->bands = stand_create("ivb-gt2", PERGOLA_CHECK_REPORT);
   p->lines = stand_create("ivb-gt2", PERGOLA_CHECK_REPORT);
   pergola_add_observer(p->lines->dev, 1u << PERGOLA_EVENT_MEMORY, look, &p->events);
   pergola_add_diagnostic_sink(p->bands->dev, note, &p->log[0]);
   pergola_add_diagnostic_sink(p->lines->dev, note, &p->log[1]);
   uint64_t seed = 0x77aa01;
   stand_random(p->bands, &seed);
   memcpy(p->lines->ram, p->bands->ram, STAND_SIZE);
}

static void
pair_finish(struct pair *p)
{
   stand_destroy(p->bands);
   stand_destroy(p->lines);
}

static void
pair_map(struct pair *p, uint32_t address, uint64_t pte)
{
   pergola_mmio_write(p->bands->dev, PTE(address), 4, pte);
   pergola_mmio_write(p->lines->dev, PTE(address), 4, pte);
   mem_invalidate_all(p->bands->dev);
   mem_invalidate_all(p->lines->dev);
}

/* The entry that the stand has made for a page. */
static uint32_t
entry(const struct pair *p, uint32_t address)
{
   return (0x20000000u + p->bands->page[(address - STAND_BASE) / 4096] * 4096u) | 7;
}

static void
pair_run(struct pair *p, const struct copy *c, uint64_t budget)
{
   struct stand *both[] = {p->bands, p->lines};
   for (unsigned i = 0; i < 2; i++) {
      uint32_t dw[8];
      stand_swctrl(both[i], swctrl(c));
      both[i]->budget = budget;
      stand_run(both[i], dw, packet(c, dw));
   }
   assert_memory_equal(p->bands->ram, p->lines->ram, STAND_SIZE);
   assert_int_equal(p->bands->calls, p->lines->calls);
   assert_true(pergola_time_ns(p->bands->dev) == pergola_time_ns(p->lines->dev));
   assert_int_equal(p->log[0].count, p->log[1].count);
   assert_true(pergola_diagnostic_count(p->bands->dev, PERGOLA_ERROR) ==
               pergola_diagnostic_count(p->lines->dev, PERGOLA_ERROR));
   assert_true(p->log[0].sum == p->log[1].sum); /* the same sentences in the same order */
}

/* BLT-075: pages that are missing on either side, and the order in which they are named. */
static void
faults_are_those_of_scan_lines(void **state)
{
   proves("BLT-075");
   (void)state;
   unsigned banded = 0;
   for (unsigned i = 0; i < LAYOUTS * LAYOUTS; i++) {
      struct pair p;
      pair_start(&p);
      struct copy c = {i % LAYOUTS, i / LAYOUTS, 3, 1, 3, 240, 90, 2, 7, SRC, DST};
      pair_run(&p, &c, UINT64_MAX);
      assert_int_equal(p.log[0].count, 0);
      assert_int_equal(p.events, 180);
      banded += band(p.bands, 90) > 0;
      pair_map(&p, SRC + 0x9000, 0);
      pair_map(&p, SRC + 0x2000, 0);
      pair_run(&p, &c, UINT64_MAX);
      unsigned before = p.log[0].count;
      assert_true(before > 0);
      pair_map(&p, DST + 0xa000, 0);
      pair_run(&p, &c, UINT64_MAX);
      assert_true(p.log[0].count > before);
      pair_finish(&p);
   }
   assert_int_not_equal(banded, 0); /* without faults */
}

/* BLT-057, BLT-058: one page of memory at two graphics addresses, and surfaces over themselves. */
static void
pages_that_are_there_twice(void **state)
{
   proves("BLT-057", "BLT-058");
   (void)state;
   for (unsigned i = 0; i < LAYOUTS * LAYOUTS; i++) {
      struct pair p;
      pair_start(&p);
      struct copy c = {i % LAYOUTS, i / LAYOUTS, 3, 0, 0, 256, 64, 0, 0, SRC, DST};
      bool tiled = c.from != L || c.to != L;
      pair_run(&p, &c, UINT64_MAX);
      assert_int_equal(band(p.bands, 64) > 0, tiled);
      pair_map(&p, SRC + 0x1000, entry(&p, DST)); /* read after it has been written */
      pair_run(&p, &c, UINT64_MAX);
      assert_int_equal(band(p.bands, 64), 0);
      pair_map(&p, SRC + 0x1000, entry(&p, SRC + 0x1000));
      pair_map(&p, DST + 0x1000, entry(&p, DST)); /* written twice */
      pair_run(&p, &c, UINT64_MAX);
      assert_int_equal(band(p.bands, 64), 0);
      c.src = c.dst;
      for (int k = 0; k < 9; k++) {
         c.src_x = 20 + k % 3 * 7, c.src_y = 20 + k / 3 * 9;
         c.x = 27, c.y = 29, c.width = 200, c.height = 60;
         pair_run(&p, &c, UINT64_MAX);
      }
      pair_finish(&p);
   }
}

/* BLT-074, BLT-077: slices end at the same lines, and the time is the same. */
static void
slices_are_those_of_scan_lines(void **state)
{
   proves("BLT-074", "BLT-077");
   (void)state;
   struct pair p;
   pair_start(&p);
   uint64_t seed = 0x1234567;
   for (unsigned i = 0; i < 60; i++) {
      struct copy c = {i % LAYOUTS, i / LAYOUTS % LAYOUTS, 3, .src = SRC, .dst = DST};
      c.x = (int)(stand_next(&seed) % 40), c.y = (int)(stand_next(&seed) % 40);
      c.src_x = (int)(stand_next(&seed) % 40), c.src_y = (int)(stand_next(&seed) % 40);
      c.width = 1 + (int)(stand_next(&seed) % 200), c.height = 1 + (int)(stand_next(&seed) % 80);
      pair_run(&p, &c, 1 + stand_next(&seed) % 90);
   }
   assert_int_equal(p.log[0].count, 0);
   pair_finish(&p);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test_setup_teardown(every_pair_of_layouts, stand_setup, stand_teardown),
       cmocka_unit_test(faults_are_those_of_scan_lines),
       cmocka_unit_test(pages_that_are_there_twice),
       cmocka_unit_test(slices_are_those_of_scan_lines),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
