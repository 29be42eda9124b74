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

/* EU-174: with Single Program Flow one flag decides for all, and the way is to UIP. */
static void
if_of_single_flow(void **state)
{
   proves("EU-174");
   (void)state;
   for (unsigned flag = 0; flag < 2; flag++) {
      machine_load(&m, "mov(1) cr0<1>UD 4UD { align1 WE_all 1N switch };\n"
                       "mov(8) g10<1>D 0D { align1 WE_all 1Q };\n"
                       "mov(1) f0<1>UW g2<0,1,0>UW { align1 WE_all 1N };\n"
                       "(+f0.0) if(8) JIP: L_end UIP: L_end { align1 1Q };\n"
                       "mov(8) g10<1>D 1D { align1 WE_all 1Q };\n"
                       "L_end:\n"
                       "endif(8) JIP: L_next { align1 1Q };\n"
                       "L_next:\n"
                       "add(8) g10<1>D g10<8,8,1>D 10D { align1 WE_all 1Q };\n" EOT_TEXT);
      grf_ud(&m, 2)[0] = flag ? 0xffff : 0;
      assert_int_equal(eu_run(m.t, 100), EU_STOP_EOT);
      for (unsigned i = 0; i < 8; i++)
         assert_int_equal(grf_d(&m, 10)[i], 10 + flag);
   }
}

/* EU-121: of floats; NaN is unequal to everything, and nothing else. */
static void
compare_floats(void **state)
{
   proves("EU-121");
   (void)state;
   static const float a[8] = {1, 2, 3, -1, NAN, 0, -0.0f, INFINITY},
                      b[8] = {2, 2, 2, 1, 1, NAN, 0, 1};
   memcpy(grf_f(&m, 2), a, sizeof(a));
   memcpy(grf_f(&m, 3), b, sizeof(b));
   machine_run(&m, "cmp.l.f0.0(8) g4<1>F g2<8,8,1>F g3<8,8,1>F { align1 1Q };\n"
                   "cmp.ge.f0.1(8) g5<1>F g2<8,8,1>F g3<8,8,1>F { align1 1Q };\n"
                   "cmp.nz.f1.0(8) g6<1>F g2<8,8,1>F g3<8,8,1>F { align1 1Q };\n" EOT_TEXT);
   for (unsigned i = 0; i < 8; i++) {
      assert_int_equal(grf_ud(&m, 4)[i], a[i] < b[i] ? UINT32_MAX : 0);
      assert_int_equal(grf_ud(&m, 5)[i], a[i] >= b[i] ? UINT32_MAX : 0);
      assert_int_equal(grf_ud(&m, 6)[i], a[i] != b[i] ? UINT32_MAX : 0);
      assert_int_equal(m.t->flag[0] >> i & 1, a[i] < b[i]);
   }
   /* Numbers in ALT mode, and with modifiers of both sources. */
   machine_run(&m, "mov(1) cr0<1>UD 1UD { align1 WE_all 1N switch };\n"
                   "cmp.l.f0.0(8) g4<1>F g2<8,8,1>F g3<8,8,1>F { align1 1Q };\n"
                   "cmp.g.f0.0(8) g5<1>F (abs)g2<8,8,1>F -g3<8,8,1>F { align1 1Q };\n" EOT_TEXT);
   for (unsigned i = 0; i < 4; i++) {
      assert_int_equal(grf_ud(&m, 4)[i], a[i] < b[i] ? UINT32_MAX : 0);
      assert_int_equal(grf_ud(&m, 5)[i], fabsf(a[i]) > -b[i] ? UINT32_MAX : 0);
   }
}

/* EU-158: u and v with the source's modifiers. */
static void
planes(void **state)
{
   proves("EU-158");
   (void)state;
   const float p[4] = {2, 3, 0, 5};
   memcpy(grf_f(&m, 2), p, sizeof(p));
   for (unsigned i = 0; i < 16; i++) {
      grf_f(&m, 6 + i / 8)[i % 8] = (float)i - 3; /* u, v */
      grf_f(&m, 8 + i / 8)[i % 8] = 7 - (float)i;
   }
   machine_run(&m, "pln(16) g10<1>F g2<0,1,0>F g6<8,8,1>F { align1 WE_all 1H };\n"
                   "pln(16) g12<1>F g2<0,1,0>F -g6<8,8,1>F { align1 WE_all 1H };\n"
                   "pln(16) g14<1>F g2<0,1,0>F (abs)g6<8,8,1>F { align1 WE_all 1H };\n" EOT_TEXT);
   for (unsigned i = 0; i < 16; i++) {
      float u = grf_f(&m, 6 + i / 8 * 2)[i % 8], v = grf_f(&m, 7 + i / 8 * 2)[i % 8];
      assert_true(grf_f(&m, 10)[i] == 2 * u + 3 * v + 5);
      assert_true(grf_f(&m, 12)[i] == -2 * u - 3 * v + 5);
      assert_true(grf_f(&m, 14)[i] == 2 * fabsf(u) + 3 * fabsf(v) + 5);
   }
}

/* EU-058: fewer than eight channels, and doubles, go by nibbles of the mask. */
static void
nibbles(void **state)
{
   proves("EU-058");
   (void)state;
   for (unsigned upper = 0; upper < 2; upper++) {
      machine_load(&m, "mov(4) g4<1>D 7D { align1 1N };\n"
                       "mov(4) g5<1>D 7D { align1 2N };\n"
                       "mov(8) g6<1>DF g2<4,4,1>DF { align1 1N };\n"
                       "mov(8) g8<1>DF g2<4,4,1>DF { align1 2N };\n" EOT_TEXT);
      for (unsigned i = 0; i < 4; i++)
         grf_df(&m, 2)[i] = 1 + i;
      for (unsigned r = 4; r < 10; r++)
         memset(m.t->grf + r * EU_REG_SIZE, 0, EU_REG_SIZE);
      m.t->dispatch_mask = upper ? 0xf0 : 0x0f;
      assert_int_equal(eu_run(m.t, 100), EU_STOP_EOT);
      assert_int_equal(grf_d(&m, 4)[0], upper ? 0 : 7);
      assert_int_equal(grf_d(&m, 5)[0], upper ? 7 : 0);
   }
}

/* EU-077: words of one register that feed two, where the destination comes from a0. EU-079: bytes
 * may lie anywhere. */
static void
indirect_halves_and_bytes(void **state)
{
   proves("EU-002", "EU-077", "EU-079", "EU-130");
   (void)state;
   for (unsigned i = 0; i < 16; i++)
      grf_w(&m, 10)[i] = (int16_t)(100 + i);
   for (unsigned i = 0; i < 32; i++)
      grf_b(&m, 20)[i] = (uint8_t)(3 * i);
   machine_run(&m, "mov(1) a0<1>UW 320UW { align1 WE_all 1N };\n"
                   "mov(1) a0.1<1>UW 352UW { align1 WE_all 1N };\n"
                   "mov(16) g[a0]<1>D g10<16,16,1>W { align1 WE_all 1H };\n"
                   "mov(1) a0<1>UW 647UW { align1 WE_all 1N };\n"
                   "mov(1) g30<1>UD g[a0]<0,1,0>UB { align1 WE_all 1N };\n"
                   "mov(1) g31<1>UD g[a0 2]<0,1,0>UB { align1 WE_all 1N };\n"
                   "mov(1) a0<1>UW 4064UW { align1 WE_all 1N };\n"
                   "mov(8) g33<1>UD 99UD { align1 WE_all 1Q };\n"
                   "movi(8) g33<1>UD g[a0 32]<8,8,1>UD { align1 WE_all 1Q };\n" EOT_TEXT);
   for (unsigned i = 0; i < 16; i++)
      assert_int_equal(grf_d(&m, 10)[i], 100 + i);
   assert_int_equal(grf_ud(&m, 30)[0], 21);
   assert_int_equal(grf_ud(&m, 31)[0], 27);
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(grf_ud(&m, 33)[i], 99); /* there is no g128 */
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

/* EU-055: crocus keeps -32 as the float 0x7fffffe0 and takes its negative, for gather4_po. */
static void
moved_nan(void **state)
{
   proves("EU-055", "EU-125");
   (void)state;
   static const uint32_t from[8] = {0x7fffffe0, 0xffffffe0, 0x7f800001, 0xff812345,
                                    0x7fc00000, 0x3f800000, 0x80000001, 0x7f800000};
   static const uint32_t negative[8] = {0xffffffe0, 0x7fffffe0, 0xffc00001, 0x7fc12345,
                                        0xffc00000, 0xbf800000, 0x00000000, 0xff800000};
   memcpy(eu_grf(m.t, 2), from, sizeof(from));
   machine_run(&m, "mov(8) g4<1>F -g2<8,8,1>F { align1 1Q };\n"
                   "mov(8) g5<1>F -(abs)g2<8,8,1>F { align1 1Q };\n"
                   "mov(8) g6<1>F g2<8,8,1>F { align1 1Q };\n"
                   "mov.sat(8) g7<1>F -g2<8,8,1>F { align1 1Q };\n" EOT_TEXT);
   for (unsigned i = 0; i < 8; i++) {
      assert_int_equal((uint32_t)grf_d(&m, 4)[i], negative[i]);
      assert_int_equal((uint32_t)grf_d(&m, 5)[i], negative[i] | 0x80000000);
      assert_int_equal((uint32_t)grf_d(&m, 6)[i], from[i]);
      assert_int_equal((uint32_t)grf_d(&m, 7)[i], 0);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(add_and_end),
       cmocka_unit_test(if_else_endif),
       cmocka_unit_test(if_of_single_flow),
       cmocka_unit_test(compare_floats),
       cmocka_unit_test(planes),
       cmocka_unit_test(nibbles),
       cmocka_unit_test(indirect_halves_and_bytes),
       cmocka_unit_test(channel_enables),
       cmocka_unit_test(loop_with_break),
       cmocka_unit_test(mul_mach),
       cmocka_unit_test(moved_nan),
   };
   return cmocka_run_group_tests_name("eu_interp", tests, setup, teardown);
}
