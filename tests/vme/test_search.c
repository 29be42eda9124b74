/* Integer search: paths, windows, records, the vectors of an open driver's test. */
#include "tests/proves.h"
#include "tests/vme/stand.h"

/* The vectors that Beignet's test expects of Ivy Bridge: a bright block in a flat picture. */
static void
test_open_driver_vectors(void **state)
{
   proves("VME-402", "VME-066", "VME-403", "VME-192");
   struct vme_stand *s = *state;
   static uint8_t px[71 * 41];
   uint32_t out[10][8];
   memset(px, 17, sizeof(px));
   for (unsigned y = 16; y < 32; y++)
      memset(px + y * 71 + 32, 100, 16);
   struct vme_picture p = {71, 41, px};
   for (unsigned mb = 0; mb < 8; mb++) {
      struct vme_request q;
      struct request_fields f;
      request_plain(&q, &p, &p, mb % 4 * 16, mb / 4 * 16);
      request_get(&q, &f);
      f.m0.submbpartmask = 0x7e;
      f.m1.maxnummvs = 16;
      request_put(&q, &f);
      assert_int_equal(vme_model_run(s, &q, out), 6);
      int x = mb == 6 ? 0 : mb == 7 ? 0 : -64, y = mb == 6 ? 0 : -48;
      assert_int_equal(mv_x(out[1][0]), x);
      assert_int_equal(mv_y(out[1][0]), y);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       STAND_TEST(test_open_driver_vectors),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
