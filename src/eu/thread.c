/* Thread state. */
#include "eu/isa/asm.h"
#include "eu/op.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* From here on a thread has to be set up; before lie registers, which are not cleared, and PcIPs,
 * which are of channels that wait only. */
#define STATE_OFFSET offsetof(struct eu_thread, acc)
#define STATE_SIZE (sizeof(struct eu_thread) - STATE_OFFSET)

/* EU-037 */
void
eu_thread_init(struct eu_thread *t, const struct eu_env *env, uint32_t kernel_start,
               uint32_t dispatch_mask)
{
   memset((uint8_t *)t + STATE_OFFSET, 0, STATE_SIZE);
   memset(t->grf + EU_GRF_COUNT * EU_REG_SIZE, 0, sizeof(t->grf) - EU_GRF_COUNT * EU_REG_SIZE);
   t->env = env;
   t->kernel_start = t->ip = kernel_start;
   eu_thread_channels(t, dispatch_mask);
   for (unsigned c = 0; c < 32; c++)
      t->pip[c] = kernel_start;
}

void
eu_thread_copy(struct eu_thread *t, const struct eu_thread *fresh)
{
   size_t size = STATE_SIZE;
   __asm__(
       ""
       : "+r"(
           size)); /* not known to the compiler, which would move it by a slow string instruction */
   memcpy((uint8_t *)t + STATE_OFFSET, (const uint8_t *)fresh + STATE_OFFSET, size);
}

static uint64_t
below(unsigned bit)
{
   return bit < 64 ? (UINT64_C(1) << bit) - 1 : UINT64_MAX;
}

void
eu_thread_mark(struct eu_thread *t, unsigned first_reg, unsigned count)
{
   unsigned end = first_reg + count;
   t->initialised[0] |= below(end) & ~below(first_reg);
   if (end > 64)
      t->initialised[1] |= below(end - 64) & ~below(first_reg > 64 ? first_reg - 64 : 0);
}

/* P3D-091: whose thread it is; NULL: the thread spawner's. */
static const char *
shader_of(unsigned ffid)
{
#define MADE_BY(name) [GEN7_FIXED_FUNCTION_ID_##name]
   static const char *const name[16] = {
       MADE_BY(HULL_SHADER) = "hull shader", MADE_BY(DOMAIN_SHADER) = "domain shader",
       MADE_BY(VERTEX_SHADER) = "vertex shader", MADE_BY(GEOMETRY_SHADER) = "geometry shader",
       MADE_BY(WINDOWER) = "pixel shader"};
#undef MADE_BY
   return ffid < 16 ? name[ffid] : NULL;
}

void
eu_report(struct eu_thread *t, const struct eu_detail *d, uint32_t ip,
          enum pergola_severity severity, const char *rule, const char *format, ...)
{
   char text[256];
   struct rule_place place = {.engine = t->env->engine ? t->env->engine : "EU",
                              .address = t->env->instruction_base + ip,
                              .has_address = true};
   if (severity != PERGOLA_FATAL && !rules_on(t->env->dev))
      return;
   char subject[EU_DISASM_MAX];
   if (d) {
      eu_disasm_inst(&d->inst, t->env->dev->hw_device, subject);
      place.subject = subject;
   } else {
      place.subject = shader_of(t->ffid);
   }
   va_list args;
   va_start(args, format);
   vsnprintf(text, sizeof(text), format, args);
   va_end(args);
   rule_report(t->env->dev, severity, rule, &place, "%s", text);
}
