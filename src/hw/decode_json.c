/* The decoder's output for programs: one array, a command or a note per line. */
#include "hw/decode.h"
#include "json/json.h"

static void
json_field(void *data, const struct hw_decode_field *f)
{
   struct json *j = data;
   char value[128];
   hw_field_print(f->field, f->raw, value, sizeof(value));
   json_object(j, NULL);
   json_text(j, "name", f->field->name);
   json_unsigned(j, "dw", f->dw);
   json_unsigned(j, "hi", f->hi);
   json_unsigned(j, "lo", f->lo);
   json_unsigned(j, "raw", f->raw);
   json_text(j, "value", value);
   if (f->field->unit[0])
      json_text(j, "unit", f->field->unit);
   if (f->group[0]) {
      json_text(j, "in", f->group);
      json_unsigned(j, "index", f->group_index);
   }
   if (f->problem)
      json_text(j, "problem", f->problem);
   json_end_object(j);
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
   struct json j = {.file = w->out};
   separate(w);
   json_object(&j, NULL);
   json_unsigned(&j, "address", c->address);
   json_unsigned(&j, "level", c->level);
   json_text(&j, "name", c->desc ? c->desc->layout.name : NULL);
   json_unsigned(&j, "length", c->length_dw);
   if (c->count_dw < c->length_dw)
      json_bool(&j, "cut_off", true);
   if (!c->desc) {
      char what[160];
      hw_decode_unknown(c->dw[0], w->engine_bit, w->device_bit, what, sizeof(what));
      json_text(&j, "unknown", what);
   }
   json_array(&j, "dwords");
   for (uint32_t i = 0; i < c->count_dw; i++)
      json_unsigned(&j, NULL, c->dw[i]);
   json_end_array(&j);
   json_array(&j, "fields");
   hw_decode_fields(c, json_field, json_past, &j);
   json_end_array(&j);
   json_end_object(&j);
}

static void
json_note(void *data, unsigned level, uint32_t address, const char *text)
{
   struct hw_decode_writer *w = data;
   struct json j = {.file = w->out};
   separate(w);
   json_object(&j, NULL);
   json_unsigned(&j, "address", address);
   json_unsigned(&j, "level", level);
   json_text(&j, "note", text);
   json_end_object(&j);
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
