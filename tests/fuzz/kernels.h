/* Kernels out of arbitrary bytes: instructions that make sense more often than not, close together
 * in the registers they use and the places they jump to, and now and then ones that do not. */
#ifndef PERGOLA_FUZZ_KERNELS_H
#define PERGOLA_FUZZ_KERNELS_H

#include "eu/isa/isa.h"

#include <string.h>

struct choices {
   const uint8_t *p, *end;
   unsigned device;
};

/* A number below n (at most 256); 0 when the bytes are used up. */
static inline unsigned
choose(struct choices *c, unsigned n)
{
   return c->p < c->end ? *c->p++ % n : 0;
}

static inline uint32_t
choose32(struct choices *c)
{
   uint32_t v = 0;
   for (unsigned i = 0; i < 4; i++)
      v = v << 8 | choose(c, 256);
   return v;
}

static inline uint8_t
choose_register(struct choices *c)
{
   return (uint8_t)(2 + choose(c, 14));
}

static const uint8_t kernels_int_types[] = {EU_TYPE_UD, EU_TYPE_D, EU_TYPE_UD, EU_TYPE_D,
                                            EU_TYPE_UW, EU_TYPE_W, EU_TYPE_UB, EU_TYPE_B};

static inline void
kernels_source(struct choices *c, struct eu_inst *i, unsigned n, bool floats, bool last)
{
   static const uint8_t regions[][3] = {{8, 8, 1},  {0, 1, 0}, {8, 8, 1}, {8, 4, 2},
                                        {16, 8, 2}, {4, 4, 1}, {0, 4, 1}, {2, 2, 1}};
   struct eu_operand *o = &i->src[n];
   const uint8_t *r = regions[choose(c, 8)];
   unsigned how = choose(c, 16);
   o->file = EU_FILE_GRF;
   o->type = floats ? EU_TYPE_F : kernels_int_types[choose(c, 8)];
   o->nr = choose_register(c);
   o->vstride = r[0], o->width = r[1], o->hstride = r[2];
   o->subnr = how < 3 ? (uint8_t)(choose(c, 8) * 4) : 0;
   o->negate = how == 4 || how == 5;
   o->abs = how == 5 || how == 6;
   if (i->align16) {
      o->vstride = how & 1 ? 4 : 0, o->width = 4, o->hstride = 1;
      o->subnr = how & 2 ? 16 : 0;
      o->swizzle = how & 4 ? 0xe4 : (uint8_t)choose(c, 256);
      o->rep_ctrl = i->opcode == EU_OP_MAD && how & 8;
   } else if (last && how >= 13) {
      memset(o, 0, sizeof(*o));
      o->file = EU_FILE_IMM;
      o->width = 1;
      o->type = floats ? EU_TYPE_F : EU_TYPE_D;
      o->imm = how == 13 ? choose(c, 40) : choose32(c);
   } else if (how == 12) { /* flags, accumulators, the address register … */
      o->file = EU_FILE_ARF;
      o->nr = (uint8_t)(choose(c, 16) << 4);
      o->vstride = 0, o->width = 1, o->hstride = 0;
   }
}

static inline void
kernels_controls(struct choices *c, struct eu_inst *i)
{
   static const uint8_t sizes[] = {8, 16, 8, 16, 4, 2, 1, 32};
   unsigned bits = choose(c, 256);
   i->size = 16;
   i->exec_size = sizes[choose(c, 8)];
   i->no_mask = !(bits & 3);
   i->quarter = i->exec_size <= 8 && bits & 4 ? (uint8_t)choose(c, 4) & 3 : 0;
   i->nibble = i->exec_size < 8 && bits & 8;
   i->flag_nr = bits >> 4 & 1;
   i->flag_subnr = bits >> 5 & 1;
   if (bits >> 6 == 3) {
      i->predicate = (uint8_t)(choose(c, 2) ? 1 : 1 + choose(c, 13));
      i->predicate_inverse = choose(c, 2);
   }
}

static inline void
kernels_alu(struct choices *c, struct eu_inst *i)
{
   static const uint8_t opcodes[] = {
       EU_OP_MOV,  EU_OP_SEL,  EU_OP_NOT,  EU_OP_AND, EU_OP_OR,   EU_OP_XOR,  EU_OP_SHR,
       EU_OP_SHL,  EU_OP_ASR,  EU_OP_CMP,  EU_OP_ADD, EU_OP_MUL,  EU_OP_MAD,  EU_OP_MATH,
       EU_OP_RNDU, EU_OP_RNDD, EU_OP_RNDE, EU_OP_FRC, EU_OP_RNDZ, EU_OP_CMP,  EU_OP_ADD,
       EU_OP_MOV,  EU_OP_MUL,  EU_OP_SEL,  EU_OP_LRP, EU_OP_AVG,  EU_OP_MACH, EU_OP_BFE,
       EU_OP_DP2,  EU_OP_DP3,  EU_OP_DP4,  EU_OP_DPH, EU_OP_PLN};
   static const uint8_t math[] = {EU_MATH_INV,  EU_MATH_SQRT, EU_MATH_RSQ,
                                  EU_MATH_FDIV, EU_MATH_LOG,  EU_MATH_INTDIVMOD,
                                  EU_MATH_EXP,  EU_MATH_SIN,  EU_MATH_POW};
   i->opcode = opcodes[choose(c, sizeof(opcodes))];
   unsigned bits = choose(c, 256), sources = eu_opcodes[i->opcode].sources;
   bool logic = i->opcode >= EU_OP_NOT && i->opcode <= EU_OP_ASR;
   bool floats = !logic && bits & 1;
   bool three = sources == 3 || i->opcode == EU_OP_MATH;
   i->align16 = sources == 3 || bits >> 1 == 0;
   i->saturate = (bits >> 1 & 7) == 7;
   i->acc_write = (bits >> 4 & 15) == 15;
   if (i->opcode == EU_OP_CMP || (bits >> 4 & 3) == 1)
      i->cond_modifier = (uint8_t)(1 + choose(c, 6));
   floats = floats || three || (i->opcode >= EU_OP_FRC && i->opcode <= EU_OP_RNDZ) ||
            (i->opcode >= EU_OP_DP4 && i->opcode <= EU_OP_PLN);
   if (i->opcode >= EU_OP_DP4 && i->opcode <= EU_OP_DP2)
      i->align16 = bits >> 1 & 1;
   for (unsigned n = 0; n < sources; n++)
      kernels_source(c, i, n, floats, n + 1 == sources);
   if (i->opcode == EU_OP_MATH) {
      i->math_function = math[choose(c, sizeof(math))];
      i->cond_modifier = 0;
   }
   struct eu_operand *d = &i->dst;
   unsigned how = choose(c, 32);
   d->file = EU_FILE_GRF;
   d->type = floats && how > 3 ? EU_TYPE_F : kernels_int_types[choose(c, 8)];
   d->nr = choose_register(c);
   d->hstride = how >= 4 && how < 8 ? (uint8_t)(1u << (how & 1)) : 1;
   d->subnr = how >= 8 && how < 12 ? (uint8_t)(4 * choose(c, 8)) : 0;
   d->writemask = 15;
   if (how == 12 || how == 13) { /* null, flags, accumulators, a0 */
      d->file = EU_FILE_ARF;
      d->nr = (uint8_t)(choose(c, 4) << 4);
   }
   if (i->align16) {
      d->hstride = 1, d->subnr &= 16;
      d->writemask = how & 16 ? 15 : (uint8_t)choose(c, 16);
   }
}

static inline struct eu_operand
kernels_dwords(struct choices *c, unsigned file, unsigned nr)
{
   return (struct eu_operand){.file = (uint8_t)file,
                              .nr = (uint8_t)nr,
                              .type = choose(c, 4) ? EU_TYPE_UD : EU_TYPE_D,
                              .vstride = 8,
                              .width = 8,
                              .hstride = 1,
                              .writemask = 15};
}

/* Products, carries and borrows by way of the accumulator, as compilers make long numbers of them.
 */
static inline void
kernels_long(struct choices *c, struct eu_inst *i)
{
   static const uint8_t opcodes[] = {EU_OP_MUL, EU_OP_MACH, EU_OP_ADDC, EU_OP_SUBB,
                                     EU_OP_MOV, EU_OP_MUL,  EU_OP_MOV,  EU_OP_ADD};
   unsigned how = choose(c, 64);
   i->opcode = opcodes[how % 8];
   i->exec_size = how == 63 ? 16 : 8;
   i->acc_write = i->opcode == EU_OP_MACH || i->opcode == EU_OP_ADDC || i->opcode == EU_OP_SUBB;
   for (unsigned n = 0; n < eu_opcodes[i->opcode].sources; n++)
      i->src[n] = kernels_dwords(c, EU_FILE_GRF, choose_register(c));
   i->src[1].type = i->src[0].type;
   if (i->opcode == EU_OP_MOV || how % 16 == 15)
      i->src[0] = kernels_dwords(c, EU_FILE_ARF, EU_ARF_ACC);
   if (i->opcode == EU_OP_MUL && how & 16)
      i->src[1].type = EU_TYPE_UW, i->src[1].vstride = 16, i->src[1].hstride = 2;
   i->dst = kernels_dwords(c, EU_FILE_GRF, choose_register(c));
   if (i->opcode == EU_OP_MUL || how / 8 == 7)
      i->dst = kernels_dwords(c, EU_FILE_ARF, i->opcode == EU_OP_MUL ? EU_ARF_ACC : 0);
}

/* Distances in instructions of full size; the closer the more often. */
static inline int32_t
kernels_distance(struct choices *c, bool forward)
{
   unsigned v = choose(c, 64);
   int32_t n = v < 48 ? (int32_t)(1 + v % 6) : (int32_t)(v - 48);
   return 2 * (forward == (v != 63) ? n : -n) + (v == 62);
}

static inline void
kernels_flow(struct choices *c, struct eu_inst *i)
{
   static const uint8_t opcodes[] = {EU_OP_IF,    EU_OP_ELSE,  EU_OP_ENDIF, EU_OP_WHILE,
                                     EU_OP_BREAK, EU_OP_CONT,  EU_OP_HALT,  EU_OP_JMPI,
                                     EU_OP_IF,    EU_OP_ENDIF, EU_OP_WHILE, EU_OP_NOP,
                                     EU_OP_BRD,   EU_OP_BRC,   EU_OP_CALL,  EU_OP_RET};
   i->opcode = opcodes[choose(c, sizeof(opcodes))];
   if (i->exec_size < 8)
      i->exec_size = 16;
   if (i->opcode == EU_OP_IF || i->opcode == EU_OP_WHILE)
      i->predicate = i->predicate ? i->predicate : 1;
   i->jip = kernels_distance(c, i->opcode != EU_OP_WHILE);
   i->uip = kernels_distance(c, true);
   i->dst = (struct eu_operand){
       .file = EU_FILE_GRF, .type = EU_TYPE_D, .nr = 20, .hstride = 1, .writemask = 15};
   i->src[0] = (struct eu_operand){
       .file = EU_FILE_GRF, .type = EU_TYPE_D, .nr = 20, .vstride = 2, .width = 2, .hstride = 1};
   if (i->opcode == EU_OP_JMPI) {
      i->exec_size = 1;
      i->src[0] = (struct eu_operand){.file = EU_FILE_IMM,
                                      .type = EU_TYPE_D,
                                      .width = 1,
                                      .imm = (uint32_t)kernels_distance(c, choose(c, 2))};
   }
}

/* Rows of a buffer, other untyped messages, any message at all. */
static inline void
kernels_send(struct choices *c, struct eu_inst *i)
{
   unsigned how = choose(c, 32), wide = choose(c, 2);
   bool write = how & 1;
   i->opcode = how == 31 ? EU_OP_SENDC : EU_OP_SEND;
   i->exec_size = wide ? 16 : 8;
   i->sfid = EU_SFID_DATA;
   unsigned regs = 1 + wide, count = how < 20 ? 1 : 1 + choose(c, 4);
   uint32_t bti = how % 5 == 4 ? 254 : choose(c, 3);
   i->desc = bti | (15u & ~((1u << count) - 1)) << 8 | (wide ? 1u : 2u) << 12 |
             (write ? 13u : 5u) << 14 | (write ? 0 : count * regs) << 20 |
             (regs + (write ? count * regs : 0)) << 25;
   if (how == 28)
      i->desc = choose32(c) & 0x1fffffff;
   if (how == 29)
      i->sfid = (uint8_t)choose(c, 16);
   if (how == 30)
      i->desc ^= 1u << choose(c, 29);
   i->src[0] = (struct eu_operand){
       .file = EU_FILE_GRF,
       .type = EU_TYPE_UD,
       .nr = (uint8_t)(choose(c, 4) ? 2 + 2 * choose(c, 2) : choose_register(c)),
       .vstride = 8,
       .width = 8,
       .hstride = 1};
   i->dst = (struct eu_operand){.file = write ? EU_FILE_ARF : EU_FILE_GRF,
                                .type = EU_TYPE_UD,
                                .nr = write ? 0 : choose_register(c),
                                .hstride = 1,
                                .writemask = 15};
}

/* What is rare: a write of the control register, a wait, an end in the middle. */
static inline void
kernels_odd(struct choices *c, struct eu_inst *i)
{
   unsigned how = choose(c, 8);
   static const uint32_t control[] = {0,       1u << 4, 2u << 4,  3u << 4, 1u << 3,
                                      1u << 2, 1,       1u << 15, 1u << 1};
   i->exec_size = 1;
   i->predicate = 0;
   i->opcode = EU_OP_MOV;
   i->src[0] = (struct eu_operand){
       .file = EU_FILE_IMM, .type = EU_TYPE_UD, .width = 1, .imm = control[choose(c, 9)]};
   i->dst = (struct eu_operand){
       .file = EU_FILE_ARF, .nr = EU_ARF_CR, .type = EU_TYPE_UD, .hstride = 1, .writemask = 15};
   if (how == 0) { /* exceptions on */
      i->dst.subnr = 4;
      i->src[0].imm = 0xf800 | (uint32_t)choose(c, 2) << 29;
   } else if (how == 1) {
      i->opcode = EU_OP_WAIT;
      i->dst = i->src[0] = (struct eu_operand){.file = EU_FILE_ARF,
                                               .nr = EU_ARF_N,
                                               .type = EU_TYPE_UD,
                                               .width = 1,
                                               .hstride = 1,
                                               .writemask = 15};
      i->src[0].hstride = 0;
   } else if (how == 2) {
      kernels_send(c, i);
      i->eot = true;
      i->sfid = EU_SFID_THREAD_SPAWNER;
      i->desc = 0x02000010;
      i->src[0].nr = 127;
      i->dst.file = EU_FILE_ARF, i->dst.nr = 0;
   } else if (how == 3) {
      i->opcode = (uint8_t)choose(c, 128);
   } else if (how == 4) {
      kernels_alu(c, i);
      i->dst.indirect = true;
      i->dst.addr_subnr = (uint8_t)choose(c, 8);
   }
}

/* One instruction; returns its bytes. */
static inline unsigned
kernels_instruction(struct choices *c, uint8_t out[16])
{
   uint32_t dw[4];
   uint64_t compact;
   unsigned how = choose(c, 64);
   if (how == 63) {
      for (unsigned n = 0; n < 16; n++)
         out[n] = (uint8_t)choose(c, 256);
      return 16;
   }
   struct eu_inst i = {0};
   kernels_controls(c, &i);
   if (how < 36)
      kernels_alu(c, &i);
   else if (how < 40)
      kernels_long(c, &i);
   else if (how < 52)
      kernels_flow(c, &i);
   else if (how < 61)
      kernels_send(c, &i);
   else
      kernels_odd(c, &i);
   i.debug = how == 62 && choose(c, 2);
   eu_inst_encode(&i, c->device, dw);
   if (how % 8 == 0 && eu_inst_compact(dw, &compact)) {
      memcpy(out, &compact, 8);
      return 8;
   }
   memcpy(out, dw, 16);
   return 16;
}

/* A kernel from all of the bytes, with an end of thread behind; returns its size, at most `room`.
 */
static inline size_t
kernels_make(struct choices *c, uint8_t *out, size_t room)
{
   size_t size = 0;
   while (c->p < c->end && size + 32 <= room)
      size += kernels_instruction(c, out + size);
   struct eu_inst end = {.opcode = EU_OP_SEND,
                         .size = 16,
                         .exec_size = 8,
                         .no_mask = true,
                         .eot = true,
                         .sfid = EU_SFID_THREAD_SPAWNER,
                         .desc = 0x02000010};
   uint32_t dw[4];
   end.src[0] = (struct eu_operand){
       .file = EU_FILE_GRF, .type = EU_TYPE_UD, .nr = 127, .vstride = 8, .width = 8, .hstride = 1};
   end.dst =
       (struct eu_operand){.file = EU_FILE_ARF, .type = EU_TYPE_UW, .hstride = 1, .writemask = 15};
   eu_inst_encode(&end, c->device, dw);
   memcpy(out + size, dw, 16);
   return size + 16;
}

#endif
