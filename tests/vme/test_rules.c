/* Every restriction: a request that keeps it is silent, one that breaks it is named, answered, and
 * does not hang. */
#include "tests/proves.h"
#include "tests/vme/stand.h"

static uint8_t pixels[128 * 96];
static const struct vme_picture picture = {128, 96, pixels};

struct bench {
   struct vme_request q;
   struct request_fields f;
   uint32_t out[10][8];
};

static void
plain(struct bench *b)
{
   picture_random(pixels, 128, 96, 5);
   request_plain(&b->q, &picture, &picture, 48, 32);
   request_get(&b->q, &b->f);
}

static void
dual(struct bench *b)
{
   plain(b);
   b->f.m0.searchctrl = 7;
   b->f.m0.refwidth = b->f.m0.refheight = 32;
   b->f.m0.ref0x = b->f.m0.ref1x = b->f.m0.ref0y = b->f.m0.ref1y = -8;
   b->f.m1.lensp = b->f.m1.maxnumsu = 16;
   request_serpentine(&b->q, 4, 4);
}

static void
send(struct vme_stand *s, struct bench *b)
{
   request_put(&b->q, &b->f);
   vme_model_run(s, &b->q, b->out);
}

#define KEEPS(s, b)                                                                                \
   do {                                                                                            \
      send(s, b);                                                                                  \
      assert_silent(s);                                                                            \
   } while (0)
#define BREAKS(s, b, rule)                                                                         \
   do {                                                                                            \
      send(s, b);                                                                                  \
      assert_rule(s, rule);                                                                        \
   } while (0)

static void
test_lengths(void **state)
{
   proves("VME-201", "VME-202", "VME-195", "VME-196", "VME-194", "VME-188");
   struct vme_stand *s = *state;
   struct bench b;
   plain(&b);
   KEEPS(s, &b);
   s->mlen = 4;
   BREAKS(s, &b, "VME-201");
   s->mlen = 7; /* two phases that nobody enabled */
   BREAKS(s, &b, "VME-201");
   b.q.descriptor |= VME_STREAM_IN;
   KEEPS(s, &b);
   s->mlen = 9;
   BREAKS(s, &b, "VME-201");
   s->mlen = 0;
   s->rlen = 5;
   BREAKS(s, &b, "VME-201");
   s->rlen = 0;
   b.q.descriptor |= VME_STREAM_OUT;
   KEEPS(s, &b);
   assert_int_equal(vme_model_run(s, &b.q, b.out), 8);
   dual(&b);
   b.q.descriptor |= VME_STREAM_IN | VME_STREAM_OUT;
   KEEPS(s, &b); /* 9 in, 10 out */
   assert_int_equal(vme_model_run(s, &b.q, b.out), 10);
   s->mlen = 7;
   BREAKS(s, &b, "VME-201");
   s->mlen = 0;
   plain(&b);
   s->no_header = true;
   BREAKS(s, &b, "VME-194");
   s->no_header = false;
   s->eot = true;
   BREAKS(s, &b, "VME-188");
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(b.out[0][i], 0);
   s->eot = false;
   b.q.descriptor |= 1u << 17;
   BREAKS(s, &b, "VME-194");
   b.q.descriptor = VME_DESCRIPTOR(VME_TYPE_INTRA);
   KEEPS(s, &b);
   b.q.descriptor |= VME_STREAM_OUT;
   BREAKS(s, &b, "VME-201");
}

static void
test_reserved_codes(void **state)
{
   proves("VME-230", "VME-049", "VME-223", "VME-213", "VME-214", "VME-236", "VME-197", "VME-128");
   struct vme_stand *s = *state;
   struct bench b;
   uint32_t as_zero[10][8];
   plain(&b);
   KEEPS(s, &b);
   memcpy(as_zero, b.out, sizeof(as_zero));
   static const uint8_t reserved[] = {2, 4, 5, 6};
   for (unsigned i = 0; i < 4; i++) {
      b.f.m0.searchctrl = reserved[i];
      BREAKS(s, &b, "VME-230");
      assert_memory_equal(b.out, as_zero, 6 * 32);
   }
   plain(&b);
   b.f.m0.srcsize = 2;
   BREAKS(s, &b, "VME-049");
   assert_memory_equal(b.out, as_zero, 6 * 32);
   plain(&b);
   b.f.m0.subpelmode = 2;
   BREAKS(s, &b, "VME-223");
   assert_memory_equal(b.out, as_zero, 6 * 32);
   plain(&b);
   for (unsigned code = 1; code < 4; code += 2) {
      plain(&b);
      b.f.m0.intersad = code;
      BREAKS(s, &b, "VME-214");
      assert_memory_equal(b.out, as_zero, 6 * 32);
      plain(&b);
      b.f.m0.intrasad = code;
      b.q.descriptor = VME_DESCRIPTOR(VME_TYPE_INTRA);
      BREAKS(s, &b, "VME-213");
   }
   plain(&b);
   b.f.m0.mbtyperemap = 3;
   BREAKS(s, &b, "VME-236");
   assert_memory_equal(b.out, as_zero, 6 * 32);
   plain(&b);
   b.q.descriptor = VME_DESCRIPTOR(0);
   BREAKS(s, &b, "VME-197");
   struct hw_vme_w0 w0;
   gen7_vme_w0_unpack(&w0, b.out[0]);
   assert_true(w0.intrambflag);
   assert_int_equal(w0.mbtype, 0x15);
   assert_int_equal(w0.minimal_distortion, 0x3fff);
   assert_int_equal(w0.bestintradistortion, 0x3fff);
   assert_int_equal(w0.interdistortion, 0x3fff);
}

static void
test_reserved_bits(void **state)
{
   proves("VME-203", "VME-209", "VME-215", "VME-247", "VME-106", "VME-314");
   struct vme_stand *s = *state;
   struct bench b;
   static const struct {
      uint8_t phase, dw, bit;
      const char *rule;
   } bits[] = {
       {0, 3, 31, "VME-209"}, {0, 3, 2, "VME-215"},  {0, 3, 3, "VME-215"}, {0, 3, 18, "VME-203"},
       {1, 1, 6, "VME-247"},  {1, 1, 23, "VME-247"}, {1, 6, 9, "VME-247"}, {1, 7, 22, "VME-247"},
       {1, 7, 3, "VME-106"},  {1, 7, 4, "VME-106"},
   };
   for (unsigned i = 0; i < sizeof(bits) / sizeof(bits[0]); i++) {
      plain(&b);
      request_put(&b.q, &b.f);
      b.q.in[bits[i].phase][bits[i].dw] |= 1u << bits[i].bit;
      vme_model_run(s, &b.q, b.out);
      assert_rule(s, bits[i].rule);
   }
   plain(&b);
   b.q.descriptor = VME_DESCRIPTOR(VME_TYPE_INTRA);
   b.q.in[4][6] = 1;
   BREAKS(s, &b, "VME-314");
   /* Reserved without a rule: ignored. */
   plain(&b);
   b.q.in[3][0] = 1u << 31 | 1u << 9;
   b.q.in[3][1] = 1u << 23;
   request_put(&b.q, &b.f);
   b.q.in[0][7] = b.q.in[0][6] = b.q.in[0][4] = ~0u;
   vme_model_run(s, &b.q, b.out);
   assert_silent(s);
}

static void
test_windows(void **state)
{
   proves("VME-204", "VME-205", "VME-045", "VME-206", "VME-242", "VME-243", "VME-245", "VME-178");
   struct vme_stand *s = *state;
   struct bench b;
   static const uint8_t bad[] = {0, 16, 18, 22, 68, 255};
   for (unsigned i = 0; i < sizeof(bad); i++) {
      plain(&b);
      b.f.m0.refwidth = bad[i];
      BREAKS(s, &b, "VME-205");
      plain(&b);
      b.f.m0.refheight = bad[i];
      BREAKS(s, &b, "VME-204");
   }
   plain(&b);
   b.f.m0.refwidth = 64;
   b.f.m0.refheight = 32;
   KEEPS(s, &b);
   b.f.m0.refheight = 36;
   BREAKS(s, &b, "VME-045");
   dual(&b);
   KEEPS(s, &b);
   b.f.m0.refwidth = 36;
   BREAKS(s, &b, "VME-045");
   plain(&b);
   b.f.m0.ref0x = 128 - 48 - 1; /* one column of the picture is left */
   KEEPS(s, &b);
   b.f.m0.ref0x = 128 - 48;
   BREAKS(s, &b, "VME-206");
   b.f.m0.ref0x = -48 - 48;
   BREAKS(s, &b, "VME-206");
   plain(&b);
   b.f.m0.ref0y = -32 - 40;
   BREAKS(s, &b, "VME-206");
   static const struct {
      int x, y;
      bool outside;
   } far[] = {{2047, 0, false}, {2048, 0, true}, {-2048, 0, false}, {-2049, 0, true},
              {0, 2047, false}, {0, 2048, true}, {0, -2048, false}, {0, -2049, true}};
   for (unsigned i = 0; i < sizeof(far) / sizeof(far[0]); i++) {
      b.f.m0.ref0x = far[i].x;
      b.f.m0.ref0y = far[i].y;
      send(s, &b);
      assert_int_equal(stand_said(s, "VME-178"), far[i].outside);
      s->rule_count = 0;
   }
   plain(&b);
   b.f.m0.ref0y = -11;
   BREAKS(s, &b, "VME-242");
   b.f.m0.srcy = 33; /* -11 + 33 is even */
   KEEPS(s, &b);
   plain(&b);
   b.f.m0.srcx = 112;
   b.f.m0.srcy = 80;
   KEEPS(s, &b);
   b.f.m0.srcx = 113;
   BREAKS(s, &b, "VME-243");
   plain(&b);
   b.f.m0.searchctrl = 3;
   BREAKS(s, &b, "VME-245");
   b.f.m0.ref1x = b.f.m0.ref0x;
   b.f.m0.ref1y = b.f.m0.ref0y;
   KEEPS(s, &b);
}

static void
test_paths(void **state)
{
   proves("VME-165", "VME-302", "VME-273", "VME-274", "VME-276", "VME-271", "VME-272", "VME-290");
   struct vme_stand *s = *state;
   struct bench b;
   plain(&b);
   memset(b.q.state, 0x01, 56);
   BREAKS(s, &b, "VME-165");
   b.q.state[55] = 0;
   KEEPS(s, &b);
   plain(&b);
   b.f.m1.lensp = 1;
   KEEPS(s, &b);
   b.f.m1.adaptiveen = true;
   BREAKS(s, &b, "VME-302");
   b.f.m1.lensp = 2;
   KEEPS(s, &b);
   b.f.m1.lensp = 0;
   BREAKS(s, &b, "VME-274");
   b.f.m1.lensp = 64;
   BREAKS(s, &b, "VME-274");
   plain(&b);
   b.f.m1.maxnumsu = 0;
   BREAKS(s, &b, "VME-273");
   b.f.m1.maxnumsu = 64;
   BREAKS(s, &b, "VME-273");
   plain(&b);
   b.f.m1.start0x = 8; /* 32 + 16 = 48 */
   KEEPS(s, &b);
   b.f.m1.start0x = 9;
   BREAKS(s, &b, "VME-272");
   dual(&b);
   b.f.m1.start1y = 5;
   BREAKS(s, &b, "VME-271");
   plain(&b);
   b.f.m1.earlysuccessen = b.f.m1.earlyimesuccessen = true;
   b.f.m1.earlyimestop = 0x11;
   KEEPS(s, &b);
   b.f.m0.submbpartmask = 1;
   BREAKS(s, &b, "VME-290");
}

static void
test_controls(void **state)
{
   proves("VME-278", "VME-283", "VME-285", "VME-286", "VME-010", "VME-299", "VME-262", "VME-263");
   struct vme_stand *s = *state;
   struct bench b;
   plain(&b);
   b.f.m1.fbprunen = true;
   BREAKS(s, &b, "VME-278");
   plain(&b);
   b.f.m1.unimixdisable = true;
   BREAKS(s, &b, "VME-283");
   dual(&b);
   b.f.m1.fbprunen = b.f.m1.unimixdisable = true;
   KEEPS(s, &b);
   static const uint8_t weights[] = {16, 21, 32, 43, 48};
   for (unsigned w = 0, k = 0; w < 64; w++) {
      dual(&b);
      b.f.m1.biweight = w;
      if (k < 5 && w == weights[k]) {
         k++;
         KEEPS(s, &b);
      } else {
         BREAKS(s, &b, "VME-286");
      }
   }
   static const uint8_t disabled[4] = {0x01, 0x06, 0x08, 0x70};
   for (unsigned i = 0; i < 4; i++) {
      dual(&b);
      b.f.m0.submbpartmask = disabled[i];
      BREAKS(s, &b, "VME-285");
      b.f.m1.bisubmbpartmask = 1u << i;
      KEEPS(s, &b);
   }
   plain(&b);
   b.f.m1.partcandidateen = true;
   KEEPS(s, &b);
   b.f.m0.srcsize = 1;
   BREAKS(s, &b, "VME-010");
   plain(&b);
   b.f.m1.costcenter0y = 2048;
   BREAKS(s, &b, "VME-263");
   dual(&b);
   b.f.m1.costcenter1x = -8193;
   BREAKS(s, &b, "VME-262");
}

static void
test_skip_rules(void **state)
{
   proves("VME-183", "VME-249", "VME-222", "VME-304", "VME-289", "VME-180");
   struct vme_stand *s = *state;
   struct bench b;
   plain(&b);
   b.f.m1.skipmodeen = true;
   b.f.m1.skipcentermask = 0x01;
   KEEPS(s, &b);
   b.f.m1.skipcentermask = 0xfc;
   BREAKS(s, &b, "VME-249");
   struct hw_vme_w0 w0;
   gen7_vme_w0_unpack(&w0, b.out[0]);
   assert_false(w0.skip_check_performed);
   b.f.m0.skiptype = 1;
   b.f.m1.skipcentermask = 0x59;
   KEEPS(s, &b);
   b.f.m1.skipcentermask = 0x4d;
   BREAKS(s, &b, "VME-249");
   b.f.m1.skipcentermask = 0xff;
   b.f.m1.maxnummvs = 8;
   KEEPS(s, &b);
   b.f.m1.maxnummvs = 7;
   BREAKS(s, &b, "VME-289");
   plain(&b);
   b.f.m0.srcsize = 1;
   KEEPS(s, &b);
   b.f.m0.skiptype = 1;
   BREAKS(s, &b, "VME-222");
   b.f.m0.skiptype = 0;
   b.f.m1.skipmodeen = true;
   BREAKS(s, &b, "VME-304");
   plain(&b);
   b.q.descriptor = VME_DESCRIPTOR(VME_TYPE_INTRA);
   b.f.m1.skipmodeen = true;
   BREAKS(s, &b, "VME-304");
   plain(&b);
   b.f.m1.skipmodeen = true;
   b.f.m1.skipcentermask = 1;
   b.q.in[2][0] = (uint16_t)-8193;
   BREAKS(s, &b, "VME-180");
   b.q.in[2][0] = (uint16_t)-8192 | 2047u << 16;
   KEEPS(s, &b);
}

static void
test_intra_rules(void **state)
{
   proves("VME-240", "VME-255", "VME-257", "VME-234");
   struct vme_stand *s = *state;
   struct bench b;
   plain(&b);
   b.q.descriptor = VME_DESCRIPTOR(VME_TYPE_BOTH);
   b.f.m1.mbintrastruct = 0x7c;
   KEEPS(s, &b);
   b.f.m1.mbintrastruct = 0x5c;
   BREAKS(s, &b, "VME-257");
   b.f.m1.mbintrastruct = 0xfc;
   BREAKS(s, &b, "VME-255");
   b.f.m1.mbintrastruct = 0;
   b.f.m0.srcsize = 3;
   BREAKS(s, &b, "VME-240");
   plain(&b);
   b.f.m0.srcaccess = 1;
   BREAKS(s, &b, "VME-234");
   b.f.m0.refaccess = 1;
   KEEPS(s, &b);
}

static void
test_state_rules(void **state)
{
   proves("VME-146");
   struct vme_stand *s = *state;
   struct bench b;
   static const uint8_t ten[] = {64, 69, 70, 71, 72, 79}, twelve[] = {65, 68, 56};
   for (unsigned i = 0; i < sizeof(ten); i++) {
      plain(&b);
      b.q.state[ten[i]] = 0x6f; /* 960 */
      KEEPS(s, &b);
      b.q.state[ten[i]] = 0x7f;
      BREAKS(s, &b, "VME-146");
   }
   for (unsigned i = 0; i < sizeof(twelve); i++) {
      plain(&b);
      b.q.state[twelve[i]] = 0x8f;
      KEEPS(s, &b);
      b.q.state[twelve[i]] = 0x9f;
      BREAKS(s, &b, "VME-146");
   }
}

static void
test_surfaces(void **state)
{
   proves("VME-138", "VME-139", "VME-142", "VME-190", "VME-395");
   struct vme_stand *s = *state;
   struct bench b;
   plain(&b);
   s->format = GEN7_MEDIA_SURFACE_FORMAT_PLANAR_420_8;
   KEEPS(s, &b);
   s->format = GEN7_MEDIA_SURFACE_FORMAT_R8G8B8A8_UNORM; /* not for VME, and too narrow a pitch */
   send(s, &b);
   assert_true(s->rule_count > 0);
   s->rule_count = 0;
   s->format = GEN7_MEDIA_SURFACE_FORMAT_Y8_UNORM;
   KEEPS(s, &b);
   uint32_t base = s->env.surface_state_base;
   s->env.surface_state_base = 0x70000000;
   request_put(&b.q, &b.f);
   vme_model_run(s, &b.q, b.out);
   assert_true(stand_said(s, "VME-138"));
   s->rule_count = 0;
   s->env.surface_state_base = base;
   s->env.dynamic_state_base = 0x70000000;
   vme_model_run(s, &b.q, b.out);
   assert_rule(s, "VME-142");
   s->env.dynamic_state_base = STAND_STATE;
   *(uint32_t *)(void *)(s->host + (STAND_SURFACES + 0x44 - STAND_FIRST)) = 0;
   KEEPS(s, &b);
}

/* A picture of one pixel, sources and windows far away: edges are repeated, nothing is read
 * outside. */
static void
test_tiny_and_far(void **state)
{
   proves("VME-192", "VME-193", "VME-244", "VME-246");
   struct vme_stand *s = *state;
   static const uint8_t one[] = {200};
   for (unsigned field = 0; field < 4; field++) { /* of the source, of the references */
      struct bench b;
      plain(&b);
      b.q.source = (struct vme_picture){1, 1, one};
      b.q.reference[0] = b.q.reference[1] = b.q.source;
      b.f.m0.srcaccess = field & 1;
      b.f.m0.refaccess = field >> 1;
      b.f.m0.srcx = b.f.m0.srcy = 65535;
      b.f.m0.ref0x = 32767;
      b.f.m0.ref0y = -32768;
      send(s, &b);
      struct hw_vme_w0 w0;
      gen7_vme_w0_unpack(&w0, b.out[0]);
      /* Flat pixels match anywhere; the vector is as far from its center as costs can tell. */
      assert_int_equal(w0.interdistortion, 2 * 0x3ff);
      assert_true(s->rule_count > 0);
   }
}

/* What does not change an answer: the execution mask, fetch and cache policies, the dispatch id,
 * what belongs to intra in an inter search. */
static void
test_no_effect(void **state)
{
   proves("VME-191", "VME-208", "VME-218", "VME-219", "VME-220", "VME-187", "VME-202");
   struct vme_stand *s = *state;
   struct bench b;
   uint32_t before[6][8];
   plain(&b);
   KEEPS(s, &b);
   memcpy(before, b.out, sizeof(before));
   assert_true(before[0][0] >> 31); /* an answer it is */
   s->exec_mask = 0;
   KEEPS(s, &b);
   assert_memory_equal(b.out, before, sizeof(before));
   s->exec_mask = 0xff;
   for (unsigned i = 0; i < 4; i++) {
      plain(&b);
      b.f.m0.disable_field_cache_allocation = i == 0;
      b.f.m0.disable_aligned_vme_reference_fetch = i == 1;
      b.f.m0.disable_aligned_vme_source_fetch = i == 2;
      b.f.m0.dispatch_id = i == 3 ? 0xa5 : 0;
      memset(b.q.in[3], (int)(i * 77), 64);
      KEEPS(s, &b);
      assert_memory_equal(b.out, before, sizeof(before));
   }
}

/* The descriptors that open clients send: lengths and types fit each other. */
static void
test_client_descriptors(void **state)
{
   proves("VME-404");
   struct vme_stand *s = *state;
   struct bench b;
   static const struct {
      uint32_t descriptor;
      unsigned mlen, rlen, type;
   } sent[] = {{0x0a184000, 5, 1, VME_TYPE_INTRA}, {0x0a686000, 5, 6, VME_TYPE_BOTH}};
   for (unsigned i = 0; i < 2; i++) {
      struct hw_vme_message_descriptor d;
      gen7_vme_message_descriptor_unpack(&d, &sent[i].descriptor);
      assert_int_equal(d.message_type, sent[i].type);
      assert_true(d.header_present);
      assert_int_equal(sent[i].descriptor >> 25 & 15, sent[i].mlen);
      assert_int_equal(sent[i].descriptor >> 20 & 31, sent[i].rlen);
      plain(&b);
      b.q.descriptor = sent[i].descriptor & 0xfffff;
      s->mlen = sent[i].mlen;
      s->rlen = sent[i].rlen;
      KEEPS(s, &b);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       STAND_TEST(test_lengths),
       STAND_TEST(test_reserved_codes),
       STAND_TEST(test_reserved_bits),
       STAND_TEST(test_windows),
       STAND_TEST(test_paths),
       STAND_TEST(test_controls),
       STAND_TEST(test_skip_rules),
       STAND_TEST(test_intra_rules),
       STAND_TEST(test_state_rules),
       STAND_TEST(test_surfaces),
       STAND_TEST(test_tiny_and_far),
       STAND_TEST(test_no_effect),
       STAND_TEST(test_client_descriptors),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
