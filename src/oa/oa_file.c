/* Files of performance reports: reading, and what each dispatch adds. */
#include "oa/oa_file.h"

#include "json/json.h"

#include <inttypes.h>
#include <string.h>

const uint32_t oa_file_ctl[OA11_CTL] = {
    0x005004, 0x001000, 0x400002, 0x200300, 0x008003, 0x050010, 0x301060,
};

/* ---- reading --------------------------------------------------------------------------------- */

static bool
ends(const char *text, size_t room)
{
   return memchr(text, 0, room) != NULL;
}

const char *
oa_file_read(struct oa_file *f, const void *data, size_t size)
{
   const struct oa_file_header *h = data;
   if (size < sizeof(*h) || memcmp(h->magic, OA_FILE_MAGIC, sizeof(h->magic)))
      return "it is no recording of 'pergola run --oa'";
   size_t rest = size - sizeof(*h), count = rest / sizeof(struct oa_file_record);
   if (!count || rest % sizeof(struct oa_file_record))
      return "it is cut off";
   *f = (struct oa_file){.header = h, .record = (const void *)(h + 1), .dispatches = count - 1};
   if (!ends(h->part, sizeof(h->part)))
      return "the name of the part does not end";
   for (size_t i = 0; i < count; i++) {
      if (!ends(f->record[i].command, sizeof(f->record[i].command)))
         return "the name of a command does not end";
      if (f->record[i].number != i)
         return "its dispatches are not in order";
   }
   return NULL;
}

static uint64_t
counter_a(const uint32_t *report, unsigned n)
{
   uint64_t low = report[4 + n];
   return n < OA11_WIDE_A ? low | (uint64_t)(report[40 + n / 4] >> n % 4 * 8 & 0xff) << 32 : low;
}

/* Counters wrap; a difference is what was counted. */
static void
add_difference(const uint32_t *to, const uint32_t *from, struct oa_file_row *row)
{
   const uint64_t wide = (UINT64_C(1) << 40) - 1;
   row->ticks += to[3] - from[3];
   for (unsigned n = 0; n < OA11_A; n++)
      row->a[n] += (counter_a(to, n) - counter_a(from, n)) & (n < OA11_WIDE_A ? wide : UINT32_MAX);
   for (unsigned n = 0; n < OA11_B; n++) {
      row->b[n] += to[48 + n] - from[48 + n];
      row->c[n] += to[56 + n] - from[56 + n];
   }
}

void
oa_file_row(const struct oa_file *f, size_t dispatch, struct oa_file_row *row)
{
   memset(row, 0, sizeof(*row));
   add_difference(f->record[dispatch + 1].report, f->record[dispatch].report, row);
}

/* ---- printing -------------------------------------------------------------------------------- */

/* A22, A29 and A33 count what hierarchical depth fails and misses of caches, of which the model has
 * none. Columns of 0 width are not in the table. */
static const struct {
   const char *key;
   const char *title;
   uint8_t counter, width;
} columns[] = {
    {"gpu_busy", "busy clocks", 0, 12},
    {"vs_threads", "VS", 1, 8},
    {"hs_threads", "HS", 2, 6},
    {"ds_threads", "DS", 3, 6},
    {"gpgpu_threads", "GPGPU", 4, 8},
    {"gs_threads", "GS", 5, 6},
    {"ps_threads", "PS", 6, 8},
    {"eu_active", "EU clocks", 7, 14},
    {"eu_stalled", "stalled", 8, 12},
    {"fpu0_active", "FPU0", 9, 14},
    {"fpu1_active", "FPU1", 10, 12},
    {"sends", "sends", 11, 12},
    {"fpu0_mov", NULL, 12, 0},
    {"fpu0_binary", NULL, 13, 0},
    {"fpu0_ternary", NULL, 14, 0},
    {"both_fpus", NULL, 15, 0},
    {"thread_clocks_by_8", NULL, 16, 0},
    {"vs_fpu0", NULL, 17, 0},
    {"ps_fpu0", NULL, 18, 0},
    {"gpgpu_fpu0", NULL, 19, 0},
    {"fpu1_binary", NULL, 20, 0},
    {"rasterized_2x2", "raster 2x2", 21, 11},
    {"fast_failed_2x2", NULL, 22, 0},
    {"early_failed_2x2", NULL, 23, 0},
    {"killed_2x2", NULL, 24, 0},
    {"late_failed_2x2", NULL, 25, 0},
    {"written_2x2", "written 2x2", 26, 12},
    {"blended_2x2", NULL, 27, 0},
    {"sampler_2x2", "2x2s", 28, 10},
    {"sampler_misses", NULL, 29, 0},
    {"slm_reads", "SLM reads", 30, 10},
    {"slm_writes", "SLM writes", 31, 11},
    {"memory", "memory", 32, 12},
    {"memory_misses", NULL, 33, 0},
    {"atomics", "atomics", 34, 9},
    {"barriers", "barriers", 35, 9},
};
#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

static void
text_row(FILE *out, const char *number, const char *command, const struct oa_file_row *row)
{
   fprintf(out, "%8s  %-20.31s", number, command);
   for (unsigned i = 0; i < COLUMNS; i++)
      if (columns[i].width)
         fprintf(out, " %*" PRIu64, columns[i].width, row->a[columns[i].counter]);
   fputc('\n', out);
}

static void
text_head(FILE *out)
{
   fprintf(out, "%8s  %-20s", "dispatch", "command");
   for (unsigned i = 0; i < COLUMNS; i++)
      if (columns[i].width)
         fprintf(out, " %*s", columns[i].width, columns[i].title);
   fputc('\n', out);
}

/* Names come from the file: nothing of them ends a cell or a line. */
static void
clean(char to[32], const char *from)
{
   size_t n = 0;
   for (; from[n] && n < 31; n++)
      to[n] = from[n] > ' ' && from[n] < 0x7f && from[n] != ',' && from[n] != '"' ? from[n] : '?';
   to[n] = 0;
}

static void
csv_row(FILE *out, const char *number, const char *command, uint64_t address,
        const struct oa_file_row *row)
{
   fprintf(out, "%s,%s,0x%" PRIx64 ",%" PRIu64, number, command, address, row->ticks);
   for (unsigned i = 0; i < COLUMNS; i++)
      fprintf(out, ",%" PRIu64, row->a[columns[i].counter]);
   fputc('\n', out);
}

static void
json_row(struct json *j, const struct oa_file_row *row)
{
   json_unsigned(j, "gpu_ticks", row->ticks);
   for (unsigned i = 0; i < COLUMNS; i++)
      json_unsigned(j, columns[i].key, row->a[columns[i].counter]);
   json_end_object(j);
}

static void
sum_of(const struct oa_file *f, struct oa_file_row *sum)
{
   memset(sum, 0, sizeof(*sum));
   for (size_t i = 0; i < f->dispatches; i++)
      add_difference(f->record[i + 1].report, f->record[i].report, sum);
}

static void
print_json(const struct oa_file *f, FILE *out, bool total)
{
   struct json j = {.file = out};
   struct oa_file_row row;
   char name[32];
   json_object(&j, NULL);
   clean(name, f->header->part);
   json_text(&j, "part", name);
   json_unsigned(&j, "eus", f->header->eus);
   if (!total) {
      json_array(&j, "dispatches");
      for (size_t i = 0; i < f->dispatches; i++) {
         oa_file_row(f, i, &row);
         clean(name, f->record[i + 1].command);
         json_object(&j, NULL);
         json_unsigned(&j, "dispatch", i + 1);
         json_text(&j, "command", name);
         json_hex(&j, "address", 8, f->record[i + 1].address);
         json_row(&j, &row);
      }
      json_end_array(&j);
   }
   sum_of(f, &row);
   json_object(&j, "all");
   json_row(&j, &row);
   json_end_object(&j);
   fputc('\n', out);
}

static void
print_rows(const struct oa_file *f, FILE *out, bool csv, bool total)
{
   struct oa_file_row row;
   char name[32], number[24];
   for (size_t i = 0; i < f->dispatches && !total; i++) {
      const struct oa_file_record *r = &f->record[i + 1];
      oa_file_row(f, i, &row);
      clean(name, r->command);
      snprintf(number, sizeof(number), "%zu", i + 1);
      if (csv)
         csv_row(out, number, name, r->address, &row);
      else
         text_row(out, number, name, &row);
   }
   sum_of(f, &row);
   if (csv)
      csv_row(out, "all", "", 0, &row);
   else
      text_row(out, "all", "", &row);
}

void
oa_file_print(const struct oa_file *f, FILE *out, enum oa_file_form form, bool total)
{
   if (form == OA_FILE_JSON) {
      print_json(f, out, total);
      return;
   }
   if (form == OA_FILE_CSV) {
      fprintf(out, "dispatch,command,address,gpu_ticks");
      for (unsigned i = 0; i < COLUMNS; i++)
         fprintf(out, ",%s", columns[i].key);
      fputc('\n', out);
   } else {
      text_head(out);
   }
   print_rows(f, out, form == OA_FILE_CSV, total);
}
