/* Vertices through fetch, shader, clip and setup: fast paths against the general code. Two devices
 * draw the same; one has native code, the other interprets. */
#include "scene.h"
#include "eu/op.h"
#include "render/clip/clip.h"
#include "render/sf/sf.h"
#include "render/vs/vs.h"
#include "shared_functions/urb.h"
#include "tests/proves.h"

#define VS_KERNEL 0x800u
#define NUMBER_KERNEL 0x1800u
#define CLIP_VIEWPORT 0x400u
#define INDICES 0x234000u
#define VERTEX_CONSTANTS 0x236000u
#define MESH 600u /* vertices, at most */
/* A mesh of more vertices than are kept: rows of squares. */
#define GRID_INDICES 0x260000u
#define GRID_VERTICES 0x270000u
#define GRID_WIDE 35u
#define GRID_HIGH 40u
#define GRID (GRID_WIDE * GRID_HIGH)
#define GRID_SQUARES ((GRID_WIDE - 1) * (GRID_HIGH - 1))
#define GRID_INDEX_COUNT (12 * GRID_SQUARES) /* in rows, and then at random */

static uint32_t random_state = 99;

static uint32_t
random_below(uint32_t n)
{
   random_state = random_state * 1664525u + 1013904223u;
   return (random_state >> 8) % n;
}

/* What is done to the header before the message: %s. */
static const char vertex_shader[] =
    "mul(8) g115<1>.xyzF g3<4>.xyzzF g1<0>.xyzzF { align16 1Q };\n"
    "add(8) g115<1>.xyzF g115<4>.xyzzF g1.4<0>.xyzzF { align16 1Q };\n"
    "mov(8) g115<1>.wUD g3<4>.wUD { align16 1Q };\n"
    "mov(8) g114<1>UD g2<4>UD { align16 1Q };\n"
    "dp4(8) g116<1>.xyF g115<4>F g3<4>F { align16 1Q };\n"
    "mov(8) g116<1>.zwF g115<4>.yxyxF { align16 1Q };\n"
    "mov(8) g117<1>UD g115<4>UD { align16 1Q };\n"
    "mov(8) g113<1>UD g0<4>UD { align16 WE_all 1Q };\n"
    "or(1) g113.5<1>UD g0.5<0,1,0>UD 0x0000ff00UD { align1 WE_all 1N };\n"
    "%s"
    "send(8) null<1>F g113<4>F 0x8a08c000 urb MsgDesc: mlen 5 rlen 0 { align16 1Q EOT };\n";

struct vertex_draw {
   const char *header;
   unsigned vertices, topology, entries;
   bool indexed, single, grid, no_cache;
   bool clipped; /* to a window of guardbands; and pixels have the object's number */
   bool cut;
   unsigned instances, cull, fill; /* of those that are clipped */
   uint64_t budget;
};

static void
add(struct scene *s, const uint32_t *dw, unsigned count)
{
   memcpy(s->extra + s->extras, dw, count * sizeof(*dw));
   s->extras += count;
}

/* The screen's left upper part is inside, the rest beyond the guardband. */
static void
set_clip_state(struct scene *s, const struct vertex_draw *d)
{
   uint32_t dw[16], number;
   gen7_sf_clip_viewport_pack(rig_ggtt(s->rig, DYNAMIC + CLIP_VIEWPORT),
                              &(struct hw_sf_clip_viewport){.x_min_clip_guardband = 2,
                                                            .x_max_clip_guardband = 40.5f,
                                                            .y_min_clip_guardband = 1.5f,
                                                            .y_max_clip_guardband = 20});
   gen7_3dstate_viewport_state_pointers_sf_clip_pack(
       dw, &(struct hw_3dstate_viewport_state_pointers_sf_clip){CLIP_VIEWPORT});
   add(s, dw, GEN7_3DSTATE_VIEWPORT_STATE_POINTERS_SF_CLIP_LENGTH);
   s->clip = (struct hw_3dstate_clip){
       .clip_enable = true, .statistics_enable = true, .guardband_clip_test_enable = true};
   s->sf.cull_mode = d->cull;
   s->sf.frontface_fill_mode = s->sf.backface_fill_mode = d->fill;
   gen7_sf_output_attribute_detail_pack(
       &number, &(struct hw_sf_output_attribute_detail){.component_override_x = true,
                                                        .component_override_y = true,
                                                        .component_override_z = true,
                                                        .component_override_w = true,
                                                        .constant_source = 3}); /* PRIM_ID */
   s->sbe = (struct hw_3dstate_sbe){.vertex_urb_entry_read_length = 1,
                                    .number_of_sf_output_attributes = 1,
                                    .attribute_swizzle_enable = true,
                                    .attribute_0 = number};
   s->ps.attribute_enable = true;
   s->ps.kernel_start_pointer_0 = NUMBER_KERNEL;
   load_kernel(s, NUMBER_KERNEL,
               "mov(8) g112<1>UD g4.3<0,1,0>UD { align1 1Q };\n"
               "mov(8) g113<1>UD g4.7<0,1,0>UD { align1 1Q };\n"
               "mov(8) g114<1>UD 5UD { align1 1Q };\n"
               "mov(8) g115<1>UD 6UD { align1 1Q };\n" END8);
}

static void
set_state(struct scene *s, const struct vertex_draw *d)
{
   uint32_t dw[16];
   s->extras = 0;
   gen7_3dstate_urb_vs_pack(dw, &(struct hw_3dstate_urb_vs){.urb_starting_address = 4,
                                                            .number_of_urb_entries = d->entries,
                                                            .urb_entry_allocation_size = 0});
   add(s, dw, GEN7_3DSTATE_URB_VS_LENGTH);
   gen7_3dstate_constant_vs_pack(dw,
                                 &(struct hw_3dstate_constant_vs){
                                     .constant_buffer_0_read_length = 1,
                                     .pointer_to_constant_buffer_0 = VERTEX_CONSTANTS - DYNAMIC});
   add(s, dw, GEN7_3DSTATE_CONSTANT_VS_LENGTH);
   gen7_3dstate_index_buffer_pack(
       dw, &(struct hw_3dstate_index_buffer){
               .cut_index_enable = d->cut,
               .index_format = 2,
               .buffer_starting_address = d->grid ? GRID_INDICES : INDICES,
               .buffer_ending_address =
                   d->grid ? GRID_INDICES + 4 * GRID_INDEX_COUNT - 1 : INDICES + 4 * MESH - 1});
   add(s, dw, GEN7_3DSTATE_INDEX_BUFFER_LENGTH);
   s->vs = (struct hw_3dstate_vs){.kernel_start_pointer = VS_KERNEL,
                                  .enable = true,
                                  .statistics_enable = true,
                                  .maximum_number_of_threads = 35,
                                  .single_vertex_dispatch = d->single,
                                  .vertex_cache_disable = d->no_cache,
                                  .vertex_urb_entry_read_length = 1,
                                  .dispatch_grf_start_register_for_urb_data = 1};
   s->sf = (struct hw_3dstate_sf){.cull_mode = random_state >> 20 & 3, .statistics_enable = true};
   s->vf.statistics_enable = s->wm.statistics_enable = true;
   s->buffer[0].end_address = VERTICES + 12 * MESH - 1;
   if (d->grid) {
      s->buffer[0].buffer_starting_address = GRID_VERTICES;
      s->buffer[0].end_address = GRID_VERTICES + 12 * GRID - 1;
   }
   s->primitive = (struct hw_3dprimitive){.primitive_topology_type = d->topology,
                                          .vertex_access_type = d->indexed,
                                          .vertex_count_per_instance = d->vertices,
                                          .instance_count = d->clipped ? d->instances : 1};
   if (d->clipped)
      set_clip_state(s, d);
}

static void
fill_memory(struct scene *s, uint32_t seed)
{
   static const float constants[8] = {1.5f, 0.5f, 1, 0, 2, 3, 0.25f, 0};
   float v[MESH][3];
   uint32_t index[MESH];
   for (unsigned i = 0; i < MESH; i++)
      for (unsigned k = 0; k < 3; k++) {
         seed = seed * 1664525u + 1013904223u;
         v[i][k] = (float)(seed >> 16 & 0x3ff) / 16 - (i % 5 ? 0 : 20);
         index[i] = (i / 6 * 4 + (seed >> 12) % 7) % MESH;
      }
   memcpy(rig_ggtt(s->rig, VERTICES), v, sizeof(v));
   memcpy(rig_ggtt(s->rig, INDICES), index, sizeof(index));
   memcpy(rig_ggtt(s->rig, VERTEX_CONSTANTS), constants, sizeof(constants));
}

static void
fill_grid(struct scene *s)
{
   static float v[GRID][3];
   static uint32_t index[2 * GRID_SQUARES][6];
   uint32_t seed = 1;
   for (unsigned i = 0; i < GRID; i++) {
      v[i][0] = (float)(i % GRID_WIDE) * 1.5f;
      v[i][1] = (float)(i / GRID_WIDE) * 0.75f;
   }
   for (unsigned i = 0; i < GRID_SQUARES; i++) {
      unsigned a = i / (GRID_WIDE - 1) * GRID_WIDE + i % (GRID_WIDE - 1), b = a + GRID_WIDE;
      const uint32_t two[6] = {a, a + 1, b, b, a + 1, b + 1};
      memcpy(index[i], two, sizeof(two));
      for (unsigned k = 0; k < 6; k++) {
         seed = seed * 1664525u + 1013904223u;
         index[GRID_SQUARES + i][k] = (seed >> 8) % GRID;
      }
   }
   memcpy(rig_ggtt(s->rig, GRID_VERTICES), v, sizeof(v));
   memcpy(rig_ggtt(s->rig, GRID_INDICES), index, sizeof(index));
}

static const uint32_t counters[] = {REG_IA_VERTICES_COUNT,   REG_IA_PRIMITIVES_COUNT,
                                    REG_VS_INVOCATION_COUNT, REG_CL_PRIMITIVES_COUNT,
                                    REG_PS_INVOCATION_COUNT, REG_CL_INVOCATION_COUNT};

/* Strips end here and there, in the middle of triangles too. */
static void
cut_some(struct scene *s, uint32_t seed)
{
   for (unsigned i = 0; i < 30; i++) {
      seed = seed * 1664525u + 1013904223u;
      rig_ggtt(s->rig, INDICES)[(seed >> 8) % MESH] = UINT32_MAX;
      rig_ggtt(s->rig, GRID_INDICES)[(seed >> 8) % GRID_INDEX_COUNT] = UINT32_MAX;
   }
}

static void
draw_vertices(struct scene *s, const struct vertex_draw *d, uint32_t seed, unsigned threads,
              uint32_t counts[COUNT(counters)])
{
   char text[2048];
   uint32_t dw[512];
   uint32_t before = random_state;
   snprintf(text, sizeof(text), vertex_shader, d->header);
   load_kernel(s, VS_KERNEL, text);
   random_state = seed;
   set_state(s, d);
   random_state = before;
   prepare(s);
   fill_memory(s, seed);
   fill_grid(s);
   if (d->cut)
      cut_some(s, seed);
   memset(s->rig->dev->urb->data, 0, s->rig->dev->urb->size_B);
   s->rig->dev->config.host_threads = threads;
   for (unsigned i = 0; i < COUNT(counters); i++)
      counts[i] = rig_reg(s->rig, counters[i]);
   rig_ring(s->rig, RCS, dw, record(s, dw));
   unsigned turns = 0;
   while (pergola_run(s->rig->dev, d->budget) == PERGOLA_RUN_BUDGET && turns < 1000000)
      turns++;
   assert_in_range(turns, 0, 999999);
   for (unsigned i = 0; i < COUNT(counters); i++)
      counts[i] = rig_reg(s->rig, counters[i]) - counts[i];
}

/* Shaded vertices, wherever they lie. */
static void
compare_entries(const struct vf *a, const struct vf *b)
{
   assert_int_equal(a->stored, b->stored);
   assert_int_equal(a->known, b->known);
   for (unsigned i = 0; i < a->known; i++)
      assert_memory_equal(a->vertex[i].vue, b->vertex[i].vue, a->stride_B);
}

static void
compare(struct scene *fast, struct scene *plain, const struct vertex_draw *d, unsigned threads)
{
   uint32_t a[COUNT(counters)], b[COUNT(counters)], seed = random_below(1u << 24);
   draw_vertices(fast, d, seed, threads, a);
   draw_vertices(plain, d, seed, 1, b);
   assert_memory_equal(a, b, sizeof(a));
   assert_int_equal(a[0], d->vertices);
   assert_true(a[2] > 0);
   assert_memory_equal(rig_ggtt(fast->rig, TARGET), rig_ggtt(plain->rig, TARGET),
                       WIDTH * HEIGHT * 16);
   compare_entries(&fast->rig->dev->render->vf, &plain->rig->dev->render->vf);
   if (!fast->rig->dev->render->vf.stored) /* else threads side by side leave it alone */
      assert_memory_equal(fast->rig->dev->urb->data, plain->rig->dev->urb->data,
                          plain->rig->dev->urb->size_B);
}

/* Has any thread run side by side with others? Its header is in the frame. */
static bool
went_wide(struct scene *s)
{
   struct dispatch_crew *c = &s->rig->dev->render->vs_crew.crew;
   bool any = false;
   for (unsigned i = 0; i < c->workers; i++) {
      uint32_t *frame = ((struct vs_worker *)(void *)c->worker[i])->frame;
      any = any || *eu_wide_at(frame, 0, 113, 0);
   }
   return any;
}

/* Vertex shader threads side by side leave the entries, pixels and counts that they leave one by
 * one, whatever their number, host threads and budgets. */
static void
many_vertices(void **state)
{
   proves("P3D-086", "P3D-094", "P3D-097");
   static const uint8_t topologies[] = {1, 2, 3, 4, 5, 6, 4, 4};
   struct scene *fast = *state, *plain;
   void *second = NULL;
   setup(&second);
   plain = second;
   plain->rig->dev->eu->native_after = 0;
   fast->rig->dev->eu->native_after = 1;
   for (unsigned i = 0; i < 120; i++) {
      struct vertex_draw d = {.header = "",
                              .vertices = 1 + random_below(i % 3 ? 80 : MESH),
                              .topology = topologies[random_below(COUNT(topologies))],
                              .entries = 32 + 8 * random_below(30),
                              .indexed = random_below(2),
                              .single = !random_below(8),
                              .budget = random_below(3) ? UINT64_MAX : 50 + random_below(5000)};
      compare(fast, plain, &d, 1 + random_below(3));
   }
   assert_true(went_wide(fast) || !fast->rig->dev->eu->fast);
   assert_false(went_wide(plain));
   teardown(&second);
}

/* A mesh with more vertices than are kept shades each of them about once, and draws what it does
 * when none is used again. */
static void
rounds(void **state)
{
   proves("P3D-069");
   struct scene *once = *state, *again;
   void *second = NULL;
   uint32_t a[COUNT(counters)], b[COUNT(counters)], shaded = 0;
   setup(&second);
   again = second;
   once->rig->dev->eu->native_after = again->rig->dev->eu->native_after = 1;
   for (unsigned i = 0; i < 12; i++) {
      struct vertex_draw d = {.header = "",
                              .vertices = i % 2 ? GRID_INDEX_COUNT : 6 * GRID_SQUARES,
                              .topology = 4,
                              .entries = 32 + 8 * random_below(30),
                              .indexed = true,
                              .grid = true,
                              .budget = i % 3 ? UINT64_MAX : 5000 + random_below(5000)};
      uint32_t seed = random_below(1u << 24);
      draw_vertices(once, &d, seed, 1 + random_below(2), a);
      d.no_cache = true;
      draw_vertices(again, &d, seed, 1, b);
      assert_memory_equal(rig_ggtt(once->rig, TARGET), rig_ggtt(again->rig, TARGET),
                          WIDTH * HEIGHT * 16);
      assert_in_range(a[2], GRID, i % 2 ? d.vertices - 1 : GRID + GRID / 8);
      assert_int_equal(b[2], d.vertices);
      assert_int_equal(a[1], b[1]);
      assert_int_equal(a[3], b[3]);
      assert_int_equal(a[4], b[4]);
      for (unsigned k = 0; k < WIDTH * HEIGHT; k++)
         shaded += rig_ggtt(once->rig, TARGET)[4 * k] != UNTOUCHED;
   }
   assert_true(shaded > 3 * WIDTH * HEIGHT); /* pixels */
   teardown(&second);
}

/* Triangles that are dropped before they are objects leave the pixels, with the numbers of those
 * that are seen, and the counts that they leave when each goes through clip and setup. */
static void
dropped_triangles(void **state)
{
   proves("P3D-185", "P3D-202", "P3D-203", "P3D-215");
   struct scene *fast = *state, *plain;
   void *second = NULL;
   uint32_t a[COUNT(counters)], b[COUNT(counters)], in = 0, out = 0, lit = 0;
   setup(&second);
   plain = second;
   plain->rig->dev->render->vectors = false; /* nothing is found of many vertices at once */
   plain->rig->dev->eu->native_after = 0;
   fast->rig->dev->eu->native_after = 1;
   for (unsigned i = 0; i < 60; i++) {
      bool grid = random_below(2);
      struct vertex_draw d = {.header = "",
                              .vertices = 1 + random_below(grid ? GRID_INDEX_COUNT : MESH),
                              .topology = random_below(6) ? 4 : 5,
                              .entries = 32 + 8 * random_below(30),
                              .indexed = random_below(4) > 0 || grid,
                              .grid = grid,
                              .clipped = true,
                              .cut = random_below(2),
                              .instances = 1 + random_below(3),
                              .cull = random_below(4),
                              .fill = random_below(4) ? 0 : random_below(3),
                              .budget = random_below(3) ? UINT64_MAX : 500 + random_below(5000)};
      uint32_t seed = random_below(1u << 24);
      draw_vertices(fast, &d, seed, 1 + random_below(3), a);
      draw_vertices(plain, &d, seed, 1, b);
      assert_memory_equal(a, b, sizeof(a));
      assert_memory_equal(rig_ggtt(fast->rig, TARGET), rig_ggtt(plain->rig, TARGET),
                          WIDTH * HEIGHT * 16);
      in += a[5];
      out += a[3];
      for (unsigned k = 0; k < WIDTH * HEIGHT; k++)
         lit += rig_ggtt(fast->rig, TARGET)[4 * k] != UNTOUCHED;
   }
   assert_true(out > 1000 && in - out > 1000 && lit > 3 * WIDTH * HEIGHT);
   teardown(&second);
}

/* A shader that writes to entries of others, to parts of its own, or to none: nothing of it is
 * taken for granted. */
static void
strange_headers(void **state)
{
   static const char *const header[] = {"add(1) g113<1>UD g0<0,1,0>UD 1UD { align1 WE_all 1N };\n",
                                        "mov(1) g113.1<1>UD g0<0,1,0>UD { align1 WE_all 1N };\n",
                                        "mov(1) g113.5<1>UD 0x00000f00UD { align1 WE_all 1N };\n",
                                        "mov(1) g113<1>UD 0x0000ffffUD { align1 WE_all 1N };\n",
                                        "mov(8) g113<1>.xUD 0x00000100UD { align16 1Q };\n"};
   struct scene *fast = *state, *plain;
   void *second = NULL;
   setup(&second);
   plain = second;
   plain->rig->dev->eu->native_after = 0;
   fast->rig->dev->eu->native_after = 1;
   for (unsigned i = 0; i < 4 * COUNT(header); i++) {
      struct vertex_draw d = {.header = header[i % COUNT(header)],
                              .vertices = 1 + random_below(100),
                              .topology = 4,
                              .entries = 64,
                              .indexed = random_below(2),
                              .budget = UINT64_MAX};
      compare(fast, plain, &d, 1);
   }
   teardown(&second);
}

/* ---- codes and places -------------------------------------------------------------------------
 */

static float
coordinate(void)
{
   static const float special[] = {0,        -0.0f,     1,      -1,    NAN,
                                   INFINITY, -INFINITY, 1e-40f, 3e38f, -3e38f};
   uint32_t k = random_below(40);
   return k < COUNT(special) ? special[k] : ((float)random_below(1 << 16) - 32768) / 4096;
}

static void
random_clip_state(struct render *r)
{
   r->state.clip = (struct hw_3dstate_clip){.clip_enable = true,
                                            .viewport_xy_clip_test_enable = random_below(4) > 0,
                                            .viewport_z_clip_test_enable = random_below(4) > 0,
                                            .guardband_clip_test_enable = random_below(2),
                                            .api_mode = random_below(2)};
   r->state.sf = (struct hw_3dstate_sf){.viewport_transform_enable = random_below(4) > 0,
                                        .front_winding = random_below(2),
                                        .cull_mode = random_below(4)};
   r->state.area.drawing_rectangle_origin_x = random_below(3) * 7;
   r->state.area.drawing_rectangle_origin_y = random_below(3) * 5;
   r->state.viewport[0] = (struct hw_sf_clip_viewport){.viewport_matrix_element_m00 = 100.7f,
                                                       .viewport_matrix_element_m11 = -53.3f,
                                                       .viewport_matrix_element_m22 = 0.5f,
                                                       .viewport_matrix_element_m30 = 101.3f,
                                                       .viewport_matrix_element_m31 = 50.1f,
                                                       .viewport_matrix_element_m32 = 0.5f,
                                                       .x_min_clip_guardband = -3.5f,
                                                       .x_max_clip_guardband = 4.5f,
                                                       .y_min_clip_guardband = -1.5f,
                                                       .y_max_clip_guardband = 2.5f};
}

/* What is found for four vertices at once is what is found one by one, and so are the objects that
 * are dropped by it. */
static void
codes_and_places(void **state)
{
   proves("P3D-180", "P3D-181", "P3D-184", "P3D-185", "P3D-186", "P3D-202", "P3D-203", "P3D-210",
          "P3D-214", "P3D-215");
   struct scene *s = *state;
   struct render *r = s->rig->dev->render;
   static float position[64][8];
   unsigned dropped = 0;
   for (unsigned i = 0; i < 64; i++)
      r->vf.vertex[i] = (struct vertex){.vue = (uint32_t *)(void *)position[i], .vue_slots = 2};
   for (unsigned round = 0; round < 400 && r->vectors; round++) {
      random_clip_state(r);
      for (unsigned i = 0; i < 64; i++) {
         for (unsigned k = 4; k < 8; k++)
            position[i][k] = coordinate();
         if (i % 4) /* most are in front of the eye */
            position[i][7] = 8;
         render_forget(r, &r->vf.vertex[i]);
      }
      found_find(r, 0, 64);
      static struct vertex_found all[64];
      static double place[64][4];
      memcpy(all, r->found, sizeof(all));
      memcpy(place, r->place, sizeof(place));
      for (unsigned i = 0; i < 64; i++) {
         struct sf_vertex at;
         render_forget(r, &r->vf.vertex[i]);
         assert_int_equal(all[i].code_viewport, 1);
         assert_int_equal(all[i].code, clip_code(r, &r->vf.vertex[i], 0));
         assert_int_equal(all[i].number, sf_transform(r, &r->vf.vertex[i], 0, &at));
         if (!all[i].number)
            continue;
         assert_memory_equal(place[i], ((double[4]){at.x, at.y, at.z, at.rhw}), sizeof(place[i]));
         assert_int_equal(all[i].qx, at.qx);
         assert_int_equal(all[i].qy, at.qy);
      }
      for (unsigned i = 0; i + 3 <= 64; i++) {
         struct object o = {.kind = OBJECT_TRIANGLE,
                            .vertices = 3,
                            .inner = {0, 1, 2},
                            .odd = i & 1,
                            .v = {&r->vf.vertex[i], &r->vf.vertex[i + 1], &r->vf.vertex[i + 2]}};
         uint64_t in = r->clip_in, out = r->clip_out;
         memcpy(r->found, all, sizeof(all));
         bin_empty(&r->bin);
         if (!found_dropped(r, &o))
            continue;
         in = r->clip_in - in;
         out = r->clip_out - out;
         r->clip_in -= in;
         r->clip_out -= out;
         dropped++;
         uint64_t in_before = r->clip_in, out_before = r->clip_out;
         clip_object(r, &o);
         assert_int_equal(r->bin.setups, 0);
         assert_int_equal(r->clip_in - in_before, in);
         assert_int_equal(r->clip_out - out_before, out);
      }
   }
   assert_true(dropped > 1000 || !r->vectors);
   r->known = false;
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       CASE(many_vertices),   CASE(rounds),           CASE(dropped_triangles),
       CASE(strange_headers), CASE(codes_and_places),
   };
   return cmocka_run_group_tests_name("render_vertices", tests, NULL, NULL);
}
