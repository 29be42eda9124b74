/* Vertices side by side (eu/wide.h) against the interpreter: random kernels of SIMD4x2. */
#include "wide.h"

#include "eu/fpmode.h"
#include "eu/op.h"
#include "eu/wide.h"
#include "pergola/pergola_eu.h"
#include "tests/proves.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HEADER 19u
#define ROWS 14u
#define MOST 40u /* instructions before the header is made */

static uint32_t seed = 12345;

static uint32_t
rnd(uint32_t n)
{
   seed = seed * 1664525u + 1013904223u;
   return (seed >> 8) % n;
}

static uint32_t
value(void)
{
   static const uint32_t special[] = {0,          0x80000000, 0x3f800000, 0x7f800000, 0xff800000,
                                      0x7fc00001, 0xffa00000, 0x807fffff, 0x7f7fffff, 0x4f000000};
   uint32_t kind = rnd(8);
   return kind == 0 ? special[rnd(10)] : kind == 1 ? rnd(64) : 0x3f000000 + rnd(0x2000000);
}

/* ---- kernels ----------------------------------------------------------------------------------
 */

static struct eu_operand
source(unsigned type, bool align16)
{
   struct eu_operand o = {.file = EU_FILE_GRF,
                          .type = (uint8_t)type,
                          .nr = (uint8_t)(1 + rnd(HEADER + ROWS)),
                          .negate = type == EU_TYPE_F && !rnd(4),
                          .abs = type == EU_TYPE_F && !rnd(6)};
   if (o.nr == HEADER)
      o.nr++;
   if (align16) {
      o.width = 4;
      o.hstride = 1;
      o.vstride = rnd(3) ? 4 : 0;
      o.subnr = o.vstride ? 0 : (uint8_t)(16 * rnd(2));
      o.swizzle = rnd(2) ? 0xe4 : (uint8_t)rnd(256);
   } else {
      o.width = o.vstride = 8;
      o.hstride = 1;
   }
   return o;
}

static struct eu_operand
immediate(unsigned type)
{
   return (struct eu_operand){
       .file = EU_FILE_IMM, .type = (uint8_t)type, .width = 1, .imm = value() & 0x7fffffff};
}

static struct eu_inst
instruction(void)
{
   static const struct {
      uint8_t opcode, sources, type;
   } table[] = {{EU_OP_MOV, 1, EU_TYPE_F}, {EU_OP_ADD, 2, EU_TYPE_F},  {EU_OP_MUL, 2, EU_TYPE_F},
                {EU_OP_MAD, 3, EU_TYPE_F}, {EU_OP_DP2, 2, EU_TYPE_F},  {EU_OP_DP3, 2, EU_TYPE_F},
                {EU_OP_DP4, 2, EU_TYPE_F}, {EU_OP_DPH, 2, EU_TYPE_F},  {EU_OP_FRC, 1, EU_TYPE_F},
                {EU_OP_SEL, 2, EU_TYPE_F}, {EU_OP_MATH, 1, EU_TYPE_F}, {EU_OP_RNDD, 1, EU_TYPE_F},
                {EU_OP_ADD, 2, EU_TYPE_D}, {EU_OP_AND, 2, EU_TYPE_UD}, {EU_OP_MOV, 1, EU_TYPE_UD},
                {EU_OP_LRP, 3, EU_TYPE_F}, {EU_OP_SHL, 2, EU_TYPE_D}};
   static const uint8_t math[] = {EU_MATH_INV, EU_MATH_SQRT, EU_MATH_RSQ,
                                  EU_MATH_EXP, EU_MATH_LOG,  EU_MATH_POW};
   unsigned k = rnd(sizeof(table) / sizeof(table[0]));
   bool dot = table[k].opcode >= EU_OP_DPH || table[k].opcode == EU_OP_DP4,
        three = table[k].sources == 3, align16 = dot || three || rnd(8);
   struct eu_inst i = {.opcode = table[k].opcode,
                       .size = 16,
                       .exec_size = 8,
                       .align16 = align16,
                       .no_mask = !rnd(8),
                       .saturate = table[k].type == EU_TYPE_F && table[k].opcode != EU_OP_SEL &&
                                   table[k].opcode != EU_OP_MATH && !rnd(6),
                       .dst = {.file = EU_FILE_GRF,
                               .type = table[k].type,
                               .nr = (uint8_t)(HEADER + 1 + rnd(ROWS)),
                               .hstride = 1,
                               .writemask = align16 ? (uint8_t)(1 + rnd(15)) : 15}};
   unsigned sources = table[k].sources;
   if (i.opcode == EU_OP_MATH) {
      i.math_function = math[rnd(6)];
      sources = i.math_function == EU_MATH_POW ? 2 : 1;
      i.src[1] = (struct eu_operand){
          .file = EU_FILE_ARF, .type = EU_TYPE_F, .vstride = 4, .width = 4, .hstride = 1};
   }
   if (i.opcode == EU_OP_SEL)
      i.cond_modifier = rnd(2) ? 4 : 5;
   for (unsigned n = 0; n < sources; n++)
      i.src[n] = source(table[k].type, align16);
   if (three) /* one element for all channels, or each its own */
      for (unsigned n = 0; n < 3; n++) {
         i.src[n].vstride = 4;
         i.src[n].rep_ctrl = !rnd(3);
         i.src[n].subnr = i.src[n].rep_ctrl ? (uint8_t)(4 * rnd(8)) : 0;
      }
   else if (sources == 2 && i.opcode != EU_OP_MATH && !rnd(3))
      i.src[1] = immediate(table[k].type);
   else if (sources == 1 && i.opcode != EU_OP_MATH && !rnd(3))
      i.src[0] = immediate(table[k].type);
   if (i.opcode == EU_OP_MOV && !i.saturate) /* EU-055: not turned, as it keeps a NaN's payload */
      i.src[0].negate = i.src[0].abs = false;
   if (!align16 && rnd(2)) { /* one dword of a register */
      i.exec_size = 1;
      i.no_mask = true;
      i.dst.subnr = (uint8_t)(4 * rnd(8));
      for (unsigned n = 0; n < sources; n++) {
         if (i.src[n].file == EU_FILE_IMM)
            continue;
         i.src[n].vstride = i.src[n].hstride = 0;
         i.src[n].width = 1;
         i.src[n].subnr = (uint8_t)(4 * rnd(8));
      }
   }
   return i;
}

#define WHOLE(n)                                                                                   \
   {                                                                                               \
      .file = EU_FILE_GRF, .type = EU_TYPE_UD, .nr = n, .vstride = 8, .width = 8, .hstride = 1,    \
      .writemask = 15                                                                              \
   }

/* A copy of g0 that enables all channels, and the message. */
static size_t
add_end(uint8_t *code, unsigned device, unsigned sfid, unsigned predicate)
{
   struct eu_inst list[3] = {
       {.opcode = EU_OP_MOV,
        .size = 16,
        .exec_size = 8,
        .no_mask = true,
        .predicate = (uint8_t)predicate,
        .dst = WHOLE(HEADER),
        .src = {WHOLE(0)}},
       {.opcode = EU_OP_OR,
        .size = 16,
        .exec_size = 1,
        .no_mask = true,
        .dst = WHOLE(HEADER),
        .src = {WHOLE(0), immediate(EU_TYPE_UD)}},
       {.opcode = EU_OP_SEND,
        .size = 16,
        .exec_size = 8,
        .eot = true,
        .sfid = (uint8_t)sfid,
        .desc = (ROWS + 1) << 25 | 0x8c000,
        .dst = {.file = EU_FILE_ARF, .type = EU_TYPE_UW, .hstride = 1, .writemask = 15},
        .src = {WHOLE(HEADER)}}};
   list[1].dst.subnr = list[1].src[0].subnr = 20;
   list[1].src[0].vstride = list[1].src[0].hstride = 0;
   list[1].src[0].width = 1;
   list[1].src[1].imm = 0xff00;
   for (unsigned i = 0; i < 3; i++) {
      uint32_t dw[4];
      eu_inst_encode(&list[i], device, dw);
      memcpy(code + 16 * i, dw, 16);
   }
   return 48;
}

/* ---- running ----------------------------------------------------------------------------------
 */

struct rig {
   struct pergola_eu_bench *bench;
   struct eu_thread *t;
   uint32_t start[WIDE_THREADS][EU_GRF_COUNT][8], end[WIDE_THREADS][EU_GRF_COUNT][8];
   _Alignas(32) uint32_t frame[WIDE_FRAME];
};

static void
load(struct rig *r, const uint8_t *code, size_t size)
{
   assert_int_equal(pergola_eu_load_binary(r->bench, code, size), 0);
   assert_int_equal(pergola_eu_start(r->bench, 1, 0xff), 0);
   eu_thread_mark(r->t, 0, EU_GRF_COUNT);
}

/* Each thread on its own, up to its message. */
static void
interpret(struct rig *r, unsigned instructions)
{
   for (unsigned k = 0; k < WIDE_THREADS; k++) {
      assert_int_equal(pergola_eu_start(r->bench, 1, 0xff), 0);
      eu_thread_mark(r->t, 0, EU_GRF_COUNT);
      for (unsigned i = 0; i < EU_GRF_COUNT * 8; i++)
         r->start[k][i / 8][i % 8] = value();
      memcpy(eu_grf(r->t, 0), r->start[k], sizeof(r->start[k]));
      assert_int_equal(eu_run(r->t, instructions), EU_STOP_BUDGET);
      memcpy(r->end[k], eu_grf(r->t, 0), sizeof(r->end[k]));
   }
}

static void
turn_and_enter(struct rig *r, const struct eu_wide *w)
{
   for (unsigned k = 0; k < WIDE_THREADS; k++)
      for (unsigned i = 0; i < EU_GRF_COUNT * 8; i++)
         eu_wide_at(r->frame, k / 4, i / 8, i % 4)[k % 4 * 2 + i / 4 % 2] =
             r->start[k][i / 8][i % 8];
   uint32_t modes = fpmode_get();
   fpmode_set(fpmode_thread(r->t));
   w->enter(r->frame);
   fpmode_set(modes);
}

static void
print(struct rig *r, size_t size)
{
   char text[256];
   for (uint32_t at = 0; at < size; at += 16)
      if (pergola_eu_text(r->bench, at, text, sizeof(text)))
         printf("# %4x %s\n", at, text);
}

static void
compare(struct rig *r, size_t size, unsigned round)
{
   for (unsigned k = 0; k < WIDE_THREADS; k++)
      for (unsigned i = HEADER * 8; i < (HEADER + 1 + ROWS) * 8; i++) {
         uint32_t got = eu_wide_at(r->frame, k / 4, i / 8, i % 4)[k % 4 * 2 + i / 4 % 2],
                  want = r->end[k][i / 8][i % 8];
         if (got == want)
            continue;
         print(r, size);
         fail_msg("round %u, thread %u: g%u.%u is %#x, not %#x", round, k, i / 8, i % 8, got, want);
      }
}

static struct rig *
open_rig(void)
{
   const struct pergola_config config = {.check = PERGOLA_CHECK_OFF, .native = PERGOLA_NATIVE_OFF};
   struct rig *r = aligned_alloc(64, (sizeof(*r) + 63) & ~(size_t)63);
   assert_non_null(r);
   memset(r, 0, sizeof(*r));
   r->bench = pergola_eu_create(&config, NULL);
   assert_non_null(r->bench);
   r->t = pergola_eu_grf(r->bench, 0); /* the registers come first */
   return r;
}

static void
close_rig(struct rig *r)
{
   pergola_eu_destroy(r->bench);
   free(r);
}

void
side_by_side(void **state)
{
   proves("EU-188");
   struct rig *r = open_rig();
   unsigned device = pergola_eu_device(r->bench)->hw_device;
   struct eu_wide w;
   (void)state;
   if (!pergola_eu_device(r->bench)->eu->fast)
      skip(); /* a host without vectors */
   for (unsigned round = 0; round < 600; round++) {
      uint8_t code[16 * (MOST + 3)];
      unsigned count = 1 + rnd(round % 4 ? 8 : MOST);
      for (unsigned i = 0; i < count; i++) {
         struct eu_inst one = instruction();
         uint32_t dw[4];
         eu_inst_encode(&one, device, dw);
         memcpy(code + 16 * i, dw, 16);
      }
      size_t size = 16 * count + add_end(code + 16 * count, device, EU_SFID_URB, 0);
      load(r, code, size);
      interpret(r, count + 2);
      if (!eu_wide_begin(&w, r->t)) {
         print(r, size);
         fail_msg("round %u: cannot be turned", round);
      }
      assert_int_equal(w.instructions, count + 3);
      assert_int_equal(w.header, HEADER);
      assert_int_equal(w.rows, ROWS);
      turn_and_enter(r, &w);
      compare(r, size, round);
   }
   close_rig(r);
}

/* What can only run one by one. */
void
not_side_by_side(void **state)
{
   static const struct {
      uint8_t sfid, predicate, mask;
      bool rounding, unmarked, expected;
   } table[] = {{EU_SFID_URB, 0, 0xff, false, false, true},
                {EU_SFID_THREAD_SPAWNER, 0, 0xff, false, false, false},
                {EU_SFID_URB, 1, 0xff, false, false, false},
                {EU_SFID_URB, 0, 0x0f, false, false, false},
                {EU_SFID_URB, 0, 0xff, true, false, false},
                {EU_SFID_URB, 0, 0xff, false, true, false}};
   struct rig *r = open_rig();
   struct eu_wide w;
   (void)state;
   if (!pergola_eu_device(r->bench)->eu->fast)
      skip();
   for (unsigned i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
      uint8_t code[48];
      size_t size =
          add_end(code, pergola_eu_device(r->bench)->hw_device, table[i].sfid, table[i].predicate);
      load(r, code, size);
      eu_run(r->t, 1);
      eu_thread_channels(r->t, table[i].mask);
      r->t->cr0[0] = table[i].rounding ? hw_put(1, CR0_ROUNDING) : 0;
      if (table[i].unmarked)
         r->t->initialised[0] &= ~UINT64_C(1);
      assert_int_equal(eu_wide_begin(&w, r->t), table[i].expected);
   }
   close_rig(r);
}
