/* Ice Lake's performance counters saved and loaded: see machine/snapshot.h. */
#include "machine/snapshot.h"
#include "oa/gen11.h"

static void
power_snapshot(struct oa11_power *p, struct snapshot *s)
{
   SNAP_ARRAY(s, p->a);
   SNAP_ARRAY(s, p->free);
   SNAP_ARRAY(s, p->b);
   SNAP_ARRAY(s, p->c);
   SNAP_ARRAY(s, p->ctl);
   SNAP(s, p->ticks);
}

static void
trigger_snapshot(struct oa_trigger *t, struct snapshot *s)
{
   SNAP_ARRAY(s, t->reg);
   SNAP(s, t->count);
   SNAP(s, t->last);
   SNAP(s, t->fired);
   SNAP(s, t->was);
}

static void
custom_snapshot(struct oa_custom *c, struct snapshot *s)
{
   SNAP_ARRAY(s, c->cec);
   SNAP(s, c->last);
}

void
oa11_snapshot(struct oa11 *o, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct oa11, 1480);
   power_snapshot(&o->live, s);
   power_snapshot(&o->saved, s);
   uint32_t *const numbers[] = {&o->ctx_control,  &o->ctx_id, &o->control, &o->debug,
                                &o->status,       &o->head,   &o->tail,    &o->buffer,
                                &o->buffer_upper, &o->imr,    &o->context};
   for (unsigned i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
      SNAP(s, *numbers[i]);
   for (unsigned i = 0; i < 2; i++) {
      trigger_snapshot(&o->start[i], s);
      trigger_snapshot(&o->report[i], s);
   }
   for (unsigned i = 0; i < OA11_B; i++)
      custom_snapshot(&o->custom[i], s);
   o->cycle = 0; /* is found again */
   SNAP(s, o->booleans);
   SNAP(s, o->signals);
   for (unsigned i = 0; i < OA_EUS; i++)
      SNAP_BELOW(s, o->loaded[i], 8);
   SNAP(s, o->context_valid);
   SNAP(s, o->slice_ratio);
   SNAP(s, o->unslice_ratio);
   SNAP(s, o->timestamp);
   SNAP(s, o->clock);
   SNAP(s, o->report_done);
   SNAP_BETWEEN(s, o->unread, 0, (int64_t)oa11_buffer_size(o));
   SNAP(s, o->half_full);
   SNAP_ARRAY(s, o->noa);
}
