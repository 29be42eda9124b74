#include "pergola/pergola_trace.h"

#include "machine/device.h"
#include "eu/isa/isa.h"
#include "rules/plural.h"

#include <inttypes.h>
#include <string.h>

#define TOLD 8u /* threads: of a walk that hangs most do the same */

static const struct pergola_story_row *
find(const struct pergola_story *w, uint32_t id)
{
   for (unsigned i = 0; i < w->count; i++)
      if (w->row[i].id == id)
         return &w->row[i];
   return NULL;
}

/* The row of a thread; NULL: there is no room. A thread executes many instructions before the next
 * one has its turn. */
static struct pergola_story_row *
row_of(struct pergola_story *w, uint32_t id)
{
   if (w->count && w->row[w->latest].id == id)
      return &w->row[w->latest];
   const struct pergola_story_row *known = find(w, id);
   if (!known && w->count == PERGOLA_STORY_ROWS)
      return NULL;
   w->latest = known ? (unsigned)(known - w->row) : w->count;
   if (!known)
      w->row[w->count++] = (struct pergola_story_row){.id = id, .first = UINT64_MAX};
   return &w->row[w->latest];
}

static void
watch_event(void *data, const struct pergola_event *e)
{
   struct pergola_story_row *r = row_of(data, (uint32_t)e->b);
   if (!r)
      return;
   if (e->kind == PERGOLA_EVENT_MESSAGE) {
      r->messages++;
      r->functions |= 1u << (e->flags & 31);
      return;
   }
   r->instructions++;
   r->first = e->a < r->first ? e->a : r->first;
   r->last = e->a > r->last ? e->a : r->last;
}

enum pergola_run_result
pergola_story_watch(struct pergola_device *dev, uint64_t units, struct pergola_story *watch)
{
   memset(watch, 0, sizeof(*watch));
   uint32_t kinds = 1u << PERGOLA_EVENT_INSTRUCTION | 1u << PERGOLA_EVENT_MESSAGE;
   bool seen = !pergola_add_observer(dev, kinds, watch_event, watch);
   enum pergola_run_result result = pergola_run(dev, units);
   if (seen)
      trace_remove(&dev->trace, watch_event, watch);
   return result;
}

struct teller {
   FILE *f;
   const char *prefix;
   struct pergola_device *dev;
   const struct pergola_story *watch;
   unsigned told;
};

static void
print_place(FILE *f, const struct pergola_thread *t)
{
   fprintf(f, "%s thread %u", t->maker, t->id);
   if (t->in_group)
      fprintf(f, " (%u of %u in group %u, %u, %u)", t->index, t->group_threads, t->group[0],
              t->group[1], t->group[2]);
   fprintf(f,
           " on half-slice %u, EU %u, slot %u: kernel 0x%08" PRIx64 ", at 0x%08" PRIx64
           " (+0x%" PRIx64 ")",
           t->half_slice, t->eu, t->slot, t->kernel, t->ip, t->ip - t->kernel);
   if (t->instruction[0])
      fprintf(f, " '%s'", t->instruction);
   fprintf(f, ", %" PRIu64 " instruction%s so far", t->instructions, plural(t->instructions));
}

static void
print_functions(FILE *f, uint32_t functions, unsigned device)
{
   const char *between = " to ";
   for (unsigned i = 0; i < 32; i++) {
      if (!(functions >> i & 1))
         continue;
      const char *name = eu_sfid_name(i, device);
      fprintf(f, "%s%s", between, name ? name : "?");
      between = ", ";
   }
}

/* What it was seen to do lately: the loop, if it is in one. */
static void
print_doings(const struct teller *s, const struct pergola_story_row *r)
{
   if (!r || !r->instructions) {
      fprintf(s->f, "can run");
      return;
   }
   fprintf(s->f,
           "runs; its last %" PRIu64 " instructions lie between 0x%08" PRIx64 " and 0x%08" PRIx64,
           r->instructions, r->first, r->last);
   if (!r->messages) {
      fprintf(s->f, " and send no message");
      return;
   }
   fprintf(s->f, " and send %" PRIu64 " message%s", r->messages, plural(r->messages));
   print_functions(s->f, r->functions, s->dev->hw_device);
}

static void
tell(void *data, const struct pergola_thread *t)
{
   struct teller *s = data;
   if (s->told++ >= TOLD)
      return;
   fprintf(s->f, "%s: ", s->prefix);
   print_place(s->f, t);
   fprintf(s->f, "\n%s:    ", s->prefix);
   if (t->waits_for)
      fprintf(s->f, "waits for %s", t->waits_for);
   else
      print_doings(s, s->watch ? find(s->watch, t->id) : NULL);
   fputc('\n', s->f);
}

void
pergola_story_print(FILE *f, const char *prefix, struct pergola_device *dev,
                    const struct pergola_story *watch)
{
   struct teller s = {.f = f, .prefix = prefix, .dev = dev, .watch = watch};
   unsigned threads = pergola_threads(dev, tell, &s);
   if (threads > TOLD)
      fprintf(f, "%s: %u more %s not ended\n", prefix, threads - TOLD,
              threads - TOLD == 1 ? "thread has" : "threads have");
}
