/* The setup backend: attributes of vertices become what pixel shaders interpolate. */
#include "render/draw.h"

#include "machine/float_bits.h"
#include "rules/plural.h"

#define SOURCE_PRIMITIVE_ID GEN7_SF_OUTPUT_ATTRIBUTE_DETAIL_CONSTANT_SOURCE_PRIM_ID
/* Bits of Swizzle Select. */
#define SWIZZLE_FACING GEN7_SF_OUTPUT_ATTRIBUTE_DETAIL_SWIZZLE_SELECT_INPUTATTR_FACING
#define SWIZZLE_W GEN7_SF_OUTPUT_ATTRIBUTE_DETAIL_SWIZZLE_SELECT_INPUTATTR_W

/* ---- the plan ---------------------------------------------------------------------------------
 */

static uint32_t
detail_of(const struct hw_3dstate_sbe *s, unsigned n)
{
   const uint32_t all[16] = {s->attribute_0,  s->attribute_1,  s->attribute_2,  s->attribute_3,
                             s->attribute_4,  s->attribute_5,  s->attribute_6,  s->attribute_7,
                             s->attribute_8,  s->attribute_9,  s->attribute_10, s->attribute_11,
                             s->attribute_12, s->attribute_13, s->attribute_14, s->attribute_15};
   return all[n & 15];
}

/* P3D-243, P3D-244: outputs 0-15, or 16-31, have a word each; the others are as they come. */
static void
plan_output(struct render *r, unsigned n)
{
   const struct hw_3dstate_sbe *s = &r->state.sbe;
   struct sbe_output *o = &r->sbe[n];
   unsigned source = n, first = 2 * s->vertex_urb_entry_read_offset,
            length = 2 * s->vertex_urb_entry_read_length;
   bool facing = false;
   *o = (struct sbe_output){.flat = s->constant_interpolation_enable >> n & 1,
                            .sprite = s->point_sprite_texture_coordinate_enable >> n & 1,
                            .wrap = n < 16 ? r->state.wrap[n] : 0};
   if (s->attribute_swizzle_enable && (n >= 16) == s->attribute_swizzle_control_mode) {
      struct hw_sf_output_attribute_detail d;
      uint32_t word = detail_of(s, n);
      gen7_sf_output_attribute_detail_unpack(&d, &word);
      source = d.source_attribute;
      facing = d.swizzle_select & SWIZZLE_FACING;
      o->w_to_x = d.swizzle_select & SWIZZLE_W;
      o->source = (uint8_t)d.constant_source;
      o->override_ = (uint8_t)(d.component_override_x | d.component_override_y << 1 |
                               d.component_override_z << 2 | d.component_override_w << 3);
   }
   o->absent = source >= length; /* P3D-242 */
   o->slot = (uint8_t)(first + source);
   o->slot_back = (uint8_t)(o->slot + facing); /* P3D-245 */
   o->plain = !o->override_ && !o->w_to_x && !o->wrap && !o->absent;
   if (o->absent && o->override_ != 15 && !o->sprite)
      render_report(r, PERGOLA_WARNING, "P3D-242",
                    "attribute %u is source %u, of which %u %s read; it is 0", n, source, length,
                    are(length));
}

void
sbe_state_changed(struct render *r)
{
   uint32_t count = r->state.sbe.number_of_sf_output_attributes;
   if (count > ATTRIBUTES) /* P3D-250 */
      render_report(r, PERGOLA_ERROR, "P3D-250", "%u attributes; there can be %u", count,
                    ATTRIBUTES);
   r->sbe_count = count < ATTRIBUTES ? count : ATTRIBUTES;
   for (unsigned n = 0; n < r->sbe_count; n++)
      plan_output(r, n);
}

/* ---- values -----------------------------------------------------------------------------------
 */

/* An attribute of a vertex. */
static void
value_of(const struct sbe_output *a, const struct object *o, const struct vertex *v, bool back,
         uint32_t out[4])
{
   static const uint32_t constant[3][4] = {
       [GEN7_SF_OUTPUT_ATTRIBUTE_DETAIL_CONSTANT_SOURCE_CONST_0000] = {0},
       [GEN7_SF_OUTPUT_ATTRIBUTE_DETAIL_CONSTANT_SOURCE_CONST_0001_FLOAT] = {0, 0, 0, FLOAT_ONE},
       [GEN7_SF_OUTPUT_ATTRIBUTE_DETAIL_CONSTANT_SOURCE_CONST_1111_FLOAT] = {FLOAT_ONE, FLOAT_ONE,
                                                                             FLOAT_ONE, FLOAT_ONE},
   };
   unsigned slot = back ? a->slot_back : a->slot;
   if (a->absent || slot >= v->vue_slots) /* P3D-252 */
      memset(out, 0, 16);
   else
      memcpy(out, v->vue + 4 * slot, 16);
   if (a->w_to_x)
      out[0] = out[3];
   for (unsigned k = 0; k < 4; k++)
      if (a->override_ >> k & 1)
         out[k] = a->source == SOURCE_PRIMITIVE_ID ? o->id : constant[a->source][k];
}

static void
store(struct setup *s, unsigned n, unsigned k, uint32_t a0, uint32_t a1, uint32_t a2)
{
   uint32_t *to = &s->attribute[2 * n + k / 2][4 * (k & 1)];
   to[0] = a1;
   to[1] = a2;
   to[2] = 0;
   to[3] = a0;
}

/* P3D-246: bit for bit. */
static void
store_flat(struct setup *s, unsigned n, const uint32_t a0[4])
{
   for (unsigned k = 0; k < 4; k++)
      store(s, n, k, a0[k], 0, 0);
}

/* P3D-247, P3D-248 */
static uint32_t
delta(uint32_t from, uint32_t to, bool wrap)
{
   float d = bits_float(to) - bits_float(from);
   if (wrap)
      d += d <= -0.5f ? 1.0f : d >= 0.5f ? -1.0f : 0.0f;
   return float_bits(d);
}

static void
finish(const struct render *r, struct setup *s)
{
   s->attributes = (uint16_t)r->sbe_count;
   s->size_B = (uint32_t)(sizeof(*s) + r->sbe_count * 64u);
}

static const struct vertex *
inner(const struct object *o, unsigned i)
{
   return o->v[o->inner[i]];
}

void
sbe_triangle(const struct render *r, const struct object *o, struct setup *s)
{
   for (unsigned n = 0; n < r->sbe_count; n++) {
      const struct sbe_output *a = &r->sbe[n];
      uint32_t v[3][4];
      if (a->flat) {
         value_of(a, o, inner(o, o->provoking), s->back_facing, v[0]);
         store_flat(s, n, v[0]);
         continue;
      }
      for (unsigned i = 0; i < 3; i++)
         value_of(a, o, inner(o, i), s->back_facing, v[i]);
      for (unsigned k = 0; k < 4; k++)
         store(s, n, k, v[0][k], delta(v[0][k], v[1][k], a->wrap >> k & 1),
               delta(v[0][k], v[2][k], a->wrap >> k & 1));
   }
   finish(r, s);
}

void
sbe_line(const struct render *r, const struct object *o, unsigned from, unsigned to,
         struct setup *s)
{
   for (unsigned n = 0; n < r->sbe_count; n++) {
      const struct sbe_output *a = &r->sbe[n];
      uint32_t v[2][4];
      if (a->flat) {
         value_of(a, o, inner(o, o->provoking), s->back_facing, v[0]);
         store_flat(s, n, v[0]);
         continue;
      }
      value_of(a, o, inner(o, from), s->back_facing, v[0]);
      value_of(a, o, inner(o, to), s->back_facing, v[1]);
      for (unsigned k = 0; k < 4; k++)
         store(s, n, k, v[0][k], delta(v[0][k], v[1][k], a->wrap >> k & 1), 0);
   }
   finish(r, s);
}

/* P3D-249: s across, t down or up, 0, 1. */
static void
store_sprite(const struct render *r, struct setup *s, unsigned n)
{
   bool lower = r->state.sbe.point_sprite_texture_coordinate_origin;
   store(s, n, 0, 0, FLOAT_ONE, 0);
   store(s, n, 1, lower ? FLOAT_ONE : 0, 0, lower ? FLOAT_ONE | 0x80000000u : FLOAT_ONE);
   store(s, n, 2, 0, 0, 0);
   store(s, n, 3, FLOAT_ONE, 0, 0);
}

void
sbe_point(const struct render *r, const struct object *o, unsigned which, struct setup *s)
{
   for (unsigned n = 0; n < r->sbe_count; n++) {
      const struct sbe_output *a = &r->sbe[n];
      unsigned flat = o->kind == OBJECT_TRIANGLE ? o->provoking : which;
      uint32_t v[4];
      if (a->sprite) {
         store_sprite(r, s, n);
         continue;
      }
      value_of(a, o, inner(o, a->flat ? flat : which), s->back_facing, v);
      store_flat(s, n, v);
   }
   finish(r, s);
}
