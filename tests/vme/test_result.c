/* The write-back: types, shapes, vectors, distortions, records. */
#include "shared_functions/vme/stream.h"
#include "tests/proves.h"
#include "tests/vme/inside.h"
#include "tests/vme/stand.h"

static uint32_t out[10][8];
static struct hw_vme_w0 w0;

static void
give(struct vme *v)
{
   memset(&v->w0, 0, sizeof(v->w0));
   vme_result(v, out);
   gen7_vme_w0_unpack(&w0, out[0]);
}

/* A candidate whose blocks have vectors that tell where they are. */
static void
candidate(struct vme *v, unsigned major, const uint8_t shape[4], const uint8_t direction[4])
{
   struct vme_candidate *c = &v->candidate[0];
   memset(c, 0, sizeof(*c));
   c->valid = true;
   c->major = (uint8_t)major;
   memcpy(c->shape, shape, 4);
   memcpy(c->direction, direction, 4);
   for (unsigned b = 0; b < VME_BLOCKS; b++)
      for (unsigned r = 0; r < 2; r++)
         v->record[r].e[b] = (struct vme_entry){.cost = (int32_t)(10 + b + 100 * r),
                                                .mv = {(int32_t)(4 * b + r), -(int32_t)(b + 2 * r)},
                                                .center = (uint8_t)r};
   for (unsigned u = 0; u < 4; u++)
      c->unit[u] = (int32_t)(200 + u);
   c->total = 1000;
}

static const uint8_t whole[4] = {0, 0, 0, 0};

static uint32_t
mv_of(unsigned block, unsigned record)
{
   return (uint16_t)(4 * block + record) | (uint32_t)(uint16_t) - (int)(block + 2 * record) << 16;
}

static void
test_types(void **state)
{
   proves("VME-386", "VME-327", "VME-328", "VME-358", "VME-359", "VME-365", "VME-237", "VME-238",
          "VME-357", "VME-350");
   struct vme *v = inside_create();
   /* MbType by the directions of two parts: rows of the manual's table. */
   static const uint8_t pairs[3][3] = {{4, 8, 0xc}, {0xa, 6, 0xe}, {0x10, 0x12, 0x14}};
   for (unsigned how = 0; how < 3; how++) {
      v->m0.mbtyperemap = how;
      for (uint8_t a = 0; a < 3; a++) {
         candidate(v, VME_MAJOR_16X16, whole, (uint8_t[]){a, 0, 0, 0});
         give(v);
         assert_int_equal(w0.mbtype, how ? how : 1u + a);
         assert_int_equal(w0.intermbmode, 0);
         assert_int_equal(w0.submbpredmode, a);
         assert_int_equal(w0.mvquantity, a == 2 ? 2 : 1);
         assert_false(w0.intrambflag);
         for (uint8_t b = 0; b < 3; b++)
            for (unsigned tall = 0; tall < 2; tall++) {
               candidate(v, VME_MAJOR_16X8 + tall, whole, (uint8_t[]){a, b, 0, 0});
               give(v);
               uint32_t type = how == 1 ? 4 + tall : how == 2 ? 6 + tall : pairs[a][b] + tall;
               assert_int_equal(w0.mbtype, type);
               assert_int_equal(w0.intermbmode, 1 + tall);
               assert_int_equal(w0.submbpredmode, a | b << 2);
               assert_int_equal(w0.mvquantity, 2u + (a == 2) + (b == 2));
            }
      }
      candidate(v, VME_MAJOR_8X8, (uint8_t[]){0, 1, 2, 3}, (uint8_t[]){0, 1, 2, 1});
      give(v);
      assert_int_equal(w0.mbtype, 0x16);
      assert_int_equal(w0.submbshape, 0xe4);
      assert_int_equal(w0.submbpredmode, 0 | 1 << 2 | 2 << 4 | 1 << 6);
      assert_int_equal(w0.mvquantity, 1 + 2 + 4 + 4);
   }
   free(v);
}

static void
test_sizes(void **state)
{
   proves("VME-329", "VME-351", "VME-352", "VME-353", "VME-355", "VME-295", "VME-354", "VME-348",
          "VME-349");
   struct vme *v = inside_create();
   candidate(v, VME_MAJOR_8X8, (uint8_t[]){3, 3, 3, 3}, (uint8_t[]){2, 2, 2, 2});
   give(v);
   assert_int_equal(w0.mvquantity, 0); /* 32 in five bits */
   assert_int_equal(w0.mvsize, 6);
   assert_false(w0.transform8x8flag);
   v->m1.t8x8flagforinteren = true;
   give(v);
   assert_false(w0.transform8x8flag);
   assert_true(w0.extendedform && w0.dcblockcodedyflag && w0.dcblockcodedcbflag &&
               w0.dcblockcodedcrflag);
   candidate(v, VME_MAJOR_8X8, whole, whole);
   give(v);
   assert_int_equal(w0.mvsize, 4);
   assert_true(w0.transform8x8flag);
   assert_int_equal(w0.submbshape, 0);
   v->m1.t8x8flagforinteren = false;
   give(v);
   assert_false(w0.transform8x8flag);
   v->m1.t8x8flagforinteren = true;
   v->src_h = 8;
   give(v);
   assert_false(w0.transform8x8flag);
   free(v);
}

/* Slots of the 8MV form, their copies, and the distortions beside them. */
static void
test_slots_of_large_shapes(void **state)
{
   proves("VME-366", "VME-367", "VME-368", "VME-369", "VME-370", "VME-391", "VME-392");
   struct vme *v = inside_create();
   static const struct {
      uint8_t major, block[4];
      uint8_t first[4]; /* slots that are not copies */
      uint8_t units;
   } cases[] = {
       {VME_MAJOR_16X16, {0, 0, 0, 0}, {0, 9, 9, 9}, 1},
       {VME_MAJOR_16X8, {1, 1, 2, 2}, {0, 9, 1, 9}, 2},
       {VME_MAJOR_8X16, {3, 4, 3, 4}, {0, 1, 9, 9}, 2},
       {VME_MAJOR_8X8, {5, 6, 7, 8}, {0, 1, 2, 3}, 4},
   };
   for (unsigned i = 0; i < 4; i++)
      for (uint8_t d = 0; d < 3; d++) {
         candidate(v, cases[i].major, whole, (uint8_t[]){d, d, d, d});
         give(v);
         for (unsigned k = 0; k < 4; k++) {
            uint32_t a = d == 1 ? 0 : mv_of(cases[i].block[k], 0),
                     b = d == 0 ? 0 : mv_of(cases[i].block[k], 1);
            assert_int_equal(out[1][2 * k], a);
            assert_int_equal(out[1][2 * k + 1], b);
            for (unsigned j = 0; k && j < 4; j++) {
               assert_int_equal(out[1 + k][2 * j], a);
               assert_int_equal(out[1 + k][2 * j + 1], b);
            }
            uint32_t cost = out[5][k / 2] >> 16 * (k % 2) & 0xffff;
            assert_int_equal(cost, cases[i].first[k] == 9 ? 0 : 200u + cases[i].first[k]);
         }
         for (unsigned k = 2; k < 8; k++)
            assert_int_equal(out[5][k], 0);
      }
   free(v);
}

static void
test_slots_of_minor_shapes(void **state)
{
   proves("VME-366", "VME-367", "VME-370");
   struct vme *v = inside_create();
   /* By 8x8: the block of each 4x4 slot. */
   static const uint8_t block[16] = {5, 5, 5, 5, 11, 11, 12, 12, 21, 22, 21, 22, 37, 38, 39, 40};
   static const uint8_t first[16] = {1, 0, 0, 0, 1, 0, 1, 0, 1, 1, 0, 0, 1, 1, 1, 1};
   candidate(v, VME_MAJOR_8X8, (uint8_t[]){0, 1, 2, 3}, (uint8_t[]){0, 1, 0, 1});
   give(v);
   for (unsigned i = 0; i < 16; i++) {
      unsigned r = i / 4 & 1;
      assert_int_equal(out[1 + i / 4][2 * (i % 4) + r], mv_of(block[i], r));
      assert_int_equal(out[1 + i / 4][2 * (i % 4) + !r], 0);
      uint32_t cost = out[5][i / 2] >> 16 * (i % 2) & 0xffff;
      uint32_t expect = i == 0 ? 200 : 10u + block[i] + 100 * r;
      assert_int_equal(cost, first[i] ? expect : 0);
   }
   free(v);
}

static void
test_small_sources(void **state)
{
   proves("VME-240");
   struct vme *v = inside_create();
   v->src_h = 8;
   for (uint8_t d = 0; d < 3; d++) {
      static const uint8_t types[3] = {4, 6, 0x14};
      candidate(v, VME_MAJOR_16X8, whole, (uint8_t[]){d, 0, 0, 0});
      give(v);
      assert_int_equal(w0.mbtype, types[d]);
      assert_int_equal(w0.intermbmode, 1);
      assert_int_equal(w0.submbpredmode, d);
   }
   candidate(v, VME_MAJOR_16X8, whole, whole);
   give(v);
   assert_int_equal(out[1][0], mv_of(1, 0));
   assert_int_equal(out[1][2], mv_of(1, 0));
   assert_int_equal(out[1][4], 0);
   assert_int_equal(out[3][0], 0);
   assert_int_equal(out[5][0], 200);
   v->src_w = 8;
   candidate(v, VME_MAJOR_8X8, (uint8_t[]){3, 0, 0, 0}, whole);
   give(v);
   assert_int_equal(w0.mbtype, 0x16);
   assert_int_equal(w0.submbshape, 3);
   assert_int_equal(out[1][6], mv_of(VME_AT_4X4 + 3, 0));
   assert_int_equal(out[2][0], 0);
   free(v);
}

static void
test_borders(void **state)
{
   proves("VME-346", "VME-347");
   struct vme *v = inside_create();
   /* Windows of 32x32 at (-8, -8): search points 0 to 15 in whole pixels. */
   static const struct {
      int x, y;
      unsigned bits;
   } cases[] = {{0, 0, 0},    {-32, 0, 1}, {-29, 0, 1}, {-28, 0, 0}, {28, 0, 2},
                {27, 0, 0},   {31, 0, 2},  {0, -32, 4}, {0, -28, 0}, {0, 28, 8},
                {-32, 28, 9}, {-40, 0, 1}, {60, -60, 6}};
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
      for (uint8_t d = 0; d < 3; d++) {
         candidate(v, VME_MAJOR_16X16, whole, (uint8_t[]){d, 0, 0, 0});
         for (unsigned r = 0; r < 2; r++)
            v->record[r].e[0].mv = (struct vme_mv){cases[i].x, cases[i].y};
         give(v);
         assert_int_equal(w0.reference_0_border_reached, d == 1 ? 0 : cases[i].bits);
         assert_int_equal(w0.reference_1_border_reached, d == 0 ? 0 : cases[i].bits);
      }
   /* Any vector of the result counts. */
   candidate(v, VME_MAJOR_8X8, whole, whole);
   for (unsigned k = 0; k < 4; k++)
      v->record[0].e[VME_AT_8X8 + k].mv = (struct vme_mv){k == 2 ? -32 : 0, k == 3 ? 28 : 0};
   give(v);
   assert_int_equal(w0.reference_0_border_reached, 9);
   free(v);
}

static void
test_who_wins(void **state)
{
   proves("VME-344", "VME-334", "VME-336", "VME-338", "VME-343", "VME-357", "VME-362", "VME-388",
          "VME-389", "VME-393");
   struct vme *v = inside_create();
   static const uint8_t both[4] = {0, 1, 0, 0};
   candidate(v, VME_MAJOR_16X8, whole, both);
   v->ipe = (struct vme_intra){.performed = true, .valid = true, .type = 2, .cost = 1000};
   for (unsigned i = 0; i < 16; i++)
      v->ipe.mode[i] = (uint8_t)(i % 9);
   give(v); /* a tie: inter; intra is told as well */
   assert_false(w0.intrambflag);
   assert_int_equal(w0.minimal_distortion, 1000);
   assert_int_equal(w0.intrambmode, 2);
   assert_int_equal(out[0][4], 0x76543210);
   assert_int_equal(out[0][5], 0x65432108);
   v->ipe.cost = 999;
   give(v);
   assert_true(w0.intrambflag);
   assert_int_equal(w0.mbtype, 0);
   assert_false(w0.transform8x8flag);
   assert_int_equal(w0.minimal_distortion, 999);
   assert_int_equal(w0.interdistortion, 1000);
   assert_int_equal(w0.bestintradistortion, 999);
   assert_int_equal(w0.mvsize, 0);
   assert_int_equal(w0.mvquantity, 0);
   assert_int_equal(w0.intermbmode, 1); /* the best inter stays to be seen */
   assert_int_equal(w0.submbpredmode, 4);
   assert_int_equal(out[1][0], mv_of(1, 0));
   v->ipe.type = 1;
   give(v);
   assert_true(w0.transform8x8flag);
   assert_int_equal(w0.mbtype, 0);
   v->ipe.type = 0;
   for (uint8_t mode = 0; mode < 4; mode++) {
      memset(v->ipe.mode, mode, 16);
      give(v);
      assert_int_equal(w0.mbtype, 0x15u + mode);
      assert_int_equal(out[0][4], 0x11111111u * mode);
      assert_int_equal(out[0][5], 0x11111111u * mode);
   }
   free(v);
}

/* VME-128 VME-342: nothing of either. */
static void
test_nobody_wins(void **state)
{
   proves("VME-128", "VME-342", "VME-343");
   struct vme *v = inside_create();
   static const uint8_t both[4] = {0, 1, 0, 0};
   candidate(v, VME_MAJOR_16X8, whole, both);
   memset(&v->ipe, 0, sizeof(v->ipe));
   v->candidate[0].valid = false;
   give(v);
   assert_true(w0.intrambflag);
   assert_int_equal(w0.mbtype, 0x15);
   assert_int_equal(w0.intrambmode, 0);
   assert_int_equal(w0.minimal_distortion, 0x3fff);
   assert_int_equal(w0.interdistortion, 0x3fff);
   assert_int_equal(w0.bestintradistortion, 0x3fff);
   for (unsigned i = 8; i < 48; i++)
      assert_int_equal(out[i / 8][i % 8], 0);
   /* Wide inside, saturated outside: 20000 loses against 19000, both read 3FFFh. */
   candidate(v, VME_MAJOR_16X16, whole, whole);
   v->candidate[0].total = 20000;
   v->ipe = (struct vme_intra){.performed = true, .valid = true, .cost = 19000};
   give(v);
   assert_true(w0.intrambflag);
   assert_int_equal(w0.minimal_distortion, 0x3fff);
   free(v);
}

static void
test_second_candidate_and_skip(void **state)
{
   proves("VME-095", "VME-096", "VME-097", "VME-103", "VME-363", "VME-339", "VME-340", "VME-387",
          "VME-390", "VME-337");
   struct vme *v = inside_create();
   candidate(v, VME_MAJOR_16X8, whole, whole);
   v->candidate[1] = v->candidate[0];
   v->candidate[1].major = VME_MAJOR_16X16;
   give(v);
   assert_int_equal(w0.intermbmode, 1); /* a tie keeps the first */
   assert_true(w0.skiprawdistortioninvalid);
   assert_int_equal(w0.skiprawdistortion, 0x3fff);
   v->candidate[1].total = 999;
   give(v);
   assert_int_equal(w0.intermbmode, 0);
   /* Skip stays unless strictly beaten. */
   v->candidate[1].valid = false;
   for (unsigned i = 0; i < 8; i++)
      v->in[2][i] = (uint16_t)(i + 1) | (uint32_t)(uint16_t)(-(int)i) << 16;
   for (unsigned four = 0; four < 2; four++)
      for (unsigned passed = 0; passed < 2; passed++) {
         v->m0.skiptype = four;
         v->skip = (struct vme_skip){.performed = true,
                                     .passed = passed,
                                     .centers = {1, 2, 3, 1},
                                     .raw = 800,
                                     .tested = 70,
                                     .raw8x8 = {100, 200, 300, 200},
                                     .zero_mv = {5, 6, 7, 8},
                                     .cost = 1000};
         if (!four) {
            memset(v->skip.centers, 3, 4);
            memcpy(v->skip.zero_mv, (int32_t[]){9, 0, 0, 0}, 16);
         }
         give(v);
         assert_int_equal(w0.mbskipflag, passed);
         assert_int_equal(w0.direct8x8pattern, 15);
         assert_int_equal(w0.mvquantity, 0);
         assert_int_equal(w0.mvsize, 4);
         assert_int_equal(w0.submbshape, 0);
         assert_int_equal(w0.intermbmode, four ? 3 : 0);
         assert_int_equal(w0.mbtype, four ? 0x16 : 3);
         assert_int_equal(w0.submbpredmode, four ? (0 | 1 << 2 | 2 << 4 | 0 << 6) : 2);
         assert_false(w0.skiprawdistortioninvalid);
         assert_int_equal(w0.skiprawdistortion, 70);
         assert_int_equal(out[5][0] & 0xffff,
                          four ? 100u + (passed ? 0 : 5) : 800u + (passed ? 0 : 9));
         assert_int_equal(out[5][1] >> 16, four ? 200u + (passed ? 0 : 8) : 0);
         assert_int_equal(out[1][0], v->in[2][0]);
         assert_int_equal(out[1][1], four ? 0 : v->in[2][1]);
         assert_int_equal(out[1][2], four ? 0 : v->in[2][0]);
         assert_int_equal(out[1][3], four ? v->in[2][3] : v->in[2][1]);
         v->skip.cost = 1001;
         give(v);
         assert_false(w0.mbskipflag);
         assert_int_equal(w0.intermbmode, 1);
      }
   free(v);
}

static void
test_streams(void **state)
{
   proves("VME-171", "VME-172", "VME-373", "VME-374", "VME-375", "VME-376", "VME-377", "VME-378",
          "VME-121");
   struct vme *v = inside_create();
   uint32_t s[4][8];
   static const uint8_t order[8] = {1, 2, 3, 4, 5, 6, 7, 8};
   candidate(v, VME_MAJOR_16X16, whole, whole);
   assert_int_equal(vme_stream_out(v, s), 4);
   for (unsigned r = 0; r < 2; r++) {
      assert_int_equal(s[2 * r][4], 10 + 100 * r);
      assert_int_equal(s[2 * r][5], mv_of(0, r));
      assert_int_equal(s[2 * r][6] | s[2 * r][7], 0);
      for (unsigned i = 0; i < 8; i++) {
         assert_int_equal(s[2 * r][i / 2] >> 16 * (i % 2) & 0xffff, 10u + order[i] + 100 * r);
         assert_int_equal(s[2 * r + 1][i], mv_of(order[i], r));
      }
   }
   inside_cost(v, 0, VME_16X16, VME_NONE);
   inside_cost(v, 0, VME_16X8, 0x8000);
   inside_cost(v, 0, VME_8X16, 0x7ffe);
   inside_cost(v, 0, VME_8X8, 0x4000);
   v->dual = false;
   assert_int_equal(vme_stream_out(v, s), 2);
   assert_int_equal(s[0][4], 0x3fff);
   assert_int_equal(s[0][0], 0x7fff7fff);
   assert_int_equal(s[0][1], 0x7ffe7ffe);
   assert_int_equal(s[0][2], 0x3fff3fff);
   free(v);
}

static void
test_stream_merge(void **state)
{
   proves("VME-168", "VME-169", "VME-375", "VME-233");
   struct vme *v = inside_create();
   v->stream_in = true;
   for (unsigned r = 0; r < 2; r++) {
      uint32_t *d = v->in[5 + 2 * r], *mv = v->in[6 + 2 * r];
      d[4] = 4999 + r; /* record 1: a tie stays */
      d[5] = 0x00040008;
      d[0] = 0x8000 | 100 | 7000u << 16; /* bit 15 does not count */
      d[1] = d[2] = d[3] = ~0u;
      mv[0] = 0xfffffffe;
   }
   vme_stream_merge(v);
   assert_int_equal(v->record[0].e[0].cost, 4999);
   assert_int_equal(v->record[0].e[0].mv.x, 8);
   assert_int_equal(v->record[0].e[0].mv.y, 4);
   assert_true(v->record[0].e[0].streamed_in);
   assert_int_equal(v->record[1].e[0].cost, 5000);
   assert_false(v->record[1].e[0].streamed_in);
   assert_int_equal(v->record[0].e[1].cost, 100);
   assert_int_equal(v->record[1].e[1].mv.x, -2);
   assert_int_equal(v->record[1].e[1].mv.y, -1);
   assert_int_equal(v->record[0].e[2].cost, 5000);
   /* All ones replace nothing, not even nothing. */
   inside_cost(v, 0, VME_8X8, VME_NONE);
   vme_stream_merge(v);
   assert_int_equal(v->record[0].e[VME_AT_8X8].cost, VME_NONE);
   /* Without the enable nothing happens. */
   v->stream_in = false;
   v->record[0].e[1].cost = 300;
   vme_stream_merge(v);
   assert_int_equal(v->record[0].e[1].cost, 300);
   free(v);
}

static void
test_copied_fields(void **state)
{
   proves("VME-333", "VME-356", "VME-361", "VME-330", "VME-345", "VME-331", "VME-332", "VME-136",
          "VME-321");
   struct vme *v = inside_create();
   v->m1.mbintrastruct = 0xa7;
   v->searched[0] = 30;
   v->searched[1] = 13;
   for (unsigned i = 0; i < 4; i++) {
      v->m0.srcaccess = i & 1;
      v->m1.srcfieldpolarity = i >> 1;
      give(v);
      assert_int_equal(w0.fieldmbflag, i & 1);
      assert_int_equal(w0.fieldmbpolarityflag, i == 3);
   }
   assert_int_equal(w0.mbintrastruct, 0xa7);
   assert_int_equal(w0.search_path_length, 43);
   assert_int_equal(w0.alternate_search_path_length, 13);
   assert_int_equal(w0.total_vme_stalled_clocks, 0);
   assert_int_equal(w0.total_vme_compute_clocks, 43);
   for (unsigned more = 0; more < 60; more++) {
      v->searched[0] = 225;
      v->searched[1] = (uint8_t)more;
      give(v);
      assert_int_equal(w0.total_vme_compute_clocks, more < 30 ? 225 + more : 255);
   }
   /* Bits that must be zero are. */
   static const uint32_t mbz[8] = {0x60810048, 0xc0000000, 0x8000c000, 0x0fffc000};
   for (unsigned i = 0; i < 4; i++)
      assert_int_equal(out[0][i] & mbz[i], 0);
   free(v);
}

/* ---- direct 8x8 ---- */

static void
test_direct(void **state)
{
   proves("VME-098", "VME-099", "VME-100", "VME-101", "VME-090");
   struct vme *v = inside_create();
   static const uint8_t shapes[4] = {0, 1, 3, 0};
#define START()                                                                                    \
   do {                                                                                            \
      candidate(v, VME_MAJOR_8X8, shapes, whole);                                                  \
      v->candidate[0].total = 200 + 201 + 202 + 203;                                               \
      v->m0.skiptype = 1;                                                                          \
      v->skip = (struct vme_skip){.performed = true,                                               \
                                  .centers = {1, 3, 2, 3},                                         \
                                  .raw8x8 = {90, 91, 92, 93},                                      \
                                  .zero_mv = {1, 1, 1, 1},                                         \
                                  .direct8x8 = {200, 202, 100, 203},                               \
                                  .cost = 4000};                                                   \
   } while (0)
   START();
   vme_direct8x8(v); /* block 1 is dearer; ties are replaced */
   assert_int_equal(v->candidate[0].direct, 13);
   assert_int_equal(v->candidate[0].total, 200 + 201 + 100 + 203);
   assert_memory_equal(v->candidate[0].shape, ((uint8_t[]){0, 1, 0, 0}), 4);
   assert_memory_equal(v->candidate[0].direction, ((uint8_t[]){0, 0, 1, 2}), 4);
   give(v);
   assert_int_equal(w0.direct8x8pattern, 13);
   assert_int_equal(w0.mvquantity, 2); /* only block 1 sends vectors */
   assert_int_equal(out[5][6] & 0xffff, 93 + 1);
   /* 1 + 2 + 4 + 1 = 8 vectors and two whole blocks: a bidirectional pair needs room for all. */
   START();
   v->m1.maxnummvs = 9;
   vme_direct8x8(v); /* after block 2: 5 vectors + 2 whole <= 9 */
   assert_int_equal(v->candidate[0].direct, 13);
   START();
   v->m1.maxnummvs = 6;
   v->skip.direct8x8[2] = 5000; /* stays at 8 vectors */
   vme_direct8x8(v);
   assert_int_equal(v->candidate[0].direct & 8, 0);
   v->m1.maxnummvs = 32;
   START();
   v->costs.mode[VME_MODE_INTER_8X8Q] = 7; /* the code's own penalty counts */
   v->skip.direct8x8[0] = 207;
   vme_direct8x8(v);
   assert_int_equal(v->candidate[0].direct & 1, 1);
   START();
   v->skip.direct8x8[0] = 208;
   vme_direct8x8(v);
   assert_int_equal(v->candidate[0].direct & 1, 0);
   /* Four plain blocks, four vectors: one becomes a pair only if all four could. */
   for (unsigned limit = 7; limit <= 8; limit++) {
      START();
      v->m1.maxnummvs = limit;
      memset(v->candidate[0].shape, 0, 4);
      v->skip.centers[0] = 3;
      v->skip.direct8x8[1] = v->skip.direct8x8[2] = v->skip.direct8x8[3] = 5000;
      vme_direct8x8(v);
      assert_int_equal(v->candidate[0].direct, limit == 8);
   }
   v->m1.maxnummvs = 32;
   /* Not with these. */
   START();
   v->m1.unimixdisable = true;
   vme_direct8x8(v);
   assert_int_equal(v->candidate[0].direct, 0);
   v->m1.unimixdisable = false;
   v->m1.bimixdis = true;
   vme_direct8x8(v);
   assert_int_equal(v->candidate[0].direct, 0);
   v->m1.bimixdis = false;
   v->m0.skiptype = 0;
   vme_direct8x8(v);
   assert_int_equal(v->candidate[0].direct, 0);
   v->m0.skiptype = 1;
   v->skip.performed = false;
   vme_direct8x8(v);
   assert_int_equal(v->candidate[0].direct, 0);
   v->skip.performed = true;
   v->candidate[0].major = VME_MAJOR_16X8;
   vme_direct8x8(v);
   assert_int_equal(v->candidate[0].direct, 0);
   free(v);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_types),
       cmocka_unit_test(test_sizes),
       cmocka_unit_test(test_slots_of_large_shapes),
       cmocka_unit_test(test_slots_of_minor_shapes),
       cmocka_unit_test(test_small_sources),
       cmocka_unit_test(test_borders),
       cmocka_unit_test(test_who_wins),
       cmocka_unit_test(test_nobody_wins),
       cmocka_unit_test(test_second_candidate_and_skip),
       cmocka_unit_test(test_streams),
       cmocka_unit_test(test_stream_merge),
       cmocka_unit_test(test_copied_fields),
       cmocka_unit_test(test_direct),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
