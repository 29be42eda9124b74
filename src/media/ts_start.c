/* A media thread from its request: slot, identity, R0, constants and data. */
#include "media/start.h"
#include "eu/observe.h"
#include "media/ts.h"
#include "sanitize/sanitize.h"

#include <string.h>

static unsigned
slots_per_half_slice(const struct media *m)
{
   return m->dev->sku.eus_per_half_slice * m->dev->sku.threads_per_eu;
}

/* MEDIA-369: a half-slice that was asked for, or the one with less load. */
int
ts_free_slot(const struct media *m, unsigned half_slice)
{
   const struct ts *ts = m->ts;
   unsigned per = slots_per_half_slice(m), count = m->dev->sku.half_slices;
   int first[EU_HALF_SLICES] = {-1, -1};
   unsigned busy[EU_HALF_SLICES] = {0};
   for (unsigned i = 0; i < per * count && i < TS_MAX_THREADS; i++) {
      unsigned h = i / per;
      if (ts->thread[i].state != TS_FREE)
         busy[h]++;
      else if (first[h] < 0)
         first[h] = (int)i;
   }
   /* MEDIA-465: FF_MODE overrides the choice. */
   uint32_t ff_mode = reg_get(m->dev, REG_FF_MODE);
   unsigned wanted = hw_get(ff_mode, REG_FF_MODE__TS_THREAD_DISPATCH_MODE);
   if (ff_mode & REG_FF_MODE__TS_THREAD_DISPATCH_OVERRIDE_ENABLE && wanted)
      half_slice = wanted;
   if (half_slice >= 1 && half_slice <= count)
      return first[half_slice - 1];
   if (count > 1 && first[1] >= 0 && (first[0] < 0 || busy[1] < busy[0]))
      return first[1];
   return first[0];
}

bool
ts_place_of(const struct media *m, unsigned slot, struct thread_place *place)
{
   unsigned per = slots_per_half_slice(m), eus = m->dev->sku.eus_per_half_slice, local = slot % per;
   place->half_slice = slot / per;
   place->eu = local % eus;
   place->slot = local / eus;
   return slot < per * m->dev->sku.half_slices;
}

/* MEDIA-211: the lowest free number. */
static unsigned
take_fftid(struct ts *ts)
{
   for (unsigned i = 0; i < 256; i++)
      if (!(ts->fftid_used[i / 64] >> i % 64 & 1)) {
         ts->fftid_used[i / 64] |= UINT64_C(1) << i % 64;
         return i;
      }
   return 0;
}

#define ROOT(field) GEN7_R0_GENERIC_ROOT__##field

/* MEDIA-224, and for persistent roots MEDIA-241. */
static void
root_header(struct media *m, uint32_t *r0, const struct ts_request *r, const struct kernel_state *k,
            unsigned fftid)
{
   bool prt = r->kind == TS_PERSISTENT;
   r0[0] = (prt ? 0 : hw_put(r->mask, ROOT(SCOREBOARD_MASK))) | r->handle;
   r0[1] = prt ? 0 : hw_put(r->y, ROOT(SCOREBOARD_Y)) | hw_put(r->x, ROOT(SCOREBOARD_X));
   r0[2] = hw_put(k->index, ROOT(INTERFACE_DESCRIPTOR_OFFSET)) |
           (prt ? hw_put(r->restart, GEN7_R0_PERSISTENT_ROOT__THREAD_RESTART_ENABLE)
                : hw_put(r->color, ROOT(SCOREBOARD_COLOR)));
   r0[3] = k->d.sampler_state_pointer | m->vfe.state.per_thread_scratch_space;
   r0[4] = k->d.binding_table_pointer;
   r0[5] = scratch_pointer(m, fftid) | fftid;
   r0[6] = 0;
   r0[7] = 0;
}

struct loader {
   struct media *m;
   struct eu_thread *t;
   unsigned next; /* register */
   bool overflow;
};

static unsigned
room(struct loader *l, unsigned rows)
{
   unsigned left = EU_GRF_COUNT - l->next;
   if (rows > left) {
      l->overflow = true;
      rows = left;
   }
   return rows;
}

static void
load_urb(struct loader *l, uint64_t row, unsigned rows)
{
   rows = room(l, rows);
   urb_read(l->m->dev->urb, row * URB_ROW_SIZE, eu_grf(l->t, l->next), (size_t)rows * EU_REG_SIZE);
   l->next += rows;
}

static void
load_constants(struct loader *l, const struct kernel_state *k)
{
   if (k->d.constant_urb_entry_read_length) /* MEDIA-338: 0 loads nothing */
      load_urb(l, (uint64_t)VFE_DESCRIPTOR_ROWS + k->d.constant_urb_entry_read_offset,
               k->d.constant_urb_entry_read_length);
}

/* MEDIA-220, MEDIA-221 and MEDIA-222: header, constants, data of the spawner, data of VFE. */
static void
load_payload(struct loader *l, const struct ts_request *r, const struct kernel_state *k,
             const struct ts_payload *payload, unsigned fftid)
{
   uint64_t spawn_row = (uint64_t)r->spawn_handle * 2 + r->spawn_offset;
   unsigned spawn_rows = r->spawned ? r->spawn_length : 0;
   if (r->kind == TS_CHILD) {
      load_urb(l, spawn_row++, 1); /* MEDIA-282: R0 comes along even with length 0 */
      spawn_rows = spawn_rows ? spawn_rows - 1 : 0;
   } else {
      root_header(l->m, eu_grf(l->t, 0), r, k, fftid);
      l->next = 1;
   }
   load_constants(l, k);
   if (spawn_rows)
      load_urb(l, spawn_row, spawn_rows);
   unsigned rows = room(l, r->payload_rows);
   if (rows)
      memcpy(eu_grf(l->t, l->next), payload->data, (size_t)rows * EU_REG_SIZE);
   l->next += rows;
}

/* MEDIA-311: the places that the thread waits for; who has left one has ended before. */
static void
tell_sanitizer(struct media *m, const struct ts_request *r, struct ts_thread *th)
{
   uint32_t after[SANITIZE_MAX_AFTER];
   if (r->kind == TS_CHILD || r->children)
      sanitize_talks(m->dev->sanitizer, th->t);
   if (!th->marks)
      return;
   unsigned count = scoreboard_places(m, r, after);
   uint32_t place = scoreboard_place(r->x, r->y, r->color);
   sanitize_scoreboard(m->dev->sanitizer, th->t, place, after, count);
}

void
ts_dispatch(struct media *m, const struct ts_request *r, const struct ts_payload *payload, int slot)
{
   struct ts *ts = m->ts;
   struct ts_thread *th = &ts->thread[slot];
   struct kernel_state k;
   descriptor_fetch(m, &ts->from, r->descriptor, &k);
   memset(th, 0, sizeof(*th));
   th->request = *r;
   th->t = &ts->storage[slot];
   th->has_fftid = r->kind != TS_CHILD;
   ts_place_of(m, (unsigned)slot, &th->place);
   th->place.fftid = th->has_fftid ? take_fftid(ts) : 0;
   thread_prepare(m, th->t, &ts->env, &k);
   thread_start(m, th->t, ~0u, &th->place); /* MEDIA-213 */
   th->t->ts = th;
   th->t->id = ts->next_id++;
   struct loader l = {.m = m, .t = th->t};
   load_payload(&l, r, &k, payload, th->place.fftid);
   if (r->kind == TS_CHILD) { /* MEDIA-334, MEDIA-336: the descriptor's pointers are not for them */
      const uint32_t *r0 = eu_grf(th->t, 0);
      th->t->sampler_states = r0[ROOT(SAMPLER_STATE_POINTER_DW)] & ROOT(SAMPLER_STATE_POINTER);
      th->t->binding_table = r0[ROOT(BINDING_TABLE_POINTER_DW)] & ROOT(BINDING_TABLE_POINTER);
   }
   if (l.overflow)
      media_report(m, &ts->from, PERGOLA_ERROR, "MEDIA-363", "payload",
                   "header, constants and data of a thread do not fit 128 registers");
   eu_thread_mark(th->t, 0, l.next);
   scoreboard_fill_tdr(m, r, th->t->tdr);
   th->marks = m->vfe.state.scoreboard_enable && r->use_scoreboard && r->kind == TS_ROOT;
   if (m->dev->sanitizer)
      tell_sanitizer(m, r, th);
   th->state = TS_RUNNING;
   ts->resident++;
   ts->dispatched++;
   if (ts->resident > ts->peak)
      ts->peak = ts->resident;
   if (r->kind != TS_CHILD)
      ts->roots++;
   /* MEDIA-167 and MEDIA-168: without children the handle is free as soon as the thread has
    * started. */
   th->holds_handle = r->kind != TS_CHILD && r->children && r->handle_index >= 0;
   if (r->kind != TS_CHILD && !r->children && r->handle_index >= 0)
      vfe_handle_release(m, (unsigned)r->handle_index);
   if (r->fence) { /* MEDIA-383 */
      ts->fence = true;
      ts->fence_at_entry = r->fence_at_entry;
   }
   eu_announce_begin(th->t, "TS");
}
