#include "eu/shadow.h"

#include "eu/isa/asm.h"
#include "eu/op.h"
#include "gen7_hw.h"
#include "hw/message.h"

#include <stdlib.h>
#include <string.h>

#define SHADOWS 1024u /* chains of a hash by the thread's place in memory */

/* ---- bytes ------------------------------------------------------------------------------------
 */

/* The bits of bytes that lie in one word, which those of any element do. */
static inline uint64_t
bits_of(unsigned offset, unsigned size)
{
   return ((UINT64_C(1) << size) - 1) << offset % 64;
}

static inline bool
in_one_word(unsigned offset, unsigned size)
{
   return size < 64 && offset % 64 + size <= 64 && offset < EU_GRF_COUNT * EU_REG_SIZE;
}

bool
eu_shadow_unwritten(const struct eu_shadow *s, unsigned offset, unsigned size)
{
   if (__builtin_expect(in_one_word(offset, size), 1))
      return s->unwritten[offset / 64] & bits_of(offset, size);
   for (unsigned i = offset; i < offset + size && i < EU_GRF_COUNT * EU_REG_SIZE; i++)
      if (s->unwritten[i / 64] >> i % 64 & 1)
         return true;
   return false;
}

static inline void
set_word(struct eu_shadow *s, unsigned offset, unsigned size, bool unwritten)
{
   uint64_t bits = bits_of(offset, size), *word = &s->unwritten[offset / 64];
   s->version += unwritten && bits & ~*word;
   *word = unwritten ? *word | bits : *word & ~bits;
}

void
eu_shadow_set(struct eu_shadow *s, unsigned offset, unsigned size, bool unwritten)
{
   if (__builtin_expect(in_one_word(offset, size), 1)) {
      set_word(s, offset, size, unwritten);
      return;
   }
   unsigned end =
       offset + size < EU_GRF_COUNT * EU_REG_SIZE ? offset + size : EU_GRF_COUNT * EU_REG_SIZE;
   for (unsigned i = offset, count; i < end; i += count) {
      count = 32 - i % 32 < end - i ? 32 - i % 32 : end - i;
      set_word(s, i, count, unwritten);
   }
}

/* ---- threads ----------------------------------------------------------------------------------
 */

static struct eu_shadow **
chain_of(struct eu *eu, const struct eu_thread *t)
{
   if (!eu->shadow)
      eu->shadow = calloc(SHADOWS, sizeof(struct eu_shadow *));
   return eu->shadow ? &eu->shadow[((uintptr_t)t >> 6) % SHADOWS] : NULL;
}

struct eu_shadow *
eu_shadow_of(const struct eu_thread *t)
{
   struct pergola_device *dev = t->env->dev;
   if (!(dev->config.sanitize & PERGOLA_SANITIZE_INIT))
      return NULL;
   struct eu_shadow *s = dev->eu->shadow_latest;
   if (s && s->t == t)
      return s;
   struct eu_shadow **chain = chain_of(dev->eu, t);
   s = chain ? *chain : NULL;
   while (s && s->t != t)
      s = s->next;
   if (!s && chain && (s = calloc(1, sizeof(*s)))) {
      s->t = t;
      s->next = *chain;
      *chain = s;
   }
   return dev->eu->shadow_latest = s;
}

void
eu_shadows_free(struct eu *eu)
{
   for (unsigned i = 0; eu->shadow && i < SHADOWS; i++)
      while (eu->shadow[i]) {
         struct eu_shadow *s = eu->shadow[i];
         eu->shadow[i] = s->next;
         free(s);
      }
   free(eu->shadow);
}

/* A thread that has not run: the payload is written, and nothing else. */
void
eu_shadow_begin(struct eu_thread *t)
{
   struct eu_shadow *s = eu_shadow_of(t);
   if (!s)
      return;
   memset(s->flag, 0xff, sizeof(s->flag));
   s->accumulators = s->addresses = true;
   s->begun++;
   s->version++;
   for (unsigned r = 0; r < EU_GRF_COUNT; r++)
      eu_shadow_set(s, r * EU_REG_SIZE, EU_REG_SIZE, !(t->initialised[r / 64] >> r % 64 & 1));
}

/* ---- instructions -----------------------------------------------------------------------------
 */

static bool
source_unwritten(const struct eu_shadow *s, const struct op_operand *o, unsigned channel)
{
   return o->kind == OPERAND_GRF && o->offset[channel] != OFFSET_NONE &&
          eu_shadow_unwritten(s, o->offset[channel], type_size[o->type]);
}

/* A channel of these takes from several, or makes more than one value: they count as written. */
static bool
mixes_channels(const struct eu_detail *d)
{
   switch (d->opcode) {
   case EU_OP_DP4:
   case EU_OP_DPH:
   case EU_OP_DP3:
   case EU_OP_DP2:
   case EU_OP_LINE:
   case EU_OP_PLN:
   case EU_OP_SAD2:
   case EU_OP_SADA2:
      return true;
   default:
      return d->paired;
   }
}

/* A value that is the same whatever the operand holds. */
static bool
cancels(const struct eu_detail *d)
{
   return d->opcode == EU_OP_XOR && d->src[0].kind == OPERAND_GRF &&
          !memcmp(&d->src[0], &d->src[1], sizeof(d->src[0]));
}

/* A written operand of `and` without a bit, or of `or` with all, makes the result whatever the
 * other one holds: programs join conditions so, of which the second has a sense only if the first
 * holds. */
static bool
settled(const struct eu_thread *t, const struct eu_detail *d, const struct op_operand *o,
        unsigned channel)
{
   uint32_t v;
   if ((d->opcode != EU_OP_AND && d->opcode != EU_OP_OR) || o->kind != OPERAND_GRF || o->negate ||
       type_size[o->type] != 4 || o->offset[channel] == OFFSET_NONE)
      return false;
   memcpy(&v, t->grf + o->offset[channel], 4);
   return v == (d->opcode == EU_OP_AND ? 0 : UINT32_MAX);
}

/* Opcodes that read an accumulator without naming it, or write to it. */
static bool
accumulates(const struct eu_detail *d)
{
   return d->opcode == EU_OP_MAC || d->opcode == EU_OP_MACH || d->opcode == EU_OP_SADA2;
}

static bool
source_of(const struct eu_detail *d, enum operand_kind kind)
{
   for (unsigned n = 0; n < d->sources; n++)
      if (d->src[n].kind == kind)
         return true;
   return false;
}

static bool
reads_accumulator(const struct eu_detail *d)
{
   return accumulates(d) || source_of(d, OPERAND_ACC);
}

static bool
result_unwritten(const struct eu_shadow *s, const struct eu_thread *t, const struct eu_detail *d,
                 unsigned channel, uint32_t predicate)
{
   bool unwritten = false, settles = false;
   if (s->accumulators && reads_accumulator(d))
      return true;
   if (mixes_channels(d) || cancels(d))
      return false;
   if (d->opcode == EU_OP_SEL && d->predicate && !d->condition)
      return source_unwritten(s, &d->src[predicate >> channel & 1 ? 0 : 1], channel);
   for (unsigned n = 0; n < d->sources; n++) {
      bool here = source_unwritten(s, &d->src[n], channel);
      unwritten |= here;
      settles |= !here && settled(t, d, &d->src[n], channel);
   }
   return unwritten && !settles;
}

/* The bits of an instruction's flag register that nobody wrote, by its channels. */
static uint32_t
flags_unwritten(const struct eu_shadow *s, const struct eu_detail *d)
{
   uint32_t f = s->flag[d->flag_reg], shift = d->flag_shift & 31;
   return (f >> shift | (shift ? f << (32 - shift) : 0)) & d->channels;
}

/* A half float takes the lower word of a dword; programs then use all of it. */
static unsigned
result_size(const struct eu_detail *d)
{
   return d->opcode == EU_OP_F32TO16 ? 4 : type_size[d->dst.type];
}

static bool
any_unwritten(const struct eu_shadow *s, const struct op_operand *o, unsigned channels,
              unsigned size)
{
   for (unsigned c = 0; o->kind == OPERAND_GRF && c < channels; c++)
      if (o->offset[c] != OFFSET_NONE && eu_shadow_unwritten(s, o->offset[c], size))
         return true;
   return false;
}

/* Flags or address registers that nobody wrote before. */
static bool
writes_first(const struct eu_shadow *s, const struct eu_detail *d)
{
   uint8_t arf = d->dst.kind == OPERAND_ARF ? d->dst.reg & 0xf0 : 0;
   return (arf == EU_ARF_FLAG && (s->flag[0] | s->flag[1])) || (arf == EU_ARF_A && s->addresses);
}

/* Nearly always: all is written, and stays so. */
static bool
all_written(const struct eu_shadow *s, const struct eu_detail *d)
{
   if (d->dst.kind == OPERAND_INDIRECT || d->opcode == EU_OP_MATH ||
       ((d->predicate || d->condition) && flags_unwritten(s, d)) ||
       (s->accumulators && (d->acc_write || d->dst.kind == OPERAND_ACC || reads_accumulator(d))) ||
       (s->addresses && source_of(d, OPERAND_INDIRECT)) || writes_first(s, d))
      return false;
   for (unsigned n = 0; n < d->sources; n++)
      if (any_unwritten(s, &d->src[n], d->exec_size, type_size[d->src[n].type]))
         return false;
   return !any_unwritten(s, &d->dst, d->exec_size, result_size(d));
}

/* A double is two lanes of dwords, which go by its one channel. Their sources are not looked at. */
static void
write_doubles(struct eu_shadow *s, const struct eu_detail *d, uint32_t mask)
{
   unsigned size = d->dst.type == T_DF ? 4 : type_size[d->dst.type];
   for (unsigned lane = 0; d->dst.kind == OPERAND_GRF && lane < d->exec_size; lane++)
      if (mask >> lane / 2 & 1 && d->chan_en >> lane & 1 && d->dst.offset[lane] != OFFSET_NONE)
         eu_shadow_set(s, d->dst.offset[lane], size, false);
}

static void
told(struct eu_thread *t, const struct eu_op *op, const char *subject, unsigned channel,
     const char *what)
{
   char text[EU_DISASM_MAX];
   struct rule_place place = {.engine = "EU",
                              .subject = subject,
                              .address = t->env->instruction_base + op->ip,
                              .has_address = true};
   if (rule_repeated(t->env->dev, PERGOLA_ERROR, "SAN-022", &place))
      return;
   eu_disasm_inst(&op->d->inst, t->env->dev->hw_device, text);
   rule_finding(t->env->dev, PERGOLA_ERROR, "SAN-022", &place,
                "thread %u, channel %u, at 0x%08x '%.200s' %s", t->id, channel,
                (uint32_t)place.address, text, what);
}

/* Registers that are no operands: what nobody wrote to is written to from here on. */
static void
write_others(struct eu_shadow *s, const struct eu_detail *d)
{
   uint8_t arf = d->dst.kind == OPERAND_ARF ? d->dst.reg & 0xf0 : 0;
   if (arf == EU_ARF_FLAG)
      memset(s->flag, 0, sizeof(s->flag));
   if (arf == EU_ARF_A)
      s->addresses = false;
   if (d->acc_write || d->dst.kind == OPERAND_ACC || accumulates(d))
      s->accumulators = false;
}

static void
alu(struct eu_shadow *s, struct eu_thread *t, const struct eu_op *op)
{
   const struct eu_detail *d = op->d;
   bool chooses = d->opcode == EU_OP_SEL;
   uint32_t predicate = d->predicate ? eu_predicate(t, d) : UINT32_MAX,
            enabled = eu_write_mask(t, d);
   /* Who writes by a flag that nobody wrote may have written, or not. */
   uint32_t unwritten = d->predicate ? enabled & flags_unwritten(s, d) : 0;
   uint32_t mask = enabled & (chooses ? UINT32_MAX : predicate | unwritten);
   if (s->addresses && enabled &&
       (source_of(d, OPERAND_INDIRECT) || d->dst.kind == OPERAND_INDIRECT))
      told(t, op, "operand", (unsigned)__builtin_ctz(enabled),
           "finds its operand by an address register that nobody wrote");
   if (d->paired)
      write_doubles(s, d, mask);
   for (unsigned c = 0; c < d->exec_size; c++)
      if (mask >> c & 1 && result_unwritten(s, t, d, c, predicate))
         unwritten |= 1u << c;
   for (unsigned c = 0; c < d->exec_size; c++) {
      if (!(mask >> c & 1))
         continue;
      if (d->dst.kind == OPERAND_GRF && d->dst.offset[c] != OFFSET_NONE && d->chan_en >> c & 1 &&
          !d->paired)
         eu_shadow_set(s, d->dst.offset[c], result_size(d), unwritten >> c & 1);
      if (d->condition && !chooses) {
         uint32_t bit = 1u << ((d->flag_shift + c) & 31), *f = &s->flag[d->flag_reg];
         s->version += unwritten >> c & 1;
         *f = unwritten >> c & 1 ? *f | bit : *f & ~bit;
      }
   }
   if (d->opcode == EU_OP_MATH && d->dst.kind == OPERAND_GRF) /* a remainder lies behind */
      eu_shadow_set(s, (d->dst.reg + 1u) * EU_REG_SIZE, EU_REG_SIZE, false);
   if (d->dst.kind == OPERAND_INDIRECT) /* anything may have been written */
      memset(s->unwritten, 0, sizeof(s->unwritten));
   write_others(s, d);
}

/* A branch or a message whose channels are chosen by such a flag. */
static void
chosen(const struct eu_shadow *s, struct eu_thread *t, const struct eu_op *op, const char *subject)
{
   uint32_t bits = op->d->predicate ? flags_unwritten(s, op->d) & eu_write_mask(t, op->d) : 0;
   if (bits)
      told(t, op, subject, (unsigned)__builtin_ctz(bits),
           "goes by a flag that nobody wrote, or that was made from a register that nobody wrote");
}

/* The slots of a message that answers channel by channel: those that are off keep what they have
 * (DP-228). 0: another message. */
static unsigned
answered_slots(const struct eu_inst *i)
{
   if (i->desc_is_reg || i->sfid != EU_SFID_DATA || i->desc & GEN7_DP_DATA_DESCRIPTOR__CATEGORY)
      return 0;
   switch (hw_get(i->desc, GEN7_DP_DATA_DESCRIPTOR__MESSAGE_TYPE)) {
   case GEN7_DP_DATA_MESSAGE_UNTYPED_SURFACE_READ:
      switch (hw_get(i->desc, GEN7_DP_UNTYPED_SURFACE_DESCRIPTOR__SIMD_MODE)) {
      case GEN7_DP_UNTYPED_SURFACE_DESCRIPTOR_SIMD_MODE_SIMD16:
         return 16;
      case GEN7_DP_UNTYPED_SURFACE_DESCRIPTOR_SIMD_MODE_SIMD8:
         return 8;
      default:
         return 0;
      }
   case GEN7_DP_DATA_MESSAGE_BYTE_SCATTERED_READ:
      return hw_get(i->desc, GEN7_DP_BYTE_SCATTERED_DESCRIPTOR__SIMD_MODE) ==
                     GEN7_DP_BYTE_SCATTERED_DESCRIPTOR_SIMD_MODE_SIMD16
                 ? 16
                 : 8;
   default:
      return 0;
   }
}

static void
answer(struct eu_shadow *s, const struct eu_thread *t, const struct eu_detail *d)
{
   unsigned regs = d->inst.desc_is_reg ? 16 : hw_response_length(d->inst.desc);
   unsigned slots = answered_slots(&d->inst), each = slots / 8;
   uint32_t mask = eu_write_mask(t, d) & (d->predicate ? eu_predicate(t, d) : UINT32_MAX);
   if (d->dst.kind == OPERAND_INDIRECT)
      memset(s->unwritten, 0, sizeof(s->unwritten));
   if (d->dst.kind != OPERAND_GRF)
      return;
   if (!slots || slots != d->exec_size || regs % each) {
      eu_shadow_set(s, d->dst.reg * EU_REG_SIZE, regs * EU_REG_SIZE, false);
      return;
   }
   for (unsigned r = 0; r < regs; r++)
      for (unsigned c = 0; c < 8; c++)
         if (mask >> (r % each * 8 + c) & 1)
            eu_shadow_set(s, (d->dst.reg + r) * EU_REG_SIZE + 4 * c, 4, false);
}

/* Before it is executed. What messages do with their payload is told by those who know its form. */
void
eu_shadow_step(struct eu_shadow *s, struct eu_thread *t, const struct eu_op *op)
{
   const struct eu_detail *d = op->d;
   if (d->opcode == EU_OP_SEND || d->opcode == EU_OP_SENDC) {
      chosen(s, t, op, "message");
      answer(s, t, d);
      return;
   }
   unsigned slot = (unsigned)((uintptr_t)op / sizeof(*op) % EU_SHADOW_CLEAN);
   if (d->alu && s->clean[slot].op == op && s->clean[slot].version == s->version)
      return;
   if (d->alu && all_written(s, d)) {
      s->clean[slot].op = op;
      s->clean[slot].version = s->version;
   } else if (d->alu)
      alu(s, t, op);
   else if (d->opcode == EU_OP_MOVI || d->opcode == EU_OP_CALL)
      eu_shadow_set(s, d->dst.reg * EU_REG_SIZE, 2 * EU_REG_SIZE, false);
   else
      chosen(s, t, op, "branch");
}
