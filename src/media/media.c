/* The pipeline as the command streamer sees it. */
#include "media/ts.h"
#include "rules/plural.h"
#include "sanitize/sanitize.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
media_report(struct media *m, const struct cs_command *c, enum pergola_severity severity,
             const char *rule, const char *field, const char *format, ...)
{
   char text[512];
   va_list args;
   va_start(args, format);
   vsnprintf(text, sizeof(text), format, args);
   va_end(args);
   struct rule_place place = {.engine = "RCS", .field = field};
   if (c) {
      place.subject = c->desc ? c->desc->layout.name : "media";
      place.has_address = true;
      place.address = c->address;
   }
   rule_report(m->dev, severity, rule, &place, "%s", text);
}

struct media *
media_create(struct pergola_device *dev)
{
   struct media *m = aligned_alloc(64, (sizeof(*m) + 63) & ~(size_t)63);
   if (!m)
      return NULL;
   memset(m, 0, sizeof(*m));
   m->dev = dev;
   m->run = eu_run_inside;
   m->descriptor_layout = hw_struct_by_name("INTERFACE_DESCRIPTOR_DATA");
   bool ok = dispatch_crew_init(&m->crew, dev->dispatcher, &gpgpu_unit, m) && ts_create(m);
   for (unsigned i = 0; ok && i < EU_HALF_SLICES; i++) {
      m->slm[i] = aligned_alloc(64, SLM_SIZE);
      ok = m->slm[i] != NULL;
      if (ok)
         memset(m->slm[i], 0, SLM_SIZE);
   }
   if (!ok) {
      media_destroy(m);
      return NULL;
   }
   dev->gateway->thread_at = ts_gateway_thread;
   dev->gateway->data = m;
   dev->urb->entry_end = vfe_entry_end;
   dev->urb->data_of_entries = m;
   media_reset(m);
   return m;
}

void
media_destroy(struct media *m)
{
   if (!m)
      return;
   dispatch_crew_finish(&m->crew);
   for (unsigned i = 0; i < EU_HALF_SLICES; i++)
      free(m->slm[i]);
   ts_destroy(m);
   free(m->objects.indirect);
   free(m);
}

void
media_drop_work(struct media *m)
{
   gpgpu_job_drop(m);
   m->objects.count = 0;
   ts_reset(m);
}

void
media_reset(struct media *m)
{
   media_drop_work(m);
   memset(&m->vfe, 0, sizeof(m->vfe));
   vfe_tell_gateway(m);
   gateway_reset(m->dev->gateway);
   dispatcher_reset(m->dev->dispatcher);
   m->objects.groups = 0;
   memset(m->dev->urb->data, 0, m->dev->urb->size_B);
}

void
media_set_run(struct media *m, media_run_fn run)
{
   m->run = run;
}

bool
media_idle(const struct media *m)
{
   return m->job.phase != GPGPU_WALKING && !m->objects.count && ts_idle(m);
}

/* GPGPU work: a group that is still being collected, and the walk under way. */
static enum cs_result
gpgpu_finish(struct media *m, uint64_t *budget)
{
   enum cs_result r = gpgpu_job_run(m, budget, false);
   if (r == CS_DONE && m->objects.count) {
      gpgpu_objects_close(m, NULL);
      r = gpgpu_job_run(m, budget, false);
   }
   return r;
}

enum cs_result
media_drain(struct media *m, uint64_t *budget)
{
   if (m->job.phase != GPGPU_PREEMPTED) {
      enum cs_result r = gpgpu_finish(m, budget);
      if (r != CS_DONE)
         return r;
   }
   return ts_run(m, budget, ts_idle);
}

void
media_flushed(struct media *m)
{
   if (m->dev->sanitizer)
      sanitize_drained(m->dev->sanitizer);
   m->vfe.primitive_since_flush = false;
   m->vfe.state_flush_since_primitive = false;
   m->vfe.media_since_flush = m->vfe.gpgpu_since_flush = false;
}

void
media_pipeline_selected(struct media *m)
{
   /* MEDIA-450 */
   memset(m->vfe.handle_busy, 0, sizeof(m->vfe.handle_busy));
   m->vfe.handle_head = 0;
}

static bool
resources_free(const struct media *m)
{
   return ts_group_fits(m, &m->watermark);
}

/* MEDIA-067: waits for the walker, or for the request to preempt it. MEDIA-358: for the last thread
 * to be dispatched; MEDIA-356: or for the room that the next group needs. */
static enum cs_result
state_flush(struct media *m, const struct cs_command *c, uint64_t *budget)
{
   struct hw_media_state_flush f;
   gen7_media_state_flush_unpack(&f, c->dw);
   m->vfe.preemption_disabled = f.disable_preemption;
   gpgpu_job_resume(m);
   enum cs_result r = gpgpu_job_run(m, budget, true);
   if (r != CS_DONE)
      return r;
   if (m->job.phase == GPGPU_WALKING) /* it was stopped before its end */
      m->job.phase = GPGPU_PREEMPTED;
   else if (m->objects.count) {
      gpgpu_objects_close(m, c);
      r = gpgpu_job_run(m, budget, false);
      if (r != CS_DONE)
         return r;
   }
   if (f.watermark_required)
      descriptor_fetch(m, c, f.interface_descriptor_offset, &m->watermark);
   r = ts_run(m, budget, f.watermark_required ? resources_free : ts_dispatched_all);
   if (r != CS_DONE)
      return r;
   m->vfe.state_flush_since_primitive = true;
   return CS_DONE;
}

static enum cs_result
execute(struct media *m, const struct cs_command *c, uint64_t *budget)
{
   switch (c->desc->id) {
   case GEN7_MEDIA_VFE_STATE_ID:
      return vfe_state(m, c);
   case GEN7_MEDIA_CURBE_LOAD_ID:
      return vfe_curbe_load(m, c);
   case GEN7_MEDIA_INTERFACE_DESCRIPTOR_LOAD_ID:
      return vfe_descriptor_load(m, c);
   case GEN7_MEDIA_OBJECT_ID:
      return media_object(m, c, budget);
   case GEN7_MEDIA_OBJECT_PRT_ID:
      return media_object_prt(m, c, budget, false);
   case GEN7_MEDIA_OBJECT_WALKER_ID:
      return media_object_walker(m, c, budget);
   case GEN7_GPGPU_WALKER_ID:
      return gpgpu_walker(m, c, budget);
   default:
      media_report(m, c, PERGOLA_ERROR, "MEDIA-286", "", "the command is not executed");
      return CS_DONE;
   }
}

/* State commands wait for the threads that were promised the old state: all that are not dispatched
 * yet; MEDIA-041: new handles need the old ones back. */
static enum cs_result
settle(struct media *m, const struct cs_command *c, uint64_t *budget)
{
   switch (c->desc->id) {
   case GEN7_MEDIA_VFE_STATE_ID:
      return ts_run(m, budget, ts_idle);
   case GEN7_MEDIA_CURBE_LOAD_ID:
   case GEN7_MEDIA_INTERFACE_DESCRIPTOR_LOAD_ID:
      return ts_run(m, budget, ts_dispatched_all);
   case GEN7_GPGPU_WALKER_ID:
   case GEN7_GPGPU_OBJECT_ID:
      return ts_run(m, budget, ts_idle);
   default:
      return CS_DONE;
   }
}

static bool
long_enough(struct media *m, const struct cs_command *c)
{
   if (c->count_dw >= c->desc->layout.length_dw)
      return true;
   /* MEDIA-392: one dword short, the length that the manual's own default gives. */
   const char *rule = c->desc->id == GEN7_MEDIA_OBJECT_WALKER_ID ? "MEDIA-392"
                      : c->desc->id == GEN7_GPGPU_OBJECT_ID      ? "MEDIA-422"
                      : c->desc->id == GEN7_GPGPU_WALKER_ID      ? "MEDIA-438"
                                                                 : c->desc->layout.ledger;
   media_report(m, c, PERGOLA_ERROR, rule, "DWord Length",
                "%u dword%s; the command needs %u and is not executed", c->count_dw,
                plural(c->count_dw), c->desc->layout.length_dw);
   return false;
}

enum cs_result
media_command(struct media *m, const struct cs_command *c, uint64_t *budget)
{
   /* MEDIA-475: parsed and checked, not executed. */
   if (reg_get(m->dev, REG_RCS_INSTPM) & REG_RCS_INSTPM__MEDIA_INSTRUCTION_DISABLE ||
       !long_enough(m, c))
      return CS_DONE;
   if (c->desc->id == GEN7_GPGPU_OBJECT_ID)
      return gpgpu_object(m, c, budget);
   if (c->desc->id == GEN7_GPGPU_WALKER_ID && cs_begun(c))
      return gpgpu_walker(m, c, budget);
   if (c->desc->id == GEN7_MEDIA_STATE_FLUSH_ID)
      return state_flush(m, c, budget);
   /* Media commands execute in order: what an earlier one started ends first. MEDIA-384: a fence at
    * the entry lets nothing in. */
   gpgpu_job_resume(m);
   enum cs_result r = gpgpu_finish(m, budget);
   if (r == CS_DONE)
      r = ts_run(m, budget, ts_entry_open);
   if (r == CS_DONE)
      r = settle(m, c, budget);
   return r == CS_DONE ? execute(m, c, budget) : r;
}
