/* Draws as a stream of commands sees them: when state and memory are read, what is counted, what a
 * context keeps; and vertex shader threads, whose vertices stream output brings to memory. */
#include "render/draw.h"
#include "scene.h"
#include "shared_functions/urb.h"
#include "tests/proves.h"

#define OUT 0x250000u
#define OUT_DW 4096u
#define VS_KERNEL 0x1000u
#define ENTRIES 4u /* of the URB: in 8 KiB */

static unsigned
bare_primitive(struct scene *s, uint32_t *dw)
{
   gen7_3dprimitive_pack(dw, &s->primitive);
   return GEN7_3DPRIMITIVE_LENGTH;
}

static void
draw_again(struct scene *s)
{
   uint32_t dw[GEN7_3DPRIMITIVE_LENGTH];
   rig_submit(s->rig, RCS, dw, bare_primitive(s, dw));
}

static void
wipe(struct scene *s)
{
   for (unsigned i = 0; i < WIDTH * HEIGHT * 4; i++)
      rig_ggtt(s->rig, TARGET)[i] = UNTOUCHED;
}

/* A kernel that gives pixels the first constant, … */
#define CONSTANT_KERNEL                                                                            \
   "add(8) g10<1>UW g1.4<2,4,0>UW 0x10101010V { align1 WE_all 1Q };\n"                             \
   "add(8) g11<1>UW g1.5<2,4,0>UW 0x11001100V { align1 WE_all 1Q };\n"                             \
   "mov(8) g112<1>UD g10<8,8,1>UW { align1 1Q };\n"                                                \
   "mov(8) g113<1>UD g11<8,8,1>UW { align1 1Q };\n"                                                \
   "mov(8) g114<1>UD g4<0,1,0>UD { align1 1Q };\n"                                                 \
   "mov(8) g115<1>UD 7UD { align1 1Q };\n" END8

static void
use_constant(struct scene *s, uint32_t value)
{
   load_kernel(s, 0x400, CONSTANT_KERNEL);
   s->ps.kernel_start_pointer_0 = 0x400;
   s->ps.push_constant_enable = true;
   s->constants = (struct hw_3dstate_constant_ps){.constant_buffer_0_read_length = 1,
                                                  .pointer_to_constant_buffer_0 = 0x800};
   *rig_ggtt(s->rig, DYNAMIC + 0x800) = value;
}

/* ---- when things are read -----------------------------------------------------------------------
 */

/* In one batch: a draw, stores to what it used, the same draw again somewhere else. */
static void
memory_is_read_by_the_draw(void **state)
{
   proves("P3D-001", "P3D-082");
   struct scene *s = *state;
   uint32_t dw[640];
   use_constant(s, 1000);
   prepare(s);
   unsigned n = record(s, dw);
   const uint32_t stores[] = {
       PC,       1u << 20 | 1u << 12,
       0,        0,
       0,        SDI,
       0,        DYNAMIC + 0x800,
       2000, /* the constant */
       SDI,      0,
       VERTICES, 0x42000000, /* x of the lower right: 32 */
       SDI,      0,
       SURFACES, 0x80, /* the binding table */
   };
   uint32_t *surface = rig_ggtt(s->rig, SURFACES + 0x40),
            *other = rig_ggtt(s->rig, SURFACES + 0x80);
   memcpy(other, surface, 32);
   other[1] = TARGET + 8 * WIDTH * 16; /* eight rows down */
   memcpy(dw + n, stores, sizeof(stores));
   n += COUNT(stores);
   n += bare_primitive(s, dw + n);
   rig_submit(s->rig, RCS, dw, n);
   for (unsigned y = 0; y < 16; y++)
      for (unsigned x = 0; x < 40; x++) {
         const uint32_t *p = pixel(s, x, y);
         bool first = y < 4 && x < 8, second = y >= 8 && y < 12 && x < 32;
         assert_int_equal(p[2], first ? 1000 : second ? 2000 : UNTOUCHED);
      }
   rig_clean(s->rig);
}

static void
bases_move(void **state)
{
   proves("P3D-017");
   struct scene *s = *state;
   uint32_t dw[640];
   use_constant(s, 1000);
   *rig_ggtt(s->rig, DYNAMIC + 0x1800) = 3000;
   prepare(s);
   unsigned n = record(s, dw);
   const uint32_t moved[10] = {0x61010008,
                               0,
                               (SURFACES + 0x1000) | 1,
                               (DYNAMIC + 0x1000) | 1,
                               0,
                               (KERNELS + 0x1000) | 1,
                               0,
                               0,
                               0,
                               0};
   memcpy(dw + n, moved, sizeof(moved));
   n += 10;
   n += bare_primitive(s, dw + n);
   *rig_ggtt(s->rig, SURFACES + 0x1000) = 0x40;
   memcpy(rig_ggtt(s->rig, SURFACES + 0x1040), rig_ggtt(s->rig, SURFACES + 0x40), 32);
   rig_ggtt(s->rig, SURFACES + 0x1040)[1] = TARGET + 8 * WIDTH * 16;
   load_kernel(s, 0x1400,
               "mov(8) g112<1>UD 5UD { align1 1Q };\n"
               "mov(8) g113<1>UD 6UD { align1 1Q };\n"
               "mov(8) g114<1>UD g4<0,1,0>UD { align1 1Q };\n"
               "mov(8) g115<1>UD 8UD { align1 1Q };\n" END8);
   rig_submit(s->rig, RCS, dw, n);
   static const uint32_t first[4] = {2, 1, 1000, 7}, second[4] = {5, 6, 3000, 8};
   assert_memory_equal(pixel(s, 2, 1), first, 16);
   assert_memory_equal(pixel(s, 2, 9), second, 16);
}

/* The budget ends within a draw: constants are those that it began with. */
static void
constants_of_a_draw(void **state)
{
   proves("P3D-085", "P3D-084");
   struct scene *s = *state;
   uint32_t dw[512];
   unsigned turns = 0;
   use_constant(s, 1000);
   set_rectangle(s, 0, 0, 0, 64, 32);
   prepare(s);
   rig_ring(s->rig, RCS, dw, record(s, dw));
   for (; pergola_run(s->rig->dev, 200) == PERGOLA_RUN_BUDGET && turns < 100000; turns++)
      if (pixel(s, 0, 0)[2] == 1000)
         *rig_ggtt(s->rig, DYNAMIC + 0x800) = 9;
   assert_in_range(turns, 20, 99999);
   assert_int_equal(*rig_ggtt(s->rig, DYNAMIC + 0x800), 9);
   for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
      assert_int_equal(pixel(s, i % WIDTH, i / WIDTH)[2], 1000);
   /* Push Constant Enable 0: the setup data begin where they would. */
   static const uint32_t data[4] = {77, 88, 99, 0};
   memcpy(rig_ggtt(s->rig, INSTANCES), data, sizeof(data));
   s->element[2] = element(1, 0, 0, SRC, SRC, SRC, SRC);
   s->elements = 3;
   s->sbe = (struct hw_3dstate_sbe){.vertex_urb_entry_read_offset = 1,
                                    .vertex_urb_entry_read_length = 1,
                                    .number_of_sf_output_attributes = 1,
                                    .constant_interpolation_enable = 1};
   s->ps.attribute_enable = true;
   s->ps.kernel_start_pointer_0 = 0x800;
   load_kernel(s, 0x800,
               "mov(8) g112<1>UD g4.3<0,1,0>UD { align1 1Q };\n"
               "mov(8) g113<1>UD g4.7<0,1,0>UD { align1 1Q };\n"
               "mov(8) g114<1>UD g5.3<0,1,0>UD { align1 1Q };\n"
               "mov(8) g115<1>UD g4.2<0,1,0>UD { align1 1Q };\n" END8);
   s->ps.push_constant_enable = false;
   draw(s);
   assert_memory_equal(pixel(s, 3, 3), data, 16);
   s->ps.push_constant_enable = true; /* now it is the constant's register */
   memset(rig_ggtt(s->rig, DYNAMIC + 0x800), 0x11, 32);
   draw(s);
   assert_int_equal(pixel(s, 3, 3)[0], 0x11111111);
}

/* ---- draws that are none ------------------------------------------------------------------------
 */

static void
media_selected(void **state)
{
   proves("P3D-003");
   struct scene *s = *state;
   uint32_t dw[512];
   prepare(s);
   unsigned n = record(s, dw);
   dw[0] = 0x69040001; /* PIPELINE_SELECT: media */
   rig_submit(s->rig, RCS, dw, n);
   expect_pixels(s, 0, 0, 0, 0);
   rig_expect(s->rig, "RCS-070");
   SUBMIT(s->rig, RCS, 0x69040000);
   draw_again(s); /* with the state that was given while it could not be used */
   expect_pixels(s, 0, 0, 8, 4);
}

static unsigned
errors(const struct rig *r)
{
   unsigned count = 0;
   for (const struct rig_diagnostic *d = r->diagnostics; d; d = d->next)
      count += d->severity >= PERGOLA_ERROR;
   return count;
}

static void
nothing_programmed(void **state)
{
   proves("P3D-004", "P3D-023");
   struct scene *s = *state;
   static const uint32_t zeros[] = {
       GEN7_3DSTATE_VS_HEADER | 4,
       0,
       0,
       0,
       0,
       0,
       GEN7_3DSTATE_HS_HEADER | 5,
       0,
       0,
       0,
       0,
       0,
       0,
       GEN7_3DSTATE_TE_HEADER | 2,
       0,
       0,
       0,
       GEN7_3DSTATE_DS_HEADER | 4,
       0,
       0,
       0,
       0,
       0,
       GEN7_3DSTATE_GS_HEADER | 5,
       0,
       0,
       0,
       0,
       0,
       0,
       GEN7_3DSTATE_CLIP_HEADER | 2,
       0,
       0,
       0,
       GEN7_3DSTATE_SF_HEADER | 5,
       0,
       0,
       0,
       0,
       0,
       0,
       GEN7_3DSTATE_WM_HEADER | 1,
       0,
       0,
       GEN7_3DSTATE_PS_HEADER | 6,
       0,
       0,
       0,
       0,
       0,
       0,
       0,
   };
   wipe(s);
   memset(rig_ggtt(s->rig, 0), 0x5a, 4096);
   for (unsigned golden = 0; golden < 2; golden++) {
      if (golden)
         rig_submit(s->rig, RCS, zeros, COUNT(zeros));
      for (unsigned t = 0; t < 0x40; t++) {
         s->primitive = (struct hw_3dprimitive){.primitive_topology_type = t,
                                                .vertex_access_type = t & 1,
                                                .vertex_count_per_instance = 12,
                                                .instance_count = 2};
         rig_forget(s->rig);
         draw_again(s);
         if (golden && t == TRILIST)
            assert_int_equal(errors(s->rig), 0);
      }
   }
   expect_pixels(s, 0, 0, 0, 0);
   for (unsigned i = 0; i < 1024; i++)
      assert_int_equal(rig_ggtt(s->rig, 0)[i], 0x5a5a5a5a);
   assert_int_equal(rig_reg(s->rig, REG_PS_INVOCATION_COUNT), 0);
}

/* ---- predicates ---------------------------------------------------------------------------------
 */

#define SRC0 0x2400
#define SRC1 0x2408

/* P3D-013: the first `count` of n draws; each is one rectangle further to the right. P3D-014: they
 * are rectangles, as resolves are. */
static void
as_many_as_memory_says(void **state)
{
   proves("P3D-013", "P3D-014");
   struct scene *s = *state;
   enum { N = 5 };
   for (unsigned count = 0; count <= N + 1; count++) {
      uint32_t dw[512];
      s->primitive.vertex_count_per_instance = 0;
      draw(s); /* state */
      s->primitive.vertex_count_per_instance = 3;
      s->primitive.predicate_enable = true;
      *rig_ggtt(s->rig, RIG_DATA - 0x800) = count;
      for (unsigned i = 0; i < N; i++) {
         unsigned n = 0;
         const uint32_t first[] = {LRM,  SRC0, RIG_DATA - 0x800, LRI(1), SRC0 + 4, 0, LRI(2),
                                   SRC1, 0,    SRC1 + 4,         0},
                        next[] = {LRI(1), SRC1, i};
         if (i == 0) { /* LOADINV, SET, SRCS_EQUAL */
            memcpy(dw, first, sizeof(first));
            n = COUNT(first);
            dw[n++] = GEN7_MI_PREDICATE_HEADER | 3 << 6 | 0 << 3 | 2;
         } else { /* LOAD, XOR, SRCS_EQUAL */
            memcpy(dw, next, sizeof(next));
            n = COUNT(next);
            dw[n++] = GEN7_MI_PREDICATE_HEADER | 2 << 6 | 3 << 3 | 2;
         }
         set_rectangle(s, 0, (float)(10 * i), 0, (float)(10 * i + 8), 4);
         memcpy(rig_ggtt(s->rig, VERTICES), s->vertex, sizeof(s->vertex));
         n += bare_primitive(s, dw + n);
         rig_submit(s->rig, RCS, dw, n);
      }
      for (unsigned i = 0; i < N; i++)
         assert_int_equal(pixel(s, 10 * i + 2, 2)[3], i < count ? 7 : UNTOUCHED);
      s->primitive.predicate_enable = false;
   }
}

/* ---- counters -----------------------------------------------------------------------------------
 */

static uint64_t
counter(struct scene *s, uint32_t reg)
{
   return rig_reg(s->rig, reg) | (uint64_t)rig_reg(s->rig, reg + 4) << 32;
}

static const uint32_t counters[] = {
    REG_IA_VERTICES_COUNT,   REG_IA_PRIMITIVES_COUNT, REG_VS_INVOCATION_COUNT,
    REG_HS_INVOCATION_COUNT, REG_DS_INVOCATION_COUNT, REG_GS_INVOCATION_COUNT,
    REG_GS_PRIMITIVES_COUNT, REG_CL_INVOCATION_COUNT, REG_CL_PRIMITIVES_COUNT,
    REG_PS_INVOCATION_COUNT, REG_PS_DEPTH_COUNT};
#define COUNTERS (sizeof(counters) / sizeof(counters[0]))

static void
vertex_shader(struct scene *s)
{
   /* Position and header as they came. */
   load_kernel(s, VS_KERNEL,
               "mov(8) g112<1>UD g0<8,8,1>UD { align1 WE_all 1Q };\n"
               "mov(1) g112.5<1>UD 0x0000ff00UD { align1 WE_all };\n"
               "mov(8) g113<1>UD g2<8,8,1>UD { align1 WE_all 1Q };\n"
               "mov(8) g114<1>UD g3<8,8,1>UD { align1 WE_all 1Q };\n"
               "send(8) null<1>UW g112<8,8,1>UD 0x0608c000 urb MsgDesc: mlen 3 rlen 0 { align1 1Q "
               "EOT };\n");
   s->vs = (struct hw_3dstate_vs){.enable = true,
                                  .kernel_start_pointer = VS_KERNEL,
                                  .maximum_number_of_threads = 15,
                                  .dispatch_grf_start_register_for_urb_data = 2,
                                  .vertex_urb_entry_read_length = 1};
   s->extras = 0;
   for (uint32_t i = 0; i < 4; i++) { /* 64 entries of 192 bytes for vertices */
      s->extra[s->extras++] = GEN7_3DSTATE_URB_VS_HEADER + (i << 16);
      s->extra[s->extras++] = i ? 0 : ENTRIES << 25 | 2 << 16 | 64;
   }
}

/* P3D-005 of the stages that are always there; the others are where their shaders are
 * (test_stages.c, test_tess_stage.c). */
static void
statistics(void **state)
{
   proves("P3D-005", "P3D-097", "P3D-203");
   struct scene *s = *state;
   vertex_shader(s);
   s->clip.clip_enable = true;
   s->clip.clip_mode = 4;
   set_rectangle(s, 0, 1, 1, 4, 2);
   set_rectangle(s, 1, 20, 8, 24, 10);
   s->primitive.vertex_count_per_instance = 7; /* one is left over */
   /* Vertices, primitives, vertex shader, CL in, CL out, pixel shader (two subspans, four). */
   static const struct {
      unsigned counter;
      uint64_t value;
   } want[5][2] = {
       {{0, 7}, {1, 2}}, {{2, 7}, {2, 7}}, {{7, 2}, {7, 2}}, {{8, 2}, {8, 2}}, {{9, 16}, {10, 11}}};
   for (unsigned on = 0; on < 32; on++) {
      uint64_t before[COUNTERS];
      s->vf.statistics_enable = on & 1;
      s->vs.statistics_enable = on >> 1 & 1;
      s->clip.statistics_enable = on >> 2 & 1;
      s->sf.statistics_enable = on >> 3 & 1;
      s->wm.statistics_enable = on >> 4 & 1;
      for (unsigned i = 0; i < COUNTERS; i++)
         before[i] = counter(s, counters[i]);
      draw(s);
      for (unsigned i = 0; i < COUNTERS; i++) {
         uint64_t by = 0;
         for (unsigned k = 0; k < 10; k++)
            if (want[k / 2][k % 2].counter == i && on >> (k / 2) & 1)
               by = want[k / 2][k % 2].value;
         if (counter(s, counters[i]) - before[i] != by)
            fail_msg("enables %#x: counter %#x went by %llu, not %llu", on, counters[i],
                     (unsigned long long)(counter(s, counters[i]) - before[i]),
                     (unsigned long long)by);
      }
   }
   rig_clean(s->rig);
}

#define CONTEXT_A RIG_CONTEXT
#define CONTEXT_B (RIG_CONTEXT + 0x4000)

static void
switch_to(struct scene *s, uint32_t address, bool restore)
{
   enum { INHIBIT = 1, EXT_RESTORE = 4, EXT_SAVE = 8, MUST = 0x100 };
   SUBMIT(s->rig, RCS, GEN7_MI_ARB_ON_OFF_HEADER, NOOP, GEN7_MI_SET_CONTEXT_HEADER,
          address | MUST | EXT_SAVE | EXT_RESTORE | (restore ? 0 : INHIBIT), NOOP,
          GEN7_MI_ARB_ON_OFF_HEADER | 1);
}

static void
counters_are_registers(void **state)
{
   proves("P3D-006", "P3D-007", "P3D-025");
   struct scene *s = *state;
   static const uint32_t others[] = {
       REG_3DPRIM_START_VERTEX,    REG_3DPRIM_VERTEX_COUNT,      REG_3DPRIM_INSTANCE_COUNT,
       REG_3DPRIM_START_INSTANCE,  REG_3DPRIM_BASE_VERTEX,       REG_3DPRIM_END_OFFSET,
       REG_SO_NUM_PRIMS_WRITTEN_0, REG_SO_PRIM_STORAGE_NEEDED_0, REG_MI_PREDICATE_SRC0,
       REG_MI_PREDICATE_SRC1,      REG_MI_PREDICATE_DATA};
   uint32_t reg[2 * COUNTERS + COUNT(others)];
   unsigned n = 0;
   for (unsigned i = 0; i < 2 * COUNTERS; i++)
      reg[n++] = counters[i / 2] + 4 * (i & 1);
   for (unsigned i = 0; i < COUNT(others); i++)
      reg[n++] = others[i];
   switch_to(s, CONTEXT_A, false);
   for (unsigned i = 0; i < n; i++) {
      if (i & 1) {
         SUBMIT(s->rig, RCS, LRI(1), reg[i], 0x1000 + i);
      } else {
         *rig_ggtt(s->rig, RIG_DATA - 0x800) = 0x1000 + i;
         SUBMIT(s->rig, RCS, LRM, reg[i], RIG_DATA - 0x800);
      }
   }
   switch_to(s, CONTEXT_B, false);
   for (unsigned i = 0; i < n; i++)
      SUBMIT(s->rig, RCS, LRI(1), reg[i], 0x2000 + i);
   switch_to(s, CONTEXT_A, true);
   for (unsigned i = 0; i < n; i++) {
      SUBMIT(s->rig, RCS, SRM, reg[i], RIG_DATA - 0x800);
      if (*rig_ggtt(s->rig, RIG_DATA - 0x800) != 0x1000 + i)
         fail_msg("register %#x: %#x, not %#x", reg[i], *rig_ggtt(s->rig, RIG_DATA - 0x800),
                  0x1000 + i);
   }
   reg_set(s->rig->dev, 0x2290, 0x1234); /* RCS-048: as it is */
   SUBMIT(s->rig, RCS, SRM, 0x2290, RIG_DATA - 0x800);
   assert_int_equal(*rig_ggtt(s->rig, RIG_DATA - 0x800), 0x1234);
   /* Global Snapshot Count Reset: all but the samples that passed, and the time. */
   uint64_t depth = counter(s, REG_PS_DEPTH_COUNT), now = clock_timestamp(s->rig->dev);
   SUBMIT(s->rig, RCS, PC, 1u << 19 | 1u << 20 | 1u << 1, 0, 0, 0);
   for (unsigned i = 0; i < COUNTERS; i++)
      assert_true(counter(s, counters[i]) == (counters[i] == REG_PS_DEPTH_COUNT ? depth : 0));
   assert_true(clock_timestamp(s->rig->dev) >= now);
}

/* RCS-077, RCS-089: a count that is stored is that of all draws before it, and of none behind it,
 * however the work is cut into turns. */
static void
depth_counts_in_order(void **state)
{
   proves("RCS-077", "RCS-089", "P3D-008");
   struct scene *s = *state;
   const uint32_t write[5] = {PC, 1u << 13 | 2u << 14 | 1u << 24, RIG_DATA - 0x800, 0, 0};
   s->wm.statistics_enable = true;
   for (unsigned threads = 1; threads <= 4; threads *= 2) {
      uint32_t dw[512];
      uint64_t count[3];
      unsigned n, turns = 0;
      s->rig->dev->config.host_threads = threads;
      set_rectangle(s, 0, 3, 2, 60, 31); /* 57 by 29 */
      prepare(s);
      memset(rig_ggtt(s->rig, RIG_DATA - 0x800), 0xee, 32);
      n = record(s, dw) - GEN7_3DPRIMITIVE_LENGTH;
      for (unsigned i = 0; i < 3; i++) {
         memcpy(dw + n, write, sizeof(write));
         dw[n + 2] += 8 * i;
         n += 5;
         n += i < 2 ? bare_primitive(s, dw + n) : 0;
      }
      rig_ring(s->rig, RCS, dw, n);
      for (; pergola_run(s->rig->dev, 500) == PERGOLA_RUN_BUDGET && turns < 100000; turns++)
         ;
      assert_in_range(turns, 10, 99999);
      memcpy(count, rig_ggtt(s->rig, RIG_DATA - 0x800), sizeof(count));
      assert_int_equal(count[1] - count[0], 57 * 29);
      assert_int_equal(count[2] - count[1], 57 * 29);
   }
}

/* ---- colour
 * ---------------------------------------------------------------------------------------
 */

#define DEPTH 0x270000u
#define STENCIL 0x280000u

/* DP-317: one message: to the format of the target, through alpha, depth and stencil test, and
 * blended with what was there. */
static void
through_all_tests(void **state)
{
   proves("DP-317", "P3D-001");
   struct scene *s = *state;
   enum { BLEND = 0x400, TESTS = 0x440, CALC = 0x480, RANGE = 0x4c0 };
   static const uint32_t pointers[8] = {0x78240000, BLEND | 1, 0x78250000, TESTS | 1,
                                        0x780e0000, CALC | 1,  0x78230000, RANGE};
   memcpy(s->extra, pointers, sizeof(pointers));
   s->extras = 8;
   rig_ggtt(s->rig, DYNAMIC + RANGE)[1] = 0x3f800000; /* depth from 0 to 1 */
   /* 0.5, 0.25, 0, and x / 64 */
   load_kernel(s, 0x400,
               "add(8) g10<1>UW g1.4<2,4,0>UW 0x10101010V { align1 WE_all 1Q };\n"
               "mov(8) g112<1>F 0.5F { align1 1Q };\n"
               "mov(8) g113<1>F 0.25F { align1 1Q };\n"
               "mov(8) g114<1>F 0.0F { align1 1Q };\n"
               "mov(8) g115<1>F g10<8,8,1>UW { align1 1Q };\n"
               "mul(8) g115<1>F g115<8,8,1>F 0.015625F { align1 1Q };\n" END8);
   s->ps.kernel_start_pointer_0 = 0x400;
   s->wm.pixel_shader_kills_pixel = true; /* the alpha test may */
   s->depth = (struct hw_3dstate_depth_buffer){.surface_type = 1,
                                               .depth_write_enable = true,
                                               .stencil_write_enable = true,
                                               .surface_format = 1,
                                               .width = WIDTH - 1,
                                               .height = HEIGHT - 1,
                                               .surface_pitch = 511,
                                               .surface_base_address = DEPTH};
   s->stencil =
       (struct hw_3dstate_stencil_buffer){.surface_pitch = 127, .surface_base_address = STENCIL};
   set_rectangle(s, 0, 0, 0, 64, 32);
   for (unsigned i = 0; i < 3; i++)
      s->vertex[i][2] = 0.5f;
   for (unsigned wrong = 0; wrong < 2; wrong++) { /* the stencil has 1; it is compared with 1, 2 */
      prepare(s);
      uint32_t *surface = rig_ggtt(s->rig, SURFACES + 0x40);
      gen7_render_surface_state_pack(
          surface, &(struct hw_render_surface_state){.surface_type = 1,
                                                     .surface_format = 0xc7,
                                                     .surface_base_address = TARGET,
                                                     .width = WIDTH - 1,
                                                     .height = HEIGHT - 1,
                                                     .surface_pitch = WIDTH * 4 - 1});
      gen7_blend_state_entry_pack(
          rig_ggtt(s->rig, DYNAMIC + BLEND),
          &(struct hw_blend_state_entry){.color_buffer_blend_enable = true,
                                         .source_blend_factor = 1,
                                         .destination_blend_factor = 1,
                                         .alpha_test_enable = true,
                                         .alpha_test_function = 5, /* GREATER */
                                         .color_clamp_range = 2,
                                         .pre_blend_color_clamp_enable = true,
                                         .post_blend_color_clamp_enable = true});
      gen7_depth_stencil_state_pack(
          rig_ggtt(s->rig, DYNAMIC + TESTS),
          &(struct hw_depth_stencil_state){.stencil_test_enable = true,
                                           .stencil_test_function = 3, /* EQUAL */
                                           .stencil_test_mask = 0xff,
                                           .depth_test_enable = true,
                                           .depth_test_function = 2}); /* LESS */
      uint32_t *calc = rig_ggtt(s->rig, DYNAMIC + CALC);
      memset(calc, 0, 24);
      calc[0] = 1u | (wrong + 1) << 24; /* float reference; stencil reference */
      calc[1] = 0x3e800000;             /* 0.25 */
      memset(rig_ggtt(s->rig, TARGET), 0x40, WIDTH * HEIGHT * 4);
      memset(rig_ggtt(s->rig, STENCIL), 1, 0x4000);
      for (unsigned i = 0; i < 128 * HEIGHT; i++) /* in the first tile: to the left of column 32 */
         rig_ggtt(s->rig, DEPTH)[i] = i < 32 * 32 ? 0x3e800000 : 0x3f800000;
      uint32_t dw[512];
      rig_submit(s->rig, RCS, dw, record(s, dw));
      for (unsigned y = 0; y < HEIGHT; y++)
         for (unsigned x = 0; x < WIDTH; x++) {
            const uint8_t *p = (const uint8_t *)(rig_ggtt(s->rig, TARGET) + y * WIDTH + x);
            bool drawn = !wrong && x > 16 && x >= 32;
            /* What was there and a half; all of the alpha. */
            assert_in_range(p[0], drawn ? 0x40 + 127 : 0x40, drawn ? 0x40 + 128 : 0x40);
            assert_in_range(p[1], drawn ? 0x40 + 63 : 0x40, drawn ? 0x40 + 65 : 0x40);
            assert_int_equal(p[2], 0x40);
         }
   }
   /* Without something in front the alpha test alone: from column 17 on. */
   for (unsigned i = 0; i < 128 * HEIGHT; i++)
      rig_ggtt(s->rig, DEPTH)[i] = 0x3f800000;
   memset(rig_ggtt(s->rig, TARGET), 0x40, WIDTH * HEIGHT * 4);
   rig_ggtt(s->rig, DYNAMIC + CALC)[0] = 1u | 1u << 24;
   draw_again(s);
   for (unsigned x = 0; x < WIDTH; x++)
      assert_int_equal(((uint8_t *)(rig_ggtt(s->rig, TARGET) + 5 * WIDTH + x))[0] > 0x40, x > 16);
}

/* ---- contexts -----------------------------------------------------------------------------------
 */

/* All that a draw needs, and another context's in between. */
static void
contexts_keep_state(void **state)
{
   proves("P3D-024", "P3D-043");
   struct scene *s = *state;
   static uint32_t before[WIDTH * HEIGHT * 4];
   vertex_shader(s);
   use_constant(s, 1234);
   s->buffer[0].vertex_buffer_index = 32; /* the last one there is */
   s->element[1].vertex_buffer_index = 32;
   s->primitive.primitive_topology_type = TRILIST;
   s->sf.cull_mode = 1;
   s->wm.polygon_stipple_enable = true;
   uint32_t pattern[33] = {GEN7_3DSTATE_POLY_STIPPLE_PATTERN_HEADER | 31};
   for (unsigned i = 0; i < 32; i++)
      pattern[1 + i] = 0x9e3779b9u * (i + 1);
   set_rectangle(s, 0, 0, 0, 60, 30);
   prepare(s);
   switch_to(s, CONTEXT_A, false);
   rig_submit(s->rig, RCS, pattern, 33);
   draw(s);
   memcpy(before, rig_ggtt(s->rig, TARGET), sizeof(before));
   unsigned lit = 0;
   for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
      lit += before[4 * i + 2] == 1234;
   assert_in_range(lit, 200, 700); /* half of a half */
   switch_to(s, CONTEXT_B, false);
   struct scene other = *s;
   other.ps.push_constant_enable = false;
   other.wm.polygon_stipple_enable = other.vs.enable = false;
   other.buffer[0].buffer_pitch = 16;
   other.elements = 1;
   memset(pattern + 1, 0xff, 128);
   rig_submit(s->rig, RCS, pattern, 33);
   draw(&other);
   switch_to(s, CONTEXT_A, true);
   wipe(s);
   draw_again(s); /* in another batch, with nothing said anew */
   assert_memory_equal(before, rig_ggtt(s->rig, TARGET), sizeof(before));
}

/* The counter of the line stipple goes on where the context was. */
static void
contexts_keep_the_stipple(void **state)
{
   proves("P3D-024", "P3D-237");
   struct scene *s = *state;
   s->primitive.primitive_topology_type = LINESTRIP_CONT; /* goes on from draw to draw */
   s->primitive.vertex_count_per_instance = 2;
   s->wm.line_stipple_enable = true;
   static uint32_t row[3][WIDTH];
   struct hw_3dstate_line_stipple stipple = {
       .line_stipple_pattern = 0x0f35, .line_stipple_repeat_count = 3, .modify_enable = true};
   for (unsigned way = 0; way < 2; way++) { /* without the other context, and with it */
      s->extras = 0;
      stipple.line_stipple_inverse_repeat_count = (1u << 16) / 3;
      EMIT(s->extra, s->extras, 3DSTATE_LINE_STIPPLE, 3dstate_line_stipple, &stipple);
      set_rectangle(s, 0, 0, 0, 0, 0);
      s->vertex[0][0] = 0.5f;
      s->vertex[1][0] = 17.5f; /* 17 pixels of a pattern of 48 */
      s->vertex[0][1] = s->vertex[1][1] = 3.5f;
      switch_to(s, CONTEXT_A, false);
      draw(s);
      if (way) {
         switch_to(s, CONTEXT_B, false);
         draw(s);
         draw_again(s);
         switch_to(s, CONTEXT_A, true);
      }
      wipe(s);
      draw_again(s);
      for (unsigned x = 0; x < WIDTH; x++)
         row[way][x] = pixel(s, x, 3)[3];
   }
   assert_memory_equal(row[0], row[1], sizeof(row[0]));
   for (unsigned x = 0; x < 17; x++) /* the pattern from its bit 17 / 3 on */
      assert_int_equal(row[0][x], 0x0f35 >> ((17 + x) / 3 % 16) & 1 ? 7 : UNTOUCHED);
}

/* ---- vertex shader threads ----------------------------------------------------------------------
 */

/* Slots: R0.0 to 3; R0.4 to 7; the first register behind the constants; the constant's first half.
 */
static void
dump_kernel(struct scene *s)
{
   load_kernel(s, VS_KERNEL,
               "mov(8) g112<1>UD g0<8,8,1>UD { align1 WE_all 1Q };\n"
               "mov(1) g112.5<1>UD 0x0000ff00UD { align1 WE_all };\n"
               "mov(4) g113<1>UD g0<4,4,1>UD { align1 WE_all };\n"
               "mov(4) g113.4<1>UD g0<4,4,1>UD { align1 WE_all };\n"
               "mov(4) g114<1>UD g0.4<4,4,1>UD { align1 WE_all };\n"
               "mov(4) g114.4<1>UD g0.4<4,4,1>UD { align1 WE_all };\n"
               "mov(8) g115<1>UD g4<8,8,1>UD { align1 WE_all 1Q };\n"
               "mov(4) g116<1>UD g3<4,4,1>UD { align1 WE_all };\n"
               "mov(4) g116.4<1>UD g3<4,4,1>UD { align1 WE_all };\n"
               "mov(1) g0.2<1>UD 0x55UD { align1 WE_all };\n" /* the next thread shall not see it */
               "send(8) null<1>UW g112<8,8,1>UD 0x0a08c000 urb MsgDesc: mlen 5 rlen 0 { align1 1Q "
               "EOT };\n");
}

struct shaded {
   uint32_t r0[8], vertex[4], constant[4];
};

static const struct shaded *
shaded(struct scene *s, unsigned i)
{
   return (const struct shaded *)(const void *)(rig_ggtt(s->rig, OUT) + 16 * i);
}

/* Points whose vertices go to memory whole: four slots each. */
static void
shade(struct scene *s, unsigned vertices)
{
   static const struct hw_3dstate_streamout so = {.so_function_enable = true,
                                                  .rendering_disable = true,
                                                  .so_buffer_enable_0 = true,
                                                  .stream_0_vertex_read_length = 1};
   static const struct hw_3dstate_so_buffer buffer = {
       .surface_base_address = OUT, .surface_end_address = OUT + 4 * OUT_DW, .surface_pitch = 64};
   static const uint32_t declarations[11] = {0x79170009, 1,     4, 0x00f, 0, 0x01f,
                                             0,          0x02f, 0, 0x03f, 0};
   static const uint32_t kernels_changed[5] = {0x7a000003, 1 << 11, 0, 0, 0};
   unsigned kept = s->extras;
   EMIT(s->extra, s->extras, 3DSTATE_STREAMOUT, 3dstate_streamout, &so);
   EMIT(s->extra, s->extras, 3DSTATE_SO_BUFFER, 3dstate_so_buffer, &buffer);
   memcpy(s->extra + s->extras, declarations, sizeof(declarations));
   s->extras += 11;
   s->primitive.primitive_topology_type = POINTLIST;
   s->primitive.vertex_count_per_instance = vertices;
   memset(rig_ggtt(s->rig, OUT), 0xcd, 4 * OUT_DW);
   rig_set(s->rig, REG_SO_WRITE_OFFSET_0, 0);
   rig_submit(s->rig, RCS, kernels_changed, 5);
   draw(s);
   s->extras = kept;
}

static void
vertex_threads(struct scene *s)
{
   vertex_shader(s);
   dump_kernel(s);
   const struct hw_3dstate_constant_vs constants = {.constant_buffer_0_read_length = 1,
                                                    .pointer_to_constant_buffer_0 = 0x900};
   for (unsigned i = 0; i < 8; i++)
      rig_ggtt(s->rig, DYNAMIC + 0x900)[i] = 500 + i;
   s->vs.dispatch_grf_start_register_for_urb_data = 3;
   EMIT(s->extra, s->extras, 3DSTATE_CONSTANT_VS, 3dstate_constant_vs, &constants);
   s->element[0] = element(0, 0x40, 0, VID, IID, ONE_I, ZERO);
   s->element[1] = element(0, 0x40, 0, ONE_I, VID, ZERO, ONE_I);
   s->elements = 2;
}

static void
payload_of_vertices(void **state)
{
   proves("P3D-094", "P3D-095", "P3D-096", "P3D-086", "P3D-072", "P3D-080");
   struct scene *s = *state;
   vertex_threads(s);
   const struct hw_3dstate_binding_table_pointers_vs table = {.pointer_to_binding_table = 0x60};
   const struct hw_3dstate_sampler_state_pointers_vs samplers = {.pointer_to_sampler_state = 0x140};
   EMIT(s->extra, s->extras, 3DSTATE_BINDING_TABLE_POINTERS_VS, 3dstate_binding_table_pointers_vs,
        &table);
   EMIT(s->extra, s->extras, 3DSTATE_SAMPLER_STATE_POINTERS_VS, 3dstate_sampler_state_pointers_vs,
        &samplers);
   s->vs.scratch_space_base_pointer = SCRATCH;
   s->vs.per_thread_scratch_space = 1;
   for (unsigned single = 0; single < 2; single++)
      for (unsigned offset = 0; offset < 2; offset++) {
         s->vs.single_vertex_dispatch = single;
         s->vs.vertex_urb_entry_read_offset = offset;
         s->elements = 2;
         if (offset) {
            s->element[2] = element(0, 0x40, 0, VID, VID, ONE_I, VID);
            s->elements = 3;
         }
         shade(s, 7);
         for (unsigned i = 0; i < 7; i++) {
            const struct shaded *v = shaded(s, i);
            bool alone = single || i == 6;
            unsigned first = ENTRIES * 128, half = single ? 0 : i & 1;
            /* Entries of three units, in the order of arrival. */
            assert_int_equal(v->r0[half] & 0xffff, first + 3 * i);
            if (alone)
               assert_int_equal(v->r0[1] & 0xffff, v->r0[0] & 0xffff);
            else
               assert_int_equal(v->r0[!half] & 0xffff, first + 3 * (i ^ 1));
            assert_int_equal(v->r0[2], 0);
            assert_int_equal(v->r0[3], 0x140 | 1);
            assert_int_equal(v->r0[4], 0x60);
            uint32_t slot = v->r0[5] & 0x1ff;
            assert_in_range(slot, 0, 255);
            assert_int_equal(v->r0[5] & ~0x3ffu, SCRATCH + slot * 2048);
            assert_int_equal(v->r0[6] & 0xffffff, single ? i : i / 2);
            const uint32_t plain[4] = {i, 0, 1, 0}, later[4] = {i, i, 1, i};
            assert_memory_equal(v->vertex, offset ? later : plain, 16);
            const uint32_t constant[4] = {500, 501, 502, 503};
            assert_memory_equal(v->constant, constant, 16);
            /* What went to memory lies in the entry of the URB that the handle names. */
            const uint8_t *entry = s->rig->dev->urb->data + (first + 3 * i) * URB_HANDLE_UNIT;
            assert_memory_equal(entry, v, 64);
         }
         assert_int_equal(shaded(s, 7)->r0[0], 0xcdcdcdcd);
      }
}

/* P3D-087: what 3DSTATE_VS says of arithmetic and exceptions is in cr0. */
static void
modes_of_vertices(void **state)
{
   proves("P3D-087");
   struct scene *s = *state;
   vertex_threads(s);
   load_kernel(s, VS_KERNEL,
               "mov(8) g112<1>UD g0<8,8,1>UD { align1 WE_all 1Q };\n"
               "mov(1) g112.5<1>UD 0x0000ff00UD { align1 WE_all };\n"
               "mov(8) g113<1>UD cr0<0,1,0>UD { align1 WE_all 1Q };\n"
               "mov(8) g114<1>UD cr0.1<0,1,0>UD { align1 WE_all 1Q };\n"
               "send(8) null<1>UW g112<8,8,1>UD 0x0608c000 urb MsgDesc: mlen 3 rlen 0 { align1 1Q "
               "EOT };\n");
   for (unsigned i = 0; i < 8; i++) {
      s->vs.floating_point_mode = i & 1;
      s->vs.illegal_opcode_exception_enable = i >> 1 & 1;
      s->vs.software_exception_enable = i >> 2;
      shade(s, 3);
      for (unsigned n = 0; n < 3; n++) {
         assert_int_equal(shaded(s, n)->r0[0] & 1, i & 1);
         assert_int_equal(shaded(s, n)->r0[4] >> 12 & 3, i >> 1);
      }
   }
}

static void
vertex_shader_off(void **state)
{
   proves("P3D-093", "P3D-089");
   struct scene *s = *state;
   static uint32_t before[16 * 40];
   vertex_threads(s);
   s->element[2] = s->element[3] = element(0, 0x40, 0, VID, ZERO, ONE_F, ONE_I);
   s->elements = 4;
   s->vs.enable = false;
   shade(s, 7);
   for (unsigned i = 0; i < 7; i++) {
      const uint32_t want[16] = {i, 0, 1, 0, 1, i, 0, 1, i, 0, 0x3f800000, 1, i, 0, 0x3f800000, 1};
      assert_memory_equal(shaded(s, i), want, 64);
   }
   /* Threads that there may be change where scratch is, and nothing else. */
   s->vs.enable = true;
   for (unsigned threads = 1; threads < 128; threads *= 3) {
      s->vs.maximum_number_of_threads = threads - 1;
      shade(s, 40);
      for (unsigned i = 0; i < 40; i++) {
         uint32_t *v = rig_ggtt(s->rig, OUT) + 16 * i;
         assert_in_range(v[5] & 0x1ff, 0, threads - 1);
         v[5] = 0;
      }
      if (threads > 1)
         assert_memory_equal(before, rig_ggtt(s->rig, OUT), sizeof(before));
      memcpy(before, rig_ggtt(s->rig, OUT), sizeof(before));
   }
}

/* ---- shaders that go wrong ----------------------------------------------------------------------
 */

struct seen {
   unsigned count;
   char maker[32];
};

static void
see(void *data, const struct pergola_thread *t)
{
   struct seen *to = data;
   to->count++;
   snprintf(to->maker, sizeof(to->maker), "%s", t->maker);
}

static void
without_end(void **state)
{
   proves("P3D-090");
   struct scene *s = *state;
   uint32_t dw[512];
   static const char *const maker[2] = {"vertex shader", "pixel shader"};
   for (unsigned stage = 0; stage < 2; stage++) {
      struct seen seen = {0};
      vertex_shader(s);
      load_kernel(s, 0x2000, "L:\njmpi(1) JIP: L { align1 WE_all 1N };\n" END8);
      s->vs.kernel_start_pointer = stage ? VS_KERNEL : 0x2000;
      s->ps.kernel_start_pointer_0 = stage ? 0x2000 : 0;
      prepare(s);
      rig_ring(s->rig, RCS, dw, record(s, dw));
      for (unsigned i = 0; i < 3; i++)
         assert_int_equal(pergola_run(s->rig->dev, 100000), PERGOLA_RUN_BUDGET);
      assert_in_range(pergola_threads(s->rig->dev, see, &seen), 1, 8);
      assert_string_equal(seen.maker, maker[stage]);
      rig_reset(s->rig, RCS);
      s->ps.kernel_start_pointer_0 = 0;
      s->vs.enable = false;
      draw(s);
      expect_pixels(s, 0, 0, 8, 4);
   }
}

/* Where nothing is mapped there is no kernel: told with its stage, and nothing comes of it. */
static void
outside_memory(void **state)
{
   proves("P3D-091");
   struct scene *s = *state;
   for (unsigned stage = 0; stage < 2; stage++) {
      vertex_shader(s);
      if (stage)
         s->vs.enable = false;
      else
         s->vs.kernel_start_pointer = 0x10000000;
      s->ps.kernel_start_pointer_0 = stage ? 0x11000000 : 0;
      draw(s);
      const struct rig_diagnostic *d = rig_find(s->rig, "EU-187");
      assert_non_null(d);
      assert_string_equal(d->subject, stage ? "pixel shader" : "vertex shader");
      expect_pixels(s, 0, 0, 0, 0);
      rig_reset(s->rig, RCS);
   }
}

/* P3D-076: a vertex of 192 bytes; its thread writes rows from an offset on, and reads them back.
 * What lies behind the entry is another's. */
static void
beyond_the_entry(void **state)
{
   proves("P3D-076", "P3D-079");
   struct scene *s = *state;
   for (unsigned way = 0; way < 4; way++) { /* rows of 32 bytes: the sixth is the last */
      static char text[1024];
      unsigned offset = way < 2 ? 4 : 5, rows = 2;
      bool native = way & 1, strays = way >= 2;
      vertex_threads(s);
      s->rig->dev->config.native = native ? PERGOLA_NATIVE_ALWAYS : PERGOLA_NATIVE_OFF;
      s->vs.single_vertex_dispatch = true;
      s->vs.kernel_start_pointer = 0x1000 + 0x400 * way;
      snprintf(text, sizeof(text),
               "mov(8) g112<1>UD g0<8,8,1>UD { align1 WE_all 1Q };\n"
               "mov(1) g112.5<1>UD 0x0000ff00UD { align1 WE_all };\n"
               "mov(8) g113<1>UD 0x77777777UD { align1 WE_all 1Q };\n"
               "mov(8) g114<1>UD 0x88888888UD { align1 WE_all 1Q };\n"
               "send(8) null<1>UW g112<8,8,1>UD 0x%08x urb MsgDesc: mlen 3 rlen 0 { align1 WE_all "
               "1Q };\n"
               "mov(8) g120<1>UD 0x99999999UD { align1 WE_all 1Q };\n"
               "mov(8) g121<1>UD 0x99999999UD { align1 WE_all 1Q };\n"
               "send(8) g120<1>UD g112<8,8,1>UD 0x%08x urb MsgDesc: mlen 1 rlen 2 { align1 WE_all "
               "1Q };\n"
               "mov(8) g113<1>UD g120<8,8,1>UD { align1 WE_all 1Q };\n"
               "mov(8) g114<1>UD g121<8,8,1>UD { align1 WE_all 1Q };\n"
               "send(8) null<1>UW g112<8,8,1>UD 0x06088000 urb MsgDesc: mlen 3 rlen 0 { align1 "
               "WE_all 1Q EOT };\n",
               0x06080000 | offset << 3, 0x02280002 | offset << 3);
      load_kernel(s, s->vs.kernel_start_pointer, text);
      uint8_t *urb = s->rig->dev->urb->data;
      memset(urb, 0x55, 65536);
      shade(s, 4);
      for (unsigned i = 0; i < 4; i++) {
         const uint32_t *entry =
             (const uint32_t *)(const void *)(urb + (ENTRIES * 128 + 3 * i) * URB_HANDLE_UNIT);
         const uint32_t *out = rig_ggtt(s->rig, OUT) + 16 * i;
         for (unsigned k = 0; k < 8 * rows; k++) {
            bool inside = 8 * offset + k < 48;
            assert_int_equal(out[k], !inside ? 0 : k < 8 ? 0x77777777 : 0x88888888);
            if (inside)
               assert_int_equal(entry[8 * offset + k], k < 8 ? 0x77777777 : 0x88888888);
         }
      }
      /* Behind the last of the four there is no vertex: it is as it was. */
      const uint32_t *behind = (const uint32_t *)(const void *)(urb + (ENTRIES * 128 + 12) * 64);
      for (unsigned k = 0; k < 48; k++)
         assert_int_equal(behind[k], 0x55555555);
      assert_int_equal(rig_count(s->rig, "P3D-076") > 0, strays);
      s->extras = 0;
   }
}

/* Nothing that was read before a reset is kept: a kernel, too, which needs to be told of else. */
static void
kernels_after_a_reset(void **state)
{
   proves("MEM-014");
   struct scene *s = *state;
   rig_looks_at_caches(s->rig);
   draw(s);
   assert_int_equal(pixel(s, 3, 2)[2], 9);
   load_kernel(s, 0,
               "mov(8) g112<1>UD 1UD { align1 1Q };\nmov(8) g113<1>UD 2UD { align1 1Q };\n"
               "mov(8) g114<1>UD 3UD { align1 1Q };\nmov(8) g115<1>UD 4UD { align1 1Q };\n" END8);
   rig_reset(s->rig, RCS);
   draw(s);
   assert_int_equal(pixel(s, 3, 2)[2], 3);
}

/* ---- vertex state -------------------------------------------------------------------------------
 */

static void
say_buffer(struct scene *s, const struct hw_vertex_buffer_state *b)
{
   uint32_t dw[5] = {0x78080000 | (4 - 1)};
   gen7_vertex_buffer_state_pack(dw + 1, b);
   rig_submit(s->rig, RCS, dw, 5);
}

/* So many dwords of the list. */
static void
say_elements(struct scene *s, const struct hw_vertex_element_state *e, unsigned dwords)
{
   uint32_t dw[1 + 2 * 40] = {0x78090000 | (dwords - 1)};
   for (unsigned i = 0; i < (dwords + 1) / 2; i++)
      gen7_vertex_element_state_pack(dw + 1 + 2 * i, &e[i]);
   rig_submit(s->rig, RCS, dw, 1 + dwords);
}

/* Buffers and elements are set apart from each other; what is not said anew stays. */
static void
buffers_and_elements_apart(void **state)
{
   proves("G3D-089", "G3D-090", "P3D-043");
   struct scene *s = *state;
   set_rectangle(s, 0, 0, 0, 10, 6);
   set_rectangle(s, 1, 20, 8, 30, 16);
   set_rectangle(s, 2, 40, 2, 50, 6);
   draw(s);
   expect_pixels(s, 0, 0, 10, 6);
   wipe(s);
   s->buffer[0].buffer_starting_address += sizeof(s->vertex[0]) * 3;
   say_buffer(s, &s->buffer[0]);
   draw_again(s);
   expect_pixels(s, 20, 8, 30, 16);
   wipe(s);
   s->buffer[0].null_vertex_buffer = true; /* which reads 0 */
   say_buffer(s, &s->buffer[0]);
   draw_again(s);
   expect_pixels(s, 0, 0, 0, 0);
   s->buffer[0].null_vertex_buffer = false;
   say_buffer(s, &s->buffer[0]);
   draw_again(s);
   expect_pixels(s, 20, 8, 30, 16);
   wipe(s);
   s->element[1].source_element_offset = sizeof(s->vertex[0]) * 3;
   say_elements(s, s->element, 4);
   draw_again(s);
   expect_pixels(s, 40, 2, 50, 6);
   rig_clean(s->rig);
}

/* A list ends with its command, or at the first that is not valid, or after 34. */
static void
element_lists(void **state)
{
   proves("G3D-090");
   struct scene *s = *state;
   struct hw_vertex_element_state list[40];
   for (unsigned i = 0; i < 40; i++)
      list[i] = s->element[i > 0];
   static const struct {
      unsigned dwords, invalid, want;
   } c[] = {{8, 40, 4}, {4, 40, 2},       {8, 2, 2},       {5, 40, 2},
            {8, 3, 3},  {2 * 34, 40, 34}, {2 * 40, 40, 34}};
   draw(s);
   for (unsigned i = 0; i < sizeof(c) / sizeof(c[0]); i++) {
      if (c[i].invalid < 40)
         list[c[i].invalid].valid = false;
      say_elements(s, list, c[i].dwords);
      wipe(s);
      draw_again(s);
      assert_int_equal(s->rig->dev->render->state.elements, c[i].want);
      expect_pixels(s, 0, 0, 8, 4);
      if (c[i].invalid < 40)
         list[c[i].invalid].valid = true;
   }
}

/* What no command of the context has named has no address; there are 33 buffers. */
static void
buffers_without_a_name(void **state)
{
   proves("G3D-089", "P3D-043", "P3D-042");
   struct scene *s = *state;
   prepare(s);
   switch_to(s, CONTEXT_A, false);
   s->buffer[0].vertex_buffer_index = s->element[1].vertex_buffer_index = 1;
   s->buffer[1].vertex_buffer_index = 2;
   draw(s);
   expect_pixels(s, 0, 0, 8, 4);
   rig_clean(s->rig);
   s->element[1].vertex_buffer_index = 0;
   draw(s);
   rig_expect(s->rig, "P3D-042");
   for (unsigned number = 33; number < 64; number += 30) {
      s->element[1].vertex_buffer_index = number;
      say_buffer(s, &(struct hw_vertex_buffer_state){.vertex_buffer_index = number,
                                                     .buffer_pitch = 12,
                                                     .address_modify_enable = true,
                                                     .buffer_starting_address = VERTICES,
                                                     .end_address = VERTICES + 0xfff});
      draw(s);
      rig_expect(s->rig, "P3D-042");
   }
   switch_to(s, CONTEXT_B, false);
   s->buffer[1] = s->buffer[0];
   s->buffer[1].vertex_buffer_index = s->element[1].vertex_buffer_index = 0;
   draw(s);
   rig_clean(s->rig);
   switch_to(s, CONTEXT_A, true); /* which has not named it */
   say_elements(s, s->element, 4);
   draw_again(s);
   rig_expect(s->rig, "P3D-042");
   wipe(s);
   say_buffer(s, &s->buffer[1]); /* now it has, and with nothing else said */
   draw_again(s);
   expect_pixels(s, 0, 0, 8, 4);
   rig_clean(s->rig);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       CASE(memory_is_read_by_the_draw),
       CASE(bases_move),
       CASE(constants_of_a_draw),
       CASE(media_selected),
       CASE(nothing_programmed),
       CASE(as_many_as_memory_says),
       CASE(statistics),
       CASE(counters_are_registers),
       CASE(depth_counts_in_order),
       CASE(through_all_tests),
       CASE(contexts_keep_state),
       CASE(buffers_and_elements_apart),
       CASE(element_lists),
       CASE(kernels_after_a_reset),
       CASE(buffers_without_a_name),
       CASE(contexts_keep_the_stipple),
       CASE(payload_of_vertices),
       CASE(modes_of_vertices),
       CASE(vertex_shader_off),
       CASE(without_end),
       CASE(outside_memory),
       CASE(beyond_the_entry),
   };
   return cmocka_run_group_tests_name("render_front", tests, NULL, NULL);
}
