/* Untyped surface read, write and atomic. */
#include "fixture.h"

#include <pthread.h>
#include "tests/proves.h"

enum { SIMD4X2, SIMD16, SIMD8 };
#define READ(simd, mask) (5u << 14 | (simd) << 12 | (mask) << 8)
#define WRITE(simd, mask) (13u << 14 | (simd) << 12 | (mask) << 8)
#define ATOMIC(simd8, op, ret) (6u << 14 | (ret) << 13 | (simd8) << 12 | (op) << 8)

static uint32_t
random32(uint32_t *seed)
{
   *seed = *seed * 1664525u + 1013904223u;
   return *seed >> 3 ^ *seed << 11;
}

/* DP-024 DP-185 DP-188 DP-190 DP-236 DP-244 DP-246 DP-258 DP-259 DP-260 DP-264 DP-276 DP-277 DP-432
 * DP-182 DP-225: all channel masks, SIMD8 and SIMD16, scattered and straight; masked channels take
 * no register. */
static void
read_raw(void **state)
{
   proves("DP-185", "DP-190", "DP-236", "DP-244", "DP-246", "DP-259", "DP-276", "DP-277", "DP-182",
          "DP-225");
   struct fx *f = *state;
   uint32_t seed = 1;
   fx_raw(f, 2, FX_DATA, 8192);
   fx_pattern(f, FX_DATA, 8192);
   for (unsigned run = 0; run < 600; run++) {
      unsigned mask = run % 15, n = run & 1 ? 16 : 8, header = run >> 1 & 1;
      unsigned count = (unsigned)__builtin_popcount(~mask & 15);
      bool straight = run % 4 == 0;
      uint32_t u[16];
      f->exec_mask = run % 3 ? 0xffff : random32(&seed) & 0xffff;
      fx_clear_payload(f);
      if (header)
         fx_in(f, 0)[7] = 0xffff;
      for (unsigned i = 0; i < n; i++)
         fx_in(f, header)[i] = u[i] = straight ? 64 + 4 * count * i : random32(&seed) % 2000 * 4;
      fx_fill_response(f, 8, 5);
      fx_send(f, SFID_DP_DATA0, READ(n == 16 ? SIMD16 : SIMD8, mask) | 2, header, header + n / 8,
              count * n / 8);
      for (unsigned c = 0, at = 0; c < 4; c++) {
         if (mask >> c & 1)
            continue;
         for (unsigned i = 0; i < n; i++)
            assert_int_equal(fx_out(f, at)[i],
                             f->exec_mask >> i & 1 ? 0xA0000000u + u[i] + 4 * c : 5);
         at += n / 8;
      }
   }
   assert_silent(f);
}

/* DP-025 DP-245 DP-263 DP-268: red first, address then data. DP-213: in linear memory. */
static void
write_raw(void **state)
{
   proves("DP-025", "DP-245", "DP-263", "DP-268", "DP-213", "DP-226", "DP-227");
   struct fx *f = *state;
   uint32_t seed = 2;
   static const unsigned masks[4] = {0, 8, 12, 14};
   fx_raw(f, 2, FX_DATA, 4096);
   for (unsigned run = 0; run < 300; run++) {
      unsigned count = 4 - run % 4, mask = masks[run % 4], n = run & 1 ? 16 : 8,
               header = run >> 1 & 1;
      uint32_t want[1024] = {0}, step = run % 5 == 0 ? count : 5 + run % 7;
      uint32_t pixel = header ? random32(&seed) & 0xffff : 0xffff;
      memset(fx_at(f, FX_DATA), 0, 4096);
      f->exec_mask = run % 3 ? 0xffff : random32(&seed) & 0xffff;
      fx_clear_payload(f);
      fx_in(f, 0)[7] = 0xffff0000 | pixel;
      for (unsigned i = 0; i < n; i++) {
         fx_in(f, header)[i] = 4 * (10 + step * i);
         for (unsigned c = 0; c < count; c++) {
            fx_in(f, header + n / 8 * (1 + c))[i] = 100 * c + i + 1;
            if (f->exec_mask & pixel & 1u << i) /* DP-226 DP-227 */
               want[10 + step * i + c] = 100 * c + i + 1;
         }
      }
      fx_send(f, SFID_DP_DATA0, WRITE(n == 16 ? SIMD16 : SIMD8, mask) | 2, header,
              header + n / 8 * (1 + count), 0);
      assert_memory_equal(fx_at(f, FX_DATA), want, sizeof(want));
   }
   assert_silent(f);
}

/* DP-186 DP-189 DP-241 DP-260 DP-421: element U plus the minimum, byte V; DP-233: U against the
 * count, V against the pitch, for each dword. DP-265: V that is not sent is 0. */
static void
structured(void **state)
{
   proves("DP-186", "DP-189", "DP-241", "DP-260", "DP-421", "DP-233", "DP-265", "SMP-478");
   struct fx *f = *state;
   struct hw_render_surface_state st = fx_buffer_state(SURFTYPE_STRBUF, 0x1ff, FX_DATA, 10, 24);
   uint32_t dw[8];
   gen7_render_surface_state_pack(dw, &st);
   dw[4] = 3; /* Minimum Array Element, 27 bits here */
   fx_surface_dw(f, 0, dw);
   fx_pattern(f, FX_DATA, 4096);
   for (unsigned v = 0; v < 32; v += 4) {
      fx_clear_payload(f);
      f->exec_mask = 0xff;
      for (unsigned i = 0; i < 8; i++) {
         fx_in(f, 0)[i] = i + 4;
         fx_in(f, 1)[i] = v;
      }
      fx_send(f, SFID_DP_DATA0, READ(SIMD8, 0u), false, 2, 4);
      for (unsigned c = 0; c < 4; c++)
         for (unsigned i = 0; i < 8; i++) {
            bool in = i + 4 < 10 && v + 4 * c < 24;
            assert_int_equal(fx_out(f, c)[i], in ? 0xA0000000u + (i + 7) * 24 + v + 4 * c : 0);
         }
   }
   fx_in(f, 0)[0] = 1;
   fx_send(f, SFID_DP_DATA0, READ(SIMD8, 14u), false, 1, 1);
   assert_int_equal(fx_out(f, 0)[0], 0xA0000000u + 4 * 24);
   for (unsigned i = 0; i < 8; i++) { /* an index that would wrap */
      fx_in(f, 0)[i] = 0xfffffff0u + i;
      fx_in(f, 1)[i] = 8;
      fx_in(f, 2)[i] = 1;
   }
   fx_send(f, SFID_DP_DATA0, WRITE(SIMD8, 14u), false, 3, 0);
   for (unsigned i = 0; i < 1024; i++)
      assert_int_equal(fx_dw(f, FX_DATA)[i], 0xA0000000u + 4 * i);
   assert_silent(f);
}

/* DP-233 DP-230 DP-417: a raw buffer is counted in bytes and tested dword by dword. */
static void
raw_bounds(void **state)
{
   proves("DP-233", "DP-230", "DP-417", "SMP-408");
   struct fx *f = *state;
   fx_raw(f, 0, FX_DATA, 40);
   fx_pattern(f, FX_DATA, 128);
   f->exec_mask = 0xff;
   fx_clear_payload(f);
   for (unsigned i = 0; i < 8; i++)
      fx_in(f, 0)[i] = i == 7 ? 0xfffffffc : 16 + 4 * i;
   fx_fill_response(f, 4, 1);
   fx_send(f, SFID_DP_DATA0, READ(SIMD8, 0u), false, 1, 4);
   for (unsigned c = 0; c < 4; c++)
      for (unsigned i = 0; i < 8; i++)
         assert_int_equal(fx_out(f, c)[i],
                          i < 7 && 16 + 4 * (i + c) < 40 ? 0xA0000000u + 16 + 4 * (i + c) : 0);
   for (unsigned i = 0; i < 8; i++)
      fx_in(f, 1)[i] = 1;
   fx_send(f, SFID_DP_DATA0, WRITE(SIMD8, 14u), false, 2, 0);
   assert_int_equal(fx_dw(f, FX_DATA)[9], 1);
   assert_int_equal(fx_dw(f, FX_DATA)[10], 0xA0000028u);
   assert_silent(f);
}

/* DP-229 DP-270 DP-279 DP-244: two slots in one register. */
static void
simd4x2(void **state)
{
   proves("DP-188", "DP-229", "DP-270", "DP-279", "DP-244");
   struct fx *f = *state;
   fx_raw(f, 0, FX_DATA, 4096);
   fx_pattern(f, FX_DATA, 4096);
   for (unsigned mask = 0; mask < 15; mask++)
      for (unsigned on = 0; on < 4; on++) {
         fx_clear_payload(f);
         fx_in(f, 0)[0] = 64;
         fx_in(f, 0)[4] = 256;
         f->exec_mask = (on & 1 ? 2u : 0) | (on & 2 ? 0x80u : 0);
         fx_fill_response(f, 1, 3);
         fx_send(f, SFID_DP_DATA0, READ(SIMD4X2, mask), false, 1, 1);
         for (unsigned i = 0; i < 8; i++) {
            bool set = on >> (i / 4) & 1 && !(mask >> i % 4 & 1);
            assert_int_equal(fx_out(f, 0)[i],
                             set ? 0xA0000000u + (i < 4 ? 64 : 256) + 4 * (i % 4) : 3);
         }
      }
   assert_silent(f);
   fx_send(f, SFID_DP_DATA0, WRITE(SIMD4X2, 0u), false, 2, 0);
   assert_rule(f, "DP-244");
}

/* DP-228: the header's mask hides a slot from writes, not from reads. DP-257 DP-256: M0.7 low bits.
 */
static void
pixel_mask_on_reads(void **state)
{
   proves("DP-228", "DP-257", "DP-256");
   struct fx *f = *state;
   fx_raw(f, 0, FX_DATA, 4096);
   fx_pattern(f, FX_DATA, 256);
   fx_clear_payload(f);
   fx_in(f, 0)[7] = 0xff0f;
   for (unsigned i = 0; i < 8; i++)
      fx_in(f, 1)[i] = 4 * i;
   f->exec_mask = 0x3c;
   fx_fill_response(f, 1, 3);
   fx_send(f, SFID_DP_DATA0, READ(SIMD8, 14u), true, 2, 1);
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(fx_out(f, 0)[i], 0x3c >> i & 1 ? 0xA0000000u + 4 * i : 3);
   fx_send(f, SFID_DP_DATA0, WRITE(SIMD8, 14u), true, 3, 0);
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(fx_dw(f, FX_DATA)[i], i == 2 || i == 3 ? 0 : 0xA0000000u + 4 * i);
}

/* DP-047 DP-233 DP-431: shared local memory, no binding table, wraps at 64 KiB. */
static void
shared_local_memory(void **state)
{
   proves("DP-047", "DP-233", "DP-431", "DP-210", "SMP-325", "SMP-326", "SMP-327");
   struct fx *f = *state;
   *fx_dw(f, FX_STATE + FX_TABLE + 4 * 254) = 0xffffffff;
   fx_clear_payload(f);
   f->exec_mask = 0xff;
   for (unsigned i = 0; i < 8; i++) {
      fx_in(f, 0)[i] = 0x10000 + 0x100 + 8 * i;
      fx_in(f, 1)[i] = 70 + i;
   }
   fx_send(f, SFID_DP_DATA0, WRITE(SIMD8, 14u) | 254, false, 2, 0);
   for (unsigned i = 0; i < 8; i++) {
      uint32_t v;
      memcpy(&v, f->slm + 0x100 + 8 * i, 4);
      assert_int_equal(v, 70 + i);
      fx_in(f, 0)[i] = 0x100 + 8 * i;
   }
   fx_send(f, SFID_DP_DATA0, READ(SIMD8, 14u) | 254, false, 1, 1);
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(fx_out(f, 0)[i], 70 + i);
   for (unsigned i = 0; i < 8; i++)
      fx_in(f, 0)[i] = 0x100;
   fx_in(f, 1)[0] = 1;
   fx_send(f, SFID_DP_DATA0, ATOMIC(1u, 5u, 1u) | 254, false, 1, 1);
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(fx_out(f, 0)[i], 70 + i);
   fx_send(f, SFID_DP_DATA0, 4u << 14 | 254, false, 1, 1); /* byte scattered read */
   assert_int_equal(fx_out(f, 0)[0] & 0xff, 78);
   assert_silent(f);
   fx_send(f, SFID_DP_DATA0, 0u << 14 | 2u << 8 | 254, true, 1, 1); /* OWord block */
   assert_rule(f, "DP-047");
   fx_send(f, SFID_DP_DATA0, 3u << 14 | 2u << 8 | 254, false, 1, 1); /* dword scattered */
   assert_rule(f, "DP-047");
   fx_send(f, SFID_DP_DATA0, ATOMIC(1u, 0u, 0u) | 254, false, 5, 0);
   assert_rule(f, "DP-210");
   f->t.group = NULL;
   fx_send(f, SFID_DP_DATA0, READ(SIMD8, 14u) | 254, false, 1, 1);
   assert_rule(f, "DP-047");
}

/* A group with less than 64 KiB: what lies past its own part is not its own. */
static void
small_shared_local_memory(void **state)
{
   struct fx *f = *state;
   f->group.slm_size_B = 4096;
   memset(f->slm, 0x44, sizeof(f->slm));
   fx_clear_payload(f);
   f->exec_mask = 0xff;
   for (unsigned i = 0; i < 8; i++)
      fx_in(f, 0)[i] = 4096 - 16 + 4 * i;
   fx_send(f, SFID_DP_DATA0, READ(SIMD8, 14u) | 254, false, 1, 1);
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(fx_out(f, 0)[i], i < 4 ? 0x44444444 : 0);
   fx_send(f, SFID_DP_DATA0, WRITE(SIMD8, 14u) | 254, false, 2, 0);
   assert_int_equal(f->slm[4095], 0);
   assert_int_equal(f->slm[4096], 0x44);
}

/* DP-049 DP-224: stateless untyped messages with a header are done and noted. */
static void
untyped_stateless(void **state)
{
   proves("DP-049", "DP-224");
   struct fx *f = *state;
   fx_pattern(f, FX_GENERAL + 0x800, 64);
   fx_clear_payload(f);
   fx_in(f, 0)[7] = 0xffff;
   fx_in(f, 0)[5] = 0x800;
   for (unsigned i = 0; i < 8; i++)
      fx_in(f, 1)[i] = 4 * i;
   fx_send(f, SFID_DP_DATA0, READ(SIMD8, 14u) | 255, true, 2, 1);
   assert_rule(f, "DP-049");
   assert_int_equal(fx_out(f, 0)[7], 0xA000001cu);
   fx_send(f, SFID_DP_DATA0, READ(SIMD8, 14u) | 255, false, 1, 1);
   assert_rule(f, "DP-049");
   assert_int_equal(fx_out(f, 0)[7], 0);
}

/* DP-213 DP-214 DP-220 DP-221 DP-222 DP-235 DP-243 DP-244 DP-245 DP-246 DP-423 DP-417: every rule
 * of the family. */
static void
untyped_rules(void **state)
{
   proves("DP-213", "DP-214", "DP-220", "DP-221", "DP-222", "DP-235", "DP-243", "DP-244", "DP-245",
          "DP-246");
   struct fx *f = *state;
   struct hw_render_surface_state st = fx_buffer_state(SURFTYPE_BUFFER, 0xd7, FX_DATA, 64, 4);
   fx_surface(f, 0, &st);
   fx_clear_payload(f);
   fx_pattern(f, FX_DATA, 256);
   fx_send(f, SFID_DP_DATA0, READ(SIMD8, 14u), false, 1, 1);
   assert_rule(f, "DP-214");
   st = fx_buffer_state(SURFTYPE_2D, 0x1ff, FX_DATA, 64, 4);
   fx_surface(f, 0, &st);
   fx_send(f, SFID_DP_DATA0, READ(SIMD8, 14u), false, 1, 1);
   assert_rule(f, "DP-214");
   assert_int_equal(fx_out(f, 0)[0], 0);
   st = fx_buffer_state(SURFTYPE_BUFFER, 0x1ff, FX_DATA, 64, 1);
   st.tiled_surface = true;
   fx_surface(f, 0, &st);
   fx_send(f, SFID_DP_DATA0, READ(SIMD8, 14u), false, 1, 1);
   assert_rule(f, "DP-213");
   fx_raw(f, 0, FX_DATA, 63);
   fx_send(f, SFID_DP_DATA0, READ(SIMD8, 14u), false, 1, 1);
   assert_rule(f, "DP-417");
   fx_raw(f, 0, FX_DATA + 2, 64);
   fx_send(f, SFID_DP_DATA0, READ(SIMD8, 14u), false, 1, 1);
   assert_rule(f, "DP-423");
   fx_raw(f, 0, FX_DATA, 256);
   for (unsigned i = 0; i < 8; i++)
      fx_in(f, 0)[i] = 8 * i + 3;
   fx_send(f, SFID_DP_DATA0, READ(SIMD8, 14u), false, 1, 1);
   assert_rule(f, "DP-221");
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(fx_out(f, 0)[i], 0xA0000000u + 8 * i);
   st = fx_buffer_state(SURFTYPE_STRBUF, 0x1ff, FX_DATA, 8, 16);
   fx_surface(f, 0, &st);
   for (unsigned i = 0; i < 8; i++) {
      fx_in(f, 0)[i] = i;
      fx_in(f, 1)[i] = 6;
   }
   fx_send(f, SFID_DP_DATA0, READ(SIMD8, 14u), false, 2, 1);
   assert_rule(f, "DP-220");
   assert_int_equal(fx_out(f, 0)[1], 0xA0000014u);
   fx_raw(f, 0, FX_DATA, 256);
   for (unsigned i = 0; i < 8; i++) {
      fx_in(f, 0)[i] = 4 * (i / 2);
      fx_in(f, 1)[i] = i;
   }
   fx_send(f, SFID_DP_DATA0, WRITE(SIMD8, 14u), false, 2, 0);
   assert_rule(f, "DP-235");
   fx_send(f, SFID_DP_DATA0, WRITE(SIMD8, 2u), false, 4, 0);
   assert_rule(f, "DP-245");
   fx_send(f, SFID_DP_DATA0, WRITE(SIMD8, 15u), false, 1, 0);
   assert_rule(f, "DP-245");
   fx_send(f, SFID_DP_DATA0, READ(SIMD8, 15u), false, 1, 0);
   assert_rule(f, "DP-246");
   fx_send(f, SFID_DP_DATA0, READ(3u, 14u), false, 1, 1);
   assert_rule(f, "DP-244");
}

static uint32_t
oracle(unsigned op, uint32_t old, uint32_t a, uint32_t b)
{
   int64_t so = (int32_t)old, sa = (int32_t)a;
   switch (op) {
   case 1:
      return old & a;
   case 2:
      return old | a;
   case 3:
      return old ^ a;
   case 4:
      return a;
   case 5:
      return (uint32_t)((uint64_t)old + 1);
   case 6:
      return (uint32_t)((uint64_t)old - 1);
   case 7:
      return (uint32_t)((uint64_t)old + a);
   case 8:
      return (uint32_t)((uint64_t)old - a);
   case 9:
      return (uint32_t)((uint64_t)a - old);
   case 10:
      return so > sa ? old : a;
   case 11:
      return so < sa ? old : a;
   case 12:
      return old > a ? old : a;
   case 13:
      return old < a ? old : a;
   case 14:
      return old == a ? b : old;
   default:
      return (uint32_t)((uint64_t)old - 1);
   }
}

/* Operations against the oracle: both widths, with and without return. */
static void
try_atomics(struct fx *f, unsigned first, unsigned last)
{
   uint32_t seed = 9;
   static const uint32_t corner[8] = {0,          1, 0x7fffffff, 0x80000000,
                                      0xffffffff, 5, 0xfffffffe, 0x12345678};
   fx_raw(f, 0, FX_DATA, 4096);
   for (unsigned run = 0; run < 960; run++) {
      unsigned op = first + run % (last - first + 1), n = run & 16 ? 16 : 8, ret = run >> 5 & 1,
               w = n / 8;
      unsigned sources = op == 5 || op == 6 || op == 15 ? 0 : op == 14 ? 2 : 1;
      uint32_t old[16], a[16], b[16], exec = run % 3 ? 0xffff : random32(&seed) & 0xffff;
      fx_clear_payload(f);
      for (unsigned i = 0; i < n; i++) {
         old[i] = run % 2 ? corner[random32(&seed) % 8] : random32(&seed);
         a[i] = op == 14 && i % 2 ? old[i] : corner[random32(&seed) % 8];
         b[i] = random32(&seed);
         fx_dw(f, FX_DATA)[3 * i] = old[i];
         fx_dw(f, FX_DATA)[3 * i + 1] = 0xabcdef01;
         fx_in(f, 0)[i] = 12 * i;
         if (sources > 0)
            fx_in(f, w)[i] = a[i];
         if (sources > 1)
            fx_in(f, 2 * w)[i] = b[i];
      }
      f->exec_mask = exec;
      fx_fill_response(f, 2, 0x55);
      fx_send(f, SFID_DP_DATA0, ATOMIC(n == 8, op, ret), false, w * (1 + sources), ret * w);
      for (unsigned i = 0; i < n; i++) {
         bool on = exec >> i & 1;
         uint32_t next = oracle(op, old[i], a[i], b[i]);
         assert_int_equal(fx_dw(f, FX_DATA)[3 * i], on ? next : old[i]);
         assert_int_equal(fx_dw(f, FX_DATA)[3 * i + 1], 0xabcdef01);
         assert_int_equal(fx_out(f, 0)[i], on && ret ? (op == 15 ? next : old[i]) : 0x55);
      }
   }
   assert_silent(f);
}

static void
logic_atomics(void **state)
{
   proves("DP-194", "DP-195", "DP-196", "DP-197");
   try_atomics(*state, 1, 4);
}

/* DP-192 DP-212: they wrap. */
static void
counting_atomics(void **state)
{
   proves("DP-192", "DP-198", "DP-199", "DP-200", "DP-201", "DP-202", "DP-212");
   try_atomics(*state, 5, 9);
}

static void
comparing_atomics(void **state)
{
   proves("DP-203", "DP-204", "DP-205", "DP-206", "DP-207", "DP-212");
   try_atomics(*state, 10, 14);
}

/* DP-249 DP-281 DP-283: every code of the descriptor, and where the answers are. */
static void
codes_of_atomics(void **state)
{
   proves("DP-208", "DP-249", "DP-281", "DP-283");
   try_atomics(*state, 1, 15);
}

/* DP-209 DP-211 DP-262 DP-267 DP-282 DP-284: 64 bits, low dwords first. */
static void
cmpwr8b(void **state)
{
   proves("DP-209", "DP-211", "DP-262", "DP-267", "DP-282", "DP-284");
   struct fx *f = *state;
   fx_raw(f, 0, FX_DATA, 4096);
   for (unsigned n = 8; n <= 16; n += 8) {
      unsigned w = n / 8;
      fx_clear_payload(f);
      f->exec_mask = 0xffff;
      for (unsigned i = 0; i < n; i++) {
         fx_dw(f, FX_DATA)[2 * i] = i;
         fx_dw(f, FX_DATA)[2 * i + 1] = 100 + i;
         fx_in(f, 0)[i] = 8 * i;
         fx_in(f, w)[i] = i;
         fx_in(f, 2 * w)[i] = i & 1 ? 100 + i : 99; /* odd slots match */
         fx_in(f, 3 * w)[i] = 500 + i;
         fx_in(f, 4 * w)[i] = 600 + i;
      }
      fx_send(f, SFID_DP_DATA0, ATOMIC(n == 8, 0u, 1u), false, 5 * w, 2 * w);
      for (unsigned i = 0; i < n; i++) {
         assert_int_equal(fx_dw(f, FX_DATA)[2 * i], i & 1 ? 500 + i : i);
         assert_int_equal(fx_dw(f, FX_DATA)[2 * i + 1], i & 1 ? 600 + i : 100 + i);
         assert_int_equal(fx_out(f, 0)[i], i);
         assert_int_equal(fx_out(f, w)[i], 100 + i);
      }
   }
   assert_silent(f);
   f->exec_mask = 1;
   fx_in(f, 0)[0] = 4;
   fx_send(f, SFID_DP_DATA0, ATOMIC(1u, 0u, 1u), false, 5, 2);
   assert_rule(f, "DP-211");
}

/* DP-230 DP-231: atomics outside return 0 and change nothing; DP-420: so do those on a null
 * surface. */
static void
atomic_bounds(void **state)
{
   proves("DP-230", "DP-231", "DP-420");
   struct fx *f = *state;
   fx_raw(f, 0, FX_DATA, 16);
   memset(fx_at(f, FX_DATA), 0, 64);
   fx_clear_payload(f);
   f->exec_mask = 0xff;
   for (unsigned i = 0; i < 8; i++)
      fx_in(f, 0)[i] = 4 * i;
   fx_fill_response(f, 1, 7);
   fx_send(f, SFID_DP_DATA0, ATOMIC(1u, 5u, 1u), false, 1, 1);
   for (unsigned i = 0; i < 8; i++) {
      assert_int_equal(fx_dw(f, FX_DATA)[i], i < 4);
      assert_int_equal(fx_out(f, 0)[i], 0);
   }
   struct hw_render_surface_state st = {.surface_type = SURFTYPE_NULL, .tiled_surface = true};
   fx_surface(f, 0, &st);
   fx_fill_response(f, 1, 7);
   fx_send(f, SFID_DP_DATA0, ATOMIC(1u, 5u, 1u), false, 1, 1);
   assert_int_equal(fx_out(f, 0)[0], 0);
   fx_send(f, SFID_DP_DATA0, READ(SIMD8, 14u), false, 1, 1);
   assert_int_equal(fx_out(f, 0)[0], 0);
   fx_send(f, SFID_DP_DATA0, WRITE(SIMD8, 14u), false, 2, 0);
   assert_silent(f);
}

struct worker {
   struct fx *f;
   struct eu_thread t;
   unsigned rounds;
};

static void *
hammer(void *data)
{
   struct worker *w = data;
   uint8_t *p = w->t.grf + FX_PAYLOAD * EU_REG_SIZE;
   struct sf_message m = {
       .sfid = SFID_DP_DATA0, .mlen = 2, .exec_size = 8, .exec_mask = 0xff, .payload = p};
   for (unsigned r = 0; r < w->rounds; r++) {
      for (unsigned i = 0; i < 8; i++) {
         eu_grf(&w->t, FX_PAYLOAD)[i] = 4 * (i % 4);
         eu_grf(&w->t, FX_PAYLOAD + 1)[i] = i + 1;
      }
      m.desc = ATOMIC(1u, 7u, 0u); /* ADD */
      sf_dataport(&w->t, &m);
      for (unsigned i = 0; i < 8; i++) {
         eu_grf(&w->t, FX_PAYLOAD)[i] = 64;
         eu_grf(&w->t, FX_PAYLOAD + 1)[i] = r * 8 + i;
      }
      m.desc = ATOMIC(1u, 12u, 0u); /* UMAX */
      sf_dataport(&w->t, &m);
   }
   return NULL;
}

/* DP-193: nothing is lost between host threads. */
static void
contention(void **state)
{
   proves("DP-193");
   struct fx *f = *state;
   enum { THREADS = 6, ROUNDS = 4000 };
   pthread_t id[THREADS];
   struct worker *w = aligned_alloc(64, sizeof(struct worker) * THREADS);
   memset(w, 0, sizeof(struct worker) * THREADS);
   fx_raw(f, 0, FX_DATA, 128);
   memset(fx_at(f, FX_DATA), 0, 128);
   for (unsigned k = 0; k < THREADS; k++) {
      w[k] = (struct worker){.f = f, .rounds = ROUNDS};
      w[k].t.env = &f->env;
      w[k].t.binding_table = FX_TABLE;
      pthread_create(&id[k], NULL, hammer, &w[k]);
   }
   for (unsigned k = 0; k < THREADS; k++)
      pthread_join(id[k], NULL);
   for (unsigned i = 0; i < 4; i++)
      assert_int_equal(fx_dw(f, FX_DATA)[i], THREADS * ROUNDS * (2 * i + 6));
   assert_int_equal(fx_dw(f, FX_DATA)[16], ROUNDS * 8 - 1);
   free(w);
}

/* One kind of message at one place: what comes back, and what is then in memory. */
static void
at_once(struct fx *f, bool write, unsigned mask, unsigned n, unsigned header, uint32_t first,
        uint32_t *result)
{
   unsigned step = mask ? 4 : 16, regs = n / 8, values = regs * step / 4;
   fx_pattern(f, FX_DATA, 8192);
   fx_clear_payload(f);
   fx_fill_response(f, 8, 5);
   if (header)
      fx_in(f, 0)[7] = 0xffff;
   for (unsigned i = 0; i < n; i++)
      fx_in(f, header)[i] = first + step * i;
   for (unsigned i = 0; i < values * 8; i++)
      fx_in(f, header + regs)[i] = 0xB0000000u + i;
   uint32_t control =
       write ? WRITE(n == 16 ? SIMD16 : SIMD8, mask) : READ(n == 16 ? SIMD16 : SIMD8, mask);
   fx_send(f, SFID_DP_DATA0, control | 2, header, header + regs + (write ? values : 0),
           write ? 0 : values);
   memcpy(result, fx_out(f, 0), 8 * EU_REG_SIZE);
   memcpy(result + 64, fx_at(f, FX_DATA), 8192);
}

/* DP-190 DP-231 DP-233: the common kinds have a way of their own, which nobody may watch; it does
 * what the slow path does, at both ends of the buffer, across pages, out of line. */
static void
both_ways(void **state)
{
   proves("DP-190", "DP-231", "DP-233");
   struct fx *f = *state;
   static const uint32_t places[] = {0,        4,    2,    3840,       4032,       4064,      4068,
                                     4092,     6144, 7868, 7872,       7904,       7936,      7940,
                                     8000 - 4, 8000, 8192, 0x7fffff00, 0xffffffc0, 0xfffffffc};
   static uint32_t result[2][64 + 2048];
   fx_raw(f, 2, FX_DATA, 8000);
   for (unsigned kind = 0; kind < 16; kind++)
      for (unsigned p = 0; p < sizeof(places) / sizeof(places[0]); p++) {
         for (unsigned watched = 0; watched < 2; watched++) {
            assert_int_equal(hazard_enable(f->dev->surfaces, watched), 0);
            at_once(f, kind & 1, kind & 2 ? 14 : 0, kind & 4 ? 16 : 8, kind >> 3, places[p],
                    result[watched]);
         }
         assert_memory_equal(result[0], result[1], sizeof(result[0]));
         /* and it is the right thing: the first red, when it is inside */
         if (places[p] + 4 <= 8000 && places[p] < 8000 && !(places[p] & 3)) {
            uint32_t there = result[0][64 + places[p] / 4];
            assert_int_equal(kind & 1 ? there : result[0][0],
                             kind & 1 ? 0xB0000000u : 0xA0000000u + places[p]);
         }
      }
}

/* Shared local memory and scattered raw buffers with the rules off, the fast path: masked slots,
 * the last dword, one past it, and slots that meet (the later one wins here). */
static void
dwords_from_anywhere(void **state)
{
   struct fx *f = *state;
   uint32_t model[0x4000];
   f->group.slm_size_B = 0x1000;
   for (unsigned i = 0; i < 0x4000; i++)
      model[i] = i * 2654435761u;
   memcpy(f->slm, model, sizeof(f->slm));
   fx_raw(f, 4, FX_DATA + 0x40, 0x9000);
   fx_pattern(f, FX_DATA, 0xa000);
   uint32_t seed = 12345;
   for (unsigned round = 0; round < 400; round++) {
      uint32_t u[16], value[16];
      for (unsigned i = 0; i < 16; i++) {
         seed = seed * 1664525u + 1013904223u;
         u[i] = (seed >> 12 & 0x3ff) * 4 + (round % 7 == 3 && i == 5 ? 0x1000 : 0);
         value[i] = seed ^ i;
      }
      u[2] = round & 1 ? u[9] : 0xffc;
      f->exec_mask = seed >> 3 & 0xffff;
      memcpy(fx_in(f, 0), u, 64);
      memcpy(fx_in(f, 2), value, 64);
      fx_send(f, SFID_DP_DATA0, 254 | 14 << 8 | 1 << 12 | 13 << 14, false, 4, 0);
      for (unsigned i = 0; i < 16; i++)
         if (f->exec_mask >> i & 1 && u[i] < 0x1000)
            model[u[i] / 4] = value[i];
      assert_memory_equal(f->slm, model, sizeof(f->slm));
      fx_fill_response(f, 2, 0x99999999);
      fx_send(f, SFID_DP_DATA0, 254 | 14 << 8 | 1 << 12 | 5 << 14, false, 2, 2);
      for (unsigned i = 0; i < 16; i++)
         assert_int_equal(fx_out(f, 0)[i], !(f->exec_mask >> i & 1) ? 0x99999999u
                                           : u[i] < 0x1000          ? model[u[i] / 4]
                                                                    : 0);
      for (unsigned i = 0; i < 16; i++)
         fx_in(f, 0)[i] = u[i] = u[i] * 9 & ~3u;
      fx_send(f, SFID_DP_DATA0, 4 | 14 << 8 | 1 << 12 | 5 << 14, false, 2, 2);
      for (unsigned i = 0; i < 16; i++)
         if (f->exec_mask >> i & 1)
            assert_int_equal(fx_out(f, 0)[i], u[i] + 4 <= 0x9000 ? 0xA0000000u + 0x40 + u[i] : 0u);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test_setup_teardown(dwords_from_anywhere, fx_setup_off, fx_teardown),
       FX_TEST(read_raw),
       FX_TEST(write_raw),
       FX_TEST(structured),
       FX_TEST(raw_bounds),
       FX_TEST(simd4x2),
       FX_TEST(pixel_mask_on_reads),
       FX_TEST(shared_local_memory),
       FX_TEST(small_shared_local_memory),
       FX_TEST(untyped_stateless),
       FX_TEST(untyped_rules),
       FX_TEST(logic_atomics),
       FX_TEST(counting_atomics),
       FX_TEST(comparing_atomics),
       FX_TEST(codes_of_atomics),
       FX_TEST(cmpwr8b),
       FX_TEST(atomic_bounds),
       FX_TEST(contention),
       FX_TEST(both_ways),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
