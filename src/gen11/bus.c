/* Registers as the bus and the streamers reach them: ranges, force wake, steering. */
#include "gen11/gen11_internal.h"

#include <stdio.h>
#include <string.h>

static void
diagnose(struct gen11 *g, const char *rule, const char *source, uint32_t offset, const char *text)
{
   struct rule_place place = {.engine = source, .address = offset, .has_address = true};
   rule_report(g->dev, PERGOLA_WARNING, rule, &place, "%s", text);
}

bool
gen11_takes(struct gen11 *g, uint32_t offset, unsigned size, bool write)
{
   if (!reg_in_icl_mchbar_alias(offset))
      return true;
   if (write) { /* SYS-075, SYS-076 */
      diagnose(g, "SYS-075", "bus", offset, "a write to the alias of MCHBAR; dropped");
      return false;
   }
   if (size >= 2 && !(offset % size))
      return true;
   diagnose(g, "SYS-072", "bus", offset,
            "a read of the alias of MCHBAR is not an aligned word, dword or qword; it gives 0");
   return false;
}

/* SYS-185..209: an access to the media range where no register is. */
static __attribute__((cold, noinline)) void
diagnose_media(struct gen11 *g, uint32_t offset, bool write, const char *source)
{
   struct media_client c;
   char subject[32] = "media range";
   const char *text = "no box has this place";
   if (gen11_media_client(offset, &c)) {
      uint8_t units = c.box[1] == 'D' ? g->host.decode_units : g->host.enhance_units;
      snprintf(subject, sizeof(subject), "%s%u%s%s", c.box, c.index, c.client ? " " : "",
               c.client ? c.client : "");
      text = !(units >> c.index & 1) ? "the product lacks this box"
             : c.client              ? "this unit has no register here"
                                     : "no unit of the box has this place";
   }
   struct rule_place place = {
       .engine = source, .subject = subject, .address = offset, .has_address = true};
   rule_report(g->dev, PERGOLA_WARNING, "SYS-185", &place, "%s: %s; it %s",
               write ? "write" : "read", text, write ? "is dropped" : "gives 0");
   if (!strcmp(source, "bus"))
      regs_unclaimed(g->dev);
}

static bool
is_media_gap(const struct gen11 *g, uint32_t offset)
{
   return offset >= RANGE_ICL_MEDIA_FIRST && !g->dev->reg_row[offset / 4];
}

/* ---- force wake -------------------------------------------------------------------------------
 */

static bool
awake(const struct gen11 *g, enum wake_domain domain)
{
   static const uint32_t request[2] = {REG_ICL_FORCEWAKE_GT, REG_ICL_FORCEWAKE_RENDER};
   if (domain == WAKE_NONE || g->cs_awake >> domain & 1)
      return true;
   uint32_t offset = domain < WAKE_VDBOX0
                         ? request[domain]
                         : REG_ICL_FORCEWAKE_MEDIA_VDBOX_0 + 4 * (uint32_t)(domain - WAKE_VDBOX0);
   return reg_get(g->dev, offset) & REG_ICL_FORCEWAKE_GT__REQUESTS;
}

/* SYS-178..181: what a streamer reaches with no force wake. */
static bool
own_domain(enum wake_domain domain, const char *source)
{
   if (domain == WAKE_GT)
      return true;
   if (!strcmp(source, "RCS0"))
      return domain == WAKE_RENDER;
   return source[0] == 'V' && source[1] == 'C' && domain >= WAKE_VDBOX0;
}

/* SYS-162, SYS-183, SYS-184 */
static bool
reaches(struct gen11 *g, uint32_t offset, bool write, const char *source)
{
   if (!g->power_gating || (write && gen11_shadowed(offset)))
      return true;
   enum wake_domain domain = gen11_wake_domain(offset);
   bool bus = !strcmp(source, "bus");
   if (bus && reg_in_icl_copies_in_every_domain(offset) && offset != REG_ICL_GDRST &&
       !(awake(g, WAKE_RENDER) && awake(g, WAKE_VDBOX0) && awake(g, WAKE_VDBOX0 + 2) &&
         awake(g, WAKE_VEBOX0)))
      diagnose(g, "SYS-184", source, offset,
               "this register has a copy in every domain, and not all of them are awake");
   if (awake(g, domain) || (!bus && own_domain(domain, source)))
      return true;
   diagnose(g, "SYS-162", source, offset,
            write ? "write without force wake; dropped" : "read without force wake; it gives 0");
   return false;
}

/* ---- steering ---------------------------------------------------------------------------------
 */

/* SYS-212..222: ranges that lie in the slices; by what an instance of them is chosen. */
enum steer_by { STEER_SLICE, STEER_SUBSLICE, STEER_BANK };
#define STEERED(name, by)                                                                          \
   {                                                                                               \
      RANGE_ICL_STEERED_##name##_FIRST, RANGE_ICL_STEERED_##name##_LAST, by                        \
   }
static const struct steer_range {
   uint32_t first, last;
   uint8_t by;
} steer_ranges[] = {
    STEERED(WMBE, STEER_SLICE),           STEERED(SLICE, STEER_SLICE),
    STEERED(POWER, STEER_SLICE),          STEERED(L3, STEER_SLICE),
    STEERED(L3_BANK, STEER_BANK),         STEERED(SUBSLICE_E0, STEER_SUBSLICE),
    STEERED(SUBSLICE_E1, STEER_SUBSLICE), STEERED(SUBSLICE_E2, STEER_SUBSLICE),
    STEERED(SUBSLICE_E4, STEER_SUBSLICE),
};

/* Outside of these nothing is steered. */
static bool
may_be_steered(uint32_t offset)
{
   return offset >= STEER_FIRST && offset <= RANGE_ICL_STEERED_SUBSLICE_E4_LAST;
}

static const struct steer_range *
steered(uint32_t offset)
{
   if (offset == REG_ICL_GDRST)
      return NULL;
   for (unsigned i = 0; i < sizeof(steer_ranges) / sizeof(steer_ranges[0]); i++)
      if (offset >= steer_ranges[i].first && offset <= steer_ranges[i].last)
         return &steer_ranges[i];
   return NULL;
}

struct steer_target {
   unsigned slice, instance;
   bool multicast;
};

static struct steer_target
target_of(const struct gen11 *g)
{
   uint32_t selector = reg_get(g->dev, REG_ICL_MCR_SELECTOR);
   return (struct steer_target){hw_get(selector, REG_ICL_MCR_SELECTOR__SLICE),
                                hw_get(selector, REG_ICL_MCR_SELECTOR__INSTANCE),
                                selector & REG_ICL_MCR_SELECTOR__MULTICAST};
}

/* Is there such an instance, with what the fuses left? SYS-210, SYS-223 */
static bool
exists(const struct gen11 *g, const struct steer_range *r, unsigned slice, unsigned instance)
{
   if (slice >= g->slices || !(g->slice_enable >> slice & 1))
      return false;
   return r->by != STEER_SUBSLICE || !(reg_get(g->dev, REG_ICL_SUBSLICE_DISABLE) >> instance & 1);
}

static uint32_t *
instance_of(struct gen11 *g, const struct steer_range *r, uint32_t offset, unsigned slice,
            unsigned instance)
{
   if (!exists(g, r, slice, instance))
      return NULL;
   if (r->by == STEER_SLICE)
      instance = 0;
   return &g->steered[slice][instance][(offset - STEER_FIRST) / 4];
}

/* The value of a register is that of the instance a read goes to. SYS-210, SYS-211 */
static bool
steer_read(struct gen11 *g, uint32_t offset)
{
   const struct steer_range *r = steered(offset);
   if (!r)
      return true;
   struct steer_target t = target_of(g);
   const uint32_t *value = instance_of(g, r, offset, t.slice, t.instance);
   if (value)
      reg_set(g->dev, offset, *value);
   else
      diagnose(g, "SYS-223", "bus", offset, "steered to a unit that is not there; it gives 0");
   return value != NULL;
}

static void
steer_written(struct gen11 *g, const struct steer_range *r, uint32_t offset)
{
   struct steer_target t = target_of(g);
   uint32_t whole = reg_get(g->dev, offset);
   for (unsigned s = 0; s < STEER_SLICES; s++)
      for (unsigned i = 0; i < STEER_INSTANCES; i++) {
         uint32_t *copy = instance_of(g, r, offset, s, i);
         if (copy && (t.multicast || (s == t.slice && (r->by == STEER_SLICE || i == t.instance))))
            *copy = whole;
      }
}

/* ---- access -----------------------------------------------------------------------------------
 */

uint32_t
gen11_read(struct gen11 *g, uint32_t offset, const char *source)
{
   if (offset >= MMIO_REGISTERS_SIZE)
      return 0; /* SYS-230 */
   if (reg_in_icl_mchbar_alias(offset))
      return reg_get(g->dev, offset); /* SYS-071, SYS-077: what is not described reads 0 */
   if (reg_in_icl_virtualization_reserved(offset))
      return 0; /* SYS-226, SYS-227 */
   if (__builtin_expect(g->power_gating, 0) && !reaches(g, offset, false, source))
      return 0;
   if (may_be_steered(offset) && !steer_read(g, offset))
      return 0;
   if (__builtin_expect(is_media_gap(g, offset), 0)) {
      diagnose_media(g, offset, false, source);
      return 0;
   }
   return regs_read(g->dev, offset, source);
}

void
gen11_write(struct gen11 *g, uint32_t offset, uint32_t value, uint32_t byte_mask,
            const char *source)
{
   if (offset >= MMIO_REGISTERS_SIZE || reg_in_icl_mchbar_alias(offset) ||
       reg_in_icl_virtualization_reserved(offset)) /* SYS-228 */
      return;
   if (__builtin_expect(g->power_gating, 0) && !reaches(g, offset, true, source))
      return;
   const struct steer_range *r = may_be_steered(offset) ? steered(offset) : NULL;
   if (r && !target_of(g).multicast && !steer_read(g, offset))
      return;
   if (__builtin_expect(is_media_gap(g, offset), 0)) {
      diagnose_media(g, offset, true, source);
      return;
   }
   regs_write(g->dev, offset, value, byte_mask, source);
   if (r)
      steer_written(g, r, offset);
}

uint32_t
gen11_bus_read(struct gen11 *g, uint32_t offset)
{
   if (offset < GEN11_GTT_WINDOW)
      return gen11_read(g, offset, "bus");
   uint32_t at = offset - GEN11_GTT_WINDOW;
   return (uint32_t)(g->gtt[at / 8] >> 8 * (at & 4));
}

void
gen11_bus_write(struct gen11 *g, uint32_t offset, uint32_t value, uint32_t byte_mask)
{
   if (offset < GEN11_GTT_WINDOW) {
      gen11_write(g, offset, value, byte_mask, "bus");
      return;
   }
   uint32_t at = offset - GEN11_GTT_WINDOW;
   unsigned shift = 8 * (at & 4);
   uint64_t mask = (uint64_t)byte_mask << shift;
   g->gtt[at / 8] = (g->gtt[at / 8] & ~mask) | ((uint64_t)value << shift & mask);
}
