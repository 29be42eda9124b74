/* Execution lists: what is submitted, which context runs, and the status buffer that tells. */
#include "gen11/gen11_internal.h"
#include "machine/snapshot.h"

#include <string.h>

#define CLASS(name) GEN11_INTERRUPT_CLASS_##name
#define ENGINE(name, class, instance, hw, render)                                                  \
   [GEN11_##name] = {                                                                              \
       #name, REG_BASE_##name, class, instance, hw, 1u << HW_RESET_##name, REG_ICL_GDRST__##name,  \
       render}
const struct engine_info gen11_engines[GEN11_ENGINES] = {
    ENGINE(RCS0, CLASS(RENDER), 0, HW_RCS, true),
    ENGINE(BCS0, CLASS(COPY), 0, HW_BCS, false),
    ENGINE(VCS0, CLASS(VIDEO_DECODE), 0, HW_VCS, false),
    ENGINE(VCS2, CLASS(VIDEO_DECODE), 2, HW_VCS, false),
    ENGINE(VECS0, CLASS(VIDEO_ENHANCE), 0, HW_VECS, false),
};

#define VALID GEN11_CONTEXT_DESCRIPTOR__VALID
#define FORCE_RESTORE GEN11_CONTEXT_DESCRIPTOR__FORCE_RESTORE
#define STATUS(name) GEN11_CONTEXT_STATUS__##name
#define PAGE(name) GEN11_HARDWARE_STATUS_PAGE__##name

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
   uint32_t message = interrupt_message(e->info->class, e->info->instance, data);
   interrupts_message(&e->g->host, message);
   interrupts_message(&e->g->scheduler, message);
}

/* GEN11-14: a command that is none. What EMR does not mask becomes an event. */
void
gen11_instruction_error(struct engine *e)
{
   uint32_t mask = engine_get(e, ENGINE_RING_EMR);
   uint32_t error = REG_RCS0_RING_EIR__INSTRUCTION_ERROR & ~mask;
   engine_set(e, ENGINE_RING_EIR, engine_get(e, ENGINE_RING_EIR) | error);
   if (error)
      gen11_engine_event(e, STREAMER_EVENT(ERROR));
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
   uint32_t entry = ((pointer & REG_RCS0_CONTEXT_STATUS_PTR__WRITE) + 1) % CSB_ENTRIES;
   uint32_t words[GEN11_CONTEXT_STATUS_LENGTH] = {status, (uint32_t)(descriptor >> 32)};
   uint64_t page = engine_get(e, ENGINE_STATUS_PAGE) & REG_RCS0_STATUS_PAGE__ADDRESS;
   engine_set(e, status_register(entry), words[0]);
   engine_set(e, status_register(entry) + 4, words[1]);
   engine_set(e, ENGINE_CONTEXT_STATUS_PTR,
              (pointer & ~REG_RCS0_CONTEXT_STATUS_PTR__WRITE) | entry);
   if (page) {
      uint32_t at = PAGE(CONTEXT_STATUS_0_DW) + GEN11_CONTEXT_STATUS_LENGTH * entry;
      gen11_mem_write(e, false, page + 4 * at, words, sizeof(words));
      __atomic_thread_fence(__ATOMIC_RELEASE); /* a host thread polls the pointer */
      gen11_mem_write(e, false, page + 4 * PAGE(CONTEXT_STATUS_WRITE_POINTER_DW), &entry, 4);
   }
   gen11_engine_event(e, STREAMER_EVENT(CONTEXT_SWITCH));
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
              (active(e) ? REG_RCS0_EXECLIST_STATUS__LIST_RUNS : 0) |
                  (e->pending_count ? REG_RCS0_EXECLIST_STATUS__LIST_WAITS : 0));
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
      if (d & VALID)
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
   return (a & ~(uint64_t)FORCE_RESTORE) == (b & ~(uint64_t)FORCE_RESTORE);
}

bool
gen11_arbitrate(struct engine *e)
{
   if (!e->pending_count || !e->arbitrates)
      return false;
   uint64_t old = e->list[e->current], next = e->pending[0];
   if (!active(e)) {
      take_list(e);
      tell_status(e, STATUS(IDLE_TO_ACTIVE), next);
      return true;
   }
   if (e->loaded && same_context(old, next) && !(next & FORCE_RESTORE)) {
      take_list(e);
      gen11_context_tail(e, next);
      tell_status(e, STATUS(PREEMPTED) | STATUS(LITE_RESTORE), old);
      return true;
   }
   if (e->loaded)
      gen11_context_save(e, old);
   take_list(e);
   tell_status(e, STATUS(PREEMPTED), old);
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
      tell_status(e, why | STATUS(ELEMENT_SWITCH), done);
      return;
   }
   e->count = e->current = 0;
   if (e->id == GEN11_RCS0)
      gen11_oa_context_idle(e);
   tell_register(e);
   tell_status(e, why | STATUS(ACTIVE_TO_IDLE), done);
}

/* GEN11-13: a semaphore is not passed, and the context does not inhibit that it is left there. */
static void
switch_at_semaphore(struct engine *e)
{
   bool polls = engine_get(e, ENGINE_RING_IPEHR) & GEN11_MI_SEMAPHORE_WAIT__WAIT_MODE;
   e->waits = false;
   leave(e, STATUS(WAIT_ON_SEMAPHORE) | (polls ? STATUS(SEMAPHORE_POLLS) : 0));
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
      leave(e, STATUS(CONTEXT_COMPLETE));
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
