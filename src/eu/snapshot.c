/* Threads and what they share, saved and loaded: see machine/snapshot.h. Their kernels are found
 * again by address. */
#include "eu/snapshot.h"

#include "eu/group.h"

#include <string.h>

void
eu_env_snapshot(struct eu_env *env, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct eu_env, 96);
   if (s->loading)
      *env = (struct eu_env){.dev = s->dev, .engine = "EU"};
   snapshot_space(s, &env->space);
   SNAP(s, env->general_state_base);
   SNAP(s, env->surface_state_base);
   SNAP(s, env->dynamic_state_base);
   SNAP(s, env->indirect_object_base);
   SNAP(s, env->instruction_base);
   SNAP(s, env->general_state_end);
   SNAP(s, env->dynamic_state_end);
   SNAP(s, env->indirect_object_end);
   SNAP(s, env->instruction_end);
   SNAP(s, env->sip);
   SNAP(s, env->media_pipeline);
   SNAP(s, env->clock);
}

/* What of a thread most kernels change. */
static void
control(struct eu_thread *t, struct snapshot *s)
{
   SNAP_ARRAY(s, t->flag);
   SNAP_ARRAY(s, t->sr0);
   SNAP(s, t->ip);
   SNAP(s, t->active);
   SNAP(s, t->waiting);
   SNAP(s, t->call_mask);
   SNAP(s, t->dispatch_mask);
   SNAP(s, t->vector_mask);
   SNAP_ARRAY(s, t->initialised);
   SNAP(s, t->instructions);
   SNAP(s, t->id);
   SNAP_BELOW(s, t->stop, EU_STOP_BREAK + 1);
   SNAP(s, t->fftid);
   SNAP_BELOW(s, t->half_slice, EU_HALF_SLICES);
   SNAP_BELOW(s, t->eu, EU_COUNT);
   SNAP_BELOW(s, t->slot, EU_THREADS);
   SNAP_BELOW(s, t->ffid, 16);
}

void
eu_thread_snapshot(struct eu_thread *t, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct eu_thread, 4928);
   if (s->loading)
      memset(t, 0, sizeof(*t));
   snapshot_bytes(s, t->grf, EU_GRF_COUNT * EU_REG_SIZE);
   SNAP_ARRAY(s, t->pip);
   SNAP_ARRAY(s, t->acc);
   SNAP_ARRAY(s, t->a0);
   SNAP_ARRAY(s, t->cr0);
   SNAP_ARRAY(s, t->n0);
   SNAP_ARRAY(s, t->tdr);
   SNAP_ARRAY(s, t->tm0);
   SNAP_ARRAY(s, t->sp_reg);
   control(t, s);
   SNAP(s, t->binding_table);
   SNAP(s, t->sampler_states);
   SNAP(s, t->sampler_count);
   SNAP(s, t->scratch_base);
   SNAP(s, t->scratch_size_B);
   SNAP(s, t->kernel_start);
   SNAP(s, t->single_program_flow);
   SNAP(s, t->alt_mode);
}

void
eu_group_snapshot(struct eu_group *g, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct eu_group, 160);
   SNAP_BELOW(s, g->unmade, g->thread_count + 1);
   SNAP_BELOW(s, g->barrier_arrived, 256);
   SNAP_BELOW(s, g->barrier_message_count, 256);
   SNAP(s, g->barrier_waiting);
   SNAP(s, g->released);
   unsigned made = g->thread_count - g->unmade;
   for (unsigned i = 0; i < made; i++)
      SNAP_BELOW(s, g->state[i], GROUP_ENDED + 1);
   uint64_t there = made < 64 ? (UINT64_C(1) << made) - 1 : UINT64_MAX;
   if (!snapshot_check(s, !(g->barrier_waiting & ~there), "a thread that is not made waits") &&
       s->loading)
      g->barrier_waiting = 0;
}
