/* OWord block messages, aligned, unaligned and dual. */
#include "fixture.h"
#include "tests/proves.h"

#define BLOCK_READ(size) (0u << 14 | (size) << 8)
#define BLOCK_WRITE(size) (8u << 14 | (size) << 8)
#define UNALIGNED_READ(size) (1u << 14 | (size) << 8)
#define DUAL_READ(size) (2u << 14 | (size) << 8)
#define DUAL_WRITE(size) (10u << 14 | (size) << 8)
#define R32G32B32A32_FLOAT 0u

static void
header(struct fx *f, uint32_t global_offset)
{
   fx_clear_payload(f);
   fx_in(f, 0)[2] = global_offset;
}

/* DP-015 DP-055 DP-061 DP-075 DP-079: OWords from the Global Offset on, low half first. DP-003:
 * entry and state through the binding table. DP-052 DP-053: the header's third dword is what
 * counts. */
static void
block_read_sizes(void **state)
{
   proves("DP-015", "DP-055", "DP-061", "DP-075", "DP-079", "DP-003", "DP-052", "DP-053");
   struct fx *f = *state;
   static const unsigned owords[5] = {1, 1, 2, 4, 8};
   fx_buffer(f, 3, R32G32B32A32_FLOAT, FX_DATA, 64, 16);
   fx_pattern(f, FX_DATA, 1024);
   for (unsigned size = 0; size < 5; size++) {
      unsigned regs = owords[size] < 2 ? 1 : owords[size] / 2;
      memset(fx_in(f, 0), 0x5a, 32);
      fx_in(f, 0)[2] = 5;
      fx_fill_response(f, 5, 0xdeadbeef);
      fx_send(f, SFID_DP_DATA0, BLOCK_READ(size) | 3, true, 1, regs);
      for (unsigned i = 0; i < 40; i++) {
         bool written = size == 0 ? i < 4 : size == 1 ? i >= 4 && i < 8 : i < owords[size] * 4;
         unsigned word = size == 1 ? i - 4 : i;
         assert_int_equal(fx_out(f, 0)[i], written ? 0xA0000000u + 80 + 4 * word : 0xdeadbeef);
      }
   }
   assert_silent(f);
}

/* DP-016 DP-078: data after the header, low half first; the one-OWord forms take their own half. */
static void
block_write_sizes(void **state)
{
   proves("DP-016", "DP-078");
   struct fx *f = *state;
   static const unsigned owords[5] = {1, 1, 2, 4, 8};
   fx_buffer(f, 3, R32G32B32A32_FLOAT, FX_DATA, 64, 16);
   for (unsigned size = 0; size < 5; size++) {
      unsigned regs = owords[size] < 2 ? 1 : owords[size] / 2;
      memset(fx_at(f, FX_DATA), 0, 1024);
      header(f, 7);
      for (unsigned i = 0; i < 32; i++)
         fx_in(f, 1)[i] = 100 + i;
      fx_send(f, SFID_DP_DATA0, BLOCK_WRITE(size) | 3, true, 1 + regs, 0);
      for (unsigned i = 0; i < 256; i++) {
         bool in = i >= 28 && i < 28 + owords[size] * 4;
         assert_int_equal(fx_dw(f, FX_DATA)[i], in ? 100 + (i - 28) + (size == 1 ? 4 : 0) : 0);
      }
   }
   assert_silent(f);
}

/* DP-068 DP-069 DP-072: bits 7:0 rule registers 0 and 2, bits 15:8 registers 1 and 3; any of four
 * returns its OWord. */
static void
block_read_mask(void **state)
{
   proves("DP-068", "DP-069", "DP-072");
   struct fx *f = *state;
   fx_buffer(f, 0, R32G32B32A32_FLOAT, FX_DATA, 64, 16);
   fx_pattern(f, FX_DATA, 1024);
   for (unsigned bit = 0; bit < 16; bit++) {
      header(f, 0);
      fx_fill_response(f, 4, 1);
      f->exec_mask = 1u << bit;
      fx_send(f, SFID_DP_DATA0, BLOCK_READ(4), true, 1, 4);
      for (unsigned i = 0; i < 32; i++) {
         bool on = i / 4 == bit / 4 || i / 4 == bit / 4 + 4;
         assert_int_equal(fx_out(f, 0)[i], on ? 0xA0000000u + 4 * i : 1);
      }
   }
}

/* DP-070: each bit writes its own dword. */
static void
block_write_mask(void **state)
{
   proves("DP-070");
   struct fx *f = *state;
   fx_buffer(f, 0, R32G32B32A32_FLOAT, FX_DATA, 64, 16);
   f->exec_mask = 0x8421;
   memset(fx_at(f, FX_DATA), 0, 256);
   header(f, 0);
   for (unsigned i = 0; i < 32; i++)
      fx_in(f, 1)[i] = 1 + i;
   fx_send(f, SFID_DP_DATA0, BLOCK_WRITE(4), true, 5, 0);
   for (unsigned i = 0; i < 32; i++)
      assert_int_equal(fx_dw(f, FX_DATA)[i], 0x8421 >> i % 16 & 1 ? 1 + i : 0);
}

/* DP-071: the low form looks at bits 3:0, the high form at bits 7:4. */
static void
one_oword_mask(void **state)
{
   proves("DP-071");
   struct fx *f = *state;
   fx_buffer(f, 0, R32G32B32A32_FLOAT, FX_DATA, 64, 16);
   fx_pattern(f, FX_DATA, 64);
   for (unsigned size = 0; size < 2; size++) {
      header(f, 0);
      fx_fill_response(f, 1, 9);
      f->exec_mask = size ? 0xff0f : 0xfff0;
      fx_send(f, SFID_DP_DATA0, BLOCK_READ(size), true, 1, 1);
      for (unsigned i = 0; i < 8; i++)
         assert_int_equal(fx_out(f, 0)[i], 9);
      f->exec_mask = size ? 0x10 : 0x08;
      fx_send(f, SFID_DP_DATA0, BLOCK_READ(size), true, 1, 1);
      assert_int_equal(fx_out(f, 0)[4 * size + 3], 0xA000000cu);
   }
}

/* DP-064 DP-073 DP-074: 16 bytes an element whatever the pitch; what is outside reads 0 and is not
 * written, OWord by OWord. DP-058: a sum past 4 GiB never wraps into the surface. DP-063: no
 * conversion. */
static void
block_bounds(void **state)
{
   proves("DP-064", "DP-073", "DP-074", "DP-058", "DP-063");
   struct fx *f = *state;
   fx_buffer(f, 0, R32G32B32A32_FLOAT, FX_DATA, 6, 1);
   fx_pattern(f, FX_DATA, 512);
   header(f, 4);
   fx_send(f, SFID_DP_DATA0, BLOCK_READ(3), true, 1, 2);
   for (unsigned i = 0; i < 16; i++)
      assert_int_equal(fx_out(f, 0)[i], i < 8 ? 0xA0000000u + 64 + 4 * i : 0);
   for (unsigned i = 0; i < 32; i++)
      fx_in(f, 1)[i] = 7;
   fx_send(f, SFID_DP_DATA0, BLOCK_WRITE(3), true, 3, 0);
   assert_int_equal(fx_dw(f, FX_DATA)[23], 7);
   assert_int_equal(fx_dw(f, FX_DATA)[24], 0xA0000060u);
   for (unsigned i = 0; i < 2; i++) {
      header(f, i ? 0xffffffff : 0x10000000);
      fx_fill_response(f, 1, 3);
      fx_send(f, SFID_DP_DATA0, BLOCK_READ(2), true, 1, 1);
      assert_int_equal(fx_out(f, 0)[0], 0);
      fx_send(f, SFID_DP_DATA0, BLOCK_WRITE(2), true, 2, 0);
   }
   assert_int_equal(fx_dw(f, FX_DATA)[0], 0xA0000000u);
   assert_silent(f);
}

/* DP-062 DP-065 DP-081 DP-090: the surface is an untiled buffer with an aligned base. */
static void
block_surface_rules(void **state)
{
   proves("DP-062", "DP-065", "DP-081", "DP-090");
   struct fx *f = *state;
   struct hw_render_surface_state st = fx_buffer_state(SURFTYPE_2D, 0, FX_DATA, 64, 16);
   fx_surface(f, 0, &st);
   header(f, 0);
   fx_fill_response(f, 1, 3);
   fx_send(f, SFID_DP_DATA0, BLOCK_READ(2), true, 1, 1);
   assert_rule(f, "DP-062");
   assert_int_equal(fx_out(f, 0)[0], 0);
   for (unsigned tiled = 0; tiled < 2; tiled++) {
      st = fx_buffer_state(SURFTYPE_BUFFER, 0, tiled ? FX_DATA : FX_DATA + 4, 64, 16);
      st.tiled_surface = tiled;
      fx_surface(f, 0, &st);
      fx_send(f, SFID_DP_CONSTANT, BLOCK_READ(2), true, 1, 1);
      assert_rule(f, "DP-065");
      fx_send(f, SFID_DP_DATA0, BLOCK_READ(2), true, 1, 1);
      assert_rule(f, "DP-065");
      fx_send(f, SFID_DP_DATA0, BLOCK_WRITE(2), true, 2, 0);
      assert_rule(f, "DP-065");
      fx_send(f, SFID_DP_DATA0, UNALIGNED_READ(2), true, 1, 1);
      assert_rule(f, "DP-081");
      fx_send(f, SFID_DP_DATA0, DUAL_READ(0), true, 2, 1);
      assert_rule(f, "DP-090");
   }
   fx_send(f, SFID_DP_DATA0, DUAL_READ(0) | 254, true, 2, 1); /* nor shared local memory */
   assert_rule(f, "DP-047");
   fx_send(f, SFID_DP_DATA0, DUAL_WRITE(0) | 254, true, 3, 0);
   assert_rule(f, "DP-047");
   st = fx_buffer_state(SURFTYPE_3D, 0, FX_DATA, 64, 16);
   fx_surface(f, 0, &st);
   fx_send(f, SFID_DP_DATA0, UNALIGNED_READ(2), true, 1, 1);
   assert_rule(f, "DP-081");
   fx_send(f, SFID_DP_DATA0, DUAL_READ(0), true, 2, 1);
   assert_rule(f, "DP-090");
}

/* DP-077 DP-075: sizes above 4 are reserved; DP-051: nothing is touched and zeros come back. */
static void
reserved_block_sizes(void **state)
{
   proves("DP-077", "DP-075", "DP-051", "DP-085");
   struct fx *f = *state;
   fx_buffer(f, 0, 0, FX_DATA, 64, 16);
   fx_pattern(f, FX_DATA, 64);
   for (unsigned size = 5; size < 8; size++) {
      header(f, 0);
      fx_fill_response(f, 1, 3);
      fx_send(f, SFID_DP_CONSTANT, BLOCK_READ(size), true, 1, 1);
      assert_rule(f, "DP-075");
      assert_int_equal(fx_out(f, 0)[0], 0);
      fx_send(f, SFID_DP_DATA0, BLOCK_WRITE(size), true, 4, 0);
      assert_rule(f, "DP-075");
      fx_send(f, SFID_DP_DATA0, UNALIGNED_READ(size), true, 1, 1);
      assert_rule(f, "DP-085");
   }
   assert_int_equal(fx_dw(f, FX_DATA)[0], 0xA0000000u);
}

/* DP-076: invalidate after read changes nothing that can be seen. */
static void
invalidate_after_read(void **state)
{
   proves("DP-076");
   struct fx *f = *state;
   fx_buffer(f, 0, 0, FX_DATA, 64, 16);
   fx_pattern(f, FX_DATA, 64);
   header(f, 0);
   fx_send(f, SFID_DP_DATA0, BLOCK_READ(2) | 1u << 13, true, 1, 1);
   assert_int_equal(fx_out(f, 0)[7], 0xA000001cu);
   assert_int_equal(fx_dw(f, FX_DATA)[7], 0xA000001cu);
   assert_silent(f);
}

/* DP-017 DP-054 DP-080 DP-081 DP-082 DP-085 DP-086: any dword, every mask, halves kept. */
static void
unaligned_read(void **state)
{
   proves("DP-017", "DP-054", "DP-080", "DP-081", "DP-082", "DP-085", "DP-086");
   struct fx *f = *state;
   static const unsigned owords[5] = {1, 1, 2, 4, 8};
   fx_buffer(f, 0, 0, FX_DATA, 64, 16);
   fx_pattern(f, FX_DATA, 1024);
   f->exec_mask = 0;
   for (unsigned size = 0; size < 5; size++) {
      header(f, 20 + 4 * size);
      fx_fill_response(f, 4, 3);
      fx_send(f, SFID_DP_SAMPLER, UNALIGNED_READ(size), true, 1,
              owords[size] < 2 ? 1 : owords[size] / 2);
      for (unsigned i = 0; i < 32; i++) {
         bool on = size == 0 ? i < 4 : size == 1 ? i >= 4 && i < 8 : i < 4 * owords[size];
         unsigned word = size == 1 ? i - 4 : i;
         assert_int_equal(fx_out(f, 0)[i], on ? 0xA0000000u + 20 + 4 * size + 4 * word : 3);
      }
   }
   assert_silent(f);
   header(f, 20); /* a register more than the block has stays */
   fx_fill_response(f, 2, 3);
   fx_send(f, SFID_DP_DATA0, UNALIGNED_READ(2), true, 1, 2);
   assert_int_equal(fx_out(f, 0)[7], 0xA0000000u + 20 + 28);
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(fx_out(f, 1)[i], 3);
   assert_rule(f, "DP-427");
   header(f, 22);
   fx_send(f, SFID_DP_DATA0, UNALIGNED_READ(2), true, 1, 1);
   assert_rule(f, "DP-054");
   assert_int_equal(fx_out(f, 0)[0], 0xA0000014u);
   struct hw_render_surface_state st = fx_buffer_state(SURFTYPE_BUFFER, 0, FX_DATA + 8, 64, 16);
   fx_surface(f, 0, &st);
   header(f, 0);
   fx_send(f, SFID_DP_DATA0, UNALIGNED_READ(2), true, 1, 1);
   assert_rule(f, "DP-081");
}

/* DP-083 DP-084: dwords outside read 0, one by one. */
static void
unaligned_bounds(void **state)
{
   proves("DP-083", "DP-084");
   struct fx *f = *state;
   fx_buffer(f, 0, 0, FX_DATA, 4, 16);
   fx_pattern(f, FX_DATA, 256);
   header(f, 44);
   fx_send(f, SFID_DP_DATA0, UNALIGNED_READ(3), true, 1, 2);
   for (unsigned i = 0; i < 16; i++)
      assert_int_equal(fx_out(f, 0)[i], i < 5 ? 0xA0000000u + 44 + 4 * i : 0);
}

/* DP-018 DP-087 DP-091 DP-093 DP-094 DP-096: two blocks, each with its own half and its own four
 * mask bits. */
static void
dual_read(void **state)
{
   proves("DP-018", "DP-087", "DP-091", "DP-093", "DP-094", "DP-096");
   struct fx *f = *state;
   fx_buffer(f, 0, 0, FX_DATA, 64, 16);
   fx_pattern(f, FX_DATA, 1024);
   for (unsigned four = 0; four < 2; four++)
      for (unsigned mask = 0; mask < 4; mask++) {
         header(f, 2);
         fx_in(f, 1)[0] = 3;
         fx_in(f, 1)[4] = 20;
         fx_fill_response(f, 4, 3);
         f->exec_mask = 0xff00 | (mask & 1 ? 0x4 : 0) | (mask & 2 ? 0x20 : 0);
         fx_send(f, SFID_DP_DATA0, DUAL_READ(four ? 2 : 0), true, 2, four ? 4 : 1);
         for (unsigned k = 0; k < (four ? 4 : 1); k++)
            for (unsigned i = 0; i < 8; i++) {
               uint32_t offset = ((i < 4 ? 5 : 22) + k) * 16 + i % 4 * 4;
               assert_int_equal(fx_out(f, k)[i], mask >> (i / 4) & 1 ? 0xA0000000u + offset : 3);
            }
      }
   assert_silent(f);
}

/* DP-019 DP-095: data registers follow the offsets. DP-088: without a header the Global Offset is
 * 0. DP-092: outside is dropped. */
static void
dual_write(void **state)
{
   proves("DP-019", "DP-095", "DP-088", "DP-092");
   struct fx *f = *state;
   fx_buffer(f, 0, 0, FX_DATA, 24, 16);
   memset(fx_at(f, FX_DATA), 0, 1024);
   fx_clear_payload(f);
   fx_in(f, 0)[0] = 1;
   fx_in(f, 0)[4] = 22;
   for (unsigned i = 0; i < 32; i++)
      fx_in(f, 1)[i] = 100 + i;
   fx_send(f, SFID_DP_DATA0, DUAL_WRITE(2), false, 5, 0);
   for (unsigned i = 0; i < 256; i++) {
      unsigned oword = i / 4;
      uint32_t want = 0;
      if (oword >= 1 && oword < 5)
         want = 100 + 8 * (oword - 1) + i % 4;
      if (oword >= 22 && oword < 24)
         want = 100 + 8 * (oword - 22) + 4 + i % 4;
      assert_int_equal(fx_dw(f, FX_DATA)[i], want);
   }
   assert_silent(f);
}

/* DP-089 DP-090 DP-093: overlap, surface rules, reserved sizes. */
static void
dual_rules(void **state)
{
   proves("DP-089", "DP-090", "DP-093");
   struct fx *f = *state;
   fx_buffer(f, 0, 0, FX_DATA, 64, 16);
   fx_clear_payload(f);
   fx_in(f, 0)[0] = 1;
   fx_in(f, 0)[4] = 4;
   fx_send(f, SFID_DP_DATA0, DUAL_WRITE(2), false, 5, 0);
   assert_rule(f, "DP-089");
   fx_in(f, 0)[4] = 5;
   fx_send(f, SFID_DP_DATA0, DUAL_WRITE(2), false, 5, 0);
   assert_silent(f);
   fx_send(f, SFID_DP_DATA0, DUAL_READ(1), false, 1, 1);
   assert_rule(f, "DP-093");
   fx_send(f, SFID_DP_DATA0, DUAL_WRITE(3), false, 2, 0);
   assert_rule(f, "DP-093");
   struct hw_render_surface_state st = fx_buffer_state(SURFTYPE_STRBUF, 0x1ff, FX_DATA, 64, 16);
   fx_surface(f, 0, &st);
   fx_send(f, SFID_DP_DATA0, DUAL_READ(0), false, 1, 1);
   assert_rule(f, "DP-090");
}

/* DP-048 DP-301 DP-429: the stateless model starts at General State Base plus Immediate Buffer Base
 * and ends at the upper bound. DP-088: it needs the header. DP-430: its memory object control has
 * no effect here to see. */
static void
stateless_blocks(void **state)
{
   proves("DP-048", "DP-301", "DP-429", "DP-088", "DP-430", "SMP-323");
   struct fx *f = *state;
   fx_pattern(f, FX_GENERAL + 0x1400, 256);
   header(f, 1);
   fx_in(f, 0)[5] = 0x1400 | 0x3ff; /* the low ten bits are no address */
   fx_send(f, SFID_DP_DATA0, BLOCK_READ(2) | 255, true, 1, 1);
   assert_int_equal(fx_out(f, 0)[0], 0xA0000010u);
   fx_in(f, 1)[0] = 77;
   fx_send(f, SFID_DP_DATA0, BLOCK_WRITE(2) | 255, true, 2, 0);
   assert_int_equal(fx_dw(f, FX_GENERAL + 0x1400)[4], 77);
   fx_in(f, 0)[5] = FX_MEMORY - FX_GENERAL; /* without a bound, as far as memory goes */
   *fx_dw(f, FX_MEMORY + 16) = 123;
   fx_send(f, SFID_DP_DATA0, BLOCK_READ(2) | 255, true, 1, 1);
   assert_int_equal(fx_out(f, 0)[0], 123);
   fx_in(f, 0)[5] = 0x1400;
   assert_silent(f);
   f->env.general_state_end = FX_GENERAL + 0x1000;
   fx_send(f, SFID_DP_DATA0, BLOCK_READ(2) | 255, true, 1, 1);
   assert_int_equal(fx_out(f, 0)[0], 0);
   fx_in(f, 1)[0] = 78;
   fx_send(f, SFID_DP_DATA0, BLOCK_WRITE(2) | 255, true, 2, 0);
   assert_int_equal(fx_dw(f, FX_GENERAL + 0x1400)[4], 77);
   fx_send(f, SFID_DP_DATA0, DUAL_READ(0) | 255, false, 1, 1);
   assert_rule(f, "DP-088");
}

/* DP-017 DP-018 DP-019 DP-048 DP-429: the other block messages without a surface; the last OWord
 * below the bound is inside, the next is not. */
static void
stateless_others(void **state)
{
   proves("DP-017", "DP-018", "DP-019", "DP-048", "DP-429", "DP-092");
   struct fx *f = *state;
   f->env.general_state_end = FX_GENERAL + 0x1000;
   fx_pattern(f, FX_GENERAL, 0x1100);
   header(f, 0x3f8 - 8);
   fx_in(f, 0)[5] = 0xc00;
   fx_send(f, SFID_DP_DATA0, UNALIGNED_READ(2) | 255, true, 1, 1);
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(fx_out(f, 0)[i], i < 4 ? 0xA0000ff0u + 4 * i : 0);
   header(f, 0x3e);
   fx_in(f, 0)[5] = 0xc00;
   fx_in(f, 1)[0] = 1;
   fx_in(f, 1)[4] = 2;
   fx_fill_response(f, 1, 9);
   fx_send(f, SFID_DP_DATA0, DUAL_READ(0) | 255, true, 2, 1);
   for (unsigned i = 0; i < 8; i++) /* DP-092 */
      assert_int_equal(fx_out(f, 0)[i], i < 4 ? 0xA0000ff0u + 4 * i : 0);
   for (unsigned i = 0; i < 8; i++)
      fx_in(f, 2)[i] = 60 + i;
   fx_send(f, SFID_DP_DATA0, DUAL_WRITE(0) | 255, true, 3, 0);
   assert_int_equal(*fx_dw(f, FX_GENERAL + 0xffc), 63);
   assert_int_equal(*fx_dw(f, FX_GENERAL + 0x1000), 0xA0001000u);
   assert_silent(f);
}

/* DP-070 DP-071 DP-091: writes of one OWord and of two blocks, dword by dword under the mask. */
static void
write_masks(void **state)
{
   proves("DP-070", "DP-071", "DP-091");
   struct fx *f = *state;
   fx_buffer(f, 0, 0, FX_DATA, 64, 16);
   for (unsigned form = 0; form < 3; form++) { /* low half, high half, dual */
      memset(fx_at(f, FX_DATA), 0, 256);
      header(f, 0);
      for (unsigned i = 0; i < 8; i++)
         fx_in(f, form == 2 ? 2 : 1)[i] = 1 + i;
      if (form == 2)
         fx_in(f, 1)[4] = 1;
      f->exec_mask = 0xff5a;
      if (form < 2)
         fx_send(f, SFID_DP_DATA0, BLOCK_WRITE(form), true, 2, 0);
      else
         fx_send(f, SFID_DP_DATA0, DUAL_WRITE(0), true, 3, 0);
      for (unsigned i = 0; i < 8; i++) {
         unsigned from = form == 1 ? i + 4 : i;
         bool on = (form == 2 || i < 4) && 0x5a >> from & 1;
         assert_int_equal(fx_dw(f, FX_DATA)[i], on ? from + 1 : 0);
      }
   }
}

/* DP-075 DP-085 DP-093 DP-094 DP-052: what the manual ignores is ignored. */
static void
ignored_bits(void **state)
{
   proves("DP-075", "DP-085", "DP-093", "DP-094", "DP-052");
   struct fx *f = *state;
   fx_buffer(f, 0, 0, FX_DATA, 64, 16);
   fx_pattern(f, FX_DATA, 1024);
   for (unsigned bit = 10; bit <= 13; bit++) {
      memset(fx_in(f, 0), 0xff, 64);
      fx_in(f, 0)[2] = 0;
      fx_in(f, 1)[0] = 3;
      fx_in(f, 1)[4] = 5;
      fx_send(f, SFID_DP_DATA0, DUAL_READ(0) | 1u << bit, true, 2, 1);
      assert_int_equal(fx_out(f, 0)[0], 0xA0000030u);
      assert_int_equal(fx_out(f, 0)[4], 0xA0000050u);
      if (bit == 10)
         continue;
      fx_in(f, 0)[2] = 4;
      fx_send(f, SFID_DP_DATA0, BLOCK_READ(2) | 1u << bit, true, 1, 1);
      assert_int_equal(fx_out(f, 0)[0], 0xA0000040u);
      fx_send(f, SFID_DP_DATA0, UNALIGNED_READ(2) | 1u << bit, true, 1, 1);
      assert_int_equal(fx_out(f, 0)[0], 0xA0000004u);
      fx_in(f, 1)[0] = 0xA0000040u;
      fx_send(f, SFID_DP_DATA0, BLOCK_WRITE(0) | 1u << bit, true, 2, 0);
      assert_int_equal(fx_dw(f, FX_DATA)[16], 0xA0000040u);
   }
   assert_silent(f);
}

/* DP-059 DP-060: a response of one register asks for a commit; nothing is written to it. */
static void
write_commit(void **state)
{
   proves("DP-059", "DP-060");
   struct fx *f = *state;
   fx_buffer(f, 0, 0, FX_DATA, 64, 16);
   header(f, 0);
   fx_in(f, 1)[0] = 5;
   fx_fill_response(f, 1, 0x1234);
   fx_send(f, SFID_DP_DATA0, BLOCK_WRITE(2), true, 2, 1);
   assert_silent(f);
   assert_int_equal(fx_dw(f, FX_DATA)[0], 5);
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(fx_out(f, 0)[i], 0x1234);
   fx_send(f, SFID_DP_DATA0, BLOCK_WRITE(2), true, 2, 0);
   assert_silent(f);
}

/* DP-066 DP-067: the read/write mode of the render cache changes nothing on the data cache port. */
static void
render_cache_mode_has_no_effect(void **state)
{
   proves("DP-066", "DP-067");
   struct fx *f = *state;
   struct hw_render_surface_state st = fx_buffer_state(SURFTYPE_BUFFER, 0, FX_DATA, 64, 16);
   fx_pattern(f, FX_DATA, 64);
   for (unsigned mode = 0; mode < 2; mode++) {
      st.render_cache_read_write_mode = mode;
      fx_surface(f, 0, &st);
      header(f, 0);
      fx_send(f, SFID_DP_DATA0, BLOCK_READ(2), true, 1, 1);
      assert_int_equal(fx_out(f, 0)[3], 0xA000000cu);
   }
   assert_silent(f);
}

/* The response may lie on the payload. */
static void
response_over_payload(void **state)
{
   struct fx *f = *state;
   fx_buffer(f, 0, 0, FX_DATA, 64, 16);
   fx_pattern(f, FX_DATA, 512);
   header(f, 2);
   fx_in(f, 1)[0] = 3;
   fx_in(f, 1)[4] = 9;
   uint8_t *p = f->t.grf + FX_PAYLOAD * EU_REG_SIZE;
   struct sf_message m = {.sfid = SFID_DP_DATA0,
                          .header = true,
                          .mlen = 2,
                          .rlen = 4,
                          .exec_size = 8,
                          .exec_mask = 0xff,
                          .desc = DUAL_READ(2) | 1u << 19,
                          .payload = p,
                          .response = p};
   assert_int_equal(sf_dataport(&f->t, &m), SF_OK);
   for (unsigned k = 0; k < 4; k++) {
      assert_int_equal(fx_in(f, k)[0], 0xA0000000u + (5 + k) * 16);
      assert_int_equal(fx_in(f, k)[4], 0xA0000000u + (11 + k) * 16);
   }
}

/* A byte model of both messages: what a dword of the block is told by its mask bit and its place
 * alone. */
struct range_model {
   unsigned sfid, bti;
   uint32_t base, size; /* of the range */
   uint8_t *memory;     /* what lies from FX_DATA on, 64 KiB */
};

static void
model_block(struct fx *f, const struct range_model *r, unsigned code, bool write, uint32_t offset,
            uint32_t response[32])
{
   unsigned owords = code < 2 ? 1 : 1u << (code - 1);
   for (unsigned i = 0; i < owords * 4; i++) {
      unsigned dword = code == 1 ? i + 4 : i; /* in the registers */
      unsigned mask = f->exec_mask >> (dword & 8) >> (dword & 4) & 15;
      uint32_t oword = offset * 16 + i / 4 * 16, at = r->base - FX_DATA + oword + i % 4 * 4;
      bool inside = offset < 0x100000 && oword + 16 <= r->size;
      if (write && inside && mask >> (dword & 3) & 1)
         memcpy(r->memory + at, &fx_in(f, 1)[dword], 4);
      if (write || !mask)
         continue;
      response[dword] = 0;
      if (inside)
         memcpy(&response[dword], r->memory + at, 4);
   }
}

static uint32_t
next(uint32_t *seed)
{
   *seed = *seed * 1664525u + 1013904223u;
   return *seed >> 8;
}

/* Every size on every range that blocks reach, whole and masked, at the ends, across pages, past 4
 * GiB; each message twice, so that the second finds all it needs in the caches. */
static void
blocks_against_a_model(void **state)
{
   struct fx *f = *state;
   static uint8_t memory[0x10000];
   struct range_model ranges[] = {
       {SFID_DP_DATA0, 1, FX_DATA + 0x40, 0x2330, memory},
       {SFID_DP_DATA0, 2, FX_DATA + 0x3010, 0x1fec, memory}, /* raw: its last OWord is not whole */
       {SFID_DP_CONSTANT, 1, FX_DATA + 0x40, 0x2330, memory},
       {SFID_DP_DATA0, 255, FX_DATA + 0x6400, 0x1c00, memory},
   };
   uint32_t seed = 4711;
   fx_buffer(f, 1, R32G32B32A32_FLOAT, FX_DATA + 0x40, 0x233, 16);
   fx_raw(f, 2, FX_DATA + 0x3010, 0x1fec);
   f->env.general_state_end = FX_DATA + 0x8000;
   fx_pattern(f, FX_DATA, sizeof(memory));
   memcpy(memory, fx_at(f, FX_DATA), sizeof(memory));
   for (unsigned round = 0; round < 4000; round++) {
      const struct range_model *r = &ranges[next(&seed) % 4];
      unsigned code = next(&seed) % 5, regs = code < 3 ? 1 : 1u << (code - 2);
      bool write = r->sfid == SFID_DP_DATA0 && next(&seed) & 1;
      uint32_t offset =
          next(&seed) % 8 == 7 ? 0x10000000u + next(&seed) % 64 : next(&seed) % (r->size / 16 + 3);
      uint32_t want[32];
      f->exec_mask = next(&seed) % 4 ? 0xffff : next(&seed) & 0xffff;
      header(f, offset);
      fx_in(f, 0)[5] = 0x6400 + FX_DATA - FX_GENERAL;
      for (unsigned i = 0; i < 32; i++)
         fx_in(f, 1)[i] = next(&seed);
      memset(want, 0x77, sizeof(want));
      model_block(f, r, code, write, offset, want);
      for (unsigned again = 0; again < 2; again++) {
         fx_fill_response(f, 4, 0x77777777);
         fx_send(f, r->sfid, (write ? BLOCK_WRITE(code) : BLOCK_READ(code)) | r->bti, true,
                 write ? 1 + regs : 1, write ? 0 : regs);
         assert_memory_equal(fx_out(f, 0), want, sizeof(want));
      }
      if (write)
         assert_memory_equal(fx_at(f, FX_DATA), memory, sizeof(memory));
   }
   assert_silent(f);
}

/* DP-065 DP-050 DP-046: what is wrong is told again when the surface is known already. */
static void
known_surfaces_keep_their_rules(void **state)
{
   proves("DP-065", "DP-050", "DP-046", "DP-427");
   struct fx *f = *state;
   struct hw_render_surface_state st = fx_buffer_state(SURFTYPE_BUFFER, 0, FX_DATA + 4, 64, 16);
   fx_surface(f, 0, &st);
   header(f, 0);
   for (unsigned again = 0; again < 3; again++) {
      fx_send(f, SFID_DP_DATA0, BLOCK_READ(2), true, 1, 1);
      assert_rule(f, "DP-065");
      fx_send(f, SFID_DP_CONSTANT, BLOCK_READ(2), true, 1, 1);
      assert_rule(f, "DP-065");
      fx_send(f, SFID_DP_CONSTANT, BLOCK_READ(2) | 255, true, 1, 1);
      assert_rule(f, "DP-050");
      fx_send(f, SFID_DP_DATA0, BLOCK_READ(2), false, 1, 1);
      assert_rule(f, "DP-046");
      fx_send(f, SFID_DP_DATA0, BLOCK_READ(2), true, 1, 2);
      assert_rule(f, "DP-427");
   }
}

/* SMP-335: bits go as they are, whatever the surface's format. */
static void
formats_do_not_count(void **state)
{
   proves("SMP-335");
   struct fx *f = *state;
   static const unsigned formats[] = {0x000, 0x0c9, 0x0d8, 0x0c8, 0x182, 0x186, 0x1ff};
   for (unsigned i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
      fx_buffer(f, 0, formats[i], FX_DATA, 1024, 16);
      fx_pattern(f, FX_DATA, 1024);
      header(f, 1);
      fx_send(f, SFID_DP_DATA0, BLOCK_READ(2), true, 1, 1);
      for (unsigned k = 0; k < 8; k++)
         assert_int_equal(fx_out(f, 0)[k], 0xA0000010u + 4 * k);
      fx_clear_payload(f);
      fx_in(f, 0)[0] = 3, fx_in(f, 0)[4] = 5;
      f->exec_mask = 0xff;
      fx_send(f, SFID_DP_DATA0, DUAL_READ(0), false, 1, 1);
      for (unsigned k = 0; k < 8; k++)
         assert_int_equal(fx_out(f, 0)[k], 0xA0000000u + 16 * (k < 4 ? 3 : 5) + 4 * (k % 4));
      for (unsigned k = 0; k < 8; k++)
         fx_in(f, 0)[k] = 9 * k;
      fx_send(f, SFID_DP_DATA0, 3u << 14 | 2u << 8, false, 1, 1); /* scattered dwords */
      for (unsigned k = 0; k < 8; k++)
         assert_int_equal(fx_out(f, 0)[k], 0xA0000000u + 36 * k);
      f->exec_mask = 0xffff;
      header(f, 2);
      for (unsigned k = 0; k < 8; k++)
         fx_in(f, 1)[k] = 0x7f800001u + k; /* signalling NaN too */
      fx_send(f, SFID_DP_DATA0, BLOCK_WRITE(2), true, 2, 0);
      for (unsigned k = 0; k < 8; k++)
         assert_int_equal(fx_dw(f, FX_DATA + 32)[k], 0x7f800001u + k);
   }
   assert_silent(f);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       FX_TEST(formats_do_not_count),
       FX_TEST(block_read_sizes),
       FX_TEST(block_write_sizes),
       FX_TEST(block_read_mask),
       FX_TEST(block_write_mask),
       FX_TEST(one_oword_mask),
       FX_TEST(block_bounds),
       FX_TEST(block_surface_rules),
       FX_TEST(reserved_block_sizes),
       FX_TEST(invalidate_after_read),
       FX_TEST(unaligned_read),
       FX_TEST(unaligned_bounds),
       FX_TEST(dual_read),
       FX_TEST(dual_write),
       FX_TEST(dual_rules),
       FX_TEST(stateless_blocks),
       FX_TEST(stateless_others),
       FX_TEST(write_masks),
       FX_TEST(ignored_bits),
       FX_TEST(write_commit),
       FX_TEST(render_cache_mode_has_no_effect),
       FX_TEST(response_over_payload),
       FX_TEST(known_surfaces_keep_their_rules),
       FX_TEST(blocks_against_a_model),
       {"blocks_against_a_model_unchecked", blocks_against_a_model, fx_setup_off, fx_teardown,
        NULL},
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
