/* Native code as text: EU instruction, what it is in the IR (ir.h), host code, side by side. */
#include "eu/jit/show.h"

#include "eu/isa/asm.h"
#include "eu/jit/x86_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct show {
   const struct eu_kernel *k;
   const struct jit_listing *l;
   const uint8_t *code;
   const struct ir_region *region; /* of the line at hand, or NULL … */
   const struct ir_steady *steady; /* … in its second form, or NULL */
   void (*line)(void *data, const char *text);
   void *data;
};

/* ---- the IR --------------------------------------------------------------------------------- */

static const char *const operations[FAST_OPERATIONS] = {
    "f.add",    "f.mul",    "f.mad",    "f.mov",    "f.sel",    "f.min",    "f.max",    "f.cmp.z",
    "f.cmp.nz", "f.cmp.g",  "f.cmp.ge", "f.cmp.l",  "f.cmp.le", "f.rndu",   "f.rndd",   "f.rnde",
    "f.rndz",   "f.frc",    "f.lrp",    "f.dp2",    "f.dp3",    "f.dp4",    "f.dph",    "f.pln",
    "f.to.d",   "f.to.ud",  "f.inv",    "f.sqrt",   "f.rsq",    "f.fdiv",   "f.log",    "f.exp",
    "f.sin",    "f.cos",    "f.pow",    "mov",      "d.to.f",   "ud.to.f",  "add",      "mul",
    "and",      "or",       "xor",      "not",      "shl",      "shr",      "asr",      "sel",
    "d.min",    "d.max",    "ud.min",   "ud.max",   "mul.acc",  "mach",     "addc",     "subb",
    "cmp.z",    "cmp.nz",   "d.cmp.g",  "d.cmp.ge", "d.cmp.l",  "d.cmp.le", "ud.cmp.g", "ud.cmp.ge",
    "ud.cmp.l", "ud.cmp.le"};

struct text {
   char *at;
   size_t room;
};

__attribute__((format(printf, 2, 3))) static void
put(struct text *t, const char *format, ...)
{
   va_list list;
   va_start(list, format);
   int n = vsnprintf(t->at, t->room, format, list);
   va_end(list);
   size_t used = n < 0 ? 0 : (size_t)n < t->room ? (size_t)n : t->room - 1;
   t->at += used;
   t->room -= used;
}

static void
put_place(struct text *t, unsigned offset)
{
   if (offset >= EU_GRF_COUNT * EU_REG_SIZE)
      put(t, "arf+%u", offset - EU_GRF_COUNT * EU_REG_SIZE);
   else if (offset % 32)
      put(t, "g%u.%u", offset / 32, offset % 32);
   else
      put(t, "g%u", offset / 32);
}

/* Where a region has it: its host register, or a slot. */
static void
put_home(struct text *t, const struct show *s, const struct eu_op *op, enum ir_kind kind,
         unsigned offset)
{
   const struct ir_value *v = NULL;
   for (unsigned i = 0; s->region && i < s->region->count; i++) {
      const struct ir_value *w = &s->region->value[i];
      if (w->kind == kind && w->offset == offset && (!v || w->channel == op->group))
         v = w;
   }
   if (v && v->reg >= 0)
      put(t, ":y%u", KEPT + (unsigned)v->reg);
   else if (v)
      put(t, ":m");
}

static void
put_source(struct text *t, const struct show *s, const struct eu_op *op, unsigned n)
{
   static const char *const kinds[] = {
       [FAST_PERMUTE] = "permute",   [FAST_PERMUTE2] = "permute2",  [FAST_WORDS] = "words",
       [FAST_UWORDS] = "uwords",     [FAST_BYTES] = "bytes",        [FAST_UBYTES] = "ubytes",
       [FAST_WORD1] = "word",        [FAST_UWORD1] = "uword",       [FAST_BYTE1] = "byte",
       [FAST_UBYTE1] = "ubyte",      [FAST_LOW_W] = "low.w",        [FAST_LOW_UW] = "low.uw",
       [FAST_LOW_B] = "low.b",       [FAST_LOW_UB] = "low.ub",      [FAST_ACC] = "acc",
       [FAST_NEAR_U] = "near.u",     [FAST_NEAR_W] = "near.w",      [FAST_NEAR_B] = "near.b",
       [FAST_GATHER_D] = "gather.d", [FAST_GATHER_W] = "gather.w",  [FAST_GATHER_UW] = "gather.uw",
       [FAST_GATHER_B] = "gather.b", [FAST_GATHER_UB] = "gather.ub"};
   unsigned kind = op->kind[n], at = op->src[n][0];
   put(t, "%s%s", op->modifier[n] & FAST_NEGATE ? "-" : "", op->modifier[n] & FAST_ABS ? "|" : "");
   if (kind == FAST_CONST) {
      put(t, "#%x", op->vec[n][0]);
   } else if (kind == FAST_VECTOR) {
      put_place(t, at);
      put_home(t, s, op, IR_VECTOR, at);
      if (s->steady && s->steady->alias[op - s->k->ops - s->region->first][n][0] < IR_CHOICES)
         put(t, ":chosen");
   } else if (kind == FAST_SCALAR) {
      put(t, "all ");
      put_place(t, at);
      put_home(t, s, op, IR_SPREAD, at);
      if (s->region && ir_find_constant(s->region, at))
         put(t, ":#");
   } else {
      put(t, "%s ", kinds[kind]);
      put_place(t, at);
   }
}

static void
put_ir(const struct show *s, uint32_t i, char *out, size_t room)
{
   const struct eu_op *op = &s->k->ops[i];
   struct text t = {out, room};
   *out = 0;
   if (!op->d || op->fn == eu_exec_join)
      return;
   if (s->region && ir_is_constant(s->region, i)) {
      put(&t, "(there already)");
      return;
   }
   if (s->steady && s->steady->role[i - s->region->first]) {
      static const char *const why[] = {[STEADY_THERE] = "(there already)",
                                        [STEADY_CHOICE] = "(chosen before)",
                                        [STEADY_UNSEEN] = "(flags unseen)"};
      put(&t, "%s", why[s->steady->role[i - s->region->first]]);
      return;
   }
   if (jit_is_flow(op) || !op->fast) {
      put(&t, jit_is_flow(op)       ? "flow"
              : op->d->quick.row    ? "row"
              : op->d->quick.texels ? "texels"
              : op->d->quick.fn     ? "message"
                                    : "call");
      return;
   }
   if (op->dst_kind != FAST_TO_NULL) {
      put_place(&t, op->dst[0]);
      put_home(&t, s, op, IR_VECTOR, op->dst[0]);
      put(&t, op->count == 2 ? " x2 = " : " = ");
   }
   put(&t, "%s", operations[op->operation]);
   for (unsigned n = 0; n < ir_sources(op); n++) {
      put(&t, n ? ", " : " ");
      put_source(&t, s, op, n);
   }
   if (op->predicate)
      put(&t, " (%cf%u)", op->d->predicate_inverse ? '-' : '+', op->flag_reg);
   if (op->d->condition && op->d->opcode != EU_OP_SEL)
      put(&t, " -> f%u", op->flag_reg);
}

/* ---- names of memory ------------------------------------------------------------------------ */

struct named {
   const char *name;
   uint32_t offset, size;
};
#define MEMBER(type, member)                                                                       \
   {                                                                                               \
#member, (uint32_t)offsetof(struct type, member), sizeof(((struct type *)0)->member)         \
   }

static bool
name_member(const struct named *list, size_t count, int32_t disp, char out[32])
{
   for (size_t i = 0; i < count; i++) {
      uint32_t from = (uint32_t)disp - list[i].offset;
      if (from >= list[i].size)
         continue;
      if (from)
         snprintf(out, 32, "[%s+%u]", list[i].name, from);
      else
         snprintf(out, 32, "[%s]", list[i].name);
      return true;
   }
   return false;
}

static bool
name_of(const void *data, unsigned base, int32_t disp, char out[32])
{
   static const struct named thread[] = {
       MEMBER(eu_thread, active), MEMBER(eu_thread, waiting),     MEMBER(eu_thread, pip),
       MEMBER(eu_thread, flag),   MEMBER(eu_thread, acc),         MEMBER(eu_thread, cr0),
       MEMBER(eu_thread, ways),   MEMBER(eu_thread, ip),          MEMBER(eu_thread, stop),
       MEMBER(eu_thread, count),  MEMBER(eu_thread, initialised), MEMBER(eu_thread, regions)};
   static const struct named constants[] = {
       MEMBER(jit_constants, shift),      MEMBER(jit_constants, sign),
       MEMBER(jit_constants, magnitude),  MEMBER(jit_constants, zero),
       MEMBER(jit_constants, ones),       MEMBER(jit_constants, count),
       MEMBER(jit_constants, low_half),   MEMBER(jit_constants, nan),
       MEMBER(jit_constants, one),        MEMBER(jit_constants, two_16),
       MEMBER(jit_constants, two_31),     MEMBER(jit_constants, two_32),
       MEMBER(jit_constants, lanes),      MEMBER(jit_constants, one_d),
       MEMBER(jit_constants, half),       MEMBER(jit_constants, not_block),
       MEMBER(jit_constants, root_error), MEMBER(jit_constants, dwords),
       MEMBER(jit_constants, low_words),  MEMBER(jit_constants, first_and_second),
       MEMBER(jit_constants, fifteen),    MEMBER(jit_constants, thirty_one),
       MEMBER(jit_constants, low_dwords), MEMBER(jit_constants, four_rows),
       MEMBER(jit_constants, last_row),   MEMBER(jit_constants, columns),
       MEMBER(jit_constants, bytes),      MEMBER(jit_constants, unit)};
   const struct show *s = data;
   uint32_t grf = (uint32_t)disp - (uint32_t)offsetof(struct eu_thread, grf);
   uint32_t op = (uint32_t)disp / sizeof(struct eu_op), in = (uint32_t)disp % sizeof(struct eu_op);
   if (base == REG_THREAD && grf < EU_GRF_COUNT * EU_REG_SIZE) {
      snprintf(out, 32, grf % 32 ? "[g%u.%u]" : "[g%u]", grf / 32, grf % 32);
      return true;
   }
   if (base == REG_THREAD)
      return name_member(thread, sizeof(thread) / sizeof(thread[0]), disp, out);
   if (base == REG_CONST)
      return name_member(constants, sizeof(constants) / sizeof(constants[0]), disp, out);
   if (base == REG_OPS && op < s->k->op_count && in >= offsetof(struct eu_op, vec)) {
      unsigned n = (in - (unsigned)offsetof(struct eu_op, vec)) / 32;
      snprintf(out, 32, "[#%x]", s->k->ops[op].vec[n][0]);
      return true;
   }
   if (base == RSP && disp >= 0 && disp < (int32_t)FRAME_B) {
      snprintf(out, 32, "[slot%d]", disp / 32);
      return true;
   }
   if (base == RSP && disp >= FRAME_TEXELS) {
      uint32_t at = (uint32_t)(disp - FRAME_TEXELS);
      snprintf(out, 32, "[place%u+%u]", at / TEXEL_PLACE_B, at % TEXEL_PLACE_B);
      return true;
   }
   return false;
}

/* ---- lines ---------------------------------------------------------------------------------- */

#define EU_COLUMNS 62
#define IR_COLUMNS 44

static void
put_columns(const struct show *s, const char *eu, const char *ir, const char *host)
{
   char out[512];
   snprintf(out, sizeof(out), "%-*.*s | %-*.*s | %s", EU_COLUMNS, EU_COLUMNS, eu, IR_COLUMNS,
            IR_COLUMNS, ir, host);
   size_t n = strlen(out);
   while (n && (out[n - 1] == ' ' || out[n - 1] == '|'))
      n--;
   out[n] = 0;
   s->line(s->data, out);
}

/* Blanks in a row become one. */
static void
squeeze(char *text)
{
   char *to = text;
   for (const char *c = text; *c; c++)
      if (*c != ' ' || (to > text && to[-1] != ' '))
         *to++ = *c;
   *to = 0;
}

static void
show_host(const struct show *s, size_t from, size_t to, const char *eu, const char *ir)
{
   if (from == to && (*eu || *ir))
      put_columns(s, eu, ir, "");
   for (size_t at = from; at < to;) {
      char text[128], host[160];
      size_t n = x86_text(s->code, at, to, name_of, s, text);
      snprintf(host, sizeof(host), "%5zx  %s", at, n ? text : "?");
      put_columns(s, eu, ir, host);
      eu = ir = "";
      if (!n)
         return;
      at += n;
   }
}

static void
show_operation(const struct show *s, const struct jit_mark *m, size_t end)
{
   const struct eu_op *op = &s->k->ops[m->op];
   char eu[EU_DISASM_MAX + 8], ir[128], text[EU_DISASM_MAX];
   uint32_t at = op->ip - s->k->start;
   eu_disasm(s->k->bytes + at, s->k->size - at, s->k->space->dev->hw_device, text);
   text[strcspn(text, "\n")] = 0;
   snprintf(eu, sizeof(eu), "%04x %s", op->ip, text);
   squeeze(eu);
   put_ir(s, m->op, ir, sizeof(ir));
   show_host(s, m->at, end, eu, ir);
}

static void
show_region(const struct show *s, const struct ir_region *r)
{
   char out[160];
   snprintf(out, sizeof(out), "-- region %04x to %04x, %s: %u instructions a round, %u values",
            s->k->ops[r->first].ip, s->k->ops[r->last].ip,
            r->version == FULL ? "all channels" : "some channels", r->instructions, r->count);
   s->line(s->data, out);
   for (unsigned i = 0; i < r->count; i++) {
      const struct ir_value *v = &r->value[i];
      char place[24], home[24];
      struct text t = {place, sizeof(place)};
      put_place(&t, v->offset);
      snprintf(home, sizeof(home), v->reg < 0 ? "memory" : "ymm%u", KEPT + (unsigned)v->reg);
      snprintf(out, sizeof(out), "   %-8s %-9s %3u uses  %-6s%s%s", place,
               v->kind == IR_SPREAD ? "all lanes" : "vector", v->uses, home,
               v->written ? "  written" : "", ir_is_open(v) ? "  any NaN" : "");
      s->line(s->data, out);
   }
}

static void
show_mark(struct show *s, const struct jit_mark *m, size_t end, bool all)
{
   char out[80];
   s->region = m->region < 0 ? NULL : &s->l->regions[m->region];
   s->steady = s->region && m->steady ? s->region->steady : NULL;
   switch (m->kind) {
   case MARK_FRAME:
      if (!all)
         return;
      s->line(s->data, "-- in and out");
      show_host(s, m->at, end, "", "");
      return;
   case MARK_VERSION:
      s->line(s->data, m->op == FULL ? "-- all channels" : "-- some channels");
      return;
   case MARK_BLOCK:
      show_host(s, m->at, end, "(block)", "");
      return;
   case MARK_OP:
      show_operation(s, m, end);
      return;
   case MARK_ENTER:
      show_region(s, s->region);
      show_host(s, m->at, end, "(enter)", "");
      return;
   case MARK_SETTLE:
      show_host(s, m->at, end, "(choose)", "");
      return;
   case MARK_ROUND:
      show_host(s, m->at, end, s->steady ? "(round after the first)" : "(round)", "");
      return;
   case MARK_ITERATE:
      s->line(s->data, "-- threads as iterations");
      show_host(s, m->at, end, "(enter)", "");
      return;
   case MARK_DETOUR:
      if (!all)
         return;
      snprintf(out, sizeof(out), "(aside, of %04x)", s->k->ops[m->op].ip);
      show_host(s, m->at, end, out, "");
      return;
   case MARK_END:
      return;
   }
}

bool
jit_show(const struct eu_kernel *k, bool all, void (*line)(void *data, const char *text),
         void *data)
{
   struct jit_listing l = {.count = 0};
   size_t room = 4096 + (size_t)k->op_count * 2400;
   struct jit_code c = {.code = malloc(room)};
   struct show s = {.k = k, .l = &l, .code = c.code, .line = line, .data = data};
   bool ok = c.code && jit_emit(k, JIT_ANY, &c, room, &l);
   for (size_t i = 0; ok && i + 1 < l.count; i++)
      show_mark(&s, &l.mark[i], l.mark[i + 1].at, all);
   for (unsigned i = 0; i < IR_REGIONS; i++)
      free(l.regions[i].steady);
   free(l.mark);
   free(c.code);
   return ok;
}
