/* Geometry shaders and stream output: every topology and strip length against the tables, word by
 * word in memory. */
#include "objects.h"
#include "render/draw.h"
#include "scene.h"
#include "tests/proves.h"

#define OUT 0x250000u
#define OUT_DW 4096u
#define GS_KERNEL 0x1000u
#define UNWRITTEN 0xcdcdcdcdu
#define MOST 14u /* vertices of a draw */

/* ---- the state --------------------------------------------------------------------------------
 */

struct stages {
   struct hw_3dstate_gs gs;
   struct hw_3dstate_urb_gs urb;
   struct hw_3dstate_streamout so;
   struct hw_3dstate_so_buffer buffer[4];
   uint32_t offset[4];
   uint16_t decl[4][16]; /* by stream */
   unsigned decls[4];
   uint8_t select[4];
};

static uint16_t
decl(unsigned buffer, bool hole, unsigned reg, unsigned mask)
{
   return (uint16_t)(buffer << 12 | hole << 11 | reg << 4 | mask);
}

/* Number of the vertex, instance and object to slot 0; nothing is drawn; its first word to buffer
 * 0. */
static struct stages
stages_of(struct scene *s)
{
   s->element[0] = element(0, 0x40, 0, VID, IID, PID, ZERO);
   return (struct stages){
       .urb = {.urb_starting_address = 4,
               .urb_entry_allocation_size = 7,
               .number_of_urb_entries = 16},
       .so = {.so_function_enable = true,
              .rendering_disable = true,
              .so_statistics_enable = true,
              .so_buffer_enable_0 = true,
              .stream_0_vertex_read_length = 3,
              .stream_1_vertex_read_length = 3,
              .stream_2_vertex_read_length = 3,
              .stream_3_vertex_read_length = 3},
       .buffer = {{.surface_base_address = OUT,
                   .surface_end_address = OUT + 4 * OUT_DW,
                   .surface_pitch = 4}},
       .decl = {{decl(0, false, 0, 1)}},
       .decls = {1},
       .select = {1},
   };
}

static unsigned
emit_declarations(const struct stages *t, uint32_t *dw)
{
   unsigned most = 0, n = 0;
   for (unsigned i = 0; i < 4; i++)
      most = t->decls[i] > most ? t->decls[i] : most;
   dw[n++] = 0x79170000 | (2 * most + 1);
   dw[n++] = t->select[0] | t->select[1] << 4 | t->select[2] << 8 | (uint32_t)t->select[3] << 12;
   dw[n++] = t->decls[0] | t->decls[1] << 8 | t->decls[2] << 16 | t->decls[3] << 24;
   for (unsigned i = 0; i < most; i++)
      for (unsigned k = 0; k < 4; k += 2)
         dw[n++] = t->decl[k][i] | (uint32_t)t->decl[k + 1][i] << 16;
   return n;
}

static void
run(struct scene *s, const struct stages *t)
{
   uint32_t dw[640];
   s->extras = 0;
   EMIT(s->extra, s->extras, 3DSTATE_GS, 3dstate_gs, &t->gs);
   for (uint32_t i = 0; i < 3; i++, s->extras += 2) { /* of other stages: the four go together */
      s->extra[s->extras] = GEN7_3DSTATE_URB_VS_HEADER + (i << 16);
      s->extra[s->extras + 1] = 0;
   }
   EMIT(s->extra, s->extras, 3DSTATE_URB_GS, 3dstate_urb_gs, &t->urb);
   EMIT(s->extra, s->extras, 3DSTATE_STREAMOUT, 3dstate_streamout, &t->so);
   prepare(s);
   for (unsigned i = 0; i < OUT_DW; i++)
      rig_ggtt(s->rig, OUT)[i] = UNWRITTEN;
   for (unsigned i = 0; i < 4; i++) {
      rig_set(s->rig, REG_SO_WRITE_OFFSET_0 + 4 * i, t->offset[i]);
      rig_set(s->rig, REG_SO_NUM_PRIMS_WRITTEN_0 + 8 * i, 0);
      rig_set(s->rig, REG_SO_PRIM_STORAGE_NEEDED_0 + 8 * i, 0);
   }
   unsigned n = 0;
   uint32_t more[128];
   for (unsigned i = 0; i < 4; i++) {
      struct hw_3dstate_so_buffer b = t->buffer[i];
      b.so_buffer_index = i;
      EMIT(more, n, 3DSTATE_SO_BUFFER, 3dstate_so_buffer, &b);
   }
   n += emit_declarations(t, more + n);
   static const uint32_t kernels_changed[5] = {0x7a000003, 1 << 11, 0, 0, 0};
   memcpy(more + n, kernels_changed, sizeof(kernels_changed));
   n += 5;
   rig_submit(s->rig, RCS, more, n);
   rig_forget(s->rig);
   n = record(s, dw);
   rig_submit(s->rig, RCS, dw, n);
}

static uint32_t
out_word(struct scene *s, unsigned i)
{
   return rig_ggtt(s->rig, OUT)[i];
}

static uint32_t
written(struct scene *s, unsigned stream)
{
   return rig_reg(s->rig, REG_SO_NUM_PRIMS_WRITTEN_0 + 8 * stream);
}

static uint32_t
needed(struct scene *s, unsigned stream)
{
   return rig_reg(s->rig, REG_SO_PRIM_STORAGE_NEEDED_0 + 8 * stream);
}

static const uint8_t topologies[] = {0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07,
                                     0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e,
                                     0x0f, 0x10, 0x11, 0x12, 0x13, 0x14, 0x16};

/* ---- kernels of geometry shaders --------------------------------------------------------------
 */

/* One vertex of two slots for each of the input: slot 0 with the instance in .w, slot 1. `header`:
 * rows before them; control: the first dwords of these. */
static void
load_gs(struct scene *s, const struct stages *t, unsigned vertices, const uint32_t control[2])
{
   static char text[16384];
   unsigned rows = t->gs.control_data_header_size;
   bool dual = t->gs.dispatch_mode != 0, objects = t->gs.dispatch_mode == 2;
   int n = snprintf(text, sizeof(text),
                    "mov(8) g112<1>UD g0<8,8,1>UD { align1 WE_all 1Q };\n"
                    "mov(1) g112.5<1>UD 0x0000ff00UD { align1 WE_all };\n"
                    "mov(1) g112.2<1>UD 0x%08xUD { align1 WE_all };\n",
                    dual ? vertices << 16 | vertices : vertices);
   if (rows)
      n += snprintf(text + n, sizeof(text) - (size_t)n,
                    "mov(8) g113<1>UD 0UD { align1 WE_all 1Q };\n"
                    "mov(8) g114<1>UD 0UD { align1 WE_all 1Q };\n"
                    "mov(1) g113.0<1>UD 0x%08xUD { align1 WE_all };\n"
                    "mov(1) g113.1<1>UD 0x%08xUD { align1 WE_all };\n"
                    "mov(1) g113.4<1>UD 0x%08xUD { align1 WE_all };\n"
                    "mov(1) g113.5<1>UD 0x%08xUD { align1 WE_all };\n"
                    "send(8) null<1>UW g112<8,8,1>UD 0x%08x urb MsgDesc: mlen %u rlen 0 { align1 "
                    "WE_all 1Q };\n",
                    control[0], control[1], dual ? control[0] : 0, dual ? control[1] : 0,
                    dual ? 0x06084000 : 0x04080000, dual ? 3 : 2);
   for (unsigned v = 0; v < vertices; v++) {
      unsigned at = objects ? 3 + 2 * v : 3 + v, offset = (rows + v) << 3;
      if (objects)
         n += snprintf(text + n, sizeof(text) - (size_t)n,
                       "mov(8) g113<1>UD g%u<8,8,1>UD { align1 WE_all 1Q };\n"
                       "mov(8) g114<1>UD g%u<8,8,1>UD { align1 WE_all 1Q };\n",
                       at, at + 1);
      else if (dual)
         n += snprintf(text + n, sizeof(text) - (size_t)n,
                       "mov(4) g113<1>UD g%u<4,4,1>UD { align1 WE_all };\n"
                       "mov(4) g113.4<1>UD g%u<4,4,1>UD { align1 WE_all };\n"
                       "mov(4) g114<1>UD g%u.4<4,4,1>UD { align1 WE_all };\n"
                       "mov(4) g114.4<1>UD g%u.4<4,4,1>UD { align1 WE_all };\n",
                       at, at, at, at);
      else
         n += snprintf(text + n, sizeof(text) - (size_t)n,
                       "mov(8) g113<1>UD g%u<8,8,1>UD { align1 WE_all 1Q };\n", at);
      if (dual)
         n += snprintf(text + n, sizeof(text) - (size_t)n,
                       "shr(1) g113.3<1>UD g0.0<0,1,0>UD 27UD { align1 WE_all };\n"
                       "shr(1) g113.7<1>UD g0.1<0,1,0>UD 27UD { align1 WE_all };\n"
                       "send(8) null<1>UW g112<8,8,1>UD 0x%08x urb MsgDesc: mlen 3 rlen 0 { align1 "
                       "1Q %s};\n",
                       0x06084000 | offset | (v + 1 == vertices ? 1 << 15 : 0),
                       v + 1 == vertices ? "EOT " : "");
      else
         n += snprintf(text + n, sizeof(text) - (size_t)n,
                       "shr(1) g113.3<1>UD g0.0<0,1,0>UD 27UD { align1 WE_all };\n"
                       "send(8) null<1>UW g112<8,8,1>UD 0x%08x urb MsgDesc: mlen 2 rlen 0 { align1 "
                       "WE_all 1Q %s};\n",
                       0x04080000 | offset | (v + 1 == vertices ? 1 << 15 : 0),
                       v + 1 == vertices ? "EOT " : "");
   }
   assert_true(n > 0 && (size_t)n < sizeof(text));
   load_kernel(s, GS_KERNEL, text);
}

static void
gs_on(struct stages *t)
{
   t->gs = (struct hw_3dstate_gs){.kernel_start_pointer = GS_KERNEL,
                                  .enable = true,
                                  .statistics_enable = true,
                                  .maximum_number_of_threads = 15,
                                  .output_topology = 1,
                                  .output_vertex_size = 1,
                                  .vertex_urb_entry_read_length = 1,
                                  .include_primitive_id = true,
                                  .dispatch_grf_start_register_for_urb_data = 3};
}

/* ---- stream output ----------------------------------------------------------------------------
 */

static void
every_topology_to_memory(void **state)
{
   proves("P3D-157", "P3D-158", "P3D-159", "P3D-165", "P3D-170", "P3D-172");
   struct scene *s = *state;
   struct stages t = stages_of(s);
   for (unsigned i = 0; i < sizeof(topologies); i++)
      for (unsigned n = 1; n <= MOST; n++)
         for (unsigned order = 0; order < 2; order++) {
            t.so.reorder_mode = order;
            s->primitive.primitive_topology_type = topologies[i];
            s->primitive.vertex_count_per_instance = n;
            run(s, &t);
            unsigned at = 0, k = 0;
            for (;; k++) {
               struct expected e = expect_object(topologies[i], n, k, order, order);
               if (!e.count)
                  break;
               for (unsigned v = 0; v < e.inners; v++, at++)
                  if (out_word(s, at) != e.inner[v])
                     fail_msg("topology %#x of %u vertices, object %u: vertex %u is %#x, not %u",
                              topologies[i], n, k, v, out_word(s, at), e.inner[v]);
            }
            assert_int_equal(out_word(s, at), UNWRITTEN);
            assert_int_equal(written(s, 0), k);
            assert_int_equal(needed(s, 0), k);
            assert_int_equal(rig_reg(s->rig, REG_SO_WRITE_OFFSET_0), 4 * at);
         }
   expect_pixels(s, 0, 0, 0, 0);
   rig_clean(s->rig);
}

/* A buffer that ends anywhere, and another that ends elsewhere. */
static void
overflow(void **state)
{
   proves("P3D-166", "P3D-167", "P3D-164");
   struct scene *s = *state;
   struct stages t = stages_of(s);
   s->primitive.primitive_topology_type = 0x04;
   s->primitive.vertex_count_per_instance = 12;
   t.buffer[1] =
       (struct hw_3dstate_so_buffer){.surface_base_address = OUT + 0x1000, .surface_pitch = 8};
   t.select[0] = 3;
   t.decl[0][1] = decl(1, true, 0, 1);
   t.decl[0][2] = decl(1, false, 0, 1);
   t.decls[0] = 3;
   t.so.so_buffer_enable_1 = true;
   for (unsigned a = 0; a <= 60; a += 4)
      for (unsigned b = 0; b <= 104; b += 8)
         for (unsigned off = 0; off < 2; off++) {
            t.so.so_buffer_enable_1 = !off;
            t.buffer[0].surface_end_address = OUT + a;
            t.buffer[1].surface_end_address = OUT + 0x1000 + b;
            run(s, &t);
            unsigned fit = a / 12 < 4 ? a / 12 : 4;
            if (!off && b / 24 < fit)
               fit = b / 24;
            assert_int_equal(written(s, 0), fit);
            assert_int_equal(needed(s, 0), 4);
            assert_int_equal(rig_reg(s->rig, REG_SO_WRITE_OFFSET_0), 12 * fit);
            assert_int_equal(rig_reg(s->rig, REG_SO_WRITE_OFFSET_1), off ? 0 : 24 * fit);
            for (unsigned i = 0; i < 24; i++) {
               assert_int_equal(out_word(s, i), i < 3 * fit ? i : UNWRITTEN);
               assert_int_equal(out_word(s, 0x400 + 2 * i), UNWRITTEN);
               assert_int_equal(out_word(s, 0x401 + 2 * i), !off && i < 3 * fit ? i : UNWRITTEN);
            }
         }
   /* An object that is too large, then one that fits: lines behind the offset. */
   t.so.so_buffer_enable_1 = false;
   t.offset[0] = 32;
   t.buffer[0].surface_end_address = OUT + 40;
   run(s, &t);
   assert_int_equal(written(s, 0), 0);
   s->primitive.primitive_topology_type = 0x02;
   run(s, &t);
   assert_int_equal(written(s, 0), 1);
   assert_int_equal(out_word(s, 8), 0);
}

/* Base, End and Pitch 0: as if it were off; nothing is ever written at address 0. */
static void
absent_buffer(void **state)
{
   proves("P3D-168", "P3D-156");
   struct scene *s = *state;
   struct stages t = stages_of(s);
   s->primitive.primitive_topology_type = 0x01;
   t.select[0] = 3;
   t.decl[0][1] = decl(1, false, 1, 15);
   t.decls[0] = 2;
   t.so.so_buffer_enable_1 = true;
   run(s, &t);
   rig_clean(s->rig);
   assert_int_equal(written(s, 0), 3);
   assert_int_equal(out_word(s, 2), 2);
   t.so.so_function_enable = false;
   run(s, &t);
   assert_int_equal(out_word(s, 0), UNWRITTEN);
   assert_int_equal(needed(s, 0), 0);
}

static uint32_t seed = 1;

static uint32_t
next_random(uint32_t below)
{
   seed = seed * 1664525 + 1013904223;
   return (uint32_t)((uint64_t)(seed >> 4) * below >> 28);
}

/* Random declarations, carried out one by one. */
static void
declarations(void **state)
{
   proves("P3D-160", "P3D-161", "P3D-163", "P3D-164");
   struct scene *s = *state;
   for (unsigned round = 0; round < 200; round++) {
      struct stages t = stages_of(s);
      uint32_t expect[4][64];
      unsigned at[4] = {0};
      bool outside = false, unselected = false;
      s->element[1] = element(0, 0x40, 0, VID, ONE_I, IID, ONE_F);
      s->primitive.primitive_topology_type = 0x01;
      s->primitive.vertex_count_per_instance = 1;
      t.so.stream_0_vertex_read_length = next_random(2); /* 2 or 4 slots */
      t.so.stream_0_vertex_read_offset = next_random(2);
      unsigned first = 2 * t.so.stream_0_vertex_read_offset,
               window = 2 * (t.so.stream_0_vertex_read_length + 1);
      t.select[0] = (uint8_t)next_random(16);
      t.decls[0] = next_random(13);
      unsigned enabled = next_random(16);
      t.so.so_buffer_enable_0 = enabled & 1;
      t.so.so_buffer_enable_1 = enabled >> 1 & 1;
      t.so.so_buffer_enable_2 = enabled >> 2 & 1;
      t.so.so_buffer_enable_3 = enabled >> 3 & 1;
      memset(expect, 0xcd, sizeof(expect));
      for (unsigned i = 0; i < 4; i++)
         t.buffer[i] = (struct hw_3dstate_so_buffer){.surface_base_address = OUT + 0x400 * i,
                                                     .surface_end_address = OUT + 0x400 * i + 256,
                                                     .surface_pitch = 256};
      for (unsigned i = 0; i < t.decls[0]; i++) {
         unsigned b = next_random(4), reg = next_random(5), mask = 1 + next_random(15);
         bool hole = next_random(4) == 0;
         t.decl[0][i] = decl(b, hole, reg, mask);
         if (!(t.select[0] >> b & 1)) {
            unselected |= !hole;
            continue;
         }
         outside |= !hole && reg >= window;
         for (unsigned c = 0; c < 4; c++) {
            if (!(mask >> c & 1))
               continue;
            static const uint32_t slot[2][4] = {{0, 0, 0, 0}, {0, 1, 0, 0x3f800000}};
            unsigned k = first + reg;
            uint32_t value = reg >= window || k > 1 ? 0 : slot[k][c];
            if (!hole && enabled >> b & 1)
               expect[b][at[b]] = value;
            at[b]++;
         }
      }
      run(s, &t);
      for (unsigned b = 0; b < 4; b++)
         for (unsigned i = 0; i < 64; i++)
            if (out_word(s, 0x100 * b + i) != expect[b][i])
               fail_msg("round %u: buffer %u, dword %u is %#x, not %#x", round, b, i,
                        out_word(s, 0x100 * b + i), expect[b][i]);
      if (round >= 20) /* the ring begins again: places come twice, and are reported once */
         continue;
      assert_int_equal(rig_count(s->rig, "P3D-160") != 0, outside);
      assert_int_equal(rig_count(s->rig, "P3D-163") != 0, unselected);
   }
}

static void
bad_buffers(void **state)
{
   proves("P3D-174", "P3D-175");
   struct scene *s = *state;
   struct stages t = stages_of(s);
   s->primitive.primitive_topology_type = 0x01;
   t.decl[0][0] = decl(0, false, 1, 15); /* 16 bytes of a vertex, 4 of which are its own */
   t.buffer[0].surface_end_address = OUT + 12;
   run(s, &t);
   rig_expect(s->rig, "P3D-174");
   assert_int_equal(out_word(s, 3), UNWRITTEN); /* not behind the end */
   t = stages_of(s);
   t.buffer[0].surface_pitch = 6;
   run(s, &t);
   rig_expect(s->rig, "P3D-174");
   t = stages_of(s);
   t.buffer[0].surface_pitch = 2052;
   run(s, &t);
   rig_expect(s->rig, "P3D-174");
   /* Pages that are not there: data is dropped, offsets go on. */
   t = stages_of(s);
   t.buffer[0].surface_base_address = 0x7ff00000;
   t.buffer[0].surface_end_address = 0x7ff01000;
   run(s, &t);
   assert_int_equal(rig_reg(s->rig, REG_SO_WRITE_OFFSET_0), 12);
   assert_int_equal(written(s, 0), 3);
   rig_expect(s->rig, "RCS-054");
   t = stages_of(s);
   run(s, &t);
   for (unsigned v = 0; v < 3; v++)
      assert_int_equal(out_word(s, v), v);
   rig_clean(s->rig);
}

/* ---- geometry shaders -------------------------------------------------------------------------
 */

static void
every_topology_to_threads(void **state)
{
   proves("P3D-134", "P3D-142", "P3D-143", "P3D-144", "P3D-145", "P3D-146", "P3D-150", "P3D-151",
          "P3D-153", "P3D-154");
   struct scene *s = *state;
   struct stages t = stages_of(s);
   gs_on(&t);
   for (unsigned i = 0; i < sizeof(topologies); i++)
      for (unsigned discard = 0; discard < 2; discard++) {
         t.gs.discard_adjacency = discard;
         struct expected e = expect_object(topologies[i], MOST, 0, 0, 0);
         load_gs(s, &t, discard ? e.inners : e.count, NULL);
         for (unsigned n = 1; n <= MOST; n++)
            for (unsigned order = 0; order < 2; order++) {
               t.gs.reorder_mode = order;
               s->primitive.primitive_topology_type = topologies[i];
               s->primitive.vertex_count_per_instance = n;
               rig_set(s->rig, REG_GS_INVOCATION_COUNT, 0);
               rig_set(s->rig, REG_GS_PRIMITIVES_COUNT, 0);
               t.gs.gs_invocations_increment_value = n;
               run(s, &t);
               rig_clean(s->rig);
               unsigned at = 0, k = 0;
               for (;; k++) {
                  e = expect_object(topologies[i], n, k, order, order);
                  if (!e.count)
                     break;
                  const unsigned *v = discard ? e.inner : e.v;
                  for (unsigned c = 0; c < (discard ? e.inners : e.count); c++, at++)
                     if (out_word(s, at) != v[c])
                        fail_msg("topology %#x of %u, object %u: vertex %u is %#x, not %u",
                                 topologies[i], n, k, c, out_word(s, at), v[c]);
               }
               assert_int_equal(out_word(s, at), UNWRITTEN);
               assert_int_equal(rig_reg(s->rig, REG_GS_INVOCATION_COUNT), k * (n + 1));
               assert_int_equal(rig_reg(s->rig, REG_GS_PRIMITIVES_COUNT), at);
            }
      }
   rig_clean(s->rig);
}

/* Modes, instances and few entries: objects in order, in each the instances, in each the vertices.
 */
static void
modes_and_instances(void **state)
{
   proves("P3D-134", "P3D-135", "P3D-136", "P3D-138", "P3D-151");
   struct scene *s = *state;
   struct stages t = stages_of(s);
   gs_on(&t);
   t.decl[0][0] = decl(0, false, 0, 9); /* vertex and instance */
   t.buffer[0].surface_pitch = 8;
   s->primitive.primitive_topology_type = 0x02;
   for (unsigned mode = 0; mode < 3; mode++)
      for (unsigned instances = 1; instances <= (mode == 2 ? 1 : 7); instances++)
         for (unsigned entries = 2; entries <= 16; entries += 7) {
            t.gs.dispatch_mode = mode;
            t.gs.instance_control = instances - 1;
            t.urb.number_of_urb_entries = entries;
            load_gs(s, &t, 2, NULL);
            s->primitive.vertex_count_per_instance = 14;
            run(s, &t);
            unsigned at = 0;
            for (unsigned o = 0; o < 7; o++)
               for (unsigned k = 0; k < instances; k++)
                  for (unsigned v = 0; v < 2; v++, at += 2) {
                     assert_int_equal(out_word(s, at), 2 * o + v);
                     assert_int_equal(out_word(s, at + 1), k);
                  }
            assert_int_equal(out_word(s, at), UNWRITTEN);
         }
   t.gs.dispatch_mode = 2;
   t.gs.instance_control = 3;
   load_gs(s, &t, 2, NULL);
   run(s, &t);
   rig_expect(s->rig, "P3D-137");
}

static void
dual_object_with_instances(void **state)
{
   proves("P3D-137", "P3D-145", "P3D-147", "P3D-152", "P3D-074");
   struct scene *s = *state;
   struct stages t = stages_of(s);
   gs_on(&t);
   s->primitive.primitive_topology_type = 0x02;
   s->primitive.vertex_count_per_instance = 4;
   t.gs.dispatch_mode = 2;
   load_gs(s, &t, 2, NULL);
   run(s, &t);
   assert_int_equal(rig_count(s->rig, "P3D-137"), 0);
   t.gs.instance_control = 3;
   run(s, &t);
   rig_expect(s->rig, "P3D-137");
   /* An entry of 64 bytes has room for two vertices; the kernel says it made six. */
   t.gs.dispatch_mode = 0;
   t.gs.instance_control = 0;
   t.urb.urb_entry_allocation_size = 0;
   s->primitive.primitive_topology_type = 0x0b;
   s->primitive.vertex_count_per_instance = 6;
   load_gs(s, &t, 6, NULL);
   run(s, &t);
   rig_expect(s->rig, "P3D-147");
   assert_int_equal(written(s, 0), 2);
   for (unsigned topology = 0; topology < 64; topology++) /* those that do not exist */
      if (topology == 0 || topology == 0x15 || topology > 0x16) {
         t.gs.output_topology = topology;
         run(s, &t);
         rig_expect(s->rig, "P3D-152");
      }
   t.gs.output_topology = 1;
   t.urb.number_of_urb_entries = 0;
   run(s, &t);
   rig_expect(s->rig, "P3D-074");
   assert_int_equal(written(s, 0), 0);
}

/* R0.2, R1 and the handles behind it; the second object of two has the upper half of R1. */
static void
payload(void **state)
{
   proves("P3D-139", "P3D-140", "P3D-141");
   struct scene *s = *state;
   struct stages t = stages_of(s);
   gs_on(&t);
   t.gs.include_vertex_handles = true;
   t.gs.dispatch_grf_start_register_for_urb_data = 4;
   t.gs.hint = true;
   t.decl[0][0] = decl(0, false, 0, 15);
   t.decl[0][1] = decl(0, false, 1, 15);
   t.decls[0] = 2;
   t.buffer[0].surface_pitch = 32;
   s->primitive.primitive_topology_type = 0x02;
   s->primitive.vertex_count_per_instance = 8;
   load_kernel(s, GS_KERNEL,
               "mov(8) g112<1>UD g0<8,8,1>UD { align1 WE_all 1Q };\n"
               "mov(1) g112.5<1>UD 0x0000ff00UD { align1 WE_all };\n"
               "mov(1) g112.2<1>UD 1UD { align1 WE_all };\n"
               "mov(1) g113.0<1>UD g0.2<0,1,0>UD { align1 WE_all };\n"
               "mov(1) g113.1<1>UD g1.0<0,1,0>UD { align1 WE_all };\n"
               "mov(1) g113.2<1>UD g1.4<0,1,0>UD { align1 WE_all };\n"
               "mov(1) g113.3<1>UD 0UD { align1 WE_all };\n"
               "mov(4) g113.4<1>UD g2<4,4,1>UD { align1 WE_all };\n"
               "send(8) null<1>UW g112<8,8,1>UD 0x04088000 urb MsgDesc: mlen 2 rlen 0 { align1 "
               "WE_all 1Q EOT };\n");
   for (unsigned mode = 0; mode < 3; mode += 2) {
      t.gs.dispatch_mode = mode;
      run(s, &t);
      for (unsigned i = 0; i < (mode ? 2 : 4); i++) {
         unsigned object = mode ? 2 * i : i;
         assert_int_equal(out_word(s, 8 * i), 1 << 22 | 0x02 << 16);
         assert_int_equal(out_word(s, 8 * i + 1), object);
         assert_int_equal(out_word(s, 8 * i + 2), mode ? object + 1 : object);
         /* Vertices of a draw have entries one behind the other. */
         unsigned stride = out_word(s, 5) - out_word(s, 4), first = out_word(s, 4);
         assert_true(stride != 0);
         for (unsigned v = 0; v < (mode ? 4 : 2); v++)
            assert_int_equal(out_word(s, 8 * i + 4 + v), first + stride * (2 * object + v));
      }
   }
}

/* Strips that cut bits end, of every output topology, by the table of each part. */
static void
cuts(void **state)
{
   proves("P3D-148", "P3D-152", "P3D-154");
   static const uint8_t outputs[] = {0x01, 0x02, 0x03, 0x04, 0x05, 0x06};
   struct scene *s = *state;
   struct stages t = stages_of(s);
   gs_on(&t);
   t.gs.control_data_header_size = 1;
   t.gs.vertex_urb_entry_read_length = 1;
   t.so.reorder_mode = TRAILING;
   s->primitive.primitive_topology_type = 0x0b;
   s->primitive.vertex_count_per_instance = 6;
   for (unsigned i = 0; i < sizeof(outputs); i++)
      for (unsigned bits = 0; bits < 128; bits++) {
         t.gs.output_topology = outputs[i];
         rig_set(s->rig, REG_GS_PRIMITIVES_COUNT, 0);
         load_gs(s, &t, 6, (const uint32_t[2]){bits, ~0u});
         run(s, &t);
         unsigned at = 0, objects = 0;
         for (unsigned first = 0, v = 0; v < 6; v++) {
            if (!(bits >> v & 1) && v != 5)
               continue;
            for (unsigned k = 0;; k++, objects++) {
               struct expected e = expect_object(outputs[i], v + 1 - first, k, TRAILING, TRAILING);
               if (!e.count)
                  break;
               for (unsigned c = 0; c < e.inners; c++, at++)
                  assert_int_equal(out_word(s, at), first + e.inner[c]);
            }
            first = v + 1;
         }
         assert_int_equal(out_word(s, at), UNWRITTEN);
         assert_int_equal(rig_reg(s->rig, REG_GS_PRIMITIVES_COUNT), objects);
      }
   rig_clean(s->rig);
}

static void
streams(void **state)
{
   proves("P3D-149", "P3D-150", "P3D-163", "P3D-170", "P3D-171");
   struct scene *s = *state;
   struct stages t = stages_of(s);
   gs_on(&t);
   t.gs.control_data_header_size = 1;
   t.gs.control_data_format = 1;
   s->primitive.primitive_topology_type = 0x0b;
   s->primitive.vertex_count_per_instance = 6;
   t.so.so_buffer_enable_1 = t.so.so_buffer_enable_2 = t.so.so_buffer_enable_3 = true;
   for (unsigned b = 0; b < 4; b++) {
      t.buffer[b] = (struct hw_3dstate_so_buffer){.surface_base_address = OUT + 0x100 * b,
                                                  .surface_end_address = OUT + 0x100 * b + 256,
                                                  .surface_pitch = 4};
      t.decl[b][0] = decl(b, false, 0, 1);
      t.decls[b] = 1;
      t.select[b] = (uint8_t)(1 << b);
   }
   for (unsigned round = 0; round < 64; round++) {
      uint32_t bits = next_random(1 << 12);
      load_gs(s, &t, 6, (const uint32_t[2]){bits, 0});
      run(s, &t);
      unsigned at[4] = {0};
      for (unsigned v = 0; v < 6; v++) {
         unsigned k = bits >> 2 * v & 3;
         assert_int_equal(out_word(s, 0x40 * k + at[k]++), v);
      }
      for (unsigned k = 0; k < 4; k++) {
         assert_int_equal(out_word(s, 0x40 * k + at[k]), UNWRITTEN);
         assert_int_equal(written(s, k), at[k]);
         assert_int_equal(needed(s, k), at[k]);
      }
   }
   /* Without control data all go to the default one. */
   t.gs.control_data_header_size = 0;
   t.gs.default_streamid = 2;
   load_gs(s, &t, 6, NULL);
   run(s, &t);
   assert_int_equal(written(s, 2), 6);
   assert_int_equal(written(s, 0), 0);
   assert_int_equal(out_word(s, 0x80 + 5), 5);
}

/* Only the stream that is selected is drawn; Ivy Bridge asks also with stream output off. */
static void
drawn_stream(void **state)
{
   proves("P3D-156", "P3D-171", "P3D-172");
   struct scene *s = *state;
   struct stages t = stages_of(s);
   s->element[0] = element(0, 0, 0, ZERO, ZERO, ZERO, ZERO);
   for (unsigned on = 0; on < 2; on++)
      for (unsigned stream = 0; stream < 4; stream++)
         for (unsigned disabled = 0; disabled < 2; disabled++) {
            t.so.so_function_enable = on;
            t.so.render_stream_select = stream;
            t.so.rendering_disable = disabled;
            run(s, &t);
            bool seen = stream == 0 && !disabled;
            expect_pixels(s, 0, 0, seen ? 8 : 0, seen ? 4 : 0);
         }
}

/* P3D-156: the stage is passed through as soon as an object may be of a stream that is not drawn.
 */
static void
needed_stage(void **state)
{
   proves("P3D-156");
   (void)state;
   struct render *r = calloc(1, sizeof(*r));
   assert_non_null(r);
   for (unsigned i = 0; i < 64; i++) {
      bool gs = i & 1, other = i & 2, several = i & 4, selected = i & 8, on = i & 16, off = i & 32;
      r->state.gs = (struct hw_3dstate_gs){
          .enable = gs, .default_streamid = other ? 2 : 0, .control_data_format = several};
      r->state.streamout = (struct hw_3dstate_streamout){.render_stream_select = selected ? 1 : 0,
                                                         .so_function_enable = on,
                                                         .rendering_disable = off};
      assert_int_equal(sol_needed(r), (gs && (other || several)) || selected || on || off);
   }
   free(r);
}

/* P3D-169: as a driver copies: points of buffer 32, no shader, one element to stream output. */
static void
copies(void **state)
{
   proves("P3D-169", "P3D-043");
   struct scene *s = *state;
   static const unsigned format[3] = {0xd7, 0x87, 0x02}; /* R32, RG32, RGBA32, unsigned */
   for (unsigned size = 0; size < 3; size++) {
      unsigned words = 1u << size, units = 37;
      struct stages t = stages_of(s);
      s->buffer[1] = (struct hw_vertex_buffer_state){.vertex_buffer_index = 32,
                                                     .buffer_pitch = 4 * words,
                                                     .address_modify_enable = true,
                                                     .buffer_starting_address = INSTANCES,
                                                     .end_address = INSTANCES + 0xfff};
      s->element[0] = element(32, format[size], 0, SRC, size > 0 ? SRC : ZERO,
                              size > 1 ? SRC : ZERO, size > 1 ? SRC : ZERO);
      s->elements = 1;
      for (unsigned i = 0; i < 256; i++) /* numbers that no float may touch */
         rig_ggtt(s->rig, INSTANCES)[i] = i % 3 ? 0x7f800001 + i : 0xff812345 + i;
      t.buffer[0].surface_pitch = 4 * words;
      t.decl[0][0] = decl(0, false, 0, (1u << words) - 1);
      s->primitive.primitive_topology_type = 1;
      s->primitive.vertex_count_per_instance = units;
      run(s, &t);
      assert_memory_equal(rig_ggtt(s->rig, OUT), rig_ggtt(s->rig, INSTANCES), 4 * words * units);
      assert_int_equal(out_word(s, words * units), UNWRITTEN);
      assert_int_equal(written(s, 0), units);
      rig_clean(s->rig);
   }
}

/* P3D-173: what comes out has the order of what went in, whatever the host threads do. */
static void
order(void **state)
{
   proves("P3D-173", "P3D-089");
   struct scene *s = *state;
   struct stages t = stages_of(s);
   const unsigned points = 900;
   gs_on(&t);
   s->primitive.primitive_topology_type = 1;
   s->primitive.vertex_count_per_instance = points;
   for (unsigned threads = 1; threads <= 4; threads *= 2) {
      s->rig->dev->config.host_threads = threads;
      t.gs.maximum_number_of_threads = 16 * threads - 1;
      load_gs(s, &t, 1, NULL);
      run(s, &t);
      assert_int_equal(written(s, 0), points);
      for (unsigned i = 0; i < points; i++)
         assert_int_equal(out_word(s, i), i);
   }
}

/* P3D-005: of the geometry shader and of stream output. P3D-162: words of the header. */
static void
statistics(void **state)
{
   proves("P3D-005");
   struct scene *s = *state;
   struct stages t = stages_of(s);
   gs_on(&t);
   load_gs(s, &t, 3, NULL);
   s->primitive.primitive_topology_type = 4;
   s->primitive.vertex_count_per_instance = 6;
   for (unsigned on = 0; on < 4; on++) {
      uint32_t runs = rig_reg(s->rig, REG_GS_INVOCATION_COUNT),
               made = rig_reg(s->rig, REG_GS_PRIMITIVES_COUNT);
      t.gs.statistics_enable = on & 1;
      t.so.so_statistics_enable = on >> 1;
      run(s, &t);
      assert_int_equal(rig_reg(s->rig, REG_GS_INVOCATION_COUNT) - runs, on & 1 ? 2 : 0);
      assert_int_equal(rig_reg(s->rig, REG_GS_PRIMITIVES_COUNT) - made, on & 1 ? 6 : 0);
      assert_int_equal(written(s, 0), on >> 1 ? 6 : 0);
      assert_int_equal(needed(s, 0), on >> 1 ? 6 : 0);
   }
}

/* P3D-251: behind a geometry shader PRIM_ID is the number of the object that went in. P3D-091, of a
 * geometry shader. */
static void
primitive_ids(void **state)
{
   proves("P3D-251", "P3D-091");
   struct scene *s = *state;
   struct stages t = stages_of(s);
   struct render *r = s->rig->dev->render;
   gs_on(&t);
   load_gs(s, &t, 3, NULL);
   t.so.so_function_enable = t.so.rendering_disable = false;
   s->primitive.primitive_topology_type = 4;
   s->primitive.vertex_count_per_instance = 12;
   s->element[1] = element(0, 0x40, 0, ONE_F, ONE_F, ONE_F, ONE_F); /* at pixel 1, 1 */
   s->sf.point_width_source = 1;
   s->sf.point_width = 16;
   s->sbe = (struct hw_3dstate_sbe){.number_of_sf_output_attributes = 1,
                                    .vertex_urb_entry_read_length = 1,
                                    .attribute_swizzle_enable = true,
                                    .attribute_0 = 3u << 9 | 15u << 12};
   run(s, &t);
   unsigned seen = 0;
   for (unsigned i = 0; i < 12; i++) { /* three points of each of four triangles */
      const struct setup *u = (const struct setup *)(const void *)(r->bin.data + r->bin.at[i]);
      seen += u->attribute[0][3] == i / 3;
   }
   assert_int_equal(seen, 12);
   t = stages_of(s);
   gs_on(&t);
   t.gs.kernel_start_pointer = 0x14000000;
   run(s, &t);
   const struct rig_diagnostic *d = rig_find(s->rig, "EU-187");
   assert_non_null(d);
   assert_string_equal(d->subject, "geometry shader");
   assert_int_equal(needed(s, 0), 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       CASE(every_topology_to_memory),
       CASE(overflow),
       CASE(absent_buffer),
       CASE(declarations),
       CASE(bad_buffers),
       CASE(every_topology_to_threads),
       CASE(modes_and_instances),
       CASE(dual_object_with_instances),
       CASE(payload),
       CASE(cuts),
       CASE(streams),
       CASE(drawn_stream),
       CASE(needed_stage),
       CASE(copies),
       CASE(order),
       CASE(statistics),
       CASE(primitive_ids),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
