/* What the pipeline is set to, and what of that is not modelled. */
#include "render/draw.h"

#include <string.h>

/* The command as it was programmed last, or zeros. */
static const uint32_t *
command(const struct pergola_device *dev, unsigned id, uint32_t *count)
{
   static const uint32_t zeros[40];
   const uint32_t *dw = cs_state_command(dev, id, count);
   if (!dw)
      *count = 0;
   return dw ? dw : zeros;
}

#define UNPACK(dev, NAME, name, to)                                                                \
   do {                                                                                            \
      uint32_t count_;                                                                             \
      gen7_##name##_unpack(to, command(dev, GEN7_##NAME##_ID, &count_));                           \
   } while (0)

/* G3D-089: those that any command has named since; RCS-154. */
static void
read_buffers(struct draw *d, const struct pergola_device *dev)
{
   uint32_t count;
   const uint32_t *dw = command(dev, GEN7_3DSTATE_VERTEX_BUFFERS_ID, &count);
   d->has_buffer = 0;
   for (uint32_t i = 1; i + 4 <= count; i += 4) {
      struct gen7_vertex_buffer_state b;
      gen7_vertex_buffer_state_unpack(&b, dw + i);
      if (b.vertex_buffer_index >= VERTEX_BUFFERS)
         continue;
      d->buffer[b.vertex_buffer_index] = b;
      d->has_buffer |= UINT64_C(1) << b.vertex_buffer_index;
   }
}

/* G3D-090: valid ones from the first on. */
static void
read_elements(struct draw *d, const struct pergola_device *dev)
{
   uint32_t count;
   const uint32_t *dw = command(dev, GEN7_3DSTATE_VERTEX_ELEMENTS_ID, &count);
   d->elements = 0;
   for (uint32_t i = 1; i + 2 <= count && d->elements < VUE_SLOTS; i += 2) {
      struct gen7_vertex_element_state *e = &d->element[d->elements];
      gen7_vertex_element_state_unpack(e, dw + i);
      if (!e->valid)
         break;
      d->elements++;
   }
}

static const char *
stages_missing(const struct pergola_device *dev)
{
   struct gen7_3dstate_vs vs;
   struct gen7_3dstate_hs hs;
   struct gen7_3dstate_ds ds;
   struct gen7_3dstate_te te;
   struct gen7_3dstate_gs gs;
   struct gen7_3dstate_streamout so;
   UNPACK(dev, 3DSTATE_VS, 3dstate_vs, &vs);
   UNPACK(dev, 3DSTATE_HS, 3dstate_hs, &hs);
   UNPACK(dev, 3DSTATE_DS, 3dstate_ds, &ds);
   UNPACK(dev, 3DSTATE_TE, 3dstate_te, &te);
   UNPACK(dev, 3DSTATE_GS, 3dstate_gs, &gs);
   UNPACK(dev, 3DSTATE_STREAMOUT, 3dstate_streamout, &so);
   if (vs.enable)
      return "the vertex shader";
   if (hs.enable || ds.enable || te.te_enable)
      return "tessellation";
   if (gs.enable)
      return "the geometry shader";
   return so.so_function_enable ? "stream output" : NULL;
}

static const char *
vertices_missing(const struct draw *d)
{
   for (unsigned i = 0; i < d->elements; i++) {
      const struct gen7_vertex_element_state *e = &d->element[i];
      if (e->edge_flag_enable)
         return "edge flags";
      if (e->vertex_buffer_index >= VERTEX_BUFFERS ||
          !(d->has_buffer >> e->vertex_buffer_index & 1))
         return "a vertex buffer that no 3DSTATE_VERTEX_BUFFERS has named";
      if (!d->buffer[e->vertex_buffer_index].address_modify_enable)
         return "a vertex buffer that keeps its address";
      const struct format_info *f = format_get(e->source_element_format);
      if (f->layout != FORMAT_PLAIN || f->bits > 128)
         return "this vertex format";
   }
   return d->elements < 2 ? "a vertex without a position" : NULL;
}

/* Depth, stencil, blending: read where they lie. */
static const char *
pixels_missing(const struct draw *d, const struct pergola_device *dev)
{
   struct gen7_3dstate_blend_state_pointers blend;
   struct gen7_3dstate_depth_stencil_state_pointers depth;
   UNPACK(dev, 3DSTATE_BLEND_STATE_POINTERS, 3dstate_blend_state_pointers, &blend);
   UNPACK(dev, 3DSTATE_DEPTH_STENCIL_STATE_POINTERS, 3dstate_depth_stencil_state_pointers, &depth);
   uint32_t dw[3] = {0};
   struct gen7_depth_stencil_state s;
   mem_read(d->env.space, d->env.dynamic_state_base + depth.pointer_to_depth_stencil_state, dw, 12);
   gen7_depth_stencil_state_unpack(&s, dw);
   if (s.depth_test_enable || s.depth_buffer_write_enable || s.stencil_test_enable ||
       s.stencil_buffer_write_enable)
      return "depth and stencil tests";
   struct gen7_blend_state_entry b;
   mem_read(d->env.space, d->env.dynamic_state_base + blend.blend_state_pointer, dw, 8);
   gen7_blend_state_entry_unpack(&b, dw);
   if (b.color_buffer_blend_enable || b.logic_op_enable || b.alpha_test_enable ||
       b.alphatocoverage_enable || b.alphatoone_enable || b.color_dither_enable)
      return "blending";
   return b.write_disable_red || b.write_disable_green || b.write_disable_blue ||
                  b.write_disable_alpha
              ? "writing some channels of a pixel"
              : NULL;
}

static const char *
windower_missing(const struct draw *d, const struct pergola_device *dev)
{
   struct gen7_3dstate_multisample ms;
   UNPACK(dev, 3DSTATE_MULTISAMPLE, 3dstate_multisample, &ms);
   const struct gen7_3dstate_ps *ps = &d->ps;
   const struct gen7_3dstate_wm *wm = &d->wm;
   if (ms.number_of_multisamples || ms.pixel_location)
      return "multisampling";
   if (wm->depth_buffer_clear || wm->depth_buffer_resolve_enable ||
       wm->hierarchical_depth_buffer_resolve_enable)
      return "clearing and resolving of depth";
   if (!wm->thread_dispatch_enable ||
       !(ps->_8_pixel_dispatch_enable || ps->_16_pixel_dispatch_enable))
      return "a pixel shader that is off, or 32 pixels wide";
   if (wm->pixel_shader_computed_depth_mode || wm->pixel_shader_uses_source_depth ||
       wm->pixel_shader_uses_source_w)
      return "depth in the pixel shader";
   if (ps->render_target_fast_clear_enable || ps->render_target_resolve_enable)
      return "fast clears and their resolving";
   if (ps->dual_source_blend_enable || ps->position_xy_offset_select || wm->polygon_stipple_enable)
      return "dual sources, sample offsets or stipple";
   return NULL;
}

static const char *
setup_missing(const struct draw *d)
{
   if (d->primitive.primitive_topology_type != GEN7_3D_PRIMITIVE_TOPOLOGY_TYPE_RECTLIST)
      return "anything but rectangles";
   if (d->primitive.vertex_access_type || d->primitive.indirect_parameter_enable ||
       d->primitive.end_offset_enable)
      return "indices, indirect parameters or an end offset";
   if (d->clip.statistics_enable || d->sf.statistics_enable)
      return "statistics of clipping and setup";
   if (d->clip.clip_enable || d->sf.viewport_transform_enable || d->sf.scissor_rectangle_enable)
      return "clipping, viewports and scissors";
   if (d->sbe.attribute_swizzle_enable)
      return "the swizzle of attributes";
   return d->wraps ? "attributes that wrap" : NULL;
}

/* The last two dwords of 3DSTATE_SBE are the enables of all attributes. */
static void
read_setup(struct draw *d, const struct pergola_device *dev)
{
   uint32_t count;
   const uint32_t *dw = command(dev, GEN7_3DSTATE_SBE_ID, &count);
   gen7_3dstate_sbe_unpack(&d->sbe, dw);
   d->wraps = dw[12] || dw[13];
   if (d->sbe.number_of_sf_output_attributes > ATTRIBUTES) /* the field could hold more */
      d->sbe.number_of_sf_output_attributes = ATTRIBUTES;
}

static void
read_pointers(struct draw *d, const struct pergola_device *dev)
{
   struct gen7_3dstate_cc_state_pointers cc;
   struct gen7_3dstate_binding_table_pointers_ps table;
   struct gen7_3dstate_sampler_state_pointers_ps samplers;
   struct gen7_3dstate_sample_mask mask;
   struct gen7_3dstate_vf_statistics vf;
   UNPACK(dev, 3DSTATE_VF_STATISTICS, 3dstate_vf_statistics, &vf);
   UNPACK(dev, 3DSTATE_SAMPLE_MASK, 3dstate_sample_mask, &mask);
   UNPACK(dev, 3DSTATE_CC_STATE_POINTERS, 3dstate_cc_state_pointers, &cc);
   UNPACK(dev, 3DSTATE_BINDING_TABLE_POINTERS_PS, 3dstate_binding_table_pointers_ps, &table);
   UNPACK(dev, 3DSTATE_SAMPLER_STATE_POINTERS_PS, 3dstate_sampler_state_pointers_ps, &samplers);
   d->color_calc_state = cc.color_calc_state_pointer;
   d->binding_table = table.pointer_to_binding_table;
   d->samplers = samplers.pointer_to_sampler_state;
   d->masked = !(mask.sample_mask & 1);
   d->count_vertices = vf.statistics_enable;
}

const char *
draw_state(struct draw *d, struct pergola_device *dev, const struct cs_command *c)
{
   memset(d, 0, sizeof(*d));
   gen7_3dprimitive_unpack(&d->primitive, c->dw);
   cs_thread_env(dev, c->space, &d->env);
   UNPACK(dev, 3DSTATE_CLIP, 3dstate_clip, &d->clip);
   UNPACK(dev, 3DSTATE_SF, 3dstate_sf, &d->sf);
   UNPACK(dev, 3DSTATE_WM, 3dstate_wm, &d->wm);
   UNPACK(dev, 3DSTATE_PS, 3dstate_ps, &d->ps);
   UNPACK(dev, 3DSTATE_CONSTANT_PS, 3dstate_constant_ps, &d->constants);
   UNPACK(dev, 3DSTATE_DRAWING_RECTANGLE, 3dstate_drawing_rectangle, &d->area);
   read_setup(d, dev);
   read_pointers(d, dev);
   read_buffers(d, dev);
   read_elements(d, dev);
   const char *missing = stages_missing(dev);
   missing = missing ? missing : setup_missing(d);
   missing = missing ? missing : vertices_missing(d);
   missing = missing ? missing : windower_missing(d, dev);
   return missing ? missing : pixels_missing(d, dev);
}
