/* Media block read and write against a model of the surface as an array of bytes. */
#include "fixture.h"
#include "tests/proves.h"

#define READ (4u << 14)
#define WRITE (10u << 14)
#define PITCH 1024u

enum { LINEAR, TILE_X, TILE_Y };

struct image {
   unsigned format, tiling, width_dw, height, vls, vlso, mode, x_offset, y_offset;
};

static uint32_t
place(const struct image *m, uint32_t x, uint32_t y)
{
   if (m->tiling == LINEAR)
      return y * PITCH + x;
   if (m->tiling == TILE_X)
      return y / 8 * 8 * PITCH + x / 512 * 4096 + y % 8 * 512 + x % 512;
   return y / 32 * 32 * PITCH + x / 128 * 4096 + x % 128 / 16 * 512 + y % 32 * 16 + x % 16;
}

static void
bind(struct fx *f, const struct image *m)
{
   struct hw_render_surface_state st = {.surface_type = SURFTYPE_2D,
                                        .surface_format = m->format,
                                        .tiled_surface = m->tiling != LINEAR,
                                        .tile_walk = m->tiling == TILE_Y,
                                        .vertical_line_stride = m->vls,
                                        .vertical_line_stride_offset = m->vlso,
                                        .media_boundary_pixel_mode = m->mode,
                                        .surface_base_address = FX_DATA,
                                        .width = m->width_dw - 1,
                                        .height = m->height - 1,
                                        .surface_pitch = PITCH - 1,
                                        .x_offset = m->x_offset / 4,
                                        .y_offset = m->y_offset / 2};
   fx_surface(f, 0, &st);
}

static uint8_t
value(uint32_t x, uint32_t y)
{
   return (uint8_t)(x * 5 + y * 37 + 11);
}

static void
paint(struct fx *f, const struct image *m)
{
   for (uint32_t y = 0; y < 160; y++)
      for (uint32_t x = 0; x < PITCH; x++)
         fx_at(f, FX_DATA)[place(m, x, y)] = value(x, y);
}

static void
block(struct fx *f, int32_t x, int32_t y, unsigned width, unsigned rows)
{
   fx_clear_payload(f);
   fx_in(f, 0)[0] = (uint32_t)x;
   fx_in(f, 0)[1] = (uint32_t)y;
   fx_in(f, 0)[2] = (rows - 1) << 16 | (width - 1);
}

static uint32_t
next(uint32_t *seed)
{
   *seed = *seed * 1664525u + 1013904223u;
   return *seed >> 8;
}

static unsigned
reg_pitch(unsigned width)
{
   return width <= 4 ? 4 : width <= 8 ? 8 : width <= 16 ? 16 : width <= 32 ? 32 : 64;
}

static uint8_t
got(struct fx *f, unsigned i, unsigned j, unsigned width)
{
   return ((uint8_t *)fx_out(f, 0))[i * reg_pitch(width) + j];
}

/* DP-031 DP-097 DP-099 DP-108 DP-129 DP-139 DP-146 DP-147 DP-148 DP-149 DP-151 DP-156 DP-130: every
 * width with its tallest block, on every tiling, whatever the mask; reserved header bits are
 * ignored. */
static void
read_all_widths(void **state)
{
   proves("DP-031", "DP-097", "DP-099", "DP-108", "DP-129", "DP-139", "DP-149", "DP-151", "DP-156",
          "DP-130");
   struct fx *f = *state;
   f->exec_mask = 0;
   for (unsigned tiling = 0; tiling < 3; tiling++) {
      struct image m = {.format = 0x140, .tiling = tiling, .width_dw = 200, .height = 150};
      bind(f, &m);
      paint(f, &m);
      for (unsigned width = 1; width <= 64; width++) {
         unsigned rows = width <= 4 ? 64 : width <= 8 ? 32 : width <= 16 ? 16 : width <= 32 ? 8 : 4;
         if (width > 32 && tiling == TILE_Y)
            continue;
         int x = 3 + (int)width * 7 % 500, y = (int)width % 80;
         block(f, x, y, width, rows);
         fx_in(f, 0)[2] |= 0x1fc00000 | 0x300; /* DP-130 */
         fx_send(f, tiling & 1 ? SFID_DP_SAMPLER : SFID_DP_RENDER, READ, true, 1,
                 (rows * reg_pitch(width) + 31) / 32);
         for (unsigned i = 0; i < rows; i++)
            for (unsigned j = 0; j < width; j++)
               assert_int_equal(got(f, i, j, width), value((uint32_t)x + j, (uint32_t)y + i));
      }
   }
   assert_silent(f);
}

/* DP-109 DP-111 DP-112 DP-113 DP-114 DP-115 DP-418: past the left and right edge the edge pixel is
 * repeated, by the structure of the format; the surface is Width dwords wide. */
static void
horizontal_edges(void **state)
{
   proves("DP-109", "DP-111", "DP-112", "DP-113", "DP-114", "DP-115", "DP-418");
   struct fx *f = *state;
   static const struct {
      unsigned format;
      uint8_t left[4], right[4]; /* byte of the edge dword that stands at each place */
   } edge[] = {{0x140, {0, 0, 0, 0}, {3, 3, 3, 3}}, {0x106, {0, 1, 0, 1}, {2, 3, 2, 3}},
               {0x10a, {0, 1, 0, 1}, {2, 3, 2, 3}}, {0xc7, {0, 1, 2, 3}, {0, 1, 2, 3}},
               {0x182, {0, 1, 0, 3}, {2, 1, 2, 3}}, {0x18f, {0, 1, 0, 3}, {2, 1, 2, 3}},
               {0x190, {0, 1, 2, 1}, {0, 3, 2, 3}}, {0x183, {0, 1, 2, 1}, {0, 3, 2, 3}}};
   for (unsigned e = 0; e < 8; e++) {
      struct image m = {.format = edge[e].format, .tiling = e % 3, .width_dw = 25, .height = 40};
      bind(f, &m);
      paint(f, &m);
      for (unsigned k = 0; k < 8; k++) {
         int x = k < 4 ? -16 - 4 * (int)k : 84 + 8 * ((int)k - 4);
         block(f, x, 5, 32, 4);
         fx_send(f, SFID_DP_RENDER, READ, true, 1, 4);
         for (unsigned i = 0; i < 4; i++)
            for (unsigned j = 0; j < 32; j++) {
               int at = x + (int)j;
               uint32_t want_x = at < 0      ? edge[e].left[at & 3]
                                 : at >= 100 ? 96u + edge[e].right[at & 3]
                                             : (uint32_t)at;
               assert_int_equal(got(f, i, j, 32), value(want_x, 5 + i));
            }
      }
   }
   assert_silent(f);
}

/* Rows that lie outside: those of the manual's table, -4 to 7 (SMP-347) of four; the line stride
 * from the state and from the descriptor. */
struct boundary {
   unsigned mode, vls, vlso;
   const char *rows;
};

static void
expect_rows(struct fx *f, const struct boundary c[3])
{
   for (unsigned t = 0; t < 3; t++)
      for (unsigned override = 0; override < 2; override++) {
         /* A surface in field mode has the height of a field. */
         struct image m = {.format = 0x140,
                           .width_dw = 16,
                           .mode = c[t].mode,
                           .height = c[t].vls && !override ? 2 : 4,
                           .vls = override ? 0 : c[t].vls,
                           .vlso = override ? 0 : c[t].vlso};
         bind(f, &m);
         paint(f, &m);
         block(f, 0, -4, 4, 12);
         uint32_t control = override ? 1u << 10 | c[t].vls << 9 | c[t].vlso << 8 : 0;
         fx_send(f, SFID_DP_RENDER, READ | control, true, 1, 2);
         for (unsigned i = 0; i < 12; i++)
            assert_int_equal(got(f, i, 0, 4), value(0, (uint32_t)(c[t].rows[i] - '0')));
         assert_true(m.height % 2 == 0);
         assert_silent(f);
      }
}

static void
boundary_rows(void **state)
{
   proves("DP-001", "SMP-337", "SMP-338", "SMP-339", "SMP-340", "SMP-347");
   struct fx *f = *state;
   static const struct boundary normal[3] = {
       {0, 0, 0, "000001233333"}, {0, 1, 0, "000002222222"}, {0, 1, 1, "111113333333"}};
   expect_rows(f, normal);
   struct image odd = {.format = 0x140, .width_dw = 16, .mode = 2, .height = 5};
   bind(f, &odd);
   block(f, 0, 0, 4, 4);
   fx_send(f, SFID_DP_RENDER, READ, true, 1, 1);
   assert_rule(f, "DP-002");
   odd.mode = 1, odd.height = 4;
   bind(f, &odd);
   paint(f, &odd);
   block(f, 0, -4, 4, 12);
   fx_send(f, SFID_DP_RENDER, READ, true, 1, 2);
   assert_rule(f, "DP-001");
   for (unsigned i = 0; i < 12; i++) /* SMP-348: as mode 0 */
      assert_int_equal(got(f, i, 0, 4), value(0, (uint32_t)("000001233333"[i] - '0')));
}

static void
boundary_rows_of_progressive_frames(void **state)
{
   proves("DP-001", "DP-126", "SMP-341", "SMP-342", "SMP-343");
   static const struct boundary progressive[3] = {
       {2, 0, 0, "000001233333"}, {2, 1, 0, "000002333333"}, {2, 1, 1, "000013333333"}};
   expect_rows(*state, progressive);
}

static void
boundary_rows_of_interlaced_frames(void **state)
{
   proves("DP-001", "SMP-336", "SMP-344", "SMP-345", "SMP-346");
   static const struct boundary interlaced[3] = {
       {3, 0, 0, "010101232323"}, {3, 1, 0, "000002222222"}, {3, 1, 1, "111113333333"}};
   expect_rows(*state, interlaced);
}

/* DP-127 DP-128: heights that follow from the override; the examples of the manual. */
static void
override_heights(void **state)
{
   proves("DP-127", "DP-128");
   struct fx *f = *state;
   static const struct {
      unsigned height, vls, over, rows;
   } table[] = {{120, 0, 0, 120}, {120, 0, 1, 60}, {60, 1, 0, 120}, {60, 1, 1, 60}};
   for (unsigned t = 0; t < 4; t++) {
      struct image m = {
          .format = 0x140, .width_dw = 16, .height = table[t].height, .vls = table[t].vls};
      bind(f, &m);
      paint(f, &m);
      block(f, 0, (int)table[t].rows - 1, 4, 2); /* the last row, and one past it */
      fx_send(f, SFID_DP_RENDER, READ | 1u << 10 | table[t].over << 9, true, 1, 1);
      uint32_t last = table[t].over ? 2 * (table[t].rows - 1) : table[t].rows - 1;
      assert_int_equal(got(f, 0, 0, 4), value(0, last));
      assert_int_equal(got(f, 1, 0, 4), value(0, last));
   }
   assert_silent(f);
   struct image odd = {.format = 0x140, .width_dw = 16, .height = 33};
   bind(f, &odd);
   fx_send(f, SFID_DP_RENDER, READ | 1u << 10 | 1u << 9, true, 1, 1);
   assert_rule(f, "DP-128");
}

/* DP-032 DP-110 DP-150: bytes inside are written, those outside dropped; linear, tiled, fields. */
static void
write_blocks(void **state)
{
   proves("DP-032", "DP-110", "DP-150");
   struct fx *f = *state;
   static const struct {
      int x, y;
      unsigned width, rows;
   } blocks[] = {{0, 0, 32, 8},    {-8, -3, 32, 8}, {84, 35, 32, 8}, {40, 10, 4, 64},
                 {60, 20, 16, 16}, {100, 0, 32, 4}, {0, 40, 32, 4},  {-32, 0, 32, 4}};
   for (unsigned tiling = 0; tiling < 3; tiling++)
      for (unsigned vls = 0; vls < 3; vls++)
         for (unsigned b = 0; b < 8; b++) {
            struct image m = {.format = 0xc7,
                              .tiling = tiling,
                              .width_dw = 25,
                              .height = vls ? 20 : 40,
                              .vls = vls != 0,
                              .vlso = vls == 2};
            unsigned width = blocks[b].width, rows = blocks[b].rows > 14 * 32 / reg_pitch(width)
                                                         ? 14 * 32 / reg_pitch(width)
                                                         : blocks[b].rows;
            bind(f, &m);
            paint(f, &m);
            block(f, blocks[b].x, blocks[b].y, width, rows);
            unsigned regs = (rows * reg_pitch(width) + 31) / 32;
            for (unsigned i = 0; i < regs * 32; i++)
               ((uint8_t *)fx_in(f, 1))[i] = (uint8_t)(i * 3 + 1);
            fx_send(f, SFID_DP_RENDER, WRITE, true, 1 + regs, 0);
            for (uint32_t y = 0; y < 60; y++)
               for (uint32_t x = 0; x < 140; x++) {
                  uint32_t row = vls ? y / 2 : y;
                  int i = (int)row - blocks[b].y, j = (int)x - blocks[b].x;
                  bool in = i >= 0 && i < (int)rows && j >= 0 && j < (int)width && x < 100 &&
                            row < m.height && (!vls || y % 2 == m.vlso);
                  uint8_t want =
                      in ? (uint8_t)(((unsigned)i * reg_pitch(width) + (unsigned)j) * 3 + 1)
                         : value(x, y);
                  assert_int_equal(fx_at(f, FX_DATA)[place(&m, x, y)], want);
               }
         }
   assert_silent(f);
}

/* DP-132 DP-133 DP-134 DP-142: four rows of eight dwords, one bit each; reads return all; the
 * sampler cache knows no mask. */
static void
pixel_masks(void **state)
{
   proves("DP-132", "DP-133", "DP-134", "DP-142");
   struct fx *f = *state;
   static const uint8_t bit[4][8] = {{0, 1, 4, 5, 16, 17, 20, 21},
                                     {2, 3, 6, 7, 18, 19, 22, 23},
                                     {8, 9, 12, 13, 24, 25, 28, 29},
                                     {10, 11, 14, 15, 26, 27, 30, 31}};
   struct image m = {.format = 0xc7, .tiling = TILE_Y, .width_dw = 64, .height = 40};
   bind(f, &m);
   for (unsigned k = 0; k < 40; k++) {
      uint32_t mask = k < 32 ? 1u << k : 0x9e3779b9u * k;
      paint(f, &m);
      fx_clear_payload(f);
      fx_in(f, 0)[0] = 32;
      fx_in(f, 0)[1] = 8;
      fx_in(f, 0)[2] = mask;
      fx_in(f, 0)[3] = 1u << 4;
      memset(fx_in(f, 1), 0xee, 128);
      fx_send(f, SFID_DP_RENDER, WRITE, true, 5, 0);
      for (uint32_t y = 0; y < 20; y++)
         for (uint32_t x = 0; x < 128; x++) {
            bool in = y >= 8 && y < 12 && x >= 32 && x < 64 && mask >> bit[y - 8][(x - 32) / 4] & 1;
            assert_int_equal(fx_at(f, FX_DATA)[place(&m, x, y)], in ? 0xee : value(x, y));
         }
   }
   paint(f, &m);
   fx_in(f, 0)[2] = 0;
   fx_send(f, SFID_DP_RENDER, READ, true, 1, 4);
   for (unsigned i = 0; i < 4; i++)
      for (unsigned j = 0; j < 32; j++)
         assert_int_equal(got(f, i, j, 32), value(32 + j, 8 + i));
   fx_in(f, 0)[2] = 1u << 16 | 7;
   fx_send(f, SFID_DP_SAMPLER, READ, true, 1, 1);
   assert_int_equal(got(f, 1, 7, 8), value(39, 9));
   assert_silent(f);
}

/* DP-419: the origin of a tiled surface, in dwords and rows. */
static void
surface_offsets(void **state)
{
   proves("DP-419");
   struct fx *f = *state;
   struct image m = {.format = 0x140,
                     .tiling = TILE_Y,
                     .width_dw = 50,
                     .height = 40,
                     .x_offset = 8,
                     .y_offset = 6};
   bind(f, &m);
   paint(f, &m);
   block(f, 3, 2, 16, 4);
   fx_send(f, SFID_DP_RENDER, READ, true, 1, 2);
   for (unsigned i = 0; i < 4; i++)
      for (unsigned j = 0; j < 16; j++)
         assert_int_equal(got(f, i, j, 16), value(32 + 3 + j, 6 + 2 + i));
   assert_silent(f);
   m.tiling = LINEAR;
   bind(f, &m);
   fx_send(f, SFID_DP_RENDER, READ, true, 1, 2);
   assert_rule(f, "DP-419");
}

static void
expect_read(struct fx *f, const struct image *m, const char *rule)
{
   bind(f, m);
   fx_send(f, SFID_DP_RENDER, READ, true, 1, 4);
   assert_rule(f, rule);
}

/* DP-098 DP-100 DP-101 DP-103 DP-104 DP-105 DP-107 DP-116 DP-126 DP-138 DP-139 DP-140 DP-141 DP-143
 * DP-144 DP-420: the violations. */
static void
media_rules(void **state)
{
   proves("DP-101", "DP-103", "DP-105", "DP-107", "DP-116", "DP-140", "DP-141", "DP-143", "DP-144");
   struct fx *f = *state;
   struct image m = {.format = 0x106, .width_dw = 50, .height = 40};
   block(f, 1, 0, 32, 4);
   expect_read(f, &m, "DP-103");
   m.format = 0x182;
   block(f, 2, 0, 32, 4);
   expect_read(f, &m, "DP-104");
   m.format = 0x80; /* 64 bits */
   block(f, 0, 0, 32, 4);
   expect_read(f, &m, "DP-116");
   m.format = 0xc7;
   block(f, 0, 0, 32, 9);
   expect_read(f, &m, "DP-139");
   m.tiling = TILE_Y;
   block(f, 0, 0, 64, 2);
   expect_read(f, &m, "DP-140");
   block(f, 0, 0, 32, 2);
   fx_send(f, SFID_DP_RENDER, READ, true, 1, 2);
   assert_silent(f);
   block(f, 0, 0, 64, 2);
   m.tiling = TILE_X;
   bind(f, &m);
   fx_send(f, SFID_DP_RENDER, READ, true, 1, 4);
   assert_silent(f);
   m.tiling = LINEAR;
   block(f, 0, 0, 32, 4);
   fx_in(f, 0)[3] = 1;
   expect_read(f, &m, "DP-138");
   struct hw_render_surface_state st = {.surface_type = SURFTYPE_2D,
                                        .surface_format = 0xc7,
                                        .width = 49,
                                        .height = 39,
                                        .surface_pitch = 255,
                                        .surface_base_address = FX_DATA + 16};
   fx_surface(f, 0, &st);
   block(f, 0, 0, 32, 4);
   fx_send(f, SFID_DP_RENDER, READ, true, 1, 4);
   assert_rule(f, "DP-101");
   st.surface_base_address = FX_DATA, st.surface_pitch = 231;
   fx_surface(f, 0, &st);
   fx_send(f, SFID_DP_RENDER, READ, true, 1, 4);
   assert_rule(f, "DP-107");
   st.surface_pitch = 255, st.surface_array = true, st.depth = 3;
   fx_surface(f, 0, &st);
   fx_send(f, SFID_DP_RENDER, READ, true, 1, 4);
   assert_rule(f, "DP-098");
   fx_send(f, SFID_DP_RENDER, READ | 255, true, 1, 4);
   assert_rule(f, "DP-098");
   st.surface_array = false, st.depth = 0, st.mip_count_or_lod = 2;
   fx_surface(f, 0, &st);
   fx_send(f, SFID_DP_RENDER, READ, true, 1, 4);
   assert_rule(f, "DP-098");
   st.surface_type = SURFTYPE_NULL;
   fx_surface(f, 0, &st);
   fx_send(f, SFID_DP_RENDER, READ, true, 1, 4);
   assert_rule(f, "DP-420");
   bind(f, &m);
   block(f, 2, 0, 32, 4);
   fx_send(f, SFID_DP_RENDER, WRITE, true, 5, 0);
   assert_true(fx_said(f, "DP-105"));
   assert_rule(f, "DP-144");
   block(f, 1, 0, 32, 4);
   fx_send(f, SFID_DP_RENDER, WRITE, true, 5, 0);
   assert_true(fx_said(f, "DP-144"));
   f->rule_count = 0;
   block(f, 4, 0, 32, 4);
   fx_send(f, SFID_DP_RENDER, WRITE, true, 5, 0);
   assert_silent(f);
   block(f, 0, 0, 30, 4);
   fx_send(f, SFID_DP_RENDER, WRITE, true, 5, 0);
   assert_true(fx_said(f, "DP-105"));
   assert_rule(f, "DP-141");
   block(f, 0, 2, 32, 4);
   fx_in(f, 0)[3] = 1u << 4;
   fx_send(f, SFID_DP_RENDER, WRITE, true, 5, 0);
   assert_rule(f, "DP-143");
   block(f, 4, 4, 32, 4);
   fx_in(f, 0)[3] = 1u << 4;
   fx_send(f, SFID_DP_RENDER, WRITE, true, 5, 0);
   assert_rule(f, "DP-144");
}

/* DP-100: the data cache has no media blocks. The code is that of two OWord blocks there. */
static void
not_of_the_data_cache(void **state)
{
   proves("DP-093", "DP-100");
   struct fx *f = *state;
   struct image m = {.format = 0xc7, .width_dw = 50, .height = 40};
   bind(f, &m);
   memset(fx_at(f, FX_DATA), 0, 64);
   block(f, 0, 0, 32, 4);
   fx_send(f, SFID_DP_DATA0, 10u << 14 | 1u << 8, true, 5, 0);
   assert_rule(f, "DP-093");
   assert_int_equal(fx_at(f, FX_DATA)[0], 0);
}

/* DP-139 DP-146 DP-147 DP-148 DP-149: one row more than the width allows is named, in every class
 * of widths. */
static void
height_limits(void **state)
{
   proves("DP-139", "DP-146", "DP-147", "DP-148", "DP-149");
   struct fx *f = *state;
   static const unsigned widths[9][2] = {{1, 64},  {4, 64}, {5, 32}, {8, 32}, {9, 16},
                                         {16, 16}, {17, 8}, {32, 8}, {33, 4}};
   struct image m = {.format = 0x140, .width_dw = 50, .height = 100};
   bind(f, &m);
   for (unsigned i = 0; i < 9; i++)
      for (unsigned more = 0; more < 2 && widths[i][1] + more <= 64; more++) {
         block(f, 0, 0, widths[i][0], widths[i][1] + more);
         fx_send(f, SFID_DP_RENDER, READ, true, 1, 8);
         assert_int_equal(fx_said(f, "DP-139"), more);
         f->rule_count = 0;
      }
}

/* DP-126: [9:8] count only with the override, [8] only with [9]; [13:11] are reserved. */
static void
override_bits(void **state)
{
   proves("DP-126");
   struct fx *f = *state;
   static const struct {
      unsigned vls, vlso, control, row; /* row of the frame that row 1 is */
   } table[] = {{0, 0, 0u << 8, 1}, {0, 0, 3u << 8, 1}, {1, 1, 3u << 8, 3},
                {1, 1, 2u << 8, 3}, {1, 1, 6u << 8, 2}, {0, 0, 7u << 8, 3},
                {0, 0, 5u << 8, 1}, {1, 1, 5u << 8, 1}, {1, 1, 4u << 8, 1}};
   for (unsigned t = 0; t < sizeof(table) / sizeof(table[0]); t++) {
      struct image m = {.format = 0x140,
                        .width_dw = 16,
                        .height = 40,
                        .vls = table[t].vls,
                        .vlso = table[t].vlso};
      bind(f, &m);
      paint(f, &m);
      block(f, 0, 1, 4, 1);
      fx_send(f, SFID_DP_RENDER, READ | table[t].control, true, 1, 1);
      assert_int_equal(got(f, 0, 0, 4), value(0, table[t].row));
   }
   assert_silent(f);
   for (unsigned bit = 11; bit <= 13; bit++) {
      fx_send(f, SFID_DP_RENDER, READ | 1u << bit, true, 1, 1);
      assert_rule(f, "DP-126");
   }
}

/* DP-419: the offsets move writes too; in field mode Y is a multiple of 4. */
static void
offsets_of_writes(void **state)
{
   proves("DP-419");
   struct fx *f = *state;
   for (unsigned tiling = TILE_X; tiling <= TILE_Y; tiling++) {
      struct image m = {.format = 0xc7,
                        .tiling = tiling,
                        .width_dw = 30,
                        .height = 20,
                        .x_offset = 24,
                        .y_offset = 10};
      bind(f, &m);
      paint(f, &m);
      block(f, 4, 3, 8, 2);
      memset(fx_in(f, 1), 0xee, 32);
      fx_send(f, SFID_DP_RENDER, WRITE, true, 2, 0);
      for (uint32_t y = 0; y < 60; y++)
         for (uint32_t x = 0; x < 400; x++) {
            bool in = x >= 96 + 4 && x < 96 + 12 && y >= 13 && y < 15;
            assert_int_equal(fx_at(f, FX_DATA)[place(&m, x, y)], in ? 0xee : value(x, y));
         }
      assert_silent(f);
      m.vls = 1;
      bind(f, &m);
      fx_send(f, SFID_DP_RENDER, WRITE, true, 2, 0);
      assert_rule(f, "DP-419");
      m.y_offset = 12;
      bind(f, &m);
      fx_send(f, SFID_DP_RENDER, WRITE, true, 2, 0);
      assert_silent(f);
   }
}

/* DP-103 DP-104 DP-098 DP-138: the width must fit the pixel too; other surface types; the sampler
 * cache knows no color processing. */
static void
more_media_rules(void **state)
{
   proves("DP-103", "DP-104", "DP-098", "DP-138");
   struct fx *f = *state;
   struct image m = {.format = 0x106, .width_dw = 50, .height = 40};
   block(f, 0, 0, 31, 4);
   expect_read(f, &m, "DP-103");
   m.format = 0x182;
   block(f, 0, 0, 30, 4);
   expect_read(f, &m, "DP-104");
   block(f, 4, 0, 28, 4);
   fx_in(f, 0)[3] = 1;
   fx_send(f, SFID_DP_SAMPLER, READ, true, 1, 4);
   assert_silent(f);
   for (unsigned type = 0; type < SURFTYPE_NULL; type++) {
      struct hw_render_surface_state st = {.surface_type = type,
                                           .surface_format = 0xc7,
                                           .width = 15,
                                           .height = 15,
                                           .surface_pitch = 63,
                                           .surface_base_address = FX_DATA};
      fx_surface(f, 0, &st);
      block(f, 0, 0, 32, 4);
      fx_send(f, SFID_DP_RENDER, READ, true, 1, 4);
      assert_int_equal(fx_said(f, "DP-098"), type != SURFTYPE_2D);
      f->rule_count = 0;
   }
}

/* DP-102: frame and field accesses of X-major memory through the render cache need a flush between.
 */
static void
field_and_frame(void **state)
{
   proves("DP-102");
   struct fx *f = *state;
   struct image m = {.format = 0xc7, .tiling = TILE_X, .width_dw = 50, .height = 40};
   bind(f, &m);
   hazard_enable(f->dev->surfaces, true);
   block(f, 0, 0, 32, 4);
   fx_send(f, SFID_DP_RENDER, WRITE, true, 5, 0);
   fx_send(f, SFID_DP_RENDER, READ | 3u << 9, true, 1, 4);
   assert_rule(f, "DP-102");
   hazard_flush(f->dev->surfaces, 1u << HAZARD_RENDER, 1u << HAZARD_RENDER);
   fx_send(f, SFID_DP_RENDER, READ | 3u << 9, true, 1, 4);
   assert_silent(f);
   m.tiling = TILE_Y;
   bind(f, &m);
   fx_send(f, SFID_DP_RENDER, WRITE, true, 5, 0);
   fx_send(f, SFID_DP_RENDER, READ | 3u << 9, true, 1, 4);
   assert_silent(f);
}

/* Blocks inside a surface are done at once, or row by row when somebody looks at each access: both
 * give the same bytes. Rows cross pages, and one page is not there. */
static void
both_ways_agree(void **state)
{
   struct fx *f = *state;
   enum { SIZE = 0x40000 };
   static uint8_t first[SIZE], before[SIZE];
   uint32_t seed = 99;
   uint8_t response[8 * 32];
   pergola_mmio_write(f->dev, PERGOLA_MMIO_SIZE / 2 + (FX_DATA + 0x5000) / 4096 * 4, 4, 0);
   mem_invalidate_all(f->dev);
   fx_pattern(f, FX_DATA, SIZE);
   for (unsigned round = 0; round < 900; round++) {
      unsigned tiling = round % 3, width = 4 * (1 + next(&seed) % 8), rows = 1 + next(&seed) % 8;
      uint32_t pitch = tiling == LINEAR ? 1088 : 1024, x = next(&seed) % (800 - width),
               y = next(&seed) % (100 - rows);
      struct hw_render_surface_state st = {.surface_type = SURFTYPE_2D,
                                           .surface_format = 0x140,
                                           .tiled_surface = tiling != LINEAR,
                                           .tile_walk = tiling == TILE_Y,
                                           .surface_base_address =
                                               FX_DATA + (tiling == LINEAR ? 0x20 : 0),
                                           .width = 199,
                                           .height = 99,
                                           .surface_pitch = pitch - 1,
                                           .x_offset = tiling == LINEAR ? 0 : round % 5,
                                           .y_offset = tiling == LINEAR ? 0 : round % 7};
      unsigned regs = (rows * reg_pitch(width) + 31) / 32;
      bool write = round & 1;
      fx_surface(f, 0, &st);
      memcpy(before, fx_at(f, FX_DATA), SIZE);
      for (unsigned looked = 0; looked < 2; looked++) {
         assert_int_equal(pergola_check_hazards(f->dev, looked), 0);
         memcpy(fx_at(f, FX_DATA), before, SIZE);
         block(f, (int32_t)(write ? x & ~3u : x), (int32_t)y, width, rows);
         for (unsigned i = 0; i < 64; i++)
            fx_in(f, 1)[i] = round * 64 + i;
         fx_fill_response(f, 8, 0x55555555);
         fx_send(f, SFID_DP_RENDER, write ? WRITE : READ, true, write ? 1 + regs : 1,
                 write ? 0 : regs);
         if (looked) {
            assert_memory_equal(fx_out(f, 0), response, sizeof(response));
            assert_memory_equal(fx_at(f, FX_DATA), first, SIZE);
         }
         memcpy(response, fx_out(f, 0), sizeof(response));
         memcpy(first, fx_at(f, FX_DATA), SIZE);
         if (write && !looked)
            assert_memory_equal(first + 0x5000, before + 0x5000, 0x1000);
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       FX_TEST(read_all_widths),
       FX_TEST(horizontal_edges),
       FX_TEST(boundary_rows),
       FX_TEST(boundary_rows_of_progressive_frames),
       FX_TEST(boundary_rows_of_interlaced_frames),
       FX_TEST(override_heights),
       FX_TEST(write_blocks),
       FX_TEST(pixel_masks),
       FX_TEST(surface_offsets),
       FX_TEST(media_rules),
       FX_TEST(not_of_the_data_cache),
       FX_TEST(field_and_frame),
       FX_TEST(height_limits),
       FX_TEST(override_bits),
       FX_TEST(offsets_of_writes),
       FX_TEST(more_media_rules),
       FX_TEST(both_ways_agree),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
