/* Programs: statements, labels, and the bytes at the end. */
#include "eu/isa/asm_inst.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A program of untrusted size must not grow without bound. */
#define MAX_INSTRUCTIONS (1u << 20)

struct assembly {
   struct asm_cursor c;
   struct asm_statement *statements;
   size_t count, room;
   struct eu_program *program;
   uint32_t offset;
};

static void *
grow(void *array, size_t count, size_t *room, size_t element)
{
   if (count < *room)
      return array;
   *room = *room ? *room * 2 : 16;
   return realloc(array, *room * element);
}

static bool
add_label(struct assembly *a, const char *name, size_t length)
{
   struct eu_program *p = a->program;
   for (size_t i = 0; i < p->label_count; i++)
      if (strlen(p->labels[i].name) == length && !memcmp(p->labels[i].name, name, length))
         return asm_fail(&a->c, "the label '%.*s' is there already", (int)length, name);
   if (p->label_count >= MAX_INSTRUCTIONS)
      return asm_fail(&a->c, "too many labels");
   /* Doubling at powers of two keeps the room implicit. */
   if (!(p->label_count & (p->label_count - 1))) {
      size_t room = p->label_count ? p->label_count * 2 : 1;
      struct eu_label *labels = realloc(p->labels, room * sizeof(*labels));
      if (!labels)
         return asm_fail(&a->c, "out of memory");
      p->labels = labels;
   }
   char *copy = strndup(name, length);
   if (!copy)
      return asm_fail(&a->c, "out of memory");
   p->labels[p->label_count++] = (struct eu_label){copy, a->offset};
   return true;
}

/* A name and a colon, at the start of a statement. */
static bool
take_label(struct assembly *a, bool *taken)
{
   const char *name, *start = a->c.at;
   size_t length = asm_name(&a->c, &name);
   *taken = length && a->c.at < a->c.end && *a->c.at == ':';
   if (!*taken) {
      a->c.at = start;
      return true;
   }
   bool ok = add_label(a, name, length);
   a->c.at++;
   return ok;
}

static bool
add_statement(struct assembly *a)
{
   if (a->count >= MAX_INSTRUCTIONS)
      return asm_fail(&a->c, "too many instructions");
   void *p = grow(a->statements, a->count, &a->room, sizeof(*a->statements));
   if (!p)
      return asm_fail(&a->c, "out of memory");
   a->statements = p;
   struct asm_statement *s = &a->statements[a->count];
   memset(s, 0, sizeof(*s));
   s->offset = a->offset;
   s->line = a->c.line;
   s->column = (unsigned)(a->c.at - a->c.line_start) + 1;
   if (!asm_statement(&a->c, s))
      return false;
   a->count++;
   a->offset += s->size;
   return true;
}

static bool
parse_program(struct assembly *a)
{
   while (asm_peek(&a->c)) {
      bool label;
      if (!take_label(a, &label))
         return false;
      if (!label && !add_statement(a))
         return false;
   }
   return !a->c.error->line;
}

static bool
fail_at(struct assembly *a, unsigned line, unsigned column, const char *what,
        const struct asm_target *t)
{
   a->c.error->line = line;
   a->c.error->column = column;
   snprintf(a->c.error->message, sizeof(a->c.error->message), what, (int)t->length, t->name);
   return false;
}

static bool
no_label(struct assembly *a, const struct asm_target *t)
{
   struct asm_near near = {0};
   struct eu_asm_error *e = a->c.error;
   for (size_t i = 0; i < a->program->label_count; i++)
      asm_near_look(&near, t->name, t->length, a->program->labels[i].name);
   fail_at(a, t->line, t->column, "there is no label '%.*s'", t);
   size_t used = strlen(e->message);
   if (near.word)
      snprintf(e->message + used, sizeof(e->message) - used, "; did you mean '%s'?", near.word);
   return false;
}

/* The distance in the unit and from the place that the instruction counts in. */
static bool
resolve(struct assembly *a, const struct asm_statement *s, const struct asm_target *t,
        int32_t *value)
{
   const struct eu_program *p = a->program;
   bool haswell = a->c.device & HW_HSW;
   size_t i = 0;
   while (i < p->label_count &&
          (strlen(p->labels[i].name) != t->length || memcmp(p->labels[i].name, t->name, t->length)))
      i++;
   if (i == p->label_count)
      return no_label(a, t);
   int64_t distance = (int64_t)p->labels[i].offset - s->offset;
   bool bytes = false;
   switch (s->inst.opcode) {
   case EU_OP_JMPI:
      distance -= s->size;
      bytes = haswell;
      break;
   case EU_OP_CALL:
      bytes = haswell;
      break;
   case EU_OP_CALLA:
      distance = p->labels[i].offset;
      bytes = true;
      break;
   default:
      break;
   }
   if (!bytes)
      distance /= 8;
   if (!bytes && (distance < INT16_MIN || distance > INT16_MAX))
      return fail_at(a, t->line, t->column, "the label '%.*s' is too far away", t);
   *value = (int32_t)distance;
   return true;
}

static bool
finish_statement(struct assembly *a, struct asm_statement *s)
{
   int32_t value;
   uint8_t *bytes = a->program->bytes + s->offset;
   if (s->raw) {
      memcpy(bytes, s->xor_dw, s->size);
      return true;
   }
   if (s->jip.length) {
      if (!resolve(a, s, &s->jip, &value))
         return false;
      s->inst.jip = value;
      if (s->inst.opcode == EU_OP_JMPI)
         s->inst.src[0].imm = (uint32_t)value;
   }
   if (s->uip.length) {
      if (!resolve(a, s, &s->uip, &value))
         return false;
      s->inst.uip = value;
   }
   uint32_t dw[4];
   uint64_t compact;
   eu_inst_encode(&s->inst, a->c.device, dw);
   for (unsigned i = 0; i < 4; i++)
      dw[i] ^= s->xor_dw[i];
   if (s->size == EU_INST_SIZE) {
      memcpy(bytes, dw, EU_INST_SIZE);
      return true;
   }
   if (!eu_inst_compact(dw, &compact))
      return fail_at(a, s->line, s->column, "the instruction has no compact form%.*s",
                     &(struct asm_target){.name = ""});
   memcpy(bytes, &compact, EU_COMPACT_SIZE);
   return true;
}

static bool
finish(struct assembly *a)
{
   struct eu_program *p = a->program;
   p->bytes = calloc(1, a->offset ? a->offset : 1);
   p->lines = calloc(a->count ? a->count : 1, sizeof(*p->lines));
   if (!p->bytes || !p->lines)
      return asm_fail(&a->c, "out of memory");
   p->size = a->offset;
   for (size_t i = 0; i < a->count; i++) {
      if (!finish_statement(a, &a->statements[i]))
         return false;
      p->lines[p->line_count].offset = a->statements[i].offset;
      p->lines[p->line_count++].line = a->statements[i].line;
   }
   return true;
}

bool
eu_asm_text(const char *text, size_t length, unsigned device, struct eu_program *out,
            struct eu_asm_error *error)
{
   struct assembly a = {
       .c = {.text = text,
             .end = text + length,
             .at = text,
             .line_start = text,
             .line = 1,
             .device = device,
             .error = error},
       .program = out,
   };
   memset(out, 0, sizeof(*out));
   memset(error, 0, sizeof(*error));
   bool ok = parse_program(&a) && finish(&a);
   free(a.statements);
   if (!ok)
      eu_program_free(out);
   return ok;
}

void
eu_program_free(struct eu_program *p)
{
   for (size_t i = 0; i < p->label_count; i++)
      free(p->labels[i].name);
   free(p->labels);
   free(p->lines);
   free(p->bytes);
   memset(p, 0, sizeof(*p));
}

bool
eu_program_label(const struct eu_program *p, const char *name, uint32_t *offset)
{
   for (size_t i = 0; i < p->label_count; i++)
      if (!strcmp(p->labels[i].name, name)) {
         *offset = p->labels[i].offset;
         return true;
      }
   return false;
}
