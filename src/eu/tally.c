/* Counting instructions and messages by what they are: the interpreter counts each, native code a
 * block at a time. A thread counts for itself; after every run its counts go to its host thread. */
#include "eu/tally.h"

#include "eu/op.h"
#include "eu/send.h"

#include <stdlib.h>
#include <string.h>

/* ---- what an instruction counts as ----------------------------------------------------------- */

static enum oa_event
fpu0_event(const struct eu_detail *d)
{
   if (d->opcode == EU_OP_MOV || d->opcode == EU_OP_MOVI)
      return OA_FPU0_MOV;
   return d->sources >= 3 ? OA_FPU0_TERNARY : d->sources == 2 ? OA_FPU0_BINARY : OA_FPU0_OTHER;
}

/* SYS-367: math runs in the second FPU, which has the extended functions; all other arithmetic in
 * the first. */
static enum oa_event
clock_event(const struct eu_detail *d)
{
   if (d->opcode == EU_OP_SEND || d->opcode == EU_OP_SENDC)
      return OA_SEND;
   if (d->opcode == EU_OP_WAIT || eu_flow_select(d->opcode))
      return OA_BRANCH;
   if (d->opcode == EU_OP_MATH)
      return d->src[1].kind != OPERAND_NULL ? OA_FPU1_BINARY : OA_FPU1_OTHER;
   return fpu0_event(d);
}

void
eu_events_select(const struct eu *eu, struct eu_detail *d)
{
   memset(d->events, 0, sizeof(d->events));
   enum oa_event clock = d->illegal ? OA_FPU0_OTHER : clock_event(d);
   d->events[clock] = 1;
   if (clock == OA_SEND && !d->inst.desc_is_reg)
      eu->shared->events(d->inst.sfid, d->inst.desc, d->events);
}

void
eu_count_message(struct eu_thread *t, unsigned sfid, uint32_t desc)
{
   uint8_t events[OA_INSTRUCTION_EVENTS] = {0};
   t->env->dev->eu->shared->events(sfid, desc, events);
   for (unsigned i = 0; i < OA_INSTRUCTION_EVENTS; i++)
      t->count[i] += events[i];
}

/* ---- host threads ---------------------------------------------------------------------------- */

static enum oa_stage
stage_of(const struct eu_thread *t)
{
   switch (t->ffid) {
   case GEN7_FIXED_FUNCTION_ID_VERTEX_SHADER:
      return OA_VS;
   case GEN7_FIXED_FUNCTION_ID_HULL_SHADER:
      return OA_HS;
   case GEN7_FIXED_FUNCTION_ID_DOMAIN_SHADER:
      return OA_DS;
   case GEN7_FIXED_FUNCTION_ID_GEOMETRY_SHADER:
      return OA_GS;
   case GEN7_FIXED_FUNCTION_ID_WINDOWER:
      return OA_PS;
   default:
      return OA_TS;
   }
}

static unsigned
place_of(const struct eu_thread *t)
{
   return (t->half_slice * 16u + t->eu) % OA_EUS;
}

/* NULL without memory: what would be counted is lost, and the next run tries again. */
static struct eu_tally *
tally_of(struct eu *eu, struct eu_tally **mine)
{
   if (!*mine && (*mine = calloc(1, sizeof(**mine)))) {
      pthread_mutex_lock(&eu->lock);
      (*mine)->next = eu->tallies;
      eu->tallies = *mine;
      pthread_mutex_unlock(&eu->lock);
   }
   return *mine;
}

static void
add(struct eu_tally *tally, const struct eu_thread *t, bool first)
{
   if (!tally)
      return;
   uint64_t *to = tally->events.eu[stage_of(t)][place_of(t)];
   for (unsigned i = 0; i < OA_INSTRUCTION_EVENTS; i++)
      to[i] += t->count[i];
   to[OA_THREADS] += first;
}

void
eu_tally_thread(struct eu_thread *t, bool first)
{
   struct eu *eu = t->env->dev->eu;
   if (t->buffers) {
      add(tally_of(eu, &t->buffers->tally), t, first);
   } else { /* threads of the spawner: those of several host threads have one tally */
      pthread_mutex_lock(&eu->common_lock);
      add(tally_of(eu, &eu->common), t, first);
      pthread_mutex_unlock(&eu->common_lock);
   }
   memset(t->count, 0, sizeof(t->count));
}

void
eu_tally_pixels(struct eu *eu, const uint64_t count[OA_PIXEL_COUNTS])
{
   pthread_mutex_lock(&eu->common_lock);
   struct eu_tally *tally = tally_of(eu, &eu->common);
   for (unsigned i = 0; tally && i < OA_PIXEL_COUNTS; i++)
      tally->events.pixels[i] += count[i];
   pthread_mutex_unlock(&eu->common_lock);
}

/* ---- groups ---------------------------------------------------------------------------------- */

void
eu_group_clocks_add(struct eu_group_clocks *g, const struct eu_thread *t)
{
   g->executed[place_of(t)] += t->instructions;
   g->threads[place_of(t)]++;
}

void
eu_tally_group(const struct eu_thread *t, struct eu_group_clocks *g)
{
   struct eu_tally *tally = t->buffers ? tally_of(t->env->dev->eu, &t->buffers->tally) : NULL;
   uint64_t clocks = 0;
   for (unsigned n = 0; n < OA_EUS; n++)
      if (g->executed[n] > clocks)
         clocks = g->executed[n];
   for (unsigned n = 0; tally && n < OA_EUS; n++) {
      if (!g->threads[n])
         continue;
      uint64_t *to = tally->events.eu[stage_of(t)][n];
      to[OA_STALLED] += clocks - g->executed[n];
      to[OA_WAITED] += g->threads[n] * clocks - g->executed[n];
   }
   memset(g, 0, sizeof(*g));
}

/* ---- the device ------------------------------------------------------------------------------ */

bool
eu_counts(const struct eu *eu)
{
   return eu->counting_events;
}

void
eu_count(struct eu *eu, bool on)
{
   if (eu->counting_events == on)
      return;
   pthread_mutex_lock(&eu->lock);
   eu->counting_events = on;
   eu->counting = on || eu->profile;
   for (struct eu_tally *t = eu->tallies; on && t; t = t->next)
      memset(&t->events, 0, sizeof(t->events));
   eu_forget_kernels(eu);
   pthread_mutex_unlock(&eu->lock);
}

void
eu_tally_collect(struct eu *eu, struct oa_events *sum)
{
   pthread_mutex_lock(&eu->lock);
   for (struct eu_tally *t = eu->tallies; t; t = t->next) {
      oa_events_add(sum, &t->events);
      memset(&t->events, 0, sizeof(t->events));
   }
   pthread_mutex_unlock(&eu->lock);
}

void
eu_tallies_free(struct eu *eu)
{
   while (eu->tallies) {
      struct eu_tally *next = eu->tallies->next;
      free(eu->tallies);
      eu->tallies = next;
   }
}
