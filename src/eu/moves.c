/* Kernels whose threads move texels: no branches, one ld, and one render target write of what it
 * returned. Where that comes from is asked of the data flow: U is one function of the pixel's X for
 * all channels, V one of its Y, level and slice are the same for all. Who knows the functions at
 * some places knows them for all threads with pixels there. */
#include "eu/op.h"
#include "hw/message.h"

#include <string.h>

#define NODES 96u /* expressions that a kernel may have */
#define CHANNELS 16u
#define WORDS (EU_GRF_COUNT * EU_REG_SIZE / 2u)
#define BAD 0u         /* no expression, or one that is not followed */
#define PLACES_B 0x28u /* R1.2 … R1.5: subspans, Y above X (G3D-098) */
#define PLACES_END_B 0x38u

enum { OF_X = 1, OF_Y = 2, OF_ELSE = 4 };

/* An expression of one channel. Those of two channels are the same if all of this is. */
struct node {
   enum { NODE_BAD, NODE_IMM, NODE_PAYLOAD, NODE_X, NODE_Y, NODE_OP } kind;
   uint32_t value; /* immediate; byte of the payload; or what the operation is besides its … */
   uint8_t opcode, condition, saturate, type;
   uint8_t source_type[3], modifier[3];
   uint8_t source[3]; /* nodes */
};

struct flow {
   unsigned nodes;
   struct node node[NODES];
   uint8_t of[NODES];   /* OF_…: what it depends on, besides registers in common */
   uint8_t size[NODES]; /* bytes */
   uint8_t word[WORDS]; /* the node whose value is there, … */
   bool upper[WORDS];   /* … or its upper half */
   bool written[WORDS];
   uint64_t needs[2];
};

static unsigned
add_node(struct flow *f, const struct node *n, unsigned of, unsigned size)
{
   for (unsigned i = 1; i < f->nodes; i++)
      if (!memcmp(&f->node[i], n, sizeof(*n)) && f->size[i] == size)
         return i;
   if (f->nodes == NODES)
      return BAD;
   f->node[f->nodes] = *n;
   f->of[f->nodes] = (uint8_t)of;
   f->size[f->nodes] = (uint8_t)size;
   return f->nodes++;
}

/* A struct whose every byte is set: it is compared as a whole. */
static struct node
blank(int kind)
{
   struct node n;
   memset(&n, 0, sizeof(n));
   n.kind = (unsigned)kind;
   return n;
}

/* What a thread was given at that byte. */
static unsigned
payload_node(struct flow *f, unsigned at_B, unsigned size)
{
   struct node n = blank(NODE_PAYLOAD);
   bool place = at_B + size > EU_REG_SIZE && at_B < 2 * EU_REG_SIZE;
   n.value = at_B;
   if (!place)
      f->needs[at_B / EU_REG_SIZE / 64] |= UINT64_C(1) << at_B / EU_REG_SIZE % 64;
   return add_node(f, &n, place ? OF_ELSE : 0, size);
}

static unsigned
read_node(struct flow *f, unsigned at_B, unsigned size)
{
   unsigned w = at_B / 2, node;
   if (at_B % size || (size != 2 && size != 4) || w + size / 2 > WORDS)
      return BAD;
   if (!f->written[w] && (size == 2 || !f->written[w + 1]))
      return payload_node(f, at_B, size);
   node = f->word[w];
   if (!f->written[w] || f->upper[w] || f->size[node] != size)
      return BAD;
   return size == 4 && !(f->written[w + 1] && f->upper[w + 1] && f->word[w + 1] == node) ? BAD
                                                                                         : node;
}

static void
write_node(struct flow *f, unsigned at_B, unsigned size, unsigned node)
{
   for (unsigned i = 0; i < size / 2; i++) {
      f->written[at_B / 2 + i] = true;
      f->word[at_B / 2 + i] = (uint8_t)node;
      f->upper[at_B / 2 + i] = i != 0;
   }
}

/* The value that a channel reads of an immediate. */
static unsigned
immediate_node(struct flow *f, const struct op_operand *o, unsigned c)
{
   struct node n = blank(NODE_IMM);
   unsigned size = type_size[o->type];
   if (o->offset[c] == OFFSET_NONE || o->offset[c] + size > sizeof(o->imm) || size > 4)
      return BAD;
   memcpy(&n.value, (const uint8_t *)o->imm + o->offset[c], size);
   return add_node(f, &n, 0, size);
}

/* Is it X or Y of the channel's pixel: that of its subspan, and one more for the right or lower
 * ones? */
static unsigned
place_node(struct flow *f, const struct eu_detail *d, const unsigned source[3], unsigned c)
{
   const struct node *a = &f->node[source[0]], *b = &f->node[source[1]];
   unsigned channel = d->group + c, at = PLACES_B + 4 * (channel / 4);
   if (d->opcode != EU_OP_ADD || a->kind != NODE_PAYLOAD || b->kind != NODE_IMM || d->saturate ||
       d->src[0].type != T_UW || d->src[1].type > T_W || d->dst.type != T_UW || d->src[0].abs ||
       d->src[0].negate || d->src[1].abs || d->src[1].negate || f->size[source[0]] != 2)
      return BAD;
   if (a->value == at && b->value == (channel & 1)) {
      struct node n = blank(NODE_X);
      return add_node(f, &n, OF_X, 2);
   }
   if (a->value == at + 2 && b->value == (channel >> 1 & 1)) {
      struct node n = blank(NODE_Y);
      return add_node(f, &n, OF_Y, 2);
   }
   return BAD;
}

static unsigned
result_node(struct flow *f, const struct eu_detail *d, const unsigned source[3], unsigned c)
{
   struct node n = blank(NODE_OP);
   unsigned place = place_node(f, d, source, c), of = 0;
   if (place)
      return place;
   n.opcode = d->opcode;
   n.condition = d->condition;
   n.saturate = d->saturate;
   n.type = d->dst.type;
   for (unsigned i = 0; i < d->sources; i++) {
      const struct op_operand *o = &d->src[i];
      n.source_type[i] = o->type;
      n.modifier[i] = (uint8_t)(o->abs | o->negate << 1);
      n.source[i] = (uint8_t)source[i];
      of |= f->of[source[i]];
   }
   return add_node(f, &n, of, type_size[d->dst.type]);
}

/* Each channel by itself, and by nothing but its sources. */
static bool
is_followed(const struct eu_detail *d)
{
   switch (d->opcode) {
   case EU_OP_MOV:
   case EU_OP_NOT:
   case EU_OP_AND:
   case EU_OP_OR:
   case EU_OP_XOR:
   case EU_OP_SHR:
   case EU_OP_SHL:
   case EU_OP_ASR:
   case EU_OP_ADD:
   case EU_OP_MUL:
   case EU_OP_AVG:
   case EU_OP_FRC:
   case EU_OP_RNDU:
   case EU_OP_RNDD:
   case EU_OP_RNDE:
   case EU_OP_RNDZ:
   case EU_OP_MAD:
   case EU_OP_LRP:
      break;
   default:
      return false;
   }
   return d->alu && !d->predicate && !d->condition && !d->paired && d->sources <= 3 &&
          d->dst.kind == OPERAND_GRF && (d->chan_en & d->channels) == d->channels &&
          d->group + d->exec_size <= CHANNELS && (d->exec_size == 8 || d->exec_size == 16);
}

/* Does the second half of it read what the first one writes? */
static bool
crosses(const struct eu_detail *d)
{
   unsigned half = d->exec_size / 2u;
   for (unsigned n = 0; n < d->sources && d->halves == 2; n++)
      for (unsigned c = half; c < d->exec_size && d->src[n].kind == OPERAND_GRF; c++)
         for (unsigned i = 0; i < half; i++)
            if (d->src[n].offset[c] / 4 == d->dst.offset[i] / 4)
               return true;
   return false;
}

static bool
follow(struct flow *f, const struct eu_detail *d)
{
   unsigned source[CHANNELS][3] = {{0}}, size = type_size[d->dst.type];
   if (!is_followed(d) || (size != 2 && size != 4) || crosses(d))
      return false;
   for (unsigned c = 0; c < d->exec_size; c++)
      for (unsigned n = 0; n < d->sources; n++) {
         const struct op_operand *o = &d->src[n];
         if (d->dst.offset[c] == OFFSET_NONE || d->dst.offset[c] % size)
            return false;
         if (o->kind == OPERAND_IMM)
            source[c][n] = immediate_node(f, o, c);
         else if (o->kind == OPERAND_GRF && o->offset[c] != OFFSET_NONE)
            source[c][n] = read_node(f, o->offset[c], type_size[o->type]);
         if (source[c][n] == BAD)
            return false;
      }
   for (unsigned c = 0; c < d->exec_size; c++) {
      unsigned node = result_node(f, d, source[c], c);
      if (node == BAD)
         return false;
      write_node(f, d->dst.offset[c], size, node);
   }
   return true;
}

/* Is this parameter of the ld the same expression for all channels, of no more than that? */
static bool
parameter(struct flow *f, const struct sf_quick *q, unsigned number, unsigned of)
{
   unsigned at_B = q->payload + number * 2 * EU_REG_SIZE, first;
   if (number >= q->sources) /* it is 0 */
      return true;
   first = read_node(f, at_B, 4);
   for (unsigned c = 1; c < CHANNELS; c++)
      if (read_node(f, at_B + 4 * c, 4) != first)
         return false;
   return first != BAD && !(f->of[first] & ~of);
}

/* SMP-232: u, lod, v, r. */
static bool
fetches(struct flow *f, const struct eu_detail *d)
{
   const struct sf_quick *q = &d->quick;
   return q->fetches && !d->predicate && d->exec_size == CHANNELS && !d->group && q->sources >= 3 &&
          parameter(f, q, 0, OF_X) && parameter(f, q, 1, 0) && parameter(f, q, 2, OF_Y) &&
          parameter(f, q, 3, 0);
}

/* All of what the ld returned, and nothing else. */
static bool
stores(const struct eu_detail *d, const struct sf_quick *from)
{
   return d->inst.eot && d->quick.ends_pixels && !d->quick.header && !d->predicate &&
          hw_message_length(d->inst.desc) == 8 && d->quick.payload == from->response;
}

void
eu_kernel_find_moves(struct eu_kernel *k)
{
   static const struct flow none;
   struct flow f;
   k->moves = NULL;
   if (!k->simple || k->op_count < 4 || k->op_count > NODES)
      return;
   const struct eu_op *fetch = &k->ops[k->op_count - 3];
   if (!fetch->d->quick.fetches || !stores(fetch[1].d, &fetch->d->quick))
      return;
   f = none;
   f.nodes = 1;
   for (const struct eu_op *op = k->ops; op < fetch; op++)
      if (op->fn == eu_exec_join || !follow(&f, op->d))
         return;
   if (!fetches(&f, fetch->d))
      return;
   k->moves = fetch;
   memcpy(k->moves_needs, f.needs, sizeof(f.needs));
}
