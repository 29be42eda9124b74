/* Shape and direction decisions on records made by hand. */
#include "tests/proves.h"
#include "tests/vme/inside.h"
#include "tests/vme/stand.h"

#define FRESH()                                                                                    \
   free(v);                                                                                        \
   v = inside_create()

static void
decide(struct vme *v)
{
   memset(&v->w0, 0, sizeof(v->w0));
   vme_partition(v);
}

static void
test_blocks(void **state)
{
   proves("VME-004", "VME-385");
   /* Every 4x4 belongs to one block of each shape; areas are what the cells say. */
   static const unsigned count[VME_SHAPES] = {1, 2, 2, 4, 8, 8, 16};
   unsigned seen[VME_SHAPES] = {0}, cells[VME_SHAPES] = {0};
   for (unsigned b = 0; b < VME_BLOCKS; b++) {
      const struct vme_block *k = &vme_blocks[b];
      seen[k->shape]++;
      assert_int_equal(cells[k->shape] & k->cells, 0);
      cells[k->shape] |= k->cells;
      unsigned mask = 0;
      static const uint8_t number[4][4] = {
          {0, 1, 4, 5}, {2, 3, 6, 7}, {8, 9, 12, 13}, {10, 11, 14, 15}};
      for (unsigned y = k->y / 4; y < (k->y + k->h) / 4u; y++)
         for (unsigned x = k->x / 4; x < (k->x + k->w) / 4u; x++)
            mask |= 1u << number[y][x];
      assert_int_equal(mask, k->cells);
   }
   for (unsigned s = 0; s < VME_SHAPES; s++) {
      assert_int_equal(seen[s], count[s]);
      assert_int_equal(cells[s], 0xffff);
   }
}

static void
test_major_shapes(void **state)
{
   proves("VME-035", "VME-037", "VME-149", "VME-210");
   struct vme *v = inside_create();
   /* All alike: the lowest, which has fewest vectors. */
   inside_cost(v, 0, VME_16X16, 400);
   inside_cost(v, 0, VME_16X8, 200);
   inside_cost(v, 0, VME_8X16, 200);
   inside_cost(v, 0, VME_8X8, 100);
   for (unsigned k = 0; k < 4; k++) {
      decide(v);
      assert_true(v->candidate[0].valid);
      assert_int_equal(v->candidate[0].major, k);
      assert_int_equal(v->candidate[0].total, 400);
      v->m0.submbpartmask |= 1u << k; /* the next one's turn */
   }
   /* Penalties: once for a macroblock, once for an 8x8. */
   v->m0.submbpartmask = 0;
   v->costs.mode[VME_MODE_INTER_16X16] = 50;
   v->costs.mode[VME_MODE_INTER_16X8] = 40;
   v->costs.mode[VME_MODE_INTER_8X8Q] = 9;
   decide(v);
   assert_int_equal(v->candidate[0].major, VME_MAJOR_8X8);
   assert_int_equal(v->candidate[0].total, 436);
   v->costs.mode[VME_MODE_INTER_8X8Q] = 11;
   decide(v);
   assert_int_equal(v->candidate[0].major, VME_MAJOR_16X8);
   assert_int_equal(v->candidate[0].total, 440);
   v->m0.submbpartmask = 0x7f;
   decide(v);
   assert_false(v->candidate[0].valid);
   free(v);
}

static void
test_minor_shapes(void **state)
{
   proves("VME-016", "VME-018", "VME-020", "VME-021", "VME-026", "VME-005");
   struct vme *v = inside_create();
   v->m0.submbpartmask = 0x07;
   inside_cost(v, 0, VME_8X8, 100);
   inside_cost(v, 0, VME_8X4, 50);
   inside_cost(v, 0, VME_4X8, 50);
   inside_cost(v, 0, VME_4X4, 25);
   decide(v); /* ties keep the lower shape */
   assert_memory_equal(v->candidate[0].shape, ((uint8_t[]){0, 0, 0, 0}), 4);
   v->record[0].e[VME_AT_8X4 + 2].cost = 49; /* block 1 */
   v->record[0].e[VME_AT_4X8 + 5].cost = 40; /* block 2: 90 against 100 */
   v->record[0].e[VME_AT_4X4 + 12].cost = 0; /* block 3: 75 */
   v->record[0].e[VME_AT_8X4 + 4].cost = 45; /* block 2 as 8x4: 95 */
   decide(v);
   assert_memory_equal(v->candidate[0].shape, ((uint8_t[]){0, 1, 2, 3}), 4);
   assert_int_equal(v->candidate[0].total, 100 + 99 + 90 + 75);
   v->costs.mode[VME_MODE_INTER_8X4Q] = 1; /* 8x4 and 4x8 alike */
   v->costs.mode[VME_MODE_INTER_4X4Q] = 25;
   decide(v);
   assert_memory_equal(v->candidate[0].shape, ((uint8_t[]){0, 0, 2, 0}), 4);
   v->m1.maxnummvs = 3; /* too few for any of them */
   decide(v);
   assert_false(v->candidate[0].valid);
   free(v);
}

static void
test_vector_limit(void **state)
{
   proves("VME-006", "VME-007", "VME-024", "VME-025", "VME-134", "VME-288", "VME-322");
   struct vme *v = inside_create();
   inside_cost(v, 0, VME_16X16, 400);
   inside_cost(v, 0, VME_16X8, 190);
   inside_cost(v, 0, VME_8X8, 90);
   inside_cost(v, 0, VME_4X4, 20);
   static const struct {
      unsigned limit, major, total;
      bool restricted;
   } cases[] = {{32, 3, 320, false}, {16, 3, 320, false}, {15, 3, 330, true}, {7, 3, 350, true},
                {4, 3, 360, true},   {3, 1, 380, true},   {2, 1, 380, true},  {1, 0, 400, true}};
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      v->m1.maxnummvs = cases[i].limit;
      decide(v);
      assert_int_equal(v->candidate[0].major, cases[i].major);
      assert_int_equal(v->candidate[0].total, cases[i].total);
      assert_int_equal(v->w0.maxmv_restricted, cases[i].restricted);
      assert_true(vme_vectors(v, &v->candidate[0]) <= cases[i].limit);
   }
   inside_cost(v, 0, VME_16X16, 300); /* lowest with any limit: not restricted */
   v->m1.maxnummvs = 10;
   decide(v);
   assert_false(v->w0.maxmv_restricted);
   v->src_h = 8; /* VME-289: not for small sources */
   v->m1.maxnummvs = 1;
   decide(v);
   assert_int_equal(v->candidate[0].major, VME_MAJOR_8X8);
   assert_false(v->w0.maxmv_restricted);
   free(v);
}

static void
test_second_candidate(void **state)
{
   proves("VME-011", "VME-014", "VME-015", "VME-039", "VME-268", "VME-036");
   struct vme *v = inside_create();
   inside_cost(v, 0, VME_16X8, 200);
   inside_cost(v, 0, VME_16X16, 412);
   inside_cost(v, 0, VME_8X8, 102);
   inside_cost(v, 0, VME_8X16, 201); /* never the second */
   v->m1.parttolerancethrhd = 0x0f;
   decide(v);
   assert_false(v->candidate[1].valid);
   v->m1.partcandidateen = true;
   decide(v); /* 408 beats 412 */
   assert_int_equal(v->candidate[0].major, VME_MAJOR_16X8);
   assert_true(v->candidate[1].valid);
   assert_int_equal(v->candidate[1].major, VME_MAJOR_8X8);
   v->m1.parttolerancethrhd = 7;
   decide(v);
   assert_false(v->candidate[1].valid);
   v->m1.parttolerancethrhd = 8; /* exactly as far */
   decide(v);
   assert_true(v->candidate[1].valid);
   v->m0.submbpartmask = 0x78; /* no 8x8: the 16x16 is 12 away */
   decide(v);
   assert_false(v->candidate[1].valid);
   v->m1.parttolerancethrhd = 12;
   decide(v);
   assert_int_equal(v->candidate[1].major, VME_MAJOR_16X16);
   /* A primary with minor shapes leaves the plain 8x8; a plain one does not come twice. */
   v->m0.submbpartmask = 0x07;
   v->m1.parttolerancethrhd = 0x4f;
   inside_cost(v, 0, VME_8X4, 40);
   decide(v);
   assert_int_equal(v->candidate[0].shape[0], 1);
   assert_true(v->candidate[1].valid);
   assert_memory_equal(v->candidate[1].shape, ((uint8_t[]){0, 0, 0, 0}), 4);
   inside_cost(v, 0, VME_8X4, 4000);
   decide(v);
   assert_false(v->candidate[1].valid);
   free(v);
}

static void
test_directions(void **state)
{
   proves("VME-232", "VME-282", "VME-301", "VME-150");
   struct vme *v = inside_create();
   v->m0.submbpartmask = 0x7d; /* 16x8 only */
   v->record[0].e[VME_AT_16X8].cost = 100;
   v->record[1].e[VME_AT_16X8].cost = 100; /* a tie: forward */
   v->record[0].e[VME_AT_16X8 + 1].cost = 90;
   v->record[1].e[VME_AT_16X8 + 1].cost = 60;
   decide(v);
   assert_int_equal(v->candidate[0].direction[0], VME_FORWARD);
   assert_int_equal(v->candidate[0].direction[1], VME_BACKWARD);
   assert_int_equal(v->candidate[0].total, 160);
   v->m1.unimixdisable = true; /* 190 against 160: all backward */
   v->record[1].e[VME_AT_16X8].cost = 105;
   decide(v);
   assert_int_equal(v->candidate[0].direction[0], VME_BACKWARD);
   assert_int_equal(v->candidate[0].direction[1], VME_BACKWARD);
   assert_int_equal(v->candidate[0].total, 165);
   v->record[1].e[VME_AT_16X8].cost = 130;
   decide(v); /* a tie: forward */
   assert_int_equal(v->candidate[0].direction[1], VME_FORWARD);
   /* Within an 8x8 one direction: 8x4 of 10 + 90 forward, 90 + 5 backward. */
   FRESH();
   v->m0.submbpartmask = 0x6f;
   inside_cost(v, 0, VME_8X4, 10);
   v->record[0].e[VME_AT_8X4].cost = 90;
   inside_cost(v, 1, VME_8X4, 90);
   v->record[1].e[VME_AT_8X4].cost = 5;
   decide(v);
   assert_int_equal(v->candidate[0].direction[0], VME_BACKWARD);
   assert_int_equal(v->candidate[0].unit[0], 95);
   assert_int_equal(v->candidate[0].direction[1], VME_FORWARD);
   /* Without mixing the shapes are chosen by direction as well. */
   FRESH();
   v->m0.submbpartmask = 0x67;
   v->m1.unimixdisable = true;
   inside_cost(v, 0, VME_8X8, 100);
   inside_cost(v, 0, VME_8X4, 60);
   inside_cost(v, 1, VME_8X8, 120);
   inside_cost(v, 1, VME_8X4, 45);
   decide(v);
   assert_int_equal(v->candidate[0].total, 360);
   assert_memory_equal(v->candidate[0].shape, ((uint8_t[]){1, 1, 1, 1}), 4);
   assert_int_equal(v->candidate[0].direction[3], VME_BACKWARD);
   /* A shape without a place in any direction is none, even where nothing costs anything. */
   FRESH();
   struct vme_candidate none = {.major = VME_MAJOR_16X16};
   memset(&v->costs, 0, sizeof(v->costs));
   v->record[0].e[VME_AT_16X16].cost = v->record[1].e[VME_AT_16X16].cost = VME_NONE;
   vme_evaluate(v, &none);
   assert_int_equal(none.total, VME_NONE);
   assert_false(none.valid);
   v->record[1].e[VME_AT_16X16].cost = VME_NONE - 1;
   vme_evaluate(v, &none);
   assert_true(none.valid);
   free(v);
}

static void
test_small_sources(void **state)
{
   proves("VME-155", "VME-240");
   struct vme *v = inside_create();
   v->src_h = 8;
   inside_cost(v, 0, VME_16X16, 1); /* not of this source */
   inside_cost(v, 0, VME_8X16, 1);
   inside_cost(v, 0, VME_16X8, 100);
   inside_cost(v, 0, VME_8X8, 70);
   v->costs.mode[VME_MODE_INTER_16X8] = 30;
   decide(v); /* one part, the whole penalty once */
   assert_int_equal(v->candidate[0].major, VME_MAJOR_16X8);
   assert_int_equal(v->candidate[0].total, 130);
   v->m0.submbpartmask = 2;
   decide(v); /* two 8x8 */
   assert_int_equal(v->candidate[0].major, VME_MAJOR_8X8);
   assert_int_equal(v->candidate[0].total, 140);
   v->src_w = 8;
   v->m0.submbpartmask = 0;
   decide(v);
   assert_int_equal(v->candidate[0].major, VME_MAJOR_8X8);
   assert_int_equal(v->candidate[0].total, 70);
   v->m0.submbpartmask = 0x78;
   assert_false(vme_any_shape(v));
   free(v);
}

/* ---- bidirectional ---- */

/* Both windows flat at 10 and 20, the source at 15: only the mean fits. */
static void
bidirectional(struct vme *v)
{
   memset(v->src, 15, sizeof(v->src));
   memset(v->window[0].px, 10, sizeof(v->window[0].px));
   memset(v->window[1].px, 20, sizeof(v->window[1].px));
   for (unsigned b = 0; b < VME_BLOCKS; b++)
      for (unsigned r = 0; r < 2; r++)
         v->record[r].e[b].cost = 40 * __builtin_popcount(vme_blocks[b].cells);
}

static void
test_bme_weights(void **state)
{
   proves("VME-082", "VME-083", "VME-084", "VME-286");
   struct vme *v = inside_create();
   static const struct {
      uint8_t weight, pixel;
   } cases[] = {{16, 13}, {21, 13}, {32, 15}, {43, 17}, {48, 18}};
   bidirectional(v);
   for (unsigned i = 0; i < 5; i++) {
      v->m1.biweight = cases[i].weight;
      memset(v->src, cases[i].pixel, sizeof(v->src));
      assert_int_equal(vme_bidirectional_cost(v, 0), 0);
      memset(v->src, cases[i].pixel + 1, sizeof(v->src));
      assert_int_equal(vme_bidirectional_cost(v, 0), 16 * 8);
   }
   /* Both vectors are paid, each to its own center; no direction. */
   v->m1.biweight = 48;
   v->costs.mv[0] = 3;
   v->costs.mv[1] = 5;
   v->costs.backward[0] = v->costs.backward[1] = 100;
   v->center[1] = (struct vme_mv){1, 0};
   memset(v->src, 18, sizeof(v->src));
   assert_int_equal(vme_bidirectional_cost(v, 0), 3 + 3 + 5 + 3);
   free(v);
}

static void
test_bme(void **state)
{
   proves("VME-009", "VME-012", "VME-013", "VME-041", "VME-042", "VME-081", "VME-173", "VME-231",
          "VME-284", "VME-325");
   struct vme *v = inside_create();
   bidirectional(v);
   v->m0.submbpartmask = 0x77; /* 8x8 */
   decide(v);
   vme_bme(v);
   for (unsigned u = 0; u < 4; u++)
      assert_int_equal(v->candidate[0].direction[u], VME_BIDIRECTIONAL);
   assert_int_equal(v->candidate[0].total, 0);
   assert_true(v->w0.bme_primary_performed && v->w0.bme_improved);
   assert_false(v->w0.bme_extra_performed);
   /* Six vectors: the first two blocks. */
   v->m1.maxnummvs = 6;
   decide(v);
   vme_bme(v);
   assert_int_equal(vme_vectors(v, &v->candidate[0]), 6);
   assert_int_equal(v->candidate[0].direction[1], VME_BIDIRECTIONAL);
   assert_int_equal(v->candidate[0].direction[2], VME_FORWARD);
   v->m1.maxnummvs = 4;
   decide(v);
   vme_bme(v);
   assert_false(v->w0.bme_primary_performed || v->w0.bme_improved);
   /* Masks. */
   v->m1.maxnummvs = 32;
   v->m1.bisubmbpartmask = 4;
   decide(v);
   vme_bme(v);
   assert_false(v->w0.bme_primary_performed);
   v->m1.bisubmbpartmask = 8; /* minor shapes only: not this one */
   decide(v);
   vme_bme(v);
   assert_true(v->w0.bme_primary_performed);
   v->m0.submbpartmask = 0x6f; /* 8x4 */
   decide(v);
   vme_bme(v);
   assert_false(v->w0.bme_primary_performed);
   v->m1.bisubmbpartmask = 7;
   decide(v);
   vme_bme(v);
   assert_true(v->w0.bme_primary_performed && v->w0.bme_improved);
   /* An 8x8 changes as a whole, and adds a vector for each of its blocks. */
   v->m1.maxnummvs = 9;
   decide(v);
   vme_bme(v);
   assert_int_equal(vme_vectors(v, &v->candidate[0]), 8);
   v->m1.maxnummvs = 10;
   decide(v);
   vme_bme(v);
   assert_int_equal(vme_vectors(v, &v->candidate[0]), 10);
   assert_int_equal(v->candidate[0].direction[0], VME_BIDIRECTIONAL);
   /* Not better: not taken, but tested. */
   v->m1.maxnummvs = 32;
   inside_cost(v, 0, VME_8X4, 0);
   decide(v);
   vme_bme(v);
   assert_true(v->w0.bme_primary_performed);
   assert_false(v->w0.bme_improved);
   /* Vectors that were streamed in have no pixels here. */
   bidirectional(v);
   v->m0.submbpartmask = 0x77;
   v->m1.bisubmbpartmask = 0;
   v->record[1].e[VME_AT_8X8 + 2].streamed_in = true;
   decide(v);
   vme_bme(v);
   assert_int_equal(v->candidate[0].direction[1], VME_BIDIRECTIONAL);
   assert_int_equal(v->candidate[0].direction[2], VME_FORWARD);
   assert_int_equal(v->candidate[0].direction[3], VME_BIDIRECTIONAL);
   /* One reference: never. */
   v->dual = false;
   decide(v);
   vme_bme(v);
   assert_false(v->w0.bme_primary_performed);
   free(v);
}

static void
test_bme_of_large_shapes(void **state)
{
   proves("VME-024", "VME-025", "VME-284");
   struct vme *v = inside_create();
   static const struct {
      uint8_t mask, bi, limit;
      bool tested;
   } cases[] = {{0x7e, 0, 32, true}, {0x7e, 1, 32, false}, {0x7e, 0, 2, true},  {0x7e, 0, 1, false},
                {0x7d, 0, 32, true}, {0x7d, 2, 32, false}, {0x7d, 0, 3, false}, {0x7d, 0, 4, true},
                {0x7b, 0, 4, true},  {0x7b, 2, 4, false},  {0x7b, 0, 3, false}};
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      bidirectional(v);
      v->m0.submbpartmask = cases[i].mask;
      v->m1.bisubmbpartmask = cases[i].bi;
      v->m1.maxnummvs = cases[i].limit;
      decide(v);
      vme_bme(v);
      assert_int_equal(v->w0.bme_primary_performed, cases[i].tested);
   }
   free(v);
}

static void
test_bi_mix(void **state)
{
   proves("VME-300", "VME-301");
   struct vme *v = inside_create();
   bidirectional(v);
   v->m1.bimixdis = true;
   v->m0.submbpartmask = 0x77;
   v->record[0].e[VME_AT_8X8].cost = 0; /* one block is better off as it is; the sum is not */
   decide(v);
   vme_bme(v);
   for (unsigned u = 0; u < 4; u++)
      assert_int_equal(v->candidate[0].direction[u], VME_BIDIRECTIONAL);
   v->m1.maxnummvs = 7; /* all or none */
   decide(v);
   vme_bme(v);
   assert_int_equal(vme_vectors(v, &v->candidate[0]), 4);
   assert_false(v->w0.bme_primary_performed);
   v->m1.maxnummvs = 8;
   inside_cost(v, 0, VME_8X8, 0); /* a tie stays */
   decide(v);
   vme_bme(v);
   assert_int_equal(vme_vectors(v, &v->candidate[0]), 4);
   assert_true(v->w0.bme_primary_performed);
   free(v);
}

/* ---- pruning and refinement ---- */

static void
test_pruning(void **state)
{
   proves("VME-269", "VME-270", "VME-278");
   struct vme *v = inside_create();
   static const struct {
      uint8_t mask;
      unsigned block, cells;
   } shapes[] = {{0x7e, VME_AT_16X16, 16}, {0x7d, VME_AT_16X8, 8}, {0x7b, VME_AT_8X16, 8},
                 {0x77, VME_AT_8X8, 4},    {0x6f, VME_AT_8X4, 2},  {0x5f, VME_AT_4X8, 2},
                 {0x3f, VME_AT_4X4, 1}};
   for (unsigned i = 0; i < 7; i++)
      for (unsigned wide = 0; wide < 2; wide++) {
         int32_t threshold = wide ? 48 : 3; /* 0x1c is 24, 0x3 is 3 */
         bidirectional(v);
         v->m1.fbprunen = true;
         v->m1.fbprunthrhd = wide ? 0x2c : 0x03;
         v->m0.submbpartmask = shapes[i].mask;
         v->pruned[0] = v->pruned[1] = 0;
         v->record[1].e[shapes[i].block].cost =
             v->record[0].e[shapes[i].block].cost + (threshold + 1) * (int32_t)shapes[i].cells - 1;
         decide(v);
         vme_fme(v);
         assert_int_equal(v->pruned[0] | v->pruned[1], 0);
         v->record[1].e[shapes[i].block].cost++;
         vme_fme(v);
         assert_int_equal(v->pruned[0], 0);
         assert_int_equal(v->pruned[1], UINT64_C(1) << shapes[i].block);
         vme_bme(v); /* none for this unit */
         assert_int_equal(v->candidate[0].direction[0], VME_FORWARD);
      }
   v->m1.fbprunen = false;
   v->pruned[1] = 0;
   vme_fme(v);
   assert_int_equal(v->pruned[1], 0);
   free(v);
}

/* A bright column that a half pixel to the right is met best: only the direction that is not pruned
 * is refined. */
static void
test_refinement(void **state)
{
   proves("VME-077", "VME-078", "VME-223", "VME-132", "VME-072");
   struct vme *v = inside_create();
   for (unsigned r = 0; r < 2; r++)
      for (unsigned y = 0; y < VME_WINDOW_MAX + 3; y++)
         for (unsigned x = 0; x < VME_STRIDE; x++)
            v->window[r].px[y * VME_STRIDE + x] = (uint8_t)(x * 8 % 256);
   v->m0.submbpartmask = 0x7e;
   struct vme_entry *e = &v->record[0].e[0];
   /* The source is what lies at quarter (q) of the place (0, 0). */
   static const uint8_t found[4] = {0, 1, 2, 3};
   for (unsigned q = 0; q < 4; q++)
      for (unsigned mode = 0; mode < 4; mode++) {
         if (mode == 2)
            continue;
         v->dsp->predict(vme_window_at(&v->window[0], 8, 8), VME_STRIDE, q, 0, false, 16, 16,
                         v->src);
         *e = (struct vme_entry){.cost = 3000};
         v->record[1].e[0].cost = VME_NONE;
         v->m0.subpelmode = mode;
         decide(v);
         vme_fme(v);
         /* A ramp of 8 a pixel: half steps find 0 or 2 (or 4), quarter steps the rest. */
         if (mode == 3 && q)
            assert_int_equal(e->mv.x, found[q]);
         if (mode == 3 && q)
            assert_int_equal(e->cost, 0);
         if (mode == 0)
            assert_int_equal(e->cost, 3000);
         if (mode == 1)
            assert_int_equal(e->mv.x % 2, 0);
         assert_int_equal(v->w0.fme_primary_performed, mode != 0);
         assert_int_equal(v->w0.fme_improved, e->cost < 3000);
      }
   /* At the upper left corner of the window nothing lies before it. */
   v->dsp->predict(vme_window_at(&v->window[0], 0, 0), VME_STRIDE, 0, 0, false, 16, 16, v->src);
   memset(v->src, 0, 256);
   *e = (struct vme_entry){.cost = 60000, .mv = {-32, -32}};
   v->m0.subpelmode = 3;
   decide(v);
   vme_fme(v);
   assert_true(e->mv.x >= -32 && e->mv.y >= -32);
   free(v);
}

/* After FME a candidate that has fallen behind goes, whichever it is. */
static void
test_drop(void **state)
{
   proves("VME-040", "VME-133");
   struct vme *v = inside_create();
   memset(v->window[0].px, 60, sizeof(v->window[0].px));
   memset(v->src, 60, sizeof(v->src));
   v->dual = false;
   v->m0.searchctrl = 0;
   v->m0.submbpartmask = 0x76;
   v->m1.partcandidateen = true;
   v->m1.parttolerancethrhd = 0x0a;
   v->m0.subpelmode = 1;
   inside_cost(v, 0, VME_16X16, 100);
   inside_cost(v, 0, VME_8X8, 26);
   v->costs.mode[VME_MODE_INTER_16X16] = 20; /* 120; the 8x8s 104 */
   v->m1.parttolerancethrhd = 0x1a;
   decide(v);
   assert_int_equal(v->candidate[0].major, VME_MAJOR_8X8);
   assert_true(v->candidate[1].valid);
   v->costs.mode[VME_MODE_INTER_8X8Q] = 0;
   vme_fme(v); /* all distortions become 0: 0 against 20, which is within 20 */
   assert_true(v->candidate[0].valid && v->candidate[1].valid);
   inside_cost(v, 0, VME_16X16, 100);
   inside_cost(v, 0, VME_8X8, 26);
   v->m1.parttolerancethrhd = 0x13; /* 6 */
   v->costs.mode[VME_MODE_INTER_16X16] = 0;
   v->costs.mode[VME_MODE_INTER_8X8Q] = 2; /* 100 against 112 */
   decide(v);
   assert_false(v->candidate[1].valid); /* too far at once */
   v->m1.parttolerancethrhd = 0x0c;
   decide(v);
   assert_true(v->candidate[1].valid);
   v->m1.parttolerancethrhd = 0x07; /* 0 against 8 after FME */
   vme_fme(v);
   assert_true(v->candidate[0].valid);
   assert_false(v->candidate[1].valid);
   assert_false(v->dropped);
   /* The primary is the one that falls behind: its 8x8s do not get better. */
   inside_cost(v, 0, VME_16X16, 100);
   inside_cost(v, 0, VME_8X8, 23);
   v->costs.mode[VME_MODE_INTER_8X8Q] = 1; /* 96 against 100 */
   v->m1.parttolerancethrhd = 0x07;
   decide(v);
   assert_int_equal(v->candidate[0].major, VME_MAJOR_8X8);
   assert_true(v->candidate[1].valid);
   for (unsigned k = 0; k < 4; k++)
      v->record[0].e[VME_AT_8X8 + k].cost = VME_NONE; /* not refined: nothing there */
   for (unsigned k = 0; k < 4; k++)
      v->record[0].e[VME_AT_8X8 + k].cost = 23;
   v->pruned[0] = UINT64_C(15) << VME_AT_8X8;
   vme_fme(v);
   assert_false(v->candidate[0].valid);
   assert_true(v->candidate[1].valid && v->dropped);
   free(v);
}

/* Noise, and whole vectors that lie anywhere: what is refined from them differs from block to
 * block. */
static struct vme *
two_candidates(uint32_t seed, bool first, bool second)
{
   struct vme *v = inside_create();
   v->dual = false;
   v->m0.searchctrl = 0;
   v->m0.subpelmode = 1;
   v->m1.reparten = true;
   picture_random(v->window[0].px, VME_STRIDE, VME_WINDOW_MAX + 3, seed);
   picture_random(v->src, 16, 16, seed + 1);
   for (unsigned b = 0; b < VME_MAJORS; b++) {
      const struct vme_block *k = &vme_blocks[b];
      struct vme_entry *e = &v->record[0].e[b];
      uint8_t pred[256];
      inside_mv(v, 0, b, 4 * (int32_t)(seed * (b + 3) % 7), 4 * (int32_t)(seed * (b + 5) % 5));
      vme_predict_window(v, 0, k, e->mv, pred);
      e->cost = vme_distortion(v, k->x, k->y, pred, k->w, k->h);
   }
   if (first)
      v->candidate[0] = (struct vme_candidate){.valid = true, .major = VME_MAJOR_8X8};
   if (second)
      v->candidate[first] = (struct vme_candidate){.valid = true, .major = VME_MAJOR_16X16};
   return v;
}

/* The refinement of a block does not depend on the other candidate; then the larger block's vector
 * is tried on the smaller ones. */
static void
test_candidates_are_refined_apart(void **state)
{
   proves("VME-080", "VME-079");
   unsigned taken = 0;
   for (uint32_t seed = 1; seed < 60; seed++) {
      struct vme *both = two_candidates(seed, true, true),
                 *small = two_candidates(seed, true, false);
      struct vme *large = two_candidates(seed, false, true);
      large->m1.reparten = false;
      vme_fme(both);
      vme_fme(small);
      vme_fme(large);
      const struct vme_entry *whole = &large->record[0].e[VME_AT_16X16];
      assert_memory_equal(&both->record[0].e[VME_AT_16X16], whole, sizeof(*whole));
      for (unsigned k = 0; k < 4; k++) {
         const struct vme_block *b = &vme_blocks[VME_AT_8X8 + k];
         struct vme_entry expect = small->record[0].e[VME_AT_8X8 + k];
         uint8_t pred[256];
         vme_predict_window(both, 0, b, whole->mv, pred);
         int32_t cost = vme_distortion(both, b->x, b->y, pred, b->w, b->h);
         if (cost < expect.cost) {
            expect.cost = cost;
            expect.mv = whole->mv;
            taken++;
         }
         const struct vme_entry *got = &both->record[0].e[VME_AT_8X8 + k];
         assert_int_equal(got->cost, expect.cost);
         assert_int_equal(got->mv.x, expect.mv.x);
         assert_int_equal(got->mv.y, expect.mv.y);
      }
      free(both);
      free(small);
      free(large);
   }
   assert_true(taken > 5);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_blocks),
       cmocka_unit_test(test_major_shapes),
       cmocka_unit_test(test_minor_shapes),
       cmocka_unit_test(test_vector_limit),
       cmocka_unit_test(test_second_candidate),
       cmocka_unit_test(test_directions),
       cmocka_unit_test(test_small_sources),
       cmocka_unit_test(test_bme_weights),
       cmocka_unit_test(test_bme),
       cmocka_unit_test(test_bme_of_large_shapes),
       cmocka_unit_test(test_bi_mix),
       cmocka_unit_test(test_pruning),
       cmocka_unit_test(test_refinement),
       cmocka_unit_test(test_candidates_are_refined_apart),
       cmocka_unit_test(test_drop),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
