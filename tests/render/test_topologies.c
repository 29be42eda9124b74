/* Vertex fetch by itself: objects of every topology, indices, instances, ids, formats. */
#include "unit.h"

#include "surface/format.h"

#define INDICES 0x240000u
#define BUFFER 0x250000u

enum { SRC = 1, ZERO, ONE_F, ONE_I, VID, IID, PID };

/* One element of vertex id, instance and primitive id; positions of no use. */
static void
begin_fetch(struct unit *u)
{
   struct render *r = u->r;
   r->env.space = &u->rig->dev->ggtt;
   r->state.element[0] = (struct hw_vertex_element_state){.valid = true,
                                                          .component_0_control = VID,
                                                          .component_1_control = IID,
                                                          .component_2_control = PID,
                                                          .component_3_control = ONE_I};
   r->state.elements = 1;
   vf_state_changed(r);
   r->state.sf.triangle_strip_list_provoking_vertex_select = 2;
   r->state.sf.triangle_fan_provoking_vertex_select = 1;
   r->state.sf.line_strip_list_provoking_vertex_select = 1;
   r->primitive = (struct hw_3dprimitive){.instance_count = 1};
}

/* What the list has, then forgets it. Vertices by their ids. */
struct made {
   unsigned count, vertices;
   uint32_t id[300][32];
   struct object object[300];
};

static void
fetch_all(struct unit *u, struct made *m)
{
   struct render *r = u->r;
   uint64_t budget = UINT64_MAX;
   m->count = 0;
   if (!vf_begin(r))
      return;
   while (!r->vf.over || r->list.count) {
      vf_run(r, &budget);
      assembly_objects(&r->vf.strip);
      r->vf.shaded = r->vf.used;
      for (unsigned i = 0; i < r->list.count && m->count < 300; i++, m->count++) {
         m->object[m->count] = r->list.object[i];
         for (unsigned k = 0; k < r->list.object[i].vertices; k++)
            m->id[m->count][k] = r->list.object[i].v[k]->vue[0];
      }
      vf_recycle(r);
   }
}

/* The table of the fact sheet, written again: vertex k of object n, of V vertices. */
static unsigned
objects_of(unsigned t, unsigned v)
{
   switch (t) {
   case 1:
   case 0x11:
      return v;
   case 2:
      return v / 2;
   case 3:
   case 0x12:
   case 0x13:
   case 0x14:
      return v > 1 ? v - 1 : 0;
   case 0x10:
      return v > 1 ? v : 0;
   case 4:
   case 0xf:
      return v / 3;
   case 5:
   case 0xd:
   case 6:
   case 0xe:
   case 0x16:
      return v > 2 ? v - 2 : 0;
   case 7:
      return v / 4 * 2; /* as triangles */
   case 8:
      return v > 3 ? (v / 2 - 1) * 2 : 0;
   case 9:
      return v / 4;
   case 0xa:
      return v > 3 ? v - 3 : 0;
   case 0xb:
      return v / 6;
   case 0xc:
      return v > 5 ? v / 2 - 2 : 0;
   default:
      return v / (t - 0x1f);
   }
}

static unsigned
vertex_of(unsigned t, unsigned v, unsigned n, unsigned k)
{
   unsigned last = v / 2 - 3; /* triangle of a strip with adjacency */
   switch (t) {
   case 1:
   case 0x11:
      return n;
   case 2:
      return 2 * n + k;
   case 0x10:
      return (n + k) % v;
   case 3:
   case 0x12:
   case 0x13:
   case 0x14:
   case 5:
   case 0xd:
   case 0xa:
      return n + k;
   case 4:
   case 0xf:
      return 3 * n + k;
   case 6:
   case 0xe:
   case 0x16:
      return k ? n + k : 0;
   case 9:
      return 4 * n + k;
   case 0xb:
      return 6 * n + k;
   case 0xc: {
      const unsigned behind = n == last ? 2 * n + 5 : 2 * n + 6, before = n ? 2 * n - 2 : 1;
      const unsigned even[6] = {2 * n, before, 2 * n + 2, behind, 2 * n + 4, 2 * n + 3},
                     odd[6] = {2 * n, 2 * n + 3, 2 * n + 4, behind, 2 * n + 2, before};
      return n & 1 ? odd[k] : even[k];
   }
   default:
      return n * (t - 0x1f) + k;
   }
}

/* P3D-065: what the APIs say of a quad, whatever it is made of: its border, from vertex to vertex,
 * is the four edges of this cycle; the last vertex that was given provokes. Edges between its two
 * triangles cancel out. */
static void
expect_quad(const struct made *m, unsigned first, bool strip)
{
   unsigned base = first / 2 * (strip ? 2 : 4), found = 0;
   const unsigned cycle[4] = {base, base + 1, strip ? base + 3 : base + 2,
                              strip ? base + 2 : base + 3};
   int edge[4][4] = {{0}};
   for (unsigned n = first; n < first + 2; n++) {
      const struct object *o = &m->object[n];
      assert_int_equal(o->vertices, 3);
      assert_int_equal(m->id[n][o->provoking], base + 3);
      for (unsigned k = 0; k < 3; k++) {
         unsigned from = m->id[n][k] - base, to = m->id[n][(k + 1) % 3] - base;
         assert_true(from < 4 && to < 4);
         edge[from][to]++;
         edge[to][from]--;
      }
   }
   for (unsigned k = 0; k < 4; k++)
      found += edge[cycle[k] - base][cycle[(k + 1) % 4] - base] == 1;
   for (unsigned k = 0; k < 16; k++)
      found += edge[k / 4][k % 4] > 0;
   assert_int_equal(found, 8); /* these four, and no other */
}

/* P3D-209: the vertex that has viewport and layer, of those without adjacency. */
static unsigned
leading_of(unsigned t, unsigned n)
{
   switch (t) {
   case 2:
      return 2 * n;
   case 4:
   case 0xf:
      return 3 * n;
   case 6:
   case 0xe:
   case 0x16:
      return 0;
   case 7:
      return n / 2 * 4 + 3; /* the first of the polygon */
   case 8:
      return n / 2 * 2 + 3;
   case 9:
      return 4 * n + 1;
   case 0xa:
      return n + 1;
   case 0xb:
      return 6 * n;
   case 0xc:
      return 2 * n;
   default:
      return n;
   }
}

/* P3D-221, P3D-209, over all selects. */
static void
provoking_vertices(void **state)
{
   proves("P3D-209", "P3D-221", "P3D-063");
   struct unit *u = *state;
   struct hw_3dstate_sf *f = &u->r->state.sf;
   static struct made m;
   begin_fetch(u);
   for (unsigned t = 1; t < 0x17; t++)
      for (unsigned select = 0; select < 18 && topology_known(t); select++) {
         unsigned lines = select % 2, fans = select / 2 % 3, triangles = select / 6;
         f->line_strip_list_provoking_vertex_select = lines;
         f->triangle_fan_provoking_vertex_select = fans;
         f->triangle_strip_list_provoking_vertex_select = triangles;
         u->r->primitive.primitive_topology_type = t;
         u->r->primitive.vertex_count_per_instance = 24;
         fetch_all(u, &m);
         assert_true(m.count > 0);
         for (unsigned n = 0; n < m.count; n++) {
            const struct object *o = &m.object[n];
            bool fan = t == 6 || t == 0x16, zero = t == 0xe || t == 7 || t == 8 || t == 0xf;
            unsigned which = o->kind == OBJECT_POINT || zero ? 0
                             : o->kind == OBJECT_LINE        ? lines
                             : fan                           ? fans
                                                             : triangles;
            assert_int_equal(m.id[n][o->inner[o->leading]], leading_of(t, n));
            assert_int_equal(o->provoking, which);
            /* It counts from the leading one, by the order of the object. */
            if (which == 0)
               assert_int_equal(m.id[n][o->inner[o->provoking]], leading_of(t, n));
            else if (o->kind == OBJECT_LINE)
               assert_int_equal(m.id[n][o->inner[1]], (leading_of(t, n) + 1) % 24);
         }
      }
}

/* P3D-063, P3D-060, P3D-064, P3D-066 */
static void
objects(void **state)
{
   proves("P3D-063", "P3D-060", "P3D-064", "P3D-065", "P3D-062", "P3D-066", "P3D-230");
   struct unit *u = *state;
   static struct made m;
   begin_fetch(u);
   for (unsigned t = 0; t < 64; t++)
      for (unsigned v = 0; v <= 40; v++) {
         u->r->primitive.primitive_topology_type = t;
         u->r->primitive.vertex_count_per_instance = v;
         fetch_all(u, &m);
         if (!topology_known(t)) { /* P3D-068 */
            assert_int_equal(m.count, 0);
            continue;
         }
         assert_int_equal(m.count, v ? objects_of(t, v) : 0);
         for (unsigned n = 0; n < m.count; n++) {
            bool quads = t == 7 || t == 8;
            assert_int_equal(m.object[n].id, quads ? n / 2 : n);
            if (t == 0x10)
               assert_int_equal(m.object[n].vertices, 2);
            if (t == 3) /* a strip of lines */
               assert_int_equal(m.object[n].last, n == m.count - 1);
            if (quads) /* P3D-236 */
               assert_int_equal(m.object[n].first, n < 2);
            if (t >= 0x20) /* a patch, whole */
               assert_int_equal(m.object[n].vertices, t - 0x1f);
            if (quads && n % 2 == 0)
               expect_quad(&m, n, t == 8);
            for (unsigned k = 0; k < m.object[n].vertices && !quads; k++)
               if (m.id[n][k] != vertex_of(t, v, n, k))
                  fail_msg("topology %#x of %u: vertex %u of object %u is %u, not %u", t, v, k, n,
                           m.id[n][k], vertex_of(t, v, n, k));
            bool strip = t == 5 || t == 0xc, reverse = t == 0xd;
            assert_int_equal(m.object[n].odd, strip ? n & 1 : reverse ? !(n & 1) : 0); /* P3D-214 */
         }
      }
   rig_expect(u->rig, "P3D-068");
}

/* P3D-061, P3D-035, P3D-032: ids of vertices, of instances, over cuts. */
static void
ids(void **state)
{
   proves("P3D-061", "P3D-035", "P3D-032", "P3D-030", "P3D-031", "P3D-034");
   struct unit *u = *state;
   static struct made m;
   static const uint16_t index[12] = {0, 1, 2, 3, 0xffff, 4, 5, 0xffff, 6, 7, 8, 0xffff};
   begin_fetch(u);
   memcpy(rig_ggtt(u->rig, INDICES), index, sizeof(index));
   u->r->state.index = (struct hw_3dstate_index_buffer){.cut_index_enable = true,
                                                        .index_format = 1,
                                                        .buffer_starting_address = INDICES,
                                                        .buffer_ending_address = INDICES + 23};
   u->r->primitive = (struct hw_3dprimitive){.primitive_topology_type = 5,
                                             .vertex_access_type = 1,
                                             .vertex_count_per_instance = 12,
                                             .instance_count = 2};
   fetch_all(u, &m);
   assert_int_equal(m.count, 6); /* two, none, one, of each instance */
   static const uint32_t want[3][3] = {{0, 1, 2}, {1, 2, 3}, {6, 7, 8}};
   for (unsigned n = 0; n < 6; n++) {
      assert_memory_equal(m.id[n], want[n % 3], sizeof(want[0]));
      assert_int_equal(m.object[n].id, n % 3); /* runs on over cuts, starts with an instance */
      assert_int_equal(m.object[n].odd, n % 3 == 1);
   }
   u->r->state.index.cut_index_enable = false;
   fetch_all(u, &m);
   assert_int_equal(m.count, 20);
   assert_int_equal(m.id[2][2], 0xffff);
   u->r->state.index.cut_index_enable = true;
   u->r->primitive.primitive_topology_type = 4; /* of a list the rest before the cut is dropped */
   u->r->primitive.instance_count = 1;
   fetch_all(u, &m);
   assert_int_equal(m.count, 2);
   assert_int_equal(m.id[1][0], 6);
   u->r->primitive.primitive_topology_type = 6;
   fetch_all(u, &m);
   rig_expect(u->rig, "P3D-033");
}

/* P3D-033: topologies of which the manual does not say what a cut does. */
static void
cuts(void **state)
{
   proves("P3D-030", "P3D-033");
   struct unit *u = *state;
   static struct made m;
   begin_fetch(u);
   u->r->state.index = (struct hw_3dstate_index_buffer){.cut_index_enable = true,
                                                        .buffer_starting_address = INDICES,
                                                        .buffer_ending_address = INDICES + 63};
   for (unsigned t = 0; t < 64; t++) {
      bool undefined = (t >= 6 && t <= 8) || (t >= 0xe && t <= 0x11) || t == 0x16 || t >= 0x20;
      if (!topology_known(t))
         continue;
      u->r->address = t; /* equal diagnostics are told only once */
      u->r->primitive = (struct hw_3dprimitive){.primitive_topology_type = t,
                                                .vertex_access_type = 1,
                                                .vertex_count_per_instance = 32,
                                                .instance_count = 1};
      fetch_all(u, &m);
      if (rig_count(u->rig, "P3D-033") != undefined)
         fail_msg("topology %#x", t);
      rig_forget(u->rig);
   }
   /* P3D-030: all ones of 32 bits, of the format that is reserved too. */
   static const uint32_t wide[7] = {0, 1, 2, UINT32_MAX, 3, 4, 5};
   memcpy(rig_ggtt(u->rig, INDICES), wide, sizeof(wide));
   u->r->primitive.primitive_topology_type = 5;
   u->r->primitive.vertex_count_per_instance = 7;
   for (unsigned format = 2; format < 4; format++) {
      u->r->state.index.index_format = format;
      fetch_all(u, &m);
      assert_int_equal(m.count, 2);
   }
}

/* P3D-061: a vertex has the number of objects that are whole before it comes. */
static void
ids_of_vertices(void **state)
{
   proves("P3D-061");
   (void)state;
   static const struct {
      uint8_t topology, s, r;
   } table[] = {
       {0x1, 1, 0},  {0x2, 1, 1},  {0x3, 2, 0},  {0x4, 1, 2},  {0x5, 3, 0},  {0x6, 3, 0},
       {0x7, 1, 3},  {0x8, 3, 1},  {0x9, 1, 3},  {0xa, 3, 0},  {0xb, 1, 5},  {0xc, 5, 1},
       {0xd, 3, 0},  {0xe, 3, 0},  {0xf, 1, 2},  {0x10, 2, 0}, {0x11, 1, 0}, {0x12, 2, 0},
       {0x13, 2, 0}, {0x14, 2, 0}, {0x16, 3, 0},
   };
   for (unsigned i = 0; i < COUNT(table); i++) {
      unsigned whole = 7, missing = table[i].s + table[i].r;
      for (unsigned v = 0; v < 40; v++) {
         const struct assembly a = {.topology = table[i].topology, .count = v, .objects = 7};
         if (assembly_id(&a) != whole)
            fail_msg("topology %#x: vertex %u has id %u", table[i].topology, v, assembly_id(&a));
         if (!--missing) {
            whole++;
            missing = table[i].r + 1u;
         }
      }
   }
}

/* P3D-028, P3D-029, P3D-026, P3D-027, P3D-071 */
static void
indices(void **state)
{
   proves("P3D-026", "P3D-027", "P3D-028", "P3D-029", "P3D-036", "P3D-039", "P3D-040");
   struct unit *u = *state;
   struct render *r = u->r;
   static struct made m;
   begin_fetch(u);
   uint8_t *at = (uint8_t *)rig_ggtt(u->rig, INDICES);
   uint32_t *data = rig_ggtt(u->rig, BUFFER);
   for (unsigned i = 0; i < 64; i++) {
      at[i] = (uint8_t)(i * 5 + 1);
      data[i] = 1000 + i;
   }
   r->state.buffer[2] = (struct hw_vertex_buffer_state){.vertex_buffer_index = 2,
                                                        .buffer_pitch = 4,
                                                        .address_modify_enable = true,
                                                        .buffer_starting_address = BUFFER,
                                                        .end_address = BUFFER + 255};
   r->state.has_buffer = 4;
   r->state.element[1] = (struct hw_vertex_element_state){.valid = true,
                                                          .vertex_buffer_index = 2,
                                                          .source_element_format = 0xd7,
                                                          .component_0_control = SRC,
                                                          .component_3_control = SRC};
   r->state.elements = 2;
   vf_state_changed(r);
   rig_forget(u->rig);
   for (unsigned format = 0; format < 3; format++)
      for (unsigned round = 0; round < 4; round++) {
         unsigned indexed = round & 1, bytes = round & 2 ? 52 : 12;
         r->state.index =
             (struct hw_3dstate_index_buffer){.index_format = format,
                                              .buffer_starting_address = INDICES,
                                              .buffer_ending_address = INDICES + bytes - 1};
         r->primitive = (struct hw_3dprimitive){.primitive_topology_type = 1,
                                                .vertex_access_type = indexed,
                                                .vertex_count_per_instance = 9,
                                                .start_vertex_location = 5,
                                                .instance_count = 1,
                                                .base_vertex_location = 3};
         fetch_all(u, &m);
         assert_int_equal(m.count, 9);
         for (unsigned n = 0; n < 9; n++) {
            uint32_t raw = 0, size = 1u << format;
            if ((n + 5) * size + size <= bytes)
               memcpy(&raw, at + (n + 5) * size, size);
            uint32_t id = indexed ? raw : n, fetch = indexed ? raw + 3 : n + 5;
            const uint32_t *vue = m.object[n].v[0]->vue;
            (void)vue;
            assert_int_equal(m.id[n][0], id);
            /* The last one of the list is still in its entry. */
            uint32_t want = fetch < 64 ? 1000 + fetch : 0;
            if (n == 8)
               assert_int_equal(m.object[n].v[0]->vue[4], want);
            if (n == 8)
               assert_int_equal(m.object[n].v[0]->vue[7], fetch < 64 ? 1 : 0);
         }
      }
}

/* P3D-028: a draw reads the indices that it has, and none of those behind them that the buffer may
 * have as well: here there is no memory. */
static void
indices_at_the_end_of_memory(void **state)
{
   proves("P3D-028", "P3D-029");
   struct unit *u = *state;
   struct render *r = u->r;
   static struct made m;
   const uint32_t vertices = VF_INDICES + 16; /* those are read in two parts */
   begin_fetch(u);
   for (unsigned size = 1; size <= 4; size *= 2) {
      uint32_t start = RIG_GGTT_SIZE - vertices * size;
      memset(rig_ggtt(u->rig, start & ~3u), 0, vertices * size);
      r->state.index =
          (struct hw_3dstate_index_buffer){.index_format = size / 2,
                                           .buffer_starting_address = start,
                                           .buffer_ending_address = RIG_GGTT_SIZE + 0xffff};
      r->primitive = (struct hw_3dprimitive){.primitive_topology_type = 1,
                                             .vertex_access_type = 1,
                                             .vertex_count_per_instance = vertices,
                                             .instance_count = 1};
      fetch_all(u, &m);

      rig_clean(u->rig);
   }
}

/* P3D-039: a buffer that begins before address 0, because its first vertices are not used. */
static void
wrapped_start(void **state)
{
   proves("P3D-039");
   struct unit *u = *state;
   struct render *r = u->r;
   static struct made m;
   begin_fetch(u);
   uint32_t *data = rig_ggtt(u->rig, BUFFER);
   for (unsigned i = 0; i < 64; i++)
      data[i] = 1000 + i;
   r->state.buffer[2] =
       (struct hw_vertex_buffer_state){.vertex_buffer_index = 2,
                                       .buffer_pitch = 2048,
                                       .address_modify_enable = true,
                                       .buffer_starting_address = BUFFER - 2000 * 2048u,
                                       .end_address = BUFFER + 3};
   r->state.has_buffer = 4;
   r->state.element[0] = (struct hw_vertex_element_state){.valid = true,
                                                          .vertex_buffer_index = 2,
                                                          .source_element_format = 0xd7,
                                                          .component_0_control = SRC};
   r->state.elements = 1;
   vf_state_changed(r);
   r->primitive = (struct hw_3dprimitive){.primitive_topology_type = 1,
                                          .vertex_count_per_instance = 2,
                                          .start_vertex_location = 2000,
                                          .instance_count = 1};
   fetch_all(u, &m);
   assert_int_equal(m.count, 2);
   assert_int_equal(m.id[0][0], 1000);
   assert_int_equal(m.id[1][0], 0);                          /* behind its end */
   r->state.buffer[2].buffer_starting_address = BUFFER + 64; /* behind its end, and nothing wraps */
   r->state.buffer[2].buffer_pitch = 0;
   fetch_all(u, &m);
   assert_int_equal(m.id[0][0], 0);
}

/* Entries that a strip holds while others are made anew keep all of their slots. */
static void
large_entries(void **state)
{
   proves("P3D-063");
   struct unit *u = *state;
   struct render *r = u->r;
   uint64_t budget = UINT64_MAX;
   begin_fetch(u);
   r->state.urb_vs = (struct hw_3dstate_urb_vs){.number_of_urb_entries = 32,
                                                .urb_entry_allocation_size = 32}; /* 2112 bytes */
   static const unsigned topologies[] = {5, 6, 0xc, 0xa};
   for (unsigned t = 0; t < 4; t++) {
      unsigned rounds = 0;
      r->primitive = (struct hw_3dprimitive){.primitive_topology_type = topologies[t],
                                             .vertex_count_per_instance = 100,
                                             .instance_count = 1};
      assert_true(vf_begin(r));
      while (!r->vf.over || r->list.count) {
         vf_run(r, &budget);
         assembly_objects(&r->vf.strip);
         for (; r->vf.shaded < r->vf.used; r->vf.shaded++) { /* as a shader: all of the entry */
            struct vertex *v = &r->vf.vertex[r->vf.shaded];
            for (unsigned k = 4; k < 4u * v->vue_slots; k++)
               v->vue[k] = v->vue[0] * 1000 + k;
         }
         for (unsigned i = 0; i < r->list.count; i++)
            for (unsigned n = 0; n < r->list.object[i].vertices; n++) {
               const struct vertex *v = r->list.object[i].v[n];
               unsigned last = 4u * v->vue_slots - 1;
               assert_int_equal(v->vue[last], v->vue[0] * 1000 + last);
            }
         vf_recycle(r);
         rounds++;
      }
      assert_true(rounds > 2);
   }
}

/* P3D-049 to P3D-056: every format that vertices may have, against a reading of its own. */
static double
channel_value(const uint8_t *bytes, const struct format_channel *c, bool *integer)
{
   uint64_t v = 0, ones = c->bits == 64 ? UINT64_MAX : (UINT64_C(1) << c->bits) - 1;
   for (unsigned b = 0; b < c->bits; b++)
      v |= (uint64_t)(bytes[(c->start + b) / 8] >> (c->start + b) % 8 & 1) << b;
   int64_t s = (int64_t)(v << (64 - c->bits)) >> (64 - c->bits);
   *integer = c->type == CHANNEL_UINT || c->type == CHANNEL_SINT;
   switch (c->type) {
   case CHANNEL_UNORM:
      return (double)v / (double)ones;
   case CHANNEL_SNORM:
      return fmax((double)s / (double)(ones >> 1), -1);
   case CHANNEL_SINT:
   case CHANNEL_SSCALED:
      return (double)s;
   case CHANNEL_FIXED:
      return (double)s / 65536;
   case CHANNEL_FLOAT: {
      unsigned exponent_bits = c->bits == 64   ? 11
                               : c->bits == 32 ? 8
                                               : 5,
               fraction_bits = c->bits == 64   ? 52
                               : c->bits == 32 ? 23
                               : c->bits == 16 ? 10
                                               : c->bits - 5u;
      uint64_t fraction = v & ((UINT64_C(1) << fraction_bits) - 1),
               exponent = v >> fraction_bits & ((UINT64_C(1) << exponent_bits) - 1);
      bool negative = c->bits >= 16 && v >> (c->bits - 1);
      int bias = (1 << (exponent_bits - 1)) - 1;
      double f = exponent
                     ? ldexp(1 + ldexp((double)fraction, -(int)fraction_bits), (int)exponent - bias)
                     : ldexp((double)fraction, 1 - bias - (int)fraction_bits);
      if (exponent == (UINT64_C(1) << exponent_bits) - 1)
         f = fraction ? NAN : INFINITY;
      return negative ? -f : f;
   }
   default:
      return (double)v;
   }
}

/* The first vertex of the buffers, whatever its id is. */
static void
fetch_one(struct unit *u, uint32_t id, uint32_t primitive_id)
{
   vf_fetch(u->rig->dev->render, 0u - id, &id, primitive_id, &u->vertex[0], 1);
}

static void
formats(void **state)
{
   proves("P3D-049", "P3D-050", "P3D-051", "P3D-052", "P3D-053", "P3D-054", "P3D-056", "P3D-048");
   struct unit *u = *state;
   struct render *r = u->r;
   uint64_t seed = 11;
   unsigned tried = 0;
   begin_fetch(u);
   r->state.buffer[0] = (struct hw_vertex_buffer_state){.address_modify_enable = true,
                                                        .buffer_starting_address = BUFFER,
                                                        .end_address = BUFFER + 0xfff};
   r->state.has_buffer = 1;
   for (unsigned code = 0; code < FORMAT_COUNT; code++) {
      const struct format_info *f = format_get(code);
      if (!(f->capabilities & FORMAT_VERTEX) || f->layout != FORMAT_PLAIN)
         continue;
      tried++;
      r->state.element[0] = (struct hw_vertex_element_state){.valid = true,
                                                             .source_element_format = code,
                                                             .component_0_control = SRC,
                                                             .component_1_control = SRC,
                                                             .component_2_control = SRC,
                                                             .component_3_control = SRC};
      vf_state_changed(r);
      for (unsigned n = 0; n < 200; n++) {
         uint8_t *bytes = (uint8_t *)rig_ggtt(u->rig, BUFFER);
         for (unsigned i = 0; i < 32; i++)
            bytes[i] = n < 2 ? (uint8_t) - (int)n : (uint8_t)random32(&seed);
         fetch_one(u, 0, 0);
         for (unsigned k = 0; k < 4; k++) {
            const struct format_channel *c = &f->channel[k];
            uint32_t got = u->vue[0][k];
            if (c->type == CHANNEL_NONE) {
               bool one = k == 3;
               assert_int_equal(got, !one                                     ? 0
                                     : f->channel_class == FORMAT_CLASS_FLOAT ? 0x3f800000
                                                                              : 1);
               continue;
            }
            bool integer;
            double want = channel_value(bytes, c, &integer);
            if (integer)
               assert_int_equal(got, (uint32_t)(int64_t)want);
            else if (isnan(want))
               assert_true(isnan(bits_float(got)));
            else if (bits_float(got) != (float)want)
               fail_msg("%s channel %u: %g, not %g", f->name, k, (double)bits_float(got), want);
         }
      }
   }
   assert_in_range(tried, 60, 200);
   r->state.element[0].source_element_format = 0x186; /* BC1: for samplers */
   vf_state_changed(r);
   rig_expect(u->rig, "P3D-055");
}

/* P3D-045, P3D-041, P3D-057, P3D-058, P3D-047 */
static void
elements(void **state)
{
   proves("P3D-041", "P3D-045", "P3D-057", "P3D-058", "P3D-047", "P3D-046");
   struct unit *u = *state;
   struct render *r = u->r;
   begin_fetch(u);
   float *data = (float *)(void *)rig_ggtt(u->rig, BUFFER);
   for (unsigned i = 0; i < 8; i++)
      data[i] = (float)i + 0.5f;
   r->state.buffer[0] = (struct hw_vertex_buffer_state){.address_modify_enable = true,
                                                        .buffer_starting_address = BUFFER,
                                                        .end_address = BUFFER + 0xfff};
   r->state.has_buffer = 1;
   r->vf.instance = 9;
   for (unsigned c = 1; c < 8; c++)
      for (unsigned null = 0; null < 2; null++) {
         r->state.buffer[0].null_vertex_buffer = null;
         r->state.element[0] = (struct hw_vertex_element_state){.valid = true,
                                                                .component_0_control = c,
                                                                .component_1_control = 1 + c % 7,
                                                                .component_2_control = c,
                                                                .component_3_control = SRC};
         vf_state_changed(r);
         fetch_one(u, 33, 44);
         const unsigned control[4] = {c, 1 + c % 7, c, SRC};
         for (unsigned k = 0; k < 4; k++) {
            const uint32_t want[8] = {
                0, null ? 0 : float_bits((float)k + 0.5f), 0, 0x3f800000, 1, 33, 9, 44};
            assert_int_equal(u->vue[0][k], want[control[k]]);
         }
      }
   rig_clean(u->rig);
   r->state.buffer[0].null_vertex_buffer = false;
   r->state.element[0].component_1_control = 0;
   vf_state_changed(r);
   rig_expect(u->rig, "P3D-047");
   fetch_one(u, 0, 0);
   assert_int_equal(u->vue[0][1], 0);
   r->state.element[0].component_1_control = SRC;
   r->state.element[1] = (struct hw_vertex_element_state){.valid = true,
                                                          .edge_flag_enable = true,
                                                          .source_element_format = 0xd7,
                                                          .source_element_offset = 64,
                                                          .component_0_control = SRC};
   r->state.elements = 2;
   vf_state_changed(r);
   assert_int_equal(r->vf.slots, 1);
   for (unsigned i = 0; i < 2; i++) {
      rig_ggtt(u->rig, BUFFER)[16] = i;
      fetch_one(u, 0, 0);
      assert_int_equal(u->vertex[0].edge_flag, i);
   }
   r->state.element[2] = r->state.element[0];
   r->state.elements = 3;
   rig_forget(u->rig);
   vf_state_changed(r);
   rig_expect(u->rig, "P3D-058");
}

/* P3D-069, P3D-070: entries that a vertex is taken from again, and when it may not be. */
static void
reuse(void **state)
{
   proves("P3D-069", "P3D-070");
   struct unit *u = *state;
   struct render *r = u->r;
   static struct made m;
   static const uint8_t index[12] = {0, 1, 2, 2, 1, 3, 0, 1, 2, 3, 2, 1};
   begin_fetch(u);
   r->state.element[0].component_2_control = ZERO; /* of the ids only the vertex's */
   vf_state_changed(r);
   memcpy(rig_ggtt(u->rig, INDICES), index, sizeof(index));
   r->state.index = (struct hw_3dstate_index_buffer){.buffer_starting_address = INDICES,
                                                     .buffer_ending_address = INDICES + 11};
   for (unsigned way = 0; way < 4; way++) {
      r->state.vs.vertex_cache_disable = way == 1;
      r->state.element[0].component_2_control = way == 2 ? PID : ZERO;
      vf_state_changed(r);
      r->primitive = (struct hw_3dprimitive){.primitive_topology_type = TRILIST,
                                             .vertex_access_type = 1,
                                             .vertex_count_per_instance = 12,
                                             .instance_count = way == 3 ? 2 : 1};
      uint64_t budget = UINT64_MAX;
      assert_true(vf_begin(r));
      assert_true(vf_run(r, &budget));
      assembly_objects(&r->vf.strip);
      /* Four vertices, each of them once; or all of them; or four an instance. */
      assert_int_equal(r->vf.used, way == 0 ? 4 : way == 3 ? 8 : 12);
      assert_int_equal(r->list.count, way == 3 ? 8 : 4);
      for (unsigned i = 0; i < r->list.count; i++)
         for (unsigned k = 0; k < 3; k++) {
            const uint32_t *vue = r->list.object[i].v[k]->vue;
            assert_int_equal(vue[0], index[(3 * i + k) % 12]);
            assert_int_equal(vue[1], i / 4);
            assert_int_equal(vue[2], way == 2 ? i : 0);
         }
      r->list.count = 0;
   }
   /* Another draw: what is in memory now. */
   r->state.vs.vertex_cache_disable = false;
   ((uint8_t *)rig_ggtt(u->rig, INDICES))[0] = 9;
   r->primitive.instance_count = 1;
   fetch_all(u, &m);
   assert_int_equal(m.id[0][0], 9);
}

/* P3D-037, P3D-038, P3D-044, P3D-071 */
static void
buffers(void **state)
{
   proves("P3D-037", "P3D-038", "P3D-044", "P3D-071", "P3D-079");
   struct unit *u = *state;
   struct render *r = u->r;
   static struct made m;
   begin_fetch(u);
   uint32_t *data = rig_ggtt(u->rig, BUFFER);
   for (unsigned i = 0; i < 64; i++)
      data[i] = 1000 + i;
   for (unsigned i = 0; i < VERTEX_BUFFERS; i++)
      r->state.buffer[i] =
          (struct hw_vertex_buffer_state){.vertex_buffer_index = i,
                                          .buffer_pitch = 4 * (i % 3),
                                          .instance_data_step_rate = i % 2,
                                          .address_modify_enable = true,
                                          .buffer_starting_address = BUFFER + 4 * i,
                                          .end_address = BUFFER + 255};
   r->state.has_buffer = (UINT64_C(1) << VERTEX_BUFFERS) - 1;
   for (unsigned i = 0; i < VERTEX_ELEMENTS; i++) /* as many as there can be, 16 bytes each */
      r->state.element[i] = (struct hw_vertex_element_state){.valid = true,
                                                             .vertex_buffer_index = i % 33,
                                                             .source_element_format = 0xd7,
                                                             .component_0_control = SRC,
                                                             .component_1_control = VID,
                                                             .component_2_control = ZERO,
                                                             .component_3_control = ONE_I};
   r->state.elements = VERTEX_ELEMENTS;
   vf_state_changed(r);
   r->primitive = (struct hw_3dprimitive){
       .primitive_topology_type = 1, .vertex_count_per_instance = 4, .instance_count = 1};
   fetch_all(u, &m);
   assert_int_equal(m.count, 4);
   for (unsigned n = 0; n < 4; n++)
      for (unsigned i = 0; i < VERTEX_ELEMENTS; i++) {
         unsigned b = i % 33; /* pitch 0: the same for all; a step rate changes nothing */
         const uint32_t want[4] = {1000 + b + n * (b % 3), n, 0, 1};
         assert_memory_equal(m.object[n].v[0]->vue + 4 * i, want, 16);
      }
   /* An entry of 64 bytes has four slots: what does not fit is told, and not behind it. */
   r->state.urb_vs = (struct hw_3dstate_urb_vs){.number_of_urb_entries = 32};
   rig_forget(u->rig);
   fetch_all(u, &m);
   rig_expect(u->rig, "P3D-079");
   assert_int_equal(m.count, 4);
   for (unsigned n = 0; n < 4; n++)
      for (unsigned i = 0; i < 4; i++)
         assert_int_equal(m.object[n].v[0]->vue[4 * i], 1000 + i + n * (i % 3));
   r->state.elements = 4;
   r->address = 64; /* another draw: equal diagnostics are told only once */
   vf_state_changed(r);
   fetch_all(u, &m);
   assert_int_equal(rig_count(u->rig, "P3D-079"), 0);
   /* End Offset: as many as the bytes of the first buffer are, whatever the count says. */
   r->primitive.end_offset_enable = true;
   r->state.buffer[0].buffer_pitch = 12;
   rig_set(u->rig, REG_3DPRIM_END_OFFSET, 12 * 7 + 5);
   fetch_all(u, &m);
   assert_int_equal(m.count, 7);
   r->primitive.vertex_count_per_instance = 4;
   r->state.buffer[0].buffer_pitch = 0;
   fetch_all(u, &m);
   assert_int_equal(m.count, 0);
}

/* P3D-011, P3D-010: counts of 2^32 - 1 end with the budget, and go on. */
static void
endless(void **state)
{
   proves("P3D-011");
   struct unit *u = *state;
   begin_fetch(u);
   u->r->primitive = (struct hw_3dprimitive){.primitive_topology_type = 5,
                                             .vertex_count_per_instance = UINT32_MAX,
                                             .start_vertex_location = 0xfffffff0,
                                             .instance_count = UINT32_MAX};
   assert_true(vf_begin(u->r));
   uint32_t before = 0;
   for (unsigned i = 0; i < 50; i++) {
      uint64_t budget = i % 2 ? 1 : 1000;
      vf_run(u->r, &budget);
      vf_recycle(u->r);
      assert_in_range(u->r->vf.v, before + 1, i % 2 ? before + 1 : UINT32_MAX);
      before = u->r->vf.v;
   }
   assert_false(u->r->vf.over);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       UNIT_CASE(objects),
       UNIT_CASE(ids),
       UNIT_CASE(cuts),
       UNIT_CASE(indices),
       UNIT_CASE(indices_at_the_end_of_memory),
       UNIT_CASE(formats),
       UNIT_CASE(elements),
       UNIT_CASE(endless),
       UNIT_CASE(wrapped_start),
       UNIT_CASE(large_entries),
       UNIT_CASE(provoking_vertices),
       UNIT_CASE(reuse),
       UNIT_CASE(buffers),
       UNIT_CASE(ids_of_vertices),
   };
   return cmocka_run_group_tests_name("render_topologies", tests, NULL, NULL);
}
