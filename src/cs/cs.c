/* Life of a command streamer. */
#include "cs/cs_internal.h"

#include <stdlib.h>
#include <string.h>

struct cs *
cs_create(struct pergola_device *dev, enum engine_id id, const struct cs_pipes *pipes)
{
   struct cs *cs = calloc(1, sizeof(*cs));
   if (!cs)
      return NULL;
   cs->dev = dev;
   cs->pipes = pipes;
   cs->id = id;
   cs->name = engine_names[id];
   cs->base = engine_base[id];
   cs->engine_bit = 1u << id;
   cs->irq = &engine_interrupts[id];
   cs->dw = cs->dw_inline;
   cs->room = CS_INLINE_DW;
   if (!cs_ops_build(cs) || !cs_state_create(cs)) {
      cs_destroy(cs);
      return NULL;
   }
   cs_reset(cs);
   return cs;
}

void
cs_destroy(struct cs *cs)
{
   if (!cs)
      return;
   cs_state_destroy(cs);
   if (cs->dw != cs->dw_inline)
      free(cs->dw);
   free(cs->ops);
   free(cs);
}

/* VCS-323: ring disabled, nothing in hand. The registers have been reset by the register file. */
void
cs_reset(struct cs *cs)
{
   memset(cs->at, 0, sizeof(cs->at));
   cs->at[0].space = &cs->dev->ggtt;
   cs->level = 0;
   cs->next = cs->ring_start = cs->head_wrap = cs->tail = 0;
   cs->ring_size = 4096;
   cs->attention = cs->stopped = cs->arbitration_off = false; /* VCS-206: enabled at reset */
   cs->sync_flush_pending = cs->in_command = false;
   cs->hand = CS_FRESH;
   cs->wait = (struct cs_wait){0};
   cs->state = CS_IDLE;
   cs->op = NULL;
   cs->last_header = 0;
   cs->watchdog_on = false;
   cs->lri_display_offset = 0;
   cs->dimension_guarded = cs->guarded_walker_done = false;
   cs_state_reset(cs);
   cs_oa_reset(cs);
   cs_load(cs);
   cs_publish(cs);
}
