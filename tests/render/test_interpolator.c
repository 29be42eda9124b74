/* The pixel interpolator: messages of pixel shaders against a reference in double precision, and
 * against the payload where both speak of the same place. */
#include "scene.h"
#include "shared_functions/sf.h"
#include "tests/proves.h"

enum { PER_MESSAGE, SAMPLE_POSITION, CENTROID, PER_SLOT };
enum { LINEAR = 1 << 14, SIMD16 = 1 << 16, UPPER = 1 << 11, HEADER = 1 << 19 };

#define SAMPLED 0x300000u

/* A rectangle's three vertices; 1/w of each. */
static const float corner[3][4] = {{64, 28, 0.25f, 1}, {0, 28, 0.5f, 2}, {0, 3, 1, 4}};
static const uint8_t place4[4][2] = {{6, 2}, {14, 6}, {2, 10}, {10, 14}};
static const uint8_t place8[8][2] = {{9, 5},  {7, 11}, {13, 9},  {5, 3},
                                     {3, 13}, {1, 7},  {11, 15}, {15, 1}};

/* SF-165, SFV-103: the weights of v1 and v2 at a place of the screen. */
static void
reference(double x, double y, bool linear, double b[2])
{
   double l2 = (28 - y) / 25, l1 = (64 - x) / 64 - l2, w = (1 - l1 - l2) + l1 * 2 + l2 * 4;
   b[0] = linear ? l1 : l1 * 2 / w;
   b[1] = linear ? l2 : l2 * 4 / w;
}

static void
set_scene(struct scene *s, unsigned modes)
{
   memcpy(rig_ggtt(s->rig, VERTICES + 0x800), corner, sizeof(corner));
   s->buffer[0].buffer_starting_address = VERTICES + 0x800;
   s->buffer[0].buffer_pitch = 16;
   s->element[1] = element(0, 0, 0, SRC, SRC, SRC, SRC);
   s->wm.barycentric_interpolation_mode = modes;
   s->clip.non_perspective_barycentric_enable = true;
   s->ps.dispatch_grf_start_register_for_constant_setup_data_0 = 30;
   s->ps.kernel_start_pointer_0 = 0;
}

static void
set_width(struct scene *s, unsigned width)
{
   s->ps._8_pixel_dispatch_enable = width == 8;
   s->ps._16_pixel_dispatch_enable = width == 16;
   s->ps._32_pixel_dispatch_enable = width == 32;
}

/* Offsets by slot, S4; what is above those four bits is ignored. */
static const int8_t offset_x[8] = {0, 1, 2, 3, -4, -3, -2, -8},
                    offset_y[8] = {7, 0, 5, -1, -7, -6, -5, 0};
#define OFFSETS                                                                                    \
   "mov(8) g50<1>W 0x8edc3210V { align1 WE_all 1Q };\n"                                            \
   "mov(8) g51<1>W 0x0ba9f507V { align1 WE_all 1Q };\n"                                            \
   "mov(8) g60<1>D g50<8,8,1>W { align1 WE_all 1Q };\n"                                            \
   "xor(8) g60<1>UD g60<8,8,1>UD 0x12345670UD { align1 WE_all 1Q };\n"                             \
   "mov(8) g%u<1>D g51<8,8,1>W { align1 WE_all 1Q };\n"                                            \
   "xor(8) g%u<1>UD g%u<8,8,1>UD 0x77777770UD { align1 WE_all 1Q };\n"                             \
   "mov(8) g%u<1>UD g60<8,8,1>UD { align1 WE_all 1Q };\n"                                          \
   "mov(8) g63<1>UD g%u<8,8,1>UD { align1 WE_all 1Q };\n"

/* Draws: b1 of the payload, b1 of the message, b2, b2. `extra` bits of the descriptor; from: first
 * register of the payload's mode. */
static void
ask(struct scene *s, unsigned width, unsigned type, uint32_t bits, unsigned from)
{
   char text[4096];
   unsigned rows = width / 8, mlen = type == PER_SLOT ? 2 * rows : 1, y = 60 + rows;
   uint32_t desc = mlen << 25 | 2 * rows << 20 | type << 12 | bits | (rows == 2 ? SIMD16 : 0);
   int n = snprintf(text, sizeof(text), OFFSETS, y, y, y, rows == 2 ? 61u : 64u, y);
   if (width == 8)
      snprintf(text + n, sizeof(text) - (size_t)n,
               "send(8) g40<1>UD g60<8,8,1>UD 0x%08x pixel interp MsgDesc: mlen %u rlen 2 { align1 "
               "1Q };\n"
               "mov(8) g112<1>UD g%u<8,8,1>UD { align1 1Q };\nmov(8) g113<1>UD g40<8,8,1>UD { "
               "align1 1Q };\n"
               "mov(8) g114<1>UD g%u<8,8,1>UD { align1 1Q };\nmov(8) g115<1>UD g41<8,8,1>UD { "
               "align1 1Q };\n" END8,
               desc, mlen, from, from + 1);
   else
      snprintf(
          text + n, sizeof(text) - (size_t)n,
          "send(16) g40<1>UD g60<8,8,1>UD 0x%08x pixel interp MsgDesc: mlen %u rlen 4 { align1 "
          "1H };\n"
          "mov(8) g112<1>UD g%u<8,8,1>UD { align1 1Q };\nmov(8) g113<1>UD g%u<8,8,1>UD { "
          "align1 2Q };\n"
          "mov(8) g114<1>UD g40<8,8,1>UD { align1 1Q };\nmov(8) g115<1>UD g42<8,8,1>UD { "
          "align1 2Q };\n"
          "mov(8) g116<1>UD g%u<8,8,1>UD { align1 1Q };\nmov(8) g117<1>UD g%u<8,8,1>UD { "
          "align1 2Q };\n"
          "mov(8) g118<1>UD g41<8,8,1>UD { align1 1Q };\nmov(8) g119<1>UD g43<8,8,1>UD { "
          "align1 2Q };\n" END16,
          desc, mlen, from, from + 2, from + 1, from + 3);
   load_kernel(s, 0, text);
   const uint32_t flush[5] = {0x7a000003, 1 << 11}; /* kernels are written anew */
   memcpy(s->extra + 4, flush, sizeof(flush));
   s->extras = 9;
   draw(s);
}

static void
one_sample(struct scene *s, bool corner_of_pixel)
{
   s->extra[0] = 0x790d0002;
   s->extra[1] = corner_of_pixel ? 1 << 4 : 0;
   s->extra[2] = 0xae2ae662; /* SF-177: not used with one sample */
   s->extra[3] = 0;
}

static float
value(struct scene *s, unsigned x, unsigned y, unsigned channel)
{
   float f;
   memcpy(&f, pixel(s, x, y) + channel, 4);
   return f;
}

/* The slot of a pixel: rows of subspans have as many as threads, all along the rectangle. */
static unsigned
slot8(unsigned x, unsigned y)
{
   return x / 2 % 2 * 4 + y % 2 * 2 + x % 2;
}

/* All pixels of the middle of the rectangle. dx, dy: from the pixel's corner, if not by slot. */
static void
expect(struct scene *s, bool linear, bool by_slot, double dx, double dy)
{
   for (unsigned y = 4; y < 28; y++)
      for (unsigned x = 0; x < 64; x++) {
         double b[2], ox = dx, oy = dy;
         if (by_slot) {
            ox = 0.5 + offset_x[slot8(x, y)] / 16.0;
            oy = 0.5 + offset_y[slot8(x, y)] / 16.0;
         }
         reference(x + ox, y + oy, linear, b);
         for (unsigned k = 0; k < 2; k++)
            if (fabs((double)value(s, x, y, 2 * k + 1) - b[k]) > 1e-6)
               fail_msg("%u,%u: b%u is %g, not %g", x, y, k + 1, (double)value(s, x, y, 2 * k + 1),
                        b[k]);
      }
}

static void
expect_equal_bits(struct scene *s)
{
   for (unsigned y = 3; y < 28; y++)
      for (unsigned x = 0; x < 64; x++) {
         assert_int_equal(pixel(s, x, y)[0], pixel(s, x, y)[1]);
         assert_int_equal(pixel(s, x, y)[2], pixel(s, x, y)[3]);
      }
}

/* ---- places --------------------------------------------------------------------------------- */

static void
shared_offset(void **state)
{
   proves("SF-145", "SF-149", "SF-151", "SF-157", "SF-160", "SF-163", "SF-164", "SF-165", "SF-174",
          "P3D-331");
   struct scene *s = *state;
   for (unsigned kind = 0; kind < 8; kind++) {
      bool linear = kind & 1, corner_of_pixel = kind & 4;
      double at = corner_of_pixel ? 0 : 0.5;
      set_scene(s, linear ? 8 : 1);
      one_sample(s, corner_of_pixel);
      set_width(s, kind & 2 ? 16 : 8);
      for (int v = -8; v < 8; v += 5) { /* y from v, x from -v - 1 */
         uint32_t bits = (uint32_t)(v & 15) << 4 | (uint32_t)(~v & 15);
         ask(s, kind & 2 ? 16 : 8, PER_MESSAGE, bits | (linear ? LINEAR : 0), 2);
         expect(s, linear, false, at + (-v - 1) / 16.0, at + v / 16.0);
         rig_clean(s->rig);
      }
   }
}

/* An offset of 0 gives what the payload has. */
static void
no_offset(void **state)
{
   proves("P3D-268", "P3D-331");
   struct scene *s = *state;
   for (unsigned kind = 0; kind < 8; kind++) {
      bool linear = kind & 1;
      set_scene(s, linear ? 8 : 1);
      one_sample(s, kind & 4);
      set_width(s, kind & 2 ? 16 : 8);
      ask(s, kind & 2 ? 16 : 8, PER_MESSAGE, linear ? LINEAR : 0, 2);
      expect_equal_bits(s);
      rig_clean(s->rig);
   }
}

static void
shared_offset_vlv(void **state)
{
   proves("SFV-001", "SFV-006", "SFV-009", "SFV-015", "SFV-016", "SFV-019", "SFV-022", "SFV-023",
          "SFV-103", "SFV-104");
   struct scene *s = *state;
   for (unsigned width = 8; width <= 16; width += 8) {
      set_scene(s, 1);
      one_sample(s, false);
      set_width(s, width);
      /* Bits 18:17, 15 and 10:8 are ignored. */
      ask(s, width, PER_MESSAGE, 0x9a | 7 << 8 | 1 << 15 | 3 << 17, 2);
      rig_clean(s->rig);
      expect(s, false, false, 0.5 - 6 / 16.0, 0.5 - 7 / 16.0);
   }
}

static void
slot_offsets(void **state)
{
   proves("SF-154", "SF-161", "SF-162", "SF-159", "SFV-012", "SFV-018", "SFV-020", "SFV-021",
          "P3D-331", "P3D-330");
   struct scene *s = *state;
   for (unsigned kind = 0; kind < 4; kind++) {
      bool linear = kind & 1;
      set_scene(s, linear ? 8 : 1);
      one_sample(s, false);
      set_width(s, kind & 2 ? 16 : 8);
      ask(s, kind & 2 ? 16 : 8, PER_SLOT, 0xff | (linear ? LINEAR : 0), 2);
      expect(s, linear, true, 0, 0);
      rig_clean(s->rig);
   }
}

/* One sample: its place, and the centroid, are the pixel's. */
static void
sample_of_one(void **state)
{
   proves("SFV-106", "P3D-331", "SF-179");
   struct scene *s = *state;
   for (unsigned type = SAMPLE_POSITION; type <= CENTROID; type++)
      for (unsigned linear = 0; linear < 2; linear++) {
         set_scene(s, linear ? 8 : 1);
         one_sample(s, false);
         set_width(s, 8);
         ask(s, 8, type, 3 << 4 | (linear ? LINEAR : 0), 2);
         expect_equal_bits(s);
         expect(s, linear, false, 0.5, 0.5);
         rig_clean(s->rig);
      }
}

/* ---- several samples ------------------------------------------------------------------------- */

/* Four of place4 in a dword of 3DSTATE_MULTISAMPLE, or of place8. */
static uint32_t
places(const uint8_t place[4][2])
{
   uint32_t dw = 0;
   for (unsigned i = 0; i < 4; i++)
      dw |= (uint32_t)(place[i][0] << 4 | place[i][1]) << 8 * i;
   return dw;
}

/* Four samples a pixel, or eight: the target has a slice for each. */
static void
draw_samples(struct scene *s, const char *kernel, unsigned log2)
{
   uint32_t dw[512];
   const struct hw_render_surface_state target = {.surface_type = 1,
                                                  .surface_format =
                                                      GEN7_SURFACE_FORMAT_R32G32B32A32_UINT,
                                                  .surface_base_address = SAMPLED,
                                                  .tiled_surface = true,
                                                  .tile_walk = 1,
                                                  .width = WIDTH - 1,
                                                  .height = HEIGHT - 1,
                                                  .surface_pitch = WIDTH * 16 - 1,
                                                  .surface_vertical_alignment = 1,
                                                  .surface_array_spacing = 1,
                                                  .number_of_multisamples = log2};
   load_kernel(s, 0, kernel);
   const uint32_t state[9] = {0x790d0002,
                              log2 << 1,
                              places(log2 == 3 ? place8 : place4),
                              log2 == 3 ? places(place8 + 4) : 0,
                              0x7a000003,
                              1 << 11};
   memcpy(s->extra, state, sizeof(state));
   s->extras = 9;
   s->sf.multisample_rasterization_mode = s->wm.multisample_rasterization_mode = 3;
   s->mask.sample_mask = (1u << (1u << log2)) - 1;
   prepare(s);
   rig_ggtt(s->rig, SURFACES)[0] = 0x80;
   gen7_render_surface_state_pack(rig_ggtt(s->rig, SURFACES + 0x80), &target);
   memset(rig_ggtt(s->rig, SAMPLED), 0, (size_t)16 * WIDTH * HEIGHT << log2);
   rig_submit(s->rig, RCS, dw, record(s, dw));
}

static void
draw_four(struct scene *s, const char *kernel)
{
   draw_samples(s, kernel, 2);
}

static const uint32_t *
four_at(struct scene *s, unsigned x, unsigned y, unsigned sample)
{
   unsigned row = sample * HEIGHT + y, x_B = 16 * x;
   return rig_ggtt(s->rig, SAMPLED + row / 32 * WIDTH * 16 * 32 + x_B / 128 * 4096 +
                               x_B % 128 / 16 * 512 + row % 32 * 16);
}

/* A message in a thread of 8 pixels; the payload's mode of `from`. */
static void
ask_samples(struct scene *s, unsigned type, uint32_t bits, unsigned from, unsigned log2)
{
   char text[1024];
   snprintf(text, sizeof(text),
            "send(8) g40<1>UD g1<8,8,1>UD 0x%08x pixel interp MsgDesc: mlen 1 rlen 2 { align1 1Q "
            "};\n"
            "mov(8) g112<1>UD g%u<8,8,1>UD { align1 1Q };\nmov(8) g113<1>UD g40<8,8,1>UD { align1 "
            "1Q };\nmov(8) g114<1>UD g%u<8,8,1>UD { align1 1Q };\nmov(8) g115<1>UD g41<8,8,1>UD { "
            "align1 1Q };\n" END8,
            1u << 25 | 2u << 20 | type << 12 | bits, from, from + 1);
   draw_samples(s, text, log2);
}

static void
ask_four(struct scene *s, unsigned type, uint32_t bits, unsigned from)
{
   ask_samples(s, type, bits, from, 2);
}

/* Each sample of the pattern by its number; with a thread per sample its payload says the same, and
 * R1 which samples it has (G3D-097). */
static void
sample_positions(void **state)
{
   proves("SF-152", "SF-158", "SF-166", "SF-175", "SFV-010", "SFV-017", "SFV-105", "P3D-331",
          "P3D-275", "G3D-097");
   struct scene *s = *state;
   unsigned equal = 0;
   for (unsigned sample = 0; sample < 4; sample++)
      for (unsigned linear = 0; linear < 2; linear++) {
         set_scene(s, linear ? 32 : 4);
         set_width(s, 8);
         s->wm.multisample_dispatch_mode = 0;
         ask_four(s, SAMPLE_POSITION, sample << 4 | 5 | (linear ? LINEAR : 0), 2);
         rig_clean(s->rig);
         for (unsigned y = 4; y < 27; y++)
            for (unsigned x = 3; x < 59; x++)
               for (unsigned own = 0; own < 4; own++) {
                  const uint32_t *got = four_at(s, x, y, own);
                  double b[2], ours[2];
                  float f[4];
                  memcpy(f, got, sizeof(f));
                  reference(x + place4[sample][0] / 16.0, y + place4[sample][1] / 16.0, linear, b);
                  reference(x + place4[own][0] / 16.0, y + place4[own][1] / 16.0, linear, ours);
                  for (unsigned k = 0; k < 2; k++)
                     if (fabs((double)f[2 * k + 1] - b[k]) > 1e-6 ||
                         fabs((double)f[2 * k] - ours[k]) > 1e-6)
                        fail_msg("%u,%u sample %u of %u: %g %g", x, y, sample, own,
                                 (double)f[2 * k], (double)f[2 * k + 1]);
                  if (own == sample) {
                     assert_int_equal(got[0], got[1]);
                     assert_int_equal(got[2], got[3]);
                     equal++;
                  }
               }
      }
   assert_in_range(equal, 8 * 20 * 50, UINT32_MAX);
   /* There are eight at most: 8 to 15 are 0 to 7; and what is not there is sample 0. */
   s->wm.multisample_dispatch_mode = 1;
   s->wm.barycentric_interpolation_mode = 4;
   double b[2];
   float f[4];
   ask_four(s, SAMPLE_POSITION, 7 << 4, 2);
   rig_clean(s->rig);
   reference(20 + 6 / 16.0, 10 + 2 / 16.0, false, b);
   memcpy(f, four_at(s, 20, 10, 2), sizeof(f));
   assert_float_equal(f[1], b[0], 1e-6);
   assert_float_equal(f[0], b[0], 1e-6); /* P3D-275: of a thread per pixel, sample 0 */
   ask_four(s, SAMPLE_POSITION, 8 << 4, 2);
   rig_expect(s->rig, "SFV-017");
   ask_four(s, SAMPLE_POSITION, 9 << 4, 2);
   reference(20 + 14 / 16.0, 10 + 6 / 16.0, false, b);
   memcpy(f, four_at(s, 20, 10, 2), sizeof(f));
   assert_float_equal(f[1], b[0], 1e-6);
}

/* Eight samples: those above 3 have their places in a dword of their own. */
static void
eight_positions(void **state)
{
   proves("SF-175", "SFV-105");
   struct scene *s = *state;
   for (unsigned sample = 0; sample < 8; sample++) {
      set_scene(s, 4);
      set_width(s, 8);
      s->wm.multisample_dispatch_mode = 1;
      ask_samples(s, SAMPLE_POSITION, sample << 4, 2, 3);
      rig_clean(s->rig);
      for (unsigned y = 4; y < 27; y++)
         for (unsigned x = 3; x < 59; x++) {
            double b[2];
            float f[4];
            memcpy(f, four_at(s, x, y, sample), sizeof(f));
            reference(x + place8[sample][0] / 16.0, y + place8[sample][1] / 16.0, false, b);
            assert_float_equal(f[1], b[0], 1e-6);
            assert_float_equal(f[3], b[1], 1e-6);
         }
   }
}

/* Where an edge leaves samples out, the first covered one; the payload says the same. */
static void
centroids(void **state)
{
   proves("SF-153", "SF-159", "SF-177", "SF-178", "SFV-011", "SFV-106", "P3D-272", "P3D-331");
   struct scene *s = *state;
   const float cut[3][4] = {{59.375f, 27.5f, 0, 1}, {2.75f, 27.5f, 0, 2}, {2.75f, 3.25f, 0, 4}};
   unsigned edges = 0;
   for (unsigned linear = 0; linear < 2; linear++) {
      set_scene(s, linear ? 16 : 2);
      set_width(s, 8);
      s->wm.multisample_dispatch_mode = 1;
      memcpy(rig_ggtt(s->rig, VERTICES + 0x800), cut, sizeof(cut));
      ask_four(s, CENTROID, 0xff | (linear ? LINEAR : 0), 2);
      rig_clean(s->rig);
      for (unsigned y = 2; y < 29; y++)
         for (unsigned x = 1; x < 61; x++) {
            unsigned covered = 0;
            for (unsigned i = 0; i < 4; i++) {
               double px = x + place4[i][0] / 16.0, py = y + place4[i][1] / 16.0;
               covered |= (unsigned)(px >= 2.75 && px < 59.375 && py >= 3.25 && py < 27.5) << i;
            }
            if (!covered)
               continue;
            unsigned first = (unsigned)__builtin_ctz(covered);
            double px = x + (covered == 15 ? 0.5 : place4[first][0] / 16.0),
                   py = y + (covered == 15 ? 0.5 : place4[first][1] / 16.0),
                   l2 = (27.5 - py) / 24.25, l1 = (59.375 - px) / 56.625 - l2,
                   w = (1 - l1 - l2) + l1 * 2 + l2 * 4;
            const uint32_t *got = four_at(s, x, y, first);
            float f[4];
            memcpy(f, got, sizeof(f));
            assert_int_equal(got[0], got[1]);
            assert_int_equal(got[2], got[3]);
            assert_float_equal(f[1], linear ? l1 : l1 * 2 / w, 1e-6);
            assert_float_equal(f[3], linear ? l2 : l2 * 4 / w, 1e-6);
            edges += covered != 15;
         }
   }
   assert_in_range(edges, 100, UINT32_MAX);
}

/* All six modes at once, depth and W behind them: what the threads of samples, and of pixels, find.
 */
static void
payload_modes(void **state)
{
   proves("P3D-274", "P3D-277", "P3D-275", "SF-180");
   struct scene *s = *state;
   set_scene(s, 63);
   set_width(s, 8);
   s->wm.pixel_shader_uses_source_depth = s->wm.pixel_shader_uses_source_w = true;
   for (unsigned kind = 0; kind < 12; kind++) {
      static const uint8_t where[2] = {
          GEN7_3DSTATE_WM_POSITION_ZW_INTERPOLATION_MODE_INTERP_PIXEL,
          GEN7_3DSTATE_WM_POSITION_ZW_INTERPOLATION_MODE_INTERP_SAMPLE};
      char text[512];
      unsigned mode = kind % 6;
      bool per_sample = kind < 6;
      s->wm.multisample_dispatch_mode = !per_sample;
      s->wm.position_zw_interpolation_mode = where[kind & 1];
      snprintf(text, sizeof(text),
               "mov(8) g112<1>UD g%u<8,8,1>UD { align1 1Q };\nmov(8) g113<1>UD g%u<8,8,1>UD { "
               "align1 1Q };\nmov(8) g114<1>UD g14<8,8,1>UD { align1 1Q };\nmov(8) g115<1>UD "
               "g15<8,8,1>UD { align1 1Q };\n" END8,
               2 + 2 * mode, 3 + 2 * mode);
      draw_four(s, text);
      rig_clean(s->rig);
      for (unsigned y = 4; y < 27; y++)
         for (unsigned x = 1; x < 63; x++)
            for (unsigned own = 0; own < 4; own++) {
               unsigned sample = per_sample ? own : 0;
               double sx = place4[sample][0] / 16.0, sy = place4[sample][1] / 16.0, b[2], l[2];
               float f[4];
               memcpy(f, four_at(s, x, y, own), sizeof(f));
               bool at = mode % 3 == 2; /* the centroid of a covered pixel is its middle */
               reference(x + (at ? sx : 0.5), y + (at ? sy : 0.5), mode >= 3, b);
               assert_float_equal(f[0], b[0], 1e-6);
               assert_float_equal(f[1], b[1], 1e-6);
               reference(x + (kind & 1 ? sx : 0.5), y + (kind & 1 ? sy : 0.5), true, l);
               assert_float_equal(f[2], 0.25 + l[0] * 0.25 + l[1] * 0.75, 1e-6);
               assert_float_equal(f[3], 1 / (1 - l[0] - l[1] + l[0] * 2 + l[1] * 4), 1e-6);
            }
   }
}

/* The same with one sample: any of the modes, and what lies behind them. */
static void
payload_of_one_sample(void **state)
{
   proves("G3D-098", "P3D-274", "P3D-277", "P3D-279");
   struct scene *s = *state;
   static const uint8_t some[] = {63, 1, 2, 4, 8, 16, 32, 9, 20, 34};
   for (unsigned kind = 0; kind < 4 * sizeof(some); kind++) {
      unsigned modes = some[kind / 4], width = kind & 1 ? 16 : 8, each = width / 4, reg = 2;
      bool coverage = kind & 2;
      for (unsigned mode = 0; mode < 6; mode++) {
         if (!(modes >> mode & 1))
            continue;
         unsigned depth = 2 + each * (unsigned)__builtin_popcount(modes), w = depth + each / 2,
                  third = coverage ? w + each / 2 : depth;
         char text[1024];
         set_scene(s, modes);
         one_sample(s, false);
         set_width(s, width);
         s->wm.pixel_shader_uses_source_depth = s->wm.pixel_shader_uses_source_w = true;
         s->wm.pixel_shader_uses_input_coverage_mask = coverage;
         if (width == 8)
            snprintf(text, sizeof(text),
                     "mov(8) g112<1>UD g%u<8,8,1>UD { align1 1Q };\nmov(8) g113<1>UD "
                     "g%u<8,8,1>UD { align1 1Q };\nmov(8) g114<1>UD g%u<8,8,1>UD { align1 1Q "
                     "};\nmov(8) g115<1>UD g%u<8,8,1>UD { align1 1Q };\n" END8,
                     reg, reg + 1, third, w);
         else
            snprintf(text, sizeof(text),
                     "mov(8) g112<1>UD g%u<8,8,1>UD { align1 1Q };\nmov(8) g113<1>UD "
                     "g%u<8,8,1>UD { align1 2Q };\nmov(8) g114<1>UD g%u<8,8,1>UD { align1 1Q "
                     "};\nmov(8) g115<1>UD g%u<8,8,1>UD { align1 2Q };\nmov(16) g116<1>UD "
                     "g%u<8,8,1>UD { align1 1H };\nmov(16) g118<1>UD g%u<8,8,1>UD { align1 1H "
                     "};\n" END16,
                     reg, reg + 2, reg + 1, reg + 3, third, w);
         load_kernel(s, 0, text);
         const uint32_t flush[5] = {0x7a000003, 1 << 11};
         memcpy(s->extra + 4, flush, sizeof(flush));
         s->extras = 9;
         draw(s);
         rig_clean(s->rig);
         for (unsigned y = 3; y < 28; y++)
            for (unsigned x = 0; x < 64; x++) {
               double b[2], l[2];
               reference(x + 0.5, y + 0.5, mode >= 3, b);
               reference(x + 0.5, y + 0.5, true, l);
               assert_float_equal(value(s, x, y, 0), b[0], 1e-6);
               assert_float_equal(value(s, x, y, 1), b[1], 1e-6);
               if (coverage)
                  assert_int_equal(pixel(s, x, y)[2], 1);
               else
                  assert_float_equal(value(s, x, y, 2), 0.25 + l[0] * 0.25 + l[1] * 0.75, 1e-6);
               assert_float_equal(value(s, x, y, 3), 1 / (1 - l[0] - l[1] + l[0] * 2 + l[1] * 4),
                                  1e-6);
            }
         reg += each;
      }
   }
}

/* ---- slots ---------------------------------------------------------------------------------- */

/* Slots that are off keep what was in the registers. */
static void
masks(void **state)
{
   proves("SF-148", "SFV-005", "SFV-022");
   struct scene *s = *state;
   set_scene(s, 1);
   one_sample(s, false);
   load_kernel(
       s, 0,
       "mov(8) g40<1>UD 0x1234UD { align1 WE_all 1Q };\n"
       "mov(8) g41<1>UD 0x5678UD { align1 WE_all 1Q };\n"
       "mov(1) f0.0<1>UW 0x5aUW { align1 WE_all 1N };\n"
       "(+f0.0) send(8) g40<1>UD g1<8,8,1>UD 0x02200000 pixel interp MsgDesc: mlen 1 rlen 2 "
       "{ align1 1Q };\n"
       "mov(8) g112<1>UD g40<8,8,1>UD { align1 1Q };\n"
       "mov(8) g113<1>UD g41<8,8,1>UD { align1 1Q };\n"
       "mov(8) g114<1>UD 0UD { align1 1Q };\nmov(8) g115<1>UD 7UD { align1 1Q };\n" END8);
   s->extras = 4;
   draw(s);
   for (unsigned y = 4; y < 28; y++)
      for (unsigned x = 0; x < 64; x++) {
         bool on = 0x5a >> slot8(x, y) & 1;
         assert_int_equal(pixel(s, x, y)[0] != 0x1234, on);
         assert_int_equal(pixel(s, x, y)[1] != 0x5678, on);
      }
}

/* The same of 16 slots, the upper eight of them all off or all on. */
static void
masks_of_16(void **state)
{
   proves("SF-148", "SFV-005", "SFV-023");
   struct scene *s = *state;
   for (unsigned upper = 0; upper < 2; upper++) {
      char text[2048];
      uint16_t mask = upper ? 0xff5a : 0x005a;
      set_scene(s, 1);
      one_sample(s, false);
      set_width(s, 16);
      snprintf(text, sizeof(text),
               "mov(8) g40<1>UD 0x1234UD { align1 WE_all 1Q };\n"
               "mov(8) g41<1>UD 0x5678UD { align1 WE_all 1Q };\n"
               "mov(8) g42<1>UD 0x1234UD { align1 WE_all 1Q };\n"
               "mov(8) g43<1>UD 0x5678UD { align1 WE_all 1Q };\n"
               "mov(1) f0.0<1>UW 0x%xUW { align1 WE_all 1N };\n"
               "(+f0.0) send(16) g40<1>UD g1<8,8,1>UD 0x02410000 pixel interp MsgDesc: mlen 1 "
               "rlen 4 { align1 1H };\n"
               "mov(8) g112<1>UD g40<8,8,1>UD { align1 1Q };\n"
               "mov(8) g113<1>UD g42<8,8,1>UD { align1 2Q };\n"
               "mov(8) g114<1>UD g41<8,8,1>UD { align1 1Q };\n"
               "mov(8) g115<1>UD g43<8,8,1>UD { align1 2Q };\n"
               "mov(16) g116<1>UD 0UD { align1 1H };\n"
               "mov(16) g118<1>UD 7UD { align1 1H };\n" END16,
               mask);
      load_kernel(s, 0, text);
      const uint32_t flush[5] = {0x7a000003, 1 << 11};
      memcpy(s->extra + 4, flush, sizeof(flush));
      s->extras = 9;
      draw(s);
      for (unsigned y = 4; y < 28; y++)
         for (unsigned x = 0; x < 64; x++) {
            bool on = mask >> (x / 2 % 4 * 4 + y % 2 * 2 + x % 2) & 1;
            assert_int_equal(pixel(s, x, y)[0] != 0x1234, on);
            assert_int_equal(pixel(s, x, y)[1] != 0x5678, on);
         }
   }
}

/* 32 pixels: the upper 16 by messages of their own. */
static void
upper_slots(void **state)
{
   proves("SF-155", "SFV-013", "P3D-330", "G3D-098", "P3D-274");
   struct scene *s = *state;
   set_scene(s, 1);
   one_sample(s, false);
   s->extras = 4;
   set_width(s, 32);
   load_kernel(
       s, 0,
       "send(16) g40<1>UD g1<8,8,1>UD 0x0241003c pixel interp MsgDesc: mlen 1 rlen 4 { align1 1H "
       "};\n"
       "send(16) g44<1>UD g1<8,8,1>UD 0x0241083c pixel interp MsgDesc: mlen 1 rlen 4 { align1 2H "
       "};\n"
       "mov(8) g112<1>UD g3<8,8,1>UD { align1 WE_all 1Q };\n"
       "mov(8) g113<1>UD g5<8,8,1>UD { align1 WE_all 1Q };\n"
       "mov(8) g114<1>UD g40<8,8,1>UD { align1 WE_all 1Q };\n"
       "mov(8) g115<1>UD g42<8,8,1>UD { align1 WE_all 1Q };\n"
       "mov(8) g116<1>UD g4<8,8,1>UD { align1 WE_all 1Q };\n"
       "mov(8) g117<1>UD g6<8,8,1>UD { align1 WE_all 1Q };\n"
       "mov(8) g118<1>UD g41<8,8,1>UD { align1 WE_all 1Q };\n"
       "mov(8) g119<1>UD g43<8,8,1>UD { align1 WE_all 1Q };\n"
       "send(16) null<1>UW g112<8,8,1>UD 0x10030000 render MsgDesc: mlen 8 rlen 0 { align1 1H };\n"
       "mov(8) g112<1>UD g7<8,8,1>UD { align1 WE_all 1Q };\n"
       "mov(8) g113<1>UD g9<8,8,1>UD { align1 WE_all 1Q };\n"
       "mov(8) g114<1>UD g44<8,8,1>UD { align1 WE_all 1Q };\n"
       "mov(8) g115<1>UD g46<8,8,1>UD { align1 WE_all 1Q };\n"
       "mov(8) g116<1>UD g8<8,8,1>UD { align1 WE_all 1Q };\n"
       "mov(8) g117<1>UD g10<8,8,1>UD { align1 WE_all 1Q };\n"
       "mov(8) g118<1>UD g45<8,8,1>UD { align1 WE_all 1Q };\n"
       "mov(8) g119<1>UD g47<8,8,1>UD { align1 WE_all 1Q };\n"
       "send(16) null<1>UW g112<8,8,1>UD 0x10031800 render MsgDesc: mlen 8 rlen 0 { align1 2H EOT "
       "};\n");
   draw(s);
   for (unsigned y = 4; y < 28; y++)
      for (unsigned x = 0; x < 64; x++) {
         double b[2], own[2];
         reference(x + 0.5 - 4 / 16.0, y + 0.5 + 3 / 16.0, false, b);
         reference(x + 0.5, y + 0.5, false, own);
         assert_float_equal(value(s, x, y, 0), own[0], 1e-6);
         assert_float_equal(value(s, x, y, 1), b[0], 1e-6);
         assert_float_equal(value(s, x, y, 2), own[1], 1e-6);
         assert_float_equal(value(s, x, y, 3), b[1], 1e-6);
      }
   rig_clean(s->rig);
}

/* ---- rules ---------------------------------------------------------------------------------- */

static void
rules(void **state)
{
   proves("SF-150", "SF-156", "SFV-003", "SFV-004", "SFV-007", "SFV-008", "SFV-014", "SF-147");
   struct scene *s = *state;
   set_scene(s, 1);
   one_sample(s, false);
   set_width(s, 8);
   ask(s, 8, PER_MESSAGE, 0, 2);
   rig_clean(s->rig);
   s->wm.barycentric_interpolation_mode = 0x38; /* linear messages beside linear modes */
   ask(s, 8, PER_MESSAGE, LINEAR, 2);
   assert_int_equal(rig_count(s->rig, "SFV-003"), 0);
   s->wm.barycentric_interpolation_mode = 1;
   ask(s, 8, PER_MESSAGE, UPPER, 2); /* a thread of 8 pixels has no upper ones */
   rig_expect(s->rig, "SFV-014");
   expect_equal_bits(s);
   ask(s, 8, PER_MESSAGE, HEADER, 2);
   rig_expect(s->rig, "SFV-007");
   for (unsigned mode = 1; mode < 8; mode <<= 1) { /* all three perspective ones */
      s->wm.barycentric_interpolation_mode = mode;
      ask(s, 8, PER_MESSAGE, 0, 2);
      assert_int_equal(rig_count(s->rig, "SFV-004"), 0);
   }
   s->wm.barycentric_interpolation_mode = 1;
   ask(s, 8, PER_MESSAGE, LINEAR, 2); /* beside a perspective mode */
   assert_int_equal(rig_count(s->rig, "SFV-003"), 1);
   assert_int_equal(rig_count(s->rig, "SFV-008"), 0);
   expect(s, true, false, 0.5, 0.5);
   s->wm.barycentric_interpolation_mode = 8;
   ask(s, 8, PER_MESSAGE, LINEAR, 2);
   assert_int_equal(rig_count(s->rig, "SFV-003"), 0);
   ask(s, 8, PER_MESSAGE, 0, 2);
   assert_int_equal(rig_count(s->rig, "SFV-004"), 1);
   s->wm.barycentric_interpolation_mode = 1;
   s->clip.non_perspective_barycentric_enable = false;
   ask(s, 8, PER_MESSAGE, LINEAR, 2);
   rig_expect(s->rig, "SFV-008");
   expect(s, true, false, 0.5, 0.5);
}

/* A message of these lengths, and what it is told of. NULL: it is as it should be. */
static void
send_lengths(struct scene *s, unsigned type, unsigned rows, unsigned mlen, unsigned rlen,
             const char *rule)
{
   char text[1024];
   snprintf(text, sizeof(text),
            "send(%u) g40<1>UD g1<8,8,1>UD 0x%08x pixel interp MsgDesc: mlen %u rlen %u { align1 "
            "%s };\n%s",
            8 * rows, mlen << 25 | rlen << 20 | type << 12 | (rows == 2 ? SIMD16 : 0), mlen, rlen,
            rows == 2 ? "1H" : "1Q", rows == 2 ? END16 : END8);
   load_kernel(s, 0, text);
   const uint32_t flush[5] = {0x7a000003, 1 << 11};
   memcpy(s->extra + 4, flush, sizeof(flush));
   s->extras = 9;
   set_width(s, 8 * rows);
   draw(s);
   static const char *const all[] = {"SFV-019", "SFV-020", "SFV-021", "SFV-022", "SFV-023"};
   for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++)
      assert_int_equal(rig_count(s->rig, all[i]), rule && !strcmp(rule, all[i]));
   rig_forget(s->rig);
}

/* Each form has its lengths; another one is told of. */
static void
lengths(void **state)
{
   proves("SFV-019", "SFV-020", "SFV-021", "SFV-022", "SFV-023");
   struct scene *s = *state;
   set_scene(s, 1);
   one_sample(s, false);
   for (unsigned rows = 1; rows < 3; rows++)
      for (unsigned type = PER_MESSAGE; type <= PER_SLOT; type++)
         send_lengths(s, type, rows, type == PER_SLOT ? 2 * rows : 1, 2 * rows, NULL);
   send_lengths(s, CENTROID, 1, 2, 2, "SFV-019");
   send_lengths(s, PER_SLOT, 1, 1, 2, "SFV-020");
   send_lengths(s, PER_SLOT, 2, 3, 4, "SFV-021");
   send_lengths(s, PER_MESSAGE, 1, 1, 1, "SFV-022");
   send_lengths(s, PER_MESSAGE, 2, 1, 3, "SFV-023");
}

/* P3D-333: nobody else has pixels; lengths that are wrong reach nothing. */
static void
other_senders(void **state)
{
   proves("SF-146", "SFV-002", "P3D-333", "SFV-024");
   struct scene *s = *state;
   static struct eu_thread t;
   struct eu_env env = {.dev = s->rig->dev};
   struct sf_message m = {.sfid = SFID_PIXEL_INTERPOLATOR,
                          .mlen = 1,
                          .rlen = 2,
                          .exec_size = 8,
                          .exec_mask = 0x7f,
                          .desc = 1u << 25 | 2u << 20,
                          .payload = t.grf,
                          .response = t.grf + 64};
   t.env = &env;
   set_scene(s, 1);
   one_sample(s, false);
   set_width(s, 8);
   ask(s, 8, PER_MESSAGE, 0, 2); /* a pixel shader has them */
   rig_clean(s->rig);
   expect_equal_bits(s);
   memset(t.grf, 0xaa, 256);
   assert_int_equal(sf_send(&t, &m), SF_OK);
   rig_expect(s->rig, "SFV-002");
   for (unsigned i = 0; i < 16; i++) {
      uint32_t got;
      memcpy(&got, t.grf + 64 + 4 * i, 4);
      assert_int_equal(got, i % 8 == 7 ? 0xaaaaaaaa : 0);
   }
   m.desc |= SIMD16; /* asks for more than comes back */
   assert_int_equal(sf_send(&t, &m), SF_OK);
   uint32_t behind;
   memcpy(&behind, t.grf + 128, 4);
   assert_int_equal(behind, 0xaaaaaaaa);
   m.response = NULL;
   assert_int_equal(sf_send(&t, &m), SF_OK);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       CASE(shared_offset),         CASE(no_offset),     CASE(shared_offset_vlv),
       CASE(slot_offsets),          CASE(sample_of_one), CASE(sample_positions),
       CASE(eight_positions),       CASE(centroids),     CASE(payload_modes),
       CASE(payload_of_one_sample), CASE(masks),         CASE(masks_of_16),
       CASE(upper_slots),           CASE(rules),         CASE(lengths),
       CASE(other_senders),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
