/* Patches through hull shader, tessellation engine and domain shader to memory: what threads get,
 * what comes of it, and what goes wrong. The points are those of te_tessellate(), which has a model
 * of its own (te_model.py). */
#include "render/te/te.h"
#include "scene.h"
#include "shared_functions/urb.h"
#include "tests/proves.h"

#define OUT 0x250000u
#define OUT_DW 16384u
#define HS_KERNEL 0x1000u
#define DS_KERNEL 0x2000u
#define UNWRITTEN 0xcdcdcdcdu
#define FIRST_HS 6u /* of the URB, in units of 8 KiB */
#define FIRST_DS 8u
#define DS_ROWS (64 * 64 / URB_ROW_SIZE) /* of all entries that a case has */

static struct te_output te;

struct patch {
   struct hw_3dstate_hs hs;
   struct hw_3dstate_te te;
   struct hw_3dstate_ds ds;
   struct hw_3dstate_urb_hs urb_hs;
   struct hw_3dstate_urb_ds urb_ds;
   struct hw_3dstate_constant_hs constants;
   unsigned vertices, patches;
   float factor[6]; /* DW7 to DW2 */
   bool rendered;
};

/* The factors are constants of the hull shader, which writes them to the patch header. `more` comes
 * before that. */
static void
load_hs_at(struct scene *s, uint32_t at, const char *more)
{
   static char text[2048];
   snprintf(text, sizeof(text),
            "mov(8) g112<1>UD g0<8,8,1>UD { align1 WE_all 1Q };\n"
            "mov(1) g112.5<1>UD 0x0000ff00UD { align1 WE_all };\n"
            "mov(1) g112.2<1>UD 0UD { align1 WE_all };\n"
            "mov(8) g113<1>UD g5<8,8,1>UD { align1 WE_all 1Q };\n"
            "%s"
            "send(8) null<1>UW g112<8,8,1>UD 0x04088000 urb MsgDesc: mlen 2 rlen 0 { align1 WE_all "
            "1Q EOT };\n",
            more);
   load_kernel(s, at, text);
}

static void
load_hs(struct scene *s, const char *more)
{
   load_hs_at(s, HS_KERNEL, more);
}

/* Slot 0 of each point: u, v, w and, of the first of two, the patch's handle, of the second its
 * PrimitiveID; slot 1: the first four dwords of what is read of the patch. */
static void
load_ds(struct scene *s)
{
   load_kernel(
       s, DS_KERNEL,
       "mov(8) g112<1>UD g0<8,8,1>UD { align1 WE_all 1Q };\n"
       "mov(1) g112.5<1>UD 0x0000ff00UD { align1 WE_all };\n"
       "mov(8) g113<1>UD 0xaaaaaaaaUD { align1 WE_all 1Q };\n" /* of channels that are off */
       "mov(8) g113<1>UD g1<8,8,1>UD { align1 1Q };\n"
       "mov(4) g114<1>UD g2.4<4,4,1>UD { align1 WE_all };\n"
       "mov(4) g114.4<1>UD g2.4<4,4,1>UD { align1 WE_all };\n"
       "send(8) null<1>UW g112<8,8,1>UD 0x0608c000 urb MsgDesc: mlen 3 rlen 0 { align1 1Q "
       "EOT };\n");
}

static struct patch
patch_of(struct scene *s, unsigned domain, unsigned partitioning, unsigned topology)
{
   load_hs(s, "");
   load_ds(s);
   return (struct patch){
       .hs = {.enable = true,
              .statistics_enable = true,
              .kernel_start_pointer = HS_KERNEL,
              .maximum_number_of_threads = 15,
              .include_vertex_handles = true,
              .dispatch_grf_start_register_for_urb_data = 5},
       .te = {.te_enable = true,
              .te_domain = domain,
              .partitioning = partitioning,
              .output_topology = topology,
              .maximum_tessellation_factor_odd = 63,
              .maximum_tessellation_factor_not_odd = 64},
       .ds = {.enable = true,
              .statistics_enable = true,
              .kernel_start_pointer = DS_KERNEL,
              .maximum_number_of_threads = 15,
              .dispatch_grf_start_register_for_urb_data = 2,
              .patch_urb_entry_read_length = 1,
              .compute_w_coordinate_enable = domain == TE_TRI},
       .urb_hs = {.urb_starting_address = FIRST_HS,
                  .urb_entry_allocation_size = 1,
                  .number_of_urb_entries = 8},
       .urb_ds = {.urb_starting_address = FIRST_DS,
                  .urb_entry_allocation_size = 0,
                  .number_of_urb_entries = 40},
       .constants = {.constant_buffer_0_read_length = 1, .pointer_to_constant_buffer_0 = 0x800},
       .vertices = 3,
       .patches = 1,
   };
}

static void
run(struct scene *s, const struct patch *p)
{
   const struct hw_3dstate_streamout so = {.so_function_enable = true,
                                           .rendering_disable = !p->rendered,
                                           .so_statistics_enable = true,
                                           .so_buffer_enable_0 = true,
                                           .stream_0_vertex_read_length = 0};
   static const struct hw_3dstate_so_buffer buffer = {
       .surface_base_address = OUT, .surface_end_address = OUT + 4 * OUT_DW, .surface_pitch = 32};
   /* Both slots, whole. */
   static const uint32_t declarations[7] = {0x79170005, 1, 2, 0x00f, 0, 0x01f, 0},
                         kernels_changed[5] = {0x7a000003, 1 << 11, 0, 0, 0};
   static const uint32_t spare_entries[4] = {0x78300000, 32 | 1 << 16 | 5u << 25, 0x78330000, 0};
   uint32_t dw[640], header[8] = {0};
   s->primitive.primitive_topology_type = 0x20 + p->vertices - 1;
   s->primitive.vertex_count_per_instance = p->vertices * p->patches;
   s->extras = 0;
   memcpy(s->extra, kernels_changed, sizeof(kernels_changed));
   s->extras = 5;
   memcpy(s->extra + s->extras, spare_entries, sizeof(spare_entries));
   s->extras += 4;
   EMIT(s->extra, s->extras, 3DSTATE_HS, 3dstate_hs, &p->hs);
   EMIT(s->extra, s->extras, 3DSTATE_TE, 3dstate_te, &p->te);
   EMIT(s->extra, s->extras, 3DSTATE_DS, 3dstate_ds, &p->ds);
   EMIT(s->extra, s->extras, 3DSTATE_URB_HS, 3dstate_urb_hs, &p->urb_hs);
   EMIT(s->extra, s->extras, 3DSTATE_URB_DS, 3dstate_urb_ds, &p->urb_ds);
   EMIT(s->extra, s->extras, 3DSTATE_CONSTANT_HS, 3dstate_constant_hs, &p->constants);
   EMIT(s->extra, s->extras, 3DSTATE_STREAMOUT, 3dstate_streamout, &so);
   EMIT(s->extra, s->extras, 3DSTATE_SO_BUFFER, 3dstate_so_buffer, &buffer);
   memcpy(s->extra + s->extras, declarations, sizeof(declarations));
   s->extras += 7;
   assert_true(s->extras <= 64);
   prepare(s);
   for (unsigned i = 0; i < 6; i++)
      memcpy(&header[7 - i], &p->factor[i], 4);
   memcpy(rig_ggtt(s->rig, DYNAMIC + 0x800), header, sizeof(header));
   for (unsigned i = 0; i < OUT_DW; i++)
      rig_ggtt(s->rig, OUT)[i] = UNWRITTEN;
   static const uint32_t zeroed[] = {REG_SO_WRITE_OFFSET_0, REG_SO_NUM_PRIMS_WRITTEN_0,
                                     REG_HS_INVOCATION_COUNT, REG_DS_INVOCATION_COUNT,
                                     REG_SO_PRIM_STORAGE_NEEDED_0};
   for (unsigned i = 0; i < sizeof(zeroed) / 4; i++)
      rig_set(s->rig, zeroed[i], 0);
   /* what the domain shader leaves out has no value */
   memset(urb_row(s->rig->dev->urb, FIRST_DS * 8192 / URB_ROW_SIZE, DS_ROWS), 0xcd,
          DS_ROWS * URB_ROW_SIZE);
   rig_forget(s->rig);
   rig_submit(s->rig, RCS, dw, record(s, dw));
}

static uint32_t
word(struct scene *s, unsigned vertex, unsigned i)
{
   return rig_ggtt(s->rig, OUT)[8 * vertex + i];
}

static float
value(struct scene *s, unsigned vertex, unsigned i)
{
   float f;
   uint32_t w = word(s, vertex, i);
   memcpy(&f, &w, 4);
   return f;
}

static void
tessellate(const struct patch *p)
{
   struct te_state state = {(enum te_domain)p->te.te_domain,
                            (enum te_partitioning)p->te.partitioning,
                            (enum te_topology)p->te.output_topology, 63, 64};
   uint32_t header[8] = {0};
   for (unsigned i = 0; i < 6; i++)
      memcpy(&header[7 - i], &p->factor[i], 4);
   memset(&te, 0, sizeof(te));
   te_tessellate(&state, header, &te);
}

/* All that has been written is the patches' points, in the order of their indices. */
static void
expect_points(struct scene *s, const struct patch *p)
{
   unsigned at = 0;
   tessellate(p);
   for (unsigned k = 0; k < p->patches; k++)
      for (unsigned i = 0; i < te.indices; i++, at++) {
         if (at / 3 * 3 + 3 > OUT_DW / 8) /* the next object does not fit */
            return;
         const struct te_point *q = &te.point[te.index[i]];
         float u = (float)q->u / 65536, v = (float)q->v / 65536;
         assert_true(value(s, at, 0) == u && value(s, at, 1) == v);
         assert_true(
             value(s, at, 2) ==
             (p->ds.compute_w_coordinate_enable ? (float)(int)(65536 - q->u - q->v) / 65536 : 0));
         /* The first of two has the handle of the patch's entry, the second its number. */
         bool second =
             !p->ds.single_domain_point_dispatch && !p->ds.ds_cache_disable && te.index[i] % 2;
         uint32_t w = word(s, at, 3), entry = (w - FIRST_HS * 128) / 2;
         if (second)
            assert_int_equal(w, k);
         else if (!p->ds.ds_cache_disable)
            assert_true(w % 2 == 0 && entry < p->urb_hs.number_of_urb_entries);
         for (unsigned c = 0; c < 4; c++) {
            uint32_t factor;
            memcpy(&factor, &p->factor[3 - c], 4);
            assert_int_equal(word(s, at, 4 + c), factor);
         }
      }
   assert_int_equal(word(s, at, 0), UNWRITTEN);
}

static void
points_of_patches(void **state)
{
   proves("P3D-101", "P3D-105", "P3D-106", "P3D-109", "P3D-127", "P3D-128", "P3D-129", "P3D-131",
          "P3D-132");
   struct scene *s = *state;
   for (unsigned domain = 0; domain < 3; domain++)
      for (unsigned partitioning = 0; partitioning < 3; partitioning++)
         for (unsigned patches = 1; patches <= 19; patches += 9) {
            struct patch p = patch_of(s, domain, partitioning, domain == TE_ISOLINE ? 1 : 2);
            const float factor[6] = {3.5f, 4, 2.25f, 5, 3, 4.5f};
            memcpy(p.factor, factor, sizeof(factor));
            p.patches = patches;
            run(s, &p);
            expect_points(s, &p);
            assert_int_equal(rig_reg(s->rig, REG_HS_INVOCATION_COUNT), patches);
            assert_int_equal(rig_reg(s->rig, REG_DS_INVOCATION_COUNT), patches * te.points);
            rig_clean(s->rig);
         }
}

/* P3D-132: every object has the PrimitiveID of its patch: so have its pixels. All points lie in one
 * place, which the patch header has, and the last patch is seen. */
static void
number_of_the_patch(void **state)
{
   proves("P3D-132");
   struct scene *s = *state;
   for (unsigned patches = 1; patches <= 3; patches++) {
      struct patch p = patch_of(s, TE_ISOLINE, TE_INTEGER, TE_POINTS);
      const float factor[6] = {1, 1, 4.5f, 6.5f, 3, 2}; /* w, z, y, x */
      memcpy(p.factor, factor, sizeof(factor));
      p.patches = patches;
      p.rendered = true;
      s->clip.force_zero_rta_index_enable = true;
      s->sf.point_width = 8;
      s->sf.point_width_source = 1;
      s->sbe = (struct hw_3dstate_sbe){.number_of_sf_output_attributes = 1,
                                       .vertex_urb_entry_read_length = 1,
                                       .attribute_swizzle_enable = true,
                                       .attribute_0 = 3u << 9 | 15u << 12}; /* PrimitiveID */
      s->ps.attribute_enable = true;
      s->ps.kernel_start_pointer_0 = 0x800;
      load_kernel(s, 0x800,
                  "mov(8) g112<1>UD g4.3<0,1,0>UD { align1 1Q };\n"
                  "mov(8) g113<1>UD 5UD { align1 1Q };\n"
                  "mov(8) g114<1>UD 6UD { align1 1Q };\n"
                  "mov(8) g115<1>UD 7UD { align1 1Q };\n" END8);
      run(s, &p);
      assert_int_equal(pixel(s, 6, 4)[1], 5);
      assert_int_equal(pixel(s, 6, 4)[0], patches - 1);
      assert_int_equal(pixel(s, 7, 4)[0], UNTOUCHED);
      rig_clean(s->rig);
   }
}

/* More points than there are entries, at every number of these; alone in a thread; not reused. */
static void
entries_and_reuse(void **state)
{
   proves("P3D-074", "P3D-129", "P3D-130", "P3D-131");
   struct scene *s = *state;
   for (unsigned entries = 10; /* enough */ entries <= 64; entries += 9)
      for (unsigned way = 0; way < 4; way++) {
         struct patch p = patch_of(s, TE_QUAD, TE_INTEGER, TE_TRI_CCW);
         const float factor[6] = {7, 9, 5, 8, 6, 9};
         memcpy(p.factor, factor, sizeof(factor));
         p.patches = 2;
         p.urb_ds.number_of_urb_entries = entries;
         p.ds.single_domain_point_dispatch = way & 1;
         p.ds.ds_cache_disable = way >> 1;
         run(s, &p);
         expect_points(s, &p);
         assert_int_equal(rig_reg(s->rig, REG_DS_INVOCATION_COUNT),
                          2 * (way >> 1 ? te.indices : te.points));
      }
}

static void
most_points(void **state)
{
   proves("P3D-130");
   struct scene *s = *state;
   for (unsigned cache = 0; cache < 2; cache++) {
      struct patch p = patch_of(s, TE_QUAD, TE_INTEGER, TE_TRI_CW);
      for (unsigned i = 0; i < 6; i++)
         p.factor[i] = 64;
      p.ds.ds_cache_disable = cache;
      run(s, &p);
      expect_points(s, &p);
      assert_int_equal(rig_reg(s->rig, REG_DS_INVOCATION_COUNT), cache ? te.indices : te.points);
      assert_int_equal(rig_reg(s->rig, REG_SO_PRIM_STORAGE_NEEDED_0), te.indices / 3);
   }
}

/* Every instance writes its number to a place of its own. */
static void
instances(void **state)
{
   proves("P3D-100", "P3D-102", "P3D-103");
   /* Behind the barrier each reads what the first one wrote before it, into dword 7 - 4 = 3 of the
    * header: a factor that ends as the last instance wrote it. */
   static const char barrier[] =
       "mov(8) g120<1>UD 0UD { align1 WE_all 1Q };\n"
       "and(1) g121.0<1>UD g0.2<0,1,0>UD 0x0000f000UD { align1 WE_all };\n"
       "shl(1) g121.0<1>UD g121.0<0,1,0>UD 12UD { align1 WE_all };\n"
       "or(1) g120.2<1>UD g121.0<0,1,0>UD 0x%xUD { align1 WE_all };\n"
       "send(8) null<1>UW g120<8,8,1>UD 0x02000004 gateway MsgDesc: mlen 1 rlen 0 { align1 WE_all "
       "1Q "
       "};\n"
       "wait(1) n0<1>UD { align1 WE_all 1N };\n";
   struct scene *s = *state;
   char text[1024];
   for (unsigned n = 1; n <= 16; n++) {
      struct patch p = patch_of(s, TE_TRI, TE_INTEGER, TE_TRI_CW);
      const float factor[6] = {2, 3, 2, 3, 0, 0};
      memcpy(p.factor, factor, sizeof(factor));
      p.hs.instance_count = n - 1;
      p.hs.maximum_number_of_threads = 31;
      p.patches = 5;
      snprintf(text, sizeof(text), barrier, n << 9 | 1 << 15);
      load_hs(s, text);
      run(s, &p);
      expect_points(s, &p);
      assert_int_equal(rig_count(s->rig, "P3D-102"), 0);
      if (n != 16) /* a rule that one kernel breaks is reported once */
         continue;
      /* One message too few: they never go on. */
      p.patches = 1;
      snprintf(text, sizeof(text), barrier, (n + 1) << 9 | 1 << 15);
      load_hs(s, text);
      run(s, &p);
      rig_expect(s->rig, "P3D-102");
   }
}

/* P3D-086, P3D-101: tables in R0; factors of lines are two, and leave room in the patch header.
 * P3D-127: what is read of a patch may end with its entry. */
static void
header_of_hull_shaders(void **state)
{
   proves("P3D-086", "P3D-101", "P3D-127");
   struct scene *s = *state;
   struct patch p = patch_of(s, TE_ISOLINE, TE_INTEGER, 1);
   uint32_t dw[4];
   unsigned n = 0;
   EMIT(dw, n, 3DSTATE_BINDING_TABLE_POINTERS_HS, 3dstate_binding_table_pointers_hs,
        &(struct hw_3dstate_binding_table_pointers_hs){0x60});
   EMIT(dw, n, 3DSTATE_SAMPLER_STATE_POINTERS_HS, 3dstate_sampler_state_pointers_hs,
        &(struct hw_3dstate_sampler_state_pointers_hs){0x140});
   rig_submit(s->rig, RCS, dw, n);
   const float factor[6] = {2, 3, 0, 0, 0, 0};
   memcpy(p.factor, factor, sizeof(factor));
   load_hs(s, "mov(1) g113.4<1>UD g0.3<0,1,0>UD { align1 WE_all };\n"
              "mov(1) g113.5<1>UD g0.4<0,1,0>UD { align1 WE_all };\n"
              "send(8) null<1>UW g112<8,8,1>UD 0x04088018 urb MsgDesc: mlen 2 rlen 0 { align1 "
              "WE_all 1Q };\n");
   for (unsigned offset = 0; offset < 4; offset += 3) { /* of the entry's four registers */
      p.ds.patch_urb_entry_read_offset = offset;
      run(s, &p);
      assert_int_equal(word(s, 0, 4), 0x140);
      assert_int_equal(word(s, 0, 5), 0x60);
      rig_clean(s->rig);
   }
}

static void
factors_of_every_kind(void **state)
{
   proves("P3D-110");
   struct scene *s = *state;
   uint32_t seed = 7;
   for (unsigned i = 0; i < 300; i++) {
      struct patch p = patch_of(s, i % 3, i / 3 % 3, i % 3 == TE_ISOLINE ? 1 : 2);
      for (unsigned k = 0; k < 6; k++) {
         seed = seed * 1664525 + 1013904223;
         uint32_t bits = seed ^ seed >> 15;
         memcpy(&p.factor[k], &bits, 4);
      }
      run(s, &p);
      tessellate(&p);
      assert_int_equal(rig_reg(s->rig, REG_DS_INVOCATION_COUNT), te.points);
      assert_int_equal(rig_reg(s->rig, REG_HS_INVOCATION_COUNT), 1);
   }
}

static void
broken_state(void **state)
{
   proves("P3D-067", "P3D-074", "P3D-108", "P3D-126");
   struct scene *s = *state;
   const struct patch good = patch_of(s, TE_QUAD, TE_INTEGER, TE_TRI_CW);
   struct patch p = good;
   p.te.te_enable = false;
   run(s, &p);
   rig_expect(s->rig, "P3D-108");
   p = good;
   p.hs.enable = p.te.te_enable = p.ds.enable = false;
   run(s, &p);
   rig_expect(s->rig, "P3D-067");
   assert_int_equal(rig_reg(s->rig, REG_SO_PRIM_STORAGE_NEEDED_0), 0);
   p = good;
   p.urb_hs.number_of_urb_entries = 0;
   run(s, &p);
   rig_expect(s->rig, "P3D-074");
   p = good;
   p.urb_ds.number_of_urb_entries = 8;
   run(s, &p);
   rig_expect(s->rig, "P3D-074");
   for (unsigned i = 0; i < 5; i++) {
      p = good;
      for (unsigned k = 0; k < 6; k++)
         p.factor[k] = 2;
      p.te.te_mode = i == 0;
      p.te.te_domain = i == 1 ? 3 : i == 2 ? TE_ISOLINE : TE_QUAD;
      p.te.partitioning = i == 3 ? 3 : 0;
      p.te.output_topology = i == 4 ? TE_LINES : TE_TRI_CW;
      run(s, &p);
      rig_expect(s->rig, "P3D-126");
      assert_true(rig_reg(s->rig, REG_SO_NUM_PRIMS_WRITTEN_0) > 0);
   }
   p = good;
   for (unsigned k = 0; k < 6; k++)
      p.factor[k] = 2;
   run(s, &p);
   rig_clean(s->rig);
}

/* P3D-107: registers behind the constants, one a control point, with two slots each. */
static void
pushed_vertices(void **state)
{
   proves("P3D-107", "P3D-066");
   struct scene *s = *state;
   struct patch p = patch_of(s, TE_QUAD, TE_INTEGER, TE_TRI_CW);
   s->element[0] = element(0, 0x40, 0, VID, IID, ONE_I, ZERO);
   s->element[1] = element(0, 0x40, 0, ONE_I, VID, ZERO, ONE_I);
   for (unsigned i = 0; i < 6; i++)
      p.factor[i] = 1;
   p.vertices = 5;
   s->element[2] = element(0, 0x40, 0, VID, VID, VID, VID);
   s->element[3] = element(0, 0x40, 0, ONE_I, ZERO, VID, ONE_I);
   s->elements = 4;
   p.hs.vertex_urb_entry_read_length = 1;
   p.ds.patch_urb_entry_read_offset = 1;
   for (unsigned i = 0; i < 10; i++) {
      unsigned k = i % 5, second = p.hs.vertex_urb_entry_read_offset = i / 5;
      char more[256];
      snprintf(more, sizeof(more),
               "mov(8) g116<1>UD g112<8,8,1>UD { align1 WE_all 1Q };\n"
               "mov(8) g117<1>UD g%u<8,8,1>UD { align1 WE_all 1Q };\n"
               "send(8) null<1>UW g116<8,8,1>UD 0x04080008 urb MsgDesc: mlen 2 rlen 0 { align1 "
               "WE_all 1Q };\n",
               6 + k);
      load_hs(s, more);
      run(s, &p);
      const uint32_t want[4] = {1, second ? 0 : k, second ? k : 0, 1};
      for (unsigned v = 0; v < 6; v++)
         for (unsigned c = 0; c < 4; c++)
            assert_int_equal(word(s, v, 4 + c), want[c]);
   }
   rig_clean(s->rig);
}

#define READ_FIRST                                                                                 \
   "send(8) g120<1>UD g116<8,8,1>UD 0x02180002 urb MsgDesc: mlen 1 rlen 1 { align1 WE_all 1Q };\n"
#define RELEASE_FIRST                                                                              \
   "send(8) null<1>UD g116<8,8,1>UD 0x02088003 urb MsgDesc: mlen 1 rlen 0 { align1 WE_all 1Q };\n"
#define RELEASE_TWO                                                                                \
   "send(8) null<1>UD g116<8,8,1>UD 0x0208c003 urb MsgDesc: mlen 1 rlen 0 { align1 WE_all 1Q };\n"
#define HANDLES                                                                                    \
   "mov(8) g116<1>UD g112<8,8,1>UD { align1 WE_all 1Q };\n"                                        \
   "mov(1) g116<1>UD g1<0,1,0>UD { align1 WE_all };\n"                                             \
   "mov(1) g116.1<1>UD g1.1<0,1,0>UD { align1 WE_all };\n"
#define SECOND_FIRST "mov(1) g116<1>UD g1.1<0,1,0>UD { align1 WE_all };\n"

/* P3D-104: control points go back one by one, or in pairs; once each, and are not read then. */
static void
released_vertices(void **state)
{
   proves("P3D-104");
   struct scene *s = *state;
   static const struct {
      const char *text;
      bool wrong;
   } cases[] = {{HANDLES READ_FIRST RELEASE_FIRST, false},
                {HANDLES RELEASE_FIRST SECOND_FIRST READ_FIRST RELEASE_FIRST, false},
                {HANDLES RELEASE_TWO, false},
                {HANDLES RELEASE_FIRST RELEASE_FIRST, true},
                {HANDLES RELEASE_FIRST READ_FIRST, true},
                {HANDLES RELEASE_TWO SECOND_FIRST RELEASE_FIRST, true},
                {HANDLES RELEASE_TWO SECOND_FIRST READ_FIRST, true}};
   struct patch p = patch_of(s, TE_QUAD, TE_INTEGER, TE_TRI_CW);
   for (unsigned i = 0; i < 6; i++)
      p.factor[i] = 1;
   p.patches = 3; /* each has its own to release */
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      p.hs.kernel_start_pointer = 0x4000 + 0x400 * i; /* an instruction is told of once */
      load_hs_at(s, p.hs.kernel_start_pointer, cases[i].text);
      run(s, &p);
      assert_int_equal(rig_count(s->rig, "P3D-104") > 0, cases[i].wrong);
      expect_points(s, &p);
   }
}

/* P3D-091: a hull shader that is not there has no patch; a domain shader, no vertex that is seen.
 */
static void
kernels_outside_memory(void **state)
{
   proves("P3D-091", "P3D-090");
   struct scene *s = *state;
   struct patch p = patch_of(s, TE_QUAD, TE_INTEGER, TE_TRI_CW);
   for (unsigned i = 0; i < 6; i++)
      p.factor[i] = 2;
   p.hs.kernel_start_pointer = 0x12000000;
   run(s, &p);
   const struct rig_diagnostic *d = rig_find(s->rig, "EU-187");
   assert_non_null(d);
   assert_string_equal(d->subject, "hull shader");
   assert_int_equal(rig_reg(s->rig, REG_SO_PRIM_STORAGE_NEEDED_0), 0);
   p.hs.kernel_start_pointer = HS_KERNEL;
   p.ds.kernel_start_pointer = 0x13000000;
   run(s, &p);
   d = rig_find(s->rig, "EU-187");
   assert_non_null(d);
   assert_string_equal(d->subject, "domain shader");
   for (unsigned v = 0; v < 6; v++)
      for (unsigned c = 4; c < 8; c++)
         assert_true(isnan(value(s, v, c)));
   p.ds.kernel_start_pointer = DS_KERNEL;
   run(s, &p);
   expect_points(s, &p);
   /* One that waits for ever, of either: it is told whose, and the others go on. */
   load_hs(s, "wait(1) n0<1>UD { align1 WE_all 1N };\n");
   run(s, &p);
   rig_expect(s->rig, "P3D-102");
   assert_int_equal(rig_reg(s->rig, REG_SO_PRIM_STORAGE_NEEDED_0), 0);
   load_hs(s, "");
   load_kernel(s, DS_KERNEL,
               "wait(1) n0<1>UD { align1 WE_all 1N };\n"
               "send(8) null<1>UW g112<8,8,1>UD 0x0608c000 urb MsgDesc: mlen 3 rlen 0 { align1 1Q "
               "EOT };\n");
   run(s, &p);
   rig_expect(s->rig, "P3D-090");
}

/* P3D-005: of these stages. */
static void
statistics(void **state)
{
   proves("P3D-005");
   struct scene *s = *state;
   struct patch p = patch_of(s, TE_QUAD, TE_INTEGER, TE_TRI_CW);
   for (unsigned i = 0; i < 6; i++)
      p.factor[i] = 1;
   for (unsigned on = 0; on < 4; on++) {
      p.hs.statistics_enable = on & 1;
      p.ds.statistics_enable = on >> 1;
      run(s, &p);
      assert_int_equal(rig_reg(s->rig, REG_HS_INVOCATION_COUNT), on & 1);
      assert_int_equal(rig_reg(s->rig, REG_DS_INVOCATION_COUNT), on >> 1 ? 4 : 0);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       CASE(points_of_patches),
       CASE(number_of_the_patch),
       CASE(entries_and_reuse),
       CASE(most_points),
       CASE(instances),
       CASE(header_of_hull_shaders),
       CASE(factors_of_every_kind),
       CASE(broken_state),
       CASE(pushed_vertices),
       CASE(released_vertices),
       CASE(kernels_outside_memory),
       CASE(statistics),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
