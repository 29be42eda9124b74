/* Pixel shader threads on several host threads, and from turn to turn. */
#include "scene.h"
#include "eu/op.h"
#include "render/draw.h"
#include "tests/proves.h"

#define BIG 256u /* pixels in a row of a target that is worth several host threads */

static void
prepare_big(struct scene *s, unsigned host_threads)
{
   prepare(s);
   gen7_render_surface_state_pack(rig_ggtt(s->rig, SURFACES + 0x40),
                                  &(struct hw_render_surface_state){.surface_type = 1,
                                                                    .surface_format = 2,
                                                                    .tiled_surface = true,
                                                                    .tile_walk = 1,
                                                                    .surface_base_address = TARGET,
                                                                    .width = BIG - 1,
                                                                    .height = BIG - 1,
                                                                    .surface_pitch = BIG * 16 - 1});
   memset(rig_ggtt(s->rig, TARGET), 0xee, BIG * BIG * 16);
   s->rig->dev->config.host_threads = host_threads;
}

static void
draw_big(struct scene *s, unsigned host_threads, uint64_t budget)
{
   uint32_t dw[256];
   prepare_big(s, host_threads);
   rig_ring(s->rig, RCS, dw, record(s, dw));
   unsigned turns = 0;
   while (pergola_run(s->rig->dev, budget) == PERGOLA_RUN_BUDGET && turns < 1000000)
      turns++;
   assert_in_range(turns, 0, 999999);
}

/* G3D-096, G3D-097: which thread has which pixels, and what they write, is the same whatever the
 * host threads, native code and budgets that run them. */
static void
many_host_threads(void **state)
{
   proves("G3D-096", "G3D-097");
   struct scene *s = *state;
   static const char text[] = "add(16) g10<1>UW g1.4<2,4,0>UW 0x10101010V { align1 WE_all 1H };\n"
                              "add(16) g11<1>UW g1.5<2,4,0>UW 0x11001100V { align1 WE_all 1H };\n"
                              "mov(16) g112<1>UD g10<8,8,1>UW { align1 1H };\n"
                              "mov(16) g114<1>UD g11<8,8,1>UW { align1 1H };\n"
                              "mov(16) g116<1>UD g0.6<0,1,0>UD { align1 1H };\n"
                              "mov(16) g118<1>UD 7UD { align1 1H };\n" END16;
   load_kernel(s, 0x400, text);
   s->ps._16_pixel_dispatch_enable = true;
   s->ps.kernel_start_pointer_2 = 0x400;
   set_rectangle(s, 0, 3, 5, 250, 251); /* 124 by 124 subspans, four a thread */
   static uint32_t number[BIG][BIG];    /* of the thread that had the pixel, in the first run */
   static const struct {
      unsigned threads;
      uint64_t budget;
   } table[] = {{1, UINT64_MAX}, {4, UINT64_MAX}, {2, 30000}, {4, 70}, {1, 1000}};
   for (unsigned i = 0; i < COUNT(table); i++) {
      draw_big(s, table[i].threads, table[i].budget);
      rig_clean(s->rig);
      uint32_t first = UINT32_MAX; /* numbers go on from draw to draw */
      for (unsigned y = 0; y < BIG; y++)
         for (unsigned x = 0; x < BIG; x++) {
            uint32_t at = (uint32_t)mem_tile_offset(MEM_TILE_Y, x * 16, y, BIG * 16);
            const uint32_t *p = rig_ggtt(s->rig, TARGET) + at / 4;
            bool inside = x >= 3 && x < 250 && y >= 5 && y < 251;
            first = inside && first == UINT32_MAX ? p[2] : first;
            if (!i)
               number[y][x] = p[2] - first;
            uint32_t want[4] = {x, y, first + number[y & ~1u][x & ~1u], 7};
            if (y < 6 || x < 4) /* subspans whose upper left pixel is outside */
               want[2] = first + number[y][x];
            memset(want, inside ? 0 : 0xee, inside ? 0 : sizeof(want));
            if (memcmp(p, want, sizeof(want)))
               fail_msg("run %u, pixel %u,%u: %#x %#x %#x %#x", i, x, y, p[0], p[1], p[2], p[3]);
         }
   }
}

/* ---- random draws ------------------------------------------------------------------------------
 */

#define MESH_VERTICES 300u

static const uint32_t counters[] = {REG_IA_VERTICES_COUNT,   REG_IA_PRIMITIVES_COUNT,
                                    REG_CL_INVOCATION_COUNT, REG_CL_PRIMITIVES_COUNT,
                                    REG_PS_INVOCATION_COUNT, REG_PS_DEPTH_COUNT};

/* Shapes over each other, of all sizes, some beyond the target. */
static void
random_mesh(struct scene *s, uint32_t seed)
{
   float v[MESH_VERTICES][3];
   for (unsigned i = 0; i < MESH_VERTICES; i++)
      for (unsigned k = 0; k < 3; k++) {
         seed = seed * 1664525u + 1013904223u;
         float size = i % 7 ? 300 : 900, at = (float)(seed >> 8) / 16777216.0f;
         v[i][k] = k == 2 ? at : at * size - (size - 256) / 2;
      }
   memcpy(rig_ggtt(s->rig, VERTICES), v, sizeof(v));
}

static void
draw_mesh(struct scene *s, uint32_t seed, unsigned host_threads, uint64_t budget, uint64_t *counts)
{
   uint32_t dw[256];
   prepare_big(s, host_threads);
   random_mesh(s, seed);
   for (unsigned i = 0; i < COUNT(counters); i++)
      counts[i] = rig_reg(s->rig, counters[i]);
   rig_ring(s->rig, RCS, dw, record(s, dw));
   unsigned turns = 0;
   while (pergola_run(s->rig->dev, budget) == PERGOLA_RUN_BUDGET && turns < 1000000)
      turns++;
   assert_in_range(turns, 0, 999999);
   for (unsigned i = 0; i < COUNT(counters); i++)
      counts[i] = (uint32_t)(rig_reg(s->rig, counters[i]) - counts[i]);
}

/* P3D-002: what later objects write lies over what earlier ones wrote, in memory and in counters
 * the same on any number of host threads and in turns of any length. */
static void
random_draws(void **state)
{
   proves("P3D-002");
   struct scene *s = *state;
   static const struct {
      unsigned threads;
      uint64_t budget;
   } table[] = {{1, UINT64_MAX}, {2, UINT64_MAX}, {4, UINT64_MAX}, {4, 900}, {2, 20011}};
   static const uint8_t topologies[] = {4, 5, 6, 2, 3};
   size_t size = BIG * BIG * 16;
   uint32_t *first = malloc(size);
   /* The number of the vertex that provokes, in all channels but one. */
   load_kernel(s, 0x400,
               "mov(16) g112<1>UD g6.3<0,1,0>UD { align1 1H };\n"
               "mov(16) g114<1>UD g6.3<0,1,0>UD { align1 1H };\n"
               "mov(16) g116<1>UD g6.3<0,1,0>UD { align1 1H };\n"
               "mov(16) g118<1>UD 7UD { align1 1H };\n" END16);
   s->ps._16_pixel_dispatch_enable = true;
   s->ps._8_pixel_dispatch_enable = false;
   s->ps.kernel_start_pointer_0 = 0x400;
   s->ps.dispatch_grf_start_register_for_constant_setup_data_0 = 6;
   s->ps.attribute_enable = true;
   s->sbe = (struct hw_3dstate_sbe){.number_of_sf_output_attributes = 1,
                                    .vertex_urb_entry_read_offset = 1,
                                    .vertex_urb_entry_read_length = 1,
                                    .constant_interpolation_enable = 1};
   s->element[2] = element(0, 0, 0, VID, IID, ZERO, ZERO);
   s->elements = 3;
   s->vf.statistics_enable = s->wm.statistics_enable = s->sf.statistics_enable = true;
   s->sf.cull_mode = 1;
   s->primitive.vertex_count_per_instance = MESH_VERTICES;
   for (uint32_t seed = 0; seed < 12; seed++) {
      uint64_t counts[2][COUNT(counters)];
      s->primitive.primitive_topology_type = topologies[seed % COUNT(topologies)];
      for (unsigned i = 0; i < COUNT(table); i++) {
         draw_mesh(s, seed, table[i].threads, table[i].budget, counts[i > 0]);
         const uint32_t *target = rig_ggtt(s->rig, TARGET);
         if (i) {
            assert_memory_equal(target, first, size);
            assert_memory_equal(counts[1], counts[0], sizeof(counts[0]));
         }
         memcpy(first, target, size);
      }
      assert_int_equal(counts[0][0], MESH_VERTICES);
      assert_true(counts[0][4] > 0);
   }
   free(first);
}

/* G3D-102: each thread keeps its number in its scratch space for a while, and finds it there,
 * however many host threads there are: two threads in flight have different FFTIDs. */
static void
scratch_of_its_own(void **state)
{
   proves("G3D-102", "P3D-088");
   struct scene *s = *state;
   load_kernel(s, 0,
               "mov(8) g20<1>UD g0<8,8,1>UD { align1 WE_all 1Q };\n"
               "mov(8) g21<1>UD g0.6<0,1,0>UD { align1 WE_all 1Q };\n"
               "send(8) null<1>UW g20<8,8,1>UD 0x040e0000 data MsgDesc: mlen 2 rlen 0 { align1 "
               "WE_all 1Q };\n"
               "mov(1) g30<1>D 300D { align1 WE_all 1N };\n"
               "L:\nadd.nz.f0.0(1) g30<1>D g30<0,1,0>D -1D { align1 WE_all 1N };\n"
               "(+f0.0) jmpi(1) JIP: L { align1 WE_all 1N };\n"
               "send(8) g22<1>UW g20<8,8,1>UD 0x021c0000 data MsgDesc: mlen 1 rlen 1 { align1 "
               "WE_all 1Q };\n"
               "mov(8) g112<1>UD g0.6<0,1,0>UD { align1 1Q };\n"
               "mov(8) g113<1>UD g22<0,1,0>UD { align1 1Q };\n"
               "mov(8) g114<1>UD g22.7<0,1,0>UD { align1 1Q };\n"
               "mov(8) g115<1>UD 7UD { align1 1Q };\n" END8);
   s->ps.scratch_space_base_pointer = SCRATCH;
   s->ps.maximum_number_of_threads = 15;
   set_rectangle(s, 0, 0, 0, BIG, BIG);
   draw_big(s, 4, UINT64_MAX);
   rig_clean(s->rig);
   for (unsigned y = 0; y < BIG; y++)
      for (unsigned x = 0; x < BIG; x++) {
         const uint32_t *p =
             rig_ggtt(s->rig, TARGET) + mem_tile_offset(MEM_TILE_Y, x * 16, y, BIG * 16) / 4;
         if (p[0] != p[1] || p[0] != p[2] || p[3] != 7)
            fail_msg("pixel %u,%u: thread %u found %u, %u", x, y, p[0], p[1], p[2]);
      }
}

/* SF-168: sr0.0 says where a thread sits, sr0.1 and R0.5 its FFTID. There are as many places as the
 * part has, each with an FFTID of its own, and what a thread has of them goes by the walk, not by
 * host threads. */
static void
places(void **state)
{
   proves("SF-168", "G3D-102");
   struct scene *s = *state;
   const struct pergola_sku *sku = pergola_device_sku(s->rig->dev);
   uint32_t *before = calloc(BIG * BIG, 16);
   load_kernel(s, 0,
               "mov(2) g20<1>UD sr0<2,2,1>UD { align1 WE_all 1N };\n"
               "mov(8) g112<1>UD g20<0,1,0>UD { align1 1Q };\n"
               "mov(8) g113<1>UD g20.1<0,1,0>UD { align1 1Q };\n"
               "and(8) g114<1>UD g0.5<0,1,0>UD 0x000001ffUD { align1 1Q };\n"
               "mov(8) g115<1>UD 7UD { align1 1Q };\n" END8);
   s->ps.maximum_number_of_threads = 171; /* more than there are hardware threads */
   set_rectangle(s, 0, 0, 0, BIG, BIG);
   for (unsigned threads = 1; threads <= 4; threads++) {
      uint32_t place_of[256] = {0}, most = 0;
      unsigned distinct = 0;
      draw_big(s, threads, UINT64_MAX);
      rig_clean(s->rig);
      const uint32_t *target = rig_ggtt(s->rig, TARGET);
      for (unsigned i = 0; i < BIG * BIG; i++) {
         const uint32_t *p = target + 4 * i;
         uint32_t half_slice = p[0] >> 12 & 3, eu = p[0] >> 8 & 15, slot = p[0] & 7;
         assert_in_range(half_slice, 0, sku->half_slices - 1u);
         assert_in_range(eu, 0, sku->eus_per_half_slice - 1u);
         assert_in_range(slot, 0, sku->threads_per_eu - 1u);
         assert_int_equal(p[1] >> 24, p[2]);
         assert_in_range(p[2], 0, 255);
         uint32_t place = 1 + (half_slice << 12 | eu << 8 | slot);
         distinct += !place_of[p[2]];
         assert_true(!place_of[p[2]] || place_of[p[2]] == place);
         place_of[p[2]] = place;
         most = p[2] > most ? p[2] : most;
      }
      assert_true(distinct > 1 && most < (unsigned)sku->half_slices * sku->eus_per_half_slice *
                                             sku->threads_per_eu);
      for (unsigned a = 0; a < 256; a++)
         for (unsigned b = 0; b < a; b++)
            assert_true(!place_of[a] || place_of[a] != place_of[b]);
      if (threads > 1)
         assert_memory_equal(target, before, BIG * BIG * 16);
      memcpy(before, target, BIG * BIG * 16);
   }
   free(before);
}

/* The pages of the target move while the command waits for its next turn: what is drawn from then
 * on goes to the new ones. */
static void
pages_move(void **state)
{
   struct scene *s = *state;
   struct pergola_device *dev = s->rig->dev;
   uint32_t dw[256], size = BIG * BIG * 16;
   uint8_t *old = s->rig->ram + TARGET, *moved = s->rig->ram + 0x800000, *before = malloc(size);
   set_rectangle(s, 0, 0, 0, BIG, BIG);
   for (unsigned threads = 1; threads <= 4; threads += 3) {
      prepare_big(s, threads);
      memset(moved, 0xee, size);
      rig_ring(s->rig, RCS, dw, record(s, dw));
      assert_int_equal(pergola_run(dev, 100000), PERGOLA_RUN_BUDGET);
      for (uint32_t page = 0; page < size / 4096; page++)
         rig_set(s->rig, 0x200000 + 4 * (TARGET / 4096 + page),
                 (RIG_PHYS + 0x800000 + page * 4096) | 7);
      mem_invalidate(&dev->ggtt); /* as another engine's MI_UPDATE_GTT does: the translations, and
                                     nothing else */
      memcpy(before, old, size);
      assert_int_equal(rig_run(s->rig), PERGOLA_RUN_IDLE);
      rig_clean(s->rig);
      assert_memory_equal(before, old, size);
      unsigned at[2] = {0, 0};
      for (uint32_t i = 0; i < size; i += 16) {
         bool here = old[i + 12] == 7, there = moved[i + 12] == 7;
         if (here == there)
            fail_msg("%u host threads: the pixel at 0x%x has been drawn %s", threads, i,
                     here ? "twice" : "nowhere");
         at[there]++;
      }
      assert_true(at[0] && at[1]);
      for (uint32_t page = 0; page < size / 4096; page++)
         rig_set(s->rig, 0x200000 + 4 * (TARGET / 4096 + page),
                 (RIG_PHYS + TARGET + page * 4096) | 7);
      mem_invalidate(&dev->ggtt);
   }
   free(before);
}

static void
count_loops(void *data, const struct pergola_thread *t)
{
   unsigned *loops = data;
   *loops += !t->waits_for && t->ip > KERNELS + 0x400 && t->ip <= KERNELS + 0x420;
}

/* The ring holds a rectangle whose shaders never end; they have had budget. */
static void
start_endless(struct scene *s)
{
   uint32_t dw[256];
   load_kernel(s, 0x400,
               "mov(8) g10<1>UD 0UD { align1 WE_all 1Q };\n"
               "L:\nadd(8) g10<1>UD g10<8,8,1>UD 1UD { align1 WE_all 1Q };\njmpi(1) JIP: L { "
               "align1 WE_all 1N };\n" END8);
   s->ps.kernel_start_pointer_0 = 0x400;
   set_rectangle(s, 0, 0, 0, BIG, BIG);
   prepare_big(s, 4);
   rig_ring(s->rig, RCS, dw, record(s, dw));
   for (unsigned i = 0; i < 5; i++)
      assert_int_equal(pergola_run(s->rig->dev, 1000000), PERGOLA_RUN_BUDGET);
}

/* DRM-115, CS-023: shaders that never end take what budget they are given, all host threads' can be
 * seen; they are gone after a reset, and when the ring is disabled that their command came from. */
static void
shaders_without_end(void **state)
{
   proves("DRM-115", "CS-023");
   struct scene *s = *state;
   struct scene plain = *s;
   for (unsigned disabled = 0; disabled < 2; disabled++) {
      unsigned loops = 0;
      start_endless(s);
      unsigned threads = pergola_threads(s->rig->dev, count_loops, &loops);
      assert_in_range(threads, 1, 4);
      assert_int_equal(loops, threads);
      if (disabled)
         rig_start(s->rig, RCS, 4, 0);
      else
         rig_reset(s->rig, RCS);
      assert_int_equal(pergola_threads(s->rig->dev, count_loops, &loops), 0);
   }
   *s = plain;
   draw(s);
   expect_pixels(s, 0, 0, 8, 4);
   rig_clean(s->rig);
}

/* CS-023: what another engine leaves in the middle does not touch them. */
static void
shaders_beside_a_blit_that_is_left(void **state)
{
   proves("CS-023");
   struct scene *s = *state;
   struct rig *r = s->rig;
   const uint32_t fill[] = {
       0x54300004, 3u << 24 | 0xf0u << 16 | 1024, 0, 256u << 16 | 256, 0x380000, 0x01020304};
   unsigned loops = 0;
   start_endless(s);
   unsigned threads = pergola_threads(r->dev, count_loops, &loops);
   assert_in_range(threads, 1, 4);
   rig_ring(r, BCS, fill, 6);
   assert_int_equal(pergola_run(r->dev, 256 + 40), PERGOLA_RUN_BUDGET); /* a turn of each */
   assert_int_equal(*rig_ggtt(r, 0x380000), 0x01020304);
   assert_int_equal(*rig_ggtt(r, 0x3bfffc), 0);
   rig_start(r, BCS, 4, 0);
   assert_int_equal(pergola_threads(r->dev, count_loops, &loops), threads);
   rig_reset(r, RCS);
   rig_clean(r);
}

/* Model time goes by what has been done, not by the host threads that did it. */
static void
time_is_the_same(void **state)
{
   struct scene *s = *state;
   uint64_t want = 0;
   set_rectangle(s, 0, 0, 0, BIG, BIG);
   for (unsigned i = 0; i < 12; i++) {
      uint64_t before = pergola_time_ns(s->rig->dev);
      draw_big(s, 1 + i % 4, 50000);
      uint64_t spent = pergola_time_ns(s->rig->dev) - before;
      if (i && spent != want)
         fail_msg("%u host threads: %llu ns, one: %llu ns", 1 + i % 4, (unsigned long long)spent,
                  (unsigned long long)want);
      want = spent;
   }
   rig_clean(s->rig);
}

/* ---- threads that all do the same ------------------------------------------------------------ */

static uint32_t seed = 7;

static uint32_t
random_below(uint32_t n)
{
   return ((seed = seed * 1664525u + 1013904223u) >> 8) % n;
}

/* The object's number, made into colours; nothing else is looked at. */
#define FLAT_KERNEL                                                                                \
   "mov(16) g20<1>F g4.3<0,1,0>UD { align1 1H };\n"                                                \
   "mul(16) g112<1>F g20<8,8,1>F 0x3e000000F { align1 1H };\n"                                     \
   "mov(16) g114<1>F 0x3f000000F { align1 1H };\n"

static void
prepare_flat(struct scene *s, const char *rest)
{
   char text[1024];
   snprintf(text, sizeof(text), "%s%s%s", FLAT_KERNEL, rest, END16);
   load_kernel(s, 0, text);
   eu_invalidate_instructions(s->rig->dev->eu);
   s->ps._8_pixel_dispatch_enable = false;
   s->ps._16_pixel_dispatch_enable = true;
   s->ps.attribute_enable = true;
   s->sbe = (struct hw_3dstate_sbe){.number_of_sf_output_attributes = 1,
                                    .constant_interpolation_enable = 1,
                                    .vertex_urb_entry_read_offset = 1,
                                    .vertex_urb_entry_read_length = 1};
   s->element[2] = element(0, 0x40, 0, PID, ZERO, ZERO, ZERO);
   s->elements = 3;
   s->wm.statistics_enable = true;
}

struct outcome {
   uint64_t time, invocations, passed, filled, moved;
};

struct flat_draw {
   unsigned tiling, format, objects;
   bool triangles;
   uint64_t budget;
   unsigned size_B;                   /* of an element; 0: four */
   unsigned from_tiling, from, kills; /* texels that are moved come from there; 0: none are */
   unsigned width, height;            /* of both surfaces; 0: as usual */
   unsigned samples;                  /* 4, 8; 0: one */
   bool control;                      /* by CONTROL */
};

#define CONTROL 0x380000u

#define MOVE_ROWS 128u
#define MEMORY_END 0x400000u

static void
bind(struct scene *s, unsigned n, const struct flat_draw *f, unsigned tiling, uint32_t base)
{
   uint32_t size_B = f->size_B ? f->size_B : 4, width = f->width ? f->width : BIG;
   rig_ggtt(s->rig, SURFACES)[n] = 0x40 + 0x40 * n;
   gen7_render_surface_state_pack(
       rig_ggtt(s->rig, SURFACES + 0x40 + 0x40 * n),
       &(struct hw_render_surface_state){.surface_type = 1,
                                         .surface_format = f->format,
                                         .tiled_surface = tiling != 0,
                                         .tile_walk = tiling == 2,
                                         .surface_base_address = base,
                                         .width = width - 1,
                                         .height = (f->height ? f->height
                                                    : f->from ? MOVE_ROWS
                                                              : BIG) -
                                                   1,
                                         .surface_pitch = width * (size_B < 4 ? 4 : size_B) - 1,
                                         .surface_vertical_alignment = f->samples != 0,
                                         .surface_array_spacing = f->samples != 0,
                                         .number_of_multisamples = f->samples == 8   ? 3
                                                                   : f->samples == 4 ? 2
                                                                                     : 0,
                                         .mcs_enable = f->control,
                                         .mcs_base_address = f->control ? CONTROL : 0,
                                         .mcs_surface_pitch = f->samples == 8 ? 3 : 0});
}

static struct outcome
draw_flat(struct scene *s, const struct flat_draw *f, unsigned threads)
{
   uint32_t dw[512];
   struct pergola_device *dev = s->rig->dev;
   struct render *r = dev->render;
   prepare(s);
   s->primitive.primitive_topology_type = f->triangles ? GEN7_3D_PRIMITIVE_TOPOLOGY_TYPE_TRILIST
                                                       : GEN7_3D_PRIMITIVE_TOPOLOGY_TYPE_RECTLIST;
   s->primitive.vertex_count_per_instance = 3 * f->objects;
   bind(s, 0, f, f->tiling, TARGET);
   memset(rig_ggtt(s->rig, TARGET), 0xee, MEMORY_END - TARGET);
   if (f->from) {
      uint32_t word = f->from;
      bind(s, 1, f, f->from_tiling, f->from);
      for (uint32_t i = 0; i < BIG * MOVE_ROWS * 4; i++)
         rig_ggtt(s->rig, f->from)[i] = word = word * 1664525u + 1013904223u;
      s->wm.pixel_shader_kills_pixel = f->kills;
   }
   dev->config.host_threads = threads;
   rig_ring(s->rig, RCS, dw, record(s, dw));
   uint64_t *invocations = (uint64_t *)(void *)&dev->mmio[REG_PS_INVOCATION_COUNT / 4],
            *passed = (uint64_t *)(void *)&dev->mmio[REG_PS_DEPTH_COUNT / 4],
            before = pergola_time_ns(dev);
   *invocations = *passed = 0;
   while (pergola_run(dev, f->budget) == PERGOLA_RUN_BUDGET)
      ;
   rig_clean(s->rig);
   struct outcome out = {pergola_time_ns(dev) - before, *invocations, *passed, 0, 0};
   for (unsigned i = 0; i < r->ps_crew.crew.workers; i++) {
      const struct ps_alike *a = &((struct ps_worker *)(void *)r->ps_crew.crew.worker[i])->alike;
      out.filled += a->filled;
      out.moved += a->moved;
   }
   return out;
}

static void
random_objects(struct scene *s, struct scene *other, const struct flat_draw *f)
{
   for (unsigned i = 0; i < f->objects; i++) {
      float x0 = (float)random_below(BIG), y0 = (float)random_below(BIG);
      if (!f->triangles)
         set_rectangle(s, i, x0, y0, x0 + (float)random_below(BIG), y0 + (float)random_below(BIG));
      for (unsigned k = 0; k < 6 && f->triangles; k++)
         s->vertex[3 * i + k / 2][k & 1] = (float)random_below(2 * BIG * 16) / 16 - BIG / 2;
   }
   memcpy(other->vertex, s->vertex, sizeof(s->vertex));
}

/* Filled blocks are what threads one by one would have drawn, in memory, counts and time; threads
 * that read anything of their own, or whose colours differ by slot, are not filled. */
static void
threads_alike(void **state)
{
   static const char *const rest[] = {"mov(16) g116<1>F 0x3e800000F { align1 1H };\n"
                                      "mov(16) g118<1>F 0x3f800000F { align1 1H };\n",
                                      "mov(16) g116<1>F 0x00404000VF { align1 1H };\n"
                                      "mov(16) g118<1>F 0x3f800000F { align1 1H };\n",
                                      "mov(16) g116<1>F g1.4<0,1,0>UW { align1 1H };\n"
                                      "mul(16) g116<1>F g116<8,8,1>F 0x3b800000F { align1 1H };\n"
                                      "mov(16) g118<1>F 0x3f800000F { align1 1H };\n"};
   static const struct {
      unsigned format, size_B;
   } format[] = {{0xc7, 4}, {0xc0, 4}, {0xd8, 4}, {0x2, 16}, {0x87, 8}};
   struct scene *fast = *state, *plain;
   void *second = NULL;
   uint64_t filled = 0;
   setup(&second);
   plain = second;
   plain->rig->dev->eu->native_after = 0;
   fast->rig->dev->eu->native_after = 1;
   for (unsigned i = 0; i < 90; i++) {
      unsigned which = i / 3 % 3, n = random_below(COUNT(format));
      struct flat_draw f = {.tiling = i % 3,
                            .format = format[n].format,
                            .size_B = format[n].size_B,
                            .objects = 1 + random_below(4),
                            .triangles = random_below(2),
                            .budget = random_below(2) ? UINT64_MAX : 20000 + random_below(100000)};
      prepare_flat(fast, rest[which]);
      prepare_flat(plain, rest[which]);
      random_objects(fast, plain, &f);
      struct outcome a = draw_flat(fast, &f, 1 + random_below(3)), b = draw_flat(plain, &f, 1);
      assert_memory_equal(rig_ggtt(fast->rig, TARGET), rig_ggtt(plain->rig, TARGET),
                          BIG * BIG * f.size_B);
      assert_int_equal(a.invocations, b.invocations);
      assert_int_equal(a.passed, b.passed);
      if (f.budget == UINT64_MAX)
         assert_int_equal(a.time, b.time);
      assert_int_equal(b.filled, 0);
      if (which == 2 || (which == 1 && f.format != 0xd8 && f.format != 0x87))
         assert_int_equal(a.filled, filled);
      filled = a.filled;
   }
   print_message("# %llu blocks were filled\n", (unsigned long long)filled);
   assert_true(filled > 1000);
   teardown(&second);
}

/* ---- threads that move texels ------------------------------------------------------------------
 */

/* X and Y of the pixels to g21 and g22, as floats to g24 and g26; the object's number to g28. */
#define MOVE_PLACES                                                                                \
   "add(16) g21<1>UW g1.4<2,4,0>UW 0x10101010V { align1 1H };\n"                                   \
   "add(16) g22<1>UW g1.5<2,4,0>UW 0x11001100V { align1 1H };\n"                                   \
   "mov(16) g24<1>F g21<8,8,1>UW { align1 1H };\n"                                                 \
   "mov(16) g26<1>F g22<8,8,1>UW { align1 1H };\n"                                                 \
   "mov(16) g28<1>F g4.3<0,1,0>UD { align1 1H };\n"                                                \
   "mov(16) g12<1>UD 0UD { align1 1H };\n"                                                         \
   "mov(16) g16<1>UD 0UD { align1 1H };\n"
#define MOVE_END                                                                                   \
   "send(16) g112<1>UW g10<8,8,1>UD 0x10847001 sampler MsgDesc: mlen 8 rlen 8 { align1 1H "        \
   "};\n" END16

static const struct {
   const char *rest;
   bool moves;
} moves[] = {
    {"add(16) g30<1>F g24<8,8,1>F g28<8,8,1>F { align1 1H };\n"
     "mov(16) g10<1>D g30<8,8,1>F { align1 1H };\n"
     "add(16) g14<1>D g22<8,8,1>UW 5D { align1 1H };\n",
     true},
    {"mov(16) g10<1>D g21<8,8,1>UW { align1 1H };\n" /* another level for objects but the first */
     "mov(16) g14<1>D g22<8,8,1>UW { align1 1H };\n"
     "mov(16) g12<1>UD g4.3<0,1,0>UD { align1 1H };\n",
     true},
    {"mul(16) g30<1>F g24<8,8,1>F 0x3f810000F { align1 1H };\n" /* a texel is left out now and then
                                                                 */
     "mov(16) g10<1>D g30<8,8,1>F { align1 1H };\n"
     "mov(16) g14<1>D g26<8,8,1>F { align1 1H };\n",
     true},
    {"mov(16) g10<1>D g22<8,8,1>UW { align1 1H };\n" /* turned over */
     "mov(16) g14<1>D g21<8,8,1>UW { align1 1H };\n",
     false},
    {"add(16) g30<1>UW g21<8,8,1>UW 0x00010000V { align1 1H };\n" /* channels differ */
     "mov(16) g10<1>D g30<8,8,1>UW { align1 1H };\n"
     "mov(16) g14<1>D g22<8,8,1>UW { align1 1H };\n",
     false},
    {"add(16) g10<1>D g21<8,8,1>UW g22<8,8,1>UW { align1 1H };\n" /* slanted */
     "mov(16) g14<1>D g22<8,8,1>UW { align1 1H };\n",
     false},
    {"mov(16) g10<1>D g1.4<0,1,0>UW { align1 1H };\n" /* the first subspan's */
     "mov(16) g14<1>D g22<8,8,1>UW { align1 1H };\n",
     false}};

static void
prepare_move(struct scene *s, unsigned which)
{
   char text[2048];
   prepare_flat(s, "");
   snprintf(text, sizeof(text), "%s%s%s", MOVE_PLACES, moves[which].rest, MOVE_END);
   load_kernel(s, 0, text);
}

/* Rows of blocks that are copied are what threads one by one would have drawn, in memory, counts
 * and time, also where a surface is moved onto itself; threads whose texels do not go by X and by Y
 * alone are not done without. */
static void
threads_move(void **state)
{
   proves("SMP-232");
   static const struct {
      unsigned format, size_B;
   } format[] = {{0xc7, 4}, {0xc0, 4}, {0xd7, 4}, {0x2, 16}, {0x140, 1}, {0xcc, 4}, {0x87, 8}};
   struct scene *fast = *state, *plain;
   void *second = NULL;
   uint64_t moved = 0, times = 0;
   seed = 23; /* alone as among others */
   setup(&second);
   plain = second;
   plain->rig->dev->eu->native_after = 0;
   fast->rig->dev->eu->native_after = 1;
   for (unsigned i = 0; i < 420; i++) {
      unsigned which = i % COUNT(moves), n = random_below(COUNT(format));
      bool onto_itself = !random_below(4);
      struct flat_draw f = {.tiling = random_below(3),
                            .format = format[n].format,
                            .size_B = format[n].size_B,
                            .from_tiling = random_below(3),
                            .from = onto_itself ? TARGET : 0x2c0000u,
                            .kills = random_below(2),
                            .objects = 1 + random_below(3),
                            .triangles = !random_below(3),
                            .budget = random_below(2) ? UINT64_MAX : 20000 + random_below(100000)};
      prepare_move(fast, which);
      prepare_move(plain, which);
      random_objects(fast, plain, &f);
      unsigned threads = onto_itself ? 1 : 1 + random_below(3);
      struct outcome a = draw_flat(fast, &f, threads), b = draw_flat(plain, &f, 1);
      assert_memory_equal(rig_ggtt(fast->rig, TARGET), rig_ggtt(plain->rig, TARGET),
                          MEMORY_END - TARGET);
      assert_int_equal(a.invocations, b.invocations);
      assert_int_equal(a.passed, b.passed);
      if (f.budget == UINT64_MAX)
         assert_int_equal(a.time, b.time);
      assert_int_equal(b.moved, 0);
      assert_true(moves[which].moves || a.moved == moved);
      times += a.moved > moved;
      moved = a.moved;
   }
   print_message("# %llu blocks were moved in %llu draws\n", (unsigned long long)moved,
                 (unsigned long long)times);
   assert_true(moved > 2000 && times > 20);
   teardown(&second);
}

/* Rows of tiles that a worker takes at once, of a rectangle by itself, are what its threads would
 * have drawn: filled and moved, with whole blocks and without, in one turn and in many. */
static void
rows_of_tiles(void **state)
{
   enum { ACROSS = 2048, DOWN = 96 };
   struct scene *both[2] = {*state, NULL};
   void *second = NULL;
   uint64_t filled = 0, moved = 0;
   setup(&second);
   both[1] = second;
   both[0]->rig->dev->eu->native_after = 1;
   both[1]->rig->dev->eu->native_after = 0;
   for (unsigned i = 0; i < 16; i++) {
      struct outcome out[2];
      bool moves_texels = i & 1, whole = random_below(2);
      struct flat_draw f = {.tiling = random_below(3),
                            .format = random_below(2) ? 0xc7 : 0xd7,
                            .from_tiling = random_below(3),
                            .from = moves_texels ? 0x300000u : 0,
                            .width = ACROSS,
                            .height = DOWN,
                            .objects = 1,
                            .budget = random_below(2) ? UINT64_MAX : 20000 + random_below(100000)};
      float x0 = (float)random_below(64), y0 = (float)random_below(16),
            x1 = (float)(ACROSS - random_below(64)), y1 = (float)(DOWN - 8 - random_below(16));
      unsigned threads = 1 + random_below(3);
      for (unsigned k = 0; k < 2; k++) {
         struct scene *s = both[k];
         if (moves_texels)
            prepare_move(s, 0);
         else
            prepare_flat(s, "mov(16) g116<1>F 0x3e800000F { align1 1H };\n"
                            "mov(16) g118<1>F 0x3f800000F { align1 1H };\n");
         s->area.clipped_drawing_rectangle_x_max = s->area.clipped_drawing_rectangle_y_max = 4095;
         set_rectangle(s, 0, whole ? 0 : x0, whole ? 0 : y0, whole ? ACROSS : x1,
                       whole ? DOWN - 8 : y1);
         out[k] = draw_flat(s, &f, k ? 1 : threads);
      }
      assert_memory_equal(rig_ggtt(both[0]->rig, TARGET), rig_ggtt(both[1]->rig, TARGET),
                          MEMORY_END - TARGET);
      assert_int_equal(out[0].invocations, out[1].invocations);
      assert_int_equal(out[0].passed, out[1].passed);
      if (f.budget == UINT64_MAX)
         assert_int_equal(out[0].time, out[1].time);
      assert_true(both[0]->rig->dev->render->ps_crew.crew.walk.run > 1);
      assert_true(moves_texels ? out[0].moved > moved : out[0].filled > filled);
      filled = out[0].filled;
      moved = out[0].moved;
   }
   teardown(&second);
}

/* ---- rows of pixels, blended ------------------------------------------------------------------
 */

/* Colours that differ from pixel to pixel. */
#define COLORFUL_KERNEL                                                                            \
   "add(16) g10<1>UW g1.4<2,4,0>UW 0x10101010V { align1 WE_all 1H };\n"                            \
   "add(16) g11<1>UW g1.5<2,4,0>UW 0x11001100V { align1 WE_all 1H };\n"                            \
   "mov(16) g20<1>F g10<8,8,1>UW { align1 1H };\n"                                                 \
   "mov(16) g22<1>F g11<8,8,1>UW { align1 1H };\n"                                                 \
   "mul(16) g112<1>F g20<8,8,1>F 0x3b800000F { align1 1H };\n"                                     \
   "mul(16) g114<1>F g22<8,8,1>F 0x3b800000F { align1 1H };\n"                                     \
   "mul(16) g116<1>F g112<8,8,1>F g114<8,8,1>F { align1 1H };\n"                                   \
   "mul(16) g118<1>F g114<8,8,1>F 0x3f400000F { align1 1H };\n" END16

/* Colours that differ from pixel to pixel; native code in series, whose rows go through the colour
 * calculator 16 at a time, against the general code: threads one by one, pixel by pixel. */
static void
blended_rows(void **state)
{
   static const unsigned format[] = {0xc7, 0xc0, 0xd8};
   static const uint8_t factor[] = {1, 2, 3, 4, 5, 0x11, 0x12, 0x13, 0x14, 0x15};
   struct scene *both[2] = {*state, NULL};
   void *second = NULL;
   setup(&second);
   both[1] = second;
   both[1]->rig->dev->eu->native_after = 0;
   both[1]->rig->dev->trace.wanted = 1u << PERGOLA_EVENT_MESSAGE; /* the slow path */
   both[0]->rig->dev->eu->native_after = 1;
   for (unsigned i = 0; i < 36; i++) {
      struct flat_draw f = {.tiling = i % 3,
                            .format = format[random_below(3)],
                            .objects = 1 + random_below(4),
                            .triangles = random_below(2),
                            .budget = UINT64_MAX};
      struct hw_blend_state_entry e = {.color_buffer_blend_enable = i % 4 != 0,
                                       .source_blend_factor = factor[random_below(COUNT(factor))],
                                       .destination_blend_factor =
                                           factor[random_below(COUNT(factor))],
                                       .source_alpha_blend_factor = 1,
                                       .destination_alpha_blend_factor = 0x11,
                                       .write_disable_green = !random_below(4),
                                       .pre_blend_color_clamp_enable = true,
                                       .post_blend_color_clamp_enable = true};
      bool over = !random_below(3); /* which has a path of its own */
      if (over)
         e.source_blend_factor = e.source_alpha_blend_factor = 3, e.write_disable_green = false,
         e.destination_blend_factor = e.destination_alpha_blend_factor = 0x13;
      random_objects(both[0], both[1], &f);
      for (unsigned k = 0; k < 2; k++) {
         struct scene *s = both[k];
         load_kernel(s, 0, COLORFUL_KERNEL);
         s->ps._8_pixel_dispatch_enable = false;
         s->ps._16_pixel_dispatch_enable = true;
         gen7_blend_state_entry_pack(rig_ggtt(s->rig, DYNAMIC + 0x400), &e);
         s->extra[0] = GEN7_3DSTATE_BLEND_STATE_POINTERS_HEADER;
         s->extra[1] = 0x400 | 1;
         s->extras = 2;
         draw_flat(s, &f, 1);
      }
      assert_memory_equal(rig_ggtt(both[0]->rig, TARGET), rig_ggtt(both[1]->rig, TARGET),
                          BIG * BIG * 4);
   }
   teardown(&second);
}

/* ---- rows of pixels with several samples -------------------------------------------------------
 */

/* 3DSTATE_MULTISAMPLE and the entry of blending. */
static void
set_samples(struct scene *s, unsigned samples, const struct hw_blend_state_entry *e)
{
   const uint32_t place[2][2] = {{0xae2ae662, 0}, {0x53d97b95, 0xf1bf173d}},
                  dw[6] = {0x790d0002,
                           (samples == 8 ? 3u : 2u) << 1,
                           place[samples == 8][0],
                           place[samples == 8][1],
                           GEN7_3DSTATE_BLEND_STATE_POINTERS_HEADER,
                           0x400 | 1};
   memcpy(s->extra, dw, sizeof(dw));
   s->extras = 6;
   s->sf.multisample_rasterization_mode = s->wm.multisample_rasterization_mode = 3;
   s->wm.multisample_dispatch_mode = 1;
   gen7_blend_state_entry_pack(rig_ggtt(s->rig, DYNAMIC + 0x400), e);
}

/* Whole pixels and parts of them, blended and not, whose samples share slices or have their own:
 * native code in series against threads one by one, pixel by pixel. */
static void
rows_of_samples(void **state)
{
   enum { SIZE = 128 };
   struct scene *both[2] = {*state, NULL};
   void *second = NULL;
   setup(&second);
   both[1] = second;
   both[1]->rig->dev->eu->native_after = 0;
   both[1]->rig->dev->trace.wanted = 1u << PERGOLA_EVENT_MESSAGE; /* the slow path */
   both[0]->rig->dev->eu->native_after = 1;
   for (unsigned i = 0; i < 48; i++) {
      struct outcome out[2];
      struct flat_draw f = {.tiling = 2,
                            .format = i % 4 ? 0xc7 : 0xd8,
                            .width = SIZE,
                            .height = SIZE,
                            .samples = random_below(3) ? 4 : 8,
                            .control = random_below(4),
                            .objects = 1 + random_below(4),
                            .budget = random_below(2) ? UINT64_MAX : 20000 + random_below(100000)};
      struct hw_blend_state_entry e = {.color_buffer_blend_enable = random_below(2),
                                       .source_blend_factor = 3,
                                       .destination_blend_factor = 0x13,
                                       .source_alpha_blend_factor = 1,
                                       .destination_alpha_blend_factor = 0x11,
                                       .write_disable_green = !random_below(4),
                                       .pre_blend_color_clamp_enable = true,
                                       .post_blend_color_clamp_enable = true};
      uint32_t mask = random_below(3) ? 0xff : random_below(256);
      for (unsigned n = 0; n < f.objects; n++) { /* of whole blocks, or that end within pixels */
         uint32_t steps = random_below(2) ? SIZE / 8 : SIZE * 4;
         float step = (float)SIZE / (float)steps, x = step * (float)random_below(steps),
               y = step * (float)random_below(steps);
         set_rectangle(both[0], n, x, y, x + step * (float)random_below(steps),
                       y + step * (float)random_below(steps));
      }
      memcpy(both[1]->vertex, both[0]->vertex, sizeof(both[0]->vertex));
      for (unsigned k = 0; k < 2; k++) {
         struct scene *s = both[k];
         load_kernel(s, 0, COLORFUL_KERNEL);
         s->ps._8_pixel_dispatch_enable = false;
         s->ps._16_pixel_dispatch_enable = true;
         s->wm.statistics_enable = true;
         s->mask.sample_mask = mask;
         set_samples(s, f.samples, &e);
         out[k] = draw_flat(s, &f, 1);
      }
      assert_memory_equal(rig_ggtt(both[0]->rig, TARGET), rig_ggtt(both[1]->rig, TARGET),
                          MEMORY_END - TARGET);
      assert_int_equal(out[0].invocations, out[1].invocations);
      assert_int_equal(out[0].passed, out[1].passed);
   }
   teardown(&second);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       CASE(many_host_threads), CASE(scratch_of_its_own),  CASE(places),
       CASE(pages_move),        CASE(shaders_without_end), CASE(shaders_beside_a_blit_that_is_left),
       CASE(time_is_the_same),  CASE(threads_alike),       CASE(threads_move),
       CASE(rows_of_tiles),     CASE(blended_rows),        CASE(rows_of_samples),
       CASE(random_draws)};
   return cmocka_run_group_tests_name("render_workers", tests, NULL, NULL);
}
