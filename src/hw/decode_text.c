/* The decoder's output for people. */
#include "hw/decode.h"

#include <string.h>

struct palette {
   const char *name, *address, *value, *bad, *dim, *off;
};

static const struct palette *
palette(const struct hw_decode_writer *w)
{
   static const struct palette plain = {"", "", "", "", "", ""};
   static const struct palette color = {"\033[1;36m", "\033[33m", "\033[32m",
                                        "\033[1;31m", "\033[2m",  "\033[0m"};
   return w->color ? &color : &plain;
}

static void
indent(FILE *out, unsigned levels)
{
   while (levels--)
      fputs("   ", out);
}

struct text_fields {
   struct hw_decode_writer *w;
   const struct hw_decode_command *c;
   const char *group;
   unsigned group_index;
   unsigned dw; /* the last whose value has been shown */
};

static void
begin_dword(struct text_fields *t, unsigned dw)
{
   if (t->dw == dw)
      return;
   t->dw = dw;
   const struct palette *p = palette(t->w);
   indent(t->w->out, t->c->level + 1);
   fprintf(t->w->out, "%s0x%08x:  0x%08x%s  DW%u\n", p->dim, t->c->address + 4 * dw, t->c->dw[dw],
           p->off, dw);
}

static void
text_field(void *data, const struct hw_decode_field *f)
{
   struct text_fields *t = data;
   const struct palette *p = palette(t->w);
   FILE *out = t->w->out;
   if (t->w->brief && !f->raw && !f->problem)
      return;
   if (!t->w->brief)
      begin_dword(t, f->dw);
   bool inside = f->group[0] != 0;
   if (inside && !f->nested && (f->group != t->group || f->group_index != t->group_index)) {
      indent(out, t->c->level + 2);
      fprintf(out, "%s %u\n", f->group, f->group_index);
   }
   if (!f->nested) {
      t->group = f->group;
      t->group_index = f->group_index;
   }
   char value[128];
   hw_field_print(f->field, f->raw, value, sizeof(value));
   indent(out, t->c->level + 2 + inside);
   if (f->problem)
      fprintf(out, "%s%s [%u:%u]: %s: %s%s\n", p->bad, f->field->name, f->hi, f->lo, value,
              f->problem, p->off);
   else
      fprintf(out, "%s: %s%s%s\n", f->field->name, p->value, value, p->off);
}

static void
text_past(void *data, unsigned dw, uint32_t value)
{
   struct text_fields *t = data;
   const struct palette *p = palette(t->w);
   const struct hw_command *d = t->c->desc;
   indent(t->w->out, t->c->level + 1);
   bool fixed = d && !d->layout.variable;
   fprintf(t->w->out, "%s0x%08x:  0x%08x%s  DW%u%s%s%s\n", p->dim, t->c->address + 4 * dw, value,
           p->off, dw, fixed ? p->bad : "", fixed ? " past the end of the command" : "",
           fixed ? p->off : "");
}

static void
text_command(void *data, const struct hw_decode_command *c)
{
   struct hw_decode_writer *w = data;
   const struct palette *p = palette(w);
   w->written++;
   indent(w->out, c->level);
   fprintf(w->out, "%s0x%08x%s:  0x%08x  ", p->address, c->address, p->off, c->dw[0]);
   if (c->desc) {
      fprintf(w->out, "%s%s%s", p->name, c->desc->layout.name, p->off);
   } else {
      char what[160];
      hw_decode_unknown(c->dw[0], w->engine_bit, w->device_bit, what, sizeof(what));
      fprintf(w->out, "%sunknown command: %s%s", p->bad, what, p->off);
   }
   if (c->length_dw > 1)
      fprintf(w->out, " %s(%u dwords)%s", p->dim, c->length_dw, p->off);
   if (c->count_dw < c->length_dw)
      fprintf(w->out, " %scut off: the file has %u of them%s", p->bad, c->count_dw, p->off);
   else if (c->desc && c->length_dw < c->desc->layout.length_dw)
      fprintf(w->out, " %stoo short: the command has %u%s", p->bad, c->desc->layout.length_dw,
              p->off);
   putc('\n', w->out);
   struct text_fields t = {.w = w, .c = c, .group = "", .dw = 0};
   hw_decode_fields(c, text_field, text_past, &t);
}

static void
text_note(void *data, unsigned level, uint32_t address, const char *text)
{
   struct hw_decode_writer *w = data;
   const struct palette *p = palette(w);
   indent(w->out, level);
   fprintf(w->out, "%s0x%08x:  -- %s%s\n", p->dim, address, text, p->off);
}

void
hw_decode_text(struct hw_decode_writer *w, struct hw_decode_sink *sink)
{
   *sink = (struct hw_decode_sink){w, text_command, text_note};
}
