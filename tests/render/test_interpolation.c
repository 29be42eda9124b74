/* What pixels interpolate: planes of setup against rays through the pixels, in long double, with no
 * clipping at all. */
#include "unit.h"

#define SCREEN 512.0

/* The weights of the vertices where the ray through a pixel meets their plane: x, y, w of the
 * screen are the same for both. Cramer's rule; false: it does not. */
static bool
meet(const long double v[3][4], long double x, long double y, long double weight[3])
{
   long double m[3][3], det = 0;
   for (unsigned i = 0; i < 3; i++) { /* v.x - x * v.w, v.y - y * v.w: zero on the ray */
      m[i][0] = v[i][0] - x * v[i][3];
      m[i][1] = v[i][1] - y * v[i][3];
      m[i][2] = 1;
   }
   for (unsigned i = 0; i < 3; i++) {
      unsigned j = (i + 1) % 3, k = (i + 2) % 3;
      weight[i] = m[j][0] * m[k][1] - m[k][0] * m[j][1];
      det += weight[i];
   }
   if (det == 0)
      return false;
   for (unsigned i = 0; i < 3; i++)
      weight[i] /= det;
   return true;
}

static void
set_view(struct unit *u)
{
   struct render_state *s = &u->r->state;
   s->clip.perspective_divide_disable = false;
   s->clip.clip_enable = true;
   s->clip.guardband_clip_test_enable = true;
   s->clip.viewport_xy_clip_test_enable = true;
   s->clip.viewport_z_clip_test_enable = true;
   s->clip.api_mode = 1;
   s->sf.viewport_transform_enable = true;
   s->viewport[0] = (struct hw_sf_clip_viewport){.viewport_matrix_element_m00 = SCREEN / 2,
                                                 .viewport_matrix_element_m11 = -SCREEN / 2,
                                                 .viewport_matrix_element_m22 = 1,
                                                 .viewport_matrix_element_m30 = SCREEN / 2,
                                                 .viewport_matrix_element_m31 = SCREEN / 2,
                                                 .x_min_clip_guardband = -8,
                                                 .x_max_clip_guardband = 8,
                                                 .y_min_clip_guardband = -8,
                                                 .y_max_clip_guardband = 8};
   s->area.clipped_drawing_rectangle_x_max = s->area.clipped_drawing_rectangle_y_max =
       (uint32_t)SCREEN - 1;
}

/* Weights, depth and 1/w of the pixels of what is in the bin, against the rays. */
static unsigned
compare(struct unit *u, const float clip[3][4])
{
   long double v[3][4];
   unsigned checked = 0;
   for (unsigned i = 0; i < 3; i++) { /* to the screen, before the division */
      v[i][0] = SCREEN / 2 * (long double)clip[i][0] + SCREEN / 2 * (long double)clip[i][3];
      v[i][1] = -SCREEN / 2 * (long double)clip[i][1] + SCREEN / 2 * (long double)clip[i][3];
      v[i][2] = clip[i][2];
      v[i][3] = clip[i][3];
   }
   for (unsigned n = 0; n < u->r->bin.setups; n++) {
      const struct setup *s = setup_of(u, n);
      for (int32_t y = s->y0; y < s->y1; y += 1 + (s->y1 - s->y0) / 9)
         for (int32_t x = s->x0; x < s->x1; x += 1 + (s->x1 - s->x0) / 9) {
            long double b[3], cx = x + 0.5L, cy = y + 0.5L;
            if (!lit_by(s, x, y) || !meet(v, cx, cy, b))
               continue;
            double d = plane_at(&s->d, x, y);
            float b1 =
                      (float)(s->perspective ? plane_at(&s->n1, x, y) / d : plane_at(&s->l1, x, y)),
                  b2 =
                      (float)(s->perspective ? plane_at(&s->n2, x, y) / d : plane_at(&s->l2, x, y));
            long double w = b[0] * v[0][3] + b[1] * v[1][3] + b[2] * v[2][3],
                        z = (b[0] * v[0][2] + b[1] * v[1][2] + b[2] * v[2][2]) / w;
            /* P3D-269: as a part of what an attribute goes through; on the screen vertices are
             * floats. */
            long double off = fmaxl(fabsl(b1 - b[1]), fabsl(b2 - b[2]));
            if (off > 0x1p-20L || fabsl((float)plane_at(&s->z, x, y) - z) > 0x1p-24L)
               fail_msg("pixel %d,%d: weights off by %Lg, depth by %Lg", x, y, off,
                        fabsl((float)plane_at(&s->z, x, y) - z));
            checked++;
         }
   }
   return checked;
}

static unsigned
draw_and_compare(struct unit *u, const float clip[3][4])
{
   bin_empty(&u->r->bin);
   for (unsigned i = 0; i < 3; i++)
      place(u, i, clip[i][0], clip[i][1], clip[i][2], clip[i][3]);
   clip_object(u->r, &u->o);
   return compare(u, clip);
}

/* P3D-268, P3D-269, P3D-270: triangles in front of the eye, large on the screen. */
static void
inside(void **state)
{
   proves("P3D-268", "P3D-269", "P3D-270", "P3D-206");
   struct unit *u = *state;
   uint64_t seed = 7;
   unsigned checked = 0;
   set_view(u);
   for (unsigned n = 0; n < 20000; n++) {
      float c[3][4];
      for (unsigned i = 0; i < 3; i++) {
         float w = (float)exp(random_in(&seed, 0, n & 1 ? 3 : 0.2));
         c[i][0] = (float)random_in(&seed, -0.95, 0.95) * w;
         c[i][1] = (float)random_in(&seed, -0.95, 0.95) * w;
         c[i][2] = (float)random_in(&seed, 0.05, 0.95) * w;
         c[i][3] = w;
      }
      float ax = c[1][0] / c[1][3] - c[0][0] / c[0][3], ay = c[1][1] / c[1][3] - c[0][1] / c[0][3],
            bx = c[2][0] / c[2][3] - c[0][0] / c[0][3], by = c[2][1] / c[2][3] - c[0][1] / c[0][3];
      if (fabsf(ax * by - ay * bx) < 0.4f)
         continue; /* slivers have errors of their vertices, by their width */
      checked += draw_and_compare(u, c);
   }
   assert_in_range(checked, 50000, UINT32_MAX);
}

/* P3D-189, P3D-191: triangles that pass the eye, the near plane, the guardband. */
static void
clipped(void **state)
{
   proves("P3D-189", "P3D-191", "P3D-181", "P3D-182", "P3D-183");
   struct unit *u = *state;
   uint64_t seed = 8;
   unsigned checked = 0, parts = 0;
   set_view(u);
   for (unsigned n = 0; n < 20000; n++) {
      float c[3][4];
      for (unsigned i = 0; i < 3; i++) {
         c[i][3] = (float)random_in(&seed, -2, 6);
         c[i][0] = (float)random_in(&seed, -6, 6);
         c[i][1] = (float)random_in(&seed, -6, 6);
         c[i][2] = c[i][3] * 0.8f - 0.3f;
      }
      checked += draw_and_compare(u, c);
      parts += u->r->bin.setups;
   }
   assert_in_range(checked, 50000, UINT32_MAX);
   assert_in_range(parts, 20000, UINT32_MAX); /* many are cut into several */
}

/* P3D-189: what clipping lights is what rays that meet the triangle light. */
static void
clipped_area(void **state)
{
   proves("P3D-189", "P3D-194");
   struct unit *u = *state;
   uint64_t seed = 9;
   set_view(u);
   u->r->state.clip.user_clip_distance_clip_test_enable_bitmask = 1;
   unsigned lit = 0, wrong = 0;
   for (unsigned n = 0; n < 800; n++) {
      float c[3][4];
      long double v[3][4];
      float distance[3];
      bin_empty(&u->r->bin);
      for (unsigned i = 0; i < 3; i++) {
         c[i][3] = (float)random_in(&seed, -2, 6);
         c[i][0] = (float)random_in(&seed, -6, 6);
         c[i][1] = (float)random_in(&seed, -6, 6);
         c[i][2] = c[i][3] * 0.8f - 0.3f;
         distance[i] = n % 3 ? 1 : (float)random_in(&seed, -1, 1);
         place(u, i, c[i][0], c[i][1], c[i][2], c[i][3]);
         u->vue[i][8] = float_bits(distance[i]);
         v[i][0] = SCREEN / 2 * (long double)c[i][0] + SCREEN / 2 * (long double)c[i][3];
         v[i][1] = -SCREEN / 2 * (long double)c[i][1] + SCREEN / 2 * (long double)c[i][3];
         v[i][2] = c[i][2];
         v[i][3] = c[i][3];
      }
      clip_object(u->r, &u->o);
      for (int32_t y = 3; y < SCREEN; y += 17)
         for (int32_t x = 5; x < SCREEN; x += 17) {
            unsigned times = 0;
            long double b[3];
            for (unsigned k = 0; k < u->r->bin.setups; k++) {
               const struct setup *s = setup_of(u, k);
               times += x >= s->x0 && x < s->x1 && y >= s->y0 && y < s->y1 && lit_by(s, x, y);
            }
            if (!meet(v, x + 0.5L, y + 0.5L, b))
               continue;
            long double w = b[0] * v[0][3] + b[1] * v[1][3] + b[2] * v[2][3],
                        z = b[0] * v[0][2] + b[1] * v[1][2] + b[2] * v[2][2],
                        d = b[0] * distance[0] + b[1] * distance[1] + b[2] * distance[2];
            long double least = fminl(fminl(b[0], b[1]), fminl(b[2], d));
            least = fminl(least, fminl(w, fminl(z, w - z)));
            bool want = least > 0;
            lit += times != 0;
            if (times > 1)
               fail_msg("pixel %d,%d is lit %u times", x, y, times);
            wrong += (times != 0) != want && fabsl(least) > 0.02L;
         }
   }
   assert_in_range(lit, 5000, UINT32_MAX);
   assert_int_equal(wrong, 0);
}

/* The pixels of a line's row that are nearest to it, and how often the parts light each. */
static unsigned
lit_along(struct unit *u, const float from[2], const float to[2])
{
   unsigned lit = 0;
   float y0 = fminf(from[1], to[1]), y1 = fmaxf(from[1], to[1]);
   for (int32_t y = (int32_t)ceilf(y0 - 0.5f); y + 0.5f <= y1; y++) {
      float on = from[0] + (to[0] - from[0]) * (y + 0.5f - from[1]) / (to[1] - from[1]);
      for (int32_t x = (int32_t)on - 1; x <= (int32_t)on + 1; x++) {
         unsigned times = 0;
         for (unsigned k = 0; k < u->r->bin.setups; k++) {
            const struct setup *s = setup_of(u, k);
            times += x >= s->x0 && x < s->x1 && y >= s->y0 && y < s->y1 && lit_by(s, x, y);
         }
         if (times > 1)
            fail_msg("pixel %d,%d is lit %u times", x, y, times);
         lit += times;
      }
   }
   return lit;
}

/* P3D-189: of a corner that is hardly cut off, the part between the new vertices and another corner
 * is thinner than the grid: rounded it may face the other way, and is no part any more. */
static void
slivers(void **state)
{
   proves("P3D-189");
   struct unit *u = *state;
   uint64_t seed = 11;
   unsigned lit = 0, cut = 0;
   set_view(u);
   u->r->state.clip.user_clip_distance_clip_test_enable_bitmask = 1;
   for (unsigned n = 0; n < 600; n++) {
      float at[3][2];
      bin_empty(&u->r->bin);
      for (unsigned i = 0; i < 3; i++) {
         float x = (float)random_in(&seed, -0.95, 0.95), y = (float)random_in(&seed, -0.95, 0.95);
         place(u, i, x, y, 0.5f, 1);
         u->vue[i][8] = float_bits(i == n % 3 ? -1e-5f : 1);
         at[i][0] = (float)SCREEN / 2 * (1 + x);
         at[i][1] = (float)SCREEN / 2 * (1 - y);
      }
      clip_object(u->r, &u->o);
      cut += u->r->bin.setups > 0;
      for (unsigned i = 0; i < 3; i++)
         lit += lit_along(u, at[i], at[(i + 1) % 3]);
   }
   assert_in_range(cut, 200, UINT32_MAX);
   assert_in_range(lit, 50000, UINT32_MAX);
}

/* P3D-180, P3D-185, P3D-187, P3D-204: what is not a number is dropped; nothing traps. */
static void
hostile(void **state)
{
   proves("P3D-180", "P3D-204");
   struct unit *u = *state;
   static const float odd[] = {0, -0.0f, INFINITY, -INFINITY, NAN, 1e38f, -1e38f, 1e-42f, 1};
   uint64_t seed = 10;
   set_view(u);
   for (unsigned n = 0; n < 60000; n++) {
      bool nan = false;
      bin_empty(&u->r->bin);
      u->o.kind = n % 3 == 0 ? OBJECT_TRIANGLE : n % 3 == 1 ? OBJECT_LINE : OBJECT_POINT;
      unsigned count = n % 3 == 0 ? 3 : n % 3 == 1 ? 2 : 1;
      for (unsigned i = 0; i < 3; i++) {
         float p[4];
         for (unsigned k = 0; k < 4; k++) {
            p[k] = random32(&seed) & 1 ? odd[random32(&seed) % 9] : (float)random_in(&seed, -2, 2);
            nan |= i < count && isnan(p[k]);
         }
         place(u, i, p[0], p[1], p[2], p[3]);
      }
      clip_object(u->r, &u->o);
      if (nan)
         assert_int_equal(u->r->bin.setups, 0);
      for (unsigned k = 0; k < u->r->bin.setups; k++) {
         const struct setup *s = setup_of(u, k);
         assert_in_range(s->x0, 0, s->x1 - 1);
         assert_in_range(s->x1, 0, (int)SCREEN);
         assert_in_range(s->y1, 0, (int)SCREEN);
         wm_coverage(s, s->x0 & ~7, s->y0 & ~7);
      }
   }
}

/* P3D-245: a face that is turned away has the attribute behind its own. */
static void
two_sides(void **state)
{
   proves("P3D-245");
   struct unit *u = *state;
   struct render_state *s = &u->r->state;
   static const float position[3][2] = {{4, 4}, {30, 5}, {6, 28}}; /* clockwise */
   for (unsigned i = 0; i < 3; i++) {
      place(u, i, position[i][0], position[i][1], 0, 1);
      for (unsigned k = 8; k < 32; k++)
         u->vue[i][k] = float_bits((float)k);
   }
   s->sbe = (struct hw_3dstate_sbe){.number_of_sf_output_attributes = 1,
                                    .vertex_urb_entry_read_offset = 1,
                                    .vertex_urb_entry_read_length = 2,
                                    .attribute_swizzle_enable = true,
                                    .attribute_0 = 1 | 1u << 6};
   s->sf.cull_mode = 1; /* NONE */
   for (unsigned back = 0; back < 2; back++) {
      s->sf.front_winding = back;
      sbe_state_changed(u->r);
      bin_empty(&u->r->bin);
      sf_object(u->r, &u->o, NULL);
      assert_int_equal(setup_of(u, 0)->attribute[0][3], float_bits(4.0f * (float)(3 + back)));
   }
}

/* P3D-246, P3D-247, P3D-243, P3D-244, P3D-248: attributes, bit for bit. */
static void
attributes(void **state)
{
   proves("P3D-242", "P3D-243", "P3D-244", "P3D-246", "P3D-247", "P3D-248", "SF-181");
   struct unit *u = *state;
   struct render_state *s = &u->r->state;
   static const float position[3][2] = {{4, 4}, {30, 5}, {6, 28}};
   for (unsigned i = 0; i < 3; i++) {
      place(u, i, position[i][0], position[i][1], 0, 1);
      for (unsigned k = 8; k < 64; k++)
         u->vue[i][k] = float_bits((float)(k * 7 % 13) + 0.3f * (float)(i * k));
   }
   u->vue[0][21] = float_bits(1); /* what wraps, by exactly a half */
   u->vue[1][21] = float_bits(1.5f);
   u->vue[2][21] = float_bits(0.5f);
   u->o.id = 77;
   u->o.provoking = 2;
   s->sbe = (struct hw_3dstate_sbe){.number_of_sf_output_attributes = 5,
                                    .vertex_urb_entry_read_offset = 1,
                                    .vertex_urb_entry_read_length = 4,
                                    .attribute_swizzle_enable = true,
                                    .constant_interpolation_enable = 2,
                                    .attribute_0 = 3,                       /* source 3 */
                                    .attribute_1 = 2,                       /* flat */
                                    .attribute_2 = 1 | 2u << 6,             /* x from w */
                                    .attribute_3 = 3u << 9 | 5u << 12,      /* x and z: the id */
                                    .attribute_4 = 1u << 9 | 8u << 12 | 4}; /* w: 1 */
   memset(s->wrap, 0, sizeof(s->wrap));
   s->wrap[0] = 2;
   sbe_state_changed(u->r);
   bin_empty(&u->r->bin);
   sf_object(u->r, &u->o, NULL);
   const struct setup *t = setup_of(u, 0);
   for (unsigned n = 0; n < 5; n++)
      for (unsigned k = 0; k < 4; k++) {
         static const unsigned source[5] = {3, 2, 1, 0, 4};
         unsigned from = n == 2 && k == 0 ? 3 : k;
         float v[3];
         for (unsigned i = 0; i < 3; i++)
            v[i] = bits_float(u->vue[i][4 * (2 + source[n]) + from]);
         float d1 = v[1] - v[0], d2 = v[2] - v[0];
         if (n == 0 && k == 1) {
            d1 += d1 <= -0.5f ? 1 : d1 >= 0.5f ? -1 : 0;
            d2 += d2 <= -0.5f ? 1 : d2 >= 0.5f ? -1 : 0;
         }
         uint32_t want[3] = {float_bits(v[0]), float_bits(d1), float_bits(d2)};
         if (n == 1) {
            want[0] = float_bits(v[2]);
            want[1] = want[2] = 0;
         }
         if (n == 3 && !(k & 1)) {
            want[0] = 77;
            want[1] = want[2] = 0;
         }
         if (n == 4 && k == 3) {
            want[0] = float_bits(1);
            want[1] = want[2] = 0;
         }
         const uint32_t *got = &t->attribute[2 * n + k / 2][4 * (k & 1)];
         assert_int_equal(got[3], want[0]);
         assert_int_equal(got[0], want[1]);
         assert_int_equal(got[1], want[2]);
      }
   s->sbe.vertex_urb_entry_read_length = 1; /* the second source is the last one: the rest is 0 */
   sbe_state_changed(u->r);
   rig_expect(u->rig, "P3D-242");
   bin_empty(&u->r->bin);
   sf_object(u->r, &u->o, NULL);
   assert_int_equal(setup_of(u, 0)->attribute[0][3], 0);
   s->sbe.number_of_sf_output_attributes = 40;
   sbe_state_changed(u->r);
   rig_expect(u->rig, "P3D-250");
   assert_int_equal(u->r->sbe_count, 32);
}

/* P3D-249: s goes from 0 to 1 across a point, t down it or, with the lower origin, up. Of a line
 * the attribute is the vertices' own. */
static void
sprites(void **state)
{
   proves("P3D-249");
   struct unit *u = *state;
   struct render_state *s = &u->r->state;
   place(u, 0, 8, 8, 0, 1);
   place(u, 1, 24, 8, 0, 1);
   for (unsigned k = 8; k < 64; k++)
      u->vue[0][k] = u->vue[1][k] = float_bits((float)k);
   s->sf.point_width_source = 1;
   s->sf.point_width = 4 * 8;
   for (unsigned lower = 0; lower < 2; lower++) {
      s->sbe = (struct hw_3dstate_sbe){.number_of_sf_output_attributes = 2,
                                       .vertex_urb_entry_read_offset = 1,
                                       .vertex_urb_entry_read_length = 1,
                                       .point_sprite_texture_coordinate_enable = 2,
                                       .point_sprite_texture_coordinate_origin = lower};
      sbe_state_changed(u->r);
      /* base, across, down */
      const float sprite[4][3] = {
          {0, 1, 0}, {lower ? 1 : 0, 0, lower ? -1 : 1}, {0, 0, 0}, {1, 0, 0}};
      for (unsigned kind = 0; kind < 2; kind++) {
         u->o.kind = kind ? OBJECT_LINE : OBJECT_POINT;
         bin_empty(&u->r->bin);
         sf_object(u->r, &u->o, NULL);
         const struct setup *t = setup_of(u, 0);
         for (unsigned n = 0; n < 2; n++)
            for (unsigned k = 0; k < 4; k++) {
               const uint32_t *got = &t->attribute[2 * n + k / 2][4 * (k & 1)];
               float own[3] = {(float)(8 + 4 * n + k), 0, 0};
               const float *want = n && !kind ? sprite[k] : own;
               assert_float_equal(bits_float(got[3]), want[0], 0);
               assert_float_equal(bits_float(got[0]), want[1], 0);
               assert_float_equal(bits_float(got[1]), want[2], 0);
            }
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       UNIT_CASE(inside),  UNIT_CASE(clipped),   UNIT_CASE(clipped_area), UNIT_CASE(slivers),
       UNIT_CASE(hostile), UNIT_CASE(two_sides), UNIT_CASE(attributes),   UNIT_CASE(sprites),
   };
   return cmocka_run_group_tests_name("render_interpolation", tests, NULL, NULL);
}
