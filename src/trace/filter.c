/* Which events of a trace are wanted: by kernel, thread and batch. */
#include "trace/trace_file.h"

#include <stdlib.h>
#include <string.h>

static bool
number(const char *text, size_t length, uint64_t *value)
{
   char copy[24], *end;
   if (!length || length >= sizeof(copy) || text[0] < '0' || text[0] > '9')
      return false;
   memcpy(copy, text, length);
   copy[length] = 0;
   *value = strtoull(copy, &end, 0);
   return !*end;
}

bool
trace_filter_word(struct pergola_trace_filter *f, const char *word, size_t length)
{
   const struct {
      const char *name;
      bool *by;
      uint64_t *value;
   } words[] = {{"kernel=", &f->by_kernel, &f->kernel},
                {"thread=", &f->by_thread, &f->thread},
                {"batch=", &f->by_batch, &f->batch}};
   for (unsigned i = 0; i < 3; i++) {
      size_t n = strlen(words[i].name);
      if (length > n && !strncmp(word, words[i].name, n) &&
          number(word + n, length - n, words[i].value))
         return *words[i].by = true;
   }
   return false;
}

/* The kernel of a thread's event; false: it is not of a thread. */
static bool
kernel_of(const struct pergola_event *e, uint64_t *kernel)
{
   static const struct {
      enum pergola_event_kind kind;
      unsigned dword;
   } where[] = {
       {PERGOLA_EVENT_THREAD_END, 2}, {PERGOLA_EVENT_INSTRUCTION, 4}, {PERGOLA_EVENT_MESSAGE, 1}};
   *kernel = e->a;
   for (unsigned i = 0; i < 3; i++)
      if (e->kind == where[i].kind) {
         *kernel = e->count > where[i].dword ? e->dwords[where[i].dword] : UINT64_MAX;
         return true;
      }
   return e->kind == PERGOLA_EVENT_DISPATCH;
}

bool
trace_filter_passes(struct pergola_trace *t, const struct pergola_event *e)
{
   const struct pergola_trace_filter *f = &t->filter;
   bool inside = t->inside;
   if (f->by_batch && e->kind == PERGOLA_EVENT_BATCH && e->a == f->batch) {
      t->inside = e->flags & 1;
      inside = true; /* its begin and its end are told */
   }
   if (!(t->kinds >> e->kind & 1) || (f->by_batch && !inside))
      return false;
   uint64_t kernel;
   if (!kernel_of(e, &kernel))
      return true;
   return (!f->by_kernel || kernel == f->kernel) && (!f->by_thread || e->b == f->thread);
}

void
pergola_trace_set_filter(struct pergola_trace *t, const struct pergola_trace_filter *filter)
{
   if (t)
      t->filter = *filter;
}
