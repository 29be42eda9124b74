/* Interrupt aggregation against a second model, written from the rows SYS-001 to SYS-070 and
 * SYS-413 alone. It knows units by a table of what the rows say of them and follows single events:
 * where each one is, from its message to the agent. Millions of random steps: messages of all
 * kinds, enables and masks in whole and in part, service in and out of order. */
#include "gen11_test.h"
#include "tests/proves.h"

#include <stdio.h>

#define STEPS 3000000u

/* SYS-006..016, SYS-037, SYS-070, SYS-413: class, instance; DW and bit; byte of the enable and of
 * the mask, whose upper half is the first-named unit's. Video units that the product lacks are not
 * here (SYS-005). */
static const struct spec_unit {
   uint8_t class, instance, dw, bit;
   uint32_t enable, mask;
} units[] = {
    {0, 0, 0, 0, 0x190032, 0x190092},  /* RCS */
    {3, 0, 0, 15, 0x190030, 0x1900a2}, /* BCS */
    {1, 0, 1, 0, 0x190036, 0x1900aa},  /* VCS0 */
    {1, 2, 1, 2, 0x190036, 0x1900ae},  /* VCS2 */
    {2, 0, 1, 31, 0x190034, 0x1900d2}, /* VECS0 */
    {4, 0, 0, 25, 0x19003a, 0x1900ea}, /* GuC */
    {4, 1, 0, 16, 0x19003e, 0x1900ee}, /* GTPM */
    {4, 2, 0, 20, 0x19003c, 0x1900ec}, /* WDOAPerf */
    {4, 3, 0, 24, 0x190038, 0x1900e8}, /* SCTRG */
    {4, 4, 0, 19, 0x190042, 0x1900f2}, /* KCR */
    {4, 5, 0, 28, 0x190046, 0x1900f6}, /* Gunit */
    {4, 6, 0, 31, 0x190044, 0x1900f4}, /* CSME */
};
#define UNIT_COUNT (sizeof(units) / sizeof(units[0]))

/* Where an event is. */
enum place { NOWHERE, HELD, SHOWN };

struct spec {
   enum place event[UNIT_COUNT][16];
   uint16_t enable[UNIT_COUNT], mask[UNIT_COUNT];
   bool front[UNIT_COUNT], back[UNIT_COUNT]; /* its bit in what software sees; behind that */
   bool seen[2];                             /* DW has been read and not been emptied since */
   int served[2];                            /* the unit that is being served, or -1 */
   bool on;                                  /* Master Control Enable */
   uint64_t accepted, delivered, edges;
   bool level;
};

struct run {
   struct pergola_device *dev;
   struct spec s;
   uint64_t seed, edges;
   bool level;
};

static uint32_t
draw(struct run *r, uint32_t below)
{
   r->seed = r->seed * 6364136223846793005u + 1442695040888963407u;
   return (uint32_t)((r->seed >> 33) % below);
}

/* ---- the rows -------------------------------------------------------------------------------- */

static bool
any_front(const struct spec *s, unsigned dw)
{
   for (unsigned u = 0; u < UNIT_COUNT; u++)
      if (units[u].dw == dw && s->front[u])
         return true;
   return false;
}

/* SYS-032, SYS-035 */
static void
settle(struct spec *s)
{
   bool level = s->on && (any_front(s, 0) || any_front(s, 1));
   s->edges += level && !s->level;
   s->level = level;
}

/* SYS-046, SYS-048: something of the unit may go on. */
static bool
pending(const struct spec *s, unsigned u)
{
   for (unsigned b = 0; b < 16; b++)
      if (s->event[u][b] == HELD && !(s->mask[u] >> b & 1))
         return true;
   return false;
}

/* SYS-049: in front, or behind what software is looking at. */
static void
raise(struct spec *s, unsigned u)
{
   if (s->seen[units[u].dw])
      s->back[u] = true;
   else
      s->front[u] = true;
}

/* SYS-043, SYS-045; SYS-066: an event of the unit, also a masked one, brings out what is there. */
static void
message(struct spec *s, unsigned u, uint16_t data)
{
   data &= s->enable[u];
   for (unsigned b = 0; b < 16; b++)
      if (data >> b & 1 && s->event[u][b] != HELD) {
         s->event[u][b] = HELD;
         s->accepted++;
      }
   if (data && pending(s, u))
      raise(s, u);
}

/* SYS-046: what the mask lets go now goes; SYS-066: and what was left behind. */
static void
write_mask(struct spec *s, unsigned u, uint16_t value)
{
   bool changes = s->mask[u] != value;
   s->mask[u] = value;
   if (changes && pending(s, u))
      raise(s, u);
}

static uint32_t
read_dw(struct spec *s, unsigned dw)
{
   uint32_t value = 0;
   for (unsigned u = 0; u < UNIT_COUNT; u++)
      if (units[u].dw == dw && s->front[u])
         value |= 1u << units[u].bit;
   if (value) /* SYS-053 */
      s->seen[dw] = true;
   return value;
}

/* SYS-051, SYS-052 */
static void
clear_dw(struct spec *s, unsigned dw, uint32_t bits)
{
   for (unsigned u = 0; u < UNIT_COUNT; u++)
      if (units[u].dw == dw && bits >> units[u].bit & 1)
         s->front[u] = false;
   if (any_front(s, dw))
      return;
   settle(s); /* the level falls in between: a second event */
   s->seen[dw] = false;
   for (unsigned u = 0; u < UNIT_COUNT; u++)
      if (units[u].dw == dw && s->back[u]) {
         s->front[u] = true;
         s->back[u] = false;
      }
}

/* SYS-055, SYS-059..062 */
static void
select_unit(struct spec *s, unsigned dw, uint32_t selector)
{
   if (s->served[dw] >= 0 || !selector || selector & (selector - 1))
      return;
   for (unsigned u = 0; u < UNIT_COUNT; u++) {
      if (units[u].dw != dw || selector != 1u << units[u].bit || !s->front[u])
         continue;
      s->served[dw] = (int)u;
      for (unsigned b = 0; b < 16; b++)
         if (s->event[u][b] == HELD && !(s->mask[u] >> b & 1)) {
            s->event[u][b] = SHOWN;
            s->delivered++;
         }
   }
}

/* What Shared IIR shows stays as it was at the selection, whatever comes behind it. */
struct shown {
   uint16_t data[2];
};

static uint32_t
identity(const struct spec *s, const struct shown *shown, unsigned dw)
{
   int u = s->served[dw];
   if (u < 0)
      return 0;
   return 0x80000000u | (uint32_t)units[u].instance << 20 | (uint32_t)units[u].class << 16 |
          shown->data[dw];
}

/* SYS-057 */
static void
end_service(struct spec *s, unsigned dw, uint32_t written)
{
   if (!(written >> 31) || s->served[dw] < 0)
      return;
   for (unsigned b = 0; b < 16; b++)
      if (s->event[s->served[dw]][b] == SHOWN)
         s->event[s->served[dw]][b] = NOWHERE;
   s->served[dw] = -1;
}

/* ---- both, step by step ---------------------------------------------------------------------- */

static void
line(void *data, bool level)
{
   struct run *r = data;
   r->edges += level && !r->level;
   r->level = level;
}

static void
send(struct run *r)
{
   static const uint32_t strange[] = {5u << 16, 6u << 16,           7u << 16, 1u << 16 | 1u << 20,
                                      1u << 27, 3u << 27 | 1u << 16};
   uint16_t data = (uint16_t)(1u << draw(r, 16) | (draw(r, 4) ? 0 : draw(r, 65536)));
   if (!draw(r, 16)) { /* classes and units that are not there; other machines' */
      interrupts_message(&r->dev->gen11->host, strange[draw(r, 6)] | data);
      return;
   }
   unsigned u = draw(r, UNIT_COUNT);
   uint32_t ignored = draw(r, 4) ? 0 : 0xc4080000u; /* SYS-022 */
   interrupts_message(&r->dev->gen11->host, ignored | (uint32_t)units[u].instance << 20 |
                                                (uint32_t)units[u].class << 16 | data);
   message(&r->s, u, data);
}

static uint16_t
gate(struct run *r)
{
   static const uint16_t common[] = {0, 0xffff, 0x0111, 0x00ff};
   return draw(r, 3) ? common[draw(r, 4)] : (uint16_t)draw(r, 65536);
}

static void
write_gates(struct run *r)
{
   unsigned u = draw(r, UNIT_COUNT);
   uint16_t value = gate(r);
   if (draw(r, 3)) {
      pergola_mmio_write(r->dev, units[u].mask, 2, value);
      write_mask(&r->s, u, value);
      return;
   }
   pergola_mmio_write(r->dev, units[u].enable, 2, value);
   for (unsigned v = 0; v < UNIT_COUNT; v++) /* SYS-044 */
      if (units[v].enable == units[u].enable)
         r->s.enable[v] = value;
}

static void
choose_unit(struct run *r, struct shown *shown)
{
   unsigned u = draw(r, UNIT_COUNT), dw = units[u].dw;
   uint32_t selector = draw(r, 20) ? 1u << units[u].bit : draw(r, 3) ? 0 : r->seed >> 7 & ~0u;
   int before = r->s.served[dw];
   wr(r->dev, 0x190070 + 4 * dw, selector);
   select_unit(&r->s, dw, selector);
   if (before >= 0 || r->s.served[dw] < 0)
      return;
   shown->data[dw] = 0;
   for (unsigned b = 0; b < 16; b++)
      shown->data[dw] |= (uint16_t)((r->s.event[r->s.served[dw]][b] == SHOWN) << b);
}

static void
clear(struct run *r, unsigned dw)
{
   uint32_t bits = draw(r, 2) ? ~0u : 1u << units[draw(r, UNIT_COUNT)].bit;
   wr(r->dev, 0x190018 + 4 * dw, bits);
   clear_dw(&r->s, dw, bits);
}

/* The interrupt handler of a driver, as SYS-033 and SYS-054 say it. */
static void
serve(struct run *r, struct shown *shown, unsigned dw)
{
   uint32_t bits = rd(r->dev, 0x190018 + 4 * dw);
   assert_int_equal(bits, read_dw(&r->s, dw));
   if (r->s.served[dw] >= 0) { /* who was before has not ended */
      wr(r->dev, 0x190060 + 4 * dw, 0x80000000);
      end_service(&r->s, dw, 0x80000000);
   }
   for (unsigned u = 0; u < UNIT_COUNT; u++) {
      if (units[u].dw != dw || !(bits >> units[u].bit & 1))
         continue;
      wr(r->dev, 0x190070 + 4 * dw, 1u << units[u].bit);
      select_unit(&r->s, dw, 1u << units[u].bit);
      shown->data[dw] = 0;
      for (unsigned b = 0; b < 16; b++)
         shown->data[dw] |= (uint16_t)((r->s.event[u][b] == SHOWN) << b);
      if (!draw(r, 4)) /* late arrivals */
         send(r);
      assert_int_equal(rd(r->dev, 0x190060 + 4 * dw), identity(&r->s, shown, dw));
      wr(r->dev, 0x190060 + 4 * dw, 0x80000000);
      end_service(&r->s, dw, 0x80000000);
   }
   wr(r->dev, 0x190018 + 4 * dw, bits);
   clear_dw(&r->s, dw, bits);
}

static void
step(struct run *r, struct shown *shown)
{
   unsigned dw = draw(r, 2);
   uint32_t value;
   switch (draw(r, 16)) {
   case 0:
   case 1:
      write_gates(r);
      break;
   case 2:
      assert_int_equal(rd(r->dev, 0x190018 + 4 * dw), read_dw(&r->s, dw));
      break;
   case 3:
   case 4:
      choose_unit(r, shown);
      break;
   case 5:
      assert_int_equal(rd(r->dev, 0x190060 + 4 * dw), identity(&r->s, shown, dw));
      break;
   case 6:
   case 7:
      value = draw(r, 4) ? 0x80000000u : draw(r, 0x7fffffff);
      wr(r->dev, 0x190060 + 4 * dw, value);
      end_service(&r->s, dw, value);
      break;
   case 8:
      clear(r, dw);
      break;
   case 9:
      r->s.on = draw(r, 2);
      wr(r->dev, 0x190010, r->s.on ? 0xffffffff : 0x7fffffff);
      break;
   case 10:
      if (!draw(r, 4))
         serve(r, shown, dw);
      break;
   default:
      send(r);
      break;
   }
   settle(&r->s);
   value = (uint32_t)r->s.on << 31 | (uint32_t)any_front(&r->s, 1) << 1 | any_front(&r->s, 0);
   assert_int_equal(rd(r->dev, 0x190010), value);
   assert_int_equal(r->level, r->s.level);
}

/* Everything that was accepted comes out, and the unit is at rest then. */
static void
drain(struct run *r, struct shown *shown)
{
   for (unsigned dw = 0; dw < 2; dw++) {
      wr(r->dev, 0x190060 + 4 * dw, 0x80000000);
      end_service(&r->s, dw, 0x80000000);
   }
   for (unsigned u = 0; u < UNIT_COUNT; u++) /* SYS-066: what was cleared unserved comes back so */
      for (unsigned pass = 0; pass < 2; pass++) {
         uint16_t value = pass ? 0 : 0xffff;
         pergola_mmio_write(r->dev, units[u].mask, 2, value);
         write_mask(&r->s, u, value);
      }
   wr(r->dev, 0x190010, 0x80000000);
   r->s.on = true;
   settle(&r->s);
   for (unsigned u = 0; u < UNIT_COUNT; u++) { /* no more arrivals */
      pergola_mmio_write(r->dev, units[u].enable, 2, 0);
      r->s.enable[u] = 0;
   }
   for (unsigned round = 0; round < 3; round++)
      for (unsigned dw = 0; dw < 2; dw++)
         serve(r, shown, dw);
   settle(&r->s);
   assert_false(r->level);
   assert_int_equal(r->s.accepted, r->s.delivered);
   for (unsigned u = 0; u < UNIT_COUNT; u++)
      assert_false(pending(&r->s, u));
}

static void
random_steps(void **state)
{
   proves("SYS-022", "SYS-033", "SYS-043", "SYS-046", "SYS-049", "SYS-052", "SYS-053", "SYS-055",
          "SYS-062", "SYS-066");
   (void)state;
   uint64_t accepted = 0;
   for (unsigned seed = 1; seed <= 30; seed++) {
      struct run r = {.dev = new_icl(), .seed = seed};
      struct shown shown = {{0, 0}};
      r.s.served[0] = r.s.served[1] = -1;
      memset(r.s.mask, 0xff, sizeof(r.s.mask));
      pergola_set_interrupt_handler(r.dev, line, &r);
      for (unsigned i = 0; i < STEPS / 30; i++)
         step(&r, &shown);
      drain(&r, &shown);
      assert_int_equal(r.edges, r.s.edges);
      assert_true(r.s.accepted > 1000);
      accepted += r.s.accepted;
      pergola_device_destroy(r.dev);
   }
   printf("# %u steps, %llu events accepted and delivered\n", STEPS, (unsigned long long)accepted);
}

const struct CMUnitTest spec_tests[] = {cmocka_unit_test(random_steps)};
const size_t spec_test_count = 1;
