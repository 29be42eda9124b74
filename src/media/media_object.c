/* MEDIA_OBJECT, MEDIA_OBJECT_PRT and MEDIA_OBJECT_WALKER: root threads from commands. */
#include "media/ts.h"

#include "rules/plural.h"

#include <string.h>

#define MAX_INLINE_DWORDS 504u /* MEDIA-362 */
#define MAX_INDIRECT_B 1984u   /* MEDIA-371: 496 dwords */
#define MAX_DATA_ROWS 112u     /* MEDIA-364: up to and including */

static bool
handle_free(const struct media *m)
{
   return !m->vfe.handle_count || !m->vfe.handle_busy[m->vfe.handle_head];
}

static bool
queue_and_handle(const struct media *m)
{
   return ts_root_room(m) && handle_free(m);
}

/* Room in the root queue and a handle; runs threads until there is. */
static enum cs_result
wait_for_room(struct media *m, const struct cs_command *c, uint64_t *budget)
{
   enum cs_result r = ts_run(m, budget, queue_and_handle);
   if (r != CS_DONE || handle_free(m))
      return r;
   /* MEDIA-366: no thread is left that could give it back. */
   media_report(m, c, PERGOLA_ERROR, "MEDIA-366", "Children Present",
                "every thread has ended, but URB handle %u was never dereferenced; all handles are "
                "taken back",
                m->vfe.handle[m->vfe.handle_head]);
   memset(m->vfe.handle_busy, 0, sizeof(m->vfe.handle_busy));
   return CS_DONE;
}

/* VFE writes the payload into the thread's entry (MEDIA-097: unmodified), as far as it goes. */
static void
give_handle(struct media *m, struct ts_request *r, const struct ts_payload *payload)
{
   r->handle_index = vfe_handle_take(m);
   r->handle = r->handle_index >= 0 ? m->vfe.handle[r->handle_index] : 0;
   if (r->handle_index < 0)
      return;
   unsigned rows = r->payload_rows;
   if (rows > m->vfe.state.urb_entry_allocation_size + 1)
      rows = m->vfe.state.urb_entry_allocation_size + 1;
   urb_write(m->dev->urb, (uint64_t)r->handle * URB_HANDLE_UNIT, payload->data,
             (size_t)rows * EU_REG_SIZE);
}

/* MEDIA-223: inline data first, in whole registers, the last one filled with zeros. */
static unsigned
put_inline(struct ts_payload *p, const uint32_t *dw, uint32_t count)
{
   unsigned rows = (count + 7) / 8;
   memset(p->data, 0, (size_t)rows * EU_REG_SIZE);
   memcpy(p->data, dw, (size_t)count * 4);
   return rows;
}

static void
check_entry_size(struct media *m, const struct cs_command *c, unsigned inline_rows,
                 unsigned indirect_rows)
{
   const struct hw_media_vfe_state *s = &m->vfe.state;
   unsigned entry = s->urb_entry_allocation_size + 1;
   if (inline_rows > entry)
      media_report(m, c, PERGOLA_ERROR, indirect_rows ? "MEDIA-304" : "MEDIA-302",
                   "URB Entry Allocation Size", "%u rows of inline data, entries of %u",
                   inline_rows, entry);
   if (indirect_rows && inline_rows + indirect_rows > entry * s->number_of_urb_entries)
      media_report(m, c, PERGOLA_ERROR, inline_rows ? "MEDIA-304" : "MEDIA-303",
                   "URB Entry Allocation Size", "%u row%s of data, %u in all entries",
                   inline_rows + indirect_rows, plural(inline_rows + indirect_rows),
                   entry * s->number_of_urb_entries);
}

/* MEDIA-361 and MEDIA-387: something must be sent. MEDIA-294: data needs an entry to lie in. */
static bool
payload_possible(struct media *m, const struct cs_command *c, unsigned descriptor, unsigned rows,
                 const char *rule)
{
   struct kernel_state k;
   descriptor_fetch(m, c, descriptor, &k);
   if (!descriptor_kernel_mapped(m, &m->ts->env, &k, c))
      return false;
   if (!rows && !k.d.constant_urb_entry_read_length)
      media_report(m, c, PERGOLA_ERROR, rule, "", "the thread gets no data and no constants");
   if (rows && !m->vfe.handle_count) {
      media_report(m, c, PERGOLA_ERROR, "MEDIA-294", "Number of URB Entries",
                   "there is no URB entry for the data of this command; it is not dispatched");
      return false;
   }
   return true;
}

static void
remember(struct media *m, const struct cs_command *c)
{
   m->ts->from = *c;
   m->ts->from.dw = NULL;
   if (!m->ts->resident) /* threads in flight keep the environment they began with */
      media_env(m, c, &m->ts->env);
}

static unsigned
half_slice_of(struct media *m, const struct cs_command *c, unsigned select)
{
   if (select <= m->dev->sku.half_slices)
      return select;
   media_report(m, c, PERGOLA_ERROR, "MEDIA-369", "Half Slice Destination Select",
                "%u is no half-slice of this part; hardware chooses", select);
   return 0;
}

static unsigned
put_indirect(struct media *m, const struct cs_command *c, uint32_t offset, uint32_t size,
             struct ts_payload *p, unsigned row)
{
   if (!size)
      return 0;
   if (size % 32 || size > MAX_INDIRECT_B)
      media_report(m, c, PERGOLA_ERROR, "MEDIA-371", "Indirect Data Length",
                   "%u byte%s; at most 496 dwords in steps of 32 bytes", size, plural(size));
   if (offset % 4 || offset >> 29)
      media_report(m, c, PERGOLA_ERROR, "MEDIA-372", "Indirect Data Start Address",
                   "%#x is not dword aligned or past 512 MB", offset);
   uint32_t most = (TS_PAYLOAD_ROWS - row) * EU_REG_SIZE;
   if (size > most)
      size = most;
   unsigned rows = (size + 31) / 32;
   memset(p->data + (size_t)row * EU_REG_SIZE, 0, (size_t)rows * EU_REG_SIZE);
   vfe_read_indirect(m, c, offset & ~3u, size, p->data + (size_t)row * EU_REG_SIZE);
   return rows;
}

enum cs_result
media_object(struct media *m, const struct cs_command *c, uint64_t *budget)
{
   struct hw_media_object o;
   gen7_media_object_unpack(&o, c->dw);
   if (!vfe_ready(m, c))
      return CS_DONE;
   enum cs_result result = wait_for_room(m, c, budget);
   if (result != CS_DONE)
      return result;
   uint32_t count = c->count_dw - GEN7_MEDIA_OBJECT_LENGTH;
   if (count > MAX_INLINE_DWORDS) {
      media_report(m, c, PERGOLA_ERROR, "MEDIA-362", "DWord Length",
                   "%u dwords of inline data; 504 are possible and delivered", count);
      count = MAX_INLINE_DWORDS;
   }
   struct ts_payload payload;
   unsigned inline_rows = put_inline(&payload, c->dw + GEN7_MEDIA_OBJECT_LENGTH, count);
   unsigned indirect_rows = put_indirect(m, c, o.indirect_data_start_address,
                                         o.indirect_data_length, &payload, inline_rows);
   if (inline_rows && indirect_rows && inline_rows + indirect_rows > MAX_DATA_ROWS)
      media_report(m, c, PERGOLA_ERROR, "MEDIA-363", "Indirect Data Length",
                   "%u registers of inline and indirect data; 112 are possible",
                   inline_rows + indirect_rows);
   remember(m, c);
   if (!payload_possible(m, c, o.interface_descriptor_offset, inline_rows + indirect_rows,
                         "MEDIA-361"))
      return CS_DONE;
   check_entry_size(m, c, inline_rows, indirect_rows);
   vfe_primitive_issued(m, c, false);
   struct ts_request r = {
       .kind = TS_ROOT,
       .descriptor = o.interface_descriptor_offset,
       .children = o.children_present,
       .synchronized = o.thread_synchronization,
       .use_scoreboard = o.use_scoreboard,
       .x = o.scoreboard_x,
       .y = o.scoreboard_y,
       .color = o.scoreboard_color,
       .mask = o.scoreboard_mask,
       .half_slice = half_slice_of(m, c, o.half_slice_destination_select),
       .command = c->address,
       .payload_rows = inline_rows + indirect_rows,
   };
   give_handle(m, &r, &payload);
   ts_enqueue(m, &r, &payload);
   return CS_DONE;
}

enum cs_result
media_object_prt(struct media *m, const struct cs_command *c, uint64_t *budget, bool restart)
{
   struct hw_media_object_prt o;
   gen7_media_object_prt_unpack(&o, c->dw);
   if (!vfe_ready(m, c))
      return CS_DONE;
   enum cs_result result = wait_for_room(m, c, budget);
   if (result != CS_DONE)
      return result;
   if (c->count_dw != GEN7_MEDIA_OBJECT_PRT_LENGTH)
      media_report(m, c, PERGOLA_ERROR, "MEDIA-380", "DWord Length",
                   "%u; the command has 16 dwords, so 14", c->count_dw - 2);
   /* MEDIA-194: the first primitive behind a flush, and the only one of its kind. */
   if (!restart && (m->vfe.media_since_flush || m->vfe.gpgpu_since_flush))
      media_report(m, c, PERGOLA_ERROR, "MEDIA-194", "",
                   "another primitive lies between the last flush and the persistent root thread");
   remember(m, c);
   struct ts_payload payload;
   unsigned rows = put_inline(&payload, c->dw + 4, PRT_INLINE_DWORDS);
   if (!payload_possible(m, c, o.interface_descriptor_offset, rows, "MEDIA-379"))
      return CS_DONE;
   check_entry_size(m, c, rows, 0);
   vfe_primitive_issued(m, c, false);
   struct ts_request r = {
       .kind = TS_PERSISTENT,
       .descriptor = o.interface_descriptor_offset,
       .children = o.children_present,
       .restart = restart,
       .fence = o.prt_fence_needed,
       .fence_at_entry = o.prt_fence_needed && o.prt_fence_type,
       .command = c->address,
       .payload_rows = rows,
   };
   /* MEDIA-191: from here on it is this one that a restored context starts again. */
   memcpy(m->ts->prt_dw, c->dw, sizeof(m->ts->prt_dw));
   m->ts->prt_seen = true;
   give_handle(m, &r, &payload);
   ts_enqueue(m, &r, &payload);
   /* The fence stands once the thread has been dispatched. */
   return ts_run(m, budget, ts_dispatched_all) == CS_ERROR ? CS_ERROR : CS_DONE;
}

bool
media_walk_feed(struct media *m)
{
   struct ts *ts = m->ts;
   struct walk_point p;
   if (!handle_free(m))
      return false;
   if (!walk_next(&ts->walk, &p)) {
      ts->walking = false;
      return true;
   }
   struct ts_request r = ts->model;
   r.x = (unsigned)p.x & 511;
   r.y = (unsigned)p.y & 511;
   r.color = p.color;
   /* MEDIA-140: in dual mode the halves of a walk go to different half-slices. */
   if (ts->walk.p.dual && m->dev->sku.half_slices > 1)
      r.half_slice = p.second_half ? 2 : 1;
   give_handle(m, &r, &ts->model_payload);
   ts_enqueue(m, &r, &ts->model_payload);
   return true;
}

static void
check_walker(struct media *m, const struct cs_command *c, const struct hw_media_object_walker *w,
             const struct walk_parameters *p)
{
   /* MEDIA-082: the text forbids it three times; the fields are ignored. */
   if (w->indirect_data_length)
      media_report(m, c, PERGOLA_ERROR, "MEDIA-082", "Indirect Data Length",
                   "this command has no indirect data; the field is ignored");
   if (w->dual_mode && w->repel)
      media_report(m, c, PERGOLA_ERROR, "MEDIA-401", "Repel", "must not be set with Dual Mode");
   if (w->dual_mode && m->dev->sku.half_slices < 2)
      media_report(m, c, PERGOLA_WARNING, "MEDIA-400", "Dual Mode",
                   "this part has only one half-slice");
   struct walk_vector end = walk_first_end(p);
   if (end.x != (int)w->local_end_x || end.y != (int)w->local_end_y)
      media_report(m, c, PERGOLA_NOTE, "MEDIA-158", "Local End",
                   "(%u, %u); the first inner walk ends at (%d, %d)", w->local_end_x,
                   w->local_end_y, end.x, end.y);
}

static bool
walk_fed(const struct media *m)
{
   return !m->ts->walking;
}

enum cs_result
media_object_walker(struct media *m, const struct cs_command *c, uint64_t *budget)
{
   struct ts *ts = m->ts;
   if (cs_begun(c))
      return ts_run(m, budget, walk_fed);
   struct hw_media_object_walker o;
   gen7_media_object_walker_unpack(&o, c->dw);
   if (!vfe_ready(m, c))
      return CS_DONE;
   enum cs_result result = wait_for_room(m, c, budget);
   if (result != CS_DONE)
      return result;
   uint32_t count = c->count_dw - GEN7_MEDIA_OBJECT_WALKER_LENGTH;
   if (count > MAX_INLINE_DWORDS) {
      media_report(m, c, PERGOLA_ERROR, "MEDIA-391", "DWord Length",
                   "%u dwords of inline data; 504 are possible and delivered", count);
      count = MAX_INLINE_DWORDS;
   }
   struct walk_parameters p;
   walk_parameters_of(&p, &o);
   check_walker(m, c, &o, &p);
   unsigned rows = put_inline(&ts->model_payload, c->dw + GEN7_MEDIA_OBJECT_WALKER_LENGTH, count);
   remember(m, c);
   if (!payload_possible(m, c, o.interface_descriptor_offset, rows, "MEDIA-387"))
      return CS_DONE;
   check_entry_size(m, c, rows, 0);
   vfe_primitive_issued(m, c, false);
   ts->model = (struct ts_request){
       .kind = TS_ROOT,
       .descriptor = o.interface_descriptor_offset,
       .children = o.children_present,
       .synchronized = o.thread_synchronization,
       .use_scoreboard = o.use_scoreboard,
       .mask = o.scoreboard_mask,
       .command = c->address,
       .payload_rows = rows,
   };
   walk_begin(&ts->walk, &p);
   ts->walking = true;
   cs_begin(c);
   return ts_run(m, budget, walk_fed);
}
