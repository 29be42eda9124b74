/* Reports to files: text, JSON lines and SARIF 2.1, as things happen. */
#include "rules/rules_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *
severity_name(enum pergola_severity s)
{
   static const char *const names[] = {"note", "warning", "error", "fatal"};
   return names[s];
}

static void
diagnostic_line(FILE *f, const struct pergola_diagnostic *d)
{
   struct json j = {.file = f};
   json_object(&j, NULL);
   json_text(&j, "severity", severity_name(d->severity));
   json_text(&j, "rule", d->rule);
   json_text(&j, "title", d->title);
   json_text(&j, "source", d->source);
   json_text(&j, "engine", d->engine);
   if (d->has_address)
      json_hex(&j, "address", 1, d->address);
   if (d->has_other)
      json_hex(&j, "other_address", 1, d->other);
   json_text(&j, "subject", d->subject);
   json_text(&j, "field", d->field);
   json_text(&j, "message", d->message);
   if (d->where[0])
      json_text(&j, "where", d->where);
   if (d->unmodelled)
      json_bool(&j, "unmodelled", true);
   json_unsigned(&j, "time_ns", d->time_ns);
   json_end_object(&j);
   putc('\n', f);
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
   if (d->where[0])
      fprintf(f, "  in %s\n", d->where);
   if (d->title[0])
      fprintf(f, "  %s: %s", d->rule, d->title);
   if (d->source[0])
      fprintf(f, " (%s)", d->source);
   if (d->title[0])
      putc('\n', f);
}

/* {"text": ...} as a member. */
static void
sarif_text(struct json *j, const char *key, const char *text)
{
   json_object(j, key);
   json_text(j, "text", text);
   json_end_object(j);
}

/* Where the manual that is named first is to be had: "IVB vol 2 part 2, p. 57" by its file and
 * page, others by the directory of their family. */
static void
sarif_manual(struct json *j, const char *source)
{
   unsigned volume, part, page;
   char address[120];
   if (sscanf(source, "IVB vol %u part %u, p. %u", &volume, &part, &page) == 3) {
      snprintf(address, sizeof(address),
               "https://www.x.org/docs/intel/IVB/IHD_OS_Vol%u_Part%u.pdf#page=%u", volume, part,
               page);
      json_text(j, "helpUri", address);
      return;
   }
   static const struct {
      const char *family, *address;
   } manuals[] = {{"IVB", "https://www.x.org/docs/intel/IVB/"},
                  {"SNB", "https://www.x.org/docs/intel/SNB/"},
                  {"VLV", "https://www.x.org/docs/intel/BYT/"},
                  {"HSW", "https://www.x.org/docs/intel/HSW/"}};
   for (unsigned i = 0; i < sizeof(manuals) / sizeof(manuals[0]); i++)
      if (!strncmp(source, manuals[i].family, 3))
         json_text(j, "helpUri", manuals[i].address);
}

static void
sarif_rule(struct json *j, const struct pergola_diagnostic *d, const struct ledger_row *row)
{
   json_object(j, NULL);
   json_text(j, "id", d->rule);
   sarif_text(j, "shortDescription", d->title[0] ? d->title : d->rule);
   sarif_text(j, "fullDescription", row->requirement);
   char help[320];
   snprintf(help, sizeof(help), "%.200s; 'pergola rules %s' has the row", d->source, d->rule);
   sarif_text(j, "help", help);
   sarif_manual(j, d->source);
   json_object(j, "properties");
   json_text(j, "manual", d->source);
   json_end_object(j);
   json_end_object(j);
}

/* The rules that were broken, each once, in the order of first appearance. */
static void
sarif_rules(struct json *j, const struct diagnostic_store *s)
{
   bool *seen = calloc(ledger_row_count, sizeof(*seen));
   for (size_t i = 0; seen && i < s->count; i++) {
      const struct ledger_row *row = ledger_find(s->entry[i].d.rule);
      if (!row || seen[row - ledger_rows])
         continue;
      seen[row - ledger_rows] = true;
      sarif_rule(j, &s->entry[i].d, row);
   }
   free(seen);
}

static void
sarif_locations(struct json *j, const struct pergola_diagnostic *d)
{
   json_array(j, "locations");
   json_object(j, NULL);
   if (d->has_address) {
      json_object(j, "physicalLocation");
      json_object(j, "address");
      json_unsigned(j, "absoluteAddress", d->address);
      json_end_object(j);
      json_end_object(j);
   }
   char name[256];
   snprintf(name, sizeof(name), "%s%s%s%s%s", d->engine, d->subject[0] ? "/" : "", d->subject,
            d->field[0] ? "/" : "", d->field);
   json_array(j, "logicalLocations");
   json_object(j, NULL);
   json_text(j, "fullyQualifiedName", name);
   json_end_object(j);
   json_end_array(j);
   json_end_object(j);
   json_end_array(j);
   if (!d->has_other)
      return;
   json_array(j, "relatedLocations");
   json_object(j, NULL);
   json_object(j, "physicalLocation");
   json_object(j, "address");
   json_unsigned(j, "absoluteAddress", d->other);
   json_end_object(j);
   json_end_object(j);
   json_end_object(j);
   json_end_array(j);
}

static void
sarif_result(struct json *j, const struct pergola_diagnostic *d)
{
   static const char *const level[] = {"note", "warning", "error", "error"};
   json_line(j);
   json_object(j, NULL);
   json_text(j, "ruleId", d->rule);
   json_text(j, "level", level[d->severity]);
   sarif_text(j, "message", d->message);
   json_unsigned(j, "occurrenceCount", d->count);
   sarif_locations(j, d);
   json_object(j, "properties");
   if (d->where[0])
      json_text(j, "where", d->where);
   json_unsigned(j, "time_ns", d->time_ns);
   json_end_object(j);
   json_end_object(j);
}

/* What follows the results. The file is written over from here at every new result: by a copy of
 * the writer, which stays where it is. */
static void
sarif_tail(struct json j, const struct diagnostic_store *s)
{
   char version[24];
   snprintf(version, sizeof(version), "%d.%d", PERGOLA_VERSION_MAJOR, PERGOLA_VERSION_MINOR);
   json_end_array(&j);
   json_line(&j);
   json_object(&j, "tool");
   json_object(&j, "driver");
   json_text(&j, "name", "pergola");
   json_text(&j, "version", version);
   json_array(&j, "rules");
   sarif_rules(&j, s);
   json_end_array(&j);
   json_end_object(&j);
   json_end_object(&j);
   json_end_object(&j);
   json_end_array(&j);
   json_end_object(&j);
   putc('\n', j.file);
}

static void
sarif_begin(struct report *r)
{
   r->sarif = (struct json){.file = r->file};
   struct json *j = &r->sarif;
   json_object(j, NULL);
   json_text(j, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
   json_text(j, "version", "2.1.0");
   json_array(j, "runs");
   json_object(j, NULL);
   json_array(j, "results");
   r->results = 0;
   r->end = ftello(r->file);
}

/* The results that are not in the file yet, over the tail of before, and a new tail. */
static void
sarif_append(struct report *r, const struct diagnostic_store *s)
{
   if (r->seekable)
      fseeko(r->file, r->end, SEEK_SET);
   for (; r->results < s->count; r->results++)
      sarif_result(&r->sarif, &s->entry[r->results].d);
   r->end = ftello(r->file);
   sarif_tail(r->sarif, s);
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
   if (r->format == PERGOLA_REPORT_TEXT)
      text_line(r->file, d);
   else if (r->format == PERGOLA_REPORT_JSON)
      diagnostic_line(r->file, d);
   else if (r->seekable && (s->count <= SARIF_EACH || s->count % SARIF_EACH == 0))
      sarif_append(r, s);
   if (r->format != PERGOLA_REPORT_SARIF)
      fflush(r->file);
}

/* Findings of the sanitizer that were seen again: how often, which is known at the end only. */
static void
count_findings(struct report *r, const struct diagnostic_store *s)
{
   for (size_t i = 0; i < s->count; i++) {
      const struct pergola_diagnostic *d = &s->entry[i].d;
      if (d->count < 2 || strncmp(d->rule, "SAN-", 4))
         continue;
      if (r->format == PERGOLA_REPORT_TEXT) {
         fprintf(r->file, "%llu times: %s 0x%08llx %s [%s]\n", (unsigned long long)d->count,
                 d->engine, (unsigned long long)d->address, d->subject, d->rule);
         continue;
      }
      struct json j = {.file = r->file};
      json_object(&j, NULL);
      json_text(&j, "rule", d->rule);
      json_hex(&j, "address", 1, d->address);
      if (d->has_other)
         json_hex(&j, "other_address", 1, d->other);
      json_text(&j, "subject", d->subject);
      json_text(&j, "field", d->field);
      json_unsigned(&j, "count", d->count);
      json_end_object(&j);
      putc('\n', r->file);
   }
}

void
report_close(struct report *r, const struct diagnostic_store *s)
{
   if (r->format != PERGOLA_REPORT_SARIF)
      count_findings(r, s);
   if (r->format == PERGOLA_REPORT_SARIF) {
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
pergola_report_open(struct pergola_device *dev, const char *path, enum pergola_report_format format)
{
   struct rules *r = dev->rules;
   if (r->report_count == RULES_MAX_REPORTS)
      return -ENOSPC;
   FILE *f = strcmp(path, "-") ? fopen(path, "we") : stderr;
   if (!f)
      return -errno;
   struct report report = {.file = f, .format = format, .seekable = f != stderr && ftello(f) >= 0};
   pthread_mutex_lock(&r->lock);
   if (format == PERGOLA_REPORT_SARIF && report.seekable) {
      sarif_begin(&report);
      sarif_append(&report, &r->store);
   }
   r->report[r->report_count++] = report;
   pthread_mutex_unlock(&r->lock);
   return 0;
}
