/* The pixel back end in draws: rectangles with a depth, through pixel shaders that are assembled
 * here; colour, depth, stencil and counters are read back. */
#include "scene.h"
#include "tests/proves.h"
#include "eu/op.h"
#include "eu/tally.h"
#include "machine/float_bits.h"
#include "machine/host.h"
#include "oa/gen11.h"
#include "oa/oa.h"
#include "render/pixel_private.h"

#define DEPTH_AT 0x260000u /* Y-tiled, 64 by 32 pixels of 32 bits: two tiles in a row */
#define STENCIL_AT 0x270000u
#define SECOND_AT 0x250000u /* the second target, as the first */
#define DS_STATE 0x400u     /* offsets in dynamic state */
#define BLEND_STATE 0x500u
#define CC_STATE 0x600u
#define VIEWPORTS 0x700u

struct state {
   struct hw_depth_stencil_state ds;
   struct hw_blend_state_entry blend[2];
   struct hw_color_calc_state cc;
   struct hw_3dstate_clear_params clear;
   struct hw_cc_viewport viewport;
};

static struct state
plain_state(void)
{
   struct state st = {.viewport = {0, 1}};
   for (unsigned i = 0; i < 2; i++)
      st.blend[i].color_clamp_range = 2;
   return st;
}

/* Eight slots write red, green, blue and alpha from four constants; {0} is what comes before. */
#define COLORS(r, g, b, a)                                                                         \
   "mov(8) g112<1>F " r "F { align1 1Q };\nmov(8) g113<1>F " g "F { align1 1Q };\n"                \
   "mov(8) g114<1>F " b "F { align1 1Q };\nmov(8) g115<1>F " a "F { align1 1Q };\n"
/* R0 and R1 as a header in g110 and g111. */
#define HEADER                                                                                     \
   "mov(8) g110<1>UD g0<8,8,1>UD { align1 WE_all 1Q };\n"                                          \
   "mov(8) g111<1>UD g1<8,8,1>UD { align1 WE_all 1Q };\n"
#define KILL_ODD "and(1) g111.7<1>UD g111.7<0,1,0>UD 0xffff5555UD { align1 WE_all 1N };\n"
#define END_HEADER                                                                                 \
   "send(8) null<1>UW g110<8,8,1>UD 0x0c0b1400 render MsgDesc: mlen 6 rlen 0 { align1 1Q EOT };\n"

static void
put_depth(struct scene *s, float z)
{
   for (unsigned i = 0; i < 3; i++)
      s->vertex[i][2] = z;
}

static void
prepare_state(struct scene *s, const struct state *st)
{
   const struct hw_3dstate_stencil_buffer stencil = {.surface_pitch = 127,
                                                     .surface_base_address = STENCIL_AT};
   uint32_t *dw = s->extra;
   unsigned n = 0;
   gen7_depth_stencil_state_pack(rig_ggtt(s->rig, DYNAMIC + DS_STATE), &st->ds);
   gen7_color_calc_state_pack(rig_ggtt(s->rig, DYNAMIC + CC_STATE), &st->cc);
   gen7_cc_viewport_pack(rig_ggtt(s->rig, DYNAMIC + VIEWPORTS), &st->viewport);
   for (unsigned i = 0; i < 2; i++)
      gen7_blend_state_entry_pack(rig_ggtt(s->rig, DYNAMIC + BLEND_STATE) + 2 * i, &st->blend[i]);
   EMIT(dw, n, 3DSTATE_DEPTH_STENCIL_STATE_POINTERS, 3dstate_depth_stencil_state_pointers,
        &(struct hw_3dstate_depth_stencil_state_pointers){DS_STATE});
   EMIT(dw, n, 3DSTATE_BLEND_STATE_POINTERS, 3dstate_blend_state_pointers,
        &(struct hw_3dstate_blend_state_pointers){BLEND_STATE});
   EMIT(dw, n, 3DSTATE_CC_STATE_POINTERS, 3dstate_cc_state_pointers,
        &(struct hw_3dstate_cc_state_pointers){CC_STATE});
   EMIT(dw, n, 3DSTATE_VIEWPORT_STATE_POINTERS_CC, 3dstate_viewport_state_pointers_cc,
        &(struct hw_3dstate_viewport_state_pointers_cc){VIEWPORTS});
   EMIT(dw, n, 3DSTATE_STENCIL_BUFFER, 3dstate_stencil_buffer, &stencil);
   EMIT(dw, n, 3DSTATE_CLEAR_PARAMS, 3dstate_clear_params, &st->clear);
   s->extras = n;
   s->depth = (struct hw_3dstate_depth_buffer){.surface_type = 1,
                                               .surface_format = 1,
                                               .surface_pitch = 255,
                                               .surface_base_address = DEPTH_AT,
                                               .depth_write_enable = true,
                                               .stencil_write_enable = true,
                                               .width = WIDTH - 1,
                                               .height = HEIGHT - 1};
}

static uint32_t *
depth_at(struct scene *s, unsigned x, unsigned y)
{
   unsigned x_B = x * 4;
   return rig_ggtt(s->rig, DEPTH_AT + x_B / 128 * 4096 + x_B % 128 / 16 * 512 + y * 16 + x_B % 16);
}

static void
fill_depth(struct scene *s, float z)
{
   for (unsigned y = 0; y < HEIGHT; y++)
      for (unsigned x = 0; x < WIDTH; x++)
         *depth_at(s, x, y) = float_bits(z);
}

static uint64_t
passed(struct scene *s)
{
   return rig_reg(s->rig, REG_PS_DEPTH_COUNT);
}

static void
reset_counts(struct scene *s)
{
   rig_set(s->rig, REG_PS_DEPTH_COUNT, 0);
   rig_set(s->rig, REG_PS_INVOCATION_COUNT, 0);
}

static struct state
depth_state(unsigned function)
{
   struct state st = plain_state();
   st.ds = (struct hw_depth_stencil_state){.depth_test_enable = true,
                                           .depth_test_function = function,
                                           .depth_buffer_write_enable = true};
   return st;
}

enum { LESS = 2, GREATER = 5 };
enum { NORMAL, PSEXEC, PREPS };

/* ---- when -------------------------------------------------------------------------------------
 */

/* A shader that kills every second pixel, with the tests before it and behind it. */
static void
kill_and_tests(void **state)
{
   proves("P3D-289", "P3D-290", "P3D-292", "P3D-323");
   struct scene *s = *state;
   struct state st = depth_state(LESS);
   load_kernel(s, 0, COLORS("1.0", "0.5", "0.25", "1.0") HEADER KILL_ODD END_HEADER);
   s->wm.statistics_enable = true;
   s->wm.pixel_shader_kills_pixel = true;
   for (unsigned when = NORMAL; when <= PREPS; when++) {
      s->wm.early_depth_stencil_control = when;
      put_depth(s, 0.25f);
      fill_depth(s, 0.5f);
      prepare_state(s, &st);
      reset_counts(s);
      draw(s);
      assert_int_equal(passed(s), when == PREPS ? 32 : 16);
      for (unsigned y = 0; y < 4; y++)
         for (unsigned x = 0; x < 8; x++) {
            bool killed = x & 1;
            assert_int_equal(*depth_at(s, x, y),
                             float_bits(killed && when != PREPS ? 0.5f : 0.25f));
            assert_int_equal(pixel(s, x, y)[0], killed ? UNTOUCHED : float_bits(1.0f));
         }
   }
}

/* The shader runs for pixels that fail with PSEXEC alone. */
static void
runs_if_asked(void **state)
{
   proves("P3D-288", "P3D-290", "P3D-291");
   struct scene *s = *state;
   struct state st = depth_state(GREATER);
   s->wm.statistics_enable = true;
   for (unsigned when = NORMAL; when <= PREPS; when++) {
      s->wm.early_depth_stencil_control = when;
      put_depth(s, 0.25f);
      fill_depth(s, 0.5f);
      prepare_state(s, &st);
      reset_counts(s);
      draw(s);
      assert_int_equal(rig_reg(s->rig, REG_PS_INVOCATION_COUNT), when == PSEXEC ? 32 : 0);
      assert_int_equal(passed(s), 0);
      expect_pixels(s, 0, 0, 0, 0);
      assert_int_equal(*depth_at(s, 3, 3), float_bits(0.5f));
   }
   rig_clean(s->rig);
}

/* P3D-291: whole rows of groups count as one by one. */
static void
invocations_of_rows(void **state)
{
   proves("P3D-291");
   struct scene *s = *state;
   s->wm.statistics_enable = true;
   s->ps._8_pixel_dispatch_enable = false;
   s->ps._16_pixel_dispatch_enable = true;
   load_kernel(
       s, 0,
       "mov(16) g112<1>F 1.0F { align1 1H };\nmov(16) g114<1>F 1.0F { align1 1H };\n"
       "mov(16) g116<1>F 1.0F { align1 1H };\nmov(16) g118<1>F 1.0F { align1 1H };\n" END16);
   set_rectangle(s, 0, 0, 0, WIDTH, HEIGHT);
   for (unsigned native = 0; native <= host_has_vectors(); native++) {
      s->rig->dev->eu->native_after = native;
      reset_counts(s);
      for (unsigned i = 0; i < 3; i++)
         draw(s);
      assert_int_equal(rig_reg(s->rig, REG_PS_INVOCATION_COUNT), 3 * WIDTH * HEIGHT);
   }
}

/* Without threads depth is written and counted all the same. */
static void
without_threads(void **state)
{
   proves("P3D-285", "P3D-292", "P3D-315");
   struct scene *s = *state;
   struct state st = depth_state(0);
   st.ds.stencil_test_enable = st.ds.stencil_buffer_write_enable = true;
   st.ds.stencil_pass_depth_pass_op = GEN7_STENCIL_OPERATION_REPLACE;
   st.ds.stencil_write_mask = 0xff;
   st.cc.stencil_reference_value = 0x42;
   s->wm.thread_dispatch_enable = false;
   s->wm.statistics_enable = true;
   put_depth(s, 0.75f);
   fill_depth(s, 0);
   prepare_state(s, &st);
   reset_counts(s);
   draw(s);
   assert_int_equal(passed(s), 32);
   assert_int_equal(rig_reg(s->rig, REG_PS_INVOCATION_COUNT), 0);
   assert_int_equal(*depth_at(s, 7, 3), float_bits(0.75f));
   assert_int_equal(*depth_at(s, 8, 3), 0);
   assert_int_equal(*rig_ggtt(s->rig, STENCIL_AT) & 0xff, 0x42);
   expect_pixels(s, 0, 0, 0, 0);
   s->wm.statistics_enable = false;
   draw(s);
   assert_int_equal(passed(s), 32);
   rig_clean(s->rig);
}

/* Depth lies on the plane of the vertices, also when it is tested behind the shader, for groups of
 * four subspans and for others. */
static void
depths_behind_the_shader(void **state)
{
   proves("P3D-270");
   struct scene *s = *state;
   struct state st = depth_state(0);
   s->wm.pixel_shader_kills_pixel = true;
   load_kernel(
       s, 0,
       "mov(16) g112<1>F 1.0F { align1 1H };\nmov(16) g114<1>F 1.0F { align1 1H };\n"
       "mov(16) g116<1>F 1.0F { align1 1H };\nmov(16) g118<1>F 1.0F { align1 1H };\n" END16);
   s->ps._8_pixel_dispatch_enable = false;
   s->ps._16_pixel_dispatch_enable = true;
   set_rectangle(s, 0, 0, 0, 20, 16);
   s->vertex[0][2] = 0.75f; /* right, below */
   s->vertex[1][2] = 0.25f;
   s->vertex[2][2] = 0.125f;
   fill_depth(s, 0);
   prepare_state(s, &st);
   draw(s);
   for (unsigned y = 0; y < 16; y++)
      for (unsigned x = 0; x < 20; x++) {
         float want = 0.125f + 0.5f * ((float)x + 0.5f) / 20 + 0.125f * ((float)y + 0.5f) / 16;
         assert_float_equal(bits_float(*depth_at(s, x, y)), want, 1e-6);
      }
}

/* ---- computed depth ---------------------------------------------------------------------------
 */

static void
computed_depth(void **state)
{
   proves("P3D-308", "P3D-309");
   struct scene *s = *state;
   enum { ON = 1, ON_GE, ON_LE };
   struct state st = depth_state(LESS);
   st.viewport = (struct hw_cc_viewport){0, 0.375f};
   load_kernel(
       s, 0,
       COLORS(
           "1", "0", "0",
           "1") "mov(8) g116<1>F 0.75F { align1 1Q };\n"
                "send(8) null<1>UW g112<8,8,1>UD 0x0a031400 render MsgDesc: mlen 5 rlen 0 { align1 "
                "1Q EOT };\n");
   for (unsigned mode = ON; mode <= ON_LE; mode++) {
      s->wm.pixel_shader_computed_depth_mode = mode;
      put_depth(s, 0.75f); /* equal is on either side */
      prepare_state(s, &st);
      draw(s);
      assert_int_equal(rig_count(s->rig, "P3D-309"), 0);
      put_depth(s, 0.125f);
      fill_depth(s, 0.5f);
      prepare_state(s, &st);
      draw(s);
      assert_int_equal(*depth_at(s, 3, 3), float_bits(0.375f)); /* clamped */
      assert_int_equal(rig_count(s->rig, "P3D-309") != 0, mode == ON_LE);
   }
}

/* ---- several targets --------------------------------------------------------------------------
 */

static void
second_target(struct scene *s, unsigned type)
{
   rig_ggtt(s->rig, SURFACES)[1] = 0x80;
   gen7_render_surface_state_pack(
       rig_ggtt(s->rig, SURFACES + 0x80),
       &(struct hw_render_surface_state){.surface_type = type,
                                         .surface_format = GEN7_SURFACE_FORMAT_R8G8B8A8_UNORM,
                                         .surface_base_address = SECOND_AT,
                                         .width = WIDTH - 1,
                                         .height = HEIGHT - 1,
                                         .surface_pitch = WIDTH * 4 - 1});
}

/* The second target has the second entry; depth and count come with the last message. */
static void
last_target_decides(void **state)
{
   proves("P3D-310", "P3D-335");
   struct scene *s = *state;
   struct state st = depth_state(LESS);
   st.blend[1].write_disable_red = true;
   second_target(s, 1);
   /* target 1 by the header's index, not the last; then target 0, of floats, which ends it */
   load_kernel(
       s, 0,
       COLORS("1.0", "1.0", "0.0", "1.0") HEADER
       "mov(1) g110.2<1>UD 1UD { align1 WE_all 1N };\n"
       "send(8) null<1>UW g110<8,8,1>UD 0x0c0b0401 render MsgDesc: mlen 6 rlen 0 { align1 1Q };\n"
       "mov(1) g110.2<1>UD 0UD { align1 WE_all 1N };\n" END_HEADER);
   s->wm.statistics_enable = true;
   s->wm.early_depth_stencil_control = PSEXEC;
   put_depth(s, 0.25f);
   fill_depth(s, 0.5f);
   prepare_state(s, &st);
   reset_counts(s);
   for (unsigned i = 0; i < 64; i++)
      rig_ggtt(s->rig, SECOND_AT)[i] = 0x11223344;
   draw(s);
   assert_int_equal(passed(s), 32); /* once for each pixel */
   assert_int_equal(*depth_at(s, 0, 0), float_bits(0.25f));
   assert_int_equal(rig_ggtt(s->rig, SECOND_AT)[3], 0xff00ff44); /* red stays */
   assert_int_equal(rig_ggtt(s->rig, SECOND_AT)[8], 0x11223344);
   draw(s); /* now it fails: nothing changes, in neither target */
   assert_int_equal(passed(s), 32);
   expect_pixels(s, 0, 0, 0, 0);
   rig_clean(s->rig);
}

/* P3D-335: without a header the first target, with the first entry: its masks and its alpha test,
 * for every thread. */
static void
headerless_target(void **state)
{
   proves("P3D-335");
   struct scene *s = *state;
   load_kernel(s, 0, COLORS("1.0", "0.5", "0.25", "1.0") END8);
   for (unsigned entry = 0; entry < 2; entry++)
      for (unsigned tests = 0; tests < 2; tests++) {
         struct state st = plain_state();
         st.blend[entry].write_disable_red = !tests;
         st.blend[entry].alpha_test_enable = tests;
         st.blend[entry].alpha_test_function = 1; /* NEVER */
         prepare_state(s, &st);
         draw(s);
         for (unsigned i = 0; i < 32; i++) {
            const uint32_t *p = pixel(s, i % 8, i / 8);
            assert_int_equal(p[0], entry == 0 ? UNTOUCHED : float_bits(1.0f));
            assert_int_equal(p[1], entry == 0 && tests ? UNTOUCHED : float_bits(0.5f));
         }
      }
   rig_clean(s->rig);
}

static void
null_target(void **state)
{
   proves("P3D-356");
   struct scene *s = *state;
   struct state st = depth_state(LESS);
   load_kernel(s, 0,
               COLORS("1.0", "1.0", "0.0", "1.0") "send(8) null<1>UW g112<8,8,1>UD 0x08031401 "
                                                  "render MsgDesc: mlen 4 rlen 0 { align1 "
                                                  "1Q EOT };\n");
   s->wm.early_depth_stencil_control = PSEXEC;
   s->wm.statistics_enable = true;
   put_depth(s, 0.25f);
   for (unsigned none = 0; none < 2; none++) {
      second_target(s, none ? 7 : 1);
      fill_depth(s, 0.5f);
      prepare_state(s, &st);
      reset_counts(s);
      *rig_ggtt(s->rig, SECOND_AT) = 0x11223344;
      draw(s);
      assert_int_equal(passed(s), 32);
      assert_int_equal(*depth_at(s, 0, 0), float_bits(0.25f));
      assert_int_equal(*rig_ggtt(s->rig, SECOND_AT), none ? 0x11223344 : 0xff00ffff);
      rig_clean(s->rig);
   }
}

/* ---- alpha ------------------------------------------------------------------------------------
 */

/* Alpha above one half passes, in both targets. */
static void
test_alpha(struct state *st)
{
   for (unsigned i = 0; i < 2; i++) {
      st->blend[i].alpha_test_enable = true;
      st->blend[i].alpha_test_function = GREATER;
   }
   st->cc.alpha_test_format = 1;
   st->cc.alpha_reference_value = float_bits(0.5f);
}

/* A pixel counts, and its depth is written, if any target's alpha passes. */
static void
any_target_passes(void **state)
{
   proves("P3D-351");
   struct scene *s = *state;
   struct state st = depth_state(LESS);
   test_alpha(&st);
   second_target(s, 1);
   s->wm.statistics_enable = true;
   put_depth(s, 0.25f);
   load_kernel(
       s, 0,
       COLORS("1.0", "1.0", "0.0", "0.75") HEADER
       "mov(1) g110.2<1>UD 1UD { align1 WE_all 1N };\n"
       "send(8) null<1>UW g110<8,8,1>UD 0x0c0b0401 render MsgDesc: mlen 6 rlen 0 { align1 1Q };\n"
       "mov(1) g110.2<1>UD 0UD { align1 WE_all 1N };\n"
       "mov(8) g115<1>F 0.25F { align1 1Q };\n" END_HEADER);
   for (unsigned fails = 0; fails < 2; fails++) {
      st.cc.alpha_reference_value = float_bits(fails ? 0.875f : 0.5f);
      fill_depth(s, 0.5f);
      prepare_state(s, &st);
      reset_counts(s);
      rig_ggtt(s->rig, SECOND_AT)[3] = 0x11223344;
      draw(s);
      assert_int_equal(passed(s), fails ? 0 : 32);
      assert_int_equal(*depth_at(s, 3, 0), float_bits(fails ? 0.5f : 0.25f));
      assert_int_equal(rig_ggtt(s->rig, SECOND_AT)[3], fails ? 0x11223344 : 0xbf00ffff);
      assert_int_equal(*pixel(s, 3, 0), UNTOUCHED); /* the first target's alpha fails */
   }
}

/* Alpha to one comes before the alpha test, that before the tests of stencil and depth, and the
 * write disables behind the blend. */
static void
order_of_tests(void **state)
{
   proves("P3D-334");
   struct scene *s = *state;
   struct state st = depth_state(LESS);
   test_alpha(&st);
   st.ds.stencil_test_enable = st.ds.stencil_buffer_write_enable = true;
   st.ds.stencil_test_function = GREATER; /* reference against 0: fails if the reference is 0 */
   st.ds.stencil_test_mask = st.ds.stencil_write_mask = 0xff;
   st.ds.stencil_fail_op = GEN7_STENCIL_OPERATION_INCRSAT;
   st.ds.stencil_pass_depth_fail_op = GEN7_STENCIL_OPERATION_INCRSAT;
   st.ds.stencil_pass_depth_pass_op = GEN7_STENCIL_OPERATION_INCRSAT;
   s->wm.statistics_enable = true;
   put_depth(s, 0.25f);
   load_kernel(s, 0, COLORS("1.0", "0.5", "0.0", "0.25") HEADER END_HEADER);
   for (unsigned to_one = 0; to_one < 2; to_one++) {
      st.blend[0].alphatoone_enable = to_one;
      st.blend[0].write_disable_green = to_one;
      fill_depth(s, 0.5f);
      prepare_state(s, &st);
      reset_counts(s);
      memset(rig_ggtt(s->rig, STENCIL_AT), 0, 4096);
      draw(s); /* alpha lets nothing through: not even the stencil buffer hears of it */
      assert_int_equal(passed(s), 0);
      assert_int_equal(*rig_ggtt(s->rig, STENCIL_AT) != 0, to_one);
      st.cc.stencil_reference_value = 1;
      prepare_state(s, &st);
      memset(rig_ggtt(s->rig, STENCIL_AT), 0, 4096);
      draw(s);
      assert_int_equal(passed(s), to_one ? 32 : 0);
      assert_int_equal(*depth_at(s, 0, 0), float_bits(to_one ? 0.25f : 0.5f));
      st.cc.stencil_reference_value = 0;
   }
   const uint32_t *p = pixel(s, 0, 0);
   assert_int_equal(p[0], float_bits(1.0f));
   assert_int_equal(p[1], UNTOUCHED);
}

/* ---- clears and resolves ----------------------------------------------------------------------
 */

static void
depth_clears(void **state)
{
   proves("P3D-311", "P3D-312", "P3D-314");
   struct scene *s = *state;
   struct state st = depth_state(LESS);
   st.ds.depth_test_enable = false;
   st.clear = (struct hw_3dstate_clear_params){float_bits(0.625f), true};
   set_rectangle(s, 0, 0, 0, 16, 8);
   put_depth(s, 0.25f);
   fill_depth(s, 0.5f);
   s->wm = (struct hw_3dstate_wm){.statistics_enable = true, .depth_buffer_clear = true};
   prepare_state(s, &st);
   reset_counts(s);
   draw(s);
   assert_int_equal(*depth_at(s, 15, 7), float_bits(0.625f));
   assert_int_equal(*depth_at(s, 16, 7), float_bits(0.5f));
   assert_int_equal(passed(s) | rig_reg(s->rig, REG_PS_INVOCATION_COUNT), 0);
   st.clear.depth_clear_value_valid = false; /* the rectangle's own */
   prepare_state(s, &st);
   draw(s);
   assert_int_equal(*depth_at(s, 15, 7), float_bits(0.25f));
   for (unsigned hierarchical = 0; hierarchical < 2; hierarchical++) {
      s->wm = (struct hw_3dstate_wm){.statistics_enable = true,
                                     .depth_buffer_resolve_enable = !hierarchical,
                                     .hierarchical_depth_buffer_resolve_enable = hierarchical};
      fill_depth(s, 0.5f);
      draw(s);
      assert_int_equal(*depth_at(s, 3, 3), float_bits(0.5f));
      assert_int_equal(passed(s), 0);
      expect_pixels(s, 0, 0, 0, 0);
      rig_clean(s->rig);
   }
   s->wm.depth_buffer_clear = true; /* two at once */
   draw(s);
   assert_int_equal(rig_count(s->rig, "P3D-314"), 1);
   s->wm.hierarchical_depth_buffer_resolve_enable = false;
   draw(s);
   rig_clean(s->rig);
   set_rectangle(s, 0, 0, 0, 15, 8); /* a part of a block */
   draw(s);
   assert_int_equal(rig_count(s->rig, "P3D-314"), 1);
   set_rectangle(s, 0, 0, 0, 16, 8);
   s->wm.thread_dispatch_enable = true;
   draw(s);
   assert_int_equal(rig_count(s->rig, "P3D-314"), 1);
   expect_pixels(s, 0, 0, 0, 0);
}

/* P3D-314: of how many pixels a block is, by the samples of one. A report comes once a device. */
static void
blocks_of_clears(void **state)
{
   proves("P3D-314");
   (void)state;
   static const int32_t block[][3] = {{1, 8, 4}, {4, 4, 2}, {8, 2, 2}};
   for (unsigned i = 0; i < 5 * COUNT(block); i++) {
      void *own = NULL;
      setup(&own);
      struct scene *s = own;
      const struct pixel p = {.dev = s->rig->dev, .samples = (uint8_t)block[i / 5][0]};
      int32_t w = block[i / 5][1], h = block[i / 5][2];
      const int32_t by[5][4] = {{0}, {w / 2}, {0, h / 2}, {0, 0, w / 2}, {0, 0, 0, h / 2}},
                    *d = by[i % 5];
      pixel_check_place(&p, w + d[0], h + d[1], 3 * w + d[2], 2 * h + d[3]);
      assert_int_equal(rig_count(s->rig, "P3D-314"), i % 5 != 0);
      teardown(&own);
   }
}

/* A draw in turns of 1000; how many there were. */
static unsigned
draw_in_turns(struct scene *s)
{
   uint32_t dw[512];
   unsigned turns = 1;
   prepare(s);
   rig_ring(s->rig, RCS, dw, record(s, dw));
   while (pergola_run(s->rig->dev, 1000) == PERGOLA_RUN_BUDGET)
      turns++;
   return turns;
}

enum { BIG = 0x300000, MCS = 0x380000 };

static const struct hw_render_surface_state fast_target = {.surface_type = 1,
                                                           .surface_format =
                                                               GEN7_SURFACE_FORMAT_R8G8B8A8_UNORM,
                                                           .surface_base_address = BIG,
                                                           .tiled_surface = true,
                                                           .tile_walk = 1,
                                                           .width = 99,
                                                           .height = 99,
                                                           .surface_pitch = 511,
                                                           .mcs_enable = true,
                                                           .mcs_base_address = MCS,
                                                           .red_clear_color = 1,
                                                           .alpha_clear_color = 1};

static void
set_fast_target(struct scene *s, const struct hw_render_surface_state *target)
{
   rig_ggtt(s->rig, SURFACES)[1] = 0x80;
   gen7_render_surface_state_pack(rig_ggtt(s->rig, SURFACES + 0x80), target);
}

/* Threads that send one colour for all their pixels. */
static void
begin_fast_clear(struct scene *s)
{
   static const char *const replicated =
       "mov(8) g112<1>UD 0x3f000000UD { align1 WE_all 1Q };\n"
       "send(16) null<1>UW g112<8,8,1>UD 0x02031101 render MsgDesc: mlen 1 rlen 0 { align1 1H EOT "
       "};\n";
   set_fast_target(s, &fast_target);
   load_kernel(s, 0, replicated);
   s->ps._8_pixel_dispatch_enable = false;
   s->ps._16_pixel_dispatch_enable = true;
   s->ps.render_target_fast_clear_enable = true;
}

/* A target of 128 by 128 pixels in Y tiles; a pixel of the clear is 64 by 64 of them. */
static void
fast_clears(void **state)
{
   proves("P3D-365", "P3D-366", "P3D-367");
   struct scene *s = *state;
   const struct state st = plain_state();
   begin_fast_clear(s);
   prepare_state(s, &st);
   s->depth = (struct hw_3dstate_depth_buffer){.surface_type = 7, .surface_format = 1};
   memset(rig_ggtt(s->rig, BIG), 0x77, 0x20000);
   memset(rig_ggtt(s->rig, MCS), 0x55, 0x1000);
   set_rectangle(s, 0, 0, 0, 2, 1);            /* 128 by 64 pixels, of which 100 by 64 are there */
   assert_in_range(draw_in_turns(s), 16, 100); /* two messages, but thousands of stores */
   for (unsigned y = 0; y < 128; y++)
      for (unsigned x = 0; x < 128; x++) {
         uint32_t at = y / 32 * 512 * 32 + x * 4 / 128 * 4096 + x * 4 % 128 / 16 * 512 +
                       y % 32 * 16 + x * 4 % 16;
         bool in = x < 100 && y < 64;
         if (*rig_ggtt(s->rig, BIG + at) != (in ? 0xff0000ff : 0x77777777))
            fail_msg("%u,%u: %#x", x, y, *rig_ggtt(s->rig, BIG + at));
      }
   assert_int_equal(*rig_ggtt(s->rig, MCS), 0x55555555);
   rig_clean(s->rig);
   /* a resolve changes nothing */
   s->ps.render_target_fast_clear_enable = false;
   s->ps.render_target_resolve_enable = true;
   draw(s);
   assert_int_equal(*rig_ggtt(s->rig, BIG), 0xff0000ff);
   rig_clean(s->rig);
   /* colours of their own */
   s->ps.render_target_resolve_enable = false;
   s->ps.render_target_fast_clear_enable = true;
   s->ps.kernel_start_pointer_0 = 0x1000;
   load_kernel(s, 0x1000,
               COLORS("1.0", "1.0", "0.0", "1.0") "send(8) null<1>UW g112<8,8,1>UD 0x08031401 "
                                                  "render MsgDesc: mlen 4 rlen 0 { align1 "
                                                  "1Q EOT };\n");
   s->ps._8_pixel_dispatch_enable = true;
   s->ps._16_pixel_dispatch_enable = false;
   draw(s);
   assert_int_equal(rig_count(s->rig, "P3D-368"), 1);
}

enum {
   CLEAR_GOOD,
   CLEAR_64,
   CLEAR_128,
   CLEAR_TRIANGLE,
   CLEAR_UNALIGNED,
   CLEAR_LINEAR,
   CLEAR_ARRAY,
   CLEAR_LEVEL,
   CLEAR_SMALL,
   CLEARS
};

/* What a fast clear has to be, and each of what it must not, on a device that has named nothing. */
static void
fast_clear_rules(void **state)
{
   proves("P3D-368");
   (void)state;
   for (unsigned i = 0; i < CLEARS; i++) {
      struct hw_render_surface_state target = fast_target;
      const struct state st = plain_state();
      void *own = NULL;
      setup(&own);
      struct scene *s = own;
      target.tiled_surface = i != CLEAR_LINEAR;
      target.surface_array = i == CLEAR_ARRAY;
      target.depth = i == CLEAR_ARRAY; /* two elements */
      target.mip_count_or_lod = i == CLEAR_LEVEL;
      if (i == CLEAR_SMALL)
         target.surface_format = GEN7_SURFACE_FORMAT_R8_UNORM;
      if (i == CLEAR_64)
         target.surface_format = GEN7_SURFACE_FORMAT_R16G16B16A16_FLOAT;
      if (i == CLEAR_128)
         target.surface_format = GEN7_SURFACE_FORMAT_R32G32B32A32_FLOAT;
      begin_fast_clear(s);
      set_fast_target(s, &target);
      prepare_state(s, &st);
      s->depth = (struct hw_3dstate_depth_buffer){.surface_type = 7, .surface_format = 1};
      set_rectangle(s, 0, 0, 0, i == CLEAR_UNALIGNED ? 1.5f : 2, 1);
      if (i == CLEAR_TRIANGLE)
         s->primitive.primitive_topology_type = GEN7_3D_PRIMITIVE_TOPOLOGY_TYPE_TRILIST;
      draw(s);
      if (rig_count(s->rig, "P3D-368") != (i > CLEAR_128))
         fail_msg("clear %u: %u reports", i, rig_count(s->rig, "P3D-368"));
      teardown(&own);
   }
}

/* ---- performance counters ---------------------------------------------------------------------
 */

static void
no_report(void *data, uint64_t address, bool ggtt, const void *bytes, size_t size)
{
   (void)data, (void)address, (void)ggtt, (void)bytes, (void)size;
   fail();
}

/* What a draw adds to A21..A27 of Ice Lake, in blocks of 2x2 pixels, and to A32..A39 of Gen7, in
 * pixels. */
static void
expect_counts(struct scene *s, const unsigned blocks[7], const unsigned pixels[8])
{
   static const struct oa11_host host = {.write = no_report};
   struct oa_events events;
   struct oa11 o;
   uint32_t gen7[OA_GEN7_A] = {0};
   eu_count(s->rig->dev->eu, true);
   draw(s);
   memset(&events, 0, sizeof(events));
   eu_tally_collect(s->rig->dev->eu, &events);
   oa11_init(&o, &host, NULL);
   oa11_write(&o, REG_ICL_OACTXCONTROL, 1);
   oa11_write(&o, REG_ICL_OACONTROL, 1);
   oa11_advance(&o, 0, 0, false, &events);
   oa_gen7_count(gen7, &events, 0);
   for (unsigned i = 0; i < 7; i++)
      if (oa11_read(&o, REG_ICL_OAPERF_A_0 + 8 * (21 + i)) != blocks[i])
         fail_msg("A%u: %u, not %u", 21 + i, oa11_read(&o, REG_ICL_OAPERF_A_0 + 8 * (21 + i)),
                  blocks[i]);
   for (unsigned i = 0; i < 8; i++)
      if (gen7[32 + i] != pixels[i])
         fail_msg("Gen7 A%u: %u, not %u", 32 + i, gen7[32 + i], pixels[i]);
}
#define COUNTS(s, blocks, pixels)                                                                  \
   expect_counts(s, (const unsigned[7])blocks, (const unsigned[8])pixels)
#define LIST(...)                                                                                  \
   {                                                                                               \
      __VA_ARGS__                                                                                  \
   }

/* Tests before the shader: eight blocks, of which three fail, and one does with one pixel of it. */
static void
early_tests_count(void **state)
{
   proves("SYS-348", "SYS-349", "SYS-350", "SYS-353", "SYS-356");
   struct scene *s = *state;
   struct state st = depth_state(LESS);
   put_depth(s, 0.25f);
   fill_depth(s, 0.5f);
   for (unsigned y = 0; y < 4; y++)
      for (unsigned x = 4; x < 8; x++)
         *depth_at(s, x, y) = float_bits(x < 6 && y < 2 ? 0.5f : 0.125f);
   *depth_at(s, 1, 1) = float_bits(0.125f);
   prepare_state(s, &st);
   COUNTS(s, LIST(8, 0, 4, 0, 0, 5, 0), LIST(0, 0, 19, 13, 0, 0, 0, 0));
   s->wm.thread_dispatch_enable = false; /* nothing is left to be done for colours */
   fill_depth(s, 0.5f);
   COUNTS(s, LIST(8, 0, 0, 0, 0, 0, 0), LIST(0, 0, 32, 0, 0, 0, 0, 0));
   st.ds.depth_test_enable = st.ds.depth_buffer_write_enable = false; /* no test, no outcome */
   s->wm.thread_dispatch_enable = true;
   prepare_state(s, &st);
   COUNTS(s, LIST(8, 0, 0, 0, 0, 8, 0), LIST(0, 0, 0, 0, 0, 0, 0, 0));
   rig_clean(s->rig);
}

/* A shader that kills single pixels, and whole blocks. */
static void
killed_pixels_count(void **state)
{
   proves("SYS-351", "SYS-353");
   struct scene *s = *state;
   struct state st = plain_state();
   s->wm.pixel_shader_kills_pixel = true;
   prepare_state(s, &st);
   load_kernel(s, 0, COLORS("1.0", "0.5", "0.25", "1.0") HEADER KILL_ODD END_HEADER);
   COUNTS(s, LIST(8, 0, 0, 0, 0, 8, 0), LIST(0, 0, 0, 0, 16, 0, 0, 0));
   s->ps.kernel_start_pointer_0 = 0x1000;
   load_kernel(s, 0x1000,
               COLORS("1.0", "0.5", "0.25", "1.0") HEADER
               "and(1) g111.7<1>UD g111.7<0,1,0>UD 0xfffffff0UD { align1 WE_all 1N "
               "};\n" END_HEADER);
   COUNTS(s, LIST(8, 0, 0, 4, 0, 4, 0), LIST(0, 0, 0, 0, 16, 0, 0, 0));
}

/* Tests behind the shader: depth, stencil, alpha. */
static void
late_tests_count(void **state)
{
   proves("SYS-352", "SYS-471");
   struct scene *s = *state;
   struct state st = depth_state(GREATER);
   s->wm.early_depth_stencil_control = PSEXEC;
   put_depth(s, 0.25f);
   fill_depth(s, 0.5f);
   *depth_at(s, 0, 0) = 0; /* one passes: its block has not failed */
   prepare_state(s, &st);
   COUNTS(s, LIST(8, 0, 0, 0, 7, 1, 0), LIST(0, 0, 0, 0, 0, 0, 0, 31));
   st.ds.stencil_test_enable = true;
   st.ds.stencil_test_function = 1; /* never */
   prepare_state(s, &st);
   COUNTS(s, LIST(8, 0, 0, 0, 8, 0, 0), LIST(0, 0, 0, 0, 0, 0, 32, 0));
   st.blend[0].alpha_test_enable = true;
   st.blend[0].alpha_test_function = 1;
   prepare_state(s, &st);
   COUNTS(s, LIST(8, 0, 0, 0, 8, 0, 0), LIST(0, 0, 0, 0, 0, 32, 0, 0));
}

/* Every target counts; blending, masks and targets that are not there. */
static void
targets_count(void **state)
{
   proves("SYS-353", "SYS-354");
   struct scene *s = *state;
   struct state st = plain_state();
   st.blend[1].color_buffer_blend_enable = true;
   second_target(s, 1);
   load_kernel(
       s, 0,
       COLORS("1.0", "1.0", "0.0", "1.0") HEADER
       "mov(1) g110.2<1>UD 1UD { align1 WE_all 1N };\n"
       "send(8) null<1>UW g110<8,8,1>UD 0x0c0b0401 render MsgDesc: mlen 6 rlen 0 { align1 1Q };\n"
       "mov(1) g110.2<1>UD 0UD { align1 WE_all 1N };\n" END_HEADER);
   prepare_state(s, &st);
   COUNTS(s, LIST(8, 0, 0, 0, 0, 16, 8), LIST(0));
   st.blend[1].write_disable_red = st.blend[1].write_disable_green = true;
   prepare_state(s, &st);
   COUNTS(s, LIST(8, 0, 0, 0, 0, 16, 8), LIST(0));
   st.blend[1].write_disable_blue = st.blend[1].write_disable_alpha = true;
   prepare_state(s, &st);
   COUNTS(s, LIST(8, 0, 0, 0, 0, 8, 0), LIST(0));
   second_target(s, 7);
   st.blend[1] = st.blend[0];
   prepare_state(s, &st);
   COUNTS(s, LIST(8, 0, 0, 0, 0, 8, 0), LIST(0));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       CASE(kill_and_tests),
       CASE(runs_if_asked),
       CASE(invocations_of_rows),
       CASE(without_threads),
       CASE(depths_behind_the_shader),
       CASE(computed_depth),
       CASE(last_target_decides),
       CASE(headerless_target),
       CASE(null_target),
       CASE(depth_clears),
       CASE(blocks_of_clears),
       CASE(fast_clears),
       CASE(fast_clear_rules),
       CASE(any_target_passes),
       CASE(order_of_tests),
       CASE(early_tests_count),
       CASE(killed_pixels_count),
       CASE(late_tests_count),
       CASE(targets_count),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
