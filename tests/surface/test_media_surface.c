/* MEDIA_SURFACE_STATE: unpacking, the cache, the rules, and planes against a walk over memory. */
#include "fixture.h"

#include "shared_functions/sf.h"
#include "tests/proves.h"

static struct media_surface
unpack(const struct hw_media_surface_state *st)
{
   uint32_t dw[8];
   struct media_surface s;
   gen7_media_surface_state_pack(dw, st);
   media_surface_unpack(&s, dw);
   return s;
}

/* Breaks no rule. */
static struct hw_media_surface_state
nv12(void)
{
   return (struct hw_media_surface_state){.surface_base_address = FX_DATA,
                                          .width = 63,
                                          .height = 31,
                                          .surface_pitch = 127,
                                          .interleave_chroma = true,
                                          .surface_format = GEN7_MEDIA_SURFACE_FORMAT_PLANAR_420_8,
                                          .tile_mode = 3,
                                          .y_offset_for_u = 32};
}

/* SMP-172 VME-394: every field of the dwords, as the manual numbers them, arrives where it belongs.
 */
static void
fields(void **state)
{
   proves("SMP-172", "VME-394");
   const uint32_t dw[8] = {0x12345000, 1079u << 18 | 1919u << 4 | 2u << 2 | 3,
                           4u << 28 | 1u << 27 | 5u << 22 | 2047u << 3 | 1u << 2 | 2,
                           34u << 16 | 1088, 36u << 16 | 20000};
   struct media_surface s;
   (void)state;
   media_surface_unpack(&s, dw);
   assert_int_equal(s.base, 0x12345000);
   assert_int_equal(s.height, 1080);
   assert_int_equal(s.width, 1920);
   assert_int_equal(s.picture, MEDIA_BOTTOM_FIELD);
   assert_int_equal(s.chroma_v_offset, 3);
   assert_int_equal(s.format, 4);
   assert_int_equal(s.interleave_chroma, 1);
   assert_int_equal(s.mocs, 5);
   assert_int_equal(s.pitch_B, 2048);
   assert_int_equal(s.half_pitch_chroma, 1);
   assert_int_equal(s.tiling, MEM_TILE_X);
   assert_int_equal(s.u_x, 34);
   assert_int_equal(s.u_y, 1088);
   assert_int_equal(s.v_x, 36);
   assert_int_equal(s.v_y, 20000);
   assert_int_equal(s.rules, 0);
   uint32_t other[8];
   memcpy(other, dw, sizeof(other));
   other[2] = (dw[2] & 0x0ffffffcu) | 12u << 28 | 3; /* Y8, Y tiles */
   media_surface_unpack(&s, other);
   assert_int_equal(s.tiling, MEM_TILE_Y);
   assert_int_equal(s.chroma_v_offset, 0); /* for PLANAR_420_8 alone */
   const uint32_t zero[8] = {0};
   media_surface_unpack(&s, zero);
   assert_int_equal(s.width, 1);
   assert_int_equal(s.pitch_B, 1);
   assert_int_equal(s.tiling, MEM_LINEAR);
}

/* ---- the oracle ----
 * It goes through memory byte by byte, in the order of addresses, finds the column and row of a
 * byte from how the tiles are laid out, and from that the sample that a picture of the format has
 * there. */

struct place {
   uint32_t x, y;
};

static struct place
byte_place(unsigned tiling, uint32_t pitch, uint32_t n)
{
   if (tiling == MEM_LINEAR)
      return (struct place){n % pitch, n / pitch};
   uint32_t w = tiling == MEM_TILE_X ? 512 : 128, h = 4096 / w, across = pitch / w;
   uint32_t tile = n / 4096, in = n % 4096;
   struct place p = {tile % across * w, tile / across * h};
   if (tiling == MEM_TILE_X) {
      p.x += in % 512;
      p.y += in / 512;
   } else { /* columns of OWords, 32 rows each */
      p.x += in / 512 * 16 + in % 16;
      p.y += in % 512 / 16;
   }
   return p;
}

/* A letter and where: what lies at a byte, or nothing. */
struct sample {
   char letter;
   uint32_t x, y;
};

static struct sample
packed_sample(const char *order, struct place p, uint32_t w, uint32_t h)
{
   struct sample s = {order[p.x % 4], p.x / 4, p.y};
   if (s.letter == 'Y')
      s.x = p.x / 2;
   if (p.x >= 2 * w || p.y >= h)
      s.letter = 0;
   return s;
}

static const char *const packed_order[4] = {"YUYV", "VYUY", "YVYU", "UYVY"}; /* SMP-407 */

static unsigned
check_sample(const struct media_surface *s, struct sample at, uint32_t address)
{
   struct media_plane p;
   uint32_t got = 0;
   unsigned which = at.letter == 'Y'   ? MEDIA_PLANE_Y
                    : at.letter == 'U' ? MEDIA_PLANE_U
                                       : MEDIA_PLANE_V;
   if (!at.letter)
      return 0;
   assert_true(media_surface_plane(s, which, &p));
   assert_true(at.x < p.width && at.y < p.height);
   assert_true(media_plane_address(&p, at.x, at.y, &got));
   if (got != address)
      fail_msg("format %u tiling %u %c(%u, %u) is at 0x%x, not at 0x%x", s->format, s->tiling,
               at.letter, at.x, at.y, address, got);
   return 1;
}

static uint32_t
pitch_for(unsigned tiling, uint32_t tiles)
{
   return tiling == MEM_LINEAR ? 90 * tiles : tiling == MEM_TILE_X ? 512 * tiles : 128 * tiles;
}

/* SMP-172 SMP-372 SMP-407: packed YCrCb, its origin by the U offsets; each sample lies in one
 * place. */
static void
packed_planes(void **state)
{
   proves("SMP-172", "SMP-372", "SMP-407");
   (void)state;
   for (unsigned format = 0; format < 4; format++)
      for (unsigned tile_mode = 0; tile_mode < 4; tile_mode += tile_mode ? 1 : 2) {
         struct hw_media_surface_state st = {.surface_base_address = 0x40000,
                                             .surface_format = format,
                                             .tile_mode = tile_mode,
                                             .width = 35,
                                             .height = 38};
         unsigned tiling = tile_mode ? tile_mode - 1 : MEM_LINEAR, found = 0;
         st.surface_pitch = pitch_for(tiling, 2) - 1;
         st.x_offset_for_u = 4; /* pixels: 8 bytes */
         st.y_offset_for_u = 6;
         struct media_surface s = unpack(&st);
         assert_int_equal(s.rules, 0);
         assert_int_equal(s.tiling, tiling);
         for (uint32_t n = 0; n < s.pitch_B * 64; n++) {
            struct place p = byte_place(tiling, s.pitch_B, n);
            if (p.x < 8 || p.y < 6)
               continue;
            p.x -= 8;
            p.y -= 6;
            found += check_sample(&s, packed_sample(packed_order[format], p, 36, 39), s.base + n);
         }
         assert_int_equal(found, 36 * 39 * 2);
      }
}

/* What a byte of the chroma part is. */
static struct sample
chroma_sample(const struct media_surface *s, struct place p, uint32_t w, uint32_t h)
{
   const char *letters = "UV";
   for (unsigned v = 0; v < 2; v++) {
      uint32_t x0 = v && !s->interleave_chroma ? s->v_x : s->u_x,
               y0 = v && !s->interleave_chroma ? s->v_y : s->u_y;
      if (p.x < x0 || p.y < y0 || p.y - y0 >= h)
         continue;
      uint32_t x = p.x - x0;
      if (s->interleave_chroma && x % 2 == v && x / 2 < w)
         return (struct sample){letters[v], x / 2, p.y - y0};
      if (!s->interleave_chroma && x < w)
         return (struct sample){letters[v], x, p.y - y0};
   }
   return (struct sample){0};
}

/* SMP-172 SMP-372: planes of 4:2:0, 4:1:1 and 4:2:2, apart and interleaved, of the full and of half
 * the pitch, in every tiling; each sample lies in one place. */
static void
planar_planes(void **state)
{
   proves("SMP-172", "SMP-372");
   static const struct {
      unsigned format, w, h; /* pixels that share a chroma sample */
   } forms[] = {{4, 2, 2}, {5, 4, 1}, {6, 2, 1}};
   (void)state;
   for (unsigned i = 0; i < 3 * 3 * 4; i++) {
      unsigned k = i % 3, tiling = (unsigned[]){MEM_LINEAR, MEM_TILE_X, MEM_TILE_Y}[i / 3 % 3];
      bool interleave = i / 9 & 1, half = i / 18;
      struct hw_media_surface_state st = {.surface_base_address = 0x40000,
                                          .surface_format = forms[k].format,
                                          .tile_mode = tiling == MEM_LINEAR ? 0 : tiling + 1,
                                          .width = 67,
                                          .height = 41,
                                          .surface_pitch = pitch_for(tiling, 2) - 1,
                                          .interleave_chroma = interleave,
                                          .half_pitch_for_chroma = half,
                                          .x_offset_for_u = 4,
                                          .y_offset_for_u = 100,
                                          .x_offset_for_v = 6,
                                          .y_offset_for_v = 148};
      struct media_surface s = unpack(&st);
      assert_int_equal(s.rules, 0);
      uint32_t cw = 68 / forms[k].w, ch = 42 / forms[k].h;
      unsigned luma = 0, chroma = 0;
      for (uint32_t n = 0; n < s.pitch_B * 64; n++) {
         struct place p = byte_place(tiling, s.pitch_B, n);
         struct sample y = {'Y', p.x, p.y};
         if (p.x < 68 && p.y < 42)
            luma += check_sample(&s, y, s.base + n);
      }
      uint32_t pitch = half ? s.pitch_B / 2 : s.pitch_B;
      for (uint32_t n = 0; n < pitch * 224; n++)
         chroma +=
             check_sample(&s, chroma_sample(&s, byte_place(tiling, pitch, n), cw, ch), s.base + n);
      assert_int_equal(luma, 68 * 42);
      assert_int_equal(chroma, 2 * cw * ch);
   }
}

/* SMP-172 SMP-372 VME-190: one plane of whole pixels, from the origin that the U offsets give. */
static void
single_planes(void **state)
{
   proves("SMP-172", "SMP-372", "VME-190");
   static const uint8_t bytes[16] = {[7] = 1, [8] = 4, [9] = 4, [10] = 2, [11] = 1, [12] = 1};
   (void)state;
   for (unsigned format = 7; format <= 12; format++) {
      struct hw_media_surface_state st = {.surface_base_address = 0x40001,
                                          .surface_format = format,
                                          .width = 9,
                                          .height = 4,
                                          .surface_pitch = 50,
                                          .x_offset_for_u = 3,
                                          .y_offset_for_u = 2};
      struct media_surface s = unpack(&st);
      struct media_plane p;
      uint32_t at = 0;
      assert_int_equal(s.rules, 0);
      assert_true(media_surface_plane(&s, MEDIA_PLANE_Y, &p));
      assert_int_equal(p.width, 10);
      assert_int_equal(p.height, 5);
      assert_true(media_plane_address(&p, 7, 4, &at));
      assert_int_equal(at, 0x40001 + (4 + 2) * 51 + (7 + 3) * bytes[format]);
      assert_false(media_surface_plane(&s, MEDIA_PLANE_U, &p));
      assert_false(media_surface_plane(&s, MEDIA_PLANE_V, &p));
   }
   struct hw_media_surface_state high = {
       .surface_base_address = 0xfffffff0, .surface_format = 12, .width = 63, .surface_pitch = 63};
   struct media_surface s = unpack(&high);
   struct media_plane p;
   uint32_t at;
   assert_true(media_surface_plane(&s, MEDIA_PLANE_Y, &p));
   assert_true(media_plane_address(&p, 15, 0, &at));
   assert_int_equal(at, 0xffffffffu);
   assert_false(media_plane_address(&p, 16, 0, &at)); /* never wraps */
}

/* SMP-372: a field picture is named so; its rows are those of memory. */
static void
field_pictures(void **state)
{
   proves("SMP-372");
   (void)state;
   struct hw_media_surface_state st = nv12();
   uint32_t frame, field;
   struct media_plane p;
   for (unsigned picture = 0; picture < 3; picture++) {
      st.picture_structure = picture;
      struct media_surface s = unpack(&st);
      assert_int_equal(s.picture, picture);
      assert_int_equal(s.rules, 0);
      assert_true(media_surface_plane(&s, MEDIA_PLANE_Y, &p));
      assert_true(media_plane_address(&p, 5, 7, picture ? &field : &frame));
      if (picture)
         assert_int_equal(field, frame);
   }
}

/* A change of a good state, and the rule that it breaks. */
static uint32_t
rules_after(unsigned dword, uint32_t clear, uint32_t set)
{
   struct hw_media_surface_state st = nv12();
   struct media_surface s;
   uint32_t dw[8];
   gen7_media_surface_state_pack(dw, &st);
   media_surface_unpack(&s, dw);
   assert_int_equal(s.rules, 0);
   dw[dword] = (dw[dword] & ~clear) | set;
   media_surface_unpack(&s, dw);
   return s.rules;
}

#define FORMAT(n) 0xf0000000u, (n) << 28

/* SMP-372 VME-395 SMP-172: each limit, kept and broken. */
static void
limits(void **state)
{
   proves("SMP-372", "VME-395", "SMP-172");
   (void)state;
   assert_int_equal(rules_after(0, 0, 0x800), SURFACE_BAD_BASE);
   assert_int_equal(rules_after(0, 0, 0x1000), 0);
   assert_int_equal(rules_after(1, 1u << 18, 0), SURFACE_BAD_MULTIPLE); /* 31 rows of 4:2:0 */
   assert_int_equal(rules_after(1, 1u << 4, 0), SURFACE_BAD_MULTIPLE);  /* 63 pixels across */
   assert_int_equal(rules_after(1, 2u << 4, 0), 0);                     /* 62 */
   assert_int_equal(rules_after(1, 0x3fffu << 4, 128u << 4),
                    SURFACE_BAD_PITCH | SURFACE_BAD_MULTIPLE);
   assert_int_equal(rules_after(1, 0x3fffu << 4, 129u << 4), SURFACE_BAD_PITCH);
   assert_int_equal(rules_after(1, 0x3fffu << 4, 127u << 4), 0);
   assert_int_equal(rules_after(2, 1u << 3, 0), SURFACE_BAD_PITCH); /* 127 bytes, Y tiles */
   assert_int_equal(rules_after(2, 1, 0), SURFACE_BAD_PITCH);       /* 128 bytes, X tiles */
   assert_int_equal(rules_after(2, 3, 0), 0);                       /* linear */
   assert_int_equal(rules_after(2, 0, 4), SURFACE_BAD_PITCH);       /* half pitch: not two tiles */
   assert_int_equal(rules_after(2, 0, 4 | 128u << 3), 0);
   assert_int_equal(rules_after(2, 3 | 1u << 3, 4),
                    SURFACE_BAD_PITCH); /* linear, 127 bytes, halved */
   assert_int_equal(rules_after(2, 3 | 1u << 3, 0), 0);
   assert_int_equal(rules_after(3, 0, 1), SURFACE_BAD_OFFSET);
   assert_int_equal(rules_after(3, 0, 1u << 16), SURFACE_BAD_OFFSET);
   assert_int_equal(rules_after(4, 0, 1), 0); /* interleaved: V has no plane of its own */
   assert_int_equal(rules_after(2, 0xf0000000u | 3, 5u << 28), 0); /* 64 is a multiple of 4 */
   for (unsigned format = 13; format < 16; format++)
      assert_int_equal(rules_after(2, FORMAT(format)), SURFACE_BAD_RESERVED);
   assert_int_equal(rules_after(2, 3, 1), SURFACE_BAD_RESERVED);       /* tile mode 1 */
   assert_int_equal(rules_after(1, 0, 3u << 2), SURFACE_BAD_RESERVED); /* picture structure 3 */
   static const struct {
      unsigned dword;
      uint32_t bits;
   } zero[] = {{2, 1u << 26}, {2, 1u << 21}, {3, 3u << 30}, {3, 3u << 14}, {4, 3u << 30},
               {4, 1u << 15}, {5, ~0u},      {6, ~0u},      {7, ~0u}};
   for (unsigned i = 0; i < sizeof(zero) / sizeof(zero[0]); i++)
      for (unsigned bit = 0; bit < 32; bit++)
         if (zero[i].bits >> bit & 1)
            assert_int_equal(rules_after(zero[i].dword, 0, 1u << bit), SURFACE_BAD_RESERVED);
}

/* SMP-372: what only some formats need. */
static void
limits_by_format(void **state)
{
   proves("SMP-372");
   (void)state;
   for (unsigned format = 0; format <= 12; format++) {
      struct hw_media_surface_state st = {.surface_format = format, .surface_pitch = 1023};
      bool ycrcb = format < 4, planar = format >= 4 && format <= 6;
      unsigned w = format == 5 ? 4 : ycrcb || planar ? 2 : 1, h = format == 4 ? 2 : 1;
      for (unsigned size = 1; size <= 8; size++) {
         st.width = size - 1;
         st.height = 7;
         assert_int_equal(unpack(&st).rules, size % w ? SURFACE_BAD_MULTIPLE : 0);
         st.width = 7;
         st.height = size - 1;
         assert_int_equal(unpack(&st).rules, size % h ? SURFACE_BAD_MULTIPLE : 0);
      }
      st.width = st.height = 7;
      st.x_offset_for_u = 1;
      assert_int_equal(unpack(&st).rules, format == 4 || format == 6 ? SURFACE_BAD_OFFSET : 0);
      st.x_offset_for_u = 0;
      st.y_offset_for_u = 1;
      assert_int_equal(unpack(&st).rules, SURFACE_BAD_OFFSET);
      st.y_offset_for_u = 0;
      st.x_offset_for_v = 1;
      assert_int_equal(unpack(&st).rules, format == 4 || format == 6 ? SURFACE_BAD_OFFSET : 0);
      st.x_offset_for_v = 0;
      st.y_offset_for_v = 1;
      assert_int_equal(unpack(&st).rules, planar ? SURFACE_BAD_OFFSET : 0);
   }
}

static void
report(struct fx *f, const struct hw_media_surface_state *st, unsigned user)
{
   struct media_surface s = unpack(st);
   struct sf_message m = {.sfid = SFID_SAMPLER, .ip = f->t.ip};
   f->t.ip += 16;
   media_surface_report(&s, user, &f->t, &m);
}

/* SMP-172 SMP-372: what is broken is named when a message meets it, and formats have their users.
 */
static void
reports(void **state)
{
   proves("SMP-172", "SMP-372");
   struct fx *f = *state;
   struct hw_media_surface_state st = nv12();
   for (unsigned user = MEDIA_SAMPLE_8X8; user <= MEDIA_VME; user *= 2)
      report(f, &st, user);
   assert_silent(f);
   st.height--;
   report(f, &st, MEDIA_SAMPLE_8X8);
   assert_rule(f, "SMP-372");
   st = nv12();
   st.picture_structure = 3;
   report(f, &st, MEDIA_VME);
   assert_rule(f, "SMP-172");
   st = nv12();
   st.width = 59; /* 60: even, no multiple of 8 */
   report(f, &st, MEDIA_SAMPLE_8X8);
   assert_silent(f);
   report(f, &st, MEDIA_DEINTERLACE);
   assert_rule(f, "SMP-372");
   for (unsigned format = 0; format <= 12; format++) {
      bool deinterlace = format <= 7 || format == 12, sample = format <= 4 || format >= 8;
      struct hw_media_surface_state any = {
          .surface_format = format, .surface_pitch = 127, .width = 7, .height = 7};
      report(f, &any, MEDIA_DEINTERLACE);
      assert_int_equal(f->rule_count, !deinterlace);
      f->rule_count = 0;
      report(f, &any, MEDIA_SAMPLE_8X8);
      assert_int_equal(f->rule_count, !sample);
      f->rule_count = 0;
   }
}

/* SMP-372: current and reference pictures of a deinterlacer; which filter table is whose. */
static void
pairs(void **state)
{
   proves("SMP-372");
   (void)state;
   struct hw_media_surface_state st = nv12();
   struct media_surface a = unpack(&st), b;
   st.surface_base_address += 0x10000;
   b = unpack(&st);
   assert_true(media_surface_alike(&a, &b));
   for (unsigned i = 0; i < 5; i++) {
      st = nv12();
      st.width -= i == 0 ? 2 : 0;
      st.height -= i == 1 ? 2 : 0;
      st.surface_pitch += i == 2 ? 128 : 0;
      st.surface_format += i == 3;
      st.tile_mode -= i == 4;
      b = unpack(&st);
      assert_false(media_surface_alike(&a, &b));
   }
   assert_int_equal(media_coefficient_table(MEDIA_CHANNEL_Y_G), 0);
   assert_int_equal(media_coefficient_table(MEDIA_CHANNEL_CR_R), 1);
   assert_int_equal(media_coefficient_table(MEDIA_CHANNEL_CB_B), 1);
}

/* Unpacked once, kept until invalidated, and apart from the same dwords as a RENDER_SURFACE_STATE
 * (DP-004). */
static void
cached(void **state)
{
   proves("DP-004");
   struct fx *f = *state;
   struct surface_cache *c = f->dev->surfaces;
   struct hw_media_surface_state st = nv12();
   uint32_t at = FX_STATE + FX_STATES;
   struct media_surface s;
   struct surface render;
   gen7_media_surface_state_pack(fx_dw(f, at), &st);
   assert_true(media_surface_get(c, f->env.space, at, &s));
   assert_int_equal(s.width, 64);
   assert_int_equal(s.state, at);
   assert_true(surface_get(c, f->env.space, at, false, &render));
   st.width = 31;
   gen7_media_surface_state_pack(fx_dw(f, at), &st);
   assert_true(media_surface_get(c, f->env.space, at, &s));
   assert_int_equal(s.width, 64);
   surface_cache_invalidate(c);
   assert_true(media_surface_get(c, f->env.space, at, &s));
   assert_int_equal(s.width, 32);
   assert_int_equal(s.format, GEN7_MEDIA_SURFACE_FORMAT_PLANAR_420_8);
   /* nothing there */
   assert_false(media_surface_get(c, f->env.space, 0x70000000, &s));
   assert_int_equal(s.width, 0);
   assert_int_equal(s.state, 0x70000000);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(fields),
       cmocka_unit_test(packed_planes),
       cmocka_unit_test(planar_planes),
       cmocka_unit_test(single_planes),
       cmocka_unit_test(field_pictures),
       cmocka_unit_test(limits),
       cmocka_unit_test(limits_by_format),
       cmocka_unit_test(pairs),
       FX_TEST(reports),
       FX_TEST(cached),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
