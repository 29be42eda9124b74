#include "machine.h"

/* Every message with an end of thread is taken; the functions behind have tests of their own. */
static void
remember(void *data, const struct pergola_diagnostic *d)
{
   struct machine *m = data;
   m->diagnostics++;
   snprintf(m->last_rule, sizeof(m->last_rule), "%s", d->rule);
   snprintf(m->last_subject, sizeof(m->last_subject), "%s", d->subject);
   snprintf(m->last_message, sizeof(m->last_message), "%s", d->message);
}

bool
machine_native(void)
{
   const char *native = getenv("PERGOLA_NATIVE");
   return native && !strcmp(native, "always");
}

void
machine_open(struct machine *m, enum pergola_check check)
{
   struct pergola_config config = {
       .check = check, .native = machine_native() ? PERGOLA_NATIVE_ALWAYS : PERGOLA_NATIVE_AUTO};
   const char *error = NULL;
   memset(m, 0, sizeof(*m));
   struct pergola_machine_memory memory = {
       .physical = MACHINE_PHYS, .size = MACHINE_MEMORY, .mapped = MACHINE_MEMORY};
   assert_int_equal(pergola_machine_create(&m->machine, &config, &memory, &error), 0);
   m->dev = m->machine.dev;
   m->memory = m->machine.memory;
   m->t = aligned_alloc(64, (sizeof(*m->t) + 63) & ~(size_t)63);
   memset(m->t, 0, sizeof(*m->t));
   m->env = (struct eu_env){.dev = m->dev,
                            .space = &m->dev->ggtt,
                            .instruction_base = 0x10000,
                            .surface_state_base = 0x100000,
                            .dynamic_state_base = 0x200000,
                            .media_pipeline = true,
                            .engine = "EU"};
   pergola_add_diagnostic_sink(m->dev, remember, m);
}

void
machine_close(struct machine *m)
{
   pergola_machine_destroy(&m->machine);
   free(m->t);
}

void
machine_clear(struct machine *m)
{
   m->diagnostics = 0;
   m->last_rule[0] = m->last_subject[0] = m->last_message[0] = 0;
}

void
machine_load(struct machine *m, const char *text)
{
   struct eu_program p;
   struct eu_asm_error error;
   if (!eu_asm_text(text, strlen(text), m->dev->hw_device, &p, &error))
      fail_msg("line %u, column %u: %s\n%s", error.line, error.column, error.message, text);
   uint32_t at = m->env.instruction_base;
   memset(m->memory + at, 0, 0x10000);
   memcpy(m->memory + at, p.bytes, p.size);
   eu_program_free(&p);
   eu_invalidate_instructions(m->dev->eu);
   eu_thread_init(m->t, &m->env, 0, 0xff);
   eu_thread_mark(m->t, 0, 128);
}

void
machine_run(struct machine *m, const char *text)
{
   machine_load(m, text);
   assert_int_equal(eu_run(m->t, 1000000), EU_STOP_EOT);
}
