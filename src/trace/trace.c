/* Observers: who hears of what. */
#include "machine/device.h"
#include "trace/trace_file.h"

#include <errno.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>

void
trace_init(struct trace *t)
{
   pthread_mutex_init(&t->lock, NULL);
}

void
trace_finish(struct trace *t)
{
   pthread_mutex_destroy(&t->lock);
}

void
trace_emit(struct trace *t, const struct pergola_event *event)
{
   pthread_mutex_lock(&t->lock);
   for (unsigned i = 0; i < t->count; i++)
      if (t->observer[i].kinds >> event->kind & 1u)
         t->observer[i].fn(t->observer[i].data, event);
   pthread_mutex_unlock(&t->lock);
}

int
pergola_add_observer(struct pergola_device *dev, uint32_t kinds, pergola_observer_fn fn, void *data)
{
   struct trace *t = &dev->trace;
   if (!fn || kinds >> PERGOLA_EVENT_KIND_COUNT)
      return -EINVAL;
   if (t->count == TRACE_MAX_OBSERVERS)
      return -ENOSPC;
   t->observer[t->count].kinds = kinds;
   t->observer[t->count].fn = fn;
   t->observer[t->count].data = data;
   t->count++;
   t->wanted |= kinds;
   return 0;
}

void
trace_remove(struct trace *t, pergola_observer_fn fn, const void *data)
{
   pthread_mutex_lock(&t->lock);
   t->wanted = 0;
   unsigned kept = 0;
   for (unsigned i = 0; i < t->count; i++) {
      if (t->observer[i].fn == fn && t->observer[i].data == data)
         continue;
      t->observer[kept++] = t->observer[i];
      t->wanted |= t->observer[i].kinds;
   }
   t->count = kept;
   pthread_mutex_unlock(&t->lock);
}

static bool
standard(const FILE *f)
{
   return f == stdout || f == stderr;
}

struct pergola_trace *
trace_file_open(struct pergola_device *dev, const char *path, uint32_t kinds,
                pergola_observer_fn fn, void (*finish)(struct pergola_trace *t))
{
   struct pergola_trace *t = calloc(1, sizeof(*t));
   if (!t)
      return NULL;
   t->dev = dev;
   t->fn = fn;
   t->finish = finish;
   t->file = !path ? stderr : strcmp(path, "-") ? fopen(path, "we") : stdout;
   t->seekable = t->file && !standard(t->file) && ftello(t->file) >= 0;
   if (t->file && !pergola_add_observer(dev, kinds, fn, t))
      return t;
   int error = t->file ? ENOSPC : errno;
   if (t->file && !standard(t->file))
      fclose(t->file);
   free(t);
   errno = error;
   return NULL;
}

void
pergola_trace_close(struct pergola_trace *t)
{
   if (!t)
      return;
   trace_remove(&t->dev->trace, t->fn, t);
   if (t->finish)
      t->finish(t);
   if (standard(t->file))
      fflush(t->file);
   else
      fclose(t->file);
   free(t->threads);
   free(t);
}

void
pergola_trace_flush(struct pergola_trace *t)
{
   if (!t)
      return;
   pthread_mutex_lock(&t->dev->trace.lock);
   off_t end = t->tail && t->seekable ? ftello(t->file) : -1;
   if (end >= 0)
      t->tail(t); /* until the next event takes its place */
   fflush(t->file);
   if (end >= 0)
      fseeko(t->file, end, SEEK_SET);
   pthread_mutex_unlock(&t->dev->trace.lock);
}

bool
pergola_trace_failed(struct pergola_trace *t)
{
   if (!t)
      return false;
   pthread_mutex_lock(&t->dev->trace.lock);
   bool failed = fflush(t->file) || ferror(t->file);
   pthread_mutex_unlock(&t->dev->trace.lock);
   return failed;
}

void
pergola_trace_disown(struct pergola_trace *t)
{
   if (!t)
      return;
   if (!standard(t->file))
      __fpurge(t->file);
   free(t->threads);
   free(t);
}

static const char *const kind_names[PERGOLA_EVENT_KIND_COUNT] = {
    "mmio",        "command", "batch",  "interrupt", "dispatch", "end",
    "instruction", "message", "memory", "wait",      "vme",      "surface",
};

const char *
trace_kind_name(enum pergola_event_kind kind)
{
   return kind < PERGOLA_EVENT_KIND_COUNT ? kind_names[kind] : "?";
}

/* Words that stand for several kinds. */
static const struct {
   const char *word;
   uint32_t kinds;
} groups[] = {
    {"all", (1u << PERGOLA_EVENT_KIND_COUNT) - 1},
    {"cs", 1u << PERGOLA_EVENT_COMMAND | 1u << PERGOLA_EVENT_BATCH | 1u << PERGOLA_EVENT_WAIT},
    {"irq", 1u << PERGOLA_EVENT_INTERRUPT},
    {"thread", 1u << PERGOLA_EVENT_DISPATCH | 1u << PERGOLA_EVENT_THREAD_END},
    {"eu", 1u << PERGOLA_EVENT_DISPATCH | 1u << PERGOLA_EVENT_THREAD_END |
               1u << PERGOLA_EVENT_INSTRUCTION | 1u << PERGOLA_EVENT_MESSAGE},
    {"send", 1u << PERGOLA_EVENT_MESSAGE},
};

static uint32_t
word_kinds(const char *word, size_t length)
{
   for (unsigned i = 0; i < sizeof(groups) / sizeof(groups[0]); i++)
      if (strlen(groups[i].word) == length && !strncmp(groups[i].word, word, length))
         return groups[i].kinds;
   for (unsigned i = 0; i < PERGOLA_EVENT_KIND_COUNT; i++)
      if (strlen(kind_names[i]) == length && !strncmp(kind_names[i], word, length))
         return 1u << i;
   return 0;
}

uint32_t
trace_words(const char *list, uint32_t (*kinds_of)(const char *word, size_t length),
            const char **bad)
{
   uint32_t kinds = 0;
   for (const char *word = list;;) {
      size_t length = strcspn(word, ",");
      uint32_t k = kinds_of(word, length);
      if (!k) {
         if (bad)
            *bad = word;
         return 0;
      }
      kinds |= k;
      if (!word[length])
         return kinds;
      word += length + 1;
   }
}

uint32_t
pergola_trace_kinds(const char *list, const char **bad)
{
   struct pergola_trace_filter none;
   return pergola_trace_list(list, &none, bad);
}

uint32_t
pergola_trace_list(const char *list, struct pergola_trace_filter *filter, const char **bad)
{
   uint32_t kinds = 0;
   *filter = (struct pergola_trace_filter){0};
   for (const char *word = list;;) {
      size_t length = strcspn(word, ",");
      bool filters = trace_filter_word(filter, word, length);
      uint32_t k = filters ? 0 : word_kinds(word, length);
      if (!k && !filters) {
         if (bad)
            *bad = word;
         return 0;
      }
      kinds |= k;
      if (!word[length])
         return kinds ? kinds : word_kinds("eu", 2);
      word += length + 1;
   }
}
