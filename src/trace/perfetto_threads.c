/* Tracks of the EUs: a track for every thread slot.
 *
 * The model's clock counts what all threads of a command execute, two nanoseconds an instruction,
 * shared by all EUs (CS-022); it does not know when each of them began. So threads are drawn when
 * their command has ended: one behind the other in their slot, for as long as their instructions
 * take when the slots of an EU share it, and within the time of the command. */
#include "eu/isa/isa.h"
#include "machine/device.h"
#include "trace/perfetto.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SLICES 2u
#define EUS 16u
#define SLOTS 8u
#define MOST_THREADS (1u << 18) /* of a command: more are counted only */
#define MOST_ARROWS 256u
#define MARKS 8u /* messages of a thread that are drawn: the first ones */

struct mark {
   uint32_t at; /* instructions before it */
   uint8_t function;
};

struct slot {
   bool named;
   uint32_t messages; /* of the thread that sits there now */
   struct mark mark[MARKS];
};

struct ended {
   uint32_t id, kernel, messages;
   uint8_t half_slice, eu, slot;
   uint64_t instructions;
   struct mark mark[MARKS];
};

struct perfetto_threads {
   struct slot slot[SLICES][EUS][SLOTS];
   struct perfetto_work work;
   uint64_t arrows;
   unsigned count;
   struct ended room[MOST_THREADS];
};

static struct perfetto_threads *
threads_of(struct pergola_trace *t)
{
   if (!t->threads)
      t->threads = calloc(1, sizeof(*t->threads));
   return t->threads;
}

static struct slot *
slot_at(struct perfetto_threads *p, uint32_t place)
{
   return &p->slot[place >> 16 & (SLICES - 1)][place >> 8 & (EUS - 1)][place & (SLOTS - 1)];
}

static void
add_message(struct perfetto_threads *p, const struct pergola_event *e)
{
   p->work.messages++;
   if (e->count < 3)
      return;
   struct slot *s = slot_at(p, e->dwords[2]);
   if (s->messages < MARKS)
      s->mark[s->messages] = (struct mark){e->dwords[0], (uint8_t)(e->flags & 31)};
   s->messages++;
}

static void
add_thread(struct perfetto_threads *p, const struct pergola_event *e)
{
   struct slot *s = slot_at(p, e->flags);
   p->work.threads++;
   p->work.instructions += e->a;
   if (p->count < MOST_THREADS) {
      struct ended *n = &p->room[p->count++];
      *n = (struct ended){.id = (uint32_t)e->b,
                          .kernel = e->count > 2 ? e->dwords[2] : 0,
                          .messages = s->messages,
                          .half_slice = e->flags >> 16 & (SLICES - 1),
                          .eu = e->flags >> 8 & (EUS - 1),
                          .slot = e->flags & (SLOTS - 1),
                          .instructions = e->a};
      memcpy(n->mark, s->mark, sizeof(n->mark));
   }
   s->messages = 0;
}

void
perfetto_thread(struct pergola_trace *t, const struct pergola_event *e)
{
   struct perfetto_threads *p = threads_of(t);
   if (!p)
      return;
   if (e->kind == PERGOLA_EVENT_MESSAGE)
      add_message(p, e);
   else if (e->kind == PERGOLA_EVENT_THREAD_END)
      add_thread(p, e);
   else
      slot_at(p, e->flags)->messages = 0;
}

struct perfetto_work
perfetto_work(const struct pergola_trace *t)
{
   return t->threads ? t->threads->work : (struct perfetto_work){0};
}

/* ---- drawing ----------------------------------------------------------------------------------
 */

/* Instructions of each slot, and how many slots of an EU are in use. */
struct load {
   uint64_t slot[SLICES][EUS][SLOTS];
   unsigned shared[SLICES][EUS];
};

static uint64_t
measure(const struct perfetto_threads *p, struct load *l)
{
   uint64_t longest = 0;
   for (unsigned i = 0; i < p->count; i++) {
      const struct ended *n = &p->room[i];
      uint64_t *sum = &l->slot[n->half_slice][n->eu][n->slot];
      l->shared[n->half_slice][n->eu] += !*sum;
      *sum += n->instructions ? n->instructions : 1;
   }
   for (unsigned h = 0; h < SLICES; h++)
      for (unsigned e = 0; e < EUS; e++)
         for (unsigned s = 0; s < SLOTS; s++) {
            uint64_t ns = 2 * l->slot[h][e][s] * l->shared[h][e];
            longest = ns > longest ? ns : longest;
         }
   return longest;
}

static unsigned
track_of(struct pergola_trace *t, const struct ended *n)
{
   struct slot *s = &t->threads->slot[n->half_slice][n->eu][n->slot];
   unsigned track = 1 + ((n->half_slice * EUS + n->eu) * SLOTS + n->slot);
   if (!s->named) {
      char name[48];
      snprintf(name, sizeof(name), "half-slice %u EU %u slot %u", n->half_slice, n->eu, n->slot);
      perfetto_name(t, "thread_name", PERFETTO_EUS, track, name);
      s->named = true;
   }
   return track;
}

static void
draw_messages(struct pergola_trace *t, const struct ended *n, const struct perfetto_slice *s,
              uint64_t length)
{
   for (unsigned i = 0; i < n->messages && i < MARKS; i++) {
      const struct mark *m = &n->mark[i];
      const char *name = eu_sfid_name(m->function, t->dev->hw_device);
      struct perfetto_slice at = *s;
      if (n->instructions)
         at.begin_ns += (uint64_t)((double)length * m->at / (double)n->instructions);
      at.name = name ? name : "message";
      struct json j = perfetto_begin(t, "i", &at);
      json_text(&j, "s", "t");
      json_text(&j, "cat", "message");
      json_end_object(&j);
   }
}

static void
draw_arrow(struct pergola_trace *t, const struct perfetto_slice *from,
           const struct perfetto_slice *to)
{
   uint64_t id = ++t->threads->arrows;
   const struct perfetto_slice *end[] = {from, to};
   for (unsigned i = 0; i < 2; i++) {
      struct perfetto_slice at = *end[i];
      at.name = "dispatch";
      struct json j = perfetto_begin(t, i ? "f" : "s", &at);
      json_text(&j, "cat", "dispatch");
      json_unsigned(&j, "id", id);
      if (i)
         json_text(&j, "bp", "e");
      json_end_object(&j);
   }
}

static void
draw_thread(struct pergola_trace *t, const struct ended *n, const struct perfetto_slice *s,
            uint64_t length)
{
   struct json j = perfetto_begin(t, "X", s);
   json_thousandths(&j, "dur", length);
   json_text(&j, "cat", "eu");
   json_object(&j, "args");
   json_unsigned(&j, "thread", n->id);
   json_hex(&j, "kernel", 8, n->kernel);
   json_unsigned(&j, "instructions", n->instructions);
   json_unsigned(&j, "messages", n->messages);
   json_end_object(&j);
   json_end_object(&j);
}

void
perfetto_draw_threads(struct pergola_trace *t, unsigned track, uint64_t begin_ns, uint64_t end_ns)
{
   struct perfetto_threads *p = t->threads;
   if (!p || !p->work.threads)
      return;
   struct load load = {0};
   uint64_t longest = measure(p, &load), room = end_ns - begin_ns;
   double scale = longest > room ? (double)room / (double)longest : 1;
   uint64_t before[SLICES][EUS][SLOTS] = {0}; /* instructions that are drawn */
   struct perfetto_slice from = {PERFETTO_ENGINES, track, begin_ns, "dispatch"};
   for (unsigned i = 0; i < p->count; i++) {
      const struct ended *n = &p->room[i];
      uint64_t *done = &before[n->half_slice][n->eu][n->slot];
      double each = 2 * scale * load.shared[n->half_slice][n->eu];
      uint64_t begin = begin_ns + (uint64_t)((double)*done * each);
      *done += n->instructions ? n->instructions : 1;
      uint64_t end = begin_ns + (uint64_t)((double)*done * each);
      char name[32];
      snprintf(name, sizeof(name), "kernel 0x%08" PRIx32, n->kernel);
      struct perfetto_slice s = {PERFETTO_EUS, track_of(t, n), begin, name};
      draw_thread(t, n, &s, end - begin);
      draw_messages(t, n, &s, end - begin);
      if (i < MOST_ARROWS)
         draw_arrow(t, &from, &s);
   }
   p->count = 0;
   p->work = (struct perfetto_work){0};
}
