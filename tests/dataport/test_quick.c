/* The fast path against the slow one: two devices in the same state get the same messages, random
 * ones, and afterwards are in the same state and have said the same. */
#include "twins.h"
#include "tests/proves.h"

enum { READ = 5, ATOMIC = 6, FENCE = 7, WRITE = 13 };
enum { SPAN = 0x6000 }; /* of the data that is looked at */

/* Buffers as they are met: plain, across pages with an end inside a slot, tiny, structured, null,
 * not raw, not mapped. */
static void
make_surfaces(struct fx *f)
{
   fx_raw(f, 0, FX_DATA, 0x4000);
   fx_raw(f, 1, FX_DATA + 0x7f4, 0x2a04);
   fx_raw(f, 2, FX_DATA + 0x3000, 12);
   struct hw_render_surface_state st = fx_buffer_state(SURFTYPE_STRBUF, 0x1ff, FX_DATA, 64, 16);
   fx_surface(f, 3, &st);
   fx_surface(f, 4, &(struct hw_render_surface_state){.surface_type = SURFTYPE_NULL});
   fx_buffer(f, 5, 0xd7, FX_DATA, 0x400, 4);
   fx_raw(f, 6, FX_FIRST + FX_MEMORY - 0x1000, 0x2000);
}

static void
fill(struct fx *f, uint64_t seed)
{
   for (unsigned i = 0; i < SPAN / 4; i++)
      fx_dw(f, FX_DATA)[i] = next(&seed) * 3;
   for (unsigned i = 0; i < sizeof(f->slm); i++)
      f->slm[i] = (uint8_t)next(&seed);
   for (unsigned i = 0; i < sizeof(f->t.grf); i++)
      f->t.grf[i] = (uint8_t)next(&seed);
   memset(f->t.initialised, 0, sizeof(f->t.initialised));
}

/* In a row, all the same, a few places, anywhere; now and then past the end, not aligned, or
 * nonsense. */
static void
make_addresses(uint32_t u[16], uint64_t *seed, unsigned count, uint32_t size)
{
   uint32_t first = one_of(seed, size / 4) * 4, kind = one_of(seed, 8);
   for (unsigned i = 0; i < 16; i++)
      u[i] = kind < 3    ? first + 4 * count * i
             : kind == 3 ? first
             : kind == 4 ? one_of(seed, 8) * 4 * count
             : kind == 5 ? first + 64 * i
                         : one_of(seed, size / 4) * 4;
   if (!one_of(seed, 6))
      u[one_of(seed, 16)] = one_of(seed, 2) ? size - 4 : next(seed) * 2 & ~3u;
   if (!one_of(seed, 12))
      u[one_of(seed, 16)] |= 1 + one_of(seed, 3);
}

/* A message: control bits, lengths, header. */
struct sent {
   uint32_t control, mask;
   unsigned mlen, rlen;
   bool header;
};

static struct sent
make_message(uint64_t *seed)
{
   static const uint8_t sources[16] = {4, 1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 1, 1, 1, 2, 0};
   bool slm = one_of(seed, 3) == 0, simd16 = one_of(seed, 3) != 0;
   unsigned regs = simd16 ? 2 : 1, bti = slm               ? 254
                                         : one_of(seed, 4) ? one_of(seed, 2)
                                                           : one_of(seed, 8);
   unsigned kind = one_of(seed, 12);
   struct sent s = {.header = one_of(seed, 4) == 0, .mask = make_mask(seed)};
   if (kind == 0) {
      s.header = true;
      s.rlen = one_of(seed, 2);
      s.control = (uint32_t)FENCE << 14 | s.rlen << 13;
      s.mlen = 1;
      return s;
   }
   if (kind < 5) {
      unsigned op = one_of(seed, 16), returns = one_of(seed, 2);
      s.control = (uint32_t)ATOMIC << 14 | returns << 13 | (uint32_t)!simd16 << 12 | op << 8 | bti;
      s.mlen = s.header + regs * (1u + sources[op]);
      s.rlen = returns * regs * (op ? 1 : 2);
   } else {
      static const uint8_t channels[8] = {14, 14, 14, 0, 0, 12, 8, 10};
      bool write = kind >= 9;
      unsigned without = channels[one_of(seed, write ? 7 : 8)],
               count = without == 10 ? 2 : __builtin_popcount(15 & ~without);
      s.control =
          (uint32_t)(write ? WRITE : READ) << 14 | (simd16 ? 1u : 2u) << 12 | without << 8 | bti;
      s.mlen = s.header + regs + (write ? regs * count : 0);
      s.rlen = write ? 0 : regs * count;
   }
   if (!one_of(seed, 40)) /* a length that is not its own */
      s.mlen += 1;
   return s;
}

static void
send(struct fx *f, const struct sent *s, const uint32_t u[16], uint32_t header_mask)
{
   memcpy(fx_in(f, s->header), u, 64);
   if (s->header)
      fx_in(f, 0)[7] = header_mask;
   f->exec_mask = s->mask;
   f->rule_count = 0;
   fx_send(f, SFID_DP_DATA0, s->control, s->header, s->mlen, s->rlen);
}

static void
assert_same_memory(struct fx *a, struct fx *b)
{
   assert_memory_equal(a->slm, b->slm, sizeof(a->slm));
   assert_memory_equal(fx_at(a, FX_DATA), fx_at(b, FX_DATA), SPAN);
   assert_memory_equal(fx_at(a, FX_FIRST + FX_MEMORY - 0x1000),
                       fx_at(b, FX_FIRST + FX_MEMORY - 0x1000), 0x1000);
}

static void
compare(enum pergola_check check, bool remembered)
{
   void *state[2];
   struct sf_buffers *buffers = calloc(1, sizeof(*buffers));
   uint64_t seed = 20261115;
   unsigned rounds = 24000, eligible = 0;
   for (unsigned i = 0; i < 2; i++)
      assert_int_equal(fx_setup_checked(&state[i], NULL, check), 0);
   struct fx *quick = state[0], *slow = state[1];
   for (unsigned i = 0; i < 2; i++) {
      make_surfaces(state[i]);
      fill(state[i], 7);
   }
   slow->slow_path = true;
   quick->t.buffers = remembered ? buffers : NULL;
   for (unsigned round = 0; round < rounds; round++) {
      uint32_t u[16];
      struct sent s = make_message(&seed);
      unsigned bti = s.control & 0xff;
      if (round % 512 == 0) { /* surfaces change: what is remembered must go */
         uint32_t base = FX_DATA + one_of(&seed, 64) * 4, size = 0x1000 + one_of(&seed, 0x800) * 4;
         fx_raw(quick, 0, base, size);
         fx_raw(slow, 0, base, size);
      }
      if (round % 700 == 0)
         quick->group.slm_size_B = slow->group.slm_size_B = 0x1000u << one_of(&seed, 5);
      make_addresses(u, &seed, one_of(&seed, 3) ? 1 : 4,
                     bti == 254 ? quick->group.slm_size_B
                     : bti == 1 ? 0x2a04
                                : 0x1000);
      uint32_t header_mask = make_mask(&seed), before = quick->quick;
      memset(quick->t.initialised, 0, sizeof(quick->t.initialised));
      send(quick, &s, u, header_mask);
      send(slow, &s, u, header_mask);
      assert_same_answer(quick, slow);
      if (round % 8 == 7)
         assert_same_memory(quick, slow);
      eligible += bti < 2 || bti == 254;
      if (quick->quick == before)
         continue;
      for (unsigned r = 0; r < EU_GRF_COUNT;
           r++) /* the registers of the response, and no others, are marked */
         assert_int_equal(quick->t.initialised[r / 64] >> r % 64 & 1,
                          r >= FX_RESPONSE && r < FX_RESPONSE + s.rlen);
   }
   assert_int_equal(slow->quick, 0);
   if (quick->quick < eligible / 2)
      fail_msg("only %u of %u messages took the fast path", quick->quick, eligible);
   for (unsigned i = 0; i < 2; i++)
      fx_teardown(&state[i]);
   free(buffers);
}

static void
with_rules(void **state)
{
   proves("DP-188", "DP-190", "DP-191", "DP-226", "DP-228", "DP-230", "DP-231", "DP-235");
   compare(PERGOLA_CHECK_REPORT, true);
}

static void
without_rules(void **state)
{
   compare(PERGOLA_CHECK_OFF, true);
}

static void
surfaces_looked_up(void **state)
{
   compare(PERGOLA_CHECK_OFF, false);
}

static void
note(void *data, const struct pergola_event *event)
{
   ++*(unsigned *)data;
}

/* Somebody who listens hears of every message and every access: none takes the fast path then. */
static void
observed(void **state)
{
   struct fx *f = *state;
   static const enum pergola_event_kind kinds[] = {PERGOLA_EVENT_MESSAGE, PERGOLA_EVENT_MEMORY};
   make_surfaces(f);
   for (unsigned i = 0; i < 16; i++)
      fx_in(f, 0)[i] = 4 * i;
   for (unsigned pass = 0; pass < 2; pass++) /* the first one finds surface and pages */
      fx_send(f, SFID_DP_DATA0, 5 << 14 | 1 << 12 | 14 << 8, false, 2, 2);
   assert_true(f->quick);
   for (unsigned i = 0; i < 2; i++) {
      unsigned heard = 0, before = f->quick;
      assert_int_equal(pergola_add_observer(f->dev, 1u << kinds[i], note, &heard), 0);
      fx_send(f, SFID_DP_DATA0, 5 << 14 | 1 << 12 | 14 << 8, false, 2, 2);
      assert_int_equal(f->quick, before);
      trace_remove(&f->dev->trace, note, &heard);
      fx_send(f, SFID_DP_DATA0, 5 << 14 | 1 << 12 | 14 << 8, false, 2, 2);
      assert_int_equal(f->quick, before + 1);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(with_rules),
       cmocka_unit_test(without_rules),
       cmocka_unit_test(surfaces_looked_up),
       FX_TEST(observed),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
