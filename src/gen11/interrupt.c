/* Interrupt aggregation (SYS-001..070): unit, second level with its double buffer, master. */
#include "gen11/interrupt.h"
#include "machine/snapshot.h"

#include <string.h>

/* Where a unit's second-level bit, Enable and Mask lie. SYS-037, SYS-070 */
struct unit {
   uint8_t class, instance, dw;
   uint32_t bit;
   uint8_t enable, mask;
};
#define CLASS(name) GEN11_INTERRUPT_CLASS_##name
#define VCS(n)                                                                                     \
   {                                                                                               \
      CLASS(VIDEO_DECODE), n, 1, REG_ICL_GT_INT_DW_1__VCS##n, 2, 4 + n                             \
   }
#define VECS(n)                                                                                    \
   {                                                                                               \
      CLASS(VIDEO_ENHANCE), n, 1, REG_ICL_GT_INT_DW_1__VECS##n, 3, 12 + n                          \
   }
#define OTHER(name, enable, mask)                                                                  \
   {                                                                                               \
      CLASS(OTHER), GEN11_INTERRUPT_OTHER_##name, 0, REG_ICL_GT_INT_DW_0__##name, enable, mask     \
   }
static const struct unit units[] = {
    {CLASS(RENDER), 0, 0, REG_ICL_GT_INT_DW_0__RCS0, 0, 0},
    {CLASS(COPY), 0, 0, REG_ICL_GT_INT_DW_0__BCS0, 1, 2},
    VCS(0),
    VCS(1),
    VCS(2),
    VCS(3),
    VCS(4),
    VCS(5),
    VCS(6),
    VCS(7),
    VECS(0),
    VECS(1),
    VECS(2),
    VECS(3),
    OTHER(GUC, 4, 16),
    OTHER(SCTRG, 5, 17), /* SYS-413 */
    OTHER(GTPM, 6, 18),
    OTHER(WDOAPERF, 7, 19),
    OTHER(KCR, 8, 20),
    OTHER(GUNIT, 10, 22),
    OTHER(CSME, 11, 23),
};
#define UNIT_COUNT (sizeof(units) / sizeof(units[0]))
_Static_assert(UNIT_COUNT <= INTR_UNITS, "a unit has no place");

static const char *const dw_names[2] = {"GT INT DW0", "GT INT DW1"};

static void
broken(struct interrupts *i, const char *rule, const char *subject, const char *text)
{
   struct rule_place place = {.engine = "bus", .subject = subject};
   rule_report(i->dev, PERGOLA_ERROR, rule, &place, "%s", text);
}

void
interrupts_reset(struct interrupts *i)
{
   memset(i->enable, 0, sizeof(i->enable));
   memset(i->mask, 0xff, sizeof(i->mask)); /* SYS-070 */
   for (unsigned vm = 0; vm < INTR_VMS; vm++) {
      bool line = i->vm[vm].line;
      i->vm[vm] = (struct intr_storage){0};
      if (line && i->line_changed)
         i->line_changed(i, vm, false);
   }
}

/* ---- master -----------------------------------------------------------------------------------
 */

/* SYS-031, SYS-036: a source bit is the OR of its second level. */
uint32_t
interrupts_master(const struct interrupts *i, unsigned vm)
{
   const struct intr_storage *s = &i->vm[vm];
   return (s->master_enable ? REG_ICL_MASTER_INTERRUPT__MASTER_CONTROL_ENABLE : 0) |
          s->other_sources | (s->dw_iir[0] ? REG_ICL_MASTER_INTERRUPT__GT_DW0 : 0) |
          (s->dw_iir[1] ? REG_ICL_MASTER_INTERRUPT__GT_DW1 : 0);
}

/* SYS-032, SYS-035: the line is the level of enable and any source; the bus sends its edges. */
static void
update_line(struct interrupts *i, unsigned vm)
{
   struct intr_storage *s = &i->vm[vm];
   bool line = s->master_enable &&
               interrupts_master(i, vm) & ~REG_ICL_MASTER_INTERRUPT__MASTER_CONTROL_ENABLE;
   if (line == s->line)
      return;
   s->line = line;
   if (i->line_changed)
      i->line_changed(i, vm, line);
}

void
interrupts_enable_master(struct interrupts *i, unsigned vm, bool on)
{
   i->vm[vm].master_enable = on;
   update_line(i, vm);
}

void
interrupts_set_other(struct interrupts *i, unsigned vm, uint32_t bits, bool level)
{
   struct intr_storage *s = &i->vm[vm];
   s->other_sources = level ? s->other_sources | bits : s->other_sources & ~bits;
   update_line(i, vm);
}

/* ---- second level -----------------------------------------------------------------------------
 */

static void
add_to_dw(struct interrupts *i, unsigned vm, unsigned dw, uint32_t bits)
{
   struct intr_storage *s = &i->vm[vm];
   if (s->locked[dw]) { /* SYS-049: what is visible gains no bits until all are cleared */
      s->dw_cr[dw] |= bits;
      return;
   }
   bool rises = !s->dw_iir[dw] && bits;
   s->served[dw] &= ~(bits & ~s->dw_iir[dw]);
   s->dw_iir[dw] |= bits;
   if (rises && i->vector)
      i->vector(i, dw); /* SYS-025, SYS-050 */
   update_line(i, vm);
}

/* SYS-046, SYS-048, SYS-066: the OR of what is not masked becomes one bit, at an event or a change
 * of the mask, not for as long as it lasts. */
static void
raise_unit(struct interrupts *i, unsigned vm, unsigned unit)
{
   const struct unit *u = &units[unit];
   if (i->vm[vm].collapsing[unit] & ~i->mask[u->mask])
      add_to_dw(i, vm, u->dw, u->bit);
}

uint32_t
interrupts_read_dw(struct interrupts *i, unsigned vm, unsigned dw)
{
   struct intr_storage *s = &i->vm[vm];
   if (s->dw_iir[dw])
      s->locked[dw] = true; /* SYS-053: a read of 0 takes no snapshot */
   return s->dw_iir[dw];
}

/* SYS-051, SYS-052 */
void
interrupts_clear_dw(struct interrupts *i, unsigned vm, unsigned dw, uint32_t bits)
{
   struct intr_storage *s = &i->vm[vm];
   bits &= s->dw_iir[dw];
   if (!bits)
      return;
   if (bits & ~s->served[dw])
      broken(i, "SYS-065", dw_names[dw], "a bit is cleared before its unit was served");
   s->dw_iir[dw] &= ~bits;
   s->served[dw] &= ~bits;
   if (!s->dw_iir[dw]) {
      uint32_t later = s->dw_cr[dw];
      s->locked[dw] = false;
      s->dw_cr[dw] = 0;
      update_line(i, vm);
      add_to_dw(i, vm, dw, later);
   }
   update_line(i, vm);
}

/* ---- service ----------------------------------------------------------------------------------
 */

static unsigned
unit_at(unsigned dw, uint32_t bit)
{
   for (unsigned n = 0; n < UNIT_COUNT; n++)
      if (units[n].dw == dw && units[n].bit == bit)
         return n;
   return UNIT_COUNT;
}

/* SYS-055, SYS-062: what is not masked moves into the shared register. SYS-061: an illegal one
 * changes nothing. */
void
interrupts_select(struct interrupts *i, unsigned vm, unsigned dw, uint32_t selector)
{
   struct intr_storage *s = &i->vm[vm];
   unsigned unit = unit_at(dw, selector);
   if (!selector || selector & (selector - 1)) {
      broken(i, "SYS-059", "Selector", "not exactly one bit is set; ignored");
      return;
   }
   if (!(s->dw_iir[dw] & selector) || unit == UNIT_COUNT) {
      broken(i, "SYS-060", "Selector", "the bit is not set in GT INT DW; ignored");
      return;
   }
   if (s->shared[dw] & INTR_DATA_VALID) {
      broken(i, "SYS-058", "Selector", "the Shared IIR still holds another unit's data; ignored");
      return;
   }
   const struct unit *u = &units[unit];
   uint16_t data = s->collapsing[unit] & ~i->mask[u->mask];
   s->collapsing[unit] &= ~data;
   s->selector[dw] = selector;
   s->served[dw] |= selector;
   struct gen11_interrupt_message told = {
       .vf = vm, .class = u->class, .instance = u->instance, .data = data};
   gen11_interrupt_message_pack(&s->shared[dw], &told); /* SYS-056 */
   s->shared[dw] |= INTR_DATA_VALID;
}

/* SYS-057 */
void
interrupts_end_service(struct interrupts *i, unsigned vm, unsigned dw, uint32_t written)
{
   if (written & INTR_DATA_VALID)
      i->vm[vm].shared[dw] = i->vm[vm].selector[dw] = 0;
}

/* ---- first level ------------------------------------------------------------------------------
 */

static unsigned
unit_of(const struct interrupts *i, unsigned class, unsigned instance)
{
   if ((class == CLASS(VIDEO_DECODE) && !(instance < 8 && i->decode_units >> instance & 1)) ||
       (class == CLASS(VIDEO_ENHANCE) && !(instance < 8 && i->enhance_units >> instance & 1)))
      return UNIT_COUNT;
   for (unsigned n = 0; n < UNIT_COUNT; n++)
      if (units[n].class == class && units[n].instance == instance)
         return n;
   return UNIT_COUNT;
}

void
interrupts_message(struct interrupts *i, uint32_t message)
{
   struct gen11_interrupt_message m;
   gen11_interrupt_message_unpack(&m, &message);
   unsigned unit = unit_of(i, m.class, m.instance);
   if (unit == UNIT_COUNT) { /* SYS-017, SYS-018, SYS-020 */
      i->errors++;
      broken(i, m.class > CLASS(OTHER) ? "SYS-017" : "SYS-020", "interrupt message",
             "no unit of this part has its class and instance; dropped");
      return;
   }
   /* SYS-043: what is not enabled on arrival is gone. SYS-045 */
   uint16_t data = (uint16_t)m.data & i->enable[units[unit].enable];
   if (!data)
      return;
   i->vm[m.vf].collapsing[unit] |= data;
   raise_unit(i, m.vf, unit);
}

void
interrupts_mask_written(struct interrupts *i, unsigned index, uint16_t value)
{
   if (i->mask[index] == value)
      return;
   i->mask[index] = value;
   for (unsigned n = 0; n < UNIT_COUNT; n++)
      for (unsigned vm = 0; vm < INTR_VMS && units[n].mask == index; vm++)
         raise_unit(i, vm, n);
}

/* ---- snapshot ---------------------------------------------------------------------------------
 */

static void
storage_snapshot(struct intr_storage *v, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct intr_storage, 100);
   SNAP_ARRAY(s, v->collapsing);
   for (unsigned dw = 0; dw < 2; dw++) {
      SNAP(s, v->dw_iir[dw]);
      SNAP(s, v->dw_cr[dw]);
      SNAP(s, v->served[dw]);
      SNAP(s, v->locked[dw]);
      SNAP(s, v->selector[dw]);
      SNAP(s, v->shared[dw]);
   }
   SNAP(s, v->master_enable);
   SNAP(s, v->other_sources);
   SNAP(s, v->line);
}

void
interrupts_snapshot(struct interrupts *i, struct snapshot *s)
{
   SNAP_ARRAY(s, i->enable);
   SNAP_ARRAY(s, i->mask);
   for (unsigned vm = 0; vm < INTR_VMS; vm++)
      storage_snapshot(&i->vm[vm], s);
   SNAP(s, i->errors);
}
