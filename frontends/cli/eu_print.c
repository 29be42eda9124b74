/* What `pergola eu` shows: registers, buffers, the trace, the result as text or JSON. */
#include "eu.h"

#include "eu/isa/asm.h"
#include "json/json.h"
#include "rules/plural.h"

#include <string.h>

#define REG 32u

static const char *const states[] = {"ready", "waiting", "ended", "faulted", "break"};

struct eu_line_text
eu_line(struct eu_session *s, uint32_t offset, const char *before, const char *after)
{
   struct eu_line_text t = {""};
   unsigned line = pergola_eu_line_of(s->bench, offset);
   if (line)
      snprintf(t.text, sizeof(t.text), "%sline %u%s", before, line, after);
   return t;
}

void
eu_print_register(FILE *out, const uint8_t *grf, unsigned reg, enum eu_value_type type, bool marked)
{
   unsigned size = eu_value_size(type);
   fprintf(out, "%cg%-3u %-2s", marked ? '*' : ' ', reg, eu_type_words[type]);
   for (unsigned i = 0; i < REG; i += size) {
      fputc(' ', out);
      eu_print_value(out, type, grf + reg * REG + i, false);
   }
   fputc('\n', out);
}

static void
print_buffer(struct eu_session *s, const struct eu_place *p)
{
   enum eu_value_type type = p->typed ? p->type : EU_UD;
   unsigned size = eu_value_size(type);
   size_t total = s->buffer[p->index] ? s->buffer_size[p->index] / size : 0;
   size_t count = p->count ? p->count : 8;
   for (size_t i = p->sub; i < p->sub + count && i < total; i++) {
      if ((i - p->sub) % 8 == 0)
         fprintf(s->out, "%sb%u[%zu] %s", i > p->sub ? "\n" : "", p->index, i, eu_type_words[type]);
      fputc(' ', s->out);
      eu_print_value(s->out, type, s->buffer[p->index] + i * size, false);
   }
   fputc('\n', s->out);
}

void
eu_print_place(struct eu_session *s, unsigned thread, const struct eu_place *p)
{
   if (p->buffer) {
      print_buffer(s, p);
      return;
   }
   const uint8_t *grf = pergola_eu_grf(s->bench, thread);
   for (unsigned r = p->index; r <= p->last; r++)
      eu_print_register(s->out, grf, r, p->typed ? p->type : (enum eu_value_type)s->type[r],
                        memcmp(grf + r * REG, s->start[thread] + r * REG, REG) != 0);
}

static enum eu_value_type
value_type(unsigned type)
{
   switch (type) {
   case EU_TYPE_F:
      return EU_F;
   case EU_TYPE_DF:
      return EU_DF;
   case EU_TYPE_D:
      return EU_D;
   case EU_TYPE_W:
      return EU_W;
   case EU_TYPE_UW:
      return EU_UW;
   case EU_TYPE_B:
      return EU_B;
   case EU_TYPE_UB:
      return EU_UB;
   default:
      return EU_UD;
   }
}

/* The type that the instruction's destination has; responses of messages are dwords. */
static enum eu_value_type
written_type(const char *text)
{
   struct eu_program p;
   struct eu_asm_error e;
   struct eu_inst inst;
   const char *why;
   enum eu_value_type type = EU_UD;
   if (!strncmp(text, "send", 4) || !eu_asm_text(text, strlen(text), HW_IVB, &p, &e))
      return EU_UD;
   if (p.size && eu_inst_decode(p.bytes, p.size, HW_IVB, &inst, &why))
      type = value_type(inst.dst.type);
   eu_program_free(&p);
   return type;
}

void
eu_guess_types(struct eu_session *s)
{
   char text[EU_DISASM_MAX];
   unsigned size;
   for (uint32_t at = 0; (size = pergola_eu_text(s->bench, at, text, sizeof(text))); at += size) {
      const char *g = strstr(text, " g");
      unsigned reg = 0;
      if (!strncmp(text, "send", 4) || !g || sscanf(g, " g%u", &reg) != 1 || reg > 127)
         continue;
      s->type[reg] = (uint8_t)written_type(text);
      if (strstr(text, "(16)") && reg < 127)
         s->type[reg + 1] = s->type[reg];
   }
}

void
eu_print_deadlock(struct eu_session *s, FILE *out)
{
   struct pergola_eu_view v;
   pergola_eu_view(s->bench, 0, &v);
   fprintf(out, "no thread can go on: ");
   if (v.barrier_arrived)
      fprintf(out, "the barrier takes %u message%s, %u %s come\n", v.barrier_count,
              plural(v.barrier_count), v.barrier_arrived, have(v.barrier_arrived));
   else
      fprintf(out, "nobody is left to notify those that wait\n");
   for (unsigned t = 0; t < s->threads; t++) {
      char text[EU_DISASM_MAX] = "";
      pergola_eu_view(s->bench, t, &v);
      pergola_eu_text(s->bench, v.ip, text, sizeof(text));
      bool waits = v.state == PERGOLA_EU_WAITING;
      fprintf(out, "  thread %u %s", t, waits ? "waits" : states[v.state]);
      if (waits)
         fprintf(out, " at 0x%x%s%s: %s", v.ip, eu_line(s, v.ip, ", ", "").text,
                 v.at_barrier ? ", for the barrier" : ", for a notification", text);
      fputc('\n', out);
   }
}

void
eu_trace_instruction(void *data, unsigned thread, uint32_t offset, const char *text,
                     uint32_t channels)
{
   struct eu_session *s = data;
   const uint8_t *grf = pergola_eu_grf(s->bench, thread);
   enum eu_value_type type = EU_UD;
   bool known = false;
   if (s->trace) {
      if (s->threads > 1)
         fprintf(s->out, "t%u ", thread);
      else
         fputs(eu_line(s, offset, "", " ").text, s->out);
      fprintf(s->out, "0x%05x [%08x] %s\n", offset, channels, text);
   }
   if (s->svg)
      eu_svg_step(s->svg, thread, text, eu_line(s, offset, " ", "").text, channels);
   for (unsigned r = 0; r < 128; r++) {
      if (!memcmp(grf + r * REG, s->shadow[thread] + r * REG, REG))
         continue;
      if (!known) {
         uint8_t *kept = &s->writes[offset / 8 % sizeof(s->writes)];
         if (!*kept)
            *kept = (uint8_t)(1 + written_type(text));
         type = (enum eu_value_type)(*kept - 1);
         known = true;
      }
      s->type[r] = (uint8_t)type;
      if (s->svg)
         eu_svg_register(s->svg, r, type, grf + r * REG, s->shadow[thread] + r * REG);
      memcpy(s->shadow[thread] + r * REG, grf + r * REG, REG);
      if (s->trace)
         eu_print_register(s->out, grf, r, type, true);
   }
}

static void
print_flags(struct eu_session *s, const struct pergola_eu_view *v)
{
   if (v->flag[0] || v->flag[1])
      fprintf(s->out, " f0 0x%08x  f1 0x%08x\n", v->flag[0], v->flag[1]);
}

void
eu_print_result(struct eu_session *s, enum pergola_eu_state state)
{
   struct pergola_eu_view v = {0};
   uint64_t total = 0;
   for (unsigned t = 0; t < s->threads; t++) {
      const uint8_t *grf = pergola_eu_grf(s->bench, t);
      pergola_eu_view(s->bench, t, &v);
      total += v.instructions;
      if (s->threads > 1)
         fprintf(s->out, "thread %u: %s at 0x%x\n", t, states[v.state], v.ip);
      for (unsigned i = 0; i < s->show_count; i++)
         if (!s->show[i].buffer)
            eu_print_place(s, t, &s->show[i]);
      for (unsigned r = 0; !s->show_count && r < 128; r++)
         if (memcmp(grf + r * REG, s->start[t] + r * REG, REG))
            eu_print_register(s->out, grf, r, (enum eu_value_type)s->type[r], true);
      if (!s->show_count)
         print_flags(s, &v);
   }
   for (unsigned i = 0; i < s->show_count; i++)
      if (s->show[i].buffer)
         eu_print_place(s, 0, &s->show[i]);
   for (unsigned t = 0; t < s->threads; t++) { /* the first that the word is about */
      pergola_eu_view(s->bench, t, &v);
      if (v.state == state)
         break;
   }
   fprintf(s->out, "%s at 0x%x after %llu instruction%s\n",
           state == PERGOLA_EU_READY ? "out of budget" : states[state], v.ip,
           (unsigned long long)total, plural(total));
}

static void
json_values(struct json *j, enum eu_value_type type, const uint8_t *p, size_t bytes)
{
   unsigned size = eu_value_size(type);
   json_text(j, "type", eu_type_words[type]);
   json_array(j, "values");
   for (size_t i = 0; i + size <= bytes; i += size)
      eu_print_value(json_value(j, NULL), type, p + i, true);
   json_end_array(j);
}

static void
json_thread(struct eu_session *s, struct json *j, unsigned t)
{
   const uint8_t *grf = pergola_eu_grf(s->bench, t);
   struct pergola_eu_view v;
   pergola_eu_view(s->bench, t, &v);
   json_line(j);
   json_object(j, NULL);
   json_unsigned(j, "thread", t);
   json_text(j, "state", states[v.state]);
   json_unsigned(j, "ip", v.ip);
   json_unsigned(j, "instructions", v.instructions);
   json_unsigned(j, "dispatch_mask", v.dispatch_mask);
   json_unsigned(j, "active_mask", v.active_mask);
   json_unsigned(j, "f0", v.flag[0]);
   json_unsigned(j, "f1", v.flag[1]);
   json_array(j, "registers");
   for (unsigned r = 0; r < 128; r++) {
      bool changed = memcmp(grf + r * REG, s->start[t] + r * REG, REG) != 0;
      bool wanted = changed && !s->show_count;
      enum eu_value_type type = (enum eu_value_type)s->type[r];
      for (unsigned i = 0; i < s->show_count; i++) {
         const struct eu_place *p = &s->show[i];
         if (!p->buffer && p->index <= r && r <= p->last) {
            wanted = true;
            type = p->typed ? p->type : type;
         }
      }
      if (!wanted)
         continue;
      char name[8];
      snprintf(name, sizeof(name), "g%u", r);
      json_line(j);
      json_object(j, NULL);
      json_text(j, "register", name);
      json_bool(j, "changed", changed);
      json_values(j, type, grf + r * REG, REG);
      json_end_object(j);
   }
   json_end_array(j);
   json_end_object(j);
}

static void
json_buffer(struct eu_session *s, struct json *j, const struct eu_place *p)
{
   enum eu_value_type type = p->typed ? p->type : EU_UD;
   size_t from = (size_t)p->sub * eu_value_size(type);
   size_t bytes = (p->count ? p->count : 8) * eu_value_size(type);
   if (from >= s->buffer_size[p->index])
      return;
   if (bytes > s->buffer_size[p->index] - from)
      bytes = s->buffer_size[p->index] - from;
   json_line(j);
   json_object(j, NULL);
   json_unsigned(j, "buffer", p->index);
   json_unsigned(j, "first", p->sub);
   json_values(j, type, s->buffer[p->index] + from, bytes);
   json_end_object(j);
}

void
eu_print_json(struct eu_session *s, enum pergola_eu_state state)
{
   struct json j = {.file = s->out};
   json_object(&j, NULL);
   json_text(&j, "state", state == PERGOLA_EU_READY ? "out of budget" : states[state]);
   json_unsigned(&j, "diagnostics",
                 pergola_diagnostic_count(pergola_eu_device(s->bench), PERGOLA_NOTE));
   json_array(&j, "threads");
   for (unsigned t = 0; t < s->threads; t++)
      json_thread(s, &j, t);
   json_end_array(&j);
   json_array(&j, "buffers");
   for (unsigned i = 0; i < s->show_count; i++)
      if (s->show[i].buffer && s->buffer[s->show[i].index])
         json_buffer(s, &j, &s->show[i]);
   json_end_array(&j);
   json_end_object(&j);
   putc('\n', s->out);
}
