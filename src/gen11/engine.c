/* Execution lists: what is submitted, which context runs, and the status buffer that tells. */
#include "gen11/gen11_internal.h"
#include "machine/snapshot.h"

#include <string.h>

const struct engine_info gen11_engines[GEN11_ENGINES] = {
    [GEN11_RCS0] = {"RCS0", REG_BASE_RCS0, CLASS_RENDER, 0, HW_RCS, 1u << HW_RESET_RCS0, 1u << 1,
                    true},
    [GEN11_BCS0] = {"BCS0", REG_BASE_BCS0, CLASS_COPY, 0, HW_BCS, 1u << HW_RESET_BCS0, 1u << 2,
                    false},
    [GEN11_VCS0] = {"VCS0", REG_BASE_VCS0, CLASS_VIDEO_DECODE, 0, HW_VCS, 1u << HW_RESET_VCS0,
                    1u << 5, false},
    [GEN11_VCS2] = {"VCS2", REG_BASE_VCS2, CLASS_VIDEO_DECODE, 2, HW_VCS, 1u << HW_RESET_VCS2,
                    1u << 7, false},
    [GEN11_VECS0] = {"VECS0", REG_BASE_VECS0, CLASS_VIDEO_ENHANCE, 0, HW_VECS, 1u << HW_RESET_VECS0,
                     1u << 13, false},
};

#define ERROR_INSTRUCTION 1u /* of EIR and EMR */

#define DESCRIPTOR_VALID 1u
#define DESCRIPTOR_FORCE_RESTORE 4u

/* Context status events. */
#define STATUS_IDLE_TO_ACTIVE 0x01u
#define STATUS_PREEMPTED 0x02u
#define STATUS_ELEMENT_SWITCH 0x04u
#define STATUS_ACTIVE_TO_IDLE 0x08u
#define STATUS_COMPLETE 0x10u
#define STATUS_WAIT_SEMAPHORE 0x80u
#define STATUS_POLLS 0x0800u /* the semaphore is in poll mode */
#define STATUS_LITE_RESTORE 0x8000u

/* Dwords of the status page. */
#define PAGE_STATUS_BUFFER 0x10u
#define PAGE_STATUS_WRITE 0x2fu

void
gen11_report(struct engine *e, const char *rule, const char *subject, uint64_t address,
             const char *text)
{
   struct rule_place place = {
       .engine = e->info->name, .subject = subject, .address = address, .has_address = true};
   rule_report(e->g->dev, PERGOLA_WARNING, rule, &place, "%s", text);
}

/* SYS-002, SYS-021: what the engine's own mask lets through becomes a message. */
void
gen11_engine_event(struct engine *e, uint16_t data)
{
   data &= ~engine_get(e, ENGINE_RING_IMR);
   if (!data)
      return;
   uint32_t message = INTR_MESSAGE(0, e->info->class, e->info->instance, data);
   interrupts_message(&e->g->host, message);
   interrupts_message(&e->g->scheduler, message);
}

/* GEN11-14: a command that is none. What EMR does not mask becomes an event. */
void
gen11_instruction_error(struct engine *e)
{
   uint32_t mask = engine_get(e, ENGINE_RING_EMR);
   engine_set(e, ENGINE_RING_EIR, engine_get(e, ENGINE_RING_EIR) | (ERROR_INSTRUCTION & ~mask));
   if (!(mask & ERROR_INSTRUCTION))
      gen11_engine_event(e, INTR_ERROR);
}

static uint32_t
status_register(unsigned entry)
{
   return entry < 6 ? ENGINE_CONTEXT_STATUS_0 + 8 * entry
                    : ENGINE_CONTEXT_STATUS_HIGH_0 + 8 * (entry - 6);
}

/* An entry, then the pointer to it: into the registers and into the status page. */
static void
tell_status(struct engine *e, uint32_t status, uint64_t descriptor)
{
   uint32_t pointer = engine_get(e, ENGINE_CONTEXT_STATUS_PTR);
   uint32_t entry = ((pointer & 0xf) + 1) % CSB_ENTRIES;
   uint32_t words[2] = {status, (uint32_t)(descriptor >> 32)};
   uint64_t page = engine_get(e, ENGINE_STATUS_PAGE) & 0xfffff000;
   engine_set(e, status_register(entry), words[0]);
   engine_set(e, status_register(entry) + 4, words[1]);
   engine_set(e, ENGINE_CONTEXT_STATUS_PTR, (pointer & ~0xfu) | entry);
   if (page) {
      gen11_mem_write(e, false, page + 4 * (PAGE_STATUS_BUFFER + 2 * entry), words, sizeof(words));
      __atomic_thread_fence(__ATOMIC_RELEASE); /* a host thread polls the pointer */
      gen11_mem_write(e, false, page + 4 * PAGE_STATUS_WRITE, &entry, 4);
   }
   gen11_engine_event(e, INTR_CONTEXT_SWITCH);
}

static bool
active(const struct engine *e)
{
   return e->current < e->count;
}

bool
gen11_busy(const struct gen11 *g)
{
   for (unsigned e = 0; e < GEN11_ENGINES; e++)
      if (active(&g->engine[e]))
         return true;
   return false;
}

static void
tell_register(struct engine *e)
{
   engine_set(e, ENGINE_EXECLIST_STATUS,
              (uint32_t)active(e) | (uint32_t)(e->pending_count != 0) << 1);
}

/* EXECLIST_CONTROL[0]: the elements of the submission queue become the next list. */
void
gen11_execlist_load(struct engine *e)
{
   if (e->pending_count)
      gen11_report(e, "GEN11-11", "EXECLIST_CONTROL", e->info->base + ENGINE_EXECLIST_CONTROL,
                   "a list is loaded while another one waits to be taken; it takes its place");
   e->pending_count = 0;
   for (unsigned i = 0; i < EXECLIST_ELEMENTS; i++) {
      uint32_t reg = ENGINE_EXECLIST_SQ_0 + 8 * i;
      uint64_t d = engine_get(e, reg) | (uint64_t)engine_get(e, reg + 4) << 32;
      engine_set(e, reg, 0);
      engine_set(e, reg + 4, 0);
      if (d & DESCRIPTOR_VALID)
         e->pending[e->pending_count++] = d;
   }
   if (!e->pending_count)
      gen11_report(e, "GEN11-12", "EXECLIST_CONTROL", e->info->base + ENGINE_EXECLIST_CONTROL,
                   "a list without a valid element is loaded; nothing comes of it");
   tell_register(e);
}

static void
take_list(struct engine *e)
{
   gen11_oa_settle(e->g);
   memcpy(e->list, e->pending, sizeof(e->list));
   e->count = e->pending_count;
   e->current = e->pending_count = 0;
   tell_register(e);
}

static bool
same_context(uint64_t a, uint64_t b)
{
   return (a & ~(uint64_t)DESCRIPTOR_FORCE_RESTORE) == (b & ~(uint64_t)DESCRIPTOR_FORCE_RESTORE);
}

bool
gen11_arbitrate(struct engine *e)
{
   if (!e->pending_count || !e->arbitrates)
      return false;
   uint64_t old = e->list[e->current], next = e->pending[0];
   if (!active(e)) {
      take_list(e);
      tell_status(e, STATUS_IDLE_TO_ACTIVE, next);
      return true;
   }
   if (e->loaded && same_context(old, next) && !(next & DESCRIPTOR_FORCE_RESTORE)) {
      take_list(e);
      gen11_context_tail(e, next);
      tell_status(e, STATUS_PREEMPTED | STATUS_LITE_RESTORE, old);
      return true;
   }
   if (e->loaded)
      gen11_context_save(e, old);
   take_list(e);
   tell_status(e, STATUS_PREEMPTED, old);
   return true;
}

/* The context that runs leaves, and why; the next element, if there is one, comes. */
static void
leave(struct engine *e, uint32_t why)
{
   uint64_t done = e->list[e->current];
   gen11_context_save(e, done);
   gen11_oa_settle(e->g);
   e->current++;
   if (active(e)) {
      tell_status(e, why | STATUS_ELEMENT_SWITCH, done);
      return;
   }
   e->count = e->current = 0;
   if (e->id == GEN11_RCS0)
      gen11_oa_context_idle(e);
   tell_register(e);
   tell_status(e, why | STATUS_ACTIVE_TO_IDLE, done);
}

/* GEN11-13: a semaphore is not passed, and the context does not inhibit that it is left there. */
static void
switch_at_semaphore(struct engine *e)
{
   bool polls = engine_get(e, ENGINE_RING_IPEHR) & GEN11_MI_SEMAPHORE_WAIT__WAIT_MODE;
   e->waits = false;
   leave(e, STATUS_WAIT_SEMAPHORE | (polls ? STATUS_POLLS : 0));
}

static bool
ring_is_empty(const struct engine *e)
{
   uint32_t head = engine_get(e, ENGINE_RING_HEAD) & REG_RCS0_RING_HEAD__HEAD_OFFSET;
   bool on = engine_get(e, ENGINE_RING_CTL) & REG_RCS0_RING_CTL__RING_BUFFER_ENABLE;
   return !on || head == (engine_get(e, ENGINE_RING_TAIL) & REG_RCS0_RING_TAIL__TAIL_OFFSET);
}

/* One thing; false: there is nothing to do, or it waits. */
bool
gen11_step(struct engine *e)
{
   if (engine_get(e, ENGINE_RING_MI_MODE) & REG_RCS0_RING_MI_MODE__STOP)
      return false;
   bool between = !active(e) || !e->loaded || (e->level == 0 && ring_is_empty(e));
   if (between)
      e->arbitrates = true;
   if ((between || e->waits) && gen11_arbitrate(e))
      return true;
   if (!active(e))
      return false;
   if (!e->loaded) {
      gen11_context_load(e, e->list[e->current]);
      return true;
   }
   if (e->level == 0 && ring_is_empty(e)) {
      e->requests++;
      leave(e, STATUS_COMPLETE);
      return true;
   }
   bool waited = e->waits;
   gen11_command(e);
   if (e->waits && !(engine_get(e, ENGINE_CONTEXT_CONTROL) &
                     REG_RCS0_CONTEXT_CONTROL__INHIBIT_SYNCHRONOUS_CONTEXT_SWITCH)) {
      switch_at_semaphore(e);
      return true;
   }
   return !(waited && e->waits);
}

void
gen11_engine_reset(struct engine *e)
{
   gen11_oa_settle(e->g);
   if (e->id == GEN11_RCS0)
      e->g->oa.context_valid = false;
   e->count = e->current = e->pending_count = 0;
   e->loaded = e->waits = e->predicated = false;
   e->arbitrates = true;
   e->level = 0;
   regs_reset(e->g->dev, e->info->reset_domain);
}

void
gen11_engine_status(const struct gen11 *g, enum gen11_engine engine,
                    struct pergola_engine_status *status)
{
   if ((unsigned)engine >= GEN11_ENGINES)
      return;
   const struct engine *e = &g->engine[engine];
   status->state = e->waits                        ? PERGOLA_ENGINE_WAITING
                   : active(e) || e->pending_count ? PERGOLA_ENGINE_RUNNING
                                                   : PERGOLA_ENGINE_IDLE;
}
