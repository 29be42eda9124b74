/* DWord and byte scattered messages, scratch blocks. */
#include "fixture.h"
#include "tests/proves.h"

#define DWORD_READ(n) (3u << 14 | ((n) == 16 ? 3u : 2u) << 8)
#define DWORD_WRITE(n) (11u << 14 | ((n) == 16 ? 3u : 2u) << 8)
#define BYTE_READ(size, n) (4u << 14 | (size) << 10 | ((n) == 16) << 8)
#define BYTE_WRITE(size, n) (12u << 14 | (size) << 10 | ((n) == 16) << 8)
#define SCRATCH(write, dword, size, offset)                                                        \
   (1u << 18 | (write) << 17 | (dword) << 16 | (size) << 12 | (offset))

static uint32_t
random32(uint32_t *seed)
{
   *seed = *seed * 1664525u + 1013904223u;
   return *seed >> 3 ^ *seed << 11;
}

/* DP-020 DP-056 DP-157 DP-158 DP-161 DP-163 DP-165 DP-166 DP-169 DP-274 DP-030: 8 or 16 dwords,
 * random and consecutive, with and without a header, under every kind of mask. */
static void
dword_read(void **state)
{
   proves("DP-020", "DP-056", "DP-157", "DP-158", "DP-161", "DP-163", "DP-165", "DP-169", "DP-274",
          "DP-030");
   struct fx *f = *state;
   uint32_t seed = 1;
   fx_buffer(f, 0, 0, FX_DATA, 256, 16);
   fx_pattern(f, FX_DATA, 4096);
   for (unsigned run = 0; run < 400; run++) {
      unsigned n = run & 1 ? 16 : 8, header = run >> 1 & 1;
      uint32_t offset[16], global = header ? random32(&seed) % 100 : 0;
      bool straight = run % 3 == 0;
      f->exec_mask = run % 5 ? random32(&seed) & 0xffff : 0xffff;
      fx_clear_payload(f);
      if (header)
         fx_in(f, 0)[2] = global;
      for (unsigned i = 0; i < n; i++) {
         offset[i] = straight ? 11 + i : random32(&seed) % 900;
         fx_in(f, header)[i] = offset[i];
      }
      fx_fill_response(f, 2, 5);
      fx_send(f, run & 4 ? SFID_DP_CONSTANT : SFID_DP_DATA0, DWORD_READ(n), header, header + n / 8,
              n / 8);
      for (unsigned i = 0; i < n; i++)
         assert_int_equal(fx_out(f, 0)[i],
                          f->exec_mask >> i & 1 ? 0xA0000000u + 4 * (global + offset[i]) : 5);
   }
   assert_silent(f);
}

/* DP-021 DP-167 DP-168: offsets, then data, packed. */
static void
dword_write(void **state)
{
   proves("DP-021", "DP-167", "DP-168");
   struct fx *f = *state;
   uint32_t seed = 2;
   fx_buffer(f, 0, 0, FX_DATA, 256, 16);
   for (unsigned run = 0; run < 200; run++) {
      unsigned n = run & 1 ? 16 : 8, header = run >> 1 & 1;
      uint32_t want[1024] = {0}, start = random32(&seed) % 500, step = run % 3 == 0 ? 1 : 7;
      memset(fx_at(f, FX_DATA), 0, 4096);
      f->exec_mask = run % 5 ? random32(&seed) & 0xffff : 0xffff;
      fx_clear_payload(f);
      fx_in(f, 0)[2] = header ? 3 : 0;
      for (unsigned i = 0; i < n; i++) {
         fx_in(f, header)[i] = start + step * i;
         fx_in(f, header + n / 8)[i] = 1000 + i;
         if (f->exec_mask >> i & 1)
            want[start + step * i + (header ? 3 : 0)] = 1000 + i;
      }
      fx_send(f, SFID_DP_DATA0, DWORD_WRITE(n), header, header + n / 4, 0);
      assert_memory_equal(fx_at(f, FX_DATA), want, sizeof(want));
   }
   assert_silent(f);
}

/* DP-160 DP-164: outside reads 0 and is dropped, nothing is clamped. DP-162: 16 bytes an element.
 */
static void
dword_bounds(void **state)
{
   proves("DP-160", "DP-164", "DP-162");
   struct fx *f = *state;
   fx_buffer(f, 0, 0, FX_DATA, 2, 16);
   fx_pattern(f, FX_DATA, 128);
   static const uint32_t at[8] = {7, 8, 0x3fffffff, 0x40000000, 0xffffffff, 0, 9, 1};
   fx_clear_payload(f);
   memcpy(fx_in(f, 0), at, 32);
   fx_fill_response(f, 1, 5);
   fx_send(f, SFID_DP_DATA0, DWORD_READ(8), false, 1, 1);
   static const uint32_t want[8] = {0xA000001c, 0, 0, 0, 0, 0xA0000000, 0, 0xA0000004};
   assert_memory_equal(fx_out(f, 0), want, 32);
   for (unsigned i = 0; i < 8; i++)
      fx_in(f, 1)[i] = 1 + i;
   fx_send(f, SFID_DP_DATA0, DWORD_WRITE(8), false, 2, 0);
   assert_int_equal(fx_dw(f, FX_DATA)[7], 1);
   assert_int_equal(fx_dw(f, FX_DATA)[8], 0xA0000020u);
   assert_int_equal(fx_dw(f, FX_DATA)[0], 6);
   assert_int_equal(fx_dw(f, FX_DATA)[1], 8);
   assert_silent(f);
}

/* DP-159 DP-162 DP-165 DP-158: overlap, surface rules, reserved sizes, stateless without header. */
static void
dword_rules(void **state)
{
   proves("DP-159", "DP-162", "DP-165", "DP-158", "DP-088");
   struct fx *f = *state;
   fx_buffer(f, 0, 0, FX_DATA, 64, 16);
   fx_clear_payload(f);
   fx_send(f, SFID_DP_DATA0, DWORD_WRITE(8), false, 2, 0);
   assert_rule(f, "DP-159");
   fx_send(f, SFID_DP_DATA0, 3u << 14 | 1u << 8, false, 1, 1);
   assert_rule(f, "DP-165");
   fx_send(f, SFID_DP_DATA0, 11u << 14, false, 2, 0);
   assert_rule(f, "DP-165");
   struct hw_render_surface_state st = fx_buffer_state(SURFTYPE_BUFFER, 0, FX_DATA + 2, 64, 16);
   fx_surface(f, 0, &st);
   fx_send(f, SFID_DP_DATA0, DWORD_READ(8), false, 1, 1);
   assert_rule(f, "DP-162");
   fx_send(f, SFID_DP_DATA0, DWORD_READ(8) | 255, false, 1, 1);
   assert_rule(f, "DP-088");
}

/* DP-159 DP-177: any two slots that are on and touch the same bytes are named, in either order;
 * slots that are off are not. */
static void
overlaps(void **state)
{
   proves("DP-159", "DP-177");
   struct fx *f = *state;
   fx_raw(f, 0, FX_DATA, 4096);
   for (unsigned first = 0; first < 15; first += 7)
      for (unsigned back = 0; back < 2; back++)
         for (unsigned on = 0; on < 4; on++) {
            fx_clear_payload(f);
            for (unsigned i = 0; i < 16; i++)
               fx_in(f, 0)[i] = 16 * (back ? 16 - i : i);
            fx_in(f, 0)[15] = fx_in(f, 0)[first];
            f->exec_mask = 0xffff ^ (on & 1 ? 0 : 1u << first) ^ (on & 2 ? 0 : 0x8000);
            fx_send(f, SFID_DP_DATA0, DWORD_WRITE(16), false, 4, 0);
            assert_int_equal(fx_said(f, "DP-159"), on == 3);
            fx_in(f, 0)[15] += back ? -1u : 1;
            fx_send(f, SFID_DP_DATA0, BYTE_WRITE(1u, 16), false, 4, 0);
            assert_int_equal(fx_said(f, "DP-177"), on == 3);
            f->rule_count = 0;
            fx_in(f, 0)[15] += back ? -1u : 1;
            fx_send(f, SFID_DP_DATA0, BYTE_WRITE(1u, 16), false, 4, 0);
            assert_silent(f);
         }
}

/* DP-020 DP-021 DP-048 DP-429: no surface at all; the upper bound ends it. */
static void
dword_stateless(void **state)
{
   proves("DP-020", "DP-021", "DP-048", "DP-429", "DP-047", "SMP-322");
   struct fx *f = *state;
   f->env.general_state_end = FX_GENERAL + 0x1000;
   fx_pattern(f, FX_GENERAL, 0x1100);
   fx_clear_payload(f);
   fx_in(f, 0)[2] = 0xf0;
   fx_in(f, 0)[5] = 0xc00;
   for (unsigned i = 0; i < 8; i++)
      fx_in(f, 1)[i] = 12 + i;
   f->exec_mask = 0xff;
   fx_send(f, SFID_DP_DATA0, DWORD_READ(8) | 255, true, 2, 1);
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(fx_out(f, 0)[i], i < 4 ? 0xA0000ff0u + 4 * i : 0);
   for (unsigned i = 0; i < 8; i++)
      fx_in(f, 2)[i] = 70 + i;
   fx_send(f, SFID_DP_DATA0, DWORD_WRITE(8) | 255, true, 3, 0);
   assert_int_equal(*fx_dw(f, FX_GENERAL + 0xffc), 73);
   assert_int_equal(*fx_dw(f, FX_GENERAL + 0x1000), 0xA0001000u);
   assert_silent(f);
   fx_send(f, SFID_DP_DATA0, DWORD_READ(8) | 254, true, 2, 1);
   assert_rule(f, "DP-047");
}

/* DP-162 DP-171: no other type, not tiled, base on a dword. */
static void
scattered_surfaces(void **state)
{
   proves("DP-162", "DP-171");
   struct fx *f = *state;
   for (unsigned kind = 0; kind < 3; kind++) {
      struct hw_render_surface_state st =
          fx_buffer_state(kind == 0 ? SURFTYPE_STRBUF : SURFTYPE_BUFFER, 0xd7,
                          kind == 1 ? FX_DATA + 2 : FX_DATA, 64, 16);
      st.tiled_surface = kind == 2;
      fx_surface(f, 0, &st);
      fx_clear_payload(f);
      for (unsigned i = 0; i < 8; i++)
         fx_in(f, 0)[i] = 8 * i;
      fx_send(f, SFID_DP_DATA0, DWORD_READ(8), false, 1, 1);
      assert_rule(f, "DP-162");
      fx_send(f, SFID_DP_DATA0, DWORD_WRITE(8), false, 2, 0);
      assert_rule(f, "DP-162");
      fx_send(f, SFID_DP_DATA0, BYTE_READ(0u, 8), false, 1, 1);
      assert_rule(f, "DP-171");
      fx_send(f, SFID_DP_DATA0, BYTE_WRITE(0u, 8), false, 2, 0);
      assert_rule(f, "DP-171");
   }
}

/* DP-165 DP-178: descriptor bits that are ignored. DP-076: invalidate after read. */
static void
scattered_ignored_bits(void **state)
{
   proves("DP-165", "DP-178", "DP-076");
   struct fx *f = *state;
   fx_raw(f, 0, FX_DATA, 4096);
   fx_pattern(f, FX_DATA, 256);
   fx_clear_payload(f);
   f->exec_mask = 1;
   fx_in(f, 0)[0] = 8;
   for (unsigned bit = 9; bit <= 13; bit++) {
      if (bit > 9) {
         fx_send(f, SFID_DP_DATA0, DWORD_READ(8) | 1u << bit, false, 1, 1);
         assert_int_equal(fx_out(f, 0)[0], 0xA0000020u);
      }
      if (bit == 10 || bit == 11)
         continue;
      fx_send(f, SFID_DP_DATA0, BYTE_READ(2u, 8) | 1u << bit, false, 1, 1);
      assert_int_equal(fx_out(f, 0)[0], 0xA0000008u);
   }
   assert_silent(f);
}

/* DP-022 DP-023 DP-047 DP-233: bytes of shared local memory, with a Global Offset; addresses wrap.
 */
static void
byte_slm(void **state)
{
   proves("DP-022", "DP-023", "DP-047", "DP-233");
   struct fx *f = *state;
   memset(f->slm, 0x33, sizeof(f->slm));
   fx_clear_payload(f);
   f->exec_mask = 0xff;
   fx_in(f, 0)[2] = 0x10000 + 7;
   for (unsigned i = 0; i < 8; i++) {
      fx_in(f, 1)[i] = 3 * i;
      fx_in(f, 2)[i] = 0x8000 + i;
   }
   fx_send(f, SFID_DP_DATA0, BYTE_WRITE(0u, 8) | 254, true, 3, 0);
   for (unsigned i = 0; i < 40; i++)
      assert_int_equal(f->slm[i], i >= 7 && i < 31 && (i - 7) % 3 == 0 ? (i - 7) / 3 : 0x33);
   fx_fill_response(f, 1, 0);
   fx_send(f, SFID_DP_DATA0, BYTE_READ(1u, 8) | 254, true, 2, 1);
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(fx_out(f, 0)[i], 0x3300 | i);
   assert_silent(f);
}

/* DP-022 DP-057 DP-170 DP-174 DP-178 DP-179 DP-181: one, two or four bytes at any address,
 * right-justified, the bytes above kept. */
static void
byte_read(void **state)
{
   proves("DP-022", "DP-057", "DP-170", "DP-174", "DP-178", "DP-179", "DP-181");
   struct fx *f = *state;
   uint32_t seed = 3;
   fx_raw(f, 0, FX_DATA, 4096);
   for (unsigned i = 0; i < 4096; i++)
      fx_at(f, FX_DATA)[i] = (uint8_t)(i * 7 + (i >> 8));
   for (unsigned run = 0; run < 300; run++) {
      unsigned code = run % 3, size = 1u << code, n = run & 1 ? 16 : 8, header = run >> 1 & 1;
      uint32_t offset[16];
      f->exec_mask = run % 5 ? random32(&seed) & 0xffff : 0xffff;
      fx_clear_payload(f);
      fx_in(f, 0)[2] = header ? 9 : 0;
      for (unsigned i = 0; i < n; i++)
         fx_in(f, header)[i] = offset[i] = random32(&seed) % 4000;
      fx_fill_response(f, 2, 0xc3c3c3c3);
      fx_send(f, SFID_DP_DATA0, BYTE_READ(code, n), header, header + n / 8, n / 8);
      for (unsigned i = 0; i < n; i++) {
         uint32_t want = 0xc3c3c3c3;
         if (f->exec_mask >> i & 1)
            memcpy(&want, fx_at(f, FX_DATA) + offset[i] + (header ? 9 : 0), size);
         assert_int_equal(fx_out(f, 0)[i], want);
      }
   }
   assert_silent(f);
}

/* DP-023 DP-180: only the requested bytes are written. */
static void
byte_write(void **state)
{
   proves("DP-023", "DP-180");
   struct fx *f = *state;
   fx_raw(f, 0, FX_DATA, 4096);
   for (unsigned code = 0; code < 3; code++)
      for (unsigned n = 8; n <= 16; n += 8) {
         uint8_t want[256];
         memset(want, 0xee, sizeof(want));
         memset(fx_at(f, FX_DATA), 0xee, 256);
         fx_clear_payload(f);
         f->exec_mask = 0xdfb7;
         for (unsigned i = 0; i < n; i++) {
            uint32_t v = 0x01020304u * (i + 1);
            fx_in(f, 0)[i] = 3 + 5 * i;
            fx_in(f, n / 8)[i] = v;
            if (f->exec_mask >> i & 1)
               memcpy(want + 3 + 5 * i, &v, 1u << code);
         }
         fx_send(f, SFID_DP_DATA0, BYTE_WRITE(code, n), false, n / 4, 0);
         assert_memory_equal(fx_at(f, FX_DATA), want, 256);
      }
   assert_silent(f);
}

/* DP-171 DP-175 DP-176: 4 bytes an element (bytes of a raw buffer are bytes); an access that
 * straddles the end counts as outside. */
static void
byte_bounds(void **state)
{
   proves("DP-171", "DP-175", "DP-176");
   struct fx *f = *state;
   for (unsigned raw = 0; raw < 2; raw++) {
      uint32_t end = raw ? 20 : 40;
      if (raw)
         fx_raw(f, 0, FX_DATA, 20);
      else
         fx_buffer(f, 0, 0xd7, FX_DATA, 10, 4);
      memset(fx_at(f, FX_DATA), 0x11, 128);
      fx_clear_payload(f);
      for (unsigned i = 0; i < 8; i++) {
         fx_in(f, 0)[i] = end - 5 + i;
         fx_in(f, 1)[i] = 0x11111111 * (1 + i);
      }
      f->exec_mask = 0xff;
      fx_send(f, SFID_DP_DATA0, BYTE_READ(2u, 8), false, 1, 1);
      for (unsigned i = 0; i < 8; i++)
         assert_int_equal(fx_out(f, 0)[i], i <= 1 ? 0x11111111 : 0);
      f->exec_mask = 0xfe;
      fx_send(f, SFID_DP_DATA0, BYTE_WRITE(2u, 8), false, 2, 0);
      assert_int_equal(fx_at(f, FX_DATA)[end - 5], 0x11);
      assert_int_equal(fx_at(f, FX_DATA)[end - 4], 0x22);
      assert_int_equal(fx_at(f, FX_DATA)[end - 1], 0x22);
      assert_int_equal(fx_at(f, FX_DATA)[end], 0x11);
      f->rule_count = 0; /* overlapping slots have been named: byte_rules looks at that */
   }
}

/* DP-177 DP-178 DP-171: overlap, the reserved size, the surface. */
static void
byte_rules(void **state)
{
   proves("DP-177", "DP-178", "DP-171");
   struct fx *f = *state;
   fx_raw(f, 0, FX_DATA, 4096);
   fx_clear_payload(f);
   for (unsigned i = 0; i < 8; i++)
      fx_in(f, 0)[i] = 3 * i;
   fx_send(f, SFID_DP_DATA0, BYTE_WRITE(1u, 8), false, 2, 0);
   assert_silent(f);
   fx_send(f, SFID_DP_DATA0, BYTE_WRITE(2u, 8), false, 2, 0);
   assert_rule(f, "DP-177");
   fx_send(f, SFID_DP_DATA0, BYTE_READ(3u, 8), false, 1, 1);
   assert_rule(f, "DP-178");
   struct hw_render_surface_state st = fx_buffer_state(SURFTYPE_3D, 0, FX_DATA, 64, 16);
   fx_surface(f, 0, &st);
   fx_send(f, SFID_DP_DATA0, BYTE_READ(0u, 8), false, 1, 1);
   assert_rule(f, "DP-171");
}

/* DP-049 DP-172 DP-173: stateless byte accesses are done and noted; they end at the upper bound and
 * at 4 GiB. */
static void
byte_stateless(void **state)
{
   proves("DP-049", "DP-172", "DP-173");
   struct fx *f = *state;
   fx_pattern(f, FX_GENERAL + 0x400, 64);
   fx_clear_payload(f);
   fx_in(f, 0)[5] = 0x400;
   for (unsigned i = 0; i < 8; i++)
      fx_in(f, 1)[i] = 4 * i + 1;
   fx_send(f, SFID_DP_DATA0, BYTE_READ(0u, 8) | 255, true, 2, 1);
   assert_rule(f, "DP-049");
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(fx_out(f, 0)[i] & 0xff, fx_at(f, FX_GENERAL + 0x400)[4 * i + 1]);
   fx_pattern(f, FX_GENERAL + 0xff0, 64);
   for (unsigned bound = 0; bound < 2; bound++) { /* at the upper bound, then past 4 GiB */
      f->env.general_state_end = bound ? 0 : FX_GENERAL + 0x1000;
      fx_fill_response(f, 1, 5);
      for (unsigned i = 0; i < 8; i++)
         fx_in(f, 1)[i] = bound ? 0u - FX_GENERAL - 0x400 + i : 0xbfc + i;
      fx_send(f, SFID_DP_DATA0, BYTE_READ(0u, 8) | 255, true, 2, 1);
      for (unsigned i = 0; i < 8; i++)
         assert_int_equal(fx_out(f, 0)[i], !bound && i < 4 ? fx_at(f, FX_GENERAL + 0xffc)[i] : 0);
   }
   f->env.general_state_end = FX_GENERAL + 0x1000;
   for (unsigned i = 0; i < 8; i++) {
      fx_in(f, 1)[i] = 0xbfc + i;
      fx_in(f, 2)[i] = 0x40 + i;
   }
   uint8_t beyond = *fx_at(f, FX_GENERAL + 0x1000);
   fx_send(f, SFID_DP_DATA0, BYTE_WRITE(0u, 8) | 255, true, 3, 0);
   assert_int_equal(*fx_at(f, FX_GENERAL + 0xfff), 0x43);
   assert_int_equal(*fx_at(f, FX_GENERAL + 0x1000), beyond);
   f->rule_count = 0;
   fx_send(f, SFID_DP_DATA0, BYTE_READ(0u, 8) | 255, false, 1, 1);
   assert_rule(f, "DP-049");
}

/* DP-027 DP-028 DP-045 DP-298 DP-304 DP-305 DP-306 DP-307 DP-308: whole registers at an HWord
 * offset. */
static void
scratch_blocks(void **state)
{
   proves("DP-027", "DP-028", "DP-045", "DP-298", "DP-304", "DP-305", "DP-306", "DP-307", "DP-308");
   struct fx *f = *state;
   static const unsigned regs[4] = {1, 2, 0, 4};
   for (unsigned size = 0; size < 4; size++) {
      if (!regs[size])
         continue;
      for (unsigned offset = 5; offset < 4096; offset += 1363) {
         uint32_t at = FX_GENERAL + 0x2c00 + offset * 32;
         memset(fx_at(f, at), 0, 160);
         memset(fx_in(f, 0), 0x77, 32);
         fx_in(f, 0)[5] = 0x2c00 | 0x155;
         for (unsigned i = 0; i < 32; i++)
            fx_in(f, 1)[i] = 50 + i + offset;
         fx_send(f, SFID_DP_DATA0, SCRATCH(1u, 1u, size, offset), true, 1 + regs[size], 0);
         for (unsigned i = 0; i < 40; i++)
            assert_int_equal(fx_dw(f, at)[i], i < 8 * regs[size] ? 50 + i + offset : 0);
         fx_fill_response(f, 5, 6);
         fx_send(f, SFID_DP_DATA0, SCRATCH(0u, 1u, size, offset), true, 1, regs[size]);
         for (unsigned i = 0; i < 40; i++)
            assert_int_equal(fx_out(f, 0)[i], i < 8 * regs[size] ? 50 + i + offset : 6);
      }
   }
   assert_silent(f);
   fx_send(f, SFID_DP_DATA0, SCRATCH(0u, 1u, 2u, 0u), true, 1, 1);
   assert_rule(f, "DP-304");
   fx_send(f, SFID_DP_DATA0, SCRATCH(0u, 1u, 0u, 0u) | 1u << 14, true, 1, 1);
   assert_rule(f, "DP-045");
}

/* DP-299 DP-300 DP-302: per dword, or any of four for the OWord; bits 15:8 for the second and
 * fourth register. SIMD32 sends two, the second with the upper half of its own mask, which arrives
 * as bits 15:0 again. */
static void
scratch_masks(void **state)
{
   proves("DP-299", "DP-300", "DP-302");
   struct fx *f = *state;
   for (unsigned mode = 0; mode < 2; mode++)
      for (unsigned bit = 0; bit < 16; bit++) {
         f->exec_mask = 1u << bit;
         memset(fx_at(f, FX_GENERAL), 0, 128);
         fx_clear_payload(f);
         for (unsigned i = 0; i < 32; i++)
            fx_in(f, 1)[i] = 1 + i;
         fx_send(f, SFID_DP_DATA0, SCRATCH(1u, mode, 3u, 0u), true, 5, 0);
         fx_fill_response(f, 4, 0);
         f->exec_mask = 0xffff;
         fx_send(f, SFID_DP_DATA0, SCRATCH(0u, 1u, 3u, 0u), true, 1, 4);
         for (unsigned i = 0; i < 32; i++) {
            bool on = mode ? i % 16 == bit : i % 16 / 4 == bit / 4;
            assert_int_equal(fx_out(f, 0)[i], on ? 1 + i : 0);
         }
         fx_fill_response(f, 4, 99);
         f->exec_mask = 1u << bit;
         fx_send(f, SFID_DP_DATA0, SCRATCH(0u, mode, 3u, 0u), true, 1, 4);
         for (unsigned i = 0; i < 32; i++) {
            bool on = mode ? i % 16 == bit : i % 16 / 4 == bit / 4;
            assert_int_equal(fx_out(f, 0)[i], on ? 1 + i : 99);
         }
      }
}

/* DP-303: past the upper bound. */
static void
scratch_bounds(void **state)
{
   proves("DP-303");
   struct fx *f = *state;
   f->env.general_state_end = FX_GENERAL + 0x1000;
   fx_pattern(f, FX_GENERAL, 0x1100);
   fx_clear_payload(f);
   fx_send(f, SFID_DP_DATA0, SCRATCH(0u, 1u, 1u, 127u), true, 1, 2);
   for (unsigned i = 0; i < 16; i++)
      assert_int_equal(fx_out(f, 0)[i], i < 8 ? 0xA0000000u + 127 * 32 + 4 * i : 0);
   fx_send(f, SFID_DP_DATA0, SCRATCH(1u, 1u, 1u, 127u), true, 3, 0);
   assert_int_equal(fx_dw(f, FX_GENERAL)[127 * 8], 0);
   assert_int_equal(fx_dw(f, FX_GENERAL)[128 * 8], 0xA0001000u);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       FX_TEST(dword_read),         FX_TEST(dword_write),
       FX_TEST(dword_bounds),       FX_TEST(dword_rules),
       FX_TEST(overlaps),           FX_TEST(dword_stateless),
       FX_TEST(scattered_surfaces), FX_TEST(scattered_ignored_bits),
       FX_TEST(byte_slm),           FX_TEST(byte_read),
       FX_TEST(byte_write),         FX_TEST(byte_bounds),
       FX_TEST(byte_rules),         FX_TEST(byte_stateless),
       FX_TEST(scratch_blocks),     FX_TEST(scratch_masks),
       FX_TEST(scratch_bounds),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
