#include "eu/shadow.h"

#include "eu/isa/asm.h"
#include "eu/op.h"
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
   memset(s->flag, 0, sizeof(s->flag));
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

static bool
result_unwritten(const struct eu_shadow *s, const struct eu_detail *d, unsigned channel,
                 uint32_t predicate)
{
   if (mixes_channels(d) || cancels(d))
      return false;
   if (d->opcode == EU_OP_SEL && d->predicate && !d->condition)
      return source_unwritten(s, &d->src[predicate >> channel & 1 ? 0 : 1], channel);
   for (unsigned n = 0; n < d->sources; n++)
      if (source_unwritten(s, &d->src[n], channel))
         return true;
   return false;
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

/* Nearly always: all is written, and stays so. */
static bool
all_written(const struct eu_shadow *s, const struct eu_detail *d)
{
   if (s->flag[0] | s->flag[1] || d->dst.kind == OPERAND_INDIRECT || d->opcode == EU_OP_MATH)
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
alu(struct eu_shadow *s, const struct eu_thread *t, const struct eu_detail *d)
{
   bool chooses = d->opcode == EU_OP_SEL;
   uint32_t predicate = d->predicate ? eu_predicate(t, d) : UINT32_MAX;
   uint32_t mask = eu_write_mask(t, d) & (chooses ? UINT32_MAX : predicate), unwritten = 0;
   if (d->paired)
      write_doubles(s, d, mask);
   for (unsigned c = 0; c < d->exec_size; c++)
      if (mask >> c & 1 && result_unwritten(s, d, c, predicate))
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
   if (d->dst.kind == OPERAND_ARF)
      memset(s->flag, 0, sizeof(s->flag));
}

static void
branch(const struct eu_shadow *s, struct eu_thread *t, const struct eu_op *op)
{
   const struct eu_detail *d = op->d;
   uint32_t mask = eu_write_mask(t, d);
   uint32_t f = s->flag[d->flag_reg], shift = d->flag_shift & 31;
   uint32_t bits = (f >> shift | (shift ? f << (32 - shift) : 0)) & mask;
   if (!d->predicate || !bits)
      return;
   char text[EU_DISASM_MAX];
   struct rule_place place = {.engine = "EU",
                              .subject = "branch",
                              .address = t->env->instruction_base + op->ip,
                              .has_address = true};
   if (rule_repeated(t->env->dev, PERGOLA_ERROR, "SAN-022", &place))
      return;
   eu_disasm_inst(&d->inst, t->env->dev->hw_device, text);
   rule_finding(t->env->dev, PERGOLA_ERROR, "SAN-022", &place,
                "thread %u, channel %d, at 0x%08x '%.200s' goes by a flag that was made from a "
                "register that nobody wrote",
                t->id, __builtin_ctz(bits), (uint32_t)place.address, text);
}

/* Before it is executed. What messages do with their payload is told by those who know its form. */
void
eu_shadow_step(struct eu_shadow *s, struct eu_thread *t, const struct eu_op *op)
{
   const struct eu_detail *d = op->d;
   if (d->opcode == EU_OP_SEND || d->opcode == EU_OP_SENDC) {
      unsigned length = d->inst.desc_is_reg ? 16 : hw_response_length(d->inst.desc);
      if (d->dst.kind == OPERAND_GRF)
         eu_shadow_set(s, d->dst.reg * EU_REG_SIZE, length * EU_REG_SIZE, false);
      else if (d->dst.kind == OPERAND_INDIRECT)
         memset(s->unwritten, 0, sizeof(s->unwritten));
      return;
   }
   unsigned slot = (unsigned)((uintptr_t)op / sizeof(*op) % EU_SHADOW_CLEAN);
   if (d->alu && s->clean[slot].op == op && s->clean[slot].version == s->version)
      return;
   if (d->alu && all_written(s, d)) {
      s->clean[slot].op = op;
      s->clean[slot].version = s->version;
   } else if (d->alu)
      alu(s, t, d);
   else if (d->opcode == EU_OP_MOVI || d->opcode == EU_OP_CALL)
      eu_shadow_set(s, d->dst.reg * EU_REG_SIZE, 2 * EU_REG_SIZE, false);
   else
      branch(s, t, op);
}
