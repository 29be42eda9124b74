/* Reports to files: text, JSON lines and SARIF 2.1, as things happen. */
#include "rules/rules_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *
severity_name(enum pergola_severity s)
{
   static const char *const names[] = {"note", "warning", "error", "fatal"};
   return names[s];
}

/* The texts are ASCII or UTF-8 of our own, except where a guest's name slips in. */
void
json_string(FILE *f, const char *text)
{
   putc('"', f);
   for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
      if (*p == '"' || *p == '\\')
         fprintf(f, "\\%c", *p);
      else if (*p < 0x20 || *p == 0x7f)
         fprintf(f, "\\u%04x", *p);
      else
         putc(*p, f);
   }
   putc('"', f);
}

static void
json_member(FILE *f, const char *name, const char *text)
{
   fprintf(f, ",\"%s\":", name);
   json_string(f, text);
}

static void
json_line(FILE *f, const struct pergola_diagnostic *d)
{
   fprintf(f, "{\"severity\":\"%s\"", severity_name(d->severity));
   json_member(f, "rule", d->rule);
   json_member(f, "title", d->title);
   json_member(f, "source", d->source);
   json_member(f, "engine", d->engine);
   if (d->has_address)
      fprintf(f, ",\"address\":\"0x%llx\"", (unsigned long long)d->address);
   json_member(f, "subject", d->subject);
   json_member(f, "field", d->field);
   json_member(f, "message", d->message);
   fprintf(f, ",\"time_ns\":%llu}\n", (unsigned long long)d->time_ns);
}

static void
text_line(FILE *f, const struct pergola_diagnostic *d)
{
   fprintf(f, "%s: %s", severity_name(d->severity), d->engine[0] ? d->engine : "device");
   if (d->has_address)
      fprintf(f, " 0x%08llx", (unsigned long long)d->address);
   if (d->subject[0])
      fprintf(f, " %s", d->subject);
   if (d->field[0])
      fprintf(f, ".%s", d->field);
   fprintf(f, ": %s [%s]\n", d->message, d->rule);
   if (d->title[0])
      fprintf(f, "  %s: %s", d->rule, d->title);
   if (d->source[0])
      fprintf(f, " (%s)", d->source);
   if (d->title[0])
      putc('\n', f);
}

static void
sarif_rule(FILE *f, const struct pergola_diagnostic *d, const struct ledger_row *row)
{
   fprintf(f, "{\"id\":");
   json_string(f, d->rule);
   fprintf(f, ",\"shortDescription\":{\"text\":");
   json_string(f, d->title[0] ? d->title : d->rule);
   fprintf(f, "},\"fullDescription\":{\"text\":");
   json_string(f, row->requirement);
   fprintf(f, "},\"properties\":{\"manual\":");
   json_string(f, d->source);
   fprintf(f, "}}");
}

/* The rules that were broken, each once, in the order of first appearance. */
static void
sarif_rules(FILE *f, const struct diagnostic_store *s)
{
   bool *seen = calloc(ledger_row_count, sizeof(*seen));
   const char *comma = "";
   for (size_t i = 0; seen && i < s->count; i++) {
      const struct ledger_row *row = ledger_find(s->entry[i].d.rule);
      if (!row || seen[row - ledger_rows])
         continue;
      seen[row - ledger_rows] = true;
      fputs(comma, f);
      sarif_rule(f, &s->entry[i].d, row);
      comma = ",";
   }
   free(seen);
}

static void
sarif_location(FILE *f, const struct pergola_diagnostic *d)
{
   fprintf(f, ",\"locations\":[{");
   if (d->has_address)
      fprintf(f, "\"physicalLocation\":{\"address\":{\"absoluteAddress\":%llu}},",
              (unsigned long long)d->address);
   fprintf(f, "\"logicalLocations\":[{\"fullyQualifiedName\":");
   char name[256];
   snprintf(name, sizeof(name), "%s%s%s%s%s", d->engine, d->subject[0] ? "/" : "", d->subject,
            d->field[0] ? "/" : "", d->field);
   json_string(f, name);
   fprintf(f, "}]}]");
}

static void
sarif_result(FILE *f, const struct pergola_diagnostic *d)
{
   static const char *const level[] = {"note", "warning", "error", "error"};
   fprintf(f, "{\"ruleId\":");
   json_string(f, d->rule);
   fprintf(f, ",\"level\":\"%s\",\"message\":{\"text\":", level[d->severity]);
   json_string(f, d->message);
   fprintf(f, "},\"occurrenceCount\":%llu", (unsigned long long)d->count);
   sarif_location(f, d);
   fprintf(f, ",\"properties\":{\"time_ns\":%llu}}", (unsigned long long)d->time_ns);
}

/* What follows the results. */
static void
sarif_tail(FILE *f, const struct diagnostic_store *s)
{
   fprintf(f, "\n],\"tool\":{\"driver\":{\"name\":\"pergola\",\"version\":\"%d.%d\",\"rules\":[",
           PERGOLA_VERSION_MAJOR, PERGOLA_VERSION_MINOR);
   sarif_rules(f, s);
   fprintf(f, "]}}}]}\n");
}

static void
sarif_begin(struct report *r)
{
   fprintf(r->file,
           "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\","
           "\"runs\":[{\"results\":[");
   r->results = 0;
   r->end = ftello(r->file);
}

/* The results that are not in the file yet, over the tail of before, and a new tail. */
static void
sarif_append(struct report *r, const struct diagnostic_store *s)
{
   if (r->seekable)
      fseeko(r->file, r->end, SEEK_SET);
   for (; r->results < s->count; r->results++) {
      fprintf(r->file, "%s\n", r->results ? "," : "");
      sarif_result(r->file, &s->entry[r->results].d);
   }
   r->end = ftello(r->file);
   sarif_tail(r->file, s);
   fflush(r->file);
}

/* A program may end in ways that nobody hears of: at any time the file is complete, or as good as
 * that. */
#define SARIF_EACH                                                                                 \
   256u /* so many results are written one by one; later ones come in bundles of as many */

void
report_diagnostic(struct report *r, const struct diagnostic_store *s,
                  const struct pergola_diagnostic *d)
{
   if (r->format == RULES_TEXT)
      text_line(r->file, d);
   else if (r->format == RULES_JSON)
      json_line(r->file, d);
   else if (r->seekable && (s->count <= SARIF_EACH || s->count % SARIF_EACH == 0))
      sarif_append(r, s);
   if (r->format != RULES_SARIF)
      fflush(r->file);
}

void
report_close(struct report *r, const struct diagnostic_store *s)
{
   if (r->format == RULES_SARIF) {
      /* All of it anew: now it is known how often each has occurred. */
      if (r->seekable)
         rewind(r->file);
      sarif_begin(r);
      sarif_append(r, s);
   }
   if (r->file == stdout || r->file == stderr)
      fflush(r->file);
   else
      fclose(r->file);
}

int
rules_open_report(struct pergola_device *dev, const char *path, enum rules_format format)
{
   struct rules *r = dev->rules;
   if (r->report_count == RULES_MAX_REPORTS)
      return -ENOSPC;
   FILE *f = strcmp(path, "-") ? fopen(path, "we") : stderr;
   if (!f)
      return -errno;
   struct report report = {.file = f, .format = format, .seekable = f != stderr && ftello(f) >= 0};
   pthread_mutex_lock(&r->lock);
   if (format == RULES_SARIF && report.seekable) {
      sarif_begin(&report);
      sarif_append(&report, &r->store);
   }
   r->report[r->report_count++] = report;
   pthread_mutex_unlock(&r->lock);
   return 0;
}
