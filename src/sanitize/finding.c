/* What a finding says: both accesses, with thread, group, channel, instruction and place. */
#include "sanitize/sanitize_internal.h"

#include "eu/observe.h"
#include "rules/plural.h"

#include <stdio.h>
#include <string.h>

#define WHO_MAX 400

/* "thread 1 of 4 in group (0, 0, 0), channel 3, at 0x00012340 'send(8) …'" */
static void
who(const struct sanitizer *s, const struct eu_env *env, uint32_t thread, unsigned channel,
    uint32_t address, char text[WHO_MAX])
{
   char instruction[EU_DISASM_MAX];
   const struct san_thread *t = &s->thread[thread];
   const struct san_group *g = &s->group[t->group];
   eu_instruction_text(env, address, instruction);
   if (g->real)
      snprintf(text, WHO_MAX,
               "thread %u of %u in group (%u, %u, %u), channel %u, at 0x%08x '%.240s'", t->index,
               g->threads, g->id[0], g->id[1], g->id[2], channel, address, instruction);
   else
      snprintf(text, WHO_MAX, "thread %u, channel %u, at 0x%08x '%.240s'", t->id, channel, address,
               instruction);
}

static void
place_name(const struct sanitize_access *a, char text[32])
{
   if (a->scratch)
      snprintf(text, 32, "scratch space");
   else if (a->bti == SANITIZE_BTI_SLM)
      snprintf(text, 32, "shared local memory");
   else if (a->bti == SANITIZE_BTI_STATELESS)
      snprintf(text, 32, "stateless memory");
   else
      snprintf(text, 32, "surface %u", a->bti);
}

static const char *const verbs[] = {"read", "write", "atomic operation"};

void
finding_race(struct sanitizer *s, const struct sanitize_access *a, touch before, bool before_writes,
             unsigned byte)
{
   const struct eu_env *env = a->t->env;
   const struct san_thread *other = &s->thread[touch_thread(before)];
   uint32_t here = env->instruction_base + a->ip, there = other->kernel + touch_ip(before);
   bool slm = a->bti == SANITIZE_BTI_SLM;
   const char *rule = slm ? "SAN-001" : "SAN-002";
   char subject[32], field[32];
   place_name(a, subject);
   /* Once a pair, whichever came first. */
   snprintf(field, sizeof(field), "with 0x%08x", here < there ? there : here);
   struct rule_place place = {.engine = "EU",
                              .subject = subject,
                              .field = field,
                              .address = here < there ? here : there,
                              .has_address = true,
                              .other = here < there ? there : here,
                              .has_other = true};
   if (rule_repeated(s->dev, PERGOLA_ERROR, rule, &place))
      return;
   char first[WHO_MAX], second[WHO_MAX];
   uint32_t number = (uint32_t)a->t->sanitize;
   who(s, env, touch_thread(before), touch_channel(before), there, first);
   who(s, env, number, a->channel, here, second);
   bool group = other->group == s->thread[number].group;
   rule_finding(s->dev, PERGOLA_ERROR, rule, &place,
                "race on byte 0x%llx: %s by %s; then %s by %s; %s",
                (unsigned long long)a->offset + byte,
                before_writes ? touch_atomic(before) ? verbs[2] : verbs[1] : verbs[0], first,
                verbs[a->kind], second,
                !group          ? "nothing orders the two"
                : slm           ? "no barrier is between them"
                : before_writes ? "no memory fence and barrier are between them"
                                : "no barrier is between them");
}

void
finding_divergent(struct sanitizer *s, const struct eu_thread *t, uint32_t ip)
{
   const struct eu_env *env = t->env;
   uint32_t away = t->waiting & t->dispatch_mask, come = t->dispatch_mask & ~away;
   unsigned missing = (unsigned)__builtin_ctz(away), of = (unsigned)__builtin_popcount(away);
   struct rule_place place = {.engine = "EU",
                              .subject = "barrier",
                              .address = env->instruction_base + ip,
                              .has_address = true};
   if (rule_repeated(s->dev, PERGOLA_ERROR, "SAN-004", &place))
      return;
   char text[WHO_MAX], elsewhere[EU_DISASM_MAX];
   uint32_t at = env->instruction_base + t->pip[missing];
   who(s, env, (uint32_t)t->sanitize, come ? (unsigned)__builtin_ctz(come) : 0,
       (uint32_t)place.address, text);
   eu_instruction_text(env, at, elsewhere);
   rule_finding(s->dev, PERGOLA_ERROR, "SAN-004", &place,
                "not all channels come to the barrier: %s does; %u channel%s of its thread %s not, "
                "channel %u is at 0x%08x '%.240s'",
                text, of, plural(of), of == 1 ? "does" : "do", missing, at, elsewhere);
}

void
finding_here(struct sanitizer *s, const struct sanitize_access *a, const char *rule,
             const char *sentence)
{
   const struct eu_env *env = a->t->env;
   char subject[32], text[WHO_MAX];
   place_name(a, subject);
   struct rule_place place = {.engine = "EU",
                              .subject = subject,
                              .field = verbs[a->kind],
                              .address = env->instruction_base + a->ip,
                              .has_address = true};
   if (rule_repeated(s->dev, PERGOLA_ERROR, rule, &place))
      return;
   who(s, env, (uint32_t)a->t->sanitize, a->channel, (uint32_t)place.address, text);
   char where[80];
   if (a->texel)
      snprintf(where, sizeof(where), "texel (%d, %d, %d) of level %u", (int)a->texel[0],
               (int)a->texel[1], (int)a->texel[2], a->texel[3]);
   else
      snprintf(where, sizeof(where), "byte 0x%llx", (unsigned long long)a->offset);
   rule_finding(s->dev, PERGOLA_ERROR, rule, &place, "%s of %u byte%s at %s by %s %s",
                verbs[a->kind], a->size, plural(a->size), where, text, sentence);
}
