/* The parser: header to operation, fetch, check, execute. */
#include "cs/cs_internal.h"

#include "rules/plural.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The table of what each command does. `rule` is the row that defines it on the video (and blitter)
 * engine; the layout carries the render one. */
struct handler {
   uint16_t id;
   uint8_t flags;
   cs_handler run;
   const char *video_rule;
};

static const struct handler handlers[] = {
    {GEN7_MI_NOOP_ID, 0, mi_noop, "VCS-247"},
    {GEN7_MI_USER_INTERRUPT_ID, 0, mi_user_interrupt, "VCS-279"},
    {GEN7_MI_WAIT_FOR_EVENT_ID, OP_PRIVILEGED, mi_wait_for_event, "VCS-287"},
    {GEN7_MI_FLUSH_ID, 0, mi_flush, NULL},
    {GEN7_MI_ARB_CHECK_ID, OP_PRIVILEGED, mi_arb_check, "VCS-199"},
    {GEN7_MI_REPORT_HEAD_ID, OP_RING_ONLY, mi_report_head, "VCS-326"},
    {GEN7_MI_ARB_ON_OFF_ID, OP_PRIVILEGED, mi_arb_on_off, "VCS-203"},
    {GEN7_MI_BATCH_BUFFER_END_ID, 0, mi_batch_buffer_end, "VCS-207"},
    {GEN7_MI_SUSPEND_FLUSH_ID, 0, mi_suspend_flush, "VCS-276"},
    {GEN7_MI_PREDICATE_ID, 0, mi_predicate, NULL},
    {GEN7_MI_TOPOLOGY_FILTER_ID, 0, mi_topology_filter, NULL},
    {GEN7_MI_LOAD_SCAN_LINES_INCL_ID, OP_PRIVILEGED, mi_display, "CS-020"},
    {GEN7_MI_LOAD_SCAN_LINES_EXCL_ID, OP_PRIVILEGED, mi_display, "CS-020"},
    {GEN7_MI_DISPLAY_FLIP_ID, OP_PRIVILEGED, mi_display, "RCS-223"},
    {GEN7_MI_SEMAPHORE_MBOX_ID, 0, mi_semaphore_mbox, "VCS-249"},
    {GEN7_MI_SET_CONTEXT_ID, OP_RING_ONLY, mi_set_context, NULL},
    {GEN7_MI_URB_CLEAR_ID, 0, mi_urb_clear, NULL},
    {GEN7_MI_STORE_DATA_IMM_ID, 0, mi_store_data_imm, "VCS-266"},
    {GEN7_MI_STORE_DATA_INDEX_ID, 0, mi_store_data_index, "VCS-271"},
    {GEN7_MI_LOAD_REGISTER_IMM_ID, 0, mi_load_register_imm, "VCS-243"},
    {GEN7_MI_UPDATE_GTT_ID, OP_PRIVILEGED, mi_update_gtt, "VCS-281"},
    {GEN7_MI_STORE_REGISTER_MEM_ID, OP_PRIVILEGED, mi_store_register_mem, "VCS-260"},
    {GEN7_MI_FLUSH_DW_ID, OP_SHORT_OK, mi_flush_dw, "VCS-225"},
    {GEN7_MI_CLFLUSH_ID, 0, mi_clflush, NULL},
    {GEN7_MI_REPORT_PERF_COUNT_ID, 0, mi_report_perf_count, NULL},
    {GEN7_MI_LOAD_REGISTER_MEM_ID, OP_PRIVILEGED, mi_load_register_mem, "VCS-292"},
    {GEN7_MI_BATCH_BUFFER_START_ID, 0, mi_batch_buffer_start, "VCS-215"},
    {GEN7_MI_CONDITIONAL_BATCH_BUFFER_END_ID, OP_SHORT_OK, mi_conditional_batch_buffer_end,
     "VCS-210"},
    {GEN7_PIPE_CONTROL_ID, OP_SHORT_OK, pipe_control, NULL},
    {GEN7_PIPELINE_SELECT_ID, OP_STATE, pipeline_select, NULL},
    {GEN7_STATE_BASE_ADDRESS_ID, OP_STATE, state_base_address, NULL},
    {GEN7_STATE_PREFETCH_ID, 0, state_prefetch, NULL},
};

/* Commands without an entry above, by client and opcode. */
static struct handler
default_handler(const struct hw_command *c, enum engine_id id)
{
   struct handler h = {.id = c->id};
   if (c->client == HW_CLIENT_2D)
      h.run = blitter_forward;
   else if (id == VCS)
      h.run = mfx_command;
   else if (hw_is_media(c->header))
      h.run = media_forward;
   else if (c->id == GEN7_3DPRIMITIVE_ID)
      h.run = primitive_command;
   else if (c->client == HW_CLIENT_GFX) {
      h.run = state_command;
      h.flags = OP_STATE;
   }
   return h;
}

static struct handler
find_handler(const struct hw_command *c, enum engine_id id)
{
   for (size_t i = 0; i < sizeof(handlers) / sizeof(handlers[0]); i++)
      if (handlers[i].id == c->id)
         return handlers[i];
   return default_handler(c, id);
}

#define WAIT_BITS (~HW_MI_HEADER) /* below the opcode */
#define WAIT_CONDITION GEN7_MI_WAIT_FOR_EVENT__CONDITION_CODE_WAIT_SELECT
#define CLEAR_COMMAND_BUFFER GEN7_MI_BATCH_BUFFER_START__CLEAR_COMMAND_BUFFER_ENABLE

/* Bits of the first dword that an engine reserves although another one gives them a meaning. */
static const struct {
   uint16_t id;
   uint8_t engines;
   uint32_t bits;
   const char *rule;
} narrowed[] = {
    {GEN7_MI_WAIT_FOR_EVENT_ID, HW_VCS, WAIT_BITS & ~WAIT_CONDITION, "VCS-287"},
    {GEN7_MI_STORE_DATA_IMM_ID, HW_VCS, 3u << 8, "VCS-266"}, /* of the length */
    {GEN7_MI_UPDATE_GTT_ID, HW_VCS, 3u << 6, "VCS-281"},     /* of the length */
    {GEN7_MI_BATCH_BUFFER_START_ID, HW_VCS, CLEAR_COMMAND_BUFFER, "VCS-215"},
    {GEN7_MI_BATCH_BUFFER_START_ID, HW_BCS, CLEAR_COMMAND_BUFFER, "CS-013"},
    {GEN7_MI_FLUSH_DW_ID, HW_BCS, GEN7_MI_FLUSH_DW__VIDEO_PIPELINE_CACHE_INVALIDATE, "CS-013"},
};

static void
narrow(struct cs_op *op, unsigned engine_bit)
{
   for (size_t i = 0; i < sizeof(narrowed) / sizeof(narrowed[0]); i++) {
      if (narrowed[i].id != op->desc->id || !(narrowed[i].engines & engine_bit))
         continue;
      op->narrow = narrowed[i].bits;
      op->narrow_rule = narrowed[i].rule;
   }
}

static void
fill_op(struct cs_op *op, const struct hw_command *c, enum engine_id id)
{
   struct handler h = find_handler(c, id);
   op->run = h.run;
   op->desc = c;
   op->flags = h.flags;
   op->rule = id != RCS && h.video_rule ? h.video_rule : c->layout.ledger;
   if (!op->rule[0])
      op->rule = "RCS-157";
   op->least = c->layout.length_dw;
   op->most = c->layout.variable ? UINT16_MAX : c->layout.length_dw;
   if (c->length_bits) {
      op->length_mask = (uint16_t)((1u << c->length_bits) - 1);
      op->bias = c->bias;
   } else {
      op->bias = (uint8_t)c->layout.length_dw;
   }
   narrow(op, 1u << id);
}

static void
enter_op(struct cs *cs, const struct hw_command *c, uint16_t index)
{
   switch (c->client) {
   case HW_CLIENT_MI:
      cs->mi[hw_get(c->header, GEN7_MI_HEADER__OPCODE)] = index;
      break;
   case HW_CLIENT_2D:
      cs->two_d[hw_get(c->header, GEN7_2D_HEADER__OPCODE)] = index;
      break;
   default:
      cs->gfx[hw_get(c->header, HW_GFX_OPCODE)] = index;
   }
}

bool
cs_ops_build(struct cs *cs)
{
   cs->ops = calloc(hw_command_count + 1, sizeof(cs->ops[0]));
   if (!cs->ops)
      return false;
   uint16_t used = 1;
   for (size_t i = 0; i < hw_command_count; i++) {
      const struct hw_command *c = &hw_commands[i];
      if (!(c->engines & cs->engine_bit) || !(c->devices & cs->dev->hw_device))
         continue;
      if (c->id == GEN7_MI_UPDATE_GTT_ID && cs->id == VCS && cs->dev->hw_device == HW_VLV)
         continue; /* VCS-197: not on Valleyview */
      fill_op(&cs->ops[used], c, cs->id);
      if (cs->ops[used].run)
         enter_op(cs, c, used++);
   }
   return true;
}

static inline const struct cs_op *
find_op(const struct cs *cs, uint32_t header)
{
   switch (hw_client(header)) {
   case HW_CLIENT_MI:
      return &cs->ops[cs->mi[hw_get(header, GEN7_MI_HEADER__OPCODE)]];
   case HW_CLIENT_2D:
      return &cs->ops[cs->two_d[hw_get(header, GEN7_2D_HEADER__OPCODE)]];
   case HW_CLIENT_GFX:
      return &cs->ops[cs->gfx[hw_get(header, HW_GFX_OPCODE)]];
   default:
      return &cs->ops[0];
   }
}

/* ---- fetch ---- */

bool
cs_room_for(struct cs *cs, uint32_t count)
{
   if (count <= cs->room)
      return true;
   uint32_t *bigger = malloc((size_t)count * 4);
   if (!bigger)
      return false;
   if (cs->dw != cs->dw_inline)
      free(cs->dw);
   cs->dw = bigger;
   cs->room = count;
   return true;
}

/* RCS-160, VCS-066: up to the tail, not including it. */
static uint32_t
ring_available(const struct cs *cs)
{
   uint32_t head = cs->at[0].address - cs->ring_start;
   uint32_t bytes = cs->tail >= head ? cs->tail - head : cs->ring_size - head + cs->tail;
   return bytes / 4;
}

/* VCS-074: a command may wrap around the end of the ring. */
static bool
fetch_ring(struct cs *cs, uint32_t count)
{
   uint32_t head = cs->at[0].address - cs->ring_start;
   uint32_t first = (cs->ring_size - head) / 4;
   if (first > count)
      first = count;
   bool ok = mem_read(cs->at[0].space, cs->at[0].address, cs->dw, (size_t)first * 4);
   if (count > first) {
      cs_report(cs, PERGOLA_WARNING, "VCS-319", NULL,
                "the command wraps around the end of the ring; only whole commands may precede it");
      ok &= mem_read(cs->at[0].space, cs->ring_start, cs->dw + first, (size_t)(count - first) * 4);
   }
   return ok;
}

static __attribute__((noinline)) bool
fetch_slow(struct cs *cs, uint32_t count)
{
   if (!cs_room_for(cs, count))
      return false;
   if (cs->level == 0)
      return fetch_ring(cs, count);
   return mem_read(cs->at[cs->level].space, cs->at[cs->level].address, cs->dw, (size_t)count * 4);
}

/* VCS-305: a fetch through an invalid entry cannot be repaired; the engine needs a reset. */
static bool
fetch_fault(struct cs *cs)
{
   const struct cs_level *at = &cs->at[cs->level];
   if (cs->level && at->address > at->start)
      cs_report(cs, PERGOLA_FATAL, "VCS-305", NULL,
                "commands cannot be fetched: the batch at 0x%08x has run past its end, for 0x%x "
                "bytes with no MI_BATCH_BUFFER_END, to where the address does not translate",
                at->start, at->address - at->start);
   else
      cs_report(cs, PERGOLA_FATAL, "VCS-305", NULL,
                "commands cannot be fetched: the address does not translate");
   cs_stop(cs);
   return false;
}

bool
cs_known_command(struct cs *cs, uint32_t header, uint32_t count)
{
   const struct cs_op *op = find_op(cs, header);
   if (!op->run || count != (header & op->length_mask) + op->bias)
      return false;
   if (count < op->least && !(op->flags & OP_SHORT_OK))
      return false;
   cs->op = op;
   return true;
}

/* ---- unknown commands ---- */

#define LOOKED_BACK 64u

/* Words for the reader of an unknown command: zeros before it are what lies behind most batches
 * that have no end. */
static const char *
past_end(struct cs *cs, char text[160])
{
   const struct cs_level *at = &cs->at[cs->level];
   uint32_t dw = 0, zeros = 0;
   text[0] = 0;
   while (cs->level && zeros < LOOKED_BACK && at->address - at->start >= 4 * (zeros + 1) &&
          mem_probe(at->space, at->address - 4 * (zeros + 1), 4, MEM_READ) &&
          mem_read(at->space, at->address - 4 * (zeros + 1), &dw, 4) && !dw)
      zeros++;
   if (zeros >= 4)
      snprintf(text, 160,
               "; %s%u zeros are before it: the batch at 0x%08x has probably run past its end, for "
               "0x%x bytes with no MI_BATCH_BUFFER_END",
               zeros == LOOKED_BACK ? "at least " : "", zeros, at->start, at->address - at->start);
   return text;
}

/* What a header that is no command of this engine does: VCS-128 and VCS-129 (an instruction error
 * stops the parser at the command), CS-010 on the blitter, RCS-157 for graphics opcodes. */
static bool
unknown_command(struct cs *cs, uint32_t header, uint32_t *length)
{
   enum hw_client client = hw_client(header);
   cs->op = NULL;
   *length = hw_default_length(header, cs->dev->hw_device);
   bool bad_client = !(client == HW_CLIENT_MI || (client == HW_CLIENT_2D && cs->id == BCS) ||
                       (client == HW_CLIENT_GFX && cs->id != BCS));
   const char *rule = cs->id == VCS ? "VCS-129" : cs->id == BCS ? "CS-010" : "RCS-158";
   char end[160];
   past_end(cs, end);
   if (bad_client) {
      cs_report(cs, PERGOLA_FATAL, cs->id == RCS ? "RCS-157" : rule, NULL,
                "header 0x%08x: client %u is not one of this engine%s", header, client, end);
   } else if (client == HW_CLIENT_MI && cs->id != BCS) {
      cs_report(cs, PERGOLA_FATAL, rule, NULL,
                "header 0x%08x: MI opcode 0x%02x is not one of this engine%s", header,
                hw_get(header, GEN7_MI_HEADER__OPCODE), end);
   } else {
      cs_report(cs, PERGOLA_ERROR, client == HW_CLIENT_GFX ? "RCS-159" : rule, NULL,
                "header 0x%08x is no known command; %u dword%s %s skipped%s", header, *length,
                plural(*length), are(*length), end);
      return true;
   }
   cs_error(cs, 1); /* RCS-191: instruction error */
   cs_stop(cs);
   return false;
}

/* ---- execution ---- */

void
cs_advance(struct cs *cs)
{
   struct cs_level *at = &cs->at[cs->level];
   if (cs->level) {
      at->address = cs->next;
      return;
   }
   uint32_t from = at->address - cs->ring_start, to = cs->next - cs->ring_start;
   if (to >= cs->ring_size) {
      to %= cs->ring_size; /* it may have become shorter */
      /* VCS-070: eleven bits that wrap themselves */
      cs->head_wrap += hw_put(1, REG_RCS_RING_BUFFER_HEAD__WRAP_COUNT);
      at->address = cs->ring_start + to;
      cs_ring_moved(cs, from, to + cs->ring_size);
      return;
   }
   at->address = cs->next;
   cs_ring_moved(cs, from, to);
}

static void
announce(struct cs *cs, const struct cs_op *op, uint32_t count)
{
   struct pergola_event e = {
       .kind = PERGOLA_EVENT_COMMAND,
       .engine = cs->name,
       .time_ns = cs->time_ns,
       .a = cs->at[cs->level].address,
       .text = op->desc->layout.name,
       .dwords = cs->dw,
       .count = count,
   };
   trace_emit(&cs->dev->trace, &e);
}

/* VCS-198: a length shorter than the layout is an instruction error on the video engine; elsewhere
 * the command is skipped by the length that it gives. */
static bool
length_allows(struct cs *cs, const struct cs_op *op, uint32_t count)
{
   if (count >= op->least && count <= op->most)
      return true;
   if (count > op->most) {
      cs_report(cs, PERGOLA_WARNING, op->rule, "DWord Length",
                "%u dwords where the command has %u; the rest is ignored", count, op->most);
      return true;
   }
   if (op->flags & OP_SHORT_OK)
      return true;
   cs_report(cs, cs->id == VCS ? PERGOLA_FATAL : PERGOLA_ERROR,
             cs->id == VCS ? "VCS-198" : op->rule, "DWord Length",
             "%u dword%s where the command has %u", count, plural(count), op->least);
   if (cs->id == VCS) {
      cs_error(cs, 1);
      cs_stop(cs);
   }
   return false;
}

/* RCS-224, VCS-297: privileged commands are no-ops in a non-secure batch. */
static bool
place_allows(struct cs *cs, const struct cs_op *op)
{
   if (op->flags & OP_RING_ONLY && cs->level) {
      cs_report(cs, PERGOLA_ERROR, op->rule, NULL, "not allowed in a batch buffer; ignored");
      return false;
   }
   if (op->flags & OP_PRIVILEGED && cs_nonsecure(cs)) {
      cs_report(cs, PERGOLA_WARNING, cs->id == VCS ? "VCS-297" : "RCS-224", NULL,
                "privileged command in a non-secure batch: becomes a no-op");
      return false;
   }
   return true;
}

static bool
finish(struct cs *cs, enum cs_result result)
{
   switch (result) {
   case CS_DONE:
      cs->hand = CS_FRESH;
      cs_advance(cs);
      return true;
   case CS_AGAIN:
      if (cs->hand == CS_FRESH)
         cs->hand = CS_HELD;
      if (cs->wait.kind != WAIT_NONE) {
         cs->hand = CS_FRESH; /* the wait knows how to go on */
         cs->attention = true;
         return true;
      }
      cs->state = CS_RUNNING;
      return false;
   default:
      cs_stop(cs);
      return false;
   }
}

static void
spend(struct cs *cs)
{
   cs_pass(cs, 10);
   if (__builtin_expect(cs->watchdog_on, 0))
      cs_watchdog_tick(cs);
}

static bool
again(struct cs *cs, uint64_t *budget)
{
   return finish(cs, cs->op->run(cs, cs->op, cs->dw, cs->count, budget));
}

static __attribute__((noinline)) bool
partial_command(struct cs *cs, uint32_t count, uint32_t available)
{
   if (!cs->wait.announced)
      cs_report(cs, PERGOLA_ERROR, "VCS-319", "Tail Offset",
                "the tail lies inside a command of %u dwords, %u %s there; the rest is awaited",
                count, available, are(available));
   cs->wait = (struct cs_wait){.kind = WAIT_TAIL, .data = cs->tail, .announced = true};
   cs->attention = true;
   return true;
}

bool
cs_step(struct cs *cs, uint64_t *budget)
{
   if (cs->hand)
      return again(cs, budget);
   struct cs_level *at = &cs->at[cs->level];
   const uint32_t *p = mem_translate(at->space, at->address, MEM_READ);
   if (__builtin_expect(!p, 0))
      return fetch_fault(cs);
   uint32_t header = p[0];
   const struct cs_op *op = find_op(cs, header);
   uint32_t count = (header & op->length_mask) + op->bias;
   cs->op = op;
   cs->last_header = header;
   if (__builtin_expect(!op->run, 0) && !unknown_command(cs, header, &count))
      return false;
   uint32_t room = (MEM_PAGE_SIZE - (at->address & (MEM_PAGE_SIZE - 1))) / 4;
   if (cs->level == 0) {
      uint32_t available = ring_available(cs);
      if (__builtin_expect(count > available, 0))
         return partial_command(cs, count, available);
      uint32_t to_end = (cs->ring_size - (at->address - cs->ring_start)) / 4;
      room = to_end < room ? to_end : room;
   }
   if (__builtin_expect(count <= room && count <= CS_INLINE_DW, 1)) {
      uint32_t *to = cs->dw;
      to[0] = header;
      for (uint32_t i = 1; i < count; i++)
         to[i] = p[i];
   } else {
      if (!fetch_slow(cs, count))
         return fetch_fault(cs);
      cs->dw[0] = header; /* the length was taken from this one */
   }
   cs->count = count;
   cs->next = at->address + count * 4;
   cs->commands++;
   --*budget;
   spend(cs);
   if (__builtin_expect(!op->run, 0))
      return finish(cs, CS_DONE);
   if (trace_wants(&cs->dev->trace, PERGOLA_EVENT_COMMAND))
      announce(cs, op, count);
   if (__builtin_expect(count < op->least || count > op->most, 0) && !length_allows(cs, op, count))
      return cs->stopped ? false : finish(cs, CS_DONE);
   if (__builtin_expect(op->flags & (OP_PRIVILEGED | OP_RING_ONLY), 0) && !place_allows(cs, op))
      return finish(cs, CS_DONE);
   cs_validate(cs, op, cs->dw, count);
   enum cs_result r = op->run(cs, op, cs->dw, count, budget);
   return finish(cs, r);
}
