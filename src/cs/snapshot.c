/* A command streamer saved and loaded: see machine/snapshot.h. Where the ring stands is in the
 * registers; state commands are kept again one by one. */
#include "cs/cs_internal.h"
#include "machine/regs.h"

#include "machine/snapshot.h"

#include <stdlib.h>
#include <string.h>

#define MOST_DW 0x10004u /* of a command: what a length field can say */

static void
level(struct cs_level *l, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct cs_level, 24);
   SNAP(s, l->address);
   SNAP(s, l->start);
   snapshot_space(s, &l->space);
   SNAP(s, l->nonsecure);
   if (!snapshot_check(s, !(l->address & 3), "the address of a command"))
      l->address = 0;
}

static void
wait(struct cs_wait *w, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct cs_wait, 32);
   bool has_space = w->space != NULL;
   SNAP_BELOW(s, w->kind, WAIT_TAIL + 1);
   SNAP(s, w->offset);
   SNAP(s, w->data);
   SNAP(s, has_space);
   snapshot_space(s, &w->space);
   if (s->loading && !has_space)
      w->space = NULL;
   SNAP(s, w->update);
   SNAP(s, w->announced);
   bool reads = w->kind == WAIT_SEMAPHORE_MEMORY || w->update;
   bool good = (!reads || w->space) &&
               (w->kind != WAIT_SEMAPHORE_REGISTER ||
                (w->offset < MMIO_REGISTERS_SIZE && !(w->offset & 3))) &&
               (w->kind != WAIT_CONDITION || w->data < 32);
   if (!snapshot_check(s, good, "what an engine waits for") && s->loading)
      *w = (struct cs_wait){0};
}

/* The copy of the command that is executed again, or that a wait ends. */
static void
command(struct cs *cs, struct snapshot *s)
{
   SNAP_BELOW(s, cs->hand, CS_BEGUN + 1);
   SNAP_BELOW(s, cs->count, MOST_DW);
   uint32_t count = cs->hand ? cs->count : 0;
   if (s->loading && !cs_room_for(cs, count))
      snapshot_refuse(s, "out of memory");
   if (!s->refused)
      snapshot_bytes(s, cs->dw, (size_t)count * 4);
   if (!s->loading)
      return;
   cs->op = NULL;
   if (cs->hand && !s->refused)
      snapshot_check(s, count && cs_known_command(cs, cs->dw[0], count), "the command in hand");
   if (s->refused)
      cs->hand = CS_FRESH;
}

static void
keep_again(struct cs *cs, unsigned id, const uint32_t *dw, uint32_t count, struct snapshot *s)
{
   const struct hw_command *desc = hw_command_by_id(id);
   uint32_t part = cs_state_indexed(desc) ? 4 : count;
   snapshot_check(s, part == count || count == 16, "a state command");
   for (uint32_t at = 0; at < count && !s->refused; at += part)
      if ((part == count || dw[at]) && !cs_state_keep(cs, desc, dw + at, part))
         snapshot_refuse(s, "out of memory");
   snapshot_check(s, cs->slots[id].count == count, "a state command");
}

static void
state_command_of(struct cs *cs, unsigned id, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct cs_slot, 24);
   struct cs_slot *slot = &cs->slots[id];
   uint32_t count = slot->count, stamp = slot->stamp;
   SNAP_BELOW(s, count, MOST_DW);
   if (!count)
      return;
   SNAP(s, stamp);
   if (!s->loading) {
      snapshot_bytes(s, slot->dw, (size_t)count * 4);
      return;
   }
   uint32_t *dw = malloc((size_t)count * 4);
   if (!dw) {
      snapshot_refuse(s, "out of memory");
      return;
   }
   snapshot_bytes(s, dw, (size_t)count * 4);
   if (!s->refused)
      keep_again(cs, id, dw, count, s);
   slot->stamp = stamp;
   free(dw);
}

static void
pipeline_state(struct cs *cs, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct state_bases, 36);
   if (!cs->slots)
      return;
   if (s->loading)
      cs_state_reset(cs);
   for (unsigned i = 0; i < GEN7_COMMAND_COUNT; i++)
      state_command_of(cs, i, s);
   SNAP(s, cs->stamps);
   snapshot_bytes(s, &cs->bases, sizeof(cs->bases));
   SNAP_BELOW(s, cs->pipeline, PIPELINE_GPGPU + 1);
   SNAP(s, cs->media_state_cleared);
   SNAP(s, cs->indirect_state_dropped);
   SNAP(s, cs->dimension_guarded);
   SNAP(s, cs->guarded_walker_done);
}

void
cs_snapshot(struct cs *cs, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct cs, 21504); /* `order` is for rules alone, and begins anew */
   snapshot_room(s, "CS  ");
   SNAP_BELOW(s, cs->level, 3);
   for (unsigned i = 0; i < 3; i++)
      level(&cs->at[i], s);
   SNAP(s, cs->next);
   snapshot_check(s, !(cs->next & 3), "the address of a command");
   SNAP(s, cs->stopped);
   SNAP(s, cs->arbitration_off);
   SNAP(s, cs->sync_flush_pending);
   wait(&cs->wait, s);
   SNAP_BELOW(s, cs->state, CS_STOPPED + 1);
   SNAP(s, cs->time_ns);
   SNAP(s, cs->busy_ns);
   SNAP(s, cs->work_rest);
   SNAP(s, cs->mailbox_ns);
   SNAP(s, cs->commands);
   SNAP(s, cs->last_header);
   command(cs, s);
   SNAP(s, cs->watchdog_on);
   SNAP(s, cs->watchdog_count);
   SNAP(s, cs->watchdog_start_ns);
   SNAP(s, cs->lri_display_offset);
   pipeline_state(cs, s);
   if (s->loading) {
      cs->in_command = false;
      cs_load(cs);
   }
}
