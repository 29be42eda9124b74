/* Structured programs: nested blocks, loops, break, cont, halt, with work in between. */
#include "generate_parts.h"

#include <string.h>

#define MAX_LABELS 256
#define NONE MAX_LABELS

struct item {
   struct eu_inst inst;
   unsigned jip, uip; /* labels */
};

struct builder {
   struct generator *g;
   struct item *items;
   unsigned count, limit;
   unsigned where[MAX_LABELS];
   unsigned labels;
   unsigned size, quarter;
   unsigned end; /* label */
};

static unsigned
new_label(struct builder *b)
{
   return b->labels < MAX_LABELS - 1 ? b->labels++ : b->labels;
}

static void
place(struct builder *b, unsigned label)
{
   b->where[label] = b->count;
}

static struct eu_inst *
emit(struct builder *b, unsigned opcode)
{
   struct item *n = &b->items[b->count < b->limit - 1 ? b->count++ : b->count];
   memset(n, 0, sizeof(*n));
   n->jip = n->uip = NONE;
   n->inst.opcode = (uint8_t)opcode;
   n->inst.exec_size = (uint8_t)b->size;
   n->inst.quarter = (uint8_t)b->quarter;
   return &n->inst;
}

static void
branch(struct builder *b, unsigned opcode, bool predicated, unsigned jip, unsigned uip)
{
   struct eu_inst *i = emit(b, opcode);
   struct item *n = &b->items[b->count - 1];
   n->jip = jip, n->uip = uip;
   if (predicated) {
      i->predicate = 1;
      i->predicate_inverse = gen_chance(b->g, 40);
      i->flag_subnr = (uint8_t)gen_pick(b->g, 2);
   }
}

static struct eu_operand
row(unsigned nr)
{
   return (struct eu_operand){.file = EU_FILE_GRF,
                              .type = EU_TYPE_D,
                              .nr = (uint8_t)nr,
                              .vstride = 8,
                              .width = 8,
                              .hstride = 1,
                              .writemask = 0xF};
}

static struct eu_operand
number(int v)
{
   return (struct eu_operand){
       .file = EU_FILE_IMM, .type = EU_TYPE_D, .width = 1, .imm = (uint32_t)v};
}

static struct eu_operand
to(unsigned nr)
{
   return (struct eu_operand){
       .file = EU_FILE_GRF, .type = EU_TYPE_D, .nr = (uint8_t)nr, .hstride = 1, .writemask = 0xF};
}

/* Registers of two, so that sixteen channels fit: 20, 22 … 58. */
static unsigned
some_register(struct builder *b)
{
   return 20 + gen_pick(b->g, 20) * 2;
}

/* Where the order of two random choices would be the compiler's, they are statements of their own:
 * a seed gives the same program on every host. */
static void
compare(struct builder *b, unsigned flag_nr, unsigned flag_sub, unsigned a, unsigned c)
{
   static const uint8_t conditions[] = {EU_COND_L,  EU_COND_GE, EU_COND_Z,
                                        EU_COND_NZ, EU_COND_G,  EU_COND_LE};
   struct eu_inst *i = emit(b, EU_OP_CMP);
   i->cond_modifier = conditions[gen_pick(b->g, 6)];
   i->flag_nr = (uint8_t)flag_nr;
   i->flag_subnr = (uint8_t)flag_sub;
   i->dst =
       (struct eu_operand){.file = EU_FILE_ARF, .type = EU_TYPE_D, .hstride = 1, .writemask = 0xF};
   i->src[0] = row(a);
   i->src[1] = row(c);
}

static void
compare_some(struct builder *b, unsigned flag_sub)
{
   unsigned a = some_register(b), c = some_register(b);
   compare(b, 0, flag_sub, a, c);
}

static void
work(struct builder *b)
{
   static const uint8_t ops[] = {EU_OP_ADD, EU_OP_XOR, EU_OP_AVG, EU_OP_ADD};
   struct eu_inst *i;
   switch (gen_pick(b->g, 6)) {
   case 0: /* who is here? */
      i = emit(b, EU_OP_MOV);
      i->exec_size = 1, i->quarter = 0, i->no_mask = true;
      i->dst = to(60 + gen_pick(b->g, 4));
      i->dst.subnr = (uint8_t)(gen_pick(b->g, 8) * 4);
      i->dst.type = EU_TYPE_UD;
      i->src[0] = (struct eu_operand){.file = EU_FILE_ARF,
                                      .nr = gen_chance(b->g, 50) ? EU_ARF_IP : EU_ARF_FLAG,
                                      .type = EU_TYPE_UD,
                                      .width = 1};
      return;
   case 1:
      compare_some(b, gen_pick(b->g, 2));
      return;
   default:
      i = emit(b, ops[gen_pick(b->g, 4)]);
      i->no_mask = gen_chance(b->g, 15);
      i->dst = to(some_register(b));
      i->src[0] = row(some_register(b));
      i->src[1] =
          gen_chance(b->g, 50) ? number((int)gen_pick(b->g, 100) - 50) : row(some_register(b));
   }
}

static void block(struct builder *b, unsigned depth, unsigned loops, unsigned hop,
                  unsigned loop_end);

static void
conditional(struct builder *b, unsigned depth, unsigned loops, unsigned hop, unsigned loop_end)
{
   bool has_else = gen_chance(b->g, 60);
   unsigned at_else = new_label(b), after_else = new_label(b), at_endif = new_label(b),
            after = new_label(b);
   branch(b, EU_OP_IF, true, has_else ? after_else : at_endif, at_endif);
   block(b, depth + 1, loops, has_else ? at_else : at_endif, loop_end);
   if (has_else) {
      place(b, at_else);
      branch(b, EU_OP_ELSE, false, at_endif, NONE);
      place(b, after_else);
      block(b, depth + 1, loops, at_endif, loop_end);
   }
   place(b, at_endif);
   branch(b, EU_OP_ENDIF, false, hop == NONE ? after : hop, NONE);
   place(b, after);
}

/* Counter and test stand at the top, so that cont cannot skip them; loops of depth d use f1.d. */
static void
loop(struct builder *b, unsigned depth, unsigned loops)
{
   unsigned top = new_label(b), bottom = new_label(b), counter = 70 + loops * 2;
   struct eu_inst *i = emit(b, EU_OP_MOV);
   i->dst = to(counter);
   i->src[0] = number(0);
   place(b, top);
   i = emit(b, EU_OP_ADD);
   i->dst = to(counter);
   i->src[0] = row(counter);
   i->src[1] = number(1);
   compare(b, 1, loops, counter, 80 + loops * 2);
   b->items[b->count - 1].inst.cond_modifier = EU_COND_L;
   block(b, depth + 1, loops + 1, bottom, bottom);
   place(b, bottom);
   branch(b, EU_OP_WHILE, false, top, NONE);
   i = &b->items[b->count - 1].inst;
   i->predicate = 1;
   i->flag_nr = 1;
   i->flag_subnr = (uint8_t)loops;
}

static void
block(struct builder *b, unsigned depth, unsigned loops, unsigned hop, unsigned loop_end)
{
   unsigned n = 1 + gen_pick(b->g, 4);
   for (unsigned k = 0; k < n && b->count + 40 < b->limit && b->labels + 12 < MAX_LABELS; k++) {
      switch (gen_pick(b->g, 9)) {
      case 0:
      case 1:
         if (depth < 4)
            conditional(b, depth, loops, hop, loop_end);
         break;
      case 2:
         if (depth < 3 && loops < 2)
            loop(b, depth, loops);
         break;
      case 3:
         if (loop_end != NONE) {
            unsigned op = gen_chance(b->g, 50) ? EU_OP_BREAK : EU_OP_CONT;
            branch(b, op, gen_chance(b->g, 90), hop, loop_end);
         }
         break;
      case 4:
         if (gen_chance(b->g, 25))
            branch(b, EU_OP_HALT, gen_chance(b->g, 90), hop == NONE ? b->end : hop, b->end);
         break;
      default:
         work(b);
      }
   }
}

unsigned
gen_flow_program(struct generator *g, uint32_t (*dw)[4], unsigned limit)
{
   struct item items[512];
   struct builder b = {.g = g,
                       .items = items,
                       .limit = limit < 512 ? limit : 512,
                       .size = gen_chance(g, 50) ? 8 : 16};
   b.quarter = b.size == 8 && gen_chance(g, 30);
   b.end = new_label(&b);
   for (unsigned k = 0; k < 3; k++)
      compare_some(&b, k & 1);
   for (unsigned k = 0; k < 4; k++)
      block(&b, 0, 0, NONE, NONE);
   place(&b, b.end);
   unsigned last = new_label(&b);
   branch(&b, EU_OP_HALT, false, last, last);
   place(&b, last);
   for (unsigned n = 0; n < b.count; n++) {
      struct item *it = &items[n];
      if (it->jip != NONE)
         it->inst.jip = ((int)b.where[it->jip] - (int)n) * 2;
      if (it->uip != NONE)
         it->inst.uip = ((int)b.where[it->uip] - (int)n) * 2;
      eu_inst_encode(&it->inst, HW_IVB, dw[n]);
   }
   return b.count;
}

/* Branches of all kinds with targets anywhere: nothing structured, still defined. */
unsigned
gen_wild_program(struct generator *g, uint32_t (*dw)[4], bool single)
{
   static const uint8_t branches[] = {EU_OP_IF,   EU_OP_ELSE, EU_OP_ENDIF, EU_OP_WHILE, EU_OP_BREAK,
                                      EU_OP_CONT, EU_OP_HALT, EU_OP_JMPI,  EU_OP_BRD,   EU_OP_BRC};
   struct item items[64];
   struct builder b = {.g = g, .items = items, .limit = 64, .size = gen_chance(g, 50) ? 8 : 16};
   unsigned count = 24 + gen_pick(g, 16);
   b.quarter = b.size == 8 && gen_chance(g, 30);
   while (b.count < count) {
      if (gen_chance(g, 60)) {
         work(&b);
         continue;
      }
      unsigned op = branches[gen_pick(g, single ? 8 : 10)];
      unsigned here = b.count;
      bool free_predicate = op != EU_OP_ELSE && op != EU_OP_ENDIF;
      branch(&b, op, free_predicate && gen_chance(g, 85), NONE, NONE);
      struct eu_inst *i = &items[here].inst;
      i->jip = ((int)gen_pick(g, count) - (int)here) * 2;
      if (eu_opcodes[op].attrs & EU_OP_UIP)
         i->uip = ((int)gen_pick(g, count - 1) - (int)here) * 2;
      if (op == EU_OP_JMPI) {
         i->exec_size = 1, i->quarter = 0, i->no_mask = true;
         i->src[0] = number(i->jip - 2);
         i->jip = 0;
      }
   }
   for (unsigned n = 0; n < b.count; n++) {
      struct eu_inst *i = &items[n].inst;
      unsigned w = gen_pick(g, count), tries = 0;
      /* A break names a while, or it means nothing. */
      while (items[w].inst.opcode != EU_OP_WHILE && tries++ < count)
         w = (w + 1) % count;
      if (i->opcode == EU_OP_BREAK && items[w].inst.opcode == EU_OP_WHILE)
         i->uip = ((int)w - (int)n) * 2;
      else if (i->opcode == EU_OP_BREAK)
         i->opcode = EU_OP_CONT;
      eu_inst_encode(i, HW_IVB, dw[n]);
   }
   return b.count;
}
