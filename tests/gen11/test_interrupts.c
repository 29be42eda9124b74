/* Interrupt aggregation: row by row, and against a second reading of the rows. */
#include "gen11_test.h"
#include "interrupt_model.h"
#include "tests/proves.h"

enum { MASTER = 0x190010, DW0 = 0x190018, DW1 = 0x19001c, ID0 = 0x190060, SEL0 = 0x190070 };

static void
event(struct pergola_device *dev, unsigned vf, unsigned class, unsigned instance, uint16_t data)
{
   interrupts_message(&dev->gen11->host, (uint32_t)vf << 27 | (uint32_t)instance << 20 |
                                             (uint32_t) class << 16 | data);
}

/* All enabled, nothing masked. */
static void
open_all(struct pergola_device *dev)
{
   for (uint32_t at = 0x190030; at <= 0x190044; at += 4)
      wr(dev, at, ~0u);
   static const uint32_t masks[] = {0x190090, 0x1900a0, 0x1900a8, 0x1900ac, 0x1900b0, 0x1900b4,
                                    0x1900d0, 0x1900d4, 0x1900e8, 0x1900ec, 0x1900f0, 0x1900f4};
   for (unsigned i = 0; i < 12; i++)
      wr(dev, masks[i], 0);
}

/* What i915 does for one bit: select, read, end. */
static uint32_t
serve(struct pergola_device *dev, unsigned dw, unsigned bit)
{
   wr(dev, SEL0 + 4 * dw, 1u << bit);
   uint32_t identity = rd(dev, ID0 + 4 * dw);
   wr(dev, ID0 + 4 * dw, 0x80000000);
   return identity;
}

struct unit_case {
   uint8_t class, instance, dw, bit;
};
static const struct unit_case all_units[] = {
    {0, 0, 0, 0},  {3, 0, 0, 15}, {1, 0, 1, 0},  {1, 2, 1, 2},  {2, 0, 1, 31}, {4, 0, 0, 25},
    {4, 1, 0, 16}, {4, 2, 0, 20}, {4, 3, 0, 24}, {4, 4, 0, 19}, {4, 5, 0, 28}, {4, 6, 0, 31},
};

static void
every_unit_has_its_bit_and_identity(void)
{
   struct pergola_device *dev = new_icl();
   open_all(dev);
   for (unsigned i = 0; i < sizeof(all_units) / sizeof(all_units[0]); i++) {
      const struct unit_case *u = &all_units[i];
      event(dev, 0, u->class, u->instance, (uint16_t)(0x8001 + i));
      assert_int_equal(rd(dev, u->dw ? DW1 : DW0), 1u << u->bit);
      assert_int_equal(rd(dev, u->dw ? DW0 : DW1), 0);
      uint32_t want = 0x80000000u | (uint32_t)u->instance << 20 | (uint32_t)u->class << 16;
      assert_int_equal(serve(dev, u->dw, u->bit), want | (0x8001 + i));
      wr(dev, u->dw ? DW1 : DW0, ~0u);
   }
   assert_int_equal(pergola_diagnostic_count(dev, PERGOLA_NOTE), 0);
   pergola_device_destroy(dev);
}
static void
classes_and_instances(void **state)
{
   proves("SYS-004", "SYS-006", "SYS-007", "SYS-008", "SYS-009", "SYS-010", "SYS-011", "SYS-012",
          "SYS-013", "SYS-014");
   (void)state;
   every_unit_has_its_bit_and_identity();
}
static void
message_layout(void **state)
{
   proves("SYS-003", "SYS-015", "SYS-016", "SYS-019", "SYS-020", "SYS-022", "SYS-037", "SYS-042",
          "SYS-056", "SYS-413");
   (void)state;
   every_unit_has_its_bit_and_identity();
   struct pergola_device *dev = new_icl();
   open_all(dev);
   /* Reserved bits of a message are ignored. */
   interrupts_message(&dev->gen11->host, 0xc4080000u | 2u << 20 | 1u << 16 | 0xffff);
   assert_int_equal(rd(dev, DW1), 4);
   assert_int_equal(serve(dev, 1, 2), 0x8021ffff);
   wr(dev, DW1, ~0u);
   assert_int_equal(rd(dev, DW1), 0);
   /* SYS-413: of the mask that it shares the low half is SCTRG's, the high one GUC's. */
   wr(dev, 0x1900e8, 0x0000ffff);
   event(dev, 0, 4, 3, 1);
   assert_int_equal(rd(dev, DW0), 0);
   event(dev, 0, 4, 0, 1);
   assert_int_equal(rd(dev, DW0), 1u << 25);
   serve(dev, 0, 25);
   wr(dev, DW0, ~0u);
   wr(dev, 0x1900e8, 0xffff0000);
   assert_int_equal(rd(dev, DW0), 1u << 24);
   pergola_device_destroy(dev);
}

static void
who_may_not_send(void **state)
{
   proves("SYS-005", "SYS-017", "SYS-018");
   (void)state;
   struct pergola_device *dev = new_icl();
   open_all(dev);
   struct interrupts *host = &dev->gen11->host;
   for (unsigned class = 5; class < 8; class ++)
      event(dev, 0, class, 0, 0xffff);
   event(dev, 0, 1, 1, 1); /* fused off */
   event(dev, 0, 2, 1, 1);
   event(dev, 0, 1, 63, 1);
   event(dev, 0, 4, 7, 1);
   event(dev, 0, 0, 1, 1);
   assert_int_equal(host->errors, 8);
   assert_true(pergola_diagnostic_count(dev, PERGOLA_ERROR) >= 2);
   assert_int_equal(rd(dev, DW0) | rd(dev, DW1), 0);
   host->decode_units = 0xff; /* a product with more of them */
   host->enhance_units = 0xf;
   for (unsigned n = 0; n < 8; n++) {
      event(dev, 0, 1, n, 1);
      event(dev, 0, 2, n / 2, 1);
   }
   assert_int_equal(host->errors, 8);
   assert_int_equal(rd(dev, DW1), 0xf00000ff);
   pergola_device_destroy(dev);
}

static void
enables_and_masks(void **state)
{
   proves("SYS-043", "SYS-044", "SYS-045", "SYS-046", "SYS-047", "SYS-048", "SYS-067", "SYS-068",
          "SYS-070", "SYS-038");
   (void)state;
   struct pergola_device *dev = new_icl();
   assert_int_equal(rd(dev, 0x190030), 0);
   assert_int_equal(rd(dev, 0x1900ac), ~0u);
   wr(dev, 0x190034, ~0u); /* enabled, all bits are masked */
   event(dev, 0, 1, 0, 0xffff);
   assert_int_equal(rd(dev, DW1), 0);
   wr(dev, 0x1900a8, 0); /* they have stayed */
   assert_int_equal(rd(dev, DW1), 1);
   assert_int_equal(serve(dev, 1, 0) & 0xffff, 0xffff);
   wr(dev, DW1, ~0u);
   open_all(dev);
   wr(dev, 0x190034, 0x00f00000); /* decode: bits 7:4; enhance: none */
   event(dev, 0, 1, 0, 0x00ff);
   event(dev, 0, 1, 2, 0x0010);
   event(dev, 0, 2, 0, 0xffff);
   wr(dev, 0x190034, ~0u); /* what was not enabled does not come back */
   assert_int_equal(rd(dev, DW1), 5);
   assert_int_equal(serve(dev, 1, 0) & 0xffff, 0xf0);
   assert_int_equal(serve(dev, 1, 2) & 0xffff, 0x10);
   wr(dev, DW1, ~0u);
   assert_int_equal(rd(dev, DW1), 0);
   /* Class Other: an Enable each. */
   wr(dev, 0x190038, 0x00010000);
   event(dev, 0, 4, 3, 1);
   event(dev, 0, 4, 0, 3);
   assert_int_equal(rd(dev, DW0), 1u << 25);
   assert_int_equal(serve(dev, 0, 25) & 0xffff, 1);
   wr(dev, DW0, ~0u);
   /* Masked bits stay and go on when the mask opens; one instance's mask is not another's. */
   wr(dev, 0x1900a8, 0x000f0000);
   event(dev, 0, 1, 0, 0x0003);
   event(dev, 0, 1, 0, 0x0014);
   event(dev, 0, 1, 2, 0x0003);
   assert_int_equal(rd(dev, DW1), 5);
   assert_int_equal(serve(dev, 1, 0) & 0xffff, 0x10);
   assert_int_equal(serve(dev, 1, 2) & 0xffff, 0x03);
   wr(dev, DW1, ~0u);
   assert_int_equal(rd(dev, DW1), 0);
   wr(dev, 0x1900a8, 0x00080000);
   assert_int_equal(rd(dev, DW1), 1);
   assert_int_equal(serve(dev, 1, 0) & 0xffff, 0x07); /* accumulated */
   pergola_device_destroy(dev);
}

static void
double_buffer(void **state)
{
   proves("SYS-039", "SYS-049", "SYS-050", "SYS-051", "SYS-052", "SYS-053", "SYS-062", "SYS-036");
   (void)state;
   struct pergola_device *dev = new_icl();
   open_all(dev);
   assert_int_equal(rd(dev, DW0), 0); /* a read of 0 locks nothing */
   event(dev, 0, 0, 0, 1);
   event(dev, 0, 3, 0, 1); /* nor does an event before the first read */
   assert_int_equal(rd(dev, DW0), 0x8001);
   event(dev, 0, 4, 1, 2);
   event(dev, 0, 0, 0, 4);
   assert_int_equal(rd(dev, DW0), 0x8001); /* gains no bits */
   assert_int_equal(rd(dev, MASTER), 1);
   assert_int_equal(serve(dev, 0, 0) & 0xffff, 5);
   wr(dev, DW0, 1);
   assert_int_equal(rd(dev, DW0), 0x8000);
   event(dev, 0, 0, 0, 8);
   assert_int_equal(rd(dev, DW0), 0x8000);
   assert_int_equal(serve(dev, 0, 15) & 0xffff, 1);
   wr(dev, DW0, 0);
   assert_int_equal(rd(dev, DW0), 0x8000); /* zeros change nothing */
   wr(dev, DW0, 0x8000);
   assert_int_equal(rd(dev, DW0), 0x10001); /* what was held back, as a second event */
   assert_int_equal(serve(dev, 0, 16) & 0xffff, 2);
   assert_int_equal(serve(dev, 0, 0) & 0xffff, 8);
   wr(dev, DW0, ~0u);
   assert_int_equal(rd(dev, MASTER), 0);
   assert_int_equal(pergola_diagnostic_count(dev, PERGOLA_NOTE), 0);
   pergola_device_destroy(dev);
}

/* Legal service in both orders, and every way to break it. */
static void
service(void **state)
{
   proves("SYS-040", "SYS-041", "SYS-054", "SYS-055", "SYS-057", "SYS-063", "SYS-064");
   (void)state;
   for (unsigned order = 0; order < 2; order++) {
      struct pergola_device *dev = new_icl();
      open_all(dev);
      event(dev, 0, 0, 0, 1);
      event(dev, 0, 3, 0, 2);
      event(dev, 0, 4, 2, 4);
      assert_int_equal(rd(dev, DW0), 0x108001);
      static const uint8_t bits[] = {0, 15, 20};
      for (unsigned i = 0; i < 3; i++) {
         wr(dev, SEL0, 1u << bits[i]);
         assert_int_equal(rd(dev, SEL0), 1u << bits[i]);
         assert_int_equal(rd(dev, ID0) & 0x8000ffff, 0x80000000u | 1u << i);
         wr(dev, ID0, 0x7fffffff); /* only Data-Valid counts */
         assert_int_equal(rd(dev, ID0) >> 31, 1);
         wr(dev, ID0, 0x80000000);
         assert_int_equal(rd(dev, ID0) | rd(dev, SEL0), 0);
         if (order)
            wr(dev, DW0, 1u << bits[i]);
      }
      if (!order)
         wr(dev, DW0, 0x108001);
      assert_int_equal(rd(dev, DW0), 0);
      for (unsigned i = 0; i < 3; i++)
         event(dev, 0, 0, 0, 1);
      assert_int_equal(serve(dev, 0, 0) & 0xffff, 1);
      assert_int_equal(pergola_diagnostic_count(dev, PERGOLA_NOTE), 0);
      pergola_device_destroy(dev);
   }
}

static void
illegal_service(void **state)
{
   proves("SYS-058", "SYS-059", "SYS-060", "SYS-061", "SYS-065", "SYS-066");
   (void)state;
   struct pergola_device *dev = new_icl();
   struct seen_rules seen = {0};
   pergola_add_diagnostic_sink(dev, note_rule, &seen);
   open_all(dev);
   event(dev, 0, 0, 0, 1);
   event(dev, 0, 3, 0, 2);
   assert_int_equal(rd(dev, DW0), 0x8001);
   wr(dev, SEL0, 0x8001);
   wr(dev, SEL0, 0);
   assert_int_equal(rd(dev, SEL0) | rd(dev, ID0), 0);
   assert_int_equal(reported(&seen, "SYS-059"), 1);
   wr(dev, SEL0, 0x10000);
   assert_int_equal(rd(dev, SEL0) | rd(dev, ID0), 0);
   assert_int_equal(reported(&seen, "SYS-060"), 1);
   wr(dev, SEL0, 1);
   wr(dev, SEL0, 0x8000); /* Data-Valid is set */
   assert_int_equal(rd(dev, SEL0), 1);
   assert_int_equal(rd(dev, ID0), 0x80000001);
   assert_int_equal(reported(&seen, "SYS-058"), 1);
   wr(dev, ID0, 0x80000000);
   assert_int_equal(reported(&seen, "SYS-065"), 0);
   wr(dev, DW0, 0x8001); /* the copy engine was not served */
   assert_int_equal(reported(&seen, "SYS-065"), 1);
   assert_int_equal(rd(dev, DW0), 0); /* and is not raised again by itself, … */
   event(dev, 0, 3, 0, 4);            /* … but by the next event, with both */
   assert_int_equal(rd(dev, DW0), 0x8000);
   assert_int_equal(serve(dev, 0, 15) & 0xffff, 6);
   wr(dev, DW0, 0x8000);
   event(dev, 0, 3, 0, 8);
   wr(dev, DW0, 0x8000);
   assert_int_equal(rd(dev, DW0), 0);
   wr(dev, 0x1900a0, 0x00010000); /* or by a change of the mask */
   assert_int_equal(rd(dev, DW0), 0x8000);
   pergola_device_destroy(dev);
}

static void
master(void **state)
{
   proves("SYS-028", "SYS-029", "SYS-031", "SYS-032", "SYS-033", "SYS-034", "SYS-002");
   (void)state;
   struct pergola_device *dev = new_icl();
   assert_int_equal(rd(dev, MASTER), 0);
   open_all(dev);
   event(dev, 0, 0, 0, 1);
   event(dev, 0, 1, 0, 1);
   assert_int_equal(rd(dev, MASTER), 3);
   assert_false(dev->interrupt_line);
   wr(dev, MASTER, 0x80000000); /* a source is there already */
   assert_true(dev->interrupt_line);
   wr(dev, MASTER, 0x7fffffff); /* source bits cannot be written */
   assert_int_equal(rd(dev, MASTER), 3);
   assert_false(dev->interrupt_line);
   /* The handler's four steps; an event that comes meanwhile interrupts again. */
   uint32_t sources = rd(dev, MASTER);
   assert_int_equal(sources, 3);
   assert_int_equal(rd(dev, DW0), 1);
   event(dev, 0, 0, 0, 2);
   assert_int_equal(serve(dev, 0, 0) & 0xffff, 3);
   event(dev, 0, 0, 0, 4);
   wr(dev, DW0, 1);
   rd(dev, DW1);
   serve(dev, 1, 0);
   wr(dev, DW1, 1);
   assert_int_equal(rd(dev, MASTER), 1);
   wr(dev, MASTER, 0x80000000);
   assert_true(dev->interrupt_line);
   assert_int_equal(rd(dev, DW0), 1);
   assert_int_equal(serve(dev, 0, 0) & 0xffff, 4);
   wr(dev, DW0, 1);
   assert_false(dev->interrupt_line);
   /* Sources beside the GT: GU misc, PCU, display. */
   wr(dev, 0x444f4, 0);
   wr(dev, 0x444fc, 1u << 27);
   pergola_pci_write(dev, 0xe4, 1, 1);
   assert_int_equal(rd(dev, MASTER), 0xa0000000);
   wr(dev, 0x444f8, 1u << 27);
   assert_int_equal(rd(dev, MASTER), 0x80000000);
   interrupts_set_other(&dev->gen11->host, 0, 1u << 30, true);
   assert_int_equal(rd(dev, MASTER), 0xc0000000);
   interrupts_set_other(&dev->gen11->host, 0, 1u << 30, false);
   wr(dev, 0x44200, 0x80000000);
   assert_int_equal(rd(dev, MASTER), 0x80000000);
   reg_set(dev, 0x44200, 0x80010000); /* pipe A */
   wr(dev, 0x44200, 0x80000000);
   assert_int_equal(rd(dev, MASTER), 0x80010000);
   assert_true(dev->interrupt_line);
   wr(dev, 0x44200, 0); /* off */
   assert_int_equal(rd(dev, MASTER), 0x80000000);
   pergola_device_destroy(dev);
}

/* An event of one machine leaves the others' copies alone. */
static void
machines(void **state)
{
   proves("SYS-023", "SYS-024", "SYS-030");
   (void)state;
   struct pergola_device *dev = new_icl();
   struct interrupts *host = &dev->gen11->host;
   open_all(dev);
   for (unsigned vf = 0; vf < 8; vf++) {
      event(dev, vf, 0, 0, (uint16_t)(1u << vf));
      for (unsigned other = 0; other < 8; other++)
         assert_int_equal(interrupts_master(host, other), other <= vf);
   }
   for (unsigned vf = 7; vf > 0; vf--) {
      assert_int_equal(interrupts_read_dw(host, vf, 0), 1);
      interrupts_select(host, vf, 0, 1);
      assert_int_equal(host->vm[vf].shared[0], 0x80000000u | vf << 27 | 1u << vf);
      interrupts_end_service(host, vf, 0, 0x80000000);
      interrupts_clear_dw(host, vf, 0, 1);
      assert_int_equal(interrupts_master(host, vf), 0);
   }
   assert_int_equal(rd(dev, DW0), 1); /* machine 0 is what the registers show */
   assert_int_equal(serve(dev, 0, 0), 0x80000001);
   pergola_device_destroy(dev);
}

static unsigned vectors[2];
static void
vector(struct interrupts *i, unsigned dw)
{
   (void)i;
   vectors[dw]++;
}

/* The scheduler's side: a set of its own, two vectors, not on the bus. */
static void
scheduler(void **state)
{
   proves("SYS-001", "SYS-025", "SYS-026", "SYS-027", "SYS-069");
   (void)state;
   struct pergola_device *dev = new_icl();
   struct interrupts *host = &dev->gen11->host, *other = &dev->gen11->scheduler;
   struct engine *rcs = &dev->gen11->engine[GEN11_RCS0], *vcs = &dev->gen11->engine[GEN11_VCS0];
   other->vector = vector;
   memset(vectors, 0, sizeof(vectors));
   open_all(dev);
   gen11_engine_event(rcs, 0x100); /* off by default */
   assert_int_equal(interrupts_master(other, 0), 0);
   assert_int_equal(rd(dev, DW0), 1);
   serve(dev, 0, 0);
   wr(dev, DW0, 1);
   /* Complements: context switches there, the rest here. */
   wr(dev, 0x190030, 0xfeff0000);
   wr(dev, 0x190034, 0xfeff0000);
   other->enable[0] = other->enable[2] = 0x100;
   memset(other->mask, 0, sizeof(other->mask));
   gen11_engine_event(rcs, 0x100 | 0x001);
   assert_int_equal(vectors[0], 1);
   assert_int_equal(vectors[1], 0);
   assert_int_equal(rd(dev, DW0), 1);
   assert_int_equal(serve(dev, 0, 0) & 0xffff, 0x001);
   wr(dev, DW0, 1);
   gen11_engine_event(vcs, 0x100);
   assert_int_equal(vectors[1], 1);
   assert_int_equal(rd(dev, DW1), 0);
   /* Serving the first group leaves the second alone. */
   assert_int_equal(interrupts_read_dw(other, 0, 0), 1);
   interrupts_select(other, 0, 0, 1);
   assert_int_equal(other->vm[0].shared[0] & 0xffff, 0x100);
   interrupts_end_service(other, 0, 0, 0x80000000);
   interrupts_clear_dw(other, 0, 0, 1);
   assert_int_equal(other->vm[0].dw_iir[0], 0);
   assert_int_equal(other->vm[0].dw_iir[1], 1);
   gen11_engine_event(rcs, 0x100);
   assert_int_equal(vectors[0], 2);
   /* Nothing forces them to be complements. */
   host->enable[0] = 0xffff;
   gen11_engine_event(rcs, 0x100);
   assert_int_equal(rd(dev, DW0), 1);
   pergola_device_destroy(dev);
}

/* ---- the model check --------------------------------------------------------------------------
 */

struct check {
   struct pergola_device *dev;
   struct model m;
   uint64_t seed;
   unsigned edges;
   uint16_t owed[12]; /* enabled events that no identity has shown yet */
   uint16_t late[12]; /* those that came between a selection and its identity */
};

static uint32_t
next(struct check *c)
{
   c->seed = c->seed * 6364136223846793005u + 1442695040888963407u;
   return (uint32_t)(c->seed >> 33);
}

static void
count_edge(void *data, bool level)
{
   ((struct check *)data)->edges += level;
}

static uint32_t
both_read(struct check *c, uint32_t offset)
{
   uint32_t mine = model_read(&c->m, offset), real = rd(c->dev, offset);
   if (mine != real)
      fail_msg("%x reads 0x%08x, the rows say 0x%08x", offset, real, mine);
   return real;
}

static void
both_write(struct check *c, uint32_t offset, uint32_t value)
{
   model_write(&c->m, offset, value);
   wr(c->dev, offset, value);
}

static void
both_event(struct check *c)
{
   const struct unit_case *u = &all_units[next(c) % 12];
   uint16_t data = (uint16_t)(next(c) & next(c));
   unsigned i = (unsigned)(u - all_units);
   for (int n = 0; n < c->m.units; n++) {
      struct model_unit *m = &c->m.unit[n];
      if (m->class_id == u->class && m->instance_id == u->instance)
         c->late[i] |=
             data & (uint16_t)(model_read(&c->m, m->enable_at) >> (m->enable_high ? 16 : 0));
   }
   c->owed[i] |= c->late[i];
   model_event(&c->m, u->class, u->instance, data);
   event(c->dev, 0, u->class, u->instance, data);
}

/* The identity shows only what is owed: nothing is invented. */
static void
both_identity(struct check *c, unsigned dw)
{
   uint32_t id = both_read(c, ID0 + 4 * dw);
   for (unsigned i = 0; id >> 31 && i < 12; i++)
      if (all_units[i].class == (id >> 16 & 7) && all_units[i].instance == (id >> 20 & 0x3f)) {
         assert_int_equal(id & 0xffff & ~c->owed[i], 0);
         c->owed[i] = (uint16_t)((c->owed[i] & ~id) | c->late[i]);
      }
   both_write(c, ID0 + 4 * dw, 0x80000000);
}

static void
both_serve(struct check *c, unsigned dw)
{
   uint32_t bits = both_read(c, DW0 + 4 * dw);
   if (next(c) & 1)
      both_event(c); /* late arrivals */
   for (unsigned b = 0; b < 32; b++) {
      if (!(bits >> b & 1))
         continue;
      both_write(c, SEL0 + 4 * dw, 1u << b);
      memset(c->late, 0, sizeof(c->late));
      if (!(next(c) & 7))
         both_event(c);
      both_identity(c, dw);
      if (next(c) & 1)
         both_write(c, DW0 + 4 * dw, 1u << b);
   }
   both_write(c, DW0 + 4 * dw, bits);
}

static void
random_step(struct check *c)
{
   static const uint32_t masks[] = {0x190090, 0x1900a0, 0x1900a8, 0x1900ac, 0x1900d0,
                                    0x1900e8, 0x1900ec, 0x1900f0, 0x1900f4};
   unsigned dw = next(c) & 1;
   switch (next(c) % 16) {
   case 0 ... 5:
      both_event(c);
      break;
   case 6:
      both_write(c, masks[next(c) % 9], next(c) % 3 ? next(c) & next(c) : 0);
      break;
   case 7:
      both_write(c, 0x190030 + 4 * (next(c) % 6), next(c) % 3 ? ~0u : next(c) << 1 | 1);
      break;
   case 8:
      both_write(c, MASTER, next(c) & 1 ? 0x80000000 : 0);
      break;
   case 9:
      both_write(c, DW0 + 4 * dw, next(c) & next(c)); /* a partial clear, often illegal */
      break;
   case 10:
      if (next(c) & 1)
         both_write(c, SEL0 + 4 * dw, 1u << (next(c) & 31));
      else
         both_write(c, SEL0 + 4 * dw, next(c));
      memset(c->late, 0, sizeof(c->late));
      both_identity(c, dw);
      break;
   case 11:
      both_read(c, DW0 + 4 * dw);
      break;
   default:
      both_serve(c, dw);
      break;
   }
   both_read(c, MASTER);
   both_read(c, SEL0 + 4 * dw);
   assert_int_equal(c->dev->interrupt_line, c->m.wire);
   assert_int_equal(c->edges, c->m.edges);
}

/* All masks change once and are open: what was stored must come out. */
static void
drain(struct check *c)
{
   for (uint32_t at = 0x190090; at <= 0x1900f4; at += 4) {
      if ((at > 0x1900a8 && at < 0x1900d0 && at != 0x1900ac) || at == 0x190094 || at == 0x190098 ||
          at == 0x19009c || at == 0x1900a4 || (at > 0x1900d0 && at < 0x1900e8))
         continue;
      both_write(c, at, ~0u);
      both_write(c, at, 0);
   }
   for (unsigned round = 0; round < 3; round++)
      for (unsigned dw = 0; dw < 2; dw++)
         for (uint32_t bits; (bits = both_read(c, DW0 + 4 * dw));) {
            for (unsigned b = 0; b < 32; b++)
               if (bits >> b & 1) {
                  both_write(c, SEL0 + 4 * dw, 1u << b);
                  memset(c->late, 0, sizeof(c->late));
                  both_identity(c, dw);
               }
            both_write(c, DW0 + 4 * dw, bits);
         }
   for (unsigned i = 0; i < 12; i++) /* nothing is lost */
      if (c->owed[i])
         fail_msg("events 0x%x of unit %u:%u are lost", c->owed[i], all_units[i].class,
                  all_units[i].instance);
}

static void
agrees_with_the_rows(void **state)
{
   proves("SYS-046", "SYS-049", "SYS-052", "SYS-053", "SYS-061", "SYS-062", "SYS-066", "SYS-033",
          "SYS-035", "SYS-043");
   (void)state;
   uint64_t steps = 0;
   for (unsigned run = 0; run < 100; run++) {
      struct check c = {.seed = 77 + run};
      c.dev = pergola_device_create(
          &(struct pergola_config){.sku = "icl", .check = PERGOLA_CHECK_OFF}, NULL);
      pergola_pci_write(c.dev, 4, 2, 6);
      pergola_set_interrupt_handler(c.dev, count_edge, &c);
      model_reset(&c.m);
      for (unsigned i = 0; i < 10000; i++, steps++)
         random_step(&c);
      drain(&c);
      pergola_device_destroy(c.dev);
   }
   assert_int_equal(steps, 1000000);
}

const struct CMUnitTest interrupt_tests[] = {
    cmocka_unit_test(classes_and_instances),
    cmocka_unit_test(message_layout),
    cmocka_unit_test(who_may_not_send),
    cmocka_unit_test(enables_and_masks),
    cmocka_unit_test(double_buffer),
    cmocka_unit_test(service),
    cmocka_unit_test(illegal_service),
    cmocka_unit_test(master),
    cmocka_unit_test(machines),
    cmocka_unit_test(scheduler),
    cmocka_unit_test(agrees_with_the_rows),
};
const size_t interrupt_test_count = sizeof(interrupt_tests) / sizeof(interrupt_tests[0]);
