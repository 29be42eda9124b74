/* The values of a region (ir.h): which bytes are used as whole vectors and by nothing else, which
 * dwords never change, which constants need not be written again. */
#include "eu/jit/operand.h"

#include <string.h>

#define GRF_B (EU_GRF_COUNT * EU_REG_SIZE)
#define DWORDS (GRF_B / 4u)

struct survey {
   const struct jit *j;
   struct ir_region *r;
   bool shared[IR_VALUES];  /* parts of it are used apart */
   uint8_t writers[DWORDS]; /* at most 2 are counted */
   bool overflow;
   bool known_only;       /* no new values … */
   struct ir_value other; /* … what is none */
};

/* ---- what an operation touches -------------------------------------------------------------- */

/* A dword for all lanes, or all dwords of a vector as its lanes. */
static bool
is_whole_source(const struct eu_op *op, unsigned n, unsigned half)
{
   return op->kind[n] == FAST_VECTOR && op->src[n][half] + 32u <= GRF_B;
}

static bool
is_spread_source(const struct eu_op *op, unsigned n, unsigned half)
{
   return op->kind[n] == FAST_SCALAR && op->src[n][half] + 4u <= GRF_B && op->src[n][half] % 4 == 0;
}

static bool
is_whole_target(const struct eu_op *op, unsigned half)
{
   return op->dst_kind == FAST_TO_DWORDS && jit_lanes_of(op) == 8 && op->dst[half] + 32u <= GRF_B;
}

static bool
makes_floats(unsigned f)
{
   return f <= FAST_F_FDIV && f != FAST_F_SEL && f != FAST_F_TO_D && f != FAST_F_TO_UD &&
          !(f >= FAST_F_CMP_Z && f <= FAST_F_CMP_LE);
}

static bool
reads_floats(unsigned f)
{
   return f <= FAST_F_FDIV && f != FAST_F_SEL;
}

/* ---- values --------------------------------------------------------------------------------- */

/* Where some channels are off, bytes of different channels are different values. */
static bool
is_it(const struct ir_region *r, const struct ir_value *v, enum ir_kind kind, unsigned offset,
      unsigned channel)
{
   return v->kind == kind && v->offset == offset &&
          (r->version == FULL || v->channel == (uint8_t)channel);
}

static struct ir_value *
value_of(struct survey *s, enum ir_kind kind, unsigned offset, unsigned channel)
{
   unsigned i = 0;
   while (i < s->r->count && !is_it(s->r, &s->r->value[i], kind, offset, channel))
      i++;
   if (i == s->r->count && s->known_only)
      return &s->other;
   struct ir_value *v = &s->r->value[i < IR_VALUES ? i : 0];
   if (i == IR_VALUES) {
      s->overflow = true;
      return v;
   }
   if (i == s->r->count) {
      s->r->count++;
      *v = (struct ir_value){
          .kind = kind, .offset = (uint16_t)offset, .channel = (uint8_t)channel, .reg = -1};
   }
   if (v->channel != channel)
      v->channel = IR_SEVERAL;
   v->uses++;
   return v;
}

/* The channel of a lane decides who sees its bytes, unless all channels do. */
static unsigned
target_channel(const struct eu_op *op, unsigned half)
{
   return op->no_mask ? IR_SEVERAL : op->group + 8 * half;
}

/* Of a dot product a channel sees its neighbours'. */
static unsigned
source_channel(const struct eu_op *op, unsigned half)
{
   bool dot = op->operation >= FAST_F_DP2 && op->operation <= FAST_F_DPH;
   return dot ? IR_SEVERAL : target_channel(op, half);
}

static void
whole_uses(struct survey *s, const struct eu_op *op)
{
   unsigned f = op->operation;
   for (unsigned half = 0; half < op->count; half++) {
      unsigned channel = source_channel(op, half);
      for (unsigned n = 0; n < ir_sources(op); n++) {
         if (is_whole_source(op, n, half))
            value_of(s, IR_VECTOR, op->src[n][half], channel)->bits |= !reads_floats(f);
         if (is_spread_source(op, n, half))
            value_of(s, IR_SPREAD, op->src[n][half], 0);
      }
      if (!is_whole_target(op, half))
         continue;
      struct ir_value *v = value_of(s, IR_VECTOR, op->dst[half], target_channel(op, half));
      v->written = true;
      v->bits |= !makes_floats(f);
   }
}

/* A region with messages keeps nothing in host registers: its values are those that may be open. */
static void
open_uses(struct survey *s, const struct eu_op *op)
{
   for (unsigned half = 0; half < op->count; half++)
      if (is_whole_target(op, half) && makes_floats(op->operation))
         value_of(s, IR_VECTOR, op->dst[half], target_channel(op, half))->written = true;
}

/* ---- what is used in another way ------------------------------------------------------------ */

static void
spoil(struct survey *s, unsigned first, unsigned size)
{
   for (unsigned i = 0; i < s->r->count; i++) {
      const struct ir_value *v = &s->r->value[i];
      if (v->kind == IR_VECTOR && v->offset < first + size && first < v->offset + 32u)
         s->shared[i] = true;
   }
}

static void
spoil_source(struct survey *s, const struct eu_op *op, unsigned n, unsigned half)
{
   unsigned at = op->src[n][half], size = 32;
   if (op->kind[n] == FAST_VECTOR || op->kind[n] == FAST_CONST)
      return;
   if (op->kind[n] == FAST_SCALAR || (op->kind[n] >= FAST_WORD1 && op->kind[n] <= FAST_UBYTE1)) {
      size = 4;
   } else if (op->kind[n] == FAST_PERMUTE2) {
      size = 64;
   } else if (op->kind[n] >= FAST_GATHER_D) {
      for (unsigned c = 0; c < 8; c++)
         spoil(s, at + op->vec[n][c], 4);
      return;
   }
   spoil(s, at, size);
}

static void
count_writer(struct survey *s, unsigned offset, unsigned size)
{
   for (unsigned at = offset / 4; at <= (offset + size - 1) / 4 && at < DWORDS; at++)
      s->writers[at] += s->writers[at] < 2;
}

static void
target_uses(struct survey *s, const struct eu_op *op, unsigned half)
{
   bool strided = op->dst_kind >= FAST_TO_STRIDED_D;
   unsigned n = jit_lanes_of(op);
   if (op->dst_kind == FAST_TO_NULL)
      return;
   for (unsigned c = 0; strided && c < n; c++) {
      spoil(s, op->d->dst.offset[half * 8 + c], 4);
      count_writer(s, op->d->dst.offset[half * 8 + c], 4);
   }
   if (strided)
      return;
   count_writer(s, op->dst[half], op->dst_kind == FAST_TO_DWORDS ? 4 * n : 32);
   if (!is_whole_target(op, half))
      spoil(s, op->dst[half], 32);
}

static void
other_uses(struct survey *s, const struct eu_op *op)
{
   for (unsigned half = 0; half < op->count; half++) {
      for (unsigned n = 0; n < ir_sources(op); n++)
         spoil_source(s, op, n, half);
      target_uses(s, op, half);
   }
}

/* What a message reads must be there, as it is; what it writes may be anything. */
static void
message_uses(struct survey *s, const struct eu_op *op)
{
   struct ir_message m = ir_message_of(op);
   spoil(s, m.payload, m.payload_B);
   if (m.response_B)
      spoil(s, m.response, m.response_B);
}

/* Is a value read only behind a write of all its lanes, with no write of the other in between?
 * `now`: whose turn it is, or IR_SEVERAL. */
static bool
keeps_turn(const struct eu_op *op, unsigned offset, unsigned *now)
{
   bool select = op->operation == FAST_F_SEL || op->operation == FAST_I_SEL;
   bool whole = op->channels == (op->count == 2 ? 0xffff : 0xff) && (!op->predicate || select);
   unsigned next = *now;
   for (unsigned half = 0; half < op->count; half++)
      if (is_whole_target(op, half) && op->dst[half] == offset) {
         next = target_channel(op, half);
         if (!whole && next != *now)
            return false;
      }
   for (unsigned half = 0; half < op->count; half++)
      for (unsigned n = 0; n < ir_sources(op); n++)
         if (is_whole_source(op, n, half) && op->src[n][half] == offset &&
             (source_channel(op, half) != *now || next != *now))
            return false;
   *now = next;
   return true;
}

/* The same bytes: the value that was written last is the one that is read, all around the loop. */
static bool
take_turns(const struct survey *s, unsigned i, unsigned k)
{
   const struct ir_region *r = s->r;
   unsigned offset = r->value[i].offset, now = IR_SEVERAL, others = 0;
   for (unsigned n = 0; n < r->count; n++)
      others += r->value[n].kind == IR_VECTOR && r->value[n].offset == offset;
   if (r->version == FULL || r->meets || r->value[k].offset != offset || others != 2 ||
       r->value[i].channel == IR_SEVERAL || r->value[k].channel == IR_SEVERAL)
      return false;
   for (uint32_t at = r->first; at <= r->last; at++) {
      const struct eu_op *op = &s->j->k->ops[at];
      if (op->fn != eu_exec_join && !jit_is_flow(op) && !keeps_turn(op, offset, &now))
         return false;
   }
   return true;
}

static void
spoil_each_other(struct survey *s)
{
   struct ir_value *v = s->r->value;
   for (unsigned i = 0; i < s->r->count; i++)
      for (unsigned k = 0; k < i; k++)
         if (v[i].kind == IR_VECTOR && v[k].kind == IR_VECTOR && v[i].offset < v[k].offset + 32u &&
             v[k].offset < v[i].offset + 32u) {
            bool turns = take_turns(s, i, k);
            s->shared[i] |= !turns;
            s->shared[k] |= !turns;
            v[i].bits = v[k].bits = true; /* at the top they have each other's */
         }
}

/* ---- the same bytes, two values ------------------------------------------------------------- */

void
ir_turn_to(struct ir_region *r, const struct eu_op *op)
{
   for (unsigned half = 0; half < op->count; half++)
      for (unsigned i = 0; i < r->count && is_whole_target(op, half); i++) {
         struct ir_value *v = &r->value[i];
         if (v->kind == IR_VECTOR && v->offset == op->dst[half] && r->version == MASKED)
            v->hidden = v->channel != target_channel(op, half);
      }
}

uint64_t
ir_hidden(const struct ir_region *r)
{
   uint64_t bits = 0;
   for (unsigned i = 0; i < r->count; i++)
      bits |= (uint64_t)r->value[i].hidden << i;
   return bits;
}

/* ---- constants ------------------------------------------------------------------------------ */

static void
find_constant(struct survey *s, uint32_t i)
{
   const struct eu_op *op = &s->j->k->ops[i];
   const struct eu_detail *d = op->d;
   unsigned at = op->dst[0];
   if (op->operation != FAST_I_MOV || op->kind[0] != FAST_CONST || op->modifier[0] ||
       d->exec_size != 1 || !op->no_mask || op->predicate || d->condition ||
       op->dst_kind != FAST_TO_DWORDS || op->channels != 1 || at % 4 || at + 4 > GRF_B ||
       s->writers[at / 4] != 1 || s->r->constants == IR_CONSTANTS)
      return;
   s->r->constant[s->r->constants++] = (struct ir_constant){.op = i, .offset = (uint16_t)at};
}

/* ---- all of it ------------------------------------------------------------------------------ */

static bool
is_good(const struct survey *s, unsigned i)
{
   const struct ir_value *v = &s->r->value[i];
   if (v->kind == IR_SPREAD)
      return !s->writers[v->offset / 4];
   return !s->shared[i] && (s->r->version == FULL || v->channel != IR_SEVERAL);
}

static void
keep_good_ones(struct survey *s)
{
   unsigned n = 0;
   for (unsigned i = 0; i < s->r->count; i++)
      if (is_good(s, i))
         s->r->value[n++] = s->r->value[i];
   s->r->count = n;
}

bool
ir_find_values(const struct jit *j, struct ir_region *r)
{
   struct survey s = {.j = j, .r = r};
   for (uint32_t i = r->first; r->messages && i <= r->last; i++)
      if (ir_is_alu(&j->k->ops[i]))
         open_uses(&s, &j->k->ops[i]);
   s.known_only = r->messages;
   for (unsigned pass = 0; pass < 3; pass++)
      for (uint32_t i = r->first; i <= r->last; i++) {
         const struct eu_op *op = &j->k->ops[i];
         if (op->fn == eu_exec_join || jit_is_flow(op))
            continue;
         if (!ir_is_alu(op))
            message_uses(&s, op);
         else if (pass == 0)
            whole_uses(&s, op);
         else if (pass == 1)
            other_uses(&s, op);
         else if (!r->messages)
            find_constant(&s, i);
      }
   spoil_each_other(&s);
   if (s.overflow)
      return false;
   keep_good_ones(&s);
   return true;
}
