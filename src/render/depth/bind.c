/* What depth and stencil are set to: the buffers of 3DSTATE_DEPTH_BUFFER and _STENCIL_BUFFER, and
 * the tests of DEPTH_STENCIL_STATE. */
#include "render/depth/depth.h"

#include "machine/host.h"
#include "render/compare.h"
#include "rules/rules.h"
#include "surface/format.h"

#include <string.h>

static void
report(struct pergola_device *dev, const char *rule, const char *field, uint32_t value,
       const char *text)
{
   struct rule_place place = {.engine = "RCS", .subject = "3DSTATE_DEPTH_BUFFER", .field = field};
   rule_report(dev, PERGOLA_ERROR, rule, &place, "%#x: %s", value, text);
}

unsigned
depth_element_B(const struct depth *d)
{
   return d->format == DEPTH_D16_UNORM ? 2 : 4;
}

/* P3D-295, P3D-298: what both buffers have of the command of depth. */
static void
place_surface(struct surface *s, const struct hw_3dstate_depth_buffer *b, unsigned samples)
{
   surface_null(s);
   s->type = (uint8_t)b->surface_type;
   s->width = (uint16_t)(b->width + 1);
   s->height = (uint16_t)(b->height + 1);
   s->depth = (uint16_t)(b->depth + 1);
   s->min_array_element = b->minimum_array_element;
   s->view_extent = (uint16_t)(b->render_target_view_extent + 1);
   s->rt_lod = (uint8_t)b->lod;
   s->array = s->type != SURFTYPE_3D; /* P3D-297: one element is an array of one */
   s->samples = (uint8_t)samples;
   s->interleaved = true; /* P3D-296 */
}

/* P3D-317: what lies beyond the chain of levels has no pixels. */
static void
make_view(struct surface_view *v, const struct surface *s)
{
   surface_view_make(v, s, s->rt_lod);
   if (s->rt_lod > 14)
      v->width = v->height = 0;
}

static void
place_depth(struct depth *d, const struct hw_3dstate_depth_buffer *b, unsigned samples)
{
   struct surface surface, *s = &surface;
   static const uint16_t formats[8] = {[DEPTH_D32_FLOAT] = GEN7_SURFACE_FORMAT_R32_FLOAT,
                                       [DEPTH_D24_UNORM_X8] = GEN7_SURFACE_FORMAT_R32_UINT,
                                       [DEPTH_D16_UNORM] = GEN7_SURFACE_FORMAT_R16_UNORM};
   place_surface(s, b, samples);
   s->base = b->surface_base_address;
   s->pitch_B = b->surface_pitch + 1;
   s->tiling = MEM_TILE_Y;
   s->format = formats[b->surface_format];
   s->info = format_get(s->format);
   s->halign = b->surface_format == DEPTH_D16_UNORM ? 8 : 4;
   s->valign = 4;
   s->qpitch = surface_qpitch(s);
   make_view(&d->view, s);
}

static void
place_stencil(struct depth *d, const struct depth_source *in, unsigned samples)
{
   struct surface surface, *s = &surface;
   place_surface(s, &in->buffer, samples);
   s->base = in->stencil.surface_base_address;
   s->pitch_B = in->stencil.surface_pitch + 1;
   s->tiling = MEM_TILE_W;
   s->format = GEN7_SURFACE_FORMAT_R8_UINT;
   s->info = format_get(s->format);
   s->halign = s->valign = 8;
   s->qpitch = surface_qpitch(s);
   make_view(&d->stencil_view, s);
}

static void
check(const struct depth *d, const struct hw_3dstate_depth_buffer *b,
      const struct hw_3dstate_stencil_buffer *t, struct pergola_device *dev, unsigned samples)
{
   uint32_t pitch_B = b->surface_pitch + 1;
   uint64_t row_B = (b->width + 1ull) * (samples == 8 ? 4 : samples == 4 ? 2 : 1);
   if (d->present && pitch_B % 128)
      report(dev, "P3D-317", "Surface Pitch", b->surface_pitch,
             "no multiple of 128 bytes, the width of a tile");
   if (d->present && !b->lod && row_B * depth_element_B(d) > pitch_B)
      report(dev, "P3D-317", "Surface Pitch", b->surface_pitch, "less than a row of the buffer");
   if (d->present && b->surface_base_address % 4096)
      report(dev, "P3D-317", "Surface Base Address", b->surface_base_address,
             "not at the beginning of a page");
   if (d->present && b->lod > 14)
      report(dev, "P3D-317", "LOD", b->lod, "there is no such level");
   if (d->stencil && (t->surface_pitch + 1) % 128)
      report(dev, "P3D-317", "Surface Pitch", t->surface_pitch,
             "of stencil: no multiple of 128 bytes");
}

static void
bind_stencil(struct depth *d, const struct depth_source *in)
{
   const struct hw_depth_stencil_state *s = &in->state;
   d->face[0] = (struct stencil_face){
       .function = (uint8_t)s->stencil_test_function,
       .fail = (uint8_t)s->stencil_fail_op,
       .depth_fail = (uint8_t)s->stencil_pass_depth_fail_op,
       .pass = (uint8_t)s->stencil_pass_depth_pass_op,
       .test_mask = (uint8_t)s->stencil_test_mask,
       .write_mask = (uint8_t)s->stencil_write_mask,
       .reference = (uint8_t)in->cc.stencil_reference_value,
   };
   d->face[1] = d->face[0];
   if (s->double_sided_stencil_enable)
      d->face[1] = (struct stencil_face){
          .function = (uint8_t)s->backface_stencil_test_function,
          .fail = (uint8_t)s->backface_stencil_fail_op,
          .depth_fail = (uint8_t)s->backface_stencil_pass_depth_fail_op,
          .pass = (uint8_t)s->backface_stencil_pass_depth_pass_op,
          .test_mask = (uint8_t)s->backface_stencil_test_mask,
          .write_mask = (uint8_t)s->backface_stencil_write_mask,
          .reference = (uint8_t)in->cc.backface_stencil_reference_value,
      };
}

static bool
is_known(unsigned format)
{
   return format == DEPTH_D32_FLOAT || format == DEPTH_D24_UNORM_X8 || format == DEPTH_D16_UNORM;
}

static bool
is_type(unsigned type)
{
   return type <= SURFTYPE_CUBE;
}

/* Subspans whose rows are two elements side by side, in a page that both rows share: so tiles must
 * be pages, which a guest need not have made them. */
static bool
is_fast(const struct depth *d)
{
   const struct surface_view *v = &d->view;
   return v->base % 4096 == 0 && v->pitch_B % 128 == 0 && (d->test || d->write) && !d->stencil &&
          d->format != DEPTH_D16_UNORM && v->samples == 1 && v->users & VIEW_TEXELS &&
          !((d->offset_x | d->offset_y | (int32_t)v->x_el | (int32_t)v->row |
             (int32_t)v->slice_rows | (int32_t)v->slice_el) &
            1);
}

void
depth_bind(struct depth *d, const struct depth_source *in, struct pergola_device *dev,
           struct mem_space *space, unsigned samples)
{
   const struct hw_3dstate_depth_buffer *b = &in->buffer;
   const struct hw_depth_stencil_state *s = &in->state;
   memset(d, 0, sizeof(*d));
   d->space = space;
   d->format = (uint8_t)b->surface_format;
   d->function = (uint8_t)s->depth_test_function;
   for (unsigned i = 0; i < DEPTH_VIEWPORTS; i++) {
      d->clamp[i][0] = in->viewport[i].minimum_depth;
      d->clamp[i][1] = in->viewport[i].maximum_depth;
   }
   d->clear_valid = in->clear.depth_clear_value_valid;
   d->clear_value = in->clear.depth_clear_value;
   d->offset_x = b->depth_coordinate_offset_x;
   d->offset_y = b->depth_coordinate_offset_y;
   bool typed = is_type(b->surface_type);
   bool given = b->surface_base_address != 0; /* all zeros: never programmed */
   if (given && !typed && b->surface_type != SURFTYPE_NULL)
      report(dev, "P3D-294", "Surface Type", b->surface_type, "reserved; there is no depth buffer");
   if (given && typed && !is_known(b->surface_format))
      report(dev, "P3D-294", "Surface Format", b->surface_format,
             "no format of depth; there is no depth buffer");
   /* P3D-299, P3D-300: without type, format or address there is no memory. */
   d->present = typed && is_known(b->surface_format) && given;
   if (d->present)
      place_depth(d, b, samples);
   d->test = d->present && s->depth_test_enable;
   d->write = d->present && s->depth_buffer_write_enable && b->depth_write_enable;
   bind_stencil(d, in);
   d->stencil = s->stencil_test_enable && in->stencil.surface_base_address;
   if (d->stencil)
      place_stencil(d, in, samples);
   d->stencil_write = d->stencil && s->stencil_buffer_write_enable && b->stencil_write_enable;
   d->fast = is_fast(d) ? HOST_CHOOSE(depth_fast) : NULL;
   check(d, b, &in->stencil, dev, samples);
}
