#include "isa_test.h"
#include "tests/proves.h"

/* EU-060: every field of the control dword lands where the manual says. */
static void
control_dword(void **state)
{
   proves("EU-060");
   static const struct {
      const char *text;
      uint32_t dw0;
   } cases[] = {
       {"mov(1) g1<1>F g2F { align1 };", 0x00000001},
       {"mov(1) g1<1>F g2F { align16 };", 0x00000101},
       {"mov(1) g1<1>F g2F { align1 WE_all };", 0x00000201},
       {"mov(1) g1<1>F g2F { align1 NoDDClr };", 0x00000401},
       {"mov(1) g1<1>F g2F { align1 NoDDChk };", 0x00000801},
       {"mov(1) g1<1>F g2F { align1 NoDDClr,NoDDChk };", 0x00000C01},
       {"mov(8) g1<1>F g2F { align1 4Q };", 0x00603001},
       {"mov(16) g1<1>F g2F { align1 2H };", 0x00802001},
       {"mov(4) g1<1>F g2F { align1 5N };", 0x00402001},
       {"mov(1) g1<1>F g2F { align1 atomic };", 0x00004001},
       {"mov(1) g1<1>F g2F { align1 switch };", 0x00008001},
       {"(-f0.0.all32h) mov(1) g1<1>F g2F { align1 };", 0x001D0001},
       {"mov(32) g1<1>UB g2UB { align1 };", 0x00A00001},
       {"mov.u(1) g1<1>F g2F { align1 };", 0x09000001},
       {"mov(1) g1<1>F g2F { align1 AccWrEnable };", 0x10000001},
       {"mov.breakpoint(1) g1<1>F g2F { align1 };", 0x40000001},
       {"mov.sat(1) g1<1>F g2F { align1 };", 0x80000001},
   };
   for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
      if (assemble_one(cases[i].text, HW_IVB).dw[0] != cases[i].dw0)
         fail_msg("%s: 0x%08x", cases[i].text, assemble_one(cases[i].text, HW_IVB).dw[0]);
}

/* EU-061: bit 7 of the first byte makes any opcode undefined. EU-208: Haswell's opcodes and the
 * never-built ones are illegal. */
static void
unknown_opcodes(void **state)
{
   proves("EU-061", "EU-208");
   unsigned known = 0;
   for (unsigned op = 0; op < 256; op++) {
      uint8_t bytes[16] = {(uint8_t)op};
      struct eu_inst i;
      const char *why = NULL;
      bool legal = eu_inst_decode(bytes, 16, HW_IVB, &i, &why);
      bool unknown = !legal && !strcmp(why, "unknown opcode");
      assert_int_equal(unknown, op > 127 || !eu_opcode_info(op, HW_IVB));
      known += !unknown;
   }
   assert_int_equal(known, 62);
   assert_null(eu_opcode_info(0x26, HW_IVB | HW_HSW));
   assert_null(eu_opcode_info(0x33, HW_IVB | HW_HSW));
   assert_null(eu_opcode_info(0x34, HW_IVB | HW_HSW));
   assert_null(eu_opcode_info(EU_OP_DIM, HW_IVB));
   assert_null(eu_opcode_info(EU_OP_CALLA, HW_VLV));
   assert_non_null(eu_opcode_info(EU_OP_DIM, HW_HSW));
   assert_non_null(eu_opcode_info(EU_OP_CALLA, HW_HSW));
}

/* EU-001, EU-004, EU-062: files, numbers, sub-registers in bytes, both sources. */
static void
two_source_operands(void **state)
{
   proves("EU-001", "EU-004", "EU-062");
   struct eu_inst i = assemble_one(
       "(+f1.0) add(8) g5.3<2>W -(abs)g127.7<16,8,2>W g9.1<0,1,0>UB { align1 1Q };", HW_IVB);
   assert_int_equal(i.dst.file, EU_FILE_GRF);
   assert_int_equal(i.dst.nr, 5);
   assert_int_equal(i.dst.subnr, 6);
   assert_int_equal(i.dst.hstride, 2);
   assert_int_equal(i.src[0].nr, 127);
   assert_int_equal(i.src[0].subnr, 14);
   assert_true(i.src[0].negate && i.src[0].abs);
   assert_int_equal(i.src[0].vstride, 16);
   assert_int_equal(i.src[0].width, 8);
   assert_int_equal(i.src[0].hstride, 2);
   assert_int_equal(i.src[1].subnr, 1);
   assert_int_equal(i.src[1].type, EU_TYPE_UB);
   assert_int_equal(i.flag_nr, 1);
   assert_int_equal(i.flag_subnr, 0);
   i = assemble_one("mov(1) cr0.2<1>UD acc1.3<0,1,0>UD { align1 };", HW_IVB);
   assert_int_equal(i.dst.file, EU_FILE_ARF);
   assert_int_equal(i.dst.nr, EU_ARF_CR);
   assert_int_equal(i.dst.subnr, 8);
   assert_int_equal(i.src[0].nr, EU_ARF_ACC + 1);
}

/* EU-063: codes of strides and widths, and which are reserved. */
static void
region_codes(void **state)
{
   proves("EU-063");
   static const unsigned strides[16] = {0, 1, 2, 4, 8, 16, 32, 99, 99, 99, 99, 99, 99, 99, 99, 99};
   struct eu_inst base = assemble_one("mov(8) g1<1>F g2<8,8,1>F { align1 1Q };", HW_IVB), i;
   const char *why;
   for (unsigned code = 0; code < 16; code++) {
      uint32_t dw[4];
      memcpy(dw, base.dw, 16);
      eu_field_set(dw, EU_FIELD_SRC0_VSTRIDE, code);
      bool legal = eu_inst_decode((uint8_t *)dw, 16, HW_IVB, &i, &why);
      assert_int_equal(legal, strides[code] != 99);
      if (legal)
         assert_int_equal(i.src[0].vstride, strides[code]);
      memcpy(dw, base.dw, 16);
      eu_field_set(dw, EU_FIELD_SRC0_WIDTH, code & 7);
      legal = eu_inst_decode((uint8_t *)dw, 16, HW_IVB, &i, &why);
      assert_int_equal(legal, (code & 7) <= 4);
      if (legal)
         assert_int_equal(i.src[0].width, 1 << (code & 7));
      memcpy(dw, base.dw, 16);
      eu_field_set(dw, EU_FIELD_SRC0_HSTRIDE, code & 3);
      assert_true(eu_inst_decode((uint8_t *)dw, 16, HW_IVB, &i, &why));
      assert_int_equal(i.src[0].hstride, (code & 3) == 3 ? 4 : code & 3);
   }
   i = assemble_one("mov(8) g1<1>F g[a0.2]<VxH,4,1>F { align1 1Q };", HW_IVB);
   assert_int_equal(i.src[0].vstride, EU_VSTRIDE_VXH);
   assert_int_equal(i.src[0].width, 4);
}

/* EU-064: ten signed bits; Align16 keeps only multiples of 16. */
static void
address_immediates(void **state)
{
   proves("EU-064");
   static const struct {
      const char *text;
      int imm;
   } cases[] = {
       {"mov(8) g1<1>F g[a0.7 511]<8,8,1>F { align1 1Q };", 511},
       {"mov(8) g1<1>F g[a0.7 512]<8,8,1>F { align1 1Q };", -512},
       {"mov(8) g1<1>F g[a0.7 -1]<8,8,1>F { align1 1Q };", -1},
       {"mov(8) g1<1>F g[a0.7 1008]<4>F { align16 1Q };", -16},
       {"mov(8) g1<1>F g[a0.7 496]<4>F { align16 1Q };", 496},
   };
   for (size_t n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
      struct eu_inst i = assemble_one(cases[n].text, HW_IVB);
      assert_true(i.src[0].indirect);
      assert_int_equal(i.src[0].addr_subnr, 7);
      assert_int_equal(i.src[0].addr_imm, cases[n].imm);
   }
   struct eu_inst i = assemble_one("mov(8) g[a0.3 -32]<1>.xzF g1<4>F { align16 1Q };", HW_IVB);
   assert_true(i.dst.indirect);
   assert_int_equal(i.dst.addr_subnr, 3);
   assert_int_equal(i.dst.addr_imm, -32);
   assert_int_equal(i.dst.writemask, 5);
}

/* EU-038, EU-039, EU-065: type codes of registers and immediates; 16-bit ones are stored twice; the
 * immediate is always the last dword. */
static void
types_and_immediates(void **state)
{
   proves("EU-038", "EU-039", "EU-065");
   static const char *const names[8] = {"UD", "D", "UW", "W", "UB", "B", "DF", "F"};
   char text[120];
   for (unsigned t = 0; t < 8; t++) {
      snprintf(text, sizeof(text), "mov(1) g1<1>%s g2<0,1,0>%s { align1 };", names[t],
               names[7 - t]);
      struct eu_inst i = assemble_one(text, HW_IVB);
      assert_int_equal(i.dst.type, t);
      assert_int_equal(i.src[0].type, 7 - t);
      assert_int_equal(i.dw[1] >> 2 & 7, t);
      assert_int_equal(i.dw[1] >> 7 & 7, 7 - t);
   }
   static const struct {
      const char *imm;
      unsigned code, type;
      uint32_t dw3;
   } immediates[] = {
       {"0x12345678UD", 0, EU_TYPE_UD, 0x12345678},
       {"-2D", 1, EU_TYPE_D, 0xFFFFFFFE},
       {"0xabcdUW", 2, EU_TYPE_UW, 0xABCDABCD},
       {"-3W", 3, EU_TYPE_W, 0xFFFDFFFD},
       {"0x76543210UV", 4, EU_TYPE_UV, 0x76543210},
       {"0x30VF", 5, EU_TYPE_VF, 0x30},
       {"0xfV", 6, EU_TYPE_V, 0xF},
       {"0x3f800000F", 7, EU_TYPE_F, 0x3F800000},
   };
   for (unsigned n = 0; n < 8; n++) {
      snprintf(text, sizeof(text), "mov(8) g1<1>D %s { align1 1Q };", immediates[n].imm);
      struct eu_inst i = assemble_one(text, HW_IVB);
      assert_int_equal(i.src[0].file, EU_FILE_IMM);
      assert_int_equal(i.src[0].type, immediates[n].type);
      assert_int_equal(i.dw[1] >> 7 & 7, immediates[n].code);
      assert_int_equal(i.dw[3], immediates[n].dw3);
      snprintf(text, sizeof(text), "add(8) g1<1>D g2<8,8,1>D %s { align1 1Q };", immediates[n].imm);
      i = assemble_one(text, HW_IVB);
      assert_int_equal(i.src[1].type, immediates[n].type);
      assert_int_equal(i.dw[3], immediates[n].dw3);
   }
   struct eu_inst bad;
   const char *why;
   uint8_t bytes[16];
   from_hex("40 00 60 00 fd 77 20 20 40 00 8d 00 60 00 8d 00", bytes);
   assert_false(eu_inst_decode(bytes, 16, HW_IVB, &bad, &why));
   assert_non_null(strstr(why, "last source"));
}

/* EU-066: three-source fields; types 0 F, 1 D, 2 UD, 3 DF; never Align1. EU-038 */
static void
three_sources(void **state)
{
   proves("EU-066", "EU-038");
   struct eu_inst i = assemble_one("(-f1.1) mad.sat.l.f1.1(8) g60.4<1>.xwF -g61.4<4,4,1>.wzyxF "
                                   "(abs)g62<4,4,1>.yF g63.3<0,1,0>F { align16 2Q };",
                                   HW_IVB);
   assert_int_equal(i.flag_nr, 1);
   assert_int_equal(i.flag_subnr, 1);
   assert_int_equal(i.dst.nr, 60);
   assert_int_equal(i.dst.subnr, 16);
   assert_int_equal(i.dst.writemask, 9);
   assert_true(i.src[0].negate && !i.src[0].abs && !i.src[1].negate && i.src[1].abs);
   assert_int_equal(i.src[0].subnr, 16);
   assert_int_equal(i.src[0].swizzle, 0x1B);
   assert_int_equal(i.src[1].swizzle, 0x55);
   assert_int_equal(i.src[1].nr, 62);
   assert_true(i.src[2].rep_ctrl);
   assert_int_equal(i.src[2].subnr, 12);
   assert_int_equal(i.src[2].vstride, 0);
   static const struct {
      const char *name;
      unsigned code;
   } types[] = {{"F", 0}, {"D", 1}, {"UD", 2}, {"DF", 3}};
   for (unsigned t = 0; t < 4; t++) {
      char text[160];
      snprintf(text, sizeof(text),
               "mad(4) g1<1>%s g2<4,4,1>%s g3<4,4,1>%s g4<4,4,1>%s { align16 };", types[t].name,
               types[t].name, types[t].name, types[t].name);
      i = assemble_one(text, HW_IVB);
      assert_int_equal(i.dw[1] >> 10 & 3, types[t].code);
      assert_int_equal(i.dw[1] >> 12 & 3, types[t].code);
   }
   const char *why;
   i.dw[0] &= ~0x100u;
   uint32_t dw[4];
   memcpy(dw, i.dw, 16);
   assert_false(eu_inst_decode((uint8_t *)dw, 16, HW_IVB, &i, &why));
   assert_non_null(strstr(why, "Align16"));
}

/* MEDIA-466: the shared functions by number. */
static void
shared_function_numbers(void **state)
{
   proves("MEDIA-466");
   for (unsigned id = 0; id < 16; id++) {
      static const char *const name[16] = {"null",       NULL,     "sampler", "gateway",
                                           "dp_sampler", "render", "urb",     "thread_spawner",
                                           "vme",        "const",  "data",    "pixel interp"};
      if (!name[id])
         continue;
      char text[128];
      snprintf(text, sizeof(text), "send(8) g5<1>UD g6<8,8,1>UD 0x02100000 %s { align1 1Q };",
               name[id]);
      assert_int_equal(assemble_one(text, HW_IVB).sfid, id);
   }
}

/* EU-068: function in 27:24, descriptor immediate or a0.0, EOT the last bit. */
static void
send_fields(void **state)
{
   proves("EU-068");
   struct eu_inst i =
       assemble_one("send(8) g5<1>UD g6<8,8,1>UD 0x02106e05 const { align1 1Q };", HW_IVB);
   assert_int_equal(i.sfid, EU_SFID_CONST);
   assert_false(i.desc_is_reg);
   assert_int_equal(i.desc, 0x02106E05);
   assert_false(i.eot);
   assert_int_equal(i.cond_modifier, 0);
   const char *why;
   uint32_t dw[4];
   for (unsigned bit = 0; bit < 2; bit++) { /* 126:125 */
      struct eu_inst reserved;
      memcpy(dw, i.dw, 16);
      dw[3] |= 1u << (29 + bit);
      assert_false(eu_inst_decode((uint8_t *)dw, 16, HW_IVB, &reserved, &why));
      assert_non_null(strstr(why, "126:125"));
   }
   i = assemble_one(
       "sendc(8) null<1>UW g112<8,8,1>UD a0<0,1,0>UD 0x00000200 urb { align1 1Q EOT };", HW_IVB);
   assert_true(i.desc_is_reg);
   assert_true(i.eot);
   assert_int_equal(i.dw[3], 0x80000200);
   static const struct {
      enum eu_field field;
      uint32_t value;
   } others[] = {{EU_FIELD_SRC1_NR, 0x20}, {EU_FIELD_SRC1_NR, 0x11}, {EU_FIELD_SRC1_SUBNR, 4}};
   for (unsigned n = 0; n < sizeof(others) / sizeof(others[0]); n++) {
      struct eu_inst other;
      memcpy(dw, i.dw, 16);
      eu_field_set(dw, others[n].field, others[n].value);
      assert_false(eu_inst_decode((uint8_t *)dw, 16, HW_IVB, &other, &why));
      assert_non_null(strstr(why, "a0.0"));
   }
}

/* EU-070: bit 29 decides the length; a full instruction may follow a compact one. */
static void
instruction_lengths(void **state)
{
   proves("EU-070");
   struct eu_program p =
       assemble("add(16) g20<1>F g8<8,8,1>F -g10<8,8,1>F { align1 1H compacted };\n"
                "mov(8) g1<1>F g2<8,8,1>F { align1 1Q };",
                HW_IVB);
   struct eu_inst i;
   const char *why;
   assert_int_equal(p.size, 24);
   assert_true(eu_inst_decode(p.bytes, p.size, HW_IVB, &i, &why));
   assert_int_equal(i.size, 8);
   assert_true(i.compact);
   assert_int_equal(i.opcode, EU_OP_ADD);
   assert_true(i.src[1].negate);
   assert_true(eu_inst_decode(p.bytes + 8, p.size - 8, HW_IVB, &i, &why));
   assert_int_equal(i.size, 16);
   assert_int_equal(i.opcode, EU_OP_MOV);
   assert_false(eu_inst_decode(p.bytes + 8, 15, HW_IVB, &i, &why));
   assert_non_null(strstr(why, "cut short"));
   assert_false(eu_inst_decode(p.bytes, 7, HW_IVB, &i, &why));
   eu_program_free(&p);
}

/* EU-076: which thread channel execution channel 0 is. */
static void
channel_groups(void **state)
{
   proves("EU-076");
   static const struct {
      const char *text;
      unsigned group;
   } cases[] = {
       {"mov(8) g1<1>F g2F { align1 1Q };", 0},   {"mov(8) g1<1>F g2F { align1 3Q };", 16},
       {"mov(8) g1<1>F g2F { align1 4Q };", 24},  {"mov(16) g1<1>F g2F { align1 1H };", 0},
       {"mov(16) g1<1>F g2F { align1 2H };", 16}, {"mov(4) g1<1>F g2F { align1 2N };", 4},
       {"mov(4) g1<1>F g2F { align1 8N };", 28},  {"mov(1) g1<1>F g2F { align1 3N };", 8},
       {"mov(32) g1<1>UB g2UB { align1 };", 0},
   };
   for (size_t n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
      struct eu_inst i = assemble_one(cases[n].text, HW_IVB);
      assert_int_equal(eu_inst_group(&i), cases[n].group);
   }
   struct eu_inst odd = {.exec_size = 16, .quarter = 1};
   assert_int_equal(eu_inst_group(&odd), 0);
}

/* EU-082, EU-207: reserved codes and bits are found, one at a time; the plain instruction is legal.
 */
static void
reserved_bits(void **state)
{
   proves("EU-082", "EU-207");
   static const enum eu_field reserved[] = {EU_FIELD_RESERVED_95_91, EU_FIELD_RESERVED_127_121};
   struct eu_inst plain =
                      assemble_one("add(8) g1<1>F g2<8,8,1>F g3<8,8,1>F { align1 1Q };", HW_IVB),
                  i;
   const char *why;
   assert_true(eu_inst_decode((uint8_t *)plain.dw, 16, HW_IVB, &i, &why));
   for (unsigned n = 0; n < 2; n++) {
      uint32_t dw[4];
      memcpy(dw, plain.dw, 16);
      eu_field_set(dw, reserved[n], 1);
      assert_false(eu_inst_decode((uint8_t *)dw, 16, HW_IVB, &i, &why));
      assert_non_null(strstr(why, "reserved"));
   }
   static const struct {
      enum eu_field field;
      unsigned first, last; /* reserved codes */
   } codes[] = {
       {EU_FIELD_EXEC_SIZE, 6, 7},       {EU_FIELD_DST_FILE, 2, 3},
       {EU_FIELD_SRC0_FILE, 2, 3},       {EU_FIELD_SRC1_FILE, 2, 2},
       {EU_FIELD_PREDICATE, 14, 15},     {EU_FIELD_COND_MODIFIER, 7, 7},
       {EU_FIELD_COND_MODIFIER, 10, 15}, {EU_FIELD_THREAD_CONTROL, 3, 3},
       {EU_FIELD_SRC1_VSTRIDE, 7, 15},
   };
   for (size_t n = 0; n < sizeof(codes) / sizeof(codes[0]); n++)
      for (unsigned code = codes[n].first; code <= codes[n].last; code++) {
         uint32_t dw[4];
         memcpy(dw, plain.dw, 16);
         eu_field_set(dw, codes[n].field, code);
         assert_false(eu_inst_decode((uint8_t *)dw, 16, HW_IVB, &i, &why));
      }
}

/* EU-172: which functions of math exist. */
static void
math_functions(void **state)
{
   proves("EU-172");
   struct eu_inst plain = assemble_one("math inv(8) g1<1>F g2<8,8,1>F null<8,8,1>F { align1 1Q };",
                                       HW_IVB),
                  i;
   for (unsigned f = 0; f < 16; f++) {
      const char *why;
      uint32_t dw[4];
      memcpy(dw, plain.dw, 16);
      eu_field_set(dw, EU_FIELD_COND_MODIFIER, f);
      bool legal = eu_inst_decode((uint8_t *)dw, 16, HW_IVB, &i, &why);
      assert_int_equal(legal, f != 0 && f != 8 && f < 14);
      assert_int_equal(i.math_function, f);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(control_dword),           cmocka_unit_test(unknown_opcodes),
       cmocka_unit_test(two_source_operands),     cmocka_unit_test(region_codes),
       cmocka_unit_test(address_immediates),      cmocka_unit_test(types_and_immediates),
       cmocka_unit_test(three_sources),           cmocka_unit_test(send_fields),
       cmocka_unit_test(shared_function_numbers), cmocka_unit_test(instruction_lengths),
       cmocka_unit_test(channel_groups),          cmocka_unit_test(reserved_bits),
       cmocka_unit_test(math_functions),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
