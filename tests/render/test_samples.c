/* Several samples a pixel: coverage at the programmed points against wide integers, and a storm of
 * writes and clears against a plain array of samples. */
#include "scene.h"
#include "tests/proves.h"

#include "eu/tally.h"
#include "oa/events.h"
#include "render/msaa/msaa.h"

enum {
   SAMPLED = 0x300000,
   DEPTHS = 0x340000,
   CONTROL = 0x380000,
   W = 32,
   H = 16,
   TARGET_B = 0x40000,
   BLEND = 0x400, /* in dynamic state */
   TESTS = 0x500,
   VIEWPORT = 0x600,
};

struct sampled {
   struct scene *s;
   unsigned samples;
   bool control;     /* there is a control surface */
   bool to_coverage; /* alpha says which samples are written */
   bool blends;
   bool tests_depth;
   unsigned clear_bits;
   uint8_t place[8][2];
   uint64_t seed;
   uint32_t plain[H][W][8]; /* what samples are: the red of their colour */
};

static uint32_t
random32(uint64_t *seed)
{
   *seed = *seed * 6364136223846793005u + 1442695040888963407u;
   return (uint32_t)(*seed >> 32);
}

/* ---- memory, as the manual lays it out ------------------------------------------------------ */

/* Y tiles of 128 bytes by 32 rows, in columns of 16 bytes. */
static uint32_t
tiled(uint32_t pitch, uint32_t x_B, uint32_t y)
{
   return y / 32 * pitch * 32 + x_B / 128 * 4096 + x_B % 128 / 16 * 512 + y % 32 * 16 + x_B % 16;
}

static uint32_t *
slice_at(struct sampled *p, unsigned x, unsigned y, unsigned slice)
{
   return rig_ggtt(p->s->rig, SAMPLED + tiled(W * 16, x * 16, slice * H + y));
}

/* Depths of a pixel's samples lie side by side: two by two, or four by two. */
static uint32_t
depth_pitch(const struct sampled *p)
{
   return 4 * W * (p->samples == 8 ? 4 : 2);
}
static uint32_t *
depth_at(struct sampled *p, unsigned x, unsigned y, unsigned s)
{
   unsigned across = p->samples == 4 ? x / 2 * 4 + (s & 1) * 2 + x % 2
                                     : x / 2 * 8 + (s & 4) + (s & 1) * 2 + x % 2;
   unsigned down = y / 2 * 4 + (s >> 1 & 1) * 2 + y % 2;
   return rig_ggtt(p->s->rig, DEPTHS + tiled(depth_pitch(p), 4 * across, down));
}

static uint32_t
control_at(struct sampled *p, unsigned x, unsigned y)
{
   if (p->samples == 8)
      return *rig_ggtt(p->s->rig, CONTROL + tiled(128, 4 * x, y));
   uint32_t at = CONTROL + tiled(128, x, y);
   return *rig_ggtt(p->s->rig, at & ~3u) >> 8 * (at & 3) & 0xff;
}

/* The red of a sample, as its control says. */
static uint32_t
sample_of(struct sampled *p, unsigned x, unsigned y, unsigned s)
{
   uint32_t c = control_at(p, x, y);
   if (!p->control)
      return *slice_at(p, x, y, s);
   if (p->samples == 4)
      return c == 0xff ? p->clear_bits >> 3 : *slice_at(p, x, y, c >> 2 * s & 3);
   return (c & 0xffffff) == 0xffffff ? p->clear_bits >> 3 : *slice_at(p, x, y, c >> 3 * s & 7);
}

static void
expect_plain(struct sampled *p, unsigned step)
{
   for (unsigned y = 0; y < H; y++)
      for (unsigned x = 0; x < W; x++)
         for (unsigned s = 0; s < p->samples; s++)
            if (sample_of(p, x, y, s) != p->plain[y][x][s])
               fail_msg("step %u, %u samples: %u,%u sample %u is %u, not %u; control %#x", step,
                        p->samples, x, y, s, sample_of(p, x, y, s), p->plain[y][x][s],
                        control_at(p, x, y));
}

/* ---- draws ---------------------------------------------------------------------------------- */

static void
begin(struct sampled *p, struct scene *s, unsigned samples, bool control)
{
   static const uint8_t place[2][8][2] = {
       {{6, 2}, {14, 6}, {2, 10}, {10, 14}},
       {{9, 5}, {7, 11}, {13, 9}, {5, 3}, {3, 13}, {1, 7}, {11, 15}, {15, 1}}};
   memset(p, 0, sizeof(*p));
   p->s = s;
   p->samples = samples;
   p->control = control;
   p->seed = samples + 2 * control;
   memcpy(p->place, place[samples == 8], sizeof(p->place));
   s->sf.multisample_rasterization_mode = s->wm.multisample_rasterization_mode = 3;
   s->wm.multisample_dispatch_mode = 1;
   s->mask.sample_mask = 0xff;
   memset(rig_ggtt(s->rig, SAMPLED), 0, TARGET_B);
   memset(rig_ggtt(s->rig, CONTROL), control ? 0xff : 0, 0x1000);
}

/* A buffer of all samples, and a test that less passes. */
static void
set_depth(struct sampled *p)
{
   uint32_t *dw = p->s->extra;
   unsigned n = p->s->extras;
   const struct hw_depth_stencil_state tests = {.depth_test_enable = true,
                                                .depth_test_function = 2};
   gen7_depth_stencil_state_pack(rig_ggtt(p->s->rig, DYNAMIC + TESTS), &tests);
   gen7_cc_viewport_pack(rig_ggtt(p->s->rig, DYNAMIC + VIEWPORT), &(struct hw_cc_viewport){0, 1});
   EMIT(dw, n, 3DSTATE_DEPTH_STENCIL_STATE_POINTERS, 3dstate_depth_stencil_state_pointers,
        &(struct hw_3dstate_depth_stencil_state_pointers){TESTS});
   EMIT(dw, n, 3DSTATE_VIEWPORT_STATE_POINTERS_CC, 3dstate_viewport_state_pointers_cc,
        &(struct hw_3dstate_viewport_state_pointers_cc){VIEWPORT});
   p->s->extras = n;
   p->s->depth = (struct hw_3dstate_depth_buffer){.surface_type = 1,
                                                  .surface_format = 1,
                                                  .surface_pitch = depth_pitch(p) - 1,
                                                  .surface_base_address = DEPTHS,
                                                  .width = W - 1,
                                                  .height = H - 1};
}

static void
set_samples(struct sampled *p)
{
   uint32_t *dw = p->s->extra;
   dw[0] = 0x790d0002;
   dw[1] = (p->samples == 8 ? 3u : p->samples == 4 ? 2u : 0u) << 1;
   dw[2] = dw[3] = 0;
   for (unsigned i = 0; i < 8; i++)
      dw[2 + i / 4] |= (uint32_t)(p->place[i][0] << 4 | p->place[i][1]) << 8 * (i % 4);
   /* Kernels are written anew: instructions that are cached are not valid any more. */
   const uint32_t flush[5] = {0x7a000003, 1 << 11};
   memcpy(dw + 4, flush, sizeof(flush));
   const uint32_t blend[2] = {0x78240000, BLEND | 1}; /* 3DSTATE_BLEND_STATE_POINTERS */
   memcpy(dw + 9, blend, sizeof(blend));
   gen7_blend_state_entry_pack(
       rig_ggtt(p->s->rig, DYNAMIC + BLEND),
       &(struct hw_blend_state_entry){.alphatocoverage_enable = p->to_coverage,
                                      .color_buffer_blend_enable = p->blends,
                                      .source_blend_factor = 1,
                                      .destination_blend_factor = 1});
   p->s->extras = 11;
   if (p->tests_depth)
      set_depth(p);
}

static struct hw_render_surface_state
target_of(const struct sampled *p)
{
   return (struct hw_render_surface_state){.surface_type = 1,
                                           .surface_format = GEN7_SURFACE_FORMAT_R32G32B32A32_UINT,
                                           .surface_base_address = SAMPLED,
                                           .tiled_surface = true,
                                           .tile_walk = 1,
                                           .width = W - 1,
                                           .height = H - 1,
                                           .surface_pitch = W * 16 - 1,
                                           .surface_vertical_alignment = 1,
                                           .surface_array_spacing = 1,
                                           .number_of_multisamples = p->samples == 8 ? 3 : 2,
                                           .mcs_enable = p->control,
                                           .mcs_base_address = p->control ? CONTROL : 0,
                                           .red_clear_color = p->clear_bits >> 3 & 1,
                                           .green_clear_color = p->clear_bits >> 2 & 1,
                                           .blue_clear_color = p->clear_bits >> 1 & 1,
                                           .alpha_clear_color = p->clear_bits & 1};
}

static void
draw_on(struct sampled *p, const struct hw_render_surface_state *target)
{
   uint32_t dw[512];
   prepare(p->s);
   set_samples(p);
   rig_ggtt(p->s->rig, SURFACES)[0] = 0x80;
   gen7_render_surface_state_pack(rig_ggtt(p->s->rig, SURFACES + 0x80), target);
   rig_submit(p->s->rig, RCS, dw, record(p->s, dw));
}

static void
draw_samples(struct sampled *p)
{
   struct hw_render_surface_state target = target_of(p);
   draw_on(p, &target);
}

/* Threads of 8 or 16 slots that are pixels, or samples. */
static void
choose_dispatch(struct scene *s, bool wide, bool per_sample)
{
   s->ps._8_pixel_dispatch_enable = !wide;
   s->ps._16_pixel_dispatch_enable = wide;
   s->wm.multisample_dispatch_mode = !per_sample;
}

static void
load_color(struct scene *s, bool wide, uint32_t red)
{
   char text[1024];
   if (wide)
      snprintf(text, sizeof(text),
               "mov(16) g112<1>UD 0x%xUD { align1 1H };\nmov(16) g114<1>UD 2UD { align1 1H };\n"
               "mov(16) g116<1>UD 3UD { align1 1H };\nmov(16) g118<1>UD 4UD { align1 1H };\n" END16,
               red);
   else
      snprintf(text, sizeof(text),
               "mov(8) g112<1>UD 0x%xUD { align1 1Q };\nmov(8) g113<1>UD 2UD { align1 1Q };\n"
               "mov(8) g114<1>UD 3UD { align1 1Q };\nmov(8) g115<1>UD 4UD { align1 1Q };\n" END8,
               red);
   load_kernel(s, 0, text);
}

/* A rectangle on the grid of vertices: in 256ths of a pixel. */
static void
plain_rectangle(struct sampled *p, const int32_t q[4], uint32_t mask, uint32_t red)
{
   for (int32_t y = 0; y < H; y++)
      for (int32_t x = 0; x < W; x++)
         for (unsigned s = 0; s < p->samples; s++) {
            int32_t at[2] = {256 * x + 16 * p->place[s][0], 256 * y + 16 * p->place[s][1]};
            if (mask >> s & 1 && at[0] >= q[0] && at[0] < q[2] && at[1] >= q[1] && at[1] < q[3])
               p->plain[y][x][s] = red;
         }
}

static void
draw_rectangle(struct sampled *p, unsigned step)
{
   bool wide = random32(&p->seed) & 1;
   int32_t q[4];
   q[0] = (int32_t)(random32(&p->seed) % (256 * W)) & (step & 1 ? ~15 : ~0);
   q[1] = (int32_t)(random32(&p->seed) % (256 * H)) & (step & 1 ? ~15 : ~0);
   q[2] = q[0] + 16 + (int32_t)(random32(&p->seed) % 3000);
   q[3] = q[1] + 16 + (int32_t)(random32(&p->seed) % 2000);
   p->s->mask.sample_mask = step % 3 ? 0xff : random32(&p->seed);
   set_rectangle(p->s, 0, (float)q[0] / 256, (float)q[1] / 256, (float)q[2] / 256,
                 (float)q[3] / 256);
   choose_dispatch(p->s, wide, random32(&p->seed) & 1);
   load_color(p->s, wide, 100 + step);
   draw_samples(p);
   plain_rectangle(p, q, p->s->mask.sample_mask, 100 + step);
}

/* Fast: a pixel of the rectangle is 8 by 2 pixels, or 2 by 2. */
static void
draw_clear(struct sampled *p)
{
   unsigned across = p->samples == 4 ? 8 : 2, x0 = random32(&p->seed) % 2 * 16 / across,
            y0 = random32(&p->seed) % 2 * 2, x1 = W / across, y1 = H / 2;
   p->s->ps.render_target_fast_clear_enable = true;
   p->s->mask.sample_mask = 0xff;
   choose_dispatch(p->s, true, false);
   /* Pixels that keep the old colour's control would change their colour with it. */
   bool all = !x0 && !y0;
   if (all)
      p->clear_bits = random32(&p->seed) & 15;
   load_kernel(p->s, 0,
               "mov(8) g112<1>UD 0x3f000000UD { align1 WE_all 1Q };\n"
               "send(16) null<1>UW g112<8,8,1>UD 0x02031100 render MsgDesc: mlen 1 rlen 0 { align1 "
               "1H EOT };\n");
   set_rectangle(p->s, 0, (float)x0, (float)y0, (float)x1, (float)y1);
   draw_samples(p);
   p->s->ps.render_target_fast_clear_enable = false;
   for (unsigned y = 2 * y0; y < H; y++)
      for (unsigned x = across * x0; x < W; x++)
         for (unsigned s = 0; s < p->samples; s++)
            p->plain[y][x][s] = p->clear_bits >> 3;
   uint32_t ones = p->samples == 8 ? UINT32_MAX : 0xff; /* P3D-364 */
   for (unsigned y = 2 * y0; y < H; y++)
      for (unsigned x = across * x0; x < W; x++)
         assert_int_equal(control_at(p, x, y), ones);
}

/* Control of random bytes: any of them means something. */
static void
scribble(struct sampled *p)
{
   for (unsigned i = 0; i < 0x1000 / 4; i++)
      rig_ggtt(p->s->rig, CONTROL)[i] = random32(&p->seed) & 1 ? UINT32_MAX : random32(&p->seed);
   for (unsigned y = 0; y < H; y++)
      for (unsigned x = 0; x < W; x++)
         for (unsigned s = 0; s < p->samples; s++)
            *slice_at(p, x, y, s) = random32(&p->seed) | 0x10000;
   for (unsigned y = 0; y < H; y++)
      for (unsigned x = 0; x < W; x++)
         for (unsigned s = 0; s < p->samples; s++)
            p->plain[y][x][s] = sample_of(p, x, y, s);
}

/* One sample a pixel again: each thread loads the control of its pixels by ld_mcs, and by that a
 * sample by ld2dms. */
static void
expect_read(struct sampled *p, unsigned sample)
{
   struct sampled one = *p;
   struct scene *s = p->s;
   const struct hw_render_surface_state surface = target_of(p);
   char text[2048];
   uint32_t dw[512];
   snprintf(text, sizeof(text),
            "add(8) g10<1>UW g1.4<2,4,0>UW 0x10101010V { align1 WE_all 1Q };\n"
            "add(8) g11<1>UW g1.5<2,4,0>UW 0x11001100V { align1 WE_all 1Q };\n"
            "mov(8) g22<1>UD g10<8,8,1>UW { align1 1Q };\n"
            "mov(8) g23<1>UD g11<8,8,1>UW { align1 1Q };\n"
            "mov(8) g20<1>UD %uUD { align1 1Q };\n"
            "send(8) g30<1>UD g22<8,8,1>UD 0x0443d001 sampler MsgDesc: mlen 2 rlen 4 { align1 1Q "
            "};\n"
            "mov(8) g21<1>UD g30<8,8,1>UD { align1 1Q };\n"
            "send(8) g112<1>UD g20<8,8,1>UD 0x0843e001 sampler MsgDesc: mlen 4 rlen 4 { align1 1Q "
            "};\n"
            "mov(8) g113<1>UD g21<8,8,1>UD { align1 1Q };\n" END8,
            sample);
   load_kernel(s, 0, text);
   set_rectangle(s, 0, 0, 0, W, H);
   prepare(s);
   one.samples = 1;
   set_samples(&one);
   rig_ggtt(s->rig, SURFACES)[1] = 0x80;
   gen7_render_surface_state_pack(rig_ggtt(s->rig, SURFACES + 0x80), &surface);
   s->sf.multisample_rasterization_mode = s->wm.multisample_rasterization_mode = 0;
   s->mask.sample_mask = 1;
   choose_dispatch(s, false, false);
   rig_submit(s->rig, RCS, dw, record(s, dw));
   for (unsigned i = 0; i < W * H; i++) {
      unsigned x = i % W, y = i / W;
      const uint32_t *got = pixel(s, x, y);
      assert_int_equal(got[1], control_at(p, x, y));
      assert_int_equal(got[0], p->plain[y][x][sample]);
   }
}

/* What draws, clears and chance have left in control is read as it is. */
static void
threads_read_samples(void **state)
{
   proves("SMP-270", "SMP-271");
   static struct sampled p;
   unsigned values = 0;
   for (unsigned kind = 0; kind < 4; kind++) {
      begin(&p, *state, kind & 1 ? 8 : 4, true);
      for (unsigned step = 0; step < 24; step++)
         step % 9 == 4 ? draw_clear(&p) : draw_rectangle(&p, step);
      if (kind > 1)
         scribble(&p);
      for (unsigned i = 1; i < W * H; i++)
         values += control_at(&p, i % W, i / W) != control_at(&p, (i - 1) % W, (i - 1) / W);
      for (unsigned sample = 0; sample < p.samples; sample++)
         expect_read(&p, sample);
      rig_clean(p.s->rig);
   }
   assert_in_range(values, 500, UINT32_MAX);
}

static void
storm(void **state)
{
   proves("P3D-360", "P3D-361", "P3D-362", "P3D-363", "P3D-364", "P3D-266", "P3D-260");
   static struct sampled p;
   unsigned shared = 0;
   for (unsigned kind = 0; kind < 4; kind++) {
      begin(&p, *state, kind & 1 ? 8 : 4, kind < 2);
      for (unsigned step = 0; step < 150; step++) {
         if (p.control && step % 40 == 25)
            scribble(&p);
         else if (p.control && step % 9 == 4)
            draw_clear(&p);
         else
            draw_rectangle(&p, step);
         rig_clean(p.s->rig);
         expect_plain(&p, step);
         for (unsigned x = 0; x < W && p.control; x++)
            shared += control_at(&p, x, H / 2) == 0;
      }
   }
   assert_in_range(shared, 100, UINT32_MAX); /* pixels in one slice: written in all samples alike */
}

/* ---- what slots are ------------------------------------------------------------------------- */

/* Every sample says from which slot of which thread it comes, where that thought it was, and what
 * it was told of coverage and place. */
static void
slots_are_samples(void **state)
{
   proves("P3D-280", "P3D-278", "P3D-279", "P3D-281");
   static struct sampled p;
   for (unsigned kind = 0; kind < 4; kind++) {
      unsigned wide = kind >> 1, quads = wide ? 4 : 2;
      begin(&p, *state, kind & 1 ? 8 : 4, false);
      p.s->mask.sample_mask = 0xb7;
      choose_dispatch(p.s, wide, true);
      p.s->wm.pixel_shader_uses_input_coverage_mask = true;
      p.s->ps.position_xy_offset_select =
          GEN7_3DSTATE_PS_POSITION_XY_OFFSET_SELECT_POSOFFSET_SAMPLE;
      p.s->ps.dispatch_grf_start_register_for_constant_setup_data_0 = 6;
      /* number of the slot, coverage, X and Y offsets, R0.0 and the pixel's x */
      load_kernel(p.s, 0,
                  wide ? "mov(8) g20<1>UW 0x76543210V { align1 WE_all 1Q };\n"
                         "add(8) g20.8<1>UW g20<8,8,1>UW 8UW { align1 WE_all 1Q };\n"
                         "mov(16) g112<1>UD g20<8,8,1>UW { align1 1H };\n"
                         "mov(16) g114<1>UD g3<8,8,1>UD { align1 1H };\n"
                         "mov(16) g116<1>UD g2<8,8,1>UW { align1 1H };\n"
                         "add(16) g21<1>UW g1.4<2,4,0>UW 0x10101010V { align1 WE_all 1H };\n"
                         "mov(16) g118<1>UD g21<8,8,1>UW { align1 1H };\n"
                         "add(16) g118<1>UD g118<8,8,1>UD g0<0,1,0>UD { align1 1H };\n" END16
                       : "mov(8) g20<1>UW 0x76543210V { align1 WE_all 1Q };\n"
                         "mov(8) g112<1>UD g20<8,8,1>UW { align1 1Q };\n"
                         "mov(8) g113<1>UD g3<8,8,1>UD { align1 1Q };\n"
                         "mov(8) g114<1>UD g2<8,8,1>UW { align1 1Q };\n"
                         "add(8) g21<1>UW g1.4<2,4,0>UW 0x10101010V { align1 WE_all 1Q };\n"
                         "mov(8) g115<1>UD g21<8,8,1>UW { align1 1Q };\n"
                         "add(8) g115<1>UD g115<8,8,1>UD g0<0,1,0>UD { align1 1Q };\n" END8);
      set_rectangle(p.s, 0, 0, 0, W, H);
      draw_samples(&p);
      rig_clean(p.s->rig);
      for (unsigned i = 0; i < W * H * p.samples; i++) {
         unsigned s = i % p.samples, x = i / p.samples % W, y = i / p.samples / W;
         const uint32_t *got = slice_at(&p, x, y, s);
         unsigned pair = p.samples > quads ? s / quads * quads / 2 : 0;
         if (!(0xb7 >> s & 1)) {
            assert_int_equal(got[0] | got[1] | got[2] | got[3], 0);
            continue;
         }
         assert_int_equal(got[0], s % quads * 4 + y % 2 * 2 + x % 2);
         assert_int_equal(got[1], 1u << s);
         assert_int_equal(got[2], p.place[s][0] | p.place[s][1] << 8);
         assert_int_equal(got[3], x + (pair << 6) + 15); /* RECTLIST */
      }
   }
}

/* P3D-279, P3D-272: a thread a pixel is told of all samples, and where the first covered one is. */
static void
pixels_know_samples(void **state)
{
   proves("P3D-279", "P3D-272", "P3D-278");
   static struct sampled p;
   begin(&p, *state, 4, false);
   choose_dispatch(p.s, false, false);
   p.s->wm.pixel_shader_uses_input_coverage_mask = true;
   p.s->ps.position_xy_offset_select = GEN7_3DSTATE_PS_POSITION_XY_OFFSET_SELECT_POSOFFSET_CENTROID;
   load_kernel(p.s, 0,
               "mov(8) g112<1>UD g3<8,8,1>UD { align1 1Q };\n"
               "mov(8) g113<1>UD g2<8,8,1>UW { align1 1Q };\n"
               "mov(8) g114<1>UD 0UD { align1 1Q };\n"
               "mov(8) g115<1>UD 0UD { align1 1Q };\n" END8);
   const int32_t q[4] = {256 * 3 + 100, 256 * 2 + 60, 256 * 20 + 200, 256 * 11 + 170};
   set_rectangle(p.s, 0, (float)q[0] / 256, (float)q[1] / 256, (float)q[2] / 256,
                 (float)q[3] / 256);
   draw_samples(&p);
   rig_clean(p.s->rig);
   unsigned partial = 0;
   plain_rectangle(&p, q, 15, 1);
   for (unsigned y = 0; y < H; y++)
      for (unsigned x = 0; x < W; x++) {
         uint32_t covered = 0;
         for (unsigned s = 0; s < 4; s++)
            covered |= p.plain[y][x][s] << s;
         for (unsigned s = 0; s < 4; s++) {
            const uint32_t *got = slice_at(&p, x, y, s);
            unsigned first = covered ? (unsigned)__builtin_ctz(covered) : 0;
            uint32_t place =
                covered == 15 ? 0x0808u : (uint32_t)(p.place[first][0] | p.place[first][1] << 8);
            assert_int_equal(got[0], p.plain[y][x][s] ? covered : 0);
            assert_int_equal(got[1], p.plain[y][x][s] ? place : 0);
         }
         partial += covered && covered != 15;
      }
   assert_in_range(partial, 30, W * H);
}

/* ---- performance counters ------------------------------------------------------------------- */

/* Blocks of 2x2 pixels with a sample that the last rectangle wrote. */
static unsigned
blocks_with(const struct sampled *p, uint32_t red)
{
   unsigned blocks = 0;
   for (unsigned y = 0; y < H; y += 2)
      for (unsigned x = 0; x < W; x += 2) {
         bool any = false;
         for (unsigned i = 0; i < 4 * p->samples; i++)
            any |= p->plain[y + i / 2 % 2][x + i % 2][i / 4] == red;
         blocks += any;
      }
   return blocks;
}

/* A block counts once, however many of its samples are covered, and however many threads write
 * them. */
static void
blocks_count_once(void **state)
{
   proves("SYS-348", "SYS-353", "SYS-356");
   static struct sampled p;
   for (unsigned kind = 0; kind < 8; kind++) {
      begin(&p, *state, kind & 1 ? 8 : 4, false);
      rig_looks_at_caches(p.s->rig); /* counts are not part of a snapshot */
      eu_count(p.s->rig->dev->eu, true);
      for (unsigned step = 0; step < 6; step++) {
         struct oa_events seen = {0};
         const int32_t q[4] = {256 * 3 + 40 * (int32_t)step, 256 * 2 + 60,
                               256 * 20 + 30 * (int32_t)step, 256 * 11 + 170};
         set_rectangle(p.s, 0, (float)q[0] / 256, (float)q[1] / 256, (float)q[2] / 256,
                       (float)q[3] / 256);
         p.s->mask.sample_mask = step & 1 ? 0xb6 : 0xff;
         choose_dispatch(p.s, kind & 2, kind & 4);
         load_color(p.s, kind & 2, 100 + step);
         draw_samples(&p);
         eu_tally_collect(p.s->rig->dev->eu, &seen);
         plain_rectangle(&p, q, p.s->mask.sample_mask, 100 + step);
         unsigned want = blocks_with(&p, 100 + step);
         assert_in_range(want, 40, 60);
         if (seen.pixels[OA_RASTERIZED] != want)
            fail_msg("kind %u step %u: rasterized %u, not %u", kind, step,
                     (unsigned)(seen.pixels[OA_RASTERIZED]), want);
         if (seen.pixels[OA_WRITTEN] != want)
            fail_msg("kind %u step %u: written %u, not %u", kind, step,
                     (unsigned)(seen.pixels[OA_WRITTEN]), want);
         assert_int_equal(seen.pixels[OA_KILLED], 0);
         assert_int_equal(seen.pixels[OA_LATE_FAILED], 0);
         assert_int_equal(seen.pixels[OA_BLENDED], 0);
      }
   }
}

/* Memory's own word: blocks with a sample of this red. */
static unsigned
blocks_in_memory(struct sampled *p, uint32_t red)
{
   for (unsigned y = 0; y < H; y++)
      for (unsigned x = 0; x < W; x++)
         for (unsigned s = 0; s < p->samples; s++)
            p->plain[y][x][s] = sample_of(p, x, y, s);
   return blocks_with(p, red);
}

/* The first four slots of every thread are killed: a block where they are its pixels; where they
 * are one sample of it, the others are still written, and it is not killed. */
static void
blocks_are_killed_whole(void **state)
{
   proves("SYS-351", "SYS-356");
   static struct sampled p;
   for (unsigned per_sample = 0; per_sample < 2; per_sample++) {
      struct oa_events seen = {0};
      begin(&p, *state, 4, false);
      rig_looks_at_caches(p.s->rig); /* counts are not part of a snapshot */
      eu_count(p.s->rig->dev->eu, true);
      set_rectangle(p.s, 0, 3.4f, 2.6f, 17.55f, 9.45f);
      choose_dispatch(p.s, false, per_sample);
      p.s->wm.pixel_shader_kills_pixel = true;
      load_kernel(p.s, 0,
                  "mov(8) g122<1>UD 77UD { align1 1Q };\nmov(8) g123<1>UD 2UD { align1 1Q };\n"
                  "mov(8) g124<1>UD 3UD { align1 1Q };\nmov(8) g125<1>UD 4UD { align1 1Q };\n"
                  "mov(8) g120<1>UD g0<8,8,1>UD { align1 WE_all 1Q };\n"
                  "mov(8) g121<1>UD g1<8,8,1>UD { align1 WE_all 1Q };\n"
                  "and(1) g121.7<1>UD g121.7<0,1,0>UD 0xfffffff0UD { align1 WE_all 1N };\n"
                  "send(8) null<1>UW g120<8,8,1>UD 0x0c0b1400 render MsgDesc: mlen 6 rlen 0 { "
                  "align1 1Q EOT };\n");
      draw_samples(&p);
      rig_clean(p.s->rig);
      eu_tally_collect(p.s->rig->dev->eu, &seen);
      assert_int_equal(seen.pixels[OA_WRITTEN], blocks_in_memory(&p, 77));
      assert_int_equal(seen.pixels[OA_WRITTEN] + seen.pixels[OA_KILLED],
                       seen.pixels[OA_RASTERIZED]);
      assert_int_equal(seen.pixels[OA_KILLED] > 0, !per_sample);
      p.s->wm.pixel_shader_kills_pixel = false;
   }
}

/* What the tests have to find, sample by sample: blocks of 2x2 pixels with a covered sample, with
 * one that fails, with one that passes. */
struct outcome {
   unsigned covered, failed, passed;
};
static struct outcome
outcome_of(struct sampled *p, uint32_t red, float z)
{
   struct outcome o = {0};
   for (unsigned y = 0; y < H; y += 2)
      for (unsigned x = 0; x < W; x += 2) {
         bool failed = false, passed = false;
         for (unsigned i = 0; i < 4 * p->samples; i++) {
            unsigned px = x + i % 2, py = y + i / 2 % 2, s = i / 4;
            float stored;
            memcpy(&stored, depth_at(p, px, py, s), sizeof(stored));
            if (p->plain[py][px][s] == red)
               *(z < stored ? &passed : &failed) = true;
         }
         o.covered += failed || passed;
         o.failed += failed;
         o.passed += passed;
      }
   return o;
}

/* Of some blocks all samples fail, of some single ones, of some none. */
static void
scatter_depths(struct sampled *p)
{
   for (unsigned y = 0; y < H; y++)
      for (unsigned x = 0; x < W; x++) {
         unsigned kind = (x / 2 + 3 * (y / 2)) % 3;
         for (unsigned s = 0; s < p->samples; s++) {
            float z = kind == 0 || (kind == 1 && random32(&p->seed) % 8 == 0) ? 0.125f : 0.5f;
            memcpy(depth_at(p, x, y, s), &z, sizeof(z));
         }
      }
}

/* Before the shader a block fails if any sample of it does, behind it if all that was left does; it
 * is written if any passes. Four and eight samples, both widths, pixels and samples in the slots.
 */
static void
failing_samples_count(void **state)
{
   proves("SYS-350", "SYS-352", "SYS-353", "SYS-356");
   static struct sampled p;
   for (unsigned kind = 0; kind < 16; kind++) {
      bool late = kind & 8;
      struct oa_events seen = {0};
      const int32_t q[4] = {256 * 3 + 40, 256 * 2 + 60, 256 * 20 + 30, 256 * 11 + 170};
      begin(&p, *state, kind & 1 ? 8 : 4, false);
      rig_looks_at_caches(p.s->rig); /* counts are not part of a snapshot */
      eu_count(p.s->rig->dev->eu, true);
      p.tests_depth = true;
      p.s->wm.early_depth_stencil_control = late; /* PSEXEC */
      p.s->mask.sample_mask = kind & 1 ? 0xb6 : 0xff;
      scatter_depths(&p);
      set_rectangle(p.s, 0, (float)q[0] / 256, (float)q[1] / 256, (float)q[2] / 256,
                    (float)q[3] / 256);
      for (unsigned i = 0; i < 3; i++)
         p.s->vertex[i][2] = 0.25f;
      choose_dispatch(p.s, kind & 2, kind & 4);
      load_color(p.s, kind & 2, 77);
      plain_rectangle(&p, q, p.s->mask.sample_mask, 77);
      struct outcome want = outcome_of(&p, 77, 0.25f);
      assert_in_range(want.failed, want.covered - want.passed + 5, want.covered - 5);
      draw_samples(&p);
      eu_tally_collect(p.s->rig->dev->eu, &seen);
      assert_int_equal(seen.pixels[OA_RASTERIZED], want.covered);
      assert_int_equal(seen.pixels[OA_SLOW_FAILED], late ? 0 : want.failed);
      assert_int_equal(seen.pixels[OA_LATE_FAILED], late ? want.covered - want.passed : 0);
      assert_int_equal(seen.pixels[OA_WRITTEN], want.passed);
      assert_int_equal(seen.pixels[OA_KILLED], 0);
      assert_int_equal(blocks_in_memory(&p, 77), want.passed);
      p.s->wm.early_depth_stencil_control = 0;
   }
}

/* A block that is blended counts once, however its samples come. */
static void
blended_samples_count(void **state)
{
   proves("SYS-354", "SYS-356");
   static struct sampled p;
   for (unsigned kind = 0; kind < 8; kind++) {
      struct oa_events seen = {0};
      const int32_t q[4] = {256 * 3 + 40, 256 * 2 + 60, 256 * 20 + 30, 256 * 11 + 170};
      begin(&p, *state, kind & 1 ? 8 : 4, false);
      rig_looks_at_caches(p.s->rig); /* counts are not part of a snapshot */
      eu_count(p.s->rig->dev->eu, true);
      p.blends = true;
      struct hw_render_surface_state target = target_of(&p);
      target.surface_format = GEN7_SURFACE_FORMAT_R32G32B32A32_FLOAT;
      set_rectangle(p.s, 0, (float)q[0] / 256, (float)q[1] / 256, (float)q[2] / 256,
                    (float)q[3] / 256);
      choose_dispatch(p.s, kind & 2, kind & 4);
      load_color(p.s, kind & 2, 0x3f800000); /* 1.0, onto zeros */
      draw_on(&p, &target);
      eu_tally_collect(p.s->rig->dev->eu, &seen);
      plain_rectangle(&p, q, 0xff, 0x3f800000);
      unsigned want = blocks_with(&p, 0x3f800000);
      assert_in_range(want, 40, 60);
      assert_int_equal(blocks_in_memory(&p, 0x3f800000), want);
      assert_int_equal(seen.pixels[OA_WRITTEN], want);
      assert_int_equal(seen.pixels[OA_BLENDED], want);
   }
}

/* P3D-354: each covered sample is blended with what it was itself. */
static void
samples_blend_by_themselves(void **state)
{
   proves("P3D-354");
   static struct sampled p;
   static const float was[8] = {0.5f, 1, 2, 3, 4, 5, 6, 7};
   for (unsigned kind = 0; kind < 8; kind++) {
      const int32_t q[4] = {256 * 3 + 40, 256 * 2 + 60, 256 * 20 + 30, 256 * 11 + 170};
      begin(&p, *state, kind & 1 ? 8 : 4, false);
      p.blends = true;
      struct hw_render_surface_state target = target_of(&p);
      target.surface_format = GEN7_SURFACE_FORMAT_R32G32B32A32_FLOAT;
      for (unsigned i = 0; i < W * H * p.samples; i++)
         memcpy(slice_at(&p, i / p.samples % W, i / p.samples / W, i % p.samples),
                &was[i % p.samples], sizeof(was[0]));
      set_rectangle(p.s, 0, (float)q[0] / 256, (float)q[1] / 256, (float)q[2] / 256,
                    (float)q[3] / 256);
      choose_dispatch(p.s, kind & 2, kind & 4);
      load_color(p.s, kind & 2, 0x3f800000); /* 1.0 more */
      draw_on(&p, &target);
      plain_rectangle(&p, q, 0xff, 1);
      for (unsigned i = 0; i < W * H * p.samples; i++) {
         unsigned x = i / p.samples % W, y = i / p.samples / W, n = i % p.samples;
         float want = was[n] + (float)p.plain[y][x][n];
         assert_memory_equal(slice_at(&p, x, y, n), &want, sizeof(want));
      }
   }
}

/* P3D-265, P3D-262: with a pixel mode all samples of a pixel are covered alike, whatever their
 * places. */
static void
pixel_modes(void **state)
{
   proves("P3D-265", "P3D-262");
   static struct sampled p;
   for (unsigned mode = 0; mode < 3; mode += 2) {
      begin(&p, *state, 4, false);
      p.s->sf.multisample_rasterization_mode = p.s->wm.multisample_rasterization_mode = mode;
      choose_dispatch(p.s, false, false);
      load_color(p.s, false, 9);
      set_rectangle(p.s, 0, 3.4f, 2.6f, 17.55f, 9.45f);
      draw_samples(&p);
      rig_clean(p.s->rig);
      for (unsigned i = 0; i < W * H * 4; i++) {
         unsigned x = i / 4 % W, y = i / 4 / W;
         bool in = x >= 3 && x < 18 && y >= 3 && y < 9;
         assert_int_equal(*slice_at(&p, x, y, i % 4), in ? 9 : 0);
      }
      /* Threads of samples are told that each lies in the middle. */
      choose_dispatch(p.s, false, true);
      p.s->ps.position_xy_offset_select =
          GEN7_3DSTATE_PS_POSITION_XY_OFFSET_SELECT_POSOFFSET_SAMPLE;
      load_kernel(p.s, 0,
                  "mov(8) g112<1>UD g2<8,8,1>UW { align1 1Q };\n"
                  "mov(8) g113<1>UD 0UD { align1 1Q };\nmov(8) g114<1>UD 0UD { align1 1Q };\n"
                  "mov(8) g115<1>UD 0UD { align1 1Q };\n" END8);
      draw_samples(&p);
      rig_clean(p.s->rig);
      for (unsigned n = 0; n < 4; n++)
         assert_int_equal(*slice_at(&p, 9, 5, n), 0x0808);
      p.s->ps.position_xy_offset_select = 0;
   }
}

/* P3D-261: one sample is where the pixel is, also in a pattern mode; P3D-257: which is its middle,
 * or its corner. */
static void
pixel_locations(void **state)
{
   proves("P3D-257", "P3D-261");
   struct scene *s = *state;
   for (unsigned mode = 0; mode < 4; mode++)
      for (unsigned corner = 0; corner < 2; corner++) {
         const uint32_t samples[4] = {0x790d0002, corner << 4, 0xffffffff, 0xffffffff};
         memcpy(s->extra, samples, sizeof(samples));
         s->extras = 4;
         s->sf.multisample_rasterization_mode = s->wm.multisample_rasterization_mode = mode;
         set_rectangle(s, 0, 3.25f, 2.75f, 17.25f, 9.75f);
         draw(s);
         rig_clean(s->rig);
         if (corner)
            expect_pixels(s, 4, 3, 18, 10);
         else
            expect_pixels(s, 3, 3, 17, 10);
      }
}

/* P3D-355: a mask of samples from the thread, with the colour. Alpha, which is nothing, would cover
 * none of them: P3D-352, it is not asked. */
static void
output_masks(void **state)
{
   proves("P3D-355", "P3D-352");
   static struct sampled p;
   for (unsigned kind = 0; kind < 8; kind++) {
      begin(&p, *state, kind & 1 ? 8 : 4, kind >> 1 & 1);
      p.to_coverage = kind >> 2;
      choose_dispatch(p.s, false, false);
      p.s->ps.omask_present_to_rendertarget = true;
      /* the pixel's x is the mask */
      load_kernel(
          p.s, 0,
          "add(8) g112<1>UW g1.4<2,4,0>UW 0x10101010V { align1 WE_all 1Q };\n"
          "mov(8) g113<1>UD 5UD { align1 1Q };\nmov(8) g114<1>UD 2UD { align1 1Q };\n"
          "mov(8) g115<1>UD 3UD { align1 1Q };\nmov(8) g116<1>UD 4UD { align1 1Q };\n"
          "send(8) null<1>UW g112<8,8,1>UD 0x0a031400 render MsgDesc: mlen 5 rlen 0 { align1 "
          "1Q EOT };\n");
      set_rectangle(p.s, 0, 0, 0, W, H);
      draw_samples(&p);
      rig_clean(p.s->rig);
      for (unsigned i = 0; i < W * H * p.samples; i++)
         p.plain[i / p.samples / W][i / p.samples % W][i % p.samples] =
             i / p.samples % W >> i % p.samples & 1 ? 5 : 0;
      expect_plain(&p, kind);
      p.s->ps.omask_present_to_rendertarget = false;
   }
}

/* P3D-352: without such a mask it is. */
static void
alpha_covers(void **state)
{
   proves("P3D-352");
   static struct sampled p;
   for (unsigned kind = 0; kind < 2; kind++) {
      begin(&p, *state, kind ? 8 : 4, true);
      p.to_coverage = true;
      choose_dispatch(p.s, false, false);
      load_kernel(
          p.s, 0,
          "mov(8) g113<1>UD 5UD { align1 1Q };\nmov(8) g114<1>UD 2UD { align1 1Q };\n"
          "mov(8) g115<1>UD 3UD { align1 1Q };\nmov(8) g116<1>F 0.5F { align1 1Q };\n"
          "send(8) null<1>UW g113<8,8,1>UD 0x08031400 render MsgDesc: mlen 4 rlen 0 { align1 "
          "1Q EOT };\n");
      set_rectangle(p.s, 0, 0, 0, W, H);
      draw_samples(&p);
      for (unsigned i = 0; i < W * H * p.samples; i++)
         p.plain[i / p.samples / W][i / p.samples % W][i % p.samples] =
             i % p.samples < p.samples / 2 ? 5 : 0;
      expect_plain(&p, kind);
   }
}

/* ---- lines ---------------------------------------------------------------------------------- */

/* P3D-237: a strip that goes on takes the counter where the command has put it; a draw without the
 * command where the last one left it. */
static void
stipple_goes_on(void **state)
{
   proves("P3D-237", "P3D-236");
   struct scene *s = *state;
   const struct hw_3dstate_line_stipple stipple = {.modify_enable = true,
                                                   .current_repeat_counter = 1,
                                                   .current_stipple_index = 3,
                                                   .line_stipple_pattern = 0x35a7,
                                                   .line_stipple_repeat_count = 2};
   s->wm.line_stipple_enable = true;
   s->primitive.primitive_topology_type = 0x12; /* LINESTRIP_CONT */
   s->primitive.vertex_count_per_instance = 2;
   s->sf.line_width = 0;
   EMIT(s->extra, s->extras, 3DSTATE_LINE_STIPPLE, 3dstate_line_stipple, &stipple);
   unsigned counter = 3 * 2 + 1;
   for (unsigned n = 0; n < 3; n++) {
      const float ends[2][3] = {{3.5f, 5.5f, 0}, {40.5f, 5.5f, 0}};
      if (n == 2) { /* another kind of strip begins anew */
         s->primitive.primitive_topology_type = 3;
         counter = 0;
      }
      memcpy(s->vertex, ends, sizeof(ends));
      draw(s);
      rig_clean(s->rig);
      for (unsigned x = 0; x < WIDTH; x++) {
         bool on = x >= 3 && x < 40 && 0x35a7 >> (counter / 2 % 16) & 1;
         counter += x >= 3 && x < 40;
         assert_int_equal(pixel(s, x, 5)[0], on ? x : UNTOUCHED);
         assert_int_equal(pixel(s, x, 4)[0], UNTOUCHED);
      }
      s->extras = 0;
   }
}

static void
antialiased_line(struct scene *s)
{
   const float ends[2][3] = {{5, 8.5f, 0}, {40, 8.5f, 0}};
   s->primitive.primitive_topology_type = 2;
   s->primitive.vertex_count_per_instance = 2;
   s->sf = (struct hw_3dstate_sf){.antialiasing_enable = true,
                                  .line_width = 3 * 128,
                                  .aa_line_distance_mode = 1,
                                  .line_end_cap_antialiasing_region_width = 1};
   s->wm.line_antialiasing_region_width = 2; /* two pixels: from the border to the middle one */
   s->wm.line_end_cap_antialiasing_region_width = 1;
   memcpy(s->vertex, ends, sizeof(ends));
}

static void
draw_on_floats(struct scene *s)
{
   uint32_t dw[512];
   prepare(s);
   *rig_ggtt(s->rig, SURFACES + 0x40) &= ~(0x1ffu << 18); /* R32G32B32A32_FLOAT */
   rig_submit(s->rig, RCS, dw, record(s, dw));
   rig_clean(s->rig);
}

/* P3D-233: coverage multiplies the alpha that the thread sends. */
static void
coverage_is_alpha(void **state)
{
   proves("P3D-233");
   struct scene *s = *state;
   antialiased_line(s);
   load_kernel(s, 0,
               "mov(8) g112<1>F 0.25F { align1 1Q };\nmov(8) g113<1>F 0.25F { align1 1Q };\n"
               "mov(8) g114<1>F 0.25F { align1 1Q };\nmov(8) g115<1>F 0.5F { align1 1Q };\n" END8);
   draw_on_floats(s);
   static const float across[5] = {0, 0.5f, 1, 0.5f, 0};
   for (unsigned y = 6; y < 11; y++)
      for (unsigned x = 3; x < 43; x++) {
         float got[4], along = x == 4 || x == 40 ? 0.5f : 1;
         memcpy(got, pixel(s, x, y), sizeof(got));
         if (x < 4 || x > 40 || y == 6 || y == 10) {
            assert_int_equal(pixel(s, x, y)[3], UNTOUCHED);
            continue;
         }
         assert_float_equal(got[0], 0.25f, 0);
         assert_float_equal(got[3], 0.5f * across[y - 6] * along, 0.5f / 255);
      }
}

/* P3D-233: and the alpha of the first target that is sent beside another's colour, by which that
 * one is tested: only where the line is whole it is more than 0.3. */
static void
coverage_is_first_alpha(void **state)
{
   proves("P3D-233");
   struct scene *s = *state;
   const uint32_t pointers[4] = {0x78240000, BLEND | 1, 0x780e0000, TESTS | 1};
   antialiased_line(s);
   load_kernel(
       s, 0,
       "mov(8) g114<1>UD g0<8,8,1>UD { align1 WE_all 1Q };\n"
       "mov(8) g115<1>UD g1<8,8,1>UD { align1 WE_all 1Q };\n"
       "or(1) g114.0<1>UD g0.0<0,1,0>UD 0x800UD { align1 WE_all 1N };\n" /* it is sent along */
       "mov(1) g114.2<1>UD 1UD { align1 WE_all 1N };\n"
       "mov(8) g116<1>F 0.5F { align1 1Q };\n"
       "mov(8) g117<1>F 0.25F { align1 1Q };\nmov(8) g118<1>F 0.25F { align1 1Q };\n"
       "mov(8) g119<1>F 0.25F { align1 1Q };\nmov(8) g120<1>F 1.0F { align1 1Q };\n"
       "send(8) null<1>UW g114<8,8,1>UD 0x0e0b1400 render MsgDesc: mlen 7 rlen 0 { align1 1Q EOT "
       "};\n");
   memcpy(s->extra, pointers, sizeof(pointers));
   s->extras = 4;
   s->wm.pixel_shader_kills_pixel = true; /* the alpha test may */
   const struct hw_blend_state_entry plain = {0}, tested = {.alpha_test_enable = true,
                                                            .alpha_test_function = 5}; /* GREATER */
   gen7_blend_state_entry_pack(rig_ggtt(s->rig, DYNAMIC + BLEND), &plain);
   gen7_blend_state_entry_pack(rig_ggtt(s->rig, DYNAMIC + BLEND) + 2, &tested);
   rig_ggtt(s->rig, DYNAMIC + TESTS)[0] = 1;          /* a float reference: */
   rig_ggtt(s->rig, DYNAMIC + TESTS)[1] = 0x3e99999a; /* 0.3 */
   draw_on_floats(s);
   for (unsigned y = 6; y < 11; y++)
      for (unsigned x = 3; x < 43; x++) {
         float red;
         memcpy(&red, pixel(s, x, y), sizeof(red));
         if (y == 8 && x > 4 && x < 40)
            assert_float_equal(red, 0.25f, 0);
         else
            assert_int_equal(pixel(s, x, y)[3], UNTOUCHED);
      }
}

/* P3D-262: with a mode of lines that is off a pattern makes no difference: all samples of a pixel
 * are covered as its middle is. */
static void
lines_at_pixels(void **state)
{
   proves("P3D-262");
   static struct sampled p;
   const float ends[2][3] = {{3.5f, 4.3f, 0}, {20.5f, 7.7f, 0}};
   unsigned lit = 0;
   begin(&p, *state, 4, false);
   p.s->sf.multisample_rasterization_mode = p.s->wm.multisample_rasterization_mode = 1;
   p.s->sf.line_width = 2 * 128;
   p.s->primitive.primitive_topology_type = 2;
   p.s->primitive.vertex_count_per_instance = 2;
   choose_dispatch(p.s, false, false);
   load_color(p.s, false, 9);
   memcpy(p.s->vertex, ends, sizeof(ends));
   draw_samples(&p);
   rig_clean(p.s->rig);
   for (unsigned y = 0; y < H; y++)
      for (unsigned x = 0; x < W; x++) {
         lit += *slice_at(&p, x, y, 0) == 9;
         for (unsigned n = 1; n < 4; n++)
            assert_int_equal(*slice_at(&p, x, y, n), *slice_at(&p, x, y, 0));
      }
   assert_in_range(lit, 30, 40); /* 17 by 2, about */
}

/* ---- rules ---------------------------------------------------------------------------------- */

static void
rules(void **state)
{
   proves("P3D-263", "P3D-264", "P3D-284", "P3D-293", "P3D-276", "SF-176");
   static struct sampled p;
   begin(&p, *state, 4, false);
   choose_dispatch(p.s, false, false);
   load_color(p.s, false, 9);
   draw_samples(&p);
   rig_clean(p.s->rig);
   struct hw_render_surface_state target = target_of(&p);
   target.number_of_multisamples = 3; /* eight where the state has four */
   draw_on(&p, &target);
   rig_expect(p.s->rig, "P3D-264");
   p.s->sf.multisample_rasterization_mode = 1;
   draw_samples(&p);
   rig_expect(p.s->rig, "P3D-263");
   p.s->sf.multisample_rasterization_mode = 3;
   p.s->wm.multisample_dispatch_mode = 0;
   p.s->ps._16_pixel_dispatch_enable = true;
   draw_samples(&p);
   rig_expect(p.s->rig, "P3D-284");
   choose_dispatch(p.s, false, true);
   draw_samples(&p);
   rig_clean(p.s->rig);
   p.place[0][0] = 15; /* further from the middle than the next */
   p.place[0][1] = 15;
   draw_samples(&p);
   rig_expect(p.s->rig, "SF-176");
   p.place[0][0] = p.place[0][1] = 8;
   p.s->wm.barycentric_interpolation_mode = 1 << 3;
   draw_samples(&p);
   rig_expect(p.s->rig, "P3D-276");
   p.s->clip.non_perspective_barycentric_enable = true;
   draw_samples(&p);
   rig_clean(p.s->rig);
}

/* P3D-293: what stands for no number of samples is one. */
static void
reserved_count(void **state)
{
   proves("P3D-293");
   struct scene *s = *state;
   s->extra[0] = 0x790d0002;
   s->extra[2] = s->extra[3] = 0x88888888;
   s->extras = 4;
   for (unsigned code = 0; code < 8; code++) {
      s->extra[1] = code << 1;
      draw(s);
      if (code != 2 && code != 3)
         expect_pixels(s, 0, 0, 8, 4);
      if (!code)
         rig_clean(s->rig);
      else if (code != 2 && code != 3)
         rig_expect(s->rig, "P3D-293");
   }
}

/* Which subspan and which sample four slots are, as the tables print it. */
static void
quads_of_samples(void **state)
{
   proves("DP-364", "DP-365", "DP-366", "DP-368");
   static const struct {
      unsigned samples, width, pair, subspan[8], sample[8];
   } t[] = {{1, 8, 0, {0, 1}, {0, 0}},
            {1, 16, 0, {0, 1, 2, 3}, {0, 0, 0, 0}},
            {4, 8, 1, {0, 0}, {2, 3}},
            {8, 8, 3, {0, 0}, {6, 7}},
            {4, 16, 0, {0, 0, 0, 0}, {0, 1, 2, 3}},
            {8, 16, 2, {0, 0, 0, 0}, {4, 5, 6, 7}},
            {4, 32, 0, {0, 0, 0, 0, 1, 1, 1, 1}, {0, 1, 2, 3, 0, 1, 2, 3}},
            {8, 32, 0, {0, 0, 0, 0, 0, 0, 0, 0}, {0, 1, 2, 3, 4, 5, 6, 7}}};
   struct ps_worker *w = calloc(1, sizeof(*w));
   for (unsigned i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
      unsigned quads = t[i].width / 4;
      struct wm wm = {.samples = (uint8_t)t[i].samples,
                      .per_sample = t[i].samples > 1,
                      .parts = (uint8_t)(t[i].samples > quads ? t[i].samples / quads : 1)};
      w->pair = (uint8_t)t[i].pair;
      for (unsigned n = 0; n < quads; n++) {
         struct msaa_quad q = msaa_quad(w, &wm, n);
         assert_int_equal(q.subspan, t[i].subspan[n]);
         assert_int_equal(q.sample, t[i].sample[n]);
      }
   }
   free(w);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       CASE(storm),
       CASE(threads_read_samples),
       cmocka_unit_test(quads_of_samples),
       CASE(slots_are_samples),
       CASE(pixels_know_samples),
       CASE(blocks_count_once),
       CASE(blocks_are_killed_whole),
       CASE(failing_samples_count),
       CASE(blended_samples_count),
       CASE(samples_blend_by_themselves),
       CASE(pixel_modes),
       CASE(rules),
       CASE(stipple_goes_on),
       CASE(coverage_is_alpha),
       CASE(coverage_is_first_alpha),
       CASE(lines_at_pixels),
       CASE(reserved_count),
       CASE(pixel_locations),
       CASE(output_masks),
       CASE(alpha_covers),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
