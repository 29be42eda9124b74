/* Kernels of loops from arbitrary bytes: arithmetic on a few registers, constants, comparisons,
 * choices, breaks, ifs in ifs, messages, and a branch back; what native code keeps in host
 * registers, or leaves out after a first round. */
#ifndef PERGOLA_TESTS_FUZZ_LOOPS_H
#define PERGOLA_TESTS_FUZZ_LOOPS_H

#include "kernels.h"

static inline struct eu_operand
loops_register(struct choices *c, unsigned type, bool pair)
{
   unsigned nr = 6 + choose(c, 10);
   return (struct eu_operand){.file = EU_FILE_GRF,
                              .type = (uint8_t)type,
                              .nr = (uint8_t)(pair ? nr & ~1u : nr),
                              .vstride = 8,
                              .width = 8,
                              .hstride = 1,
                              .writemask = 15};
}

static inline struct eu_operand
loops_source(struct choices *c, unsigned type, bool pair, bool last)
{
   struct eu_operand o = loops_register(c, type, pair);
   unsigned how = choose(c, 16);
   o.negate = how == 0;
   o.abs = how == 1;
   if (how >= 2 && how < 6) { /* one for all, most often of a register that nobody writes */
      o.vstride = 0, o.width = 1, o.hstride = 0;
      o.nr = how == 2 ? o.nr : 24;
      o.subnr = (uint8_t)(4 * choose(c, 8));
   } else if (last && how < 9) {
      o = (struct eu_operand){.file = EU_FILE_IMM, .type = (uint8_t)type, .width = 1};
      o.imm = type == EU_TYPE_F ? 0x3f000000 + choose(c, 256) * 0x10000u : choose(c, 256) - 16;
   }
   return o;
}

/* SIMD4x2's instruction with three sources, of eight channels. */
static inline struct eu_inst
loops_mad(struct choices *c)
{
   struct eu_inst i = {
       .opcode = EU_OP_MAD, .size = 16, .exec_size = 8, .align16 = true, .quarter = choose(c, 2)};
   i.dst = loops_register(c, EU_TYPE_F, false);
   for (unsigned n = 0; n < 3; n++) {
      i.src[n] = loops_register(c, EU_TYPE_F, false);
      i.src[n].vstride = 4, i.src[n].width = 4;
      i.src[n].swizzle = 0xe4;
      i.src[n].rep_ctrl = choose(c, 4) == 0;
      i.src[n].nr = i.src[n].rep_ctrl && choose(c, 3) ? 24 : i.src[n].nr;
      i.src[n].negate = choose(c, 8) == 0;
      if (choose(c, 3) == 0)
         i.src[n].nr = i.dst.nr;
   }
   return i;
}

static inline struct eu_inst
loops_constant(struct choices *c)
{
   struct eu_inst i = {.opcode = EU_OP_MOV, .size = 16, .exec_size = 1, .no_mask = true};
   i.dst = loops_register(c, EU_TYPE_D, false);
   i.dst.nr = choose(c, 4) ? 24 : i.dst.nr;
   i.dst.subnr = (uint8_t)(4 * choose(c, 8));
   i.src[0] = (struct eu_operand){
       .file = EU_FILE_IMM, .type = EU_TYPE_D, .width = 1, .imm = 0x3f800000 + choose(c, 4)};
   return i;
}

static inline struct eu_inst
loops_alu(struct choices *c)
{
   static const uint8_t types[] = {EU_TYPE_F, EU_TYPE_D, EU_TYPE_UD};
   static const uint8_t opcodes[] = {EU_OP_ADD, EU_OP_MUL,  EU_OP_MOV, EU_OP_AND,  EU_OP_XOR,
                                     EU_OP_SHL, EU_OP_SHR,  EU_OP_SEL, EU_OP_CMP,  EU_OP_CMP,
                                     EU_OP_ADD, EU_OP_RNDD, EU_OP_FRC, EU_OP_MATH, EU_OP_DP4};
   static const uint8_t sizes[] = {8, 16, 16, 16, 8, 4};
   struct eu_inst i = {.opcode = opcodes[choose(c, sizeof(opcodes))],
                       .size = 16,
                       .exec_size = sizes[choose(c, 6)],
                       .no_mask = choose(c, 12) == 0,
                       .flag_nr = choose(c, 8) == 0,
                       .flag_subnr = choose(c, 8) == 0};
   bool logic = i.opcode >= EU_OP_NOT && i.opcode <= EU_OP_ASR, pair = i.exec_size == 16;
   bool floats = (i.opcode >= EU_OP_FRC && i.opcode <= EU_OP_RNDZ) || i.opcode == EU_OP_MATH ||
                 i.opcode == EU_OP_DP4;
   uint8_t type = floats ? EU_TYPE_F : types[logic ? 1 + choose(c, 2) : choose(c, 3)];
   unsigned sources = eu_opcodes[i.opcode].sources;
   i.quarter = i.exec_size < 16 && choose(c, 2);
   i.dst = loops_register(c, type, pair);
   for (unsigned n = 0; n < sources; n++)
      i.src[n] = loops_source(c, type, pair, n + 1 == sources);
   if (i.opcode == EU_OP_CMP || (logic && choose(c, 3) == 0))
      i.cond_modifier = (uint8_t)(1 + choose(c, i.opcode == EU_OP_CMP ? 6 : 2));
   if (i.opcode == EU_OP_CMP && choose(c, 2))
      i.dst = (struct eu_operand){.file = EU_FILE_ARF, .type = type, .hstride = 1};
   if (i.opcode == EU_OP_SEL && choose(c, 4) == 0)
      i.cond_modifier = (uint8_t)(4 + choose(c, 2));
   else
      i.predicate = i.opcode == EU_OP_SEL || choose(c, 6) == 0;
   i.predicate_inverse = i.predicate && choose(c, 3) == 0;
   i.saturate = type == EU_TYPE_F && !i.cond_modifier && choose(c, 10) == 0;
   if (i.opcode == EU_OP_MATH) {
      i.math_function = choose(c, 2) ? EU_MATH_INV : EU_MATH_SQRT;
      i.src[1] = (struct eu_operand){.file = EU_FILE_ARF, .type = EU_TYPE_F};
   }
   return i;
}

struct loops {
   struct choices *c;
   bool messages;
   struct eu_inst list[64];
   unsigned count;
   unsigned quit[8], quits; /* breaks and continues of the loop at hand */
};

static inline void
loops_add(struct loops *l, struct eu_inst i)
{
   if (l->count < 64)
      l->list[l->count++] = i;
}

/* Of a buffer, most often rows of it; what is read goes where arithmetic looks. */
static inline struct eu_inst
loops_message(struct choices *c)
{
   struct eu_inst i = {.size = 16, .no_mask = choose(c, 8) == 0};
   kernels_send(c, &i);
   i.predicate = choose(c, 8) == 0;
   if (i.dst.file == EU_FILE_GRF)
      i.dst.nr = (uint8_t)(6 + choose(c, 8));
   return i;
}

/* Several dwords of one place, most often for all slots. */
static inline void
loops_same(struct loops *l)
{
   struct choices *c = l->c;
   bool wide = choose(c, 2);
   unsigned regs = 1 + wide, count = 2 + choose(c, 3);
   struct eu_inst at = {.opcode = EU_OP_MOV, .size = 16, .exec_size = wide ? 16 : 8};
   struct eu_inst i = {.opcode = EU_OP_SEND,
                       .size = 16,
                       .exec_size = wide ? 16 : 8,
                       .no_mask = choose(c, 8) == 0,
                       .sfid = EU_SFID_DATA};
   i.desc = choose(c, 3) | (15u & ~((1u << count) - 1)) << 8 | (wide ? 1u : 2u) << 12 | 5u << 14 |
            count * regs << 20 | regs << 25;
   at.dst = loops_register(c, EU_TYPE_UD, true);
   at.src[0] = at.dst;
   at.src[0].nr = (uint8_t)(2 + 2 * choose(c, 2));
   if (choose(c, 8)) {
      at.src[0].vstride = 0, at.src[0].width = 1, at.src[0].hstride = 0;
      at.src[0].subnr = (uint8_t)(4 * choose(c, 8));
   }
   i.src[0] = at.dst;
   i.dst = loops_register(c, EU_TYPE_UD, false);
   loops_add(l, at);
   loops_add(l, i);
}

/* Registers that are rarely written otherwise, and close to each other. */
static inline struct eu_operand
loops_spare(struct choices *c, unsigned type)
{
   struct eu_operand o = loops_register(c, type, false);
   o.nr = (uint8_t)(28 + choose(c, 8));
   return o;
}

/* A comparison that may come out the same in every round, and a choice or two by it. */
static inline void
loops_choose(struct loops *l)
{
   struct choices *c = l->c;
   bool wide = choose(c, 8) != 0, flag = choose(c, 8) == 0;
   struct eu_inst test = {.opcode = EU_OP_CMP,
                          .size = 16,
                          .exec_size = wide ? 16 : 8,
                          .flag_nr = flag,
                          .cond_modifier = (uint8_t)(1 + choose(c, 6))};
   test.src[0] = loops_register(c, EU_TYPE_D, wide);
   if (choose(c, 8))
      test.src[0].nr = 24 + 2 * choose(c, 2);
   if (choose(c, 4)) { /* alike in all lanes */
      test.src[0].vstride = 0, test.src[0].width = 1, test.src[0].hstride = 0;
      test.src[0].subnr = (uint8_t)(4 * choose(c, 8));
   }
   test.src[1] = (struct eu_operand){
       .file = EU_FILE_IMM, .type = EU_TYPE_D, .width = 1, .imm = choose(c, 64)};
   test.dst = (struct eu_operand){.file = EU_FILE_ARF, .type = EU_TYPE_D, .hstride = 1};
   loops_add(l, test);
   for (unsigned n = 1 + choose(c, 2); n; n--) {
      struct eu_inst i = {.opcode = EU_OP_SEL,
                          .size = 16,
                          .exec_size = wide ? 16 : 8,
                          .flag_nr = choose(c, 16) ? flag : !flag,
                          .predicate = 1,
                          .predicate_inverse = choose(c, 3) == 0};
      i.dst = loops_spare(c, EU_TYPE_UD);
      for (unsigned k = 0; k < 2; k++)
         i.src[k] = choose(c, 2) ? loops_spare(c, EU_TYPE_UD) : loops_register(c, EU_TYPE_UD, wide);
      loops_add(l, i);
   }
   struct eu_inst user = loops_alu(c);
   if (choose(c, 4)) {
      user.src[0] = loops_spare(c, user.src[0].type);
      loops_add(l, user);
   }
}

static inline void
loops_line(struct loops *l, unsigned n)
{
   for (; n; n--) {
      unsigned how = choose(l->c, 16);
      if (l->messages && how >= 9) {
         if (how < 11)
            loops_add(l, loops_message(l->c));
         else if (how == 11)
            loops_same(l);
         else
            loops_choose(l);
         continue;
      }
      loops_add(l, how < 3 ? loops_mad(l->c) : how == 3 ? loops_constant(l->c) : loops_alu(l->c));
   }
}

static inline struct eu_inst
loops_flow(struct choices *c, unsigned opcode, bool predicate)
{
   return (struct eu_inst){.opcode = (uint8_t)opcode,
                           .size = 16,
                           .exec_size = choose(c, 8) ? 16 : 8,
                           .predicate = predicate,
                           .predicate_inverse = predicate && choose(c, 2),
                           .flag_nr = choose(c, 8) == 0};
}

static inline int32_t
loops_distance(unsigned from, unsigned to)
{
   return 2 * ((int32_t)to - (int32_t)from);
}

/* Channels leave the loop, or its round. */
static inline void
loops_quit(struct loops *l, bool predicate)
{
   if (l->quits == 8 || l->count >= 60)
      return;
   l->quit[l->quits++] = l->count;
   loops_add(l, loops_flow(l->c, choose(l->c, 3) ? EU_OP_BREAK : EU_OP_CONT, predicate));
}

/* Those of a side go on at the end of it with nobody left. */
static inline void
loops_end_side(struct loops *l, unsigned first_quit, unsigned end)
{
   for (unsigned n = first_quit; n < l->quits; n++)
      if (!l->list[l->quit[n]].jip)
         l->list[l->quit[n]].jip = loops_distance(l->quit[n], end);
}

static inline void loops_if(struct loops *l, unsigned depth);

/* A few instructions, perhaps others in them. */
static inline void
loops_side(struct loops *l, unsigned depth)
{
   unsigned how = choose(l->c, 8);
   loops_line(l, choose(l->c, 4));
   if (how == 0)
      loops_quit(l, choose(l->c, 4) != 0);
   else if (how < 3 && depth < 3)
      loops_if(l, depth + 1);
   else if (how == 3)
      loops_line(l, 1);
   if (how < 3)
      loops_line(l, choose(l->c, 3));
}

static inline void
loops_if(struct loops *l, unsigned depth)
{
   unsigned at = l->count, middle = 0, quits = l->quits;
   struct eu_inst test = loops_alu(l->c);
   if (choose(l->c, 2) && at < 60) { /* a comparison right before it */
      at++;
      test.opcode = EU_OP_CMP;
      test.cond_modifier = (uint8_t)(1 + choose(l->c, 6));
      test.src[1] = loops_source(l->c, test.src[0].type, test.exec_size == 16, true);
      loops_add(l, test);
   }
   loops_add(l, loops_flow(l->c, EU_OP_IF, choose(l->c, 16) != 0));
   loops_side(l, depth);
   if (choose(l->c, 2)) {
      middle = l->count;
      loops_end_side(l, quits, middle);
      loops_add(l, loops_flow(l->c, EU_OP_ELSE, false));
      loops_side(l, depth);
   }
   if (l->count >= 63) {
      l->count = at;
      l->quits = quits;
      return;
   }
   unsigned end = l->count;
   loops_end_side(l, quits, end);
   loops_add(l, loops_flow(l->c, EU_OP_ENDIF, false));
   l->list[end].jip = 2 + 2 * (int32_t)choose(l->c, choose(l->c, 8) ? 1 : 4);
   l->list[at].jip = loops_distance(at, middle ? middle + 1 : end);
   l->list[at].uip = loops_distance(at, end);
   if (middle)
      l->list[middle].jip = l->list[middle].uip = loops_distance(middle, end);
   if (choose(l->c, 32) == 0) /* nobody writes this */
      l->list[at].jip += 2 * (int32_t)choose(l->c, 4);
}

static inline void
loops_one(struct loops *l)
{
   unsigned top = l->count;
   bool sides = choose(l->c, 8) < (l->messages ? 1 : 4);
   l->quits = 0;
   for (unsigned parts = 1 + choose(l->c, 3); parts; parts--) {
      loops_line(l, 1 + choose(l->c, sides ? 4 : 6));
      unsigned how = choose(l->c, 4);
      if (how < 2 && !sides)
         loops_quit(l, true);
      else if (how == 2 || sides)
         loops_if(l, 1);
   }
   unsigned end = l->count;
   if (end >= 63 || end == top) {
      l->count = top;
      return;
   }
   if (!l->quits && choose(l->c, 2)) {
      struct eu_inst i = {.opcode = EU_OP_JMPI, .size = 16, .exec_size = 1, .no_mask = true};
      i.predicate = choose(l->c, 3) != 0;
      i.src[0] = (struct eu_operand){.file = EU_FILE_IMM,
                                     .type = EU_TYPE_D,
                                     .width = 1,
                                     .imm = (uint32_t)loops_distance(end + 1, top)};
      loops_add(l, i);
      return;
   }
   loops_add(l, loops_flow(l->c, EU_OP_WHILE, choose(l->c, 2)));
   l->list[end].jip = loops_distance(end, top);
   loops_end_side(l, 0, end);
   for (unsigned n = 0; n < l->quits; n++)
      l->list[l->quit[n]].uip = loops_distance(l->quit[n], end);
}

/* A kernel; returns its size, at most `room`. */
static inline size_t
loops_make(struct choices *c, uint8_t *out, size_t room)
{
   struct loops l = {.c = c, .messages = choose(c, 2)};
   loops_line(&l, choose(c, 4));
   for (unsigned n = 1 + choose(c, 2); n; n--)
      loops_one(&l);
   size_t size = 0;
   for (unsigned n = 0; n < l.count && size + 32 <= room; n++, size += 16) {
      uint32_t dw[4];
      eu_inst_encode(&l.list[n], c->device, dw);
      memcpy(out + size, dw, 16);
   }
   struct choices none = {.device = c->device};
   return size + kernels_make(&none, out + size, room - size);
}

#endif
