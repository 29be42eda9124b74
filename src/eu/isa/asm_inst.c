/* Instructions: predicate, mnemonic, operands, options. */
#include "eu/isa/asm_inst.h"
#include "hw/message.h"

#include <ctype.h>
#include <string.h>

struct options {
   bool align1, align16;
};

static bool
flag_digit(struct asm_cursor *c, uint8_t *out)
{
   if (c->at < c->end && (*c->at == '0' || *c->at == '1')) {
      *out = (uint8_t)(*c->at++ - '0');
      return true;
   }
   return asm_fail(c, "a flag is f0.0, f0.1, f1.0 or f1.1");
}

/* After "f". */
static bool
parse_flag(struct asm_cursor *c, uint8_t *nr, uint8_t *sub)
{
   *sub = 0;
   if (!flag_digit(c, nr))
      return false;
   if (c->end - c->at >= 2 && c->at[0] == '.' && isdigit((unsigned char)c->at[1])) {
      c->at++;
      return flag_digit(c, sub);
   }
   return true;
}

struct predicate {
   bool there;
   const char *name; /* ".any4h", or empty */
   size_t length;
};

static bool
parse_predicate(struct asm_cursor *c, struct eu_inst *i, struct predicate *p)
{
   if (!asm_take(c, "("))
      return true;
   p->there = true;
   if (!asm_skip(c))
      return false;
   i->predicate_inverse = asm_take(c, "-");
   if (!i->predicate_inverse)
      asm_take(c, "+");
   if (!asm_expect(c, "f") || !parse_flag(c, &i->flag_nr, &i->flag_subnr))
      return false;
   p->name = c->at;
   while (c->at < c->end && (*c->at == '.' || isalnum((unsigned char)*c->at)))
      c->at++;
   p->length = (size_t)(c->at - p->name);
   return asm_expect(c, ")");
}

/* Which control a predicate name means depends on the access mode, and that comes last. */
static bool
set_predicate(struct asm_cursor *c, struct eu_inst *i, const struct predicate *p)
{
   const struct eu_name *n = i->align16 ? eu_pred16_names : eu_pred1_names;
   if (!p->there)
      return true;
   i->predicate = 1;
   if (!p->length)
      return true;
   for (; n->code >= 0; n++)
      if (strlen(n->text) == p->length && !memcmp(n->text, p->name, p->length)) {
         i->predicate = (uint8_t)n->code;
         return true;
      }
   return asm_fail(c, "'%.*s' is no predicate control of %s", (int)p->length, p->name,
                   i->align16 ? "align16" : "align1");
}

static int
condition_code(const char *name, size_t length)
{
   for (const struct eu_name *n = eu_cond_names; n->code >= 0; n++)
      if (n->text[0] && strlen(n->text + 1) == length && !memcmp(n->text + 1, name, length))
         return n->code;
   if (length == 1 && *name == 'e')
      return EU_COND_Z;
   if (length == 2 && !memcmp(name, "ne", 2))
      return EU_COND_NZ;
   return -1;
}

static bool
unknown_suffix(struct asm_cursor *c, const char *name, size_t length)
{
   struct asm_near near = {0};
   asm_near_look(&near, name, length, "sat");
   asm_near_look(&near, name, length, "breakpoint");
   for (const struct eu_name *n = eu_cond_names; n->code >= 0; n++)
      if (n->text[0])
         asm_near_look(&near, name, length, n->text + 1);
   return asm_unknown(c, "condition (z nz g ge l le o u) or sat", name, length, &near);
}

/* .sat, .breakpoint, a condition and its flag. */
static bool
parse_suffixes(struct asm_cursor *c, struct eu_inst *i, bool predicated)
{
   while (asm_take(c, ".")) {
      const char *name;
      size_t length = asm_name(c, &name);
      if (length == 3 && !memcmp(name, "sat", 3)) {
         i->saturate = true;
      } else if (length == 10 && !memcmp(name, "breakpoint", 10)) {
         i->debug = true;
      } else if (length == 2 && name[0] == 'f' && i->cond_modifier) {
         uint8_t nr = 0, sub = 0;
         c->at = name + 1;
         if (!parse_flag(c, &nr, &sub))
            return false;
         if (predicated && (nr != i->flag_nr || sub != i->flag_subnr))
            return asm_fail(c, "predicate and condition use the same flag");
         i->flag_nr = nr, i->flag_subnr = sub;
      } else {
         int code = condition_code(name, length);
         if (code < 0)
            return unknown_suffix(c, name, length);
         i->cond_modifier = (uint8_t)code;
      }
   }
   return true;
}

static bool
parse_exec_size(struct asm_cursor *c, struct eu_inst *i)
{
   unsigned n;
   if (!asm_expect(c, "(") || !asm_skip(c) || !asm_number_up_to(c, 32, "execution size", &n))
      return false;
   if (!n || (n & (n - 1)))
      return asm_fail(c, "an execution size is 1, 2, 4, 8, 16 or 32");
   i->exec_size = (uint8_t)n;
   return asm_expect(c, ")");
}

static bool
parse_math_function(struct asm_cursor *c, struct eu_inst *i)
{
   const char *name;
   if (!asm_skip(c))
      return false;
   size_t length = asm_name(c, &name);
   for (const struct eu_name *n = eu_math_names; n->code >= 0; n++)
      if (strlen(n->text) == length && !memcmp(n->text, name, length)) {
         i->math_function = (uint8_t)n->code;
         return true;
      }
   struct asm_near near = {0};
   for (const struct eu_name *n = eu_math_names; n->code >= 0; n++)
      asm_near_look(&near, name, length, n->text);
   return asm_unknown(c, "math function", name, length, &near);
}

static bool
parse_target(struct asm_cursor *c, const char *prefix, struct asm_target *t, int32_t *value)
{
   uint64_t v;
   if (!asm_skip(c))
      return false;
   if (!asm_take(c, prefix))
      return asm_fail(c, "expected '%s'", prefix);
   if (!asm_skip(c))
      return false;
   t->line = c->line;
   t->column = (unsigned)(c->at - c->line_start) + 1;
   t->length = asm_name(c, &t->name);
   if (t->length)
      return true;
   bool negative = asm_take(c, "-");
   if (!asm_number(c, &v))
      return false;
   if (v > 0x80000000u)
      return asm_fail(c, "the distance is too large");
   *value = (int32_t)(negative ? -(int64_t)v : (int64_t)v);
   return true;
}

static bool
parse_jumps(struct asm_cursor *c, const struct eu_opcode_info *info, struct asm_statement *s)
{
   struct eu_inst *i = &s->inst;
   bool wide = info->format == EU_FORMAT_CALL && (c->device & HW_HSW);
   if (!parse_target(c, "JIP:", &s->jip, &i->jip))
      return false;
   /* Old text gives else a UIP as well. */
   bool uip = info->attrs & EU_OP_UIP;
   if (asm_peek(c) == 'U' || uip) {
      if (!parse_target(c, "UIP:", &s->uip, &i->uip))
         return false;
      if (!uip) {
         s->uip.length = 0;
         i->uip = 0;
      }
   }
   if (!wide &&
       (i->jip < INT16_MIN || i->jip > INT16_MAX || i->uip < INT16_MIN || i->uip > INT16_MAX))
      return asm_fail(c, "the distance does not fit 16 bits");
   return true;
}

static bool
parse_sfid(struct asm_cursor *c, struct eu_inst *i)
{
   if (!asm_skip(c))
      return false;
   for (const struct eu_name *n = eu_sfid_names; n->code >= 0; n++)
      if ((n->devices & c->device) && asm_take_word(c, n->text)) {
         i->sfid = (uint8_t)n->code;
         return true;
      }
   const char *name;
   struct asm_near near = {0};
   size_t length = asm_name(c, &name);
   for (const struct eu_name *n = eu_sfid_names; n->code >= 0; n++)
      if (n->devices & c->device)
         asm_near_look(&near, name, length, n->text);
   return asm_unknown(c, "shared function (sampler, gateway, urb, data, …)", name, length, &near);
}

/* The description of a message is for people. */
static void
skip_message_text(struct asm_cursor *c)
{
   for (; c->at < c->end && *c->at != '{' && *c->at != ';'; c->at++)
      if (*c->at == '\n') {
         c->line++;
         c->line_start = c->at + 1;
      }
}

/* "mlen 2" in the text of a message; -1: it does not say. */
static int
said(const char *from, const char *to, const char *word)
{
   size_t n = strlen(word);
   for (const char *p = from; p + n + 1 < to; p++) {
      if (memcmp(p, word, n) || (p > from && isalnum((unsigned char)p[-1])))
         continue;
      int value = 0;
      for (p += n; p < to && isdigit((unsigned char)*p) && value < 1000; p++)
         value = value * 10 + (*p - '0');
      return value;
   }
   return -1;
}

/* "(untyped surface read, bti 254)": the words up to the comma. */
static bool
name_agrees(struct asm_cursor *c, const struct eu_inst *i, const char *text)
{
   const char *words = memchr(text, '(', (size_t)(c->at - text)), *end;
   if (!words)
      return true;
   words++;
   for (end = words; end < c->at && *end != ',' && *end != ')';)
      end++;
   if (!eu_message_is_other(i->sfid, i->desc, words, (size_t)(end - words)))
      return true;
   return asm_fail(c, "the text says '%.*s', the descriptor 0x%08x says '%s'", (int)(end - words),
                   words, i->desc, eu_message_name(i->sfid, i->desc));
}

/* The number is what is sent; a text that says something else misleads whoever reads it. */
static bool
descriptor_agrees(struct asm_cursor *c, uint32_t desc, const char *text)
{
   const struct {
      const char *word;
      unsigned is;
   } parts[] = {{"mlen ", hw_message_length(desc)},
                {"rlen ", hw_response_length(desc)},
                {"bti ", hw_binding_table_index(desc)}};
   for (unsigned k = 0; k < sizeof(parts) / sizeof(parts[0]); k++) {
      int says = said(text, c->at, parts[k].word);
      if (says >= 0 && (unsigned)says != parts[k].is)
         return asm_fail(c, "the text says %s%d, the descriptor 0x%08x says %u", parts[k].word,
                         says, desc, parts[k].is);
   }
   return true;
}

static bool
parse_send(struct asm_cursor *c, struct asm_statement *s, struct asm_operand op[4])
{
   uint64_t desc;
   struct eu_inst *i = &s->inst;
   if (!asm_dst(c, &op[0]) || !asm_src(c, &op[1]))
      return false;
   if (op[1].o.file == EU_FILE_IMM)
      return asm_fail(c, "a payload is a register");
   i->dst = op[0].o;
   i->src[0] = op[1].o;
   if (asm_peek(c) == 'a') {
      if (!asm_src(c, &op[2]))
         return false;
      i->desc_is_reg = true;
      i->src[1] = op[2].o;
   }
   if (isdigit(asm_peek(c))) {
      if (!asm_number(c, &desc))
         return false;
      if (desc > UINT32_MAX)
         return asm_fail(c, "a descriptor has 32 bits");
      /* With a register descriptor the number only repeats its encoding. */
      if (!i->desc_is_reg)
         i->desc = (uint32_t)desc & ~GEN7_MESSAGE_DESCRIPTOR__END_OF_THREAD;
   } else if (!i->desc_is_reg) {
      return asm_fail(c, "expected a message descriptor");
   }
   if (!parse_sfid(c, i) || !asm_skip(c))
      return false;
   const char *text = c->at;
   if (!asm_take(c, "MsgDesc:"))
      return true;
   unsigned line = c->line;
   const char *line_start = c->line_start;
   skip_message_text(c);
   if (i->desc_is_reg || (descriptor_agrees(c, i->desc, text) && name_agrees(c, i, text)))
      return true;
   c->at = text; /* where it says so */
   c->error->line = line;
   c->error->column = (unsigned)(text - line_start) + 1;
   return false;
}

static bool
parse_jmpi(struct asm_cursor *c, struct asm_statement *s, struct asm_operand *op)
{
   if (asm_peek(c) == 'J') {
      if (!parse_target(c, "JIP:", &s->jip, &s->inst.jip))
         return false;
      s->inst.src[0] = (struct eu_operand){
          .file = EU_FILE_IMM, .type = EU_TYPE_D, .width = 1, .imm = (uint32_t)s->inst.jip};
      return true;
   }
   if (!asm_src(c, op))
      return false;
   s->inst.src[0] = op->o;
   return true;
}

static bool
parse_plain(struct asm_cursor *c, struct asm_statement *s, unsigned sources,
            struct asm_operand op[4])
{
   if (!asm_dst(c, &op[0]))
      return false;
   s->inst.dst = op[0].o;
   for (unsigned n = 0; n < sources; n++) {
      if (!asm_src(c, &op[n + 1]))
         return false;
      s->inst.src[n] = op[n + 1].o;
      if (op[n + 1].o.file != EU_FILE_IMM)
         continue;
      if (sources == 3)
         return asm_fail(c, "a three-source instruction takes no immediate");
      if (n + 1 < sources)
         return asm_fail(c, "only the last source can be an immediate");
      bool dim = s->inst.opcode == EU_OP_DIM;
      if (!dim && (op[n + 1].o.type == EU_TYPE_DF || op[n + 1].o.imm > UINT32_MAX))
         return asm_fail(c, "the immediate does not fit 32 bits");
   }
   return true;
}

static bool
parse_operands(struct asm_cursor *c, const struct eu_opcode_info *info, struct asm_statement *s,
               struct asm_operand op[4])
{
   switch (info->format) {
   case EU_FORMAT_NOP:
   case EU_FORMAT_ILLEGAL:
      return true;
   case EU_FORMAT_BRANCH:
      return parse_jumps(c, info, s);
   case EU_FORMAT_CALL:
      if (!asm_dst(c, &op[0]))
         return false;
      s->inst.dst = op[0].o;
      return parse_jumps(c, info, s);
   case EU_FORMAT_JMPI:
      return parse_jmpi(c, s, &op[1]);
   case EU_FORMAT_SEND:
      return parse_send(c, s, op);
   case EU_FORMAT_WAIT:
      return parse_plain(c, s, 0, op);
   default:
      return parse_plain(c, s, info->sources, op);
   }
}

/* 2Q, 1H, 7N and so on. */
static bool
take_group(struct asm_cursor *c, struct eu_inst *i)
{
   if (c->end - c->at < 2 || !isdigit((unsigned char)c->at[0]))
      return false;
   unsigned n = (unsigned)(c->at[0] - '1');
   switch (c->at[1]) {
   case 'Q':
      if (n > 3)
         return false;
      i->quarter = (uint8_t)n, i->nibble = 0;
      break;
   case 'H':
      if (n > 1)
         return false;
      i->quarter = (uint8_t)(n * 2), i->nibble = 0;
      break;
   case 'N':
      if (n > 7)
         return false;
      i->quarter = (uint8_t)(n / 2), i->nibble = (uint8_t)(n & 1);
      break;
   default:
      return false;
   }
   c->at += 2;
   return true;
}

/* dw2^0x40: bits that differ from what the rest of the text says. */
static bool
take_patch(struct asm_cursor *c, struct asm_statement *s, bool *taken)
{
   unsigned bits;
   *taken = c->end - c->at >= 4 && c->at[0] == 'd' && c->at[1] == 'w' && c->at[2] >= '0' &&
            c->at[2] <= '3' && c->at[3] == '^';
   if (!*taken)
      return true;
   unsigned n = (unsigned)(c->at[2] - '0');
   c->at += 4;
   if (!asm_number_up_to(c, UINT32_MAX, "a dword", &bits))
      return false;
   s->xor_dw[n] ^= bits;
   return true;
}

static bool
unknown_option(struct asm_cursor *c)
{
   static const char *const words[] = {"align16",   "align1", "WE_all", "NoDDClr",     "NoDDChk",
                                       "compacted", "atomic", "switch", "AccWrEnable", "breakpoint",
                                       "EOT",       "1N",     "2N",     "1Q",          "2Q",
                                       "3Q",        "4Q",     "1H",     "2H"};
   struct asm_near near = {0};
   const char *at = c->at;
   size_t length = 0;
   while (at + length < c->end && (isalnum((unsigned char)at[length]) || at[length] == '_'))
      length++;
   for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++)
      asm_near_look(&near, at, length, words[i]);
   return asm_unknown(c, "option", at, length, &near);
}

static bool
take_option(struct asm_cursor *c, struct asm_statement *s, struct options *o)
{
   struct eu_inst *i = &s->inst;
   bool patch;
   if (!take_patch(c, s, &patch))
      return false;
   if (patch || take_group(c, i))
      return true;
   if (asm_take_word(c, "align16"))
      o->align16 = true;
   else if (asm_take_word(c, "align1"))
      o->align1 = true;
   else if (asm_take_word(c, "WE_all") || asm_take_word(c, "nomask"))
      i->no_mask = true;
   else if (asm_take_word(c, "NoDDClr"))
      i->no_dd_clear = true;
   else if (asm_take_word(c, "NoDDChk"))
      i->no_dd_check = true;
   else if (asm_take_word(c, "compacted"))
      i->compact = true;
   else if (asm_take_word(c, "atomic"))
      i->thread_control |= EU_THREAD_CONTROL_ATOMIC;
   else if (asm_take_word(c, "switch"))
      i->thread_control |= EU_THREAD_CONTROL_SWITCH;
   else if (asm_take_word(c, "AccWrEnable"))
      i->acc_write = true;
   else if (asm_take_word(c, "breakpoint"))
      i->debug = true;
   else if (asm_take_word(c, "EOT"))
      i->eot = true;
   else
      return unknown_option(c);
   return true;
}

static bool
parse_options(struct asm_cursor *c, struct asm_statement *s, struct options *o)
{
   if (!asm_skip(c) || !asm_take(c, "{"))
      return !c->error->line;
   while (asm_peek(c) && *c->at != '}') {
      if (!take_option(c, s, o))
         return false;
      if (!asm_skip(c))
         return false;
      asm_take(c, ",");
   }
   return asm_expect(c, "}");
}

/* What an access mode means for the operands. */
static bool
check_align1(struct asm_cursor *c, const struct asm_operand op[4])
{
   for (unsigned n = 0; n < 4; n++)
      if (op[n].has_swizzle)
         return asm_fail(c, "a write mask or swizzle needs align16");
   return true;
}

static bool
check_align16(struct asm_cursor *c, const struct asm_operand op[4])
{
   for (unsigned n = 0; n < 4; n++) {
      if (op[n].o.subnr & 15)
         return asm_fail(c, "an align16 operand starts at a multiple of 16 bytes");
      if (op[n].o.indirect && op[n].o.addr_imm & 15)
         return asm_fail(c, "an align16 address offset is a multiple of 16");
   }
   return true;
}

static bool
finish_three(struct asm_cursor *c, struct eu_inst *i)
{
   if (i->dst.file != EU_FILE_GRF || i->dst.indirect)
      return asm_fail(c, "a three-source instruction has general registers only");
   for (unsigned n = 0; n < 3; n++) {
      struct eu_operand *o = &i->src[n];
      if (o->file != EU_FILE_GRF || o->indirect)
         return asm_fail(c, "a three-source instruction has general registers only");
      if (o->type != i->src[0].type)
         return asm_fail(c, "the sources of a three-source instruction have one type");
      o->rep_ctrl = !o->vstride && o->width == 1 && !o->hstride;
      if (!o->rep_ctrl && o->vstride != 4)
         return asm_fail(c, "a source of a three-source instruction is <4,4,1> or <0,1,0>");
      if ((o->subnr | i->dst.subnr) & 3)
         return asm_fail(c, "a three-source operand starts at a multiple of 4 bytes");
   }
   unsigned types = 1u << EU_TYPE_F | 1u << EU_TYPE_D | 1u << EU_TYPE_UD | 1u << EU_TYPE_DF;
   if (!(types >> i->dst.type & 1) || !(types >> i->src[0].type & 1))
      return asm_fail(c, "a three-source instruction has the types F, D, UD, DF");
   return true;
}

static bool
finish_modes(struct asm_cursor *c, const struct eu_opcode_info *info, struct asm_statement *s,
             const struct options *o, const struct asm_operand op[4])
{
   struct eu_inst *i = &s->inst;
   bool three = info->format == EU_FORMAT_THREE;
   if (o->align1 && o->align16)
      return asm_fail(c, "align1 and align16 at once");
   i->align16 = o->align16 || (three && !o->align1);
   if (three && !i->align16)
      return asm_fail(c, "a three-source instruction is align16");
   if (three)
      return finish_three(c, i);
   return i->align16 ? check_align16(c, op) : check_align1(c, op);
}

/* .dword n n [n n]; */
static bool
parse_raw(struct asm_cursor *c, struct asm_statement *s)
{
   unsigned n = 0;
   s->raw = true;
   for (; isdigit(asm_peek(c)) && n < 4; n++) {
      unsigned v;
      if (!asm_number_up_to(c, UINT32_MAX, "a dword", &v))
         return false;
      s->xor_dw[n] = v;
      asm_take(c, ",");
   }
   if (n != 2 && n != 4)
      return asm_fail(c, ".dword takes two or four numbers");
   s->size = n * 4;
   return asm_expect(c, ";");
}

static const struct eu_opcode_info *
find_opcode(struct asm_cursor *c, struct eu_inst *i)
{
   const char *name;
   size_t length = asm_name(c, &name);
   for (unsigned op = 0; op < 128; op++) {
      const struct eu_opcode_info *info = eu_opcode_info(op, c->device);
      if (info && strlen(info->name) == length && !memcmp(info->name, name, length)) {
         i->opcode = (uint8_t)op;
         return info;
      }
   }
   struct asm_near near = {0};
   for (unsigned op = 0; op < 128; op++) {
      const struct eu_opcode_info *info = eu_opcode_info(op, c->device);
      if (info)
         asm_near_look(&near, name, length, info->name);
   }
   asm_unknown(c, "instruction", name, length, &near);
   return NULL;
}

bool
asm_statement(struct asm_cursor *c, struct asm_statement *s)
{
   struct asm_operand op[4];
   struct predicate predicate = {0};
   struct options options = {0};
   struct eu_inst *i = &s->inst;
   memset(op, 0, sizeof(op));
   i->exec_size = 1;
   if (asm_take(c, ".dword"))
      return parse_raw(c, s);
   if (!parse_predicate(c, i, &predicate) || !asm_skip(c))
      return false;
   const struct eu_opcode_info *info = find_opcode(c, i);
   if (!info || !parse_suffixes(c, i, predicate.there))
      return false;
   if (info->format == EU_FORMAT_MATH && !parse_math_function(c, i))
      return false;
   if ((info->format != EU_FORMAT_NOP || asm_peek(c) == '(') && !parse_exec_size(c, i))
      return false;
   if (!parse_operands(c, info, s, op) || !parse_options(c, s, &options) ||
       !finish_modes(c, info, s, &options, op) || !set_predicate(c, i, &predicate))
      return false;
   s->size = i->compact ? EU_COMPACT_SIZE : EU_INST_SIZE;
   return asm_expect(c, ";");
}
