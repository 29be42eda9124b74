/* Clip and setup by themselves: which objects go on, which part of them, and with what. Screens are
 * small numbers of which every result is known by hand. */
#include "unit.h"

#define LEFT 480 /* of the viewport, which is 64 pixels wide … */
#define RIGHT 544
#define GUARD_LEFT 448 /* … and its guardband, of twice that */
#define GUARD_RIGHT 576

/* Normalized coordinate 0 is at 512 both ways, 1 at 544. */
static struct hw_sf_clip_viewport
viewport_at(float x, float scale)
{
   return (struct hw_sf_clip_viewport){.viewport_matrix_element_m00 = scale,
                                       .viewport_matrix_element_m11 = scale,
                                       .viewport_matrix_element_m22 = 1,
                                       .viewport_matrix_element_m30 = x,
                                       .viewport_matrix_element_m31 = 512,
                                       .x_min_clip_guardband = -2,
                                       .x_max_clip_guardband = 2,
                                       .y_min_clip_guardband = -2,
                                       .y_max_clip_guardband = 2};
}

static void
set_view(struct unit *u)
{
   struct render_state *s = &u->r->state;
   s->clip = (struct hw_3dstate_clip){.clip_enable = true,
                                      .guardband_clip_test_enable = true,
                                      .viewport_xy_clip_test_enable = true,
                                      .viewport_z_clip_test_enable = true,
                                      .api_mode = 1,
                                      .minimum_point_width = 1,
                                      .maximum_point_width = 2047};
   s->sf.viewport_transform_enable = true;
   s->viewport[0] = viewport_at(512, 32);
}

/* What the object became. */
struct box {
   unsigned count;
   int32_t x0, x1, y0, y1;
};

static struct box
clip(struct unit *u)
{
   struct box b = {.x0 = INT32_MAX, .y0 = INT32_MAX, .x1 = INT32_MIN, .y1 = INT32_MIN};
   bin_empty(&u->r->bin);
   u->r->clip_in = u->r->clip_out = 0;
   clip_object(u->r, &u->o);
   b.count = u->r->bin.setups;
   for (unsigned i = 0; i < b.count; i++) {
      const struct setup *s = setup_of(u, i);
      b.x0 = s->x0 < b.x0 ? s->x0 : b.x0;
      b.y0 = s->y0 < b.y0 ? s->y0 : b.y0;
      b.x1 = s->x1 > b.x1 ? s->x1 : b.x1;
      b.y1 = s->y1 > b.y1 ? s->y1 : b.y1;
   }
   return b;
}

/* A triangle from x0 to x1 (normalized), as high as the viewport's half. */
static void
span(struct unit *u, float x0, float x1)
{
   place(u, 0, x0, -0.5f, 0.5f, 1);
   place(u, 1, x1, 0, 0.5f, 1);
   place(u, 2, x0, 0.5f, 0.5f, 1);
}

static void
distances(struct unit *u, unsigned slot, float a, float b, float c)
{
   u->vue[0][8 + slot] = float_bits(a);
   u->vue[1][8 + slot] = float_bits(b);
   u->vue[2][8 + slot] = float_bits(c);
}

static void
modes(void **state)
{
   proves("P3D-176", "P3D-177", "P3D-178", "P3D-202");
   struct unit *u = *state;
   struct hw_3dstate_clip *c = &u->r->state.clip;
   set_view(u);
   c->clip_enable = false;
   span(u, 1.5f, 8);
   struct box b = clip(u); /* off: neither dropped nor cut, and divided */
   assert_int_equal(b.count, 1);
   assert_int_equal(b.x0, 560);
   assert_int_equal(b.x1, 512 + 8 * 32);
   assert_int_equal(u->r->clip_in, 0);
   for (unsigned i = 0; i < 3; i++) /* twice the w: half the distance */
      u->vue[i][7] = float_bits(2);
   b = clip(u);
   assert_int_equal(b.x0, 512 + 24);
   assert_int_equal(b.x1, 512 + 4 * 32);
   c->clip_enable = true;
   c->clip_mode = 3; /* REJECT_ALL */
   span(u, -0.5f, 0.5f);
   assert_int_equal(clip(u).count, 0);
   assert_int_equal(u->r->clip_in, 1);
   c->clip_mode = 4; /* ACCEPT_ALL: whole, even where all of it is outside */
   span(u, 1.5f, 8);
   b = clip(u);
   assert_int_equal(b.count, 1);
   assert_int_equal(b.x1, 512 + 8 * 32);
   assert_int_equal(u->r->clip_in, 1);
   u->vue[1][6] = float_bits(NAN);
   assert_int_equal(clip(u).count, 0);
   span(u, -0.5f, 0.5f);
   for (unsigned i = 0; i < 3; i++) { /* those of the triangle are every second one */
      memcpy(u->vue[4 - 2 * i] + 4, u->vue[2 - i] + 4, 16);
      u->o.inner[i] = (uint8_t)(2 * i);
   }
   place(u, 1, NAN, 0, 0, 1); /* adjacent ones are not looked at */
   place(u, 3, 100, 0, 0, 1);
   u->o.vertices = 6;
   b = clip(u);
   assert_int_equal(b.count, 1);
   assert_int_equal(b.x0, 512 - 16);
   assert_int_equal(b.x1, 512 + 16);
}

/* The two tests of x and y: by which an object is dropped, and where it is cut. */
static void
viewport_and_guardband(void **state)
{
   proves("P3D-182", "P3D-183", "P3D-184", "P3D-185", "P3D-186", "P3D-188", "P3D-189");
   struct unit *u = *state;
   struct hw_3dstate_clip *c = &u->r->state.clip;
   static const struct {
      bool view, guard, near_is_drawn, far_is_drawn;
      int32_t cut;
   } cases[4] = {{true, true, false, false, GUARD_RIGHT},
                 {true, false, false, false, RIGHT},
                 {false, true, true, false, GUARD_RIGHT},
                 {false, false, true, true, 512 + 8 * 32}};
   set_view(u);
   for (unsigned i = 0; i < 4; i++) {
      c->viewport_xy_clip_test_enable = cases[i].view;
      c->guardband_clip_test_enable = cases[i].guard;
      span(u, 1.2f, 1.8f);
      assert_int_equal(clip(u).count, cases[i].near_is_drawn);
      span(u, -1.8f, -1.2f);
      assert_int_equal(clip(u).count, cases[i].near_is_drawn);
      span(u, 2.2f, 3.8f);
      assert_int_equal(clip(u).count, cases[i].far_is_drawn);
      span(u, 0, 8);
      assert_int_equal(clip(u).x1, cases[i].cut);
      span(u, -0.9f, 0.9f); /* inside of all */
      assert_int_equal(clip(u).count, 1);
      assert_int_equal(u->r->clip_out, 1);
      span(u, -1.8f, 1.8f); /* a vertex on either side: no plane has all of them */
      assert_true(clip(u).count > 0);
   }
   /* What drivers leave of points and lines: beyond the viewport, to the guardband. */
   c->viewport_xy_clip_test_enable = false;
   c->guardband_clip_test_enable = true;
   u->o.kind = OBJECT_LINE;
   place(u, 0, 0, 0, 0.5f, 1);
   place(u, 1, 1.5f, 0, 0.5f, 1);
   assert_int_equal(clip(u).x1, 560);
   u->o.kind = OBJECT_POINT;
   u->r->state.sf.point_width_source = 1;
   u->r->state.sf.point_width = 64;
   place(u, 0, 1.5f, 0, 0.5f, 1);
   assert_int_equal(clip(u).x1, 564);
   c->viewport_xy_clip_test_enable = true;
   assert_int_equal(clip(u).count, 0);
}

/* The planes besides: all vertices outside of one, or some. */
static void
other_planes(void **state)
{
   proves("P3D-185", "P3D-186", "P3D-078", "P3D-195", "P3D-203");
   struct unit *u = *state;
   struct hw_3dstate_clip *c = &u->r->state.clip;
   set_view(u);
   for (unsigned mode = 0; mode < 2; mode++) { /* z from -w or from 0, to w */
      float near = mode ? 0 : -1;
      c->api_mode = mode;
      for (unsigned side = 0; side < 2; side++) {
         float out = side ? 1.25f : near - 0.25f, in = side ? 0.75f : near + 0.25f;
         for (unsigned n = 0; n < 8; n++) { /* a bit for each vertex that is outside */
            span(u, -0.5f, 0.5f);
            for (unsigned i = 0; i < 3; i++)
               u->vue[i][6] = float_bits(n >> i & 1 ? out : in);
            unsigned count = clip(u).count, bits = (unsigned)__builtin_popcount(n);
            assert_int_equal(count, bits == 3 ? 0 : bits == 1 ? 2 : 1);
            assert_int_equal(u->r->clip_out, count); /* a polygon of four counts twice */
            c->viewport_z_clip_test_enable = false;
            assert_int_equal(clip(u).count, 1);
            c->viewport_z_clip_test_enable = true;
         }
      }
   }
   span(u, -0.5f, 0.5f); /* behind the eye */
   for (unsigned i = 0; i < 3; i++)
      u->vue[i][7] = float_bits(-1);
   c->viewport_xy_clip_test_enable = c->viewport_z_clip_test_enable = false;
   c->guardband_clip_test_enable = false;
   assert_int_equal(clip(u).count, 0);
   /* Distances: of those that are not tested nothing is read. */
   set_view(u);
   span(u, -0.5f, 0.5f);
   for (unsigned n = 0; n < 8; n++) {
      distances(u, n, -1, -1, -1);
      assert_int_equal(clip(u).count, 1);
      c->user_clip_distance_clip_test_enable_bitmask = 1u << n;
      assert_int_equal(clip(u).count, 0);
      distances(u, n, 1, -1, 1); /* half of the way to the one vertex */
      struct box b = clip(u);
      assert_int_equal(b.x0, 496);
      assert_int_equal(b.x1, 512);
      c->user_clip_distance_clip_test_enable_bitmask = 0;
      c->user_clip_distance_cull_test_enable_bitmask = 1u << n;
      b = clip(u); /* never cuts */
      assert_int_equal(b.count, 1);
      assert_int_equal(b.x1, 528);
      distances(u, n, -1, -1, -1);
      assert_int_equal(clip(u).count, 0);
      c->user_clip_distance_cull_test_enable_bitmask = 0;
   }
}

/* Parts of a triangle have its planes; a line is cut, and its stipple begins there. */
static void
parts(void **state)
{
   proves("P3D-190", "P3D-192", "P3D-332");
   struct unit *u = *state;
   struct render_state *s = &u->r->state;
   set_view(u);
   s->sbe = (struct hw_3dstate_sbe){.number_of_sf_output_attributes = 1,
                                    .vertex_urb_entry_read_offset = 1,
                                    .vertex_urb_entry_read_length = 1};
   sbe_state_changed(u->r);
   place(u, 0, -1.5f, -1.5f, 0.25f, 1);
   place(u, 1, 9, 0, 1.5f, 3);
   place(u, 2, 1, 24, 0.5f, 2);
   for (unsigned i = 0; i < 12; i++)
      u->vue[i / 4][8 + i % 4] = float_bits((float)(i * i) + 0.5f);
   assert_true(clip(u).count >= 2);
   const struct setup *a = setup_of(u, 0);
   for (unsigned i = 1; i < u->r->bin.setups; i++) {
      const struct setup *b = setup_of(u, i);
      assert_memory_equal(&a->n1, &b->n1, 6 * sizeof(a->n1)); /* n1, n2, d, l1, l2, z */
      assert_memory_equal(a->attribute, b->attribute, 64);
   }
   /* The source's own: at its first vertex, on pixel 464,464, the weights of the others are 0. */
   double d = plane_at(&a->d, 463.5, 463.5);
   assert_float_equal(d, 1, 1e-9);
   assert_float_equal(plane_at(&a->n1, 463.5, 463.5), 0, 1e-9);
   assert_float_equal(plane_at(&a->n2, 463.5, 463.5), 0, 1e-9);
   assert_float_equal(plane_at(&a->z, 463.5, 463.5), 0.25, 1e-9);
   for (unsigned i = 0; i < 4; i++) {
      const uint32_t *to = &a->attribute[i / 2][4 * (i & 1)];
      assert_int_equal(to[3], u->vue[0][8 + i]);
      assert_true(bits_float(to[0]) == bits_float(u->vue[1][8 + i]) - bits_float(to[3]));
      assert_true(bits_float(to[1]) == bits_float(u->vue[2][8 + i]) - bits_float(to[3]));
   }
   u->o.kind = OBJECT_LINE;
   u->o.first = true;
   s->wm.line_stipple_enable = true;
   s->line_stipple.line_stipple_repeat_count = 1;
   u->r->dash = 17;
   place(u, 0, -8, 0.01f, 0.5f, 1);
   place(u, 1, 0, 0.01f, 0.5f, 1);
   struct box b = clip(u);
   assert_int_equal(b.count, 1);
   assert_int_equal(b.x0, GUARD_LEFT);
   assert_int_equal(b.x1, 512);
   assert_int_equal(setup_of(u, 0)->line.from, GUARD_LEFT);
   assert_int_equal(setup_of(u, 0)->line.count, 0);
   assert_float_equal(plane_at(&setup_of(u, 0)->l1, 511.5, 512), 1, 1e-6); /* the whole line's */
   assert_float_equal(plane_at(&setup_of(u, 0)->l1, 447.5, 512), 0.75, 1e-6);
   place(u, 0, -8, -3, 0.5f, 1); /* passes the corner outside */
   place(u, 1, -1.5f, 8, 0.5f, 1);
   assert_int_equal(clip(u).count, 0);
}

/* P3D-193: what clipping adds to a triangle is neither an edge nor a point of it. */
static void
outlines_of_parts(void **state)
{
   proves("P3D-193");
   struct unit *u = *state;
   struct hw_3dstate_sf *f = &u->r->state.sf;
   enum { WIREFRAME = 1, POINT };
   set_view(u);
   for (unsigned outside = 0; outside < 3; outside++) {
      unsigned up = outside ? 0 : 1, down = outside == 2 ? 1 : 2;
      place(u, up, -0.5f, -0.5f, 0.5f, 1);
      place(u, down, -0.5f, 0.5f, 0.5f, 1);
      place(u, outside, 9, 0, 0.5f, 1);
      u->o.edges = 0x3f;
      f->frontface_fill_mode = f->backface_fill_mode = WIREFRAME;
      struct box b = clip(u);
      assert_int_equal(b.count, 3);
      assert_in_range(b.x0, 495, 496);
      assert_in_range(b.x1, GUARD_RIGHT - 1, GUARD_RIGHT);
      unsigned upright = 0;
      for (unsigned i = 0; i < 3; i++) {
         const struct setup *s = setup_of(u, i);
         upright += s->x1 - s->x0 <= 2;
         assert_in_range(s->y1 - s->y0, s->x1 - s->x0 <= 2 ? 31 : 5, s->x1 - s->x0 <= 2 ? 33 : 7);
         assert_in_range(s->x0, 495, 496);
      }
      assert_int_equal(upright, 1);
      f->frontface_fill_mode = f->backface_fill_mode = POINT;
      f->point_width_source = 1;
      f->point_width = 8;
      b = clip(u);
      assert_int_equal(b.count, 2);
      assert_in_range(b.x1, 495, 497);
      u->o.edges = 0x3f & ~(1u << (3 + up)); /* its edge flag is off */
      assert_int_equal(clip(u).count, 1);
   }
}

static void
viewports_and_layers(void **state)
{
   proves("P3D-196", "P3D-197", "P3D-208", "P3D-077");
   struct unit *u = *state;
   struct render_state *s = &u->r->state;
   set_view(u);
   for (unsigned i = 0; i < VIEWPORTS; i++) {
      s->viewport[i] = viewport_at((float)(100 * i + 100), 32);
      s->scissor[i] = (struct hw_scissor_rect){.scissor_rectangle_x_min = 100 * i + 90,
                                               .scissor_rectangle_x_max = 100 * i + 103,
                                               .scissor_rectangle_y_max = 0xffff};
   }
   s->sf.scissor_rectangle_enable = true;
   span(u, -0.5f, 0.5f);
   for (unsigned most = 0; most < VIEWPORTS; most += 5)
      for (uint32_t index = 0; index < 20; index++) {
         s->clip.maximum_vp_index = most;
         u->vue[0][2] = index;
         unsigned used = index > most ? 0 : index;
         struct box b = clip(u);
         assert_int_equal(b.count, 1);
         assert_int_equal(setup_of(u, 0)->viewport, used); /* the depth range's too */
         assert_int_equal(b.x0, 100 * used + 90);
         assert_int_equal(b.x1, 100 * used + 104);
      }
   u->vue[0][2] = 0xffffffff;
   assert_int_equal(clip(u).count, 1);
   assert_int_equal(setup_of(u, 0)->viewport, 0);
   u->vue[0][1] = 5;
   clip(u);
   assert_int_equal(setup_of(u, 0)->layer, 5);
   s->clip.force_zero_rta_index_enable = true;
   clip(u);
   assert_int_equal(setup_of(u, 0)->layer, 0);
}

static void
point_widths(void **state)
{
   proves("P3D-198", "P3D-228", "P3D-077");
   struct unit *u = *state;
   struct hw_3dstate_clip *c = &u->r->state.clip;
   set_view(u);
   u->o.kind = OBJECT_POINT;
   c->minimum_point_width = 2 * 8;
   c->maximum_point_width = 10 * 8;
   place(u, 0, 0, 0, 0.5f, 1);
   static const struct {
      float width;
      int32_t pixels, unlimited;
   } cases[] = {{4, 4, 4},    {0, 2, 0},   {1, 2, 1},       {-3, 2, 0},
                {20, 10, 20}, {NAN, 2, 0}, {0.0625f, 2, 0}, {INFINITY, 10, 32767 - 512 + 512}};
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      u->vue[0][3] = float_bits(cases[i].width);
      struct box b = clip(u);
      assert_int_equal(b.count, 1);
      assert_int_equal(b.x1 - b.x0, cases[i].pixels);
      assert_int_equal(b.y1 - b.y0, cases[i].pixels);
      c->clip_enable = false;
      b = clip(u);
      if (cases[i].unlimited > 1000)
         assert_true(b.x1 - b.x0 > 10000);
      else if (cases[i].unlimited)
         assert_int_equal(b.x1 - b.x0, cases[i].unlimited);
      else
         assert_int_equal(b.count, 0);
      c->clip_enable = true;
   }
   c->minimum_point_width = 19 * 8 + 4;
   c->maximum_point_width = 40 * 8;
   place(u, 0, 0.5f / 512, 0.5f / 512, 0.5f, 1);
   u->vue[0][3] = float_bits(1);
   struct box b = clip(u);
   assert_in_range(b.x1 - b.x0, 19, 20);
}

static void
positions(void **state)
{
   proves("P3D-199", "P3D-205", "P3D-207", "P3D-212");
   struct unit *u = *state;
   struct render_state *s = &u->r->state;
   s->clip.perspective_divide_disable = true; /* pixels as they are, and 1/w */
   place(u, 0, 10, 20, 0.5f, 0.5f);
   place(u, 1, 30, 20, 0.5f, 0.25f);
   place(u, 2, 10, 40, 0.5f, 2);
   struct box b = clip(u);
   assert_int_equal(b.x0, 10);
   assert_int_equal(b.x1, 30);
   assert_int_equal(b.y0, 20);
   assert_float_equal(plane_at(&setup_of(u, 0)->d, 9.5, 19.5), 0.5, 1e-12);
   assert_float_equal(plane_at(&setup_of(u, 0)->d, 29.5, 19.5), 0.25, 1e-12);
   assert_float_equal(plane_at(&setup_of(u, 0)->d, 9.5, 39.5), 2, 1e-12);
   s->sf.viewport_transform_enable = true; /* NDC, and 1/w */
   s->viewport[0] = viewport_at(512, 32);
   b = clip(u);
   assert_int_equal(b.x0, 512 + 320);
   assert_float_equal(plane_at(&setup_of(u, 0)->d, 512 + 320 - 0.5, 512 + 640 - 0.5), 0.5, 1e-12);
   s->clip.clip_enable = s->clip.viewport_xy_clip_test_enable = true; /* w has no part in it */
   place(u, 0, 0.2f, 0.2f, 0, 8);
   place(u, 1, 0.8f, 0.2f, 0, 8);
   place(u, 2, 0.2f, 0.8f, 0, 8);
   assert_int_equal(clip(u).count, 1);
   place(u, 0, 1.2f, 0.2f, 0, 8);
   place(u, 1, 1.8f, 0.2f, 0, 8);
   place(u, 2, 1.2f, 0.8f, 0, 8);
   assert_int_equal(clip(u).count, 0);
   s->clip.clip_enable = s->clip.viewport_xy_clip_test_enable = false;
   place(u, 0, 10, 20, 0.5f, 0.5f);
   place(u, 1, 30, 20, 0.5f, 0.25f);
   place(u, 2, 10, 40, 0.5f, 2);
   /* Not a number: as it comes, or by the viewport. */
   for (unsigned i = 0; i < 3; i++)
      for (unsigned k = 4; k < 8; k++) {
         uint32_t old = u->vue[i][k];
         u->vue[i][k] = float_bits(NAN);
         assert_int_equal(clip(u).count, 0);
         u->vue[i][k] = old;
      }
   assert_int_equal(clip(u).count, 1);
   s->viewport[0].viewport_matrix_element_m22 = 0;
   u->vue[2][6] = float_bits(INFINITY);
   assert_int_equal(clip(u).count, 0);
   u->vue[2][6] = 0;
   /* Beyond what the grid has: at its edge, and told where the picture shows it. */
   s->sf.viewport_transform_enable = false;
   rig_forget(u->rig);
   place(u, 1, 32767.5f, 20, 0, 1);
   clip(u);
   assert_int_equal(rig_count(u->rig, "P3D-212"), 0);
   place(u, 1, 40000, 20, 0, 1);
   b = clip(u);
   assert_int_equal(b.x1, 32768);
   rig_expect(u->rig, "P3D-212");
   place(u, 2, 10, -40000, 0, 1);
   place(u, 0, 10, -50000, 0, 1);
   place(u, 1, 40, -50000, 0, 1); /* nothing of it is in the drawing rectangle */
   assert_int_equal(clip(u).count, 0);
   assert_int_equal(rig_count(u->rig, "P3D-212"), 0);
}

/* Faces of triangles, lines and points; what each is filled with. */
static void
faces(void **state)
{
   proves("P3D-216", "P3D-220", "P3D-200");
   struct unit *u = *state;
   struct hw_3dstate_sf *f = &u->r->state.sf;
   f->point_width_source = 1;
   f->point_width = 8;
   for (unsigned turn = 0; turn < 2; turn++)
      for (unsigned winding = 0; winding < 2; winding++)
         for (unsigned fill = 0; fill < 9; fill++) {
            /* Clockwise on the screen, or not. */
            place(u, 0, 10, 10, 0, 1);
            place(u, turn ? 2 : 1, 30, 10, 0, 1);
            place(u, turn ? 1 : 2, 10, 30, 0, 1);
            f->front_winding = winding;
            f->cull_mode = 1;
            f->frontface_fill_mode = fill / 3;
            f->backface_fill_mode = fill % 3;
            bool clockwise = !turn, back = clockwise == (bool)winding;
            unsigned mine = back ? fill % 3 : fill / 3;
            struct box b = clip(u);
            assert_int_equal(b.count, mine ? 3 : 1);
            for (unsigned i = 0; i < b.count; i++) {
               const struct setup *s = setup_of(u, i);
               assert_int_equal(s->back_facing, back); /* lines and points keep it */
               if (mine == 2) {
                  assert_int_equal(s->x1 - s->x0, 1);
                  assert_int_equal(s->y1 - s->y0, 1);
               }
            }
            /* CLIP's own culling takes what SF would: the same comes out. */
            for (unsigned cull = 0; cull < 4; cull++)
               for (unsigned early = 0; early < 2; early++) {
                  u->r->state.clip.clip_enable = true;
                  u->r->state.clip.clip_mode = 4;
                  u->r->state.clip.early_cull_enable = early;
                  u->r->state.clip.cull_mode = f->cull_mode = cull;
                  u->r->state.clip.front_winding = winding;
                  bool gone = cull == 0 || cull == (back ? 3 : 2);
                  assert_int_equal(clip(u).count, gone ? 0 : b.count);
                  assert_int_equal(u->r->clip_in, 1);
               }
            u->r->state.clip.clip_enable = false;
         }
   f->cull_mode = 0; /* of no meaning for these */
   for (unsigned back = 0; back < 2; back++)
      for (unsigned kind = 0; kind < 2; kind++) {
         u->o.kind = kind ? OBJECT_LINE : OBJECT_POINT;
         u->o.back = back;
         assert_int_equal(clip(u).count, 1);
         assert_int_equal(setup_of(u, 0)->back_facing, back);
      }
}

/* How much the depth of a triangle was moved. */
static double
moved(struct unit *u)
{
   struct hw_3dstate_sf *f = &u->r->state.sf;
   f->global_depth_offset_enable_solid = false;
   clip(u);
   double z = plane_at(&setup_of(u, 0)->z, 20, 20);
   f->global_depth_offset_enable_solid = true;
   clip(u);
   return plane_at(&setup_of(u, 0)->z, 20, 20) - z;
}

static void
depth_biases(void **state)
{
   proves("P3D-222", "P3D-223", "P3D-224", "P3D-225");
   struct unit *u = *state;
   struct hw_3dstate_sf *f = &u->r->state.sf;
   f->global_depth_offset_constant = 3;
   for (unsigned format = 0; format < 6; format++) {
      f->depth_buffer_surface_format = format;
      for (unsigned n = 0; n < 12; n++) {
         float most = (float)ldexp(1.5, (int)n - 8); /* the largest |z|: 1.5 · 2^(n - 8) */
         place(u, 0, 10, 10, most / 4, 1);
         place(u, 1, 40, 10, -most, 1);
         place(u, 2, 10, 40, most / 2, 1);
         double unit = format == 5                  ? 1.0 / 65536
                       : format == 2 || format == 3 ? 1.0 / 16777216
                                                    : ldexp(1, (int)n - 8 - 23);
         assert_true(fabs(moved(u) - 3 * unit) <= unit / 64 + (double)most * 1e-15);
         f->legacy_global_depth_bias_enable = true;
         assert_float_equal(moved(u), 3, 1e-5);
         f->legacy_global_depth_bias_enable = false;
      }
   }
   place(u, 0, 10, 10, 0, 1); /* by the steeper of the two slopes: 0.75 / 30 down */
   place(u, 1, 40, 10, 0.25f, 1);
   place(u, 2, 10, 40, -0.75f, 1);
   f->global_depth_offset_constant = 0;
   f->global_depth_offset_scale = 2;
   assert_float_equal(moved(u), 2 * 0.75 / 30, 1e-7);
   f->global_depth_offset_clamp = 0.03125f;
   assert_float_equal(moved(u), 0.03125, 1e-7);
   f->global_depth_offset_scale = -2;
   assert_float_equal(moved(u), -2 * 0.75 / 30, 1e-7); /* a limit above 0 is one from above */
   f->global_depth_offset_clamp = -0.03125f;
   assert_float_equal(moved(u), -0.03125, 1e-7);
}

static void
rectangles(void **state)
{
   proves("P3D-240", "P3D-252");
   struct unit *u = *state;
   struct render_state *s = &u->r->state;
   s->sbe = (struct hw_3dstate_sbe){.number_of_sf_output_attributes = 2,
                                    .vertex_urb_entry_read_offset = 1,
                                    .vertex_urb_entry_read_length = 8};
   sbe_state_changed(u->r);
   u->o.kind = OBJECT_RECTANGLE;
   place(u, 0, 30.5f, 25.25f, 0.5f, 1); /* lower right, lower left, upper left */
   place(u, 1, 10.5f, 25.25f, 0.25f, 1);
   place(u, 2, 10.5f, 5.5f, 0, 1);
   for (unsigned i = 0; i < 3; i++)
      u->vue[i][8] = float_bits((float)(1 + 10 * i * i));
   for (unsigned cull = 0; cull < 4; cull++)
      for (unsigned winding = 0; winding < 2; winding++) {
         s->sf.cull_mode = cull;
         s->sf.front_winding = winding;
         struct box b = clip(u); /* middles of pixels on the left and upper edge are inside */
         assert_int_equal(b.count, 1);
         assert_int_equal(b.x0, 10);
         assert_int_equal(b.x1, 30);
         assert_int_equal(b.y0, 5);
         assert_int_equal(b.y1, 25);
         assert_false(setup_of(u, 0)->back_facing);
      }
   /* The plane of three corners; the fourth is v2 + v0 - v1. */
   const struct setup *t = setup_of(u, 0);
   static const double corner[4][3] = {{30, 24.75, 1}, {10, 24.75, 11}, {10, 5, 41}, {30, 5, 31}};
   for (unsigned i = 0; i < 4; i++) {
      double l1 = plane_at(&t->l1, corner[i][0], corner[i][1]),
             l2 = plane_at(&t->l2, corner[i][0], corner[i][1]);
      const uint32_t *a = t->attribute[0];
      assert_float_equal((double)bits_float(a[3]) + l1 * (double)bits_float(a[0]) +
                             l2 * (double)bits_float(a[1]),
                         corner[i][2], 1e-5);
   }
   /* Behind the end of the entry there is nothing but 0. */
   assert_int_equal(t->attribute[0][3], float_bits(1));
   for (unsigned i = 0; i < 3; i++) {
      u->vertex[i].vue_slots = 3;
      memset(u->vue[i] + 12, 0xee, 16);
   }
   clip(u);
   t = setup_of(u, 0);
   assert_int_equal(t->attribute[0][3], float_bits(1));
   for (unsigned k = 0; k < 8; k++)
      assert_true(bits_float(t->attribute[2 + k / 4][k % 4]) == 0);
}

/* A corner that only the viewport makes no number of: the rectangle is neither drawn nor counted.
 */
static void
rectangle_that_vanishes(void **state)
{
   proves("G3D-093", "P3D-240");
   struct unit *u = *state;
   struct hw_sf_clip_viewport *v = &u->r->state.viewport[0];
   set_view(u);
   u->o.kind = OBJECT_RECTANGLE;
   place(u, 0, 0.5f, 0.5f, 0.5f, 1);
   place(u, 1, -0.5f, 0.5f, 0.5f, 1);
   place(u, 2, -0.5f, -0.5f, 0.5f, 1);
   assert_int_equal(clip(u).count, 1);
   assert_int_equal(u->r->clip_out, 1);
   for (unsigned i = 0; i < 2; i++) {
      float *element = i ? &v->viewport_matrix_element_m11 : &v->viewport_matrix_element_m00;
      *element = NAN;
      assert_int_equal(clip(u).count, 0);
      assert_int_equal(u->r->clip_out, 0);
      *element = 32;
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       UNIT_CASE(modes),
       UNIT_CASE(viewport_and_guardband),
       UNIT_CASE(other_planes),
       UNIT_CASE(parts),
       UNIT_CASE(outlines_of_parts),
       UNIT_CASE(viewports_and_layers),
       UNIT_CASE(point_widths),
       UNIT_CASE(positions),
       UNIT_CASE(faces),
       UNIT_CASE(depth_biases),
       UNIT_CASE(rectangles),
       UNIT_CASE(rectangle_that_vanishes),
   };
   return cmocka_run_group_tests_name("render_clip", tests, NULL, NULL);
}
