/* A thread at dispatch, so far as all threads of its kernel are alike. */
#include "media/start.h"

void
thread_prepare(struct media *m, struct eu_thread *t, const struct eu_env *env,
               const struct kernel_state *k)
{
   eu_thread_init(t, env, k->d.kernel_start_pointer, 0);
   t->ffid = GEN7_FIXED_FUNCTION_ID_THREAD_SPAWNER;
   t->cr0[0] = k->cr0[0];
   t->cr0[1] = k->cr0[1];
   t->single_program_flow = k->d.single_program_flow;
   t->alt_mode = k->d.floating_point_mode != 0;
   /* SF-168, MEDIA-466: the fixed function that made it; its priority. */
   t->sr0[0] = hw_put(GEN7_FIXED_FUNCTION_ID_THREAD_SPAWNER, GEN7_STATE_REGISTER__FFID) |
               hw_put(k->d.thread_priority, GEN7_STATE_REGISTER__PRIORITY_CLASS);
   t->binding_table = k->d.binding_table_pointer;
   t->sampler_states = k->d.sampler_state_pointer;
   t->sampler_count = k->d.sampler_count;
   t->scratch_base = m->vfe.state.scratch_space_base_pointer;
   t->scratch_size_B = scratch_size_B(m);
}
