/* The interpreter, instruction by instruction: what a program computes. */
#include "machine.h"
#include "tests/proves.h"

static struct machine m;

static int
setup(void **state)
{
   (void)state;
   machine_open(&m, PERGOLA_CHECK_REPORT);
   return 0;
}

static int
teardown(void **state)
{
   (void)state;
   machine_close(&m);
   return 0;
}

static void
add_and_end(void **state)
{
   proves("EU-193", "EU-145", "EU-072", "EU-073");
   (void)state;
   for (unsigned i = 0; i < 8; i++) {
      grf_f(&m, 2)[i] = (float)i;
      grf_f(&m, 3)[i] = 0.5f;
   }
   machine_run(&m, "add(8) g4<1>F g2<8,8,1>F -g3<8,8,1>F { align1 1Q };\n"
                   "add(8) g5<1>D g2<0,1,0>D 7D { align1 1Q };\n" EOT_TEXT);
   for (unsigned i = 0; i < 8; i++) {
      assert_true(grf_f(&m, 4)[i] == (float)i - 0.5f);
      assert_int_equal(grf_d(&m, 5)[i], 7);
   }
}

static void
if_else_endif(void **state)
{
   proves("EU-174", "EU-175", "EU-176", "EU-121", "EU-173");
   (void)state;
   for (unsigned i = 0; i < 8; i++)
      grf_d(&m, 2)[i] = (int)i;
   machine_run(&m, "cmp.l.f0.0(8) null<1>D g2<8,8,1>D 3D { align1 1Q };\n"
                   "(+f0.0) if(8) JIP: L_else UIP: L_end { align1 1Q };\n"
                   "mov(8) g10<1>D 1D { align1 1Q };\n"
                   "else(8) JIP: L_end { align1 1Q };\n"
                   "L_else:\n"
                   "mov(8) g10<1>D 2D { align1 1Q };\n"
                   "L_end:\n"
                   "endif(8) JIP: L_next { align1 1Q };\n"
                   "L_next:\n"
                   "add(8) g11<1>D g10<8,8,1>D 10D { align1 1Q };\n" EOT_TEXT);
   for (unsigned i = 0; i < 8; i++) {
      assert_int_equal(grf_d(&m, 10)[i], i < 3 ? 1 : 2);
      assert_int_equal(grf_d(&m, 11)[i], i < 3 ? 11 : 12);
   }
}

/* EU-026: in a branch ce0 has the channels that are in it, whether dispatched or not; all ones with
 * NoMask. */
static void
channel_enables(void **state)
{
   proves("EU-026");
   (void)state;
   for (unsigned i = 0; i < 8; i++)
      grf_d(&m, 2)[i] = (int)i;
   machine_run(&m, "cmp.l.f0.0(8) null<1>D g2<8,8,1>D 3D { align1 1Q };\n"
                   "mov(1) g9<1>UD ce0<0,1,0>UD { align1 1N };\n"
                   "(+f0.0) if(8) JIP: L_else UIP: L_end { align1 1Q };\n"
                   "mov(1) g10<1>UD ce0<0,1,0>UD { align1 1N };\n"
                   "mov(1) g11<1>UD ce0<0,1,0>UD { align1 WE_all };\n"
                   "else(8) JIP: L_end { align1 1Q };\n"
                   "L_else:\n"
                   "mov(8) g12<1>UD ce0<0,1,0>UD { align1 1Q };\n"
                   "L_end:\n"
                   "endif(8) JIP: L_next { align1 1Q };\n"
                   "L_next:\n"
                   "mov(1) g13<1>UD ce0<0,1,0>UD { align1 1N };\n" EOT_TEXT);
   assert_int_equal(grf_d(&m, 9)[0] & 0xff, 0xff);
   assert_int_equal(grf_d(&m, 10)[0] & 0xff, 0x07);
   assert_int_equal((uint32_t)grf_d(&m, 11)[0], 0xffffffff);
   assert_int_equal(grf_d(&m, 12)[5] & 0xff, 0xf8);
   assert_int_equal(grf_d(&m, 13)[0] & 0xff, 0xff);
}

static void
loop_with_break(void **state)
{
   proves("EU-177", "EU-178");
   (void)state;
   for (unsigned i = 0; i < 8; i++)
      grf_d(&m, 2)[i] = (int)i * 2;
   machine_run(&m, "mov(8) g3<1>D 0D { align1 1Q };\n"
                   "L_loop:\n"
                   "cmp.ge.f0.1(8) null<1>D g3<8,8,1>D g2<8,8,1>D { align1 1Q };\n"
                   "(+f0.1) break(8) JIP: L_while UIP: L_while { align1 1Q };\n"
                   "add(8) g3<1>D g3<8,8,1>D 1D { align1 1Q };\n"
                   "L_while:\n"
                   "while(8) JIP: L_loop { align1 1Q };\n"
                   "add(8) g4<1>D g3<8,8,1>D 100D { align1 1Q };\n" EOT_TEXT);
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(grf_d(&m, 4)[i], 100 + (int)i * 2);
}

/* EU-146, EU-149, EU-022: the full 64-bit product. */
static void
mul_mach(void **state)
{
   proves("EU-146", "EU-149", "EU-022");
   (void)state;
   for (unsigned i = 0; i < 8; i++) {
      grf_d(&m, 2)[i] = (int32_t)(0x12345678u * (i + 1));
      grf_d(&m, 3)[i] = (int32_t)(0x9abcdef1u * (i + 3));
   }
   machine_run(&m, "mul(8) acc0<1>D g2<8,8,1>D g3<8,8,1>D { align1 1Q };\n"
                   "mach(8) g6<1>D g2<8,8,1>D g3<8,8,1>D { align1 1Q AccWrEnable };\n"
                   "mov(8) g7<1>D acc0<8,8,1>D { align1 1Q };\n" EOT_TEXT);
   for (unsigned i = 0; i < 8; i++) {
      int64_t p = (int64_t)grf_d(&m, 2)[i] * grf_d(&m, 3)[i];
      assert_int_equal(grf_d(&m, 6)[i], (int32_t)(p >> 32));
      assert_int_equal(grf_d(&m, 7)[i], (int32_t)p);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(add_and_end),     cmocka_unit_test(if_else_endif),
       cmocka_unit_test(channel_enables), cmocka_unit_test(loop_with_break),
       cmocka_unit_test(mul_mach),
   };
   return cmocka_run_group_tests_name("eu_interp", tests, setup, teardown);
}
