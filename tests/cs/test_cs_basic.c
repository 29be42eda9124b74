/* Rings, batches and stores: the straight path. */
#include "rig.h"

static void
ring_executes_to_the_tail(void **state)
{
   struct rig *r = *state;
   for (unsigned e = 0; e < ENGINE_COUNT; e++) {
      uint32_t at = RIG_DATA + 16 * e;
      assert_int_equal(SUBMIT(r, e, SDI, 0, at, 0x1234 + e, NOOP, NOOP), PERGOLA_RUN_IDLE);
      assert_int_equal(*rig_ggtt(r, at), 0x1234 + e);
      assert_int_equal(rig_reg(r, engine_base[e] + R_HEAD), 24);
   }
   rig_clean(r);
}

static void
batches_nest_and_return(void **state)
{
   struct rig *r = *state;
   uint32_t second[] = {SDI, 0, RIG_DATA + 4, 2, BBE, 0};
   memcpy(rig_ggtt(r, RIG_BATCH2), second, sizeof(second));
   BATCH(r, VCS, false, SDI, 0, RIG_DATA, 1, BBS | 1u << 22, RIG_BATCH2, SDI, 0, RIG_DATA + 8, 3);
   assert_int_equal(rig_ggtt(r, RIG_DATA)[0], 1);
   assert_int_equal(rig_ggtt(r, RIG_DATA)[1], 2);
   assert_int_equal(rig_ggtt(r, RIG_DATA)[2], 3);
   assert_int_equal(rig_reg(r, 0x12034), 8);
   rig_clean(r);
}

static void
pipe_control_writes_and_registers_move(void **state)
{
   struct rig *r = *state;
   SUBMIT(r, RCS, PC, 1u << 24 | 1u << 20 | 1u << 14, RIG_DATA, 0xcafe, 0xf00d, LRI(1), 0x2400, 77,
          SRM, 0x2400, RIG_DATA + 8, GEN7_MI_USER_INTERRUPT_HEADER);
   assert_int_equal(rig_ggtt(r, RIG_DATA)[0], 0xcafe);
   assert_int_equal(rig_ggtt(r, RIG_DATA)[1], 0xf00d);
   assert_int_equal(rig_ggtt(r, RIG_DATA)[2], 77);
   assert_true(r->line);
   assert_int_equal(rig_reg(r, 0x44018), 1);
   rig_clean(r);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test_setup_teardown(ring_executes_to_the_tail, rig_setup, rig_teardown),
       cmocka_unit_test_setup_teardown(batches_nest_and_return, rig_setup, rig_teardown),
       cmocka_unit_test_setup_teardown(pipe_control_writes_and_registers_move, rig_setup,
                                       rig_teardown),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
