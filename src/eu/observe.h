/* What observers are told of a thread. */
#ifndef PERGOLA_EU_OBSERVE_H
#define PERGOLA_EU_OBSERVE_H

#include "eu/eu.h"
#include "eu/isa/asm.h"

/* The instruction there, in one line; false: its page is not there. */
bool eu_instruction_text(const struct eu_env *env, uint32_t address, char text[EU_DISASM_MAX]);

static inline uint32_t
eu_thread_place(const struct eu_thread *t)
{
   return (uint32_t)t->half_slice << 16 | (uint32_t)t->eu << 8 | t->slot;
}

static inline uint32_t
eu_thread_kernel(const struct eu_thread *t)
{
   return t->env->instruction_base + t->kernel_start;
}

static inline void
eu_announce_begin(const struct eu_thread *t, const char *engine)
{
   struct pergola_device *dev = t->env->dev;
   if (!trace_wants(&dev->trace, PERGOLA_EVENT_DISPATCH))
      return;
   struct pergola_event e = {.kind = PERGOLA_EVENT_DISPATCH,
                             .engine = engine,
                             .time_ns = dev->time_ns,
                             .a = eu_thread_kernel(t),
                             .b = t->id,
                             .flags = eu_thread_place(t)};
   trace_emit(&dev->trace, &e);
}

static inline void
eu_announce_end(const struct eu_thread *t, const char *engine)
{
   struct pergola_device *dev = t->env->dev;
   if (!trace_wants(&dev->trace, PERGOLA_EVENT_THREAD_END))
      return;
   uint32_t more[] = {t->ways[0], t->ways[1], eu_thread_kernel(t)};
   struct pergola_event e = {.kind = PERGOLA_EVENT_THREAD_END,
                             .engine = engine,
                             .time_ns = dev->time_ns,
                             .a = t->instructions,
                             .b = t->id,
                             .flags = eu_thread_place(t),
                             .dwords = more,
                             .count = 3};
   trace_emit(&dev->trace, &e);
}

#endif
