#include "hw/decode.h"

#include "hw/header.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MAX_LEVEL 3

struct walk {
   const struct hw_decode_request *r;
   const struct hw_decode_sink *sink;
   struct hw_decode_result *result;
   uint8_t *followed;      /* one bit per dword: a jump has led here */
   size_t back[MAX_LEVEL]; /* where the callers go on */
   unsigned level;
};

static uint32_t
address_of(const struct walk *w, size_t at)
{
   return w->r->base + (uint32_t)(at * 4);
}

static void
note(const struct walk *w, size_t at, const char *text)
{
   if (w->sink->note)
      w->sink->note(w->sink->data, w->level, address_of(w, at), text);
}

/* Second level batches exist from Haswell on; before, a batch that starts a batch does not return.
 */
static bool
is_call(const struct walk *w, uint32_t header)
{
   if (w->r->ring && w->level == 0)
      return true;
   return w->r->device_bit & (HW_HSW | HW_ICL) &&
          header & GEN11_MI_BATCH_BUFFER_START__SECOND_LEVEL_BATCH_BUFFER;
}

/* On Ice Lake addresses have 48 bits. */
static uint64_t
target_of(const struct walk *w, const struct hw_decode_command *c)
{
   uint64_t high = w->r->device_bit & HW_ICL && c->count_dw > 2 ? c->dw[2] & 0xffff : 0;
   return high << 32 | (c->dw[1] & ~3u);
}

/* True: *at is where decoding goes on. */
static bool
jump(struct walk *w, const struct hw_decode_command *c, size_t *at)
{
   size_t next = *at + c->count_dw;
   char text[128];
   if (c->count_dw < 2) {
      note(w, *at, "the batch that this starts has no address");
      *at = next;
      return true;
   }
   uint64_t target = target_of(w, c);
   uint64_t offset = target - w->r->base;
   bool call = is_call(w, c->dw[0]);
   if (target < w->r->base || offset / 4 >= w->r->count_dw) {
      snprintf(text, sizeof(text),
               "the batch at 0x%08" PRIx64
               " lies outside the file (--base tells where the file lies)",
               target);
      note(w, *at, text);
      *at = next;
      return call || w->r->all;
   }
   size_t to = offset / 4;
   if (w->followed[to / 8] >> to % 8 & 1) {
      snprintf(text, sizeof(text), "the batch at 0x%08" PRIx64 " has been shown already", target);
      note(w, *at, text);
      *at = next;
      return call || w->r->all;
   }
   if (call && w->level + 1 >= MAX_LEVEL) {
      note(w, *at, "batches are nested too deep to be followed");
      *at = next;
      return true;
   }
   w->followed[to / 8] |= (uint8_t)(1u << to % 8);
   if (call)
      w->back[w->level++] = next;
   snprintf(text, sizeof(text), "%s the batch at 0x%08" PRIx64, call ? "enters" : "goes on with",
            target);
   note(w, *at, text);
   *at = to;
   return true;
}

/* True: *at is where decoding goes on. */
static bool
end_of_batch(struct walk *w, size_t next, size_t *at)
{
   if (w->level > 0) {
      *at = w->back[--w->level];
      note(w, *at, "back in the caller");
      return true;
   }
   *at = next;
   w->result->ended = true;
   if (w->r->all)
      return true;
   for (size_t i = next; i < w->r->count_dw; i++) {
      if (!w->r->dw[i])
         continue;
      char text[128];
      size_t rest = w->r->count_dw - next;
      snprintf(text, sizeof(text), "%zu dword%s the end of the batch; --all shows %s", rest,
               rest == 1 ? " follows" : "s follow", rest == 1 ? "it" : "them");
      note(w, next, text);
      break;
   }
   return false;
}

static void
take(struct walk *w, size_t at, struct hw_decode_command *c)
{
   const struct hw_decode_request *r = w->r;
   uint32_t header = r->dw[at];
   size_t left = r->count_dw - at;
   c->desc = hw_command_find(header, r->engine_bit, r->device_bit);
   c->length_dw =
       c->desc ? hw_command_length(c->desc, header) : hw_default_length(header, r->device_bit);
   if (!c->length_dw)
      c->length_dw = 1;
   c->count_dw = c->length_dw < left ? c->length_dw : (uint32_t)left;
   c->dw = r->dw + at;
   c->address = address_of(w, at);
   c->level = w->level;
   w->result->commands++;
   w->result->unknown += !c->desc;
   w->result->cut_off += c->count_dw < c->length_dw;
}

bool
hw_decode(const struct hw_decode_request *r, const struct hw_decode_sink *sink,
          struct hw_decode_result *result)
{
   *result = (struct hw_decode_result){0};
   struct walk w = {.r = r, .sink = sink, .result = result};
   w.followed = calloc(r->count_dw / 8 + 1, 1);
   if (!w.followed)
      return false;
   w.followed[0] |= 1; /* the start counts as followed */
   size_t at = 0;
   for (;;) {
      if (at >= r->count_dw) {
         if (w.level == 0)
            break;
         note(&w, at, "the file ends inside this batch");
         at = w.back[--w.level];
         continue;
      }
      struct hw_decode_command c;
      take(&w, at, &c);
      sink->command(sink->data, &c);
      size_t next = at + c.count_dw;
      bool on = true;
      if ((c.dw[0] & HW_MI_HEADER) == GEN7_MI_BATCH_BUFFER_START_HEADER)
         on = jump(&w, &c, &at);
      else if ((c.dw[0] & HW_MI_HEADER) == GEN7_MI_BATCH_BUFFER_END_HEADER)
         on = end_of_batch(&w, next, &at);
      else
         at = next;
      if (!on)
         break;
   }
   free(w.followed);
   return true;
}

static const char *const engine_option[] = {
    [HW_RCS] = "rcs", [HW_VCS] = "vcs", [HW_BCS] = "bcs", [HW_VECS] = "vecs"};

void
hw_decode_unknown(uint32_t header, unsigned engine_bit, unsigned device_bit, char *buf, size_t size)
{
   char what[64];
   switch (hw_client(header)) {
   case HW_CLIENT_MI:
      snprintf(what, sizeof(what), "MI opcode 0x%02x", hw_get(header, GEN7_MI_HEADER__OPCODE));
      break;
   case HW_CLIENT_2D:
      snprintf(what, sizeof(what), "2D opcode 0x%02x", hw_get(header, GEN7_2D_HEADER__OPCODE));
      break;
   case HW_CLIENT_GFX:
      snprintf(what, sizeof(what), "subtype %u opcode %u sub-opcode 0x%02x",
               hw_get(header, GEN7_GFX_HEADER__SUBTYPE), hw_get(header, GEN7_GFX_HEADER__OPCODE),
               hw_get(header, GEN7_GFX_HEADER__SUB_OPCODE));
      break;
   default:
      snprintf(what, sizeof(what), "command type %u, which is reserved", hw_client(header));
   }
   for (unsigned e = HW_RCS; e <= HW_VECS; e <<= 1) {
      const struct hw_command *c = hw_command_find(header, e, device_bit);
      if (c && e != engine_bit) {
         snprintf(buf, size, "%s; --engine %s has it: %s", what, engine_option[e], c->layout.name);
         return;
      }
   }
   for (size_t i = 0; i < hw_device_count; i++) {
      const struct hw_device *d = &hw_devices[i];
      const struct hw_command *c = hw_command_find(header, engine_bit, d->bit);
      if (c && d->bit != device_bit) {
         snprintf(buf, size, "%s; %s has it: %s", what, d->description, c->layout.name);
         return;
      }
   }
   snprintf(buf, size, "%s", what);
}

struct field_walk {
   const struct hw_decode_command *c;
   hw_decode_field_fn fn;
   void *data;
};

static bool
reserved(const struct hw_field *f)
{
   return f->type == HW_MBZ || f->type == HW_MBO || f->type == HW_IGNORED;
}

/* Fields of a layout that begins at bit `origin` of the command; only those that lie inside `limit`
 * bits. */
static void
layout_fields(const struct field_walk *w, const struct hw_layout *l, uint64_t origin,
              uint64_t limit, const char *group, unsigned index)
{
   for (unsigned i = 0; i < l->field_count; i++) {
      const struct hw_field *f = &l->fields[i];
      if (origin + f->end >= limit)
         continue;
      struct hw_field moved = *f;
      uint64_t start = origin + f->start;
      const uint32_t *dw = w->c->dw + start / 32;
      moved.start = (uint16_t)(start % 32);
      moved.end = (uint16_t)(moved.start + (f->end - f->start));
      uint64_t raw = hw_field_get(&moved, dw, limit / 32 - start / 32);
      struct hw_decode_field out = {.field = f, .raw = raw, .group = group, .group_index = index};
      out.problem = hw_field_problem(f, raw);
      out.dw = (unsigned)(start / 32);
      out.lo = moved.start;
      out.hi = moved.end;
      if (reserved(f) && !out.problem)
         continue;
      w->fn(w->data, &out);
      const struct hw_layout *inner = hw_field_structure(f, 0);
      if (inner && !inner->variable && !hw_field_structure(f, 1))
         for (unsigned k = 0; k < inner->field_count; k++) {
            const struct hw_field *g = &inner->fields[k];
            if (reserved(g) || g->end > f->end - f->start)
               continue;
            struct hw_decode_field sub = {
                .field = g, .group = f->name, .group_index = index, .nested = true};
            sub.raw = raw >> g->start & ((UINT64_C(1) << (g->end - g->start + 1)) - 1);
            sub.problem = hw_field_problem(g, sub.raw);
            sub.dw = out.dw;
            sub.lo = out.lo + g->start;
            sub.hi = out.lo + g->end;
            w->fn(w->data, &sub);
         }
   }
}

void
hw_decode_fields(const struct hw_decode_command *c, hw_decode_field_fn fn,
                 void (*past)(void *data, unsigned dw, uint32_t value), void *data)
{
   struct field_walk w = {c, fn, data};
   unsigned at = 1;
   if (c->desc) {
      const struct hw_layout *l = &c->desc->layout;
      uint64_t limit = (uint64_t)c->count_dw * 32;
      layout_fields(&w, l, 0, limit, "", 0);
      at = l->length_dw;
      const struct hw_layout *tail = l->tail_struct ? hw_struct_by_name(l->tail_struct) : NULL;
      if (tail && tail->length_dw)
         for (unsigned n = 0; at + tail->length_dw <= c->count_dw; n++, at += tail->length_dw)
            layout_fields(&w, tail, (uint64_t)at * 32, limit, l->tail, n);
   }
   for (; at < c->count_dw; at++)
      past(data, at, c->dw[at]);
}
