/* The ports: which types exist, headers, end of thread, binding tables, fences, hazards, bad input.
 */
#include "fixture.h"
#include "tests/proves.h"

/* DP-008 DP-038 DP-040 DP-042 DP-044 DP-014 DP-051 DP-316: the message types of each port; every
 * other one is reserved, touches nothing and gives zeros. */
static void
message_types(void **state)
{
   proves("DP-008", "DP-038", "DP-040", "DP-042", "DP-044", "DP-014", "DP-051", "DP-316",
          "SMP-317");
   struct fx *f = *state;
   static const struct {
      unsigned sfid;
      uint16_t types;
   } ports[] = {
       {SFID_DP_SAMPLER, 1u << 1 | 1u << 4},
       {SFID_DP_RENDER, 1u << 4 | 1u << 5 | 1u << 6 | 1u << 7 | 1u << 10 | 1u << 12 | 1u << 13},
       {SFID_DP_CONSTANT, 0xf},
       {SFID_DP_DATA0, 0x1ff | 1u << 10 | 1u << 11 | 1u << 12 | 1u << 13}};
   fx_buffer(f, 0, 0, FX_DATA, 64, 16);
   for (unsigned p = 0; p < 4; p++)
      for (unsigned type = 0; type < 16; type++) {
         fx_clear_payload(f);
         fx_pattern(f, FX_DATA, 64);
         fx_fill_response(f, 1, 3);
         f->rule_count = 0;
         fx_send(f, ports[p].sfid, type << 14, true, 8, 1);
         bool known = ports[p].types >> type & 1;
         if (known) {
            assert_false(fx_said(f, "DP-051"));
            continue;
         }
         assert_rule(f, "DP-051");
         for (unsigned i = 0; i < 8; i++)
            assert_int_equal(fx_out(f, 0)[i], 0);
         for (unsigned i = 0; i < 16; i++)
            assert_int_equal(fx_dw(f, FX_DATA)[i], 0xA0000000u + 4 * i);
      }
}

/* DP-255: what Haswell and later parts have at shared function 12 is named as not there. */
static void
haswell_messages(void **state)
{
   proves("DP-255");
   struct fx *f = *state;
   for (unsigned type = 0; type < 16; type++) {
      fx_clear_payload(f);
      fx_fill_response(f, 1, 3);
      fx_send(f, SFID_DP_DATA1, type << 14, true, 3, 1);
      assert_rule(f, "DP-255");
      assert_int_equal(fx_out(f, 0)[0], 0);
   }
}

/* DP-039 DP-041 DP-043 DP-046 DP-029 DP-031 DP-032 DP-034 DP-035 DP-036 DP-037: a header where it
 * must be. */
static void
mandatory_headers(void **state)
{
   proves("DP-039", "DP-041", "DP-043", "DP-029", "DP-031", "DP-032", "DP-034", "DP-035", "DP-036",
          "DP-037");
   struct fx *f = *state;
   static const struct {
      unsigned sfid, control;
      const char *rule;
   } need[] = {{SFID_DP_SAMPLER, 1u << 14, "DP-039"}, {SFID_DP_SAMPLER, 4u << 14, "DP-039"},
               {SFID_DP_RENDER, 4u << 14, "DP-031"},  {SFID_DP_RENDER, 10u << 14, "DP-032"},
               {SFID_DP_RENDER, 5u << 14, "DP-041"},  {SFID_DP_RENDER, 6u << 14, "DP-041"},
               {SFID_DP_RENDER, 7u << 14, "DP-041"},  {SFID_DP_RENDER, 13u << 14, "DP-041"},
               {SFID_DP_CONSTANT, 0, "DP-043"},       {SFID_DP_CONSTANT, 1u << 14, "DP-043"},
               {SFID_DP_DATA0, 0, "DP-046"},          {SFID_DP_DATA0, 1u << 14, "DP-046"},
               {SFID_DP_DATA0, 7u << 14, "DP-046"},   {SFID_DP_DATA0, 8u << 14, "DP-046"},
               {SFID_DP_DATA0, 1u << 18, "DP-046"}};
   fx_buffer(f, 0, 0, FX_DATA, 64, 16);
   for (unsigned i = 0; i < sizeof(need) / sizeof(need[0]); i++) {
      fx_clear_payload(f);
      fx_fill_response(f, 1, 3);
      fx_send(f, need[i].sfid, need[i].control, false, 1, 1);
      assert_rule(f, need[i].rule);
      assert_int_equal(fx_out(f, 0)[0], 0);
   }
   /* DP-050: these two may leave it out. */
   fx_send(f, SFID_DP_CONSTANT, 2u << 14, false, 1, 1);
   fx_send(f, SFID_DP_CONSTANT, 3u << 14 | 2u << 8, false, 1, 1);
   assert_silent(f);
}

/* DP-010 DP-011 DP-013: of all messages of all ports only the render target write may end a thread.
 */
static void
who_may_end_a_thread(void **state)
{
   proves("DP-010", "DP-011", "DP-013", "DP-051");
   struct fx *f = *state;
   static const unsigned ports[4] = {SFID_DP_SAMPLER, SFID_DP_RENDER, SFID_DP_CONSTANT,
                                     SFID_DP_DATA0};
   fx_buffer(f, 0, 0, FX_DATA, 64, 16);
   for (unsigned p = 0; p < 4; p++)
      for (unsigned type = 0; type < 17; type++) { /* 16: the scratch messages of the data cache */
         if (type == 16 && ports[p] != SFID_DP_DATA0)
            continue;
         fx_clear_payload(f);
         f->rule_count = 0;
         fx_send_full(f, ports[p], type == 16 ? 1u << 18 : type << 14, true, 2, 0, true);
         if (fx_said(f, "DP-051"))
            continue; /* no message at all */
         bool target = ports[p] == SFID_DP_RENDER && type == 12,
              block = ports[p] == SFID_DP_RENDER && type == 10;
         assert_int_equal(fx_said(f, "DP-010"), !target && !block);
         assert_int_equal(fx_said(f, "DP-013"), block);
      }
}

/* DP-038 DP-040 DP-042: bit 18 is the data cache's alone. */
static void
category_bit(void **state)
{
   proves("DP-038", "DP-040", "DP-042");
   struct fx *f = *state;
   fx_buffer(f, 0, 0, FX_DATA, 64, 16);
   fx_pattern(f, FX_DATA, 256);
   fx_clear_payload(f);
   fx_in(f, 0)[2] = 16;
   fx_send(f, SFID_DP_SAMPLER, 1u << 18 | 1u << 14 | 2u << 8, true, 1, 1);
   assert_int_equal(fx_out(f, 0)[0], 0xA0000010u);
   fx_in(f, 0)[2] = 2;
   fx_send(f, SFID_DP_CONSTANT, 1u << 18 | 2u << 8, true, 1, 1);
   assert_int_equal(fx_out(f, 0)[0], 0xA0000020u);
   fx_send(f, SFID_DP_RENDER, 1u << 18 | 7u << 14, true, 1, 0);
   assert_silent(f);
}

/* DP-428: end of thread; types that are gone (DP-014) do not even get that far. */
static void
end_of_thread(void **state)
{
   proves("DP-428", "DP-014", "DP-010", "DP-013", "DP-051");
   struct fx *f = *state;
   fx_buffer(f, 0, 0, FX_DATA, 64, 16);
   fx_clear_payload(f);
   fx_send_full(f, SFID_DP_DATA0, 8u << 14 | 2u << 8, true, 2, 0, true);
   assert_rule(f, "DP-010");
   fx_send_full(f, SFID_DP_DATA0, 0u << 14 | 2u << 8, true, 1, 1, true);
   assert_rule(f, "DP-428");
   struct hw_render_surface_state st = {.surface_type = SURFTYPE_2D,
                                        .surface_format = 0xd7,
                                        .width = 63,
                                        .height = 63,
                                        .surface_pitch = 255,
                                        .surface_base_address = FX_DATA};
   fx_surface(f, 1, &st);
   fx_in(f, 0)[2] = 31;
   fx_send_full(f, SFID_DP_RENDER, 10u << 14 | 1, true, 2, 0, true);
   assert_rule(f, "DP-013");
   fx_send_full(f, SFID_DP_RENDER, 1u << 14 | 1, true, 2, 0, true);
   assert_rule(f, "DP-051");
   fx_send(f, SFID_DP_DATA0, 8u << 14 | 2u << 8, true, 2, 0);
   assert_silent(f);
}

/* DP-426: no message has no register; DP-427: exactly the registers of the response length come
 * back. */
static void
message_lengths(void **state)
{
   proves("DP-426", "DP-427", "DP-078");
   struct fx *f = *state;
   fx_buffer(f, 0, 0, FX_DATA, 64, 16);
   fx_pattern(f, FX_DATA, 256);
   fx_send(f, SFID_DP_DATA0, 2u << 14, false, 0, 1);
   assert_rule(f, "DP-426");
   fx_clear_payload(f);
   fx_fill_response(f, 5, 3);
   fx_send(f, SFID_DP_DATA0, 4u << 8, true, 1, 2); /* eight OWords, two registers asked for */
   assert_rule(f, "DP-427");
   for (unsigned i = 0; i < 40; i++)
      assert_int_equal(fx_out(f, 0)[i], i < 16 ? 0xA0000000u + 4 * i : 3);
   fx_send(f, SFID_DP_DATA0, 8u << 14 | 4u << 8, true, 2, 0); /* three data registers too few */
   assert_rule(f, "DP-078");
   for (unsigned i = 0; i < 32; i++)
      assert_int_equal(fx_dw(f, FX_DATA)[i], 0);
   assert_int_equal(fx_dw(f, FX_DATA)[32], 0xA0000080u);
}

/* DP-003 DP-004: entry n at byte 4n; low bits must be zero; what points nowhere is named and reads
 * as zeros. */
static void
binding_tables(void **state)
{
   proves("DP-003", "DP-004", "DP-047", "SMP-109", "SMP-111", "SMP-321", "SMP-349");
   struct fx *f = *state;
   for (unsigned bti = 0; bti < 254; bti += 23) {
      fx_buffer(f, bti, 0, FX_DATA + 0x1000 * bti, 64, 16);
      *fx_dw(f, FX_DATA + 0x1000 * bti) = 500 + bti;
   }
   for (unsigned bti = 0; bti < 254; bti += 23) {
      fx_clear_payload(f);
      fx_send(f, SFID_DP_DATA0, 2u << 8 | bti, true, 1, 1);
      assert_int_equal(fx_out(f, 0)[0], 500 + bti);
   }
   /* DP-047: on the other ports 254 is an index like any other. */
   fx_buffer(f, 254, 0, FX_DATA + 0x3000, 64, 16);
   *fx_dw(f, FX_DATA + 0x3000) = 777;
   fx_clear_payload(f);
   fx_send(f, SFID_DP_CONSTANT, 2u << 8 | 254, true, 1, 1);
   assert_int_equal(fx_out(f, 0)[0], 777);
   assert_silent(f);
   *fx_dw(f, FX_STATE + FX_TABLE) |= 5;
   fx_send(f, SFID_DP_DATA0, 2u << 8, true, 1, 1);
   assert_rule(f, "DP-003");
   assert_int_equal(fx_out(f, 0)[0], 500);
   *fx_dw(f, FX_STATE + FX_TABLE) = 0x7f000000;
   fx_fill_response(f, 1, 3);
   fx_send(f, SFID_DP_DATA0, 2u << 8, true, 1, 1);
   assert_rule(f, "DP-004");
   assert_int_equal(fx_out(f, 0)[0], 0);
   f->t.binding_table = 0x7f000000;
   fx_send(f, SFID_DP_DATA0, 2u << 8, true, 1, 1);
   assert_rule(f, "DP-003");
}

/* DP-050: 255 on the constant cache is done with a header, and warned about. */
static void
stateless_elsewhere(void **state)
{
   proves("DP-050");
   struct fx *f = *state;
   fx_pattern(f, FX_GENERAL, 64);
   fx_clear_payload(f);
   fx_send(f, SFID_DP_CONSTANT, 2u << 8 | 255, true, 1, 1);
   assert_rule(f, "DP-050");
   assert_int_equal(fx_out(f, 0)[3], 0xA000000cu);
}

/* DP-029 DP-037 DP-309 DP-311 DP-313 DP-314 DP-315: one ignored register in; one out with commit,
 * its content untouched. */
static void
fences(void **state)
{
   proves("DP-029", "DP-037", "DP-309", "DP-311", "DP-313", "DP-314", "DP-315");
   struct fx *f = *state;
   for (unsigned port = 0; port < 2; port++) {
      unsigned sfid = port ? SFID_DP_RENDER : SFID_DP_DATA0;
      memset(fx_in(f, 0), 0xff, 32);
      fx_fill_response(f, 1, 0x77);
      fx_send(f, sfid, 7u << 14 | 1u << 13 | 0x5a, true, 1, 1);
      for (unsigned i = 0; i < 8; i++)
         assert_int_equal(fx_out(f, 0)[i], 0x77);
      fx_send(f, sfid, 7u << 14, true, 1, 0);
      assert_silent(f);
      fx_send(f, sfid, 7u << 14, true, 1, 1);
      assert_rule(f, "DP-314");
      fx_send(f, sfid, 7u << 14 | 1u << 13, true, 1, 0);
      assert_rule(f, "DP-314");
      fx_send(f, sfid, 7u << 14, true, 2, 0);
      assert_rule(f, "DP-313");
      fx_send(f, sfid, 7u << 14 | 1u << 9, true, 1, 0);
      assert_rule(f, "DP-315");
   }
}

static void
write_data_cache(struct fx *f)
{
   fx_clear_payload(f);
   fx_send(f, SFID_DP_DATA0, 8u << 14 | 2u << 8, true, 2, 0);
}

static void
read_constant_cache(struct fx *f)
{
   fx_clear_payload(f);
   fx_send(f, SFID_DP_CONSTANT, 2u << 8, true, 1, 1);
}

/* DP-310: written through one cache, read through another: safe only after the writer was written
 * back and the reader invalidated. The checker is off unless asked for. */
static void
hazards(void **state)
{
   proves("DP-310");
   struct fx *f = *state;
   fx_buffer(f, 0, 0, FX_DATA, 64, 16);
   write_data_cache(f);
   read_constant_cache(f);
   assert_silent(f);
   assert_int_equal(pergola_check_hazards(f->dev, true), 0);
   write_data_cache(f);
   read_constant_cache(f);
   assert_rule(f, "DP-310");
   hazard_flush(f->dev->surfaces, 1u << HAZARD_DATA, 0);
   read_constant_cache(f);
   assert_rule(f, "DP-310"); /* the reader may still hold old bytes */
   hazard_flush(f->dev->surfaces, 0, 1u << HAZARD_CONSTANT);
   read_constant_cache(f);
   assert_silent(f);
   write_data_cache(f);
   fx_clear_payload(f);
   fx_send(f, SFID_DP_DATA0, 2u << 8, true, 1, 1); /* the same cache is always in order */
   assert_silent(f);
   fx_send(f, SFID_DP_DATA0, 7u << 14, true, 1, 0); /* the fence of the data port writes it back */
   hazard_flush(f->dev->surfaces, 0, 1u << HAZARD_CONSTANT);
   read_constant_cache(f);
   assert_silent(f);
   assert_int_equal(hazard_enable(f->dev->surfaces, false), 0);
}

/* DP-310: each flush counts for its own cache, in its order, and for what was written before it. */
static void
hazard_order(void **state)
{
   proves("DP-310");
   struct fx *f = *state;
   const unsigned data = 1u << HAZARD_DATA, constant = 1u << HAZARD_CONSTANT,
                  others = 1u << HAZARD_RENDER | 1u << HAZARD_SAMPLER;
   struct surface_cache *cache = f->dev->surfaces;
   fx_buffer(f, 0, 0, FX_DATA, 64, 16);
   assert_int_equal(hazard_enable(cache, true), 0);
   static const struct {
      unsigned back1, inv1, back2, inv2;
      bool safe;
   } table[] = {{1, 0, 0, 1, true},
                {0, 1, 1, 0, false} /* the reader first: it may have fetched old bytes again */,
                {1, 1, 0, 0, true},
                {1, 1, 1, 0, true},
                {1, 0, 0, 0, false},
                {0, 1, 0, 0, false},
                {2, 1, 0, 0, false},
                {1, 2, 0, 0, false}};
   for (unsigned t = 0; t < sizeof(table) / sizeof(table[0]); t++) {
      write_data_cache(f); /* again: an older flush does not help */
      unsigned back[2] = {table[t].back1, table[t].back2}, inv[2] = {table[t].inv1, table[t].inv2};
      for (unsigned i = 0; i < 2; i++)
         hazard_flush(cache,
                      back[i] == 1   ? data
                      : back[i] == 2 ? others
                                     : 0,
                      inv[i] == 1   ? constant
                      : inv[i] == 2 ? others
                                    : 0);
      read_constant_cache(f);
      assert_int_equal(fx_said(f, "DP-310"), !table[t].safe);
      f->rule_count = 0;
   }
}

/* DP-312: after a barrier shared local memory needs no fence: it is not in the checker's caches at
 * all. */
static void
slm_needs_no_fence(void **state)
{
   proves("DP-312");
   struct fx *f = *state;
   hazard_enable(f->dev->surfaces, true);
   fx_clear_payload(f);
   f->exec_mask = 0xff;
   for (unsigned i = 0; i < 8; i++)
      fx_in(f, 0)[i] = 4 * i, fx_in(f, 1)[i] = 40 + i;
   fx_send(f, SFID_DP_DATA0, 13u << 14 | 2u << 12 | 14u << 8 | 254, false, 2, 0);
   fx_send(f, SFID_DP_DATA0, 5u << 14 | 2u << 12 | 14u << 8 | 254, false, 1, 1);
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(fx_out(f, 0)[i], 40 + i);
   assert_silent(f);
}

/* A thread on the other half slice. */
static void
move_to(struct fx *f, unsigned half_slice)
{
   f->t.half_slice = (uint8_t)half_slice;
   f->t.id++;
}

/* Reads see what writes before them wrote: of one thread in their order, of all threads through the
 * data cache, a commit or not. */
static void
writes_are_seen(void **state)
{
   proves("SMP-318", "SMP-328", "SMP-332", "SMP-333");
   struct fx *f = *state;
   fx_buffer(f, 0, 0, FX_DATA, 64, 16);
   for (unsigned round = 0; round < 8; round++) {
      bool commit = round & 1;
      fx_clear_payload(f);
      for (unsigned k = 0; k < 3; k++) { /* the last write is what is left */
         fx_in(f, 1)[0] = 100 * round + k;
         fx_fill_response(f, 1, 0x77);
         fx_send(f, SFID_DP_DATA0, 8u << 14 | 2u << 8, true, 2, commit);
         assert_int_equal(fx_out(f, 0)[0], 0x77); /* a commit has no contents */
         fx_send(f, SFID_DP_DATA0, 2u << 8, true, 1, 1);
         assert_int_equal(fx_out(f, 0)[0], 100 * round + k);
      }
      move_to(f, round >> 1 & 1);
      fx_fill_response(f, 1, 0x77);
      fx_send(f, SFID_DP_DATA0, 2u << 8, true, 1, 1);
      assert_int_equal(fx_out(f, 0)[0], 100 * round + 2);
   }
   assert_silent(f);
   /* SMP-333: blocks and scattered dwords are of buffers alone. */
   struct hw_render_surface_state st = {.surface_type = SURFTYPE_2D,
                                        .surface_format = 0xd7,
                                        .width = 15,
                                        .height = 15,
                                        .surface_pitch = 63,
                                        .surface_base_address = FX_DATA};
   fx_surface(f, 1, &st);
   fx_clear_payload(f);
   static const struct {
      uint32_t control;
      bool header;
      unsigned mlen;
      const char *rule;
   } sent[] = {{0u << 14 | 2u << 8, true, 1, "DP-062"},
               {1u << 14 | 2u << 8, true, 1, "DP-081"},
               {2u << 14, false, 1, "DP-090"},
               {3u << 14 | 2u << 8, false, 1, "DP-162"}};
   for (unsigned i = 0; i < 4; i++) {
      fx_send(f, SFID_DP_DATA0, sent[i].control | 1, sent[i].header, sent[i].mlen, 1);
      assert_rule(f, sent[i].rule);
      assert_int_equal(fx_out(f, 0)[0], 0);
   }
}

/* The sampler cache is read only, in any tiling; the sampling engine and the data port read the
 * same bytes through it, one after the other. */
static void
sampler_cache(void **state)
{
   proves("SMP-320");
   struct fx *f = *state;
   struct hw_render_surface_state st = {.surface_type = SURFTYPE_2D,
                                        .surface_format = 0x140, /* R8_UNORM */
                                        .width = 127,
                                        .height = 31,
                                        .surface_base_address = FX_DATA};
   for (unsigned tiling = 0; tiling < 3; tiling++) {
      st.tiled_surface = tiling > 0;
      st.tile_walk = tiling == 2;
      st.surface_pitch = tiling == 1 ? 511 : 127;
      fx_surface(f, 0, &st);
      for (unsigned i = 0; i < 0x4000; i++)
         *fx_at(f, FX_DATA + i) = (uint8_t)(i * 7 + (i >> 8));
      for (unsigned round = 0; round < 4; round++) {
         fx_clear_payload(f);
         fx_in(f, 0)[0] = 32 * round;
         fx_in(f, 0)[1] = 8 * round;
         fx_in(f, 0)[2] = 31; /* 32 bytes of one row */
         fx_send(f, SFID_DP_SAMPLER, 4u << 14, true, 1, 1);
         uint32_t row[8];
         memcpy(row, fx_out(f, 0), 32);
         for (unsigned i = 0; i < 8; i++) {
            fx_in(f, 0)[i] = 32 * round + i;
            fx_in(f, 1)[i] = 0;
            fx_in(f, 2)[i] = 8 * round;
         }
         struct sf_message m = {.sfid = SFID_SAMPLER,
                                .mlen = 3,
                                .rlen = 4,
                                .exec_size = 8,
                                .exec_mask = 0xff,
                                .payload = f->t.grf + FX_PAYLOAD * EU_REG_SIZE,
                                .response = f->t.grf + FX_RESPONSE * EU_REG_SIZE,
                                .desc = 7u << 12 | 1u << 17 | 4u << 20 | 3u << 25};
         assert_int_equal(sf_sampler(&f->t, &m), SF_OK);
         for (unsigned i = 0; i < 8; i++) {
            float v;
            memcpy(&v, &fx_out(f, 0)[i], 4);
            assert_int_equal((unsigned)(v * 255 + 0.5f), row[i / 4] >> 8 * (i % 4) & 255);
         }
      }
   }
   assert_silent(f);
   fx_pattern(f, FX_DATA, 64);
   fx_clear_payload(f);
   fx_send(f, SFID_DP_SAMPLER, 10u << 14, true, 2, 0); /* there is no write on this port */
   assert_rule(f, "DP-051");
   assert_int_equal(*fx_dw(f, FX_DATA), 0xA0000000u);
}

/* A fence of the render cache writes back: what was written before it is safe to read through any
 * cache that is invalidated after it. */
static void
render_fence(void **state)
{
   proves("SMP-329");
   struct fx *f = *state;
   struct surface_cache *cache = f->dev->surfaces;
   struct hw_render_surface_state st = {.surface_type = SURFTYPE_2D,
                                        .surface_format = 0xd7,
                                        .width = 15,
                                        .height = 15,
                                        .surface_pitch = 63,
                                        .surface_base_address = FX_DATA};
   fx_surface(f, 1, &st);
   fx_buffer(f, 0, 0, FX_DATA, 64, 16);
   assert_int_equal(hazard_enable(cache, true), 0);
   for (unsigned fence = 0; fence < 2; fence++) {
      fx_clear_payload(f);
      fx_in(f, 0)[2] = 31;
      fx_in(f, 1)[0] = 50 + fence;
      fx_send(f, SFID_DP_RENDER, 10u << 14 | 1, true, 2, 0); /* media block write */
      if (fence)
         fx_send(f, SFID_DP_RENDER, 7u << 14 | 1u << 13, true, 1, 1);
      hazard_flush(cache, 0, 1u << HAZARD_CONSTANT);
      fx_clear_payload(f);
      fx_send(f, SFID_DP_CONSTANT, 2u << 8, true, 1, 1);
      assert_int_equal(fx_out(f, 0)[0], 50 + fence);
      assert_int_equal(fx_said(f, "DP-310"), !fence);
      f->rule_count = 0;
   }
   assert_int_equal(hazard_enable(cache, false), 0);
}

/* DP-424 DP-430: memory object control changes nothing that a message sees. */
static void
memory_object_control(void **state)
{
   proves("DP-424", "DP-430");
   struct fx *f = *state;
   fx_pattern(f, FX_DATA, 64);
   for (unsigned mocs = 0; mocs < 16; mocs++) {
      struct hw_render_surface_state st = fx_buffer_state(SURFTYPE_BUFFER, 0, FX_DATA, 64, 16);
      st.memory_object_control_state = mocs;
      fx_surface(f, 0, &st);
      fx_clear_payload(f);
      fx_send(f, SFID_DP_DATA0, 2u << 8, true, 1, 1);
      assert_int_equal(fx_out(f, 0)[7], 0xA000001cu);
   }
   assert_silent(f);
}

/* DP-473: nothing past the last byte of a surface is touched: surfaces that end where memory ends
 * do not fault, odd heights and fields included. */
static void
no_access_to_padding(void **state)
{
   proves("DP-473");
   struct fx *f = *state;
   uint32_t end = FX_FIRST + FX_MEMORY;
   for (unsigned field = 0; field < 2; field++) {
      unsigned rows = field ? 14 : 7;
      struct hw_render_surface_state st = {.surface_type = SURFTYPE_2D,
                                           .surface_format = 0xc7,
                                           .width = 15,
                                           .height = 6,
                                           .surface_pitch = 63,
                                           .vertical_line_stride = field,
                                           .surface_base_address = end - rows * 64};
      fx_surface(f, 0, &st);
      fx_clear_payload(f);
      fx_in(f, 0)[0] = 32;
      fx_in(f, 0)[2] = 7u << 16 | 31;
      fx_send(f, SFID_DP_RENDER, 4u << 14, true, 1, 8);
      fx_send(f, SFID_DP_RENDER, 10u << 14, true, 9, 0);
      assert_silent(f);
   }
   fx_raw(f, 0, end - 64, 64);
   f->exec_mask = 0xff;
   for (unsigned i = 0; i < 8; i++)
      fx_in(f, 0)[i] = 60;
   fx_send(f, SFID_DP_DATA0, 5u << 14 | 2u << 12, false, 1, 4);
   assert_silent(f);
}

static void
count_memory(void *data, const struct pergola_event *e)
{
   uint64_t *seen = data;
   seen[e->flags & 1] += e->b;
}

/* Observers of memory see every byte that a message moves. */
static void
memory_events(void **state)
{
   struct fx *f = *state;
   uint64_t seen[2] = {0};
   pergola_add_observer(f->dev, 1u << PERGOLA_EVENT_MEMORY, count_memory, seen);
   fx_buffer(f, 0, 0, FX_DATA, 64, 16);
   fx_clear_payload(f);
   fx_send(f, SFID_DP_DATA0, 4u << 8, true, 1, 4);
   seen[0] = 0; /* the surface state has been seen too */
   fx_send(f, SFID_DP_DATA0, 4u << 8, true, 1, 4);
   assert_int_equal(seen[0], 128);
   fx_send(f, SFID_DP_DATA0, 8u << 14 | 4u << 8, true, 5, 0);
   assert_int_equal(seen[1], 128);
}

/* Bases past the end of memory, every message kind, every surface type: named, zeros, nothing
 * touched. */
static void
hostile_surfaces(void **state)
{
   struct fx *f = *state;
   uint32_t seed = 77;
   static const uint32_t bases[] = {
       0x7fffff00, 0x80000000, 0xfffff000, 0xffffffe0, FX_FIRST + FX_MEMORY - 64, 4};
   static const unsigned sfids[] = {SFID_DP_SAMPLER, SFID_DP_RENDER, SFID_DP_CONSTANT,
                                    SFID_DP_DATA0};
   uint8_t *before = malloc(FX_MEMORY);
   for (unsigned run = 0; run < 4000; run++) {
      uint32_t dw[8];
      for (unsigned i = 0; i < 8; i++) {
         seed = seed * 1664525u + 1013904223u;
         dw[i] = seed ^ seed >> 13;
      }
      dw[1] = bases[run % 6];
      fx_surface_dw(f, 0, dw);
      for (unsigned i = 0; i < 128; i++) {
         seed = seed * 1664525u + 1013904223u;
         fx_in(f, 0)[i] = run & 1 ? seed : seed >> 20;
      }
      seed = seed * 1664525u + 1013904223u;
      unsigned mlen = 1 + (seed >> 8) % 15, rlen = (seed >> 16) % 17;
      f->exec_mask = seed >> 9 & 0xffff;
      if (run % 500 == 0)
         memcpy(before, f->host, FX_MEMORY);
      if (FX_RESPONSE + rlen > 128)
         rlen = 16;
      assert_int_equal(
          fx_send_full(f, sfids[run % 4], (seed >> 3 & 0x7ff00), run & 8, mlen, rlen, false),
          SF_OK);
      if (run % 500 == 0 && run % 6 != 4)
         assert_memory_equal(before, f->host, FX_MEMORY);
   }
   free(before);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       FX_TEST(message_types),        FX_TEST(haswell_messages), FX_TEST(mandatory_headers),
       FX_TEST(end_of_thread),        FX_TEST(message_lengths),  FX_TEST(binding_tables),
       FX_TEST(stateless_elsewhere),  FX_TEST(fences),           FX_TEST(who_may_end_a_thread),
       FX_TEST(category_bit),         FX_TEST(hazards),          FX_TEST(hazard_order),
       FX_TEST(slm_needs_no_fence),   FX_TEST(memory_events),    FX_TEST(writes_are_seen),
       FX_TEST(sampler_cache),        FX_TEST(render_fence),     FX_TEST(memory_object_control),
       FX_TEST(no_access_to_padding), FX_TEST(hostile_surfaces),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
