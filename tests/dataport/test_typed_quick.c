/* The fast path of typed messages against the slow one: random images, random messages, then the
 * same registers, memory and broken rules. */
#include "eu/fpmode.h"
#include "twins.h"

#include "typed.h"

#include "tests/proves.h"

enum { IMAGES = 8, SPAN = 0x60000 };
#define LAST_PAGE (FX_FIRST + FX_MEMORY - 0x1000)

/* What drivers read and write most; then whatever may be written; now and then any code. */
static unsigned
make_format(uint64_t *seed)
{
   static const uint16_t common[] = {R32_UINT, R32_UINT, R32_SINT, R32_FLOAT,
                                     0x10d,    0x143,    0xc7,     R8G8B8A8_UINT};
   unsigned code = common[one_of(seed, 8)];
   if (one_of(seed, 2))
      return code;
   do
      code = one_of(seed, FORMAT_COUNT);
   while (one_of(seed, 8) && !(format_get(code)->capabilities & FORMAT_TYPED_WRITE));
   return code;
}

static struct hw_render_surface_state
make_buffer(uint64_t *seed)
{
   unsigned format = make_format(seed), bytes = format_get(format)->bits / 8u;
   unsigned pitch = one_of(seed, 4) ? bytes : one_of(seed, 40) + 1;
   return fx_buffer_state(one_of(seed, 8) ? SURFTYPE_BUFFER : SURFTYPE_STRBUF, format,
                          FX_DATA + one_of(seed, 8) * 16, 1 + one_of(seed, 600), pitch ? pitch : 1);
}

/* What seldom comes, and what breaks a rule. */
static void
make_odd(struct hw_render_surface_state *st, uint64_t *seed)
{
   switch (one_of(seed, 12)) {
   case 0:
      st->surface_base_address += 4 + one_of(seed, 16);
      break;
   case 1:
      st->surface_pitch = one_of(seed, 2048);
      break;
   case 2:
      st->vertical_line_stride = 1;
      break;
   case 3:
      st->number_of_multisamples = 2;
      break;
   case 4:
      st->render_target_rotation = 1;
      break;
   case 5:
      st->surface_base_address = 0x7ffff000u;
      break; /* reaches past 2 GiB */
   case 6:
      st->surface_base_address = LAST_PAGE;
      break; /* and what lies behind is not mapped */
   case 7:
      st->width = st->height = 16383;
      break; /* likewise */
   case 8:
      st->surface_type = one_of(seed, 8);
      break;
   case 9:
      st->depth = 2047;
      break;
   default:
      break;
   }
}

static struct hw_render_surface_state
make_image(uint64_t *seed)
{
   unsigned tiling = one_of(seed, 3), type = one_of(seed, 3) ? SURFTYPE_2D : one_of(seed, 3);
   if (!one_of(seed, 6))
      return make_buffer(seed);
   struct hw_render_surface_state st = image(type, make_format(seed), 1 + one_of(seed, 63),
                                             1 + one_of(seed, 39), 1 + one_of(seed, 3));
   st.surface_array = type != SURFTYPE_3D && one_of(seed, 2);
   st.tiled_surface = tiling != 0;
   st.tile_walk = tiling == 2;
   st.surface_array_spacing = one_of(seed, 2);
   st.surface_vertical_alignment = one_of(seed, 2);
   if (!one_of(seed, 4)) {
      st.mip_count_or_lod = one_of(seed, 3);
      st.surface_min_lod = one_of(seed, 3);
   }
   if (!one_of(seed, 4))
      st.minimum_array_element = one_of(seed, 3);
   if (tiling && !one_of(seed, 4)) {
      st.x_offset = one_of(seed, 4);
      st.y_offset = one_of(seed, 4);
   }
   if (!one_of(seed, 5))
      make_odd(&st, seed);
   return st;
}

/* Neighbours in a row, blocks of two by four, one place, anywhere; now and then outside. */
static void
make_places(uint32_t at[4][8], uint64_t *seed, const struct hw_render_surface_state *st)
{
   uint32_t kind = one_of(seed, 6), x = one_of(seed, st->width + 2),
            y = one_of(seed, st->height + 2);
   for (unsigned i = 0; i < 8; i++) {
      at[0][i] = kind < 2    ? x + i
                 : kind == 2 ? x + i / 4
                 : kind == 3 ? x
                             : one_of(seed, st->width + 1);
      at[1][i] = kind == 2 ? y + i % 4 : kind < 4 ? y : one_of(seed, st->height + 1);
      at[2][i] = one_of(seed, st->depth + (one_of(seed, 3) ? 1 : 2));
      at[3][i] = 0;
   }
   if (!one_of(seed, 6))
      at[one_of(seed, 3)][one_of(seed, 8)] = next(seed) * 2;
   if (!one_of(seed, 4))
      at[3][one_of(seed, 8)] = one_of(seed, 3);
}

/* Bits, numbers of which most are in range, halves of 8-bit steps, and what is no number. */
static uint32_t
make_value(uint64_t *seed, unsigned kind)
{
   static const uint32_t special[] = {0,          0x80000000u, 0x7f800000, 0xff800000u,
                                      0x7fc01234, 0xff812345u, 1,          0x80000001u,
                                      0x3f800000, 0xbf800000u, 0x3f800001, 0x477fefff,
                                      0x477ff000, 0x38800000,  0x33000000};
   float f = (float)((int32_t)next(seed) - 0x40000000) / 0x1.5p29f;
   uint32_t v;
   if (kind == 2)
      f = ((float)one_of(seed, 256) + 0.5f) / 255;
   else if (kind == 3)
      f *= 0x1p-14f;
   memcpy(&v, &f, 4);
   return kind == 0 ? next(seed) * 2 + one_of(seed, 2) : kind == 4 ? special[one_of(seed, 15)] : v;
}

/* A message: control bits, lengths. */
struct sent {
   uint32_t control, mask, header_mask;
   unsigned mlen, rlen, parameters;
   bool header;
};

static struct sent
make_message(uint64_t *seed)
{
   static const uint8_t sources[16] = {4, 1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 1, 1, 1, 2, 0};
   unsigned kind = one_of(seed, 8), high = one_of(seed, 2);
   struct sent s = {
       .header = one_of(seed, 40) != 0, .mask = make_mask(seed), .parameters = 1 + one_of(seed, 4)};
   s.header_mask = one_of(seed, 2) ? 0xffff : make_mask(seed);
   if (kind == 0) {
      unsigned op = one_of(seed, 16), returns = one_of(seed, 2);
      s.control = ATOMIC(op, returns, high);
      s.mlen = s.header + s.parameters + sources[op];
      s.rlen = returns;
   } else {
      static const uint8_t without[8] = {14, 14, 0, 0, 0, 8, 12, 5};
      unsigned mask = one_of(seed, 20) ? without[one_of(seed, 8)] : one_of(seed, 16);
      unsigned count = (unsigned)__builtin_popcount(15 & ~mask);
      bool write = kind > 3;
      s.control = write ? WRITE(mask, high) : READ(mask, high);
      s.mlen = s.header + s.parameters + (write ? count : 0);
      s.rlen = write ? 0 : count;
   }
   if (!one_of(seed, 40)) /* a length that is not its own */
      s.mlen = 1 + one_of(seed, 10);
   return s;
}

/* As fx_send, but the fast path in the modes of a thread: denormals flushed, any rounding, as cr0
 * has it. */
static void
send(struct fx *f, const struct sent *s, unsigned rounding)
{
   uint32_t modes = fpmode_get();
   struct sf_quick q;
   struct sf_message m = {.sfid = SFID_DP_RENDER,
                          .header = s->header,
                          .mlen = (uint8_t)s->mlen,
                          .rlen = (uint8_t)s->rlen,
                          .exec_size = 8,
                          .exec_mask = s->mask,
                          .ip = f->t.ip,
                          .payload = (uint8_t *)fx_in(f, 0),
                          .response = s->rlen ? (uint8_t *)fx_out(f, 0) : NULL,
                          .desc = s->control | (uint32_t)s->header << 19 | s->rlen << 20 |
                                  s->mlen << 25};
   f->t.ip += 16;
   f->rule_count = 0;
   bool done = !f->slow_path && sf_quick_select(&q, f->dev, m.sfid, m.desc, false, FX_PAYLOAD,
                                                s->rlen ? FX_RESPONSE : EU_GRF_COUNT);
   if (done) {
      f->t.cr0[0] = rounding << 4;
      fpmode_set(FPMODE_HOST | FPMODE_FLUSH | FPMODE_ROUNDING(rounding));
      done = q.fn(&f->t, &q, m.exec_mask);
      fpmode_set(modes);
   }
   f->quick += done;
   if (!done)
      assert_int_equal(sf_dataport(&f->t, &m), SF_OK);
}

static void
make_payload(struct fx *f, uint64_t seed, const struct sent *s, uint32_t at[4][8])
{
   unsigned kind = one_of(&seed, 5);
   fx_in(f, 0)[7] = s->header_mask;
   for (unsigned r = s->header; r < 12; r++)
      for (unsigned i = 0; i < 8; i++)
         fx_in(f, r)[i] =
             r - s->header < s->parameters ? at[r - s->header][i] : make_value(&seed, kind);
}

struct twins {
   struct fx *quick, *slow;
   struct hw_render_surface_state image[IMAGES];
   unsigned could; /* messages that have a fast path if anything has */
};

static void
bind_image(struct twins *w, unsigned bti, const struct hw_render_surface_state *st)
{
   w->image[bti] = *st;
   fx_surface(w->quick, bti, st);
   fx_surface(w->slow, bti, st);
}

static void
assert_same_memory(const struct twins *w)
{
   assert_memory_equal(fx_at(w->quick, FX_DATA), fx_at(w->slow, FX_DATA), SPAN);
   assert_memory_equal(fx_at(w->quick, LAST_PAGE), fx_at(w->slow, LAST_PAGE), 0x1000);
}

static void
one_message(struct twins *w, uint64_t *seed)
{
   uint32_t at[4][8];
   struct sent s = make_message(seed);
   unsigned bti = one_of(seed, 50) ? one_of(seed, IMAGES) : 250 + one_of(seed, 6),
            before = w->quick->quick;
   unsigned rounding = one_of(seed, 4);
   const struct hw_render_surface_state *st = &w->image[bti % IMAGES];
   s.control |= bti;
   make_places(at, seed, st);
   make_payload(w->quick, *seed, &s, at);
   make_payload(w->slow, *seed, &s, at);
   memset(w->quick->t.initialised, 0, sizeof(w->quick->t.initialised));
   send(w->quick, &s, rounding);
   send(w->slow, &s, rounding);
   assert_same_answer(w->quick, w->slow);
   w->could += bti < IMAGES && st->surface_type == SURFTYPE_2D && st->surface_format == R32_UINT &&
               s.header;
   if (w->quick->quick == before)
      return;
   for (unsigned r = 0; r < EU_GRF_COUNT;
        r++) /* the registers of the response, and no others, are marked */
      assert_int_equal(w->quick->t.initialised[r / 64] >> r % 64 & 1,
                       r >= FX_RESPONSE && r < FX_RESPONSE + s.rlen);
}

static void
compare(enum pergola_check check, bool remembered)
{
   void *state[2];
   struct sf_buffers *buffers = calloc(1, sizeof(*buffers));
   struct twins w = {0};
   uint64_t seed = 20261116;
   for (unsigned i = 0; i < 2; i++) {
      struct fx *f;
      uint64_t contents = 11;
      assert_int_equal(fx_setup_checked(&state[i], NULL, check), 0);
      f = state[i];
      for (unsigned k = 0; k < SPAN / 4; k++)
         fx_dw(f, FX_DATA)[k] = next(&contents) * 3;
      for (unsigned k = 0; k < sizeof(f->t.grf); k++)
         f->t.grf[k] = (uint8_t)next(&contents);
   }
   w.quick = state[0];
   w.slow = state[1];
   w.slow->slow_path = true;
   w.quick->t.buffers = remembered ? buffers : NULL;
   for (unsigned round = 0; round < 40000; round++) {
      if (round % 32 == 0) { /* surfaces change: what is remembered must go */
         for (unsigned bti = 0; bti < IMAGES; bti += round ? 1 + one_of(&seed, IMAGES) : 1) {
            struct hw_render_surface_state st = make_image(&seed);
            bind_image(&w, bti, &st);
         }
      }
      one_message(&w, &seed);
      if (round % 16 == 15)
         assert_same_memory(&w);
   }
   assert_int_equal(w.slow->quick, 0);
   if (w.quick->quick < w.could / 2)
      fail_msg("only %u of %u messages took the fast path", w.quick->quick, w.could);
   for (unsigned i = 0; i < 2; i++)
      fx_teardown(&state[i]);
   free(buffers);
}

static void
with_rules(void **state)
{
   proves("DP-218", "DP-227", "DP-228", "DP-231", "DP-232", "DP-234", "DP-237", "DP-238", "DP-239",
          "DP-240");
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

/* Numbers, halves of steps, denormals and what is no number, in each format that may be written,
 * under every rounding mode of a thread. DP-218 */
static void
conversions(void **state)
{
   proves("DP-218");
   struct fx *f = *state;
   struct sf_buffers *buffers = calloc(1, sizeof(*buffers));
   unsigned formats = 0;
   f->t.buffers = buffers;
   for (unsigned code = 0; code < FORMAT_COUNT; code++) {
      const struct format_info *info = format_get(code);
      struct hw_render_surface_state st = image(SURFTYPE_2D, code, 8, 1, 1);
      if (!(info->capabilities & FORMAT_TYPED_WRITE))
         continue;
      fx_surface(f, 0, &st);
      for (uint64_t seed = code, round = 0; round < 400; round++) {
         header(f, 0xff);
         struct sent s = {
             .control = WRITE(0, 0), .mask = 0xff, .mlen = 7, .parameters = 2, .header = true};
         for (unsigned i = 0; i < 8; i++) {
            fx_in(f, 1)[i] = i;
            for (unsigned c = 0; c < 4; c++)
               fx_in(f, 3 + c)[i] = make_value(&seed, (unsigned)(round + c) % 5);
         }
         unsigned before = f->quick;
         send(f, &s, (unsigned)round & 3);
         formats += f->quick > before && round == 1;
         for (unsigned i = 0; i < 8; i++) {
            uint8_t want[16];
            format_texel texel = {fx_in(f, 3)[i], fx_in(f, 4)[i], fx_in(f, 5)[i], fx_in(f, 6)[i]};
            format_pack(info, texel, want);
            if (memcmp(want, fx_at(f, FX_DATA) + i * info->bits / 8, info->bits / 8))
               fail_msg("%s of %08x %08x %08x %08x", info->name, texel[0], texel[1], texel[2],
                        texel[3]);
         }
      }
   }
   assert_true(formats > 40);
   f->t.buffers = NULL;
   free(buffers);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(with_rules),
       cmocka_unit_test(without_rules),
       cmocka_unit_test(surfaces_looked_up),
       FX_TEST(conversions),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
