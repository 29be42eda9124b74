/* The fast paths against the general one: random instructions, the same state before, every bit of
 * it compared after. */
#include "machine.h"

#include <stdio.h>
#include "tests/proves.h"

static struct machine m;
static uint64_t seed;

static uint32_t
rnd(uint32_t n)
{
   seed ^= seed << 13;
   seed ^= seed >> 7;
   seed ^= seed << 17;
   return (uint32_t)(seed >> 16) % n;
}

static const uint8_t opcodes[] = {EU_OP_MOV,  EU_OP_SEL,  EU_OP_NOT,  EU_OP_AND,  EU_OP_OR,
                                  EU_OP_XOR,  EU_OP_SHR,  EU_OP_SHL,  EU_OP_ASR,  EU_OP_CMP,
                                  EU_OP_ADD,  EU_OP_MUL,  EU_OP_MAD,  EU_OP_MATH, EU_OP_RNDU,
                                  EU_OP_RNDD, EU_OP_RNDE, EU_OP_RNDZ, EU_OP_FRC,  EU_OP_LRP,
                                  EU_OP_DP2,  EU_OP_DP3,  EU_OP_DP4,  EU_OP_DPH,  EU_OP_PLN};
static const uint8_t int_types[] = {EU_TYPE_UD, EU_TYPE_D,  EU_TYPE_UW,
                                    EU_TYPE_W,  EU_TYPE_UB, EU_TYPE_B};

static void
random_region(struct eu_operand *o)
{
   static const uint8_t regions[][3] = {{8, 8, 1}, {0, 1, 0}, {4, 4, 1}, {8, 4, 2}, {16, 8, 2},
                                        {0, 4, 1}, {4, 1, 0}, {2, 2, 1}, {4, 8, 1}, {0, 2, 1}};
   const uint8_t *r = regions[rnd(10)];
   if (rnd(2))
      r = regions[0];
   o->vstride = r[0], o->width = r[1], o->hstride = r[2];
}

static void
random_source(struct eu_inst *i, unsigned n, bool floats, bool last)
{
   struct eu_operand *o = &i->src[n];
   o->file = EU_FILE_GRF;
   o->type = floats ? EU_TYPE_F : int_types[rnd(6)];
   o->nr = (uint8_t)(8 + rnd(20));
   o->subnr = rnd(3) ? 0 : (uint8_t)(rnd(8) * 4);
   random_region(o);
   o->negate = !rnd(5);
   o->abs = !rnd(7);
   if (i->align16) {
      o->vstride = rnd(4) ? 4 : 0, o->width = 4, o->hstride = 1;
      o->subnr = rnd(2) * 16;
      o->swizzle = rnd(2) ? 0xe4 : (uint8_t)rnd(256);
      o->type = floats ? EU_TYPE_F : rnd(2) ? EU_TYPE_D : EU_TYPE_UD;
   }
   if (i->opcode == EU_OP_PLN) {
      o->vstride = n ? 8 : 0, o->width = n ? 8 : 1, o->hstride = (uint8_t)n;
      o->subnr = n || rnd(4) ? (uint8_t)(n ? 0 : rnd(2) * 16) : (uint8_t)(rnd(8) * 4);
      o->negate = o->abs = false;
   } else if (i->opcode == EU_OP_MAD || i->opcode == EU_OP_LRP) {
      o->rep_ctrl = !rnd(3);
      o->subnr = (uint8_t)(o->rep_ctrl ? rnd(8) * 4 : rnd(2) * 16);
      o->vstride = o->rep_ctrl ? 0 : 4;
   } else if (last && !rnd(4)) {
      memset(o, 0, sizeof(*o));
      o->file = EU_FILE_IMM;
      o->width = 1;
      o->type = floats ? (rnd(4) ? EU_TYPE_F : EU_TYPE_VF) : rnd(2) ? EU_TYPE_D : EU_TYPE_W;
      o->imm = rnd(2) ? rnd(40) : rnd(UINT32_MAX);
      if (o->type == EU_TYPE_W)
         o->imm &= 0xffff;
   }
}

static struct eu_operand
dwords(unsigned file, unsigned nr)
{
   return (struct eu_operand){.file = (uint8_t)file,
                              .nr = (uint8_t)nr,
                              .type = rnd(2) ? EU_TYPE_D : EU_TYPE_UD,
                              .vstride = 8,
                              .width = 8,
                              .hstride = 1,
                              .writemask = 15};
}

/* EU-149, EU-150, EU-151, EU-014: what long numbers are made of: products, carries and borrows by
 * way of acc0. */
static struct eu_inst
random_long(void)
{
   static const uint8_t long_opcodes[] = {EU_OP_MUL, EU_OP_MACH, EU_OP_ADDC, EU_OP_SUBB, EU_OP_MOV,
                                          EU_OP_ADD, EU_OP_XOR,  EU_OP_CMP,  EU_OP_SEL};
   struct eu_inst i = {.opcode = long_opcodes[rnd(sizeof(long_opcodes))],
                       .size = 16,
                       .exec_size = rnd(5) ? 8 : (uint8_t)(1u << rnd(5))};
   bool writes = i.opcode >= EU_OP_MACH && i.opcode <= EU_OP_SUBB;
   i.acc_write = writes ? rnd(8) != 0 : !rnd(12);
   i.no_mask = rnd(2);
   i.quarter = i.exec_size == 8 ? (uint8_t)rnd(4) : 0;
   i.flag_nr = (uint8_t)rnd(2);
   i.flag_subnr = (uint8_t)rnd(2);
   i.predicate = rnd(2) ? 0 : (uint8_t)(1 + rnd(13));
   i.predicate_inverse = rnd(2);
   i.saturate = !rnd(12) && i.opcode != EU_OP_CMP;
   i.cond_modifier = i.opcode != EU_OP_CMP && rnd(12) ? 0 : (uint8_t)(1 + rnd(6));
   for (unsigned n = 0; n < eu_opcodes[i.opcode].sources; n++) {
      i.src[n] = dwords(EU_FILE_GRF, 8 + rnd(20));
      if (!rnd(4))
         i.src[n] = dwords(EU_FILE_ARF, EU_ARF_ACC + rnd(2));
      if (!rnd(4))
         random_source(&i, n, false, n);
      i.src[n].negate = !rnd(12);
   }
   if (i.opcode == EU_OP_MOV && rnd(4))
      i.src[0] = dwords(EU_FILE_ARF, EU_ARF_ACC + !rnd(4));
   if (i.src[1].file == EU_FILE_GRF && rnd(3))
      i.src[1].type = i.src[0].type;
   if (i.opcode == EU_OP_MUL && rnd(2)) {
      i.src[1] = dwords(EU_FILE_GRF, 8 + rnd(20));
      i.src[1].type = EU_TYPE_UW, i.src[1].hstride = 2, i.src[1].subnr = (uint8_t)(rnd(2) * 2);
   }
   i.dst = dwords(EU_FILE_GRF, 8 + rnd(20));
   if (i.opcode == EU_OP_MUL || !rnd(6))
      i.dst = dwords(EU_FILE_ARF, rnd(2) ? EU_ARF_ACC + !rnd(6) : 0);
   i.dst.subnr = rnd(6) ? 0 : (uint8_t)(rnd(8) * 4);
   i.dst.hstride = rnd(8) ? 1 : 2;
   return i;
}

/* EU-024: a word of the flags there and back. */
static struct eu_inst
random_flag_move(void)
{
   struct eu_inst i = {
       .opcode = rnd(3) ? EU_OP_MOV : EU_OP_OR, .size = 16, .exec_size = rnd(8) ? 1 : 2};
   struct eu_operand flag = {.file = EU_FILE_ARF,
                             .nr = (uint8_t)(EU_ARF_FLAG + rnd(2)),
                             .type = int_types[rnd(4)],
                             .width = 1,
                             .writemask = 15};
   flag.subnr =
       rnd(12) ? (uint8_t)(eu_type_size(flag.type) == 2 ? rnd(2) * 2 : 0) : (uint8_t)(rnd(4) * 2);
   i.no_mask = rnd(4) != 0;
   i.predicate = !rnd(4);
   i.cond_modifier = rnd(12) ? 0 : (uint8_t)(1 + rnd(2));
   for (unsigned n = 0; n < eu_opcodes[i.opcode].sources; n++) {
      random_source(&i, n, false, n);
      if (rnd(2))
         i.src[n] = flag;
   }
   i.dst = flag;
   i.dst.hstride = 2;
   if (rnd(2))
      i.dst.file = EU_FILE_GRF, i.dst.nr = (uint8_t)(8 + rnd(20));
   return i;
}

static struct eu_inst
random_inst(void)
{
   if (!rnd(3))
      return rnd(4) ? random_long() : random_flag_move();
   struct eu_inst i = {.opcode = opcodes[rnd(sizeof(opcodes))], .size = 16};
   static const uint8_t sizes[] = {8, 8, 8, 16, 16, 4, 2, 1};
   bool rounds = i.opcode >= EU_OP_FRC && i.opcode <= EU_OP_RNDZ;
   bool logic = i.opcode >= EU_OP_NOT && i.opcode <= EU_OP_ASR;
   bool three = i.opcode == EU_OP_MAD || i.opcode == EU_OP_LRP, plane = i.opcode == EU_OP_PLN;
   bool dot = i.opcode >= EU_OP_DP4 && i.opcode <= EU_OP_DP2;
   bool floats = rounds || three || plane || dot || i.opcode == EU_OP_MATH || (!logic && rnd(2));
   unsigned sources = eu_opcodes[i.opcode].sources;
   i.exec_size = sizes[rnd(8)];
   i.align16 = three || (!plane && !rnd(dot ? 2 : 6));
   i.no_mask = !rnd(4);
   i.quarter = i.exec_size == 8 ? (uint8_t)rnd(2) : 0;
   i.flag_nr = (uint8_t)rnd(2);
   i.flag_subnr = (uint8_t)rnd(2);
   if (!rnd(3)) {
      i.predicate = (uint8_t)(1 + rnd(i.align16 ? 7 : 13));
      i.predicate_inverse = rnd(2);
   }
   i.saturate = !rnd(6) && i.opcode != EU_OP_CMP && !logic;
   if (i.opcode == EU_OP_CMP || !rnd(6))
      i.cond_modifier = (uint8_t)(1 + rnd(6));
   for (unsigned n = 0; n < sources; n++)
      random_source(&i, n, floats, n + 1 == sources);
   if (i.opcode == EU_OP_MATH) {
      static const uint8_t functions[] = {EU_MATH_INV,  EU_MATH_SQRT, EU_MATH_RSQ,
                                          EU_MATH_FDIV, EU_MATH_LOG,  EU_MATH_EXP,
                                          EU_MATH_SIN,  EU_MATH_COS,  EU_MATH_POW};
      i.math_function = functions[rnd(9)];
      i.cond_modifier = 0;
   }
   struct eu_operand *d = &i.dst;
   d->file = rnd(12) ? EU_FILE_GRF : EU_FILE_ARF;
   d->type = floats && rnd(4) ? EU_TYPE_F : int_types[rnd(6)];
   if (three || (floats && i.opcode == EU_OP_SEL))
      d->type = EU_TYPE_F;
   else if (!floats && i.opcode == EU_OP_MOV && !rnd(4))
      d->type = EU_TYPE_F;
   d->nr = d->file == EU_FILE_ARF ? 0 : (uint8_t)(8 + rnd(20));
   d->hstride = rnd(4) ? 1 : (uint8_t)(1u << rnd(3));
   d->subnr = d->file == EU_FILE_ARF || rnd(3) ? 0 : (uint8_t)(rnd(8) * 4);
   d->writemask = i.align16 && rnd(2) ? (uint8_t)rnd(16) : 15;
   if (i.align16) {
      d->hstride = 1, d->subnr &= 16;
      if (d->type != EU_TYPE_F)
         d->type = EU_TYPE_D;
   }
   return i;
}

static uint32_t
interesting(void)
{
   static const uint32_t special[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000,
                                      0xff800000, 0x7fc00001, 0xffa00000, 1,          0x807fffff,
                                      0x7f7fffff, 0x4f000000, 0xcf000000, 0x4f800000, 0x00800000};
   switch (rnd(4)) {
   case 0:
      return special[rnd(15)];
   case 1:
      return 0x3f000000 + rnd(0x2000000);
   case 2:
      return (uint32_t)(int32_t)((int32_t)rnd(100) - 50);
   default:
      return rnd(UINT32_MAX) ^ rnd(65536) << 16;
   }
}

static bool
quiet(struct eu_debug *debug, struct eu_thread *t, const struct eu_inst *inst)
{
   (void)debug;
   (void)t;
   (void)inst;
   return false;
}

static void
random_state(struct eu_thread *t)
{
   for (unsigned i = 0; i < 32 * 8; i++)
      eu_grf(t, 0)[i] = interesting();
   for (unsigned i = 0; i < 2; i++)
      t->flag[i] = rnd(UINT32_MAX) ^ rnd(65536) << 16;
   for (unsigned i = 0; i < 16; i++)
      t->acc[i] = (uint64_t)interesting() << 32 | interesting();
   t->cr0[0] = rnd(4) << 4 | (rnd(8) ? 0 : 2); /* EU-011 */
}

#define PROGRAM 16

static void
fast_equals_general(void **state)
{
   proves("EU-077", "EU-116", "EU-114");
   (void)state;
   struct eu_thread *slow = aligned_alloc(64, (sizeof(*slow) + 63) & ~(size_t)63);
   struct eu_debug debug = {.before = quiet};
   seed = 0x9e3779b97f4a7c15;
   for (unsigned round = 0; round < 20000; round++) {
      uint64_t start = seed;
      uint32_t code[PROGRAM][4];
      machine_load(&m, EOT_TEXT);
      for (unsigned n = 0; n < PROGRAM; n++) {
         struct eu_inst i = random_inst();
         eu_inst_encode(&i, m.dev->hw_device, code[n]);
      }
      memmove(m.memory + m.env.instruction_base + sizeof(code), m.memory + m.env.instruction_base,
              16);
      memcpy(m.memory + m.env.instruction_base, code, sizeof(code));
      m.t->dispatch_mask = rnd(3) ? 0xffff : rnd(65536);
      random_state(m.t);
      *slow = *m.t;
      slow->debug = &debug;
      unsigned step = machine_native() ? PROGRAM : 1; /* native code runs whole blocks */
      for (unsigned n = 0; n < PROGRAM; n += step) {
         assert_int_equal(eu_run(m.t, step), EU_STOP_BUDGET);
         assert_int_equal(eu_run(slow, step), EU_STOP_BUDGET);
         if (memcmp(m.t->grf, slow->grf, 4096) || memcmp(m.t->flag, slow->flag, 8) ||
             memcmp(m.t->acc, slow->acc, sizeof(slow->acc))) {
            char text[EU_DISASM_MAX];
            for (unsigned k = n; k < n + step; k++) {
               eu_disasm((const uint8_t *)code[k], 16, m.dev->hw_device, text);
               printf("# %s\n", text);
            }
            for (unsigned r = 0; r < 4096 / 4; r++)
               if (eu_grf(m.t, 0)[r] != eu_grf(slow, 0)[r])
                  printf("# g%u.%u fast %08x general %08x\n", r / 8, r % 8, eu_grf(m.t, 0)[r],
                         eu_grf(slow, 0)[r]);
            printf("# f %08x %08x / %08x %08x, dispatch %08x\n", m.t->flag[0], m.t->flag[1],
                   slow->flag[0], slow->flag[1], m.t->dispatch_mask);
            fail_msg("seed 0x%llx, instruction %u: %s", (unsigned long long)start, n, text);
         }
      }
   }
   free(slow);
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* What a loop with registers of its own may consist of: few places, whole vectors for the most
 * part, floats whose bits integers look at now and then. */
static struct eu_inst
loop_inst(void)
{
   static const uint8_t some[] = {EU_OP_MOV, EU_OP_SEL,  EU_OP_AND, EU_OP_ADD, EU_OP_MUL,
                                  EU_OP_MAD, EU_OP_CMP,  EU_OP_ADD, EU_OP_MUL, EU_OP_RNDD,
                                  EU_OP_FRC, EU_OP_MATH, EU_OP_DP4};
   static const uint8_t functions[] = {EU_MATH_INV, EU_MATH_SQRT, EU_MATH_RSQ};
   struct eu_inst i = {.opcode = some[rnd(sizeof(some))], .size = 16};
   unsigned sources = eu_opcodes[i.opcode].sources;
   bool floats = i.opcode != EU_OP_AND && (i.opcode >= EU_OP_FRC || rnd(4));
   floats = floats || i.opcode == EU_OP_MATH || i.opcode == EU_OP_MAD;
   bool one = !rnd(16) && i.opcode != EU_OP_MAD && i.opcode != EU_OP_DP4; /* inside a register */
   i.exec_size = one ? 1 : rnd(3) ? 16 : 8;
   i.align16 = i.opcode == EU_OP_MAD;
   i.no_mask = !rnd(12);
   i.flag_nr = 1;
   if (i.opcode == EU_OP_SEL || !rnd(6))
      i.predicate = 1, i.predicate_inverse = rnd(2);
   i.saturate = floats && i.opcode != EU_OP_CMP && i.opcode != EU_OP_MATH && !rnd(8);
   if (i.opcode == EU_OP_CMP || (!rnd(8) && i.opcode != EU_OP_MATH && i.opcode != EU_OP_SEL))
      i.cond_modifier = (uint8_t)(1 + rnd(6));
   for (unsigned n = 0; n < sources; n++) {
      i.src[n] = dwords(EU_FILE_GRF, 8 + 2 * rnd(6));
      i.src[n].type = floats ? EU_TYPE_F : EU_TYPE_D;
      i.src[n].negate = !rnd(8);
      if (i.align16)
         i.src[n].vstride = 4, i.src[n].swizzle = 0xe4;
      else if (one || !rnd(6)) {
         i.src[n].vstride = 0, i.src[n].width = 1, i.src[n].hstride = 0;
         i.src[n].nr = rnd(3) ? 28 : i.src[n].nr;
         i.src[n].subnr = (uint8_t)(rnd(8) * 4);
      }
   }
   if (i.opcode == EU_OP_MATH) {
      i.math_function = functions[rnd(3)];
      i.src[1] = (struct eu_operand){.file = EU_FILE_ARF, .type = EU_TYPE_F, .width = 1};
   }
   i.dst = dwords(EU_FILE_GRF, 8 + 2 * rnd(6));
   i.dst.type = floats ? EU_TYPE_F : EU_TYPE_D;
   i.dst.subnr = one ? (uint8_t)(rnd(8) * 4) : 0;
   return i;
}

#define LOOP_BODY 7

/* Back over n instructions while the first channel has not reached its limit. */
static struct eu_inst
jump_back(unsigned n)
{
   struct eu_inst i = {.opcode = EU_OP_JMPI,
                       .size = 16,
                       .exec_size = 1,
                       .no_mask = true,
                       .predicate = 1,
                       .predicate_inverse = true};
   i.dst =
       (struct eu_operand){.file = EU_FILE_ARF, .nr = EU_ARF_IP, .type = EU_TYPE_UD, .hstride = 1};
   i.src[0] = (struct eu_operand){
       .file = EU_FILE_IMM, .type = EU_TYPE_W, .width = 1, .imm = (uint16_t)(-(int)(n + 1) * 2)};
   return i;
}

/* Lanes leave after as many rounds as their own limit says: g40 counts, g42 limits. Or all of them
 * go round together. */
static unsigned
make_loop(uint32_t code[][4], bool together)
{
   struct eu_inst list[LOOP_BODY * 2 + 4];
   unsigned n = 0, first = rnd(LOOP_BODY), second = rnd(LOOP_BODY);
   for (unsigned k = 0; k < first; k++)
      list[n++] = loop_inst();
   struct eu_inst add = {.opcode = EU_OP_ADD, .size = 16, .exec_size = 16, .no_mask = together};
   add.dst = add.src[0] = dwords(EU_FILE_GRF, 40);
   add.dst.type = add.src[0].type = EU_TYPE_D;
   add.src[1] = (struct eu_operand){.file = EU_FILE_IMM, .type = EU_TYPE_D, .width = 1, .imm = 1};
   list[n++] = add;
   struct eu_inst cmp = {
       .opcode = EU_OP_CMP, .size = 16, .exec_size = 16, .cond_modifier = 4, .src[0] = add.dst};
   cmp.no_mask = together;
   cmp.src[1] = dwords(EU_FILE_GRF, 42);
   cmp.src[1].type = EU_TYPE_D;
   cmp.dst = (struct eu_operand){.file = EU_FILE_ARF, .type = EU_TYPE_D, .hstride = 1};
   list[n++] = cmp;
   unsigned at = together ? n : n++;
   for (unsigned k = 0; k < second; k++)
      list[n++] = loop_inst();
   int distance = (int)(n - at) * 2;
   if (!together)
      list[at] = (struct eu_inst){.opcode = EU_OP_BREAK,
                                  .size = 16,
                                  .exec_size = 16,
                                  .predicate = 1,
                                  .jip = distance,
                                  .uip = distance};
   struct eu_inst back = {
       .opcode = EU_OP_WHILE, .size = 16, .exec_size = 16, .jip = -(int)n * 2, .uip = -(int)n * 2};
   list[n] = together ? jump_back(n) : back;
   n++;
   for (unsigned k = 0; k < n; k++)
      eu_inst_encode(&list[k], m.dev->hw_device, code[k]);
   return n;
}

static enum eu_stop
run_in_pieces(struct eu_thread *t, uint64_t *total)
{
   enum eu_stop stop = EU_STOP_BUDGET;
   for (unsigned n = 0; n < 2000 && stop == EU_STOP_BUDGET; n++) {
      stop = eu_run(t, rnd(4) ? 1 + rnd(60) : 1000);
   }
   *total = t->instructions;
   return stop;
}

/* The plain code, the loop's own, and the general path. */
static void
loops_equal_general(void **state)
{
   proves("EU-055", "EU-188");
   (void)state;
   struct eu_thread *slow = aligned_alloc(64, (sizeof(*slow) + 63) & ~(size_t)63);
   struct eu_debug debug = {.before = quiet};
   seed = 0x2545f4914f6cdd1d;
   for (unsigned round = 0; round < 6000; round++) {
      uint64_t start = seed, total[2];
      uint32_t code[LOOP_BODY * 2 + 4][4];
      machine_load(&m, EOT_TEXT);
      unsigned n = make_loop(code, round % 3 == 2);
      memmove(m.memory + m.env.instruction_base + n * 16, m.memory + m.env.instruction_base, 16);
      memcpy(m.memory + m.env.instruction_base, code, n * 16);
      m.t->dispatch_mask = rnd(3) ? 0xffff : 1 + rnd(65535);
      random_state(m.t);
      if (rnd(4)) /* numbers, so that not every loop starts with a NaN */
         for (unsigned i = 8 * 8; i < 30 * 8; i++)
            eu_grf(m.t, 0)[i] = 0x3f000000 + rnd(0x1000000);
      if (rnd(4))
         m.t->cr0[0] = 0;
      for (unsigned i = 0; i < 16; i++) {
         eu_grf(m.t, 40)[i] = 0;
         eu_grf(m.t, 42)[i] = round & 1 ? 5 : 1 + rnd(9);
      }
      *slow = *m.t;
      slow->debug = &debug;
      assert_int_equal(run_in_pieces(m.t, &total[0]), EU_STOP_EOT);
      assert_int_equal(run_in_pieces(slow, &total[1]), EU_STOP_EOT);
      if (total[0] == total[1] && !memcmp(m.t->grf, slow->grf, 4096) &&
          !memcmp(m.t->flag, slow->flag, 8))
         continue;
      char text[EU_DISASM_MAX];
      for (unsigned k = 0; k < n; k++) {
         eu_disasm((const uint8_t *)code[k], 16, m.dev->hw_device, text);
         printf("# %s\n", text);
      }
      for (unsigned r = 0; r < 4096 / 4; r++)
         if (eu_grf(m.t, 0)[r] != eu_grf(slow, 0)[r])
            printf("# g%u.%u native %08x general %08x\n", r / 8, r % 8, eu_grf(m.t, 0)[r],
                   eu_grf(slow, 0)[r]);
      fail_msg("seed 0x%llx, %llu and %llu instructions", (unsigned long long)start,
               (unsigned long long)total[0], (unsigned long long)total[1]);
   }
   free(slow);
}

static int
setup(void **state)
{
   (void)state;
   machine_open(&m, PERGOLA_CHECK_OFF);
   return 0;
}

static int
teardown(void **state)
{
   (void)state;
   machine_close(&m);
   return 0;
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(fast_equals_general),
                                      cmocka_unit_test(loops_equal_general)};
   return cmocka_run_group_tests_name("eu_fast", tests, setup, teardown);
}
