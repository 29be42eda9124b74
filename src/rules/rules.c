/* Reporting: what was broken, where, by which rule of the ledger. */
#include "rules/rules_internal.h"

#include "machine/snapshot.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const struct ledger_row *
ledger_find(const char *id)
{
   size_t lo = 0, hi = ledger_row_count;
   while (lo < hi) {
      size_t mid = (lo + hi) / 2;
      int c = strcasecmp(ledger_rows[mid].id, id); /* all of them are in capitals */
      if (!c)
         return &ledger_rows[mid];
      if (c < 0)
         lo = mid + 1;
      else
         hi = mid;
   }
   return NULL;
}

const char *
pergola_rule_find(const char *id, const char **title)
{
   const struct ledger_row *row = ledger_find(id);
   if (row && title)
      *title = row->title;
   return row ? row->id : NULL;
}

struct rules *
rules_create(struct pergola_device *dev, enum pergola_check level)
{
   struct rules *r = calloc(1, sizeof(*r));
   if (!r)
      return NULL;
   r->dev = dev;
   r->level = level;
   pthread_mutex_init(&r->lock, NULL);
   return r;
}

void
rules_destroy(struct rules *r)
{
   if (!r)
      return;
   for (unsigned i = 0; i < r->report_count; i++)
      report_close(&r->report[i], &r->store);
   store_finish(&r->store);
   pthread_mutex_destroy(&r->lock);
   free(r);
}

bool
rules_on(const struct pergola_device *dev)
{
   return dev->rules->level != PERGOLA_CHECK_OFF;
}

bool
rules_stopped(const struct pergola_device *dev)
{
   return __atomic_load_n(&dev->rules->stopped, __ATOMIC_RELAXED);
}

const bool *
rules_stop_flag(const struct pergola_device *dev)
{
   return &dev->rules->stopped;
}

void
rules_clear_stop(struct pergola_device *dev)
{
   dev->rules->stopped = false;
}

void
rules_mute(struct pergola_device *dev, bool mute)
{
   dev->rules->mute = mute;
}

/* What has been reported is the host's; it may be reported again. */
void
rules_snapshot(struct rules *r, struct snapshot *s)
{
   snapshot_room(s, "RULE");
   SNAP(s, r->stopped);
}

static const char *
text_or_empty(const char *s)
{
   return s ? s : "";
}

static void
deliver(struct rules *r, const struct pergola_diagnostic *d)
{
   for (unsigned i = 0; i < r->sink_count; i++)
      r->sink[i].fn(r->sink[i].data, d);
   for (unsigned i = 0; i < r->report_count; i++)
      report_diagnostic(&r->report[i], &r->store, d);
}

/* Under the lock, for one that is not equal to any before: only now the text is made. */
static void
report_new(struct rules *r, struct pergola_diagnostic *d, const char *format, va_list ap)
{
   char message[1024];
   const struct ledger_row *row = ledger_find(d->rule);
   d->title = row ? row->title : "";
   d->source = row ? row->source : "";
   char where[160];
   where_text(r->dev, d, where, sizeof(where));
   d->where = where;
   bool kept = store_room(&r->store);
   if (kept) {
      vsnprintf(message, sizeof(message), format, ap);
      d->message = message;
      d->unmodelled = strstr(message, "not modelled") != NULL; /* how such messages say it */
      kept = store_add(&r->store, d);
   }
   if (!kept) {
      if (r->overflow_told)
         return;
      r->overflow_told = true;
      d->message = "too many different diagnostics: from here on they are only counted";
      d->severity = PERGOLA_NOTE;
   }
   deliver(r, d);
}

static struct pergola_diagnostic
diagnostic_at(const struct pergola_device *dev, enum pergola_severity severity, const char *rule,
              const struct rule_place *place)
{
   static const struct rule_place nowhere;
   if (!place)
      place = &nowhere;
   return (struct pergola_diagnostic){
       .severity = severity,
       .rule = rule,
       .engine = text_or_empty(place->engine),
       .has_address = place->has_address,
       .address = place->address,
       .has_other = place->has_other,
       .other = place->other,
       .subject = text_or_empty(place->subject),
       .field = text_or_empty(place->field),
       .where = "",
       .time_ns = dev->time_ns,
       .count = 1,
   };
}

/* Under the lock. */
static bool
wanted(const struct rules *r, const struct pergola_diagnostic *d)
{
   return !r->filter || d->severity == PERGOLA_FATAL || r->filter(r->filter_data, d);
}

/* Under the lock: counted. False: there is no equal one yet. */
static bool
known(struct rules *r, const struct pergola_diagnostic *d)
{
   r->count[d->severity]++;
   if (r->level == PERGOLA_CHECK_STOP && d->severity >= PERGOLA_ERROR)
      __atomic_store_n(&r->stopped, true, __ATOMIC_RELAXED);
   return store_count(&r->store, d);
}

static void
report(struct pergola_device *dev, struct pergola_diagnostic *d, const char *format, va_list ap)
{
   struct rules *r = dev->rules;
   pthread_mutex_lock(&r->lock);
   if (wanted(r, d) && !known(r, d))
      report_new(r, d, format, ap);
   pthread_mutex_unlock(&r->lock);
}

void
rule_report(struct pergola_device *dev, enum pergola_severity severity, const char *rule,
            const struct rule_place *place, const char *format, ...)
{
   const struct rules *r = dev->rules;
   if (r->mute || (r->level == PERGOLA_CHECK_OFF && severity < PERGOLA_FATAL))
      return;
   struct pergola_diagnostic d = diagnostic_at(dev, severity, rule, place);
   va_list ap;
   va_start(ap, format);
   report(dev, &d, format, ap);
   va_end(ap);
}

void
rule_finding(struct pergola_device *dev, enum pergola_severity severity, const char *rule,
             const struct rule_place *place, const char *format, ...)
{
   struct pergola_diagnostic d = diagnostic_at(dev, severity, rule, place);
   va_list ap;
   va_start(ap, format);
   report(dev, &d, format, ap);
   va_end(ap);
}

bool
rule_repeated(struct pergola_device *dev, enum pergola_severity severity, const char *rule,
              const struct rule_place *place)
{
   struct rules *r = dev->rules;
   struct pergola_diagnostic d = diagnostic_at(dev, severity, rule, place);
   pthread_mutex_lock(&r->lock);
   bool dropped = !wanted(r, &d), repeated = !dropped && store_count(&r->store, &d);
   if (repeated)
      r->count[severity]++;
   pthread_mutex_unlock(&r->lock);
   return repeated || dropped;
}

int
pergola_add_diagnostic_sink(struct pergola_device *dev, pergola_diagnostic_fn fn, void *data)
{
   struct rules *r = dev->rules;
   if (!fn)
      return -EINVAL;
   if (r->sink_count == RULES_MAX_SINKS)
      return -ENOSPC;
   r->sink[r->sink_count].fn = fn;
   r->sink[r->sink_count++].data = data;
   return 0;
}

uint64_t
pergola_diagnostic_count(const struct pergola_device *dev, enum pergola_severity at_least)
{
   uint64_t n = 0;
   for (unsigned s = at_least; s <= PERGOLA_FATAL; s++)
      n += dev->rules->count[s];
   return n;
}

void
pergola_diagnostics(struct pergola_device *dev, pergola_diagnostic_fn fn, void *data)
{
   struct rules *r = dev->rules;
   pthread_mutex_lock(&r->lock);
   for (size_t i = 0; i < r->store.count; i++)
      fn(data, &r->store.entry[i].d);
   pthread_mutex_unlock(&r->lock);
}

void
pergola_set_diagnostic_filter(struct pergola_device *dev, pergola_filter_fn fn, void *data)
{
   struct rules *r = dev->rules;
   pthread_mutex_lock(&r->lock);
   r->filter = fn;
   r->filter_data = data;
   pthread_mutex_unlock(&r->lock);
}

bool
pergola_report_failed(struct pergola_device *dev)
{
   struct rules *r = dev->rules;
   bool failed = false;
   pthread_mutex_lock(&r->lock);
   for (unsigned i = 0; i < r->report_count; i++) {
      FILE *f = r->report[i].file;
      failed |= fflush(f) || ferror(f);
   }
   pthread_mutex_unlock(&r->lock);
   return failed;
}
