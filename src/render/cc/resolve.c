/* What an entry of BLEND_STATE means for a target of some format. */
#include "render/cc/cc.h"

#include "machine/float_bits.h"

#include <math.h>
#include <string.h>

static bool
is_factor(unsigned f)
{
   return (f >= GEN7_BLEND_FACTOR_ONE && f <= GEN7_BLEND_FACTOR_SRC1_ALPHA) ||
          (f >= GEN7_BLEND_FACTOR_ZERO && f <= GEN7_BLEND_FACTOR_INV_SRC1_ALPHA &&
           f != GEN7_BLEND_FACTOR_SRC_ALPHA_SATURATE + 16);
}

static bool
is_second_source(unsigned f)
{
   return f == GEN7_BLEND_FACTOR_SRC1_COLOR || f == GEN7_BLEND_FACTOR_SRC1_ALPHA ||
          f == GEN7_BLEND_FACTOR_INV_SRC1_COLOR || f == GEN7_BLEND_FACTOR_INV_SRC1_ALPHA;
}

static bool
is_destination(unsigned f)
{
   return f == GEN7_BLEND_FACTOR_DST_ALPHA || f == GEN7_BLEND_FACTOR_DST_COLOR ||
          f == GEN7_BLEND_FACTOR_INV_DST_ALPHA || f == GEN7_BLEND_FACTOR_INV_DST_COLOR ||
          f == GEN7_BLEND_FACTOR_SRC_ALPHA_SATURATE;
}

static uint8_t
factor(struct cc_target *t, unsigned f)
{
   if (is_factor(f))
      return (uint8_t)f;
   t->rules |= CC_FACTOR;
   return GEN7_BLEND_FACTOR_ZERO;
}

static struct cc_equation
equation(struct cc_target *t, unsigned function, unsigned source, unsigned destination)
{
   if (function > GEN7_BLEND_FUNCTION_MAX) {
      t->rules |= CC_FACTOR;
      function = GEN7_BLEND_FUNCTION_ADD;
   }
   return (struct cc_equation){(uint8_t)function, factor(t, source), factor(t, destination)};
}

/* Source times one plus nothing: the destination does not matter. */
static bool
is_replace(const struct cc_equation *e)
{
   return e->function == GEN7_BLEND_FUNCTION_ADD && e->source == GEN7_BLEND_FACTOR_ONE &&
          e->destination == GEN7_BLEND_FACTOR_ZERO;
}

static bool
equation_reads(const struct cc_equation *e)
{
   return e->destination != GEN7_BLEND_FACTOR_ZERO || is_destination(e->source);
}

static unsigned
channel_type(const struct format_info *f)
{
   for (unsigned i = 0; i < 4; i++)
      if (f->channel[i].type != CHANNEL_NONE)
         return f->channel[i].type;
   return CHANNEL_NONE;
}

static void
resolve_blend(struct cc_target *t, const struct hw_blend_state_entry *e)
{
   const struct format_info *f = t->format;
   if (!e->color_buffer_blend_enable)
      return;
   if (e->logic_op_enable)
      t->rules |= CC_LOGIC_BLEND;
   if (!(f->capabilities & FORMAT_BLEND)) { /* SMP-396 */
      t->rules |= CC_NO_BLEND;
      return;
   }
   if (e->logic_op_enable) /* P3D-346: the logic operation wins */
      return;
   t->color =
       equation(t, e->color_blend_function, e->source_blend_factor, e->destination_blend_factor);
   t->alpha = t->color;
   if (e->independent_alpha_blend_enable)
      t->alpha = equation(t, e->alpha_blend_function, e->source_alpha_blend_factor,
                          e->destination_alpha_blend_factor);
   t->blend = !is_replace(&t->color) || !is_replace(&t->alpha);
   t->dual_source = is_second_source(t->color.source) || is_second_source(t->color.destination) ||
                    is_second_source(t->alpha.source) || is_second_source(t->alpha.destination);
}

/* P3D-345 */
static void
resolve_logic(struct cc_target *t, const struct hw_blend_state_entry *e)
{
   t->logic_op = GEN7_LOGIC_OPERATION_COPY;
   if (!e->logic_op_enable)
      return;
   if (channel_type(t->format) != CHANNEL_UNORM || t->format->srgb) {
      t->rules |= CC_LOGIC_FORMAT;
      return;
   }
   t->logic_op = (uint8_t)e->logic_op_function;
}

static void
clamp_range(const struct format_info *f, unsigned range, float out[2])
{
   unsigned type = channel_type(f);
   out[0] = -INFINITY, out[1] = INFINITY;
   if (range == GEN7_BLEND_STATE_ENTRY_COLOR_CLAMP_RANGE_COLORCLAMP_RTFORMAT)
      range = type == CHANNEL_UNORM   ? GEN7_BLEND_STATE_ENTRY_COLOR_CLAMP_RANGE_COLORCLAMP_UNORM
              : type == CHANNEL_SNORM ? GEN7_BLEND_STATE_ENTRY_COLOR_CLAMP_RANGE_COLORCLAMP_SNORM
                                      : range;
   if (range == GEN7_BLEND_STATE_ENTRY_COLOR_CLAMP_RANGE_COLORCLAMP_UNORM)
      out[0] = 0, out[1] = 1;
   else if (range == GEN7_BLEND_STATE_ENTRY_COLOR_CLAMP_RANGE_COLORCLAMP_SNORM)
      out[0] = -1, out[1] = 1;
   else if (type == CHANNEL_FLOAT && f->channel[0].bits < 16) /* no sign */
      out[0] = 0;
}

/* P3D-342: blending in fixed point needs the clamp that the format has. */
static bool
clamp_is_wrong(const struct format_info *f, const struct hw_blend_state_entry *e)
{
   unsigned type = channel_type(f), range = e->color_clamp_range;
   if (range > GEN7_BLEND_STATE_ENTRY_COLOR_CLAMP_RANGE_COLORCLAMP_RTFORMAT)
      return true;
   bool fixed = type == CHANNEL_UNORM || type == CHANNEL_SNORM ||
                (type == CHANNEL_FLOAT && f->channel[0].bits < 16);
   if (!fixed || !e->color_buffer_blend_enable)
      return false;
   return !e->pre_blend_color_clamp_enable || !e->post_blend_color_clamp_enable ||
          (type == CHANNEL_SNORM && !range) ||
          (type == CHANNEL_UNORM &&
           range == GEN7_BLEND_STATE_ENTRY_COLOR_CLAMP_RANGE_COLORCLAMP_SNORM);
}

/* P3D-341 */
static void
resolve_clamps(struct cc_target *t, const struct hw_blend_state_entry *e,
               const struct hw_color_calc_state *s)
{
   const float constant[4] = {s->blend_constant_color_red, s->blend_constant_color_green,
                              s->blend_constant_color_blue, s->blend_constant_color_alpha};
   const float none[2] = {-INFINITY, INFINITY};
   float range[2];
   clamp_range(t->format, e->color_clamp_range, range);
   memcpy(t->pre, e->pre_blend_color_clamp_enable ? range : none, sizeof(range));
   memcpy(t->post, e->post_blend_color_clamp_enable ? range : none, sizeof(range));
   for (unsigned i = 0; i < 4; i++)
      t->constant[i] = cc_clamp(constant[i], t->pre);
   if (clamp_is_wrong(t->format, e)) /* P3D-342 */
      t->rules |= CC_CLAMP;
}

/* P3D-348: bits of channels that are not written; those of no channel become 0 (P3D-340), unless
 * nothing at all is written. */
static void
resolve_keep(struct cc_target *t)
{
   unsigned present = 0;
   for (unsigned i = 0; i < 4; i++) {
      const struct format_channel *c = &t->format->channel[i];
      if (c->type == CHANNEL_NONE)
         continue;
      present |= 1u << i;
      uint8_t *mask = t->write >> i & 1 ? NULL : t->keep;
      for (unsigned b = c->start; b < (unsigned)c->start + c->bits && b < 8 * CC_ELEMENT_B; b++) {
         t->used[b / 8] |= (uint8_t)(1u << b % 8);
         if (mask)
            mask[b / 8] |= (uint8_t)(1u << b % 8);
      }
   }
   if (!(t->write & present))
      memset(t->keep, 0xff, t->element_B);
}

static bool
keeps_any(const struct cc_target *t)
{
   uint8_t any = 0;
   for (unsigned i = 0; i < CC_ELEMENT_B; i++)
      any |= t->keep[i];
   return any != 0;
}

void
cc_resolve(struct cc_target *t, const struct hw_blend_state_entry *e,
           const struct hw_color_calc_state *s, const struct format_info *f)
{
   memset(t, 0, sizeof(*t));
   t->format = f;
   t->element_B = (uint8_t)(f->bits / 8 <= CC_ELEMENT_B ? f->bits / 8 : 0);
   t->write = (uint8_t)(!e->write_disable_red << CC_RED | !e->write_disable_green << CC_GREEN |
                        !e->write_disable_blue << CC_BLUE | !e->write_disable_alpha << CC_ALPHA);
   t->alpha_to_one = e->alphatoone_enable;
   resolve_blend(t, e);
   resolve_logic(t, e);
   resolve_clamps(t, e, s);
   for (unsigned i = 0; i < 4 && e->color_dither_enable; i++) /* P3D-349 */
      t->dither |= f->channel[i].type == CHANNEL_UNORM && f->channel[i].bits < 8;
   t->dither_x = (uint8_t)e->x_dither_offset;
   t->dither_y = (uint8_t)e->y_dither_offset;
   resolve_keep(t);
   t->reads =
       (t->blend && (equation_reads(&t->color) || equation_reads(&t->alpha))) || keeps_any(t) ||
       (t->logic_op != GEN7_LOGIC_OPERATION_COPY &&
        t->logic_op != GEN7_LOGIC_OPERATION_COPY_INVERTED &&
        t->logic_op != GEN7_LOGIC_OPERATION_CLEAR && t->logic_op != GEN7_LOGIC_OPERATION_SET);
}

void
cc_resolve_alpha(struct cc_alpha *a, const struct hw_blend_state_entry *e,
                 const struct hw_color_calc_state *s)
{
   *a = (struct cc_alpha){
       .test = e->alpha_test_enable,
       .to_coverage = e->alphatocoverage_enable,
       .function = (uint8_t)e->alpha_test_function,
       .unorm8 = s->alpha_test_format == GEN7_COLOR_CALC_STATE_ALPHA_TEST_FORMAT_ALPHATEST_UNORM8,
       .reference = s->alpha_reference_value,
   };
}
