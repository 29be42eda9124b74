/* The fast paths of texels, ld and render target writes, against the slow ones: two devices in the
 * same state get the same messages to the same surfaces, random ones, and afterwards are in the
 * same state and have said the same. */
#include "eu/fpmode.h"
#include "shared_functions/pixel_backend.h"
#include "twins.h"

#include "tests/proves.h"

enum { SPAN = 0x100000 }; /* of the data that is looked at */
enum {
   SCATTERED = 0xc0000, /* from here on, pages of the data do not lie side by side … */
   MISSING = 0xe0000
}; /* … and this one is not there */
enum { TARGET_INDEX = 0, SOURCE_INDEX = 1 };

static bool
seldom(uint64_t *seed)
{
   return !one_of(seed, 16);
}

/* ---- two devices ---------------------------------------------------------------------------- */

struct side {
   struct fx *f;
   struct pixel_backend pixel;
   struct rt_bypass bypass;
   struct rt_record record;
   bool recorded;
};

static bool
give_bypass(void *data, const struct eu_thread *t, unsigned slot_group, struct rt_bypass *out)
{
   const struct side *s = data;
   *out = s->bypass;
   return t == &s->f->t && !slot_group;
}

static struct rt_record *
give_record(void *data, const struct eu_thread *t)
{
   struct side *s = data;
   return s->recorded && t == &s->f->t ? &s->record : NULL;
}

static void
make_side(struct side *s, enum pergola_check check)
{
   void *state = NULL;
   uint64_t seed = 11;
   assert_int_equal(fx_setup_checked(&state, NULL, check), 0);
   s->f = state;
   s->pixel = (struct pixel_backend){
       .data = s, .bypass = give_bypass, .now = &s->bypass, .record = give_record};
   s->f->env.pixel = &s->pixel;
   for (uint32_t a = FX_DATA + SCATTERED; a < FX_DATA + SPAN; a += 4096)
      pergola_mmio_write(s->f->dev, PERGOLA_MMIO_SIZE / 2 + a / 4096 * 4, 4,
                         a == FX_DATA + MISSING ? 0 : (a ^ 0x3000) | 3);
   for (uint32_t i = 0; i < SPAN / 4; i++)
      fx_dw(s->f, FX_DATA)[i] = next(&seed) * 3;
}

/* ---- surfaces ------------------------------------------------------------------------------- */

static unsigned
make_format(uint64_t *seed)
{
   static const uint16_t often[] = {
       GEN7_SURFACE_FORMAT_R32G32B32A32_UINT,
       GEN7_SURFACE_FORMAT_R32G32B32A32_FLOAT,
       GEN7_SURFACE_FORMAT_R32G32_UINT,
       GEN7_SURFACE_FORMAT_R16G16B16A16_UINT,
       GEN7_SURFACE_FORMAT_R16G16B16A16_UNORM,
       GEN7_SURFACE_FORMAT_R8G8B8A8_UINT,
       GEN7_SURFACE_FORMAT_R8G8B8A8_SINT,
       GEN7_SURFACE_FORMAT_R8G8B8A8_UNORM,
       GEN7_SURFACE_FORMAT_B8G8R8A8_UNORM,
       GEN7_SURFACE_FORMAT_B8G8R8X8_UNORM,
       GEN7_SURFACE_FORMAT_R10G10B10A2_UNORM,
       GEN7_SURFACE_FORMAT_R10G10B10A2_UINT,
       GEN7_SURFACE_FORMAT_R16G16_SINT,
       GEN7_SURFACE_FORMAT_R32_UINT,
       GEN7_SURFACE_FORMAT_R32_FLOAT,
       GEN7_SURFACE_FORMAT_B5G6R5_UNORM,
       GEN7_SURFACE_FORMAT_R8G8_UINT,
       GEN7_SURFACE_FORMAT_R16_UINT,
       GEN7_SURFACE_FORMAT_R8_UINT,
       GEN7_SURFACE_FORMAT_R8_UNORM,
       GEN7_SURFACE_FORMAT_A8_UNORM,
       GEN7_SURFACE_FORMAT_R16G16B16A16_FLOAT,
       GEN7_SURFACE_FORMAT_R8G8B8A8_UNORM_SRGB,
       GEN7_SURFACE_FORMAT_R8G8B8A8_SNORM,
   };
   return seldom(seed) ? one_of(seed, 512) : often[one_of(seed, sizeof(often) / sizeof(often[0]))];
}

/* Large, far away, past the end of memory or of all addresses. */
static void
make_hostile(struct hw_render_surface_state *s, uint64_t *seed, uint32_t unit)
{
   for (unsigned n = 0; n < 3; n++)
      switch (one_of(seed, 9)) {
      case 0:
         s->width = one_of(seed, 16384);
         break;
      case 1:
         s->height = one_of(seed, 16384);
         break;
      case 2:
         s->depth = one_of(seed, 2048);
         break;
      case 3:
         s->minimum_array_element = one_of(seed, 2048);
         break;
      case 4:
         s->surface_pitch = (one_of(seed, (1 << 18) / unit) + 1) * unit - 1;
         break;
      case 5:
         s->surface_base_address = next(seed) * 2 & ~4095u;
         break;
      case 6:
         s->surface_base_address = one_of(seed, 2) ? 0xfffff000u : FX_FIRST + FX_MEMORY - 4096;
         break;
      case 7:
         s->surface_min_lod = s->mip_count_or_lod = one_of(seed, 16);
         break;
      default:
         s->x_offset = one_of(seed, 128);
         break;
      }
}

static struct hw_render_surface_state
make_surface(uint64_t *seed)
{
   static const uint8_t types[] = {SURFTYPE_1D,   SURFTYPE_CUBE,   SURFTYPE_BUFFER,
                                   SURFTYPE_NULL, SURFTYPE_STRBUF, SURFTYPE_RESERVED};
   unsigned format = make_format(seed), bytes = format_get(format)->bits / 8u,
            tiling = one_of(seed, 4);
   struct hw_render_surface_state s = {.surface_format = format,
                                       .surface_array = one_of(seed, 2),
                                       .surface_vertical_alignment = one_of(seed, 2),
                                       .surface_horizontal_alignment = one_of(seed, 2),
                                       .surface_array_spacing = one_of(seed, 2),
                                       .width = 8 + one_of(seed, 100),
                                       .height = 4 + one_of(seed, 60),
                                       .tiled_surface = tiling > 1,
                                       .tile_walk = tiling == 3};
   s.surface_type = seldom(seed)      ? types[one_of(seed, sizeof(types))]
                    : one_of(seed, 4) ? SURFTYPE_2D
                                      : SURFTYPE_3D;
   uint32_t row = (s.width + 1) * (bytes ? bytes : 1), unit = tiling < 2    ? 16
                                                              : tiling == 2 ? 512
                                                                            : 128;
   s.surface_pitch = (row + unit - 1) / unit * unit + (one_of(seed, 2) ? 3 * unit : 0) - 1;
   s.surface_base_address = FX_DATA + (one_of(seed, 3) ? one_of(seed, 4) << 16 : SCATTERED) +
                            (tiling < 2 ? 16 * one_of(seed, 32) : 0);
   if (!one_of(seed, 3)) {
      s.depth = one_of(seed, 4);
      s.render_target_view_extent = one_of(seed, 4);
      s.minimum_array_element = one_of(seed, 3);
      s.mip_count_or_lod = one_of(seed, 3);
      s.surface_min_lod = one_of(seed, 3);
   }
   if (tiling > 1 && !one_of(seed, 4)) {
      s.x_offset = one_of(seed, 3);
      s.y_offset = one_of(seed, 3);
   }
   if (seldom(seed))
      s.number_of_multisamples = one_of(seed, 4);
   if (seldom(seed))
      s.vertical_line_stride = s.vertical_line_stride_offset = 1;
   if (seldom(seed))
      s.render_target_rotation = one_of(seed, 4);
   if (seldom(seed))
      s.surface_pitch = one_of(seed, 4096);
   if (seldom(seed))
      s.surface_base_address += 4 * one_of(seed, 64);
   if (!one_of(seed, 5))
      make_hostile(&s, seed, unit);
   return s;
}

/* ---- messages ------------------------------------------------------------------------------- */

struct sent {
   unsigned sfid, mlen, rlen, response;
   uint32_t control, mask;
   bool eot, header;
   uint32_t cr0;
   uint8_t payload[16 * EU_REG_SIZE];
   struct rt_bypass bypass;
   struct rt_record record;
   bool recorded, per_sample;
   uint8_t dispatch_width;
};

static unsigned
place(uint64_t *seed, unsigned size)
{
   if (!one_of(seed, 8))
      return one_of(seed, size + 2);
   return seldom(seed)   ? next(seed)
          : seldom(seed) ? size - 1 + one_of(seed, 3)
                         : one_of(seed, size < 1    ? 1
                                        : size < 64 ? size
                                                    : 64);
}

/* u, lod, v, r: subspans, now and then on odd ground; or anything. */
static void
make_ld(struct sent *s, uint64_t *seed, const struct hw_render_surface_state *st)
{
   unsigned regs = 1 + one_of(seed, 2), count = seldom(seed) ? 1 + one_of(seed, 4) : 4,
            lanes = 8 * regs;
   uint32_t *in = (uint32_t *)(void *)s->payload, x[4], y[4], slice = one_of(seed, 3);
   bool any = !one_of(seed, 6), odd = !one_of(seed, 4);
   for (unsigned n = 0; n < 4; n++) {
      x[n] = n && one_of(seed, 8) ? x[n - 1] + 2 : (place(seed, st->width) & ~1u) + odd;
      y[n] = n && one_of(seed, 8) ? y[n - 1] : place(seed, st->height);
   }
   for (unsigned i = 0; i < lanes; i++) {
      in[i] = any ? place(seed, st->width) : x[i / 4] + (i & 1);
      in[lanes + i] = seldom(seed) && seldom(seed) ? 1 : 0;
      in[2 * lanes + i] = any ? place(seed, st->height) : y[i / 4] + (i >> 1 & 1);
      in[3 * lanes + i] = slice + (seldom(seed) && seldom(seed));
   }
   s->sfid = SFID_SAMPLER;
   s->control = SOURCE_INDEX | 7u << 12 | regs << 17;
   s->mlen = count * regs;
   s->rlen = 4 * regs;
   if (one_of(seed, 3))
      s->response = FX_PAYLOAD; /* where its parameters are */
}

static uint32_t
make_color(uint64_t *seed)
{
   float f = (float)one_of(seed, 1u << 20) / (1u << 20) * 1.4f - 0.2f;
   uint32_t bits;
   memcpy(&bits, &f, 4);
   switch (one_of(seed, 4)) {
   case 0:
      return one_of(seed, 300);
   case 1:
      return (uint32_t) - (int32_t)one_of(seed, 300);
   case 2:
      return bits;
   default:
      return next(seed) * 2 + one_of(seed, 2);
   }
}

static void
make_target(struct sent *s, uint64_t *seed, const struct hw_render_surface_state *st)
{
   static const uint8_t types[] = {0, 0, 0, 4, 4, 1, 2, 3};
   static const uint8_t lengths[] = {8, 1, 8, 8, 4};
   unsigned type = types[one_of(seed, sizeof(types))];
   uint32_t *in = (uint32_t *)(void *)s->payload, *h = s->bypass.header;
   for (unsigned i = 0; i < 64 * 2; i++)
      in[i] = make_color(seed);
   uint32_t lit = one_of(seed, 8) ? 0xffff : next(seed) & 0xffff;
   h[0] = (one_of(seed, 4) ? 0 : one_of(seed, 5)) << 16 | one_of(seed, 2) << 15;
   for (unsigned n = 0; n < 4; n++) {
      uint32_t x = place(seed, st->width) & (seldom(seed) ? 0xffff : 0xfffe),
               y = place(seed, st->height) & (seldom(seed) ? 0xffff : 0xfffe);
      h[10 + n] = n && one_of(seed, 8) ? h[10 + n - 1] + 2 : y << 16 | x;
   }
   h[15] = lit << 16 | lit;
   s->bypass.omask = seldom(seed);
   s->bypass.source_depth = seldom(seed);
   s->recorded = one_of(seed, 4);
   s->per_sample = seldom(seed);
   s->dispatch_width = seldom(seed) ? 32 : (type == 4) != seldom(seed) ? 8 : 16;
   s->record.dispatched = seldom(seed) ? next(seed) : lit;
   if (seldom(seed))
      s->record.written[one_of(seed, 8)] = next(seed) & 0xffff;
   s->sfid = SFID_DP_RENDER;
   s->eot = one_of(seed, 4);
   s->control = TARGET_INDEX | 12u << 14 | type << 8 | (uint32_t)(s->eot != seldom(seed)) << 12 |
                (uint32_t)seldom(seed) << 11;
   s->mlen = lengths[type] + seldom(seed);
}

static void
make_message(struct sent *s, uint64_t *seed, const struct hw_render_surface_state st[2])
{
   memset(s, 0, sizeof(*s));
   s->mask = seldom(seed) ? next(seed) & 0xffff : 0xffff;
   s->response = FX_RESPONSE;
   s->cr0 = seldom(seed) ? one_of(seed, 4) << 4 : 0;
   if (one_of(seed, 2))
      make_ld(s, seed, &st[SOURCE_INDEX]);
   else
      make_target(s, seed, &st[TARGET_INDEX]);
}

static bool
send(struct side *side, const struct sent *s)
{
   struct fx *f = side->f;
   struct eu_thread *t = &f->t;
   struct sf_message m = {.sfid = (uint8_t)s->sfid,
                          .mlen = (uint8_t)s->mlen,
                          .rlen = (uint8_t)s->rlen,
                          .eot = s->eot,
                          .exec_size = 16,
                          .exec_mask = s->mask,
                          .payload = t->grf + FX_PAYLOAD * EU_REG_SIZE,
                          .response = s->rlen ? t->grf + s->response * EU_REG_SIZE : NULL,
                          .ip = t->ip,
                          .desc = s->control | s->rlen << 20 | s->mlen << 25};
   struct sf_quick q;
   t->ip += 16;
   t->cr0[0] = s->cr0;
   f->rule_count = 0;
   memcpy(t->grf + FX_PAYLOAD * EU_REG_SIZE, s->payload, sizeof(s->payload));
   side->bypass = s->bypass;
   side->record = s->record;
   side->recorded = s->recorded;
   side->pixel.per_sample = s->per_sample;
   side->pixel.dispatch_width = s->dispatch_width;
   memset(t->initialised, 0, sizeof(t->initialised));
   bool done = !f->slow_path && sf_quick_select(&q, f->dev, s->sfid, m.desc, s->eot, FX_PAYLOAD,
                                                s->rlen ? s->response : EU_GRF_COUNT);
   if (done) { /* the host is in the modes of the thread: denormals flushed, any rounding */
      uint32_t modes = fpmode_get();
      fpmode_set(FPMODE_HOST | FPMODE_FLUSH | FPMODE_ROUNDING(s->cr0 >> 4 & 3));
      done = q.fn(t, &q, s->mask);
      fpmode_set(modes);
   }
   if (!done)
      assert_int_equal(sf_send(t, &m), SF_OK);
   return done;
}

/* ---- both ways ------------------------------------------------------------------------------ */

static void
assert_same(struct side *a, struct side *b)
{
   assert_same_answer(a->f, b->f);
   assert_memory_equal(&a->record, &b->record, sizeof(a->record));
}

static void
compare(enum pergola_check check)
{
   struct side side[2] = {{0}};
   struct sf_buffers *buffers = calloc(1, sizeof(*buffers));
   struct hw_render_surface_state st[2] = {{0}};
   uint64_t seed = 20261115;
   unsigned quick[2] = {0, 0}, rounds = 60000;
   for (unsigned i = 0; i < 2; i++)
      make_side(&side[i], check);
   side[0].f->t.buffers = buffers;
   side[1].f->slow_path = true;
   for (unsigned round = 0; round < rounds; round++) {
      struct sent s;
      if (round % 32 == 0) { /* surfaces change: what is remembered must go */
         for (unsigned k = 0; k < 2; k++) {
            st[k] = make_surface(&seed);
            fx_surface(side[0].f, k, &st[k]);
            fx_surface(side[1].f, k, &st[k]);
         }
         assert_memory_equal(fx_at(side[0].f, FX_DATA), fx_at(side[1].f, FX_DATA), SPAN);
      }
      make_message(&s, &seed, st);
      bool fast_path = send(&side[0], &s);
      send(&side[1], &s);
      assert_same(&side[0], &side[1]);
      quick[s.sfid == SFID_SAMPLER] += fast_path;
      for (unsigned r = 0; fast_path && r < EU_GRF_COUNT;
           r++) /* the registers of the response, and no others, are marked */
         assert_int_equal(side[0].f->t.initialised[r / 64] >> r % 64 & 1,
                          r >= s.response && r < s.response + s.rlen);
   }
   assert_memory_equal(side[0].f->host, side[1].f->host, FX_MEMORY);
   if (quick[0] < rounds / 60 || quick[1] < rounds / 20)
      fail_msg("only %u writes and %u fetches of %u messages took the fast path", quick[0],
               quick[1], rounds);
   for (unsigned i = 0; i < 2; i++) {
      void *state = side[i].f;
      fx_teardown(&state);
   }
   free(buffers);
}

static void
with_rules(void **state)
{
   proves("SMP-232", "SMP-266", "SMP-304", "DP-360", "DP-393", "DP-459", "DP-461", "DP-464");
   compare(PERGOLA_CHECK_REPORT);
}

static void
without_rules(void **state)
{
   proves("DP-389", "DP-391", "DP-392");
   compare(PERGOLA_CHECK_OFF);
}

/* SMP-398: every value of a channel of 8 and 16 bits is read as by the slow path. */
static void
every_unorm(void **state)
{
   proves("SMP-398");
   static const uint16_t formats[2] = {GEN7_SURFACE_FORMAT_R8_UNORM, GEN7_SURFACE_FORMAT_R16_UNORM};
   struct side side[2] = {{0}};
   struct sf_buffers *buffers = calloc(1, sizeof(*buffers));
   for (unsigned i = 0; i < 2; i++)
      make_side(&side[i], PERGOLA_CHECK_REPORT);
   side[0].f->t.buffers = buffers;
   side[1].f->slow_path = true;
   for (unsigned k = 0; k < 2; k++) {
      struct hw_render_surface_state st = {.surface_type = SURFTYPE_2D,
                                           .surface_format = formats[k],
                                           .width = 255,
                                           .height = k ? 255 : 1,
                                           .surface_pitch = 511,
                                           .surface_base_address = FX_DATA};
      struct sent s = {.sfid = SFID_SAMPLER,
                       .control = SOURCE_INDEX | 7u << 12 | 2u << 17,
                       .mlen = 6,
                       .rlen = 8,
                       .mask = 0xffff,
                       .response = FX_RESPONSE};
      uint32_t *in = (uint32_t *)(void *)s.payload;
      for (unsigned i = 0; i < 2; i++) {
         fx_surface(side[i].f, SOURCE_INDEX, &st);
         for (unsigned n = 0; n < 65536; n++)
            fx_at(side[i].f,
                  FX_DATA)[k ? n / 256 * 512 + n % 256 * 2
                             : n & 511] = (uint8_t)n,
                                   fx_at(side[i].f,
                                         FX_DATA)[k ? n / 256 * 512 + n % 256 * 2 + 1 : n & 511] =
                                       (uint8_t)(k ? n >> 8 : n);
      }
      for (unsigned n = 0; n < (k ? 65536u : 256u); n += 16) {
         for (unsigned i = 0; i < 16; i++) {
            in[i] = n % 256 + i;
            in[32 + i] = n / 256;
         }
         bool fast_path = send(&side[0], &s);
         assert_true(fast_path || n == 0); /* the first one finds the surface */
         send(&side[1], &s);
         assert_same(&side[0], &side[1]);
      }
   }
   for (unsigned i = 0; i < 2; i++) {
      void *one = side[i].f;
      fx_teardown(&one);
   }
   free(buffers);
}

/* What lies behind a surface is somebody else's: its pages are not asked for. */
static void
nothing_behind(void **state)
{
   struct side side = {0};
   struct sf_buffers *buffers = calloc(1, sizeof(*buffers));
   struct hw_render_surface_state st = {.surface_type = SURFTYPE_2D,
                                        .surface_format = GEN7_SURFACE_FORMAT_R32_UINT,
                                        .width = 1023,
                                        .surface_pitch = 4095,
                                        .surface_base_address = FX_DATA};
   struct sent s = {.sfid = SFID_SAMPLER,
                    .control = SOURCE_INDEX | 7u << 12 | 2u << 17,
                    .mlen = 6,
                    .rlen = 8,
                    .mask = 0xffff,
                    .response = FX_RESPONSE};
   make_side(&side, PERGOLA_CHECK_REPORT);
   side.f->t.buffers = buffers;
   fx_surface(side.f, SOURCE_INDEX, &st);
   for (unsigned i = 0; i < 16; i++)
      ((uint32_t *)(void *)s.payload)[i] = i;
   send(&side, &s);
   assert_true(send(&side, &s));
   assert_int_equal(side.f->rule_count, 0);
   assert_non_null(mem_known(&side.f->dev->ggtt, FX_DATA, MEM_READ));
   for (uint32_t a = FX_DATA + 0x10000; a < FX_DATA + 0x20000;
        a += 4096) /* 16 are fetched at once */
      assert_null(mem_known(&side.f->dev->ggtt, a, MEM_READ));
   void *one = side.f;
   fx_teardown(&one);
   free(buffers);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(with_rules), cmocka_unit_test(without_rules),
                                      cmocka_unit_test(every_unorm),
                                      cmocka_unit_test(nothing_behind)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
