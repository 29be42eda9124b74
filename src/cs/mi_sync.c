/* Waiting and waking: semaphores, events, arbitration, user interrupts. */
#include "cs/cs_internal.h"

#include <stdio.h>

static void
announce(struct cs *cs, bool begin, const char *text)
{
   if (!trace_wants(&cs->dev->trace, PERGOLA_EVENT_WAIT))
      return;
   struct pergola_event e = {.kind = PERGOLA_EVENT_WAIT,
                             .engine = cs->name,
                             .time_ns = cs->time_ns,
                             .a = cs->at[cs->level].address,
                             .flags = begin,
                             .text = text};
   trace_emit(&cs->dev->trace, &e);
}

/* "RVSYNC (0x2040) > 5": for the trace and for the diagnosis of a wait without end. */
static void
describe(const struct cs *cs, char *text, size_t size)
{
   const struct cs_wait *w = &cs->wait;
   if (w->kind == WAIT_SEMAPHORE_REGISTER) {
      const struct hw_register *r = hw_register_at(w->offset, cs->dev->hw_device);
      snprintf(text, size, "%s (0x%x) to exceed 0x%x; it holds 0x%x",
               r ? r->layout->name : "register", w->offset, w->data, reg_get(cs->dev, w->offset));
   } else if (w->kind == WAIT_SEMAPHORE_MEMORY) {
      snprintf(text, size, "the dword at %s 0x%08x to exceed 0x%x",
               w->space->ppgtt ? "PPGTT" : "GGTT", w->offset, w->data);
   } else if (w->kind == WAIT_CONDITION) {
      snprintf(text, size, "condition code %u of EXCC (0x%x) to be cleared", w->data,
               cs->base + R_EXCC);
   } else {
      snprintf(text, size, "the rest of a command: tail 0x%x lies inside it", w->data);
   }
}

static bool
holds(struct cs *cs)
{
   const struct cs_wait *w = &cs->wait;
   switch (w->kind) {
   case WAIT_SEMAPHORE_REGISTER: /* VCS-259: equal does not pass; unsigned */
      return reg_get(cs->dev, w->offset) > w->data;
   case WAIT_SEMAPHORE_MEMORY:
      return mem_read32(w->space, w->offset) > w->data;
   case WAIT_CONDITION: /* VCS-017 */
      return !(cs_reg(cs, R_EXCC) >> w->data & 1);
   case WAIT_TAIL:
      return cs->tail != w->data;
   default:
      return true;
   }
}

static void
go_on(struct cs *cs)
{
   bool whole = cs->wait.kind != WAIT_TAIL; /* a command that was not complete is fetched again */
   cs->wait = (struct cs_wait){0};
   announce(cs, false, NULL);
   if (!whole)
      return;
   cs->next = cs->at[cs->level].address + cs->count * 4;
   cs_advance(cs);
}

bool
cs_wait_over(struct cs *cs)
{
   if (!holds(cs))
      return false;
   if (cs->time_ns < cs->dev->time_ns)
      cs->time_ns = cs->dev->time_ns; /* who signalled did so not later than this */
   if (cs->wait.update)               /* VCS-251: compare and update */
      mem_write32(cs->wait.space, cs->wait.offset, cs->wait.data);
   go_on(cs);
   return true;
}

static void
cs_wait_begin(struct cs *cs, const struct cs_wait *wait)
{
   cs->wait = *wait;
   char text[160];
   if (trace_wants(&cs->dev->trace, PERGOLA_EVENT_WAIT)) {
      describe(cs, text, sizeof(text));
      announce(cs, true, text);
   }
}

/* VCS-081, VCS-083: software ends the wait; the ring continues behind the command. */
void
cs_wait_end(struct cs *cs)
{
   if (cs->wait.kind == WAIT_NONE || cs->wait.kind == WAIT_TAIL)
      return;
   go_on(cs);
   cs_publish(cs);
}

/* CS-001: every engine that has work waits and none runs: say who waits for what. */
void
cs_diagnose_waits(struct pergola_device *dev)
{
   for (unsigned e = 0; e < ENGINE_COUNT; e++) {
      struct cs *cs = dev->cs[e];
      if (cs->wait.kind == WAIT_NONE || cs->wait.announced)
         continue;
      char text[160];
      describe(cs, text, sizeof(text));
      cs->wait.announced = true;
      cs_report(cs, PERGOLA_WARNING, "CS-001", NULL,
                "waits for %s; no engine runs that could do it, only the host can", text);
   }
}

static enum cs_result
wait_for(struct cs *cs, struct cs_wait wait)
{
   cs->wait = wait;
   if (holds(cs)) {
      cs->wait = (struct cs_wait){0};
      if (wait.kind == WAIT_SEMAPHORE_REGISTER && cs->time_ns < cs->mailbox_ns)
         cs->time_ns = cs->mailbox_ns; /* not before it was signalled */
      if (wait.update)
         mem_write32(wait.space, wait.offset, wait.data);
      return CS_DONE;
   }
   cs_wait_begin(cs, &wait);
   return CS_AGAIN;
}

/* DW2 is an address, or names a register as other commands do. */
#define REGISTER_OF_MAILBOX GEN7_MI_LOAD_REGISTER_IMM__REGISTER_OFFSET

/* RCS-215, VCS-255, VCS-329, CS-011: Register Select 0 and 2 name the two mailboxes of the engine
 * that waits; RCS 3 takes any register from DW2. */
static uint32_t
mailbox(struct cs *cs, const uint32_t *dw)
{
   unsigned select = hw_get(dw[0], GEN7_MI_SEMAPHORE_MBOX__REGISTER_SELECT);
   if (select == 3 && cs->id == RCS)
      return dw[2] & REGISTER_OF_MAILBOX;
   if (select & 1)
      cs_report(cs, PERGOLA_ERROR, cs->id == RCS ? "RCS-215" : "VCS-255", "Register Select",
                "%u is reserved on this engine", select);
   if (select == 3)
      return dw[2] & REGISTER_OF_MAILBOX;
   return cs->base + (select == 2 ? R_SYNC_1 : R_SYNC_0);
}

static void
check_semaphore(struct cs *cs, const uint32_t *dw)
{
   bool update = dw[0] & GEN7_MI_SEMAPHORE_MBOX__UPDATE_SEMAPHORE,
        compare = dw[0] & GEN7_MI_SEMAPHORE_MBOX__COMPARE_SEMAPHORE,
        reg = dw[0] & GEN7_MI_SEMAPHORE_MBOX__COMPARE_REGISTER;
   if (!compare && !update)
      cs_report(cs, PERGOLA_ERROR, "VCS-253", "Update Semaphore",
                "neither compare nor update is set; the command does nothing");
   if (!reg)
      cs_report(cs, PERGOLA_WARNING, cs->id == RCS ? "RCS-215" : "VCS-254", "Compare Register",
                "should always be set: semaphores in memory are not to be used");
   if (reg && update && compare)
      cs_report(cs, PERGOLA_ERROR, "VCS-251", "Update Semaphore",
                "must be 0 together with a register comparison; the register is not updated");
   if (dw[0] & GEN7_MI_SEMAPHORE_MBOX__USE_GLOBAL_GTT && !reg && cs_nonsecure(cs))
      cs_report(cs, PERGOLA_WARNING, cs->id == VCS ? "VCS-250" : "RCS-224", "Use Global GTT",
                "ignored in a non-secure batch: the per-process GTT is used");
}

enum cs_result
mi_semaphore_mbox(struct cs *cs, const struct cs_op *op, const uint32_t *dw, uint32_t count,
                  uint64_t *budget)
{
   bool update = dw[0] & GEN7_MI_SEMAPHORE_MBOX__UPDATE_SEMAPHORE,
        compare = dw[0] & GEN7_MI_SEMAPHORE_MBOX__COMPARE_SEMAPHORE,
        reg = dw[0] & GEN7_MI_SEMAPHORE_MBOX__COMPARE_REGISTER;
   check_semaphore(cs, dw);
   struct mem_space *space = cs_space(cs, dw[0] & GEN7_MI_SEMAPHORE_MBOX__USE_GLOBAL_GTT);
   if (compare && reg)
      return wait_for(cs, (struct cs_wait){.kind = WAIT_SEMAPHORE_REGISTER,
                                           .offset = mailbox(cs, dw),
                                           .data = dw[1]});
   if (compare)
      return wait_for(cs, (struct cs_wait){.kind = WAIT_SEMAPHORE_MEMORY,
                                           .offset = dw[2] & ~3u,
                                           .data = dw[1],
                                           .space = space,
                                           .update = update});
   if (update && reg) /* VCS-258: DW1 goes to the register that DW2 names */
      cs_register_store(cs, dw[2] & REGISTER_OF_MAILBOX, dw[1], ~0u);
   else if (update)
      mem_write32(space, dw[2] & ~3u, dw[1]);
   return CS_DONE;
}

#define PIPE_EVENTS(pipe)                                                                          \
   (GEN7_MI_WAIT_FOR_EVENT__DISPLAY_PIPE_##pipe##_HORIZONTAL_BLANK_WAIT_ENABLE |                   \
    GEN7_MI_WAIT_FOR_EVENT__DISPLAY_PIPE_##pipe##_VERTICAL_BLANK_WAIT_ENABLE |                     \
    GEN7_MI_WAIT_FOR_EVENT__DISPLAY_PIPE_##pipe##_SCAN_LINE_WAIT_ENABLE |                          \
    GEN7_MI_WAIT_FOR_EVENT__DISPLAY_PLANE_##pipe##_FLIP_PENDING_WAIT_ENABLE |                      \
    GEN7_MI_WAIT_FOR_EVENT__DISPLAY_SPRITE_##pipe##_FLIP_PENDING_WAIT_ENABLE)
#define DISPLAY_EVENTS (PIPE_EVENTS(A) | PIPE_EVENTS(B) | PIPE_EVENTS(C))
_Static_assert(DISPLAY_EVENTS == 0x70ef2f, "every event but the condition codes");

/* RCS-219: one event only. Display events count as signalled in a device without a display. */
enum cs_result
mi_wait_for_event(struct cs *cs, const struct cs_op *op, const uint32_t *dw, uint32_t count,
                  uint64_t *budget)
{
   unsigned select = hw_get(dw[0], GEN7_MI_WAIT_FOR_EVENT__CONDITION_CODE_WAIT_SELECT);
   uint32_t others = dw[0] & DISPLAY_EVENTS;
   if (__builtin_popcount(others) + (select != 0) > 1)
      cs_report(cs, PERGOLA_ERROR, cs->id == VCS ? "VCS-289" : "RCS-219", NULL,
                "more than one event is selected");
   if (cs_reg(cs, R_MI_MODE) & MI_MODE_SUSPEND_FLUSH)
      cs_report(cs, PERGOLA_ERROR, "VCS-277", NULL, "a wait while flushes are suspended");
   if (select > 5) {
      cs_report(cs, PERGOLA_ERROR, cs->id == VCS ? "VCS-290" : "RCS-219",
                "Condition Code Wait Select", "%u names no condition code; a no-op", select);
      return CS_DONE;
   }
   if (!select)
      return CS_DONE;
   return wait_for(cs, (struct cs_wait){.kind = WAIT_CONDITION, .data = select - 1});
}

enum cs_result
mi_user_interrupt(struct cs *cs, const struct cs_op *op, const uint32_t *dw, uint32_t count,
                  uint64_t *budget)
{
   interrupt_gt(cs->dev, cs->id, cs->irq->user); /* RCS-218, VCS-280 */
   return CS_DONE;
}

/* RCS-203, VCS-200: takes a pending UHPTR. VCS-201, VCS-202: on the other engines not in a batch.
 */
enum cs_result
mi_arb_check(struct cs *cs, const struct cs_op *op, const uint32_t *dw, uint32_t count,
             uint64_t *budget)
{
   if (cs->id != RCS && cs->level) {
      cs_report(cs, PERGOLA_ERROR, "VCS-201", NULL, "not allowed in a batch buffer; a no-op");
      return CS_DONE;
   }
   cs_uhptr_take(cs);
   return CS_DONE;
}

enum cs_result
mi_arb_on_off(struct cs *cs, const struct cs_op *op, const uint32_t *dw, uint32_t count,
              uint64_t *budget)
{
   bool off = !(dw[0] & GEN7_MI_ARB_ON_OFF__ARBITRATION_ENABLE);
   if (off == cs->arbitration_off)
      cs_report(cs, PERGOLA_WARNING, cs->id == VCS ? "VCS-205" : "RCS-204", "Arbitration Enable",
                "arbitration is already %s; the command is to be used as an off and on pair",
                off ? "off" : "on");
   cs->arbitration_off = off;
   return CS_DONE;
}

/* RCS-216, VCS-278: sets and clears MI_MODE[15]; what was held back runs when it falls. */
enum cs_result
mi_suspend_flush(struct cs *cs, const struct cs_op *op, const uint32_t *dw, uint32_t count,
                 uint64_t *budget)
{
   bool suspend = dw[0] & GEN7_MI_SUSPEND_FLUSH__SUSPEND_FLUSH;
   uint32_t mode = cs_reg(cs, R_MI_MODE) & ~MI_MODE_SUSPEND_FLUSH;
   cs_reg_set(cs, R_MI_MODE, mode | (suspend ? MI_MODE_SUSPEND_FLUSH : 0));
   if (!suspend && cs->sync_flush_pending)
      cs_sync_flush(cs, budget);
   return CS_DONE;
}

/* RCS-223, CS-020: no display is modelled; accepted and named. */
enum cs_result
mi_display(struct cs *cs, const struct cs_op *op, const uint32_t *dw, uint32_t count,
           uint64_t *budget)
{
   cs_report(cs, PERGOLA_NOTE, op->rule, NULL, "no display is modelled: nothing is shown");
   return CS_DONE;
}
