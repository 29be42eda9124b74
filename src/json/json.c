#include "json/json.h"

#include <inttypes.h>

static void
quoted(FILE *f, const char *text)
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

/* What comes before a value. */
static void
lead_in(struct json *j, const char *key)
{
   uint32_t here = 1u << (j->depth & 31);
   if (j->more & here)
      putc(',', j->file);
   if (j->line)
      putc('\n', j->file);
   j->line = false;
   if (j->depth)
      j->more |= here;
   if (!key)
      return;
   quoted(j->file, key);
   putc(':', j->file);
}

static void
open_with(struct json *j, const char *key, char bracket)
{
   lead_in(j, key);
   putc(bracket, j->file);
   j->depth++;
   j->more &= ~(1u << (j->depth & 31));
}

void
json_object(struct json *j, const char *key)
{
   open_with(j, key, '{');
}

void
json_array(struct json *j, const char *key)
{
   open_with(j, key, '[');
}

void
json_end_object(struct json *j)
{
   j->depth--;
   putc('}', j->file);
}

void
json_end_array(struct json *j)
{
   j->depth--;
   putc(']', j->file);
}

void
json_text(struct json *j, const char *key, const char *text)
{
   lead_in(j, key);
   if (text)
      quoted(j->file, text);
   else
      fputs("null", j->file);
}

void
json_unsigned(struct json *j, const char *key, uint64_t value)
{
   lead_in(j, key);
   fprintf(j->file, "%" PRIu64, value);
}

void
json_signed(struct json *j, const char *key, int64_t value)
{
   lead_in(j, key);
   fprintf(j->file, "%" PRId64, value);
}

void
json_bool(struct json *j, const char *key, bool value)
{
   lead_in(j, key);
   fputs(value ? "true" : "false", j->file);
}

void
json_hex(struct json *j, const char *key, unsigned digits, uint64_t value)
{
   lead_in(j, key);
   fprintf(j->file, "\"0x%0*" PRIx64 "\"", (int)digits, value);
}

void
json_thousandths(struct json *j, const char *key, uint64_t value)
{
   lead_in(j, key);
   fprintf(j->file, "%" PRIu64 ".%03" PRIu64, value / 1000, value % 1000);
}

FILE *
json_value(struct json *j, const char *key)
{
   lead_in(j, key);
   return j->file;
}

void
json_line(struct json *j)
{
   j->line = true;
}
