/* Early decisions, skip, and what the answer tells of them. */
#include "shared_functions/vme/dsp.h"
#include "tests/proves.h"
#include "tests/vme/stand.h"

#include <stdlib.h>

#define W 128
#define H 96

static uint8_t source_px[W * H], ref_px[W * H], ref1_px[W * H];
static const struct vme_picture source = {W, H, source_px}, ref = {W, H, ref_px},
                                ref1 = {W, H, ref1_px};

struct bench {
   struct vme_request q;
   struct request_fields f;
   uint32_t out[10][8];
   struct hw_vme_w0 w0;
};

/* The source lies a quarter pixel and some noise beside what the reference has at (2, -1). */
static void
plain(struct vme_stand *s, struct bench *b)
{
   stand_forget(s);
   picture_natural(source_px, W, H, 0, 0, 4);
   picture_natural(ref_px, W, H, -9, 4, 4);
   picture_natural(ref1_px, W, H, 6, 3, 4);
   for (unsigned i = 0; i < W * H; i++)
      source_px[i] = (uint8_t)(source_px[i] ^ (i * 7 % 5 == 0));
   request_plain(&b->q, &source, &ref, 48, 32);
   b->q.reference[1] = ref1;
   request_get(&b->q, &b->f);
   b->q.descriptor = VME_DESCRIPTOR(VME_TYPE_BOTH);
   b->f.m0.subpelmode = 3;
   b->f.m0.submbpartmask = 0x7e;
}

static void
dual(struct vme_stand *s, struct bench *b)
{
   plain(s, b);
   b->f.m0.searchctrl = 7;
   b->f.m0.refwidth = b->f.m0.refheight = 32;
   b->f.m0.ref0x = b->f.m0.ref1x = b->f.m0.ref0y = b->f.m0.ref1y = -8;
   b->f.m1.lensp = b->f.m1.maxnumsu = 16;
   b->f.m1.bisubmbpartmask = 14;
   request_serpentine(&b->q, 4, 4);
}

static void
run(struct vme_stand *s, struct bench *b)
{
   request_put(&b->q, &b->f);
   vme_model_run(s, &b->q, b->out);
   gen7_vme_w0_unpack(&b->w0, b->out[0]);
}

/* The largest U4U4 value up to v, and the least above it. */
static uint8_t
u4u4_below(int v)
{
   unsigned shift = 0;
   while (v > 15) {
      v >>= 1;
      shift++;
   }
   return (uint8_t)(shift << 4 | (unsigned)v);
}
static int
value(uint8_t b)
{
   return (b & 15) << (b >> 4);
}
static uint8_t
u4u4_above(int v)
{
   uint8_t b = u4u4_below(v);
   return (b & 15) == 15 ? (uint8_t)((b & 0xf0) + 0x10 + 8) : (uint8_t)(b + 1);
}

static void
test_all_stages(void **state)
{
   proves("VME-002", "VME-003", "VME-008", "VME-131", "VME-325", "VME-326", "VME-197");
   struct vme_stand *s = *state;
   struct bench b;
   dual(s, &b);
   b.f.m1.skipmodeen = true;
   b.f.m1.skipcentermask = 1;
   run(s, &b);
   assert_true(b.w0.skip_check_performed && b.w0.ime_performed && b.w0.fme_primary_performed &&
               b.w0.bme_primary_performed && b.w0.intra_performed);
   assert_false(b.w0.fme_extra_performed || b.w0.bme_extra_performed);
   assert_int_equal(b.out[0][7] >> 23 & 31, 0);
   b.q.descriptor = VME_DESCRIPTOR(VME_TYPE_INTER);
   run(s, &b);
   assert_false(b.w0.intra_performed);
   assert_int_equal(b.w0.bestintradistortion, 0x3fff);
   b.q.descriptor = VME_DESCRIPTOR(VME_TYPE_INTRA);
   b.f.m1.skipmodeen = false;
   run(s, &b);
   assert_true(b.w0.intra_performed);
   assert_false(b.w0.ime_performed || b.w0.skip_check_performed);
   assert_true(b.w0.intrambflag);
   assert_int_equal(b.w0.interdistortion, 0x3fff);
   dual(s, &b);
   b.f.m0.submbpartmask = 0x76;
   b.f.m1.bisubmbpartmask = 10;
   b.f.m1.partcandidateen = true;
   b.f.m1.parttolerancethrhd = 0xaf;
   run(s, &b);
   assert_true(b.w0.fme_extra_performed && b.w0.bme_extra_performed);
}

static void
test_ime_stop(void **state)
{
   proves("VME-124", "VME-129", "VME-130", "VME-290", "VME-291", "VME-297", "VME-298", "VME-323",
          "VME-384");
   struct vme_stand *s = *state;
   struct bench b;
   plain(s, &b);
   b.f.m0.subpelmode = 0;
   run(s, &b);
   int best = (int)b.w0.interdistortion;
   uint8_t below = u4u4_below(best), above = u4u4_above(best);
   assert_true(value(below) <= best && value(above) > best);
   for (unsigned on = 0; on < 4; on++) {
      b.f.m1.earlysuccessen = on & 1;
      b.f.m1.earlyimesuccessen = on >> 1;
      b.f.m1.earlyimestop = above;
      run(s, &b);
      bool stops = on == 3;
      assert_int_equal(b.w0.earlyimestop, stops);
      assert_int_equal(b.w0.intra_performed, !stops);
      if (stops)
         assert_true(b.w0.search_path_length < 48);
      else
         assert_int_equal(b.w0.search_path_length, 48);
      assert_int_equal(b.w0.interdistortion, best);
   }
   if (value(below) == best) {
      b.f.m1.earlyimestop = below; /* not below itself */
      run(s, &b);
      assert_false(b.w0.earlyimestop);
   }
   b.f.m1.earlyimestop = (uint8_t)u4u4_below(best / 2);
   run(s, &b);
   assert_false(b.w0.earlyimestop);
   /* It leaves FME on. */
   b.f.m1.earlyimestop = above;
   b.f.m0.subpelmode = 3;
   run(s, &b);
   assert_true(b.w0.earlyimestop && b.w0.fme_primary_performed);
}

/* Two paths in turn: a stop at the n-th unit of path 0 has seen n - 1 of path 1. A path that has
 * ended leaves the other to go on alone. */
static void
test_paths_in_turn(void **state)
{
   proves("VME-062", "VME-380");
   struct vme_stand *s = *state;
   struct bench b;
   dual(s, &b);
   for (unsigned i = 0; i < W * H;
        i++) /* noise, which fits at one place: three units to the right */
      ref_px[i] = (uint8_t)(i * 2654435761u >> 13);
   for (unsigned y = 0; y < H; y++)
      for (unsigned x = 0; x < W; x++)
         source_px[y * W + x] =
             ref_px[y * W + (x + 5 < W ? x + 5 : x)]; /* (5, 0): column 13, row 8 */
   stand_forget(s);
   b.f.m0.subpelmode = 0;
   b.f.m1.earlysuccessen = b.f.m1.earlyimesuccessen = true;
   b.f.m1.earlyimestop = 1;
   b.f.m1.start0y = b.f.m1.start1y = 2;
   request_path(&b.q, (const uint8_t[]){0x01, 0x01, 0x01, 0x10}, 4);
   run(s, &b); /* columns 0, 4, 8, 12: the fourth unit of path 0 */
   assert_true(b.w0.earlyimestop);
   assert_int_equal(b.w0.search_path_length, 7);
   assert_int_equal(b.w0.alternate_search_path_length, 3);
   /* Path 1 has its start alone; path 0 goes on. */
   b.f.m0.dual_search_path_option = true;
   request_path(&b.q, (const uint8_t[]){0x01, 0x00, 0x01, 0x00, 0x01}, 5);
   run(s, &b);
   assert_true(b.w0.earlyimestop);
   assert_int_equal(b.w0.search_path_length, 5);
   assert_int_equal(b.w0.alternate_search_path_length, 1);
   /* The other way round, without a stop: two of path 0, all of path 1. */
   b.f.m1.earlyimestop = 0;
   request_path(&b.q, (const uint8_t[]){0x01, 0x01, 0x00, 0x01, 0x00, 0x01}, 6);
   run(s, &b);
   assert_int_equal(b.w0.search_path_length, 6);
   assert_int_equal(b.w0.alternate_search_path_length, 4);
   /* MaxNumSU counts for each path. */
   request_path(&b.q, (const uint8_t[]){0x01, 0x01, 0x01, 0x01, 0x01, 0x01}, 6);
   b.f.m1.maxnumsu = 3;
   run(s, &b);
   assert_int_equal(b.w0.search_path_length, 6);
   assert_int_equal(b.w0.alternate_search_path_length, 3);
}

static void
test_too_good_too_bad(void **state)
{
   proves("VME-125", "VME-126", "VME-129", "VME-264", "VME-266", "VME-267", "VME-296", "VME-324",
          "VME-293", "VME-076");
   struct vme_stand *s = *state;
   struct bench b;
   plain(s, &b);
   b.f.m0.subpelmode = 0;
   run(s, &b);
   int best = (int)b.w0.interdistortion;
   uint8_t above = u4u4_above(best), below = u4u4_below(best - 1);
   for (unsigned on = 0; on < 4; on++) {
      plain(s, &b);
      b.f.m1.earlysuccessen = on & 1;
      b.f.m1.earlyimesuccessen = on >> 1;
      b.f.m1.imetoogood = above;
      run(s, &b);
      assert_int_equal(b.w0.imetoogood, on == 3);
      assert_int_equal(b.w0.fme_primary_performed, on != 3);
      assert_int_equal(b.w0.intra_performed, on != 3);
      b.f.m1.imetoogood = below;
      run(s, &b);
      assert_false(b.w0.imetoogood);
   }
   for (unsigned on = 0; on < 4; on++) {
      plain(s, &b);
      b.f.m1.earlysuccessen = on & 1;
      b.f.m1.quitinteren = on >> 1;
      b.f.m1.imetoobad = below;
      run(s, &b);
      assert_int_equal(b.w0.imetoobad, on == 3);            /* the bit needs EarlySuccessEn, … */
      assert_int_equal(b.w0.fme_primary_performed, on < 2); /* … the exit does not */
      assert_true(b.w0.intra_performed);
      assert_int_equal(b.w0.interdistortion, on < 2 ? b.w0.interdistortion : (unsigned)best);
      b.f.m1.imetoobad = above;
      run(s, &b);
      assert_false(b.w0.imetoobad);
      assert_true(b.w0.fme_primary_performed);
   }
   /* Both: too good goes first. */
   plain(s, &b);
   b.f.m1.earlysuccessen = b.f.m1.earlyimesuccessen = b.f.m1.quitinteren = true;
   b.f.m1.imetoogood = above;
   b.f.m1.imetoobad = 0;
   run(s, &b);
   assert_true(b.w0.imetoogood);
   assert_false(b.w0.imetoobad);
}

static void
test_fme_success(void **state)
{
   proves("VME-127", "VME-129", "VME-292", "VME-293", "VME-231");
   struct vme_stand *s = *state;
   struct bench b;
   dual(s, &b);
   b.f.m1.bisubmbpartmask = 15;
   run(s, &b);
   int best = (int)b.w0.interdistortion;
   assert_false(b.w0.bme_primary_performed);
   for (unsigned sub = 0; sub < 2; sub++) {
      dual(s, &b);
      b.f.m0.subpelmode = sub ? 3 : 0;
      b.f.m1.earlyfmesuccess = 0xff;
      run(s, &b);
      assert_false(b.w0.earlyfmeexit); /* needs the enable */
      assert_true(b.w0.bme_primary_performed);
      b.f.m1.earlysuccessen = true;
      run(s, &b);
      assert_true(b.w0.earlyfmeexit && b.w0.intra_performed);
      assert_false(b.w0.bme_primary_performed);
   }
   b.f.m1.earlyfmesuccess = u4u4_above(best);
   run(s, &b);
   assert_true(b.w0.earlyfmeexit);
   b.f.m1.earlyfmesuccess = u4u4_below(best);
   run(s, &b);
   assert_false(b.w0.earlyfmeexit);
}

/* ---- skip ---- */

static int
clamp(int v, int size)
{
   return v < 0 ? 0 : v >= size ? size - 1 : v;
}

/* One predicted pixel at (x, y) quarter pixels of a picture, by the manual's taps. */
static int
tap(const int p[4], int q)
{
   int v = q == 0   ? p[1]
           : q == 2 ? (-p[0] + 5 * p[1] + 5 * p[2] - p[3] + 4) >> 3
           : q == 1 ? (-p[0] + 13 * p[1] + 5 * p[2] - p[3] + 8) >> 4
                    : (-p[0] + 5 * p[1] + 13 * p[2] - p[3] + 8) >> 4;
   return v < 0 ? 0 : v > 255 ? 255 : v;
}

static int
sample(const uint8_t *px, int x, int y)
{
   int column[4];
   for (int r = 0; r < 4; r++) {
      int row[4];
      for (int c = 0; c < 4; c++)
         row[c] = px[clamp((y >> 2) - 1 + r, H) * W + clamp((x >> 2) - 1 + c, W)];
      column[r] = tap(row, x & 3);
   }
   return tap(column, y & 3);
}

/* Raw distortion of each 4x4 of the macroblock at (48, 32) for the skip centers of a request. */
static void
skip_cells(const struct bench *b, int cells[16])
{
   bool four = b->f.m0.skiptype;
   for (int c = 0; c < 16; c++) {
      int bx = (c & 1) | (c >> 1 & 2), by = (c >> 1 & 1) | (c >> 2 & 2), sum = 0;
      unsigned pair = four ? (unsigned)(by / 2 * 2 + bx / 2) : 0,
               centers = b->f.m1.skipcentermask >> 2 * pair & 3;
      for (int i = 0; i < 16; i++) {
         int x = 48 + 4 * bx + i % 4, y = 32 + 4 * by + i / 4, p[2] = {0, 0};
         for (unsigned r = 0; r < 2; r++) {
            uint32_t mv = b->q.in[2][2 * pair + r];
            p[r] = sample(r ? ref1_px : ref_px, 4 * x + mv_x(mv), 4 * y + mv_y(mv));
         }
         int alpha = b->f.m0.searchctrl == 7 ? (int)b->f.m1.biweight : 32;
         int pred = centers == 1   ? p[0]
                    : centers == 2 ? p[1]
                                   : ((64 - alpha) * p[0] + alpha * p[1] + 32) >> 6;
         sum += abs(pred - source_px[y * W + x]);
      }
      cells[c] = sum / 2;
   }
}

/* Skip centers of all kinds, 64 requests; what the check compares, and what it adds up. */
static int
make_skip(struct vme_stand *s, struct bench *b, unsigned i, int *sum)
{
   static const uint8_t masks[2][4] = {{0x01, 0x02, 0x03, 0xff}, {0x55, 0xaa, 0xff, 0x79}};
   bool two = i & 32;
   int cells[16], largest = 0;
   if (two)
      dual(s, b);
   else
      plain(s, b);
   b->f.m1.skipmodeen = true;
   b->f.m0.skiptype = i & 1;
   b->f.m1.skipcentermask = masks[i & 1][i >> 1 & 3];
   b->f.m0.block_based_skip_enabled = i >> 3 & 1;
   b->f.m1.t8x8flagforinteren = i >> 4 & 1;
   b->f.m1.biweight = two ? 21 : 32;
   for (unsigned k = 0; k < 8; k++) /* some far outside of window and picture */
      b->q.in[2][k] = (uint16_t)((int)(k * 37 % 61) - 40 - (k == 3 ? 600 : 0)) |
                      (uint32_t)(uint16_t)((int)(k * 23 % 41) - 17) << 16;
   skip_cells(b, cells);
   *sum = 0;
   for (unsigned c = 0; c < 16; c++) {
      *sum += cells[c];
      int block = b->f.m1.t8x8flagforinteren ? cells[c & 12] + cells[(c & 12) + 1] +
                                                   cells[(c & 12) + 2] + cells[(c & 12) + 3]
                                             : cells[c];
      largest = block > largest ? block : largest;
   }
   return b->f.m0.block_based_skip_enabled ? largest : *sum;
}

static void
test_skip_distortions(void **state)
{
   proves("VME-085", "VME-086", "VME-088", "VME-181", "VME-182", "VME-216", "VME-217", "VME-221",
          "VME-248", "VME-287");
   for (unsigned i = 0; i < 64; i++) {
      struct bench b;
      int sum, compared = make_skip(*state, &b, i, &sum);
      run(*state, &b);
      assert_true(b.w0.skip_check_performed);
      assert_false(b.w0.skiprawdistortioninvalid);
      assert_int_equal(b.w0.skiprawdistortion, compared < 0x3fff ? compared : 0x3fff);
   }
}

/* The test is "not above". */
static void
test_skip_success(void **state)
{
   proves("VME-294", "VME-303", "VME-306");
   for (unsigned i = 0; i < 64; i++) {
      struct bench b;
      int sum, compared = make_skip(*state, &b, i, &sum);
      b.f.m1.earlysuccessen = true;
      b.f.m1.skipsuccess = u4u4_below(compared);
      run(*state, &b);
      assert_int_equal(b.w0.earlyskipexit, value(u4u4_below(compared)) >= compared);
      b.f.m1.skipsuccess = u4u4_above(compared);
      run(*state, &b);
      assert_true(b.w0.earlyskipexit && b.w0.mbskipflag);
      assert_false(b.w0.ime_performed || b.w0.intra_performed);
      assert_int_equal(b.w0.search_path_length, 0);
      assert_int_equal(b.w0.direct8x8pattern, 15);
      assert_int_equal(b.w0.minimal_distortion, sum < 0x3fff ? sum : 0x3fff);
      assert_int_equal(b.w0.bestintradistortion, 0x3fff);
   }
}

static void
test_skip_flow(void **state)
{
   proves("VME-093", "VME-096", "VME-123", "VME-383", "VME-089", "VME-091", "VME-092", "VME-152",
          "VME-259", "VME-260");
   struct vme_stand *s = *state;
   struct bench b;
   plain(s, &b);
   run(s, &b);
   int inter = (int)b.w0.interdistortion;
   b.f.m1.skipmodeen = true;
   b.f.m1.skipcentermask = 3;
   b.q.in[2][0] = (uint16_t)9 | (uint32_t)(uint16_t)-4 << 16;
   b.q.in[2][1] = (uint16_t)-6 | (uint32_t)(uint16_t)-3 << 16;
   b.q.state[72] = 0x05; /* LUT_MV[0] = 5 */
   b.q.state[56] = 0x17; /* MODE_INTER_16x16 = 14 */
   b.q.state[57] = 0x2f; /* MODE_INTER_BWD: never here */
   run(s, &b);
   int raw = (int)b.w0.skiprawdistortion;
   int cells[16], sum = 0;
   skip_cells(&b, cells);
   for (unsigned c = 0; c < 16; c++)
      sum += cells[c];
   assert_int_equal(raw, sum);
   for (unsigned i = 0; i < 8; i++) {
      b.f.m1.nonskipzmvadded = i & 1;
      b.f.m1.nonskipmodeadded = i >> 1 & 1;
      b.f.m1.skipsuccess = i >> 2 ? u4u4_above(raw) : 0;
      b.f.m0.submbpartmask = 0x7f; /* skip only */
      run(s, &b);
      bool passed = i >> 2;
      assert_int_equal(b.w0.mbskipflag, passed);
      assert_false(b.w0.earlyskipexit);
      assert_false(b.w0.ime_performed);
      assert_int_equal(b.w0.interdistortion,
                       passed ? raw : raw + (i & 1 ? 20 : 0) + (i >> 1 & 1 ? 14 : 0));
      assert_int_equal(b.w0.mbtype, 3);
      b.f.m0.submbpartmask = 0x7e;
      run(s, &b);
      assert_true(b.w0.ime_performed);
   }
   (void)inter;
}

static void
test_no_vectors(void **state)
{
   proves("VME-022", "VME-023", "VME-102", "VME-103", "VME-087", "VME-289", "VME-305");
   struct vme_stand *s = *state;
   struct bench b;
   plain(s, &b);
   b.f.m1.maxnummvs = 0;
   b.q.descriptor = VME_DESCRIPTOR(VME_TYPE_INTER);
   run(s, &b);
   assert_false(b.w0.ime_performed);
   assert_true(b.w0.intrambflag); /* nothing was chosen */
   assert_int_equal(b.w0.mbtype, 0x15);
   assert_int_equal(b.w0.minimal_distortion, 0x3fff);
   b.f.m1.skipmodeen = true;
   b.f.m1.skipcentermask = 3;
   run(s, &b);
   assert_true(b.w0.skip_check_performed);
   assert_false(b.w0.intrambflag);
   b.f.m1.maxnummvs = 1; /* two skip vectors do not fit */
   run(s, &b);
   assert_false(b.w0.skip_check_performed);
   assert_true(b.w0.skiprawdistortioninvalid);
   b.f.m1.skipcentermask = 1;
   run(s, &b);
   assert_true(b.w0.skip_check_performed);
   b.f.m0.srcsize = 1;
   b.f.m0.submbpartmask = 0;
   run(s, &b);
   assert_false(b.w0.skip_check_performed);
   s->rule_count = 0;
}

/* ---- flat pictures: only costs and order decide ---- */

static void
flat(struct vme_stand *s, struct bench *b)
{
   plain(s, b);
   memset(source_px, 50, sizeof(source_px));
   memset(ref_px, 50, sizeof(ref_px));
   memset(ref1_px, 50, sizeof(ref1_px));
   b->q.descriptor = VME_DESCRIPTOR(VME_TYPE_INTER);
}

static void
test_ties(void **state)
{
   proves("VME-066", "VME-078", "VME-232", "VME-037");
   struct vme_stand *s = *state;
   struct bench b;
   flat(s, &b); /* the first place stays, also against all that refinement tries */
   b.f.m1.start0x = 2;
   b.f.m1.start0y = 1;
   run(s, &b);
   assert_int_equal(mv_x(b.out[1][0]), 4 * (-16 + 8));
   assert_int_equal(mv_y(b.out[1][0]), 4 * (-12 + 4));
   assert_false(b.w0.fme_improved);
   /* Half a pixel is as good in all eight directions and cheaper: the first of the cheapest. */
   b.f.m1.costcenter0x = mv_x(b.out[1][0]);
   b.f.m1.costcenter0y = mv_y(b.out[1][0]);
   b.q.state[72] = 3; /* at the center 3 + 3, elsewhere 0 */
   run(s, &b);
   assert_true(b.w0.interdistortion == 0);
   /* Two records alike: the first one's vector; two references: forward. */
   flat(s, &b);
   b.f.m0.searchctrl = 3;
   b.f.m0.ref1x = b.f.m0.ref0x;
   b.f.m0.ref1y = b.f.m0.ref0y;
   b.f.m1.start1x = 5;
   run(s, &b);
   assert_int_equal(mv_x(b.out[1][0]), -64);
   dual(s, &b);
   b.q.descriptor = VME_DESCRIPTOR(VME_TYPE_INTER);
   memset(source_px, 50, sizeof(source_px));
   memset(ref_px, 50, sizeof(ref_px));
   memset(ref1_px, 50, sizeof(ref1_px));
   stand_forget(s);
   b.f.m1.bisubmbpartmask = 15;
   run(s, &b);
   assert_int_equal(b.w0.submbpredmode, 0);
}

static void
test_thresholds_are_strict(void **state)
{
   proves("VME-129", "VME-265", "VME-267", "VME-292");
   struct vme_stand *s = *state;
   struct bench b;
   flat(s, &b);
   b.q.state[56] = 5; /* MODE_INTER_16x16: the whole cost */
   b.f.m1.earlysuccessen = b.f.m1.earlyimesuccessen = b.f.m1.quitinteren = true;
   b.f.m1.imetoobad = 5;
   b.f.m1.imetoogood = 5;
   b.f.m1.earlyfmesuccess = 5;
   run(s, &b);
   assert_int_equal(b.w0.interdistortion, 5);
   assert_false(b.w0.imetoobad || b.w0.imetoogood || b.w0.earlyfmeexit);
   b.f.m1.earlyfmesuccess = 6;
   run(s, &b);
   assert_true(b.w0.earlyfmeexit);
   b.f.m1.imetoobad = 4;
   run(s, &b);
   assert_true(b.w0.imetoobad);
   b.f.m1.imetoogood = 6;
   run(s, &b);
   assert_true(b.w0.imetoogood);
   assert_false(b.w0.imetoobad);
}

/* The cost of vectors is a slope: the best place of a unit is the corner that lies towards the
 * center; the walk goes to the vertical neighbour first, then to the horizontal one, then across.
 */
static void
test_neighbours(void **state)
{
   proves("VME-065", "VME-059", "VME-382");
   struct vme_stand *s = *state;
   for (unsigned corner = 0; corner < 4; corner++)
      for (unsigned most = 1; most <= 4; most++) {
         struct bench b;
         int sx = corner & 1 ? 1 : -1, sy = corner & 2 ? 1 : -1;
         flat(s, &b);
         b.f.m0.subpelmode = 0;
         for (unsigned i = 0; i < 8; i++)
            b.q.state[72 + i] = (uint8_t)(i ? 0x10 * (i - 1) + 1 : 0); /* the distance itself */
         b.f.m1.start0x = 3; /* columns -4 to -1, rows 0 to 3 */
         b.f.m1.start0y = 3;
         b.f.m1.costcenter0x = sx * 120;
         b.f.m1.costcenter0y = sy * 120;
         b.f.m1.mvcostscalefactor = 1;
         b.f.m1.adaptiveen = b.f.m1.adaptivevalidationcontrol = true;
         b.f.m1.lensp = 1;
         b.f.m1.maxnumsu = most;
         run(s, &b);
         s->rule_count = 0; /* VME-302 wants two steps before the walk */
         /* After the unit: the vertical neighbour; then of its corner the vertical one again, … */
         int rows = most > 1 ? (int)most - 1 : 0;
         int x = sx > 0 ? -1 : -4, y = sy > 0 ? 3 + 4 * rows : -4 * rows;
         if (sy > 0 && rows > 2) { /* row 5 is the last: now to the side */
            y = 11;
            x += 4 * sx;
         }
         assert_int_equal(b.w0.search_path_length, most);
         assert_int_equal(mv_x(b.out[1][0]), 4 * x);
         assert_int_equal(mv_y(b.out[1][0]), 4 * y);
      }
}

/* ---- refinement as a whole ---- */

/* The reported cost is the cost of the reported vector, and no neighbour in the last step is
 * better. */
static void
test_refined_result(void **state)
{
   proves("VME-077", "VME-079", "VME-223", "VME-253", "VME-277", "VME-322");
   struct vme_stand *s = *state;
   for (unsigned mode = 0; mode < 4; mode++) {
      struct bench b;
      if (mode == 2)
         continue;
      plain(s, &b);
      b.f.m0.subpelmode = mode;
      run(s, &b);
      int sum = 0;
      for (int c = 0; c < 16; c++) {
         int cell = 0;
         for (int i = 0; i < 16; i++) {
            int x = 48 + c % 4 * 4 + i % 4, y = 32 + c / 4 * 4 + i / 4;
            cell += abs(sample(ref_px, 4 * x + mv_x(b.out[1][0]), 4 * y + mv_y(b.out[1][0])) -
                        source_px[y * W + x]);
         }
         sum += cell / 2;
      }
      assert_int_equal(b.w0.interdistortion, sum);
      assert_int_equal(b.w0.fme_primary_performed, mode != 0);
      static const int mask[4] = {3, 1, 0, 0};
      assert_int_equal(mv_x(b.out[1][0]) & mask[mode], 0);
      if (mode == 3) {
         assert_int_equal(mv_x(b.out[1][0]), 9);
         assert_int_equal(mv_y(b.out[1][0]), -4);
         assert_true(b.w0.fme_improved);
      }
   }
   /* With repartitioning a result is never worse, and its parts add up. */
   for (unsigned i = 0; i < 2; i++) {
      struct bench a, b;
      plain(s, &a);
      a.f.m0.submbpartmask = 0;
      b = a;
      run(s, &a);
      b.f.m1.reparten = true;
      run(s, &b);
      assert_true(b.w0.interdistortion <= a.w0.interdistortion);
      unsigned sum = 0;
      for (unsigned k = 0; k < 16; k++)
         sum += b.out[5][k / 2] >> 16 * (k % 2) & 0xffff;
      assert_int_equal(sum, b.w0.interdistortion);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       STAND_TEST(test_all_stages),
       STAND_TEST(test_ime_stop),
       STAND_TEST(test_paths_in_turn),
       STAND_TEST(test_too_good_too_bad),
       STAND_TEST(test_fme_success),
       STAND_TEST(test_skip_distortions),
       STAND_TEST(test_skip_success),
       STAND_TEST(test_skip_flow),
       STAND_TEST(test_no_vectors),
       STAND_TEST(test_ties),
       STAND_TEST(test_thresholds_are_strict),
       STAND_TEST(test_neighbours),
       STAND_TEST(test_refined_result),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
