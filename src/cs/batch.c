/* Batch buffers: two levels, secure and not. */
#include "cs/cs_internal.h"

static void
announce(struct cs *cs, uint32_t address, bool begin)
{
   if (!trace_wants(&cs->dev->trace, PERGOLA_EVENT_BATCH))
      return;
   struct pergola_event e = {.kind = PERGOLA_EVENT_BATCH,
                             .engine = cs->name,
                             .time_ns = cs->time_ns,
                             .a = address,
                             .flags = begin};
   trace_emit(&cs->dev->trace, &e);
}

/* VCS-218, VCS-219: what the second level may not do. The call is made all the same (VCS-220). */
static void
check_second_level(struct cs *cs, bool nonsecure)
{
   if (cs->id == RCS)
      cs_report(cs, PERGOLA_WARNING, "RCS-205", "2nd Level Batch Buffer",
                "bit 22 is reserved on the render engine; taken as a second level batch");
   else if (cs->id == BCS)
      cs_report(cs, PERGOLA_WARNING, "CS-013", "2nd Level Batch Buffer",
                "bit 22 is reserved on the blitter; taken as a second level batch");
   if (cs->level == 2)
      cs_report(cs, PERGOLA_ERROR, "VCS-219", "2nd Level Batch Buffer",
                "a second level batch chains to another; the storage is overwritten");
   else if (cs->level == 1 && nonsecure && cs->at[1].nonsecure && cs->id == VCS)
      cs_report(cs, PERGOLA_ERROR, "VCS-218", "2nd Level Batch Buffer",
                "a non-secure batch calls a non-secure second level batch");
   else if (cs->level == 0)
      cs_report(cs, PERGOLA_WARNING, "VCS-217", "2nd Level Batch Buffer",
                "a second level batch is called from the ring; taken as first level");
}

/* VCS-221, VCS-223: the first batch decides; what is called from it inherits. */
static bool
batch_nonsecure(struct cs *cs, bool asked)
{
   if (cs->level == 0)
      return asked;
   bool inherited = cs->at[cs->level].nonsecure;
   if (asked != inherited)
      cs_report(cs, inherited ? PERGOLA_ERROR : PERGOLA_WARNING,
                cs->id == RCS ? "RCS-205" : "VCS-223", "Address Space Indicator",
                "differs from the batch that calls, which is %s; the caller's value is kept",
                inherited ? "non-secure" : "secure");
   return inherited;
}

enum cs_result
mi_batch_buffer_start(struct cs *cs, const struct cs_op *op, const uint32_t *dw, uint32_t count,
                      uint64_t *budget)
{
   bool second = dw[0] & GEN7_MI_BATCH_BUFFER_START__2ND_LEVEL_BATCH_BUFFER,
        asked = dw[0] & GEN7_MI_BATCH_BUFFER_START__ADDRESS_SPACE_INDICATOR;
   uint32_t start = dw[1] & GEN7_MI_BATCH_BUFFER_START__BUFFER_START_ADDRESS;
   if (asked && cs->level == 0 && !(cs_reg(cs, R_GFX_MODE) & GFX_MODE_PPGTT))
      cs_report(cs, PERGOLA_ERROR, cs->id == RCS ? "RCS-205" : "VCS-222", "Address Space Indicator",
                "must be 0 unless the per-process GTT is enabled");
   bool nonsecure = batch_nonsecure(cs, asked);
   if (second)
      check_second_level(cs, nonsecure);
   if (cs->level == 0 && cs_reg(cs, R_GFX_MODE) & GFX_MODE_FLUSH_TLB)
      cs_invalidate_tlb(cs); /* RCS-005: at batch buffer boundaries */
   if (cs->level == 0 && cs->batch_ends_turn) {
      cs->batch_began = true;
      *budget = 0;
   }
   unsigned level = second && cs->level ? 2 : 1;
   struct mem_space *space = nonsecure ? device_data_space(cs->dev, cs->id) : &cs->dev->ggtt;
   if (level > cs->level) /* the caller goes on behind this command */
      cs_advance(cs);
   cs->level = level;
   cs->at[level] = (struct cs_level){start, space, nonsecure, start};
   cs->next = cs->at[level].address;
   announce(cs, cs->next, true);
   return CS_DONE;
}

bool
cs_end_turn_at_batch(struct cs *cs, bool on)
{
   bool began = cs->batch_began;
   cs->batch_ends_turn = on;
   cs->batch_began = false;
   return began;
}

bool
cs_batch_began(const struct cs *cs)
{
   return cs->batch_began;
}

static void
end_batch(struct cs *cs)
{
   announce(cs, cs->at[cs->level].address, false);
   cs->guarded_walker_done = false;
   cs->level--;
   cs->next = cs->at[cs->level].address; /* VCS-208: behind the start command */
}

enum cs_result
mi_batch_buffer_end(struct cs *cs, const struct cs_op *op, const uint32_t *dw, uint32_t count,
                    uint64_t *budget)
{
   if (cs->level == 0) /* VCS-209 */
      cs_report(cs, PERGOLA_WARNING, "VCS-209", NULL, "no batch runs: a no-op in the ring");
   else
      end_batch(cs);
   return CS_DONE;
}

#define END(name) GEN7_MI_CONDITIONAL_BATCH_BUFFER_END__##name

/* VCS-212: (mask AND data) of a QWord on the video engine, RCS-207: one dword on the render engine;
 * greater goes on, unsigned. */
static bool
condition_holds(struct cs *cs, const uint32_t *dw)
{
   struct mem_space *space = cs_space(cs, dw[0] & END(USE_GLOBAL_GTT));
   uint32_t address = dw[2] & END(COMPARE_ADDRESS);
   if (cs->id == VCS) {
      uint64_t pair = mem_read64(space, address);
      return ((uint32_t)pair & (uint32_t)(pair >> 32)) > dw[1];
   }
   return mem_read32(space, address) > dw[1];
}

enum cs_result
mi_conditional_batch_buffer_end(struct cs *cs, const struct cs_op *op, const uint32_t *dw,
                                uint32_t count, uint64_t *budget)
{
   bool compare = dw[0] & END(COMPARE_SEMAPHORE), end;
   if (cs->id == VCS && cs->level == 2) /* VCS-213 */
      cs_report(cs, PERGOLA_ERROR, "VCS-213", NULL, "valid in a first level batch only");
   if (dw[0] & END(USE_GLOBAL_GTT) && cs_nonsecure(cs)) /* VCS-211 */
      cs_report(cs, PERGOLA_WARNING, cs->id == VCS ? "VCS-211" : "RCS-224", "Use Global GTT",
                "ignored in a non-secure batch: the per-process GTT is used");
   if (!compare) {
      end = cs->id != VCS; /* RCS-208: an end command; VCS-214: no comparison, goes on */
      cs_report(cs, PERGOLA_WARNING, cs->id == VCS ? "VCS-214" : "RCS-208", "Compare Semaphore",
                "no comparison is asked for; the batch %s", end ? "ends" : "goes on");
   } else if (count < 3) {
      end = true;
      cs_report(cs, PERGOLA_ERROR, cs->id == VCS ? "VCS-198" : "RCS-208", "DWord Length",
                "the compare address is missing; the batch ends");
   } else {
      end = !condition_holds(cs, dw);
   }
   if (!end)
      cs_dimension_guard(cs);
   if (end && cs->level)
      end_batch(cs);
   else if (end)
      cs_report(cs, PERGOLA_WARNING, "VCS-209", NULL, "no batch runs: a no-op in the ring");
   return CS_DONE;
}
