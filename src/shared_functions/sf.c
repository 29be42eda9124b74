/* Message routing, and what holds for every message. */
#include "shared_functions/sf.h"
#include "eu/observe.h"

#include "shared_functions/quick.h"
#include "surface/hazard.h"

#include <stdio.h>
#include <string.h>

static const char *const names[16] = {
    "null",
    "reserved 1",
    "sampler",
    "gateway",
    "sampler cache data port",
    "render cache data port",
    "urb",
    "thread spawner",
    "vme",
    "constant cache data port",
    "data cache data port",
    "pixel interpolator",
    "data cache data port 1",
    "check and refinement engine",
    "reserved 14",
    "reserved 15",
};

void
sf_report(struct eu_thread *t, const struct sf_message *m, enum pergola_severity severity,
          const char *rule, const char *subject, const char *format, ...)
{
   char text[256];
   struct rule_place place = {.engine = t->env->engine ? t->env->engine : "EU",
                              .subject = subject ? subject : names[m->sfid & 15],
                              .address = t->env->instruction_base + m->ip,
                              .has_address = true};
   if (severity != PERGOLA_FATAL && !rules_on(t->env->dev))
      return;
   va_list args;
   va_start(args, format);
   vsnprintf(text, sizeof(text), format, args);
   va_end(args);
   rule_report(t->env->dev, severity, rule, &place, "%s", text);
}

static void
announce(struct eu_thread *t, const struct sf_message *m)
{
   struct trace *trace = &t->env->dev->trace;
   if (!trace_wants(trace, PERGOLA_EVENT_MESSAGE))
      return;
   uint32_t more[] = {(uint32_t)t->instructions, eu_thread_kernel(t), eu_thread_place(t)};
   struct pergola_event e = {.kind = PERGOLA_EVENT_MESSAGE,
                             .engine = "EU",
                             .time_ns = t->env->dev->time_ns,
                             .a = m->desc,
                             .b = t->id,
                             .flags = m->sfid,
                             .text = names[m->sfid & 15],
                             .dwords = more,
                             .count = 3};
   trace_emit(trace, &e);
}

static void
check(struct eu_thread *t, const struct sf_message *m)
{
   if (!m->mlen)
      sf_report(t, m, PERGOLA_ERROR, "EU-191", NULL,
                "the message length is 0; a message has at least one register");
   if (m->rlen > 16)
      sf_report(t, m, PERGOLA_ERROR, "EU-189", NULL,
                "the response length is %u; at most 16 registers come back", m->rlen);
   if (m->eot && m->rlen)
      sf_report(t, m, PERGOLA_ERROR, "EU-194", NULL, "an end of thread has no response");
   if (m->eot && (m->sfid == SFID_SAMPLER || m->sfid == SFID_NULL))
      sf_report(t, m, PERGOLA_ERROR, "EU-196", NULL, "the %s cannot take an end of thread",
                names[m->sfid & 15]);
}

static enum sf_status
unknown(struct eu_thread *t, const struct sf_message *m)
{
   sf_report(t, m, PERGOLA_ERROR, "EU-192", NULL,
             "no shared function has id %u on this device; the response is zero", m->sfid);
   if (m->response)
      memset(m->response, 0, (size_t)m->rlen * EU_REG_SIZE);
   return SF_OK;
}

enum sf_status
sf_send(struct eu_thread *t, const struct sf_message *m)
{
   bool hsw = t->env->dev->hw_device & HW_HSW;
   announce(t, m);
   if (rules_on(t->env->dev))
      check(t, m);
   switch (m->sfid) {
   case SFID_SAMPLER:
      return sf_sampler(t, m);
   case SFID_GATEWAY:
      return sf_gateway(t, m);
   case SFID_DP_SAMPLER:
   case SFID_DP_RENDER:
   case SFID_DP_CONSTANT:
   case SFID_DP_DATA0:
      return sf_dataport(t, m);
   case SFID_DP_DATA1:
      return hsw ? sf_dataport(t, m) : unknown(t, m);
   case SFID_URB:
      return sf_urb(t, m);
   case SFID_THREAD_SPAWNER:
      return sf_thread_spawner(t, m);
   case SFID_VME:
      return sf_vme(t, m);
   case SFID_PIXEL_INTERPOLATOR:
      return sf_pixel_interpolator(t, m);
   case SFID_NULL:
      return SF_OK;
   default:
      return unknown(t, m);
   }
}

void
sf_hazard(struct eu_thread *t, const struct sf_message *m, unsigned cache, uint32_t address,
          unsigned size, bool write)
{
   struct hazard_found found;
   if (hazard_access(t->env->dev->surfaces, cache, address, size, write, &found))
      sf_report(t, m, PERGOLA_WARNING, found.rule, found.cache,
                "0x%08x was written through the %s and is %s through the %s with no flush between",
                address, found.writer, write ? "written" : "read", found.cache);
}

struct complaint {
   struct eu_thread *t;
   const struct sf_message *m;
};

static void
complain(void *data, const char *rule, const char *text)
{
   const struct complaint *c = data;
   sf_report(c->t, c->m, PERGOLA_ERROR, rule, "MEDIA_SURFACE_STATE", "%s", text);
}

void
media_surface_report(const struct media_surface *s, enum media_user user, struct eu_thread *t,
                     const struct sf_message *m)
{
   media_surface_rules(s, user, complain, &(struct complaint){.t = t, .m = m});
}

const struct eu_shared sf_functions = {
    .send = sf_send,
    .quick_select = sf_quick_select,
    .quick_row = sf_quick_row,
    .events = sf_events,
};
