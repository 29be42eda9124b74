#include "isa_test.h"
#include "tests/proves.h"

struct pair {
   const char *text, *full, *compact;
};

static const struct pair pairs[] = {
    {"add(16) g20<1>F g8<8,8,1>F -g10<8,8,1>F { align1 1H };",
     "40 00 80 00 bd 77 80 22 00 01 8d 00 40 41 8d 00", "40 56 02 20 f7 14 08 0a"},
    {"add(8) g46<1>F g42<8,8,1>F -g4.4<0,1,0>F { align1 1Q };",
     "40 00 60 00 bd 77 c0 25 40 05 8d 00 90 40 00 00", "40 4b 6e 20 0f 2e 2a 04"},
    {"mov(8) g40<1>D g12<8,8,1>F { align1 2Q };", "01 10 60 00 a5 03 00 25 80 01 8d 00 00 00 00 00",
     "01 f4 00 20 07 28 0c 00"},
    {"mov.sat(8) g41<1>F g42<4>.wzyxF { align16 1Q };",
     "01 01 60 80 bd 03 2f 25 4b 05 61 00 00 00 00 00", NULL},
    {"mov(8) g50<1>UW 0x76543210UV { align1 WE_all 1Q };",
     "01 02 60 00 69 42 40 26 00 00 00 00 10 32 54 76", NULL},
    {"cmp.ge.f0.1(8) null<1>D g2<8,8,1>D g3.5<0,1,0>D { align1 1Q switch };",
     "10 80 60 04 a4 14 00 20 40 00 8d 02 74 00 00 00", NULL},
    {"(-f0.0.any4h) sel(8) g30<1>UD g31<4>UD g32<4>UD { align16 1Q };",
     "02 01 76 00 21 04 cf 23 e4 03 6e 00 04 04 6e 00", NULL},
    {"sel.l(8) g33<1>F g34<8,8,1>F 0x3f800000F { align1 1Q };",
     "02 00 60 05 bd 7f 20 24 40 04 8d 00 00 00 80 3f", NULL},
    {"mul(8) acc0<1>D g4<8,8,1>D g5<8,8,1>D { align1 1Q };",
     "41 00 60 00 a4 14 00 24 80 00 8d 00 a0 00 8d 00", "41 0b 03 20 e7 20 04 05"},
    {"mach(8) g6<1>D g4<8,8,1>D g5<8,8,1>D { align1 1Q AccWrEnable };",
     "49 00 60 10 a5 14 c0 20 80 00 8d 00 a0 00 8d 00", "49 8b 81 20 e7 06 04 05"},
    {"mad(8) g60<1>.xyzF g61<4,4,1>F -g62<4,4,1>.xF g63.2<0,1,0>F { align16 1Q };",
     "5b 01 60 00 80 00 0e 3c c8 d1 03 00 7c 04 d0 0f", NULL},
    {"bfi2(8) g64<1>UD g65<4,4,1>UD g66<4,4,1>UD g67<4,4,1>UD { align16 1Q };",
     "1a 01 60 00 00 28 1e 40 c8 11 04 39 84 20 c7 10", NULL},
    {"math sqrt(8) g70<1>F g71<8,8,1>F null<8,8,1>F { align1 1Q };",
     "38 00 60 04 bd 73 c0 28 e0 08 8d 00 00 00 8d 00", "38 eb 01 24 e7 46 47 00"},
    {"mov(8) g72<1>UD g[a0.4 32]<VxH,1,0>UD { align1 1Q };",
     "01 00 60 00 21 00 00 29 20 90 e0 01 00 00 00 00", NULL},
    {"mov(1) g[a0 16]<1>W -5W { align1 WE_all 1N };",
     "01 02 00 00 ed 31 10 a0 00 00 00 00 fb ff fb ff", NULL},
    {"pln(16) g74<1>F g4.4<0,1,0>F g2<8,8,1>F { align1 1H };",
     "5a 00 80 00 bd 77 40 29 90 00 00 00 40 00 8d 00", "5a 56 22 20 e0 4a 04 02"},
    {"jmpi(1) 18D { align1 WE_all 1N };", "20 02 00 00 00 1c 00 34 00 14 60 00 12 00 00 00", NULL},
    {"send(16) g80<1>UW g100<8,8,1>UD 0x04215e01 data { align1 1H };",
     "31 00 80 0a 29 0c 00 2a 80 0c 8d 00 01 5e 21 04", NULL},
    {"send(8) null<1>UW g112<8,8,1>UD 0x82000010 thread_spawner { align1 WE_all 1Q EOT };",
     "31 02 60 07 28 0c 00 20 00 0e 8d 00 10 00 00 82", NULL},
};

static void
check_bytes(const char *text, const char *hex)
{
   uint8_t expected[16];
   size_t size = from_hex(hex, expected);
   struct eu_program p = assemble(text, HW_IVB);
   if (p.size != size || memcmp(p.bytes, expected, size))
      fail_msg("wrong bytes for: %s", text);
   eu_program_free(&p);
}

/* EU-209: predicate, opcode, .sat, condition, size, operands, options. */
static void
text_gives_the_documented_bytes(void **state)
{
   proves("EU-209");
   for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
      check_bytes(pairs[i].text, pairs[i].full);
}

/* EU-069, EU-071: the compact form comes from the tables and expands to the full form again. */
static void
compact_form_both_ways(void **state)
{
   proves("EU-069", "EU-071");
   for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
      uint8_t full[16], compact[8];
      uint32_t dw[4], back[4];
      uint64_t c = 0, expected;
      from_hex(pairs[i].full, full);
      memcpy(dw, full, 16);
      bool ok = eu_inst_compact(dw, &c);
      if (!pairs[i].compact) {
         assert_false(ok);
         continue;
      }
      assert_true(ok);
      from_hex(pairs[i].compact, compact);
      memcpy(&expected, compact, 8);
      assert_true(c == expected);
      eu_inst_expand(c, back);
      assert_memory_equal(back, dw, 16);
   }
}

/* EU-071: sub-register entry 10 is source 0 at byte 20, so this compacts with index 10. */
static void
compaction_entry_ten(void **state)
{
   proves("EU-071");
   struct eu_program p = assemble("mov(8) g1<1>F g2.5<0,1,0>F { align1 1Q compacted };", HW_IVB);
   assert_int_equal(p.size, 8);
   uint64_t c;
   memcpy(&c, p.bytes, 8);
   assert_int_equal(c >> 18 & 31, 10);
   uint32_t dw[4];
   eu_inst_expand(c, dw);
   assert_int_equal(eu_field_get(dw, EU_FIELD_SRC0_SUBNR), 20);
   eu_program_free(&p);
}

/* EU-069: the 13-bit immediate of a compact instruction is sign-extended; larger ones do not fit.
 */
static void
compact_immediates(void **state)
{
   proves("EU-069");
   static const struct {
      int value;
      bool fits;
   } cases[] = {{0, true}, {4095, true}, {4096, false}, {-1, true}, {-4096, true}, {-4097, false}};
   for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      char text[120];
      snprintf(text, sizeof(text), "add(8) g1<1>D g2<8,8,1>D %dD { align1 1Q };", cases[i].value);
      struct eu_inst inst = assemble_one(text, HW_IVB);
      uint64_t c;
      uint32_t dw[4];
      assert_int_equal(eu_inst_compact(inst.dw, &c), cases[i].fits);
      if (cases[i].fits) {
         eu_inst_expand(c, dw);
         assert_int_equal((int32_t)dw[3], cases[i].value);
      }
   }
}

static const char branches[] =
    "(+f0.0) if(8) JIP: L_else UIP: L_end { align1 1Q };\n"
    "mov(8) g10<1>D 1D { align1 1Q };\n"
    "else(8) JIP: L_end { align1 1Q };\n"
    "L_else: mov(8) g10<1>D 2D { align1 1Q };\n"
    "L_end: endif(8) JIP: L_next { align1 1Q };\n"
    "L_next: L_loop: add(8) g11<1>D g11<8,8,1>D g10<8,8,1>D { align1 1Q };\n"
    "(-f0.1) break(8) JIP: L_while UIP: L_while { align1 1Q };\n"
    "L_while: while(8) JIP: L_loop { align1 1Q };\n"
    "cont(8) JIP: L_while UIP: L_while { align1 1Q };\n"
    "halt(8) JIP: L_while UIP: L_while { align16 1Q };\n";
static const char *const branch_bytes[] = {
    "22 00 61 00 84 3c 00 20 00 00 00 00 06 00 08 00",
    "01 00 60 00 e5 10 40 21 00 00 00 00 01 00 00 00",
    "24 00 60 00 84 3c 00 20 00 00 8d 00 04 00 00 00",
    "01 00 60 00 e5 10 40 21 00 00 00 00 02 00 00 00",
    "25 00 60 00 84 3c 00 20 00 00 8d 00 02 00 00 00",
    "40 00 60 00 a5 14 60 21 60 01 8d 00 40 01 8d 00",
    "28 00 71 00 84 1c 00 20 00 00 8d 02 02 00 02 00",
    "27 00 60 00 84 3c 00 20 00 00 8d 00 fc ff 00 00",
    "29 00 60 00 00 1c 00 34 00 14 60 00 fe ff fe ff",
    "2a 01 60 00 84 1c 0f 20 04 00 6e 00 fc ff fc ff",
};

/* EU-067, EU-212, EU-214: distances in 8-byte units from the branch; the hidden operand fields. */
static void
branches_and_labels(void **state)
{
   proves("EU-067", "EU-212", "EU-214");
   struct eu_program p = assemble(branches, HW_IVB);
   assert_int_equal(p.size, sizeof(branch_bytes) / sizeof(branch_bytes[0]) * 16);
   for (size_t i = 0; i < sizeof(branch_bytes) / sizeof(branch_bytes[0]); i++) {
      uint8_t expected[16];
      from_hex(branch_bytes[i], expected);
      assert_memory_equal(p.bytes + i * 16, expected, 16);
   }
   uint32_t at;
   assert_true(eu_program_label(&p, "L_loop", &at));
   assert_int_equal(at, 0x50);
   assert_false(eu_program_label(&p, "nowhere", &at));
   assert_int_equal(p.lines[3].line, 4);
   eu_program_free(&p);
}

/* EU-212: jmpi counts from the next instruction: 8-byte units, on Haswell bytes; call likewise. */
static void
jump_units(void **state)
{
   proves("EU-212");
   static const char text[] = "jmpi(1) JIP: end { align1 WE_all 1N };\n"
                              "call(2) g10<1>UD JIP: end { align1 WE_all 1N };\nnop;\nend: nop;";
   struct eu_inst i;
   const char *why;
   struct eu_program p = assemble(text, HW_IVB);
   assert_true(eu_inst_decode(p.bytes, p.size, HW_IVB, &i, &why));
   assert_int_equal(i.src[0].imm, 4);
   assert_true(eu_inst_decode(p.bytes + 16, p.size, HW_IVB, &i, &why));
   assert_int_equal(i.jip, 4);
   eu_program_free(&p);
   p = assemble(text, HW_HSW);
   assert_true(eu_inst_decode(p.bytes, p.size, HW_HSW, &i, &why));
   assert_int_equal(i.src[0].imm, 32);
   assert_true(eu_inst_decode(p.bytes + 16, p.size, HW_HSW, &i, &why));
   assert_int_equal(i.jip, 32);
   eu_program_free(&p);
}

/* EU-210: the first mistake, with its line and column. */
static void
mistakes_have_a_place(void **state)
{
   proves("EU-210");
   static const struct {
      const char *text;
      unsigned line, column;
      const char *word;
   } cases[] = {
       {"nop;\n  frob(8) g1<1>F g2<8,8,1>F;", 2, 3, "frob"},
       {"mov(8) g1<1>F g2<8,8,1>F { align1 1Q }", 1, 39, "';'"},
       {"mov(3) g1<1>F g2<8,8,1>F;", 1, 6, "execution size"},
       {"mov(8) g300<1>F g2<8,8,1>F;", 1, 9, "300"},
       {"mov(8) g1<1>F g2<8,3,1>F;", 1, 20, "power of two"},
       {"mov(8) g1<1>F g2<8,8,1>Q;", 1, 24, "type"},
       {"mov(8) g1<1>F g2<8,8,1>F { align1 9Q };", 1, 35, "option"},
       {"add(8) g1<1>F 1F g2<8,8,1>F;", 1, 17, "last source"},
       {"mov(8) g1<1>W 70000W;", 1, 15, "fit"},
       {"jmpi(1) JIP: far;", 1, 14, "far"},
       {"a: nop;\na: nop;", 2, 2, "already"},
       {"nop; /* open", 1, 6, "comment"},
       {"mov(8) g1<1>.xF g2<8,8,1>F { align1 1Q };", 1, 41, "align16"},
       {"dim(4) g2<1>.xDF 0x3ff0000000000000F { align16 };", 1, 1, "dim"},
       {"mad(8) g1<1>F g2<8,8,1>F g3<4,4,1>F g4<4,4,1>F { align1 };", 1, 58, "align16"},
       {"if(8) JIP: 40000 UIP: 2;", 1, 24, "16 bits"},
       {"or(8) g1<1>F g2<0,1,0>F 0x1UD { align1 1Q compacted };", 1, 1, "compact"},
       {"(+f2.0) mov(8) g1<1>F g2<0,1,0>F;", 1, 4, "flag"},
   };
   for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      struct eu_program p;
      struct eu_asm_error e;
      if (eu_asm_text(cases[i].text, strlen(cases[i].text), HW_IVB, &p, &e))
         fail_msg("accepted: %s", cases[i].text);
      if (e.line != cases[i].line || e.column != cases[i].column ||
          !strstr(e.message, cases[i].word))
         fail_msg("%s: got %u:%u: %s", cases[i].text, e.line, e.column, e.message);
      assert_null(p.bytes);
   }
}

/* EU-003: m<n> is g(112+n). EU-209: sub-registers count elements; a missing region is <0,1,0>. */
static void
register_names(void **state)
{
   proves("EU-003", "EU-209");
   struct eu_inst i = assemble_one("mov(8) m3.2<1>UW r7.3UD { align1 1Q };", HW_IVB);
   assert_int_equal(i.dst.nr, 115);
   assert_int_equal(i.dst.subnr, 4);
   assert_int_equal(i.src[0].subnr, 12);
   assert_int_equal(i.src[0].vstride, 0);
   assert_int_equal(i.src[0].width, 1);
   i = assemble_one("mov(1) f1.1<1>UW ce0<0,1,0>UW { align1 WE_all };", HW_IVB);
   assert_int_equal(i.dst.nr, 0x31);
   assert_int_equal(i.dst.subnr, 2);
   assert_int_equal(i.src[0].nr, 0x40);
   i = assemble_one("mov(8) g1<1>F 1.5F { align1 1Q };", HW_IVB);
   assert_int_equal(i.src[0].imm, 0x3FC00000);
   i = assemble_one("add(8) g1:F g2<8;8,1>:F [48, 0, 128, 255]VF { align1, 1Q };", HW_IVB);
   assert_int_equal(i.src[1].imm, 0xFF800030);
}

/* EU-213: fields stand at fixed columns. */
static void
disassembly_columns(void **state)
{
   proves("EU-213");
   char text[EU_DISASM_MAX];
   uint8_t bytes[16];
   from_hex(pairs[0].full, bytes);
   assert_int_equal(eu_disasm(bytes, 16, HW_IVB, text), 16);
   assert_string_equal(
       text, "add(16)         g20<1>F         g8<8,8,1>F      -g10<8,8,1>F    { align1 1H };");
   from_hex(branch_bytes[0], bytes);
   eu_disasm(bytes, 16, HW_IVB, text);
   assert_string_equal(
       text, "(+f0.0) if(8)   JIP: 6                UIP: 8                    { align1 1Q };");
}

/* EU-211: what is no instruction is shown with the reason, and gives its bytes again. */
static void
illegal_bytes_are_shown(void **state)
{
   proves("EU-211");
   static const struct {
      const char *hex, *word;
   } cases[] = {
       {"7f 00 60 00 bd 03 20 20 40 00 8d 00 00 00 00 00", "unknown opcode"},
       {"81 00 60 00 bd 03 20 20 40 00 8d 00 00 00 00 00", "unknown opcode"},
       {"01 00 c0 00 bd 03 20 20 40 00 8d 00 00 00 00 00", "execution size"},
       {"01 00 60 00 be 03 20 20 40 00 8d 00 00 00 00 00", "destination's register file"},
       {"01 00 60 00 dd 03 20 20 40 00 8d 00 00 00 00 00", "source's register file"},
       {"01 00 60 00 bd 03 20 20 40 00 ed 00 00 00 00 00", "vertical stride"},
       {"01 00 60 00 bd 03 20 20 40 00 9d 00 00 00 00 00", "width"},
       {"01 00 60 07 bd 03 20 20 40 00 8d 00 00 00 00 00", "conditional modifier"},
       {"01 c0 60 00 bd 03 20 20 40 00 8d 00 00 00 00 00", "thread control"},
       {"01 00 6e 00 bd 03 20 20 40 00 8d 00 00 00 00 00", "predicate control"},
       {"01 00 60 00 bd 03 20 20 40 00 8d 08 00 00 00 00", "95:91"},
       {"40 00 60 00 bd 77 20 20 40 00 8d 00 60 00 8d 02", "127:121"},
       {"38 00 60 08 bd 73 20 20 40 00 8d 00 00 00 8d 00", "math function"},
       {"31 00 60 0c 29 0c 00 20 40 00 8d 00 00 00 00 02", "shared function"},
       {"0a 02 00 00 f9 73 80 20 00 00 00 00 00 00 18 40", "unknown opcode"},
   };
   for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      char text[EU_DISASM_MAX];
      uint8_t bytes[16];
      from_hex(cases[i].hex, bytes);
      assert_int_equal(eu_disasm(bytes, 16, HW_IVB, text), 16);
      if (!strstr(text, "illegal") || !strstr(text, cases[i].word))
         fail_msg("%s: %s", cases[i].hex, text);
      struct eu_program p = assemble(text, HW_IVB);
      assert_int_equal(p.size, 16);
      assert_memory_equal(p.bytes, bytes, 16);
      eu_program_free(&p);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(text_gives_the_documented_bytes),
       cmocka_unit_test(compact_form_both_ways),
       cmocka_unit_test(compaction_entry_ten),
       cmocka_unit_test(compact_immediates),
       cmocka_unit_test(branches_and_labels),
       cmocka_unit_test(jump_units),
       cmocka_unit_test(mistakes_have_a_place),
       cmocka_unit_test(register_names),
       cmocka_unit_test(disassembly_columns),
       cmocka_unit_test(illegal_bytes_are_shown),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
