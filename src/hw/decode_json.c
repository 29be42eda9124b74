/* The decoder's output for programs: one array, a command or a note per line. */
#include "hw/decode.h"

#include <math.h>
#include <string.h>

static void
json_string(FILE *out, const char *s)
{
   putc('"', out);
   for (; *s; s++) {
      if (*s == '"' || *s == '\\')
         putc('\\', out);
      putc((unsigned char)*s < 0x20 ? ' ' : *s, out);
   }
   putc('"', out);
}

struct json_fields {
   FILE *out;
   bool first;
};

static void
json_field(void *data, const struct hw_decode_field *f)
{
   struct json_fields *j = data;
   char value[128];
   hw_field_print(f->field, f->raw, value, sizeof(value));
   fprintf(j->out, "%s{\"name\":", j->first ? "" : ",");
   j->first = false;
   json_string(j->out, f->field->name);
   fprintf(j->out, ",\"dw\":%u,\"hi\":%u,\"lo\":%u,\"raw\":%llu,\"value\":", f->dw, f->hi, f->lo,
           (unsigned long long)f->raw);
   json_string(j->out, value);
   if (f->field->unit[0]) {
      fputs(",\"unit\":", j->out);
      json_string(j->out, f->field->unit);
   }
   if (f->group[0]) {
      fputs(",\"in\":", j->out);
      json_string(j->out, f->group);
      fprintf(j->out, ",\"index\":%u", f->group_index);
   }
   if (f->problem) {
      fputs(",\"problem\":", j->out);
      json_string(j->out, f->problem);
   }
   putc('}', j->out);
}

static void
json_past(void *data, unsigned dw, uint32_t value)
{
   (void)data, (void)dw, (void)value; /* the list of dwords has it */
}

static void
separate(struct hw_decode_writer *w)
{
   fputs(w->written++ ? ",\n" : "\n", w->out);
}

static void
json_command(void *data, const struct hw_decode_command *c)
{
   struct hw_decode_writer *w = data;
   separate(w);
   fprintf(w->out, "{\"address\":%u,\"level\":%u,\"name\":", c->address, c->level);
   if (c->desc)
      json_string(w->out, c->desc->layout.name);
   else
      fputs("null", w->out);
   fprintf(w->out, ",\"length\":%u", c->length_dw);
   if (c->count_dw < c->length_dw)
      fputs(",\"cut_off\":true", w->out);
   if (!c->desc) {
      char what[160];
      hw_decode_unknown(c->dw[0], w->engine_bit, w->device_bit, what, sizeof(what));
      fputs(",\"unknown\":", w->out);
      json_string(w->out, what);
   }
   fputs(",\"dwords\":[", w->out);
   for (uint32_t i = 0; i < c->count_dw; i++)
      fprintf(w->out, "%s%u", i ? "," : "", c->dw[i]);
   fputs("],\"fields\":[", w->out);
   struct json_fields j = {w->out, true};
   hw_decode_fields(c, json_field, json_past, &j);
   fputs("]}", w->out);
}

static void
json_note(void *data, unsigned level, uint32_t address, const char *text)
{
   struct hw_decode_writer *w = data;
   separate(w);
   fprintf(w->out, "{\"address\":%u,\"level\":%u,\"note\":", address, level);
   json_string(w->out, text);
   putc('}', w->out);
}

void
hw_decode_json(struct hw_decode_writer *w, struct hw_decode_sink *sink)
{
   *sink = (struct hw_decode_sink){w, json_command, json_note};
}

void
hw_decode_json_begin(struct hw_decode_writer *w)
{
   putc('[', w->out);
}

void
hw_decode_json_end(struct hw_decode_writer *w)
{
   fputs("\n]\n", w->out);
}
