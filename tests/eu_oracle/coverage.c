#include "coverage.h"

#include <stdio.h>

static unsigned
log2_of(unsigned v)
{
   unsigned n = 0;
   while (v >>= 1)
      n++;
   return n;
}

void
coverage_note(struct coverage *c, const struct oracle *o, const struct eu_inst *i)
{
   c->opcode[i->opcode]++;
   if (i->opcode == EU_OP_NOP)
      return;
   c->size[log2_of(i->exec_size)]++;
   (i->align16 ? c->predicate16 : c->predicate1)[i->predicate]++;
   c->condition[i->cond_modifier]++;
   c->rounding[o->cr0 >> 4 & 3]++;
   c->alt += o->cr0 & 1;
   c->vector_mask += o->cr0 >> 3 & 1;
   c->acc_disabled += i->acc_write && (o->cr0 & 2);
   c->compact += i->compact;
   c->align16 += i->align16;
   c->saturate += i->saturate;
   c->acc_write += i->acc_write;
   c->no_mask += i->no_mask;
   c->indirect_dst += i->dst.indirect;
   c->acc_dst += i->dst.file == EU_FILE_ARF && (i->dst.nr & 0xF0) == EU_ARF_ACC;
   c->dst_type[i->dst.type]++;
   if (i->opcode != EU_OP_JMPI)
      c->compressed += oracle_halves(o, i) == 2;
   for (unsigned n = 0; n < eu_opcodes[i->opcode].sources; n++) {
      const struct eu_operand *s = &i->src[n];
      c->src_type[s->type]++;
      c->immediate += s->file == EU_FILE_IMM;
      c->acc_source += s->file == EU_FILE_ARF && (s->nr & 0xF0) == EU_ARF_ACC;
      c->abs += s->abs;
      c->negate += s->negate;
      c->indirect_src += s->indirect;
      c->per_row += s->indirect && s->vstride == EU_VSTRIDE_VXH && s->width > 1;
      c->per_element += s->indirect && s->vstride == EU_VSTRIDE_VXH && s->width == 1;
   }
}

static bool
opcode_wanted(unsigned op)
{
   const struct eu_opcode_info *info = eu_opcode_info(op, HW_IVB);
   return info && op != EU_OP_MATH &&
          (info->format == EU_FORMAT_BASIC || info->format == EU_FORMAT_THREE);
}

static const char *
first_zero(const unsigned long *counts, unsigned from, unsigned to, const char *what, char text[80])
{
   for (unsigned n = from; n < to; n++)
      if (!counts[n]) {
         snprintf(text, 80, "%s %u", what, n);
         return text;
      }
   return NULL;
}

const char *
coverage_gap(const struct coverage *c, char text[80])
{
   const unsigned long marks[] = {
       c->alt,         c->vector_mask, c->align16,  c->indirect_src, c->indirect_dst, c->per_row,
       c->per_element, c->compressed,  c->saturate, c->acc_write,    c->acc_source,   c->acc_dst,
       c->no_mask,     c->immediate,   c->abs,      c->negate,       c->acc_disabled, c->compact};
   const struct {
      const unsigned long *counts;
      unsigned from, to;
      const char *what;
   } lists[] = {
       {c->size, 0, 6, "execution size code"},
       {c->predicate1, 0, 14, "Align1 predicate"},
       {c->predicate16, 0, 8, "Align16 predicate"},
       {c->condition, 0, 7, "condition"},
       {c->condition, 8, 10, "condition"},
       {c->rounding, 0, 4, "rounding mode"},
       {c->dst_type, 0, 6, "destination type"},
       {c->src_type, 0, 6, "source type"},
       {c->src_type, 12, 15, "vector immediate"},
       {marks, 0, sizeof(marks) / sizeof(marks[0]), "mark"},
   };
   for (unsigned op = 0; op < 128; op++)
      if (opcode_wanted(op) && !c->opcode[op]) {
         snprintf(text, 80, "opcode %s", eu_opcodes[op].name);
         return text;
      }
   for (unsigned n = 0; n < sizeof(lists) / sizeof(lists[0]); n++) {
      const char *gap =
          first_zero(lists[n].counts, lists[n].from, lists[n].to, lists[n].what, text);
      if (gap)
         return gap;
   }
   return NULL;
}
