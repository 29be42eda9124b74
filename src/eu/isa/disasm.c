/* Bytes to text. */
#include "eu/isa/disasm_text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* What a whole program adds to the printing of one instruction. */
struct labels {
   uint32_t *targets; /* LABEL<n> stands at targets[n] */
   size_t count;
   uint32_t offset; /* of the instruction being printed */
};

void
line_add(struct line *l, const char *format, ...)
{
   va_list ap;
   va_start(ap, format);
   int n = vsnprintf(l->text + l->length, sizeof(l->text) - l->length, format, ap);
   va_end(ap);
   if (n > 0)
      l->length += (size_t)n;
   if (l->length >= sizeof(l->text))
      l->length = sizeof(l->text) - 1;
}

/* At least one blank, up to the column. */
static void
line_pad(struct line *l, unsigned column)
{
   do
      line_add(l, " ");
   while (l->length - l->start < column && l->length < sizeof(l->text) - 1);
}

static void
print_register(struct line *l, const struct eu_operand *o)
{
   if (o->file != EU_FILE_ARF) {
      line_add(l, "g%u", o->nr);
      return;
   }
   const char *name = eu_name_of(eu_arf_names, o->nr & 0xF0, HW_IVB | HW_HSW);
   if (!name || !*name)
      line_add(l, "arf%u", o->nr);
   else if ((o->nr & 0xF0) == EU_ARF_NULL || (o->nr & 0xF0) == EU_ARF_IP)
      line_add(l, "%s", name);
   else
      line_add(l, "%s%u", name, o->nr & 0xF);
}

static void
print_location(struct line *l, const struct eu_operand *o)
{
   if (o->indirect) {
      line_add(l, "g[a0");
      if (o->addr_subnr)
         line_add(l, ".%u", o->addr_subnr);
      if (o->addr_imm)
         line_add(l, " %u", (unsigned)o->addr_imm & 0x3FF);
      line_add(l, "]");
      return;
   }
   print_register(l, o);
   if (o->subnr)
      line_add(l, ".%u", o->subnr / eu_type_size(o->type));
}

static const char *
type_name(unsigned type)
{
   return eu_name_of(eu_type_names, (int)type, HW_IVB | HW_HSW);
}

static void
print_dst(struct line *l, const struct eu_inst *i)
{
   const struct eu_operand *o = &i->dst;
   print_location(l, o);
   line_add(l, "<%u>", i->align16 ? 1 : o->hstride);
   if (i->align16 && o->writemask != 0xF) {
      line_add(l, ".");
      for (unsigned n = 0; n < 4; n++)
         if (o->writemask >> n & 1)
            line_add(l, "%c", "xyzw"[n]);
   }
   line_add(l, "%s", type_name(o->type));
}

static float
vector_float(unsigned byte)
{
   union {
      uint32_t u;
      float f;
   } v = {.u = (byte & 0x80) << 24};
   if (byte & 0x7F)
      v.u |= ((byte >> 4 & 7) + 124) << 23 | (byte & 0xF) << 19;
   return v.f;
}

static void
print_immediate(struct line *l, const struct eu_inst *i, const struct eu_operand *o)
{
   uint32_t v = (uint32_t)o->imm;
   double d;
   float f;
   switch (o->type) {
   case EU_TYPE_UD:
      line_add(l, "0x%08xUD", v);
      break;
   case EU_TYPE_D:
      line_add(l, "%dD", (int32_t)v);
      break;
   case EU_TYPE_UW:
      line_add(l, "0x%04xUW", v);
      break;
   case EU_TYPE_W:
      line_add(l, "%dW", (int16_t)v);
      break;
   case EU_TYPE_V:
   case EU_TYPE_UV:
      line_add(l, "0x%08x%s", v, type_name(o->type));
      break;
   case EU_TYPE_VF:
      line_add(l, "0x%xVF", v);
      line_pad(l, 48);
      line_add(l, "/* [%gF, %gF, %gF, %gF]VF */", vector_float(v & 0xFF),
               vector_float(v >> 8 & 0xFF), vector_float(v >> 16 & 0xFF), vector_float(v >> 24));
      break;
   case EU_TYPE_DF: /* dim writes its type as F */
      memcpy(&d, &o->imm, sizeof(d));
      line_add(l, "0x%llxF", (unsigned long long)o->imm);
      line_pad(l, 48);
      line_add(l, "/* %gF */", d);
      break;
   default:
      memcpy(&f, &v, sizeof(f));
      line_add(l, "0x%xF", v);
      line_pad(l, 48);
      line_add(l, " /* %gF */", f);
   }
   (void)i;
}

static void
print_swizzle(struct line *l, uint8_t swizzle)
{
   if (swizzle == 0xE4)
      return;
   line_add(l, ".%c", "xyzw"[swizzle & 3]);
   if (swizzle == (swizzle & 3) * 0x55)
      return;
   for (unsigned n = 1; n < 4; n++)
      line_add(l, "%c", "xyzw"[swizzle >> n * 2 & 3]);
}

static void
print_src(struct line *l, const struct eu_inst *i, const struct eu_operand *o)
{
   bool three = eu_opcodes[i->opcode].format == EU_FORMAT_THREE;
   if (o->file == EU_FILE_IMM) {
      print_immediate(l, i, o);
      return;
   }
   line_add(l, "%s%s", o->negate ? "-" : "", o->abs ? "(abs)" : "");
   print_location(l, o);
   if (three && o->rep_ctrl && !o->subnr)
      line_add(l, ".0");
   if (o->vstride == EU_VSTRIDE_VXH)
      line_add(l, "<VxH,%u,%u>", o->width, o->hstride);
   else if (i->align16 && !three)
      line_add(l, "<%u>", o->vstride);
   else
      line_add(l, "<%u,%u,%u>", o->vstride, o->width, o->hstride);
   if (i->align16 && !o->rep_ctrl)
      print_swizzle(l, o->swizzle);
   line_add(l, "%s", type_name(o->type));
}

static void
print_opcode(struct line *l, const struct eu_inst *i, const struct eu_opcode_info *info)
{
   if (i->predicate)
      line_add(l, "(%cf%u.%u%s) ", i->predicate_inverse ? '-' : '+', i->flag_nr, i->flag_subnr,
               eu_name_of(i->align16 ? eu_pred16_names : eu_pred1_names, i->predicate, HW_IVB));
   line_add(l, "%s", info->name);
   if (i->saturate && info->format != EU_FORMAT_SEND)
      line_add(l, ".sat");
   if (i->debug)
      line_add(l, ".breakpoint");
   if (info->format == EU_FORMAT_MATH)
      line_add(l, " %s", eu_name_of(eu_math_names, i->math_function, HW_IVB));
   if (i->cond_modifier) {
      line_add(l, "%s", eu_name_of(eu_cond_names, i->cond_modifier, HW_IVB));
      /* These use the condition without writing a flag. */
      if (i->opcode != EU_OP_SEL && i->opcode != EU_OP_IF && i->opcode != EU_OP_WHILE)
         line_add(l, ".f%u.%u", i->flag_nr, i->flag_subnr);
   }
   if (info->format != EU_FORMAT_NOP)
      line_add(l, "(%u)", i->exec_size);
}

static void
print_target(struct line *l, const struct labels *labels, const char *name, int32_t distance)
{
   uint32_t target = labels ? labels->offset + (uint32_t)distance * 8 : 0;
   line_add(l, "%s ", name);
   for (size_t n = 0; labels && n < labels->count; n++)
      if (labels->targets[n] == target) {
         line_add(l, "LABEL%zu", n);
         return;
      }
   line_add(l, "%d", distance);
}

static void
print_send(struct line *l, const struct eu_inst *i, unsigned device)
{
   line_pad(l, 16);
   print_dst(l, i);
   line_pad(l, 32);
   print_src(l, i, &i->src[0]);
   line_pad(l, 48);
   if (i->desc_is_reg) {
      print_src(l, i, &i->src[1]);
      line_pad(l, 64);
   }
   line_add(l, "0x%08x\n", i->dw[3]);
   l->start = l->length;
   line_pad(l, 28);
   line_add(l, "%s", eu_name_of(eu_sfid_names, i->sfid, device));
   disasm_message(l, i);
}

static void
print_operands(struct line *l, const struct eu_inst *i, const struct eu_opcode_info *info,
               const struct labels *labels)
{
   switch (info->format) {
   case EU_FORMAT_NOP:
   case EU_FORMAT_ILLEGAL:
      return;
   case EU_FORMAT_CALL:
      line_pad(l, 16);
      print_dst(l, i);
      line_pad(l, 32);
      print_target(l, NULL, "JIP:", i->jip);
      return;
   case EU_FORMAT_BRANCH:
      line_pad(l, 16);
      print_target(l, labels, "JIP:", i->jip);
      if (info->attrs & EU_OP_UIP) {
         line_pad(l, 38);
         print_target(l, labels, "UIP:", i->uip);
      }
      return;
   case EU_FORMAT_JMPI:
      line_pad(l, 16);
      print_src(l, i, &i->src[0]);
      return;
   default:
      line_pad(l, 16);
      print_dst(l, i);
      for (unsigned n = 0; n < info->sources && info->format != EU_FORMAT_WAIT; n++) {
         line_pad(l, 32 + n * 16);
         print_src(l, i, &i->src[n]);
      }
   }
}

static void
print_group(struct line *l, const struct eu_inst *i)
{
   if (i->exec_size < 8 || i->nibble)
      line_add(l, " %uN", i->quarter * 2u + i->nibble + 1);
   else if (i->exec_size == 8)
      line_add(l, " %uQ", i->quarter + 1u);
   else if (i->exec_size == 16)
      line_add(l, " %uH", i->quarter / 2u + 1);
}

static void
print_options(struct line *l, const struct eu_inst *i, const struct eu_opcode_info *info,
              const uint32_t patch[4])
{
   bool patched = patch[0] | patch[1] | patch[2] | patch[3];
   bool nop = info->format == EU_FORMAT_NOP;
   line_pad(l, 64);
   if (!nop || patched || i->compact) {
      line_add(l, "{");
      if (!nop) {
         line_add(l, " %s%s", i->align16 ? "align16" : "align1", i->no_mask ? " WE_all" : "");
         if (i->no_dd_clear || i->no_dd_check)
            line_add(l, " %s%s%s", i->no_dd_clear ? "NoDDClr" : "",
                     i->no_dd_clear && i->no_dd_check ? "," : "", i->no_dd_check ? "NoDDChk" : "");
         print_group(l, i);
      }
      line_add(l, "%s", i->compact ? " compacted" : "");
      if (!nop) {
         line_add(l, "%s",
                  i->thread_control == EU_THREAD_CONTROL_SWITCH ? " switch"
                  : i->thread_control                           ? " atomic"
                                                                : "");
         line_add(l, "%s%s", i->acc_write ? " AccWrEnable" : "", i->eot ? " EOT" : "");
      }
      for (unsigned n = 0; n < 4; n++)
         if (patch[n])
            line_add(l, " dw%u^0x%x", n, patch[n]);
      line_add(l, " }");
   }
   line_add(l, ";");
}

static void
print_instruction(struct line *l, const struct eu_inst *i, unsigned device, const uint32_t patch[4],
                  const struct labels *labels)
{
   const struct eu_opcode_info *info = &eu_opcodes[i->opcode];
   l->length = l->start = 0;
   print_opcode(l, i, info);
   if (info->format == EU_FORMAT_SEND)
      print_send(l, i, device);
   else
      print_operands(l, i, info, labels);
   print_options(l, i, info, patch);
}

static bool
assemble(const char *text, unsigned device, struct eu_program *p)
{
   struct eu_asm_error error;
   return eu_asm_text(text, strlen(text), device, p, &error);
}

/* Which bits the text does not show: found by assembling it (in the full form). */
static bool
find_patch(const struct eu_inst *i, unsigned device, uint32_t patch[4])
{
   static const uint32_t none[4];
   struct eu_inst full = *i;
   struct eu_program p;
   struct line l;
   uint32_t dw[4];
   full.compact = false;
   print_instruction(&l, &full, device, none, NULL);
   if (!assemble(l.text, device, &p))
      return false;
   memcpy(dw, p.bytes, EU_INST_SIZE);
   eu_program_free(&p);
   for (unsigned n = 0; n < 4; n++)
      patch[n] = dw[n] ^ i->dw[n];
   return true;
}

/* The finished text must give the very bytes again. */
static bool
text_is_exact(const char *text, const uint8_t *bytes, size_t size, unsigned device)
{
   struct eu_program p;
   if (!assemble(text, device, &p))
      return false;
   bool same = p.size == size && !memcmp(p.bytes, bytes, size);
   eu_program_free(&p);
   return same;
}

static void
print_raw(struct line *l, const uint8_t *bytes, size_t size, const char *why)
{
   l->length = l->start = 0;
   if (size < EU_COMPACT_SIZE) {
      line_add(l, "/*");
      for (size_t n = 0; n < size; n++)
         line_add(l, " %02x", bytes[n]);
      line_add(l, ": %s */", why);
      return;
   }
   line_add(l, ".dword");
   for (size_t n = 0; n + 4 <= size; n += 4) {
      uint32_t dw;
      memcpy(&dw, bytes + n, 4);
      line_add(l, " 0x%08x", dw);
   }
   line_add(l, ";");
   line_pad(l, 64);
   line_add(l, "/* illegal: %s */", why);
}

static size_t
disassemble(struct line *l, const uint8_t *bytes, size_t avail, unsigned device,
            const struct labels *labels)
{
   struct eu_inst i;
   const char *why;
   uint32_t patch[4];
   bool legal = eu_inst_decode(bytes, avail, device, &i, &why);
   size_t size = i.size < avail ? i.size : avail;
   if (size > EU_COMPACT_SIZE && size < EU_INST_SIZE)
      size = EU_COMPACT_SIZE;
   if (!legal) {
      print_raw(l, bytes, size, why);
      return size;
   }
   if (find_patch(&i, device, patch)) {
      print_instruction(l, &i, device, patch, NULL);
      if (text_is_exact(l->text, bytes, size, device)) {
         if (labels)
            print_instruction(l, &i, device, patch, labels);
         return size;
      }
   }
   print_raw(l, bytes, size, "the instruction cannot be written as text");
   return size;
}

size_t
eu_disasm(const uint8_t *bytes, size_t avail, unsigned device, char text[EU_DISASM_MAX])
{
   struct line l;
   size_t size = disassemble(&l, bytes, avail, device, NULL);
   memcpy(text, l.text, l.length + 1);
   return size;
}

void
eu_disasm_inst(const struct eu_inst *inst, unsigned device, char text[EU_DISASM_MAX])
{
   uint64_t compact;
   if (inst->compact && eu_inst_compact(inst->dw, &compact))
      eu_disasm((const uint8_t *)&compact, EU_COMPACT_SIZE, device, text);
   else
      eu_disasm((const uint8_t *)inst->dw, EU_INST_SIZE, device, text);
}

static void
add_target(struct labels *labels, uint32_t offset, int32_t distance, size_t size)
{
   int64_t target = (int64_t)offset + (int64_t)distance * 8;
   if (target < 0 || target > (int64_t)size)
      return;
   for (size_t n = 0; n < labels->count; n++)
      if (labels->targets[n] == target)
         return;
   labels->targets[labels->count++] = (uint32_t)target;
}

static size_t
step(const uint8_t *bytes, size_t avail, unsigned device, struct eu_inst *i, bool *legal)
{
   const char *why;
   *legal = eu_inst_decode(bytes, avail, device, i, &why);
   if (avail <= EU_COMPACT_SIZE)
      return avail;
   return i->size <= avail ? i->size : EU_COMPACT_SIZE;
}

/* Branch targets that are no start of an instruction stay numbers. */
static void
keep_starts(struct labels *labels, const uint8_t *starts, size_t size)
{
   size_t kept = 0;
   for (size_t n = 0; n < labels->count; n++)
      if (labels->targets[n] == size || starts[labels->targets[n] / 8])
         labels->targets[kept++] = labels->targets[n];
   labels->count = kept;
}

static void
collect_labels(struct labels *labels, const uint8_t *bytes, size_t size, unsigned device)
{
   uint8_t *starts = calloc(size / 8 + 1, 1);
   labels->targets = calloc(size / 8 * 2 + 2, sizeof(*labels->targets));
   if (!starts || !labels->targets) {
      free(starts);
      return;
   }
   for (size_t at = 0; at < size;) {
      struct eu_inst i;
      bool legal;
      size_t n = step(bytes + at, size - at, device, &i, &legal);
      starts[at / 8] = 1;
      if (legal && eu_opcodes[i.opcode].format == EU_FORMAT_BRANCH) {
         add_target(labels, (uint32_t)at, i.jip, size);
         if (eu_opcodes[i.opcode].attrs & EU_OP_UIP)
            add_target(labels, (uint32_t)at, i.uip, size);
      }
      at += n;
   }
   keep_starts(labels, starts, size);
   free(starts);
}

static void
print_label(FILE *out, const struct labels *labels, size_t at)
{
   for (size_t n = 0; n < labels->count; n++)
      if (labels->targets[n] == at)
         fprintf(out, "\nLABEL%zu:\n", n);
}

void
eu_disasm_program(FILE *out, const uint8_t *bytes, size_t size, unsigned device)
{
   struct labels labels = {0};
   struct line l;
   collect_labels(&labels, bytes, size, device);
   for (size_t at = 0; at < size;) {
      print_label(out, &labels, at);
      labels.offset = (uint32_t)at;
      at += disassemble(&l, bytes + at, size - at, device, &labels);
      fprintf(out, "%s\n", l.text);
   }
   print_label(out, &labels, size);
   free(labels.targets);
}
