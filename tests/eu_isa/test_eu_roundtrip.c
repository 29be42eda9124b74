/* asm(disasm(x)) = x for random instructions; the seed is printed. */
#include "isa_test.h"
#include "tests/proves.h"

static uint64_t seed;

static unsigned
pick(uint64_t *r, unsigned n)
{
   return (unsigned)(random64(r) >> 32) % n;
}

static void
check(const uint8_t *bytes, size_t avail, unsigned device, const char *what, unsigned long n)
{
   char text[EU_DISASM_MAX];
   size_t size = eu_disasm(bytes, avail, device, text);
   struct eu_program p;
   struct eu_asm_error e;
   if (!eu_asm_text(text, strlen(text), device, &p, &e))
      fail_msg("%s %lu, seed 0x%llx: %u:%u %s: %s", what, n, (unsigned long long)seed, e.line,
               e.column, e.message, text);
   if (p.size != size || memcmp(p.bytes, bytes, size))
      fail_msg("%s %lu, seed 0x%llx: other bytes: %s", what, n, (unsigned long long)seed, text);
   eu_program_free(&p);
}

static void
random_operand(uint64_t *r, struct eu_operand *o, bool dst, bool align16)
{
   static const uint8_t arf[] = {
       EU_ARF_NULL, EU_ARF_A,  EU_ARF_ACC, EU_ARF_ACC + 1, EU_ARF_FLAG, EU_ARF_FLAG + 1, EU_ARF_CE,
       EU_ARF_SR,   EU_ARF_CR, EU_ARF_N,   EU_ARF_IP,      EU_ARF_TDR,  EU_ARF_TM};
   static const uint8_t strides[] = {0, 1, 2, 4, 8, 16, 32};
   memset(o, 0, sizeof(*o));
   o->type = (uint8_t)pick(r, 8);
   o->file = pick(r, 4) ? EU_FILE_GRF : EU_FILE_ARF;
   o->nr = o->file == EU_FILE_GRF ? (uint8_t)pick(r, 128) : arf[pick(r, sizeof(arf))];
   unsigned size = eu_type_size(o->type);
   o->subnr = (uint8_t)(align16 ? pick(r, 2) * 16 : pick(r, 32 / size) * size);
   o->indirect = o->file == EU_FILE_GRF && !pick(r, 4);
   if (o->indirect) {
      o->nr = o->subnr = 0;
      o->addr_subnr = (uint8_t)pick(r, 8);
      o->addr_imm = (int16_t)((int)pick(r, 1024) - 512);
      if (align16)
         o->addr_imm &= ~15;
   }
   o->hstride = align16 ? 1 : strides[dst ? 1 + pick(r, 3) : pick(r, 4)];
   o->writemask = align16 && dst ? (uint8_t)pick(r, 16) : 0xF;
   if (dst)
      return;
   o->negate = pick(r, 2), o->abs = pick(r, 2);
   o->vstride = align16 ? (pick(r, 2) ? 4 : 0) : strides[pick(r, 7)];
   o->width = align16 ? 4 : (uint8_t)(1u << pick(r, 5));
   o->swizzle = align16 ? (uint8_t)pick(r, 256) : 0;
   if (o->indirect && !align16 && !pick(r, 3))
      o->vstride = EU_VSTRIDE_VXH;
}

static void
random_immediate(uint64_t *r, struct eu_operand *o)
{
   static const uint8_t types[] = {EU_TYPE_UD, EU_TYPE_D, EU_TYPE_UW, EU_TYPE_W,
                                   EU_TYPE_F,  EU_TYPE_V, EU_TYPE_UV, EU_TYPE_VF};
   memset(o, 0, sizeof(*o));
   o->file = EU_FILE_IMM;
   o->type = types[pick(r, 8)];
   o->width = 1;
   o->imm = random64(r) >> (pick(r, 2) ? 32 : 52);
   if (o->type == EU_TYPE_UW || o->type == EU_TYPE_W)
      o->imm &= 0xFFFF;
}

static void
random_three(uint64_t *r, struct eu_inst *i)
{
   static const uint8_t types[] = {EU_TYPE_F, EU_TYPE_D, EU_TYPE_UD, EU_TYPE_DF};
   i->align16 = true;
   i->dst = (struct eu_operand){
       .file = EU_FILE_GRF, .type = types[pick(r, 4)], .nr = (uint8_t)pick(r, 128), .hstride = 1};
   i->dst.subnr = (uint8_t)(pick(r, 4) * 8);
   i->dst.writemask = (uint8_t)pick(r, 16);
   uint8_t type = types[pick(r, 4)];
   for (unsigned n = 0; n < 3; n++) {
      struct eu_operand *o = &i->src[n];
      *o = (struct eu_operand){
          .file = EU_FILE_GRF, .type = type, .nr = (uint8_t)pick(r, 128), .rep_ctrl = pick(r, 2)};
      o->subnr = (uint8_t)(pick(r, 4) * 8);
      o->negate = pick(r, 2), o->abs = pick(r, 2);
      o->swizzle = o->rep_ctrl ? 0 : (uint8_t)pick(r, 256);
   }
}

/* Every field that text shows, at random; no rule about what makes sense together. */
static void
random_instruction(uint64_t *r, unsigned device, struct eu_inst *i)
{
   static const uint8_t conds[] = {0, 0, 0, 1, 2, 3, 4, 5, 6, 8, 9};
   const struct eu_opcode_info *info;
   memset(i, 0, sizeof(*i));
   do
      i->opcode = (uint8_t)pick(r, 128);
   while (!(info = eu_opcode_info(i->opcode, device)));
   i->exec_size = (uint8_t)(1u << pick(r, 6));
   i->align16 = pick(r, 2);
   i->no_mask = pick(r, 2), i->no_dd_clear = pick(r, 2), i->no_dd_check = pick(r, 2);
   i->quarter = (uint8_t)(i->exec_size == 32   ? 0
                          : i->exec_size == 16 ? pick(r, 2) * 2
                                               : pick(r, 4));
   i->nibble = (uint8_t)(i->exec_size < 8 ? pick(r, 2) : 0);
   i->thread_control = (uint8_t)pick(r, 3);
   i->acc_write = pick(r, 2), i->debug = !pick(r, 8);
   if (info->format == EU_FORMAT_THREE)
      random_three(r, i);
   i->predicate = (uint8_t)(pick(r, 2) ? 0 : pick(r, i->align16 ? 8 : 14));
   i->predicate_inverse = i->predicate && pick(r, 2);
   bool flag = i->predicate;
   if (info->format == EU_FORMAT_MATH)
      i->math_function = (uint8_t)(1 + pick(r, 7));
   else if (info->format == EU_FORMAT_SEND)
      i->sfid = (uint8_t)(2 + pick(r, 10));
   else
      i->cond_modifier = conds[pick(r, sizeof(conds))];
   flag |= i->cond_modifier && i->opcode != EU_OP_SEL && i->opcode != EU_OP_IF &&
           i->opcode != EU_OP_WHILE;
   i->saturate = info->format != EU_FORMAT_SEND && pick(r, 2);
   if (flag && info->format != EU_FORMAT_DIM && info->format != EU_FORMAT_ILLEGAL)
      i->flag_nr = (uint8_t)pick(r, 2), i->flag_subnr = (uint8_t)pick(r, 2);
   i->jip = (int16_t)random64(r);
   if (info->attrs & EU_OP_UIP)
      i->uip = (int16_t)random64(r);
   if (info->format == EU_FORMAT_SEND) {
      i->desc = (uint32_t)random64(r) & 0x1FFFFFFF;
      i->eot = pick(r, 2);
   }
   if (info->format == EU_FORMAT_THREE)
      return;
   random_operand(r, &i->dst, true, i->align16);
   for (unsigned n = 0; n < 2; n++)
      random_operand(r, &i->src[n], false, i->align16);
   unsigned last = info->format == EU_FORMAT_MATH ? 1 : info->sources ? info->sources - 1u : 0;
   if (info->format != EU_FORMAT_SEND && info->format != EU_FORMAT_WAIT && pick(r, 3) == 0)
      random_immediate(r, &i->src[last]);
   if (info->format == EU_FORMAT_DIM)
      i->src[0] = (struct eu_operand){.file = EU_FILE_IMM, .type = EU_TYPE_DF, .imm = random64(r)};
}

/* EU-211: legal instructions of every format, Ivy Bridge and Haswell; none needs a patch of bits,
 * so plain text carries the whole of a legal instruction. */
static void
legal_instructions(void **state)
{
   proves("EU-211");
   uint64_t r = seed;
   for (unsigned long n = 0; n < 200000; n++) {
      unsigned device = n & 1 ? HW_HSW : HW_IVB;
      struct eu_inst i;
      uint32_t dw[4];
      char text[EU_DISASM_MAX];
      random_instruction(&r, device, &i);
      eu_inst_encode(&i, device, dw);
      check((uint8_t *)dw, 16, device, "instruction", n);
      eu_disasm((uint8_t *)dw, 16, device, text);
      if (strstr(text, ".dword") || strstr(text, "^0x"))
         fail_msg("instruction %lu, seed 0x%llx: not plain: %s", n, (unsigned long long)seed, text);
   }
}

/* EU-211: any 16 bytes at all, half of them with a real opcode; also as compact instructions. */
static void
any_bytes(void **state)
{
   proves("EU-211");
   uint64_t r = seed ^ 0x9E3779B97F4A7C15u;
   for (unsigned long n = 0; n < 200000; n++) {
      uint64_t bytes[2] = {random64(&r), random64(&r)};
      if (n & 2) {
         unsigned op = pick(&r, 128);
         bytes[0] = (bytes[0] & ~UINT64_C(0xFF)) | (eu_opcodes[op].name ? op : 1);
         bytes[0] &= ~(UINT64_C(1) << 28); /* reserved in compact ones */
      }
      if (n & 4)
         bytes[0] &= ~(UINT64_C(1) << 29);
      check((uint8_t *)bytes, 16, n & 1 ? HW_HSW : HW_IVB, "bytes", n);
   }
}

/* EU-069: every compact encoding expands to something that compacts to the same bits again, where
 * the unused index bits are zero. */
static void
compact_encodings(void **state)
{
   proves("EU-069");
   uint64_t r = seed + 1;
   unsigned long done = 0;
   for (unsigned long n = 0; n < 200000; n++) {
      uint64_t c = random64(&r), back;
      uint32_t dw[4];
      unsigned op = pick(&r, 128);
      if (!eu_opcodes[op].name || eu_opcodes[op].format == EU_FORMAT_THREE)
         continue;
      c = (c & ~UINT64_C(0x3000007F)) | op | UINT64_C(1) << 29;
      eu_inst_expand(c, dw);
      uint64_t src1 = eu_field_get(dw, EU_FIELD_SRC1_FILE),
               src0 = eu_field_get(dw, EU_FIELD_SRC0_FILE);
      if (src0 == EU_FILE_IMM || src1 == EU_FILE_IMM) {
         /* The sub-register entry's part for source 1 is overwritten by the immediate. */
         if (!eu_inst_compact(dw, &back))
            continue;
         uint32_t again[4];
         eu_inst_expand(back, again);
         assert_memory_equal(again, dw, 16);
      } else {
         assert_true(eu_inst_compact(dw, &back));
         assert_true(back == c);
      }
      done++;
   }
   assert_true(done > 50000);
}

/* EU-211: a program with branches comes back whole through labels. */
static void
program_with_labels(void **state)
{
   proves("EU-211");
   uint64_t r = seed + 2;
   for (unsigned round = 0; round < 200; round++) {
      uint32_t dw[64][4];
      for (unsigned n = 0; n < 64; n++) {
         struct eu_inst i;
         random_instruction(&r, HW_IVB, &i);
         if (eu_opcodes[i.opcode].format == EU_FORMAT_BRANCH) {
            i.jip = ((int)pick(&r, 64) - (int)n) * 2;
            if (i.uip)
               i.uip = ((int)pick(&r, 80) - (int)n) * 2 - (int)pick(&r, 2);
         }
         eu_inst_encode(&i, HW_IVB, dw[n]);
      }
      char *text = NULL;
      size_t length = 0;
      FILE *f = open_memstream(&text, &length);
      eu_disasm_program(f, (uint8_t *)dw, sizeof(dw), HW_IVB);
      fclose(f);
      struct eu_program p = assemble(text, HW_IVB);
      assert_int_equal(p.size, sizeof(dw));
      assert_memory_equal(p.bytes, dw, sizeof(dw));
      assert_non_null(strstr(text, "LABEL0"));
      eu_program_free(&p);
      free(text);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(legal_instructions),
       cmocka_unit_test(any_bytes),
       cmocka_unit_test(compact_encodings),
       cmocka_unit_test(program_with_labels),
   };
   const char *given = getenv("PERGOLA_SEED");
   seed = given ? strtoull(given, NULL, 0) : 1;
   if (!seed)
      seed = 1;
   printf("# seed 0x%llx (PERGOLA_SEED is another one)\n", (unsigned long long)seed);
   return cmocka_run_group_tests(tests, NULL, NULL);
}
